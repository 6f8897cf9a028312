//! Text to tokens, by the lexical grammar `grammar/b.pest`.
//!
//! The generated parser cuts the text piece by piece, and the clock is asked in between. The grammar is
//! total, so wrong input gives tokens of the `bad_` rules, each reported here and left out of the stream.

use super::words;
use crate::clock;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use pest::Parser as _;
use std::ops::Range;
use std::sync::Arc;

/// The generated parser of the words.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/b.pest"]
struct Words;

/// A token and the bytes it covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A reserved word or symbol, under its ASCII spelling.
    Fixed(&'static str),
    Identifier,
    /// `x$0`
    Previous,
    Integer,
    Hexadecimal,
    Real,
    /// `"..."`
    String,
    /// `'''...'''` or three back quotes.
    Multiline,
    /// What stands before an expression within three back quotes, up to its `${`; the tokens of the expression follow.
    Template,
    /// What stands behind the last one.
    TemplateEnd,
    /// After the last token.
    End,
}

/// What the workbench colours alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenClass {
    Keyword,
    Identifier,
    Number,
    String,
    Comment,
    Operator,
    /// Brackets, commas, semicolons.
    Punctuation,
    /// Not a word of the language.
    Wrong,
}

impl TokenClass {
    /// The class of a word that is neither letters nor digits.
    pub fn of_symbol(word: &str) -> TokenClass {
        match word {
            "(" | ")" | "{" | "}" | "[" | "]" | "," | ";" => TokenClass::Punctuation,
            _ => TokenClass::Operator,
        }
    }
}

/// The token stream of a file.
pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// `/*@label name */` and `/*@file "path" */`, by the number of the token that follows.
    pub labels: Vec<(usize, Arc<str>)>,
    pub files: Vec<(usize, Arc<str>, Span)>,
}

/// The tokens of any text with their classes, in order; blanks are left out. Total.
pub fn tokens(text: &str) -> Vec<(Range<usize>, TokenClass)> {
    let mut out = Vec::new();
    scan(text, |rule, range| {
        let class = match rule {
            Rule::comment | Rule::line_comment | Rule::bad_comment | Rule::shebang => {
                TokenClass::Comment
            }
            Rule::identifier if words::fixed(&text[range.clone()]).is_some() => TokenClass::Keyword,
            Rule::symbol_word => TokenClass::Keyword,
            Rule::identifier | Rule::previous => TokenClass::Identifier,
            Rule::number => TokenClass::Number,
            Rule::string | Rule::multiline | Rule::template => TokenClass::String,
            Rule::bad_string | Rule::bad_multiline | Rule::bad_template => TokenClass::String,
            Rule::operator | Rule::simple => TokenClass::of_symbol(&text[range.clone()]),
            _ => TokenClass::Wrong,
        };
        out.push((range, class));
    });
    out
}

/// Runs the grammar and hands over every token, comments and errors included.
fn scan(text: &str, mut each: impl FnMut(Rule, Range<usize>)) {
    let (mut at, mut rule) = (0, Rule::head);
    while at < text.len() {
        let piece = Words::parse(rule, &text[at..]).ok().and_then(|mut pairs| pairs.next());
        let length = piece.as_ref().map_or(0, |piece| piece.as_span().end());
        if rule == Rule::piece && length == 0 {
            // The grammar accepts every text; were it not to, what is left would be one wrong token.
            return each(Rule::stray, at..text.len());
        }
        clock::work(length);
        let mut pairs = piece.into_iter().flat_map(|piece| piece.into_inner()).peekable();
        while let Some(pair) = pairs.next() {
            let (rule, span) = (pair.as_rule(), pair.as_span());
            // `x$0` is an identifier and its mark.
            let mark = pairs.next_if(|next| next.as_rule() == Rule::previous);
            let end = mark.as_ref().map_or(span.end(), |mark| mark.as_span().end());
            let rule = mark.map_or(rule, |mark| mark.as_rule());
            each(rule, at + span.start()..at + end);
        }
        (at, rule) = (at + length, Rule::piece);
    }
}

/// The minus sign, which may stand for `-` within an arrow.
const MINUS: char = '\u{2212}';

/// Cuts a file into tokens; comments are dropped, pragmas and errors kept aside.
pub(super) fn lex(file: FileId, text: &str) -> Lexed {
    let mut out = Lexed {
        tokens: Vec::with_capacity(text.len() / 4),
        diagnostics: Vec::new(),
        labels: Vec::new(),
        files: Vec::new(),
    };
    scan(text, |rule, range| token(&mut out, file, text, rule, range));
    out
}

fn token(out: &mut Lexed, file: FileId, text: &str, rule: Rule, range: Range<usize>) {
    let span = Span::new(file, range.start, range.end);
    let word = &text[range.clone()];
    let kind = match rule {
        Rule::comment => return pragma(out, word, span),
        Rule::line_comment | Rule::shebang => return,
        Rule::identifier | Rule::symbol_word | Rule::operator | Rule::simple => {
            match words::fixed(word) {
                Some(fixed) => TokenKind::Fixed(fixed),
                None if rule == Rule::identifier => TokenKind::Identifier,
                None if word.contains(MINUS) => match words::fixed(&word.replace(MINUS, "-")) {
                    Some(fixed) => TokenKind::Fixed(fixed),
                    None => return wrong(out, Rule::stray, word, span),
                },
                None if word.starts_with('<') && word.ends_with('>') => TokenKind::Fixed("<>"),
                None => return wrong(out, Rule::stray, word, span),
            }
        }
        Rule::previous => TokenKind::Previous,
        Rule::number if word.starts_with("0x") => TokenKind::Hexadecimal,
        Rule::number if word.contains('.') => TokenKind::Real,
        Rule::number => TokenKind::Integer,
        Rule::string => TokenKind::String,
        Rule::template if word.contains(HOLE) => return template(out, file, text, range),
        Rule::multiline | Rule::template => TokenKind::Multiline,
        _ => return wrong(out, rule, word, span),
    };
    out.tokens.push(Token { kind, start: span.start, end: span.end });
}

/// What an expression within a template begins with; it ends with a brace.
const HOLE: &str = "${";

/// Cuts a template with expressions into its texts and the tokens of these.
fn template(out: &mut Lexed, file: FileId, text: &str, range: Range<usize>) {
    let (mut start, mut from, end) = (range.start, range.start + 3, range.end - 3);
    let part = |out: &mut Lexed, kind, range: Range<usize>| {
        let Span { start, end, .. } = Span::new(file, range.start, range.end);
        out.tokens.push(Token { kind, start, end });
    };
    while let Some(hole) = text[from..end].find(HOLE).map(|i| from + i) {
        let inside = hole + HOLE.len();
        let (mut open, mut close) = (0, None);
        let mut tokens = Vec::new();
        scan(&text[inside..end], |rule, range| {
            let range = inside + range.start..inside + range.end;
            match &text[range.clone()] {
                "}" if open == 0 => close = close.or(Some(range.start)),
                "}" => open -= 1,
                "{" => open += 1,
                _ => {}
            }
            if close.is_none() {
                tokens.push((rule, range));
            }
        });
        let Some(close) = close else {
            let span = Span::new(file, hole, inside);
            let diagnostic = Diagnostic::error(
                "unterminated-string",
                span,
                "this expression within a template string has no end",
            );
            out.diagnostics.push(diagnostic.hint("it ends with `}`"));
            break;
        };
        part(out, TokenKind::Template, start..inside);
        for (rule, range) in tokens {
            token(out, file, text, rule, range);
        }
        (start, from) = (close, close + 1);
    }
    part(out, TokenKind::TemplateEnd, start..range.end);
}

/// Reports a token of the grammar's error rules. A run of stray characters is one error.
fn wrong(out: &mut Lexed, rule: Rule, word: &str, span: Span) {
    let head =
        Span { end: span.start + word.chars().next().map_or(1, char::len_utf8) as u32, ..span };
    let diagnostic = match rule {
        Rule::bad_comment => Diagnostic::error(
            "unterminated-comment",
            Span { end: span.start + 2, ..span },
            "this comment has no end",
        )
        .hint("expected `*/`"),
        Rule::bad_string => {
            Diagnostic::error("unterminated-string", span, "this string has no end on its line")
                .hint("expected `\"`; a string over several lines is written '''...'''")
        }
        Rule::bad_multiline => Diagnostic::error(
            "unterminated-string",
            Span { end: span.start + 3, ..span },
            "this string has no end",
        )
        .hint("expected `'''`"),
        Rule::bad_template => Diagnostic::error(
            "unterminated-string",
            Span { end: span.start + 3, ..span },
            "this template string has no end",
        )
        .hint("expected three back quotes"),
        Rule::bad_quoted => {
            Diagnostic::error("unterminated-name", head, "this quoted name has no end on its line")
                .hint("expected a back quote; a dot cannot be quoted")
        }
        _ => {
            if let Some(last) = out.diagnostics.last_mut()
                && last.code == "stray-character"
                && let Some(place) = &mut last.span
                && place.end == span.start
            {
                place.end = span.end;
                return;
            }
            let shown: String = word.chars().flat_map(char::escape_debug).collect();
            let error = Diagnostic::error(
                "stray-character",
                span,
                format!("`{shown}` is no symbol of the language"),
            );
            match word {
                "_" => error.hint("a name begins with a letter"),
                "$" => error.hint("the value before a substitution is written `x$0`"),
                _ => error,
            }
        }
    };
    out.diagnostics.push(diagnostic);
}

/// Keeps a pragma that means something to us; every other comment is dropped.
fn pragma(out: &mut Lexed, comment: &str, span: Span) {
    let Some(body) = comment.strip_prefix("/*@").and_then(|c| c.strip_suffix("*/")) else { return };
    let body = body.trim();
    let next = out.tokens.len();
    if let Some(name) = body.strip_prefix("label").filter(|r| r.starts_with(char::is_whitespace)) {
        if !name.trim().is_empty() {
            out.labels.push((next, name.trim().into()));
        }
    } else if let Some(rest) = body.strip_prefix("file") {
        let path = rest.trim().trim_matches('"');
        if !path.is_empty() {
            out.files.push((next, path.into(), span));
        }
    }
}

/// The value of a string token: quotes dropped, escapes resolved (`\n \r \t \" \' \\`; any other
/// pair stays as it is).
pub(super) fn unescape(word: &str) -> String {
    let quote = if word.starts_with('"') { 1 } else { 3 };
    let body = word.get(quote..word.len().saturating_sub(quote)).unwrap_or("");
    if word.starts_with('`') || !body.contains('\\') {
        return body.to_string();
    }
    let mut out = String::with_capacity(body.len());
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some(c @ ('"' | '\'' | '\\')) => out.push(c),
            Some(c) => out.extend(['\\', c]),
            None => out.push('\\'),
        }
    }
    out
}

/// The text of a part of a template, without what it is set apart by.
pub(super) fn template_text(word: &str) -> &str {
    let word = word.strip_prefix("```").or_else(|| word.strip_prefix('}')).unwrap_or(word);
    word.strip_suffix(HOLE).or_else(|| word.strip_suffix("```")).unwrap_or(word)
}

/// The name of an identifier token: quoted parts lose their back quotes.
pub(super) fn unquote(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut chars = word.chars();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '`' => quoted = !quoted,
            '\\' if quoted => out.extend(chars.next()),
            _ => out.push(c),
        }
    }
    out
}
