//! Functions found point by point.
//!
//! The functions from one set to another are many, and the conjuncts about one of them often speak of a
//! few of its points each: `queens(i) + i /= queens(j) + j`. So where the conjuncts that follow only apply the
//! function, they are tested after each point already, on the part of the function there is. What
//! they say of other points is undefined, and evaluation lets nothing undefined decide: a conjunct
//! that is false of a part is false of every function with that part. This is the plain backtracking
//! search for the solutions of a constraint network.

use crate::eval::compile::{Compiler, Undefined};
use crate::eval::plans::plan::{Source, Step};
use crate::eval::plans::solver::bound_by;
use crate::eval::unbuilt::members::{MembersFn, ended, refuse_parts};
use crate::lower::code::{BoolFn, Slot};
use crate::lower::description::PartFn;
use crate::lower::env::{Env, Flow};
use crate::lower::stop::Stop;
use crate::machine::footprint::Footprint;
use crate::machine::parts::Part;
use crate::machine::{BinaryOp, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp};
use crate::value::relation::Arrow;
use crate::value::{Shape, Value};
use std::collections::BTreeSet;

/// Larger domains are left to the ordinary enumeration, which does not recurse.
const LARGEST_DOMAIN: usize = 512;

/// So many values in the place of one that is undefined are too many to be tried for each part of a function.
const MANY_VALUES: u128 = 1 << 10;

type Sink<'f> = &'f mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>;

struct Search {
    slot: Slot,
    arrow: Arrow,
    rel: Shape,
    pairs: Shape,
    tests: Vec<BoolFn>,
}

/// What has been chosen, and what there is to choose from.
struct Choices {
    from: Vec<Value>,
    to: Vec<Value>,
    uses: Vec<u32>,
    unused: usize,
}

impl Compiler<'_> {
    /// The functions of a set of functions for this local, without those of which one of the tests
    /// that follow is false already in part. `None` where that is not worth while.
    pub(super) fn stepwise(&self, id: LocalId, set: &Expr, rest: &[Step]) -> Option<MembersFn> {
        let (arrow, from, to) = match &set.kind {
            ExprKind::Binary(op, a, b) => {
                let arrow = Arrow::from_op(*op).filter(|arrow| arrow.functional)?;
                if [a, b].iter().any(|s| self.is_infinite(s) || self.may_be_symbolic(s)) {
                    return None;
                }
                (arrow, Some(self.part(a)), (b, self.part(b)))
            }
            ExprKind::Unary(UnaryOp::Perm, of) if !self.is_infinite(of) => {
                (Arrow::TOTAL_BIJECTIONS, None, (of, self.part(of)))
            }
            _ => return None,
        };
        let tests = rest.iter().map_while(|step| match step {
            Step::Test(p) => Some(p),
            _ => None,
        });
        let tests: Vec<BoolFn> =
            tests.filter(|p| self.is_applied_only(p, id)).map(|p| self.conjunct_fn(p)).collect();
        if tests.is_empty() {
            return None;
        }
        let rel = self.shape(&set.ty).element();
        let search = Search { slot: self.slot(id), arrow, pairs: rel.element(), rel, tests };
        let (to_shape, to): (Shape, PartFn) = (self.shape(&to.0.ty), to.1);
        let whole = self.enumerate_set(set);
        Some(Box::new(move |env, f| {
            let (to, to_cut) = to(env)?;
            let to: Vec<Value> = to_shape.members(&to).collect();
            let (from, from_cut): (Vec<Value>, _) = match &from {
                // representations say all that is needed to walk a set
                Some(from) => {
                    let (from, cut) = from(env)?;
                    (to_shape.members(&from).collect(), cut)
                }
                None => ((1..=to.len() as i64).map(Value::Int).collect(), None),
            };
            refuse_parts(search.arrow, from_cut, to_cut)?;
            if from.len() > LARGEST_DOMAIN {
                return whole(env, f);
            }
            let (uses, unused) = (vec![0; to.len()], to.len());
            let mut choices = Choices { from, to, uses, unused };
            let flow = search.extend(env, &mut choices, 0, &search.rel.empty(), f);
            ended(flow, from_cut.or(to_cut))
        }))
    }
}

impl Search {
    /// Decides the points from number `at` on.
    fn extend(
        &self,
        env: &mut Env,
        choices: &mut Choices,
        at: usize,
        part: &Value,
        f: Sink<'_>,
    ) -> Result<Flow, Stop> {
        env.tick()?;
        let left = choices.from.len() - at;
        if self.arrow.surjective && choices.unused > left
            || self.arrow.injective && self.arrow.total && left > choices.unused
        {
            return Ok(Flow::Continue(()));
        }
        if left == 0 {
            return f(env, part.clone());
        }
        if !self.arrow.total && self.extend(env, choices, at + 1, part, f)?.is_break() {
            return Ok(Flow::Break(()));
        }
        for i in 0..choices.to.len() {
            if self.arrow.injective && choices.uses[i] > 0 {
                continue;
            }
            let pair = self.pairs.pair(choices.from[at].clone(), choices.to[i].clone());
            let longer = self.rel.insert(part, pair);
            self.slot.set(env, longer.clone())?;
            if self.is_refuted(env)? {
                continue;
            }
            choices.uses[i] += 1;
            choices.unused -= usize::from(choices.uses[i] == 1);
            let flow = self.extend(env, choices, at + 1, &longer, f)?;
            choices.unused += usize::from(choices.uses[i] == 1);
            choices.uses[i] -= 1;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(Flow::Continue(()))
    }

    /// Whether some test is false of the part in the local.
    fn is_refuted(&self, env: &mut Env) -> Result<bool, Stop> {
        for test in &self.tests {
            let refuted = match test(env) {
                Ok(truth) => !truth,
                // Nor does an enumeration decide that is cut off because a point is missing yet.
                Err(Stop::Fault(_) | Stop::Cut(_)) => false,
                Err(stop) => return Err(stop),
            };
            env.fault = None;
            if refuted {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

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
pub(in crate::eval) fn only_applies(p: &Pred, id: LocalId) -> bool {
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
