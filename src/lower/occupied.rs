//! Operations that want a parameter for which a function has one value, `p : P & place(p) = idle`: which of them are closed,
//! since no argument has theirs. One look at the function tells it of all of them.

use super::TotalWord;
use super::total::moves::Move;
use super::total::sift::Results;
use crate::value::set::low_bits;

/// Most arguments that are looked at, and words of bits in a table.
const MOST_ARGUMENTS: u64 = 32;
const MOST_WORDS: usize = 1 << 14;

/// How many arguments are worth a look for each operation that is expected to be closed.
const WORTH: f64 = 16.0;

/// What an operation wants: an argument of this function with this result, by its number.
pub struct Wanted {
    of: Results,
    number: u64,
}

impl Wanted {
    /// What moves that find the instances of an operation want of functions, each of all its arguments.
    pub fn by<V>(moves: &[Move<V>]) -> Vec<Wanted> {
        let own = moves.iter().take_while(|step| !matches!(step, Move::Begin));
        let candidates = own.filter_map(|step| match step {
            Move::Bits(_, TotalWord::Constant(all), sifts) => Some((*all, sifts)),
            Move::Codes(of, sifts) => match of.set {
                TotalWord::Constant(all) => Some((all, sifts)),
                _ => None,
            },
            _ => None,
        });
        let each = candidates.flat_map(|(all, sifts)| sifts.iter().map(move |sift| (all, sift)));
        let wanted = each.filter_map(|(all, sift)| {
            let (of, number) = sift.wants()?;
            let size = of.arguments();
            let is_whole = size <= MOST_ARGUMENTS && all == low_bits(size as u32);
            is_whole.then_some(Wanted { of, number })
        });
        wanted.collect()
    }
}

/// What the results of one function leave open.
#[derive(Debug)]
pub struct Occupied {
    of: Results,
    /// For each number a bit for each operation that wants it.
    by_number: Box<[u64]>,
    /// Operations that want none.
    others: Box<[u64]>,
}

impl Occupied {
    /// Of the functions for which it pays, by what each operation wants.
    pub fn of(operations: &[Vec<Wanted>]) -> Box<[Occupied]> {
        let words = operations.len().div_ceil(64);
        let mut known: Vec<Occupied> = Vec::new();
        for (i, wanted) in operations.iter().enumerate() {
            for Wanted { of, number } in wanted {
                let size = (of.numbers() as usize + 1).saturating_mul(words);
                if size > MOST_WORDS {
                    continue;
                }
                let at = known.iter().position(|known| known.of.are_of(of)).unwrap_or_else(|| {
                    let (by_number, others) = (vec![0; size].into(), vec![u64::MAX; words].into());
                    known.push(Occupied { of: of.clone(), by_number, others });
                    known.len() - 1
                });
                let own = &mut known[at];
                // Of several numbers that an operation wants the first counts.
                let (word, bit) = (i / 64, 1 << (i % 64));
                if own.others[word] & bit != 0 {
                    own.others[word] &= !bit;
                    own.by_number[*number as usize * words + word] |= bit;
                }
            }
        }
        known.into_iter().filter(Occupied::pays).collect()
    }

    /// Whether enough operations are expected to be closed, if every result is as likely as every other.
    fn pays(&self) -> bool {
        let arguments = self.of.arguments() as f64;
        let another = 1.0 - 1.0 / self.of.numbers() as f64;
        let asked: u32 = self.others.iter().map(|word| word.count_zeros()).sum();
        f64::from(asked) * another.powf(arguments) * WORTH >= arguments
    }

    /// Of a word of operations, those that a state leaves open.
    #[inline(always)]
    pub fn left_open(&self, word: usize, state: &[u64]) -> u64 {
        let (words, mut left) = (self.others.len(), self.others[word]);
        let is_all =
            self.of.each(state, |number| left |= self.by_number[number as usize * words + word]);
        if is_all { left } else { u64::MAX }
    }
}
