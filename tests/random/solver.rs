//! Random predicates over small domains: the solver's solutions against those of all candidates, tried one
//! by one.
//!
//! `BURNSIDE_PREDICATES=20000 cargo test --test random_machines solver` tries that many;
//! `BURNSIDE_SEED=n` starts at another seed.

use super::generate::Dice;
use burnside::eval::{Compiler, Env, Evaluator, Flow, Stop, Undefined};
use burnside::machine::{ExprKind, LocalId, Pred, rewrite};
use burnside::normalise;
use burnside::setup::{self, SetupOptions};
use burnside::value::Value;
use std::sync::Arc;

/// An unknown: its name, the conjunct that types it, and how many values it has.
const UNKNOWNS: &[(&str, &str, usize)] = &[
    ("x", "x : 0..3", 4),
    ("y", "y : -2..2", 5),
    ("z", "z : {1, 3, 7}", 3),
    ("b", "b : BOOL", 2),
    ("d", "d : BOOL", 2),
    ("e", "e : E", 3),
    ("ee", "ee : E - {e1}", 2),
    ("s", "s <: 0..2", 8),
    ("s2", "s2 : POW1(1..3)", 7),
    ("t", "t <: E", 8),
    ("f", "f : 0..2 --> 0..2", 27),
    ("g", "g : E +-> 0..1", 27),
    ("p", "p : perm(1..3)", 6),
    ("i", "i : E >-> 0..3", 24),
    ("j", "j : 0..2 +->> E", 6),
    ("r", "r : E <-> BOOL", 64),
    ("fs", "fs : 1..2 --> POW(0..1)", 16),
    ("c", "c : (0..2) * E", 9),
    ("rc", "rc : struct(a : 0..2, m : BOOL)", 6),
    ("nf", "nf : 0..1 --> (0..1 --> 0..1)", 16),
    ("pf", "pf : POW(0..1) +-> 0..1", 81),
    ("v", "v : {{0}, {1, 2}, {0, 2}}", 3),
    ("w", "w : {0 |-> e1, 1 |-> e3, 2 |-> e1}", 3),
];

struct Writer {
    dice: Dice,
    /// Unknowns, and the bound names of integers.
    unknowns: Vec<&'static str>,
    bound: Vec<String>,
    fresh: usize,
}

impl Writer {
    fn has(&self, name: &str) -> bool {
        self.unknowns.contains(&name)
    }

    fn pick(&mut self, of: Vec<String>) -> String {
        self.dice.pick(&of).clone()
    }

    fn int(&mut self, depth: usize) -> String {
        let mut flat: Vec<String> = ["0", "1", "2", "3", "-1"].map(str::to_owned).into();
        flat.extend(
            ["x", "y", "z", "x", "y"].into_iter().filter(|n| self.has(n)).map(str::to_owned),
        );
        flat.extend(self.bound.iter().cloned().chain(self.bound.iter().cloned()));
        if depth == 0 {
            return self.pick(flat);
        }
        let d = depth - 1;
        let mut more: Vec<String> = flat;
        let (a, b) = (self.int(d), self.int(d));
        more.extend(["+", "-", "*", "+"].map(|op| format!("({a} {op} {b})")));
        more.push(format!("({a} / 2)"));
        more.push(format!("({a} / (-2))"));
        more.push(format!("({a} mod 3)"));
        more.push(format!("({a} / {b})"));
        more.push(format!("({a} ** 2)"));
        more.push(format!("(2 ** {a})"));
        more.push(format!("(({a} * 3001 + {b}) mod 5)"));
        if self.has("z") {
            more.extend([format!("({a} / z)"), format!("({a} mod z)"), "(z ** 2)".into()]);
        }
        if self.has("pf") {
            let set = self.ints(d);
            more.extend([format!("pf({{{a}}})"), format!("pf({set})")]);
        }
        if self.has("f") {
            more.extend([format!("f({a})"), "f(1)".into(), format!("f(f({a}))")]);
        }
        if self.has("g") {
            let e = self.element(d);
            more.push(format!("g({e})"));
        }
        if self.has("i") {
            let e = self.element(d);
            more.push(format!("i({e})"));
        }
        if self.has("p") {
            more.extend([format!("p({a})"), "p(2)".into(), format!("p~({a})"), "p~(3)".into()]);
        }
        if self.has("nf") {
            more.push(format!("nf({a})({b})"));
        }
        if self.has("rc") {
            more.push("rc'a".into());
        }
        if self.has("c") {
            more.push("prj1(INTEGER, E)(c)".into());
        }
        let set = self.ints(d);
        more.extend(["card", "max", "min"].map(|op| format!("{op}({set})")));
        let name = self.name();
        self.bound.push(name.clone());
        let (p, e) = (self.predicate(d), self.int(d));
        self.bound.pop();
        more.push(format!("SIGMA({name}).({name} : 0..2 & {p} | {e})"));
        let p = self.predicate(d);
        more.push(format!("(IF {p} THEN {a} ELSE {b} END)"));
        let (name, other) = (self.name(), self.name());
        self.bound.extend([name.clone(), other.clone()]);
        let (p, e) = (self.predicate(d), self.int(d));
        self.bound.truncate(self.bound.len() - 2);
        more.push(format!("(%({name}, {other}).({name} : 0..2 & {p} | {e}))({a}, {b})"));
        more.push(format!("prj2(0..2, -1..1)({a}, {b})"));
        let pairs = self.pairs(d);
        more.push(format!("{pairs}({a})"));
        self.pick(more)
    }

    /// A relation of integers, one of whose names has the value of an expression.
    fn pairs(&mut self, depth: usize) -> String {
        let (name, other) = (self.name(), self.name());
        self.bound.push(name.clone());
        let e = self.int(depth);
        self.bound.push(other.clone());
        let p = self.predicate(depth);
        self.bound.truncate(self.bound.len() - 2);
        let all = [
            format!("{{{name}, {other} | {name} : 0..2 & {other} = {e} & {p}}}"),
            format!("{{{other}, {name} | {name} : 0..2 & {p} & {e} = {other}}}"),
            format!("%{name}.({name} : 0..2 & {name} /= 1 | {e})"),
            format!("{{{name}, {other} | {name} |-> {other} : (0..2) * (0..3) & {other} = {e}}}"),
        ];
        let picked = self.pick(all.into());
        format!("({picked})")
    }

    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("n{}", self.fresh)
    }

    fn ints(&mut self, depth: usize) -> String {
        let mut flat: Vec<String> = ["{}", "{1}", "0..2", "{0, 2}"].map(str::to_owned).into();
        flat.extend(["s", "s2", "v", "s"].into_iter().filter(|n| self.has(n)).map(str::to_owned));
        if depth == 0 {
            return self.pick(flat);
        }
        let d = depth - 1;
        let mut more = flat;
        let (a, b) = (self.ints(d), self.ints(d));
        more.extend(["\\/", "/\\", "-"].map(|op| format!("({a} {op} {b})")));
        let (m, n) = (self.int(d), self.int(d));
        more.push(format!("{{{m}, {n}}}"));
        more.push(format!("({m}..{n})"));
        more.extend(["union", "inter"].map(|op| format!("{op}({{{a}, {b}}})")));
        let p = self.predicate(d);
        more.push(format!("(IF {p} THEN {a} ELSE {b} END)"));
        if self.has("f") {
            more.extend([
                "ran(f)".into(),
                format!("f[{a}]"),
                format!("ran({a} <| f)"),
                format!("dom(f |> {b})"),
            ]);
        }
        if self.has("p") {
            more.push(format!("p~[{a}]"));
        }
        if self.has("g") {
            let t = self.elements(d);
            more.extend(["ran(g)".into(), format!("g[{t}]")]);
        }
        if self.has("fs") {
            more.push(format!("fs({m})"));
            more.extend(["union(ran(fs))".into(), "inter(ran(fs))".into()]);
        }
        let name = self.name();
        self.bound.push(name.clone());
        let p = self.predicate(d);
        more.push(format!("{{{name} | {name} : 0..2 & {p}}}"));
        more.push(format!("{{{name} | {name} : {a} & {p}}}"));
        self.bound.pop();
        let pairs = self.pairs(d);
        more.extend([format!("ran({pairs})"), format!("{pairs}[{a}]"), format!("dom({pairs})")]);
        more.push(format!("closure1({pairs})[{a}]"));
        self.pick(more)
    }

    fn element(&mut self, depth: usize) -> String {
        let mut flat: Vec<String> = ["e1", "e2", "e3"].map(str::to_owned).into();
        flat.extend(["e", "ee", "e"].into_iter().filter(|n| self.has(n)).map(str::to_owned));
        if depth > 0 {
            let m = self.int(depth - 1);
            if self.has("j") {
                flat.push(format!("j({m})"));
            }
            if self.has("c") {
                flat.push("prj2(INTEGER, E)(c)".into());
            }
            if self.has("i") {
                flat.push(format!("i~({m})"));
            }
        }
        self.pick(flat)
    }

    fn elements(&mut self, depth: usize) -> String {
        let mut flat: Vec<String> = ["{e1}", "E", "{e2, e3}"].map(str::to_owned).into();
        flat.extend(["t", "t"].into_iter().filter(|n| self.has(n)).map(str::to_owned));
        if depth > 0 {
            let (a, b) = (self.elements(depth - 1), self.elements(depth - 1));
            flat.extend(["\\/", "/\\", "-"].map(|op| format!("({a} {op} {b})")));
            let (m, n) = (self.element(depth - 1), self.element(depth - 1));
            flat.push(format!("{{{m}, {n}}}"));
            if self.has("r") {
                flat.extend(["dom(r)".into(), "r~[{TRUE}]".into()]);
            }
            if self.has("g") {
                flat.push("dom(g)".into());
            }
            if self.has("j") {
                flat.push("ran(j)".into());
            }
        }
        self.pick(flat)
    }

    fn truth(&mut self, depth: usize) -> String {
        let mut flat: Vec<String> = ["TRUE", "FALSE"].map(str::to_owned).into();
        flat.extend(["b", "d", "b"].into_iter().filter(|n| self.has(n)).map(str::to_owned));
        if self.has("rc") {
            flat.push("rc'm".into());
        }
        if depth > 0 {
            let p = self.predicate(depth - 1);
            flat.push(format!("bool({p})"));
        }
        self.pick(flat)
    }

    fn predicate(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        let (m, n) = (self.int(d), self.int(d));
        let mut all: Vec<String> =
            ["=", "/=", "<", "<=", ">", ">="].map(|op| format!("{m} {op} {n}")).into();
        let (a, b) = (self.ints(d), self.ints(d));
        all.extend(["=", "/=", "<:", "/<:", "<<:"].map(|op| format!("{a} {op} {b}")));
        all.extend([":", "/:"].map(|op| format!("{m} {op} {a}")));
        let (t, u) = (self.elements(d), self.elements(d));
        all.extend(["=", "<:", "/<<:"].map(|op| format!("{t} {op} {u}")));
        let (x, y) = (self.element(d), self.element(d));
        all.extend([format!("{x} = {y}"), format!("{x} /= {y}"), format!("{x} : {t}")]);
        let (v, w) = (self.truth(d), self.truth(d));
        all.extend([format!("{v} = {w}"), format!("{v} /= {w}")]);
        // What the solver does not take apart.
        all.push(format!("size([{m}] ^ [{n}, {m}] \\|/ 1) = {n}"));
        all.push(format!("max(closure1({{{m} |-> {n}, 1 |-> 2}})[{a}]) >= {m}"));
        all.extend([format!("{a} : POW({b})"), format!("{a} /: POW1({b})")]);
        if self.has("r") {
            all.extend([
                format!("card(r) >= {m}"),
                "card(r) = 3".into(),
                format!("dom(r) = {t} & card(r) <= {m}"),
                format!("{x} |-> {v} : r"),
                "r : E +-> BOOL".into(),
                "r : E <<-> BOOL".into(),
            ]);
        }
        if self.has("g") {
            all.extend([
                format!("{x} |-> {m} : g"),
                "g : E --> 0..1".into(),
                "card(g) = 2".into(),
                format!("g <: {t} * {a}"),
            ]);
        }
        if self.has("f") {
            all.extend([
                "f : 0..2 >-> 0..2".into(),
                format!("f = f <+ {{{m} |-> {n}}}"),
                format!("card(ran(f)) = {m}"),
                format!("card(f[0..2]) >= {n}"),
                format!("f : 0..2 --> {a}"),
            ]);
        }
        if self.has("w") {
            all.push(format!("w = {m} |-> {x}"));
        }
        if self.has("c") && self.has("w") {
            all.push("w /= c".into());
        }
        if self.has("s") && self.has("s2") {
            all.push(format!("partition({a}, s, s2)"));
        }
        if depth == 0 {
            return self.pick(all);
        }
        let (p, q) = (self.predicate(d), self.predicate(d));
        for op in ["&", "or", "=>", "<=>", "or", "=>"] {
            all.push(format!("(({p}) {op} ({q}))"));
        }
        all.push(format!("not({p})"));
        let name = self.name();
        self.bound.push(name.clone());
        let (p, q) = (self.predicate(d), self.predicate(d));
        self.bound.pop();
        for _ in 0..3 {
            all.push(format!("!{name}.({name} : 0..2 & {p} => {q})"));
            all.push(format!("!{name}.({name} : {a} => {q})"));
            all.push(format!("#{name}.({name} : 0..2 & {p})"));
            all.push(format!("#{name}.({name} : {a} & {p} & {q})"));
        }
        let pairs = self.pairs(d);
        all.extend(["-->", ">->", "+->>"].map(|arrow| format!("{pairs} : 0..2 {arrow} {a}")));
        let given = self.name();
        self.bound.push(given.clone());
        let e = self.int(d);
        self.bound.push(name.clone());
        let (p, q) = (self.predicate(d), self.predicate(d));
        self.bound.truncate(self.bound.len() - 2);
        for _ in 0..2 {
            all.push(format!("!({given}, {name}).({given} : 0..2 & {name} = {e} & {p} => {q})"));
            all.push(format!("#({given}, {name}).({given} |-> {name} = {m} |-> {e} & {p})"));
            all.push(format!("#({name}, {given}).({e} = {name} & {given} : {a} & {p})"));
        }
        // Sums that are compared often.
        if ["x", "y", "z"].iter().all(|n| self.has(n)) {
            all.extend(["=", "/=", "<=", ">"].map(|op| {
                format!("!{name}.({name} : -2..4 => 2 * x - y + z {op} {name} or {name} - x + y - z = 1)")
            }));
            all.push(format!(
                "#{name}.({name} : {a} & {name} + x + y + z : {a} & {m} - x - y /= z)"
            ));
        }
        self.pick(all)
    }
}

/// Constants, how they are typed, and what else is said of them.
fn write(seed: u64) -> (Vec<&'static str>, Vec<&'static str>, Vec<String>) {
    let mut dice = Dice::new(seed);
    let (mut names, mut typings, mut size) = (Vec::new(), Vec::new(), 1);
    for _ in 0..2 + dice.below(3) {
        let (name, typing, values) = *dice.pick(UNKNOWNS);
        if !names.contains(&name) && size * values <= 700 {
            names.push(name);
            typings.push(typing);
            size *= values;
        }
    }
    let mut writer = Writer { dice, unknowns: names.clone(), bound: Vec::new(), fresh: 0 };
    let conjuncts = (0..1 + writer.dice.below(3)).map(|_| writer.predicate(2)).collect();
    (names, typings, conjuncts)
}

/// The solutions in their order, or that something is undefined.
type Solutions = Result<Vec<Vec<Value>>, ()>;

/// Both ways to the solutions; an error where the text is no machine.
fn both(
    names: &[&str],
    typings: &[&str],
    conjuncts: &[String],
) -> Result<(Solutions, Solutions), String> {
    let text = format!(
        "MACHINE M SETS E = {{e1, e2, e3}} CONSTANTS {} PROPERTIES {} & {} END",
        names.join(", "),
        typings.join(" & "),
        conjuncts.iter().map(|c| format!("({c})")).collect::<Vec<_>>().join(" & ")
    );
    let loaded = normalise::load_text("M.mch", &text);
    let Some(machine) = loaded.machine else {
        return Err(loaded.diagnostics.iter().map(|d| d.message.clone()).collect());
    };
    let options = SetupOptions { static_symmetry: false, ..SetupOptions::default() };
    let model =
        setup::set_up(&Arc::new(machine), &options, None).map_err(|d| d[0].message.clone())?;
    let instance = model.program.instance.clone();
    let machine = &instance.machine;
    let base = machine.locals.len() - machine.constants.len();
    let locals: Vec<LocalId> = (base..machine.locals.len()).map(|i| LocalId(i as u32)).collect();
    let as_local = |kind: &ExprKind| match kind {
        ExprKind::Constant(id) => Some(ExprKind::Local(LocalId(base as u32 + id.0))),
        _ => None,
    };
    let all: Vec<Pred> = machine
        .properties
        .iter()
        .flat_map(|c| c.pred.conjuncts())
        .map(|p| rewrite::pred(p, &as_local))
        .collect();
    let (typing, _) = all.split_at(typings.len());
    let compiler = Compiler::new(&instance, model.program.layout.clone(), true);
    let whole = Pred::and(all.clone(), all[0].span);
    let mut env = Env::new(
        model.program.layout.words,
        machine.locals.len(),
        machine.constants.len(),
        Evaluator::new(model.program.clone()).interner().clone(),
    );
    env.symbolic = model.program.symbolic.clone();
    let slots = compiler.slots(&locals);

    compiler.solver_from.set(f64::INFINITY);
    let candidates =
        compiler.solve(&locals, &Pred::and(typing.to_vec(), whole.span), Undefined::Fault);
    let test = compiler.pred(&whole);
    let (mut wanted, mut undefined) = (Vec::new(), false);
    let flow = candidates(&mut env, &mut |env| {
        match test(env) {
            Ok(true) => wanted.push(slots.iter().map(|s| s.get(env)).collect::<Vec<_>>()),
            Ok(false) => {}
            Err(Stop::Fault(_)) => undefined = true,
            Err(stop) => return Err(stop),
        }
        Ok(Flow::Continue(()))
    });
    let _ = flow.map_err(|stop| format!("{stop:?}"))?;

    let wanted = if undefined { Err(()) } else { Ok(wanted) };
    let mut found = Ok(Vec::new());
    // By a plan that never asks the solver, then by the solver.
    for solver_from in [f64::INFINITY, 0.0] {
        let compiler = Compiler::new(&instance, model.program.layout.clone(), true);
        compiler.solver_from.set(solver_from);
        let solutions = compiler.solve(&locals, &whole, Undefined::Fault);
        let mut all = Vec::new();
        let flow = solutions(&mut env, &mut |env| {
            all.push(slots.iter().map(|s| s.get(env)).collect::<Vec<_>>());
            Ok(Flow::Continue(()))
        });
        found = match flow {
            Ok(_) => Ok(all),
            Err(Stop::Fault(_)) => Err(()),
            Err(stop) => return Err(format!("{stop:?} for {text}")),
        };
        let sorted = |all: &Solutions| {
            all.clone().map(|mut all| {
                all.sort();
                all
            })
        };
        if sorted(&wanted) != sorted(&found) {
            break;
        }
    }
    Ok((wanted, found))
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn solver_finds_what_trying_all_finds() {
    let (count, first) = (number("BURNSIDE_PREDICATES", 300), number("BURNSIDE_SEED", 1));
    let (mut wrong, mut unusable, mut undefined) = (Vec::new(), 0, 0);
    for seed in first..first + count {
        let (names, typings, conjuncts) = write(seed);
        match both(&names, &typings, &conjuncts) {
            Err(why) => {
                unusable += 1;
                if count == 1 {
                    eprintln!("unusable: {why}");
                }
            }
            Ok((wanted, found)) => {
                undefined += u64::from(wanted.is_err());
                let sorted = |s: Solutions| {
                    s.map(|mut all| {
                        all.sort();
                        all
                    })
                };
                let (wanted, found) = (sorted(wanted), sorted(found));
                if wanted != found {
                    wrong.push(seed);
                    eprintln!(
                        "seed {seed}: {} & {}\n  found {found:?}\n wanted {wanted:?}",
                        typings.join(" & "),
                        conjuncts.join(" & ")
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "seeds {wrong:?}");
    assert!(unusable * 4 < count.max(4), "{unusable} of {count} cannot be used");
    assert!(undefined < count.max(2), "all are undefined");
}
