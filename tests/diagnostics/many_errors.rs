//! All errors of a file are reported.

use super::*;

#[test]
fn errors_of_syntax_and_of_types_in_every_clause() {
    let loaded = load(
        "MACHINE M
SETS S = {a, b}
CONSTANTS c
PROPERTIES c : NAT1 & c < && d = 1
VARIABLES x, y
INVARIENT x : NAT & y : NAT & y == 1 & zz : S
ASSERTIONS x > ; x = {1}
INITIALISATION x := 0 || y := {1} || q := 2
OPERATIONS
  one = PRE x : NAT THEN x := y > 2 END;
  two = BEGIN x = 1; y := ; x := TRUE END;
  three(p) = PRE p : THEN x := 1 END;
  four = CHOICE x := 1 OR y := a END;
  five = IF x = 1 THEN y := 2
END
",
    );
    assert_eq!(
        found(&loaded),
        [
            "4:27 syntax",
            "4:28 syntax",
            "4:30 undeclared-identifier",
            "6:1 syntax",
            "6:33 syntax",
            "6:40 undeclared-identifier",
            "7:16 syntax",
            "7:22 type-mismatch",
            "8:31 type-mismatch",
            "8:38 undeclared-identifier",
            "10:33 syntax",
            "11:17 syntax",
            "11:27 syntax",
            "11:34 type-mismatch",
            "12:22 syntax",
            "13:32 type-mismatch",
            "14:10 syntax",
        ],
        "{}",
        rendered(&loaded)
    );
}

#[test]
fn ten_mistakes_in_ten_places() {
    let loaded = load(
        "MACHINE M(P)
SETS S; S
CONSTANTS c, d
PROPERTIES c : 1..TRUE & d : S
VARIABLES x, y
INVARIANT x : unknown & y <: 3
ASSERTIONS card(x) = 1
DEFINITIONS D(a) == a + 1; E == E
INITIALISATION x := D(1, 2) || y := {}
OPERATIONS
  o(p) = PRE p : S THEN p := x END;
  o = skip;
  q = BEGIN x := 1 || x := 2 END;
  r = WHILE x THEN skip END
END
",
    );
    let found = found(&loaded);
    for place in ["2:9", "4:19", "6:15", "6:30", "8:28", "9:21", "11:25", "12:3", "13:23", "14:15"]
    {
        assert!(found.iter().any(|f| f.starts_with(&format!("{place} "))), "{place}: {found:#?}");
    }
}

#[test]
fn names_are_not_missed_when_their_declaration_is_wrong() {
    // What `z` is was lost with the clause: only the clause is wrong for certain.
    let loaded =
        load("MACHINE M VARIABLES x, , z INVARIANT x : NAT & z : NAT INITIALISATION x := 0 END");
    assert_eq!(found(&loaded), ["1:24 syntax"]);
}
