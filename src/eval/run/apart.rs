//! Evaluators on other threads.

use super::evaluator::Evaluator;
use super::patience::Patience;
use super::program::Program;
use crate::clock::{Clock, Stopped};
use crate::state::Interner;
use std::sync::Arc;

/// What an evaluator on another thread shares with the one that it works for: interned values and patience.
pub struct Apart {
    interner: Interner,
    patience: Option<Arc<Patience>>,
}

impl Apart {
    /// What is shared with an evaluator.
    pub fn from(evaluator: &mut Evaluator) -> Apart {
        let patience = evaluator.patience().cloned();
        Apart { interner: evaluator.interner().apart(), patience }
    }

    /// An evaluator of this program.
    pub fn evaluator(&self, program: Arc<Program>) -> Evaluator {
        let mut evaluator = Evaluator::with_interner(program, self.interner.clone());
        evaluator.measure_room();
        evaluator.be_patient(self.patience.clone());
        evaluator
    }

    /// One that compiles a program of its own, so that no thread counts references to what another one reads. To be made
    /// on its thread.
    ///
    /// # Errors
    /// The work is to end.
    pub fn evaluator_again(
        &self,
        clock: &Arc<Clock>,
        program: &Program,
    ) -> Result<Evaluator, Stopped> {
        let program = clock.guard(|| program.again()).map_err(|_| Stopped)?;
        Ok(self.evaluator(Arc::new(program)))
    }
}
