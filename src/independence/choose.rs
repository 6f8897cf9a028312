//! Which of the instances that a state enables are followed.

use super::Analysis;
use super::hope::{Hope, Operations};
use super::pattern::Instance;
use super::sets::{Failed, Reading, Search, Step};
use crate::clock;
use crate::eval::{Instances, Program};
use crate::state::Interner;
use std::sync::Arc;

/// How sets are found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// Dobrikov and Leuschel, algorithm 3: closed under dependence, refused where one outside may lead to
    /// one that depends on it.
    Ample,
    /// Valmari: what may lead to one that depends on it is added.
    Stubborn,
}

impl Method {
    pub const ALL: [Method; 2] = [Method::Ample, Method::Stubborn];

    pub fn name(self) -> &'static str {
        match self {
            Method::Ample => "ample",
            Method::Stubborn => "stubborn",
        }
    }
}

/// Which of the sets is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Choice {
    /// One with the fewest instances, and of those the first.
    #[default]
    Smallest,
    /// That of the first instance that has one.
    First,
    /// The same, beginning at an instance that chance picks.
    Random,
}

impl Choice {
    pub const ALL: [Choice; 3] = [Choice::Smallest, Choice::First, Choice::Random];

    pub fn name(self) -> &'static str {
        match self {
            Choice::Smallest => "smallest",
            Choice::First => "first",
            Choice::Random => "random",
        }
    }
}

/// A set of the enabled instances, by their places among these.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    /// The one that it was made for.
    pub seed: usize,
    /// Ascending.
    pub members: Vec<usize>,
}

/// Why a state is reduced, or is not.
#[derive(Clone, PartialEq, Debug)]
pub struct Explained {
    pub chosen: Option<Chosen>,
    /// How the chosen set was made.
    pub steps: Vec<Step>,
    /// The instances for which there is no set, or no smaller one, and why.
    pub failed: Vec<(usize, Failed)>,
}

/// Chooses sets: one for each thread.
pub struct Chooser {
    analysis: Arc<Analysis>,
    program: Arc<Program>,
    method: Method,
    choice: Choice,
    /// Numbers of operations in the analysis, by their own.
    numbers: Vec<usize>,
    hope: Hope,
    enabled: Operations,
}

impl Chooser {
    pub fn new(
        analysis: Arc<Analysis>,
        program: Arc<Program>,
        method: Method,
        choice: Choice,
    ) -> Chooser {
        let count = program.instance.machine.operations.len();
        let mut numbers = vec![usize::MAX; count];
        for (i, operation) in analysis.relations.operations.iter().enumerate() {
            numbers[operation.id.0 as usize] = i;
        }
        let hope = Hope::new(&analysis);
        let enabled = Operations::default();
        Chooser { analysis, program, method, choice, numbers, hope, enabled }
    }

    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Whether there is a state in which a part of what is enabled may be chosen, for all that is known
    /// before the search.
    pub fn has_hope(&self) -> bool {
        !self.hope.is_none()
    }

    /// Whether a part of these may be chosen, for all that their operations tell.
    pub fn may_choose(&mut self, listed: &Instances) -> bool {
        if listed.len() < 2 {
            return false;
        }
        self.enabled.clear();
        for (operation, numbers) in listed.operations() {
            if !numbers.is_empty() {
                self.enabled.insert(self.numbers[operation.0 as usize]);
            }
        }
        !self.hope.seeds(&self.enabled).is_empty()
    }

    /// The instances that are listed and enabled, in their order.
    pub fn instances(
        &self,
        listed: &Instances,
        is_enabled: impl Fn(usize) -> bool,
    ) -> Vec<Instance> {
        let mut all = Vec::with_capacity(listed.len());
        for (operation, numbers) in listed.operations() {
            for number in numbers.filter(|i| is_enabled(*i)) {
                let arguments = listed.arguments(number, &self.program);
                let operation = self.numbers[operation.0 as usize];
                all.push(Instance { operation, arguments, number });
            }
        }
        all
    }

    /// Those of the enabled instances of a state that are to be followed. `None`: all. `chance`: some number.
    pub fn choose(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
        enabled: &[Instance],
        chance: u64,
    ) -> Option<Chosen> {
        self.search(state, interner, enabled, chance, None)
    }

    /// The same, with what it was chosen for.
    pub fn explain(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
        enabled: &[Instance],
        chance: u64,
    ) -> Explained {
        let mut failed = Vec::new();
        let chosen = self.search(state, interner, enabled, chance, Some(&mut failed));
        let mut steps = Vec::new();
        if let Some(chosen) = &chosen {
            let reading = Reading::new(&self.program, state, interner);
            let mut search = Search::new(&self.analysis, enabled, reading);
            search.tell();
            let _ = search.set(self.method, chosen.seed, enabled.len());
            steps = search.told();
        }
        Explained { chosen, steps, failed }
    }

    fn search(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
        enabled: &[Instance],
        chance: u64,
        mut failed: Option<&mut Vec<(usize, Failed)>>,
    ) -> Option<Chosen> {
        if enabled.is_empty() {
            return None;
        }
        self.enabled.clear();
        enabled.iter().for_each(|i| self.enabled.insert(i.operation));
        let seeds = self.hope.seeds(&self.enabled);
        let reading = Reading::new(&self.program, state, interner);
        let mut search = Search::new(&self.analysis, enabled, reading);
        let mut best: Option<Chosen> = None;
        let start = match self.choice {
            Choice::Random => (chance % enabled.len() as u64) as usize,
            Choice::Smallest | Choice::First => 0,
        };
        for seed in (start..enabled.len()).chain(0..start) {
            if clock::tick().is_err() {
                // The search asks for itself.
                return None;
            }
            if !seeds.contains(enabled[seed].operation) {
                // Finding out why costs more than knowing that.
                if let Some(failed) = &mut failed {
                    failed.push((seed, search.hopeless(seed)));
                }
                continue;
            }
            let limit = best.as_ref().map_or(enabled.len(), |best| best.members.len());
            match search.set(self.method, seed, limit) {
                Ok(mut members) => {
                    members.sort_unstable();
                    let last = members.len() == 1 || self.choice != Choice::Smallest;
                    best = Some(Chosen { seed, members });
                    if last {
                        break;
                    }
                }
                Err(why) => {
                    if let Some(failed) = &mut failed {
                        failed.push((seed, why));
                    }
                }
            }
        }
        best
    }
}
