//! For each key the first state that had it.

use super::{Admitted, Claim, Opening, Refused, Segments, Shared, StateTable, Store, Ticket};
use crate::reduce::{Batch, Worker};
use crate::state::Interner;
use crate::symmetry::Stabiliser;
use std::ops::Range;

pub struct First {
    /// Keys are one word.
    keys: StateTable,
    states: Segments<u64>,
}

impl First {
    /// For states of this many words, and as many states.
    pub fn new(words: usize, most: u32) -> First {
        First { keys: StateTable::new(1).numbering(most), states: Segments::new(words) }
    }
}

impl Store for First {
    fn find_or_put(
        &mut self,
        batch: &Batch,
        states: Range<usize>,
        _: &mut dyn Worker,
        _: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Refused> {
        self.keys.touch(&batch.hashes()[states.clone()]);
        for i in states {
            let put = self.keys.insert_hashed(batch.key(i), batch.hashes()[i]);
            let put = Admitted::at(put.map_err(|full| full.refused(&self.keys))?);
            if put.new {
                self.states.push(batch.state(i))?;
            }
            out.push(put);
        }
        Ok(())
    }

    fn claim(&self, batch: &Batch, ticket: &mut Ticket, out: &mut Vec<Claim>) {
        self.keys.touch(batch.hashes());
        let hashes = batch.hashes().iter().enumerate();
        out.clear();
        out.extend(hashes.map(|(i, hash)| self.keys.claim(batch.key(i), *hash, ticket)));
    }

    fn shared(&mut self) -> Option<&mut dyn Shared> {
        Some(self)
    }

    fn numbered(&self, batch: &Batch, i: usize) -> Option<u32> {
        self.keys.numbered(batch.key(i), batch.hashes()[i])
    }

    fn state(&self, number: u32) -> &[u64] {
        self.states.get(number)
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    fn stabiliser(&self, _: u32) -> Option<&Stabiliser> {
        None
    }

    fn bytes(&self) -> usize {
        self.keys.bytes() + self.states.bytes()
    }
}

impl Shared for First {
    fn open(&mut self, opening: Opening) -> Result<Vec<Ticket>, Refused> {
        Ok(self.keys.open(opening)?)
    }

    fn number(&mut self, batch: &Batch, i: usize, claim: Claim) -> Result<Option<u32>, Refused> {
        let number = self.keys.number(batch.key(i), batch.hashes()[i], claim);
        let number = number.map_err(|full| full.refused(&self.keys))?;
        if number.is_some() {
            self.states.push(batch.state(i))?;
        }
        Ok(number)
    }

    fn has_numbers(&self, more: usize) -> bool {
        self.keys.has_numbers(more)
    }

    fn close(&mut self, ends: &[Range<u32>], threads: usize) {
        self.keys.close(ends, threads);
    }
}
