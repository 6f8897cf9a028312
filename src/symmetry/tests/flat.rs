//! Labelling of packed flat states, against brute force and against the way by the guide graph.

use super::{Random, a_value, apply, generated};
use crate::reduce::{Batch, Canon, Worker};
use crate::session::{Origin, Session};
use crate::setup::{Model, SetupOptions};
use crate::state::layout::Coding;
use crate::state::{Axis, Interner, Layout};
use crate::symmetry::flat::FlatPlan;
use crate::symmetry::{Cell, Labeller, Options, Order, Stabiliser, Valuation};
use crate::value::set::low_bits;
use crate::value::{Shape, Value};
use num_bigint::BigUint;
use std::collections::HashSet;

/// What a variable can be, and whether it is flat.
const TYPES: [(&str, bool); 37] = [
    (": A", true),
    ("<: A", true),
    (": A --> E", true),
    (": A +-> B", true),
    (": A <-> B", true),
    (": A <-> A", true),
    (": A --> A", true),
    (": A --> 0..3", true),
    (": 1..2 +-> A", true),
    (": A <-> E", true),
    (": E <-> A", true),
    (": E +-> A", true),
    (": A * B", true),
    (": A * A", true),
    (": E * A", true),
    (": 0..2", true),
    (": B +-> A", true),
    (": A --> POW(0..2)", true),
    (": A +-> seq(0..1)", true),
    (": A --> (0..1) * (1..2)", true),
    (": A <-> 0..2", true),
    (": E --> seq(A)", true),
    (": E +-> (0..1 --> B)", true),
    (": B +-> seq(A)", true),
    (": A --> (0..1 +-> A)", true),
    (": 0..2 <-> B", true),
    (": A * (0..2)", true),
    (": (1..2) * A +-> 0..1", true),
    (": struct(p : A, n : 0..2, q : B)", true),
    // Rows that go on in the next word.
    (": A <-> F", true),
    (": B <-> F", true),
    // Flat where it is held as one number for each argument.
    (": E --> POW(A)", false),
    (": A --> POW(B)", false),
    (": A +-> (E +-> B)", false),
    (": B * BOOL --> E", false),
    ("<: POW(A)", false),
    (": A * B +-> A", false),
];

fn model(random: &mut Random, flat: bool) -> Model {
    let count = 1 + random.below(4);
    let names: Vec<String> = (0..count).map(|i| format!("v{i}")).collect();
    let conjuncts: Vec<String> = names
        .iter()
        .map(|name| {
            let of = if flat { TYPES.len() - 6 } else { TYPES.len() };
            format!("{name} {}", TYPES[random.below(of as u64) as usize].0)
        })
        .collect();
    // A constant takes its element away from the group.
    let constant = random.below(3) == 0;
    // Only layout and group are wanted: any initialisation that types will do.
    let text = format!(
        "MACHINE M SETS A; B; E = {{e1, e2, e3}}; F = {{{}}} {} VARIABLES {} INVARIANT {} INITIALISATION {} END",
        (1..28).map(|i| format!("f{i}")).collect::<Vec<_>>().join(", "),
        if constant { "CONSTANTS c, d PROPERTIES c : A & d : A & c /= d" } else { "" },
        names.join(", "),
        conjuncts.join(" & "),
        conjuncts
            .iter()
            .zip(&names)
            .map(|(c, n)| format!("{n} : ({c})"))
            .collect::<Vec<_>>()
            .join("; "),
    );
    let cards =
        vec![("A".to_string(), 2 + random.below(3)), ("B".to_string(), 1 + random.below(3))];
    let session = Session::open(
        Origin::Embedded { name: "flat".into(), text: text.clone() },
        SetupOptions { cards, static_symmetry: random.below(3) > 0, ..SetupOptions::default() },
    );
    session.model().unwrap_or_else(|| panic!("{text}\n{:?}", session.diagnostics())).clone()
}

/// A code on an axis.
fn code(random: &mut Random, axis: &Axis) -> u64 {
    match axis {
        Axis::Map(map) => (0..map.domain.size())
            .map(|x| random.below(map.range.size() + 1) << (x as u32 * map.width))
            .sum(),
        axis => random.below(axis.size()),
    }
}

/// A value of a variable, mostly one that fits its coding.
fn value(random: &mut Random, layout: &Layout, i: usize) -> Value {
    let field = &layout.fields[i];
    match &field.coding {
        Coding::Function { domain, range, .. } if random.below(8) > 0 => {
            let pairs = field.shape.element();
            let members: Vec<Value> = (0..domain.size())
                .filter_map(|a| {
                    let defined = random.below(4) > 0;
                    let code = defined.then(|| code(random, range))?;
                    Some(pairs.pair(domain.value(a), range.value(code)))
                })
                .collect();
            field.shape.collect(members)
        }
        Coding::Members { axis, .. } if random.below(8) > 0 => {
            axis.members(random.below(u64::MAX) & low_bits(axis.size() as u32))
        }
        _ => a_value(random, &field.shape),
    }
}

fn order_by_graph(model: &Model, shapes: &[Shape], values: &[Value]) -> Order {
    let cells: Vec<Cell> = (0..values.len())
        .map(|i| Cell { label: i as u32, shape: &shapes[i], value: &values[i] })
        .collect();
    let mut labeller = Labeller::new(model.group.clone());
    labeller.label(&cells, &mut Valuation(&cells), Options::default()).unwrap().aut_order
}

#[test]
fn packed_images_orders_and_generators_agree_with_brute_force() {
    let mut random = Random::new(11);
    let (mut flat_states, mut other_states, mut flat_plans, mut met) = (0, 0, 0, 0);
    for round in 0..500 {
        let model = model(&mut random, round % 5 > 0);
        let layout = model.program.layout.clone();
        let plan = FlatPlan::compile(&model.group, &layout);
        assert!(plan.is_some() || round % 5 == 0, "round {round}: {:?}", layout.fields);
        flat_plans += plan.is_some() as u32;
        let mut canon = Canon::new(layout.clone(), model.group.clone());
        let mut interner = Interner::new();
        let constants: Vec<Value> =
            vec![Value::Word(0), Value::Word(1)][..layout.constant_shapes().len()].to_vec();
        let k = constants.len();
        let variables = layout.fields.iter().map(|f| f.shape.clone());
        let shapes: Vec<Shape> =
            layout.constant_shapes().iter().cloned().chain(variables).collect();
        for _ in 0..8 {
            let mut values = constants.clone();
            values.extend((k..shapes.len()).map(|i| value(&mut random, &layout, i - k)));
            let note = format!("round {round}: {values:?}");
            let mut pack = |v: &[Value]| layout.pack(v[..k].into(), &v[k..], &mut interner);
            let state = pack(&values);
            let fits = plan.as_ref().is_some_and(|p| p.fits(&state));
            flat_states += fits as u32;
            other_states += !fits as u32;
            let mut orbit = HashSet::new();
            let mut automorphisms = 0u32;
            for p in model.group.all() {
                let image = apply(&shapes, &values, &p);
                automorphisms += (image == values) as u32;
                orbit.insert(pack(&image));
            }
            let (found, order) = canon.canonical(&state, &mut interner).unwrap();
            assert!(orbit.contains(&found.to_vec()), "{note}");
            assert_eq!(order.to_biguint(), BigUint::from(automorphisms), "{note}");
            assert_eq!(order, order_by_graph(&model, &shapes, &values), "{note}");
            for other in &orbit {
                assert_eq!(canon.canonical(other, &mut interner).unwrap().0, found, "{note}");
            }
            let generators = canon.generators(&state, &mut interner).unwrap().permutations();
            assert!(generators.iter().all(|g| apply(&shapes, &values, g) == values), "{note}");
            let group = generated(&model.group, &generators);
            assert_eq!(group.len(), automorphisms as usize, "{note}");
            // What a search keeps beside the image generates the group of that.
            let mut batch = Batch::new(state.len());
            batch.push(&state);
            canon.represent(&mut batch, &mut interner).unwrap();
            assert_eq!(batch.state(0), &found[..], "{note}");
            let found = batch.generators(0).to_vec();
            let kept = Stabiliser { order, found };
            if let Some(kept) = kept.generators(&model.group).unwrap() {
                met += fits as u32;
                let mut image = constants.clone();
                image.extend(layout.read_all(batch.state(0), &mut interner));
                let kept = kept.permutations();
                assert!(kept.iter().all(|g| apply(&shapes, &image, g) == image), "{note}");
                let group = generated(&model.group, &kept);
                assert_eq!(group.len(), automorphisms as usize, "{note}");
            }
        }
    }
    // All of them but for those with forests that are no trees.
    assert!(flat_states - met < flat_states / 8, "{met} of {flat_states}");
    assert!(flat_plans > 350 && flat_states > 2000 && other_states > 400);
}
