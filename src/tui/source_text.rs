//! A source file cut into coloured pieces, line by line.

use crate::eventb::tokens::tokens as event_b;
use crate::printable;
use crate::syntax::{TokenClass, tokens};
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// Columns that a tabulator advances to a multiple of.
const TAB: usize = 4;

/// A file as lines of pieces, each with its class (`None`: blanks).
#[derive(Clone, Debug, Default)]
pub struct SourceText {
    pub lines: Vec<Vec<(Option<TokenClass>, String)>>,
    /// Width of the widest line, in columns.
    pub width: usize,
}

impl SourceText {
    pub fn new(text: &str) -> SourceText {
        SourceText::cut(text, tokens)
    }

    /// A component of an Event-B model.
    pub fn event_b(text: &str) -> SourceText {
        SourceText::cut(text, event_b)
    }

    fn cut(text: &str, tokens: impl Fn(&str) -> Vec<(Range<usize>, TokenClass)>) -> SourceText {
        let text = &text.replace("\r\n", "\n");
        let mut out = SourceText { lines: vec![Vec::new()], width: 0 };
        let mut column = 0;
        let mut at = 0;
        for (range, class) in tokens(text) {
            out.push(&text[at..range.start], None, &mut column);
            out.push(&text[range.clone()], Some(class), &mut column);
            at = range.end;
        }
        out.push(&text[at..], None, &mut column);
        if text.ends_with('\n') {
            out.lines.pop();
        }
        out
    }

    /// Adds a piece, which may hold line breaks.
    fn push(&mut self, text: &str, class: Option<TokenClass>, column: &mut usize) {
        for (i, part) in text.split('\n').enumerate() {
            if i > 0 {
                self.lines.push(Vec::new());
                *column = 0;
            }
            let mut shown = String::with_capacity(part.len());
            for c in part.chars() {
                match c {
                    '\t' => {
                        let n = TAB - *column % TAB;
                        shown.extend(std::iter::repeat_n(' ', n));
                        *column += n;
                    }
                    c => {
                        let c = printable::line(c.encode_utf8(&mut [0; 4])).into_owned();
                        *column += c.width();
                        shown.push_str(&c);
                    }
                }
            }
            self.width = self.width.max(*column);
            if let Some(line) = self.lines.last_mut().filter(|_| !shown.is_empty()) {
                line.push((class, shown));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_text_and_classes() {
        let text = SourceText::new("MACHINE\tM /* a\nb */\nEND\n");
        let plain: Vec<String> =
            text.lines.iter().map(|l| l.iter().map(|(_, s)| s.as_str()).collect()).collect();
        assert_eq!(plain, ["MACHINE M /* a", "b */", "END"]);
        assert_eq!(text.lines[0][0].0, Some(TokenClass::Keyword));
        assert_eq!(text.lines[1][0].0, Some(TokenClass::Comment));
        assert_eq!(text.width, 14);
    }
}
