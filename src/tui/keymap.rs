//! From keys to actions. The default is `themes/keymap.toml`, embedded.

use super::action::Action;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde::Deserialize;

const DEFAULT: &str = include_str!("../../themes/keymap.toml");

/// A key with its modifiers; shift is part of a character.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    code: KeyCode,
    ctrl: bool,
    alt: bool,
}

const NAMED: &[(&str, KeyCode)] = &[
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
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

    /// `ctrl-r`, `alt-x`, `space`, `?`.
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
        let named = NAMED.iter().find(|(name, _)| *name == rest).map(|(_, code)| *code);
        let code = named.or_else(|| {
            let mut chars = rest.chars();
            chars.next().filter(|_| chars.as_str().is_empty()).map(KeyCode::Char)
        })?;
        Some(Key { code, ctrl, alt })
    }

    /// As it is written on the screen.
    pub fn name(&self) -> String {
        let base = match NAMED.iter().find(|(_, code)| *code == self.code) {
            Some((name, KeyCode::Up | KeyCode::Down | KeyCode::Left | KeyCode::Right)) => {
                match *name {
                    "up" => "↑",
                    "down" => "↓",
                    "left" => "←",
                    _ => "→",
                }
                .to_owned()
            }
            Some((_, KeyCode::PageUp)) => "PgUp".to_owned(),
            Some((_, KeyCode::PageDown)) => "PgDn".to_owned(),
            Some((_, KeyCode::BackTab)) => "Shift-Tab".to_owned(),
            Some((name, _)) => {
                let mut chars = name.chars();
                let first = chars.next().map(|c| c.to_ascii_uppercase());
                first.into_iter().chain(chars).collect()
            }
            None => match self.code {
                KeyCode::Char(c) if self.ctrl => c.to_ascii_uppercase().to_string(),
                KeyCode::Char(c) => c.to_string(),
                _ => String::new(),
            },
        };
        let ctrl = if self.ctrl { "Ctrl-" } else { "" };
        let alt = if self.alt { "Alt-" } else { "" };
        format!("{ctrl}{alt}{base}")
    }
}

/// Which key runs which action.
#[derive(Clone, Debug)]
pub struct Keymap {
    rows: Vec<(Key, Action)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    bind: Vec<Bind>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bind {
    on: OneOrMore,
    run: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl Keymap {
    /// The keymap that is part of the program.
    ///
    /// # Errors
    /// None, as a test holds.
    pub fn standard() -> Result<Keymap, String> {
        Keymap::parse(DEFAULT)
    }

    /// Reads a keymap.
    ///
    /// # Errors
    /// An unknown key or action, a key in two rows, what is no TOML: as one line.
    pub fn parse(text: &str) -> Result<Keymap, String> {
        let file: File = toml::from_str(text).map_err(|e| format!("keymap: {}", e.message()))?;
        let mut rows: Vec<(Key, Action)> = Vec::new();
        for bind in file.bind {
            let action = Action::from_name(&bind.run)
                .ok_or_else(|| format!("keymap: unknown action `{}`", bind.run))?;
            let keys = match bind.on {
                OneOrMore::One(key) => vec![key],
                OneOrMore::More(keys) => keys,
            };
            for name in keys {
                let key =
                    Key::parse(&name).ok_or_else(|| format!("keymap: unknown key `{name}`"))?;
                if rows.iter().any(|(k, _)| *k == key) {
                    return Err(format!("keymap: the key `{name}` stands in two rows"));
                }
                rows.push((key, action));
            }
        }
        Ok(Keymap { rows })
    }

    pub fn action(&self, key: Key) -> Option<Action> {
        self.rows.iter().find(|(k, _)| *k == key).map(|(_, action)| *action)
    }

    /// The keys of an action, in the order of the file.
    pub fn keys(&self, action: Action) -> Vec<String> {
        self.rows.iter().filter(|(_, a)| *a == action).map(|(k, _)| k.name()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::ALL;
    use super::*;

    #[test]
    fn the_standard_keymap_is_read_and_every_action_has_a_key() {
        let keymap = Keymap::standard().unwrap();
        for described in ALL {
            assert!(!keymap.keys(described.action).is_empty(), "{} has no key", described.name);
        }
        assert_eq!(keymap.action(Key::parse("ctrl-r").unwrap()), Some(Action::Redo));
        assert_eq!(keymap.keys(Action::Interrupt), ["Ctrl-C"]);
    }

    #[test]
    fn what_is_wrong_with_a_keymap_is_said() {
        let error = |text| Keymap::parse(text).unwrap_err();
        assert!(error("[[bind]]\non = 'x'\nrun = 'fly'").contains("unknown action `fly`"));
        assert!(error("[[bind]]\non = 'hyper'\nrun = 'up'").contains("unknown key `hyper`"));
        let twice = "[[bind]]\non = ['x', 'x']\nrun = 'up'";
        assert!(error(twice).contains("stands in two rows"));
        assert!(error("[[bind]").starts_with("keymap: "));
    }

    #[test]
    fn events_are_normalised() {
        let event = |code, modifiers| Key::of(KeyEvent::new(code, modifiers));
        let upper = event(KeyCode::Char('R'), KeyModifiers::CONTROL);
        assert_eq!(Some(upper), Key::parse("ctrl-r"));
        let big = event(KeyCode::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(Some(big), Key::parse("G"));
        let back = event(KeyCode::Tab, KeyModifiers::SHIFT);
        assert_eq!(Some(back), Key::parse("backtab"));
    }
}
