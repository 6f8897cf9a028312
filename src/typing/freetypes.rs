//! Free types: their constructors are functions, and the inverses of these take values apart.

use crate::machine::visit::Visitor;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, FreeId, Machine, Pred, PredKind, Type, UnaryOp,
};
use crate::source::Span;
use crate::typing::context::Elaborator;
use std::sync::Arc;

impl Elaborator<'_> {
    /// A constructor: a value, or the function `%a.(a : S | c(a))` on the set of its arguments.
    pub fn constructor(&mut self, id: FreeId, number: u32, span: Span) -> Expr {
        let free = Type::Free(id);
        let declared = &self.freetypes[id.0 as usize].constructors[number as usize];
        let Some(ty) = declared.1.clone() else {
            return self.node_expr(ExprKind::Construct(id, number, None), free, span);
        };
        let local = self.new_local(Arc::from("argument"), ty.clone(), self.at(span));
        let argument = self.node_expr(ExprKind::Local(local), ty.clone(), span);
        let inside = match self.constructor_sets.get(&(id, number)).cloned() {
            Some(set) => PredKind::Compare(Comparison::Member, argument.clone(), set),
            None => PredKind::True,
        };
        let inside = Pred::new(inside, self.at(span));
        let made = ExprKind::Construct(id, number, Some(Box::new(argument)));
        let made = self.node_expr(made, free.clone(), span);
        let kind = ExprKind::Fold(Fold::Lambda, vec![local], Box::new(inside), Box::new(made));
        self.node_expr(kind, Type::relation(ty, free), span)
    }
}

/// The constructor that an expression is, as a function.
fn as_constructor(e: &Expr) -> Option<(FreeId, u32)> {
    let ExprKind::Fold(Fold::Lambda, _, _, body) = &e.kind else { return None };
    match &body.kind {
        ExprKind::Construct(id, number, Some(_)) => Some((*id, *number)),
        _ => None,
    }
}

/// The constructor whose inverse an expression is.
fn as_destructor(e: &Expr) -> Option<(FreeId, u32)> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Inverse, c) => as_constructor(c),
        _ => None,
    }
}

/// `c~(x)` takes `x` apart; `ran(c)` and `dom(c~)` are the values that `c` makes.
fn recognise(e: &mut Expr) {
    let new = match &mut e.kind {
        ExprKind::Binary(BinaryOp::Apply, f, x) => as_destructor(f).map(|(id, number)| {
            let nothing = Expr::new(ExprKind::Empty, x.ty.clone(), x.span);
            ExprKind::Destruct(id, number, Box::new(std::mem::replace(&mut **x, nothing)))
        }),
        ExprKind::Unary(UnaryOp::Ran, c) => {
            as_constructor(c).map(|(id, number)| ExprKind::Freetype(id, Some(number)))
        }
        ExprKind::Unary(UnaryOp::Dom, c) => {
            as_destructor(c).map(|(id, number)| ExprKind::Freetype(id, Some(number)))
        }
        _ => None,
    };
    if let Some(kind) = new {
        e.kind = kind;
    }
}

/// Marks where values of free types are taken apart.
pub fn destructors(machine: &mut Machine) {
    if !machine.freetypes.is_empty() {
        Visitor::of(&mut recognise).machine(machine);
    }
}

/// The same in one formula.
pub fn destructors_in(pred: &mut Pred) {
    Visitor::of(&mut recognise).pred(pred);
}
