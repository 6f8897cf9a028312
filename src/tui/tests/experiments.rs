//! Runs of the check beside each other, and traces that are replayed.

use super::bench::{Bench, LIBRARY, shown_line};
use crate::session::Origin;
use crate::tui::engine::Command;

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
