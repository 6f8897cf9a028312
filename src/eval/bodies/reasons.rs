//! Why what should hold does not: the conjunct that is false, with the values of what it speaks of.

use crate::eval::compile::Compiler;
use crate::lower::code::BoolFn;
use crate::lower::env::{Env, Operand};
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::footprint::Footprint;
use crate::machine::parts::Part;
use crate::machine::{Expr, ExprKind, Pred};
use crate::source::Span;
use crate::value::Value;

type ValueOf = Box<dyn Fn(&mut Env) -> Result<Value, Stop> + Send + Sync>;

/// What a predicate speaks of, each with the code for its value.
pub(super) type Told = Vec<(Operand, ValueOf)>;

/// The conjuncts of what should hold.
pub(super) struct Reasons {
    conjuncts: Vec<Reason>,
    span: Span,
}

struct Reason {
    holds: BoolFn,
    span: Span,
    told: Told,
}

impl Reasons {
    /// The fault that one of the conjuncts is false: the first that is, where it stands.
    #[cold]
    pub(super) fn fault(&self, env: &mut Env, kind: FaultKind) -> Stop {
        let found = self.conjuncts.iter().find(|reason| matches!((reason.holds)(env), Ok(false)));
        let span = found.map_or(self.span, |reason| reason.span);
        let values = found.map(|reason| values(&reason.told, env)).unwrap_or_default();
        env.fault(kind, span, values)
    }
}

/// The values of what is told, if somebody wants to know.
pub(super) fn values<'t>(told: &'t Told, env: &mut Env) -> Vec<(&'t Operand, Value)> {
    let told = if env.explain { &told[..] } else { &[] };
    told.iter().filter_map(|(operand, value)| Some((operand, value(env).ok()?))).collect()
}

impl Compiler<'_> {
    /// What explains that a predicate is false.
    pub(super) fn reasons(&self, p: &Pred) -> Reasons {
        // What cannot be evaluated is reported where the whole is compiled.
        let known = self.problems.borrow().len();
        let reason = |p: &Pred| Reason { holds: self.pred(p), span: p.span, told: self.told(p) };
        let conjuncts = p.conjuncts().iter().map(reason).collect();
        self.problems.borrow_mut().truncate(known);
        Reasons { conjuncts, span: p.span }
    }

    /// The check that a predicate holds.
    pub(super) fn check(
        &self,
        kind: FaultKind,
        p: &Pred,
    ) -> impl Fn(&mut Env) -> Result<(), Stop> + Send + Sync + 'static {
        let (condition, reasons) = (self.test(p), self.reasons(p));
        move |env| if condition.holds(env)? { Ok(()) } else { Err(reasons.fault(env, kind)) }
    }

    /// The variables and locals that a predicate is about, with their values.
    pub(super) fn told(&self, p: &Pred) -> Told {
        let machine = self.machine();
        let footprint = Footprint::of_pred(p);
        let bound = Part::Pred(p).bound_locals();
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
