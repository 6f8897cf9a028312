//! Long and deep texts: linear time, bounded recursion, no panic.

use super::*;
use crate::syntax::ast::NodeKind;
use cpu_time::ThreadTime;
use std::time::Duration;

/// What is linear takes half a second, where nothing is optimised and the machine is slow three; what is quadratic, as
/// long as it takes ten times as much for a text three times as long, many.
const MOST: Duration = Duration::from_secs(6);

#[track_caller]
fn quick<T>(what: impl FnOnce() -> T) -> T {
    let start = ThreadTime::now();
    let result = what();
    let took = start.elapsed();
    assert!(took < MOST, "took {took:?}");
    result
}

#[test]
fn two_hundred_brackets() {
    for (open, close) in
        [("(", ")"), ("{", "}"), ("[", "]"), ("f(", ")"), ("not(", ")"), ("r[", "]")]
    {
        let good = format!("{}x{}", open.repeat(200), close.repeat(200));
        quick(|| assert!(try_formula(&good).is_ok(), "{open}"));
        quick(|| assert!(try_formula(&good[..good.len() - 1]).is_err()));
        quick(|| {
            assert!(try_formula(&format!("{}+{}", open.repeat(200), close.repeat(200))).is_err())
        });
        let deep = format!("{}x{}", open.repeat(30_000), close.repeat(30_000));
        let message = quick(|| try_formula(&deep).unwrap_err());
        assert!(message.contains("more than 256 levels"), "{message}");
    }
    let worst = "a=>b&c<=>d=e+->f\\/g..h+i*j**-(";
    let nested = |n: usize| format!("{}1{}", worst.repeat(n), ")".repeat(n));
    formula(&nested(80));
    assert!(try_formula(&nested(250)).unwrap_err().contains("operators deep"));
    assert!(try_formula(&worst.repeat(250)).is_err());
}

#[test]
fn deep_blocks() {
    for (open, close) in
        [("BEGIN ", " END"), ("IF x=1 THEN ", " END"), ("ANY z WHERE z=1 THEN ", " END")]
    {
        let body = |n: usize| {
            format!("MACHINE M OPERATIONS o = {}skip{} END", open.repeat(n), close.repeat(n))
        };
        assert_eq!(errors(&body(200)).len(), 0);
        let found = quick(|| errors(&body(15_000)));
        assert!(found[0].contains("more than 256 levels"), "{}", found[0]);
        assert_eq!(found.len(), 1);
    }
}

#[test]
fn long_runs() {
    let run = vec!["x=1"; 30_000].join(" & ");
    let node = quick(|| formula(&run));
    assert!(matches!(&node.kind, NodeKind::Conjunction(items) if items.len() == 30_000));
    quick(|| assert_eq!(node.to_string().len(), run.len() + 60_000));
    let set = format!("{{{}}}", vec!["a|->b"; 30_000].join(","));
    quick(|| formula(&set));
    let text = format!("MACHINE M OPERATIONS {}o = skip END", "o = x := 1; ".repeat(9_000));
    quick(|| machine(&text));
    let text = format!("MACHINE M INITIALISATION {}x := 1 END", "x := 1; ".repeat(30_000));
    quick(|| machine(&text));
}

#[test]
fn long_chains_are_refused_with_a_place() {
    for op in ["+", "\\/", "|->", "=>", "**"] {
        let fits = vec!["x"; 900].join(op);
        formula(&fits);
        let chain = vec!["x"; 30_000].join(op);
        let message = quick(|| try_formula(&chain).unwrap_err());
        assert!(message.contains("more than 1000 operators deep"), "{message}");
    }
    let postfix = format!("f{}", "(1)".repeat(30_000));
    assert!(quick(|| try_formula(&postfix)).is_err());
    let nested = (0..200).fold("x".to_string(), |inner, _| format!("({inner}{})", "+x".repeat(50)));
    assert!(try_formula(&nested).unwrap_err().contains("operators deep"));
}

#[test]
fn malformed_text_takes_linear_time() {
    for piece in [
        "(",
        "{",
        "[",
        "x,",
        "{x,",
        "{(x,",
        "!x.(",
        "IF ",
        "BEGIN ",
        "x := ",
        "x := (1 ; ",
        "; x(y,",
        "a & ",
        "& ",
        "\"",
        "'''",
        "`",
        "/*",
        "A == ",
        "A(x, == ",
        "x <-- ",
        "WHILE x DO ",
        "CASE ",
        ")",
        "END ",
        "x' ",
        "INVARIANT ",
        "?",
        "< ",
        "{x|",
        "[x:=",
    ] {
        let repeated = piece.repeat(6_000);
        quick(|| {
            try_formula(&repeated).ok();
            errors(&repeated);
            errors(&format!("MACHINE M OPERATIONS o = {repeated}"));
            errors(&format!("MACHINE M DEFINITIONS A == {repeated}"));
            errors(&format!("MACHINE M INVARIANT {repeated} END"));
        });
    }
}

#[test]
fn one_long_number() {
    assert!(quick(|| try_formula(&"9".repeat(1_000_000))).unwrap_err().contains("1000000 digits"));
    formula(&"9".repeat(10_000));
}
