//! Pairs in packed words: where the bits of each element on the left are, and which pair a bit is.

use crate::state::layout::Position;
use crate::value::set::low_bits;

/// Rows of bits, one after the other, also across words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub at: Position,
    /// At most 64.
    pub width: u32,
    pub rows: u32,
}

impl Rows {
    /// The word where a row begins, and the bit there.
    #[inline]
    fn place(&self, row: u32) -> (usize, u32) {
        let bit = self.at.shift + row * self.width;
        (self.at.word + bit as usize / 64, bit % 64)
    }

    /// The rows that are not empty, in order.
    #[inline]
    pub fn each(&self, state: &[u64], mut f: impl FnMut(u32, u64)) {
        let (mut word, mut shift) = (self.at.word, self.at.shift);
        for row in 0..self.rows {
            let mut bits = state[word] >> shift;
            let end = shift + self.width;
            if end > 64 {
                bits |= state[word + 1] << (64 - shift);
            }
            (word, shift) = if end >= 64 { (word + 1, end - 64) } else { (word, end) };
            match bits & low_bits(self.width) {
                0 => {}
                bits => f(row, bits),
            }
        }
    }

    /// Adds the bits of a row.
    #[inline]
    pub fn add(&self, image: &mut [u64], row: u32, bits: u64) {
        let (word, shift) = self.place(row);
        image[word] |= bits << shift;
        if shift + self.width > 64 {
            image[word + 1] |= bits >> (64 - shift);
        }
    }

    /// Clears all rows.
    pub fn clear(&self, words: &mut [u64]) {
        for row in 0..self.rows {
            let ((word, shift), mask) = (self.place(row), low_bits(self.width));
            words[word] &= !(mask << shift);
            if shift + self.width > 64 {
                words[word + 1] &= !(mask >> (64 - shift));
            }
        }
    }
}

/// Takes members that are pairs apart, asked in ascending order: without a division for each.
pub(super) struct Split {
    /// Members of the right side.
    pub width: u32,
    /// The left element at hand, and its first pair.
    left: u32,
    first: u32,
}

impl Split {
    pub fn new(width: u32) -> Split {
        Split { width, left: 0, first: 0 }
    }

    #[inline]
    pub fn pair(&mut self, member: u32) -> (u32, u32) {
        if member - self.first >= self.width {
            let steps = match member - self.first {
                next if next < 2 * self.width => 1,
                far => far / self.width,
            };
            self.left += steps;
            self.first += steps * self.width;
        }
        (self.left, member - self.first)
    }
}
