//! Equations of numbers that nothing bounds, added up: `y - x = 2 & x + y = 10`.
//!
//! Bounds say nothing of them one by one. So a variable without bounds is eliminated from the others by one equation after
//! the other, as Gauss does it; what follows is posted beside them.

use crate::constraint::claim::{Claim, Poster};
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::propagators::linear::{Relation, gcd};
use crate::constraint::store::Var;

/// Most equations that are looked at, and terms in one that follows.
const MOST: usize = 40;
const LONGEST: usize = 20;

impl Poster {
    /// Posts what follows from the equations of unbounded variables; whether anything does.
    pub fn eliminate(&mut self) -> bool {
        let equations = self
            .wide
            .iter()
            .filter(|(relation, sum)| *relation == Relation::Equal && self.is_unbounded(sum));
        let mut equations: Vec<Linear> = equations.map(|(_, sum)| sum.clone()).take(MOST).collect();
        let mut found = false;
        for i in 0..equations.len() {
            let Some((factor, var)) = self.pivot(&equations[i]) else { continue };
            for j in 0..equations.len() {
                let own = equations[j].terms.iter().find(|(_, v)| *v == var);
                let Some(own) = own.filter(|_| i != j).map(|(own, _)| *own) else { continue };
                let common = gcd(factor.unsigned_abs(), own.unsigned_abs()) as i64;
                let scaled = equations[j].times(factor / common);
                let sum = scaled.and_then(|sum| sum.plus(-(own / common), &equations[i]));
                if let Some(sum) = sum.filter(|sum| sum.terms.len() <= LONGEST) {
                    match sum.known() {
                        Some(n) => self.assert(Lit::known(n == 0)),
                        None => self.post(Claim::Sum(Relation::Equal, sum.clone())),
                    }
                    equations[j] = sum;
                    found = true;
                }
            }
        }
        found
    }

    /// A variable without bounds in an equation, with its factor.
    fn pivot(&self, equation: &Linear) -> Option<(i64, Var)> {
        let open = equation.terms.iter().filter(|(_, var)| !self.engine.store.is_bounded(*var));
        open.min_by_key(|(factor, _)| factor.abs()).copied()
    }
}
