//! What wrong machines are told.

use super::*;

fn in_machine(clauses: &str) -> Vec<String> {
    errors(&format!("MACHINE M\n{clauses}\nEND\n"))
}

#[track_caller]
fn says(text: &str, parts: &[&str]) {
    let found = in_machine(text);
    assert_eq!(found.len(), 1, "{found:#?}");
    for part in parts {
        assert!(found[0].contains(part), "{part:?} is not in {}", found[0]);
    }
}

#[test]
fn what_was_expected_and_found() {
    says("INVARIANT x =", &["test.mch:3:1", "expected an expression after `=`, found `END`"]);
    says("INVARIANT", &["expected a predicate after `INVARIANT`, found `END`"]);
    says("OPERATIONS o = BEGIN x := END", &["expected an expression after `:=`, found `END`"]);
    says("OPERATIONS o = x := (1 + 2", &["expected `)`", "`(` stands here"]);
    says("CONSTANTS c, card", &["`card` is a reserved word"]);
}

#[test]
fn classic_slips() {
    says("INVARIANT x == 1", &["equality is written `=`"]);
    says("INVARIANT r = f;g", &["stand in parentheses"]);
    says("INVARIANT x : NAT; x < 3", &["conjuncts are joined by `&`"]);
    says("INVARIANT not x=1", &["the operand of `not` stands in parentheses"]);
    says("INVARIANT !x.x=1", &["the body of `!` stands in parentheses"]);
    says("INVARIANT 1 < x < 2", &["comparisons do not chain"]);
    says("INVARIANT x = 7//2\n y = 1", &["`//` begins a comment"]);
    says("VARIABLES x INVARIENT x=1", &["did you mean `INVARIANT`?"]);
    says("VARIABLES x invariant x=1", &["did you mean `INVARIANT`?"]);
    says("OPERATIONS o = x : S", &["`x :: S` chooses"]);
    says("OPERATIONS o = x = 1", &["assigned with `:=`"]);
    says("OPERATIONS o = x := y=1", &["bool(P)"]);
    says("OPERATIONS o = BEGIN x := 1; END", &["there is none before `END`"]);
    says("OPERATIONS o = skip;", &["there is none after the last"]);
    says(
        "OPERATIONS o = skip; x := 1",
        &["expected the next operation after `;`, found the name `x`", "BEGIN .. END"],
    );
    says("OPERATIONS o = skip;; p = skip", &["the next operation after `;`, found `;`"]);
    says("OPERATIONS o = CASE x OF EITHER 1 THEN skip END ; p = skip", &["two ENDs"]);
    says(
        "OPERATIONS o = PRE x=1 THEN skip; p = skip",
        &["`END` (for this `PRE`)", "--- `PRE` stands"],
    );
    says("OPERATIONS o = PRE x=1 then skip END", &["did you mean `THEN`?"]);
    says("OPERATIONS o = skip p = skip", &["`;` between operations"]);
    says("DEFINITIONS A == 1 B == 2", &["`;` between definitions"]);
    says("SETS S = {a, }", &["expected the name of an element after `,`"]);
}

#[test]
fn several_errors_one_for_each_piece() {
    let found = in_machine(
        "VARIABLES x,,y\nINVARIANT x = & y = ) & z : NAT & u < \nINITIALISATION x := || y := 1\n\
         OPERATIONS\n a = x := ;\n b = BEGIN x := 1 + ; y := * ; z := 1 END;\n c = skip",
    );
    let places: Vec<_> = found.iter().map(|e| e.split(": error").next().unwrap()).collect();
    assert_eq!(
        places,
        [
            "test.mch:2:13",
            "test.mch:3:15",
            "test.mch:3:21",
            "test.mch:4:1",
            "test.mch:4:21",
            "test.mch:6:11",
            "test.mch:7:21",
            "test.mch:7:28"
        ],
        "{found:#?}"
    );
}

#[test]
fn lexical_errors_do_not_hide_others() {
    let found =
        in_machine("INVARIANT x = 1 ? & y = \"a\nASSERTIONS x = \nDEFINITIONS A == 1 /* end");
    assert!(found.iter().any(|e| e.contains("`?` is no symbol")), "{found:#?}");
    assert!(found.iter().any(|e| e.contains("no end on its line")), "{found:#?}");
    assert!(found.iter().any(|e| e.contains("comment has no end")), "{found:#?}");
    assert!(
        found.iter().any(|e| e.contains(":3:15") || e.contains("found `DEFINITIONS`")),
        "{found:#?}"
    );
}

#[test]
fn headers_and_ends() {
    assert!(errors("")[0].contains("expected `MACHINE`, found the end of the file"));
    assert!(errors("machine M END")[0].contains("did you mean `MACHINE`?"));
    assert!(errors("MACHINE M VARIABLES x")[0].contains("expected `END` of the machine"));
    assert!(errors("MACHINE M END x")[0].contains("this END closes the machine"));
    assert_eq!(errors("MACHINE M END").len(), 0);
}

#[test]
fn no_more_than_fifty() {
    let text = format!("MACHINE M OPERATIONS {} z = skip END", "a = x := ; ".repeat(1000));
    assert_eq!(errors(&text).len(), 50);
    let text = format!("MACHINE M INVARIANT {} z = 1 END", "x = & ".repeat(1000));
    assert_eq!(errors(&text).len(), 50);
}
