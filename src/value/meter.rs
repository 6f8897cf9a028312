//! What an operator asks before it goes on: values can become larger than there is room for, and
//! take longer than there is time.

/// The operator was told not to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GivenUp;

/// Asked by operators whose results can be much larger than their operands.
pub trait Meter {
    /// The operator did about `work` steps since it asked last, and holds `members` members.
    ///
    /// # Errors
    /// It shall stop.
    fn spent(&mut self, work: usize, members: usize) -> Result<(), GivenUp>;
}

/// Never says no.
pub struct Unmetered;

impl Meter for Unmetered {
    fn spent(&mut self, _: usize, _: usize) -> Result<(), GivenUp> {
        Ok(())
    }
}
