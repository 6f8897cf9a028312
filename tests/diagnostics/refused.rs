//! What other tools for B refuse, and what would not mean what it seems to mean.

use super::*;

/// The places and codes of the errors of a machine that is refused.
#[track_caller]
fn refused(text: &str) -> Vec<String> {
    let loaded = load(text);
    assert!(loaded.machine.is_none(), "{text} is accepted");
    let errors = loaded.diagnostics.iter().filter(|d| d.is_error()).count();
    found(&loaded).into_iter().take(errors).collect()
}

#[test]
fn clauses_of_other_kinds_of_machines() {
    for text in
        ["MACHINE M\nLOCAL_OPERATIONS o = skip END", "MACHINE M SETS S\nVALUES S = 1..3 END"]
    {
        assert_eq!(refused(text), ["2:1 clause-not-allowed"], "{text}");
    }
    for text in [
        "REFINEMENT\nR\nLOCAL_OPERATIONS o = skip END",
        "IMPLEMENTATION\nI\nABSTRACT_CONSTANTS c PROPERTIES c = 1 END",
    ] {
        assert_eq!(refused(text), ["2:1 missing-refines", "3:1 clause-not-allowed"], "{text}");
    }
    let text = "MACHINE M PROPERTIES 1 = 1\nPROPERTIES 2 = 2 END";
    assert_eq!(refused(text), ["2:1 duplicate-clause"]);
    let loaded = load(text);
    assert!(rendered(&loaded).contains("here, too"));
}

#[test]
fn names_that_cannot_be_declared() {
    assert_eq!(refused("MACHINE M(S,\nS) END"), ["2:1 duplicate-declaration"]);
    assert_eq!(refused("MACHINE M(n,\nn) CONSTRAINTS n : NAT END"), ["2:1 duplicate-declaration"]);
    // With a dot: those of other machines only.
    for bound in ["%x.y.(x.y : 1..2 | 3) = {}", "#(a.b).(a.b = 1)", "{x.y | x.y : 1..2} = {}"] {
        let text = format!("MACHINE M ASSERTIONS {bound} END");
        let loaded = load(&text);
        let shown = rendered(&loaded);
        assert!(loaded.machine.is_none() && shown.contains("cannot be bound"), "{shown}");
    }
    let any = "MACHINE M VARIABLES z INVARIANT z : 0..3 INITIALISATION z := 0
        OPERATIONS\nop = ANY x.y WHERE x.y : 1..3 THEN z := x.y END END";
    assert_eq!(refused(any), ["3:10 syntax"]);
    assert_eq!(
        refused("MACHINE M ASSERTIONS LET\na.b BE a.b = 1 IN a.b = 1 END END"),
        ["2:1 syntax"]
    );
}

#[test]
fn what_has_no_type() {
    let told = |text: &str| rendered(&load(text));
    let shown = told("MACHINE M(a) CONSTRAINTS 1 = 1 END");
    assert!(shown.contains("the type of the parameter `a` is never determined"), "{shown}");
    // One message, and what is missing.
    assert_eq!(refused("MACHINE M CONSTANTS\nX, Y, Z END"), ["2:1 type-not-determined"]);
    let shown = told("MACHINE M CONSTANTS X, Y, Z END");
    let all =
        "the types of the constants `X`, `Y`, `Z` are never determined: there is no PROPERTIES";
    assert!(shown.contains(all) && shown.contains("PROPERTIES X : S"), "{shown}");
    let some = "MACHINE M CONSTANTS X,\nY PROPERTIES X = 1 END";
    assert_eq!(refused(some), ["2:1 type-not-determined"]);
    assert!(!told(some).contains("there is no PROPERTIES"));
}

/// There are no variables yet when the constants are looked for.
#[test]
fn variables_in_properties() {
    let own = "MACHINE M CONSTANTS c\nPROPERTIES c : 1..3 & c > x
        VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 7 END";
    assert_eq!(refused(own), ["2:27 variable-in-properties"]);
    assert!(rendered(&load(own)).contains("what holds of variables stands in INVARIANT"));
    let defined = "MACHINE M CONSTANTS c\nPROPERTIES c : 1..3 & low\nDEFINITIONS low == x < c
        VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 7 END";
    assert_eq!(refused(defined), ["2:23 variable-in-properties"]);
    let constraints = "MACHINE M(p)\nCONSTRAINTS p : 0..3 & p > x
        VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 7 END";
    assert_eq!(refused(constraints), ["2:28 variable-in-properties"]);
    // A name that a formula binds is its own.
    let bound = "MACHINE M CONSTANTS c PROPERTIES c : 1..3 & !x.(x : 4..5 => c < x)
        VARIABLES x INVARIANT x : 0..9 INITIALISATION x := c END";
    assert!(load(bound).machine.is_some());
}

#[test]
fn machine_parameters() {
    assert_eq!(
        refused("MACHINE M(T)\nCONSTANTS c PROPERTIES\nc : T END"),
        ["3:5 parameter-in-properties"]
    );
    assert_eq!(
        refused("MACHINE M(n) CONSTRAINTS n : NAT\nPROPERTIES n = 1 END"),
        ["2:12 parameter-in-properties"]
    );
    // A name that a formula binds is its own.
    let text = "MACHINE M(n) CONSTRAINTS n : 1..2 PROPERTIES !n.(n : NAT => n >= 0)
        VARIABLES v INVARIANT v = n INITIALISATION v := n END";
    assert!(load(text).machine.is_some());
    assert_eq!(
        refused("MACHINE M(n)\nVARIABLES v INVARIANT v = n INITIALISATION v := n END"),
        ["1:11 missing-constraints"]
    );
}

#[test]
fn labels_of_a_case_are_literals_and_distinct() {
    let machine = |labels: &str| {
        format!(
            "MACHINE M SETS S = {{a, b}} CONSTANTS c PROPERTIES c : 1..2 DEFINITIONS two == 2
             VARIABLES v INVARIANT v : 1..9 INITIALISATION v := 1
             OPERATIONS o(x, s) = PRE x : -2..2 & s : S THEN\n{labels} END END"
        )
    };
    for (labels, place) in [
        ("CASE x OF EITHER c THEN skip END END", "4:18 case-label"),
        ("CASE x OF EITHER 1+1 THEN skip END END", "4:18 case-label"),
        ("CASE x OF EITHER 1 THEN skip OR v THEN skip END END", "4:33 case-label"),
        ("CASE x OF EITHER 1,2 THEN skip OR 2 THEN skip END END", "4:35 duplicate-case-label"),
        ("CASE x OF EITHER -1 THEN skip OR -1 THEN skip END END", "4:34 duplicate-case-label"),
        ("CASE s OF EITHER a THEN skip OR b, a THEN skip END END", "4:36 duplicate-case-label"),
    ] {
        assert_eq!(refused(&machine(labels)), [place], "{labels}");
    }
    for labels in [
        "CASE x OF EITHER 1, -1 THEN skip OR two THEN skip ELSE skip END END",
        "CASE s OF EITHER a THEN skip OR b THEN skip END END",
    ] {
        assert!(load(&machine(labels)).machine.is_some(), "{labels}");
    }
}

/// The parameters of a definition are seen in its own right side and nowhere else.
#[test]
fn parameters_of_definitions_do_not_reach_further() {
    let machine = |definitions: &str, formula: &str| {
        format!("MACHINE M DEFINITIONS\n{definitions}\nASSERTIONS\n{formula}\nEND")
    };
    let text = machine("foo2 == aa+bb; foo(aa,bb) == foo2", "foo(1,2) = 3");
    let loaded = load(&text);
    assert_eq!(refused(&text), ["4:1 undeclared-identifier", "4:1 undeclared-identifier"]);
    assert!(rendered(&loaded).contains("`aa` is not declared"), "{}", rendered(&loaded));
    // Through further definitions, and in arguments.
    let text = machine("in == aa; mid == in; out(aa) == mid", "out(1) = 1");
    assert_eq!(refused(&text), ["4:1 undeclared-identifier"]);
    let text = machine("in == aa; id2(bb) == bb; out(aa) == id2(in)", "out(1) = 1");
    assert_eq!(refused(&text), ["4:1 undeclared-identifier"]);
    for (definitions, formula) in [
        // The parameter itself may be handed on, under the same name, too.
        ("in(aa) == aa + 1; out(aa) == in(aa) + in(2 * aa)", "out(3) = 11"),
        ("in(bb) == bb + 1; out(aa, bb) == in(aa) + bb", "out(3, 4) = 8"),
        // What is bound at the use is seen, as it always was.
        ("sum == x + y", "!(x,y).(x : 1..2 & y : 1..2 => sum <= 4)"),
    ] {
        let loaded = load(&machine(definitions, formula));
        assert!(loaded.machine.is_some(), "{}", rendered(&loaded));
    }
}

#[test]
fn unused_definitions_that_nothing_could_use() {
    let text = "MACHINE M CONSTANTS limit PROPERTIES limit = 2 DEFINITIONS\nA == foo(1);\n\
                B == lmit + 1;\nC(x) == x + z;\nD == BEGIN zz := 1 END\nEND";
    let loaded = load(text);
    assert!(loaded.machine.is_some(), "{}", rendered(&loaded));
    let code = "unused-definition-ill-typed";
    let places = ["2:6", "3:6", "4:13", "5:12"].map(|at| format!("{at} {code}"));
    assert_eq!(found(&loaded), places);
    assert!(rendered(&loaded).contains("did you mean `limit`?"));
    // A name that is bound somewhere may be what is meant.
    let text = "MACHINE M OPERATIONS o(x) = PRE x : 1..2 THEN skip END DEFINITIONS\nA == x + 1 END";
    assert_eq!(found(&load(text)), ["2:1 unused-definition"]);
}

#[test]
fn for_all_needs_an_implication() {
    for (body, place) in [
        ("!y.(y : 0..1)", "2:5"),
        ("!y.((y : 0..1 => y < 2) & 1 = 1)", "2:5"),
        ("!(y, z).(y : 0..1 or z : 0..1)", "2:10"),
        ("#x.(x : 0..1 & !y.(y = x))", "2:20"),
    ] {
        let loaded = load(&format!("MACHINE M ASSERTIONS\n{body} END"));
        assert_eq!(found(&loaded), [format!("{place} forall-body")], "{body}");
        let hint = loaded.diagnostics[0].hint.as_ref().expect("a hint");
        assert!(hint.starts_with("write `!") && hint.contains(".(P => Q)`"), "{hint}");
    }
    // One error at a time; and by way of a definition, which says so.
    let loaded = load("MACHINE M ASSERTIONS\n!y.(y : zz) END");
    assert_eq!(found(&loaded), ["2:9 undeclared-identifier"]);
    let loaded = load("MACHINE M DEFINITIONS all(S) == !y.(y : S) ASSERTIONS\nall({1}) END");
    assert_eq!(found(&loaded), ["2:1 forall-body"]);
    let good =
        "MACHINE M DEFINITIONS few == (y : 1..2 => y < 3) ASSERTIONS !y.(few); #y.(y : 1..2) END";
    assert!(load(good).machine.is_some());
}

#[test]
fn machines_of_rules_are_not_read() {
    let text = "/* c */ RULES_MACHINE r\nOPERATIONS\n RULE rr BODY RULE_FORALL x WHERE x : 1..2 \
                EXPECT x > 0 COUNTEREXAMPLE \"a\" END END\nEND";
    let loaded = load(text);
    assert_eq!(found(&loaded), ["1:9 not-supported-yet"]);
    assert!(rendered(&loaded).contains("machines of rules"));
}

#[test]
fn reserved_words_are_no_names() {
    for (text, place, what) in [
        ("OPERATIONS a = skip;\nrec = skip; b = skip", "2:1", "the name of an operation"),
        ("OPERATIONS a = skip;\nsize(x) = skip", "2:1", "the name of an operation"),
        ("OPERATIONS a = skip;\nx <-- max = skip", "2:7", "the name of an operation"),
        ("OPERATIONS a = skip;\no(x, min) = skip", "2:6", "a parameter"),
        ("VARIABLES\nx, size", "2:4", "the name of a variable"),
        ("CONSTANTS\nmax", "2:1", "the name of a constant"),
        ("SETS\nMAXINT", "2:1", "the name of a set"),
        ("SETS\nS = {a, TRUE}", "2:9", "the name of an element"),
        ("FREETYPES\nF = e, succ(INTEGER)", "2:8", "the name of a constructor"),
        ("DEFINITIONS a == 1;\nPI == 2", "2:1", "the name of a definition"),
        ("DEFINITIONS a == 1;\nd(size) == 2", "2:3", "a parameter"),
        ("ASSERTIONS\n!max.(max : 1..2 => 1 = 1)", "2:2", "a bound variable"),
        ("ASSERTIONS\n{x, max | 1 = 1} = {}", "2:5", "a bound variable"),
        ("ASSERTIONS\nrec(size : 1) = rec(a : 1)", "2:5", "the name of a field"),
        ("OPERATIONS o =\nVAR card IN skip END", "2:5", "a local variable"),
        ("PROMOTES\nfirst", "2:1", "the name of an operation"),
    ] {
        let loaded = load(&format!("MACHINE M {text} END"));
        let first = loaded.diagnostics.first().expect("an error");
        assert_eq!(found(&loaded)[0], format!("{place} reserved-word"), "{text}");
        assert!(first.message.ends_with(&format!("it cannot be {what}")), "{}", first.message);
        assert!(first.hint.as_ref().is_some_and(|h| h.starts_with("choose another name")));
    }
}

/// A LET names values: the right side of an equation cannot mention what has none yet.
#[test]
fn circles_in_a_let() {
    let machine = |equations: &str| {
        format!(
            "MACHINE M VARIABLES y INVARIANT y : 0..9 INITIALISATION y := 0
OPERATIONS o = LET x, z BE {equations} IN y := x + z END END"
        )
    };
    assert_eq!(refused(&machine("x = x + 1 & z = 1")), ["2:32 let-equation"]);
    assert_eq!(refused(&machine("x = z + 1 & z = 1")), ["2:32 let-equation"]);
    assert!(rendered(&load(&machine("x = x + 1 & z = 1"))).contains("mentions `x` itself"));
    assert!(rendered(&load(&machine("x = z + 1 & z = 1"))).contains("put the equation for `z`"));
    // The variable of this name is hidden there, too.
    let own = machine("x = 1 & z = 1").replace("LET x, z BE x = 1", "LET y, z BE y = y + 1");
    assert!(refused(&own.replace("y := x + z", "skip"))[0].ends_with("let-equation"));
    assert!(load(&machine("z = 1 & x = z + 1")).machine.is_some());
    assert!(load(&machine("x = card({x | x : 1..3}) & z = 1")).machine.is_some());
    let formula = "MACHINE M ASSERTIONS\nLET x BE x = x + 1 IN x = 5 END END";
    assert_eq!(refused(formula), ["2:14 let-equation"]);
}

#[test]
fn a_second_machine() {
    let first = "MACHINE A VARIABLES y INVARIANT y : 0..9 INITIALISATION y := 0
      OPERATIONS inc = PRE y < 2 THEN y := y + 1 END END";
    for second in ["MACHINE B VARIABLES y END", "REFINEMENT B REFINES A END", "SYSTEM B"] {
        let text = format!("{first}\n{second}");
        assert_eq!(refused(&text), ["3:1 second-machine"], "{text}");
        assert!(rendered(&load(&text)).contains("a file of its own"));
    }
    // What is wrong with the first one is told as well.
    let text = format!("{}\nMACHINE B END", first.replace("y := 0", "y := "));
    assert_eq!(refused(&text).len(), 2);
}

#[test]
fn fields_that_a_record_does_not_have() {
    let text = "MACHINE M VARIABLES r INVARIANT r : struct(name : 0..1, age : 0..9)
      INITIALISATION r := rec(name : 0, age : 1)
      OPERATIONS o = r'aeg := 3; p = PRE r'nmae = 1 THEN skip END END";
    let shown = rendered(&load(text));
    assert!(shown.contains("did you mean the field `age`?"), "{shown}");
    assert!(shown.contains("did you mean the field `name`?"), "{shown}");
    for record in ["r := rec(nmae : 0, age : 1)", "r :: {rec(nmae : 0, age : 1)}"] {
        let shown =
            rendered(&load(&text.replace("r'aeg := 3", record).replace("nmae = 1", "age = 1")));
        assert!(shown.contains("did you mean the field `name`?"), "{shown}");
    }
    let other = text.replace("aeg", "colour").replace("nmae", "age");
    assert!(!rendered(&load(&other)).contains("did you mean"));
}
