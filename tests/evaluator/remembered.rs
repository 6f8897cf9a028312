//! Results that are remembered against results that are computed: an evaluator that explains remembers
//! nothing.

use super::model;
use burnside::eval::{Evaluator, Successors, Topic};
use burnside::search::{self, Control, SearchOptions};
use burnside::setup::Model;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// What an evaluator says of a state, without what only an explaining one keeps. Where nobody wants the arguments,
/// most operations are run in another way: it must find the same.
fn told(evaluator: &mut Evaluator, state: &[u64]) -> (String, Vec<Vec<u64>>) {
    let mut out = Successors::new();
    evaluator.successors(state, false, &mut out).expect("no limit");
    let without_arguments = outcome(&out);
    evaluator.successors(state, true, &mut out).expect("no limit");
    assert_eq!(without_arguments, outcome(&out));
    let faults: Vec<_> =
        out.faults.iter().map(|f| (f.operation, &f.arguments, f.site, f.in_guard)).collect();
    let targets: Vec<Vec<u64>> = (0..out.len()).map(|i| out.target(i).to_vec()).collect();
    let checks =
        [Topic::Invariant, Topic::Assertions].map(|topic| evaluator.ask(state, topic, None));
    let parts = (&out.entries, &out.results, &out.arguments, &faults, &targets, out.cut, checks);
    (format!("{parts:?}"), targets)
}

/// Transitions and faults, without the arguments and results of the former: where nobody wants them only those results
/// are kept that tell outcomes of one instance apart.
fn outcome(out: &Successors) -> String {
    let entries: Vec<_> = (out.entries.iter().enumerate())
        .map(|(i, e)| (e.operation, e.group, e.weight, out.target(i)))
        .collect();
    let faults: Vec<_> =
        out.faults.iter().map(|f| (f.operation, &f.arguments, f.site, f.in_guard)).collect();
    format!("{:?}", (entries, faults, out.cut))
}

/// Goes through the states of a machine, at most so many, and asks both evaluators of each, one of them
/// twice. Number of the states, and of those in which something is undefined.
pub fn agree(model: &Model, most: usize) -> (usize, usize) {
    let mut remembers = Evaluator::new(model.program.clone());
    let interner = remembers.interner().clone();
    let mut computes = Evaluator::with_interner(model.program.clone(), interner);
    computes.explain(true);
    let (mut setups, mut waiting, mut seen) = (Vec::new(), VecDeque::new(), BTreeSet::new());
    remembers.setups(&mut setups).expect("set-ups");
    for constants in &setups {
        waiting.extend(remembers.initial_states(constants).expect("initial states"));
    }
    let mut undefined = 0;
    while let Some(state) = waiting.pop_front() {
        if seen.len() >= most || !seen.insert(state.clone()) {
            continue;
        }
        let (expected, targets) = told(&mut computes, &state);
        for _ in 0..2 {
            assert_eq!(told(&mut remembers, &state).0, expected);
        }
        undefined += usize::from(expected.contains("Undefined") || expected.contains("Site {"));
        waiting.extend(targets);
    }
    (seen.len(), undefined)
}

#[test]
fn what_depends_on_constants_is_that_of_each_set_up() {
    let (model, _) = model(
        "MACHINE T SETS S = {a, b, c, d} CONSTANTS r, n
         PROPERTIES r : S --> 1..2 & r(a) = 1 & n : 1..2
         VARIABLES x, y INVARIANT x <: S & y : 0..4 &
            !s.(s : x => card(r~[{r(s)}]) > n) & r~[1..n] /\\ x <: {s | s : S & r(s) <= n}
         INITIALISATION x := {} || y := 0
         OPERATIONS
           add(s) = PRE s : S & s /: x & #t.(t : S & t /= s & r(t) = r(s)) THEN x := x \\/ {s} END;
           all(s) = PRE s : S & card(dom(r |> {r(s)})) = n THEN x := r~[{r(s)}] END;
           count = y := card(closure1({s, t | s : S & t : S & r(s) = n & r(t) <= r(s)})) mod 5
         END",
    );
    // 8 functions, 2 numbers.
    let (states, _) = agree(&model, 2000);
    assert!(states > 16 * 16, "{states}");
}

#[test]
fn what_is_undefined_is_undefined_again() {
    let (model, _) = model(
        "MACHINE T SETS S = {a, b, c} CONSTANTS f PROPERTIES f = {a |-> {b}, b |-> {a, c}}
         VARIABLES g, x INVARIANT g : S +-> S & x : S &
            !s.(s : S & s : f(x) => g[f(s)] <: f(x)) & (x = c or card(f(x)) < 3)
         INITIALISATION g := {} || x := a
         OPERATIONS
           set(s, t) = PRE s : S & t : S & card(g[f(s)] \\/ ran(g)) < 3 THEN g(s) := t END;
           go(s) = PRE s : f(x) & !t.(t : dom(g) => g(t) : f(x) \\/ {x}) THEN x := s END;
           step = BEGIN x := g(x); g := {x} <<| g; x := g~(x) END
         END",
    );
    let (states, undefined) = agree(&model, 2000);
    assert!(states > 40 && undefined > 10 && undefined < states, "{states} {undefined}");
}

#[test]
fn values_outside_of_their_fields_are_told_apart() {
    let (model, _) = model(
        "MACHINE T VARIABLES f, g, k
         INVARIANT f : 1..3 --> 0..2 & g : 1..3 --> 0..2 & k : 0..3 &
            !i.(i : dom(f) => card({j | j : dom(f) & f(j) = f(i)}) < 3) &
            !i.(i : dom(g) => card({j | j : dom(g) & g(j) = g(i)}) < 3)
         INITIALISATION f := %i.(i : 1..3 | 0) || g := %i.(i : 1..3 | i - 1) || k := 0
         OPERATIONS
           up(i) = PRE i : 1..3 & f(i) < 4 & card(ran(f) \\/ ran(g)) < 5 THEN f(i) := f(i) + 1 END;
           out(i) = PRE i : dom(g) & min(ran(g)) > -3 THEN g(i) := g(i) - 2 END;
           swap = BEGIN f := g || g := f || k := card({i | i : dom(f) & f(i) > 2}) END;
           large = PRE k = 3 THEN k := max(f[1..2]) + 4000000000000000000 * card(ran(f)) END
         END",
    );
    let (states, _) = agree(&model, 3000);
    assert_eq!(states, 3000);
}

#[test]
fn functions_into_integers_of_any_size_are_told_apart() {
    // Few numbers of 16 bits, many of 8, and values beyond these.
    for (set, window) in
        [("a, b, c", 40_000), ("a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, r", 300)]
    {
        let (model, _) = model(&format!(
            "MACHINE T SETS S = {{{set}}}
             VARIABLES v, w, q
             INVARIANT v : S --> INTEGER & w : S +-> NATURAL & q : S --> (S +-> BOOL) &
               ran(v) /\\ ran(w) /= {{1}} & !s.(s : dom(w) => w(s) >= v(s)) & max(ran(v)) < {window} & v(a) * 3 : INTEGER
             INITIALISATION v := S * {{1}} || w := {{}} || q := S * {{{{}}}}
             OPERATIONS
               up(s) = PRE s : {{a, b}} & v(s) < 9 * 9 * 9 * 9 * 9 THEN v(s) := v(s) * 9 END;
               down(s) = PRE s : {{a, c}} & v(s) : {{1, 3, 9}} THEN v(s) := -v(s) * 900 END;
               put(s) = PRE s : {{b, c}} & s /: dom(w) THEN w := w <+ {{s |-> v(s) * v(s)}} END;
               take = PRE w /= {{}} & v(b) > 5 THEN w := {{b}} <<| w || v := v <+ {{a |-> card(w)}} END;
               turn = PRE dom(w) : FIN(S) & dom(w) : POW1({{b, c}}) THEN q := S * {{dom(w) * {{TRUE}}}} END
             END"
        ));
        let (states, _) = agree(&model, 600);
        assert_eq!(states, 600);
    }
}

#[test]
fn constants_that_are_functions_on_intervals_are_those_of_each_set_up() {
    let (model, _) = model(
        "MACHINE T SETS S = {a, b} CONSTANTS f, g, h
         PROPERTIES f : 1..3 --> 5..6 & g : 0..2 --> S & f(2) = 5 & g(1) = a & h = {1 |-> 2, 1 |-> 3, 7 |-> 4}
         VARIABLES i, x, s INVARIANT i : 0..4 & x : 0..20 & s : S & f(i) + 1 > x - 9 & (i < 3 => g(i) = s or x > 3)
         INITIALISATION i := 1 || x := 0 || s := a
         OPERATIONS
           go = PRE i < 4 THEN i := i + 1 END;
           back = PRE i > 0 & f(i) > 0 THEN i := i - 1 END;
           put = PRE x < 20 THEN x := f(i); s := g(i - 1) END;
           more = PRE x < 15 & f(f(i) - 4) = 5 THEN x := x + f(i) END;
           odd = PRE (i > 3 & h(i + 3) = 4) or (i = 2 & x = 5 & h(i - 1) > x) THEN x := h(7) END
         END",
    );
    let (states, undefined) = agree(&model, 2000);
    assert!(states > 100 && undefined > 20 && undefined < states, "{states} {undefined}");
}

/// What the solver finds for a guard is recorded by what the guard reads, and so is what it left out.
#[test]
fn what_was_solved_is_what_would_be_solved_again() {
    let (model, _) = model(
        "MACHINE T SETS S = {a, b, c} CONSTANTS k PROPERTIES k : 1..2
         VARIABLES x, y, f, g INVARIANT x : 0..4 & y : 0..4 & f : S +-> INTEGER & g : S <-> S
         INITIALISATION x := 0 || y := 0 || f := {} || g := {}
         OPERATIONS
           pick(p, q, r) = PRE p : 0..99 & q : 0..99 & r : 0..99 & p * q + r = x + k & p + q + r = x + 2 * k & r < q
             THEN x := (p + q) mod 5 || f := f <+ {a |-> p} END;
           any = ANY u, v, w WHERE u : 0..200 & v : 0..200 & w : 0..200 & u + v + w = card(f) + y & u < v & v < w
             THEN y := (u + w) mod 5 || f := f <+ {b |-> u} END;
           open(m, n) = PRE m : NATURAL & n : INTEGER & m + n = y & n > 1 & m * n = x THEN y := n END;
           wide(h, s) = PRE h : S --> 0..20 & s : S & h(s) = 20 & SIGMA(t).(t : S | h(t)) = 20 + x & h(a) >= h(b) + x * y
             THEN g := g \\/ {s |-> s} || f := h END;
           undefined(p, q) = PRE p : 0..99 & q : 0..99 & p * p + q = 17 + x & q = f(c) & y = 3 THEN y := q mod 5 END;
           clear = BEGIN f := {}; g := {}; y := (y + 1) mod 5 END
         END",
    );
    let (states, undefined) = agree(&model, 1500);
    assert!(states == 1500 && undefined > 10, "{states} {undefined}");
}

#[test]
fn functions_on_intervals_are_what_their_pairs_say() {
    let (model, _) = model(
        "MACHINE T VARIABLES f, i, j
         INVARIANT f : INTEGER <-> INTEGER & i : 0..6 & j : 0..6 & f(i) = min(f[i..j]) &
            max(f[i..j]) >= f(j) & f[j..i] <: ran(f)
         INITIALISATION f := {1 |-> 5, 2 |-> 3, 3 |-> 7, 4 |-> 3, 5 |-> 9} || i := 1 || j := 1
         OPERATIONS
           left = PRE i < 6 & f(i) >= 0 THEN i := i + 1 END;
           right = PRE j < 6 THEN j := j + 1 END;
           back = PRE j > i THEN j := j - 1 || i := 0 END;
           least = PRE f(i) <= f(j) THEN f := f <+ {i |-> min(f[i..j]) - 1} END;
           cut = PRE f[i..j] /= {} & card(f) > 3 THEN f := {max(f[i..j])} <<| f END;
           twice = PRE card(f) < 6 THEN f := f \\/ {i |-> 1} END
         END",
    );
    let (states, undefined) = agree(&model, 3000);
    assert!(states == 3000 && undefined > 100, "{states} {undefined}");
}

#[test]
fn what_a_quantifier_gives_to_a_local_is_what_it_depends_on() {
    let (model, _) = model(
        "MACHINE T SETS S = {a, b, c, d} CONSTANTS n
         PROPERTIES n = {a |-> {1 |-> a, 2 |-> b}, b |-> {1 |-> c, 3 |-> a},
                         c |-> {2 |-> d}, d |-> {}}
         VARIABLES x, r, i INVARIANT x <: S & r : S +-> S & i : 1..3 &
            !(s,f,t).(s : S & f = n(s) & t = r~[{s}] => card(f[{i} \\/ 2..3] \\/ t) < 4) &
            #(s,f).(s : S & f = n(s) & f[{i}] <: x \\/ ran(f) & ran(f) /= x) &
            !(s,f).(s : x & f = {j, y | j : 1..3 & y = s & j <= i} =>
                card(f~[x]) <= card(ran(f)) * i & f[{i}] <: x)
         INITIALISATION x := {} || r := {} || i := 1
         OPERATIONS
           add(s) = PRE s : S & s /: x & !(f).(f = n(s) => f[{i}] /= x) THEN x := x \\/ {s} END;
           set(s, t) = PRE s : S & t : S & s /: dom(r) THEN r(s) := t END;
           clear(s) = PRE s : dom(r) THEN r := {s} <<| r END;
           next = i := 1 + i mod 3
         END",
    );
    let (states, _) = agree(&model, 1000);
    assert_eq!(states, 1000);
}

#[test]
fn relations_in_words_are_what_their_pairs_say() {
    let (model, _) = model(
        "MACHINE T SETS S = {a, b, c}; V = {u, v}
         VARIABLES r, x, y INVARIANT r : S <-> V & x <: S & y <: V &
            (x <| r) \\/ (x <<| r) = r & (r |> y) = r - (r |>> y) & (r~)~ = r &
            r[x] = ran(x <| r) & r~[y] = dom(r |> y) & (r~)[r[x]] = dom(r |> r[x]) &
            card(r~) = card(r) & ran(r~) = dom(r)
         INITIALISATION r := {} || x := {} || y := {}
         OPERATIONS
           link(s, t) = PRE s : S & t : V & s |-> t /: r THEN r := r \\/ {s |-> t} || y := (r~)~[x] END;
           unlink(s) = PRE s : dom(r) & r(s) = u THEN r := {s} <<| r || x := dom(r |> y) END;
           drop(t) = PRE t : V & t : r[x] THEN r := r |>> {t} END;
           keep = PRE x <| r /= r THEN r := x <| r |> y END;
           move(s) = PRE s : S & s /: x & r[{s}] <: y THEN x := x \\/ {s} || y := r[x] END
         END",
    );
    let (states, undefined) = agree(&model, 3000);
    assert!(states > 300 && undefined > 10, "{states} {undefined}");
}

#[test]
fn the_models_are_told_alike() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for name in
        ["phonebook_db", "peterson", "library", "dining_philosophers", "russian_postal_puzzle"]
    {
        let text = std::fs::read_to_string(models.join(format!("{name}.mch"))).expect("a model");
        let (model, _) = model(&text);
        let (states, _) = agree(&model, 150);
        assert!(states > 3, "{name}: {states}");
    }
}

/// What costs much and depends on a large value is computed once for each of its values, wherever it stands.
#[test]
fn what_depends_on_values_is_that_of_these_values() {
    let text = "MACHINE T VARIABLES r INVARIANT r : 0..3 <-> 0..3 &
          UNION(f).(f : {r, r~, r \\/ r~} | {x | x : 0..3 & x : closure1(f)[{x}] & closure1(f) /= r}) <: 0..3
        INITIALISATION r := {}
        OPERATIONS
          link(a, b) = PRE a : 0..3 & b : 0..3 & a /= b & card(r) < 3 THEN r := r \\/ {a |-> b} END;
          loops <-- round(f) = PRE f : {r, r~, r <+ {0 |-> 1}} THEN
            loops := {x, y | x : 0..3 & y : closure1(f)[{x}] & x : ran(closure1(f)) & y : dom(closure1(f) - f)}
          END
        END";
    let (model, _) = model(text);
    let (states, undefined) = agree(&model, 200);
    assert_eq!((states, undefined), (200, 0));
}

/// What an operation did is remembered by what it reads: also where it writes points of what it does not read, where a
/// condition decides what is written, where values are outside of their fields, and where something is returned.
#[test]
fn what_an_operation_did_is_what_it_would_do_again() {
    let (model, _) = model(
        "MACHINE T SETS S = {a, b, c, d} CONSTANTS k PROPERTIES k : 1..2
         VARIABLES s, t, f, g, h, n, m, u, q
         INVARIANT s <: S & t <: S & f : S +-> 0..3 & g : S --> S & h : S +-> POW(S) & n : 0..3 & m : -2..5 & u : S & q : seq(0..2)
         INITIALISATION s := {} || t := S || f := {} || g := id(S) || h := {} || n := 0 || m := 0 || u := a || q := []
         OPERATIONS
           insert(x) = PRE x : S & card({y | y : S & g(y) = x}) = 1 THEN s := s \\/ {x} || t := t - {x} END;
           point(x) = PRE x : S & card({y | y : S & g(y) /= x}) > k THEN f(x) := card(g[{x}] \\/ {g(x)}) + n END;
           clear(x) = PRE x : S & card({y | y : t & g(y) /= x}) > k THEN f := {x} <<| f END;
           turn(x, y) = PRE x : S & y : S & card({z | z : s & z /= x}) > 1 THEN g(x) := y END;
           branch(x) = PRE x : S & card({z | z : S & z /= x & z : t}) > 1 THEN
               IF n = 1 THEN u := x ELSIF n = 2 THEN m := card(t) + k ELSE s := s - {x} END END;
           all = PRE card({y, z | y : S & z : S & y : s & z : t}) > 1 THEN n := (card(s) + k) mod 4 || u := b || q := [n mod 3] END;
           more = PRE card({y, z | y : S & z : S & g(y) = z & y /= z}) >= 0 THEN n := (n + 1) mod 4 || m := m + k END;
           large(x) = PRE x : S & card({z | z : S & z /= x & g(z) = z}) < 3 & m < 9 THEN m := m + 3 || f(x) := 3 + n END;
           sets(x) = PRE x : S & card({y | y : S & y /= x & y : s}) > 1 THEN h(x) := s \\/ {x} END;
           r, o <-- told(x) = PRE x : S & card({y | y : S & g(y) = x}) = n THEN r := card({y | y : S & g(y) = x}) || o := s END;
           undefined(x) = PRE x : S & card({y | y : S & g(y) = x}) > 1 THEN m := f(x) END;
           push(x) = PRE x : 0..2 & card({y | y : S & g(y) = u}) = 1 & size(q) < 3 THEN q := q <- x END;
           many = PRE card({y | y : S & g(y) = u}) < 3 THEN LET v BE v = {y | y : S & g(y) : s} IN t := v || u := g(u) END END
         END",
    );
    let (states, undefined) = agree(&model, 3000);
    assert!(states == 3000 && undefined > 100, "{states} {undefined}");
}

/// Conditions that several operations have are asked once: also where they are undefined, where a number is outside of
/// its field, and where what they read decides about nothing else.
#[test]
fn conditions_that_operations_share_hold_for_each_of_them() {
    let (machine, _) = model(
        "MACHINE M VARIABLES x, y, f, s
         INVARIANT x : 0..6 & y : 0..6 & f : 1..4 +-> 0..3 & s <: 1..4 & x + y < 90
         INITIALISATION x := 0 || y := 0 || f := {} || s := {}
         OPERATIONS
           a = SELECT x + y < 9 & 12 / (x + 1) > y THEN x := x + 1 END;
           b(i) = SELECT i : 1..4 & x + y < 9 & i /: dom(f) THEN f(i) := (x + i) mod 4 END;
           c(i) = SELECT i : dom(f) & 12 / (x + 1) > y & f(i) > 0 THEN f := {i} <<| f || s := s \\/ {i} END;
           d = SELECT f(1) < y + 2 & x + y < 9 & ran(f) /= {3} THEN y := y + 1 END;
           e = SELECT f(1) < y + 2 & x > 2 THEN x := x - 2 END;
           g = SELECT 6 / (3 - x) > 0 & ran(f) /= {3} THEN s := {} || x := 0 END;
           h(i) = SELECT i : s & 6 / (3 - x) > 0 THEN s := s - {i} || y := 0 END;
           k = SELECT x + y < 9 & x = 6 THEN x := 70 END;
           l = SELECT ran(f) /= {3} & x > 60 THEN x := 5 END;
           m = SELECT card(s) > 1 THEN s := s - {min(s)} END;
           n = SELECT card(s) > 1 & x = y THEN y := (y + 3) mod 7 END
         END",
    );
    let (states, faults) = agree(&machine, 4_000);
    assert!(states == 4_000 && faults > 100, "{states} {faults}");
}

/// Where functions have a value, at whatever width their values are held, in one word and in several.
#[test]
fn sources_of_values_are_what_the_pairs_say() {
    let list =
        |n: usize, item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<Vec<_>>().join(", ");
    for (arguments, values) in
        [(3, 1), (9, 3), (9, 8), (20, 7), (21, 7), (12, 16), (40, 2), (7, 60)]
    {
        let (machine, _) = model(&format!(
            "MACHINE M SETS D = {{{}}}; R = {{{}}} CONSTANTS num, val
             PROPERTIES num = {{{}}} & val = [{}]
             VARIABLES f, k INVARIANT f : D +-> R & k : 0..40 &
               !y.(y : R => f~[{{y}}] = {{x | x : dom(f) & f(x) = y}} & f~[{{y}}] <: f~[R]) &
               card(f~[R - {{r0}}]) = card({{x | x : dom(f) & f(x) /= r0}})
             INITIALISATION f := {{}} || k := 0
             OPERATIONS
               step = SELECT k < 40 THEN k := k + 1 ||
                 f := {{x, y | x : D & (num(x) * (k + 3) + k) mod 5 > 0 &
                       y = val((num(x) * k * k + num(x) * 7) mod {values} + 1)}} END;
               at(x) = SELECT x : D & k mod 9 = num(x) mod 9 & x /: f~[{{r0}}] THEN f(x) := r0 || k := (k + 1) mod 41 END
             END",
            list(arguments, &|i| format!("d{i}")),
            list(values, &|i| format!("r{i}")),
            list(arguments, &|i| format!("d{i} |-> {i}")),
            list(values, &|i| format!("r{i}")),
        ));
        let options =
            SearchOptions { max_states: Some(200), deadlock: false, ..SearchOptions::default() };
        let outcome = search::run(&machine, &options, &Arc::new(Control::new()));
        let finding = outcome.finding.as_ref().map(|finding| &finding.message);
        assert_eq!(finding, None, "{arguments} to {values}");
        assert!(outcome.states > 40, "{arguments} to {values}");
    }
}
