//! Guards whose solutions are listed up to exchanges: of the tuples of arguments that differ only in elements which
//! nothing tells apart, the first one ([`Exchanged`]).
//!
//! The exchanges are automorphisms of the state, so they take solutions to solutions, and what is passed over
//! is the image of what is listed. It is passed over as soon as it shows in a place, so that what would stand in the places
//! after it is not looked for. Where places take their elements in ascending order, the first tuple of a class is
//! the one that is found first among all of them.

use super::solve::{Action, each_of};
use crate::eval::compile::{Compiler, Undefined};
use crate::lower::code::{EachFn, Slot};
use crate::lower::env::Env;
use crate::lower::exchanged::{Exchanged, Strand};
use crate::machine::{Machine, SetId, SetKind};
use crate::value::permute::universe_mentions;
use crate::value::{Index, IndexKind};
use smallvec::SmallVec;
use std::sync::Arc;

/// Most tuples that there may be: what each stands for is counted in 32 bits.
const MOST: u128 = u32::MAX as u128;

/// Whether the element that a place has taken is the first of its kind.
pub(in crate::eval) struct First {
    place: usize,
    set: usize,
    /// The places before it that take elements of such sets, with these.
    earlier: Box<[(usize, usize)]>,
}

impl First {
    #[inline]
    pub(super) fn passes(&self, env: &Env) -> bool {
        match &env.exchanged {
            None => true,
            Some(exchanged) => {
                let earlier = self.earlier.iter().map(|(set, place)| (*set, env.words[*place]));
                exchanged.is_first((self.set, env.words[self.place]), earlier)
            }
        }
    }
}

/// What finds the solutions of a guard up to exchanges.
pub struct Firsts {
    pub(in crate::eval) enter: EachFn,
    /// The order in which parameters take their elements.
    order: Box<[usize]>,
}

impl Firsts {
    pub(in crate::eval) fn order(&self) -> &[usize] {
        &self.order
    }
}

impl Compiler<'_> {
    /// The same as these actions of a guard, with a look at each place that takes elements of a symmetric set behind what
    /// gives it its element. `again` compiles them once more. `None` where no parameter takes any, or not in
    /// ascending order.
    pub(in crate::eval) fn firsts(
        &self,
        parameters: &[Slot],
        actions: &[Action],
        again: impl FnOnce() -> Vec<Action>,
    ) -> Option<Firsts> {
        let machine = self.machine();
        let order = order_of(machine, parameters, actions)?;
        let set = |place: usize| taken(machine, &parameters[place]);
        let mut next = order.iter().enumerate();
        let mut looking = Vec::with_capacity(actions.len() + order.len());
        for action in again() {
            let binds = !matches!(action, Action::Test(_));
            looking.push(action);
            let Some((at, place)) = binds.then(|| next.next()).flatten() else { continue };
            if let Some(own) = set(*place) {
                let before = order[..at].iter().filter_map(|p| set(*p).zip(Some(*p)));
                let earlier = before.map(|(s, p)| (s.0 as usize, parameters[p].index)).collect();
                let (place, set) = (parameters[*place].index, own.0 as usize);
                looking.push(Action::First(First { place, set, earlier }));
            }
        }
        Some(Firsts { enter: each_of(looking.into(), Undefined::Guard), order })
    }
}

/// The symmetric set whose elements a parameter takes.
fn taken(machine: &Machine, parameter: &Slot) -> Option<SetId> {
    match parameter.shape.index()?.kind {
        IndexKind::Element(set) if moves(machine, set) => Some(set),
        _ => None,
    }
}

fn moves(machine: &Machine, set: SetId) -> bool {
    !matches!(machine.set(set).kind, SetKind::Enumerated(_))
}

/// The order in which parameters take their elements, if each does so once and in ascending order.
fn order_of(machine: &Machine, parameters: &[Slot], actions: &[Action]) -> Option<Box<[usize]>> {
    let universes: Vec<&Arc<Index>> =
        parameters.iter().map(|slot| slot.shape.index()).collect::<Option<_>>()?;
    let size = universes.iter().try_fold(1u128, |n, u| n.checked_mul(u.size))?;
    let stands_still = |u: &Index| match &u.kind {
        IndexKind::Element(_) | IndexKind::Bool => true,
        _ => !universe_mentions(u, &|set| moves(machine, set)),
    };
    let is_small = size <= MOST && parameters.iter().all(|slot| slot.word);
    if !is_small || !universes.iter().all(|u| stands_still(u)) {
        return None;
    }
    let mut order = Vec::new();
    for action in actions {
        match action {
            Action::Test(_) => {}
            Action::Universe(slot, _) | Action::Bits(slot, ..) | Action::Word(slot, ..) => {
                order.push(parameters.iter().position(|parameter| parameter.index == *slot)?);
            }
            _ => return None,
        }
    }
    let each_once = (0..parameters.len()).all(|place| order.contains(&place));
    let some_moves = parameters.iter().any(|slot| taken(machine, slot).is_some());
    (each_once && order.len() == parameters.len() && some_moves).then(|| order.into())
}

/// An element of a set that a place before has, with its block and its rank there.
type Seen = (usize, u64, (u32, u32));

/// A tuple of words, place by place, and where its places take their elements from.
#[derive(Clone, Copy)]
pub(in crate::eval) struct Places<'a> {
    pub(in crate::eval) universes: &'a [Arc<Index>],
    /// The order in which they take them.
    pub(in crate::eval) order: &'a [usize],
    pub(in crate::eval) exchanged: &'a Exchanged,
}

impl Places<'_> {
    fn set(&self, place: usize) -> Option<usize> {
        match self.universes[place].kind {
            IndexKind::Element(set) => Some(set.0 as usize),
            _ => None,
        }
    }

    /// For the places in their order: the set, and the block and rank of what a first tuple has there, with whether
    /// no place before has the same.
    fn each(&self, tuple: &[u64], mut visit: impl FnMut(usize, usize, (u32, u32), bool)) {
        let mut seen: SmallVec<[Seen; 6]> = SmallVec::new();
        for place in self.order {
            let Some(set) = self.set(*place) else { continue };
            let own = tuple[*place];
            if let Some((.., at)) = seen.iter().find(|(s, element, _)| *s == set && *element == own)
            {
                visit(*place, set, *at, false);
                continue;
            }
            let (least, _) = self.exchanged.place(set, own);
            let before = seen.iter().filter(|(s, _, (block, _))| *s == set && *block == least);
            let at = (least, before.count() as u32);
            visit(*place, set, at, true);
            seen.push((set, own, at));
        }
    }

    /// How many tuples the exchanges make of one; `None` where it is not the first of its class.
    pub(in crate::eval) fn weight(&self, tuple: &[u64]) -> Option<u32> {
        let (mut weight, mut is_first) = (1, true);
        let mut touched: SmallVec<[Strand; 6]> = SmallVec::new();
        self.each(tuple, |place, set, (least, rank), is_new| {
            if is_new {
                weight *= self.exchanged.size(set, least) - rank;
                is_first &= self.exchanged.place(set, tuple[place]).1 == rank;
                let strand = self.exchanged.strand(set, tuple[place]);
                if let Some(strand) = strand.filter(|own| !touched.contains(own)) {
                    let before = touched.iter().filter(|other| other.is_beside(&strand)).count();
                    is_first &= strand.rank == before as u32;
                    weight *= strand.count.saturating_sub(before as u32);
                    touched.push(strand);
                }
            }
        });
        is_first.then_some(weight)
    }

    /// The key of the first one of a tuple's class, where there are no strands.
    pub(in crate::eval) fn first_key(&self, tuple: &[u64]) -> u64 {
        let mut first: SmallVec<[u64; 6]> = SmallVec::from_slice(tuple);
        self.each(tuple, |place, set, (least, rank), _| {
            first[place] = u64::from(self.exchanged.member(set, least, rank));
        });
        let places = self.universes.iter().zip(&first);
        places.fold(0, |key, (u, word)| key * u.size as u64 + word)
    }
}
