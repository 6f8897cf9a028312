//! Whether it pays to look for what was found before: it rests for a while where few questions were answered so.

/// Questions after which it can be told whether it pays, and for which it rests where it does not.
pub const TRIAL: u32 = 1 << 10;
pub const REST: u32 = 1 << 16;

/// The questions so far.
#[derive(Clone, Default, Debug)]
pub struct Trial {
    asked: u32,
    answered: u32,
    rest: u32,
}

/// What is to be done with a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// To look for an answer.
    Looks,
    Rests,
    /// To rest from now on: what was kept for it is of no use.
    Ends,
}

impl Trial {
    /// One more question.
    #[inline]
    pub fn ask(&mut self) -> Asks {
        if self.rest > 0 {
            self.rest -= 1;
            return Asks::Rests;
        }
        if self.asked == TRIAL {
            let few = self.answered < TRIAL / 4;
            *self = Trial { rest: if few { REST } else { 0 }, ..Trial::default() };
            if few {
                return Asks::Ends;
            }
        }
        self.asked += 1;
        Asks::Looks
    }

    /// The last question was answered.
    #[inline]
    pub fn has_answered(&mut self) {
        self.answered += 1;
    }

    #[inline]
    pub fn rests(&self) -> bool {
        self.rest > 0
    }
}
