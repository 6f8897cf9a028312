//! All cores for one search: threads look ahead while the search stands still.
//!
//! States are taken up in the order of their numbers, on one thread, whatever the number of threads; so
//! counts, findings, and the place where a limit cuts are the same. But most of what that takes is found
//! out before, a block of states at a time:
//!
//! 1. The states from the next one on are cut into chunks, and each thread takes the next chunk, checks and
//!    expands its states, computes what stands for their targets, and looks up which of them are known.
//!    Nothing that is shared changes meanwhile.
//! 2. The targets that are not known are compared with each other, those of each part of the table by one
//!    thread: each but the first of those that are equal is marked ([`compare`]).
//! 3. This thread goes through what they found in order: it counts, and numbers the targets that are not
//!    marked.
//! 4. Each part of the table takes in what is new and belongs to it, before the next block ([`Visited::enter`]).
//!
//! This is breadth-first search in supersteps (Valiant's bulk-synchronous model), as level by level in the
//! parallel checkers after Stern and Dill; but who expands a state and whose part of the table it belongs to
//! are two questions here, since all threads read the whole table. Where the store has no parts, 2 and 4 are
//! left out, and 3 looks the targets up.
//!
//! What threads share while they work are the queue of the chunks, the interner and the clock; no thread
//! waits for another one but at the end of a step. A mark is written by the one thread that has its part of
//! the table, and read after all have ended; so there is nothing here whose outcome depends on who comes
//! first. What is not promised: that the numbers of interned values are the same twice (nothing that is seen
//! depends on them), nor any speed-up where single states take long and few are known at a time.
//!
//! [`Visited::enter`]: crate::store::Visited::enter
//!
//! A state that was looked at under other questions than are asked when its turn comes (the first finding
//! changes them), or not at all (the clock stopped the thread), is taken up as if nobody had.

use super::ahead::{Asks, Chunk, Firsts, Helper, Known, Still, compare};
use super::checks::Checks;
use super::choice;
use super::engine::Engine;
use super::expander::Expander;
use super::partial::Branching;
use crate::clock::hands::share;
use crate::clock::{Clock, Stopped};
use crate::eval::{Evaluator, Program};
use crate::reduce::{Canon, Reduction};
use crate::state::Interner;
use crate::store::table::SHARDS;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Most states of a chunk: what a thread takes at a time.
const CHUNK: u32 = 64;
/// Chunks of a block for each thread, so that none waits long for the last one.
const CHUNKS: u32 = 8;
/// Most states that are looked at before their turn comes, for each thread.
const BLOCK: u32 = 1 << 13;
/// Least targets that are compared by several threads.
const MANY: usize = 1 << 12;
/// Least work for which threads are started: that takes some hundredths of a millisecond.
const ENOUGH: Duration = Duration::from_millis(1);
/// How long the threads should work on a block: long enough that it matters little when one of them has to
/// wait for a processor, and no longer than somebody likes to wait for news.
const SHORT: Duration = Duration::from_millis(20);
const LONG: Duration = Duration::from_millis(250);

/// The threads of a search, and what they have found out.
pub struct Crew {
    threads: u32,
    /// How long the search goes on alone.
    alone: Duration,
    hands: Vec<Hand>,
    chunks: Vec<Chunk>,
    /// States of the next block.
    block: u32,
    /// The states that are looked at, and states of a chunk.
    known: Range<u32>,
    each: u32,
    asks: Asks,
    /// Whether the targets were compared with each other, and nothing but them was found since.
    compared: bool,
    firsts: Vec<Firsts>,
}

/// What one thread works with.
struct Hand {
    interner: Interner,
    canon: Option<Canon>,
    checks: Checks,
    /// What a part of what is enabled is chosen with, where that may do.
    branching: Option<Branching>,
    helper: Option<Helper>,
}

impl Hand {
    /// The helper. But for the first, each is made on its own thread, while the others work: it compiles a
    /// program of its own, so that no thread counts references to what another one reads.
    ///
    /// # Errors
    /// The work is to end.
    fn helper(
        &mut self,
        clock: &Arc<Clock>,
        program: &Program,
        reduction: &Reduction,
    ) -> Result<&mut Helper, Stopped> {
        let Hand { interner, canon, checks, branching, helper } = self;
        if helper.is_none() {
            let program = clock.guard(|| program.again()).map_err(|_| Stopped)?;
            let program = Arc::new(program);
            let parts = (*checks, canon.take(), branching.take());
            *helper = Some(make(program, interner.clone(), parts, reduction));
        }
        helper.as_mut().ok_or(Stopped)
    }
}

fn make(
    program: Arc<Program>,
    interner: Interner,
    (checks, canon, branching): (Checks, Option<Canon>, Option<Branching>),
    reduction: &Reduction,
) -> Helper {
    let brancher = branching.map(|branching| branching.on(&program));
    let mut evaluator = Evaluator::with_interner(program, interner);
    evaluator.measure_room();
    Helper::new(Expander::new(evaluator, checks, canon), reduction.worker(), brancher)
}

impl Crew {
    pub fn new(engine: &Engine<'_>) -> Crew {
        let threads = engine.threads as u32;
        Crew {
            threads,
            alone: engine.options.alone,
            hands: Vec::new(),
            chunks: Vec::new(),
            block: threads * CHUNK,
            known: 0..0,
            each: 1,
            asks: Asks::default(),
            compared: false,
            firsts: (0..threads).map(|_| Firsts::new()).collect(),
        }
    }

    /// What is known of a state whose turn it is, with the chunk that it is in, and whether its targets were
    /// compared with all others that were found since. States are asked for in order.
    pub fn known(&mut self, engine: &mut Engine<'_>, number: u32) -> Option<(Known, &Chunk, bool)> {
        if self.threads < 2 {
            return None;
        }
        if number >= self.known.end {
            self.known = number..number;
            if self.is_worth_it(engine, number) {
                self.look_ahead(engine, number);
            }
        }
        if !self.known.contains(&number) || self.asks != engine.asks() {
            return None;
        }
        let at = number - self.known.start;
        let chunk = &mut self.chunks[(at / self.each) as usize];
        let known = chunk.states.get_mut((at % self.each) as usize).and_then(Option::take);
        // What it leads to then was compared with nothing.
        self.compared &= known.is_some();
        Some((known?, &*chunk, self.compared))
    }

    /// Whether there is enough to do for several threads: as much as their start takes, many times.
    fn is_worth_it(&self, engine: &Engine<'_>, next: u32) -> bool {
        let waiting = engine.known() - next;
        if waiting < 2 * self.threads {
            return false;
        }
        let spent = engine.started.elapsed();
        let work = spent.as_secs_f64() / f64::from(next.max(1)) * f64::from(waiting);
        spent >= self.alone && (self.alone.is_zero() || work > ENOUGH.as_secs_f64())
    }

    /// Looks at a block of states, on all threads.
    fn look_ahead(&mut self, engine: &mut Engine<'_>, next: u32) {
        if self.hands.is_empty() {
            self.call(engine);
            self.block = self.first_block(engine, next);
        }
        let end = engine.known().min(next + self.block);
        self.known = next..end;
        self.asks = engine.asks();
        self.each = ((end - next) / (self.threads * CHUNKS)).clamp(1, CHUNK);
        let count = (end - next).div_ceil(self.each);
        let words = engine.model.program.layout.words;
        while self.chunks.len() < count as usize {
            self.chunks.push(Chunk::new(words));
        }
        let begun = Instant::now();
        let threads = self.threads as usize;
        // Where the clock ends that, it ends what follows, too.
        let _ = engine.visited.enter(threads);
        let still = Still {
            store: engine.visited.store(),
            about: engine.visited.about(),
            graph: &engine.graph,
            asks: self.asks,
            on_violation: engine.options.on_violation,
            idle: &engine.tally.idle,
            deadlocks_only: engine.reducer.as_ref().is_some_and(|r| r.keeps_deadlocks_only()),
            records: engine.control.records(),
        };
        let Crew { hands, chunks, each, firsts, .. } = self;
        let (program, reduction) = (&*engine.model.program, engine.visited.reduction());
        let clock = engine.control.clock();
        let chunks = &mut chunks[..count as usize];
        let numbers = |at: u32| next + at * *each..end.min(next + (at + 1) * *each);
        // What the last block has left must not be taken for this one's, wherever this one ends.
        chunks.iter_mut().for_each(|chunk| chunk.states.clear());
        let looked = share(hands, (0..).zip(chunks.iter_mut()), |hand, (at, chunk)| {
            chunk.clear();
            let helper = hand.helper(clock, program, reduction)?;
            helper.look_ahead(still, numbers(at), chunk).map_err(|_| Stopped)
        });
        self.compared = looked.is_ok() && engine.visited.is_in_parts();
        if self.compared {
            let found: usize = chunks.iter().map(|chunk| chunk.operations.len()).sum();
            let threads = if found < MANY { 1 } else { threads };
            let chunks = &*chunks;
            let compared = share(&mut firsts[..threads], 0..SHARDS, |firsts, shard| {
                compare(chunks, shard, firsts);
                Ok(())
            });
            self.compared &= compared.is_ok();
        }
        self.adapt(begun.elapsed());
    }

    /// As many states as should take half of what is short, going by those before.
    fn first_block(&self, engine: &Engine<'_>, next: u32) -> u32 {
        if self.alone.is_zero() {
            return self.threads * CHUNK;
        }
        let each = engine.started.elapsed().as_secs_f64() / f64::from(next.max(1));
        let states = f64::from(self.threads) * SHORT.as_secs_f64() / 2.0 / each.max(1e-9);
        (states as u32).clamp(self.threads * CHUNKS, self.threads * BLOCK)
    }

    /// Makes the next block longer or shorter.
    fn adapt(&mut self, took: Duration) {
        if took < SHORT {
            self.block = (self.block * 2).min(self.threads * BLOCK);
        } else if took > LONG {
            self.block = (self.block / 2).max(self.threads * CHUNKS);
        }
    }

    /// Gets the hands ready when they are needed first.
    fn call(&mut self, engine: &mut Engine<'_>) {
        let (model, checks) = (engine.model, Checks::of(engine.options));
        for _ in 0..self.threads {
            let canon = choice::canon(model, &engine.visited);
            let interner = engine.expander.evaluator.interner().apart();
            let branching = engine.reducer.as_ref().filter(|r| r.is_trying());
            let branching = branching.map(|r| r.branching().clone());
            self.hands.push(Hand { interner, canon, checks, branching, helper: None });
        }
        if let Some(Hand { interner, canon, branching, helper, .. }) = self.hands.first_mut() {
            let (program, reduction) = (model.program.clone(), engine.visited.reduction());
            let parts = (checks, canon.take(), branching.take());
            *helper = Some(make(program, interner.clone(), parts, reduction));
        }
    }

    /// Tells the search what the helpers have counted.
    pub fn dismiss(self, engine: &mut Engine<'_>) {
        for helper in self.hands.iter().filter_map(|hand| hand.helper.as_ref()) {
            engine.visited.add_figures(helper.worker().figures());
        }
    }
}
