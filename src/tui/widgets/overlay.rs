//! What lies over the panes: the help, and the errors of the machine.

use crate::tui::action::ALL;
use crate::tui::app::{App, Overlay};
use crate::tui::theme::Role;
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

/// Errors leave the upper part of the screen to the machine, if there is one.
fn area(app: &App, overlay: Overlay) -> Rect {
    let (width, height) = (app.width, app.height.saturating_sub(2));
    let wanted = lines(app, overlay).len() as u16 + 2;
    match overlay {
        Overlay::Errors if app.machine.is_some() => {
            let most = height * 2 / 3;
            let own = wanted.min(most);
            Rect::new(0, 1 + height - own, width, own)
        }
        Overlay::Errors => Rect::new(0, 1, width, height),
        Overlay::Help => {
            let own = wanted.min(height);
            let side = width.min(76);
            Rect::new((width - side) / 2, 1 + (height - own) / 2, side, own)
        }
    }
}

fn lines(app: &App, overlay: Overlay) -> Vec<Line<'_>> {
    match overlay {
        Overlay::Help => help(app),
        Overlay::Errors => errors(app),
    }
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
        " Matrix    rows and columns in canonical order, cells between │ and brackets",
        " Operations with ! end in a state error; ! in the margin of the source, too",
    ] {
        lines.push(Line::from(Span::styled(text, app.theme.style(Role::Dim))));
    }
    lines
}

fn errors(app: &App) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for diagnostic in &app.diagnostics {
        for (i, text) in diagnostic.text.lines().enumerate() {
            let role = match (i, diagnostic.error) {
                (0, true) => Role::Bad,
                (0, false) => Role::Warning,
                _ => Role::Text,
            };
            let style = app.theme.style(role);
            // An excerpt and its carets must stay below each other; messages are broken.
            if i == 0 || text.starts_with("  = ") {
                let parts = wrapped(text, usize::from(app.width).max(20));
                lines.extend(parts.into_iter().map(|part| Line::from(Span::styled(part, style))));
            } else {
                lines.push(Line::from(Span::styled(text, style)));
            }
        }
    }
    if lines.is_empty() {
        lines.push(Line::from("no errors and no warnings"));
    }
    lines
}

/// Breaks a line between words; later parts are indented.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let own = word.trim_end().width();
        if used > 4 && used + own > width {
            parts.push("    ".to_owned());
            used = 4;
        }
        if let Some(part) = parts.last_mut() {
            part.push_str(word);
        }
        used += word.width();
    }
    parts
}

fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
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
    let title = match overlay {
        Overlay::Help => " ▸ Help ".to_owned(),
        Overlay::Errors => {
            let errors = app.diagnostics.iter().filter(|d| d.error).count();
            let warnings = app.diagnostics.len() - errors;
            let stale = if app.stale { "; what is shown is the last good version" } else { "" };
            let mut counts = Vec::new();
            if errors > 0 {
                counts.push(plural(errors, "error"));
            }
            if warnings > 0 || errors == 0 {
                counts.push(plural(warnings, "warning"));
            }
            format!(" ▸ {}{stale} ", counts.join(", "))
        }
    };
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
