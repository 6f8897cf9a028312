//! Input that is wrong or enormous: a located error or an honest "incomplete" within seconds.

use super::*;
use std::fmt::Write as _;
use std::time::Instant;

/// Runs something that must end soon: within so many seconds, or four times that on a busy machine.
#[track_caller]
fn soon<R>(seconds: u64, run: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = run();
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(4 * seconds), "took {taken:?}");
    result
}

fn load_bytes(name: &str, bytes: &[u8]) -> Loaded {
    let folder = std::env::temp_dir().join(format!("burnside-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder");
    let path = folder.join("M.mch");
    std::fs::write(&path, bytes).expect("file");
    let loaded = normalise::load_machine(&path);
    std::fs::remove_dir_all(&folder).expect("removed");
    loaded
}

#[track_caller]
fn located_error(loaded: &Loaded) {
    let errors = errors(loaded);
    assert!(!errors.is_empty());
    assert!(errors.iter().all(|d| d.span.is_some()), "{errors:?}");
    for d in errors {
        assert!(!d.render(&loaded.sources).is_empty());
    }
}

/// The search says that it is not complete, or the machine is refused.
#[track_caller]
fn incomplete(text: &str) -> String {
    match run_text(text) {
        Ok(outcome) => {
            assert!(!outcome.complete, "{outcome:?}");
            assert!(!outcome.bounds.is_empty() || outcome.finding.is_some(), "{outcome:?}");
            burnside::report::bounds::joined(&outcome.bounds)
        }
        Err(why) => why,
    }
}

#[test]
fn files_that_are_no_machines() {
    for (name, bytes) in [("empty", &b""[..]), ("blank", b" \n\t\n")] {
        // There is no place in such a file: its name is the place.
        let loaded = load_bytes(name, bytes);
        assert!(!errors(&loaded).is_empty());
        assert!(errors(&loaded).iter().all(|d| d.message.contains("M.mch")), "{loaded:?}");
    }
    located_error(&load_bytes("comment", b"/* nothing */"));
    let binary: Vec<u8> = (0..100_000u32).map(|i| (i * 7919 % 256) as u8).collect();
    assert!(!errors(&load_bytes("binary", &binary)).is_empty());
    assert!(!errors(&normalise::load_machine(&std::env::temp_dir())).is_empty());
    assert!(!errors(&normalise::load_machine(Path::new("/no/such/file.mch"))).is_empty());
}

#[test]
fn encodings() {
    let text = "MACHINE M\nVARIABLES x\nINVARIANT x : 0..1\nINITIALISATION x := 0\nOPERATIONS\n  \
                o = BEGIN x := 1 - x END\nEND\n";
    let good = |bytes: &[u8], name: &str| {
        let loaded = load_bytes(name, bytes);
        assert!(errors(&loaded).is_empty(), "{name}: {:?}", loaded.diagnostics);
    };
    good(text.replace('\n', "\r\n").as_bytes(), "crlf");
    good(format!("\u{feff}{text}").as_bytes(), "bom");
    good(text.replace('\n', "\r").as_bytes(), "cr");
    let refused = |bytes: &[u8], name: &str, told: &str| {
        let loaded = load_bytes(name, bytes);
        located_error(&loaded);
        let shown = errors(&loaded)[0].render(&loaded.sources);
        assert!(shown.contains(told), "{shown}");
    };
    let latin = [&b"/* caf\xe9 */ "[..], text.as_bytes()].concat();
    good(&latin, "latin");
    let warned = load_bytes("latin", &latin).diagnostics;
    assert_eq!(warned.iter().map(|d| d.code).collect::<Vec<_>>(), ["not-utf8"]);
    let wide: Vec<u16> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).collect();
    let little: Vec<u8> = wide.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = wide.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    refused(&little, "utf16le", "iconv -f UTF-16");
    refused(&big, "utf16be", "iconv -f UTF-16");
    refused(&big[2..], "utf16-bare", "NUL byte");
}

/// Reading a pipe waits for somebody who writes; a device may never end.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_read() {
    let folder = tempfile::tempdir().expect("folder");
    let pipe = folder.path().join("pipe.mch");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    for path in [pipe.as_path(), Path::new("/dev/zero")] {
        let loaded = soon(5, || normalise::load_machine(path));
        assert!(errors(&loaded)[0].message.contains("not a regular file"), "{loaded:?}");
    }
    let user = folder.path().join("user.mch");
    for text in ["MACHINE user SEES pipe END", "MACHINE user DEFINITIONS \"pipe.mch\" END"] {
        std::fs::write(&user, text).expect("file");
        let loaded = soon(5, || normalise::load_machine(&user));
        assert_eq!(errors(&loaded)[0].code, "unreadable-file");
    }
}

#[test]
fn one_line_of_ten_megabytes_with_an_error_in_it() {
    let mut text = String::from("MACHINE M VARIABLES x INVARIANT x : INTEGER ");
    while text.len() < 10 << 20 {
        text.push_str("/* a comment that is long enough to fill the line soon */ ");
    }
    text.push_str("& x = = 1 & x : unknown INITIALISATION x := 0 END");
    let loaded = soon(60, || normalise::load_text("line.mch", &text));
    located_error(&loaded);
    let codes: Vec<&str> = errors(&loaded).iter().map(|d| d.code).collect();
    assert_eq!(codes, ["syntax", "undeclared-identifier"]);
    for d in errors(&loaded) {
        assert!(d.render(&loaded.sources).lines().all(|l| l.chars().count() < 200));
    }
}

#[test]
fn large_texts() {
    let mut text = String::from("MACHINE M\nVARIABLES x\nINVARIANT x : INTEGER");
    while text.len() < 4 << 20 {
        text.push_str(" &\n  x + 1 > x & x * 2 = x + x & (x > 0 or x <= 0)");
    }
    text.push_str("\nINITIALISATION x := 0\nEND\n");
    let loaded = soon(15, || normalise::load_text("large.mch", &text));
    assert!(loaded.machine.is_some() || !errors(&loaded).is_empty());

    let mut text = String::from("MACHINE M\nDEFINITIONS\n");
    for i in 0..50_000 {
        let _ = writeln!(text, "  D{i} == {i};");
    }
    text.push_str("  LAST == D49999\nASSERTIONS LAST = 49999\nEND\n");
    soon(15, || holds(&text));
}

#[test]
fn deep_texts() {
    let mut text = String::from("MACHINE M\nDEFINITIONS\n  D0 == 1;\n");
    for i in 1..=40 {
        let _ = writeln!(text, "  D{i} == (D{0} + D{0});", i - 1);
    }
    text.push_str("  E == 0\nASSERTIONS D40 > 0\nEND\n");
    let loaded = soon(20, || normalise::load_text("bomb.mch", &text));
    located_error(&loaded);

    let nested =
        format!("MACHINE M ASSERTIONS {}1{} = 1 END", "(".repeat(10_000), ")".repeat(10_000));
    located_error(&soon(10, || normalise::load_text("nested.mch", &nested)));
    let braces =
        format!("MACHINE M ASSERTIONS {}{} = {{}} END", "{".repeat(10_000), "}".repeat(10_000));
    located_error(&soon(10, || normalise::load_text("braces.mch", &braces)));
}

#[test]
fn machines_that_include_each_other() {
    let folder = std::env::temp_dir().join(format!("burnside-{}-cycle", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder");
    for (a, b) in [("A", "B"), ("B", "C"), ("C", "A")] {
        let text = format!("MACHINE {a}\nINCLUDES {b}\nEND\n");
        std::fs::write(folder.join(format!("{a}.mch")), text).expect("file");
    }
    let loaded = normalise::load_machine(&folder.join("A.mch"));
    std::fs::remove_dir_all(&folder).expect("removed");
    let errors = errors(&loaded);
    assert!(errors.iter().any(|d| d.code == "include-cycle" && d.message.contains("A -> B -> C")));
}

#[test]
fn enormous_sets_are_refused_or_make_the_result_incomplete() {
    let billion = "MACHINE M SETS S DEFINITIONS scope_S == 1..1000000000
        VARIABLES x INVARIANT x : S INITIALISATION x :: S END";
    assert!(soon(5, || incomplete(billion)).contains("1000000000"));
    let interval = "MACHINE M VARIABLES x INVARIANT x <: INTEGER
        INITIALISATION x := 1..1000000000 END";
    assert!(soon(10, || incomplete(interval)).contains("members"));
    let product = "MACHINE M VARIABLES x INVARIANT x : INTEGER <-> INTEGER
        INITIALISATION x := (1..100000) * (1..100000) END";
    assert!(soon(10, || incomplete(product)).contains("members"));
    let power = "MACHINE M VARIABLES x INVARIANT x : POW(POW(INTEGER))
        INITIALISATION x := POW(1..40) END";
    assert!(soon(20, || incomplete(power)).contains("members"));
    let limits = "MACHINE M DEFINITIONS SET_PREF_MAXINT == 1000000000000
        VARIABLES x INVARIANT x <: NAT INITIALISATION x := NAT END";
    assert!(soon(10, || incomplete(limits)).contains("members"));
}

#[test]
fn enormous_numbers() {
    let power = "MACHINE M VARIABLES x INVARIANT x : INTEGER
        INITIALISATION x := 2 ** (10 ** 9) END";
    assert!(soon(5, || incomplete(power)).contains("a number with more than"));
    let tower = "MACHINE M VARIABLES x INVARIANT x : INTEGER
        INITIALISATION x := 3 ** (7 ** 7 ** 7) END";
    soon(5, || incomplete(tower));
    let squares = "MACHINE M VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 3
        OPERATIONS square = BEGIN x := x * x END END";
    soon(20, || incomplete(squares));
    all_hold("", &["1 ** (10 ** 30) = 1", "(-1) ** (10 ** 30 + 1) = -1", "0 ** (10 ** 30) = 0"]);
}

#[test]
fn sets_of_sets_of_sets() {
    let text = "MACHINE M SETS S DEFINITIONS scope_S == 1..5
        VARIABLES x INVARIANT x : POW(POW(POW(S))) INITIALISATION x :: POW(POW(POW(S))) END";
    let model = set_up(normalise::load_text("test.mch", text)).expect("loads");
    let options = SearchOptions {
        timeout: Some(Duration::from_secs(2)),
        memory: Some(1 << 30),
        ..SearchOptions::default()
    };
    let outcome = soon(20, || search::run(&model, &options, &Arc::new(Control::new())));
    assert!(!outcome.complete && !outcome.bounds.is_empty());
}

#[test]
fn a_loop_that_goes_deep_or_never_ends() {
    let deep = "MACHINE M VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
        OPERATIONS o = BEGIN x := 0; WHILE x < 20000 DO CHOICE x := x + 1 OR x := x + 2 END
            INVARIANT x : INTEGER VARIANT 20010 - x END END END";
    // Each number is come to in as many ways as a Fibonacci number says, and gone on from once.
    let outcome = soon(30, || run_text(deep)).expect("loads");
    assert!(outcome.complete, "{outcome:?}");
    assert_eq!((outcome.states, outcome.transitions), (3, 7));
    let endless = "MACHINE M VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
        OPERATIONS o = BEGIN x := 0; WHILE 1 = 1 DO x := x + 1
            INVARIANT x : INTEGER VARIANT 1 END END END";
    assert_eq!(run_text(endless).expect("loads").verdict, Verdict::StateError);
}
