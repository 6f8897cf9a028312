//! DEFINITIONS: entries, and what kind of thing each defines.
//!
//! A definition is a formula if its right side parses as one, else a substitution. It may be wrong
//! and never used, so its error is kept beside the tree instead of being reported.

use super::ast::*;
use super::lexer::{self, TokenKind};
use super::operators;
use super::parser::{Context, Parse, Parser};
use super::split::Blocks;
use crate::diagnostic::Diagnostic;

impl Parser<'_> {
    /// The entries of a clause, with the errors of those that do not parse.
    pub fn definition_entries(
        &mut self,
        errors: &mut Vec<(Name, Diagnostic)>,
    ) -> Vec<DefinitionEntry> {
        let starts = self.entry_starts();
        let limit = self.limit;
        let first = starts.first().copied().unwrap_or(limit);
        if first > self.pos {
            let error = self.expected("a definition `Name == ...` or a file of definitions");
            self.report(error);
        }
        let mut entries = Vec::new();
        for (i, start) in starts.iter().enumerate() {
            let mut end = starts.get(i + 1).copied().unwrap_or(limit);
            self.enter(end, limit);
            if i + 1 < starts.len() && self.word_at(end - 1) != ";" {
                let error = self.expected("`;` between definitions");
                self.report(error);
            }
            while end > *start && self.word_at(end - 1) == ";" {
                end -= 1;
            }
            self.enter(*start, end);
            match self.entry(end, errors) {
                Ok(entry) => entries.push(entry),
                Err(error) => self.report(error),
            }
        }
        self.enter(limit, limit);
        entries
    }

    /// Where the entries begin: after a `;`, or, where that was forgotten, at a head `Name(..) ==`
    /// outside brackets. A head with another sign counts where nothing else can be meant, so that the
    /// definition is there all the same: no formula has `; x = ..` outside brackets and blocks, but a
    /// substitution has `; x := ..`.
    fn entry_starts(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut brackets = 0usize;
        let mut blocks = Blocks::default();
        for pos in self.pos..self.limit {
            let before = if pos == self.pos { ";" } else { self.word_at(pos - 1) };
            let word = self.word_at(pos);
            match word {
                "(" | "{" | "[" => brackets += 1,
                ")" | "}" | "]" => brackets = brackets.saturating_sub(1),
                _ => {
                    blocks.step(word);
                }
            }
            let signs: &[&str] = if pos == self.pos { &["=", ":="] } else { &["="] };
            let begins = if before == ";" {
                self.definition_head(pos).is_some()
                    || self.kind_at(pos) == TokenKind::String
                    || word == "<"
                    || brackets == 0
                        && blocks.is_empty()
                        && self.mistaken_definition_head(pos, signs).is_some()
            } else {
                brackets == 0
                    && before != "=="
                    && self.is_identifier(pos)
                    && self.definition_head(pos).is_some()
            };
            if begins {
                starts.push(pos);
                brackets = 0;
                blocks.clear();
            }
        }
        starts
    }

    fn entry(
        &mut self,
        end: usize,
        errors: &mut Vec<(Name, Diagnostic)>,
    ) -> Parse<DefinitionEntry> {
        let start = self.pos;
        if self.kind() == TokenKind::String {
            let path = lexer::unescape(self.slice(start)).into();
            let span = self.span();
            self.bump();
            self.leftover("`;`").map_or(Ok(()), Err)?;
            return Ok(DefinitionEntry::Include { path, span });
        }
        if self.at("<") {
            return self.library_file(end);
        }
        let name = self.identifier("the name of a definition")?;
        let open = self.pos;
        let mut parameters = Vec::new();
        if self.eat("(") {
            parameters = self.identifiers("a parameter")?;
            self.expect_for(")", open)?;
        }
        if !self.eat("==") {
            let error = *self.expected("`==`");
            self.report(Box::new(error.hint("a definition is written `Name == ..`")));
            self.bump();
        }
        let body = match self.definition_body(end) {
            Ok(body) => body,
            Err(error) => {
                errors.push((name.name.clone(), *error));
                DefinitionBody::Error
            }
        };
        self.pos = end;
        let span = self.since(start);
        Ok(DefinitionEntry::Definition(Definition { name, parameters, body, span }))
    }

    /// `<file.def>`.
    fn library_file(&mut self, end: usize) -> Parse<DefinitionEntry> {
        let start = self.pos;
        self.pos = end - 1;
        if !self.at(">") || self.pos == start {
            self.pos = end;
            return Err(self.expected("`>`"));
        }
        let (from, to) = (self.span_at(start).end as usize, self.span().start as usize);
        let path = self.text.get(from..to).unwrap_or("").trim().into();
        self.bump();
        Ok(DefinitionEntry::Include { path, span: self.since(start) })
    }

    /// The right side: a formula, else a substitution, else the error of the attempt that went
    /// further.
    fn definition_body(&mut self, end: usize) -> Parse<DefinitionBody> {
        let start = self.pos;
        let formula = self.attempt(start, end, |p| {
            p.context = Context::List;
            p.predicate()
        });
        let (failed, wrong) = match formula {
            // `x : (P)` reads as a membership, but a predicate is no set.
            Ok(node) if is_membership_in_predicate(&node) => {
                let substitution = self.attempt(start, end, Parser::sequence);
                return Ok(match substitution {
                    Ok(substitution) => DefinitionBody::Substitution(substitution),
                    Err(_) => DefinitionBody::Formula(node),
                });
            }
            Ok(node) => return Ok(DefinitionBody::Formula(node)),
            Err(error) => error,
        };
        let substitution = self.attempt(start, end, Parser::sequence);
        match substitution {
            Ok(substitution) => Ok(DefinitionBody::Substitution(substitution)),
            Err((at, error)) => Err(if at > failed { error } else { wrong }),
        }
    }

    /// Parses a whole piece without reporting; the error comes with where it stopped.
    fn attempt<T>(
        &mut self,
        start: usize,
        end: usize,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Result<T, (usize, Box<Diagnostic>)> {
        self.enter(start, end);
        let result = self.unrecovered(parse);
        match result {
            Ok(item) => match self.leftover("`;` and the next definition") {
                None => Ok(item),
                Some(error) => Err((self.pos, error)),
            },
            Err(error) => Err((self.pos, error)),
        }
    }
}

fn is_membership_in_predicate(node: &Node) -> bool {
    let NodeKind::Binary(BinaryOp::Member, _, set) = &node.kind else { return false };
    match &set.kind {
        NodeKind::Binary(op, ..) => {
            let level = operators::of(*op).level;
            level == operators::COMPARISON || matches!(op, BinaryOp::Implies | BinaryOp::Iff)
        }
        NodeKind::Conjunction(_) | NodeKind::Disjunction(_) | NodeKind::Quantifier(..) => true,
        _ => false,
    }
}
