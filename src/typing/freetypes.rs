//! Free types: their constructors are functions.

use crate::diagnostic::Diagnostic;
use crate::machine::{Comparison, Expr, ExprKind, Fold, FreeId, Pred, PredKind, Type};
use crate::source::Span;
use crate::typing::context::Elaborator;
use std::sync::Arc;

impl Elaborator<'_> {
    /// A constructor: a value, or the function `%a.(a : S | c(a))` on the set of its arguments.
    pub fn constructor(&mut self, id: FreeId, number: u32, span: Span) -> Expr {
        let free = Type::Free(id);
        let declared = &self.freetypes[id.0 as usize].constructors[number as usize];
        let Some(ty) = declared.argument.clone() else {
            return self.node_expr(ExprKind::Construct(id, number, None), free, span);
        };
        let Some(set) = declared.from.clone() else {
            let message =
                format!("`{}` is used before the set of its arguments is known", declared.name);
            let diagnostic = Diagnostic::error("free-type", self.at(span), message)
                .hint("declare its free type before the one that mentions it");
            self.report_within(diagnostic, span);
            return self.refused(span);
        };
        let local = self.new_local(Arc::from("argument"), ty.clone(), self.at(span));
        let argument = self.node_expr(ExprKind::Local(local), ty.clone(), span);
        let inside = PredKind::Compare(Comparison::Member, argument.clone(), set);
        let inside = Pred::new(inside, self.at(span));
        let made = ExprKind::Construct(id, number, Some(Arc::new(argument)));
        let made = self.node_expr(made, free.clone(), span);
        let kind = ExprKind::Fold(Fold::Lambda, vec![local], Arc::new(inside), Arc::new(made));
        self.node_expr(kind, Type::relation(ty, free), span)
    }
}
