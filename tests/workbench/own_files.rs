//! What the user has: an editor, a configuration, a keymap, a theme, a terminal with a background.

use super::machine;
use super::terminal::{PATIENCE, Terminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
    // Each run says which one it is: the lines of the last one are still on the screen.
    let script = "echo >> \"$0.runs\"; run=$(wc -l < \"$0.runs\")\n\
                  echo run $run editing \"$1\" \"$(basename \"$2\")\"; read word; echo \"got $word\"\n\
                  sed -i 's/card(on) < 2/card(on) < 3/' \"$2\"; read word; test \"$word\" = fine";
    let (_dir, file, editor) = with_editor(script);
    let mut t = Terminal::open(&file, 80, 24, &[("VISUAL", &editor)]);
    t.wait_for("all checks hold");
    t.press("\r");
    t.wait_for("light(Lamp*): 3, one kind");
    t.press("o");
    // At the declaration of the selected operation; keys go to the editor, and so does Ctrl-C.
    t.wait_for("run 1 editing +8 lamps.mch");
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
    t.wait_for("run 2 editing +");
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
    t.wait_for("light(Lamp*)");
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
    t.wait_for("light(Lamp*)");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
}

/// What is copied goes to the clipboard of the terminal; within tmux to its buffer, with and without `-w`.
#[cfg(unix)]
#[test]
fn what_is_copied_reaches_the_terminal_and_tmux() {
    use std::os::unix::fs::PermissionsExt;
    // `on = {}` and a line end, in base 64.
    let sequence = "\x1b]52;c;b24gPSB7f";
    let (dir, file) = machine();
    let tmux = dir.path().join("tmux");
    let path = format!("{}:{}", dir.path().display(), std::env::var("PATH").unwrap());
    for (script, loaded) in [
        ("", None),
        ("echo \"$*\" >> \"$0.log\"; cat >> \"$0.log\"", Some("load-buffer -w -\non = {}")),
        (
            "test \"$2\" = -w && exit 1; echo \"$*\" >> \"$0.log\"; cat >> \"$0.log\"",
            Some("load-buffer -\non = {}"),
        ),
    ] {
        std::fs::write(&tmux, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&tmux, std::fs::Permissions::from_mode(0o755)).unwrap();
        let log = dir.path().join("tmux.log");
        let _ = std::fs::remove_file(&log);
        let server = if loaded.is_some() { "/nowhere,1,0" } else { "" };
        let mut t = Terminal::open(&file, 80, 24, &[("PATH", &path), ("TMUX", server)]);
        t.wait_for("all checks hold");
        t.press("\r");
        t.wait_for("step 1");
        t.press("Y");
        t.wait_for("copied");
        t.press("q");
        assert_eq!(t.wait_for_end(), 0);
        let log = std::fs::read_to_string(&log).ok();
        assert_eq!(log.as_deref().map(str::trim_end), loaded, "{script}");
        let told = String::from_utf8_lossy(&t.raw).contains(sequence);
        assert_eq!(told, !script.starts_with("echo"), "{script}");
    }
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

/// Without a file there is a list of machines to look at.
#[test]
fn a_machine_is_chosen() {
    let dir = tempfile::tempdir().unwrap();
    let mut t = Terminal::run(dir.path(), &[], (80, 24), &[]);
    t.wait_for(">phonebook.mch ");
    t.wait_for("dining_philosophers.mch");
    t.press("sched");
    t.wait_without("phonebook.mch");
    t.press("\x1b[B\r");
    t.wait_for("scheduler0  scheduler0.mch");
    t.wait_for("all checks hold");
    t.press("q");
    assert_eq!(t.wait_for_end(), 0);
    let mut t = Terminal::run(dir.path(), &[], (40, 10), &[]);
    t.wait_for(">phonebook.mch ");
    t.press("\x1b");
    assert_eq!(t.wait_for_end(), 0);
}
