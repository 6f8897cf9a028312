//! Sequences that are looked for as parts of another one.
//!
//! `x ^ y = s` with names `x` and `y` that are looked for asks for the ways to split `s`: each of them is
//! one of the parts of `s` at its end. That is put beside the equation, so that candidates come from
//! the parts of `s` and not from all sequences there are.

use crate::machine::footprint::Footprint;
use crate::machine::visit::{Visitor, with_fresh_locals};
use crate::machine::{
    BinaryOp, Comparison, Conjunct, Expr, ExprKind, Fold, Local, LocalId, Machine, Pred, PredKind,
    SubstKind, Type, UnaryOp,
};
use num_bigint::BigInt;
use std::cell::RefCell;

/// Adds the parts that names come from, wherever names are looked for.
pub fn split(machine: &mut Machine) {
    let locals = RefCell::new(std::mem::take(&mut machine.locals));
    let bound = |ids: &[LocalId], p: &mut Pred| {
        add(p, &|e| matches!(&e.kind, ExprKind::Local(id) if ids.contains(id)), &locals);
    };
    let mut visitor = Visitor {
        expr: &mut |e| match &mut e.kind {
            ExprKind::Comprehension(ids, p) | ExprKind::Fold(_, ids, p, _) => bound(ids, p),
            _ => {}
        },
        binder: None,
        pred: Some(&mut |p| match &mut p.kind {
            PredKind::Exists(ids, p) | PredKind::Forall(ids, p, _) => bound(ids, p),
            _ => {}
        }),
        subst: Some(&mut |s| match &mut s.kind {
            SubstKind::Any(ids, p, _) => bound(ids, p),
            SubstKind::BecomesSuchThat(cells, p) => {
                let ids: Vec<LocalId> = cells.iter().map(|(_, id)| *id).collect();
                bound(&ids, p);
            }
            _ => {}
        }),
    };
    visitor.machine(machine);
    for Conjunct { pred, .. } in &mut machine.properties {
        add(pred, &|e| matches!(e.kind, ExprKind::Constant(_)), &locals);
    }
    machine.locals = locals.into_inner();
}

fn add(p: &mut Pred, is_name: &dyn Fn(&Expr) -> bool, locals: &RefCell<Vec<Local>>) {
    let mut found = Vec::new();
    for conjunct in p.conjuncts() {
        let PredKind::Compare(Comparison::Equal, a, b) = &conjunct.kind else { continue };
        for (whole, parts) in [(a, b), (b, a)] {
            let mut leaves = Vec::new();
            leaves_of(parts, &mut leaves);
            if leaves.len() < 2 || !leaves.iter().flatten().any(|e| is_name(e)) {
                continue;
            }
            let known = Footprint::of_expr(whole);
            let last = leaves.len() - 1;
            for (i, leaf) in leaves.iter().enumerate() {
                let Some(leaf) = leaf.filter(|e| is_name(e)) else { continue };
                let own = Footprint::of_expr(leaf);
                if known.locals.is_disjoint(&own.locals)
                    && known.constants.is_disjoint(&own.constants)
                {
                    let set = parts_of(whole, i == 0, i == last, &mut locals.borrow_mut());
                    let inside = PredKind::Compare(Comparison::Member, leaf.clone(), set);
                    found.push(Pred::new(inside, conjunct.span));
                }
            }
        }
    }
    if !found.is_empty() {
        found.insert(0, p.clone());
        *p = Pred::and(found, p.span);
    }
}

/// What a sequence is put together from; `None` stands for something of one element.
fn leaves_of<'e>(e: &'e Expr, out: &mut Vec<Option<&'e Expr>>) {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Concat, a, b) => {
            leaves_of(a, out);
            leaves_of(b, out);
        }
        ExprKind::Binary(BinaryOp::Prepend, _, s) => {
            out.push(None);
            leaves_of(s, out);
        }
        ExprKind::Binary(BinaryOp::Append, s, _) => {
            leaves_of(s, out);
            out.push(None);
        }
        _ => out.push(Some(e)),
    }
}

/// The parts of a sequence that may stand at its beginning, at its end, or anywhere in it; none of what
/// is no sequence.
fn parts_of(whole: &Expr, first: bool, last: bool, locals: &mut Vec<Local>) -> Expr {
    let span = whole.span;
    let mut copy = || {
        with_fresh_locals(whole, &mut |id| {
            locals.push(locals[id.0 as usize].clone());
            LocalId(locals.len() as u32 - 1)
        })
    };
    let (tested, sized, taken) = (copy(), copy(), copy());
    let mut number = |name: &str| {
        locals.push(Local { name: name.into(), ty: Type::Integer, span });
        let id = LocalId(locals.len() as u32 - 1);
        (id, Expr::new(ExprKind::Local(id), Type::Integer, span))
    };
    let integer = |kind| Expr::new(kind, Type::Integer, span);
    let sequence = |op, n: &Expr, s: Expr| {
        let kind = ExprKind::Binary(op, Box::new(s), Box::new(n.clone()));
        Expr::new(kind, whole.ty.clone(), span)
    };
    let upto = |x: &Expr, high: Expr| {
        let zero = integer(ExprKind::Integer(BigInt::ZERO));
        let kind = ExprKind::Binary(BinaryOp::Interval, Box::new(zero), Box::new(high));
        let interval = Expr::new(kind, Type::pow(Type::Integer), span);
        Pred::new(PredKind::Compare(Comparison::Member, x.clone(), interval), span)
    };
    let size = |of| integer(ExprKind::Unary(UnaryOp::Card, Box::new(of)));
    let (n_id, n) = number("n");
    let mut ids = vec![n_id];
    let mut conditions = vec![upto(&n, size(sized.clone()))];
    let body = if first {
        sequence(BinaryOp::Take, &n, taken)
    } else {
        let rest = sequence(BinaryOp::Drop, &n, taken);
        if last {
            rest
        } else {
            let (m_id, m) = number("m");
            ids.push(m_id);
            let left = ExprKind::Binary(BinaryOp::Subtract, Box::new(size(sized)), Box::new(n));
            conditions.push(upto(&m, integer(left)));
            sequence(BinaryOp::Take, &m, rest)
        }
    };
    let ty = Type::pow(whole.ty.clone());
    let parts =
        ExprKind::Fold(Fold::Image, ids, Box::new(Pred::and(conditions, span)), Box::new(body));
    let parts = Box::new(Expr::new(parts, ty.clone(), span));
    // `seq(ran(s))`: whether `s` is a sequence at all.
    let Some(element) = whole.ty.relation_sides().map(|(_, to)| to.clone()) else {
        return *parts;
    };
    let range = ExprKind::Unary(UnaryOp::Ran, Box::new(tested.clone()));
    let range = Expr::new(range, Type::pow(element), span);
    let sequences = Expr::new(ExprKind::Unary(UnaryOp::Seq, Box::new(range)), ty.clone(), span);
    let test = Pred::new(PredKind::Compare(Comparison::Member, tested, sequences), span);
    let none = Box::new(Expr::new(ExprKind::Empty, ty.clone(), span));
    Expr::new(ExprKind::If(Box::new(test), parts, none), ty, span)
}
