//! The bytes that bring a screen from what it shows to what it shall show.
//!
//! The 16 colours have their short forms, what a style has in common with the one before is not said again, and
//! blanks take the style that there is. The way from one changed cell to the next is the shortest of: moving the
//! cursor, and writing once more what stands between them. Many blanks are erased at once.
//!
//! Only what terminals have had since the VT220 is used: positions (CUP), steps (CUF, CUB, BS, CR, LF), erasing (EL,
//! ECH), styles (SGR).

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

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

/// Columns that a cell takes.
fn columns(cell: &Cell) -> u16 {
    u16::try_from(cell.symbol().width()).unwrap_or(1).max(1)
}

/// What a screen shows, as far as it is known.
#[derive(Default)]
pub struct Shown {
    width: u16,
    height: u16,
    /// Row by row; nothing where a wide character reaches, or where it is not known.
    cells: Vec<Option<Cell>>,
}

impl Shown {
    /// A screen whose size was not known yet, or was another one, is blank: it is cleared before it is written to.
    pub fn fit(&mut self, width: u16, height: u16) {
        if (self.width, self.height) != (width, height) {
            let cells = vec![Some(Cell::EMPTY); usize::from(width) * usize::from(height)];
            *self = Shown { width, height, cells };
        }
    }

    fn index(&self, x: u16, y: u16) -> usize {
        usize::from(y) * usize::from(self.width) + usize::from(x)
    }

    fn at(&self, x: u16, y: u16) -> Option<&Cell> {
        if x >= self.width || y >= self.height {
            return None;
        }
        self.cells[self.index(x, y)].as_ref()
    }

    fn put(&mut self, x: u16, y: u16, cell: &Cell) {
        if x >= self.width || y >= self.height {
            return;
        }
        let index = self.index(x, y);
        // The other half of a wide character that is written over: terminals differ in what becomes of it.
        if x > 0 && self.cells[index - 1].as_ref().is_some_and(|before| columns(before) > 1) {
            self.cells[index - 1] = None;
        }
        self.cells[index] = Some(cell.clone());
        let wide = columns(cell).min(self.width - x);
        for beside in 1..usize::from(wide) {
            self.cells[index + beside] = None;
        }
    }

    /// The bytes that put these cells, given row by row from left to right, on the screen. At the beginning and at
    /// the end the terminal writes plainly.
    pub fn change(&mut self, cells: &[(u16, u16, &Cell)]) -> Vec<u8> {
        let torn = self.torn(cells);
        let mut all = cells.to_vec();
        all.extend(torn.iter().map(|(x, y, cell)| (*x, *y, cell)));
        if !torn.is_empty() {
            all.sort_by_key(|(x, y, _)| (*y, *x));
        }
        let cells = &all[..];
        for (x, y, cell) in cells {
            self.put(*x, *y, cell);
        }
        let mut pen = Pen { out: Vec::new(), look: PLAIN, cursor: None };
        let mut rest = cells;
        while let Some((_, y, _)) = rest.first() {
            let row = rest.partition_point(|(_, other, _)| other <= y);
            let (row, below) = rest.split_at(row);
            self.change_row(&mut pen, row);
            rest = below;
        }
        if pen.look != PLAIN {
            pen.wear(PLAIN);
        }
        pen.out
    }

    /// The second halves of wide characters whose first halves are written over while they are not: terminals
    /// differ in what becomes of them.
    fn torn(&self, cells: &[(u16, u16, &Cell)]) -> Vec<(u16, u16, Cell)> {
        let torn = cells.iter().enumerate().filter_map(|(i, (x, y, cell))| {
            let was_wide = self.at(*x, *y).is_some_and(|cell| columns(cell) > 1);
            let next = cells.get(i + 1).is_some_and(|(nx, ny, _)| (*nx, *ny) == (x + 1, *y));
            let half = Cell::EMPTY.clone();
            (was_wide && columns(cell) == 1 && x + 1 < self.width && !next).then_some((
                x + 1,
                *y,
                half,
            ))
        });
        torn.collect()
    }

    fn change_row(&self, pen: &mut Pen, row: &[(u16, u16, &Cell)]) {
        let mut at = 0;
        while let Some((x, y, cell)) = row.get(at).copied() {
            self.reach(pen, x, y, cell);
            let blanks = self.blanks(x, y);
            let covered = row[at..].partition_point(|(cx, _, _)| *cx < x + blanks);
            let last = row[at..][..covered].last().map_or(x, |(cx, _, _)| *cx);
            let wanted = usize::from(last + 1 - x.min(last));
            if covered > 0 && x + blanks == self.width && wanted >= ERASED {
                pen.erase("K".to_owned());
                at += covered;
            } else if covered > 0 && wanted >= ERASED_WITHIN {
                pen.erase(format!("{wanted}X"));
                at += covered;
            } else {
                pen.write(cell, x, y, self.width);
                at += 1;
            }
        }
    }

    /// How many columns from here on show nothing.
    fn blanks(&self, x: u16, y: u16) -> u16 {
        let blank = |x: &u16| self.at(*x, y).is_some_and(is_blank);
        u16::try_from((x..self.width).take_while(blank).count()).unwrap_or(0)
    }

    /// Brings the cursor to a cell that is to be written next.
    fn reach(&self, pen: &mut Pen, x: u16, y: u16, cell: &Cell) {
        let Some((cx, cy)) = pen.cursor.filter(|_| x < self.width) else {
            return pen.jump(x, y);
        };
        if (cx, cy) == (x, y) {
            return;
        }
        let moved = pen.moved((cx, cy), (x, y));
        if let Some(again) = (cy == y && cx < x).then(|| self.again(pen.look, cx..x, y)).flatten() {
            let after =
                |look: Look| if goes(cell, look) { 0 } else { style(look, Look::of(cell)).len() };
            if again.out.len() + after(again.look) <= moved.len() + after(pen.look) {
                pen.out.extend(again.out);
                pen.look = again.look;
                pen.cursor = Some((x, y));
                return;
            }
        }
        pen.out.extend(moved);
        pen.cursor = Some((x, y));
    }

    /// What stands between, once more, if it is known and would be shorter than any move.
    fn again(&self, look: Look, between: std::ops::Range<u16>, y: u16) -> Option<Pen> {
        if between.len() > LONGEST_AGAIN {
            return None;
        }
        let mut pen = Pen { out: Vec::new(), look, cursor: None };
        for x in between {
            let cell = self.at(x, y).filter(|cell| columns(cell) == 1)?;
            pen.write(cell, x, y, self.width);
        }
        Some(pen)
    }
}

/// Fewest blanks at the end of a row that are erased at once.
const ERASED: usize = 4;
/// Fewest blanks within a row that are erased at once: the cursor has to be moved afterwards.
const ERASED_WITHIN: usize = 10;
/// Most columns that may be written once more: a move takes six bytes at most, and may save a change of style.
const LONGEST_AGAIN: usize = 16;

/// Whether a cell can be written in this look.
fn goes(cell: &Cell, look: Look) -> bool {
    Look::of(cell) == look || is_blank(cell) && look.is_bare()
}

/// A terminal that is written to.
struct Pen {
    out: Vec<u8>,
    look: Look,
    /// Where the cursor is, if that is known.
    cursor: Option<(u16, u16)>,
}

impl Pen {
    fn wear(&mut self, look: Look) {
        self.out.extend(style(self.look, look).bytes());
        self.look = look;
    }

    fn write(&mut self, cell: &Cell, x: u16, y: u16, width: u16) {
        if !goes(cell, self.look) {
            self.wear(Look::of(cell));
        }
        self.out.extend(cell.symbol().bytes());
        let next = x + columns(cell);
        // At the edge terminals differ in where the cursor is.
        self.cursor = (next < width).then_some((next, y));
    }

    /// Erases; the cursor stays.
    fn erase(&mut self, what: String) {
        if !self.look.is_bare() {
            self.wear(PLAIN);
        }
        self.out.extend(b"\x1b[");
        self.out.extend(what.bytes());
    }

    fn jump(&mut self, x: u16, y: u16) {
        self.out.extend(jump(x, y));
        self.cursor = Some((x, y));
    }

    /// The shortest move from one place to another.
    fn moved(&self, from: (u16, u16), to: (u16, u16)) -> Vec<u8> {
        let mut ways = vec![jump(to.0, to.1)];
        if from.1 == to.1 {
            ways.push(along(from.0, to.0));
        } else if from.1 + 1 == to.1 {
            ways.push([b"\n".to_vec(), along(from.0, to.0)].concat());
            ways.push([b"\r\n".to_vec(), along(0, to.0)].concat());
        }
        ways.into_iter().min_by_key(Vec::len).unwrap_or_default()
    }
}

fn jump(x: u16, y: u16) -> Vec<u8> {
    match (x, y) {
        (0, 0) => b"\x1b[H".to_vec(),
        (0, y) => format!("\x1b[{}H", y + 1).into_bytes(),
        (x, y) => format!("\x1b[{};{}H", y + 1, x + 1).into_bytes(),
    }
}

/// Moves within a row.
fn along(from: u16, to: u16) -> Vec<u8> {
    match (from.abs_diff(to), from < to) {
        (0, _) => Vec::new(),
        (1, true) => b"\x1b[C".to_vec(),
        (n, true) => format!("\x1b[{n}C").into_bytes(),
        (n @ 1..=3, false) => vec![b'\x08'; n.into()],
        (n, false) => format!("\x1b[{n}D").into_bytes(),
    }
}

/// The shortest change from one look to another.
fn style(from: Look, to: Look) -> String {
    if to == PLAIN {
        return "\x1b[m".to_owned();
    }
    let anew = format!("\x1b[;{}m", added(PLAIN, to).join(";"));
    // Taking a modifier away is longer than beginning anew, and not all terminals can.
    if !to.modifier.contains(from.modifier) {
        return anew;
    }
    let on = format!("\x1b[{}m", added(from, to).join(";"));
    if on.len() <= anew.len() { on } else { anew }
}

/// The codes of what a look has beyond another, or otherwise.
fn added(from: Look, to: Look) -> Vec<String> {
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
    let modifier = to.modifier - from.modifier;
    let numbers = numbers.iter().filter(|(one, _)| modifier.contains(*one));
    let mut codes: Vec<String> = numbers.map(|(_, code)| (*code).to_owned()).collect();
    if to.fg != from.fg {
        codes.push(colour(to.fg, 30));
    }
    if to.bg != from.bg {
        codes.push(colour(to.bg, 40));
    }
    codes
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

    fn blank(width: u16, height: u16) -> Shown {
        let mut shown = Shown::default();
        shown.fit(width, height);
        shown
    }

    /// The bytes from one screen to the next, of which nothing else is known.
    fn written(old: &Buffer, new: &Buffer) -> String {
        let mut shown = blank(80, 2);
        String::from_utf8(shown.change(&old.diff(new))).unwrap()
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
        let mut shown = blank(WIDTH, HEIGHT);
        for round in 0..400 {
            let next = like(&now, &mut seed);
            told.process(&shown.change(&now.diff(&next)));
            now = next;
            let mut whole = terminal();
            for y in 0..HEIGHT {
                for x in 0..WIDTH {
                    whole.process(&blank(WIDTH, HEIGHT).change(&[(x, y, &now[(x, y)])]));
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
        let text = written(&old, &new);
        assert!(text.len() < 120, "{text:?}");
        let mut wide = Buffer::empty(area);
        wide.set_string(0, 0, "漢字x", Style::new());
        assert_eq!(written(&Buffer::empty(area), &wide), "\x1b[H漢字x");
        // Both halves of what is wide go, also where only the first is told of.
        let mut shown = blank(80, 2);
        shown.change(&Buffer::empty(area).diff(&wide));
        let first = (0, 0, &Cell::EMPTY);
        assert_eq!(String::from_utf8(shown.change(&[first])).unwrap(), "\x1b[H  ");
        let mut full = Buffer::empty(area);
        full.set_style(area, Style::new().bg(Color::Red));
        assert_eq!(written(&full, &new), "\x1b[H\x1b[K\n\x1b[96mx\x1b[K\x1b[m");
    }
}
