//! Ranks of elements by their markers: algorithm 5.1 of Bosnacki et al., over the entries of
//! [`vectors`](super::vectors), for several sets at once.
//!
//! The marker of an element (definition 4) says which variables it is the value of, which values its
//! places in arrays have, and how often it occurs in the range of each array between elements.
//! Elements are ranked by it; ties are broken by `local`: the ranks of the elements to which an
//! element's places in such arrays point.
//!
//! Deviation ([`Ties::Fixpoint`]): proposition 1.1 of the paper, that the approximate marker is
//! invariant, fails as printed. Its proof overlooks that tied elements with equal `local` may point
//! to elements which `local` tells apart: `[0,1,2,3]` and its image `[0,3,1,2]` get different markers.
//! So `local` is computed again with the new ranks until no more ties are broken; then tied elements
//! have equal rows after the mapping.

use super::Interrupted;
use super::vectors::{Entry, Item, Vectors};
use crate::clock;
use crate::value::Value;

/// How far `local` goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// One round, as printed.
    AsPrinted,
    /// Until nothing changes.
    Fixpoint,
}

/// One occurrence of an element: part, place, the values beside it.
type Mark = (u32, u32, Vec<(u32, Value)>);

/// One pointer of an element: part, the values beside it, the ranks it points to.
type Pointer<'a> = (u32, &'a [(u32, Value)], Vec<u32>);

/// An element that points to others, the entry where it does, and the values beside it there.
type FromPoint<'a> = (u32, &'a Entry, Vec<(u32, Value)>);

/// The rank of each point: equal for those that are tied, in each set from its first point on.
/// Ranks go up from set to set.
pub fn ranks(vectors: &Vectors, entries: &[Entry], ties: Ties) -> Result<Vec<u32>, Interrupted> {
    let n = vectors.group.points();
    let mut marks: Vec<Vec<Mark>> = vec![Vec::new(); n];
    let mut pointers: Vec<FromPoint> = Vec::new();
    for entry in entries {
        clock::spend(1)?;
        let mut points = entry.points();
        let Some((place, first)) = points.next() else { continue };
        let values = entry.values();
        let mut later = points.peekable();
        if later.peek().is_none() {
            marks[first as usize].push((entry.part, place as u32, values));
            continue;
        }
        for (place, point) in later {
            marks[point as usize].push((entry.part, place as u32, values.clone()));
        }
        pointers.push((first, entry, values));
    }
    for list in &mut marks {
        clock::spend(1 + list.len())?;
        list.sort_unstable();
    }
    let mut ranks = vec![0; n];
    let mut classes = rank_by(vectors, &mut ranks, &marks)?;
    loop {
        let mut local: Vec<Vec<Pointer<'_>>> = vec![Vec::new(); n];
        for (from, entry, values) in &pointers {
            clock::spend(1)?;
            let to = entry.items.iter().filter_map(|item| match item {
                Item::Point(p) => Some(ranks[*p as usize]),
                Item::Value(_) => None,
            });
            local[*from as usize].push((entry.part, values, to.skip(1).collect()));
        }
        for list in &mut local {
            clock::spend(1 + list.len())?;
            list.sort_unstable();
        }
        let before = classes;
        classes = rank_by(vectors, &mut ranks, &local)?;
        if ties == Ties::AsPrinted || classes == before {
            return Ok(ranks);
        }
    }
}

/// Ranks points by their old ranks, then by a further criterion. Gives the number of classes.
fn rank_by<T: Ord>(vectors: &Vectors, ranks: &mut [u32], by: &[T]) -> Result<usize, Interrupted> {
    let mut next = 0;
    for k in 0..vectors.group.sets().len() {
        let mut points: Vec<usize> = vectors.group.range(k).collect();
        points.sort_unstable_by(|a, b| ranks[*a].cmp(&ranks[*b]).then_with(|| by[*a].cmp(&by[*b])));
        let old: Vec<u32> = points.iter().map(|p| ranks[*p]).collect();
        for (i, p) in points.iter().enumerate() {
            clock::tick()?;
            if i > 0 && (old[i] != old[i - 1] || by[*p] != by[points[i - 1]]) {
                next += 1;
            }
            ranks[*p] = next;
        }
        next += 1;
    }
    Ok(next as usize)
}

/// The points in the order of their ranks, tied ones in their own order: as the position of each.
pub fn positions(vectors: &Vectors, ranks: &[u32]) -> Vec<u32> {
    let mut positions = vec![0; ranks.len()];
    for k in 0..vectors.group.sets().len() {
        let range = vectors.group.range(k);
        let mut points: Vec<usize> = range.clone().collect();
        points.sort_by_key(|p| ranks[*p]);
        for (at, p) in range.zip(points) {
            positions[p] = at as u32;
        }
    }
    positions
}
