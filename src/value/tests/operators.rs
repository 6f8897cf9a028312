//! Operators and permutations against the model.

use super::*;
use crate::value::Unmetered;

/// The results of all operators, with their types; arguments permuted beforehand.
fn results(c: &Case, p: &Permutation) -> Vec<(&'static str, Type, Value)> {
    use relation as rel;
    let (x, y, z) = (c.x.clone(), c.y.clone(), c.z.clone());
    let between = |a: &Type, b: &Type| Type::relation(a.clone(), b.clone());
    let both = |a: &Type, b: &Type| Type::pair(a.clone(), b.clone());
    let (xy, yz, xz, xx) = (between(&x, &y), between(&y, &z), between(&x, &z), between(&x, &x));
    let (px, py, yx) = (Type::pow(x.clone()), Type::pow(y.clone()), between(&y, &x));
    let fun = between(&x, &py);
    let par = between(&both(&x, &y), &both(&y, &z));
    let dir = between(&x, &both(&y, &z));
    let (first, second) = (between(&both(&x, &y), &x), between(&both(&x, &y), &y));
    let of = |t: &Type| c.shape(t);
    let (rs, ss, qs, hs, aset, bset) = (of(&xy), of(&yz), of(&xz), of(&xx), of(&px), of(&py));
    let arg = |t: &Type, m: &Model| p.apply(&of(t), &c.value(t, m));
    let (r, r2, s, q) = (arg(&xy, &c.r), arg(&xy, &c.r2), arg(&yz, &c.s), arg(&xz, &c.q));
    let (h, a, a2, b) = (arg(&xx, &c.h), arg(&px, &c.a), arg(&px, &c.a2), arg(&py, &c.b));
    let f = rel::fnc(&rs, &of(&fun), &r);
    vec![
        ("union", xy.clone(), rs.union(&r, &r2)),
        ("intersection", xy.clone(), rs.intersection(&r, &r2)),
        ("difference", xy.clone(), rs.difference(&r, &r2)),
        ("union of sets", px.clone(), aset.union(&a, &a2)),
        ("intersection of sets", px.clone(), aset.intersection(&a, &a2)),
        ("difference of sets", px.clone(), aset.difference(&a, &a2)),
        ("domain", px.clone(), rel::domain(&rs, &aset, &r)),
        ("range", py.clone(), rel::range(&rs, &bset, &r)),
        ("inverse", yx.clone(), rel::inverse(&rs, &of(&yx), &r)),
        ("image", py.clone(), rel::image(&rs, &bset, &r, &a)),
        ("domain restriction", xy.clone(), rel::domain_restrict(&rs, &a, &r)),
        ("domain subtraction", xy.clone(), rel::domain_subtract(&rs, &a, &r)),
        ("range restriction", xy.clone(), rel::range_restrict(&rs, &r, &b)),
        ("range subtraction", xy.clone(), rel::range_subtract(&rs, &r, &b)),
        ("overriding", xy.clone(), rel::overriding(&rs, &r, &r2)),
        ("identity", xx.clone(), rel::identity(&aset, &hs, &a)),
        ("composition", xz.clone(), rel::compose(&rs, &ss, &qs, &r, &s, &mut Unmetered).unwrap()),
        ("parallel product", par.clone(), rel::parallel(&rs, &ss, &of(&par), &r, &s)),
        (
            "direct product",
            dir.clone(),
            rel::direct(&rs, &qs, &of(&dir), &r, &q, &mut Unmetered).unwrap(),
        ),
        ("product", xy.clone(), rel::product(&aset, &bset, &rs, &a, &b)),
        ("closure1", xx.clone(), rel::closure1(&hs, &h, &mut Unmetered).unwrap()),
        ("iterate", xx.clone(), rel::iterate(&hs, &h, &(c.n + 1).into(), &mut Unmetered).unwrap()),
        ("prj1", first.clone(), rel::projection1(&aset, &bset, &of(&first), &a, &b)),
        ("prj2", second.clone(), rel::projection2(&aset, &bset, &of(&second), &a, &b)),
        ("rel", xy.clone(), rel::rel_of(&of(&fun), &rs, &f, &mut Unmetered).unwrap()),
        ("fnc", fun, f),
    ]
}

fn chain(r: &Graph, s: &Graph) -> Graph {
    let step = |(x, y): &(Model, Model)| {
        let (x, y) = (x.clone(), y.clone());
        s.iter().filter(move |(u, _)| *u == y).map(move |(_, z)| (x.clone(), z.clone()))
    };
    r.iter().flat_map(step).collect()
}

/// What the results should be.
fn expected(c: &Case) -> BTreeMap<&'static str, Model> {
    let (r, r2, s, q, h) = (pairs(&c.r), pairs(&c.r2), pairs(&c.s), pairs(&c.q), pairs(&c.h));
    let (a, a2, b) = (members(&c.a), members(&c.a2), members(&c.b));
    let filter = |keep: &dyn Fn(&Model, &Model) -> bool| {
        graph(r.iter().filter(|(x, y)| keep(x, y)).cloned())
    };
    let set = |s: BTreeSet<Model>| Model::Set(s);
    let left = |r: &Graph| -> BTreeSet<Model> { r.iter().map(|p| p.0.clone()).collect() };
    let right = |r: &Graph| -> BTreeSet<Model> { r.iter().map(|p| p.1.clone()).collect() };
    let two = |u: &BTreeSet<Model>, v: &BTreeSet<Model>| -> Graph {
        u.iter().flat_map(|x| v.iter().map(|y| (x.clone(), y.clone()))).collect()
    };
    let dom2 = left(&r2);
    let mut closed = h.clone();
    loop {
        let more: Graph = closed.union(&chain(&closed, &h)).cloned().collect();
        if more == closed {
            break;
        }
        closed = more;
    }
    let power = (0..c.n).fold(h.clone(), |p, _| chain(&p, &h));
    let mut images: BTreeMap<Model, BTreeSet<Model>> = BTreeMap::new();
    for (x, y) in &r {
        images.entry(x.clone()).or_default().insert(y.clone());
    }
    let parallel = r.iter().flat_map(|(x, y)| {
        s.iter().map(move |(u, v)| (pair(x.clone(), u.clone()), pair(y.clone(), v.clone())))
    });
    let direct = r.iter().flat_map(|(x, y)| {
        q.iter()
            .filter(move |(u, _)| u == x)
            .map(move |(_, z)| (x.clone(), pair(y.clone(), z.clone())))
    });
    let ab = two(a, b);
    BTreeMap::from([
        ("union", graph(r.union(&r2).cloned())),
        ("intersection", graph(r.intersection(&r2).cloned())),
        ("difference", graph(r.difference(&r2).cloned())),
        ("union of sets", set(a | a2)),
        ("intersection of sets", set(a & a2)),
        ("difference of sets", set(a - a2)),
        ("domain", set(left(&r))),
        ("range", set(right(&r))),
        ("inverse", graph(r.iter().map(|(x, y)| (y.clone(), x.clone())))),
        ("image", set(r.iter().filter(|(x, _)| a.contains(x)).map(|p| p.1.clone()).collect())),
        ("domain restriction", filter(&|x, _| a.contains(x))),
        ("domain subtraction", filter(&|x, _| !a.contains(x))),
        ("range restriction", filter(&|_, y| b.contains(y))),
        ("range subtraction", filter(&|_, y| !b.contains(y))),
        ("overriding", graph(r.iter().filter(|(x, _)| !dom2.contains(x)).chain(&r2).cloned())),
        ("identity", graph(a.iter().map(|x| (x.clone(), x.clone())))),
        ("composition", graph(chain(&r, &s))),
        ("parallel product", graph(parallel)),
        ("direct product", graph(direct)),
        ("product", graph(ab.clone())),
        ("closure1", graph(closed.clone())),
        ("iterate", graph(power)),
        ("prj1", graph(ab.iter().map(|(x, y)| (pair(x.clone(), y.clone()), x.clone())))),
        ("prj2", graph(ab.iter().map(|(x, y)| (pair(x.clone(), y.clone()), y.clone())))),
        ("rel", c.r.clone()),
        ("fnc", graph(images.into_iter().map(|(x, ys)| (x, Model::Set(ys))))),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(750))]

    #[test]
    fn operators_agree_with_the_model(seed: u64) {
        let c = Case::new(seed);
        let expected = expected(&c);
        let results = results(&c, &Permutation::identity(3));
        prop_assert_eq!(results.len(), expected.len());
        for (name, ty, value) in results {
            let shape = c.shape(&ty);
            prop_assert_eq!(&read(&ty, &shape, &value), &expected[name], "{} of {:?}", name, ty);
            prop_assert_eq!(&value, &build(&shape, &expected[name]), "one form: {}", name);
        }
    }

    #[test]
    fn predicates_agree_with_the_model(seed: u64) {
        let c = Case::new(seed);
        let (xy, px) = (Type::relation(c.x.clone(), c.y.clone()), Type::pow(c.x.clone()));
        let (rel, set) = (c.shape(&xy), c.shape(&px));
        let (r, r2) = (c.value(&xy, &c.r), c.value(&xy, &c.r2));
        let graph = pairs(&c.r);
        let a = c.value(&px, &c.a);
        prop_assert_eq!(rel.is_subset(&r, &r2), members(&c.r).is_subset(members(&c.r2)));
        prop_assert!(rel.is_subset(&rel.intersection(&r, &r2), &r2));
        let changed: Vec<&Model> = members(&c.r).symmetric_difference(members(&c.r2)).collect();
        let told = rel.changed(&r, &r2, changed.len()).expect("no more than so many");
        let told: BTreeSet<Model> =
            told.iter().map(|pair| read(xy.element().expect("a set"), &rel.element(), pair)).collect();
        prop_assert_eq!(told, changed.iter().copied().cloned().collect());
        if let Some(less) = changed.len().checked_sub(1) {
            prop_assert_eq!(rel.changed(&r, &r2, less), None);
        }
        prop_assert_eq!(rel.is_empty(&r), graph.is_empty());
        prop_assert_eq!(relation::is_function(&rel, &r), naive_function(&graph));
        prop_assert_eq!(relation::is_injective(&rel, &r), naive_injective(&graph));
        let mut g = Random(seed);
        for _ in 0..4 {
            let x = g.model(&c.x, &c.sizes);
            let item = c.value(&c.x, &x);
            prop_assert_eq!(set.contains(&a, &item), members(&c.a).contains(&x));
            let mut more = members(&c.a).clone();
            more.insert(x.clone());
            prop_assert_eq!(set.insert(&a, item.clone()), build(&set, &Model::Set(more)));
            let ys: Vec<&Model> = graph.iter().filter(|p| p.0 == x).map(|p| &p.1).collect();
            let answer = match ys[..] {
                [] => Err(relation::ApplyError::OutsideDomain),
                [y] => Ok(c.value(&c.y, y)),
                _ => Err(relation::ApplyError::NotFunctional),
            };
            prop_assert_eq!(relation::apply(&rel, &r, &item), answer);
            let y = c.value(&c.y, &g.model(&c.y, &c.sizes));
            let one = rel.collect([rel.element().pair(item.clone(), y.clone())]);
            let changed = relation::overriding(&rel, &r, &one);
            prop_assert_eq!(relation::with_result(&rel, &r, item, y), changed);
        }
        // random sides, and the sides that fit best
        let py = Type::pow(c.y.clone());
        let dom: BTreeSet<Model> = graph.iter().map(|p| p.0.clone()).collect();
        let ran: BTreeSet<Model> = graph.iter().map(|p| p.1.clone()).collect();
        for (dom, ran) in [(members(&c.a), members(&c.b)), (&dom, &ran), (&dom, members(&c.b))] {
            let (d, e) = (Model::Set(dom.clone()), Model::Set(ran.clone()));
            let (d, e) = (c.value(&px, &d), c.value(&py, &e));
            for arrow in Arrow::ALL {
                let answer = relation::has_arrow(&rel, &r, arrow, &d, &e);
                prop_assert_eq!(answer, naive_arrow(&graph, arrow, dom, ran), "{:?}", arrow);
            }
        }
    }

    #[test]
    fn permutations_act_and_commute_with_the_operators(seed: u64) {
        let c = Case::new(seed);
        let mut g = Random(!seed);
        let (p, q) = (g.permutation(&c.sizes), g.permutation(&c.sizes));
        let none = Permutation::identity(3);
        prop_assert!(p.then(&p.inverse()).is_identity());
        for ((name, ty, plain), (_, _, moved)) in results(&c, &none).iter().zip(&results(&c, &p)) {
            let shape = c.shape(ty);
            let image = p.apply(&shape, plain);
            prop_assert_eq!(&image, moved, "{}", name);
            prop_assert_eq!(&none.apply(&shape, plain), plain);
            prop_assert_eq!(&p.inverse().apply(&shape, &image), plain);
            prop_assert_eq!(q.apply(&shape, &image), p.then(&q).apply(&shape, plain));
            prop_assert_eq!(shape.card(plain), shape.card(&image));
        }
    }
}

#[test]
fn iterating_a_huge_number_of_times() {
    let sizes = Sizes([9, 9, 9].into());
    let rel = Shape::of(&Type::relation(carrier(0), carrier(0)), &sizes);
    let e = rel.element();
    let cycle = rel.collect((0..9).map(|i| e.pair(Value::Word(i), Value::Word((i + 1) % 9))));
    let turns = (num_bigint::BigUint::from(1u8) << 200u32) + 5u8;
    let shift = (&turns % 9u8).try_into().unwrap_or(0u64);
    let wanted = rel.collect((0..9).map(|i| e.pair(Value::Word(i), Value::Word((i + shift) % 9))));
    assert_eq!(relation::iterate(&rel, &cycle, &turns, &mut Unmetered).unwrap(), wanted);
}

/// What both begin and end with is passed over in one go, wherever the changes are, and of whatever length both are.
#[test]
fn what_has_changed_of_long_sets() {
    let numbers = Shape::of(&Type::pow(Type::Integer), &Sizes([].into()));
    let functions = Shape::of(&Type::relation(Type::Integer, Type::Integer), &Sizes([].into()));
    let pair = |(x, y): &(i64, i64)| functions.element().pair(Value::Int(*x), Value::Int(*y));
    let mut random = Random(11);
    for _ in 0..400 {
        let size = random.below(200) as i64;
        let a: BTreeSet<(i64, i64)> = (0..size).map(|x| (x, x % 7)).collect();
        let mut b = a.clone();
        for _ in 0..random.below(4) {
            let point = (random.below(210) as i64, random.below(7) as i64);
            let _ = b.remove(&point) || b.insert(point);
        }
        let changed: Vec<Value> = a.symmetric_difference(&b).map(pair).collect();
        let set = |points: &BTreeSet<(i64, i64)>| functions.collect(points.iter().map(pair));
        assert_eq!(functions.changed(&set(&a), &set(&b), 4), Some(changed));
        // The same of a list.
        let number = |(x, y): &(i64, i64)| Value::Int(10 * x + y);
        let set = |points: &BTreeSet<(i64, i64)>| numbers.collect(points.iter().map(number));
        let changed: Vec<Value> = a.symmetric_difference(&b).map(number).collect();
        assert_eq!(numbers.changed(&set(&a), &set(&b), 4), Some(changed));
    }
}

/// A long list and a short one are not walked through together.
#[test]
fn long_sets_and_short_ones() {
    let shape = Shape::of(&Type::pow(Type::Integer), &Sizes([].into()));
    let set = |members: &BTreeSet<i64>| shape.collect(members.iter().map(|n| Value::Int(*n)));
    let mut random = Random(7);
    for _ in 0..300 {
        let mut numbers =
            |n: u64| -> BTreeSet<i64> { (0..n).map(|_| random.below(400) as i64 - 200).collect() };
        let (long, short) = (numbers(300), numbers(4));
        let (a, b) = (set(&long), set(&short));
        for ((x, y), (v, w)) in [((&long, &short), (&a, &b)), ((&short, &long), (&b, &a))] {
            assert_eq!(shape.union(v, w), set(&(x | y)));
            assert_eq!(shape.difference(v, w), set(&(x - y)));
            assert_eq!(shape.intersection(v, w), set(&(x & y)));
        }
    }
}

/// The pairs of a few arguments are looked up in a long relation, be it a table, a list of pairs or one of numbers.
#[test]
fn long_relations_and_few_arguments() {
    let sizes = Sizes([100, 70].into());
    let mut random = Random(5);
    for (x, y) in [
        (Type::Integer, Type::Integer),
        (Type::Integer, Type::String),
        (carrier(0), carrier(1)),
        (Type::pair(Type::Integer, carrier(1)), Type::Bool),
    ] {
        let rel = Shape::of(&Type::relation(x.clone(), y.clone()), &sizes);
        let lefts = Shape::of(&Type::pow(x.clone()), &sizes);
        let (from, to) = rel.element().sides();
        for round in 0..100 {
            let pairs = (0..300).map(|_| {
                let (a, b) = (random.model(&x, &sizes), random.model(&y, &sizes));
                (build(&from, &a), build(&to, &b))
            });
            let pairs: Vec<(Value, Value)> = pairs.collect();
            let r = rel.collect_pairs(pairs.iter().cloned());
            let few = (0..round % 4).map(|_| build(&from, &random.model(&x, &sizes)));
            let few = lefts.collect(few.collect::<Vec<_>>());
            let part = |keep: bool| {
                let own = pairs.iter().filter(|(a, _)| lefts.contains(&few, a) == keep);
                rel.collect_pairs(own.cloned())
            };
            assert_eq!(relation::domain_restrict(&rel, &few, &r), part(true));
            assert_eq!(relation::domain_subtract(&rel, &few, &r), part(false));
        }
    }
}

/// A pair may stand where a function without gaps has it, or not.
#[test]
fn the_only_partner_of_one_is_found_with_gaps_and_without() {
    let rel = Shape::set_of(Shape::pair_of(Shape::Integer, Shape::Integer));
    let pair = |(x, y): &(i64, i64)| rel.element().pair(Value::Int(*x), Value::Int(*y));
    let mut random = Random(11);
    let (mut found, mut several) = (0, 0);
    for _ in 0..2_000 {
        let (size, range) = (random.below(8), 1 + random.below(9));
        let mut number = |n: u64| random.below(n) as i64 - 2;
        let pairs: BTreeSet<(i64, i64)> = (0..size).map(|_| (number(range), number(3))).collect();
        let r = rel.collect(pairs.iter().map(pair));
        for x in (-4..8).chain([i64::MIN, i64::MAX]) {
            let partners: Vec<i64> = pairs.iter().filter(|p| p.0 == x).map(|p| p.1).collect();
            let expected = match partners[..] {
                [] => Err(relation::ApplyError::OutsideDomain),
                [only] => Ok(Value::Int(only)),
                _ => Err(relation::ApplyError::NotFunctional),
            };
            found += usize::from(expected.is_ok());
            several += usize::from(partners.len() > 1);
            let result = relation::apply(&rel, &r, &Value::Int(x));
            assert_eq!(result, expected, "{x} in {pairs:?}");
        }
    }
    assert!(found > 2_000 && several > 500, "{found}, {several}");
}
