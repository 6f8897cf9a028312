//! Breadth-first search: states are taken up in the order of their numbers, level by level.
//!
//! The order of the states within a level depends on how states are identified. So that the verdict
//! does not, the search goes on after a finding for as long as one that comes first
//! ([`Findings`](super::findings)) is still possible: at most to the end of its level.

use super::crew::Crew;
use super::engine::{End, Engine};
use super::findings::Kind;
use crate::eval::Successors;

/// Where the levels end.
#[derive(Clone, Copy, Debug)]
struct Levels {
    depth: u32,
    /// The first state of the next level.
    end: u32,
}

impl Levels {
    /// The depth of the next state; `known` states were found so far.
    fn depth(&mut self, number: u32, known: u32) -> u32 {
        if number >= self.end {
            self.depth += 1;
            self.end = known;
        }
        self.depth
    }
}

pub fn search(engine: &mut Engine<'_>) -> Result<(), End> {
    let mut out = Successors::new();
    let mut levels = Levels { depth: 0, end: engine.known() };
    let mut crew = Crew::new(engine);
    let mut next = 0;
    let mut end = Ok(());
    while next < engine.known() && end.is_ok() {
        end = engine.turn(next + 1);
        if end.is_err() {
            break;
        }
        let depth = levels.depth(next, engine.known());
        crew.prepare(engine, next);
        let even = crew.even(engine, next);
        if let Some((chunk, count)) = even
            && next + count <= levels.end
            && engine.has_room_for(chunk)
        {
            end = engine.take_up_chunk((next, depth), chunk);
            next += count;
            continue;
        }
        end = match crew.known(engine, next) {
            Some((known, chunk, claimed)) => {
                engine.take_up_known((next, depth), known, chunk, claimed)
            }
            None => engine.take_up(next, depth, &mut out),
        };
        next += 1;
    }
    crew.dismiss(engine);
    if let Err(End::Found) = end {
        settle(engine, levels, next, &mut out)?;
    }
    end
}

/// Something was found: looks for what comes before it among the states from `next` on.
fn settle(
    engine: &mut Engine<'_>,
    mut levels: Levels,
    mut next: u32,
    out: &mut Successors,
) -> Result<(), End> {
    while next < engine.known() {
        engine.turn(next + 1)?;
        let depth = levels.depth(next, engine.known());
        if !engine.tally.findings.can_improve(depth, Kind::INVARIANT) {
            break;
        }
        match engine.settle(next, depth, out) {
            Ok(()) | Err(End::Found) => next += 1,
            Err(End::Limit) => return Err(End::Limit),
        }
    }
    Ok(())
}
