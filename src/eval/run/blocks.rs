//! Elements that a group exchanges freely, and tuples told apart by them.
//!
//! Much of a state's automorphisms exchanges elements that nothing tells apart. Transpositions that hang together
//! generate the whole symmetric group of the elements that they move: a block. So does a cycle with a transposition of
//! two neighbours in it. Under that group a tuple of elements is what its blocks are, and which of its places hold the
//! same element; so the orbits of tuples are read off without a look at these generators.

use crate::lower::exchanged::Exchanged;
use crate::value::{Bundle, Generators, Index, IndexKind, Permutation, Shape};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Classes of tuples are numbered by way of a table up to this size, of a hash map beyond.
const TABLE_LIMIT: u64 = 1 << 16;

/// The blocks of some generators. Its memory is used again.
#[derive(Default, Debug)]
pub struct Blocks {
    exchanged: Arc<Exchanged>,
    /// The numbers of those permutations that do more than to exchange the elements of a block.
    others: Vec<usize>,
    /// Those of strands, as far as these are not told by what is exchanged.
    spread: Vec<Permutation>,
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
    /// Takes in the generators of a group. Blocks are as large as that the group takes blocks to blocks.
    pub fn read(&mut self, generators: &Generators) {
        self.others.clear();
        self.spread.clear();
        let blocks = Arc::make_mut(&mut self.exchanged);
        blocks.clear();
        for bundle in generators.exchanges() {
            for (set, size, elements) in bundle.rows() {
                let set = set.0 as usize;
                blocks.add(set, size as usize);
                for two in elements.windows(2) {
                    blocks.join(set, two[0], two[1]);
                }
            }
        }
        if !generators.others.is_empty() {
            self.read_others(&generators.others);
        }
        let blocks = Arc::make_mut(&mut self.exchanged);
        let strands = || generators.strands();
        if self.others.is_empty() && strands().next().is_some() && blocks.add_strands(strands()) {
            blocks.settle();
            if blocks.are_nested(strands()) {
                return;
            }
        }
        blocks.forget_strands();
        self.spread.extend(strands().flat_map(Bundle::permutations));
        for bundle in strands() {
            bundle.rows().for_each(|(set, size, _)| blocks.add(set.0 as usize, size as usize));
        }
        blocks.close(self.others.iter().map(|i| &generators.others[*i]).chain(&self.spread));
        blocks.settle();
    }

    /// Joins the elements of those that are cycles, as far as these generate all permutations of them.
    fn read_others(&mut self, others: &[Permutation]) {
        let blocks = Arc::make_mut(&mut self.exchanged);
        let (mut exchanges, mut cycles) = (Vec::new(), Vec::new());
        for (number, generator) in others.iter().enumerate() {
            for (set, map) in generator.maps.iter().enumerate() {
                blocks.add(set, map.len());
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
            for v in cycle.elements() {
                blocks.join(cycle.set, cycle.start, v);
            }
        }
    }

    /// The elements that are exchanged.
    pub fn exchanged(&self) -> &Arc<Exchanged> {
        &self.exchanged
    }

    /// The permutations that do more than to exchange these.
    pub fn others<'g>(
        &'g self,
        generators: &'g Generators,
    ) -> impl Iterator<Item = &'g Permutation> + Clone {
        self.others.iter().map(|i| &generators.others[*i]).chain(&self.spread)
    }

    /// The same, and those of strands that are told by what is exchanged: blocks say nothing of them.
    pub fn left(&self, generators: &Generators) -> Vec<Permutation> {
        let told = generators.strands().filter(|_| self.exchanged.has_strands());
        told.flat_map(Bundle::permutations).chain(self.others(generators).cloned()).collect()
    }

    /// How many classes of tuples there are at most, where what is exchanged freely are elements that stand for
    /// themselves in these universes.
    pub fn tell(&self, universes: &[Arc<Index>], generators: &Generators) -> Option<u64> {
        let stands_for_itself = |u: &Arc<Index>| match u.kind {
            IndexKind::Element(_) => true,
            _ => !generators.touch(&Shape::Index(u.clone())),
        };
        let exchanges = generators.exchanges().next().is_some();
        let all_others = !exchanges && self.others.len() == generators.others.len();
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
        let Blocks { exchanged, table, .. } = self;
        let class = |tuple: &[u64]| {
            let parts = universes.iter().zip(tuple).enumerate();
            parts.fold(0, |class, (place, (u, v))| {
                let again = || (0..place).find(|p| tuple[*p] == *v && universes[*p].kind == u.kind);
                let part = match &u.kind {
                    IndexKind::Element(set) => match again() {
                        Some(earlier) => u.size as u64 + earlier as u64,
                        None => u64::from(exchanged.place(set.0 as usize, *v).0),
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

/// How many parts of a tuple's class a place can have: its members, and each place that may have held it before.
fn radix(u: &Index, places: usize) -> Option<u64> {
    u64::try_from(u.size).ok()?.checked_add(places as u64)
}
