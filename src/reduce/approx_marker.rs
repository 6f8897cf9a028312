//! Approximate markers (Bosnacki et al., algorithm 5.1): elements are replaced by their ranks.
//!
//! The key is the state with every element replaced by its rank, and the number of elements of each
//! rank. At the fixpoint tied elements have equal rows, so this says as much as the paper's arrays in
//! the order of ranks with elements replaced by the last position of their rank. Nested sets, which
//! the paper does not have, get their form with elements replaced by ranks.
//!
//! See [`ranks`](super::ranks) for the deviation; [`printed`] is the marker without it.

use super::forms::form;
use super::keys::{self, Key, Keying};
use super::ranks::{Ties, positions, ranks};
use super::vectors::{Item, Vectors};
use super::{Interrupted, Reading, Reduction};
use crate::state::Interner;
use crate::symmetry::group::Group;
use crate::value::{Shape, Value};

pub fn reduction(reading: Reading, group: Group) -> Reduction {
    with(reading, group, Ties::Fixpoint)
}

/// The reduction with the marker as it is printed, which may keep several states of one orbit.
pub fn as_printed(reading: Reading, group: Group) -> Reduction {
    with(reading, group, Ties::AsPrinted)
}

fn with(reading: Reading, group: Group, ties: Ties) -> Reduction {
    let vectors = Vectors::new(&reading.shapes, &group);
    let notes = vectors.notes(
        &reading,
        "approx-marker ranks no element by what they hold, and puts a form of them into the key",
    );
    let ranking = Ranking { shapes: reading.shapes.clone(), vectors, ties };
    keys::reduction(reading, &group, ranking, notes)
}

struct Ranking {
    shapes: Vec<Shape>,
    vectors: Vectors,
    ties: Ties,
}

impl Keying for Ranking {
    fn key(&self, values: &[Value], _: &mut Interner) -> Result<Key, Interrupted> {
        match self.ties {
            Ties::Fixpoint => repaired(&self.vectors, &self.shapes, values),
            Ties::AsPrinted => printed(&self.vectors, values),
        }
    }
}

/// The repaired marker of a list of values.
pub fn repaired(vectors: &Vectors, shapes: &[Shape], values: &[Value]) -> Result<Key, Interrupted> {
    let ranks = ranks(vectors, &vectors.entries(values)?, Ties::Fixpoint)?;
    let mut sorted = ranks.clone();
    sorted.sort_unstable();
    let sizes = sorted.chunk_by(|a, b| a == b).map(|same| Value::Word(same.len() as u64));
    let mut key: Vec<Value> = sizes.collect();
    let group = &vectors.group;
    let forms = shapes.iter().zip(values);
    for (s, v) in forms {
        key.push(form(group, s, v, &|p| ranks[p as usize] as i64)?);
    }
    Ok(key)
}

/// The marker as printed: the arrays in the order of ranks, tied elements in their own order, and
/// elements in them replaced by the last position of their rank.
pub fn printed(vectors: &Vectors, values: &[Value]) -> Result<Key, Interrupted> {
    let entries = vectors.entries(values)?;
    let ranks = ranks(vectors, &entries, Ties::AsPrinted)?;
    let positions = positions(vectors, &ranks);
    let newval = |p: u32| {
        let tied = (0..ranks.len()).filter(|q| ranks[*q] == ranks[p as usize]);
        tied.map(|q| positions[q]).max().unwrap_or(0)
    };
    let mut rows: Vec<Value> = entries
        .iter()
        .map(|entry| {
            let index = entry.index();
            let items = entry.items.iter().enumerate().map(|(i, item)| match item {
                Item::Value(v) => v.clone(),
                Item::Point(p) if i == 0 && index.is_some() => {
                    Value::Int(positions[*p as usize] as i64)
                }
                Item::Point(p) => Value::Int(newval(*p) as i64),
            });
            let part = Value::Word(entry.part as u64);
            super::forms::list(std::iter::once(part).chain(items).collect())
        })
        .collect();
    rows.sort_unstable();
    Ok(rows)
}
