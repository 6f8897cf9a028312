//! Which of the instances that a state enables are followed.

use super::Analysis;
use super::hope::{Hope, Operations};
use super::listed::Listed;
use super::pattern::Instance;
use super::sets::{Failed, Reading, Sets, Step};
use crate::clock;
use crate::eval::{Instances, Program};
use crate::machine::OpId;
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
#[derive(Clone, PartialEq, Default, Debug)]
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
    program: Arc<Program>,
    method: Method,
    choice: Choice,
    /// Numbers of operations in the analysis, by their own.
    numbers: Vec<usize>,
    hope: Hope,
    enabled: Operations,
    sets: Sets,
    chosen: Chosen,
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
        let hope = Hope::new(analysis.draws.clone());
        Chooser {
            program,
            method,
            choice,
            numbers,
            hope,
            enabled: Operations::default(),
            sets: Sets::new(analysis),
            chosen: Chosen::default(),
        }
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

    /// Takes the instances down that are listed and enabled, in their order: what is chosen from.
    pub fn take(&mut self, listed: &Instances, is_enabled: impl Fn(usize) -> bool) {
        self.sets.clear();
        for (operation, numbers) in listed.operations() {
            let enabled = numbers.filter(|i| is_enabled(*i));
            let operation = self.numbers[operation.0 as usize];
            self.sets.take(operation, listed, enabled, &self.program);
        }
    }

    /// How many were taken down.
    pub fn len(&self) -> usize {
        self.sets.count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// They themselves.
    pub fn instances(&self) -> Vec<Instance> {
        self.sets.told()
    }

    /// The number among those that are listed of one that was taken down.
    pub fn number(&self, i: usize) -> usize {
        self.sets.number(i)
    }

    /// What has been done so far to choose, in units of much the same time.
    pub fn work(&self) -> u64 {
        self.sets.work
    }

    /// Chooses those of the enabled instances of a state that are to be followed. `false`: all. `chance`: some number.
    pub fn choose(&mut self, state: &[u64], interner: &mut Interner, chance: u64) -> bool {
        self.search(state, interner, chance, None)
    }

    /// What was chosen last.
    pub fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// How many of the listed instances that are enabled and have a weight may lead to another state.
    pub fn count_leading(&self, listed: &Listed, weights: &[u32]) -> u32 {
        let idle = |operation: OpId| {
            self.sets.patterns.analysis().is_idle(self.numbers[operation.0 as usize])
        };
        let leading = listed.instances.operations().filter(|(operation, _)| !idle(*operation));
        leading
            .flat_map(|(_, all)| all)
            .filter(|i| weights[*i] > 0 && listed.is_enabled(*i))
            .count() as u32
    }

    /// The same, with what it was chosen for.
    pub fn explain(&mut self, state: &[u64], interner: &mut Interner, chance: u64) -> Explained {
        let mut failed = Vec::new();
        let found = self.search(state, interner, chance, Some(&mut failed));
        let chosen = found.then(|| self.chosen.clone());
        let mut steps = Vec::new();
        if let Some(chosen) = &chosen {
            let mut reading = Reading::new(&self.program, state, interner);
            self.sets.tell();
            let _ = self.sets.set(&mut reading, self.method, chosen.seed, self.sets.count());
            steps = self.sets.steps();
        }
        Explained { chosen, steps, failed }
    }

    /// Whether there is a set: then it is kept.
    fn search(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
        chance: u64,
        mut failed: Option<&mut Vec<(usize, Failed)>>,
    ) -> bool {
        let Chooser { program, method, choice, hope, enabled, sets, chosen, .. } = self;
        let count = sets.count();
        if count == 0 {
            return false;
        }
        enabled.clear();
        (0..count).for_each(|i| enabled.insert(sets.operation(i)));
        let seeds = hope.seeds(enabled);
        let mut reading = Reading::new(program, state, interner);
        let mut found = false;
        let start = match choice {
            Choice::Random => (chance % count as u64) as usize,
            Choice::Smallest | Choice::First => 0,
        };
        for seed in (start..count).chain(0..start) {
            if clock::tick().is_err() {
                // The search asks for itself.
                return false;
            }
            if !seeds.contains(sets.operation(seed)) {
                // Finding out why costs more than knowing that.
                if let Some(failed) = &mut failed {
                    failed.push((seed, sets.hopeless(seed)));
                }
                continue;
            }
            let limit = if found { chosen.members.len() } else { count };
            match sets.set(&mut reading, *method, seed, limit) {
                Ok(members) => {
                    found = true;
                    chosen.seed = seed;
                    chosen.members.clear();
                    chosen.members.extend_from_slice(members);
                    chosen.members.sort_unstable();
                    if members.len() == 1 || *choice != Choice::Smallest {
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
        found
    }
}
