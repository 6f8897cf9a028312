//! One tuple of arguments for each orbit of a state's automorphisms.
//!
//! An automorphism of a state maps the solutions of a guard to solutions, and what follows from one
//! tuple of arguments to what follows from its image. So the body need only be run for one tuple of
//! each orbit, which stands for as many transitions as the orbit has members.

use super::instances::{Instances, Numbering, Tuples};
use super::program::Program;
use super::select::Select;
use super::stop::Stop;
use crate::clock::{self, Stopped};
use crate::machine::OpId;
use crate::value::{Index, IndexKind, Permutation, Shape, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Universes of tuples up to this size are looked up in a table, larger ones in a hash map.
const TABLE_LIMIT: u128 = 1 << 16;

/// Bytes that finding the orbits takes for each tuple, roughly: two words, and its place in an index.
const TUPLE_BYTES: usize = 40;

/// Places whose universe is no larger than this have their tuples listed by what stands there.
const LIST_LIMIT: u128 = 1 << 12;

/// The tuples, by what stands at each place: a generator that moves two elements moves few tuples, and
/// only those need to be looked at.
#[derive(Default, Debug)]
struct ByPlace {
    /// What stands at the places of each tuple, one tuple after the other.
    standing: Vec<u64>,
    /// For each place and value, where its tuples end in `tuples`; they begin where those before end.
    ends: Vec<u32>,
    tuples: Vec<u32>,
}

impl ByPlace {
    /// Takes the keys of tuples apart.
    fn read(&mut self, universes: &[Arc<Index>], keys: &[u64]) -> Result<(), Stopped> {
        let places = universes.len();
        self.standing.clear();
        self.standing.resize(keys.len() * places, 0);
        for (i, key) in keys.iter().enumerate() {
            clock::tick()?;
            let mut rest = *key;
            for (place, u) in universes.iter().enumerate().rev() {
                let n = u.size as u64;
                self.standing[i * places + place] = rest % n;
                rest /= n;
            }
        }
        Ok(())
    }

    /// Lists the tuples that were read; false, and no lists, where some universe is too large.
    fn list(&mut self, universes: &[Arc<Index>]) -> Result<bool, Stopped> {
        if universes.iter().any(|u| u.size > LIST_LIMIT) {
            return Ok(false);
        }
        let total: usize = universes.iter().map(|u| u.size as usize).sum();
        self.ends.clear();
        self.ends.resize(total, 0);
        self.tuples.clear();
        self.tuples.resize(self.standing.len(), 0);
        let standing = &self.standing;
        let each = |visit: &mut dyn FnMut(usize, usize)| {
            standing.chunks_exact(universes.len().max(1)).enumerate().try_for_each(|(i, values)| {
                clock::tick()?;
                let mut first = 0;
                for (u, value) in universes.iter().zip(values) {
                    visit(i, first + *value as usize);
                    first += u.size as usize;
                }
                Ok(())
            })
        };
        each(&mut |_, at| self.ends[at] += 1)?;
        // Where each list begins; filling moves it to its end.
        let mut begin = 0;
        for end in &mut self.ends {
            begin += std::mem::replace(end, begin);
        }
        each(&mut |i, at| {
            let end = &mut self.ends[at];
            self.tuples[*end as usize] = i as u32;
            *end += 1;
        })?;
        Ok(true)
    }

    /// The key of the image of a tuple.
    fn image(&self, universes: &[Arc<Index>], i: usize, by: &Permutation) -> u64 {
        let values = &self.standing[i * universes.len()..][..universes.len()];
        let places = universes.iter().zip(values);
        places.fold(0, |key, (u, value)| key * u.size as u64 + by.index(u, *value))
    }

    /// Calls `f` with each tuple in which a permutation moves something, once for each such place; of two
    /// tuples that it exchanges with at least one of them.
    fn each_moved(
        &self,
        universes: &[Arc<Index>],
        by: &Permutation,
        mut f: impl FnMut(usize) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let exchanges = by.is_involution();
        let is_visited = |value: u64, image: u64| value < image || !exchanges && value > image;
        let mut first = 0;
        for u in universes {
            let mut visit = |value: usize| {
                let at = first + value;
                let begin = if at == 0 { 0 } else { self.ends[at - 1] as usize };
                self.tuples[begin..self.ends[at] as usize].iter().try_for_each(|i| f(*i as usize))
            };
            match &u.kind {
                IndexKind::Element(set) => {
                    let map = by.maps.get(set.0 as usize).map_or(&[][..], Vec::as_slice);
                    let moved = map.iter().enumerate();
                    let moved = moved.filter(|(v, image)| is_visited(*v as u64, **image as u64));
                    moved.map(|(v, _)| v).try_for_each(&mut visit)?;
                }
                _ => (0..u.size as u64)
                    .filter(|v| is_visited(*v, by.index(u, *v)))
                    .try_for_each(|v| visit(v as usize))?,
            }
            first += u.size as usize;
        }
        Ok(())
    }
}

/// A selection of one instance for each orbit under automorphisms of the state.
pub struct Orbits<'a> {
    automorphisms: &'a [Permutation],
    forest: &'a mut Forest,
}

impl Orbits<'_> {
    pub fn under<'a>(automorphisms: &'a [Permutation], forest: &'a mut Forest) -> Orbits<'a> {
        Orbits { automorphisms, forest }
    }

    /// Adds the weights of the instances of each orbit up, at the first of them that has one. All that are
    /// enabled must be listed.
    pub(super) fn merge(
        &mut self,
        program: &Program,
        enabled: &Instances,
        weights: &mut [u32],
    ) -> Result<(), Stop> {
        for (operation, numbers) in enabled.operations() {
            let numbering = program.numbering(operation);
            let weights = &mut weights[numbers.clone()];
            if weights.iter().filter(|w| **w > 0).count() > 1 && self.lists(operation, numbering) {
                self.forest.find_orbits(enabled.tuples(numbers), numbering, self.automorphisms)?;
                self.forest.merge(weights)?;
            }
        }
        Ok(())
    }
}

impl Select for Orbits<'_> {
    fn lists(&self, _: OpId, arguments: &Numbering) -> bool {
        !self.automorphisms.is_empty() && arguments.is_moved_by(self.automorphisms)
    }

    fn weigh(
        &mut self,
        program: &Program,
        enabled: &Instances,
        weights: &mut [u32],
    ) -> Result<(), Stop> {
        for (operation, numbers) in enabled.operations() {
            let tuples = enabled.tuples(numbers.clone());
            self.forest.find_orbits(tuples, program.numbering(operation), self.automorphisms)?;
            self.forest.sizes(&mut weights[numbers])?;
        }
        Ok(())
    }
}

/// Finds orbits of tuples. Its memory is used again.
#[derive(Default, Debug)]
pub struct Forest {
    /// Union-find forest over the tuples; the root is the first tuple of its class.
    parent: Vec<u32>,
    table: Vec<u32>,
    by_place: ByPlace,
}

impl Numbering {
    /// Whether some permutation could move a tuple.
    pub fn is_moved_by(&self, generators: &[Permutation]) -> bool {
        let moved = |shape: &Shape| generators.iter().any(|g| g.touches(shape));
        match self {
            Numbering::Keys(universes, _) => {
                universes.iter().any(|u| moved(&Shape::Index(u.clone())))
            }
            Numbering::Values(shapes) => shapes.iter().any(moved),
        }
    }
}

impl Forest {
    /// Finds the orbits under the group that the permutations generate. The set of tuples must be
    /// closed under them, as the solutions of a guard are under automorphisms of the state.
    ///
    /// # Errors
    /// The work is to end.
    fn find_orbits(
        &mut self,
        tuples: Tuples<'_>,
        numbering: &Numbering,
        generators: &[Permutation],
    ) -> Result<(), Stopped> {
        let n = tuples.len();
        // Lists and an index over the tuples are made; what is held already is looked at by the clock.
        clock::take(n * TUPLE_BYTES)?;
        clock::spend(n)?;
        self.parent.clear();
        self.parent.extend(0..n as u32);
        match numbering {
            Numbering::Keys(universes, size) if *size <= TABLE_LIMIT => {
                let mut table = std::mem::take(&mut self.table);
                table.clear();
                table.resize(*size as usize, u32::MAX);
                for (i, key) in tuples.keys.iter().enumerate() {
                    table[*key as usize] = i as u32;
                }
                self.join_keys((universes, tuples.keys), generators, |key| {
                    let at = table[key as usize];
                    (at != u32::MAX).then_some(at)
                })?;
                self.table = table;
            }
            Numbering::Keys(universes, _) => {
                let mut index: FxHashMap<u64, u32> = FxHashMap::default();
                for (i, key) in tuples.keys.iter().enumerate() {
                    clock::tick()?;
                    index.insert(*key, i as u32);
                }
                self.join_keys((universes, tuples.keys), generators, |key| {
                    index.get(&key).copied()
                })?;
            }
            Numbering::Values(shapes) => {
                let mut index: FxHashMap<Vec<Value>, u32> = FxHashMap::default();
                for i in 0..n {
                    clock::tick()?;
                    index.insert(tuples.values(i).to_vec(), i as u32);
                }
                for (g, i) in generators.iter().flat_map(|g| (0..n).map(move |i| (g, i))) {
                    clock::tick()?;
                    let image =
                        shapes.iter().zip(tuples.values(i)).map(|(shape, v)| g.apply(shape, v));
                    if let Some(j) = index.get(&image.collect::<Vec<Value>>()) {
                        self.unite(i as u32, *j);
                    }
                }
            }
        }
        Ok(())
    }

    /// For the first tuple of each orbit how many it has; 0 for the others.
    fn sizes(&mut self, sizes: &mut [u32]) -> Result<(), Stopped> {
        sizes.fill(0);
        for i in 0..sizes.len() {
            clock::tick()?;
            let root = self.root(i as u32);
            sizes[root as usize] += 1;
        }
        Ok(())
    }

    /// Adds weights up, at the first tuple of each orbit that has one.
    fn merge(&mut self, weights: &mut [u32]) -> Result<(), Stopped> {
        let mut first = vec![u32::MAX; weights.len()];
        for i in 0..weights.len() {
            clock::tick()?;
            if weights[i] == 0 {
                continue;
            }
            let at = &mut first[self.root(i as u32) as usize];
            if *at == u32::MAX {
                *at = i as u32;
            } else {
                let weight = std::mem::take(&mut weights[i]);
                weights[*at as usize] += weight;
            }
        }
        Ok(())
    }

    /// Joins each tuple with its images; `find` tells the tuple with a key.
    fn join_keys(
        &mut self,
        (universes, keys): (&[Arc<Index>], &[u64]),
        generators: &[Permutation],
        find: impl Fn(u64) -> Option<u32>,
    ) -> Result<(), Stopped> {
        let mut by_place = std::mem::take(&mut self.by_place);
        by_place.read(universes, keys)?;
        let listed = by_place.list(universes)?;
        let result = generators.iter().try_for_each(|g| {
            let join = |i: usize| {
                clock::tick()?;
                if let Some(j) = find(by_place.image(universes, i, g)) {
                    self.unite(i as u32, j);
                }
                Ok(())
            };
            match listed {
                true => by_place.each_moved(universes, g, join),
                false => (0..keys.len()).try_for_each(join),
            }
        });
        self.by_place = by_place;
        result
    }

    /// Makes one class of two; the earlier tuple stays the root.
    fn unite(&mut self, i: u32, j: u32) {
        let (a, b) = (self.root(i), self.root(j));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn root(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            self.parent[i as usize] = self.parent[self.parent[i as usize] as usize];
            i = self.parent[i as usize];
        }
        i
    }
}
