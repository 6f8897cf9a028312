//! The state inspector: variables with their previous values, the invariant's conjuncts with their
//! truth, the representative under symmetry, constants, the history.

use super::{About, Content, Panel, Room, span};
use crate::printable::columns;
use crate::report::counted;
use crate::search::SymmetryMode;
use crate::session::ConjunctView;
use crate::session::unfolding::Whole;
use crate::session::view::{Answer, Truth};
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::engine::{Place, call};
use crate::tui::layout::Slot;
use crate::tui::panes::Pane;
use crate::tui::panes::view::{View, moved};
use crate::tui::theme::Role;
use crate::tui::update::Effect;
use crate::tui::widgets::tree;
use ratatui::text::Line;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

pub const ABOUT: About = About {
    name: "state",
    title: "State",
    slot: Slot::RightTop,
    help: &[
        "The values of this state, and whether the invariant holds in it. What is false comes first.",
        "*       changed by the last step, with what it was before, or what was added (+) and removed (-)",
        "T F ? - true, false, undefined, not known. i on a conjunct shows its parts, with the values for which a \
         quantifier holds or fails; i on a value shows its members, or its fields, one by one. Y copies the value at the cursor, \
         Ctrl-W writes it to a file.",
        "\\ shows what has some text in its name only, H what the last step changed only.",
        "REPRESENTATIVE  the state that the search keeps for this one and all others that differ from it \
         by names of elements only, and which names have to be exchanged to get it",
    ],
};

/// What a line is about, where that can be opened.
#[derive(Clone, PartialEq, Debug)]
enum Item {
    Predicate(Whole),
    /// A name, and its value.
    Value(String, String),
}

/// The lines of the pane.
#[derive(Default)]
struct Page<'a> {
    lines: Vec<Line<'a>>,
    /// What can be opened, by its line.
    items: BTreeMap<usize, Item>,
    /// Names whose values are open.
    open: BTreeSet<String>,
    /// What names have to have, in small letters.
    wanted: String,
    /// How many were left out since they do not have it.
    others: usize,
}

impl<'a> Page<'a> {
    /// Whether a name, or a formula, is to be shown.
    fn has(&mut self, text: &str) -> bool {
        let has = self.wanted.is_empty() || text.to_lowercase().contains(&self.wanted);
        self.others += usize::from(!has);
        has
    }

    fn push(&mut self, line: Line<'a>) {
        self.lines.push(line);
    }

    fn extend(&mut self, lines: impl IntoIterator<Item = Line<'a>>) {
        self.lines.extend(lines);
    }

    fn last_mut(&mut self) -> Option<&mut Line<'a>> {
        self.lines.last_mut()
    }

    /// Says what the next line is about.
    fn about(&mut self, item: Item) {
        self.items.insert(self.lines.len(), item);
    }
}

/// The pane.
#[derive(Default)]
pub struct State {
    /// Variables that the last step did not change are left out.
    changed_only: bool,
    /// The line that the cursor is on, while the pane has the focus.
    selected: usize,
    focused: bool,
    /// Names whose values are open.
    open: BTreeSet<String>,
    /// Of the last drawing: how many lines there were, and what can be opened.
    drawn: RefCell<(usize, BTreeMap<usize, Item>)>,
}

impl Panel for State {
    fn note(&self, app: &App) -> Option<(Role, String)> {
        let place = app.place.as_ref()?;
        let n = place.history.len();
        let redo = if place.redo > 0 { format!(" (+{})", place.redo) } else { String::new() };
        let step = (n > 0).then(|| format!("step {n}{redo}"));
        let asked = place.view.goal.iter().chain(&place.view.scope);
        let undefined = asked.into_iter().any(|a| a.truth == Truth::Undefined);
        let (role, what) = if place.view.violation {
            (Role::Bad, Some("violation"))
        } else if !place.view.faults.is_empty() || undefined {
            (Role::Bad, Some("state error"))
        } else if place.view.deadlock {
            (Role::Bad, Some("deadlock"))
        } else if place.view.stuck {
            (Role::Bad, Some("no set-up"))
        } else if place.view.goal.as_ref().is_some_and(|g| g.truth == Truth::True) {
            (Role::Good, Some("goal"))
        } else {
            (Role::Dim, None)
        };
        let names = (!app.names.is_empty()).then(|| format!("`{}`", app.names));
        let parts = step.into_iter().chain(what.map(str::to_owned)).chain(names);
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| (role, parts.join(", ")))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        match self.item().filter(|_| app.focus == Pane::State) {
            Some(Item::Value(..)) => vec![Action::Unfold, Action::Copy, Action::Write],
            Some(Item::Predicate(_)) => vec![Action::Unfold],
            None => Vec::new(),
        }
    }

    fn content<'a>(&'a self, app: &'a App, room: Room) -> Content<'a> {
        let wanted = app.names.to_lowercase();
        let page = Page { open: self.open.clone(), wanted, ..Page::default() };
        let mut page = lines(app, room.width, self.changed_only, page);
        if let Some(line) = page.lines.get_mut(self.selected).filter(|_| room.focused) {
            let style = app.theme.style(Role::Selected);
            let spans = std::mem::take(&mut line.spans);
            line.spans = spans.into_iter().map(|span| span.patch_style(style)).collect();
        }
        *self.drawn.borrow_mut() = (page.lines.len(), page.items);
        Content::lines(page.lines)
    }

    fn cursor(&self) -> Option<usize> {
        self.focused.then_some(self.selected)
    }

    fn act(&mut self, app: &mut App, view: &mut View, action: Action) -> Option<Vec<Effect>> {
        match action {
            Action::ChangedOnly => self.changed_only = !self.changed_only,
            Action::Unfold if app.focus == Pane::State => match self.item() {
                Some(Item::Predicate(whole)) => {
                    view.open_at(self.selected);
                    return Some(app.unfold(whole));
                }
                Some(Item::Value(name, _)) => {
                    view.open_at(self.selected);
                    if !self.open.remove(&name) {
                        self.open.insert(name);
                    }
                }
                None => app.say("this line has no parts"),
            },
            // What is on the screen now: since the pane settled last another state may have been drawn.
            Action::Copy | Action::Write => {
                app.selected = match self.item().filter(|_| app.focus == Pane::State) {
                    Some(Item::Value(name, value)) => Some(format!("{name} = {value}")),
                    _ => None,
                };
                return None;
            }
            Action::Left | Action::Right => return None,
            _ if action.is_motion() => {
                let last = self.drawn.borrow().0.saturating_sub(1);
                self.selected = moved(self.selected, action, view.rows(), last);
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    fn select(&mut self, _app: &mut App, line: usize) {
        // The focus has come with the mouse.
        self.focused = true;
        self.selected = line.min(self.drawn.borrow().0.saturating_sub(1));
    }

    fn settle(&mut self, app: &mut App, view: &mut View) {
        let focused = app.focus == Pane::State;
        if focused && !self.focused {
            // The cursor comes to where one looks.
            self.selected = view.scroll().y;
        }
        self.focused = focused;
        self.selected = self.selected.min(self.drawn.borrow().0.saturating_sub(1));
    }
}

impl State {
    /// What the cursor is on.
    fn item(&self) -> Option<Item> {
        self.drawn.borrow().1.get(&self.selected).cloned()
    }
}

fn lines<'a>(app: &'a App, width: u16, changed_only: bool, mut lines: Page<'a>) -> Page<'a> {
    let Some(place) = &app.place else { return lines };
    wrong(app, place, &mut lines);
    variables(app, place, usize::from(width), changed_only, &mut lines);
    if !place.watched.is_empty() {
        lines.push(heading(app, "WATCHED"));
        values(app, place.watched.iter(), usize::from(width), &mut lines);
    }
    faults(app, place, &mut lines);
    conjuncts(app, "INVARIANT", (&place.view.invariant, Whole::Invariant), &mut lines);
    conjuncts(app, "ASSERTIONS", (&place.view.assertions, Whole::Assertion), &mut lines);
    let goal = ["holds here", "does not hold here"];
    answer(app, "GOAL", place.view.goal.as_ref(), goal, &mut lines);
    let scope = ["this state is within it", "this state is outside: a search does not expand it"];
    answer(app, "SCOPE", place.view.scope.as_ref(), scope, &mut lines);
    representative(app, place, usize::from(width), &mut lines);
    if !place.view.constants.is_empty() {
        lines.push(heading(app, "CONSTANTS"));
        values(app, place.view.constants.iter(), usize::from(width), &mut lines);
    }
    if lines.others > 0 {
        let keys = app.keymap.keys(Action::Names).join(" ");
        let others = match lines.others {
            1 => "1 line has".to_owned(),
            n => format!("{n} lines have"),
        };
        let text = format!("  {others} no `{}` ({keys} Esc: all)", app.names);
        lines.push(Line::from(span(app, Role::Dim, text)));
    }
    history(app, place, &mut lines);
    lines
}

/// Columns for the names in a list of names with values: long ones must not push the values out.
fn name_width<'a>(names: impl Iterator<Item = &'a str>, room: usize) -> usize {
    let most = (room / 3).max(8);
    names.map(|n| n.chars().count()).filter(|n| *n <= most).max().unwrap_or(0)
}

/// `name = value`. A name that is longer than `width` has its value on the next line, where it would
/// not fit behind it.
fn named<'a>(
    app: &App,
    (mark, name): (&'static str, &'a str),
    (value, role): (&'a str, Role),
    width: usize,
    room: usize,
    lines: &mut Page<'a>,
) {
    lines.about(Item::Value(name.to_owned(), value.to_owned()));
    if lines.open.contains(name) {
        lines.push(Line::from(vec![
            span(app, Role::Changed, mark),
            span(app, Role::Name, name),
            span(app, Role::Text, " ="),
        ]));
        let members = tree::members(value).into_iter();
        return lines.extend(members.map(|m| Line::from(span(app, role, format!("      {m}")))));
    }
    let long = name.chars().count() > width;
    let mut line = Line::from(vec![
        span(app, Role::Changed, mark),
        span(app, Role::Name, format!("{name:<width$}")),
        span(app, Role::Text, " = "),
    ]);
    if long && super::width(&line) + columns(value) > room {
        lines.push(line);
        line = Line::from("    ");
    }
    line.push_span(span(app, role, value));
    lines.push(line);
}

fn values<'a>(
    app: &App,
    list: impl Iterator<Item = &'a (String, String)> + Clone,
    room: usize,
    lines: &mut Page<'a>,
) {
    let width = name_width(list.clone().map(|(n, _)| n.as_str()), room);
    for (name, value) in list {
        if !lines.has(name) {
            continue;
        }
        named(app, ("  ", name), (value, Role::Text), width, room, lines);
    }
}

/// Under symmetry: what differs in the state that stands for this one, and the permutation that leads
/// there.
fn representative<'a>(app: &'a App, place: &Place, room: usize, lines: &mut Page<'a>) {
    let symmetric = app.machine.as_ref().is_some_and(|m| m.symmetric);
    let Ok(canon) = app.canon.as_ref().map(|c| &c.view) else { return };
    if !symmetric || app.symmetry() == SymmetryMode::Off {
        return;
    }
    let variables = place.view.variables.iter().map(|v| (&v.name, &v.value));
    let constants = place.view.constants.iter().map(|(name, value)| (name, value));
    let own: BTreeMap<_, _> = variables.chain(constants).collect();
    let differs = |(name, value): &&(String, String)| own.get(name).is_some_and(|o| *o != value);
    let image = canon.image.iter().filter(differs);
    if image.clone().next().is_none() {
        lines.push(heading(app, "REPRESENTATIVE  this state (kept by the search)"));
        return;
    }
    lines.push(heading(app, "REPRESENTATIVE  (kept by the search)"));
    values(app, image, room, lines);
    let mut line = Line::from(span(app, Role::Dim, "  by "));
    for (i, (from, to)) in canon.permutation.iter().enumerate() {
        let comma = if i + 1 < canon.permutation.len() { ", " } else { "" };
        let text = span(app, Role::Text, format!("{from}->{to}{comma}"));
        if line.width() + text.width() > room && line.spans.len() > 1 {
            lines.push(std::mem::replace(&mut line, Line::from("     ")));
        }
        line.push_span(text);
    }
    lines.push(line);
}

fn heading(app: &App, text: &str) -> Line<'static> {
    Line::from(span(app, Role::Dim, text.to_owned()))
}

/// Columns of a value that is taken in at a glance.
const FEW: usize = 20;

/// `*` marks a variable that the last step changed; its previous value stands behind the new one, or
/// below it where the line has no room.
fn variables<'a>(
    app: &App,
    place: &'a Place,
    room: usize,
    changed_only: bool,
    lines: &mut Page<'a>,
) {
    if let Some(text) = app.no_start() {
        lines.push(Line::from(span(app, Role::Bad, text)));
    } else if !place.view.is_state {
        let text = if place.view.constants.is_empty() {
            "not initialised: take a step (Enter)"
        } else {
            "constants are set up, variables are not initialised"
        };
        lines.push(Line::from(span(app, Role::Dim, text)));
    }
    let width = name_width(place.view.variables.iter().map(|v| v.name.as_str()), room);
    let mut level = None;
    let mut hidden = 0;
    for variable in &place.view.variables {
        let changed = variable.previous.is_some();
        if !lines.has(&variable.name) {
            continue;
        }
        if changed_only && !changed {
            hidden += 1;
            continue;
        }
        if variable.abstract_of.is_some() && variable.abstract_of != level {
            level.clone_from(&variable.abstract_of);
            let text = format!("abstract, of {}", level.as_deref().unwrap_or_default());
            lines.push(Line::from(span(app, Role::Dim, text)));
        }
        let (mark, role) = if changed { ("* ", Role::Changed) } else { ("  ", Role::Text) };
        named(app, (mark, &variable.name), (&variable.value, role), width, room, lines);
        let Some(previous) = &variable.previous else { continue };
        // What was added and removed says more than a long value as a whole.
        if let Some((added, removed)) = &variable.difference
            && columns(previous) > FEW.max(columns(added) + columns(removed))
        {
            for (sign, part) in [("+", added), ("-", removed)] {
                if part != "{}" {
                    let text = format!("  {:>width$}   {part}", sign);
                    lines.push(Line::from(span(app, Role::Previous, text)));
                }
            }
            continue;
        }
        let behind = span(app, Role::Previous, format!("  was {previous}"));
        match lines.last_mut() {
            Some(line) if super::width(line) + columns(&behind.content) <= room => {
                line.push_span(behind);
            }
            _ => {
                let text = format!("  {:>width$}   {previous}", "was");
                lines.push(Line::from(span(app, Role::Previous, text)));
            }
        }
    }
    if hidden > 0 {
        let keys = app.keymap.keys(Action::ChangedOnly).join(" ");
        let text = format!("  {} unchanged ({keys} shows all)", counted(hidden, "variable"));
        lines.push(Line::from(span(app, Role::Dim, text)));
    }
}

/// Most instances of operations that fail and are listed here; the list of operations has all.
const FAULTS: usize = 3;

fn faults<'a>(app: &App, place: &'a Place, lines: &mut Page<'a>) {
    let all = &place.view.faults;
    if all.is_empty() {
        return;
    }
    lines.push(heading(app, &format!("STATE ERRORS  {}", all.len())));
    for fault in all.iter().take(FAULTS) {
        lines.push(Line::from(vec![
            span(app, Role::Fails, format!("! {}: ", call(&fault.operation, &fault.arguments))),
            span(app, Role::Fails, fault.message.as_str()),
        ]));
        for (text, value) in &fault.operands {
            lines.push(Line::from(span(app, Role::Text, format!("    {text} = {value}"))));
        }
    }
    if all.len() > FAULTS {
        let more = format!("  … and {} more", all.len() - FAULTS);
        lines.push(Line::from(span(app, Role::Dim, more)));
    }
}

/// What the state violates, with the values that make it so: this is what one came to see.
fn wrong<'a>(app: &App, place: &'a Place, lines: &mut Page<'a>) {
    let whole: [fn(usize) -> Whole; 2] = [Whole::Invariant, Whole::Assertion];
    let both = [("INVARIANT", &place.view.invariant), ("ASSERTIONS", &place.view.assertions)];
    for ((head, all), whole) in both.into_iter().zip(whole) {
        let of = |truth| all.iter().filter(|c| c.truth == truth).count();
        let counts = [(of(Truth::False), "false"), (of(Truth::Undefined), "undefined")];
        let counts = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("  {n} {what}"));
        let counts: String = counts.collect();
        if counts.is_empty() {
            continue;
        }
        lines.push(heading(app, &format!("{head}{counts}")));
        for truth in [Truth::False, Truth::Undefined] {
            for (i, conjunct) in all.iter().enumerate().filter(|(_, c)| c.truth == truth) {
                lines.about(Item::Predicate(whole(i)));
                lines.push(conjunct_line(app, conjunct));
                if unfolded(app, whole(i), lines) {
                    continue;
                }
                for (name, value) in &conjunct.values {
                    lines.push(Line::from(vec![
                        span(app, Role::Name, format!("    {name}")),
                        span(app, Role::Text, " = "),
                        span(app, Role::Text, value.as_str()),
                    ]));
                }
            }
        }
    }
}

/// The conjuncts that are not at the top already.
fn conjuncts<'a>(
    app: &App,
    head: &str,
    (all, whole): (&'a [ConjunctView], fn(usize) -> Whole),
    lines: &mut Page<'a>,
) {
    let rest = all.iter().enumerate();
    let rest = rest.filter(|(_, c)| !matches!(c.truth, Truth::False | Truth::Undefined));
    if rest.clone().next().is_none() {
        return;
    }
    lines.push(heading(app, head));
    for (i, conjunct) in rest {
        if !lines.has(&conjunct.text) {
            continue;
        }
        lines.about(Item::Predicate(whole(i)));
        lines.push(conjunct_line(app, conjunct));
        unfolded(app, whole(i), lines);
    }
}

/// The parts of a predicate, if it is taken apart.
fn unfolded(app: &App, whole: Whole, lines: &mut Page<'_>) -> bool {
    let Some(parts) = app.parts_of(whole) else { return false };
    let parts = tree::lines(parts).into_iter();
    lines.extend(parts.map(|(role, text)| Line::from(span(app, role, text))));
    true
}

fn conjunct_line<'a>(app: &App, conjunct: &'a ConjunctView) -> Line<'a> {
    let (mark, role) = tree::sign(conjunct.truth);
    let text_role = match conjunct.truth {
        Truth::True | Truth::Unknown => Role::Text,
        _ => role,
    };
    let label = conjunct.label.as_ref().map(|l| format!("{l}: ")).unwrap_or_default();
    Line::from(vec![
        span(app, role, format!("{mark} ")),
        span(app, Role::Dim, label),
        span(app, text_role, conjunct.text.as_str()),
    ])
}

/// What a question about the state has for an answer; `words` for yes and no.
fn answer<'a>(
    app: &App,
    head: &str,
    answer: Option<&'a Answer>,
    words: [&'static str; 2],
    lines: &mut Page<'a>,
) {
    let Some(answer) = answer else { return };
    lines.push(heading(app, head));
    let (role, text) = match answer.truth {
        Truth::True => (Role::Text, words[0]),
        Truth::False => (Role::Text, words[1]),
        Truth::Undefined => (Role::Undefined, "undefined here"),
        Truth::Unknown => (Role::Dim, "not known"),
    };
    let why = answer.why.as_ref().map(|w| format!(": {w}")).unwrap_or_default();
    lines.push(Line::from(span(app, role, format!("  {text}{why}"))));
}

fn history<'a>(app: &App, place: &'a Place, lines: &mut Page<'a>) {
    if place.history.is_empty() {
        return;
    }
    lines.push(heading(app, "HISTORY (u goes back)"));
    let digits = place.history.len().to_string().len();
    for (i, step) in place.history.iter().enumerate().rev() {
        lines.push(Line::from(vec![
            span(app, Role::Dim, format!("{:>width$} ", i + 1, width = digits + 1)),
            span(app, Role::Text, step.as_str()),
        ]));
    }
}
