//! The whole screen from the application's state. Changes nothing but how far panes are scrolled, where
//! there is less than there was.

use super::app::App;
use super::desk::Desk;
use super::layout::{MIN_HEIGHT, MIN_WIDTH};
use super::theme::Role;
use super::widgets::{bars, overlay};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

/// Draws everything. The application must know the size of the buffer.
pub fn draw(desk: &mut Desk, buffer: &mut Buffer) {
    paint(desk, buffer);
    if desk.app.ascii {
        buffer.content.iter_mut().for_each(ascii);
    }
}

/// Terminals without UTF-8 get the characters that they have.
fn ascii(cell: &mut Cell) {
    if cell.symbol().is_ascii() {
        return;
    }
    let plain = match cell.symbol() {
        "─" | "━" | "╶" => "-",
        "│" => "|",
        "┌" | "└" => "+",
        "▶" | "▸" => ">",
        "×" => "x",
        "≠" => "#",
        "…" | "·" => ".",
        "↑" => "^",
        "↓" => "v",
        "←" => "<",
        "→" => ">",
        _ => "?",
    };
    cell.set_symbol(plain);
}

fn paint(desk: &mut Desk, buffer: &mut Buffer) {
    let app = &desk.app;
    let area = buffer.area;
    buffer.set_style(area, app.theme.style(Role::Text));
    if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
        return too_small(app, area, buffer);
    }
    let layout = app.layout();
    bars::header(app, layout.header, buffer);
    if let Some(tabs) = layout.tabs {
        bars::tabs(app, tabs, buffer);
    }
    for line in &layout.lines {
        for row in line.rows() {
            buffer.set_string(row.x, row.y, "│", app.theme.style(Role::Line));
        }
    }
    for (pane, rect) in &layout.panes {
        desk.draw_pane(*pane, *rect, buffer);
    }
    overlay::draw(&desk.app, buffer);
    bars::hints(desk, layout.hints, buffer);
}

fn too_small(app: &App, area: Rect, buffer: &mut Buffer) {
    let texts = [
        format!("{}x{} is too small", area.width, area.height),
        format!("at least {MIN_WIDTH}x{MIN_HEIGHT}"),
    ];
    for (row, text) in area.rows().zip(texts) {
        let width = usize::from(row.width);
        buffer.set_stringn(row.x, row.y, text, width, app.theme.style(Role::Text));
    }
}
