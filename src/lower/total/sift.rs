//! Tests of all candidates for a local at once: `p : P & place(p) = idle` asks one question of a function, and
//! not one for each `p`.
//!
//! Where all of a small set are candidates, the function's values stand side by side in one word, and are compared
//! by a few operations on that word: fields that are zero are found by carries within each (Knuth, volume
//! 4A, section 7.1.3).

use super::super::env::Env;
use super::super::{Bits, Grid, Points, Relation, Test, Word};
use super::TotalWord;
use crate::state::Axis;
use crate::value::set::low_bits;

/// A test of which the candidates that pass are found at once.
pub enum Sift {
    /// Candidates at which a relation in a word gives a word, or, where that is false, another one.
    Rows {
        function: TotalWord,
        wanted: TotalWord,
        grid: Grid,
        comb: Box<Comb>,
        equal: bool,
    },
    /// The same of a function that the state holds point by point.
    Points {
        points: Box<Points>,
        wanted: TotalWord,
        comb: Option<Box<Comb>>,
        equal: bool,
    },
    Member(TotalWord, bool),
    InDomain(TotalWord, Grid, bool),
    HasPoint(Box<Points>, bool),
}

/// Where a state holds a function.
#[derive(Clone, Debug)]
pub enum Results {
    Points(Box<Points>),
    /// A relation in one word, of which each row is to have one bit.
    Rows {
        field: Bits,
        grid: Grid,
        comb: Box<Comb>,
    },
}

impl Results {
    pub fn arguments(&self) -> u64 {
        match self {
            Results::Points(points) => points.domain.size(),
            Results::Rows { grid, .. } => u64::from(grid.rows),
        }
    }

    /// How many results there may be; their numbers begin with 1.
    pub fn numbers(&self) -> u64 {
        match self {
            Results::Points(points) => points.range.size(),
            Results::Rows { grid, .. } => u64::from(grid.width),
        }
    }

    /// Shows the number of each result, some perhaps several times, or those of the different ones; `false` where that is
    /// not all, since some argument has no result or the function stands outside.
    #[inline(always)]
    pub fn each(&self, state: &[u64], mut show: impl FnMut(u64)) -> bool {
        match self {
            Results::Points(points) => {
                let mut least = u64::MAX;
                points.each_code(state, |number, _| {
                    least = least.min(number);
                    show(number);
                });
                least > 0 && !points.is_outside(state)
            }
            Results::Rows { field, grid, comb } => {
                let f = field.get(state);
                let mut columns = (0..grid.rows).fold(0, |all, row| all | f >> (row * grid.width));
                columns &= low_bits(grid.width);
                while columns != 0 {
                    show(u64::from(columns.trailing_zeros()) + 1);
                    columns &= columns - 1;
                }
                f.count_ones() == comb.fields && comb.zeros(f) == 0
            }
        }
    }

    /// Whether both are the same function.
    pub fn are_of(&self, other: &Results) -> bool {
        match (self, other) {
            (Results::Points(a), Results::Points(b)) => a.id == b.id,
            (Results::Rows { field: a, .. }, Results::Rows { field: b, .. }) => a == b,
            _ => false,
        }
    }
}

/// Neighbouring fields of one word, all of one width.
#[derive(Clone, Debug)]
pub struct Comb {
    fields: u32,
    /// The lowest bit of each field, and the highest.
    ones: u64,
    highs: u64,
    /// The field that a bit is in.
    field: [u8; 64],
}

impl Comb {
    /// `None` where these fields do not fit a word.
    fn new(fields: u64, width: u32) -> Option<Comb> {
        let bits = u64::from(width).checked_mul(fields).filter(|bits| *bits <= 64)?;
        if width == 0 {
            return None;
        }
        let ones = (0..fields as u32).fold(0, |ones, i| ones | 1 << (i * width));
        let mut field = [0; 64];
        for (bit, field) in field.iter_mut().enumerate().take(bits as usize) {
            *field = (bit as u32 / width) as u8;
        }
        Some(Comb { fields: fields as u32, ones, highs: ones << (width - 1), field })
    }

    /// The highest bits of the fields that are zero.
    #[inline(always)]
    fn zeros(&self, word: u64) -> u64 {
        let lows = self.highs - self.ones;
        self.highs & !(((word & lows) + lows) | word)
    }

    /// The fields that these bits are in.
    #[inline(always)]
    fn fields_of(&self, mut bits: u64) -> u64 {
        let mut fields = 0;
        while bits != 0 {
            fields |= 1 << self.field[bits.trailing_zeros() as usize];
            bits &= bits - 1;
        }
        fields
    }

    fn all(&self) -> u64 {
        low_bits(self.fields)
    }
}

impl Sift {
    /// What tells of all values of a local whether the test holds, if that can be told.
    pub fn of(test: &Test, slot: usize) -> Option<Sift> {
        let free = |word: &Word| Some(TotalWord::of(word)).filter(|word| word.is_free_of(slot));
        let is_local = |word: &Word| matches!(word, Word::Local(at) if *at as usize == slot);
        match test {
            Test::Compare(op @ (Relation::Equal | Relation::Differ), both) => {
                let equal = *op == Relation::Equal;
                let wanted = free(&both.1)?;
                match &both.0 {
                    Word::Apply(applied, of) if is_local(&applied.1) => {
                        let comb = Comb::new(u64::from(of.grid.rows), of.grid.width)?;
                        let (function, grid) = (free(&applied.0)?, of.grid);
                        Some(Sift::Rows { function, wanted, grid, comb: Box::new(comb), equal })
                    }
                    Word::Point(point) if is_local(&point.argument) => {
                        let points = Box::new(point.points.clone());
                        let comb = points.width_in_one_word();
                        let comb = comb.and_then(|w| Comb::new(points.domain.size(), w));
                        Some(Sift::Points { points, wanted, comb: comb.map(Box::new), equal })
                    }
                    _ => None,
                }
            }
            Test::Compare(Relation::Member, both) if is_local(&both.0) => {
                Some(Sift::Member(free(&both.1)?, true))
            }
            Test::Compare(Relation::InDomain(grid), both) if is_local(&both.0) => {
                Some(Sift::InDomain(free(&both.1)?, *grid, true))
            }
            Test::HasPoint(point) if is_local(&point.argument) => {
                Some(Sift::HasPoint(Box::new(point.points.clone()), true))
            }
            Test::Not(test) => Some(Sift::of(test, slot)?.negated()),
            _ => None,
        }
    }

    /// The function of the state, and the number that it asks each candidate for, if it does that.
    pub fn wants(&self) -> Option<(Results, u64)> {
        match self {
            Sift::Points { points, wanted: TotalWord::Constant(result), equal: true, .. } => {
                let number = points.range.code_of_word(*result)? + 1;
                Some((Results::Points(points.clone()), number))
            }
            Sift::Rows {
                function: TotalWord::Field(field),
                wanted: TotalWord::Constant(column),
                grid,
                comb,
                equal: true,
            } if *column < u64::from(grid.width) => {
                let rows = Results::Rows { field: *field, grid: *grid, comb: comb.clone() };
                Some((rows, column + 1))
            }
            _ => None,
        }
    }

    fn negated(self) -> Sift {
        match self {
            Sift::Rows { function, wanted, grid, comb, equal } => {
                Sift::Rows { function, wanted, grid, comb, equal: !equal }
            }
            Sift::Points { points, wanted, comb, equal } => {
                Sift::Points { points, wanted, comb, equal: !equal }
            }
            Sift::Member(set, inside) => Sift::Member(set, !inside),
            Sift::InDomain(r, grid, inside) => Sift::InDomain(r, grid, !inside),
            Sift::HasPoint(points, inside) => Sift::HasPoint(points, !inside),
        }
    }

    /// The domain of the function that is asked, where that is held point by point.
    pub fn domain(&self) -> Option<&Axis> {
        match self {
            Sift::Points { points, .. } | Sift::HasPoint(points, _) => Some(&points.domain),
            Sift::Rows { .. } | Sift::Member(..) | Sift::InDomain(..) => None,
        }
    }

    /// Those of some candidates, bits of a word, that pass. Where the test is not defined for one of them, a doubt
    /// is left.
    #[inline]
    pub fn pass(&self, candidates: u64, state: &[u64], env: &mut Env) -> u64 {
        let (passed, sense) = match self {
            Sift::Rows { function, wanted, grid, comb, equal } => {
                let (f, wanted) = (function.get(state, env), wanted.get(state, env));
                let Some(passed) = rows_equal(f, *grid, comb, wanted, candidates) else {
                    return env.doubted();
                };
                (passed, *equal)
            }
            Sift::Points { points, wanted, comb, equal } => {
                let wanted = wanted.get(state, env);
                let passed = match points.begin_at_zero() {
                    true => points_equal(points, comb.as_deref(), wanted, candidates, state),
                    false => words_equal(points, wanted, candidates, state),
                };
                match passed {
                    Some(passed) => (passed, *equal),
                    None => return env.doubted(),
                }
            }
            Sift::Member(set, inside) => (candidates & set.get(state, env), *inside),
            Sift::InDomain(r, grid, inside) => {
                let r = r.get(state, env);
                (those(candidates, |x| grid.row(r, x) != 0), *inside)
            }
            Sift::HasPoint(points, inside) => {
                if points.is_outside(state) {
                    return env.doubted();
                }
                let exists = |x| points.code_at(x, state).is_some_and(|code| code > 0);
                (those(candidates, exists), *inside)
            }
        };
        if sense { passed } else { candidates & !passed }
    }

    /// The same where the candidates are places of arguments: of a test that has a [domain](Sift::domain).
    #[inline]
    pub fn pass_by_place(&self, candidates: u64, state: &[u64], env: &mut Env) -> u64 {
        match self {
            Sift::Points { points, wanted, comb, equal } => {
                let wanted = wanted.get(state, env);
                match points_equal(points, comb.as_deref(), wanted, candidates, state) {
                    Some(passed) if *equal => passed,
                    Some(passed) => candidates & !passed,
                    None => env.doubted(),
                }
            }
            Sift::HasPoint(points, inside) if !points.is_outside(state) => {
                let exists = those(candidates, |i| points.bits(i).get(state) != 0);
                if *inside { exists } else { candidates & !exists }
            }
            _ => env.doubted(),
        }
    }
}

/// Those rows that have one bit, this one; nothing where a candidate's row has not exactly one.
#[inline]
fn rows_equal(f: u64, grid: Grid, comb: &Comb, wanted: u64, candidates: u64) -> Option<u64> {
    let is_column = wanted < u64::from(grid.width);
    if candidates == comb.all() {
        // As many bits as rows, and no row without.
        if f.count_ones() != comb.fields || comb.zeros(f) != 0 {
            return None;
        }
        return Some(if is_column { comb.fields_of(f >> wanted & comb.ones) } else { 0 });
    }
    let wanted = if is_column { 1 << wanted } else { 0 };
    let mut undefined = false;
    let equal = those(candidates, |x| {
        let row = grid.row(f, x);
        undefined |= row & row.wrapping_sub(1) != 0 || row == 0;
        row == wanted
    });
    if undefined { None } else { Some(equal) }
}

/// The number of a result. None is 0: that stands for arguments without one.
#[inline(always)]
fn number_of(points: &Points, result: u64) -> Option<u64> {
    points.range.code_of_word(result).map(|code| code + 1)
}

/// Those arguments, by their places, that have this result; nothing where a candidate has none, or the function stands
/// outside.
#[inline]
fn points_equal(
    points: &Points,
    comb: Option<&Comb>,
    wanted: u64,
    candidates: u64,
    state: &[u64],
) -> Option<u64> {
    if points.is_outside(state) {
        return None;
    }
    let wanted = number_of(points, wanted);
    if let Some(comb) = comb {
        let numbers = points.all_in_one_word(state);
        let undefined = comb.zeros(numbers);
        if undefined != 0 && comb.fields_of(undefined) & candidates != 0 {
            return None;
        }
        let equal = wanted.map(|number| comb.zeros(numbers ^ (comb.ones * number)));
        return Some(equal.map_or(0, |equal| comb.fields_of(equal) & candidates));
    }
    one_by_one(points, wanted, candidates, state, Some)
}

/// The same of arguments by their words.
#[inline(never)]
fn words_equal(points: &Points, wanted: u64, candidates: u64, state: &[u64]) -> Option<u64> {
    if points.is_outside(state) {
        return None;
    }
    let wanted = number_of(points, wanted);
    one_by_one(points, wanted, candidates, state, |x| points.domain.code_of_word(x))
}

/// The same, where this is the number that is wanted, and these are the places of the candidates.
#[inline(always)]
fn one_by_one(
    points: &Points,
    wanted: Option<u64>,
    candidates: u64,
    state: &[u64],
    place: impl Fn(u64) -> Option<u64>,
) -> Option<u64> {
    let mut undefined = false;
    let equal = those(candidates, |x| {
        let number = place(x).map_or(0, |i| points.bits(i).get(state));
        undefined |= number == 0;
        Some(number) == wanted
    });
    if undefined { None } else { Some(equal) }
}

#[inline(always)]
fn those(mut candidates: u64, mut holds: impl FnMut(u64) -> bool) -> u64 {
    let mut found = 0;
    while candidates != 0 {
        let x = u64::from(candidates.trailing_zeros());
        found |= u64::from(holds(x)) << x;
        candidates &= candidates - 1;
    }
    found
}

/// All members of a universe of this size, as candidates, if they are few enough.
pub fn all(size: u64) -> Option<u64> {
    (size <= 64).then(|| low_bits(size as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Interner;

    const FIELD: Bits = Bits { word: 0, shift: 0, mask: 0xFFFF };

    /// What is found of all at once, and of each by itself.
    fn both_ways(test: &Test, state: u64, candidates: u64) -> (Option<u64>, u64) {
        let mut env = Env::new(1, 2, 0, Interner::new());
        (env.state[0], env.words[0]) = (state, 3);
        let sift = Sift::of(test, 1);
        let at_once = sift.map(|sift| sift.pass(candidates, &[state], &mut env));
        assert!(!env.doubt, "it is defined");
        let one_by_one = those(candidates, |x| {
            env.words[1] = x;
            test.holds(&mut env) == Ok(true)
        });
        (at_once, one_by_one)
    }

    #[test]
    fn all_at_once_is_as_one_by_one() {
        let grid = Grid { rows: 5, width: 3 };
        let local = || Word::Local(1);
        let tests = || {
            [
                Test::compare(Relation::Member, local(), Word::Field(FIELD)),
                Test::compare(Relation::InDomain(grid), local(), Word::Field(FIELD)),
            ]
        };
        for state in (0..1 << 16).step_by(77) {
            for candidates in [0, 1, 0b10110, 0b11111] {
                for test in tests() {
                    let (at_once, one_by_one) = both_ways(&test, state, candidates);
                    assert_eq!(at_once, Some(one_by_one));
                    let (at_once, one_by_one) =
                        both_ways(&Test::Not(Box::new(test)), state, candidates);
                    assert_eq!(at_once, Some(one_by_one));
                }
            }
        }
    }

    #[test]
    fn rows_of_functions_are_compared() {
        let grid = Grid { rows: 4, width: 3 };
        let comb = Comb::new(4, 3).unwrap();
        // 0 to 0, 1 to 2, 2 to 0, and 3 to nothing.
        let f = 0b000_001_100_001;
        assert_eq!(rows_equal(f, grid, &comb, 0, 0b111), Some(0b101));
        assert_eq!(rows_equal(f, grid, &comb, 2, 0b011), Some(0b010));
        assert_eq!(rows_equal(f, grid, &comb, 7, 0b111), Some(0));
        assert_eq!(rows_equal(f, grid, &comb, 0, 0b1111), None);
        assert_eq!(rows_equal(0b011, grid, &comb, 0, 0b1), None);
    }

    #[test]
    fn all_rows_at_once_are_as_row_by_row() {
        let (grid, comb) = (Grid { rows: 4, width: 3 }, Comb::new(4, 3).unwrap());
        for f in 0..1u64 << 12 {
            let row = |x: u64| f >> (3 * x) & 7;
            let is_function = (0..4).all(|x| row(x).is_power_of_two());
            for wanted in 0..5u64 {
                let expected = those(0b1111, |x| wanted < 3 && row(x) == 1 << wanted);
                let found = rows_equal(f, grid, &comb, wanted, 0b1111);
                assert_eq!(found, is_function.then_some(expected), "{f:b}");
            }
        }
    }

    #[test]
    fn zero_fields_are_found_among_their_neighbours() {
        for (fields, width) in [(5, 3), (21, 3), (64, 1), (16, 4), (1, 64), (3, 20), (7, 9)] {
            let comb = Comb::new(fields, width).unwrap();
            let mut word = 0x9E37_79B9_7F4A_7C15u64;
            for _ in 0..2_000 {
                word = word.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ word >> 29;
                // With many zeros.
                let word = word & word.rotate_left(7) & word.rotate_left(31);
                let field = |i: u64| word >> (i * u64::from(width)) & low_bits(width);
                let zeros = those(low_bits(fields as u32), |i| field(i) == 0);
                assert_eq!(comb.fields_of(comb.zeros(word)), zeros);
            }
        }
        assert!(Comb::new(13, 5).is_none() && Comb::new(3, 0).is_none());
    }

    #[test]
    fn what_depends_on_the_local_otherwise_is_not_told() {
        let tests = [
            Test::compare(Relation::Equal, Word::Local(1), Word::Local(1)),
            Test::compare(Relation::Member, Word::Local(0), Word::Field(FIELD)),
            Test::compare(Relation::Member, Word::Local(1), Word::Local(1)),
            Test::Always(true),
        ];
        for test in tests {
            assert!(Sift::of(&test, 1).is_none());
        }
    }
}
