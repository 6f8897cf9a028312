//! The variables of a problem, their domains, and the trail that takes changes back.
//!
//! A variable ranges over integers: an interval, with a bit for each value where the interval is
//! short, or for each of some listed values where these are far apart. A change at a level of the
//! search keeps the old domain on the trail; nothing is copied.

use super::literal::Lit;

/// Stands for "no bound": larger numbers are not told apart from it.
pub const INFINITE: i64 = 1 << 60;

/// Longest interval whose values have a bit each, and longest list of such values.
const LONGEST_BITS: i64 = 4096;

/// A variable of a [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

/// There is no solution with these domains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict;

/// What a propagator wants to know of a variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Event {
    /// It has one value.
    Fixed,
    /// Its least or its greatest value changed.
    Bounds,
    /// It lost some value.
    Domain,
}

#[derive(Clone, Copy, Debug)]
struct Domain {
    low: i64,
    high: i64,
    /// Number of values, where there are bits.
    size: u32,
    /// Where its bits begin; the first is that of `base`, or of the first value of its list. No words: no bits.
    first: u32,
    words: u32,
    base: i64,
    /// The list that its bits are for; none: they are for all numbers from `base` on.
    list: Option<u32>,
    /// The level at which it was last kept.
    stamp: u64,
}

/// Who is to be told of what.
#[derive(Clone, Copy)]
struct Watch {
    propagator: u32,
    event: Event,
    /// Of all changes only those by which it becomes known whether this is true.
    about: Option<Lit>,
    /// And of these not those that make it true.
    if_false: bool,
}

/// What a variable had before a change.
#[derive(Clone, Copy)]
enum Lost {
    /// Its bounds were these.
    Bounds(i64, i64),
    /// A value between its bounds.
    Value(i64),
}

impl Lost {
    /// The truth of a literal on a variable that lost this, where that became known; `low` and `high` are left.
    fn decides(self, lit: Lit, low: i64, high: i64) -> Option<bool> {
        if low == high {
            return Some(lit.is_true_of(low));
        }
        let (truth, value) = match lit {
            Lit::Is(_, value) => (false, value),
            Lit::IsNot(_, value) => (true, value),
            Lit::AtMost(_, bound) => return self.passes(bound, low, high),
            Lit::Above(_, bound) => return self.passes(bound, low, high).map(|truth| !truth),
            Lit::Always | Lit::Never => return None,
        };
        let is_lost = match self {
            Lost::Value(lost) => lost == value,
            Lost::Bounds(from, to) => from <= value && value < low || high < value && value <= to,
        };
        is_lost.then_some(truth)
    }

    /// Whether all that is left is at most this number, or all is above it; where that was open before.
    fn passes(self, bound: i64, low: i64, high: i64) -> Option<bool> {
        match self {
            Lost::Bounds(_, to) if high <= bound && to > bound => Some(true),
            Lost::Bounds(from, _) if low > bound && from <= bound => Some(false),
            _ => None,
        }
    }
}

enum Change {
    Domain(Var, Domain),
    Word(u32, u64),
}

/// Domains with their history, and who is to be told of changes.
#[derive(Default)]
pub struct Store {
    domains: Vec<Domain>,
    bits: Vec<u64>,
    /// Values in order, of variables whose values are far apart.
    lists: Vec<Box<[i64]>>,
    trail: Vec<Change>,
    /// Where each level begins on the trail.
    levels: Vec<usize>,
    stamp: u64,
    watches: Vec<Vec<Watch>>,
    /// Number of variables with more than one value left.
    open: usize,
    /// Propagators to be run; the second list when the first is empty.
    queue: [std::collections::VecDeque<u32>; 2],
    waiting: Vec<bool>,
    costly: Vec<bool>,
}

impl Store {
    /// A new variable between these bounds.
    pub fn variable(&mut self, low: i64, high: i64) -> Var {
        let (low, high) = (low.max(-INFINITE), high.min(INFINITE));
        let var = Var(self.domains.len() as u32);
        let stamp = self.stamp;
        self.open += usize::from(low != high);
        let (size, first, words, base, list) = (0, 0, 0, low, None);
        self.domains.push(Domain { low, high, size, first, words, base, list, stamp });
        self.watches.push(Vec::new());
        self.give_bits(var);
        var
    }

    /// Number of variables so far.
    pub fn len(&self) -> usize {
        self.domains.len()
    }

    pub fn is_empty(&self) -> bool {
        self.domains.is_empty()
    }

    /// Gives bits to a variable whose interval is short and has none; before the search only.
    fn give_bits(&mut self, var: Var) -> bool {
        let d = &mut self.domains[var.0 as usize];
        if d.words > 0 || d.high - d.low >= LONGEST_BITS || d.high < d.low {
            return false;
        }
        let span = (d.high - d.low + 1) as usize;
        d.base = d.low;
        self.begin_bits(var, span);
        true
    }

    /// So many bits, all of them set.
    fn begin_bits(&mut self, var: Var, number: usize) {
        let d = &mut self.domains[var.0 as usize];
        d.first = self.bits.len() as u32;
        d.words = number.div_ceil(64) as u32;
        d.size = number as u32;
        for word in 0..d.words as usize {
            let left = number - word * 64;
            self.bits.push(if left >= 64 { u64::MAX } else { (1 << left) - 1 });
        }
    }

    /// The value is one of these, which are in order; some may be there twice. Before the search they get bits, unless
    /// they are too many; a variable that has no bits afterwards has the bounds only.
    pub fn one_of(&mut self, var: Var, values: &[i64]) -> Result<(), Conflict> {
        self.at_least(var, *values.first().ok_or(Conflict)?)?;
        self.at_most(var, *values.last().ok_or(Conflict)?)?;
        if self.levels.is_empty() && !self.has_bits(var) && !self.give_bits(var) {
            let (low, high) = (self.low(var), self.high(var));
            let mut able: Vec<i64> =
                values.iter().copied().filter(|v| (low..=high).contains(v)).collect();
            able.dedup();
            let (Some(first), Some(last)) = (able.first(), able.last()) else {
                return Err(Conflict);
            };
            self.at_least(var, *first)?;
            self.at_most(var, *last)?;
            if able.len() as i64 <= LONGEST_BITS {
                self.domains[var.0 as usize].list = Some(self.lists.len() as u32);
                self.begin_bits(var, able.len());
                self.lists.push(able.into());
                self.tell_all(var);
            }
        }
        self.retain(var, |v| values.binary_search(&v).is_ok())
    }

    /// Whether its bits are for values that are far apart.
    pub fn is_listed(&self, var: Var) -> bool {
        self.domains[var.0 as usize].list.is_some()
    }

    /// Gives bits to all whose intervals have become short, before the search only; whether there
    /// were any.
    pub fn refine(&mut self) -> bool {
        let mut any = false;
        for var in 0..self.domains.len() {
            any |= self.give_bits(Var(var as u32));
        }
        any
    }

    pub fn low(&self, var: Var) -> i64 {
        self.domains[var.0 as usize].low
    }

    pub fn high(&self, var: Var) -> i64 {
        self.domains[var.0 as usize].high
    }

    /// Whether there is an end to its values on both sides.
    pub fn is_bounded(&self, var: Var) -> bool {
        self.low(var) > -INFINITE && self.high(var) < INFINITE
    }

    pub fn is_fixed(&self, var: Var) -> bool {
        let d = &self.domains[var.0 as usize];
        d.low == d.high
    }

    /// The only value left.
    pub fn value(&self, var: Var) -> Option<i64> {
        self.is_fixed(var).then(|| self.low(var))
    }

    pub fn has_bits(&self, var: Var) -> bool {
        self.domains[var.0 as usize].words > 0
    }

    /// Number of values left.
    pub fn size(&self, var: Var) -> u64 {
        let d = &self.domains[var.0 as usize];
        if d.words > 0 { d.size as u64 } else { (d.high - d.low + 1) as u64 }
    }

    pub fn contains(&self, var: Var, value: i64) -> bool {
        let d = &self.domains[var.0 as usize];
        d.low <= value && value <= d.high && (d.words == 0 || self.bit(d, value))
    }

    /// The number of the first bit that is for this value or a greater one.
    fn place(&self, d: &Domain, value: i64) -> usize {
        match d.list {
            None => (value - d.base) as usize,
            Some(list) => self.lists[list as usize].partition_point(|v| *v < value),
        }
    }

    /// What a bit is for.
    fn value_at(&self, d: &Domain, place: usize) -> i64 {
        match d.list {
            None => d.base + place as i64,
            Some(list) => self.lists[list as usize][place],
        }
    }

    fn is_set(&self, d: &Domain, place: usize) -> bool {
        self.bits[d.first as usize + place / 64] >> (place % 64) & 1 == 1
    }

    /// Whether a value between the bounds is left, of a variable with bits.
    fn bit(&self, d: &Domain, value: i64) -> bool {
        let place = self.place(d, value);
        self.is_set(d, place) && (d.list.is_none() || self.value_at(d, place) == value)
    }

    /// The least value from `from` on.
    pub fn next(&self, var: Var, from: i64) -> Option<i64> {
        let d = &self.domains[var.0 as usize];
        let from = from.max(d.low);
        if from > d.high || d.words == 0 {
            return (from <= d.high).then_some(from);
        }
        let (mut place, last) = (self.place(d, from), self.place(d, d.high));
        while place <= last {
            let rest = self.bits[d.first as usize + place / 64] >> (place % 64);
            if rest != 0 {
                let found = place + rest.trailing_zeros() as usize;
                return (found <= last).then(|| self.value_at(d, found));
            }
            place += 64 - place % 64;
        }
        None
    }

    /// The values left, in order. Only for variables with few.
    pub fn values(&self, var: Var) -> impl Iterator<Item = i64> + '_ {
        std::iter::successors(self.next(var, i64::MIN), move |v| self.next(var, v + 1))
    }

    /// The values left as bits, from `base` on, which is at most the least of them; only where all are among the 64 that
    /// begin there, and no list says what the bits are for.
    pub fn window(&self, var: Var, base: i64) -> Option<u64> {
        let d = &self.domains[var.0 as usize];
        if d.low < base || d.high - base >= 64 || d.list.is_some() {
            return None;
        }
        let within = (u64::MAX >> (63 - (d.high - d.low))) << (d.low - base);
        if d.words == 0 {
            return Some(within);
        }
        // The bits from that of the least value on.
        let place = (d.low - d.base) as usize;
        let (word, shift) = (d.first as usize + place / 64, place % 64);
        let mut bits = self.bits[word] >> shift;
        if shift > 0 && place / 64 + 1 < d.words as usize {
            bits |= self.bits[word + 1] << (64 - shift);
        }
        Some((bits << (d.low - base)) & within)
    }

    /// Keeps those of the values left that are among these, from `base` on.
    pub fn keep_window(&mut self, var: Var, base: i64, kept: u64) -> Result<(), Conflict> {
        let Some(now) = self.window(var, base) else { return Err(Conflict) };
        let kept = now & kept;
        if kept == 0 {
            return Err(Conflict);
        }
        let (low, high) = (kept.trailing_zeros(), 63 - kept.leading_zeros());
        self.at_least(var, base + i64::from(low))?;
        self.at_most(var, base + i64::from(high))?;
        let mut lost = now & !kept & (u64::MAX << low) & (u64::MAX >> (63 - high));
        while lost != 0 {
            self.remove(var, base + i64::from(lost.trailing_zeros()))?;
            lost &= lost - 1;
        }
        Ok(())
    }

    fn keep(&mut self, var: Var) {
        let d = &mut self.domains[var.0 as usize];
        if d.stamp != self.stamp && !self.levels.is_empty() {
            self.trail.push(Change::Domain(var, *d));
            d.stamp = self.stamp;
        }
    }

    fn tell(&mut self, var: Var, event: Event, lost: Lost) {
        let Domain { low, high, .. } = self.domains[var.0 as usize];
        let event = if low == high { Event::Fixed } else { event };
        self.open -= usize::from(low == high);
        for watch in &self.watches[var.0 as usize] {
            // What is fixed has other bounds, and with other bounds it has other values.
            if event > watch.event || self.waiting[watch.propagator as usize] {
                continue;
            }
            let is_news = match watch.about.map(|lit| lost.decides(lit, low, high)) {
                None => true,
                Some(truth) => truth == Some(false) || truth == Some(true) && !watch.if_false,
            };
            if is_news {
                self.waiting[watch.propagator as usize] = true;
                let queue = self.costly[watch.propagator as usize] as usize;
                self.queue[queue].push_back(watch.propagator);
            }
        }
    }

    /// Tells all who watch a variable that it may have lost any of its values.
    fn tell_all(&mut self, var: Var) {
        for watch in &self.watches[var.0 as usize] {
            let number = watch.propagator as usize;
            if !std::mem::replace(&mut self.waiting[number], true) {
                self.queue[self.costly[number] as usize].push_back(watch.propagator);
            }
        }
    }

    /// Whether each variable has one value.
    pub fn is_decided(&self) -> bool {
        self.open == 0
    }

    /// The value is at least this.
    pub fn at_least(&mut self, var: Var, bound: i64) -> Result<(), Conflict> {
        let d = self.domains[var.0 as usize];
        // Beyond the last number that is told apart a variable never has one value.
        let bound = bound.min(INFINITE - 1);
        if bound <= d.low {
            return Ok(());
        }
        let Some(low) = self.next(var, bound) else { return Err(Conflict) };
        self.keep(var);
        let lost = self.count(&d, d.low, low - 1);
        let old = (d.low, d.high);
        let d = &mut self.domains[var.0 as usize];
        d.low = low;
        d.size -= lost;
        self.tell(var, Event::Bounds, Lost::Bounds(old.0, old.1));
        Ok(())
    }

    /// The value is at most this.
    pub fn at_most(&mut self, var: Var, bound: i64) -> Result<(), Conflict> {
        let d = self.domains[var.0 as usize];
        let bound = bound.max(1 - INFINITE);
        if bound >= d.high {
            return Ok(());
        }
        if bound < d.low {
            return Err(Conflict);
        }
        let mut high = bound;
        if d.words > 0 {
            // The least value is there, so one is found.
            let mut place = self.place(&d, bound + 1) - 1;
            while !self.is_set(&d, place) {
                place -= 1;
            }
            high = self.value_at(&d, place);
        }
        self.keep(var);
        let lost = self.count(&d, high + 1, d.high);
        let old = (d.low, d.high);
        let d = &mut self.domains[var.0 as usize];
        d.high = high;
        d.size -= lost;
        self.tell(var, Event::Bounds, Lost::Bounds(old.0, old.1));
        Ok(())
    }

    /// Number of values within these bounds, which lie within those of the domain; without bits 0.
    fn count(&self, d: &Domain, from: i64, to: i64) -> u32 {
        if d.words == 0 || to < from {
            return 0;
        }
        let (from, to) = (self.place(d, from), self.place(d, to + 1));
        if to <= from {
            return 0;
        }
        let to = to - 1;
        let word = |i: usize| self.bits[d.first as usize + i];
        let (first, last) = (from / 64, to / 64);
        let (above, below) = (u64::MAX << (from % 64), u64::MAX >> (63 - to % 64));
        if first == last {
            return (word(first) & above & below).count_ones();
        }
        let between: u32 = (first + 1..last).map(|i| word(i).count_ones()).sum();
        (word(first) & above).count_ones() + between + (word(last) & below).count_ones()
    }

    /// The value is not this. Without bits only the bounds are lost.
    pub fn remove(&mut self, var: Var, value: i64) -> Result<(), Conflict> {
        if !self.contains(var, value) {
            return Ok(());
        }
        let d = self.domains[var.0 as usize];
        if d.low == d.high {
            return Err(Conflict);
        }
        if value == d.low {
            return self.at_least(var, value + 1);
        }
        if value == d.high {
            return self.at_most(var, value - 1);
        }
        if d.words > 0 {
            self.keep(var);
            let place = self.place(&d, value);
            let word = d.first as usize + place / 64;
            if !self.levels.is_empty() {
                self.trail.push(Change::Word(word as u32, self.bits[word]));
            }
            self.bits[word] &= !(1 << (place % 64));
            self.domains[var.0 as usize].size -= 1;
            self.tell(var, Event::Domain, Lost::Value(value));
        }
        Ok(())
    }

    /// The value is this.
    pub fn fix(&mut self, var: Var, value: i64) -> Result<(), Conflict> {
        if !self.contains(var, value) {
            return Err(Conflict);
        }
        let d = self.domains[var.0 as usize];
        if d.low == d.high {
            return Ok(());
        }
        self.keep(var);
        let now = &mut self.domains[var.0 as usize];
        (now.low, now.high, now.size) = (value, value, 1);
        self.tell(var, Event::Fixed, Lost::Bounds(d.low, d.high));
        Ok(())
    }

    /// Keeps the values for which `keep` is true, of a variable with bits; of another one the bounds.
    pub fn retain(&mut self, var: Var, keep: impl Fn(i64) -> bool) -> Result<(), Conflict> {
        if self.has_bits(var) {
            let mut next = self.next(var, i64::MIN);
            while let Some(value) = next {
                if !keep(value) {
                    self.remove(var, value)?;
                }
                next = self.next(var, value + 1);
            }
        } else if let Some(value) = self.value(var)
            && !keep(value)
        {
            return Err(Conflict);
        }
        Ok(())
    }

    /// Whether a literal is known to be true or false.
    pub fn truth(&self, lit: Lit) -> Option<bool> {
        let known = |lit: Lit| match lit {
            Lit::Always => Some(true),
            Lit::Never => Some(false),
            Lit::Is(var, value) => match self.contains(var, value) {
                false => Some(false),
                true => self.is_fixed(var).then_some(true),
            },
            Lit::AtMost(var, bound) => {
                if self.high(var) <= bound {
                    Some(true)
                } else {
                    (self.low(var) > bound).then_some(false)
                }
            }
            Lit::IsNot(..) | Lit::Above(..) => None,
        };
        match lit {
            Lit::IsNot(..) | Lit::Above(..) => known(lit.negated()).map(|truth| !truth),
            _ => known(lit),
        }
    }

    /// Makes a literal true.
    pub fn assert(&mut self, lit: Lit) -> Result<(), Conflict> {
        match lit {
            Lit::Always => Ok(()),
            Lit::Never => Err(Conflict),
            Lit::Is(var, value) => self.fix(var, value),
            Lit::IsNot(var, value) => self.remove(var, value),
            Lit::AtMost(var, bound) => self.at_most(var, bound),
            Lit::Above(var, bound) => self.at_least(var, bound + 1),
        }
    }

    /// Begins a level of the search.
    pub fn push(&mut self) {
        self.levels.push(self.trail.len());
        self.stamp += 1;
    }

    /// Takes back what was changed since the last level began.
    pub fn pop(&mut self) {
        let start = self.levels.pop().unwrap_or(0);
        while self.trail.len() > start {
            match self.trail.pop() {
                Some(Change::Domain(var, old)) => {
                    let now = std::mem::replace(&mut self.domains[var.0 as usize], old);
                    self.open += usize::from(now.low == now.high && old.low != old.high);
                }
                Some(Change::Word(word, old)) => self.bits[word as usize] = old,
                None => break,
            }
        }
        // Domains that are kept again at a level have a number that no level had.
        self.stamp += 1;
        self.clear();
    }

    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Has this propagator told of these changes of a variable.
    pub(super) fn watch(&mut self, var: Var, propagator: u32, event: Event) {
        self.watches[var.0 as usize].push(Watch {
            propagator,
            event,
            about: None,
            if_false: false,
        });
    }

    /// Has this propagator told when it becomes known whether a literal is true, or that it is false.
    pub(super) fn watch_truth(&mut self, lit: Lit, propagator: u32, if_false: bool) {
        let (var, event) = match lit {
            Lit::Always | Lit::Never => return,
            Lit::Is(var, _) | Lit::IsNot(var, _) => (var, Event::Domain),
            Lit::AtMost(var, _) | Lit::Above(var, _) => (var, Event::Bounds),
        };
        // Without bits a value is left out only once it is a bound: then there is something to be done.
        let about = Some(lit).filter(|_| self.has_bits(var));
        self.watches[var.0 as usize].push(Watch { propagator, event, about, if_false });
    }

    pub(super) fn enlist(&mut self, costly: bool) {
        let number = self.waiting.len() as u32;
        self.waiting.push(true);
        self.costly.push(costly);
        self.queue[costly as usize].push_back(number);
    }

    /// Has all propagators run.
    pub(super) fn wake_all(&mut self) {
        for number in 0..self.waiting.len() {
            if !std::mem::replace(&mut self.waiting[number], true) {
                self.queue[self.costly[number] as usize].push_back(number as u32);
            }
        }
    }

    /// The propagator to be run next.
    pub(super) fn due(&mut self) -> Option<u32> {
        let next = self.queue[0].pop_front().or_else(|| self.queue[1].pop_front())?;
        self.waiting[next as usize] = false;
        Some(next)
    }

    /// Forgets what is due: its changes are taken back.
    pub(super) fn clear(&mut self) {
        for queue in &mut self.queue {
            for propagator in queue.drain(..) {
                self.waiting[propagator as usize] = false;
            }
        }
    }
}
