//! Everything that is fixed before the first state: set sizes, preferences, the compiled program.

pub mod asymmetric;
pub mod sizes;

use crate::diagnostic::Diagnostic;
use crate::eval::Program;
use crate::machine::{ExprKind, Machine, Pred, SetId, rewrite};
use crate::state::Instance;
use crate::symmetry::{Group, SymmetricSet};
use crate::syntax::ast::Node;
use crate::typing;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use sizes::{SetInfo, SizeSource};

/// What the user says about sizes and preferences.
#[derive(Clone, PartialEq, Debug)]
pub struct SetupOptions {
    /// `--card S=n`
    pub cards: Vec<(String, u64)>,
    pub max_int: Option<i64>,
    pub min_int: Option<i64>,
    /// `--pref NAME=VALUE`
    pub preferences: Vec<(String, String)>,
    /// `--goal P`, as text; `GOAL` takes the machine's definition. Parsed by whoever owns the
    /// sources, and given to [`set_up`] as a tree.
    pub goal: Option<String>,
    pub static_symmetry: bool,
}

impl Default for SetupOptions {
    fn default() -> SetupOptions {
        SetupOptions {
            cards: Vec::new(),
            max_int: None,
            min_int: None,
            preferences: Vec::new(),
            goal: None,
            static_symmetry: true,
        }
    }
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
    pub warnings: Vec<Diagnostic>,
    /// Whether the program's goal is one that was asked for; otherwise it is the machine's GOAL.
    pub has_goal: bool,
}

/// Chooses sizes and preferences and compiles the machine. `goal` is the predicate that was asked
/// for; the name `GOAL` alone takes the machine's definition.
///
/// # Errors
/// Unknown set, a size below 1, an ill-formed preference, a goal that does not type, what this version
/// cannot evaluate.
pub fn set_up(
    machine: &Arc<Machine>,
    options: &SetupOptions,
    goal: Option<&Node>,
) -> Result<Model, Vec<Diagnostic>> {
    let mut warnings = Vec::new();
    let limits = sizes::limits(machine, options, &mut warnings)?;
    let sized = sizes::resolve(machine, options, &limits)?;
    let sets = sized.infos;
    let mut instance = Instance::new(machine.clone(), sized.sizes, limits.min_int, limits.max_int);
    let goal = match goal {
        None => machine.goal.clone(),
        Some(node) => {
            let typed = typing::type_predicate(machine, instance.names.lists(), node)?;
            let mut extended = (**machine).clone();
            extended.locals.extend(typed.locals);
            instance.machine = Arc::new(extended);
            Some(typed.pred)
        }
    };
    let named = goal.as_ref().map(named_elements).unwrap_or_default();
    let asymmetric = asymmetric::asymmetric_sets(machine);
    let mut infos = Vec::new();
    let mut symmetric = Vec::new();
    for mut info in sets {
        let fixed: Vec<u32> =
            named.iter().filter(|(s, _)| *s == info.set).map(|(_, e)| *e).collect();
        info.fixed =
            fixed.iter().map(|e| instance.names.element(info.set, *e).to_string()).collect();
        info.asymmetric =
            asymmetric.iter().find(|(s, _)| *s == info.set).map(|(_, why)| why.clone());
        info.symmetric = info.asymmetric.is_none();
        if info.symmetric {
            symmetric.push(SymmetricSet::with_fixed(info.set, info.size, &fixed));
        }
        infos.push(info);
    }
    let bounds = infos
        .iter()
        .filter(|i| i.source == SizeSource::Default)
        .map(|i| {
            format!(
                "{} has {} elements by default (--card {}=N or scope_{} chooses)",
                i.name, i.size, i.name, i.name
            )
        })
        .collect();
    let instance = Arc::new(instance);
    let program = Program::new(instance, goal)?;
    Ok(Model {
        instance: program.instance.clone(),
        program: Arc::new(program),
        sets: infos,
        group: Group::new(symmetric),
        bounds,
        warnings,
        has_goal: options.goal.is_some(),
    })
}

/// Elements of sized sets that a predicate names: it is not symmetric in them.
fn named_elements(p: &Pred) -> BTreeSet<(SetId, u32)> {
    let found = RefCell::new(BTreeSet::new());
    let _ = rewrite::pred(p, &|kind| {
        if let ExprKind::Element(set, i) = kind {
            found.borrow_mut().insert((*set, *i));
        }
        None
    });
    found.into_inner()
}
