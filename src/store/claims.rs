//! A table that many threads look states up in, and into which they put what is new, all at once; and that
//! numbers what is new in the order of those who want it.
//!
//! While a table is open ([`StateTable::open`]) it changes in two steps:
//!
//! 1. **Claims** ([`StateTable::claim`]), on any thread. Whoever finds no equal state writes the state down
//!    beside the table and puts the number of that place, the *claim*, into the free slot, by
//!    compare-and-swap. Claims are handed out in order: those of one ticket come before those of the next
//!    one. Whoever finds an equal state under a later claim replaces that by its own. So in the end the slot
//!    has the first claim on the state, whoever came first.
//! 2. **Numbers** ([`StateTable::number`]), on one thread, in the order of the claims. A claim that was
//!    replaced gets none. At the end [`StateTable::close`] puts the numbers where the claims were, on all
//!    threads, and takes out those that got none.
//!
//! A claim that finds no room is late: it is looked up again when its turn comes. So no table grows while
//! threads look.
//!
//! This is the priority update of Shun, Blelloch, Fineman and Gibbons (2013) in an open-addressed table without
//! removal, as the deterministic hash tables of Shun and Blelloch (2014) have it; the shared tables of LTSmin
//! (Laarman, van de Pol and Weber, 2010) insert in the same way, but number states as they come.
//!
//! What is not promised: a thread that looks a state up may be told of a claim that is replaced later, or
//! make one that is; which of them it sees depends on the others, and only what [`StateTable::number`]
//! answers does not. Nor does a table that is open find anything for those who do not hold a ticket.

use super::shard::{SHARDS, Shard, kept_of, low_bits, shard_of};
use super::table::{Full, StateTable};
use crate::clock::hands::share;
use crate::clock::{self, Stopped};
use crate::state::hash_state;
use crate::sync::{AtomicU32, AtomicU64};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// From how many new states on several threads make room for them, or take them in.
const MANY: usize = 1 << 12;

/// What a thread is told of a state that it looks up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is there: the node that it is.
    Known(u32),
    /// It is new, and this earlier claim on it is there.
    Earlier(u32),
    /// It is new, and this claim on it was written down.
    Made(u32),
    /// There was no room for a claim, or nobody knows.
    Late,
}

impl Claim {
    /// The node that it is, where it is there.
    pub fn known(self) -> Option<u32> {
        match self {
            Claim::Known(node) => Some(node),
            _ => None,
        }
    }
}

/// How much is going to be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Pieces of work that follow each other, and claims of each.
    pub tickets: u32,
    pub claims: u32,
    /// New states in all, as is expected.
    pub new: usize,
    pub threads: usize,
}

/// What a thread needs to make claims: those of one piece of work at a time.
#[derive(Clone, Debug, Default)]
pub struct Ticket {
    claims: u32,
    next: u32,
    end: u32,
    /// Slots of each table that this thread may take.
    room: Vec<u32>,
}

impl Ticket {
    /// Begins a piece of work.
    pub fn begin(&mut self, number: u32) {
        self.next = number * self.claims;
        self.end = self.next + self.claims;
    }

    /// Where the claims of the piece of work end that were made.
    pub fn reached(&self) -> u32 {
        self.next
    }

    fn made(&mut self) -> Claim {
        self.next += 1;
        Claim::Made(self.next - 1)
    }
}

/// What has become of a claim; otherwise its state's number + 1.
const OPEN: u32 = 0;
const REPLACED: u32 = u32::MAX;

/// The claims that were made since the table was opened.
#[derive(Debug, Default)]
pub(super) struct Claims {
    /// The bit that says of a number in a slot that it is a claim; 0 while the table is not open.
    mark: u32,
    /// Words of a state.
    width: usize,
    words: Vec<AtomicU64>,
    became: Vec<AtomicU32>,
}

impl Claims {
    /// The claim that a number in a slot is, if it is one.
    #[inline]
    fn claim(&self, number: u32) -> Option<u32> {
        (number & self.mark != 0).then_some(number & !self.mark)
    }

    #[inline]
    fn words(&self, claim: u32) -> &[AtomicU64] {
        &self.words[claim as usize * self.width..][..self.width]
    }

    #[inline]
    fn is(&self, claim: u32, state: &[u64]) -> bool {
        self.words(claim).iter().zip(state).all(|(a, b)| a.load(Relaxed) == *b)
    }

    #[inline]
    fn write(&self, claim: u32, state: &[u64]) {
        self.words(claim).iter().zip(state).for_each(|(to, word)| to.store(*word, Relaxed));
        self.became[claim as usize].store(OPEN, Relaxed);
    }

    /// Whether threads may claim.
    pub fn are_open(&self) -> bool {
        self.mark != 0
    }

    /// How many states can be numbered in slots that have so many bits for numbers.
    #[inline]
    pub fn most_numbers(&self, bits: u32) -> u32 {
        if self.mark == 0 { low_bits(bits) } else { self.mark }
    }

    /// A slot with so many bits for numbers as one with another one: the mark is the uppermost.
    pub fn widened(&self, slot: u32, bits: u32) -> u32 {
        let wider = slot & !(1 << bits);
        match (slot & low_bits(bits)).wrapping_sub(1) {
            u32::MAX => wider,
            number => match self.claim(number) {
                None => wider,
                Some(claim) => wider & !low_bits(bits) | ((self.mark << 1 | claim) + 1),
            },
        }
    }

    pub fn widen(&mut self) {
        self.mark <<= 1;
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>() + self.became.capacity() * size_of::<u32>()
    }

    fn hash(&self, claim: u32) -> u64 {
        let words = self.words(claim).iter().map(|word| word.load(Relaxed));
        hash_state(&words.collect::<SmallVec<[u64; 8]>>())
    }
}

impl StateTable {
    /// Gets ready for claims, and gives each thread a ticket.
    ///
    /// # Errors
    /// There is no room; the work is to end.
    pub fn open(&mut self, opening: Opening) -> Result<Vec<Ticket>, Stopped> {
        let Opening { tickets, claims, new, threads } = opening;
        let all = tickets as usize * claims as usize;
        // One bit more than numbers and claims need, and none of these ends in ones only.
        while self.bits < 32 && all.max(self.states.len() + new) + 2 > 1 << (self.bits - 1) {
            self.widen();
        }
        self.make_room(new, threads)?;
        let width = self.states.width();
        if self.claims.became.len() < all {
            clock::take(all * (width * size_of::<u64>() + size_of::<u32>()))?;
            self.claims.words.resize_with(all * width, AtomicU64::default);
            self.claims.became.resize_with(all, AtomicU32::default);
        }
        self.claims.mark = 1 << (self.bits - 1);
        self.claims.width = width;
        let each = |shard: &Shard| shard.room_for_each(threads);
        let room = self.shards.iter().map(|shard| each(shard) as u32).collect();
        for shard in self.shards.iter_mut() {
            shard.promised = each(shard) * threads;
        }
        Ok(vec![Ticket { claims, next: 0, end: 0, room }; threads])
    }

    /// Lets the tables grow for so many more states, on up to so many threads.
    fn make_room(&mut self, new: usize, threads: usize) -> Result<(), Stopped> {
        // Hashes are not spread more evenly than by chance, nor work between threads.
        let each = new / SHARDS + new / SHARDS / 4 + 16;
        let grows = |shard: &Shard| shard.slots_for(each) > shard.slots.len();
        if !self.shards.iter().any(grows) {
            return Ok(());
        }
        let size = self.shards.iter().map(|shard| shard.slots_for(each)).max().unwrap_or(0);
        self.grow_all(size, if self.states.len() < MANY { 1 } else { threads })
    }

    /// Looks a state up, and claims it where it is not there.
    #[inline]
    pub fn claim(&self, state: &[u64], hash: u64, ticket: &mut Ticket) -> Claim {
        let shard = &self.shards[shard_of(hash)];
        let (low, high) = (low_bits(self.bits), kept_of(hash, self.bits));
        let mut at = shard.start(hash);
        let mut slot = shard.slots[at].load(Acquire);
        loop {
            let number = (slot ^ high).wrapping_sub(1);
            // The claim that is in the way, if there is one; and whether this is the slot to write to.
            let mut other = None;
            let mut ours = slot == 0;
            if number < low {
                match self.claims.claim(number) {
                    None if self.equal(number, state) => return Claim::Known(number),
                    Some(claim) if self.claims.is(claim, state) => {
                        if claim < ticket.next {
                            return Claim::Earlier(claim);
                        }
                        (other, ours) = (Some(claim), true);
                    }
                    _ => {}
                }
            }
            if ours {
                let room = &mut ticket.room[shard_of(hash)];
                if ticket.next == ticket.end || other.is_none() && *room == 0 {
                    return Claim::Late;
                }
                self.claims.write(ticket.next, state);
                let own = high | ((self.claims.mark | ticket.next) + 1);
                match shard.slots[at].compare_exchange(slot, own, Release, Acquire) {
                    Ok(_) => {
                        match other {
                            None => *room -= 1,
                            Some(claim) => {
                                self.claims.became[claim as usize].store(REPLACED, Relaxed);
                            }
                        }
                        return ticket.made();
                    }
                    Err(there) => slot = there,
                }
            } else {
                at = shard.after(at);
                slot = shard.slots[at].load(Acquire);
            }
        }
    }

    /// Numbers a state of which was said that it is not there, in the order of the claims. `None`: it has a
    /// number from somebody before.
    ///
    /// # Errors
    /// There is no room for it.
    #[inline]
    pub fn number(&mut self, state: &[u64], hash: u64, claim: Claim) -> Result<Option<u32>, Full> {
        match claim {
            Claim::Known(_) | Claim::Earlier(_) => Ok(None),
            Claim::Made(claim) => self.number_claim(state, hash, claim),
            Claim::Late => self.number_late(state, hash),
        }
    }

    #[inline]
    fn number_claim(&mut self, state: &[u64], hash: u64, claim: u32) -> Result<Option<u32>, Full> {
        if self.claims.became[claim as usize].load(Relaxed) != OPEN {
            return Ok(None);
        }
        let number = self.next()?;
        self.states.push(state)?;
        let shard = &mut self.shards[shard_of(hash)];
        shard.len += 1;
        shard.promised = shard.promised.saturating_sub(1);
        self.claims.became[claim as usize].store(number + 1, Relaxed);
        Ok(Some(number))
    }

    #[cold]
    fn number_late(&mut self, state: &[u64], hash: u64) -> Result<Option<u32>, Full> {
        match self.find_any(state, hash) {
            Ok(number) => match self.claims.claim(number) {
                Some(claim) => self.number_claim(state, hash, claim),
                None => Ok(None),
            },
            Err(free) => Ok(Some(self.add(state, hash, free)?)),
        }
    }

    /// What stands in the slot of a state, or else the free slot for it.
    fn find_any(&self, state: &[u64], hash: u64) -> Result<u32, usize> {
        let is = |number| match self.claims.claim(number) {
            Some(claim) => self.claims.is(claim, state),
            None => self.equal(number, state),
        };
        self.shards[shard_of(hash)].find(hash, self.bits, is)
    }

    /// The number that a state has by now, if it has one.
    pub fn numbered(&self, state: &[u64], hash: u64) -> Option<u32> {
        let number = self.find_any(state, hash).ok()?;
        match self.claims.claim(number) {
            Some(claim) => self.claims.became[claim as usize].load(Relaxed).checked_sub(1),
            None => Some(number),
        }
    }

    /// Puts the numbers where the claims were, on up to so many threads. `ends`: where those of each ticket
    /// end ([`Ticket::reached`]).
    pub fn close(&mut self, ends: &[Range<u32>], threads: usize) {
        if self.claims.mark == 0 {
            return;
        }
        let made: u32 = ends.iter().map(|claims| claims.end - claims.start).sum();
        let threads = if (made as usize) < MANY { 1 } else { threads };
        let mut open = vec![false; threads];
        let this = &*self;
        // Nothing here asks the clock.
        let _ = share(&mut open, ends.iter().cloned(), |open, claims| {
            *open |= this.rename(claims);
            Ok(())
        });
        if open.contains(&true) {
            let StateTable { states, shards, bits, claims, .. } = self;
            let (states, bits) = (&*states, *bits);
            let keeps = |number| claims.claim(number).is_none();
            let _ = share(&mut vec![(); threads], shards.iter_mut(), |(), shard| {
                shard.keep(bits, keeps, |number| hash_state(states.get(number)));
                Ok(())
            });
        }
        self.shards.iter_mut().for_each(|shard| shard.promised = 0);
        self.claims.mark = 0;
    }

    /// Puts the numbers where these claims were; whether one has none.
    fn rename(&self, claims: Range<u32>) -> bool {
        let mut open = false;
        for claim in claims {
            match self.claims.became[claim as usize].load(Relaxed) {
                OPEN => open = true,
                REPLACED => {}
                number => {
                    let (hash, mark) = (self.claims.hash(claim), self.claims.mark);
                    let shard = &self.shards[shard_of(hash)];
                    shard.rename(hash, self.bits, mark | claim, number - 1);
                }
            }
        }
        open
    }

    /// The hash of what a number in a slot stands for.
    pub(super) fn hash_of(&self, number: u32) -> u64 {
        match self.claims.claim(number) {
            Some(claim) => self.claims.hash(claim),
            None => hash_state(self.states.get(number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::model::{random_schedules, schedules};
    use crate::sync::{scope, spawn};
    use std::collections::HashSet;
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    /// What pieces of work look up, one after the other.
    type Work = Vec<Vec<u64>>;

    /// Opens a table and does the work on threads, of which each takes the next piece; and how many claims
    /// were replaced, and how many late.
    fn put(table: &mut StateTable, work: &Work, threads: usize, claims: u32) -> [usize; 2] {
        let opening = Opening { tickets: work.len() as u32, claims, new: 0, threads };
        let mut hands = table.open(opening).expect("there is room");
        let mut said: Vec<(Vec<Claim>, Range<u32>)> = vec![(Vec::new(), 0..0); work.len()];
        let open = &*table;
        let jobs = (0..).zip(work).zip(&mut said);
        let looked = share(&mut hands, jobs, |ticket, ((at, states), (claims, made))| {
            ticket.begin(at);
            let first = ticket.reached();
            claims.extend(states.iter().map(|s| open.claim(&[*s], hash_state(&[*s]), ticket)));
            *made = first..ticket.reached();
            Ok(())
        });
        assert_eq!(looked, Ok(()));
        let [mut replaced, mut late] = [0, 0];
        for (states, (claims, _)) in work.iter().zip(&said) {
            for (state, claim) in states.iter().zip(claims) {
                let number = table.number(&[*state], hash_state(&[*state]), *claim);
                let number = number.expect("there are numbers");
                replaced += usize::from(number.is_none() && matches!(claim, Claim::Made(_)));
                late += usize::from(*claim == Claim::Late);
            }
        }
        let ends: Vec<Range<u32>> = said.into_iter().map(|(_, made)| made).collect();
        table.close(&ends, threads);
        [replaced, late]
    }

    fn states(table: &StateTable) -> Vec<u64> {
        (0..table.len() as u32).map(|number| table.state(number)[0]).collect()
    }

    /// The states of some work in order, each once.
    fn in_order(work: &Work) -> Vec<u64> {
        let mut seen = HashSet::new();
        work.iter().flatten().copied().filter(|state| seen.insert(*state)).collect()
    }

    /// Every state is found, and nothing else is in the table.
    fn holds(table: &StateTable) {
        for number in 0..table.len() as u32 {
            assert_eq!(table.find(table.state(number)), Some(number));
        }
        let taken = table.shards.iter().flat_map(|shard| &shard.slots);
        assert_eq!(taken.filter(|slot| slot.load(Relaxed) != 0).count(), table.len());
        assert_eq!(table.shards.iter().map(|shard| shard.len).sum::<usize>(), table.len());
    }

    /// Two threads that claim one state, in every order in which they may come to what they share.
    #[test]
    fn the_first_claim_stands_under_every_schedule() {
        let replaced = Arc::new(AtomicUsize::new(0));
        let count = schedules({
            let replaced = replaced.clone();
            move || {
                let hash = hash_state(&[7]);
                let mut table = StateTable::new(1);
                let opening = Opening { tickets: 2, claims: 1, new: 0, threads: 2 };
                let mut tickets = table.open(opening).expect("there is room");
                let (second, first) = tickets.split_at_mut(1);
                let claim = |number: u32, ticket: &mut Ticket| {
                    ticket.begin(number);
                    (table.claim(&[7], hash, ticket), number..ticket.reached())
                };
                let both = scope(|scope| {
                    let other = spawn(scope, "other", || claim(1, &mut second[0]));
                    let own = claim(0, &mut first[0]);
                    [own, other.expect("a thread").join().expect("it ends")]
                });
                let numbers = [0, 1].map(|i: usize| table.number(&[7], hash, both[i].0));
                assert_eq!(numbers, [Ok(Some(0)), Ok(None)]);
                replaced.fetch_add(usize::from(both[1].0 == Claim::Made(1)), Relaxed);
                table.close(&both.map(|(_, made)| made), 1);
                assert_eq!((table.find(&[7]), table.len()), (Some(0), 1));
            }
        });
        assert!(count > 20, "{count}");
        let replaced = replaced.load(Relaxed);
        assert!(0 < replaced && replaced < count, "{replaced} of {count}");
    }

    /// Pieces of work that look up the same states in different orders, twice, with as many claims as they need
    /// or fewer.
    #[test]
    fn threads_number_states_in_the_same_order_under_many_schedules() {
        let piece = |at: u64, of: u64| (0..of).map(|i| (i * i + 5 * at * i + at) % 41).collect();
        let works: [Work; 2] = [6, 9].map(|of| (0..5).map(|at| piece(at, of)).collect());
        let odd = Arc::new([const { AtomicUsize::new(0) }; 2]);
        for claims in [9, 3] {
            let (works, odd) = (works.clone(), odd.clone());
            random_schedules(9, 60, move || {
                for threads in [2, 3] {
                    let mut table = StateTable::new(1);
                    for work in &works {
                        let of = put(&mut table, work, threads, claims);
                        odd.iter().zip(of).for_each(|(sum, n)| _ = sum.fetch_add(n, Relaxed));
                    }
                    assert_eq!(states(&table), in_order(&works.concat()));
                    holds(&table);
                }
            });
        }
        assert!(odd.iter().all(|sum| sum.load(Relaxed) > 0), "{odd:?}");
    }

    /// Where tables have to grow, and numbers take more bits, while claims are there.
    #[test]
    fn what_finds_no_room_comes_in_later() {
        for (threads, claims) in [(1, 4000), (2, 4000), (3, 4000), (2, 50)] {
            let mut table = StateTable::new(1);
            let mut works = Vec::new();
            for round in 0..4u64 {
                let piece = |at: u64| {
                    let state = |i: u64| (i % 977 * (at % 7 + 1) + i * round) % 9973;
                    (0..3000).map(|i| state(i + at)).collect()
                };
                let work: Work = (0..16).map(piece).collect();
                put(&mut table, &work, threads, claims);
                works.extend(work);
                assert_eq!(states(&table), in_order(&works));
                holds(&table);
            }
        }
    }

    /// A search that ends before its claims have numbers.
    #[test]
    fn claims_without_numbers_are_taken_back() {
        let mut table = StateTable::new(2);
        let opening = Opening { tickets: 1, claims: 200, new: 200, threads: 1 };
        for round in 0..3u64 {
            let mut tickets = table.open(opening).expect("there is room");
            let ticket = &mut tickets[0];
            ticket.begin(0);
            let state = |i: u64| [i, round];
            let claims: Vec<Claim> =
                (0..150).map(|i| table.claim(&state(i), hash_state(&state(i)), ticket)).collect();
            for (i, claim) in (0..100).zip(&claims) {
                let number = table.number(&state(i), hash_state(&state(i)), *claim);
                assert_eq!(number, Ok(Some((100 * round + i) as u32)));
            }
            table.close(std::slice::from_ref(&(0..ticket.reached())), 1);
            for i in 0..150 {
                let number = (i < 100).then_some((100 * round + i) as u32);
                assert_eq!(table.find(&state(i)), number);
            }
        }
        let taken = table.shards.iter().flat_map(|shard| &shard.slots);
        assert_eq!(taken.filter(|slot| slot.load(Relaxed) != 0).count(), 300);
    }
}
