//! Random machines for partial order reduction: operations that touch few places of a small state, in all
//! the ways that the analysis tells apart.

/// Pseudo-random numbers that repeat for a seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D | 1);
        (0..4).for_each(|_| {
            dice.next();
        });
        dice
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Names of the elements of `P` that formulas may use.
#[derive(Clone, Copy, PartialEq)]
enum Elements {
    Named,
    Deferred,
}

struct Maker {
    dice: Dice,
    elements: Elements,
    /// Which variables there are: x, y, z numbers, b a boolean, pc an element, f, g total functions, h a
    /// partial one, S a set, r a relation.
    variables: Vec<&'static str>,
}

const ALL: [&str; 10] = ["x", "y", "z", "b", "pc", "f", "g", "h", "S", "r"];

/// A machine.
pub fn machine(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let elements = if dice.chance(40) { Elements::Deferred } else { Elements::Named };
    let mut variables: Vec<&'static str> = Vec::new();
    let count = 2 + dice.below(4);
    while variables.len() < count {
        let v = dice.pick(&ALL);
        if !variables.contains(&v) {
            variables.push(v);
        }
    }
    variables.sort_by_key(|v| ALL.iter().position(|a| a == v));
    Maker { dice, elements, variables }.machine()
}

impl Maker {
    fn machine(mut self) -> String {
        let mut out = String::from("MACHINE M\nSETS ");
        out += if self.elements == Elements::Named { "P = {p1, p2}" } else { "P" };
        out += "; ST = {s1, s2, s3}\n";
        let scope = if self.dice.chance(8) { Some(self.condition(&[])) } else { None };
        let goal = if self.dice.chance(20) { Some(self.condition(&[])) } else { None };
        let mut definitions: Vec<String> = Vec::new();
        if self.elements == Elements::Deferred {
            definitions.push("scope_P == 2".into());
        }
        definitions.extend(scope.map(|p| format!("SCOPE == {p}")));
        definitions.extend(goal.map(|p| format!("GOAL == {p}")));
        if !definitions.is_empty() {
            out += &format!("DEFINITIONS {}\n", definitions.join("; "));
        }
        out += &format!("VARIABLES {}\n", self.variables.join(", "));
        let mut invariant: Vec<String> = self.variables.iter().map(|v| typing(v)).collect();
        for _ in 0..self.dice.below(3) {
            invariant.push(self.property());
        }
        out += &format!("INVARIANT {}\n", invariant.join(" & "));
        let initial: Vec<String> = self.variables.clone().iter().map(|v| self.initial(v)).collect();
        out += &format!("INITIALISATION {}\nOPERATIONS\n", initial.join(" || "));
        let count = 2 + self.dice.below(4);
        let operations: Vec<String> = (0..count).map(|i| self.operation(i)).collect();
        out + &operations.join(";\n") + "\nEND\n"
    }

    fn has(&self, v: &str) -> bool {
        self.variables.contains(&v)
    }

    fn initial(&mut self, v: &str) -> String {
        let n = self.dice.below(2);
        match v {
            "x" | "y" | "z" if self.dice.chance(10) => format!("{v} :: 0..1"),
            "x" | "y" | "z" => format!("{v} := {n}"),
            "b" => "b := FALSE".into(),
            "pc" => format!("pc := {}", self.dice.pick(&["s1", "s2"])),
            "f" | "g" if self.dice.chance(25) => format!("{v} := %t.(t : P | {n})"),
            "f" | "g" => format!("{v} := P * {{{n}}}"),
            "h" | "r" => format!("{v} := {{}}"),
            _ if self.dice.chance(50) => "S := {}".into(),
            _ => "S := P".into(),
        }
    }

    fn number(&mut self) -> String {
        self.dice.below(4).to_string()
    }

    /// An element of `P`: a parameter, or one that has a name.
    fn element(&mut self, parameters: &[&str]) -> Option<String> {
        let named: &[&str] = if self.elements == Elements::Named { &["p1", "p2"] } else { &[] };
        let all: Vec<&str> =
            parameters.iter().copied().filter(|p| *p != "i").chain(named.iter().copied()).collect();
        (!all.is_empty()).then(|| self.dice.pick(&all).to_string())
    }

    /// A condition about one variable or two.
    fn condition(&mut self, parameters: &[&str]) -> String {
        let v = self.dice.pick(&self.variables.clone());
        let n = self.number();
        let e = self.element(parameters);
        match (v, e) {
            ("x" | "y" | "z", _) => {
                let right = match self.dice.below(8) {
                    0 if self.has("y") => "y".to_string(),
                    1 if parameters.contains(&"i") => "i".to_string(),
                    _ => n,
                };
                match self.dice.below(10) {
                    8 => format!("#t.(t : 0..2 & t > {v} & t /= {right})"),
                    9 => format!("!t.(t : 0..2 & t < {v} => t /= {right})"),
                    0 => format!("{v} : {{0, {right}}}"),
                    1 => format!("not({v} = {right})"),
                    2 => format!("({v} = 0 or {v} > {right})"),
                    3 => format!("{v} + 1 < {right}"),
                    _ => format!("{v} {} {right}", self.dice.pick(&["<", "=", "/=", ">", ">="])),
                }
            }
            ("b", _) => format!("b = {}", self.dice.pick(&["TRUE", "FALSE"])),
            ("pc", _) => format!(
                "pc {} {}",
                self.dice.pick(&["=", "=", "/="]),
                self.dice.pick(&["s1", "s2", "s3"])
            ),
            ("f" | "g" | "h", Some(e)) => match self.dice.below(5) {
                0 if v == "h" => format!("{e} : dom(h)"),
                1 if v == "h" => format!("{e} /: dom(h)"),
                2 if self.has("f") && self.has("g") => format!("f({e}) <= g({e})"),
                _ => format!("{v}({e}) {} {n}", self.dice.pick(&["<", "=", "/=", ">"])),
            },
            ("r", Some(e)) => match self.dice.below(3) {
                0 => format!("{e} |-> {n} : r"),
                1 => format!("{e} |-> {n} /: r"),
                _ => format!("r[{{{e}}}] = {{}}"),
            },
            ("S", Some(e)) => format!("{e} {} S", self.dice.pick(&[":", "/:"])),
            ("f" | "g", None) => format!("!t.(t : P => {v}(t) < {n})"),
            ("h", None) => "dom(h) /= P".into(),
            ("r", None) => "card(r) < 2".into(),
            _ => self.dice.pick(&["S = {}", "S /= P", "card(S) < 2"]).to_string(),
        }
    }

    /// A conjunct of the invariant.
    fn property(&mut self) -> String {
        let (a, b) = (self.condition(&[]), self.condition(&[]));
        match self.dice.below(4) {
            0 => format!("not({a} & {b})"),
            1 => format!("({a} or {b})"),
            2 => format!("({a} => {b})"),
            _ => format!("not({a})"),
        }
    }

    /// An assignment to a variable, and what a guard must say so that the states stay few.
    fn assignment(&mut self, v: &str, parameters: &[&str]) -> (String, Vec<String>) {
        let n = self.dice.below(3);
        let e = self.element(parameters);
        let free = |text: String| (text, Vec::new());
        match (v, e) {
            ("x" | "y" | "z", _) => match self.dice.below(11) {
                10 => free(format!("{v} := card({{t | t : 0..2 & t /= {v}}})")),
                0..=3 => (format!("{v} := {v} + 1"), vec![format!("{v} < {}", 2 + n % 2)]),
                4 => (format!("{v} := {v} - 1"), vec![format!("{v} > {}", n % 2)]),
                5 => free(format!("{v} := ({v} + 1) mod 3")),
                6 if self.has("y") => free(format!("{v} := y")),
                7 => free(format!("{v} :: 0..1")),
                _ => free(format!("{v} := {n}")),
            },
            ("b", _) => {
                free(format!("b := {}", self.dice.pick(&["TRUE", "FALSE", "bool(b = FALSE)"])))
            }
            ("pc", _) => free(format!("pc := {}", self.dice.pick(&["s1", "s2", "s3"]))),
            ("f" | "g" | "h", Some(e)) => match self.dice.below(6) {
                0 | 1 => (format!("{v}({e}) := {v}({e}) + 1"), vec![format!("{v}({e}) < 2")]),
                2 => free(format!("{v} := {v} <+ {{{e} |-> {n}}}")),
                3 if v == "h" => free(format!("h := {{{e}}} <<| h")),
                4 if self.has("f") && v == "g" => free(format!("g({e}) := f({e})")),
                _ => free(format!("{v}({e}) := {n}")),
            },
            ("r", Some(e)) => match self.dice.below(3) {
                0 => free(format!("r := r - {{{e} |-> {n}}}")),
                1 => free(format!("r := {{{e}}} <<| r")),
                _ => free(format!("r := r \\/ {{{e} |-> {n}}}")),
            },
            ("S", Some(e)) => match self.dice.below(2) {
                0 => free(format!("S := S \\/ {{{e}}}")),
                _ => free(format!("S := S - {{{e}}}")),
            },
            ("f" | "g" | "h", None) => free(format!("{v} := P * {{{n}}}")),
            ("r", None) => free("r := {}".into()),
            _ => free(self.dice.pick(&["S := P - S", "S := {}", "S :: POW(P)"]).to_string()),
        }
    }

    fn operation(&mut self, number: usize) -> String {
        let parameters: &[&str] = match self.dice.below(10) {
            0..=3 => &[],
            4..=7 => &["p"],
            8 => &["p", "q"],
            _ => &["i"],
        };
        let mut guard: Vec<String> = parameters
            .iter()
            .map(|p| if *p == "i" { "i : 0..2".to_string() } else { format!("{p} : P") })
            .collect();
        for _ in 0..self.dice.below(3) {
            guard.push(self.condition(parameters));
        }
        let (body, needs) = self.body(parameters);
        guard.extend(needs);
        let header = if parameters.is_empty() {
            format!("op{number}")
        } else {
            format!("op{number}({})", parameters.join(", "))
        };
        if guard.is_empty() {
            return format!("  {header} = BEGIN {body} END");
        }
        if guard.len() > 1 && self.dice.chance(15) && !parameters.is_empty() {
            let rest = guard.split_off(1);
            let rest = rest.join(" & ");
            return format!(
                "  {header} = PRE {} THEN SELECT {rest} THEN {body} END END",
                guard.join(" & ")
            );
        }
        let word = if parameters.is_empty() { "SELECT" } else { "PRE" };
        format!("  {header} = {word} {} THEN {body} END", guard.join(" & "))
    }

    fn body(&mut self, parameters: &[&str]) -> (String, Vec<String>) {
        let variables = self.variables.clone();
        let v = self.dice.pick(&variables);
        let (one, mut needs) = self.assignment(v, parameters);
        let w = self.dice.pick(&variables);
        let (two, more) = self.assignment(w, parameters);
        let condition = self.condition(parameters);
        let text = match self.dice.below(16) {
            0 if w != v => {
                needs.extend(more);
                format!("{one} || {two}")
            }
            1 => {
                needs.extend(more);
                format!("CHOICE {one} OR {two} END")
            }
            2 => {
                needs.extend(more);
                format!("IF {condition} THEN {one} ELSE {two} END")
            }
            3 => format!("IF {condition} THEN {one} END"),
            4 => {
                needs.extend(more);
                format!("SELECT {condition} THEN {one} WHEN not({condition}) THEN {two} END")
            }
            5 if more.is_empty() => format!("BEGIN {one}; {two} END"),
            6 => format!("BEGIN {one}; SELECT {condition} THEN skip END END"),
            7 if v == "x" || v == "y" || v == "z" => {
                format!("ANY t WHERE t : 0..2 & ({condition} or t > 0) THEN {v} := t END")
            }
            8 => "skip".to_string(),
            9 if self.dice.chance(40) => format!("ASSERT {condition} THEN {one} END"),
            10 => format!("ANY t WHERE t : P & {} THEN {one} END", self.condition(&["t"])),
            _ => one,
        };
        (text, needs)
    }
}

fn typing(v: &str) -> String {
    match v {
        "x" | "y" | "z" => format!("{v} : INTEGER"),
        "b" => "b : BOOL".into(),
        "pc" => "pc : ST".into(),
        "f" | "g" => format!("{v} : P --> INTEGER"),
        "h" => "h : P +-> INTEGER".into(),
        "r" => "r : P <-> INTEGER".into(),
        _ => "S <: P".into(),
    }
}
