//! What is always defined, as far as the form of a formula tells.

use crate::eval::compile::{Compiler, Undefined};
use crate::machine::{BinaryOp, Expr, ExprKind, Fold, Kept, LocalId, Pred, PredKind, UnaryOp};
use num_bigint::BigInt;

impl Compiler<'_> {
    /// Whether an expression has a value whatever the state and the locals are (as far as can be
    /// seen).
    pub fn is_total(&self, e: &Expr) -> bool {
        use BinaryOp::*;
        use UnaryOp::*;
        match &e.kind {
            ExprKind::Integer(_)
            | ExprKind::Real(_)
            | ExprKind::Bool(_)
            | ExprKind::String(_)
            | ExprKind::Element(..)
            | ExprKind::Carrier(_)
            | ExprKind::Basic(_)
            | ExprKind::MaxInt
            | ExprKind::MinInt
            | ExprKind::Constant(_)
            | ExprKind::Empty => true,
            ExprKind::Variable(id) => self.mark(*id).is_none(),
            ExprKind::Local(id) => !self.may_be_unwritten(*id),
            ExprKind::Unary(op, a) => {
                let partial = matches!(
                    op,
                    Inter
                        | Max
                        | Min
                        | MaxReal
                        | MinReal
                        | Size
                        | Reverse
                        | Conc
                        | SeqFirst
                        | SeqLast
                        | Front
                        | Tail
                ) || *op == Card && self.is_infinite(a);
                !partial && self.is_total(a) && !self.may_be_symbolic(a)
            }
            ExprKind::Binary(op, a, b) => {
                let divides = matches!(&b.kind, ExprKind::Integer(n) if *n != BigInt::ZERO);
                let partial = matches!(op, Divide if !divides)
                    || matches!(
                        op,
                        Modulo
                            | Power
                            | DivideReal
                            | PowerReal
                            | Apply
                            | Iterate
                            | Concat
                            | Prepend
                            | Append
                            | Take
                            | Drop
                    );
                // Operators but the pair refuse infinite sets.
                let infinite = self.may_be_symbolic(a) || self.may_be_symbolic(b);
                let refused = *op != BinaryOp::Pair && infinite;
                !partial && !refused && self.is_total(a) && self.is_total(b)
            }
            ExprKind::Symbolic(number, es) => {
                // Where it is built at once, all of it is evaluated.
                let described = &self.machine().symbolic.sets[*number as usize];
                let defined = !matches!(described.kept, Kept::Open | Kept::Vast)
                    || self.is_total(&described.set);
                defined && es.iter().all(|e| self.is_total(e))
            }
            ExprKind::SetExtension(es)
            | ExprKind::Sequence(es)
            | ExprKind::Record(es)
            | ExprKind::Struct(es) => es.iter().all(|e| self.is_total(e)),
            ExprKind::Field(a, _) => self.is_total(a),
            ExprKind::Comprehension(locals, p) => self.has_all_solutions(locals, p),
            ExprKind::Fold(fold, locals, p, of) => {
                !matches!(fold, Fold::Inter | Fold::Greatest | Fold::Least)
                    && self.has_all_solutions(locals, p)
                    && self.is_total(of)
            }
            ExprKind::BoolOf(p) => self.is_total_pred(p),
            ExprKind::If(p, a, b) => self.is_total_pred(p) && self.is_total(a) && self.is_total(b),
            ExprKind::Freetype { .. }
            | ExprKind::Tree(..)
            | ExprKind::Let(..)
            | ExprKind::Destruct(..)
            | ExprKind::Construct(..)
            | ExprKind::External(..) => false,
        }
    }

    /// Whether a predicate has a truth value whatever the state and the locals are.
    pub(in crate::eval) fn is_total_pred(&self, p: &Pred) -> bool {
        match &p.kind {
            PredKind::True | PredKind::False => true,
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(|p| self.is_total_pred(p)),
            PredKind::Not(p) => self.is_total_pred(p),
            PredKind::Implies(p, q) | PredKind::Iff(p, q) => {
                self.is_total_pred(p) && self.is_total_pred(q)
            }
            PredKind::Compare(_, a, b) => {
                let infinite = self.may_be_symbolic(a) || self.may_be_symbolic(b);
                !infinite && self.is_total(a) && self.is_total(b)
            }
            PredKind::Forall(locals, p, q) => {
                self.has_all_solutions(locals, p) && self.is_total_pred(q)
            }
            PredKind::Exists(locals, p) => self.has_all_solutions(locals, p),
            PredKind::If(c, p, q) => [c, p, q].into_iter().all(|p| self.is_total_pred(p)),
            PredKind::Let(..) | PredKind::Finite(_) | PredKind::Partition(..) => false,
        }
    }

    /// Whether the solutions can be listed whatever the state is.
    fn has_all_solutions(&self, locals: &[LocalId], p: &Pred) -> bool {
        let is_finite = || locals.iter().all(|id| self.slot(*id).shape.is_finite());
        let is_bounded = || !self.plan(locals, p, Undefined::Fault).is_unbounded(self);
        self.is_total_pred(p) && (is_finite() || self.counts_on_bounds && is_bounded())
    }
}
