//! What is said of all members of a set that is written down, `!(s, x).(s : {a, b} & P => Q)`: said of each of them. So
//! a quantifier over members that are not known yet is none.

use crate::eval::compile::Compiler;
use crate::machine::footprint::Footprint;
use crate::machine::{Comparison, Expr, ExprKind, LocalId, Pred, PredKind, rewrite};
use std::sync::Arc;

/// Most members of such a set.
const MOST: usize = 32;

/// A quantifier, taken apart so.
pub(in crate::eval) struct EachListed {
    /// All of these hold: where it is an existential one, it does not.
    pub parts: Vec<Pred>,
    /// The name that stood for the members.
    pub id: LocalId,
    /// Those members that may have no value. Where one has none the quantifier has none, either, whatever is said of it.
    pub partial: Vec<Expr>,
}

impl Compiler<'_> {
    /// A universal quantifier, or the negation of an existential one, of which one name is a member of a set that is
    /// written down and depends on other names.
    pub(in crate::eval) fn of_each_listed(&self, p: &Pred) -> Option<EachListed> {
        let (ids, inside, said) = match &p.kind {
            PredKind::Forall(ids, inside, said) => (ids, inside, Some(&**said)),
            PredKind::Exists(ids, inside) => (ids, inside, None),
            _ => return None,
        };
        let conjuncts = inside.conjuncts();
        let (at, id, items) = conjuncts.iter().enumerate().find_map(|(at, p)| {
            let (id, items) = listed_member(p)?;
            self.may_be_said_of_each(ids, id, items).then_some((at, id, items))
        })?;
        let rest: Vec<LocalId> = ids.iter().copied().filter(|other| *other != id).collect();
        let others =
            conjuncts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, p)| (*p).clone());
        let condition = Pred::and(others.collect(), inside.span);
        let of = |item: &Expr| {
            let told = |kind: &ExprKind| (*kind == ExprKind::Local(id)).then(|| item.kind.clone());
            let condition = rewrite::pred(&condition, &told);
            let said = said.map(|said| rewrite::pred(said, &told));
            let kind = match (rest.is_empty(), said) {
                (true, Some(said)) if condition.kind == PredKind::True => return said,
                (true, Some(said)) => PredKind::Implies(Arc::new(condition), Arc::new(said)),
                (false, Some(said)) => {
                    PredKind::Forall(rest.clone(), Arc::new(condition), Arc::new(said))
                }
                (true, None) => PredKind::Not(Arc::new(condition)),
                (false, None) => {
                    let some = PredKind::Exists(rest.clone(), Arc::new(condition));
                    PredKind::Not(Arc::new(Pred::new(some, p.span)))
                }
            };
            Pred::new(kind, inside.span)
        };
        let partial = items.iter().filter(|item| !self.is_total(item)).cloned().collect();
        Some(EachListed { parts: items.iter().map(of).collect(), id, partial })
    }

    /// Whether the members depend on names, and on none of the quantifier's own.
    fn may_be_said_of_each(&self, ids: &[LocalId], id: LocalId, items: &[Expr]) -> bool {
        let locals: Vec<_> = items.iter().map(|item| Footprint::of_expr(item).locals).collect();
        ids.contains(&id)
            && items.len() <= MOST
            && locals.iter().any(|locals| !locals.is_empty())
            && locals.iter().all(|locals| ids.iter().all(|id| !locals.contains(id)))
    }
}

/// The name and the members, of `s : {a, b}`.
fn listed_member(p: &Pred) -> Option<(LocalId, &[Expr])> {
    match &p.kind {
        PredKind::Compare(Comparison::Member, s, set) => match (&s.kind, &set.kind) {
            (ExprKind::Local(id), ExprKind::SetExtension(items)) => Some((*id, items)),
            _ => None,
        },
        _ => None,
    }
}
