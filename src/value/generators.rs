//! What generates a group of permutations: elements that it exchanges freely, and permutations.

use super::permute::{Permutation, mentions};
use super::shape::Shape;
use crate::machine::SetId;

/// All permutations of some elements of one set. As generators they would be a swap and a cycle, each as long as the set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    pub set: SetId,
    /// How many elements the set has.
    pub size: u32,
    /// At least two of them.
    pub elements: Vec<u32>,
}

impl Exchange {
    /// A swap of two, and a cycle through all where there are more.
    pub fn permutations(&self) -> impl Iterator<Item = Permutation> + '_ {
        let cycle = |elements: &[u32]| {
            let mut maps = vec![Vec::new(); self.set.0 as usize];
            let mut map: Vec<u32> = (0..self.size).collect();
            let next = elements.iter().cycle().skip(1);
            elements.iter().zip(next).for_each(|(from, to)| map[*from as usize] = *to);
            maps.push(map);
            Permutation { maps }
        };
        let all = Some(&self.elements[..]).filter(|elements| elements.len() > 2);
        [Some(&self.elements[..2]), all].into_iter().flatten().map(cycle)
    }
}

/// Generators of a group.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Generators {
    pub exchanges: Vec<Exchange>,
    pub others: Vec<Permutation>,
}

impl Generators {
    /// Whether there are none: nothing is moved.
    pub fn is_empty(&self) -> bool {
        self.exchanges.is_empty() && self.others.is_empty()
    }

    /// All of them as permutations.
    pub fn permutations(&self) -> Vec<Permutation> {
        let exchanged = self.exchanges.iter().flat_map(Exchange::permutations);
        exchanged.chain(self.others.iter().cloned()).collect()
    }

    /// Whether a value of this shape can change at all.
    pub fn touch(&self, shape: &Shape) -> bool {
        self.exchanges.iter().any(|exchange| mentions(shape, &|set| set == exchange.set))
            || self.others.iter().any(|other| other.touches(shape))
    }
}

impl From<Vec<Permutation>> for Generators {
    fn from(others: Vec<Permutation>) -> Generators {
        Generators { exchanges: Vec::new(), others }
    }
}
