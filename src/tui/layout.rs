//! Where the panes are.
//!
//! ```text
//!   small (from 60x18)                wide (from 140x30)
//!   +------------ header ---------+   +---------------- header -----------------+
//!   | source       | state        |   | source      | state        | matrix     |
//!   |              |              |   |             |              |            |
//!   +--------------+--------------+   |             |              |            |
//!   | operations   | matrix       |   |             +--------------+------------+
//!   +--------------+--------------+   |             | operations   | check      |
//!   | check                       |   |             |              |            |
//!   +------------- hints ---------+   +----------------- hints -----------------+
//! ```
//! Below that, or zoomed, the focused pane has the screen for itself. Panes that stand in one slot lie on
//! top of each other.

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
pub const MIN_WIDTH: u16 = 40;
pub const MIN_HEIGHT: u16 = 10;

/// Rectangles of one screen; the first line of a pane's rectangle is its title.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    pub header: Rect,
    pub panes: Vec<(Pane, Rect)>,
    /// Columns of vertical lines between panes.
    pub lines: Vec<Rect>,
    pub hints: Rect,
}

impl Layout {
    pub fn new(width: u16, height: u16, zoomed: bool, focus: Pane, front: Front) -> Layout {
        let header = Rect::new(0, 0, width, 1);
        let hints = Rect::new(0, height.saturating_sub(1), width, 1);
        let body = Rect::new(0, 1, width, height.saturating_sub(2));
        let (slots, lines) = if zoomed || width < 60 || height < 18 {
            (vec![(focus.about().slot, body)], Vec::new())
        } else if width >= 140 && height >= 30 {
            wide(body)
        } else {
            small(body)
        };
        let panes = slots.into_iter().map(|(slot, rect)| (front[slot as usize], rect)).collect();
        Layout { header, panes, lines, hints }
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

fn small(b: Rect) -> Parts {
    let check = if b.height >= 30 { 7 } else { 4 };
    let rest = b.height - check;
    let top = rest.div_ceil(2) + u16::from(rest >= 14);
    let left = b.width / 2;
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

fn wide(b: Rect) -> Parts {
    let source = (b.width * 36 / 100).clamp(50, 90);
    let middle = (b.width - source - 2) / 2;
    let right = b.width - source - middle - 2;
    let top = b.height * 3 / 5;
    let bottom = b.height - top;
    let (x1, x2) = (b.x + source + 1, b.x + source + middle + 2);
    let check = bottom.min(16);
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
        for (width, height) in [(40, 10), (60, 18), (80, 24), (120, 40), (140, 30), (200, 50)] {
            let layout = Layout::new(width, height, false, Pane::State, FRONT);
            let mut taken = vec![0; usize::from(width) * usize::from(height)];
            let rects = layout.panes.iter().map(|(_, r)| *r).chain(layout.lines.clone());
            for r in rects.chain([layout.header, layout.hints]) {
                for position in r.positions() {
                    taken[usize::from(position.y * width + position.x)] += 1;
                }
            }
            assert!(taken.iter().all(|n| *n == 1), "{width}x{height}");
        }
    }

    #[test]
    fn a_zoomed_pane_is_alone() {
        let layout = Layout::new(80, 24, true, Pane::Matrix, FRONT);
        assert_eq!(layout.inner(Pane::Matrix), Rect::new(0, 2, 80, 21));
        assert_eq!(layout.inner(Pane::State), Rect::default());
    }

    #[test]
    fn every_slot_has_a_pane() {
        for (slot, pane) in Slot::ALL.iter().zip(FRONT) {
            assert_eq!(pane.about().slot, *slot);
        }
    }
}
