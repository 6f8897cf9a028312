//! Which variables have been written while the first state is made.
//!
//! Before the initialisation a variable has no value. So code for the initialisation runs on states
//! with one more bit for each variable, behind the packed words: whether it has been written. What
//! substitutions keep, make readable and put back is the whole state, so the bits go where the values
//! go, and a read knows whether what it reads was ever written. Code for everything else has neither
//! the bits nor the test.

use crate::eval::compile::Compiler;
use crate::lower::code::Code;
use crate::lower::env::Env;
use crate::lower::stop::{FaultKind, Stop};
use crate::lower::{Test, Write};
use crate::machine::footprint::Footprint;
use crate::machine::{Cell, Expr, Machine, VarId};
use crate::source::Span;

/// The bit of one variable.
#[derive(Clone, Copy)]
pub(in crate::eval) struct Mark {
    word: usize,
    mask: u64,
}

impl Mark {
    /// `words`: those of a packed state, behind which the marks stand.
    fn of(id: VarId, words: usize) -> Mark {
        let number = id.0 as usize;
        Mark { word: words + number / 64, mask: 1 << (number % 64) }
    }

    #[inline]
    pub(super) fn is_set(self, state: &[u64]) -> bool {
        state[self.word] & self.mask != 0
    }

    #[inline]
    pub(super) fn set(self, state: &mut [u64]) {
        state[self.word] |= self.mask;
    }
}

/// How many words the marks of a machine's variables take.
pub(in crate::eval) fn mark_words(machine: &Machine) -> usize {
    machine.variables.len().div_ceil(64)
}

/// A fault where some variable has not been written in the outcome of an initialisation.
pub(in crate::eval) fn all_written(
    env: &mut Env,
    machine: &Machine,
    words: usize,
) -> Result<(), Stop> {
    let mut ids = (0..machine.variables.len()).map(|i| VarId(i as u32));
    match ids.find(|id| !Mark::of(*id, words).is_set(&env.next)) {
        None => Ok(()),
        Some(id) => Err(env.fault(FaultKind::LeftUnwritten(id), machine.variable(id).span, [])),
    }
}

#[cold]
fn unwritten(env: &mut Env, id: VarId, span: Span) -> Stop {
    env.fault(FaultKind::ReadBeforeWritten(Cell::Variable(id)), span, [])
}

impl Compiler<'_> {
    /// Where code for the initialisation notes that a variable has been written.
    pub(in crate::eval) fn mark(&self, id: VarId) -> Option<Mark> {
        self.initial.then(|| Mark::of(id, self.layout.words))
    }

    /// A write that leaves its mark.
    pub(super) fn marked(&self, id: VarId, write: Write) -> Write {
        let Some(mark) = self.mark(id) else { return write };
        Write::run_of(move |env| {
            write.run(env)?;
            mark.set(&mut env.next);
            Ok(())
        })
    }

    /// A read of a variable, once it has been written.
    pub(in crate::eval) fn once_written(&self, id: VarId, span: Span, read: Code) -> Code {
        let Some(mark) = self.mark(id) else { return read };
        match read {
            Code::Word(read) => Code::run(move |env| match mark.is_set(&env.state) {
                true => read.get(env),
                false => Err(unwritten(env, id, span).into()),
            }),
            Code::Value(read) => Code::value(move |env| match mark.is_set(&env.state) {
                true => read.get(env),
                false => Err(unwritten(env, id, span)),
            }),
        }
    }

    /// A truth that follows from the form of a formula, once all variables that it reads have been
    /// written.
    pub(in crate::eval) fn known(&self, truth: bool, of: &Expr) -> Test {
        let span = of.span;
        let variables: Vec<VarId> = match self.initial {
            true => Footprint::of_expr(of).variables.into_iter().collect(),
            false => Vec::new(),
        };
        if variables.is_empty() {
            return Test::Always(truth);
        }
        let marks: Vec<(VarId, Mark)> =
            variables.into_iter().filter_map(|id| Some((id, self.mark(id)?))).collect();
        Test::run(move |env| match marks.iter().find(|(_, mark)| !mark.is_set(&env.state)) {
            Some((id, _)) => Err(unwritten(env, *id, span)),
            None => Ok(truth),
        })
    }
}
