//! The empty sequence is `[]` where a sequence is declared and `{}` elsewhere, in every report.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Sequences that are declared in every way, and empty sets that look like them.
const STACKS: &str = "MACHINE Stacks
SETS ITEM = {pen, ink}; SHELF
CONSTANTS words, table, same, arrow
PROPERTIES
  words : POW(seq(ITEM)) & words = {[], [pen]} &
  table : ITEM --> seq(ITEM) & table = {pen |-> [], ink |-> [ink]} &
  same = table(pen) &
  arrow : 1..2 +-> ITEM & arrow = []
VARIABLES queue, plain, both, nested, box, some, two, sets, numbers, drawn
INVARIANT
  queue : seq(ITEM) & size(queue) < 2 & plain : 1..2 +-> ITEM & (queue = [] => plain = queue) &
  both : NATURAL1 +-> ITEM & both : iseq(ITEM) & nested : seq1(seq(ITEM)) &
  box : struct(q : seq(ITEM), s : POW(ITEM)) & some <: seq(ITEM) & two : seq(ITEM) * POW(SHELF) &
  sets : POW(1..2 +-> ITEM) & numbers : seq(NATURAL) & drawn : ran(table)
INITIALISATION
  queue, plain, both, nested := [], [], [], [[], [pen]] ||
  box, some, two, sets := rec(q : [], s : {}), {[]}, ([] |-> {}), {[]} || numbers := [] || drawn := []
OPERATIONS
  top, rest, found <-- push(w, f, s) =
    PRE w : words & f : 1..1 +-> ITEM & f = {} & s <: ITEM & s = {} & w /= [] THEN
      queue := queue ^ w || rest := front([pen]) || top := f ||
      ANY r WHERE r : perm({}) & r : seq(ITEM) THEN found := r END
    END;
  bad(f) = PRE f : 1..1 +-> ITEM & f = {} & queue = [pen] THEN queue := tail(queue <- first(f)) END;
  turn = PRE numbers = [] THEN numbers := [1] END;
  back = PRE numbers = [1] THEN numbers := [] END
END";

fn burnside(folder: &Path, words: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    let output = command.args(words).current_dir(folder).output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stdout).unwrap())
}

fn desk() -> tempfile::TempDir {
    let desk = tempfile::tempdir().unwrap();
    std::fs::write(desk.path().join("Stacks.mch"), STACKS).unwrap();
    desk
}

/// What is written as the value of a name in a report.
fn value<'t>(report: &'t str, name: &str) -> &'t str {
    let line = report.lines().find_map(|l| {
        let (left, right) = l.split_once(" = ")?;
        (left.trim() == name).then_some(right)
    });
    line.unwrap_or_else(|| panic!("{name} in {report}"))
}

#[test]
fn declared_sequences_are_written_as_such_when_empty() {
    let desk = desk();
    let (status, text) = burnside(desk.path(), &["check", "Stacks.mch", "--no-deadlock"]);
    assert_eq!(status, 1, "{text}");
    for (name, expected) in [
        ("words", "{[],[pen]}"),
        ("table", "{(pen|->[]),(ink|->[ink])}"),
        ("same", "[]"),
        ("arrow", "{}"),
        ("queue", "[]"),
        ("plain", "{}"),
        ("both", "[]"),
        ("nested", "[[],[pen]]"),
        ("box", "rec(q:[],s:{})"),
        ("some", "{[]}"),
        ("two", "([]|->{})"),
        ("sets", "{{}}"),
        ("numbers", "[]"),
        ("drawn", "[]"),
    ] {
        assert_eq!(value(&text, name), expected, "{name} in {text}");
    }
    // Results: a function, and what is assigned a sequence; parameters.
    assert!(text.contains("{}, [], [] <-- push([pen], {}, {})"), "{text}");
    // The operand of an operator on sequences is one, whatever is declared.
    assert!(text.contains("with []\n"), "{text}");
    assert!(text.contains("bad({})"), "{text}");
}

#[test]
fn reports_agree_and_traces_can_be_replayed_in_either_notation() {
    let desk = desk();
    let words = ["check", "Stacks.mch", "--no-deadlock", "--format", "json"];
    let (_, report) = burnside(desk.path(), &words);
    let report: Value = serde_json::from_str(&report).unwrap();
    let start = &report["trace"][1];
    assert_eq!(start["operation"], "INITIALISATION", "{report}");
    assert_eq!(start["changed"]["queue"], "[]", "{report}");
    assert_eq!(start["changed"]["plain"], "{}", "{report}");

    let trace = desk.path().join("run.json");
    burnside(desk.path(), &["check", "Stacks.mch", "--no-deadlock", "--trace", "run.json"]);
    let (status, replayed) = burnside(desk.path(), &["replay", "Stacks.mch", "run.json"]);
    assert_eq!(status, 0, "{replayed}");
    assert_eq!(value(&replayed, "nested"), "[[],[pen]]");
    // A trace from before the declaration.
    let written = std::fs::read_to_string(&trace).unwrap();
    assert!(written.contains("[]\""), "{written}");
    std::fs::write(&trace, written.replace("[]\"", "{}\"").replace("{[],", "{{},")).unwrap();
    let (status, replayed) = burnside(desk.path(), &["replay", "Stacks.mch", "run.json"]);
    assert_eq!(status, 0, "{replayed}");

    let (status, canon) = burnside(desk.path(), &["canon", "Stacks.mch", "--steps", "1,1"]);
    assert_eq!(status, 0, "{canon}");
    assert_eq!(value(&canon, "queue"), "[]", "{canon}");
    assert_eq!(value(&canon, "plain"), "{}", "{canon}");
}
