//! What the conjuncts of a predicate, and the types of its locals, offer a plan as its next step.

use super::estimate::LAST_RESORT;
use super::plan::{Source, Step};
use crate::machine::LocalId;
use std::collections::{BTreeMap, BTreeSet};

/// A way to bind something, with its expected number of candidates.
pub(super) struct Choice {
    pub(super) cost: f64,
    pub(super) step: Step,
    /// The conjuncts that it makes true by itself.
    pub(super) consumed: Vec<usize>,
    pub(super) binds: Vec<LocalId>,
}

/// Where a choice comes from; of those that cost the same the first is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    Conjunct(usize),
    Type(LocalId),
}

/// The best choice that each conjunct and each type offers. It stays the best until one of the locals that
/// the conjunct mentions is bound, and for a type, until that happens to a conjunct about the local.
#[derive(Default)]
pub(super) struct Offers {
    choices: BTreeMap<Origin, Choice>,
    /// By cost: the bits of numbers that are not negative are in their order.
    order: BTreeSet<(u64, Origin)>,
    /// To be asked again.
    stale: BTreeSet<Origin>,
}

impl Offers {
    pub(super) fn add(&mut self, origin: Origin, choice: Choice) {
        self.order.insert((choice.rank(), origin));
        self.choices.insert(origin, choice);
    }

    pub(super) fn remove(&mut self, origin: Origin) -> Option<Choice> {
        self.stale.remove(&origin);
        let choice = self.choices.remove(&origin)?;
        self.order.remove(&(choice.rank(), origin));
        Some(choice)
    }

    /// The best of all; not what goes through a type where a set gives the local its value, with others.
    pub(super) fn first(&self) -> Option<Origin> {
        let (_, origin) = *self.order.first()?;
        Some(self.giving(origin).unwrap_or(origin))
    }

    /// Those that are as good as this one, which comes first.
    pub(super) fn as_good_as(&self, origin: Origin) -> impl Iterator<Item = (Origin, &Choice)> {
        let rank = self.choices.get(&origin).map_or(0, Choice::rank);
        let alike = self.order.range((rank, origin)..).take_while(move |(other, _)| *other == rank);
        alike.map(|(_, origin)| (*origin, &self.choices[origin]))
    }

    /// What gives many locals their values, one of which would go through all values of its type: the set
    /// would be gone through again for each of these.
    fn giving(&self, origin: Origin) -> Option<Origin> {
        let Origin::Type(local) = origin else { return None };
        let mut others = self.order.iter().map(|(_, origin)| *origin);
        others.find(|other| {
            let choice = &self.choices[other];
            choice.gives_many() && choice.binds.contains(&local)
        })
    }

    pub(super) fn get(&self, origin: Origin) -> Option<&Choice> {
        self.choices.get(&origin)
    }

    /// The best that binds a local, and not this other one, with its cost.
    pub(super) fn giving_first(&self, local: LocalId, other: LocalId) -> Option<(Origin, f64)> {
        let mut all = self.order.iter().map(|(_, origin)| (*origin, &self.choices[origin]));
        let gives =
            |choice: &Choice| choice.binds.contains(&local) && !choice.binds.contains(&other);
        all.find(|(_, choice)| gives(choice)).map(|(origin, choice)| (origin, choice.cost))
    }

    /// These are to be asked.
    pub(super) fn ask(&mut self, origins: impl IntoIterator<Item = Origin>) {
        self.stale.extend(origins);
    }

    pub(super) fn ask_again(&mut self, origin: Origin) {
        self.remove(origin);
        self.stale.insert(origin);
    }

    /// The next one to be asked, unless nothing that it says could be better.
    pub(super) fn next_stale(&mut self) -> Option<Origin> {
        let next = *self.stale.first()?;
        if self.order.first().is_some_and(|(rank, best)| *rank == 0 && *best < next) {
            return None;
        }
        self.stale.pop_first()
    }
}

/// So many locals are many.
const MANY: usize = 3;

impl Choice {
    /// Whether members of a set give many locals their values at once.
    fn gives_many(&self) -> bool {
        matches!(self.step, Step::Generate(_, Source::Set(_)))
            && self.binds.len() >= MANY
            && self.cost < LAST_RESORT
    }

    /// By cost. What gives many locals their values at once is better than what gives one of them: as good as
    /// what costs that for all of them, one after the other.
    fn rank(&self) -> u64 {
        let cost = match self.gives_many() {
            true => self.cost.powf(1.0 / self.binds.len() as f64),
            false => self.cost,
        };
        // There is a negative zero, too.
        (cost + 0.0).to_bits()
    }
}
