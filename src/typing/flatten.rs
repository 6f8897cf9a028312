//! Several machine files become one flat machine: instances, and what names each of them sees.
//!
//! An *instance* is a machine file under a prefix (`r.M`); two references to the same file under the
//! same prefix mean the same instance, so a machine seen from several places is there once. Sets,
//! constants and PROPERTIES belong to the file and are shared by all its instances; variables,
//! invariant, initialisation and operations belong to the instance.

mod abstraction;
mod arguments;
mod bodies;
mod freetypes;
mod inherited;
mod open;
mod owners;
mod valued;

use crate::diagnostic::Diagnostic;
use crate::machine::{
    CarrierSet, Conjunct, ConstId, Global as Declaration, LocalId, OpId, SetId, SetKind, Subst,
    SubstKind, Type, VarId,
};
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, DefinitionBody, Ident, Name, Node, NodeKind, SetDeclaration};
use crate::syntax::suggest;
use crate::typing::clauses;
use crate::typing::context::{Elaborator, count};
use crate::typing::definitions::find_cycles;
use crate::typing::loader::{Reference, ReferenceKind, Unit};
use crate::typing::refinement::{all_refined, check_heads, concrete_variables_of, variables_of};
use crate::typing::scope::{Callable, Declared, Environment, Global, Macro, Ownership};
use abstraction::{given, parameters_of};
use owners::Owners;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use valued::Apart;

/// A machine file under a prefix.
#[derive(Debug)]
pub struct Instance {
    unit: usize,
    prefix: String,
    pub environment: usize,
    /// The operations that an includer may call, by their names in this file.
    exported: Vec<(Name, OpId)>,
}

/// Collects the parts of the flat machine.
pub struct Flatten<'a> {
    pub elaborator: Elaborator<'a>,
    pub units: &'a [Unit],
    /// Sets, elements and constants, per unit.
    shared: FxHashMap<usize, Vec<(Name, Declared<'a>)>>,
    instances: Vec<Instance>,
    owners: Owners,
    /// References that were followed or are being followed: environment, and index in its unit.
    followed: FxHashSet<(usize, usize)>,
    /// References that were followed: from which environment, under which prefix, to which instance.
    referred: Vec<(usize, ReferenceKind, String, usize, Span)>,
    /// Environments of machines that are refined.
    pub abstractions: FxHashMap<usize, usize>,
    /// The environments of what a machine refines, by its own.
    refined: FxHashMap<usize, Vec<usize>>,
    /// Refined machines whose PROPERTIES are still to come, by the environment that refines them.
    awaited: FxHashMap<usize, Vec<(usize, usize)>>,
    /// What VALUES gives deferred sets, by environment.
    valued: FxHashMap<usize, FxHashMap<Name, Global<'a>>>,
    /// Machines that are refined, typed by themselves.
    apart: FxHashMap<usize, Rc<Apart>>,
    /// Units whose PROPERTIES were elaborated.
    units_with_properties: Vec<bool>,
    /// Parameters of the main machine that are sets although their names are not those of sets.
    sets_by_use: FxHashSet<Name>,
    /// Names that only an abstract machine has.
    pub abstract_locals: Vec<LocalId>,
    /// What the invariants of abstract machines say of the variables that are left.
    pub abstract_invariant: Vec<Conjunct>,
    /// Conjuncts of the invariant that speak of what only abstract machines have.
    pub left_out: Vec<Span>,
    /// Definitions per environment, in the order of the text.
    pub definitions: Vec<(usize, Rc<Macro<'a>>)>,
    pub properties: Vec<Conjunct>,
    pub has_properties: bool,
    pub invariant: Vec<Conjunct>,
    pub assertions: Vec<Conjunct>,
    pub initialisations: Vec<Subst>,
}

impl<'a> Flatten<'a> {
    /// `preferences` come before those that definitions set.
    pub fn new(units: &'a [Unit], preferences: &'a [(String, String)]) -> Flatten<'a> {
        let mut elaborator = Elaborator::of(super::dialect_of(&units[0]));
        elaborator.preferences = preferences;
        Flatten {
            elaborator,
            units,
            shared: FxHashMap::default(),
            instances: Vec::new(),
            owners: Owners::default(),
            followed: FxHashSet::default(),
            referred: Vec::new(),
            abstractions: FxHashMap::default(),
            refined: FxHashMap::default(),
            awaited: FxHashMap::default(),
            valued: FxHashMap::default(),
            apart: FxHashMap::default(),
            units_with_properties: vec![false; units.len()],
            sets_by_use: FxHashSet::default(),
            abstract_locals: Vec::new(),
            abstract_invariant: Vec::new(),
            left_out: Vec::new(),
            definitions: Vec::new(),
            properties: Vec::new(),
            has_properties: false,
            invariant: Vec::new(),
            assertions: Vec::new(),
            initialisations: Vec::new(),
        }
    }

    /// The same, where these parameters are sets.
    pub fn with_sets(
        units: &'a [Unit],
        preferences: &'a [(String, String)],
        sets_by_use: FxHashSet<Name>,
    ) -> Flatten<'a> {
        Flatten { sets_by_use, ..Flatten::new(units, preferences) }
    }

    /// The parameters of the main machine that are used as sets of nothing in particular, as set parameters
    /// are, although their names are those of numbers.
    pub fn used_as_sets(&self) -> FxHashSet<Name> {
        let e = &self.elaborator;
        let parameters = parameters_of(self.units, 0);
        let used = parameters.iter().filter(|parameter| {
            let declared = e.constants.iter().find(|c| c.span == parameter.span);
            let Some(Type::Pow(of)) = declared.and_then(|c| e.infer.head(&c.ty)) else {
                return false;
            };
            e.infer.head(&of).is_none()
        });
        used.map(|parameter| parameter.name.clone()).collect()
    }

    /// Elaborates the main machine with everything it refers to. Gives its environment.
    pub fn main(&mut self) -> usize {
        let mut diagnostics = Vec::new();
        match Owners::of(self.units, &mut diagnostics) {
            Ok(owners) => self.owners = owners,
            Err(too_many) => {
                self.report(too_many);
                return self.new_environment();
            }
        }
        diagnostics.extend(self.units.iter().flat_map(|unit| clauses::check(&unit.file)));
        diagnostics.extend(check_heads(self.units));
        diagnostics.into_iter().for_each(|diagnostic| self.report(diagnostic));
        let main = self.instantiate(0, "");
        self.inherit_invariant();
        self.report_left_out();
        let mut taken = FxHashSet::default();
        for (name, operation) in &self.instances[main].exported {
            taken.insert(name.clone());
            let operation = &mut self.elaborator.operations[operation.0 as usize];
            operation.visible = true;
            operation.name = name.clone();
        }
        self.offer_seen(main, taken);
        self.instances[main].environment
    }

    /// What is seen and included by nothing changes by itself: its operations are offered beside
    /// those of the main machine. One whose name is taken gets that of its machine before it.
    fn offer_seen(&mut self, main: usize, mut taken: FxHashSet<Name>) {
        let owned: FxHashSet<usize> =
            self.referred.iter().filter(|r| r.1.owns()).map(|r| r.3).collect();
        for (number, instance) in self.instances.iter().enumerate() {
            if number == main || owned.contains(&number) {
                continue;
            }
            for (_, operation) in &instance.exported {
                let operation = &mut self.elaborator.operations[operation.0 as usize];
                if operation.visible {
                    continue;
                }
                operation.visible = true;
                if !taken.insert(operation.name.clone()) {
                    let machine = &self.units[instance.unit].file.name.name;
                    operation.name = format!("{machine}.{}", operation.name).into();
                    taken.insert(operation.name.clone());
                }
            }
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.elaborator.report(diagnostic);
    }

    fn environment(&mut self, number: usize) -> &mut Environment<'a> {
        &mut self.elaborator.environments[number]
    }

    fn known(&self, unit: usize, prefix: &str) -> Option<usize> {
        self.instances.iter().position(|i| i.unit == unit && i.prefix == prefix)
    }

    /// An instance of a unit; an existing one, when there is one under this prefix.
    fn instantiate(&mut self, unit: usize, prefix: &str) -> usize {
        if let Some(known) = self.known(unit, prefix) {
            return known;
        }
        let units = self.units;
        let mut from = None;
        if let Some(owner) = self.owners.get(unit, prefix).cloned() {
            // It is seen before it is included: who includes it gives it its parameters.
            let number = self.instantiate(owner.unit, &owner.prefix);
            let environment = self.instances[number].environment;
            let references = &units[owner.unit].references;
            for (i, reference) in references[..=owner.reference].iter().enumerate() {
                self.refer(i, reference, environment, &owner.prefix);
            }
            if let Some(known) = self.known(unit, prefix) {
                return known;
            }
            from = Some((environment, &references[owner.reference]));
        }
        let environment = self.new_environment();
        self.instances.push(Instance {
            unit,
            prefix: prefix.to_owned(),
            environment,
            exported: Vec::new(),
        });
        let number = self.instances.len() - 1;
        self.parameters(unit, environment, from);
        self.valued_sets(unit, environment);
        // Before its own: what a refinement declares once more is what it refines.
        let abstractions = self.declare_abstractions(unit, environment);
        self.declare_shared(unit, environment);
        self.declare_variables(unit, environment, prefix);
        self.declare_definitions(unit, environment);
        for abstraction in abstractions {
            self.import(abstraction, environment, "", ReferenceKind::Refines);
        }
        self.import_valued(environment);
        for (i, reference) in units[unit].references.iter().enumerate() {
            self.refer(i, reference, environment, prefix);
        }
        self.inherit_variables(unit, environment, prefix);
        self.abstract_properties(environment);
        self.clauses(number);
        number
    }

    fn new_environment(&mut self) -> usize {
        self.elaborator.environments.push(Environment::default());
        self.elaborator.environments.len() - 1
    }

    // ---- declarations

    fn declare(&mut self, environment: usize, name: &Name, meaning: Global<'a>, span: Span) {
        let globals = &mut self.environment(environment).globals;
        if let Some(first) = globals.get(name) {
            let first = first.span;
            let message = format!("`{name}` is declared twice");
            self.report(
                Diagnostic::error("duplicate-declaration", span, message)
                    .note(first, "declared here already"),
            );
            return;
        }
        globals.insert(name.clone(), Declared { meaning, span });
    }

    fn parameters(
        &mut self,
        unit: usize,
        environment: usize,
        from: Option<(usize, &'a Reference)>,
    ) {
        let units = self.units;
        let parameters = parameters_of(units, unit);
        if let Some((caller, reference)) = from {
            let arguments = &reference.reference.arguments;
            if arguments.len() != parameters.len() {
                let message = format!(
                    "`{}` has {}, not {}",
                    units[unit].file.name.name,
                    count(parameters.len(), "parameter"),
                    arguments.len()
                );
                let diagnostic = Diagnostic::error("machine-arity", reference.span(), message);
                self.report(diagnostic.note(units[unit].file.name.span, "declared here"));
            } else {
                self.report_variables(arguments, caller);
                for (parameter, node) in parameters.iter().zip(arguments) {
                    let meaning = given(node, caller);
                    self.declare(environment, &parameter.name, meaning, parameter.span);
                }
                return;
            }
        }
        for parameter in parameters {
            let by_use = self.sets_by_use.contains(&parameter.name);
            if by_use {
                let message = format!(
                    "the parameter `{}` is used as a set, and taken as one",
                    parameter.name
                );
                let hint = "the name of a set parameter is all in capitals";
                self.report(Diagnostic::warning("set-by-use", parameter.span, message).hint(hint));
            }
            if clauses::is_scalar(&parameter.name) && !by_use {
                self.declare_constant(environment, parameter);
            } else {
                let id = self.new_set(parameter, SetKind::Parameter);
                self.declare(environment, &parameter.name, Global::Set(id), parameter.span);
            }
        }
    }

    fn new_set(&mut self, ident: &Ident, kind: SetKind) -> SetId {
        let sets = &mut self.elaborator.sets;
        sets.push(CarrierSet { name: ident.name.clone(), kind, span: ident.span });
        SetId(sets.len() as u32 - 1)
    }

    fn declare_constant(&mut self, environment: usize, ident: &Ident) {
        if let Some(meaning @ Global::Constant(_)) = self.abstract_meaning(environment, ident) {
            self.declare(environment, &ident.name, meaning, ident.span);
            return;
        }
        let ty = self.elaborator.infer.fresh();
        let constants = &mut self.elaborator.constants;
        constants.push(Declaration { name: ident.name.clone(), ty, span: ident.span });
        let id = ConstId(constants.len() as u32 - 1);
        self.declare(environment, &ident.name, Global::Constant(id), ident.span);
    }

    /// Declares the sets and constants of a unit, or gives those that are declared already.
    fn declare_shared(&mut self, unit: usize, environment: usize) {
        if let Some(known) = self.shared.get(&unit).cloned() {
            for (name, declared) in known {
                self.declare(environment, &name, declared.meaning, declared.span);
            }
            return;
        }
        let before: Vec<Name> = self.environment(environment).globals.keys().cloned().collect();
        let units = self.units;
        for clause in &units[unit].file.clauses {
            match &clause.kind {
                ClauseKind::Sets(declarations) => {
                    for declaration in declarations {
                        self.declare_set(unit, environment, declaration);
                    }
                }
                ClauseKind::Freetypes(list) => {
                    for declaration in list {
                        self.declare_freetype(environment, declaration);
                    }
                }
                ClauseKind::Constants(idents) | ClauseKind::AbstractConstants(idents) => {
                    for ident in idents {
                        self.declare_constant(environment, ident);
                    }
                }
                _ => {}
            }
        }
        let mut new: Vec<(Name, Declared<'a>)> = self
            .environment(environment)
            .globals
            .iter()
            .filter(|(name, _)| !before.contains(name))
            .map(|(name, declared)| (name.clone(), declared.clone()))
            .collect();
        new.sort_by_key(|(_, declared)| declared.span);
        self.shared.insert(unit, new);
    }

    fn declare_set(&mut self, unit: usize, environment: usize, declaration: &'a SetDeclaration) {
        let (ident, elements) = match declaration {
            SetDeclaration::Deferred(ident) => {
                let known = self.abstract_meaning(environment, ident);
                let meaning = known.filter(|m| matches!(m, Global::Set(_) | Global::Given(_)));
                let valued = || self.valued.get(&environment)?.get(&ident.name).cloned();
                let meaning = meaning.or_else(valued);
                let meaning =
                    meaning.unwrap_or_else(|| Global::Set(self.new_set(ident, SetKind::Deferred)));
                self.declare(environment, &ident.name, meaning, ident.span);
                return;
            }
            SetDeclaration::Enumerated(ident, elements) => (ident, elements.clone()),
            SetDeclaration::FromDefinition(ident, definition) => {
                (ident, self.elements_of(unit, definition))
            }
        };
        let names: Vec<Name> = elements.iter().map(|e| e.name.clone()).collect();
        let known = self.abstract_meaning(environment, ident);
        let id = match self.enumerated_here(known, &names) {
            Some(id) => id,
            None => self.new_set(ident, SetKind::Enumerated(names)),
        };
        self.declare(environment, &ident.name, Global::Set(id), ident.span);
        for (i, element) in elements.iter().enumerate() {
            let meaning = Global::Element(id, i as u32);
            self.declare(environment, &element.name, meaning, element.span);
        }
    }

    /// The elements of a set that is declared by a definition.
    fn elements_of(&mut self, unit: usize, definition: &Ident) -> Vec<Ident> {
        let units = self.units;
        let found = units[unit]
            .definitions
            .iter()
            .map(|(d, _)| d)
            .find(|d| d.name.name == definition.name && d.parameters.is_empty());
        let Some(found) = found else {
            let names = units[unit].definitions.iter().map(|(d, _)| &*d.name.name);
            let close = suggest::closest(&definition.name, names);
            let message = format!("there is no definition `{}`", definition.name);
            let mut diagnostic =
                Diagnostic::error("undeclared-identifier", definition.span, message);
            if let Some(close) = close {
                diagnostic = diagnostic.hint(format!("did you mean `{close}`?"));
            }
            self.report(diagnostic);
            return Vec::new();
        };
        if let DefinitionBody::Formula(Node { kind: NodeKind::SetExtension(items), .. }) =
            &found.body
        {
            let elements: Option<Vec<Ident>> = items
                .iter()
                .map(|item| match &item.kind {
                    NodeKind::Name(name) => Some(Ident { name: name.clone(), span: item.span }),
                    _ => None,
                })
                .collect();
            if let Some(elements) = elements {
                return elements;
            }
        }
        let message = format!("`{}` must be defined as a set of names", definition.name);
        let diagnostic = Diagnostic::error("set-from-definition", definition.span, message);
        self.report(diagnostic.note(found.span, "defined here"));
        Vec::new()
    }

    fn declare_variables(&mut self, unit: usize, environment: usize, prefix: &str) {
        let units = self.units;
        variables_of(&units[unit])
            .into_iter()
            .for_each(|ident| self.declare_variable(ident, environment, prefix));
    }

    fn declare_variable(&mut self, ident: &Ident, environment: usize, prefix: &str) {
        let ty = self.elaborator.infer.fresh();
        let name: Name = format!("{prefix}{}", ident.name).into();
        let variables = &mut self.elaborator.variables;
        variables.push(Declaration { name, ty, span: ident.span });
        let id = VarId(variables.len() as u32 - 1);
        let meaning = Global::Variable(id, Ownership::Own);
        self.declare(environment, &ident.name, meaning, ident.span);
    }

    /// The concrete variables of what a unit refines are its own, unless it declares them once more or what it imports has
    /// them.
    fn inherit_variables(&mut self, unit: usize, environment: usize, prefix: &str) {
        let units = self.units;
        for unit in all_refined(units, unit) {
            for ident in concrete_variables_of(&units[unit]) {
                if !self.environment(environment).globals.contains_key(&ident.name) {
                    self.declare_variable(ident, environment, prefix);
                }
            }
        }
    }

    fn declare_definitions(&mut self, unit: usize, environment: usize) {
        let units = self.units;
        let list: Vec<_> = units[unit].definitions.iter().map(|(d, _)| d).collect();
        let (cyclic, diagnostics) = find_cycles(&list);
        for diagnostic in diagnostics {
            self.report(diagnostic);
        }
        for ((definition, error), cyclic) in units[unit].definitions.iter().zip(cyclic) {
            let name = &definition.name;
            for parameter in &definition.parameters {
                self.elaborator.environment = environment;
                self.elaborator.warn_shadowed_set(parameter);
            }
            let new = Rc::new(Macro {
                definition,
                error: error.as_ref(),
                cyclic,
                used: std::cell::Cell::new(false),
            });
            self.definitions.push((environment, new.clone()));
            self.declare(environment, &name.name, Global::Definition(new), name.span);
        }
    }

    // ---- references to other machines

    fn refer(&mut self, index: usize, reference: &'a Reference, environment: usize, prefix: &str) {
        let Some(unit) = reference.unit else { return };
        if !self.followed.insert((environment, index)) {
            return;
        }
        let (local, full) = reference.prefixes(prefix);
        let instance = self.instantiate(unit, &full);
        let from = self.instances[instance].environment;
        let span = reference.span();
        self.referred.push((environment, reference.kind, local.clone(), instance, span));
        self.import(from, environment, &local, reference.kind);
        let seen = matches!(reference.kind, ReferenceKind::Sees | ReferenceKind::Uses);
        for (name, operation) in self.instances[instance].exported.clone() {
            let name: Name = format!("{local}{name}").into();
            let span = self.elaborator.operations[operation.0 as usize].name_span;
            let known = &mut self.environment(environment).operations;
            let others = known.get(&name).filter(|c| !c.seen && c.operation != operation);
            let rival = others.filter(|_| !seen).map(|c| c.span);
            let callable = Callable { operation, own: false, seen, span, rival };
            // What is seen may be included, too.
            if !seen || known.get(&name).is_none_or(|c| c.operation != operation) {
                known.insert(name, callable);
            }
        }
    }

    /// Makes the names of one environment known in another: everything but definitions, and but for what is used the
    /// parameters of machines. Own names win.
    fn import(&mut self, from: usize, to: usize, prefix: &str, kind: ReferenceKind) {
        let mut names: Vec<(Name, Declared<'a>)> = self.elaborator.environments[from]
            .globals
            .iter()
            .map(|(name, declared)| (name.clone(), declared.clone()))
            .collect();
        names.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, declared) in names {
            let (name, meaning) = match declared.meaning {
                Global::Definition(_) => continue,
                // What uses a machine knows its parameters, too.
                Global::Given(_) if kind != ReferenceKind::Uses => continue,
                Global::Variable(id, ownership) => {
                    let ownership = match (kind.owns(), ownership) {
                        (true, Ownership::Own | Ownership::Included) => Ownership::Included,
                        _ => Ownership::Seen,
                    };
                    (format!("{prefix}{name}").into(), Global::Variable(id, ownership))
                }
                other => (name, other),
            };
            self.import_one(to, name, Declared { meaning, span: declared.span });
        }
    }

    fn import_one(&mut self, to: usize, name: Name, declared: Declared<'a>) {
        let globals = &mut self.environment(to).globals;
        let Some(known) = globals.get(&name) else {
            globals.insert(name, declared);
            return;
        };
        match (&known.meaning, &declared.meaning) {
            (Global::Variable(a, old), Global::Variable(b, new)) if a == b => {
                if *old == Ownership::Seen && *new == Ownership::Included {
                    globals.insert(name, declared);
                }
            }
            (Global::Set(a), Global::Set(b)) if a == b => {}
            (Global::Constant(a), Global::Constant(b)) if a == b => {}
            (Global::Freetype(a), Global::Freetype(b)) if a == b => {}
            (Global::Constructor(a, i), Global::Constructor(b, j)) if a == b && i == j => {}
            (Global::Element(a, i), Global::Element(b, j)) if a == b && i == j => {}
            (Global::Given(a), Global::Given(b)) if std::ptr::eq(a.node, b.node) => {}
            (Global::Definition(_), _) => {}
            _ => {
                let message = format!("`{name}` is declared in two of the machines used here");
                let diagnostic = Diagnostic::error("duplicate-declaration", known.span, message)
                    .note(declared.span, "declared here as well");
                self.report(diagnostic);
            }
        }
    }

    // ---- operations

    /// All initialisations in order; `None` when there is no variable at all.
    pub fn whole_initialisation(&mut self) -> Option<Subst> {
        let mut all = std::mem::take(&mut self.initialisations);
        if all.len() < 2 {
            return all.pop();
        }
        let span = all.last().map(|s| s.span)?;
        Some(Subst::new(SubstKind::Sequence(all), span))
    }
}
