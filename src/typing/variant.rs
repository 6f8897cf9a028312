//! What a variant claims: whether it is a number or a set is known here.

use crate::eventb::claims::{BOUNDED, FALLS};
use crate::machine::{Comparison, Expr, ExprKind, Pred, PredKind, Type};
use crate::source::Span;
use crate::syntax::ast::{Name, Node};
use crate::typing::context::Elaborator;

impl<'a> Elaborator<'a> {
    /// A variant before and after an event: that it is a natural number or a finite set; that it
    /// decreases; that it does not increase.
    pub fn variant(&mut self, claim: &Name, before: &'a Node, after: &'a Node, span: Span) -> Pred {
        let mut before = self.expr(before);
        let after = self.expr_of(after, &before.ty);
        if self.infer.head(&before.ty).is_none() {
            // Whether `-` subtracts numbers is known once its operands are.
            self.infer.solve(false);
        }
        let is_set = matches!(self.infer.head(&before.ty), Some(Type::Pow(_)));
        if !is_set {
            let since = self.diagnostics.len();
            self.check(&mut before, &Type::Integer, span);
            self.advise(since, "a variant is an integer or a set");
        }
        let (strict, weak) = match is_set {
            true => (Comparison::StrictSubset, Comparison::Subset),
            false => (Comparison::Less, Comparison::LessEqual),
        };
        let compared = |op| PredKind::Compare(op, after, before.clone());
        let kind = match &**claim {
            BOUNDED if is_set => PredKind::Finite(before),
            BOUNDED => {
                let zero = Expr::new(ExprKind::Integer(0.into()), Type::Integer, span);
                PredKind::Compare(Comparison::GreaterEqual, before, zero)
            }
            FALLS => compared(strict),
            _ => compared(weak),
        };
        self.node_pred(kind, span)
    }
}
