//! Numbers that never become smaller, in about two bits each.
//!
//! A number is told by as many zeros as it is larger than the one before, and a one: the upper half of the code of
//! Elias (1974) and Fano (1971), with no lower half, since what is kept here rises by little. Where some of the ones
//! stand is noted, so that reading a number means counting ones over a few words.

use super::Segments;
use crate::clock::Stopped;

/// Of how many ones the place of the first is noted.
const NOTED: usize = 512;
const WORD: u32 = u64::BITS;

/// Rising numbers, in the order in which they came.
#[derive(Clone, Debug)]
pub struct Rising {
    words: Segments<u64>,
    /// The word that is not full, and its bits that are written.
    word: u64,
    written: u32,
    /// The bits before the first of each [`NOTED`] ones.
    places: Segments<u64>,
    len: usize,
    last: u32,
}

impl Default for Rising {
    fn default() -> Rising {
        let (words, places) = (Segments::new(1), Segments::new(1));
        Rising { words, word: 0, written: 0, places, len: 0, last: 0 }
    }
}

impl Rising {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes held, spare capacity included.
    pub fn bytes(&self) -> usize {
        self.words.bytes() + self.places.bytes()
    }

    /// Adds a number that is no smaller than the last one.
    ///
    /// # Errors
    /// There is no room for it; the work is to end.
    #[inline]
    pub fn push(&mut self, number: u32) -> Result<(), Stopped> {
        debug_assert!(number >= self.last, "{number} comes after {}", self.last);
        while self.last < number {
            let zeros = (number - self.last).min(WORD - self.written);
            self.write(zeros)?;
            self.last += zeros;
        }
        if self.len.is_multiple_of(NOTED) {
            self.places
                .push(&[self.words.len() as u64 * u64::from(WORD) + u64::from(self.written)])?;
        }
        self.word |= 1 << self.written;
        self.write(1)?;
        self.len += 1;
        Ok(())
    }

    /// So many bits more are written.
    #[inline]
    fn write(&mut self, bits: u32) -> Result<(), Stopped> {
        self.written += bits;
        if self.written == WORD {
            self.words.push(&[self.word])?;
            (self.word, self.written) = (0, 0);
        }
        Ok(())
    }

    /// The number at a place.
    ///
    /// # Panics
    /// There are not so many.
    pub fn get(&self, at: u32) -> u32 {
        assert!((at as usize) < self.len, "{at} of {}", self.len);
        let place = self.places.one(at / NOTED as u32);
        let mut number = (place / u64::from(WORD)) as u32;
        let mut word = self.word(number) & (u64::MAX << (place % u64::from(WORD)));
        let mut before = at % NOTED as u32;
        while before >= word.count_ones() {
            before -= word.count_ones();
            number += 1;
            word = self.word(number);
        }
        for _ in 0..before {
            word &= word - 1;
        }
        // Before it stand as many ones as numbers, and the zeros that it rose by in all.
        (u64::from(number) * u64::from(WORD) + u64::from(word.trailing_zeros()) - u64::from(at))
            as u32
    }

    fn word(&self, number: u32) -> u64 {
        if number as usize == self.words.len() { self.word } else { self.words.one(number) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        // A few rise by much: each number of their piece is read past all those zeros.
        #[test]
        fn numbers_are_read_as_they_came(rises in prop::collection::vec(
            prop_oneof![64 => 0..3u32, 8 => 60..70u32, 1 => 0..20_000u32], 0..2000,
        )) {
            let mut rising = Rising::default();
            let mut sum = 0;
            let numbers: Vec<u32> = rises.iter().map(|by| { sum += by; sum }).collect();
            numbers.iter().for_each(|n| rising.push(*n).unwrap());
            prop_assert_eq!(rising.len(), numbers.len());
            for (at, number) in (0..).zip(&numbers) {
                prop_assert_eq!(rising.get(at), *number);
            }
        }
    }

    #[test]
    fn a_number_takes_two_bits_where_they_rise_by_one() {
        let mut rising = Rising::default();
        (0..1_000_000).for_each(|n| rising.push(n).unwrap());
        assert_eq!([0, 511, 512, 999_999].map(|at| rising.get(at)), [0, 511, 512, 999_999]);
        assert!(rising.bytes() < 350_000, "{}", rising.bytes());
    }
}
