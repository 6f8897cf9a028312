//! Records that a state holds field by field, against the same held by their numbers.

use super::found;
use burnside::search::SymmetryMode;

/// A machine on a record and two functions to records. Now and then they are more than their fields hold, something is
/// asked of them that is not there, and the functions are others than the invariant says.
fn text(packed: bool, set: &str) -> String {
    // What is said first of a variable is what it is held by.
    let typing = |name: &str, set: &str| match packed {
        true => format!("{name} : {set}"),
        false => format!("{{{name}}} <: {set} & {name} : {set}"),
    };
    format!(
        "MACHINE T SETS D; C = {{red, green}}
         VARIABLES p, f, g, h, n
         INVARIANT {} & {} & {} & {} & n : 0..5 &
           (f /= {{}} => card(dom(f)) > 0) & !i.(i : dom(g) => g(i)'k < 3 or n < 5) &
           p : struct(x : {set}, c : C, d : D, s : POW({{red, green}}))
         INITIALISATION
           ANY d WHERE d : D THEN
             p := rec(x : 0, c : red, d : d, s : {{}}) || h := rec(k : 0, d : d) || g := (1..3) * {{rec(k : 0, d : d)}}
           END || f := {{}} || n := 0
         OPERATIONS
           step = SELECT p'x < 5 THEN p'x := p'x + 1 END;
           back = p'x := p'x mod 3;
           paint(c) = SELECT c : C THEN p'c := c END;
           owner(d) = SELECT d : D & n /= 1 THEN p := rec(x : n, c : p'c, d : d, s : {{p'c}}) END;
           give(d) = SELECT d : D & d /: dom(f) THEN f(d) := rec(k : p'x - 1, b : bool(p'c = red)) END;
           up(d) = SELECT d : D & n = 2 THEN f(d)'k := f(d)'k + 1 END;
           drop(d) = SELECT d : dom(f) THEN f := {{d}} <<| f END;
           again(d) = SELECT d : dom(f) & f(d)'b = TRUE THEN f := f <+ {{d |-> rec(k : f(d)'k mod 3, b : FALSE)}} END;
           hole = SELECT n = 3 & g(1)'k = 1 THEN g := {{2}} <<| g END;
           turn(i) = SELECT i : 1..3 THEN g(i) := rec(k : (g(i)'k + 1) mod 4, d : g(i)'d) END;
           set(i) = SELECT i : dom(g) & p'x < 2 THEN g(i)'d := p'd END;
           far = SELECT n = 4 & p'c = green THEN g(4) := rec(k : 0, d : p'd) END;
           copy(i) = SELECT i : dom(g) & n : 1..2 THEN p := rec(x : g(i)'k, c : p'c, d : g(i)'d, s : p's) END;
           keep(i) = SELECT i : dom(g) & p'x = 0 THEN h := g(i) END;
           put(i) = SELECT i : 1..3 & n = 1 THEN g(i) := h END;
           take = SELECT ran(g) = {{rec(k : 1, d : p'd)}} THEN p := rec(x : size(g), c : red, d : p'd, s : C) END;
           within = SELECT p : struct(x : 1..2, c : {{red}}, d : D, s : POW({{red}})) THEN n := (n + 1) mod 6 END;
           r <-- turns = BEGIN p'x := 1; p'c := green; p's := p's \\/ {{p'c}}; r := p; g(p'x)'k := p'x END;
           both = SELECT n = 5 THEN p'd := g(3)'d || n := 0 || f := {{g(1)'d |-> rec(k : g(1)'k, b : TRUE)}} END
         END",
        typing("p", &format!("struct(x : {set}, c : C, d : D, s : POW(C))")),
        typing("f", &format!("D +-> struct(k : {set}, b : BOOL)")),
        typing("h", &format!("struct(k : {set}, d : D)")),
        typing("g", &format!("1..3 --> struct(k : {set}, d : D)")),
    )
}

#[test]
fn records_in_fields_do_as_those_in_numbers_do() {
    for set in ["0..3", "-1..2", "NAT", "INTEGER", "{0, 1, 3}"] {
        for mode in [SymmetryMode::Off, SymmetryMode::Canon] {
            let [packed, numbered] = [true, false].map(|packed| found(&text(packed, set), mode));
            assert_eq!(packed, numbered, "numbers from {set}, {mode:?}");
            assert!(packed[2] > 0, "something is undefined");
        }
    }
}
