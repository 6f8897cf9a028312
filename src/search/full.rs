//! How much of the unreduced machine a reduced search has seen.
//!
//! Two reductions come together. Static symmetry keeps some set-ups, each for as many as its weight
//! says. A method merges states; a representative stands for its orbit.
//!
//! Without a group, all states of one set-up count with the weight of the set-up. With a group H the
//! weights play no part: let G be the group of all permutations and H those of G that leave the
//! elements in place that rule 1 of static symmetry fixes. Every set-up of the machine is the image
//! of one that has these elements fixed, under one coset of H in G; and of the set-ups with these
//! elements fixed, each is the image under H of one that rules 2 to 4 keep. So the search visits each
//! H-orbit of these states, and the machine has |G : H| times as many as the orbits have members.

use crate::setup::StaticSymmetry;
use crate::state::Instance;
use crate::symmetry::{OrbitSum, Order};
use crate::value::Value;
use indexmap::IndexSet;
use num_bigint::BigUint;
use num_traits::Zero;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    States,
    /// The set-ups of the constants and the initialisations.
    FirstTransitions,
    /// Those of operations.
    Transitions,
    Deadlocked,
    /// States where the goal that was asked for holds.
    Goals,
}

const COUNTS: usize = Count::Goals as usize + 1;

/// Sums over the unreduced machine.
pub struct FullCounts {
    /// The different weights, and for each what counts with it.
    weights: IndexSet<Order, FxBuildHasher>,
    sums: Vec<[OrbitSum; COUNTS]>,
    /// What counts with the first weight and stands for as many as the group has members: without a group
    /// and with one set-up, all.
    plain: [u128; COUNTS],
    /// Weight by number of the constants, where set-ups differ in it.
    by_constants: FxHashMap<u32, u32>,
    /// The weight of all, when a group is used.
    uniform: Option<Order>,
    /// No method said that it does not know a stabiliser.
    known: bool,
}

impl FullCounts {
    /// `reduced`: whether the method merges states by the group.
    pub fn new(rules: &StaticSymmetry, reduced: bool) -> FullCounts {
        FullCounts {
            weights: IndexSet::default(),
            sums: Vec::new(),
            plain: [0; COUNTS],
            by_constants: FxHashMap::default(),
            uniform: reduced.then(|| rules.index()),
            known: true,
        }
    }

    /// Makes a set-up known, by its number in packed states.
    pub fn add_setup(
        &mut self,
        number: u32,
        rules: &StaticSymmetry,
        instance: &Instance,
        constants: &[Value],
    ) {
        let weight = match &self.uniform {
            Some(weight) => weight.clone(),
            None => rules.weight(instance, constants),
        };
        let (at, new) = self.weights.insert_full(weight);
        if new {
            self.sums.push(Default::default());
        }
        if self.uniform.is_none() {
            self.by_constants.insert(number, at as u32);
        }
    }

    /// Whether what has no symmetry counts alike, whatever its set-up.
    pub fn counts_alike(&self) -> bool {
        self.weights.len() == 1
    }

    fn class(&self, constants: u32) -> usize {
        if self.weights.len() == 1 {
            return 0;
        }
        self.by_constants.get(&constants).map_or(0, |c| *c as usize)
    }

    /// Adds `n` of what is counted at a state, or a set-up, with this stabiliser: one state, or the
    /// transitions out of it.
    /// `constants` tells the number of the set-up, where it is asked for.
    #[inline]
    pub fn add(
        &mut self,
        what: Count,
        constants: impl FnOnce() -> u32,
        stabiliser: Option<&Order>,
        n: u64,
    ) {
        match stabiliser {
            Some(Order::Small(1)) if self.counts_alike() => {
                self.plain[what as usize] += u128::from(n);
            }
            Some(stabiliser) => self.add_to(what, constants(), stabiliser, n),
            None => self.known = false,
        }
    }

    fn add_to(&mut self, what: Count, constants: u32, stabiliser: &Order, n: u64) {
        let class = self.class(constants);
        self.sums[class][what as usize].add(stabiliser, n);
    }

    /// `None` where the method does not know its stabilisers.
    pub fn total(&self, what: Count, group: &Order) -> Option<BigUint> {
        let weighed = self.weights.iter().zip(&self.sums);
        // The order of a group can have very many digits: it is multiplied out only where it counts.
        let plain = match (self.plain[what as usize], self.weights.first()) {
            (0, _) | (_, None) => BigUint::zero(),
            (n, Some(weight)) => weight.to_biguint() * group.to_biguint() * n,
        };
        let total = weighed
            .fold(plain, |n, (w, sums)| n + w.to_biguint() * sums[what as usize].total(group));
        self.known.then_some(total)
    }
}
