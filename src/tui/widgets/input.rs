//! A line that is typed: its text, the cursor, the lines that were typed before.

use crate::tui::keymap::Key;
use crossterm::event::KeyCode;

/// Most lines that are remembered.
const REMEMBERED: usize = 200;

/// One line under the user's hands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Input {
    text: Vec<char>,
    /// Before which character the next one is put.
    cursor: usize,
    /// All of it is selected: what is typed next takes its place.
    selected: bool,
    /// Lines that were typed before, the newest last.
    past: Vec<String>,
    /// Which of them is shown; their number: what is typed now.
    shown: usize,
    /// What was typed before an older line was called up.
    draft: String,
}

impl Input {
    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// The text before the cursor, and behind it.
    pub fn parts(&self) -> (String, String) {
        let (before, behind) = self.text.split_at(self.cursor);
        (before.iter().collect(), behind.iter().collect())
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Takes the line away, and remembers it.
    pub fn take(&mut self) -> String {
        let text = self.text();
        self.set("");
        if !text.trim().is_empty() {
            self.past.retain(|line| *line != text);
            self.past.push(text.clone());
            if self.past.len() > REMEMBERED {
                self.past.remove(0);
            }
        }
        self.shown = self.past.len();
        text
    }

    pub fn set(&mut self, text: &str) {
        self.text = text.chars().collect();
        self.cursor = self.text.len();
        self.selected = false;
    }

    /// Selects what is there: the first letter that is typed takes its place, every other key edits it.
    pub fn select(&mut self) {
        self.selected = !self.text.is_empty();
    }

    pub fn is_selected(&self) -> bool {
        self.selected
    }

    /// Puts a text at the cursor in place of the characters before it.
    pub fn replace(&mut self, before: usize, text: &str) {
        self.selected = false;
        let from = self.cursor.saturating_sub(before);
        self.text.splice(from..self.cursor, text.chars());
        self.cursor = from + text.chars().count();
    }

    /// The name that ends at the cursor.
    pub fn word(&self) -> String {
        let is_part = |c: &&char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let mut word: Vec<char> =
            self.text[..self.cursor].iter().rev().take_while(is_part).copied().collect();
        word.reverse();
        // A minus is part of the name of an action only, and begins none.
        let word: String = word.into_iter().collect();
        word.rsplit('-').next().unwrap_or_default().to_owned()
    }

    /// Takes in a key that edits. False: it does not.
    pub fn edit(&mut self, key: Key) -> bool {
        let selected = std::mem::take(&mut self.selected);
        match (key.code(), key.has_ctrl()) {
            (KeyCode::Char(c), false) if !key.has_alt() => {
                if selected {
                    self.set("");
                }
                self.text.insert(self.cursor, c);
                self.cursor += 1;
            }
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => {
                if self.cursor > 0 {
                    self.cursor -= 1;
                    self.text.remove(self.cursor);
                }
            }
            (KeyCode::Delete, _) | (KeyCode::Char('d'), true) => {
                if self.cursor < self.text.len() {
                    self.text.remove(self.cursor);
                }
            }
            (KeyCode::Left, _) | (KeyCode::Char('b'), true) => {
                self.cursor = self.cursor.saturating_sub(1);
            }
            (KeyCode::Right, _) | (KeyCode::Char('f'), true) => {
                self.cursor = (self.cursor + 1).min(self.text.len());
            }
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => self.cursor = 0,
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => self.cursor = self.text.len(),
            (KeyCode::Char('u'), true) => {
                self.text.drain(..self.cursor);
                self.cursor = 0;
            }
            (KeyCode::Char('k'), true) => self.text.truncate(self.cursor),
            (KeyCode::Char('w'), true) => self.cut_word(),
            (KeyCode::Up, _) | (KeyCode::Char('p'), true) => self.call_up(true),
            (KeyCode::Down, _) | (KeyCode::Char('n'), true) => self.call_up(false),
            _ => return false,
        }
        true
    }

    fn cut_word(&mut self) {
        let before = &self.text[..self.cursor];
        let kept = before.iter().rposition(|c| *c != ' ').map_or(0, |last| {
            before[..last].iter().rposition(|c| *c == ' ').map_or(0, |blank| blank + 1)
        });
        self.text.drain(kept..self.cursor);
        self.cursor = kept;
    }

    fn call_up(&mut self, older: bool) {
        let last = self.past.len();
        let next = match older {
            true => self.shown.checked_sub(1),
            false => (self.shown < last).then_some(self.shown + 1),
        };
        let Some(next) = next else { return };
        if self.shown == last {
            self.draft = self.text();
        }
        self.shown = next;
        let line = self.past.get(next).unwrap_or(&self.draft).clone();
        self.set(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(input: &mut Input, keys: &str) {
        for name in keys.split_whitespace() {
            assert!(input.edit(Key::parse(name).unwrap()), "{name}");
        }
    }

    #[test]
    fn a_line_is_edited() {
        let mut input = Input::default();
        typed(&mut input, "a b c left left X home Y end Z");
        assert_eq!(input.text(), "YaXbcZ");
        typed(&mut input, "backspace left delete ctrl-a delete");
        assert_eq!(input.text(), "aXb");
        typed(&mut input, "end space c d space ctrl-w");
        assert_eq!(input.text(), "aXb ");
        typed(&mut input, "left ctrl-u");
        assert_eq!(input.text(), " ");
        assert!(!input.edit(Key::parse("tab").unwrap()));
    }

    #[test]
    fn what_is_selected_gives_way_to_what_is_typed() {
        let after = |keys: &str| {
            let mut input = Input::default();
            input.set("10");
            input.select();
            typed(&mut input, keys);
            input.text()
        };
        assert_eq!(after("5 0"), "50");
        assert_eq!(after("backspace 5"), "15");
        assert_eq!(after("end 5"), "105");
        assert_eq!(after("home 5"), "510");
        assert_eq!(after("left 5"), "150");
        assert_eq!(after("ctrl-u 7"), "7");
    }

    #[test]
    fn older_lines_are_called_up() {
        let mut input = Input::default();
        for line in ["one", "two", "one"] {
            input.set(line);
            input.take();
        }
        typed(&mut input, "n e w up");
        assert_eq!(input.text(), "one");
        typed(&mut input, "up up up");
        assert_eq!(input.text(), "two");
        typed(&mut input, "down down down");
        assert_eq!(input.text(), "new");
        assert_eq!(input.word(), "new");
        input.replace(3, "newer");
        assert_eq!(input.text(), "newer");
    }
}
