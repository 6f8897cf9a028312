//! A key with its modifiers, and its names.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers; shift is part of a character.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    code: KeyCode,
    ctrl: bool,
    alt: bool,
}

/// Keys that are no characters: as keymaps call them, and as the screen does.
const NAMED: &[(&str, &str, KeyCode)] = &[
    ("up", "↑", KeyCode::Up),
    ("down", "↓", KeyCode::Down),
    ("left", "←", KeyCode::Left),
    ("right", "→", KeyCode::Right),
    ("pageup", "PgUp", KeyCode::PageUp),
    ("pagedown", "PgDn", KeyCode::PageDown),
    ("home", "Home", KeyCode::Home),
    ("end", "End", KeyCode::End),
    ("tab", "Tab", KeyCode::Tab),
    ("backtab", "Shift-Tab", KeyCode::BackTab),
    ("enter", "Enter", KeyCode::Enter),
    ("esc", "Esc", KeyCode::Esc),
    ("space", "Space", KeyCode::Char(' ')),
    ("backspace", "Backspace", KeyCode::Backspace),
    ("delete", "Delete", KeyCode::Delete),
    ("insert", "Insert", KeyCode::Insert),
];

impl Key {
    pub fn of(event: KeyEvent) -> Key {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let shift = event.modifiers.contains(KeyModifiers::SHIFT);
        let code = match event.code {
            KeyCode::Tab if shift => KeyCode::BackTab,
            // Terminals differ in the case of a letter that comes with Ctrl.
            KeyCode::Char(c) if ctrl => KeyCode::Char(c.to_ascii_lowercase()),
            code => code,
        };
        Key { code, ctrl, alt: event.modifiers.contains(KeyModifiers::ALT) }
    }

    /// `ctrl-r`, `alt-x`, `space`, `f5`, `?`.
    pub fn parse(text: &str) -> Option<Key> {
        let (mut rest, mut ctrl, mut alt) = (text, false, false);
        loop {
            if let Some(r) = rest.strip_prefix("ctrl-") {
                (rest, ctrl) = (r, true);
            } else if let Some(r) = rest.strip_prefix("alt-") {
                (rest, alt) = (r, true);
            } else {
                break;
            }
        }
        let named = NAMED.iter().find(|(name, ..)| *name == rest).map(|(.., code)| *code);
        let number = || rest.strip_prefix('f')?.parse().ok().filter(|n| (1..=24).contains(n));
        let character = || {
            let mut chars = rest.chars();
            let c = chars.next().filter(|_| chars.as_str().is_empty())?;
            // A letter that comes with Ctrl has no case.
            Some(KeyCode::Char(if ctrl { c.to_ascii_lowercase() } else { c }))
        };
        let code = named.or_else(|| number().map(KeyCode::F)).or_else(character)?;
        Some(Key { code, ctrl, alt })
    }

    pub fn code(&self) -> KeyCode {
        self.code
    }

    pub fn has_ctrl(&self) -> bool {
        self.ctrl
    }

    pub fn has_alt(&self) -> bool {
        self.alt
    }

    /// The digit that is typed with it, with Alt or without.
    pub fn digit(&self) -> Option<usize> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl => c.to_digit(10).map(|d| d as usize),
            _ => None,
        }
    }

    /// As it is written on the screen.
    pub fn name(&self) -> String {
        let shown = NAMED.iter().find(|(.., code)| *code == self.code).map(|(_, shown, _)| *shown);
        self.spelt(("Ctrl-", "Alt-"), shown, true)
    }

    /// As it is written in a keymap.
    pub fn written(&self) -> String {
        let name = NAMED.iter().find(|(.., code)| *code == self.code).map(|(name, ..)| *name);
        self.spelt(("ctrl-", "alt-"), name, false)
    }

    fn spelt(&self, (ctrl, alt): (&str, &str), name: Option<&str>, capital: bool) -> String {
        let base = match (name, self.code) {
            (Some(name), _) => name.to_owned(),
            (None, KeyCode::Char(c)) if self.ctrl && capital => c.to_ascii_uppercase().to_string(),
            (None, KeyCode::Char(c)) => c.to_string(),
            (None, KeyCode::F(n)) => format!("{}{n}", if capital { 'F' } else { 'f' }),
            (None, _) => String::new(),
        };
        let ctrl = if self.ctrl { ctrl } else { "" };
        let alt = if self.alt { alt } else { "" };
        format!("{ctrl}{alt}{base}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_normalised() {
        let event = |code, modifiers| Key::of(KeyEvent::new(code, modifiers));
        let upper = event(KeyCode::Char('R'), KeyModifiers::CONTROL);
        assert_eq!(Some(upper), Key::parse("ctrl-r"));
        assert_eq!(Some(upper), Key::parse("ctrl-R"));
        let big = event(KeyCode::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(Some(big), Key::parse("G"));
        let back = event(KeyCode::Tab, KeyModifiers::SHIFT);
        assert_eq!(Some(back), Key::parse("backtab"));
    }

    #[test]
    fn keys_are_read_as_they_are_written() {
        for name in ["ctrl-alt-x", "space", "f5", "f", "?", "backtab", "ctrl-space", "alt-1", "-"] {
            assert_eq!(Key::parse(name).unwrap().written(), name);
        }
        for (name, shown) in [("ctrl-r", "Ctrl-R"), ("f12", "F12"), ("up", "↑"), ("alt-G", "Alt-G")]
        {
            assert_eq!(Key::parse(name).unwrap().name(), shown);
        }
        for name in ["f25", "f0", "hyper", "", "ctrl-", "up "] {
            assert_eq!(Key::parse(name), None, "{name}");
        }
    }
}
