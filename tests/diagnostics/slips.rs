//! Slips that people make, and what they are told: each is one error, with the hint that helps.

use super::*;

/// A text in which `x` and `y` are numbers, `s` is a set and `f` a function, with one operation.
fn machine(operation: &str) -> String {
    format!(
        "MACHINE M SETS S VARIABLES x, y, s, f INVARIANT x : NAT & y : NAT & s <: S & f : S +-> NAT
INITIALISATION x := 0 || y := 0 || s := {{}} || f := {{}}
OPERATIONS
{operation}
END"
    )
}

/// The one error of a text: its message, hint and notes.
#[track_caller]
fn only_error(text: &str) -> String {
    let loaded = load(text);
    let shown = rendered(&loaded);
    let errors: Vec<&Diagnostic> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert_eq!(errors.len(), 1, "{shown}");
    errors[0].render(&loaded.sources)
}

#[test]
fn in_operations() {
    for (slip, told) in [
        ("o = PRE x : NAT THEN x := x + 1", "this `PRE` has no `END`"),
        ("o by p = skip", "another operation is written `o ref p`"),
        ("o = skip; p = SELECT x = 1 THEN x := 2 WHEN x = 2 THEN x := 3", "`SELECT` has no `END`"),
        ("o = PRE x == 1 THEN x := 2 END", "equality is written `=`"),
        ("o = PRE x != 1 THEN x := 2 END", "inequality is written `/=`"),
        ("o = PRE x <> 1 THEN x := 2 END", "inequality is written `/=`"),
        ("o = PRE x > 1 && y > 1 THEN x := 2 END", "conjunction is written `&`"),
        ("o = PRE x > 1 and y > 1 THEN x := 2 END", "conjunction is written `&`"),
        ("o = PRE x > 1 || y > 1 THEN x := 2 END", "disjunction is written `or`"),
        ("o = PRE x > 1 OR y > 1 THEN x := 2 END", "disjunction is written `or`"),
        ("o = PRE NOT(x = 1) THEN x := 2 END", "negation is written `not(P)`"),
        ("o = CASE x OF EITHER 0 THEN x := 1 OR 1 THEN x := 0 END", "this `CASE` has no `END`"),
        ("o = PRE not x = 1 THEN x := 2 END", "operand of `not` stands in parentheses"),
        ("o = PRE y : 1..3 - {x} THEN x := 2 END", "bind tighter than `..`"),
        ("o = PRE x |-> y : 1..3 * 1..3 THEN x := 2 END", "bind tighter than `..`"),
        ("r <-- o = x := 2", "does the operation assign it? `r := ..`"),
        ("o = PRE x =< 3 THEN x := 2 END", "`less or equal` is written `<=`"),
        ("o = PRE x % 2 = 0 THEN x := 1 END", "the remainder is written `mod`"),
        ("o = PRE x = 1 /\\ y = 2 THEN x := 1 END", "conjunction is written `&`"),
        ("o = PRE x = 1 \\/ y = 2 THEN x := 1 END", "disjunction is written `or`"),
        ("o = PRE x <= 3 -> y = 1 THEN x := 1 END", "implication is written `=>`"),
        ("o = PRE x<-1 THEN x := 1 END", "write `x < -1`"),
        ("o = PRE x ^ 2 = 4 THEN x := 1 END", "a power is written `x ** 2`"),
        ("o = PRE x : 1...3 THEN x := 1 END", "an interval is written `1..3`"),
        ("o = PRE x in NAT THEN x := 1 END", "membership is written `:`"),
        ("o = PRE s subset S THEN x := 1 END", "inclusion is written `<:`"),
        ("o = PRE x = true THEN x := 1 END", "did you mean `TRUE`?"),
        ("o = PRE TRUE THEN x := 1 END", "write `= TRUE`"),
        ("o = PRE !z.z : NAT => z > x THEN x := 1 END", "write `!x.(P)`"),
        ("o = PRE #(z).z : NAT & z > x THEN x := 1 END", "body of `#` stands in parentheses"),
        ("o = PRE forall z.(z = 1) THEN x := 1 END", "is written `!x.(P => Q)`"),
        ("o = PRE (x = 1 & y = 2 THEN x := 1 END", "`(` stands here"),
        ("o = PRE x = 1) THEN x := 1 END", "no `(` is open here"),
        ("o = BEGIN x = 1 END", "a variable is assigned with `:=`"),
        ("o = BEGIN x <- 1 END", "a variable is assigned with `:=`"),
        ("o = BEGIN x++ END", "no operators that assign"),
        ("o = BEGIN x += 1 END", "no operators that assign"),
        ("o = BEGIN x := 1; y := 2; END", "none before `END`"),
        ("o = BEGIN x := 1, y := 2 END", "separated by `||` or `;`"),
        ("o = BEGIN x := 1 y := 2 END", "separated by `||` or `;`"),
        ("o = BEGIN x := y > 3 END", "write `bool(P)`"),
        ("o = BEGIN x := 'a' END", "a string stands in double quotes"),
        ("o = BEGIN x := max(x, y) END", "it takes a set: `max({x, y})`"),
        ("o = BEGIN x := abs(y) END", "write `max({x, -x})`"),
        ("o = BEGIN x := card s END", "applied with parentheses: `card(x)`"),
        ("o = BEGIN x := 1 || x := 2 END", "written here already"),
        ("o = THEN x := 1 END", "THEN belongs to"),
        ("o = IF x = 1 THEN x := 2 ELSEIF x = 2 THEN x := 3 END", "did you mean `ELSIF`?"),
        ("o = IF x = 1 THEN x := 2 ELSE IF y = 2 THEN x := 3 END; p = skip", "`ELSIF` does not"),
        ("o = ANY z THEN x := z END", "`ANY x WHERE x : S THEN ..`"),
        ("o = WHILE x < 3 DO x := x + 1 END", "`INVARIANT I VARIANT V END`"),
        ("o = CASE x OF 1 THEN y := 1 END", "`CASE E OF EITHER m THEN"),
        ("o = LET z = 3 IN x := z END", "`LET x BE x = E IN .. END`"),
        ("o = PRE x = 1 THEN x := 2 END END", "one END more"),
        ("o = x := 1; y := 2", "stands in BEGIN .. END"),
        ("o = PRE x = 1 THEN x := 2; p = skip", "an `END` is missing before it"),
        ("o = PRE !(x > 1) THEN x := 2 END", "negation is written `not(P)`"),
        ("o = PRE x /= 1 & y not in s THEN x := 2 END", "non-membership is written `/:`"),
        ("o = PRE s /= {z : S | z : s} THEN x := 2 END", "begins with its names"),
        ("o = PRE !z(z : s => f(z) = 1) THEN x := 2 END", "`!x.(P => Q)`, `#x.(P)`"),
        ("o = PRE #z : s.(f(z) = 1) THEN x := 2 END", "`!x.(P => Q)`, `#x.(P)`"),
        ("o = PRE a.S /= {} THEN x := 2 END", "did you mean `S`?"),
        ("o = BEGIN x := 1 & y := 2 END", "separated by `||` or `;`"),
        ("o = BEGIN s := s U {} END", "the union of sets is written `\\/`"),
        ("o = ANY z WHERE z : S THEN f{z} := 1 END", "applied with parentheses: `f(x)`"),
        ("o = ANY z WHERE z : S THEN f[z] := 1 END", "another value at one point"),
        ("r <-- o = BEGIN return x END", "results are assigned"),
        ("o = skip; p == BEGIN x := 1 END", "the body of an operation comes after `=`"),
        ("o = skip; r <- p = BEGIN r := x END", "results stand before `<--`"),
        ("o == BEGIN x := 1 END", "the body of an operation comes after `=`"),
        ("o() = BEGIN x := 1 END", "without parameters has no parentheses"),
        ("r <- o = BEGIN r := 1 END", "results stand before `<--`"),
        ("o(z : NAT) = BEGIN x := z END", "parameters are names only"),
        ("o = PRE x : S THEN x := 1 END", "`x` is INTEGER because of this"),
        ("o(e) = PRE e : S THEN s := s \\/ e END", "`{x}` is the set with the one element"),
        ("o(e) = PRE e : S THEN s := s + {e} END", "the union of sets is written `\\/`"),
        ("o(e) = PRE e : S THEN x := f[e] END", "a function is applied as `f(x)`"),
        ("o = PRE %z.(z : 1..3) = {} THEN skip END", "`%x.(P | E)`"),
        ("o = PRE SIGMA(z).(z : 1..3) = 6 THEN skip END", "`SIGMA(x).(P | E)`"),
        ("o = PRE SIGMA(z.(z : S | 1)) = 2 THEN skip END", "`SIGMA(x).(P | E)`"),
        ("o = x :(x' = x)", "the value before a substitution is written `x$0`"),
        ("o = BEGIN s := [] END", "the empty set is written `{}`"),
        ("o = PRE s(1) = 2 THEN skip END", "only a function or a sequence is applied"),
        ("o = IF x THEN x := 1 END", "a number is compared: `x = 1`"),
        ("o = PRE s THEN x := 1 END", "a set is compared: `s /= {}`"),
        ("o = PRE x : {1, 2} union {3} THEN x := 1 END", "is written `\\/`"),
        ("o = PRE x : {1, 2} inter {3} THEN x := 1 END", "is written `/\\`"),
        ("o = x := 1 and y := 2", "separated by `||`; within BEGIN .. END also by `;`"),
        ("o = x := 1 & f(x) := 2", "separated by `||`; within BEGIN .. END also by `;`"),
        ("o = BEGIN x := 1 and y := 2 END", "separated by `||` or `;`"),
        ("o = BEGIN x := 1 & f(x, y) := 2 END", "separated by `||` or `;`"),
        ("o(e) = PRE e : S THEN f(e) := 1, f(e) := 2 END", "separated by `||` or `;`"),
        ("o = CHOICE x := 1 or x := 2 END", "of this CHOICE are separated by `OR`, in capitals"),
        ("o = PRE x = 1 THEN x := 2 or skip END", "is written `CHOICE S OR T END`"),
        ("o = SELECT x = 1 THEN x := 2 OR x = 2 THEN x := 3 END", "separated by `WHEN`"),
        ("o = SELECT x = 1 THEN x := 2 ELSIF x = 2 THEN x := 3 END", "separated by `WHEN`"),
        ("o = IF x = 1 THEN x := 2 WHEN x = 2 THEN x := 3 END", "separated by `ELSIF`"),
        ("o = CASE x OF EITHER 0 THEN x := 1 or 1 THEN x := 0 END END", "`OR`, in capitals"),
        ("o = BEGIN x := y or y = 1 END", "write `bool(P)`"),
        ("o = x := y or y = 1", "write `bool(P)`"),
        (
            "o = PRE y = 1 THEN IF x = 1 THEN x := 2 ELSE IF y = 2 THEN x := 3 END END",
            "`ELSIF` does not",
        ),
        (
            "o = PRE y = 1 THEN IF x = 1 THEN x := 2 ELSE IF y = 2 THEN x := 3 END END; p = skip",
            "`ELSIF` does not",
        ),
        ("o = PRE SIGMA(z : S | 1) = 2 THEN skip END", "`SIGMA(z).(z : S | E)`"),
        ("o = PRE UNION(a, b : S | 1) = s THEN skip END", "`UNION(a, b).(P | E)`"),
        ("o = BEGIN f := {x : 0} END", "a pair is written `x |-> 0`"),
        ("nn <-- o(mm) = PRE mm : S THEN nm := 1 END", "did you mean `nn`?"),
        ("o = skip; nn := p(e) = PRE e : S THEN nn := 1 END", "`nn <-- p(e) = ..`"),
        ("o = skip; nn, m <- p = BEGIN nn := 1 END", "`nn, m <-- p = ..`"),
    ] {
        let error = only_error(&machine(slip));
        assert!(error.contains(told), "{told:?} is not in\n{error}");
    }
}

#[test]
fn in_clauses() {
    for (slip, told) in [
        ("VARIABLES x INVARIENT x : NAT INITIALISATION x := 0", "did you mean `INVARIANT`?"),
        ("VARIABLE x INVARIANT x : NAT INITIALISATION x := 0", "did you mean `VARIABLES`?"),
        ("VARIABLES x INVARIANT x : NAT INIT x := 0", "did you mean `INITIALISATION`?"),
        ("SET S VARIABLES x INVARIANT x : S INITIALISATION x :: S", "did you mean `SETS`?"),
        ("CONSTANTS c PROPERTY c = 1", "did you mean `PROPERTIES`?"),
        ("VARIABLES x INVARIANT x := 0 INITIALISATION x := 0", "equality is written `=`"),
        ("VARIABLES x INVARIANT x : NAT; INITIALISATION x := 0", "no `;` at the end of a clause"),
        ("VARIABLES x INVARIANT x : NAT, INITIALISATION x := 0", "no `,` at the end of a clause"),
        ("VARIABLES x y INVARIANT x : NAT INITIALISATION x := 0", "names are separated by `,`"),
        ("VARIABLES x : NAT INITIALISATION x := 0", "types stand in the INVARIANT"),
        ("CONSTANTS c = 3", "the value of a constant stands in PROPERTIES"),
        ("SETS S, T", "sets are separated by `;`"),
        ("SETS S = {a} T", "declarations are separated by `;`"),
        (
            "VARIABLES f INVARIANT f : NAT -> NAT INITIALISATION f := {}",
            "total functions are `-->`",
        ),
        ("ASSERTIONS card({1, 2, 3) = 3", "`{` stands here"),
        ("ASSERTIONS 1 = TURE", "did you mean `TRUE`?"),
        ("DEFINITIONS D = 3 ASSERTIONS D = 3", "a definition is written `Name == ..`"),
        ("DEFINITIONS D := 3 ASSERTIONS D = 3", "a definition is written `Name == ..`"),
        ("DEFINITIONS D(v) = v + 1 ASSERTIONS D(2) = 3", "a definition is written `Name == ..`"),
        ("DEFINITIONS E == 2; D = 3 ASSERTIONS D = E + 1", "a definition is written `Name == ..`"),
    ] {
        let error = only_error(&format!("MACHINE M {slip}\nEND"));
        assert!(error.contains(told), "{told:?} is not in\n{error}");
    }
}

/// What makes pairs binds as the operators on sets and sequences do.
#[test]
fn pairs_of_what_is_not_in_parentheses() {
    let machine = |value: &str| {
        format!(
            "MACHINE M SETS S = {{a, b}} VARIABLES f, q, h
             INVARIANT f : S --> POW(1..3) & q : S --> seq(1..3) & h : seq(S * NAT)
             INITIALISATION f := S * {{{{}}}} || q := S * {{[]}} || h := []
             OPERATIONS o = {value} END"
        )
    };
    for (slip, told) in [
        ("f := {a |-> f(a) \\/ {1}, b |-> {}}", "write `a |-> (f(a) \\/ {1})`"),
        ("q := q <+ {a |-> q(a) <- 1}", "write `a |-> (q(a) <- 1)`"),
        ("q := q <+ {a |-> q(a) ^ [1]}", "write `a |-> (q(a) ^ [1])`"),
        ("h := h <- a |-> 1", "write `h <- (a |-> 1)`"),
        ("h := [a |-> 1] <- h", "sequences are joined by `^`"),
        ("h := h <- 2", "write `x < -1`"),
    ] {
        let error = only_error(&machine(slip));
        assert!(error.contains(told), "{told:?} is not in\n{error}");
    }
    // Parentheses say how it is meant.
    let error = only_error(&machine("f := f <+ (a |-> f(a)) \\/ {1}"));
    assert!(!error.contains("bind equally"), "{error}");
}

/// A parameter in capitals is a set, and a number is compared with none.
#[test]
fn parameters_that_are_meant_as_numbers() {
    let clauses =
        "CONSTRAINTS LIM : 1..5 VARIABLES p INVARIANT p : 0..LIM INITIALISATION p := 0 END";
    let shown = rendered(&load(&format!("MACHINE M(LIM) {clauses}")));
    assert!(shown.contains("a parameter in capitals is a set"), "{shown}");
    let own = load(&format!("MACHINE M(LIM) {}", clauses.replace("LIM", "lim")));
    assert!(!rendered(&own).contains("in capitals"));
    let other = rendered(&load("MACHINE M(LIM) CONSTRAINTS LIM = BOOL END"));
    assert!(other.contains("a type of its own") && !other.contains("lower-case"), "{other}");
}

#[test]
fn the_words_of_a_message_do_not_contradict_each_other() {
    // The END that was found is not the one that was expected.
    let error = only_error(&machine("o = PRE x : NAT THEN x := x + 1"));
    assert!(!error.contains("expected") && error.contains("this `END` closes the machine"));
    let error = only_error("MACHINE M OPERATIONS o = PRE 1 = 1 THEN skip");
    assert!(error.contains("this `PRE` has no `END`") || error.contains("END"), "{error}");
}
