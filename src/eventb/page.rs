//! The text of a component, as Rodin prints it, with the trees of its formulas.

use super::model::{Context, Event, Labelled, Machine, Status};
use super::written::{self, At, Declared, Item, Written};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::syntax::ast::{Ident, Name, Node};
use std::ops::Range;
use std::sync::Arc;

/// The text so far.
#[derive(Debug)]
pub struct Writer {
    pub text: String,
    pub file: FileId,
    /// What could not be turned into a tree.
    pub errors: Vec<Diagnostic>,
    /// What stands where: "event fill, guard grd1".
    pub parts: Vec<(Range<u32>, Arc<str>)>,
    /// From which bytes of this text on: where that stands in the file as it is.
    pub origins: Vec<(u32, u32)>,
    /// Where the next formula stands.
    within: String,
}

impl Writer {
    pub fn new(file: FileId) -> Writer {
        let (text, within) = (String::new(), String::new());
        let (errors, parts, origins) = (Vec::new(), Vec::new(), Vec::new());
        Writer { text, file, errors, parts, origins, within }
    }

    pub fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub fn at(&self) -> usize {
        self.text.len()
    }

    pub fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.text.len())
    }

    /// What follows comes from there.
    fn from(&mut self, at: At) {
        self.origins.extend(at.map(|at| (self.text.len() as u32, at)));
    }

    pub fn ident(&mut self, name: &Name) -> Ident {
        let start = self.at();
        self.put(name);
        Ident { name: name.clone(), span: self.span(start) }
    }

    /// Names with commas between them.
    fn names<'n>(&mut self, before: &str, names: impl IntoIterator<Item = &'n Name>) -> Vec<Ident> {
        let mut idents = Vec::new();
        for name in names {
            self.put(if idents.is_empty() { before } else { ", " });
            idents.push(self.ident(name));
        }
        idents
    }

    /// The end of a line, with a comment.
    fn line_end(&mut self, comment: Option<&Name>) {
        if let Some(comment) = comment {
            let lines = comment.lines().map(str::trim).filter(|line| !line.is_empty());
            let line = lines.collect::<Vec<_>>().join(" ");
            if !line.is_empty() {
                self.put("  // ");
                self.put(&line);
            }
        }
        self.put("\n");
    }

    fn noted<R>(&mut self, what: &str, write: impl FnOnce(&mut Writer) -> R) -> R {
        let start = self.at();
        let result = write(self);
        let range = start as u32..self.at() as u32;
        self.parts.push((range, Arc::from(format!("{}{what}", self.within))));
        result
    }

    /// Prints a machine.
    pub fn machine<F: Written>(&mut self, m: &written::Machine<F>) -> Machine {
        let start = self.at();
        self.put("MACHINE ");
        let name = self.ident(&m.name);
        self.line_end(m.comment.as_ref());
        let refines = self.heading("REFINES ", &m.refines).pop();
        let sees = self.heading("SEES ", &m.sees);
        let variables = self.declarations("VARIABLES", &m.variables);
        let (invariants, theorems) = self.section("INVARIANTS", "invariant", &m.invariants);
        let variant = self.section("VARIANT", "variant", m.variant.as_slice()).0.pop();
        let variant = variant.map(|variant| variant.node);
        self.put("EVENTS\n");
        let events = m.events.iter().map(|e| self.event(e)).collect();
        self.put("END\n");
        let span = self.span(start);
        Machine { name, refines, sees, variables, invariants, theorems, variant, events, span }
    }

    /// Prints a context.
    pub fn context<F: Written>(&mut self, c: &written::Context<F>) -> Context {
        let start = self.at();
        self.put("CONTEXT ");
        let name = self.ident(&c.name);
        self.line_end(c.comment.as_ref());
        let extends = self.heading("EXTENDS ", &c.extends);
        let sets = self.declarations("SETS", &c.sets);
        let constants = self.declarations("CONSTANTS", &c.constants);
        let (axioms, theorems) = self.section("AXIOMS", "axiom", &c.axioms);
        self.put("END\n");
        Context { name, extends, sets, constants, axioms, theorems, span: self.span(start) }
    }

    fn heading<'n>(
        &mut self,
        title: &str,
        names: impl IntoIterator<Item = &'n Name>,
    ) -> Vec<Ident> {
        let idents = self.names(title, names);
        if !idents.is_empty() {
            self.put("\n");
        }
        idents
    }

    fn declarations(&mut self, title: &str, declared: &[Declared]) -> Vec<Ident> {
        if !declared.is_empty() {
            self.put(title);
            self.put("\n");
        }
        let mut idents = Vec::new();
        for one in declared {
            self.from(one.at);
            self.put("  ");
            idents.push(self.ident(&one.name));
            self.line_end(one.comment.as_ref());
        }
        idents
    }

    /// Labelled formulas: those that are taken for granted, and the theorems.
    fn section<F: Written>(
        &mut self,
        title: &str,
        what: &str,
        items: &[Item<F>],
    ) -> (Vec<Labelled>, Vec<Labelled>) {
        if !items.is_empty() {
            self.put(title);
            self.put("\n");
        }
        self.items("  ", what, items)
    }

    fn items<F: Written>(
        &mut self,
        indent: &str,
        what: &str,
        items: &[Item<F>],
    ) -> (Vec<Labelled>, Vec<Labelled>) {
        let (mut plain, mut theorems) = (Vec::new(), Vec::new());
        for item in items {
            self.from(item.at);
            self.put(indent);
            if item.theorem {
                self.put("theorem ");
            }
            self.label(item);
            let node = self.noted(&part(what, item), |w| item.formula.formula(w));
            self.line_end(item.comment.as_ref());
            let list = if item.theorem { &mut theorems } else { &mut plain };
            list.push(Labelled { label: item.label.clone(), node });
        }
        (plain, theorems)
    }

    fn label<F>(&mut self, item: &Item<F>) {
        if let Some(label) = &item.label {
            self.put(&format!("@{label} "));
        }
    }

    fn event<F: Written>(&mut self, e: &written::Event<F>) -> Event {
        self.from(e.at);
        self.put("  ");
        let start = self.at();
        if e.status != Status::Ordinary {
            self.put(e.status.name());
            self.put(" ");
        }
        self.put("event ");
        let name = self.ident(&e.name);
        let verb = if e.extended { " extends " } else { " refines " };
        let refines = self.names(verb, &e.refines);
        self.line_end(e.comment.as_ref());
        self.within = format!("event {}, ", e.name);
        let parameters = self.names("    any ", e.parameters.iter().map(|p| &p.name));
        if !parameters.is_empty() {
            self.put("\n");
        }
        let titled = |w: &mut Writer, title: &str, items: &[Item<F>]| {
            if !items.is_empty() {
                w.put(title);
            }
        };
        titled(self, "    where\n", &e.guards);
        let (guards, theorems) = self.items("      ", "guard", &e.guards);
        titled(self, "    with\n", &e.witnesses);
        let witnesses = e.witnesses.iter().map(|item| self.witness(item)).collect();
        titled(self, "    then\n", &e.actions);
        let (mut action_labels, mut actions) = (Vec::new(), Vec::new());
        for item in &e.actions {
            self.from(item.at);
            self.put("      ");
            self.label(item);
            if let Some(action) = self.noted(&part("action", item), |w| item.formula.action(w)) {
                action_labels.push(item.label.clone());
                actions.push(action);
            }
            self.line_end(item.comment.as_ref());
        }
        self.within.clear();
        self.put("  end");
        let span = self.span(start);
        self.put("\n\n");
        let status = e.status;
        Event {
            name,
            status,
            refines,
            parameters,
            guards,
            theorems,
            witnesses,
            actions,
            action_labels,
            span,
        }
    }

    fn witness<F: Written>(&mut self, item: &Item<F>) -> (Name, Node) {
        self.from(item.at);
        self.put("      @");
        let name = item.label.clone().unwrap_or_else(|| Arc::from(""));
        self.put(&name);
        self.put(" ");
        let node = self.noted(&part("witness", item), |w| item.formula.formula(w));
        self.line_end(item.comment.as_ref());
        (name, node)
    }
}

/// What a formula is called in messages.
fn part<F>(what: &str, item: &Item<F>) -> String {
    match &item.label {
        Some(label) => format!("{what} {label}"),
        None => what.to_owned(),
    }
}
