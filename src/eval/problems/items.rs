//! Quantifiers over sets of which the members are no values that could be gone through: sets that are the values of a
//! function which is not known, few numbers out of very many. Their names stand for what there may be instead.

use super::propagate::Sketcher;
use super::scope::Scoped;
use crate::constraint::sketch::{Collect, Pattern, Scope, Stage, Term};
use crate::eval::compile::Compiler;
use crate::machine::footprint::Footprint;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::value::relation::Arrow;
use std::collections::BTreeSet;

/// Most members of a set each of which has a literal that it is one.
const MANY: f64 = 10_000.0;

/// Most results at each point of a function whose pairs are gone through one by one where they are added up.
const LONG: f64 = 32.0;

impl Compiler<'_> {
    /// Those of the unknowns that conjuncts say to be subsets of sets with very many members, or functions to such sets.
    pub(super) fn wide_sets(&self, locals: &[LocalId], conjuncts: &[Pred]) -> BTreeSet<LocalId> {
        let wide = conjuncts.iter().filter_map(|p| {
            let PredKind::Compare(op, x, set) = &p.kind else { return None };
            let ExprKind::Local(id) = x.kind else { return None };
            let of = match (op, &set.kind) {
                (Comparison::Subset, _) => set,
                (Comparison::Member, ExprKind::Unary(op, of)) if is_made_of(*op) => &**of,
                (Comparison::Member, ExprKind::Binary(op, _, to))
                    if Arrow::from_op(*op).is_some() =>
                {
                    &**to
                }
                _ => return None,
            };
            let is_wide = self.is_infinite(of) || self.estimate(of) > MANY;
            (is_wide && locals.contains(&id)).then_some(id)
        });
        wide.collect()
    }

    /// Those of the unknowns that conjuncts say to be functions with many results at each point.
    pub(super) fn long_functions(
        &self,
        locals: &[LocalId],
        conjuncts: &[Pred],
    ) -> BTreeSet<LocalId> {
        let long = conjuncts.iter().filter_map(|p| {
            let PredKind::Compare(Comparison::Member, x, set) = &p.kind else { return None };
            let (ExprKind::Local(id), ExprKind::Binary(op, _, to)) = (&x.kind, &set.kind) else {
                return None;
            };
            let is_function = Arrow::from_op(*op).is_some_and(|arrow| arrow.functional);
            let is_long = is_function && (self.is_infinite(to) || self.estimate(to) > LONG);
            (is_long && locals.contains(id)).then_some(*id)
        });
        long.collect()
    }
}

impl Sketcher<'_, '_> {
    /// Where the instances of a quantifier come from, if its names are bound to what sets may have as members rather than
    /// to values. `None` where none of these sets asks for that.
    pub(super) fn scope_of_items(&mut self, ids: &[LocalId], p: &Pred) -> Option<Scoped> {
        let mut conjuncts = Vec::new();
        self.compiler.conjuncts(p, true, &mut conjuncts);
        let mut unbound: Vec<LocalId> = ids.to_vec();
        let mut items: Vec<(Expr, Expr)> = Vec::new();
        // A set may depend on a name that is bound to such a member itself.
        loop {
            let before = items.len();
            conjuncts.retain(|p| {
                let Some((x, set)) = self.member(p, &unbound) else { return true };
                let named = names_in(x, &unbound);
                unbound.retain(|id| !named.contains(id));
                items.push((x.clone(), set.clone()));
                self.open.extend(named);
                false
            });
            if items.len() == before {
                break;
            }
        }
        if items.is_empty() {
            return None;
        }
        let given = self.given(&mut unbound, &mut conjuncts);
        self.open.extend(given.iter().map(|(id, _)| *id));
        let (closed, rest): (Vec<Pred>, Vec<Pred>) =
            conjuncts.into_iter().partition(|p| self.is_closed(p));
        let mut scope = Scope::default();
        for id in &unbound {
            self.codes.slots.insert(*id, self.compiler.slot(*id));
        }
        let closed = Pred::and(closed, p.span);
        if self.has_no_end(&unbound, &closed) {
            return None;
        }
        let known = unbound.clone();
        scope.stages.push(self.each(unbound, &closed, &[]));
        let names: Vec<LocalId> = ids.iter().copied().filter(|id| !known.contains(id)).collect();
        let mut bound = BTreeSet::new();
        for (x, set) in items {
            let pattern = self.item_pattern(&x, &names, &mut bound);
            let set = self.expr(&set);
            scope.stages.push(Stage::Items(pattern, set));
        }
        scope.given = self.bindings(&given);
        Some((scope, rest))
    }

    /// The image of a set under a function without an end that says itself what it is at a point: what it is at each that
    /// there may be in the set.
    pub(super) fn image(&mut self, f: &Expr, set: &Expr) -> Option<Term> {
        let told = match &f.kind {
            ExprKind::Symbolic(number, given) if given.is_empty() => {
                &self.compiler.machine().symbolic.sets[*number as usize].set
            }
            _ => self.told(f)?,
        };
        let ExprKind::Fold(Fold::Lambda, ids, p, body) = &told.kind else { return None };
        let open = self.open.clone();
        self.open.extend(ids);
        let mut names = ids.iter().map(|id| Pattern::Local(*id));
        let first = names.next()?;
        let pair = |left, right| Pattern::Pair(Box::new(left), Box::new(right));
        let stages = vec![Stage::Items(names.fold(first, pair), self.expr(set))];
        let scope = Scope { stages, given: Vec::new() };
        let guard = Box::new(self.formula(p));
        let image = Term::Collect(Collect::Set, scope, guard, self.boxed(body));
        self.open = open;
        Some(image)
    }

    /// A tuple of which a conjunct says that it is a member of a set which has such members, and that set; it has a name
    /// that is not bound yet, and neither depends on others of these.
    fn member<'p>(&self, p: &'p Pred, unbound: &[LocalId]) -> Option<(&'p Expr, &'p Expr)> {
        let PredKind::Compare(Comparison::Member, x, set) = &p.kind else { return None };
        let (named, locals) = (names_in(x, unbound), Footprint::of_expr(set).locals);
        let is_open = || !locals.is_disjoint(&self.open);
        let is_wide = || !locals.is_disjoint(&self.wide);
        let has_sets = || match (&set.kind, &set.ty) {
            // The sets in an unknown set are values; those in an unknown function are not.
            (ExprKind::Local(_), Type::Pow(of)) => {
                matches!(&**of, Type::Pair(sides) if matches!(sides.1, Type::Pow(_)))
            }
            (_, Type::Pow(of)) => matches!(**of, Type::Pow(_)),
            _ => false,
        };
        let waits = unbound.iter().any(|id| locals.contains(id));
        let is_such = !named.is_empty() && !waits && is_open() && (is_wide() || has_sets());
        is_such.then_some((x, set))
    }

    /// What binds these names, each where it is met first, and asks for what is beside them.
    fn item_pattern(
        &mut self,
        x: &Expr,
        names: &[LocalId],
        bound: &mut BTreeSet<LocalId>,
    ) -> Pattern {
        match &x.kind {
            ExprKind::Local(id) if names.contains(id) && bound.insert(*id) => Pattern::Local(*id),
            ExprKind::Binary(BinaryOp::Pair, a, b) if !names_in(x, names).is_empty() => {
                let left = Box::new(self.item_pattern(a, names, bound));
                Pattern::Pair(left, Box::new(self.item_pattern(b, names, bound)))
            }
            _ => Pattern::Value(Box::new(self.expr(x))),
        }
    }
}

/// Those of these names that a tuple consists of. None where it has others of them within, or one of them twice.
fn names_in(x: &Expr, of: &[LocalId]) -> BTreeSet<LocalId> {
    fn collect(x: &Expr, of: &[LocalId], out: &mut BTreeSet<LocalId>) -> bool {
        match &x.kind {
            ExprKind::Local(id) if of.contains(id) => out.insert(*id),
            ExprKind::Binary(BinaryOp::Pair, a, b) => collect(a, of, out) && collect(b, of, out),
            _ => {
                let locals = Footprint::of_expr(x).locals;
                of.iter().all(|id| !locals.contains(id))
            }
        }
    }
    let mut names = BTreeSet::new();
    if collect(x, of, &mut names) { names } else { BTreeSet::new() }
}

/// Whether these are sets or sequences of members of a set.
fn is_made_of(op: UnaryOp) -> bool {
    use UnaryOp::{Fin, Fin1, Iseq, Iseq1, Pow, Pow1, Seq, Seq1};
    matches!(op, Pow | Pow1 | Fin | Fin1 | Seq | Seq1 | Iseq | Iseq1)
}
