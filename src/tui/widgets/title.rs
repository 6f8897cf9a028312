//! The title line of a pane: `━━ Name ━━━ note ━ 12% ━`. The focused one is heavy and marked.

use crate::printable::clipped;
use crate::tui::app::App;
use crate::tui::layout::{Pane, below_title};
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws the title `name`; `height` is the number of lines that the pane could show.
pub fn draw(
    app: &App,
    pane: Pane,
    name: &str,
    note: Option<(Role, String)>,
    height: usize,
    area: Rect,
    buffer: &mut Buffer,
) {
    let focused = app.focus == pane;
    let (line, role, title) = if focused {
        ("━", Role::LineFocused, Role::TitleFocused)
    } else {
        ("─", Role::Line, Role::Title)
    };
    let style = app.theme.style(role);
    let rule = line.repeat(usize::from(area.width));
    buffer.set_stringn(area.x, area.y, &rule, usize::from(area.width), style);
    let mark = if focused { "▸ " } else { "" };
    let text = format!(" {mark}{name} ");
    let room = usize::from(area.width.saturating_sub(2));
    let (mut end, _) = buffer.set_stringn(area.x + 1, area.y, &text, room, app.theme.style(title));
    let mut right = area.right();
    if let Some(position) = position(app, pane, height, area) {
        let text = format!(" {position} ");
        let width = text.len() as u16;
        if end + width < right {
            right -= width + 1;
            buffer.set_string(right, area.y, &text, app.theme.style(Role::Dim));
        }
    }
    if let Some((role, note)) = note {
        end += 1;
        let room = usize::from(right.saturating_sub(end + 1));
        if room > 4 {
            let text = format!(" {} ", clipped(&note, room - 2));
            buffer.set_stringn(end, area.y, &text, room, app.theme.style(role));
        }
    }
}

/// How far a pane is scrolled, where not all of it is to be seen.
fn position(app: &App, pane: Pane, height: usize, area: Rect) -> Option<String> {
    let rows = usize::from(below_title(area).height);
    if height <= rows {
        return None;
    }
    let y = app.scroll[pane.index()].y;
    Some(match y {
        0 => "top".to_owned(),
        y if y + rows >= height => "end".to_owned(),
        y => format!("{}%", y * 100 / (height - rows)),
    })
}
