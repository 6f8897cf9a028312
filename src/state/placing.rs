//! Which coding each variable gets, and where its field begins: by its shape, and by what is expected of it.

use super::axis::{Axis, Map, bits_for};
use super::expect::Expected;
use super::layout::{Coding, NUMBER, Position};
use crate::value::Shape;
use crate::value::shape::IndexKind;
use std::sync::Arc;

/// Most bits that one function may take as numbers.
const FUNCTION_LIMIT: u64 = 16 * 64;

/// Most bits that the items of a sequence take, all of them in one word; where nothing bounds its length, as many as
/// its number would.
const SEQUENCE_LIMIT: u64 = 63;
const OPEN_SEQUENCE: u64 = 31;

/// Most bits of a function, a sequence or a set that is a result, and the items of a sequence for which there has to be
/// room; for few of them there is more.
const PART_LIMIT: u64 = 60;
const SHORT: u64 = 4;
const FEW: u64 = 4;

/// Most bits that a record takes as the codes of its fields.
const RECORD_LIMIT: u32 = 60;

/// Fewer items are not worth a coding of their own.
const SHORTEST: u64 = 2;

/// Hands out positions from the lowest bit upwards; a field never crosses a word.
#[derive(Default)]
pub(super) struct Allocator {
    word: usize,
    used: u32,
}

impl Allocator {
    pub(super) fn take(&mut self, bits: u32) -> Position {
        if self.used + bits > 64 {
            self.word += 1;
            self.used = 0;
        }
        let at = Position { word: self.word, shift: self.used };
        self.used += bits;
        at
    }

    fn whole_words(&mut self, words: usize) -> Position {
        if self.used > 0 {
            self.word += 1;
            self.used = 0;
        }
        let at = Position { word: self.word, shift: 0 };
        self.word += words - 1;
        self.used = 64;
        at
    }

    pub(super) fn words(&self) -> usize {
        self.word + 1
    }
}

/// Where a variable of this shape is held, and in which coding. `numbers`: whether functions over finite universes are
/// numbers; `any`: bits of an integer that nothing bounds; `small`: whether the machine speaks of small numbers.
pub(super) fn place(
    alloc: &mut Allocator,
    shape: &Shape,
    expected: &Expected,
    (numbers, any, small): (bool, u32, bool),
) -> (Position, Coding) {
    if let Some(function) = function_coding(shape, expected, (numbers, small), alloc) {
        return function;
    }
    match (shape, expected) {
        (Shape::Index(u), _) => {
            let bits = match &u.kind {
                IndexKind::Subset(of) => of.size as u32,
                _ => bits_for(u.size),
            };
            (alloc.take(bits), Coding::Word { bits })
        }
        (Shape::Bits(u), _) => {
            let words = (u.size as usize).div_ceil(64);
            (alloc.whole_words(words), Coding::Bits { words })
        }
        (Shape::Integer, Expected::Interval { low, high })
            if (*high as i128 - *low as i128) < 1 << 31 =>
        {
            let bits = bits_for((high - low) as u128 + 2);
            (alloc.take(bits), Coding::Integer { low: *low, bits })
        }
        (Shape::Integer, _) => {
            (alloc.take(any), Coding::Integer { low: -(1 << (any - 1)), bits: any })
        }
        (Shape::Record(_), _) => match record_axis(shape, expected, small) {
            Some(axis) => {
                let bits = bits_for(u128::from(axis.size())) + 1;
                (alloc.take(bits), Coding::Record { axis, bits })
            }
            None => (alloc.take(NUMBER), Coding::Interned),
        },
        (Shape::Set(e), Expected::Subset(of)) => match axis(e, of) {
            Some(axis) if axis.size() < 64 => {
                (alloc.take(axis.size() as u32 + 1), Coding::Members { axis })
            }
            _ => (alloc.take(NUMBER), Coding::Interned),
        },
        _ => (alloc.take(NUMBER), Coding::Interned),
    }
}

/// The coding of a function as numbers, where the invariant expects one and both axes are finite, or the results are
/// integers that are expected to be small.
fn function_coding(
    shape: &Shape,
    expected: &Expected,
    (numbers, small): (bool, bool),
    alloc: &mut Allocator,
) -> Option<(Position, Coding)> {
    let (from, to) = match expected {
        Expected::Function(from, to) => (from, to),
        Expected::Sequence { items, longest } => {
            return sequence_coding(shape, items, *longest, alloc);
        }
        _ => return None,
    };
    let over_universe = matches!(shape, Shape::Index(_) | Shape::Bits(_));
    if over_universe && !numbers {
        return None;
    }
    let (left, right) = shape.element().sides();
    let domain = axis(&left, from)?;
    let window = || window(&right, domain.size()).filter(|_| small);
    let range = axis(&right, to).or_else(window).or_else(|| record_axis(&right, to, small));
    let range = range.or_else(|| part_axis(&right, to, domain.size()))?;
    let width = bits_for(range.size() as u128 + 1).max(1);
    let per_word = 64 / width;
    if domain.size() == 0
        || domain.size() > FUNCTION_LIMIT
        || domain.size() * width as u64 > FUNCTION_LIMIT
    {
        return None;
    }
    let at = alloc.take(1);
    let total = domain.size() as u32 * width;
    let first = if domain.size() as u32 <= per_word && alloc.used + total <= 64 {
        alloc.take(total)
    } else {
        let words = (domain.size() as usize).div_ceil(per_word as usize);
        let first = alloc.whole_words(words);
        // What the last word leaves free is still to be had.
        let rest = domain.size() as u32 - (words as u32 - 1) * per_word;
        alloc.used = rest * width;
        first
    };
    Some((at, Coding::Function { domain, range, width, first, per_word }))
}

/// The coding of a sequence as the function that it is, where its items have codes: as many of them as stand in one
/// word. Longer ones stand beside the state.
fn sequence_coding(
    shape: &Shape,
    items: &Expected,
    longest: Option<u64>,
    alloc: &mut Allocator,
) -> Option<(Position, Coding)> {
    let range = plain_axis(&shape.element().sides().1, items)?;
    let width = bits_for(range.size() as u128 + 1).max(1);
    let most = if longest.is_some() { SEQUENCE_LIMIT } else { OPEN_SEQUENCE } / u64::from(width);
    let size = longest.unwrap_or(most).min(most);
    if size < SHORTEST {
        return None;
    }
    let at = alloc.take(1);
    let first = alloc.take(size as u32 * width);
    let domain = Axis::Interval { low: 1, size };
    Some((at, Coding::Function { domain, range, width, first, per_word: 64 / width }))
}

/// The results of a function into the integers that have a code, where nothing bounds them: some around 0. The more
/// arguments there are, the fewer.
fn window(shape: &Shape, arguments: u64) -> Option<Axis> {
    if *shape != Shape::Integer {
        return None;
    }
    match arguments {
        0..=16 => Some(Axis::Interval { low: -(1 << 15), size: (1 << 16) - 1 }),
        17..=64 => Some(Axis::Interval { low: -64, size: 255 }),
        _ => None,
    }
}

/// The codes of records whose fields all have some.
fn record_axis(shape: &Shape, expected: &Expected, small: bool) -> Option<Axis> {
    let Shape::Record(shapes) = shape else { return None };
    let any = vec![Expected::Any; shapes.len()];
    let of = match expected {
        Expected::Record(of) => of,
        _ => &any,
    };
    let window = |shape: &Shape| window(shape, 1).filter(|_| small);
    let field = |(shape, of): (&Shape, &Expected)| plain_axis(shape, of).or_else(|| window(shape));
    Axis::record(shapes.iter().zip(of).map(field), RECORD_LIMIT)
}

/// Number of integers in an interval that is not empty; the bounds may be as far apart as words allow.
fn size_of_interval(low: i64, high: i64) -> u128 {
    (high as i128 - low as i128 + 1) as u128
}

/// The codes of functions, sequences and sets that are results, so many of them.
fn part_axis(shape: &Shape, expected: &Expected, many: u64) -> Option<Axis> {
    let Shape::Set(element) = shape else { return None };
    let map =
        |domain: Axis, range: Axis, width: u32| Axis::Map(Arc::new(Map { domain, range, width }));
    match expected {
        Expected::Sequence { items, longest } => {
            let range = plain_axis(&element.sides().1, items)?;
            let width = bits_for(range.size() as u128 + 1).max(1);
            let room = if longest.is_some() || many <= FEW { PART_LIMIT } else { OPEN_SEQUENCE };
            let most = room / u64::from(width);
            let size = longest.map_or(most, |longest| longest.min(most));
            let enough = longest.unwrap_or(u64::MAX).min(SHORT);
            (size >= enough && size > 0).then(|| map(Axis::Interval { low: 1, size }, range, width))
        }
        Expected::Function(from, to) => {
            let (left, right) = element.sides();
            let (domain, range) = (plain_axis(&left, from)?, plain_axis(&right, to)?);
            let width = bits_for(range.size() as u128 + 1).max(1);
            let fits = domain.size() <= PART_LIMIT / u64::from(width);
            fits.then(|| map(domain, range, width))
        }
        Expected::Subset(of) => {
            let of = axis(element, of)?;
            (of.size() <= PART_LIMIT).then(|| Axis::Subset(Arc::new(of)))
        }
        _ => None,
    }
}

/// The codes of arguments or results: of words, or pairs of such.
fn axis(shape: &Shape, expected: &Expected) -> Option<Axis> {
    match (shape, expected) {
        (Shape::Pair(sides), Expected::Pair(left, right)) => {
            Axis::pair(plain_axis(&sides.0, left)?, plain_axis(&sides.1, right)?)
        }
        _ => plain_axis(shape, expected),
    }
}

/// The codes of what is a word.
fn plain_axis(shape: &Shape, expected: &Expected) -> Option<Axis> {
    match (shape, expected) {
        (Shape::Index(u), _) if u.size <= 1 << 16 => Some(Axis::Universe(u.size as u64)),
        (Shape::Integer, Expected::Interval { low, high })
            if size_of_interval(*low, *high) <= 1 << 16 =>
        {
            Some(Axis::Interval { low: *low, size: (high - low + 1) as u64 })
        }
        _ => None,
    }
}
