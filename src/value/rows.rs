//! How relations are held: bit matrices and sorted lists of pairs, and the steps on matrices that the
//! operators are made of.
//!
//! A relation over finite universes is a bit matrix: row `x` holds the partners of `x` and takes
//! `|right|` bits from bit `x * |right|` on. Any other relation is a sorted list of [`pairs`](super::pairs).

use super::pairs::{List, Pairs};
use super::set::{Members, low_bits};
use super::shape::{Index, IndexKind, Shape};
use super::value::Value;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// Bits of a result under construction; one word stays off the heap.
pub(super) type Words = SmallVec<[u64; 2]>;

/// A bit matrix, neither side of which is empty.
#[derive(Clone, Copy)]
pub(super) struct Grid<'a> {
    pub(super) rows: usize,
    pub(super) width: usize,
    pub(super) words: &'a [u64],
}

pub(super) enum Rep<'a> {
    Grid(Grid<'a>),
    List(List<'a>),
}

pub(super) fn pair_sizes(universe: &Index) -> (usize, usize) {
    match &universe.kind {
        IndexKind::Pair(l, r) => (l.size as usize, r.size as usize),
        _ => unreachable!("not a universe of pairs: {universe:?}"),
    }
}

/// Rows and width of the bit matrices of this shape, if its values are such and have any bits.
pub(super) fn dimensions(rel: &Shape) -> Option<(usize, usize)> {
    let of = match rel {
        Shape::Index(u) => match &u.kind {
            IndexKind::Subset(of) => of,
            _ => unreachable!("not a shape of sets: {rel:?}"),
        },
        Shape::Bits(of) => of,
        _ => return None,
    };
    let (rows, width) = pair_sizes(of);
    (rows > 0 && width > 0).then_some((rows, width))
}

pub(super) fn rep<'a>(rel: &Shape, r: &'a Value) -> Rep<'a> {
    match r {
        Value::Set(items) => {
            let width = match rel {
                Shape::Set(e) => match &**e {
                    Shape::Index(u) => pair_sizes(u).1 as u64,
                    _ => 0,
                },
                _ => 0,
            };
            Rep::List(List::Values { width, items })
        }
        Value::Table(columns, cells) => Rep::List(List::Rows(Pairs::of(*columns, cells))),
        _ => match dimensions(rel) {
            Some((rows, width)) => Rep::Grid(Grid { rows, width, words: words_of(r) }),
            // one side has no elements at all
            None => Rep::List(List::Values { width: 0, items: &[] }),
        },
    }
}

pub(super) fn words_of(set: &Value) -> &[u64] {
    match set {
        Value::Word(w) => std::slice::from_ref(w),
        Value::Bits(b) => b,
        _ => unreachable!("not a set held as bits: {set:?}"),
    }
}

pub(super) fn zeroes(shape: &Shape) -> Words {
    match shape {
        Shape::Bits(u) => smallvec![0; (u.size as usize).div_ceil(64)],
        _ => smallvec![0],
    }
}

pub(super) fn finish(shape: &Shape, words: Words) -> Value {
    match shape {
        Shape::Bits(_) => Value::Bits(Arc::from(words.as_slice())),
        _ => Value::Word(words[0]),
    }
}

/// `length <= 64` bits from bit `start` on.
#[inline]
pub(super) fn load(words: &[u64], start: usize, length: usize) -> u64 {
    let (word, offset) = (start / 64, start % 64);
    let mut bits = words[word] >> offset;
    if offset + length > 64 {
        bits |= words[word + 1] << (64 - offset);
    }
    bits & low_bits(length as u32)
}

/// Adds `length <= 64` bits from bit `start` on.
#[inline]
pub(super) fn add(words: &mut [u64], start: usize, length: usize, bits: u64) {
    let (word, offset) = (start / 64, start % 64);
    words[word] |= bits << offset;
    if offset + length > 64 {
        words[word + 1] |= bits >> (64 - offset);
    }
}

#[inline]
pub(super) fn set_bit(words: &mut [u64], i: usize) {
    words[i / 64] |= 1 << (i % 64);
}

/// The pieces of at most 64 bits of a stretch: offset and length of each.
#[inline]
pub(super) fn pieces(width: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..width).step_by(64).map(move |at| (at, (width - at).min(64)))
}

/// Adds `width` bits of `from` at bit `source` to those of `to` at bit `target`.
#[inline]
pub(super) fn copy(to: &mut [u64], target: usize, from: &[u64], source: usize, width: usize) {
    if width <= 64 {
        add(to, target, width, load(from, source, width));
        return;
    }
    for (at, length) in pieces(width) {
        add(to, target + at, length, load(from, source + at, length));
    }
}

/// The numbers of the bits that are set, increasing.
pub(super) fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(i, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                i * 64 + bit
            })
        })
    })
}

/// A bit matrix in one word: rows come off by shifts, without index arithmetic.
#[derive(Clone, Copy)]
pub(super) struct Narrow {
    width: u32,
    pub(super) bits: u64,
}

impl Narrow {
    /// The rows up to the last that is not empty, from row 0 on.
    #[inline]
    pub(super) fn rows(self) -> impl Iterator<Item = u64> {
        let mask = low_bits(self.width);
        let mut rest = self.bits;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let row = rest & mask;
                rest = rest.checked_shr(self.width).unwrap_or(0);
                row
            })
        })
    }

    /// Row `x`, which exists.
    #[inline]
    pub(super) fn row(self, x: u64) -> u64 {
        self.bits >> (x as u32 * self.width) & low_bits(self.width)
    }

    /// The numbers of the rows that are not empty, as bits.
    #[inline]
    pub(super) fn domain(self) -> u64 {
        self.rows().zip(0..).fold(0, |d, (row, x)| d | ((row != 0) as u64) << x)
    }

    /// All bits of the rows in `s`.
    #[inline]
    pub(super) fn filled(self, s: u64) -> u64 {
        let row = low_bits(self.width);
        let (mut rest, mut mask) = (s, 0);
        while rest != 0 {
            mask |= row << (rest.trailing_zeros() * self.width);
            rest &= rest - 1;
        }
        mask
    }
}

impl Grid<'_> {
    #[inline]
    pub(super) fn narrow(self) -> Option<Narrow> {
        match self.words {
            [bits] => Some(Narrow { width: self.width as u32, bits: *bits }),
            _ => None,
        }
    }

    /// The columns that are set in row `x`, increasing.
    pub(super) fn row(self, x: usize) -> impl Iterator<Item = usize> {
        let start = x * self.width;
        pieces(self.width).flat_map(move |(at, length)| {
            let mut rest = load(self.words, start + at, length);
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    at + bit
                })
            })
        })
    }

    /// Row `x` as bits, where rows fit a word.
    #[inline]
    pub(super) fn short_row(self, x: usize) -> Option<u64> {
        (self.width <= 64).then(|| self.short(x))
    }

    /// The same where they are known to fit.
    #[inline]
    pub(super) fn short(self, x: usize) -> u64 {
        load(self.words, x * self.width, self.width)
    }

    pub(super) fn row_count(self, x: usize) -> u32 {
        let start = x * self.width;
        pieces(self.width).map(|(at, n)| load(self.words, start + at, n).count_ones()).sum()
    }

    #[inline]
    pub(super) fn row_is_empty(self, x: usize) -> bool {
        if let Some(row) = self.short_row(x) {
            return row == 0;
        }
        let start = x * self.width;
        pieces(self.width).all(|(at, n)| load(self.words, start + at, n) == 0)
    }
}

/// The partners of `x`, increasing.
pub(super) fn partners(rel: &Shape, r: &Value, x: &Value) -> Vec<Value> {
    match rep(rel, r) {
        Rep::Grid(g) => g.row(x.word() as usize).map(|y| Value::Word(y as u64)).collect(),
        Rep::List(l) => l.group(x).map(|i| l.right(i)).collect(),
    }
}

/// All pairs, split, in increasing order.
pub fn pairs(rel: &Shape, r: &Value) -> impl Iterator<Item = (Value, Value)> {
    let (list, bits) = match rep(rel, r) {
        Rep::List(list) => (Some(list), None),
        Rep::Grid(_) => (None, Some((rel.element(), rel.members(r)))),
    };
    let listed = list.into_iter().flat_map(|list| list.all().map(move |i| list.split(i)));
    let split = |(element, members): (Shape, Members)| members.map(move |p| element.split(&p));
    listed.chain(bits.into_iter().flat_map(split))
}

/// Membership needs no shape: the representation of the set says it all.
pub(super) fn has(set: &Value, item: &Value) -> bool {
    Shape::Integer.contains(set, item)
}
