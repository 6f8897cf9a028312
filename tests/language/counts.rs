//! What is counted: states, set-ups and transitions, as ProB counts them.

use super::*;
use burnside::report::steps::StepText;
use burnside::search::{OnViolation, Strategy, SymmetryMode};

/// Without symmetry, and with one representative for each orbit.
const MODES: [SymmetryMode; 2] = [SymmetryMode::Off, SymmetryMode::Canon];

/// A complete search that goes on after findings.
#[track_caller]
fn whole(model: &Model, symmetry: SymmetryMode) -> Outcome {
    let options = SearchOptions {
        symmetry: Some(symmetry),
        on_violation: OnViolation::Expand,
        keep_going: true,
        ..SearchOptions::default()
    };
    let outcome = search::run(model, &options, &Arc::new(Control::new()));
    assert!(outcome.complete, "{:?}: {:?} {:?}", symmetry, outcome.verdict, outcome.bounds);
    outcome
}

/// Nodes (states, set-ups and the root) and transitions of a search without symmetry of states. What
/// every search says of the machine without any reduction is what a search without any counts.
#[track_caller]
fn counts(loaded: Loaded) -> (u64, u64) {
    let machine = Arc::new(loaded.machine.expect("loads"));
    let [reduced, plain] = [true, false].map(|static_symmetry| {
        let options = SetupOptions { static_symmetry, ..SetupOptions::default() };
        let model = setup::set_up(&machine, &options, None).expect("sets up");
        MODES.map(|mode| deep(|| whole(&model, mode)))
    });
    let all = [plain[0].states, plain[0].transitions].map(|n| Some(n.to_string()));
    for outcome in reduced.iter().chain(&plain) {
        let full = [&outcome.full_states, &outcome.full_transitions];
        assert_eq!(full.map(|n| n.as_ref().map(ToString::to_string)), all);
    }
    (reduced[0].nodes, reduced[0].transitions)
}

#[track_caller]
fn counts_of(text: &str) -> (u64, u64) {
    counts(normalise::load_text("test.mch", text))
}

#[test]
fn what_ends_in_an_error_is_no_transition() {
    // Of the three arguments one fails: 6 / 0.
    let text = "MACHINE Divides SETS D VARIABLES x, u INVARIANT x : 0..6 & u : D
        INITIALISATION x := 6 || u :: D
        OPERATIONS
          divide(n) = PRE n : 0..2 & x = 6 THEN x := 6 / n END;
          other(v) = PRE v : D & x = 3 THEN u := v || x := 6 / 0 END
        END";
    // D has two elements: each initial state goes to x = 6 and to x = 3; from there nothing.
    assert_eq!(counts_of(text), (1 + 4, 2 + 2 * 2));
}

#[test]
fn an_initialisation_that_fails_is_no_transition() {
    let text = "MACHINE Starts SETS D CONSTANTS f PROPERTIES f : D --> 0..1
        VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 6 / SIGMA(d).(d : D | f(d))
        OPERATIONS stay = BEGIN x := x END END";
    // Four set-ups; where no d gives 1 the initialisation fails, else one state stays as it is.
    assert_eq!(counts_of(text), (1 + 4 + 3, 4 + 3 + 3));
}

/// A machine with a variable that takes any value of D, from a first one.
fn any_of(first: &str, clauses: &str) -> String {
    format!(
        "MACHINE M SETS D {clauses} VARIABLES x INVARIANT x : D INITIALISATION x :: {first}
         OPERATIONS take(v) = PRE v : D THEN x := v END END"
    )
}

#[test]
fn where_all_constants_are_elements_setting_up_is_no_step() {
    // The root, both states; one initialisation, two arguments in each state.
    for clauses in [
        "CONSTANTS c PROPERTIES c : D",
        "CONSTANTS c, d PROPERTIES c : D & d : D & c /= d",
        "CONSTANTS c, d PROPERTIES D = {c, d} & c /= d",
    ] {
        assert_eq!(counts_of(&any_of("{c}", clauses)), (1 + 2, 1 + 4), "{clauses}");
    }
}

#[test]
fn what_is_left_of_the_constants_is_set_up() {
    // One set-up more.
    for clauses in [
        "CONSTANTS c, n PROPERTIES c : D & n = 3",
        "CONSTANTS c, f PROPERTIES c : D & f = %i.(i : NATURAL | i + 1)",
    ] {
        assert_eq!(counts_of(&any_of("{c}", clauses)), (2 + 2, 1 + 1 + 4), "{clauses}");
    }
    // PROPERTIES alone; not the size of a set.
    assert_eq!(counts_of(&any_of("D", "PROPERTIES card(D) = 2")), (2 + 2, 1 + 2 + 4));
    assert_eq!(counts_of(&any_of("D", "DEFINITIONS scope_D == 2")), (1 + 2, 2 + 4));
    // d may be c or another element: two set-ups, each with both states.
    let two = any_of("{c}", "CONSTANTS c, d PROPERTIES c : D & d : D");
    assert_eq!(counts_of(&two), (1 + 2 + 4, 2 + 2 + 8));
}

#[test]
fn constraints_of_what_is_included_are_set_up() {
    let included = |clause: &str| {
        let inner = format!(
            "MACHINE Inner(limit) {clause} VARIABLES n INVARIANT n : 0..2 INITIALISATION n := 0
             OPERATIONS up = PRE n < limit THEN n := n + 1 END END"
        );
        let main = "MACHINE Main EXTENDS Inner(2) END";
        let (_keep, main) = in_folder(&[("Main.mch", main), ("Inner.mch", &inner)]);
        counts(normalise::load_machine(&main))
    };
    assert_eq!(included("CONSTRAINTS limit : NATURAL"), (2 + 3, 1 + 1 + 2));
    // CONSTRAINTS of the main machine on its sets are none.
    let main = "MACHINE M(T) CONSTRAINTS card(T) = 2 VARIABLES x INVARIANT x : T
        INITIALISATION x :: T END";
    assert_eq!(counts_of(main), (1 + 2, 2));
}

#[test]
fn fields_of_members_give_names_their_values() {
    // Sets of six records: each leads to six by `put`, and to one for each of its members by `get`.
    let text = "MACHINE Mail SETS P = {a, b} VARIABLES m INVARIANT m <: struct(p : P, t : INTEGER)
        INITIALISATION m := {} OPERATIONS
          put(p, n) = SELECT p : P & n : 5..7 THEN m := m \\/ {rec(p : p, t : n)} END;
          get(p, n) = SELECT rec(t : n, p : p) : m THEN m := m - {rec(p : p, t : n)} END
        END";
    assert_eq!(counts_of(text), (1 + 64, 1 + 64 * 6 + 64 * 3));
    // An equation, with a field that is known.
    let text =
        "MACHINE First SETS P = {a, b} VARIABLES q INVARIANT q : seq(struct(p : P, t : INTEGER))
        INITIALISATION q := [rec(p : a, t : 70), rec(p : b, t : 7), rec(p : a, t : -8)] OPERATIONS
          next(n) = SELECT q /= [] & first(q) = rec(p : a, t : n) THEN q := tail(q) END
        END";
    assert_eq!(counts_of(text), (1 + 2, 1 + 1));
}

#[test]
fn tuples_of_a_table_give_names_their_values() {
    let text = "MACHINE Jumps SETS B = {p, q, r} CONSTANTS jumps
        PROPERTIES jumps = {p |-> q |-> r, q |-> r |-> p, r |-> q |-> p}
        VARIABLES pegs INVARIANT pegs <: B INITIALISATION pegs := {p, q} OPERATIONS
          jump(x, y, z) = SELECT x |-> y |-> z : jumps & x : pegs & y : pegs & z /: pegs THEN
            pegs := (pegs - {x, y}) \\/ {z} END
        END";
    // The set-up, and {p, q} and {r} after it.
    assert_eq!(counts_of(text), (1 + 1 + 2, 1 + 1 + 1));
}

#[test]
fn a_run_without_a_set_up_begins_with_the_initialisation() {
    let text = any_of("{c}", "CONSTANTS c PROPERTIES c : D").replace("x : D I", "x = c I");
    for mode in MODES {
        let options = SearchOptions { symmetry: Some(mode), ..SearchOptions::default() };
        let model = set_up(normalise::load_text("test.mch", &text)).expect("sets up");
        let outcome = deep(|| search::run(&model, &options, &Arc::new(Control::new())));
        let finding = outcome.finding.expect("a finding");
        let machine = &finding.instance.machine;
        let steps = finding.trace.steps.iter();
        let names: Vec<&str> = steps.map(|s| s.label.event.name(machine)).collect();
        assert_eq!(names, ["INITIALISATION", "take"], "{mode:?}");
    }
}

#[test]
fn states_outside_of_the_scope_do_not_count() {
    let text = "MACHINE Fills SETS D DEFINITIONS scope_D == 3; SCOPE == card(s) <= 1
        VARIABLES s INVARIANT s <: D INITIALISATION s := {}
        OPERATIONS add(v) = PRE v : D & v /: s THEN s := s \\/ {v} END END";
    let model = set_up(normalise::load_text("test.mch", text)).expect("sets up");
    let searched = |symmetry, strategy| {
        let options = SearchOptions {
            symmetry: Some(symmetry),
            strategy,
            deadlock: false,
            ..SearchOptions::default()
        };
        let outcome = deep(|| search::run(&model, &options, &Arc::new(Control::new())));
        assert_eq!((outcome.verdict, outcome.complete), (Verdict::NoneFound, false));
        (outcome.nodes, outcome.states, outcome.transitions)
    };
    for strategy in [Strategy::BreadthFirst, Strategy::DepthFirst, Strategy::Random] {
        // {} leads to three sets of one, each of these to two sets of two, which are outside.
        let all = (1 + 4, 4, 1 + 3 + 3 * 2);
        assert_eq!(searched(SymmetryMode::Off, strategy), all, "{strategy:?}");
        for mode in [SymmetryMode::Canon, SymmetryMode::Marker] {
            let one_of_each_size = (1 + 2, 2, 1 + 3 + 2);
            assert_eq!(searched(mode, strategy), one_of_each_size, "{mode:?} {strategy:?}");
        }
    }
    // The images are nodes of their own, each with its transitions.
    let flooded = searched(SymmetryMode::Flood, Strategy::BreadthFirst);
    assert_eq!((flooded.0, flooded.1), (1 + 4, 4));
}

#[test]
fn shown_choices_belong_to_the_label() {
    let machine = |definitions: &str, body: &str| {
        format!(
            "MACHINE M SETS D DEFINITIONS scope_D == 3{definitions} VARIABLES x, y INVARIANT x <: D & y : D
             INITIALISATION x := {{}} || y :: D
             OPERATIONS
               reset = {body};
               other = BEGIN skip END
             END"
        )
    };
    let shown = "; SET_PREF_SHOW_EVENTB_ANY_VALUES == TRUE";
    // Three states; each stays as it is, by three choices or by one.
    let any = "ANY d WHERE d : D THEN x := {} END";
    assert_eq!(counts_of(&machine("", any)), (1 + 3, 3 + 3 + 3));
    assert_eq!(counts_of(&machine(shown, any)), (1 + 3, 3 + 3 * 3 + 3));
    let off = shown.replace("TRUE", "FALSE");
    assert_eq!(counts_of(&machine(&off, any)), (1 + 3, 3 + 3 + 3));
    // Two at once, and one that has no value where d = y is asked for.
    let pairs = "ANY d, e WHERE d : D & e : D & d /= e & e = y THEN x := {} END";
    assert_eq!(counts_of(&machine(shown, pairs)), (1 + 3, 3 + 3 * 2 + 3));
    // Not the whole body.
    let below = format!("SELECT x = {{}} THEN {any} END");
    assert_eq!(counts_of(&machine(shown, &below)), (1 + 3, 3 + 3 + 3));
}

#[test]
fn shown_choices_are_arguments_in_traces() {
    let text = "MACHINE M DEFINITIONS SET_PREF_SHOW_EVENTB_ANY_VALUES == TRUE
        VARIABLES x INVARIANT x : 0..4 INITIALISATION x := 0
        OPERATIONS step(a) = ANY b WHERE a : 1..2 & b : 1..3 & a + b = 5 THEN x := a + b END END";
    let outcome = run_text(text).expect("sets up");
    let finding = outcome.finding.expect("a finding");
    let step = StepText::all(&finding.instance, &finding.trace).pop().expect("a step");
    assert_eq!(step.arguments, ["2", "3"]);
}

#[test]
fn who_calls_an_operation_with_choices_makes_them_as_before() {
    let inner = "MACHINE Inner VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0
        OPERATIONS choose = ANY d WHERE d : 1..3 THEN x := 0 END END";
    let main = "MACHINE Main EXTENDS Inner DEFINITIONS SET_PREF_SHOW_EVENTB_ANY_VALUES == TRUE
        OPERATIONS other(k) = PRE k : 1..2 THEN choose END END";
    let (_keep, main) = in_folder(&[("Main.mch", main), ("Inner.mch", inner)]);
    // One state: three choices, and two arguments.
    assert_eq!(counts(normalise::load_machine(&main)), (1 + 1, 1 + 3 + 2));
}

#[test]
fn points_of_functions_in_several_words_are_written_where_they_stand() {
    // Two bits for each of forty: `f` and what is written beside it share a word for some arguments only.
    let outcome = holds(
        "MACHINE T SETS S = {a, b, c} VARIABLES f, g, h
         INVARIANT f : 1..40 --> 0..2 & g : 0..40 & h : S & (g /= 0 => f |> {2} = {g |-> 2} & h = b)
         INITIALISATION f, g, h := (1..40) * {1}, 0, a
         OPERATIONS
           put(p) = PRE p : 1..40 & g = 0 THEN f(p) := 2 || h := b || g := p END;
           take = PRE g /= 0 THEN f(g) := 1 || g := 0 || h := a END
         END",
    );
    assert_eq!((outcome.states, outcome.transitions), (41, 1 + 40 + 40));
}

/// What is chosen is not told: equal outcomes of one instance are one transition, however they are found.
#[test]
fn choices_with_one_outcome_are_one_transition() {
    let with = |operations: &str| {
        format!(
            "MACHINE Chooses VARIABLES f, n, k INVARIANT f : 1..4 --> 0..2 & n : 0..3 & k : 0..1
             INITIALISATION f := %i.(i : 1..4 | 0) || n := 0 || k := 0
             OPERATIONS {operations}; tick = BEGIN k := 1 - k END END"
        )
    };
    // States: 3^4 functions reached by setting points, and both values of k; n stays 0.
    // Setting a point: of 4 * 3 choices those that change nothing are one outcome; there are 4 of them in each state.
    let set = "ANY i, v WHERE i : 1..4 & v : 0..2 THEN f(i) := v END";
    let states = 81 * 2;
    let each = 8 + 1;
    let counted = (states + 1, 1 + states * (each + 1));
    assert_eq!(counts_of(&with(&format!("set = {set}"))), counted);
    // The same below a condition, in two steps, and with a value of its own.
    for body in [
        "SELECT k < 2 THEN ANY i, v WHERE i : 1..4 & v : 0..2 THEN f(i) := v END END",
        "ANY i WHERE i : 1..4 THEN ANY v WHERE v : 0..2 THEN f := f <+ {i |-> v} END END",
        "ANY i WHERE i : 1..4 THEN SELECT k < 2 THEN ANY v WHERE v : 0..2 THEN f(i) := v END END END",
        "ANY i, j WHERE i : 1..4 & j : 0..5 THEN LET v BE v = j / 2 IN f(i) := v END END",
    ] {
        assert_eq!(counts_of(&with(&format!("set = {body}"))), counted, "{body}");
    }
    // With a parameter each argument has its own outcomes: 4 * 3.
    let counted = (states + 1, 1 + states * (12 + 1));
    let body = "PRE i : 1..4 THEN ANY v, w WHERE v : 0..2 & w : 0..1 THEN f(i) := v END END";
    assert_eq!(counts_of(&with(&format!("set(i) = {body}"))), counted);
    // What the choice does to a state depends on more than it reads: one outcome where f(i) is 0 already.
    let body = "ANY i WHERE i : 1..4 & k = 1 THEN f(i) := 0 END";
    let set = "ANY i WHERE i : 1..4 & k = 0 THEN f(i) := 1 END";
    let (nodes, transitions) = counts_of(&with(&format!("clear = {body}; set = {set}")));
    assert_eq!(nodes, 16 * 2 + 1);
    // In a state with m ones: to clear, m outcomes and one that changes nothing, unless m = 4; to set likewise.
    let ones = |m: u64| [1, 4, 6, 4, 1][m as usize];
    let clear: u64 = (0..=4).map(|m| ones(m) * (m + u64::from(m < 4))).sum();
    let set: u64 = (0..=4).map(|m| ones(m) * (4 - m + u64::from(m > 0))).sum();
    assert_eq!(transitions, 1 + clear + set + 32);
}

/// More outcomes than are merged at the end.
#[test]
fn many_choices_with_few_outcomes() {
    let text = "MACHINE Many VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0
        OPERATIONS go = ANY a, b WHERE a : 1..300 & b : 1..300 THEN x := (a + b) mod 10 END;
          put(y) = PRE y : 0..1 THEN ANY a WHERE a : 1..9000 THEN x := a mod 5 + 5 * y END END END";
    assert_eq!(counts_of(text), (10 + 1, 1 + 10 * (10 + 2 * 5)));
}

/// What is undefined in a choice is told as it is of a guard: with no outcome beside it.
#[test]
fn an_undefined_choice_is_an_error_of_the_operation() {
    let text = "MACHINE Undefined VARIABLES x, s INVARIANT x : 0..3 & s : seq(0..3)
        INITIALISATION x := 0 || s := []
        OPERATIONS go = ANY y WHERE y : 0..3 & last(s) = y THEN x := y END;
          next = SELECT x < 2 & size(s) < 2 THEN s := s <- 1 || x := x + 1 END END";
    let machine = Arc::new(normalise::load_text("test.mch", text).machine.expect("loads"));
    let model = setup::set_up(&machine, &SetupOptions::default(), None).expect("sets up");
    let outcome = deep(|| whole(&model, SymmetryMode::Off));
    assert_eq!(outcome.verdict, Verdict::StateError);
    // Where s is empty nothing is chosen; elsewhere x becomes 1, also once more.
    assert_eq!((outcome.states, outcome.transitions), (4, 1 + 2 + 2 + 1));
}
