//! What the compiler makes of machines, held as text: the forms of variables, the order of plans, the
//! lowered code of guards and bodies.

use crate::common::{model_file, open, sized};
use burnside::eval::answers::explain::explain;
use burnside::report::explain::text;
use std::io::Write;
use std::path::Path;

fn explained(path: &Path, cards: &[(&str, u64)]) -> String {
    let session = open(path.to_owned(), sized(cards, true));
    let model = session.model().expect("it was loaded");
    text(&explain(&model.program, &|span| session.sources().text(span).to_owned()))
}

/// A machine of our own, written out.
fn own(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.mch"));
    std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
    explained(&path, &[])
}

macro_rules! models {
    ($($name:ident $cards:expr;)*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(explained(&model_file(stringify!($name)), &$cards));
        }
    )* };
}

models! {
    phonebook_db [("Name", 3), ("Code", 4)];
    phonebook [("Name", 3), ("Code", 3)];
    peterson [("PROC", 3)];
    scheduler0 [("PROC", 4)];
    scheduler [("PID", 3)];
    russian_postal_puzzle [("KeyIDs", 2)];
    dining_philosophers [];
    token_ring [];
    concurrent_counters [];
    library [];
}

#[test]
fn functions_into_numbers() {
    insta::assert_snapshot!(own(
        "Numbers",
        "MACHINE Numbers SETS S = {a, b, c} CONSTANTS n PROPERTIES n = 4
         VARIABLES f, g, s, x
         INVARIANT f : S --> 0..n & g : S +-> INTEGER & s <: 0..9 & x : NATURAL
         INITIALISATION f := S * {0} || g := {} || s := {} || x := 0
         OPERATIONS
           inc(p) = PRE p : S & f(p) < n THEN f(p) := f(p) + 1 END;
           put(p, y) = PRE p : dom(g) & y : 0..f(p) THEN g := g <+ {p |-> y} END;
           take = SELECT x > 0 & x : s THEN IF x = 1 THEN x := 0 ELSE x := x - 1 END END
         END"
    ));
}

#[test]
fn queues() {
    insta::assert_snapshot!(own(
        "Queues",
        "MACHINE Queues SETS MSG = {hello, bye}
         VARIABLES q, r, log
         INVARIANT q : seq(MSG) & r : seq(MSG) & size(q) <= 6 & size(r) <= 4 & log : seq(0..9) & ran(q) <: MSG
         INITIALISATION q, r, log := [], [], []
         OPERATIONS
           put(m) = SELECT m : MSG & size(q) < 6 THEN q := q <- m END;
           move = SELECT q /= [] & size(r) < 4 THEN r := r <- first(q) || q := tail(q) END;
           m <-- get = SELECT r /= [] THEN m := last(r) || r := front(r) END;
           note = SELECT size(log) < 9 THEN log := [size(q) + size(r)] ^ (log /|\\ 3) END
         END"
    ));
}

#[test]
fn guards_that_run() {
    insta::assert_snapshot!(own(
        "Runs",
        "MACHINE Runs SETS S = {a, b} VARIABLES s, r
         INVARIANT s <: S & r : S <-> S
         INITIALISATION s := {} || r := {}
         OPERATIONS
           later = BEGIN s := s \\/ {a}; SELECT b : s THEN s := {} END END;
           any = ANY x, y WHERE x |-> y /: r & x /= y THEN r := r \\/ {x |-> y} END;
           drop(x) = PRE x : dom(r) THEN r := {x} <<| r || s := s - {x} END
         END"
    ));
}

#[test]
fn relations_in_several_words_are_words() {
    let text = own(
        "Relations",
        "MACHINE Relations
         SETS S = {s0, s1, s2, s3, s4, s5, s6, s7, s8}; T = {t0, t1, t2, t3, t4, t5, t6, t7}
         VARIABLES r, f INVARIANT r : S <-> T & f : S +-> T
         INITIALISATION r := {s0 |-> t0} || f := {}
         OPERATIONS
           drop(x) = PRE x : S & r /= {} THEN r := {x} <<| r END
         END",
    );
    for line in ["not r = 0", "then r := (rows not bit x and r)"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn bounds_of_numbers_are_read_off_the_invariant_and_the_properties() {
    let text = own(
        "Bounds",
        "MACHINE Bounds CONSTANTS n, S PROPERTIES n = 1000 & S = 0..5
         VARIABLES j, k, p, x, y, z
         INVARIANT j : k..n & k : 1..n & p : S & x >= 0 & 100 > x & y : NATURAL & z > y
         INITIALISATION j, k, p, x, y, z := 1, 1, 0, 0, 0, 1
         OPERATIONS go = SELECT j < n THEN j := j + 1 END END",
    );
    for line in [
        "j: 10 bits, an integer, 1 to 1023;",
        "k: 10 bits, an integer, 1 to 1023;",
        "p: 3 bits, an integer, 0 to 6;",
        "x: 7 bits, an integer, 0 to 126;",
        "y: 32 bits, an integer",
        "z: 32 bits, an integer",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn many_numbers_without_bounds_are_held_in_few_bits_where_the_machine_speaks_of_small_ones() {
    let of = |most: u32| {
        own(
            "Few",
            &format!(
                "MACHINE Few VARIABLES x, y, z INVARIANT x : NATURAL & y : INTEGER & z : INTEGER
                 INITIALISATION x, y, z := 0, 0, 0
                 OPERATIONS go = SELECT x < {most} THEN x := x + 1 END END"
            ),
        )
    };
    assert!(of(9).contains("x: 16 bits, an integer, -32768 to 32766;"), "{}", of(9));
    assert!(of(70_000).contains("x: 32 bits"), "{}", of(70_000));
}

#[test]
fn sets_of_numbers_and_of_pairs() {
    insta::assert_snapshot!(own(
        "Seats",
        "MACHINE Seats CONSTANTS n, ROWS PROPERTIES n = 6 & ROWS = 1..n
         VARIABLES free, seen
         INVARIANT free <: ROWS & seen : POW(ROWS * (0..2))
         INITIALISATION free := ROWS || seen := {}
         OPERATIONS
           take(i) = SELECT i : free THEN free := free - {i} END;
           give(i) = SELECT i : ROWS - free & card(free) < n - 1 THEN free := free \\/ {i} END;
           lowest(i) = SELECT free /= {} & i = min(free) THEN free := free /\\ (i + 1 .. n) END;
           see(i, j) = SELECT i |-> j : ROWS * (0..2) & i |-> j /: seen THEN seen := seen \\/ {i |-> j} END;
           look(i, j) = SELECT i |-> j : seen & {i |-> 0, i |-> 1} <: seen THEN seen := {} END
         END",
    ));
}

#[test]
fn grids_and_arrays() {
    insta::assert_snapshot!(own(
        "Grid",
        "MACHINE Grid SETS P = {a, b, c} CONSTANTS n PROPERTIES n = 3
         DEFINITIONS CELL == (1..n) * (1..n)
         VARIABLES board, at, row
         INVARIANT board : CELL --> 0..2 & at : P >-> CELL & row : 1..4 +-> P
         INITIALISATION board := CELL * {0} || at := {} || row := {}
         OPERATIONS
           put(x, y) = SELECT x |-> y : CELL & board(x, y) < 2 THEN board(x, y) := board(x, y) + 1 END;
           turn = BEGIN board := %(x, y).(x : 1..n & y : 1..n | board(y, x)) END;
           enter(p, x, y) = SELECT p : P - dom(at) & x |-> y : CELL - ran(at) THEN at := at \\/ {p |-> (x |-> y)} END;
           swap(p, q) = SELECT p : dom(at) & q : dom(at) & p /= q THEN at := at <+ {p |-> at(q), q |-> at(p)} END;
           queue(i, p) = SELECT i : (1..4) - dom(row) & p /: row[1..i] THEN row(i) := p END;
           drop(i) = SELECT i : row~[{a, b}] THEN row := {i} <<| row END;
           clear = SELECT card(row) = 4 THEN row := row |> {a} END
         END",
    ));
}

#[test]
fn tuples_and_records_with_several_names() {
    insta::assert_snapshot!(own(
        "Moves",
        "MACHINE Moves SETS P = {a, b, c}; K = {ask, tell} CONSTANTS jumps
         PROPERTIES jumps = {a |-> b |-> c, b |-> c |-> a, c |-> a |-> b}
         VARIABLES pegs, msgs, net
         INVARIANT pegs <: P & msgs <: K * (0..3) * P & net <: struct(kind : K, n : 0..3)
         INITIALISATION pegs := {a, b} || msgs := {} || net := {}
         OPERATIONS
           jump(x, y, z) = SELECT x |-> y |-> z : jumps & x : pegs & y : pegs & z /: pegs THEN
             pegs := (pegs - {x, y}) \\/ {z} END;
           late(p) = SELECT p : P & #(k, n, q).(k |-> n |-> q : msgs & n > 1 & q /= p) THEN msgs := {} END;
           get(k, n) = SELECT rec(kind : k, n : n) : net THEN net := net - {rec(kind : k, n : n)} END
         END",
    ));
}

#[test]
fn functions_to_sequences_sets_and_functions() {
    insta::assert_snapshot!(own(
        "Channels",
        "MACHINE Channels SETS N = {a, b, c}; M = {x, y} CONSTANTS n PROPERTIES n = 3
         VARIABLES chan, got, tab
         INVARIANT chan : N --> seq(M) & got : N --> POW(1..n) & tab : 1..n --> (1..2 --> 0..3)
         INITIALISATION chan := N * {[]} || got := N * {{}} || tab := (1..n) * {(1..2) * {0}}
         OPERATIONS
           send(p, m) = SELECT p : N & m : M & size(chan(p)) < 3 THEN chan(p) := chan(p) <- m END;
           pass(p, q) = SELECT p : N & q : N & p /= q & chan(p) /= [] THEN
             chan := chan <+ {p |-> tail(chan(p)), q |-> (first(chan(p)) -> chan(q))} END;
           get(p, i) = SELECT p : N & i : 1..n & i /: got(p) THEN got(p) := got(p) \\/ {i} END;
           lose(p, i) = SELECT p : N & i : got(p) & card(got(p)) > 1 THEN got(p) := got(p) - {i} END;
           count(i, j) = SELECT i : 1..n & j : 1..2 & tab(i)(j) < 3 THEN tab(i)(j) := tab(i)(j) + 1 END
         END",
    ));
}

/// A condition that several operations have is told with each of them.
#[test]
fn conditions_that_operations_share() {
    insta::assert_snapshot!(own(
        "Priority",
        "MACHINE Priority SETS P = {a, b, c, d} VARIABLES busy, done, f
         INVARIANT busy <: P & done <: P & f : P +-> P
         INITIALISATION busy := {} || done := {} || f := {}
         OPERATIONS
           clear(p) = SELECT p : busy - ran(f) THEN busy := busy - {p} END;
           start(p) = SELECT p : P - busy & busy - ran(f) = {} & p /: done THEN busy := busy \\/ {p} END;
           join(p, q) = SELECT p : busy & q : P & p /: dom(f) & busy - ran(f) = {} THEN f(p) := q END;
           finish(p) = SELECT p : done & card(done) > 1 & busy - ran(f) = {} THEN done := done - {p} END
         END",
    ));
}

#[test]
fn why_functions_and_sequences_are_not_packed() {
    let text = own(
        "Large",
        "MACHINE Large VARIABLES a, f, q, r
         INVARIANT a : 1..100 --> NATURAL & f : INTEGER +-> 0..3 & q : seq(INTEGER * STRING) & r : 1..2000 --> BOOL
         INITIALISATION a := (1..100) * {0} || f := {} || q := [] || r := (1..2000) * {TRUE} END",
    );
    let reason = |name: &str| {
        let start = format!("  {name}: ");
        let own = text.lines().skip_while(|line| !line.starts_with(&start)).nth(1);
        own.unwrap_or_default().trim().to_owned()
    };
    assert!(reason("a").contains("integers that nothing bounds have codes for up to 64 arguments"));
    assert!(reason("f").contains("does not say that it is a function between intervals"));
    assert!(reason("q").contains("it is a sequence, of whose items no two fit 63 bits"));
    assert!(reason("r").contains("whose points do not fit 1024 bits"));
}

#[test]
fn assertions_are_explained_like_the_invariant() {
    let text = own(
        "Theorem",
        "MACHINE Theorem VARIABLES x INVARIANT x : 0..9
         ASSERTIONS x < 10; !y.(y : 1..x => y * y < 82)
         INITIALISATION x := 0 OPERATIONS up = SELECT x < 9 THEN x := x + 1 END END",
    );
    let (_, assertions) = text.split_once("\nassertions\n").expect("a clause of their own");
    let (assertions, _) = assertions.split_once("\nup:").expect("before the operations");
    for line in ["test x < 10", "for each y in 1..x", "(y * y) < 82"] {
        assert!(assertions.contains(line), "{line}\n{text}");
    }
}
