//! Tests of all candidates for a local at once: `p : P & place(p) = idle` asks one question of a function, and
//! not one for each `p`.

use super::env::Env;
use super::lower::point::code_of;
use super::lower::{Grid, Point, Test, Word};
use super::stop::Stop;
use crate::value::set::low_bits;

/// Of some candidates for a local of the frame, bits of a word, those for which a test holds; `None` where that
/// is not told of all at once.
///
/// # Errors
/// The test is not defined for some candidate, or what decides is not known here.
#[inline]
pub fn sift(test: &Test, slot: usize, candidates: u64, env: &mut Env) -> Result<Option<u64>, Stop> {
    match test {
        Test::Equal(both) => match known(&both.1, slot, env) {
            Some(wanted) => equal(&both.0, wanted, slot, candidates, env),
            None => Ok(None),
        },
        Test::Differ(both) => match known(&both.1, slot, env) {
            Some(wanted) => {
                let equal = equal(&both.0, wanted, slot, candidates, env)?;
                Ok(equal.map(|equal| candidates & !equal))
            }
            None => Ok(None),
        },
        Test::Member(both) if is_local(&both.0, slot) => {
            Ok(known(&both.1, slot, env).map(|set| candidates & set))
        }
        Test::InDomain(both, grid) if is_local(&both.0, slot) => {
            let relation = known(&both.1, slot, env);
            Ok(relation.map(|r| those(candidates, |x| grid.row(r, x) != 0)))
        }
        Test::HasPoint(point) if is_local(&point.argument, slot) => {
            if point.points.is_outside(&env.state) {
                return Ok(None);
            }
            Ok(Some(those(candidates, |x| code_at(point, x, env).is_some_and(|code| code > 0))))
        }
        Test::Not(test) => Ok(sift(test, slot, candidates, env)?.map(|holds| candidates & !holds)),
        _ => Ok(None),
    }
}

/// Those for which a function gives this word.
fn equal(
    function: &Word,
    wanted: u64,
    slot: usize,
    candidates: u64,
    env: &mut Env,
) -> Result<Option<u64>, Stop> {
    match function {
        Word::Apply(both, of) if is_local(&both.1, slot) => match known(&both.0, slot, env) {
            Some(f) => rows_equal(f, of.grid, wanted, candidates).map(Some),
            None => Ok(None),
        },
        Word::Point(point) if is_local(&point.argument, slot) => {
            if point.points.is_outside(&env.state) {
                return Ok(None);
            }
            // No code is 0: that stands for arguments out of the domain.
            let wanted = code_of(&point.points.range, wanted).map_or(0, |code| code + 1);
            let mut undefined = false;
            let equal = those(candidates, |x| {
                let code = code_at(point, x, env).unwrap_or(0);
                undefined |= code == 0;
                code == wanted
            });
            // Who asks for all of them once more finds out which are undefined.
            if undefined { Err(Stop::Overflow) } else { Ok(Some(equal)) }
        }
        _ => Ok(None),
    }
}

fn rows_equal(f: u64, grid: Grid, wanted: u64, candidates: u64) -> Result<u64, Stop> {
    let wanted = if wanted < u64::from(grid.width) { 1 << wanted } else { 0 };
    let mut undefined = false;
    let equal = those(candidates, |x| {
        let row = grid.row(f, x);
        undefined |= row & row.wrapping_sub(1) != 0 || row == 0;
        row == wanted
    });
    if undefined { Err(Stop::Overflow) } else { Ok(equal) }
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

/// The number that a function held point by point has at an argument.
fn code_at(point: &Point, x: u64, env: &Env) -> Option<u64> {
    let at = code_of(&point.points.domain, x)?;
    Some(point.points.bits(at).get(&env.state))
}

fn is_local(word: &Word, slot: usize) -> bool {
    matches!(word, Word::Local(at) if *at as usize == slot)
}

/// A word that does not depend on the local, where that is seen at once.
#[inline]
fn known(word: &Word, slot: usize, env: &Env) -> Option<u64> {
    match word {
        Word::Constant(word) => Some(*word),
        Word::Field(bits) => Some(bits.get(&env.state)),
        Word::Local(at) if *at as usize != slot => Some(env.words[*at as usize]),
        _ => None,
    }
}

/// All members of a universe of this size, as candidates, if they are few enough.
pub fn all(size: u64) -> Option<u64> {
    (size <= 64).then(|| low_bits(size as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::lower::Bits;
    use crate::state::Interner;

    const FIELD: Bits = Bits { word: 0, shift: 0, mask: 0xFFFF };

    /// What is found of all at once, and of each by itself.
    fn both_ways(test: &Test, state: u64, candidates: u64) -> (Option<u64>, u64) {
        let mut env = Env::new(1, 2, 0, Interner::new());
        (env.state[0], env.words[0]) = (state, 3);
        let at_once = sift(test, 1, candidates, &mut env).expect("it is defined");
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
                Test::Member(Word::both(local(), Word::Field(FIELD))),
                Test::InDomain(Word::both(local(), Word::Field(FIELD)), grid),
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
        // 0 to 0, 1 to 2, 2 to 0, and 3 to nothing.
        let f = 0b000_001_100_001;
        assert_eq!(rows_equal(f, grid, 0, 0b111), Ok(0b101));
        assert_eq!(rows_equal(f, grid, 2, 0b011), Ok(0b010));
        assert_eq!(rows_equal(f, grid, 7, 0b111), Ok(0));
        assert_eq!(rows_equal(f, grid, 0, 0b1111), Err(Stop::Overflow));
        assert_eq!(rows_equal(0b011, grid, 0, 0b1), Err(Stop::Overflow));
    }

    #[test]
    fn what_depends_on_the_local_otherwise_is_not_told() {
        let mut env = Env::new(1, 2, 0, Interner::new());
        let tests = [
            Test::Equal(Word::both(Word::Local(1), Word::Local(1))),
            Test::Member(Word::both(Word::Local(0), Word::Field(FIELD))),
            Test::Member(Word::both(Word::Local(1), Word::Local(1))),
            Test::Always(true),
        ];
        for test in tests {
            assert_eq!(sift(&test, 1, 3, &mut env), Ok(None));
        }
    }
}
