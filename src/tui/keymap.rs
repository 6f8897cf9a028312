//! From keys to actions. The default is `themes/keymap.toml`, embedded; what the user binds is laid over
//! it.
//!
//! A row of a keymap binds keys, each alone or several one after the other (`"g g"`: a chord), in one pane or in all.
//! Where one chord begins another of the same place, neither could be typed: that is refused.

mod key;

pub use key::Key;

use super::action::{ALL, Action};
use super::panes::Pane;
use super::settings::page::{Page, Value};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;
use crate::syntax::suggest::closest;
use std::fmt::Write;

const DEFAULT: &str = include_str!("../../themes/keymap.toml");

/// Which keys run which action, and where.
#[derive(Clone, PartialEq, Debug)]
pub struct Keymap {
    rows: Vec<Row>,
}

/// A row as it was read, and where it stands in its file.
#[derive(Clone, Debug)]
pub struct Bound {
    row: Row,
    /// `None`: the keys shall do nothing.
    unbound: bool,
    at: std::ops::Range<usize>,
}

#[derive(Clone, PartialEq, Debug)]
struct Row {
    keys: Vec<Key>,
    /// In this pane only; it comes before what the keys do elsewhere.
    pane: Option<Pane>,
    action: Action,
}

/// What keys mean that were pressed one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    Run(Action),
    /// They begin a chord.
    Wait,
    Nothing,
}

/// Whether one chord begins the other, or they are the same.
fn clash(a: &[Key], b: &[Key]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

impl Keymap {
    /// The keymap that is part of the program.
    ///
    /// # Errors
    /// None, as a test holds.
    pub fn standard() -> Result<Keymap, String> {
        Keymap::parse(DEFAULT)
    }

    /// Reads a keymap that stands for itself.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Keymap, String> {
        let (mut sources, mut told) = (Sources::new(), Vec::new());
        let mut page = Page::new(&mut sources, "keymap".into(), text, &mut told);
        let rows = read(&mut page).into_iter().filter(|bound| !bound.unbound);
        let keymap = Keymap { rows: rows.map(|bound| bound.row).collect() };
        match told.first() {
            None => Ok(keymap),
            Some(wrong) => Err(format!("keymap: {}", wrong.message)),
        }
    }

    /// The same with rows of the user in the place of those that they clash with.
    pub fn with(mut self, bound: Vec<Bound>) -> Keymap {
        for Bound { row, unbound, .. } in bound {
            self.rows.retain(|old| old.pane != row.pane || !clash(&old.keys, &row.keys));
            if !unbound {
                self.rows.push(row);
            }
        }
        self
    }

    /// What keys do in a pane; without one, what they do everywhere.
    pub fn look(&self, keys: &[Key], pane: Option<Pane>) -> Look {
        let begun = |of: Option<Pane>| self.rows.iter().filter(move |row| row.pane == of);
        let mut waits = false;
        for place in pane.map(Some).into_iter().chain([None]) {
            for row in begun(place).filter(|row| row.keys.starts_with(keys)) {
                match row.keys.len() == keys.len() {
                    true if !waits => return Look::Run(row.action),
                    true => {}
                    false => waits = true,
                }
            }
        }
        if waits { Look::Wait } else { Look::Nothing }
    }

    /// What may follow on keys that begin a chord: the rest of it, and what it does.
    pub fn following(&self, keys: &[Key], pane: Option<Pane>) -> Vec<(String, Action)> {
        let here = |row: &&Row| row.pane.is_none() || row.pane == pane;
        let begun = self.rows.iter().filter(here).filter(|row| row.keys.len() > keys.len());
        let begun = begun.filter(|row| row.keys.starts_with(keys));
        begun.map(|row| (shown(&row.keys[keys.len()..]), row.action)).collect()
    }

    /// The keys of an action, whatever its arguments, in the order of the file. Those of one pane only
    /// say so.
    pub fn keys(&self, action: Action) -> Vec<String> {
        let rows = self.rows.iter().filter(|row| row.action.is_like(action));
        rows.map(|row| match row.pane {
            None => shown(&row.keys),
            Some(pane) => format!("{} ({})", shown(&row.keys), pane.about().name),
        })
        .collect()
    }

    /// The keys that run an action when a pane has the focus.
    pub fn keys_in(&self, action: Action, pane: Pane) -> Vec<String> {
        let rows = self.rows.iter().filter(|row| row.action.is_like(action));
        let works = |row: &&Row| self.look(&row.keys, Some(pane)) == Look::Run(row.action);
        rows.filter(works).map(|row| shown(&row.keys)).collect()
    }

    /// The first key of an action with just these arguments.
    pub fn key_of(&self, action: Action) -> Option<String> {
        let row = self.rows.iter().find(|row| row.action == action && row.pane.is_none())?;
        Some(shown(&row.keys))
    }

    /// The keymap as a file.
    pub fn written(&self) -> String {
        let mut text = String::from(
            "# The keys of the workbench: those of the program, with the user's laid over them.\n",
        );
        for row in &self.rows {
            let keys: Vec<String> = row.keys.iter().map(Key::written).collect();
            let keys = toml::Value::String(keys.join(" "));
            let _ = write!(text, "\n[[bind]]\non = {keys}\n");
            if let Some(pane) = row.pane {
                let _ = writeln!(text, "in = \"{}\"", pane.about().name);
            }
            let _ = writeln!(text, "run = \"{}\"", row.action.written());
        }
        text
    }
}

/// Keys one after the other, as they are written on the screen.
pub fn shown(keys: &[Key]) -> String {
    let names: Vec<String> = keys.iter().map(Key::name).collect();
    let short = names.iter().all(|name| name.chars().count() == 1);
    names.join(if short { "" } else { " " })
}

/// The rows of a file; what is wrong with one is told, and the row left out.
pub fn read(page: &mut Page<'_>) -> Vec<Bound> {
    let mut all: Vec<Bound> = Vec::new();
    for (key, value) in page.entries() {
        if key.text != "bind" {
            let hint = "a keymap has nothing but [[bind]] tables";
            page.refuse(&key.at, format!("unknown table `{}`", key.text), Some(hint.to_owned()));
            continue;
        }
        for row in page.tables(&value) {
            for bound in read_row(page, &row) {
                match all.iter().find(|other| {
                    other.row.pane == bound.row.pane && clash(&other.row.keys, &bound.row.keys)
                }) {
                    None => all.push(bound),
                    Some(first) => {
                        let wrong = conflict(page, first, &bound);
                        page.tell(wrong);
                    }
                }
            }
        }
    }
    all
}

fn conflict(page: &Page<'_>, first: &Bound, second: &Bound) -> Diagnostic {
    let of = |bound: &Bound| bound.row.keys.iter().map(Key::written).collect::<Vec<_>>().join(" ");
    let (a, b) = (of(first), of(second));
    let place = second.row.pane.map(|p| format!(" of {}", p.about().name)).unwrap_or_default();
    let text = if a == b {
        format!("the key `{b}` stands in two rows{place}")
    } else {
        format!("the keys `{a}` and `{b}`{place} begin alike: one of them could never be typed")
    };
    let wrong = Diagnostic::error("key-conflict", page.span(&second.at), text);
    wrong.note(page.span(&first.at), "bound here first")
}

/// The keys of one `[[bind]]`, with what they run.
fn read_row(page: &mut Page<'_>, row: &Value) -> Vec<Bound> {
    let (mut on, mut pane, mut run) = (Vec::new(), None, None);
    let mut fine = true;
    for (key, value) in page.fields(row) {
        match key.text.as_str() {
            "on" => on = page.texts(&value),
            "in" => match page.text(&value) {
                Some(name) => {
                    pane = Pane::named(&name);
                    if pane.is_none() {
                        let names: Vec<&str> = Pane::ALL.iter().map(|p| p.about().name).collect();
                        let hint = format!("the panes are {}", names.join(", "));
                        page.refuse(&value.at, format!("unknown pane `{name}`"), Some(hint));
                        fine = false;
                    }
                }
                None => fine = false,
            },
            "run" => match page.text(&value) {
                Some(name) => run = Some((name, value.at.clone())),
                None => fine = false,
            },
            other => {
                let hint = "a row has `on`, `run`, and perhaps `in`".to_owned();
                page.refuse(&key.at, format!("unknown entry `{other}`"), Some(hint));
                fine = false;
            }
        }
    }
    let Some((name, at)) = run else {
        page.refuse(&row.at, "this row does not say what it runs".to_owned(), None);
        return Vec::new();
    };
    let unbound = name == "none";
    // Any action: what is unbound runs none.
    let action = if unbound { Some(Action::Close) } else { Action::from_name(&name) };
    let Some(action) = action else {
        let names = ALL.iter().map(|d| d.name);
        let first = name.split_once(' ').map_or(&*name, |(first, _)| first);
        let of_these = Action::arguments(first);
        let hint = match (of_these, closest(&name, names)) {
            (Some(all), _) => format!("it takes one of {}", all.join(", ")),
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => {
                "the help of the workbench lists the actions; `none` is no action".to_owned()
            }
        };
        page.refuse(&at, format!("unknown action `{name}`"), Some(hint));
        return Vec::new();
    };
    if on.is_empty() && fine {
        page.refuse(&row.at, "this row has no key".to_owned(), None);
    }
    let mut bound = Vec::new();
    for (text, at) in on {
        let keys: Option<Vec<Key>> = text.split_whitespace().map(Key::parse).collect();
        match keys.filter(|keys| !keys.is_empty()) {
            None => {
                let hint = "a character, or for example ctrl-r, alt-x, space, enter, pageup, f5; \
                            blanks between keys make a chord";
                page.refuse(&at, format!("unknown key `{text}`"), Some(hint.to_owned()));
            }
            Some(keys) if fine => {
                bound.push(Bound { row: Row { keys, pane, action }, unbound, at })
            }
            Some(_) => {}
        }
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::super::action::ALL;
    use super::*;

    fn keys(text: &str) -> Vec<Key> {
        text.split(' ').map(|name| Key::parse(name).unwrap()).collect()
    }

    #[test]
    fn the_standard_keymap_is_read_and_every_action_has_a_key() {
        let keymap = Keymap::standard().unwrap();
        for described in ALL {
            assert!(!keymap.keys(described.action).is_empty(), "{} has no key", described.name);
        }
        assert_eq!(keymap.look(&keys("ctrl-r"), None), Look::Run(Action::Redo));
        assert_eq!(keymap.keys(Action::Interrupt), ["Ctrl-C"]);
        assert_eq!(Keymap::parse(&keymap.written()).unwrap(), keymap);
    }

    #[test]
    fn what_is_wrong_with_a_keymap_is_said() {
        let error = |text| Keymap::parse(text).unwrap_err();
        assert!(error("[[bind]]\non = 'x'\nrun = 'fly'").contains("unknown action `fly`"));
        assert!(error("[[bind]]\non = 'hyper'\nrun = 'up'").contains("unknown key `hyper`"));
        let twice = "[[bind]]\non = ['x', 'x']\nrun = 'up'";
        assert!(error(twice).contains("stands in two rows"));
        let begun = "[[bind]]\non = ['x', 'x y']\nrun = 'up'";
        assert!(error(begun).contains("begin alike"));
        assert!(error("[[bind]").starts_with("keymap: "));
        assert!(
            error("[[bind]]\non = 'x'\nin = 'attic'\nrun = 'up'").contains("unknown pane `attic`")
        );
        assert!(error("[[bind]]\non = 'x'\nrun = 'focus attic'").contains("unknown action"));
        assert!(error("[[bind]]\non = 'x'\nrun = 'mode'").contains("unknown action `mode`"));
        assert!(error("[[bind]]\non = 'x'").contains("does not say what it runs"));
        assert!(error("[[bind]]\nrun = 'up'").contains("has no key"));
        assert!(error("[[bind]]\non = 3\nrun = 'up'").contains("expected a string"));
        assert!(error("bind = 3").contains("expected"));
    }

    #[test]
    fn a_key_may_do_something_else_in_a_pane() {
        let text = "[[bind]]\non = 'x'\nrun = 'up'\n[[bind]]\non = 'x'\nin = 'source'\nrun = 'down'
[[bind]]\non = '2'\nrun = 'focus state'";
        let keymap = Keymap::parse(text).unwrap();
        let x = keys("x");
        assert_eq!(keymap.look(&x, Some(Pane::Source)), Look::Run(Action::Down));
        assert_eq!(keymap.look(&x, Some(Pane::State)), Look::Run(Action::Up));
        assert_eq!(keymap.look(&x, None), Look::Run(Action::Up));
        let two = keys("2");
        assert_eq!(keymap.look(&two, None), Look::Run(Action::Focus(Pane::State)));
        assert_eq!(keymap.keys(Action::Down), ["x (source)"]);
        assert_eq!(keymap.keys_in(Action::Up, Pane::State), ["x"]);
        assert!(keymap.keys_in(Action::Up, Pane::Source).is_empty());
        assert!(Keymap::parse(&format!("{text}\n{text}")).unwrap_err().contains("two rows"));
    }

    #[test]
    fn chords_wait_for_their_ends_and_those_of_a_pane_come_first() {
        let text = "[[bind]]\non = 'g g'\nrun = 'top'\n[[bind]]\non = 'g e'\nrun = 'bottom'
[[bind]]\non = 'g'\nin = 'state'\nrun = 'up'\n[[bind]]\non = 'u u'\nin = 'state'\nrun = 'left'
[[bind]]\non = 'u'\nrun = 'undo'";
        let keymap = Keymap::parse(text).unwrap();
        assert_eq!(keymap.look(&keys("g"), Some(Pane::Source)), Look::Wait);
        assert_eq!(keymap.look(&keys("g e"), Some(Pane::Source)), Look::Run(Action::Bottom));
        assert_eq!(keymap.look(&keys("g x"), Some(Pane::Source)), Look::Nothing);
        assert_eq!(keymap.look(&keys("g"), Some(Pane::State)), Look::Run(Action::Up));
        assert_eq!(keymap.look(&keys("u"), Some(Pane::State)), Look::Wait);
        assert_eq!(keymap.look(&keys("u"), None), Look::Run(Action::Undo));
        let following = keymap.following(&keys("g"), Some(Pane::Source));
        assert_eq!(following, [("g".into(), Action::Top), ("e".into(), Action::Bottom)]);
        assert_eq!(keymap.keys(Action::Bottom), ["ge"]);
    }

    #[test]
    fn rows_of_the_user_lie_over_those_of_the_program() {
        let text = "[[bind]]\non = 'g g'\nrun = 'top'\n[[bind]]\non = 'J'\nrun = 'focus state'
[[bind]]\non = 'u'\nrun = 'none'";
        let (mut sources, mut told) = (Sources::new(), Vec::new());
        let rows = read(&mut Page::new(&mut sources, "k.toml".into(), text, &mut told));
        assert!(told.is_empty(), "{told:?}");
        let keymap = Keymap::standard().unwrap().with(rows);
        assert_eq!(keymap.look(&keys("g"), None), Look::Wait, "the old `g` is gone");
        assert_eq!(keymap.look(&keys("home"), None), Look::Run(Action::Top));
        assert_eq!(keymap.look(&keys("J"), None), Look::Run(Action::Focus(Pane::State)));
        assert_eq!(keymap.look(&keys("u"), None), Look::Nothing);
        assert_eq!(Keymap::parse(&keymap.written()).unwrap(), keymap);
    }
}
