//! The workbench in a real terminal: a pseudo-terminal, the program itself, and an emulator that says
//! what is on the screen.

#[path = "../common/corpus.rs"]
#[allow(dead_code)]
mod corpus;
mod own_files;
mod slow;
#[path = "../common/terminal.rs"]
mod terminal;
#[cfg(unix)]
mod tour;

use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;
use terminal::Terminal;

/// Lamps are switched on, at most two of them.
const LAMPS: &str = "\
MACHINE lamps
DEFINITIONS scope_Lamp == 3
SETS Lamp
VARIABLES on
INVARIANT on <: Lamp & card(on) <= 2
INITIALISATION on := {}
OPERATIONS
  light(x) =
    PRE x : Lamp & x /: on &
      card(on) < 2
    THEN on := on \\/ {x} END;
  dark(x) =
    PRE x : on THEN on := on - {x} END
END
";

fn machine() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("lamps.mch");
    std::fs::write(&file, LAMPS).unwrap();
    (dir, file)
}

fn save_by_rename(file: &Path, text: &str) {
    let new = file.with_extension("new");
    std::fs::write(&new, text).unwrap();
    std::fs::rename(&new, file).unwrap();
}

#[test]
fn a_session_from_beginning_to_end() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("lamps");
    t.wait_for("all checks hold");
    assert!(t.parser.screen().alternate_screen() && t.parser.screen().hide_cursor());
    t.wait_for("INITIALISATION  on = {}");

    // Step and undo.
    t.press("\r");
    t.wait_for("light(Lamp*): 3, one kind");
    t.press("ijj\r");
    t.wait_for("on = {Lamp2}");
    t.press("\r");
    t.wait_for("on = {Lamp1,Lamp2}");
    t.press("u");
    t.wait_without("{Lamp1,Lamp2}");
    // Once more, and it is asked whether one means it.
    t.press("\x03");
    t.wait_for("Ctrl-C once more leaves");
    t.press("\x12");
    t.wait_for("on = {Lamp1,Lamp2}");

    // Toggle: root and 1 + 3 + 3 states, or one state of each size.
    t.wait_for("nodes 4");
    t.press("s");
    t.wait_for("symmetry off");
    t.wait_for("nodes 8");

    // Save by rename, twice: the second one comes after the first has moved the file away.
    let saves = [("card(on) < 1", "2 of 3 steps replayed"), ("card(on) < 3", "3 steps replayed")];
    for (guard, replayed) in saves {
        save_by_rename(&file, &LAMPS.replace("card(on) < 2", guard));
        t.wait_for(replayed);
        // The end of the source.
        t.press("\tG");
        t.wait_without("replayed");
        t.wait_for(guard);
        t.press("\x1b[Z");
    }
    t.wait_for("invariant-violation");

    // Break it: the last good version stays, stale, with the error.
    std::fs::write(&file, LAMPS.replace("VARIABLES on", "VARIABLES of")).unwrap();
    t.wait_for("STALE");
    t.wait_for("error[");
    t.press("\x1b");
    t.wait_without("error[");
    t.wait_for("STALE");
    std::fs::write(&file, LAMPS).unwrap();
    t.wait_without("STALE");

    // Resize.
    t.resize(200, 50);
    t.wait("all panes", |screen| screen.lines().count() > 40 && screen.contains("HISTORY"));
    t.resize(20, 5);
    t.wait_for("20x5 is too small");
    t.resize(30, 8);
    t.wait_for("[1 Operations]");
    t.resize(80, 24);
    t.wait_for("Operations");

    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

#[test]
fn what_is_told_of_symmetry() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("all checks hold");
    t.press("y");
    t.wait_for("Lamp: 3 elements, chosen by the definition scope_Lamp");
    t.wait_for("group of order 6");
    t.press("\x1b");
    t.wait_without("group of order 6");
    t.press("\r");
    t.wait_for("light(Lamp*): 3, one kind");
    t.press("\r");
    // The state that was reached, and what stands for it.
    t.wait_for("on = {Lamp1}");
    t.wait_for("REPRESENTATIVE");
    t.press("\t\t\tzx");
    t.wait_for("Labels: 1 on");
    t.wait_for("is split by d_out into");
    t.press("G");
    t.wait_for("orbit size          3 = 6 / 2");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

#[test]
fn messages_pass_and_every_file_is_watched() {
    let (dir, file) = machine();
    let main = LAMPS.replace("SETS Lamp\n", "SETS Lamp\nINCLUDES counter\n");
    let counter = "MACHINE counter VARIABLES n INVARIANT n : 0..3\nINITIALISATION n := 0\nEND\n";
    let included = dir.path().join("counter.mch");
    std::fs::write(&included, counter).unwrap();
    std::fs::write(&file, &main).unwrap();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("Source lamps.mch 1/2");
    t.press("f");
    t.wait_for("Source counter.mch 2/2");
    t.press("f");
    t.wait_for("Source lamps.mch 1/2");
    save_by_rename(&included, &counter.replace("n := 0", "n := 1"));
    t.wait_for("reloaded");
    // Without a key.
    t.wait_without("reloaded");
    save_by_rename(&included, &counter.replace("n := 0", "m := 1"));
    t.wait_for("STALE");
    t.wait_for("Source counter.mch 2/2");
    t.wait_for("2 ×");
    save_by_rename(&included, counter);
    t.wait_without("STALE");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

/// An included file may come from a folder that is opened, and is waited for where it is missing.
#[test]
fn a_missing_file_is_waited_for_in_every_open_folder() {
    let desk = tempfile::tempdir().unwrap();
    let (models, shared) = (desk.path().join("models"), desk.path().join("shared"));
    std::fs::create_dir(&models).unwrap();
    std::fs::create_dir(&shared).unwrap();
    let main = LAMPS
        .replace("SETS Lamp\n", "SETS Lamp\nINCLUDES counter\n")
        .replace("DEFINITIONS scope_Lamp == 3", "DEFINITIONS scope_Lamp == 3; \"more.def\"")
        .replace("card(on) <= 2", "card(on) <= most");
    let file = models.join("lamps.mch");
    std::fs::write(&file, main).unwrap();
    std::fs::write(shared.join("more.def"), "DEFINITIONS most == 2\n").unwrap();
    let mut t = Terminal::open_with(&file, &["--include-path", "../shared"], 80, 24, &[]);
    t.wait_for("file-not-found");
    t.wait_for("for the machine `counter`");
    let counter = "MACHINE counter VARIABLES n INVARIANT n : 0..3\nINITIALISATION n := 0\nEND\n";
    save_by_rename(&shared.join("counter.mch"), counter);
    t.wait_for("Source lamps.mch 1/3");
    // It is watched in its folder like any other.
    save_by_rename(&shared.join("more.def"), "DEFINITIONS most == nothing\n");
    t.wait_for("STALE");
    save_by_rename(&shared.join("more.def"), "DEFINITIONS most == 2\n");
    t.wait_without("STALE");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);

    // Without the option the folder is closed.
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("file-not-found");
    t.press("qq");
    assert_eq!(t.wait_for_end(), 0);
}

/// 2^24 transitions, each with a guard that takes a while.
const MANY: &str = "\
MACHINE many
VARIABLES x
INVARIANT x <: 1..24
INITIALISATION x := {}
OPERATIONS
  set(y) = PRE y <: 1..24 & !n.(n : 1..24 => card(y - {n}) >= 0) THEN x := y END
END
";

#[test]
fn a_long_listing_is_cancelled() {
    let (_dir, file) = machine();
    std::fs::write(&file, MANY).unwrap();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("x = {}");
    // The search is at the same state.
    t.wait_for("at one state for");
    t.press("\r");
    t.wait_for("Esc cancels");
    t.press("\x1b");
    t.wait_for("was cancelled");
    t.wait_for("and perhaps more; Enter");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

#[test]
fn a_panic_of_the_search_is_a_message() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[("BURNSIDE_TEST_PANIC", "1")]);
    t.wait_for("the check failed: asked to panic");
    t.press("\r");
    t.wait_for("light(Lamp*): 3, one kind");
    t.press("\r");
    t.wait_for("on = {Lamp1}");
    t.press("c");
    t.wait_for("the check failed");
    assert!(t.parser.screen().alternate_screen());
    t.press("\x03\x03");
    assert_eq!(t.wait_for_end(), 0);
    assert!(!String::from_utf8_lossy(&t.raw).contains("RUST_BACKTRACE"), "no panic was printed");
}

/// What the workbench cannot follow is refused, and what the terminal cannot show is not sent to it.
#[test]
fn options_and_terminals_that_do_not_fit() {
    let (_dir, file) = machine();
    for (options, word) in [
        (&["--quiet"][..], "--quiet is not for the workbench"),
        (&["--format", "json"], "--format is not"),
        (&["--trace", "t.json"], "--trace is not"),
        (&["--explain-symmetry"], "--explain-symmetry is not"),
        (&["--deny-warnings"], "--deny-warnings is not"),
        (&["--symmetry", "sorted", "--main-array", "zz"], "no variable or constant zz"),
    ] {
        let mut t = Terminal::open_with(&file, options, 80, 24, &[]);
        t.wait_for(word);
        assert_eq!(t.wait_for_end(), 2);
    }
    let mut t = Terminal::open(&file, 80, 24, &[("TERM", "dumb")]);
    t.wait_for("some operation is enabled in every reachable state");
    assert_eq!(t.wait_for_end(), 0);
    assert!(!String::from_utf8_lossy(&t.raw).contains('\x1b'));
    let mut t = Terminal::open(&file, 80, 24, &[("LC_ALL", "C")]);
    t.wait_for("all checks hold");
    assert!(t.text().is_ascii(), "{}", t.text());
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

#[test]
fn nothing_is_written_when_nothing_changes() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("all checks hold");
    while t.output.recv_timeout(Duration::from_millis(600)).is_ok() {}
    let quiet = t.output.recv_timeout(Duration::from_millis(1500));
    assert_eq!(quiet, Err(RecvTimeoutError::Timeout));
    // A key that means nothing draws nothing.
    t.press("X");
    let quiet = t.output.recv_timeout(Duration::from_millis(500));
    assert_eq!(quiet, Err(RecvTimeoutError::Timeout));
    t.press("q");
    t.wait_for_end();
}

#[test]
fn drawing_is_synchronized_and_no_color_means_none() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[("NO_COLOR", "1")]);
    t.wait_for("all checks hold");
    t.press("\rq");
    assert_eq!(t.wait_for_end(), 0);
    let raw = String::from_utf8_lossy(&t.raw).into_owned();
    let count = |what: &str| raw.matches(what).count();
    assert!(count("\x1b[?2026h") > 0);
    assert!(count("\x1b[?2026l") >= count("\x1b[?2026h"));
    assert!(!raw.contains("38;5;") && !raw.contains("48;5;") && !raw.contains("38;2;"));
    assert!(raw.contains("\x1b[7m"), "reversed text is not lost with the colours");
}

/// Idle, and while a search and a listing are under way.
#[cfg(unix)]
#[test]
fn sigterm_gives_the_terminal_back() {
    for (text, there) in [(LAMPS, "all checks hold"), (MANY, "at one state for")] {
        let (_dir, file) = machine();
        std::fs::write(&file, text).unwrap();
        let mut t = Terminal::open(&file, 80, 24, &[]);
        t.wait_for(there);
        t.press("\r");
        t.settle(Duration::from_millis(300));
        let id = t.child.process_id().unwrap().to_string();
        let killed = std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(killed.success());
        assert_eq!(t.wait_for_end(), 143);
    }
}

/// Stopped from outside it gives the terminal back, if it is asked to stop; continued, it takes it again as it needs it.
#[cfg(target_os = "linux")]
#[test]
fn what_is_stopped_from_outside_goes_on() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("all checks hold");
    let id = t.child.process_id().unwrap().to_string();
    let run = |program: &str, words: &[&str]| {
        let output = std::process::Command::new(program).args(words).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let state = |id: &str| {
        let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        text.rsplit(") ").next().unwrap().chars().next().unwrap()
    };
    let device = std::fs::read_link(format!("/proc/{id}/fd/0")).unwrap();
    let device = device.to_str().unwrap();
    for signal in ["-TSTP", "-STOP"] {
        run("kill", &[signal, &id]);
        t.settle(Duration::from_millis(300));
        assert_eq!(state(&id), 'T', "{signal}");
        assert_eq!(t.parser.screen().alternate_screen(), signal == "-STOP");
        // As a shell does.
        run("stty", &["-F", device, "sane"]);
        t.parser.process(b"\x1b[2J");
        run("kill", &["-CONT", &id]);
        t.wait_for("all checks hold");
        t.settle(Duration::from_millis(300));
        assert!(t.parser.screen().alternate_screen() && t.parser.screen().hide_cursor());
        assert!(run("stty", &["-F", device, "-a"]).contains("-icanon"), "{signal}");
        t.press("\r");
        t.wait_for(if signal == "-TSTP" { "step 1" } else { "step 2" });
    }
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

/// A terminal without bracketed paste hands over a long text as keys, and more of them than are read at once.
#[test]
fn a_long_text_is_read_to_its_end() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("all checks hold");
    t.press(&format!(":1{}\r", " + 1".repeat(700)));
    t.wait_for("701  : INTEGER");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

/// Keys that come at once are taken one after the other, each in the state that the one before has led to.
#[test]
fn keys_that_come_together_are_all_taken() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("all checks hold");
    t.press("\r\r\r\r");
    t.wait_for("step 4");
    t.press("u\r\ruu");
    t.wait_for("step 3 (+2)");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

/// The terminal may become any size while a search is under way.
#[test]
fn the_size_changes_while_a_search_runs() {
    let (_dir, file) = machine();
    std::fs::write(&file, MANY).unwrap();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("at one state for");
    for (columns, rows) in [(1, 1), (500, 200), (3, 80), (140, 30), (59, 17)] {
        t.resize(columns, rows);
        t.listen(Duration::from_millis(300));
    }
    t.resize(80, 24);
    // A key that comes in the same moment as the signal is read with the next one.
    t.listen(Duration::from_millis(300));
    t.wait_for("at one state for");
    // All of it is drawn anew.
    t.wait_for("MACHINE many");
    t.wait_for("INITIALISATION");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

/// The mouse is the terminal's own until it is asked for.
#[test]
fn the_mouse_is_listened_to_where_that_is_wanted() {
    let (_dir, file) = machine();
    for (options, wanted) in [(&[][..], false), (&["--mouse"], true)] {
        let mut t = Terminal::open_with(&file, options, 80, 24, &[]);
        t.wait_for("all checks hold");
        // A click on the title of the source.
        t.press(if wanted { "\x1b[<0;10;2M\x1b[<0;10;2m" } else { "2" });
        t.wait_for("▸ Source");
        t.press("q");
        assert_eq!(t.wait_for_end(), 0);
        let raw = String::from_utf8_lossy(&t.raw).into_owned();
        assert_eq!(raw.contains("\x1b[?1000h"), wanted, "{options:?}");
        assert_eq!(raw.contains("\x1b[?1000l"), wanted, "{options:?}");
    }
}

#[test]
fn hostile_text_does_not_reach_the_terminal() {
    let bad = "\x1b]0;owned\x07\x1b[31;5m\u{9b}2J\u{9d}0;x\u{9c}\u{202e}\u{200b}";
    let text = "/* @ */ MACHINE Lamps SETS `Lamp@` VARIABLES `lit@`, s
INVARIANT `lit@` <: `Lamp@` & s : STRING INITIALISATION `lit@` := {} || s := \"@\"
OPERATIONS `light@`(x) = PRE x : `Lamp@` THEN `lit@` := {x} END END";
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("lamps\x1b]0;owned\x07.mch");
    std::fs::write(&file, text.replace('@', bad)).unwrap();
    let mut terminal = Terminal::open(&file, 120, 40, &[]);
    terminal.wait_for("\\u{1b}]0;owned");
    for keys in ["\r", "\r", "\t", "z", "z", "e", "\x1b", "y", "q"] {
        terminal.press(keys);
        terminal.listen(Duration::from_millis(200));
    }
    terminal.press("q");
    terminal.wait_for_end();
    let raw = String::from_utf8_lossy(&terminal.raw).into_owned();
    for part in ["\x1b]", "\x07", "31;5m", "\u{9b}", "\u{9c}", "\u{202e}", "\u{200b}"] {
        // A source that is scrolled begins anywhere.
        let own = raw.replace("1b}[31;5m", "");
        assert!(!own.contains(part), "{part:?} in {own:?}");
    }
}
