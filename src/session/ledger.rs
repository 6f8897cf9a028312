//! Every save is an experiment: the last runs of the check, what has changed from one to the next, and the
//! traces that are replayed on every new machine.

use super::animator::{Animator, Match, Position};
use super::novel::{Novel, novel};
use super::{Good, reading};
use crate::clock::Clock;
use crate::eval::Program;
use crate::report::counted;
use crate::report::runs::{CheckRun, Noted, Trial};
use crate::report::steps::StepText;
use crate::search::Outcome;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Runs that are kept.
const RUNS: usize = 50;

/// Traces of the check's own that are kept.
const FOUND: usize = 20;

/// Longest time for the replay of all traces, and for the comparison of two machines.
const REPLAYING: Duration = Duration::from_secs(3);
const COMPARING: Duration = Duration::from_millis(1500);

/// A trace that is replayed on every new machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    pub name: String,
    pub steps: Vec<StepText>,
    /// It shows something that must not be; otherwise it shows what the machine shall do.
    pub is_counterexample: bool,
    /// What the last replay has come to.
    pub trial: Option<Trial>,
}

/// What is to be seen of a ledger.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Book {
    /// It is what stands in the ledger as long as no book has a larger one.
    pub edition: u64,
    /// The newest is the last.
    pub runs: Vec<Noted>,
    pub traces: Vec<Kept>,
}

impl Book {
    /// How many traces do not pass.
    pub fn failing(&self) -> usize {
        let fails = |kept: &&Kept| kept.trial.as_ref().is_some_and(|trial| !trial.passes);
        self.traces.iter().filter(fails).count()
    }
}

/// The runs so far.
#[derive(Default)]
pub struct Ledger {
    /// Books that were asked for.
    editions: u64,
    /// The newest is the last.
    runs: VecDeque<Noted>,
    traces: Vec<Kept>,
    /// The machine on which they were replayed last, and what had changed of them then.
    tried_on: Option<Arc<Program>>,
    retried: Vec<String>,
    /// What was searched last.
    last: Option<(Good, CheckRun)>,
    /// It did not look for deadlocks: they are no fault.
    deadlocks_allowed: bool,
}

impl Ledger {
    pub fn book(&mut self) -> Book {
        self.editions += 1;
        Book {
            edition: self.editions,
            runs: self.runs.iter().cloned().collect(),
            traces: self.traces.clone(),
        }
    }

    /// Keeps a trace that the machine shall have, and replays it.
    pub fn keep(&mut self, name: String, steps: Vec<StepText>, good: Option<&Good>) {
        self.traces.retain(|kept| kept.name != name);
        let mut kept = Kept { name, steps, is_counterexample: false, trial: None };
        if let Some(good) = good {
            kept.try_on(good, &Clock::limited(Some(REPLAYING), None), !self.deadlocks_allowed);
        }
        self.traces.push(kept);
    }

    /// Notes a machine that was not searched.
    pub fn note_rejected(&mut self, run: CheckRun) -> &Noted {
        self.note(run, Vec::new(), None)
    }

    /// Notes a search that has ended: replays the traces, keeps what was found, and compares the machine
    /// with the one before.
    pub fn note_search(&mut self, good: &Good, outcome: &Outcome) -> &Noted {
        let run = CheckRun::of(&good.model, &good.sources, outcome);
        let same = self
            .last
            .as_ref()
            .is_some_and(|(before, _)| Arc::ptr_eq(&before.model.program, &good.model.program));
        self.deadlocks_allowed = outcome.deadlocked_states.is_none();
        self.replay(good);
        let changes = std::mem::take(&mut self.retried);
        let mut new_run = None;
        if !same && let Some((before, _)) = &self.last {
            let clock = Clock::limited(Some(COMPARING), None);
            new_run = told(novel(before, good, &clock));
        }
        if let Some(finding) = outcome.finding.as_ref().filter(|f| !f.trace.steps.is_empty()) {
            self.found(outcome, StepText::all(&finding.instance, &finding.trace));
        }
        self.note(run.clone(), changes, new_run);
        self.last = Some((good.clone(), run));
        // It was noted just now.
        &self.runs[self.runs.len() - 1]
    }

    fn note(&mut self, run: CheckRun, replayed: Vec<String>, new_run: Option<String>) -> &Noted {
        let searched = self.last.as_ref().map(|(_, run)| run);
        let mut changes = match self.runs.back() {
            Some(before) => run.changes(&before.run, searched),
            None => Vec::new(),
        };
        changes.extend(replayed);
        changes.extend(new_run);
        if self.runs.len() == RUNS {
            self.runs.pop_front();
        }
        let trials = self.traces.iter().filter_map(|kept| kept.trial.clone()).collect();
        self.runs.push_back(Noted { time: time_of_day(), run, changes, trials });
        &self.runs[self.runs.len() - 1]
    }

    /// Keeps a run to what was found, unless it is there already.
    fn found(&mut self, outcome: &Outcome, steps: Vec<StepText>) {
        if self.traces.iter().any(|kept| kept.steps == steps) {
            return;
        }
        let is_counterexample = outcome.verdict != crate::search::Verdict::GoalFound;
        let what = outcome.verdict.name();
        let name = format!("{what} of {}, {}", time_of_day(), counted(steps.len(), "step"));
        let text = format!("{what}, just found");
        let trial = Some(Trial { name: name.clone(), passes: !is_counterexample, text });
        self.traces.push(Kept { name, steps, is_counterexample, trial });
        let found = self.traces.iter().filter(|kept| kept.is_counterexample).count();
        if found > FOUND
            && let Some(oldest) = self.traces.iter().position(|kept| kept.is_counterexample)
        {
            self.traces.remove(oldest);
        }
    }

    /// Replays the traces on a machine, if that is a new one.
    pub fn replay(&mut self, good: &Good) {
        let program = &good.model.program;
        if self.tried_on.as_ref().is_some_and(|before| Arc::ptr_eq(before, program)) {
            return;
        }
        self.tried_on = Some(program.clone());
        let clock = Clock::limited(Some(REPLAYING), None);
        let deadlocks = !self.deadlocks_allowed;
        for kept in &mut self.traces {
            let before = kept.trial.as_ref().map(|trial| trial.passes);
            if clock.ask().is_err() {
                kept.trial = None;
                continue;
            }
            let trial = kept.try_on(good, &clock, deadlocks);
            if before.is_some_and(|before| before != trial.passes) {
                let word = if trial.passes { "passes now" } else { "fails now" };
                self.retried.push(format!("{} {word}: {}", trial.name, trial.text));
            }
        }
    }
}

impl Kept {
    /// Replays it on a machine.
    fn try_on(&mut self, good: &Good, clock: &Arc<Clock>, deadlocks: bool) -> &Trial {
        let mut animator = Animator::under(good.model.clone(), good.sources.clone(), clock);
        let (passes, text) = tried(&mut animator, self, deadlocks);
        self.trial.insert(Trial { name: self.name.clone(), passes, text })
    }
}

/// Replays a trace: whether all is well, and what happened. A run that ends where something is wrong is no better for
/// being one that somebody has saved; `deadlocks`: whether one is wrong.
fn tried(animator: &mut Animator, kept: &Kept, deadlocks: bool) -> (bool, String) {
    let (done, _) = reading::follow(animator, &kept.steps, Match::Alike);
    let n = kept.steps.len();
    if !done.complete {
        let next = kept.steps.get(done.steps).map(StepText::label).unwrap_or_default();
        let at = format!("step {} of {n}, {next}", done.steps + 1);
        return match kept.is_counterexample {
            true => (true, format!("can no longer happen: {at}")),
            false => (false, format!("does not go on: {at}")),
        };
    }
    let still = if kept.is_counterexample { "still " } else { "" };
    let fails = kept.steps.last().is_some_and(|step| step.failed);
    let view = animator.view();
    let what = if fails {
        Some(format!("its last step {still}ends in an error"))
    } else if view.violation {
        let bad = view.invariant.iter().chain(&view.assertions);
        let bad = bad.filter(|c| {
            matches!(c.truth, super::view::Truth::False | super::view::Truth::Undefined)
        });
        bad.map(|c| format!("{still}violates {}", c.text)).next()
    } else if !view.faults.is_empty() {
        Some(format!("an operation {still}ends in an error"))
    } else if deadlocks && view.deadlock && matches!(animator.position(), Position::State(_)) {
        Some(format!("{still}a deadlock"))
    } else {
        None
    };
    let end = format!("runs to its end: {}", counted(n, "step"));
    match (what, kept.is_counterexample) {
        (Some(what), true) => (false, what),
        (Some(what), false) => (false, format!("{end}; {what}")),
        (None, true) => (true, "runs to its end, and nothing is wrong there".to_owned()),
        (None, false) => (true, end),
    }
}

/// A new run in words.
fn told(found: Novel) -> Option<String> {
    let Novel { run, complete, depth } = found;
    let Some(run) = run else {
        return match complete {
            true => Some("no new run".to_owned()),
            false => Some(format!("no new run of fewer than {}", counted(depth + 1, "step"))),
        };
    };
    const TOLD: usize = 6;
    let skipped = run.len().saturating_sub(TOLD);
    let dots = if skipped > 0 { "…, " } else { "" };
    let labels: Vec<String> = run[skipped..].iter().map(StepText::label).collect();
    let changed = match run.last() {
        // What sets up and initialises is told apart by its values alone.
        Some(last) if last.arguments.is_empty() && !last.changed.is_empty() => {
            let values = last.changed.iter().map(|(name, value)| format!("{name} = {value}"));
            format!(" [{}]", values.collect::<Vec<_>>().join(", "))
        }
        _ => String::new(),
    };
    Some(format!("new run: {dots}{}{changed}", labels.join(", ")))
}

/// The time of day, in UTC.
pub fn time_of_day() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs());
    format!("{:02}:{:02}:{:02}Z", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Control, SearchOptions};
    use crate::session::{Ended, Origin, Session};
    use crate::setup::SetupOptions;
    use std::collections::BTreeSet;

    const LAMPS: &str = "\
MACHINE lamps
DEFINITIONS scope_Lamp == 3
SETS Lamp
VARIABLES on
INVARIANT on <: Lamp & card(on) <= 2
INITIALISATION on := {}
OPERATIONS
  light(x) = PRE x : Lamp & x /: on & card(on) < 2 THEN on := on \\/ {x} END;
  dark(x) = PRE x : on THEN on := on - {x} END
END
";

    fn session(text: &str) -> Session {
        let origin = Origin::Embedded { name: "lamps.mch".to_owned(), text: text.to_owned() };
        let session = Session::open(origin, SetupOptions::default());
        assert!(session.model().is_some(), "{:?}", session.diagnostics());
        session
    }

    fn note(ledger: &mut Ledger, text: &str) -> Vec<String> {
        let session = session(text);
        let ended = session.run(&SearchOptions::default(), &Arc::new(Control::new()));
        let Some(Ended::Outcome(outcome)) = ended else { panic!("no outcome") };
        ledger.note_search(session.good().unwrap(), &outcome).changes.clone()
    }

    #[test]
    fn a_counterexample_is_a_test_from_then_on() {
        let mut ledger = Ledger::default();
        assert!(note(&mut ledger, LAMPS).is_empty());
        assert!(ledger.book().traces.is_empty());

        let broken = LAMPS.replace("card(on) < 2", "card(on) < 3");
        let changes = note(&mut ledger, &broken);
        assert!(changes.contains(&"was ok".to_owned()), "{changes:?}");
        assert!(changes.contains(&"fails now: card(on) <= 2".to_owned()), "{changes:?}");
        let new = changes.iter().find(|change| change.starts_with("new run: ")).unwrap();
        assert_eq!(new.matches("light").count(), 3, "{new}");
        assert_eq!(ledger.book().failing(), 1);

        // Other words for the same, and it still fails.
        let changes = note(&mut ledger, &broken.replace("on - {x}", "on - {x} - {}"));
        assert_eq!(changes, ["no new run"]);
        assert_eq!((ledger.book().failing(), ledger.book().traces.len()), (1, 1));

        let changes = note(&mut ledger, LAMPS);
        assert!(changes.contains(&"holds now: card(on) <= 2".to_owned()), "{changes:?}");
        let passes = changes.iter().find(|change| change.contains("passes now")).unwrap();
        assert!(passes.contains("can no longer happen: step 4 of 4, light("), "{passes}");
        assert!(changes.contains(&"no new run".to_owned()), "{changes:?}");
        assert_eq!(ledger.book().failing(), 0);

        // The step can be done again, and is right by now.
        let relaxed = broken.replace("card(on) <= 2", "card(on) <= 3");
        let changes = note(&mut ledger, &relaxed);
        assert_eq!(ledger.book().failing(), 0, "{changes:?}");
        let trial = ledger.book().traces[0].trial.clone().unwrap();
        assert_eq!(trial.text, "runs to its end, and nothing is wrong there");
    }

    #[test]
    fn a_trace_that_is_kept_must_run() {
        let mut ledger = Ledger::default();
        note(&mut ledger, LAMPS);
        let mut animator = session(LAMPS).animator().unwrap();
        for _ in 0..3 {
            assert!(animator.step(0));
        }
        let steps = StepText::list(&animator.model().instance, &animator.history());
        ledger.keep("mine".to_owned(), steps, Some(session(LAMPS).good().unwrap()));
        assert!(ledger.book().traces[0].trial.as_ref().unwrap().passes);
        let changes = note(&mut ledger, &LAMPS.replace("card(on) < 2", "card(on) < 1"));
        let fails = changes.iter().find(|change| change.starts_with("mine fails now")).unwrap();
        assert!(fails.contains("does not go on: step 3 of 3"), "{fails}");
        // A machine that is refused in between changes nothing of what is compared.
        ledger.note_rejected(CheckRun::without_search("rejected", None));
        let changes = note(&mut ledger, LAMPS);
        assert!(changes.contains(&"was rejected".to_owned()), "{changes:?}");
        assert!(changes.iter().any(|change| change.starts_with("mine passes now")), "{changes:?}");
        assert!(changes.iter().any(|change| change.starts_with("states +")), "{changes:?}");
    }

    /// A run that is saved where something is wrong says the same as the counterexample that it is.
    #[test]
    fn a_saved_run_to_a_violation_fails_as_the_one_that_was_found() {
        let mut ledger = Ledger::default();
        let broken = LAMPS.replace("card(on) < 2", "card(on) < 3");
        note(&mut ledger, &broken);
        let steps = ledger.book().traces[0].steps.clone();
        ledger.keep("mine".to_owned(), steps, Some(session(&broken).good().unwrap()));
        let book = ledger.book();
        assert_eq!((book.traces.len(), book.failing()), (2, 2));
        let trial = book.traces[1].trial.as_ref().unwrap();
        assert_eq!(trial.text, "runs to its end: 4 steps; violates card(on) <= 2");
        // Where it can no longer happen, the one has passed and the other does not run.
        let changes = note(&mut ledger, LAMPS);
        assert!(changes.iter().any(|change| change.contains("passes now")), "{changes:?}");
        assert_eq!(ledger.book().failing(), 1);
        // A deadlock is wrong where the check looks for deadlocks.
        let stuck = LAMPS.replace("PRE x : on THEN", "PRE x : on & 1 = 2 THEN");
        let mut animator = session(&stuck).animator().unwrap();
        while animator.step(0) {}
        let steps = StepText::list(&animator.model().instance, &animator.history());
        for (deadlock, passes) in [(true, false), (false, true)] {
            let mut ledger = Ledger::default();
            let session = session(&stuck);
            let options = SearchOptions { deadlock, ..SearchOptions::default() };
            let ended = session.run(&options, &Arc::new(Control::new()));
            let Some(Ended::Outcome(outcome)) = ended else { panic!("no outcome") };
            ledger.note_search(session.good().unwrap(), &outcome);
            ledger.keep("mine".to_owned(), steps.clone(), session.good());
            let trial = ledger.book().traces.pop().unwrap().trial.unwrap();
            assert_eq!(trial.passes, passes, "{}", trial.text);
        }
    }

    /// All runs of at most so many steps, as they are written.
    fn runs(text: &str, depth: usize, names: &[&str]) -> BTreeSet<Vec<String>> {
        let mut animator = session(text).animator().unwrap();
        let mut all = BTreeSet::new();
        let mut waiting = vec![(0, Vec::new())];
        while let Some((place, run)) = waiting.pop() {
            animator.go_to(place);
            for i in 0..animator.enabled().len() {
                animator.go_to(place);
                let step = animator.label(i).unwrap();
                let mut text = StepText::of(&animator.model().instance, &step);
                text.changed.retain(|(name, _)| names.contains(&name.as_str()));
                let mut longer: Vec<String> = run.clone();
                longer.push(format!("{} {:?}", text.label(), text.changed));
                if longer.len() < depth {
                    animator.step(i);
                    waiting.push((animator.tree().at(), longer.clone()));
                }
                all.insert(longer);
            }
        }
        all
    }

    #[test]
    fn a_new_run_is_the_shortest_that_is_new() {
        // What is chosen is seen one step later only.
        let hidden = LAMPS
            .replace("VARIABLES on", "VARIABLES on, n")
            .replace("INVARIANT ", "INVARIANT n : 0..1 & ")
            .replace("INITIALISATION on := {}", "INITIALISATION on := {} || n :: 0..1")
            .replace("x : on THEN", "x : on & n = 1 THEN");
        let edits = [
            (LAMPS.to_owned(), LAMPS.replace("card(on) < 2", "card(on) < 3")),
            (LAMPS.replace("card(on) < 2", "card(on) < 3"), LAMPS.to_owned()),
            (
                LAMPS.to_owned(),
                LAMPS.replace("INITIALISATION on := {}", "INITIALISATION on :: {{}, Lamp}"),
            ),
            (
                LAMPS.to_owned(),
                LAMPS.replace(
                    "on - {x} END",
                    "on - {x} END; all = PRE card(on) = 2 THEN on := {} END",
                ),
            ),
            (LAMPS.to_owned(), LAMPS.replace("scope_Lamp == 3", "scope_Lamp == 4")),
            (LAMPS.to_owned(), hidden.clone()),
            (hidden.clone(), LAMPS.to_owned()),
            (hidden.clone(), hidden.replace("card(on) < 2", "card(on) < 1")),
            (LAMPS.to_owned(), LAMPS.to_owned()),
        ];
        const DEPTH: usize = 4;
        let mut found = 0;
        for (old, new) in &edits {
            let (before, after) = (runs(old, DEPTH, &["on"]), runs(new, DEPTH, &["on"]));
            let shortest = after.difference(&before).map(Vec::len).min();
            let clock = Clock::limited(None, None);
            let novel = novel(session(old).good().unwrap(), session(new).good().unwrap(), &clock);
            let own = novel.run.as_ref().map(Vec::len);
            assert_eq!(own.filter(|n| *n <= DEPTH), shortest, "{old}\n{new}\n{novel:?}");
            assert!(novel.complete || own.is_some());
            found += usize::from(own.is_some());
        }
        assert_eq!(found, 4);
    }
}
