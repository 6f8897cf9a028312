//! Equations with the square of a number and the number itself: `x * x - 5 * x + 6 = 0` bounds `x`, where bounds of the one
//! and of the other only push each other on.

use super::claim::Poster;
use super::literal::Linear;
use super::store::{INFINITE, Var};

impl Poster {
    /// Bounds the numbers that equations of unbounded variables have together with their squares; whether there are any.
    ///
    /// Of `a * x * x + b * x + c = 0` a root is no further from 0 than `(|b| + |c|) / |a|`, or 1 (a bound of Cauchy's).
    pub(super) fn bound_roots(&mut self) -> bool {
        let mut found = false;
        for (root, square) in self.squares.clone() {
            for i in 0..self.unbounded.len() {
                let Some(most) = self.farthest(&self.unbounded[i], root, square) else { continue };
                let store = &mut self.engine.store;
                self.failed |=
                    store.at_least(root, -most).is_err() || store.at_most(root, most).is_err();
                found = true;
            }
        }
        found
    }

    /// The bound that an equation gives, where what else is in it has bounds.
    fn farthest(&self, equation: &Linear, root: Var, square: Var) -> Option<i64> {
        let store = &self.engine.store;
        let factor = |var: Var| {
            let term = equation.terms.iter().find(|(_, v)| *v == var);
            term.map(|(factor, _)| factor.unsigned_abs() as i128)
        };
        let (a, b) = (factor(square)?, factor(root).unwrap_or(0));
        let mut rest = equation.clone();
        rest.terms.retain(|(_, var)| *var != root && *var != square);
        let (low, high) = rest.bounds(store);
        if low <= -INFINITE || high >= INFINITE || store.is_bounded(root) {
            return None;
        }
        let c = low.unsigned_abs().max(high.unsigned_abs()) as i128;
        i64::try_from(((b + c) / a).max(1)).ok().filter(|most| *most < INFINITE)
    }
}
