//! All cores for one search: threads look ahead while the search stands still.
//!
//! States are taken up in the order of their numbers, on one thread, whatever the number of threads; so
//! counts, findings, and the place where a limit cuts are the same. But most of what that takes is found
//! out before, a block of states at a time:
//!
//! 1. The states from the next one on are cut into chunks, and each thread takes the next chunk, checks and
//!    expands its states, computes what stands for their targets, looks them up, and claims those that are
//!    new: whoever claims one, in the end the claim stands that comes first in order ([`claims`]).
//! 2. This thread goes through what they found in order: it counts, and numbers the claims that stand. Where there
//!    is nothing odd about the states of a chunk, their thread has added up what is to be counted.
//! 3. The numbers are put where the claims were, on all threads.
//!
//! This is breadth-first search in supersteps (Valiant's bulk-synchronous model), as level by level in the
//! parallel checkers after Stern and Dill; but no thread owns a part of the table here. Where the store
//! cannot be shared, nothing is claimed, and 2 looks up what is not known to be there.
//!
//! What threads share while they work are the table, the queue of the chunks, the interner and the clock; no thread
//! waits for another one but at the end of a step. What is not promised: that the numbers of interned values
//! are the same twice (nothing that is seen depends on them), nor any speed-up where single states take long
//! and few are known at a time.
//!
//! [`claims`]: crate::store::claims
//!
//! A state that was looked at under other questions than are asked when its turn comes (the first finding
//! changes them), or not at all (the clock stopped the thread), is taken up as if nobody had.

use super::ahead::{Asks, Chunk, Helper, Known, Still};
use super::checks::Checks;
use super::choice;
use super::engine::Engine;
use super::expander::Expander;
use super::partial::{Branching, Reducer};
use crate::clock::hands::share;
use crate::clock::{Clock, Stopped};
use crate::eval::{Apart, Evaluator, Program};
use crate::reduce::{Canon, Interrupted, Reduction};
use crate::store::{Opening, Ticket};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Most states of a chunk: what a thread takes at a time.
const CHUNK: u32 = 64;
/// Chunks of a block for each thread, so that none waits long for the last one.
const CHUNKS: u32 = 8;
/// Most states that are looked at before their turn comes, for each thread.
const BLOCK: u32 = 1 << 13;
/// Claims that there may be in any block.
const FEW: f64 = 16384.0;
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
    /// Whether the targets that are new were claimed, and the store is open.
    claimed: bool,
    /// How many claims a state made in the last block, and in any.
    rate: f64,
    most_rate: f64,
}

/// What one thread works with.
struct Hand {
    ticket: Ticket,
    apart: Apart,
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
        let Hand { apart, canon, checks, branching, helper, .. } = self;
        if helper.is_none() {
            let evaluator = apart.evaluator_again(clock, program)?;
            let parts = (*checks, canon.take(), branching.take());
            *helper = Some(make(evaluator, parts, reduction));
        }
        helper.as_mut().ok_or(Stopped)
    }
}

fn make(
    evaluator: Evaluator,
    (checks, canon, branching): (Checks, Option<Canon>, Option<Branching>),
    reduction: &Reduction,
) -> Helper {
    let brancher = branching.map(|branching| branching.on(evaluator.program()));
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
            claimed: false,
            rate: 0.0,
            most_rate: 0.0,
        }
    }

    /// Looks at the states from this one on, where its turn has come and nothing is known of it.
    pub fn prepare(&mut self, engine: &mut Engine<'_>, number: u32) {
        if self.threads < 2 || number < self.known.end {
            return;
        }
        self.close(engine);
        self.known = number..number;
        if self.is_worth_it(engine, number) {
            self.look_ahead(engine, number);
        }
    }

    /// The chunk that begins with a state whose turn it is, and the states in it, where their targets were claimed
    /// and there is nothing odd about any of them.
    pub fn even(&self, engine: &Engine<'_>, number: u32) -> Option<(&Chunk, u32)> {
        if !self.claimed || !self.known.contains(&number) || self.asks != engine.asks() {
            return None;
        }
        let at = number - self.known.start;
        let chunk = &self.chunks[(at / self.each) as usize];
        (at.is_multiple_of(self.each) && chunk.is_even)
            .then_some((chunk, chunk.states.len() as u32))
    }

    /// What is known of a state whose turn it is, with the chunk that it is in, and whether its targets were
    /// claimed where they are new. States are asked for in order.
    pub fn known(&mut self, engine: &mut Engine<'_>, number: u32) -> Option<(Known, &Chunk, bool)> {
        if !self.known.contains(&number) {
            return None;
        }
        let at = number - self.known.start;
        let at = ((at / self.each) as usize, (at % self.each) as usize);
        let is_asked = self.asks == engine.asks();
        let known = self.chunks[at.0].states.get_mut(at.1).filter(|_| is_asked);
        match known.and_then(Option::take) {
            Some(known) => Some((known, &self.chunks[at.0], self.claimed)),
            None => {
                // It is taken up by itself, and what comes after it has claimed what it may find.
                if self.close(engine) {
                    self.known = number..number;
                }
                None
            }
        }
    }

    /// Puts what was numbered into the store, and takes the other claims back. Whether there were claims.
    fn close(&mut self, engine: &mut Engine<'_>) -> bool {
        let claimed = std::mem::take(&mut self.claimed);
        if claimed {
            let made: Vec<Range<u32>> =
                self.chunks.iter().map(|chunk| chunk.made.clone()).collect();
            engine.visited.close(&made, self.threads as usize);
        }
        claimed
    }

    /// Whether there is enough to do for several threads: as much as their start takes, many times.
    fn is_worth_it(&self, engine: &Engine<'_>, next: u32) -> bool {
        if engine.reducer.as_ref().is_some_and(Reducer::is_undecided) {
            return false;
        }
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
            self.rate = f64::from(engine.known()) / f64::from(next.max(1));
            self.most_rate = self.rate;
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
        // What the last block has left must not be taken for this one's, wherever this one ends.
        self.chunks.iter_mut().for_each(Chunk::clear);
        if self.open(engine, count).is_err() {
            // The clock ends what follows, too.
            self.known = next..next;
            return;
        }
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
        let Crew { hands, chunks, each, .. } = self;
        let (program, reduction) = (&*engine.model.program, engine.visited.reduction());
        let clock = engine.control.clock();
        let chunks = &mut chunks[..count as usize];
        let numbers = |at: u32| next + at * *each..end.min(next + (at + 1) * *each);
        // Where the clock ends that, it ends what follows, too.
        let _ = share(hands, (0..).zip(chunks.iter_mut()), |hand, (at, chunk)| {
            let mut ticket = std::mem::take(&mut hand.ticket);
            ticket.begin(at);
            let helper = hand.helper(clock, program, reduction)?;
            let looked = helper.look_ahead(still, numbers(at), (&mut ticket, chunk));
            hand.ticket = ticket;
            looked.map_err(|_| Stopped)
        });
        let made: u32 = chunks.iter().map(|chunk| chunk.made.end - chunk.made.start).sum();
        self.rate = f64::from(made) / f64::from(end - next);
        self.most_rate = self.most_rate.max(self.rate);
        self.adapt(begun.elapsed());
    }

    /// Opens the store for claims on what so many chunks lead to, if it can be.
    ///
    /// # Errors
    /// The work is to end.
    fn open(&mut self, engine: &mut Engine<'_>, chunks: u32) -> Result<(), Interrupted> {
        // The first states of a level find more than the last ones of the level before; for so many there are
        // claims, and room in the tables as long as that is little beside what they hold. What a state that leads
        // to very many would make of all that come after it is no measure: what has no claim is late.
        let known = f64::from(engine.known());
        let states = f64::from(chunks * self.each);
        let all = (1.5 * self.most_rate * states).min(known.max(FEW)) + f64::from(chunks * CHUNK);
        let most = (self.most_rate * states).min(known / 8.0);
        let opening = Opening {
            tickets: chunks,
            claims: (all / f64::from(chunks)) as u32,
            new: (self.rate * states).max(most).min(all) as usize,
            threads: self.threads as usize,
        };
        if let Some(tickets) = engine.visited.open(opening)? {
            self.claimed = true;
            for (hand, ticket) in self.hands.iter_mut().zip(tickets) {
                hand.ticket = ticket;
            }
        }
        Ok(())
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
            let apart = Apart::from(&mut engine.expander.evaluator);
            let ticket = Ticket::default();
            let branching = engine.reducer.as_ref().filter(|r| r.is_trying());
            let branching = branching.map(|r| r.branching().clone());
            self.hands.push(Hand { ticket, apart, canon, checks, branching, helper: None });
        }
        if let Some(Hand { apart, canon, branching, helper, .. }) = self.hands.first_mut() {
            let (program, reduction) = (model.program.clone(), engine.visited.reduction());
            let parts = (checks, canon.take(), branching.take());
            *helper = Some(make(apart.evaluator(program), parts, reduction));
        }
    }

    /// Leaves the store as it is by now, and tells the search what the helpers have counted.
    pub fn dismiss(mut self, engine: &mut Engine<'_>) {
        self.close(engine);
        for helper in self.hands.iter().filter_map(|hand| hand.helper.as_ref()) {
            engine.visited.add_figures(helper.worker().figures());
        }
    }
}
