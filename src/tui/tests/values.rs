//! What is shown of values, and of what is false.

use super::bench::{Bench, LIBRARY, embedded, shown_line};
use crate::setup::SetupOptions;
use crate::tui::panes::Pane;
use crate::tui::update::Effect;

#[test]
fn the_verdict_comes_with_its_limits_and_warnings() {
    let never = LIBRARY.replace(
        "PRE b : dom(lent) THEN lent := {b}",
        "PRE b : dom(lent) & b /: Book THEN lent := {b}",
    );
    let mut bench = Bench::with(embedded(&never), SetupOptions::default(), 80, 24);
    shown_line(&mut bench, "ok, default sizes, never enabled: bring");
    shown_line(&mut bench, "e warnings");
    bench.press("e");
    shown_line(&mut bench, "> library.mch:16:3: warning[never-enabled]");
    bench.press("enter");
    shown_line(&mut bench, "bring(b) =");
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.desk.app.search.max_states = Some(2);
    bench.press("c");
    shown_line(&mut bench, "incomplete: number of states");
}

#[test]
fn what_is_false_comes_first_with_its_values() {
    let wrong = LIBRARY.replace(" & r /: ran(lent)", "");
    let mut bench = Bench::of(&wrong, 80, 24);
    bench.press("t");
    let screen = bench.screen();
    let state: Vec<&str> =
        screen.lines().map(|l| l.split('│').nth(1).unwrap_or_default()).collect();
    assert!(state[2].starts_with("INVARIANT  1 false"), "{screen}");
    assert!(state[3].starts_with("F !r.(r : Reader"), "{screen}");
    assert!(state[4].trim_start().starts_with("r = Reader"), "{screen}");
    assert!(screen.contains("step 4, violation"), "{screen}");
    let marked = screen.lines().find(|l| l.contains(" 9 F")).unwrap();
    assert!(marked.contains("!r.(r : Reader"), "{screen}");
}

#[test]
fn long_values_are_scrolled_by_half_a_pane() {
    let text = "MACHINE m VARIABLES x INVARIANT x <: 1..60 INITIALISATION x := 1..60 END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("enter tab tab l");
    assert_eq!(bench.desk.view(Pane::State).scroll().x, 19);
    bench.press("h h");
    assert_eq!(bench.desk.view(Pane::State).scroll().x, 0);
}

#[test]
fn watched_formulas_are_shown_in_every_state() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter w").type_in("card(lent)");
    shown_line(&mut bench, "  card(lent) = 0  : INTEGER");
    bench.press("enter");
    shown_line(&mut bench, "  card(lent) = 1  : INTEGER");
    bench.press("W");
    assert!(!bench.screen().contains("WATCHED"));
}

#[test]
fn what_a_step_added_and_removed_is_told() {
    let text = "MACHINE m VARIABLES x INVARIANT x <: 1..40 INITIALISATION x := 1..20
OPERATIONS swap = BEGIN x := (x - {3, 4}) \\/ {30} END; less = BEGIN x := x - {7} END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("enter enter");
    shown_line(&mut bench, "  +   {30}");
    shown_line(&mut bench, "  -   {3,4}");
    bench.press("j enter");
    assert!(!bench.screen().contains("  +   "), "{}", bench.screen());
    shown_line(&mut bench, "  -   {7}");
}

#[test]
fn a_literal_is_no_witness() {
    let text = "MACHINE m VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
OPERATIONS go = BEGIN x := 10 / x END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("enter");
    shown_line(&mut bench, "    x = 0");
    assert!(!bench.screen().contains("10 = 10"), "{}", bench.screen());
}

/// The state is the one that was reached; its representative stands beside it.
#[test]
fn a_step_shows_the_state_reached_and_its_representative() {
    let mut bench = Bench::of(LIBRARY, 200, 50);
    bench.press("enter enter alt-2 enter");
    let canon = &bench.desk.app.canon.as_ref().unwrap().view;
    let image = canon.image.iter().find(|(name, _)| name == "lent").unwrap().1.clone();
    let moved = canon.permutation.clone();
    let screen = bench.screen();
    assert!(screen.contains("lent = {(Book1|->Reader2)}"), "{screen}");
    assert!(screen.contains("REPRESENTATIVE") && screen.contains(&format!("lent = {image}")));
    // The permutation takes the one to the other.
    let images = |name: &str| {
        moved.iter().find(|(from, _)| from == name).map_or(name, |(_, to)| to).to_owned()
    };
    assert_eq!(image, format!("{{({}|->{})}}", images("Book1"), images("Reader2")));
    for (from, to) in &moved {
        assert!(screen.contains(&format!("{from}->{to}")), "{screen}");
    }
    bench.press("s");
    assert!(!bench.screen().contains("REPRESENTATIVE"), "no symmetry, no representative");
}

#[test]
fn what_did_not_change_is_hidden_and_a_state_is_copied() {
    let text =
        "MACHINE m VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 INITIALISATION x := 0 || y := 5
OPERATIONS up = PRE x < 9 THEN x := x + 1 END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 120, 40);
    bench.press("Y");
    shown_line(&mut bench, "there is nothing to copy");
    bench.press("enter enter H");
    shown_line(&mut bench, "* x = 1  was 0");
    shown_line(&mut bench, "1 variable unchanged (H shows all)");
    assert!(!bench.screen().contains("  y = 5"), "{}", bench.screen());
    bench.press("Y");
    let copied = bench.effects.last();
    assert!(matches!(copied, Some(Effect::Copy(text)) if text == "x = 1\ny = 5"), "{copied:?}");
    bench.press("H");
    shown_line(&mut bench, "y = 5");
    // The operations of the check, counted.
    bench.press("p s");
    shown_line(&mut bench, "up                   9            9");
    bench.press("esc");
}
