//! Small numbers, one for each state: in one byte while all are below 256.

use super::Segments;
use crate::clock::Stopped;

#[derive(Clone, Debug)]
pub enum Numbers {
    Narrow(Segments<u8>),
    Wide(Segments<u32>),
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::Narrow(Segments::new(1))
    }
}

impl Numbers {
    /// Adds that of the next state.
    ///
    /// # Errors
    /// There is no room for it; the work is to end.
    #[inline]
    pub fn push(&mut self, number: u32) -> Result<(), Stopped> {
        if let Numbers::Narrow(narrow) = self {
            match u8::try_from(number) {
                Ok(number) => return narrow.push(&[number]),
                Err(_) => self.widen()?,
            }
        }
        match self {
            Numbers::Wide(wide) => wide.push(&[number]),
            Numbers::Narrow(_) => Ok(()),
        }
    }

    #[cold]
    fn widen(&mut self) -> Result<(), Stopped> {
        let Numbers::Narrow(narrow) = self else { return Ok(()) };
        let mut wide = Segments::new(1);
        for state in 0..narrow.len() as u32 {
            wide.push(&[u32::from(narrow.one(state))])?;
        }
        *self = Numbers::Wide(wide);
        Ok(())
    }

    /// That of a state, if it has one.
    pub fn get(&self, state: u32) -> Option<u32> {
        ((state as usize) < self.len()).then(|| self.of(state))
    }

    /// That of a state that has one.
    #[inline]
    pub fn of(&self, state: u32) -> u32 {
        match self {
            Numbers::Narrow(of) => u32::from(of.one(state)),
            Numbers::Wide(of) => of.one(state),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Numbers::Narrow(of) => of.len(),
            Numbers::Wide(of) => of.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held, spare capacity included.
    pub fn bytes(&self) -> usize {
        match self {
            Numbers::Narrow(of) => of.bytes(),
            Numbers::Wide(of) => of.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_number_changes_no_other() {
        let mut numbers = Numbers::default();
        for i in 0..20_000u32 {
            numbers.push(if i < 10_000 { i % 256 } else { i }).unwrap();
            assert_eq!(matches!(numbers, Numbers::Narrow(_)), i < 10_000);
        }
        assert_eq!((numbers.of(9_999), numbers.of(10_000)), (9_999 % 256, 10_000));
        assert_eq!((numbers.len(), numbers.get(20_000)), (20_000, None));
    }
}
