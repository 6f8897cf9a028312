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

/// A machine on sets of records, and of triples: now and then with a member that has no bit.
fn sets(packed: bool, numbers: &str) -> String {
    let typing = |name: &str, of: &str| match packed {
        true => format!("{name} <: {of}"),
        false => format!("{{{name}}} <: POW({of}) & {name} <: {of}"),
    };
    format!(
        "MACHINE T SETS D; C = {{red, green}}
         VARIABLES m, t, u, v, n
         INVARIANT {} & {} & {} & {} & n : 0..3 &
           !x.(x : m => x'k <= 2) & card(m) <= 4 & !(a, i, b).(a |-> i |-> b : t => i < 3 or b = TRUE) &
           (m = {{}} => u <: m)
         INITIALISATION m := {{}} || t := {{}} || u := {{}} || v := {{}} || n := 0
         OPERATIONS
           send(d, c) = SELECT d : D & c : C & card(m) < 3 THEN m := m \\/ {{rec(to : d, k : n, c : c)}} END;
           receive(x) = SELECT x : m THEN m := m - {{x}} || n := (x'k + 1) mod 4 END;
           none(d) = SELECT d : D & rec(to : d, k : n, c : red) /: m & n < 2 THEN n := n + 1 END;
           far(d) = SELECT d : D & n = 3 THEN m := m \\/ {{rec(to : d, k : 7 * n, c : red)}} END;
           bad(d) = SELECT d : D & rec(to : d, k : 2 / n, c : green) : m THEN n := 0 END;
           keep = SELECT n = 1 THEN m := {{x | x : m & x'c = red}} || u := m END;
           join = SELECT u /<: m THEN m := u \\/ m || u := {{}} END;
           cut = SELECT u /\\ m /= {{}} & n > 0 THEN m := m - u END;
           all(c) = SELECT c : C & m = {{}} & n = 2 THEN u := {{x | x : struct(to : D, k : 0..1, c : {{c}})}} END;
           add(d, i) = SELECT d : D & i : 0..2 & card(t) < 2 THEN t := t \\/ {{d |-> i |-> bool(i = n)}} END;
           take(d, i, b) = SELECT d |-> i |-> b : t & n /= i THEN t := t - {{d |-> i |-> b}} || n := i END;
           out(d) = SELECT d : D & n = 2 & t = {{}} THEN t := {{d |-> 9 |-> TRUE}} END;
           of(d) = SELECT d |-> n : dom(t) THEN t := {{d |-> n}} <<| t END;
           mark(d) = SELECT d : D & d |-> n /: v & m = {{}} & t = {{}} THEN v := v \\/ {{d |-> n}} END;
           unmark(d) = SELECT d : D & v[{{d}}] = {{0, 1}} & n /= 2 THEN v := {{d}} <<| v END;
           r <-- count = BEGIN r := card(m) + card(t) + card(v) END
         END",
        typing("m", &format!("struct(to : D, k : {numbers}, c : C)")),
        typing("t", &format!("D * {numbers} * BOOL")),
        typing("u", &format!("struct(to : D, k : {numbers}, c : C)")),
        typing("v", &format!("D * {numbers}")),
    )
}

#[test]
fn sets_of_records_in_fields_do_as_those_in_numbers_do() {
    for numbers in ["(0..3)", "(0..2)", "(-3..4)", "(0..31)", "(-4..30)", "(0..60)"] {
        for mode in [SymmetryMode::Off, SymmetryMode::Canon] {
            let [packed, numbered] =
                [true, false].map(|packed| found(&sets(packed, numbers), mode));
            assert_eq!(packed, numbered, "numbers from {numbers}, {mode:?}");
            assert!(packed[2] > 0, "something is undefined");
        }
    }
}

/// A machine on sets of more numbers than a word has bits. Now and then one holds a number that has none.
fn many(packed: bool) -> String {
    let typing = |name: &str, of: &str| match packed {
        true => format!("{name} <: {of}"),
        false => format!("{{{name}}} <: POW({of}) & {name} <: {of}"),
    };
    format!(
        "MACHINE T CONSTANTS k PROPERTIES k = {{-7, 63, 64, 65, 80}}
         VARIABLES s, u, p, n
         INVARIANT {} & {} & {} & n : -20..80 & card(s) <= 6 & (s = {{}} or min(s) <= max(s)) &
           !x.(x : u => x : s or x > n) & (64 : s => 63 : s or n /= 1) & p : (1..9) <-> (0..8)
         INITIALISATION s := {{}} || u := {{0}} || p := {{}} || n := 0
         OPERATIONS
           add = SELECT card(s) < 4 THEN s := s \\/ {{n, n + 63}} END;
           step = SELECT n < 3 THEN n := n + 1 END;
           jump = SELECT n = 3 & s /= {{}} THEN n := max(s) END;
           back = SELECT n > 3 THEN n := min(s) END;
           least = SELECT s = {{}} & n = 2 THEN n := min(s) END;
           drop(x) = SELECT x : s & x /: u THEN s := s - {{x}} || u := u /\\ s END;
           fixed = SELECT s /\\ k /= {{}} & n /= 1 THEN u := k - s END;
           low = SELECT n : 1..2 & s /<: 0..n THEN s := s - (n..70) END;
           natural = SELECT -7 : u THEN u := u /\\ NATURAL END;
           even = SELECT n = 2 THEN u := {{x | x : s & x mod 2 = 0}} END;
           all(x) = SELECT x : 62..66 & n = 1 & u <: s THEN u := x..x + 2 END;
           far = SELECT n = 3 & card(u) = 3 THEN u := u \\/ {{81 + n}} END;
           near = SELECT u /<: -20..80 THEN u := u /\\ (-20..80) END;
           same = SELECT s = u & s /= {{}} THEN s := {{}} || u := {{}} END;
           place(x) = SELECT x : 1..9 & x = n & card(p) < 3 THEN p := p \\/ {{x |-> 9 - x, 9 |-> 8}} END;
           move(x, y) = SELECT x |-> y : p & n /= x THEN p := (p - {{x |-> y}}) \\/ {{x |-> (y + 1) mod 9}} END;
           clear = SELECT dom(p) = {{1, 9}} or p[{{9}}] = {{0}} THEN p := {{1}} <<| p END;
           turn = SELECT card(p) = 2 & 9 : dom(p) & n = 0 THEN p := p \\/ {{0 |-> 0}} END
         END",
        typing("s", "-20..80"),
        typing("u", "-20..80"),
        typing("p", "(1..9) * (0..8)"),
    )
}

#[test]
fn sets_in_several_words_do_as_those_in_numbers_do() {
    let [packed, numbered] = [true, false].map(|packed| found(&many(packed), SymmetryMode::Off));
    assert_eq!(packed, numbered);
    assert!(packed[0] > 1000 && packed[2] > 0, "{packed:?}");
}
