//! What an instance contributes besides names: its formulas, initialisation and operations.

use super::abstraction::parameters_of;
use super::{Flatten, Instance};
use crate::diagnostic::Diagnostic;
use crate::eventb::claims::BOUNDED;
use crate::machine::{
    Cell, Comparison, Conjunct, Expr, ExprKind, OpId, Operation, Origin, Pred, PredKind, Subst,
    SubstKind,
};
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, MachineKind, Name, Node, NodeKind, OperationDeclaration};
use crate::syntax::suggest;
use crate::typing::calls::ambiguous;
use crate::typing::counterparts::Refining;
use crate::typing::definitions::called_names;
use crate::typing::expression::conjuncts;
use crate::typing::external::recursive;
use crate::typing::loader::ReferenceKind;
use crate::typing::refinement::{abstract_name, variables_of};
use crate::typing::scope::{Callable, Declared, Global};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Operations in an order in which each comes after those that it calls, as far as there is one.
fn called_first(operations: &[(&OperationDeclaration, OpId)]) -> Vec<usize> {
    let numbers: FxHashMap<&Name, usize> =
        operations.iter().enumerate().map(|(i, (o, _))| (&o.name.name, i)).collect();
    let calls: Vec<Vec<usize>> = operations
        .iter()
        .map(|(o, _)| {
            called_names(&o.body).iter().filter_map(|n| numbers.get(*n).copied()).collect()
        })
        .collect();
    let (mut order, mut seen) = (Vec::new(), vec![false; operations.len()]);
    for start in 0..operations.len() {
        let mut way = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((at, next)) = way.pop() {
            match calls[at].get(next) {
                None => order.push(at),
                Some(to) => {
                    way.push((at, next + 1));
                    if !std::mem::replace(&mut seen[*to], true) {
                        way.push((*to, 0));
                    }
                }
            }
        }
    }
    order
}

/// Conjuncts of an instance: of one under a prefix there may be others, which have the same text.
fn of_prefixed(conjuncts: Vec<Conjunct>, prefix: &str, instance: &Name) -> Vec<Conjunct> {
    match prefix.is_empty() {
        true => conjuncts,
        false => with_origin(conjuncts, &Origin::Instance(instance.clone())),
    }
}

/// Conjuncts with what their places do not tell.
pub(super) fn with_origin(conjuncts: Vec<Conjunct>, origin: &Origin) -> Vec<Conjunct> {
    conjuncts.into_iter().map(|c| Conjunct { origin: Some(origin.clone()), ..c }).collect()
}

/// An operation whose number is known, before it is typed.
fn to_come(declaration: &OperationDeclaration) -> Operation {
    Operation {
        name: declaration.name.name.clone(),
        parameters: Vec::new(),
        results: Vec::new(),
        guard: Vec::new(),
        body: Subst::new(SubstKind::Skip, declaration.span),
        visible: false,
        lacks_precondition: false,
        span: declaration.span,
        name_span: declaration.name.span,
    }
}

impl<'a> Flatten<'a> {
    pub(super) fn clauses(&mut self, number: usize) {
        let Instance { unit, environment, ref prefix, .. } = self.instances[number];
        let prefix = prefix.clone();
        let units = self.units;
        let file = &units[unit].file;
        let instance: Name = format!("{prefix}{}", file.name.name).into();
        let owner = self.owners.get(unit, &prefix);
        let included = owner.map(|owner| units[owner.unit].references[owner.reference].span());
        self.elaborator.environment = environment;
        self.ignored_clauses(unit);
        for clause in &file.clauses {
            if let ClauseKind::Constraints(node) = &clause.kind {
                self.hide_variables(environment);
                let new = self.conjuncts(node);
                self.show(environment);
                let origin = Origin::Constraints(instance.clone(), included);
                self.properties.extend(with_origin(new, &origin));
                // Of parameters that have their values.
                self.has_properties |= included.is_some();
            }
        }
        self.abstract_constraints(unit, included);
        self.unit_properties(unit, environment);
        self.values(unit);
        self.abstract_variables(unit);
        for clause in &file.clauses {
            match &clause.kind {
                ClauseKind::Invariant(node) => {
                    let new = self.conjuncts(node);
                    self.invariant.extend(of_prefixed(new, &prefix, &instance));
                    self.elaborator.solve(false);
                }
                ClauseKind::Assertions(nodes) => {
                    for node in nodes {
                        let new = self.conjuncts(node);
                        self.assertions.extend(of_prefixed(new, &prefix, &instance));
                    }
                }
                _ => {}
            }
        }
        self.elaborator.abstract_names = std::mem::take(&mut self.elaborator.scope.entries);
        self.initialisation(unit);
        self.operations(number, &prefix);
        self.elaborator.abstract_names.clear();
        self.variants(unit);
        self.elaborator.solve(false);
    }

    /// Types the variants of a model of Event-B, whether or not some event has to decrease them.
    fn variants(&mut self, unit: usize) {
        for node in &self.units[unit].file.variants {
            self.elaborator.variant(&BOUNDED.into(), node, node, node.span);
        }
    }

    pub(super) fn ignored_clauses(&mut self, unit: usize) {
        let units = self.units;
        for clause in &units[unit].file.clauses {
            if let ClauseKind::Variant(_) = &clause.kind {
                let message = "VARIANT is ignored: it speaks of the refined machine's events";
                self.report(Diagnostic::warning("clause-ignored", clause.keyword, message));
            }
        }
    }

    /// VALUES: equations for constants; deferred sets have their values already.
    pub(super) fn values(&mut self, unit: usize) {
        let units = self.units;
        let mut given: FxHashMap<&Name, Span> = FxHashMap::default();
        for clause in &units[unit].file.clauses {
            let ClauseKind::Values(list) = &clause.kind else { continue };
            for (ident, value) in list {
                if let Some(first) = given.insert(&ident.name, ident.span) {
                    let message = format!("`{}` is given a value twice", ident.name);
                    let diagnostic = Diagnostic::error("duplicate-value", ident.span, message);
                    self.report(diagnostic.note(first, "given here already"));
                    continue;
                }
                let declared = self.elaborator.environment().globals.get(&ident.name).cloned();
                match declared.map(|d| d.meaning) {
                    Some(Global::Constant(id)) => {
                        let ty = self.elaborator.constants[id.0 as usize].ty.clone();
                        let value = self.elaborator.expr_of(value, &ty);
                        let constant = Expr::new(ExprKind::Constant(id), ty, ident.span);
                        let span = value.span;
                        let kind = PredKind::Compare(Comparison::Equal, constant, value);
                        self.properties.push(Conjunct::of(Pred::new(kind, span)));
                        self.has_properties = true;
                    }
                    // A deferred set is its value, wherever it is mentioned.
                    Some(Global::Given(_)) => {}
                    _ => {
                        let message = format!(
                            "`{}` is neither a constant nor a deferred set of this machine",
                            ident.name
                        );
                        let span = ident.span;
                        self.report(Diagnostic::error("undeclared-identifier", span, message));
                    }
                }
            }
            self.elaborator.solve(false);
        }
    }

    /// The PROPERTIES of a unit, once for all its instances.
    pub(super) fn unit_properties(&mut self, unit: usize, environment: usize) {
        if std::mem::replace(&mut self.units_with_properties[unit], true) {
            return;
        }
        let units = self.units;
        let outer = std::mem::replace(&mut self.elaborator.environment, environment);
        let parameters = parameters_of(units, unit);
        self.hide(environment, |name, _| parameters.iter().any(|known| known.name == *name));
        self.freetypes(unit);
        self.hide_variables(environment);
        for clause in &units[unit].file.clauses {
            if let ClauseKind::Properties(node) = &clause.kind {
                // Axioms about sets alone are no step in the life of a model.
                self.has_properties |= units[unit].file.kind != MachineKind::EventB;
                let new = self.conjuncts(node);
                self.properties.extend(new);
                self.elaborator.solve(false);
            }
        }
        self.show(environment);
        self.elaborator.environment = outer;
    }

    pub(super) fn hide_variables(&mut self, environment: usize) {
        self.hide(environment, |_, declared| matches!(declared.meaning, Global::Variable(..)));
    }

    /// Hides names of an environment from what says what holds before there is a state.
    fn hide(&mut self, environment: usize, is_hidden: impl Fn(&Name, &Declared<'_>) -> bool) {
        let globals = &mut self.environment(environment).globals;
        let hidden: Vec<_> = globals.extract_if(|name, own| is_hidden(name, own)).collect();
        self.elaborator.hidden.extend(hidden);
    }

    /// Shows again what is hidden.
    pub(super) fn show(&mut self, environment: usize) {
        let hidden = std::mem::take(&mut self.elaborator.hidden);
        self.environment(environment).globals.extend(hidden);
    }

    /// The conjuncts of a clause.
    pub fn conjuncts(&mut self, node: &'a Node) -> Vec<Conjunct> {
        let mut found = Vec::new();
        if let NodeKind::Conjunction(parts) = &node.kind {
            self.elaborator.warn_mixing(parts);
        }
        for part in conjuncts(node) {
            let (label, part) = match &part.kind {
                NodeKind::Labelled(label, part) => (Some(label.clone()), &**part),
                _ => (None, part),
            };
            self.elaborator.met_abstract = false;
            self.elaborator.recursive = recursive(part);
            let pred = self.elaborator.pred(part);
            self.elaborator.recursive = None;
            if self.elaborator.met_abstract {
                self.left_out.push(part.span);
                continue;
            }
            for pred in pred.conjuncts() {
                found.push(Conjunct { label: label.clone(), ..Conjunct::of(pred.clone()) });
            }
        }
        found
    }

    pub(super) fn initialisation(&mut self, unit: usize) {
        let units = self.units;
        let file = &units[unit].file;
        let mut written: BTreeMap<Cell, Span> = BTreeMap::new();
        let mut found = false;
        for clause in &file.clauses {
            if let ClauseKind::Initialisation(s) = &clause.kind {
                found = true;
                let s = self.elaborator.subst(s);
                self.elaborator.collect_writes(&s, &mut written);
                self.initialisations.push(s);
                self.elaborator.solve(false);
            }
        }
        let own = variables_of(&units[unit]);
        if !found {
            if let Some(first) = own.first() {
                let message = "a machine with variables needs an INITIALISATION";
                self.report(Diagnostic::error("missing-initialisation", first.span, message));
            }
            return;
        }
        if file.kind != MachineKind::Machine || self.elaborator.errors() > 0 {
            return;
        }
        for ident in own {
            if let Some(Declared { meaning: Global::Variable(id, _), span }) =
                self.elaborator.environment().globals.get(&ident.name)
                && *span == ident.span
                && !written.contains_key(&Cell::Variable(*id))
            {
                // Whoever runs it meets the error: with its set-ups, and only where there are any.
                let message = format!("the INITIALISATION does not write `{}`", ident.name);
                self.report(Diagnostic::warning("not-initialised", ident.span, message));
            }
        }
    }

    pub(super) fn operations(&mut self, number: usize, prefix: &str) {
        let Instance { unit, environment, .. } = self.instances[number];
        let units = self.units;
        let file = &units[unit].file;
        let own: Vec<&'a OperationDeclaration> = file
            .clauses
            .iter()
            .filter_map(|clause| match &clause.kind {
                ClauseKind::Operations(list) => Some(list),
                _ => None,
            })
            .flatten()
            .collect();
        let own = self.local_operations(unit, environment, own);
        let mut exported: Vec<(Name, OpId)> = Vec::new();
        let mut places: FxHashMap<Name, Span> = FxHashMap::default();
        self.promoted(unit, environment, &mut exported, &mut places);
        for (name, id) in &mut exported {
            let Operation { parameters, results, .. } = &self.elaborator.operations[id.0 as usize];
            let (parameters, results) = (parameters.len(), results.len());
            let own = Refining { name, span: places[name], parameters, results };
            self.compare_with_abstract(unit, &own);
            *id = self.refining_promoted(unit, name, *id);
        }
        let mut fresh = Vec::new();
        for declaration in own {
            let name = &declaration.name;
            if let Some(first) = places.insert(name.name.clone(), name.span) {
                let message = format!("there are two operations `{}`", name.name);
                let diagnostic = Diagnostic::error("duplicate-operation", name.span, message);
                self.report(diagnostic.note(first, "declared here already"));
                continue;
            }
            let id = OpId((self.elaborator.operations.len() + fresh.len()) as u32);
            let callable =
                Callable { operation: id, own: true, seen: false, span: name.span, rival: None };
            self.environment(environment).operations.insert(name.name.clone(), callable);
            fresh.push((declaration, id));
        }
        let local_calls = self.elaborator.prefers("ALLOW_LOCAL_OPERATION_CALLS");
        let order = if local_calls { called_first(&fresh) } else { (0..fresh.len()).collect() };
        for (declaration, _) in &fresh {
            self.elaborator.operations.push(to_come(declaration));
            self.elaborator.operation_writes.push(Vec::new());
        }
        for (declaration, id) in order.into_iter().map(|i| fresh[i]) {
            let mut operation = self.elaborator.operation(declaration, false);
            self.inherit_precondition(unit, abstract_name(declaration), &mut operation);
            self.results_as_refined(unit, abstract_name(declaration), &operation);
            let own = Refining {
                name: abstract_name(declaration),
                span: declaration.name.span,
                parameters: declaration.parameters.len(),
                results: declaration.results.len(),
            };
            self.compare_with_abstract(unit, &own);
            operation.name = format!("{prefix}{}", operation.name).into();
            let mut writes = BTreeMap::new();
            self.elaborator.collect_writes(&operation.body, &mut writes);
            let variables = writes.into_keys().filter(|c| matches!(c, Cell::Variable(_))).collect();
            self.elaborator.operations[id.0 as usize] = operation;
            self.elaborator.operation_writes[id.0 as usize] = variables;
            self.elaborator.solve(false);
            if local_calls
                && let Some(callable) =
                    self.environment(environment).operations.get_mut(&declaration.name.name)
            {
                callable.own = false;
            }
        }
        let refining = fresh.iter().map(|(declaration, _)| abstract_name(declaration).clone());
        let has: Vec<Name> =
            exported.iter().map(|(name, _)| name.clone()).chain(refining).collect();
        self.report_not_refined(unit, &has);
        exported.extend(fresh.iter().map(|(d, id)| (d.name.name.clone(), *id)));
        self.instances[number].exported = exported;
    }

    /// LOCAL_OPERATIONS: callable from the operations, and no operations of the machine themselves.
    /// Where an operation of the same name implements one, its body is taken. Gives the operations
    /// that are left.
    pub(super) fn local_operations(
        &mut self,
        unit: usize,
        environment: usize,
        own: Vec<&'a OperationDeclaration>,
    ) -> Vec<&'a OperationDeclaration> {
        let units = self.units;
        let mut taken: Vec<&Name> = Vec::new();
        for clause in &units[unit].file.clauses {
            let ClauseKind::LocalOperations(list) = &clause.kind else { continue };
            for specified in list {
                let name = &specified.name;
                if taken.contains(&&name.name) {
                    let message = format!("there are two local operations `{}`", name.name);
                    self.report(Diagnostic::error("duplicate-operation", name.span, message));
                    continue;
                }
                taken.push(&name.name);
                let implemented = own.iter().find(|o| o.name.name == name.name);
                let mut operation =
                    self.elaborator.operation(implemented.copied().unwrap_or(specified), false);
                if implemented.is_some() {
                    self.specified_precondition(specified, &mut operation);
                }
                let id = OpId(self.elaborator.operations.len() as u32);
                let mut writes = BTreeMap::new();
                self.elaborator.collect_writes(&operation.body, &mut writes);
                let variables =
                    writes.into_keys().filter(|c| matches!(c, Cell::Variable(_))).collect();
                self.elaborator.operations.push(operation);
                self.elaborator.operation_writes.push(variables);
                self.elaborator.solve(false);
                let known = &mut self.environment(environment).operations;
                let rival = known.get(&name.name).filter(|c| !c.seen).map(|c| c.span);
                let callable =
                    Callable { operation: id, own: false, seen: false, span: name.span, rival };
                known.insert(name.name.clone(), callable);
            }
        }
        own.into_iter().filter(|o| !taken.contains(&&o.name.name)).collect()
    }

    /// PROMOTES and EXTENDS.
    pub(super) fn promoted(
        &mut self,
        unit: usize,
        environment: usize,
        exported: &mut Vec<(Name, OpId)>,
        places: &mut FxHashMap<Name, Span>,
    ) {
        let units = self.units;
        for (from, kind, local, instance, span) in self.referred.clone() {
            if from != environment || kind != ReferenceKind::Extends {
                continue;
            }
            for (name, _) in self.instances[instance].exported.clone() {
                let name: Name = format!("{local}{name}").into();
                // Two that are extended may extend the same one.
                if !places.contains_key(&name) {
                    self.promote(environment, &name, span, exported, places);
                }
            }
        }
        for clause in &units[unit].file.clauses {
            if let ClauseKind::Promotes(names) = &clause.kind {
                for ident in names {
                    self.promote(environment, &ident.name, ident.span, exported, places);
                }
            }
        }
    }

    fn promote(
        &mut self,
        environment: usize,
        name: &Name,
        span: Span,
        exported: &mut Vec<(Name, OpId)>,
        places: &mut FxHashMap<Name, Span>,
    ) {
        let callables = &self.elaborator.environments[environment].operations;
        match callables.get(name).copied() {
            Some(Callable { rival: Some(rival), span: declared, .. }) => {
                if places.insert(name.clone(), span).is_none() {
                    self.report(ambiguous(name, span, (declared, rival)));
                }
            }
            Some(Callable { seen: true, span: declared, .. }) => {
                let message = format!("`{name}` is an operation of a machine that is only seen");
                let diagnostic = Diagnostic::error("promoted-seen", span, message);
                self.report(diagnostic.note(declared, "declared here").hint(
                    "what is promoted is included: INCLUDES, in an implementation IMPORTS; the \
                     operations of a seen machine are offered beside those of this one anyway",
                ));
            }
            Some(callable) => match places.get(name) {
                None => {
                    places.insert(name.clone(), span);
                    exported.push((name.clone(), callable.operation));
                }
                Some(first) => {
                    let message = format!("`{name}` is promoted already");
                    let diagnostic = Diagnostic::warning("promoted-twice", span, message);
                    let hint = "name it once; EXTENDS promotes all operations by itself";
                    self.report(diagnostic.note(*first, "promoted here").hint(hint));
                }
            },
            None => {
                let close = suggest::meant(name, callables.keys().map(|n| &**n));
                let message =
                    format!("no machine included here has an operation `{name}` to promote");
                let mut diagnostic = Diagnostic::error("unknown-operation", span, message);
                if let Some(close) = close {
                    diagnostic = diagnostic.hint(format!("did you mean `{close}`?"));
                }
                self.report(diagnostic);
            }
        }
    }
}
