//! What the machine can do in this state, operation by operation, and why it cannot do the rest.
//!
//! ```text
//!  > borrow  10,000   Enter shows them      an operation with many instances, folded
//!  3 bring(Book1)                           a transition, by its number
//!    slow: not known yet, Enter lists it    the time was up before its turn was over
//!  - far: x > 7 is false, x = 0             a disabled one, and what blocks it
//! ```

use super::view::{Scroll, View, moved};
use super::{About, Content, Pane, Panel, Room, span};
use crate::report::grouped;
use crate::session::animator::Listed;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::engine::{Command, Obstacle, Place, call};
use crate::tui::files::Place as SourcePlace;
use crate::tui::layout::Slot;
use crate::tui::listing::{Group, Listing};
use crate::tui::theme::Role;
use crate::tui::update::Effect;
use ratatui::text::Line;
use std::collections::BTreeSet;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

pub const ABOUT: About = About {
    name: "operations",
    title: "Operations",
    slot: Slot::LeftBottom,
    help: &[
        "What the machine can do in this state: each line is an operation with its arguments. Enter takes it.",
        "An operation with many instances is one line; Enter opens and closes it.",
        "-       not enabled: the part of its guard that blocks it, and the values there; n looks for a way",
        "!       this instance ends in a state error",
        "+       there may be more: the time for this operation was up; Enter goes on",
    ],
};

/// Most instances of one operation that are listed without being asked for.
const FOLDED: usize = 20;

/// Most transitions whose texts a filter is compared with.
const FILTERED: usize = 200_000;

/// One line that can be selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Row {
    /// The operation of this group, which is folded, opened, or not listed to its end.
    Head(usize),
    /// The transition of this number.
    One(usize),
    /// An operation that is not enabled.
    Not(usize),
}

/// The pane.
#[derive(Default)]
pub struct Operations {
    /// Which of the rows is selected.
    selected: usize,
    rows: Vec<Row>,
    /// The place whose operations are listed.
    place: Option<Arc<Place>>,
    /// The text that they have to have.
    filter: String,
    obstacles: usize,
    /// Operations with many instances that are open.
    open: BTreeSet<String>,
    /// An operation was opened or closed.
    stale: bool,
}

impl Panel for Operations {
    fn note(&self, app: &App) -> Option<(Role, String)> {
        let place = app.place.as_ref()?;
        let total = place.view.enabled;
        if place.view.deadlock {
            return Some((Role::Bad, "deadlock".to_owned()));
        }
        let cut = if place.view.stopped.is_some() { "+" } else { "" };
        let faults = place.view.faults.len();
        let role = if faults > 0 { Role::Bad } else { Role::Dim };
        let failing = if faults > 0 { format!(", {faults} failing") } else { String::new() };
        let at = self.chosen().map_or(0, |i| i + 1);
        let filter = match self.filter.is_empty() {
            true => String::new(),
            false => {
                let n = self.rows.iter().filter(|row| matches!(row, Row::One(_))).count();
                let limit = if total > FILTERED { " of the first 200,000" } else { "" };
                format!(", {n} with `{}`{limit}", self.filter)
            }
        };
        Some((role, format!("{at}/{total}{cut}{failing}{filter}")))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        let mut actions = vec![Action::Take, Action::Undo];
        if app.place.as_ref().is_some_and(|p| p.redo > 0) {
            actions.push(Action::Redo);
        }
        actions
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        let Some(place) = &app.place else { return Content::lines(app, Vec::new()) };
        let rest = rest(app, place);
        let height = self.rows.len() + rest.len();
        let (first, mut lines) = self.lines(app, place, room);
        if first + lines.len() == self.rows.len() {
            lines.extend(rest);
        }
        Content::part(app, height, first, lines)
    }

    fn cursor(&self) -> Option<usize> {
        (!self.rows.is_empty()).then_some(self.selected)
    }

    fn act(&mut self, app: &mut App, view: &mut View, action: Action) -> Option<Vec<Effect>> {
        let place = app.place.clone()?;
        match action {
            Action::Take => return Some(self.take(app, &place)),
            Action::WhyNot if app.focus == Pane::Operations => {
                let Row::Not(i) = self.rows.get(self.selected)? else { return None };
                let operation = app.obstacles.get(*i)?.operation;
                return Some(app.engine(Command::WhyNot(operation)));
            }
            Action::Edit if app.focus == Pane::Operations => {
                let at = self.declared(app, &place).and_then(|p| app.files.shown(p))?;
                return Some(app.edit(at));
            }
            Action::Left | Action::Right => return None,
            // Faults alone can be longer than the pane.
            _ if action.is_motion() && self.rows.is_empty() => return None,
            _ if action.is_motion() => {
                let before = self.selected;
                let last = self.rows.len() - 1;
                self.selected = moved(self.selected, action, view.rows(), last);
                if before == self.selected && matches!(action, Action::Down | Action::PageDown) {
                    say_rest(app, &place);
                }
                app.chosen = self.chosen();
                app.look_at = self.declared(app, &place).and_then(|p| app.files.shown(p));
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    fn settle(&mut self, app: &mut App, view: &mut View) {
        let same = match (&self.place, &app.place) {
            (Some(own), Some(now)) => Arc::ptr_eq(own, now),
            (own, now) => own.is_none() && now.is_none(),
        };
        let told = self.obstacles == app.obstacles.len();
        if same && told && self.filter == app.filter && !std::mem::take(&mut self.stale) {
            return;
        }
        let (chosen, row) = (self.chosen(), self.rows.get(self.selected).copied());
        let before = std::mem::replace(&mut self.place, app.place.clone());
        self.filter.clone_from(&app.filter);
        self.obstacles = app.obstacles.len();
        let Some(place) = self.place.clone() else { return };
        self.rows = self.rows_of(&place.operations, &app.obstacles);
        let kept = if same { row } else { kept(before.as_deref(), chosen, &place).map(Row::One) };
        let at = self.rows.iter().position(|row| Some(*row) == kept);
        let first = self.rows.iter().position(|row| matches!(row, Row::One(_) | Row::Head(_)));
        self.selected = at.or(first).unwrap_or(0);
        app.chosen = self.chosen();
        if same {
            return;
        }
        view.scroll_to(Scroll::default());
        let moved = before.is_some_and(|before| before.history != place.history);
        if moved && !place.history.is_empty() && app.focus != Pane::Source && !app.is_broken() {
            app.look_at = where_to_look(app, &place);
        }
    }
}

impl Operations {
    /// Number of the selected transition.
    fn chosen(&self) -> Option<usize> {
        match self.rows.get(self.selected)? {
            Row::One(number) => Some(*number),
            Row::Head(_) | Row::Not(_) => None,
        }
    }

    fn rows_of(&self, listing: &Listing, obstacles: &[Obstacle]) -> Vec<Row> {
        let wanted = self.filter.to_lowercase();
        let has = |text: &str| wanted.is_empty() || text.to_lowercase().contains(&wanted);
        let mut rows = Vec::new();
        for (i, group) in listing.groups.iter().enumerate() {
            let many = group.numbers.len() > FOLDED;
            if (many || group.listed != Listed::Whole) && wanted.is_empty() {
                rows.push(Row::Head(i));
            }
            if many && wanted.is_empty() && !self.open.contains(&group.name) {
                continue;
            }
            let numbers = group
                .numbers
                .clone()
                .filter(|n| wanted.is_empty() || *n < FILTERED && has(&listing.text(*n)));
            rows.extend(numbers.map(Row::One));
        }
        let blocked = obstacles.iter().enumerate().filter(|(_, o)| has(&o.name) || has(&o.why));
        rows.extend(blocked.map(|(i, _)| Row::Not(i)));
        rows
    }

    fn take(&mut self, app: &mut App, place: &Place) -> Vec<Effect> {
        // A number before the key is that of a transition.
        if let Some(number) = app.count {
            if number > place.operations.len() {
                app.complain(format!("there is no transition {number} here"));
                return Vec::new();
            }
            return app.engine(Command::Step { place: place.number, number: number - 1 });
        }
        match self.rows.get(self.selected) {
            Some(Row::One(number)) => {
                return app.engine(Command::Step { place: place.number, number: *number });
            }
            Some(Row::Head(group)) => {
                let group = &place.operations.groups[*group];
                if let Some(operation) = group.operation.filter(|_| group.listed != Listed::Whole) {
                    return app.engine(Command::More { place: place.number, operation });
                }
                if !self.open.remove(&group.name) {
                    self.open.insert(group.name.clone());
                }
                self.stale = true;
            }
            Some(Row::Not(i)) => {
                if let Some(obstacle) = app.obstacles.get(*i) {
                    let keys = app.keymap.keys(Action::WhyNot).join(" ");
                    let Obstacle { name, why, .. } = obstacle;
                    app.complain(format!("{name} is not enabled: {why} ({keys} looks for a way)"));
                }
            }
            None if self.filter.is_empty() => app.complain("no operation is enabled here"),
            None => app.complain(format!("nothing here has `{}`", self.filter)),
        }
        Vec::new()
    }

    /// Where what is selected is declared.
    fn declared(&self, app: &App, place: &Place) -> Option<SourcePlace> {
        match self.rows.get(self.selected)? {
            Row::One(number) => place.operations.group(*number)?.declared,
            Row::Head(group) => place.operations.groups.get(*group)?.declared,
            Row::Not(i) => app.obstacles.get(*i)?.declared,
        }
    }

    /// The lines around the selected one, which is in sight, and the number of the first of them.
    fn lines<'a>(&self, app: &'a App, place: &Place, room: Room) -> (usize, Vec<Line<'a>>) {
        let rows = usize::from(room.height);
        let (first, end) = (self.selected.saturating_sub(rows), self.selected + rows + 1);
        let near = self.rows.iter().enumerate().take(end).skip(first);
        let digits = place.operations.len().to_string().len();
        let mut lines: Vec<Line<'_>> = Vec::new();
        for (i, row) in near {
            let (text, plain) = match row {
                Row::One(number) => {
                    let text = place.operations.text(*number);
                    (format!("{:>digits$} {text}", number + 1), Role::Text)
                }
                Row::Head(group) => {
                    let group = &place.operations.groups[*group];
                    (head(group, self.open.contains(&group.name)), Role::Name)
                }
                Row::Not(i) => {
                    let told = app.obstacles.get(*i).map(|o| format!("{}: {}", o.name, o.why));
                    (format!("- {}", told.unwrap_or_default()), Role::Dim)
                }
            };
            let chosen = i == self.selected;
            let text = format!("{}{text}", if chosen { '>' } else { ' ' });
            if chosen {
                let role = if room.focused { Role::Selected } else { Role::SelectedUnfocused };
                let pad = " ".repeat(usize::from(room.width).saturating_sub(text.width()));
                lines.push(Line::from(span(app, role, text + &pad)));
            } else {
                lines.push(Line::from(span(app, plain, text)));
            }
        }
        (first.min(self.rows.len()), lines)
    }
}

/// The line of an operation with many instances, or with some that are not known.
fn head(group: &Group, open: bool) -> String {
    let (name, n) = (&group.name, grouped(&group.numbers.len().to_string()));
    match (group.listed, group.numbers.len()) {
        (Listed::Whole, _) => format!("{} {name}  {n}", if open { '-' } else { '+' }),
        (_, 0) => format!("+ {name}: not known yet; Enter lists it"),
        _ => format!("+ {name}  {n} and perhaps more; Enter goes on"),
    }
}

/// Most transitions of an operation that are looked through for the one that was selected.
const LOOKED_THROUGH: usize = 2000;

/// The selection stays at the same operation with the same arguments, else at the same operation.
fn kept(before: Option<&Place>, chosen: Option<usize>, place: &Place) -> Option<usize> {
    let old = &before?.operations;
    let (chosen, name) = (chosen?, &old.group(chosen?)?.name);
    let group = place.operations.groups.iter().find(|group| group.name == *name)?;
    let text = old.text(chosen);
    let mut numbers = group.numbers.clone().take(LOOKED_THROUGH);
    numbers.find(|i| place.operations.text(*i) == text).or(group.numbers.clone().next())
}

/// Where something is wrong with the state that place, else the declaration of the selected operation.
fn where_to_look(app: &App, place: &Place) -> Option<SourcePlace> {
    let broken = place.broken.keys().next().and_then(|place| app.files.shown(*place));
    broken.or_else(|| app.files.shown(app.chosen_place()?))
}

/// At the end of the list: how many operations fail in this state.
fn say_rest(app: &mut App, place: &Place) {
    let faults = place.view.faults.len();
    if faults > 0 {
        app.complain(format!("{faults} more end in a state error: see the state pane"));
    }
}

/// What comes below the list.
fn rest(app: &App, place: &Place) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some(why) = &place.view.stopped {
        lines.push(Line::from(span(app, Role::Bad, format!("! {why}"))));
    }
    for fault in &place.view.faults {
        let text = format!("! {}: {}", call(&fault.operation, &fault.arguments), fault.message);
        lines.push(Line::from(span(app, Role::Bad, text)));
    }
    if lines.is_empty() && place.operations.is_empty() {
        let text = match (place.view.deadlock, place.view.is_state) {
            (true, _) => "deadlock: no operation is enabled",
            (false, false) => "the machine cannot be set up: no solution",
            (false, true) => "",
        };
        lines.push(Line::from(span(app, Role::Bad, format!("! {text}"))));
    }
    lines
}
