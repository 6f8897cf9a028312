//! What is told where something is wrong, or nothing can be done.

use super::bench::{Bench, LIBRARY, embedded, shown_line};
use crate::session::Origin;
use crate::setup::SetupOptions;
use crate::tui::engine::Command;
use crate::tui::panes::Pane;

fn of(text: &str, width: u16, height: u16) -> Bench {
    Bench::with(embedded(text), SetupOptions::default(), width, height)
}

/// Why there is no set-up is found out by the check, and told wherever one looks.
#[test]
fn a_machine_without_a_set_up_says_why() {
    let text = "MACHINE m CONSTANTS k, n\nPROPERTIES\n  n : 1..3 &\n  k : 1..10 &\n  k > 20
VARIABLES x INVARIANT x : 0..k INITIALISATION x := 0 END";
    let mut bench = of(text, 80, 24);
    let lines = ["4 ×", "5 ×", "these contradict one another:", "    k : 1..10", "    k > 20"];
    for line in lines {
        shown_line(&mut bench, line);
    }
    assert!(!bench.screen().contains("3 ×"), "{}", bench.screen());
    // In the panes, and on the key that would take a step.
    let told = "the machine cannot be set up (e: why)";
    assert_eq!(bench.screen().matches(told).count(), 3, "{}", bench.screen());
    bench.press("enter");
    assert_eq!(bench.desk.app.message.as_ref().unwrap().text, told);
    bench.press("e");
    for line in ["1 error", "the PROPERTIES have no solution", "with this", "k > 20"] {
        shown_line(&mut bench, line);
    }
    bench.press("esc :").type_in("k");
    shown_line(&mut bench, "k: not known: `k` has no value yet: the machine cannot be set up");
}

#[test]
fn an_initialisation_without_an_outcome_says_so() {
    let text = "MACHINE m CONSTANTS k PROPERTIES k = 3 VARIABLES x INVARIANT x : 0..9
INITIALISATION ANY y WHERE y : 1..3 & y > k THEN x := y END END";
    let mut bench = of(text, 80, 24);
    bench.press("enter");
    assert_eq!(bench.screen().matches("there is no initial state (e: why)").count(), 3);
    bench.press("e");
    shown_line(&mut bench, "the INITIALISATION has no outcome");
}

#[test]
fn a_deadlock_is_told_beside_the_number_of_the_step() {
    let text = "MACHINE m VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0
OPERATIONS up = PRE x < 1 THEN x := x + 1 END END";
    let mut bench = of(text, 80, 24);
    bench.press("enter enter");
    shown_line(&mut bench, "State ─ step 2, deadlock");
}

#[test]
fn without_a_machine_nothing_is_searched() {
    let mut bench =
        of("MACHINE m VARIABLES x INVARIANT x : 0..9 INITIALISATION y := 0 END", 80, 24);
    bench.press("esc");
    shown_line(&mut bench, "nothing is checked: there is no machine (e shows what is wrong)");
    for key in ["c", "C", "p n"] {
        bench.press(key);
        shown_line(&mut bench, "there is no machine to search (e shows what is wrong)");
    }
    bench.press("space");
    shown_line(&mut bench, "no check is running");
}

#[test]
fn an_error_far_to_the_right_is_brought_into_sight() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("m.mch");
    let far = "x : 0..1000000000 & x <= 1000000000 & 1000000000 > x & wrong > 0";
    let text = format!("MACHINE m VARIABLES x\nINVARIANT {far}\nINITIALISATION x := 0 END");
    std::fs::write(&path, text).unwrap();
    let mut bench = Bench::with(Origin::File(path), SetupOptions::default(), 80, 24);
    bench.screen();
    bench.press("enter");
    assert_eq!(bench.desk.app.focus, Pane::Source);
    shown_line(&mut bench, "x & wrong > 0");
    // Without an error to go to it stays where it was scrolled.
    let x = bench.desk.view(Pane::Source).scroll().x;
    assert!(x > 0);
    bench.press("tab backtab");
    assert_eq!(bench.desk.view(Pane::Source).scroll().x, x);
}

#[test]
fn a_long_question_does_not_hide_its_answer() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    let long = "1 + 1".to_owned() + &" + 1".repeat(40);
    bench.press(":").type_in(&long);
    shown_line(&mut bench, "…: 42  : INTEGER");
    assert_eq!(bench.desk.app.console[0].formula, long);
}

#[test]
fn the_first_line_names_the_machine_before_all_else() {
    let mut bench = Bench::of(LIBRARY, 24, 6);
    shown_line(&mut bench, " library");
    bench.resize(80, 24);
    shown_line(&mut bench, " burnside  library  library.mch");
}

/// A text that is there is selected when a line is opened: what is typed takes its place.
#[test]
fn what_is_typed_takes_the_place_of_what_is_there() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("V").type_in("3 1");
    assert_eq!(bench.history().len(), 3);
    bench.press("V home").type_in("");
    assert_eq!(bench.history().len(), 13);
    bench.press("/ b r i n g enter / l o o k enter");
    assert_eq!(bench.desk.app.filter, "look");
    bench.press("/ backspace enter");
    assert_eq!(bench.desk.app.filter, "loo");
}

#[test]
fn a_file_that_is_there_is_not_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("notes.txt"), "mine").unwrap();
    let mut bench = Bench::of(LIBRARY, 200, 24);
    bench.press("enter enter ctrl-w").type_in(&path("notes.txt"));
    shown_line(&mut bench, "there is such a file: it is not replaced");
    assert_eq!(std::fs::read_to_string(path("notes.txt")).unwrap(), "mine");
    // What was written so before is; each ends a line.
    for _ in 0..2 {
        bench.press("enter ctrl-w").type_in(&path("state.txt"));
        shown_line(&mut bench, "written to ");
        let text = std::fs::read_to_string(path("state.txt")).unwrap();
        assert!(text.starts_with("most = 1\n") && text.ends_with("}\n"), "{text}");
    }
    bench.command(Command::Reload);
    bench.press("ctrl-w").type_in(&path("state.txt"));
    shown_line(&mut bench, "written to ");
}
