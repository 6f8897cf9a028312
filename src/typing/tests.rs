//! Tests of the room as a whole, on small machines; and on the corpus, where it is at hand.

use super::*;
use crate::machine::{
    BinaryOp, Comparison, ExprKind, Fold, Pred, PredKind, SubstKind, Type, UnaryOp,
};
use crate::normalise::{load_machine, load_text, type_predicate};
use crate::syntax;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A machine with two sets, constants of many types, and these properties.
fn with_properties(constants: &str, properties: &str) -> String {
    format!("MACHINE M SETS S; T = {{t1, t2}} CONSTANTS {constants} PROPERTIES {properties} END")
}

fn load(text: &str) -> Machine {
    let loaded = load_text("M.mch", text);
    loaded
        .machine
        .unwrap_or_else(|| panic!("{text}\n{}", shown(&loaded.sources, &loaded.diagnostics)))
}

fn shown(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|d| d.render(sources)).collect()
}

/// The codes of the errors of a text.
fn errors(text: &str) -> Vec<&'static str> {
    let loaded = load_text("M.mch", text);
    assert_eq!(loaded.machine.is_none(), loaded.diagnostics.iter().any(Diagnostic::is_error));
    loaded.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect()
}

fn warnings(text: &str) -> Vec<&'static str> {
    let loaded = load_text("M.mch", text);
    assert!(loaded.machine.is_some(), "{}", shown(&loaded.sources, &loaded.diagnostics));
    loaded.diagnostics.iter().map(|d| d.code).collect()
}

/// The type of the constant `c` under these properties.
fn type_of(properties: &str) -> Type {
    let machine = load(&with_properties("c", properties));
    machine.constants[0].ty.clone()
}

fn set(n: u32) -> Type {
    Type::Set(crate::machine::SetId(n))
}

#[test]
fn full_unification() {
    let int = Type::Integer;
    assert_eq!(type_of("c /: 1..3"), int);
    assert_eq!(type_of("{c} <: NAT"), int);
    assert_eq!(type_of("c = {}  & c /= {TRUE}"), Type::pow(Type::Bool));
    assert_eq!(type_of("c : S"), set(0));
    assert_eq!(type_of("c : T & t1 = c"), set(1));
    assert_eq!(type_of("S = c"), Type::pow(set(0)));
    assert_eq!(type_of("c <: STRING"), Type::pow(Type::String));
    assert_eq!(type_of("c = [S]"), Type::sequence(Type::pow(set(0))));
    assert_eq!(type_of("[] = c & c = [] <- t1"), Type::sequence(set(1)));
    assert_eq!(
        type_of("c : S --> (T +-> BOOL)"),
        Type::relation(set(0), Type::relation(set(1), Type::Bool))
    );
    assert_eq!(type_of("c : seq(S)"), Type::sequence(set(0)));
    assert_eq!(type_of("c(1) = t1"), Type::relation(int.clone(), set(1)));
    assert_eq!(type_of("#x.(x = c & x : T)"), set(1));
}

#[test]
fn tuples_nest_to_the_left() {
    let left = Type::pair(Type::pair(Type::Integer, Type::Bool), set(1));
    let right = Type::pair(Type::Integer, Type::pair(Type::Bool, set(1)));
    assert_eq!(type_of("c = (1, TRUE, t1)"), left);
    assert_eq!(type_of("c = 1 |-> TRUE |-> t1"), left);
    assert_eq!(type_of("c = (1 |-> (TRUE |-> t1))"), right);
    assert_eq!(type_of("c = {x, y, z | x = 1 & y = TRUE & z = t1}"), Type::pow(left.clone()));
    assert_eq!(type_of("c : INTEGER * BOOL * T"), left);
    assert_eq!(
        type_of("c = %(x, y).(x : T & y : T | 1)"),
        Type::relation(Type::pair(set(1), set(1)), Type::Integer)
    );
}

#[test]
fn overloaded_operators_are_resolved_after_unification() {
    assert_eq!(type_of("c - {t1} = {} "), Type::pow(set(1)));
    assert_eq!(type_of("c - c = 0 "), Type::Integer);
    assert_eq!(type_of("c * c : POW(S * S)"), Type::pow(set(0)));
    assert_eq!(type_of("c * c = 4.0"), Type::Real);
    assert_eq!(type_of("c * T : POW(S * T)"), Type::pow(set(0)));
    assert_eq!(type_of("c + c = c"), Type::Integer);
    assert_eq!(type_of("c < 1.5"), Type::Real);
    assert_eq!(type_of("max({c}) = 1.0"), Type::Real);
    assert_eq!(type_of("c = SIGMA(x).(x : 1..3 | x * x)"), Type::Integer);
    assert_eq!(errors(&with_properties("c", "c - c = c")), ["type-not-determined"]);
    assert_eq!(errors(&with_properties("c, d", "c * d /= d * c")), ["type-not-determined"]);
    assert_eq!(errors(&with_properties("c", "c = TRUE - FALSE")), ["type-mismatch"]);
    assert_eq!(errors(&with_properties("c", "c = 1 + 1.0")), ["type-mismatch"]);
    assert_eq!(errors(&with_properties("c", r"c : INTEGER & c = {2} \ 1")), ["type-mismatch"]);
}

#[test]
fn overloading_leaves_the_right_operators() {
    let machine =
        load(&with_properties("a, b", "a = T - {t1} & b = T * T & 1.0 < -2.0 & max({1.0}) = 1.0"));
    let right = |i: usize| match &machine.properties[i].pred.kind {
        PredKind::Compare(_, _, r) => r.kind.clone(),
        other => panic!("{other:?}"),
    };
    assert!(matches!(right(0), ExprKind::Binary(BinaryOp::Difference, ..)));
    assert!(matches!(right(1), ExprKind::Binary(BinaryOp::Product, ..)));
    assert!(matches!(right(2), ExprKind::Unary(UnaryOp::NegateReal, ..)));
    assert!(matches!(
        &machine.properties[2].pred.kind,
        PredKind::Compare(Comparison::LessReal, ..)
    ));
    let PredKind::Compare(_, l, _) = &machine.properties[3].pred.kind else { panic!() };
    assert!(matches!(l.kind, ExprKind::Unary(UnaryOp::MaxReal, _)));
}

#[test]
fn records_are_structural_and_unordered() {
    let machine = load(&with_properties(
        "c, d",
        "c = rec(b : 1, a : t1) & d : struct(a : T, b : INTEGER) & c = d & d'b > 0",
    ));
    let expected = Type::Record([("a".into(), set(1)), ("b".into(), Type::Integer)].into());
    assert_eq!(machine.constants[0].ty, expected);
    let PredKind::Compare(_, field, _) = &machine.properties[3].pred.kind else { panic!() };
    assert!(matches!(field.kind, ExprKind::Field(_, 1)), "{field:?}");
    assert_eq!(type_of("!r.(r'x = c => r : struct(x : BOOL))"), Type::Bool);
    assert_eq!(errors(&with_properties("c", "c = rec(a : 1)'b")), ["type-mismatch"]);
    assert_eq!(
        errors(&with_properties("c", "c = rec(a : 1) & c = rec(a : 1, b : 2)")),
        ["type-mismatch"]
    );
}

#[test]
fn sequences_are_relations() {
    let s = Type::sequence(set(1));
    assert_eq!(type_of("c = [t1] <+ {1 |-> t2}"), s);
    assert_eq!(type_of("c = dom([t1])"), Type::pow(Type::Integer));
    assert_eq!(type_of("c = [t1]~"), Type::relation(set(1), Type::Integer));
    assert_eq!(type_of("c = [t1](1)"), set(1));
}

#[test]
fn predicates_and_booleans_are_two_things() {
    assert_eq!(errors(&with_properties("c", "c = TRUE & c")), ["expression-where-predicate"]);
    assert_eq!(errors(&with_properties("c", "c = (1 = 2)")), ["predicate-where-expression"]);
    assert_eq!(errors(&with_properties("c", "c = btrue")), ["predicate-where-expression"]);
    assert_eq!(type_of("c = bool(1 = 2)"), Type::Bool);
    let loaded = load_text("M", &with_properties("c", "c = TRUE & not(c)"));
    assert!(loaded.diagnostics[0].hint.as_ref().is_some_and(|h| h.contains("= TRUE")));
}

#[test]
fn elaboration_normalises() {
    let machine = load(&with_properties(
        "f, g, n",
        "f : S --> S & g = (f circ f) & n = succ(1) & !x.(x : S => f(x) = x)",
    ));
    assert_eq!(machine.properties.len(), 4);
    let PredKind::Compare(_, _, composed) = &machine.properties[1].pred.kind else { panic!() };
    assert!(matches!(composed.kind, ExprKind::Binary(BinaryOp::Compose, ..)));
    let PredKind::Compare(_, _, sum) = &machine.properties[2].pred.kind else { panic!() };
    assert!(matches!(sum.kind, ExprKind::Binary(BinaryOp::Add, ..)));
    let PredKind::Forall(_, p, q) = &machine.properties[3].pred.kind else { panic!() };
    assert!(matches!(p.kind, PredKind::Compare(Comparison::Member, ..)));
    assert!(matches!(q.kind, PredKind::Compare(Comparison::Equal, ..)));
    let machine = load(&with_properties("c", "c = succ[{1}]"));
    let PredKind::Compare(_, _, image) = &machine.properties[0].pred.kind else { panic!() };
    let ExprKind::Binary(BinaryOp::Image, f, _) = &image.kind else { panic!() };
    assert!(matches!(f.kind, ExprKind::Fold(Fold::Lambda, ..)));
}

#[test]
fn several_errors_and_no_cascades() {
    let text = with_properties(
        "a, b, c",
        "a = unknown + 1 & a = card(unknown) & b : TRUE & c = {1, TRUE} & b > missing",
    );
    assert_eq!(
        errors(&text),
        ["undeclared-identifier", "type-mismatch", "type-mismatch", "undeclared-identifier"]
    );
    let loaded = load_text("M", &with_properties("counter", "conuter = 1 & counter = 2"));
    assert_eq!(loaded.diagnostics.len(), 1);
    assert_eq!(loaded.diagnostics[0].hint.as_deref(), Some("did you mean `counter`?"));
}

#[test]
fn a_mismatch_says_what_was_expected_and_why() {
    let loaded = load_text("M", &with_properties("c", "c : POW(INTEGER) & TRUE : c"));
    let message = &loaded.diagnostics[0];
    assert_eq!(message.message, "expected POW(BOOL), found POW(INTEGER)");
    let texts: Vec<&str> = message.notes.iter().map(|n| loaded.sources.text(n.0)).collect();
    assert_eq!(texts, ["TRUE", "POW(INTEGER)"]);
}

#[test]
fn duplicates_are_errors() {
    assert_eq!(errors("MACHINE M SETS S = {a, b}; T = {a} END"), ["duplicate-declaration"]);
    assert_eq!(errors("MACHINE M OPERATIONS o = skip; o = skip END"), ["duplicate-operation"]);
    assert_eq!(errors(&with_properties("c", "c = 1 & #(x, x).(x = 1)")), ["duplicate-identifier"]);
}

/// A machine with the variables x, y : INTEGER, f : INTEGER +-> INTEGER, and this operation.
fn with_operation(operation: &str) -> String {
    format!(
        "MACHINE M SETS S = {{e}} CONSTANTS k PROPERTIES k = 1 VARIABLES x, y, f \
         INVARIANT x : INTEGER & y : INTEGER & f : INTEGER +-> INTEGER \
         INITIALISATION x, y, f := 0, 0, {{}} OPERATIONS {operation} END"
    )
}

#[test]
fn what_may_be_assigned() {
    for (operation, expected) in [
        ("o(p) = PRE p = 1 THEN p := 2 END", "assignment-to-parameter"),
        ("o = ANY z WHERE z = 1 THEN z := 2 END", "assignment-to-bound"),
        ("o = LET z BE z = 1 IN z := 2 END", "assignment-to-bound"),
        ("o = k := 2", "assignment-to-constant"),
        ("o = S := {}", "assignment-to-constant"),
        ("o = z := 2", "undeclared-identifier"),
        ("o = x := 1 || x := 2", "written-twice"),
        ("o = x, x := 1, 2", "written-twice"),
        ("o = f(1), f(2) := 1, 2", "written-twice"),
        ("o = x := 1 || IF y = 1 THEN y := 2 || x := 3 END", "written-twice"),
        ("o = x, y := 1", "assignment-arity"),
        ("o = x(1) := 1", "type-mismatch"),
        ("o = nothing(1)", "unknown-operation"),
        ("o = skip; p = o", "local-operation-call"),
        ("o = x := x$0", "previous-value"),
        ("o(p, p) = skip", "duplicate-identifier"),
        ("o(p) = skip", "type-not-determined"),
    ] {
        assert_eq!(errors(&with_operation(operation)), [expected], "{operation}");
    }
    for operation in [
        "r <-- o = BEGIN r := 1; x := r END",
        "o = VAR z IN z := 1; x := z END",
        "o = x, y := y, x",
        "o = f(x) := y || x := y",
        "o = x : (x > x$0 + y)",
        "o = x, y : (x + y = x$0)",
        "o = WHILE x > 0 DO x := x - 1 INVARIANT x <= x$0 VARIANT x END",
        "o = CASE x OF EITHER 1, 2 THEN y := 1 OR 3 THEN skip ELSE x := 1 END END",
    ] {
        load(&with_operation(operation));
    }
}

#[test]
fn becomes_such_that_reads_old_and_new() {
    let machine = load(&with_operation("o = x : (x = x$0 + y)"));
    let SubstKind::BecomesSuchThat(cells, p) = &machine.operations[0].body.kind else { panic!() };
    let PredKind::Compare(_, l, r) = &p.kind else { panic!() };
    assert_eq!(l.kind, ExprKind::Local(cells[0].1));
    let ExprKind::Binary(BinaryOp::Add, old, _) = &r.kind else { panic!() };
    assert_eq!(old.kind, ExprKind::Variable(crate::machine::VarId(0)));
}

#[test]
fn what_is_only_warned_of() {
    let mixed = |p: &str| warnings(&with_properties("c", p));
    assert_eq!(mixed("c = 1 or c = 2 & c = 3"), ["mixed-connectives"]);
    assert_eq!(mixed("c = 1 & c = 2 or c = 3"), ["mixed-connectives"]);
    assert!(mixed("(c = 1 or c = 2) & c = 3").is_empty());
    assert!(mixed("c = 1 & (c = 2 or (c = 3))").is_empty());
    assert_eq!(mixed("c = 1 & #t1.(t1 = c)"), ["shadowing"]);
    assert_eq!(mixed("c = 1 & !c.(c : NAT => c < 3)"), ["shadowing"]);
    let idle = with_operation("o = x := y || f := {}");
    assert_eq!(warnings(&idle), ["never-written"]);
    let half = "MACHINE M VARIABLES x, y INVARIANT x = 1 & y = 1 INITIALISATION x := 1 \
                OPERATIONS o = BEGIN x := 1 || y := 1 END END";
    assert_eq!(warnings(half), ["not-initialised"]);
    let unsaid = "MACHINE M VARIABLES x INITIALISATION x := 1 OPERATIONS o = x := 1 - x END";
    assert_eq!(warnings(unsaid), ["no-invariant"]);
    // Parameters are typed by their use, with or without a precondition.
    load(&with_operation("o(p) = x := p + 1"));
    load(&with_operation("o(p) = SELECT p : S THEN skip END"));
}

// ---- definitions

fn with_definitions(definitions: &str, properties: &str) -> String {
    format!(
        "MACHINE M DEFINITIONS {definitions} SETS S; T = {{t1, t2}} CONSTANTS c \
         PROPERTIES {properties} END"
    )
}

#[test]
fn definitions_expand_as_trees_and_are_typed_by_use() {
    let machine = load(&with_definitions("PLUS(x, y) == x + y", "c = PLUS(2, 3) * 10"));
    let PredKind::Compare(_, _, product) = &machine.properties[0].pred.kind else { panic!() };
    assert!(matches!(product.kind, ExprKind::Binary(BinaryOp::Multiply, ..)));
    load(&with_definitions("ONE(x) == {x}", "c = ONE(1) & ONE(TRUE) = {TRUE}"));
    load(&with_definitions("P(x) == Q(x) & x > 0; Q(x) == x < 9", "P(c)"));
    // An argument means what it means at the call, whatever the definition binds.
    let machine = load(&with_definitions("ABOVE(x) == #c.(c : 1..9 & c > x)", "c = 1 & ABOVE(c)"));
    let PredKind::Exists(_, body) = &machine.properties[1].pred.kind else { panic!() };
    let PredKind::Compare(_, _, right) = &body.conjuncts()[1].kind else { panic!() };
    assert!(matches!(right.kind, ExprKind::Constant(_)), "{right:?}");
    // A parameter that is bound stands for a name that the other arguments see.
    load(&with_definitions("SUM(x, A, E) == SIGMA(x).(x : A | E)", "c = SUM(k, 1..3, k * k)"));
    // The body sees parameters of the operation where it is used.
    load(
        "MACHINE M DEFINITIONS D == p : BOOL; set == x := bool(p = TRUE) VARIABLES x \
         INVARIANT x : BOOL INITIALISATION x := TRUE OPERATIONS o(p) = PRE D THEN set END END",
    );
}

#[test]
fn spans_of_definitions_are_those_of_the_use() {
    let text = with_definitions("BAD(x) == x + 1", "c = 1 & BAD(TRUE) = 2 & BAD(c) = BAD(t1)");
    let loaded = load_text("M", &text);
    let places: Vec<&str> =
        loaded.diagnostics.iter().filter_map(|d| d.span).map(|s| loaded.sources.text(s)).collect();
    assert_eq!(places, ["TRUE", "t1"]);
    let loaded = load_text("M", &with_definitions("BAD == TRUE + 1", "c = BAD"));
    let span = loaded.diagnostics[0].span.unwrap();
    assert_eq!(
        loaded.sources.place(span).column,
        loaded.sources.get(span.file).text.rfind("BAD").unwrap() + 1
    );
}

#[test]
fn wrong_definitions() {
    assert_eq!(errors(&with_definitions("D == D + 1", "c = 1")), ["recursive-definition"]);
    assert_eq!(
        errors(&with_definitions("D == E; E == F; F == {D}", "c = D")),
        ["recursive-definition"]
    );
    load(&with_definitions("D == {D | D : 1..3}", "c = D"));
    assert_eq!(errors(&with_definitions("D(x) == x", "c = D(1, 2)")), ["definition-arity"]);
    assert_eq!(errors(&with_definitions("D == skip", "c = D")), ["substitution-where-expression"]);
    assert_eq!(errors(&with_definitions("D == c > 1", "c = D")), ["predicate-where-expression"]);
    assert_eq!(
        warnings(&with_definitions("D == 1 + TRUE", "c = 1")),
        ["unused-definition-ill-typed"]
    );
    assert_eq!(
        warnings(&with_definitions("D(z) == z \\/ yy; F(x) == x + x", "c = 1")),
        ["unused-definition-ill-typed", "unused-definition"]
    );
    assert_eq!(warnings(&with_definitions("D == 1 +", "c = 1")), ["unused-definition-ill-typed"]);
    assert_eq!(errors(&with_definitions("D == 1 +", "c = D")).len(), 1);
}

#[test]
fn a_definition_may_be_a_choice() {
    let text = |definition: &str, use_: &str| {
        format!(
            "MACHINE M DEFINITIONS {definition} VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 \
             INITIALISATION x, y := 0, 0 OPERATIONS o = {use_} END"
        )
    };
    load(&text("D == x : (x : 0..1)", "BEGIN D; y := x END"));
    load(&text("D(n) == x, y : (x : 0..n & y = x)", "D(2)"));
    load(&text("D == x : (x = x$0 + 1 or x = 0)", "D || y := 1"));
    load(&text("D == x : (0..1)", "SELECT D THEN x, y := 1, 1 END"));
}

#[test]
fn what_tools_and_sets_use_is_used() {
    let text = "MACHINE M \
         DEFINITIONS elems == {e1, e2}; shown == x + 1; near == x; holds == x = 1; other == 2; \
           ANIMATION_FUNCTION == {(1, 1, shown)}; HEURISTIC_FUNCTION == near; \
           ASSERT_LTL == \"G {holds}\" \
         SETS S = elems VARIABLES x, s INVARIANT x : 0..1 & s : S INITIALISATION x := 0 || s := e1 \
         OPERATIONS o = BEGIN x := 1 - x; s := e2 END END";
    assert_eq!(warnings(text), ["unused-definition"]);
}

#[test]
fn bombs_end_with_an_error() {
    for twice in ["(D%, D%)", "D% + D%", "{D%} \\/ {D%}"] {
        let mut definitions = "D0 == 1".to_owned();
        for i in 1..=40 {
            let previous = (i - 1).to_string();
            definitions += &format!("; D{i} == {}", twice.replace('%', &previous));
        }
        let begin = Instant::now();
        assert_eq!(
            errors(&with_definitions(&definitions, "c = 1 & D40 = D40")),
            ["definition-too-large"]
        );
        let loaded = load_text("M", &with_definitions(&definitions, "c = 1"));
        assert!(loaded.machine.is_some());
        // In full it would take years; a machine busy with other things may be slow.
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    }
    let mut definitions = "D0(x) == x".to_owned();
    for i in 1..=40 {
        definitions += &format!("; D{i}(x) == D{0}(D{0}(x))", i - 1);
    }
    let found = errors(&with_definitions(&definitions, "c = D40(1)"));
    assert!(found == ["definition-too-large"] || found == ["nested-too-deeply"], "{found:?}");
}

#[test]
fn deep_input_is_refused_and_not_followed() {
    let mut definitions = "D0 == 1".to_owned();
    for i in 1..=20_000 {
        definitions += &format!("; D{i} == D{} + 1", i - 1);
    }
    assert_eq!(errors(&with_definitions(&definitions, "c = D20000")), ["nested-too-deeply"]);
    let nested = format!("c = {}1{}", "(".repeat(200), " + 1)".repeat(200));
    load(&with_definitions("D == 1", &nested));
    let implications = "c = 1".to_owned() + &" => c = 1".repeat(900);
    load(&with_definitions("D == 1", &implications));
    let many = "c = 1".to_owned() + &" & c = 1".repeat(20_000);
    assert_eq!(load(&with_definitions("D == 1", &many)).properties.len(), 20_001);
}

#[test]
fn types_do_not_explode() {
    let names: Vec<String> = (0..60).map(|i| format!("x{i}")).collect();
    let mut properties = "x0 = 1".to_owned();
    for i in 1..60 {
        properties += &format!(" & x{i} = (x{0}, x{0})", i - 1);
    }
    let begin = Instant::now();
    let found = errors(&with_properties(&names.join(", "), &properties));
    assert_eq!(found, ["type-too-large"]);
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    assert_eq!(errors(&with_properties("c", "c = {c}")), ["type-mismatch"]);
}

// ---- what speaks to the tool

#[test]
fn settings_are_read() {
    let text = "MACHINE M DEFINITIONS scope_S == 1..4; scope_U == 3; scope_Sx == 7; N == 2; \
        SET_PREF_MAXINT == N + 3; SET_PREF_CSE == TRUE; ASSERT_LTL1 == \"G {x = 1}\"; \
        GOAL == x = 2; VISB_X == nonsense + TRUE; FORCE_SYMMETRY_S == TRUE; ANIMATION_IMG1 == 1 + {} \
        SETS S; U; T = {t1} VARIABLES x INVARIANT x : NAT INITIALISATION x := 1 END";
    assert_eq!(warnings(text), ["misspelled-scope"]);
    let machine = load(text);
    let sizes: Vec<u64> = machine.scope_sizes.iter().map(|s| s.size).collect();
    assert_eq!(sizes, [4, 3]);
    let values: Vec<&str> = machine.preferences.iter().map(|p| &*p.value).collect();
    assert_eq!(values, ["5", "TRUE"]);
    assert_eq!(&*machine.temporal[0].1, "G {x = 1}");
    assert!(machine.goal.is_some());
    assert_eq!(machine.force_symmetry.len(), 1);
    let bad = "MACHINE M DEFINITIONS GOAL == x + 1 VARIABLES x INVARIANT x : NAT INITIALISATION x := 1 END";
    assert_eq!(warnings(bad), ["ill-typed-setting"]);
}

fn parse(text: &str) -> syntax::ast::Node {
    let mut sources = Sources::new();
    let id = sources.add("goal", text);
    syntax::parse_formula(&sources, id).unwrap()
}

fn stand_alone_pred(loaded: &Loaded, text: &str) -> Result<Pred, Vec<&'static str>> {
    let elements = [vec!["S1".into(), "S2".into()]];
    let machine = loaded.machine.as_ref().expect("it loads");
    let definitions = loaded.definitions.clone();
    type_predicate(machine, &elements, &Formula { node: parse(text), definitions })
        .map(|s| s.pred)
        .map_err(|list| list.iter().map(|d| d.code).collect())
}

#[test]
fn typed_in_predicates_see_elements_and_definitions() {
    let text = with_definitions("GOAL == c = S; BIG(x) == card(x) > 1", "c <: S");
    let loaded = load_text("M.mch", &text);
    let goal = stand_alone_pred(&loaded, "GOAL & BIG(c) & S1 : c & !x.(x : c => x /= S2)").unwrap();
    assert_eq!(goal.conjuncts().len(), 4);
    let PredKind::Compare(_, element, _) = &goal.conjuncts()[2].kind else { panic!() };
    assert_eq!(element.kind, ExprKind::Element(crate::machine::SetId(0), 0));
    assert_eq!(stand_alone_pred(&loaded, "S3 : c"), Err(vec!["undeclared-identifier"]));
    assert_eq!(stand_alone_pred(&loaded, "c = 1"), Err(vec!["type-mismatch"]));
    assert_eq!(stand_alone_pred(&loaded, "#x.(x = x)"), Err(vec!["type-not-determined"]));
    assert_eq!(stand_alone_pred(&loaded, "card(c)"), Err(vec!["expression-where-predicate"]));
}

// ---- several files

fn files(list: &[(&str, &str)]) -> (tempfile::TempDir, Loaded) {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in list {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let loaded = load_machine(&directory.path().join(list[0].0));
    (directory, loaded)
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.diagnostics.iter().map(|d| d.code).collect()
}

const COUNTER: &str = "MACHINE Counter(top) CONSTRAINTS top : NAT SETS MODE = {on, off} \
    CONSTANTS step PROPERTIES step = 1 VARIABLES n INVARIANT n : 0..top INITIALISATION n := 0 \
    OPERATIONS inc = SELECT n < top THEN n := n + step END; r <-- get = r := n END";

#[test]
fn instances_are_renamed_and_share_sets() {
    let main = "MACHINE Main INCLUDES a.Counter(3), b.Counter(lim) PROMOTES a.inc CONSTANTS lim \
        PROPERTIES lim = 5 VARIABLES m INVARIANT m : MODE & a.n <= 3 INITIALISATION m := on \
        OPERATIONS both = BEGIN a.inc || b.inc || m := off END END";
    let (_keep, loaded) = files(&[("Main.mch", main), ("Counter.mch", COUNTER)]);
    let machine =
        loaded.machine.unwrap_or_else(|| panic!("{}", shown(&loaded.sources, &loaded.diagnostics)));
    let names = |list: &[crate::machine::Global]| -> Vec<String> {
        list.iter().map(|g| g.name.to_string()).collect()
    };
    assert_eq!(names(&machine.variables), ["m", "a.n", "b.n"]);
    assert_eq!(names(&machine.constants), ["lim", "step"]);
    assert_eq!(machine.sets.len(), 1);
    let visible: Vec<&str> =
        machine.operations.iter().filter(|o| o.visible).map(|o| &*o.name).collect();
    assert_eq!(visible, ["a.inc", "both"]);
    assert_eq!(machine.properties.len(), 4, "two constraints, lim, and step once");
    assert!(
        matches!(machine.initialisation.unwrap().kind, SubstKind::Sequence(list) if list.len() == 3)
    );
}

#[test]
fn errors_between_machines() {
    let counter = ("Counter.mch", COUNTER);
    for (main, expected) in [
        ("MACHINE Main INCLUDES Nothing END", "file-not-found"),
        ("MACHINE Main INCLUDES Counter(1) PROMOTES dec END", "unknown-operation"),
        ("MACHINE Main INCLUDES Counter END", "machine-arity"),
        ("MACHINE Main EXTENDS Counter(1) OPERATIONS inc = skip END", "duplicate-operation"),
        ("MACHINE Main INCLUDES Counter(1) OPERATIONS o = n := 1 END", "assignment-to-included"),
        ("MACHINE Main SEES Counter OPERATIONS o = n := 1 END", "assignment-to-seen"),
        ("MACHINE Main INCLUDES Counter(1) OPERATIONS o = get END", "operation-arity"),
        ("MACHINE Main INCLUDES Counter(1) OPERATIONS o = inc || inc END", "written-twice"),
        ("MACHINE Main SEES Main END", "include-cycle"),
    ] {
        let (_keep, loaded) = files(&[("Main.mch", main), counter]);
        let found = codes(&loaded);
        assert_eq!(found, [expected], "{main}");
    }
}

#[test]
fn files_of_definitions() {
    let main = "MACHINE M DEFINITIONS \"a.def\"; E == D + 1 CONSTANTS c PROPERTIES c = E END";
    let (_keep, loaded) = files(&[("M.mch", main), ("a.def", "DEFINITIONS D == 1")]);
    assert!(loaded.machine.is_some(), "{}", shown(&loaded.sources, &loaded.diagnostics));
    let (_keep, loaded) = files(&[
        ("M.mch", main),
        ("a.def", "DEFINITIONS \"b.def\""),
        ("b.def", "DEFINITIONS \"a.def\""),
    ]);
    assert!(codes(&loaded).contains(&"include-cycle"), "{:?}", codes(&loaded));
    let (_keep, loaded) = files(&[("M.mch", main)]);
    assert!(codes(&loaded).contains(&"file-not-found"), "{:?}", codes(&loaded));
}

#[test]
fn refinements_drop_what_links_them() {
    let main = "REFINEMENT R REFINES A VARIABLES x, z INVARIANT z = x + y & z = y & x : NAT \
        INITIALISATION x := 0; z := 0 OPERATIONS o = z := 1 END";
    let abstraction = "MACHINE A SETS S VARIABLES x, y INVARIANT x : NAT & y : NAT \
        INITIALISATION x, y := 0, 0 OPERATIONS o = skip END";
    let (_keep, loaded) = files(&[("R.ref", main), ("A.mch", abstraction)]);
    let machine =
        loaded.machine.unwrap_or_else(|| panic!("{}", shown(&loaded.sources, &loaded.diagnostics)));
    assert_eq!(machine.invariant.len(), 1);
    assert_eq!(machine.variables.len(), 2);
    assert_eq!(machine.variables[1].ty, Type::Integer);
}

// ---- the corpus

fn corpus() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let further = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let found = [beside, further].into_iter().find(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: there is no corpus beside this project");
    }
    found
}

#[test]
fn corpus_errors_are_of_the_right_kind() {
    let Some(corpus) = corpus() else { return };
    let kinds = [
        ("RecursiveDefinition.mch", "recursive-definition"),
        ("ParseErrors/LexerStringError.mch", "unterminated-string"),
        ("ParseErrors/ID_not_declared.mch", "undeclared-identifier"),
        ("CstDefError1.mch", "type-not-determined"),
        ("DuplicateEnumeratedSetElement.mch", "duplicate-declaration"),
        ("TypeError1.mch", "type-mismatch"),
        ("TypeError3.mch", "type-mismatch"),
        ("StringTypeError.mch", "type-mismatch"),
        ("TwoOpsSameName.mch", "duplicate-operation"),
        ("UnknownPromotedOp.mch", "unknown-operation"),
        ("AssignmentToParameterErr.mch", "assignment-to-parameter"),
        ("MultiAssignInit_bug.mch", "written-twice"),
        ("IllegalSeesIncludes/CyclicM1.mch", "include-cycle"),
        ("TestScopeLHSAssignmentLET.mch", "assignment-to-bound"),
    ];
    let table = std::fs::read_to_string(corpus.join("errors/errors.csv")).unwrap();
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let mut cells = row.splitn(3, ',');
        let (Some(path), Some(stage)) = (cells.next(), cells.next()) else { continue };
        let loaded = load_machine(&corpus.join("errors").join(path));
        let found = codes(&loaded);
        rows += 1;
        match stage {
            "load" => {
                let kind = kinds.iter().find(|(name, _)| *name == path).expect(path).1;
                assert!(loaded.machine.is_none() && found.contains(&kind), "{path}: {found:?}");
                assert!(loaded.diagnostics.iter().all(|d| d.span.is_some()), "{path}");
            }
            _ => {
                assert!(loaded.machine.is_some(), "{path}: {found:?}");
                assert_eq!(stage == "warn", !found.is_empty(), "{path}: {found:?}");
            }
        }
    }
    assert!(rows > 20);
}

#[test]
fn corpus_machines_load() {
    let Some(corpus) = corpus() else { return };
    let table = std::fs::read_to_string(corpus.join("expected.csv")).unwrap();
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let path = corpus.join("models").join(row.split(',').next().unwrap_or(""));
        let loaded = load_machine(&path);
        let text = shown(&loaded.sources, &loaded.diagnostics);
        assert!(loaded.machine.is_some(), "{}\n{text}", path.display());
        rows += 1;
    }
    assert!(rows > 50);
}

#[test]
fn large_machines_take_time_in_proportion() {
    let n = 3_000;
    let list = |f: &dyn Fn(usize) -> String, by: &str| (0..n).map(f).collect::<Vec<_>>().join(by);
    let text = format!(
        "MACHINE M VARIABLES {} INVARIANT {} INITIALISATION {} OPERATIONS {} END",
        list(&|i| format!("v{i}"), ", "),
        list(&|i| format!("v{i} : NAT"), " & "),
        list(&|i| format!("v{i} := {i}"), " || "),
        list(&|i| format!("o{i}(p) = PRE p : 1..v{i} THEN v{i} := v{i} - p END"), "; "),
    );
    let begin = Instant::now();
    assert_eq!(load(&text).operations.len(), n);
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn nothing_panics_on_broken_texts() {
    let text = with_operation(
        "o(p) = PRE p : 1..3 & !z.(z : S => z = e) THEN f(p)(2)'a := %x.(x : NAT | x - 1)(p) || \
         ANY q WHERE q = rec(a : 1)'a THEN y :: {q} END END; r <-- g = x, r : (x$0 > r)",
    );
    let ends: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    for (i, &end) in ends.iter().enumerate() {
        let cut = format!("{} END", &text[..end]);
        assert_eq!(load_text("M", &cut).machine.is_none(), !errors(&cut).is_empty());
        let start = ends[i / 2];
        let hole = format!("{}{}", &text[..start], &text[end..]);
        load_text("M", &hole);
    }
}
