//! Files that change, break, come back or take long.

use super::bench::{Bench, LIBRARY, shown_line};
use crate::search::SearchOptions;
use crate::session::Origin;
use crate::setup::SetupOptions;
use crate::tui::app::{App, Overlay};
use crate::tui::desk::Desk;
use crate::tui::engine::Command;
use crate::tui::keymap::Keymap;
use crate::tui::panes::Pane;
use crate::tui::theme::Theme;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::sync::Arc;

#[test]
fn a_broken_file_keeps_the_last_good_machine() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("library.mch");
    std::fs::write(&path, LIBRARY).unwrap();
    let mut bench = Bench::new(Origin::File(path.clone()), 100, 30);
    bench.press("enter enter alt-2 enter");
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
    shown_line(&mut bench, "2 errors now (e shows what is wrong): ");
    bench.command(Command::Reload);
    shown_line(&mut bench, "still 2 errors (e shows");
    std::fs::write(&path, LIBRARY).unwrap();
    bench.command(Command::Reload);
    std::fs::write(&path, &broken).unwrap();
    bench.command(Command::Reload);
    assert_eq!(bench.desk.app.overlay, Some(Overlay::Errors), "it was good in between");
}

#[test]
fn the_source_stays_where_it_is_read_and_the_selection_at_its_operation() {
    let text = LIBRARY.replace("VARIABLES", &format!("{}VARIABLES", "\n".repeat(40)));
    let mut bench = Bench::of(&text, 80, 24);
    shown_line(&mut bench, "/* Books go out and come back. */");
    bench.press("enter enter tab g u ctrl-r");
    assert_eq!(bench.desk.view(Pane::Source).scroll().y, 0, "it has the focus");
    bench.press("backtab i G k k");
    let selected = |bench: &Bench| bench.operation(bench.desk.app.chosen.unwrap());
    assert_eq!(selected(&bench), "borrow(Book2, Reader3)");
    bench.press("k k k k enter");
    assert_eq!(selected(&bench), "borrow(Book2, Reader1)", "the same operation");
    bench.press("j u");
    assert_eq!(selected(&bench), "borrow(Book2, Reader3)", "the same instance");
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
    let theme = Arc::new(Theme::embedded("dark").unwrap());
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

/// A line that goes on to the right says so, whichever half of a wide character stands at the edge.
#[test]
fn wide_characters_at_the_edge_are_cut_visibly() {
    let wide = "\u{5e45}".repeat(40);
    let text = format!(
        "/* {wide} */\n/*  {wide} */\nMACHINE m VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0\nEND"
    );
    let origin = Origin::Embedded { name: "wide.mch".to_owned(), text };
    let mut bench = Bench::with(origin, SetupOptions::default(), 80, 24);
    let screen = bench.screen();
    let lines: Vec<&str> = screen.lines().filter(|line| line.contains('\u{5e45}')).collect();
    assert_eq!(lines.len(), 2, "{screen}");
    assert!(lines.iter().all(|line| line.contains('…')), "{screen}");
}
