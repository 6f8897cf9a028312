//! Machines, their clauses and definitions as text.

use super::super::ast::*;
use super::super::operators::{self};
use super::super::parser::Context;
use super::{Printer, Tightness};
use std::fmt::Write;

impl Printer {
    pub(super) fn machine(&mut self, file: &MachineFile) {
        let keyword = match file.kind {
            MachineKind::Machine | MachineKind::EventB => "MACHINE ",
            MachineKind::Refinement => "REFINEMENT ",
            MachineKind::Implementation => "IMPLEMENTATION ",
            MachineKind::Definitions => "",
        };
        if !keyword.is_empty() {
            self.put(keyword);
            self.name(&file.name.name);
            if !file.parameters.is_empty() {
                self.bound(&file.parameters);
            }
            self.line();
        }
        if let Some(refined) = &file.refines {
            self.put("REFINES ");
            self.name(&refined.name);
            self.line();
        }
        for clause in &file.clauses {
            self.clause(&clause.kind);
            self.line();
        }
        if !keyword.is_empty() {
            self.put("END\n");
        }
    }

    pub(super) fn clause(&mut self, kind: &ClauseKind) {
        match kind {
            ClauseKind::Constraints(p) => self.predicate("CONSTRAINTS", p),
            ClauseKind::Properties(p) => self.predicate("PROPERTIES", p),
            ClauseKind::Invariant(p) => self.predicate("INVARIANT", p),
            ClauseKind::Variant(e) => self.predicate("VARIANT", e),
            ClauseKind::Sets(sets) => self.entries("SETS", sets, Printer::set),
            ClauseKind::Assertions(list) => self.entries("ASSERTIONS", list, Printer::block),
            ClauseKind::Constants(names) => self.clause_names("CONSTANTS", names),
            ClauseKind::AbstractConstants(names) => self.clause_names("ABSTRACT_CONSTANTS", names),
            ClauseKind::Variables(names) => self.clause_names("VARIABLES", names),
            ClauseKind::ConcreteVariables(names) => self.clause_names("CONCRETE_VARIABLES", names),
            ClauseKind::Promotes(names) => self.clause_names("PROMOTES", names),
            ClauseKind::Initialisation(body) => {
                self.put("INITIALISATION");
                self.indented(body);
            }
            ClauseKind::Operations(list) => self.entries("OPERATIONS", list, Printer::operation),
            ClauseKind::LocalOperations(list) => {
                self.entries("LOCAL_OPERATIONS", list, Printer::operation);
            }
            ClauseKind::Definitions(list) => self.entries("DEFINITIONS", list, Printer::entry),
            ClauseKind::Expressions(list) => self.entries("EXPRESSIONS", list, Printer::entry),
            ClauseKind::Predicates(list) => self.entries("PREDICATES", list, Printer::entry),
            ClauseKind::Sees(list) => self.references("SEES", list),
            ClauseKind::Uses(list) => self.references("USES", list),
            ClauseKind::Includes(list) => self.references("INCLUDES", list),
            ClauseKind::Extends(list) => self.references("EXTENDS", list),
            ClauseKind::Imports(list) => self.references("IMPORTS", list),
            ClauseKind::Values(list) => self.entries("VALUES", list, |p, (name, value)| {
                p.name(&name.name);
                p.put(" = ");
                p.formula(value, operators::EXPRESSION, Context::Plain);
            }),
            ClauseKind::Freetypes(list) => self.entries("FREETYPES", list, Printer::freetype),
        }
    }

    pub(super) fn predicate(&mut self, keyword: &str, predicate: &Node) {
        self.put(keyword);
        self.indent += 1;
        self.line();
        self.block(predicate);
        self.indent -= 1;
    }

    pub(super) fn clause_names(&mut self, keyword: &str, names: &[Ident]) {
        self.put(keyword);
        self.put(" ");
        self.names(names);
    }

    pub(super) fn entries<T>(&mut self, keyword: &str, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.put(keyword);
        self.indent += 1;
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(";");
            }
            self.line();
            each(self, item);
        }
        self.indent -= 1;
    }

    pub(super) fn set(&mut self, set: &SetDeclaration) {
        match set {
            SetDeclaration::Deferred(name) => self.name(&name.name),
            SetDeclaration::Enumerated(name, elements) => {
                self.name(&name.name);
                self.put(" = {");
                self.names(elements);
                self.put("}");
            }
            SetDeclaration::FromDefinition(name, definition) => {
                self.name(&name.name);
                self.put(" = ");
                self.name(&definition.name);
            }
        }
    }

    pub(super) fn freetype(&mut self, declaration: &FreetypeDeclaration) {
        self.name(&declaration.name.name);
        self.put(" = ");
        self.separated(&declaration.constructors, |p, (name, argument)| {
            p.name(&name.name);
            if let Some(set) = argument {
                p.put("(");
                p.inner(set, Context::Parentheses);
                p.put(")");
            }
        });
    }

    pub(super) fn references(&mut self, keyword: &str, list: &[MachineReference]) {
        self.put(keyword);
        self.put(" ");
        self.separated(list, |p, reference| {
            if let Some(prefix) = &reference.prefix {
                p.name(&prefix.name);
                p.put(".");
            }
            p.name(&reference.machine.name);
            if !reference.arguments.is_empty() {
                p.arguments(&reference.arguments);
            }
            if let Some((path, _)) = &reference.file {
                let _ = write!(p.text, " /*@file \"{path}\" */");
            }
        });
    }

    pub(super) fn operation(&mut self, operation: &OperationDeclaration) {
        if !operation.results.is_empty() {
            self.names(&operation.results);
            self.put(" <-- ");
        }
        self.name(&operation.name.name);
        if !operation.parameters.is_empty() {
            self.bound(&operation.parameters);
        }
        if let Some(refined) = &operation.refines {
            self.put(" ref ");
            self.name(&refined.name);
        }
        self.put(" =");
        self.indent += 1;
        self.line();
        self.substitution(&operation.body, Tightness::Parallel);
        self.indent -= 1;
    }

    pub(super) fn entry(&mut self, entry: &DefinitionEntry) {
        let definition = match entry {
            DefinitionEntry::Include { path, .. } => return self.string(path),
            DefinitionEntry::Definition(definition) => definition,
        };
        self.name(&definition.name.name);
        if !definition.parameters.is_empty() {
            self.bound(&definition.parameters);
        }
        self.put(" == ");
        match &definition.body {
            DefinitionBody::Formula(node) => {
                self.formula(node, operators::FORMULA, Context::List);
            }
            DefinitionBody::Substitution(body) => {
                self.substitution(body, Tightness::Sequence);
            }
            DefinitionBody::Error => self.put("/* not parsed */"),
        }
    }
}
