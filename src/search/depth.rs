//! Depth-first search, with the path that it is on.
//!
//! All successors of a state are admitted when it is expanded, and the last one is followed first. A
//! state that was admitted elsewhere and not taken up yet is followed from here. So the frames are a path
//! of the machine, each state a successor of the one below it, and of the transitions of a cycle one leads
//! to a state that is on the path.

use super::engine::{End, Engine};
use crate::eval::Successors;

pub fn search(engine: &mut Engine<'_>) -> Result<(), End> {
    let mut out = Successors::new();
    // By number, whether a state was taken up, and how many were.
    let mut taken: Vec<bool> = vec![false; engine.known() as usize];
    let mut turns = 0;
    // Successors that may have to be followed, those of each frame behind those of the frame below it;
    // and where those of each frame begin.
    let mut waiting: Vec<u32> = (0..engine.known()).collect();
    let mut frames: Vec<(usize, Option<u32>)> = vec![(0, None)];
    while let Some((begin, state)) = frames.last().copied() {
        if waiting.len() == begin {
            frames.pop();
            state.into_iter().for_each(|number| engine.set_on_path(number, false));
            continue;
        }
        let Some(number) = waiting.pop() else { break };
        if std::mem::replace(&mut taken[number as usize], true) {
            continue;
        }
        turns += 1;
        engine.turn(turns)?;
        frames.push((waiting.len(), Some(number)));
        engine.set_on_path(number, true);
        let depth = engine.graph.depth(number);
        engine.take_up(number, depth, &mut out)?;
        taken.resize(engine.known() as usize, false);
        waiting.extend(engine.reached().filter(|n| !taken[*n as usize]));
    }
    Ok(())
}
