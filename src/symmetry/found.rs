//! The automorphisms that a labelling has found.

use super::group::Group;
use super::orbit::Orbits;
use crate::clock::{self, Stopped};
use crate::value::{Generators, Permutation};

/// One automorphism, or the full symmetric group of things that look alike. That group is held as a
/// list of them: the swaps that generate it would take their number times the number of points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Automorphisms {
    /// The image of each point.
    One(Vec<u32>),
    /// All permutations of equal strands. The points of a strand are `count` apart: first come the
    /// first points of all strands, then the second ones in the same order, and so on.
    Strands { points: Vec<u32>, count: usize },
}

impl Automorphisms {
    /// Number of points that are held, the unit of the work with them.
    pub fn size(&self) -> usize {
        match self {
            Automorphisms::One(points) | Automorphisms::Strands { points, .. } => points.len(),
        }
    }

    /// Every point is in one orbit with its images.
    pub fn join(&self, orbits: &mut Orbits) {
        self.join_fixing(&[], orbits);
    }

    /// The same for those that are known to fix these points.
    pub fn join_fixing(&self, fixed: &[u32], orbits: &mut Orbits) {
        match self {
            Automorphisms::One(images) => {
                if fixed.iter().all(|v| images[*v as usize] == *v) {
                    orbits.join_all(images);
                }
            }
            Automorphisms::Strands { points, count } => {
                let mut held = vec![false; if fixed.is_empty() { 0 } else { *count }];
                for (i, _) in points.iter().enumerate().filter(|(_, v)| fixed.contains(v)) {
                    held[i % count] = true;
                }
                let free = |i: usize| !held.get(i).is_some_and(|held| *held);
                for row in points.chunks_exact(*count) {
                    let row = row.iter().enumerate().filter(|(i, _)| free(*i)).map(|(_, v)| *v);
                    // To the least one: a forest of one level.
                    if let Some(least) = row.clone().min() {
                        row.for_each(|v| orbits.join(least, v));
                    }
                }
            }
        }
    }

    /// Adds what generates them: strands of one point are exchanged.
    ///
    /// # Errors
    /// The work is to end.
    pub fn generate(&self, group: &Group, into: &mut Generators) -> Result<(), Stopped> {
        match self {
            Automorphisms::Strands { points, count } if points.len() == *count => {
                clock::spend(points.len())?;
                into.exchanges.push(group.exchange(points));
                Ok(())
            }
            others => others.generators(group, &mut into.others),
        }
    }

    /// Adds permutations that generate them: of strands, a swap of two and a cycle through all.
    ///
    /// # Errors
    /// The work is to end.
    pub fn generators(&self, group: &Group, into: &mut Vec<Permutation>) -> Result<(), Stopped> {
        let mut add = |images: &[u32]| {
            clock::spend(images.len())?;
            into.push(group.permutation(images));
            Ok(())
        };
        let (points, count) = match self {
            Automorphisms::One(images) => return add(images),
            Automorphisms::Strands { points, count } => (points, *count),
        };
        let mut images: Vec<u32> = (0..group.points() as u32).collect();
        for row in points.chunks_exact(count) {
            images.swap(row[0] as usize, row[1] as usize);
        }
        add(&images)?;
        if count > 2 {
            for row in points.chunks_exact(count) {
                for (i, v) in row.iter().enumerate() {
                    images[*v as usize] = row[(i + 1) % count];
                }
            }
            add(&images)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::group::SymmetricSet;
    use super::*;
    use crate::machine::SetId;
    use std::collections::HashSet;

    /// Strands of a point of each of two sets of this many.
    fn strands(count: u32) -> (Group, Automorphisms) {
        let group = Group::new([0, 1].map(|set| SymmetricSet::all(SetId(set), count)));
        // The second points stand in another order: 0 with the last one, and so on.
        let points = (0..count).chain((count..2 * count).rev()).collect();
        (group, Automorphisms::Strands { points, count: count as usize })
    }

    #[test]
    fn strands_are_permuted_at_will() {
        for count in 2..=5 {
            let (group, strands) = strands(count);
            let mut generators = Vec::new();
            strands.generators(&group, &mut generators).unwrap();
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
        strands.join_fixing(&[6], &mut orbits);
        let roots: Vec<u32> = (0..8).map(|v| orbits.find(v)).collect();
        assert_eq!(roots, [0, 1, 0, 0, 4, 4, 6, 4]);
        strands.join(&mut orbits);
        assert_eq!((0..8).filter(|v| orbits.find(*v) == *v).count(), 2);
    }

    #[test]
    fn many_strands_are_held_as_a_list() {
        let (group, strands) = strands(100_000);
        let mut generators = Vec::new();
        strands.generators(&group, &mut generators).unwrap();
        assert_eq!((strands.size(), generators.len()), (200_000, 2));
        let mut orbits = Orbits::new(group.points());
        strands.join(&mut orbits);
        assert_eq!((orbits.find(99_999), orbits.find(199_999)), (0, 100_000));
    }
}
