//! Cutting the token stream into clauses, operations and definitions before it is parsed.
//!
//! Each cut is one pass over the tokens.

use super::parser::Parser;
use super::substitution::begins;
use super::words;

/// The open blocks of a run of tokens.
#[derive(Default)]
pub(super) struct Blocks {
    open: Vec<&'static str>,
}

impl Blocks {
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub fn clear(&mut self) {
        self.open.clear();
    }

    /// Notes a token; `false` for an END that closes nothing.
    pub fn step(&mut self, word: &'static str) -> bool {
        if !words::is_in_capitals(word) {
            return true;
        }
        match word {
            "EITHER" => self.open.push(word),
            "WHEN" if self.open.last() == Some(&"SELECT") => {}
            "END" => return self.open.pop().is_some(),
            _ if begins(word) => self.open.push(word),
            _ => {}
        }
        true
    }

    /// INVARIANT and VARIANT of a WHILE.
    fn in_loop(&self) -> bool {
        self.open.last() == Some(&"WHILE")
    }
}

/// The clauses of a machine.
pub(super) struct Clauses {
    /// Numbers of their keywords.
    pub starts: Vec<usize>,
    /// Number of the machine's END, if it has one.
    pub end: Option<usize>,
}

impl Parser<'_> {
    /// Finds the clauses, and the END of the machine: the last token, or else the first END that
    /// closes no block.
    pub fn clauses(&self, closed: bool) -> Clauses {
        let last = self.limit.checked_sub(1).filter(|l| closed && self.word_at(*l) == "END");
        let mut starts = Vec::new();
        let mut blocks = Blocks::default();
        for pos in self.pos..last.unwrap_or(self.limit) {
            let word = self.word_at(pos);
            if words::is_clause(word) {
                if !(matches!(word, "INVARIANT" | "VARIANT") && blocks.in_loop()) {
                    starts.push(pos);
                    blocks.clear();
                }
            } else if !blocks.step(word) && closed && last.is_none() {
                return Clauses { starts, end: Some(pos) };
            }
        }
        Clauses { starts, end: last }
    }

    /// The pieces of a clause that are separated by a `;` outside brackets and blocks.
    pub fn separated(&self) -> Vec<(usize, usize)> {
        let mut blocks = Blocks::default();
        let mut brackets = 0usize;
        let mut pieces = Vec::new();
        let mut start = self.pos;
        for pos in self.pos..self.limit {
            let word = self.word_at(pos);
            match word {
                "(" | "{" | "[" => brackets += 1,
                ")" | "}" | "]" => brackets = brackets.saturating_sub(1),
                ";" if brackets == 0 && blocks.is_empty() => {
                    pieces.push((start, pos));
                    start = pos + 1;
                }
                _ => {
                    blocks.step(word);
                }
            }
        }
        pieces.push((start, self.limit));
        pieces
    }

    /// The pieces of an OPERATIONS clause: cut at `;` before the head of an operation.
    pub fn operation_pieces(&self) -> Vec<(usize, usize)> {
        let mut pieces = Vec::new();
        let mut start = self.pos;
        let mut brackets = 0usize;
        for pos in self.pos..self.limit {
            match self.word_at(pos) {
                "(" | "{" | "[" => brackets += 1,
                ")" | "}" | "]" => brackets = brackets.saturating_sub(1),
                ";" => {
                    let Some(equals) = self.operation_head(pos + 1) else { continue };
                    if brackets == 0 || begins(self.word_at(equals + 1)) {
                        pieces.push((start, pos));
                        start = pos + 1;
                        brackets = 0;
                    }
                }
                _ => {}
            }
        }
        pieces.push((start, self.limit));
        pieces
    }

    /// The `=` of `out <-- Op(p, q) =`, if such a head stands at `pos`. Reserved words in place of
    /// names count: they are refused where the names are read.
    pub fn operation_head(&self, pos: usize) -> Option<usize> {
        let mut pos = self.past_identifiers(pos)?;
        if self.word_at(pos) == "<--" {
            pos += 1;
            if !self.is_named(pos) {
                return None;
            }
            pos += 1;
        }
        let mut pos = self.past_parameters(pos)?;
        if self.at_ref(pos) {
            pos += 2;
        }
        (self.word_at(pos) == "=").then_some(pos)
    }

    /// Whether `ref` and a name stand here: a word of its own only between an operation and its body.
    pub fn at_ref(&self, pos: usize) -> bool {
        self.slice(pos) == "ref" && self.is_identifier(pos + 1)
    }

    /// The `==` of `Name(p, q) ==`, if such a head stands at `pos`.
    pub fn definition_head(&self, pos: usize) -> Option<usize> {
        if !self.is_named(pos) {
            return None;
        }
        self.past_parameters(pos + 1).filter(|p| self.word_at(*p) == "==")
    }

    /// The sign of what looks like a definition but for it: `Name(p, q) = E`.
    pub fn mistaken_definition_head(&self, pos: usize, signs: &[&str]) -> Option<usize> {
        if !self.is_identifier(pos) {
            return None;
        }
        self.past_parameters(pos + 1).filter(|p| signs.contains(&self.word_at(*p)))
    }

    fn past_identifiers(&self, mut pos: usize) -> Option<usize> {
        loop {
            if !self.is_named(pos) {
                return None;
            }
            if self.word_at(pos + 1) != "," {
                return Some(pos + 1);
            }
            pos += 2;
        }
    }

    /// Past `(p, q)`, which may be absent.
    fn past_parameters(&self, pos: usize) -> Option<usize> {
        if self.word_at(pos) != "(" {
            return Some(pos);
        }
        let close = self.past_identifiers(pos + 1)?;
        (self.word_at(close) == ")").then_some(close + 1)
    }
}
