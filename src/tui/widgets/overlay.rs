//! What lies over the panes: the help, the errors of the machine, the symmetry of its sets, messages.

use crate::printable::{self, clipped};
use crate::session::pair::{Likeness, Told};
use crate::tui::action::{ALL, Action};
use crate::tui::app::{App, Overlay};
use crate::tui::choices::{self, Row};
use crate::tui::engine::{SymmetryLine, Told as Diagnosed};
use crate::tui::panes::Pane;
use crate::tui::theme::Role;
use crate::tui::widgets::statistics;
use crate::tui::widgets::wrap::{hanging, wrapped};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Paragraph, Widget};
use unicode_width::UnicodeWidthStr;

/// Number of lines that are to be seen, and that there are.
pub fn extent(app: &App) -> (usize, usize) {
    let Some(overlay) = app.overlay else { return (0, 0) };
    let area = area(app, overlay);
    (usize::from(area.height.saturating_sub(2)), lines(app, overlay).len())
}

/// Where the overlay is, if there is one.
pub fn area_now(app: &App) -> Option<Rect> {
    app.overlay.map(|overlay| area(app, overlay))
}

/// Errors leave the source to be seen, which they speak of, and the check what it says.
fn area(app: &App, overlay: Overlay) -> Rect {
    let (width, height) = (app.width, app.height.saturating_sub(2));
    let body = Rect::new(0, 1, width, height);
    if overlay == Overlay::Errors {
        return if app.files.list.is_empty() { body } else { beside_source(app, body) };
    }
    let wanted = u16::try_from(lines(app, overlay).len()).unwrap_or(u16::MAX).saturating_add(2);
    let own = wanted.min(height);
    let side = width.min(WIDEST as u16);
    Rect::new((width - side) / 2, 1 + (height - own) / 2, side, own)
}

/// Least columns and lines of a list of errors that is of use.
const LEAST: (u16, u16) = (60, 6);

/// The part of the screen to the right of the source pane or below it, down to the check pane; the
/// lower half where the source has the screen for itself, or is not to be seen.
fn beside_source(app: &App, body: Rect) -> Rect {
    let layout = app.layout();
    let of = |pane| layout.panes.iter().find(|(p, _)| *p == pane).map(|(_, rect)| *rect);
    let end = of(Pane::Check).filter(|_| layout.panes.len() > 1).map_or(body.bottom(), |c| c.y);
    if let Some(source) = of(Pane::Source).filter(|_| layout.panes.len() > 1) {
        let right = body.right().saturating_sub(source.right() + 1);
        if right >= LEAST.0 && end >= body.y + LEAST.1 {
            return Rect::new(source.right() + 1, body.y, right, end - body.y);
        }
        if end >= source.bottom() + LEAST.1 {
            return Rect::new(body.x, source.bottom(), body.width, end - source.bottom());
        }
    }
    let half = (body.height / 2).max(LEAST.1).min(body.height);
    Rect::new(body.x, body.bottom() - half, body.width, half)
}

fn lines(app: &App, overlay: Overlay) -> Vec<Line<'_>> {
    match overlay {
        Overlay::Help => help(app),
        Overlay::Errors => errors(app),
        Overlay::Symmetry => symmetry(app),
        Overlay::Messages => messages(app),
        Overlay::Statistics => statistics::lines(app, room(app)),
        Overlay::Palette => palette(app).concat(),
        Overlay::Settings => settings(app).concat(),
        Overlay::Pair => pair(app),
    }
}

/// Most columns of an overlay.
const WIDEST: usize = 100;

/// Columns for text in an overlay that is as wide as the screen allows.
fn room(app: &App) -> usize {
    usize::from(app.width).clamp(20, WIDEST) - 1
}

fn symmetry(app: &App) -> Vec<Line<'_>> {
    let Some(machine) = &app.machine else { return vec![Line::from(" there is no machine")] };
    let mut lines = Vec::new();
    for SymmetryLine { text, because } in &machine.symmetry {
        let inner = text.starts_with(' ');
        let role = if inner { Role::Text } else { Role::Name };
        let own = wrapped(&format!(" {text}"), room(app)).into_iter().map(|part| (role, part));
        let places = because.iter().map(|(_, text)| format!("     {text}"));
        let places = places.map(|text| (Role::Changed, clipped(&text, room(app))));
        let lines_of = own.chain(places);
        let styled = |(role, text)| Line::from(Span::styled(text, app.theme.style(role)));
        lines.extend(lines_of.map(styled));
    }
    if machine.symmetry.iter().any(|line| !line.because.is_empty()) {
        let key = app.keymap.keys(Action::Take).join(" ");
        let text = format!(" ({key} goes to what breaks it; `≠` marks it in the source)");
        lines.push(Line::styled(text, app.theme.style(Role::Dim)));
    }
    lines
}

/// The actions that fit what is typed, with their keys.
fn palette(app: &App) -> Vec<Vec<Line<'_>>> {
    let offered = app.offered_actions();
    let lines = offered.iter().enumerate().map(|(i, described)| {
        let keys = app.keymap.keys(described.action).join(" ");
        choice(app, i, &format!("{:<18} {keys:<10} ", described.name), described.text)
    });
    lines.collect()
}

/// One of several to choose from: what it is called, and a text beside that, in as many lines as it takes.
fn choice(app: &App, number: usize, head: &str, text: &str) -> Vec<Line<'static>> {
    let (mark, role) = match number == app.choice {
        true => ('>', Role::Selected),
        false => (' ', Role::Text),
    };
    let parts = hanging(&format!("{mark}{head}"), text, usize::from(app.width).min(WIDEST));
    parts.into_iter().map(|part| Line::styled(part, app.theme.style(role))).collect()
}

/// The lines of the list that is chosen from, one by one; `None`: there is nothing to choose.
fn choices_of(app: &App, overlay: Overlay) -> Option<Vec<Vec<Line<'_>>>> {
    match overlay {
        Overlay::Palette => Some(palette(app)),
        Overlay::Settings => Some(settings(app)),
        _ => None,
    }
}

/// Two states side by side: whether names alone tell them apart, then their values.
fn pair(app: &App) -> Vec<Line<'_>> {
    let Some((pair, steps)) = &app.pair else { return Vec::new() };
    let style = |role| app.theme.style(role);
    let room = room(app);
    let told = |role, text: &str| -> Vec<Line<'static>> {
        let parts = wrapped(&format!(" {text}"), room).into_iter();
        parts.map(|part| Line::styled(part, style(role))).collect()
    };
    let mut lines = match &pair.likeness {
        Likeness::Equal => told(Role::Good, "the same state"),
        Likeness::Unknown => told(Role::Dim, "there was no time to compare them"),
        Likeness::Orbit(cycles) => {
            let written = cycles.iter().map(|cycle| match cycle.as_slice() {
                [a, b] => format!("{a} <-> {b}"),
                all => format!("{} -> {}", all.join(" -> "), all[0]),
            });
            let by: Vec<String> = written.collect();
            told(Role::Good, &format!("same orbit, by {}", by.join(", ")))
        }
        Likeness::Apart(apart) => {
            let names: Vec<&str> = apart.iter().map(|told| told.name.as_str()).collect();
            let what = match names.as_slice() {
                [_] => "tells them apart: for no names are these the same",
                _ => "together tell them apart: for no names are these the same",
            };
            let mut lines = told(Role::Name, &format!("other orbits; {} {what}", names.join(", ")));
            for Told { name, left, right } in apart {
                lines.extend(told(Role::Text, &format!("  {name} like {left}")));
                lines.extend(told(
                    Role::Text,
                    &format!("  {:name$} and  {right}", "", name = name.width()),
                ));
            }
            lines
        }
    };
    lines.push(Line::default());
    let name = pair.values.iter().map(|told| told.name.width()).max().unwrap_or(0).clamp(4, 16);
    let half = room.saturating_sub(name + 5) / 2;
    let cut = |text: &str| -> String {
        let long = text.width() > half;
        let kept: String = text.chars().take(if long { half - 1 } else { half }).collect();
        if long { format!("{kept}…") } else { format!("{kept:<half$}") }
    };
    let heads = steps.map(|step| cut(&format!("step {step}")));
    let head = format!(" {:<name$}   {}  {}", "", heads[0], heads[1]);
    lines.push(Line::styled(head, style(Role::Dim)));
    for Told { name: own, left, right } in &pair.values {
        let (sign, role) = if left == right { ('=', Role::Dim) } else { ('#', Role::Text) };
        let text = format!(" {own:<name$} {sign} {}  {}", cut(left), cut(right));
        lines.push(Line::styled(text, style(role)));
    }
    lines
}

/// What can be set, and what each value means.
fn settings(app: &App) -> Vec<Vec<Line<'_>>> {
    let rows = choices::rows(app);
    if rows.is_empty() {
        return vec![vec![Line::from(" there is no machine")]];
    }
    let name = rows.iter().map(|row| row.name.width()).max().unwrap_or(0).clamp(8, 24);
    let lines = rows.into_iter().enumerate().map(|(i, Row { name: own, value, meaning, .. })| {
        let value = printable::clipped(&printable::line(&value), 24);
        choice(app, i, &format!("{own:<name$}  {value:<13} "), &meaning)
    });
    lines.collect()
}

/// The newest message comes first.
fn messages(app: &App) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for message in app.messages.iter().rev() {
        let role = if message.error { Role::Bad } else { Role::Text };
        for part in message.text.lines().flat_map(|l| wrapped(&format!(" {l}"), room(app))) {
            lines.push(Line::from(Span::styled(part, app.theme.style(role))));
        }
    }
    if lines.is_empty() {
        lines.push(Line::from(" no messages yet"));
    }
    lines
}

fn help(app: &App) -> Vec<Line<'_>> {
    let mut lines = vec![Line::styled(
        format!(" {}", app.focus.about().title.to_uppercase()),
        app.theme.style(Role::Name),
    )];
    for text in app.focus.about().help {
        for part in wrapped(text, room(app).min(73) - 1) {
            lines.push(Line::styled(format!(" {part}"), app.theme.style(Role::Text)));
        }
    }
    lines.push(Line::default());
    lines.push(Line::styled(" KEYS", app.theme.style(Role::Name)));
    for described in ALL {
        let keys = app.keymap.keys(described.action).join(" ");
        let keys_of = |keys: &str| Span::styled(format!(" {keys:<18}"), app.theme.style(Role::Key));
        let beside = keys.len() < 18;
        if !beside {
            lines.push(Line::from(keys_of(&keys)));
        }
        let columns = usize::from(app.width).min(WIDEST).saturating_sub(19);
        for (i, part) in wrapped(described.text, columns).into_iter().enumerate() {
            let keys = if beside && i == 0 { &*keys } else { "" };
            let text = Span::styled(part, app.theme.style(Role::Text));
            lines.push(Line::from(vec![keys_of(keys), text]));
        }
    }
    lines
}

/// The first line of each error in the list, and the one after its last.
pub fn error_lines(app: &App) -> Vec<(usize, usize)> {
    let mut end = 0;
    let blocks = error_blocks(app).into_iter().map(|block| block.len());
    let mut range = |n: usize| {
        let start = end;
        end += n;
        (start, end)
    };
    blocks.map(&mut range).collect()
}

/// Each error and warning as it is drawn; the selected one is marked.
fn error_blocks(app: &App) -> Vec<Vec<Line<'_>>> {
    let width = usize::from(area(app, Overlay::Errors).width.saturating_sub(2)).max(20);
    let of_check = app.machine.as_ref().map_or(&app.read, |machine| &machine.sources);
    let sources = app.diagnostics.iter().map(|_| &app.read);
    let sources = sources.chain(app.warnings.iter().map(|_| of_check));
    let sources = sources.chain(app.settings.iter().map(|_| &app.settings_read));
    let blocks = app.told().zip(sources).enumerate().map(|(number, (told, sources))| {
        error_block(
            app,
            told,
            number == app.error,
            told.diagnostic.paint(sources, width).plain(),
            width,
        )
    });
    blocks.collect()
}

fn error_block<'a>(
    app: &App,
    told: &Diagnosed,
    selected: bool,
    text: String,
    width: usize,
) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    for (i, text) in text.lines().enumerate() {
        let role = match (i, told.error) {
            (0, _) if selected => Role::Selected,
            (0, true) => Role::Bad,
            (0, false) => Role::Warning,
            _ => Role::Text,
        };
        let style = app.theme.style(role);
        // An excerpt and its carets must stay below each other; messages are broken.
        let parts = match i == 0 || text.starts_with("  = ") {
            true => wrapped(text, width),
            false => vec![text.to_owned()],
        };
        for part in parts {
            let mark = if selected && lines.is_empty() { "> " } else { "  " };
            lines.push(Line::from(Span::styled(format!("{mark}{part}"), style)));
        }
    }
    lines
}

fn errors(app: &App) -> Vec<Line<'_>> {
    let lines: Vec<Line<'_>> = error_blocks(app).into_iter().flatten().collect();
    if lines.is_empty() {
        return vec![Line::from("no errors and no warnings")];
    }
    lines
}

fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn title(app: &App, overlay: Overlay) -> String {
    match overlay {
        Overlay::Help => "Help".to_owned(),
        Overlay::Symmetry => "Symmetry of the sets".to_owned(),
        Overlay::Palette => "Actions: type a part of a name, Enter does it".to_owned(),
        Overlay::Messages => "Messages, the newest first".to_owned(),
        Overlay::Pair => "Two states of the history".to_owned(),
        Overlay::Settings => {
            let keys = |action| app.keymap.keys(action).join(" ");
            let (less, more) = (keys(Action::Left), keys(Action::Right));
            format!("Settings: {less} and {more} change a value, {} types one", keys(Action::Take))
        }
        Overlay::Statistics => "Statistics of the check".to_owned(),
        Overlay::Errors => {
            let errors = app.told().filter(|d| d.error).count();
            let warnings = app.told().count() - errors;
            let mut parts = Vec::new();
            if errors > 0 {
                parts.push(plural(errors, "error"));
            }
            if warnings > 0 || errors == 0 {
                parts.push(plural(warnings, "warning"));
            }
            let mut text = parts.join(", ");
            if app.stale {
                text.push_str("; the machine is the last good version");
            }
            if app.told().any(|d| d.place.is_some()) {
                let key = app.keymap.keys(Action::Take).join(" ");
                text.push_str(&format!("; {key} goes there"));
            }
            text
        }
    }
}

/// Draws what lies on top, if anything does.
pub fn draw(app: &App, buffer: &mut Buffer) {
    let Some(overlay) = app.overlay else { return };
    let area = area(app, overlay);
    if area.height < 3 || area.width < 10 {
        return;
    }
    Clear.render(area, buffer);
    let style = app.theme.style(Role::LineFocused);
    let width = usize::from(area.width);
    let rule = "━".repeat(width);
    buffer.set_stringn(area.x, area.y, &rule, width, style);
    buffer.set_stringn(area.x, area.bottom() - 1, &rule, width, style);
    let lines = lines(app, overlay);
    let rows = usize::from(area.height - 2);
    let y = match choices_of(app, overlay) {
        // What is selected is in sight, to its last line.
        Some(all) => {
            all.iter().take(app.choice + 1).map(Vec::len).sum::<usize>().saturating_sub(rows)
        }
        None => app.overlay_scroll.y,
    };
    let title = clipped(&format!(" ▸ {} ", title(app, overlay)), width - 2);
    buffer.set_stringn(area.x + 1, area.y, &title, width - 2, app.theme.style(Role::TitleFocused));
    if lines.len() > rows {
        let last = (y + rows).min(lines.len());
        let more = format!(" {}-{last} of {} ", y + 1, lines.len());
        let x = area.right().saturating_sub(more.len() as u16 + 1);
        buffer.set_string(x, area.bottom() - 1, &more, app.theme.style(Role::Dim));
    }
    let inner = Rect::new(area.x, area.y + 1, area.width, area.height - 2);
    let shown: Vec<Line<'_>> = lines.into_iter().skip(y).take(rows).collect();
    Paragraph::new(Text::from(shown)).render(inner, buffer);
}
