//! What a thread finds out about states before it is their turn.
//!
//! It looks at a search that stands still: it checks states, expands them, and computes what stands for
//! their targets, with scratch of its own. What then becomes of a state is decided when its turn comes
//! ([`Engine::take_up_known`](super::engine::Engine)).

use super::checks::{Looked, Scope};
use super::engine::End;
use super::expander::Expander;
use super::graph::Graph;
use super::options::OnViolation;
use super::partial::{Branched, Brancher};
use super::tally::enables;
use super::targets::{Taken, Targets, leads_to_one_each};
use super::transitions::alike;
use crate::clock::{Phase, enter};
use crate::eval::{Notes, OperationFault, Successors};
use crate::machine::OpId;
use crate::reduce::{About, Batch, Worker};
use crate::store::Store;
use crate::store::table::{SHARDS, shard_of};
use crate::store::visited::stabiliser;
use crate::sync::AtomicBool;
use crate::value::Permutation;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// A search that stands still, as all threads see it.
#[derive(Clone, Copy)]
pub struct Still<'a> {
    pub store: &'a dyn Store,
    pub about: &'a About,
    pub graph: &'a Graph,
    pub asks: Asks,
    pub on_violation: OnViolation,
    /// Operations that no state so far enables.
    pub idle: &'a [OpId],
    /// Where a part of what is enabled may do: whether cycles do not matter.
    pub deadlocks_only: bool,
    /// Whether the targets of the states that are not expanded fully are wanted.
    pub records: bool,
}

/// What is asked of a state depends on what was found before.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Asks {
    /// Only what the last operation can change.
    pub since: bool,
    /// The goal, too.
    pub goal: bool,
    /// Whether a part of what is enabled may do.
    pub part: bool,
}

/// What is known of one state.
pub struct Known {
    pub looked: Looked,
    pub notes: Option<Box<Notes>>,
    /// What was counted, where it was expanded.
    pub leaves: Option<Leaves>,
}

/// What leaves a state.
pub struct Leaves {
    pub successors: u64,
    /// Its transitions: those of the chunk's labels.
    pub labels: Range<usize>,
    /// The transitions of the machine without reduction.
    pub concrete: u64,
    /// Operations that were idle.
    pub enabled: Vec<OpId>,
    pub faults: Vec<OperationFault>,
    /// No operation is enabled, for certain.
    pub deadlocked: bool,
    /// Those targets of the chunk that it leads to, and that were not known.
    pub targets: Range<usize>,
    /// What was done to follow a part of what it enables.
    pub branched: Option<Branched>,
    /// The targets that were known, where they are wanted.
    pub known_targets: Vec<u32>,
}

/// What is known of some states that follow each other.
pub struct Chunk {
    /// Of those from the first on, as far as the thread came; of some nothing.
    pub states: Vec<Option<Known>>,
    /// What stands for the targets that were not known.
    pub targets: Batch,
    /// The operations that lead there.
    pub operations: Vec<OpId>,
    /// How often each state's operations are taken.
    pub labels: Vec<Taken>,
    /// The targets by the table that they belong to, in order; and where those of each end.
    by_shard: Vec<u32>,
    ends: [u32; SHARDS],
    /// Which of them are the target of an earlier transition, too.
    again: Vec<AtomicBool>,
}

impl Chunk {
    pub fn new(words: usize) -> Chunk {
        Chunk {
            states: Vec::new(),
            targets: Batch::new(words),
            operations: Vec::new(),
            labels: Vec::new(),
            by_shard: Vec::new(),
            ends: [0; SHARDS],
            again: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.states.clear();
        self.targets.clear();
        self.operations.clear();
        self.labels.clear();
        self.by_shard.clear();
        self.ends = [0; SHARDS];
        self.again.clear();
    }

    /// Sorts the targets by their tables.
    fn sort(&mut self) {
        let hashes = self.targets.hashes();
        for hash in hashes {
            self.ends[shard_of(*hash)] += 1;
        }
        let mut end = 0;
        for of_shard in &mut self.ends {
            (*of_shard, end) = (end, end + *of_shard);
        }
        self.by_shard.resize(hashes.len(), 0);
        for (i, hash) in hashes.iter().enumerate() {
            let at = &mut self.ends[shard_of(*hash)];
            self.by_shard[*at as usize] = i as u32;
            *at += 1;
        }
        self.again.resize_with(hashes.len(), AtomicBool::default);
    }

    fn of_shard(&self, shard: usize) -> &[u32] {
        let first = if shard == 0 { 0 } else { self.ends[shard - 1] };
        &self.by_shard[first as usize..self.ends[shard] as usize]
    }

    /// Whether no earlier transition leads to the same as this target ([`compare`]).
    pub fn is_first(&self, target: usize) -> bool {
        !self.again[target].load(Ordering::Relaxed)
    }
}

/// The first target of those that are equal: a chunk, and its number there.
pub type Firsts = HashTable<(u32, u32)>;

/// Finds out which targets that belong to one table are equal to earlier ones: the flags of other tables'
/// targets are another thread's.
pub fn compare(chunks: &[Chunk], shard: usize, firsts: &mut Firsts) {
    // The upper bits of the hash, which this table goes by, are the same for all.
    let turned = |hash: u64| hash.rotate_left(32);
    let key = |(chunk, i): &(u32, u32)| chunks[*chunk as usize].targets.key(*i as usize);
    let hash =
        |(chunk, i): &(u32, u32)| turned(chunks[*chunk as usize].targets.hashes()[*i as usize]);
    firsts.clear();
    for (number, chunk) in (0..).zip(chunks) {
        for i in chunk.of_shard(shard) {
            let this = (number, *i);
            match firsts.entry(hash(&this), |first| key(first) == key(&this), hash) {
                Entry::Occupied(_) => chunk.again[*i as usize].store(true, Ordering::Relaxed),
                Entry::Vacant(free) => {
                    free.insert(this);
                }
            }
        }
    }
}

/// What one thread works with.
pub struct Helper {
    expander: Expander,
    worker: Box<dyn Worker>,
    out: Successors,
    state: Vec<u64>,
    batch: Batch,
    targets: Targets,
    found: Vec<Option<u32>>,
    /// How often the operations of the state are taken.
    labels: Vec<Taken>,
    /// Partial order reduction.
    brancher: Option<Brancher>,
}

impl Helper {
    pub fn new(expander: Expander, worker: Box<dyn Worker>, brancher: Option<Brancher>) -> Helper {
        let words = expander.evaluator.program().layout.words;
        Helper {
            expander,
            worker,
            out: Successors::new(),
            state: Vec::new(),
            batch: Batch::new(words),
            targets: Targets::default(),
            found: Vec::new(),
            labels: Vec::new(),
            brancher,
        }
    }

    pub fn worker(&self) -> &dyn Worker {
        &*self.worker
    }

    /// Finds out about these states, in an empty chunk.
    ///
    /// # Errors
    /// The work is to end; of the other states nothing is known.
    pub fn look_ahead(
        &mut self,
        still: Still<'_>,
        numbers: Range<u32>,
        chunk: &mut Chunk,
    ) -> Result<(), End> {
        if !still.asks.part {
            self.brancher = None;
        }
        for number in numbers {
            let known = self.look_at(still, number, chunk);
            let notes = self.expander.evaluator.take_notes();
            let known = known?.map(|known| Known { notes, ..known });
            chunk.states.push(known);
        }
        chunk.sort();
        Ok(())
    }

    fn look_at(
        &mut self,
        still: Still<'_>,
        number: u32,
        chunk: &mut Chunk,
    ) -> Result<Option<Known>, End> {
        self.state.clear();
        self.state.extend_from_slice(still.store.state(number));
        let since = still.graph.led_by(number).filter(|_| still.asks.since);
        let looked = self.expander.look(&self.state, since, still.asks.goal)?;
        let goes_on = looked.scope == Scope::Inside
            && (looked.wrong.is_empty() || still.on_violation == OnViolation::Expand);
        let mut known = Known { looked, notes: None, leaves: None };
        if goes_on {
            let order = stabiliser(still.about, still.store, number);
            let branched = match self.brancher.take() {
                None => {
                    let automorphisms = self.expander.expand(&self.state, order, &mut self.out)?;
                    self.find_targets(still, &automorphisms)?;
                    None
                }
                Some(mut brancher) => {
                    let automorphisms = self.expander.automorphisms(&self.state, order)?;
                    let branched = self.branch(&mut brancher, (still, number), &automorphisms);
                    self.brancher = Some(brancher);
                    match branched? {
                        None => return Ok(None),
                        branched => branched,
                    }
                }
            };
            known.leaves = self.leaves(still, number, chunk, branched);
            return Ok(known.leaves.is_some().then_some(known));
        }
        Ok(Some(known))
    }

    /// Looks up where the transitions lead.
    fn find_targets(&mut self, still: Still<'_>, automorphisms: &[Permutation]) -> Result<(), End> {
        enter(Phase::Labelling);
        let interner = self.expander.evaluator.interner();
        let words = self.state.len();
        let alike = alike(&mut *self.worker, &self.out, words, automorphisms, interner)?;
        self.batch.clear();
        self.targets.pick(&self.out, &self.state, alike, &mut self.batch);
        let interner = self.expander.evaluator.interner();
        self.worker.represent(&mut self.batch, interner)?;
        enter(Phase::Storing);
        still.store.find(&self.batch, &mut self.found);
        Ok(())
    }

    /// Follows a part of what is enabled, or all, and looks up where that leads. `None`: whether a part will do
    /// depends on whether unknown states are one.
    fn branch(
        &mut self,
        brancher: &mut Brancher,
        (still, number): (Still<'_>, u32),
        automorphisms: &[Permutation],
    ) -> Result<Option<Branched>, End> {
        enter(Phase::Search);
        let evaluator = &mut self.expander.evaluator;
        let of = (number, &self.state[..]);
        let (mut branched, rest) = brancher.branch(evaluator, of, automorphisms, &mut self.out)?;
        self.find_targets(still, automorphisms)?;
        let Some(rest) = rest.filter(|_| !still.deadlocks_only) else { return Ok(Some(branched)) };
        if !still.store.goes_by_words() {
            return Ok(None);
        }
        // Images have numbers of their own, after that of the state that they are images of.
        let end = u64::from(still.store.node(number)) + still.store.nodes_of(number);
        let earlier = |node: &u32| u64::from(*node) < end;
        if self.targets.stays || self.found.iter().flatten().any(earlier) {
            enter(Phase::Search);
            let evaluator = &mut self.expander.evaluator;
            let (state, others) = (&self.state[..], (&mut branched, rest));
            brancher.branch_fully(evaluator, state, automorphisms, others, &mut self.out)?;
            self.find_targets(still, automorphisms)?;
        }
        Ok(Some(branched))
    }

    /// Sums up what leaves a state; `None` where that depends on whether unknown states are one.
    fn leaves(
        &mut self,
        still: Still<'_>,
        number: u32,
        chunk: &mut Chunk,
        branched: Option<Branched>,
    ) -> Option<Leaves> {
        self.count_labels(still, number)?;
        let first = chunk.labels.len();
        chunk.labels.extend_from_slice(&self.labels);
        let begin = chunk.operations.len();
        for (i, _) in self.found.iter().enumerate().filter(|(_, found)| found.is_none()) {
            chunk.targets.take(&self.batch, i);
            chunk.operations.push(self.out.entries[self.targets.entry(i)].operation);
        }
        let known_targets = match still.records {
            true => self.found.iter().flatten().copied().collect(),
            false => Vec::new(),
        };
        let out = &mut self.out;
        let idle = still.idle.iter().filter(|o| enables(out, **o));
        Some(Leaves {
            successors: out.len() as u64,
            labels: first..chunk.labels.len(),
            concrete: out.entries.iter().map(|e| u64::from(e.weight)).sum(),
            enabled: idle.copied().collect(),
            deadlocked: out.is_empty() && !out.cut,
            faults: std::mem::take(&mut out.faults),
            targets: begin..chunk.operations.len(),
            branched,
            known_targets,
        })
    }

    /// Counts how often each operation is taken, if that is known: one label that leads to two states of one
    /// orbit counts once.
    fn count_labels(&mut self, still: Still<'_>, number: u32) -> Option<()> {
        let Helper { out, state, batch, found, .. } = self;
        self.labels.clear();
        if !leads_to_one_each(&out.entries) && !still.store.goes_by_words() {
            return None;
        }
        let own = (Some(still.store.node(number)), &[][..]);
        let node = |i: usize| match found[i] {
            Some(node) => (Some(node), &[][..]),
            None => (None, batch.key(i)),
        };
        let machine = &self.expander.evaluator.program().instance.machine;
        let of = (&**machine, &*out, &state[..]);
        self.targets.add_taken(of, out.len(), own, node, &mut self.labels);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::hands::share;
    use crate::reduce::identity;
    use crate::state::Interner;
    use crate::store::{Exact, Visited};
    use crate::sync::model::random_schedules;
    use std::collections::HashSet;

    /// States of a graph, and where three transitions lead from each. Two of its levels are so large that
    /// several threads enter them.
    const STATES: u64 = 20_011;

    fn targets(state: u64) -> [u64; 3] {
        [3 * state + 1, 7 * state + 2, 5 * state + 4].map(|target| target % STATES)
    }

    /// The states in the order in which a breadth-first search finds them.
    fn in_order() -> Vec<u64> {
        let (mut order, mut known) = (vec![0], HashSet::from([0]));
        let mut next = 0;
        while next < order.len() {
            order.extend(targets(order[next]).into_iter().filter(|target| known.insert(*target)));
            next += 1;
        }
        order
    }

    /// The same with threads that look ahead, a level at a time: they look up, compare, and take in what one
    /// of them has numbered.
    fn found_by(threads: usize) -> Vec<u64> {
        let mut visited = Visited::new(1, identity::reduction(), Exact::new(1, u32::MAX));
        visited.admit(&[0], &mut Interner::new()).expect("there is room");
        let mut hands: Vec<_> =
            (0..threads).map(|_| (visited.reduction().worker(), Interner::new())).collect();
        let mut firsts = vec![Firsts::new(); threads];
        let mut next = 0;
        while next < visited.len() {
            visited.enter(threads).expect("there is room");
            let level: Vec<u32> = (next as u32..visited.len() as u32).collect();
            next = visited.len();
            let parts: Vec<&[u32]> = level.chunks(level.len().div_ceil(6)).collect();
            let mut chunks: Vec<Chunk> = parts.iter().map(|_| Chunk::new(1)).collect();
            let store = visited.store();
            let jobs = parts.into_iter().zip(&mut chunks);
            let looked = share(&mut hands, jobs, |(worker, interner), (numbers, chunk)| {
                let (mut batch, mut found) = (Batch::new(1), Vec::new());
                for number in numbers {
                    targets(store.state(*number)[0])
                        .iter()
                        .for_each(|target| batch.push(&[*target]));
                }
                worker.represent(&mut batch, interner).expect("no clock");
                store.find(&batch, &mut found);
                let unknown = (0..batch.len()).filter(|i| found[*i].is_none());
                unknown.for_each(|i| chunk.targets.take(&batch, i));
                chunk.sort();
                Ok(())
            });
            let compared = share(&mut firsts, 0..SHARDS, |firsts, shard| {
                compare(&chunks, shard, firsts);
                Ok(())
            });
            assert_eq!((looked, compared), (Ok(()), Ok(())));
            for chunk in &chunks {
                for i in (0..chunk.targets.len()).filter(|i| chunk.is_first(*i)) {
                    visited.number(&chunk.targets, i).expect("there is a number");
                }
            }
        }
        (0..next as u32).map(|number| visited.state(number)[0]).collect()
    }

    #[test]
    fn threads_number_states_in_the_same_order_under_many_schedules() {
        let expected = in_order();
        assert!(expected.len() as u64 > STATES / 2);
        random_schedules(9, 8, move || {
            for threads in [2, 3] {
                assert!(found_by(threads) == expected, "{threads} threads");
            }
        });
    }
}
