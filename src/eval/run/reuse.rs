//! Operation reuse: what an operation did in one state, it does in every state of which it reads the same.
//!
//! Most steps of a machine change nothing of what most of its operations read. So the transitions of an operation that costs
//! something are remembered by the part of the state that its guard and its body read ([`places`](crate::machine::places)): of each
//! instance the bits that stay as they are, and what the others become. Where that part comes again, nothing is
//! evaluated. (ProB's operation reuse; it keeps the projections of all states, we those met last.)
//!
//! Where an instance may have several outcomes, or results, it is remembered beside them which of them belong together,
//! and the numbers of the results ([`Reuse::remember_outcomes`]).
//!
//! Which bits an instance writes is mostly known beforehand: those of variables that get a new value whatever
//! happens, and of variables that are in what is read, so that it does not matter whether they change. A variable of which
//! one point is written and that is not read, as in `s := s - {x}`, is left out of what is read: then the writes say
//! which of its bits they touch ([`TotalWrite::touch`]).

use crate::eval::Compiler;
use crate::eval::once::remember::key::KeyPart;
use crate::eval::once::remember::look::{Look, Reads};
use crate::eval::once::shared::Shared;
use crate::eval::run::successors::{Entry, Mark, Successors};
use crate::lower::TotalWrite;
use crate::lower::changes::{Changes, Known};
use crate::lower::memory::{Key, PARTS};
use crate::lower::total::write::Touches;
use crate::machine::parts::Part;
use crate::machine::places::{Effect, Places, Write};
use crate::machine::{OpId, Operation, VarId};
use crate::state::Interner;
use crate::state::layout::{Position, get};

/// Guessed instructions from which on the transitions of an operation are remembered: where there is at most one, and where
/// instances are enumerated, each of which costs little then.
const WORTH_ONE: u32 = 20;
const WORTH_SEVERAL: u32 = 100;

/// How the transitions of an operation are found again.
pub struct Reuse {
    /// Of its table.
    number: usize,
    effort: u32,
    /// The variables whose values decide, and their bits.
    pub variables: Vec<VarId>,
    reads: Box<[(usize, u64)]>,
    /// Where a state says that some value is outside of its field, if it may be.
    outside: Option<Position>,
    /// The words of a state that it may change, each with the bits of which it is known that they are written, or
    /// what they were.
    writes: Box<[(usize, u64)]>,
    /// Whether further bits are touched, so that [`Reuse::remember`] wants to know them.
    pub touches: bool,
}

impl Compiler<'_> {
    /// How the transitions of an operation that makes these writes are found again, if they are, where the
    /// conditions that it shares with others hold. Of writes that read what others have written nothing is known.
    /// `operation`: itself, told what it chooses ([`opened`](crate::machine::opened)). `several`: whether its instances
    /// are enumerated.
    pub(in crate::eval) fn reuse(
        &self,
        (id, operation, shared): (OpId, &Operation, &Shared),
        writes: Option<&[&TotalWrite]>,
        several: bool,
    ) -> Option<Reuse> {
        let effort = self.effort(operation)?;
        let worth = if several { WORTH_SEVERAL } else { WORTH_ONE };
        if effort.cost < worth || !operation.visible {
            return None;
        }
        let places = Places::of_operation(self.machine(), operation);
        let own = places
            .guard
            .iter()
            .filter(|condition| !condition.pred.as_ref().is_some_and(|p| shared.contain(id, p)));
        let read = own.flat_map(|condition| &condition.reads).chain(&places.reads);
        let variables = read.map(|place| place.variable).collect();
        let mut reads = Reads { variables, constants: effort.constants, ..Reads::default() };
        let mut writes_to: Vec<(usize, u64)> = Vec::new();
        let mut touches = false;
        for i in 0..self.machine().variables.len() {
            let id = VarId(i as u32);
            let of = |write: &&Write| write.place.variable == id;
            let own: Vec<&Write> = places.writes.iter().filter(of).collect();
            if own.is_empty() {
                continue;
            }
            let is_known = reads.variables.contains(&id) || own.iter().all(|write| replaces(write));
            let is_touched =
                !is_known && writes.is_some_and(|writes| self.are_touched(id, &own, writes));
            if !is_known && !is_touched {
                reads.variables.insert(id);
            }
            touches |= is_touched;
            self.layout.field(id).bits(&mut |at, mask| {
                let mask = if is_touched { 0 } else { mask };
                match writes_to.iter_mut().find(|(word, _)| *word == at) {
                    Some((_, all)) => *all |= mask,
                    None => writes_to.push((at, mask)),
                }
            });
        }
        // No state is met twice: who reads all of it never reads the same again.
        if reads.variables.len() == self.machine().variables.len() {
            return None;
        }
        let (parts, _) = self.key_parts(&reads);
        let variables = reads.variables.iter().copied().collect();
        let reads: Option<Box<[_]>> = parts.iter().map(KeyPart::of_state).collect();
        Some(Reuse {
            number: self.layout.remembered.next(),
            effort: effort.cost,
            variables,
            reads: reads.filter(|reads| reads.len() <= PARTS)?,
            outside: self.layout.outside,
            writes: writes_to.into(),
            touches,
        })
    }

    /// About what it costs to find and to fire the instances of an operation, and whether constants are read; `None` where
    /// it is to be done again each time, as external functions are.
    fn effort(&self, operation: &Operation) -> Option<Reads> {
        let bound = self.footprint(&operation.whole()).locals.into_iter().collect();
        let mut look = Look { bound, ..Look::new(self) };
        let mut cost = Some(0u32);
        let mut add = |look: &mut Look<'_, '_>, part: Part<'_>| {
            let more = look.part(part).map(|()| look.reads.cost);
            cost = cost.zip(more).map(|(sum, more)| sum.saturating_add(more));
        };
        // How many candidates there are does not count: what costs little is asked of all of them in one go.
        for condition in operation.conditions() {
            add(&mut look, Part::Pred(condition));
        }
        operation.body.formulas(&mut |part| add(&mut look, part));
        Some(Reads { cost: cost?, ..look.reads })
    }

    /// Whether all that is written of a variable which is not read is told by the writes.
    fn are_touched(&self, id: VarId, own: &[&Write], writes: &[&TotalWrite]) -> bool {
        use Effect::{Becomes, Cleared, Member, Somewhere};
        let is_known = |write: &&Write| {
            matches!(write.effect, Becomes(_) | Member(_) | Cleared | Somewhere(_))
        };
        // Where a field is written as a whole although one point is meant, the others are written as they were.
        let is_whole =
            |write: &&Write| write.place.point.is_none() && matches!(write.effect, Becomes(_));
        let is_whole = own.iter().all(is_whole);
        let mut bits = vec![0; self.layout.words];
        self.layout.field(id).bits(&mut |at, mask| bits[at] |= mask);
        let tells = |write: &&TotalWrite| match write.touches() {
            Touches::Nothing | Touches::Point => true,
            Touches::Bits(at, mask) => is_whole || bits[at as usize] & mask == 0,
            Touches::Variable(of) => of != id,
            Touches::Anything => false,
        };
        own.iter().all(is_known) && writes.iter().all(tells)
    }
}

/// Whether a variable gets a new value in any case.
fn replaces(write: &Write) -> bool {
    write.certain && write.place.point.is_none() && matches!(write.effect, Effect::Becomes(_))
}

impl Reuse {
    /// What the operation reads of a state, where that is all that matters.
    #[inline(always)]
    pub fn key(&self, state: &[u64]) -> Option<Key> {
        if self.outside.is_some_and(|at| get(state, at, 32) != 0) {
            return None;
        }
        let mut key: Key = [0; PARTS];
        for (to, (at, mask)) in key.iter_mut().zip(&self.reads) {
            *to = state[*at] & mask;
        }
        Some(key)
    }

    /// What is known of the operation where it reads this.
    #[inline(always)]
    pub fn ask<'c>(&self, key: &Key, changes: &'c mut Changes) -> Known<'c> {
        changes.ask(self.number, key)
    }

    /// Adds the targets that remembered transitions lead to from a state, each before it tells of it.
    #[inline(always)]
    pub fn repeat(
        &self,
        words: &[u64],
        state: &[u64],
        out: &mut Successors,
        mut tell: impl FnMut(&mut Successors),
    ) {
        let Some((count, mut words)) = words.split_first() else { return };
        for _ in 0..*count {
            let first = out.targets.len();
            match state {
                [word] => out.targets.push(*word),
                state => out.targets.extend_from_slice(state),
            }
            let target = &mut out.targets[first..];
            let (own, rest) = words.split_at(2 * self.writes.len());
            for ((at, _), change) in self.writes.iter().zip(own.chunks_exact(2)) {
                target[*at] = target[*at] & change[0] | change[1];
            }
            words = rest;
            tell(out);
        }
    }

    /// Remembers the transitions from the entry `first` on as those of states that have this key. `touched`: for each
    /// the bits that were touched, a word for each of the state's, if [`Reuse::touches`] asks for them.
    #[inline(never)]
    pub fn remember(
        &self,
        key: Key,
        (out, first): (&Successors, usize),
        touched: &[u64],
        changes: &mut Changes,
    ) {
        if let Some(words) = self.words(out, first, touched) {
            changes.remember(self.number, self.effort, key, &words);
        }
    }

    /// What the transitions from the entry `first` on change, in words; `None` where a value is outside of its field.
    fn words(&self, out: &Successors, first: usize, touched: &[u64]) -> Option<Vec<u64>> {
        let entries = &out.entries[first..];
        let mut words = Vec::with_capacity(1 + 2 * entries.len() * self.writes.len());
        words.push(entries.len() as u64);
        for i in 0..entries.len() {
            let target = out.target(first + i);
            if self.outside.is_some_and(|at| get(target, at, 32) != 0) {
                return None;
            }
            for (at, written) in &self.writes {
                let more = if self.touches { touched[i * target.len() + at] } else { 0 };
                let written = written | more;
                words.extend([!written, target[*at] & written]);
            }
        }
        Some(words)
    }

    /// The same as [`Reuse::repeat`] of an operation whose instances may have several outcomes, with so many results each.
    pub fn repeat_outcomes(
        &self,
        words: &[u64],
        (operation, state): (OpId, &[u64]),
        results: usize,
        interner: &mut Interner,
        out: &mut Successors,
    ) {
        let count = words.first().map_or(0, |count| *count as usize);
        let Some((groups, words)) = words.split_last() else { return };
        let (words, of_entries) = words.split_at(words.len() - count * (1 + results));
        let mut of_entries = of_entries.chunks_exact(1 + results);
        let first = out.groups;
        self.repeat(words, state, out, |out| {
            let Some([group, numbers @ ..]) = of_entries.next() else { return };
            let (at, arguments) = (out.results.len() as u32, out.arguments.len() as u32);
            out.results.extend(numbers.iter().map(|number| interner.value(*number as u32)));
            let group = first + *group as u32;
            out.entries.push(Entry { operation, group, results: at, arguments, weight: 1 });
        });
        out.groups += *groups as u32;
    }

    /// The same as [`Reuse::remember`] for [`Reuse::repeat_outcomes`], of the entries since this mark.
    pub fn remember_outcomes(
        &self,
        key: Key,
        (out, since): (&Successors, &Mark),
        results: usize,
        interner: &mut Interner,
        changes: &mut Changes,
    ) {
        let Some(mut words) = self.words(out, since.entries, &[]) else { return };
        for entry in &out.entries[since.entries..] {
            words.push(u64::from(entry.group - since.groups));
            let own = &out.results[entry.results as usize..][..results];
            words.extend(own.iter().map(|result| u64::from(interner.number(result))));
        }
        words.push(u64::from(out.groups - since.groups));
        changes.remember(self.number, self.effort, key, &words);
    }
}
