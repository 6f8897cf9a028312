//! For each key the first state that had it.

use super::{Admitted, InParts, Refused, Segments, StateTable, Store};
use crate::reduce::{Batch, Worker};
use crate::state::Interner;
use crate::symmetry::Order;
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
        self.keys.enter(1)?;
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

    fn find(&self, batch: &Batch, out: &mut Vec<Option<u32>>) {
        self.keys.touch(batch.hashes());
        let hashes = batch.hashes().iter().enumerate();
        out.clear();
        out.extend(hashes.map(|(i, hash)| self.keys.find_hashed(batch.key(i), *hash)));
    }

    fn in_parts(&mut self) -> Option<&mut dyn InParts> {
        Some(self)
    }

    fn state(&self, number: u32) -> &[u64] {
        self.states.get(number)
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    fn order(&self, _: u32) -> Option<&Order> {
        None
    }

    fn bytes(&self) -> usize {
        self.keys.bytes() + self.states.bytes()
    }
}

impl InParts for First {
    fn number(&mut self, batch: &Batch, i: usize) -> Result<u32, Refused> {
        let number = self.keys.number(batch.key(i), batch.hashes()[i]);
        let number = number.map_err(|full| full.refused(&self.keys))?;
        self.states.push(batch.state(i))?;
        Ok(number)
    }

    fn enter(&mut self, threads: usize) -> Result<(), Refused> {
        Ok(self.keys.enter(threads)?)
    }
}
