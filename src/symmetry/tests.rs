//! The labelling against brute force: every permutation of the group tried.

mod flat;
mod regular;

use super::*;
use crate::clock::Clock;
use crate::machine::{SetId, Type};
use crate::value::{Index, IndexKind, Permutation, Shape, Sizes, Value};
use num_bigint::BigUint;
use std::collections::HashSet;
use std::sync::Arc;

/// A small generator of numbers, the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(2).wrapping_add(1))
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ (self.0 >> 31);
        (x >> 16) % n
    }
}

pub struct World {
    pub group: Group,
    pub sizes: Sizes,
    pub shapes: Vec<Shape>,
}

/// Two to four symmetric sets' worth of types; set 3 is enumerated, with three elements.
pub fn world(random: &mut Random) -> World {
    let deferred = 1 + random.below(3) as u32;
    let mut sizes = vec![1, 1, 1, 3];
    let mut order = 1;
    for size in sizes.iter_mut().take(deferred as usize) {
        let n = 1 + random.below(5);
        let f: u64 = (1..=n).product();
        if order * f <= 300 {
            order *= f;
            *size = n as u32;
        }
    }
    let sets = (0..deferred).map(|s| {
        let fixed: Vec<u32> = if random.below(6) == 0 { vec![0] } else { vec![] };
        SymmetricSet::with_fixed(SetId(s), sizes[s as usize], &fixed)
    });
    let group = Group::new(sets);
    let sizes = Sizes(sizes.into());
    let cells = 1 + random.below(3);
    let shapes = (0..cells).map(|_| Shape::of(&a_type(random, 0, deferred), &sizes)).collect();
    World { group, sizes, shapes }
}

pub fn a_type(random: &mut Random, depth: u32, deferred: u32) -> Type {
    let leaf = |random: &mut Random| match random.below(7) {
        0 => Type::Integer,
        1 => Type::Bool,
        2 => Type::Set(SetId(3)),
        _ => Type::Set(SetId(random.below(deferred as u64) as u32)),
    };
    if depth >= 4 {
        return leaf(random);
    }
    match random.below(if depth == 0 { 7 } else { 10 }) {
        0 | 1 => Type::relation(a_type(random, depth + 2, deferred), leaf(random)),
        2..=4 => Type::pow(a_type(random, depth + 1, deferred)),
        5 => Type::pair(a_type(random, depth + 1, deferred), a_type(random, depth + 1, deferred)),
        6 if random.below(3) == 0 => Type::Record(
            ["a", "b", "c"]
                .iter()
                .map(|f| (Arc::from(*f), a_type(random, depth + 2, deferred)))
                .collect(),
        ),
        6 => Type::pow(Type::pair(
            a_type(random, depth + 2, deferred),
            a_type(random, depth + 2, deferred),
        )),
        _ => leaf(random),
    }
}

pub fn a_value(random: &mut Random, shape: &Shape) -> Value {
    match shape {
        Shape::Integer => match random.below(6) {
            0 => Value::integer(num_bigint::BigInt::from(7) << 80),
            n => Value::Int(n as i64 - 3),
        },
        Shape::Index(u) => Value::Word(a_word(random, u)),
        Shape::Bits(_) | Shape::Set(_) => {
            let n = random.below(5);
            let members: Vec<Value> = (0..n).map(|_| a_value(random, &shape.element())).collect();
            shape.collect(members)
        }
        Shape::Pair(p) => Value::Pair(Arc::new((a_value(random, &p.0), a_value(random, &p.1)))),
        Shape::Record(fs) => Value::Record(fs.iter().map(|f| a_value(random, f)).collect()),
        Shape::Real | Shape::String | Shape::Free(_) => Value::Int(0),
    }
}

fn a_word(random: &mut Random, universe: &Index) -> u64 {
    match &universe.kind {
        IndexKind::Pair(l, r) => a_word(random, l) * r.size as u64 + a_word(random, r),
        IndexKind::Subset(of) => {
            let n = random.below(5);
            (0..n).fold(0, |w, _| w | 1 << a_word(random, of))
        }
        _ => random.below(universe.size as u64),
    }
}

/// The same value with one member of a set taken out or put in, or one part replaced.
pub fn changed(random: &mut Random, shape: &Shape, value: &Value) -> Value {
    let is_set = matches!(shape, Shape::Bits(_) | Shape::Set(_))
        || matches!(shape, Shape::Index(u) if matches!(u.kind, IndexKind::Subset(_)));
    if !is_set {
        return a_value(random, shape);
    }
    let mut members: Vec<Value> = shape.members(value).collect();
    if !members.is_empty() {
        let k = random.below(members.len() as u64) as usize;
        let taken = members.remove(k);
        if random.below(2) == 0 {
            members.push(changed(random, &shape.element(), &taken));
            return shape.collect(members);
        }
    }
    members.push(a_value(random, &shape.element()));
    shape.collect(members)
}

fn cells<'a>(shapes: &'a [Shape], values: &'a [Value]) -> Vec<Cell<'a>> {
    shapes
        .iter()
        .zip(values)
        .enumerate()
        .map(|(i, (shape, value))| Cell { label: i as u32, shape, value })
        .collect()
}

fn label(
    labeller: &mut Labeller,
    shapes: &[Shape],
    values: &[Value],
    generators: bool,
) -> Labelling<Vec<Value>> {
    let cells = cells(shapes, values);
    let generators = if generators { Wanted::All } else { Wanted::None };
    let options = Options { generators };
    labeller.label(&cells, &mut Valuation(&cells), options).unwrap()
}

pub fn apply(shapes: &[Shape], values: &[Value], p: &Permutation) -> Vec<Value> {
    shapes.iter().zip(values).map(|(s, v)| p.apply(s, v)).collect()
}

/// The least image over the whole group, and the automorphisms.
pub fn brute(world: &World, values: &[Value]) -> (Vec<Value>, Vec<Permutation>) {
    let mut least: Option<Vec<Value>> = None;
    let mut automorphisms = Vec::new();
    for p in world.group.all() {
        let image = apply(&world.shapes, values, &p);
        if image == values {
            automorphisms.push(p);
        }
        if least.as_ref().is_none_or(|l| image < *l) {
            least = Some(image);
        }
    }
    (least.unwrap(), automorphisms)
}

fn generated(group: &Group, generators: &[Permutation]) -> HashSet<Permutation> {
    let identity = group.all().next().unwrap();
    let mut found = HashSet::from([identity.clone()]);
    let mut queue = vec![identity];
    while let Some(p) = queue.pop() {
        for g in generators {
            let q = p.then(g);
            if found.insert(q.clone()) {
                queue.push(q);
            }
        }
    }
    found
}

fn check_state(
    world: &World,
    labeller: &mut Labeller,
    values: &[Value],
    note: &str,
) -> (Vec<Value>, Vec<Value>) {
    let (least, automorphisms) = brute(world, values);
    let found = label(labeller, &world.shapes, values, true);
    let quick = label(labeller, &world.shapes, values, false);
    assert_eq!(found.image, quick.image, "{note}");
    assert_eq!(found.aut_order, quick.aut_order, "{note}");
    assert_eq!(
        found.image,
        apply(&world.shapes, values, &found.permutation),
        "the permutation gives the image: {note}"
    );
    assert_eq!(
        found.aut_order,
        Order::Small(automorphisms.len() as u128),
        "{note}: {values:?} {:?}",
        world.shapes
    );
    assert_eq!(found.orbit_size(&world.group) * automorphisms.len(), world.group.order(), "{note}");
    let generated = generated(&world.group, &found.generators.permutations());
    assert_eq!(generated, automorphisms.into_iter().collect(), "{note}: generators");
    assert!(found.generators.permutations().iter().all(|g| !g.is_identity()), "{note}");
    (found.image, least)
}

#[test]
fn images_orders_and_generators_agree_with_brute_force() {
    let mut random = Random::new(11);
    let (mut pairs, mut isomorphic, mut symmetric) = (0, 0, 0);
    for round in 0..900 {
        let world = world(&mut random);
        assert_eq!(world.sizes.0.len(), 4);
        let mut labeller = Labeller::new(world.group.clone());
        let values: Vec<Value> = world.shapes.iter().map(|s| a_value(&mut random, s)).collect();
        let note = format!("round {round}");
        let (image, least) = check_state(&world, &mut labeller, &values, &note);
        symmetric += (image != values) as u32;

        let p = world.group.random(&mut |n| random.below(n as u64) as u32);
        let moved = apply(&world.shapes, &values, &p);
        let other = label(&mut labeller, &world.shapes, &moved, false);
        assert_eq!(image, other.image, "permuted, {note}: {values:?} {:?}", world.shapes);
        pairs += 1;

        for _ in 0..2 {
            let mut changed_values = moved.clone();
            let k = random.below(values.len() as u64) as usize;
            changed_values[k] = changed(&mut random, &world.shapes[k], &moved[k]);
            let (image2, least2) = check_state(&world, &mut labeller, &changed_values, &note);
            assert_eq!(image == image2, least == least2, "changed, {note}");
            isomorphic += (least == least2) as u32;
            pairs += 1;
        }
    }
    assert!(pairs >= 2000);
    assert!(isomorphic > 100, "{isomorphic} of {pairs}");
    assert!(symmetric > 200, "{symmetric}");
}

#[test]
fn denser_states_over_one_set() {
    // Few cells over one set of five: refinement alone decides little here.
    let five = |t: fn(Type) -> Type| Shape::of(&t(Type::Set(SetId(0))), &Sizes(Arc::from([5])));
    let kinds: [fn(Type) -> Type; 4] = [
        |s| Type::relation(s.clone(), s),
        |s| Type::pow(Type::pow(s)),
        |s| Type::relation(Type::pow(s.clone()), s),
        |s| Type::relation(Type::pair(s.clone(), s.clone()), s),
    ];
    let mut random = Random::new(5);
    let mut branched = 0;
    for round in 0..480u64 {
        let shapes = vec![five(kinds[round as usize % 4]), five(kinds[0])];
        let group = Group::new([SymmetricSet::all(SetId(0), 5)]);
        let world = World { group, sizes: Sizes(Arc::from([5])), shapes };
        let mut labeller = Labeller::new(world.group.clone());
        // Closed under a random permutation, so that there are automorphisms.
        let p = world.group.random(&mut |n| random.below(n as u64) as u32);
        let values: Vec<Value> = world
            .shapes
            .iter()
            .map(|s| {
                let mut members: Vec<Value> = Vec::new();
                for _ in 0..1 + random.below(3) {
                    let mut member = a_value(&mut random, &s.element());
                    for _ in 0..random.below(7) {
                        members.push(member.clone());
                        member = p.apply(&s.element(), &member);
                    }
                }
                s.collect(members)
            })
            .collect();
        let note = format!("round {round}");
        let (image, least) = check_state(&world, &mut labeller, &values, &note);
        let q = world.group.random(&mut |n| random.below(n as u64) as u32);
        let moved = apply(&world.shapes, &values, &q);
        let (image2, least2) = check_state(&world, &mut labeller, &moved, &note);
        assert_eq!((&image, &least), (&image2, &least2), "{note}");
        branched += (label(&mut labeller, &world.shapes, &values, false).nodes > 1) as u32;
    }
    assert!(branched > 20, "{branched}");
}

/// A relation on one set as a state of one cell.
fn directed_state(n: u32, edges: &[(u32, u32)]) -> (Labeller, Vec<Shape>, Vec<Value>) {
    let sizes = Sizes(Arc::from([n]));
    let shape = Shape::of(&Type::relation(Type::Set(SetId(0)), Type::Set(SetId(0))), &sizes);
    let value = shape.collect(edges.iter().map(|(u, v)| Value::Word((u * n + v) as u64)));
    let labeller = Labeller::new(Group::new([SymmetricSet::all(SetId(0), n)]));
    (labeller, vec![shape], vec![value])
}

/// The same, made symmetric.
fn graph_state(n: u32, edges: &[(u32, u32)]) -> (Labeller, Vec<Shape>, Vec<Value>) {
    let both: Vec<(u32, u32)> = edges.iter().flat_map(|(u, v)| [(*u, *v), (*v, *u)]).collect();
    directed_state(n, &both)
}

/// The order of the group of a graph and the number of nodes, after looking at what should be the same of its copies.
fn order_of(n: u32, edges: &[(u32, u32)]) -> (Order, u64) {
    order_of_state(n, graph_state(n, edges))
}

fn order_of_state(
    n: u32,
    (mut labeller, shapes, values): (Labeller, Vec<Shape>, Vec<Value>),
) -> (Order, u64) {
    let found = label(&mut labeller, &shapes, &values, true);
    let mut random = Random::new(n as u64);
    for _ in 0..20 {
        let p = labeller.group().random(&mut |n| random.below(n as u64) as u32);
        let moved = apply(&shapes, &values, &p);
        let other = label(&mut labeller, &shapes, &moved, false);
        assert_eq!(other.image, found.image);
        assert_eq!(other.aut_order, found.aut_order);
    }
    for g in &found.generators.permutations() {
        assert_eq!(apply(&shapes, &values, g), values);
    }
    (found.aut_order, found.nodes)
}

fn image_of(n: u32, edges: &[(u32, u32)]) -> Vec<Value> {
    let (mut labeller, shapes, values) = graph_state(n, edges);
    label(&mut labeller, &shapes, &values, false).image
}

#[test]
fn regular_graphs_that_refinement_cannot_split() {
    let petersen: Vec<(u32, u32)> =
        (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (5 + i, 5 + (i + 2) % 5)]).collect();
    assert_eq!(order_of(10, &petersen).0, Order::Small(120));

    let hexagon = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)];
    let triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
    assert_eq!(order_of(6, &hexagon).0, Order::Small(12));
    assert_eq!(order_of(6, &triangles).0, Order::Small(72));
    assert_ne!(image_of(6, &hexagon), image_of(6, &triangles));

    // The 4x4 rook's graph and Shrikhande's: strongly regular with the same parameters.
    let cell = |x: u32, y: u32| (x % 4) * 4 + y % 4;
    let mut rook = Vec::new();
    let mut shrikhande = Vec::new();
    for x in 0..4 {
        for y in 0..4 {
            for k in 1..4 {
                rook.push((cell(x, y), cell(x + k, y)));
                rook.push((cell(x, y), cell(x, y + k)));
            }
            shrikhande.push((cell(x, y), cell(x + 1, y)));
            shrikhande.push((cell(x, y), cell(x, y + 1)));
            shrikhande.push((cell(x, y), cell(x + 1, y + 1)));
        }
    }
    let (order, nodes) = order_of(16, &rook);
    assert_eq!(order, Order::Small(1152));
    assert!(nodes < 60, "{nodes}");
    let (order, nodes) = order_of(16, &shrikhande);
    assert_eq!(order, Order::Small(192));
    assert!(nodes < 100, "{nodes}");
    assert_ne!(image_of(16, &rook), image_of(16, &shrikhande));
}

#[test]
fn disjoint_triangles_and_hypercubes_prune_well() {
    let triangles: Vec<(u32, u32)> = (0..8)
        .flat_map(|t| [(3 * t, 3 * t + 1), (3 * t + 1, 3 * t + 2), (3 * t + 2, 3 * t)])
        .collect();
    // (S3)^8 * 8!
    let expected = 6u128.pow(8) * 40320;
    let (order, nodes) = order_of(24, &triangles);
    assert_eq!(order, Order::Small(expected));
    assert!(nodes < 300, "{nodes}");
    let cube: Vec<(u32, u32)> =
        (0..32u32).flat_map(|v| (0..5).map(move |b| (v, v ^ 1 << b))).collect();
    let (order, nodes) = order_of(32, &cube);
    assert_eq!(order, Order::Small(32 * 120));
    assert!(nodes < 100, "{nodes}");
}

#[test]
fn unused_elements_and_disjoint_edges_need_one_node() {
    let sizes = Sizes(Arc::from([24]));
    let shape = Shape::of(&Type::pow(Type::Set(SetId(0))), &sizes);
    let mut labeller = Labeller::new(Group::new([SymmetricSet::all(SetId(0), 24)]));
    let value = Value::Word(0b1111 << 9);
    let found = label(&mut labeller, &[shape], &[value], true);
    assert_eq!(found.nodes, 1);
    let expected = super::orbit::factorial(20).times(&super::orbit::factorial(4));
    assert_eq!(found.aut_order, expected);
    assert_eq!(found.orbit_size(labeller.group()), BigUint::from(10626u32));
    // A swap and a cycle of either kind of element.
    assert_eq!(found.generators.permutations().len(), 4);

    let matching: Vec<(u32, u32)> = (0..30).map(|i| (2 * i, 2 * i + 1)).collect();
    let (order, nodes) = order_of(60, &matching);
    assert_eq!(nodes, 1);
    assert_eq!(order, super::orbit::factorial(30).times(&Order::Small(1 << 30)));
}

#[test]
fn nested_values_that_the_drawing_confuses_are_told_apart() {
    // {a |-> {b}} and {a |-> {a, b}}, both in relations over sets.
    let sizes = Sizes(Arc::from([3]));
    let set = Type::Set(SetId(0));
    let shape = Shape::of(&Type::relation(set.clone(), Type::pow(set)), &sizes);
    let mut labeller = Labeller::new(Group::new([SymmetricSet::all(SetId(0), 3)]));
    let maplet = |a: u64, bs: u64| shape.collect([Value::Word(a * 8 + bs)]);
    let shapes = [shape.clone()];
    let one = label(&mut labeller, &shapes, &[maplet(0, 0b010)], false);
    let two = label(&mut labeller, &shapes, &[maplet(0, 0b011)], false);
    let three = label(&mut labeller, &shapes, &[maplet(2, 0b001)], false);
    assert_ne!(one.image, two.image);
    assert_eq!(one.image, three.image);
}

#[test]
fn an_interrupt_ends_the_labelling() {
    let (mut labeller, shapes, values) = graph_state(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
    let cells = cells(&shapes, &values);
    let clock = Clock::new();
    clock.interrupt();
    let options = Options::default();
    let ended = clock.run(|| labeller.label(&cells, &mut Valuation(&cells), options));
    assert!(ended.is_none());
    assert!(labeller.label(&cells, &mut Valuation(&cells), Options::default()).is_some());
}

#[test]
fn the_matrix_of_all_states_of_an_orbit_is_the_same() {
    let mut random = Random::new(23);
    for round in 0..300 {
        let world = world(&mut random);
        let mut labeller = Labeller::new(world.group.clone());
        let values: Vec<Value> = world.shapes.iter().map(|s| a_value(&mut random, s)).collect();
        let p = world.group.random(&mut |n| random.below(n as u64) as u32);
        let moved = apply(&world.shapes, &values, &p);
        let mut print = |values: &[Value]| {
            let found = label(&mut labeller, &world.shapes, values, false);
            let graph = StateGraph::draw(world.group.sets(), &cells(&world.shapes, values));
            let place = |v: usize| graph.place(v, &found.permutation);
            let walk = graph.walk(place).unwrap();
            let cells = walk.equitable.iter().map(Vec::len).collect();
            let matrix = graph.matrix(walk.order, cells, |_| String::new());
            (matrix.canonical_label(), matrix.cells)
        };
        assert_eq!(print(&values), print(&moved), "round {round}");
    }
}

/// Too large for brute force: the images of permuted states must agree, the generators must be
/// automorphisms, and where the group is small they must generate exactly as many as its order says.
#[test]
fn larger_states_made_of_cycles_trees_and_marks() {
    let mut random = Random::new(77);
    let (mut branched, mut closed, mut large) = (0, 0, 0);
    for round in 0..900u64 {
        let n = 8 + random.below(7) as u32;
        let sizes = Sizes(Arc::from([n, 4]));
        let (a, b) = (Type::Set(SetId(0)), Type::Set(SetId(1)));
        let shapes = vec![
            Shape::of(&Type::relation(a.clone(), a.clone()), &sizes),
            Shape::of(&Type::relation(a.clone(), b.clone()), &sizes),
            Shape::of(&Type::pow(Type::pow(a.clone())), &sizes),
            Shape::of(&Type::relation(a, Type::Integer), &sizes),
        ];
        let group = Group::new([SymmetricSet::all(SetId(0), n), SymmetricSet::all(SetId(1), 4)]);
        let n = n as u64;
        let mut edges: Vec<(u64, u64)> = Vec::new();
        let mut at = 0;
        while at < n {
            let k = 1 + random.below(5).min(n - at - 1);
            match random.below(4) {
                0 => edges.extend((0..k).map(|i| (at + i, at + (i + 1) % k))),
                1 => edges.extend((1..k).map(|i| (at, at + i))),
                2 => edges.extend((0..k * k).map(|i| (at + i / k, at + i % k))),
                _ => {}
            }
            at += k;
        }
        if round % 3 == 0 {
            // The complement: the background is a label, not the absence of one.
            edges = (0..n * n).map(|w| (w / n, w % n)).filter(|e| !edges.contains(e)).collect();
        }
        let few = if round % 2 == 0 { random.below(3) } else { 0 };
        let values = vec![
            shapes[0].collect(edges.iter().map(|(u, v)| Value::Word(u * n + v))),
            shapes[1].collect((0..few * 2).map(|i| Value::Word(i * 4 + random.below(4)))),
            shapes[2].collect((0..few).map(|_| Value::Word(random.below(1 << n)))),
            shapes[3].collect((0..few).map(|i| {
                Value::Pair(Arc::new((Value::Word(random.below(n)), Value::Int(i as i64 / 2))))
            })),
        ];
        let mut labeller = Labeller::new(group.clone());
        let found = label(&mut labeller, &shapes, &values, true);
        let order = found.aut_order.to_biguint();
        branched += (found.nodes > 1) as u32;
        for g in &found.generators.permutations() {
            assert_eq!(apply(&shapes, &values, g), values, "round {round}");
        }
        if order <= BigUint::from(2000u32) {
            closed += (order > BigUint::from(1u32)) as u32;
            let size = generated(&group, &found.generators.permutations()).len();
            assert_eq!(BigUint::from(size), order, "round {round}");
        } else {
            large += 1;
        }
        for _ in 0..4 {
            let p = group.random(&mut |n| random.below(n as u64) as u32);
            let moved = apply(&shapes, &values, &p);
            let other = label(&mut labeller, &shapes, &moved, true);
            assert_eq!(other.image, found.image, "round {round}");
            assert_eq!(other.aut_order, found.aut_order, "round {round}");
        }
    }
    assert!(branched > 40 && closed > 150 && large > 60, "{branched} {closed} {large}");
}

/// Number of automorphisms of a relation, by plain backtracking.
fn count_automorphisms(n: usize, related: &[bool], images: &mut Vec<usize>) -> u128 {
    if images.len() == n {
        return 1;
    }
    let u = images.len();
    let mut count = 0;
    for image in 0..n {
        let fits = !images.contains(&image)
            && related[u * n + u] == related[image * n + image]
            && images.iter().enumerate().all(|(v, w)| {
                related[u * n + v] == related[image * n + w]
                    && related[v * n + u] == related[w * n + image]
            });
        if fits {
            images.push(image);
            count += count_automorphisms(n, related, images);
            images.pop();
        }
    }
    count
}

/// Regular relations: refinement alone does nothing, and the leaves fall into several orbits.
#[test]
fn unions_of_permutations_agree_with_backtracking() {
    let mut random = Random::new(41);
    let mut orders: HashSet<u128> = HashSet::new();
    let mut images: HashSet<Vec<Value>> = HashSet::new();
    for round in 0..400u64 {
        let n = 6 + random.below(6) as usize;
        // Out-degree 2 or 3; every other relation is the union of two equal halves, or symmetric.
        let half = if round % 2 == 0 { n / 2 } else { n };
        let mut related = vec![false; n * n];
        for _ in 0..1 + random.below(3) {
            let mut to: Vec<usize> = (0..half).collect();
            for i in (1..half).rev() {
                to.swap(i, random.below(i as u64 + 1) as usize);
            }
            for u in 0..n / half * half {
                let v = u / half * half + to[u % half];
                related[u * n + v] = true;
                if round % 3 == 0 {
                    related[v * n + u] = true;
                }
            }
        }
        let edges: Vec<u64> = (0..(n * n) as u64).filter(|w| related[*w as usize]).collect();
        let (mut labeller, shapes, _) = graph_state(n as u32, &[]);
        let values = vec![shapes[0].collect(edges.into_iter().map(Value::Word))];
        let expected = count_automorphisms(n, &related, &mut Vec::new());
        let found = label(&mut labeller, &shapes, &values, true);
        assert_eq!(found.aut_order, Order::Small(expected), "round {round}");
        if expected <= 1000 {
            let size = generated(labeller.group(), &found.generators.permutations()).len();
            assert_eq!(size as u128, expected, "round {round}");
        }
        for _ in 0..6 {
            let p = labeller.group().random(&mut |n| random.below(n as u64) as u32);
            let moved = apply(&shapes, &values, &p);
            let other = label(&mut labeller, &shapes, &moved, false);
            assert_eq!(other.image, found.image, "round {round}");
            assert_eq!(other.aut_order, found.aut_order, "round {round}");
        }
        orders.insert(expected);
        images.insert(found.image);
    }
    assert!(orders.len() > 15 && images.len() > 200, "{} {}", orders.len(), images.len());
}

#[test]
fn leaves_in_several_orbits() {
    // A hexagon beside two triangles: degrees tell nothing, yet there are two kinds of vertices.
    let mixed = [
        [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)],
        [(6, 7), (7, 8), (8, 6), (9, 10), (10, 11), (11, 9)],
    ];
    assert_eq!(order_of(12, &mixed.concat()).0, Order::Small(12 * 72));
}

/// Rings that go through several cells, have several lengths, and are directed or not.
#[test]
fn rings_need_one_node() {
    let cycle = |from: u32, n: u32| (0..n).map(move |i| (from + i, from + (i + 1) % n));
    let directed = |n, edges: &[(u32, u32)]| order_of_state(n, directed_state(n, edges));
    let fours: Vec<(u32, u32)> = (0..16).flat_map(|i| cycle(4 * i, 4)).collect();
    let (order, nodes) = order_of(64, &fours);
    let factorial = |n: u32| (1..=n).map(BigUint::from).product::<BigUint>();
    assert_eq!(order.to_biguint(), BigUint::from(8u32).pow(16) * factorial(16));
    assert_eq!(nodes, 1);
    let (order, _) = directed(64, &fours);
    assert_eq!(order.to_biguint(), BigUint::from(4u32).pow(16) * factorial(16));
    let mixed: Vec<(u32, u32)> = cycle(0, 3).chain(cycle(3, 6)).chain(cycle(9, 3)).collect();
    assert_eq!(order_of(12, &mixed), (Order::Small(6 * 6 * 2 * 12), 1));
    // Every other point leads on to both sides: there is no way round that follows the arrows.
    let to_and_fro = |from: u32, n: u32| {
        cycle(from, n).map(|(u, v)| if u % 2 == 0 { (u, v) } else { (v, u) }).collect::<Vec<_>>()
    };
    let edges = [to_and_fro(0, 6), to_and_fro(6, 6), to_and_fro(12, 8)].concat();
    assert_eq!(directed(20, &edges), (Order::Small(6 * 6 * 2 * 8), 1));
    // Two steps one way and two the other.
    let turns = |from: u32, n: u32| {
        cycle(from, n)
            .map(|(u, v)| if u / 2 % 2 == 0 { (u, v) } else { (v, u) })
            .collect::<Vec<_>>()
    };
    let edges = [turns(0, 8), turns(8, 8)].concat();
    assert_eq!(directed(16, &edges), (Order::Small(4 * 4 * 2), 1));
}

#[test]
fn everything_but_a_matching() {
    // n names and n codes, every name related to all codes but its own.
    let n = 6u64;
    let sizes = Sizes(Arc::from([6, 6]));
    let shapes = [Shape::of(&Type::relation(Type::Set(SetId(0)), Type::Set(SetId(1))), &sizes)];
    let values =
        [shapes[0].collect((0..n * n).filter(|w| w / n != (w % n + 2) % n).map(Value::Word))];
    let group = Group::new((0..2).map(|s| SymmetricSet::all(SetId(s), 6)));
    let mut labeller = Labeller::new(group.clone());
    let found = label(&mut labeller, &shapes, &values, true);
    assert_eq!(found.nodes, 1);
    assert_eq!(found.aut_order, Order::Small(720));
    assert_eq!(generated(&group, &found.generators.permutations()).len(), 720);
    let mut random = Random::new(1);
    for _ in 0..20 {
        let p = group.random(&mut |n| random.below(n as u64) as u32);
        let moved = apply(&shapes, &values, &p);
        assert_eq!(label(&mut labeller, &shapes, &moved, false).image, found.image);
    }
}
