//! Claims of events: assertions that a model makes, not its text. Where one that does not end the event
//! is broken, the event happens all the same, and the instance is told of.

use super::compile::Compiler;
use super::env::{Env, Operand};
use super::guard::Position;
use super::stop::{FaultKind, Stop};
use super::substitution::Body;
use crate::machine::footprint::Footprint;
use crate::machine::parts::Part;
use crate::machine::{ClaimId, Expr, ExprKind, LocalId, Pred, PredKind, Subst};
use crate::value::Value;
use std::collections::BTreeSet;

type ValueOf = Box<dyn Fn(&mut Env) -> Result<Value, Stop> + Send + Sync>;

impl Compiler<'_> {
    /// A substitution below a claim.
    pub(super) fn claim(&self, claim: ClaimId, p: &Pred, s: &Subst, at: Position<'_>) -> Body {
        let kind = self.machine().claims[claim.0 as usize].kind;
        let (fault, span) = (FaultKind::Broken(kind, claim), p.span);
        let (condition, told) = (self.pred(p), self.told(p));
        let check = move |env: &mut Env| {
            let stop = match condition(env) {
                Ok(true) => return Ok(()),
                Ok(false) => {
                    let mut values = Vec::new();
                    let explained = if env.explain { &told[..] } else { &[] };
                    for (operand, value) in explained {
                        if let Ok(value) = value(env) {
                            values.push((operand, value));
                        }
                    }
                    env.fault(fault, span, values)
                }
                Err(stop) => stop,
            };
            match stop {
                // It is not known to be broken.
                Stop::Cut(cut) => env.give_up(cut),
                Stop::Fault(site) if !kind.ends_event() => {
                    let fault = env.fault.take();
                    env.broken.get_or_insert((site, fault));
                }
                stop => return Err(stop),
            }
            Ok(())
        };
        self.subst(s, at.closed()).after(check)
    }

    /// The variables and locals that a predicate is about, with their values.
    fn told(&self, p: &Pred) -> Vec<(Operand, ValueOf)> {
        let machine = self.machine();
        let footprint = Footprint::of_pred(p);
        let mut bound = BTreeSet::new();
        bound_in(Part::Pred(p), &mut bound);
        let variables = footprint.variables.iter().map(|id| {
            let v = machine.variable(*id);
            (v.name.clone(), Expr::new(ExprKind::Variable(*id), v.ty.clone(), p.span))
        });
        let locals = footprint.locals.difference(&bound).map(|id| {
            let local = machine.local(*id);
            (local.name.clone(), Expr::new(ExprKind::Local(*id), local.ty.clone(), p.span))
        });
        let told = variables.chain(locals).map(|(name, e)| {
            let operand = Operand { name: Some(name), ..self.operand(&e) };
            (operand, self.kept(&e))
        });
        told.collect()
    }
}

/// The names that quantifiers and their like bind.
fn bound_in(part: Part<'_>, bound: &mut BTreeSet<LocalId>) {
    match part {
        Part::Pred(p) => {
            match &p.kind {
                PredKind::Forall(ids, ..) | PredKind::Exists(ids, _) => bound.extend(ids),
                PredKind::Let(bindings, _) => bound.extend(bindings.iter().map(|(id, _)| *id)),
                _ => {}
            }
            p.parts(&mut |part| bound_in(part, bound));
        }
        Part::Expr(e) => {
            match &e.kind {
                ExprKind::Comprehension(ids, _) | ExprKind::Fold(_, ids, ..) => bound.extend(ids),
                ExprKind::Let(bindings, _) => bound.extend(bindings.iter().map(|(id, _)| *id)),
                _ => {}
            }
            e.parts(&mut |part| bound_in(part, bound));
        }
    }
}
