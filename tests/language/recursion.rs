//! Functions and sets that mention themselves: as deep as they need, and an error without end.

use super::*;

/// The counting function, from `n` down to 0.
fn counting(n: u32) -> String {
    format!(
        "MACHINE M ABSTRACT_CONSTANTS f
         PROPERTIES f : INTEGER +-> INTEGER &
           f = %x.(x : NATURAL | IF x = 0 THEN 0 ELSE 1 + f(x-1) END)
         ASSERTIONS f({n}) = {n} END"
    )
}

#[test]
fn deep_recursion_ends() {
    for n in [10, 10_000, 49_000] {
        holds(&counting(n));
    }
}

#[track_caller]
fn ends_with_a_place(text: &str, place: &str) {
    let loaded = typing::load_text("test.mch", text);
    let outcome = deep(|| search_model(&set_up(loaded).expect("a model")));
    let finding = format!("{:?}", outcome.finding);
    assert!(finding.contains("recursion of more than 50000 levels"), "{finding}");
    let at = text.find(place).expect("the place");
    let span = format!("start: {at}, end: {}", at + place.len());
    assert!(finding.contains(&span), "{finding}");
}

#[test]
fn recursion_without_end_is_an_error() {
    ends_with_a_place(&counting(60_000), "%x.(x : NATURAL | IF x = 0 THEN 0 ELSE 1 + f(x-1) END)");
    ends_with_a_place(
        "MACHINE M ABSTRACT_CONSTANTS f PROPERTIES f = %x.(x : INTEGER | f(x + 1))
         ASSERTIONS f(1) = 2 END",
        "%x.(x : INTEGER | f(x + 1))",
    );
    // By way of another one, in an operation.
    ends_with_a_place(
        "MACHINE M ABSTRACT_CONSTANTS f, g
         PROPERTIES f = %x.(x : INTEGER | g(x + 1)) & g = %y.(y : INTEGER | f(y - 1))
         VARIABLES v INVARIANT v : INTEGER INITIALISATION v := 0
         OPERATIONS o = v := f(v) END",
        "%y.(y : INTEGER | f(y - 1))",
    );
}
