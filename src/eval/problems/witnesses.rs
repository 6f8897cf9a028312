//! Conjuncts that ask for a witness, with names that the solver takes for unknowns.

use super::propagate::Sketcher;
use crate::constraint::sketch::{Formula, Witness};
use crate::eval::compile::Compiler;
use crate::machine::{LocalId, Pred, PredKind};

/// Most instances that are rather told one by one.
const FEW_INSTANCES: f64 = 100.0;

impl Compiler<'_> {
    /// Whether each of these names is said to be in a set that the solver can picture.
    fn are_picturable(&self, ids: &[LocalId], conjuncts: &[Pred]) -> bool {
        ids.iter().all(|id| self.is_picturable(*id, conjuncts))
    }
}

impl Sketcher<'_, '_> {
    /// A conjunct of the problem.
    pub(super) fn conjunct(&mut self, p: &Pred) -> Formula {
        let witness = match &p.kind {
            PredKind::Exists(ids, inside) => self.witness(ids, inside),
            _ => None,
        };
        match witness {
            Some((unknowns, conjuncts)) => {
                let otherwise = self.formula(p);
                Formula::Witness(Box::new(Witness { unknowns, conjuncts, otherwise }))
            }
            None => self.formula(p),
        }
    }

    fn witness(&mut self, ids: &[LocalId], inside: &Pred) -> Option<Witnessed> {
        let mut conjuncts = Vec::new();
        self.compiler.conjuncts(inside, true, &mut conjuncts);
        if !self.compiler.are_picturable(ids, &conjuncts) {
            return None;
        }
        // What has the value of something else comes with it.
        let (mut unbound, mut rest) = (ids.to_vec(), conjuncts.clone());
        let given = self.given(&mut unbound, &mut rest);
        let is_own = |p: &Pred| {
            let locals = crate::machine::footprint::Footprint::of_pred(p).locals;
            self.is_closed(p) && given.iter().all(|(id, _)| !locals.contains(id))
        };
        rest.retain(is_own);
        let closed = Pred::and(rest, inside.span);
        if self.instances(&unbound, &closed).is_some_and(|n| n <= FEW_INSTANCES) {
            return None;
        }
        let open = self.open.clone();
        self.open.extend(ids);
        let unknowns = ids.iter().map(|id| self.unknown(*id, &conjuncts)).collect();
        let formulas = conjuncts.iter().map(|p| self.formula(p)).collect();
        self.open = open;
        Some((unknowns, formulas))
    }
}

type Witnessed = (Vec<crate::constraint::sketch::Unknown>, Vec<Formula>);
