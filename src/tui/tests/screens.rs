//! Screens as they look: each size in each theme, and every size at all.

use super::bench::{Bench, LIBRARY, shown_line};
use crate::tui::action::ALL;
use crate::tui::app::Overlay;
use crate::tui::choices;
use crate::tui::panes::Pane;
use crate::tui::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use std::fmt::Write;
use std::sync::Arc;

fn drawn(bench: &mut Bench, width: u16, height: u16) -> Buffer {
    (bench.desk.app.width, bench.desk.app.height) = (width, height);
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    bench.desk.draw(&mut buffer);
    buffer
}

/// The text of a screen, and below it the style of each cell: a letter, and what it stands for.
fn painted(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let (mut text, mut styles, mut known) = (String::new(), String::new(), Vec::<Style>::new());
    for row in buffer.content.chunks(width) {
        let mut letters = String::new();
        for cell in row {
            text.push_str(cell.symbol());
            let style = cell.style();
            let at = known.iter().position(|s| *s == style).unwrap_or_else(|| {
                known.push(style);
                known.len() - 1
            });
            letters.push(if at == 0 { ' ' } else { char::from(b'a' + at as u8 - 1) });
        }
        text.push('\n');
        styles.push_str(letters.trim_end());
        styles.push('\n');
    }
    let mut all = format!("{text}\n{styles}");
    for (at, style) in known.iter().enumerate().skip(1) {
        let colour =
            |c: Option<ratatui::style::Color>| c.map(|c| c.to_string()).unwrap_or_default();
        let (fg, bg) = (colour(style.fg), colour(style.bg));
        let _ = writeln!(
            all,
            "{}: {fg} on {bg} {:?}",
            char::from(b'a' + at as u8 - 1),
            style.add_modifier
        );
    }
    all
}

/// Draws what there is at each size in each theme.
fn in_every_size_and_theme(bench: &mut Bench, scene: &str) {
    for theme in ["dark", "light", "mono"] {
        bench.desk.app.theme = Arc::new(Theme::embedded(theme).unwrap());
        bench.desk.app.message = None;
        for (width, height) in [(80, 24), (120, 40), (200, 50)] {
            let buffer = drawn(bench, width, height);
            insta::assert_snapshot!(format!("{scene}{theme}_{width}x{height}"), painted(&buffer));
        }
    }
}

#[test]
fn every_size_in_every_theme() {
    // Nothing but the texts of the panes that are always there: a violation, with what is false at the top.
    let wrong = LIBRARY.replace(" & r /: ran(lent)", "");
    let mut bench = Bench::of(&wrong, 80, 24);
    bench.press("t 2 j");
    in_every_size_and_theme(&mut bench, "");
}

#[test]
fn what_one_sees_first_in_every_size_and_theme() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    in_every_size_and_theme(&mut bench, "first_");
}

#[test]
fn errors_in_every_size_and_theme() {
    let broken = LIBRARY.replace("lent : Book", "lnt : Book").replace("lent := {}", "lent := 1");
    let mut bench = Bench::of(&broken, 80, 24);
    in_every_size_and_theme(&mut bench, "errors_");
}

/// A step, the matrix in the steps of its labelling, and what can be set.
#[test]
fn settings_and_steps_in_every_size_and_theme() {
    let mut bench = Bench::of(LIBRARY, 80, 24);
    bench.press("enter enter enter 4 ] ]");
    in_every_size_and_theme(&mut bench, "refined_");
    bench.press("O j j");
    in_every_size_and_theme(&mut bench, "settings_");
}

/// What differs on the screen differs in its text, not in its colours alone.
#[test]
fn nothing_is_said_by_colour_alone() {
    let wrong = LIBRARY.replace(" & r /: ran(lent)", "");
    let text = |bench: &mut Bench| bench.screen();
    let mut bench = Bench::of(&wrong, 80, 24);
    let mut seen = vec![text(&mut bench)];
    // The focus; the selection; an initialised state; a changed value; a false conjunct.
    for keys in ["2", "1", "enter", "enter", "i", "enter", "t", "s", "?"] {
        bench.press(keys);
        bench.desk.app.message = None;
        let now = text(&mut bench);
        if keys != "1" {
            assert!(!seen.contains(&now), "{keys} shows nothing: {now}");
        }
        seen.push(now);
    }
    bench.press("esc t 3");
    let screen = text(&mut bench);
    for mark in ["▸ State", "* lent", "F !r.", "T lent", "violation"] {
        assert!(screen.contains(mark), "{mark} in {screen}");
    }
    bench.press("7");
    assert!(bench.screen().contains("=>"), "{}", bench.screen());
}

#[test]
fn any_size_is_drawn() {
    let wrong = LIBRARY.replace(" & r /: ran(lent)", "");
    let mut bench = Bench::of(&wrong, 80, 24);
    bench.press("t : 1 enter");
    let mut focus = Pane::ALL.iter().cycle();
    let overlays =
        [None, None, Some(Overlay::Help), Some(Overlay::Errors), Some(Overlay::Messages)];
    let mut overlay = overlays.iter().cycle();
    for width in (1..=64).chain((65..=500).step_by(29)).chain([140, 500]) {
        for height in (1..=32).step_by(3).chain((33..=200).step_by(41)).chain([200]) {
            bench.desk.app.focus_on(*focus.next().unwrap());
            bench.desk.app.overlay = *overlay.next().unwrap();
            bench.desk.app.zoomed = (width + height) % 3 == 0;
            let buffer = drawn(&mut bench, width, height);
            assert!(buffer.content.iter().any(|c| c.symbol() != " "), "{width}x{height}");
        }
    }
}

/// Lines between panes are moved, and the pane that has the focus grows or shrinks.
#[test]
fn panes_are_resized() {
    for size in [(80, 24), (200, 50)] {
        let mut bench = Bench::of(LIBRARY, size.0, size.1);
        for pane in Pane::ALL {
            let area = |bench: &Bench| bench.desk.app.layout().inner(*pane);
            bench.desk.app.focus_on(*pane);
            let before = area(&bench);
            bench.press("> > +");
            let after = area(&bench);
            let wider = after.width > before.width || before.width == size.0;
            let taller = after.height > before.height || before.height + 3 >= size.1;
            assert!(wider && taller, "{pane:?} at {size:?}: {before} {after}");
            bench.press("< < < -");
            assert!(area(&bench).width < after.width || before.width == size.0, "{pane:?}");
            bench.press("=");
            assert_eq!(area(&bench), before);
        }
    }
}

/// Where one pane has the screen, a line says which others there are.
#[test]
fn a_narrow_screen_has_tabs() {
    let mut bench = Bench::of(LIBRARY, 50, 16);
    bench.press("3");
    let screen = bench.screen();
    let line = |screen: &str, n| screen.lines().nth(n).unwrap_or_default().to_owned();
    assert!(line(&screen, 1).contains(" 1 2[3 State] 4 5"), "{screen}");
    bench.press("2");
    assert!(line(&bench.screen(), 1).contains("[2 Source]"));
    bench.resize(120, 40).press("z");
    assert!(
        line(&bench.screen(), 1).contains(" 1 Operations [2 Source] 3 State "),
        "{}",
        bench.screen()
    );
}

/// What lies on top is broken where the screen is narrow: nothing is cut without a sign.
#[test]
fn narrow_overlays_break_their_lines() {
    let mut bench = Bench::of(LIBRARY, 60, 300);
    // Every word is on the screen.
    let whole = |bench: &mut Bench, texts: &[String]| {
        let screen = bench.screen();
        for word in texts.iter().flat_map(|text| text.split_whitespace()) {
            assert!(screen.contains(word), "{word}: {screen}");
        }
    };
    let actions: Vec<String> = ALL.iter().map(|described| described.text.to_owned()).collect();
    bench.press("?");
    whole(&mut bench, &actions);
    bench.press("esc ctrl-p");
    whole(&mut bench, &actions);
    bench.press("esc O");
    let settings: Vec<String> =
        choices::rows(&bench.desk.app).into_iter().map(|row| row.meaning).collect();
    whole(&mut bench, &settings);
    // The last one is in sight when it is selected, with all of its lines.
    bench.resize(60, 15).press("G");
    shown_line(&mut bench, ">most");
    shown_line(&mut bench, "allow");
    bench.press("esc p s");
    let long = LIBRARY.replace("borrow", "borrow_a_book_of_the_library_if_nobody_has_it");
    let mut bench = Bench::of(&long, 60, 40);
    bench.press("p s");
    shown_line(&mut bench, "borrow_a_book");
    let screen = bench.screen();
    // What lies below has the name, too, and no figures beside it.
    let mut lines = screen.lines().filter(|line| line.contains("borrow_a_book_of"));
    let has_figures = |line: &str| {
        let line = line.trim_end_matches(['"', ' ', '│']);
        line.contains('…') && line.ends_with(char::is_numeric)
    };
    assert!(lines.any(has_figures), "{screen}");
}

/// Where the check is not on the screen, its verdict stands in the first line.
#[test]
fn the_verdict_is_seen_on_a_small_screen() {
    let first = |bench: &mut Bench| bench.screen().lines().next().unwrap().to_owned();
    let mut bench = Bench::of(LIBRARY, 80, 24);
    assert!(!first(&mut bench).contains(" ok "), "the check is on the screen");
    bench.resize(60, 15);
    assert!(first(&mut bench).ends_with(" ok  symmetry canon \""), "{}", first(&mut bench));
    bench.press("5");
    assert!(!first(&mut bench).contains(" ok "), "it has the screen");
    let wrong = LIBRARY.replace(" & r /: ran(lent)", "");
    let mut bench = Bench::of(&wrong, 60, 15);
    assert!(first(&mut bench).contains(" invariant-violation "), "{}", first(&mut bench));
    bench.run_checks = false;
    bench.press("c");
    assert!(first(&mut bench).contains(" running "), "{}", first(&mut bench));
}
