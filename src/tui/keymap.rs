//! From keys to actions. The default is `themes/keymap.toml`, embedded.

use super::action::Action;
use super::panes::Pane;
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

    pub fn code(&self) -> KeyCode {
        self.code
    }

    pub fn has_ctrl(&self) -> bool {
        self.ctrl
    }

    pub fn has_alt(&self) -> bool {
        self.alt
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

/// Which key runs which action, and where.
#[derive(Clone, Debug)]
pub struct Keymap {
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    key: Key,
    /// In this pane only; it comes before what the key does elsewhere.
    pane: Option<Pane>,
    action: Action,
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
    #[serde(rename = "in")]
    pane: Option<String>,
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
    /// An unknown key, action or pane, a key in two rows of one place, what is no TOML: as one line.
    pub fn parse(text: &str) -> Result<Keymap, String> {
        let file: File = toml::from_str(text).map_err(|e| format!("keymap: {}", e.message()))?;
        let mut rows: Vec<Row> = Vec::new();
        for bind in file.bind {
            let action = Action::from_name(&bind.run)
                .ok_or_else(|| format!("keymap: unknown action `{}`", bind.run))?;
            let unknown = |name: &String| format!("keymap: unknown pane `{name}`");
            let pane =
                bind.pane.as_ref().map(|name| Pane::named(name).ok_or_else(|| unknown(name)));
            let pane = pane.transpose()?;
            let keys = match bind.on {
                OneOrMore::One(key) => vec![key],
                OneOrMore::More(keys) => keys,
            };
            for name in keys {
                let key =
                    Key::parse(&name).ok_or_else(|| format!("keymap: unknown key `{name}`"))?;
                if rows.iter().any(|row| row.key == key && row.pane == pane) {
                    let place = bind.pane.map(|p| format!(" of {p}")).unwrap_or_default();
                    return Err(format!("keymap: the key `{name}` stands in two rows{place}"));
                }
                rows.push(Row { key, pane, action });
            }
        }
        Ok(Keymap { rows })
    }

    /// What a key does in a pane; without one, what it does everywhere.
    pub fn action(&self, key: Key, pane: Option<Pane>) -> Option<Action> {
        let of = |pane| self.rows.iter().find(|row| row.key == key && row.pane == pane);
        let own = pane.and_then(|_| of(pane));
        own.or_else(|| of(None)).map(|row| row.action)
    }

    /// The keys of an action, whatever its arguments, in the order of the file.
    pub fn keys(&self, action: Action) -> Vec<String> {
        self.rows
            .iter()
            .filter(|row| row.action.is_like(action))
            .map(|row| row.key.name())
            .collect()
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
        assert_eq!(keymap.action(Key::parse("ctrl-r").unwrap(), None), Some(Action::Redo));
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
        assert!(
            error("[[bind]]\non = 'x'\nin = 'attic'\nrun = 'up'").contains("unknown pane `attic`")
        );
        assert!(error("[[bind]]\non = 'x'\nrun = 'focus attic'").contains("unknown action"));
    }

    #[test]
    fn a_key_may_do_something_else_in_a_pane() {
        let text = "[[bind]]\non = 'x'\nrun = 'up'\n[[bind]]\non = 'x'\nin = 'source'\nrun = 'down'
[[bind]]\non = '2'\nrun = 'focus state'";
        let keymap = Keymap::parse(text).unwrap();
        let x = Key::parse("x").unwrap();
        assert_eq!(keymap.action(x, Some(Pane::Source)), Some(Action::Down));
        assert_eq!(keymap.action(x, Some(Pane::State)), Some(Action::Up));
        assert_eq!(keymap.action(x, None), Some(Action::Up));
        let two = Key::parse("2").unwrap();
        assert_eq!(keymap.action(two, None), Some(Action::Focus(Pane::State)));
        assert!(Keymap::parse(&format!("{text}\n{text}")).unwrap_err().contains("two rows"));
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
