//! Orbits of points, and sizes of orbits: by orbit-stabiliser a representative stands for |G| / |Aut(s)| states.

use indexmap::IndexMap;
use num_bigint::BigUint;
use num_traits::Zero;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The order of a group: a machine number as long as it fits. Factorials of large numbers are not
/// multiplied out: the orders that are divided by each other have most of their factors in common.
///
/// Orders without such factorials are equal values when they are equal; others may be one number in
/// two forms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    Small(u128),
    /// Only above 128 bits.
    Large(BigUint),
    /// A number times the factorials of these, at least one, all greater than [`MULTIPLIED_OUT`], the
    /// greatest first.
    Factorials(Arc<(BigUint, Vec<u32>)>),
}

/// Greatest number whose factorial is written as one number.
const MULTIPLIED_OUT: usize = 1_000;

impl Order {
    pub const ONE: Order = Order::Small(1);

    pub fn times(&self, other: &Order) -> Order {
        if let (Order::Small(a), Order::Small(b)) = (self, other) {
            // Two numbers of one word: their product fits, and takes one instruction.
            if let (Ok(a), Ok(b)) = (u64::try_from(*a), u64::try_from(*b)) {
                return Order::Small(u128::from(a) * u128::from(b));
            }
            if let Some(product) = a.checked_mul(*b) {
                return Order::Small(product);
            }
        }
        let ((a, ns), (b, ms)) = (self.factors(), other.factors());
        let mut factorials = [ns, ms].concat();
        factorials.sort_unstable_by(|n, m| m.cmp(n));
        match factorials.is_empty() {
            true => Order::from(a * b),
            false => Order::Factorials(Arc::new((a * b, factorials))),
        }
    }

    pub fn times_count(&self, n: usize) -> Order {
        self.times(&Order::Small(n as u128))
    }

    pub fn power(&self, mut n: usize) -> Order {
        let (mut power, mut square) = (Order::ONE, self.clone());
        while n > 0 {
            if n % 2 == 1 {
                power = power.times(&square);
            }
            n /= 2;
            if n > 0 {
                square = square.times(&square);
            }
        }
        power
    }

    /// A number and the factorials that it is to be multiplied with.
    fn factors(&self) -> (BigUint, &[u32]) {
        match self {
            Order::Small(n) => (BigUint::from(*n), &[]),
            Order::Large(n) => (n.clone(), &[]),
            Order::Factorials(product) => (product.0.clone(), &product.1),
        }
    }

    /// The number itself; it can have millions of digits.
    pub fn to_biguint(&self) -> BigUint {
        self.index_of(&Order::ONE)
    }

    /// `self / divisor`, which must divide it, as the order of a subgroup does.
    pub fn index_of(&self, divisor: &Order) -> BigUint {
        if let (Order::Small(a), Order::Small(b)) = (self, divisor) {
            return BigUint::from(a / b);
        }
        let ((mut above, ns), (mut below, ms)) = (self.factors(), divisor.factors());
        // n! / m! is the product of the numbers between them: nothing, where both have the same.
        for k in 0..ns.len().max(ms.len()) {
            let at = |list: &[u32]| list.get(k).copied().unwrap_or(0);
            let (n, m) = (at(ns), at(ms));
            match n >= m {
                true => above *= product(m, n),
                false => below *= product(n, m),
            }
        }
        above / below
    }
}

/// In digits, but for large factorials: `24`, `1000000!`, `2000! * 3000! * 6`.
impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, factorials) = self.factors();
        let mut parts: Vec<String> = factorials.iter().map(|n| format!("{n}!")).collect();
        if parts.is_empty() || number != BigUint::from(1u8) {
            parts.push(number.to_string());
        }
        f.write_str(&parts.join(" * "))
    }
}

/// The product of the numbers above `low` up to `high`, of factors of about the same length.
fn product(low: u32, high: u32) -> BigUint {
    if high - low <= 16 {
        return (low + 1..=high).fold(BigUint::from(1u8), |n, i| n * i);
    }
    let middle = low + (high - low) / 2;
    product(low, middle) * product(middle, high)
}

impl Default for Order {
    fn default() -> Order {
        Order::ONE
    }
}

impl From<BigUint> for Order {
    fn from(n: BigUint) -> Order {
        match u128::try_from(&n) {
            Ok(n) => Order::Small(n),
            Err(_) => Order::Large(n),
        }
    }
}

/// The factorials that fit 128 bits: 0! to 34!.
const FACTORIALS: [u128; 35] = {
    let mut table = [1; 35];
    let mut n = 1;
    while n < table.len() {
        table[n] = table[n - 1] * n as u128;
        n += 1;
    }
    table
};

/// Those that do not, up to that of [`MULTIPLIED_OUT`]; each is multiplied out when it is first asked for.
static LARGE: [OnceLock<BigUint>; MULTIPLIED_OUT + 1] =
    [const { OnceLock::new() }; MULTIPLIED_OUT + 1];

/// `n!`
pub fn factorial(n: usize) -> Order {
    match FACTORIALS.get(n) {
        Some(factorial) => Order::Small(*factorial),
        None if n <= MULTIPLIED_OUT => {
            Order::Large(LARGE[n].get_or_init(|| product(0, n as u32)).clone())
        }
        None => Order::Factorials(Arc::new((BigUint::from(1u8), vec![n as u32]))),
    }
}

/// Sums up orbits: how many states, or transitions, the representatives stand for.
///
/// Few different orders occur among the states of one machine, so the sum is kept as a histogram and
/// divided once at the end.
#[derive(Clone, Debug, Default)]
pub struct OrbitSum {
    multiplicity: IndexMap<Order, u128, FxBuildHasher>,
    /// Where that order is that was added last: the next one is often the same.
    last: usize,
}

impl OrbitSum {
    pub fn new() -> OrbitSum {
        OrbitSum::default()
    }

    /// Adds `multiplicity` objects whose stabiliser has order `aut`.
    pub fn add(&mut self, aut: &Order, multiplicity: u64) {
        let multiplicity = u128::from(multiplicity);
        match self.multiplicity.get_index_mut(self.last) {
            Some((last, n)) if last == aut => *n += multiplicity,
            _ => self.add_other(aut, multiplicity),
        }
    }

    fn add_other(&mut self, aut: &Order, multiplicity: u128) {
        self.last = match self.multiplicity.get_full_mut(aut) {
            Some((at, _, n)) => {
                *n += multiplicity;
                at
            }
            None => self.multiplicity.insert_full(aut.clone(), multiplicity).0,
        };
    }

    pub fn merge(&mut self, other: &OrbitSum) {
        for (aut, n) in &other.multiplicity {
            self.add_other(aut, *n);
        }
    }

    /// The sum of `multiplicity * |G| / aut` over everything that was added.
    pub fn total(&self, group: &Order) -> BigUint {
        self.multiplicity
            .iter()
            .filter(|(_, n)| **n > 0)
            .fold(BigUint::zero(), |sum, (aut, n)| sum + group.index_of(aut) * *n)
    }

    /// Number of objects added: of representatives.
    pub fn count(&self) -> u128 {
        self.multiplicity.values().sum()
    }
}

/// Orbits of points under the automorphisms known so far; linked up when first needed.
#[derive(Clone, Debug, Default)]
pub struct Orbits {
    points: usize,
    parent: Vec<u32>,
}

impl Orbits {
    /// Every point alone.
    pub fn new(points: usize) -> Orbits {
        Orbits { points, parent: Vec::new() }
    }

    /// The least point known to be in the orbit of a point.
    pub fn find(&self, v: u32) -> u32 {
        let mut at = v;
        while let Some(up) = self.parent.get(at as usize).filter(|up| **up != at) {
            at = *up;
        }
        at
    }

    /// Whether a point is in the orbit of one of these.
    pub fn any_in_orbit(&self, tried: &[u32], v: u32) -> bool {
        let root = self.find(v);
        tried.iter().any(|w| self.find(*w) == root)
    }

    /// Two points are in one orbit.
    pub fn join(&mut self, u: u32, v: u32) {
        if self.parent.is_empty() {
            self.parent = (0..self.points as u32).collect();
        }
        let (a, b) = (self.root(u), self.root(v));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// The same as [`Orbits::find`], and shortens the way there for the next one.
    fn root(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let up = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = up;
            v = up;
        }
        v
    }

    /// Every point is in one orbit with its image.
    pub fn join_all(&mut self, images: &[u32]) {
        for (v, w) in images.iter().enumerate().filter(|(v, w)| *v as u32 != **w) {
            self.join(v as u32, *w);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_pass_from_small_to_large_and_compare() {
        let n34 = factorial(34);
        let n35 = factorial(35);
        assert!(matches!(n34, Order::Small(_)));
        assert!(matches!(n35, Order::Large(_)));
        assert_eq!(n35.index_of(&n34), BigUint::from(35u32));
        assert_eq!(Order::from(n34.to_biguint()), n34);
        assert_eq!(n34.times_count(35), n35);
        assert_eq!(factorial(0), Order::ONE);
        assert_eq!(factorial(36).index_of(&factorial(33)), BigUint::from(34u32 * 35 * 36));
    }

    #[test]
    fn large_factorials_are_divided_without_being_multiplied_out() {
        let million = factorial(1_000_000);
        let pair = factorial(999_998).times_count(2);
        assert_eq!(million.index_of(&pair), BigUint::from(1_000_000u64 * 999_999 / 2));
        assert_eq!(million.index_of(&million), BigUint::from(1u8));
        let two = million.times(&factorial(2_000)).times_count(6);
        assert_eq!(two.index_of(&factorial(2_000).times(&factorial(999_999))), 6_000_000u32.into());
        assert_eq!(two.to_string(), "1000000! * 2000! * 6");
        assert_eq!(million.to_string(), "1000000!");
        assert_eq!(factorial(4).to_string(), "24");
        // Across the bound the numbers are the same.
        let (below, above) = (factorial(MULTIPLIED_OUT), factorial(MULTIPLIED_OUT + 1));
        assert_eq!(above.index_of(&below), BigUint::from(MULTIPLIED_OUT + 1));
        assert_eq!(above.to_biguint(), below.times_count(MULTIPLIED_OUT + 1).to_biguint());
    }

    #[test]
    fn sums_of_orbits() {
        let group = factorial(40);
        let mut sum = OrbitSum::new();
        sum.add(&factorial(40), 2);
        sum.add(&factorial(39), 3);
        let mut other = OrbitSum::new();
        other.add(&factorial(39), 1);
        sum.merge(&other);
        assert_eq!(sum.total(&group), BigUint::from(2u32 + 4 * 40));
        assert_eq!(sum.count(), 6);
    }
}
