//! Locals within what is composed of them: `{x, y} : K`, `[x, y] : K`, `k |-> {x, y} : r`, `{x |-> y} <: r`, `{5, 7} = t \/ {x}`.
//!
//! What a composition is in says where its parts are found: the members of a member of `K` in `union(K)`, the items of a
//! sequence in what the sequences of `K` have. So the parts have an end, and the conjunct itself says which go together.

use super::{is, mentions};
use crate::machine::make::unary;
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use std::sync::Arc;

/// What is known of a composition.
pub(super) enum Known {
    /// It is a member of this set.
    Within(Expr),
    /// It is this.
    Equal(Expr),
    /// Whatever is a member of it is one of this set.
    Below(Expr),
}

/// What is looked for in a composition.
pub(super) type Target<'t> = &'t dyn Fn(&Expr) -> bool;

/// A set that a local is a member of, as a conjunct says of what it is a part of.
pub(super) fn member_of(local: LocalId, p: &Pred) -> Option<Expr> {
    // A local by itself, or in a tuple, is found by what says so of it.
    let mut composed = sides(p, local).into_iter().filter(|(e, _)| !is_in_tuple(local, e));
    composed.find_map(|(e, known)| found_in(&|e| is(local, e), e, known))
}

fn is_in_tuple(local: LocalId, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Pair, a, b) => is_in_tuple(local, a) || is_in_tuple(local, b),
        _ => is(local, e),
    }
}

/// A set that an expression is a member of, say a result of the function that a local is, as a conjunct says that does not
/// mention the local otherwise.
pub(super) fn told_of(target: Target<'_>, local: LocalId, p: &Pred) -> Option<Expr> {
    match &p.kind {
        PredKind::And(parts) => parts.iter().find_map(|p| told_of(target, local, p)),
        PredKind::Or(parts) => {
            let sets = parts.iter().map(|p| told_of(target, local, p));
            union_of(sets.collect::<Option<Vec<Expr>>>()?)
        }
        _ => sides(p, local).into_iter().find_map(|(e, known)| found_in(target, e, known)),
    }
}

/// The union of sets of one type, if there are any.
pub(super) fn union_of(sets: Vec<Expr>) -> Option<Expr> {
    let mut sets = sets;
    sets.dedup_by(|a, b| same(a, b));
    sets.into_iter().reduce(|a, b| {
        let (ty, span) = (a.ty.clone(), a.span);
        Expr::new(ExprKind::Binary(BinaryOp::Union, Arc::new(a), Arc::new(b)), ty, span)
    })
}

/// The sides of a comparison that mention a local, and what it says of them by sets that do not.
pub(super) fn sides(p: &Pred, local: LocalId) -> Vec<(&Expr, Known)> {
    let PredKind::Compare(op, a, b) = &p.kind else { return Vec::new() };
    let known: fn(Expr) -> Known = match op {
        Comparison::Member => Known::Within,
        Comparison::Subset | Comparison::StrictSubset => Known::Below,
        Comparison::Equal => Known::Equal,
        _ => return Vec::new(),
    };
    let both = if *op == Comparison::Equal { &[(a, b), (b, a)][..] } else { &[(a, b)] };
    let asked = both.iter().filter(|(e, set)| mentions(local, e) && !mentions(local, set));
    asked.map(|(e, set)| (*e, known((*set).clone()))).collect()
}

/// Where the target, as a part of an expression, is found.
pub(super) fn found_in(target: Target<'_>, e: &Expr, known: Known) -> Option<Expr> {
    if target(e) {
        return match known {
            Known::Within(set) => Some(set),
            Known::Equal(value) => {
                let (ty, span) = (Type::pow(e.ty.clone()), value.span);
                Some(Expr::new(ExprKind::SetExtension(vec![value]), ty, span))
            }
            // A set is one of the parts of another one.
            Known::Below(set) => {
                let (ty, span) = (Type::pow(e.ty.clone()), set.span);
                Some(Expr::new(ExprKind::Unary(UnaryOp::Pow, Arc::new(set)), ty, span))
            }
        };
    }
    match &e.kind {
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            let Known::Within(set) = known else { return None };
            let side = |op, part: &Expr| {
                let ty = Type::pow(part.ty.clone());
                let of = match (&set.kind, op) {
                    (ExprKind::Binary(BinaryOp::Product, a, _), UnaryOp::Dom) => (**a).clone(),
                    (ExprKind::Binary(BinaryOp::Product, _, b), _) => (**b).clone(),
                    _ if is_at_hand(&set) => unary(op, set.clone(), ty),
                    _ => return None,
                };
                found_in(target, part, Known::Within(of))
            };
            side(UnaryOp::Dom, a).or_else(|| side(UnaryOp::Ran, b))
        }
        ExprKind::SetExtension(items) => {
            let of = members(known, &e.ty)?;
            items.iter().find_map(|item| found_in(target, item, Known::Within(of.clone())))
        }
        ExprKind::Sequence(items) => {
            let of = items_of(known, &e.ty)?;
            items.iter().find_map(|item| found_in(target, item, Known::Within(of.clone())))
        }
        ExprKind::Binary(BinaryOp::Union, a, b) => {
            let of = members(known, &e.ty)?;
            let part = |part| found_in(target, part, Known::Below(of.clone()));
            part(a).or_else(|| part(b))
        }
        ExprKind::Unary(op @ (UnaryOp::Dom | UnaryOp::Ran | UnaryOp::Inverse), relation) => {
            let of = members(known, &e.ty)?;
            let ExprKind::SetExtension(pairs) = &relation.kind else { return None };
            pairs.iter().find_map(|pair| {
                let ExprKind::Binary(BinaryOp::Pair, a, b) = &pair.kind else { return None };
                let side = |part, of: Expr| found_in(target, part, Known::Within(of));
                let opposite = |op, part: &Expr| unary(op, of.clone(), Type::pow(part.ty.clone()));
                match op {
                    UnaryOp::Dom => side(a, of.clone()),
                    UnaryOp::Ran => side(b, of.clone()),
                    _ => side(a, opposite(UnaryOp::Ran, a))
                        .or_else(|| side(b, opposite(UnaryOp::Dom, b))),
                }
            })
        }
        // Each of the sets is a part of their union.
        ExprKind::Unary(UnaryOp::Union, sets) => {
            let ExprKind::SetExtension(items) = &sets.kind else { return None };
            let of = members(known, &e.ty)?;
            items.iter().find_map(|item| found_in(target, item, Known::Below(of.clone())))
        }
        ExprKind::Unary(UnaryOp::Reverse, of) => in_sequence(target, of, items_of(known, &e.ty)?),
        ExprKind::Binary(BinaryOp::Concat | BinaryOp::Prepend | BinaryOp::Append, ..) => {
            in_sequence(target, e, items_of(known, &e.ty)?)
        }
        _ => None,
    }
}

/// The same within a sequence all items of which are in a set.
fn in_sequence(target: Target<'_>, e: &Expr, items: Expr) -> Option<Expr> {
    let item = |e| found_in(target, e, Known::Within(items.clone()));
    let part = |e| in_sequence(target, e, items.clone());
    match &e.kind {
        ExprKind::Sequence(list) => list.iter().find_map(item),
        ExprKind::Unary(UnaryOp::Reverse, of) => part(of),
        ExprKind::Binary(BinaryOp::Concat, a, b) => part(a).or_else(|| part(b)),
        ExprKind::Binary(BinaryOp::Prepend, x, s) => item(x).or_else(|| part(s)),
        ExprKind::Binary(BinaryOp::Append, s, x) => part(s).or_else(|| item(x)),
        _ => None,
    }
}

/// A set that has all members of a set of this type.
fn members(known: Known, ty: &Type) -> Option<Expr> {
    use UnaryOp::{Fin, Fin1, Pow, Pow1, Union};
    match known {
        Known::Within(sets) => match sets.kind {
            ExprKind::Unary(Pow | Pow1 | Fin | Fin1, of) => Some(Arc::unwrap_or_clone(of)),
            _ => is_at_hand(&sets).then(|| unary(Union, sets, ty.clone())),
        },
        Known::Equal(set) | Known::Below(set) => Some(set),
    }
}

/// A set that has all items of a sequence of this type.
fn items_of(known: Known, ty: &Type) -> Option<Expr> {
    use UnaryOp::{Iseq, Iseq1, Perm, Ran, Seq, Seq1};
    let Type::Pair(sides) = ty.element()? else { return None };
    let items = Type::pow(sides.1.clone());
    match known {
        Known::Within(Expr {
            kind: ExprKind::Unary(Seq | Seq1 | Iseq | Iseq1 | Perm, of), ..
        }) => Some(Arc::unwrap_or_clone(of)),
        Known::Within(Expr { kind: ExprKind::Binary(op, _, to), .. }) if op.is_arrow() => {
            Some(Arc::unwrap_or_clone(to))
        }
        known => Some(unary(Ran, members(known, ty)?, items)),
    }
}

/// Whether the value of a set is there or quickly made: what is told by its form may have any number of members.
fn is_at_hand(set: &Expr) -> bool {
    use BinaryOp::{Apply, Difference, Image, Intersection, Union};
    match &set.kind {
        ExprKind::Local(_)
        | ExprKind::Constant(_)
        | ExprKind::Variable(_)
        | ExprKind::SetExtension(_)
        | ExprKind::Sequence(_) => true,
        ExprKind::Unary(UnaryOp::Union | UnaryOp::Dom | UnaryOp::Ran | UnaryOp::Inverse, of) => {
            is_at_hand(of)
        }
        ExprKind::Binary(Apply | Difference | Image | Intersection, of, _) => is_at_hand(of),
        ExprKind::Binary(Union, a, b) => is_at_hand(a) && is_at_hand(b),
        _ => false,
    }
}
