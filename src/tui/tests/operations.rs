//! The list of operations and their instances.

use super::bench::{Bench, LIBRARY, embedded, shown_line};
use crate::setup::SetupOptions;
use crate::tui::engine::{Command, Work};
use crate::tui::keymap::Key;
use crate::tui::panes::Pane;
use crate::tui::update::{self, Effect};

#[test]
fn operations_are_filtered_from_any_pane() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter i G k k 3 / B o o k 2");
    assert_eq!(bench.desk.app.focus, Pane::Operations);
    shown_line(&mut bench, "6/6, 3 with `Book2`");
    assert!(!bench.screen().contains("borrow(Book1, Reader1)"));
    bench.press("enter k enter");
    assert_eq!(bench.history().last().unwrap(), "borrow(Book2, Reader2)");
    // It stays, and says so where nothing fits.
    bench.press("/ ctrl-u z z enter enter");
    assert!(bench.desk.app.message.as_ref().unwrap().text.contains("nothing here has"));
    bench.press("/ esc");
    shown_line(&mut bench, "borrow(Book1, Reader");
}

#[test]
fn keys_that_come_before_the_list_wait_for_it() {
    let after = |keys: &str| {
        let mut bench = Bench::of(LIBRARY, 80, 24);
        let mut effects = Vec::new();
        for name in keys.split_whitespace() {
            let key = Key::parse(name).unwrap();
            effects.extend(update::key(&mut bench.desk, key).unwrap_or_default());
        }
        bench.perform(effects);
        bench.history().to_vec()
    };
    let slowly = |keys: &str| {
        let mut bench = Bench::of(LIBRARY, 80, 24);
        bench.press(keys);
        bench.history().to_vec()
    };
    // Each is taken, in the order in which they came.
    for keys in [
        "enter enter",
        "enter enter enter enter",
        "enter enter j enter",
        "enter enter u enter j enter",
        "enter 2 enter",
        "enter enter enter u u",
        "enter enter / b r i n g enter enter",
    ] {
        assert_eq!(after(keys), slowly(keys), "{keys}");
    }
    assert_eq!(after("enter enter enter enter").len(), 4);
    // What ends something ends that they wait.
    assert_eq!(after("enter enter enter esc").len(), 1);
    assert_eq!(after("enter 2 enter ctrl-c").len(), 1);
}

/// A machine with one operation that takes for ever, one that cannot be, and ten thousand instances.
const UNEVEN: &str = "\
MACHINE uneven
VARIABLES x, s
INVARIANT x : 0..100000 & s <: 1..24
INITIALISATION x := 0 || s := {}
OPERATIONS
  slow(y) = PRE y <: 1..24 & !n.(n : 1..24 => card(y - {n}) >= 0) THEN s := y END;
  many(n) = PRE n : 1..100000 THEN x := n END;
  far = PRE x > 7 & s = {} THEN x := 0 END;
  none(n) = PRE n : 1..3 & n > x + 3 THEN x := n END;
  easy = BEGIN x := 0 END
END
";

#[test]
fn every_operation_has_its_turn_and_every_instance_can_be_reached() {
    let mut bench = Bench::quick(UNEVEN, 100, 30);
    bench.press("enter");
    let screen = bench.screen();
    let line = |text: &str| {
        screen.lines().find(|l| l.contains(text)).unwrap_or_else(|| panic!("{text}: {screen}"))
    };
    assert!(line("+ slow").contains("and perhaps more; Enter"), "{screen}");
    // On a fast machine its turn is enough for this one.
    let many_is_cut = line("+ many").contains("and perhaps more; Enter");
    line("easy");
    line("- far: x > 7 is false, x = 0");
    line("- none: n > x + 3 holds for no n, x = 0");
    // What was cut goes on when it is asked for; the last of a hundred thousand is taken.
    bench.press(if many_is_cut { "j enter" } else { "j" });
    shown_line(&mut bench, "+ many  100,000");
    bench.press("/ 9 9 9 9 9 enter enter");
    assert_eq!(bench.history().last().unwrap(), "many(99999)");
    bench.press("/ esc");
    assert!(!bench.screen().contains("- far"), "it is enabled now: {}", bench.screen());
}

#[test]
fn an_operation_with_many_instances_is_opened_and_closed() {
    let text = "MACHINE m VARIABLES x INVARIANT x : 0..50 INITIALISATION x := 0
OPERATIONS many(n) = PRE n : 1..50 THEN x := n END; one = BEGIN x := 0 END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("enter");
    shown_line(&mut bench, ">+ many  50");
    shown_line(&mut bench, " 51= one");
    bench.press("enter j");
    shown_line(&mut bench, " - many  50");
    shown_line(&mut bench, "> 1* many(1)");
    bench.press("k enter");
    assert!(!bench.screen().contains("many(1)"), "{}", bench.screen());
}

#[test]
fn a_step_that_was_overtaken_is_not_taken() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    let number = bench.desk.app.place.as_ref().unwrap().number;
    bench.press("enter");
    bench.command(Command::Step { place: number, number: 0 });
    assert_eq!(bench.history().len(), 1);
}

#[test]
fn escape_cancels_what_takes_long() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    (bench.desk.app.waiting, bench.desk.app.slow, bench.desk.app.doing) =
        (1, true, Work::Following);
    bench.press("z");
    assert!(bench.screen().contains("following the trace ... (Esc cancels)"));
    bench.press("esc");
    assert!(matches!(bench.effects.last(), Some(Effect::Cancel)));
    assert!(bench.desk.app.zoomed, "the work first");
    bench.desk.app.waiting = 0;
    bench.press("esc");
    assert!(!bench.desk.app.zoomed);
}

/// Calls that the state does not tell apart are one line.
#[test]
fn calls_of_one_kind_are_one_line_that_is_opened() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter");
    shown_line(&mut bench, ">1* borrow(Book*, Reader*): 6, one kind");
    shown_line(&mut bench, "    lent +{(Book1|->Reader1)}");
    bench.press("i");
    shown_line(&mut bench, " 4*   borrow(Book2, Reader1)");
    bench.press("j j i");
    shown_line(&mut bench, ">1* borrow(Book*, Reader*): 6, one kind");
    assert!(!bench.screen().contains("borrow(Book2, Reader3)"));
    bench.press("enter");
    assert_eq!(bench.history().last().unwrap(), "borrow(Book1, Reader1)");
    // What is fixed by the state is named.
    shown_line(&mut bench, "1* borrow(Book2, Reader*): 2, one kind");
    shown_line(&mut bench, "3o bring(Book1)");
    shown_line(&mut bench, "4= Reader1 <-- holder(Book1)");
    bench.press("j");
    shown_line(&mut bench, "3o bring(Book1)  lent = {}");
}

#[test]
fn a_sign_says_where_an_operation_leads() {
    let text = "MACHINE m SETS P; Q VARIABLES x, y INVARIANT x : P & y : POW(Q) & card(y) < 2
INITIALISATION x :: P || y := {}
OPERATIONS move(p) = PRE p : P - {x} THEN x := p END; grow(q) = PRE q : Q - y THEN y := y \\/ {q} END;
  stay = skip END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 100, 30);
    bench.press("enter");
    let sizes = bench.desk.app.machine.as_ref().unwrap().sets.clone();
    assert!(sizes.iter().all(|(_, n)| *n >= 2), "{sizes:?}");
    shown_line(&mut bench, ">1~ move(P2)  x = P2");
    shown_line(&mut bench, "2* grow(Q*): 2, one kind");
    shown_line(&mut bench, "4= stay");
    bench.press("j enter");
    shown_line(&mut bench, "! grow(");
}

#[test]
fn operations_are_filtered_by_predicates() {
    let mut bench = Bench::of(LIBRARY, 100, 30);
    bench.press("enter enter /").type_in("r = Reader3 & b /= Book1");
    shown_line(&mut bench, "6/6, 1 with `r = Reader3");
    shown_line(&mut bench, ">6* borrow(Book2, Reader3)");
    // It stays while one steps; results have names, too.
    bench.press("enter");
    shown_line(&mut bench, "Reader3 <-- holder(Book2)");
    shown_line(&mut bench, "1 with `r = Reader3");
    bench.press("u / ctrl-u").type_in("zz = Reader1");
    bench.press("enter");
    shown_line(
        &mut bench,
        "nothing here has `zz = Reader1`, and as a predicate: no operation has such",
    );
    bench.press("/ esc");
    shown_line(&mut bench, "6, one kind");
}

/// A slip in a predicate is no reason for an empty list without a word.
#[test]
fn a_filter_that_is_no_predicate_is_told() {
    let mut bench = Bench::of(LIBRARY, 120, 40);
    bench.press("enter enter");
    for (filter, why) in [
        ("r = Reder3", "nothing here has `r = Reder3`, and as a predicate: "),
        ("r = ", "nothing here has `r =`, and as a predicate: expected "),
        ("zz = 3", "and as a predicate: no operation has such parameters: zz"),
        ("card(lent) = 0", "and as a predicate: it mentions no parameter"),
    ] {
        bench.press("/ ctrl-u").type_in(filter);
        assert!(bench.desk.app.message.as_ref().unwrap().error, "{filter}");
        shown_line(&mut bench, why);
    }
    // It is said once, and not of a text that calls have.
    bench.press("u");
    assert!(!bench.desk.app.message.as_ref().is_some_and(|m| m.error), "said again");
    bench.press("ctrl-r / esc enter / ctrl-u").type_in("Reader1 <-- holder");
    shown_line(&mut bench, "Reader1 <-- holder(Book1)");
    assert!(!bench.desk.app.message.as_ref().is_some_and(|m| m.error), "calls have it");
}

/// A filter that leaves nothing in a state says how to get out, and Esc does so.
#[test]
fn a_filter_is_left_by_escape() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter enter /").type_in("r = Reader2 & b /: dom(lent)");
    bench.press("u u u");
    assert!(bench.history().is_empty());
    shown_line(&mut bench, "0 with `r");
    shown_line(&mut bench, "Esc shows all: nothing here");
    bench.press("z esc");
    assert!(bench.desk.app.filter.is_empty() && bench.desk.app.zoomed, "the filter first");
    shown_line(&mut bench, "SETUP_CONSTANTS");
    bench.press("/").type_in("INIT");
    bench.press("2 esc");
    assert_eq!(bench.desk.app.filter, "INIT", "that of another pane stays");
    assert!(!bench.desk.app.zoomed);
    // So does the filter of the state pane.
    bench.press("\\").type_in("len");
    bench.press("esc");
    assert!(bench.desk.app.names.is_empty());
}

/// What is opened at the end of the list is to be seen.
#[test]
fn a_guard_is_opened_in_sight() {
    let text = "MACHINE m VARIABLES x INVARIANT x : 0..50 INITIALISATION x := 0
OPERATIONS a(n) = PRE n : 1..15 THEN x := n END; b = PRE x > 1 & x < 9 & x /= 7 THEN x := 0 END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("enter G i");
    for line in [">- b: x > 1 is false, x = 0", "F x > 1", "T x < 9", "T x /= 7"] {
        shown_line(&mut bench, line);
    }
}

/// The guard of a call that is enabled is taken apart with its arguments.
#[test]
fn the_guard_of_an_enabled_call_is_opened() {
    let mut bench = Bench::of(LIBRARY, 100, 30);
    bench.press("enter enter enter");
    shown_line(&mut bench, "borrow(Book2, Reader*): 2, one kind");
    bench.press("I");
    for line in ["T b : Book", "T b /: dom(lent)", "T r /: ran(lent)"] {
        shown_line(&mut bench, line);
    }
    // Its members have guards of their own; a part stands for its call.
    bench.press("I i j j I");
    shown_line(&mut bench, ">2* ");
    shown_line(&mut bench, "T r /: ran(lent)");
    bench.press("j j I");
    shown_line(&mut bench, ">2* ");
    assert!(!bench.screen().contains("T r /: ran"), "{}", bench.screen());
    bench.press("I j enter");
    assert_eq!(bench.history().last().unwrap(), "borrow(Book2, Reader3)");
    // Numbers of calls mean other ones now.
    assert!(!bench.screen().contains("T b : "), "{}", bench.screen());
    bench.press("j I");
    shown_line(&mut bench, "T b : dom(lent)");
}

#[test]
fn a_call_without_a_guard_says_so() {
    let text = "MACHINE m VARIABLES x INVARIANT x : 0..5 INITIALISATION x := 0
OPERATIONS a = BEGIN x := 0 END; b(n) = PRE n : 1..3 & #k.(k : 0..3 & k > n) THEN x := n END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("I");
    assert!(bench.screen().contains("a guard is shown for an operation"), "{}", bench.screen());
    bench.press("enter I");
    shown_line(&mut bench, "T always enabled: it has no guard");
    bench.press("G I");
    shown_line(&mut bench, "T n : 1..3");
    shown_line(&mut bench, "T #k.(k : 0..3 & k > n)");
    shown_line(&mut bench, "holds for k = 3");
}

/// A filter goes through many texts part by part, and all of them are looked at in the end.
#[test]
fn a_filter_does_not_keep_keys_waiting() {
    let text = "MACHINE m VARIABLES x INVARIANT x : 0..400 INITIALISATION x := 0
OPERATIONS set(a, b) = PRE a : 1..400 & b : 1..250 THEN x := 0 END; far = PRE x > 77777 THEN x := 0 END
END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 200, 50);
    bench.press("enter");
    shown_line(&mut bench, "set  100,000");
    bench.press("/ 4 0 0");
    for key in [",", "space", "2"] {
        let effects = update::key(&mut bench.desk, Key::parse(key).unwrap()).unwrap();
        assert!(bench.desk.goes_on(), "all 100,000 were looked at before the key was answered");
        bench.perform(effects);
        shown_line(&mut bench, "+ with `400");
    }
    // One may go on typing, or wait.
    bench.press("5 0");
    assert!(!bench.desk.goes_on());
    shown_line(&mut bench, "100000/100000, 1 with `400, 250`");
    shown_line(&mut bench, ">100000");
    bench.press("enter");
    bench.press("/ ctrl-u 7 7 7");
    shown_line(&mut bench, "- far: x > 77777 is false, x = 0");
    bench.press("esc");
    shown_line(&mut bench, "set  100,000");
}
