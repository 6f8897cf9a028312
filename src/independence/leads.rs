//! Links between operations as they are followed from patterns to patterns, with the values that they name by
//! numbers. They depend on the machine alone: all searches and threads share them.

use super::Linked;
use super::pattern::{There, literal};
use crate::machine::Key;
use crate::value::Value;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// One side of what a link says.
#[derive(Clone, Copy, Debug)]
pub enum Here {
    Parameter(usize),
    Literal(u32),
    /// What it is is not looked up.
    Open,
}

/// A link to another operation.
#[derive(Clone, Debug)]
pub struct Lead {
    pub to: usize,
    pub same: SmallVec<[(Here, There<u32>); 2]>,
}

/// All of them, by the operation that they lead from.
pub struct Leads {
    /// To what depends on it.
    pub dependents: Vec<Vec<Lead>>,
    /// By conjuncts of its guard, to what can make the conjunct true and leave it enabled.
    pub enablers: Vec<Vec<Vec<Lead>>>,
    /// The same to what makes the conjunct true, whatever the others are.
    pub verifiers: Vec<Vec<Vec<Lead>>>,
    /// Values that are named, numbered from 1 on.
    pub literals: IndexSet<Value, FxBuildHasher>,
}

impl Leads {
    /// `enablers`, `verifiers`: by conjuncts, with links from the operation that makes them true.
    pub fn new(
        dependents: &[Vec<Linked>],
        enablers: &[Vec<Vec<Linked>>],
        verifiers: &[Vec<Vec<Linked>>],
    ) -> Leads {
        let mut literals = IndexSet::default();
        let dependents = dependents
            .iter()
            .map(|links| links.iter().map(|l| lead(l, false, &mut literals)).collect())
            .collect();
        let mut by_conjuncts = |all: &[Vec<Vec<Linked>>]| -> Vec<Vec<Vec<Lead>>> {
            let mut leads =
                |links: &Vec<Linked>| links.iter().map(|l| lead(l, true, &mut literals)).collect();
            all.iter().map(|conjuncts| conjuncts.iter().map(&mut leads).collect()).collect()
        };
        let (enablers, verifiers) = (by_conjuncts(enablers), by_conjuncts(verifiers));
        Leads { dependents, enablers, verifiers, literals }
    }
}

/// `back`: from the end of a link to its beginning.
fn lead((to, link): &Linked, back: bool, literals: &mut IndexSet<Value, FxBuildHasher>) -> Lead {
    let mut number = |key: &Key| literal(key).map(|v| literals.insert_full(v).0 as u32 + 1);
    let same = link.same.iter().map(|(a, b)| {
        let (own, other) = if back { (b, a) } else { (a, b) };
        let here = match own {
            Key::Parameter(i) => Here::Parameter(*i),
            key => number(key).map_or(Here::Open, Here::Literal),
        };
        let there = match other {
            Key::Parameter(i) => There::Parameter(*i),
            key => number(key).map_or(There::Open, There::Literal),
        };
        (here, there)
    });
    Lead { to: *to, same: same.collect() }
}
