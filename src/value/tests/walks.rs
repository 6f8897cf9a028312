//! Walks over subsets, functions and sequences, and their counts.

use super::*;

fn collect(walk: impl FnOnce(enumerate::Sink<'_, ()>) -> ControlFlow<()>) -> Vec<Value> {
    let mut list = Vec::new();
    let flow = walk(&mut |v| {
        list.push(v);
        ControlFlow::Continue(())
    });
    assert_eq!(flow, ControlFlow::Continue(()));
    list
}

/// Relations as words, bits, lists of indices and lists of pairs.
fn relation_types() -> Vec<(Type, Type, Sizes)> {
    let sizes = Sizes([9, 8, 70].into());
    vec![
        (carrier(0), carrier(0), Sizes([4, 4, 4].into())),
        (carrier(0), carrier(1), sizes.clone()),
        (carrier(2), carrier(2), sizes.clone()),
        (Type::Integer, carrier(1), sizes.clone()),
        (carrier(0), Type::Integer, sizes),
    ]
}

/// The first `n` values of a type, from the upper end where there is one.
fn some(ty: &Type, sizes: &Sizes, n: u64) -> BTreeSet<Model> {
    match ty {
        Type::Set(s) => {
            let size = sizes.of(*s) as u64;
            (size - n..size).map(Model::Word).collect()
        }
        _ => (0..n as i64).map(Model::Int).collect(),
    }
}

#[test]
fn arrows_are_walked_exactly() {
    for (x, y, sizes) in relation_types() {
        let shape = |t: &Type| Shape::of(t, &sizes);
        let rel = shape(&Type::relation(x.clone(), y.clone()));
        for (n, m) in (0..=4).flat_map(|n| (0..=4).map(move |m| (n, m))).filter(|p| p.0 * p.1 <= 9)
        {
            let (dom, ran) = (some(&x, &sizes, n), some(&y, &sizes, m));
            let d = build(&shape(&Type::pow(x.clone())), &Model::Set(dom.clone()));
            let r = build(&shape(&Type::pow(y.clone())), &Model::Set(ran.clone()));
            let cells: Vec<(Model, Model)> =
                dom.iter().flat_map(|x| ran.iter().map(|y| (x.clone(), y.clone()))).collect();
            for arrow in Arrow::ALL {
                let every = (0..1u32 << cells.len()).map(|bits| -> Graph {
                    let on = |(i, cell)| (bits >> i & 1 == 1).then_some(cell);
                    cells.iter().cloned().enumerate().filter_map(on).collect()
                });
                let wanted: BTreeSet<Value> = every
                    .filter(|g| naive_arrow(g, arrow, &dom, &ran))
                    .map(|g| build(&rel, &graph(g)))
                    .collect();
                let found = collect(|sink| enumerate::arrows(&rel, arrow, &d, &r, sink));
                assert_eq!(found.len(), wanted.len(), "{arrow:?} {n} {m}: none twice");
                assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), wanted, "{arrow:?} {n} {m}");
                let count = enumerate::count_arrows(arrow, n as usize, m as usize);
                assert_eq!(count, wanted.len() as u128, "{arrow:?} {n} {m}");
            }
        }
    }
}

#[test]
fn larger_counts_of_arrows() {
    let count = enumerate::count_arrows;
    assert_eq!(count(Arrow::TOTAL_FUNCTIONS, 20, 2), 1 << 20);
    assert_eq!(count(Arrow::PARTIAL_FUNCTIONS, 4, 9), 10_000);
    assert_eq!(count(Arrow::TOTAL_INJECTIONS, 3, 1000), 1000 * 999 * 998);
    assert_eq!(count(Arrow::TOTAL_INJECTIONS, 30, 29), 0);
    assert_eq!(count(Arrow::TOTAL_SURJECTIONS, 10, 3), 59049 - 3 * 1024 + 3);
    assert_eq!(count(Arrow::TOTAL_BIJECTIONS, 34, 34), enumerate::count_permutations(34));
    assert_eq!(count(Arrow::TOTAL_BIJECTIONS, 35, 35), u128::MAX);
    assert_eq!(count(Arrow::TOTAL_SURJECTIVE_RELATIONS, 2, 5), 243 - 2);
    assert_eq!(count(Arrow::RELATIONS, 1000, 1000), u128::MAX);
    assert_eq!(count(Arrow::TOTAL_SURJECTIVE_RELATIONS, 1000, 1000), u128::MAX);
    assert_eq!(count(Arrow::PARTIAL_SURJECTIONS, 100_000, 1), u128::MAX);
    assert_eq!(count(Arrow::PARTIAL_INJECTIONS, 100_000, 1), 100_001);
    assert_eq!(enumerate::count_subsets(127, true), (1 << 127) - 1);
    assert_eq!(enumerate::count_subsets(128, true), u128::MAX);
}

#[test]
fn subsets_and_sequences_are_walked_exactly() {
    for (x, _, sizes) in relation_types() {
        for n in 0..=4 {
            let set = Shape::of(&Type::pow(x.clone()), &sizes);
            let seq = Shape::of(&Type::sequence(x.clone()), &sizes);
            let s = build(&set, &Model::Set(some(&x, &sizes, n)));
            let n = n as usize;
            let unique = |list: Vec<Value>, count: u128, good: &dyn Fn(&Value) -> bool| {
                assert_eq!(list.len() as u128, count);
                assert!(list.iter().all(good));
                assert_eq!(list.into_iter().collect::<BTreeSet<_>>().len() as u128, count);
            };
            for nonempty in [false, true] {
                let least = nonempty as usize;
                let walked = collect(|sink| enumerate::subsets(&set, &s, nonempty, sink));
                assert!(walked.is_sorted());
                unique(walked, enumerate::count_subsets(n, nonempty), &|v| {
                    set.is_subset(v, &s) && set.card(v) >= least
                });
                let walked = collect(|k| enumerate::injective_sequences(&seq, &s, nonempty, k));
                unique(walked, enumerate::count_injective_sequences(n, nonempty), &|v| {
                    sequence::is_injective_sequence(&seq, v)
                        && sequence::is_sequence_over(&seq, v, &s)
                        && seq.card(v) >= least
                });
                let walked = collect(|k| enumerate::sequences_up_to(&seq, &s, 3, nonempty, k));
                unique(walked, enumerate::count_sequences_up_to(n, 3, nonempty), &|v| {
                    sequence::is_sequence_over(&seq, v, &s) && seq.card(v) >= least
                });
            }
            let walked = collect(|sink| enumerate::permutations(&seq, &s, sink));
            unique(walked, (1..=n as u128).product(), &|v| {
                sequence::is_permutation_of(&seq, v, &s)
            });
        }
    }
    let all_sizes: Vec<u128> =
        (0..5).map(|n| enumerate::count_injective_sequences(n, false)).collect();
    assert_eq!(all_sizes, [1, 2, 5, 16, 65]);
}

#[test]
fn all_values_of_a_shape() {
    let sizes = Sizes([3, 2, 70].into());
    let record = Type::Record([("a".into(), carrier(0)), ("b".into(), Type::Bool)].into());
    let nested = Type::pair(Type::Bool, record.clone());
    for (ty, count) in [
        (Type::Bool, 2),
        (Type::pow(Type::pair(carrier(0), carrier(1))), 64),
        (record.clone(), 6),
        (Type::pow(record.clone()), 64),
        (nested.clone(), 12),
        (Type::pow(nested), 4096),
        (Type::pow(Type::pow(carrier(0))), 256),
    ] {
        let shape = Shape::of(&ty, &sizes);
        let list = collect(|sink| enumerate::all(&shape, sink));
        assert_eq!(list.len(), count, "{ty:?}");
        assert_eq!(shape.count(), Some(count as u128));
        assert!(list.is_sorted_by(|a, b| a < b), "{ty:?}");
        let names = names(&sizes);
        let texts: BTreeSet<String> = list.iter().map(|v| names.show(&ty, v)).collect();
        assert_eq!(texts.len(), count, "{ty:?}");
    }
    assert!(collect(|sink| enumerate::all(&Shape::Integer, sink)).is_empty());
    // subsets of 70, past the first word; and a break ends the walk
    let wide = Shape::of(&Type::pow(carrier(2)), &sizes);
    let Some(Value::Bits(last)) = wide.universe() else { panic!("held as bits") };
    assert_eq!(enumerate::successor(&wide, &Value::Bits(last)), None);
    let below = Value::Bits([u64::MAX, 4].into());
    assert_eq!(enumerate::successor(&wide, &below), Some(Value::Bits([0, 5].into())));
    let mut seen = 0;
    let flow = enumerate::all(&wide, &mut |_| {
        seen += 1;
        if seen == 1000 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
    });
    assert_eq!((flow, seen), (ControlFlow::Break("enough"), 1000));
}

#[test]
fn impossible_and_long_walks_can_be_stopped() {
    let sizes = Sizes([1, 1, 1].into());
    let rel = Shape::of(&Type::relation(Type::Integer, Type::Integer), &sizes);
    let ints = Shape::of(&Type::pow(Type::Integer), &sizes);
    let upto = |n: i64| ints.collect((1..=n).map(Value::Int));
    for (arrow, n, m) in [
        (Arrow::TOTAL_INJECTIONS, 30, 29),
        (Arrow::TOTAL_SURJECTIONS, 29, 30),
        (Arrow::PARTIAL_SURJECTIONS, 29, 30),
        (Arrow::TOTAL_BIJECTIONS, 29, 30),
        (Arrow::PARTIAL_BIJECTIONS, 29, 30),
        (Arrow::TOTAL_FUNCTIONS, 1, 0),
        (Arrow::TOTAL_RELATIONS, 30, 0),
        (Arrow::SURJECTIVE_RELATIONS, 0, 30),
    ] {
        let found = collect(|sink| enumerate::arrows(&rel, arrow, &upto(n), &upto(m), sink));
        assert!(found.is_empty(), "{arrow:?}");
    }
    for arrow in Arrow::ALL {
        let mut ticks = 0;
        let (n, m) = if arrow == Arrow::PARTIAL_BIJECTIONS { (300, 250) } else { (300, 300) };
        let flow = enumerate::arrows(&rel, arrow, &upto(n), &upto(m), &mut |v| {
            ticks += 1;
            assert!(relation::has_arrow(&rel, &v, arrow, &upto(n), &upto(m)));
            if ticks == 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((flow, ticks), (ControlFlow::Break(()), 20), "{arrow:?}");
    }
}
