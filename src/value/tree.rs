//! Trees: functions from places to labels.
//!
//! A place is the sequence of the branches that lead to it, `[]` the root. A set of pairs is a tree when
//! it has a root, and with each place its father and its elder brothers. As sequences sort by length
//! and then from left to right, the pairs of a tree come father before son and elder before younger.

use super::sequence;
use super::shape::Shape;
use super::value::Value;

/// A tree, read from its pairs.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root first.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    label: Value,
    sons: Vec<usize>,
    /// The place in the tree that it was read from.
    place: Value,
}

/// Orders in which the labels can be listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Prefix,
    Infix,
    Postfix,
}

impl Tree {
    /// Reads a value of a shape of trees; `None` for a set of pairs that is no tree.
    pub fn read(shape: &Shape, value: &Value) -> Option<Tree> {
        let pairs = shape.element();
        let places = pairs.sides().0;
        let mut tree = Tree { nodes: Vec::new() };
        for pair in shape.members(value) {
            let (place, label) = pairs.split(&pair);
            let path = sequence::items(&places, &place)?;
            let new = tree.nodes.len();
            tree.nodes.push(Node { label, sons: Vec::new(), place });
            match path.split_last() {
                None if new == 0 => {}
                Some((last, way)) if new > 0 => {
                    let father = tree.walk(way)?;
                    if *last != Value::Int(tree.nodes[father].sons.len() as i64 + 1) {
                        return None;
                    }
                    tree.nodes[father].sons.push(new);
                }
                _ => return None,
            }
        }
        (!tree.nodes.is_empty()).then_some(tree)
    }

    fn walk(&self, way: &[Value]) -> Option<usize> {
        way.iter().try_fold(0, |at, branch| {
            let Value::Int(i) = branch else { return None };
            self.nodes[at].sons.get(usize::try_from(*i).ok()?.checked_sub(1)?).copied()
        })
    }

    /// The node at a place, a value of the shape of sequences of integers.
    fn at(&self, places: &Shape, place: &Value) -> Option<usize> {
        self.walk(&sequence::items(places, place)?)
    }

    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    pub fn top(&self) -> Value {
        self.nodes[0].label.clone()
    }

    pub fn labels(&self) -> impl Iterator<Item = &Value> {
        self.nodes.iter().map(|n| &n.label)
    }

    /// Whether each node has two sons or none.
    pub fn is_binary(&self) -> bool {
        self.nodes.iter().all(|n| matches!(n.sons.len(), 0 | 2))
    }

    /// Number of sons at a place; `None` where there is no such place.
    pub fn arity(&self, places: &Shape, place: &Value) -> Option<usize> {
        Some(self.nodes[self.at(places, place)?].sons.len())
    }

    /// The branch that leads to a place; `None` for the root and where there is no such place.
    pub fn rank(&self, places: &Shape, place: &Value) -> Option<Value> {
        self.at(places, place)?;
        sequence::items(places, place)?.pop()
    }

    /// The place above a place; `None` for the root and where there is no such place.
    pub fn father(&self, places: &Shape, place: &Value) -> Option<Value> {
        self.at(places, place)?;
        let mut way = sequence::items(places, place)?;
        way.pop()?;
        Some(sequence::from_items(places, way))
    }

    /// The place of a son; `None` where there is no such place or son.
    pub fn son(&self, places: &Shape, place: &Value, branch: &Value) -> Option<Value> {
        let mut way = sequence::items(places, place)?;
        way.push(branch.clone());
        self.walk(&way)?;
        Some(sequence::from_items(places, way))
    }

    /// The tree below a place, as a value; `None` where there is no such place.
    pub fn subtree(&self, shape: &Shape, place: &Value) -> Option<Value> {
        let places = shape.element().sides().0;
        Some(self.below(shape, self.at(&places, place)?, false))
    }

    /// The trees below the root, as values.
    pub fn sons(&self, shape: &Shape) -> Vec<Value> {
        self.nodes[0].sons.iter().map(|son| self.below(shape, *son, false)).collect()
    }

    /// The tree with the sons of each node in the opposite order.
    pub fn mirror(&self, shape: &Shape) -> Value {
        self.below(shape, 0, true)
    }

    fn below(&self, shape: &Shape, root: usize, turned: bool) -> Value {
        let pairs = shape.element();
        let places = pairs.sides().0;
        let mut found = Vec::new();
        let mut todo = vec![(root, Vec::new())];
        while let Some((at, way)) = todo.pop() {
            let sons = &self.nodes[at].sons;
            for (i, son) in sons.iter().enumerate() {
                let branch = if turned { sons.len() - i } else { i + 1 };
                let mut way = way.clone();
                way.push(Value::Int(branch as i64));
                todo.push((*son, way));
            }
            let place = sequence::from_items(&places, way);
            found.push(pairs.pair(place, self.nodes[at].label.clone()));
        }
        shape.collect(found)
    }

    /// The labels in some order; `None` where a node has not as many sons as the order needs.
    pub fn list(&self, order: Order) -> Option<Vec<Value>> {
        if order == Order::Infix && !self.is_binary() {
            return None;
        }
        let mut found = Vec::new();
        // A node to be opened, or one whose label is due.
        let mut todo = vec![(0, true)];
        while let Some((at, opened)) = todo.pop() {
            let node = &self.nodes[at];
            if !opened {
                found.push(node.label.clone());
                continue;
            }
            let before = match order {
                Order::Prefix => 0,
                Order::Infix => node.sons.len() / 2,
                Order::Postfix => node.sons.len(),
            };
            let sons = |range: &[usize]| range.iter().rev().map(|s| (*s, true)).collect::<Vec<_>>();
            todo.extend(sons(&node.sons[before..]));
            todo.push((at, false));
            todo.extend(sons(&node.sons[..before]));
        }
        Some(found)
    }

    /// The places, each with its label.
    pub fn places(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.nodes.iter().map(|n| (&n.place, &n.label))
    }
}

/// The tree with this root and these trees below it.
pub fn construct(shape: &Shape, label: Value, sons: &[Tree]) -> Value {
    let pairs = shape.element();
    let places = pairs.sides().0;
    let mut found = vec![pairs.pair(places.empty(), label)];
    for (i, son) in sons.iter().enumerate() {
        for (place, label) in son.places() {
            let mut way = vec![Value::Int(i as i64 + 1)];
            way.extend(sequence::items(&places, place).unwrap_or_default());
            found.push(pairs.pair(sequence::from_items(&places, way), label.clone()));
        }
    }
    shape.collect(found)
}
