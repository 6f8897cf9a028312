//! What is said of the type of an infinite set, said of its members: so it can be refuted.

use crate::machine::visit::with_fresh_locals;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, Local, LocalId, Pred, PredKind, Type, UnaryOp,
};
use std::sync::Arc;

/// What follows for the members of a set from its being in another set, or within it; nothing where that has no such
/// form. Something that is false of the members is false of the set.
pub(super) fn of_members(
    op: Comparison,
    value: &Expr,
    set: &Expr,
    locals: &mut Vec<Local>,
) -> Option<Pred> {
    use BinaryOp::*;
    let is_any = |op: BinaryOp, all: &[BinaryOp]| all.contains(&op);
    let mut claim = Claim { locals, value };
    match (op, &set.kind) {
        (Comparison::Subset, _) => claim.all_within(set),
        (Comparison::Member, ExprKind::Unary(UnaryOp::Pow, of)) => claim.all_within(of),
        (Comparison::Member, ExprKind::Binary(op, a, b)) if op.is_arrow() => {
            let mut all = vec![claim.all_pairs(a, b)?];
            if is_any(*op, &[TotalFunctions, TotalInjections, TotalSurjections, TotalBijections]) {
                all.push(claim.covers(a, UnaryOp::Dom)?);
            }
            if is_any(
                *op,
                &[PartialSurjections, TotalSurjections, PartialBijections, TotalBijections],
            ) {
                all.push(claim.covers(b, UnaryOp::Ran)?);
            }
            if is_any(
                *op,
                &[PartialInjections, TotalInjections, PartialBijections, TotalBijections],
            ) {
                all.push(claim.one_each(false)?);
            }
            if *op != Relations && !matches!(value.kind, ExprKind::Fold(Fold::Lambda, ..)) {
                all.push(claim.one_each(true)?);
            }
            Some(Pred::and(all, value.span))
        }
        _ => None,
    }
}

/// Whether what follows for the members of a set from its being in this one says all of that: then it is denied
/// with it.
pub(super) fn says_all(set: &Expr) -> bool {
    use BinaryOp::*;
    match &set.kind {
        ExprKind::Unary(op, _) => *op == UnaryOp::Pow,
        ExprKind::Binary(op, ..) => {
            op.is_arrow()
                && !matches!(op, TotalRelations | SurjectiveRelations | TotalSurjectiveRelations)
        }
        _ => false,
    }
}

struct Claim<'c> {
    locals: &'c mut Vec<Local>,
    value: &'c Expr,
}

impl Claim<'_> {
    fn copy(&mut self, e: &Expr) -> Expr {
        let locals = &mut *self.locals;
        with_fresh_locals(e, &mut |id| {
            let local = locals[id.0 as usize].clone();
            locals.push(local);
            LocalId(locals.len() as u32 - 1)
        })
    }

    /// A name of its own for a value of a type.
    fn name(&mut self, ty: &Type) -> (LocalId, Expr) {
        let span = self.value.span;
        self.locals.push(Local { name: "x".into(), ty: ty.clone(), span });
        let id = LocalId(self.locals.len() as u32 - 1);
        (id, Expr::new(ExprKind::Local(id), ty.clone(), span))
    }

    fn compare(&self, op: Comparison, a: Expr, b: Expr) -> Pred {
        Pred::new(PredKind::Compare(op, a, b), self.value.span)
    }

    fn for_all(&self, ids: Vec<LocalId>, p: Pred, q: Pred) -> Pred {
        Pred::new(PredKind::Forall(ids, Arc::new(p), Arc::new(q)), self.value.span)
    }

    /// `!x.(x : value => x : set)`
    fn all_within(&mut self, set: &Expr) -> Option<Pred> {
        let value = self.copy(self.value);
        let (id, x) = self.name(value.ty.element()?);
        let set = self.copy(set);
        let (given, asked) = (
            self.compare(Comparison::Member, x.clone(), value),
            self.compare(Comparison::Member, x, set),
        );
        Some(self.for_all(vec![id], given, asked))
    }

    /// Names for a pair, a predicate that says that it is one of the value's, and its sides.
    fn pair(&mut self) -> Option<(Vec<LocalId>, Pred, Expr, Expr)> {
        let value = self.copy(self.value);
        let span = self.value.span;
        let maplet = |a: Expr, b: Expr| {
            let ty = Type::pair(a.ty.clone(), b.ty.clone());
            Expr::new(ExprKind::Binary(BinaryOp::Pair, Arc::new(a), Arc::new(b)), ty, span)
        };
        if let ExprKind::Fold(Fold::Lambda, ids, p, body) = value.kind {
            let names = ids.iter().map(|id| {
                let ty = self.locals[id.0 as usize].ty.clone();
                Expr::new(ExprKind::Local(*id), ty, span)
            });
            let x = names.reduce(maplet)?;
            return Some((ids, Arc::unwrap_or_clone(p), x, Arc::unwrap_or_clone(body)));
        }
        let (left, right) = value.ty.element()?.sides()?;
        let ((a, x), (b, y)) = (self.name(left), self.name(right));
        let given = self.compare(Comparison::Member, maplet(x.clone(), y.clone()), value);
        Some((vec![a, b], given, x, y))
    }

    /// All pairs go from the one set to the other.
    fn all_pairs(&mut self, from: &Expr, to: &Expr) -> Option<Pred> {
        let (ids, given, x, y) = self.pair()?;
        let (from, to) = (self.copy(from), self.copy(to));
        let asked = vec![
            self.compare(Comparison::Member, x, from),
            self.compare(Comparison::Member, y, to),
        ];
        let asked = Pred::and(asked, self.value.span);
        Some(self.for_all(ids, given, asked))
    }

    /// Two pairs with one left side have one right side, or the other way round.
    fn one_each(&mut self, left: bool) -> Option<Pred> {
        let (mut ids, given, a, b) = self.pair()?;
        let (more, given_too, c, d) = self.pair()?;
        ids.extend(more);
        let (same, asked) = if left { ((a, c), (b, d)) } else { ((b, d), (a, c)) };
        let same = self.compare(Comparison::Equal, same.0, same.1);
        let given = Pred::and(vec![given, given_too, same], self.value.span);
        let asked = self.compare(Comparison::Equal, asked.0, asked.1);
        Some(self.for_all(ids, given, asked))
    }

    /// `!x.(x : all => x : dom(value))`, or `ran(value)`.
    fn covers(&mut self, all: &Expr, side: UnaryOp) -> Option<Pred> {
        let (value, all) = (self.copy(self.value), self.copy(all));
        let (id, x) = self.name(all.ty.element()?);
        let side = ExprKind::Unary(side, Arc::new(value));
        let side = Expr::new(side, all.ty.clone(), self.value.span);
        let (given, asked) = (
            self.compare(Comparison::Member, x.clone(), all),
            self.compare(Comparison::Member, x, side),
        );
        Some(self.for_all(vec![id], given, asked))
    }
}
