//! Trees back to text, with as few parentheses as the operator table allows.
//!
//! What is printed parses to the same tree, spans aside. Comments are not kept.

use super::ast::*;
use super::operators::{self, Associativity, Level, Place};
use super::parser::Context;
use super::words;
use std::fmt::{self, Display, Write};

/// Names, literals, calls: what may be applied, but not inverted twice.
const APPLIED: Level = operators::POSTFIX + 1;

/// A formula as text, on one line.
pub fn formula(node: &Node) -> String {
    let mut out = Printer::default();
    out.formula(node, operators::FORMULA, Context::Plain);
    out.text
}

/// A substitution as text, indented.
pub fn substitution(substitution: &Substitution) -> String {
    let mut out = Printer::default();
    out.substitution(substitution, Tightness::Sequence);
    out.text
}

/// A machine or a file of definitions as text.
pub fn machine(file: &MachineFile) -> String {
    let mut out = Printer::default();
    out.machine(file);
    out.text
}

impl Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&formula(self))
    }
}

/// Which lists of statements may stand without BEGIN .. END.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Tightness {
    Sequence,
    Parallel,
    Single,
}

#[derive(Default)]
struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.indent));
    }

    fn name(&mut self, name: &str) {
        for (i, part) in name.split('.').enumerate() {
            if i > 0 {
                self.put(".");
            }
            if is_plain(part) {
                self.put(part);
            } else {
                let _ = write!(self.text, "`{}`", part.replace('\\', "\\\\").replace('`', "\\`"));
            }
        }
    }

    fn names(&mut self, names: &[Ident]) {
        self.separated(names, |p, n| p.name(&n.name));
    }

    fn separated<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            each(self, item);
        }
    }

    fn list(&mut self, items: &[Node], min: Level, context: Context) {
        self.separated(items, |p, n| p.formula(n, min, context));
    }

    // --- formulas ------------------------------------------------------------------------------

    fn formula(&mut self, node: &Node, min: Level, context: Context) {
        let (level, place) = strength(&node.kind);
        let allowed = match place {
            Place::Anywhere => true,
            Place::Brackets => matches!(context, Context::Brackets | Context::Parentheses),
            Place::Parentheses => matches!(context, Context::List | Context::Parentheses),
        };
        if level >= min && allowed {
            self.kind(&node.kind, context);
        } else {
            self.put("(");
            self.kind(&node.kind, Context::Parentheses);
            self.put(")");
        }
    }

    /// Something inside brackets of its own.
    fn inner(&mut self, node: &Node, context: Context) {
        self.formula(node, operators::ANY, context);
    }

    fn kind(&mut self, kind: &NodeKind, context: Context) {
        match kind {
            NodeKind::Integer(value) => {
                let _ = write!(self.text, "{value}");
            }
            NodeKind::Real(text) => self.put(text),
            NodeKind::String(text) => self.string(text),
            NodeKind::Name(name) => self.name(name),
            NodeKind::Previous(name) => {
                self.name(name);
                self.put("$0");
            }
            NodeKind::Constant(constant) => self.put(words::constant_name(*constant)),
            NodeKind::Unary(UnaryOp::Not, body) => self.wrapped("not(", body),
            NodeKind::Unary(UnaryOp::Minus, operand) => {
                self.put("-");
                self.formula(operand, operators::POSTFIX, context);
            }
            NodeKind::Unary(UnaryOp::Inverse, operand) => {
                self.formula(operand, APPLIED, context);
                self.put("~");
            }
            NodeKind::Binary(op, left, right) => self.binary(*op, left, right, context),
            NodeKind::Conjunction(items) => self.run(BinaryOp::And, items, context),
            NodeKind::Disjunction(items) => self.run(BinaryOp::Or, items, context),
            NodeKind::Labelled(name, body) => {
                let _ = write!(self.text, "/*@label {name} */ ");
                self.formula(body, operators::CONJUNCT + 1, context);
            }
            NodeKind::Call(function, arguments) => {
                self.function(function, context);
                self.arguments(arguments);
            }
            NodeKind::Builtin(builtin, arguments) => {
                self.put(words::function_name(*builtin));
                self.arguments(arguments);
            }
            NodeKind::Image(relation, set) => {
                self.formula(relation, operators::POSTFIX, context);
                self.put("[");
                self.inner(set, Context::Parentheses);
                self.put("]");
            }
            NodeKind::Field(record, field) => {
                self.formula(record, operators::POSTFIX, context);
                self.put("'");
                self.name(&field.name);
            }
            NodeKind::SetExtension(items) => {
                self.put("{");
                self.list(items, operators::ANY, Context::Brackets);
                self.put("}");
            }
            NodeKind::SequenceExtension(items) => {
                self.put("[");
                self.list(items, operators::ANY, Context::Brackets);
                self.put("]");
            }
            NodeKind::Comprehension(bound, body) => {
                self.put("{");
                self.names(bound);
                self.put(" | ");
                self.inner(body, Context::Brackets);
                self.put("}");
            }
            NodeKind::EventComprehension(bound, filter, value) => {
                self.put("{(");
                self.names(bound);
                self.put(") . ");
                self.filter(filter, value);
                self.put("}");
            }
            NodeKind::Quantifier(quantifier, bound, body) => {
                self.put(if *quantifier == Quantifier::Forall { "!" } else { "#" });
                self.bound(bound);
                self.wrapped(".(", body);
            }
            NodeKind::Fold(fold, bound, filter, value) => {
                self.put(match fold {
                    Fold::Sigma => "SIGMA",
                    Fold::Pi => "PI",
                    Fold::Union => "UNION",
                    Fold::Inter => "INTER",
                    Fold::Lambda => "%",
                });
                self.bound(bound);
                self.put(".(");
                self.filter(filter, value);
                self.put(")");
            }
            NodeKind::Bool(body) => self.wrapped("bool(", body),
            NodeKind::Record(fields) => self.record("rec(", fields),
            NodeKind::Struct(fields) => self.record("struct(", fields),
            NodeKind::If(branches, otherwise) => {
                for (i, (condition, value)) in branches.iter().enumerate() {
                    self.put(if i == 0 { "IF " } else { " ELSIF " });
                    self.block(condition);
                    self.put(" THEN ");
                    self.block(value);
                }
                self.put(" ELSE ");
                self.block(otherwise);
                self.put(" END");
            }
            NodeKind::Let(bound, equations, body) => {
                self.put("LET ");
                self.names(bound);
                self.put(" BE ");
                self.block(equations);
                self.put(" IN ");
                self.block(body);
                self.put(" END");
            }
            NodeKind::Substitute(substitution, body) => {
                self.put("[");
                self.substitution(substitution, Tightness::Sequence);
                self.put("] ");
                self.formula(body, operators::ATOM, context);
            }
            NodeKind::At(name, arguments) => {
                self.put("@");
                self.put(&name.name);
                self.arguments(arguments);
            }
            NodeKind::Error => self.put("/* not parsed */"),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Node, right: &Node, context: Context) {
        let row = operators::of(op);
        let (before, after) = match row.associativity {
            Associativity::Left => (row.level, row.level + 1),
            Associativity::Right => (row.level + 1, row.level),
            Associativity::None => (row.level + 1, row.level + 1),
        };
        self.formula(left, before, context);
        match op {
            BinaryOp::Comma => self.put(", "),
            BinaryOp::Interval => self.put(".."),
            _ => {
                let _ = write!(self.text, " {} ", row.ascii);
            }
        }
        self.formula(right, after, context);
    }

    /// `P & Q & R`; a run of the same operator inside keeps its parentheses.
    fn run(&mut self, op: BinaryOp, items: &[Node], context: Context) {
        let row = operators::of(op);
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                let _ = write!(self.text, " {} ", row.ascii);
            }
            let same = match item.kind {
                NodeKind::Conjunction(_) => op == BinaryOp::And,
                NodeKind::Disjunction(_) => op == BinaryOp::Or,
                _ => false,
            };
            let min = if i == 0 && !same { row.level } else { row.level + 1 };
            self.formula(item, min, context);
        }
    }

    /// What is applied: a keyword function as a value keeps its parentheses.
    fn function(&mut self, function: &Node, context: Context) {
        let keyword = match &function.kind {
            NodeKind::Name(name) => words::soft_function(name).is_some(),
            NodeKind::Constant(Constant::Function(_)) => true,
            _ => false,
        };
        let min = if keyword { operators::PRIMARY } else { operators::POSTFIX };
        if keyword {
            self.put("(");
            self.kind(&function.kind, context);
            self.put(")");
        } else {
            self.formula(function, min, context);
        }
    }

    fn arguments(&mut self, arguments: &[Node]) {
        self.put("(");
        self.list(arguments, operators::ANY, Context::Brackets);
        self.put(")");
    }

    fn wrapped(&mut self, open: &str, body: &Node) {
        self.put(open);
        self.inner(body, Context::Brackets);
        self.put(")");
    }

    fn bound(&mut self, bound: &[Ident]) {
        self.put("(");
        self.names(bound);
        self.put(")");
    }

    fn filter(&mut self, filter: &Node, value: &Node) {
        self.inner(filter, Context::Brackets);
        self.put(" | ");
        self.inner(value, Context::Parentheses);
    }

    fn record(&mut self, open: &str, fields: &[(Ident, Node)]) {
        self.put(open);
        self.separated(fields, |p, (name, value)| {
            p.name(&name.name);
            p.put(" : ");
            p.formula(value, operators::EXPRESSION, Context::Brackets);
        });
        self.put(")");
    }

    fn block(&mut self, node: &Node) {
        self.formula(node, operators::FORMULA, Context::Plain);
    }

    fn string(&mut self, text: &str) {
        self.put("\"");
        for c in text.chars() {
            match c {
                '"' => self.put("\\\""),
                '\\' => self.put("\\\\"),
                '\n' => self.put("\\n"),
                '\r' => self.put("\\r"),
                '\t' => self.put("\\t"),
                c => self.text.push(c),
            }
        }
        self.put("\"");
    }

    // --- substitutions -------------------------------------------------------------------------

    fn substitution(&mut self, substitution: &Substitution, at_least: Tightness) {
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
    fn enclosed(&mut self, keyword: &str, body: &Substitution) {
        self.put(keyword);
        self.indented(body);
        self.line();
        self.put("END");
    }

    fn indented(&mut self, body: &Substitution) {
        self.indent += 1;
        self.line();
        self.substitution(body, Tightness::Sequence);
        self.indent -= 1;
    }

    fn guarded(&mut self, keyword: &str, predicate: &Node, body: &Substitution) {
        self.put(keyword);
        self.put(" ");
        self.block(predicate);
        self.enclosed(" THEN", body);
    }

    fn branches(
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

    fn otherwise(&mut self, otherwise: Option<&Substitution>) {
        if let Some(body) = otherwise {
            self.line();
            self.put("ELSE");
            self.indented(body);
        }
    }

    fn targets(&mut self, targets: &[Node]) {
        self.list(targets, operators::POSTFIX, Context::Plain);
    }

    fn statement(&mut self, kind: &SubstitutionKind) {
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
            SubstitutionKind::Assert(p, body) => self.guarded("ASSERT", p, body),
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
    fn assigned(&mut self, targets: &[Node]) {
        self.separated(targets, |p, target| p.target(target));
    }

    fn target(&mut self, target: &Node) {
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

    // --- machines ------------------------------------------------------------------------------

    fn machine(&mut self, file: &MachineFile) {
        let keyword = match file.kind {
            MachineKind::Machine => "MACHINE ",
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

    fn clause(&mut self, kind: &ClauseKind) {
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

    fn predicate(&mut self, keyword: &str, predicate: &Node) {
        self.put(keyword);
        self.indent += 1;
        self.line();
        self.block(predicate);
        self.indent -= 1;
    }

    fn clause_names(&mut self, keyword: &str, names: &[Ident]) {
        self.put(keyword);
        self.put(" ");
        self.names(names);
    }

    fn entries<T>(&mut self, keyword: &str, items: &[T], each: impl Fn(&mut Self, &T)) {
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

    fn set(&mut self, set: &SetDeclaration) {
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

    fn freetype(&mut self, declaration: &FreetypeDeclaration) {
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

    fn references(&mut self, keyword: &str, list: &[MachineReference]) {
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

    fn operation(&mut self, operation: &OperationDeclaration) {
        if !operation.results.is_empty() {
            self.names(&operation.results);
            self.put(" <-- ");
        }
        self.name(&operation.name.name);
        if !operation.parameters.is_empty() {
            self.bound(&operation.parameters);
        }
        self.put(" =");
        self.indent += 1;
        self.line();
        self.substitution(&operation.body, Tightness::Parallel);
        self.indent -= 1;
    }

    fn entry(&mut self, entry: &DefinitionEntry) {
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

/// How tightly a node holds together, and where it may stand without parentheses.
fn strength(kind: &NodeKind) -> (Level, Place) {
    match kind {
        NodeKind::Binary(op, ..) => (operators::of(*op).level, operators::of(*op).place),
        NodeKind::Conjunction(_) | NodeKind::Disjunction(_) => {
            (operators::of(BinaryOp::And).level, Place::Anywhere)
        }
        NodeKind::Labelled(..) => (operators::CONJUNCT, Place::Anywhere),
        NodeKind::Substitute(..) => (operators::ATOM, Place::Anywhere),
        NodeKind::Unary(UnaryOp::Inverse, _) => (operators::POSTFIX, Place::Anywhere),
        NodeKind::Unary(..) | NodeKind::Quantifier(..) | NodeKind::If(..) | NodeKind::Let(..) => {
            (operators::UNARY_MINUS, Place::Anywhere)
        }
        _ => (operators::PRIMARY, Place::Anywhere),
    }
}

/// Whether a part of a name needs no back quotes.
fn is_plain(part: &str) -> bool {
    let one = super::lexer::tokens(part);
    matches!(one.as_slice(), [(range, super::TokenClass::Identifier)] if range.len() == part.len())
        && !part.starts_with('`')
        && !part.ends_with("$0")
}
