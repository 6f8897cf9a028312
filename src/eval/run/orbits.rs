//! One tuple of arguments for each orbit of a state's automorphisms.
//!
//! An automorphism of a state maps the solutions of a guard to solutions, and what follows from one
//! tuple of arguments to what follows from its image. So the body need only be run for one tuple of
//! each orbit, which stands for as many transitions as the orbit has members.

use super::blocks::Blocks;
use super::instances::{Instances, Numbering, Tuples};
use super::program::Program;
use super::select::Select;
use crate::clock::{self, Stopped};
use crate::eval::solutions::firsts::Places;
use crate::lower::exchanged::Exchanged;
use crate::lower::stop::Stop;
use crate::machine::OpId;
use crate::value::{Generators, Index, IndexKind, Permutation, Shape, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Universes of tuples up to this size are looked up in a table, larger ones in a hash map.
const TABLE_LIMIT: u128 = 1 << 16;

/// Up to so many tuples are looked through for one.
const FEW: usize = 24;

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

    /// The tuples that were read.
    fn tuples(&self, universes: &[Arc<Index>]) -> std::slice::ChunksExact<'_, u64> {
        self.standing.chunks_exact(universes.len().max(1))
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
    automorphisms: &'a Generators,
    forest: &'a mut Forest,
}

impl Orbits<'_> {
    pub fn under<'a>(automorphisms: &'a Generators, forest: &'a mut Forest) -> Orbits<'a> {
        forest.blocks.read(automorphisms);
        Orbits { automorphisms, forest }
    }

    /// The elements that can be exchanged freely.
    pub fn exchanged(&self) -> &Arc<Exchanged> {
        self.forest.blocks.exchanged()
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
            let (weights, numbering) = (&mut weights[numbers], program.numbering(operation));
            let order = program.firsts(operation);
            if let (Some(order), Numbering::Keys(universes, _)) = (order, numbering)
                && self.forest.weigh_firsts(
                    (universes, order),
                    tuples.keys,
                    self.automorphisms,
                    weights,
                )?
            {
                continue;
            }
            self.forest.find_orbits(tuples, numbering, self.automorphisms)?;
            self.forest.sizes(weights)?;
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
    /// Of the generators of the group.
    blocks: Blocks,
}

impl Numbering {
    /// Whether some permutation could move a tuple.
    pub fn is_moved_by(&self, generators: &Generators) -> bool {
        let moved = |shape: &Shape| generators.touch(shape);
        match self {
            Numbering::Keys(universes, _) => {
                universes.iter().any(|u| moved(&Shape::Index(u.clone())))
            }
            Numbering::Values(shapes) => shapes.iter().any(moved),
        }
    }
}

impl Forest {
    /// Finds the orbits under the group that the permutations generate, those that were read. The set of tuples must
    /// be closed under them, as the solutions of a guard are under automorphisms of the state.
    ///
    /// # Errors
    /// The work is to end.
    fn find_orbits(
        &mut self,
        tuples: Tuples<'_>,
        numbering: &Numbering,
        generators: &Generators,
    ) -> Result<(), Stopped> {
        let n = tuples.len();
        // Lists and an index over the tuples are made; what is held already is looked at by the clock.
        clock::take(n * TUPLE_BYTES)?;
        clock::spend(n)?;
        self.parent.clear();
        self.parent.extend(0..n as u32);
        match numbering {
            Numbering::Keys(universes, size) => {
                self.find_orbits_of_keys((universes, *size), tuples.keys, generators)?;
            }
            Numbering::Values(shapes) => {
                let mut index: FxHashMap<Vec<Value>, u32> = FxHashMap::default();
                for i in 0..n {
                    clock::tick()?;
                    index.insert(tuples.values(i).to_vec(), i as u32);
                }
                let generators = generators.permutations();
                for (g, i) in generators.iter().flat_map(|g| (0..n).map(move |i| (g, i))) {
                    clock::tick()?;
                    let image =
                        shapes.iter().zip(tuples.values(i)).map(|(shape, v)| g.apply(shape, v));
                    if let Some(j) = index.get(&image.collect::<Vec<Value>>()) {
                        unite(&mut self.parent, i as u32, *j);
                    }
                }
            }
        }
        Ok(())
    }

    /// For tuples that are the first ones of their classes under exchanges: at the first one of each orbit, how many
    /// tuples the orbit has; 0 at the others. False, and nothing, where there are others among them.
    ///
    /// The classes are taken to classes by all automorphisms, so that it suffices to look at the first ones.
    fn weigh_firsts(
        &mut self,
        (universes, order): (&[Arc<Index>], &[usize]),
        keys: &[u64],
        generators: &Generators,
        weights: &mut [u32],
    ) -> Result<bool, Stopped> {
        clock::take(keys.len() * TUPLE_BYTES)?;
        clock::spend(keys.len())?;
        self.by_place.read(universes, keys)?;
        let exchanged = self.blocks.exchanged().clone();
        let places = Places { universes, order, exchanged: &exchanged };
        for (weight, tuple) in weights.iter_mut().zip(self.by_place.tuples(universes)) {
            match places.weight(tuple) {
                Some(all) => *weight = all,
                None => {
                    weights.fill(1);
                    return Ok(false);
                }
            }
        }
        if keys.len() == 1 || self.blocks.others(generators).next().is_none() {
            return Ok(true);
        }
        self.parent.clear();
        self.parent.extend(0..keys.len() as u32);
        let mut index: FxHashMap<u64, u32> = FxHashMap::default();
        if keys.len() > FEW {
            index.extend(keys.iter().copied().zip(0..));
        }
        let find = |key: u64| match keys.len() > FEW {
            true => index.get(&key).copied(),
            false => keys.iter().position(|own| *own == key).map(|i| i as u32),
        };
        let mut image: SmallVec<[u64; 6]> = SmallVec::new();
        for by in self.blocks.others(generators) {
            for i in 0..keys.len() {
                clock::tick()?;
                let tuple = &self.by_place.standing[i * universes.len()..][..universes.len()];
                image.clear();
                image.extend(universes.iter().zip(tuple).map(|(u, v)| by.index(u, *v)));
                if image[..] != *tuple
                    && let Some(j) = find(places.first_key(&image))
                {
                    unite(&mut self.parent, i as u32, j);
                }
            }
        }
        for i in 0..keys.len() {
            let root = self.root(i as u32) as usize;
            if root != i {
                weights[root] += std::mem::take(&mut weights[i]);
            }
        }
        Ok(true)
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

    /// The same for tuples that are numbers; at first each is an orbit.
    fn find_orbits_of_keys(
        &mut self,
        (universes, size): (&[Arc<Index>], u128),
        keys: &[u64],
        generators: &Generators,
    ) -> Result<(), Stopped> {
        self.by_place.read(universes, keys)?;
        let left: Vec<Permutation> = match self.blocks.tell(universes, generators) {
            Some(classes) => {
                self.parent.clear();
                let standing = &self.by_place.standing;
                self.blocks.classes(universes, classes, standing, &mut self.parent);
                self.blocks.left(generators)
            }
            None => generators.permutations(),
        };
        match left[..] {
            [] => Ok(()),
            _ => self.join_keys((universes, size), keys, &left),
        }
    }

    /// Joins each tuple, which has been taken apart, with its images.
    fn join_keys(
        &mut self,
        (universes, size): (&[Arc<Index>], u128),
        keys: &[u64],
        generators: &[Permutation],
    ) -> Result<(), Stopped> {
        if size <= TABLE_LIMIT {
            let mut table = std::mem::take(&mut self.table);
            table.clear();
            table.resize(size as usize, u32::MAX);
            for (i, key) in (0..).zip(keys) {
                table[*key as usize] = i;
            }
            let find = |key: u64| Some(table[key as usize]).filter(|i| *i != u32::MAX);
            let result = self.join_images(universes, generators, find);
            self.table = table;
            return result;
        }
        let mut index: FxHashMap<u64, u32> = FxHashMap::default();
        for (i, key) in (0..).zip(keys) {
            clock::tick()?;
            index.insert(*key, i);
        }
        self.join_images(universes, generators, |key| index.get(&key).copied())
    }

    /// The same; `find` tells the tuple with a key.
    fn join_images(
        &mut self,
        universes: &[Arc<Index>],
        generators: &[Permutation],
        find: impl Fn(u64) -> Option<u32>,
    ) -> Result<(), Stopped> {
        let mut by_place = std::mem::take(&mut self.by_place);
        let listed = by_place.list(universes)?;
        let n = self.parent.len();
        let result = generators.iter().try_for_each(|g| {
            let join = |i: usize| {
                clock::tick()?;
                if let Some(j) = find(by_place.image(universes, i, g)) {
                    unite(&mut self.parent, i as u32, j);
                }
                Ok(())
            };
            match listed {
                true => by_place.each_moved(universes, g, join),
                false => (0..n).try_for_each(join),
            }
        });
        self.by_place = by_place;
        result
    }

    fn root(&mut self, i: u32) -> u32 {
        root(&mut self.parent, i)
    }
}

/// Makes one class of two; the earlier tuple stays the root.
fn unite(parent: &mut [u32], i: u32, j: u32) {
    let (a, b) = (root(parent, i), root(parent, j));
    parent[a.max(b) as usize] = a.min(b);
}

fn root(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        parent[i as usize] = parent[parent[i as usize] as usize];
        i = parent[i as usize];
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::SetId;
    use crate::value::Bundle;
    use std::collections::BTreeSet;

    /// Numbers that look random.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (self.0 >> 33) as usize % n
        }
    }

    const SIZES: [usize; 2] = [6, 4];

    fn element(set: u32) -> Arc<Index> {
        let size = SIZES[set as usize] as u128;
        Arc::new(Index { kind: IndexKind::Element(SetId(set)), size })
    }

    /// Mostly transpositions and cycles.
    fn generator(dice: &mut Dice) -> Permutation {
        let mut maps: Vec<Vec<u32>> = SIZES.iter().map(|n| (0..*n as u32).collect()).collect();
        let set = dice.below(2);
        for _ in 0..[1, 1, 2, 3][dice.below(4)] {
            let map = &mut maps[if dice.below(4) == 0 { 1 - set } else { set }];
            let (a, b) = (dice.below(map.len()), dice.below(map.len()));
            map.swap(a, b);
        }
        Permutation { maps }
    }

    /// The orbits, each by its first tuple, found by walking from each tuple to its images.
    fn walked(universes: &[Arc<Index>], keys: &[u64], generators: &[Permutation]) -> Vec<u32> {
        let mut by_place = ByPlace::default();
        by_place.read(universes, keys).unwrap();
        let place: FxHashMap<u64, usize> = keys.iter().copied().zip(0..).collect();
        let first = |i: usize| {
            let (mut seen, mut next) = (BTreeSet::from([i]), vec![i]);
            while let Some(at) = next.pop() {
                for g in generators {
                    let to = place[&by_place.image(universes, at, g)];
                    if seen.insert(to) {
                        next.push(to);
                    }
                }
            }
            *seen.first().unwrap() as u32
        };
        (0..keys.len()).map(first).collect()
    }

    /// Some of the swaps as exchanges.
    fn generating(dice: &mut Dice, permutations: Vec<Permutation>) -> Generators {
        let mut generators = Generators::default();
        for p in permutations {
            let moved: Vec<(usize, u32)> = (0..SIZES.len())
                .flat_map(|set| {
                    (0..).zip(&p.maps[set]).filter(|(v, w)| v != *w).map(move |(v, _)| (set, v))
                })
                .collect();
            match moved[..] {
                [(set, a), (other, b)] if set == other && dice.below(2) == 0 => {
                    generators.bundles.push(bundle(2, &[(set, vec![a, b])]));
                }
                _ => generators.others.push(p),
            }
        }
        generators
    }

    fn bundle(count: usize, rows: &[(usize, Vec<u32>)]) -> Bundle {
        Bundle {
            count,
            sets: rows.iter().map(|(set, _)| (SetId(*set as u32), SIZES[*set] as u32)).collect(),
            elements: rows.iter().flat_map(|(_, row)| row.clone()).collect(),
        }
    }

    /// Strands of some elements of both sets, most often with what belongs together side by side, exchanges inside one of
    /// them, and now and then something else.
    fn stranded(dice: &mut Dice) -> Generators {
        let count = 2 + dice.below(2);
        let mut rows: Vec<(usize, Vec<u32>)> = Vec::new();
        for (set, size) in SIZES.iter().enumerate() {
            let each = dice.below(1 + size / count);
            let from = dice.below(1 + size - each * count);
            let order = dice.below(6);
            for row in 0..each {
                let at = |strand: usize| match order {
                    0 => from + row * count + strand,
                    _ => from + strand * each + row,
                };
                let mut elements: Vec<u32> = (0..count).map(|strand| at(strand) as u32).collect();
                if order == 1 && dice.below(2) == 0 {
                    elements.reverse();
                }
                rows.push((set, elements));
            }
        }
        let mut generators = Generators::default();
        let strand = dice.below(count);
        for two in rows.windows(2).filter(|two| two[0].0 == two[1].0) {
            if dice.below(3) > 0 {
                let pair = two.iter().map(|(_, row)| row[strand]).collect();
                generators.bundles.push(bundle(2, &[(two[0].0, pair)]));
            }
        }
        if !rows.is_empty() {
            generators.bundles.push(bundle(count, &rows));
        }
        if dice.below(4) == 0 {
            generators.others.push(generator(dice));
        }
        if dice.below(6) == 0 {
            generators.bundles.push(bundle(2, &[(0, vec![0, 3]), (1, vec![1, 2])]));
        }
        generators
    }

    /// Tuples that are listed up to exchanges, where places take their elements in some order.
    fn check_firsts(
        forest: &mut Forest,
        dice: &mut Dice,
        (universes, permutations): (&[Arc<Index>], &[Permutation]),
        generators: &Generators,
        mut keys: Vec<u64>,
    ) -> (usize, bool) {
        let mut order: Vec<usize> = (0..universes.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, dice.below(i + 1));
        }
        let tuple = |key: u64| {
            let mut by_place = ByPlace::default();
            by_place.read(universes, &[key]).unwrap();
            by_place.standing
        };
        keys.sort_by_key(|key| {
            let tuple = tuple(*key);
            order.iter().map(|place| tuple[*place]).collect::<Vec<u64>>()
        });
        let orbits = walked(universes, &keys, permutations);
        let mut sizes = vec![0; keys.len()];
        orbits.iter().for_each(|first| sizes[*first as usize] += 1);
        let exchanged = forest.blocks.exchanged().clone();
        let places = Places { universes, order: &order, exchanged: &exchanged };
        let firsts: Vec<u64> =
            keys.iter().copied().filter(|key| places.weight(&tuple(*key)).is_some()).collect();
        let mut weights = vec![1; firsts.len()];
        let of = (universes, &order[..]);
        assert!(forest.weigh_firsts(of, &firsts, generators, &mut weights).unwrap());
        let found = firsts.iter().zip(&weights).filter(|(_, weight)| **weight > 0);
        let expected = keys.iter().zip(&sizes).filter(|(_, size)| **size > 0);
        assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{generators:?}");
        let mut all = vec![1; keys.len()];
        let listed = forest.weigh_firsts(of, &keys, generators, &mut all).unwrap();
        assert_eq!(listed, firsts.len() == keys.len());
        (keys.len() - firsts.len(), exchanged.has_strands())
    }

    #[test]
    fn orbits_by_blocks_are_those_that_are_walked() {
        let dice = &mut Dice(7);
        let truth = Arc::new(Index { kind: IndexKind::Bool, size: 2 });
        let pairs = {
            let kind = IndexKind::Pair(element(0), element(1));
            Arc::new(Index { kind, size: (SIZES[0] * SIZES[1]) as u128 })
        };
        let places = [
            vec![element(0)],
            vec![element(0), element(1)],
            vec![element(1), truth.clone(), element(1)],
            vec![element(0), element(0), element(1), element(0)],
            vec![pairs, element(1)],
        ];
        let mut forest = Forest::default();
        let (mut by_blocks, mut merged, mut passed, mut by_strands) = (0, 0, 0, 0);
        for round in 0..400 {
            let universes = &places[round % places.len()];
            let grouped = match round < 200 {
                true => {
                    let permutations = (0..1 + dice.below(5)).map(|_| generator(dice)).collect();
                    generating(dice, permutations)
                }
                false => stranded(dice),
            };
            let generators = grouped.permutations();
            let size: u128 = universes.iter().map(|u| u.size).product();
            // Some orbits of all tuples, in any order.
            let all: Vec<u64> = (0..size as u64).collect();
            let orbits = walked(universes, &all, &generators);
            let kept: Vec<bool> = all.iter().map(|_| dice.below(3) > 0).collect();
            let mut keys = all;
            keys.retain(|key| kept[orbits[*key as usize] as usize]);
            for i in (1..keys.len()).rev() {
                keys.swap(i, dice.below(i + 1));
            }
            let (truth, permutations) = (walked(universes, &keys, &generators), generators);
            let generators = grouped;
            forest.blocks.read(&generators);
            forest.parent.clear();
            forest.parent.extend(0..keys.len() as u32);
            forest.find_orbits_of_keys((universes, size), &keys, &generators).unwrap();
            let found: Vec<u32> = (0..keys.len() as u32).map(|i| forest.root(i)).collect();
            assert_eq!(found, truth, "{generators:?}");
            if round % places.len() < 4 {
                let of = (&universes[..], &permutations[..]);
                let (over, strands) = check_firsts(&mut forest, dice, of, &generators, keys);
                passed += over;
                by_strands += usize::from(strands);
            }
            by_blocks += usize::from(forest.blocks.tell(universes, &generators).is_some());
            merged += found.iter().zip(0..).filter(|(root, i)| *root != i).count();
        }
        assert!(by_blocks > 100 && merged > 1000, "{by_blocks}, {merged}");
        assert!(passed > 1000 && by_strands > 40, "{passed}, {by_strands}");
    }
}
