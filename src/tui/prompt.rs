//! What is typed in the last line: formulas, filters, names of actions.

use super::action::{ALL, Action, Described};
use super::app::{App, Overlay};
use super::choices;
use super::desk::Desk;
use super::engine::Command;
use super::keymap::Key;
use super::panes::Pane;
use super::update::{self, Effect};
use super::widgets::input::Input;
use crossterm::event::KeyCode;

/// What a line that is typed is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prompt {
    /// A formula to be evaluated.
    Formula,
    /// A text that the operations listed shall have.
    Filter,
    /// A text that the names in the state pane shall have.
    Names,
    /// A formula that is evaluated in every state from now on.
    Watch,
    /// A predicate that some state shall meet.
    Goal,
    /// A file that a trace is written to, or read from.
    Save,
    Load,
    /// A file that what is selected is written to.
    Write,
    /// How many steps are taken at random, and the seed.
    Walk,
    /// The name of an action.
    Palette,
    /// A value for what is selected in the list of what can be set.
    Setting,
}

impl Prompt {
    pub const ALL: [Prompt; 11] = [
        Prompt::Formula,
        Prompt::Filter,
        Prompt::Names,
        Prompt::Watch,
        Prompt::Goal,
        Prompt::Save,
        Prompt::Load,
        Prompt::Write,
        Prompt::Walk,
        Prompt::Palette,
        Prompt::Setting,
    ];

    /// What stands before the line.
    pub fn sign(self) -> &'static str {
        match self {
            Prompt::Formula => ":",
            Prompt::Filter => "/",
            Prompt::Names => "names with: ",
            Prompt::Watch => "watch: ",
            Prompt::Goal => "a state with: ",
            Prompt::Save => "save the steps to: ",
            Prompt::Load => "load a trace from: ",
            Prompt::Write => "write it to: ",
            Prompt::Walk => "random steps, and a seed: ",
            Prompt::Palette => "do: ",
            Prompt::Setting => "value (empty: as it was): ",
        }
    }
}

impl App {
    /// The line that is typed for this.
    pub fn input(&mut self, prompt: Prompt) -> &mut Input {
        &mut self.inputs[prompt as usize]
    }

    /// Begins to type.
    pub fn open_prompt(&mut self, prompt: Prompt) {
        self.prompt = Some(prompt);
        match prompt {
            Prompt::Palette => {
                self.overlay = Some(Overlay::Palette);
                self.overlay_scroll = Default::default();
                self.choice = 0;
            }
            Prompt::Filter => {
                self.overlay = None;
                self.focus_on(Pane::Operations);
            }
            Prompt::Names => {
                self.overlay = None;
                self.focus_on(Pane::State);
            }
            Prompt::Walk => {
                self.overlay = None;
                self.input(prompt).set("10");
            }
            Prompt::Formula
            | Prompt::Watch
            | Prompt::Goal
            | Prompt::Save
            | Prompt::Load
            | Prompt::Write => self.overlay = None,
            // The list stays, with what is selected.
            Prompt::Setting => {}
        }
        self.input(prompt).select();
    }

    /// Forgets what was typed for this, with what it leaves out.
    fn unfilter(&mut self, prompt: Prompt) {
        self.input(prompt).set("");
        match prompt {
            Prompt::Filter => {
                self.filter.clear();
                self.sieve = None;
            }
            Prompt::Names => self.names.clear(),
            _ => {}
        }
    }

    /// Shows all again in the pane that has the focus. Says whether a filter left something out there.
    pub fn show_all(&mut self) -> bool {
        let prompt = match self.focus {
            Pane::Operations if !self.filter.is_empty() => Prompt::Filter,
            Pane::State if !self.names.is_empty() => Prompt::Names,
            _ => return false,
        };
        self.unfilter(prompt);
        true
    }

    /// The actions whose names or descriptions have the letters that were typed, in their order.
    pub fn offered_actions(&self) -> Vec<&'static Described> {
        let wanted = self.inputs[Prompt::Palette as usize].text().to_lowercase();
        let matches = |text: &str| {
            let mut letters = text.chars().flat_map(char::to_lowercase);
            wanted.chars().filter(|c| *c != ' ').all(|c| letters.any(|l| l == c))
        };
        let fits = |d: &&Described| matches(d.name) || matches(d.text);
        let mut found: Vec<_> = ALL.iter().filter(fits).collect();
        found.sort_by_key(|d| (!d.name.contains(wanted.as_str()), !matches(d.name)));
        found
    }
}

/// Takes in a text that was pasted: what is typed is one line, so a new line in it is a blank. Where nothing is
/// typed its letters are no keys.
pub fn paste(desk: &mut Desk, text: &str) -> Vec<Effect> {
    let Some(prompt) = desk.app.prompt else {
        desk.app.complain("a text that is pasted goes into a prompt: `:` opens one for formulas");
        return Vec::new();
    };
    let mut effects = Vec::new();
    for letter in letters(text) {
        effects.extend(key(desk, prompt, letter).unwrap_or_default());
    }
    effects
}

/// The letters of a text as keys, its lines in one.
pub fn letters(text: &str) -> impl Iterator<Item = Key> {
    // Terminals send either for the end of a line.
    let lines = text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty());
    let line = lines.collect::<Vec<&str>>().join(" ").replace(char::is_control, " ");
    let letters: Vec<char> = line.chars().collect();
    letters.into_iter().map(|letter| Key::of(KeyCode::Char(letter).into()))
}

/// Takes in a key while something is typed. `None`: it means nothing.
pub fn key(desk: &mut Desk, prompt: Prompt, key: Key) -> Option<Vec<Effect>> {
    let app = &mut desk.app;
    let (code, ctrl) = (key.code(), key.has_ctrl());
    let effects = match code {
        KeyCode::Esc => cancel(app, prompt),
        KeyCode::Char('c' | 'g') if ctrl => cancel(app, prompt),
        KeyCode::Backspace if app.input(prompt).is_empty() => cancel(app, prompt),
        KeyCode::Enter => accept(desk, prompt),
        KeyCode::Tab => {
            complete(app, prompt);
            Vec::new()
        }
        KeyCode::Up if prompt == Prompt::Palette => choose(app, false),
        KeyCode::Down if prompt == Prompt::Palette => choose(app, true),
        _ if app.input(prompt).edit(key) => {
            typed(app, prompt);
            Vec::new()
        }
        _ => return None,
    };
    let mut effects = effects;
    effects.extend(desk.settle());
    Some(effects)
}

/// What follows each letter.
fn typed(app: &mut App, prompt: Prompt) {
    app.candidates.clear();
    match prompt {
        Prompt::Filter => {
            app.filter = app.input(prompt).text();
            app.sieve = None;
        }
        Prompt::Names => app.names = app.input(prompt).text(),
        Prompt::Palette => app.choice = 0,
        Prompt::Formula
        | Prompt::Watch
        | Prompt::Goal
        | Prompt::Save
        | Prompt::Load
        | Prompt::Write
        | Prompt::Walk
        | Prompt::Setting => {}
    }
}

fn choose(app: &mut App, next: bool) -> Vec<Effect> {
    let last = app.offered_actions().len().saturating_sub(1);
    app.choice = if next { (app.choice + 1).min(last) } else { app.choice.saturating_sub(1) };
    Vec::new()
}

fn cancel(app: &mut App, prompt: Prompt) -> Vec<Effect> {
    close(app);
    app.unfilter(prompt);
    Vec::new()
}

fn close(app: &mut App) {
    app.prompt = None;
    app.candidates.clear();
    if app.overlay == Some(Overlay::Palette) {
        app.overlay = None;
    }
}

fn accept(desk: &mut Desk, prompt: Prompt) -> Vec<Effect> {
    let app = &mut desk.app;
    let chosen = app.offered_actions().get(app.choice).copied();
    close(app);
    let text = app.input(prompt).take().trim().to_owned();
    match prompt {
        Prompt::Palette => match asked_for(&text, chosen) {
            Ok((action, count)) => return update::so_often(desk, action, count),
            Err(why) => app.complain(why),
        },
        Prompt::Setting => return choices::set(app, &text),
        _ if text.is_empty() => {}
        // What is listed now stays so.
        Prompt::Filter => {
            app.input(prompt).set(&text);
            app.filter = text;
            return sift(app);
        }
        Prompt::Names => {
            app.input(prompt).set(&text);
            app.names = text;
        }
        Prompt::Formula => return app.engine(Command::Ask(text)),
        Prompt::Save => return app.engine(Command::Save(text)),
        Prompt::Load => return app.engine(Command::Load(text)),
        Prompt::Write => {
            let written = std::mem::take(&mut app.to_write);
            return app.engine(Command::Write { path: text, text: written });
        }
        Prompt::Walk => return walk(app, &text),
        Prompt::Goal => return app.engine(Command::WhyNever(text)),
        Prompt::Watch => {
            if !app.watched.contains(&text) {
                app.watched.push(text);
            }
            return app.engine(Command::Watch(app.watched.clone()));
        }
    }
    Vec::new()
}

/// Asks which transitions the filter leaves, where it looks like a predicate.
pub fn sift(app: &mut App) -> Vec<Effect> {
    let typing = app.prompt == Some(Prompt::Filter);
    if typing || !app.filter.contains(['=', ':', '<', '>', '!', '#']) {
        return Vec::new();
    }
    app.engine(Command::Sift(app.filter.clone()))
}

/// What a line of the palette asks for: an action that is written out, or else the one that is selected.
///
/// # Errors
/// There is no such action, or it needs an argument that is not given.
fn asked_for(text: &str, chosen: Option<&Described>) -> Result<(Action, Option<usize>), String> {
    let name = text.split_once(' ').map_or(text, |(name, _)| name);
    match (with_argument(text), chosen) {
        (Some(written), _) => Ok(written),
        // Letters that fit a list are no argument.
        (None, _) if Action::arguments(name).is_some() => Err(no_action(text)),
        (None, Some(chosen)) if Action::arguments(chosen.name).is_some() => {
            Err(no_action(chosen.name))
        }
        (None, Some(chosen)) => Ok((chosen.action, None)),
        (None, None) => Err(no_action(text)),
    }
}

/// An action that is written out with its argument: `mode flood`, `undo 3`.
fn with_argument(text: &str) -> Option<(Action, Option<usize>)> {
    let (name, argument) = text.rsplit_once(' ')?;
    match argument.parse() {
        Ok(count) => Action::from_name(name.trim()).map(|action| (action, Some(count))),
        Err(_) => Action::from_name(text).map(|action| (action, None)),
    }
}

/// Why a line of the palette is nothing that could be done.
fn no_action(text: &str) -> String {
    let (name, argument) = text.split_once(' ').unwrap_or((text, ""));
    match (Action::arguments(name), Action::from_name(name)) {
        (Some(all), _) if argument.is_empty() => {
            format!("`{name}` takes one of {}", all.join(", "))
        }
        (Some(all), _) => format!("`{name}` takes one of {}, not `{argument}`", all.join(", ")),
        (None, Some(_)) => format!("`{name}` takes a number or nothing, not `{argument}`"),
        (None, None) => format!("there is no action `{text}`"),
    }
}

/// Takes `STEPS` or `STEPS SEED` steps at random.
fn walk(app: &mut App, text: &str) -> Vec<Effect> {
    let mut numbers = text.split_whitespace();
    let count = numbers.next().and_then(|n| n.parse().ok());
    let seed = numbers.next().map(str::parse);
    match (count, seed, numbers.next()) {
        (Some(count), None, None) => app.walk(count, None),
        (Some(count), Some(Ok(seed)), None) => app.walk(count, Some(seed)),
        _ => {
            app.complain(format!("`{text}` is not a number of steps, and perhaps a seed"));
            Vec::new()
        }
    }
}

impl App {
    /// Takes steps at random; without a seed, with the one after the last.
    pub fn walk(&mut self, count: usize, seed: Option<u64>) -> Vec<Effect> {
        let seed = seed.unwrap_or(self.seed);
        self.seed = seed.wrapping_add(1);
        self.engine(Command::Walk { count, seed })
    }
}

/// Completes the name before the cursor as far as all names that begin so agree, and tells them.
fn complete(app: &mut App, prompt: Prompt) {
    if prompt == Prompt::Palette {
        return;
    }
    let word = app.input(prompt).word();
    let names = app.machine.iter().flat_map(|machine| &machine.words);
    let fits: Vec<String> =
        names.filter(|name| !word.is_empty() && name.starts_with(&word)).cloned().collect();
    let Some(first) = fits.first() else { return };
    let common = fits.iter().fold(first.as_str(), |common, name| {
        let same = common.char_indices().zip(name.chars()).find(|((_, a), b)| a != b);
        let end = same.map_or(common.len().min(name.len()), |((at, _), _)| at);
        &common[..end]
    });
    app.input(prompt).replace(word.chars().count(), common);
    app.candidates = if fits.len() > 1 { fits } else { Vec::new() };
    if prompt == Prompt::Filter {
        app.filter = app.input(prompt).text();
        app.sieve = None;
    }
    if prompt == Prompt::Names {
        app.names = app.input(prompt).text();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pasted_is_one_line() {
        let typed = |text: &str| -> String {
            letters(text).filter_map(|key| key.code().as_char()).collect()
        };
        assert_eq!(
            typed("card(Name) =\n  card(Code)\r\nqu\rux\n"),
            "card(Name) = card(Code) qu ux"
        );
        assert_eq!(typed("\n x\ty\u{1b}[A "), "x y [A");
        assert_eq!(typed("\n"), "");
    }
}
