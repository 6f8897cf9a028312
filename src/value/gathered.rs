//! Members of a set while they are found, in any order and with any repetitions.

use super::shape::Shape;
use super::table::{self, Columns, Table};
use super::value::Value;

/// What was found so far of a set of this shape: in rows as long as it makes a [table](super::table).
pub struct Gathered<'s> {
    shape: &'s Shape,
    found: Found,
}

enum Found {
    Nothing,
    Rows { columns: Columns, cells: Vec<i64> },
    Values(Vec<Value>),
}

impl<'s> Gathered<'s> {
    pub fn new(shape: &'s Shape) -> Gathered<'s> {
        Gathered { shape, found: Found::Nothing }
    }

    /// Number of members that were added, some of them perhaps several times.
    pub fn size(&self) -> usize {
        match &self.found {
            Found::Nothing => 0,
            Found::Rows { columns, cells } => cells.len() / columns.width(),
            Found::Values(values) => values.len(),
        }
    }

    pub fn push(&mut self, member: Value) {
        let write = |columns: Columns, cells: &mut Vec<i64>| columns.write(&member, cells);
        if !self.add_row(|| Columns::of(&member), write) {
            self.values().push(member);
        }
    }

    /// Adds a pair of these, to a relation.
    pub fn push_pair(&mut self, x: Value, y: Value) {
        let write = |columns: Columns, cells: &mut Vec<i64>| {
            columns
                .sides()
                .is_some_and(|(left, right)| left.write(&x, cells) && right.write(&y, cells))
        };
        if !self.add_row(|| Columns::of_pair(&x, &y), write) {
            let pair = self.shape.element().pair(x, y);
            self.values().push(pair);
        }
    }

    /// Adds a member as a row, if it can be one. `columns`: what the rows are made of if it is the first one.
    fn add_row(
        &mut self,
        columns: impl FnOnce() -> Option<Columns>,
        write: impl FnOnce(Columns, &mut Vec<i64>) -> bool,
    ) -> bool {
        if let Found::Nothing = self.found {
            self.found = match (self.shape, columns()) {
                (Shape::Set(of), Some(columns)) if of.index().is_none() => {
                    Found::Rows { columns, cells: Vec::new() }
                }
                _ => Found::Values(Vec::new()),
            };
        }
        let Found::Rows { columns, cells } = &mut self.found else { return false };
        let done = cells.len();
        let is_written = write(*columns, cells);
        if !is_written {
            cells.truncate(done);
        }
        is_written
    }

    /// What was found, as a list of values from now on.
    fn values(&mut self) -> &mut Vec<Value> {
        if let Found::Rows { columns, cells } = &self.found {
            self.found = Found::Values(Table::new(*columns, cells).values());
        }
        if let Found::Nothing = self.found {
            self.found = Found::Values(Vec::new());
        }
        match &mut self.found {
            Found::Values(values) => values,
            _ => unreachable!("it was made a list"),
        }
    }

    /// The set.
    pub fn set(self) -> Value {
        match self.found {
            Found::Nothing => self.shape.empty(),
            Found::Rows { columns, cells } => {
                table::from_cells(columns, table::increasing(cells, columns.width()))
            }
            Found::Values(values) => self.shape.collect(values),
        }
    }
}
