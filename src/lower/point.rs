//! Functions that a state holds point by point: one narrow number for each argument.

use super::code::lower;
use super::env::{Env, Operand};
use super::stop::{FaultKind, Raised, Stop};
use super::word::{Bits, Word};
use crate::machine::VarId;
use crate::source::Span;
use crate::state::layout::Field;
use crate::state::{Axis, Coding, Layout};
use crate::value::set::low_bits;
use crate::value::{Shape, Value, relation};
use std::sync::Arc;

/// Where a function field holds its results ([`Coding::Function`]).
#[derive(Clone, Debug)]
pub struct Points {
    pub id: VarId,
    pub layout: Arc<Layout>,
    /// The one bit that means outside.
    outside: Bits,
    pub domain: Axis,
    pub range: Axis,
    first: Bits,
    width: u32,
    per_word: u32,
    /// A one at the beginning of each number of a word.
    ones: u64,
}

impl Points {
    /// `None` where the variable's field is no function field.
    pub fn of(layout: &Arc<Layout>, id: VarId) -> Option<Points> {
        let Field { at, coding, .. } = layout.field(id);
        let Coding::Function { domain, range, width, first, per_word } = coding else {
            return None;
        };
        Some(Points {
            id,
            layout: layout.clone(),
            outside: Bits::new(*at, 1),
            domain: domain.clone(),
            range: range.clone(),
            first: Bits::new(*first, *width),
            width: *width,
            per_word: *per_word,
            ones: low_bits(per_word * width) / low_bits(*width),
        })
    }

    /// The bits of the number for an argument with this code.
    #[inline(always)]
    pub fn bits(&self, argument: u64) -> Bits {
        let argument = argument as u32;
        let (word, place) = match argument < self.per_word {
            true => (0, argument),
            false => (argument / self.per_word, argument % self.per_word),
        };
        let Bits { word: first, shift, mask } = self.first;
        Bits { word: first + word, shift: shift + place * self.width, mask }
    }

    #[inline(always)]
    pub fn is_outside(&self, state: &[u64]) -> bool {
        self.outside.get(state) == 1
    }

    /// The number at an argument, 0 where the function is not defined there; nothing where it stands outside of its
    /// field.
    #[inline(always)]
    pub fn code_at(&self, argument: u64, state: &[u64]) -> Option<u64> {
        if self.is_outside(state) {
            return None;
        }
        Some(self.domain.code_of_word(argument).map_or(0, |i| self.bits(i).get(state)))
    }

    /// Shows the numbers of all arguments in their order, with the places of the arguments.
    #[inline(always)]
    pub fn each_code(&self, state: &[u64], mut show: impl FnMut(u64, u32)) {
        let Bits { word, shift, mask } = self.first;
        let size = self.domain.size() as u32;
        let (mut word, mut x) = (word as usize, 0);
        while x < size {
            let mut bits = state[word] >> shift;
            let end = size.min(x + self.per_word);
            while x < end {
                show(bits & mask, x);
                // Where one number takes the whole word, none comes after it there.
                bits = bits.wrapping_shr(self.width);
                x += 1;
            }
            word += 1;
        }
    }

    /// Gives each argument, by its place, another number.
    #[inline(always)]
    pub(super) fn change(&self, next: &mut [u64], number: impl Fn(u32, u64) -> u64) {
        for x in 0..self.domain.size() as u32 {
            let bits = self.bits(u64::from(x));
            bits.put(next, number(x, bits.get(next)));
        }
    }

    /// Whether no argument is without a result.
    pub fn are_all_defined(&self, state: &[u64]) -> bool {
        let mut all = true;
        self.each_code(state, |code, _| all &= code > 0);
        all
    }

    /// The places of all arguments that have a result, of at most 64.
    #[inline(always)]
    pub fn arguments(&self, state: &[u64]) -> u64 {
        let mut arguments = 0;
        self.each_code(state, |code, x| arguments |= u64::from(code != 0) << x);
        arguments
    }

    /// Whether there is a bit in a word for each number that an argument may have.
    #[inline(always)]
    fn fits_a_word(&self) -> bool {
        self.first.mask < 64
    }

    /// The places of the results of those arguments that are in a set: in a domain and a range of at most 64.
    #[inline(always)]
    pub fn image(&self, set: u64, state: &[u64]) -> u64 {
        // Undefined is bit 0.
        if self.fits_a_word() {
            let mut image = 0;
            self.each_code(state, |code, x| image |= (set >> x & 1) << code);
            return image >> 1;
        }
        let mut image = 0u128;
        self.each_code(state, |code, x| image |= u128::from(set >> x & 1) << code);
        (image >> 1) as u64
    }

    /// The places of the arguments whose results are in a set, under the same condition.
    #[inline(always)]
    pub fn sources(&self, set: u64, state: &[u64]) -> u64 {
        if set.is_power_of_two() {
            return self.sources_of(u64::from(set.trailing_zeros()) + 1, state);
        }
        let mut sources = 0;
        if self.fits_a_word() {
            let set = set << 1;
            self.each_code(state, |code, x| sources |= (set >> code & 1) << x);
            return sources;
        }
        let set = u128::from(set) << 1;
        self.each_code(state, |code, x| sources |= ((set >> code) as u64 & 1) << x);
        sources
    }

    /// The places of the arguments that have this number, which is not 0: all numbers of a word are compared with it
    /// at a time.
    fn sources_of(&self, number: u64, state: &[u64]) -> u64 {
        let Bits { word, shift, mask } = self.first;
        if number > mask {
            return 0;
        }
        let size = self.domain.size() as u32;
        let (mut word, mut x, mut sources) = (word as usize, 0, 0);
        while x < size {
            let bits = state[word] >> shift;
            let differs = bits ^ self.ones.wrapping_mul(number);
            // Into the first bit of each number whether any of its bits differs.
            let any = (1..self.width).fold(differs, |any, i| any | differs >> i);
            let here = (size - x).min(self.per_word) * self.width;
            let mut equal = self.ones & !any & low_bits(here);
            while equal != 0 {
                sources |= 1 << (x + equal.trailing_zeros() / self.width);
                equal &= equal - 1;
            }
            x += self.per_word;
            word += 1;
        }
        sources
    }

    /// What the function gives for a value, where it is held here and defined there.
    pub fn result(&self, state: &[u64], x: &Value) -> Option<Value> {
        let i = self.domain.code(x).filter(|_| !self.is_outside(state))?;
        match self.bits(i).get(state) {
            0 => None,
            code => Some(self.range.value(code - 1)),
        }
    }

    /// The width of a number, where all of them stand in one word.
    pub fn width_in_one_word(&self) -> Option<u32> {
        (self.domain.size() <= u64::from(self.per_word)).then_some(self.width)
    }

    /// All numbers, side by side: where they stand in one word.
    #[inline(always)]
    pub fn all_in_one_word(&self, state: &[u64]) -> u64 {
        let bits = self.domain.size() as u32 * self.width;
        Bits { mask: low_bits(bits), ..self.first }.get(state)
    }

    /// Writes all numbers, side by side: where they stand in one word.
    #[inline(always)]
    pub(super) fn set_all_in_one_word(&self, state: &mut [u64], codes: u64) {
        let bits = self.domain.size() as u32 * self.width;
        Bits { mask: low_bits(bits), ..self.first }.put(state, codes);
    }

    /// Whether the word of an argument is its place.
    #[inline(always)]
    pub fn begin_at_zero(&self) -> bool {
        matches!(self.domain, Axis::Universe(_) | Axis::Interval { low: 0, .. })
    }

    pub fn shape(&self) -> &Shape {
        &self.layout.field(self.id).shape
    }
}

/// A function at one point.
#[derive(Clone)]
pub struct Point {
    pub points: Points,
    pub argument: Word,
    pub span: Span,
    pub function: Operand,
    pub operand: Operand,
}

impl Point {
    /// `f(x)`
    pub fn get(&self, env: &mut Env) -> Result<u64, Raised> {
        let Point { points, argument, .. } = self;
        let x = argument.get(env)?;
        match points.code_at(x, &env.state) {
            None => self.apply_outside(env, x),
            Some(0) => Err(self.undefined(env, x)),
            Some(code) => Ok(points.range.word(code - 1)),
        }
    }

    /// `x : dom(f)`
    pub fn exists(&self, env: &mut Env) -> Result<bool, Stop> {
        let Point { points, argument, .. } = self;
        let x = argument.get(env)?;
        match points.code_at(x, &env.state) {
            None => Ok(self.exists_outside(env, x)),
            Some(code) => Ok(code > 0),
        }
    }

    /// The same where the function stands outside of its field.
    #[cold]
    pub(super) fn exists_outside(&self, env: &mut Env, x: u64) -> bool {
        !matches!(self.look_up(env, x).1, Err(relation::ApplyError::OutsideDomain))
    }

    #[cold]
    fn undefined(&self, env: &mut Env, x: u64) -> Raised {
        let Points { id, layout, domain, .. } = &self.points;
        let f = match env.explain {
            true => layout.read(*id, &env.state, &mut env.interner),
            false => Value::FALSE,
        };
        let operands = [(&self.function, f), (&self.operand, domain.value_of_word(x))];
        env.fault(FaultKind::OutsideDomain, self.span, operands).into()
    }

    /// The function as a value, and what it gives.
    #[cold]
    fn look_up(&self, env: &mut Env, x: u64) -> (Value, Result<Value, relation::ApplyError>) {
        let Points { id, layout, domain, .. } = &self.points;
        let f = layout.read(*id, &env.state, &mut env.interner);
        let result = relation::apply(self.points.shape(), &f, &domain.value_of_word(x));
        (f, result)
    }

    #[cold]
    pub(super) fn apply_outside(&self, env: &mut Env, x: u64) -> Result<u64, Raised> {
        Ok(lower(&self.value_at(env, x)?)?)
    }

    /// What it gives, as a value.
    #[cold]
    pub(super) fn value(&self, env: &mut Env) -> Result<Value, Raised> {
        let x = self.argument.get(env)?;
        self.value_at(env, x)
    }

    fn value_at(&self, env: &mut Env, x: u64) -> Result<Value, Raised> {
        let (f, result) = self.look_up(env, x);
        let kind = match result {
            Ok(value) => return Ok(value),
            Err(why) => why.into(),
        };
        let operands = [(&self.function, f), (&self.operand, self.points.domain.value_of_word(x))];
        Err(env.fault(kind, self.span, operands).into())
    }
}

/// `f(x) := y` in a function field.
#[derive(Clone)]
pub struct PointWrite {
    pub points: Points,
    pub argument: Word,
    pub result: Word,
}

impl PointWrite {
    pub fn run(&self, env: &mut Env) -> Result<(), Stop> {
        let PointWrite { points, argument, result } = self;
        let (x, y) = (argument.get(env)?, result.get(env)?);
        if let (Some(i), Some(code)) = (points.domain.code_of_word(x), points.range.code_of_word(y))
            && !points.is_outside(&env.state)
            && !points.is_outside(&env.next)
        {
            points.bits(i).put(&mut env.next, code + 1);
            return Ok(());
        }
        let mut next = std::mem::take(&mut env.next);
        self.write_outside(&mut next, env, x, y);
        env.next = next;
        Ok(())
    }

    /// The function, or the new result, is not one that the field can hold.
    #[cold]
    pub(super) fn write_outside(&self, next: &mut [u64], env: &mut Env, x: u64, y: u64) {
        let Points { id, layout, domain, range, .. } = &self.points;
        let (shape, (x, y)) =
            (self.points.shape(), (domain.value_of_word(x), range.value_of_word(y)));
        let f = layout.read(*id, &env.state, &mut env.interner);
        let f = relation::with_result(shape, &f, x, y);
        layout.write(*id, next, &f, &mut env.interner);
    }
}
