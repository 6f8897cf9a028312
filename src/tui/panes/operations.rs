//! What the machine can do in this state, operation by operation, and why it cannot do the rest.
//!
//! ```text
//!  + borrow  10,000                         an operation with many instances, folded
//!  1* add(Name*, Code1): 3, one kind        transitions that names alone tell apart; i shows them
//!  4= bring(Book1)                          a transition, by its number, and where it leads
//!    slow: not known yet, Enter lists it    the time was up before its turn was over
//!     T Book1 : dom(lent)                    a part of its guard, with its arguments
//!  - far: x > 7 is false, x = 0             a disabled one, and what blocks it
//! ```

mod looking;

use self::looking::{Looking, Unread};
use super::view::{Scroll, View, moved};
use super::{About, Content, Pane, Panel, Room, span};
use crate::report::grouped;
use crate::session::animator::Listed;
use crate::session::glance::{Change, Target};
use crate::session::unfolding::Whole;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::engine::{Command, Obstacle, Place, call};
use crate::tui::files::Place as SourcePlace;
use crate::tui::layout::Slot;
use crate::tui::listing::{Group, Listing};
use crate::tui::theme::Role;
use crate::tui::update::Effect;
use crate::tui::widgets::tree;
use ratatui::text::Line;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

pub const ABOUT: About = About {
    name: "operations",
    title: "Operations",
    slot: Slot::LeftBottom,
    help: &[
        "What the machine can do in this state: each line is an operation with its arguments. Enter takes it.",
        "An operation with many instances is one line; Enter opens and closes it. `: 9, one kind` are calls that \
         differ by names of elements only, of which the state tells none apart: Enter takes the first, i lists \
         them.",
        "=       it changes nothing",
        "~       to a state of the same orbit: it differs from this one by names only",
        "*       to a state that is not in the history",
        "o       to one that is",
        "!       to a state that violates the invariant or an assertion; before a name: it ends in a state error",
        "-       not enabled: the part of its guard that blocks it, and the values there; n looks for a way",
        "I shows the whole guard, part by part, with the arguments of the call.",
        "+       folded; `perhaps more`: the time for this operation was up, Enter goes on",
        "/ finds calls that have a text, or whose parameters meet a predicate: nn = Name3 & cc /: ran(db)",
    ],
};

/// Most instances of one operation that are listed without being asked for.
const FOLDED: usize = 20;

/// One line that can be selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Row {
    /// The operation of this group, which is folded, opened, or not listed to its end, and how many kinds
    /// of instances it has: counting them takes as long as there are instances.
    Head { group: usize, kinds: usize },
    /// All of one kind, of which this is the first.
    Kind(usize),
    /// The transition of this number.
    One(usize),
    /// An operation that is not enabled.
    Not(usize),
    /// A line of the guard of that one, or of a transition.
    Part(Whole, usize),
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
    /// Which of them have it.
    looking: Looking,
    unread: Unread,
    obstacles: usize,
    /// Operations with many instances that are open.
    open: BTreeSet<String>,
    /// Kinds that are open, by their first transitions.
    kinds: BTreeSet<usize>,
    /// A predicate filters.
    sifted: bool,
    /// Parts of predicates that are told.
    parts: usize,
    /// What the selected transition changes stands below it.
    below: Cell<bool>,
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
                let more = if self.goes_on() { "+" } else { "" };
                let undecided = match app.sieve.as_ref().map(|sieve| &sieve.found) {
                    Some(Ok(found)) if self.sifted && found.undecided > 0 => {
                        format!(", {} undecided", found.undecided)
                    }
                    _ => String::new(),
                };
                format!(", {n}{more} with `{}`{undecided}", self.filter)
            }
        };
        Some((role, format!("{at}/{total}{cut}{failing}{filter}")))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        let mut actions = vec![Action::Take, Action::Undo];
        if app.place.as_ref().is_some_and(|p| p.redo > 0) {
            actions.push(Action::Redo);
        }
        let folded = |row: &Row| !matches!(row, Row::One(_));
        if app.focus == Pane::Operations && self.rows.get(self.selected).is_some_and(folded) {
            actions.push(Action::Unfold);
        }
        actions
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        let Some(place) = &app.place else { return Content::lines(Vec::new()) };
        let mut rest = rest(app, place);
        if self.rows.is_empty() && !self.filter.is_empty() && !self.goes_on() {
            rest.insert(0, Line::from(span(app, Role::Dim, looking::way_out(app))));
        }
        let (first, mut lines) = self.lines(app, place, room);
        let more = usize::from(self.below.get());
        let height = self.rows.len() + rest.len() + more;
        if first + lines.len() == self.rows.len() + more {
            lines.extend(rest);
        }
        Content::part(height, first, lines)
    }

    fn cursor(&self) -> Option<usize> {
        (!self.rows.is_empty()).then_some(self.selected + usize::from(self.below.get()))
    }

    fn wants(&self, app: &App, view: &View) -> Option<Command> {
        let place = self.place.as_ref()?;
        let near = view.rows().clamp(5, 100);
        let rows = self.rows.iter().take(self.selected + near);
        let rows = rows.skip(self.selected.saturating_sub(near));
        let numbers = rows.filter_map(|row| match row {
            Row::One(number) | Row::Kind(number) => Some(*number),
            Row::Head { .. } | Row::Not(_) | Row::Part(..) => None,
        });
        let mut numbers: Vec<usize> = numbers.filter(|n| !app.glances.contains_key(n)).collect();
        // The selected one first, and what is near it.
        let at = self.chosen().unwrap_or(0);
        numbers.sort_by_key(|n| n.abs_diff(at));
        let looked = app.stale || app.is_broken();
        (!numbers.is_empty() && !looked).then_some(Command::Look { place: place.number, numbers })
    }

    fn act(&mut self, app: &mut App, view: &mut View, action: Action) -> Option<Vec<Effect>> {
        let place = app.place.clone()?;
        match action {
            Action::Take => return Some(self.take(app, &place)),
            Action::Unfold if app.focus == Pane::Operations => {
                let effects = self.unfold(app, &place);
                view.open_at(self.selected);
                return Some(effects);
            }
            Action::WhyNot if app.focus == Pane::Operations => {
                let operation = self.blocked(app)?.operation;
                return Some(app.engine(Command::WhyNot(operation)));
            }
            Action::Guard if app.focus == Pane::Operations => {
                let effects = self.show_guard(app, &place);
                view.open_at(self.selected);
                return Some(effects);
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

    fn select(&mut self, app: &mut App, line: usize) {
        let Some(place) = app.place.clone() else { return };
        // What the selected one changes has a line of its own.
        let below = usize::from(self.below.get() && line > self.selected);
        if line - below < self.rows.len() {
            self.selected = line - below;
            app.chosen = self.chosen();
            app.look_at = self.declared(app, &place).and_then(|p| app.files.shown(p));
        }
    }

    fn settle(&mut self, app: &mut App, view: &mut View) {
        self.take_in(app, view);
        self.unread.tell(app, &self.looking);
    }

    /// Not all texts were looked at yet. What a predicate leaves is known.
    fn goes_on(&self) -> bool {
        !self.sifted && !self.looking.is_over()
    }
}

impl Operations {
    fn take_in(&mut self, app: &mut App, view: &mut View) {
        let same = match (&self.place, &app.place) {
            (Some(own), Some(now)) => Arc::ptr_eq(own, now),
            (own, now) => own.is_none() && now.is_none(),
        };
        let told = self.obstacles == app.obstacles.len();
        let sifted = app.sieve.as_ref().is_some_and(|sieve| sieve.found.is_ok());
        let parts: usize = app.unfolded.iter().map(|(_, parts)| 1 + parts.len()).sum();
        let told = told && self.sifted == sifted && self.parts == parts;
        self.parts = parts;
        self.sifted = sifted;
        let asked = same && self.filter == app.filter;
        if asked && told && !self.goes_on() && !std::mem::take(&mut self.stale) {
            return;
        }
        let (chosen, row) = (self.chosen(), self.rows.get(self.selected).copied());
        let before = std::mem::replace(&mut self.place, app.place.clone());
        self.filter.clone_from(&app.filter);
        self.obstacles = app.obstacles.len();
        let Some(place) = self.place.clone() else {
            self.looking = Looking::default();
            return;
        };
        let inside = matches!(row, Some(Row::One(number)) if before.as_ref().is_some_and(|b| {
            b.operations.kind(number).is_some() && self.filter.is_empty()
        }));
        if !same {
            self.kinds.clear();
            // One of several was selected, and stays so.
            let now = kept(before.as_deref(), chosen, &place).filter(|_| inside);
            let kind = now.and_then(|n| place.operations.kind(n));
            self.kinds.extend(kind.map(|kind| kind.members[0] as usize));
        }
        if !asked {
            self.looking = Looking::begin(&self.filter, &place.operations);
        }
        self.looking.go_on(&place.operations);
        self.rows = self.rows_of(app, &place.operations);
        let kept = if same { row } else { kept(before.as_deref(), chosen, &place).map(Row::One) };
        let at = self.rows.iter().position(|row| Some(*row) == kept);
        let at = at.or_else(|| self.row_of_kind(&place.operations, kept));
        let first = self.rows.iter().position(|row| !matches!(row, Row::Not(_) | Row::Part(..)));
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

    /// Number of the selected transition.
    fn chosen(&self) -> Option<usize> {
        match self.rows.get(self.selected)? {
            Row::One(number) | Row::Kind(number) | Row::Part(Whole::Call(number), _) => {
                Some(*number)
            }
            Row::Head { .. } | Row::Not(_) | Row::Part(..) => None,
        }
    }

    /// The operation on the selected line that is not enabled.
    fn blocked<'a>(&self, app: &'a App) -> Option<&'a Obstacle> {
        match self.rows.get(self.selected)? {
            Row::Not(i) => app.obstacles.get(*i),
            Row::Part(Whole::Guard(id), _) => app.obstacles.iter().find(|o| o.operation == *id),
            Row::One(_) | Row::Kind(_) | Row::Head { .. } | Row::Part(..) => None,
        }
    }

    /// Takes the guard of the selected operation apart, or no longer.
    fn show_guard(&mut self, app: &mut App, place: &Place) -> Vec<Effect> {
        let whole = match self.blocked(app) {
            Some(obstacle) => Some(Whole::Guard(obstacle.operation)),
            None => self
                .chosen()
                .filter(|n| place.operations.group(*n).is_some_and(|g| g.operation.is_some()))
                .map(Whole::Call),
        };
        // The line of the whole stays, those of its parts go.
        while matches!(self.rows.get(self.selected), Some(Row::Part(..))) {
            self.selected -= 1;
        }
        let Some(whole) = whole else {
            app.complain("a guard is shown for an operation or one of its calls");
            return Vec::new();
        };
        app.unfold(whole)
    }

    /// Where the kind of a transition stands.
    fn row_of_kind(&self, listing: &Listing, row: Option<Row>) -> Option<usize> {
        let Some(Row::One(number) | Row::Kind(number)) = row else { return None };
        let first = listing.kind(number)?.members[0] as usize;
        self.rows.iter().position(|row| *row == Row::Kind(first))
    }

    /// Opens or closes what the selected line stands for, or stands in.
    fn unfold(&mut self, app: &mut App, place: &Place) -> Vec<Effect> {
        match self.rows.get(self.selected) {
            Some(Row::Kind(number)) => {
                toggle(&mut self.kinds, *number);
            }
            Some(Row::One(number)) => {
                let Some(kind) = place.operations.kind(*number) else {
                    return self.show_guard(app, place);
                };
                let first = kind.members[0] as usize;
                self.kinds.remove(&first);
                let at = self.rows.iter().position(|row| *row == Row::Kind(first));
                self.selected = at.unwrap_or(self.selected);
            }
            Some(Row::Head { group, .. }) => {
                let group = &place.operations.groups[*group];
                toggle(&mut self.open, group.name.clone());
            }
            Some(Row::Not(_) | Row::Part(..)) => return self.show_guard(app, place),
            None => {}
        }
        self.stale = true;
        Vec::new()
    }

    fn rows_of(&self, app: &App, listing: &Listing) -> Vec<Row> {
        if let Some(Ok(found)) = app.sieve.as_ref().map(|sieve| &sieve.found) {
            let mut rows = Vec::new();
            found.numbers.iter().for_each(|number| push(app, &mut rows, Row::One(*number)));
            return rows;
        }
        let mut rows = Vec::new();
        self.looking.found().iter().for_each(|n| push(app, &mut rows, Row::One(*n)));
        let all = listing.groups.iter().enumerate().filter(|_| self.filter.is_empty());
        for (i, group) in all {
            let firsts = listing.firsts(group.numbers.clone());
            let many = firsts.len() > FOLDED;
            if many || group.listed != Listed::Whole {
                rows.push(Row::Head { group: i, kinds: firsts.len() });
            }
            if many && !self.open.contains(&group.name) {
                continue;
            }
            for first in firsts {
                let Some(kind) = listing.kind(first) else {
                    push(app, &mut rows, Row::One(first));
                    continue;
                };
                let open = self.kinds.contains(&first);
                // An open kind has its first member below it.
                match open {
                    true => rows.push(Row::Kind(first)),
                    false => push(app, &mut rows, Row::Kind(first)),
                }
                let members = kind.members.iter().filter(|_| open);
                members.for_each(|n| push(app, &mut rows, Row::One(*n as usize)));
            }
        }
        let has = |o: &Obstacle| self.looking.is_in(&o.name) || self.looking.is_in(&o.why);
        let blocked = app.obstacles.iter().enumerate().filter(|(_, o)| has(o));
        blocked.for_each(|(i, _)| push(app, &mut rows, Row::Not(i)));
        rows
    }

    fn is_in_open_kind(&self, listing: &Listing, number: usize) -> bool {
        self.filter.is_empty()
            && listing.kind(number).is_some_and(|k| self.kinds.contains(&(k.members[0] as usize)))
    }

    fn take(&mut self, app: &mut App, place: &Place) -> Vec<Effect> {
        if app.ahead.is_moving() {
            app.complain("the transitions of this state are not listed yet");
            return Vec::new();
        }
        // A number before the key is that of a transition.
        if let Some(number) = app.count {
            if number > place.operations.len() {
                app.complain(format!("there is no transition {number} here"));
                return Vec::new();
            }
            return app.engine(Command::Step { place: place.number, number: number - 1 });
        }
        match self.rows.get(self.selected) {
            Some(Row::One(number) | Row::Kind(number) | Row::Part(Whole::Call(number), _)) => {
                return app.engine(Command::Step { place: place.number, number: *number });
            }
            Some(Row::Head { group, .. }) => {
                let group = &place.operations.groups[*group];
                if let Some(operation) = group.operation.filter(|_| group.listed != Listed::Whole) {
                    return app.engine(Command::More { place: place.number, operation });
                }
                toggle(&mut self.open, group.name.clone());
                self.stale = true;
            }
            Some(Row::Not(_) | Row::Part(..)) => {
                if let Some(obstacle) = self.blocked(app) {
                    let keys = app.keymap.keys(Action::WhyNot).join(" ");
                    let Obstacle { name, why, .. } = obstacle;
                    app.complain(format!("{name} is not enabled: {why} ({keys} looks for a way)"));
                }
            }
            None if self.filter.is_empty() => {
                let why = app.no_start();
                app.complain(why.unwrap_or_else(|| "no operation is enabled here".to_owned()));
            }
            None if self.goes_on() => app.say("not all of them were looked at yet"),
            None => {
                let why = match app.sieve.as_ref().map(|sieve| &sieve.found) {
                    Some(Err(why)) => format!(", and as a predicate: {why}"),
                    _ => String::new(),
                };
                app.complain(format!("nothing here has `{}`{why}", self.filter));
            }
        }
        Vec::new()
    }

    /// Where what is selected is declared.
    fn declared(&self, app: &App, place: &Place) -> Option<SourcePlace> {
        match self.rows.get(self.selected)? {
            Row::One(n) | Row::Kind(n) | Row::Part(Whole::Call(n), _) => {
                place.operations.group(*n)?.declared
            }
            Row::Head { group, .. } => place.operations.groups.get(*group)?.declared,
            Row::Not(_) | Row::Part(..) => self.blocked(app)?.declared,
        }
    }

    /// The lines around the selected one, which is in sight, and the number of the first of them.
    fn lines<'a>(&self, app: &'a App, place: &Place, room: Room) -> (usize, Vec<Line<'a>>) {
        let rows = usize::from(room.height);
        let (first, end) = (self.selected.saturating_sub(rows), self.selected + rows + 1);
        let near = self.rows.iter().enumerate().take(end).skip(first);
        let digits = place.operations.len().to_string().len();
        let mut lines: Vec<Line<'_>> = Vec::new();
        self.below.set(false);
        for (i, row) in near {
            let (text, plain) = match row {
                Row::One(number) => {
                    let text = place.operations.text(*number);
                    let inner = self.is_in_open_kind(&place.operations, *number);
                    let inner = if inner { "  " } else { "" };
                    let mark = mark(app, *number);
                    (format!("{:>digits$}{mark} {inner}{text}", number + 1), Role::Text)
                }
                Row::Kind(number) => {
                    let kind = place.operations.kind(*number);
                    let text = kind.map(|kind| place.operations.kind_text(kind));
                    let (text, mark) = (text.unwrap_or_default(), mark(app, *number));
                    (format!("{:>digits$}{mark} {text}", number + 1), Role::Text)
                }
                Row::Head { group, kinds } => {
                    let group = &place.operations.groups[*group];
                    (head(group, *kinds, self.open.contains(&group.name)), Role::Name)
                }
                Row::Not(i) => {
                    let told = app.obstacles.get(*i).map(|o| format!("{}: {}", o.name, o.why));
                    (format!("- {}", told.unwrap_or_default()), Role::Dim)
                }
                Row::Part(whole, part) => {
                    let line = app
                        .parts_of(*whole)
                        .map(tree::lines)
                        .and_then(|mut parts| (*part < parts.len()).then(|| parts.remove(*part)));
                    line.map_or((String::new(), Role::Dim), |(role, text)| (text, role))
                }
            };
            let chosen = i == self.selected;
            let whole = chosen && !matches!(row, Row::Part(..));
            let preview = self.chosen().filter(|_| whole).and_then(|n| preview(app, n));
            let text = format!("{}{text}", if chosen { '>' } else { ' ' });
            if chosen {
                let role = if room.focused { Role::Selected } else { Role::SelectedUnfocused };
                let width = usize::from(room.width);
                let pad = " ".repeat(width.saturating_sub(text.width()));
                let own = text.width();
                lines.push(Line::from(span(app, role, text + &pad)));
                // What it changes stands behind it where there is room, else below.
                let Some(preview) = preview else { continue };
                let below = own + 2 + preview.width() > width && room.height > 2;
                self.below.set(below);
                if below {
                    let indent = " ".repeat(digits + 3);
                    lines.push(Line::from(span(app, Role::Previous, indent + &preview)));
                } else if let Some(line) = lines.last_mut() {
                    let room = width.saturating_sub(own + 2);
                    let pad = " ".repeat(room.saturating_sub(preview.width()));
                    let text = line.spans[0].content.trim_end().to_owned();
                    *line = Line::from(span(app, role, format!("{text}  {preview}{pad}")));
                }
            } else {
                lines.push(Line::from(span(app, plain, text)));
            }
        }
        (first.min(self.rows.len()), lines)
    }
}

/// Adds a row, and the parts of its guard where they are shown.
fn push(app: &App, rows: &mut Vec<Row>, row: Row) {
    rows.push(row);
    let whole = match row {
        Row::One(number) | Row::Kind(number) => Whole::Call(number),
        Row::Not(i) => match app.obstacles.get(i) {
            Some(obstacle) => Whole::Guard(obstacle.operation),
            None => return,
        },
        Row::Head { .. } | Row::Part(..) => return,
    };
    let parts = app.parts_of(whole).map_or(0, |parts| tree::lines(parts).len());
    rows.extend((0..parts).map(|part| Row::Part(whole, part)));
}

/// Takes something out of a set, or puts it in.
fn toggle<T: Ord>(set: &mut BTreeSet<T>, member: T) {
    if !set.remove(&member) {
        set.insert(member);
    }
}

/// Where a transition leads, in one sign; blank while that is not known.
fn mark(app: &App, number: usize) -> char {
    match app.glances.get(&number).map(|glance| glance.target) {
        Some(Target::Violation) => '!',
        Some(Target::Same) => '=',
        Some(Target::Orbit) => '~',
        Some(Target::New) => '*',
        Some(Target::Seen) => 'o',
        Some(Target::Unknown) | None => ' ',
    }
}

/// What a transition changes, on one line.
fn preview(app: &App, number: usize) -> Option<String> {
    let changes = &app.glances.get(&number)?.changes;
    let told = changes.iter().map(|Change { name, value, difference }| match difference {
        // What is added and removed says more than a long value as a whole.
        Some((added, removed)) if added.len() + removed.len() < value.len() + 4 => {
            let part = |sign, part: &str| match part {
                "{}" => String::new(),
                part => format!(" {sign}{part}"),
            };
            format!("{name}{}{}", part('+', added), part('-', removed))
        }
        _ => format!("{name} = {value}"),
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The line of an operation with many instances, or with some that are not known.
fn head(group: &Group, kinds: usize, open: bool) -> String {
    let (name, n) = (&group.name, grouped(group.numbers.len()));
    let kinds = match kinds < group.numbers.len() {
        true => format!(", {} kinds", grouped(kinds)),
        false => String::new(),
    };
    match (group.listed, group.numbers.len()) {
        (Listed::Whole, _) => format!("{} {name}  {n}{kinds}", if open { '-' } else { '+' }),
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
        let deadlock = place.view.deadlock.then(|| "deadlock: no operation is enabled".to_owned());
        let text = deadlock.or_else(|| app.no_start()).unwrap_or_default();
        lines.push(Line::from(span(app, Role::Bad, format!("! {text}"))));
    }
    lines
}
