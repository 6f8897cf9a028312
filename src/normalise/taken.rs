//! Simpler forms of what is found backwards.
//!
//! `x |-> [a]^g : S` is `#t.(x |-> t : S & t = [a]^g)`: the members of `S` are taken apart, and the sequence `g`
//! is what is left of one. `MAXIMIZE({v, x | P})` is the best solution of `P`, which is found by bounds. Names that are members
//! of an infinite set are what describes its members, beside what else is said of them.

use super::backwards;
use super::endless::{Values, is_endless};
use crate::machine::visit::Visitor;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, Local, LocalId, Machine, Pred, PredKind, Type,
    UnaryOp, rewrite,
};
use std::cell::RefCell;
use std::sync::Arc;

/// Everywhere in a machine.
pub fn simplify(machine: &mut Machine) {
    let mut locals = std::mem::take(&mut machine.locals);
    simplify_formula(0, &mut locals, &mut |visitor| visitor.machine(machine));
    machine.locals = locals;
}

/// In a formula typed against a machine with `first` locals, which `walk` goes through; new ones are appended to
/// `locals`, which continue the machine's.
pub fn simplify_formula(
    first: usize,
    locals: &mut Vec<Local>,
    walk: &mut dyn FnMut(&mut Visitor<'_>),
) {
    let locals = RefCell::new(locals);
    let fresh = |local: Local| {
        let mut locals = locals.borrow_mut();
        locals.push(local);
        LocalId((first + locals.len() - 1) as u32)
    };
    walk(&mut Visitor {
        expr: &mut |e| best_by_bounds(e, &fresh),
        binder: None,
        pred: Some(&mut |p| {
            backwards::point(p);
            backwards::between(p, &fresh);
            members_apart(p, &fresh);
            described(p);
        }),
        subst: None,
    });
}

type Fresh<'f> = &'f dyn Fn(Local) -> LocalId;

/// `MAXIMIZE({v, x | P})`, where the first component is a number.
fn best_by_bounds(e: &mut Expr, fresh: Fresh<'_>) {
    let ExprKind::External(function, arguments) = &e.kind else { return };
    let fold = match function.0 {
        "MAXIMIZE" => Fold::Greatest,
        "MINIMIZE" => Fold::Least,
        _ => return,
    };
    let [Expr { kind: ExprKind::Comprehension(ids, p), .. }] = &arguments[..] else { return };
    // The first of a tuple of so many names.
    let Some(first) = ids.first() else { return };
    let mut ty = &e.ty;
    for _ in 1..ids.len() {
        let Some((left, _)) = ty.sides() else { return };
        ty = left;
    }
    let mut value = Expr::new(ExprKind::Local(*first), ty.clone(), e.span);
    while let Type::Pair(sides) = value.ty.clone() {
        let kind = ExprKind::Unary(UnaryOp::First, Arc::new(value));
        value = Expr::new(kind, sides.0.clone(), e.span);
    }
    if value.ty != Type::Integer {
        return;
    }
    let bound = fresh(Local { name: Arc::from("best"), ty: Type::Integer, span: e.span });
    let ids = ids.iter().copied().chain([bound]).collect();
    e.kind = ExprKind::Fold(fold, ids, p.clone(), Arc::new(value));
}

/// A membership of a tuple with a component that is put together of sequences.
fn members_apart(p: &mut Pred, fresh: Fresh<'_>) {
    let PredKind::Compare(Comparison::Member, x, set) = &mut p.kind else { return };
    if is_endless(set, &Values::new()) {
        return;
    }
    let mut parts = Vec::new();
    components(x, &mut |part| {
        if is_put_together(part) && mentions_sequence(part) {
            let local = Local { name: Arc::from("part"), ty: part.ty.clone(), span: part.span };
            let id = fresh(local);
            let name = Expr::new(ExprKind::Local(id), part.ty.clone(), part.span);
            parts.push((id, std::mem::replace(part, name)));
        }
    });
    if parts.is_empty() {
        return;
    }
    let span = p.span;
    let ids = parts.iter().map(|(id, _)| *id).collect();
    let mut conjuncts = vec![p.clone()];
    conjuncts.extend(parts.into_iter().map(|(id, part)| {
        let name = Expr::new(ExprKind::Local(id), part.ty.clone(), part.span);
        let span = part.span;
        Pred::new(PredKind::Compare(Comparison::Equal, name, part), span)
    }));
    p.kind = PredKind::Exists(ids, Arc::new(Pred::and(conjuncts, span)));
}

/// `y : {x | P}` is `P` of `y`, and `y |-> z : %x.(P|E)` is that and `z = E` of `y`, where the set is infinite.
fn described(p: &mut Pred) {
    if let PredKind::Compare(Comparison::Member, x, set) = &p.kind
        && let Some(mut said) = said_of(x, set)
    {
        // Whoever shows it shows what is written there.
        said.iter_mut().for_each(|said| said.span = p.span);
        *p = Pred::and(said, p.span);
    }
    if let PredKind::And(parts) = &p.kind
        && parts.iter().any(|part| matches!(part.kind, PredKind::And(_)))
    {
        *p = Pred::and(parts.to_vec(), p.span);
    }
}

/// What is said of names by their being in an infinite set.
fn said_of(x: &Expr, set: &Expr) -> Option<Vec<Pred>> {
    if !is_endless(set, &Values::new()) {
        return None;
    }
    let member = |x: &Expr, of: &Expr| {
        let compared =
            Pred::new(PredKind::Compare(Comparison::Member, x.clone(), of.clone()), x.span);
        said_of(x, of).unwrap_or_else(|| vec![compared])
    };
    match &set.kind {
        ExprKind::Comprehension(ids, p) => {
            let names = named(ids, x)?;
            let put = |kind: &ExprKind| replaced(&names, kind);
            Some(p.conjuncts().iter().map(|p| rewrite::pred(p, &put)).collect())
        }
        ExprKind::Fold(Fold::Lambda, ids, p, body) => {
            let ExprKind::Binary(BinaryOp::Pair, argument, result) = &x.kind else { return None };
            let ExprKind::Local(_) = result.kind else { return None };
            let names = named(ids, argument)?;
            let put = |kind: &ExprKind| replaced(&names, kind);
            let mut said: Vec<Pred> =
                p.conjuncts().iter().map(|p| rewrite::pred(p, &put)).collect();
            let body = rewrite::expr(body, &put);
            let kind = PredKind::Compare(Comparison::Equal, (**result).clone(), body);
            said.push(Pred::new(kind, x.span));
            Some(said)
        }
        ExprKind::Binary(BinaryOp::Intersection, a, b) if is_of_names(x) => {
            Some([member(x, a), member(x, b)].concat())
        }
        _ => None,
    }
}

/// What stands in `x` for each of these names: one of the names of a tuple, or all of it for one.
fn named(ids: &[LocalId], x: &Expr) -> Option<Vec<(LocalId, ExprKind)>> {
    match (ids, &x.kind) {
        ([id], _) if is_of_names(x) => Some(vec![(*id, x.kind.clone())]),
        ([first @ .., last], ExprKind::Binary(BinaryOp::Pair, a, b)) if !first.is_empty() => {
            let mut names = named(first, a)?;
            names.extend(named(&[*last], b)?);
            Some(names)
        }
        _ => None,
    }
}

/// Whether it is a name, or a tuple or a sequence of some.
fn is_of_names(x: &Expr) -> bool {
    match &x.kind {
        ExprKind::Local(_) => true,
        ExprKind::Sequence(items) => items.iter().all(is_of_names),
        ExprKind::Binary(BinaryOp::Pair, a, b) => is_of_names(a) && is_of_names(b),
        _ => false,
    }
}

fn replaced(names: &[(LocalId, ExprKind)], kind: &ExprKind) -> Option<ExprKind> {
    let ExprKind::Local(id) = kind else { return None };
    names.iter().find(|(name, _)| name == id).map(|(_, by)| by.clone())
}

fn components(e: &mut Expr, each: &mut dyn FnMut(&mut Expr)) {
    match &mut e.kind {
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            components(Arc::make_mut(a), each);
            components(Arc::make_mut(b), each);
        }
        _ => each(e),
    }
}

fn is_put_together(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Binary(BinaryOp::Concat | BinaryOp::Append | BinaryOp::Prepend, ..)
            | ExprKind::Unary(UnaryOp::Reverse | UnaryOp::Conc, _)
    )
}

/// Whether a local name stands for one of the sequences that something is put together of.
fn mentions_sequence(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) => true,
        ExprKind::Binary(BinaryOp::Concat, a, b) => mentions_sequence(a) || mentions_sequence(b),
        ExprKind::Binary(BinaryOp::Append, a, _) => mentions_sequence(a),
        ExprKind::Binary(BinaryOp::Prepend, _, b) => mentions_sequence(b),
        ExprKind::Unary(UnaryOp::Reverse, of) => mentions_sequence(of),
        ExprKind::Unary(UnaryOp::Conc, of) => match &of.kind {
            ExprKind::Sequence(items) => items.iter().any(mentions_sequence),
            _ => false,
        },
        _ => false,
    }
}
