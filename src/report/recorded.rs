//! Traces in files, in either form: ours, or that of ProB 2.
//!
//! Which one is written says the ending of the name; which one is read, the text.

use super::prob2::{self, ProbStep};
use super::steps::StepText;
use super::trace::{self, TraceFile, Unreadable};
use crate::setup::{Model, SetupOptions};
use crate::source;
use std::path::Path;

/// A trace as it was read.
#[derive(Clone, PartialEq, Debug)]
pub enum Recorded {
    Own(TraceFile),
    /// What its steps are, the machine says.
    Prob(Vec<ProbStep>),
}

impl Recorded {
    /// Reads a trace file.
    ///
    /// # Errors
    /// See [`Unreadable`].
    pub fn read(path: &Path) -> Result<Recorded, Unreadable> {
        Recorded::decode(&source::read(path).map_err(|e| Unreadable::File(e.to_string()))?)
    }

    /// Reads the bytes of a trace file.
    ///
    /// # Errors
    /// See [`Unreadable`].
    pub fn decode(bytes: &[u8]) -> Result<Recorded, Unreadable> {
        let no_text = |_| Unreadable::File("this is not a text file".to_owned());
        let text = std::str::from_utf8(bytes).map_err(no_text)?;
        match prob2::is_one(text) {
            true => prob2::parse(text).map(Recorded::Prob),
            false => trace::parse(text).map(Recorded::Own),
        }
    }

    /// The machine that it was made on, where it says which.
    pub fn model(&self) -> Option<&str> {
        match self {
            Recorded::Own(file) => Some(&file.model),
            Recorded::Prob(_) => None,
        }
    }

    /// The sizes and preferences that it was made with, where it says which.
    pub fn setup(&self) -> Option<&SetupOptions> {
        match self {
            Recorded::Own(file) => Some(&file.setup),
            Recorded::Prob(_) => None,
        }
    }

    /// Its steps on a machine.
    ///
    /// # Errors
    /// A step gives too little for one of the machine.
    pub fn steps(self, model: &Model) -> Result<Vec<StepText>, Unreadable> {
        match self {
            Recorded::Own(file) => Ok(file.steps),
            Recorded::Prob(steps) => {
                prob2::steps(steps, &model.instance.machine, model.instance.setup_step)
            }
        }
    }
}

/// The text of a file of this name that holds these steps; `verdict` says what they show. ProB has no steps that
/// end in an error, and a file in its form none of ours.
pub fn render(
    path: &Path,
    model: &Model,
    setup: &SetupOptions,
    verdict: &'static str,
    steps: &[StepText],
) -> String {
    match path.extension().is_some_and(|ending| ending == prob2::EXTENSION) {
        true => prob2::render(&model.instance.machine, steps),
        false => trace::render_steps(model, setup, verdict, steps),
    }
}
