//! Slow links and busy machines: how many bytes a change takes, and how long a key waits.

use super::terminal::Terminal;
use super::{MANY, machine};
use std::path::Path;
use std::time::{Duration, Instant};

/// The lengths of the updates among some bytes.
fn updates(bytes: &[u8]) -> Vec<usize> {
    let text = String::from_utf8_lossy(bytes);
    let parts = text.split("\x1b[?2026h").skip(1);
    parts.map(|part| part.len() + "\x1b[?2026h".len()).collect()
}

/// Both take their time and no processor: they run side by side.
#[test]
fn a_counter_takes_less_than_200_bytes_and_a_step_less_than_1500() {
    std::thread::scope(|scope| {
        scope.spawn(a_step_takes_less_than_1500_bytes);
        scope.spawn(a_counter_takes_less_than_200_bytes);
    });
}

fn a_step_takes_less_than_1500_bytes() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("all checks hold");
    t.press("\r");
    t.wait_for("light(Lamp*): 3, one kind");
    for key in ["\r", "\r", "u", "\r", "\x12"] {
        t.settle(Duration::from_millis(500));
        t.press(key);
        let first = t.settle(Duration::from_millis(500));
        assert!(first < 1500, "{key:?}: {first} bytes");
    }
    // The selection moves.
    t.press("j");
    let moved = t.settle(Duration::from_millis(500));
    assert!(moved > 0 && moved < 600, "{moved} bytes");
    t.press("q");
    t.wait_for_end();
}

fn a_counter_takes_less_than_200_bytes() {
    let (_dir, file) = machine();
    std::fs::write(&file, MANY).unwrap();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("at one state for 2 s");
    let before = t.raw.len();
    t.wait_for("at one state for 5 s");
    let updates = updates(&t.raw[before..]);
    assert!(updates.len() >= 3, "{updates:?}");
    assert!(updates.iter().all(|n| *n < 200), "{updates:?}");
    t.press("q");
    t.wait_for_end();
}

/// The first steps of machines of ours, with all that they bring to the screen: the state, its matrix, the source of
/// the operations.
#[test]
fn first_steps_take_less_than_1500() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let names =
        ["phonebook_db", "dining_philosophers", "coalitions", "email", "peterson", "push_phases"];
    std::thread::scope(|scope| {
        for name in names {
            let file = models.join(name).with_extension("mch");
            scope.spawn(move || {
                let mut t = Terminal::open(&file, 80, 24, &[]);
                t.wait_for("not initialised");
                for step in 1..=3 {
                    t.settle(Duration::from_millis(500));
                    let before = t.raw.len();
                    t.press("\r");
                    t.wait_for(&format!("step {step}"));
                    t.settle(Duration::from_millis(500));
                    let bytes = t.raw.len() - before;
                    assert!((1..1500).contains(&bytes), "{name}, step {step}: {bytes} bytes");
                }
                t.press("q");
                t.wait_for_end();
            });
        }
    });
}

/// Figures come as often as the configuration says, and not more often because of keys.
#[test]
fn figures_are_drawn_so_often_only() {
    let (dir, file) = machine();
    let folder = dir.path().join("settings");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), "statistics = 1\n").unwrap();
    let many = "MACHINE many VARIABLES a, b, c INVARIANT a : 0..400 & b : 0..400 & c : 0..400
INITIALISATION a := 0 || b := 0 || c := 0
OPERATIONS
  x = PRE a < 400 THEN a := a + 1 END; y = PRE b < 400 THEN b := b + 1 END;
  z = PRE c < 400 THEN c := c + 1 END
END";
    std::fs::write(&file, many).unwrap();
    let name = folder.display().to_string();
    let mut t = Terminal::open(&file, 80, 24, &[("BURNSIDE_CONFIG_DIR", &name)]);
    t.wait_for("states/s");
    let (start, before) = (Instant::now(), t.raw.len());
    while start.elapsed() < Duration::from_secs(4) {
        t.listen(Duration::from_millis(50));
    }
    let n = updates(&t.raw[before..]).len();
    assert!((1..=6).contains(&n), "{n} updates in 4 seconds");
    t.press("q");
    t.wait_for_end();
}

/// The times that a key takes, from the fastest to the slowest: two panes have the focus in turn.
fn times(t: &mut Terminal, keys: usize) -> Vec<Duration> {
    t.press("2");
    t.wait_for("▸ Source");
    let mut times: Vec<Duration> = Vec::new();
    for n in 0..keys {
        let (key, title) = if n % 2 == 0 { ("1", "▸ Operations") } else { ("2", "▸ Source") };
        let start = Instant::now();
        t.press(key);
        t.wait_for(title);
        times.push(start.elapsed());
    }
    times.sort();
    times
}

/// A fair part of the keys is answered within 50 ms: how loaded the machine is otherwise nobody knows.
#[track_caller]
fn are_fast(what: &str, times: &[Duration]) {
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!("{what}: half of the keys in {:?}, 95 % in {:?}", at(50), at(95));
    assert!(at(25) < Duration::from_millis(50), "{what}: {times:?}");
}

/// 100,000 instances are enabled: the list is folded, is opened, each can be reached, and keys are fast.
#[test]
fn a_hundred_thousand_instances() {
    let (_dir, file) = machine();
    let text = "MACHINE many VARIABLES x INVARIANT x : 0..1000 INITIALISATION x := 0
OPERATIONS set(a, b) = PRE a : 1..400 & b : 1..250 THEN x := a END
END";
    std::fs::write(&file, text).unwrap();
    let mut t = Terminal::open_with(&file, &["--max-states", "20"], 80, 24, &[]);
    t.wait_for("INITIALISATION  x = 0");
    t.press("\r");
    t.wait_for("set  100,000");
    are_fast("100,000 instances, folded", &times(&mut t, 20));
    t.press("1\r");
    t.wait_for("set(1, 1)");
    are_fast("100,000 instances, listed", &times(&mut t, 20));
    t.press("1G");
    t.wait_for("set(400, 250)");
    // A filter goes through all of them; what is typed is seen at once.
    let (mut typed, mut times) = (String::from("/"), Vec::new());
    t.press("/");
    for n in 0..20 {
        let letter = if n % 2 == 0 { "3" } else { "9" };
        typed.push_str(letter);
        let start = Instant::now();
        t.press(letter);
        t.wait_for(&typed);
        times.push(start.elapsed());
    }
    times.sort();
    are_fast("100,000 instances, while a filter is typed", &times);
    t.press("\x15399, 250\r");
    t.wait_for("set(399, 250)");
    // All of them are listed again, with the same one selected.
    t.press("/\x1b");
    t.wait_for("set(398, 250)");
    t.press("\x1b5");
    t.press("0000\r");
    t.wait_for("step 2");
    t.press("q");
    t.wait_for_end();
}

/// Of many operations those on the screen cost something, not the others; and so of long values.
#[test]
fn two_thousand_operations_and_long_values() {
    let (_dir, file) = machine();
    let operation = |n: u32| format!("op{n} = PRE x /= {n} THEN x := {n} END");
    let operations: Vec<String> = (0..2000).map(operation).collect();
    let text = format!(
        "MACHINE many VARIABLES x, s INVARIANT x : 0..2000 & s <: 0..90000
INITIALISATION x := 0 || s := 1..90000
OPERATIONS {}
END",
        operations.join(";\n")
    );
    std::fs::write(&file, text).unwrap();
    let mut t = Terminal::open_with(&file, &["--max-states", "20"], 80, 24, &[]);
    t.wait_for("INITIALISATION  x = 0");
    t.press("\r");
    t.wait_for("1/1999");
    t.wait_for("s = {1,2,3");
    are_fast("2,000 operations and a value of half a million letters", &times(&mut t, 20));
    t.press("q");
    t.wait_for_end();
}

/// A machine of 4.2 million transitions, while it is searched.
#[test]
fn a_large_search() {
    let Some(folder) = super::corpus::folder() else { return };
    let file = folder.join("models/B/Tickets/PROB-320/HierarchicalParserIssue.mch");
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("queue");
    are_fast("HierarchicalParserIssue", &times(&mut t, 40));
    t.wait_for("queue");
    t.press("\x03\x03");
    t.wait_for_end();
}

/// While all processors search, a key is answered at once. How loaded the machine is nobody knows: of many keys a
/// fair part has to be that fast.
#[test]
fn keys_are_answered_while_all_cores_search() {
    let (_dir, file) = machine();
    let text = "MACHINE busy VARIABLES a, b, c INVARIANT a : 0..900 & b : 0..900 & c : 0..900
INITIALISATION a := 0 || b := 0 || c := 0
OPERATIONS
  x = PRE a < 900 THEN a := a + 1 END; y = PRE b < 900 THEN b := b + 1 END;
  z = PRE c < 900 THEN c := c + 1 END
END";
    std::fs::write(&file, text).unwrap();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("states/s");
    are_fast("all cores search", &times(&mut t, 40));
    t.press("q");
    t.wait_for_end();
}

/// What goes on in the background is ended by Esc: the search for a way, and the comparison of the modes.
#[test]
fn what_takes_long_is_ended_by_a_key() {
    let (_dir, file) = machine();
    let text = "MACHINE busy SETS P VARIABLES a, b, c, p INVARIANT a : 0..900 & b : 0..900 & c : 0..900 & p <: P
INITIALISATION a := 0 || b := 0 || c := 0 || p := {}
OPERATIONS
  x = PRE a < 900 THEN a := a + 1 END; y = PRE b < 900 THEN b := b + 1 END;
  z = PRE c < 900 THEN c := c + 1 END; join(e) = PRE e : P THEN p := p \\/ {e} END
END";
    std::fs::write(&file, text).unwrap();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("states/s");
    t.press("\r");
    t.wait_for("step 1");
    t.press("na + b = -1\r");
    t.wait_for("a way to `a + b = -1`?");
    t.press("\x1b");
    t.wait_for("not among");
    t.press("C");
    t.wait_for("▸ Compare ━ 0 of 10");
    t.press("\x1b");
    t.wait_for("cancelled");
    t.wait_without("0 of 10");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}
