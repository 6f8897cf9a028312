//! What generates a group of permutations: strands of elements that it permutes at will, and permutations.

use super::permute::{Permutation, mentions};
use super::shape::Shape;
use crate::machine::SetId;
use smallvec::SmallVec;

/// All permutations of some strands of elements, each as a whole: of single elements that can be exchanged freely, or of
/// elements with what belongs to them. As generators they would be a swap and a cycle, each as long as the sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// How many strands there are: at least two.
    pub count: usize,
    /// For each row, the set and how many elements that has.
    pub sets: SmallVec<[(SetId, u32); 2]>,
    /// Row by row, the element of each strand.
    pub elements: Vec<u32>,
}

impl Bundle {
    /// The elements of each strand that are at the same place in it, with their set and its size.
    pub fn rows(&self) -> impl Iterator<Item = (SetId, u32, &[u32])> {
        let rows = self.elements.chunks_exact(self.count);
        self.sets.iter().zip(rows).map(|((set, size), row)| (*set, *size, row))
    }

    /// Whether the strands are single elements.
    fn is_exchange(&self) -> bool {
        self.sets.len() == 1
    }

    /// A swap of two, and a cycle through all where there are more.
    pub fn permutations(&self) -> impl Iterator<Item = Permutation> + '_ {
        let all = Some(self.count).filter(|count| *count > 2);
        [Some(2), all].into_iter().flatten().map(|count| self.cycle(count))
    }

    /// The first so many strands, each to the place of the next.
    fn cycle(&self, count: usize) -> Permutation {
        let sets = self.sets.iter().map(|(set, _)| set.0 as usize + 1).max();
        let mut permutation = Permutation::identity(sets.unwrap_or(0));
        for (set, size, row) in self.rows() {
            let map = &mut permutation.maps[set.0 as usize];
            if map.is_empty() {
                map.extend(0..size);
            }
            for (i, from) in row[..count].iter().enumerate() {
                map[*from as usize] = row[(i + 1) % count];
            }
        }
        permutation
    }
}

/// Generators of a group.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Generators {
    pub bundles: Vec<Bundle>,
    pub others: Vec<Permutation>,
}

impl Generators {
    /// Those of the group of the identity alone.
    pub const NONE: &'static Generators = &Generators { bundles: Vec::new(), others: Vec::new() };

    /// Whether there are none: nothing is moved.
    pub fn is_empty(&self) -> bool {
        self.bundles.is_empty() && self.others.is_empty()
    }

    /// The bundles of single elements, which are exchanged freely.
    pub fn exchanges(&self) -> impl Iterator<Item = &Bundle> {
        self.bundles.iter().filter(|bundle| bundle.is_exchange())
    }

    /// The bundles of strands of several elements.
    pub fn strands(&self) -> impl Iterator<Item = &Bundle> {
        self.bundles.iter().filter(|bundle| !bundle.is_exchange())
    }

    /// All of them as permutations.
    pub fn permutations(&self) -> Vec<Permutation> {
        let bundled = self.bundles.iter().flat_map(Bundle::permutations);
        bundled.chain(self.others.iter().cloned()).collect()
    }

    /// Whether a value of this shape can change at all.
    pub fn touch(&self, shape: &Shape) -> bool {
        let mut sets = self.bundles.iter().flat_map(|bundle| &bundle.sets);
        sets.any(|(own, _)| mentions(shape, &|set| set == *own))
            || self.others.iter().any(|other| other.touches(shape))
    }
}
