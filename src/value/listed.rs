//! Sets that are lists or tables, member by member: what looks at members without making them reads both in one way.

use super::lines::first_not;
use super::table::{Row, Table};
use super::value::Value;
use std::cmp::Ordering;

/// A member of a set, or a part of one, as it stands there.
#[derive(Clone, Copy)]
pub enum Member<'a> {
    Value(&'a Value),
    Row(Row<'a>),
}

impl<'a> Member<'a> {
    /// The sides of a pair; `None` of anything else.
    #[inline]
    pub fn sides(self) -> Option<(Member<'a>, Member<'a>)> {
        match self {
            Member::Value(Value::Pair(sides)) => {
                Some((Member::Value(&sides.0), Member::Value(&sides.1)))
            }
            Member::Value(_) => None,
            Member::Row(row) => row.sides().map(|(x, y)| (Member::Row(x), Member::Row(y))),
        }
    }

    /// The integer of one word that it is.
    #[inline]
    pub fn number(self) -> Option<i64> {
        match self {
            Member::Value(Value::Int(n)) => Some(*n),
            Member::Value(_) => None,
            Member::Row(row) => row.number(),
        }
    }

    /// How it compares with a value of its type.
    pub fn compare(self, with: &Value) -> Ordering {
        match self {
            Member::Value(value) => value.cmp(with),
            Member::Row(row) => row.compare(with),
        }
    }

    pub fn value(self) -> Value {
        match self {
            Member::Value(value) => value.clone(),
            Member::Row(row) => row.value(),
        }
    }
}

/// The members of a set that is a list or a table, in increasing order.
#[derive(Clone, Copy)]
pub enum Listed<'a> {
    Values(&'a [Value]),
    Table(Table<'a>),
}

impl<'a> Listed<'a> {
    /// `None` of a set that is held as bits, and of what is no set.
    pub fn of(set: &'a Value) -> Option<Listed<'a>> {
        match set {
            Value::Set(items) => Some(Listed::Values(items)),
            _ => set.table().map(Listed::Table),
        }
    }

    /// Number of members.
    pub fn size(self) -> usize {
        match self {
            Listed::Values(items) => items.len(),
            Listed::Table(table) => table.size(),
        }
    }

    #[inline]
    pub fn get(self, i: usize) -> Member<'a> {
        match self {
            Listed::Values(items) => Member::Value(&items[i]),
            Listed::Table(table) => Member::Row(table.row(i)),
        }
    }

    pub fn members(self) -> impl ExactSizeIterator<Item = Member<'a>> + use<'a> {
        (0..self.size()).map(move |i| self.get(i))
    }

    /// The members that compare as equal, where those before them are less and those behind them greater.
    pub fn range(self, order: impl Fn(Member<'a>) -> Ordering) -> impl Iterator<Item = Member<'a>> {
        let from = first_not(self.size(), |i| order(self.get(i)).is_lt());
        let rest = (from..self.size()).map(move |i| self.get(i));
        rest.take_while(move |member| order(*member).is_eq())
    }
}
