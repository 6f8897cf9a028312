//! What is said of the type of an infinite set, said of its members: so it can be refuted.

use crate::machine::visit::with_fresh_locals;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, Local, LocalId, Pred, PredKind, Type, UnaryOp,
};

/// What follows for the members of a set from its being in another set, or within it; nothing where that has no such
/// form. Something that is false of the members is false of the set.
pub(super) fn of_members(
    op: Comparison,
    value: &Expr,
    set: &Expr,
    locals: &mut Vec<Local>,
) -> Option<Pred> {
    let mut claim = Claim { locals, value };
    match (op, &set.kind) {
        (Comparison::Subset, _) => claim.all_within(set),
        (Comparison::Member, ExprKind::Unary(UnaryOp::Pow, of)) => claim.all_within(of),
        (Comparison::Member, ExprKind::Binary(op, a, b)) if op.is_arrow() => {
            let pairs = claim.all_pairs(a, b)?;
            let is_total = matches!(
                op,
                BinaryOp::TotalFunctions
                    | BinaryOp::TotalInjections
                    | BinaryOp::TotalSurjections
                    | BinaryOp::TotalBijections
            );
            let all = if is_total { vec![pairs, claim.total(a)?] } else { vec![pairs] };
            Some(Pred::and(all, value.span))
        }
        _ => None,
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
        Pred::new(PredKind::Forall(ids, Box::new(p), Box::new(q)), self.value.span)
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

    /// All pairs of the value go from the one set to the other.
    fn all_pairs(&mut self, from: &Expr, to: &Expr) -> Option<Pred> {
        let value = self.copy(self.value);
        let (from, to) = (self.copy(from), self.copy(to));
        let (ids, given, x, y) = match value.kind {
            ExprKind::Fold(Fold::Lambda, ids, p, body) => {
                let span = self.value.span;
                let tuple = ids.iter().map(|id| {
                    let ty = self.locals[id.0 as usize].ty.clone();
                    Expr::new(ExprKind::Local(*id), ty, span)
                });
                let x = tuple.reduce(|a, b| {
                    let ty = Type::pair(a.ty.clone(), b.ty.clone());
                    Expr::new(ExprKind::Binary(BinaryOp::Pair, Box::new(a), Box::new(b)), ty, span)
                });
                (ids, *p, x?, *body)
            }
            _ => {
                let ty = value.ty.element()?.clone();
                let (left, right) = ty.sides()?;
                let ((a, x), (b, y)) = (self.name(left), self.name(right));
                let pair =
                    ExprKind::Binary(BinaryOp::Pair, Box::new(x.clone()), Box::new(y.clone()));
                let pair = Expr::new(pair, ty.clone(), self.value.span);
                (vec![a, b], self.compare(Comparison::Member, pair, value), x, y)
            }
        };
        let asked = vec![
            self.compare(Comparison::Member, x, from),
            self.compare(Comparison::Member, y, to),
        ];
        let asked = Pred::and(asked, self.value.span);
        Some(self.for_all(ids, given, asked))
    }

    /// `!x.(x : from => x : dom(value))`
    fn total(&mut self, from: &Expr) -> Option<Pred> {
        let (value, from) = (self.copy(self.value), self.copy(from));
        let (id, x) = self.name(from.ty.element()?);
        let ty = from.ty.clone();
        let domain = ExprKind::Unary(UnaryOp::Dom, Box::new(value));
        let domain = Expr::new(domain, ty, self.value.span);
        let (given, asked) = (
            self.compare(Comparison::Member, x.clone(), from),
            self.compare(Comparison::Member, x, domain),
        );
        Some(self.for_all(vec![id], given, asked))
    }
}
