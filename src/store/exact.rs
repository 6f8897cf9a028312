//! States that differ in a word are different.

use super::{Admitted, Claim, Opening, Refused, Shared, Stabilisers, StateTable, Store, Ticket};
use crate::reduce::{Batch, Worker};
use crate::state::Interner;
use crate::symmetry::Stabiliser;
use std::ops::Range;

pub struct Exact {
    table: StateTable,
    stabilisers: Stabilisers,
}

impl Exact {
    /// For states of this many words, and as many states.
    pub fn new(words: usize, most: u32) -> Exact {
        let table = StateTable::new(words).numbering(most);
        Exact { table, stabilisers: Stabilisers::default() }
    }
}

impl Store for Exact {
    fn find_or_put(
        &mut self,
        batch: &Batch,
        states: Range<usize>,
        _: &mut dyn Worker,
        _: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Refused> {
        let Exact { table, stabilisers } = self;
        let (words, hashes) = (batch.words_of(states.clone()), &batch.hashes()[states.clone()]);
        let put = table.insert_all(words, hashes, |i, number, new| {
            out.push(Admitted { number, node: number, new });
            match batch.order(states.start + i) {
                Some(order) if new => stabilisers.push(order, batch.generators(states.start + i)),
                _ => Ok(()),
            }
        });
        put.map_err(|full| full.refused(table))
    }

    fn claim(&self, batch: &Batch, ticket: &mut Ticket, out: &mut Vec<Claim>) {
        self.table.touch(batch.hashes());
        let states = batch.states().zip(batch.hashes());
        out.clear();
        out.extend(states.map(|(state, hash)| self.table.claim(state, *hash, ticket)));
    }

    fn shared(&mut self) -> Option<&mut dyn Shared> {
        Some(self)
    }

    fn numbered(&self, batch: &Batch, i: usize) -> Option<u32> {
        self.table.numbered(batch.state(i), batch.hashes()[i])
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(number)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn stabiliser(&self, number: u32) -> Option<&Stabiliser> {
        self.stabilisers.get(number)
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.stabilisers.bytes()
    }
}

impl Shared for Exact {
    fn open(&mut self, opening: Opening) -> Result<Vec<Ticket>, Refused> {
        Ok(self.table.open(opening)?)
    }

    fn number(&mut self, batch: &Batch, i: usize, claim: Claim) -> Result<Option<u32>, Refused> {
        let number = self.table.number(batch.state(i), batch.hashes()[i], claim);
        let number = number.map_err(|full| full.refused(&self.table))?;
        if let (Some(_), Some(order)) = (number, batch.order(i)) {
            self.stabilisers.push(order, batch.generators(i))?;
        }
        Ok(number)
    }

    fn has_numbers(&self, more: usize) -> bool {
        self.table.has_numbers(more)
    }

    fn close(&mut self, ends: &[Range<u32>], threads: usize) {
        self.table.close(ends, threads);
    }
}
