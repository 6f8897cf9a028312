//! Functions of which a predicate asks values only, so that it is told by some of their points.

use super::plan::{Source, Step};
use super::solver::bound_by;
use crate::eval::compile::{Compiler, Undefined};
use crate::machine::footprint::Footprint;
use crate::machine::parts::Part;
use crate::machine::{BinaryOp, Expr, ExprKind, LocalId, Pred, PredKind};
use std::collections::BTreeSet;

/// So many values in the place of one that is undefined are too many to be tried for each part of a function.
const MANY_VALUES: u128 = 1 << 10;

impl Compiler<'_> {
    /// Whether a predicate mentions a local, and only to apply it: to values that come from elsewhere. Where nothing but
    /// the application says what a name may be (`#i.(f(i) = 3)`), it is looked for in the domain of the function.
    pub(in crate::eval) fn is_applied_only(&self, p: &Pred, id: LocalId) -> bool {
        only_applies(p, id) && self.names_come_from_elsewhere(Part::Pred(p), id)
    }

    /// Whether what each quantifier within goes through is the same whatever points the function has.
    fn names_come_from_elsewhere(&self, part: Part<'_>, id: LocalId) -> bool {
        let scope = match part {
            Part::Pred(p) => match &p.kind {
                PredKind::Forall(ids, p, q) => Some((ids, self.premise(ids, p, q))),
                PredKind::Exists(ids, p) => Some((ids, (**p).clone())),
                _ => None,
            },
            Part::Expr(e) => match &e.kind {
                ExprKind::Comprehension(ids, p) | ExprKind::Fold(_, ids, p, _) => {
                    Some((ids, (**p).clone()))
                }
                _ => None,
            },
        };
        let (mut inside, mut arguments) = (true, BTreeSet::new());
        let mut inner = |part: Part<'_>| {
            inside = inside && self.names_come_from_elsewhere(part, id);
            if scope.is_some() {
                arguments_of(part, id, &mut arguments);
            }
        };
        part.parts(&mut inner);
        let is_told = |(ids, p): (&Vec<LocalId>, Pred)| {
            let is_argument = ids.iter().any(|name| arguments.contains(name));
            let is_large = ids.iter().any(|name| self.has_many_values(*name));
            let moves = |step: &Step| {
                is_argument && walks(step, id) || is_large && self.falls_back_on_many(step, id)
            };
            !(is_argument || is_large)
                || !self.plan(ids, &p, Undefined::Tell).steps.iter().any(moves)
        };
        inside && scope.is_none_or(is_told)
    }

    /// Whether a step that computes a set or the like from a function has to try very many in its place where some point is
    /// missing: that tells less of a part than it costs.
    fn falls_back_on_many(&self, step: &Step, id: LocalId) -> bool {
        let e = match step {
            Step::Bind(_, e) | Step::Generate(_, Source::Set(e)) => e,
            _ => return false,
        };
        let mut names = BTreeSet::new();
        bound_by(step, &mut names);
        mention(Part::Expr(e), id) != Mention::Not
            && names.iter().any(|name| self.has_many_values(*name))
    }

    /// Whether a name is a set or the like with very many values by its type.
    fn has_many_values(&self, name: LocalId) -> bool {
        let slot = self.slot(name);
        !slot.word && slot.shape.count().is_none_or(|count| count > MANY_VALUES)
    }
}

/// Whether what a step gives its names depends on a function otherwise than by values of it, as far as can be seen.
fn walks(step: &Step, id: LocalId) -> bool {
    let depends = |e: &Expr| mention(Part::Expr(e), id) == Mention::Whole;
    match step {
        Step::Test(_) => false,
        Step::Bind(_, e) | Step::Generate(_, Source::Set(e)) => depends(e),
        Step::Generate(_, Source::Interval { low, high } | Source::Type { low, high }) => {
            low.iter().chain(high).any(depends)
        }
        Step::Generate(_, Source::UpTo(set, longest)) => depends(set) || depends(longest),
        Step::Generate(_, Source::Either(_, plans)) => {
            plans.iter().any(|plan| plan.steps.iter().any(|step| walks(step, id)))
        }
        Step::Generate(_, Source::Parts(..) | Source::Cases(..)) => true,
        Step::Solve(solve) => {
            solve.conjuncts.iter().any(|p| Footprint::of_pred(p).locals.contains(&id))
        }
    }
}

/// Whether a predicate mentions a local, and only to apply it.
pub(super) fn only_applies(p: &Pred, id: LocalId) -> bool {
    mention(Part::Pred(p), id) == Mention::Applied
}

/// How a formula mentions a local.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mention {
    Not,
    /// Only to apply it.
    Applied,
    Whole,
}

fn mention(part: Part<'_>, id: LocalId) -> Mention {
    let mut found = Mention::Not;
    if let Part::Expr(e) = part {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Apply, f, x) if f.kind == ExprKind::Local(id) => {
                return match mention(Part::Expr(x), id) {
                    Mention::Whole => Mention::Whole,
                    _ => Mention::Applied,
                };
            }
            ExprKind::Local(local) if *local == id => return Mention::Whole,
            _ => {}
        }
    }
    let mut inner = |part: Part<'_>| match (found, mention(part, id)) {
        (Mention::Whole, _) | (_, Mention::Not) => {}
        (_, more) => found = more,
    };
    part.parts(&mut inner);
    found
}

/// The names in arguments of the function.
fn arguments_of(part: Part<'_>, id: LocalId, out: &mut BTreeSet<LocalId>) {
    if let Part::Expr(Expr { kind: ExprKind::Binary(BinaryOp::Apply, f, x), .. }) = part
        && f.kind == ExprKind::Local(id)
    {
        out.extend(Footprint::of_expr(x).locals);
    }
    let mut inner = |part: Part<'_>| arguments_of(part, id, out);
    part.parts(&mut inner);
}
