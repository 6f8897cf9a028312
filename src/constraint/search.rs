//! The search: a value for the variable with the fewest, then whatever follows from it.
//!
//! The order is fixed: the smallest domain first, of equal ones the one that was written first, its
//! values from the least. A search that is long counts which variables its conflicts are about, and takes those
//! first; as long as it has found nothing it begins anew now and then, with what it has learnt about them, and keeps what
//! was refuted; every other time it decides which part of a disjunction is true before it decides values. So candidates
//! come in the same order in every run, each once.

use super::branches::{Branches, Posted};
use super::build::{Builder, Refusal};
use super::engine::{Ended, Engine};
use super::literal::Lit;
use super::propagators::logic::Clause;
use super::propagators::matching::Matching;
use super::sketch::{Formula, Host, Problem, Term};
use super::store::{INFINITE, Store, Var};
use crate::clock::{self, Stopped};
use crate::constraint::pictures::fresh::Origin;
use crate::constraint::pictures::object::{Choice, Object};
use crate::machine::Comparison;
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::ops::ControlFlow;

/// A conjunct of which nothing is known is asked once its unknowns have values. With more of these than there
/// may be (as a power of two) a plan that takes values from it does better.
const MOST_OPEN_BITS: f64 = 20.0;

/// After so many conflicts variables are chosen by what they had to do with them, too.
const MANY_CONFLICTS: u32 = 500;

/// After so many more conflicts a search that has found nothing begins anew for the first time, and how many times as
/// many it has each time after.
const PATIENCE: u32 = 100;
const MORE_PATIENCE: f64 = 1.3;

/// Where there are at most so many candidates (as a power of two), each conflict may take as long as so many of them: then
/// a search that has found nothing is left to a plan that tries them.
const MOST_TRIED_BITS: f64 = 20.0;
const TRIED_A_CONFLICT: f64 = 50.0;

/// The longest sequences that are tried where nothing says how long one is, none has been found within the limits, and the
/// search for it takes no more decisions than this.
const LONGEST_TRIED: i64 = 24;
const MOST_DECISIONS: u64 = 10_000;

/// Longest branch of which is kept, when the search begins anew, what was refuted along it.
const LONGEST_BRANCH: usize = 40;

/// What came of a search.
pub struct Outcome {
    /// Whoever was given the candidates broke off.
    pub broken: bool,
    /// Unbounded unknowns were tried within the limits only.
    pub cut: Vec<Origin>,
    /// It is a sequence of which nothing says how long it is.
    longer: bool,
}

/// What is called for each candidate; a break ends the search.
pub type Found<'f, H> =
    &'f mut dyn FnMut(&mut H, Candidate<'_>) -> Result<ControlFlow<()>, <H as Host>::Stop>;

/// Values of the unknowns, in their order.
pub struct Candidate<'c> {
    pub values: Vec<Value>,
    /// Of each conjunct, whether it is known to be true of them.
    pub proved: &'c [bool],
}

/// Gives `found` the candidates of a problem, the values of the unknowns in their order: all of which
/// no conjunct is known to be false. `None` where the problem cannot be taken apart.
///
/// # Errors
/// What the host or `found` say.
pub fn solve<H: Host>(
    problem: &Problem,
    host: &mut H,
    found: Found<'_, H>,
) -> Result<Option<Outcome>, H::Stop> {
    let any = Cell::new(false);
    let mut found = |host: &mut H, candidate: Candidate<'_>| {
        any.set(true);
        found(host, candidate)
    };
    let mut longest = problem.limits.1.max(0);
    let mut within = solve_within(problem, host, (longest, u64::MAX), &mut found)?;
    // As long as there is nothing, longer sequences are tried, and not for long.
    while let Some(Outcome { broken: false, longer: true, .. }) = within
        && longest < LONGEST_TRIED
        && !any.get()
    {
        longest = (2 * longest + 4).min(LONGEST_TRIED);
        match solve_within(problem, host, (longest, MOST_DECISIONS), &mut found)? {
            None => break,
            longer => within = longer,
        }
    }
    Ok(within)
}

/// The same with sequences of which nothing says how long they are that are no longer than this, and with so many decisions.
fn solve_within<H: Host>(
    problem: &Problem,
    host: &mut H,
    (longest, most_decisions): (i64, u64),
    found: Found<'_, H>,
) -> Result<Option<Outcome>, H::Stop> {
    let mut builder = Builder::new(problem, host);
    builder.longest = Some(longest);
    let objects = match builder.build() {
        Ok(objects) => objects,
        Err(Refusal::Opaque) => return Ok(None),
        Err(Refusal::Stop(stop)) => return Err(stop),
    };
    // What is impossible may be possible of longer ones.
    let longer = builder.longer.is_some();
    let cut = builder.longer.take().into_iter().collect();
    let mut outcome = Outcome { broken: false, cut, longer };
    if builder.poster.failed {
        return Ok(Some(outcome));
    }
    let store = &builder.poster.engine.store;
    let mut questions = Vec::new();
    for ask in &builder.asks {
        let unknowns = problem.mentions[ask.conjunct].clone();
        let choices = choices(unknowns.iter().map(|i| &objects[*i]));
        let lost = !(problem.tested[ask.conjunct] && related(problem, &builder, &unknowns));
        if ask.wholly && lost && open_bits(&choices, store) > MOST_OPEN_BITS {
            return Ok(None);
        }
        questions.push(Question { conjunct: ask.conjunct, unknowns, choices, open: Cell::new(0) });
    }
    let choices = choices(&objects);
    let posted = Some(Posted::of(&mut builder.poster));
    let most_conflicts = most_conflicts(problem, &choices, &builder.poster.engine.store);
    let (engine, origins, exact) = (builder.poster.engine, builder.origins, builder.exact);
    let windows = windows(&choices, problem, &engine.store);
    let by_var: FxHashMap<Var, Choice> = choices.iter().map(|c| (c.var, *c)).collect();
    let decides = |var: &Var| by_var.get(var).copied();
    let equation = |(truth, vars): &(Var, Box<[Var]>)| {
        Some((*truth, vars.iter().map(decides).collect::<Option<Box<[Choice]>>>()?))
    };
    let equations = builder.poster.equations.iter().filter_map(equation).collect();
    let nothing = vec![false; exact.len()];
    let mut search = Search {
        engine,
        choices,
        problem,
        objects: &objects,
        questions,
        answered: Vec::new(),
        origins,
        equations,
        posted,
        matchings: builder.poster.matchings,
        branches: None,
        by_parts: false,
        windows,
        decisions: Vec::new(),
        refuted: Vec::new(),
        most_decisions,
        restarts: Some(Restarts { at: MANY_CONFLICTS, patience: PATIENCE, most_conflicts }),
        given_up: false,
        cut: Vec::new(),
    };
    let mut next = search.descend(host)?;
    if search.given_up {
        return Ok(None);
    }
    // From the first candidate on the order is that of one search: each comes once.
    search.restarts = None;
    while next {
        let values: Option<Vec<Value>> = problem
            .unknowns
            .iter()
            .zip(&objects)
            .map(|(unknown, object)| object.value(&unknown.shape, &search.engine.store))
            .collect();
        let proved: &[bool] = if search.engine.is_solved() { &exact } else { &nothing };
        if let Some(values) = values
            && found(host, Candidate { values, proved })?.is_break()
        {
            outcome.broken = true;
            break;
        }
        next = search.retreat()? && search.descend(host)?;
    }
    if !search.cut.is_empty() {
        outcome.cut = search.cut;
    }
    Ok(Some(outcome))
}

/// Whether a conjunct that is understood relates some of these unknowns with each other or with another one.
fn related<H: Host>(problem: &Problem, builder: &Builder<'_, H>, unknowns: &[usize]) -> bool {
    let opaque = |i: usize| builder.asks.iter().any(|ask| ask.wholly && ask.conjunct == i);
    let relates = |i: usize| match &problem.conjuncts[i] {
        // Typing does not.
        Formula::Compare(Comparison::Member | Comparison::Subset, x, _) => {
            !matches!(x.term, Term::Unknown(_))
        }
        _ => true,
    };
    (0..problem.conjuncts.len()).any(|i| {
        relates(i) && !opaque(i) && problem.mentions[i].iter().any(|u| unknowns.contains(u))
    })
}

/// After how many conflicts without a candidate a plan does better that tries all there are.
fn most_conflicts(problem: &Problem, choices: &[Choice], store: &Store) -> u32 {
    let bits = open_bits(choices, store);
    match bits <= MOST_TRIED_BITS && problem.candidates.log2() <= MOST_TRIED_BITS {
        true => (bits.exp2().max(problem.candidates) / TRIED_A_CONFLICT) as u32,
        false => u32::MAX,
    }
}

/// The logarithm to the base of 2 of the number of candidates that nothing leaves out so far.
fn open_bits(choices: &[Choice], store: &Store) -> f64 {
    let open = choices.iter().filter(|choice| store.truth(choice.matters) != Some(false));
    open.map(|choice| (store.size(choice.var).max(1) as f64).log2()).sum()
}

/// The variables that decide, in the order in which they were written.
fn choices<'o>(objects: impl IntoIterator<Item = &'o Object>) -> Vec<Choice> {
    let mut all = Vec::new();
    objects.into_iter().for_each(|object| object.choices(Lit::Always, &mut all));
    let mut seen: FxHashSet<(Var, Lit)> = FxHashSet::default();
    all.retain(|choice| seen.insert((choice.var, choice.matters)));
    all
}

/// A conjunct that is asked as soon as its unknowns have values.
struct Question {
    conjunct: usize,
    unknowns: Vec<usize>,
    choices: Vec<Choice>,
    /// A choice that was open when it was looked at last.
    open: Cell<usize>,
}

impl Question {
    fn is_ready(&self, store: &Store) -> bool {
        let is_open = |choice: &Choice| {
            !store.is_fixed(choice.var) && store.truth(choice.matters) != Some(false)
        };
        let from = self.open.get();
        if self.choices.get(from).is_some_and(is_open) {
            return false;
        }
        match self.choices.iter().position(is_open) {
            Some(open) => self.open.set(open),
            None => return true,
        }
        false
    }
}

/// When a search begins anew.
struct Restarts {
    /// At so many conflicts.
    at: u32,
    /// How many more there may be then.
    patience: u32,
    /// After so many it is left to a plan.
    most_conflicts: u32,
}

struct Search<'s> {
    engine: Engine,
    choices: Vec<Choice>,
    problem: &'s Problem,
    objects: &'s [Object],
    questions: Vec<Question>,
    /// What was answered, and how many decisions there were then.
    answered: Vec<(usize, usize)>,
    origins: FxHashMap<Var, Origin>,
    /// The truths of equations between choices.
    equations: Vec<(Var, Box<[Choice]>)>,
    /// What disjunctions there are, until they are wanted.
    posted: Option<Posted>,
    branches: Option<Branches>,
    /// What a search that is long looks at, too.
    matchings: Vec<Matching>,
    /// Whether truths of disjunctions are decided before values.
    by_parts: bool,
    /// What is tried of variables with a bound beyond the limits.
    windows: FxHashMap<Var, (i64, i64)>,
    /// What was decided, one level each.
    decisions: Vec<(Var, i64)>,
    /// Values that were refuted, with the number of decisions under which they were.
    refuted: Vec<(usize, Var, i64)>,
    /// After so many more the search ends.
    most_decisions: u64,
    /// When to begin anew; from the first candidate on never.
    restarts: Option<Restarts>,
    /// A plan does better.
    given_up: bool,
    cut: Vec<Origin>,
}

impl Search<'_> {
    /// Decides until nothing is open; whether that is a candidate, and not the end.
    fn descend<H: Host>(&mut self, host: &mut H) -> Result<bool, H::Stop> {
        loop {
            clock::tick()?;
            let Some(left) = self.most_decisions.checked_sub(1) else { return Ok(false) };
            self.most_decisions = left;
            if !self.begin_anew()? {
                return Ok(false);
            }
            if let Some((truth, value)) = self.part() {
                if !self.decide(truth, value)? && !self.retreat()? {
                    return Ok(false);
                }
                continue;
            }
            let Some(mut var) = self.choose() else { return Ok(true) };
            let truth = if self.engine.store.is_bounded(var) { None } else { self.equation() };
            var = truth.unwrap_or(var);
            if truth.is_none() && self.engine.store.size(var) > host.most_tried() {
                self.leave_out(var);
                return Ok(false);
            }
            if !self.bound(var)? || self.is_refuted(host)? {
                if !self.retreat()? {
                    return Ok(false);
                }
                continue;
            }
            // Bounding may have decided it.
            let store = &mut self.engine.store;
            let value = if truth.is_some() { store.high(var) } else { store.low(var) };
            if !self.decide(var, value)? && !self.retreat()? {
                return Ok(false);
            }
        }
    }

    /// Tries a value; whether nothing is against it.
    fn decide(&mut self, var: Var, value: i64) -> Result<bool, Stopped> {
        let store = &mut self.engine.store;
        store.push();
        self.decisions.push((var, value));
        Ok(store.fix(var, value).is_ok() && self.holds()?)
    }

    /// The part of a disjunction that is tried next, where values have been tried in vain for long.
    fn part(&mut self) -> Option<(Var, i64)> {
        let branches = self.branches.as_mut().filter(|_| self.by_parts)?;
        branches.next(&self.engine.store, self.decisions.len())
    }

    /// Whether a conjunct that can be asked by now is false. Those of whole candidates are asked by
    /// whoever is given them.
    fn is_refuted<H: Host>(&mut self, host: &mut H) -> Result<bool, H::Stop> {
        while self.answered.last().is_some_and(|(_, depth)| *depth > self.decisions.len()) {
            self.answered.pop();
        }
        for (i, question) in self.questions.iter().enumerate() {
            clock::tick()?;
            let store = &self.engine.store;
            if self.answered.iter().any(|(known, _)| *known == i) || !question.is_ready(store) {
                continue;
            }
            self.answered.push((i, self.decisions.len()));
            let mut values = Vec::new();
            for i in &question.unknowns {
                match self.objects[*i].value(&self.problem.unknowns[*i].shape, store) {
                    Some(value) => values.push((*i, value)),
                    None => return Ok(false),
                }
            }
            if host.refutes(question.conjunct, values)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the last decisions back, up to one that has another value; whether there is one.
    fn retreat(&mut self) -> Result<bool, Stopped> {
        while let Some((var, value)) = self.decisions.pop() {
            clock::tick()?;
            self.engine.store.pop();
            let depth = self.decisions.len();
            if self.restarts.is_some() {
                while self.refuted.last().is_some_and(|(of, ..)| *of > depth) {
                    self.refuted.pop();
                }
                self.refuted.push((depth, var, value));
            }
            if self.engine.store.remove(var, value).is_ok() && self.holds()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes all decisions back where the search has found nothing for long, and keeps what was refuted under them as
    /// clauses ("nogoods from restarts", Lecoutre, Sais, Tabary and Vidal 2007); whether anything is left to try.
    fn begin_anew(&mut self) -> Result<bool, Stopped> {
        let conflicts = self.engine.conflicts();
        let Some(restarts) = self.restarts.as_mut().filter(|restarts| conflicts >= restarts.at)
        else {
            return Ok(true);
        };
        if conflicts >= restarts.most_conflicts {
            self.given_up = true;
            return Ok(false);
        }
        restarts.at = conflicts.saturating_add(restarts.patience);
        restarts.patience = (f64::from(restarts.patience) * MORE_PATIENCE) as u32;
        self.by_parts = !self.by_parts;
        for _ in &self.decisions {
            self.engine.store.pop();
        }
        let decisions = std::mem::take(&mut self.decisions);
        for matching in std::mem::take(&mut self.matchings) {
            self.engine.add(matching);
        }
        if let Some(posted) = self.posted.take() {
            self.branches = Some(Branches::of(posted, &self.engine, &self.choices));
        }
        for (depth, var, value) in std::mem::take(&mut self.refuted) {
            // What is refuted under no decision is out of its domain.
            if (1..=LONGEST_BRANCH).contains(&depth) {
                let branch = decisions[..depth].iter().copied().chain([(var, value)]);
                let clause = branch.map(|(var, value)| Lit::IsNot(var, value)).collect();
                self.engine.add(Clause(clause));
            }
        }
        self.holds()
    }

    fn holds(&mut self) -> Result<bool, Stopped> {
        match self.engine.propagate() {
            Ok(()) => Ok(true),
            Err(Ended::Conflict) => Ok(false),
            Err(Ended::Stopped) => Err(Stopped),
        }
    }

    /// The variable to be decided next.
    fn choose(&self) -> Option<Var> {
        if self.engine.conflicts() >= MANY_CONFLICTS {
            return self.most_blamed();
        }
        let store = &self.engine.store;
        let mut best: Option<(u64, Var)> = None;
        for choice in &self.choices {
            if store.is_fixed(choice.var) || store.truth(choice.matters) != Some(true) {
                continue;
            }
            let size = store.size(choice.var);
            if best.is_none_or(|(least, _)| size < least) {
                best = Some((size, choice.var));
                if size == 2 {
                    break;
                }
            }
        }
        best.map(|(_, var)| var)
    }

    /// The open variable with the fewest values for each conflict that it had a part in: "dom/wdeg" of Boussemart,
    /// Hemery, Lecoutre and Sais (2004).
    fn most_blamed(&self) -> Option<Var> {
        let store = &self.engine.store;
        let mut best: Option<(u128, u128, Var)> = None;
        for choice in &self.choices {
            if store.is_fixed(choice.var) || store.truth(choice.matters) != Some(true) {
                continue;
            }
            let size = u128::from(store.size(choice.var));
            let blame = 1 + u128::from(self.engine.blame_of(choice.var));
            // Sizes are below 2^62, and blame is below 2^33.
            if best.is_none_or(|(least, most, _)| size * most < least * blame) {
                best = Some((size, blame, choice.var));
            }
        }
        best.map(|(.., var)| var)
    }

    /// The truth of an equation that may bound a variable: `y = x + 1 or y = x + 2`. Where all of its variables matter
    /// it has one truth for each candidate, so that each comes once all the same.
    fn equation(&self) -> Option<Var> {
        let store = &self.engine.store;
        let matters = |choice: &Choice| store.truth(choice.matters) == Some(true);
        let open = self.equations.iter().find(|(truth, choices)| {
            !store.is_fixed(*truth)
                && choices.iter().all(matters)
                && choices.iter().any(|choice| !self.engine.store.is_bounded(choice.var))
        });
        open.map(|(truth, _)| *truth)
    }

    /// An unbounded variable is tried within the limits only; whether there is anything to try.
    fn bound(&mut self, var: Var) -> Result<bool, Stopped> {
        if self.engine.store.is_bounded(var) {
            return Ok(true);
        }
        self.leave_out(var);
        let (low, high) = self.windows.get(&var).copied().unwrap_or(self.problem.limits);
        let store = &mut self.engine.store;
        let fits = (store.low(var) > -INFINITE || store.at_least(var, low).is_ok())
            && (store.high(var) < INFINITE || store.at_most(var, high).is_ok());
        // Of numbers that are too large to be told apart nothing can be tried.
        if !fits || !self.engine.store.is_bounded(var) {
            return Ok(false);
        }
        self.holds()
    }

    /// Not all values of a variable are tried.
    fn leave_out(&mut self, var: Var) {
        match self.origins.get(&var) {
            Some(origin) if self.cut.contains(origin) => {}
            Some(origin) => self.cut.push(origin.clone()),
            // It has no name of its own: some name stands for it, unless one is told already.
            None if self.cut.is_empty() => {
                let origin = self.origins.values().next().cloned();
                self.cut.push(origin.unwrap_or_else(|| (Default::default(), "".into())));
            }
            None => {}
        }
    }
}

/// The numbers that are tried of unbounded variables with a bound beyond the limits: as many from there as there are
/// within these.
fn windows(choices: &[Choice], problem: &Problem, store: &Store) -> FxHashMap<Var, (i64, i64)> {
    let (min, max) = problem.limits;
    let width = max.saturating_sub(min);
    let window = |var: Var| {
        let (low, high) = (store.low(var), store.high(var));
        match (low > -INFINITE, high < INFINITE) {
            (true, false) if low > max => Some((low, low.saturating_add(width))),
            (false, true) if high < min => Some((high.saturating_sub(width), high)),
            _ => None,
        }
    };
    let vars = choices.iter().map(|choice| choice.var).filter(|_| problem.beyond);
    vars.filter_map(|var| Some((var, window(var)?))).collect()
}
