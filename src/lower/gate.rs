//! Tests of one field of the state against constants: what decides for most operations in most states
//! that they are not enabled, before anything else is done for them.

use super::occupied::{Occupied, Wanted};
use super::total::TotalTest;
use super::total::test::Masked;
use super::{Bits, Order, Relation, Test, Word};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Whether the code of a field is in an interval of codes, or out of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gate {
    bits: Bits,
    /// The first code, and how many come after it.
    first: u64,
    more: u64,
    inside: bool,
    /// The code that says nothing about the value; larger than all codes where each says something.
    open: u64,
}

/// What must hold for an operation to be enabled: what of its guard is seen in one look at a word.
#[derive(Debug)]
pub struct Gates {
    /// What some bits of one word are, and of the others.
    first: Masked,
    masks: Box<[Masked]>,
    gates: Box<[Gate]>,
    /// Each by itself.
    each: Box<[Gate]>,
}

impl Gates {
    /// Of a guard's tests, those that do not depend on what it enumerates.
    pub fn of<'t>(tests: impl Iterator<Item = &'t Test>) -> Gates {
        let mut gates = Vec::new();
        tests.for_each(|test| add(test, true, &mut gates));
        let each = gates.clone().into();
        let mut masks: Vec<Masked> = Vec::new();
        let mut others = Vec::new();
        for gate in gates {
            let Some(masked) = gate.masked() else {
                others.push(gate);
                continue;
            };
            match masks.iter_mut().find_map(|known| Some((known.and(masked)??, known))) {
                Some((both, known)) => *known = both,
                None => masks.push(masked),
            }
        }
        let first = if masks.is_empty() { Masked::NOTHING } else { masks.remove(0) };
        Gates { first, masks: masks.into(), gates: others.into(), each }
    }

    /// Whether the test that this is has nothing to say where all of them are open.
    pub fn tell(&self, test: &TotalTest) -> bool {
        let told = |masked: &Masked| {
            masked.follows_from(self.first) || self.masks.iter().any(|m| masked.follows_from(*m))
        };
        matches!(test, TotalTest::Masked(masked) if told(masked))
    }

    /// The same where this gate's field holds its value ([`Gate::is_inside`]).
    pub fn tell_inside(&self, test: &TotalTest) -> Option<Gate> {
        let TotalTest::Codes(of) = test else { return None };
        self.each.contains(&of.0).then_some(of.0)
    }

    /// Whether none of them is closed.
    #[inline(always)]
    pub fn are_open(&self, state: &[u64]) -> bool {
        self.first.holds(state)
            && self.masks.iter().all(|masked| masked.holds(state))
            && self.gates.iter().all(|gate| gate.is_open(state))
    }
}

/// Which of a machine's operations some fields and functions leave open: for each code of a field a bit for each operation. So
/// operations that are closed cost nothing, however many there are.
#[derive(Debug)]
pub struct Screen {
    fields: Box<[(Bits, Box<[u64]>)]>,
    occupied: Box<[Occupied]>,
    all: Box<[u64]>,
}

/// Bits of the fields that are looked at, how many fields, and words of all operations' bits for each.
const NARROW: u64 = (1 << 8) - 1;
const MOST_FIELDS: usize = 8;
const MOST_WORDS: usize = 1 << 16;

/// How many operations a field must be expected to close.
const WORTH_A_LOOK: f64 = 1.0;

/// An operation whose gates look at a field, and the share of its codes that they admit.
type Looks = Vec<(usize, f64)>;

impl Screen {
    /// For these operations, of which one is `None` that is not to be found, and what they want of functions.
    pub fn of<'g>(
        operations: impl Iterator<Item = Option<&'g Gates>>,
        wanted: &[Vec<Wanted>],
    ) -> Screen {
        let operations: Vec<Option<&Gates>> = operations.collect();
        let words = operations.len().div_ceil(64);
        let mut all = vec![0; words];
        let mut known: IndexMap<Bits, Looks, FxBuildHasher> = IndexMap::default();
        let visible = operations.iter().enumerate().filter_map(|(i, gates)| Some((i, (*gates)?)));
        for (i, gates) in visible {
            all[i / 64] |= 1 << (i % 64);
            for bits in gates.each.iter().map(|gate| gate.bits) {
                let fits = bits.mask <= NARROW && (bits.mask as usize + 1) * words <= MOST_WORDS;
                let looks = fits.then(|| known.entry(bits).or_default());
                if let Some(looks) = looks.filter(|of| of.last().is_none_or(|(last, _)| *last != i))
                {
                    looks.push((i, gates.share(bits)));
                }
            }
        }
        // How likely each operation is still expected to be open.
        let mut open = vec![1.0; operations.len()];
        let mut fields = Vec::new();
        while fields.len() < MOST_FIELDS {
            let closes = |looks: &Looks| -> f64 {
                looks.iter().map(|(i, share)| open[*i] * (1.0 - share)).sum()
            };
            let best = known.iter().enumerate().map(|(at, (_, looks))| (closes(looks), at));
            let best = best.max_by(|(a, _), (b, _)| a.total_cmp(b));
            let best = best.filter(|(closed, _)| *closed >= WORTH_A_LOOK);
            let Some((bits, looks)) = best.and_then(|(_, at)| known.swap_remove_index(at)) else {
                break;
            };
            let mut table = all.repeat(bits.mask as usize + 1);
            for (i, share) in looks {
                open[i] *= share;
                let gates = operations[i].iter();
                for code in gates.flat_map(|gates| gates.refused(bits)) {
                    table[code as usize * words + i / 64] &= !(1 << (i % 64));
                }
            }
            fields.push((bits, table.into()));
        }
        Screen { fields: fields.into(), occupied: Occupied::of(wanted), all: all.into() }
    }

    /// How many words of bits there are, one bit for each operation.
    pub fn words(&self) -> usize {
        self.all.len()
    }

    /// One of these words: operations of which a state is not known to close any.
    #[inline(always)]
    pub fn left_open(&self, word: usize, state: &[u64]) -> u64 {
        let words = self.all.len();
        let of =
            |(bits, table): &(Bits, Box<[u64]>)| table[bits.get(state) as usize * words + word];
        let left = self.fields.iter().fold(self.all[word], |left, field| left & of(field));
        self.occupied.iter().fold(left, |left, of| left & of.left_open(word, state))
    }
}

impl Gates {
    /// The codes of just this field by which a gate is closed.
    fn refused(&self, bits: Bits) -> impl Iterator<Item = u64> {
        let closed =
            move |code: &u64| self.each.iter().any(|gate| gate.bits == bits && !gate.admits(*code));
        (0..=bits.mask).filter(closed)
    }

    /// The share of its codes by which none is.
    fn share(&self, bits: Bits) -> f64 {
        1.0 - self.refused(bits).count() as f64 / (bits.mask + 1) as f64
    }
}

impl Gate {
    #[inline(always)]
    fn admits(self, code: u64) -> bool {
        (code.wrapping_sub(self.first) <= self.more) == self.inside || code == self.open
    }

    /// Whether the test that this gate was made of is not false. What it does not know is not.
    #[inline(always)]
    pub fn is_open(self, state: &[u64]) -> bool {
        self.admits(self.bits.get(state))
    }

    /// Whether its field tells the value.
    #[inline(always)]
    pub fn is_inside(self, state: &[u64]) -> bool {
        self.bits.get(state) != self.open
    }

    /// The truth of the test that this gate was made of ([`Gate::of_integer`]), where the field tells it.
    #[inline(always)]
    pub fn truth(self, state: &[u64]) -> Option<bool> {
        let code = self.bits.get(state);
        let truth = (code.wrapping_sub(self.first) <= self.more) == self.inside;
        (code != self.open).then_some(truth)
    }

    /// The gate of a comparison of a field of integers with constants, which says all that the test says.
    pub fn of_integer(test: &Test) -> Option<Gate> {
        let mut gates = Vec::new();
        let is_integer = |word: &Word| matches!(word, Word::Integer(_));
        let compares = match test {
            Test::Compare(Relation::Equal | Relation::Differ | Relation::Ordered(_), both) => {
                is_integer(&both.0) || is_integer(&both.1)
            }
            Test::Between(parts) => is_integer(&parts.0),
            _ => false,
        };
        if compares {
            add(test, true, &mut gates);
        }
        gates.pop()
    }

    /// What bits a word has where it is open, if there is one way to be.
    pub fn masked(self) -> Option<Masked> {
        let fits = self.first != self.open && self.first <= self.bits.mask;
        let one = self.inside && self.more == 0 && fits;
        // What is outside of its field is none of the values in it: so its code is another one.
        one.then(|| Masked::new(self.bits, self.first))
    }
}

/// Adds the gates of a test, or of its negation.
fn add(test: &Test, holds: bool, gates: &mut Vec<Gate>) {
    let equal = |both: &(Word, Word), holds| match both {
        (x, Word::Constant(c)) | (Word::Constant(c), x) => between(x, *c as i64, *c as i64, holds),
        _ => None,
    };
    gates.extend(match test {
        Test::Is(bits, c) => is(*bits, *c, holds),
        Test::IsNot(bits, c) => is(*bits, *c, !holds),
        Test::Compare(Relation::Equal, both) => equal(both, holds),
        Test::Compare(Relation::Differ, both) => equal(both, !holds),
        Test::Compare(Relation::Ordered(order), both) => match (&both.0, &both.1) {
            (x, Word::Constant(c)) => ordered(x, *order, *c as i64, holds),
            (Word::Constant(c), x) => ordered(x, order.flipped(), *c as i64, holds),
            _ => None,
        },
        Test::Between(parts) => match (&parts.1, &parts.2) {
            (Word::Constant(low), Word::Constant(high)) => {
                between(&parts.0, *low as i64, *high as i64, holds)
            }
            _ => None,
        },
        Test::Compare(Relation::Member, both) => match (&both.0, &both.1) {
            (Word::Constant(x), Word::Field(set)) => member(*x, *set, holds),
            _ => None,
        },
        Test::Not(test) => return add(test, !holds, gates),
        Test::All(parts) if holds => return parts.iter().for_each(|p| add(p, true, gates)),
        Test::Any(parts) if !holds => return parts.iter().for_each(|p| add(p, false, gates)),
        _ => None,
    });
}

/// One bit of a set.
fn member(x: u64, set: Bits, holds: bool) -> Option<Gate> {
    let bit = u32::try_from(x).ok().filter(|x| *x < 64 && set.mask >> x & 1 == 1)?;
    let bits = Bits { shift: set.shift + bit, mask: 1, ..set };
    Some(Gate { bits, first: 1, more: 0, inside: holds, open: u64::MAX })
}

fn ordered(x: &Word, order: Order, c: i64, holds: bool) -> Option<Gate> {
    match order {
        Order::LessEqual => between(x, i64::MIN, c, holds),
        Order::Greater => between(x, i64::MIN, c, !holds),
        Order::GreaterEqual => between(x, c, i64::MAX, holds),
        Order::Less => between(x, c, i64::MAX, !holds),
    }
}

/// An element's number, a truth or a set: compared as it is.
fn is(bits: Bits, c: u64, holds: bool) -> Option<Gate> {
    // Where all codes say something, the one that does not is none of them.
    let gate = Gate { bits, first: c, more: 0, inside: holds, open: u64::MAX };
    (bits.mask < u64::MAX).then_some(gate)
}

/// `low <= x & x <= high`, where `x` is a field of integers.
fn between(x: &Word, low: i64, high: i64, holds: bool) -> Option<Gate> {
    let Word::Integer(field) = x else { return None };
    let (bits, least, open) = (field.bits, field.low, field.bits.mask);
    let greatest = i128::from(least) + i128::from(open) - 1;
    let from = i128::from(low).max(i128::from(least));
    let to = i128::from(high).min(greatest);
    let code = |n: i128| (n - i128::from(least)) as u64;
    Some(match from <= to {
        true => Gate { bits, first: code(from), more: code(to) - code(from), inside: holds, open },
        // No code is in it.
        false => Gate { bits, first: 0, more: u64::MAX, inside: !holds, open },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: Bits = Bits { word: 0, shift: 3, mask: 15 };

    /// The codes for which a gate is open.
    fn codes(gate: Gate) -> Vec<u64> {
        (0..16).filter(|code| gate.is_open(&[code << 3 | 5])).collect()
    }

    fn of(test: &Test) -> Vec<Vec<u64>> {
        let mut gates = Vec::new();
        add(test, true, &mut gates);
        gates.into_iter().map(codes).collect()
    }

    #[test]
    fn a_field_is_compared_with_a_constant() {
        let test = |c| Test::equal(Word::Field(BITS), Word::Constant(c));
        assert_eq!(of(&test(7)), [[7]]);
        assert_eq!(of(&test(7).negated())[0].len(), 15);
        assert_eq!(of(&Test::Not(Box::new(test(7).negated()))), [[7]]);
        let other = Test::equal(Word::Constant(99), Word::Field(BITS));
        assert_eq!(of(&Test::All(vec![test(7), other])), [vec![7], vec![]]);
        // Of a disjunction one part alone says nothing, of its negation each does.
        assert!(of(&Test::Any(vec![test(7), test(8)])).is_empty());
        assert_eq!(of(&Test::Not(Box::new(Test::Any(vec![test(7), test(8)])))).len(), 2);
        assert!(of(&Test::equal(Word::Field(BITS), Word::Local(0))).is_empty());
    }

    #[test]
    fn members_of_a_set_are_its_bits() {
        let both = |x| Word::both(Word::Constant(x), Word::Field(BITS));
        assert_eq!(of(&Test::Compare(Relation::Member, both(2))), [[4, 5, 6, 7, 12, 13, 14, 15]]);
        assert_eq!(
            of(&Test::Not(Box::new(Test::Compare(Relation::Member, both(3))))),
            [(0..8).collect::<Vec<_>>()]
        );
        assert!(of(&Test::Compare(Relation::Member, both(4))).is_empty());
    }

    #[test]
    fn a_screen_leaves_open_what_the_gates_do() {
        // Operation `i` wants one of sixteen codes here, and every third a bit elsewhere; every seventh is not asked for.
        let place = Bits { word: 1, shift: 9, mask: 15 };
        let flag = Bits { word: 0, shift: 5, mask: 1 };
        let gates = |i: u64| {
            let here = Test::equal(Word::Field(place), Word::Constant(i % 16));
            let there = Test::equal(Word::Field(flag), Word::Constant(1));
            let tests = if i.is_multiple_of(3) { vec![here, there] } else { vec![here.negated()] };
            Gates::of(tests.iter())
        };
        let gates: Vec<Gates> = (0..150).map(gates).collect();
        let asked = |i: usize| i % 7 != 6;
        let screen = Screen::of(gates.iter().enumerate().map(|(i, g)| asked(i).then_some(g)), &[]);
        assert!(!screen.fields.is_empty());
        for state in (0..16).flat_map(|code| [[0, code << 9], [1 << 5, code << 9 | 511]]) {
            for (i, gates) in gates.iter().enumerate() {
                let left = screen.left_open(i / 64, &state) >> (i % 64) & 1 == 1;
                assert_eq!(left, asked(i) && gates.are_open(&state), "{i} in {state:?}");
            }
        }
        let nothing = Screen::of(std::iter::empty(), &[]);
        assert_eq!(nothing.words(), 0);
    }
}
