//! The search: a value for the variable with the fewest, then whatever follows from it.
//!
//! The order is fixed: the smallest domain first, of equal ones the one that was written first, its
//! values from the least. So candidates come in the same order in every run, each once.

use super::build::{Builder, Refusal};
use super::engine::{Ended, Engine};
use super::fresh::Origin;
use super::literal::Lit;
use super::object::{Choice, Object};
use super::sketch::{Host, Problem};
use super::store::{INFINITE, Store, Var};
use crate::clock::{self, Stopped};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;

/// Where some conjunct cannot be taken apart, it is asked of whole candidates. With more than there may be of
/// those (as a power of two) a plan that asks it earlier does better.
const MOST_OPEN_BITS: f64 = 20.0;

/// What came of a search.
pub struct Outcome {
    /// Whoever was given the candidates broke off.
    pub broken: bool,
    /// An unbounded unknown was tried within the limits only.
    pub cut: Option<Origin>,
}

/// What is called for each candidate; a break ends the search.
pub type Found<'f, H> =
    &'f mut dyn FnMut(&mut H, Vec<Value>) -> Result<ControlFlow<()>, <H as Host>::Stop>;

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
    let mut builder = Builder::new(problem, host);
    let objects = match builder.build() {
        Ok(objects) => objects,
        Err(Refusal::Opaque) => return Ok(None),
        Err(Refusal::Stop(stop)) => return Err(stop),
    };
    let mut outcome = Outcome { broken: false, cut: None };
    if builder.poster.failed {
        return Ok(Some(outcome));
    }
    let choices = choices(&objects);
    if builder.opaque && open_bits(&choices, &builder.poster.engine.store) > MOST_OPEN_BITS {
        return Ok(None);
    }
    let (engine, origins) = (builder.poster.engine, builder.origins);
    let mut search = Search {
        engine,
        choices,
        origins,
        limits: problem.limits,
        decisions: Vec::new(),
        cut: None,
    };
    let mut next = search.descend()?;
    while next {
        let values: Option<Vec<Value>> = problem
            .unknowns
            .iter()
            .zip(&objects)
            .map(|(unknown, object)| object.value(&unknown.shape, &search.engine.store))
            .collect();
        if let Some(values) = values
            && found(host, values)?.is_break()
        {
            outcome.broken = true;
            break;
        }
        next = search.retreat()? && search.descend()?;
    }
    outcome.cut = search.cut;
    Ok(Some(outcome))
}

/// The logarithm to the base of 2 of the number of candidates that nothing leaves out so far.
fn open_bits(choices: &[Choice], store: &Store) -> f64 {
    let open = choices.iter().filter(|choice| store.truth(choice.matters) != Some(false));
    open.map(|choice| (store.size(choice.var).max(1) as f64).log2()).sum()
}

/// The variables that decide, in the order in which they were written.
fn choices(objects: &[Object]) -> Vec<Choice> {
    let mut all = Vec::new();
    objects.iter().for_each(|object| object.choices(Lit::Always, &mut all));
    let mut seen: FxHashSet<(Var, Lit)> = FxHashSet::default();
    all.retain(|choice| seen.insert((choice.var, choice.matters)));
    all
}

struct Search {
    engine: Engine,
    choices: Vec<Choice>,
    origins: FxHashMap<Var, Origin>,
    limits: (i64, i64),
    /// What was decided, one level each.
    decisions: Vec<(Var, i64)>,
    cut: Option<Origin>,
}

impl Search {
    /// Decides until nothing is open; whether that is a candidate, and not the end.
    fn descend(&mut self) -> Result<bool, Stopped> {
        loop {
            clock::tick()?;
            let Some(var) = self.choose() else { return Ok(true) };
            if !self.bound(var)? {
                if !self.retreat()? {
                    return Ok(false);
                }
                continue;
            }
            // Bounding may have decided it.
            let store = &mut self.engine.store;
            let value = store.low(var);
            store.push();
            self.decisions.push((var, value));
            let holds = store.fix(var, value).is_ok() && self.holds()?;
            if !holds && !self.retreat()? {
                return Ok(false);
            }
        }
    }

    /// Takes the last decisions back, up to one that has another value; whether there is one.
    fn retreat(&mut self) -> Result<bool, Stopped> {
        while let Some((var, value)) = self.decisions.pop() {
            clock::tick()?;
            self.engine.store.pop();
            if self.engine.store.remove(var, value).is_ok() && self.holds()? {
                return Ok(true);
            }
        }
        Ok(false)
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

    /// An unbounded variable is tried within the limits only; whether there is anything to try.
    fn bound(&mut self, var: Var) -> Result<bool, Stopped> {
        let store = &mut self.engine.store;
        if store.low(var) > -INFINITE && store.high(var) < INFINITE {
            return Ok(true);
        }
        let origin = self.origins.get(&var).or_else(|| self.origins.values().next());
        if self.cut.is_none() {
            self.cut = Some(origin.cloned().unwrap_or_else(|| (Default::default(), "".into())));
        }
        let within = match (store.low(var) > -INFINITE, store.high(var) < INFINITE) {
            (true, _) => store.at_most(var, self.limits.1),
            (_, true) => store.at_least(var, self.limits.0),
            _ => store.at_least(var, self.limits.0).and(store.at_most(var, self.limits.1)),
        };
        if within.is_err() {
            return Ok(false);
        }
        self.holds()
    }
}
