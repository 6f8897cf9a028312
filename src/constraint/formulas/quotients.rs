//! Products, quotients and rests of numbers that are not known.

use crate::constraint::build::{Builder, Built, Meaning, Refusal};
use crate::constraint::claim::{Claim, Poster};
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::propagators::arithmetic::{Power, Product, Quotient, Remainder};
use crate::constraint::propagators::congruences::Congruences;
use crate::constraint::propagators::linear::Relation;
use crate::constraint::sketch::Host;
use crate::constraint::store::{INFINITE, Var};
use crate::machine::BinaryOp;
use crate::value::Shape;

/// Most numbers by which is divided, where it is not known by which.
const MOST_DIVISORS: u64 = 64;

/// Where tangents touch the parabola of a square.
const TANGENTS: [i64; 4] = [1, 1 << 4, 1 << 12, 1 << 24];

/// Values of a number that a rest is taken of, for one step.
const VALUES_IN_A_STEP: usize = 4;

impl Poster {
    /// Adds what the remainders of each number say together. Of short intervals the values are looked at anyway.
    pub(in crate::constraint) fn join_remainders(&mut self) {
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
        if let Some((x, y)) = self.poster.as_lit(x).zip(self.poster.as_lit(y)) {
            let both = self.poster.and([x, y]);
            let product = self.poster.number(both);
            return self.number(Some(product), defined);
        }
        if let Some(product) = self.quadratic(x, y) {
            return self.number(Some(product), defined);
        }
        let left = self.poster.variable(x).ok_or(Refusal::Opaque)?;
        if x == y {
            let square = self.square(left);
            return self.number(Some(Linear::var(square)), defined);
        }
        let right = self.poster.variable(y).ok_or(Refusal::Opaque)?;
        let product = self.product_of(left, right);
        self.number(Some(Linear::var(product)), defined)
    }

    fn product_of(&mut self, left: Var, right: Var) -> Var {
        let product = self.poster.engine.store.variable(-INFINITE, INFINITE);
        self.poster.engine.add(Product { product, left, right });
        product
    }

    /// The product of two sums of the same number, by its square: `(2 * x - 1) * (x + 3)`.
    fn quadratic(&mut self, x: &Linear, y: &Linear) -> Option<Linear> {
        let ([(a, left)], [(c, right)]) = (&x.terms[..], &y.terms[..]) else { return None };
        if left != right {
            return None;
        }
        let (a, c, b, d) = (*a, *c, x.constant, y.constant);
        let mixed = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
        let (first, last) = (a.checked_mul(c)?, b.checked_mul(d)?);
        let square = Linear::var(self.square(*left));
        let linear = Linear::default().plus(first, &square)?.plus(mixed, &Linear::var(*left))?;
        linear.plus(last, &Linear::constant(1))
    }

    /// The square of a number, with what tangents say of it: `(x - k) ** 2 >= 0`, so that `x * x < x + 10` bounds `x`.
    fn square(&mut self, root: Var) -> Var {
        if let Some(known) = self.poster.squares.get(&root) {
            return *known;
        }
        let square = self.product_of(root, root);
        self.poster.squares.insert(root, square);
        for k in TANGENTS.iter().flat_map(|k| [*k, -k]) {
            self.poster.note_least(square, &[(2 * k, root)], -k * k);
        }
        square
    }

    /// A power of a number that is known, and more than 1.
    pub(super) fn raised(&mut self, x: &Linear, y: &Linear, defined: Lit) -> Built<Meaning, H> {
        let base = x.known().filter(|n| *n > 1).ok_or(Refusal::Opaque)?;
        let exponent = self.poster.variable(y).ok_or(Refusal::Opaque)?;
        let power = self.poster.engine.store.variable(1, INFINITE);
        self.poster.engine.add(Power { power, base, exponent });
        if self.poster.engine.store.low(exponent) >= 0 {
            self.poster.note_least(power, &[(1, exponent)], 1);
        }
        // Of negative exponents it is undefined.
        let natural = self.poster.simple(Lit::Above(exponent, -1));
        let defined = self.poster.and([defined, natural]);
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
            if by == 0 || by.abs() >= INFINITE / 2 {
                return Err(Refusal::Opaque);
            }
            return match (op, by > 0) {
                (_, true) => self.quotient(op, x, by, defined),
                // Towards zero, so that a sign can be moved from the one to the other.
                (BinaryOp::Divide, false) => {
                    let negated = x.times(-1).ok_or(Refusal::Opaque)?;
                    self.quotient(op, &negated, -by, defined)
                }
                // Undefined.
                _ => Err(Refusal::Opaque),
            };
        }
        let by = self.poster.variable(y).ok_or(Refusal::Opaque)?;
        let store = &self.poster.engine.store;
        if store.low(by) <= 0 {
            return Err(Refusal::Opaque);
        }
        if store.high(by) >= INFINITE / 2 || store.size(by) > MOST_DIVISORS {
            return self.divided_by_any(op, x, by, defined);
        }
        let divisors: Vec<i64> = store.values(by).collect();
        let (mut rows, mut all) = (Vec::new(), vec![defined]);
        for divisor in divisors {
            let meaning = self.quotient(op, x, divisor, Lit::Always)?;
            all.push(self.poster.or([Lit::IsNot(by, divisor), meaning.defined]));
            rows.push((divisor, meaning.object));
        }
        let object = self.select(by, &rows, &Shape::Integer)?;
        Ok(Meaning { object, defined: self.poster.and(all) })
    }

    /// A quotient or rest of a natural number by one that may have very many values: `x = by * quotient + rest`.
    fn divided_by_any(
        &mut self,
        op: BinaryOp,
        x: &Linear,
        by: Var,
        defined: Lit,
    ) -> Built<Meaning, H> {
        let store = &mut self.poster.engine.store;
        let (low, most) = x.bounds(store);
        if low < 0 {
            return Err(Refusal::Opaque);
        }
        // That it is less than the divisor is posted below: 1 less than no bound would be one.
        let (quotient, rest) = (store.variable(0, most), store.variable(0, most));
        let product = self.product_of(quotient, by);
        let whole = x.plus(-1, &Linear::var(product)).and_then(|l| l.plus(-1, &Linear::var(rest)));
        let less = Linear::var(rest)
            .plus(-1, &Linear::var(by))
            .and_then(|l| l.plus(1, &Linear::constant(1)));
        self.poster.post(Claim::Sum(Relation::Equal, whole.ok_or(Refusal::Opaque)?));
        self.poster.post(Claim::Sum(Relation::AtMost, less.ok_or(Refusal::Opaque)?));
        let asked = if op == BinaryOp::Divide { quotient } else { rest };
        self.number(Some(Linear::var(asked)), defined)
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
            self.poster.note_quotient(quotient, of, by, low >= 0);
            return self.number(Some(Linear::var(quotient)), defined);
        }
        if low < 0 {
            // Undefined for negative numbers.
            return Err(Refusal::Opaque);
        }
        let rest = store.variable(0, by - 1);
        self.poster.note_least(of, &[(1, rest)], 0);
        let store = &self.poster.engine.store;
        // It looks at all of them again and again.
        let looks = if store.has_bits(of) { store.size(of) as usize / VALUES_IN_A_STEP } else { 0 };
        self.step(looks)?;
        self.poster.engine.add(Remainder { rest, of, by });
        self.poster.remainders.entry(of).or_default().push((by, rest));
        self.number(Some(Linear::var(rest)), defined)
    }
}
