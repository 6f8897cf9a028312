//! Patterns by numbers. What is related to a pattern depends on nothing else, so that it is found out once and
//! not in each state: a search meets the same instances again and again.

use super::Analysis;
use super::leads::{Here, Lead, Leads};
use super::pattern::{Pattern, bind, literal};
use super::relation::Link;
use crate::eval::{Instances, Program};
use crate::machine::Key;
use crate::value::Value;
use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// Patterns that are remembered: where there are more, all are forgotten before the next state.
const REMEMBERED: usize = 1 << 16;

/// In place of the number of an argument: any.
const ANY: u32 = 0;

/// What is asked of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// What depends on it.
    Dependents,
    /// After what it can be enabled.
    Enablers,
    /// What can make a conjunct of its guard true.
    Verifiers(usize),
}

/// A list of patterns: where it is among all, once it was made.
type List = Option<(u32, u32)>;

struct Known {
    operation: u32,
    /// Where its arguments begin.
    from: u32,
    is_instance: bool,
    lists: SmallVec<[List; 4]>,
}

pub struct Patterns {
    analysis: Arc<Analysis>,
    /// Numbered from 1 on, the literals of links first.
    values: IndexSet<Value, FxBuildHasher>,
    bound: Vec<u32>,
    known: Vec<Known>,
    numbers: HashTable<u32>,
    lists: Vec<u32>,
    /// Numbers of instances, by the operation and the number of their arguments.
    by_key: FxHashMap<(u32, u64), u32>,
    /// Scratch.
    arguments: Vec<u32>,
}

impl Patterns {
    pub fn new(analysis: Arc<Analysis>) -> Patterns {
        // What a first state may need: it often decides.
        let room = 2 * analysis.relations.operations.len();
        Patterns {
            values: analysis.leads.literals.clone(),
            bound: Vec::with_capacity(room),
            known: Vec::with_capacity(room),
            numbers: HashTable::with_capacity(room),
            lists: Vec::with_capacity(2 * room),
            by_key: FxHashMap::with_capacity_and_hasher(room, FxBuildHasher),
            arguments: Vec::new(),
            analysis,
        }
    }

    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// How many are remembered.
    pub(super) fn count(&self) -> usize {
        self.known.len()
    }

    /// Forgets all patterns, where there are many. Says whether it did.
    pub fn make_room(&mut self) -> bool {
        if self.known.len() < REMEMBERED && self.lists.len() < 16 * REMEMBERED {
            return false;
        }
        self.values.truncate(self.analysis.leads.literals.len());
        self.bound.clear();
        self.known.clear();
        self.numbers.clear();
        self.lists.clear();
        self.by_key.clear();
        true
    }

    /// The number of an instance that is listed, of an operation by its number in the analysis.
    pub fn instance(
        &mut self,
        operation: usize,
        (listed, i): (&Instances, usize),
        program: &Program,
    ) -> u32 {
        let key = listed.key(i, program).map(|key| (operation as u32, key));
        if let Some(number) = key.and_then(|key| self.by_key.get(&key)) {
            return *number;
        }
        let mut arguments = std::mem::take(&mut self.arguments);
        arguments.clear();
        let values = listed.arguments(i, program).into_iter();
        arguments.extend(values.map(|v| self.values.insert_full(v).0 as u32 + 1));
        let number = self.number(operation, &arguments);
        self.arguments = arguments;
        self.by_key.extend(key.map(|key| (key, number)));
        number
    }

    /// The number of a pattern.
    fn number(&mut self, operation: usize, arguments: &[u32]) -> u32 {
        let Patterns { known, numbers, bound, .. } = self;
        let hash = |operation: u32, arguments: &[u32]| {
            let mut hasher = FxHasher::default();
            (operation, arguments).hash(&mut hasher);
            hasher.finish()
        };
        let own = |i: &u32| {
            let of = &known[*i as usize];
            (of.operation, &bound[of.from as usize..of.from as usize + arguments.len()])
        };
        let this = hash(operation as u32, arguments);
        let same =
            |i: &u32| known[*i as usize].operation == operation as u32 && own(i).1 == arguments;
        if let Some(number) = numbers.find(this, same) {
            return *number;
        }
        let (next, from) = (known.len() as u32, bound.len() as u32);
        bound.extend_from_slice(arguments);
        let conjuncts = self.analysis.leads.verifiers[operation].len();
        known.push(Known {
            operation: operation as u32,
            from,
            is_instance: arguments.iter().all(|a| *a != ANY),
            lists: SmallVec::from_elem(None, 2 + conjuncts),
        });
        let parameters = |operation: u32| {
            self.analysis.relations.operations[operation as usize].parameters.len()
        };
        numbers.insert_unique(this, next, |i| {
            let of = &known[*i as usize];
            let from = of.from as usize;
            hash(of.operation, &bound[from..from + parameters(of.operation)])
        });
        next
    }

    pub fn operation(&self, pattern: u32) -> usize {
        self.known[pattern as usize].operation as usize
    }

    /// Whether it stands for one instance alone.
    pub fn is_instance(&self, pattern: u32) -> bool {
        self.known[pattern as usize].is_instance
    }

    fn bound(&self, pattern: u32) -> &[u32] {
        let known = &self.known[pattern as usize];
        let count = self.analysis.relations.operations[known.operation as usize].parameters.len();
        &self.bound[known.from as usize..known.from as usize + count]
    }

    /// Whether all instances of another pattern are instances of this one.
    pub fn covers(&self, pattern: u32, other: u32) -> bool {
        pattern == other
            || self.operation(pattern) == self.operation(other)
                && !self.is_instance(pattern)
                && self
                    .bound(pattern)
                    .iter()
                    .zip(self.bound(other))
                    .all(|(a, b)| *a == ANY || a == b)
    }

    /// The value of a key in these instances, if they share it.
    pub fn value(&self, pattern: u32, key: &Key) -> Option<Value> {
        match key {
            Key::Parameter(i) => match self.bound(pattern)[*i] {
                ANY => None,
                n => self.values.get_index(n as usize - 1).cloned(),
            },
            key => literal(key),
        }
    }

    /// A pattern as it is told.
    pub fn told(&self, pattern: u32) -> Pattern {
        let value = |n: &u32| self.values.get_index((*n as usize).checked_sub(1)?).cloned();
        let bound = self.bound(pattern).iter().map(value).collect();
        Pattern { operation: self.operation(pattern), bound }
    }

    /// What is related to a pattern, as places in the list that [`Patterns::listed`] reads.
    pub fn related(&mut self, pattern: u32, ask: Ask) -> Range<u32> {
        let at = match ask {
            Ask::Dependents => 0,
            Ask::Enablers => 1,
            Ask::Verifiers(conjunct) => 2 + conjunct,
        };
        if let Some((begin, end)) = self.known[pattern as usize].lists[at] {
            return begin..end;
        }
        let operation = self.operation(pattern);
        let (analysis, mut all) = (self.analysis.clone(), Vec::new());
        let Leads { dependents, enablers, verifiers, .. } = &analysis.leads;
        match ask {
            Ask::Dependents => self.follow(pattern, &dependents[operation], &mut all),
            Ask::Enablers => {
                enablers[operation].iter().for_each(|leads| self.follow(pattern, leads, &mut all));
            }
            Ask::Verifiers(conjunct) => {
                self.follow(pattern, &verifiers[operation][conjunct], &mut all);
            }
        }
        let begin = self.lists.len() as u32;
        self.lists.extend(all);
        let end = self.lists.len() as u32;
        self.known[pattern as usize].lists[at] = Some((begin, end));
        begin..end
    }

    pub fn listed(&self, at: u32) -> u32 {
        self.lists[at as usize]
    }

    /// Adds the patterns that some links lead to, but for those that others cover.
    fn follow(&mut self, pattern: u32, leads: &[Lead], all: &mut Vec<u32>) {
        for lead in leads {
            let (to, own) = (lead.to, self.bound(pattern));
            let count = self.analysis.relations.operations[to].parameters.len();
            let mut bound: SmallVec<[Option<u32>; 4]> = SmallVec::from_elem(None, count);
            let same = lead.same.iter().map(|(here, there)| {
                let value = match here {
                    Here::Parameter(i) => Some(own[*i]).filter(|n| *n != ANY),
                    Here::Literal(n) => Some(*n),
                    Here::Open => None,
                };
                (value, *there)
            });
            if bind(same, &mut bound) {
                let arguments: SmallVec<[u32; 4]> =
                    bound.iter().map(|n| n.unwrap_or(ANY)).collect();
                let new = self.number(to, &arguments);
                if !all.iter().any(|p| self.covers(*p, new)) {
                    all.push(new);
                }
            }
        }
    }

    /// The pattern that one link leads to from an instance, to be told.
    pub fn follow_one(&self, pattern: u32, link: &Link, to: usize) -> Option<Pattern> {
        let parameters = self.analysis.relations.operations[to].parameters.len();
        self.told(pattern).follow(link, to, parameters)
    }

    /// Whether an instance is one of a pattern.
    pub fn contains(&self, pattern: u32, instance: u32) -> bool {
        self.covers(pattern, instance)
    }
}
