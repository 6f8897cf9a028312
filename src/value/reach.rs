//! Where a relation leads in one step or more: what is asked of its closure, without the closure.
//!
//! The closure of a chain of `n` points has `n * n / 2` pairs. What single points lead to is found by a search, over
//! points that are numbers; so is what a point is asked for again, which is kept as bits. Where the closure of a list is
//! wanted as a whole, all points are searched from.

use super::meter::{GivenUp, Meter};
use super::rows::pairs;
use super::shape::Shape;
use super::value::Value;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Most words of what is kept about the points of one relation.
const MOST_KEPT: usize = 1 << 24;

/// A relation on one type, with its points numbered.
pub struct Reach {
    relation: Value,
    /// The sides of the pairs, sorted.
    points: Vec<Value>,
    /// What follows point `i` is `targets[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    targets: Vec<u32>,
    /// The search that found a point last, by its number; searches are numbered from 1.
    seen: Vec<u64>,
    searches: u64,
    /// What points lead to that were asked for, as bits.
    rows: FxHashMap<u32, Box<[u64]>>,
}

impl Reach {
    /// # Errors
    /// The meter said no.
    pub fn new(rel: &Shape, r: &Value, meter: &mut dyn Meter) -> Result<Reach, GivenUp> {
        let steps: Vec<(Value, Value)> = pairs(rel, r).collect();
        let mut points: Vec<Value> = Vec::with_capacity(2 * steps.len());
        points.extend(steps.iter().flat_map(|(x, y)| [x.clone(), y.clone()]));
        points.sort_unstable();
        points.dedup();
        meter.spent(2 * steps.len() + 1, steps.len())?;
        // Every side of every pair is a point, and the pairs are sorted by their left sides.
        let number = |v: &Value| points.binary_search(v).unwrap_or_default();
        let (mut starts, mut targets) = (Vec::with_capacity(points.len() + 1), Vec::new());
        for (x, y) in &steps {
            starts.resize(starts.len().max(number(x) + 1), targets.len() as u32);
            targets.push(number(y) as u32);
        }
        starts.resize(points.len() + 1, targets.len() as u32);
        let (seen, rows) = (vec![0; points.len()], FxHashMap::default());
        Ok(Reach { relation: r.clone(), points, starts, targets, seen, searches: 0, rows })
    }

    /// Whether this is the relation, and not only one that is equal to it.
    pub fn is_of(&self, r: &Value) -> bool {
        matches!(r, Value::Set(_) | Value::Table(..)) && self.relation.is_same(r)
    }

    fn number(&self, x: &Value) -> Option<u32> {
        self.points.binary_search(x).ok().map(|i| i as u32)
    }

    fn point(&self, i: u32) -> Value {
        self.points[i as usize].clone()
    }

    /// The points that are members of a set of this shape; others lead nowhere.
    fn numbers(&self, (shape, s): (&Shape, &Value)) -> Vec<u32> {
        shape.members(s).filter_map(|x| self.number(&x)).collect()
    }

    /// Where the targets of a point stand.
    fn steps(&self, i: u32) -> Range<usize> {
        let at = |i: u32| self.starts[i as usize] as usize;
        at(i)..at(i + 1)
    }

    fn next(&self, i: u32) -> &[u32] {
        &self.targets[self.steps(i)]
    }

    /// What some points lead to, increasing.
    fn search(&mut self, from: &[u32], meter: &mut dyn Meter) -> Result<Vec<u32>, GivenUp> {
        self.searches += 1;
        let mut found: Vec<u32> = Vec::new();
        from.iter().for_each(|i| self.visit(*i, &mut found));
        let mut done = 0;
        while let Some(i) = found.get(done).copied() {
            self.visit(i, &mut found);
            done += 1;
            if done % 1024 == 0 {
                meter.spent(1024, found.len())?;
            }
        }
        meter.spent(from.len() + done % 1024 + 1, found.len())?;
        found.sort_unstable();
        Ok(found)
    }

    /// Adds what follows a point, where this search has not found it.
    fn visit(&mut self, i: u32, found: &mut Vec<u32>) {
        for at in self.steps(i) {
            let to = self.targets[at];
            if std::mem::replace(&mut self.seen[to as usize], self.searches) != self.searches {
                found.push(to);
            }
        }
    }

    /// The pairs of the closure that begin with these points, in their order.
    fn pairs_from(
        &mut self,
        from: impl IntoIterator<Item = u32>,
        pairs: &Shape,
        meter: &mut dyn Meter,
    ) -> Result<Vec<Value>, GivenUp> {
        let mut result = Vec::new();
        for i in from {
            let found = self.search(&[i], meter)?;
            let x = &self.points[i as usize];
            result.extend(found.iter().map(|y| pairs.pair(x.clone(), self.point(*y))));
            meter.spent(0, result.len())?;
        }
        Ok(result)
    }

    /// What a point leads to, as bits, found once.
    fn row(&mut self, i: u32, meter: &mut dyn Meter) -> Result<&[u64], GivenUp> {
        if !self.rows.contains_key(&i) {
            let mut row = vec![0u64; self.points.len().div_ceil(64)].into_boxed_slice();
            for to in self.search(&[i], meter)? {
                row[to as usize / 64] |= 1 << (to % 64);
            }
            if (self.rows.len() + 1).saturating_mul(row.len()) > MOST_KEPT {
                self.rows.clear();
            }
            self.rows.insert(i, row);
        }
        Ok(&self.rows[&i])
    }

    /// `x |-> y : closure1(r)`
    ///
    /// # Errors
    /// The meter said no.
    pub fn leads(&mut self, x: &Value, y: &Value, meter: &mut dyn Meter) -> Result<bool, GivenUp> {
        let (Some(x), Some(y)) = (self.number(x), self.number(y)) else { return Ok(false) };
        Ok(has_bit(self.row(x, meter)?, y))
    }

    /// The members of `closure1(r)`, increasing.
    ///
    /// # Errors
    /// The meter said no.
    pub fn all(&mut self, pairs: &Shape, meter: &mut dyn Meter) -> Result<Vec<Value>, GivenUp> {
        self.pairs_from(0..self.points.len() as u32, pairs, meter)
    }

    /// `closure1(r)[s]`
    ///
    /// # Errors
    /// The meter said no.
    pub fn image(
        &mut self,
        of: (&Shape, &Value),
        out: &Shape,
        meter: &mut dyn Meter,
    ) -> Result<Value, GivenUp> {
        let from = self.numbers(of);
        let found = self.search(&from, meter)?;
        Ok(out.collect(found.into_iter().map(|i| self.point(i))))
    }

    /// `s <| closure1(r)`
    ///
    /// # Errors
    /// The meter said no.
    pub fn restricted(
        &mut self,
        of: (&Shape, &Value),
        out: &Shape,
        meter: &mut dyn Meter,
    ) -> Result<Value, GivenUp> {
        let from = self.numbers(of);
        Ok(out.collect(self.pairs_from(from, &out.element(), meter)?))
    }

    /// `closure1(r) /\ id(s)`
    ///
    /// # Errors
    /// The meter said no.
    pub fn circles(
        &mut self,
        (within, s): (&Shape, &Value),
        out: &Shape,
        meter: &mut dyn Meter,
    ) -> Result<Value, GivenUp> {
        let (pairs, mut result) = (out.element(), Vec::new());
        for i in self.leading_to_circles(meter)? {
            let x = self.point(i);
            if within.contains(s, &x) && has_bit(self.row(i, meter)?, i) {
                result.push(pairs.pair(x.clone(), x));
            }
        }
        Ok(out.collect(result))
    }

    /// The points that lead to one that leads to itself: those that are left when what leads to nothing that is left
    /// is taken away.
    fn leading_to_circles(&self, meter: &mut dyn Meter) -> Result<Vec<u32>, GivenUp> {
        let count = self.points.len();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut left: Vec<usize> = vec![0; count];
        for i in 0..count as u32 {
            left[i as usize] = self.next(i).len();
            self.next(i).iter().for_each(|to| before[*to as usize].push(i));
        }
        meter.spent(count + self.targets.len(), count)?;
        let mut ends: Vec<usize> = (0..count).filter(|i| left[*i] == 0).collect();
        while let Some(end) = ends.pop() {
            for i in &before[end] {
                let left = &mut left[*i as usize];
                *left -= 1;
                if *left == 0 {
                    ends.push(*i as usize);
                }
            }
        }
        Ok((0..count as u32).filter(|i| left[*i as usize] > 0).collect())
    }
}

fn has_bit(row: &[u64], i: u32) -> bool {
    row[i as usize / 64] >> (i % 64) & 1 == 1
}
