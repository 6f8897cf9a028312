//! Products, quotients and rests of numbers that are not known.

use super::build::{Builder, Built, Meaning, Refusal};
use super::claim::Poster;
use super::literal::{Linear, Lit};
use super::propagators::arithmetic::{Power, Product, Quotient, Remainder};
use super::propagators::congruences::Congruences;
use super::sketch::Host;
use super::store::INFINITE;
use crate::machine::BinaryOp;
use crate::value::Shape;

/// Most numbers by which is divided, where it is not known by which.
const MOST_DIVISORS: u64 = 64;

/// Values of a number that a rest is taken of, for one step.
const VALUES_IN_A_STEP: usize = 4;

impl Poster {
    /// Adds what the remainders of each number say together. Of short intervals the values are looked at anyway.
    pub(super) fn join_remainders(&mut self) {
        for (of, rests) in std::mem::take(&mut self.remainders) {
            if !self.engine.store.has_bits(of) {
                self.engine.add(Congruences { of, rests: rests.into() });
            }
        }
    }
}

impl<'p, H: Host> Builder<'p, H> {
    pub(super) fn multiply(&mut self, x: &Linear, y: &Linear, defined: Lit) -> Built<Meaning, H> {
        for (x, y) in [(x, y), (y, x)] {
            if let Some(factor) = x.known() {
                return self.number(y.times(factor), defined);
            }
        }
        let left = self.poster.variable(x).ok_or(Refusal::Opaque)?;
        let right = if x == y { left } else { self.poster.variable(y).ok_or(Refusal::Opaque)? };
        let product = self.poster.engine.store.variable(-INFINITE, INFINITE);
        self.poster.engine.add(Product { product, left, right });
        if left == right {
            self.poster.squares.push((left, product));
        }
        self.number(Some(Linear::var(product)), defined)
    }

    /// A power of a number that is known, and more than 1.
    pub(super) fn raised(&mut self, x: &Linear, y: &Linear, defined: Lit) -> Built<Meaning, H> {
        let base = x.known().filter(|n| *n > 1).ok_or(Refusal::Opaque)?;
        let exponent = self.poster.variable(y).ok_or(Refusal::Opaque)?;
        let power = self.poster.engine.store.variable(1, INFINITE);
        self.poster.engine.add(Power { power, base, exponent });
        // Of negative exponents it is undefined.
        let natural = self.poster.simple(Lit::Above(exponent, -1));
        let defined = self.poster.and(vec![defined, natural]);
        self.number(Some(Linear::var(power)), defined)
    }

    /// A quotient or rest; by a number that is not known it is one for each that there may be.
    pub(super) fn divided(
        &mut self,
        op: BinaryOp,
        x: &Linear,
        y: &Linear,
        defined: Lit,
    ) -> Built<Meaning, H> {
        if let Some(by) = y.known() {
            return match by > 0 && by < INFINITE / 2 {
                true => self.quotient(op, x, by, defined),
                false => Err(Refusal::Opaque),
            };
        }
        let by = self.poster.variable(y).ok_or(Refusal::Opaque)?;
        let store = &self.poster.engine.store;
        if store.low(by) <= 0 || store.high(by) >= INFINITE / 2 || store.size(by) > MOST_DIVISORS {
            return Err(Refusal::Opaque);
        }
        let divisors: Vec<i64> = store.values(by).collect();
        let (mut rows, mut all) = (Vec::new(), vec![defined]);
        for divisor in divisors {
            let meaning = self.quotient(op, x, divisor, Lit::Always)?;
            all.push(self.poster.or(vec![Lit::IsNot(by, divisor), meaning.defined]));
            rows.push((divisor, meaning.object));
        }
        let object = self.select(by, &rows, &Shape::Integer)?;
        Ok(Meaning { object, defined: self.poster.and(all) })
    }

    fn quotient(&mut self, op: BinaryOp, x: &Linear, by: i64, defined: Lit) -> Built<Meaning, H> {
        if let Some(n) = x.known() {
            let known = match op {
                BinaryOp::Divide => n / by,
                _ if n < 0 => return Err(Refusal::Opaque),
                _ => n % by,
            };
            return self.number(Some(Linear::constant(known)), defined);
        }
        let of = self.poster.variable(x).ok_or(Refusal::Opaque)?;
        let store = &mut self.poster.engine.store;
        let (low, high) = (store.low(of), store.high(of));
        if op == BinaryOp::Divide {
            let scaled = |n: i64| if n.abs() >= INFINITE { n } else { n / by };
            let quotient = store.variable(scaled(low), scaled(high));
            self.poster.engine.add(Quotient { quotient, of, by });
            return self.number(Some(Linear::var(quotient)), defined);
        }
        if low < 0 {
            // Undefined for negative numbers.
            return Err(Refusal::Opaque);
        }
        let rest = store.variable(0, by - 1);
        // It looks at all of them again and again.
        let looks = if store.has_bits(of) { store.size(of) as usize / VALUES_IN_A_STEP } else { 0 };
        self.step(looks)?;
        self.poster.engine.add(Remainder { rest, of, by });
        self.poster.remainders.entry(of).or_default().push((by, rest));
        self.number(Some(Linear::var(rest)), defined)
    }
}
