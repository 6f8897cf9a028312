//! Screens: keys go in by name, what is drawn is compared.

mod bench;
mod event_b;
mod experiments;
mod files;
mod keys;
mod operations;
mod reduction;
mod screens;
mod soak;
mod told;
mod values;
mod ways;

use super::action::ALL;
use super::app::Check;
use super::engine::Command;
use super::panes::Pane;
use super::update::{self, Effect};
use crate::search::{Progress, SymmetryMode};
use crate::session::{Ended, Origin};
use crate::setup::SetupOptions;
use bench::{Bench, LIBRARY, embedded, shown_line};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::time::Duration;

#[test]
fn the_first_screen() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    insta::assert_snapshot!("first_80x24", bench.screen());
    bench.resize(200, 50);
    insta::assert_snapshot!("first_200x50", bench.screen());
}

#[test]
fn stepping() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter i j j j enter");
    assert_eq!(bench.history().last().unwrap(), "borrow(Book1, Reader3)");
    insta::assert_snapshot!("stepped_80x24", bench.screen());
    bench.resize(200, 50);
    insta::assert_snapshot!("stepped_200x50", bench.screen());
}

#[test]
fn back_and_forth() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter enter enter");
    let all = bench.history();
    assert_eq!(all.len(), 4);
    bench.press("u u");
    assert_eq!(bench.history(), all[..2]);
    assert_eq!(bench.desk.app.place.as_ref().unwrap().redo, 2);
    bench.press("ctrl-r");
    assert_eq!(bench.history(), all[..3]);
    bench.press("u u u u u");
    assert!(bench.history().is_empty());
    assert_eq!(bench.desk.app.message.as_ref().unwrap().text, "nothing to undo");
    bench.press("ctrl-r ctrl-r enter");
    assert_eq!(bench.desk.app.place.as_ref().unwrap().redo, 1, "the same step again");
    // Another way leaves the old one where it was.
    bench.press("u i j j enter");
    assert_eq!(bench.desk.app.place.as_ref().unwrap().redo, 0);
    assert_eq!(bench.tree().len(), 1 + 4 + 1);
}

#[test]
fn symmetry_is_switched_and_the_check_runs_again() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    let nodes = |bench: &Bench| match &bench.desk.app.check {
        Check::Done(outcome) => (outcome.symmetry, outcome.nodes),
        other => panic!("{other:?}"),
    };
    // Root, set-up; none, one or two of two books lent to one of three readers each.
    assert_eq!(nodes(&bench), (SymmetryMode::Canon, 2 + 3));
    bench.press("s");
    assert_eq!(nodes(&bench), (SymmetryMode::Off, 2 + 1 + 6 + 6));
    insta::assert_snapshot!("symmetry_off_80x24", bench.screen());
    bench.press("s");
    assert_eq!(nodes(&bench), (SymmetryMode::Canon, 2 + 3));
}

#[test]
fn a_matrix_alone() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter enter tab tab tab z");
    assert_eq!(bench.desk.app.focus, Pane::Matrix);
    insta::assert_snapshot!("matrix_80x24", bench.screen());
    bench.press("1 4");
    assert_eq!(bench.desk.app.focus, Pane::Matrix);
    bench.press("esc backtab");
    assert_eq!((bench.desk.app.focus, bench.desk.app.zoomed), (Pane::State, false));
}

#[test]
fn help_lists_every_action() {
    let mut bench = Bench::of(LIBRARY, 80, 160);
    bench.press("?");
    let screen = bench.screen();
    for described in ALL {
        assert!(screen.contains(described.text), "{}", described.name);
    }
    bench.resize(80, 24);
    // How long it is says its last line.
    let screen = bench.screen();
    let lines: Vec<&str> = screen.lines().take(22).collect();
    insta::assert_snapshot!("help_80x24", lines.join("\n"));
    bench.press("G");
    assert!(bench.screen().contains("draw the whole screen again"));
    // The pane that one is in comes first, and what opens the help closes it.
    for (keys, close, first) in
        [("g", "q", "OPERATIONS"), ("tab", "?", "SOURCE"), ("tab tab", "esc", "MATRIX")]
    {
        bench.press(keys);
        if bench.desk.app.overlay.is_none() {
            bench.press("?");
        }
        assert!(bench.screen().lines().nth(2).unwrap().contains(first), "{}", bench.screen());
        bench.press(close);
        assert_eq!(bench.desk.app.overlay, None);
    }
    assert!(!bench.effects.iter().any(|e| matches!(e, Effect::Quit)));
}

#[test]
fn a_trace_is_followed_to_the_violation() {
    let wrong = LIBRARY.replace(" & r /: ran(lent)", "");
    let mut bench = Bench::of(&wrong, 80, 24);
    let Check::Done(outcome) = &bench.desk.app.check else { panic!("no result") };
    assert_eq!(outcome.verdict.name(), "invariant-violation");
    bench.press("t");
    assert_eq!(bench.history().len(), 4);
    assert!(bench.desk.app.place.as_ref().unwrap().view.violation);
    insta::assert_snapshot!("violation_80x24", bench.screen());
    bench.resize(200, 50);
    insta::assert_snapshot!("violation_200x50", bench.screen());
}

#[test]
fn a_state_error_is_shown_where_it_happens() {
    let wrong = LIBRARY.replace("PRE b : dom(lent) THEN r :=", "PRE b : Book THEN r :=");
    let mut bench = Bench::of(&wrong, 80, 24);
    bench.press("t");
    assert_eq!(
        bench.desk.app.message.as_ref().unwrap().text,
        "followed the trace: holder fails here"
    );
    assert_eq!(bench.desk.app.place.as_ref().unwrap().view.faults.len(), 2);
    insta::assert_snapshot!("state_error_80x24", bench.screen());
}

#[test]
fn a_machine_that_never_loaded() {
    let broken = LIBRARY.replace("lent : Book", "lnt : Book").replace("lent := {}", "lent := 1");
    let mut bench = Bench::of(&broken, 80, 24);
    assert!(bench.desk.app.machine.is_none() && !bench.desk.app.stale);
    insta::assert_snapshot!("errors_80x24", bench.screen());
    bench.press("enter u ctrl-r s c space t tab z esc esc r");
    assert!(bench.desk.app.place.is_none());
}

#[test]
fn small_screens() {
    let mut bench = Bench::of(LIBRARY, 45, 12);
    bench.press("enter enter");
    insta::assert_snapshot!("small_45x12", bench.screen());
    bench.press("tab tab");
    assert!(bench.screen().contains("lent = {}"));
    bench.resize(23, 5);
    insta::assert_snapshot!("too_small_23x5", bench.screen());
}

#[test]
fn leaving_by_ctrl_c_is_asked_for_twice() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("ctrl-c");
    assert!(bench.screen().contains("Ctrl-C once more leaves"), "{}", bench.screen());
    bench.press("j ctrl-c");
    assert!(!matches!(bench.effects.last(), Some(Effect::Quit)));
    bench.press("ctrl-c");
    assert!(matches!(bench.effects.last(), Some(Effect::Quit)));
}

#[test]
fn formulas_are_asked_in_the_last_line() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press(":").type_in("lent");
    shown_line(&mut bench, "lent: not known: `lent` has no value yet");
    bench.press("enter enter : c a r d ( l e");
    shown_line(&mut bench, ":card(le ");
    // One name begins so: it is completed.
    bench.press("tab");
    shown_line(&mut bench, ":card(lent ");
    bench.type_in(") + 1");
    shown_line(&mut bench, "card(lent) + 1: 1  : INTEGER");
    // Names that are free are solved for; the pane shows all of it, and what was asked before.
    bench.press(":").type_in("b : Book & b /: dom(lent)");
    let screen = bench.screen();
    for line in ["b : Book & b /: dom(lent): 2 solutions", "Console", "    b = Book2"] {
        assert!(screen.contains(line), "{line} in {screen}");
    }
    bench.press(":").type_in("lent = 1");
    assert!(bench.desk.app.message.as_ref().unwrap().error);
    bench.press(": up up");
    shown_line(&mut bench, ":b : Book & b");
    bench.press("ctrl-u esc j");
    assert_eq!(bench.desk.app.prompt, None);
    bench.press("6 z");
    insta::assert_snapshot!("console_80x24", bench.screen());
}

/// Nothing is lost by going back, by following a trace or by an edit.
#[test]
fn every_run_stays_in_the_history() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("library.mch");
    let wrong = LIBRARY.replace(" & r /: ran(lent)", "");
    std::fs::write(&path, &wrong).unwrap();
    let mut bench = Bench::new(Origin::File(path.clone()), 80, 24);
    bench.press("enter enter alt-6 enter");
    let own = bench.tree();
    assert_eq!(own[3], "=>3 borrow(Book2, Reader3)");
    // The trace is another branch; one's own run is still there, and one key goes to it.
    bench.press("t");
    let tree = bench.tree();
    assert_eq!(tree[3], "|3 borrow(Book2, Reader3)", "{tree:?}");
    assert_eq!(tree[4..], ["*3 borrow(Book1, Reader1)", "=>4 borrow(Book2, Reader1)"]);
    bench.press("7 k k z");
    insta::assert_snapshot!("history_80x24", bench.screen());
    bench.press("z enter");
    assert_eq!(bench.history().last().unwrap(), "borrow(Book2, Reader3)");
    // From its start, step by step.
    bench.press("T");
    assert_eq!((bench.history().len(), bench.desk.app.place.as_ref().unwrap().redo), (0, 4));
    bench.press("ctrl-r ctrl-r ctrl-r ctrl-r");
    assert_eq!(bench.history().last().unwrap(), "borrow(Book2, Reader1)");

    // What the machine no longer does is still told of, and comes back with the repair.
    let none = wrong
        .replace("b : Book & r : Reader", "b : Book & r : Reader & b = r1")
        .replace("most = 1", "most = 1 & r1 : Book")
        .replace("CONSTANTS most", "CONSTANTS most, r1");
    let before = bench.tree();
    std::fs::write(&path, none).unwrap();
    bench.command(Command::Reload);
    let lost: Vec<String> = bench.tree().into_iter().filter(|l| l.contains('x')).collect();
    assert!(!lost.is_empty() && bench.history().len() < 4, "{lost:?}");
    let screen = bench.screen();
    assert!(screen.contains("lost"), "{screen}");
    std::fs::write(&path, &wrong).unwrap();
    bench.command(Command::Reload);
    let sorted = |mut tree: Vec<String>| {
        tree.sort();
        tree
    };
    assert_eq!(sorted(bench.tree()), sorted(before), "and it stands where it stood");
}

#[test]
fn actions_are_found_by_their_names() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("ctrl-p");
    shown_line(&mut bench, ">take ");
    for c in ["z", "o", "m"] {
        bench.press(c);
    }
    shown_line(&mut bench, ">zoom               z ");
    bench.press("enter");
    assert!(bench.desk.app.zoomed && bench.desk.app.overlay.is_none());
    // With arguments.
    bench.press("z enter enter enter ctrl-p").type_in("undo 2");
    assert_eq!(bench.history().len(), 1);
    bench.press("ctrl-p").type_in("mode nauty");
    shown_line(&mut bench, "symmetry: canon");
    bench.press("ctrl-p").type_in("mode flood");
    shown_line(&mut bench, "symmetry: flood");
    bench.press("ctrl-p").type_in("focus matrix");
    assert_eq!(bench.desk.app.focus, Pane::Matrix);
    bench.press("ctrl-p").type_in("mode nothing");
    shown_line(&mut bench, "`mode` takes one of off, flood, canon,");
    // Letters that the list has somewhere are no name of a mode, and none is taken where none is given.
    let checks = bench.desk.app.generation;
    for (typed, refused) in [
        ("mode foo", "`mode` takes one of off, flood, canon,"),
        ("mode fl", "`mode` takes one of off, flood, canon,"),
        ("mode", "`mode` takes one of off, flood, canon,"),
        ("mod", "`mode` takes one of off, flood, canon,"),
        ("mode 3", "`mode` takes one of off, flood, canon,"),
        ("focus", "`focus` takes one of operations, source,"),
    ] {
        bench.press("ctrl-p").type_in(typed);
        assert_eq!(bench.desk.app.symmetry(), SymmetryMode::Flood, "{typed}");
        shown_line(&mut bench, refused);
    }
    assert_eq!(bench.desk.app.generation, checks, "no check was started again");
    bench.press("ctrl-p").type_in("undo twice");
    shown_line(&mut bench, "`undo` takes a number or nothing, not `twice`");
    bench.press("ctrl-p").type_in("do nothing");
    shown_line(&mut bench, "there is no action `do nothing`");
    bench.press("ctrl-p down down up esc");
    assert_eq!((bench.desk.app.overlay, bench.desk.app.prompt), (None, None));
}

#[test]
fn without_utf8_everything_is_ascii() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.desk.app.ascii = true;
    bench.press("enter enter enter");
    let screen = bench.screen();
    assert!(screen.is_ascii() && screen.contains("|- State -"), "{screen}");
}

#[test]
fn a_running_check_is_paused_and_overtaken() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.run_checks = false;
    bench.press("c");
    let progress = Progress { nodes: 7, states: 5, queue: 3, ..Progress::default() };
    let now = Duration::ZERO;
    assert!(update::progress(&mut bench.desk.app, progress, now));
    assert!(!update::progress(&mut bench.desk.app, progress, now), "nothing new, nothing to draw");
    assert!(bench.desk.app.is_searching());
    insta::assert_snapshot!("running_80x24", bench.screen());
    assert!(update::progress(&mut bench.desk.app, progress, Duration::from_millis(3500)));
    assert!(bench.screen().contains("at one state for 3 s"), "{}", bench.screen());
    let late = Progress { asked: Some(2), ..progress };
    assert!(update::progress(&mut bench.desk.app, late, Duration::from_secs(9)));
    assert!(bench.screen().contains("assertions asked of 2 of 5 states"), "{}", bench.screen());
    bench.press("space");
    assert!(matches!(bench.effects.last(), Some(Effect::Pause)));
    assert!(!bench.desk.app.is_searching() && bench.screen().contains("paused"));
    assert!(bench.screen().contains("Space go on"), "{}", bench.screen());
    bench.press("space");
    assert!(matches!(bench.effects.last(), Some(Effect::Resume)));

    let old = bench.desk.app.generation;
    bench.press("c");
    update::check_ended(&mut bench.desk, old, Ended::Failed("late".to_owned()));
    assert!(matches!(bench.desk.app.check, Check::Running { .. }), "the result of an old check");
    let now = bench.desk.app.generation;
    update::check_ended(&mut bench.desk, now, Ended::Failed("out of luck".to_owned()));
    assert!(bench.screen().contains("the check failed: out of luck"));
}

/// No key at any size of the screen makes the drawing fail.
#[test]
fn any_keys_at_any_size() {
    let keys: Vec<String> =
        "j k h l pageup pagedown g G tab backtab z enter u ctrl-r t s c space r \
                             e ? esc f F x y m o T w W : / ctrl-p 1 2 3 4 5 6 7 q"
            .split_whitespace()
            .map(str::to_owned)
            .collect();
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |n: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % n as u64) as usize
    };
    let wrong = LIBRARY.replace("PRE b : dom(lent) THEN r :=", "PRE b : Book THEN r :=");
    for text in [LIBRARY, &wrong, "MACHINE m END", "MACHINE", ""] {
        let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
        for _ in 0..150 {
            let size = (1 + below(220) as u16, 1 + below(60) as u16);
            bench.resize(size.0, size.1);
            // What is on the screen is drawn after either.
            let key = &keys[below(keys.len())];
            bench.press(key);
        }
    }
}

/// The labelling of the matrix pane is the text of the command line, and scrolls.
#[test]
fn the_labelling_is_explained_in_place_of_the_matrix() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter enter tab tab tab z x");
    insta::assert_snapshot!("labelling_80x24", bench.screen());
    bench.press("G");
    let screen = bench.screen();
    assert!(screen.contains("orbit size          6 = 12 / 2"), "{screen}");
    assert!(screen.contains("(Reader2 Reader3)"), "{screen}");
    bench.press("x");
    assert!(bench.screen().contains("bits: 1 most, 2 lent"), "{}", bench.screen());
    bench.press("u u u u x");
    assert!(bench.screen().contains("no state yet"), "{}", bench.screen());
}

/// The labelling, step by step, in the matrix itself: what splits a cell, and the cells after it.
#[test]
fn the_refinement_is_stepped_forth_and_back() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter enter 4 z");
    let whole = bench.screen();
    bench.press("]");
    insta::assert_snapshot!("refined_0_80x24", bench.screen());
    bench.press("]");
    insta::assert_snapshot!("refined_1_80x24", bench.screen());
    // Each step splits one cell; in the end each vertex is alone, as in the matrix.
    let cells = |bench: &mut Bench| {
        let screen = bench.screen();
        let rows = screen.lines().filter_map(|l| l.trim_start_matches('"').chars().next());
        rows.filter(|c| "┌╶".contains(*c)).count()
    };
    let mut seen = vec![cells(&mut bench)];
    while !bench.screen().contains("each vertex is a cell of its own") {
        bench.press("]");
        seen.push(cells(&mut bench));
    }
    seen.pop();
    assert!(seen.windows(2).all(|w| w[0] < w[1]), "{seen:?}");
    assert_eq!(*seen.last().unwrap(), 7, "all of them");
    let steps = seen.len() + 1;
    for _ in 0..steps {
        bench.press("[");
    }
    assert_eq!(bench.screen(), whole, "and back");
    bench.press("u ]");
    shown_line(&mut bench, "step 0 of ");
    bench.press("u u ]");
    shown_line(&mut bench, "no state yet: take a step to initialise the machine");
}

#[test]
fn the_symmetry_of_the_sets_is_explained() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("y");
    insta::assert_snapshot!("symmetry_of_sets_80x24", bench.screen());
    bench.press("y");
    assert_eq!(bench.desk.app.overlay, None);
}

/// Names that are longer than the panes leave room for what they name.
#[test]
fn long_names_leave_room_for_values_and_sets_for_the_file() {
    let long = "the_books_that_are_lent_out_to_the_readers_of_the_library";
    let text =
        LIBRARY.replace("lent", long).replace("Reader", "ReaderWithACardOfTheLibrary").replace(
            "SETS ",
            "SETS Alpha; Beta; Gamma; Delta; Epsilon; Zeta; Eta; Theta; Iota; Kappa; ",
        );
    let mut bench = Bench::with(embedded(&text), SetupOptions::default(), 80, 24);
    bench.press("enter enter enter");
    insta::assert_snapshot!("long_names_80x24", bench.screen());
    let screen = bench.screen();
    let header = screen.lines().next().unwrap();
    assert!(header.contains("library.mch") && header.contains('…'), "{header}");
    assert!(header.contains("symmetry canon"), "{header}");
    assert!(screen.contains("    {(Book1|->ReaderWithACard"), "{screen}");
}

/// What clears, sets titles, rings, turns the direction of writing, or is not to be seen.
const BAD: &str = "\x1b[2J\x1b]0;owned\x07\x08\x7f\u{9b}31m\u{202e}\u{2066}\u{200b}\u{feff}\u{ad}";

#[test]
fn no_screen_passes_on_what_steers_a_terminal() {
    let text = "MACHINE Hostile /*\r@ */
SETS `S@` = {`e@`, f}; `D@`
CONSTANTS `c@` PROPERTIES `c@` = \"text@\"
VARIABLES `v@`, s, d
INVARIANT `v@` : STRING & d <: `D@` & s <: `S@` & /*@label la@bel */ `v@` /= \"arg@\"
INITIALISATION `v@` := \"init@\" || s := {} || d := {}
OPERATIONS
  `op@`(`p@`) = PRE `p@` : {\"arg@\", \"b\"} THEN `v@` := `p@` END;
  `fails@`(x) = PRE x : `D@` THEN s := {{(f |-> `e@`)}(`e@`)} || `v@` := \"@\" END;
  one(x) = PRE x : `D@` & x /: d THEN d := d \\/ {x} END
END";
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("H\x1b[31m\u{202e}.mch");
    let hostile = text.replace('@', BAD);
    std::fs::write(&path, &hostile).unwrap();
    let shown = |bench: &mut Bench, what: &str| {
        let mut terminal =
            Terminal::new(TestBackend::new(bench.desk.app.width, bench.desk.app.height)).unwrap();
        terminal.draw(|frame| bench.desk.draw(frame.buffer_mut())).unwrap();
        for cell in terminal.backend().buffer().content() {
            let wrong = cell.symbol().chars().find(|c| crate::printable::steers(*c));
            assert_eq!(wrong, None, "{what}: {:?}", cell.symbol());
        }
    };
    for (width, height) in [(80, 24), (400, 60), (45, 12)] {
        std::fs::write(&path, &hostile).unwrap();
        let setup = SetupOptions { goal: Some("card(d) = 2".to_owned()), ..Default::default() };
        let mut bench = Bench::with(Origin::File(path.clone()), setup, width, height);
        assert!(bench.desk.app.machine.is_some(), "{:?}", bench.desk.app.diagnostics);
        bench.desk.app.loading = false;
        for keys in [
            "",
            "enter",
            "enter",
            "enter",
            "tab",
            "z",
            "tab",
            "x",
            "tab",
            "tab",
            "z",
            "y",
            "esc",
            "m",
            "esc",
            "e",
            "esc",
            "t",
            "s",
            "S",
            "f",
            "7",
            "6",
            ": d enter",
            "w s enter",
            "ctrl-p esc",
            "/ o",
            "enter",
            "7 z",
            "6",
            "z",
            "1",
        ] {
            bench.press(keys);
            shown(&mut bench, keys);
        }
        bench.resize(width, height);
        if width == 400 {
            // Not left out, but shown, in every pane.
            let screen = bench.press("u").screen();
            for part in ["v\\u{1b}[2J", "H\\u{1b}[31m\\u{202e}.mch", "/*\\u{d}\\u{1b}"] {
                assert!(screen.contains(part), "{part}: {screen}");
            }
        }
        bench.desk.app.complain(format!("{BAD}\n{BAD}"));
        shown(&mut bench, "message");
        bench.press("m");
        shown(&mut bench, "messages");
        bench.desk.app.check = Check::Failed(BAD.to_owned());
        shown(&mut bench, "failure");
        std::fs::write(&path, format!("MACHINE `M{BAD}` CONSTANTS c PROPERTIES c = `d{BAD}` END"))
            .unwrap();
        bench.command(Command::Reload);
        shown(&mut bench, "errors");
    }
}
