//! Variables that differ by a number, whatever is decided: what follows for comparisons of them.

use crate::constraint::literal::Linear;
use crate::constraint::propagators::linear::Relation;
use crate::constraint::store::Var;
use rustc_hash::FxHashMap;

/// For each variable another one, and how much it is more than that; at the end of each such way there is one without.
#[derive(Default)]
pub struct Offsets(FxHashMap<Var, (Var, i64)>);

impl Offsets {
    /// Notes a sum that holds whatever is decided, if it says by what two variables differ.
    pub fn note(&mut self, relation: Relation, sum: &Linear) {
        let (Relation::Equal, [(n, x), (m, y)]) = (relation, &sum.terms[..]) else { return };
        if n + m != 0 || n.abs() != 1 {
            return;
        }
        // x - y + c = 0
        let by = -n * sum.constant;
        let ((x, to_x), (y, to_y)) = (self.leader(*x), self.leader(*y));
        if x != y
            && let Some(by) = by.checked_add(to_y).and_then(|by| by.checked_sub(to_x))
        {
            self.0.insert(x, (y, by));
        }
    }

    /// Whether a comparison holds, where that follows.
    pub fn tell(&self, relation: Relation, sum: &Linear) -> Option<bool> {
        if !sum.terms.iter().any(|(_, var)| self.0.contains_key(var)) {
            return None;
        }
        let mut all = Linear::constant(sum.constant);
        for (factor, var) in &sum.terms {
            let (leader, by) = self.leader(*var);
            all = all.plus(*factor, &Linear { constant: by, ..Linear::var(leader) })?;
        }
        let value = all.known()?;
        Some(match relation {
            Relation::Equal => value == 0,
            Relation::NotEqual => value != 0,
            Relation::AtMost => value <= 0,
        })
    }

    /// The variable at the end of the way from one, and how much that one is more.
    fn leader(&self, mut var: Var) -> (Var, i64) {
        let mut by = 0i64;
        while let Some((next, more)) = self.0.get(&var) {
            let Some(sum) = by.checked_add(*more) else { break };
            (var, by) = (*next, sum);
        }
        (var, by)
    }
}
