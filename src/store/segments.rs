//! A long list in pieces: it grows without being copied.

use crate::clock::{self, Stopped};

/// Items in a piece, and the power of two that this is.
const SHIFT: u32 = 13;
const PIECE: usize = 1 << SHIFT;

/// Items of the same number of parts each, numbered from 0. Nothing is ever removed.
#[derive(Clone, Debug)]
pub struct Segments<T> {
    /// Parts of an item.
    width: usize,
    pieces: Vec<Vec<T>>,
    len: usize,
}

impl<T: Copy> Segments<T> {
    /// An empty list of items of `width` parts, at least one.
    pub fn new(width: usize) -> Segments<T> {
        Segments { width: width.max(1), pieces: Vec::new(), len: 0 }
    }

    /// Parts of an item.
    pub fn width(&self) -> usize {
        self.width
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The item with a number.
    #[inline]
    pub fn get(&self, number: u32) -> &[T] {
        let at = (number as usize % PIECE) * self.width;
        &self.pieces[number as usize >> SHIFT][at..at + self.width]
    }

    /// The item with a number, where items have one part.
    #[inline]
    pub fn one(&self, number: u32) -> T {
        self.pieces[number as usize >> SHIFT][number as usize % PIECE]
    }

    /// Adds an item.
    ///
    /// # Errors
    /// There is no room for another piece; the work is to end.
    #[inline]
    pub fn push(&mut self, item: &[T]) -> Result<(), Stopped> {
        debug_assert_eq!(item.len(), self.width);
        let piece = self.last()?;
        match item {
            [part] => piece.push(*part),
            parts => piece.extend_from_slice(parts),
        }
        self.len += 1;
        Ok(())
    }

    /// The piece that the next item goes to.
    #[inline]
    fn last(&mut self) -> Result<&mut Vec<T>, Stopped> {
        if self.len.is_multiple_of(PIECE) {
            self.add_piece()?;
        }
        Ok(&mut self.pieces[self.len >> SHIFT])
    }

    #[cold]
    fn add_piece(&mut self) -> Result<(), Stopped> {
        let parts = PIECE * self.width;
        // The first piece doubles until it is full: most lists are short.
        let room = if self.len == 0 { 0 } else { parts };
        if room > 0 {
            clock::take(room * size_of::<T>())?;
        }
        self.pieces.push(Vec::with_capacity(room));
        Ok(())
    }

    /// Bytes held, spare capacity included.
    pub fn bytes(&self) -> usize {
        self.pieces.iter().map(|piece| piece.capacity() * size_of::<T>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stay_where_they_are() {
        let mut list = Segments::new(2);
        let n = 2 * PIECE as u32 + 7;
        for i in 0..n {
            list.push(&[i, !i]).unwrap();
        }
        assert_eq!(list.len(), n as usize);
        assert!((0..n).all(|i| list.get(i) == [i, !i]));
        // No more than one piece is not full.
        assert!(list.bytes() <= 3 * PIECE * 2 * size_of::<u32>());
        let mut short = Segments::new(1);
        short.push(&[1u64]).unwrap();
        assert_eq!((short.one(0), short.get(0)), (1, &[1][..]));
        assert!(short.bytes() < 100);
    }

    #[test]
    fn a_piece_is_taken_from_the_memory_that_the_clock_allows() {
        let clock = clock::Clock::limited(None, Some(1));
        let filled = clock.run(|| {
            let mut list = Segments::new(1);
            (0..2 * PIECE).find(|i| list.push(&[*i as u64]).is_err())
        });
        assert_eq!(filled, Some(PIECE));
        assert_eq!(clock.halt(), Some(clock::Halt::Memory));
    }
}
