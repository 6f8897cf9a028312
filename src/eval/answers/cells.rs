//! What operations read and write, cell by cell, for people: variables, or single points of them
//! ([`places`](crate::machine::places)), guard and body apart, and what is written in any case apart from what may be.

use crate::machine::OpId;
use crate::machine::places::{Place, Places};
use crate::state::Instance;
use serde::Serialize;
use std::collections::BTreeSet;

/// The cells of one operation, each told once, in the order of the variables.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cells {
    pub guard_reads: Vec<String>,
    /// What the outcomes depend on. What a cell that is written was before is not listed, where it decides about
    /// that cell alone.
    pub body_reads: Vec<String>,
    /// Every outcome is seen to write these, whether they change or not; what only a `;` makes certain is not.
    pub always_writes: Vec<String>,
    /// Some outcomes may write these; no others are written.
    pub may_write: Vec<String>,
}

impl Cells {
    /// Those of a visible operation.
    pub fn of(instance: &Instance, id: OpId) -> Cells {
        let places = Places::of(&instance.machine, id);
        let parameters = &instance.machine.operation(id).parameters;
        let told = |places: BTreeSet<&Place>| -> Vec<String> {
            places.into_iter().map(|place| instance.place(parameters, place)).collect()
        };
        let (always, perhaps): (Vec<_>, Vec<_>) = places.writes.iter().partition(|w| w.certain);
        let always: BTreeSet<&Place> = always.into_iter().map(|w| &w.place).collect();
        let perhaps = perhaps.into_iter().map(|w| &w.place).filter(|p| !always.contains(p));
        Cells {
            guard_reads: told(places.guard.iter().flat_map(|c| &c.reads).collect()),
            body_reads: told(places.reads.iter().collect()),
            may_write: told(perhaps.collect()),
            always_writes: told(always),
        }
    }

    /// What there is, with its name.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        let all = [
            ("guard reads", &self.guard_reads[..]),
            ("body reads", &self.body_reads[..]),
            ("always writes", &self.always_writes[..]),
            ("may write", &self.may_write[..]),
        ];
        all.into_iter().filter(|(_, cells)| !cells.is_empty())
    }
}
