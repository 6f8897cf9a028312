//! The names of lambdas and comprehensions as expressions: tuples of them, what each is of a whole, new ones.

use crate::machine::make;
use crate::machine::{Comparison, Expr, ExprKind, Local, LocalId, Pred, PredKind, Type, UnaryOp};
use std::sync::Arc;

/// Where new names come from.
pub(super) type Fresh<'f> = &'f mut dyn FnMut(Local) -> LocalId;

/// A new name for something like this.
pub(super) fn local(name: &str, like: &Expr, ty: Type, fresh: Fresh<'_>) -> (LocalId, Expr) {
    let id = fresh(Local { name: Arc::from(name), ty: ty.clone(), span: like.span });
    (id, Expr::new(ExprKind::Local(id), ty, like.span))
}

pub(super) fn compare(op: Comparison, a: &Expr, b: &Expr) -> Pred {
    Pred::new(PredKind::Compare(op, a.clone(), b.clone()), b.span)
}

/// The value of each local of a left-nested tuple that is equal to an expression.
pub(super) fn components(locals: &[(LocalId, Type)], whole: Expr) -> Vec<(LocalId, Expr)> {
    let [rest @ .., (last, ty)] = locals else { return Vec::new() };
    if rest.is_empty() {
        return vec![(*last, whole)];
    }
    let side = |op, ty: &Type| {
        Expr::new(ExprKind::Unary(op, Arc::new(whole.clone())), ty.clone(), whole.span)
    };
    let Some((left, _)) = whole.ty.sides() else { return Vec::new() };
    let mut found = components(rest, side(UnaryOp::First, left));
    found.push((*last, side(UnaryOp::Second, ty)));
    found
}

/// The names of a lambda's arguments with their types.
pub(super) fn domain_types(ids: &[LocalId], lambda: &Expr) -> Option<Vec<(LocalId, Type)>> {
    let (mut ty, _) = lambda.ty.relation_sides()?;
    let (first, rest) = ids.split_first()?;
    let mut types = Vec::new();
    for id in rest.iter().rev() {
        let (left, right) = ty.sides()?;
        types.push((*id, right.clone()));
        ty = left;
    }
    types.push((*first, ty.clone()));
    types.reverse();
    Some(types)
}

/// The tuple that a lambda is applied to, of its names.
pub(super) fn tuple(ids: &[LocalId], lambda: &Expr) -> Option<Expr> {
    let types = domain_types(ids, lambda)?.into_iter();
    let names = types.map(|(id, ty)| Expr::new(ExprKind::Local(id), ty, lambda.span));
    names.reduce(|left, name| maplet(&left, &name))
}

pub(super) fn maplet(a: &Expr, b: &Expr) -> Expr {
    make::pair(a.clone(), b.clone())
}

/// The two sides of the pairs of `{x, y | P}`.
pub(super) fn ends(ids: &[LocalId], relation: &Expr) -> Option<(Expr, Expr)> {
    let (last, arguments) = ids.split_last()?;
    let (_, to) = relation.ty.relation_sides()?;
    let value = Expr::new(ExprKind::Local(*last), to.clone(), relation.span);
    Some((tuple(arguments, relation)?, value))
}
