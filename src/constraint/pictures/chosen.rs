//! One of several values that are known: its sides, its points, and one of several such values.

use super::object::{Object, Point, is_pairs};
use crate::constraint::build::{Builder, Built, Refusal};
use crate::constraint::claim::Claim;
use crate::constraint::literal::Linear;
use crate::constraint::propagators::element::{Element, Picked};
use crate::constraint::propagators::linear::Relation;
use crate::constraint::sketch::Host;
use crate::constraint::store::Var;
use crate::value::{Shape, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most pairs, of all functions together, of which one is applied.
const MOST_PAIRS: usize = 100_000;

/// Known pairs, and both sides of the one of them that a variable says.
pub(in crate::constraint) struct Sides {
    of: Rc<[Value]>,
    both: (Object, Object),
}

/// One of several functions, by the variable that says which, and its points.
pub(in crate::constraint) struct Chosen {
    of: Rc<[Value]>,
    points: Rc<[Point]>,
}

impl<'p, H: Host> Builder<'p, H> {
    /// Both sides of a pair; of one of several pairs that are known, each side by the number of that one. `None` of what
    /// is no pair.
    pub fn sides(&mut self, pair: &Object, shape: &Shape) -> Built<Option<(Object, Object)>, H> {
        let Object::OneOf(index, values) = pair else { return Ok(pair.sides(shape)) };
        if !is_pairs(shape) {
            return Ok(None);
        }
        if let Some(known) = self.sides.get(index).filter(|known| Rc::ptr_eq(&known.of, values)) {
            return Ok(Some(known.both.clone()));
        }
        let parts = values.iter().map(|value| shape.split(value));
        let (left, right): (Vec<Value>, Vec<Value>) = parts.unzip();
        let rows = |side: Vec<Value>| (0..).zip(side.into_iter().map(Object::Known)).collect();
        let (left, right): (Vec<_>, Vec<_>) = (rows(left), rows(right));
        let shapes = shape.sides();
        let left = self.select(*index, &left, &shapes.0)?;
        let both = (left, self.select(*index, &right, &shapes.1)?);
        self.sides.insert(*index, Sides { of: values.clone(), both: both.clone() });
        Ok(Some(both))
    }

    /// The points of one of several functions.
    pub(super) fn points_of_chosen(
        &mut self,
        var: Var,
        functions: &Rc<[Value]>,
        shape: &Shape,
    ) -> Built<Rc<[Point]>, H> {
        if let Some(known) = self.chosen.get(&var).filter(|known| Rc::ptr_eq(&known.of, functions))
        {
            return Ok(known.points.clone());
        }
        let pairs: usize = functions.iter().map(|function| shape.card(function)).sum();
        if pairs > MOST_PAIRS {
            return Err(Refusal::Opaque);
        }
        let mut all = Vec::with_capacity(functions.len());
        for (i, function) in (0..).zip(functions.iter()) {
            all.push((i, self.points(&Object::Known(function.clone()), shape)?));
        }
        let points = self.select_points(var, all, shape)?;
        let chosen = Chosen { of: functions.clone(), points: points.clone() };
        self.chosen.insert(var, chosen);
        Ok(points)
    }

    /// What stands beside the number that the index is, each known or one of several values: one of all these.
    pub(super) fn select_chosen(&mut self, index: Var, rows: &[(i64, Object)]) -> Built<Object, H> {
        let values = all_of(rows.iter().map(|(_, row)| row)).ok_or(Refusal::Opaque)?;
        let mut picked = Vec::with_capacity(rows.len());
        for (i, row) in rows {
            let pick = match row {
                Object::OneOf(var, several) => {
                    Picked::Var(self.number_among(*var, several, &values))
                }
                Object::Known(value) => Picked::Number(place(value, &values)),
                _ => return Err(Refusal::Opaque),
            };
            picked.push((*i, pick));
        }
        let result = self.picked(index, picked, values.len());
        Ok(Object::OneOf(result, values))
    }

    /// One of several values is one of several others: their numbers among all of them are the same.
    pub(in crate::constraint) fn same_chosen(
        &mut self,
        (x, xs): (Var, &Rc<[Value]>),
        (y, ys): (Var, &Rc<[Value]>),
    ) -> Built<Claim, H> {
        let sides = [Object::OneOf(x, xs.clone()), Object::OneOf(y, ys.clone())];
        let values = all_of(sides.iter()).ok_or(Refusal::Opaque)?;
        let (x, y) = (self.number_among(x, xs, &values), self.number_among(y, ys, &values));
        let apart = Linear::var(x).plus(-1, &Linear::var(y)).ok_or(Refusal::Opaque)?;
        Ok(Claim::Sum(Relation::Equal, apart))
    }

    /// The number of one of several values among more of them.
    fn number_among(&mut self, var: Var, several: &Rc<[Value]>, all: &Rc<[Value]>) -> Var {
        if Rc::ptr_eq(several, all) || several == all {
            return var;
        }
        let numbers = several.iter().map(|value| Picked::Number(place(value, all)));
        self.picked(var, (0..).zip(numbers).collect(), all.len())
    }

    /// A number below `of`, which stands beside the number that the index is.
    fn picked(&mut self, index: Var, rows: Vec<(i64, Picked)>, of: usize) -> Var {
        let result = self.poster.engine.store.variable(0, of as i64 - 1);
        self.poster.engine.add(Element { index, rows: rows.into(), result });
        result
    }
}

/// All values that these may have, in order; `None` where they are not known, or there is none.
fn all_of<'o>(objects: impl Iterator<Item = &'o Object> + Clone) -> Option<Rc<[Value]>> {
    let mut all = BTreeSet::new();
    for object in objects.clone() {
        match object {
            Object::Known(value) => all.extend([value.clone()]),
            Object::OneOf(_, several) => all.extend(several.iter().cloned()),
            _ => return None,
        }
    }
    let own = objects.filter_map(|object| match object {
        Object::OneOf(_, several) => Some(several),
        _ => None,
    });
    let whole = own.into_iter().find(|several| several.iter().eq(all.iter()));
    match whole {
        Some(several) => Some(several.clone()),
        None => (!all.is_empty()).then(|| all.into_iter().collect()),
    }
}

/// The place of one of these values, which are in order.
fn place(value: &Value, among: &[Value]) -> i64 {
    among.binary_search(value).map_or(0, |at| at as i64)
}
