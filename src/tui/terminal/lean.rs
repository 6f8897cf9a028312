//! Changed cells in few bytes, for slow links.
//!
//! The backend of the terminal library writes each colour in its longest form and each cell of a blank line. Here the
//! 16 colours have their short forms, what a style has in common with the one before is not said again, blanks take
//! the style that there is, and the rest of a line is erased at once.

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

pub struct Lean<W: Write> {
    inner: CrosstermBackend<W>,
    hidden: bool,
}

impl<W: Write> Lean<W> {
    pub fn new(out: W) -> Lean<W> {
        Lean { inner: CrosstermBackend::new(out), hidden: false }
    }
}

impl<W: Write> Write for Lean<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Write::write(&mut self.inner, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(&mut self.inner)
    }
}

impl<W: Write> Backend for Lean<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let width = self.inner.size()?.width;
        let cells: Vec<(u16, u16, &Cell)> = content.collect();
        Write::write_all(&mut self.inner, &written(&cells, width))
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        // It is asked for at every drawing.
        if std::mem::replace(&mut self.hidden, true) {
            return Ok(());
        }
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.hidden = false;
        self.inner.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.inner.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.inner.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.inner)
    }
}

/// What a terminal is set to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Look {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

const PLAIN: Look = Look { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

/// Modifiers that can be seen on a blank.
const ON_BLANKS: Modifier =
    Modifier::REVERSED.union(Modifier::UNDERLINED).union(Modifier::CROSSED_OUT);

impl Look {
    fn of(cell: &Cell) -> Look {
        Look { fg: cell.fg, bg: cell.bg, modifier: cell.modifier }
    }

    /// A blank in this look is nothing but blank.
    fn is_bare(self) -> bool {
        self.bg == Color::Reset && !self.modifier.intersects(ON_BLANKS)
    }
}

fn is_blank(cell: &Cell) -> bool {
    cell.symbol() == " " && Look::of(cell).is_bare()
}

/// Fewest blanks that are erased at once.
const ERASED: usize = 4;

/// The bytes that put cells on a screen so wide. At the beginning and at the end the terminal writes
/// plainly.
fn written(cells: &[(u16, u16, &Cell)], width: u16) -> Vec<u8> {
    let mut out = Vec::new();
    let mut look = PLAIN;
    // Where the cursor is.
    let mut cursor: Option<(u16, u16)> = None;
    let mut at = 0;
    while let Some((x, y, cell)) = cells.get(at).copied() {
        match cursor {
            Some((cx, cy)) if (cx, cy) == (x, y) => {}
            Some((cx, cy)) if cy == y && cx < x && x < width => move_on(&mut out, x - cx),
            _ => out.extend(format!("\x1b[{};{}H", y + 1, x + 1).bytes()),
        }
        let run = cells[at..].iter().zip(x..width);
        let run =
            run.take_while(|((cx, cy, cell), wanted)| *cy == y && cx == wanted && is_blank(cell));
        let run = run.count();
        if run >= ERASED && usize::from(x) + run == usize::from(width) {
            if !look.is_bare() {
                set(&mut out, look, PLAIN);
                look = PLAIN;
            }
            out.extend(b"\x1b[K");
            cursor = Some((x, y));
            at += run;
            continue;
        }
        let wanted = Look::of(cell);
        if !(is_blank(cell) && look.is_bare()) && wanted != look {
            set(&mut out, look, wanted);
            look = wanted;
        }
        out.extend(cell.symbol().bytes());
        let next = x + u16::try_from(cell.symbol().width()).unwrap_or(1).max(1);
        // At the edge terminals differ in where the cursor is.
        cursor = (next < width).then_some((next, y));
        at += 1;
    }
    if look != PLAIN {
        out.extend(b"\x1b[m");
    }
    out
}

fn move_on(out: &mut Vec<u8>, columns: u16) {
    match columns {
        1 => out.extend(b"\x1b[C"),
        n => out.extend(format!("\x1b[{n}C").bytes()),
    }
}

/// Changes the look of what is written.
fn set(out: &mut Vec<u8>, from: Look, to: Look) {
    let mut codes: Vec<String> = Vec::new();
    let mut from = from;
    // Taking one away is longer than beginning anew, and not all terminals can.
    if !to.modifier.contains(from.modifier) || to == PLAIN {
        codes.push(if to == PLAIN { String::new() } else { "0".to_owned() });
        from = PLAIN;
    }
    let numbers = [
        (Modifier::BOLD, "1"),
        (Modifier::DIM, "2"),
        (Modifier::ITALIC, "3"),
        (Modifier::UNDERLINED, "4"),
        (Modifier::SLOW_BLINK, "5"),
        (Modifier::RAPID_BLINK, "6"),
        (Modifier::REVERSED, "7"),
        (Modifier::HIDDEN, "8"),
        (Modifier::CROSSED_OUT, "9"),
    ];
    let added = to.modifier - from.modifier;
    let added = numbers.iter().filter(|(modifier, _)| added.contains(*modifier));
    codes.extend(added.map(|(_, code)| (*code).to_owned()));
    if to.fg != from.fg {
        codes.push(colour(to.fg, 30));
    }
    if to.bg != from.bg {
        codes.push(colour(to.bg, 40));
    }
    out.extend(format!("\x1b[{}m", codes.join(";")).bytes());
}

/// The code of a colour; `base` is 30 for what is written and 40 for what lies behind it.
fn colour(colour: Color, base: u16) -> String {
    let basic = |n: u16| (base + n).to_string();
    let bright = |n: u16| (base + 60 + n).to_string();
    match colour {
        Color::Reset => basic(9),
        Color::Black => basic(0),
        Color::Red => basic(1),
        Color::Green => basic(2),
        Color::Yellow => basic(3),
        Color::Blue => basic(4),
        Color::Magenta => basic(5),
        Color::Cyan => basic(6),
        Color::Gray => basic(7),
        Color::DarkGray => bright(0),
        Color::LightRed => bright(1),
        Color::LightGreen => bright(2),
        Color::LightYellow => bright(3),
        Color::LightBlue => bright(4),
        Color::LightMagenta => bright(5),
        Color::LightCyan => bright(6),
        Color::White => bright(7),
        Color::Indexed(n) => format!("{};5;{n}", base + 8),
        Color::Rgb(r, g, b) => format!("{};2;{r};{g};{b}", base + 8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    const WIDTH: u16 = 30;
    const HEIGHT: u16 = 6;

    fn random(seed: &mut u64, n: u64) -> u64 {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed % n
    }

    /// A screen that has something in common with another one.
    fn like(old: &Buffer, seed: &mut u64) -> Buffer {
        let mut new = old.clone();
        let colours =
            [Color::Reset, Color::Red, Color::LightCyan, Color::Indexed(99), Color::Reset];
        let modifiers =
            [Modifier::empty(), Modifier::BOLD, Modifier::REVERSED, Modifier::UNDERLINED];
        for _ in 0..random(seed, 12) {
            let (x, y) = (random(seed, 30) as u16, random(seed, 6) as u16);
            let text = ["ab", " ", "      ", "xyz", "─│", "                              "];
            let style = Style::new()
                .fg(colours[random(seed, 5) as usize])
                .bg(colours[random(seed, 5) as usize])
                .add_modifier(modifiers[random(seed, 4) as usize]);
            let style = if random(seed, 3) == 0 { Style::reset() } else { style };
            new.set_string(x, y, text[random(seed, 6) as usize], style);
        }
        new
    }

    /// A terminal that is told the changes has the same on its screen as one that is told everything.
    #[test]
    fn the_screen_is_what_was_drawn() {
        let area = Rect::new(0, 0, WIDTH, HEIGHT);
        let cells = |n: u16| std::num::NonZero::new(n).unwrap();
        let terminal = || vt100::Parser::new(cells(HEIGHT), cells(WIDTH), 0);
        let mut seed = 0x2545_F491_4F6C_DD1D;
        let (mut told, mut now) = (terminal(), Buffer::empty(area));
        for round in 0..400 {
            let next = like(&now, &mut seed);
            told.process(&written(&now.diff(&next), WIDTH));
            now = next;
            let mut whole = terminal();
            for y in 0..HEIGHT {
                for x in 0..WIDTH {
                    whole.process(&written(&[(x, y, &now[(x, y)])], WIDTH));
                }
            }
            for (y, x) in (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (y, x))) {
                let of = |t: &vt100::Parser| {
                    let cell = t.screen().cell(y, x).unwrap().clone();
                    let blank = cell.contents().trim().is_empty();
                    let shape = (cell.underline(), cell.inverse(), cell.bgcolor());
                    // Of a blank only this is to be seen.
                    let ink =
                        (!blank).then(|| (cell.contents().to_owned(), cell.fgcolor(), cell.bold()));
                    (shape, ink)
                };
                assert_eq!(of(&told), of(&whole), "round {round}, {x},{y}");
            }
        }
    }

    #[test]
    fn little_is_said_of_little() {
        let area = Rect::new(0, 0, 80, 2);
        let (mut old, mut new) = (Buffer::empty(area), Buffer::empty(area));
        old.set_string(0, 0, "something long that will be gone", Style::new());
        new.set_string(0, 1, "x", Style::new().fg(Color::LightCyan));
        let bytes = written(&old.diff(&new), 80);
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.len() < 120, "{text:?}");
        let mut wide = Buffer::empty(area);
        wide.set_string(0, 0, "漢字x", Style::new());
        let text = String::from_utf8(written(&Buffer::empty(area).diff(&wide), 80)).unwrap();
        assert_eq!(text, "\x1b[1;1H漢字x");
        let mut full = Buffer::empty(area);
        full.set_style(area, Style::new().bg(Color::Red));
        let text = String::from_utf8(written(&full.diff(&new), 80)).unwrap();
        assert_eq!(text, "\x1b[1;1H\x1b[K\x1b[2;1H\x1b[96mx\x1b[K\x1b[m");
    }
}
