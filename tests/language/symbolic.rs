//! Infinite and enormous sets that are tested and applied, never built.

use super::*;

#[test]
fn constants_with_infinite_values_stand_for_them() {
    let outcome = holds(
        "MACHINE M
         CONSTANTS f, g, even, small, big, twice
         PROPERTIES f : NATURAL --> NATURAL & f = %x.(x : NATURAL | x + 1) &
           g = f & even = {n | n : NATURAL & n mod 2 = 0} & small = 3 & big = 0..10 ** 9 &
           twice : INTEGER * INTEGER --> INTEGER &
           twice = %(a, b).(a : INTEGER & b : INTEGER | 2 * (a + b))
         VARIABLES x INVARIANT x : NATURAL & x : big & x : dom(f) & f(x) /: even <=> x : even
         INITIALISATION x := f(small)
         OPERATIONS step = PRE x < 9 THEN x := f(f(x)) END;
                    mix = PRE x < 9 THEN x := g(twice(1, 2)) END
         ASSERTIONS f[{1, 2}] = {2, 3}; dom(f) = NATURAL; {1} <| f = {1 |-> 2};
           (f <+ {5 |-> 0})(5) = 0; (f <+ {5 |-> 0})(6) = 7; 10 ** 10 /: big
         END",
    );
    // 4, 6, 8, 10 by steps; 7 by the mixture, and 9 from there.
    assert_eq!(outcome.states, 6);
}

/// What has a witness is told by it; whether its members are finitely many depends on whether the witnesses are.
#[test]
fn sets_of_what_has_a_witness_may_be_constants() {
    let outcome = holds(
        "MACHINE M CONSTANTS even, square, few, pairs
         PROPERTIES even = {n | n : NATURAL & #m.(m : NATURAL & n = 2 * m)} &
           square = {n | n : NATURAL & #m.(m : 0..n & m * m = n)} &
           few = {n | #m.(m : 1..3 & n = m * m)} &
           pairs = {a, b | 1 < a & a <= b & b < 5}
         VARIABLES x INVARIANT x : NATURAL & (x : even <=> x mod 2 = 0)
         INITIALISATION x := 0
         OPERATIONS step = SELECT x < 30 THEN x := x + 1 END;
                    stay = SELECT x : square & x : even THEN skip END
         ASSERTIONS 16 : square; 17 /: square; card(few) = 3; card(pairs) = 6
         END",
    );
    assert_eq!(outcome.states, 31);
}

#[test]
fn they_are_kept_with_their_text_and_known_to_formulas() {
    let text = "MACHINE M CONSTANTS f, n PROPERTIES n : 1..3 & f = %x.(x : NATURAL | x + n)
        VARIABLES v INVARIANT v : NATURAL INITIALISATION v := f(0) END";
    let loaded = normalise::load_text("test.mch", text);
    let machine = loaded.machine.expect("loads");
    assert_eq!(machine.abbreviations.len(), 1);
    assert_eq!(
        loaded.sources.text(machine.abbreviations[0].value.span),
        "%x.(x : NATURAL | x + n)"
    );
    assert_eq!(machine.constants.len(), 1);
    let mut sources = burnside::source::Sources::new();
    let id = sources.add("goal", "f(f(v)) = 3 * n");
    let node = burnside::syntax::parse_formula(&sources, id).expect("parses");
    let node = burnside::typing::Formula::plain(node);
    let model = setup::set_up(&Arc::new(machine), &SetupOptions::default(), Some(&node));
    let outcome = search_model(&model.map_err(|d| format!("{d:?}")).expect("set-up"));
    assert_eq!(outcome.states, 3);
    // Root, three set-ups and three states.
    assert_eq!(outcome.nodes, 7);
}

#[test]
fn what_is_not_decided_is_said() {
    let text = "MACHINE M CONSTANTS f
        PROPERTIES f : NATURAL --> NATURAL & f = %x.(x : NATURAL | x - 1) END";
    let loaded = normalise::load_text("test.mch", text);
    assert!(loaded.diagnostics.iter().any(|d| d.code == "not-decided" && d.span.is_some()));
    let finite = "MACHINE M CONSTANTS f, n
        PROPERTIES n = 4 & f = %x.(x : 1..n | x * x) & f : 1..n --> NATURAL END";
    let loaded = normalise::load_text("test.mch", finite);
    assert!(loaded.machine.expect("loads").abbreviations.is_empty());
}

#[test]
fn large_intervals_are_not_built() {
    all_hold(
        "",
        &[
            "card(1..10 ** 12) = 10 ** 12",
            "max(-3..10 ** 12) = 10 ** 12 & min(-3..10 ** 12) = -3",
            "5 : 0..10 ** 12 \\/ {7} & -1 /: 0..10 ** 12",
            "0..10 ** 12 <: NATURAL & not(-1..10 ** 12 <: NATURAL) & 5..4 <: NATURAL1",
            "1..10 ** 12 <: 0..10 ** 12 & 0..10 ** 12 /= 1..10 ** 12",
            "@finite(0..10 ** 12)",
            "{1, 2} <: 0..10 ** 12",
            "{x | x : 0..10 ** 12 & x < 3} = {0, 1, 2}",
        ],
    );
}

/// What is of a finite type is no set that is kept, whatever the pragma says.
#[test]
fn the_pragma_leaves_finite_sets_as_they_are() {
    for set in ["%y.(y : T | y)", "{y, z | y : T & z = y}"] {
        holds(&format!(
            "MACHINE M SETS T = {{ta, tb, tc}} CONSTANTS f PROPERTIES f = /*@symbolic*/ {set}
             ASSERTIONS f(tb) = tb; card(f) = 3 END"
        ));
    }
    let of_functions = "MACHINE M SETS T = {ta, tb} CONSTANTS f
        PROPERTIES f = /*@symbolic*/ {x | x : T --> T} ASSERTIONS card(f) = 4 END";
    holds(of_functions);
}

/// Functions that are infinite may be the values of others, and items and fields.
#[test]
fn tables_of_infinite_functions_are_of_their_types() {
    for (of, value, asked) in [
        ("T +-> (INTEGER --> INTEGER)", "{ta |-> %x.(x : INTEGER | x)}", "f(ta)(5) = 5"),
        (
            "T --> (INTEGER <-> INTEGER)",
            "{ta |-> %x.(x : INTEGER | x), tb |-> {1 |-> 2}}",
            "f(tb)(1) = 2",
        ),
        (
            "seq(INTEGER --> INTEGER)",
            "[%x.(x : INTEGER | x), %x.(x : INTEGER | x + 1)]",
            "f(2)(5) = 6",
        ),
        (
            "struct(n : STRING, op : INTEGER --> INTEGER)",
            "rec(n : \"a\", op : %x.(x : INTEGER | x + 1))",
            "f'op(5) = 6",
        ),
    ] {
        holds(&format!(
            "MACHINE M SETS T = {{ta, tb}} CONSTANTS f PROPERTIES f : {of} & f = {value} ASSERTIONS {asked} END"
        ));
    }
}

/// A function that has one value only, written as a product.
#[test]
fn products_with_one_value_are_functions() {
    holds(
        "MACHINE M CONSTANTS f, g PROPERTIES f = NATURAL * {0} & g = f <+ {5 |-> 7}
         ASSERTIONS f(12) = 0; g(5) = 7 & g(6) = 0; (INTEGER * {1})(7) = 1; (NATURAL * {TRUE})[{3}] = {TRUE};
           3 |-> 0 : f & 3 |-> 1 /: f; -1 |-> 0 /: NATURAL * {0}; dom(f) = NATURAL & ran(f) = {0};
           0 |-> 3 : (NATURAL * {0})~; {x | x |-> 0 : (1..3) * {0}} = 1..3 END",
    );
}

#[test]
fn what_a_member_refutes_is_no_set_up() {
    for properties in [
        "f = %n.(n : NATURAL | n - 1) & f : NATURAL --> NATURAL",
        "f = {b, c | b : seq(0..1) & size(b) = 3 & c = b(1)} & f : seq(0..1) +-> {0}",
        "f = %p.(p : seq(0..1) & size(p) <= 2 | 1) & f : seq(0..1) +-> {2}",
        "f = %p.(p : seq(0..1) & size(p) <= 2 | 1) & f : seq(0..1) --> {1}",
        "f = %r.(r : struct(a : NATURAL, b : BOOL) & r'a < 3 | r'b) & f : struct(a : NATURAL, b : BOOL) +-> {TRUE}",
        "f = {x | x * x > 0} & f : POW(NATURAL)",
        "f = %x.(x : INTEGER | x * x) & f : INTEGER >-> NATURAL",
        "f = {x, y | x : NATURAL & y : x..x + 1} & f : NATURAL +-> NATURAL",
        "f = %x.(x : NATURAL | x + 2) & f : NATURAL -->> NATURAL",
    ] {
        none("f", properties);
    }
    for properties in [
        "f = %n.(n : NATURAL | n + 1) & f : NATURAL --> NATURAL1",
        "f = %n.(n : NATURAL | n + 1) & f : NATURAL >->> NATURAL1",
        "f = %(a, b).(a : 1..2 & b : NATURAL | b) & f : (1..2) * NATURAL -->> NATURAL",
        "f = {b, c | b : seq(0..1) & size(b) = 3 & c = b(1)} & f : seq(0..1) +-> 0..1",
        "f = %p.(p : seq(0..1) & size(p) <= 2 | 1) & f : seq(0..1) +-> {1}",
    ] {
        holds(&format!("MACHINE M CONSTANTS f PROPERTIES {properties} END"));
    }
    let claimed = "MACHINE M CONSTANTS f PROPERTIES f = %n.(n : NATURAL | n - 1)
        ASSERTIONS f : NATURAL --> NATURAL END";
    assert_eq!(run_text(claimed).expect("runs").verdict, Verdict::AssertionViolation);
}

#[test]
fn names_hold_comprehensions_that_are_infinite() {
    all_hold(
        "",
        &[
            "#s.(s = {x | x > 1000} & 1024 : s & 1000 /: s)",
            "#(f, r).(f = {x, y | x : NATURAL & y = x + 1} & r = f(3) & r = 4)",
            "#s.(s = {x | x * x = 4} & s = {-2, 2} & card(s) = 2)",
            "([2, 3, 5] ; {x, y | x : NATURAL & y = x + 1}) = [3, 4, 6]",
        ],
    );
}

#[test]
fn what_is_left_of_an_infinite_function_is_found_by_its_values() {
    all_hold(
        "",
        &[
            "%x.(x : INTEGER | x + 1) |> {3, 8} = {2 |-> 3, 7 |-> 8}",
            "%x.(x : NATURAL | x) |> -3..2 = {0 |-> 0, 1 |-> 1, 2 |-> 2}",
            "%(a, b).(a : 1..2 & b : INTEGER | b - a) |> {5} = {1 |-> 6 |-> 5, 2 |-> 7 |-> 5}",
            "3 : ran(%x.(x : INTEGER | x + 1)) & 0 /: ran(%x.(x : NATURAL | x + 1))",
            "{i | i + 1 : {0, 1, 2}} /\\ NATURAL = {0, 1} & NATURAL /\\ {i | i + 1 : {0, 1, 2}} = {0, 1}",
            "(%x.(x : INTEGER | x * x) ; {4 |-> 42})(-2) = 42",
        ],
    );
}

/// Finite functions of sets are not built where they are too large for that: they are known by what they say.
#[test]
fn functions_of_many_subsets_are_not_built() {
    let names: Vec<String> = (1..=40).map(|i| format!("u{i}")).collect();
    let machine = |constants: &str, properties: &str, assertions: &[&str]| {
        format!(
            "MACHINE M SETS U = {{{}}} CONSTANTS all, {constants} PROPERTIES all = U - {{u40}} & {properties}
             ASSERTIONS {} END",
            names.join(","),
            assertions.join("; ")
        )
    };
    let sizes =
        "f = %s.(s <: all | card(s)) & g = %(s, k).(s : POW(1..30) & k : {1, 2} | k * card(s)) &
        h = {r, n | r : all +-> all & n = card(r)}";
    holds(&machine(
        "f, g, h",
        sizes,
        &[
            "f({u1, u2}) = 2 & f(all) = 39",
            "{u40} /: dom(f) & {u1} : dom(f) & {u1} |-> 1 : f & {u1} |-> 2 /: f",
            "g(1..30, 2) = 60 & f[{{u3}, {}}] = {0, 1}",
            "{u1 |-> u2} |-> 1 : h & {u1 |-> u40} |-> 1 /: h",
        ],
    ));
    // One that mentions itself, by cases of a condition that is written as a function.
    let union = "c = %(x, y).(x <: 1..40 & y <: 1..40 |
        (%i.(i = 0 & x = {} | y) \\/ %i.(i = 0 & x /= {} | c(x - {min(x)}, y \\/ {max(x)})))(0)) &
        n = %x.(x <: 1..50 | IF x = {} THEN 0 ELSE 1 + n(x - {max(x)}) END)";
    holds(&machine(
        "c, n",
        union,
        &["n(1..50) = 50 & n({7, 9}) = 2", "c({3, 5, 8}, {1}) = {1, 8}"],
    ));
    // Small ones have their values at once.
    let small = "f = %s.(s <: 1..3 | card(s)) & d = 1..12 & g = %s.(s <: d & s : POW(d) | card(s))";
    holds(&machine("d, f, g", small, &["card(f) = 8 & card(g) = 4096 & ran(g) = 0..12"]));
}

/// Sets of which neither can be walked to its end: a member of one that is not in the other tells them apart, and their
/// forms may say that there is none.
#[test]
fn sets_without_an_end_are_told_apart_by_a_member() {
    let even = "{x | x : NATURAL & x mod 2 = 0}";
    let predicates = [
        "EVEN <: NATURAL & EVEN : POW(NATURAL) & EVEN <<: NATURAL",
        "EVEN /= NATURAL & EVEN /= INTEGER & not(NATURAL <: EVEN)",
        "EVEN /= {x | x : NATURAL & x mod 2 = 1} & EVEN /<: {x | x : NATURAL & x mod 4 = 0}",
        "EVEN /= {} & EVEN /= {0} & EVEN /= {0, 2, 5} & not(EVEN <: {0})",
        "{x | x : INTEGER & x > 5 & x mod 3 = 0} <: NATURAL1",
        "%x.(x : NATURAL | x * x) <: NATURAL * NATURAL & %x.(x : NATURAL & x mod 2 = 0 | x) /= {}",
        "{s | s : seq({1}) & s = rev(s)} /= {[]}",
        "NATURAL * BOOL /= INTEGER * BOOL & {s | s : POW(INTEGER) & card(s) = 0} = {{}}",
        "{x | x : INTEGER & x * x < 20 & x > 0} = 1..4 & {x | x : NATURAL & x * x < 20} /= 0..5",
    ]
    .map(|p| p.replace("EVEN", even));
    let predicates: Vec<&str> = predicates.iter().map(String::as_str).collect();
    all_hold("", &predicates);
    holds(&format!(
        "MACHINE M CONSTANTS S, T PROPERTIES S = {even} & T = {{x | x : NATURAL & x mod 4 = 0}}
         VARIABLES x INVARIANT x : S & S <: NATURAL & S /= NATURAL & S /= T & S /<: T & x : 0..6
         INITIALISATION x := 0 OPERATIONS up = PRE x < 6 THEN x := x + 2 END END"
    ));
    // Where neither is so, it is not known.
    let open =
        run_text(&format!("MACHINE M ASSERTIONS {{x | x : NATURAL & x mod 4 = 0}} <: {even} END"));
    assert_eq!(open.map(|outcome| outcome.verdict), Ok(Verdict::NoneFound));
}
