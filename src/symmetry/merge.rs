//! All edges between the same two vertices become one, whose label is the set of theirs.

use super::refine::{Adjacency, HalfEdge};
use smallvec::SmallVec;
use std::mem::replace;

/// A set of labels. Sets are compared as the numbers that their words are, the first word first.
trait Labels: Clone + Ord {
    /// The set of one label, among so many.
    fn one(label: u32, among: u32) -> Self;

    fn insert(&mut self, label: u32);

    /// The number that the first word is.
    fn number(&self) -> usize;

    /// Labels come in pairs, `2 l` and `2 l + 1`, for the two ends of an edge: the set seen from the other
    /// end.
    fn reversed(&self) -> Self;
}

/// Labels below 64.
impl Labels for u64 {
    #[inline]
    fn one(label: u32, _: u32) -> u64 {
        1 << label
    }

    #[inline]
    fn insert(&mut self, label: u32) {
        *self |= 1 << label;
    }

    #[inline]
    fn number(&self) -> usize {
        *self as usize
    }

    fn reversed(&self) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        (self & EVEN) << 1 | self >> 1 & EVEN
    }
}

/// Any labels: those below 64 in the first word, and so on.
impl Labels for SmallVec<[u64; 4]> {
    fn one(label: u32, among: u32) -> Self {
        let mut set = smallvec::smallvec![0; among.div_ceil(64) as usize];
        Labels::insert(&mut set, label);
        set
    }

    fn insert(&mut self, label: u32) {
        self[label as usize / 64].insert(label % 64);
    }

    fn number(&self) -> usize {
        self[0].number()
    }

    fn reversed(&self) -> Self {
        self.iter().map(u64::reversed).collect()
    }
}

/// With so many labels the sets are few enough to be counted, not compared.
const FEW_LABELS: u32 = 6;

/// Working memory.
#[derive(Debug, Default)]
pub struct Merger {
    few: Lists<u64>,
    many: Lists<SmallVec<[u64; 4]>>,
}

impl Merger {
    /// Merges where there is anything to merge. Edges come in pairs of half edges, labelled `2 l` and
    /// `2 l + 1`.
    pub fn merge(&mut self, adjacency: &mut Adjacency) {
        match adjacency.labels {
            ..=64 => self.few.merge(adjacency),
            _ => self.many.merge(adjacency),
        }
    }
}

#[derive(Debug)]
struct Lists<L> {
    /// By vertex: the vertex whose list is at hand, and where in the merged list its edge is.
    stamp: Vec<(u32, u32)>,
    merged: Vec<(L, u32)>,
    ends: Vec<u32>,
    /// The sets that occur, in order: their places are the new labels.
    known: Vec<L>,
}

impl<L> Default for Lists<L> {
    fn default() -> Self {
        Lists { stamp: Vec::new(), merged: Vec::new(), ends: Vec::new(), known: Vec::new() }
    }
}

impl<L: Labels> Lists<L> {
    fn merge(&mut self, adjacency: &mut Adjacency) {
        if !self.collect(adjacency) {
            return;
        }
        adjacency.edges.clear();
        if adjacency.labels <= FEW_LABELS {
            let places = self.count();
            let edge = |(set, to): &(L, u32)| HalfEdge { label: places[set.number()], to: *to };
            adjacency.edges.extend(self.merged.iter().map(edge));
        } else {
            self.compare();
            let place = |set: &L| self.known.binary_search(set).unwrap_or(0) as u32;
            let edge = |(set, to): &(L, u32)| HalfEdge { label: place(set), to: *to };
            adjacency.edges.extend(self.merged.iter().map(edge));
        }
        adjacency.symmetric.clear();
        adjacency.symmetric.extend(self.known.iter().map(|set| set.reversed() == *set));
        adjacency.labels = self.known.len() as u32;
        adjacency.offsets[1..].copy_from_slice(&self.ends);
        if adjacency.labels > 1 {
            for ends in adjacency.offsets.windows(2) {
                let list = &mut adjacency.edges[ends[0] as usize..ends[1] as usize];
                list.sort_unstable_by_key(|e| e.label);
            }
        }
    }

    /// Finds the sets that occur in their order, whatever the order in which they were met.
    fn compare(&mut self) {
        self.known.clear();
        for (set, _) in &self.merged {
            if let Err(at) = self.known.binary_search(set) {
                self.known.insert(at, set.clone());
            }
        }
    }

    /// The same for sets of few labels, with the place of each by its number.
    fn count(&mut self) -> [u32; 1 << FEW_LABELS] {
        let mut first = [None; 1 << FEW_LABELS];
        for (set, _) in &self.merged {
            first[set.number()].get_or_insert(set);
        }
        self.known.clear();
        let mut places = [0; 1 << FEW_LABELS];
        for (place, set) in places.iter_mut().zip(first) {
            *place = self.known.len() as u32;
            self.known.extend(set.cloned());
        }
        places
    }

    /// Collects the labels of the edges between each two vertices, list by list. Whether there are several anywhere.
    fn collect(&mut self, adjacency: &Adjacency) -> bool {
        let n = adjacency.vertices();
        self.stamp.clear();
        self.stamp.resize(n, (u32::MAX, 0));
        self.merged.clear();
        self.ends.clear();
        for v in 0..n as u32 {
            for HalfEdge { label, to } in adjacency.of(v) {
                let (seen, at) = &mut self.stamp[*to as usize];
                if replace(seen, v) == v {
                    self.merged[*at as usize].0.insert(*label);
                } else {
                    *at = self.merged.len() as u32;
                    self.merged.push((L::one(*label, adjacency.labels), *to));
                }
            }
            self.ends.push(self.merged.len() as u32);
        }
        self.merged.len() < adjacency.edges.len()
    }
}
