//! Tokens of printed components, for those who colour them.

use super::notation;
use crate::syntax::TokenClass;
use std::ops::Range;

/// The words that a component is made of.
const WORDS: &[&str] = &[
    "MACHINE",
    "REFINES",
    "SEES",
    "VARIABLES",
    "INVARIANTS",
    "VARIANT",
    "EVENTS",
    "END",
    "CONTEXT",
    "EXTENDS",
    "SETS",
    "CONSTANTS",
    "AXIOMS",
    "theorem",
    "event",
    "refines",
    "extends",
    "any",
    "where",
    "with",
    "then",
    "end",
    "ordinary",
    "convergent",
    "anticipated",
    "skip",
];

/// The tokens of any text with their classes, in order; blanks are left out. Total.
pub fn tokens(text: &str) -> Vec<(Range<usize>, TokenClass)> {
    let mut out = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = line.find("//").unwrap_or(line.len());
        let mut start = at;
        // A label is what stands behind `@`, up to a blank.
        let label = line[..code]
            .find('@')
            .filter(|i| line[..*i].trim().is_empty() || line[..*i].trim() == "theorem");
        if let Some(from) = label {
            formula(text, at..at + from, &mut out);
            let to = line[from..code].find(char::is_whitespace).map_or(code, |n| from + n);
            out.push((at + from..at + to, TokenClass::String));
            start = at + to;
        }
        formula(text, start..at + code, &mut out);
        let comment = line[code..].trim_end();
        if !comment.is_empty() {
            out.push((at + code..at + code + comment.len(), TokenClass::Comment));
        }
        at += line.len();
    }
    out
}

fn formula(text: &str, range: Range<usize>, out: &mut Vec<(Range<usize>, TokenClass)>) {
    let start = range.start;
    for (class, token) in notation::classes(&text[range]) {
        let token = token.start + start..token.end + start;
        let class = match WORDS.contains(&&text[token.clone()]) {
            true => TokenClass::Keyword,
            false => class,
        };
        out.push((token, class));
    }
}
