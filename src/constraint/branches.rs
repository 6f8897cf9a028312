//! What a search branches on that finds nothing by values: which of its parts makes a disjunction true.
//!
//! `not(a <: c)` says that one of many elements is in `a` and not in `c`. Where `a <: b` and `b <: c` this is refuted of
//! each element alone, while values of `a`, `b` and `c` are refuted all together only: there are exponentially many.
//! (The rules for disjunctions of the analytic tableaux: Beth 1955, Smullyan 1968.)

use super::claim::Poster;
use super::engine::Engine;
use super::literal::Lit;
use super::store::{Store, Var};
use crate::constraint::pictures::object::Choice;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most disjunctions that are looked at.
const MOST: usize = 50_000;

/// Where a literal is true, one of these is.
struct Disjunction {
    on: Lit,
    parts: Box<[Lit]>,
    /// Whether a part is the truth of a claim, and not just a value of an unknown.
    is_asked: bool,
    /// Whether something follows at once from a part that is such a truth.
    is_strong: bool,
    /// Under how many decisions it was to be made true.
    since: Option<usize>,
}

/// What was posted, as far as a search may branch on it later on.
pub struct Posted {
    conjunctions: FxHashMap<Vec<Lit>, Lit>,
    disjunctions: Vec<(Lit, Box<[Lit]>)>,
}

impl Posted {
    pub fn of(poster: &mut Poster) -> Posted {
        let conjunctions = std::mem::take(&mut poster.conjunctions);
        Posted { conjunctions, disjunctions: std::mem::take(&mut poster.disjunctions) }
    }
}

/// The disjunctions of a problem, and what may be decided of their parts.
pub struct Branches {
    disjunctions: Vec<Disjunction>,
    known: Known,
}

impl Branches {
    /// Those of what was posted, where nothing is decided.
    pub fn of(posted: Posted, engine: &Engine, choices: &[Choice]) -> Branches {
        let Posted { conjunctions, disjunctions: posted } = posted;
        let matter = choices.iter().filter(|choice| choice.matters == Lit::Always);
        let mut known = Known(matter.map(|choice| (choice.var, true)).collect());
        let is_truth = |var: Var| engine.about(var).is_some();
        // From what denies a conjunction nothing follows at once.
        let follows = |part: &Lit| !matches!(part, Lit::IsNot(var, 1) if is_truth(*var));
        let strong = conjunctions.iter().filter(|(parts, _)| parts.iter().any(follows));
        let strong: FxHashSet<Lit> = strong.map(|(_, whole)| *whole).collect();
        let denied = conjunctions.iter().map(|(parts, whole)| {
            let parts = parts.iter().map(|part| part.negated());
            (whole.negated(), parts.collect::<Box<[Lit]>>())
        });
        let mut denied: Vec<_> = denied.collect();
        // The outer ones first, which were given a literal last.
        denied.sort_unstable_by(|a, b| b.cmp(a));
        let mut disjunctions = Vec::new();
        for (on, parts) in posted.into_iter().chain(denied).take(MOST) {
            let vars = parts.iter().filter_map(|part| part.var());
            let may_be_decided = vars.clone().filter(|var| known.add(*var, engine)).count() > 0;
            let is_asked = vars.clone().any(is_truth);
            let is_strong = parts.iter().any(|part| strong.contains(part));
            if may_be_decided {
                disjunctions.push(Disjunction { on, parts, is_asked, is_strong, since: None });
            }
        }
        Branches { disjunctions, known }
    }

    /// What is to be decided next, the value that is tried first: a part of the disjunction that is to be made true since
    /// the latest of these decisions, as some of those before it only say what was refuted; of equally late ones one from
    /// a part of which something follows.
    pub fn next(&mut self, store: &Store, decisions: usize) -> Option<(Var, i64)> {
        let mut best: Option<((usize, bool), (Var, i64))> = None;
        for disjunction in &mut self.disjunctions {
            if store.truth(disjunction.on) != Some(true) {
                disjunction.since = None;
                continue;
            }
            let since = disjunction.since.map_or(decisions, |since| since.min(decisions));
            disjunction.since = Some(since);
            let rank = (since, disjunction.is_strong);
            // Nothing but a decision asks for one of several values.
            let is_asked = since > 0 || disjunction.is_asked;
            if is_asked
                && best.is_none_or(|(first, _)| first < rank)
                && let Some(branch) = self.known.branch(&disjunction.parts, store)
            {
                best = Some((rank, branch));
            }
        }
        best.map(|(_, branch)| branch)
    }
}

/// Which variables have one value for each candidate, so that each comes once whatever is decided of them: unknowns, and
/// truths about these.
struct Known(FxHashMap<Var, bool>);

impl Known {
    fn add(&mut self, var: Var, engine: &Engine) -> bool {
        if let Some(known) = self.0.get(&var) {
            return *known;
        }
        // What it is about was there before it.
        let about = engine.about(var);
        let is = engine.store.is_fixed(var)
            || about.is_some_and(|about| about.iter().all(|of| self.add(*of, engine)));
        self.0.insert(var, is);
        is
    }

    /// What makes the first part true that is open, where none is true yet.
    fn branch(&self, parts: &[Lit], store: &Store) -> Option<(Var, i64)> {
        let mut first = None;
        for part in parts {
            match store.truth(*part) {
                Some(true) => return None,
                None => first = first.or_else(|| self.decision(*part, store)),
                Some(false) => {}
            }
        }
        first
    }

    /// The value of a variable with which a literal is true that is open.
    fn decision(&self, lit: Lit, store: &Store) -> Option<(Var, i64)> {
        let (var, value) = match lit {
            Lit::Is(var, value) => (var, value),
            Lit::IsNot(var, value) if store.size(var) == 2 => {
                (var, store.low(var) + store.high(var) - value)
            }
            _ => return None,
        };
        (self.0.get(&var) == Some(&true)).then_some((var, value))
    }
}
