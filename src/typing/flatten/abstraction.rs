//! What a refinement has from the machines that it refines before it declares anything itself: their
//! parameters, sets, constants and PROPERTIES. A set or constant that it declares once more is theirs.

use super::Flatten;
use super::bodies::with_origin;
use crate::machine::{Origin, SetId, SetKind};
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Ident, Name, Node};
use crate::typing::loader::{Reference, ReferenceKind, Unit};
use crate::typing::refinement::all_refined;
use crate::typing::scope::{Argument, Global};

impl<'a> Flatten<'a> {
    /// Declares the machines that a unit refines, each in an environment of its own.
    pub(super) fn declare_abstractions(&mut self, unit: usize, environment: usize) -> Vec<usize> {
        let units = self.units;
        let mut found = Vec::new();
        for (i, reference) in units[unit].references.iter().enumerate() {
            let Some(refined) = reference.unit else { continue };
            if reference.kind == ReferenceKind::Refines && self.followed.insert((environment, i)) {
                let abstraction = self.new_environment();
                self.abstraction(refined, abstraction, environment, true);
                found.push(abstraction);
            }
        }
        found
    }

    /// The names of a machine that a refinement refines, and of all that it refers to in turn. Those
    /// that it refines have the parameters of the refinement.
    fn abstraction(&mut self, unit: usize, environment: usize, below: usize, refined: bool) {
        let units = self.units;
        self.abstractions.insert(unit, environment);
        if refined {
            self.refined.entry(below).or_default().push(environment);
            self.valued.insert(environment, self.valued.get(&below).cloned().unwrap_or_default());
            for parameter in &units[unit].file.parameters {
                let known = self.elaborator.environments[below].globals.get(&parameter.name);
                if let Some(declared) = known.cloned() {
                    self.declare(environment, &parameter.name, declared.meaning, parameter.span);
                }
            }
        }
        let mut inner = Vec::new();
        for reference in &units[unit].references {
            if let Some(unit) = reference.unit {
                let above = self.new_environment();
                let refines = refined && reference.kind == ReferenceKind::Refines;
                if !refines {
                    self.abstract_arguments(unit, above, (reference, environment));
                }
                self.abstraction(unit, above, below, refines);
                if reference.kind == ReferenceKind::Refines {
                    self.refined.entry(environment).or_default().push(above);
                }
                inner.push((above, reference.kind));
            }
        }
        self.declare_shared(unit, environment);
        let before = self.definitions.len();
        self.declare_definitions(unit, environment);
        // Most of them are for clauses that are not elaborated here.
        self.definitions.truncate(before);
        for (above, kind) in inner {
            self.import(above, environment, "", kind);
        }
        // Those of what it refines in turn are its own, too.
        self.import_valued(environment);
        self.awaited.entry(below).or_default().push((unit, environment));
    }

    /// The parameters of what a machine that is refined includes, in an environment: what that gives them.
    fn abstract_arguments(
        &mut self,
        unit: usize,
        environment: usize,
        (reference, caller): (&'a Reference, usize),
    ) {
        let units = self.units;
        let (parameters, arguments) = (parameters_of(units, unit), &reference.reference.arguments);
        // Another number is told of where the machine itself is checked.
        if parameters.len() == arguments.len() {
            for (parameter, node) in parameters.iter().zip(arguments) {
                self.declare(environment, &parameter.name, given(node, caller), parameter.span);
            }
        }
    }

    /// The PROPERTIES of what a machine refines, once all that they mention is declared.
    pub(super) fn abstract_properties(&mut self, below: usize) {
        for (unit, environment) in self.awaited.remove(&below).unwrap_or_default() {
            self.unit_properties(unit, environment);
        }
    }

    /// The CONSTRAINTS of what a machine refines: its parameters are theirs. `included`: where it is.
    pub(super) fn abstract_constraints(&mut self, unit: usize, included: Option<Span>) {
        let units = self.units;
        let outer = self.elaborator.environment;
        for unit in all_refined(units, unit) {
            let Some(environment) = self.abstractions.get(&unit).copied() else { continue };
            self.elaborator.environment = environment;
            self.hide_variables(environment);
            for clause in &units[unit].file.clauses {
                if let ClauseKind::Constraints(node) = &clause.kind {
                    let new = self.conjuncts(node);
                    let name = units[unit].file.name.name.clone();
                    let origin = Origin::Constraints(name, included);
                    self.properties.extend(with_origin(new, &origin));
                }
            }
            self.show(environment);
        }
        self.elaborator.environment = outer;
    }

    /// What a name that is declared here means in the machines that are refined.
    pub(super) fn abstract_meaning(&self, below: usize, ident: &Ident) -> Option<Global<'a>> {
        let mut above = self.refined.get(&below).into_iter().flatten();
        above.find_map(|e| {
            let globals = &self.elaborator.environments[*e].globals;
            globals.get(&ident.name).map(|declared| declared.meaning.clone())
        })
    }

    /// The set of the refined machine that these elements are of: it has the same, or none yet.
    pub(super) fn enumerated_here(
        &mut self,
        known: Option<Global<'a>>,
        names: &[Name],
    ) -> Option<SetId> {
        let Some(Global::Set(id)) = known else { return None };
        let kind = &mut self.elaborator.sets[id.0 as usize].kind;
        match kind {
            SetKind::Deferred => *kind = SetKind::Enumerated(names.into()),
            SetKind::Enumerated(all) if **all == *names => {}
            _ => return None,
        }
        Some(id)
    }

    /// The sets of what a machine refines to which its VALUES give values.
    pub(super) fn import_valued(&mut self, environment: usize) {
        let mut values: Vec<(Name, Global<'a>)> =
            self.valued.get(&environment).cloned().unwrap_or_default().into_iter().collect();
        values.sort_by(|a, b| a.0.cmp(&b.0));
        for (name, meaning) in values {
            let ident = Ident { name: name.clone(), span: Span::default() };
            let declared = self.elaborator.environments[environment].globals.contains_key(&name);
            if !declared
                && let (Some(Global::Given(_)), Global::Given(value)) =
                    (self.abstract_meaning(environment, &ident), &meaning)
            {
                let span = value.node.span;
                self.declare(environment, &name, meaning, span);
            }
        }
    }

    /// The values of deferred sets: under their names they are these sets.
    pub(super) fn valued_sets(&mut self, unit: usize, environment: usize) {
        let units = self.units;
        for clause in &units[unit].file.clauses {
            let ClauseKind::Values(list) = &clause.kind else { continue };
            for (ident, node) in list {
                let values = self.valued.entry(environment).or_default();
                values.insert(ident.name.clone(), given(node, environment));
            }
        }
    }
}

/// What a name stands for that is given a value from outside.
pub fn given<'a>(node: &'a Node, environment: usize) -> Global<'a> {
    Global::Given(Argument { node, environment, height: 0, use_span: None })
}

/// The parameters of a unit: its own, and those of what it refines that it does not repeat.
pub fn parameters_of(units: &[Unit], unit: usize) -> Vec<&Ident> {
    let mut found: Vec<&Ident> = Vec::new();
    for unit in std::iter::once(unit).chain(all_refined(units, unit)) {
        for parameter in &units[unit].file.parameters {
            if found.iter().all(|known| known.name != parameter.name) {
                found.push(parameter);
            }
        }
    }
    found
}
