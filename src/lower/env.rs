//! What an evaluation reads and writes.

use super::description::{Asking, FreeCode, SymbolicCode};
use super::exchanged::Exchanged;
use super::growth::Growths;
use super::memory::Memory;
use super::rich::closure::Searched;
use super::stop::{CutId, CutSite, FaultKind, Site, SiteId, Stop, Within};
use crate::clock;
use crate::machine::{LocalId, Notation, Type};
use crate::source::Span;
use crate::state::Interner;
use crate::value::Value;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// `Break` ends an enumeration early.
pub type Flow = ControlFlow<()>;

/// The frame of an evaluation: the state that is read, the state that is written, and the locals.
///
/// A local whose shape is a finite universe or an integer lives in `words`, any other in `values`,
/// both by [`LocalId`]. Locals that substitutions assign (results, `VAR`) have a second slot at
/// `LocalId + locals` for what has been written but may not be read yet.
pub struct Env {
    pub state: Vec<u64>,
    pub next: Vec<u64>,
    pub words: Vec<u64>,
    pub values: Vec<Value>,
    /// Whether an assigned local has a value, both halves.
    pub defined: Vec<bool>,
    /// Number of locals, the distance to the second half.
    pub locals: usize,
    pub constants: Vec<Option<Value>>,
    pub interner: Interner,
    pub memory: Memory,
    /// What came to the sets that a loop lets grow.
    pub growths: Growths,
    /// The relations whose closures were asked for something.
    pub searched: Searched,
    pub notes: Notes,
    /// Record the values at the next fault and the witness of a failing quantifier.
    pub explain: bool,
    /// Locals may have other values than those that their plans give them: nothing is remembered.
    pub forgetful: bool,
    pub fault: Option<Box<Fault>>,
    /// The first outcome of the instance at hand that is an error: the others are outcomes all the same.
    pub failed: Option<Failed>,
    /// The first broken claim of the instance at hand after which it went on.
    pub broken: Option<(SiteId, Option<Box<Fault>>)>,
    pub witness: Vec<(LocalId, Value)>,
    /// Something that runs as a total function has come to where it is none ([`lower::total`](super::total)).
    pub doubt: bool,
    /// What left a doubt is run once more: the total forms of what is in it left it, too.
    pub careful: bool,
    /// The last fault was an undefined guard.
    pub in_guard: bool,
    /// First conjunct of the candidate at hand that is undefined or unknown; see `solve`.
    pub pending: Option<Pending>,
    /// The next optimum is one of the candidates for which all is defined: those beside it are noted here.
    pub beside: Option<Beside>,
    /// The next enumeration of solutions is wanted whole or not at all.
    pub asks_whole: bool,
    /// The enumeration at hand is: where something would be tried within limits only, nothing is tried.
    pub whole: bool,
    /// Why the solutions that are being enumerated may not be all there are; see `solve`.
    pub left_out: Option<LeftOut>,
    /// What follows from the solutions that are being enumerated, where each matters only if that is not true.
    pub conclusion: Option<Conclusion>,
    /// None of what the last enumeration left out is a solution: something of each is undefined.
    pub hopeless: bool,
    /// The strings that the machine mentions, and some where these are too few: what an unbounded string ranges over.
    pub strings: Arc<[Arc<str>]>,
    /// The free types, compiled.
    pub freetypes: Arc<[FreeCode]>,
    /// The infinite sets that can be values, compiled.
    pub symbolic: Arc<[SymbolicCode]>,
    /// Where the solutions of guards are wanted up to exchanges: the elements that are exchanged.
    pub exchanged: Option<Arc<Exchanged>>,
    /// How deep within values of free types an enumeration is.
    pub free_depth: u32,
    /// How many descriptions of infinite sets are being evaluated within each other.
    pub recursion: u32,
    /// How often they went too deep or in a circle since the outermost of them began.
    pub dead_ends: u32,
    /// What is being asked of those that are deep within each other.
    pub asked: FxHashSet<Asking>,
    /// Undefined guards of the evaluation at hand, which may be started again.
    undefined: Vec<(Span, u64)>,
    /// What the evaluation at hand gave up, or went on without, because of enumerations cut off.
    given_up: Vec<CutId>,
    /// The places where enumerations were cut off so far, those in one list that one thing was left out for.
    cuts: IndexSet<Box<[CutSite]>, FxBuildHasher>,
    /// The sites of the faults so far.
    sites: IndexSet<Site, FxBuildHasher>,
    room: usize,
    /// Steps until the clock hears of them.
    left: u32,
    /// Steps that the clock has heard of.
    spent: u64,
}

/// Most places of enumerations that are told of together.
const MOST_TOGETHER: usize = 16;

/// A conjunct that is undefined or unknown: why, and the values there if they are wanted: boxed,
/// since every enumeration puts the one of its surroundings aside.
pub type Pending = (Stop, Option<Box<Fault>>);

/// An outcome that is an error.
#[derive(Debug)]
pub struct Failed {
    pub site: SiteId,
    pub in_guard: bool,
    pub fault: Option<Box<Fault>>,
}

/// Candidates for the best solution for which something is undefined.
#[derive(Clone, Default, Debug)]
pub struct Beside {
    /// As tuples without what is to be best, each with that; `None` where several numbers were tried for it, as it is undefined
    /// itself.
    pub candidates: BTreeMap<Value, Option<Value>>,
    /// The first one, all of it as a tuple and without what is to be best, and what is undefined.
    pub first: Option<(Value, Value, SiteId, Option<Box<Fault>>)>,
}

impl Beside {
    /// Adds a candidate, of which `own` is all but what is to be best.
    pub fn add(&mut self, own: Value, best: Value) {
        let known = self.candidates.entry(own).or_insert_with(|| Some(best.clone()));
        known.take_if(|known| *known != best);
    }
}

/// Whether a conclusion is known to be true where the other locals have values, whatever these here are.
pub type Conclusion = Arc<dyn Fn(&mut Env, &[LocalId]) -> Result<bool, Stop> + Send + Sync>;

/// Candidates that an enumeration left out.
#[derive(Clone, Debug)]
pub struct LeftOut {
    pub cut: CutId,
    /// None of them is a solution: something of each is undefined.
    pub hopeless: bool,
    /// What is undefined for each of them alike: what the candidates would have been taken from. Then it is what counts.
    pub undefined: Option<(SiteId, Option<Box<Fault>>)>,
}

/// Of two reasons why there is no truth value the one that counts: where something is unknown, it may
/// have decided, and so it is not certain either that the other is a fault.
pub fn graver(known: Option<Pending>, new: Pending) -> Pending {
    match (known, &new.0) {
        (Some(known @ (Stop::Cut(_), _)), _) | (Some(known), Stop::Fault(_)) => known,
        _ => new,
    }
}

/// What remains where nothing decided: there is no truth value if some part has none.
///
/// # Errors
/// Some part has none.
pub fn undecided(env: &mut Env, open: Option<Pending>, rest: bool) -> Result<bool, Stop> {
    match open {
        Some((stop, fault)) => {
            env.fault = fault;
            Err(stop)
        }
        None => Ok(rest),
    }
}

/// The values at a fault.
#[derive(Clone, Debug)]
pub struct Fault {
    pub site: Site,
    pub operands: Vec<(Operand, Value)>,
}

/// A sub-expression whose value belongs into a message.
#[derive(Clone, Debug)]
pub struct Operand {
    pub span: Span,
    pub ty: Type,
    pub notation: Notation,
    /// Of a variable or a parameter whose value explains what is wrong.
    pub name: Option<Arc<str>>,
}

/// What an evaluation wants remembered.
#[derive(Clone, Default, Debug)]
pub struct Notes {
    /// Undefined conjuncts in guards that counted as false, by place.
    pub undefined_guards: BTreeMap<Span, u64>,
    /// Where enumerations were cut off without which something stayed unknown.
    pub cut: BTreeSet<CutSite>,
    /// Where a value would have become too large to be held.
    pub too_large: BTreeMap<Span, TooLarge>,
}

impl Notes {
    pub fn is_empty(&self) -> bool {
        self.undefined_guards.is_empty() && self.cut.is_empty() && self.too_large.is_empty()
    }

    /// How many undefined conjuncts in guards counted as false.
    pub fn undefined(&self) -> u64 {
        self.undefined_guards.values().sum()
    }

    pub fn add(&mut self, other: Notes) {
        for (span, times) in other.undefined_guards {
            *self.undefined_guards.entry(span).or_default() += times;
        }
        self.cut.extend(other.cut);
        self.too_large.extend(other.too_large);
    }
}

/// What a value would have had more of than is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooLarge {
    /// Members of a set.
    Members(usize),
    /// Bits of an integer.
    Bits(u64),
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TooLarge::Members(n) => write!(f, "a value with more than {n} members"),
            TooLarge::Bits(n) => write!(f, "a number with more than {n} bits"),
        }
    }
}

/// Steps that are counted here before the clock of the thread hears of them.
const STEPS: u32 = 64;

/// Members of packed sets that count as one tick.
const MEMBERS_PER_TICK: usize = 16;

/// Most members of one set where nobody says how much memory there is.
const ROOM: usize = 1 << 22;

/// Bytes that a member of a set may take while the set is made: the member itself, a pair on the
/// heap, and the room that growing lists leave unused.
const MEMBER_BYTES: u64 = 256;

/// So many numbers are as good as infinitely many to what is wanted whole or not at all.
pub const MANY: u64 = 1 << 20;

impl Env {
    pub fn new(words: usize, locals: usize, constants: usize, interner: Interner) -> Env {
        Env {
            state: vec![0; words],
            next: vec![0; words],
            words: vec![0; 2 * locals],
            values: vec![Value::FALSE; 2 * locals],
            defined: vec![false; 2 * locals],
            locals,
            constants: vec![None; constants],
            interner,
            memory: Memory::new(),
            growths: Growths::default(),
            searched: Searched::default(),
            notes: Notes::default(),
            explain: false,
            forgetful: false,
            fault: None,
            failed: None,
            broken: None,
            witness: Vec::new(),
            doubt: false,
            careful: false,
            in_guard: false,
            pending: None,
            beside: None,
            asks_whole: false,
            whole: false,
            left_out: None,
            conclusion: None,
            hopeless: false,
            strings: Arc::from([]),
            freetypes: Arc::from([]),
            symbolic: Arc::from([]),
            exchanged: None,
            free_depth: 0,
            recursion: 0,
            dead_ends: 0,
            asked: FxHashSet::default(),
            undefined: Vec::new(),
            given_up: Vec::new(),
            cuts: IndexSet::default(),
            sites: IndexSet::default(),
            room: ROOM,
            left: STEPS,
            spent: 0,
        }
    }

    /// Makes room for as much as the memory limit of this thread allows.
    pub fn measure_room(&mut self) {
        self.room = clock::memory_limit()
            .map_or(ROOM, |memory| (memory / 2 / MEMBER_BYTES).clamp(1 << 16, 1 << 26) as usize);
    }

    /// To be asked before a set of this many members is made: more than there is memory for ends the
    /// evaluation.
    #[inline]
    pub fn room_for(&mut self, members: usize, span: Span) -> Result<(), Stop> {
        if members <= self.room {
            return Ok(());
        }
        Err(self.too_large(span, TooLarge::Members(self.room)))
    }

    #[cold]
    pub fn too_large(&mut self, span: Span, what: TooLarge) -> Stop {
        self.notes.too_large.insert(span, what);
        Stop::Halted
    }

    /// Leaves a doubt, and gives a word that every type has.
    #[cold]
    pub fn doubted(&mut self) -> u64 {
        self.doubt = true;
        0
    }

    /// An undefined conjunct of a guard counts as false.
    #[cold]
    pub fn note_undefined(&mut self, span: Span) {
        match self.undefined.iter_mut().find(|(known, _)| *known == span) {
            Some((_, times)) => *times += 1,
            None => self.undefined.push((span, 1)),
        }
    }

    /// What is wanted whole or not at all does not begin to try so many numbers.
    ///
    /// # Errors
    /// There are too many from one to the other.
    #[inline]
    pub fn whole_of(&mut self, low: i64, high: i64) -> Result<(), Stop> {
        if self.whole && high.saturating_sub(low) >= MANY as i64 {
            let site = CutSite { span: Span::default(), name: "".into(), within: Within::Limits };
            return Err(self.cut(&site));
        }
        Ok(())
    }

    /// An enumeration ends here without having come to its end.
    #[cold]
    pub fn cut(&mut self, site: &CutSite) -> Stop {
        Stop::Cut(CutId(self.cuts.insert_full([site.clone()].into()).0 as u32))
    }

    /// An enumeration ends here without having come to its end, for all of these, if there are any.
    pub fn cut_at_all(&mut self, sites: &[CutSite]) -> Option<Stop> {
        if sites.is_empty() {
            return None;
        }
        let mut all = sites.to_vec();
        all.sort();
        all.dedup();
        all.truncate(MOST_TOGETHER);
        Some(Stop::Cut(CutId(self.cuts.insert_full(all.into()).0 as u32)))
    }

    /// What is left out for both reasons.
    #[cold]
    pub fn cut_at_both(&mut self, one: CutId, other: CutId) -> CutId {
        let (known, more) = (&self.cuts[one.0 as usize], &self.cuts[other.0 as usize]);
        if one == other || more.iter().all(|site| known.contains(site)) {
            return one;
        }
        let mut all: Vec<CutSite> = known.iter().chain(more).cloned().collect();
        all.sort();
        all.dedup();
        if all.len() > MOST_TOGETHER {
            return one;
        }
        CutId(self.cuts.insert_full(all.into()).0 as u32)
    }

    /// Where an enumeration was cut off in this frame: the first place, where there are several.
    pub fn cut_at(&self, id: CutId) -> &CutSite {
        &self.cuts[id.0 as usize][0]
    }

    /// Other outcomes go on where this one is an error.
    #[cold]
    pub fn fail(&mut self, site: SiteId) {
        let in_guard = std::mem::take(&mut self.in_guard);
        let fault = self.fault.take();
        self.failed.get_or_insert(Failed { site, in_guard, fault });
    }

    /// The evaluation goes on without what an enumeration that was cut off would have told.
    #[cold]
    pub fn give_up(&mut self, cut: CutId) {
        if !self.given_up.contains(&cut) {
            self.given_up.push(cut);
        }
    }

    /// An evaluation is through: what it noted is counted, or dropped when it starts once more.
    /// Where an enumeration was cut off without which it had to go on, if there was one.
    #[inline]
    pub fn settle(&mut self, counts: bool) -> Option<CutId> {
        if self.given_up.is_empty() && self.undefined.is_empty() {
            return None;
        }
        self.settle_notes(counts)
    }

    /// Whether a part of a guard was undefined that counts as false.
    pub fn has_undefined(&self) -> bool {
        !self.undefined.is_empty()
    }

    fn settle_notes(&mut self, counts: bool) -> Option<CutId> {
        let cut = self.given_up.first().copied();
        for id in self.given_up.drain(..).filter(|_| counts) {
            self.notes.cut.extend(self.cuts[id.0 as usize].iter().cloned());
        }
        if self.undefined.is_empty() {
            return cut;
        }
        for (span, times) in self.undefined.drain(..).filter(|_| counts) {
            *self.notes.undefined_guards.entry(span).or_default() += times;
        }
        cut
    }

    /// The site of a fault that happened in this frame.
    pub fn site(&self, id: SiteId) -> Site {
        self.sites[id.0 as usize]
    }

    /// To be called in every loop whose length depends on the machine.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.tick_by(1)
    }

    /// The same after `work` steps.
    #[inline]
    pub fn tick_by(&mut self, work: usize) -> Result<(), Stop> {
        if work < self.left as usize {
            self.left -= work as u32;
            return Ok(());
        }
        self.spend(work)
    }

    /// Hands the steps that were counted here on to the clock.
    #[cold]
    fn spend(&mut self, work: usize) -> Result<(), Stop> {
        let units = work + (STEPS - std::mem::take(&mut self.left)) as usize;
        self.spent += units as u64;
        clock::spend(units)?;
        self.left = STEPS;
        Ok(())
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.spent + u64::from(STEPS - self.left)
    }

    /// Lets the large values that were packed since the last call count like as many short loops, so
    /// that the clock is asked in time and the memory looked at before it is full.
    #[inline]
    pub fn tick_for_packed(&mut self) -> Result<(), Stop> {
        match self.interner.take_work() / MEMBERS_PER_TICK {
            0 => Ok(()),
            loops => self.tick_by(loops),
        }
    }

    /// Makes room for more locals (those of a formula that was typed later).
    pub fn ensure_locals(&mut self, locals: usize) {
        if locals > self.locals {
            self.words = vec![0; 2 * locals];
            self.values = vec![Value::FALSE; 2 * locals];
            self.defined = vec![false; 2 * locals];
            self.locals = locals;
        }
    }

    /// A fault at a place, with the operands kept when somebody wants to know.
    #[cold]
    pub fn fault<'o>(
        &mut self,
        kind: FaultKind,
        span: Span,
        operands: impl IntoIterator<Item = (&'o Operand, Value)>,
    ) -> Stop {
        let site = Site { kind, span };
        if self.explain {
            let operands = operands.into_iter().map(|(o, v)| (o.clone(), v)).collect();
            self.fault = Some(Box::new(Fault { site, operands }));
        }
        Stop::Fault(SiteId(self.sites.insert_full(site).0 as u32))
    }
}

/// Copies a packed state; one word without a call.
#[inline]
pub fn copy_state(to: &mut [u64], from: &[u64]) {
    if let ([to], [from]) = (&mut *to, from) {
        *to = *from;
    } else {
        to.copy_from_slice(from);
    }
}
