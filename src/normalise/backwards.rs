//! Infinite functions that are used backwards.
//!
//! An infinite lambda is never built, but what is left of it by its values may be finite and found: `f~[A]` is
//! `dom(f |> A)`, `f~(y)` is what the inverse of `f |> {y}` is at `y`, `A <| f~` is `(f |> A)~`, and `(f ; r)` with a
//! finite `r` is `(f |> dom(r) ; r)`. That `x |-> y` is one of its pairs says that `x` is an argument and what `y` is
//! equal to. A relation `{x, y | P}` is restricted, and taken the sides and the inverse of, by what `P` says.

use super::endless::{Values, is_endless};
use super::names::{compare, ends, maplet, tuple};
use crate::machine::make::unary;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, Local, LocalId, Pred, PredKind, Type, UnaryOp,
    rewrite,
};
use std::sync::Arc;

fn endless(e: &Expr) -> bool {
    is_endless(e, &Values::new())
}

fn is_endless_lambda(f: &Expr) -> bool {
    matches!(f.kind, ExprKind::Fold(Fold::Lambda, ..)) && endless(f)
}

/// A set of pairs, told by the names of both sides.
fn is_endless_relation(r: &Expr) -> bool {
    matches!(&r.kind, ExprKind::Comprehension(ids, _) if ids.len() > 1) && endless(r)
}

/// `%x.(P|E) |> S` with a finite `S`: `{x . P & E : S | x |-> E}`, and `{x, y | P & y : S}`.
pub fn restricted(lambda: &Expr, set: &Expr) -> Option<Expr> {
    if let ExprKind::Comprehension(ids, p) = &lambda.kind {
        let (_, value) = ends(ids, lambda)?;
        let parts = vec![(**p).clone(), compare(Comparison::Member, &value, set)];
        let inside = Arc::new(Pred::and(parts, set.span));
        let kind = ExprKind::Comprehension(ids.clone(), inside);
        return Some(Expr::new(kind, lambda.ty.clone(), lambda.span));
    }
    let ExprKind::Fold(Fold::Lambda, ids, p, body) = &lambda.kind else { return None };
    let inside = Pred::and(vec![(**p).clone(), compare(Comparison::Member, body, set)], set.span);
    let value = maplet(&tuple(ids, lambda)?, body);
    let kind = ExprKind::Fold(Fold::Image, ids.clone(), Arc::new(inside), Arc::new(value));
    Some(Expr::new(kind, lambda.ty.clone(), lambda.span))
}

/// The infinite function or relation that a relation is the inverse of.
fn inverted(r: &Expr) -> Option<&Expr> {
    match &r.kind {
        ExprKind::Unary(UnaryOp::Inverse, f) if is_endless_lambda(f) || is_endless_relation(f) => {
            Some(f)
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, a: Expr, b: Expr) -> ExprKind {
    ExprKind::Binary(op, Arc::new(a), Arc::new(b))
}

/// What is left of an infinite relation by its arguments (`A <| r`, `A <<| r`) or its values.
pub(super) fn left(op: BinaryOp, a: &Expr, b: &Expr) -> Option<ExprKind> {
    use BinaryOp::{DomainRestrict, DomainSubtract, RangeRestrict, RangeSubtract};
    let (r, set) = match op {
        DomainRestrict | DomainSubtract => (b, a),
        RangeRestrict | RangeSubtract => (a, b),
        _ => return None,
    };
    if !is_endless_relation(r) || endless(set) {
        return None;
    }
    let ExprKind::Comprehension(ids, p) = &r.kind else { return None };
    let (arguments, value) = ends(ids, r)?;
    let x = if matches!(op, DomainRestrict | DomainSubtract) { arguments } else { value };
    let holds = match op {
        DomainRestrict | RangeRestrict => Comparison::Member,
        _ => Comparison::NotMember,
    };
    let inside = Pred::new(PredKind::Compare(holds, x, set.clone()), set.span);
    let all = Pred::and(vec![(**p).clone(), inside], r.span);
    Some(ExprKind::Comprehension(ids.clone(), Arc::new(all)))
}

/// The arguments or the values of an infinite relation, where these are bounded for themselves.
pub(super) fn side(op: UnaryOp, r: &Expr, ty: &Type) -> Option<ExprKind> {
    if !is_endless_relation(r) {
        return None;
    }
    let ExprKind::Comprehension(ids, p) = &r.kind else { return None };
    let (last, rest) = ids.split_last()?;
    let (of, others) = if op == UnaryOp::Dom {
        (rest.to_vec(), vec![*last])
    } else {
        (vec![*last], rest.to_vec())
    };
    let some = Pred::new(PredKind::Exists(others, p.clone()), p.span);
    let side = Expr::new(ExprKind::Comprehension(of, Arc::new(some)), ty.clone(), r.span);
    // What bounds both together is seen in the pairs only.
    if endless(&side) { None } else { Some(side.kind) }
}

/// `{x, y | P}~` is `{y, x | P}`.
pub(super) fn turned(r: &Expr) -> Option<ExprKind> {
    match &r.kind {
        ExprKind::Comprehension(ids, p) if ids.len() == 2 && is_endless_relation(r) => {
            Some(ExprKind::Comprehension(vec![ids[1], ids[0]], p.clone()))
        }
        _ => None,
    }
}

/// An operator on the inverse of an infinite function and a finite set or a point.
pub(super) fn used(op: BinaryOp, a: &Expr, b: &Expr) -> Option<ExprKind> {
    use BinaryOp::{Apply, DomainRestrict, Image, RangeRestrict};
    match op {
        Image if !endless(b) => {
            let left = restricted(inverted(a)?, b)?;
            Some(ExprKind::Unary(UnaryOp::Dom, Arc::new(left)))
        }
        Apply => {
            let f = inverted(a)?;
            let point = ExprKind::SetExtension(vec![b.clone()]);
            let point = Expr::new(point, Type::pow(b.ty.clone()), b.span);
            let left = unary(UnaryOp::Inverse, restricted(f, &point)?, a.ty.clone());
            Some(binary(Apply, Expr { span: a.span, ..left }, b.clone()))
        }
        DomainRestrict if !endless(a) => {
            Some(ExprKind::Unary(UnaryOp::Inverse, Arc::new(restricted(inverted(b)?, a)?)))
        }
        RangeRestrict if !endless(b) => {
            let f = inverted(a)?;
            let left =
                Expr::new(binary(DomainRestrict, b.clone(), f.clone()), f.ty.clone(), f.span);
            Some(ExprKind::Unary(UnaryOp::Inverse, Arc::new(left)))
        }
        _ => None,
    }
}

/// `(a ; b)`, where one of the two is an infinite function or the inverse of one and the other is not infinite: with
/// what the other leaves of it.
pub fn composed(a: &Expr, b: &Expr) -> Option<(Expr, Expr)> {
    let domain = |r: &Expr| {
        let (from, _) = r.ty.relation_sides()?;
        Some(unary(UnaryOp::Dom, r.clone(), Type::pow(from.clone())))
    };
    if is_endless_lambda(a) || is_endless_relation(a) {
        return if endless(b) { None } else { Some((restricted(a, &domain(b)?)?, b.clone())) };
    }
    if let Some(f) = inverted(a) {
        if endless(b) || inverted(b).is_some() {
            return None;
        }
        let left = binary(BinaryOp::DomainRestrict, domain(b)?, f.clone());
        let left = Expr::new(left, f.ty.clone(), f.span);
        return Some((unary(UnaryOp::Inverse, left, a.ty.clone()), b.clone()));
    }
    let f = inverted(b)?;
    if endless(a) {
        return None;
    }
    let (_, to) = a.ty.relation_sides()?;
    let range = unary(UnaryOp::Ran, a.clone(), Type::pow(to.clone()));
    Some((a.clone(), unary(UnaryOp::Inverse, restricted(f, &range)?, b.ty.clone())))
}

/// `x |-> y : %x.(P|E)`: `P & y = E`. The arguments are names and numbers, which may be repeated.
pub(super) fn point(p: &mut Pred) {
    let PredKind::Compare(Comparison::Member, pair, set) = &p.kind else { return };
    let ExprKind::Binary(BinaryOp::Pair, x, y) = &pair.kind else { return };
    let (x, y, f) = match inverted(set) {
        Some(f) => (y, x, f),
        None if is_endless_lambda(set) => (x, y, set),
        None => return,
    };
    let ExprKind::Fold(_, ids, inside, body) = &f.kind else { return };
    let Some(values) = arguments(ids, x) else { return };
    let put = |kind: &ExprKind| match kind {
        ExprKind::Local(id) => {
            values.iter().find(|(known, _)| known == id).map(|(_, e)| e.kind.clone())
        }
        _ => None,
    };
    let value = rewrite::expr(body, &put);
    let equal = PredKind::Compare(Comparison::Equal, (**y).clone(), value);
    let parts = vec![rewrite::pred(inside, &put), Pred::new(equal, p.span)];
    p.kind = Pred::and(parts, p.span).kind;
}

/// `x |-> z : (r ; s)` of infinite relations that are told by what they say: `#y.(x |-> y : r & y |-> z : s)`.
pub(super) fn between(p: &mut Pred, fresh: &dyn Fn(Local) -> LocalId) {
    let PredKind::Compare(op @ (Comparison::Member | Comparison::NotMember), pair, set) = &p.kind
    else {
        return;
    };
    let (ExprKind::Binary(BinaryOp::Pair, x, z), ExprKind::Binary(BinaryOp::Compose, r, s)) =
        (&pair.kind, &set.kind)
    else {
        return;
    };
    let is_told = |r: &Expr| is_endless_relation(r) || is_endless_lambda(r);
    if !is_told(r) || !is_told(s) || !(is_endless_relation(r) || is_endless_relation(s)) {
        return;
    }
    let Some((_, middle)) = r.ty.relation_sides() else { return };
    let local = Local { name: "y".into(), ty: middle.clone(), span: set.span };
    let id = fresh(local);
    let y = Expr::new(ExprKind::Local(id), middle.clone(), set.span);
    let step = |from: &Expr, to: &Expr, r: &Expr| {
        if let Some(said) = said_of(r, from, to) {
            return said;
        }
        let ty = Type::pair(from.ty.clone(), to.ty.clone());
        let pair = Expr::new(binary(BinaryOp::Pair, from.clone(), to.clone()), ty, pair.span);
        let mut step = Pred::new(PredKind::Compare(Comparison::Member, pair, r.clone()), p.span);
        point(&mut step);
        step
    };
    let both = Pred::and(vec![step(x, &y, r), step(&y, z, s)], p.span);
    let some = PredKind::Exists(vec![id], Arc::new(both));
    p.kind = match op {
        Comparison::Member => some,
        _ => PredKind::Not(Arc::new(Pred::new(some, p.span))),
    };
}

/// What `{x, y | P}` says of a pair of names and numbers.
fn said_of(r: &Expr, from: &Expr, to: &Expr) -> Option<Pred> {
    let ExprKind::Comprehension(ids, p) = &r.kind else { return None };
    let (last, rest) = ids.split_last()?;
    let mut values = arguments(rest, from)?;
    values.extend(arguments(&[*last], to)?);
    let put = |kind: &ExprKind| match kind {
        ExprKind::Local(id) => {
            values.iter().find(|(known, _)| known == id).map(|(_, e)| e.kind.clone())
        }
        _ => None,
    };
    Some(rewrite::pred(p, &put))
}

/// What the names of a lambda stand for where it is applied to a tuple.
fn arguments(ids: &[LocalId], tuple: &Expr) -> Option<Vec<(LocalId, Expr)>> {
    let (last, rest) = ids.split_last()?;
    let (mut found, x) = match &tuple.kind {
        _ if rest.is_empty() => (Vec::new(), tuple),
        ExprKind::Binary(BinaryOp::Pair, left, right) => (arguments(rest, left)?, &**right),
        _ => return None,
    };
    let is_plain = matches!(
        x.kind,
        ExprKind::Local(_)
            | ExprKind::Variable(_)
            | ExprKind::Constant(_)
            | ExprKind::Integer(_)
            | ExprKind::String(_)
            | ExprKind::Bool(_)
            | ExprKind::Element(..)
    );
    found.push((*last, x.clone()));
    is_plain.then_some(found)
}
