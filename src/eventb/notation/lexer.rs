//! Tokens of formulas, in ASCII and in Unicode as Rodin writes them.

use super::operators::{INFIX, Infix};
use crate::clock;
use crate::syntax::ast::{Builtin, Constant};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug)]
pub enum Token {
    Identifier,
    Number,
    Infix(&'static Infix),
    Not,
    Forall,
    Exists,
    Lambda,
    /// `UNION x.P|E`
    Union,
    /// `INTER x.P|E`
    Inter,
    /// An operator that is followed by its argument in parentheses.
    Function(Builtin),
    /// `bool`
    Bool,
    /// `finite`, `partition`
    Named,
    Constant(Constant),
    /// `id`, `prj1`, `prj2`
    Generic,
    /// Whatever else has one meaning: brackets, `,`, `.`, `|`, `~`, `:=`, `::`, `:|`.
    Mark(&'static str),
    /// A character that is none of the language.
    Stray,
}

/// A symbol and all its spellings.
type Symbol = (&'static [&'static str], Token);

const SYMBOLS: &[Symbol] = &[
    (&["not", "¬"], Token::Not),
    (&["!", "∀"], Token::Forall),
    (&["#", "∃"], Token::Exists),
    (&["%", "λ"], Token::Lambda),
    (&["UNION", "⋃"], Token::Union),
    (&["INTER", "⋂"], Token::Inter),
    (&["POW", "ℙ"], Token::Function(Builtin::Pow)),
    (&["POW1", "ℙ1"], Token::Function(Builtin::Pow1)),
    (&["card"], Token::Function(Builtin::Card)),
    (&["dom"], Token::Function(Builtin::Dom)),
    (&["ran"], Token::Function(Builtin::Ran)),
    (&["min"], Token::Function(Builtin::Min)),
    (&["max"], Token::Function(Builtin::Max)),
    (&["union"], Token::Function(Builtin::Union)),
    (&["inter"], Token::Function(Builtin::Inter)),
    (&["bool"], Token::Bool),
    (&["finite"], Token::Named),
    (&["partition"], Token::Named),
    (&["true", "⊤"], Token::Constant(Constant::Truth)),
    (&["false", "⊥"], Token::Constant(Constant::Falsity)),
    (&["TRUE"], Token::Constant(Constant::True)),
    (&["FALSE"], Token::Constant(Constant::False)),
    (&["BOOL"], Token::Constant(Constant::BoolSet)),
    (&["INT", "ℤ"], Token::Constant(Constant::Integer)),
    (&["NAT", "ℕ"], Token::Constant(Constant::Natural)),
    (&["NAT1", "ℕ1"], Token::Constant(Constant::Natural1)),
    (&["∅"], Token::Constant(Constant::EmptySet)),
    (&["succ"], Token::Constant(Constant::Function(Builtin::Succ))),
    (&["pred"], Token::Constant(Constant::Function(Builtin::Pred))),
    (&["id"], Token::Generic),
    (&["prj1"], Token::Generic),
    (&["prj2"], Token::Generic),
    (&["("], Token::Mark("(")),
    (&[")"], Token::Mark(")")),
    (&["["], Token::Mark("[")),
    (&["]"], Token::Mark("]")),
    (&["{"], Token::Mark("{")),
    (&["}"], Token::Mark("}")),
    (&[","], Token::Mark(",")),
    (&[".", "·"], Token::Mark(".")),
    (&["|", "∣"], Token::Mark("|")),
    (&["~", "∼"], Token::Mark("~")),
    (&[":=", "≔"], Token::Mark(":=")),
    (&["::", ":∈"], Token::Mark("::")),
    (&[":|", ":∣"], Token::Mark(":|")),
];

/// Every spelling with what it stands for, and the bytes of the longest.
static TABLE: LazyLock<(FxHashMap<&'static str, Token>, usize)> = LazyLock::new(|| {
    let mut table: FxHashMap<&'static str, Token> = FxHashMap::default();
    for (spellings, token) in SYMBOLS {
        table.extend(spellings.iter().map(|s| (*s, *token)));
    }
    for infix in INFIX {
        table.insert(infix.ascii, Token::Infix(infix));
        table.extend(infix.unicode.iter().map(|s| (*s, Token::Infix(infix))));
    }
    let longest = table.keys().map(|s| s.len()).max().unwrap_or(0);
    (table, longest)
});

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// The spelling of a word or symbol of the language, without white space.
fn known(word: &str) -> Option<Token> {
    TABLE.0.get(word).copied()
}

/// Whether a name cannot be one: the language has another use for it.
pub fn is_reserved(name: &str) -> bool {
    known(name).is_some()
}

/// The tokens of a text with their places. Total.
pub fn lex(text: &str) -> Vec<(Token, Range<usize>)> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        clock::work(1);
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (token, length) = next(rest, c);
        out.push((token, at..at + length));
        at += length;
    }
    out
}

fn next(rest: &str, c: char) -> (Token, usize) {
    if c.is_ascii_digit() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        return (Token::Number, end);
    }
    if c.is_ascii_alphabetic() || c == '_' {
        let end = word(rest);
        return (known(&rest[..end]).unwrap_or(Token::Identifier), end);
    }
    // The longest symbol that the text begins with. Some are letters: the lambda, the sets of numbers.
    let longest = TABLE.1.min(rest.len());
    let ends = (1..=longest).rev().filter(|end| rest.is_char_boundary(*end));
    let starts_word = |s: &str| s.starts_with(|c: char| c.is_ascii_alphabetic());
    for end in ends {
        if let Some(token) = known(&rest[..end]).filter(|_| !starts_word(&rest[..end])) {
            return (token, end);
        }
    }
    match is_letter(c) {
        true => (Token::Identifier, word(rest)),
        false => (Token::Stray, c.len_utf8()),
    }
}

/// Bytes of the identifier that a text begins with; primes end it.
fn word(rest: &str) -> usize {
    let end = rest.find(|c: char| !is_letter(c) && !c.is_numeric()).unwrap_or(rest.len());
    end + rest[end..].bytes().take_while(|b| *b == b'\'').count()
}

/// Whether a text is one identifier and nothing else.
pub fn is_identifier(text: &str) -> bool {
    text.chars().next().is_some_and(is_letter)
        && word(text) == text.len()
        && matches!(lex(text)[..], [(Token::Identifier, _)])
}
