//! Predicates to conjuncts: what a plan orders.

use super::included::inclusion;
use crate::eval::compile::Compiler;
use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp};
use crate::source::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// Most names whose difference is tested pair by pair.
const MOST_DIFFERENT: usize = 64;

impl Compiler<'_> {
    /// Splits a predicate, or its negation, into conjuncts: negations are pushed inwards, memberships in
    /// products, intersections and differences are taken apart.
    pub(in crate::eval) fn conjuncts(&self, p: &Pred, truth: bool, out: &mut Vec<Pred>) {
        match (&p.kind, truth) {
            (PredKind::True, true) | (PredKind::False, false) => {}
            (PredKind::And(ps), true) => ps.iter().for_each(|p| self.conjuncts(p, true, out)),
            (PredKind::Or(ps), false) => ps.iter().for_each(|p| self.conjuncts(p, false, out)),
            (PredKind::Not(p), _) => self.conjuncts(p, !truth, out),
            (PredKind::Implies(a, b), false) => {
                self.conjuncts(a, true, out);
                self.conjuncts(b, false, out);
            }
            (PredKind::And(ps), false) => {
                let parts = ps.iter().map(|p| self.negated(p)).collect();
                out.push(Pred::new(PredKind::Or(parts), p.span));
            }
            (PredKind::Exists(ids, body), true) => self.split_exists(ids, body, p.span, out),
            // There is one value for each of the names.
            (PredKind::Let(bindings, body), _) => {
                let name = |id: &LocalId, e: &Expr| {
                    Expr::new(ExprKind::Local(*id), e.ty.clone(), self.machine().local(*id).span)
                };
                let equations = bindings.iter().map(|(id, e)| {
                    let kind = PredKind::Compare(Comparison::Equal, name(id, e), e.clone());
                    Pred::new(kind, e.span)
                });
                let body = if truth { (**body).clone() } else { self.negated(body) };
                let span = body.span;
                let body = Pred::and(equations.chain([body]).collect(), span);
                let ids: Vec<LocalId> = bindings.iter().map(|(id, _)| *id).collect();
                self.split_exists(&ids, &body, p.span, out);
            }
            (PredKind::If(c, a, b), _) => {
                let side = |p: &Pred| if truth { p.clone() } else { self.negated(p) };
                let sides = [((**c).clone(), side(a)), (self.negated(c), side(b))];
                let parts = sides.map(|(c, side)| Pred::and(vec![c, side], p.span));
                out.push(Pred::new(PredKind::Or(parts.into()), p.span));
            }
            (PredKind::Compare(op, a, b), _) => {
                let op = if truth { *op } else { opposite(*op) };
                if op == Comparison::Equal && (all_different(a, b, out) || all_different(b, a, out))
                {
                    return;
                }
                self.split_comparison(op, a, b, p.span, out);
            }
            (PredKind::Forall(..), true) | (PredKind::Exists(..), false)
                if let Some(each) = self.of_each_listed(p)
                    && each.partial.is_empty() =>
            {
                each.parts.iter().for_each(|p| self.conjuncts(p, true, out));
            }
            (PredKind::Forall(..), true) | (PredKind::Exists(..), false)
                if let Some((part, whole)) = self.said_by_members(p) =>
            {
                self.split_comparison(Comparison::Subset, &part, &whole, p.span, out);
            }
            (_, true) => out.push(p.clone()),
            (_, false) => out.push(Pred::new(PredKind::Not(Arc::new(p.clone())), p.span)),
        }
    }

    /// What an existential statement says of its names stays in it; the rest says it of none of them.
    fn split_exists(&self, ids: &[LocalId], body: &Pred, span: Span, out: &mut Vec<Pred>) {
        let mut parts = Vec::new();
        self.conjuncts(body, true, &mut parts);
        let mentions = |p: &Pred| {
            let locals = Footprint::of_pred(p).locals;
            ids.iter().any(|id| locals.contains(id))
        };
        let mut own = Vec::new();
        for p in parts {
            match &p.kind {
                _ if !mentions(&p) => out.push(p),
                // What a condition asks for may concern the names in part only.
                PredKind::Implies(condition, asked) if !mentions(condition) => {
                    let mut parts = Vec::new();
                    self.conjuncts(asked, true, &mut parts);
                    let (inside, outside): (Vec<Pred>, Vec<Pred>) =
                        parts.into_iter().partition(mentions);
                    let implied = |asked: Vec<Pred>| {
                        let asked = Arc::new(Pred::and(asked, p.span));
                        Pred::new(PredKind::Implies(condition.clone(), asked), p.span)
                    };
                    if !outside.is_empty() {
                        out.push(implied(outside));
                    }
                    own.push(implied(inside));
                }
                _ => own.push(p),
            }
        }
        if !own.is_empty() {
            let kind = PredKind::Exists(ids.to_vec(), Arc::new(Pred::and(own, body.span)));
            out.push(Pred::new(kind, span));
        }
    }

    pub(in crate::eval) fn negated(&self, p: &Pred) -> Pred {
        let mut parts = Vec::new();
        self.conjuncts(p, false, &mut parts);
        Pred::and(parts, p.span)
    }

    pub(super) fn split_comparison(
        &self,
        op: Comparison,
        a: &Expr,
        b: &Expr,
        span: Span,
        out: &mut Vec<Pred>,
    ) {
        if op == Comparison::Subset
            && let ExprKind::SetExtension(items) = &a.kind
            && (items.len() == 1 || is_at_hand(b) || is_looked_up(b))
        {
            for item in items {
                self.split_comparison(Comparison::Member, item, b, span, out);
            }
            return;
        }
        if op == Comparison::Equal
            && let Some((part, whole)) = inclusion(a, b).or_else(|| inclusion(b, a))
        {
            return self.split_comparison(Comparison::Subset, &part, &whole, span, out);
        }
        if op == Comparison::Subset
            && let Some(each) = self.of_each_part(a, b, span)
        {
            return self.conjuncts(&each, true, out);
        }
        if op == Comparison::Member
            && let Some(said) = self.opened(a, b)
        {
            return self.conjuncts(&said, true, out);
        }
        if op == Comparison::Member {
            match (&a.kind, &b.kind) {
                (
                    ExprKind::Binary(BinaryOp::Pair, x, y),
                    ExprKind::Binary(BinaryOp::Product, s, t),
                ) if self.is_total(a) => {
                    self.split_comparison(Comparison::Member, x, s, span, out);
                    self.split_comparison(Comparison::Member, y, t, span, out);
                    return;
                }
                (_, ExprKind::Binary(BinaryOp::Intersection, s, t)) => {
                    self.split_comparison(Comparison::Member, a, s, span, out);
                    self.split_comparison(Comparison::Member, a, t, span, out);
                    return;
                }
                (_, ExprKind::Binary(BinaryOp::Difference, s, t)) => {
                    self.split_comparison(Comparison::Member, a, s, span, out);
                    self.split_comparison(Comparison::NotMember, a, t, span, out);
                    return;
                }
                (_, ExprKind::Unary(UnaryOp::Pow | UnaryOp::Fin, s)) => {
                    self.split_comparison(Comparison::Subset, a, s, span, out);
                    return;
                }
                _ => {}
            }
        }
        out.push(Pred::new(PredKind::Compare(op, a.clone(), b.clone()), span));
    }
}

/// Whether a set costs nothing to name more than once.
pub(in crate::eval) fn is_at_hand(set: &Expr) -> bool {
    use ExprKind::*;
    match &set.kind {
        Carrier(_) | Basic(_) | Constant(_) | Variable(_) | Local(_) => true,
        Binary(BinaryOp::Interval, a, b) => {
            [a, b].iter().all(|e| matches!(e.kind, Integer(_) | MaxInt | MinInt) || is_at_hand(e))
        }
        _ => false,
    }
}

/// Whether a set is the value of a function at hand: looked up rather than made.
fn is_looked_up(set: &Expr) -> bool {
    let is_plain = |x: &Expr| is_at_hand(x) || matches!(x.kind, ExprKind::Integer(_));
    matches!(&set.kind, ExprKind::Binary(BinaryOp::Apply, f, x) if is_at_hand(f) && is_plain(x))
}

/// `card({x, y, z}) = 3`: pairwise different, which can be tested as soon as two are known.
pub(super) fn all_different(card: &Expr, n: &Expr, out: &mut Vec<Pred>) -> bool {
    let (ExprKind::Unary(UnaryOp::Card, set), ExprKind::Integer(n)) = (&card.kind, &n.kind) else {
        return false;
    };
    let ExprKind::SetExtension(items) = &set.kind else { return false };
    if *n != BigInt::from(items.len()) || items.len() > MOST_DIFFERENT {
        return false;
    }
    for (i, x) in items.iter().enumerate() {
        for y in &items[..i] {
            let kind = PredKind::Compare(Comparison::NotEqual, y.clone(), x.clone());
            out.push(Pred::new(kind, card.span));
        }
    }
    true
}

pub(super) fn opposite(op: Comparison) -> Comparison {
    use Comparison::*;
    match op {
        Equal => NotEqual,
        NotEqual => Equal,
        Member => NotMember,
        NotMember => Member,
        Subset => NotSubset,
        NotSubset => Subset,
        StrictSubset => NotStrictSubset,
        NotStrictSubset => StrictSubset,
        Less => GreaterEqual,
        LessEqual => Greater,
        Greater => LessEqual,
        GreaterEqual => Less,
        LessReal => GreaterEqualReal,
        LessEqualReal => GreaterReal,
        GreaterReal => LessEqualReal,
        GreaterEqualReal => LessReal,
    }
}

/// What is no longer than a number, and that number or one more: `size(s) <= n`, `n > card(s)`.
pub(in crate::eval) fn longest<'p>(
    op: Comparison,
    a: &'p Expr,
    b: &'p Expr,
) -> Option<(&'p Expr, &'p Expr)> {
    use Comparison::{Greater, GreaterEqual, Less, LessEqual};
    let (length, longest) = match op {
        Less | LessEqual => (a, b),
        Greater | GreaterEqual => (b, a),
        _ => return None,
    };
    match &length.kind {
        ExprKind::Unary(UnaryOp::Card | UnaryOp::Size, of) => Some((of, longest)),
        _ => None,
    }
}
