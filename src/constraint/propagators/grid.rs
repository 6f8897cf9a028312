//! Pairs of values that are, or are not, in a relation that is known.

use super::super::engine::Propagator;
use super::super::literal::Lit;
use super::super::store::{Conflict, Event, Store, Var};
use smallvec::SmallVec;
use std::rc::Rc;

/// Most places of a grid.
const LARGEST: i64 = 1 << 20;

/// A relation between integers: a row of bits for each left side.
#[derive(PartialEq, Debug)]
pub struct Grid {
    left: i64,
    right: i64,
    /// Words of a row.
    width: usize,
    rows: Box<[u64]>,
}

type Row = SmallVec<[u64; 4]>;

impl Grid {
    /// The relation of these pairs; `None` where its rows would be too long.
    pub fn new(pairs: &[(i64, i64)]) -> Option<Grid> {
        let bounds = |side: &dyn Fn(&(i64, i64)) -> i64| {
            Some((pairs.iter().map(side).min()?, pairs.iter().map(side).max()?))
        };
        let (left, right) = (bounds(&|p| p.0)?, bounds(&|p| p.1)?);
        let extent = |(low, high): (i64, i64)| high.checked_sub(low)?.checked_add(1);
        let (height, length) = (extent(left)?, extent(right)?);
        if height.checked_mul(length)? > LARGEST {
            return None;
        }
        let width = (length as usize).div_ceil(64);
        let mut rows = vec![0u64; height as usize * width];
        for (x, y) in pairs {
            let (x, y) = ((x - left.0) as usize, (y - right.0) as usize);
            rows[x * width + y / 64] |= 1 << (y % 64);
        }
        Some(Grid { left: left.0, right: right.0, width, rows: rows.into() })
    }

    /// The partners of a left side, if it has any.
    fn row(&self, x: i64) -> Option<&[u64]> {
        let at = usize::try_from(x.checked_sub(self.left)?).ok()?.checked_mul(self.width)?;
        self.rows.get(at..at + self.width)
    }

    fn bit(&self, y: i64) -> Option<usize> {
        let at = usize::try_from(y.checked_sub(self.right)?).ok()?;
        (at < self.width * 64).then_some(at)
    }
}

/// If `on` is true, then the pair of these is in the relation, or it is not.
pub struct InGrid {
    pub on: Lit,
    pub grid: Rc<Grid>,
    pub left: Var,
    pub right: Var,
    pub inside: bool,
}

/// What is left of the right side: the values that have a bit, and whether there are others.
struct Right {
    bits: Row,
    others: bool,
}

impl InGrid {
    fn right(&self, store: &Store) -> Right {
        let mut right = Right { bits: SmallVec::from_elem(0, self.grid.width), others: false };
        for y in store.values(self.right) {
            match self.grid.bit(y) {
                Some(at) => right.bits[at / 64] |= 1 << (at % 64),
                None => right.others = true,
            }
        }
        right
    }

    /// Which of the right sides that are left go with a left side; whether any does.
    fn partners(&self, x: i64, right: &Right, add: &mut dyn FnMut(usize, u64)) -> bool {
        let row = self.grid.row(x);
        let mut any = right.others && !self.inside;
        for (i, bits) in right.bits.iter().enumerate() {
            let row = row.map_or(0, |row| row[i]);
            let both = bits & if self.inside { row } else { !row };
            any |= both != 0;
            add(i, both);
        }
        any
    }

    fn hold(&self, store: &mut Store) -> Result<(), Conflict> {
        let right = self.right(store);
        let mut seen: Row = SmallVec::from_elem(0, self.grid.width);
        let mut lost: SmallVec<[i64; 8]> = SmallVec::new();
        for x in store.values(self.left) {
            if !self.partners(x, &right, &mut |i, bits| seen[i] |= bits) {
                lost.push(x);
            }
        }
        lost.into_iter().try_for_each(|x| store.remove(self.left, x))?;
        let (grid, inside) = (&self.grid, self.inside);
        store.retain(self.right, |y| match grid.bit(y) {
            Some(at) => seen[at / 64] >> (at % 64) & 1 == 1,
            None => !inside,
        })
    }
}

impl Propagator for InGrid {
    fn watched(&self) -> Vec<(Var, Event)> {
        vec![(self.left, Event::Domain), (self.right, Event::Domain)]
    }

    fn literals(&self) -> Vec<Lit> {
        vec![self.on]
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        match store.truth(self.on) {
            Some(false) => return Ok(()),
            Some(true) => return self.hold(store),
            None => {}
        }
        let right = self.right(store);
        if store.values(self.left).any(|x| self.partners(x, &right, &mut |_, _| {})) {
            return Ok(());
        }
        store.assert(self.on.negated())
    }

    fn is_costly(&self) -> bool {
        true
    }
}
