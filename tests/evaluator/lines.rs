//! Sequences whose items stand in one word of the state, against the same held by their numbers.

use super::found;
use burnside::search::SymmetryMode;

/// A machine on two sequences, which are longer than what their fields hold now and then, are no sequences any more
/// now and then, and of which now and then something is asked that is not there.
fn text(packed: bool, items: &str, longest: u64) -> String {
    // What is said first of a variable is what it is held by.
    let typing = |name| match packed {
        true => format!("{name} : seq({items}) & size({name}) <= {longest}"),
        false => format!("{name} <: INTEGER * ({items}) & {name} : seq({items})"),
    };
    format!(
        "MACHINE T SETS S = {{a, b}}
         VARIABLES q, r, n, w
         INVARIANT {} & {} & n : -1..4 & w <: {items} &
           (size(q) < 4 => ran(q) <: {items}) & (q /= [] => first(q) : ran(q)) & card(q) <= 3
         INITIALISATION q := [] || r := [] || n := 0 || w := {{}}
         OPERATIONS
           append(x) = SELECT x : {items} & size(q) < 4 THEN q := q <- x END;
           prepend(x) = SELECT x : {items} & card(r) < 4 THEN r := x -> r END;
           move = SELECT q /= [] THEN r := r <- first(q) || q := tail(q) END;
           back = SELECT r /= {{}} & size(q) < 3 THEN q := [last(r)] ^ q || r := front(r) END;
           turn = SELECT size(q) > 1 THEN q := rev(q) || w := ran(q) END;
           both = SELECT size(q) + size(r) = 3 THEN q := q ^ r || r := [] END;
           cut = q, r := q /|\\ n, q \\|/ n;
           hole(i) = SELECT i : dom(q) & n = 3 THEN q := {{i}} <<| q END;
           put(i, x) = SELECT i : 1..3 & x : {items} & i : dom(q) THEN q(i) := x END;
           far(x) = SELECT x : {items} & n = 2 & q = [] THEN q(3) := x END;
           n <-- head = SELECT n = 4 THEN n := size(tail(q)) END;
           within(x) = SELECT x : {items} & !y.(y : ran(q) => q : seq(w \\/ {{x}})) & !y.(y : w => r : seq(w))
             THEN w := w \\/ {{x}} END;
           deep = SELECT q /= [] & size(q) < 3 THEN q := q <- first(q <- first(q <- first(q <- last(q)))) END;
           end = SELECT n = -1 THEN w := {{last(q)}} END;
           more = n := (n + 2) mod 6 - 1
         END",
        typing("q"),
        typing("r"),
    )
    .replace("n <-- head = SELECT n = 4 THEN n :=", "m <-- head = SELECT n = 4 THEN m :=")
}

#[test]
fn lines_do_as_lists_of_pairs_do() {
    for (items, longest) in [("S", 2), ("S", 3), ("S", 9), ("BOOL", 3), ("0..1", 2), ("0..1", 4)] {
        let [packed, numbered] =
            [true, false].map(|packed| found(&text(packed, items, longest), SymmetryMode::Off));
        assert_eq!(packed, numbered, "items from {items}, at most {longest}");
        assert!(packed[2] > 0, "something is undefined");
    }
}
