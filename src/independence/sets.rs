//! Ample and stubborn sets of one state, each for an instance that is to be in it.

use super::Analysis;
use super::choose::Method;
use super::pattern::{Instance, Pattern};
use super::relation::Link;
use super::scalar::{Test, number};
use crate::eval::Program;
use crate::machine::Type;
use crate::state::Interner;
use crate::value::{Value, relation};

/// How a set was made.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// An instance of the set, and others that depend on it for a reason.
    Depend { on: usize, pattern: Pattern, link: Link },
    /// These are not all enabled. Before one that is disabled can be, one of the enablers must be carried out,
    /// since this conjunct of its guard is false; `None`: all conjuncts were looked at.
    Disabled { pattern: Pattern, conjunct: Option<usize>, enablers: Vec<Pattern> },
}

/// Why there is no set for an instance.
#[derive(Clone, PartialEq, Debug)]
pub enum Failed {
    /// With it goes an instance that changes an answer: perhaps itself.
    Visible(usize),
    /// It would have everything that is enabled.
    Whole,
    /// It would be no smaller than one that is known.
    Larger,
    /// Outside of it, this begins what may lead to one that depends on it.
    Chain(usize),
}

/// The search for sets in one state.
pub struct Search<'a> {
    analysis: &'a Analysis,
    enabled: &'a [Instance],
    reading: Reading<'a>,
    steps: Option<Vec<Step>>,
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
    pub fn new(
        analysis: &'a Analysis,
        enabled: &'a [Instance],
        reading: Reading<'a>,
    ) -> Search<'a> {
        Search { analysis, enabled, reading, steps: None }
    }

    /// From now on it keeps how sets are made.
    pub fn tell(&mut self) {
        self.steps = Some(Vec::new());
    }

    pub fn told(&mut self) -> Vec<Step> {
        self.steps.take().unwrap_or_default()
    }

    /// The enabled instances of a set with this one: fewer than `limit`, none of which changes an answer.
    pub fn set(&mut self, method: Method, seed: usize, limit: usize) -> Result<Vec<usize>, Failed> {
        match method {
            Method::Ample => self.ample(seed, limit),
            Method::Stubborn => self.stubborn(seed, limit),
        }
    }

    /// Why there is no set for an instance whose operation cannot begin one.
    pub fn hopeless(&self, seed: usize) -> Failed {
        let mut growing = self.grow(seed);
        while let Some(i) = growing.chosen.get(growing.closed).copied() {
            if self.is_visible(i) {
                return Failed::Visible(i);
            }
            growing.closed += 1;
            for p in self.dependents(i) {
                self.members(&p).for_each(|i| growing.add(i));
            }
        }
        Failed::Whole
    }

    fn is_visible(&self, i: usize) -> bool {
        self.analysis.visible[self.enabled[i].operation].is_some()
    }

    fn grow(&self, seed: usize) -> Growing {
        let mut growing =
            Growing { chosen: Vec::new(), is_chosen: vec![false; self.enabled.len()], closed: 0 };
        growing.add(seed);
        growing
    }

    /// Whether a set is too large, or holds what changes an answer.
    fn is_useful(&self, growing: &Growing, limit: usize) -> Result<(), Failed> {
        let mut new = growing.chosen[growing.closed..].iter();
        if let Some(visible) = new.find(|i| self.is_visible(**i)) {
            return Err(Failed::Visible(*visible));
        }
        if growing.chosen.len() < limit {
            return Ok(());
        }
        Err(if limit == self.enabled.len() { Failed::Whole } else { Failed::Larger })
    }

    fn parameters(&self, operation: usize) -> usize {
        self.analysis.relations.operations[operation].parameters.len()
    }

    /// What depends on an enabled instance.
    fn dependents(&self, i: usize) -> Vec<Pattern> {
        let mut all = Vec::new();
        self.each_dependent(i, |_, pattern| insert(&mut all, pattern));
        all
    }

    fn each_dependent(&self, i: usize, mut see: impl FnMut(&Link, Pattern)) {
        let instance = &self.enabled[i];
        let pattern = instance.pattern();
        for (to, link) in &self.analysis.dependents[instance.operation] {
            if let Some(dependent) = pattern.follow(link, *to, self.parameters(*to)) {
                see(link, dependent);
            }
        }
    }

    /// The same for one that has just become a member.
    fn dependents_of_member(&mut self, i: usize) -> Vec<Pattern> {
        if let Some(mut steps) = self.steps.take() {
            self.each_dependent(i, |link, pattern| {
                steps.push(Step::Depend { on: i, pattern, link: link.clone() });
            });
            self.steps = Some(steps);
        }
        self.dependents(i)
    }

    /// The instances from which these links lead to some of the pattern.
    fn sources(&self, pattern: &Pattern, links: &[(usize, Link)], all: &mut Vec<Pattern>) {
        for (from, link) in links {
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

    fn note_disabled(&mut self, pattern: &Pattern, conjunct: Option<usize>, enablers: &[Pattern]) {
        let (pattern, enablers) = (pattern.clone(), enablers.to_vec());
        if let Some(steps) = &mut self.steps {
            steps.push(Step::Disabled { pattern, conjunct, enablers });
        }
    }

    // ----- stubborn

    fn stubborn(&mut self, seed: usize, limit: usize) -> Result<Vec<usize>, Failed> {
        let mut growing = self.grow(seed);
        let mut patterns: Vec<Pattern> = Vec::new();
        let mut next = 0;
        loop {
            self.is_useful(&growing, limit)?;
            if let Some(i) = growing.chosen.get(growing.closed).copied() {
                growing.closed += 1;
                for p in self.dependents_of_member(i) {
                    insert(&mut patterns, p);
                }
                continue;
            }
            let Some(pattern) = patterns.get(next).cloned() else { return Ok(growing.chosen) };
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
    /// that can make a false conjunct true, of the conjunct that adds the fewest enabled ones: one of them is
    /// carried out, though others may have to follow it. Where no conjunct is known to be false for all of
    /// them, those after which one is enabled.
    fn necessary(&mut self, pattern: &Pattern, growing: &Growing) -> Vec<Pattern> {
        let mut best: Option<(usize, usize, Vec<Pattern>)> = None;
        for conjunct in 0..self.conjuncts(pattern) {
            let guard = &self.analysis.relations.operations[pattern.operation].guard;
            let Some(test) = &guard[conjunct].test else { continue };
            if !self.reading.is_false(test, pattern) {
                continue;
            }
            let mut enablers = Vec::new();
            let links = &self.analysis.verifiers[pattern.operation][conjunct];
            self.sources(pattern, links, &mut enablers);
            let new = |i: &usize| !growing.is_chosen[*i];
            let added = enablers.iter().flat_map(|p| self.members(p)).filter(new).count();
            if best.as_ref().is_none_or(|(fewest, ..)| added < *fewest) {
                best = Some((added, conjunct, enablers));
            }
        }
        let (conjunct, enablers) = match best {
            Some((_, conjunct, enablers)) => (Some(conjunct), enablers),
            None => (None, self.all_enablers(pattern)),
        };
        self.note_disabled(pattern, conjunct, &enablers);
        enablers
    }

    fn all_enablers(&self, pattern: &Pattern) -> Vec<Pattern> {
        let mut all = Vec::new();
        for links in &self.analysis.enablers[pattern.operation] {
            self.sources(pattern, links, &mut all);
        }
        all
    }

    // ----- ample

    fn ample(&mut self, seed: usize, limit: usize) -> Result<Vec<usize>, Failed> {
        let mut growing = self.grow(seed);
        let mut patterns: Vec<Pattern> = Vec::new();
        // (A2.1)
        loop {
            self.is_useful(&growing, limit)?;
            let Some(i) = growing.chosen.get(growing.closed).copied() else { break };
            growing.closed += 1;
            for p in self.dependents_of_member(i) {
                self.members(&p).for_each(|i| growing.add(i));
                insert(&mut patterns, p);
            }
        }
        // (A2.2), backwards from what depends on the set.
        let mut next = 0;
        while let Some(pattern) = patterns.get(next).cloned() {
            next += 1;
            if let Some(i) = self.members(&pattern).find(|i| !growing.is_chosen[*i]) {
                return Err(Failed::Chain(i));
            }
            if !self.is_enabled(&pattern) {
                let enablers = self.all_enablers(&pattern);
                self.note_disabled(&pattern, None, &enablers);
                enablers.into_iter().for_each(|p| insert(&mut patterns, p));
            }
        }
        Ok(growing.chosen)
    }
}

/// Adds a pattern, unless one that is there covers it.
fn insert(patterns: &mut Vec<Pattern>, new: Pattern) {
    if !patterns.iter().any(|p| p.covers(&new)) {
        patterns.push(new);
    }
}

/// The values of one state, each read once.
pub struct Reading<'a> {
    program: &'a Program,
    state: &'a [u64],
    interner: &'a mut Interner,
    read: Vec<Option<Value>>,
}

impl<'a> Reading<'a> {
    pub fn new(program: &'a Program, state: &'a [u64], interner: &'a mut Interner) -> Reading<'a> {
        Reading { program, state, interner, read: Vec::new() }
    }

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
