//! What a refinement need not repeat of the machines that it refines.
//!
//! Who calls its operations, declared or promoted, knows the abstract machine: the abstract preconditions hold then,
//! as far as they can be said here. The abstract invariant holds of the variables that are left. Where a precondition
//! cannot be said, a run that calls its operation may not be one, and that is told of it: whoever repeats a conjunct of
//! the abstract invariant is told no other thing than who leaves it to be inherited.

use super::Flatten;
use crate::diagnostic::Diagnostic;
use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{Conjunct, ExprKind, LocalId, OpId, Operation, Pred, Subst, SubstKind};
use crate::printable;
use crate::source::Span;
use crate::syntax::ast::{Name, Node, OperationDeclaration, Substitution, SubstitutionKind};
use crate::syntax::printer;
use crate::typing::counterparts::declaration_of;
use crate::typing::definitions::names_of;
use crate::typing::expression::conjuncts;
use crate::typing::infer::ERROR;
use crate::typing::refinement::{abstract_name, refined};
use crate::typing::scope::{Meaning, Role};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Most columns of a precondition in a message.
const MOST_COLUMNS: usize = 60;

/// The conjuncts of a precondition: what is known here, and what cannot be said.
struct Said<'a> {
    known: Vec<Pred>,
    left_out: Vec<&'a Node>,
}

/// What the machines below one that is refined say themselves of when an operation is called: their
/// preconditions that speak of variables.
#[derive(Default)]
struct Stated {
    /// Those that are known in the main machine, and the others.
    known: Vec<Pred>,
    others: Vec<BTreeSet<LocalId>>,
}

impl Stated {
    fn add(&mut self, known: &[Pred]) {
        let speaks = |p: &&Pred| !Footprint::of_pred(p).variables.is_empty();
        self.known.extend(known.iter().filter(speaks).cloned());
    }

    /// Whether one of these stands for a precondition of the machine above that speaks of these
    /// parameters and of variables that are gone: it speaks of these parameters too, and is not among
    /// what the machine above says of the variables that are left.
    fn stands_for(&self, parameters: &BTreeSet<LocalId>, above: &[Pred]) -> bool {
        let above: Vec<Pred> = above.iter().map(bare).collect();
        let own = self.known.iter().filter(|p| !above.contains(&bare(p)));
        own.map(|p| Footprint::of_pred(p).locals).any(|of| parameters.is_subset(&of))
            || self.others.iter().any(|of| parameters.is_subset(of))
    }
}

impl<'a> Flatten<'a> {
    /// Adds what the invariants of the machines that are refined say of the variables that are left.
    pub fn inherit_invariant(&mut self) {
        let inherited = std::mem::take(&mut self.abstract_invariant);
        let new = inherited.into_iter().filter(|c| !is_among(&c.pred, &self.invariant));
        let new: Vec<Conjunct> = new.collect();
        self.invariant.extend(new);
    }

    /// An operation that is promoted under this name, with the preconditions of what it refines so. They are no matter of
    /// who calls it within: where there are any, what is offered is an operation beside the one that is called.
    pub fn refining_promoted(&mut self, unit: usize, name: &Name, id: OpId) -> OpId {
        if refined(&self.units[unit]).next().is_none() {
            return id;
        }
        let index = id.0 as usize;
        let mut offered = self.elaborator.operations[index].clone();
        // Its own precondition says what its machine asks, and nothing of what is refined.
        let stated = Stated::default();
        if !self.inherit_from(unit, name, &mut offered, stated) && !offered.lacks_precondition {
            return id;
        }
        let writes = self.elaborator.operation_writes[index].clone();
        self.elaborator.operations.push(offered);
        self.elaborator.operation_writes.push(writes);
        OpId(self.elaborator.operations.len() as u32 - 1)
    }

    /// Adds what the preconditions of the operations that one of this name refines say of the parameters and of
    /// the variables that are left. Whether that is more than it says itself.
    pub fn inherit_precondition(
        &mut self,
        unit: usize,
        name: &Name,
        operation: &mut Operation,
    ) -> bool {
        let mut stated = Stated::default();
        if let SubstKind::Precondition(own, _) = &operation.body.kind {
            stated.add(own.conjuncts());
        }
        self.inherit_from(unit, name, operation, stated)
    }

    fn inherit_from(
        &mut self,
        unit: usize,
        name: &Name,
        operation: &mut Operation,
        mut stated: Stated,
    ) -> bool {
        let units = self.units;
        let mut inherited = Vec::new();
        let mut todo: Vec<(usize, &Name)> = refined(&units[unit]).map(|u| (u, name)).collect();
        let mut done = Vec::new();
        while let Some((unit, name)) = todo.pop() {
            if done.contains(&unit) {
                continue;
            }
            done.push(unit);
            let found = declaration_of(units, unit, name);
            let own = found.as_ref().filter(|found| found.unit == unit);
            let above = own.map_or(name, |own| abstract_name(own.declaration));
            todo.extend(self::refined(&units[unit]).map(|u| (u, above)));
            let Some(refined) = found else { continue };
            let Some(precondition) = precondition(&refined.declaration.body) else { continue };
            let Some(environment) = self.abstractions.get(&refined.unit).copied() else {
                continue;
            };
            if refined.declaration.parameters.len() != operation.parameters.len() {
                operation.lacks_precondition = true;
                continue;
            }
            let outer = std::mem::replace(&mut self.elaborator.environment, environment);
            let height = self.elaborator.scope.height();
            self.elaborator.know_abstract_names();
            self.elaborator.know_under_prefix(&refined.prefix);
            let said = self.said_of(precondition, refined.declaration, operation);
            if !said.left_out.is_empty() {
                inherited.extend(self.typed_apart(&refined, operation));
            }
            // What the refinement says in its own terms is told of nowhere, and what several machines
            // say in theirs only where it is said last.
            let spoken: Vec<_> = said.left_out.iter().map(|p| self.parameters_of(p)).collect();
            let told = said.left_out.iter().zip(&spoken);
            let told: Vec<&Node> = told
                .filter(|(_, parameters)| !stated.stands_for(parameters, &said.known))
                .map(|(node, _)| *node)
                .collect();
            let warning = self.left_out_of(operation, &told);
            stated.add(&said.known);
            stated.others.extend(spoken);
            inherited.extend(said.known);
            // Nobody knows that it says as much: of a run that calls it the report speaks all the same.
            operation.lacks_precondition |= !said.left_out.is_empty();
            self.elaborator.scope.entries.truncate(height);
            self.elaborator.environment = outer;
            warning.into_iter().for_each(|warning| self.report(warning));
        }
        precede(inherited, operation)
    }

    /// Adds the precondition of a local operation's specification to what implements it: whoever calls it knows that alone.
    pub(super) fn specified_precondition(
        &mut self,
        specified: &'a OperationDeclaration,
        operation: &mut Operation,
    ) {
        let is_alike = specified.parameters.len() == operation.parameters.len();
        if let (Some(precondition), true) = (precondition(&specified.body), is_alike) {
            let height = self.elaborator.scope.height();
            let said = self.said_of(precondition, specified, operation);
            precede(said.known, operation);
            self.elaborator.scope.entries.truncate(height);
        }
    }

    /// The parameters that a precondition speaks of. To be called where it was looked at.
    fn parameters_of(&self, node: &Node) -> BTreeSet<LocalId> {
        let names = names_of(node).into_iter();
        names
            .filter_map(|(name, _)| match self.elaborator.scope.find(name) {
                Some(Meaning::Local(id, Role::Parameter)) => Some(*id),
                _ => None,
            })
            .collect()
    }

    /// The warning of conjuncts of a precondition that are left out. To be called where they were looked at.
    fn left_out_of(&self, operation: &Operation, left_out: &[&'a Node]) -> Option<Diagnostic> {
        let first = left_out.first()?;
        let (mut missing, mut results) = (Vec::new(), Vec::new());
        for (name, _) in left_out.iter().flat_map(|node| names_of(node)) {
            let kind = match self.elaborator.scope.find(name) {
                Some(Meaning::Local(_, Role::Result)) => &mut results,
                _ if self.elaborator.is_abstract(name) => &mut missing,
                _ => continue,
            };
            let shown = format!("`{name}`");
            if !kind.contains(&shown) {
                kind.push(shown);
            }
        }
        let why = match (missing.is_empty(), results.is_empty()) {
            (false, _) => format!("of {}, which the refinement does not have", missing.join(", ")),
            (true, false) => format!("of {}, which nothing has written yet", results.join(", ")),
            (true, true) => "of what the refinement does not have".to_owned(),
        };
        let name = &operation.name;
        let text = printable::clipped(&printer::formula(first), MOST_COLUMNS);
        let message = match left_out.len() {
            1 => format!("the precondition `{text}` of `{name}` is left out: it speaks {why}"),
            n => format!(
                "{n} preconditions of `{name}`, the first of them `{text}`, are left out: they speak {why}"
            ),
        };
        let warning = Diagnostic::warning("precondition-left-out", first.span, message);
        Some(warning.hint(format!(
            "a counterexample that calls `{name}` may not be one; a PRE in the refinement that speaks of its own variables says when it is called"
        )))
    }

    /// What is known here of the conjuncts of the precondition of what an operation refines.
    fn said_of(
        &mut self,
        precondition: &'a Node,
        refined: &OperationDeclaration,
        operation: &Operation,
    ) -> Said<'a> {
        for (ident, id) in refined.parameters.iter().zip(&operation.parameters) {
            let meaning = Meaning::Local(*id, Role::Parameter);
            self.elaborator.scope.push(ident.name.clone(), meaning);
        }
        let mut results = Vec::new();
        for (i, ident) in refined.results.iter().enumerate() {
            // Another number of results is told of where the two are compared.
            let id = operation.results.get(i).copied().unwrap_or_else(|| {
                let ty = self.elaborator.infer.fresh();
                self.elaborator.new_local(ident.name.clone(), ty, ident.span)
            });
            self.elaborator.scope.push(ident.name.clone(), Meaning::Local(id, Role::Result));
            results.push(id);
        }
        let mut said = Said { known: Vec::new(), left_out: Vec::new() };
        for conjunct in conjuncts(precondition) {
            let known = self.elaborator.diagnostics.len();
            self.elaborator.met_abstract = false;
            let pred = self.elaborator.pred(conjunct);
            // What only the abstract machine has is not known here.
            self.elaborator.diagnostics.truncate(known);
            // Nothing has written a result yet: what is said of one is its type.
            let asked: Vec<Pred> =
                pred.conjuncts().iter().filter(|p| !p.types_one_of(&results)).cloned().collect();
            let is_known = |p: &Pred| is_known(&operation.parameters, p);
            if asked.is_empty() && !pred.conjuncts().is_empty() {
                continue;
            }
            if !self.elaborator.met_abstract && asked.iter().all(is_known) {
                said.known.extend(asked);
            } else {
                said.left_out.push(conjunct);
            }
        }
        said
    }
}

/// Puts these before the precondition of an operation, but for those that it repeats: whether some are left. It is one
/// condition all the same; where the operation has none itself, its place is in the machine that it comes from.
fn precede(mut inherited: Vec<Pred>, operation: &mut Operation) -> bool {
    let Some(above) = together(&inherited) else { return false };
    if let SubstKind::Precondition(own, _) = &operation.body.kind {
        let repeated: Vec<Pred> = own.conjuncts().iter().map(bare).collect();
        inherited.retain(|p| !repeated.contains(&bare(p)));
    }
    if inherited.is_empty() {
        return false;
    }
    let span = operation.body.span;
    let body = std::mem::replace(&mut operation.body, Subst::new(SubstKind::Skip, span));
    let (own, body, place) = match body.kind {
        SubstKind::Precondition(own, body) => (own, body, span),
        _ => (Pred::and(Vec::new(), span), Box::new(body), above),
    };
    inherited.push(own);
    let kind = SubstKind::Precondition(Pred::and(inherited, place), body);
    operation.body = Subst::new(kind, span);
    true
}

/// The place of all of these that stand in one file with the first.
fn together(preds: &[Pred]) -> Option<Span> {
    let first = preds.first()?.span;
    let here = preds.iter().map(|p| p.span).filter(|span| span.file == first.file);
    Some(here.fold(first, Span::to))
}

/// Whether all is known that a predicate mentions, where these locals are.
fn is_known(parameters: &[LocalId], p: &Pred) -> bool {
    let mut known = true;
    let mut bound: BTreeSet<LocalId> = parameters.iter().copied().collect();
    let mut visitor = Visitor {
        expr: &mut |e| known &= e.ty != ERROR,
        binder: Some(&mut |id| {
            bound.insert(*id);
        }),
        pred: None,
        subst: None,
    };
    visitor.pred(&mut p.clone());
    known && Footprint::of_pred(p).locals.is_subset(&bound)
}

/// The precondition at the top of a body.
fn precondition(body: &Substitution) -> Option<&Node> {
    match &body.kind {
        SubstitutionKind::Precondition(p, _) => Some(p),
        SubstitutionKind::Block(body) => precondition(body),
        _ => None,
    }
}

/// Whether a predicate is one of these, perhaps with other names for what it binds.
fn is_among(p: &Pred, conjuncts: &[Conjunct]) -> bool {
    let p = bare(p);
    conjuncts.iter().any(|c| bare(&c.pred) == p)
}

/// A predicate without its places and types, what it binds numbered in the order in which it occurs.
fn bare(p: &Pred) -> Pred {
    const FIRST: u32 = 1 << 31;
    let numbers = RefCell::new(BTreeMap::new());
    let mut p = p.clone();
    let mut binders = Visitor {
        expr: &mut |_| {},
        binder: Some(&mut |id| {
            let mut numbers = numbers.borrow_mut();
            let next = LocalId(FIRST + numbers.len() as u32);
            *id = *numbers.entry(*id).or_insert(next);
        }),
        pred: None,
        subst: None,
    };
    binders.pred(&mut p);
    let mut visitor = Visitor {
        expr: &mut |e| {
            e.span = Span::default();
            e.ty = ERROR;
            if let ExprKind::Local(id) = &mut e.kind {
                *id = *numbers.borrow().get(id).unwrap_or(id);
            }
        },
        binder: None,
        pred: Some(&mut |p| p.span = Span::default()),
        subst: None,
    };
    visitor.pred(&mut p);
    p
}
