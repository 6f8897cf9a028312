//! What is shown of values, and of what is false.

use super::bench::{Bench, LIBRARY, embedded, shown_line};
use crate::search::control::Closer;
use crate::search::{OperationCount, Progress};
use crate::setup::SetupOptions;
use crate::tui::app::{Check, Overlay};
use crate::tui::choices;
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
    // What is wrong with a formula is told, and does not stand there for ever.
    for (formula, told) in [("card(", "card(: expected "), ("lent = 1", "lent = 1: ")] {
        bench.press("w").type_in(formula);
        assert!(bench.desk.app.message.as_ref().unwrap().error, "{formula}");
        shown_line(&mut bench, told);
        assert!(bench.desk.app.watched.is_empty() && !bench.screen().contains("WATCHED"));
    }
    bench.press("w").type_in("dom(lent)");
    assert_eq!(bench.desk.app.watched, ["dom(lent)"]);
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

#[test]
fn conjuncts_are_taken_apart() {
    let wrong = LIBRARY.replace(" & r /: ran(lent)", "");
    let mut bench = Bench::of(&wrong, 120, 40);
    bench.press("t 3 g j i");
    let screen = bench.screen();
    for line in [
        "F !r.(r : Reader",
        "F fails for r = Reader1",
        "T r : Reader",
        "F card(lent~[{r}]) <= most",
    ] {
        assert!(screen.contains(line), "{line}: {screen}");
    }
    shown_line(&mut bench, "card(lent~[{r}]) = 2");
    shown_line(&mut bench, "most = 1");
    // It stays open while one steps, and is closed by the same key.
    bench.press("u");
    shown_line(&mut bench, "- for all values");
    bench.press("ctrl-r i");
    assert!(!bench.screen().contains("fails for"), "{}", bench.screen());
    // What makes an existential one true.
    let text = "MACHINE m VARIABLES x INVARIANT x : 0..9 & #n.(n : 1..9 & (n = x + 2 or n > 8)) & not(x = 5)
INITIALISATION x := 1 OPERATIONS up = PRE x < 1 & x > 0 THEN x := 2 END;
  some(n) = PRE n : 1..3 & n > x & n > 5 THEN x := n END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 120, 40);
    bench.press("enter 3 j j j i");
    let screen = bench.screen();
    for line in ["T #n.(n", "T holds for n = 3", "T (n = x + 2 or n > 8)", "T n = x + 2", "F n > 8"]
    {
        assert!(screen.contains(line), "{line}: {screen}");
    }
    // A set that types something is not listed.
    bench.press("g i k k i");
    assert!(!bench.screen().contains("0..9 = {"), "{}", bench.screen());
    // A guard, below the operation that it blocks.
    bench.press("1 i");
    for line in ["- up: x < 1 is false", "F x < 1", "T x > 0"] {
        shown_line(&mut bench, line);
    }
    bench.press("G i");
    let screen = bench.screen();
    for line in ["T n : 1..3", "T n > x", "n = 2", "F n > 5"] {
        assert!(screen.contains(line), "{line}: {screen}");
    }
}

#[test]
fn a_value_is_opened_copied_and_written() {
    let text = "MACHINE m VARIABLES x, y INVARIANT x <: 1..60 & y : 0..9 INITIALISATION x := 11..40 || y := 1 END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("enter 3 i");
    shown_line(&mut bench, "  x =");
    shown_line(&mut bench, "      11 ");
    shown_line(&mut bench, "      12 ");
    bench.press("i");
    assert!(!bench.screen().contains("      12 "), "{}", bench.screen());
    bench.press("j Y");
    let copied = bench.effects.last();
    assert!(matches!(copied, Some(Effect::Copy(text)) if text == "y = 1"), "{copied:?}");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("value.txt");
    bench.press("k ctrl-w").type_in(path.to_str().unwrap());
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written.starts_with("x = {11,12") && written.contains(",40}"), "{written}");
}

/// What is copied is what is drawn, and not the value of the state before.
#[test]
fn the_value_of_a_state_just_reached_is_copied_and_written() {
    let text = "MACHINE m VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0
OPERATIONS up = PRE x < 9 THEN x := x + 1 END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("enter 3 g");
    for (key, value) in [("enter", 1), ("enter", 2), ("u", 1), ("ctrl-r", 2)] {
        bench.press(key).press("Y");
        let (copied, wanted) = (bench.effects.last(), format!("x = {value}"));
        assert!(matches!(copied, Some(Effect::Copy(text)) if *text == wanted), "{key}: {copied:?}");
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("value.txt");
    bench.press("enter ctrl-w").type_in(path.to_str().unwrap());
    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(written.trim_end(), "x = 3");
    // Elsewhere it is the whole state.
    bench.press("u 1 Y");
    let copied = bench.effects.last();
    assert!(matches!(copied, Some(Effect::Copy(text)) if text == "x = 2"), "{copied:?}");
}

#[test]
fn settings_are_changed_from_the_keyboard() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    let nodes = |bench: &Bench| match &bench.desk.app.check {
        Check::Done(outcome) => outcome.nodes,
        other => panic!("{other:?}"),
    };
    bench.press("enter enter alt-6 enter O");
    shown_line(&mut bench, ">Reader             3             number of elements of this set");
    assert_eq!(nodes(&bench), 5);
    bench.press("j l");
    shown_line(&mut bench, ">Book               3 ");
    shown_line(&mut bench, "Reader=3  Book=3");
    assert_eq!(nodes(&bench), 6);
    assert_eq!(bench.history().last().unwrap(), "borrow(Book2, Reader3)", "the run stays");
    // As far as it is there.
    bench.press("h h");
    shown_line(&mut bench, "Reader=3  Book=1");
    assert_eq!(bench.history().len(), 2);
    bench.press("l");
    assert_eq!(bench.history().last().unwrap(), "borrow(Book2, Reader3)", "and comes back");
    bench.press("j j j j h");
    shown_line(&mut bench, ">symmetry           flood         each new state with all its images");
    shown_line(&mut bench, "symmetry flood");
    bench.press("l l l");
    shown_line(&mut bench, "symmetry approx-marker");
    bench.press("q");
    assert_eq!(bench.desk.app.overlay, None);
}

/// Selects the line of the list of settings that begins so.
fn select_setting(bench: &mut Bench, name: &str) {
    let rows = choices::rows(&bench.desk.app);
    let at = rows.iter().position(|row| row.name == name).unwrap_or_else(|| panic!("{name}"));
    bench.press("g");
    for _ in 0..at {
        bench.press("j");
    }
    shown_line(bench, &format!(">{name} "));
}

/// Each line is changed, means something, fits 80 columns, and the check has run with it.
#[test]
fn everything_that_can_be_set_is_set_from_the_keyboard() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter alt-6 enter O");
    for (name, keys, shown) in [
        ("MAXINT", "l", "4  "),
        ("MININT", "h", "-2  "),
        ("DEFAULT_SETSIZE", "l", "3  "),
        ("main array", "l", "first  "),
        ("flood limit", "h", "10000  "),
        ("iso colouring", "l", "paige-tarjan"),
        ("symmetry breaking", "l", "off"),
        ("measure precision", "enter", "on "),
        ("strategy", "enter", "dfs "),
        ("alpha", "l", "0.6"),
        ("seed", "l", "2 "),
        ("partial order", "l", "ample"),
        ("partial order set", "l", "first"),
        ("threads", "l l", "2 "),
        ("memory", "l l", "2G "),
        ("timeout", "l", "10 s"),
        ("max states", "l l", "10000 "),
        ("invariant", "l", "off"),
        ("on violation", "l", "prune"),
        ("deadlocks", "l", "off"),
        ("keep going", "l", "on "),
        ("undefined guards", "l", "warn"),
        ("static symmetry", "l", "off"),
        ("symbolic", "l", "on "),
        ("joint writes", "enter", "on "),
        ("local calls", "h", "on "),
    ] {
        select_setting(&mut bench, name);
        let before = bench.effects.len();
        bench.press(keys);
        let screen = bench.screen();
        let line = screen.lines().find(|l| l.contains(&format!(">{name} "))).unwrap();
        assert!(line.contains(shown), "{line}");
        assert!(matches!(bench.desk.app.check, Check::Done(_)), "{name}");
        let checked = |effect: &Effect| matches!(effect, Effect::Check { .. });
        assert!(bench.effects[before..].iter().any(checked), "{name}: checked again");
    }
    for row in choices::rows(&bench.desk.app) {
        assert!(row.meaning.chars().count() <= 46 && !row.meaning.is_empty(), "{}", row.meaning);
    }
    let search = &bench.desk.app.search;
    assert_eq!((search.threads, search.memory), (Some(2), Some(2 << 30)));
    assert_eq!((search.max_states, search.seed), (Some(10_000), 2));
    assert!(!search.invariant && !search.deadlock && search.keep_going);
    assert_eq!(bench.history().last().unwrap(), "borrow(Book2, Reader3)", "the run stays");
}

/// Values are typed, too; what is no value is told, and changes nothing.
#[test]
fn values_of_settings_are_typed() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    let mut typed = |name: &str, text: &str, shown: &str| {
        if bench.desk.app.overlay != Some(Overlay::Settings) {
            bench.press("esc O");
        }
        select_setting(&mut bench, name);
        bench.press("enter ctrl-u").type_in(text);
        shown_line(&mut bench, shown);
    };
    typed("Reader", "5", "Reader=5  Book=2");
    typed("Reader", "none", "Reader: expected a number from 1 to 1048576, found `none`");
    typed("Reader", "", "Reader=2  Book=2");
    typed("MAXINT", "1000", ">MAXINT             1000 ");
    typed("MININT", "2000", "MININT: expected a number from -9223372036854775808 to 1000");
    typed("memory", "512M", ">memory             512M ");
    typed("memory", "plenty", "memory: expected a number of bytes");
    typed("timeout", "2.5", ">timeout            2.5 s ");
    // What is no formula of this machine is refused in the same way.
    typed("most", "lent", "not set: ");
    typed("most", "lent", ">most               not given ");
    typed("most", "", ">most               not given ");
    typed("goal", "card(lent", "goal: expected ");
    typed("goal", "card(lnt) = 2", "not set: ");
    typed("goal", "card(lnt) = 2", ">goal               none ");
    typed("goal", "card(lent) = 2", ">goal               card(lent) = 2 ");
    bench.press("esc");
    shown_line(&mut bench, "goal-found");
    // What the modes that sort can sort by are the arrays over symmetric sets.
    let text = "MACHINE m SETS P VARIABLES x, y INVARIANT x : P --> BOOL & y : P
INITIALISATION x := P * {TRUE} || y :: P END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("O");
    select_setting(&mut bench, "main array");
    bench.press("l");
    shown_line(&mut bench, ">main array         x ");
    bench.press("l");
    shown_line(&mut bench, ">main array         first ");
}

/// The state pane shows what has some text in its name, or what the last step changed.
#[test]
fn the_state_is_filtered_by_name_and_by_change() {
    let text = "MACHINE m VARIABLES speed, doors, light INVARIANT speed : 0..9 & doors : BOOL & light : BOOL
INITIALISATION speed := 0 || doors := TRUE || light := FALSE
OPERATIONS go = PRE speed < 9 THEN speed := speed + 1 END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 24);
    bench.press("enter enter \\ d o o");
    let screen = bench.screen();
    for (text, there) in [
        ("  doors = TRUE", true),
        ("T doors : BOOL", true),
        ("step 2, `doo`", true),
        ("4 lines have no `doo` (\\ Esc: all)", true),
        ("speed = 1", false),
        ("T light : BOOL", false),
    ] {
        assert_eq!(screen.contains(text), there, "{text} in {screen}");
    }
    bench.press("enter");
    assert_eq!(bench.desk.app.names, "doo", "it stays");
    bench.press("\\ esc H");
    let screen = bench.screen();
    for (text, there) in [
        ("* speed = 1", true),
        ("2 variables unchanged (H shows all)", true),
        ("doors = TRUE", false),
        ("T doors : BOOL", true),
    ] {
        assert_eq!(screen.contains(text), there, "{text} in {screen}");
    }
}

/// Two states of the history: of one orbit, and by which names; or what tells them apart.
#[test]
fn two_states_are_compared_side_by_side() {
    let mut bench = Bench::of(LIBRARY, 80, 30);
    bench.press("enter enter alt-1 enter u alt-6 enter 7");
    // The other branch stands above.
    bench.press("g j j j i");
    let screen = bench.screen();
    let line =
        screen.lines().find(|l| l.contains("same orbit, by")).unwrap_or_else(|| panic!("{screen}"));
    for name in ["Book1 <-> Book2", "Reader1 <-> Reader3"] {
        assert!(line.contains(name), "{screen}");
    }
    shown_line(&mut bench, "lent # {(Book2|->Reader3)}");
    bench.press("esc k i");
    shown_line(&mut bench, "other orbits; lent tells them apart");
    shown_line(&mut bench, "lent like {(");
    shown_line(&mut bench, "and  {}");
    bench.press("q G i");
    shown_line(&mut bench, "the same state");
    bench.press("esc g i");
    shown_line(&mut bench, "there is no state at one of these steps");
    // Each by itself is alike; together they are not.
    let text = "MACHINE m SETS P VARIABLES x, y INVARIANT x <: P & y <: P INITIALISATION x := {} || y := {}
OPERATIONS both(p, q) = PRE p : P & q : P THEN x := {p} || y := {q} END END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 80, 30);
    bench.press("enter alt-1 enter u alt-2 enter 7 g j j i");
    shown_line(&mut bench, "other orbits; x, y together tell them apart");
}

#[test]
fn the_source_tells_what_the_check_did() {
    let mut bench = Bench::of(LIBRARY, 200, 50);
    bench.press("enter enter");
    shown_line(&mut bench, "borrow(b, r) =  ·taken 8, first 2");
    shown_line(&mut bench, "bring(b) =  ·taken 3, first 0");
}

/// The values of the variables, and what the time went on while one looked.
#[test]
fn the_statistics_tell_values_and_shares_of_time() {
    let mut bench = Bench::of(LIBRARY, 80, 30);
    bench.press("p s");
    let screen = bench.screen();
    for text in [
        "time: what it is spent on is counted while this is open; c checks again",
        "variable   values  in all 3 states that are followed",
        " lent            3  {} (1)  {(Book",
        "borrow               8            2",
    ] {
        assert!(screen.contains(text), "{text} in {screen}");
    }
    bench.press("c");
    let screen = bench.screen();
    assert!(screen.contains("time: evaluation "), "{screen}");
    assert!(bench.desk.app.closer.shares.is_some_and(|shares| {
        let all = shares.evaluation + shares.labelling + shares.storing;
        shares.seconds > 0.0 && shares.labelling > 0.0 && all <= 1.0 + 1e-9
    }));
    // Nothing is measured where nobody looks.
    bench.press("esc c");
    assert!(bench.desk.app.closer.shares.is_none());
    // Of what will come only limits are told.
    bench.desk.app.search.timeout = Some(std::time::Duration::from_secs(20));
    bench.desk.app.search.max_states = Some(50);
    bench.run_checks = false;
    bench.press("c p s");
    let progress = Progress { states: 12, seconds: 5.0, ..Progress::default() };
    crate::tui::update::progress(&mut bench.desk.app, progress, std::time::Duration::ZERO);
    shown_line(&mut bench, "left     at most 15 s (timeout), 38 states (max states)");
    // Operations are told while it runs.
    assert!(!bench.screen().contains("transitions        first"), "{}", bench.screen());
    let count = |name: &str, taken, first| OperationCount { name: name.to_owned(), taken, first };
    let operations = [count("borrow", 1234, 2), count("bring", 0, 0)].into();
    bench.desk.app.closer = Closer { operations, ..Closer::default() };
    shown_line(&mut bench, "borrow           1,234            2");
    shown_line(&mut bench, "bring                0            0  not yet taken");
}

/// What breaks the symmetry of a set is told, and marked in the source.
#[test]
fn what_breaks_a_symmetry_is_shown_in_the_source() {
    let text = "MACHINE m
SETS P; Q
DEFINITIONS CHOOSE(X) == \"a member of X\"; EXTERNAL_FUNCTION_CHOOSE(T) == POW(T) --> T
CONSTANTS q
PROPERTIES q : Q & card(Q) = 3
VARIABLES x
INVARIANT x <: P
INITIALISATION x := {}
OPERATIONS take = PRE x /= P THEN
    x := x \\/ {CHOOSE(P - x)}
  END
END";
    let mut bench = Bench::with(embedded(text), SetupOptions::default(), 120, 40);
    bench.press("enter enter 2 G");
    let marked = |screen: &str, text: &str| {
        let line = screen.lines().find(|l| l.contains(text)).unwrap_or_else(|| panic!("{screen}"));
        line.contains('≠')
    };
    let screen = bench.screen();
    assert!(marked(&screen, "{CHOOSE(P - x)}"), "{screen}");
    assert!(!marked(&screen, "INVARIANT x"), "{screen}");
    bench.press("y");
    let screen = bench.screen();
    for text in [
        "not symmetric: the external function CHOOSE tells its elements apart",
        "library.mch:10:16: CHOOSE(P - x)",
        "Q1 is fixed: it is the constant q",
        "library.mch:4:11: q",
        "Enter goes to what breaks it",
    ] {
        assert!(screen.contains(text), "{text} in {screen}");
    }
    bench.press("enter");
    assert_eq!((bench.desk.app.overlay, bench.desk.app.focus), (None, Pane::Source));
    // Where nothing breaks it, nothing is marked.
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("y enter");
    shown_line(&mut bench, "nothing in the machine breaks a symmetry");
    assert!(!bench.screen().contains('≠'));
}
