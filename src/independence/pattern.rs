//! Sets of instances that share some of their arguments.
//!
//! Where sets are looked for, in each state, they are numbers ([`numbered`](super::numbered)); as values they are
//! told, and compared in tests.

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

    /// The instances of another operation, with this many parameters, that a link relates to these: it leads
    /// from this operation to that one.
    pub fn follow(&self, link: &Link, to: usize, parameters: usize) -> Option<Pattern> {
        let same = link.same.iter().map(|(a, b)| (self.value(a), there(b)));
        let mut bound = vec![None; parameters];
        bind(same, &mut bound).then_some(Pattern { operation: to, bound })
    }

    /// The value of a key in these instances, if they share it.
    fn value(&self, key: &Key) -> Option<Value> {
        match key {
            Key::Parameter(i) => self.bound[*i].clone(),
            key => literal(key),
        }
    }
}

/// What a value is to be equal to, on the other side of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum There<T> {
    Parameter(usize),
    Literal(T),
    /// What it is is not looked up.
    Open,
}

fn there(key: &Key) -> There<Value> {
    match key {
        Key::Parameter(i) => There::Parameter(*i),
        key => literal(key).map_or(There::Open, There::Literal),
    }
}

/// Binds the arguments that a link says: those that are to be equal to values that are known on this side.
/// `false`: no instance meets that.
pub fn bind<T: PartialEq>(
    same: impl Iterator<Item = (Option<T>, There<T>)>,
    bound: &mut [Option<T>],
) -> bool {
    for (value, there) in same {
        let Some(value) = value else { continue };
        match there {
            There::Parameter(i) => match &bound[i] {
                Some(known) if *known != value => return false,
                _ => bound[i] = Some(value),
            },
            There::Literal(other) if other != value => return false,
            There::Literal(_) | There::Open => {}
        }
    }
    true
}

/// The value of a key that is the same everywhere. What a constant or a pair is is not looked up.
pub fn literal(key: &Key) -> Option<Value> {
    match key {
        Key::Integer(n) => Some(Value::integer(n.clone())),
        Key::Bool(b) => Some(Value::bool(*b)),
        Key::Element(_, i) => Some(Value::Word(u64::from(*i))),
        Key::Parameter(_) | Key::Constant(_) | Key::Pair(..) => None,
    }
}
