//! Orbits of points, and sizes of orbits: by orbit-stabiliser a representative stands for |G| / |Aut(s)| states.

use num_bigint::BigUint;
use num_traits::Zero;
use rustc_hash::FxHashMap;

/// The order of a group: a machine number as long as it fits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    Small(u128),
    /// Only above 128 bits, so that equal orders are equal values.
    Large(BigUint),
}

impl Order {
    pub const ONE: Order = Order::Small(1);

    pub fn times(&self, other: &Order) -> Order {
        if let (Order::Small(a), Order::Small(b)) = (self, other)
            && let Some(product) = a.checked_mul(*b)
        {
            return Order::Small(product);
        }
        Order::from(self.to_biguint() * other.to_biguint())
    }

    pub fn times_count(&self, n: usize) -> Order {
        self.times(&Order::Small(n as u128))
    }

    pub fn to_biguint(&self) -> BigUint {
        match self {
            Order::Small(n) => BigUint::from(*n),
            Order::Large(n) => n.clone(),
        }
    }

    /// `self / divisor`, which must divide it, as the order of a subgroup does.
    pub fn index_of(&self, divisor: &Order) -> BigUint {
        match (self, divisor) {
            (Order::Small(a), Order::Small(b)) => BigUint::from(a / b),
            _ => self.to_biguint() / divisor.to_biguint(),
        }
    }
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

/// `n!`
pub fn factorial(n: usize) -> Order {
    match FACTORIALS.get(n) {
        Some(factorial) => Order::Small(*factorial),
        None => (FACTORIALS.len()..=n)
            .fold(factorial(FACTORIALS.len() - 1), |product, i| product.times_count(i)),
    }
}

/// Sums up orbits: how many states, or transitions, the representatives stand for.
///
/// Few different orders occur among the states of one machine, so the sum is kept as a histogram and
/// divided once at the end.
#[derive(Clone, Debug, Default)]
pub struct OrbitSum {
    multiplicity: FxHashMap<Order, u128>,
}

impl OrbitSum {
    pub fn new() -> OrbitSum {
        OrbitSum::default()
    }

    /// Adds `multiplicity` objects whose stabiliser has order `aut`.
    pub fn add(&mut self, aut: &Order, multiplicity: u64) {
        match self.multiplicity.get_mut(aut) {
            Some(n) => *n += multiplicity as u128,
            None => {
                self.multiplicity.insert(aut.clone(), multiplicity as u128);
            }
        }
    }

    pub fn merge(&mut self, other: &OrbitSum) {
        for (aut, n) in &other.multiplicity {
            *self.multiplicity.entry(aut.clone()).or_insert(0) += n;
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
        let (a, b) = (self.find(u), self.find(v));
        self.parent[a.max(b) as usize] = a.min(b);
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
