//! Canonical labelling against nauty and Traces: the same graphs, in the same run, building the
//! graph included. Every graph is measured with a permuted copy beside it, and the classes that the
//! programs sort them into must be the same, as must the orders of the groups.
//!
//! Ours is timed from a packed state to its packed canonical image; theirs from the packed state, read by
//! the same reader and encoded, to their canonical graph. (Numbers for sets of edge labels are chosen
//! beforehand, which spares them a sort.)
//!
//! An argument runs only the families whose names contain it.

mod families;
mod models;
mod ours;
mod plain;
mod theirs;

use burnside::symmetry::Drawing;
use families::{Family, Kind, Random};
use plain::Plain;
use std::collections::HashMap;
use std::hash::Hash;
use std::path::Path;
use std::time::Instant;
use theirs::{Bench, Program};

const SIZES: [usize; 4] = [8, 16, 32, 64];
/// Of each family and size.
const GRAPHS: usize = 40;
/// The fastest of these is a graph's time; the programs take turns.
const ROUNDS: usize = 9;

const PROGRAMS: [Program; 3] = [Program::Nauty, Program::NautySplit, Program::Traces];

/// Numbers classes in the order in which they are met.
struct Classes<K>(HashMap<K, usize>);

impl<K: Hash + Eq> Classes<K> {
    fn number(&mut self, key: K) -> usize {
        let next = self.0.len();
        *self.0.entry(key).or_insert(next)
    }
}

/// Seconds for one family, graph by graph: ours, then each of [`PROGRAMS`].
struct Times(Vec<(f64, [f64; 3])>);

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list[list.len() / 2]
}

impl Times {
    fn ratios(&self) -> Vec<f64> {
        self.0
            .iter()
            .map(|(ours, theirs)| ours / theirs.iter().copied().fold(f64::MAX, f64::min))
            .collect()
    }
}

fn measure(family: &mut Family) -> Times {
    let mut random = Random(family.states.len() as u64);
    let mut below = |n: u32| random.below(n as u64) as u32;
    let copies: Vec<ours::State> =
        family.states.iter().map(|s| family.ours.permuted(s, &mut below)).collect();
    let mut bench = Bench::new();
    let (mut ours, mut theirs) =
        (Classes(HashMap::new()), [(); 3].map(|()| Classes(HashMap::new())));
    let mut times = Vec::new();
    for (i, state) in family.states.iter().chain(&copies).enumerate() {
        let note = format!("{} {} graph {i}", family.name, family.vertices);
        let drawing: Drawing = family.ours.drawing(state);
        let plain = Plain::new(&drawing);
        let fixed = family.ours.fixed(state);
        let mut best = (f64::MAX, [f64::MAX; 3]);
        let mut result = None;
        for _ in 0..ROUNDS {
            result = ours::Ours::limited(|| {
                let begun = Instant::now();
                let result = family.ours.label(state);
                best.0 = best.0.min(begun.elapsed().as_secs_f64());
                result
            });
            for (program, best) in PROGRAMS.iter().zip(&mut best.1) {
                let begun = Instant::now();
                family.ours.read(state);
                bench.label(&plain, *program);
                *best = best.min(begun.elapsed().as_secs_f64());
            }
            if best.0 > 0.5 {
                break;
            }
        }
        times.push(best);
        let Some((image, order)) = result else {
            println!("{note}: given up after {:.1} s", best.0);
            continue;
        };
        let class = ours.number(image);
        let order: f64 = order.to_biguint().to_string().parse().unwrap_or(f64::INFINITY);
        for (program, known) in PROGRAMS.iter().zip(&mut theirs) {
            bench.label(&plain, *program);
            let found = bench.found();
            assert!(
                (found.order - order).abs() <= 1e-6 * order,
                "{note}: {program:?} finds {} automorphisms, we {order}",
                found.order
            );
            let other = known.number((fixed.clone(), plain.header.clone(), found.canonical));
            assert_eq!(class, other, "{note}: {program:?} sorts it into another class");
        }
    }
    Times(times)
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let chosen = |name: &str| wanted.is_empty() || wanted.iter().any(|w| name.contains(w));
    let mut all = Vec::new();
    let machines = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models"));
    for n in SIZES {
        all.extend(models::families(machines, n, GRAPHS, chosen));
        all.push(families::random("random, 3 colours, 3 labels, 2n edges", n, 3, 2 * n, GRAPHS));
        all.push(families::random("random, 1 colour, 1 label, n/2 edges", n, 1, n / 2, GRAPHS));
    }
    all.extend(families::symmetric());
    all.retain(|f: &Family| chosen(&f.name));
    all.sort_by(|a, b| (a.kind, &a.name, a.vertices).cmp(&(b.kind, &b.name, b.vertices)));
    println!(
        "{:<38} {:>8} {:>6} {:>10} {:>10} {:>10} {:>10}  ratio: median, greatest",
        "median microseconds", "vertices", "graphs", "burnside", "nauty", "nauty*", "Traces"
    );
    let mut by_kind: HashMap<Kind, Vec<f64>> = HashMap::new();
    for family in &mut all {
        let times = measure(family);
        let ratios = times.ratios();
        let micro = |list: Vec<f64>| median(list) * 1e6;
        let theirs = |i: usize| micro(times.0.iter().map(|t| t.1[i]).collect());
        println!(
            "{:<38} {:>8} {:>6} {:>10.2} {:>10.2} {:>10.2} {:>10.2}  {:>6.2} {:>8.2}",
            family.name,
            family.vertices,
            times.0.len(),
            micro(times.0.iter().map(|t| t.0).collect()),
            theirs(0),
            theirs(1),
            theirs(2),
            median(ratios.clone()),
            ratios.iter().copied().fold(0., f64::max),
        );
        by_kind.entry(family.kind).or_default().extend(ratios);
    }
    println!("nauty*: directed graphs with every vertex split in two, as for Traces");
    println!("classes and orders of groups: the same");
    for (kind, name) in [
        (Kind::State, "states of our machines"),
        (Kind::Random, "random digraphs"),
        (Kind::Symmetric, "highly symmetric"),
    ] {
        if let Some(ratios) = by_kind.remove(&kind) {
            let worst = ratios.iter().copied().fold(0., f64::max);
            println!("{name}: median ratio {:.2}, greatest {worst:.2}", median(ratios));
        }
    }
}
