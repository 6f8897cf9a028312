//! What is told of what does not hold, beside the place.

use super::*;

/// What says nothing of a set whose size nobody chose has no solution whatever that is.
#[test]
fn contradictions_apart_from_sets_of_open_sizes() {
    let machine = |properties: &str| {
        format!("MACHINE M SETS S CONSTANTS k, s PROPERTIES s <: S & {properties} END")
    };
    let outcome = run_text(&machine("k = 2 & k > 3")).expect("loads");
    assert_eq!(outcome.verdict, Verdict::NoSetup);
    let outcome = run_text(&machine("k = 7 & card(s) * k = 21")).expect("loads");
    assert_eq!(outcome.verdict, Verdict::NoneFound);
}

/// Whoever thinks of other limits than MAXINT has them is told of these.
#[test]
fn sets_that_end_at_maxint_are_told() {
    let outcome = run_text(
        "MACHINE M VARIABLES x INVARIANT x : NAT INITIALISATION x := 0
         OPERATIONS inc = x := x + 1 END",
    );
    let outcome = outcome.expect("loads");
    assert_eq!(outcome.verdict, Verdict::InvariantViolation);
    let details = outcome.finding.expect("a finding").details;
    assert!(details.iter().any(|line| line.starts_with("`NAT` is 0..3")), "{details:?}");
}
