//! How long constraints take, from the start of the program to its end: `cargo bench --bench solving`.
//!
//! Each case is a machine, of `models/` or written here, that is solved by `burnside check` on one thread, or for
//! its first solution by `burnside solve --first 1`; most of them in several wordings that say the same. The
//! numbers of solutions are asserted: a fast wrong solver is no solver. The median of some runs is printed, by
//! the clock.
//!
//! An argument takes only the cases whose name contains it: `cargo bench --bench solving -- queens`.

use std::fmt::Write;
use std::process::Command;
use std::time::Instant;

const RUNS: usize = 5;

struct Case {
    name: String,
    text: String,
    /// Number of set-ups; of one whose first solution is asked for, none.
    solutions: Option<usize>,
}

fn case(name: &str, constants: &str, properties: &str, solutions: usize) -> Case {
    let text = format!("MACHINE case\nCONSTANTS {constants}\nPROPERTIES {properties}\nEND\n");
    Case { name: name.to_owned(), text, solutions: Some(solutions) }
}

fn model(name: &str, solutions: usize) -> Case {
    let file = format!("{}/models/{name}.mch", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
    Case { name: name.to_owned(), text, solutions: Some(solutions) }
}

const QUEENS: [(&str, &str); 3] = [
    (
        "",
        "q : 1..n >->> 1..n & !(i,j).(i : 1..n & j : 1..n & i < j =>
           q(j) - q(i) /= j - i & q(i) - q(j) /= j - i)",
    ),
    (
        " as a permutation",
        "!(b,a).(a : 1..n & b : a+1..n => not(q(a) + b = q(b) + a) & not(q(a) + a = q(b) + b)) &
         q : perm(1..n)",
    ),
    (
        " by cardinalities",
        "q : 1..n --> 1..n & card(ran(q)) = n &
         !(a,b).(a : 1..n & b : 1..n & a /= b => q(a) + b /= q(b) + a & q(a) + a /= q(b) + b)",
    ),
];

fn queens(n: usize, (wording, text): (&str, &str), solutions: Option<usize>) -> Case {
    let all = if solutions.is_some() { "all" } else { "the first" };
    let name = format!("queens {n}{wording}, {all}");
    Case { solutions, ..case(&name, "n, q", &format!("n = {n} & {text}"), 0) }.named(name)
}

impl Case {
    fn named(self, name: String) -> Case {
        Case { name, ..self }
    }
}

/// Clauses of three over these variables that one assignment makes true, from a fixed sequence of numbers.
fn clauses(variables: usize, number: usize) -> Vec<[(usize, bool); 3]> {
    let mut state = 88172645463325252u64;
    let mut next = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    };
    let hidden: Vec<bool> = (0..variables).map(|_| next(2) == 1).collect();
    let mut found = Vec::new();
    while found.len() < number {
        let clause = [0; 3].map(|_| (next(variables), next(2) == 1));
        let [a, b, c] = clause.map(|(v, _)| v);
        if a != b && b != c && a != c && clause.iter().any(|(v, sign)| hidden[*v] == *sign) {
            found.push(clause);
        }
    }
    found
}

fn satisfiability() -> Vec<Case> {
    let clauses = clauses(50, 213);
    let truth = |sign: bool| if sign { "TRUE" } else { "FALSE" };
    let names: Vec<String> = (0..50).map(|v| format!("x{v}")).collect();
    let mut apart: String = names.iter().map(|x| format!("{x} : BOOL & ")).collect();
    let mut function = "x : 0..49 --> BOOL".to_owned();
    for (i, clause) in clauses.iter().enumerate() {
        let either = clause.map(|(v, sign)| format!("x{v} = {}", truth(sign))).join(" or ");
        write!(apart, "{}({either})", if i == 0 { "" } else { " & " }).expect("a string");
        let neither = clause.map(|(v, sign)| format!("x({v}) /= {}", truth(sign))).join(" & ");
        write!(function, " & not({neither})").expect("a string");
    }
    let first = |name: &str, constants: &str, properties: &str| Case {
        solutions: None,
        ..case(name, constants, properties, 0)
    };
    vec![
        first("sat of 50 booleans, the first", &names.join(", "), &apart),
        first("sat of 50 booleans as a function, the first", "x", &function),
    ]
}

/// Petersen's graph and a copy of it with other numbers: as many isomorphisms as it has automorphisms.
fn isomorphism() -> Vec<Case> {
    let graphs =
        "g = UNION(i).(i : 0..4 | {i |-> (i+1) mod 5, (i+1) mod 5 |-> i, i |-> i+5, i+5 |-> i,
           i+5 |-> 5 + (i+2) mod 5, 5 + (i+2) mod 5 |-> i+5}) &
         h = {x,y | x : 0..9 & y : 0..9 & (x*3) mod 10 |-> (y*3) mod 10 : g} & p : 0..9 >->> 0..9";
    [
        ("", "!(x,y).(x |-> y : g => p(x) |-> p(y) : h)"),
        (" by images", "!x.(x : 0..9 => p[g[{x}]] = h[{p(x)}])"),
        (" both ways", "!(a,b).(a : 0..9 & b : 0..9 => (p(a) |-> p(b) : h <=> a |-> b : g))"),
    ]
    .into_iter()
    .map(|(wording, text)| {
        let name = format!("isomorphism{wording}");
        case(&name, "g, h, p", &format!("{graphs} & {text}"), 120).named(name)
    })
    .collect()
}

fn cases() -> Vec<Case> {
    let mut all = vec![
        model("sudoku", 1),
        model("send_more_money", 1),
        model("colouring", 120),
        case("x * x = y", "x, y", "x : 1..100000 & y : 1..100000 & x * x = y", 316),
        case("y = x ** 2", "y, x", "y = x ** 2 & not(y > 100000) & x : 1..100000", 316),
        case("y + z = 9998", "y, z", "y : 0..9999 & z : 0..9999 & y + z = 9998 & y - z > 9990", 4),
        case(
            "latin squares of 4",
            "l",
            "l : (1..4) * (1..4) --> 1..4 & !(i,j,k).(i : 1..4 & j : 1..4 & k : 1..4 & j < k =>
               l(i,j) /= l(i,k) & l(j,i) /= l(k,i))",
            576,
        ),
        case(
            "latin squares of 4, row by row",
            "l",
            "l : 1..4 --> (1..4 >->> 1..4) & !(i,j,k).(i : 1..4 & j : 1..4 & k : 1..4 & j < k =>
               not(l(j)(i) = l(k)(i)))",
            576,
        ),
    ];
    for (i, wording) in QUEENS.into_iter().enumerate() {
        all.push(queens(8, wording, Some(92)));
        if i < 2 {
            all.extend([20, 40].map(|n| queens(n, wording, None)));
        }
    }
    all.extend(satisfiability());
    all.extend(isomorphism());
    all
}

impl Case {
    fn run(&self, file: &std::path::Path) -> f64 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
        match self.solutions {
            Some(_) => command.args(["check", "--symmetry", "off", "--static-symmetry", "off"]),
            None => command.args(["solve", "--first", "1"]),
        };
        if self.solutions.is_some() {
            command.args(["--keep-going", "--threads", "1", "--format", "json"]);
        }
        let start = Instant::now();
        let output = command.arg(file).output().expect("the program can be started");
        let seconds = start.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        match self.solutions {
            Some(solutions) => {
                let report: serde_json::Value = serde_json::from_str(&text).expect("a report");
                assert_eq!(report["states"], solutions, "{}: {text}", self.name);
            }
            None => assert!(text.contains(" = "), "{}: {text}", self.name),
        }
        seconds
    }
}

fn main() {
    // `cargo bench` itself passes `--bench`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let folder = tempfile::tempdir().expect("a folder for the machines");
    let file = folder.path().join("case.mch");
    let mut ran = 0;
    for case in cases() {
        if !wanted.is_empty() && !wanted.iter().any(|part| case.name.contains(part.as_str())) {
            continue;
        }
        std::fs::write(&file, &case.text).expect("the machine is written");
        let mut seconds: Vec<f64> = (0..RUNS).map(|_| case.run(&file)).collect();
        seconds.sort_by(f64::total_cmp);
        println!("{:<45} {:>8.1} ms", case.name, 1e3 * seconds[RUNS / 2]);
        ran += 1;
    }
    assert!(ran > 0, "no case has that name");
}
