//! Small random machines, as text.

/// A deterministic source of choices (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        let i = self.below(of.len());
        &of[i]
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum T {
    Int,
    Bool,
    /// Deferred.
    D,
    /// Enumerated.
    E,
    Str,
    Set(Box<T>),
    Pair(Box<T>, Box<T>),
    /// `struct(a : INTEGER, c : BOOL)`
    Rec,
    /// `struct(k : STRING, l : POW(INTEGER))`
    Kit,
    /// A free type.
    Free,
}

/// The free type, whose constructors take members of sets that are smaller than their types.
const FREETYPES: &str = "FREETYPES F = fa, fb(0..2), fc({e1, e3}), fd(FG); FG = ga, gb({1} * BOOL)";

fn set(t: T) -> T {
    T::Set(Box::new(t))
}

fn pair(a: T, b: T) -> T {
    T::Pair(Box::new(a), Box::new(b))
}

fn rel(a: T, b: T) -> T {
    set(pair(a, b))
}

struct Variable {
    name: &'static str,
    ty: T,
    typing: String,
}

fn variables() -> Vec<Variable> {
    let v = |name, ty, typing: &str| Variable { name, ty, typing: typing.to_owned() };
    vec![
        v("n", T::Int, "n : 0..3"),
        v("m", T::Int, "m : INTEGER"),
        v("b", T::Bool, "b : BOOL"),
        v("d", T::D, "d : D"),
        v("dd", T::D, "dd : D"),
        v("e", T::E, "e : E"),
        v("s", set(T::D), "s <: D"),
        v("t", set(T::Int), "t <: 0..3"),
        v("tt", set(T::Int), "tt : POW(NATURAL)"),
        v("w", rel(T::E, T::Bool), "w : E <-> BOOL"),
        v("f", rel(T::D, T::Int), "f : D +-> 0..3"),
        v("ff", rel(T::D, T::Int), "ff : D --> 0..1"),
        v("g", rel(T::D, T::E), "g : D --> E"),
        v("h", rel(T::Int, T::D), "h : 0..2 +-> D"),
        v("r", rel(T::D, T::D), "r : D <-> D"),
        v("q", rel(T::Int, T::D), "q : seq(D)"),
        v("ss", set(set(T::D)), "ss <: POW(D)"),
        v("rc", T::Rec, "rc : struct(a : 0..3, c : BOOL)"),
        v("p", T::Pair(Box::new(T::D), Box::new(T::Bool)), "p : D * BOOL"),
        v("pc", pair(T::Int, T::D), "pc : (0..2) * D"),
        v("pn", pair(T::Int, T::Int), "pn : NATURAL * (-2..2)"),
        v("st", T::Str, "st : STRING"),
        v("sw", T::Str, "sw : {\"a\", \"b\"}"),
        v("sl", set(T::Str), "sl <: STRING"),
        v("sn", rel(T::E, T::Str), "sn : E +-> {\"a\", \"b\"}"),
        v("sm", rel(T::Str, T::Int), "sm : {\"a\", \"b\", \"c\"} +-> 0..2"),
        v("sq", rel(T::Int, T::Str), "sq : seq(STRING)"),
        v("sp2", pair(T::Str, T::Int), "sp2 : {\"a\", \"b\"} * (0..2)"),
        v("kt", T::Kit, "kt : struct(k : {\"a\", \"b\"}, l : POW(0..3))"),
        v("ks", rel(T::E, T::Kit), "ks : E +-> struct(k : STRING, l : POW(0..2))"),
        v("fr", T::Free, "fr : F"),
        v("fss", set(T::Free), "fss <: F"),
        v("fs", rel(T::E, set(T::D)), "fs : E --> POW(D)"),
        v("gr", rel(pair(T::Int, T::Bool), T::Int), "gr : (0..2) * BOOL +-> 0..3"),
        v("at", rel(T::E, pair(T::Int, T::Int)), "at : E +-> (0..2) * (1..3)"),
        v("sp", set(pair(T::Int, T::E)), "sp <: (0..2) * E"),
        v("rr", rel(T::Int, T::Int), "rr : 0..2 <-> 1..3"),
        v("er", rel(T::E, T::Int), "er : E <-> -1..1"),
        v("nq", rel(T::Int, T::Int), "nq : seq(NATURAL)"),
        v("nt", rel(T::E, rel(T::Bool, T::Int)), "nt : E +-> (BOOL --> INTEGER)"),
        v("u", rel(T::Int, T::E), "u : 1..3 +-> E"),
        v("v", rel(T::Int, T::Int), "v : 0..2 >+> 0..3"),
        v("z", rel(T::E, T::Int), "z : E >-> 0..2"),
        v("qs", rel(T::E, rel(T::Int, T::D)), "qs : E --> seq(D)"),
        v("is", rel(T::E, set(T::Int)), "is : E +-> POW(0..2)"),
        v("mm", rel(T::E, rel(T::Int, T::Int)), "mm : E +-> (0..2 --> 0..3)"),
        v("nf", rel(T::E, rel(T::Bool, T::Int)), "nf : E +-> (BOOL +-> 0..2)"),
    ]
}

#[derive(Clone)]
struct Name {
    name: String,
    ty: T,
}

/// Beyond this many locals in a machine, formulas are not nested any deeper.
const LOCALS: usize = 70;

pub struct Generator {
    dice: Dice,
    /// What may be read.
    scope: Vec<Name>,
    /// What may be assigned here.
    targets: Vec<Name>,
    /// Operations of the included machine that may be called here.
    calls: bool,
    fresh: usize,
    /// How often something that can be undefined is written, in percent.
    partial: usize,
}

/// The machine, and the one it includes.
pub struct Text {
    pub main: String,
    pub included: Option<String>,
}

pub fn machine(seed: u64) -> Text {
    let mut g = Generator {
        dice: Dice::new(seed),
        scope: Vec::new(),
        targets: Vec::new(),
        calls: false,
        fresh: 0,
        partial: 0,
    };
    g.partial = *g.dice.pick(&[0, 10, 30, 60]);
    g.machine()
}

impl Generator {
    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    fn machine(&mut self) -> Text {
        let mut pool = variables();
        // An element of the deferred set is always at hand.
        let mut chosen = vec![pool.remove(3)];
        for _ in 0..self.dice.below(4) {
            chosen.push(pool.remove(self.dice.below(pool.len())));
        }
        let constants = self.dice.chance(25);
        let includes = self.dice.chance(30);
        let size = 2 + self.dice.below(2);
        if constants {
            let ty = self.dice.pick(&[T::D, T::Int, set(T::D), rel(T::D, T::D)]).clone();
            self.scope.push(Name { name: "kk".into(), ty });
        }
        let mut text = String::from("MACHINE M\n");
        if includes {
            text += "INCLUDES I\n";
        } else {
            text += "SETS D; E = {e1, e2, e3}\n";
        }
        text += &format!(
            "DEFINITIONS SET_PREF_MININT == -12; SET_PREF_MAXINT == 12; scope_D == {size}\n"
        );
        if constants {
            let ty = self.scope[0].ty.clone();
            // A value that the text fixes, or one that is to be found.
            let typing = match (&ty, self.dice.below(2)) {
                (T::Int, 0) => "kk = 2".to_owned(),
                _ => self.typing("kk", &ty),
            };
            if typing == "kk = 2" {
                for v in &mut chosen {
                    v.typing = v.typing.replace("0..2", "0..kk");
                }
            }
            let more = self.pred(1);
            text += &format!("CONSTANTS kk\nPROPERTIES {typing} & ({more})\n");
        }
        let names: Vec<&str> = chosen.iter().map(|v| v.name).collect();
        if chosen.iter().any(|v| v.ty == T::Free || v.ty == set(T::Free)) {
            text += &format!("{FREETYPES}\n");
        }
        text += &format!("VARIABLES {}\n", names.join(", "));
        self.targets =
            chosen.iter().map(|v| Name { name: v.name.into(), ty: v.ty.clone() }).collect();
        let constant_scope = self.scope.clone();
        self.scope.extend(self.targets.clone());
        if includes {
            self.scope.push(Name { name: "iv".into(), ty: T::Int });
            self.scope.push(Name { name: "ix".into(), ty: T::D });
        }
        let mut invariant: Vec<String> = chosen.iter().map(|v| v.typing.clone()).collect();
        for _ in 0..self.dice.below(3) {
            invariant.push(format!("({})", self.pred(2)));
        }
        text += &format!("INVARIANT {}\n", invariant.join(" & "));
        let all = self.scope.clone();
        self.scope = constant_scope;
        let first = self.initialisation(includes, &all);
        text += &format!("INITIALISATION {first}\n");
        self.scope = all;
        self.calls = includes;
        let operations: Vec<String> =
            (0..1 + self.dice.below(3)).map(|i| self.operation(&format!("op{i}"), true)).collect();
        text += &format!("OPERATIONS\n{}\nEND\n", operations.join(";\n"));
        let included = includes.then(|| self.included());
        Text { main: text, included }
    }

    /// A machine with two variables, two fixed operations and two random ones.
    fn included(&mut self) -> String {
        self.calls = false;
        self.targets =
            vec![Name { name: "iv".into(), ty: T::Int }, Name { name: "ix".into(), ty: T::D }];
        self.scope = self.targets.clone();
        let (set_x, get) = (self.operation_with("iset", T::Int, None), {
            self.targets.clear();
            self.operation_with("iget", T::Int, Some(T::Int))
        });
        self.targets =
            vec![Name { name: "iv".into(), ty: T::Int }, Name { name: "ix".into(), ty: T::D }];
        let both = self.operation_with("iboth", T::D, Some(T::D));
        format!(
            "MACHINE I\nSETS D; E = {{e1, e2, e3}}\nVARIABLES iv, ix\nINVARIANT iv : 0..3 & ix : D\n\
             INITIALISATION iv := 0 || ix :: D\nOPERATIONS\n{set_x};\n{get};\n{both}\nEND\n"
        )
    }

    fn operation_with(&mut self, name: &str, parameter: T, result: Option<T>) -> String {
        let (scope, targets) = (self.scope.clone(), self.targets.clone());
        let mut header = String::new();
        if let Some(ty) = result {
            self.targets.push(Name { name: "res".into(), ty });
            header = "res <-- ".into();
        }
        self.scope.push(Name { name: "x".into(), ty: parameter.clone() });
        let typing = self.typing("x", &parameter);
        let mut body = self.subst(2);
        if !header.is_empty() && !body.contains("res") {
            let target = self.targets.last().expect("the result").clone();
            self.targets.pop();
            body = format!("{} || {}", self.assign(&target), self.subst(2));
            if self.targets.is_empty() && self.dice.chance(50) {
                body = self.assign(&target);
            }
        }
        (self.scope, self.targets) = (scope, targets);
        format!("{header}{name}(x) = PRE {typing} THEN {body} END")
    }

    /// All variables at once; or one after the other, with reads of what was written before and, in
    /// some machines, of what was not.
    fn initialisation(&mut self, includes: bool, all: &[Name]) -> String {
        let targets = self.targets.clone();
        if self.dice.chance(50) {
            let parts: Vec<String> = targets.iter().map(|t| self.initial(t)).collect();
            return parts.join(" || ");
        }
        let included = all.iter().filter(|n| n.name == "iv" || n.name == "ix");
        self.scope.extend(included.cloned());
        self.calls = includes && self.dice.chance(40);
        let early = self.dice.chance(25);
        if early {
            self.scope = all.to_vec();
        }
        let mut order = targets.clone();
        for i in (1..order.len()).rev() {
            order.swap(i, self.dice.below(i + 1));
        }
        self.targets.clear();
        let mut parts = Vec::new();
        while let Some(t) = order.pop() {
            let other = if self.dice.chance(25) { order.pop() } else { None };
            let mut part = self.written(&t);
            if let Some(other) = &other {
                part = format!("BEGIN {part} || {} END", self.written(other));
            }
            parts.push(part);
            for name in [t].into_iter().chain(other) {
                if !early {
                    self.scope.push(name.clone());
                }
                self.targets.push(name);
            }
            if self.dice.chance(20) {
                parts.push(self.subst(2));
            }
        }
        self.targets = targets;
        if self.dice.chance(20) {
            parts.push(self.subst(3));
        }
        self.calls = false;
        parts.join(" ; ")
    }

    /// A substitution that gives a variable its first value: in all branches, or in all but one.
    fn written(&mut self, t: &Name) -> String {
        let plain = |g: &mut Generator| match g.dice.chance(50) {
            true => g.initial(t),
            false => g.assign(t),
        };
        match self.dice.below(10) {
            0 => {
                let (p, a) = (self.pred(1), plain(self));
                let otherwise = match self.dice.chance(85) {
                    true => format!(" ELSE {}", plain(self)),
                    false => String::new(),
                };
                format!("IF {p} THEN {a}{otherwise} END")
            }
            1 => {
                let b = if self.dice.chance(90) { plain(self) } else { "skip".into() };
                format!("CHOICE {} OR {b} END", plain(self))
            }
            2 => {
                let names = self.locals();
                let p = self.solvable(&names);
                let body = plain(self);
                self.scope.truncate(self.scope.len() - names.len());
                let ids: Vec<String> = names.into_iter().map(|n| n.0).collect();
                format!("ANY {} WHERE {p} THEN {body} END", ids.join(", "))
            }
            _ => plain(self),
        }
    }

    fn initial(&mut self, target: &Name) -> String {
        let n = &target.name;
        match &target.ty {
            T::Int => format!("{n} :: 0..1"),
            T::Rec => format!("{n} := rec(a : 1, c : TRUE)"),
            T::Kit => format!("{n} := rec(k : \"a\", l : {{}})"),
            T::Str => format!("{n} := \"a\""),
            T::D => format!("{n} :: D"),
            T::Free => format!("{n} :: {}", self.dice.pick(&["F", "ran(fb)", "F - {fa}"])),
            T::Set(of) => match &**of {
                T::D => format!("{n} : ({n} <: D & card({n}) < 2)"),
                T::Pair(a, b) if **a == T::D && self.dice.chance(60) => {
                    format!("{n} :: D --> {}", self.whole(b))
                }
                _ => format!("{n} := {{}}"),
            },
            T::Pair(..) => format!("{n} :: {}", self.whole(&target.ty.clone())),
            ty => {
                let e = self.atom(&ty.clone());
                format!("{n} := {e}")
            }
        }
    }

    fn operation(&mut self, name: &str, results: bool) -> String {
        let (scope, targets) = (self.scope.clone(), self.targets.clone());
        let mut header = name.to_string();
        let mut conditions = Vec::new();
        let count = self.dice.below(3);
        if count > 0 {
            let mut names = Vec::new();
            for _ in 0..count {
                let ty = self.local_type();
                let x = self.fresh("x");
                conditions.push((x.clone(), ty.clone()));
                names.push(x.clone());
                self.scope.push(Name { name: x, ty });
            }
            header += &format!("({})", names.join(", "));
        }
        let guard = self.solvable(&conditions);
        let mut first = String::new();
        if results && self.dice.chance(25) {
            let ty = self.local_type();
            let x = self.fresh("o");
            header = format!("{x} <-- {header}");
            let result = Name { name: x, ty };
            // A result that no branch writes has a default value; of a deferred set that is an
            // element like any other, so such results are always written.
            if self.has_element(&result.ty) && (result.ty == T::D || self.dice.chance(70)) {
                first = self.assign(&result) + " || ";
            } else {
                self.targets.push(result);
            }
        }
        let body = first + &self.subst(3);
        // What a second condition is about has its value by then.
        let second = if self.dice.chance(25) { Some(self.pred(1)) } else { None };
        let body = match second {
            Some(second) => format!("SELECT {second} THEN {body} END"),
            None => body,
        };
        let text = match (count, self.dice.below(3)) {
            (0, 0) => format!("{header} = BEGIN {body} END"),
            (_, 1) => format!("{header} = SELECT {guard} THEN {body} END"),
            _ => format!("{header} = PRE {guard} THEN {body} END"),
        };
        (self.scope, self.targets) = (scope, targets);
        text
    }

    fn local_type(&mut self) -> T {
        self.dice.pick(&[T::Int, T::D, T::D, T::E, T::Bool, set(T::D), T::Str]).clone()
    }

    /// `x : S`
    fn typing(&mut self, x: &str, ty: &T) -> String {
        match ty {
            T::Int => match self.dice.below(4) {
                0 => format!("{x} >= 0 & {x} < 3"),
                1 => format!("{x} : NATURAL & {x} <= 2"),
                2 => format!("{x} : 0..2"),
                _ => format!("{x} : {{0, 1, 3}}"),
            },
            T::Bool => format!("{x} : BOOL"),
            T::D => format!("{x} : D"),
            T::E => format!("{x} : E"),
            T::Str => format!("{x} : {{\"a\", \"b\"}}"),
            T::Free => format!("{x} : {}", self.whole(ty)),
            T::Set(of) => match &**of {
                T::D => format!("{x} <: D"),
                T::E => format!("{x} : POW(E)"),
                T::Int => format!("{x} : POW(0..2)"),
                T::Bool => format!("{x} <: BOOL"),
                T::Pair(a, b) => {
                    let arrow = *self.dice.pick(&["<->", "+->", "-->", ">+>"]);
                    let a = self.whole(a);
                    let b = self.whole(b);
                    format!("{x} : {a} {arrow} {b}")
                }
                other => format!("{x} <: {}", self.whole(&other.clone())),
            },
            T::Pair(a, b) => {
                let a = self.whole(a);
                format!("{x} : {a} * {}", self.whole(b))
            }
            T::Rec => format!("{x} : struct(a : 0..1, c : BOOL)"),
            T::Kit => format!("{x} : {}", self.whole(ty)),
        }
    }

    fn whole(&mut self, ty: &T) -> String {
        match ty {
            T::Int => "(0..2)".into(),
            T::Bool => "BOOL".into(),
            T::D => "D".into(),
            T::E => "E".into(),
            T::Str => "{\"a\", \"b\"}".into(),
            T::Set(of) => format!("POW({})", self.whole(of)),
            T::Pair(a, b) => format!("({} * {})", self.whole(a), self.whole(b)),
            T::Rec => "struct(a : 0..1, c : BOOL)".into(),
            T::Kit => "struct(k : {\"a\", \"b\"}, l : POW(0..1))".into(),
            T::Free => {
                self.dice.pick(&["F", "F", "ran(fb)", "ran(fc)", "(F - ran(fd))"]).to_string()
            }
        }
    }

    /// A predicate that types these names, with more conjuncts mixed in.
    fn solvable(&mut self, names: &[(String, T)]) -> String {
        let mut parts = Vec::new();
        for (x, ty) in names {
            let typed = match self.dice.below(5) {
                0 | 1 => {
                    // By a set that depends on the state, and by the type for safety's sake.
                    let s = self.set_without(&set(ty.clone()), x, names);
                    format!("{x} : {s} & {}", self.typing(x, ty))
                }
                2 => {
                    let e = self.closed(ty, names);
                    format!("{x} = {e}")
                }
                _ => self.typing(x, ty),
            };
            parts.push(typed);
        }
        for _ in 0..self.dice.below(3) {
            parts.push(format!("({})", self.pred(2)));
        }
        if parts.is_empty() {
            parts.push(self.pred(2));
        }
        // In any order.
        for i in (1..parts.len()).rev() {
            let j = self.dice.below(i + 1);
            parts.swap(i, j);
        }
        parts.join(" & ")
    }

    /// A set that does not mention this name; it may mention earlier ones.
    fn set_without(&mut self, ty: &T, x: &str, names: &[(String, T)]) -> String {
        let scope = self.scope.clone();
        let later: Vec<&str> =
            names.iter().skip_while(|(n, _)| n != x).map(|(n, _)| n.as_str()).collect();
        self.scope.retain(|n| !later.contains(&n.name.as_str()));
        let s = self.expr(ty, 2);
        self.scope = scope;
        s
    }

    fn closed(&mut self, ty: &T, names: &[(String, T)]) -> String {
        let scope = self.scope.clone();
        self.scope.retain(|n| names.iter().all(|(m, _)| *m != n.name));
        let e = self.expr(ty, 2);
        self.scope = scope;
        e
    }

    // ----- expressions

    fn named(&mut self, ty: &T) -> Option<String> {
        let found: Vec<&Name> = self.scope.iter().filter(|n| n.ty == *ty).collect();
        if found.is_empty() {
            return None;
        }
        Some(found[self.dice.below(found.len())].name.clone())
    }

    fn atom(&mut self, ty: &T) -> String {
        if self.dice.chance(75)
            && let Some(name) = self.named(ty)
        {
            return name;
        }
        if (*ty == T::Str || *ty == set(T::Int))
            && self.dice.chance(40)
            && let Some(kit) = self.named(&T::Kit)
        {
            return format!("{kit}'{}", if *ty == T::Str { "k" } else { "l" });
        }
        match ty {
            T::Int => self.dice.below(4).to_string(),
            T::Bool => self.dice.pick(&["TRUE", "FALSE"]).to_string(),
            T::D => self.named(&T::D).unwrap_or_else(|| "NONE".into()),
            T::E => self.dice.pick(&["e1", "e2", "e3"]).to_string(),
            T::Str => self.dice.pick(&["\"a\"", "\"b\""]).to_string(),
            T::Free => {
                let made = ["fa", "fb(0)", "fb(1)", "fc(e3)", "fd(ga)", "fd(gb(1, TRUE))"];
                self.dice.pick(&made).to_string()
            }
            T::Set(of) => match &**of {
                _ if self.dice.chance(15) => "{}".into(),
                _ if self.dice.chance(15) => {
                    let all = self.whole(of);
                    format!("({all} - {all})")
                }
                T::Int => "(0..1)".into(),
                T::Str => self.dice.pick(&["{\"a\"}", "{\"b\", \"c\"}"]).to_string(),
                T::Bool | T::D | T::E | T::Free => self.whole(of),
                T::Pair(..) | T::Set(_) => match self.has_element(of) {
                    true => format!("{{{}}}", self.atom(of)),
                    false => "{}".into(),
                },
                _ => "{}".into(),
            },
            T::Pair(a, b) => {
                let a = self.atom(a);
                format!("({a} |-> {})", self.atom(b))
            }
            T::Rec => {
                let a = self.atom(&T::Int);
                format!("rec(a : {a}, c : {})", self.atom(&T::Bool))
            }
            T::Kit => {
                let k = self.atom(&T::Str);
                format!("rec(k : {k}, l : {})", self.atom(&set(T::Int)))
            }
        }
    }

    /// Whether an element of a deferred set is at hand, where one is needed.
    fn has_element(&self, ty: &T) -> bool {
        match ty {
            T::D => self.scope.iter().any(|n| n.ty == T::D),
            T::Pair(a, b) => self.has_element(a) && self.has_element(b),
            _ => true,
        }
    }

    fn expr(&mut self, ty: &T, depth: usize) -> String {
        if !self.has_element(ty) {
            return "NONE".into();
        }
        if depth == 0 || self.fresh > LOCALS || self.dice.chance(15) {
            return self.atom(ty);
        }
        let d = depth - 1;
        if self.dice.chance(6) {
            let (c, a) = (self.pred(d), self.expr(ty, d));
            return format!("(IF {c} THEN {a} ELSE {} END)", self.expr(ty, d));
        }
        if self.dice.chance(4) {
            let (x, of) = (self.fresh("l"), self.local_type());
            if self.has_element(&of) {
                let e = self.expr(&of, d);
                self.scope.push(Name { name: x.clone(), ty: of });
                let body = self.expr(ty, d);
                self.scope.pop();
                return format!("(LET {x} BE {x} = {e} IN {body} END)");
            }
        }
        if self.dice.chance(self.partial)
            && let Some(text) = self.application(ty, d)
        {
            return text;
        }
        if (*ty == T::Str || *ty == set(T::Int))
            && self.dice.chance(self.partial)
            && let Some(kit) = self.application(&T::Kit, d)
        {
            return format!("{kit}'{}", if *ty == T::Str { "k" } else { "l" });
        }
        match ty {
            T::Int => self.integer(d),
            T::Bool => format!("bool({})", self.pred(d)),
            T::Set(of) => self.set_expr(&of.clone(), d),
            T::Pair(a, b) => {
                let a = self.expr(a, d);
                format!("({a} |-> {})", self.expr(b, d))
            }
            T::Rec => {
                let a = self.expr(&T::Int, d);
                format!("rec(a : {a}, c : {})", self.expr(&T::Bool, d))
            }
            T::Kit => {
                let k = self.expr(&T::Str, d);
                format!("rec(k : {k}, l : {})", self.expr(&set(T::Int), d))
            }
            T::Free => match self.dice.below(4) {
                0 => format!("fb(max({{0, min({{2, {}}})}}))", self.expr(&T::Int, d)),
                1 if self.dice.chance(self.partial) => format!("fb({})", self.expr(&T::Int, d)),
                1 => format!("fd(gb(1, {}))", self.expr(&T::Bool, d)),
                2 => format!("fc(IF {} THEN e1 ELSE e3 END)", self.pred(d)),
                _ => self.atom(ty),
            },
            _ => self.atom(ty),
        }
    }

    /// `f(x)` for some function of the scope with this result.
    fn application(&mut self, ty: &T, d: usize) -> Option<String> {
        let fits = |n: &&Name| match &n.ty {
            T::Set(p) => matches!(&**p, T::Pair(_, b) if **b == *ty),
            _ => false,
        };
        let found: Vec<Name> = self.scope.iter().filter(fits).cloned().collect();
        if found.is_empty() {
            return None;
        }
        let f = self.dice.pick(&found).clone();
        let T::Set(p) = &f.ty else { return None };
        let T::Pair(a, _) = &**p else { return None };
        if !self.has_element(a) {
            return None;
        }
        let x = self.expr(a, d);
        Some(match self.dice.below(6) {
            0 if **a == T::Int => format!("first({})", f.name),
            1 if **a == T::Int => format!("last({})", f.name),
            2 => {
                let y = self.fresh("y");
                let whole = self.whole(a);
                format!("%{y}.({y} : {whole} | {}({y}))({x})", f.name)
            }
            _ => format!("{}({x})", f.name),
        })
    }

    fn integer(&mut self, d: usize) -> String {
        let partial = self.dice.chance(self.partial);
        match self.dice.below(11) {
            9 => {
                let op = *self.dice.pick(&["max", "min"]);
                format!("{op}({{{}, {}}})", self.expr(&T::Int, d), self.atom(&T::Int))
            }
            10 => format!("card({}..{})", self.atom(&T::Int), self.expr(&T::Int, d.min(1))),
            0 => format!("({} + {})", self.expr(&T::Int, d), self.atom(&T::Int)),
            1 => format!("({} - {})", self.expr(&T::Int, d), self.atom(&T::Int)),
            2 => format!("-({})", self.expr(&T::Int, d)),
            3 => {
                let of = self.local_type();
                format!("card({})", self.expr(&set(of), d))
            }
            4 if partial => format!("({} mod {})", self.expr(&T::Int, d), self.atom(&T::Int)),
            4 => format!("(({}) * ({}))", self.atom(&T::Int), self.atom(&T::Int)),
            5 if partial => format!("({} / {})", self.expr(&T::Int, d), self.atom(&T::Int)),
            6 if partial => {
                let op = *self.dice.pick(&["max", "min"]);
                format!("{op}({})", self.expr(&set(T::Int), d))
            }
            6 => {
                let (x, ty) = (self.fresh("x"), self.local_type());
                self.scope.push(Name { name: x.clone(), ty: ty.clone() });
                let p = self.solvable(&[(x.clone(), ty)]);
                let body = self.expr(&T::Int, d.min(1));
                self.scope.pop();
                format!("SIGMA({x}).({p} | {body})")
            }
            7 => match (self.named(&T::Rec), self.named(&T::Free)) {
                (Some(r), _) => format!("{r}'a"),
                (None, Some(x)) if partial => format!("fb~({x})"),
                (None, Some(x)) => format!("card(({{{x}}} /\\ ran(fb)) \\/ ran(fd))"),
                _ => self.atom(&T::Int),
            },
            _ => self.atom(&T::Int),
        }
    }

    fn set_expr(&mut self, of: &T, d: usize) -> String {
        let ty = set(of.clone());
        if let T::Pair(a, b) = of
            && self.dice.chance(60)
        {
            return self.relation(&a.clone(), &b.clone(), d);
        }
        match self.dice.below(12) {
            0 => format!("({} \\/ {})", self.expr(&ty, d), self.expr(&ty, d)),
            1 => format!("({} /\\ {})", self.expr(&ty, d), self.expr(&ty, d)),
            2 => format!("({} - {})", self.expr(&ty, d), self.expr(&ty, d)),
            3 | 4 => {
                let x = self.fresh("x");
                self.scope.push(Name { name: x.clone(), ty: of.clone() });
                let p = self.solvable(&[(x.clone(), of.clone())]);
                self.scope.pop();
                format!("{{{x} | {p}}}")
            }
            5 if self.has_element(of) => {
                let a = self.expr(of, d);
                format!("{{{a}, {}}}", self.expr(of, d))
            }
            6 => {
                let r = self.expr(&rel(of.clone(), T::Bool), d);
                format!("dom({r})")
            }
            7 => {
                let r = self.expr(&rel(T::E, of.clone()), d);
                format!("ran({r})")
            }
            8 => {
                let r = self.expr(&rel(T::D, of.clone()), d);
                format!("({r})[{}]", self.expr(&set(T::D), d))
            }
            9 if *of == T::Int => {
                format!("({}..{})", self.expr(&T::Int, d.min(1)), self.expr(&T::Int, d.min(1)))
            }
            9 => match of {
                T::Set(inner) if **inner == T::D => {
                    format!("POW({})", self.expr(&set(T::D), d))
                }
                _ => self.atom(&ty),
            },
            10 => {
                let (x, t) = (self.fresh("x"), self.dice.pick(&[T::D, T::E, T::Int]).clone());
                self.scope.push(Name { name: x.clone(), ty: t.clone() });
                let p = self.solvable(&[(x.clone(), t)]);
                let body = self.expr(&ty, d);
                self.scope.pop();
                let op = if self.dice.chance(self.partial) { "INTER" } else { "UNION" };
                format!("{op}({x}).({p} | {body})")
            }
            _ => self.atom(&ty),
        }
    }

    fn relation(&mut self, a: &T, b: &T, d: usize) -> String {
        let ty = rel(a.clone(), b.clone());
        match self.dice.below(12) {
            0 => format!("({} <+ {})", self.expr(&ty, d), self.expr(&ty, d)),
            1 => format!("({} <| {})", self.expr(&set(a.clone()), d), self.expr(&ty, d)),
            2 => format!("({} <<| {})", self.expr(&set(a.clone()), d), self.expr(&ty, d)),
            3 => format!("({} |> {})", self.expr(&ty, d), self.expr(&set(b.clone()), d)),
            4 => format!("({} |>> {})", self.expr(&ty, d), self.expr(&set(b.clone()), d)),
            5 => format!("({})~", self.expr(&rel(b.clone(), a.clone()), d)),
            6 => format!("({} * {})", self.expr(&set(a.clone()), d), self.expr(&set(b.clone()), d)),
            7 => {
                let r = self.expr(&rel(a.clone(), T::D), d);
                format!("({r} ; {})", self.expr(&rel(T::D, b.clone()), d))
            }
            8 if a == b => format!("closure1({})", self.expr(&ty, d)),
            9 if a == b => format!("id({})", self.expr(&set(a.clone()), d)),
            10 | 11 => {
                let x = self.fresh("x");
                self.scope.push(Name { name: x.clone(), ty: a.clone() });
                let p = self.solvable(&[(x.clone(), a.clone())]);
                let text = match self.has_element(b) {
                    true => format!("%{x}.({p} | {})", self.expr(b, d)),
                    false => "{}".into(),
                };
                self.scope.pop();
                text
            }
            _ => self.atom(&ty),
        }
    }

    // ----- predicates

    fn pred(&mut self, depth: usize) -> String {
        if depth == 0 || self.fresh > LOCALS {
            return self.comparison(0);
        }
        let d = depth - 1;
        match self.dice.below(14) {
            0 | 1 => format!("(({}) & ({}))", self.pred(d), self.pred(d)),
            2 | 3 => format!("(({}) or ({}))", self.pred(d), self.pred(d)),
            4 => format!("not({})", self.pred(d)),
            5 => format!("(({}) => ({}))", self.pred(d), self.pred(d)),
            6 => format!("(({}) <=> ({}))", self.pred(d), self.pred(d)),
            7 | 8 => {
                let names = self.locals();
                let antecedent = self.solvable(&names);
                let body = self.pred(d);
                self.scope.truncate(self.scope.len() - names.len());
                let ids: Vec<String> = names.into_iter().map(|n| n.0).collect();
                format!("!({}).({antecedent} => {body})", ids.join(", "))
            }
            9 | 10 => {
                let names = self.locals();
                let body = self.solvable(&names);
                self.scope.truncate(self.scope.len() - names.len());
                let ids: Vec<String> = names.into_iter().map(|n| n.0).collect();
                format!("#({}).({body})", ids.join(", "))
            }
            11 => self.pattern(d),
            _ => self.comparison(d),
        }
    }

    fn locals(&mut self) -> Vec<(String, T)> {
        let mut names = Vec::new();
        for _ in 0..1 + self.dice.below(2) {
            let (x, ty) = (self.fresh("x"), self.local_type());
            self.scope.push(Name { name: x.clone(), ty: ty.clone() });
            names.push((x, ty));
        }
        names
    }

    /// Locals bound by the pairs of a relation, by an application, or by a disjunction.
    fn pattern(&mut self, d: usize) -> String {
        let (x, y) = (self.fresh("x"), self.fresh("y"));
        let a = self.dice.pick(&[T::D, T::E, T::Int]).clone();
        let b = self.dice.pick(&[T::D, T::E, T::Bool]).clone();
        let r = self.expr(&rel(a.clone(), b.clone()), d + 1);
        let typing = format!("{} & {}", self.typing(&x, &a), self.typing(&y, &b));
        self.scope.push(Name { name: x.clone(), ty: a.clone() });
        self.scope.push(Name { name: y.clone(), ty: b.clone() });
        let more = self.pred(d);
        let other = self.pred(d);
        self.scope.truncate(self.scope.len() - 2);
        let q = *self.dice.pick(&["#", "!"]);
        let join = if q == "#" { "&" } else { "=>" };
        match self.dice.below(3) {
            0 => format!("{q}({x}, {y}).({x} |-> {y} : {r} & {typing} {join} ({more}))"),
            1 => format!("{q}({x}, {y}).({typing} & ({r})({x}) = {y} {join} ({more}))"),
            _ => format!(
                "{q}({x}, {y}).({typing} & (({more}) or ({other})) {join} ({x} |-> {y} : {r}))"
            ),
        }
    }

    fn comparison(&mut self, d: usize) -> String {
        let ty = match self.scope.is_empty() || self.dice.chance(30) {
            true => self.local_type(),
            false => self.dice.pick(&self.scope.clone()).ty.clone(),
        };
        let ty = if self.has_element(&ty) { ty } else { T::Int };
        let op = *self.dice.pick(&["=", "/="]);
        match (&ty, self.dice.below(5)) {
            (T::Int, 0 | 1) => {
                let op = *self.dice.pick(&["<", "<=", ">", ">="]);
                format!("{} {op} {}", self.expr(&T::Int, d), self.expr(&T::Int, d))
            }
            (T::Set(p), 0) if matches!(**p, T::Pair(..)) => {
                let T::Pair(a, b) = &**p else { unreachable!() };
                let arrow = *self
                    .dice
                    .pick(&["<->", "+->", "-->", ">+>", ">->", "+->>", "-->>", ">+>>", ">->>"]);
                let r = self.expr(&ty, d);
                let a = self.expr(&set((**a).clone()), d);
                format!("{r} : {a} {arrow} {}", self.expr(&set((**b).clone()), d))
            }
            (T::Set(p), 1) if **p == T::D && self.dice.chance(30) => {
                let x = self.expr(&ty, d);
                format!("{x} : POW1({})", self.expr(&ty, d))
            }
            (T::Set(_), 0..=2) => {
                let op = *self.dice.pick(&["<:", "/<:", "<<:", "/<<:"]);
                format!("{} {op} {}", self.expr(&ty, d), self.expr(&ty, d))
            }
            (_, 0..=2) => {
                let op = *self.dice.pick(&[":", "/:"]);
                format!("{} {op} {}", self.expr(&ty, d), self.expr(&set(ty.clone()), d))
            }
            _ => format!("{} {op} {}", self.expr(&ty, d), self.expr(&ty, d)),
        }
    }

    // ----- substitutions

    fn take_target(&mut self) -> Option<Name> {
        if self.targets.is_empty() {
            return None;
        }
        let i = self.dice.below(self.targets.len());
        Some(self.targets[i].clone())
    }

    fn assign(&mut self, t: &Name) -> String {
        let n = &t.name;
        let depth = 1 + self.dice.below(2);
        if !self.has_element(&t.ty) {
            return format!("{n} :: {}", self.whole(&t.ty));
        }
        match (&t.ty, self.dice.below(6)) {
            (T::Set(p), 0 | 1)
                if matches!(&**p, T::Pair(a, b) if self.has_element(a) && self.has_element(b))
                    && self.readable(n) =>
            {
                let T::Pair(a, b) = &**p else { unreachable!() };
                let x = self.expr(a, 1);
                if let T::Set(inner) = &**b
                    && let T::Pair(ia, ib) = &**inner
                    && self.dice.chance(60)
                {
                    let y = self.expr(ia, 1);
                    return format!("{n}({x})({y}) := {}", self.expr(ib, 1));
                }
                format!("{n}({x}) := {}", self.clamped(b, 1))
            }
            (T::Rec, 0 | 1) if self.readable(n) => format!("{n}'a := {}", self.clamped(&T::Int, 1)),
            (T::Kit, 0) if self.readable(n) => format!("{n}'k := {}", self.expr(&T::Str, 1)),
            (T::Kit, 1) if self.readable(n) => format!("{n}'l := {}", self.expr(&set(T::Int), 1)),
            (ty, 2) => {
                let s = self.bounded_set(ty);
                format!("{n} :: {s}")
            }
            (ty, 3) if *ty != T::Str => {
                // The new value under the variable's own name.
                let ty = ty.clone();
                let typing = self.typing(n, &ty);
                let known = self.readable(n);
                if !known {
                    self.scope.push(t.clone());
                }
                let mut more = self.pred(1);
                if !known {
                    self.scope.pop();
                } else if self.dice.chance(40) {
                    let op = *self.dice.pick(&["=", "/="]);
                    more = format!("{more}) & ({n} {op} {n}$0");
                }
                format!("{n} : ({typing} & ({more}))")
            }
            (ty, _) => format!("{n} := {}", self.clamped(&ty.clone(), depth)),
        }
    }

    fn readable(&self, name: &str) -> bool {
        self.scope.iter().any(|n| n.name == name)
    }

    fn bounded_set(&mut self, ty: &T) -> String {
        match self.dice.below(3) {
            0 => self.expr(&set(ty.clone()), 2),
            _ => match ty {
                T::Set(p) if matches!(**p, T::Pair(..)) => {
                    let T::Pair(a, b) = &**p else { unreachable!() };
                    if matches!(**b, T::Set(_)) {
                        return format!("{{{{}}, {}}}", self.atom(ty));
                    }
                    let arrow = *self.dice.pick(&["+->", "-->"]);
                    format!("{} {arrow} {}", self.expr(&set((**a).clone()), 1), self.whole(b))
                }
                T::Set(p) if matches!(**p, T::Set(_)) => format!("{{{{}}, {}}}", self.atom(ty)),
                _ => self.whole(ty),
            },
        }
    }

    /// Integers seldom leave a small range.
    fn clamped(&mut self, ty: &T, depth: usize) -> String {
        let e = self.expr(ty, depth);
        if *ty == T::Int && self.dice.chance(85) && e.len() > 2 {
            return format!("max({{0, min({{3, {e}}})}})");
        }
        e
    }

    fn subst(&mut self, depth: usize) -> String {
        if depth == 0 || self.dice.chance(15) {
            return self.simple();
        }
        let d = depth - 1;
        match self.dice.below(15) {
            0 | 1 => self.parallel(d),
            2 => format!("BEGIN {} ; {} END", self.subst(d), self.subst(d)),
            3 => self.choices(),
            4 => {
                let more = if self.dice.chance(30) {
                    format!(" OR {}", self.subst(d))
                } else {
                    String::new()
                };
                format!("CHOICE {} OR {}{more} END", self.subst(d), self.subst(d))
            }
            5 => {
                let p = self.pred(2);
                let first = self.subst(d);
                let otherwise = if self.dice.chance(60) {
                    format!(" ELSE {}", self.subst(d))
                } else {
                    String::new()
                };
                format!("IF {p} THEN {first}{otherwise} END")
            }
            6 => {
                let (p, first) = (self.pred(2), self.subst(d));
                let mut text = format!("SELECT {p} THEN {first}");
                if self.dice.chance(60) {
                    let p = self.pred(2);
                    text += &format!(" WHEN {p} THEN {}", self.subst(d));
                }
                if self.dice.chance(40) {
                    text += &format!(" ELSE {}", self.subst(d));
                }
                text + " END"
            }
            7 => {
                let e = self.expr(&T::E, 1);
                let (a, b) = (self.subst(d), self.subst(d));
                let otherwise = if self.dice.chance(50) {
                    format!(" ELSE {}", self.subst(d))
                } else {
                    String::new()
                };
                format!("CASE {e} OF EITHER e1, e3 THEN {a} OR e2 THEN {b}{otherwise} END END")
            }
            8 | 9 => {
                let names = self.locals();
                let p = self.solvable(&names);
                let body = self.subst(d);
                self.scope.truncate(self.scope.len() - names.len());
                let ids: Vec<String> = names.into_iter().map(|n| n.0).collect();
                format!("ANY {} WHERE {p} THEN {body} END", ids.join(", "))
            }
            10 => {
                let ty = self.local_type();
                if !self.has_element(&ty) {
                    return self.simple();
                }
                let (x, e) = (self.fresh("l"), self.expr(&ty, 2));
                self.scope.push(Name { name: x.clone(), ty });
                let body = self.subst(d);
                self.scope.pop();
                format!("LET {x} BE {x} = {e} IN {body} END")
            }
            11 => {
                let ty = self.local_type();
                let v = Name { name: self.fresh("v"), ty };
                self.targets.push(v.clone());
                let first = if self.dice.chance(85) { self.assign(&v) } else { self.subst(d) };
                self.scope.push(v.clone());
                let rest = self.subst(d);
                let last = self.simple();
                self.scope.pop();
                self.targets.retain(|t| t.name != v.name);
                format!("VAR {} IN {first} ; {rest} ; {last} END", v.name)
            }
            12 => {
                let i = Name { name: self.fresh("i"), ty: T::Int };
                self.scope.push(i.clone());
                let body = self.subst(d);
                let invariant =
                    if self.dice.chance(self.partial / 2) { self.pred(1) } else { "btrue".into() };
                self.scope.pop();
                let i = i.name;
                let variant = if self.dice.chance(self.partial / 4) {
                    self.expr(&T::Int, 1)
                } else {
                    format!("2 - {i}")
                };
                let step = if self.dice.chance(20) {
                    format!("CHOICE {i} := {i} + 1 OR {i} := 2 END")
                } else {
                    format!("{i} := {i} + 1")
                };
                format!(
                    "VAR {i} IN {i} := 0 ; WHILE {i} < 2 DO BEGIN {body} ; {step} END \
                     INVARIANT {invariant} VARIANT {variant} END END"
                )
            }
            13 if self.dice.chance(self.partial) => {
                let word = *self.dice.pick(&["PRE", "ASSERT"]);
                format!("{word} {} THEN {} END", self.pred(2), self.subst(d))
            }
            _ => self.simple(),
        }
    }

    /// Both sides with targets of their own.
    fn parallel(&mut self, d: usize) -> String {
        let all = self.targets.clone();
        let calls = self.calls;
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for t in all.clone() {
            if self.dice.chance(50) { left.push(t) } else { right.push(t) }
        }
        let left_calls = self.dice.chance(50);
        self.targets = left;
        self.calls = calls && left_calls;
        let a = self.subst(d);
        self.targets = right;
        self.calls = calls && !left_calls;
        let b = self.subst(d);
        self.targets = all;
        self.calls = calls;
        format!("BEGIN {a} || {b} END")
    }

    /// Choices one after the other, some of which come to the same.
    fn choices(&mut self) -> String {
        let count = 3 + self.dice.below(3);
        let mut part = || match self.dice.chance(75) {
            true => format!("CHOICE {} OR {} END", self.simple(), self.simple()),
            false => self.simple(),
        };
        let parts: Vec<String> = (0..count).map(|_| part()).collect();
        format!("BEGIN {} END", parts.join(" ; "))
    }

    fn simple(&mut self) -> String {
        if self.calls && self.dice.chance(40) {
            return self.call();
        }
        match self.take_target() {
            Some(t) if !self.dice.chance(5) => {
                if self.dice.chance(15)
                    && let Some(u) = self.take_target()
                    && u.name != t.name
                    && self.has_element(&t.ty)
                    && self.has_element(&u.ty)
                {
                    let a = self.clamped(&t.ty, 1);
                    return format!("{}, {} := {a}, {}", t.name, u.name, self.clamped(&u.ty, 1));
                }
                self.assign(&t)
            }
            _ => "skip".into(),
        }
    }

    fn call(&mut self) -> String {
        let of =
            |ty: T, targets: &[Name]| targets.iter().find(|t| t.ty == ty).map(|t| t.name.clone());
        let (int, element) = (of(T::Int, &self.targets), of(T::D, &self.targets));
        let arg = self.clamped(&T::Int, 1);
        match self.dice.below(4) {
            0 => format!("iset({arg})"),
            1 | 2 => match (int, element) {
                (Some(t), _) => format!("{t} <-- iget({arg})"),
                (None, Some(t)) if self.has_element(&T::D) => {
                    format!("{t} <-- iboth({})", self.expr(&T::D, 1))
                }
                _ => format!("iset({arg})"),
            },
            _ => format!("iset({arg})"),
        }
    }
}
