//! Substitutions as text.

use super::super::ast::*;
use super::super::operators::{self};
use super::super::parser::Context;
use super::{Printer, Tightness};

impl Printer {
    pub(super) fn substitution(&mut self, substitution: &Substitution, at_least: Tightness) {
        let (items, separator, tightness) = match &substitution.kind {
            SubstitutionKind::Sequence(items) => (items, ";", Tightness::Sequence),
            SubstitutionKind::Parallel(items) => (items, " ||", Tightness::Parallel),
            _ => return self.statement(&substitution.kind),
        };
        if tightness < at_least {
            return self.enclosed("BEGIN", substitution);
        }
        let inside = if separator == ";" { Tightness::Parallel } else { Tightness::Single };
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(separator);
                self.line();
            }
            self.substitution(item, inside);
        }
    }

    /// A keyword, a sequence and END.
    pub(super) fn enclosed(&mut self, keyword: &str, body: &Substitution) {
        self.put(keyword);
        self.indented(body);
        self.line();
        self.put("END");
    }

    pub(super) fn indented(&mut self, body: &Substitution) {
        self.indent += 1;
        self.line();
        self.substitution(body, Tightness::Sequence);
        self.indent -= 1;
    }

    pub(super) fn guarded(&mut self, keyword: &str, predicate: &Node, body: &Substitution) {
        self.put(keyword);
        self.put(" ");
        self.block(predicate);
        self.enclosed(" THEN", body);
    }

    pub(super) fn branches(
        &mut self,
        keyword: &str,
        more: &str,
        branches: &[(Node, Substitution)],
        otherwise: Option<&Substitution>,
    ) {
        for (i, (condition, body)) in branches.iter().enumerate() {
            if i > 0 {
                self.line();
            }
            self.put(if i == 0 { keyword } else { more });
            self.put(" ");
            self.block(condition);
            self.put(" THEN");
            self.indented(body);
        }
        self.otherwise(otherwise);
        self.line();
        self.put("END");
    }

    pub(super) fn otherwise(&mut self, otherwise: Option<&Substitution>) {
        if let Some(body) = otherwise {
            self.line();
            self.put("ELSE");
            self.indented(body);
        }
    }

    pub(super) fn targets(&mut self, targets: &[Node]) {
        self.list(targets, operators::POSTFIX, Context::Plain);
    }

    pub(super) fn statement(&mut self, kind: &SubstitutionKind) {
        match kind {
            SubstitutionKind::Skip => self.put("skip"),
            SubstitutionKind::Block(body) => self.enclosed("BEGIN", body),
            SubstitutionKind::Assign(targets, values) => {
                self.assigned(targets);
                self.put(" := ");
                self.list(values, operators::EXPRESSION, Context::Plain);
            }
            SubstitutionKind::BecomesElement(targets, set) => {
                self.assigned(targets);
                self.put(" :: ");
                self.formula(set, operators::EXPRESSION, Context::Plain);
            }
            SubstitutionKind::BecomesSuchThat(targets, predicate) => {
                self.assigned(targets);
                self.put(" :(");
                self.formula(predicate, operators::FORMULA, Context::Brackets);
                self.put(")");
            }
            SubstitutionKind::Call { results, operation, arguments } => {
                if !results.is_empty() {
                    self.targets(results);
                    self.put(" <-- ");
                }
                self.name(&operation.name);
                if !arguments.is_empty() {
                    self.arguments(arguments);
                }
            }
            SubstitutionKind::Parallel(_) | SubstitutionKind::Sequence(_) => {}
            SubstitutionKind::Precondition(p, body) => self.guarded("PRE", p, body),
            SubstitutionKind::Assert(p, body) | SubstitutionKind::Claim(_, p, body) => {
                self.guarded("ASSERT", p, body);
            }
            SubstitutionKind::Witness(p, body) => self.guarded("WITNESS", p, body),
            SubstitutionKind::Choice(items) => {
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        self.line();
                    }
                    self.put(if i == 0 { "CHOICE" } else { "OR" });
                    self.indented(item);
                }
                self.line();
                self.put("END");
            }
            SubstitutionKind::If(branches, otherwise) => {
                self.branches("IF", "ELSIF", branches, otherwise.as_deref());
            }
            SubstitutionKind::Select(branches, otherwise) => {
                self.branches("SELECT", "WHEN", branches, otherwise.as_deref());
            }
            SubstitutionKind::Case { subject, branches, otherwise } => {
                self.put("CASE ");
                self.formula(subject, operators::EXPRESSION, Context::Plain);
                self.put(" OF");
                for (i, (labels, body)) in branches.iter().enumerate() {
                    self.line();
                    self.put(if i == 0 { "EITHER " } else { "OR " });
                    self.list(labels, operators::EXPRESSION, Context::Plain);
                    self.put(" THEN");
                    self.indented(body);
                }
                self.otherwise(otherwise.as_deref());
                self.line();
                self.put("END END");
            }
            SubstitutionKind::Any(bound, p, body) => {
                self.put("ANY ");
                self.names(bound);
                self.guarded(" WHERE", p, body);
            }
            SubstitutionKind::Let(bound, equations, body) => {
                self.put("LET ");
                self.names(bound);
                self.put(" BE ");
                self.block(equations);
                self.enclosed(" IN", body);
            }
            SubstitutionKind::Var(bound, body) => {
                self.put("VAR ");
                self.names(bound);
                self.enclosed(" IN", body);
            }
            SubstitutionKind::While { condition, body, invariant, variant } => {
                self.put("WHILE ");
                self.block(condition);
                self.put(" DO");
                self.indented(body);
                self.line();
                self.put("INVARIANT ");
                self.block(invariant);
                self.line();
                self.put("VARIANT ");
                self.block(variant);
                self.line();
                self.put("END");
            }
            SubstitutionKind::Error => self.put("/* not parsed */"),
        }
    }

    /// Targets keep a soft keyword as it is: `left(p) := E` assigns to the function `left`.
    pub(super) fn assigned(&mut self, targets: &[Node]) {
        self.separated(targets, |p, target| p.target(target));
    }

    pub(super) fn target(&mut self, target: &Node) {
        match &target.kind {
            NodeKind::Call(function, arguments) => {
                self.target(function);
                self.arguments(arguments);
            }
            NodeKind::Field(record, field) => {
                self.target(record);
                self.put("'");
                self.name(&field.name);
            }
            _ => self.formula(target, operators::POSTFIX, Context::Plain),
        }
    }
}
