//! Chords, numbers before keys, and keymaps of the user's.

use super::bench::{Bench, LIBRARY, shown_line};
use crate::session::Origin;
use crate::tui::keymap::Keymap;
use crate::tui::mouse::{Mouse, What, mouse};
use crate::tui::panes::Pane;
use crate::tui::update::Effect;
use std::sync::Arc;

#[test]
fn a_number_says_how_often() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter enter u u u 2 ctrl-r");
    assert_eq!(bench.desk.app.focus, Pane::Source, "digits are panes by default");
    bench.press("1 u u u alt-2 ctrl-r");
    assert_eq!(bench.history().len(), 2);
    bench.press("alt-8 8 u");
    assert!(bench.history().is_empty(), "as far as there is something");
    bench.press("enter enter alt-8 esc");
    assert_eq!((bench.desk.app.count, bench.history().len()), (None, 2));
    // Of a transition.
    bench.press("alt-4");
    shown_line(&mut bench, " 4  … so many times");
    let fourth = bench.operation(3);
    bench.press("enter");
    assert_eq!(bench.history().last(), Some(&fourth));
    bench.press("alt-9 9 enter");
    shown_line(&mut bench, "there is no transition 99 here");
    assert_eq!(bench.history().len(), 3);
    // Of a line, and of lines.
    bench.press("2 alt-1 0 G");
    assert_eq!(bench.desk.view(Pane::Source).scroll().y, 9);
    bench.press("alt-3 k");
    assert_eq!(bench.desk.view(Pane::Source).scroll().y, 6);
    bench.press("alt-9 9 9 9 9 9 9 9 9 9 9 9 j").screen();
    bench.press("? alt-5 j");
    assert_eq!(bench.desk.app.overlay_scroll.y, 5);
}

#[test]
fn chords_wait_and_say_what_may_follow() {
    let mut bench = Bench::of(LIBRARY, 80, 90);
    let text = "[[bind]]\non = ['q', 'ctrl-c']\nrun = 'quit'\n[[bind]]\non = 'g g'\nrun = 'bottom'
[[bind]]\non = 'g s'\nrun = 'focus source'\n[[bind]]\non = 'g'\nin = 'matrix'\nrun = 'zoom'
[[bind]]\non = 'ctrl-x o'\nrun = 'focus matrix'\n[[bind]]\non = 'esc'\nrun = 'close'
[[bind]]\non = '?'\nrun = 'help'\n[[bind]]\non = 'x'\nin = 'matrix'\nrun = 'explain'";
    bench.desk.app.keymap = Arc::new(Keymap::parse(text).unwrap());
    bench.press("g");
    shown_line(&mut bench, " g …   g bottom  s focus source");
    bench.press("s");
    assert_eq!(bench.desk.app.focus, Pane::Source);
    bench.press("g esc");
    assert!(bench.desk.app.keys.is_empty());
    bench.press("ctrl-x");
    shown_line(&mut bench, " Ctrl-X …   o focus matrix");
    bench.press("o g");
    assert!(bench.desk.app.zoomed, "the pane's own comes first");
    // Hints and help say what holds now.
    bench.press("?");
    shown_line(&mut bench, "g (matrix)");
    shown_line(&mut bench, "gg ");
    assert!(!bench.effects.iter().any(|e| matches!(e, Effect::Quit)));
}

#[test]
fn files_are_opened_where_one_looks() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("library.mch");
    let long = format!("{LIBRARY}{}", "\n".repeat(40));
    std::fs::write(&path, &long).unwrap();
    let mut bench = Bench::new(Origin::File(path.clone()), 80, 24);
    let opened = |bench: &Bench| match bench.effects.last() {
        Some(Effect::Edit { file, line }) if *file == path => *line,
        other => panic!("{other:?}"),
    };
    bench.press("enter enter o");
    assert_eq!(opened(&bench), 12, "borrow is selected");
    bench.press("i alt-5 j 2 g j j j o");
    assert_eq!(opened(&bench), 12, "it is to be seen");
    bench.press("G o");
    assert!(opened(&bench) > 12);
    let broken = long.replace("lent := {}", "lent := 1");
    std::fs::write(&path, &broken).unwrap();
    bench.command(crate::tui::engine::Command::Reload);
    bench.press("o");
    assert_eq!(opened(&bench), 10, "the error is at hand");

    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("o");
    shown_line(&mut bench, "library.mch is no file of yours");
}

#[test]
fn the_mouse_selects_and_scrolls() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    let done = |bench: &mut Bench, what, at| {
        let effects = mouse(&mut bench.desk, Mouse { what, at });
        bench.perform(effects);
        bench.screen()
    };
    bench.press("enter enter i");
    let row = |screen: &str, text: &str| {
        screen.lines().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{screen}"))
            as u16
    };
    let screen = bench.screen();
    let screen = done(&mut bench, What::Click, (5, row(&screen, "borrow(Book1, Reader3)")));
    assert!(screen.contains(">3*   borrow(Book1, Reader3)"), "{screen}");
    // Below what it changes.
    let screen = done(&mut bench, What::Click, (5, row(&screen, "borrow(Book2, Reader1)")));
    assert!(screen.contains(">4*   borrow(Book2, Reader1)"), "{screen}");
    done(&mut bench, What::WheelUp, (5, row(&screen, "borrow(Book2, Reader1)")));
    shown_line(&mut bench, ">1*   borrow(Book1, Reader1)");
    bench.press("enter");
    let screen = done(&mut bench, What::Click, (60, 2));
    assert_eq!(bench.desk.app.focus, Pane::State);
    bench.press("Y");
    let copied = bench.effects.last();
    assert!(
        matches!(copied, Some(Effect::Copy(t)) if t == "lent = {(Book1|->Reader1)}"),
        "{screen}"
    );
    done(&mut bench, What::WheelDown, (5, 5));
    assert_eq!(bench.desk.app.focus, Pane::Source);
    // The names in a title, and those of the line above a pane that is alone.
    bench.resize(200, 50);
    for (text, pane) in [("| History", Pane::History), ("| Runs", Pane::Runs)] {
        let screen = bench.screen();
        let line = row(&screen, text);
        let found = screen.lines().nth(usize::from(line)).unwrap().find(text).unwrap();
        let before = &screen.lines().nth(usize::from(line)).unwrap()[1..found];
        done(&mut bench, What::Click, (before.chars().count() as u16 + 3, line));
        assert_eq!(bench.desk.app.focus, pane, "{screen}");
    }
    bench.resize(80, 24).press("z");
    let screen = done(&mut bench, What::Click, (5, 1));
    assert_eq!(bench.desk.app.focus, Pane::State, "{screen}");
    let screen = done(&mut bench, What::Click, (79, 1));
    assert_eq!(bench.desk.app.focus, Pane::State, "nothing is there: {screen}");
    bench.press("z");
    // Anywhere, also over what lies on top.
    bench.press("?");
    for (x, y) in [(0, 0), (79, 23), (500, 500), (40, 12)] {
        done(&mut bench, What::Click, (x, y));
        done(&mut bench, What::WheelDown, (x, y));
    }
    assert!(bench.desk.app.overlay_scroll.y > 0);
}
