//! Hostile text: whatever a machine, a trace, a path or an argument holds, no command and no screen
//! passes on what steers a terminal.

use burnside::printable::steers;
use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// What clears and colours, an operating system command that sets the title, the bell, a backspace, DEL,
/// the control sequence introducer of eight bits, marks of direction, letters that are not to be seen.
const BAD: &str = "\x1b[2J\x1b[31m\x1b]0;owned\x07\x08\x7f\u{9b}31m\u{9d}0;x\u{9c}\u{202e}\u{2066}\
                   \u{200b}\u{200d}\u{feff}\u{ad}\u{2028}\u{e0041}";

/// A machine with `BAD` wherever a name or a string may stand. Whoever takes the long way round `op`
/// violates the invariant.
const MACHINE: &str = "MACHINE Hostile
SETS `S@` = {`e@`, f}; D
CONSTANTS `c@` PROPERTIES `c@` = \"text@\"
VARIABLES `v@`, s, d
INVARIANT `v@` : STRING & d <: D & s <: `S@` & /*@label la@bel */ `v@` /= \"arg@\"
INITIALISATION `v@` := \"init@\" || s := {} || d := {}
OPERATIONS
  `op@`(`p@`) = PRE `p@` : {\"arg@\", \"b\"} & s = `S@` THEN `v@` := `p@` END;
  `r@` <-- `res@` = BEGIN `r@` := `v@` END;
  one(x) = PRE x : D & x /: d THEN d := d \\/ {x} END;
  add(x) = PRE x : `S@` & x /: s THEN s := s \\/ {x} END
END
";

struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn put(&self, name: impl AsRef<OsStr>, text: &str) -> PathBuf {
        let path = self.0.path().join(name.as_ref());
        std::fs::write(&path, text).unwrap();
        path
    }

    /// A machine in a file whose name is hostile, too.
    fn machine(&self) -> PathBuf {
        let mut name = b"Hostile\x1b[31m\xff\x07".to_vec();
        name.extend("\u{202e}\u{200b}.mch".as_bytes());
        self.put(OsStr::from_bytes(&name), &MACHINE.replace('@', BAD))
    }
}

fn run(arguments: &[&OsStr]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    // Some arguments name files to be written.
    let scratch = tempfile::tempdir().unwrap();
    command.args(arguments).stdin(Stdio::null()).current_dir(scratch.path()).output().unwrap()
}

/// What a command writes; neither stream may hold what steers a terminal.
fn written(arguments: &[&OsStr]) -> (i32, String, String) {
    let output = run(arguments);
    let told = |bytes: &[u8]| {
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let wrong = text.char_indices().find(|(_, c)| steers(*c) && *c != '\n');
        if let Some((at, c)) = wrong {
            let from = text[..at].rfind('\n').map_or(0, |n| n + 1);
            panic!("{arguments:?}: {c:?} after {:?}", &text[from..at]);
        }
        text
    };
    (output.status.code().unwrap(), told(&output.stdout), told(&output.stderr))
}

/// Runs with words, and `FILE` and `TRACE` for files.
fn with(words: &str, file: &Path, trace: &Path) -> (i32, String, String) {
    let arguments: Vec<&OsStr> = words
        .split_whitespace()
        .map(|word| match word {
            "FILE" => file.as_os_str(),
            "TRACE" => trace.as_os_str(),
            word => OsStr::new(word),
        })
        .collect();
    written(&arguments)
}

#[test]
fn no_command_passes_on_what_steers_a_terminal() {
    let desk = Desk::new();
    let (file, trace) = (desk.machine(), desk.0.path().join("t\x1b[31m.json"));
    for (words, status) in [
        ("check FILE --trace TRACE", 1),
        ("check FILE --explain-symmetry", 1),
        ("check FILE --goal GOAL", 2),
        ("FILE --keep-going", 1),
        ("check FILE --symmetry sorted --main-array d", 1),
        ("canon FILE --steps 1,1,1", 0),
        ("canon FILE --steps 1,1,1 --explain", 0),
        ("canon FILE --steps 1,1,99", 2),
        ("replay FILE TRACE", 0),
        ("compare FILE --card D=1..2", 1),
        ("compare FILE", 1),
        ("check FILE --format json", 1),
        ("canon FILE --steps 1,1 --format json --explain", 0),
        ("eval FILE s=1", 2),
        ("eval FILE s", 0),
        ("analyse FILE", 0),
        ("analyse FILE --format json", 0),
        ("analyse FILE --format dot", 0),
        ("check FILE --por stubborn", 1),
        ("check FILE --por ample --format json", 1),
    ] {
        let (found, out, err) = with(words, &file, &trace);
        assert_eq!(found, status, "{words}: {out}{err}");
        // Not left out, but shown: by number, or in JSON by its escapes.
        let shown = out.contains("\\u{1b}") || err.contains("\\u{1b}") || out.contains("\\u001b");
        assert!(shown || words.starts_with("compare"), "{words}: {out}{err}");
    }
    // What has no text of the machine in it stays as it is, too.
    for words in ["check FILE --quiet", "compare FILE --format csv", "compare FILE --format json"] {
        assert_eq!(with(words, &file, &trace).0, 1, "{words}");
    }
    for words in ["codes", "tables --list", "--help", "check --help"] {
        assert_eq!(with(words, &file, &trace).0, 0, "{words}");
    }
}

#[test]
fn json_keeps_the_text() {
    let desk = Desk::new();
    let (file, trace) = (desk.machine(), desk.0.path().join("trace.json"));
    let (_, out, _) = with("check FILE --format json --trace TRACE", &file, &trace);
    let report: Value = serde_json::from_str(&out).unwrap();
    let step = &report["trace"][0]["changed"];
    let name = format!("c{BAD}");
    assert_eq!(step[&name], format!("\"text{BAD}\""), "{out}");
    let kept = std::fs::read_to_string(&trace).unwrap();
    assert!(!kept.contains(|c| steers(c) && c != '\n'), "{kept}");
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["steps"][0]["changed"][&name], format!("\"text{BAD}\""));
}

#[test]
fn names_of_sets_are_shown_and_quoted_in_tables() {
    let desk = Desk::new();
    let text = "MACHINE C SETS `D@, \"x\"` VARIABLES d INVARIANT d <: `D@, \"x\"`
INITIALISATION d := {} OPERATIONS one(x) = PRE x : `D@, \"x\"` & x /: d THEN d := d \\/ {x} END END";
    let file = desk.put("C.mch", &text.replace('@', BAD));
    let (_, out, _) = with("compare FILE --format csv --no-deadlock", &file, &file);
    let row = out.lines().nth(1).unwrap();
    assert!(row.starts_with("\"D\\u{1b}[2J"), "{row}");
    assert!(row.contains(", \"\"x\"\"=2\",off,"), "{row}");
    let (_, out, _) = with("compare FILE --no-deadlock", &file, &file);
    let bars: Vec<Vec<usize>> = out
        .lines()
        .skip(1)
        .take(4)
        .map(|l| l.chars().enumerate().filter(|(_, c)| "|+".contains(*c)).map(|(i, _)| i).collect())
        .collect();
    assert!(bars.len() == 4 && bars.iter().all(|b| *b == bars[0]), "{out}");
}

#[test]
fn errors_show_what_they_quote() {
    let desk = Desk::new();
    let file = desk.machine();
    let bad = OsStr::new(BAD);
    let (file_name, check) = (file.as_os_str(), OsStr::new("check"));
    // No such file, a wrong command, wrong values of options, wrong expressions.
    let mut cases: Vec<Vec<&OsStr>> =
        vec![vec![bad], vec![check, bad], vec![bad, file_name], vec![check, file_name, bad]];
    for option in [
        "--symmetry",
        "--strategy",
        "--card",
        "--goal",
        "--pref",
        "--constant",
        "--maxint",
        "--memory",
        "--timeout",
        "--max-states",
        "--trace",
        "--main-array",
        "--theme",
        "--format",
        "--include-path",
        "--seed",
    ] {
        cases.push(vec![check, file_name, OsStr::new(option), bad]);
    }
    cases.push(vec![OsStr::new("replay"), file_name, bad]);
    cases.push(vec![OsStr::new("canon"), file_name, OsStr::new("--steps"), bad]);
    cases.push(vec![OsStr::new("compare"), file_name, OsStr::new("--card"), bad]);
    cases.push(vec![OsStr::new("tables"), bad]);
    let goal = format!("`v{BAD}` = 1 & \"{BAD}\" = 2");
    let unknown = format!("{BAD}=3");
    cases.push(vec![check, file_name, OsStr::new("--goal"), OsStr::new(&goal)]);
    cases.push(vec![check, file_name, OsStr::new("--card"), OsStr::new(&unknown)]);
    for arguments in cases {
        // A trace may be written under any name; the theme is that of the workbench.
        let works = arguments.iter().any(|a| *a == "--trace" || *a == "--theme");
        let (status, out, err) = written(&arguments);
        assert!(status == 2 || works, "{arguments:?}: {status} {out}{err}");
    }
    for text in [
        format!("MACHINE `{BAD}`"),
        MACHINE.replace('@', BAD).replace("s := {}", "s := 1"),
        MACHINE.replace('@', BAD).replace("SETS", &format!("SEES `n{BAD}` SETS")),
        format!("MACHINE M DEFINITIONS \"{BAD}.def\" END"),
        format!("MACHINE M CONSTANTS c PROPERTIES c = {BAD} END"),
        format!(
            "MACHINE M /* {BAD}\r */ CONSTANTS c PROPERTIES c = \"{BAD}\" + 1 /*\r\r{BAD}*/ END"
        ),
        format!("MACHINE M SETS {BAD}"),
    ] {
        let file = desk.put("M.mch", &text);
        let (status, out, err) = with("check FILE", &file, &file);
        assert!(status == 2 && !err.is_empty() && out.is_empty(), "{text:?}: {out}{err}");
        assert_eq!(with("check FILE --format json", &file, &file).0, 2);
    }
}

#[test]
fn traces_that_do_not_fit_show_what_they_hold() {
    let desk = Desk::new();
    let (file, trace) = (desk.machine(), desk.0.path().join("trace.json"));
    with("check FILE --trace TRACE", &file, &trace);
    let good: Value = serde_json::from_str(&std::fs::read_to_string(&trace).unwrap()).unwrap();
    let bent = |bend: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        bend(&mut value);
        std::fs::write(&trace, value.to_string()).unwrap();
        let (status, out, err) = with("replay FILE TRACE", &file, &trace);
        assert_eq!(status, 2, "{value}: {out}{err}");
        assert!(out.contains("\\u{1b}") || err.contains("\\u{1b}"), "{out}{err}");
    };
    bent(&|v| v["model"] = BAD.into());
    bent(&|v| v["steps"][2]["operation"] = BAD.into());
    bent(&|v| v["steps"][3]["arguments"] = serde_json::json!([BAD]));
    bent(&|v| v["steps"][1]["changed"] = serde_json::json!({ BAD: 1 }));
    bent(&|v| v["sets"] = serde_json::json!({ BAD: 3 }));
    bent(&|v| v["preferences"] = serde_json::json!({ "MAXINT": BAD }));
    bent(&|v| v["constants"] = serde_json::json!({ BAD: BAD }));
    for text in [BAD.to_owned(), format!("{{\"{BAD}\": "), format!("{{\"format\": \"{BAD}\"}}")] {
        std::fs::write(&trace, text).unwrap();
        assert_eq!(with("replay FILE TRACE", &file, &trace).0, 2);
    }
}

#[test]
fn standard_input_is_shown_like_a_file() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command
        .args(["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let text = format!("MACHINE M CONSTANTS c PROPERTIES c = 1 + \"{BAD}\" END");
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(err.starts_with("<stdin>:1:42: error[type-mismatch]"), "{err}");
    assert!(!err.contains(|c| steers(c) && c != '\n') && err.contains("\\u{1b}"), "{err}");
}
