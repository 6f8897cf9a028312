//! Trees back to text, with as few parentheses as the operator table allows.
//!
//! What is printed parses to the same tree, spans aside. Comments are not kept.

mod machine;
mod substitution;

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

    // --- machines ------------------------------------------------------------------------------
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
