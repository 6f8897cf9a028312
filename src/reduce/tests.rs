//! The reductions against brute force on small random states: every permutation of the group tried.

use super::arrays::MainArrays;
use super::images::Arrange;
use super::isomorphism::colouring::{self, Refinement};
use super::isomorphism::graph::{Edge, Graph, Pen};
use super::isomorphism::search::{Coloured, isomorphism};
use super::ranks::{Ties, positions, ranks};
use super::segmented::least;
use super::vectors::Vectors;
use super::*;
use crate::clock::Clock;
use crate::machine::{SetId, Type};
use crate::symmetry::group::{Group, SymmetricSet};
use crate::symmetry::tests::{Random, World, a_value, apply, brute, changed, world};
use crate::value::{Permutation, Shape, Sizes};

fn arrays(world: &World) -> MainArrays {
    let names: Vec<String> = (0..world.shapes.len()).map(|i| format!("v{i}")).collect();
    MainArrays::among(&world.shapes, &names, 0, &world.group, None).unwrap()
}

fn values(random: &mut Random, world: &World) -> Vec<Value> {
    world.shapes.iter().map(|s| a_value(random, s)).collect()
}

/// Some states of a world: random ones, neighbours of them, and images of all those.
fn states(random: &mut Random, world: &World) -> Vec<Vec<Value>> {
    let mut states: Vec<Vec<Value>> = (0..3).map(|_| values(random, world)).collect();
    for i in 0..3 {
        for _ in 0..3 {
            let mut other = states[i].clone();
            let k = random.below(other.len() as u64) as usize;
            other[k] = changed(random, &world.shapes[k], &other[k]);
            states.push(other);
        }
    }
    for i in 0..states.len() {
        let p = world.group.random(&mut |n| random.below(n as u64) as u32);
        states.push(apply(&world.shapes, &states[i], &p));
    }
    states
}

/// The repaired ranks.
fn ranks_of(vectors: &Vectors, state: &[Value]) -> Vec<u32> {
    let entries = vectors.entries(state).unwrap();
    ranks(vectors, &entries, Ties::Fixpoint).unwrap()
}

fn a_permutation(random: &mut Random, group: &Group) -> Permutation {
    group.random(&mut |n| random.below(n as u64) as u32)
}

/// The keys of the approximate methods.
fn keys(
    world: &World,
    vectors: &Vectors,
    interner: &mut Interner,
    state: &[Value],
) -> [keys::Key; 3] {
    [
        marker::key(&world.group, &world.shapes, state, interner).unwrap(),
        approx_marker::repaired(vectors, &world.shapes, state).unwrap(),
        flattened::key(vectors, state).unwrap(),
    ]
}

#[test]
fn keys_do_not_change_under_permutations() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let world = world(&mut random);
        let vectors = Vectors::new(&world.shapes, &world.group);
        let mut interner = Interner::new();
        for _ in 0..4 {
            let state = values(&mut random, &world);
            let key = keys(&world, &vectors, &mut interner, &state);
            for _ in 0..8 {
                let p = a_permutation(&mut random, &world.group);
                let image = apply(&world.shapes, &state, &p);
                let other = keys(&world, &vectors, &mut interner, &image);
                assert_eq!(key, other, "seed {seed}: {state:?} to {image:?}");
            }
        }
    }
}

#[test]
fn ranks_follow_the_permutation() {
    for seed in 0..300 {
        let mut random = Random::new(seed + 1000);
        let world = world(&mut random);
        let vectors = Vectors::new(&world.shapes, &world.group);
        let state = values(&mut random, &world);
        let of = ranks_of(&vectors, &state);
        let p = a_permutation(&mut random, &world.group);
        let image = apply(&world.shapes, &state, &p);
        let moved = ranks_of(&vectors, &image);
        for (point, rank) in of.iter().enumerate() {
            let (set, element) = world.group.element(point as u32);
            let to = world.group.point(set, p.element(set, element) as u64).unwrap();
            assert_eq!(*rank, moved[to as usize], "seed {seed}");
        }
    }
}

/// Segmented is canonical, its count is the order of the stabiliser, and what it gives is an image.
#[test]
fn segmented_is_canonical_and_counts_the_stabiliser() {
    for seed in 0..150 {
        let mut random = Random::new(seed + 2000);
        let world = world(&mut random);
        let arrays = arrays(&world);
        let find = |state: &[Value]| least(&world.group, &world.shapes, &arrays, state).unwrap();
        let found: Vec<_> = states(&mut random, &world)
            .into_iter()
            .map(|s| {
                let least = find(&s);
                let (canonical, automorphisms) = brute(&world, &s);
                assert_eq!(least.order, Order::Small(automorphisms.len() as u128), "seed {seed}");
                assert_eq!(brute(&world, &least.image).0, canonical, "seed {seed}: no image");
                (least.image, canonical)
            })
            .collect();
        for (a, of_a) in &found {
            for (b, of_b) in &found {
                assert_eq!(a == b, of_a == of_b, "seed {seed}: classes differ");
            }
        }
    }
}

/// Sorted and exact-marker give images, and the image of an image is itself.
#[test]
fn arranged_states_are_images() {
    for seed in 0..300 {
        let mut random = Random::new(seed + 3000);
        let world = world(&mut random);
        let arrays = arrays(&world);
        let vectors = Vectors::new(&world.shapes, &world.group);
        let mut exact = |state: &[Value]| positions(&vectors, &ranks_of(&vectors, state));
        let mut sorted = |state: &[Value]| arrays.arrange(state).unwrap();
        type Arrange<'a> = &'a mut dyn FnMut(&[Value]) -> Vec<u32>;
        let arrangements: [Arrange<'_>; 2] = [&mut exact, &mut sorted];
        for arrange in arrangements {
            for _ in 0..4 {
                let state = values(&mut random, &world);
                let first = arrange(&state);
                let image = apply(&world.shapes, &state, &world.group.permutation(&first));
                assert_eq!(brute(&world, &image).0, brute(&world, &state).0, "seed {seed}");
                let again = arrange(&image);
                let twice = apply(&world.shapes, &image, &world.group.permutation(&again));
                assert_eq!(twice, image, "seed {seed}: arranged twice");
            }
        }
    }
}

fn colour(pen: &Pen, refinement: Refinement, breaking: bool, state: &[Value]) -> (Graph, Vec<u64>) {
    let graph = pen.draw(state).unwrap();
    let colours = refinement.colour(&graph, breaking).unwrap();
    (graph, colours)
}

/// All four colourings: isomorphic states have equal hashes, and the search finds an isomorphism
/// exactly when the states are in one orbit.
#[test]
fn isomorphism_is_symmetry() {
    for seed in 0..150 {
        let mut random = Random::new(seed + 4000);
        let world = world(&mut random);
        let pen = Pen::new(&world.group, &world.shapes);
        let states = states(&mut random, &world);
        let canonical: Vec<_> = states.iter().map(|s| brute(&world, s).0).collect();
        for (refinement, breaking) in
            Refinement::ALL.into_iter().flat_map(|r| [(r, false), (r, true)])
        {
            let drawn: Vec<_> =
                states.iter().map(|s| colour(&pen, refinement, breaking, s)).collect();
            for (i, (g, of_g)) in drawn.iter().enumerate() {
                for (j, (h, of_h)) in drawn.iter().enumerate() {
                    let mut accept = |images: &[u32]| {
                        let p = world.group.permutation(&images[..world.group.points()]);
                        apply(&world.shapes, &states[i], &p) == states[j]
                    };
                    let from = Coloured { graph: g, colours: of_g };
                    let to = Coloured { graph: h, colours: of_h };
                    let found = isomorphism(from, to, &mut accept).unwrap();
                    let note = format!("seed {seed}, {refinement:?}, breaking {breaking}");
                    assert_eq!(found, canonical[i] == canonical[j], "{note}");
                    if found {
                        assert_eq!(colouring::hash(g, of_g), colouring::hash(h, of_h), "{note}");
                    }
                }
            }
        }
    }
}

/// The coarsest stable refinement by definition: classes of equal numbers of edges to each class.
fn coarsest(graph: &Graph) -> Vec<Vec<u32>> {
    let mut class = vec![0usize; graph.vertices];
    loop {
        let signature = |v: u32| {
            let leaving = graph.leaving(v).iter().map(|e| (0, e.label, class[e.to as usize]));
            let entering = graph.entering(v).map(|e| (1, e.label, class[e.from as usize]));
            let mut list: Vec<_> = leaving.chain(entering).collect();
            list.sort_unstable();
            (class[v as usize], list)
        };
        let signatures: Vec<_> = (0..graph.vertices as u32).map(signature).collect();
        let mut different = signatures.clone();
        different.sort();
        different.dedup();
        let next: Vec<usize> =
            signatures.iter().map(|s| different.binary_search(s).unwrap()).collect();
        let before = class.iter().max().copied();
        class = next;
        if class.iter().max().copied() == before {
            return colouring::cells(&class.iter().map(|c| *c as u64).collect::<Vec<_>>());
        }
    }
}

#[test]
fn both_colourings_are_the_coarsest_stable_refinement() {
    for seed in 0..500 {
        let mut random = Random::new(seed + 5000);
        let n = 1 + random.below(9);
        let labels = 1 + random.below(3);
        let edges: Vec<Edge> = (0..random.below(2 * n + 1))
            .map(|_| Edge {
                from: random.below(n) as u32,
                to: random.below(n) as u32,
                label: 17 * random.below(labels) + 3,
            })
            .collect();
        let graph = Graph::new(n as usize, edges);
        let wanted = coarsest(&graph);
        for refinement in Refinement::ALL {
            let colours = refinement.colour(&graph, false).unwrap();
            assert_eq!(colouring::cells(&colours), wanted, "seed {seed}, {refinement:?}");
            // With symmetries broken: finer or equal, and the same for a renamed graph.
            let broken = refinement.colour(&graph, true).unwrap();
            for cell in colouring::cells(&broken) {
                assert!(wanted.iter().any(|w| cell.iter().all(|v| w.contains(v))), "seed {seed}");
            }
            let turn = |v: u32| (v + 1) % n as u32;
            let renamed = graph.edges.iter().map(|e| Edge {
                from: turn(e.from),
                to: turn(e.to),
                label: e.label,
            });
            let renamed = Graph::new(n as usize, renamed.collect());
            for breaking in [false, true] {
                let here = refinement.colour(&graph, breaking).unwrap();
                let there = refinement.colour(&renamed, breaking).unwrap();
                for v in 0..n as u32 {
                    assert_eq!(here[v as usize], there[turn(v) as usize], "seed {seed}");
                }
            }
        }
    }
}

/// Two triangles and a hexagon look alike to refinement; breaking symmetries tells them apart.
#[test]
fn breaking_symmetries_tells_regular_graphs_apart() {
    let ring = |vertices: &[u32]| -> Vec<Edge> {
        let next = vertices.iter().cycle().skip(1);
        vertices
            .iter()
            .zip(next)
            .flat_map(|(a, b)| [(*a, *b), (*b, *a)])
            .map(|(from, to)| Edge { from, to, label: 1 })
            .collect()
    };
    let hexagon = Graph::new(6, ring(&[0, 1, 2, 3, 4, 5]));
    let triangles = Graph::new(6, [ring(&[0, 1, 2]), ring(&[3, 4, 5])].concat());
    for refinement in Refinement::ALL {
        let hash = |graph: &Graph, breaking| {
            colouring::hash(graph, &refinement.colour(graph, breaking).unwrap())
        };
        assert_eq!(hash(&hexagon, false), hash(&triangles, false), "{refinement:?}");
        assert_ne!(hash(&hexagon, true), hash(&triangles, true), "{refinement:?}");
        let colours = refinement.colour(&hexagon, false).unwrap();
        let (g, h) = (
            Coloured { graph: &hexagon, colours: &colours },
            Coloured { graph: &triangles, colours: &colours },
        );
        assert_eq!(isomorphism(g, h, &mut |_| true), Ok(false));
        assert_eq!(isomorphism(g, g, &mut |_| true), Ok(true));
    }
}

fn set(id: u32) -> Type {
    Type::Set(SetId(id))
}

/// One deferred set of four elements and one variable.
fn four(ty: &Type) -> World {
    let sizes = Sizes([4].into());
    let group = Group::new([SymmetricSet::all(SetId(0), 4)]);
    World { group, shapes: vec![Shape::of(ty, &sizes)], sizes }
}

fn relation(world: &World, pairs: &[(u64, u64)]) -> Vec<Value> {
    let shape = &world.shapes[0];
    let pair = shape.element();
    let members = pairs.iter().map(|(a, b)| pair.pair(Value::Word(*a - 1), Value::Word(*b - 1)));
    vec![shape.collect(members.collect::<Vec<_>>())]
}

/// Proposition 1.1 of Bosnacki et al. fails as printed: [0,1,2,3] and its image [0,3,1,2].
#[test]
fn the_marker_as_printed_tells_an_image_apart() {
    let world = four(&Type::relation(set(0), set(0)));
    let vectors = Vectors::new(&world.shapes, &world.group);
    let chain = relation(&world, &[(2, 1), (3, 2), (4, 3)]);
    let image = relation(&world, &[(2, 3), (3, 1), (4, 2)]);
    assert_eq!(brute(&world, &chain).0, brute(&world, &image).0);
    let printed = |s: &[Value]| approx_marker::printed(&vectors, s).unwrap();
    assert_ne!(printed(&chain), printed(&image));
    let repaired = |s: &[Value]| approx_marker::repaired(&vectors, &world.shapes, s).unwrap();
    assert_eq!(repaired(&chain), repaired(&image));
    // It still is approximate: two rings of two, and one of four.
    let rings = relation(&world, &[(1, 2), (2, 1), (3, 4), (4, 3)]);
    let ring = relation(&world, &[(1, 2), (2, 3), (3, 4), (4, 1)]);
    assert_ne!(brute(&world, &rings).0, brute(&world, &ring).0);
    assert_eq!(repaired(&rings), repaired(&ring));
}

#[test]
fn main_arrays_are_chosen_and_refused() {
    let sizes = Sizes([3, 2].into());
    let group = Group::new([SymmetricSet::all(SetId(0), 3), SymmetricSet::all(SetId(1), 2)]);
    let types = [
        Type::relation(set(0), Type::Integer),
        Type::pow(set(0)),
        Type::relation(set(0), set(1)),
        Type::relation(Type::Integer, set(1)),
        Type::relation(set(0), Type::Bool),
    ];
    let shapes: Vec<Shape> = types.iter().map(|t| Shape::of(t, &sizes)).collect();
    let names: Vec<String> = ["constant", "sub", "links", "turn", "state"].map(String::from).into();
    let choose = |wanted| MainArrays::among(&shapes, &names, 1, &group, wanted);
    let notes = |wanted| choose(wanted).unwrap().notes();
    let others = "not sorted by constant, links, turn, state: permuted and compared all the same";
    let chosen = ["main array 1: sub", "main array 2: none, all elements are equal", others];
    assert_eq!(notes(None), chosen);
    assert_eq!(notes(Some("state"))[0], "main array 1: state");
    assert_eq!(notes(Some("constant"))[0], "main array 1: constant");
    for wrong in ["links", "turn", "nothing"] {
        assert!(choose(Some(wrong)).unwrap_err().contains(wrong));
    }
}

#[test]
fn a_search_for_the_least_image_can_be_interrupted() {
    let sizes = Sizes([16].into());
    let group = Group::new([SymmetricSet::all(SetId(0), 16)]);
    let shapes = vec![Shape::of(&Type::relation(set(0), set(0)), &sizes)];
    let arrays = MainArrays::among(&shapes, &["r".into()], 0, &group, None).unwrap();
    let state = vec![shapes[0].empty()];
    let clock = Clock::halting_at(2);
    assert!(clock.run(|| least(&group, &shapes, &arrays, &state)).is_err());
    assert_eq!(clock.asked(), 2);
}
