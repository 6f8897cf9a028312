//! Sets of instances that share some of their arguments.

use super::relation::Link;
use crate::machine::Key;
use crate::value::Value;

/// An operation with some of its arguments: all instances that have them, enabled or not.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// Number of the operation in the analysis.
    pub operation: usize,
    /// `None`: any argument.
    pub bound: Vec<Option<Value>>,
}

/// An instance that is enabled.
#[derive(Clone, PartialEq, Debug)]
pub struct Instance {
    pub operation: usize,
    pub arguments: Vec<Value>,
    /// Its number among those that a state enables.
    pub number: usize,
}

impl Instance {
    pub fn pattern(&self) -> Pattern {
        let bound = self.arguments.iter().cloned().map(Some).collect();
        Pattern { operation: self.operation, bound }
    }
}

impl Pattern {
    pub fn contains(&self, instance: &Instance) -> bool {
        self.operation == instance.operation
            && self
                .bound
                .iter()
                .zip(&instance.arguments)
                .all(|(b, v)| b.as_ref().is_none_or(|b| b == v))
    }

    /// Whether all instances of another pattern are instances of this one.
    pub fn covers(&self, other: &Pattern) -> bool {
        self.operation == other.operation
            && self.bound.iter().zip(&other.bound).all(|(a, b)| a.is_none() || a == b)
    }

    /// Whether it stands for one instance alone.
    pub fn is_instance(&self) -> bool {
        self.bound.iter().all(Option::is_some)
    }

    /// The instances of another operation, with this many parameters, that a link relates to these: it leads
    /// from this operation to that one.
    pub fn follow(&self, link: &Link, to: usize, parameters: usize) -> Option<Pattern> {
        let same = link.same.iter().map(|(a, b)| (a, b));
        self.related(same, to, parameters)
    }

    /// The same for a link that leads from that operation to this one.
    pub fn follow_back(&self, link: &Link, to: usize, parameters: usize) -> Option<Pattern> {
        let same = link.same.iter().map(|(a, b)| (b, a));
        self.related(same, to, parameters)
    }

    fn related<'l>(
        &self,
        same: impl Iterator<Item = (&'l Key, &'l Key)>,
        to: usize,
        parameters: usize,
    ) -> Option<Pattern> {
        let mut bound = vec![None; parameters];
        for (own, other) in same {
            let Some(value) = self.value(own) else { continue };
            match other {
                Key::Parameter(i) => match &bound[*i] {
                    Some(known) if *known != value => return None,
                    _ => bound[*i] = Some(value),
                },
                other => {
                    if literal(other).is_some_and(|other| other != value) {
                        return None;
                    }
                }
            }
        }
        Some(Pattern { operation: to, bound })
    }

    /// The value of a key in these instances, if they share it.
    pub fn value(&self, key: &Key) -> Option<Value> {
        match key {
            Key::Parameter(i) => self.bound[*i].clone(),
            key => literal(key),
        }
    }
}

/// The value of a key that is the same everywhere. What a constant or a pair is is not looked up.
fn literal(key: &Key) -> Option<Value> {
    match key {
        Key::Integer(n) => Some(Value::integer(n.clone())),
        Key::Bool(b) => Some(Value::bool(*b)),
        Key::Element(_, i) => Some(Value::Word(u64::from(*i))),
        Key::Parameter(_) | Key::Constant(_) | Key::Pair(..) => None,
    }
}
