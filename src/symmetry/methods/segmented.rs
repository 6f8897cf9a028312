//! Segmented (Bosnacki, Dams and Holenderski): of all permutations that sort the main arrays, the one
//! that gives the least whole state.
//!
//! Canonical. Ties in the main array make factorially many permutations: the price of the method. The
//! permutations that give the least state are as many as leave the state unchanged, since those leave
//! the main arrays unchanged, too; so the order of the stabiliser comes out by counting.

use super::arrays::MainArrays;
use super::{Admitted, Canon, Interrupted, Method, Reading, SetUp, Stabilisers, forms};
use crate::clock;
use crate::state::{Interner, StateTable};
use crate::symmetry::group::{Group, next_arrangement};
use crate::symmetry::orbit::Order;
use crate::value::{Permutation, Shape, Value};
use std::cmp::Ordering;

pub struct Segmented {
    reading: Reading,
    canon: Canon,
    arrays: MainArrays,
    table: StateTable,
    stabilisers: Stabilisers,
    /// Permutations tried so far.
    tried: u64,
}

impl Segmented {
    pub fn new(reading: Reading, canon: Canon, arrays: MainArrays) -> Segmented {
        let table = StateTable::new(reading.words());
        let stabilisers = Stabilisers::default();
        Segmented { reading, canon, arrays, table, stabilisers, tried: 0 }
    }

    fn packed(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<(Vec<u64>, Order), Interrupted> {
        let values = self.reading.values(state, interner);
        let found = least(self.canon.group(), &self.reading.shapes, &self.arrays, &values)?;
        let Least { image, order, tried } = found;
        self.tried += tried;
        Ok((self.reading.pack(&image, interner), order))
    }
}

/// What trying all permutations gives.
pub struct Least {
    /// The least image among those that sort the main arrays.
    pub image: Vec<Value>,
    /// Order of the stabiliser.
    pub order: Order,
    pub tried: u64,
}

/// Tries all permutations that sort the main arrays.
pub fn least(
    group: &Group,
    shapes: &[Shape],
    arrays: &MainArrays,
    values: &[Value],
) -> Result<Least, Interrupted> {
    // Each segment is sorted by number: the first of its arrangements.
    let segments = arrays.segments(values)?;
    let mut segments: Vec<Vec<u32>> = segments.into_iter().flatten().collect();
    // Of one permutation: the points, and roughly the members of all sets.
    let units = group.points() + values.iter().map(forms::bytes).sum::<usize>() / 16;
    let mut positions = vec![0; group.points()];
    let mut permutation = Permutation::default();
    let mut best: Option<Vec<Value>> = None;
    let mut image: Vec<Value> = Vec::with_capacity(values.len());
    let (mut equal, mut tried) = (0u64, 0u64);
    loop {
        for (at, point) in segments.iter().flatten().enumerate() {
            positions[*point as usize] = at as u32;
        }
        group.write_permutation(&positions, &mut permutation);
        match compare(shapes, values, &permutation, best.as_deref(), &mut image) {
            Ordering::Less => {
                best = Some(image.clone());
                equal = 1;
            }
            Ordering::Equal => equal += 1,
            Ordering::Greater => {}
        }
        tried += 1;
        clock::spend(units)?;
        if !segments.iter_mut().any(|segment| next_arrangement(segment)) {
            let image = best.unwrap_or_default();
            return Ok(Least { image, order: Order::Small(equal as u128), tried });
        }
    }
}

/// Compares the image with the best so far, from left to right, as far as needed. `image` is whole
/// when it is less.
fn compare(
    shapes: &[Shape],
    values: &[Value],
    permutation: &Permutation,
    best: Option<&[Value]>,
    image: &mut Vec<Value>,
) -> Ordering {
    image.clear();
    let mut order = if best.is_none() { Ordering::Less } else { Ordering::Equal };
    for (i, (shape, value)) in shapes.iter().zip(values).enumerate() {
        image.push(permutation.apply(shape, value));
        if order == Ordering::Equal
            && let Some(best) = best
        {
            order = image[i].cmp(&best[i]);
            if order == Ordering::Greater {
                return order;
            }
        }
    }
    order
}

impl Method for Segmented {
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted> {
        let (image, order) = self.packed(state, interner)?;
        let admitted = Admitted::at(self.table.insert(&image));
        if admitted.new {
            self.stabilisers.push(order);
        }
        Ok(admitted)
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(number)
    }

    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        let kept = self.table.state(number).to_vec();
        self.canon.same_orbit(&kept, state, interner)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn stabiliser(&self, number: u32) -> Option<&Order> {
        self.stabilisers.get(number)
    }

    fn labelling(&mut self) -> Option<&mut Canon> {
        Some(&mut self.canon)
    }

    /// The constants alone say little about the elements, so that most permutations would have to be
    /// tried; canonical labelling makes the same set-ups one.
    fn canonical_constants(&mut self, constants: &[Value]) -> Result<SetUp, Interrupted> {
        self.canon.canonical_constants(constants)
    }

    fn group_order(&self) -> Order {
        self.canon.group_order()
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.stabilisers.bytes() + self.canon.bytes()
    }

    fn notes(&self) -> Vec<String> {
        self.arrays.notes()
    }

    fn statistics(&self) -> Vec<(String, f64)> {
        vec![("permutations tried".into(), self.tried as f64)]
    }
}
