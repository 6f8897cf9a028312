//! Mixed search (Turner et al., algorithm 1): a new state goes to the front of the queue with probability
//! alpha, else to its end.

use super::engine::{End, Engine};
use super::random::Random;
use crate::eval::Successors;
use std::collections::VecDeque;

pub fn search(engine: &mut Engine<'_>) -> Result<(), End> {
    let (mut random, alpha) = (Random::new(engine.options.seed), engine.options.alpha);
    let mut out = Successors::new();
    let mut queue: VecDeque<u32> = VecDeque::new();
    let (mut queued, mut turns) = (0, 0);
    loop {
        for number in queued..engine.known() {
            if random.unit() < alpha {
                queue.push_front(number);
            } else {
                queue.push_back(number);
            }
        }
        queued = engine.known();
        let Some(number) = queue.pop_front() else { return Ok(()) };
        turns += 1;
        engine.turn(turns)?;
        let depth = engine.graph.depth(number);
        engine.take_up(number, depth, &mut out)?;
    }
}
