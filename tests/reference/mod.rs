//! A second interpreter of machines, for tests only.
//!
//! It walks the typed trees and shares no code with `burnside::eval`: values are mathematical
//! objects built explicitly ([`value`]), quantifiers enumerate, predicates have three truth values
//! ([`formula`]), and a substitution is a function from a state to all its outcomes and the errors
//! beside them ([`substitution`]). It is slow and as plain as can be.
//!
//! Truth of undefined parts: an expression with an undefined part is undefined. `P & Q` is false if
//! either is false, whatever the other; it is undefined if one is undefined and none false. `or`,
//! `=>` and the quantifiers likewise. Membership in a union, intersection, difference, product or
//! comprehension is the predicate that it stands for.

#![allow(dead_code)]

pub mod explore;
pub mod formula;
pub mod guard;
pub mod sets;
pub mod substitution;
pub mod value;

use burnside::machine::{FreeId, LocalId, Machine, SetId, SetKind, Type};
use burnside::state::Instance;
use num_bigint::BigInt;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use value::V;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// Undefined, or a failed condition of a substitution.
    Fault(String),
    /// More than this interpreter can enumerate: the comparison is given up.
    Skip(String),
}

pub type R<T> = Result<T, Stop>;

pub fn fault<T>(why: &str) -> R<T> {
    Err(Stop::Fault(why.to_string()))
}

pub fn skip<T>(why: &str) -> R<T> {
    Err(Stop::Skip(why.to_string()))
}

/// What an evaluation reads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    pub constants: Vec<V>,
    /// `None` while an initialisation has not written the variable.
    pub variables: Vec<Option<V>>,
    /// An assigned local that has not been written is absent.
    pub locals: BTreeMap<LocalId, V>,
}

pub struct Reference<'a> {
    pub machine: &'a Machine,
    sizes: Vec<u32>,
    min: BigInt,
    max: BigInt,
    /// Some integer left the limits: what was enumerated within them may not be everything.
    pub wide: Cell<bool>,
    pub strings: Vec<String>,
    /// Why an outcome of the instance at hand is an error, beside which there may be others.
    pub failed: RefCell<Option<String>>,
    /// Formulas evaluated so far.
    work: Cell<u64>,
}

/// Most formulas that are evaluated for one machine.
const WORK: u64 = 1_500_000;

impl<'a> Reference<'a> {
    pub fn new(instance: &'a Instance, strings: &[std::sync::Arc<str>]) -> Reference<'a> {
        let machine = &*instance.machine;
        let size = |(i, s): (usize, &burnside::machine::CarrierSet)| match &s.kind {
            SetKind::Enumerated(names) => names.len() as u32,
            _ => instance.size(SetId(i as u32)),
        };
        Reference {
            machine,
            sizes: machine.sets.iter().enumerate().map(size).collect(),
            min: BigInt::from(instance.min_int),
            max: BigInt::from(instance.max_int),
            wide: Cell::new(false),
            work: Cell::new(0),
            failed: RefCell::new(None),
            strings: strings.iter().map(|s| s.to_string()).collect(),
        }
    }

    fn tick(&self) -> R<()> {
        self.work.set(self.work.get() + 1);
        if self.work.get() > WORK { skip("too much work") } else { Ok(()) }
    }

    /// All values of a type; integers within the limits.
    pub fn all(&self, ty: &Type) -> R<Vec<V>> {
        Ok(match ty {
            Type::Integer => sets::interval(&self.min, &self.max),
            Type::Bool => vec![V::Bool(false), V::Bool(true)],
            Type::String => self.strings.iter().map(|s| V::Str(s.clone())).collect(),
            Type::Set(s) => (0..self.sizes[s.0 as usize]).map(|i| V::Elem(s.0, i)).collect(),
            Type::Pow(t) => sets::subsets(&self.all(t)?)?,
            Type::Pair(p) => sets::product(&self.all(&p.0)?, &self.all(&p.1)?),
            Type::Record(fields) => {
                let lists = fields.iter().map(|(_, t)| self.all(t)).collect::<R<Vec<_>>>()?;
                sets::records(&lists)
            }
            Type::Free(id) => self.made(*id, None)?,
            Type::Real => return skip("all values of an infinite type"),
        })
    }

    /// The values that the constructors of a free type make, or one of them.
    pub fn made(&self, id: FreeId, by: Option<u32>) -> R<Vec<V>> {
        let freetype = &self.machine.freetypes[id.0 as usize];
        if freetype.nested {
            return skip("all values of a free type within itself");
        }
        let nowhere =
            Frame { constants: Vec::new(), variables: Vec::new(), locals: BTreeMap::new() };
        let mut all = Vec::new();
        for (number, constructor) in (0..).zip(&freetype.constructors) {
            match &constructor.from {
                _ if by.is_some_and(|by| by != number) => {}
                None => all.push(V::Free(number, None)),
                Some(set) => {
                    let arguments = sets::list(&self.eval(set, &nowhere)?);
                    all.extend(arguments.into_iter().map(|x| V::Free(number, Some(Box::new(x)))));
                }
            }
        }
        Ok(all)
    }

    pub fn integer(&self, n: BigInt) -> V {
        if n < self.min || n > self.max {
            self.wide.set(true);
        }
        V::Int(n)
    }
}
