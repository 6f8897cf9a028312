//! Which of the choices of a plan is taken where the cheapest one is not the best: what is tried of a local is not
//! told by others, and what follows from it counts.

use super::estimate::LAST_RESORT;
use super::offers::{Choice, Origin};
use super::plan::Planner;
use crate::clock;
use crate::eval::compile::Undefined;
use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, PredKind, UnaryOp};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Most choices that are as good as the best one between which what follows from them decides.
const ALIKE: usize = 8;

impl Planner<'_, '_, '_> {
    /// What is taken where this choice is the cheapest.
    pub(super) fn preferred(&self, cheapest: Origin) -> Origin {
        self.what_tells(self.most_followed(cheapest))
    }

    /// What gives a local its values that an equation computes this one from, if nothing computes them from this one:
    /// in `x : 1..9 & n : 1..5 & n = card(s(x))` it is `x` that is tried.
    fn what_tells(&self, origin: Origin) -> Origin {
        let (mut at, mut seen) = (origin, BTreeSet::new());
        while let Some((local, needed)) = self.computed(at) {
            if !seen.insert(local) {
                return origin;
            }
            let mut of = needed.iter().filter_map(|id| self.offers.giving_first(*id, local));
            match of.next() {
                Some((instead, cost)) if cost < LAST_RESORT => at = instead,
                _ => return origin,
            }
        }
        at
    }

    /// The one local that a choice tries values of although an equation computes it, with the unbound ones that the equation
    /// computes it from.
    fn computed(&self, origin: Origin) -> Option<(LocalId, Vec<LocalId>)> {
        let choice = self.offers.get(origin)?;
        let [local] = choice.binds[..] else { return None };
        if choice.cost <= 1.0 {
            return None;
        }
        self.open_conjuncts(local).find_map(|(i, p)| {
            let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
            let computes = |x: &Expr, e: &Expr| {
                x.kind == ExprKind::Local(local)
                    && self.goes_one_way(e)
                    && !Footprint::of_expr(e).locals.contains(&local)
            };
            let needed = self.conjuncts[i].locals.iter().copied().filter(|id| *id != local);
            (computes(a, b) || computes(b, a)).then(|| (local, needed.collect()))
        })
    }

    /// Whether the value of an expression hardly tells what its locals are.
    fn goes_one_way(&self, e: &Expr) -> bool {
        use BinaryOp::{Add, Apply, Divide, Modulo, Multiply, Subtract};
        match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => self.goes_one_way(a),
            ExprKind::Binary(Add | Subtract | Multiply, a, b) => {
                self.goes_one_way(a) || self.goes_one_way(b)
            }
            ExprKind::Unary(UnaryOp::Card | UnaryOp::Max | UnaryOp::Min, _)
            | ExprKind::Binary(Divide | Modulo, ..)
            | ExprKind::Fold(Fold::Sigma | Fold::Pi, ..) => !self.is_bound(e),
            // What is computed from all arguments there are is no more than these.
            ExprKind::Binary(Apply, f, x) => self.is_bound(f) && !self.is_bound(x),
            _ => false,
        }
    }

    /// Of those choices that are as good as this one, the first after which equations give most other locals their
    /// values: where it is not seen in which order the solutions come.
    fn most_followed(&self, origin: Origin) -> Origin {
        let alike: Vec<(Origin, &Choice)> = self.offers.as_good_as(origin).take(ALIKE).collect();
        let is_quantified = self.undefined == Undefined::Tell;
        let goes_on = is_quantified && alike.len() > 1 && alike[0].1.cost > 1.0;
        let followers = |choice: &Choice| Reverse(self.followers(choice));
        match goes_on {
            true => {
                alike.iter().min_by_key(|(_, choice)| followers(choice)).map_or(origin, |a| a.0)
            }
            false => origin,
        }
    }

    /// How many other locals equations give their values, one after the other, once those of a choice have theirs.
    fn followers(&self, choice: &Choice) -> usize {
        let mut bound: BTreeSet<LocalId> = choice.binds.iter().copied().collect();
        loop {
            let before = bound.len();
            for conjunct in self.conjuncts.iter().filter(|conjunct| !conjunct.done) {
                clock::work(1);
                let PredKind::Compare(Comparison::Equal, a, b) = &conjunct.pred.kind else {
                    continue;
                };
                let mut open = conjunct.locals.difference(&bound);
                let (Some(only), None) = (open.next(), open.next()) else { continue };
                let is_given = |x: &Expr, e: &Expr| {
                    x.kind == ExprKind::Local(*only) && !Footprint::of_expr(e).locals.contains(only)
                };
                if is_given(a, b) || is_given(b, a) {
                    bound.insert(*only);
                }
            }
            if bound.len() == before {
                return bound.len() - choice.binds.len();
            }
        }
    }
}
