//! What a member of a set means in the guide graph: the mark or the edge it adds, and the keys that
//! say which. Keys are ordered by code and by value, never by the order in which they were met.

use super::group::Group;
use super::plan::{self, Leaf, Leaves, SetPlan, Tuple};
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A mark or an edge label: code (56 bits), kind of the payload (8 bits), payload (64 bits).
pub type Key = u128;

/// Payload: a word, several words as one number, or an integer.
pub const NUMBER: u8 = 0;
/// Payload: the rank of a list of values.
pub const POOLED: u8 = 1;

/// The mark or label with this code and payload.
pub fn key(code: u32, (kind, payload): (u8, u64)) -> Key {
    (code as u128) << 72 | (kind as u128) << 64 | payload as u128
}

/// The set itself, in the actions of members of a nested set.
pub const OWNER: u32 = u32::MAX;

/// What one member of a set adds to the graph.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    Nothing,
    Mark { vertex: u32, key: Key },
    Edge { from: u32, to: u32, key: Key },
}

impl Action {
    /// The action of a member of a flat universe (every leaf an index, none of them a set).
    pub fn of_member(group: &Group, set: &SetPlan, member: &Value, nested: bool) -> Action {
        let mut values = Leaves::new();
        plan::leaves(&set.form, member, &mut values);
        let things: Things = set
            .members
            .leaves
            .iter()
            .zip(&values)
            .map(|(leaf, value)| match leaf {
                Leaf::Element(s) => group.point(*s, value.word()),
                _ => None,
            })
            .collect();
        let mut pool = Pool::default();
        Action::of_things(set, &values, &things, nested, &mut pool).unwrap_or(Action::Nothing)
    }

    /// The action of a member; `None` when it needs a vertex of its own.
    pub fn of_things(
        set: &SetPlan,
        values: &[Value],
        things: &[Option<u32>],
        nested: bool,
        pool: &mut Pool,
    ) -> Option<Action> {
        let mut moving = things.iter().enumerate().filter_map(|(i, t)| t.map(|v| (i, v)));
        let mut payload = || pool.payload(&set.members, values, things);
        Some(match (moving.next(), moving.next(), moving.next()) {
            (None, ..) if nested => {
                Action::Mark { vertex: OWNER, key: key(set.still(), payload()) }
            }
            (None, ..) => Action::Nothing,
            (Some((i, v)), None, _) if nested => {
                Action::Edge { from: v, to: OWNER, key: key(set.single(i), payload()) }
            }
            (Some((i, v)), None, _) => {
                Action::Mark { vertex: v, key: key(set.single(i), payload()) }
            }
            (Some((i, u)), Some((j, v)), None) if !nested && u == v => {
                Action::Mark { vertex: v, key: key(set.same(i, j), payload()) }
            }
            (Some((i, u)), Some((j, v)), None) if !nested => {
                Action::Edge { from: u, to: v, key: key(set.double(i, j), payload()) }
            }
            _ => return None,
        })
    }
}

/// The vertex of each leaf, where something in it moves.
pub type Things = SmallVec<[Option<u32>; 4]>;

/// Fixed values that do not fit a number, by the order in which they were met; see [`Pool::ranks`].
#[derive(Debug, Default)]
pub struct Pool {
    pub numbers: FxHashMap<SmallVec<[Value; 2]>, u64>,
}

impl Pool {
    /// The values of the leaves in which nothing moves.
    fn payload(&mut self, tuple: &Tuple, values: &[Value], things: &[Option<u32>]) -> (u8, u64) {
        let fixed = |i: &usize| things[*i].is_none();
        let mut number = Some(0u64);
        let mut radix = Some(1u64);
        let mut count = 0;
        for i in (0..values.len()).filter(fixed) {
            count += 1;
            number = match (number, radix, tuple.sizes[i], &values[i]) {
                (Some(n), Some(_), Some(size), Value::Word(w)) => {
                    n.checked_mul(size).and_then(|n| n.checked_add(*w))
                }
                _ => None,
            };
            radix = radix.zip(tuple.sizes[i]).and_then(|(r, size)| r.checked_mul(size));
        }
        if let (Some(number), Some(_)) = (number, radix) {
            return (NUMBER, number);
        }
        if count == 1
            && let Some(i) = (0..values.len()).find(fixed)
            && let Value::Int(n) = values[i]
        {
            return (NUMBER, n as u64 ^ 1 << 63);
        }
        let list: SmallVec<[Value; 2]> =
            (0..values.len()).filter(fixed).map(|i| values[i].clone()).collect();
        let next = self.numbers.len() as u64;
        (POOLED, *self.numbers.entry(list).or_insert(next))
    }

    /// The value of one leaf in which nothing moves.
    pub fn one(&mut self, tuple: &Tuple, leaf: usize, value: &Value) -> (u8, u64) {
        match (tuple.sizes[leaf], value) {
            (Some(_), Value::Word(w)) => (NUMBER, *w),
            (_, Value::Int(n)) => (NUMBER, *n as u64 ^ 1 << 63),
            _ => {
                let next = self.numbers.len() as u64;
                let list = SmallVec::from_iter([value.clone()]);
                (POOLED, *self.numbers.entry(list).or_insert(next))
            }
        }
    }

    /// The rank of each list, by its number: shorter lists first, then by value.
    pub fn ranks(&self) -> Vec<u64> {
        let mut lists: Vec<(&SmallVec<[Value; 2]>, u64)> =
            self.numbers.iter().map(|(list, n)| (list, *n)).collect();
        lists.sort_unstable_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        let mut ranks = vec![0; lists.len()];
        for (rank, (_, n)) in lists.iter().enumerate() {
            ranks[*n as usize] = rank as u64;
        }
        ranks
    }
}
