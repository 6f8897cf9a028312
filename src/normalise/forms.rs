//! Simpler forms of set expressions whose parts may be infinite.
//!
//! `id(S)`, `prj1(S, T)` and the inverse of `succ` become lambdas where they are infinite, and so do
//! compositions with a lambda, and `S * {e}` where it is applied: what can be done with a lambda (application, image, membership) can be done
//! with all of them. The domain of a product, the inverse of an identity and the like lose the operator.

use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Fold, Local, LocalId, Machine, Pred, PredKind,
    Type, UnaryOp, rewrite,
};
use crate::normalise::endless::{Values, is_endless, is_whole};
use crate::normalise::names::{Fresh, compare, components, domain_types, ends, local, maplet};
use crate::normalise::outline::domain;
use crate::normalise::results::results;
use crate::normalise::{backwards, products};
use crate::source::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// Simplifies everywhere in a machine.
pub fn simplify(machine: &mut Machine) {
    let mut locals = std::mem::take(&mut machine.locals);
    Visitor::of(&mut |e| simple(e, &mut |local| push(&mut locals, 0, local))).machine(machine);
    machine.locals = locals;
}

/// Simplifies a formula typed against a machine with `first` locals, which `walk` goes through; new ones are
/// appended to `locals`, which continue the machine's.
pub fn simplify_formula(
    first: usize,
    locals: &mut Vec<Local>,
    walk: &mut dyn FnMut(&mut Visitor<'_>),
) {
    walk(&mut Visitor::of(&mut |e| simple(e, &mut |local| push(locals, first, local))));
}

fn push(locals: &mut Vec<Local>, first: usize, local: Local) -> LocalId {
    locals.push(local);
    LocalId((first + locals.len() - 1) as u32)
}

fn endless(e: &Expr) -> bool {
    is_endless(e, &Values::new())
}

/// All values of a type as a set expression.
pub fn whole(ty: &Type, span: Span) -> Expr {
    let part = |ty: &Type| Arc::new(whole(ty, span));
    let kind = match ty {
        Type::Integer => ExprKind::Basic(BasicSet::Integer),
        Type::Real => ExprKind::Basic(BasicSet::Real),
        Type::Bool => ExprKind::Basic(BasicSet::Bool),
        Type::String => ExprKind::Basic(BasicSet::String),
        Type::Set(id) => ExprKind::Carrier(*id),
        // Whether it is infinite the type alone does not tell.
        Type::Free(id) => ExprKind::Freetype { of: *id, made: None, endless: true },
        Type::Pow(of) => ExprKind::Unary(UnaryOp::Pow, part(of)),
        Type::Pair(p) => ExprKind::Binary(BinaryOp::Product, part(&p.0), part(&p.1)),
        Type::Record(fields) => {
            ExprKind::Struct(fields.iter().map(|(_, ty)| whole(ty, span)).collect())
        }
    };
    Expr::new(kind, Type::pow(ty.clone()), span)
}

/// The identity of all elements of the type of a relation on it.
fn identity_of_type(r: &Expr, fresh: Fresh<'_>) -> Option<Expr> {
    let Type::Pair(sides) = r.ty.element()? else { return None };
    let all = whole(&sides.0, r.span);
    let kind = if endless(&all) {
        identity(&all, fresh)?
    } else {
        ExprKind::Unary(UnaryOp::Id, Arc::new(all))
    };
    Some(Expr::new(kind, r.ty.clone(), r.span))
}

/// The `r` of `r \/ %x.(x : T|x)` with a whole infinite type `T`.
fn on_whole_type(e: &Expr) -> Option<&Expr> {
    let ExprKind::Binary(BinaryOp::Union, r, id) = &e.kind else { return None };
    let ExprKind::Fold(Fold::Lambda, ids, p, body) = &id.kind else { return None };
    let ([id], ExprKind::Local(x)) = (&ids[..], &body.kind) else { return None };
    let whole = domain(ids, p).is_some_and(|all| is_whole(&all) && endless(&all));
    (id == x && whole).then_some(r)
}

/// `(r \/ id)[x]` is `r[x] \/ x`, and `(r \/ id)(x)` is `(r \/ {x |-> x})(x)`.
fn with_identity(op: BinaryOp, (f, r): (&Expr, &Expr), x: &Expr, e: &Expr) -> Option<ExprKind> {
    let binary =
        |op, a: &Expr, b: &Expr| ExprKind::Binary(op, Arc::new(a.clone()), Arc::new(b.clone()));
    if op == BinaryOp::Image {
        let image = Expr::new(binary(op, r, x), e.ty.clone(), e.span);
        return Some(binary(BinaryOp::Union, &image, x));
    }
    let pair = Expr::new(binary(BinaryOp::Pair, x, x), f.ty.element()?.clone(), x.span);
    let own = Expr::new(ExprKind::SetExtension(vec![pair]), f.ty.clone(), x.span);
    let union = Expr::new(binary(BinaryOp::Union, r, &own), f.ty.clone(), f.span);
    Some(binary(op, &union, x))
}

fn simple(e: &mut Expr, fresh: Fresh<'_>) {
    use ExprKind::{Binary, Unary};
    let new = match &e.kind {
        // Until now it was told from `{}`.
        ExprKind::Sequence(items) if items.is_empty() => Some(ExprKind::Empty),
        ExprKind::Comprehension(ids, p) if ids.len() > 1 && endless(e) => as_lambda(ids, p, e),
        Unary(UnaryOp::Id, s) if endless(s) => identity(s, fresh),
        Unary(UnaryOp::Closure, r) => identity_of_type(r, fresh).map(|id| {
            let kind = Unary(UnaryOp::Closure1, r.clone());
            let transitive = Expr::new(kind, r.ty.clone(), r.span);
            Binary(BinaryOp::Union, Arc::new(transitive), Arc::new(id))
        }),
        Binary(BinaryOp::Iterate, r, n) if n.kind == ExprKind::Integer(BigInt::from(0)) => {
            identity_of_type(r, fresh).map(|id| id.kind)
        }
        // A product is applied as the function that it is.
        Binary(op @ (BinaryOp::Image | BinaryOp::Apply | BinaryOp::Override), f, x)
            if is_product(f) =>
        {
            constant(f, fresh).map(|f| Binary(*op, Arc::new(f), x.clone()))
        }
        // With the identity of an infinite type only the elements at hand matter.
        Binary(op @ (BinaryOp::Image | BinaryOp::Apply), f, x) if on_whole_type(f).is_some() => {
            on_whole_type(f).and_then(|r| with_identity(*op, (f, r), x, e))
        }
        Binary(op, a, b) if let Some(new) = backwards::used(*op, a, b) => Some(new),
        Binary(op, a, b) if let Some(new) = backwards::left(*op, a, b) => Some(new),
        Unary(UnaryOp::Inverse, r) if let Some(new) = backwards::turned(r) => Some(new),
        Unary(UnaryOp::Seq, s) if s.kind == ExprKind::Empty => {
            let empty = element_type(e).map(|ty| Expr::new(ExprKind::Empty, ty, e.span));
            empty.map(|empty| ExprKind::SetExtension(vec![empty]))
        }
        Unary(UnaryOp::Seq1, s) if s.kind == ExprKind::Empty => Some(ExprKind::Empty),
        Binary(BinaryOp::DomainRestrict, s, f)
            if !endless(s)
                && let Some(r) = on_whole_type(f) =>
        {
            let own = Expr::new(Unary(UnaryOp::Id, s.clone()), e.ty.clone(), s.span);
            let kind = Binary(BinaryOp::DomainRestrict, s.clone(), Arc::new(r.clone()));
            let restricted = Expr::new(kind, e.ty.clone(), e.span);
            Some(Binary(BinaryOp::Union, Arc::new(restricted), Arc::new(own)))
        }
        Unary(UnaryOp::Inverse, f) if let Some(r) = on_whole_type(f) => {
            let mut back =
                Expr::new(Unary(UnaryOp::Inverse, Arc::new(r.clone())), e.ty.clone(), e.span);
            simple(&mut back, fresh);
            identity_of_type(r, fresh)
                .map(|id| Binary(BinaryOp::Union, Arc::new(back), Arc::new(id)))
        }
        // Closures themselves are large.
        Unary(UnaryOp::Inverse, c) if let Unary(UnaryOp::Closure1, r) = &c.kind => {
            let mut back = Expr::new(Unary(UnaryOp::Inverse, r.clone()), c.ty.clone(), e.span);
            simple(&mut back, fresh);
            Some(Unary(UnaryOp::Closure1, Arc::new(back)))
        }
        Unary(UnaryOp::Inverse, r) => inverse(r),
        Unary(op @ (UnaryOp::Dom | UnaryOp::Ran), r) => match &r.kind {
            Unary(UnaryOp::Closure1, r) => {
                let mut of = Expr::new(Unary(*op, r.clone()), e.ty.clone(), e.span);
                simple(&mut of, fresh);
                Some(of.kind)
            }
            Unary(UnaryOp::Id, s) => Some(s.kind.clone()),
            Unary(UnaryOp::Inverse, f) if endless(f) => {
                let side = if *op == UnaryOp::Dom { UnaryOp::Ran } else { UnaryOp::Dom };
                let mut of = Expr::new(Unary(side, f.clone()), e.ty.clone(), e.span);
                simple(&mut of, fresh);
                Some(of.kind)
            }
            ExprKind::Fold(Fold::Lambda, ids, p, _) if *op == UnaryOp::Dom && endless(r) => {
                Some(match domain(ids, p) {
                    Some(set) => set.kind,
                    None => ExprKind::Comprehension(ids.clone(), p.clone()),
                })
            }
            ExprKind::Fold(Fold::Lambda, ids, p, body) => match identity_on(r) {
                Some(set) => Some(set.kind),
                None if endless(r) => Some(products::values_of(ids, (p, body), fresh)),
                None => None,
            },
            ExprKind::Comprehension(..) => backwards::side(*op, r, &e.ty),
            Binary(BinaryOp::Product, a, b) => {
                let (side, other) = if *op == UnaryOp::Dom { (a, b) } else { (b, a) };
                Some(unless_empty(other, side))
            }
            _ => None,
        },
        Binary(op @ (BinaryOp::Projection1 | BinaryOp::Projection2), a, b)
            if endless(a) || endless(b) =>
        {
            projection(*op, a, b, fresh)
        }
        Binary(BinaryOp::Compose, f, g) if let (Some(s), false) = (identity_on(g), endless(f)) => {
            Some(Binary(BinaryOp::RangeRestrict, f.clone(), Arc::new(s)))
        }
        Binary(BinaryOp::Compose, f, g) if let (Some(s), false) = (identity_on(f), endless(g)) => {
            Some(Binary(BinaryOp::DomainRestrict, Arc::new(s), g.clone()))
        }
        Binary(BinaryOp::Compose, f, g) if endless(f) || endless(g) => compose(f, g, fresh),
        Binary(op @ (BinaryOp::DirectProduct | BinaryOp::ParallelProduct), f, g) => {
            products::of_lambdas(f, g, *op == BinaryOp::DirectProduct, fresh)
        }
        // So with an intersection: `(r \/ id) /\ S` is `(r /\ S) \/ (id /\ S)`.
        Binary(BinaryOp::Intersection, f, s) | Binary(BinaryOp::Intersection, s, f)
            if !endless(s) && on_whole_type(f).is_some() =>
        {
            let Binary(_, r, id) = &f.kind else { unreachable!("a union with the identity") };
            let part = |of: &Expr| {
                let kind = Binary(BinaryOp::Intersection, Arc::new(of.clone()), s.clone());
                Expr::new(kind, e.ty.clone(), e.span)
            };
            let (r, mut id) = (part(r), part(id));
            simple(&mut id, fresh);
            Some(Binary(BinaryOp::Union, Arc::new(r), Arc::new(id)))
        }
        Binary(BinaryOp::Intersection, a, b) => {
            products::among(a, b).or_else(|| products::among(b, a))
        }
        Unary(UnaryOp::Union, sets) => products::listed(BinaryOp::Union, sets),
        Unary(UnaryOp::Inter, sets) => products::listed(BinaryOp::Intersection, sets),
        ExprKind::Fold(Fold::Union, ids, p, body) => products::union_of(ids, (p, body), e, fresh),
        ExprKind::Fold(Fold::Image, ids, p, body) => products::image_of(ids, (p, body), e, fresh),
        Binary(BinaryOp::Apply, r, x) => match &r.kind {
            // The left side is a function: its value is what the right side is applied to.
            Binary(BinaryOp::Compose, f, g) if is_lambda(f) => range_type(f).map(|ty| {
                let inner = Expr::new(Binary(BinaryOp::Apply, f.clone(), x.clone()), ty, e.span);
                Binary(BinaryOp::Apply, g.clone(), Arc::new(inner))
            }),
            _ => side_of_all_pairs(r).map(|side| Unary(side, x.clone())),
        },
        _ => None,
    };
    if let Some(kind) = new {
        e.kind = kind;
    }
}

/// The set that an identity is on, also where it is told as `%x.(x : S|x)`.
fn identity_on(relation: &Expr) -> Option<Expr> {
    match &relation.kind {
        ExprKind::Unary(UnaryOp::Id, s) => Some((**s).clone()),
        ExprKind::Fold(Fold::Lambda, ids, p, body) => match &ids[..] {
            [id] if body.kind == ExprKind::Local(*id) => domain(ids, p),
            _ => None,
        },
        _ => None,
    }
}

fn is_product(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary(BinaryOp::Product, ..))
}

fn is_lambda(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Fold(Fold::Lambda, ..))
}

fn element_type(set: &Expr) -> Option<Type> {
    set.ty.element().cloned()
}

fn range_type(relation: &Expr) -> Option<Type> {
    relation.ty.relation_sides().map(|(_, to)| to.clone())
}

/// `side` where `other` has members, else the empty set.
fn unless_empty(other: &Expr, side: &Expr) -> ExprKind {
    // What has members for certain.
    if matches!(other.kind, ExprKind::SetExtension(_) | ExprKind::Carrier(_) | ExprKind::Basic(_)) {
        return side.kind.clone();
    }
    let empty = |like: &Expr| Expr::new(ExprKind::Empty, like.ty.clone(), like.span);
    let condition = compare(Comparison::Equal, other, &empty(other));
    ExprKind::If(Arc::new(condition), Arc::new(empty(side)), Arc::new(side.clone()))
}

fn identity(s: &Expr, fresh: Fresh<'_>) -> Option<ExprKind> {
    let (id, x) = local("x", s, element_type(s)?, fresh);
    let inside = compare(Comparison::Member, &x, s);
    Some(ExprKind::Fold(Fold::Lambda, vec![id], Arc::new(inside), Arc::new(x)))
}

/// `%x.(x : S|e)` for `S * {e}` with an infinite `S`.
fn constant(product: &Expr, fresh: Fresh<'_>) -> Option<Expr> {
    let ExprKind::Binary(BinaryOp::Product, s, value) = &product.kind else { return None };
    let ExprKind::SetExtension(items) = &value.kind else { return None };
    let [item] = &items[..] else { return None };
    if !endless(s) {
        return None;
    }
    let (id, x) = local("x", s, element_type(s)?, fresh);
    let inside = compare(Comparison::Member, &x, s);
    let kind = ExprKind::Fold(Fold::Lambda, vec![id], Arc::new(inside), Arc::new(item.clone()));
    Some(Expr::new(kind, product.ty.clone(), product.span))
}

fn projection(op: BinaryOp, a: &Expr, b: &Expr, fresh: Fresh<'_>) -> Option<ExprKind> {
    let (x_id, x) = local("x", a, element_type(a)?, fresh);
    let (y_id, y) = local("y", b, element_type(b)?, fresh);
    let parts = vec![compare(Comparison::Member, &x, a), compare(Comparison::Member, &y, b)];
    let body = if op == BinaryOp::Projection1 { x } else { y };
    let inside = Pred::and(parts, a.span);
    Some(ExprKind::Fold(Fold::Lambda, vec![x_id, y_id], Arc::new(inside), Arc::new(body)))
}

/// Which side a projection gives that is defined for all pairs of its type.
fn side_of_all_pairs(f: &Expr) -> Option<UnaryOp> {
    let side = |first| if first { UnaryOp::First } else { UnaryOp::Second };
    match &f.kind {
        ExprKind::Binary(op @ (BinaryOp::Projection1 | BinaryOp::Projection2), a, b) => {
            let all = is_whole(a) && is_whole(b);
            all.then(|| side(*op == BinaryOp::Projection1))
        }
        ExprKind::Fold(Fold::Lambda, ids, p, body) => {
            let ([x, y], Some(all)) = (&ids[..], domain(ids, p)) else { return None };
            let of = |id: &LocalId| body.kind == ExprKind::Local(*id);
            (is_whole(&all) && (of(x) || of(y))).then(|| side(of(x)))
        }
        _ => None,
    }
}

fn inverse(r: &Expr) -> Option<ExprKind> {
    match &r.kind {
        ExprKind::Unary(UnaryOp::Id, _) => Some(r.kind.clone()),
        ExprKind::Unary(UnaryOp::Inverse, r) => Some(r.kind.clone()),
        ExprKind::Binary(BinaryOp::Product, a, b) => {
            Some(ExprKind::Binary(BinaryOp::Product, b.clone(), a.clone()))
        }
        ExprKind::Fold(Fold::Lambda, ids, p, body) => {
            // `%x.(x : S|x)` and `%x.(x : INTEGER|x + 1)`
            let ([id], PredKind::Compare(Comparison::Member, x, set)) = (&ids[..], &p.kind) else {
                return None;
            };
            let is_x = |e: &Expr| e.kind == ExprKind::Local(*id);
            let kind = match &body.kind {
                _ if !is_x(x) => return None,
                _ if is_x(body) => return Some(r.kind.clone()),
                ExprKind::Binary(op, a, n)
                    if set.kind == ExprKind::Basic(BasicSet::Integer)
                        && is_x(a)
                        && n.kind == ExprKind::Integer(BigInt::from(1)) =>
                {
                    let op = match op {
                        BinaryOp::Add => BinaryOp::Subtract,
                        BinaryOp::Subtract => BinaryOp::Add,
                        _ => return None,
                    };
                    ExprKind::Binary(op, a.clone(), n.clone())
                }
                _ => return None,
            };
            let body = Expr::new(kind, body.ty.clone(), body.span);
            Some(ExprKind::Fold(Fold::Lambda, ids.clone(), p.clone(), Arc::new(body)))
        }
        _ => None,
    }
}

/// `{x, y | P & y = E}` is `%x.(P|E)`, and the names that `P` does not speak of are of their types.
pub(super) fn as_lambda(ids: &[LocalId], p: &Pred, relation: &Expr) -> Option<ExprKind> {
    let (last, arguments) = ids.split_last()?;
    let is_last = |e: &Expr| e.kind == ExprKind::Local(*last);
    let mentions = |p: &Pred, id: &LocalId| Footprint::of_pred(p).locals.contains(id);
    let value = |c: &Pred| match &c.kind {
        PredKind::Compare(Comparison::Equal, y, e) | PredKind::Compare(Comparison::Equal, e, y)
            if is_last(y) && !Footprint::of_expr(e).locals.contains(last) =>
        {
            Some(e.clone())
        }
        _ => None,
    };
    let says_type = |c: &Pred| match &c.kind {
        PredKind::Compare(Comparison::Member, y, set) => is_last(y) && is_whole(set),
        _ => false,
    };
    let conjuncts = p.conjuncts();
    let (at, value) = conjuncts.iter().enumerate().find_map(|(i, c)| Some((i, value(c)?)))?;
    let others = conjuncts.iter().enumerate().filter(|(i, c)| *i != at && !says_type(c));
    let others: Vec<Pred> = others.map(|(_, c)| (*c).clone()).collect();
    let (of_value, mut inside): (Vec<Pred>, Vec<Pred>) =
        others.into_iter().partition(|c| mentions(c, last));
    // `y : NATURAL` is said of the value, unless that is never anything else.
    for c in &of_value {
        let PredKind::Compare(Comparison::Member, y, set) = &c.kind else { return None };
        if !is_last(y) || Footprint::of_expr(set).locals.contains(last) {
            return None;
        }
        let given = Pred::and(inside.clone(), p.span);
        if !results(&given, &value, set, None) {
            inside.push(compare(Comparison::Member, &value, set));
        }
    }
    let (ends, _) = ends(ids, relation)?;
    let mut argument = &ends;
    for (i, id) in arguments.iter().enumerate().rev() {
        let x = match &argument.kind {
            ExprKind::Binary(BinaryOp::Pair, rest, x) if i > 0 => {
                argument = rest;
                &**x
            }
            _ => argument,
        };
        if !inside.iter().any(|c| mentions(c, id)) {
            inside.push(compare(Comparison::Member, x, &whole(&x.ty, relation.span)));
        }
    }
    let inside = Pred::and(inside, p.span);
    Some(ExprKind::Fold(Fold::Lambda, arguments.to_vec(), Arc::new(inside), Arc::new(value)))
}

/// `(f ; g)` with a lambda `g`.
fn compose(f: &Expr, g: &Expr, fresh: Fresh<'_>) -> Option<ExprKind> {
    let ExprKind::Fold(Fold::Lambda, to, to_pred, to_body) = &g.kind else { return None };
    let (from_type, _) = f.ty.relation_sides()?;
    let types = domain_types(to, g)?;
    if let ExprKind::Fold(Fold::Lambda, ids, pred, body) = &f.kind {
        let values = components(&types, (**body).clone());
        let put = |kind: &ExprKind| match kind {
            ExprKind::Local(id) => {
                values.iter().find(|(known, _)| known == id).map(|(_, e)| e.kind.clone())
            }
            _ => None,
        };
        let inside = Pred::and(vec![(**pred).clone(), rewrite::pred(to_pred, &put)], pred.span);
        let body = Arc::new(rewrite::expr(to_body, &put));
        return Some(ExprKind::Fold(Fold::Lambda, ids.clone(), Arc::new(inside), body));
    }
    // `{x, y . x |-> y : f & P | x |-> g(y)}`
    let (x_id, x) = local("x", f, from_type.clone(), fresh);
    let as_expr = |(id, ty): &(LocalId, Type)| Expr::new(ExprKind::Local(*id), ty.clone(), g.span);
    let argument = types.iter().skip(1).fold(as_expr(&types[0]), |a, b| maplet(&a, &as_expr(b)));
    let inside = Pred::and(
        vec![compare(Comparison::Member, &maplet(&x, &argument), f), (**to_pred).clone()],
        f.span,
    );
    let ids: Vec<LocalId> = std::iter::once(x_id).chain(to.iter().copied()).collect();
    let value = maplet(&x, to_body);
    Some(ExprKind::Fold(Fold::Image, ids, Arc::new(inside), Arc::new(value)))
}

/// `dom(%x.(P|E))` is `{x | P}`, or the set that `P` takes `x` from.
pub fn domain_of_lambda(e: &mut Expr) {
    let ExprKind::Unary(UnaryOp::Dom, f) = &e.kind else { return };
    let ExprKind::Fold(Fold::Lambda, ids, p, _) = &f.kind else { return };
    e.kind = match domain(ids, p) {
        Some(set) => set.kind,
        None => ExprKind::Comprehension(ids.clone(), p.clone()),
    };
}
