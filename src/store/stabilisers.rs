//! The stabilisers of many states: few different ones occur.

use super::Numbers;
use crate::clock::Stopped;
use crate::symmetry::{Order, Stabiliser};
use indexmap::{Equivalent, IndexSet};
use rustc_hash::FxBuildHasher;

/// Different ones that are kept with what generates them: their numbers fit in two bytes.
const MOST_GENERATED: usize = 1 << 15;
/// The words that these take in all.
const MOST_WORDS: usize = 1 << 22;

/// One stabiliser for each state. The different ones are numbered.
///
/// What generates one saves a labelling when its state is expanded. Where there are too many different
/// ones, the later ones are kept without: it is found again then.
#[derive(Clone, Debug, Default)]
pub struct Stabilisers {
    known: IndexSet<Stabiliser, FxBuildHasher>,
    /// Words of those that are kept with what generates them, and their number.
    words: usize,
    generated: usize,
    of: Numbers,
}

/// A stabiliser that may be new.
#[derive(Hash)]
struct Seen<'a> {
    order: &'a Order,
    found: &'a [u32],
}

impl Equivalent<Stabiliser> for Seen<'_> {
    fn equivalent(&self, known: &Stabiliser) -> bool {
        *self.order == known.order && self.found == known.found
    }
}

impl Stabilisers {
    /// Adds that of the next state: its order and [what generates it](Stabiliser::found).
    ///
    /// # Errors
    /// There is no room for it; the work is to end.
    pub fn push(&mut self, order: &Order, found: &[u32]) -> Result<(), Stopped> {
        let at = match self.known.get_index_of(&Seen { order, found }) {
            Some(at) => at,
            None => self.add(order, found),
        };
        self.of.push(at as u32)
    }

    /// Gives one that is not known a number.
    fn add(&mut self, order: &Order, found: &[u32]) -> usize {
        if self.generated >= MOST_GENERATED || self.words + found.len() > MOST_WORDS {
            return self
                .known
                .insert_full(Stabiliser { order: order.clone(), found: Vec::new() })
                .0;
        }
        self.words += found.len();
        self.generated += usize::from(!found.is_empty());
        self.known.insert_full(Stabiliser { order: order.clone(), found: found.to_vec() }).0
    }

    pub fn get(&self, number: u32) -> Option<&Stabiliser> {
        self.known.get_index(self.of.get(number)? as usize)
    }

    pub fn bytes(&self) -> usize {
        self.of.bytes() + self.words * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_different_orders_take_more_bytes() {
        let mut orders = Stabilisers::default();
        for i in 0..400u128 {
            orders.push(&Order::Small(1 + i % 300), &[]).unwrap();
        }
        let order = |i| orders.get(i).map(|known| known.order.clone());
        assert!((0..400).all(|i| order(i) == Some(Order::Small(1 + u128::from(i) % 300))));
        assert_eq!(orders.get(400), None);
    }

    #[test]
    fn too_many_are_kept_without_generators() {
        let mut many = Stabilisers::default();
        let count = MOST_GENERATED as u32 + 70_000;
        for i in 0..count {
            many.push(&Order::Small(2), &[2, 2, i, i + 1]).unwrap();
        }
        let found = |i| many.get(i).unwrap().found.as_slice();
        let kept = (0..count).filter(|i| found(*i) == [2, 2, *i, *i + 1]).count();
        let empty = (0..count).filter(|i| found(*i).is_empty()).count();
        assert_eq!((kept, empty), (MOST_GENERATED, 70_000));
        // A known one is still found with what generates it.
        many.push(&Order::Small(2), &[2, 2, 7, 8]).unwrap();
        assert_eq!(many.get(count).unwrap().found, [2, 2, 7, 8]);
    }
}
