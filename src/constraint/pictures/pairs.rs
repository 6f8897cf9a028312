//! Pairs of scalars with a number of their own: `p(i) |-> p(i + 1) : moves` of points in a plane is a relation between
//! numbers then, and that all points differ says that all numbers do.

use super::object::{Object, is_scalar, number_of, scalar};
use crate::constraint::build::{Builder, Built, Refusal};
use crate::constraint::claim::{Claim, Poster};
use crate::constraint::propagators::element::Table;
use crate::constraint::propagators::grid::Grid;
use crate::constraint::sketch::Host;
use crate::constraint::store::Var;
use crate::value::{Shape, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Most values that a pair may have to be numbered, and second sides that there may be.
const MOST_PAIRS: u64 = 1024;

/// How pairs are numbered: row by row, of second sides between these.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Numbering {
    pub low: i64,
    pub high: i64,
}

/// The numbers that pairs of variables were given.
#[derive(Default)]
pub struct Numbers {
    known: FxHashMap<(Var, Var, Numbering), Option<Var>>,
    /// The one that was asked for first: what it can number is numbered so.
    pub first: Option<Numbering>,
}

impl Numbering {
    /// That of second sides from one to another.
    fn of(low: i64, high: i64) -> Option<Numbering> {
        (high.checked_sub(low)? < MOST_PAIRS as i64).then_some(Numbering { low, high })
    }

    fn covers(self, other: Numbering) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The number of a pair; `None` where the second side is not between these.
    pub fn number(self, x: i64, y: i64) -> Option<i64> {
        let width = self.high - self.low + 1;
        let inside = self.low <= y && y <= self.high;
        inside.then(|| x.checked_mul(width)?.checked_add(y - self.low))?
    }
}

impl Poster {
    /// The numbering for pairs whose second sides are between these.
    pub fn numbering(&mut self, low: i64, high: i64) -> Option<Numbering> {
        let wanted = Numbering::of(low, high)?;
        let first = *self.pairs.first.get_or_insert(wanted);
        Some(if first.covers(wanted) { first } else { wanted })
    }

    /// A variable that numbers the values of a pair.
    pub fn numbered(&mut self, (a, b): (Var, Var), by: Numbering) -> Option<Var> {
        if let Some(known) = self.pairs.known.get(&(a, b, by)) {
            return *known;
        }
        let number = self.number_of_pair((a, b), by);
        self.pairs.known.insert((a, b, by), number);
        number
    }

    fn number_of_pair(&mut self, (a, b): (Var, Var), by: Numbering) -> Option<Var> {
        let store = &mut self.engine.store;
        let few = store.size(a).saturating_mul(store.size(b)) <= MOST_PAIRS;
        let known = |var: Var| store.has_bits(var) || store.is_fixed(var);
        if !few || !known(a) || !known(b) {
            return None;
        }
        let mut rows: Vec<Box<[i64]>> = Vec::new();
        for x in store.values(a) {
            for y in store.values(b) {
                rows.push(Box::new([x, y, by.number(x, y)?]));
            }
        }
        let numbers = rows.iter().map(|row| row[2]);
        let (first, last) = (numbers.clone().min()?, numbers.max()?);
        let number = store.variable(first, last);
        self.engine.add(Table { vars: Box::new([a, b, number]), rows: rows.into() });
        Some(number)
    }
}

impl<'p, H: Host> Builder<'p, H> {
    /// `p |-> q : set`, of pairs that are not known and a relation that is. `None` where it cannot be told so.
    pub(in crate::constraint) fn pairs_in(
        &mut self,
        (p, q): (&Object, &Object),
        shape: &Shape,
        set: &Value,
        sets: &Shape,
    ) -> Built<Option<Claim>, H> {
        let (left, right) = shape.sides();
        let (Some(p), Some(q)) = (self.pair_of_vars(p, &left)?, self.pair_of_vars(q, &right)?)
        else {
            return Ok(None);
        };
        self.step(sets.card(set))?;
        let members: Option<Vec<[i64; 4]>> =
            sets.members(set).map(|pair| numbers_of(&pair, shape)).collect();
        let Some(members) = members.filter(|members| !members.is_empty()) else { return Ok(None) };
        let store = &self.poster.engine.store;
        let seconds = members.iter().flat_map(|m| [m[1], m[3]]);
        let low = seconds.clone().min().into_iter().chain([store.low(p.1), store.low(q.1)]).min();
        let high = seconds.max().into_iter().chain([store.high(p.1), store.high(q.1)]).max();
        let numbering = low.zip(high).and_then(|(low, high)| self.poster.numbering(low, high));
        let Some(by) = numbering else { return Ok(None) };
        let Some(grid) = self.grid_of_pairs(set, &members, by) else { return Ok(None) };
        let (Some(p), Some(q)) = (self.poster.numbered(p, by), self.poster.numbered(q, by)) else {
            return Ok(None);
        };
        let store = &self.poster.engine.store;
        let short = store.has_bits(p) && store.has_bits(q);
        Ok(short.then_some(Claim::Pair(grid, p, q, true)))
    }

    /// The relation between the numbers; the last one is kept.
    fn grid_of_pairs(
        &mut self,
        set: &Value,
        members: &[[i64; 4]],
        by: Numbering,
    ) -> Option<Rc<Grid>> {
        if let Some((known, numbering, grid)) = &self.last_grid_of_pairs
            && *numbering == by
            && known == set
        {
            return grid.clone();
        }
        let numbers =
            members.iter().map(|m| Some((by.number(m[0], m[1])?, by.number(m[2], m[3])?)));
        let grid = numbers.collect::<Option<Vec<_>>>().and_then(|all| Grid::new(&all)).map(Rc::new);
        self.last_grid_of_pairs = Some((set.clone(), by, grid.clone()));
        grid
    }

    /// The variables of a pair of scalars.
    fn pair_of_vars(&mut self, pair: &Object, shape: &Shape) -> Built<Option<(Var, Var)>, H> {
        if !super::object::is_pairs(shape) {
            return Ok(None);
        }
        let (left, right) = shape.sides();
        if !is_scalar(&left) || !is_scalar(&right) {
            return Ok(None);
        }
        let Some((x, y)) = self.sides(pair, shape)? else { return Ok(None) };
        let mut var = |side: &Object, shape: &Shape| {
            let sum = scalar(side, shape, &mut self.poster)?;
            self.poster.variable(&sum)
        };
        match (var(&x, &left), var(&y, &right)) {
            (Some(x), Some(y)) => Ok(Some((x, y))),
            _ => Err(Refusal::Opaque),
        }
    }
}

/// The numbers in a pair of pairs of scalars.
fn numbers_of(value: &Value, shape: &Shape) -> Option<[i64; 4]> {
    let ((left, right), (p, q)) = (shape.sides(), shape.split(value));
    let ((a, b), (c, d)) = (left.split(&p), right.split(&q));
    Some([number_of(&a)?, number_of(&b)?, number_of(&c)?, number_of(&d)?])
}
