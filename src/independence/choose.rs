//! Ample and stubborn sets of one state.

use super::Analysis;
use super::pattern::{Instance, Pattern};
use super::scalar::Test;
use crate::clock;
use crate::eval::{Program, Successors};
use crate::machine::Type;
use crate::state::Interner;
use crate::value::{Value, relation};
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

/// Chooses sets: one for each thread.
pub struct Chooser {
    analysis: Arc<Analysis>,
    program: Arc<Program>,
    method: Method,
    choice: Choice,
    /// Numbers of operations in the analysis, by their own.
    numbers: Vec<usize>,
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
        Chooser { analysis, program, method, choice, numbers }
    }

    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// The groups of the instances that are to be followed out of a state, in their order. `None`: all. The
    /// successors must have their arguments, and be those of all instances. `chance`: some number.
    pub fn choose(
        &self,
        state: &[u64],
        interner: &mut Interner,
        out: &Successors,
        chance: u64,
    ) -> Option<Vec<u32>> {
        if out.cut || !out.faults.is_empty() {
            return None;
        }
        let enabled = self.instances(out);
        if enabled.len() < 2 {
            return None;
        }
        let reading = Reading { program: &self.program, state, interner, read: Vec::new() };
        let mut search = Search { analysis: &self.analysis, enabled: &enabled, reading };
        let mut best: Option<Vec<usize>> = None;
        let start = match self.choice {
            Choice::Random => (chance % enabled.len() as u64) as usize,
            Choice::Smallest | Choice::First => 0,
        };
        for seed in (start..enabled.len()).chain(0..start) {
            if clock::tick().is_err() {
                // The search asks for itself.
                return None;
            }
            let limit = best.as_ref().map_or(enabled.len(), Vec::len);
            let found = match self.method {
                Method::Ample => search.ample(seed, limit),
                Method::Stubborn => search.stubborn(seed, limit),
            };
            if let Some(found) = found {
                let last = found.len() == 1 || self.choice != Choice::Smallest;
                best = Some(found);
                if last {
                    break;
                }
            }
        }
        let mut chosen: Vec<u32> = best?.into_iter().map(|i| enabled[i].group).collect();
        chosen.sort_unstable();
        Some(chosen)
    }

    /// The instances among successors.
    pub fn instances(&self, out: &Successors) -> Vec<Instance> {
        let mut all: Vec<Instance> = Vec::new();
        for entry in &out.entries {
            if all.last().is_some_and(|last| last.group == entry.group) {
                continue;
            }
            let operation = self.numbers[entry.operation.0 as usize];
            let parameters = self.analysis.relations.operations[operation].parameters.len();
            let from = entry.arguments as usize;
            let arguments = out.arguments[from..from + parameters].to_vec();
            all.push(Instance { operation, arguments, group: entry.group });
        }
        all
    }
}

/// The search for a set in one state.
struct Search<'a> {
    analysis: &'a Analysis,
    enabled: &'a [Instance],
    reading: Reading<'a>,
}

/// A set that is being made.
struct Growing {
    chosen: Vec<usize>,
    is_chosen: Vec<bool>,
    /// Chosen ones before this have been closed.
    closed: usize,
}

impl Growing {
    fn add(&mut self, i: usize) {
        if !std::mem::replace(&mut self.is_chosen[i], true) {
            self.chosen.push(i);
        }
    }
}

impl<'a> Search<'a> {
    fn grow(&self, seed: usize) -> Growing {
        let mut growing =
            Growing { chosen: Vec::new(), is_chosen: vec![false; self.enabled.len()], closed: 0 };
        growing.add(seed);
        growing
    }

    /// Whether a set is too large, or holds what changes an answer.
    fn is_useless(&self, growing: &Growing, limit: usize) -> bool {
        growing.chosen.len() >= limit
            || growing.chosen[growing.closed..]
                .iter()
                .any(|i| self.analysis.visible[self.enabled[*i].operation].is_some())
    }

    fn parameters(&self, operation: usize) -> usize {
        self.analysis.relations.operations[operation].parameters.len()
    }

    /// What depends on an instance.
    fn dependents(&self, instance: &Instance) -> Vec<Pattern> {
        let pattern = instance.pattern();
        let links = &self.analysis.dependents[instance.operation];
        let mut all = Vec::new();
        for (to, link) in links {
            if let Some(dependent) = pattern.follow(link, *to, self.parameters(*to)) {
                insert(&mut all, dependent);
            }
        }
        all
    }

    /// What can make a conjunct true in the guard of these instances.
    fn enablers(&self, pattern: &Pattern, conjunct: usize, all: &mut Vec<Pattern>) {
        for (from, link) in &self.analysis.enablers[pattern.operation][conjunct] {
            if let Some(p) = pattern.follow_back(link, *from, self.parameters(*from)) {
                insert(all, p);
            }
        }
    }

    fn conjuncts(&self, pattern: &Pattern) -> usize {
        self.analysis.enablers[pattern.operation].len()
    }

    fn members(&self, pattern: &Pattern) -> impl Iterator<Item = usize> + use<'a> {
        let (enabled, pattern) = (self.enabled, pattern.clone());
        (0..enabled.len()).filter(move |i| pattern.contains(&enabled[*i]))
    }

    /// Whether it stands for an enabled instance and no other.
    fn is_enabled(&self, pattern: &Pattern) -> bool {
        pattern.is_instance() && self.members(pattern).next().is_some()
    }

    // ----- stubborn

    /// The enabled instances of a stubborn set with this one: fewer than `limit`, none of which changes an
    /// answer.
    fn stubborn(&mut self, seed: usize, limit: usize) -> Option<Vec<usize>> {
        let mut growing = self.grow(seed);
        let mut patterns: Vec<Pattern> = Vec::new();
        let mut next = 0;
        loop {
            if self.is_useless(&growing, limit) {
                return None;
            }
            if let Some(i) = growing.chosen.get(growing.closed) {
                growing.closed += 1;
                for p in self.dependents(&self.enabled[*i]) {
                    insert(&mut patterns, p);
                }
                continue;
            }
            let Some(pattern) = patterns.get(next).cloned() else { return Some(growing.chosen) };
            next += 1;
            self.members(&pattern).for_each(|i| growing.add(i));
            if !self.is_enabled(&pattern) {
                for p in self.necessary(&pattern, &growing) {
                    insert(&mut patterns, p);
                }
            }
        }
    }

    /// Instances one of which must be carried out before a disabled one of the pattern is enabled: those
    /// that can make a false conjunct true, of the conjunct that adds the fewest enabled ones. Where no
    /// conjunct is known to be false for all of them, those for all conjuncts.
    fn necessary(&mut self, pattern: &Pattern, growing: &Growing) -> Vec<Pattern> {
        let mut best: Option<(usize, Vec<Pattern>)> = None;
        for conjunct in 0..self.conjuncts(pattern) {
            let guard = &self.analysis.relations.operations[pattern.operation].guard;
            let Some(test) = &guard[conjunct].test else { continue };
            if !self.reading.is_false(test, pattern) {
                continue;
            }
            let mut enablers = Vec::new();
            self.enablers(pattern, conjunct, &mut enablers);
            let new = |i: &usize| !growing.is_chosen[*i];
            let added = enablers.iter().flat_map(|p| self.members(p)).filter(new).count();
            if best.as_ref().is_none_or(|(fewest, _)| added < *fewest) {
                best = Some((added, enablers));
            }
        }
        if let Some((_, enablers)) = best {
            return enablers;
        }
        let mut all = Vec::new();
        (0..self.conjuncts(pattern)).for_each(|c| self.enablers(pattern, c, &mut all));
        all
    }

    // ----- ample

    /// An ample set with this instance: fewer than `limit`, none of which changes an answer.
    fn ample(&mut self, seed: usize, limit: usize) -> Option<Vec<usize>> {
        let mut growing = self.grow(seed);
        let mut patterns: Vec<Pattern> = Vec::new();
        // (A2.1)
        loop {
            if self.is_useless(&growing, limit) {
                return None;
            }
            let Some(i) = growing.chosen.get(growing.closed).copied() else { break };
            growing.closed += 1;
            for p in self.dependents(&self.enabled[i]) {
                self.members(&p).for_each(|i| growing.add(i));
                insert(&mut patterns, p);
            }
        }
        // (A2.2), backwards from what depends on the set.
        let mut next = 0;
        while let Some(pattern) = patterns.get(next).cloned() {
            next += 1;
            if self.members(&pattern).any(|i| !growing.is_chosen[i]) {
                return None;
            }
            if !self.is_enabled(&pattern) {
                let mut enablers = Vec::new();
                let conjuncts = 0..self.conjuncts(&pattern);
                conjuncts.for_each(|c| self.enablers(&pattern, c, &mut enablers));
                enablers.into_iter().for_each(|p| insert(&mut patterns, p));
            }
        }
        Some(growing.chosen)
    }
}

/// Adds a pattern, unless one that is there covers it.
fn insert(patterns: &mut Vec<Pattern>, new: Pattern) {
    if !patterns.iter().any(|p| p.covers(&new)) {
        patterns.push(new);
    }
}

/// The values of one state, each read once.
struct Reading<'a> {
    program: &'a Program,
    state: &'a [u64],
    interner: &'a mut Interner,
    read: Vec<Option<Value>>,
}

impl Reading<'_> {
    /// Whether what a guard says about a place is known to be false for all instances of a pattern.
    fn is_false(&mut self, test: &Test, pattern: &Pattern) -> bool {
        let variable = test.place.variable;
        let i = variable.0 as usize;
        if self.read.len() <= i {
            self.read.resize(i + 1, None);
        }
        let layout = &self.program.layout;
        let value =
            self.read[i].get_or_insert_with(|| layout.read(variable, self.state, self.interner));
        if value.is_symbolic() {
            return false;
        }
        let shape = self.program.instance.variable_shape(variable);
        let found = match &test.place.point {
            None => number(value),
            Some(key) => {
                let Some(key) = pattern.value(key) else { return false };
                let ty = &self.program.instance.machine.variable(variable).ty;
                match ty.element() {
                    Some(Type::Pair(_)) => match relation::apply(&shape, value, &key) {
                        Ok(result) => number(&result),
                        // Where there is no value, the guard does not hold.
                        Err(relation::ApplyError::OutsideDomain) => return true,
                        Err(_) => None,
                    },
                    _ => Some(i128::from(shape.contains(value, &key))),
                }
            }
        };
        found.is_some_and(|n| !test.range.contains(n))
    }
}

/// The number of a scalar.
fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Int(n) => Some(i128::from(*n)),
        Value::Word(w) => Some(i128::from(*w)),
        _ => None,
    }
}
