//! Regular expressions, in the notation of ECMAScript.

use super::{Call, big, string, text};
use crate::value::{Shape, Value, sequence};
use num_traits::ToPrimitive;
use regex::{Captures, Regex, RegexBuilder};
use rustc_hash::FxHashMap;

/// Regular expressions by their texts; `None`: it is none.
pub(super) type Patterns = FxHashMap<(String, bool), Option<Regex>>;

/// Most of them that are kept.
const KEPT: usize = 256;

/// The pattern of a call, for whole strings or for parts of them.
fn pattern(c: &Call, written: &str, whole: bool) -> Option<Regex> {
    let mut known = c.patterns.lock().ok()?;
    if known.len() > KEPT {
        known.clear();
    }
    let key = (written.to_owned(), whole);
    let made = known.entry(key).or_insert_with(|| {
        let inner = translated(written)?;
        let text = if whole { format!("\\A(?:{inner})\\z") } else { inner };
        RegexBuilder::new(&text)
            .case_insensitive(c.name.starts_with("REGEX_I"))
            .multi_line(true)
            .build()
            .ok()
    });
    made.clone()
}

/// The notation of the crate, where it differs: digits are those of ASCII, classes by name know all letters, and
/// within brackets only `]`, `-`, `^` and the backslash mean something.
fn translated(written: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = written.chars().peekable();
    let mut in_class = false;
    while let Some(ch) = chars.next() {
        match ch {
            '\\' => match chars.next()? {
                'd' => out.push_str(if in_class { "0-9" } else { "[0-9]" }),
                'D' => out.push_str("[^0-9]"),
                'b' if in_class => out.push_str("\\x08"),
                '0' => out.push_str("\\x00"),
                // What was matched before is not known to a search in linear time.
                '1'..='9' => return None,
                'u' => {
                    let digits: String = chars.by_ref().take(4).collect();
                    out.push_str(&format!("\\x{{{digits}}}"));
                }
                'c' => {
                    let code = u32::from(chars.next()?) % 32;
                    out.push_str(&format!("\\x{{{code:x}}}"));
                }
                other @ ('w' | 'W' | 's' | 'S' | 'B' | 'b' | 't' | 'n' | 'v' | 'f' | 'r' | 'x') => {
                    out.push('\\');
                    out.push(other);
                }
                other => out.push_str(&regex::escape(&other.to_string())),
            },
            '[' if in_class && chars.peek() == Some(&':') => {
                let mut name = String::new();
                chars.next();
                for ch in chars.by_ref() {
                    if ch == ':' {
                        break;
                    }
                    name.push(ch);
                }
                if chars.next() != Some(']') {
                    return None;
                }
                out.push_str(class(&name)?);
            }
            '[' if !in_class => {
                in_class = true;
                out.push('[');
                if chars.peek() == Some(&'^') {
                    out.extend(chars.next());
                }
            }
            ']' if in_class => {
                in_class = false;
                out.push(']');
            }
            '[' | '&' | '~' if in_class => {
                out.push('\\');
                out.push(ch);
            }
            other => out.push(other),
        }
    }
    (!in_class).then_some(out)
}

/// A class by its name, as it stands between brackets.
fn class(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "\\p{Alphabetic}\\p{Nd}",
        "alpha" => "\\p{Alphabetic}",
        "blank" => " \\t",
        "cntrl" => "\\p{Cc}",
        "digit" | "d" => "0-9",
        "graph" => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}",
        "lower" => "\\p{Lowercase}",
        "print" => "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}",
        "punct" => "\\p{P}\\p{S}",
        "space" | "s" => "\\s",
        "upper" => "\\p{Uppercase}",
        "xdigit" => "0-9A-Fa-f",
        "w" => "\\w",
        _ => return None,
    })
}

pub(super) fn is_pattern(c: &Call, a: &[Value]) -> Option<Value> {
    Some(Value::bool(pattern(c, text(&a[0]), false).is_some()))
}

pub(super) fn matches(c: &Call, a: &[Value]) -> Option<Value> {
    Some(Value::bool(pattern(c, text(&a[1]), true)?.is_match(text(&a[0]))))
}

/// All places where the pattern matches, replaced: `$1` is what its first group has matched, `$0` or `$&` all of it.
pub(super) fn replace(c: &Call, a: &[Value]) -> Option<Value> {
    let (pattern, by) = (pattern(c, text(&a[1]), false)?, text(&a[2]));
    let put = |found: &Captures<'_>| {
        let mut out = String::new();
        let mut chars = by.chars().peekable();
        while let Some(ch) = chars.next() {
            let group = match (ch, chars.peek()) {
                ('$', Some('$')) => {
                    chars.next();
                    out.push('$');
                    continue;
                }
                ('$', Some('&')) => 0,
                ('$', Some(digit)) if digit.is_ascii_digit() => digit.to_digit(10).unwrap_or(0),
                _ => {
                    out.push(ch);
                    continue;
                }
            };
            chars.next();
            out.push_str(found.get(group as usize).map_or("", |m| m.as_str()));
        }
        out
    };
    string(pattern.replace_all(text(&a[0]), put).into_owned())
}

pub(super) fn first(c: &Call, a: &[Value]) -> Option<Value> {
    let whole = text(&a[0]);
    string(pattern(c, text(&a[1]), false)?.find(whole).map_or("", |m| m.as_str()).to_owned())
}

pub(super) fn all(c: &Call, a: &[Value]) -> Option<Value> {
    let pattern = pattern(c, text(&a[1]), false)?;
    let found = pattern.find_iter(text(&a[0])).map(|m| Value::String(m.as_str().into()));
    Some(sequence::from_items(&c.result, found.collect()))
}

/// `REGEX_SEARCH(s, from, pattern)`: the first match that begins at the character with this number or later, with what
/// its groups have matched; the position -1 where there is none.
pub(super) fn search(c: &Call, a: &[Value]) -> Option<Value> {
    let (whole, pattern) = (text(&a[0]), pattern(c, text(&a[2]), false)?);
    let skipped = big(&a[1]).to_usize()?.checked_sub(1)?;
    let start = match whole.char_indices().nth(skipped) {
        Some((at, _)) => Some(at),
        None if whole.chars().count() == skipped => Some(whole.len()),
        None => None,
    };
    let found = start.and_then(|start| pattern.captures_at(whole, start));
    let Shape::Record(fields) = &c.result else { return None };
    let number = |n: usize| Value::Int(n as i64);
    let (length, position, matched, groups) = match &found {
        Some(found) => {
            let m = found.get(0)?;
            let groups = (1..found.len())
                .map(|i| Value::String(found.get(i).map_or("", |m| m.as_str()).into()))
                .collect();
            let position = whole[..m.start()].chars().count() + 1;
            (number(m.as_str().chars().count()), number(position), m.as_str(), groups)
        }
        None => (Value::Int(-1), Value::Int(-1), "", Vec::new()),
    };
    let groups = sequence::from_items(fields.get(3)?, groups);
    Some(Value::Record([length, position, Value::String(matched.into()), groups].into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notation_is_translated() {
        let fits = |pattern: &str, s: &str| {
            let pattern = translated(pattern).and_then(|p| Regex::new(&p).ok());
            pattern.map(|p| p.is_match(s))
        };
        assert_eq!(fits("^[[:alpha:]]+$", "ab\u{e4}"), Some(true));
        assert_eq!(fits("^[^[:space:]]$", " "), Some(false));
        assert_eq!(fits("^[[&]+$", "[&["), Some(true));
        assert_eq!(fits("^\\d[\\d.]+$", "1.5"), Some(true));
        assert_eq!(fits("^\\u0041\\x42$", "AB"), Some(true));
        assert_eq!(fits("ab[0-9", "ab1"), None);
        assert_eq!(fits("(a)\\1", "aa"), None);
    }
}
