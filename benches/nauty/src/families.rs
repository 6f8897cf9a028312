//! Random graphs and highly symmetric ones, as states: relations over one deferred set.

use crate::ours::{Ours, State};
use burnside::eval::Evaluator;
use burnside::session::{Origin, Session};
use burnside::setup::SetupOptions;
use burnside::value::{Shape, Value};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    State,
    Random,
    Symmetric,
}

/// States of one origin and one size.
pub struct Family {
    pub kind: Kind,
    pub name: String,
    pub vertices: usize,
    pub states: Vec<State>,
    pub ours: Ours,
}

/// A small generator of numbers, the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// A machine with a colouring of the deferred set V (if there are several colours), and so many
/// relations on it; its layout is all that is wanted.
fn machine(n: usize, colours: u64, relations: u64) -> Ours {
    let list =
        |name: &str, k: u64| (0..k).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let mut text = format!("MACHINE Graphs SETS V; C = {{{}}}\n", list("c", colours));
    text += &format!("VARIABLES colouring, {}\n", list("r", relations));
    text += "INVARIANT colouring : V --> C";
    (0..relations).for_each(|i| text += &format!(" & r{i} : V <-> V"));
    text += "\nINITIALISATION colouring := V * {c0}";
    (0..relations).for_each(|i| text += &format!(" || r{i} := {{}}"));
    text += "\nEND\n";
    let origin = Origin::Embedded { name: "graphs".into(), text };
    let cards = vec![("V".to_string(), n as u64)];
    let session = Session::open(origin, SetupOptions { cards, ..SetupOptions::default() });
    let Some(model) = session.model() else { panic!("{:?}", session.diagnostics()) };
    Ours::new(model, Evaluator::new(model.program.clone()).interner().clone())
}

/// Packs a state of such a machine, given as numbers of pairs.
fn pack(ours: &mut Ours, shapes: &[Shape], pairs: Vec<Vec<u64>>) -> State {
    let words = |list: Vec<u64>| list.into_iter().map(Value::Word);
    ours.pack(shapes.iter().zip(pairs).map(|(s, list)| s.collect(words(list))).collect())
}

/// Random digraphs with `edges` edges, whose vertices have one of `colours` colours and whose edges
/// one of as many labels.
pub fn random(name: &str, n: usize, colours: u64, edges: usize, graphs: usize) -> Family {
    let mut ours = machine(n, colours, colours);
    let shapes = ours.shapes();
    let mut random = Random(n as u64 + edges as u64);
    let states = (0..graphs).map(|_| {
        let mut pairs = vec![(0..n as u64).map(|v| v * colours + random.below(colours)).collect()];
        let mut labelled: Vec<Vec<u64>> = vec![Vec::new(); colours as usize];
        let mut used = std::collections::HashSet::new();
        while used.len() < edges {
            let (u, v) = (random.below(n as u64), random.below(n as u64));
            if u != v && used.insert((u, v)) {
                labelled[random.below(colours) as usize].push(u * n as u64 + v);
            }
        }
        pairs.extend(labelled);
        pack(&mut ours, &shapes, pairs)
    });
    let states: Vec<State> = states.collect();
    Family { kind: Kind::Random, name: name.into(), vertices: n, states, ours }
}

/// Undirected edges.
type Edges = Vec<(usize, usize)>;

fn symmetric_family(name: &str, n: usize, graphs: Vec<Edges>) -> Family {
    let mut ours = machine(n, 1, 1);
    let shapes = ours.shapes();
    let states = graphs.iter().map(|edges| {
        let both = edges.iter().flat_map(|(u, v)| [u * n + v, v * n + u]).map(|w| w as u64);
        pack(&mut ours, &shapes, vec![(0..n as u64).collect(), both.collect()])
    });
    let states = states.collect();
    Family { kind: Kind::Symmetric, name: name.into(), vertices: n, states, ours }
}

fn where_joined(n: usize, joined: impl Fn(usize, usize) -> bool) -> Edges {
    (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))).filter(|(u, v)| joined(*u, *v)).collect()
}

fn cycles(n: usize, length: usize) -> Edges {
    let next = |v: usize| if v % length == length - 1 { v + 1 - length } else { v + 1 };
    (0..n).map(|v| (v, next(v))).collect()
}

/// Joined where the difference is a square, modulo a prime that is 1 modulo 4.
fn paley(q: usize) -> Edges {
    let squares: std::collections::HashSet<usize> = (1..q).map(|x| x * x % q).collect();
    where_joined(q, |u, v| squares.contains(&(v - u)))
}

/// Points against lines of the projective plane over the numbers modulo a prime.
fn projective_plane(q: usize) -> (usize, Edges) {
    let mut points = vec![[0, 0, 1]];
    points.extend((0..q).map(|a| [0, 1, a]));
    points.extend((0..q * q).map(|i| [1, i / q, i % q]));
    let m = points.len();
    let on = |p: &[usize; 3], l: &[usize; 3]| {
        p.iter().zip(l).map(|(a, b)| a * b).sum::<usize>().is_multiple_of(q)
    };
    (2 * m, where_joined(2 * m, |u, v| u < m && v >= m && on(&points[u], &points[v - m])))
}

/// Cells of a square joined in a row or a column, and, for a Latin square, with equal entries.
fn rook(k: usize, entry: impl Fn(usize, usize) -> Option<usize>) -> Edges {
    where_joined(k * k, |u, v| {
        let ((a, b), (c, d)) = ((u / k, u % k), (v / k, v % k));
        a == c || b == d || (entry(a, b).is_some() && entry(a, b) == entry(c, d))
    })
}

/// The strongly regular graph with the parameters of the 4 x 4 rook's graph that is not it.
fn shrikhande() -> Edges {
    where_joined(16, |u, v| {
        let difference = ((v / 4 + 4 - u / 4) % 4, (v % 4 + 4 - u % 4) % 4);
        matches!(difference, (0, 1) | (0, 3) | (1, 0) | (3, 0) | (1, 1) | (3, 3))
    })
}

/// Pairs out of `k`, joined where they share an element.
fn triangular(k: usize) -> (usize, Edges) {
    let pairs = where_joined(k, |_, _| true);
    let share =
        |p: (usize, usize), q: (usize, usize)| p.0 == q.0 || p.0 == q.1 || p.1 == q.0 || p.1 == q.1;
    (pairs.len(), where_joined(pairs.len(), |u, v| share(pairs[u], pairs[v])))
}

/// The graph of Cai, Fuerer and Immerman over a cubic one given as a ladder closed to a ring (twisted
/// or not): four vertices and three pairs for each vertex of it, equal in everything that refinement
/// sees.
fn cfi(rungs: usize, twisted: bool) -> (usize, Edges) {
    let base = 2 * rungs;
    let around = |v: usize, step: usize| (v / 2 + step) % rungs * 2 + v % 2;
    let neighbours = |v: usize| [around(v, 1), around(v, rungs - 1), v ^ 1];
    // Vertex v: 10 v .. 10 v + 4 are the even subsets of its edges, then two ends for each edge.
    let mut edges = Edges::new();
    for v in 0..base {
        for (i, subset) in [0b000, 0b011, 0b101, 0b110].into_iter().enumerate() {
            edges.extend((0..3).map(|e| (10 * v + i, 10 * v + 4 + 2 * e + (subset >> e & 1))));
        }
        for (e, w) in neighbours(v).into_iter().enumerate() {
            if v < w {
                // The way back round a ring; a rung is its own.
                let f = [1, 0, 2][e];
                let f = if neighbours(w)[f] == v { f } else { e };
                let cross = (twisted && v == 0 && e == 2) as usize;
                edges.extend(
                    (0..2).map(|s| (10 * v + 4 + 2 * e + s, 10 * w + 4 + 2 * f + (s ^ cross))),
                );
            }
        }
    }
    (10 * base, edges)
}

/// Copies side by side.
fn union(parts: &[(usize, Edges)]) -> (usize, Edges) {
    let mut n = 0;
    let mut edges = Edges::new();
    for (size, part) in parts {
        edges.extend(part.iter().map(|(u, v)| (u + n, v + n)));
        n += size;
    }
    (n, edges)
}

pub fn symmetric() -> Vec<Family> {
    let mut all = Vec::new();
    for n in [8usize, 16, 32, 64] {
        let bits = n.trailing_zeros() as usize;
        let cube = where_joined(n, |u, v| (u ^ v).is_power_of_two());
        let folded = where_joined(n, |u, v| {
            (u ^ v).is_power_of_two() || (u ^ v).count_ones() as usize == bits
        });
        let halves = where_joined(n, |u, v| (u % 2) != (v % 2));
        let lists: [(&str, Edges); 8] = [
            ("empty", Vec::new()),
            ("complete", where_joined(n, |_, _| true)),
            ("complete bipartite", halves),
            ("cycle", cycles(n, n)),
            ("cycles of 4", cycles(n, 4)),
            ("cycles of n/2", cycles(n, n / 2)),
            ("hypercube", cube),
            ("folded hypercube", folded),
        ];
        all.extend(lists.into_iter().map(|(name, edges)| symmetric_family(name, n, vec![edges])));
        let squares: Vec<Edges> =
            (0..4).map(|k| union(&vec![(8, cycles(8, 8 >> (k % 2))); n / 8]).1).collect();
        all.push(symmetric_family("equal cycles", n, squares[..2].to_vec()));
    }
    for q in [13, 29, 61] {
        all.push(symmetric_family("Paley", q, vec![paley(q)]));
    }
    for q in [2, 3, 5] {
        let (n, plane) = projective_plane(q);
        all.push(symmetric_family("projective plane", n, vec![plane]));
    }
    for k in [4, 6, 8] {
        let cyclic = rook(k, |a, b| Some((a + b) % k));
        let other = rook(k, |a, b| Some(if k.is_power_of_two() { a ^ b } else { (a + 5 * b) % k }));
        all.push(symmetric_family("rook", k * k, vec![rook(k, |_, _| None)]));
        all.push(symmetric_family("Latin square", k * k, vec![cyclic, other]));
    }
    for k in [5, 8, 11] {
        let (n, edges) = triangular(k);
        all.push(symmetric_family("triangular", n, vec![edges]));
    }
    let (four, odd) = ((16, rook(4, |_, _| None)), (16, shrikhande()));
    for n in [1, 2, 4] {
        let mixed = (0..=n).map(|k| [vec![four.clone(); n - k], vec![odd.clone(); k]].concat());
        let graphs = mixed.map(|parts| union(&parts).1).collect();
        all.push(symmetric_family("rook and Shrikhande", 16 * n, graphs));
    }
    for rungs in [2, 3] {
        let graphs = [false, true].map(|twisted| cfi(rungs, twisted));
        let n = graphs[0].0;
        all.push(symmetric_family("Cai-Fuerer-Immerman", n, graphs.map(|g| g.1).to_vec()));
    }
    all
}
