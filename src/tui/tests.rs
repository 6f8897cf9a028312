//! Screens: keys go in by name, what is drawn is compared.

use super::action::ALL;
use super::app::{App, Check, Overlay};
use super::desk::Desk;
use super::engine::{Command, Engine, Report, Work};
use super::keymap::{Key, Keymap};
use super::loads::Loads;
use super::panes::Pane;
use super::past::TreeRow;
use super::theme::Theme;
use super::update::{self, Effect};
use crate::search::{Progress, SearchOptions, SymmetryMode};
use crate::session::{self, Canceller, Ended, Origin, Session, TimeLimits};
use crate::setup::{Model, SetupOptions};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::sync::Arc;
use std::time::Duration;

/// People lend books; two people never hold the same one.
const LIBRARY: &str = "\
/* Books go out and come back. */
MACHINE library
SETS Reader; Book
CONSTANTS most
PROPERTIES most = 1
VARIABLES lent
INVARIANT
  lent : Book +-> Reader &   // a book is with one reader
  !r.(r : Reader => card(lent~[{r}]) <= most)
INITIALISATION lent := {}
OPERATIONS
  borrow(b, r) =
    PRE b : Book & r : Reader & b /: dom(lent) & r /: ran(lent)
    THEN lent(b) := r
    END;
  bring(b) =
    PRE b : dom(lent) THEN lent := {b} <<| lent END;
  r <-- holder(b) = PRE b : dom(lent) THEN r := lent(b) END
END
";

/// The workbench without threads and without a terminal.
struct Bench {
    desk: Desk,
    engine: Engine,
    loads: Loads,
    model: Option<Model>,
    effects: Vec<Effect>,
    /// Whether checks are run, or stay running.
    run_checks: bool,
}

impl Bench {
    fn new(origin: Origin, width: u16, height: u16) -> Bench {
        let cards = vec![("Reader".to_owned(), 3), ("Book".to_owned(), 2)];
        Bench::with(origin, SetupOptions { cards, ..SetupOptions::default() }, width, height)
    }

    fn with(origin: Origin, setup: SetupOptions, width: u16, height: u16) -> Bench {
        let keymap = Arc::new(Keymap::standard().unwrap());
        let theme = Arc::new(Theme::named("dark").unwrap());
        let mut app = App::new(keymap, theme, SearchOptions::default());
        (app.width, app.height) = (width, height);
        let loads = Loads::default();
        let engine = Engine::new(Session::open(origin, setup), Canceller::default(), loads.clone());
        let (desk, model, effects) = (Desk::new(app), None, Vec::new());
        let mut bench = Bench { desk, engine, loads, model, effects, run_checks: true };
        bench.command(Command::Start);
        bench
    }

    /// Without a check, and with little time for each state.
    fn quick(text: &str, width: u16, height: u16) -> Bench {
        let keymap = Arc::new(Keymap::standard().unwrap());
        let theme = Arc::new(Theme::named("dark").unwrap());
        let mut app = App::new(keymap, theme, SearchOptions::default());
        (app.width, app.height) = (width, height);
        let session = Session::open(embedded(text), SetupOptions::default());
        let loads = Loads::default();
        let engine = Engine::new(session, Canceller::default(), loads.clone())
            .limited(TimeLimits { set_up: None, state: Some(Duration::from_millis(600)) });
        let effects = Vec::new();
        let desk = Desk::new(app);
        let mut bench = Bench { desk, engine, loads, model: None, effects, run_checks: false };
        bench.command(Command::Start);
        bench
    }

    fn of(text: &str, width: u16, height: u16) -> Bench {
        Bench::new(embedded(text), width, height)
    }

    fn command(&mut self, command: Command) {
        let mut reports = Vec::new();
        self.engine.execute(command, &mut |report| reports.push(report));
        for report in reports {
            if let Report::Loaded(loaded) = &report {
                self.model = loaded.model.clone();
            }
            let effects = update::report(&mut self.desk, report);
            self.perform(effects);
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.effects.push(effect.clone());
            match effect {
                Effect::Engine(command) => self.command(command),
                Effect::Check { generation, options } if self.run_checks => {
                    let running = session::check(self.model.as_ref().unwrap(), *options);
                    let ended = without_times(running.ended.recv().unwrap());
                    update::check_ended(&mut self.desk, generation, ended);
                }
                _ => {}
            }
        }
    }

    /// Presses keys, named and separated by blanks.
    fn press(&mut self, keys: &str) -> &mut Bench {
        for name in keys.split_whitespace() {
            let key = Key::parse(name).unwrap_or_else(|| panic!("no key {name}"));
            let typing = self.desk.app.prompt.is_some();
            let effects = update::key(&mut self.desk, key);
            assert!(typing || effects.is_some(), "{name} means nothing");
            self.perform(effects.unwrap_or_default());
            self.screen();
        }
        self
    }

    /// Types a text and Enter.
    fn type_in(&mut self, text: &str) -> &mut Bench {
        for c in text.chars() {
            let name = if c == ' ' { "space".to_owned() } else { c.to_string() };
            self.press(&name);
        }
        self.press("enter")
    }

    fn resize(&mut self, width: u16, height: u16) -> &mut Bench {
        (self.desk.app.width, self.desk.app.height) = (width, height);
        self.screen();
        self
    }

    fn screen(&mut self) -> String {
        let backend = TestBackend::new(self.desk.app.width, self.desk.app.height);
        let mut terminal = Terminal::new(backend).unwrap();
        terminal.draw(|frame| self.desk.draw(frame.buffer_mut())).unwrap();
        terminal.backend().to_string()
    }

    /// The lines of the history: each with its mark.
    fn tree(&self) -> Vec<String> {
        let place = self.desk.app.place.as_ref().unwrap();
        let mark = |row: &TreeRow| match row {
            TreeRow { here: true, .. } => "=>",
            TreeRow { place: None, .. } => "x",
            TreeRow { on_path: true, .. } => "*",
            _ => "",
        };
        let line = |row: &TreeRow| {
            format!("{}{}{} {}", "|".repeat(row.indent), mark(row), row.step, row.text)
        };
        place.tree.iter().map(line).collect()
    }

    fn operation(&self, i: usize) -> String {
        self.desk.app.place.as_ref().unwrap().operations.text(i)
    }

    fn operations(&self) -> Vec<String> {
        let n = self.desk.app.place.as_ref().unwrap().operations.len();
        (0..n).map(|i| self.operation(i)).collect()
    }

    fn history(&self) -> Vec<String> {
        self.desk.app.place.as_ref().map(|p| p.history.clone()).unwrap_or_default()
    }
}

fn embedded(text: &str) -> Origin {
    Origin::Embedded { name: "library.mch".to_owned(), text: text.to_owned() }
}

/// Times and memory differ from run to run.
fn without_times(ended: Ended) -> Ended {
    match ended {
        Ended::Outcome(mut outcome) => {
            outcome.seconds = 0.0;
            outcome.peak_memory = 0;
            Ended::Outcome(outcome)
        }
        failed => failed,
    }
}

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
    bench.press("enter enter j j enter");
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
    bench.press("u j enter");
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
    let mut bench = Bench::of(LIBRARY, 80, 70);
    bench.press("?");
    let screen = bench.screen();
    for described in ALL {
        assert!(screen.contains(described.text), "{}", described.name);
    }
    bench.resize(80, 24);
    insta::assert_snapshot!("help_80x24", bench.screen());
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
fn a_broken_file_keeps_the_last_good_machine() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("library.mch");
    std::fs::write(&path, LIBRARY).unwrap();
    let mut bench = Bench::new(Origin::File(path.clone()), 100, 30);
    bench.press("enter enter j enter");
    let history = bench.history();

    std::fs::write(&path, LIBRARY.replace("VARIABLES lent", "VARIABLES lend")).unwrap();
    bench.command(Command::Reload);
    assert!(bench.desk.app.stale);
    assert_eq!(bench.desk.app.overlay, Some(Overlay::Errors));
    assert_eq!(bench.history(), history);
    let screen = bench.screen();
    assert!(screen.contains("STALE") && screen.contains("lent"), "{screen}");
    // One goes on stepping in it.
    bench.press("esc enter");
    assert_eq!(bench.history().len(), history.len() + 1);
    assert!(bench.screen().contains("STALE"));

    std::fs::write(&path, LIBRARY.replace("most = 1", "most = 2")).unwrap();
    bench.command(Command::Reload);
    assert!(!bench.desk.app.stale);
    assert!(!bench.screen().contains("STALE"));
    assert_eq!(bench.history().len(), history.len() + 1, "replayed with another constant");

    let without = LIBRARY.replace("b : Book & r : Reader", "b : Book & r : Reader & b /= b");
    std::fs::write(&path, without).unwrap();
    bench.command(Command::Reload);
    assert_eq!(bench.history().len(), 2);
    let message = &bench.desk.app.message.as_ref().unwrap().text;
    assert_eq!(message, "reloaded; 2 of 4 steps replayed");

    // What cannot be read at all leaves what was there, and room to see it.
    std::fs::remove_file(&path).unwrap();
    bench.command(Command::Reload);
    let screen = bench.screen();
    assert!(screen.contains("STALE") && screen.contains("there is no such file"), "{screen}");
    assert!(screen.contains("11     OPERATIONS") && screen.contains("most = 1"), "{screen}");
    assert!(!screen.contains("replayed"), "a message of the reading before: {screen}");
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
    bench.resize(39, 9);
    insta::assert_snapshot!("too_small_39x9", bench.screen());
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

/// The list of errors lies beside the source; the selected one is marked, and its line is to be seen.
#[test]
fn errors_are_gone_through_beside_the_source() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("library.mch");
    std::fs::write(&path, LIBRARY).unwrap();
    let mut bench = Bench::new(Origin::File(path.clone()), 80, 24);
    let broken = LIBRARY.replace("lent := {}", "lnt := {}").replace("r := lent(b)", "r := lnd(b)");
    std::fs::write(&path, &broken).unwrap();
    bench.command(Command::Reload);
    assert_eq!(bench.desk.app.overlay, Some(Overlay::Errors));
    let shown = |bench: &mut Bench, line: &str| {
        let screen = bench.screen();
        let source: Vec<&str> = screen.lines().take(11).collect();
        assert!(source.iter().any(|l| l.contains(line)), "{line} in {screen}");
        assert!(
            screen.lines().any(|l| l.starts_with("\"> ") && l.contains("library.mch:")),
            "{screen}"
        );
    };
    shown(&mut bench, "10 ×");
    for _ in 0..9 {
        bench.press("j");
    }
    shown(&mut bench, "18 ×");
    bench.press("enter");
    assert_eq!((bench.desk.app.overlay, bench.desk.app.focus), (None, Pane::Source));
    shown_line(&mut bench, "18 ×");
    // Saved with other errors it does not come up by itself again.
    std::fs::write(&path, broken.replace("lnd", "lmd")).unwrap();
    bench.command(Command::Reload);
    assert_eq!(bench.desk.app.overlay, None);
    assert!(bench.screen().contains("still 2 errors (e shows"), "{}", bench.screen());
    std::fs::write(&path, LIBRARY).unwrap();
    bench.command(Command::Reload);
    std::fs::write(&path, &broken).unwrap();
    bench.command(Command::Reload);
    assert_eq!(bench.desk.app.overlay, Some(Overlay::Errors), "it was good in between");
}

#[track_caller]
fn shown_line(bench: &mut Bench, text: &str) {
    let screen = bench.screen();
    assert!(screen.contains(text), "{text} in {screen}");
}

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
fn the_source_stays_where_it_is_read_and_the_selection_at_its_operation() {
    let text = LIBRARY.replace("VARIABLES", &format!("{}VARIABLES", "\n".repeat(40)));
    let mut bench = Bench::of(&text, 80, 24);
    shown_line(&mut bench, "/* Books go out and come back. */");
    bench.press("enter enter tab g u ctrl-r");
    assert_eq!(bench.desk.view(Pane::Source).scroll().y, 0, "it has the focus");
    bench.press("backtab G k k");
    let selected = |bench: &Bench| bench.operation(bench.desk.app.chosen.unwrap());
    assert_eq!(selected(&bench), "borrow(Book2, Reader3)");
    bench.press("k k k k enter");
    assert_eq!(selected(&bench), "borrow(Book2, Reader1)", "the same operation");
    bench.press("j u");
    assert_eq!(selected(&bench), "borrow(Book2, Reader3)", "the same instance");
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

#[test]
fn operations_are_filtered_from_any_pane() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter G k k 3 / B o o k 2");
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

/// Nothing is lost by going back, by following a trace or by an edit.
#[test]
fn every_run_stays_in_the_history() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("library.mch");
    let wrong = LIBRARY.replace(" & r /: ran(lent)", "");
    std::fs::write(&path, &wrong).unwrap();
    let mut bench = Bench::new(Origin::File(path.clone()), 80, 24);
    bench.press("enter enter G k k enter");
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
    assert!(line("+ many").contains("and perhaps more; Enter"), "{screen}");
    line("easy");
    line("- far: x > 7 is false, x = 0");
    line("- none: n > x + 3 holds for no n, x = 0");
    // What was cut goes on when it is asked for; the last of a hundred thousand is taken.
    bench.press("j enter");
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
    shown_line(&mut bench, " 51 one");
    bench.press("enter j");
    shown_line(&mut bench, " - many  50");
    shown_line(&mut bench, "> 1 many(1)");
    bench.press("k enter");
    assert!(!bench.screen().contains("many(1)"), "{}", bench.screen());
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
    bench.press("ctrl-p down down up esc");
    assert_eq!((bench.desk.app.overlay, bench.desk.app.prompt), (None, None));
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

#[test]
fn without_utf8_everything_is_ascii() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.desk.app.ascii = true;
    bench.press("enter enter enter");
    let screen = bench.screen();
    assert!(screen.is_ascii() && screen.contains("|- State |"), "{screen}");
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
    bench.press("space");
    assert!(matches!(bench.effects.last(), Some(Effect::Pause)));
    assert!(!bench.desk.app.is_searching() && bench.screen().contains("paused"));
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

#[test]
fn a_step_that_was_overtaken_is_not_taken() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    let number = bench.desk.app.place.as_ref().unwrap().number;
    bench.press("enter");
    bench.command(Command::Step { place: number, number: 0 });
    assert_eq!(bench.history().len(), 1);
}

/// No key at any size of the screen makes the drawing fail.
#[test]
fn any_keys_at_any_size() {
    let keys: Vec<String> =
        "j k h l pageup pagedown g G tab backtab z enter u ctrl-r t s c space r \
                             e ? esc f F x y m T w W : / ctrl-p 1 2 3 4 5 6 7 q"
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
            let key = &keys[below(keys.len())];
            bench.press(key);
            bench.screen();
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

/// The state is the one that was reached; its representative stands beside it.
#[test]
fn a_step_shows_the_state_reached_and_its_representative() {
    let mut bench = Bench::of(LIBRARY, 200, 50);
    bench.press("enter enter j enter");
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
fn the_symmetry_of_the_sets_is_explained() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("y");
    insta::assert_snapshot!("symmetry_of_sets_80x24", bench.screen());
    bench.press("y");
    assert_eq!(bench.desk.app.overlay, None);
}

const SHELF: &str = "\
MACHINE shelf
SETS Book
VARIABLES full
INVARIANT full <: Book
INITIALISATION full := {}
OPERATIONS
  stand(b) = PRE b : Book & b /: full THEN full := full \\/ {b} END
END
";

const ROOM: &str = "\
MACHINE room
INCLUDES left.shelf
PROMOTES left.stand
VARIABLES lit
INVARIANT lit : BOOL
INITIALISATION lit := FALSE
OPERATIONS
  light = SELECT lit = FALSE THEN lit := TRUE END
END
";

#[test]
fn every_file_of_a_machine_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("room.mch");
    let shelf = dir.path().join("shelf.mch");
    std::fs::write(&path, ROOM).unwrap();
    std::fs::write(&shelf, SHELF).unwrap();
    let mut bench = Bench::with(Origin::File(path), SetupOptions::default(), 100, 30);
    assert!(bench.desk.app.diagnostics.is_empty(), "{:?}", bench.desk.app.diagnostics);
    assert!(bench.screen().contains("Source room.mch 1/2"), "{}", bench.screen());
    bench.press("f");
    let screen = bench.screen();
    assert!(screen.contains("Source shelf.mch 2/2") && screen.contains("full <: Book"), "{screen}");
    bench.press("f");
    assert!(bench.screen().contains("Source room.mch 1/2"));
    // An operation of the included file is shown where it is declared.
    bench.press("enter");
    let operations = bench.operations();
    let stand = operations.iter().position(|o| o.contains("stand")).unwrap();
    bench.press(if stand == 0 { "j k" } else { "g j" });
    while bench.desk.app.chosen.unwrap() < stand {
        bench.press("j");
    }
    let screen = bench.screen();
    assert!(screen.contains("Source shelf.mch") && screen.contains("▶2"), "{screen}");

    // An error in the included file opens it at its line, far down.
    bench.press("F");
    let broken = SHELF.replace("full <: Book", &format!("{}full <: Bok", "\n".repeat(60)));
    std::fs::write(&shelf, broken).unwrap();
    bench.command(Command::Reload);
    let screen = bench.screen();
    assert!(bench.desk.app.stale && bench.desk.app.overlay == Some(Overlay::Errors));
    assert!(screen.contains("Source shelf.mch 2/2"), "{screen}");
    let line = screen.lines().find(|l| l.contains("64 ×")).unwrap_or_else(|| panic!("{screen}"));
    assert!(line.contains("full <: Bok"), "{screen}");
    // The check of the last good version is not covered.
    assert!(screen.contains("deadlock: no operation is enabled"), "{screen}");
    bench.press("esc");
    // What was read is shown, with marks where it is what the machine was made from.
    bench.press("f");
    assert!(bench.screen().contains("▶1"), "{}", bench.screen());
}

#[test]
fn a_machine_that_is_being_read_is_no_missing_machine() {
    let keymap = Arc::new(Keymap::standard().unwrap());
    let theme = Arc::new(Theme::named("dark").unwrap());
    let mut app = App::new(keymap, theme, SearchOptions::default());
    app.name = "large.mch".to_owned();
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let mut desk = Desk::new(app);
    terminal.draw(|frame| desk.draw(frame.buffer_mut())).unwrap();
    let screen = terminal.backend().to_string();
    assert!(screen.contains("reading large.mch ...") && !screen.contains("no machine"), "{screen}");
}

#[test]
fn a_small_screen_in_between_leaves_the_source_where_it_was() {
    let text = LIBRARY.replace("OPERATIONS", &format!("{}OPERATIONS", "\n".repeat(80)));
    let mut bench = Bench::of(&text, 80, 24);
    bench.press("tab g pagedown pagedown j");
    let at = bench.desk.view(Pane::Source).scroll();
    assert!(at.y > 10);
    for (width, height) in [(200, 150), (80, 24), (30, 8), (80, 24), (45, 12), (80, 24)] {
        bench.resize(width, height);
    }
    assert_eq!(bench.desk.view(Pane::Source).scroll(), at);
    bench.press("z z");
    assert_eq!(bench.desk.view(Pane::Source).scroll(), at);
}

#[test]
fn long_messages_are_cut_visibly_and_can_be_read() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    let long = format!("the check failed: {} the end", "a long reason, ".repeat(20));
    bench.desk.app.complain(long);
    let screen = bench.screen();
    let hints = screen.lines().rfind(|l| l.contains("the check failed")).unwrap();
    assert!(hints.contains("… (m shows all of it)") && !hints.contains("the end"), "{hints}");
    bench.press("m");
    assert!(bench.screen().contains("the end"), "{}", bench.screen());
    bench.press("esc");
    assert_eq!(bench.desk.app.message, None);
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

/// Files that change while they are read are read again at once, and of the first reading nothing is told.
#[test]
fn a_reload_ends_the_one_before_it() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter");
    let (before, told) = (bench.history(), bench.effects.len());
    bench.loads.ask();
    bench.loads.ask();
    bench.command(Command::Reload);
    assert_eq!((bench.history(), bench.effects.len()), (before.clone(), told));
    bench.command(Command::Reload);
    assert_eq!(bench.history(), before);
    assert!(bench.effects.len() > told && bench.engine.session().halted().is_none());
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
