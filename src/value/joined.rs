//! The union of many sets.

use super::meter::{GivenUp, Meter};
use super::shape::Shape;
use super::value::Value;

/// Sets that are joined in pairs, as numbers are counted in binary: each member is moved once for each power
/// of two among the sets, where joining one set after the other would move it for each set that follows.
#[derive(Default)]
pub struct Joined {
    /// Each is the union of more sets than the next.
    parts: Vec<Part>,
}

struct Part {
    set: Value,
    /// Power of two of the sets in it.
    rank: u32,
}

impl Joined {
    /// Adds a set of this shape.
    ///
    /// # Errors
    /// [`GivenUp`] when the meter says so.
    pub fn add(&mut self, shape: &Shape, set: Value, meter: &mut dyn Meter) -> Result<(), GivenUp> {
        let mut new = Part { set, rank: 0 };
        while let Some(last) = self.parts.pop_if(|last| last.rank == new.rank) {
            new = Part { set: join(shape, &last.set, &new.set, meter)?, rank: new.rank + 1 };
        }
        self.parts.push(new);
        Ok(())
    }

    /// All of them.
    ///
    /// # Errors
    /// [`GivenUp`] when the meter says so.
    pub fn all(self, shape: &Shape, meter: &mut dyn Meter) -> Result<Value, GivenUp> {
        let mut small_first = self.parts.into_iter().rev();
        let first = small_first.next().map_or_else(|| shape.empty(), |part| part.set);
        small_first.try_fold(first, |all, part| join(shape, &part.set, &all, meter))
    }
}

fn join(shape: &Shape, a: &Value, b: &Value, meter: &mut dyn Meter) -> Result<Value, GivenUp> {
    let both = shape.union(a, b);
    meter.spent(shape.card(a) + shape.card(b), shape.card(&both))?;
    Ok(both)
}
