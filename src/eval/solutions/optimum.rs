//! The best of the solutions of a predicate, by bounds: after each solution a better one is asked for, so that
//! propagation leaves out what cannot be better.

use crate::eval::compile::{Compiler, Undefined};
use crate::eval::plans::plan::Step;
use crate::lower::code::{Binder, Code};
use crate::lower::env::{Beside, Env, Flow};
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::{Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type};
use crate::value::{Shape, Value};
use num_bigint::BigInt;
use num_traits::Zero;

impl Compiler<'_> {
    /// A solution with the greatest or least value. `locals`: what is solved for, and the local that the bound is
    /// kept in.
    pub(in crate::eval) fn optimum(
        &self,
        op: Fold,
        locals: &[LocalId],
        pred: &Pred,
        value: &Expr,
        e: &Expr,
        shape: &Shape,
    ) -> Code {
        let Some((bound, locals)) = locals.split_last() else {
            return self.refuse(e.span, format_args!("an optimum of nothing"));
        };
        let greatest = op == Fold::Greatest;
        let known = Expr::new(ExprKind::Local(*bound), Type::Integer, value.span);
        let comparison = if greatest { Comparison::Greater } else { Comparison::Less };
        let better = Pred::new(PredKind::Compare(comparison, value.clone(), known), value.span);
        let any = self.solve(locals, pred, Undefined::Tell);
        let conjuncts = vec![pred.clone(), better];
        // The best value that is known bounds what is tried, but nobody knows yet how far: where the solver finds any
        // solution it finds the better ones, too.
        let solved = |step: &Step| matches!(step, Step::Solve(_));
        let by_solver = self.plan(locals, pred, Undefined::Tell).steps.iter().any(solved);
        let better = Pred::and(conjuncts, pred.span);
        let better = match by_solver {
            true => self.solve_at_once(locals, &better, Undefined::Tell),
            false => self.solve(locals, &better, Undefined::Tell),
        };
        let (binder, bound) = (Binder::tuple(&self.slots(locals)), self.slot(*bound));
        // What is to be best stands first.
        let own = Binder::tuple(&self.slots(if locals.len() > 1 { &locals[1..] } else { locals }));
        let (value, span) = (self.value(value), e.span);
        let optimum = move |env: &mut Env, beside: &mut Option<Beside>| {
            let mut best: Option<(BigInt, Value)> = None;
            // How much better than the best one that is known the next one shall be: more each time there is one,
            // and less where there is none.
            let mut step = BigInt::zero();
            loop {
                if let Some((known, _)) = &best {
                    let wanted = if greatest { known + &step } else { known - &step };
                    bound.set(env, Value::integer(wanted))?;
                }
                let each = if best.is_none() { &any } else { &better };
                let mut found = None;
                let ended = each(env, &mut |env| {
                    match (env.pending.clone(), &mut *beside) {
                        (None, _) => {}
                        (Some((Stop::Fault(site), fault)), Some(beside)) => {
                            env.tick()?;
                            let own = own.read(env);
                            beside.add(own.clone(), value(env)?);
                            beside.first.get_or_insert((binder.read(env), own, site, fault));
                            return Ok(Flow::Continue(()));
                        }
                        (Some((stop, fault)), _) => {
                            env.fault = fault;
                            return Err(stop);
                        }
                    }
                    found = Some((value(env)?, binder.read(env)));
                    Ok(Flow::Break(()))
                });
                // What is to be best has no value for some candidate: that is told beside the others.
                let ended = match (ended, &beside) {
                    (Err(Stop::Fault(site)), Some(Beside { first: Some(_), .. }))
                        if !env.site(site).kind.is_final() =>
                    {
                        Ok(Flow::Continue(()))
                    }
                    (ended, _) => ended,
                };
                match (found, ended) {
                    (Some((value, solution)), Ok(_)) => {
                        best = Some((value.to_big().unwrap_or_default(), solution));
                        step = step * 2 + 1;
                    }
                    (_, Err(stop @ (Stop::Fault(_) | Stop::Overflow | Stop::Halted))) => {
                        return Err(stop);
                    }
                    // None, or none that was found, is so much better.
                    (None, _) if !step.is_zero() => step /= 2,
                    (_, Err(stop)) => return Err(stop),
                    (None, Ok(_)) => {
                        let undefined = beside.as_ref().and_then(|beside| beside.first.clone());
                        return match (best, undefined) {
                            (Some((_, solution)), _) => Ok(solution),
                            (None, Some((_, _, site, fault))) => {
                                env.fault = fault;
                                Err(Stop::Fault(site))
                            }
                            (None, None) => Err(env.fault(FaultKind::NoOptimum, span, [])),
                        };
                    }
                }
            }
        };
        self.finish(shape, move |env| {
            // What is asked for within a candidate has no candidates beside it.
            let mut beside = env.beside.take().map(|_| Beside::default());
            let best = optimum(env, &mut beside);
            env.beside = beside;
            best
        })
    }
}
