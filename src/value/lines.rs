//! Sorted lines of cells: what the operators on sets do with lists, whatever a member takes.
//!
//! A set is a strictly increasing list of members. A member is one value, or as many numbers as a row of a
//! [table](super::table) has cells; both are compared from left to right.

use smallvec::SmallVec;
use std::cmp::Ordering;
use std::ops::Range;

/// Strictly increasing lines, each of the same number of cells.
pub(super) struct Lines<'a, T> {
    pub cells: &'a [T],
    /// Cells of a line, at least one.
    pub width: usize,
}

impl<T> Clone for Lines<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lines<'_, T> {}

/// Which members of two sets a third one has.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub only_left: bool,
    pub both: bool,
    pub only_right: bool,
}

/// Where a line is or would have to be, and the line.
type Change<'a, T> = (Result<usize, usize>, &'a [T]);

/// The lines that are wanted of two sets.
pub(super) enum Merged<T> {
    /// Those of the left one.
    Left,
    Right,
    New(Vec<T>),
}

/// Cells that are compared at a time.
const CHUNK: usize = 32;

/// In how many cells whole chunks are the same, one after the other.
fn alike<'a, T: PartialEq + 'a>(
    a: impl Iterator<Item = &'a [T]>,
    b: impl Iterator<Item = &'a [T]>,
) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).map(|(chunk, _)| chunk.len()).sum()
}

/// Whether it pays to look these few members up in a list of so many, instead of walking through both.
pub(super) fn are_few(few: usize, many: usize) -> bool {
    few * (many.checked_ilog2().unwrap_or(0) as usize + 1) < many
}

/// The first place among so many of which `is_before` is not true; it is true of those before that one, and no others.
#[inline]
pub(super) fn first_not(places: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, places);
    while low < high {
        let middle = low + (high - low) / 2;
        match is_before(middle) {
            true => low = middle + 1,
            false => high = middle,
        }
    }
    low
}

impl<'a, T: Ord + Clone> Lines<'a, T> {
    pub fn len(self) -> usize {
        self.cells.len() / self.width
    }

    #[inline]
    pub fn get(self, i: usize) -> &'a [T] {
        &self.cells[i * self.width..][..self.width]
    }

    pub fn range(self, lines: Range<usize>) -> &'a [T] {
        &self.cells[lines.start * self.width..lines.end * self.width]
    }

    /// The first line of which `is_before` is not true; it is true of those before that one, and no others.
    #[inline]
    pub fn partition_point(self, is_before: impl Fn(&'a [T]) -> bool) -> usize {
        first_not(self.len(), |i| is_before(self.get(i)))
    }

    /// Where a line is, or where it would have to be.
    pub fn find(self, line: &[T]) -> Result<usize, usize> {
        let at = self.partition_point(|other| other < line);
        if at < self.len() && self.get(at) == line { Ok(at) } else { Err(at) }
    }

    pub fn is_subset(self, of: Lines<'_, T>) -> bool {
        if self.len() > of.len() {
            return false;
        }
        if are_few(self.len(), of.len()) {
            return (0..self.len()).all(|i| of.find(self.get(i)).is_ok());
        }
        let mut rest = 0..of.len();
        (0..self.len()).all(|i| {
            let mut orders = rest.by_ref().map(|j| of.get(j).cmp(self.get(i)));
            orders.find(|order| order.is_ge()) == Some(Ordering::Equal)
        })
    }

    /// The lines of which some are wanted of this set and another one.
    pub fn merge(self, other: Lines<'_, T>, wanted: Wanted) -> Merged<T> {
        let Wanted { only_left, both, only_right } = wanted;
        if only_left && are_few(other.len(), self.len()) {
            return self.edit(other, both, only_right).map_or(Merged::Left, Merged::New);
        }
        if only_left && only_right && are_few(self.len(), other.len()) {
            return other.edit(self, both, only_left).map_or(Merged::Right, Merged::New);
        }
        let (mut i, mut j) = (0, 0);
        let most = if only_right { self.cells.len() + other.cells.len() } else { self.cells.len() };
        let mut out = Vec::with_capacity(most);
        while i < self.len() && j < other.len() {
            let order = self.get(i).cmp(other.get(j));
            let (line, is_wanted) = match order {
                Ordering::Less => (self.get(i), only_left),
                Ordering::Greater => (other.get(j), only_right),
                Ordering::Equal => (self.get(i), both),
            };
            if is_wanted {
                out.extend_from_slice(line);
            }
            i += order.is_le() as usize;
            j += order.is_ge() as usize;
        }
        if only_left {
            out.extend_from_slice(self.range(i..self.len()));
        }
        if only_right {
            out.extend_from_slice(other.range(j..other.len()));
        }
        match &out[..] {
            same if same == self.cells => Merged::Left,
            same if same == other.cells => Merged::Right,
            _ => Merged::New(out),
        }
    }

    /// The lines that only one of both has, in increasing order; `None` if these are more than so many. What both begin
    /// and end with is compared as a whole: two values of one variable mostly differ in a few places.
    pub fn changed(self, other: Lines<'_, T>, most: usize) -> Option<Vec<T>> {
        let whole = |cells: usize| cells / self.width * self.width;
        let begin = whole(alike(self.cells.chunks(CHUNK), other.cells.chunks(CHUNK)));
        let (a, b) = (&self.cells[begin..], &other.cells[begin..]);
        let end = whole(alike(a.rchunks(CHUNK), b.rchunks(CHUNK)));
        let width = self.width;
        let a = Lines { cells: &a[..a.len() - end], width };
        let b = Lines { cells: &b[..b.len() - end], width };
        let wanted = Wanted { only_left: true, both: false, only_right: true };
        let changed = match a.merge(b, wanted) {
            Merged::Left => a.cells.to_vec(),
            Merged::Right => b.cells.to_vec(),
            Merged::New(cells) => cells,
        };
        (changed.len() <= most * width).then_some(changed)
    }

    /// The lines with a few more (`adds`), or with a few less (not `both`): those that are there and stay, or are not
    /// there and are not wanted, change nothing. `None`: nothing changes.
    fn edit(self, few: Lines<'_, T>, both: bool, adds: bool) -> Option<Vec<T>> {
        let places = (0..few.len()).map(|i| (self.find(few.get(i)), few.get(i)));
        let changes = places.filter(|(place, _)| if place.is_ok() { !both } else { adds });
        let changes: SmallVec<[Change<'_, T>; 4]> = changes.collect();
        if changes.is_empty() {
            return None;
        }
        let (mut out, mut done) = (Vec::with_capacity(self.cells.len() + few.cells.len()), 0);
        for (place, line) in changes {
            match place {
                Ok(gone) => {
                    out.extend_from_slice(self.range(done..gone));
                    done = gone + 1;
                }
                Err(before) => {
                    out.extend_from_slice(self.range(done..before));
                    out.extend_from_slice(line);
                    done = before;
                }
            }
        }
        out.extend_from_slice(self.range(done..self.len()));
        Some(out)
    }
}
