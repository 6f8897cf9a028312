//! What the workbench tells of partial order reduction.

use super::bench::{Bench, embedded};
use crate::setup::SetupOptions;
use crate::tui::app::Check;
use crate::tui::panes::Pane;

const STEPS: &str = "\
MACHINE steps
SETS Proc = {p1, p2}
VARIABLES at, seen
INVARIANT at : Proc --> 0..2 & seen : Proc --> 0..2
INITIALISATION at := Proc * {0} || seen := Proc * {0}
OPERATIONS
  start(p) = PRE p : Proc & at(p) < 2 THEN at(p) := at(p) + 1 END;
  look(p) = PRE p : Proc & at(p) > 0 THEN seen(p) := at(p) END
END
";

/// The text of the engine's last report.
fn told(bench: &Bench) -> Vec<String> {
    let reduced = bench.desk.app.reduced.as_ref().expect("it is on");
    let followed = reduced.followed.as_ref().expect("a state");
    let mut lines = vec![followed.title.clone()];
    lines.push(format!("follow {}", followed.chosen.join(", ")));
    lines.push(format!("wait {}", followed.waiting.join(", ")));
    lines.extend(followed.why.iter().cloned());
    lines
}

#[test]
fn what_is_followed_is_told_with_its_reasons() {
    let mut bench = Bench::quick(STEPS, 80, 24);
    bench.press("enter 8");
    assert!(bench.screen().contains("off (P: ample or stubborn sets)"), "{}", bench.screen());
    bench.press("P P");
    assert_eq!(
        told(&bench),
        [
            "1 of 2 enabled instances is followed",
            "follow start(p1)",
            "wait start(p2)",
            "chosen from start(p1): independent of all others that are enabled",
            "look(p1) cannot be enabled without it: at(p) > 0 is false, and only start(p1) can change that",
        ]
    );
    assert_eq!(bench.desk.app.focus, Pane::Reduction);
    bench.press("z");
    assert!(bench.screen().contains("- chosen from start(p1): independent of all others"));
    assert!(bench.screen().contains("The row can enable the column"), "{}", bench.screen());
    // The next state is told of, too; and off is off.
    bench.press("z 1 enter");
    let next = told(&bench);
    assert_eq!(
        next[..3],
        ["1 of 3 enabled instances is followed", "follow start(p2)", "wait start(p1), look(p1)"]
    );
    bench.press("P");
    assert!(bench.desk.app.reduced.is_none());
}

#[test]
fn a_check_runs_with_it() {
    let mut bench = Bench::with(embedded(STEPS), SetupOptions::default(), 80, 24);
    let states = |bench: &Bench| match &bench.desk.app.check {
        Check::Done(outcome) => (outcome.states, outcome.partial.is_some()),
        other => panic!("{other:?}"),
    };
    let (full, partly) = states(&bench);
    assert!(!partly);
    bench.press("P");
    let (reduced, partly) = states(&bench);
    assert!(partly && reduced < full, "{reduced} of {full}");
    // Where something in the invariant may change nothing is reduced, and it is said why.
    let visible =
        STEPS.replace("seen : Proc --> 0..2", "seen : Proc --> 0..2 & at(p1) + at(p2) < 9");
    let mut bench = Bench::quick(&visible, 80, 24);
    bench.press("enter P");
    let told = told(&bench);
    assert_eq!(told[0], "all 2 enabled instances are followed");
    assert!(
        told[3].starts_with("start(p1): it writes at(p), of which the invariant asks"),
        "{told:?}"
    );
    // One that changes nothing is not followed alone where that would put the others off for ever.
    let asking = visible.replace("  look(p)", "  n <-- ask = n := card(seen);\n  look(p)");
    let mut bench = Bench::quick(&asking, 80, 24);
    bench.press("enter P");
    let told = self::told(&bench);
    let why = "ask: it changes nothing, and all others would wait for ever";
    assert!(told.contains(&why.to_owned()), "{told:?}");
}
