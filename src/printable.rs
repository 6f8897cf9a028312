//! Text that may be shown on a terminal.
//!
//! Machines, traces, paths and arguments hold whatever somebody has put into them: escape sequences
//! that clear the screen or set its title, marks that turn the direction of writing around, letters
//! that are not to be seen. Everything that is shown goes through here, on its way to standard output,
//! to standard error and to the screen of the workbench. A character that steers a terminal, or that
//! takes no room on it, is shown by its number: `\u{1b}`. Doing it twice changes nothing.
//!
//! [`line`] is for what stands on one line, [`block`] for what may have several, [`json`] for text in
//! JSON, which stays equal to what it was. [`Painted`] is a text with colours, which nothing that
//! comes from outside can have.

use std::borrow::Cow;
use std::fmt::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A text on one line: line ends are shown by their numbers, too.
pub fn line(text: &str) -> Cow<'_, str> {
    if is_plain(text) { Cow::Borrowed(text) } else { shown(text, steers) }
}

/// A text that may have several lines.
pub fn block(text: &str) -> Cow<'_, str> {
    shown(text, |c| steers(c) && c != '\n')
}

/// Nothing but the characters of ASCII that take one column each. Long values are, and are looked at often: many
/// bytes are looked at at once.
fn is_plain(text: &str) -> bool {
    let plain = |part: &[u8]| part.iter().fold(true, |all, b| all & (b' '..=b'~').contains(b));
    text.as_bytes().chunks(256).all(plain)
}

/// The columns that a text takes which may be shown.
pub fn columns(text: &str) -> usize {
    if is_plain(text) { text.len() } else { text.width() }
}

fn shown(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// A text in JSON, with such characters as JSON's own escapes. They occur in its strings only, which
/// stay equal.
pub fn json(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| steers(c) && c != '\n';
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if !hidden(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // a string takes all that is written
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Cow::Owned(out)
}

/// A text in so many columns; `…` stands for what has no room.
pub fn clipped(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > width {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// Whether a character does something other than taking its room: controls (C0, DEL, C1), separators
/// of lines and paragraphs, marks of direction, whatever else is not to be seen.
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{70F}' | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
            // Terminals differ in how much room flags and tones of skin take.
            | '\u{1F1E6}'..='\u{1F1FF}' | '\u{1F3FB}'..='\u{1F3FF}'
            | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Error,
    Warning,
    Note,
    Hint,
    Strong,
    Margin,
}

impl Role {
    /// Its colour, as the number of an ANSI escape sequence.
    fn code(self) -> &'static str {
        match self {
            Role::Error => "1;31",
            Role::Warning => "1;33",
            Role::Note => "1;34",
            Role::Hint => "36",
            Role::Strong => "1",
            Role::Margin => "34",
        }
    }
}

/// A text in pieces, some of them coloured. What is written to it has no colour.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Painted(Vec<(Option<Role>, String)>);

impl Painted {
    pub fn new() -> Painted {
        Painted::default()
    }

    /// Adds a text without colour.
    pub fn push(&mut self, text: &str) {
        match self.0.last_mut() {
            Some((None, last)) => last.push_str(text),
            _ => self.0.push((None, text.to_owned())),
        }
    }

    /// Adds a text with the colour of its role.
    pub fn paint(&mut self, role: Role, text: &str) {
        if !text.is_empty() {
            self.0.push((Some(role), text.to_owned()));
        }
    }

    pub fn extend(&mut self, other: Painted) {
        self.0.extend(other.0);
    }

    /// The text without colours.
    pub fn plain(&self) -> String {
        self.0.iter().map(|(_, text)| block(text)).collect()
    }

    /// The text with the colours of a terminal.
    pub fn coloured(&self) -> String {
        let mut out = String::new();
        for (role, text) in &self.0 {
            let text = block(text);
            // a string takes all that is written
            let _ = match role {
                Some(role) => write!(out, "\x1b[{}m{text}\x1b[0m", role.code()),
                None => write!(out, "{text}"),
            };
        }
        out
    }
}

impl From<&str> for Painted {
    fn from(text: &str) -> Painted {
        Painted(vec![(None, text.to_owned())])
    }
}

impl From<String> for Painted {
    fn from(text: String) -> Painted {
        Painted(vec![(None, text)])
    }
}

impl From<&String> for Painted {
    fn from(text: &String) -> Painted {
        Painted::from(text.as_str())
    }
}

impl Write for Painted {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_shown_by_its_number() {
        assert_eq!(line("a\x1b[2J\x07\u{9b}é日\n"), "a\\u{1b}[2J\\u{7}\\u{9b}é日\\u{a}");
        assert_eq!(block("a\r\n\tb\u{202e}"), "a\\u{d}\n\\u{9}b\\u{202e}");
        assert!(matches!(line("nothing to do: \\u{1b} e\u{301}"), Cow::Borrowed(_)));
        let once = line("\x1b\u{200b}").into_owned();
        assert_eq!(line(&once), once);
    }

    /// What is known of plain texts without looking at each character is true of them.
    #[test]
    fn plain_texts_are_what_the_others_are() {
        for c in '\0'..'\u{2ff}' {
            for text in
                [c.to_string(), format!("{}{c}", "x".repeat(255)), "x".repeat(300) + &c.to_string()]
            {
                assert_eq!(line(&text), shown(&text, steers), "{text:?}");
                assert_eq!(columns(&text), text.width(), "{text:?}");
            }
        }
        assert_eq!(columns("日本"), 4);
    }

    #[test]
    fn letters_with_marks_are_letters() {
        for text in ["e\u{301}", "日本語", "क्षि", "x\u{20dd}", "שלום", "👍", "\u{e000}"]
        {
            assert!(matches!(line(text), Cow::Borrowed(_)), "{text}");
        }
        for c in [
            '\u{1f3fd}',
            '\u{1f1e9}',
            '\u{7f}',
            '\u{85}',
            '\u{ad}',
            '\u{200d}',
            '\u{2028}',
            '\u{2066}',
            '\u{feff}',
        ] {
            assert!(steers(c), "{c:?}");
        }
    }

    #[test]
    fn a_text_is_cut() {
        assert_eq!(clipped("abc", 3), "abc");
        assert_eq!(clipped("abcd", 3), "ab…");
        assert_eq!(clipped("日本語", 5), "日本…");
    }

    #[test]
    fn json_stays_equal() {
        let text: String =
            ('\0'..'\u{3000}').chain(['\u{FEFF}', '\u{E0041}', '\u{1F600}']).collect();
        let written = serde_json::to_string_pretty(&vec![text.as_str()]).unwrap();
        let shown = json(&written);
        assert!(!shown.contains(|c| steers(c) && c != '\n'));
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), [text]);
        assert!(shown.contains("\\udb40\\udc41"));
    }

    #[test]
    fn colours_come_from_roles_alone() {
        let mut text = Painted::new();
        text.paint(Role::Error, "no\x1b[0m");
        text.push(" \x1b[31mred\n");
        assert_eq!(text.plain(), "no\\u{1b}[0m \\u{1b}[31mred\n");
        assert_eq!(text.coloured(), "\x1b[1;31mno\\u{1b}[0m\x1b[0m \\u{1b}[31mred\n");
    }
}
