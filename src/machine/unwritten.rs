//! Locals that may be read before they are written: what a `VAR` local or a result is read for where some way through
//! the substitution has not given it a value. Of all others a read needs no check.

use super::footprint::Footprint;
use super::formula::{Expr, Pred};
use super::substitution::{Access, Cell, Subst, SubstKind, Target};
use super::types::LocalId;
use std::collections::BTreeSet;

/// The locals among `assigned` (`VAR` locals, results) that some of these bodies may read too early.
pub fn read_too_early<'a>(
    bodies: impl IntoIterator<Item = &'a Subst>,
    assigned: &BTreeSet<LocalId>,
) -> BTreeSet<LocalId> {
    let mut reads = Reads { assigned, early: BTreeSet::new() };
    for body in bodies {
        reads.subst(body, &BTreeSet::new());
    }
    reads.early
}

/// The locals that have a value at a place, whatever way led there.
type Known = BTreeSet<LocalId>;

struct Reads<'a> {
    assigned: &'a BTreeSet<LocalId>,
    early: BTreeSet<LocalId>,
}

impl Reads<'_> {
    fn read(&mut self, mentioned: &Footprint, known: &Known) {
        let early = |id: &&LocalId| self.assigned.contains(id) && !known.contains(id);
        self.early.extend(mentioned.locals.iter().filter(early));
    }

    fn expr(&mut self, e: &Expr, known: &Known) {
        self.read(&Footprint::of_expr(e), known);
    }

    fn pred(&mut self, p: &Pred, known: &Known) {
        self.read(&Footprint::of_pred(p), known);
    }

    fn cell(&mut self, cell: Cell, known: &Known) {
        if let Cell::Local(id) = cell
            && !known.contains(&id)
        {
            self.early.insert(id);
        }
    }

    /// What a target reads: a whole of which a part is written, and the arguments that lead to the part.
    fn target(&mut self, target: &Target, known: &Known) {
        if !target.path.is_empty() {
            self.cell(target.cell, known);
        }
        for access in &target.path {
            if let Access::Index(x) = access {
                self.expr(x, known);
            }
        }
    }

    /// What has a value behind each of these that are given, of which one is executed.
    fn one_of<'s>(
        &mut self,
        parts: impl IntoIterator<Item = Option<&'s Subst>>,
        known: &Known,
    ) -> Known {
        let after = |part: Option<&Subst>| part.map_or(known.clone(), |s| self.subst(s, known));
        let parts = parts.into_iter().map(after);
        parts.reduce(|a, b| &a & &b).unwrap_or(known.clone())
    }

    /// What has a value behind a substitution.
    fn subst(&mut self, s: &Subst, known: &Known) -> Known {
        match &s.kind {
            SubstKind::Skip => known.clone(),
            SubstKind::Assign(pairs) => {
                for (target, e) in pairs {
                    self.target(target, known);
                    self.expr(e, known);
                }
                with(known, pairs.iter().map(|(target, _)| target.cell))
            }
            SubstKind::BecomesElement(targets, e) => {
                targets.iter().for_each(|target| self.target(target, known));
                self.expr(e, known);
                with(known, targets.iter().map(|target| target.cell))
            }
            SubstKind::BecomesSuchThat(cells, p) => {
                self.pred(p, known);
                with(known, cells.iter().map(|(cell, _)| *cell))
            }
            SubstKind::Parallel(parts) => {
                let all = parts.iter().map(|part| self.subst(part, known));
                all.reduce(|a, b| &a | &b).unwrap_or(known.clone())
            }
            SubstKind::Sequence(parts) => {
                parts.iter().fold(known.clone(), |known, part| self.subst(part, &known))
            }
            SubstKind::Precondition(p, s) | SubstKind::Assert(_, p, s) => {
                self.pred(p, known);
                self.subst(s, known)
            }
            SubstKind::Choice(parts) => self.one_of(parts.iter().map(Some), known),
            SubstKind::If(branches, otherwise) => {
                branches.iter().for_each(|(p, _)| self.pred(p, known));
                let rest = otherwise.as_deref();
                self.one_of(branches.iter().map(|(_, s)| Some(s)).chain([rest]), known)
            }
            SubstKind::Select(branches, otherwise) => {
                branches.iter().for_each(|(p, _)| self.pred(p, known));
                let rest = otherwise.as_deref().map(Some);
                self.one_of(branches.iter().map(|(_, s)| Some(s)).chain(rest), known)
            }
            SubstKind::Case(subject, branches, otherwise) => {
                self.expr(subject, known);
                branches.iter().flat_map(|(labels, _)| labels).for_each(|e| self.expr(e, known));
                let rest = otherwise.as_deref();
                self.one_of(branches.iter().map(|(_, s)| Some(s)).chain([rest]), known)
            }
            SubstKind::Any(_, p, s) => {
                self.pred(p, known);
                self.subst(s, known)
            }
            SubstKind::Let(bindings, s) => {
                bindings.iter().for_each(|(_, e)| self.expr(e, known));
                self.subst(s, known)
            }
            SubstKind::Var(locals, s) => {
                let fresh = known.iter().filter(|id| !locals.contains(id)).copied().collect();
                self.subst(s, &fresh)
            }
            SubstKind::While { condition, body, invariant, variant, initial } => {
                initial.iter().for_each(|(cell, _)| self.cell(*cell, known));
                [condition, invariant].into_iter().for_each(|p| self.pred(p, known));
                self.expr(variant, known);
                self.subst(body, known);
                known.clone()
            }
            SubstKind::Call { arguments, results, .. } => {
                arguments.iter().for_each(|e| self.expr(e, known));
                results.iter().for_each(|target| self.target(target, known));
                with(known, results.iter().map(|target| target.cell))
            }
        }
    }
}

fn with(known: &Known, cells: impl Iterator<Item = Cell>) -> Known {
    let locals = cells.filter_map(|cell| match cell {
        Cell::Local(id) => Some(id),
        Cell::Variable(_) => None,
    });
    known.iter().copied().chain(locals).collect()
}
