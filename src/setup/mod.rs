//! Everything that is fixed before the first state: set sizes, preferences, the compiled program.

use crate::diagnostic::Diagnostic;
use crate::eval::Program;
use crate::machine::{Machine, Pred, SetId};
use crate::state::Instance;
use crate::symmetry::Group;
use std::sync::Arc;

/// What the user says about sizes and preferences.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SetupOptions {
    /// `--card S=n`
    pub cards: Vec<(String, u64)>,
    pub max_int: Option<i64>,
    pub min_int: Option<i64>,
    /// `--pref NAME=VALUE`
    pub preferences: Vec<(String, String)>,
    /// `--goal P`, as text; `GOAL` takes the machine's definition.
    pub goal: Option<String>,
    pub static_symmetry: bool,
}

/// Where the size of a set comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeSource {
    Option,
    Scope,
    Properties,
    Default,
}

impl SizeSource {
    pub fn name(self) -> &'static str {
        match self {
            SizeSource::Option => "option",
            SizeSource::Scope => "scope",
            SizeSource::Properties => "properties",
            SizeSource::Default => "default",
        }
    }
}

/// A deferred set or set parameter after set-up.
#[derive(Clone, PartialEq, Debug)]
pub struct SetInfo {
    pub set: SetId,
    pub name: Arc<str>,
    pub size: u32,
    pub source: SizeSource,
    /// Elements that a constant or a goal singles out, by name.
    pub fixed: Vec<String>,
    pub symmetric: bool,
}

/// A machine ready to be searched and animated: sizes chosen, program compiled.
#[derive(Clone)]
pub struct Model {
    pub instance: Arc<Instance>,
    pub program: Arc<Program>,
    pub sets: Vec<SetInfo>,
    /// The permutations that may be used.
    pub group: Group,
    /// What limits every result with this set-up (sets sized by default).
    pub bounds: Vec<String>,
    /// Warnings of the set-up (unknown preference, ...).
    pub warnings: Vec<Diagnostic>,
}

/// Chooses sizes and preferences and compiles the machine.
///
/// # Errors
/// Unknown set in `--card`, a size below 1, a goal that does not type, what this version cannot
/// evaluate: as diagnostics. A goal given as text is parsed by the caller, who owns the sources.
pub fn set_up(machine: &Arc<Machine>, options: &SetupOptions, goal: Option<Pred>) -> Result<Model, Vec<Diagnostic>> {
    let _ = (machine, options, goal);
    unreachable!("being written")
}
