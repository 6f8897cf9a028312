//! Closures of which a part is wanted: of long chains they are too large to be built.

use super::*;

/// A chain of so many points, with a way back from the last one to some point.
fn chain(points: u32, back: Option<u32>) -> String {
    let back = back.map_or(String::new(), |to| format!(" \\/ {{{points} |-> {to}}}"));
    format!("CONSTANTS r PROPERTIES r = %i.(i : 1..{points} - 1 | i + 1){back}")
}

#[test]
fn parts_of_the_closure_of_a_long_chain() {
    all_hold(
        &chain(6_000, None),
        &[
            "closure1(r)[{5990}] = 5991..6000 & closure1(r)[{6000, 7000}] = {} & closure1(r)[{}] = {}",
            "closure(r)[{5990}] = 5990..6000 & closure(r)[{7000}] = {7000}",
            "1 |-> 6000 : closure1(r) & 6000 |-> 1 /: closure1(r) & 1 |-> 1 /: closure1(r)",
            "1 |-> 1 : closure(r) & 1 |-> 6000 : closure(r) & 7 |-> 6 /: closure(r)",
            "3 /: closure1(r)[{3}] & 6000 : closure1(r)[{3}]",
            "closure1(r) /\\ id(1..6000) = {} & id(INTEGER) /\\ closure1(r) = {}",
            "!x.(x : 1..6000 => x |-> x /: closure1(r))",
            "{5998, 7000} <| closure1(r) = {5998 |-> 5999, 5998 |-> 6000}",
            "{5998, 7000} <| closure(r) = {5998 |-> 5999, 5998 |-> 6000} \\/ id({5998, 7000})",
            "closure(r)~[{3}] = 1..3 & 3 |-> 1 : closure(r)~ & {2} <| closure(r)~ = {2 |-> 1, 2 |-> 2}",
            "{x | 5998 |-> x : closure1(r)} = {5999, 6000} & {x | x |-> 3 : closure1(r)} = {1, 2}",
            "#(x, y).(x : 2..3 & x |-> y : closure1(r) & y = x + 5000) & {x, y | x |-> y : closure1(r) & x = 5999} = {5999 |-> 6000}",
            "dom(closure1(r)) = 1..5999 & ran(closure1(r)) = 2..6000",
            "closure1(r)~[{4}] = 1..3 & closure1(r~)[{4}] = 1..3 & 6000 |-> 1 : closure1(r~)",
        ],
    );
    all_hold(
        &chain(300, Some(290)),
        &[
            "closure1(r) /\\ id(1..300) = id(290..300) & id(288..291) /\\ closure1(r) = id({290, 291})",
            "closure1(r)[{295}] = 290..300 & 300 |-> 300 : closure1(r) & 289 |-> 289 /: closure1(r)",
        ],
    );
}

/// Where the relation, or the set, has no value, there is none for the whole: in either order, and where there is
/// nothing to be searched.
#[test]
fn parts_of_undefined_closures_are_undefined() {
    let said = |p: &str| {
        let text = format!(
            "MACHINE M {} & s = {{1 |-> {{1}}}} ASSERTIONS {p} END",
            chain(20, None).replace("CONSTANTS r", "CONSTANTS r, s")
        );
        let finding = format!("{:?}", run_text(&text).expect("loads").finding);
        assert!(finding.contains("outside its domain"), "{p}: {finding}");
    };
    said("closure1(r)[s(2)] = {}");
    said("closure1(r - r)[s(2)] = {}");
    said("s(2) <| closure1(r) = {}");
    said("closure1(r) /\\ id(s(2)) = {}");
    said("1 |-> r(30) : closure1(r)");
    said("closure1(r \\/ {r(30) |-> 1})[{1}] = {}");
    said("1 |-> 2 : closure1({r(30) |-> 1})");
}
