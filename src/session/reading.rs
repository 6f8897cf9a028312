//! Steps that were written down, read back: each value as an expression of the type that its place
//! has, whatever its notation.

use super::animator::{Animator, Match, Replayed};
use super::ask::Refused;
use crate::diagnostic::Diagnostic;
use crate::eval::{Evaluator, Program};
use crate::machine::{
    Conjunct, ConstId, Global, LocalId, Machine, Named, Notations, OpId, Operation, Symbolic, Type,
    VarId,
};
use crate::normalise::type_predicate;
use crate::report::steps::StepText;
use crate::run::{Event, INITIALISATION, Label, SETUP, Step};
use crate::source::Sources;
use crate::state::Instance;
use crate::syntax::ast::{BinaryOp, Node, NodeKind};
use crate::syntax::parse_formula;
use crate::typing::Formula;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Follows written steps from the root, as far as they can be read and go. Where one could not be read,
/// why.
pub fn follow(
    animator: &mut Animator,
    written: &[StepText],
    how: Match,
) -> (Replayed, Option<Refused>) {
    let mut reader = Reader::new(&animator.model().program.instance, how);
    let mut steps = Vec::with_capacity(written.len());
    let mut refused = None;
    for (n, text) in written.iter().enumerate() {
        match reader.step(n + 1, text) {
            Ok(step) => steps.push(step),
            Err(diagnostics) => {
                refused = Some(Refused { diagnostics, sources: reader.sources.clone() });
                break;
            }
        }
    }
    let replayed = animator.replay(&steps, how);
    let complete = replayed.complete && refused.is_none();
    (Replayed { complete, ..replayed }, refused.filter(|_| replayed.complete))
}

/// Follows single steps that were written down, from wherever a run stands.
pub struct Follower<'a>(Reader<'a>);

impl Follower<'_> {
    pub fn new(instance: &Instance) -> Follower<'_> {
        Follower(Reader::new(instance, Match::Alike))
    }

    /// Takes the transition that is most like a step. False where it cannot be read, or there is none.
    pub fn follow(&mut self, animator: &mut Animator, written: &StepText) -> bool {
        self.0.step(1, written).is_ok_and(|step| animator.follow(&step, Match::Alike))
    }
}

/// How faithful a replay was.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Faithful {
    /// Number of steps that were taken.
    pub followed: usize,
    /// Those that have other results or lead to other values than were written: the number, from 1, and
    /// what the step does here.
    pub differ: Vec<(usize, String)>,
    /// The last step fails here, too.
    pub failed: bool,
}

/// Follows written steps as [`follow`] does, taking what is most alike, and compares what was done.
pub fn faithful(animator: &mut Animator, written: &[StepText]) -> (Faithful, Option<Refused>) {
    let (replayed, refused) = follow(animator, written, Match::Alike);
    let instance = animator.model().program.instance.clone();
    let mut told = Faithful { followed: replayed.steps, ..Faithful::default() };
    told.failed = replayed.complete && written.last().is_some_and(|step| step.failed);
    let mut reader = Reader::new(&instance, Match::Alike);
    for (n, (taken, text)) in animator.history().iter().zip(written).enumerate() {
        let Ok(wanted) = reader.step(n + 1, text) else { continue };
        if !taken.is(&wanted) {
            let own = StepText::of(&instance, taken);
            let values = own.changed.iter().map(|(name, value)| format!("{name} = {value}"));
            let values = values.collect::<Vec<_>>().join(", ");
            told.differ.push((n + 1, format!("{} here: {values}", own.label())));
        }
    }
    (told, refused)
}

/// Why there is no value.
enum Problem {
    /// The text is no expression of this type.
    Refused(Vec<Diagnostic>),
    /// It is one, and has no value that can be written: it is infinite or undefined.
    NoValue(Vec<Diagnostic>),
}

/// Reads steps of one machine.
struct Reader<'a> {
    instance: &'a Instance,
    how: Match,
    /// What a value may mention: sets, the constructors of free types.
    scope: Machine,
    /// The names of the elements, as they are printed.
    elements: Vec<Vec<Arc<str>>>,
    sources: Sources,
    known: FxHashMap<(Type, String), Value>,
}

impl Reader<'_> {
    fn new(instance: &Instance, how: Match) -> Reader<'_> {
        let machine = &*instance.machine;
        let number = |set: usize, i: usize| {
            instance.names.element(crate::machine::SetId(set as u32), i as u32)
        };
        let lists = instance.names.lists();
        let elements = lists.iter().enumerate();
        let elements =
            elements.map(|(set, list)| (0..list.len()).map(|i| number(set, i)).collect()).collect();
        // Whatever else has a name could stand before that of an element.
        let scope = Machine {
            constants: Vec::new(),
            variables: Vec::new(),
            properties: Vec::new(),
            invariant: Vec::new(),
            assertions: Vec::new(),
            initialisation: None,
            operations: Arc::default(),
            goal: None,
            scope: None,
            abbreviations: Vec::new(),
            symbolic: Symbolic::default(),
            notations: Notations::default(),
            ..machine.clone()
        };
        let (sources, known) = (Sources::new(), FxHashMap::default());
        Reader { instance, how, scope, elements, sources, known }
    }

    /// A step, which has this number in messages.
    fn step(&mut self, number: usize, text: &StepText) -> Result<Step, Vec<Diagnostic>> {
        let instance = self.instance;
        let machine = &*instance.machine;
        let label = match &*text.operation {
            SETUP => self.plain(number, text, Event::SetUp)?,
            INITIALISATION => self.plain(number, text, Event::Initialisation)?,
            name => {
                let found = machine.operations.iter().position(|o| o.visible && *o.name == *name);
                let id = found.ok_or_else(|| {
                    vec![wrong(number, format!("the machine has no operation `{name}`"))]
                })?;
                self.label(number, text, OpId(id as u32), &machine.operations[id])?
            }
        };
        let mut changed = Vec::new();
        for (name, value) in &text.changed {
            let declared = declared(machine, label.event, name);
            let Some((place, ty)) = declared else {
                match self.how {
                    Match::Alike => continue,
                    Match::Exact => {
                        let text = format!("the machine has no variable or constant `{name}`");
                        return Err(vec![wrong(number, text)]);
                    }
                }
            };
            match self.value(&format!("step {number}, `{name}`"), ty, value) {
                Ok(value) => changed.push((place, value)),
                Err(Problem::NoValue(_)) => {}
                Err(Problem::Refused(_)) if self.how == Match::Alike => {}
                Err(Problem::Refused(diagnostics)) => return Err(diagnostics),
            }
        }
        changed.sort_by_key(|(place, _)| *place);
        Ok(Step { label, changed, failed: text.failed })
    }

    fn plain(
        &self,
        number: usize,
        text: &StepText,
        event: Event,
    ) -> Result<Label, Vec<Diagnostic>> {
        if text.arguments.is_empty() && text.results.is_empty() {
            return Ok(Label::of(event));
        }
        let text = format!("{} has neither arguments nor results", text.operation);
        Err(vec![wrong(number, text)])
    }

    fn label(
        &mut self,
        number: usize,
        text: &StepText,
        id: OpId,
        operation: &Operation,
    ) -> Result<Label, Vec<Diagnostic>> {
        let mut list = |what: &str, locals: &[LocalId], texts: &[String]| {
            if locals.len() != texts.len() {
                let (wanted, given) = (locals.len(), texts.len());
                let name = &operation.name;
                let text = format!("`{name}` has {wanted} {what}s, and here are {given}");
                return Err(vec![wrong(number, text)]);
            }
            let values = locals.iter().zip(texts).map(|(id, text)| {
                let local = self.instance.machine.local(*id);
                let title = format!("step {number}, {what} `{}`", local.name);
                self.value(&title, &local.ty, text).map_err(|problem| match problem {
                    Problem::Refused(diagnostics) | Problem::NoValue(diagnostics) => diagnostics,
                })
            });
            values.collect::<Result<Vec<Value>, _>>()
        };
        let arguments = list("argument", &operation.parameters, &text.arguments)?;
        // A step that failed has none.
        let results = match text.failed && text.results.is_empty() {
            true => Vec::new(),
            false => list("result", &operation.results, &text.results)?,
        };
        Ok(Label { event: Event::Operation(id), arguments, results })
    }

    /// The value of a text that stands for one of this type.
    fn value(&mut self, title: &str, ty: &Type, text: &str) -> Result<Value, Problem> {
        // A result that was not assigned.
        if text == "?" {
            return Ok(Value::unassigned());
        }
        let key = (ty.clone(), text.to_owned());
        if let Some(value) = self.known.get(&key) {
            return Ok(value.clone());
        }
        self.sources = Sources::new();
        let id = self.sources.add(title, text);
        let node = parse_formula(&self.sources, id).map_err(Problem::Refused)?;
        let span = node.span;
        // A constant of this type is equal to it, and solved. Its name cannot be written.
        let name: Arc<str> = Arc::from("the value");
        let constant = Global { name: name.clone(), ty: ty.clone(), span };
        let mut machine = Machine { constants: vec![constant], ..self.scope.clone() };
        let left = Box::new(Node { kind: NodeKind::Name(name), span });
        let equation = NodeKind::Binary(BinaryOp::Equal, left, Box::new(node));
        let equation = Formula::plain(Node { kind: equation, span });
        let typed =
            type_predicate(&machine, &self.elements, &equation).map_err(Problem::Refused)?;
        machine.locals.extend(typed.locals);
        machine.properties = vec![Conjunct::of(typed.pred)];
        let instance = Instance { machine: Arc::new(machine), ..self.instance.clone() };
        let program = Program::new(Arc::new(instance), None, false).map_err(Problem::NoValue)?;
        let mut found = Vec::new();
        let ended = Evaluator::new(Arc::new(program)).setups(&mut found);
        match (ended, found.pop().and_then(|mut values| values.pop())) {
            (Ok(()), Some(value)) if found.is_empty() && !value.is_symbolic() => {
                self.known.insert(key, value.clone());
                Ok(value)
            }
            _ => Err(Problem::NoValue(vec![Diagnostic::error(
                "trace-step",
                span,
                "this has no value here".to_owned(),
            )])),
        }
    }
}

/// What a changed value belongs to.
fn declared<'a>(machine: &'a Machine, event: Event, name: &str) -> Option<(Named, &'a Type)> {
    let at = |all: &[Global]| all.iter().position(|g| *g.name == *name);
    if event == Event::SetUp {
        let i = at(&machine.constants)?;
        return Some((Named::Constant(ConstId(i as u32)), &machine.constants[i].ty));
    }
    let i = at(&machine.variables)?;
    Some((Named::Variable(VarId(i as u32)), &machine.variables[i].ty))
}

fn wrong(number: usize, text: String) -> Diagnostic {
    Diagnostic::without_place("trace-step", format!("step {number}: {text}"))
}
