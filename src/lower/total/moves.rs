//! Solutions of predicates over words, as total functions: the tests and enumerations of a plan in their order.

use super::super::code::{BoolFn, EachFn};
use super::super::coded::Codes;
use super::super::env::{Env, Flow};
use super::super::stop::Stop;
use super::patch::Universe;
use super::sift::Sift;
use super::{TotalTest, TotalWord};

/// One step towards a solution. `V`: what binds values, where there is any.
pub enum Move<V> {
    Test(TotalTest),
    /// A local takes the value of a word.
    Word(usize, TotalWord),
    /// A local walks those bits of a word that pass.
    Bits(usize, TotalWord, Box<[Sift]>),
    /// Locals walk the members of a set of numbers or pairs in one word, those whose places pass.
    Codes(Box<Codes<TotalWord>>, Box<[Sift]>),
    /// A local walks a universe of more members than a word has bits.
    Universe(usize, u64),
    Range(usize, Range),
    Values(V),
    /// What was found so far is one thing, and what follows is found within it.
    Begin,
}

impl<V> Move<V> {
    /// Whether there may be several ways to go on.
    pub fn enumerates(&self) -> bool {
        !matches!(self, Move::Test(_) | Move::Word(..) | Move::Begin)
    }
}

/// From the greatest of the lower bounds to the least of the upper ones.
pub struct Range {
    pub low: Box<[TotalWord]>,
    pub high: Box<[TotalWord]>,
    /// What stands in for a side without bounds.
    pub limits: (i64, i64),
}

impl Range {
    /// Whether it gives the same in all states.
    pub fn is_constant(&self) -> bool {
        self.low.iter().chain(&self.high).all(|word| matches!(word, TotalWord::Constant(_)))
    }

    /// What it gives at most, where some of its bounds are the same in all states.
    pub fn universe(&self) -> Option<Universe> {
        let constant = |word: &TotalWord| match word {
            TotalWord::Constant(c) => Some(*c as i64),
            _ => None,
        };
        let low = self.low.iter().filter_map(constant).max()?;
        let high = self.high.iter().filter_map(constant).min()?;
        Some(Universe { low, size: u64::try_from(high.checked_sub(low)?.checked_add(1)?).ok()? })
    }

    fn bounds(&self, state: &[u64], env: &mut Env) -> (i64, i64) {
        let mut words = |words: &[TotalWord], choose: fn(i64, i64) -> i64| {
            words.iter().map(|word| word.get(state, env) as i64).reduce(choose)
        };
        let (low, high) = (words(&self.low, i64::max), words(&self.high, i64::min));
        (low.unwrap_or(self.limits.0), high.unwrap_or(self.limits.1))
    }
}

/// Who is shown the solutions.
pub trait Walker<V> {
    /// The frame holds a solution.
    fn arrive(&mut self, state: &[u64], env: &mut Env) -> Result<Flow, Stop>;

    /// Binds values, and walks on for each way to do so; `None`: there is one way, and it was taken.
    fn values(
        &mut self,
        values: &V,
        rest: &[Move<V>],
        state: &[u64],
        env: &mut Env,
    ) -> Result<Option<Flow>, Stop>;

    /// At [`Move::Begin`].
    fn begin(&mut self) {}
}

/// Walks to all solutions, until somebody breaks off. With a doubt left it may end early.
///
/// # Errors
/// Those of the walker; or the work is to end.
pub fn walk<V, W: Walker<V>>(
    mut moves: &[Move<V>],
    state: &[u64],
    env: &mut Env,
    walker: &mut W,
) -> Result<Flow, Stop> {
    while let Some((first, rest)) = moves.split_first() {
        match first {
            Move::Test(test) => {
                if !test.holds(state, env) {
                    return Ok(Flow::Continue(()));
                }
            }
            Move::Word(slot, word) => env.words[*slot] = word.get(state, env),
            Move::Bits(slot, set, sifts) => {
                let mut candidates = set.get(state, env);
                for sift in sifts {
                    candidates = sift.pass(candidates, state, env);
                }
                if candidates == 0 {
                    env.tick()?;
                    return Ok(Flow::Continue(()));
                }
                env.tick_by(1 + candidates.count_ones() as usize)?;
                while candidates != 0 {
                    env.words[*slot] = u64::from(candidates.trailing_zeros());
                    candidates &= candidates - 1;
                    let flow = match rest {
                        [] => walker.arrive(state, env)?,
                        rest => walk(rest, state, env, walker)?,
                    };
                    if flow.is_break() {
                        return Ok(flow);
                    }
                }
                return Ok(Flow::Continue(()));
            }
            Move::Codes(of, sifts) => {
                let mut codes = of.set.get(state, env);
                for sift in sifts {
                    codes = sift.pass_by_place(codes, state, env);
                }
                env.tick_by(1 + codes.count_ones() as usize)?;
                while codes != 0 && !env.doubt {
                    of.bind(u64::from(codes.trailing_zeros()), &mut env.words);
                    codes &= codes - 1;
                    if walk(rest, state, env, walker)?.is_break() {
                        return Ok(Flow::Break(()));
                    }
                }
                return Ok(Flow::Continue(()));
            }
            Move::Universe(slot, size) => {
                for i in 0..*size {
                    env.words[*slot] = i;
                    env.tick()?;
                    if walk(rest, state, env, walker)?.is_break() {
                        return Ok(Flow::Break(()));
                    }
                }
                return Ok(Flow::Continue(()));
            }
            Move::Range(slot, range) => {
                let (low, high) = range.bounds(state, env);
                // What is in doubt may be anything, and many.
                if env.doubt {
                    return Ok(Flow::Continue(()));
                }
                for i in low..=high {
                    env.tick()?;
                    env.words[*slot] = i as u64;
                    if walk(rest, state, env, walker)?.is_break() {
                        return Ok(Flow::Break(()));
                    }
                }
                return Ok(Flow::Continue(()));
            }
            Move::Begin => walker.begin(),
            Move::Values(values) => {
                if env.doubt {
                    return Ok(Flow::Continue(()));
                }
                if let Some(flow) = walker.values(values, rest, state, env)? {
                    return Ok(flow);
                }
            }
        }
        moves = rest;
    }
    env.tick()?;
    walker.arrive(state, env)
}

/// Whether a predicate over words, and names that are given values, has a solution, or one for which a test does not
/// hold.
pub struct Quantified {
    pub moves: Box<[Move<Giver>]>,
    pub body: Option<TotalTest>,
}

/// How code of the evaluator gives names their values.
pub enum Giver {
    /// In one way, if they match.
    Once(BoolFn),
    /// One after the other.
    Each(EachFn),
}

impl Walker<Giver> for &Quantified {
    fn arrive(&mut self, state: &[u64], env: &mut Env) -> Result<Flow, Stop> {
        let found = self.body.as_ref().is_none_or(|body| !body.holds(state, env));
        // What is in doubt is nobody's to find here.
        Ok(if found || env.doubt { Flow::Break(()) } else { Flow::Continue(()) })
    }

    fn values(
        &mut self,
        given: &Giver,
        rest: &[Move<Giver>],
        state: &[u64],
        env: &mut Env,
    ) -> Result<Option<Flow>, Stop> {
        let flow = match given {
            Giver::Once(bind) => match bind(env) {
                Ok(true) => return Ok(None),
                Ok(false) => Ok(Flow::Continue(())),
                Err(stop) => Err(stop),
            },
            Giver::Each(each) => each(env, &mut |env| walk(rest, state, env, self)),
        };
        Ok(Some(flow.unwrap_or_else(|_| {
            env.doubted();
            Flow::Break(())
        })))
    }
}

impl Quantified {
    pub fn finds(&self, state: &[u64], env: &mut Env) -> bool {
        let mut walker = self;
        match walk(&self.moves, state, env, &mut walker) {
            Ok(flow) => flow.is_break(),
            Err(_) => env.doubted() != 0,
        }
    }
}
