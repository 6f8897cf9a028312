//! The symmetry group of an instance: the product of the full symmetric groups over the movable
//! elements of its symmetric sets.
//!
//! Symmetric are the deferred sets and the set parameters. An element that static symmetry has given
//! to a constant, or that a goal names, is *fixed*: no permutation of the group moves it.

use super::orbit::{Order, factorial};
use crate::machine::SetId;
use crate::value::{Bundle, Permutation};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;

/// A set with elements that may be renamed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymmetricSet {
    pub set: SetId,
    /// Number of elements, fixed ones included.
    pub size: u32,
    /// The elements that permutations may move, increasing.
    pub movable: Vec<u32>,
}

impl SymmetricSet {
    /// A set all of whose elements are interchangeable.
    pub fn all(set: SetId, size: u32) -> SymmetricSet {
        SymmetricSet { set, size, movable: (0..size).collect() }
    }

    /// A set of `size` elements, some of which must stay where they are.
    pub fn with_fixed(set: SetId, size: u32, fixed: &[u32]) -> SymmetricSet {
        let fixed: FxHashSet<u32> = fixed.iter().copied().collect();
        SymmetricSet { set, size, movable: (0..size).filter(|e| !fixed.contains(e)).collect() }
    }
}

/// Marks an element that has no point.
const NO_POINT: u32 = u32::MAX;

/// The group, with a dense numbering of the movable elements as *points*: the points of one set are
/// consecutive and in the order of its elements.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group {
    sets: Vec<SymmetricSet>,
    /// First point of each set in `sets`, and the number of points at the end.
    base: Vec<u32>,
    /// By `SetId`, by element; an empty list for a set without movable elements.
    points: Vec<Vec<u32>>,
}

impl Group {
    /// Sets with fewer than two movable elements are left out: nothing can move in them.
    pub fn new(sets: impl IntoIterator<Item = SymmetricSet>) -> Group {
        let mut sets: Vec<SymmetricSet> =
            sets.into_iter().filter(|s| s.movable.len() >= 2).collect();
        sets.sort_by_key(|s| s.set);
        let mut base = vec![0];
        let mut points: Vec<Vec<u32>> = Vec::new();
        for s in &sets {
            let first = base.last().copied().unwrap_or(0);
            let id = s.set.0 as usize;
            points.resize(points.len().max(id + 1), Vec::new());
            points[id] = vec![NO_POINT; s.size as usize];
            for (k, e) in s.movable.iter().enumerate() {
                points[id][*e as usize] = first + k as u32;
            }
            base.push(first + s.movable.len() as u32);
        }
        Group { sets, base, points }
    }

    /// The sets in which something can move, by `SetId`.
    pub fn sets(&self) -> &[SymmetricSet] {
        &self.sets
    }

    /// Whether the identity is the only member.
    pub fn is_trivial(&self) -> bool {
        self.sets.is_empty()
    }

    /// Number of points: of movable elements.
    pub fn points(&self) -> usize {
        self.base.last().map_or(0, |n| *n as usize)
    }

    /// The points of the `k`-th set of [`Group::sets`].
    pub fn range(&self, k: usize) -> std::ops::Range<usize> {
        self.base[k] as usize..self.base[k + 1] as usize
    }

    /// The point of an element; `None` when it cannot move.
    pub fn point(&self, set: SetId, element: u64) -> Option<u32> {
        let point = *self.points.get(set.0 as usize)?.get(element as usize)?;
        (point != NO_POINT).then_some(point)
    }

    /// The element that a point stands for.
    pub fn element(&self, point: u32) -> (SetId, u32) {
        let k = self.base.partition_point(|b| *b <= point) - 1;
        (self.sets[k].set, self.sets[k].movable[(point - self.base[k]) as usize])
    }

    /// All permutations of this many strands of points, given row by row: each row is of one set.
    pub fn bundle(&self, count: usize, mut points: Vec<u32>) -> Bundle {
        let set_of = |row: &mut [u32]| {
            let k = self.base.partition_point(|b| *b <= row[0]) - 1;
            let (SymmetricSet { set, size, movable }, base) = (&self.sets[k], self.base[k]);
            row.iter_mut().for_each(|point| *point = movable[(*point - base) as usize]);
            (*set, *size)
        };
        let sets = points.chunks_exact_mut(count).map(set_of).collect();
        Bundle { count, sets, elements: points }
    }

    /// Whether elements of this set can move.
    pub fn moves(&self, set: SetId) -> bool {
        self.points.get(set.0 as usize).is_some_and(|p| !p.is_empty())
    }

    /// Number of permutations.
    pub fn order(&self) -> BigUint {
        self.exact_order().to_biguint()
    }

    /// Number of permutations, without a big number where it fits 128 bits.
    pub fn exact_order(&self) -> Order {
        self.sets.iter().fold(Order::ONE, |o, s| o.times(&factorial(s.movable.len())))
    }

    /// The permutation that takes point `p` to point `images[p]`; each must stay inside its set.
    pub fn permutation(&self, images: &[u32]) -> Permutation {
        let mut permutation = Permutation::default();
        self.write_permutation(images, &mut permutation);
        permutation
    }

    /// [`Group::permutation`] into an existing one, whose memory is used again.
    pub fn write_permutation(&self, images: &[u32], into: &mut Permutation) {
        into.maps.resize(self.points.len(), Vec::new());
        for (k, s) in self.sets.iter().enumerate() {
            let map = &mut into.maps[s.set.0 as usize];
            map.clear();
            let first = self.base[k];
            if s.movable.len() == s.size as usize {
                // Points are elements, but for where they begin.
                map.extend(images[self.range(k)].iter().map(|image| image - first));
                continue;
            }
            map.extend(0..s.size);
            for (j, e) in s.movable.iter().enumerate() {
                let image = images[first as usize + j] - first;
                map[*e as usize] = s.movable[image as usize];
            }
        }
    }

    /// A permutation drawn with `below(n)`, which gives a number below `n` (uniform draws give
    /// uniform permutations: Fisher and Yates).
    pub fn random(&self, below: &mut dyn FnMut(u32) -> u32) -> Permutation {
        let mut images: Vec<u32> = (0..self.points() as u32).collect();
        for k in 0..self.sets.len() {
            let range = self.range(k);
            for i in (range.start + 1..range.end).rev() {
                let j = range.start + below((i - range.start + 1) as u32) as usize;
                images.swap(i, j);
            }
        }
        self.permutation(&images)
    }

    /// Permutations that generate the group: a swap in each set, and a cycle through it where it has
    /// more than two points.
    pub fn generators(&self) -> Vec<Permutation> {
        let identity = || (0..self.points() as u32).collect::<Vec<u32>>();
        let of_set = |k: usize| {
            let range = self.range(k);
            let (mut cycle, mut swap) = (identity(), identity());
            swap.swap(range.start, range.start + 1);
            cycle[range].rotate_left(1);
            let images = [Some(&swap), Some(&cycle).filter(|cycle| **cycle != swap)];
            images.into_iter().flatten().map(|images| self.permutation(images)).collect::<Vec<_>>()
        };
        (0..self.sets.len()).flat_map(of_set).collect()
    }

    /// Every permutation of the group, the identity first. There are `order()` of them: for tests
    /// and for very small groups.
    pub fn all(&self) -> impl Iterator<Item = Permutation> + '_ {
        let mut images: Option<Vec<u32>> = Some((0..self.points() as u32).collect());
        std::iter::from_fn(move || {
            let current = images.as_mut()?;
            let permutation = self.permutation(current);
            let advanced =
                (0..self.sets.len()).any(|k| next_arrangement(&mut current[self.range(k)]));
            if !advanced {
                images = None;
            }
            Some(permutation)
        })
    }
}

/// The lexicographically next arrangement; the first one again, and false, after the last.
pub fn next_arrangement(list: &mut [u32]) -> bool {
    let Some(i) = (1..list.len()).rev().find(|i| list[i - 1] < list[*i]) else {
        list.reverse();
        return false;
    };
    let j = (i..list.len()).rev().find(|j| list[*j] > list[i - 1]).unwrap_or(i);
    list.swap(i - 1, j);
    list[i..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn group() -> Group {
        Group::new([
            SymmetricSet::with_fixed(SetId(2), 4, &[1]),
            SymmetricSet::all(SetId(0), 2),
            SymmetricSet::all(SetId(3), 1),
        ])
    }

    #[test]
    fn points_are_dense_and_ordered() {
        let g = group();
        assert_eq!(g.points(), 5);
        assert_eq!(g.point(SetId(0), 1), Some(1));
        assert_eq!(g.point(SetId(2), 0), Some(2));
        assert_eq!(g.point(SetId(2), 1), None);
        assert_eq!(g.point(SetId(2), 3), Some(4));
        assert_eq!(g.point(SetId(3), 0), None);
        assert_eq!(g.element(4), (SetId(2), 3));
        assert!(!g.moves(SetId(1)) && !g.moves(SetId(3)) && g.moves(SetId(2)));
    }

    #[test]
    fn all_permutations_are_distinct_and_counted() {
        let g = group();
        let all: HashSet<Permutation> = g.all().collect();
        assert_eq!(BigUint::from(all.len()), g.order());
        assert_eq!(all.len(), 12);
        assert!(all.iter().all(|p| p.element(SetId(2), 1) == 1));
        assert_eq!(Group::default().all().count(), 1);
    }

    #[test]
    fn the_generators_generate_every_permutation() {
        let g = group();
        let identity = g.all().next().unwrap();
        let (mut found, mut waiting) = (HashSet::from([identity.clone()]), vec![identity]);
        while let Some(p) = waiting.pop() {
            for by in g.generators() {
                let next = p.then(&by);
                if found.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        assert_eq!(BigUint::from(found.len()), g.order());
    }

    #[test]
    fn random_permutations_reach_every_member() {
        let g = group();
        let mut seed = 7u64;
        let mut below = |n: u32| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) % n as u64) as u32
        };
        let seen: HashSet<Permutation> = (0..400).map(|_| g.random(&mut below)).collect();
        assert_eq!(seen.len(), 12);
    }
}
