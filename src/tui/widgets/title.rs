//! The title line of a pane: `━━ Name ━━━ note ━ 12% ━`. The focused one is heavy and marked.

use crate::printable::clipped;
use crate::tui::app::App;
use crate::tui::panes::Pane;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

/// What stands in a title.
pub struct Title {
    pub name: String,
    /// The other panes of the slot.
    pub behind: Vec<Pane>,
    pub note: Option<(Role, String)>,
    /// How far the pane is scrolled.
    pub position: Option<String>,
    pub focused: bool,
}

impl Title {
    /// The name, as it stands there.
    fn head(&self) -> String {
        format!(" {}{} ", if self.focused { "▸ " } else { "" }, self.name)
    }

    /// The other panes, with their columns: they are told of where there is room for all.
    fn tabs(&self, area: Rect) -> Vec<(Pane, Rect)> {
        let Title { behind, note, position, .. } = self;
        let name = |pane: &Pane| pane.about().title.width() as u16 + 3;
        let tabs: u16 = behind.iter().map(name).sum();
        let of_note = note.as_ref().map_or(0, |(_, note)| note.width() + 3);
        let of_position = position.as_ref().map_or(0, |p| p.width() + 3);
        let end = u16::try_from(self.head().width()).unwrap_or(u16::MAX);
        let mut x = (area.x + 1).saturating_add(end.min(area.width.saturating_sub(2)));
        let room = usize::from(area.right().saturating_sub(x));
        if usize::from(tabs) + of_note + of_position >= room {
            return Vec::new();
        }
        let place = |pane: &Pane| {
            let at = Rect::new(x, area.y, name(pane), 1);
            x = at.right();
            (*pane, at)
        };
        behind.iter().map(place).collect()
    }

    /// The pane behind whose name is in this column.
    pub fn tab_at(&self, area: Rect, x: u16) -> Option<Pane> {
        let under = |at: &Rect| (at.left()..at.right()).contains(&x);
        self.tabs(area).into_iter().find(|(_, at)| under(at)).map(|(pane, _)| pane)
    }
}

pub fn draw(app: &App, title: Title, area: Rect, buffer: &mut Buffer) {
    let (text, tabs) = (title.head(), title.tabs(area));
    let Title { note, position, focused, .. } = title;
    let (line, line_role, role) = if focused {
        ("━", Role::LineFocused, Role::TitleFocused)
    } else {
        ("─", Role::Line, Role::Title)
    };
    let style = app.theme.style(line_role);
    let rule = line.repeat(usize::from(area.width));
    buffer.set_stringn(area.x, area.y, &rule, usize::from(area.width), style);
    let room = usize::from(area.width.saturating_sub(2));
    let (mut end, _) = buffer.set_stringn(area.x + 1, area.y, &text, room, app.theme.style(role));
    for (other, at) in tabs {
        let text = format!("| {} ", other.about().title);
        let room = usize::from(at.width);
        (end, _) = buffer.set_stringn(at.x, area.y, text, room, app.theme.style(Role::Dim));
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
