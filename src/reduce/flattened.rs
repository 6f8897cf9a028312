//! Flattened (Bosnacki et al., section 4): every value that is an element, or is undefined, is
//! replaced by one value, and the state sorted: elements are told apart by the values of other kinds
//! that arrays have for them.
//!
//! Approximate, and coarsely so. What is left of an array between elements, or from other values to
//! elements, is nothing; nested sets keep their form with all elements alike.

use super::forms::{list, multiset};
use super::keys::{self, Key, Keying};
use super::vectors::{Entry, Item, Vectors};
use super::{Interrupted, Reading, Reduction};
use crate::state::Interner;
use crate::symmetry::group::Group;
use crate::value::Value;

pub fn reduction(reading: Reading, group: Group) -> Reduction {
    let vectors = Vectors::new(&reading.shapes, &group);
    let mut notes = vectors.notes(&reading, "flattened keeps their form with all elements alike");
    let mut dropped: Vec<usize> =
        vectors.parts.iter().filter(|p| p.has_element_values()).map(|p| p.cell).collect();
    dropped.dedup();
    notes.extend(dropped.iter().map(|cell| {
        format!("{} has elements as values: flattened leaves those out", reading.names[*cell])
    }));
    keys::reduction(reading, &group, Flat(vectors), notes)
}

struct Flat(Vectors);

impl Keying for Flat {
    fn key(&self, values: &[Value], _: &mut Interner) -> Result<Key, Interrupted> {
        key(&self.0, values)
    }
}

/// The values of elements, sorted within each set, and the values apart from them.
pub fn key(vectors: &Vectors, values: &[Value]) -> Result<Key, Interrupted> {
    let group = &vectors.group;
    let mut rows: Vec<Vec<Value>> = vec![Vec::new(); group.points()];
    let mut rest = Vec::new();
    for entry in vectors.entries(values)? {
        match (entry.points().count(), entry.index()) {
            (0, _) => rest.push(row(&entry)),
            (1, Some(point)) => rows[point as usize].push(row(&entry)),
            _ => {}
        }
    }
    let sets = 0..group.sets().len();
    let mut key: Vec<Value> = sets
        .map(|k| multiset(group.range(k).map(|p| multiset(std::mem::take(&mut rows[p]))).collect()))
        .collect();
    key.push(multiset(rest));
    Ok(key)
}

fn row(entry: &Entry) -> Value {
    let values = entry.items.iter().map(|item| match item {
        Item::Value(v) => v.clone(),
        Item::Point(_) => Value::Word(0),
    });
    list(std::iter::once(Value::Word(entry.part as u64)).chain(values).collect())
}
