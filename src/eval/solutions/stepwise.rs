//! Functions found point by point.
//!
//! The functions from one set to another are many, and the conjuncts about one of them often speak of a
//! few of its points each: `queens(i) + i /= queens(j) + j`. So where the conjuncts that follow only apply the
//! function, they are tested after each point already, on the part of the function there is. What
//! they say of other points is undefined, and evaluation lets nothing undefined decide: a conjunct
//! that is false of a part is false of every function with that part. This is the plain backtracking
//! search for the solutions of a constraint network.

use crate::eval::compile::Compiler;
use crate::eval::plans::plan::Step;
use crate::eval::unbuilt::members::{MembersFn, ended, refuse_parts};
use crate::lower::code::{BoolFn, Slot};
use crate::lower::description::PartFn;
use crate::lower::env::{Env, Flow};
use crate::lower::stop::Stop;
use crate::machine::{Expr, ExprKind, LocalId, UnaryOp};
use crate::value::relation::Arrow;
use crate::value::{Shape, Value};

/// Larger domains are left to the ordinary enumeration, which does not recurse.
const LARGEST_DOMAIN: usize = 512;

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
