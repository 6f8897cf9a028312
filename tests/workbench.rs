//! The workbench in a real terminal: a pseudo-terminal, the program itself, and an emulator that says
//! what is on the screen.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

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

/// Longest time that anything on the screen is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

struct Terminal {
    parser: vt100::Parser,
    output: Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    /// Everything that was written.
    raw: Vec<u8>,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn cells(n: u16) -> NonZero<u16> {
    NonZero::new(n).expect("a screen has cells")
}

impl Terminal {
    fn open(file: &Path, columns: u16, rows: u16, environment: &[(&str, &str)]) -> Terminal {
        Terminal::open_with(file, &[], columns, rows, environment)
    }

    fn open_with(
        file: &Path,
        options: &[&str],
        columns: u16,
        rows: u16,
        environment: &[(&str, &str)],
    ) -> Terminal {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_burnside"));
        command.arg(file);
        command.args(options);
        command.cwd(file.parent().unwrap());
        for name in ["NO_COLOR", "BURNSIDE_THEME", "BURNSIDE_TEST_PANIC", "VISUAL", "EDITOR"] {
            command.env_remove(name);
        }
        // Nothing of whoever runs the tests, and a terminal that tells its colours.
        command.env("BURNSIDE_CONFIG_DIR", "/nowhere");
        command.env("COLORFGBG", "15;0");
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 1 << 14];
            while let Ok(n) = reader.read(&mut buffer) {
                if n == 0 || sender.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let parser = vt100::Parser::new(cells(rows), cells(columns), 0);
        Terminal { parser, output, keys, master: pair.master, child, raw: Vec::new() }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.master.resize(size(columns, rows)).unwrap();
        self.parser.screen_mut().set_size(cells(rows), cells(columns));
    }

    fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// Takes in what was written within this time; false when the program has ended.
    fn listen(&mut self, time: Duration) -> bool {
        match self.output.recv_timeout(time) {
            Ok(bytes) => {
                self.raw.extend_from_slice(&bytes);
                self.parser.process(&bytes);
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    #[track_caller]
    fn wait(&mut self, what: &str, is: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is(&self.text()) {
            let more = self.listen(Duration::from_millis(50));
            let text = self.text();
            assert!(more || is(&text), "ended while waiting for {what}:\n{text}");
            assert!(Instant::now() < end, "no {what} in\n{text}");
        }
    }

    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        self.wait(text, |screen| screen.contains(text));
    }

    #[track_caller]
    fn wait_without(&mut self, text: &str) {
        self.wait(&format!("screen without {text}"), |screen| !screen.contains(text));
    }

    /// Waits for the end. The terminal must be as it was before.
    #[track_caller]
    fn wait_for_end(&mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        while self.listen(Duration::from_millis(50)) {
            assert!(Instant::now() < end, "it does not end:\n{}", self.text());
            if let Ok(Some(_)) = self.child.try_wait() {
                // What is still in the pipe.
                while self
                    .output
                    .recv_timeout(Duration::from_millis(100))
                    .map(|b| self.take(&b))
                    .is_ok()
                {}
                break;
            }
        }
        assert!(!self.parser.screen().alternate_screen(), "the alternate screen was left");
        assert!(!self.parser.screen().hide_cursor(), "the cursor is shown");
        self.child.wait().unwrap().exit_code()
    }

    fn take(&mut self, bytes: &[u8]) {
        self.raw.extend_from_slice(bytes);
        self.parser.process(bytes);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // After a failed assertion the program would go on for ever.
        let _ = self.child.kill();
    }
}

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
    t.wait_for("3 light(Lamp3)");
    t.press("j\r");
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
    t.resize(30, 8);
    t.wait_for("30x8 is too small");
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
    t.wait_for("3 light(Lamp3)");
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
    t.wait_for("3 light(Lamp3)");
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

#[cfg(unix)]
#[test]
fn sigterm_gives_the_terminal_back() {
    let (_dir, file) = machine();
    let mut t = Terminal::open(&file, 80, 24, &[]);
    t.wait_for("all checks hold");
    let id = t.child.process_id().unwrap().to_string();
    let killed = std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(killed.success());
    assert_eq!(t.wait_for_end(), 143);
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
        let own = raw.replace("\\u{1b}[31;5m", "");
        assert!(!own.contains(part), "{part:?} in {own:?}");
    }
}

/// A machine with a file for an editor beside it: a script that says what it was given, and waits for a line.
#[cfg(unix)]
fn with_editor(script: &str) -> (tempfile::TempDir, PathBuf, String) {
    use std::os::unix::fs::PermissionsExt;
    let (dir, file) = machine();
    let editor = dir.path().join("vim");
    std::fs::write(&editor, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
    let name = editor.display().to_string();
    (dir, file, name)
}

/// The editor has the terminal as a shell would give it; whatever becomes of it, the workbench comes back whole.
#[cfg(unix)]
#[test]
fn the_editor_gets_the_terminal_and_gives_it_back() {
    let script = "echo editing \"$1\" \"$(basename \"$2\")\"; read word; echo \"got $word\"\n\
                  sed -i 's/card(on) < 2/card(on) < 3/' \"$2\"; read word; test \"$word\" = fine";
    let (_dir, file, editor) = with_editor(script);
    let mut t = Terminal::open(&file, 80, 24, &[("VISUAL", &editor)]);
    t.wait_for("all checks hold");
    t.press("\r");
    t.wait_for("3 light(Lamp3)");
    t.press("jo");
    // At the declaration of the selected operation; keys go to the editor, and so does Ctrl-C.
    t.wait_for("editing +8 lamps.mch");
    assert!(!t.parser.screen().alternate_screen() && !t.parser.screen().hide_cursor());
    t.press("q\r");
    t.wait_for("got q");
    t.press("fine\r");
    // What was saved is read again.
    t.wait_for("invariant-violation");
    assert!(t.parser.screen().alternate_screen() && t.parser.screen().hide_cursor());
    t.wait_for("Operations");
    t.press("j\t");
    t.wait_for("▸ Source");
    t.press("o");
    t.wait_for("editing +");
    t.press("a\rb\r");
    t.wait_for("the editor `vim` failed: exit status: 1");
    t.press("j");
    t.wait_without("failed");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

#[cfg(unix)]
#[test]
fn an_editor_that_is_missing_or_is_interrupted() {
    let (_dir, file, editor) =
        with_editor("trap 'echo stopped; exit 3' INT\necho ready; while :; do sleep 1; done");
    let mut t = Terminal::open(&file, 80, 24, &[("EDITOR", "no-such-editor --here")]);
    t.wait_for("all checks hold");
    t.press("o");
    t.wait_for("the editor `no-such-editor` cannot be run");
    t.press("j\r");
    t.wait_for("light(Lamp1)");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
    let mut t = Terminal::open(&file, 80, 24, &[("EDITOR", &editor)]);
    t.wait_for("all checks hold");
    t.press("o");
    t.wait_for("ready");
    t.press("\x03");
    t.wait_for("failed: exit status: 3");
    // Ctrl-C was for the editor alone.
    t.press("\r");
    t.wait_for("light(Lamp1)");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

/// What is wrong in the user's files is told with its place, and the workbench opens all the same.
#[test]
fn the_users_files_are_laid_over_the_defaults() {
    let (dir, file) = machine();
    let folder = dir.path().join("settings");
    std::fs::create_dir_all(folder.join("themes")).unwrap();
    let keymap = "[[bind]]\non = 'g q'\nrun = 'quit'\n[[bind]]\non = 'q'\nrun = 'none'\n\
                  [[bind]]\non = 'X'\nrun = 'fly'\n";
    std::fs::write(folder.join("keymap.toml"), keymap).unwrap();
    std::fs::write(folder.join("themes/mine.toml"), "header = { fg = '#102030' }\n").unwrap();
    std::fs::write(folder.join("config.toml"), "theme = 'mine'\n").unwrap();
    let name = folder.display().to_string();
    let mut t = Terminal::open(&file, 80, 24, &[("BURNSIDE_CONFIG_DIR", &name)]);
    t.wait_for("keymap.toml:9:7: unknown action `fly` (e shows it)");
    t.press("e");
    t.wait_for("run = 'fly'");
    assert!(String::from_utf8_lossy(&t.raw).contains("38;2;16;32;48"), "the header's colour");
    t.press("\x1b");
    t.wait_without("run = 'fly'");
    t.press("q");
    t.press("g");
    t.wait_for("q quit");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);

    let print = |option: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_burnside"));
        let output = command.arg(option).env("BURNSIDE_CONFIG_DIR", &name).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (status, keymap, errors) = print("--print-keymap");
    assert_eq!(status, Some(2));
    assert!(keymap.contains("on = \"g q\"\nrun = \"quit\""), "{keymap}");
    assert!(
        errors.contains("keymap.toml:9:7: error[configuration]: unknown action `fly`"),
        "{errors}"
    );
    assert!(errors.contains("run = 'fly'"), "{errors}");
    assert!(print("--print-config").1.contains("theme = \"mine\""));
    assert!(print("--print-theme").1.contains("header = { fg = \"#102030\" }"));
}

/// The terminal is asked for its background; the answer comes among the keys.
#[test]
fn a_light_terminal_gets_light_colours() {
    let (_dir, file) = machine();
    let blue = |t: &Terminal| {
        let screen = t.parser.screen();
        let cells = (0..24).flat_map(|row| (0..80).map(move |column| (row, column)));
        let mut cells = cells.filter_map(|(row, column)| screen.cell(row, column));
        cells.any(|cell| cell.fgcolor() == vt100::Color::Idx(4))
    };
    let mut t = Terminal::open(&file, 80, 24, &[("COLORFGBG", "")]);
    t.wait_for("all checks hold");
    assert!(t.raw.windows(6).any(|w| w == b"\x1b]11;?"));
    assert!(!blue(&t), "dark until it answers");
    t.press("\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\");
    let end = Instant::now() + PATIENCE;
    while !blue(&t) {
        assert!(Instant::now() < end, "it stays dark");
        t.listen(Duration::from_millis(50));
    }
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
    let mut t = Terminal::open(&file, 80, 24, &[("COLORFGBG", "0;15")]);
    t.wait_for("all checks hold");
    assert!(blue(&t) && !t.raw.windows(6).any(|w| w == b"\x1b]11;?"));
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}
