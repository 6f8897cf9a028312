//! The layout of a packed state: a few words, the same number for every state of a machine.
//!
//! A state is the values of the constants (one interned tuple for all of them) and of the variables.
//! Each variable has a field whose coding follows from its shape and from what the invariant
//! expects of it ([`super::expect`]). A coding that cannot hold every value of the type keeps a spare
//! code for "outside"; the values that are outside stand, in the order of the variables, in one
//! interned tuple of the state. So a state that breaks its typing invariant is stored, compared and
//! printed exactly.
//!
//! A relation could be held as bits or, where the invariant says that it is a function, as one
//! narrow number for each argument. Bits need no unpacking, numbers are smaller: numbers are taken
//! where they make the state at least one word shorter.

use super::axis::{Axis, MOST_MEMBERS, Texts, code_of_pairs};
use super::expect::{self, Expected};
use super::placing::{Allocator, place};
use super::spoken::{self, Spoken};
use super::{Instance, Interner};
use crate::machine::VarId;
use crate::value::set::low_bits;
use crate::value::{Shape, Value};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Where a field begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub word: usize,
    pub shift: u32,
}

/// How a field's bits are read.
#[derive(Clone, PartialEq, Debug)]
pub enum Coding {
    /// A member of a finite universe, as it is: every value fits.
    Word { bits: u32 },
    /// A subset of a larger universe, over whole words: every value fits.
    Bits { words: usize },
    /// An integer as `value - low`; the greatest code means outside.
    Integer { low: i64, bits: u32 },
    /// A string by its place in a list; the greatest code means outside.
    Text { texts: Texts, bits: u32 },
    /// A set of what has a code on an axis, as bits of one word, or of several from their first bit on; a further
    /// bit means outside.
    Members { axis: Axis, outside: Position },
    /// A function: one bit that means outside, alone in the first position, then for each argument a
    /// number of `width` bits, 0 for undefined, else 1 + the result's code. `per_word` numbers stand
    /// in a word, beginning with `first`.
    Function { domain: Axis, range: Axis, width: u32, first: Position, per_word: u32 },
    /// A record as the codes of its fields, side by side; a further bit, with all others, means outside.
    Record { axis: Axis, bits: u32 },
    /// The number of the value in the interning table.
    Interned,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    pub at: Position,
    pub coding: Coding,
    pub shape: Shape,
}

/// The layout of all states of one instance.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Words in a state, at least 1.
    pub words: usize,
    /// Interned tuple of the constants, where there are any.
    pub constants: Option<Position>,
    /// Interned tuple of the values outside their coding, where a coding can be left.
    pub outside: Option<Position>,
    pub fields: Vec<Field>,
    constant_shapes: Arc<[Shape]>,
    /// For whoever remembers results by what they read of a state.
    pub remembered: Numbers,
}

/// Numbers that are given once, to all who share them.
#[derive(Clone, Default, Debug)]
pub struct Numbers(Arc<AtomicUsize>);

impl Numbers {
    pub fn next(&self) -> usize {
        self.0.fetch_add(1, Relaxed)
    }
}

/// Most words of the bits of a set of numbers, pairs or records.
const MOST_WORDS: usize = MOST_MEMBERS.div_ceil(64) as usize;

/// The bits of a field that is read as a list.
type Bits = SmallVec<[u64; MOST_WORDS]>;

/// Bits of an interned number.
pub(super) const NUMBER: u32 = 32;

impl Layout {
    pub fn new(instance: &Instance) -> Layout {
        let variables = (0..instance.machine.variables.len() as u32).map(VarId);
        let expected: Vec<Expected> =
            variables.map(|id| expect::of_variable(instance, id)).collect();
        let spoken = Spoken::of(instance, &expected);
        let bits = Layout::with(instance, &expected, &spoken, false);
        let numbers = Layout::with(instance, &expected, &spoken, true);
        if numbers.words < bits.words { numbers } else { bits }
    }

    /// A layout that holds functions over finite universes as numbers, or as bits.
    fn with(instance: &Instance, expected: &[Expected], spoken: &Spoken, numbers: bool) -> Layout {
        let machine = &instance.machine;
        let mut alloc = Allocator::default();
        let constants = (!machine.constants.is_empty()).then(|| alloc.take(NUMBER));
        let mut fields = Vec::with_capacity(machine.variables.len());
        let any = spoken.bits_of_any(spoken::numbers_of_any(instance, expected));
        for (variable, expected) in machine.variables.iter().zip(expected) {
            let shape = instance.shape(&variable.ty);
            let (at, coding) = place(&mut alloc, &shape, expected, (numbers, any, spoken));
            fields.push(Field { at, coding, shape });
        }
        let outside = fields.iter().any(|f| f.coding.can_be_left()).then(|| alloc.take(NUMBER));
        let constant_shapes = machine.constants.iter().map(|c| instance.shape(&c.ty)).collect();
        Layout {
            words: alloc.words(),
            constants,
            outside,
            fields,
            constant_shapes,
            remembered: Numbers::default(),
        }
    }

    pub fn field(&self, variable: VarId) -> &Field {
        &self.fields[variable.0 as usize]
    }

    pub fn constant_shapes(&self) -> &[Shape] {
        &self.constant_shapes
    }

    /// A state whose every bit is 0.
    pub fn blank(&self) -> Vec<u64> {
        vec![0; self.words]
    }

    /// The constants of a state, in the order of their declaration.
    pub fn read_constants(&self, state: &[u64], interner: &mut Interner) -> Arc<[Value]> {
        match self.constants {
            None => Arc::from([]),
            Some(at) => match interner.value(get(state, at, NUMBER) as u32) {
                Value::Record(values) => values,
                _ => Arc::from([]),
            },
        }
    }

    /// The number that stands for the constants: equal numbers, equal constants.
    pub fn constants_number(&self, state: &[u64]) -> u32 {
        self.constants.map_or(0, |at| get(state, at, NUMBER) as u32)
    }

    pub fn write_constants(
        &self,
        state: &mut [u64],
        values: Arc<[Value]>,
        interner: &mut Interner,
    ) {
        if let Some(at) = self.constants {
            let number = interner.number(&Value::Record(values));
            put(state, at, NUMBER, number as u64);
        }
    }

    pub fn read(&self, variable: VarId, state: &[u64], interner: &mut Interner) -> Value {
        let field = self.field(variable);
        let list = field.bits_of_list(state);
        let made = list.as_ref().and_then(|bits| interner.made.get(variable.0, bits));
        if let Some(value) = made {
            return value;
        }
        match (field.read(state, interner), list) {
            (Some(value), Some(bits)) => {
                interner.made.keep(variable.0, &bits, &value);
                value
            }
            (Some(value), None) => value,
            (None, _) => self.read_outside(variable, state, interner),
        }
    }

    pub fn write(
        &self,
        variable: VarId,
        state: &mut [u64],
        value: &Value,
        interner: &mut Interner,
    ) {
        let field = self.field(variable);
        if !field.coding.can_be_left() {
            field.write(state, value, interner);
            return;
        }
        let was_outside = field.is_outside(state);
        if field.write(state, value, interner) {
            if was_outside {
                self.set_outside(variable, state, None, interner);
            }
        } else {
            field.mark_outside(state);
            self.set_outside(variable, state, Some((was_outside, value)), interner);
        }
    }

    /// All variables, in the order of their declaration.
    pub fn read_all(&self, state: &[u64], interner: &mut Interner) -> Vec<Value> {
        (0..self.fields.len()).map(|i| self.read(VarId(i as u32), state, interner)).collect()
    }

    /// Packs constants and variables into a state.
    pub fn pack(
        &self,
        constants: Arc<[Value]>,
        variables: &[Value],
        interner: &mut Interner,
    ) -> Vec<u64> {
        let mut state = self.blank();
        self.write_constants(&mut state, constants, interner);
        for (i, value) in variables.iter().enumerate() {
            self.write(VarId(i as u32), &mut state, value, interner);
        }
        state
    }

    fn outside_values(&self, state: &[u64], interner: &mut Interner) -> Vec<Value> {
        let Some(at) = self.outside else { return Vec::new() };
        match get(state, at, NUMBER) as u32 {
            0 => Vec::new(),
            n => match interner.value(n - 1) {
                Value::Record(values) => values.to_vec(),
                _ => Vec::new(),
            },
        }
    }

    /// How many variables before this one are outside: its place in the tuple.
    fn rank(&self, variable: VarId, state: &[u64]) -> usize {
        self.fields[..variable.0 as usize].iter().filter(|f| f.is_outside(state)).count()
    }

    fn read_outside(&self, variable: VarId, state: &[u64], interner: &mut Interner) -> Value {
        let rank = self.rank(variable, state);
        self.outside_values(state, interner).swap_remove(rank)
    }

    /// Replaces, inserts or (`None`) removes the outside value of a variable whose field has been
    /// rewritten already. The flag says whether the tuple held a value of it before.
    fn set_outside(
        &self,
        variable: VarId,
        state: &mut [u64],
        value: Option<(bool, &Value)>,
        interner: &mut Interner,
    ) {
        let Some(at) = self.outside else { return };
        let rank = self.rank(variable, state);
        let mut values = self.outside_values(state, interner);
        match value {
            None => {
                values.remove(rank);
            }
            Some((true, v)) => values[rank] = v.clone(),
            Some((false, v)) => values.insert(rank, v.clone()),
        }
        let number = if values.is_empty() {
            0
        } else {
            interner.number(&Value::Record(values.into())) as u64 + 1
        };
        put(state, at, NUMBER, number);
    }
}

/// Reads `bits` bits at a position.
#[inline]
pub fn get(state: &[u64], at: Position, bits: u32) -> u64 {
    state[at.word] >> at.shift & low_bits(bits)
}

/// Writes `bits` bits at a position.
#[inline]
pub fn put(state: &mut [u64], at: Position, bits: u32, value: u64) {
    let mask = low_bits(bits) << at.shift;
    state[at.word] = state[at.word] & !mask | value << at.shift & mask;
}

impl Coding {
    /// Whether there are values of the type that this coding cannot hold.
    pub fn can_be_left(&self) -> bool {
        !matches!(self, Coding::Word { .. } | Coding::Bits { .. } | Coding::Interned)
    }
}

impl Field {
    /// The field's value, or `None` when it is outside.
    fn read(&self, state: &[u64], interner: &mut Interner) -> Option<Value> {
        Some(match &self.coding {
            Coding::Word { bits } => Value::Word(get(state, self.at, *bits)),
            Coding::Bits { words } => Value::Bits(state[self.at.word..self.at.word + words].into()),
            Coding::Interned => interner.value(get(state, self.at, NUMBER) as u32),
            _ if self.is_outside(state) => return None,
            Coding::Integer { low, bits } => Value::Int(low + get(state, self.at, *bits) as i64),
            Coding::Text { texts, bits } => {
                Value::String(texts[get(state, self.at, *bits) as usize].clone())
            }
            Coding::Record { axis, bits } => axis.value(get(state, self.at, *bits)),
            Coding::Members { axis, .. } if axis.size() > 64 => {
                axis.members_in(&self.member_words(state, axis))
            }
            Coding::Members { axis, .. } => axis.members(get(state, self.at, axis.size() as u32)),
            Coding::Function {
                domain: Axis::Universe(rows), range: Axis::Universe(width), ..
            } if !matches!(self.shape, Shape::Set(_)) => self.read_matrix(state, *rows, *width),
            Coding::Function { domain, range, .. } => {
                let pairs = self.shape.element();
                self.shape.collect((0..domain.size()).filter_map(|i| {
                    let code = self.result_code(state, i);
                    (code > 0).then(|| pairs.pair(domain.value(i), range.value(code - 1)))
                }))
            }
        })
    }

    /// The number that stands in the field, where it holds one.
    pub fn number(&self, state: &[u64]) -> Option<u32> {
        (self.coding == Coding::Interned).then(|| get(state, self.at, NUMBER) as u32)
    }

    /// Gives the field a number that stays, where a loop has left one in it that passes.
    pub fn settle(&self, state: &mut [u64], interner: &mut Interner) {
        if let Some(number) = self.number(state) {
            put(state, self.at, NUMBER, interner.staying(number).into());
        }
    }

    /// Where the members of a set stand, word by word, and how many bits.
    fn member_places(&self, axis: &Axis) -> impl Iterator<Item = (Position, u32)> {
        let (at, size) = (self.at, axis.size() as u32);
        (0..size.div_ceil(64)).map(move |i| {
            (Position { word: at.word + i as usize, shift: at.shift }, (size - 64 * i).min(64))
        })
    }

    fn member_words(&self, state: &[u64], axis: &Axis) -> SmallVec<[u64; MOST_WORDS]> {
        self.member_places(axis).map(|(at, bits)| get(state, at, bits)).collect()
    }

    fn put_members(&self, state: &mut [u64], axis: &Axis, words: &[u64]) {
        let places = self.member_places(axis).zip(words);
        places.for_each(|((at, bits), word)| put(state, at, bits, *word));
    }

    /// The bits of which a list is made, where they stand in a few words.
    fn bits_of_list(&self, state: &[u64]) -> Option<Bits> {
        let bits = match &self.coding {
            Coding::Members { axis, .. } if axis.size() > 64 => {
                return (!self.is_outside(state)).then(|| self.member_words(state, axis));
            }
            Coding::Record { bits, .. } => get(state, self.at, *bits),
            Coding::Members { axis, .. } => get(state, self.at, axis.size() as u32),
            Coding::Function { domain, width, first, per_word, .. }
                if domain.size() <= u64::from(*per_word) && matches!(self.shape, Shape::Set(_)) =>
            {
                get(state, *first, domain.size() as u32 * width)
            }
            _ => return None,
        };
        (!self.is_outside(state)).then(|| smallvec![bits])
    }

    /// Writes a value; `false`, with the field unchanged, when the coding cannot hold it.
    fn write(&self, state: &mut [u64], value: &Value, interner: &mut Interner) -> bool {
        match (&self.coding, value) {
            (Coding::Word { bits }, Value::Word(w)) => put(state, self.at, *bits, *w),
            (Coding::Bits { words }, Value::Bits(b)) => {
                state[self.at.word..self.at.word + words].copy_from_slice(b);
            }
            (Coding::Interned, _) => {
                let number = interner.number_in_field(value);
                put(state, self.at, NUMBER, number as u64);
            }
            (Coding::Integer { low, bits }, Value::Int(i)) => match i.checked_sub(*low) {
                Some(code) if code >= 0 && (code as u64) < low_bits(*bits) => {
                    put(state, self.at, *bits, code as u64);
                }
                _ => return false,
            },
            (Coding::Text { texts, bits }, Value::String(text)) => {
                match texts.binary_search(text) {
                    Ok(place) => put(state, self.at, *bits, place as u64),
                    Err(_) => return false,
                }
            }
            (Coding::Members { axis, outside }, _) if axis.size() > 64 => {
                let mut words = [0; MOST_WORDS];
                if !axis.bits_in(value, &mut words) {
                    return false;
                }
                self.put_members(state, axis, &words);
                put(state, *outside, 1, 0);
            }
            (Coding::Members { axis, outside }, _) => match axis.bits(value) {
                Some(bits) => {
                    put(state, self.at, axis.size() as u32, bits);
                    put(state, *outside, 1, 0);
                }
                None => return false,
            },
            (Coding::Record { axis, bits }, _) => match axis.code(value) {
                Some(code) => put(state, self.at, *bits, code),
                None => return false,
            },
            (Coding::Function { .. }, _) => return self.write_function(state, value),
            _ => return false,
        }
        true
    }

    /// A function between finite universes that is held as bits elsewhere.
    fn read_matrix(&self, state: &[u64], rows: u64, width: u64) -> Value {
        let mut words: SmallVec<[u64; 4]> = smallvec![0; (rows * width).div_ceil(64) as usize];
        for row in 0..rows {
            let code = self.result_code(state, row);
            if code > 0 {
                let bit = row * width + code - 1;
                words[(bit / 64) as usize] |= 1 << (bit % 64);
            }
        }
        match self.shape {
            Shape::Index(_) => Value::Word(words.first().copied().unwrap_or(0)),
            _ => Value::Bits(Arc::from(&words[..])),
        }
    }

    /// The same the other way round; `false`, with the field unchanged, where it is no function.
    fn write_matrix(&self, state: &mut [u64], words: &[u64], width: u64) -> bool {
        let mut codes: SmallVec<[(u64, u64); 16]> = SmallVec::new();
        for (i, word) in words.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = i as u64 * 64 + rest.trailing_zeros() as u64;
                rest &= rest - 1;
                let (row, column) = (bit / width, bit % width);
                if codes.last().is_some_and(|(last, _)| *last == row) {
                    return false;
                }
                codes.push((row, column + 1));
            }
        }
        self.mark_outside(state);
        put(state, self.at, 1, 0);
        codes.into_iter().for_each(|(row, code)| self.set_result_code(state, row, code));
        true
    }

    fn write_function(&self, state: &mut [u64], value: &Value) -> bool {
        let Coding::Function { domain, range, width, first, per_word } = &self.coding else {
            return false;
        };
        match (value, domain, range) {
            (Value::Symbolic(_), ..) => return false,
            (Value::Word(w), Axis::Universe(_), Axis::Universe(width)) => {
                return self.write_matrix(state, &[*w], *width);
            }
            (Value::Bits(words), Axis::Universe(_), Axis::Universe(width)) => {
                return self.write_matrix(state, words, *width);
            }
            (Value::Set(_) | Value::Table(..), ..) if domain.size() <= u64::from(*per_word) => {
                if let Some(code) = code_of_pairs(domain, range, *width, value) {
                    put(state, self.at, 1, 0);
                    put(state, *first, domain.size() as u32 * width, code);
                    return true;
                }
            }
            _ => {}
        }
        let pairs = self.shape.element();
        let mut codes = vec![0u64; domain.size() as usize];
        for member in self.shape.members(value) {
            let (x, y) = pairs.split(&member);
            match (domain.code(&x), range.code(&y)) {
                (Some(x), Some(y)) if codes[x as usize] == 0 => codes[x as usize] = y + 1,
                _ => return false,
            }
        }
        put(state, self.at, 1, 0);
        for (i, code) in codes.into_iter().enumerate() {
            self.set_result_code(state, i as u64, code);
        }
        true
    }

    /// Whether the field holds no value of its own.
    pub fn is_outside(&self, state: &[u64]) -> bool {
        match &self.coding {
            Coding::Integer { bits, .. }
            | Coding::Text { bits, .. }
            | Coding::Record { bits, .. } => get(state, self.at, *bits) == low_bits(*bits),
            Coding::Members { outside, .. } => get(state, *outside, 1) == 1,
            Coding::Function { .. } => get(state, self.at, 1) == 1,
            _ => false,
        }
    }

    fn mark_outside(&self, state: &mut [u64]) {
        match &self.coding {
            Coding::Integer { bits, .. }
            | Coding::Text { bits, .. }
            | Coding::Record { bits, .. } => {
                put(state, self.at, *bits, low_bits(*bits));
            }
            Coding::Members { axis, outside } => {
                self.put_members(state, axis, &[0; MOST_WORDS]);
                put(state, *outside, 1, 1);
            }
            Coding::Function { domain, .. } => {
                for i in 0..domain.size() {
                    self.set_result_code(state, i, 0);
                }
                put(state, self.at, 1, 1);
            }
            _ => {}
        }
    }

    /// Hands over the words of a state that the field has bits in, each with these bits.
    pub fn bits(&self, see: &mut dyn FnMut(usize, u64)) {
        let mut stretch = |at: Position, bits: u32| see(at.word, low_bits(bits) << at.shift);
        match &self.coding {
            Coding::Word { bits }
            | Coding::Integer { bits, .. }
            | Coding::Text { bits, .. }
            | Coding::Record { bits, .. } => {
                stretch(self.at, *bits);
            }
            Coding::Members { axis, outside } => {
                self.member_places(axis).for_each(|(at, bits)| stretch(at, bits));
                stretch(*outside, 1);
            }
            Coding::Interned => stretch(self.at, NUMBER),
            Coding::Bits { words } => (0..*words).for_each(|i| see(self.at.word + i, u64::MAX)),
            Coding::Function { domain, .. } => {
                stretch(self.at, 1);
                for i in 0..domain.size() {
                    let (at, width) = self.result_position(i);
                    stretch(at, width);
                }
            }
        }
    }

    /// Where the number of an argument's result stands, and its bits: of a function field.
    pub fn result_position(&self, argument: u64) -> (Position, u32) {
        match &self.coding {
            Coding::Function { width, first, per_word, .. } => {
                let (word, place) = (argument / *per_word as u64, argument % *per_word as u64);
                let shift = first.shift + place as u32 * width;
                (Position { word: first.word + word as usize, shift }, *width)
            }
            _ => unreachable!("only functions have results"),
        }
    }

    /// Code of the result for an argument's code, 0 where undefined: of a function field that is not
    /// outside.
    pub fn result_code(&self, state: &[u64], argument: u64) -> u64 {
        let (at, width) = self.result_position(argument);
        get(state, at, width)
    }

    pub fn set_result_code(&self, state: &mut [u64], argument: u64, code: u64) {
        let (at, width) = self.result_position(argument);
        put(state, at, width, code);
    }
}
