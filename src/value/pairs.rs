//! Relations that are lists or tables of pairs: the steps on them that the operators are made of.
//!
//! As pairs sort by their left side first, the partners of one element lie together.

use super::lines::{Lines, are_few, first_not};
use super::rows::has;
use super::shape::Shape;
use super::table::{self, Cells, Columns, Row, Table};
use super::value::Value;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// A sorted list of pairs, each known by its place.
#[derive(Clone, Copy)]
pub(super) enum List<'a> {
    /// `width` is the size of the right universe where pairs are indices.
    Values { width: u64, items: &'a [Value] },
    /// Row by row.
    Rows(Pairs<'a>),
}

/// A table of pairs. The cells of the left sides stand first in their rows.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'a> {
    pub(super) table: Table<'a>,
    /// Cells of a left side.
    pub(super) width: usize,
    lefts: Columns,
    rights: Columns,
}

impl<'a> Pairs<'a> {
    pub(super) fn of(columns: Columns, cells: &'a [i64]) -> Pairs<'a> {
        let table = Table::new(columns, cells);
        match columns.sides() {
            Some((lefts, rights)) => Pairs { table, width: lefts.width(), lefts, rights },
            None => unreachable!("not a table of pairs: {columns:?}"),
        }
    }

    #[inline]
    fn left_cells(self, i: usize) -> &'a [i64] {
        &self.table.row(i).cells[..self.width]
    }

    #[inline]
    fn left(self, i: usize) -> Row<'a> {
        self.lefts.row(self.left_cells(i))
    }

    #[inline]
    fn right(self, i: usize) -> Row<'a> {
        self.rights.row(&self.table.row(i).cells[self.width..])
    }

    /// `dom(r)`; `out` is its shape.
    pub(super) fn domain(self, out: &Shape) -> Value {
        let lefts = (0..self.table.size()).map(|i| self.left_cells(i));
        let mut cells = Vec::new();
        for left in lefts {
            if !cells.ends_with(left) {
                cells.extend_from_slice(left);
            }
        }
        side(out, self.lefts, cells)
    }

    /// `ran(r)`; `out` is its shape.
    pub(super) fn range(self, out: &Shape) -> Value {
        let width = self.rights.width();
        let mut cells = Vec::with_capacity(self.table.size() * width);
        (0..self.table.size()).for_each(|i| cells.extend_from_slice(self.right(i).cells));
        side(out, self.rights, table::increasing(cells, width))
    }

    /// The cells of a pair, if it can be a row.
    pub(super) fn row_of(self, x: &Value, y: &Value) -> Option<Cells> {
        let mut cells = self.lefts.cells(x)?;
        self.rights.write(y, &mut cells).then_some(cells)
    }

    /// The cells of a left side, if it can be one.
    fn key(self, x: &Value) -> Option<Cells> {
        self.lefts.cells(x)
    }

    /// The rows whose left side has these cells.
    fn group(self, key: &[i64]) -> Range<usize> {
        let is_own = |i: usize| i < self.table.size() && self.left_cells(i) == key;
        // Where it stands as far from the first as numbers say: in sequences, and in functions that have no gaps.
        if let ([x], [first, ..]) = (key, self.left_cells(0))
            && let Some(at) = x.checked_sub(*first).and_then(|at| usize::try_from(at).ok())
            && is_own(at)
            && !is_own(at + 1)
            && !at.checked_sub(1).is_some_and(is_own)
        {
            return at..at + 1;
        }
        let from = self.table.lines().partition_point(|row| &row[..self.width] < key);
        if !is_own(from) {
            return from..from;
        }
        if !is_own(from + 1) {
            return from..from + 1;
        }
        from..self.table.lines().partition_point(|row| &row[..self.width] <= key)
    }
}

/// The set of what stands in these cells, one side of a relation: strictly increasing.
fn side(out: &Shape, columns: Columns, cells: Vec<i64>) -> Value {
    match (out, columns.width()) {
        (Shape::Set(_), 2..) => table::from_cells(columns, cells),
        (_, width) => {
            let rows = cells.chunks_exact(width).map(|cells| columns.row(cells).value());
            match out {
                Shape::Set(_) => Value::Set(rows.collect()),
                _ => out.collect(rows),
            }
        }
    }
}

impl<'a> List<'a> {
    #[inline]
    pub(super) fn len(self) -> usize {
        match self {
            List::Values { items, .. } => items.len(),
            List::Rows(pairs) => pairs.table.size(),
        }
    }

    pub(super) fn all(self) -> Range<usize> {
        0..self.len()
    }

    pub(super) fn split(self, i: usize) -> (Value, Value) {
        (self.left(i), self.right(i))
    }

    #[inline]
    pub(super) fn left(self, i: usize) -> Value {
        match self {
            List::Values { width, items } => match &items[i] {
                Value::Pair(p) => p.0.clone(),
                pair => Value::Word(pair.word() / width),
            },
            List::Rows(pairs) => pairs.left(i).value(),
        }
    }

    #[inline]
    pub(super) fn right(self, i: usize) -> Value {
        match self {
            List::Values { width, items } => match &items[i] {
                Value::Pair(p) => p.1.clone(),
                pair => Value::Word(pair.word() % width),
            },
            List::Rows(pairs) => pairs.right(i).value(),
        }
    }

    #[inline]
    pub(super) fn compare_left(self, i: usize, x: &Value) -> Ordering {
        match self {
            List::Values { width, items } => match &items[i] {
                Value::Pair(p) => match (&p.0, x) {
                    (Value::Word(a), Value::Word(b)) => a.cmp(b),
                    (Value::Int(a), Value::Int(b)) => a.cmp(b),
                    (a, b) => a.cmp(b),
                },
                pair => (pair.word() / width).cmp(&x.word()),
            },
            List::Rows(pairs) => pairs.left(i).compare(x),
        }
    }

    /// Whether two pairs have the same left side.
    pub(super) fn share_left(self, i: usize, j: usize) -> bool {
        match self {
            List::Values { width, items } => match (&items[i], &items[j]) {
                (Value::Pair(p), Value::Pair(q)) => p.0 == q.0,
                (a, b) => a.word() / width == b.word() / width,
            },
            List::Rows(pairs) => pairs.left_cells(i) == pairs.left_cells(j),
        }
    }

    /// The first pair of which `is_before` is not true; it is true of those before that one, and no others.
    pub(super) fn partition_point(self, is_before: impl Fn(usize) -> bool) -> usize {
        first_not(self.len(), is_before)
    }

    /// The pairs whose left side is `x`.
    pub(super) fn group(self, x: &Value) -> Range<usize> {
        if let List::Rows(pairs) = self {
            return pairs.key(x).map_or(0..0, |key| pairs.group(&key));
        }
        if let Some(only) = self.only_one(x) {
            return only..only + 1;
        }
        let from = self.partition_point(|i| self.compare_left(i, x).is_lt());
        let is_own = |i: usize| i < self.len() && self.compare_left(i, x).is_eq();
        match (is_own(from), is_own(from + 1)) {
            (false, _) => from..from,
            // a function: no second search
            (true, false) => from..from + 1,
            (true, true) => from..self.partition_point(|i| self.compare_left(i, x).is_le()),
        }
    }

    /// The only pair whose left side is `x`, where it stands as far from the first pair as numbers say: in sequences, and in
    /// functions that have no gaps.
    #[inline]
    fn only_one(self, x: &Value) -> Option<usize> {
        let List::Values { width, items } = self else { return None };
        let at = match (items.first()?, x) {
            (Value::Pair(first), x) => match (&first.0, x) {
                (Value::Word(first), Value::Word(x)) => x.checked_sub(*first)?,
                (Value::Int(first), Value::Int(x)) => u64::try_from(x.checked_sub(*first)?).ok()?,
                _ => return None,
            },
            (first, x) => x.word().checked_sub(first.word() / width)?,
        };
        let at = usize::try_from(at).ok()?;
        let is_own = |at: usize| at < items.len() && self.compare_left(at, x).is_eq();
        let is_only = is_own(at) && !is_own(at + 1) && !at.checked_sub(1).is_some_and(is_own);
        is_only.then_some(at)
    }

    /// The pairs by left side, in increasing order.
    pub(super) fn groups(self) -> impl Iterator<Item = Range<usize>> {
        let mut rest = self.all();
        std::iter::from_fn(move || {
            let first = rest.start;
            if rest.is_empty() {
                return None;
            }
            rest.start += 1;
            while !rest.is_empty() && self.share_left(first, rest.start) {
                rest.start += 1;
            }
            Some(first..rest.start)
        })
    }

    /// The set of the pairs that `keep` keeps, given by their places; `whole` is the set of all.
    pub(super) fn filter(self, whole: &Value, keep: impl Fn(usize) -> bool) -> Value {
        match self {
            List::Values { items, .. } => {
                let kept = self.all().filter(|i| keep(*i)).map(|i| items[i].clone());
                let kept: Vec<Value> = kept.collect();
                if kept.len() == items.len() { whole.clone() } else { list(whole, kept) }
            }
            List::Rows(pairs) => {
                let mut cells = Vec::new();
                for i in self.all().filter(|i| keep(*i)) {
                    cells.extend_from_slice(pairs.table.row(i).cells);
                }
                match cells.len() == pairs.table.lines().cells.len() {
                    true => whole.clone(),
                    false => table::from_cells(pairs.table.columns, cells),
                }
            }
        }
    }

    /// The set of the pairs whose left sides are in (`keep`) or not in `s`; `whole` is the set of all. Those of a few are
    /// looked up.
    pub(super) fn with_lefts(self, whole: &Value, s: &Value, keep: bool) -> Value {
        if !are_few(Shape::Integer.card(s), self.len()) {
            return self.filter(whole, |i| has(s, &self.left(i)) == keep);
        }
        let groups = Shape::Integer.members(s).map(|x| self.group(&x));
        let groups: Vec<Range<usize>> = groups.filter(|group| !group.is_empty()).collect();
        if keep {
            return self.parts(whole, &groups);
        }
        let starts = [0].into_iter().chain(groups.iter().map(|group| group.end));
        let ends = groups.iter().map(|group| group.start).chain([self.len()]);
        let others: Vec<Range<usize>> = starts.zip(ends).map(|(start, end)| start..end).collect();
        self.parts(whole, &others)
    }

    /// The set of the pairs in some stretches, one after the other.
    fn parts(self, whole: &Value, parts: &[Range<usize>]) -> Value {
        if parts.iter().map(Range::len).sum::<usize>() == self.len() {
            return whole.clone();
        }
        match self {
            List::Values { items, .. } => {
                let kept = parts.iter().flat_map(|part| items[part.clone()].iter().cloned());
                list(whole, kept.collect())
            }
            List::Rows(pairs) => {
                let kept = parts.iter().map(|part| pairs.table.lines().range(part.clone()));
                table::from_cells(pairs.table.columns, kept.collect::<Vec<_>>().concat())
            }
        }
    }

    /// Whether the left sides are the numbers from 1 on, each once.
    pub(super) fn is_numbered(self) -> bool {
        let number = |i: usize| match self {
            List::Values { items, .. } => match &items[i] {
                Value::Pair(sides) => match sides.0 {
                    Value::Int(n) => Some(n),
                    _ => None,
                },
                _ => None,
            },
            List::Rows(pairs) => pairs.left(i).number(),
        };
        self.all().all(|i| number(i) == Some(i as i64 + 1))
    }

    /// The set of these pairs, of a relation from integers, and of one more behind them all.
    pub(super) fn followed_by(self, x: i64, y: &Value) -> Option<Value> {
        let List::Rows(pairs) = self else { return None };
        let own = pairs.table.lines().cells;
        let mut cells = Vec::with_capacity(own.len() + pairs.table.columns.width());
        cells.extend_from_slice(own);
        cells.push(x);
        pairs.rights.write(y, &mut cells).then(|| table::from_cells(pairs.table.columns, cells))
    }

    /// The pairs as a list of values.
    pub(super) fn values(self) -> Cow<'a, [Value]> {
        match self {
            List::Values { items, .. } => Cow::Borrowed(items),
            List::Rows(pairs) => Cow::Owned(pairs.table.values()),
        }
    }
}

/// The right sides of some pairs of relations from integers, one after the other, as a sequence.
pub(super) fn numbered(parts: &[(List, Range<usize>)]) -> Value {
    let lists = parts.iter().flat_map(|(list, range)| range.clone().map(move |i| (*list, i)));
    let columns = parts.iter().find_map(|(list, range)| match list {
        List::Rows(pairs) if !range.is_empty() => Some(pairs.table.columns),
        _ => None,
    });
    let is_table = |columns: Columns| {
        parts.iter().all(|(list, range)| match list {
            List::Rows(pairs) => pairs.table.columns == columns,
            List::Values { .. } => range.is_empty(),
        })
    };
    if let Some(columns) = columns.filter(|columns| is_table(*columns)) {
        let mut cells = Vec::with_capacity(
            parts.iter().map(|(_, part)| part.len()).sum::<usize>() * columns.width(),
        );
        for (n, (list, i)) in (1..).zip(lists) {
            if let List::Rows(pairs) = list {
                cells.push(n);
                cells.extend_from_slice(pairs.right(i).cells);
            }
        }
        return table::from_cells(columns, cells);
    }
    let pair = |(n, (list, i)): (i64, (List, usize))| {
        Value::Pair(Arc::new((Value::Int(n), list.right(i))))
    };
    Value::set((1..).zip(lists).map(pair).collect())
}

/// How the left sides of two pairs of such a list compare.
pub(super) fn compare_lefts(list: List, a: &Value, b: &Value) -> Ordering {
    match (list, a, b) {
        (_, Value::Pair(p), Value::Pair(q)) => p.0.cmp(&q.0),
        (List::Values { width, .. }, a, b) => (a.word() / width).cmp(&(b.word() / width)),
        (List::Rows(_), ..) => unreachable!("a table of pairs has pairs: {a:?}, {b:?}"),
    }
}

/// `l <+ m`, neither of which is empty.
pub(super) fn override_lists(l: List, m: List) -> Value {
    if let (List::Rows(p), List::Rows(q)) = (l, m)
        && p.table.columns == q.table.columns
    {
        return override_rows(p, q.table.lines());
    }
    let (x, y) = (l.values(), m.values());
    let lines = |cells| Lines { cells, width: 1 };
    let order = |a: &[Value], b: &[Value]| compare_lefts(l, &a[0], &b[0]);
    Value::set(override_lines(lines(&x), lines(&y), order))
}

/// The same of tables, the second one by its lines.
pub(super) fn override_rows(pairs: Pairs, by: Lines<'_, i64>) -> Value {
    let order = |a: &[i64], b: &[i64]| a[..pairs.width].cmp(&b[..pairs.width]);
    table::from_cells(pairs.table.columns, override_lines(pairs.table.lines(), by, order))
}

/// The lines of `x` whose left sides no line of `y` has, and those of `y`.
fn override_lines<T: Ord + Clone>(
    x: Lines<'_, T>,
    y: Lines<'_, T>,
    left: impl Fn(&[T], &[T]) -> Ordering,
) -> Vec<T> {
    let mut out = Vec::with_capacity(x.cells.len() + y.cells.len());
    let mut done = 0;
    for line in (0..y.len()).map(|j| y.get(j)) {
        let rest = Lines { cells: x.range(done..x.len()), width: x.width };
        let before = done + rest.partition_point(|other| left(other, line).is_lt());
        out.extend_from_slice(x.range(done..before));
        out.extend_from_slice(line);
        let same = (before..x.len()).take_while(|i| left(x.get(*i), line).is_eq());
        done = before + same.count();
    }
    out.extend_from_slice(x.range(done..x.len()));
    out
}

/// A part of a relation held as a list. A relation held as bits reaches this only when one side has
/// no elements, and is then its own only part.
pub(super) fn list(whole: &Value, items: Vec<Value>) -> Value {
    match whole {
        Value::Set(_) | Value::Table(..) => Value::set(items),
        _ => whole.clone(),
    }
}
