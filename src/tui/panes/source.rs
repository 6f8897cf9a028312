//! The machine's text: coloured, with the enabled operations marked in the margin.
//!
//! ```text
//!  12   add(nn, cc) =
//!  ^^ number of the line; then, where an operation begins, `▶` with the number of its enabled
//!     instances, and `!` where instances end in a state error; `F` and `?` where a conjunct is false
//!     or undefined in the state; `×` where an error is, `≠` at what tells elements of a set apart
//! ```

use super::view::{Scroll, View};
use super::{About, Content, Pane, Panel, Room, paint, span};
use crate::printable;
use crate::report::grouped;
use crate::search::OperationCount;
use crate::session::view::Truth;
use crate::source::Span;
use crate::syntax::TokenClass;
use crate::tui::action::Action;
use crate::tui::app::{App, Check};
use crate::tui::engine::{Mark, place_of};
use crate::tui::files::{Files, Place, ShownFile};
use crate::tui::layout::Slot;
use crate::tui::theme::Role;
use crate::tui::update::Effect;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

pub const ABOUT: About = About {
    name: "source",
    title: "Source",
    slot: Slot::LeftTop,
    help: &[
        "The text of the machine as it was read last.",
        "▶n      n instances of the operation are enabled in this state; + perhaps more; ! some end in an error",
        "·taken  how many transitions of the operation the check has followed, and to how many states it was the \
         first to lead",
        "…       not known yet: the time was up before its turn was over",
        "F ?     a conjunct of the invariant, or an assertion, that is false or undefined in this state",
        "×       an error of the last reading; a conjunct that contradicts others, so that there is no set-up",
        "≠       this tells elements of a set apart, which is not symmetric therefore (y says more)",
    ],
};

/// The pane.
#[derive(Default)]
pub struct Source {
    /// The file that is shown.
    file: usize,
    /// The files as they were when the pane looked last.
    files: Arc<Files>,
    /// How far the other files are scrolled.
    scrolled: Vec<Scroll>,
}

impl Panel for Source {
    /// The name of the file that is shown, and which of several it is.
    fn title(&self, app: &App) -> Option<String> {
        let (file, n) = (app.files.list.get(self.file)?, app.files.list.len());
        let which = if n > 1 { format!(" {}/{n}", self.file + 1) } else { String::new() };
        Some(format!("{} {}{which}", ABOUT.title, file.name))
    }

    fn note(&self, app: &App) -> Option<(Role, String)> {
        app.stale.then(|| (Role::Warning, "stale".to_owned()))
    }

    fn useful(&self, app: &App) -> Vec<Action> {
        let several = app.focus == Pane::Source && app.files.list.len() > 1;
        if several { vec![Action::NextFile] } else { Vec::new() }
    }

    fn content<'a>(&'a self, app: &'a App, _room: Room) -> Content<'a> {
        let Some(file) = app.files.list.get(self.file) else {
            return Content::nothing(app, &nothing(app));
        };
        let size = (margin(file) + file.text.width, file.text.lines.len());
        let number = self.file;
        Content::new(size, move |scroll, area, buffer| draw(app, number, scroll, area, buffer))
    }

    fn act(&mut self, app: &mut App, view: &mut View, action: Action) -> Option<Vec<Effect>> {
        let forward = match action {
            Action::Edit => return Some(app.edit(self.looked_at(app, view))),
            Action::NextFile => true,
            Action::PreviousFile => false,
            _ => return None,
        };
        let n = app.files.list.len();
        if n < 2 {
            app.say("the machine is one file");
        } else {
            self.show((self.file + if forward { 1 } else { n - 1 }) % n, view);
        }
        Some(Vec::new())
    }

    fn settle(&mut self, app: &mut App, view: &mut View) {
        if !Arc::ptr_eq(&self.files, &app.files) {
            self.take_in(app.files.clone(), view);
        }
        let column = app.look_at_column.take();
        if let Some(place) = app.look_at.take() {
            self.show(place.file, view);
            view.reveal(place.line);
            let margin = app.files.list.get(self.file).map_or(0, margin);
            column.into_iter().for_each(|column| view.reveal_column(column, margin));
        }
    }
}

impl Source {
    /// The files as they are now. The one that is shown stays, if it is still there.
    fn take_in(&mut self, files: Arc<Files>, view: &mut View) {
        let name = self.files.list.get(self.file).map(|f| &f.name);
        let at = files.list.iter().position(|f| Some(&f.name) == name);
        if files.list.len() != self.files.list.len() {
            self.scrolled = vec![Scroll::default(); files.list.len()];
        }
        self.files = files;
        self.file = at.unwrap_or(0);
        if at.is_none() {
            view.scroll_to(Scroll::default());
        }
    }

    /// The line that one probably looks at: of an error, of a false conjunct, or of the selected operation,
    /// where that is to be seen; else the first one on the screen.
    fn looked_at(&self, app: &App, view: &View) -> Place {
        let top = view.scroll().y;
        let seen =
            |p: &Place| p.file == self.file && (top..top + view.rows().max(1)).contains(&p.line);
        let shown = |p: Place| app.files.shown(p).filter(seen);
        let wrong = app.diagnostics.iter().filter_map(|d| d.place).find(seen);
        let broken = || app.place.as_ref()?.broken.keys().find_map(|p| shown(*p));
        let chosen = || app.chosen_place().and_then(shown);
        let at = wrong.or_else(broken).or_else(chosen);
        at.unwrap_or(Place { file: self.file, line: top })
    }

    /// Shows a file where it was left.
    fn show(&mut self, file: usize, view: &mut View) {
        if file == self.file || file >= self.scrolled.len() {
            return;
        }
        self.scrolled[self.file] = view.scroll();
        self.file = file;
        view.scroll_to(self.scrolled[file]);
    }
}

/// Width of the margin: the mark.
const MARK: usize = 4;

fn role(class: Option<TokenClass>) -> Role {
    match class {
        None | Some(TokenClass::Punctuation) => Role::Text,
        Some(TokenClass::Keyword) => Role::Keyword,
        Some(TokenClass::Identifier) => Role::Identifier,
        Some(TokenClass::Number) => Role::Number,
        Some(TokenClass::String) => Role::String,
        Some(TokenClass::Comment) => Role::Comment,
        Some(TokenClass::Operator) => Role::Operator,
        Some(TokenClass::Wrong) => Role::Wrong,
    }
}

fn digits(file: &ShownFile) -> usize {
    file.text.lines.len().to_string().len().max(2)
}

/// Columns before the text: numbers and marks.
fn margin(file: &ShownFile) -> usize {
    digits(file) + MARK + 1
}

/// What is known of the instances of an operation.
fn margin_of(mark: Mark) -> String {
    let more = if mark.open { "+" } else { "" };
    match (mark.enabled, mark.failing) {
        (0, 0) if mark.open => "…".to_owned(),
        (0, 0) => String::new(),
        (0, _) => format!("!{more}"),
        (100.., _) => "▶99+".to_owned(),
        (n, 0) => format!("▶{n}{more}"),
        (n, _) => format!("▶{n}!"),
    }
}

/// What the operations declared on some lines had to do with the check that has ended, by line.
fn figures(
    app: &App,
    line: impl Fn(Place) -> Option<usize>,
    lines: &Range<usize>,
) -> BTreeMap<usize, String> {
    let (Check::Done(outcome), Some(place)) = (&app.check, &app.place) else {
        return BTreeMap::new();
    };
    // There may be very many: only those that are to be seen are looked for by name.
    let groups = place.operations.groups.iter().enumerate();
    let told = groups.filter_map(|(i, group)| {
        let line = line(group.declared?).filter(|line| lines.contains(line))?;
        let has = |o: &&OperationCount| printable::line(&o.name) == group.name;
        // Mostly in the same order.
        let own = outcome.operations.get(i).filter(has);
        let own = own.or_else(|| outcome.operations.iter().find(has))?;
        let text = match own.taken {
            0 => "  ·never taken".to_owned(),
            n => format!("  ·taken {}, first {}", grouped(n), grouped(own.first)),
        };
        Some((line, text))
    });
    told.collect()
}

/// Where the conjuncts begin that contradict one another, in the texts of the machine.
fn contradicting(app: &App) -> impl Iterator<Item = Place> {
    let outcome = match &app.check {
        Check::Done(outcome) => outcome.finding.as_ref(),
        _ => None,
    };
    let conjuncts = outcome.and_then(|finding| finding.contradiction.as_ref());
    let spans = conjuncts.into_iter().flat_map(|all| &all.conjuncts).map(|(_, span)| *span);
    // What the system adds stands in no text.
    let spans = spans.filter(|span| *span != Span::default());
    app.machine.iter().flat_map(move |m| spans.clone().map(|span| place_of(&m.sources, span)))
}

/// What stands in place of a text.
fn nothing(app: &App) -> String {
    if app.loading {
        return format!("reading {} ...", app.name);
    }
    let key = app.keymap.keys(Action::Errors).join(" ");
    format!("no machine: see the errors ({key})")
}

fn draw(app: &App, number: usize, scroll: Scroll, area: Rect, buffer: &mut Buffer) {
    let file = &app.files.list[number];
    let margin = margin(file).min(usize::from(area.width));
    let place = app.place.as_ref();
    let here = |p: Place| app.files.shown(p).filter(|p| p.file == number).map(|p| p.line);
    let chosen = app.chosen_place().and_then(here);
    let lines = scroll.y..scroll.y + usize::from(area.height);
    let marks: BTreeMap<usize, Mark> = place
        .into_iter()
        .flat_map(|p| &p.marks)
        .filter_map(|(place, counts)| Some((here(*place)?, *counts)))
        .filter(|(line, _)| lines.contains(line))
        .collect();
    let errors = app.told().filter(|d| d.error).filter_map(|d| d.place);
    let errors = errors.filter(|p| p.file == number).map(|p| p.line);
    let wrong: BTreeSet<usize> = errors.chain(contradicting(app).filter_map(here)).collect();
    let broken: BTreeMap<usize, Truth> = place
        .into_iter()
        .flat_map(|p| &p.broken)
        .filter_map(|(place, truth)| Some((here(*place)?, *truth)))
        .collect();
    let asymmetric: BTreeSet<usize> = app
        .machine
        .iter()
        .flat_map(|machine| &machine.symmetry)
        .flat_map(|line| &line.because)
        .filter_map(|(place, _)| here(*place))
        .collect();
    let counts = figures(app, here, &lines);
    let shown = file.text.lines.iter().enumerate().skip(scroll.y);
    let (mut margins, mut texts) = (Vec::new(), Vec::new());
    for (line, pieces) in shown.take(usize::from(area.height)) {
        let enabled = marks.get(&line).copied();
        let mark = match enabled {
            _ if wrong.contains(&line) => "×".to_owned(),
            _ if broken.get(&line) == Some(&Truth::False) => "F".to_owned(),
            _ if broken.contains_key(&line) => "?".to_owned(),
            None if asymmetric.contains(&line) => "≠".to_owned(),
            None => String::new(),
            Some(mark) => margin_of(mark),
        };
        let mark_role = match enabled {
            _ if wrong.contains(&line) => Role::Bad,
            _ if broken.contains_key(&line) => Role::Fails,
            Some(Mark { failing: 1.., .. }) => Role::Bad,
            _ if chosen == Some(line) => Role::Changed,
            _ => Role::Mark,
        };
        let label = format!("{:>width$} ", line + 1, width = digits(file));
        margins.push(Line::from(vec![
            span(app, Role::LineNumber, label),
            span(app, mark_role, format!("{mark:<MARK$}")),
        ]));
        let figures = counts.get(&line).map(|text| span(app, Role::Dim, text.clone()));
        let spans = pieces.iter().map(|(class, text)| span(app, role(*class), text.as_str()));
        texts.push(Line::from_iter(spans.chain(figures)));
    }
    let left = Rect { width: margin as u16, ..area };
    let right = Rect { x: area.x + margin as u16, width: area.width - margin as u16, ..area };
    paint(margins, 0, left, buffer);
    if !right.is_empty() {
        paint(texts, scroll.x, right, buffer);
    }
}
