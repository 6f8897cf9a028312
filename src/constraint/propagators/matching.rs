//! What needs a place of its own each, in groups with room for so many.

use super::super::engine::Propagator;
use super::super::literal::Lit;
use super::super::store::{Conflict, Event, Store, Var};
use std::cell::RefCell;

/// So many of these literals are true, at least; each belongs to the group beside it.
pub struct Wish {
    pub lits: Box<[(usize, Lit)]>,
    pub number: usize,
}

/// No two wishes have a literal in common, and of each group so many are true at most. So there is a matching, in the bipartite
/// graph of wishes and groups, each as often as it counts (Hall's condition, the pigeonhole principle). What else follows the
/// counts themselves say one by one.
pub struct Matching {
    wishes: Box<[Wish]>,
    /// The wish of each of those that need a room.
    guests: Box<[usize]>,
    /// The first room of each group; then the number of all.
    rooms: Box<[usize]>,
    /// The room of each guest when it was run last, and which literal of the wish that is by. As long as none of these is false
    /// there is nothing to do.
    taken: RefCell<Vec<(usize, usize)>>,
}

const NONE: usize = usize::MAX;

impl Matching {
    /// With the number of literals that may be true of each group.
    pub fn new(wishes: Vec<Wish>, most: impl IntoIterator<Item = usize>) -> Matching {
        let guests = wishes.iter().enumerate().flat_map(|(i, w)| std::iter::repeat_n(i, w.number));
        let guests: Box<[usize]> = guests.collect();
        let mut rooms = vec![0];
        rooms.extend(most.into_iter().scan(0, |all, most| {
            *all += most;
            Some(*all)
        }));
        let taken = RefCell::new(vec![(NONE, NONE); guests.len()]);
        Matching { wishes: wishes.into(), guests, rooms: rooms.into(), taken }
    }

    /// Whether a guest may have the room that it has.
    fn stays(&self, guest: usize, (room, by): (usize, usize), store: &Store) -> bool {
        room != NONE && {
            let (_, lit) = self.wishes[self.guests[guest]].lits[by];
            store.truth(lit) != Some(false)
        }
    }

    /// Finds a room for a guest by giving others, who have one, another one.
    fn find_room(
        &self,
        guest: usize,
        (taken, owners): (&mut [(usize, usize)], &mut [usize]),
        store: &Store,
    ) -> Result<(), Conflict> {
        // Who has asked for each room, and by which literal.
        let mut asked = vec![(NONE, NONE); owners.len()];
        let mut queue = vec![guest];
        let mut next = 0;
        while let Some(guest) = queue.get(next).copied() {
            next += 1;
            let lits = &self.wishes[self.guests[guest]].lits;
            let able = lits.iter().enumerate().filter(|(_, l)| store.truth(l.1) != Some(false));
            for (by, (group, _)) in able {
                for room in self.rooms[*group]..self.rooms[group + 1] {
                    if asked[room].0 != NONE {
                        continue;
                    }
                    asked[room] = (guest, by);
                    if owners[room] != NONE {
                        queue.push(owners[room]);
                        continue;
                    }
                    let mut free = room;
                    while free != NONE {
                        let (guest, by) = asked[free];
                        owners[free] = guest;
                        (free, _) = std::mem::replace(&mut taken[guest], (free, by));
                    }
                    return Ok(());
                }
            }
        }
        Err(Conflict)
    }
}

impl Propagator for Matching {
    fn watched(&self) -> Vec<(Var, Event)> {
        Vec::new()
    }

    fn literals(&self) -> Vec<Lit> {
        self.wishes.iter().flat_map(|wish| &wish.lits).map(|(_, lit)| *lit).collect()
    }

    fn is_moved_by_false_ones(&self) -> bool {
        true
    }

    fn propagate(&self, store: &mut Store) -> Result<(), Conflict> {
        let mut taken = self.taken.borrow_mut();
        if taken.iter().enumerate().all(|(guest, taken)| self.stays(guest, *taken, store)) {
            return Ok(());
        }
        let mut owners = vec![NONE; self.rooms[self.rooms.len() - 1]];
        for (guest, taken) in taken.iter_mut().enumerate() {
            match self.stays(guest, *taken, store) {
                true => owners[taken.0] = guest,
                false => *taken = (NONE, NONE),
            }
        }
        for guest in 0..taken.len() {
            if taken[guest].0 == NONE {
                self.find_room(guest, (&mut taken, &mut owners), store)?;
            }
        }
        Ok(())
    }

    fn is_costly(&self) -> bool {
        true
    }
}
