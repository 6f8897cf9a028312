//! Runs of the check beside each other, and traces that are replayed.

use super::bench::{Bench, LIBRARY, embedded, shown_line};
use crate::session::{Canceller, Origin, Session};
use crate::setup::SetupOptions;
use crate::tui::engine::{Command, Engine, Report, Work};
use crate::tui::loads::Loads;
use crate::tui::update;

#[test]
fn what_a_save_has_changed_is_told_and_counterexamples_are_replayed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("library.mch");
    std::fs::write(&path, LIBRARY).unwrap();
    let mut bench = Bench::new(Origin::File(path.clone()), 120, 40);
    bench.press("p r");
    shown_line(&mut bench, "ok  3 states");
    assert!(!bench.screen().contains("FAIL"));

    // A reader may have several books by now, which the invariant forbids.
    let broken = LIBRARY.replace("b /: dom(lent) & r /: ran(lent)", "b /: dom(lent)");
    std::fs::write(&path, &broken).unwrap();
    bench.command(Command::Reload);
    shown_line(&mut bench, ">FAIL invariant-violation of ");
    shown_line(&mut bench, "1 of 1 traces FAIL");
    shown_line(&mut bench, "fails now: !r.(r : Reader => card(lent~[{r}]) <= most)");
    shown_line(&mut bench, "new run: ");
    // One goes there, or to its start.
    bench.press("enter");
    assert_eq!(bench.history().len(), 4);
    bench.press("T ctrl-r");
    assert_eq!(bench.history().len(), 1);

    std::fs::write(&path, LIBRARY.replace("INVARIANT", "INVARIANTS")).unwrap();
    bench.command(Command::Reload);
    bench.press("esc");
    shown_line(&mut bench, "rejected");

    std::fs::write(&path, LIBRARY).unwrap();
    bench.command(Command::Reload);
    shown_line(&mut bench, ">pass invariant-violation of ");
    shown_line(&mut bench, "can no longer happen: step 4 of 4, borrow(");
    shown_line(&mut bench, "1 of 1 traces pass");
    shown_line(&mut bench, "was rejected");
    shown_line(&mut bench, "holds now: !r.(r : Reader");

    // And fails again, beside what the check finds first by then.
    std::fs::write(
        &path,
        broken
            .replace(
                "lent := {}\nOPER",
                "lent := {}\nOPERATIONS bad = BEGIN lent := Book * Reader END;\nOPER",
            )
            .replace("OPERATIONS\n  borrow", "  borrow"),
    )
    .unwrap();
    bench.command(Command::Reload);
    shown_line(&mut bench, "2 of 2 traces FAIL");
    shown_line(&mut bench, "still violates !r.(");
    bench.press("5");
    shown_line(&mut bench, "traces FAIL");
}

/// Nodes over the sizes of the sets: a chart, the figures, and what cannot be told.
#[test]
fn nodes_are_charted_over_the_sizes_of_the_sets() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("p c");
    shown_line(&mut bench, "pn does for each size of the sets");
    bench.press("p n z");
    insta::assert_snapshot!("chart_80x24", bench.screen());
    assert!(!bench.desk.app.comparison.running);
    // A mode that cannot be used says why.
    bench.desk.app.search.main_array = Some("most".to_owned());
    bench.press("p n G");
    shown_line(&mut bench, "s sorted                   4          no          no");
    shown_line(&mut bench, "sorted: --main-array");
    let fixed = LIBRARY.replace("most = 1", "most = 1 & card(Reader) = 3 & card(Book) = 2");
    let mut bench = Bench::with(super::bench::embedded(&fixed), Default::default(), 80, 24);
    bench.press("p n z");
    shown_line(&mut bench, "the machine has no set whose size can be chosen");
}

#[test]
fn the_modes_are_compared() {
    let mut bench = Bench::of(LIBRARY, 200, 50);
    bench.press("p c");
    shown_line(&mut bench, "C searches with every symmetry mode");
    bench.press("C z");
    let screen = bench.screen();
    let row = |mode: &str| {
        let line = screen.lines().find(|line| line.trim_start_matches('"').starts_with(mode));
        let line = line.unwrap_or_else(|| panic!("{mode} in {screen}"));
        let count = line.split_whitespace().nth(1).unwrap().to_owned();
        (count, line.matches('#').count())
    };
    // Root and set-up; 13 states, or 3 orbits of them.
    let (off, canon) = (row("off"), row("canon"));
    assert_eq!((off.0.as_str(), canon.0.as_str()), ("15", "5"));
    assert!(off.1 > 2 * canon.1 && canon.1 > 0, "{screen}");
    assert!(screen.contains("approximate"), "{screen}");
    // On a small screen the bars have no room, and the figures have.
    bench.press("z").resize(80, 24);
    shown_line(&mut bench, "nodes     time");
}

#[test]
fn a_trace_is_saved_and_loaded_in_both_forms() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["mine.json", "mine.prob2trace"] {
        let path = dir.path().join(name).display().to_string();
        let mut bench = Bench::of(LIBRARY, 160, 40);
        bench.press("enter enter enter G k k enter");
        let history = bench.history();
        assert_eq!(history.len(), 4);
        bench.press("ctrl-s").type_in(&path);
        shown_line(&mut bench, "saved 4 steps as ");
        bench.press("p r");
        shown_line(&mut bench, &format!("pass {path}"));
        shown_line(&mut bench, "runs to its end: 4 steps");

        // It is a branch in another one, and all that was read is what is done.
        let mut other = Bench::of(LIBRARY, 160, 40);
        other.press("enter enter ctrl-o").type_in(&path);
        shown_line(&mut other, "runs to its end: 4 steps, all with the same values");
        assert_eq!(other.history(), history);

        // On a machine that does something else.
        let changed = LIBRARY.replace("b /: dom(lent) &", "b /: dom(lent) & lent = {} &");
        let mut other = Bench::of(&changed, 160, 40);
        other.press("ctrl-o").type_in(&path);
        shown_line(&mut other, "runs for 3 of 4 steps, with the same values");
        let other_values = LIBRARY.replace("lent(b) := r\n", "lent := lent \\/ Book * {r}\n");
        let mut other = Bench::of(&other_values, 160, 40);
        other.press("ctrl-o").type_in(&path);
        shown_line(&mut other, "step 3: borrow(Book1, Reader1) here: lent");
    }
    let mut bench = Bench::of(LIBRARY, 160, 40);
    bench.press("ctrl-o").type_in("/nowhere.json");
    assert!(bench.desk.app.message.as_ref().unwrap().error);
    let bad = dir.path().join("bad.json");
    std::fs::write(&bad, "{\"transitionList\": [{\"params\": {}}]}").unwrap();
    bench.press("ctrl-o").type_in(&bad.display().to_string());
    shown_line(&mut bench, "step 1 has no `name`");
    bench.press("ctrl-s").type_in("x.json");
    shown_line(&mut bench, "there is no step to save");
}

#[test]
fn a_random_walk_repeats_for_its_seed_and_stops_at_a_violation() {
    let walk = |text: &str, keys: &str, typed: &str| {
        let mut bench = Bench::of(text, 160, 40);
        bench.press(keys);
        if !typed.is_empty() {
            bench.type_in(typed);
        }
        let message = bench.desk.app.message.as_ref().unwrap().text.clone();
        (bench.history(), message)
    };
    let (history, said) = walk(LIBRARY, "V ctrl-u", "25 7");
    assert_eq!((history.len(), said.as_str()), (25, "25 steps at random, seed 7"));
    assert_eq!(walk(LIBRARY, "V ctrl-u", "25 7").0, history);
    assert_ne!(walk(LIBRARY, "V ctrl-u", "25 8").0, history);
    assert_eq!(walk(LIBRARY, "V enter", "").1, "10 steps at random, seed 1");
    let (history, said) = walk(LIBRARY, "v v", "");
    assert_eq!((history.len(), said.as_str()), (2, "1 step at random, seed 2"));
    assert_eq!(walk(LIBRARY, "alt-4 v", "").0.len(), 4);
    assert!(walk(LIBRARY, "V ctrl-u", "many").1.contains("not a number of steps"));
    let broken = LIBRARY.replace("b /: dom(lent) & r /: ran(lent)", "b /: dom(lent)");
    let (history, said) = walk(&broken, "V ctrl-u", "1000 3");
    assert!(history.len() < 1000 && said.ends_with("; stopped at a violation"), "{said}");
}

/// A walk mostly comes to states that are known, where nothing is listed that could be cut: it is cancelled
/// all the same, and says how far it is.
#[test]
fn a_random_walk_is_cancelled() {
    let canceller = Canceller::default();
    let session = Session::open(embedded(LIBRARY), SetupOptions::default());
    let mut engine = Engine::new(session, canceller.clone(), Loads::default());
    engine.execute(Command::Start, &mut |_| {});
    let (mut told, mut end) = (Vec::new(), String::new());
    engine.execute(Command::Walk { count: 1_000_000_000, seed: 1 }, &mut |report| match report {
        Report::Doing(work) => {
            told.push(work);
            canceller.cancel();
        }
        Report::Note(text) => end = text,
        _ => {}
    });
    assert!(end.ends_with("steps at random, seed 1; cancelled"), "{end}");
    assert_eq!(told.len(), 1, "{told:?}");
    let text = told[0].text();
    assert!(text.starts_with("walking ") && text.ends_with(" of 1,000,000,000 steps"), "{text}");
    // Where it has ended one goes on.
    engine.execute(Command::Walk { count: 10, seed: 2 }, &mut |report| {
        if let Report::Note(text) = report {
            assert_eq!(text, "10 steps at random, seed 2");
        }
    });
}

#[test]
fn how_far_a_walk_is_stands_in_the_last_line() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    (bench.desk.app.waiting, bench.desk.app.slow) = (1, true);
    bench.desk.app.doing = Command::Walk { count: 100_000, seed: 1 }.work();
    shown_line(&mut bench, "walking ... (Esc cancels)");
    let work = Work::Walking { done: 1200, all: 100_000 };
    update::report(&mut bench.desk, Report::Doing(work));
    shown_line(&mut bench, "walking 1,200 of 100,000 steps ... (Esc cancels)");
    update::report(&mut bench.desk, Report::Doing(Work::Replaying { done: 7, all: 9 }));
    shown_line(&mut bench, "replaying 7 of 9 steps ... (Esc cancels)");
}
