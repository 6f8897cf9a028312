//! Functions that are equal to what is made of themselves.

use super::{Subject, is, mentions};
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type, make,
};
use crate::normalise;

impl Subject<'_> {
    /// `f = %x.(x : S | E)`, `f = S * {E}`, `f = [E, ..]` or `f = {a |-> E}`, where `E` asks for `f`: a function on `S`.
    pub(super) fn made_of_itself(&self) -> Option<Pred> {
        let Subject { local, conjuncts, .. } = *self;
        let domain = conjuncts.iter().find_map(|p| {
            let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
            let of = |f: &Expr, e: &Expr| is(local, f).then(|| domain_of(local, e)).flatten();
            of(a, b).or_else(|| of(b, a))
        })?;
        let ty = &self.compiler.machine().local(local).ty;
        let results = normalise::whole(ty.relation_sides()?.1, domain.span);
        let functions = Type::pow(ty.clone());
        let functions = make::binary(BinaryOp::TotalFunctions, domain, results, functions);
        Some(self.said(Comparison::Member, functions))
    }
}

/// The arguments of a function, where they do not depend on the local.
fn domain_of(local: LocalId, e: &Expr) -> Option<Expr> {
    let ty = Type::pow(e.ty.relation_sides()?.0.clone());
    let domain = match &e.kind {
        ExprKind::Fold(Fold::Lambda, ids, inside, _) => {
            Expr::new(ExprKind::Comprehension(ids.clone(), inside.clone()), ty, e.span)
        }
        ExprKind::Binary(BinaryOp::Product, arguments, results) => match &results.kind {
            ExprKind::SetExtension(items) if items.len() == 1 => (**arguments).clone(),
            _ => return None,
        },
        ExprKind::Sequence(items) => make::up_to(make::number(items.len(), e.span)),
        ExprKind::SetExtension(pairs) => match &pairs[..] {
            [Expr { kind: ExprKind::Binary(BinaryOp::Pair, x, _), .. }] => {
                Expr::new(ExprKind::SetExtension(vec![(**x).clone()]), ty, e.span)
            }
            _ => return None,
        },
        _ => return None,
    };
    (!mentions(local, &domain)).then_some(domain)
}
