//! Text broken into lines of so many columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Breaks a line between words, and words that are longer than a line; later parts are indented.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(' ').flat_map(|word| pieces(word, width.max(10) - 4)) {
        let own = word.trim_end().width();
        if used > 4 && used + own > width {
            // The blank before the break takes no room.
            if let Some(part) = parts.last_mut() {
                part.truncate(part.trim_end().len());
            }
            parts.push("    ".to_owned());
            used = 4;
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(word);
        }
        used += word.width();
    }
    parts
}

/// A text behind a head, its further lines below its first one; where beside the head there is no room to speak of, they
/// are broken as one.
pub fn hanging(head: &str, text: &str, width: usize) -> Vec<String> {
    const LEAST: usize = 16;
    let indent = head.width();
    if head.width() + text.width() <= width {
        return vec![format!("{head}{text}")];
    }
    if indent + LEAST > width {
        return wrapped(&format!("{head}{text}"), width);
    }
    let parts = wrapped(text, width - indent).into_iter().enumerate();
    let line = |(i, part): (usize, String)| match i {
        0 => format!("{head}{part}"),
        _ => format!("{:indent$}{}", "", part.trim_start()),
    };
    parts.map(line).collect()
}

/// A word cut into pieces of at most so many columns.
fn pieces(word: &str, width: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (at, c) in word.char_indices() {
        let own = c.width().unwrap_or(0);
        if used + own > width && c != ' ' {
            pieces.push(&word[start..at]);
            (start, used) = (at, 0);
        }
        used += own;
    }
    pieces.push(&word[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_broken() {
        assert_eq!(wrapped("ab cd ef", 20), ["ab cd ef"]);
        assert_eq!(wrapped("one two three four", 12), ["one two", "    three", "    four"]);
        assert_eq!(hanging("> a  ", "one two", 20), ["> a  one two"]);
        let beside = ["> a  one two three", "     four five", "     six"];
        assert_eq!(hanging("> a  ", "one two three four five six", 21), beside);
        assert_eq!(hanging("> name  ", "one two", 12), ["> name  one", "    two"]);
        let long = "x".repeat(30);
        let parts = wrapped(&long, 12);
        assert!(parts.iter().all(|p| p.width() <= 12), "{parts:?}");
        assert_eq!(parts.concat().replace(' ', ""), long);
    }
}
