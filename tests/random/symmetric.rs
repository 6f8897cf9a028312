//! Small random machines with much symmetry, as text: one or two deferred sets, values of many shapes
//! over them, guards across variables, choices in bodies, results.

/// A deterministic source of choices.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn pick<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }
}

/// A variable: name, invariant, initialisation, and operations as `parameters | guard | body`.
type Variable = (&'static str, &'static str, &'static str, &'static [&'static str]);

const VARIABLES: &[Variable] = &[
    (
        "sub",
        "sub <: S",
        "sub := {}",
        &[
            "x | x : S - sub | sub := sub \\/ {x}",
            "x | x : sub | sub := sub - {x}",
            "x | x : S | ANY z WHERE z : S - {x} THEN sub := sub \\/ {z} END",
            " | sub /= {} | sub := S - sub",
        ],
    ),
    ("tub", "tub <: T", "tub := {}", &["t | t : T | tub := {t}", " | tub /= {} | tub :: {{}, T}"]),
    (
        "links",
        "links : S <-> S",
        "links := {}",
        &[
            "x, y | x : S & y : S & card(links) < 3 | links := links \\/ {x |-> y}",
            "x, y | x : S & y : S & x |-> y : links | links := links - {x |-> y}",
            " | 1 = 1 | links := links~",
        ],
    ),
    (
        "after",
        "after : S >+> S",
        "after := {}",
        &[
            "x, y | x : S - dom(after) & y : S - ran(after) | after(x) := y",
            "x | x : dom(after) & x : ran(after) | after := {x} <<| after",
        ],
    ),
    (
        "fun",
        "fun : S +-> T",
        "fun := {}",
        &[
            "x, t | x : S & t : T | fun(x) := t",
            "x | x : dom(fun) | CHOICE fun := {x} <<| fun OR fun := fun |>> {fun(x)} END",
        ],
    ),
    (
        "members",
        "members : T --> POW(S)",
        "members := T * {{}}",
        &["x, t | x : S & t : T & card(members(t)) < 2 | members(t) := members(t) \\/ {x}"],
    ),
    (
        "sets",
        "sets : POW(POW(S))",
        "sets := {}",
        &[
            "x, y | x : S & y : S & card(sets) < 2 | sets := sets \\/ {{x, y}}",
            "m | m : sets | sets := sets - {m}",
        ],
    ),
    (
        "labelled",
        "labelled : POW(POW(S) * T)",
        "labelled := {}",
        &[
            "x, y, t | x : S & y : S & t : T & card(labelled) < 2 | labelled := labelled \\/ {{x, y} |-> t}",
        ],
    ),
    (
        "deep",
        "deep : POW(POW(POW(S)))",
        "deep := {}",
        &["x, y | x : S & y : S & card(deep) < 2 | deep := deep \\/ {{{x}, {x, y}}}"],
    ),
    ("head", "head : S", "head :: S", &["x | x : S | head := x", " | 1 = 1 | head :: S - {head}"]),
    (
        "turn",
        "turn : 0..1 --> S",
        "ANY z WHERE z : S THEN turn := (0..1) * {z} END",
        &["x, i | x : S & i : 0..1 | turn(i) := x"],
    ),
    (
        "queue",
        "queue : seq(S)",
        "queue := []",
        &[
            "x | x : S & size(queue) < 2 | queue := queue <- x",
            " | queue /= [] | queue := tail(queue)",
        ],
    ),
    (
        "chest",
        "chest : struct(owner: S, tags: POW(T))",
        "ANY z WHERE z : S THEN chest := rec(owner: z, tags: {}) END",
        &[
            "x | x : S | chest := rec(owner: x, tags: chest'tags)",
            "t | t : T | chest := rec(owner: chest'owner, tags: chest'tags \\/ {t})",
        ],
    ),
    (
        "count",
        "count : S --> 0..2",
        "count := S * {0}",
        &[
            "x | x : S & count(x) < 2 | count(x) := count(x) + 1",
            "x | x : S | count := S * {count(x)}",
        ],
    ),
];

/// A constant and its properties.
const CONSTANTS: &[(&str, &str)] = &[
    ("c", "c : S"),
    ("d", "d : S"),
    ("f", "f : S --> T"),
    ("next", "next : S >->> S"),
    ("A", "A <: S & A /= {}"),
    ("K", "K <: POW(S) & card(K) = 2 & S /: K"),
];

/// Further guards and the names they need; what is in capitals is a constant or a set.
const GUARDS: &[&str] = &[
    "x : sub",
    "x /: sub",
    "x /= head",
    "x = head",
    "x : dom(fun)",
    "x : A",
    "x /= c",
    "x = c or x = d",
    "f(x) /: tub",
    "next(x) : sub",
    "next(x) /= x",
    "{x} /: sets",
    "{x} : K",
    "x /: ran(queue)",
    "x /= turn(0)",
    "count(x) = 0",
    "x /: union(ran(members))",
    "x : ran(after)",
    "links[{x}] = {}",
    "x /= chest'owner",
];

/// What may be violated.
const CLAIMS: &[&str] = &[
    "sub /= S",
    "card(sub) < 3",
    "head /: sub",
    "card(after) < 3",
    "not(after /= {} & dom(after) = ran(after))",
    "dom(fun) /= S",
    "card(sets) < 2",
    "size(queue) < 2",
    "turn(0) = turn(1)",
    "0 : ran(count)",
    "card(links) < 3",
    "not(#x.(x : S & x |-> x : links))",
    "c /: sub",
    "sub /= A",
];

/// What operations tell.
const RESULTS: &[&str] = &[
    "card(sub)",
    "head",
    "fun",
    "sets",
    "links[sub]",
    "after",
    "turn",
    "chest'owner",
    "count~[{0}]",
];

/// A machine and the sizes of its two sets.
pub fn machine(seed: u64) -> (String, [(&'static str, u64); 2]) {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut variables: Vec<&Variable> = Vec::new();
    for _ in 0..1 + dice.below(3) {
        let one = &VARIABLES[dice.below(VARIABLES.len())];
        if variables.iter().all(|v| v.0 != one.0) {
            variables.push(one);
        }
    }
    let mut constants: Vec<&(&str, &str)> = Vec::new();
    for _ in 0..dice.below(3) {
        let one = &CONSTANTS[dice.below(CONSTANTS.len())];
        if constants.iter().all(|c| c.0 != one.0) {
            constants.push(one);
        }
    }
    let names: Vec<&str> =
        variables.iter().map(|v| v.0).chain(constants.iter().map(|c| c.0)).collect();
    let all: Vec<&str> =
        VARIABLES.iter().map(|v| v.0).chain(CONSTANTS.iter().map(|c| c.0)).collect();
    let known = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words.filter(|w| all.contains(w)).all(|w| names.contains(&w))
    };
    let fitting = |from: &'static [&'static str]| -> Vec<&'static str> {
        from.iter().copied().filter(|t| known(t)).collect()
    };
    let (guards, claims, results) = (fitting(GUARDS), fitting(CLAIMS), fitting(RESULTS));
    let mut operations = Vec::new();
    for variable in &variables {
        for text in variable.3 {
            let parts: Vec<&str> = text.split(" | ").map(str::trim).collect();
            let [parameters, guard, body] = parts[..] else { continue };
            let mut guard = guard.to_owned();
            if parameters.starts_with('x') && !guards.is_empty() && dice.below(3) == 0 {
                guard = format!("{guard} & {}", dice.pick(&guards));
            }
            let n = operations.len();
            let (head, body) = match results.is_empty() || dice.below(4) > 0 {
                true => (String::new(), body.to_owned()),
                false => {
                    ("res <-- ".to_owned(), format!("{body} || res := {}", dice.pick(&results)))
                }
            };
            let parameters =
                if parameters.is_empty() { String::new() } else { format!("({parameters})") };
            operations.push(format!("  {head}op{n}{parameters} = SELECT {guard} THEN {body} END"));
        }
    }
    let mut invariant: Vec<&str> = variables.iter().map(|v| v.1).collect();
    if !claims.is_empty() && dice.below(2) == 0 {
        invariant.push(dice.pick(&claims));
    }
    let mut text = String::from("MACHINE M SETS S; T\n");
    if !constants.is_empty() {
        let names: Vec<&str> = constants.iter().map(|c| c.0).collect();
        let mut properties: Vec<&str> = constants.iter().map(|c| c.1).collect();
        if names.contains(&"c") && names.contains(&"d") && dice.below(2) == 0 {
            properties.push("c /= d");
        }
        text += &format!("CONSTANTS {}\nPROPERTIES {}\n", names.join(", "), properties.join(" & "));
    }
    let list = |of: fn(&&Variable) -> &'static str, between: &str| -> String {
        variables.iter().map(of).collect::<Vec<_>>().join(between)
    };
    text += &format!("VARIABLES {}\nINVARIANT {}\n", list(|v| v.0, ", "), invariant.join(" & "));
    text += &format!("INITIALISATION {}\n", list(|v| v.2, " || "));
    text += &format!("OPERATIONS\n{}\nEND\n", operations.join(";\n"));
    (text, [("S", 2 + dice.below(3) as u64), ("T", 1 + dice.below(3) as u64)])
}
