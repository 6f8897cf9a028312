//! Solutions that were found before, by what they were found from.
//!
//! A problem for the solver costs thousands of instructions before its first solution. Most steps of a machine change
//! nothing of what such a guard reads, so the state that comes after has the same candidates (operation reuse). Only
//! searches that came to their end are recorded, with what they left out; where one was stopped, the next state looks
//! again.

use super::memory::Kept;
use super::stop::CutSite;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The words that a problem reads: parts of the state, and locals.
pub type Read = SmallVec<[u64; 8]>;

/// A candidate: the values of the unknowns, and which conjuncts are known to be true of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub values: Box<[Value]>,
    pub proved: Box<[bool]>,
}

/// All candidates of a problem, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub candidates: Vec<Candidate>,
    /// Unknowns that nothing bounds were tried within the limits only.
    pub cut: Box<[CutSite]>,
}

/// Most members of the sets in the candidates of one problem, those of one reading of it and all together.
const READING: usize = 1 << 12;
const ALL: usize = 1 << 17;

/// Questions after which it is asked whether recording is of use, the share of them that must have been answered, and
/// questions for which it rests where fewer were.
const TRIAL: u32 = 1 << 9;
const SHARE: u32 = 16;
const REST: u32 = 1 << 13;

/// What one thread has recorded, by the numbers of problems.
#[derive(Default)]
pub struct Recorded {
    problems: FxHashMap<usize, Problem>,
}

#[derive(Default)]
struct Problem {
    found: FxHashMap<Read, Arc<Found>>,
    members: usize,
    asked: u32,
    answered: u32,
    rest: u32,
}

/// What is known of a problem.
pub enum Known {
    /// What is found.
    All(Arc<Found>),
    /// Nothing yet: they are to be recorded.
    Nothing,
    /// It rests.
    Rests,
}

impl Recorded {
    /// What is known of a problem where it reads these words.
    pub fn ask(&mut self, problem: usize, read: &Read) -> Known {
        let known = self.problems.entry(problem).or_default();
        if known.rest > 0 {
            known.rest -= 1;
            return Known::Rests;
        }
        if known.asked == TRIAL {
            if known.answered < TRIAL / SHARE {
                *known = Problem { rest: REST, ..Problem::default() };
                return Known::Rests;
            }
            (known.asked, known.answered) = (0, 0);
        }
        known.asked += 1;
        match known.found.get(read) {
            Some(found) => {
                known.answered += 1;
                Known::All(found.clone())
            }
            None => Known::Nothing,
        }
    }

    /// Records what was found of a problem.
    pub fn record(&mut self, problem: usize, read: Read, found: Found) {
        let members = 1 + read.len() + found.candidates.iter().map(weight).sum::<usize>();
        if members > READING {
            return;
        }
        let known = self.problems.entry(problem).or_default();
        if known.members + members > ALL {
            known.found.clear();
            known.members = 0;
        }
        known.members += members;
        known.found.insert(read, Arc::new(found));
    }
}

fn weight(candidate: &Candidate) -> usize {
    1 + candidate.values.iter().map(Kept::members).sum::<usize>()
}

/// Whether a list of candidates that is still growing is too long to be recorded.
pub fn is_too_long(found: &[Candidate]) -> bool {
    found.len() > READING
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::stop::Within;
    use crate::source::Span;

    fn read(i: u64) -> Read {
        Read::from_slice(&[i, i % 3, 7])
    }

    fn found(i: u64) -> Found {
        let one =
            |k| Candidate { values: [Value::Int(k as i64)].into(), proved: [k % 2 == 0].into() };
        let site = || CutSite { span: Span::default(), name: "x".into(), within: Within::Limits };
        let cut = i.is_multiple_of(5).then(site).into_iter().collect();
        Found { candidates: (0..i % 4).map(one).collect(), cut }
    }

    #[test]
    fn what_is_known_is_what_was_recorded() {
        let mut recorded = Recorded::default();
        let mut answers = 0;
        for i in 0..50_000u64 {
            let i = i * 7919 % 300;
            match recorded.ask((i % 2) as usize, &read(i)) {
                Known::All(known) => {
                    assert_eq!(*known, found(i));
                    answers += 1;
                }
                Known::Nothing => recorded.record((i % 2) as usize, read(i), found(i)),
                Known::Rests => {}
            }
        }
        assert!(answers > 30_000, "{answers}");
    }

    #[test]
    fn it_rests_where_nothing_comes_again_and_wakes_up_later() {
        let mut recorded = Recorded::default();
        let mut rests = |i: u64| match recorded.ask(0, &read(i)) {
            Known::Rests => true,
            Known::All(_) => panic!("{i} was not asked before"),
            Known::Nothing => {
                recorded.record(0, read(i), found(i));
                false
            }
        };
        let first = (0..).find(|i| rests(*i)).expect("it rests");
        assert_eq!(first, u64::from(TRIAL));
        let rested = (first + 1..).take_while(|i| rests(*i)).count();
        assert_eq!(rested as u32, REST);
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let mut recorded = Recorded::default();
        for i in 0..40_000 {
            recorded.record(0, read(i), found(i));
        }
        let problem = &recorded.problems[&0];
        assert!(problem.members <= ALL && problem.found.len() > 1_000);
        let one = found(3).candidates.swap_remove(0);
        let long = Found { candidates: vec![one; READING], cut: Box::default() };
        recorded.record(0, read(1_000_000), long);
        assert!(matches!(recorded.ask(0, &read(1_000_000)), Known::Nothing));
    }
}
