//! Ways that are looked for: why not?

use super::bench::{Bench, embedded, shown_line};
use crate::setup::SetupOptions;

/// A stair with a gate that nobody opens.
const STAIR: &str = "\
MACHINE stair
VARIABLES x, open
INVARIANT x : 0..9 & open : BOOL
INITIALISATION x := 0 || open := FALSE
OPERATIONS
  up = PRE x < 5 THEN x := x + 1 END;
  leap(n) = PRE n : 2..3 & x = 5 THEN x := x + n END;
  ring = PRE x > 7 THEN x := 0 END;
  leave = PRE open = TRUE & x > 1 THEN x := 1 END
END
";

fn at_the_bottom(width: u16, height: u16) -> Bench {
    let mut bench = Bench::with(embedded(STAIR), SetupOptions::default(), width, height);
    bench.press("enter");
    assert_eq!(bench.history().len(), 1);
    bench
}

#[test]
fn a_way_to_a_disabled_operation_is_found_and_gone() {
    let mut bench = at_the_bottom(120, 40);
    bench.press("1 j j n");
    shown_line(&mut bench, "ring is enabled: yes, 6 steps from here: up, up, up, up, up, leap(3)");
    shown_line(&mut bench, "(N goes there)");
    bench.press("N");
    assert_eq!(bench.history().len(), 7);
    shown_line(&mut bench, "x    = 8");
    // It is a branch of the history.
    bench.press("u u u u u u enter");
    assert_eq!(bench.tree().len(), 1 + 7, "the same steps again: {:?}", bench.tree());
}

#[test]
fn what_no_state_does_says_what_is_in_the_way() {
    let mut bench = at_the_bottom(120, 40);
    bench.press("1 G n");
    // 0..5, 7 and 8; ring leads to 0.
    shown_line(&mut bench, "leave is enabled: no: none of all 8 states that can be reached");
    shown_line(&mut bench, "open = TRUE is false in all of them");
    shown_line(&mut bench, "x > 1 is false in 2 of them");
    bench.press("N");
    shown_line(&mut bench, "no way was found yet: n looks for one");
}

#[test]
fn a_predicate_is_looked_for() {
    let mut bench = at_the_bottom(80, 24);
    bench.press("enter enter n").type_in("x mod 3 = 1 & x /= 1");
    shown_line(&mut bench, "yes, 2 steps from here: up, up");
    bench.press("N n").type_in("x = 4");
    shown_line(&mut bench, "x = 4: here already");
    bench.press("n").type_in("x = 6");
    shown_line(&mut bench, "x = 6: no: none of all 8 states that can be reached from here");
    // What is wrong with it is said at once.
    bench.press("n").type_in("y = 6");
    assert!(bench.desk.app.message.as_ref().unwrap().error);
    shown_line(&mut bench, "`y` is not declared");
    // Before the first state, the way begins with the initialisation.
    bench.press("u u u u u u n").type_in("x = 2");
    shown_line(&mut bench, "yes, 3 steps from here: INITIALISATION, up, up");
    bench.press("N");
    assert_eq!(bench.history().len(), 3);
}

/// What the states that were seen stand for depends on how they are identified.
#[test]
fn the_states_that_were_seen_are_those_of_the_mode() {
    let text = "MACHINE m SETS P VARIABLES s INVARIANT s <: P INITIALISATION s := {}
OPERATIONS join(p) = PRE p : P - s THEN s := s \\/ {p} END; never = PRE card(s) > 9 THEN s := {} END
END";
    let cards = vec![("P".to_owned(), 4)];
    let setup = SetupOptions { cards, ..SetupOptions::default() };
    let mut bench = Bench::with(embedded(text), setup, 120, 40);
    bench.press("enter G n");
    shown_line(&mut bench, "no: none of all 5 states (one of each orbit) that can be reached");
    for (mode, told) in [
        ("off", "no: none of all 16 states that can be reached"),
        ("flood", "no: none of all 16 states that can be reached"),
        ("exact-marker", "(some of each orbit)"),
    ] {
        bench.press("ctrl-p").type_in(&format!("mode {mode}"));
        bench.press("1 G n");
        shown_line(&mut bench, told);
    }
}
