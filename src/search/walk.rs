//! Random walks from the initial states. They find deep errors early and never make a search
//! complete.

use super::engine::{End, Engine};
use super::random::Random;
use super::walkers::Walker;
use crate::clock::{self, Phase};
use crate::eval::Successors;
use crate::setup::Bound;
use crate::value::Generators;

/// Steps of one walk, and number of walks: what limits the search when no other limit is given.
const STEPS: u32 = 1000;
const WALKS: u32 = 1000;

/// Walks, alone or as one of several walkers.
pub fn search(engine: &mut Engine<'_>, walker: Option<Walker<'_>>) -> Result<(), End> {
    let mut taken = 0;
    let end = walk(engine, |steps| {
        taken = steps;
        walker.is_some_and(|w| w.race.is_lost(steps))
    });
    if let (Err(End::Found), Some(walker)) = (&end, walker) {
        walker.race.found(taken, walker.number);
    }
    end
}

/// `is_over`: whether these are enough steps.
fn walk(engine: &mut Engine<'_>, mut is_over: impl FnMut(u64) -> bool) -> Result<(), End> {
    let mut random = Random::new(engine.options.seed);
    let initial = engine.graph.initial_count();
    let mut out = Successors::new();
    engine.bound(Bound::RandomWalks { walks: WALKS, steps: STEPS });
    // Of each state whether it goes on there, once it was checked.
    let mut checked: Vec<Option<bool>> = Vec::new();
    let mut steps = 0;
    for _ in 0..WALKS {
        let mut at = random.below(initial) as u32;
        for depth in 0..STEPS {
            steps += 1;
            if is_over(steps) {
                return Err(End::Limit);
            }
            engine.report(0);
            clock::enter(Phase::Search);
            clock::tick()?;
            checked.resize(engine.known() as usize, None);
            let state = engine.visited.state(at).to_vec();
            let first_visit = checked[at as usize].is_none();
            if first_visit {
                checked[at as usize] = Some(engine.check(at, depth, &state)?);
            }
            if checked[at as usize] == Some(false) {
                break;
            }
            engine.expander.evaluator.successors(&state, false, &mut out)?;
            if first_visit {
                engine.count_and_admit((at, depth, &state), &out, &Generators::default())?;
                engine.ends_in(at, depth, &out)?;
            }
            if out.is_empty() {
                break;
            }
            let target = out.target(random.below(out.len())).to_vec();
            at = engine.visited.admit(&target, engine.expander.evaluator.interner())?.number;
        }
    }
    Ok(())
}
