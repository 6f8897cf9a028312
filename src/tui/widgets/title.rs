//! The title line of a pane: `━━ Name ━━━ note ━ 12% ━`. The focused one is heavy and marked.

use crate::printable::clipped;
use crate::tui::app::App;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

/// What stands in a title.
pub struct Title {
    pub name: String,
    /// The other panes of the slot.
    pub behind: Vec<&'static str>,
    pub note: Option<(Role, String)>,
    /// How far the pane is scrolled.
    pub position: Option<String>,
    pub focused: bool,
}

pub fn draw(app: &App, title: Title, area: Rect, buffer: &mut Buffer) {
    let Title { name, behind, note, position, focused } = title;
    let (line, line_role, role) = if focused {
        ("━", Role::LineFocused, Role::TitleFocused)
    } else {
        ("─", Role::Line, Role::Title)
    };
    let style = app.theme.style(line_role);
    let rule = line.repeat(usize::from(area.width));
    buffer.set_stringn(area.x, area.y, &rule, usize::from(area.width), style);
    let mark = if focused { "▸ " } else { "" };
    let text = format!(" {mark}{name} ");
    let room = usize::from(area.width.saturating_sub(2));
    let (mut end, _) = buffer.set_stringn(area.x + 1, area.y, &text, room, app.theme.style(role));
    let tabs: usize = behind.iter().map(|other| other.width() + 3).sum();
    let of_note = note.as_ref().map_or(0, |(_, note)| note.width() + 3);
    let of_position = position.as_ref().map_or(0, |p| p.width() + 3);
    // The other panes are told of where there is room.
    let room = usize::from(area.right().saturating_sub(end));
    for other in behind.into_iter().filter(|_| tabs + of_note + of_position < room) {
        let room = usize::from(area.right().saturating_sub(end + 1));
        let text = format!("| {other} ");
        (end, _) = buffer.set_stringn(end, area.y, text, room, app.theme.style(Role::Dim));
    }
    let mut right = area.right();
    if let Some(position) = position {
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
