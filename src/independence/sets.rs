//! Ample and stubborn sets of one state, each for an instance that is to be in it.

use super::Analysis;
use super::choose::Method;
use super::numbered::{Ask, Patterns};
use super::pattern::{Instance, Pattern};
use super::relation::Link;
use super::scalar::{Test, number};
use crate::eval::{Instances, Program};
use crate::machine::Type;
use crate::state::Interner;
use crate::value::{Value, relation};
use std::ops::Range;
use std::sync::Arc;

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
    /// The same for one that leads from each state to that state: (A4) asks for all that is enabled then.
    Idle(usize),
    /// It would have everything that is enabled.
    Whole,
    /// It would be no smaller than one that is known.
    Larger,
    /// Outside of it, this begins what may lead to one that depends on it.
    Chain(usize),
}

/// What an instance of the enabled ones costs where sets are looked for: taken down, and looked at when members
/// of a pattern are counted. Patterns count as one. See [`Sets::work`].
const TAKING: u64 = 4;

/// Looks for sets among the instances that one state enables. All of it is used again in the next state.
pub struct Sets {
    pub patterns: Patterns,
    /// The enabled instances, and their numbers among those that are listed.
    enabled: Vec<u32>,
    numbers: Vec<usize>,
    /// Those of each operation, which follow each other.
    of_operation: Vec<Range<usize>>,
    /// By pattern, the place of the instance among the enabled ones, with the stamp of the state.
    places: Vec<(u32, u32)>,
    state: u32,
    /// With these goes, by dependence alone, what no set may have.
    doomed: Vec<Option<Failed>>,
    growing: Growing,
    steps: Option<Vec<Step>>,
    /// What it has done, in units of much the same time, some ten instructions each.
    pub work: u64,
}

/// A set that is being made.
#[derive(Default)]
struct Growing {
    stamp: u32,
    chosen: Vec<usize>,
    /// By place, whether it is chosen: then it has the stamp.
    marks: Vec<u32>,
    /// Chosen ones before this have been closed.
    closed: usize,
    /// Of what depends on them and what may lead there, those patterns that no others cover; and how many were
    /// looked at.
    patterns: Vec<u32>,
    next: usize,
    /// By pattern, whether it is one of them, or was covered: then it has the stamp.
    met: Vec<u32>,
}

impl Growing {
    fn begin(&mut self, enabled: usize, patterns: usize) {
        self.stamp = next_stamp(self.stamp, &mut [&mut self.marks, &mut self.met]);
        self.chosen.clear();
        self.patterns.clear();
        (self.closed, self.next) = (0, 0);
        self.marks.resize(enabled.max(self.marks.len()), 0);
        self.met.resize(patterns.max(self.met.len()), 0);
    }

    fn add(&mut self, i: usize) {
        if std::mem::replace(&mut self.marks[i], self.stamp) != self.stamp {
            self.chosen.push(i);
        }
    }

    fn has(&self, i: usize) -> bool {
        self.marks[i] == self.stamp
    }

    /// Whether a pattern is met for the first time.
    fn meets(&mut self, pattern: u32) -> bool {
        let at = pattern as usize;
        if self.met.len() <= at {
            self.met.resize(at + 1, 0);
        }
        std::mem::replace(&mut self.met[at], self.stamp) != self.stamp
    }
}

/// A stamp that nothing has.
fn next_stamp(last: u32, stamped: &mut [&mut Vec<u32>]) -> u32 {
    last.checked_add(1).unwrap_or_else(|| {
        stamped.iter_mut().for_each(|all| all.fill(0));
        1
    })
}

impl Sets {
    pub fn new(analysis: Arc<Analysis>) -> Sets {
        let count = analysis.relations.operations.len();
        Sets {
            patterns: Patterns::new(analysis),
            enabled: Vec::new(),
            numbers: Vec::new(),
            of_operation: vec![0..0; count],
            places: Vec::new(),
            state: 0,
            doomed: Vec::new(),
            growing: Growing::default(),
            steps: None,
            work: 0,
        }
    }

    /// Begins with a state.
    pub fn clear(&mut self) {
        if self.patterns.make_room() {
            self.places.clear();
            self.growing.met.clear();
        }
        self.state = self.state.checked_add(1).unwrap_or_else(|| {
            self.places.clear();
            1
        });
        self.enabled.clear();
        self.numbers.clear();
        self.of_operation.fill(0..0);
        self.doomed.clear();
    }

    /// Takes instances of an operation down, by its number in the analysis: all that are enabled.
    pub fn take(
        &mut self,
        operation: usize,
        listed: &Instances,
        numbers: impl Iterator<Item = usize>,
        program: &Program,
    ) {
        let first = self.enabled.len();
        for number in numbers {
            let pattern = self.patterns.instance(operation, (listed, number), program);
            let place = (self.state, self.enabled.len() as u32);
            if self.places.len() <= pattern as usize {
                self.places.resize(self.patterns.count(), (0, 0));
            }
            self.places[pattern as usize] = place;
            self.enabled.push(pattern);
            self.numbers.push(number);
        }
        self.of_operation[operation] = first..self.enabled.len();
        self.doomed.resize(self.enabled.len(), None);
        self.work += TAKING * (self.enabled.len() - first) as u64;
    }

    /// How many instances are enabled.
    pub(super) fn count(&self) -> usize {
        self.enabled.len()
    }

    /// The number of an enabled instance among those that are listed.
    pub fn number(&self, i: usize) -> usize {
        self.numbers[i]
    }

    /// The operation of an enabled instance, by its number in the analysis.
    pub fn operation(&self, i: usize) -> usize {
        self.patterns.operation(self.enabled[i])
    }

    /// The enabled instances as they are told.
    pub fn told(&self) -> Vec<Instance> {
        let all = self.enabled.iter().zip(&self.numbers);
        all.filter_map(|(pattern, number)| {
            let Pattern { operation, bound } = self.patterns.told(*pattern);
            let arguments = bound.into_iter().collect::<Option<_>>()?;
            Some(Instance { operation, arguments, number: *number })
        })
        .collect()
    }

    /// From now on it keeps how sets are made.
    pub fn tell(&mut self) {
        self.steps = Some(Vec::new());
    }

    pub fn steps(&mut self) -> Vec<Step> {
        self.steps.take().unwrap_or_default()
    }

    /// The enabled instances of a set with this one: fewer than `limit`, none of which may be in no set.
    pub fn set(
        &mut self,
        reading: &mut Reading<'_>,
        method: Method,
        seed: usize,
        limit: usize,
    ) -> Result<&[usize], Failed> {
        self.close(seed, limit)?;
        match method {
            Method::Ample => self.ample()?,
            Method::Stubborn => self.stubborn(reading, limit)?,
        }
        Ok(&self.growing.chosen)
    }

    /// Why there is no set for an instance whose operation cannot begin one.
    pub fn hopeless(&mut self, seed: usize) -> Failed {
        self.close(seed, self.count()).err().unwrap_or(Failed::Whole)
    }

    /// Closes a set under dependence among the enabled instances: part of it by (A2.1), and of a stubborn one,
    /// too.
    fn close(&mut self, seed: usize, limit: usize) -> Result<(), Failed> {
        self.growing.begin(self.enabled.len(), self.patterns.count());
        self.growing.add(seed);
        let result = self.grow(limit);
        if let Err(why @ (Failed::Visible(_) | Failed::Idle(_) | Failed::Whole)) = &result {
            self.doomed[seed] = Some(why.clone());
        }
        result
    }

    /// Adds all that depends on what is there.
    fn grow(&mut self, limit: usize) -> Result<(), Failed> {
        while let Some(i) = self.growing.chosen.get(self.growing.closed).copied() {
            self.work += 1;
            if let Some(why) = &self.doomed[i] {
                return Err(why.clone());
            }
            let operation = self.operation(i);
            if self.patterns.analysis().barred[operation] {
                let visible = self.patterns.analysis().visible[operation].is_some();
                return Err(if visible { Failed::Visible(i) } else { Failed::Idle(i) });
            }
            if self.growing.chosen.len() >= limit {
                let whole = limit == self.enabled.len();
                return Err(if whole { Failed::Whole } else { Failed::Larger });
            }
            self.growing.closed += 1;
            self.tell_dependents(i);
            self.include(self.enabled[i], Ask::Dependents, true);
        }
        Ok(())
    }

    /// Takes in what is related to a pattern; `members`: with the enabled ones of it.
    fn include(&mut self, pattern: u32, ask: Ask, members: bool) {
        for at in self.patterns.related(pattern, ask) {
            let new = self.patterns.listed(at);
            self.work += 1;
            if !self.growing.meets(new) {
                continue;
            }
            let known = self.growing.patterns.iter();
            self.work += known.len() as u64 / 2;
            if known.clone().any(|p| self.patterns.covers(*p, new)) {
                continue;
            }
            self.growing.patterns.push(new);
            if members {
                self.add_members(new);
            }
        }
    }

    fn add_members(&mut self, pattern: u32) {
        let mut from = 0;
        while let Some(i) = self.member(pattern, from) {
            self.growing.add(i);
            from = i + 1;
        }
    }

    /// The first enabled instance of a pattern from a place on.
    fn member(&mut self, pattern: u32, from: usize) -> Option<usize> {
        self.work += 1;
        if self.patterns.is_instance(pattern) {
            let (state, place) = *self.places.get(pattern as usize)?;
            return Some(place as usize).filter(|i| state == self.state && *i >= from);
        }
        let Range { start, end } = self.of_operation[self.patterns.operation(pattern)];
        let range = start.max(from)..end;
        let found = range.clone().find(|i| self.patterns.contains(pattern, self.enabled[*i]));
        self.work += found.map_or(range.len(), |i| i - range.start) as u64;
        found
    }

    /// Whether it stands for an enabled instance and no other.
    fn is_enabled(&mut self, pattern: u32) -> bool {
        self.patterns.is_instance(pattern) && self.member(pattern, 0).is_some()
    }

    fn tell_dependents(&mut self, i: usize) {
        let Some(steps) = &mut self.steps else { return };
        let instance = self.enabled[i];
        let operation = self.patterns.operation(instance);
        for (to, link) in &self.patterns.analysis().dependents[operation] {
            if let Some(pattern) = self.patterns.follow_one(instance, link, *to) {
                steps.push(Step::Depend { on: i, pattern, link: link.clone() });
            }
        }
    }

    fn tell_disabled(&mut self, pattern: u32, conjunct: Option<usize>, ask: Ask) {
        if self.steps.is_none() {
            return;
        }
        let enablers = self.patterns.related(pattern, ask);
        let enablers = enablers.map(|at| self.patterns.told(self.patterns.listed(at))).collect();
        let pattern = self.patterns.told(pattern);
        self.steps.get_or_insert_default().push(Step::Disabled { pattern, conjunct, enablers });
    }

    // ----- stubborn

    fn stubborn(&mut self, reading: &mut Reading<'_>, limit: usize) -> Result<(), Failed> {
        while let Some(pattern) = self.growing.patterns.get(self.growing.next).copied() {
            self.growing.next += 1;
            if !self.is_enabled(pattern) {
                let ask = self.necessary(reading, pattern);
                self.include(pattern, ask, true);
                self.grow(limit)?;
            }
        }
        Ok(())
    }

    /// Instances one of which must be carried out before a disabled one of the pattern is enabled: those
    /// that can make a false conjunct true, of the conjunct that adds the fewest enabled ones: one of them is
    /// carried out, though others may have to follow it. Where no conjunct is known to be false for all of
    /// them, those after which one is enabled.
    fn necessary(&mut self, reading: &mut Reading<'_>, pattern: u32) -> Ask {
        let operation = self.patterns.operation(pattern);
        let mut best: Option<(usize, usize)> = None;
        for conjunct in 0..self.patterns.analysis().relations.operations[operation].guard.len() {
            self.work += 1;
            let guard = &self.patterns.analysis().relations.operations[operation].guard;
            let Some(test) = &guard[conjunct].test else { continue };
            self.work += READING;
            if !reading.is_false(test, &self.patterns, pattern) {
                continue;
            }
            let mut added = 0;
            for at in self.patterns.related(pattern, Ask::Verifiers(conjunct)) {
                let (enabler, mut from) = (self.patterns.listed(at), 0);
                while let Some(i) = self.member(enabler, from) {
                    added += usize::from(!self.growing.has(i));
                    from = i + 1;
                }
            }
            if best.is_none_or(|(fewest, _)| added < fewest) {
                best = Some((added, conjunct));
            }
        }
        let conjunct = best.map(|(_, conjunct)| conjunct);
        let ask = conjunct.map_or(Ask::Enablers, Ask::Verifiers);
        self.tell_disabled(pattern, conjunct, ask);
        ask
    }

    // ----- ample

    /// (A2.2), backwards from what depends on the set.
    fn ample(&mut self) -> Result<(), Failed> {
        while let Some(pattern) = self.growing.patterns.get(self.growing.next).copied() {
            self.growing.next += 1;
            let mut from = 0;
            while let Some(i) = self.member(pattern, from) {
                if !self.growing.has(i) {
                    return Err(Failed::Chain(i));
                }
                from = i + 1;
            }
            if !self.is_enabled(pattern) {
                self.tell_disabled(pattern, None, Ask::Enablers);
                self.include(pattern, Ask::Enablers, false);
            }
        }
        Ok(())
    }
}

/// What it costs to look a value up, in the units of [`Sets::work`].
const READING: u64 = 10;

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
    fn is_false(&mut self, test: &Test, patterns: &Patterns, pattern: u32) -> bool {
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
                let Some(key) = patterns.value(pattern, key) else { return false };
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
