//! Types that double from one name to the next: found to be too large in a time that grows with the
//! text, however large they would be. And what types are called.

use super::*;
use cpu_time::ThreadTime;
use std::time::Duration;

/// How many names there are: as trees, the types have 2^LEVELS parts.
const LEVELS: [usize; 2] = [30, 100];

/// `c0`, `c1`, .. as they are declared.
fn names(levels: usize) -> String {
    (0..=levels).map(|i| format!("c{i}")).collect::<Vec<_>>().join(", ")
}

/// `c0 = 1` and an equation for each further name, in which `@` is the name before.
fn equations(levels: usize, of: &str) -> Vec<String> {
    let step = |i: usize| format!("c{i} = {}", of.replace('@', &format!("c{}", i - 1)));
    std::iter::once("c0 = 1".to_owned()).chain((1..=levels).map(step)).collect()
}

/// LETs of all the names, one within the other, around a text.
fn nested(levels: usize, of: &str, around: &str) -> String {
    let step = |(i, e): (usize, &String)| format!("LET c{i} BE {e} IN ");
    let lets: String = equations(levels, of).iter().enumerate().map(step).collect();
    format!("{lets}{around}{}", " END".repeat(levels + 1))
}

/// The codes of the errors, which are there at once.
#[track_caller]
fn at_once(text: &str) -> Vec<&'static str> {
    let begin = ThreadTime::now();
    let loaded = load(text);
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}: {text:.200}");
    assert!(loaded.machine.is_none(), "{text:.200} is accepted");
    loaded.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect()
}

#[track_caller]
fn too_large(text: &str) {
    assert_eq!(at_once(text), ["type-too-large"], "{text:.200}");
}

#[test]
fn of_local_names() {
    for n in LEVELS {
        for of in ["(@ |-> @)", "rec(a : @, b : @)", "{@} * {@}", "id({@})"] {
            let last = format!("c{n} = c{n}");
            too_large(&format!("MACHINE M ASSERTIONS {} END", nested(n, of, &last)));
            too_large(&format!("MACHINE M ASSERTIONS 1 = {} END", nested(n, of, "1")));
            too_large(&format!("MACHINE M OPERATIONS o = {} END", nested(n, of, "skip")));
        }
        // Two of them that were made apart from each other.
        let value = nested(n, "(@ |-> @)", &format!("c{n}"));
        too_large(&format!("MACHINE M ASSERTIONS ({value}) = ({value}) END"));
        let all = equations(n, "(@ |-> @)").join(" & ");
        too_large(&format!("MACHINE M ASSERTIONS {{{} | {all}}} = {{}} END", names(n)));
        too_large(&format!("MACHINE M ASSERTIONS not(#({}).({all})) END", names(n)));
    }
}

#[test]
fn of_constants_variables_and_parameters() {
    for n in LEVELS {
        let names = names(n);
        for of in ["(@ |-> @)", "rec(a : @, b : @)", "{@} * {@}", "id({@})"] {
            let mut all = equations(n, of);
            too_large(&format!("MACHINE M CONSTANTS {names} PROPERTIES {} END", all.join(" & ")));
            all.reverse();
            let all = all.join(" & ");
            too_large(&format!("MACHINE M CONSTANTS {names} PROPERTIES {all} END"));
            too_large(&format!("MACHINE M OPERATIONS o({names}) = PRE {all} THEN skip END END"));
            too_large(&format!(
                "MACHINE M VARIABLES {names} INVARIANT {all} INITIALISATION {names} :( {all} ) END"
            ));
        }
        let results = equations(n, "(@ |-> @)").join(" ; ").replace(" = ", " := ");
        too_large(&format!("MACHINE M OPERATIONS {names} <-- o = BEGIN {results} END END"));
    }
}

/// Each machine calls the operation of the one it includes, and pairs the result with itself.
#[test]
fn of_results_of_calls() {
    let folder = tempfile::tempdir().expect("a folder");
    let machine = |i: usize, clause: &str, body: &str| {
        let name = format!("M{i}");
        let operation = format!("r <-- o{i}(p) = PRE p : 0..1 THEN {body} END");
        let path = folder.path().join(format!("{name}.mch"));
        std::fs::write(&path, format!("MACHINE {name} {clause} OPERATIONS {operation} END"))
            .expect("written");
        path
    };
    let mut main = machine(0, "", "r := (p |-> p)");
    for i in 1..=LEVELS[0] {
        let body = format!("VAR x IN x <-- o{}(p) ; r := (x |-> x) END", i - 1);
        main = machine(i, &format!("INCLUDES M{}", i - 1), &body);
    }
    let begin = ThreadTime::now();
    let loaded = normalise::load_machine(&main);
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(found(&loaded), ["1:37 type-too-large"]);
}

#[test]
fn within_one_expression() {
    for n in LEVELS {
        too_large(&format!(
            "MACHINE M ASSERTIONS {}{{1}}{} = {{}} END",
            "id(".repeat(n),
            ")".repeat(n)
        ));
    }
}

#[test]
fn that_do_not_fit_or_are_open() {
    for n in LEVELS {
        let numbers = equations(n, "(@ |-> @)").join(" & ");
        let truths = numbers.replace('c', "d").replacen("d0 = 1", "d0 = TRUE", 1);
        let names = names(n);
        let others = names.replace('c', "d");
        let text = format!(
            "MACHINE M CONSTANTS {names}, {others} PROPERTIES {numbers} & {truths} & c{n} = d{n} END"
        );
        assert_eq!(at_once(&text), ["type-mismatch"]);
        let open = numbers.replacen("c0 = 1 & ", "", 1);
        let text = format!("MACHINE M CONSTANTS {names} PROPERTIES {open} END");
        assert_eq!(at_once(&text), ["type-not-determined"]);
    }
}

/// A name takes part in a type that contains it.
#[test]
fn that_would_contain_themselves() {
    let n = LEVELS[1];
    let all = equations(n, "(@ |-> @)").join(" & ").replacen("c0 = 1", &format!("c0 = c{n}"), 1);
    let text = format!("MACHINE M CONSTANTS {} PROPERTIES {all} END", names(n));
    assert_eq!(at_once(&text), ["type-mismatch"]);
    assert!(rendered(&load(&text)).contains("this type would contain itself"));
}

/// What is large and within the bound is as good as any other type.
#[test]
fn within_the_bound() {
    for of in ["(@ |-> @)", "rec(a : @, b : @)", "{@} * {@}"] {
        let all = equations(7, of).join(" & ");
        let text = format!("MACHINE M CONSTANTS {} PROPERTIES {all} END", names(7));
        let loaded = load(&text);
        assert!(loaded.machine.is_some(), "{}", rendered(&loaded));
    }
}

#[test]
fn the_message_says_the_bound_and_the_place() {
    let all = equations(12, "(@ |-> @)").join(" &\n");
    let loaded = load(&format!("MACHINE M CONSTANTS\n{} PROPERTIES\n{all} END", names(12)));
    assert_eq!(found(&loaded), ["2:41 type-too-large"]);
    assert!(rendered(&loaded).contains("more than 2000 parts"), "{}", rendered(&loaded));
}

#[test]
fn free_types_have_their_names() {
    let loaded = load(
        "MACHINE M FREETYPES Tree = leaf, node(INTEGER)\nCONSTANTS c PROPERTIES\nc : Tree & c = 1 END",
    );
    assert_eq!(found(&loaded), ["3:16 type-mismatch"]);
    let text = rendered(&loaded);
    assert!(text.contains("expected Tree, found INTEGER"), "{text}");
    let loaded =
        load("MACHINE M FREETYPES A = a; Tree = leaf, node(INTEGER)\nASSERTIONS {leaf} = 1 END");
    let text = rendered(&loaded);
    assert!(text.contains("POW(Tree)"), "{text}");
}

/// A definition for the tool that is too large is ignored; another one beside it is not.
#[test]
fn a_goal_too_large_does_not_touch_the_scope() {
    let mut definitions = "D0 == v = 1".to_owned();
    for i in 1..=30 {
        definitions += &format!("; D{i} == (D{0} & D{0})", i - 1);
    }
    let loaded = load(&format!(
        "MACHINE M DEFINITIONS {definitions}; GOAL == D30; SCOPE == (v = 1 or v = 2)
         VARIABLES v INVARIANT v : 0..3 INITIALISATION v := 0 END"
    ));
    let machine = loaded.machine.as_ref().expect("a machine");
    assert!(machine.goal.is_none());
    let scope = machine.scope.as_ref().expect("a scope");
    assert!(matches!(&scope.kind, burnside::machine::PredKind::Or(parts) if parts.len() == 2));
    assert!(found(&loaded).iter().any(|d| d.ends_with("ill-typed-setting")));
}

/// What an error was reported of fits everything, also what it is a part of: no type contains itself by that.
#[test]
fn no_error_makes_a_type_that_contains_itself() {
    for formula in [
        "x + x = (x * x)~",
        "x / x = (x * x)~",
        "x < y & x * x /= x & x~ = y",
        "x < x => y * x = x >< y",
        "{iterate(x, x)} : (x ; x * x)",
        "x : {x |-> {}, 2} & 1 = x",
        "{z | x < z} = {y * {}, x * x}",
    ] {
        let machine =
            format!("MACHINE M VARIABLES x, y INVARIANT {formula} INITIALISATION x, y := 1, 1 END");
        let found = at_once(&machine);
        assert!(!found.is_empty(), "{formula}");
    }
}
