//! With each state all its images are kept, as already treated.
//!
//! There are as many nodes as without reduction, but only one of each orbit is expanded and checked. The
//! size of the orbit is known beforehand, from the order of the stabiliser (orbit-stabiliser), and an
//! orbit above the limit ends the search.

use super::{Admitted, Claim, Refused, Segments, Stabilisers, StateTable, Store, Ticket};
use crate::reduce::{Batch, Worker};
use crate::state::Interner;
use crate::symmetry::{Order, Stabiliser};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::ops::Range;

pub struct Images {
    /// Representatives and their images.
    table: StateTable,
    /// The number of the representative of each of them.
    treated: Segments<u32>,
    /// Where the representatives are in the table.
    representatives: Segments<u32>,
    stabilisers: Stabilisers,
    group: Order,
    limit: u64,
}

impl Images {
    /// For states of this many words, and as many nodes, under a group of this order. `limit` is the
    /// greatest number of images of one state that may be kept.
    pub fn new(words: usize, most: u32, group: Order, limit: u64) -> Images {
        Images {
            table: StateTable::new(words).numbering(most),
            treated: Segments::new(1),
            representatives: Segments::new(1),
            stabilisers: Stabilisers::default(),
            group,
            limit,
        }
    }

    fn put(
        &mut self,
        state: &[u64],
        worker: &mut dyn Worker,
        interner: &mut Interner,
    ) -> Result<Admitted, Refused> {
        if let Some(node) = self.table.find(state) {
            return Ok(Admitted { number: self.treated.one(node), node, new: false });
        }
        let order = worker.order(state, interner)?;
        let size = self.nodes_of_orbit(&self.group.index_of(&order))?;
        let (node, _) = self.table.insert(state).map_err(|full| full.refused(&self.table))?;
        let number = self.representatives.len() as u32;
        self.representatives.push(&[node])?;
        self.treated.push(&[number])?;
        self.stabilisers.push(&order, &[])?;
        // The state itself is kept even when its images are interrupted.
        let mut next = node;
        while (next as usize) < self.table.len() {
            let from = self.table.state(next).to_vec();
            let Images { table, treated, .. } = self;
            let mut kept = Ok(());
            worker.neighbours(&from, interner, &mut |image| {
                if kept.is_ok() {
                    kept = keep(image, number, table, treated);
                }
            })?;
            kept?;
            next += 1;
        }
        debug_assert_eq!(self.table.len() as u64 - node as u64, size);
        Ok(Admitted { number, node, new: true })
    }
}

/// Keeps the image of a representative.
fn keep(
    image: &[u64],
    representative: u32,
    table: &mut StateTable,
    treated: &mut Segments<u32>,
) -> Result<(), Refused> {
    if table.insert(image).map_err(|full| full.refused(table))?.1 {
        treated.push(&[representative])?;
    }
    Ok(())
}

impl Store for Images {
    fn find_or_put(
        &mut self,
        batch: &Batch,
        states: Range<usize>,
        worker: &mut dyn Worker,
        interner: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Refused> {
        for i in states {
            out.push(self.put(batch.state(i), worker, interner)?);
        }
        Ok(())
    }

    fn claim(&self, batch: &Batch, _: &mut Ticket, out: &mut Vec<Claim>) {
        let states = batch.states().zip(batch.hashes());
        let found = states.map(|(state, hash)| self.table.find_hashed(state, *hash));
        out.clear();
        out.extend(found.map(|found| found.map_or(Claim::Late, Claim::Known)));
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(self.representatives.one(number))
    }

    fn node(&self, number: u32) -> u32 {
        self.representatives.one(number)
    }

    fn nodes_of(&self, number: u32) -> u64 {
        let next = number + 1;
        let end = match (next as usize) < self.representatives.len() {
            true => self.representatives.one(next),
            false => self.table.len() as u32,
        };
        u64::from(end - self.representatives.one(number))
    }

    fn nodes_of_orbit(&self, size: &BigUint) -> Result<u64, Refused> {
        let within = size.to_u64().filter(|n| *n <= self.limit);
        within.ok_or_else(|| Refused::Images { images: size.clone(), limit: self.limit })
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn stabiliser(&self, number: u32) -> Option<&Stabiliser> {
        self.stabilisers.get(number)
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + self.treated.bytes()
            + self.representatives.bytes()
            + self.stabilisers.bytes()
    }
}
