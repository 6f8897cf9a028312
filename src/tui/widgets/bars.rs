//! The first and the last line of the screen.

use crate::printable::{self, clipped};
use crate::tui::action::Action;
use crate::tui::app::{App, Check, Overlay};
use crate::tui::desk::Desk;
use crate::tui::keymap;
use crate::tui::panes::{Pane, check};
use crate::tui::prompt::Prompt;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

/// What is looked at: machine, file, set sizes as far as there is room; at the right the symmetry
/// mode, and what the check says where that is not on the screen.
pub fn header(app: &App, area: Rect, buffer: &mut Buffer) {
    let style = app.theme.style(Role::Header);
    buffer.set_style(area, style);
    let mut mode = format!(" symmetry {} ", app.symmetry().name());
    let stale = if app.stale { " STALE " } else { "" };
    let seen = app.layout().panes.iter().any(|(pane, _)| *pane == Pane::Check);
    let verdict = check::word(app).filter(|_| !seen);
    let (role, verdict) = match verdict {
        Some((role @ (Role::Bad | Role::Warning), word)) => (role, format!(" {word} ")),
        Some((_, word)) => (Role::Header, format!(" {word} ")),
        None => (Role::Header, String::new()),
    };
    let room = |mode: &str| {
        let right = verdict.len() + mode.len() + stale.len();
        usize::from(area.width).saturating_sub(right)
    };
    let file = file_name(&app.name);
    let name = app.machine.as_ref().map_or(file, |machine| &machine.name);
    // What is looked at comes before how, and before our own name.
    let mut text = format!(" burnside  {name}");
    if text.width() >= room(&mode) {
        text = format!(" {name}");
    }
    if text.width() >= room(&mode) {
        mode.clear();
    }
    let room = room(&mode);
    if app.machine.is_some() {
        text.push_str(&format!("  {file}"));
    }
    for (name, size) in app.machine.iter().flat_map(|m| &m.sets) {
        text.push_str(&format!("  {name}={size}"));
    }
    let text = clipped(&text, room.saturating_sub(1));
    buffer.set_stringn(area.x, area.y, &text, room, style);
    let x = area.x + room as u16;
    let (x, _) = buffer.set_stringn(x, area.y, &verdict, verdict.len(), app.theme.style(role));
    let (x, _) = buffer.set_stringn(x, area.y, stale, stale.len(), app.theme.style(Role::Warning));
    buffer.set_stringn(x, area.y, &mode, usize::from(area.right() - x), style);
}

/// The panes, each with its key, that of the focus marked; names as far as there is room for all.
pub fn tabs(app: &App, area: Rect, buffer: &mut Buffer) {
    for (pane, text, at) in tab_texts(app, area) {
        let role = if pane == app.focus { Role::TitleFocused } else { Role::Dim };
        buffer.set_stringn(at.x, at.y, text, usize::from(at.width), app.theme.style(role));
    }
}

/// The pane whose tab is in this column.
pub fn tab_at(app: &App, area: Rect, x: u16) -> Option<Pane> {
    let under = |at: &Rect| (at.left()..at.right()).contains(&x);
    tab_texts(app, area).into_iter().find(|(_, _, at)| under(at)).map(|(pane, ..)| pane)
}

/// The tabs, and where each of them is.
fn tab_texts(app: &App, area: Rect) -> Vec<(Pane, String, Rect)> {
    let key = |pane: Pane| app.keymap.key_of(Action::Focus(pane)).unwrap_or_default();
    let full = |pane: &Pane| format!(" {} {} ", key(*pane), pane.about().title);
    let all: usize = Pane::ALL.iter().map(|pane| full(pane).width() + 1).sum();
    let mut x = area.x;
    let place = |pane: &Pane| {
        let text = match () {
            () if *pane == app.focus => format!("[{} {}]", key(*pane), pane.about().title),
            () if all <= usize::from(area.width) => full(pane),
            () => format!(" {}", key(*pane)),
        };
        let left = area.right().saturating_sub(x);
        let at = Rect::new(x, area.y, left.min(text.width() as u16), 1);
        x = at.right();
        (*pane, text, at)
    };
    Pane::ALL.iter().map(place).collect()
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The last message, else the keys that make sense now.
pub fn hints(desk: &Desk, area: Rect, buffer: &mut Buffer) {
    let app = &desk.app;
    let width = usize::from(area.width);
    if let Some(prompt) = app.prompt {
        return typed(app, prompt, area, buffer);
    }
    if app.count.is_some() || !app.keys.is_empty() {
        return begun(app, area, buffer);
    }
    if let Some(message) = &app.message {
        let role = if message.error { Role::Bad } else { Role::Text };
        let text = format!(" {}", message.text.replace('\n', " "));
        let style = app.theme.style(role);
        if text.width() <= width {
            buffer.set_stringn(area.x, area.y, &text, width, style);
            return;
        }
        let key = app.keymap.keys(Action::Messages).join(" ");
        let rest = format!(" ({key} shows all of it)");
        let text = clipped(&text, width.saturating_sub(rest.width()));
        let (x, _) = buffer.set_stringn(area.x, area.y, &text, width, style);
        let left = usize::from(area.right().saturating_sub(x));
        buffer.set_stringn(x, area.y, &rest, left, app.theme.style(Role::Hint));
        return;
    }
    if app.slow {
        let keys = app.keymap.keys(Action::Close).join(" ");
        let cancels =
            if app.doing.cancels() { format!(" ({keys} cancels)") } else { String::new() };
        let text = format!(" {} ...{cancels}", app.doing.text());
        buffer.set_stringn(area.x, area.y, text, width, app.theme.style(Role::Running));
        return;
    }
    if let Some(line) = app.hunt.as_ref().and_then(|hunt| hunt.line()) {
        let keys = app.keymap.keys(Action::Close).join(" ");
        let text = format!(" {line} ({keys} ends it)");
        buffer.set_stringn(area.x, area.y, text, width, app.theme.style(Role::Running));
        return;
    }
    let mut x = area.x + 1;
    for action in useful(desk) {
        let keys = match app.overlay {
            None => app.keymap.keys_in(action, app.focus),
            Some(_) => app.keymap.keys(action),
        };
        let Some((key, described)) = keys.first().zip(action.described()) else { continue };
        let short = match action {
            Action::Errors if !app.told().any(|told| told.error) => "warnings",
            Action::Pause if matches!(app.check, Check::Running { paused: true, .. }) => "go on",
            Action::Take if app.overlay.is_some() => "go there",
            Action::Left if app.overlay.is_some() => "less",
            Action::Right if app.overlay.is_some() => "more",
            _ => described.short,
        };
        let length = key.chars().count() + short.len() + 3;
        if usize::from(x - area.x) + length > width {
            break;
        }
        (x, _) = buffer.set_stringn(x, area.y, key, width, app.theme.style(Role::Key));
        let text = format!(" {short}  ");
        (x, _) = buffer.set_stringn(x, area.y, &text, width, app.theme.style(Role::Hint));
    }
}

/// Keys that wait for others: the number, the keys, and what may follow.
fn begun(app: &App, area: Rect, buffer: &mut Buffer) {
    let mut x = area.x;
    let mut put = |text: String, role| {
        let left = usize::from(area.right().saturating_sub(x));
        (x, _) = buffer.set_stringn(x, area.y, text, left, app.theme.style(role));
    };
    let count = app.count.map(|n| format!("{n} ")).unwrap_or_default();
    put(format!(" {count}{} … ", keymap::shown(&app.keys)), Role::Key);
    if app.keys.is_empty() {
        put("so many times, or the line or the transition of this number".to_owned(), Role::Hint);
        return;
    }
    for (key, action) in app.keymap.following(&app.keys, Some(app.focus)) {
        put(format!("  {key}"), Role::Key);
        put(format!(" {}", action.written()), Role::Hint);
    }
}

/// The line that is typed, with the cursor in sight, and what the last completion left open.
fn typed(app: &App, prompt: Prompt, area: Rect, buffer: &mut Buffer) {
    let (before, behind) = app.inputs[prompt as usize].parts();
    let (before, behind) = (printable::line(&before), printable::line(&behind));
    let room = usize::from(area.width).saturating_sub(prompt.sign().width() + 2);
    let mut start = before.char_indices().map(|(at, _)| at).chain([before.len()]);
    let from = start.find(|at| before[*at..].width() <= room).unwrap_or(before.len());
    let style = app.theme.style(Role::Text);
    let mut x = area.x;
    let mut put = |text: &str, style| {
        let left = usize::from(area.right().saturating_sub(x));
        (x, _) = buffer.set_stringn(x, area.y, text, left, style);
    };
    put(prompt.sign(), app.theme.style(Role::Key));
    let selected = app.inputs[prompt as usize].is_selected();
    put(&before[from..], if selected { app.theme.style(Role::Selected) } else { style });
    let mut rest = behind.chars();
    let under = rest.next().unwrap_or(' ').to_string();
    put(&under, style.add_modifier(Modifier::REVERSED));
    put(rest.as_str(), style);
    put(&format!("   {}", app.candidates.join(" ")), app.theme.style(Role::Dim));
}

fn useful(desk: &Desk) -> Vec<Action> {
    let app = &desk.app;
    if app.overlay.is_some() {
        let mut actions = vec![Action::Close, Action::Down, Action::Up];
        if app.overlay == Some(Overlay::Settings) {
            actions.extend([Action::Left, Action::Right]);
        }
        if app.overlay == Some(Overlay::Errors) {
            actions.push(Action::Take);
        }
        return actions;
    }
    let mut actions = vec![Action::Quit, Action::Help];
    if app.told().next().is_some() {
        actions.push(Action::Errors);
    }
    // What comes and goes with the selected line stands behind what stays, so that this is not written anew each time.
    let passing = |action: &Action| matches!(action, Action::Unfold | Action::Redo);
    let (passing, staying): (Vec<Action>, Vec<Action>) =
        desk.useful().into_iter().partition(passing);
    actions.extend(staying);
    actions.extend([Action::Filter, Action::Ask, Action::NextPane]);
    actions.extend(passing);
    actions.extend([Action::Symmetry, Action::Check, Action::Zoom]);
    let mut seen: Vec<Action> = Vec::new();
    actions.retain(|action| {
        let new = !seen.contains(action);
        seen.push(*action);
        new
    });
    actions
}
