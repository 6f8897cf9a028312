//! Codes: the numbers by which a field holds arguments and results of functions, and records.

use crate::value::set::low_bits;
use crate::value::{Listed, Member, Row, Value};
use std::sync::Arc;

/// Most codes of what is a member of a set that a state holds as bits.
pub const MOST_MEMBERS: u64 = 256;

/// A finite range of arguments or results of a function, or of records.
#[derive(Clone, PartialEq, Debug)]
pub enum Axis {
    /// A finite universe of this many members.
    Universe(u64),
    Interval {
        low: i64,
        size: u64,
    },
    /// These strings, in their order.
    Texts(Texts),
    /// Records with these fields, in the order of their type: their codes side by side.
    Record(Arc<[Part]>),
    /// Pairs in the same way, each side a field.
    Couple(Arc<[Part]>),
    /// Pairs of members of two others, each a universe or an interval: row by row.
    Pair(Arc<(Axis, Axis)>),
    /// Records, or pairs that are no words, by the codes of their parts, those of the last one side by side.
    Tuple {
        parts: Arc<[Axis]>,
        record: bool,
    },
    /// Functions, sequences among them, as the codes of their results side by side.
    Map(Arc<Map>),
    /// Sets of what has a code on another axis: a bit for each.
    Subset(Arc<Axis>),
}

/// Strings that have codes: their places in the list, which is sorted.
pub type Texts = Arc<[Arc<str>]>;

/// How the results of a function stand side by side in its code: for each argument a number of `width` bits, 0 where
/// it has none, else 1 + the result's code.
#[derive(Clone, PartialEq, Debug)]
pub struct Map {
    pub domain: Axis,
    pub range: Axis,
    pub width: u32,
}

impl Map {
    /// The number for an argument with this code.
    #[inline(always)]
    pub fn number(&self, code: u64, argument: u64) -> u64 {
        code >> (argument as u32 * self.width) & ((1 << self.width) - 1)
    }

    /// The pairs, by their codes.
    pub fn pairs(&self, code: u64) -> impl Iterator<Item = (u64, u64)> {
        let numbers = (0..self.domain.size()).map(move |x| (x, self.number(code, x)));
        numbers.filter_map(|(x, number)| Some((x, number.checked_sub(1)?)))
    }

    fn code(&self, function: &Value) -> Option<u64> {
        code_of_pairs(&self.domain, &self.range, self.width, function)
    }
}

/// The results of a function that is a list or a table of pairs, side by side, so many bits for each argument; `None`
/// where a side has no code or an argument has several results. All have to fit one word.
pub(super) fn code_of_pairs(
    domain: &Axis,
    range: &Axis,
    width: u32,
    function: &Value,
) -> Option<u64> {
    let mut code = 0;
    for pair in Listed::of(function)?.members() {
        let (x, y) = pair.sides()?;
        let (x, y) = (domain.code_of(x)?, range.code_of(y)?);
        let at = x as u32 * width;
        if code >> at & low_bits(width) != 0 {
            return None;
        }
        code |= (y + 1) << at;
    }
    Some(code)
}

/// A field of a record, in the code of that.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// Never one of records or pairs.
    pub axis: Axis,
    pub shift: u32,
    pub bits: u32,
}

impl Part {
    /// The field's code, of the code of a record.
    #[inline(always)]
    pub fn get(&self, code: u64) -> u64 {
        code >> self.shift & self.mask()
    }

    /// The code of the record with another code for the field.
    #[inline(always)]
    pub fn put(&self, code: u64, part: u64) -> u64 {
        code & !(self.mask() << self.shift) | part << self.shift
    }

    #[inline(always)]
    fn mask(&self) -> u64 {
        (1 << self.bits) - 1
    }
}

impl Axis {
    /// Records with these fields; `None` where their codes do not stand in so many bits.
    pub fn record(fields: impl Iterator<Item = Option<Axis>>, most: u32) -> Option<Axis> {
        Some(Axis::Record(Axis::side_by_side(fields, most)?))
    }

    /// Pairs with these sides, in the same way.
    pub fn couple(sides: [Option<Axis>; 2], most: u32) -> Option<Axis> {
        Some(Axis::Couple(Axis::side_by_side(sides.into_iter(), most)?))
    }

    fn side_by_side(fields: impl Iterator<Item = Option<Axis>>, most: u32) -> Option<Arc<[Part]>> {
        let (mut parts, mut shift) = (Vec::new(), 0);
        for axis in fields {
            let axis = axis?;
            let bits = bits_for(u128::from(axis.size()));
            parts.push(Part { axis, shift, bits });
            shift += bits;
        }
        (shift <= most).then(|| parts.into())
    }

    /// Pairs of members of these; `None` where they are too many, or strings, or 32 bits do not hold all of their words.
    pub fn pair(left: Axis, right: Axis) -> Option<Axis> {
        let fits = |axis: &Axis| match axis {
            Axis::Interval { low, size } => {
                i32::try_from(*low).is_ok() && i32::try_from(low + *size as i64).is_ok()
            }
            Axis::Texts(_) => false,
            _ => axis.size() < 1 << 31,
        };
        let few = left.size().checked_mul(right.size()).is_some_and(|size| size <= 1 << 16);
        (fits(&left) && fits(&right) && few).then(|| Axis::Pair(Arc::new((left, right))))
    }

    /// Records or pairs with these parts; `None` where they are too many to be members of a set that stands in a word.
    pub fn tuple(parts: impl Iterator<Item = Option<Axis>>, record: bool) -> Option<Axis> {
        let parts = parts.collect::<Option<Arc<[Axis]>>>()?;
        let size = parts.iter().try_fold(1u64, |size, part| size.checked_mul(part.size()))?;
        (size <= MOST_MEMBERS).then_some(Axis::Tuple { parts, record })
    }

    /// Whether what has a code here is a word, or a pair of words.
    pub fn is_plain(&self) -> bool {
        use Axis::*;
        matches!(self, Universe(_) | Interval { .. } | Texts(_) | Pair(_))
    }

    /// All codes are smaller; where there are records or functions, not all of those that are have a value.
    #[inline(always)]
    pub fn size(&self) -> u64 {
        match self {
            Axis::Universe(n) | Axis::Interval { size: n, .. } => *n,
            Axis::Texts(texts) => texts.len() as u64,
            compound => compound.size_of_compound(),
        }
    }

    fn size_of_compound(&self) -> u64 {
        match self {
            Axis::Universe(_) | Axis::Interval { .. } | Axis::Texts(_) => self.size(),
            Axis::Record(parts) | Axis::Couple(parts) => {
                parts.last().map_or(1, |last| 1 << (last.shift + last.bits))
            }
            Axis::Pair(sides) => sides.0.size() * sides.1.size(),
            Axis::Tuple { parts, .. } => parts.iter().map(Axis::size).product(),
            Axis::Map(map) => 1 << (map.domain.size() as u32 * map.width),
            Axis::Subset(of) => 1 << of.size(),
        }
    }

    /// Position of a value on the axis.
    pub fn code(&self, value: &Value) -> Option<u64> {
        match (self, value) {
            (Axis::Universe(n), Value::Word(w)) => (w < n).then_some(*w),
            (Axis::Interval { low, size }, Value::Int(i)) => {
                let code = i.checked_sub(*low)?;
                (code >= 0 && (code as u64) < *size).then_some(code as u64)
            }
            (Axis::Texts(texts), Value::String(text)) => {
                texts.binary_search(text).ok().map(|place| place as u64)
            }
            (Axis::Record(parts), Value::Record(values)) => {
                let fields = parts.iter().zip(values.iter());
                fields.map(|(p, v)| Some(p.axis.code(v)? << p.shift)).sum()
            }
            (Axis::Couple(parts), Value::Pair(pair)) => {
                let (left, right) = (parts[0].axis.code(&pair.0)?, parts[1].axis.code(&pair.1)?);
                Some(left << parts[0].shift | right << parts[1].shift)
            }
            (Axis::Pair(sides), Value::Pair(pair)) => {
                Some(sides.0.code(&pair.0)? * sides.1.size() + sides.1.code(&pair.1)?)
            }
            (Axis::Tuple { parts, .. }, Value::Record(values)) => {
                let mut all = parts.iter().zip(values.iter());
                all.try_fold(0, |code, (part, value)| Some(code * part.size() + part.code(value)?))
            }
            (Axis::Tuple { parts, .. }, Value::Pair(pair)) => {
                Some(parts[0].code(&pair.0)? * parts[1].size() + parts[1].code(&pair.1)?)
            }
            (Axis::Map(map), Value::Set(_) | Value::Table(..)) => map.code(value),
            (Axis::Subset(of), Value::Set(_) | Value::Table(..)) => of.bits(value),
            _ => None,
        }
    }

    /// The same of a member of a list or a table, or of a part of one.
    pub fn code_of(&self, member: Member) -> Option<u64> {
        match member {
            Member::Value(value) => self.code(value),
            Member::Row(row) => self.code_of_row(row),
        }
    }

    fn code_of_row(&self, row: Row) -> Option<u64> {
        let of_sides = |left: &Axis, right: &Axis| {
            let (x, y) = row.sides()?;
            Some((left.code_of_row(x)?, right.code_of_row(y)?))
        };
        match self {
            Axis::Universe(n) => row.word().filter(|w| w < n),
            Axis::Interval { low, size } => {
                let code = u64::try_from(row.number()?.checked_sub(*low)?).ok()?;
                (code < *size).then_some(code)
            }
            Axis::Pair(sides) => of_sides(&sides.0, &sides.1).map(|(x, y)| x * sides.1.size() + y),
            Axis::Tuple { parts, record: false } => {
                of_sides(&parts[0], &parts[1]).map(|(x, y)| x * parts[1].size() + y)
            }
            _ => self.code(&row.value()),
        }
    }

    pub fn value(&self, code: u64) -> Value {
        match self {
            Axis::Universe(_) => Value::Word(code),
            Axis::Interval { low, .. } => Value::Int(low + code as i64),
            Axis::Texts(texts) => Value::String(texts[code as usize].clone()),
            Axis::Record(parts) => {
                Value::Record(parts.iter().map(|p| p.axis.value(p.get(code))).collect())
            }
            Axis::Couple(parts) => {
                let side = |i: usize| parts[i].axis.value(parts[i].get(code));
                Value::Pair(Arc::new((side(0), side(1))))
            }
            Axis::Pair(sides) => {
                let (row, column) = (code / sides.1.size(), code % sides.1.size());
                Value::Pair(Arc::new((sides.0.value(row), sides.1.value(column))))
            }
            Axis::Tuple { parts, record } => {
                let mut rest = code;
                let mut values: Vec<Value> = Vec::with_capacity(parts.len());
                for part in parts.iter().rev() {
                    values.push(part.value(rest % part.size()));
                    rest /= part.size();
                }
                values.reverse();
                match (record, &values[..]) {
                    (false, [left, right]) => Value::Pair(Arc::new((left.clone(), right.clone()))),
                    _ => Value::Record(values.into()),
                }
            }
            Axis::Map(map) => {
                let pair = |(x, y)| (map.domain.value(x), map.range.value(y));
                let pairs = map.pairs(code).map(|codes| Value::Pair(Arc::new(pair(codes))));
                Value::set(pairs.collect())
            }
            Axis::Subset(of) => of.members(code),
        }
    }

    /// A set as bits, one for each code; `None` where a member has none. There are at most 64 codes.
    pub fn bits(&self, set: &Value) -> Option<u64> {
        let mut bits = 0;
        self.each_code(set, |code| bits |= 1 << code).then_some(bits)
    }

    /// The same in several words; `false` where a member has no code.
    pub fn bits_in(&self, set: &Value, words: &mut [u64]) -> bool {
        self.each_code(set, |code| words[(code / 64) as usize] |= 1 << (code % 64))
    }

    /// The codes of the members of a set that is held as a list or as a table; `false` where it is none, or one has none.
    fn each_code(&self, set: &Value, mut f: impl FnMut(u64)) -> bool {
        let mut take = |member| self.code_of(member).map(&mut f).is_some();
        Listed::of(set).is_some_and(|list| list.members().all(&mut take))
    }

    /// The set with the bits in several words.
    pub fn members_in(&self, words: &[u64]) -> Value {
        let codes =
            (0..self.size()).filter(|code| words[(code / 64) as usize] >> (code % 64) & 1 == 1);
        Value::set(codes.map(|code| self.value(code)).collect())
    }

    /// The set with these bits.
    pub fn members(&self, bits: u64) -> Value {
        let codes = (0..self.size()).filter(|code| bits >> code & 1 == 1);
        Value::set(codes.map(|code| self.value(code)).collect())
    }

    /// The code of what is a word, which records are not; pairs are ([`word_of_pair`]), and a string is its code here.
    #[inline(always)]
    pub fn code_of_word(&self, word: u64) -> Option<u64> {
        let (code, size) = match self {
            Axis::Universe(n) => (word, *n),
            Axis::Interval { low, size } => ((word as i64).wrapping_sub(*low) as u64, *size),
            Axis::Texts(texts) => (word, texts.len() as u64),
            Axis::Record(_) | Axis::Couple(_) | Axis::Tuple { .. } => return None,
            // Their words are their codes.
            Axis::Map(_) | Axis::Subset(_) => (word, self.size()),
            Axis::Pair(sides) => {
                let (left, right) = words_of_pair(word);
                let row = sides.0.code_of_word(left)?;
                return Some(row * sides.1.size() + sides.1.code_of_word(right)?);
            }
        };
        (code < size).then_some(code)
    }

    /// The word with this code, and the value of it.
    #[inline(always)]
    pub fn word(&self, code: u64) -> u64 {
        match self {
            Axis::Interval { low, .. } => (*low + code as i64) as u64,
            Axis::Pair(sides) => {
                let (row, column) = (code / sides.1.size(), code % sides.1.size());
                let (left, right) = (sides.0.word(row), sides.1.word(column));
                word_of_pair(left as i64, right as i64).expect("sides of at most 32 bits") as u64
            }
            _ => code,
        }
    }

    pub fn value_of_word(&self, word: u64) -> Value {
        match self {
            Axis::Interval { .. } => Value::Int(word as i64),
            Axis::Texts(_) | Axis::Map(_) | Axis::Subset(_) => self.value(word),
            Axis::Pair(sides) => {
                let (left, right) = words_of_pair(word);
                Value::Pair(Arc::new((sides.0.value_of_word(left), sides.1.value_of_word(right))))
            }
            _ => Value::Word(word),
        }
    }
}

/// The word of a pair of words, where 32 bits hold each of them.
#[inline(always)]
pub fn word_of_pair(left: i64, right: i64) -> Option<i64> {
    let (left, right) = (i32::try_from(left).ok()?, i32::try_from(right).ok()?);
    Some(i64::from(left) << 32 | i64::from(right as u32))
}

/// The words that such a word is of.
#[inline(always)]
fn words_of_pair(word: u64) -> (u64, u64) {
    ((word as i64 >> 32) as u64, i64::from(word as i32) as u64)
}

/// Bits that hold the codes `0..size`.
pub(super) fn bits_for(size: u128) -> u32 {
    (128 - (size.max(1) - 1).leading_zeros()).min(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_coded_row_by_row_and_found_again() {
        let (left, right) = (Axis::Interval { low: -2, size: 3 }, Axis::Universe(4));
        let axis = Axis::pair(left, right).unwrap();
        assert_eq!(axis.size(), 12);
        let mut values = Vec::new();
        for code in 0..12 {
            let value = axis.value(code);
            assert_eq!(axis.code(&value), Some(code));
            assert_eq!(axis.code_of_word(axis.word(code)), Some(code));
            assert_eq!(axis.value_of_word(axis.word(code)), value);
            values.push(value);
        }
        assert!(values.is_sorted(), "sets are listed in the order of the codes");
        for (left, right) in [(1, 0), (-3, 0), (0, 4), (0, -1), (i64::from(i32::MAX), 0)] {
            let word = word_of_pair(left, right).unwrap();
            assert_eq!(axis.code_of_word(word as u64), None, "{left} |-> {right}");
        }
        assert_eq!(word_of_pair(1 << 31, 0), None);
        assert_eq!(word_of_pair(0, -(1 << 31) - 1), None);
    }

    #[test]
    fn pairs_of_many_or_of_large_numbers_have_no_axis() {
        let interval = |low, size| Axis::Interval { low, size };
        assert!(Axis::pair(interval(0, 1 << 8), interval(0, 1 << 8)).is_some());
        assert!(Axis::pair(interval(0, 1 << 9), interval(0, 1 << 8)).is_none());
        assert!(Axis::pair(interval(1 << 31, 2), interval(0, 2)).is_none());
    }
}
