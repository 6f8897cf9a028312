//! A reduction and its store: the states that a search has visited.

use super::{Admitted, Claim, Opening, Refused, Store, Ticket};
use crate::clock::{Phase, enter};
use crate::reduce::{About, Batch, Figures, Interrupted, Orders, Reduction, SetUp, Worker};
use crate::state::Interner;
use crate::symmetry::{Order, Stabiliser};
use crate::value::{Permutation, Value};
use std::ops::Range;
use std::time::Instant;

pub struct Visited {
    reduction: Reduction,
    worker: Box<dyn Worker>,
    store: Box<dyn Store>,
    batch: Batch,
    puts: Vec<Admitted>,
    /// A second one that is given the same states, to be compared with.
    audit: Option<Box<Visited>>,
    /// Why the store ended the search, when it did.
    refusal: Option<Refused>,
    /// What the workers of other threads have counted.
    figures: Figures,
    started: Instant,
}

impl Visited {
    /// For states of `words` words.
    pub fn new(words: usize, reduction: Reduction, store: impl Store + 'static) -> Visited {
        let worker = reduction.worker();
        Visited {
            reduction,
            worker,
            store: Box::new(store),
            batch: Batch::new(words),
            puts: Vec::new(),
            audit: None,
            refusal: None,
            figures: Figures::None,
            started: Instant::now(),
        }
    }

    /// Gives the same states to another one, whose states are counted.
    pub fn audited_by(self, other: Visited) -> Visited {
        Visited { audit: Some(Box::new(other)), ..self }
    }

    pub fn about(&self) -> &About {
        &self.reduction.about
    }

    /// What its workers are made by.
    pub fn reduction(&self) -> &Reduction {
        &self.reduction
    }

    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Whether another one is given the same states.
    pub fn is_audited(&self) -> bool {
        self.audit.is_some()
    }

    /// An empty batch, for the states that [`Visited::put`] looks up.
    #[inline]
    pub fn batch(&mut self) -> &mut Batch {
        self.batch.clear();
        &mut self.batch
    }

    /// Looks the states of the batch up, in order, and keeps what is new. After an interruption, or a
    /// refusal of the store ([`Visited::refusal`]), `out` has the answers for those before.
    #[inline]
    pub fn put(
        &mut self,
        interner: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Interrupted> {
        out.clear();
        let audited = self.give_to_audit(interner);
        let represented = self.worker.represent(&mut self.batch, interner);
        let all = 0..self.batch.represented();
        enter(Phase::Storing);
        let put = self.store.find_or_put(&self.batch, all, &mut *self.worker, interner, out);
        match put {
            Ok(()) => represented.and(audited),
            Err(why) => Err(self.refused(why)),
        }
    }

    /// The same for some states of a batch that another worker has represented.
    pub fn put_represented(
        &mut self,
        batch: &Batch,
        states: Range<usize>,
        interner: &mut Interner,
        out: &mut Vec<Admitted>,
    ) -> Result<(), Interrupted> {
        out.clear();
        enter(Phase::Storing);
        let put = self.store.find_or_put(batch, states, &mut *self.worker, interner, out);
        put.map_err(|why| self.refused(why))
    }

    /// Gets ready for claims, and gives each thread a ticket, where many threads can fill the store.
    pub fn open(&mut self, opening: Opening) -> Result<Option<Vec<Ticket>>, Interrupted> {
        let tickets = self.store.shared().map(|store| store.open(opening));
        tickets.transpose().map_err(|why| self.refused(why))
    }

    /// Numbers a state of a batch that another worker has represented, of which this was said, unless it has a
    /// number from somebody before.
    pub fn number(
        &mut self,
        batch: &Batch,
        i: usize,
        claim: Claim,
    ) -> Result<Option<u32>, Interrupted> {
        let number = self.store.shared().map(|store| store.number(batch, i, claim));
        number.unwrap_or(Ok(None)).map_err(|why| self.refused(why))
    }

    /// The same for all of such a batch, with what was said of each; `out` is given the place and the number of
    /// those that it numbers.
    pub fn number_all(
        &mut self,
        batch: &Batch,
        claims: &[Claim],
        out: &mut Vec<(usize, u32)>,
    ) -> Result<(), Interrupted> {
        let numbered = self.store.shared().map(|store| store.number_all(batch, claims, out));
        numbered.unwrap_or(Ok(())).map_err(|why| self.refused(why))
    }

    /// Whether there are numbers for so many more, where many threads can fill the store.
    pub fn has_numbers(&mut self, more: usize) -> bool {
        self.store.shared().is_some_and(|store| store.has_numbers(more))
    }

    /// The number that a state of such a batch has by now, where threads fill the store and it has one.
    pub fn numbered(&self, batch: &Batch, i: usize) -> Option<u32> {
        self.store.numbered(batch, i)
    }

    /// Makes what was numbered known to all, on up to so many threads.
    pub fn close(&mut self, ends: &[Range<u32>], threads: usize) {
        if let Some(store) = self.store.shared() {
            store.close(ends, threads);
        }
    }

    fn give_to_audit(&mut self, interner: &mut Interner) -> Result<(), Interrupted> {
        let Some(audit) = &mut self.audit else { return Ok(()) };
        audit.batch.clone_from(&self.batch);
        let result = audit.put(interner, &mut self.puts);
        self.batch.truncate(self.puts.len());
        result
    }

    fn refused(&mut self, why: Refused) -> Interrupted {
        if why != Refused::Interrupted {
            self.refusal = Some(why);
        }
        Interrupted
    }

    /// Looks one state up.
    pub fn admit(
        &mut self,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<Admitted, Interrupted> {
        self.batch().push(state);
        let mut puts = Vec::with_capacity(1);
        self.put(interner, &mut puts)?;
        Ok(puts[0])
    }

    pub fn worker(&mut self) -> &mut dyn Worker {
        &mut *self.worker
    }

    /// Which of these states would come to the same node as an earlier one: [`Worker::alike`].
    pub fn alike(
        &mut self,
        states: &[&[u64]],
        by: Option<&[Permutation]>,
        interner: &mut Interner,
    ) -> Result<Vec<u32>, Interrupted> {
        self.worker.alike(states, by, interner)
    }

    /// The state with a number: what is expanded.
    pub fn state(&self, number: u32) -> &[u64] {
        self.store.state(number)
    }

    pub fn node(&self, number: u32) -> u32 {
        self.store.node(number)
    }

    pub fn nodes_of(&self, number: u32) -> u64 {
        self.store.nodes_of(number)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.store.bytes()
    }

    /// The group of permutations that leave the state with this number unchanged; `None` where it is not
    /// known.
    pub fn stabiliser(&self, number: u32) -> Option<&Stabiliser> {
        stabiliser(self.about(), self.store(), number)
    }

    /// Which set-ups of the constants are one, and the number of nodes that this one makes.
    pub fn set_up(
        &mut self,
        constants: &[Value],
        interner: &mut Interner,
    ) -> Result<(SetUp, u64), Interrupted> {
        let set_up = self.worker.set_up(constants, interner)?;
        let size = self.about().group.index_of(set_up.order.as_ref().unwrap_or(&Order::ONE));
        match self.store.nodes_of_orbit(&size) {
            Ok(nodes) => Ok((set_up, nodes)),
            Err(why) => Err(self.refused(why)),
        }
    }

    /// Why the store ended the search, when it did.
    pub fn refusal(&self) -> Option<&Refused> {
        self.refusal.as_ref()
    }

    /// Adds what the worker of another thread has counted.
    pub fn add_figures(&mut self, figures: Figures) {
        self.figures.add(figures);
    }

    /// Figures of the reduction's own: name and value.
    pub fn figures(&self) -> Vec<(String, f64)> {
        let mut figures = self.worker.figures();
        figures.add(self.figures.clone());
        figures.rows(self.started.elapsed())
    }

    /// How many orbits among the states that were given are not represented, where an audit says so: the
    /// states of an approximate reduction have different keys, so they are in different orbits, and each
    /// further orbit is missed.
    pub fn missed_orbits(&self) -> Option<u64> {
        let all = self.audit.as_ref()?.len() as u64;
        Some(all.saturating_sub(self.len() as u64))
    }
}

/// The group of permutations that leave a state that is kept unchanged; `None` where it is not known.
pub fn stabiliser<'a>(about: &About, store: &'a dyn Store, number: u32) -> Option<&'a Stabiliser> {
    match about.orders {
        Orders::One => Some(Stabiliser::trivial()),
        Orders::Found | Orders::OnRequest => store.stabiliser(number),
        Orders::Unknown => None,
    }
}
