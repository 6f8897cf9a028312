//! Everything that is fixed before the first state: set sizes, preferences, the compiled program.

mod any_values;
pub mod asymmetric;
pub mod bound;
mod cardinalities;
mod conditions;
pub mod explain;
pub mod fitting;
mod given;
mod properties;
pub mod sizes;
pub mod static_symmetry;

use crate::clock::{Phase, enter};
use crate::diagnostic::Diagnostic;
use crate::eval::run::questions::named_elements;
use crate::eval::{Program, Topic};
use crate::machine::Machine;
use crate::normalise;
use crate::state::{Instance, Outside, WdGuards};
use crate::symmetry::{Group, SymmetricSet};
use crate::typing::{Definitions, Formula};
use std::sync::Arc;

pub use bound::Bound;
pub use explain::{Asymmetry, SymmetryExplanation};
pub use given::give_constants;
pub use sizes::{SetInfo, SizeSource};
pub use static_symmetry::StaticSymmetry;

/// What the user says about sizes and preferences.
#[derive(Clone, PartialEq, Debug)]
pub struct SetupOptions {
    /// `--card S=n`
    pub cards: Vec<(String, u64)>,
    pub max_int: Option<i64>,
    pub min_int: Option<i64>,
    /// `--pref NAME=VALUE`
    pub preferences: Vec<(String, String)>,
    /// `--constant NAME=VALUE`: values of constants and of machine parameters, as text. Parsed by
    /// whoever owns the sources; [`set_up`] is given a machine with the equations among its
    /// PROPERTIES ([`give_constants`]).
    pub constants: Vec<(String, String)>,
    /// `--goal P`, as text; `GOAL` takes the machine's definition. Parsed by whoever owns the
    /// sources, and given to [`set_up`] parsed.
    pub goal: Option<String>,
    /// What an undefined guard is taken for.
    pub wd_guards: WdGuards,
    /// Whether set-ups that differ in the names of elements only are left out ([`static_symmetry`]).
    pub static_symmetry: bool,
    /// What external functions of chance depend on.
    pub seed: u64,
    /// Whether questions are all that will be asked: what finds the set-ups is compiled if it is wanted all the same.
    pub questions_only: bool,
}

impl Default for SetupOptions {
    fn default() -> SetupOptions {
        SetupOptions {
            cards: Vec::new(),
            max_int: None,
            min_int: None,
            preferences: Vec::new(),
            constants: Vec::new(),
            goal: None,
            wd_guards: WdGuards::default(),
            static_symmetry: true,
            seed: 1,
            questions_only: false,
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
    /// What was done to the set-ups; nothing, with static symmetry off.
    pub static_symmetry: StaticSymmetry,
    /// Where each set's symmetry went.
    pub explanation: SymmetryExplanation,
    /// What limits every result with this set-up (sets sized by default).
    pub bounds: Vec<Bound>,
    pub warnings: Vec<Diagnostic>,
    /// Whether the program's goal is one that was asked for; otherwise it is the machine's GOAL.
    pub has_goal: bool,
    /// What formulas that are typed in may use.
    pub definitions: Arc<Definitions>,
    /// What it was set up from.
    typed: Arc<Machine>,
    options: SetupOptions,
}

impl Model {
    /// The same, whose formulas that are typed in may use these definitions.
    pub fn with_definitions(self, definitions: Arc<Definitions>) -> Model {
        Model { definitions, ..self }
    }

    /// The same machine with these sizes of sets, and without the goal that was asked for.
    ///
    /// # Errors
    /// The machine cannot have them.
    pub fn resized(&self, cards: Vec<(String, u64)>) -> Result<Model, Vec<Diagnostic>> {
        let options = SetupOptions { cards, goal: None, ..self.options.clone() };
        Ok(set_up(&self.typed, &options, None)?.with_definitions(self.definitions.clone()))
    }

    fn goal_names_elements(&self) -> bool {
        self.program.questions.of(Topic::Goal).iter().any(|q| !q.names.is_empty())
    }

    /// The text of the goal that was asked for, if it names elements of sets that are sized here: whoever sets up the
    /// same has to ask for it, too.
    pub fn naming_goal(&self) -> Option<&str> {
        self.options.goal.as_deref().filter(|_| self.goal_names_elements())
    }

    /// The model that asks for another goal. Nothing is read or typed again but the goal; the machine is
    /// set up again only where a goal, this one or the one before, names elements: then it says which
    /// permutations may be used.
    ///
    /// # Errors
    /// The goal does not type, or cannot be evaluated.
    pub fn ask(&self, text: &str, goal: &Formula) -> Result<Model, Vec<Diagnostic>> {
        let machine = &self.instance.machine;
        let typed = normalise::type_predicate(machine, &self.instance.names.lists(), goal)?;
        let before = self.goal_names_elements();
        let options = SetupOptions { goal: Some(text.to_owned()), ..self.options.clone() };
        if before || !named_elements(machine, &typed.pred).is_empty() {
            let model = set_up(&self.typed, &options, Some(goal))?;
            return Ok(model.with_definitions(self.definitions.clone()));
        }
        let program = Arc::new(self.program.ask(Topic::Goal, typed.pred, typed.locals)?);
        let instance = program.instance.clone();
        Ok(Model { instance, program, has_goal: true, options, ..self.clone() })
    }
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
    goal: Option<&Formula>,
) -> Result<Model, Vec<Diagnostic>> {
    enter(Phase::Sizes);
    let typed = machine;
    let machine = &any_values::shown(machine, options);
    let mut warnings = Vec::new();
    let limits = sizes::limits(machine, options, &mut warnings)?;
    let sized = sizes::resolve(machine, options, &limits)?;
    let sets = sized.infos;
    let mut instance = Instance::new(machine.clone(), sized.sizes, limits.min_int, limits.max_int);
    instance.wd_guards = options.wd_guards;
    instance.outside = Arc::new(Outside::new(machine.files.as_deref(), options.seed));
    let goal = match goal {
        None => machine.goal.clone(),
        Some(formula) => {
            let typed = normalise::type_predicate(machine, &instance.names.lists(), formula)?;
            let mut extended = (**machine).clone();
            extended.locals.extend(typed.locals);
            instance.machine = Arc::new(extended);
            Some(typed.pred)
        }
    };
    let named = goal.as_ref().map(|goal| named_elements(machine, goal)).unwrap_or_default();
    let goal_span = goal.as_ref().map(|goal| goal.span);
    let asymmetric = asymmetric::asymmetric_sets(machine);
    let statics = match options.static_symmetry {
        // A goal that names elements of a set tells apart what the rules would take for the same,
        // and means the names as they are declared.
        true => {
            let of_goal = named.iter().map(|(set, _)| *set);
            StaticSymmetry::find(&instance, &asymmetric.keys().copied().chain(of_goal).collect())
        }
        false => StaticSymmetry::default(),
    };
    apply(&statics, &mut instance);
    let explanation = SymmetryExplanation::new(
        &instance,
        &sets,
        &statics,
        (&named, goal_span),
        &asymmetric,
        options,
    );
    let mut infos = Vec::new();
    let mut symmetric = Vec::new();
    for (mut info, explained) in sets.into_iter().zip(&explanation.sets) {
        info.fixed = explained.fixed.iter().map(|f| f.name.to_string()).collect();
        info.symmetric = explained.is_symmetric();
        if info.symmetric {
            let fixed: Vec<u32> = explained.fixed.iter().map(|f| f.element).collect();
            symmetric.push(SymmetricSet::with_fixed(info.set, info.size, &fixed));
        }
        infos.push(info);
    }
    let bounds = infos
        .iter()
        .filter(|i| i.source.is_open())
        .map(|i| Bound::OpenSize { set: i.name.clone(), size: i.size, source: i.source })
        .collect();
    let instance = Arc::new(instance);
    enter(Phase::Compiling);
    let program = Program::new(instance, goal, options.questions_only)?;
    Ok(Model {
        instance: program.instance.clone(),
        program: Arc::new(program),
        sets: infos,
        group: Group::new(symmetric),
        static_symmetry: statics,
        explanation,
        bounds,
        warnings,
        has_goal: options.goal.is_some(),
        definitions: Arc::default(),
        typed: typed.clone(),
        options: options.clone(),
    })
}

/// Adds the rules of static symmetry to the PROPERTIES, and gives elements the names of the constants
/// that are equal to them. Where that is all there is to the constants, setting them up is no step.
fn apply(statics: &StaticSymmetry, instance: &mut Instance) {
    let rules = statics.properties(&instance.machine);
    if rules.is_empty() {
        return;
    }
    let mut machine = (*instance.machine).clone();
    machine.properties.extend(rules);
    for (set, element, constant) in statics.fixed() {
        instance.names.rename(set, element, machine.constant(constant).name.clone());
    }
    // A constant that was replaced by its value is still told of.
    instance.setup_step =
        statics.fixed().count() < machine.constants.len() || !machine.abbreviations.is_empty();
    instance.machine = Arc::new(machine);
}
