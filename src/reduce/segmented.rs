//! Segmented (Bosnacki, Dams and Holenderski): of all permutations that sort the main arrays, the one
//! that gives the least whole state.
//!
//! Canonical. Ties in the main array make factorially many permutations: the price of the method. The
//! permutations that give the least state are as many as leave the state unchanged, since those leave
//! the main arrays unchanged, too; so the order of the stabiliser comes out by counting.

use super::arrays::MainArrays;
use super::{
    About, Batch, Canon, Figures, Interrupted, Kind, Orders, Reading, Reduction, SetUp, Worker,
    forms,
};
use crate::clock;
use crate::state::{Interner, Layout};
use crate::symmetry::group::{Group, next_arrangement};
use crate::symmetry::orbit::Order;
use crate::value::{Permutation, Shape, Value};
use std::cmp::Ordering;
use std::sync::Arc;

pub fn reduction(
    layout: Arc<Layout>,
    reading: Reading,
    group: Group,
    arrays: MainArrays,
) -> Reduction {
    let about = About {
        kind: Kind::Complete,
        orders: Orders::Found,
        group: group.exact_order(),
        keeps_runs: false,
        notes: arrays.notes(),
    };
    let plan = Arc::new((reading, arrays));
    Reduction::new(about, move || Segmented {
        plan: plan.clone(),
        canon: Canon::new(layout.clone(), group.clone()),
        tried: 0,
    })
}

struct Segmented {
    plan: Arc<(Reading, MainArrays)>,
    /// For the set-ups.
    canon: Canon,
    /// Permutations tried so far.
    tried: u64,
}

impl Worker for Segmented {
    fn represent(&mut self, batch: &mut Batch, interner: &mut Interner) -> Result<(), Interrupted> {
        let (reading, arrays) = &*self.plan;
        for i in 0..batch.len() {
            let values = reading.values(batch.state(i), interner);
            let least = least(self.canon.group(), &reading.shapes, arrays, &values)?;
            self.tried += least.tried;
            batch.imaged(&reading.pack(&least.image, interner), Some(least.order));
        }
        Ok(())
    }

    /// The constants alone say little about the elements, so that most permutations would have to be
    /// tried; canonical labelling makes the same set-ups one.
    fn set_up(
        &mut self,
        constants: &[Value],
        interner: &mut Interner,
    ) -> Result<SetUp, Interrupted> {
        self.canon.set_up(constants, interner)
    }

    fn figures(&self) -> Figures {
        Figures::Tried(self.tried)
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
