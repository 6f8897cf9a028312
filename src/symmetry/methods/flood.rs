//! Permutation flooding (Leuschel, Butler, Spermann and Turner): with a new state all its images
//! under the group are added, as already treated.
//!
//! There are as many nodes as without reduction, but only one of each orbit is expanded and checked.
//! The size of the orbit is known beforehand, from the order of the stabiliser (orbit-stabiliser), and
//! an orbit above the limit ends the search. The orbit is walked with generators of the group: swaps of
//! neighbours in each set.

use super::{Admitted, Canon, Interrupted, Method, Reading, SetUp, Stabilisers, forms};
use crate::clock;
use crate::state::{Interner, StateTable};
use crate::symmetry::orbit::Order;
use crate::value::{Permutation, Value};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// A state with more images than may be added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloodLimit {
    pub images: BigUint,
    pub limit: u64,
}

pub struct Flood {
    reading: Reading,
    canon: Canon,
    swaps: Vec<Permutation>,
    /// Representatives and their images.
    table: StateTable,
    /// The number of the representative of each of them.
    treated: Vec<u32>,
    /// Where the representatives are in the table.
    representatives: Vec<u32>,
    stabilisers: Stabilisers,
    limit: u64,
    refusal: Option<FloodLimit>,
}

impl Flood {
    /// `limit` is the greatest number of images of one state that may be added.
    pub fn new(reading: Reading, canon: Canon, limit: u64) -> Flood {
        let group = canon.group();
        let mut swaps = Vec::new();
        for k in 0..group.sets().len() {
            let range = group.range(k);
            for p in range.start + 1..range.end {
                let mut images: Vec<u32> = (0..group.points() as u32).collect();
                images.swap(p - 1, p);
                swaps.push(group.permutation(&images));
            }
        }
        Flood {
            table: StateTable::new(reading.words()),
            reading,
            canon,
            swaps,
            treated: Vec::new(),
            representatives: Vec::new(),
            stabilisers: Stabilisers::default(),
            limit,
            refusal: None,
        }
    }

    /// Refuses orbits above the limit.
    fn within_limit(&mut self, size: &BigUint) -> Result<u64, Interrupted> {
        match size.to_u64().filter(|n| *n <= self.limit) {
            Some(n) => Ok(n),
            None => {
                self.refusal = Some(FloodLimit { images: size.clone(), limit: self.limit });
                Err(Interrupted)
            }
        }
    }

    /// Adds the images of the state at the end of the table.
    fn flood(&mut self, number: u32, interner: &mut Interner) -> Result<(), Interrupted> {
        let mut next = self.table.len() as u32 - 1;
        while (next as usize) < self.table.len() {
            let values = self.reading.values(self.table.state(next), interner);
            // Of one image, roughly the members of all sets.
            let units = 1 + values.iter().map(forms::bytes).sum::<usize>() / 16;
            for swap in &self.swaps {
                clock::spend(units)?;
                let image = self.reading.image(&values, swap);
                let packed = self.reading.pack(&image, interner);
                if self.table.insert(&packed).1 {
                    self.treated.push(number);
                }
            }
            next += 1;
        }
        Ok(())
    }
}

impl Method for Flood {
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted> {
        if let Some(node) = self.table.find(state) {
            return Ok(Admitted { number: self.treated[node as usize], node, new: false });
        }
        let (_, order) = self.canon.canonical(state, interner)?;
        let size = self.canon.group_order().index_of(&order);
        let size = self.within_limit(&size)?;
        let (node, _) = self.table.insert(state);
        let number = self.representatives.len() as u32;
        self.representatives.push(node);
        self.treated.push(number);
        self.stabilisers.push(order);
        // The state itself is kept even when its images are interrupted.
        self.flood(number, interner)?;
        debug_assert_eq!(self.table.len() as u64 - node as u64, size);
        Ok(Admitted { number, node, new: true })
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(self.representatives[number as usize])
    }

    fn node(&self, number: u32) -> u32 {
        self.representatives[number as usize]
    }

    fn nodes_of(&self, number: u32) -> u64 {
        let next = self.representatives.get(number as usize + 1);
        let end = next.map_or(self.table.len() as u32, |next| *next);
        u64::from(end - self.representatives[number as usize])
    }

    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        _: &mut Interner,
    ) -> Result<bool, Interrupted> {
        Ok(self.table.find(state).is_some_and(|node| self.treated[node as usize] == number))
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn stabiliser(&self, number: u32) -> Option<&Order> {
        self.stabilisers.get(number)
    }

    fn labelling(&mut self) -> Option<&mut Canon> {
        Some(&mut self.canon)
    }

    fn canonical_constants(&mut self, constants: &[Value]) -> Result<SetUp, Interrupted> {
        let set_up = self.canon.canonical_constants(constants)?;
        let one = Order::ONE;
        let order = set_up.stabiliser.as_ref().unwrap_or(&one);
        let nodes = self.within_limit(&self.canon.group_order().index_of(order))?;
        Ok(SetUp { nodes, ..set_up })
    }

    fn group_order(&self) -> Order {
        self.canon.group_order()
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + 4 * (self.treated.capacity() + self.representatives.capacity())
            + self.stabilisers.bytes()
            + self.canon.bytes()
    }

    fn refusal(&self) -> Option<&FloodLimit> {
        self.refusal.as_ref()
    }
}
