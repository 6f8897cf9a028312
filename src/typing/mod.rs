//! Names, types, definitions; several files become one machine.
//!
//! | file | subject |
//! |---|---|
//! | [`loader`], [`folders`] | the files a machine needs, parsed; where they may be |
//! | [`lists`] | definitions that stand for a list of names |
//! | [`flatten`] | instances of machines, declarations, clauses: one flat machine |
//! | [`clauses`] | which clauses a machine may have |
//! | [`scope`] | what names mean |
//! | [`context`] | the state of an elaboration: reporting, names, expansion of definitions |
//! | [`expression`], [`operators`], [`functions`], [`predicate`], [`substitution`] | from syntax trees to typed trees |
//! | [`equations`] | names that equations give their values |
//! | [`definitions`] | definitions as a whole: circles, unused ones |
//! | [`tree`] | operators on trees |
//! | [`refinement`] | what refinements take over |
//! | [`counterparts`] | operations of refinements, and those that they refine |
//! | [`external`] | definitions that stand in for external functions |
//! | [`freetypes`] | constructors and destructors of free types |
//! | [`simultaneous`] | what several parts of a parallel composition write together |
//! | [`settings`], [`pragmas`] | definitions and comments that speak to the tool |
//! | [`packages`] | the folders that packages speak of |
//! | [`infer`] | unification, overloading |
//! | [`mismatch`], [`show`] | types that do not fit, and why; types as text |
//! | [`confused`] | what operators are taken for whose operands do not fit |
//! | [`warnings`] | what is legal and probably not meant |
//! | [`finish`] | the last walk: ground types, overloading resolved |
//!
//! Names are resolved, definitions expanded and types inferred in one walk over the syntax tree. The
//! typed tree it makes carries type terms, which a second walk replaces by ground types when all
//! clauses of all files have been seen. Passes that know no syntax are in [`crate::normalise`], by way of which
//! machines are loaded.

mod calls;
mod clauses;
mod confused;
mod context;
mod counterparts;
mod definitions;
mod equations;
mod expression;
mod external;
mod finish;
mod flatten;
mod folders;
mod freetypes;
mod functions;
mod infer;
mod lists;
mod loader;
mod mismatch;
mod operators;
mod packages;
mod pragmas;
mod predicate;
mod refinement;
mod scope;
mod settings;
mod show;
mod simultaneous;
mod substitution;
#[cfg(test)]
mod tests;
mod tree;
mod variant;
mod warnings;

use crate::clock::{Phase, enter};
use crate::diagnostic::Diagnostic;
use crate::machine::{
    Asked, Cell, Comparison, Expr, ExprKind, Global as Declaration, Local, Machine, Pred, PredKind,
    Question, SetKind, StandAlone, VarId,
};
use crate::source::{FileId, Sources, Span};
use crate::syntax::Dialect;
use crate::syntax::ast::{BinaryOp, Definition, MachineKind, Node, NodeKind};
use crate::{eventb, syntax};
use context::Elaborator;
use finish::Finish;
use flatten::Flatten;
pub use loader::ReadOptions;
use loader::{Loader, Unit};
use scope::{Declared, Environment, Global, Macro, Ownership};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

pub use warnings::unaffected_invariants;

/// Most diagnostics reported for one machine.
pub const MAX_DIAGNOSTICS: usize = 50;

/// A machine as it was loaded, with everything there is to say about it.
#[derive(Clone, Debug)]
pub struct Loaded<M = Machine> {
    /// `None` exactly when some diagnostic is an error.
    pub machine: Option<M>,
    /// The files read; empty only when the main file could not be read.
    pub sources: Sources,
    /// Where files that the machine refers to were looked for in vain, and those that could not be
    /// read.
    pub missing: Vec<PathBuf>,
    /// Files of the same project that are not among the sources, and could be at the next reading.
    pub others: Vec<PathBuf>,
    /// Errors first, each kind in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The definitions of the main file, for formulas that are typed in later.
    pub definitions: Arc<Definitions>,
}

/// A machine with ground types, and what those who go on with it have to know of its text.
#[derive(Clone, Debug)]
pub struct Typed {
    pub machine: Machine,
    /// What each operation may write.
    pub writes: Vec<Vec<Cell>>,
    /// Where sets begin that are to be kept by their descriptions.
    pub marked: BTreeSet<(FileId, u32)>,
    /// Lambdas and comprehensions of constants are kept by their descriptions, too.
    pub symbolic: bool,
}

/// Definitions as they were written.
#[derive(Clone, Default, Debug)]
pub struct Definitions(Vec<Definition>);

impl Definitions {
    pub fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.iter().map(|d| &d.name.name)
    }
}

/// A formula that was typed in, with the definitions that it may use.
#[derive(Clone, Debug)]
pub struct Formula {
    pub node: Node,
    pub definitions: Arc<Definitions>,
}

impl Formula {
    /// One that uses no definitions.
    pub fn plain(node: Node) -> Formula {
        Formula { node, definitions: Arc::default() }
    }

    /// The formula `P & name = E`, where this is `P`: what is looked for, and what is asked of it beside.
    pub fn with_value(&self, name: &str, value: &Node) -> Formula {
        let named = Node { kind: NodeKind::Name(name.into()), span: value.span };
        let equation = NodeKind::Binary(BinaryOp::Equal, Box::new(named), Box::new(value.clone()));
        let equation = Node { kind: equation, span: value.span };
        let kind = NodeKind::Conjunction(vec![self.node.clone(), equation]);
        let node = Node { kind, span: self.node.span };
        Formula { node, definitions: self.definitions.clone() }
    }
}

/// A machine in a file, with the machines and files of definitions it refers to.
pub fn from_path(path: &Path, options: &ReadOptions) -> Loaded<Typed> {
    elaborate(Loader::from_path(path, options))
}

/// A machine whose bytes were read already.
pub fn from_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Loaded<Typed> {
    elaborate(Loader::from_bytes(name, bytes, options))
}

/// A machine as a text, without references to other files.
pub fn from_text(name: &str, text: &str, options: &ReadOptions) -> Loaded<Typed> {
    elaborate(Loader::from_text(name, text, options))
}

/// Puts diagnostics into the order in which they are told: errors first, each kind in the order of the text.
pub fn in_order(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.sort_by_key(|d| (!d.is_error(), d.span));
    diagnostics.dedup();
    diagnostics.truncate(MAX_DIAGNOSTICS);
}

fn elaborate(loader: Loader) -> Loaded<Typed> {
    let files = loader.files();
    let Loader {
        sources,
        missing,
        others,
        mut diagnostics,
        units,
        names_complete,
        preferences,
        ..
    } = loader;
    let mut machine = None;
    // A circle of machines has no flat form.
    if !units.is_empty() && !diagnostics.iter().any(|d| d.code == "include-cycle") {
        let parsed = !diagnostics.iter().any(Diagnostic::is_error);
        let is_syntax = |d: &Diagnostic| {
            !matches!(d.code, "file-not-found" | "unreadable-file" | "include-outside")
        };
        let names = names_complete && diagnostics.iter().all(is_syntax);
        enter(Phase::Typing);
        let (typed, found) = flat_machine(&units, &sources, &preferences);
        // After errors of syntax some names are missing: only what is wrong for certain is said.
        diagnostics.extend(
            found
                .into_iter()
                .filter(|d| parsed || is_certain(d) || names && d.code == "undeclared-identifier"),
        );
        if !diagnostics.iter().any(Diagnostic::is_error) {
            machine = typed.map(|mut typed| {
                typed.machine.files = files;
                typed
            });
        }
    }
    in_order(&mut diagnostics);
    let own = units.first().map(|unit| &unit.definitions);
    let definitions = own.into_iter().flatten().map(|(d, _)| d.clone()).collect();
    let definitions = Arc::new(Definitions(definitions));
    Loaded { machine, sources, missing, others, diagnostics, definitions }
}

/// Whether an error does not depend on what another file or an unparsed part may have declared.
fn is_certain(diagnostic: &Diagnostic) -> bool {
    !matches!(
        diagnostic.code,
        "undeclared-identifier"
            | "unknown-operation"
            | "type-not-determined"
            | "machine-arity"
            | "not-initialised"
            | "missing-initialisation"
            | "missing-refines"
            | "refined-parameters"
            | "not-refined"
            | "nothing-refined"
            | "unused-definition-ill-typed"
            | "ill-typed-setting"
            | "misspelled-scope"
            | "scope-of-enumerated"
            | "never-written"
            | "no-invariant"
            | "unused-definition"
            | "unaffected-invariant"
    )
}

fn flat_machine(
    units: &[loader::Unit],
    sources: &Sources,
    preferences: &[(String, String)],
) -> (Option<Typed>, Vec<Diagnostic>) {
    let mut flatten = Flatten::new(units, preferences);
    let mut environment = flatten.main();
    flatten.elaborator.solve(true);
    let sets = flatten.used_as_sets();
    if !sets.is_empty() {
        flatten = Flatten::with_sets(units, preferences, sets);
        environment = flatten.main();
        flatten.elaborator.solve(true);
    }
    flatten.report_open_types();
    if flatten.elaborator.errors() == 0 {
        flatten.report_never_written(environment, sources);
        flatten.report_no_invariant();
    }
    flatten.elaborator.environment = environment;
    let own: Vec<Rc<Macro>> = flatten
        .definitions
        .iter()
        .filter(|(e, _)| *e == environment)
        .map(|(_, d)| d.clone())
        .collect();
    let settings = flatten.elaborator.settings(&own, sources);
    let symbolic = flatten.elaborator.prefers("SYMBOLIC");
    flatten.report_unused_definitions();
    let initialisation = flatten.whole_initialisation();
    let Flatten { elaborator: e, properties, has_properties, invariant, assertions, .. } = flatten;
    let Elaborator { mut infer, sets, freetypes, constants, variables, locals, operations, .. } = e;
    let mut diagnostics = e.diagnostics;
    if diagnostics.iter().any(Diagnostic::is_error) {
        return (None, diagnostics);
    }
    let writes = e.operation_writes;
    let abstract_variables = abstract_variables(&units[0], &variables);
    let mut machine = Machine {
        name: units[0].file.name.name.clone(),
        dialect: dialect_of(&units[0]),
        sets,
        freetypes,
        constants,
        variables,
        abstract_variables,
        locals,
        properties,
        has_properties,
        assumed: Vec::new(),
        invariant,
        assertions,
        initialisation,
        claims: e.claims,
        operations: Arc::new(operations),
        goal: settings.goal,
        scope: settings.scope,
        scope_sizes: settings.scope_sizes,
        preferences: settings.preferences,
        temporal: settings.temporal,
        force_symmetry: settings.force_symmetry,
        asymmetric: Vec::new(),
        symbolic: Default::default(),
        notations: Default::default(),
        abbreviations: Vec::new(),
        files: None,
    };
    let mut finish = Finish { infer: &mut infer, too_large: Vec::new() };
    finish.machine(&mut machine);
    diagnostics.extend(too_large(finish.too_large));
    (Some(Typed { machine, writes, marked: pragmas::kept_sets(sources), symbolic }), diagnostics)
}

fn too_large(mut spans: Vec<Span>) -> Option<Diagnostic> {
    spans.sort();
    let span = *spans.first()?;
    let (parts, levels) = (infer::MAX_SIZE, infer::MAX_DEPTH);
    let message = format!(
        "this type has more than {parts} parts, or is nested more than {levels} levels deep"
    );
    let hint = "name a part of it by a set, or keep it in a variable of its own";
    Some(Diagnostic::error("type-too-large", span, message).hint(hint))
}

/// The variables that only abstract machines have.
fn abstract_variables(unit: &Unit, variables: &[Declaration]) -> Vec<(VarId, Arc<str>)> {
    let found = unit.file.abstract_variables.iter().filter_map(|(name, machine)| {
        let number = variables.iter().position(|v| v.name == *name)?;
        Some((VarId(number as u32), machine.clone()))
    });
    found.collect()
}

fn dialect_of(unit: &Unit) -> Dialect {
    match unit.file.kind {
        MachineKind::EventB => Dialect::EventB,
        _ => Dialect::Classical,
    }
}

/// Parses a formula that was typed in, in the notation of the machine that it is about. It may use these
/// definitions.
///
/// # Errors
/// At least one diagnostic.
pub fn parse_formula(
    machine: &Machine,
    definitions: &Arc<Definitions>,
    sources: &Sources,
    id: FileId,
) -> Result<Formula, Vec<Diagnostic>> {
    let node = match machine.dialect {
        Dialect::Classical => syntax::parse_formula(sources, id)?,
        Dialect::EventB => eventb::notation::parse_formula(sources, id)?,
    };
    Ok(Formula { node, definitions: definitions.clone() })
}

/// What is wrong with a formula by itself, whatever its names stand for: the first thing.
pub fn wrong_form(dialect: Dialect, text: &str) -> Option<String> {
    let mut sources = Sources::default();
    let id = sources.add("formula", text);
    let parsed = match dialect {
        Dialect::Classical => syntax::parse_formula(&sources, id),
        Dialect::EventB => eventb::notation::parse_formula(&sources, id),
    };
    parsed.err().and_then(|wrong| Some(wrong.into_iter().next()?.message))
}

/// Types a predicate against a machine: [`crate::normalise::type_predicate`] says how, and goes on with it.
///
/// # Errors
/// At least one diagnostic, with spans of the formula.
pub fn predicate(
    machine: &Machine,
    elements: &[Vec<Arc<str>>],
    formula: &Formula,
) -> Result<StandAlone, Vec<Diagnostic>> {
    let mut e = elaborator_of(machine, elements, &formula.definitions);
    let mut pred = e.pred(&formula.node);
    let locals = typed(&mut e, |finish| finish.pred(&mut pred))?;
    Ok(StandAlone { pred, locals })
}

/// Types a formula that is to be evaluated: [`crate::normalise::type_question`] says how, and goes on with it.
///
/// # Errors
/// At least one diagnostic, with spans of the formula.
pub fn question(
    machine: &Machine,
    elements: &[Vec<Arc<str>>],
    formula: &Formula,
) -> Result<Question, Vec<Diagnostic>> {
    let mut e = elaborator_of(machine, elements, &formula.definitions);
    let node = &formula.node;
    let is_predicate = e.is_predicate(node, 0);
    let mut pred = if is_predicate {
        e.free = Some(Vec::new());
        e.pred(node)
    } else {
        // An equation with the value is a predicate like any other.
        let expr = e.expr(node);
        let value = e.new_local("".into(), expr.ty.clone(), node.span);
        let local = Expr::new(ExprKind::Local(value), expr.ty.clone(), node.span);
        Pred::new(PredKind::Compare(Comparison::Equal, local, expr), node.span)
    };
    // As it is known, that of `{}` not at all.
    let asked_type = match &pred.kind {
        PredKind::Compare(_, _, expr) => Some(expr.ty.clone()),
        _ => None,
    };
    let locals = typed(&mut e, |finish| finish.pred(&mut pred))?;
    let asked = match pred.kind {
        PredKind::Compare(_, _, expr) if !is_predicate => {
            let ty = e.show(asked_type.as_ref().unwrap_or(&expr.ty));
            Asked::Expression(expr, ty)
        }
        _ => {
            let free = e.free.take().unwrap_or_default();
            Asked::Predicate(pred, free.into_iter().map(|(_, id)| id).collect())
        }
    };
    Ok(Question { locals, ..Question::plain(asked) })
}

fn elaborator_of<'a>(
    machine: &Machine,
    elements: &[Vec<Arc<str>>],
    table: &'a Definitions,
) -> Elaborator<'a> {
    let mut e = Elaborator::of(machine.dialect);
    e.environments.push(machine_environment(machine, elements, table));
    e.sets = machine.sets.clone();
    e.freetypes = machine.freetypes.clone();
    e.constants = machine.constants.clone();
    e.constants.extend(machine.abbreviations.iter().map(|a| Declaration {
        name: a.name.clone(),
        ty: a.ty.clone(),
        span: a.span,
    }));
    e.variables = machine.variables.clone();
    e.first_local = machine.locals.len();
    e
}

/// Solves what is left open of the types, and gives all that was elaborated its ground types: what
/// `formula` finishes, and the locals.
fn typed(
    e: &mut Elaborator<'_>,
    formula: impl FnOnce(&mut Finish<'_>),
) -> Result<Vec<Local>, Vec<Diagnostic>> {
    e.solve(true);
    if e.errors() == 0 {
        // What a formula comes to needs no type to be shown: `{}` is the same of any.
        for local in e.locals.clone().into_iter().filter(|local| !local.name.is_empty()) {
            if e.infer.is_open(&local.ty) {
                e.infer.poison(&local.ty);
                let message = format!("the type of `{}` is never determined", local.name);
                e.report(Diagnostic::error("type-not-determined", local.span, message));
            }
        }
    }
    if e.errors() > 0 {
        let mut diagnostics = std::mem::take(&mut e.diagnostics);
        diagnostics.retain(Diagnostic::is_error);
        diagnostics.truncate(MAX_DIAGNOSTICS);
        return Err(diagnostics);
    }
    let mut locals = std::mem::take(&mut e.locals);
    let mut finish = Finish { infer: &mut e.infer, too_large: Vec::new() };
    for local in &mut locals {
        finish.ty(&mut local.ty, local.span);
    }
    formula(&mut finish);
    match too_large(finish.too_large) {
        Some(diagnostic) => Err(vec![diagnostic]),
        None => Ok(locals),
    }
}

/// What a stand-alone formula may mention.
fn machine_environment<'a>(
    machine: &Machine,
    elements: &[Vec<Arc<str>>],
    table: &'a Definitions,
) -> Environment<'a> {
    let mut environment = Environment::default();
    let mut declare = |name: &Arc<str>, meaning: Global<'a>, span: Span| {
        environment.globals.entry(name.clone()).or_insert(Declared { meaning, span });
    };
    let global = |list: &[Declaration], i: usize| (list[i].name.clone(), list[i].span);
    for i in 0..machine.variables.len() {
        let (name, span) = global(&machine.variables, i);
        let id = crate::machine::VarId(i as u32);
        declare(&name, Global::Variable(id, Ownership::Own), span);
    }
    for i in 0..machine.constants.len() {
        let (name, span) = global(&machine.constants, i);
        declare(&name, Global::Constant(crate::machine::ConstId(i as u32)), span);
    }
    for (i, a) in machine.abbreviations.iter().enumerate() {
        let id = crate::machine::ConstId((machine.constants.len() + i) as u32);
        declare(&a.name, Global::Constant(id), a.span);
    }
    for (i, freetype) in machine.freetypes.iter().enumerate() {
        let id = crate::machine::FreeId(i as u32);
        declare(&freetype.name, Global::Freetype(id), Span::default());
        for (j, constructor) in freetype.constructors.iter().enumerate() {
            declare(&constructor.name, Global::Constructor(id, j as u32), Span::default());
        }
    }
    for (i, set) in machine.sets.iter().enumerate() {
        declare(&set.name, Global::Set(crate::machine::SetId(i as u32)), set.span);
    }
    for definition in &table.0 {
        let meaning = Global::Definition(Rc::new(Macro {
            definition,
            error: None,
            cyclic: false,
            used: std::cell::Cell::new(false),
        }));
        declare(&definition.name.name, meaning, definition.name.span);
    }
    for (i, set) in machine.sets.iter().enumerate() {
        let names = match &set.kind {
            SetKind::Enumerated(names) => &names[..],
            _ => elements.get(i).map_or(&[][..], |names| names),
        };
        for (j, name) in names.iter().enumerate() {
            let id = crate::machine::SetId(i as u32);
            declare(name, Global::Element(id, j as u32), set.span);
        }
    }
    environment
}
