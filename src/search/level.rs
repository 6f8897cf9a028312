//! The levels of breadth-first search, and the end of one in which something was found.
//!
//! The order of the states within a level depends on how states are identified. So that the verdict
//! does not, the search goes on after a finding for as long as one that comes first
//! ([`Findings`](super::findings)) is still possible: at most to the end of its level.

use super::engine::{End, Engine};
use super::findings::Kind;
use super::frontier::Frontier;
use crate::eval::Successors;

/// Where the levels end. States are taken up in the order of their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    depth: u32,
    /// The first state of the next level.
    end: u32,
}

impl Levels {
    /// `initial`: number of initial states.
    pub fn new(initial: u32) -> Levels {
        Levels { depth: 0, end: initial }
    }

    /// The depth of the next state; `known` states were found so far.
    pub fn depth(&mut self, number: u32, known: u32) -> u32 {
        if number >= self.end {
            self.depth += 1;
            self.end = known;
        }
        self.depth
    }
}

impl Engine<'_> {
    /// Something was found: looks for what comes before it.
    pub fn settle(
        &mut self,
        mut levels: Levels,
        frontier: &mut Frontier,
        out: &mut Successors,
    ) -> Result<(), End> {
        let mut turns = 0u32;
        while let Some(number) = frontier.pop() {
            turns += 1;
            if turns & 63 == 0 {
                self.look_up(frontier)?;
            }
            let depth = levels.depth(number, self.known());
            if !self.findings.can_improve(depth, Kind::INVARIANT) {
                break;
            }
            match self.check(number, depth) {
                Ok(true) => {}
                Ok(false) | Err(End::Found) => continue,
                Err(End::Limit) => return Err(End::Limit),
            }
            // One of its operations may fail, or none be enabled.
            let fails = self.findings.can_improve(depth + 1, Kind::OPERATION);
            if fails || self.options.deadlock && self.findings.can_improve(depth, Kind::DEADLOCK) {
                match self.expand(number, depth, Some(frontier), out) {
                    Ok(()) | Err(End::Found) => {}
                    Err(End::Limit) => return Err(End::Limit),
                }
            }
        }
        Ok(())
    }
}
