//! Clauses and substitutions that few machines have.

use super::*;
use burnside::report::bounds;

#[test]
fn free_types() {
    let outcome = holds(
        "MACHINE M
         FREETYPES Tree = Leaf, Node(Tree * Tree); Shape = Point, Disc(1..3), Box(NATURAL * NATURAL)
         VARIABLES t, s
         INVARIANT t : Tree & s : Shape
         INITIALISATION t := Leaf || s := Point
         OPERATIONS
           grow = PRE t = Leaf THEN t := Node(t |-> t) END;
           shrink = PRE t : ran(Node) THEN t := prj1(Node~(t)) END;
           disc(r) = PRE r : 2..3 THEN s := Disc(r) END;
           area <-- measure = IF s : ran(Disc) THEN area := Disc~(s) ELSE area := 0 END
         ASSERTIONS
           Node(Leaf, Leaf) /= Leaf; Node(Leaf, Leaf) = Node(Leaf |-> Leaf); Disc(1) /= Disc(2);
           Disc~(Disc(2)) = 2; Point /: ran(Disc); Disc(3) : dom(Disc~); {Leaf} <: Tree;
           card({Leaf, Node(Leaf, Leaf), Leaf}) = 2
         END",
    );
    assert_eq!(outcome.states, 6);
}

#[test]
fn free_types_taken_apart_wrongly() {
    let wrong = |value: &str| {
        let text = format!(
            "MACHINE M FREETYPES T = A, B(1..3), C(INTEGER)
             VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
             OPERATIONS o = BEGIN x := {value} END END"
        );
        run_text(&text).map(|o| o.verdict)
    };
    assert_eq!(wrong("B~(A)"), Ok(Verdict::StateError));
    assert_eq!(wrong("B~(C(1))"), Ok(Verdict::StateError));
    assert_eq!(wrong("B~(B(4))"), Ok(Verdict::StateError));
    assert_eq!(wrong("B~(B(3))"), Ok(Verdict::Ok));
    let wrong_type = "MACHINE M FREETYPES T = A, B(INTEGER) ASSERTIONS B(TRUE) = A END";
    assert_eq!(refused(wrong_type), ["type-mismatch"]);
}

#[test]
fn free_types_are_enumerated_to_a_depth_and_it_is_said() {
    let text = "MACHINE M FREETYPES T = A, S(T)
        VARIABLES x INVARIANT x : T INITIALISATION x :: T END";
    let outcome = run_text(text).expect("loads");
    assert_eq!(outcome.states, 3);
    assert!(!outcome.complete && !outcome.bounds.is_empty());
}

#[test]
fn elements_inside_free_types_are_not_interchangeable() {
    let text = "MACHINE M SETS S FREETYPES T = A, B(S)
        VARIABLES x INVARIANT x : T INITIALISATION x := A
        OPERATIONS o(s) = PRE s : S THEN x := B(s) END END";
    let model = set_up(normalise::load_text("test.mch", text)).expect("loads");
    assert!(!model.sets[0].symmetric);
    assert_eq!(deep(|| search_model(&model)).states, 3);
}

#[test]
fn implementations() {
    let text = "IMPLEMENTATION I REFINES M
         CONCRETE_CONSTANTS c VALUES c = 5
         CONCRETE_VARIABLES x INVARIANT x : 0..20
         INITIALISATION x := 0
         LOCAL_OPERATIONS
           add(n) = PRE n : 0..20 THEN x :: 0..20 END
         OPERATIONS
           add(n) = BEGIN x := x + n END;
           o = IF x < 10 THEN add(c) END
         END";
    let folder = std::env::temp_dir().join(format!("burnside-{}-imp", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder");
    let machine = "MACHINE M CONCRETE_VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
         OPERATIONS o = x :: INTEGER END";
    std::fs::write(folder.join("M.mch"), machine).expect("file");
    std::fs::write(folder.join("I.imp"), text).expect("file");
    let outcome = run_file(&folder.join("I.imp"));
    std::fs::remove_dir_all(&folder).expect("removed");
    let outcome = outcome.unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 3), "{outcome:?}");
}

#[test]
fn clauses_about_refined_machines_are_ignored_aloud() {
    let text = "MACHINE M VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0
        OPERATIONS o = WITNESS abstract = x THEN x := 1 - x END END";
    let loaded = normalise::load_text("test.mch", text);
    assert!(loaded.diagnostics.iter().any(|d| d.code == "clause-ignored"));
    assert_eq!(holds(text).states, 2);
}

#[test]
fn named_expressions_and_predicates() {
    all_hold(
        "EXPRESSIONS twice(x) == 2 * x PREDICATES even(x) == x mod 2 = 0",
        &["twice(3) = 6", "even(twice(5)) & not(even(3))", "[y := 4](even(y))"],
    );
}

/// A misspelled preference is told; those of other tools are accepted.
#[test]
fn preferences_that_do_not_exist() {
    let warned = |name: &str| -> Vec<String> {
        let text = format!("MACHINE M DEFINITIONS SET_PREF_{name} == 5 ASSERTIONS 1 = 1 END");
        let model = set_up(normalise::load_text("test.mch", &text)).expect("a model");
        model.warnings.iter().map(|w| format!("{}: {}", w.code, w.message)).collect()
    };
    for (name, close) in [("MAXIMT", "MAXINT"), ("maxint", "MAXINT"), ("CLPDF", "CLPFD")] {
        let wanted =
            format!("preference-ignored: there is no preference {name}: did you mean {close}?");
        assert_eq!(warned(name), [wanted]);
    }
    assert_eq!(
        warned("SOMETHING_ELSE"),
        ["preference-ignored: there is no preference SOMETHING_ELSE"]
    );
    for name in ["MAXINT", "CLPFD", "TIME_OUT", "KODKOD_SYMMETRY", "TK_CUSTOM_STATE_VIEW_PADDING"] {
        assert_eq!(warned(name), [""; 0], "{name}");
    }
    // On the command line it is an error.
    let machine = normalise::load_text("test.mch", "MACHINE M END").machine.expect("a machine");
    let preferences = vec![("MAXIMT".to_owned(), "5".to_owned())];
    let options = SetupOptions { preferences, ..SetupOptions::default() };
    let wrong = setup::set_up(&Arc::new(machine), &options, None).err().expect("an error");
    assert!(wrong[0].message.contains("did you mean MAXINT?"), "{}", wrong[0].message);
}

/// Operations of the same machine call each other where the preference allows it, in any order of their
/// declaration; in a circle they do not.
#[test]
fn operations_call_others_of_the_same_machine_where_that_is_allowed() {
    let text = "MACHINE M DEFINITIONS SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE
        VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0
        OPERATIONS
          twice = BEGIN once; once END;
          once = SELECT v < 5 THEN VAR n IN n <-- next(v); v := n END END;
          r <-- next(x) = PRE x : 0..4 THEN r := x + 1 END
        END";
    let outcome = holds(text);
    // 0 to 5; five numbers for `next` in each, `once` below 5 and `twice` below 4.
    assert_eq!((outcome.states, outcome.transitions), (6, 1 + 6 * 5 + 5 + 4));
    for (from, to) in [(" == TRUE", " == FALSE"), ("r := x + 1", "r <-- next(x)")] {
        let loaded = normalise::load_text("test.mch", &text.replace(from, to));
        assert_eq!(errors(&loaded)[0].code, "local-operation-call");
    }
}

/// A bijection with a product says how many elements a set has, if the sizes of the parts are known.
#[test]
fn products_size_sets() {
    let sizes = |sets: &str, constants: &str, properties: &str| {
        let text =
            format!("MACHINE M SETS {sets} CONSTANTS {constants} PROPERTIES {properties} END");
        let model =
            set_up(normalise::load_text("test.mch", &text)).unwrap_or_else(|e| panic!("{e}"));
        let sizes = model.sets.iter().map(|s| format!("{}={} {}", s.name, s.size, s.source.name()));
        sizes.collect::<Vec<_>>().join(", ")
    };
    let pairs = sizes("S; T", "f", "f : S * S >->> T");
    assert_eq!(pairs, "S=2 default, T=4 properties");
    let mixed = sizes("T; E = {a, b, c}", "f", "f : T >->> E * BOOL * (1..2)");
    assert_eq!(mixed, "T=12 properties");
    // One product within another.
    let nested = sizes("S; T; U", "f, g", "f : U >->> T * S & g : T >->> S * BOOL & card(S) = 3");
    assert_eq!(nested, "S=3 properties, T=6 properties, U=18 properties");
    // A set is not as large as its pairs are many, and what is infinite sizes nothing.
    assert_eq!(sizes("S", "f", "f : S * S +->> S"), "S=2 default");
    assert_eq!(sizes("S", "f", "f : S >->> S * S or 1 = 1"), "S=2 default");
    assert_eq!(sizes("S; T", "f, n", "n = 0 & f : S * (1..n) +-> T"), "S=2 default, T=2 default");
}

/// What is said of several sizes at a time holds of those that are taken. One that the others leave no choice
/// is known; all others are open.
#[test]
fn sizes_meet_what_is_said_of_several() {
    let known = |n: u32| format!("S={n} properties");
    let nearest = |n: u32| format!("S={n} least");
    for (sets, properties, expected) in [
        ("S", "card(S) = max({1, 3}) & k = 0", known(3)),
        ("S", "card(POW(S)) = 8 & k = 0", known(3)),
        ("S", "k : 3..3 & card(S) = k", known(3)),
        ("S", "k = 2 * card(S) & k + 1 = 7", known(3)),
        ("S", "3 + card(S) = 8 & k = 0", known(5)),
        ("S", "card(S) * card(S) = 16 & k = 0", known(4)),
        ("S", "card(S) : {4, 7} & card(S) /= 7 & k = 0", known(4)),
        ("S", "card(S) = 5 or card(S) = 6 & k = 0", nearest(5)),
        ("S", "not(card(S) <= 2) & k = 0", nearest(3)),
        ("S", "not(card(S) = 2 or card(S) : 3..4) & k = 0", nearest(5)),
        ("S", "card(S) mod 5 = 0 & k = 0", nearest(5)),
        // The next one is 257: too far to be tried, but not refuted.
        ("S", "card(S) mod 250 = 7 & k = 0", nearest(7)),
        ("S", "card(S) mod 2 = 1 & card(S) <= 2 & k = 0", known(1)),
        ("S", "card(S) mod 2 = 1 & card(S) <= 3 & k = 0", nearest(3)),
        ("S", "a : perm(S) & size(a) = 4", known(4)),
        ("S", "[x, y, z] : perm(S)", known(3)),
        ("S", "[x, y, z] : iseq(S)", nearest(3)),
        ("S; E = {e1, e2, e3}", "f : E >-> S", nearest(3)),
        ("S; E = {e1, e2, e3}", "f : S -->> E", nearest(3)),
        ("S; E = {e1, e2, e3}", "f : S +->> E", nearest(3)),
        ("S; E = {e1, e2}", "f : E * BOOL >-> S", nearest(4)),
        ("S; E = {e1}", "f : S >-> E", known(1)),
        ("S; E = {e1, e2}", "f : S >->> POW(E)", known(4)),
        ("S; E = {e1, e2}", "f : S >->> (E --> 1..3)", known(9)),
        ("S; E = {e1, e2}", "f : POW1(E * BOOL) >->> S", known(15)),
        ("S; E = {e1, e2}", "card(S) = card(E) + 1 & f = 0", known(3)),
        ("S; T", "card(T) = card(S) + 1 & k = 0", "S=2 default, T=3 properties".into()),
        ("S; T", "card(S) = card(T) + 1 & k = 0", "S=3 properties, T=2 default".into()),
        ("S; T", "card(T) - card(S) = 1 & k = 0", "S=2 default, T=3 properties".into()),
        ("S; T", "2 * card(T) = 3 * card(S) & k = 0", "S=2 default, T=3 properties".into()),
        ("S; T", "3 * card(T) = 2 * card(S) & k = 0", "S=3 least, T=2 properties".into()),
        ("S; T", "card(S) + card(T) = 9 & k = 0", "S=2 default, T=7 properties".into()),
        ("S; T", "f : S >-> T & card(S) = 4", "S=4 properties, T=4 least".into()),
        (
            "S; T; U",
            "f : S >->> T * U & card(T) > card(U)",
            "S=2 properties, T=2 default, U=1 properties".into(),
        ),
        // What holds in no way leaves what each is by itself, and the PROPERTIES without a solution.
        ("S", "card(S) = 3 & card(S) = 4 & k = 0", known(3)),
        // No sizes are told by what need not hold, or by what is not only about sizes.
        ("S; E = {e1, e2, e3}", "f : E >-> S or 1 = 1", "S=2 default".into()),
        ("S; E = {e1, e2, e3}", "not(f : E >-> S)", "S=2 default".into()),
        ("S", "f : 1..3 +-> S & card(f) < card(S)", "S=2 default".into()),
    ] {
        let names: Vec<&str> = ["a", "f", "k", "x", "y", "z"]
            .into_iter()
            .filter(|name| properties.split(|c: char| !c.is_alphanumeric()).any(|w| w == *name))
            .collect();
        let text = format!(
            "MACHINE M SETS {sets} CONSTANTS {} PROPERTIES {properties} END",
            names.join(", ")
        );
        let loaded = normalise::load_text("test.mch", &text);
        let model = set_up(loaded).unwrap_or_else(|e| panic!("{properties}: {e}"));
        let sizes = model.sets.iter().map(|s| format!("{}={} {}", s.name, s.size, s.source.name()));
        assert_eq!(sizes.collect::<Vec<_>>().join(", "), expected, "{properties}");
    }
}

/// Deferred sets are as large as their parts, and as what has to find room in them.
#[test]
fn sizes_of_deferred_sets_follow_from_their_parts() {
    for (properties, expected) in [
        ("S = a \\/ b & a /\\ b = {} & card(a) = 3 & card(b) = 4", 7),
        ("b /\\ a = {} & a \\/ b = S & 5 = card(b) & a = {x} & x : S", 6),
        ("@partition(S, a, b) & card(a) = 1 & a /= {} & card(b) = 2 + 2", 5),
        ("S = a \\/ b & a /\\ b = {} & a /= {} & b : POW1(S) & c <: b & card(c) > 4", 6),
        ("a <: S & card(a) >= 3 & b <: a & b /= {}", 3),
        ("f : 1..4 >-> S & a = {} & b = {}", 4),
        ("f : 1..4 >->> a & b <: S & a <: b", 4),
        ("a /\\ b = {} & card(b) = 2 & card(a) > 2", 5),
        // They may overlap: nothing follows.
        ("S = a \\/ b & card(a) = 2 & card(b) = 2", 2),
        ("S = a \\/ b & a /\\ b = {} & card(a) <= 7 & card(b) = 0", 2),
    ] {
        let text = format!(
            "MACHINE M SETS S CONSTANTS a, b, c, x, f PROPERTIES a <: S & b <: S & c <: S & x : S &
             f : INTEGER <-> S & {properties} END"
        );
        let model = set_up(normalise::load_text("test.mch", &text)).expect("a model");
        assert_eq!(model.sets[0].size, expected, "{properties}");
    }
}

#[test]
fn a_parameter_that_is_used_as_a_set_is_one() {
    let text = "MACHINE Buffer(Item, limit) CONSTRAINTS limit : 1..2
        VARIABLES b INVARIANT b : seq(Item) INITIALISATION b := []
        OPERATIONS put(e) = PRE e : Item & size(b) < limit THEN b := b <- e END END";
    let loaded = normalise::load_text("test.mch", text);
    let codes: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["set-by-use"]);
    let model = set_up(loaded).expect("loads");
    assert_eq!(model.sets.iter().map(|s| (&*s.name, s.size)).collect::<Vec<_>>(), [("Item", 2)]);
    // Words of at most one letter, then of at most two: one of each kind.
    assert_eq!(holds(text).states, 2 + 4);
    // What is typed by more than its use stays a constant.
    let number = "MACHINE M(some) CONSTRAINTS some <: 1..2 VARIABLES x INVARIANT x : 0..2
        INITIALISATION x := 0 OPERATIONS o = ANY y WHERE y : some THEN x := y END END";
    assert_eq!(normalise::load_text("test.mch", number).machine.expect("loads").sets.len(), 0);
}

/// Where the machine allows it, parts that go on at the same time may write one variable: what they write
/// is put together, and where it contradicts itself there is no such step.
#[test]
fn simultaneous_assignments_are_put_together() {
    let machine = |body: &str| {
        format!(
            "MACHINE M DEFINITIONS SET_PREF_ALLOW_SIMULTANEOUS_ASSIGNMENTS == TRUE
             VARIABLES x, f INVARIANT x : 0..9 & f : 0..9 +-> 0..9
             INITIALISATION x := 0 || f := {{0 |-> 0}}
             OPERATIONS o = {body} END"
        )
    };
    let states = |body: &str| run_text(&machine(body)).expect("runs").states;
    // All states with the first one; one alone: the operation is never enabled.
    for (body, expected) in [
        ("IF x = 0 THEN x := 1 END || IF x = 1 THEN x := 2 END", 3),
        ("BEGIN x := 1 || x := 2 END", 1),
        ("BEGIN x := 1 || x := 1 END", 2),
        ("BEGIN x := 1 || x := 1 || x := 2 END", 1),
        ("BEGIN x :: {1, 2} || x :: {2, 3} END", 2),
        ("BEGIN x :: {1, 2, 3} || x :: {2, 3} END", 3),
        ("BEGIN f(1) := 2 || f(2) := 3 END", 2),
        ("BEGIN f(1) := 2 || f(1) := 3 END", 1),
        ("BEGIN f(1) := 2 || f(1) := 2 END", 2),
        ("BEGIN f := {1 |-> 2} || f(1) := 2 END", 2),
        ("BEGIN f := {1 |-> 2} || f(1) := 3 END", 1),
        ("BEGIN f := {1 |-> 2} || f(2) := 3 END", 1),
        ("BEGIN x := 1 || BEGIN x := 1 || x := 1 END END", 2),
        ("BEGIN x := 1 || BEGIN x := 1 || x := 2 END END", 1),
        ("ANY y WHERE y : 1..3 THEN f(y) := y || IF y = 2 THEN f(2) := 5 END END", 4),
        ("CHOICE x := 1 || x := 2 OR x := 3 || f(x) := 4 || f(3) := 4 END", 2),
        (
            "BEGIN f(x) := x + 1 || IF x < 2 THEN f(x + 1) := 7 || x := x + 1 END || f(9) := 9 END",
            4,
        ),
    ] {
        assert_eq!(states(body), expected, "{body}");
    }
    // Both sides read the state before.
    let swap = machine("BEGIN f(x) := f(0) + 1 || f(1) := f(0) || x := 1 END");
    let outcome =
        run_text(&swap.replace("x : 0..9", "x : 0..9 & (1 : dom(f) & f(0) = 1 => f(1) = 0)"));
    assert_eq!(outcome.expect("runs").finding.map(|f| f.details), None);
    let twice = machine("BEGIN x := 1 || x := 2 END");
    assert_eq!(refused(&twice.replace("TRUE", "FALSE")), ["written-twice"]);
    for body in [
        "BEGIN x := 1 || WHILE x < 3 DO x := x + 1 INVARIANT 1 = 1 VARIANT 3 - x END END",
        "BEGIN x := 1 || BEGIN x := 2; f(x) := 3 END END",
        "BEGIN x := 1 || x : (x : 1..2) END",
        "x, x := 1, 2",
    ] {
        assert_eq!(refused(&machine(body)), ["written-twice"], "{body}");
    }
}

/// A definition may stand for a list of names, where variables are declared and where they are written.
#[test]
fn definitions_that_list_names() {
    for list in ["(x, y, z)", "x, y, z"] {
        let text = format!(
            "MACHINE M SETS S = {{a, b}} DEFINITIONS vars == {list}; inv == (x : S & y : BOOL & z : BOOL)
             VARIABLES vars, v INVARIANT inv & v : BOOL INITIALISATION vars : (inv) || v :: BOOL
             OPERATIONS reset = BEGIN vars := a, TRUE, TRUE END END"
        );
        assert_eq!(holds(&text).states, 16, "{list}");
    }
}

/// A machine that uses another knows its parameters, whoever gives them their values.
#[test]
fn parameters_of_used_machines() {
    let used = "MACHINE used(S) VARIABLES u INVARIANT u <: S INITIALISATION u := {}
        OPERATIONS put(x) = PRE x : S THEN u := u \\/ {x} END END";
    let user = "MACHINE user USES used VARIABLES m INVARIANT m <: S INITIALISATION m := {}
        OPERATIONS take(x) = PRE x : u & x : S THEN m := m \\/ {x} END END";
    let top =
        "MACHINE top INCLUDES used(0..1), user PROMOTES take, put VARIABLES n INVARIANT n <: 0..1
        INITIALISATION n := {} OPERATIONS see = BEGIN n := m END END";
    let outcome = search_files(&[("top.mch", top), ("used.mch", used), ("user.mch", user)]);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 16));
}

#[test]
fn machines_of_which_nothing_is_asked() {
    let text = "MACHINE N VARIABLES x INITIALISATION x := 0 OPERATIONS up = PRE x < 3 THEN x := x + 1 END END";
    assert_eq!(holds(text).states, 4);
    let outcome = search_files(&[
        (
            "R.ref",
            "REFINEMENT R REFINES N VARIABLES y INITIALISATION y := 0 OPERATIONS up = PRE y < 3 THEN y := y + 1 END END",
        ),
        ("N.mch", text),
    ]);
    assert_eq!(outcome.states, 4);
}

#[test]
fn what_ends_in_end_is_an_operand() {
    all_hold(
        "",
        &[
            "LET i BE i = 1 IN {i |-> 2} END~ = {2 |-> 1}",
            "LET i BE i = 1 IN {i |-> 2} END[INTEGER] = {2} & LET r BE r = rec(x : 5) IN r END'x = 5",
            "IF 1 = 1 THEN [7, 8] ELSE [] END(1) = 7 & 2 * IF 1 = 2 THEN 3 ELSE 4 END = 8",
        ],
    );
}

/// Where the PROPERTIES leave several sizes, one of them is taken, and every result says so.
#[test]
fn a_size_that_only_has_bounds_is_one_of_several() {
    let said = |properties: &str| {
        let text = format!("MACHINE M SETS S PROPERTIES {properties} END");
        let model = set_up(normalise::load_text("test.mch", &text)).expect("a model");
        let set = &model.sets[0];
        (set.size, set.source.name(), bounds::joined(&model.bounds))
    };
    let chooses = "(--card S=N or scope_S chooses)";
    let few = "the first above the default that the PROPERTIES are seen to allow";
    let many = "the last below the default that the PROPERTIES are seen to allow";
    for (properties, size, source, why) in [
        ("card(S) > 2", 3, "least", few),
        ("card(S) : 4..9", 4, "least", few),
        ("5 <= card(S) & card(S) < 20", 5, "least", few),
    ] {
        let bound = format!("S has {size} elements, {why} {chooses}");
        assert_eq!(said(properties), (size, source, bound), "{properties}");
    }
    let one = format!("S has 1 element, {many} {chooses}");
    assert_eq!(said("card(S) < 2"), (1, "properties", String::new()));
    assert_eq!(said("card(S) : 0..1"), (1, "properties", String::new()));
    assert_eq!(said("card(S) : 3..3"), (3, "properties", String::new()));
    assert_eq!(said("card(S) > 3 & 4 >= card(S)"), (4, "properties", String::new()));
    let default = format!("S has 2 elements by default {chooses}");
    assert_eq!(
        said("card(S) < 9 & card(S) > 9223372036854775807 - 9223372036854775807"),
        (2, "default", default)
    );
    let text =
        "MACHINE M SETS S DEFINITIONS SET_PREF_DEFAULT_SETSIZE == 3 PROPERTIES card(S) < 3 END";
    let model = set_up(normalise::load_text("test.mch", text)).expect("a model");
    assert_eq!(bounds::joined(&model.bounds), one.replace("1 element", "2 elements"));
    // That there is no solution at this size proves nothing.
    let odd = "MACHINE M SETS S PROPERTIES card(S) > 2 & #x.(x = card(S) & x mod 5 = 0)
        VARIABLES x INVARIANT x : S INITIALISATION x :: S OPERATIONS o = skip END";
    assert_eq!(with_deadlocks(odd).verdict, Verdict::NoneFound);
}

/// A file lies in the folder of its package; what it imports from a package is looked for in that one's, if it is open.
#[test]
fn packages_are_folders() {
    let main = |pragmas: &str| format!("{pragmas}\nMACHINE M INCLUDES N OPERATIONS o = skip END");
    let other = "MACHINE N VARIABLES x INVARIANT x : 0..2 INITIALISATION x :: 0..2 END";
    let loaded = |pragmas: &str, open: &[&str]| {
        let text = main(pragmas);
        let files = [("lib/main/M.mch", text.as_str()), ("lib/util/N.mch", other)];
        let folder = tempfile::tempdir().expect("folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("folder");
            std::fs::write(path, text).expect("file");
        }
        let include: Vec<_> = open.iter().map(|name| folder.path().join(name)).collect();
        let options = burnside::typing::ReadOptions::from(include);
        let loaded = normalise::load_including(&folder.path().join("lib/main/M.mch"), &options);
        let errors: Vec<_> = errors(&loaded).iter().map(|d| (d.code, d.message.clone())).collect();
        (loaded.machine.is_some() && errors.is_empty(), errors)
    };
    let both = "/* a title */\n/*@package lib.main */ /*@import-package lib.util */ // more";
    let (is_loaded, errors) = loaded(both, &["lib"]);
    assert!(is_loaded, "{errors:?}");
    // Nothing but its user opens a folder to a machine.
    assert_eq!(loaded(both, &[]).1[0].0, "include-outside");
    assert_eq!(loaded("/*@package lib.main */", &["lib"]).1[0].0, "file-not-found");
    for (pragmas, told) in [
        ("/*@package lib.other */", "lies in a folder lib/other, and this one does not"),
        ("/*@package lib/main */", "is no name of a package"),
        ("/*@package lib.main */ /*@import-package .. */", "is no name of a package"),
        ("/*@import-package lib.util */", "says which its own is"),
    ] {
        let (_, errors) = loaded(pragmas, &["lib"]);
        assert!(
            errors.iter().any(|(code, m)| *code == "package" && m.contains(told)),
            "{errors:?}"
        );
    }
}
