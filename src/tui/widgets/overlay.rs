//! What lies over the panes: the help, the errors of the machine, the symmetry of its sets, messages.

use crate::tui::action::{ALL, Action};
use crate::tui::app::{App, Overlay};
use crate::tui::layout::Pane;
use crate::tui::theme::Role;
use crate::tui::widgets::wrap::wrapped;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Paragraph, Widget};

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

/// Errors leave the upper part of the screen to the machine, and the check pane what it says.
fn area(app: &App, overlay: Overlay) -> Rect {
    let (width, height) = (app.width, app.height.saturating_sub(2));
    let wanted = u16::try_from(lines(app, overlay).len()).unwrap_or(u16::MAX).saturating_add(2);
    match overlay {
        Overlay::Errors if !app.files.list.is_empty() => {
            let free = without_check(app, Rect::new(0, 1, width, height));
            let own = wanted.min(free.height * 2 / 3);
            Rect::new(free.x, free.bottom() - own, free.width, own)
        }
        Overlay::Errors => Rect::new(0, 1, width, height),
        Overlay::Help | Overlay::Symmetry | Overlay::Messages => {
            let own = wanted.min(height);
            let side = width.min(if overlay == Overlay::Help { 76 } else { 100 });
            Rect::new((width - side) / 2, 1 + (height - own) / 2, side, own)
        }
    }
}

/// The part of the screen above the check pane, or where that is in a corner, to the left of it.
fn without_check(app: &App, body: Rect) -> Rect {
    let layout = app.layout();
    if layout.panes.len() < Pane::ALL.len() {
        return body;
    }
    match layout.panes.iter().find(|(pane, _)| *pane == Pane::Check) {
        Some((_, check)) if check.x > body.x => Rect { width: check.x - 1 - body.x, ..body },
        Some((_, check)) => Rect { height: check.y - body.y, ..body },
        None => body,
    }
}

fn lines(app: &App, overlay: Overlay) -> Vec<Line<'_>> {
    match overlay {
        Overlay::Help => help(app),
        Overlay::Errors => errors(app),
        Overlay::Symmetry => symmetry(app),
        Overlay::Messages => messages(app),
    }
}

/// Columns for text in an overlay that is as wide as the screen allows.
fn room(app: &App) -> usize {
    usize::from(app.width).clamp(20, 100) - 1
}

fn symmetry(app: &App) -> Vec<Line<'_>> {
    let Some(machine) = &app.machine else { return vec![Line::from(" there is no machine")] };
    let mut lines = Vec::new();
    for text in &machine.symmetry {
        let inner = text.starts_with(' ');
        let role = if inner { Role::Text } else { Role::Name };
        for part in wrapped(&format!(" {text}"), room(app)) {
            lines.push(Line::from(Span::styled(part, app.theme.style(role))));
        }
    }
    lines
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
    let mut lines = Vec::new();
    for described in ALL {
        let keys = app.keymap.keys(described.action).join(" ");
        lines.push(Line::from(vec![
            Span::styled(format!(" {keys:<18}"), app.theme.style(Role::Key)),
            Span::styled(described.text, app.theme.style(Role::Text)),
        ]));
    }
    lines.push(Line::default());
    for text in [
        " Source    ▶n in the margin: n instances of the operation are enabled",
        " State     * changed by the last step; T true, F false, ? undefined",
        "           × in the margin: an error of the last reading",
        " Matrix    rows and columns in canonical order, cells between │ and brackets",
        " Operations with ! end in a state error; ! in the margin of the source, too",
    ] {
        lines.push(Line::from(Span::styled(text, app.theme.style(Role::Dim))));
    }
    lines
}

fn errors(app: &App) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let width = without_check(app, Rect::new(0, 1, app.width, app.height)).width;
    let width = usize::from(width).max(20);
    for told in &app.diagnostics {
        let text = told.diagnostic.paint(&app.read, width).plain();
        for (i, text) in text.lines().enumerate() {
            let role = match (i, told.error) {
                (0, true) => Role::Bad,
                (0, false) => Role::Warning,
                _ => Role::Text,
            };
            let style = app.theme.style(role);
            // An excerpt and its carets must stay below each other; messages are broken.
            if i == 0 || text.starts_with("  = ") {
                let parts = wrapped(text, width);
                lines.extend(parts.into_iter().map(|part| Line::from(Span::styled(part, style))));
            } else {
                lines.push(Line::from(Span::styled(text.to_owned(), style)));
            }
        }
    }
    if lines.is_empty() {
        lines.push(Line::from("no errors and no warnings"));
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
        Overlay::Messages => "Messages, the newest first".to_owned(),
        Overlay::Errors => {
            let errors = app.diagnostics.iter().filter(|d| d.error).count();
            let warnings = app.diagnostics.len() - errors;
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
            if app.diagnostics.iter().filter(|d| d.place.is_some()).count() > 1 {
                let key = app.keymap.keys(Action::Take).join(" ");
                text.push_str(&format!("; {key} shows the next"));
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
    let y = app.overlay_scroll.y;
    let title = format!(" ▸ {} ", title(app, overlay));
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
