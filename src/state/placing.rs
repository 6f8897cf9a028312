//! Which coding each variable gets, and where its field begins: by its shape, and by what is expected of it.

use super::axis::{Axis, MOST_MEMBERS, Map, bits_for};
use super::expect::Expected;
use super::layout::{Coding, NUMBER, Position};
use super::spoken::{SMALL, Spoken};
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

/// The largest number of which a machine speaks whose sets of numbers that nothing bounds have codes, and how many times
/// larger than any such number the items of a sequence may be.
const FEW_MEMBERS: u64 = 30;
const ROOM: u64 = 8;

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

    /// So many bits, from a word's first one on where they do not fit one; and one more behind them.
    fn take_with_flag(&mut self, bits: u32) -> (Position, Position) {
        if bits < 64 {
            let at = self.take(bits + 1);
            return (at, Position { shift: at.shift + bits, ..at });
        }
        let at = self.whole_words((bits as usize).div_ceil(64));
        self.used = (bits - 1) % 64 + 1;
        (at, self.take(1))
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
/// numbers; `any`: bits of an integer that nothing bounds.
pub(super) fn place(
    alloc: &mut Allocator,
    shape: &Shape,
    expected: &Expected,
    (numbers, any, spoken): (bool, u32, &Spoken),
) -> (Position, Coding) {
    if let Some(function) = function_coding(shape, expected, (numbers, spoken), alloc) {
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
        (Shape::String, _) => match plain_axis(shape, expected, spoken) {
            Some(Axis::Texts(texts)) => {
                let bits = bits_for(texts.len() as u128 + 1);
                (alloc.take(bits), Coding::Text { texts, bits })
            }
            _ => (alloc.take(NUMBER), Coding::Interned),
        },
        (Shape::Record(_) | Shape::Pair(_), _) => match record_axis(shape, expected, spoken) {
            Some(axis) => {
                let bits = bits_for(u128::from(axis.size())) + 1;
                (alloc.take(bits), Coding::Record { axis, bits })
            }
            None => (alloc.take(NUMBER), Coding::Interned),
        },
        (Shape::Set(e), Expected::Subset(of)) => {
            let axis = axis(e, of, spoken).or_else(|| tuple_axis(e, of, spoken));
            match axis.or_else(|| member_window(e, of, spoken)) {
                Some(axis) if axis.size() <= MOST_MEMBERS => {
                    let (at, outside) = alloc.take_with_flag(axis.size() as u32);
                    (at, Coding::Members { axis, outside })
                }
                _ => (alloc.take(NUMBER), Coding::Interned),
            }
        }
        _ => (alloc.take(NUMBER), Coding::Interned),
    }
}

/// The coding of a function as numbers, where the invariant expects one and both axes are finite, or the results are
/// integers that are expected to be small.
fn function_coding(
    shape: &Shape,
    expected: &Expected,
    (numbers, spoken): (bool, &Spoken),
    alloc: &mut Allocator,
) -> Option<(Position, Coding)> {
    let (from, to) = match expected {
        Expected::Function(from, to) => (from, to),
        Expected::Sequence { items, longest } => {
            return sequence_coding(shape, items, *longest, spoken, alloc);
        }
        _ => return None,
    };
    let over_universe = matches!(shape, Shape::Index(_) | Shape::Bits(_));
    if over_universe && !numbers {
        return None;
    }
    let (left, right) = shape.element().sides();
    let domain = axis(&left, from, spoken)?;
    let window = || window(&right, to, bits_of_each(domain.size())?, spoken.largest);
    let records = || match right {
        Shape::Record(_) => record_axis(&right, to, spoken),
        _ => None,
    };
    let range = axis(&right, to, spoken).or_else(window).or_else(records);
    let range = range.or_else(|| part_axis(&right, to, domain.size(), spoken))?;
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
    spoken: &Spoken,
    alloc: &mut Allocator,
) -> Option<(Position, Coding)> {
    let range = item_axis(&shape.element().sides().1, items, spoken)?;
    let width = bits_for(range.size() as u128 + 1).max(1);
    // Items that nothing bounds take so many bits that few of them would fit less.
    let is_open =
        longest.is_none() && plain_axis(&shape.element().sides().1, items, spoken).is_some();
    let most = if is_open { OPEN_SEQUENCE } else { SEQUENCE_LIMIT } / u64::from(width);
    let size = longest.unwrap_or(most).min(most);
    if size < SHORTEST {
        return None;
    }
    let at = alloc.take(1);
    let first = alloc.take(size as u32 * width);
    let domain = Axis::Interval { low: 1, size };
    Some((at, Coding::Function { domain, range, width, first, per_word: 64 / width }))
}

/// Bits for each result of a function into integers that nothing bounds: the more arguments there are, the fewer.
fn bits_of_each(arguments: u64) -> Option<u32> {
    match arguments {
        0..=16 => Some(16),
        17..=64 => Some(8),
        _ => None,
    }
}

/// The integers that have a code of so many bits where nothing bounds them, of a machine that speaks of small ones only:
/// some around 0, or from the least one on.
fn window(shape: &Shape, expected: &Expected, bits: u32, largest: u64) -> Option<Axis> {
    // One number says that there is none.
    let size = (1 << bits) - 1;
    let low = match expected {
        _ if *shape != Shape::Integer || largest > SMALL => return None,
        Expected::From(low) if bits < 16 => *low,
        _ if bits < 16 => -64,
        _ => -(1 << (bits - 1)),
    };
    Some(Axis::Interval { low, size })
}

/// The same for members of a set, which take a bit each.
fn member_window(shape: &Shape, expected: &Expected, spoken: &Spoken) -> Option<Axis> {
    let low = match expected {
        _ if *shape != Shape::Integer || spoken.largest > FEW_MEMBERS => return None,
        Expected::From(low) => *low,
        _ => -(FEW_MEMBERS as i64) / 2,
    };
    Some(Axis::Interval { low, size: PART_LIMIT })
}

/// The items of a sequence: short ones, where nothing bounds them.
fn item_axis(shape: &Shape, expected: &Expected, spoken: &Spoken) -> Option<Axis> {
    let plain = plain_axis(shape, expected, spoken).filter(|axis| !matches!(axis, Axis::Texts(_)));
    plain.or_else(|| window(shape, expected, 8, spoken.largest.saturating_mul(ROOM)))
}

/// The codes of records whose fields all have some, or of pairs whose sides have.
fn record_axis(shape: &Shape, expected: &Expected, spoken: &Spoken) -> Option<Axis> {
    let field = |(shape, of): (&Shape, &Expected)| {
        let plain = plain_axis(shape, of, spoken);
        let number = || window(shape, of, 16, spoken.largest);
        plain.or_else(number).or_else(|| part_axis(shape, of, 1, spoken))
    };
    match (shape, expected) {
        (Shape::Record(shapes), Expected::Record(of)) => {
            Axis::record(shapes.iter().zip(of).map(field), RECORD_LIMIT)
        }
        (Shape::Record(shapes), _) => {
            Axis::record(shapes.iter().map(|shape| field((shape, &Expected::Any))), RECORD_LIMIT)
        }
        (Shape::Pair(sides), Expected::Pair(left, right)) => {
            Axis::couple([field((&sides.0, left)), field((&sides.1, right))], RECORD_LIMIT)
        }
        _ => None,
    }
}

/// Number of integers in an interval that is not empty; the bounds may be as far apart as words allow.
fn size_of_interval(low: i64, high: i64) -> u128 {
    (high as i128 - low as i128 + 1) as u128
}

/// The codes of functions, sequences and sets that are results, so many of them.
fn part_axis(shape: &Shape, expected: &Expected, many: u64, spoken: &Spoken) -> Option<Axis> {
    let Shape::Set(element) = shape else { return None };
    let map =
        |domain: Axis, range: Axis, width: u32| Axis::Map(Arc::new(Map { domain, range, width }));
    match expected {
        Expected::Sequence { items, longest } => {
            let range = item_axis(&element.sides().1, items, spoken)?;
            let width = bits_for(range.size() as u128 + 1).max(1);
            let room = if longest.is_some() || many <= FEW { PART_LIMIT } else { OPEN_SEQUENCE };
            let most = room / u64::from(width);
            let size = longest.map_or(most, |longest| longest.min(most));
            let enough = longest.unwrap_or(u64::MAX).min(SHORT);
            (size >= enough && size > 0).then(|| map(Axis::Interval { low: 1, size }, range, width))
        }
        Expected::Function(from, to) => {
            let (left, right) = element.sides();
            let domain = plain_axis(&left, from, spoken)?;
            let bits = || (PART_LIMIT as u32).checked_div(domain.size() as u32);
            let window =
                || window(&right, to, bits().filter(|bits| *bits >= 8)?.min(16), spoken.largest);
            let range = plain_axis(&right, to, spoken).or_else(window)?;
            let width = bits_for(range.size() as u128 + 1).max(1);
            let fits = domain.size() <= PART_LIMIT / u64::from(width);
            fits.then(|| map(domain, range, width))
        }
        Expected::Subset(of) => {
            let of = axis(element, of, spoken).or_else(|| member_window(element, of, spoken))?;
            (of.size() <= PART_LIMIT).then(|| Axis::Subset(Arc::new(of)))
        }
        _ => None,
    }
}

/// The codes of arguments or results: of words, or pairs of such.
fn axis(shape: &Shape, expected: &Expected, spoken: &Spoken) -> Option<Axis> {
    let plain = |shape: &Shape, of: &Expected| plain_axis(shape, of, spoken);
    match (shape, expected) {
        (Shape::Pair(sides), Expected::Pair(left, right)) => {
            Axis::pair(plain(&sides.0, left)?, plain(&sides.1, right)?)
        }
        _ => plain(shape, expected),
    }
}

/// The codes of records and of pairs that are no words, as members of a set.
fn tuple_axis(shape: &Shape, expected: &Expected, spoken: &Spoken) -> Option<Axis> {
    let part = |shape: &Shape, of: &Expected| {
        axis(shape, of, spoken).or_else(|| tuple_axis(shape, of, spoken))
    };
    match (shape, expected) {
        (Shape::Record(shapes), Expected::Record(of)) => {
            Axis::tuple(shapes.iter().zip(of).map(|(shape, of)| part(shape, of)), true)
        }
        (Shape::Record(shapes), Expected::Any) => {
            Axis::tuple(shapes.iter().map(|shape| part(shape, &Expected::Any)), true)
        }
        (Shape::Pair(sides), Expected::Pair(left, right)) => {
            Axis::tuple([part(&sides.0, left), part(&sides.1, right)].into_iter(), false)
        }
        _ => None,
    }
}

/// The codes of what is a word, or a string.
fn plain_axis(shape: &Shape, expected: &Expected, spoken: &Spoken) -> Option<Axis> {
    match (shape, expected) {
        (Shape::Index(u), _) if u.size <= 1 << 16 => Some(Axis::Universe(u.size as u64)),
        (Shape::Integer, Expected::Interval { low, high })
            if size_of_interval(*low, *high) <= 1 << 16 =>
        {
            Some(Axis::Interval { low: *low, size: (high - low + 1) as u64 })
        }
        // Where the machine makes strings of its own, it may put others there.
        (Shape::String, _) if spoken.texts.is_empty() => None,
        (Shape::String, Expected::Texts(texts)) => Some(Axis::Texts(texts.clone())),
        (Shape::String, _) => Some(Axis::Texts(spoken.texts.clone())),
        _ => None,
    }
}
