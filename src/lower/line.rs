//! Sequences in one word: the codes of their items side by side, as a state holds them that takes a sequence for the
//! function that it is ([`Coding::Function`](crate::state::Coding)).
//!
//! What such a sequence becomes is a few shifts. Whatever is not held in this form - it is too long, an item has no
//! code, it is no sequence at all, or something is undefined - has no word here; then the same is asked once more of
//! values ([`rich`](super::rich)), which know what is to be said of it.

use super::env::Env;
use super::point::{Point, Points};
use super::rich::RichWrite;
use super::stop::{Raised, Stop};
use super::word::Word;
use crate::state::Axis;
use crate::state::axis::Map;
use crate::value::set::low_bits;

/// How the items stand in the word, be they many or few.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub range: Axis,
    width: u32,
    /// As many as the word has room for.
    longest: u32,
    /// The lowest bit of each item, and the highest.
    ones: u64,
    highs: u64,
}

impl Row {
    /// `None` where the items do not begin with the first one, are no words, or do not stand in one word.
    pub fn of(points: &Points) -> Option<Row> {
        Row::new(&points.domain, &points.range, points.width_in_one_word()?)
    }

    /// The same for functions that are results.
    pub fn of_map(map: &Map) -> Option<Row> {
        Row::new(&map.domain, &map.range, map.width)
    }

    fn new(domain: &Axis, range: &Axis, width: u32) -> Option<Row> {
        let Axis::Interval { low: 1, .. } = domain else { return None };
        if !matches!(range, Axis::Universe(_) | Axis::Interval { .. }) {
            return None;
        }
        let longest = u64::BITS / width;
        let ones = (0..longest).fold(0, |ones, i| ones | 1 << (i * width));
        let range = range.clone();
        Some(Row { range, width, longest, ones, highs: ones << (width - 1) })
    }

    /// Number of items up to the last one.
    #[inline(always)]
    fn length(&self, codes: u64) -> u32 {
        (64 - codes.leading_zeros()).div_ceil(self.width)
    }

    /// Whether no item is missing before the last one.
    #[inline(always)]
    pub(super) fn is_sequence(&self, codes: u64) -> bool {
        let lows = self.highs - self.ones;
        // Carries within each item tell which are zero.
        let zeros = self.highs & !(((codes & lows) + lows) | codes);
        zeros & low_bits(self.length(codes) * self.width) == 0
    }

    #[inline(always)]
    fn item(&self, codes: u64, i: u32) -> u64 {
        self.range.word((codes >> (i * self.width) & low_bits(self.width)) - 1)
    }

    /// `a ^ b`, if it is not too long.
    #[inline(always)]
    fn joined(&self, a: u64, b: u64) -> Option<u64> {
        let before = self.length(a);
        if b == 0 {
            return Some(a);
        }
        (before + self.length(b) <= self.longest).then(|| a | b << (before * self.width))
    }

    fn reversed(&self, mut codes: u64) -> u64 {
        let mut reversed = 0;
        while codes != 0 {
            reversed = reversed << self.width | codes & low_bits(self.width);
            codes >>= self.width;
        }
        reversed
    }
}

/// A sequence whose items stand in one word.
#[derive(Clone)]
pub enum Line {
    /// Of a variable.
    Held(Points),
    /// Of a function at one point.
    At(Box<Point>),
    Empty,
    /// `[x]`
    One(Box<Word>),
    /// `a ^ b`
    Join(Box<(Line, Line)>),
    Tail(Box<Line>),
    Front(Box<Line>),
    Reverse(Box<Line>),
    /// `s /|\ n` and `s \|/ n`
    Take(Box<(Line, Word)>),
    Drop(Box<(Line, Word)>),
}

impl Line {
    /// The codes of the items; nothing where it has none, or is not there.
    fn get(&self, row: &Row, env: &mut Env) -> Option<u64> {
        Some(match self {
            Line::Held(points) => {
                let codes = points.all_in_one_word(&env.state);
                if points.is_outside(&env.state) || !row.is_sequence(codes) {
                    return None;
                }
                codes
            }
            Line::At(point) => {
                let x = point.argument.get(env).ok()?;
                let codes = point.points.code_at(x, &env.state)?.checked_sub(1)?;
                if !row.is_sequence(codes) {
                    return None;
                }
                codes
            }
            Line::Empty => 0,
            Line::One(x) => row.range.code_of_word(x.get(env).ok()?)? + 1,
            Line::Join(both) => {
                let a = both.0.get(row, env)?;
                row.joined(a, both.1.get(row, env)?)?
            }
            Line::Tail(of) => match of.get(row, env)? {
                0 => return None,
                codes => codes >> row.width,
            },
            Line::Front(of) => match of.get(row, env)? {
                0 => return None,
                codes => codes & low_bits((row.length(codes) - 1) * row.width),
            },
            Line::Reverse(of) => row.reversed(of.get(row, env)?),
            Line::Take(of) => {
                let codes = of.0.get(row, env)?;
                codes & low_bits(self.part(row, codes, &of.1, env)?)
            }
            Line::Drop(of) => {
                let codes = of.0.get(row, env)?;
                codes.checked_shr(self.part(row, codes, &of.1, env)?).unwrap_or(0)
            }
        })
    }

    /// The bits of so many items, of which there must be as many.
    fn part(&self, row: &Row, codes: u64, number: &Word, env: &mut Env) -> Option<u32> {
        let n = u32::try_from(number.get(env).ok()? as i64).ok()?;
        (n <= row.length(codes)).then(|| n * row.width)
    }
}

/// What is asked of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    Size,
    First,
    Last,
    /// All of it, as codes.
    Whole,
    /// Whether it is one: 1, or what else is found out.
    IsSequence,
    /// The set of its items, as bits.
    Range,
}

/// A word that follows from a sequence.
#[derive(Clone)]
pub struct LineWord {
    pub asked: Asked,
    pub of: Line,
    pub row: Row,
    /// The same of values.
    pub otherwise: Word,
}

impl LineWord {
    /// # Errors
    /// Those of the same of values.
    pub fn get(&self, env: &mut Env) -> Result<u64, Raised> {
        match self.told(env) {
            Some(word) => Ok(word),
            None => self.otherwise.get(env),
        }
    }

    fn told(&self, env: &mut Env) -> Option<u64> {
        let Row { width, .. } = self.row;
        let mut codes = self.of.get(&self.row, env)?;
        Some(match self.asked {
            Asked::Size => u64::from(self.row.length(codes)),
            Asked::Whole => codes,
            Asked::IsSequence => 1,
            Asked::First | Asked::Last if codes == 0 => return None,
            Asked::First => self.row.item(codes, 0),
            Asked::Last => self.row.item(codes, self.row.length(codes) - 1),
            Asked::Range => {
                let mut items = 0;
                while codes != 0 {
                    items |= 1 << ((codes & low_bits(width)) - 1);
                    codes >>= width;
                }
                items
            }
        })
    }
}

/// `s := ..`, where a state holds `s` in one word.
pub struct LineWrite {
    pub points: Points,
    pub of: Line,
    pub row: Row,
    /// The same of values.
    pub otherwise: RichWrite,
}

impl LineWrite {
    fn fits(&self, codes: u64) -> bool {
        u64::from(self.row.length(codes)) <= self.points.domain.size()
    }

    /// Writes into the state of the frame that is made.
    ///
    /// # Errors
    /// Those of the same of values.
    pub fn run(&self, env: &mut Env) -> Result<(), Stop> {
        let mut next = std::mem::take(&mut env.next);
        let is_put = self.is_put(&mut next, env);
        env.next = next;
        if is_put { Ok(()) } else { self.otherwise.run(env) }
    }

    /// Writes into a state that is made, unless the sequence, or what is there, has another form.
    pub(super) fn is_put(&self, next: &mut [u64], env: &mut Env) -> bool {
        if self.points.is_outside(next) {
            return false;
        }
        let codes = self.of.get(&self.row, env).filter(|codes| self.fits(*codes));
        if let Some(codes) = codes {
            self.points.set_all_in_one_word(next, codes);
        }
        codes.is_some()
    }
}
