//! What a state enables, listed from the guards before any body is run. Where the body decides whether an
//! instance has an outcome at all it is run before.

use crate::eval::{Evaluator, Instances, Stop, Successors};
use crate::machine::Guard;

/// What a state enables.
#[derive(Default)]
pub struct Listed {
    pub instances: Instances,
    /// The transitions of those that had to be carried out to know whether they are enabled.
    run: Successors,
    /// Of each instance, what is known of it.
    known: Vec<Enabled>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Enabled {
    Yes,
    No,
    /// It was carried out: its group among the transitions; `None` where it fails.
    Run(Option<u32>),
}

impl Listed {
    /// Lists what a state enables. [`Listed::decide`] looks behind guards.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn list(&mut self, evaluator: &mut Evaluator, state: &[u64]) -> Result<(), Stop> {
        evaluator.enabled(state, &mut self.instances)?;
        self.run.reset();
        self.known.clear();
        Ok(())
    }

    /// Carries out what is only known to be enabled by doing so.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn decide(&mut self, evaluator: &mut Evaluator, state: &[u64]) -> Result<(), Stop> {
        let program = evaluator.program().clone();
        for (operation, numbers) in self.instances.operations() {
            let runs = program.guard(operation) == Guard::Runs;
            for i in numbers {
                if !runs && !self.instances.is_undefined(i) {
                    self.known.push(Enabled::Yes);
                    continue;
                }
                let (first, faults) = (self.run.len(), self.run.faults.len());
                evaluator.fire(state, (&self.instances, i), 1, &mut self.run)?;
                self.known.push(match self.run.entries.get(first) {
                    Some(entry) => Enabled::Run(Some(entry.group)),
                    None if self.run.faults.len() > faults => Enabled::Run(None),
                    None => Enabled::No,
                });
            }
        }
        Ok(())
    }

    pub fn is_enabled(&self, i: usize) -> bool {
        self.known[i] != Enabled::No
    }

    /// Whether all that is enabled is known, as far as it was carried out, and nothing ended in an error.
    pub fn is_sure(&self) -> bool {
        !self.instances.cut && !self.run.cut && self.run.faults.is_empty()
    }

    /// Adds the transitions of the instances that have a weight to `out`; afterwards only those have one whose
    /// bodies were run now.
    ///
    /// # Errors
    /// [`Stop::Halted`] only.
    pub fn follow(
        &self,
        evaluator: &mut Evaluator,
        state: &[u64],
        weights: &mut [u32],
        out: &mut Successors,
    ) -> Result<(), Stop> {
        if !(self.run.is_empty() && self.run.faults.is_empty()) {
            let mut groups: Vec<(u32, u32)> = Vec::new();
            for (known, weight) in self.known.iter().zip(&*weights) {
                if let Enabled::Run(Some(group)) = known {
                    groups.push((*group, *weight));
                }
            }
            out.append(&self.run, |group| {
                let at = groups.binary_search_by_key(&group, |(group, _)| *group);
                at.map_or(0, |at| groups[at].1)
            });
        }
        for (known, weight) in self.known.iter().zip(weights.iter_mut()) {
            if *known != Enabled::Yes {
                *weight = 0;
            }
        }
        evaluator.fire_weighed(state, (&self.instances, weights), out)?;
        out.cut |= self.instances.cut;
        Ok(())
    }
}
