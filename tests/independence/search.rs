//! What a reduced search finds, against the full one.

use crate::common::replay::follow;
use burnside::independence::Analyses;
use burnside::run::{Event, Run};
use burnside::search::{
    self, Control, OnViolation, Outcome, PorAnalysis, PorChoice, PorMethod, SearchOptions,
    Strategy, SymmetryMode, Verdict,
};
use burnside::setup::{Bound, Model};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// States of the full search beyond which a machine is not used.
fn most_states() -> u64 {
    crate::number("BURNSIDE_POR_STATES", 400)
}

pub const STRATEGIES: [Strategy; 3] =
    [Strategy::BreadthFirst, Strategy::DepthFirst, Strategy::Mixed];

/// A full search that takes longer is of a machine that is too large: there are a hundred others for each.
fn longest() -> Duration {
    Duration::from_millis(crate::number("BURNSIDE_POR_MILLIS", 60_000))
}

/// How long a search works on one thread before it takes others: these are to work from the beginning.
const ALONE: Duration = Duration::ZERO;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub enum Asked {
    Deadlocks,
    Invariant,
    Goal,
}

impl Asked {
    pub const ALL: [Asked; 3] = [Asked::Deadlocks, Asked::Invariant, Asked::Goal];

    fn options(self) -> SearchOptions {
        let all = SearchOptions::default();
        match self {
            Asked::Deadlocks => SearchOptions { invariant: false, ..all },
            Asked::Invariant => all,
            Asked::Goal => SearchOptions { goal: true, deadlock: false, ..all },
        }
    }
}

pub fn run(model: &Model, options: &SearchOptions) -> Outcome {
    search::run(model, options, &Arc::new(Control::new()))
}

/// The same, with what is known of the operations of the model.
fn run_knowing(model: &Model, options: &SearchOptions, known: &Arc<Analyses>) -> Outcome {
    search::run(model, options, &Arc::new(Control::new().knowing(known.clone())))
}

/// Which kinds of findings there are.
fn kinds(outcome: &Outcome) -> [Option<bool>; 6] {
    let some = |n: Option<u64>| n.map(|n| n > 0);
    [
        some(outcome.violating_states),
        some(outcome.assertion_violations),
        some(outcome.deadlocked_states),
        some(outcome.goal_states),
        some(Some(outcome.state_errors)),
        outcome.goal_seen,
    ]
}

/// Why a machine is not compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Left {
    TooManyStates,
    TooSlow,
    /// An enumeration was cut off.
    Cut,
    NoSetup,
}

/// Why it is not compared here, if it is not.
fn left(full: &Outcome) -> Option<Left> {
    if full.states > most_states() {
        return Some(Left::TooManyStates);
    }
    // One that ran out of time, on a busy processor, too, has not seen what the reduced one is to find.
    if full.bounds.iter().any(|bound| matches!(bound, Bound::Halted(_))) {
        return Some(Left::TooSlow);
    }
    if !full.cut.is_empty() {
        return Some(Left::Cut);
    }
    (full.verdict == Verdict::NoSetup).then_some(Left::NoSetup)
}

/// Compares everything, with the machine's goal where it has one; or says why it does not.
pub fn compare(model: &Model) -> Result<Option<Left>, String> {
    let known = Arc::new(Analyses::default());
    for asked in Asked::ALL {
        if matches!(asked, Asked::Goal) && model.program.goal().is_none() {
            continue;
        }
        for policy in [OnViolation::Expand, OnViolation::Prune, OnViolation::Stop] {
            let base = SearchOptions {
                on_violation: policy,
                keep_going: policy != OnViolation::Stop,
                max_states: Some(most_states() + 1),
                symmetry: Some(SymmetryMode::Off),
                ..asked.options()
            };
            let full = run(model, &SearchOptions { timeout: Some(longest()), ..base.clone() });
            if let Some(why) = left(&full) {
                return Ok(Some(why));
            }
            for mode in [SymmetryMode::Off, SymmetryMode::Canon] {
                let base = SearchOptions { symmetry: Some(mode), ..base.clone() };
                agree(model, &base, &full, &known)
                    .map_err(|why| format!("{asked:?}, {policy:?}, {why}"))?;
            }
        }
    }
    Ok(None)
}

/// Every method and strategy against the full search.
fn agree(
    model: &Model,
    base: &SearchOptions,
    full: &Outcome,
    known: &Arc<Analyses>,
) -> Result<(), String> {
    // Each machine gets other combinations.
    let salt = full.states as usize % 3;
    for (n, method) in PorMethod::ALL.into_iter().enumerate() {
        for (k, strategy) in STRATEGIES.into_iter().enumerate() {
            let por_choice = PorChoice::ALL[(n + k) % 3];
            // The solver takes longer than these searches do.
            let por_analysis = PorAnalysis::ALL[usize::from((n + k) % 3 != salt)];
            // So small a search seldom pays for the choosing: mostly every state is tried all the same.
            let por_work = if (n + k + salt).is_multiple_of(4) { base.por_work } else { u64::MAX };
            let por = Some(method);
            let how = SearchOptions { por, por_choice, por_analysis, por_work, ..base.clone() };
            let threads = Some(1 + (n + k + salt) % 3);
            let options = SearchOptions { strategy, threads, alone: ALONE, ..how };
            let control = Arc::new(Control::new().recording().knowing(known.clone()));
            let reduced = search::run(model, &options, &control);
            let about = (method, strategy, base.symmetry, por_analysis, por_work, threads);
            no_circle(&reduced, &control.recorded())
                .and_then(|()| same(model, base, full, &reduced))
                .and_then(|()| by_one_thread(model, &options, &reduced, known))
                .map_err(|why| format!("{about:?}: {why}"))?;
        }
    }
    Ok(())
}

/// What several threads choose and find is what one does.
fn by_one_thread(
    model: &Model,
    options: &SearchOptions,
    many: &Outcome,
    known: &Arc<Analyses>,
) -> Result<(), String> {
    if options.threads == Some(1) || options.strategy != Strategy::BreadthFirst {
        return Ok(());
    }
    let one = run_knowing(model, &SearchOptions { threads: Some(1), ..options.clone() }, known);
    let figures = |o: &Outcome| {
        let partial = o
            .partial
            .map(|p| (p.tried, p.reduced_states, p.chosen, p.enabled, p.cycles, p.given_up));
        let found = o.finding.as_ref().map(|f| (f.message.clone(), f.trace.steps.len()));
        let counts = (o.states, o.expanded, o.transitions, o.depth, o.deadlocked_states);
        (o.verdict, o.complete, partial, counts, found, o.operations.clone())
    };
    match figures(&one) == figures(many) {
        true => Ok(()),
        false => Err(format!("{:?}, by one thread {:?}", figures(many), figures(&one))),
    }
}

/// (A4): every cycle of the reduced graph has a state that is expanded fully, since those that are not make no
/// cycle. Where only deadlocks are kept that is not asked.
fn no_circle(reduced: &Outcome, partly: &[(u32, Vec<u32>)]) -> Result<(), String> {
    let partial = reduced.partial.expect("figures");
    if partial.reduced_states != partly.len() as u64 {
        return Err(format!(
            "{} states are reduced, {} are told",
            partial.reduced_states,
            partly.len()
        ));
    }
    if partial.deadlocks_only {
        return Ok(());
    }
    // States without a way to others of them go first, until none is left.
    let mut left: BTreeMap<u32, &[u32]> = partly.iter().map(|(n, to)| (*n, &to[..])).collect();
    loop {
        let dead: Vec<u32> = left
            .iter()
            .filter(|(_, to)| to.iter().all(|n| !left.contains_key(n)))
            .map(|(n, _)| *n)
            .collect();
        if dead.is_empty() {
            break;
        }
        dead.iter().for_each(|n| _ = left.remove(n));
    }
    match left.is_empty() {
        true => Ok(()),
        false => Err(format!("a cycle of states that are not expanded fully is among {left:?}")),
    }
}

fn same(
    model: &Model,
    base: &SearchOptions,
    full: &Outcome,
    reduced: &Outcome,
) -> Result<(), String> {
    let (found, wanted) = (reduced.verdict, full.verdict);
    if found.is_finding() != wanted.is_finding() {
        return Err(format!("{found:?}, not {wanted:?}"));
    }
    if reduced.complete != full.complete && !found.is_finding() {
        return Err(format!("complete: {}, not {}", reduced.complete, full.complete));
    }
    if base.keep_going && kinds(reduced) != kinds(full) {
        return Err(format!("kinds {:?}, not {:?}", kinds(reduced), kinds(full)));
    }
    if base.keep_going && base.symmetry == Some(SymmetryMode::Off) && reduced.states > full.states {
        return Err(format!("{} states of {}", reduced.states, full.states));
    }
    if reduced.full_states.is_some() || !reduced.never_enabled.is_empty() {
        return Err("it claims to know the full search".into());
    }
    match &reduced.finding {
        Some(finding) if is_way(&finding.trace) => follow(model, &finding.trace).map(drop),
        // Nothing was reduced on the way there: the set-up or the initialisation may be what failed.
        _ => Ok(()),
    }
}

/// Whether operations lead to where a run ends.
fn is_way(run: &Run) -> bool {
    run.steps.iter().any(|step| matches!(step.label.event, Event::Operation(_)))
}
