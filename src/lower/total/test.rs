//! Total tests.

use super::super::code::{BoolFn, WordFn};
use super::super::env::Env;
use super::super::gate::Gate;
use super::super::operators::Relation;
use super::super::point::Point;
use super::super::test::{HeldTest, Test, is_arrow};
use super::super::wide::WideTest;
use super::super::word::{Bits, Grid, Word};
use super::word::{Both, run};
use super::{Quantified, TotalWord};
use crate::value::relation::Arrow;
use std::sync::Arc;

/// A truth that is always there; see [`Test`] for what the nodes mean.
pub enum TotalTest {
    Always(bool),
    /// These bits of a word of the state are, or are not, all as they are there.
    Masked(Masked),
    NotMasked(Masked),
    /// A field of integers against constants; where the value is outside, the partial test is asked.
    Codes(Box<(Gate, Test)>),
    Compare(Relation, Both),
    Between(Box<(TotalWord, TotalWord, TotalWord)>),
    HasPoint(Box<(Point, TotalWord)>),
    Held(Arc<HeldTest>),
    IsArrow(Box<(TotalWord, TotalWord, TotalWord)>, Grid, Arrow),
    Not(Box<TotalTest>),
    /// Parts that leave no doubt.
    All(Box<[TotalTest]>),
    Any(Box<[TotalTest]>),
    /// A conjunction (`false`) or a disjunction (`true`) some parts of which may: one of which nothing is in doubt
    /// can decide.
    Open(bool, Box<[TotalTest]>),
    Same(Box<(TotalTest, TotalTest)>),
    If(Box<(TotalTest, TotalTest, TotalTest)>),
    /// Whether an `x` is found, or, where that is true, none.
    Quantified(bool, Arc<Quantified>),
    Wide(Arc<WideTest>),
    Number(WordFn),
    Run(BoolFn),
}

/// What some bits of one word of a state are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Masked {
    word: u32,
    mask: u64,
    bits: u64,
}

impl Masked {
    /// What always holds.
    pub const NOTHING: Masked = Masked { word: 0, mask: 0, bits: 0 };

    pub fn new(field: Bits, value: u64) -> Masked {
        let Bits { word, shift, mask } = field;
        Masked { word, mask: mask << shift, bits: value << shift }
    }

    #[inline(always)]
    pub fn holds(self, state: &[u64]) -> bool {
        state[self.word as usize] & self.mask == self.bits
    }

    /// Whether another one says so, too.
    pub fn follows_from(self, other: Masked) -> bool {
        self.word == other.word
            && self.mask & !other.mask == 0
            && (self.bits ^ other.bits) & self.mask == 0
    }

    /// Both at once, where both speak of one word: `Some(None)` where one excludes the other.
    pub fn and(self, other: Masked) -> Option<Option<Masked>> {
        if self.word != other.word {
            return None;
        }
        let common = self.mask & other.mask;
        let agree = (self.bits ^ other.bits) & common == 0;
        let both =
            Masked { word: self.word, mask: self.mask | other.mask, bits: self.bits | other.bits };
        Some(agree.then_some(both))
    }
}

impl TotalTest {
    pub fn of(test: &Test) -> TotalTest {
        let two = |both: &(Word, Word)| Box::new((TotalWord::of(&both.0), TotalWord::of(&both.1)));
        let three = |parts: &(Word, Word, Word)| {
            let [a, b, c] = [&parts.0, &parts.1, &parts.2].map(TotalWord::of);
            Box::new((a, b, c))
        };
        if let Some(gate) = Gate::of_integer(test) {
            return match gate.masked() {
                Some(masked) => TotalTest::Masked(masked),
                None => TotalTest::Codes(Box::new((gate, test.clone()))),
            };
        }
        match test {
            Test::Always(truth) => TotalTest::Always(*truth),
            Test::Is(bits, c) => TotalTest::is(*bits, *c),
            Test::IsNot(bits, c) => TotalTest::is(*bits, *c).negated(),
            Test::Compare(relation, both) => match (relation, &**both) {
                (Relation::Member, (Word::Constant(x), Word::Field(set)))
                    if *x < 64 && set.mask >> x & 1 == 1 =>
                {
                    let bit = Bits { shift: set.shift + *x as u32, mask: 1, ..*set };
                    TotalTest::Masked(Masked::new(bit, 1))
                }
                (relation, both) => TotalTest::Compare(*relation, two(both)),
            },
            Test::Between(parts) => TotalTest::Between(three(parts)),
            Test::HasPoint(point) => {
                let argument = TotalWord::of(&point.argument);
                TotalTest::HasPoint(Box::new(((**point).clone(), argument)))
            }
            Test::Held(of) => TotalTest::Held(of.clone()),
            Test::IsArrow(parts, grid, arrow) => TotalTest::IsArrow(three(parts), *grid, *arrow),
            Test::Not(test) => TotalTest::of(test).negated(),
            Test::All(parts) => junction(parts.iter().map(TotalTest::of).collect(), false),
            Test::Any(parts) => junction(parts.iter().map(TotalTest::of).collect(), true),
            Test::Same(both) => {
                TotalTest::Same(Box::new((TotalTest::of(&both.0), TotalTest::of(&both.1))))
            }
            Test::If(parts) => {
                let [a, b, c] = [&parts.0, &parts.1, &parts.2].map(TotalTest::of);
                TotalTest::If(Box::new((a, b, c)))
            }
            Test::Quantified(all, _, Some(of)) => TotalTest::Quantified(*all, of.clone()),
            Test::Quantified(_, f, None) => TotalTest::Run(f.clone()),
            Test::Wide(test) => TotalTest::Wide(test.clone()),
            Test::Remembered(f) => TotalTest::Number(f.clone()),
            Test::Let(of) => {
                let of = of.clone();
                TotalTest::Run(Arc::new(move |env| {
                    of.0.bind(env)?;
                    of.1.holds(env)
                }))
            }
            Test::Rich(test) => {
                let test = test.clone();
                TotalTest::Run(Arc::new(move |env| test.holds(env)))
            }
            Test::Run(f) => TotalTest::Run(f.clone()),
        }
    }

    /// A field is a constant.
    fn is(bits: Bits, c: u64) -> TotalTest {
        match c & !bits.mask {
            0 => TotalTest::Masked(Masked::new(bits, c)),
            _ => TotalTest::Always(false),
        }
    }

    fn negated(self) -> TotalTest {
        match self {
            TotalTest::Always(truth) => TotalTest::Always(!truth),
            TotalTest::Masked(masked) => TotalTest::NotMasked(masked),
            TotalTest::NotMasked(masked) => TotalTest::Masked(masked),
            TotalTest::Compare(relation, both) => match relation.negated() {
                Some(negated) => TotalTest::Compare(negated, both),
                None => TotalTest::Not(Box::new(TotalTest::Compare(relation, both))),
            },
            TotalTest::Not(test) => *test,
            TotalTest::All(parts) | TotalTest::Open(false, parts) => {
                junction(parts.into_iter().map(TotalTest::negated).collect(), true)
            }
            TotalTest::Any(parts) | TotalTest::Open(true, parts) => {
                junction(parts.into_iter().map(TotalTest::negated).collect(), false)
            }
            test => TotalTest::Not(Box::new(test)),
        }
    }

    /// Whether no state makes it leave a doubt.
    pub fn is_certain(&self) -> bool {
        use TotalTest::*;
        match self {
            Always(_) | Masked(_) | NotMasked(_) | All(_) | Any(_) => true,
            Codes(_) | HasPoint(_) | Held(_) | Open(..) | Quantified(..) | Number(_) | Run(_) => {
                false
            }
            Compare(_, both) => both.0.is_certain() && both.1.is_certain(),
            Between(parts) | IsArrow(parts, ..) => {
                parts.0.is_certain() && parts.1.is_certain() && parts.2.is_certain()
            }
            Not(test) => test.is_certain(),
            Wide(test) => test.is_certain(),
            Same(both) => both.0.is_certain() && both.1.is_certain(),
            If(parts) => parts.0.is_certain() && parts.1.is_certain() && parts.2.is_certain(),
        }
    }

    /// The truth in a state, which is the one that the frame reads.
    #[inline(always)]
    pub fn holds(&self, state: &[u64], env: &mut Env) -> bool {
        match self {
            TotalTest::Masked(masked) => masked.holds(state),
            TotalTest::NotMasked(masked) => !masked.holds(state),
            TotalTest::Codes(of) if let Some(truth) = of.0.truth(state) => truth,
            test => test.evaluate(state, env),
        }
    }

    /// Each kind of node in a function of its own, so that none pays for the room that another needs.
    fn evaluate(&self, state: &[u64], env: &mut Env) -> bool {
        match self {
            TotalTest::Always(truth) => *truth,
            TotalTest::Masked(masked) => masked.holds(state),
            TotalTest::NotMasked(masked) => !masked.holds(state),
            TotalTest::Codes(of) => match of.0.truth(state) {
                Some(truth) => truth,
                None => partly(&of.1, env),
            },
            TotalTest::Compare(relation, both) => of_two(*relation, both, state, env),
            TotalTest::Between(parts) => of_three(parts, state, env, |x, low, high| {
                low as i64 <= x as i64 && x as i64 <= high as i64
            }),
            TotalTest::HasPoint(of) => has_point(of, state, env),
            TotalTest::Held(of) => held(of, env),
            TotalTest::IsArrow(parts, grid, arrow) => {
                of_three(parts, state, env, |r, a, b| is_arrow(r, *grid, *arrow, a, b))
            }
            TotalTest::Not(test) => !test.holds(state, env),
            TotalTest::All(parts) => all(parts, state, env),
            TotalTest::Any(parts) => any(parts, state, env),
            TotalTest::Open(decisive, parts) => open(parts, *decisive, state, env),
            TotalTest::Same(both) => same(both, state, env),
            TotalTest::If(parts) => either(parts, state, env),
            TotalTest::Quantified(all, of) => of.finds(state, env) != *all,
            TotalTest::Wide(test) => wide(test, env),
            TotalTest::Number(f) => run(f, env) != 0,
            TotalTest::Run(f) => run_test(f, env),
        }
    }
}

#[inline(never)]
fn of_two(relation: Relation, both: &Both, state: &[u64], env: &mut Env) -> bool {
    let a = both.0.get(state, env);
    relation.holds(a, both.1.get(state, env))
}

#[inline(never)]
fn of_three(
    parts: &(TotalWord, TotalWord, TotalWord),
    state: &[u64],
    env: &mut Env,
    f: impl Fn(u64, u64, u64) -> bool,
) -> bool {
    let (a, b) = (parts.0.get(state, env), parts.1.get(state, env));
    f(a, b, parts.2.get(state, env))
}

#[inline(never)]
fn has_point(of: &(Point, TotalWord), state: &[u64], env: &mut Env) -> bool {
    let x = of.1.get(state, env);
    match of.0.points.code_at(x, state) {
        Some(code) => code > 0,
        None => of.0.exists_outside(env, x),
    }
}

#[inline(never)]
fn held(test: &HeldTest, env: &mut Env) -> bool {
    match env.doubt {
        true => false,
        false => test.holds(env).unwrap_or_else(|_| env.doubted() != 0),
    }
}

#[inline(never)]
fn all(parts: &[TotalTest], state: &[u64], env: &mut Env) -> bool {
    parts.iter().all(|part| part.holds(state, env))
}

#[inline(never)]
fn any(parts: &[TotalTest], state: &[u64], env: &mut Env) -> bool {
    parts.iter().any(|part| part.holds(state, env))
}

#[inline(never)]
fn same(both: &(TotalTest, TotalTest), state: &[u64], env: &mut Env) -> bool {
    both.0.holds(state, env) == both.1.holds(state, env)
}

#[inline(never)]
fn either(parts: &(TotalTest, TotalTest, TotalTest), state: &[u64], env: &mut Env) -> bool {
    match parts.0.holds(state, env) {
        true => parts.1.holds(state, env),
        false => parts.2.holds(state, env),
    }
}

#[inline(never)]
fn run_test(f: &BoolFn, env: &mut Env) -> bool {
    match env.doubt {
        true => false,
        false => f(env).unwrap_or_else(|_| env.doubted() != 0),
    }
}

#[inline(never)]
fn wide(test: &WideTest, env: &mut Env) -> bool {
    match env.doubt {
        true => false,
        false => test.holds(env).unwrap_or_else(|_| env.doubted() != 0),
    }
}

#[cold]
fn partly(test: &Test, env: &mut Env) -> bool {
    test.holds(env).unwrap_or_else(|_| env.doubted() != 0)
}

/// A junction some parts of which may leave a doubt: that counts only where no other part decides.
#[inline(never)]
fn open(parts: &[TotalTest], decisive: bool, state: &[u64], env: &mut Env) -> bool {
    let outer = std::mem::take(&mut env.doubt);
    let mut doubt = false;
    for part in parts {
        let holds = part.holds(state, env);
        if std::mem::take(&mut env.doubt) {
            doubt = true;
        } else if holds == decisive {
            env.doubt = outer;
            return decisive;
        }
    }
    env.doubt = outer | doubt;
    !decisive
}

/// A conjunction (`decisive` false) or a disjunction: masks of one word become one, and masks come first.
fn junction(parts: Vec<TotalTest>, decisive: bool) -> TotalTest {
    let mut masks: Vec<Masked> = Vec::new();
    let mut others: Vec<TotalTest> = Vec::new();
    let mut waiting: Vec<TotalTest> = parts.into_iter().rev().collect();
    while let Some(part) = waiting.pop() {
        let masked = match (part, decisive) {
            (TotalTest::Always(truth), _) if truth == decisive => {
                return TotalTest::Always(decisive);
            }
            (TotalTest::Always(_), _) => continue,
            (TotalTest::All(inner) | TotalTest::Open(false, inner), false)
            | (TotalTest::Any(inner) | TotalTest::Open(true, inner), true) => {
                waiting.extend(inner.into_iter().rev());
                continue;
            }
            // Of a disjunction the negations are joined.
            (TotalTest::Masked(masked), false) | (TotalTest::NotMasked(masked), true) => masked,
            (other, _) => {
                others.push(other);
                continue;
            }
        };
        let known = masks.iter_mut().find_map(|known| known.and(masked).map(|both| (known, both)));
        match known {
            None => masks.push(masked),
            Some((known, Some(both))) => *known = both,
            // They exclude each other.
            Some((_, None)) => return TotalTest::Always(decisive),
        }
    }
    let first = |masked| match decisive {
        false => TotalTest::Masked(masked),
        true => TotalTest::NotMasked(masked),
    };
    let (certain, open): (Vec<_>, Vec<_>) = others.into_iter().partition(TotalTest::is_certain);
    let is_certain = open.is_empty();
    let mut parts: Vec<TotalTest> = masks.into_iter().map(first).collect();
    parts.extend(certain.into_iter().chain(open));
    match (parts.len(), is_certain, decisive) {
        (0, ..) => TotalTest::Always(!decisive),
        (1, ..) => parts.swap_remove(0),
        (_, false, _) => TotalTest::Open(decisive, parts.into()),
        (_, true, false) => TotalTest::All(parts.into()),
        (_, true, true) => TotalTest::Any(parts.into()),
    }
}
