//! Random machines of relations that take several words, and of functions that are held point by point: one step
//! from one state, so that many operators are tried on few states. The same over numbers, of which 64 pairs fill a word.

use super::generate::{Dice, Text};

const S: u64 = 9;
const T: u64 = 8;
const U: u64 = 3;

/// The sets that relations are between.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    S,
    T,
    U,
}

impl Of {
    fn name(self) -> &'static str {
        match self {
            Of::S => "S",
            Of::T => "T",
            Of::U => "U",
        }
    }
}

struct Writer {
    dice: Dice,
    /// Relations are over numbers, so many in the largest set, and not over elements.
    numbers: Option<u64>,
    /// Bound names of elements.
    bound: Vec<(String, Of)>,
    fresh: usize,
}

impl Writer {
    fn below(&mut self, n: u64) -> u64 {
        (self.dice.next() >> 20) % n
    }

    fn size(&self, of: Of) -> u64 {
        match of {
            Of::S => self.numbers.unwrap_or(S),
            Of::T => T,
            Of::U => U,
        }
    }

    /// One of them, as it is written.
    fn written(&self, of: Of, i: u64) -> String {
        match (self.numbers, of) {
            (Some(_), Of::S) => format!("{i}"),
            (Some(_), Of::T) => format!("{}", i + 1),
            (Some(_), Of::U) => format!("({})", i as i64 - 1),
            (None, _) => format!("{}{i}", of.name().to_lowercase()),
        }
    }

    fn any(&mut self) -> Of {
        [Of::S, Of::T, Of::U][self.below(3) as usize]
    }

    fn member(&mut self, of: Of) -> String {
        let known: Vec<String> =
            self.bound.iter().filter(|(_, ty)| *ty == of).map(|(name, _)| name.clone()).collect();
        match known.len() as u64 {
            n if n > 0 && self.below(2) == 0 => known[self.below(n) as usize].clone(),
            _ => {
                let i = self.below(self.size(of));
                self.written(of, i)
            }
        }
    }

    fn members(&mut self, of: Of, most: u64) -> String {
        let n = 1 + self.below(most);
        let items: Vec<String> = (0..n).map(|_| self.member(of)).collect();
        format!("{{{}}}", items.join(", "))
    }

    fn pairs(&mut self, a: Of, b: Of) -> String {
        let n = 1 + self.below(6);
        let items: Vec<String> =
            (0..n).map(|_| format!("{} |-> {}", self.member(a), self.member(b))).collect();
        format!("{{{}}}", items.join(", "))
    }

    fn set(&mut self, of: Of, depth: u32) -> String {
        if depth == 0 {
            return match (of, self.below(2)) {
                (Of::S, 0) => "s".to_owned(),
                (Of::T, 0) => "t".to_owned(),
                _ => self.members(of, 5),
            };
        }
        let other = self.any();
        match self.below(8) {
            0 => format!("dom({})", self.relation(of, other, depth - 1)),
            1 => format!("ran({})", self.relation(other, of, depth - 1)),
            2 | 3 => {
                let r = self.relation(other, of, depth - 1);
                format!("({r})[{}]", self.set(other, depth - 1))
            }
            4 => {
                let r = self.relation(of, other, depth - 1);
                format!("(({r})~)[{}]", self.set(other, depth - 1))
            }
            5 => {
                let r = self.relation(other, of, depth - 1);
                format!("({r})[{{{}}}]", self.member(other))
            }
            _ => {
                let op = ["\\/", "/\\", "-"][self.below(3) as usize];
                format!("({} {op} {})", self.set(of, depth - 1), self.set(of, depth - 1))
            }
        }
    }

    /// An element; it may be undefined.
    fn element(&mut self, of: Of, depth: u32) -> String {
        if depth == 0 || self.below(2) == 0 {
            return self.member(of);
        }
        let other = self.any();
        let r = self.relation(other, of, depth - 1);
        format!("({r})({})", self.element(other, depth - 1))
    }

    fn relation(&mut self, a: Of, b: Of, depth: u32) -> String {
        if depth == 0 {
            let own = match (a, b) {
                (Of::S, Of::T) => ["r", "f"][self.below(2) as usize],
                (Of::S, Of::S) => ["q", "g"][self.below(2) as usize],
                (Of::U, Of::U) => "h",
                (Of::T, Of::S) => "k",
                _ => "",
            };
            return match own {
                own if !own.is_empty() && self.below(5) > 0 => own.to_owned(),
                _ => self.pairs(a, b),
            };
        }
        let one = depth - 1;
        match self.below(12) {
            0..=2 => {
                let op = ["\\/", "/\\", "-"][self.below(3) as usize];
                format!("({} {op} {})", self.relation(a, b, one), self.relation(a, b, one))
            }
            3 => format!("({} <| {})", self.set(a, one), self.relation(a, b, one)),
            4 => format!("({} <<| {})", self.set(a, one), self.relation(a, b, one)),
            5 => format!("({} |> {})", self.relation(a, b, one), self.set(b, one)),
            6 => format!("({} |>> {})", self.relation(a, b, one), self.set(b, one)),
            7 => format!("({} <+ {})", self.relation(a, b, one), self.relation(a, b, one)),
            8 => {
                let (x, y) = (self.element(a, one), self.element(b, one));
                format!("({} <+ {{{x} |-> {y}}})", self.relation(a, b, one))
            }
            9 => format!("(({})~)", self.relation(b, a, one)),
            10 => format!("({} * {})", self.set(a, one), self.set(b, one)),
            _ => {
                let c = self.any();
                format!("({} ; {})", self.relation(a, c, one), self.relation(c, b, one))
            }
        }
    }

    fn predicate(&mut self, depth: u32) -> String {
        let (a, b) = (self.any(), self.any());
        let one = depth.saturating_sub(1);
        match self.below(if depth > 0 { 13 } else { 9 }) {
            0 => format!("{} = {}", self.relation(a, b, one), self.relation(a, b, one)),
            1 => format!("{} <: {}", self.relation(a, b, one), self.relation(a, b, one)),
            2 => {
                let (x, y) = (self.element(a, one), self.element(b, one));
                format!("{x} |-> {y} : {}", self.relation(a, b, one))
            }
            3 => format!("{} : dom({})", self.element(a, one), self.relation(a, b, one)),
            4 | 5 => {
                let arrows = ["+->", "-->", ">+>", ">->", "+->>", "-->>", ">->>", "<->"];
                let arrow = arrows[self.below(8) as usize];
                let (x, y) = (self.set(a, one), self.set(b, one));
                format!("{} : {x} {arrow} {y}", self.relation(a, b, one))
            }
            6 => format!("card({}) > {}", self.relation(a, b, one), self.below(9)),
            7 => format!("{} <: {}", self.set(a, one), self.set(a, one)),
            8 => format!("{} = {}", self.element(a, one), self.element(a, one)),
            9 | 10 => {
                let (all, then) = [("!", "=>"), ("#", "&")][self.below(2) as usize];
                let from = self.set(a, one);
                let x = self.name("x");
                self.bound.push((x.clone(), a));
                let inner = self.predicate(depth - 1);
                self.bound.pop();
                format!("{all}{x}.({x} : {from} {then} {inner})")
            }
            // A name for a relation within.
            11 => {
                let from = self.set(a, one);
                let (x, y) = (self.name("x"), self.name("y"));
                self.bound.push((x.clone(), a));
                let given = self.relation(a, b, one);
                let set = self.set(b, one);
                self.bound.pop();
                format!("!({x}, {y}).({x} : {from} & {y} = {given} => {y}[{{{x}}}] <: {set})")
            }
            _ => {
                let join = ["&", "or", "=>"][self.below(3) as usize];
                format!("({} {join} {})", self.predicate(depth - 1), self.predicate(depth - 1))
            }
        }
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }
}

/// A machine whose operations change its variables once.
pub fn machine(seed: u64) -> Text {
    written(Writer { dice: Dice::new(seed), numbers: None, bound: Vec::new(), fresh: 0 })
}

/// The same over numbers: relations that fill a word, and, with every other seed, such that take two.
pub fn over_numbers(seed: u64) -> Text {
    let numbers = Some(T + seed % 2);
    written(Writer { dice: Dice::new(seed), numbers, bound: Vec::new(), fresh: 0 })
}

fn written(mut w: Writer) -> Text {
    let variables = [
        ("r", Of::S, Of::T),
        ("f", Of::S, Of::T),
        ("q", Of::S, Of::S),
        ("g", Of::S, Of::S),
        ("h", Of::U, Of::U),
        ("k", Of::T, Of::S),
    ];
    let mut operations = Vec::new();
    for i in 0..8 {
        let (name, a, b) = variables[w.below(6) as usize];
        let guard = w.predicate(2);
        let target = match w.below(4) {
            0 => format!("{name}({}) := {}", w.element(a, 1), w.element(b, 1)),
            1 => {
                let (x, y) = (w.element(a, 1), w.element(b, 1));
                format!("{name} := {name} <+ {{{x} |-> {y}}}")
            }
            _ => format!("{name} := {}", w.relation(a, b, 2)),
        };
        operations.push(format!("o{i} = SELECT step = 0 & {guard} THEN {target} || step := 1 END"));
    }
    for i in 0..4 {
        let of = w.any();
        operations.push(format!(
            "z <-- q{i}(p) = PRE p : {} THEN z := {} END",
            w.set(Of::S, 1),
            w.set(of, 2)
        ));
    }
    let start = |w: &mut Writer, a: Of, b: Of, once: bool| {
        let mut pairs = Vec::new();
        for x in 0..w.size(a) {
            let many = if once { w.below(2) } else { w.below(3) };
            let x = w.written(a, x);
            pairs.extend((0..many).map(|_| format!("{x} |-> {}", w.member(b))));
        }
        format!("{{{}}}", pairs.join(", "))
    };
    let starts = variables.map(|(name, a, b)| {
        let value = start(&mut w, a, b, matches!(name, "f" | "g" | "h"));
        format!("{name} := {value}")
    });
    let invariant: Vec<String> = (0..4).map(|_| format!("({})", w.predicate(2))).collect();
    let sets = match w.numbers {
        Some(n) => format!("DEFINITIONS S == (0..{}); T == (1..8); U == (-1..1)", n - 1),
        None => {
            let set = |of: Of| {
                let all: Vec<String> = (0..w.size(of)).map(|i| w.written(of, i)).collect();
                format!("{} = {{{}}}", of.name(), all.join(", "))
            };
            format!("SETS {}", [Of::S, Of::T, Of::U].map(set).join("; "))
        }
    };
    let main = format!(
        "MACHINE M {sets}
VARIABLES r, f, q, g, h, k, s, t, step
INVARIANT r : S <-> T & f : S +-> T & q : S <-> S & g : S +-> S & h : U +-> U & k : T <-> S &
  s <: S & t <: T & step : 0..1 & {}
INITIALISATION {} || s := {} || t := {} || step := 0
OPERATIONS
  {}
END",
        invariant.join(" & "),
        starts.join(" || "),
        w.members(Of::S, 6),
        w.members(Of::T, 6),
        operations.join(";\n  ")
    );
    Text { main, included: None }
}
