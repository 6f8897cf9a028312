//! Nanoseconds for the canonical labelling of one state, in the same memory.
//!
//! `graph_only` subjects have no image, so that the figure is that of the labelling alone;
//! `with_image` includes one image of the state as values.

use burnside::machine::{SetId, Type};
use burnside::symmetry::{
    Cell, Group, Labeller, Options, Subject, SymmetricSet, Valuation, Wanted,
};
use burnside::value::{Permutation, Shape, Sizes, Value};
use divan::{Bencher, black_box};
use std::sync::Arc;

fn main() {
    divan::main();
}

/// States compared by nothing but their graph: enough to time a labelling without branching.
struct GraphOnly;

impl Subject for GraphOnly {
    type Image = ();

    fn image(&mut self, permutation: &Permutation) {
        black_box(permutation);
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

const STATES: usize = 64;

/// Partial functions from n names to n codes, each name defined with probability one half.
fn phonebooks(n: u32) -> (Group, Shape, Vec<Value>) {
    let sizes = Sizes(Arc::from([n, n]));
    let shape = Shape::of(&Type::relation(Type::Set(SetId(0)), Type::Set(SetId(1))), &sizes);
    let mut random = Random(n as u64);
    let states = (0..STATES)
        .map(|_| {
            let names: Vec<u64> = (0..n as u64).filter(|_| random.below(2) == 0).collect();
            shape.collect(
                names.into_iter().map(|name| Value::Word(name * n as u64 + random.below(n as u64))),
            )
        })
        .collect();
    let sets = (0..2).map(|s| SymmetricSet::all(SetId(s), n));
    (Group::new(sets), shape, states)
}

/// As [`phonebooks`], but no two names share a code.
fn injections(n: u32) -> (Group, Shape, Vec<Value>) {
    let (group, shape, _) = phonebooks(n);
    let mut random = Random(n as u64);
    let states = (0..STATES)
        .map(|_| {
            let mut codes: Vec<u64> = (0..n as u64).collect();
            for i in (1..codes.len()).rev() {
                codes.swap(i, random.below(i as u64 + 1) as usize);
            }
            let members = codes.into_iter().enumerate().filter(|_| random.below(2) == 0);
            let words: Vec<Value> =
                members.map(|(name, code)| Value::Word(name as u64 * n as u64 + code)).collect();
            shape.collect(words)
        })
        .collect();
    (group, shape, states)
}

fn digraphs(n: u32) -> (Group, Shape, Vec<Value>) {
    let sizes = Sizes(Arc::from([n]));
    let shape = Shape::of(&Type::relation(Type::Set(SetId(0)), Type::Set(SetId(0))), &sizes);
    let mut random = Random(n as u64);
    let states = (0..STATES)
        .map(|_| {
            let pairs: Vec<Value> = (0..(n * n) as u64)
                .filter(|_| random.below(n as u64) < 2)
                .map(Value::Word)
                .collect();
            shape.collect(pairs)
        })
        .collect();
    (Group::new([SymmetricSet::all(SetId(0), n)]), shape, states)
}

fn cycles(n: u32) -> (Group, Shape, Vec<Value>) {
    let (group, shape, _) = digraphs(n);
    let pairs = (0..n).map(|i| (i, if i % 3 == 2 { i - 2 } else { i + 1 }));
    let value = shape.collect(pairs.map(|(u, v)| Value::Word((u * n + v) as u64)));
    (group, shape, vec![value; STATES])
}

fn run<S: Subject>(
    bencher: Bencher,
    (group, shape, states): (Group, Shape, Vec<Value>),
    generators: bool,
    subject: impl for<'a> Fn(&'a [Cell<'a>]) -> S + Sync,
) {
    let mut labeller = Labeller::new(group);
    let mut next = 0;
    bencher.counter(divan::counter::ItemsCount::new(1u32)).bench_local(|| {
        next = (next + 1) % states.len();
        let cells = [Cell { label: 0, shape: &shape, value: &states[next] }];
        let generators = if generators { Wanted::All } else { Wanted::None };
        let options = Options { generators };
        let found = labeller.label(&cells, &mut subject(&cells), options);
        black_box(found.map(|f| f.aut_order))
    });
}

#[divan::bench(args = [7, 10, 20, 30])]
fn phonebook_graph_only(bencher: Bencher, n: u32) {
    run(bencher, phonebooks(n), false, |_| GraphOnly);
}

#[divan::bench(args = [7, 10, 20, 30])]
fn phonebook_generators(bencher: Bencher, n: u32) {
    run(bencher, phonebooks(n), true, |_| GraphOnly);
}

#[divan::bench(args = [7, 10, 20, 30])]
fn injection_graph_only(bencher: Bencher, n: u32) {
    run(bencher, injections(n), false, |_| GraphOnly);
}

#[divan::bench(args = [7, 10, 20, 30])]
fn phonebook_with_image(bencher: Bencher, n: u32) {
    image(bencher, phonebooks(n));
}

#[divan::bench(args = [7, 10, 20, 30])]
fn digraph_with_image(bencher: Bencher, n: u32) {
    image(bencher, digraphs(n));
}

#[divan::bench(args = [6, 12, 24])]
fn directed_triangles_with_image(bencher: Bencher, n: u32) {
    image(bencher, cycles(n));
}

fn image(bencher: Bencher, (group, shape, states): (Group, Shape, Vec<Value>)) {
    let mut labeller = Labeller::new(group);
    let mut next = 0;
    bencher.counter(divan::counter::ItemsCount::new(1u32)).bench_local(|| {
        next = (next + 1) % states.len();
        let cells = [Cell { label: 0, shape: &shape, value: &states[next] }];
        let found = labeller.label(&cells, &mut Valuation(&cells), Options::default());
        black_box(found.map(|f| f.image))
    });
}
