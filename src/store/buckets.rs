//! States with equal hashes are compared by whoever made the hashes.

use super::{Admitted, MOST_NUMBERS, Refused, Segments, Stabilisers, Store};
use crate::reduce::{Batch, Kept, Keys, Worker};
use crate::state::Interner;
use crate::symmetry::Stabiliser;
use rustc_hash::FxHashMap;
use std::ops::Range;

pub struct Buckets {
    states: Segments<u64>,
    keys: Keys,
    buckets: FxHashMap<u64, Vec<u32>>,
    stabilisers: Stabilisers,
    most: u32,
}

impl Buckets {
    /// For states of this many words, and as many states.
    pub fn new(words: usize, most: u32) -> Buckets {
        Buckets {
            most: most.min(MOST_NUMBERS),
            states: Segments::new(words),
            keys: Keys::default(),
            buckets: FxHashMap::default(),
            stabilisers: Stabilisers::default(),
        }
    }

    /// The state that the worker takes for the same as the `i`-th of a batch.
    fn equal(
        &self,
        batch: &Batch,
        i: usize,
        worker: &mut dyn Worker,
        interner: &mut Interner,
    ) -> Result<Option<u32>, Refused> {
        let bucket = self.buckets.get(&batch.hashes()[i]).map_or(&[][..], Vec::as_slice);
        for number in bucket {
            let kept = Kept { state: self.state(*number), key: self.keys.get(*number as usize) };
            if worker.same(batch, i, kept, interner)? {
                return Ok(Some(*number));
            }
        }
        Ok(None)
    }
}

impl Store for Buckets {
    fn find_or_put(
        &mut self,
        batch: &Batch,
        states: Range<usize>,
        worker: &mut dyn Worker,
        interner: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Refused> {
        for i in states {
            if let Some(number) = self.equal(batch, i, worker, interner)? {
                out.push(Admitted::at((number, false)));
                continue;
            }
            let order = worker.order(batch.state(i), interner)?;
            let number = self.states.len() as u32;
            if number >= self.most {
                return Err(Refused::Numbers(self.most));
            }
            self.states.push(batch.state(i))?;
            self.keys.push(batch.key(i));
            self.buckets.entry(batch.hashes()[i]).or_default().push(number);
            self.stabilisers.push(&order, &[])?;
            out.push(Admitted::at((number, true)));
        }
        Ok(())
    }

    fn goes_by_words(&self) -> bool {
        false
    }

    fn state(&self, number: u32) -> &[u64] {
        self.states.get(number)
    }

    fn len(&self) -> usize {
        self.states.len()
    }

    fn stabiliser(&self, number: u32) -> Option<&Stabiliser> {
        self.stabilisers.get(number)
    }

    fn bytes(&self) -> usize {
        let buckets = self.buckets.len() * (size_of::<(u64, Vec<u32>)>() + 16);
        self.states.bytes() + self.keys.bytes() + buckets + self.stabilisers.bytes()
    }
}
