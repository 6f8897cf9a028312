//! Relations and sets with more possible members than a word has bits: bits in a few words. What is made on the
//! way stands in arrays of a fixed size, so that nothing is allocated, and a function that the state holds point by
//! point is read where it stands.
//!
//! There is one form of these, the partial one; the total trees run it and leave a doubt where it stops.

use super::env::Env;
use super::many::{BitsFn, CodeFn, ManyField};
use super::point::Points;
use super::rich::Rich;
use super::stop::{FaultKind, Raised, Stop};
use super::total::TotalWord;
use super::word::{Application, Grid, Word};
use crate::machine::{ConstId, VarId};
use crate::source::Span;
use crate::state::Layout;
use crate::value::Value;
use crate::value::relation::Arrow;
use crate::value::set::low_bits;
use std::sync::Arc;

/// Most words of one set.
pub const MOST_WORDS: u32 = 8;

pub type Wides = Box<(Wide, Wide)>;

/// The bits of a set. The operands of a relation's operators have their grid.
pub enum Wide {
    Constant(Box<[u64]>),
    /// The value of a constant, used at this place.
    Given(ConstId, Span),
    /// A local of the frame.
    Local(u32),
    /// So many words of the state from one on.
    Field(u32, u32),
    /// A function that the state holds point by point.
    Points(Box<Points>, Grid),
    /// What the state holds of a set of numbers, pairs or records.
    Members(Box<ManyField>),
    /// Such a set that is made by code.
    Made(BitsFn),
    /// A relation that fits a word.
    Word(Box<Word>),
    Union(Wides),
    Intersection(Wides),
    Difference(Wides),
    /// `{x, y}`
    Listed(Box<[Word]>),
    /// `a * b`
    Product(Box<(Word, Word)>, Grid),
    /// `s <| r`, or, where that is false, `s <<| r`.
    Rows(Box<(Word, Wide)>, Grid, bool),
    /// `r |> s` and `r |>> s`.
    Columns(Box<(Wide, Word)>, Grid, bool),
    /// `r <+ s`
    Override(Wides, Grid),
    /// `f <+ {x |-> y}`
    Update(Box<(Wide, Word, Word)>, Grid),
    /// `r~`
    Inverse(Box<Wide>, Grid),
    /// A value that is such a set.
    Of(Box<Rich>),
}

/// A word that follows from a wide set.
pub struct Part {
    pub of: Wide,
    grid: Grid,
    words: u32,
    pub what: What,
    /// No state makes the set stop.
    is_there: bool,
}

pub enum What {
    /// All of it: where it fits a word.
    Whole,
    Domain,
    Range,
    /// `r[s]`
    Image(Word),
    /// `r[{x}]`
    Row(Word),
    Card,
    /// The number of the first bit, and of the last one: of sets of numbers.
    First,
    Last,
    /// `f(x)`
    Only(Word, Box<Application>),
}

/// A test of wide sets.
pub struct WideTest {
    pub grid: Grid,
    pub words: u32,
    pub asks: Asks,
}

pub enum Asks {
    Equal(Wide, Wide),
    Subset(Wide, Wide),
    Member(Word, Wide),
    /// Whether what has this code is a member.
    Has(CodeFn, Wide),
    /// `x : dom(r)`
    HasRow(Word, Wide),
    /// `r : a --> b`, any arrow.
    IsArrow(Box<(Wide, Word, Word)>, Arrow),
}

/// A write of a variable that is held as bits in several words, or point by point.
pub struct WideWrite {
    pub of: Wide,
    pub words: u32,
    pub id: VarId,
    pub layout: Arc<Layout>,
    pub held: HeldAs,
}

/// How a state holds what is written.
pub enum HeldAs {
    Bits,
    /// Point by point.
    Points(Box<Points>, Grid),
    /// A set of numbers, pairs or records.
    Members(Box<ManyField>),
}

/// Runs code for sets of so many words.
macro_rules! sized {
    ($words:expr, $size:ident => $code:expr) => {
        match $words {
            1 => {
                const $size: usize = 1;
                $code
            }
            2 => {
                const $size: usize = 2;
                $code
            }
            3 | 4 => {
                const $size: usize = 4;
                $code
            }
            _ => {
                const $size: usize = MOST_WORDS as usize;
                $code
            }
        }
    };
}

#[inline(always)]
fn array<const W: usize>(words: &[u64]) -> [u64; W] {
    let mut array = [0; W];
    array.iter_mut().zip(words).for_each(|(to, from)| *to = *from);
    array
}

#[inline(always)]
fn bits_of<const W: usize>(value: &Value) -> [u64; W] {
    match value {
        Value::Bits(words) => array(words),
        value => array(&[value.word()]),
    }
}

/// The value of bits in so many words.
fn value_of(bits: &[u64], words: u32) -> Value {
    match words {
        1 => Value::Word(bits[0]),
        words => Value::Bits(bits[..words as usize].into()),
    }
}

impl Grid {
    /// The partners of `x`, of a relation in several words.
    #[inline(always)]
    fn row_of<const W: usize>(self, bits: &[u64; W], x: u32) -> u64 {
        let start = x * self.width;
        let (word, shift) = ((start / 64) as usize, start % 64);
        let mut row = bits[word] >> shift;
        if shift + self.width > 64 {
            row |= bits[word + 1] << (64 - shift);
        }
        row & low_bits(self.width)
    }

    /// Adds partners of `x`.
    #[inline(always)]
    fn add<const W: usize>(self, bits: &mut [u64; W], x: u32, row: u64) {
        let start = x * self.width;
        let (word, shift) = ((start / 64) as usize, start % 64);
        bits[word] |= row << shift;
        if shift + self.width > 64 {
            bits[word + 1] |= row >> (64 - shift);
        }
    }

    /// Takes all partners of `x` away.
    #[inline(always)]
    fn clear<const W: usize>(self, bits: &mut [u64; W], x: u32) {
        let mut row = [0; W];
        self.add(&mut row, x, low_bits(self.width));
        bits.iter_mut().zip(row).for_each(|(bits, row)| *bits &= !row);
    }

    fn turned(self) -> Grid {
        Grid { rows: self.width, width: self.rows }
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (bits != 0).then(|| {
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            bit
        })
    })
}

#[inline(always)]
fn of_two<const W: usize>(
    both: &(Wide, Wide),
    env: &mut Env,
    f: impl Fn(u64, u64) -> u64,
) -> Result<[u64; W], Raised> {
    let mut bits = both.0.get::<W>(env)?;
    let others = both.1.get::<W>(env)?;
    bits.iter_mut().zip(others).for_each(|(a, b)| *a = f(*a, b));
    Ok(bits)
}

/// The bits that are in a mask, or, where that is false, out of it.
#[inline(always)]
fn masked<const W: usize>(mut bits: [u64; W], mask: [u64; W], inside: bool) -> [u64; W] {
    let flip = if inside { 0 } else { u64::MAX };
    bits.iter_mut().zip(mask).for_each(|(bits, mask)| *bits &= mask ^ flip);
    bits
}

impl Wide {
    /// The function that this is in the state that is read, where that holds it.
    #[inline(always)]
    fn held(&self, env: &Env) -> Option<&Points> {
        match self {
            Wide::Points(points, _) if !points.is_outside(&env.state) => Some(points),
            _ => None,
        }
    }

    fn get<const W: usize>(&self, env: &mut Env) -> Result<[u64; W], Raised> {
        Ok(match self {
            Wide::Constant(words) => array(words),
            Wide::Given(id, span) => match &env.constants[id.0 as usize] {
                Some(value) => bits_of(value),
                None => return Err(env.fault(FaultKind::ConstantNotSolved, *span, []).into()),
            },
            Wide::Local(i) => bits_of(&env.values[*i as usize]),
            Wide::Field(at, words) => array(&env.state[*at as usize..(*at + *words) as usize]),
            Wide::Points(points, grid) => matrix(points, *grid, env),
            Wide::Members(field) => field.get(&env.state).ok_or(Stop::Overflow)?,
            Wide::Made(make) => {
                let mut bits = [0; W];
                make(env, &mut bits)?;
                bits
            }
            Wide::Word(word) => array(&[word.get(env)?]),
            Wide::Union(both) => return of_two(both, env, |a, b| a | b),
            Wide::Intersection(both) => return of_two(both, env, |a, b| a & b),
            Wide::Difference(both) => return of_two(both, env, |a, b| a & !b),
            Wide::Listed(items) => {
                let mut bits = [0; W];
                for item in items {
                    let x = item.get(env)?;
                    bits[(x / 64) as usize] |= 1 << (x % 64);
                }
                bits
            }
            Wide::Product(sides, grid) => {
                let rows = sides.0.get(env)?;
                let row = sides.1.get(env)?;
                let mut bits = [0; W];
                ones(rows).for_each(|x| grid.add(&mut bits, x, row));
                bits
            }
            Wide::Rows(of, grid, inside) => {
                let set = of.0.get(env)?;
                let bits = of.1.get::<W>(env)?;
                let mut mask = [0; W];
                ones(set).for_each(|x| grid.add(&mut mask, x, low_bits(grid.width)));
                masked(bits, mask, *inside)
            }
            Wide::Columns(of, grid, inside) => {
                let bits = of.0.get::<W>(env)?;
                let set = of.1.get(env)?;
                let mut mask = [0; W];
                (0..grid.rows).for_each(|x| grid.add(&mut mask, x, set));
                masked(bits, mask, *inside)
            }
            Wide::Override(both, grid) => {
                let mut bits = both.0.get::<W>(env)?;
                let others = both.1.get::<W>(env)?;
                for x in 0..grid.rows {
                    let row = grid.row_of(&others, x);
                    if row != 0 {
                        grid.clear(&mut bits, x);
                        grid.add(&mut bits, x, row);
                    }
                }
                bits
            }
            Wide::Update(of, grid) => {
                let mut bits = of.0.get::<W>(env)?;
                let x = of.1.get(env)? as u32;
                let y = of.2.get(env)?;
                grid.clear(&mut bits, x);
                grid.add(&mut bits, x, 1 << y);
                bits
            }
            Wide::Inverse(of, grid) => {
                let bits = of.get::<W>(env)?;
                let turned = grid.turned();
                let mut inverse = [0; W];
                for x in 0..grid.rows {
                    ones(grid.row_of(&bits, x)).for_each(|y| turned.add(&mut inverse, y, 1 << x));
                }
                inverse
            }
            Wide::Of(of) => bits_of(&of.get(env)?),
        })
    }

    /// The set as a value.
    ///
    /// # Errors
    /// Something in it has none.
    pub fn value(&self, words: u32, env: &mut Env) -> Result<Value, Stop> {
        Ok(sized!(words, W => value_of(&self.get::<W>(env)?, words)))
    }

    fn domain<const W: usize>(&self, grid: Grid, env: &mut Env) -> Result<u64, Raised> {
        if let Some(points) = self.held(env) {
            let mut domain = 0;
            points.each_code(&env.state, |code, x| domain |= u64::from(code != 0) << x);
            return Ok(domain);
        }
        if let Wide::Inverse(of, grid) = self {
            return of.range::<W>(*grid, env);
        }
        let bits = self.get::<W>(env)?;
        let row = |x| (grid.row_of(&bits, x) != 0) as u64;
        Ok((0..grid.rows).fold(0, |domain, x| domain | row(x) << x))
    }

    fn range<const W: usize>(&self, grid: Grid, env: &mut Env) -> Result<u64, Raised> {
        if let Some(points) = self.held(env) {
            return Ok(points.image(u64::MAX, &env.state));
        }
        if let Wide::Inverse(of, grid) = self {
            return of.domain::<W>(*grid, env);
        }
        let bits = self.get::<W>(env)?;
        Ok((0..grid.rows).fold(0, |range, x| range | grid.row_of(&bits, x)))
    }

    /// The partners of the members of a set.
    fn image<const W: usize>(
        &self,
        set: &impl Fn(&mut Env) -> Result<u64, Raised>,
        grid: Grid,
        env: &mut Env,
    ) -> Result<u64, Raised> {
        if let Some(points) = self.held(env) {
            let set = set(env)?;
            return Ok(points.image(set, &env.state));
        }
        if let Wide::Inverse(of, grid) = self {
            return of.sources::<W>(set, *grid, env);
        }
        let bits = self.get::<W>(env)?;
        Ok(ones(set(env)?).fold(0, |image, x| image | grid.row_of(&bits, x)))
    }

    /// Those that have a partner in a set.
    fn sources<const W: usize>(
        &self,
        set: &impl Fn(&mut Env) -> Result<u64, Raised>,
        grid: Grid,
        env: &mut Env,
    ) -> Result<u64, Raised> {
        if let Some(points) = self.held(env) {
            let set = set(env)?;
            return Ok(points.sources(set, &env.state));
        }
        let bits = self.get::<W>(env)?;
        let set = set(env)?;
        let meets = |x| (grid.row_of(&bits, x) & set != 0) as u64;
        Ok((0..grid.rows).fold(0, |sources, x| sources | meets(x) << x))
    }

    /// The partners of one.
    fn row<const W: usize>(&self, x: u64, grid: Grid, env: &mut Env) -> Result<u64, Raised> {
        if let Some(points) = self.held(env) {
            let code = points.bits(x).get(&env.state);
            return Ok(code.checked_sub(1).map_or(0, |y| 1 << y));
        }
        if let Wide::Inverse(of, grid) = self {
            return of.sources::<W>(&|_| Ok(1 << x), *grid, env);
        }
        Ok(grid.row_of(&self.get::<W>(env)?, x as u32))
    }

    /// Whether no state makes it stop.
    fn is_certain(&self) -> bool {
        let word = |word: &Word| TotalWord::of(word).is_certain();
        match self {
            Wide::Constant(_) | Wide::Local(_) | Wide::Field(..) | Wide::Points(..) => true,
            Wide::Given(..) | Wide::Of(_) | Wide::Members(_) | Wide::Made(_) => false,
            Wide::Word(x) => word(x),
            Wide::Union(both)
            | Wide::Intersection(both)
            | Wide::Difference(both)
            | Wide::Override(both, _) => both.0.is_certain() && both.1.is_certain(),
            Wide::Listed(items) => items.iter().all(word),
            Wide::Product(sides, _) => word(&sides.0) && word(&sides.1),
            Wide::Rows(of, ..) => word(&of.0) && of.1.is_certain(),
            Wide::Columns(of, ..) => of.0.is_certain() && word(&of.1),
            Wide::Update(of, _) => of.0.is_certain() && word(&of.1) && word(&of.2),
            Wide::Inverse(of, _) => of.is_certain(),
        }
    }
}

/// The bits of a function that the state holds point by point.
fn matrix<const W: usize>(points: &Points, grid: Grid, env: &mut Env) -> [u64; W] {
    if points.is_outside(&env.state) {
        return bits_of(&points.layout.read(points.id, &env.state, &mut env.interner));
    }
    let mut bits = [0; W];
    points.each_code(&env.state, |code, x| {
        if code != 0 {
            let at = u64::from(x * grid.width) + code - 1;
            bits[(at / 64) as usize] |= 1 << (at % 64);
        }
    });
    bits
}

impl Part {
    /// `words`: those that the set takes.
    pub fn new(of: Wide, (grid, words): (Grid, u32), what: What) -> Part {
        Part { is_there: of.is_certain(), of, grid, words, what }
    }

    #[inline]
    pub fn get(&self, env: &mut Env) -> Result<u64, Raised> {
        sized!(self.words, W => self.at::<W>(env))
    }

    fn at<const W: usize>(&self, env: &mut Env) -> Result<u64, Raised> {
        let Part { of, grid, what, .. } = self;
        match what {
            What::Whole => Ok(of.get::<W>(env)?[0]),
            What::Domain => of.domain::<W>(*grid, env),
            What::Range => of.range::<W>(*grid, env),
            What::Image(set) => of.image::<W>(&|env| set.get(env), *grid, env),
            What::Row(x) => {
                // What the relation lacks is told before what `x` does.
                if !self.is_there {
                    let bits = of.get::<W>(env)?;
                    return Ok(grid.row_of(&bits, x.get(env)? as u32));
                }
                let x = x.get(env)?;
                of.row::<W>(x, *grid, env)
            }
            What::Card => Ok(of.get::<W>(env)?.iter().map(|w| u64::from(w.count_ones())).sum()),
            What::First => {
                let bits = of.get::<W>(env)?;
                let word = bits.iter().position(|word| *word != 0).ok_or(Stop::Overflow)?;
                Ok(64 * word as u64 + u64::from(bits[word].trailing_zeros()))
            }
            What::Last => {
                let bits = of.get::<W>(env)?;
                let word = bits.iter().rposition(|word| *word != 0).ok_or(Stop::Overflow)?;
                Ok(64 * word as u64 + u64::from(bits[word].ilog2()))
            }
            What::Only(x, application) => {
                let bits = of.get::<W>(env)?;
                let x = x.get(env)?;
                let row = grid.row_of(&bits, x as u32);
                if !row.is_power_of_two() {
                    return Err(self.fault(&bits, (x, row), application, env));
                }
                Ok(u64::from(row.trailing_zeros()))
            }
        }
    }

    #[cold]
    fn fault(
        &self,
        bits: &[u64],
        (x, row): (u64, u64),
        application: &Application,
        env: &mut Env,
    ) -> Raised {
        let kind = match row {
            0 => FaultKind::OutsideDomain,
            _ => FaultKind::NotFunctional,
        };
        let Application { span, function, argument, .. } = application;
        let operands = [(function, value_of(bits, self.words)), (argument, Value::Word(x))];
        env.fault(kind, *span, operands).into()
    }

    pub fn is_certain(&self) -> bool {
        let set = match &self.what {
            What::Whole | What::Domain | What::Range | What::Card => true,
            What::First | What::Last => false,
            What::Image(set) | What::Row(set) => TotalWord::of(set).is_certain(),
            What::Only(..) => false,
        };
        set && self.is_there
    }
}

impl WideTest {
    #[inline]
    pub fn holds(&self, env: &mut Env) -> Result<bool, Stop> {
        Ok(sized!(self.words, W => self.at::<W>(env))?)
    }

    fn at<const W: usize>(&self, env: &mut Env) -> Result<bool, Raised> {
        let grid = self.grid;
        Ok(match &self.asks {
            Asks::Equal(a, b) => {
                let bits = a.get::<W>(env)?;
                bits == b.get::<W>(env)?
            }
            Asks::Subset(a, b) => {
                let bits = a.get::<W>(env)?;
                let all = b.get::<W>(env)?;
                bits.iter().zip(all).all(|(bits, all)| bits & !all == 0)
            }
            Asks::Member(x, set) => {
                let x = x.get(env)?;
                if let (Some(points), Wide::Points(_, grid)) = (set.held(env), set) {
                    let width = u64::from(grid.width);
                    return Ok(points.bits(x / width).get(&env.state) == x % width + 1);
                }
                let bits = set.get::<W>(env)?;
                bits[(x / 64) as usize] >> (x % 64) & 1 == 1
            }
            Asks::Has(code, set) => {
                let code = code(env)?;
                let bits = set.get::<W>(env)?;
                code.is_some_and(|code| bits[(code / 64) as usize] >> (code % 64) & 1 == 1)
            }
            Asks::HasRow(x, r) => {
                let x = x.get(env)?;
                r.row::<W>(x, grid, env)? != 0
            }
            Asks::IsArrow(parts, arrow) => {
                let bits = parts.0.get::<W>(env)?;
                let (a, b) = (parts.1.get(env)?, parts.2.get(env)?);
                let rows = (0..grid.rows).map(|x| grid.row_of(&bits, x));
                arrow.is_made_of(rows, a, b)
            }
        })
    }

    pub fn is_certain(&self) -> bool {
        let word = |word: &Word| TotalWord::of(word).is_certain();
        match &self.asks {
            Asks::Equal(a, b) | Asks::Subset(a, b) => a.is_certain() && b.is_certain(),
            Asks::Member(x, set) | Asks::HasRow(x, set) => word(x) && set.is_certain(),
            Asks::Has(..) => false,
            Asks::IsArrow(parts, _) => parts.0.is_certain() && word(&parts.1) && word(&parts.2),
        }
    }
}

impl WideWrite {
    /// Writes into `next` what follows from the state that the frame reads.
    ///
    /// # Errors
    /// It has no value.
    pub fn write(&self, next: &mut [u64], env: &mut Env) -> Result<(), Stop> {
        sized!(self.words, W => {
            let bits = self.of.get::<W>(env)?;
            self.store(&bits, next, env);
        });
        Ok(())
    }

    fn store<const W: usize>(&self, bits: &[u64; W], next: &mut [u64], env: &mut Env) {
        match &self.held {
            HeldAs::Members(field) => field.put(next, bits, env),
            HeldAs::Bits => {
                let at = self.layout.field(self.id).at.word;
                next[at..at + self.words as usize].copy_from_slice(&bits[..self.words as usize]);
            }
            HeldAs::Points(points, grid) => {
                let rows = (0..grid.rows).map(|x| grid.row_of(bits, x));
                // No partner has the number 0, the first one 1.
                let code = |row: u64| u64::from(64 - row.leading_zeros());
                let several = |row: u64| row & row.wrapping_sub(1);
                if points.is_outside(next)
                    || rows.clone().fold(0, |more, row| more | several(row)) != 0
                {
                    let value = value_of(bits, self.words);
                    return self.layout.write(self.id, next, &value, &mut env.interner);
                }
                match points.width_in_one_word() {
                    Some(width) => {
                        let codes =
                            rows.zip(0..).fold(0, |all, (row, x)| all | code(row) << (x * width));
                        points.set_all_in_one_word(next, codes);
                    }
                    None => {
                        for (row, x) in rows.zip(0..) {
                            points.bits(x).put(next, code(row));
                        }
                    }
                }
            }
        }
    }
}
