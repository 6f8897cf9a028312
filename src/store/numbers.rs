//! Small numbers, one for each state: in one byte while all are below 256, in two while they fit there.

use super::Segments;
use crate::clock::Stopped;

#[derive(Clone, Debug)]
pub enum Numbers {
    Narrow(Segments<u8>),
    Middle(Segments<u16>),
    Wide(Segments<u32>),
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::Narrow(Segments::new(1))
    }
}

/// The same numbers, wider.
fn copied<N: Copy, W: Copy + From<N>>(narrow: &Segments<N>) -> Result<Segments<W>, Stopped> {
    let mut wide = Segments::new(1);
    for state in 0..narrow.len() as u32 {
        wide.push(&[W::from(narrow.one(state))])?;
    }
    Ok(wide)
}

impl Numbers {
    /// Adds that of the next state.
    ///
    /// # Errors
    /// There is no room for it; the work is to end.
    #[inline]
    pub fn push(&mut self, number: u32) -> Result<(), Stopped> {
        match self {
            Numbers::Narrow(narrow) => {
                if let Ok(number) = u8::try_from(number) {
                    return narrow.push(&[number]);
                }
            }
            Numbers::Middle(middle) => {
                if let Ok(number) = u16::try_from(number) {
                    return middle.push(&[number]);
                }
            }
            Numbers::Wide(wide) => return wide.push(&[number]),
        }
        self.widen()?;
        self.push(number)
    }

    /// Makes room for larger ones.
    #[cold]
    fn widen(&mut self) -> Result<(), Stopped> {
        *self = match self {
            Numbers::Narrow(narrow) => Numbers::Middle(copied(narrow)?),
            Numbers::Middle(middle) => Numbers::Wide(copied(middle)?),
            Numbers::Wide(_) => return Ok(()),
        };
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
            Numbers::Middle(of) => u32::from(of.one(state)),
            Numbers::Wide(of) => of.one(state),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Numbers::Narrow(of) => of.len(),
            Numbers::Middle(of) => of.len(),
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
            Numbers::Middle(of) => of.bytes(),
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
        let number = |i: u32| if i < 10_000 { i % 256 } else { 5 * i };
        for i in 0..20_000u32 {
            numbers.push(number(i)).unwrap();
            assert_eq!(matches!(numbers, Numbers::Narrow(_)), i < 10_000);
            assert_eq!(matches!(numbers, Numbers::Wide(_)), i * 5 > u32::from(u16::MAX));
        }
        assert!((0..20_000).all(|i| numbers.of(i) == number(i)));
        assert_eq!((numbers.len(), numbers.get(20_000)), (20_000, None));
    }
}
