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
use super::tally::{Sum, enables};
use super::targets::{Taken, Targets, leads_to_one_each};
use super::transitions::alike;
use crate::clock::{Phase, enter};
use crate::eval::{Notes, OperationFault, Successors};
use crate::machine::OpId;
use crate::reduce::{About, Batch, Worker};
use crate::store::visited::stabiliser;
use crate::store::{Claim, Store, Ticket};
use crate::symmetry::Order;
use crate::value::Generators;
use std::ops::Range;

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

/// What is known of one state. Most have nothing odd about them, and then it is small.
pub struct Known {
    pub odd: Option<Box<Odd>>,
    /// What was counted, where it was expanded.
    pub leaves: Option<Leaves>,
}

/// What most states do not have.
#[derive(Default)]
pub struct Odd {
    pub looked: Looked,
    pub notes: Option<Box<Notes>>,
    /// Operations that were idle and that it enables.
    pub enabled: Vec<OpId>,
    pub faults: Vec<OperationFault>,
    /// No operation is enabled, for certain.
    pub deadlocked: bool,
    /// What was done to follow a part of what it enables.
    pub branched: Option<Branched>,
    /// The targets that were known, where they are wanted.
    pub known_targets: Vec<u32>,
}

impl Odd {
    /// The same, if there is anything.
    fn boxed(self) -> Option<Box<Odd>> {
        let nothing = self.looked.says_nothing()
            && self.notes.is_none()
            && self.enabled.is_empty()
            && self.faults.is_empty()
            && !self.deadlocked
            && self.branched.is_none()
            && self.known_targets.is_empty();
        (!nothing).then(|| Box::new(self))
    }
}

/// What leaves a state.
#[derive(Clone, Copy)]
pub struct Leaves {
    pub successors: u64,
    /// The transitions of the machine without reduction.
    pub concrete: u64,
    /// Its transitions: those of the chunk's labels.
    labels: [u32; 2],
    /// Those targets of the chunk that it leads to, and that nobody before is known to lead to.
    targets: [u32; 2],
}

impl Leaves {
    pub fn labels(&self) -> Range<usize> {
        self.labels[0] as usize..self.labels[1] as usize
    }

    pub fn targets(&self) -> Range<usize> {
        self.targets[0] as usize..self.targets[1] as usize
    }
}

/// What is known of some states that follow each other.
pub struct Chunk {
    /// Of those from the first on, as far as the thread came; of some nothing.
    pub states: Vec<Option<Known>>,
    /// What stands for the targets that may be new.
    pub targets: Batch,
    /// The operations that lead there.
    pub operations: Vec<OpId>,
    /// What was said of each of them when it was looked up.
    pub claims: Vec<Claim>,
    /// The claims that were made.
    pub made: Range<u32>,
    /// How often each state's operations are taken.
    pub labels: Vec<Taken>,
    /// The states that lead to the targets, by their numbers.
    pub from: Vec<u32>,
    /// Whether there is nothing odd about any of the states, all of which are expanded.
    pub is_even: bool,
    /// What the states come to then.
    pub sum: Sum,
}

impl Chunk {
    pub fn new(words: usize) -> Chunk {
        Chunk {
            states: Vec::new(),
            targets: Batch::new(words),
            operations: Vec::new(),
            claims: Vec::new(),
            made: 0..0,
            labels: Vec::new(),
            from: Vec::new(),
            is_even: false,
            sum: Sum::default(),
        }
    }

    pub fn clear(&mut self) {
        self.states.clear();
        self.targets.clear();
        self.operations.clear();
        self.claims.clear();
        self.made = 0..0;
        self.labels.clear();
        self.from.clear();
        self.is_even = false;
        self.sum.clear();
    }
}

/// Adds what leaves a state about which nothing is odd.
fn add_up(still: Still<'_>, number: u32, leaves: &Leaves, chunk: &mut Chunk) {
    let sum = &mut chunk.sum;
    sum.expanded += 1;
    sum.successors += leaves.successors;
    match stabiliser(still.about, still.store, number).map(|known| &known.order) {
        Some(Order::Small(1)) => sum.concrete += leaves.concrete,
        _ => sum.weighed.push((number, leaves.concrete)),
    }
    sum.take(&chunk.labels[leaves.labels()]);
}

/// What one thread works with.
pub struct Helper {
    expander: Expander,
    worker: Box<dyn Worker>,
    out: Successors,
    state: Vec<u64>,
    batch: Batch,
    targets: Targets,
    found: Vec<Claim>,
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

    /// Finds out about these states, in an empty chunk, with the ticket for them.
    ///
    /// # Errors
    /// The work is to end; of the other states nothing is known.
    pub fn look_ahead(
        &mut self,
        still: Still<'_>,
        numbers: Range<u32>,
        (ticket, chunk): (&mut Ticket, &mut Chunk),
    ) -> Result<(), End> {
        if !still.asks.part {
            self.brancher = None;
        }
        let first = ticket.reached();
        let mut is_even = true;
        let looked = numbers.into_iter().try_for_each(|number| {
            let mut odd = Odd::default();
            let known = self.look_at(still, number, (ticket, chunk), &mut odd);
            odd.notes = self.expander.evaluator.take_notes();
            let known = known?.map(|leaves| Known { odd: odd.boxed(), leaves });
            match &known {
                Some(Known { odd: None, leaves: Some(leaves) }) => {
                    add_up(still, number, leaves, chunk)
                }
                _ => is_even = false,
            }
            chunk.states.push(known);
            Ok(())
        });
        chunk.is_even = is_even && looked.is_ok();
        chunk.made = first..ticket.reached();
        looked
    }

    /// `None` where what leaves it depends on whether unknown states are one; what leaves it, if it goes on.
    fn look_at(
        &mut self,
        still: Still<'_>,
        number: u32,
        (ticket, chunk): (&mut Ticket, &mut Chunk),
        odd: &mut Odd,
    ) -> Result<Option<Option<Leaves>>, End> {
        self.state.clear();
        self.state.extend_from_slice(still.store.state(number));
        let since = still.graph.led_by(number).filter(|_| still.asks.since);
        odd.looked = self.expander.look(&self.state, since, still.asks.goal)?;
        let looked = &odd.looked;
        let goes_on = looked.scope == Scope::Inside
            && (looked.wrong.is_empty() || still.on_violation == OnViolation::Expand);
        if !goes_on {
            return Ok(Some(None));
        }
        let stabiliser = stabiliser(still.about, still.store, number);
        match self.brancher.take() {
            None => {
                let automorphisms = self.expander.expand(&self.state, stabiliser, &mut self.out)?;
                self.find_targets(still, ticket, &automorphisms)?;
            }
            Some(mut brancher) => {
                let automorphisms = self.expander.automorphisms(&self.state, stabiliser)?;
                let of = (still, number);
                let branched = self.branch(&mut brancher, of, ticket, &automorphisms);
                self.brancher = Some(brancher);
                odd.branched = branched?;
                if odd.branched.is_none() {
                    return Ok(None);
                }
            }
        }
        Ok(self.leaves(still, number, chunk, odd).map(Some))
    }

    /// Looks up where the transitions lead, and claims what is new.
    fn find_targets(
        &mut self,
        still: Still<'_>,
        ticket: &mut Ticket,
        automorphisms: &Generators,
    ) -> Result<(), End> {
        enter(Phase::Labelling);
        let interner = self.expander.evaluator.interner();
        let words = self.state.len();
        let alike = alike(&mut *self.worker, &self.out, words, automorphisms, interner)?;
        self.batch.clear();
        self.targets.pick(&self.out, &self.state, alike, &mut self.batch);
        let interner = self.expander.evaluator.interner();
        self.worker.represent(&mut self.batch, interner)?;
        enter(Phase::Storing);
        still.store.claim(&self.batch, ticket, &mut self.found);
        Ok(())
    }

    /// Follows a part of what is enabled, or all, and looks up where that leads. `None`: whether a part will do
    /// depends on whether unknown states are one.
    fn branch(
        &mut self,
        brancher: &mut Brancher,
        (still, number): (Still<'_>, u32),
        ticket: &mut Ticket,
        automorphisms: &Generators,
    ) -> Result<Option<Branched>, End> {
        enter(Phase::Search);
        let evaluator = &mut self.expander.evaluator;
        let of = (number, &self.state[..]);
        let (mut branched, rest) = brancher.branch(evaluator, of, automorphisms, &mut self.out)?;
        let first = ticket.reached();
        self.find_targets(still, ticket, automorphisms)?;
        let Some(rest) = rest.filter(|_| !still.deadlocks_only) else { return Ok(Some(branched)) };
        if !still.store.goes_by_words() {
            return Ok(None);
        }
        // Images have numbers of their own, after that of the state that they are images of.
        let end = u64::from(still.store.node(number)) + still.store.nodes_of(number);
        let earlier = |claim: &Claim| claim.known().is_some_and(|node| u64::from(node) < end);
        if self.targets.stays || self.found.iter().any(earlier) {
            enter(Phase::Search);
            let evaluator = &mut self.expander.evaluator;
            let (state, others) = (&self.state[..], (&mut branched, rest));
            brancher.branch_fully(evaluator, state, automorphisms, others, &mut self.out)?;
            let part = ticket.reached();
            self.find_targets(still, ticket, automorphisms)?;
            // What the part has claimed is claimed by this state.
            for claim in &mut self.found {
                match *claim {
                    Claim::Earlier(made) if (first..part).contains(&made) => {
                        *claim = Claim::Made(made);
                    }
                    _ => {}
                }
            }
        }
        Ok(Some(branched))
    }

    /// Sums up what leaves a state; `None` where that depends on whether unknown states are one.
    fn leaves(
        &mut self,
        still: Still<'_>,
        number: u32,
        chunk: &mut Chunk,
        odd: &mut Odd,
    ) -> Option<Leaves> {
        self.count_labels(still, number)?;
        let first = chunk.labels.len();
        chunk.labels.extend_from_slice(&self.labels);
        let begin = chunk.operations.len();
        for (i, claim) in self.found.iter().enumerate() {
            match claim {
                Claim::Known(_) => continue,
                Claim::Earlier(_) if !still.records => continue,
                _ => {}
            }
            chunk.targets.take(&self.batch, i);
            chunk.claims.push(*claim);
            chunk.from.push(number);
            chunk.operations.push(self.out.entries[self.targets.entry(i)].operation);
        }
        if still.records {
            odd.known_targets.extend(self.found.iter().filter_map(|claim| claim.known()));
        }
        let out = &mut self.out;
        odd.enabled.extend(still.idle.iter().filter(|o| enables(out, **o)));
        odd.deadlocked = out.is_empty() && !out.cut;
        odd.faults = std::mem::take(&mut out.faults);
        Some(Leaves {
            successors: out.len() as u64,
            concrete: out.weight(),
            labels: [first as u32, chunk.labels.len() as u32],
            targets: [begin as u32, chunk.operations.len() as u32],
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
        let node = |i: usize| match found[i].known() {
            Some(node) => (Some(node), &[][..]),
            None => (None, batch.key(i)),
        };
        let machine = &self.expander.evaluator.program().instance.machine;
        let of = (&**machine, &*out, &state[..]);
        self.targets.add_taken(of, own, node, &mut self.labels);
        Some(())
    }
}
