//! The shortest run that one machine has and another one has not: what an edit made possible.
//!
//! A breadth-first search through the runs that both have. A run is compared by its labels and by the values
//! of the variables and constants that both machines declare; where several runs of the old machine
//! look the same, all of them are kept in mind, as when a finite automaton is made deterministic.

use super::animator::{Animator, Position};
use super::tree::PlaceId;
use super::{Good, TimeLimits};
use crate::clock::Clock;
use crate::report::steps::StepText;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// What the comparison of two machines has come to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Novel {
    /// The shortest run that only the new machine has.
    pub run: Option<Vec<StepText>>,
    /// All runs were compared; without one there is none.
    pub complete: bool,
    /// All runs of fewer steps than this were.
    pub depth: usize,
}

/// Most places that are compared.
const MOST: usize = 20_000;

/// Looks for the shortest run that `new` has and `old` has not, as long as the clock allows.
pub fn novel(old: &Good, new: &Good, clock: &Arc<Clock>) -> Novel {
    let names = |good: &Good| -> BTreeSet<String> {
        let machine = &good.model.instance.machine;
        machine.constants.iter().chain(&machine.variables).map(|g| g.name.to_string()).collect()
    };
    let common = names(old).intersection(&names(new)).cloned().collect();
    let animator = |good: &Good| Animator::under(good.model.clone(), good.sources.clone(), clock);
    debug_assert_eq!(TimeLimits::default().state, None);
    Comparison { common, old: animator(old), new: animator(new) }.search(clock)
}

struct Comparison {
    /// The names that both declare.
    common: BTreeSet<String>,
    old: Animator,
    new: Animator,
}

/// A place of the new machine, and those of the old one to which the same run leads.
struct Pair {
    new: PlaceId,
    old: Vec<PlaceId>,
    depth: usize,
}

/// What is told of a state.
type Key = (Vec<u64>, Vec<Vec<u64>>);

impl Comparison {
    fn search(mut self, clock: &Arc<Clock>) -> Novel {
        let mut waiting = VecDeque::from([Pair { new: 0, old: vec![0], depth: 0 }]);
        let mut seen: BTreeSet<Key> = BTreeSet::new();
        let mut compared = Novel::default();
        while let Some(Pair { new, old, depth }) = waiting.pop_front() {
            compared.depth = depth;
            let mut before: BTreeMap<StepKey, Vec<(PlaceId, usize)>> = BTreeMap::new();
            for place in old {
                self.old.go_to(place);
                for i in 0..self.old.enabled().len() {
                    if let Some((_, key)) = self.step(false, i) {
                        before.entry(key).or_default().push((place, i));
                    }
                }
                if self.old.enabled().stopped.is_some() {
                    return compared;
                }
            }
            self.new.go_to(new);
            let whole = self.new.enabled().stopped.is_none();
            for i in 0..self.new.enabled().len() {
                if clock.ask().is_err() || seen.len() > MOST {
                    return compared;
                }
                self.new.go_to(new);
                let Some((step, key)) = self.step(true, i) else { continue };
                let Some(same) = before.get(&key) else {
                    let instance = &self.new.model().instance;
                    let mut run = StepText::list(instance, &self.new.history());
                    run.push(step);
                    return Novel { run: Some(run), ..compared };
                };
                self.new.step(i);
                let mut olds = Vec::new();
                for (place, i) in same {
                    self.old.go_to(*place);
                    self.old.step(*i);
                    olds.push(self.old.tree().at());
                }
                olds.sort_unstable();
                olds.dedup();
                let at = self.new.tree().at();
                if self.key(&olds).is_none_or(|key| seen.insert(key)) {
                    waiting.push_back(Pair { new: at, old: olds, depth: depth + 1 });
                }
            }
            if !whole {
                return compared;
            }
        }
        Novel { complete: true, ..compared }
    }

    /// A transition where one of the machines stands, and what of it is compared.
    fn step(&mut self, of_new: bool, i: usize) -> Option<(StepText, StepKey)> {
        let animator = if of_new { &mut self.new } else { &mut self.old };
        let step = animator.label(i)?;
        let text = StepText::of(&animator.model().instance, &step);
        let common = |(name, _): &&(String, String)| self.common.contains(name);
        let changed = text.changed.iter().filter(common).cloned().collect();
        let key = (text.operation.clone(), text.arguments.clone(), text.results.clone(), changed);
        Some((text, key))
    }

    /// Tells states apart; `None` before the first one.
    fn key(&self, old: &[PlaceId]) -> Option<Key> {
        let Position::State(new) = self.new.position() else { return None };
        let mut words = Vec::new();
        for place in old {
            let Position::State(state) = &self.old.tree().place(*place).position else {
                return None;
            };
            words.push(state.clone());
        }
        words.sort_unstable();
        words.dedup();
        Some((new.clone(), words))
    }
}

/// Operation, arguments, results, and new values.
type StepKey = (String, Vec<String>, Vec<String>, Vec<(String, String)>);
