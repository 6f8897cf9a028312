use super::super::stop::Stop;
use super::super::word::{Application, Both};
use super::super::{Arithmetic, One, Order, Relation, Two};
use super::super::{Bits, Env, Grid, Test, Word};
use super::patch::Universe;
use super::{Patch, TotalTest, TotalWord, TotalWrite};
use crate::lower::Write;
use crate::lower::env::Operand;
use crate::machine::{Notation, Type};
use crate::source::Span;
use crate::state::Interner;
use crate::value::relation::Arrow;

/// Numbers in no order.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0xD6E8_FEB8_6659_FD93).wrapping_add(0x9E37_79B9_7F4A_7C15);
        (self.0 >> 33) % n
    }
}

/// A relation of four to three, a set of four, members of four and of three, in two words.
const GRID: Grid = Grid { rows: 4, width: 3 };
const RELATION: Bits = Bits { word: 0, shift: 5, mask: 0xFFF };
const SET: Bits = Bits { word: 1, shift: 0, mask: 0xF };
const MEMBER: Bits = Bits { word: 1, shift: 4, mask: 0x3 };
const OTHER: Bits = Bits { word: 0, shift: 20, mask: 0x3 };

fn apply(function: Word, argument: Word) -> Word {
    let operand = || Operand {
        span: Span::default(),
        ty: Type::Integer,
        notation: Notation::Plain,
        name: None,
    };
    let (function_operand, argument_operand) = (operand(), operand());
    let of = Application {
        grid: GRID,
        span: Span::default(),
        function: function_operand,
        argument: argument_operand,
    };
    Word::Apply(Word::both(function, argument), Box::new(of))
}

impl Chance {
    fn member(&mut self, depth: u32) -> Word {
        match self.below(if depth == 0 { 3 } else { 5 }) {
            0 => Word::Constant(self.below(3)),
            1 => Word::Field(OTHER),
            2 => Word::Local(self.below(2) as u32),
            3 => apply(self.relation(depth - 1), Word::Field(MEMBER)),
            _ => {
                let (a, b) = (self.member(depth - 1), self.member(depth - 1));
                Word::If(Box::new((self.test(depth - 1), a, b)))
            }
        }
    }

    fn relation(&mut self, depth: u32) -> Word {
        if depth == 0 {
            return Word::Field(RELATION);
        }
        match self.below(4) {
            0 => {
                let (x, y) = (self.member(depth - 1), self.member(depth - 1));
                Word::Update(Box::new((self.relation(depth - 1), x, y)), GRID)
            }
            1 => {
                let (r, set) = (self.relation(depth - 1), self.set(depth - 1));
                let rows = Word::one(One::Rows(GRID, self.below(2) == 0), set);
                Word::two(Two::Intersection, r, rows)
            }
            _ => Word::Field(RELATION),
        }
    }

    fn set(&mut self, depth: u32) -> Word {
        if depth == 0 {
            return Word::Field(SET);
        }
        let two = |chance: &mut Chance| -> Both {
            let a = chance.set(depth - 1);
            Word::both(a, chance.set(depth - 1))
        };
        match self.below(6) {
            0 => Word::Two(Two::Union, two(self)),
            1 => Word::Two(Two::Difference, two(self)),
            2 => Word::Two(Two::Intersection, two(self)),
            3 => Word::one(One::Singleton, self.member(depth - 1)),
            4 => Word::one(One::Domain(GRID), self.relation(depth - 1)),
            _ => Word::Field(SET),
        }
    }

    /// A number that may be too large.
    fn number(&mut self, depth: u32) -> Word {
        let large = Word::Constant(i64::MAX as u64 - self.below(2));
        let few = Word::one(One::Card, self.set(depth));
        Word::Number(Arithmetic::Add, Word::both(large, few))
    }

    fn test(&mut self, depth: u32) -> Test {
        let field = |chance: &mut Chance| [MEMBER, OTHER, SET][chance.below(3) as usize];
        if depth == 0 {
            return match self.below(3) {
                0 => Test::IsNot(field(self), self.below(5)),
                _ => Test::Is(field(self), self.below(5)),
            };
        }
        let inner = depth - 1;
        let parts = |chance: &mut Chance| -> Vec<Test> {
            (0..1 + chance.below(4)).map(|_| chance.test(inner)).collect()
        };
        match self.below(12) {
            0 => Test::all(parts(self)),
            1 => Test::any(parts(self)),
            2 => Test::Not(Box::new(self.test(inner))),
            3 => Test::all(parts(self)).negated(),
            4 => Test::compare(Relation::Equal, self.member(inner), self.member(inner)),
            5 => Test::compare(Relation::Differ, self.member(inner), self.member(inner)),
            6 => Test::compare(Relation::Member, self.member(inner), self.set(inner)),
            7 => Test::compare(Relation::Subset, self.set(inner), self.set(inner)),
            8 => Test::compare(Relation::InDomain(GRID), self.member(inner), self.relation(inner)),
            9 => {
                Test::compare(Relation::Ordered(Order::Less), self.number(inner), Word::Constant(3))
            }
            10 => Test::Same(Box::new((self.test(inner), self.test(inner)))),
            _ => {
                let arrow =
                    Arrow { functional: true, total: false, injective: false, surjective: false };
                let (r, a) = (self.relation(inner), self.set(inner));
                Test::IsArrow(Box::new((r, a, Word::Constant(7))), GRID, arrow)
            }
        }
    }
}

fn frame(chance: &mut Chance) -> Env {
    let mut env = Env::new(2, 2, 0, Interner::new());
    for bits in [RELATION, SET, MEMBER, OTHER] {
        let size = if bits == OTHER { 3 } else { bits.mask + 1 };
        let value = chance.below(size);
        bits.put(&mut env.state, value);
    }
    // Often a function.
    if chance.below(2) == 0 {
        let function = (0..4).fold(0, |f, row| f | 1 << (3 * row + chance.below(3)));
        RELATION.put(&mut env.state, function);
    }
    env.words[0] = chance.below(3);
    env.words[1] = chance.below(3);
    env
}

#[test]
fn the_total_form_says_the_same_or_leaves_a_doubt_where_there_is_nothing_to_say() {
    let mut chance = Chance(17);
    let (mut doubts, mut truths, mut decided) = (0, 0, 0);
    for round in 0..6_000 {
        let test = chance.test(1 + round % 4);
        let total = TotalTest::of(&test);
        for _ in 0..8 {
            let mut env = frame(&mut chance);
            let state = env.state.clone();
            let truth = total.holds(&state, &mut env);
            let doubt = std::mem::take(&mut env.doubt);
            match test.holds(&mut env) {
                Ok(expected) => {
                    assert!(!doubt, "round {round}");
                    assert_eq!(truth, expected, "round {round}");
                    truths += u32::from(truth);
                }
                // Whatever the number is that leaves 64 bits, another part of a junction decides: the total form
                // goes on to it, the partial one leaves that to larger integers.
                Err(Stop::Overflow) if !doubt => decided += 1,
                Err(stop) => {
                    assert!(doubt, "round {round}: {stop:?}");
                    assert!(!total.is_certain());
                    doubts += 1;
                }
            }
        }
    }
    assert!(doubts > 500 && truths > 5_000, "{doubts}, {truths}");
    assert!(0 < decided && decided < doubts, "{decided}");
}

#[test]
fn total_writes_are_as_the_others() {
    let mut chance = Chance(5);
    for round in 0..3_000 {
        let depth = round % 3;
        let writes = [
            Write::Put(SET, chance.set(1 + depth)),
            Write::Put(RELATION, chance.relation(1 + depth)),
            Write::Put(OTHER, Word::Constant(chance.below(3))),
            Write::Put(MEMBER, Word::Constant(chance.below(4))),
        ];
        let total = TotalWrite::of_all(&writes);
        let mut env = frame(&mut chance);
        let state = env.state.clone();
        let mut next = state.clone();
        total.iter().for_each(|write| write.write(&state, &mut next, &mut env));
        let doubt = std::mem::take(&mut env.doubt);
        env.next.clone_from(&state);
        let written = writes.iter().try_for_each(|write| write.run(&mut env));
        assert_eq!(doubt, written.is_err(), "round {round}");
        if !doubt {
            assert_eq!(next, env.next, "round {round}");
        }
    }
}

#[test]
fn a_patch_is_what_its_writes_do() {
    let mut chance = Chance(23);
    let (mut folded, mut left) = (0, 0);
    for round in 0..3_000 {
        let local = |chance: &mut Chance| Word::Local(chance.below(2) as u32);
        let one = |x: Word| Word::One(One::Singleton, Box::new(x));
        let (x, y) = (local(&mut chance), local(&mut chance));
        let own = Box::new((Word::Field(SET), one(x)));
        let set = match chance.below(4) {
            0 => Word::Two(Two::Union, own),
            1 => Word::Two(Two::Difference, own),
            2 => one(local(&mut chance)),
            _ => chance.set(2),
        };
        let parts = Box::new((Word::Field(RELATION), y, local(&mut chance)));
        let writes = [
            Write::Put(SET, set),
            Write::Put(RELATION, Word::Update(parts, GRID)),
            Write::Put(OTHER, Word::Constant(chance.below(3))),
            Write::Put(MEMBER, if round % 2 == 0 { Word::Local(1) } else { Word::Field(OTHER) }),
        ];
        let universe = |_| Some(Universe { low: 0, size: 3 });
        let patched = Patch::fold(TotalWrite::of_all(&writes), universe, None);
        let is_patch = |write: &TotalWrite| matches!(write, TotalWrite::Patch(_));
        assert_eq!(patched.iter().filter(|write| is_patch(write)).count(), 1);
        folded += TotalWrite::of_all(&writes).len() + 1 - patched.len();
        left += patched.len() - 1;
        let mut env = frame(&mut chance);
        let state = env.state.clone();
        let mut next = state.clone();
        patched.iter().for_each(|write| write.write(&state, &mut next, &mut env));
        if std::mem::take(&mut env.doubt) {
            continue;
        }
        env.next.clone_from(&state);
        writes.iter().for_each(|write| write.run(&mut env).expect("no doubt was left"));
        assert_eq!(next, env.next, "round {round}");
    }
    assert!(folded > 6_000 && left > 1_000, "{folded}, {left}");
    // What has no place in its field for some choice, and what there are too many choices of, stays as it is.
    let writes = || TotalWrite::of_all(&[Write::Put(SET, Word::Local(0))]);
    let many = |_| Some(Universe { low: 0, size: 1 << 20 });
    assert!(matches!(Patch::fold(writes(), many, None)[..], [TotalWrite::Put(..)]));
    let none = |_| None;
    assert!(matches!(Patch::fold(writes(), none, None)[..], [TotalWrite::Put(..)]));
}

#[test]
fn tests_of_one_word_are_one_mask() {
    let all = Test::all(vec![Test::Is(MEMBER, 2), Test::Is(SET, 5)]);
    assert!(matches!(TotalTest::of(&all), TotalTest::Masked(_)));
    let none = Test::all(vec![Test::Is(MEMBER, 2), Test::Is(MEMBER, 1)]);
    assert!(matches!(TotalTest::of(&none), TotalTest::Always(false)));
    let clause = Test::any(vec![Test::IsNot(MEMBER, 2), Test::IsNot(SET, 5)]);
    assert!(matches!(TotalTest::of(&clause), TotalTest::NotMasked(_)));
    let words = [SET, OTHER].map(|bits| Write::Put(bits, Word::Constant(1)));
    assert_eq!(TotalWrite::of_all(&words).len(), 2);
    let words = [SET, MEMBER].map(|bits| Write::Put(bits, Word::Constant(1)));
    assert_eq!(TotalWrite::of_all(&words).len(), 1);
    assert!(matches!(TotalWord::of(&Word::Constant(3)), TotalWord::Constant(3)));
}
