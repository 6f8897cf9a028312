//! Operations that are passed over, since a look at some fields tells that they are closed, against their guards.

use super::model;
use burnside::eval::{Evaluator, Instances, Successors};
use std::collections::{BTreeSet, VecDeque};

/// Goes through the states of a machine, at most so many, and looks which operations have transitions and which have
/// instances. Number of the states, and of the operations that were open in one and closed in another.
fn agree(text: &str, most: usize) -> (usize, usize) {
    let (model, _) = model(text);
    let mut evaluator = Evaluator::new(model.program.clone());
    let (mut setups, mut waiting, mut seen) = (Vec::new(), VecDeque::new(), BTreeSet::new());
    evaluator.setups(&mut setups).expect("set-ups");
    for constants in &setups {
        waiting.extend(evaluator.initial_states(constants).expect("initial states"));
    }
    let (mut open, mut closed) = (BTreeSet::new(), BTreeSet::new());
    let (mut out, mut instances) = (Successors::new(), Instances::default());
    while let Some(state) = waiting.pop_front() {
        if seen.len() >= most || !seen.insert(state.clone()) {
            continue;
        }
        evaluator.successors(&state, false, &mut out).expect("no limit");
        evaluator.enabled(&state, &mut instances).expect("no limit");
        let mut found: BTreeSet<_> = out.entries.iter().map(|entry| entry.operation).collect();
        found.extend(out.faults.iter().map(|fault| fault.operation));
        // Of what is undefined in its guard, firing says whether it is enabled.
        let all: BTreeSet<_> = (0..instances.len()).map(|i| instances.operation(i)).collect();
        let defined = (0..instances.len()).filter(|i| !instances.is_undefined(*i));
        let defined: BTreeSet<_> = defined.map(|i| instances.operation(i)).collect();
        assert!(defined.is_subset(&found) && found.is_subset(&all), "in {state:?}");
        closed.extend(model.program.visible_operations().filter(|id| !found.contains(id)));
        open.extend(found);
        waiting.extend((0..out.len()).map(|i| out.target(i).to_vec()));
    }
    (seen.len(), open.intersection(&closed).count())
}

#[test]
fn operations_that_want_an_argument_with_one_result() {
    let places = agree(
        "MACHINE T SETS P = {a, b, c, d}; K = {idle, want, crit, gone}
         VARIABLES place, level, n
         INVARIANT place : P --> K & level : P --> 0..3 & n : 0..2
         INITIALISATION place := P * {idle} || level := P * {0} || n := 0
         OPERATIONS
           ask(p) = PRE p : P & place(p) = idle THEN place(p) := want END;
           up(p) = PRE p : P & place(p) = want & level(p) < 3 THEN level(p) := level(p) + 1 END;
           enter(p) = PRE p : P & place(p) = want & level(p) = 3 & n < 2 THEN
             place(p) := crit || n := n + 1 END;
           leave(p, q) = PRE p : P & q : P & place(p) = crit & place(q) = want THEN
             place(p) := gone || level(q) := 0 || n := n - 1 END;
           swap(p, q) = PRE p : P & q : P & p /= q & place(p) = gone & place(q) = gone THEN
             place := place <+ {p |-> idle, q |-> want} END;
           stay(p) = PRE p : P & place(p) /= idle & level(p) = 2 THEN skip END;
           reset = PRE place(a) = gone THEN place(a) := idle END
         END",
        4000,
    );
    assert_eq!(places, (3718, 7));
}

/// A function without a result somewhere, and one whose results do not fit, close nothing.
#[test]
fn functions_that_are_undefined_or_outside_of_their_fields() {
    let undefined = agree(
        "MACHINE T SETS P = {a, b, c}; K = {idle, busy, done}
         VARIABLES place, m
         INVARIANT place : P +-> K & m : P --> 0..4
         INITIALISATION place := P * {idle} || m := P * {0}
         OPERATIONS
           go(p) = PRE p : P & place(p) = idle THEN place(p) := busy END;
           end(p) = PRE p : P & place(p) = busy THEN place(p) := done END;
           lose(p) = PRE p : dom(place) & place(p) = done THEN place := {p} <<| place END;
           far(p) = PRE p : P & m(p) = 4 THEN m(p) := 1000 END;
           near(p) = PRE p : P & m(p) < 4 THEN m(p) := m(p) + 1 END;
           one(p) = PRE p : P & m(p) = 1 THEN skip END
         END",
        4000,
    );
    assert!(undefined.0 > 1000 && undefined.1 >= 5, "{undefined:?}");
}
