//! What refinement means: models of two levels, each with one thing wrong.

use crate::package::{Context, Event, Machine, package};
use crate::{check, load, search};
use burnside::search::{Outcome, PorMethod, SearchOptions, Verdict};

const START: &[(&str, &str)] = &[("i_k", "kept := 0"), ("i_g", "gone := 0")];

fn initialisation(actions: &'static [(&'static str, &'static str)]) -> Event {
    Event { name: "INITIALISATION", actions, ..Event::default() }
}

/// `kept` stays in the refinement, `gone` does not.
fn abstraction() -> Machine {
    let step = Event {
        name: "step",
        any: &["p"],
        guards: &[("g1", "p : 1..2"), ("g2", "kept + p <= 3")],
        actions: &[("a_k", "kept := kept + p"), ("a_g", "gone := gone + p")],
        ..Event::default()
    };
    let pick = Event {
        name: "pick",
        guards: &[("h1", "gone > 0")],
        actions: &[("b_g", "gone :: 0..gone - 1")],
        ..Event::default()
    };
    Machine {
        name: "m0",
        variables: &["kept", "gone"],
        invariants: &[("i1", "kept : 0..3"), ("i2", "gone : NATURAL")],
        events: vec![initialisation(START), step, pick],
        ..Machine::default()
    }
}

fn refinement() -> Machine {
    let step = Event {
        name: "step",
        refines: &["step"],
        guards: &[("c1", "kept < 3")],
        actions: &[("d_k", "kept := kept + 1"), ("d_o", "own := own + 1")],
        with: &[("p", "p = 1")],
        ..Event::default()
    };
    let pick = Event {
        name: "pick",
        refines: &["pick"],
        guards: &[("c1", "own > 0")],
        actions: &[("d_o", "own := own - 1")],
        with: &[("new_gone", "new_gone = own - 1")],
        ..Event::default()
    };
    Machine {
        name: "m1",
        refines: Some("m0"),
        variables: &["kept", "own"],
        invariants: &[("glue", "own = gone")],
        events: vec![initialisation(&[("i_k", "kept := 0"), ("i_o", "own := 0")]), step, pick],
        ..Machine::default()
    }
}

/// Checks the two levels after a change of the refinement and one of the abstraction.
fn changed(concrete: impl FnOnce(&mut Machine), of: impl FnOnce(&mut Machine)) -> Outcome {
    let (mut m1, mut m0) = (refinement(), abstraction());
    concrete(&mut m1);
    of(&mut m0);
    check(&package(&[m1, m0], Context::default()))
}

fn event<'m>(m: &'m mut Machine, name: &str) -> &'m mut Event {
    m.events.iter_mut().find(|e| e.name == name).expect("an event")
}

/// The message and the details of what was found.
fn told(outcome: &Outcome) -> String {
    let finding = outcome.finding.as_ref().expect("a finding");
    format!("{}\n{}", finding.message, finding.details.join("\n"))
}

fn cannot_follow(outcome: &Outcome, words: &[&str]) {
    assert_eq!(outcome.verdict, Verdict::RefinementViolation);
    assert_eq!(outcome.state_errors, 0);
    assert!(outcome.broken_claims > 0);
    let told = told(outcome);
    assert!(words.iter().all(|w| told.contains(w)), "{told}");
}

#[test]
fn a_correct_refinement_breaks_nothing() {
    let outcome = changed(|_| (), |_| ());
    // kept counts steps, gone and own what is left of them.
    assert_eq!((outcome.broken_claims, outcome.violating_states), (0, Some(0)));
    assert_eq!((outcome.states, outcome.transitions), (10, 1 + 6 + 6));
}

#[test]
fn a_guard_that_is_too_weak_is_told_with_its_label_and_values() {
    let outcome = changed(|m| event(m, "step").guards = &[("c1", "kept < 4")], |_| ());
    cannot_follow(&outcome, &["guard `g2`", "`step` (m0)", "in step", "kept = 3", "p = 1"]);
    // The event has no outcome there.
    assert_eq!((outcome.states, outcome.transitions), (10, 1 + 6 + 6));
    let trace = &outcome.finding.unwrap().trace;
    assert_eq!(trace.operations(), 4);
    assert!(trace.steps.last().unwrap().failed);
}

#[test]
fn a_witness_without_a_value() {
    let outcome = changed(|m| event(m, "step").with = &[("p", "p > 5 & p < 5")], |_| ());
    cannot_follow(&outcome, &["no value of `p`", "witness", "`step` (m0)"]);
    let outcome = changed(|m| event(m, "pick").with = &[("new_gone", "new_gone = own")], |_| ());
    cannot_follow(&outcome, &["action `b_g`", "`pick` (m0)", "gone' = 1"]);
}

#[test]
fn kept_variables_get_what_the_abstract_event_gives_them() {
    let outcome = changed(
        |m| event(m, "step").actions = &[("d_k", "kept := kept + 2"), ("d_o", "own := own + 1")],
        |_| (),
    );
    cannot_follow(&outcome, &["action `a_k`", "`step` (m0)", "kept = 0", "kept' = 2"]);
}

#[test]
fn kept_variables_that_the_abstract_event_leaves_alone_stay() {
    let wrong = &[("d_o", "own := own - 1"), ("d_k", "kept := 0")];
    let outcome = changed(|m| event(m, "pick").actions = wrong, |_| ());
    cannot_follow(&outcome, &["`kept` changes", "`pick` (m0) leaves alone", "kept' = 0"]);
    // The same value is no change.
    let right = &[("d_o", "own := own - 1"), ("d_k", "kept := kept + 0")];
    let outcome = changed(|m| event(m, "pick").actions = right, |_| ());
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Deadlock, 10));
}

#[test]
fn new_events_leave_abstract_variables_alone() {
    let new = |actions| Event { name: "new", actions, ..Event::default() };
    let outcome = changed(|m| m.events.push(new(&[("n", "kept := 3")])), |_| ());
    cannot_follow(&outcome, &["`kept` of m0 changes", "in new"]);
    let outcome = changed(|m| m.events.push(new(&[("n", "own := own")])), |_| ());
    assert_eq!((outcome.broken_claims, outcome.transitions), (0, 13 + 10));
}

#[test]
fn the_abstract_initialisation_has_the_first_values_of_kept_variables() {
    let one = &[("i_k", "kept := 1"), ("i_o", "own := 0")];
    let outcome = changed(|m| m.events[0].actions = one, |_| ());
    cannot_follow(&outcome, &["action `i_k`", "`INITIALISATION` (m0)", "kept' = 1"]);
    assert_eq!(outcome.states, 0);
    let any = &[("i_k", "kept :: 0..1"), ("i_g", "gone := 0")];
    let outcome = changed(|m| m.events[0].actions = one, |m| m.events[0].actions = any);
    assert_eq!((outcome.broken_claims, outcome.states), (0, 6));
}

#[test]
fn without_a_witness_every_value_is_followed() {
    let outcome = changed(
        |m| {
            event(m, "pick").with = &[];
            m.invariants = &[("typed", "own : NATURAL")];
            // Nothing else goes down.
            event(m, "pick").guards = &[("c1", "own = 3 & kept = 3 & gone = 3")];
        },
        |_| (),
    );
    // Four states on the way up; then gone is 0, 1 or 2.
    assert_eq!((outcome.states, outcome.transitions), (4 + 3, 1 + 3 + 3));
    let outcome = changed(|m| event(m, "step").with = &[], |_| ());
    // The abstract event chooses p: its guards allow 1 and 2, of which 2 would give `kept` another value.
    assert_eq!((outcome.broken_claims, outcome.states, outcome.transitions), (0, 10, 13));
    let three = &[("d_k", "kept := kept + 3"), ("d_o", "own := own + 1")];
    let outcome =
        changed(|m| (event(m, "step").with, event(m, "step").actions) = (&[], three), |_| ());
    cannot_follow(&outcome, &["no value of `p` lets", "`step` (m0)", "kept' = 3"]);
}

/// What a witness chooses is followed whatever the parameters without a witness need, also where it speaks of these.
#[test]
fn a_witness_that_the_guards_forbid_is_told_beside_parameters_without_one() {
    let of_q = &[("g0", "q : 0..2"), ("g1", "p : 1..2"), ("g2", "kept + p <= 3")];
    for (any, guards, with) in [
        (&["p"][..], &[("g1", "p : 1..2"), ("g2", "kept + p <= 3")][..], &[("p", "p : 0..1")]),
        (&["p", "q"], of_q, &[("p", "p : 0..1")]),
        (&["p", "q"], of_q, &[("p", "p : 0..1 & p <= q")]),
        (
            &["q", "p"],
            &[("g1", "p : 1..2"), ("g2", "kept + p <= 3"), ("g0", "q : 0..p")],
            &[("p", "p : 0..1")],
        ),
    ] {
        let outcome = changed(
            |m| {
                event(m, "step").with = with;
                event(m, "step").actions = &[("d_k", "kept := kept + 1")];
                m.invariants = &[("typed", "own : NATURAL")];
            },
            |m| {
                event(m, "step").any = any;
                event(m, "step").guards = guards;
                event(m, "step").actions = &[("a_k", "kept := kept + 1")];
            },
        );
        cannot_follow(&outcome, &["guard `g1`", "`step` (m0)", "p = 0"]);
    }
}

#[test]
fn actions_on_kept_and_dropped_variables_together() {
    let both = &[("b", "kept, gone :| new_kept = kept + 1 & new_gone = gone + new_kept - kept")];
    let plain = |m: &mut Machine| {
        let step = event(m, "step");
        (step.any, step.guards, step.actions) = (&[], &[("g", "kept < 3")], both);
    };
    let outcome = changed(|m| event(m, "step").with = &[], plain);
    assert_eq!((outcome.broken_claims, outcome.states), (0, 10));
    let two = &[("d_k", "kept := kept + 2"), ("d_o", "own := own + 1")];
    let outcome =
        changed(|m| (event(m, "step").with, event(m, "step").actions) = (&[], two), plain);
    cannot_follow(&outcome, &["no value of `gone'`", "`step` (m0)"]);
}

#[test]
fn of_several_refined_events_the_enabled_ones_are_followed() {
    let half = |name, guards, actions| Event { name, guards, actions, ..Event::default() };
    let outcome = |guards| {
        changed(
            |m| {
                let step = event(m, "step");
                (step.refines, step.with) = (&["low", "high"], &[]);
            },
            |m| {
                let act: &'static [_] = &[("a_k", "kept := kept + 1"), ("a_g", "gone := gone + 1")];
                m.events[1] = half("low", &[("l", "kept < 2")], act);
                m.events.push(half("high", guards, act));
            },
        )
    };
    let right = outcome(&[("h", "kept = 2")]);
    assert_eq!((right.broken_claims, right.states, right.transitions), (0, 10, 13));
    let wrong = outcome(&[("h", "kept = 7")]);
    cannot_follow(&wrong, &["none of the abstract events `low`, `high` (m0)", "kept = 2"]);
}

#[test]
fn a_parameter_of_the_abstract_event_may_have_the_name_of_a_variable() {
    let outcome = changed(
        |m| {
            m.variables = &["kept", "own", "p"];
            m.invariants = &[("glue", "own = gone"), ("typed", "p : 0..9")];
            m.events[0].actions = &[("i", "kept := 0"), ("j", "own := 0"), ("k", "p := 5")];
            event(m, "step").actions =
                &[("d_k", "kept := kept + 1"), ("d_o", "own := own + p - 4"), ("d_p", "p := p")];
        },
        |_| (),
    );
    assert_eq!((outcome.broken_claims, outcome.violating_states), (0, Some(0)));
    assert_eq!(outcome.states, 10);
}

// ----- variants, theorems

fn one_machine(variant: Option<&'static str>, down: Event) -> Machine {
    Machine {
        name: "m",
        variables: &["x", "s"],
        invariants: &[("i", "x : 0..3"), ("j", "s <: 0..3")],
        variant,
        events: vec![initialisation(&[("a", "x := 2"), ("b", "s := {0, 1, 2}")]), down],
        ..Machine::default()
    }
}

fn variant(
    variant: &'static str,
    status: &'static str,
    guards: &'static [(&'static str, &'static str)],
    action: &'static [(&'static str, &'static str)],
) -> (Outcome, String) {
    let down =
        Event { name: "down", status: Some(status), guards, actions: action, ..Event::default() };
    let text = package(&[one_machine(Some(variant), down)], Context::default());
    let outcome = check(&text);
    let place = outcome.finding.as_ref().and_then(|f| f.span);
    let sources = load(&text).sources;
    let place =
        place.map(|s| sources.get(s.file).text[s.start as usize..s.end as usize].to_owned());
    (outcome, place.unwrap_or_default())
}

#[test]
fn a_variant_that_does_not_decrease() {
    const UP: &[(&str, &str)] = &[("a", "x := x + 1")];
    const SMALL: &[(&str, &str)] = &[("g", "x < 3")];
    let (outcome, place) = variant("x + 1", "convergent", SMALL, UP);
    assert_eq!((outcome.verdict, &*place), (Verdict::VariantViolation, "x + 1"));
    assert!(told(&outcome).contains("the variant of m does not decrease in down"));
    assert!(told(&outcome).contains("x = 2") && told(&outcome).contains("x' = 3"));
    // The event happens all the same.
    assert_eq!((outcome.states, outcome.transitions, outcome.broken_claims), (2, 2, 1));
    // It is asked for together with the invariant, and puts no event off where it is not.
    let down = Event {
        name: "up",
        status: Some("convergent"),
        guards: SMALL,
        actions: UP,
        ..Event::default()
    };
    let text = package(&[one_machine(Some("x + 1"), down)], Context::default());
    for por in [None, Some(PorMethod::Stubborn)] {
        let plain =
            SearchOptions { invariant: false, keep_going: true, por, ..SearchOptions::default() };
        let outcome = search(load(&text), &plain);
        assert_eq!((outcome.verdict, outcome.broken_claims), (Verdict::Deadlock, 0));
        assert!(outcome.partial.is_none_or(|p| p.deadlocks_only));
    }
    let (outcome, _) = variant("3 - x", "convergent", SMALL, UP);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Deadlock, 2));
}

#[test]
fn a_variant_that_stays_is_enough_for_anticipated_events_only() {
    const SAME: &[(&str, &str)] = &[("a", "x := 5 - x")];
    let (outcome, _) = variant("5", "anticipated", &[], SAME);
    assert_eq!(outcome.verdict, Verdict::Ok);
    let (outcome, _) = variant("5", "convergent", &[], SAME);
    assert!(told(&outcome).contains("does not decrease"));
    let (outcome, _) = variant("x", "anticipated", &[], SAME);
    assert!(told(&outcome).contains("increases"));
}

#[test]
fn a_variant_below_zero() {
    let (outcome, place) =
        variant("x - 2", "convergent", &[("g", "x > 0")], &[("a", "x := x - 1")]);
    assert_eq!((outcome.verdict, &*place), (Verdict::VariantViolation, "x - 2"));
    assert!(told(&outcome).contains("negative"));
}

#[test]
fn variants_that_are_sets() {
    let (outcome, _) = variant("s", "convergent", &[("g", "x : s")], &[("a", "s := s - {x}")]);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Deadlock, 2));
    let (outcome, place) = variant("s", "convergent", &[], &[("a", "s := s \\/ {x}")]);
    assert_eq!((outcome.verdict, &*place), (Verdict::VariantViolation, "s"));
}

#[test]
fn theorems_among_guards_are_assertions() {
    let event = |theorems| Event { name: "e", theorems, ..Event::default() };
    let wrong = package(&[one_machine(None, event(&[("t", "x > 2")]))], Context::default());
    let outcome = check(&wrong);
    assert_eq!((outcome.verdict, outcome.transitions), (Verdict::AssertionViolation, 2));
    assert!(told(&outcome).contains("theorem `t` of the event `e`"), "{}", told(&outcome));
    let right = package(&[one_machine(None, event(&[("t", "x > 1")]))], Context::default());
    assert_eq!(check(&right).verdict, Verdict::Ok);
}

#[test]
fn theorems_of_machines_are_assertions() {
    let machine = Machine {
        theorems: &[("t", "x < 2")],
        ..one_machine(None, Event { name: "e", ..Event::default() })
    };
    let outcome = check(&package(&[machine], Context::default()));
    assert_eq!(outcome.verdict, Verdict::AssertionViolation);
    assert!(told(&outcome).contains("t"));
}
