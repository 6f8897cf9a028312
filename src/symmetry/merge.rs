//! All edges between the same two vertices become one, whose label is the set of theirs.

use super::refine::{Adjacency, HalfEdge};
use smallvec::SmallVec;
use std::mem::{replace, swap};

/// A set of labels. Sets are compared as the numbers that they are in binary: sets of one label are in the order of
/// the labels.
trait Labels: Clone + Ord {
    /// The set of one label, among so many.
    fn one(label: u32, among: u32) -> Self;

    fn insert(&mut self, label: u32);

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

    fn reversed(&self) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        (self & EVEN) << 1 | self >> 1 & EVEN
    }
}

/// Any labels: those below 64 in the last word, and so on.
impl Labels for SmallVec<[u64; 4]> {
    fn one(label: u32, among: u32) -> Self {
        let mut set = smallvec::smallvec![0; among.div_ceil(64) as usize];
        Labels::insert(&mut set, label);
        set
    }

    fn insert(&mut self, label: u32) {
        let last = self.len() - 1;
        self[last - label as usize / 64].insert(label % 64);
    }

    fn reversed(&self) -> Self {
        self.iter().map(u64::reversed).collect()
    }
}

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

/// No place.
const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
struct Lists<L> {
    /// By vertex: the last list it was met in.
    met: Vec<u32>,
    /// The vertices that have several edges to one.
    several: Vec<u32>,
    /// The merged lists of these, one after the other, and where they end.
    merged: Vec<(L, u32)>,
    ends: Vec<u32>,
    /// By vertex: where in the merged list at hand its edge is, counted from 1.
    place: Vec<u32>,
    /// The sets that occur, in order: their places are the new labels.
    known: Vec<L>,
    /// By label, the new label of the set of this one; of a label that occurs in lists with nothing to merge.
    alone: Vec<u32>,
    /// The lists of all vertices.
    edges: Vec<HalfEdge>,
}

impl<L: Labels> Lists<L> {
    fn merge(&mut self, adjacency: &mut Adjacency) {
        if !self.find(adjacency) {
            return;
        }
        self.collect(adjacency);
        self.number(adjacency);
        self.rewrite(adjacency);
        adjacency.symmetric.clear();
        adjacency.symmetric.extend(self.known.iter().map(|set| set.reversed() == *set));
        adjacency.labels = self.known.len() as u32;
    }

    /// Finds the lists in which there is something to merge, and the labels of the others. Whether there are any.
    fn find(&mut self, adjacency: &Adjacency) -> bool {
        let n = adjacency.vertices();
        self.met.clear();
        self.met.resize(n, NONE);
        self.several.clear();
        self.alone.clear();
        self.alone.resize(adjacency.labels as usize, NONE);
        for v in 0..n as u32 {
            let list = adjacency.of(v);
            if list.iter().any(|edge| replace(&mut self.met[edge.to as usize], v) == v) {
                self.several.push(v);
            } else {
                list.iter().for_each(|edge| self.alone[edge.label as usize] = 0);
            }
        }
        !self.several.is_empty()
    }

    /// Collects the labels of the edges to each vertex, in the lists where there are several.
    fn collect(&mut self, adjacency: &Adjacency) {
        self.merged.clear();
        self.ends.clear();
        self.place.clear();
        self.place.resize(adjacency.vertices(), 0);
        for v in &self.several {
            let begin = self.merged.len();
            for HalfEdge { label, to } in adjacency.of(*v) {
                let place = &mut self.place[*to as usize];
                if *place as usize > begin {
                    self.merged[*place as usize - 1].0.insert(*label);
                } else {
                    self.merged.push((L::one(*label, adjacency.labels), *to));
                    *place = self.merged.len() as u32;
                }
            }
            self.ends.push(self.merged.len() as u32);
        }
    }

    /// Numbers the sets that occur in their order, whatever the order in which they were met.
    fn number(&mut self, adjacency: &Adjacency) {
        let one = |label: usize| L::one(label as u32, adjacency.labels);
        let occurs = |(label, place): (usize, &u32)| (*place != NONE).then_some(label);
        self.known.clear();
        self.known.extend(self.alone.iter().enumerate().filter_map(occurs).map(one));
        for alike in self.merged.chunk_by(|a, b| a.0 == b.0) {
            let set = &alike[0].0;
            if let Err(at) = self.known.binary_search(set) {
                self.known.insert(at, set.clone());
            }
        }
        for label in 0..self.alone.len() {
            if self.alone[label] != NONE {
                self.alone[label] = place(&self.known, &one(label));
            }
        }
    }

    /// Writes the lists again, each where the one before it now ends.
    fn rewrite(&mut self, adjacency: &mut Adjacency) {
        let Lists { several, merged, ends, known, alone, edges, .. } = self;
        let mut several = several.iter().zip(ends).peekable();
        let (mut begin, mut from) = (0, 0);
        edges.clear();
        for v in 0..adjacency.vertices() {
            let first = edges.len();
            let end = adjacency.offsets[v + 1] as usize;
            if let Some((_, to)) = several.next_if(|(w, _)| **w as usize == v) {
                for alike in merged[from..*to as usize].chunk_by(|a, b| a.0 == b.0) {
                    let label = place(known, &alike[0].0);
                    edges.extend(alike.iter().map(|(_, to)| HalfEdge { label, to: *to }));
                }
                from = *to as usize;
                if !edges[first..].is_sorted_by_key(|e| e.label) {
                    edges[first..].sort_unstable_by_key(|e| e.label);
                }
            } else {
                let list = adjacency.edges[begin..end].iter();
                edges.extend(list.map(|e| HalfEdge { label: alone[e.label as usize], ..*e }));
            }
            adjacency.offsets[v + 1] = edges.len() as u32;
            begin = end;
        }
        swap(edges, &mut adjacency.edges);
    }
}

/// The new label of a set that is known.
fn place<L: Labels>(known: &[L], set: &L) -> u32 {
    known.binary_search(set).unwrap_or_default() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// The edges of each vertex by where they lead, and the sets of labels as the numbers that they are.
    fn merged_slowly(adjacency: &Adjacency) -> Vec<Vec<HalfEdge>> {
        let lists = (0..adjacency.vertices() as u32).map(|v| {
            let mut sets: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
            for HalfEdge { label, to } in adjacency.of(v) {
                sets.entry(*to).or_default().insert(*label);
            }
            sets
        });
        let lists: Vec<_> = lists.collect();
        // Numbers are compared digit by digit, the greatest label first.
        let number = |set: &BTreeSet<u32>| set.iter().rev().copied().collect::<Vec<u32>>();
        let known: BTreeSet<_> = lists.iter().flat_map(|sets| sets.values().map(number)).collect();
        let known: Vec<_> = known.into_iter().collect();
        let place = |set: &BTreeSet<u32>| known.binary_search(&number(set)).unwrap() as u32;
        let edges = |sets: &BTreeMap<u32, BTreeSet<u32>>| {
            let mut list: Vec<HalfEdge> =
                sets.iter().map(|(to, set)| HalfEdge { label: place(set), to: *to }).collect();
            list.sort_unstable();
            list
        };
        lists.iter().map(edges).collect()
    }

    #[test]
    fn lists_are_merged_as_sets_of_labels_say() {
        let mut seed = 5u64;
        let mut below = |n: u32| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as u32 % n
        };
        let (mut merger, mut several) = (Merger::default(), [0, 0]);
        for round in 0..400 {
            let n = 2 + below(12);
            // Few labels, or more than a word has bits.
            let labels = if round % 4 == 0 { 33 + below(40) } else { 1 + below(4) };
            let mut lists: Vec<BTreeSet<HalfEdge>> = vec![BTreeSet::new(); n as usize];
            for _ in 0..below(4 * n) {
                let (u, v, label) = (below(n), below(n), below(labels));
                if u != v {
                    lists[u as usize].insert(HalfEdge { label: 2 * label, to: v });
                    lists[v as usize].insert(HalfEdge { label: 2 * label + 1, to: u });
                }
            }
            let mut adjacency = Adjacency { labels: 2 * labels, ..Adjacency::default() };
            adjacency.offsets.push(0);
            for list in &lists {
                adjacency.edges.extend(list);
                adjacency.offsets.push(adjacency.edges.len() as u32);
            }
            let expected = merged_slowly(&adjacency);
            let before = adjacency.clone();
            merger.merge(&mut adjacency);
            if expected.iter().map(Vec::len).sum::<usize>() == before.edges.len() {
                assert_eq!(adjacency.edges, before.edges);
                continue;
            }
            several[usize::from(labels > 32)] += 1;
            for (v, expected) in expected.iter().enumerate() {
                let mut list = adjacency.of(v as u32).to_vec();
                assert!(list.is_sorted_by_key(|e| e.label));
                list.sort_unstable();
                assert_eq!(list, *expected, "{before:?}");
            }
        }
        assert!(several[0] > 50 && several[1] > 20, "{several:?}");
    }
}
