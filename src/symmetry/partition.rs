//! Ordered partitions of the vertices of a graph.

use crate::clock::{self, Stopped};
use std::ops::Range;

/// Keys below this are counted, not compared.
pub const FEW_KEYS: usize = 64;

/// The bits of a word, from the least on.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.checked_sub(1)?;
        Some(bit as usize)
    })
}

/// The same, as members.
pub(super) fn bits_of(word: u64) -> impl Iterator<Item = u32> {
    bits(word).map(|bit| bit as u32)
}

/// Those of words, one after the other.
pub(super) fn bits_of_all(words: &[u64]) -> impl Iterator<Item = u32> {
    let words = (0..).step_by(64).zip(words);
    words.flat_map(|(first, word)| bits_of(*word).map(move |bit| first + bit))
}

/// An ordered partition: the cells are ranges of `elems`, named by their first position.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    /// Vertices, cell by cell.
    pub elems: Vec<u32>,
    /// Position of each vertex in `elems`.
    pub pos: Vec<u32>,
    /// First position of the cell of each vertex.
    pub cell: Vec<u32>,
    /// Length of the cell that starts at a position; only meaningful at such positions.
    pub len: Vec<u32>,
    /// Vertices below this number are points; they occupy the positions below it.
    pub points: usize,
    /// Number of points that share their cell.
    pub open: usize,
}

impl Partition {
    /// Starts over: one cell for each non-empty range of `sizes`, holding `elems` in this order.
    /// The points must come first.
    pub fn reset(&mut self, elems: impl Iterator<Item = u32>, sizes: &[u32], points: usize) {
        self.elems.clear();
        self.elems.extend(elems);
        self.renumber(sizes, points);
    }

    /// Starts over with so many points and nothing else. Their cells must be made next, range by range.
    pub fn reset_points(&mut self, points: usize) {
        for list in [&mut self.elems, &mut self.pos, &mut self.cell, &mut self.len] {
            list.resize(points, 0);
        }
        self.points = points;
        self.open = 0;
    }

    /// Makes one cell of a range of points.
    pub fn cell_of(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let start = range.start as u32;
        for (at, v) in (start..).zip(range.clone()) {
            (self.elems[v], self.pos[v]) = (at, at);
        }
        self.cell[range.clone()].fill(start);
        self.len[range.start] = range.len() as u32;
        self.open += if range.len() > 1 { range.len() } else { 0 };
    }

    /// Makes cells of a range of points by their keys, all of them below [`FEW_KEYS`].
    pub fn cells_by_keys(&mut self, range: Range<usize>, keys: &[u64]) {
        const MASK: usize = FEW_KEYS - 1;
        let (mut starts, mut present) = ([0; FEW_KEYS], 0u64);
        for key in keys {
            starts[*key as usize & MASK] += 1;
            present |= 1 << (*key as usize & MASK);
        }
        if present.count_ones() < 2 {
            return self.cell_of(range);
        }
        let mut next = range.start as u32;
        for key in bits(present) {
            let len = std::mem::replace(&mut starts[key & MASK], next);
            self.len[next as usize] = len;
            self.open += if len > 1 { len as usize } else { 0 };
            next += len;
        }
        let mut places = starts;
        let (pos, cell) = (&mut self.pos[range.clone()], &mut self.cell[range.clone()]);
        let (pos, cell) = (&mut pos[..keys.len()], &mut cell[..keys.len()]);
        for (i, key) in keys.iter().enumerate() {
            let key = *key as usize & MASK;
            let place = places[key];
            (pos[i], cell[i]) = (place, starts[key]);
            self.elems[place as usize] = (range.start + i) as u32;
            places[key] = place + 1;
        }
    }

    /// Splits the cells in a range of positions by keys of their members, in ascending order. `key`: of a vertex, and
    /// of the cells of all vertices, of which those before its own are split already. `keyed` is working memory.
    pub(super) fn split_by_keys(
        &mut self,
        range: Range<usize>,
        keyed: &mut Vec<(u64, u32)>,
        key: impl Fn(u32, &[u32]) -> u64,
    ) {
        let mut start = range.start;
        while start < range.end {
            let len = self.len[start] as usize;
            if len > 1 {
                let members = &self.elems[start..start + len];
                keyed.clear();
                keyed.extend(members.iter().map(|v| (key(*v, &self.cell), *v)));
                if keyed.iter().any(|(key, _)| *key != keyed[0].0) {
                    keyed.sort_unstable_by_key(|(key, _)| *key);
                    self.split_into(start as u32, keyed);
                }
            }
            start += len;
        }
    }

    /// Makes a cell of the members with each key, which are sorted.
    fn split_into(&mut self, start: u32, keyed: &[(u64, u32)]) {
        let mut at = start;
        for alike in keyed.chunk_by(|a, b| a.0 == b.0) {
            self.len[at as usize] = alike.len() as u32;
            if (start as usize) < self.points && alike.len() == 1 {
                self.open -= 1;
            }
            for (place, (_, v)) in (at..).zip(alike) {
                self.elems[place as usize] = *v;
                self.pos[*v as usize] = place;
                self.cell[*v as usize] = at;
            }
            at += alike.len() as u32;
        }
    }

    /// Starts over with the present order of `elems`.
    fn renumber(&mut self, sizes: &[u32], points: usize) {
        let n = self.elems.len();
        self.pos.resize(n, 0);
        self.cell.resize(n, 0);
        self.len.resize(n, 0);
        self.points = points;
        self.open = 0;
        let mut start = 0;
        for size in sizes.iter().filter(|s| **s > 0) {
            self.len[start as usize] = *size;
            let members = &self.elems[start as usize..(start + size) as usize];
            for (at, v) in (start..).zip(members) {
                self.pos[*v as usize] = at;
                self.cell[*v as usize] = start;
            }
            if (start as usize) < points && *size > 1 {
                self.open += *size as usize;
            }
            start += size;
        }
        debug_assert_eq!(start as usize, n);
    }

    pub fn copy_from(&mut self, other: &Partition) {
        self.elems.clone_from(&other.elems);
        self.pos.clone_from(&other.pos);
        self.cell.clone_from(&other.cell);
        self.len.clone_from(&other.len);
        self.points = other.points;
        self.open = other.open;
    }

    /// Counts the work of copying it.
    ///
    /// # Errors
    /// The work is to end.
    pub fn spend(&self) -> Result<(), Stopped> {
        clock::spend(self.elems.len())
    }

    pub fn members(&self, start: u32) -> &[u32] {
        &self.elems[start as usize..(start + self.len[start as usize]) as usize]
    }

    /// The starts of all cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = u32> + '_ {
        let mut next = 0u32;
        std::iter::from_fn(move || {
            let start = next;
            next += self.len.get(start as usize).filter(|_| (start as usize) < self.elems.len())?;
            Some(start)
        })
    }

    /// Splits the cell at `start`: what lies from position `at` on becomes a cell.
    pub(super) fn cut(&mut self, start: u32, at: u32) {
        let end = start + self.len[start as usize];
        self.len[at as usize] = end - at;
        self.len[start as usize] = at - start;
        for v in &self.elems[at as usize..end as usize] {
            self.cell[*v as usize] = at;
        }
        if (start as usize) < self.points {
            self.open -= (end - at == 1) as usize + (at - start == 1) as usize;
        }
    }

    /// Makes every member of a cell a cell of its own, in the present order.
    pub fn scatter(&mut self, start: u32) {
        let n = self.len[start as usize];
        if n == 1 {
            return;
        }
        let range = start as usize..(start + n) as usize;
        self.len[range.clone()].fill(1);
        for (at, v) in (start..).zip(&self.elems[range]) {
            self.cell[*v as usize] = at;
        }
        if (start as usize) < self.points {
            self.open -= n as usize;
        }
    }

    pub fn swap(&mut self, a: u32, b: u32) {
        self.elems.swap(a as usize, b as usize);
        self.pos[self.elems[a as usize] as usize] = a;
        self.pos[self.elems[b as usize] as usize] = b;
    }
}
