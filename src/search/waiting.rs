//! Assertions that take long are asked when the search is through.
//!
//! Asked of each state as it is taken up, one such theorem keeps a search from finding its states. So it waits, as soon as
//! it takes longer in some state than it may ([`Patience`]), until there is nothing else to do; then all states
//! that were found are asked, on all threads. A state that violates it has been expanded by then.

use super::checks::Looked;
use super::engine::{End, Engine};
use super::findings::Kind;
use super::options::{Asserted, OnViolation, SearchOptions, Strategy};
use super::outcome::Progress;
use crate::clock::hands::share;
use crate::clock::{Clock, Phase, Stopped, enter};
use crate::eval::{Apart, Check, Evaluator, Patience, Program, Stop, Topic};
use crate::machine::OpId;
use crate::setup::{Bound, Model};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a block of states should take, so that somebody is told how far it is.
const SHORT: Duration = Duration::from_millis(50);

/// Most states of a block, for each thread.
const BLOCK: u32 = 1 << 12;

/// How long assertions may take, and which of them wait from the beginning; `None` where none ever does.
pub fn patience(model: &Model, options: &SearchOptions) -> Option<Arc<Patience>> {
    let assertions = model.program.questions.of(Topic::Assertions).len();
    // Random walks are never through; what is pruned is known when the state is taken up, or never.
    let ends = options.strategy != Strategy::Random;
    let all = match options.assertions {
        Asserted::Off => true,
        Asserted::Last if ends => true,
        Asserted::Auto if ends && options.on_violation != OnViolation::Prune => false,
        Asserted::Now | Asserted::Auto | Asserted::Last => return None,
    };
    let patience = || Arc::new(Patience::new(options.patience, assertions, all));
    (options.invariant && assertions > 0).then(patience)
}

/// What one thread works with.
struct Hand {
    apart: Apart,
    /// But for the first, each thread makes its own.
    evaluator: Option<Evaluator>,
    /// What it found, with the numbers of the states.
    wrong: Vec<(u32, Check)>,
}

impl Hand {
    fn evaluator(
        &mut self,
        clock: &Arc<Clock>,
        program: &Program,
    ) -> Result<&mut Evaluator, Stopped> {
        let Hand { apart, evaluator, .. } = self;
        if evaluator.is_none() {
            *evaluator = Some(apart.evaluator_again(clock, program)?);
        }
        evaluator.as_mut().ok_or(Stopped)
    }
}

impl Engine<'_> {
    /// Asks what waits of all states that were found, unless something was found that ended the search.
    pub(super) fn ask_what_waits(&mut self, end: &Result<(), End>) -> Result<(), End> {
        let patience = self.expander.evaluator.patience().cloned();
        let Some(patience) = patience.filter(|p| p.any_waits()) else { return Ok(()) };
        if self.options.assertions == Asserted::Off || matches!(end, Err(End::Found)) {
            return Ok(());
        }
        let mut asked = 0;
        let result = match self.control.clock().halt() {
            None => self.ask_all(&mut asked),
            Some(_) => Err(End::Limit),
        };
        if asked < self.known() && !matches!(result, Err(End::Found)) {
            let questions = self.model.program.questions.of(Topic::Assertions);
            let waiting: Vec<usize> = patience.waiting().collect();
            let first = questions[waiting[0]].conjunct.pred.span;
            let (number, states) = (waiting.len(), self.known());
            self.bound(Bound::Assertions { first, number, asked, states });
        }
        result
    }

    /// The same, block by block. `asked`: how many states were asked, in their order.
    fn ask_all(&mut self, asked: &mut u32) -> Result<(), End> {
        let mut hands = self.hands();
        let threads = hands.len() as u32;
        let (mut block, mut found) = (threads, None);
        while *asked < self.known() {
            // After a finding only the rest of its level matters: what is false comes before what is undefined.
            if let Some(depth) = found
                && (self.depth_of(*asked) > depth
                    || !self.tally.findings.can_improve(depth, Kind::ASSERTION))
            {
                break;
            }
            let left = u64::from(self.known() - *asked);
            self.control.report(Progress { asked: Some(*asked), ..self.progress(left) });
            let begun = Instant::now();
            let numbers = *asked..self.known().min(*asked + block);
            let done = self.ask_block(&mut hands, numbers.clone());
            let mut wrong: Vec<_> = hands.iter_mut().flat_map(|h| h.wrong.drain(..)).collect();
            for hand in &mut hands {
                let notes = hand.evaluator.as_mut().and_then(Evaluator::take_notes);
                self.expander.evaluator.add_notes(notes);
            }
            wrong.sort_by_key(|(number, _)| *number);
            for (number, check) in wrong {
                let depth = self.depth_of(number);
                match self.judge_late(number, depth, check) {
                    Err(End::Found) => found = Some(found.unwrap_or(depth)),
                    other => other?,
                }
            }
            done?;
            *asked = numbers.end;
            block = match begun.elapsed() {
                took if took < SHORT => (2 * block).min(threads * BLOCK),
                _ => (block / 2).max(threads),
            };
        }
        if found.is_some() { Err(End::Found) } else { Ok(()) }
    }

    fn hands(&mut self) -> Vec<Hand> {
        let program = &self.model.program;
        let evaluator = &mut self.expander.evaluator;
        let hand = |i| {
            let apart = Apart::from(evaluator);
            let evaluator = (i == 0).then(|| apart.evaluator(program.clone()));
            Hand { apart, evaluator, wrong: Vec::new() }
        };
        (0..self.threads).map(hand).collect()
    }

    /// Asks some states, on all threads.
    fn ask_block(&self, hands: &mut [Hand], numbers: Range<u32>) -> Result<(), Stopped> {
        // What an operation cannot change is as it was, and that was true unless the search goes on where it is not.
        let goes_on = self.options.on_violation != OnViolation::Stop;
        let (program, clock) = (&*self.model.program, self.control.clock());
        let (visited, graph) = (self.visited.store(), &self.graph);
        share(hands, numbers, |hand, number| {
            enter(Phase::Assertions);
            let since = graph.led_by(number).filter(|_| !goes_on);
            let state = visited.state(number);
            let evaluator = hand.evaluator(clock, program)?;
            let check = ask(evaluator, state, since).map_err(|_| Stopped)?;
            if matches!(check, Check::Fails(_) | Check::Undefined(..)) {
                hand.wrong.push((number, check));
            }
            Ok(())
        })
    }

    /// Counts what is wrong with a state that was taken up before.
    fn judge_late(&mut self, number: u32, depth: u32, check: Check) -> Result<(), End> {
        if self.tally.findings.any_failed() {
            // Something may have been counted of this state, which depends on all that is wrong with it.
            let state = self.visited.state(number).to_vec();
            let patience = self.expander.evaluator.patience().cloned();
            self.expander.evaluator.be_patient(None);
            let now = self.expander.look_closely(&state, None, false);
            self.expander.evaluator.be_patient(patience);
            return self.judge(number, depth, now?).map(drop);
        }
        let kind = match check {
            Check::Fails(i) => Kind::Fails(Topic::Assertions, i),
            Check::Undefined(_, site) => Kind::Undefined(Topic::Assertions, site),
            Check::Holds | Check::Unknown(_) => return Ok(()),
        };
        self.judge(number, depth, Looked { wrong: vec![kind], ..Looked::default() }).map(drop)
    }

    /// Operations on the first way to a state.
    fn depth_of(&self, number: u32) -> u32 {
        self.graph.path(number).1.len() as u32 - 1
    }
}

/// What the assertions that wait say of a state; of one that is not to be asked, nothing.
fn ask(evaluator: &mut Evaluator, state: &[u64], since: Option<OpId>) -> Result<Check, Stop> {
    let scoped = !evaluator.program().questions.of(Topic::Scope).is_empty();
    if scoped && evaluator.ask(state, Topic::Scope, None)? != Check::Holds {
        return Ok(Check::Holds);
    }
    evaluator.ask_waiting(state, since)
}
