//! Products, quotients and remainders, greatest and least.

use super::super::engine::Propagator;
use super::super::literal::clamped;
use super::super::store::{Conflict, Event, INFINITE, Store, Var};
use rustc_hash::FxHashSet;

/// Most pairs of factors of which each is looked at.
const FEW_PAIRS: u64 = 256;

fn bounds(store: &Store, var: Var) -> (i64, i64) {
    (store.low(var), store.high(var))
}

fn is_bounded(range: (i64, i64)) -> bool {
    range.0 > -INFINITE && range.1 < INFINITE
}

fn within(store: &mut Store, var: Var, low: i128, high: i128) -> Result<(), Conflict> {
    store.at_least(var, clamped(low))?;
    store.at_most(var, clamped(high))
}

/// `product = left * right`.
pub struct Product {
    pub product: Var,
    pub left: Var,
    pub right: Var,
}

impl Propagator for Product {
    fn watched(&self) -> Vec<(Var, Event)> {
        [self.product, self.left, self.right].map(|v| (v, Event::Domain)).into()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        loop {
            let before = [self.product, self.left, self.right].map(|v| bounds(store, v));
            self.multiply(store)?;
            if self.left == self.right {
                self.root(store)?;
            } else {
                self.divide(store, self.left, self.right)?;
                self.divide(store, self.right, self.left)?;
            }
            if let Some(product) = store.value(self.product).filter(|n| *n != 0) {
                for factor in [self.left, self.right] {
                    store.retain(factor, |n| n != 0 && product % n == 0)?;
                }
            }
            self.by_value(store)?;
            if before == [self.product, self.left, self.right].map(|v| bounds(store, v)) {
                return Ok(());
            }
        }
    }
}

impl Product {
    /// Of few factors each is looked at: it needs another one with which the product is one that there may be.
    fn by_value(&self, store: &mut Store) -> Result<(), Conflict> {
        let (left, right, product) = (self.left, self.right, self.product);
        let is_square = left == right;
        let pairs = store.size(left).saturating_mul(if is_square { 1 } else { store.size(right) });
        if pairs > FEW_PAIRS || !store.has_bits(left) || !store.has_bits(right) {
            return Ok(());
        }
        let (xs, ys): (Vec<i64>, Vec<i64>) =
            (store.values(left).collect(), store.values(right).collect());
        let mut products = Vec::new();
        let (mut is_wanted_x, mut is_wanted_y) = (vec![false; xs.len()], vec![false; ys.len()]);
        for (i, x) in xs.iter().enumerate() {
            for j in if is_square { i..i + 1 } else { 0..ys.len() } {
                let Some(n) = x.checked_mul(ys[j]) else { return Ok(()) };
                if store.contains(product, n) {
                    products.push(n);
                    (is_wanted_x[i], is_wanted_y[j]) = (true, true);
                }
            }
        }
        for (var, values, is_wanted) in [(left, xs, is_wanted_x), (right, ys, is_wanted_y)] {
            for (value, _) in values.into_iter().zip(is_wanted).filter(|(_, is_wanted)| !is_wanted)
            {
                store.remove(var, value)?;
            }
        }
        products.sort_unstable();
        store.retain(product, |n| products.binary_search(&n).is_ok())
    }

    fn multiply(&self, store: &mut Store) -> Result<(), Conflict> {
        let (a, b) = (bounds(store, self.left), bounds(store, self.right));
        if !is_bounded(a) || !is_bounded(b) {
            return if self.left == self.right {
                store.at_least(self.product, 0)
            } else {
                self.multiply_unbounded(store, a, b)
            };
        }
        let corner = |x: i64, y: i64| x as i128 * y as i128;
        let corners = [corner(a.0, b.0), corner(a.0, b.1), corner(a.1, b.0), corner(a.1, b.1)];
        let mut least = corners.into_iter().min().unwrap_or(0);
        if self.left == self.right {
            least = if a.0 > 0 || a.1 < 0 { corners[0].min(corners[3]) } else { 0 };
        }
        within(store, self.product, least, corners.into_iter().max().unwrap_or(0))
    }

    /// Signs and least sizes are known even so.
    fn multiply_unbounded(
        &self,
        store: &mut Store,
        a: (i64, i64),
        b: (i64, i64),
    ) -> Result<(), Conflict> {
        if a.0 >= 0 && b.0 >= 0 {
            store.at_least(self.product, clamped(a.0 as i128 * b.0 as i128))?;
        }
        if a == (0, 0) || b == (0, 0) {
            store.fix(self.product, 0)?;
        }
        Ok(())
    }

    /// `of = product / by`, where that says something.
    fn divide(&self, store: &mut Store, of: Var, by: Var) -> Result<(), Conflict> {
        let (p, d) = (bounds(store, self.product), bounds(store, by));
        if !is_bounded(p) {
            return Ok(());
        }
        if d.0 <= 0 && d.1 >= 0 {
            // A product that is not 0 has no factor 0, and its factors are no larger.
            if p.0 > 0 || p.1 < 0 {
                store.remove(by, 0)?;
                let most = p.0.abs().max(p.1.abs()) as i128;
                return within(store, of, -most, most);
            }
            return Ok(());
        }
        // For a positive divisor; a negative one mirrors the product.
        let (p, d) = if d.0 > 0 { (p, d) } else { ((-p.1, -p.0), (-d.1, -d.0)) };
        let (p0, p1, d0, d1) = (p.0 as i128, p.1 as i128, d.0 as i128, d.1 as i128);
        let low =
            if p0 >= 0 { p0.div_euclid(d1) + i128::from(p0 % d1 != 0) } else { -((-p0) / d0) };
        let high =
            if p1 >= 0 { p1 / d0 } else { -((-p1).div_euclid(d1) + i128::from(p1 % d1 != 0)) };
        within(store, of, low, high)
    }

    /// `left * left = product`.
    fn root(&self, store: &mut Store) -> Result<(), Conflict> {
        let (low, high) = bounds(store, self.product);
        if high < INFINITE {
            let root = high.max(0).isqrt() as i128;
            within(store, self.left, -root, root)?;
        }
        let least = low.max(0);
        let root = least.isqrt() + i64::from(least.isqrt() * least.isqrt() < least);
        if store.low(self.left) > -root {
            store.at_least(self.left, root)?;
        }
        if store.high(self.left) < root {
            store.at_most(self.left, -root)?;
        }
        if let Some(product) = store.value(self.product)
            && product.isqrt() * product.isqrt() != product
        {
            return Err(Conflict);
        }
        Ok(())
    }
}

/// `power = base ** exponent`, where the exponent is natural, for a number greater than 1.
pub struct Power {
    pub power: Var,
    pub base: i64,
    pub exponent: Var,
}

impl Power {
    /// The power, or that it is without bound.
    fn of(&self, exponent: i64) -> i64 {
        let mut power = 1;
        for _ in 0..exponent {
            if power >= i128::from(INFINITE) {
                break;
            }
            power *= i128::from(self.base);
        }
        clamped(power)
    }

    /// The greatest exponent whose power is no greater.
    fn below(&self, power: i64) -> i64 {
        let (mut next, mut exponent) = (i128::from(self.base), 0);
        while next <= power.into() {
            (next, exponent) = (next * i128::from(self.base), exponent + 1);
        }
        exponent
    }
}

impl Propagator for Power {
    fn watched(&self) -> Vec<(Var, Event)> {
        vec![(self.power, Event::Bounds), (self.exponent, Event::Bounds)]
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let (low, high) = bounds(store, self.exponent);
        if low < 0 {
            return Ok(());
        }
        within(store, self.power, self.of(low).into(), self.of(high).into())?;
        let (low, high) = bounds(store, self.power);
        if high < INFINITE {
            store.at_most(self.exponent, self.below(high))?;
        }
        store.at_least(self.exponent, if low > 1 { self.below(low - 1) + 1 } else { 0 })
    }
}

/// `quotient = of / by`, towards zero, and `rest = of - by * quotient`, for a positive number.
pub struct Quotient {
    pub quotient: Var,
    pub of: Var,
    pub by: i64,
}

impl Propagator for Quotient {
    fn watched(&self) -> Vec<(Var, Event)> {
        vec![(self.quotient, Event::Bounds), (self.of, Event::Bounds)]
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let by = self.by;
        let (low, high) = bounds(store, self.of);
        if low > -INFINITE {
            store.at_least(self.quotient, low / by)?;
        }
        if high < INFINITE {
            store.at_most(self.quotient, high / by)?;
        }
        let (low, high) = bounds(store, self.quotient);
        if low > -INFINITE {
            let least = low as i128 * by as i128 - if low <= 0 { by as i128 - 1 } else { 0 };
            store.at_least(self.of, clamped(least))?;
        }
        if high < INFINITE {
            let most = high as i128 * by as i128 + if high >= 0 { by as i128 - 1 } else { 0 };
            store.at_most(self.of, clamped(most))?;
        }
        Ok(())
    }
}

/// `rest = of mod by`, for natural numbers and a positive constant.
pub struct Remainder {
    pub rest: Var,
    pub of: Var,
    pub by: i64,
}

impl Propagator for Remainder {
    fn watched(&self) -> Vec<(Var, Event)> {
        vec![(self.rest, Event::Domain), (self.of, Event::Domain)]
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        store.at_least(self.of, 0)?;
        within(store, self.rest, 0, self.by as i128 - 1)?;
        if store.has_bits(self.of) {
            let (of, by) = (self.of, self.by);
            let left: Vec<i64> =
                store.values(of).filter(|v| !store.contains(self.rest, v % by)).collect();
            left.into_iter().try_for_each(|v| store.remove(of, v))?;
            let seen: FxHashSet<i64> = store.values(of).map(|v| v % by).collect();
            return store.retain(self.rest, |v| seen.contains(&v));
        }
        let (low, high) = bounds(store, self.of);
        if high < self.by || high < INFINITE && low / self.by == high / self.by {
            within(store, self.rest, (low % self.by) as i128, (high % self.by) as i128)?;
        }
        Ok(())
    }
}

/// `greatest` is the greatest of these, which are at least one.
pub struct Greatest {
    pub greatest: Var,
    pub of: Box<[Var]>,
}

impl Propagator for Greatest {
    fn watched(&self) -> Vec<(Var, Event)> {
        self.of.iter().chain([&self.greatest]).map(|v| (*v, Event::Bounds)).collect()
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let most = store.high(self.greatest);
        self.of.iter().try_for_each(|v| store.at_most(*v, most))?;
        let low = self.of.iter().map(|v| store.low(*v)).max().ok_or(Conflict)?;
        let high = self.of.iter().map(|v| store.high(*v)).max().ok_or(Conflict)?;
        within(store, self.greatest, low as i128, high as i128)?;
        let least = store.low(self.greatest);
        let mut able = self.of.iter().filter(|v| store.high(**v) >= least);
        match (able.next(), able.next()) {
            (Some(only), None) => store.at_least(*only, least),
            _ => Ok(()),
        }
    }
}
