//! The automorphisms that a labelling has found.

use super::group::Group;
use super::orbit::{Orbits, Order};
use crate::clock::{self, Stopped};
use crate::value::Generators;
use std::borrow::Cow;

/// Automorphisms, one after the other in one list of words, which labellings fill again and again.
///
/// The full symmetric group of things that look alike is held as a list of them: the swaps that
/// generate it would take their number times the number of points. Those that are known at the root of
/// a labelling's search tree are told by where they come to stand, which says it in few words, and is the
/// same for what is labelled and for its image.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Automorphisms {
    /// Of each: what it is, the number of words that follow, and these.
    words: Vec<u32>,
}

/// What one of them is: the image of each point, or strands (this and above) or runs (with this bit) of this number.
const ONE: u32 = 0;
const RUNS: u32 = 1 << 31;

/// One of them.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part<'a> {
    /// The image of each point.
    One(&'a [u32]),
    /// All permutations of equal strands. The points of a strand are `count` apart: first come the
    /// first points of all strands, then the second ones in the same order, and so on.
    Strands { points: Cow<'a, [u32]>, count: usize },
}

/// What stands at each position: a point, or the position itself, as in an image.
#[derive(Clone, Copy)]
pub enum Standing<'a> {
    Points(&'a [u32]),
    Image,
}

impl Standing<'_> {
    fn at(self, position: u32) -> u32 {
        match self {
            Standing::Points(elems) => elems[position as usize],
            Standing::Image => position,
        }
    }
}

/// Where something begins in a list of automorphisms.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Place(usize);

impl Automorphisms {
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Behind all that are held so far.
    pub fn end(&self) -> Place {
        Place(self.words.len())
    }

    /// Forgets those from this place on.
    pub fn truncate(&mut self, from: Place) {
        self.words.truncate(from.0);
    }

    /// Adds one, given by the image of each point.
    pub fn add(&mut self, images: impl IntoIterator<Item = u32>) {
        self.write(ONE, images);
    }

    /// Adds all permutations of this many strands, given row by row: the first points of all of them,
    /// then the second ones in the same order, and so on.
    pub fn add_strands(&mut self, count: usize, points: impl IntoIterator<Item = u32>) {
        self.write(count as u32, points);
    }

    fn write(&mut self, what: u32, words: impl IntoIterator<Item = u32>) {
        let at = self.words.len();
        self.words.extend([what, 0]);
        self.words.extend(words);
        self.words[at + 1] = (self.words.len() - at - HEAD) as u32;
    }

    /// Begins with this many strands, told by where their points stand: none yet.
    pub fn begin_runs(&mut self, count: usize) -> Place {
        let at = self.end();
        self.words.extend([RUNS | count as u32, 0]);
        at
    }

    /// Adds so many points of each strand begun last: those of one after those of the other, from this
    /// position on.
    pub fn add_run(&mut self, from: u32, each: u32) {
        self.words.extend([from, each]);
    }

    /// Ends the strands begun here, which are the last.
    pub fn finish_runs(&mut self, at: Place) {
        match (self.words.len() - at.0 - HEAD) as u32 {
            0 => self.truncate(at),
            words => self.words[at.0 + 1] = words,
        }
    }

    /// The same strands, told by what stands there: for positions that are not those at the root.
    pub fn settle(&mut self, at: Place, elems: &[u32]) {
        let [what, _, runs @ ..] = &self.words[at.0..] else { return };
        let count = what & !RUNS;
        let points = points_of(runs, count, Standing::Points(elems));
        self.truncate(at);
        self.write(count, points);
    }

    /// Number of words held from a place on, the unit of the work with them.
    pub fn size(&self, from: Place) -> usize {
        self.words.len() - from.0
    }

    /// Every point is in one orbit with its images under those from a place on. `elems`: the points in
    /// the order of their positions, those of which automorphisms at the root tell.
    pub fn join(&self, from: Place, elems: &[u32], orbits: &mut Orbits) {
        self.join_fixing((from, elems), &[], orbits);
    }

    /// The same for those that are known to fix these points.
    pub fn join_fixing(&self, (from, elems): (Place, &[u32]), fixed: &[u32], orbits: &mut Orbits) {
        let parts = parts(&self.words[from.0..], Standing::Points(elems));
        parts.for_each(|part| part.join_fixing(fixed, orbits));
    }

    /// Adds what generates them.
    ///
    /// # Errors
    /// The work is to end.
    pub fn generate(
        &self,
        (group, elems): (&Group, &[u32]),
        into: &mut Generators,
    ) -> Result<(), Stopped> {
        generate((&self.words, Standing::Points(elems)), group, into)
    }

    /// Writes those of the image of what they are automorphisms of, with the position of each point.
    pub fn write_images(&self, positions: &[u32], into: &mut Vec<u32>) {
        let image = |v: &u32| positions[*v as usize];
        let mut words = &self.words[..];
        while let [what, length, rest @ ..] = words {
            let (own, rest) = rest.split_at(*length as usize);
            words = rest;
            into.extend([*what, *length]);
            match *what {
                ONE => {
                    let from = into.len();
                    into.resize(from + own.len(), 0);
                    for (v, to) in own.iter().enumerate() {
                        into[from + positions[v] as usize] = image(to);
                    }
                }
                what if what & RUNS != 0 => into.extend_from_slice(own),
                _ => into.extend(own.iter().map(image)),
            }
        }
    }
}

/// Words before what each of them is told by.
const HEAD: usize = 2;

/// The points of strands that are told by runs, row by row.
fn points_of(runs: &[u32], count: u32, standing: Standing<'_>) -> Vec<u32> {
    let runs = || runs.chunks_exact(2).map(|run| (run[0], run[1]));
    let rows: u32 = runs().map(|(_, each)| each).sum();
    let mut points = Vec::with_capacity((rows * count) as usize);
    for (from, each) in runs() {
        for row in from..from + each {
            points.extend((0..count).map(|strand| standing.at(row + strand * each)));
        }
    }
    points
}

fn parts<'a>(mut words: &'a [u32], standing: Standing<'a>) -> impl Iterator<Item = Part<'a>> {
    std::iter::from_fn(move || {
        let [what, length, rest @ ..] = words else { return None };
        let (own, rest) = rest.split_at(*length as usize);
        words = rest;
        let count = what & !RUNS;
        let points = match what & RUNS {
            _ if count == ONE => return Some(Part::One(own)),
            0 => Cow::Borrowed(own),
            _ => Cow::Owned(points_of(own, count, standing)),
        };
        Some(Part::Strands { points, count: count as usize })
    })
}

/// The group of permutations that leave a state unchanged: its order and, as far as the labelling met
/// them all, what generates it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stabiliser {
    pub order: Order,
    /// The words of [`Automorphisms`]; none where they are not known.
    pub found: Vec<u32>,
}

impl Stabiliser {
    /// That of only the identity.
    pub fn trivial() -> &'static Stabiliser {
        static TRIVIAL: Stabiliser = Stabiliser { order: Order::ONE, found: Vec::new() };
        &TRIVIAL
    }

    /// What generates it, where that is known.
    ///
    /// # Errors
    /// The work is to end.
    pub fn generators(&self, group: &Group) -> Result<Option<Generators>, Stopped> {
        let mut generators = Generators::default();
        if self.order != Order::ONE && self.found.is_empty() {
            return Ok(None);
        }
        generate((&self.found, Standing::Image), group, &mut generators)?;
        Ok(Some(generators))
    }
}

fn generate(
    (words, standing): (&[u32], Standing<'_>),
    group: &Group,
    into: &mut Generators,
) -> Result<(), Stopped> {
    parts(words, standing).try_for_each(|part| {
        match part {
            Part::Strands { points, count } => {
                clock::spend(points.len())?;
                into.bundles.push(group.bundle(count, points.into_owned()));
            }
            Part::One(images) => {
                clock::spend(images.len())?;
                into.others.push(group.permutation(images));
            }
        }
        Ok(())
    })
}

impl Part<'_> {
    fn join_fixing(self, fixed: &[u32], orbits: &mut Orbits) {
        match self {
            Part::One(images) => {
                if fixed.iter().all(|v| images[*v as usize] == *v) {
                    orbits.join_all(images);
                }
            }
            Part::Strands { points, count } => {
                let mut held = vec![false; if fixed.is_empty() { 0 } else { count }];
                for (i, _) in points.iter().enumerate().filter(|(_, v)| fixed.contains(v)) {
                    held[i % count] = true;
                }
                let free = |i: usize| !held.get(i).is_some_and(|held| *held);
                for row in points.chunks_exact(count) {
                    let row = row.iter().enumerate().filter(|(i, _)| free(*i)).map(|(_, v)| *v);
                    // To the least one: a forest of one level.
                    if let Some(least) = row.clone().min() {
                        row.for_each(|v| orbits.join(least, v));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::group::SymmetricSet;
    use super::*;
    use crate::machine::SetId;
    use crate::value::Permutation;
    use std::collections::HashSet;

    /// Strands of a point of each of two sets of this many.
    fn strands(count: u32) -> (Group, Automorphisms) {
        let group = Group::new([0, 1].map(|set| SymmetricSet::all(SetId(set), count)));
        // The second points stand in another order: 0 with the last one, and so on.
        let mut strands = Automorphisms::default();
        strands.add_strands(count as usize, (0..count).chain((count..2 * count).rev()));
        (group, strands)
    }

    #[test]
    fn strands_are_permuted_at_will() {
        for count in 2..=5 {
            let (group, strands) = strands(count);
            let mut generators = Generators::default();
            strands.generate((&group, &[]), &mut generators).unwrap();
            let generators = generators.permutations();
            let identity = group.all().next().unwrap();
            let (mut known, mut waiting) = (HashSet::from([identity.clone()]), vec![identity]);
            while let Some(p) = waiting.pop() {
                for by in &generators {
                    let next = p.then(by);
                    if known.insert(next.clone()) {
                        waiting.push(next);
                    }
                }
            }
            assert_eq!(known.len() as u32, (1..=count).product::<u32>());
            let together = |p: &Permutation| {
                (0..count).all(|e| {
                    p.element(SetId(1), count - 1 - e) == count - 1 - p.element(SetId(0), e)
                })
            };
            assert!(known.iter().all(together));
        }
    }

    #[test]
    fn strands_with_a_fixed_point_stay() {
        let (group, strands) = strands(4);
        let mut orbits = Orbits::new(group.points());
        // Point 6 is in the strand of point 1.
        strands.join_fixing((Place::default(), &[]), &[6], &mut orbits);
        let roots: Vec<u32> = (0..8).map(|v| orbits.find(v)).collect();
        assert_eq!(roots, [0, 1, 0, 0, 4, 4, 6, 4]);
        strands.join(Place::default(), &[], &mut orbits);
        assert_eq!((0..8).filter(|v| orbits.find(*v) == *v).count(), 2);
    }

    #[test]
    fn many_strands_are_held_as_a_list() {
        let (group, strands) = strands(100_000);
        let mut generators = Generators::default();
        strands.generate((&group, &[]), &mut generators).unwrap();
        assert_eq!((strands.size(Place::default()), generators.bundles.len()), (200_002, 1));
        let mut orbits = Orbits::new(group.points());
        strands.join(Place::default(), &[], &mut orbits);
        assert_eq!((orbits.find(99_999), orbits.find(199_999)), (0, 100_000));
    }
}
