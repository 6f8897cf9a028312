//! Constants that the PROPERTIES fix in so many words: `n = 4`, the sets of numbers `S = 1..n` between such, and sets of
//! functions between sets that have a name.
//!
//! What is fixed is the same in each set-up, so the code need not look it up: a number is a literal, a set that
//! something belongs to is an interval. The layout takes what the invariant says of `1..n` for what it is. The text
//! of the machine stays as it is for whoever explains it; in the code alone the constants are gone.

use crate::machine::visit::Visitor;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, ConstId, Expr, ExprKind, Pred, PredKind, UnaryOp,
};
use crate::state::{Instance, expect};
use num_bigint::BigInt;
use std::sync::Arc;

/// What stands for each constant, where that is known.
#[derive(Clone)]
pub(in crate::eval) struct Known {
    numbers: Vec<Option<i64>>,
    sets: Vec<Option<ExprKind>>,
}

impl Known {
    pub(in crate::eval) fn of(instance: &Instance) -> Known {
        let count = instance.machine.constants.len();
        let mut known = Known { numbers: vec![None; count], sets: vec![None; count] };
        let equations = expect::equations(instance).filter(|(_, e)| may_be_told(e));
        let is_arrow = |e: &Expr| matches!(&e.kind, ExprKind::Binary(op, ..) if op.is_arrow());
        // What functions are between is known before they are.
        let (mut functions, mut others): (Vec<_>, Vec<_>) =
            equations.partition(|(_, e)| is_arrow(e));
        for equations in [&mut others, &mut functions] {
            // A definition may stand before those that it is made of.
            loop {
                let before = equations.len();
                equations.retain(|(id, e)| !known.learns(instance, *id, e));
                if equations.len() == before {
                    break;
                }
            }
        }
        known
    }

    /// Whether an equation tells something new of a constant.
    fn learns(&mut self, instance: &Instance, id: ConstId, e: &Expr) -> bool {
        let at = id.0 as usize;
        if self.numbers[at].is_some() || self.sets[at].is_some() {
            return false;
        }
        let mut e = e.clone();
        self.expr(&mut e);
        self.set(&mut e);
        self.numbers[at] = expect::integer(instance, &e);
        self.sets[at] = is_told(instance, &e).then_some(e.kind);
        self.numbers[at].is_some() || self.sets[at].is_some()
    }

    /// A machine without these constants in what its states are asked and in what moves it. They stay in the
    /// PROPERTIES.
    pub(in crate::eval) fn in_code(&self, instance: &Arc<Instance>) -> Arc<Instance> {
        if self.numbers.iter().all(Option::is_none) && self.sets.iter().all(Option::is_none) {
            return instance.clone();
        }
        let mut machine = (*instance.machine).clone();
        machine.invariant.iter_mut().for_each(|c| self.pred(&mut c.pred));
        let mut operations = Arc::unwrap_or_clone(std::mem::take(&mut machine.operations));
        self.visit(&mut |visitor| {
            for operation in &mut operations {
                operation.guard.iter_mut().for_each(|c| visitor.pred(&mut c.pred));
                visitor.subst(&mut operation.body);
            }
            machine.initialisation.iter_mut().for_each(|s| visitor.subst(s));
        });
        machine.operations = Arc::new(operations);
        Arc::new(Instance { machine: Arc::new(machine), ..(**instance).clone() })
    }

    pub(in crate::eval) fn pred(&self, p: &mut Pred) {
        self.visit(&mut |visitor| visitor.pred(p));
    }

    fn expr(&self, e: &mut Expr) {
        self.visit(&mut |visitor| visitor.expr(e));
    }

    fn visit(&self, visit: &mut dyn FnMut(&mut Visitor<'_>)) {
        let mut number = |e: &mut Expr| {
            if let ExprKind::Constant(id) = e.kind
                && let Some(n) = self.numbers.get(id.0 as usize).copied().flatten()
            {
                e.kind = ExprKind::Integer(BigInt::from(n));
            }
        };
        let mut set = |p: &mut Pred| {
            use Comparison::{Member, NotMember, NotSubset, Subset};
            if let PredKind::Compare(Member | NotMember | Subset | NotSubset, _, set) = &mut p.kind
            {
                self.set(set);
            }
        };
        visit(&mut Visitor { pred: Some(&mut set), ..Visitor::of(&mut number) });
    }

    /// A set that something belongs to. Elsewhere the value that was solved is at hand, and need not be built.
    fn set(&self, set: &mut Expr) {
        use UnaryOp::{Fin, Fin1, Iseq, Iseq1, Perm, Pow, Pow1, Seq, Seq1};
        match &mut set.kind {
            ExprKind::Constant(id) => {
                if let Some(kind) = self.sets.get(id.0 as usize).and_then(Option::clone) {
                    set.kind = kind;
                }
            }
            ExprKind::Unary(Pow | Pow1 | Fin | Fin1 | Seq | Seq1 | Iseq | Iseq1 | Perm, of) => {
                self.set(Arc::make_mut(of));
            }
            ExprKind::Binary(op, a, b) if *op == BinaryOp::Product || op.is_arrow() => {
                self.set(Arc::make_mut(a));
                self.set(Arc::make_mut(b));
            }
            ExprKind::Binary(BinaryOp::Difference | BinaryOp::Intersection, a, _) => {
                self.set(Arc::make_mut(a))
            }
            _ => {}
        }
    }
}

/// Whether an expression has the form of a number, or of a set of numbers that is told by its ends.
fn may_be_told(e: &Expr) -> bool {
    use BinaryOp::{Add, Interval, Multiply, Product, Subtract};
    match &e.kind {
        ExprKind::Integer(_)
        | ExprKind::MaxInt
        | ExprKind::MinInt
        | ExprKind::Constant(_)
        | ExprKind::Carrier(_) => true,
        ExprKind::Unary(UnaryOp::Negate | UnaryOp::Card, of) => may_be_told(of),
        ExprKind::Binary(Add | Subtract | Multiply | Interval | Product, a, b) => {
            may_be_told(a) && may_be_told(b)
        }
        ExprKind::Binary(op, a, b) if op.is_arrow() => is_named(a) && is_named(b),
        _ => false,
    }
}

/// Whether a side of a set of functions has a name, or is told.
fn is_named(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Basic(BasicSet::Bool)) || may_be_told(e)
}

/// Whether membership in a set is quicker told by its form than by its members: an interval, or pairs of such.
fn is_told(instance: &Instance, set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Binary(BinaryOp::Interval, a, b) => {
            [a, b].iter().all(|e| expect::integer(instance, e).is_some())
        }
        ExprKind::Binary(BinaryOp::Product, a, b) => {
            let is_side = |e: &Expr| matches!(e.kind, ExprKind::Carrier(_)) || is_told(instance, e);
            is_side(a) && is_side(b)
        }
        ExprKind::Binary(op, ..) => op.is_arrow(),
        _ => false,
    }
}
