//! Trees: functions from places, which are sequences of branch numbers, to labels.

use super::errors::error;
use super::*;

/// `1` above `2` and `3`, and `4` below `3`.
const TREE: &str = "{[] |-> 1, [1] |-> 2, [2] |-> 3, [2, 1] |-> 4}";
/// `2` above `1` and `3`.
const BINARY: &str = "bin(bin(1), 2, bin(3))";

#[test]
fn trees_are_made() {
    is("const(1, [])", "{[] |-> 1}");
    is("const(1, [bin(2), const(3, [bin(4)])])", TREE);
    is("bin(7)", "{[] |-> 7}");
    is(BINARY, "{[] |-> 2, [1] |-> 1, [2] |-> 3}");
    is("const(e1, [bin(e2)])", "{[] |-> e1, [1] |-> e2}");
}

#[test]
fn trees_are_taken_apart() {
    for (operator, value) in [
        ("top(t)", "1"),
        ("sons(t)", "[bin(2), const(3, [bin(4)])]"),
        ("prefix(t)", "[1, 2, 3, 4]"),
        ("postfix(t)", "[2, 4, 3, 1]"),
        ("sizet(t)", "4"),
        ("mirror(t)", "{[] |-> 1, [2] |-> 2, [1] |-> 3, [1, 1] |-> 4}"),
        ("rank(t, [2, 1])", "1"),
        ("rank(t, [2])", "2"),
        ("father(t, [2, 1])", "[2]"),
        ("father(t, [2])", "[]"),
        ("son(t, [2], 1)", "[2, 1]"),
        ("subtree(t, [2])", "const(3, [bin(4)])"),
        ("subtree(t, [])", "t"),
        ("arity(t, [])", "2"),
        ("arity(t, [2, 1])", "0"),
        ("dom(t)", "{[], [1], [2], [2, 1]}"),
        ("t([2])", "3"),
    ] {
        is(&format!("LET t BE t = {TREE} IN bool({operator} = {value}) END"), "TRUE");
    }
    is(&format!("left({BINARY})"), "bin(1)");
    is(&format!("right({BINARY})"), "bin(3)");
    is(&format!("infix({BINARY})"), "[1, 2, 3]");
    is(&format!("infix(bin({BINARY}, 4, bin(5)))"), "[1, 2, 3, 4, 5]");
    is(&format!("prefix(bin({BINARY}, 4, bin(5)))"), "[4, 2, 1, 3, 5]");
}

#[test]
fn sets_of_trees() {
    holds(&format!("{TREE} : tree(1..4) & {TREE} /: tree(1..3) & {TREE} /: btree(NATURAL)"));
    holds(&format!("{BINARY} : btree(NATURAL) & {BINARY} : tree(1..3)"));
    holds("{[1] |-> 1} /: tree({1}) & {[] |-> 1, [2] |-> 1} /: tree({1})");
    holds("{[] |-> 1, [] |-> 2} /: tree({1, 2}) & {} /: tree({1})");
    holds("tree({1}) /= {bin(1)} & #t.(t : tree({e1, e2}) & sizet(t) = 3 & top(t) = e2)");
}

#[test]
fn names_of_operators_are_free_elsewhere() {
    let text = "MACHINE T SETS S = {left, right} VARIABLES top, son
        INVARIANT top : S & son : S +-> S INITIALISATION top := left || son := {}
        OPERATIONS turn = BEGIN top := right || son(top) := right END;
          r <-- get(left) = PRE left : dom(son) THEN r := son(left) END END";
    assert_eq!(outcomes(text).len(), 1);
}

#[test]
fn what_is_no_tree() {
    error("top({[1] |-> k})", "not a tree", "top({[1] |-> k})", "{([1]|->1)}");
    error("const(1, [{[k] |-> 2}])", "not a tree", "const(1, [{[k] |-> 2}])", "1, [{([1]|->2)}]");
    let missing = "the tree has no such part";
    error("subtree(bin(k), [1])", missing, "subtree(bin(k), [1])", "{({}|->1)}, [1]");
    error("father(bin(k), [])", missing, "father(bin(k), [])", "{({}|->1)}, {}");
    error("son(bin(k), [], 1)", missing, "son(bin(k), [], 1)", "{({}|->1)}, {}, 1");
    error("left(bin(k))", missing, "left(bin(k))", "{({}|->1)}");
}
