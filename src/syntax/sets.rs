//! Sets that are written down: enumerations and comprehensions.

use super::ast::*;
use super::operators;
use super::parser::{Context, Parse, Parser};

impl Parser<'_> {
    /// `{}`, an enumeration or a comprehension.
    pub(super) fn braces(&mut self) -> Parse<Node> {
        let open = self.pos;
        self.bump();
        if self.eat("}") {
            return Ok(self.node(open, NodeKind::Constant(Constant::EmptySet)));
        }
        let kind = if self.is_comprehension() {
            let bound = self.bound()?;
            if self.eat("|") {
                let body = self.nested(Context::Brackets, |p| p.formula(operators::ANY))?;
                NodeKind::Comprehension(bound, Box::new(body))
            } else {
                self.expect(".")?;
                let (filter, value) = self.filter_and_value()?;
                NodeKind::EventComprehension(bound, Box::new(filter), Box::new(value))
            }
        } else if self.is_pattern() {
            self.pattern_comprehension()?
        } else {
            NodeKind::SetExtension(self.nested(Context::Brackets, |p| p.list(operators::ANY))?)
        };
        self.expect_for("}", open)?;
        Ok(self.node(open, kind))
    }

    /// Whether bound identifiers and `|` or `.` follow.
    fn is_comprehension(&self) -> bool {
        matches!(self.after_bound(self.pos), "|" | ".")
    }

    /// The `|` or `.` after bound identifiers, if they begin here: a scan over the identifiers only.
    fn after_bound(&self, from: usize) -> &'static str {
        let parenthesised = self.word_at(from) == "(";
        let mut pos = from + usize::from(parenthesised);
        loop {
            if !self.is_named(pos) {
                return "";
            }
            match self.word_at(pos + 1) {
                "," => pos += 2,
                ")" if parenthesised => return self.word_at(pos + 2),
                word @ ("|" | ".") if !parenthesised => return word,
                _ => return "",
            }
        }
    }

    /// Whether `SET(x).(P)` begins here. Anywhere else `SET` is a name.
    pub(super) fn is_quantified_set(&self) -> bool {
        self.slice(self.pos) == "SET" && self.after_bound(self.pos + 1) == "."
    }

    /// `SET(x).(P)`: another way to write `{x | P}`.
    pub(super) fn quantified_set(&mut self) -> Parse<Node> {
        let start = self.pos;
        self.bump();
        let bound = self.bound()?;
        self.expect(".")?;
        let body = self.parenthesised("the predicate of `SET`")?;
        Ok(self.node(start, NodeKind::Comprehension(bound, Box::new(body))))
    }

    /// Whether a tuple of names written with maplets, and then `|`, follow.
    fn is_pattern(&self) -> bool {
        let (mut pos, mut open) = (self.pos, 0usize);
        loop {
            while self.word_at(pos) == "(" {
                (pos, open) = (pos + 1, open + 1);
            }
            if !self.is_identifier(pos) {
                return false;
            }
            pos += 1;
            while open > 0 && self.word_at(pos) == ")" {
                (pos, open) = (pos + 1, open - 1);
            }
            match self.word_at(pos) {
                "|->" | "," => pos += 1,
                "|" => return open == 0,
                _ => return false,
            }
        }
    }

    /// `{a |-> b | P}`: the tuples of this form for which P holds.
    fn pattern_comprehension(&mut self) -> Parse<NodeKind> {
        let pattern = self.nested(Context::Parentheses, |p| p.formula(operators::ANY))?;
        self.expect("|")?;
        let body = self.nested(Context::Brackets, |p| p.formula(operators::ANY))?;
        let mut names = Vec::new();
        let plain = tuple_names(&pattern, &mut names);
        let body = Box::new(body);
        Ok(match plain {
            true => NodeKind::Comprehension(names, body),
            false => NodeKind::EventComprehension(names, body, Box::new(pattern)),
        })
    }
}

/// Collects the names of a tuple, each once; whether it is `a |-> b |-> c`, as bound names form it.
fn tuple_names(pattern: &Node, names: &mut Vec<Ident>) -> bool {
    match &pattern.kind {
        NodeKind::Name(name) => {
            let new = names.iter().all(|known| known.name != *name);
            if new {
                names.push(Ident { name: name.clone(), span: pattern.span });
            }
            new
        }
        NodeKind::Binary(_, left, right) => {
            let left = tuple_names(left, names);
            let right_is_name = matches!(right.kind, NodeKind::Name(_));
            tuple_names(right, names) && left && right_is_name
        }
        _ => false,
    }
}
