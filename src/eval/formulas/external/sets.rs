//! What external functions on sets and sequences compute.

use super::{Call, big};
use crate::value::{IndexKind, Shape, Value, sequence};
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet};

/// The first member whose first component is the best.
pub(super) fn by_first(c: &Call, set: &Value, better: fn(&Value, &Value) -> bool) -> Option<Value> {
    let mut best: Option<(Value, Value)> = None;
    for member in c.shapes[0].members(set) {
        let (mut shape, mut first) = (c.shapes[0].element(), member.clone());
        while is_pair(&shape) {
            first = shape.split(&first).0;
            shape = shape.sides().0;
        }
        if best.as_ref().is_none_or(|(known, _)| better(&first, known)) {
            best = Some((first, member));
        }
    }
    best.map(|(_, member)| member)
}

pub(super) fn is_pair(shape: &Shape) -> bool {
    match shape {
        Shape::Pair(_) => true,
        Shape::Index(universe) => matches!(universe.kind, IndexKind::Pair(..)),
        _ => false,
    }
}

/// The strongly connected components of a relation.
pub(super) fn components(c: &Call, a: &[Value]) -> Option<Value> {
    let shape = &c.shapes[0];
    let component = c.result.element();
    let edges: Vec<(Value, Value)> =
        shape.members(&a[0]).map(|v| shape.element().split(&v)).collect();
    let mut forward: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    let mut backward: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for (x, y) in &edges {
        forward.entry(x.clone()).or_default().push(y.clone());
        forward.entry(y.clone()).or_default();
        backward.entry(y.clone()).or_default().push(x.clone());
    }
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for node in forward.keys() {
        finished(node, &forward, &mut seen, &mut order);
    }
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for node in order.iter().rev() {
        let mut members = Vec::new();
        finished(node, &backward, &mut seen, &mut members);
        if !members.is_empty() {
            found.push(component.collect(members));
        }
    }
    Some(c.result.collect(found))
}

/// What is reached from a node for the first time, each after all that it leads to.
pub(super) fn finished(
    from: &Value,
    edges: &BTreeMap<Value, Vec<Value>>,
    seen: &mut BTreeSet<Value>,
    order: &mut Vec<Value>,
) {
    let mut way: Vec<(&Value, usize)> = Vec::new();
    if seen.insert(from.clone()) {
        way.push((from, 0));
    }
    while let Some((node, next)) = way.pop() {
        let targets = edges.get(node).map_or(&[][..], Vec::as_slice);
        match targets.get(next) {
            None => order.push(node.clone()),
            Some(target) => {
                way.push((node, next + 1));
                if seen.insert(target.clone()) {
                    way.push((target, 0));
                }
            }
        }
    }
}

/// The values of a function on integers, in the order of its arguments.
pub(super) fn squash(c: &Call, a: &[Value]) -> Option<Value> {
    let shape = &c.shapes[0];
    let pairs = shape.element();
    let mut found: Vec<(Value, Value)> = shape.members(&a[0]).map(|v| pairs.split(&v)).collect();
    found.sort();
    if found.windows(2).any(|w| w[0].0 == w[1].0) {
        return None;
    }
    Some(sequence::from_items(&c.result, found.into_iter().map(|(_, v)| v).collect()))
}

/// A sequence with another item at a place that it has.
pub(super) fn replace_at(c: &Call, a: &[Value]) -> Option<Value> {
    let mut items = sequence::items(&c.shapes[0], &a[0])?;
    let at = big(&a[1]).to_usize()?.checked_sub(1)?;
    *items.get_mut(at)? = a[2].clone();
    Some(sequence::from_items(&c.result, items))
}

/// The transitive closure of a relation.
pub(super) fn closure(c: &Call, a: &[Value]) -> Option<Value> {
    let (shape, pairs) = (&c.shapes[0], c.shapes[0].element());
    let mut forward: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for (x, y) in shape.members(&a[0]).map(|v| pairs.split(&v)) {
        forward.entry(x).or_default().push(y);
    }
    let mut found = Vec::new();
    for from in forward.keys() {
        let (mut seen, mut way) = (BTreeSet::new(), vec![from]);
        while let Some(node) = way.pop() {
            for target in forward.get(node).into_iter().flatten() {
                if seen.insert(target) {
                    way.push(target);
                    found.push(pairs.pair(from.clone(), target.clone()));
                }
            }
        }
    }
    Some(c.result.collect(found))
}
