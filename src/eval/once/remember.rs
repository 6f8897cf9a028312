//! Which formulas are computed once: those that cost more than to look their result up.
//!
//! What depends on the constants alone, or on them and on locals that range over small universes, has a
//! [`Table`](crate::lower::memory): it is computed once for each set-up and each choice of these locals. That
//! is `r~` of a constant relation, `f(x)` of a constant function to sets, a comprehension in an
//! invariant. What reads the state has a [`Cache`](crate::lower::memory) by what it reads:
//! conjuncts of invariants and guards, the inverse or the range of a variable within a quantifier.
//! Of a function that is asked only for a local, and held point by point, that is what it gives for the local.
//! Each is the largest formula of its kind; smaller ones inside are remembered, too, where they depend
//! on less.
//!
//! What reads locals that are no words, too, is no key of a cache. Where it stands in a loop that gives it nothing new, its last
//! result is [held](crate::lower::held): `r~` within `{x | x : s & r~[{x}] <: t}`, `r` being given outside.
//!
//! A local that a quantifier gives the value of an expression (`a = nxt(r)`) depends on what the expression
//! depends on: so `a[b] <: b` may be remembered by `r` and `b`, although `a` is no word.
//!
//! The cost is a guess at instructions, by the form (`look`). Formulas with external functions are left alone:
//! these may do something.

mod hold;
pub(in crate::eval) mod key;
pub(in crate::eval) mod look;

use super::data::is_data;
use crate::clock;
use crate::eval::compile::Compiler;
use crate::eval::plans::plan::{Pattern, Solve, Step};
use crate::lower::code::{Code, WordFn};
use crate::lower::env::Env;
use crate::lower::memory::{Kept, Key, PARTS};
use crate::lower::recorded::Read;
use crate::lower::stop::Stop;
use crate::lower::{Points, Rich, Test, TotalWord, Word};
use crate::machine::footprint::Footprint;
use crate::machine::parts::Part;
use crate::machine::{Expr, ExprKind, LocalId, Pred, PredKind, VarId};
use crate::state::layout::{Position, get};
use hold::Hold;
use key::{KeyPart, packed};
use look::{Look, Reads};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Most entries of one table, and of the tables that a compiler makes.
const TABLE: u128 = 1 << 10;
const TABLES: usize = 1 << 16;

/// Nodes of formulas that are looked at to find out what they depend on: in total, as formulas within
/// each other are looked at again and again.
const LOOKS: u32 = 1 << 18;

/// Guessed instructions from which on a result is remembered.
const WORTH_A_TABLE: u32 = 12;
const WORTH_A_CACHE: u32 = 80;

/// From which on what depends on nothing that a loop around it gives is remembered, although a formula around is by the same:
/// all that makes a set or a relation that is no word, which may be a large one.
const WORTH_IN_A_LOOP: u32 = 40;

/// From which on it is remembered although a formula around is by some of the same: another may ask for it, too.
const WORTH_ANOTHER_CACHE: u32 = 1000;

/// What the compiler knows of what is remembered while it compiles.
pub(in crate::eval) struct Remembering {
    /// The formula that is compiled to be remembered: the next one asked for.
    own: Cell<*const ()>,
    /// What is around, from the outermost to the innermost.
    around: RefCell<Vec<Around>>,
    looks: Cell<u32>,
    entries: Cell<usize>,
    /// Formulas whose results are in caches, with the number of the cache, by what they cost and read: the same formula
    /// elsewhere has the same results.
    caches: RefCell<FxHashMap<Alike, Vec<Cached>>>,
    /// Locals that are no words, with the expressions that the plans around give them the values of.
    given: RefCell<Vec<Binding>>,
}

/// What a formula costs, and the variables and locals that it reads.
type Alike = (u32, BTreeSet<VarId>, BTreeSet<LocalId>);

/// A local with the expression that it has the value of.
#[derive(Clone)]
struct Binding {
    id: LocalId,
    e: Rc<Expr>,
    /// What the expression reads, once that was asked for; `None`: nothing is remembered by it.
    reads: Rc<OnceCell<Option<Reads>>>,
}

enum Around {
    /// A formula that is remembered, by what it depends on.
    Formula(Reads),
    /// Something that is evaluated for each solution of something, which gives these locals their values.
    Loop(Rc<[LocalId]>),
}

/// A formula whose results are in the cache with this number.
struct Cached {
    formula: Formula,
    reads: Reads,
    number: u32,
}

enum Formula {
    Expr(Expr),
    Pred(Pred),
}

impl Default for Remembering {
    fn default() -> Remembering {
        Remembering {
            own: Cell::new(std::ptr::null()),
            around: RefCell::default(),
            looks: Cell::new(LOOKS),
            entries: Cell::new(TABLES),
            caches: RefCell::default(),
            given: RefCell::default(),
        }
    }
}

/// How a result is found again.
enum Plan {
    Table { number: usize, size: usize, locals: Vec<(usize, usize)> },
    Cache { number: usize, parts: Vec<KeyPart>, outside: Option<Position> },
    Hold(Hold),
}

impl Compiler<'_> {
    /// The code of an expression whose results are remembered, if they are.
    pub(in crate::eval) fn remembered(&self, e: &Expr) -> Option<Code> {
        if is_simple(e) {
            return None;
        }
        let (plan, reads) = self.plan_of(Part::Expr(e), std::ptr::from_ref(e).cast())?;
        let code = self.within(reads, || self.expr(e));
        Some(match code {
            Code::Word(word) => Code::Word(Word::Remembered(remembering(plan, word))),
            Code::Value(rich) => Code::Value(Rich::Remembered(remember(plan, rich.into_fn()))),
        })
    }

    /// The number of an interned value that is remembered, where it is.
    pub(in crate::eval) fn remembered_number(&self, e: &Expr) -> Option<Word> {
        self.remembered_word(e, &|| {
            let value = self.kept(e);
            Word::run(move |env| {
                let value = value(env)?;
                Ok(u64::from(env.interner.number(&value)))
            })
        })
    }

    /// A word that is made of an expression, and remembered as that is, where it is.
    pub(in crate::eval) fn remembered_word(
        &self,
        e: &Expr,
        make: &dyn Fn() -> Word,
    ) -> Option<Word> {
        if is_simple(e) {
            return None;
        }
        let (plan, reads) = self.plan_of(Part::Expr(e), std::ptr::from_ref(e).cast())?;
        let word = self.within(reads, make);
        Some(Word::Remembered(remembering(plan, word)))
    }

    /// The same of an expression that reads no variable and no local but words, whatever it costs.
    pub(in crate::eval) fn tabled_word(&self, e: &Expr, make: &dyn Fn() -> Word) -> Option<Word> {
        let mut reads = self.look(Part::Expr(e))?;
        reads.cost = reads.cost.max(WORTH_A_CACHE);
        if reads.is_of_state() || !reads.rich.is_empty() || self.is_remembered_around(&reads) {
            return None;
        }
        let plan = self.table(&reads)?;
        let word = self.within(reads, make);
        Some(Word::Remembered(remembering(plan, word)))
    }

    /// The same of a predicate.
    pub(in crate::eval) fn remembered_truth(&self, p: &Pred) -> Option<Test> {
        if let PredKind::True | PredKind::False = p.kind {
            return None;
        }
        let (plan, reads) = self.plan_of(Part::Pred(p), std::ptr::from_ref(p).cast())?;
        let truth = self.within(reads, || self.test(p));
        Some(Test::Remembered(remembering(plan, Word::Truth(Box::new(truth)))))
    }

    /// From here on a local has the value that this step of a plan gives it, if it gives one
    /// ([`Compiler::giving`]).
    pub(in crate::eval) fn give(&self, step: &Step) {
        if let Step::Bind(Pattern::Local(id), e) = step
            && !self.slot(*id).word
        {
            let given = Binding { id: *id, e: Rc::new(e.clone()), reads: Rc::default() };
            self.remembering.given.borrow_mut().push(given);
        }
    }

    /// Compiles something where locals are given; afterwards they are not.
    pub(in crate::eval) fn giving<T>(&self, compile: impl FnOnce() -> T) -> T {
        let outer = self.remembering.given.borrow().len();
        let code = compile();
        self.remembering.given.borrow_mut().truncate(outer);
        code
    }

    /// Whether what is compiled is evaluated for each solution of something.
    pub(in crate::eval) fn is_repeated(&self) -> bool {
        matches!(self.remembering.around.borrow().last(), Some(Around::Loop(_)))
    }

    /// The same, where a formula in between may be remembered.
    pub(in crate::eval) fn is_within_a_loop(&self) -> bool {
        self.remembering.around.borrow().iter().any(|around| matches!(around, Around::Loop(_)))
    }

    fn within<T>(&self, reads: Reads, compile: impl FnOnce() -> T) -> T {
        self.remembering.around.borrow_mut().push(Around::Formula(reads));
        let code = compile();
        self.remembering.around.borrow_mut().pop();
        code
    }

    fn plan_of(&self, part: Part<'_>, address: *const ()) -> Option<(Plan, Reads)> {
        let here = &self.remembering;
        if here.own.replace(std::ptr::null()) == address {
            return None;
        }
        let reads = self.look(part)?;
        if self.is_remembered_around(&reads) {
            return None;
        }
        let plan = match reads.rich.is_empty() {
            false => Plan::Hold(self.hold(&reads)?),
            true => {
                let table = (!reads.is_of_state()).then(|| self.table(&reads)).flatten();
                let by_values = || self.cache_by_values(part, &reads);
                let cache = || by_values().or_else(|| self.cache(part, &reads));
                table.or_else(cache)?
            }
        };
        here.own.set(address);
        Some((plan, reads))
    }

    /// Whether a predicate depends on the state, and on no local; not what is to be asked again each time.
    pub(super) fn is_of_state_alone(&self, p: &Pred) -> bool {
        self.look(Part::Pred(p)).is_some_and(|reads| {
            reads.is_of_state() && reads.locals.is_empty() && reads.rich.is_empty()
        })
    }

    /// What a formula depends on, and what it costs; `None` where its result must not be remembered.
    fn look(&self, part: Part<'_>) -> Option<Reads> {
        let mut look = Look::new(self);
        look.part(part)?;
        Some(look.reads)
    }

    /// Whether a formula around is remembered by the same. That does not help where this one costs much and is
    /// evaluated for each solution of something.
    fn is_remembered_around(&self, reads: &Reads) -> bool {
        let around = self.remembering.around.borrow();
        let repeats = !reads.is_of_state() && reads.cost >= WORTH_IN_A_LOOP;
        let outer = around.iter().rev();
        let mut outer = outer.take_while(|a| matches!(a, Around::Formula(_)) || !repeats);
        outer.any(|around| matches!(around, Around::Formula(of) if of.same(reads)))
    }

    /// Whether a formula around is remembered by some of the same, and this one is evaluated but once for all it reads
    /// while that is computed: then what it comes to was asked before only where it was asked of the formula around, too.
    fn is_new_whenever_asked(&self, reads: &Reads) -> bool {
        let around = self.remembering.around.borrow();
        for around in around.iter().rev() {
            match around {
                Around::Loop(locals) if locals.iter().all(|id| reads.locals.contains(id)) => {}
                Around::Loop(_) => return false,
                Around::Formula(of) if of.is_of_state() => return of.is_part_of(reads),
                Around::Formula(_) => {}
            }
        }
        false
    }

    /// Compiles what is evaluated for each solution of something, with these locals.
    pub(in crate::eval) fn repeated<T>(
        &self,
        locals: impl Into<Rc<[LocalId]>>,
        compile: impl FnOnce() -> T,
    ) -> T {
        self.remembering.around.borrow_mut().push(Around::Loop(locals.into()));
        let code = compile();
        self.remembering.around.borrow_mut().pop();
        code
    }

    fn table(&self, reads: &Reads) -> Option<Plan> {
        if reads.cost < WORTH_A_TABLE + 4 * reads.locals.len() as u32 {
            return None;
        }
        let mut size: u128 = 1;
        let mut locals = Vec::new();
        for id in &reads.locals {
            let slot = self.slot(*id);
            locals.push((slot.index, size as usize));
            size = size.checked_mul(slot.shape.index()?.size).filter(|size| *size <= TABLE)?;
        }
        let left = self.remembering.entries.get().checked_sub(size as usize)?;
        self.remembering.entries.set(left);
        let number = self.layout.remembered.next();
        Some(Plan::Table { number, size: size as usize, locals })
    }

    fn cache(&self, part: Part<'_>, reads: &Reads) -> Option<Plan> {
        let is_in_vain = || reads.cost < WORTH_ANOTHER_CACHE && self.is_new_whenever_asked(reads);
        if self.initial || reads.cost < WORTH_A_CACHE || is_in_vain() {
            return None;
        }
        let (parts, outside) = self.key_parts(reads);
        let parts = if parts.len() > PARTS { packed(parts) } else { parts };
        (parts.len() <= PARTS).then(|| Plan::Cache {
            number: self.cache_number(part, reads),
            parts,
            outside,
        })
    }

    /// What stands in a loop, and reads relations by narrower words alone, is remembered by these: the relation changes
    /// more often than what it gives for each. `reads`: all that it reads.
    fn cache_by_values(&self, part: Part<'_>, reads: &Reads) -> Option<Plan> {
        let is_relation = |id: &VarId| !self.is_word(&self.layout.field(*id).shape);
        if !self.is_repeated() || !reads.variables.iter().any(is_relation) {
            return None;
        }
        let mut look = Look { by_values: true, ..Look::new(self) };
        look.part(part)?;
        match look.reads.values.is_empty() {
            true => None,
            false => self.cache(part, &look.reads),
        }
    }

    /// What is looked up of what these read, and where the state says that a value is outside of its field: that is
    /// not in the key.
    pub(in crate::eval) fn key_parts(&self, reads: &Reads) -> (Vec<KeyPart>, Option<Position>) {
        let mut masks: Vec<(usize, u64)> = Vec::new();
        let mut read = |at: usize, mask: u64| match masks.iter_mut().find(|(w, _)| *w == at) {
            Some((_, known)) => *known |= mask,
            None => masks.push((at, mask)),
        };
        if let (true, Some(at)) = (reads.constants, self.layout.constants) {
            read(at.word, u64::from(u32::MAX) << at.shift);
        }
        for id in &reads.variables {
            self.layout.field(*id).bits(&mut read);
        }
        let locals = reads.locals.iter().map(|id| KeyPart::Local(self.slot(*id).index));
        let points = reads.single_points().filter_map(|(id, x)| {
            let points = Points::of(&self.layout, id)?;
            Some(KeyPart::Point(Arc::new(points), self.slot(x).index))
        });
        let parts = masks.into_iter().map(|(at, mask)| KeyPart::State(at, mask));
        let values = reads.values.iter().map(|e| {
            let word = self.within(Reads::default(), || self.word(e));
            KeyPart::Value(Arc::new(TotalWord::of(&word)))
        });
        let parts = parts.chain(points).chain(locals).chain(values).collect();
        let can_be_left = |id: VarId| self.layout.field(id).coding.can_be_left();
        let of_values = reads.values.iter().flat_map(|e| Footprint::of_expr(e).variables);
        let may_be_left = reads.all_variables().chain(of_values).any(can_be_left);
        let outside = self.layout.outside.filter(|_| may_be_left);
        (parts, outside)
    }

    /// Where the candidates of a problem for the solver are recorded, if they are.
    pub(in crate::eval) fn record(&self, solve: &Solve) -> Option<Record> {
        let mut look = Look::new(self);
        let parts: Vec<Part<'_>> = solve.conjuncts.iter().map(Part::Pred).collect();
        look.bind(&solve.locals, &parts)?;
        let reads = look.reads;
        let unwritten = self.initial && (reads.constants || reads.is_of_state());
        if unwritten || !reads.rich.is_empty() {
            return None;
        }
        let (parts, outside) = self.key_parts(&reads);
        Some(Record { number: self.layout.remembered.next(), parts, outside })
    }

    /// The number of the cache for a formula: the one of the same formula elsewhere, if there is one.
    fn cache_number(&self, part: Part<'_>, reads: &Reads) -> usize {
        let mut caches = self.remembering.caches.borrow_mut();
        let alike = (reads.cost, reads.variables.clone(), reads.locals.clone());
        let known = caches.entry(alike).or_default();
        let found = known.iter().find(|cached| {
            clock::work(1);
            cached.reads.same(reads)
                && match (&cached.formula, part) {
                    (Formula::Expr(a), Part::Expr(b)) => crate::machine::visit::same(a, b),
                    (Formula::Pred(a), Part::Pred(b)) => crate::machine::visit::same_truth(a, b),
                    _ => false,
                }
        });
        if let Some(cached) = found {
            return cached.number as usize;
        }
        let formula = match part {
            Part::Expr(e) => Formula::Expr(e.clone()),
            Part::Pred(p) => Formula::Pred(p.clone()),
        };
        let number = self.layout.remembered.next();
        known.push(Cached { formula, reads: reads.clone(), number: number as u32 });
        number
    }
}

/// Where the candidates of a problem for the solver are recorded.
pub(in crate::eval) struct Record {
    pub(in crate::eval) number: usize,
    parts: Vec<KeyPart>,
    outside: Option<Position>,
}

impl Record {
    /// What the problem reads now; `None` where it is to be solved whatever is known.
    pub(in crate::eval) fn read(&self, env: &mut Env) -> Option<Read> {
        if is_asked_anew(env, self.outside) {
            return None;
        }
        Some(self.parts.iter().map(|part| part.of(env)).collect())
    }
}

/// What is not remembered whatever it depends on.
fn is_simple(e: &Expr) -> bool {
    use ExprKind::*;
    is_data(e)
        || matches!(
            e.kind,
            Integer(_)
                | Real(_)
                | Bool(_)
                | String(_)
                | Element(..)
                | Carrier(_)
                | Basic(_)
                | MaxInt
                | MinInt
                | Constant(_)
                | Variable(_)
                | Local(_)
                | Empty
                | Freetype { .. }
                | External(..)
                | Symbolic(..)
        )
}

/// Code that looks a word up before it computes it.
fn remembering(plan: Plan, word: Word) -> WordFn {
    let f = remember(plan, totally(word));
    Arc::new(move |env| Ok(f(env)?))
}

/// Code that runs the total form of a word, and what leaves a doubt once more.
pub(super) fn totally(word: Word) -> Run<u64> {
    match TotalWord::of(&word) {
        TotalWord::Run(f) => Box::new(move |env| Ok(f(env)?)),
        total => Box::new(move |env| computed(&word, &total, env)),
    }
}

/// A word, by its total form, or else as it is.
fn computed(word: &Word, total: &TotalWord, env: &mut Env) -> Result<u64, Stop> {
    if env.explain || env.careful {
        return Ok(word.get(env)?);
    }
    let state: SmallVec<[u64; 8]> = SmallVec::from_slice(&env.state);
    let outer = std::mem::take(&mut env.doubt);
    let result = total.get(&state, env);
    match std::mem::replace(&mut env.doubt, outer) {
        true => {
            env.careful = true;
            let result = word.get(env);
            env.careful = false;
            Ok(result?)
        }
        false => Ok(result),
    }
}

pub(super) type Run<T> = Box<dyn Fn(&mut Env) -> Result<T, Stop> + Send + Sync>;

fn remember<T: Kept + 'static>(plan: Plan, f: Run<T>) -> Run<T> {
    match plan {
        Plan::Hold(hold) => hold.around(f),
        Plan::Table { number, size, locals } => match &locals[..] {
            [] => Box::new(move |env| look_up(env, number, size, 0, &f)),
            [(slot, _)] => {
                let slot = *slot;
                Box::new(move |env| {
                    let entry = env.words[slot] as usize;
                    look_up(env, number, size, entry, &f)
                })
            }
            _ => Box::new(move |env| {
                let entry = locals.iter().map(|(slot, step)| env.words[*slot] as usize * step);
                let entry = entry.sum();
                look_up(env, number, size, entry, &f)
            }),
        },
        // A formula without variables has a table, and keys are not longer.
        Plan::Cache { number, parts, outside } => match parts.len() {
            1 => cached::<_, 1>(number, parts, outside, f),
            2 => cached::<_, 2>(number, parts, outside, f),
            3 => cached::<_, 3>(number, parts, outside, f),
            _ => cached::<_, PARTS>(number, parts, outside, f),
        },
    }
}

#[inline(always)]
fn look_up<T: Kept>(
    env: &mut Env,
    number: usize,
    size: usize,
    entry: usize,
    f: &Run<T>,
) -> Result<T, Stop> {
    // Who wants an explanation wants it evaluated: witnesses and faults are found on the way.
    if env.explain || env.forgetful {
        return f(env);
    }
    if let Some(result) = env.memory.known(number, entry) {
        return Ok(result);
    }
    if let Some(cut) = env.memory.open(number, entry) {
        return Err(Stop::Cut(cut));
    }
    let result = f(env).inspect_err(|stop| {
        if let Stop::Cut(cut) = stop {
            env.memory.leave_open(number, entry, *cut);
        }
    })?;
    env.memory.learn(number, size, entry, result.clone());
    Ok(result)
}

/// Whether a result is computed whatever is known. A value outside of its field is not in a key.
#[inline(always)]
pub(super) fn is_asked_anew(env: &Env, outside: Option<Position>) -> bool {
    env.explain || env.forgetful || outside.is_some_and(|at| get(&env.state, at, 32) != 0)
}

fn cached<T: Kept + 'static, const N: usize>(
    number: usize,
    parts: Vec<KeyPart>,
    outside: Option<Position>,
    f: Run<T>,
) -> Run<T> {
    let Ok(parts) = <[KeyPart; N]>::try_from(parts) else { return f };
    Box::new(move |env| {
        if is_asked_anew(env, outside) {
            return f(env);
        }
        let mut key: Key = [0; PARTS];
        for (to, part) in key.iter_mut().zip(&parts) {
            *to = part.of(env);
        }
        match env.memory.recall(number, &key) {
            Some(Some(result)) => Ok(result),
            Some(None) => {
                let result = f(env)?;
                env.memory.remember(number, key, result.clone());
                Ok(result)
            }
            None => f(env),
        }
    })
}
