//! Elements that a group exchanges freely, and tuples told apart by them.
//!
//! Much of a state's automorphisms exchanges elements that nothing tells apart. Transpositions that hang together
//! generate the whole symmetric group of the elements that they move: a block. So does a cycle with a transposition of
//! two neighbours in it. Under that group a tuple of elements is what its blocks are, and which of its places hold the
//! same element; so the orbits of tuples are read off without a look at these generators.

use crate::value::{Index, IndexKind, Permutation, Shape};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Classes of tuples are numbered by way of a table up to this size, of a hash map beyond.
const TABLE_LIMIT: u64 = 1 << 16;

/// The blocks of some generators. Its memory is used again.
#[derive(Default, Debug)]
pub struct Blocks {
    /// For each set that something is moved in, the least element of each element's block.
    first: Vec<Vec<u32>>,
    /// The numbers of the generators that do more than to exchange the elements of a block.
    others: Vec<usize>,
    table: Vec<u32>,
}

/// A permutation that is one cycle of elements of one set.
struct Cycle<'a> {
    /// The number of the generator.
    number: usize,
    set: usize,
    map: &'a [u32],
    /// An element that it moves, and how many there are.
    start: u32,
    length: usize,
}

impl<'a> Cycle<'a> {
    fn of(number: usize, permutation: &'a Permutation) -> Option<Cycle<'a>> {
        let mut found: Option<Cycle> = None;
        for (set, map) in permutation.maps.iter().enumerate() {
            let mut moved = (0..).zip(map).filter(|(v, image)| v != *image).map(|(v, _)| v);
            let Some(start) = moved.next() else { continue };
            let length = 1 + moved.count();
            let cycle = Cycle { number, set, map, start, length };
            if found.is_some() || cycle.elements().count() < length {
                return None;
            }
            found = Some(cycle);
        }
        found
    }

    fn elements(&self) -> impl Iterator<Item = u32> + '_ {
        let next = |v: &u32| Some(self.map[*v as usize]).filter(|v| *v != self.start);
        std::iter::successors(Some(self.start), next)
    }

    /// Whether a transposition exchanges neighbours in it.
    fn has_neighbours(&self, other: &Cycle<'_>) -> bool {
        let (a, b) = (other.start, other.map[other.start as usize]);
        self.set == other.set && (self.map[a as usize] == b || self.map[b as usize] == a)
    }
}

impl Blocks {
    /// Takes in the generators of a group.
    pub fn read(&mut self, generators: &[Permutation]) {
        self.others.clear();
        let sets = generators.iter().map(|g| g.maps.len()).max().unwrap_or(0);
        self.first.resize_with(sets, Vec::new);
        self.first.iter_mut().for_each(Vec::clear);
        let (mut exchanges, mut cycles) = (Vec::new(), Vec::new());
        for (number, generator) in generators.iter().enumerate() {
            for (first, map) in self.first.iter_mut().zip(&generator.maps) {
                first.extend(first.len() as u32..map.len() as u32);
            }
            match Cycle::of(number, generator) {
                Some(cycle) if cycle.length == 2 => exchanges.push(cycle),
                Some(cycle) => cycles.push(cycle),
                None => self.others.push(number),
            }
        }
        for cycle in cycles {
            match exchanges.iter().any(|exchange| cycle.has_neighbours(exchange)) {
                true => exchanges.push(cycle),
                false => self.others.push(cycle.number),
            }
        }
        for cycle in exchanges {
            let first = &mut self.first[cycle.set];
            cycle.elements().for_each(|v| unite(first, cycle.start, v));
        }
        for first in &mut self.first {
            for v in 0..first.len() {
                // Those before it have their least ones already.
                first[v] = first[first[v] as usize];
            }
        }
    }

    /// The numbers of the generators that do more.
    pub fn others(&self) -> &[usize] {
        &self.others
    }

    /// How many classes of tuples there are at most, where what is exchanged freely are elements that stand for
    /// themselves in these universes.
    pub fn tell(&self, universes: &[Arc<Index>], generators: &[Permutation]) -> Option<u64> {
        let stands_for_itself = |u: &Arc<Index>| match u.kind {
            IndexKind::Element(_) => true,
            _ => !generators.iter().any(|g| g.touches(&Shape::Index(u.clone()))),
        };
        let all_others = self.others.len() == generators.len();
        if all_others || universes.is_empty() || !universes.iter().all(stands_for_itself) {
            return None;
        }
        universes.iter().try_fold(1u64, |size, u| size.checked_mul(radix(u, universes.len())?))
    }

    /// For each of some tuples, which stand one after the other, the first one of its orbit under the blocks' groups.
    /// `size`: how many classes there are at most.
    pub fn classes(
        &mut self,
        universes: &[Arc<Index>],
        size: u64,
        standing: &[u64],
        classes: &mut Vec<u32>,
    ) {
        let places = universes.len();
        let Blocks { first: blocks, table, .. } = self;
        let class = |tuple: &[u64]| {
            let parts = universes.iter().zip(tuple).enumerate();
            parts.fold(0, |class, (place, (u, v))| {
                let again = || (0..place).find(|p| tuple[*p] == *v && universes[*p].kind == u.kind);
                let part = match &u.kind {
                    IndexKind::Element(set) => match again() {
                        Some(earlier) => u.size as u64 + earlier as u64,
                        None => block(blocks, set.0 as usize, *v),
                    },
                    _ => *v,
                };
                class * (u.size as u64 + places as u64) + part
            })
        };
        let tuples = standing.chunks_exact(places).zip(0..);
        if size > TABLE_LIMIT {
            let mut table: FxHashMap<u64, u32> = FxHashMap::default();
            classes.extend(tuples.map(|(tuple, i)| *table.entry(class(tuple)).or_insert(i)));
            return;
        }
        table.clear();
        table.resize(size as usize, u32::MAX);
        classes.extend(tuples.map(|(tuple, i)| {
            let first = &mut table[class(tuple) as usize];
            *first = i.min(*first);
            *first
        }));
    }
}

/// The least element of an element's block.
fn block(blocks: &[Vec<u32>], set: usize, element: u64) -> u64 {
    let first = blocks.get(set).and_then(|first| first.get(element as usize));
    first.map_or(element, |first| u64::from(*first))
}

/// How many parts of a tuple's class a place can have: its members, and each place that may have held it before.
fn radix(u: &Index, places: usize) -> Option<u64> {
    u64::try_from(u.size).ok()?.checked_add(places as u64)
}

/// Makes one block of two; the least element stays the root.
fn unite(first: &mut [u32], a: u32, b: u32) {
    let root = |mut v: u32| {
        while first[v as usize] != v {
            v = first[v as usize];
        }
        v
    };
    let (a, b) = (root(a), root(b));
    first[a.max(b) as usize] = a.min(b);
}
