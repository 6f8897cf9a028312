//! Where the panes are.
//!
//! ```text
//!   medium (from 60x18)               wide (from 140x30)
//!   +------------ header ---------+   +---------------- header -----------------+
//!   | source       | state        |   | source      | state        | matrix     |
//!   |              |              |   |             |              |            |
//!   +--------------+--------------+   |             |              |            |
//!   | operations   | matrix       |   |             +--------------+------------+
//!   +--------------+--------------+   |             | operations   | check      |
//!   | check                       |   |             |              |            |
//!   +------------- hints ---------+   +----------------- hints -----------------+
//! ```
//! On a narrow screen, or zoomed, the focused pane has the screen for itself, below a line with the names of
//! all. Panes that stand in one slot lie on top of each other. The lines between them can be moved.

use super::panes::Pane;
use ratatui::layout::Rect;

/// The parts of the screen that panes stand in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    LeftTop,
    RightTop,
    LeftBottom,
    RightBottom,
    Bottom,
}

impl Slot {
    pub const ALL: [Slot; 5] =
        [Slot::LeftTop, Slot::RightTop, Slot::LeftBottom, Slot::RightBottom, Slot::Bottom];
}

/// The pane of each slot that lies on top.
pub type Front = [Pane; Slot::ALL.len()];

/// Smallest screen that is drawn on.
pub const MIN_WIDTH: u16 = 24;
pub const MIN_HEIGHT: u16 = 6;

/// By how many columns and lines the user has moved the lines between panes to the right and down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moved {
    /// Beside the source.
    pub source: i16,
    /// Between the two columns on the right of a wide screen.
    pub middle: i16,
    /// Below the state.
    pub state: i16,
    /// Above the check.
    pub check: i16,
}

/// Smallest pane that a line leaves when it is moved.
const LEAST: (u16, u16) = (12, 2);

/// A line at `at`, moved, with room for panes on both sides.
fn shifted(at: u16, by: i16, least: u16, most: u16) -> u16 {
    at.saturating_add_signed(by).clamp(least.min(most), most.max(least))
}

/// Rectangles of one screen; the first line of a pane's rectangle is its title.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    pub header: Rect,
    /// The names of all panes, where only one is to be seen.
    pub tabs: Option<Rect>,
    pub panes: Vec<(Pane, Rect)>,
    /// Columns of vertical lines between panes.
    pub lines: Vec<Rect>,
    pub hints: Rect,
}

impl Layout {
    pub fn new(
        (width, height): (u16, u16),
        zoomed: bool,
        focus: Pane,
        front: Front,
        moved: Moved,
    ) -> Layout {
        let header = Rect::new(0, 0, width, 1);
        let hints = Rect::new(0, height.saturating_sub(1), width, 1);
        let body = Rect::new(0, 1, width, height.saturating_sub(2));
        let mut tabs = None;
        let (slots, lines) = if zoomed || width < 60 || height < 18 {
            tabs = (height >= 8).then_some(Rect { height: 1, ..body });
            let own = u16::from(tabs.is_some());
            let rest = Rect { y: body.y + own, height: body.height - own, ..body };
            (vec![(focus.about().slot, rest)], Vec::new())
        } else if width >= 140 && height >= 30 {
            wide(body, moved)
        } else {
            medium(body, moved)
        };
        let panes = slots.into_iter().map(|(slot, rect)| (front[slot as usize], rect)).collect();
        Layout { header, tabs, panes, lines, hints }
    }

    /// The rectangle of a pane below its title; empty when it is not on the screen.
    pub fn inner(&self, pane: Pane) -> Rect {
        let found = self.panes.iter().find(|(p, _)| *p == pane).map(|(_, r)| *r);
        found.map_or_else(Rect::default, below_title)
    }
}

/// A pane's rectangle without its title.
pub fn below_title(r: Rect) -> Rect {
    Rect::new(r.x, r.y + 1, r.width, r.height.saturating_sub(1))
}

type Parts = (Vec<(Slot, Rect)>, Vec<Rect>);

fn medium(b: Rect, moved: Moved) -> Parts {
    let check = if b.height >= 30 { 7 } else { 4 };
    let check = shifted(check, -moved.check, LEAST.1, b.height - 2 * LEAST.1);
    let rest = b.height - check;
    let top = rest.div_ceil(2) + u16::from(rest >= 14);
    let top = shifted(top, moved.state, LEAST.1, rest - LEAST.1);
    let left = shifted(b.width / 2, moved.source, LEAST.0, b.width - LEAST.0 - 1);
    let right = b.width - left - 1;
    let (x, y) = (b.x + left + 1, b.y + top);
    let panes = vec![
        (Slot::LeftTop, Rect::new(b.x, b.y, left, top)),
        (Slot::RightTop, Rect::new(x, b.y, right, top)),
        (Slot::LeftBottom, Rect::new(b.x, y, left, rest - top)),
        (Slot::RightBottom, Rect::new(x, y, right, rest - top)),
        (Slot::Bottom, Rect::new(b.x, b.y + rest, b.width, check)),
    ];
    (panes, vec![Rect::new(b.x + left, b.y, 1, rest)])
}

fn wide(b: Rect, moved: Moved) -> Parts {
    let source = (b.width * 36 / 100).clamp(50, 90);
    let source = shifted(source, moved.source, LEAST.0, b.width - 2 * LEAST.0 - 2);
    let rest = b.width - source - 2;
    let middle = shifted(rest / 2, moved.middle, LEAST.0, rest - LEAST.0);
    let right = b.width - source - middle - 2;
    let top = shifted(b.height * 3 / 5, moved.state, LEAST.1, b.height - LEAST.1);
    let bottom = b.height - top;
    let (x1, x2) = (b.x + source + 1, b.x + source + middle + 2);
    let check = (b.height - b.height * 3 / 5).min(16);
    let check = shifted(check, -moved.check, LEAST.1, b.height - LEAST.1);
    let panes = vec![
        (Slot::LeftTop, Rect::new(b.x, b.y, source, b.height)),
        (Slot::RightTop, Rect::new(x1, b.y, middle, top)),
        (Slot::LeftBottom, Rect::new(x1, b.y + top, middle, bottom)),
        (Slot::RightBottom, Rect::new(x2, b.y, right, b.height - check)),
        (Slot::Bottom, Rect::new(x2, b.y + b.height - check, right, check)),
    ];
    (panes, vec![Rect::new(x1 - 1, b.y, 1, b.height), Rect::new(x2 - 1, b.y, 1, b.height)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: Front = [Pane::Source, Pane::State, Pane::Operations, Pane::Matrix, Pane::Check];

    #[test]
    fn panes_fill_the_screen_without_overlap() {
        let sizes = [(24, 6), (40, 10), (60, 18), (80, 24), (120, 40), (140, 30), (200, 50)];
        let far = |n| Moved { source: n, middle: -n, state: n, check: -n };
        let moves = [0, 3, -7, 200, -200, i16::MAX, -i16::MAX];
        let cases = sizes.into_iter().flat_map(|size| moves.map(|n| (size, n)));
        for ((width, height), n) in cases {
            let layout = Layout::new((width, height), false, Pane::State, FRONT, far(n));
            for (pane, rect) in &layout.panes {
                let seen = rect.width >= LEAST.0 && rect.height >= LEAST.1;
                assert!(seen, "{pane:?} at {width}x{height}, {n}: {rect}");
            }
            let mut taken = vec![0; usize::from(width) * usize::from(height)];
            let rects = layout.panes.iter().map(|(_, r)| *r).chain(layout.lines.clone());
            for r in rects.chain([layout.header, layout.hints]).chain(layout.tabs) {
                for position in r.positions() {
                    taken[usize::from(position.y * width + position.x)] += 1;
                }
            }
            assert!(taken.iter().all(|n| *n == 1), "{width}x{height}, {n}");
        }
    }

    #[test]
    fn a_zoomed_pane_is_alone() {
        let layout = Layout::new((80, 24), true, Pane::Matrix, FRONT, Moved::default());
        assert_eq!(layout.inner(Pane::Matrix), Rect::new(0, 3, 80, 20));
        assert_eq!(layout.inner(Pane::State), Rect::default());
    }

    #[test]
    fn every_slot_has_a_pane() {
        for (slot, pane) in Slot::ALL.iter().zip(FRONT) {
            assert_eq!(pane.about().slot, *slot);
        }
    }
}
