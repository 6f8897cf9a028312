//! The operators against a naive model: sets are trees of plain terms, whatever their size.

use super::relation::{self, Arrow};
use super::shape::Sizes;
use super::{Names, Permutation, Shape, Value, enumerate, sequence};
use crate::machine::{CarrierSet, Freetype, Machine, SetId, SetKind, Type};
use crate::source::Span;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A value that says what it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Model {
    Int(i64),
    Word(u64),
    String(String),
    Pair(Box<(Model, Model)>),
    Set(BTreeSet<Model>),
    Record(Vec<Model>),
}

type Graph = BTreeSet<(Model, Model)>;

fn pair(a: Model, b: Model) -> Model {
    Model::Pair(Box::new((a, b)))
}

fn graph(pairs: impl IntoIterator<Item = (Model, Model)>) -> Model {
    Model::Set(pairs.into_iter().map(|(a, b)| pair(a, b)).collect())
}

fn members(m: &Model) -> &BTreeSet<Model> {
    match m {
        Model::Set(s) => s,
        _ => panic!("not a set: {m:?}"),
    }
}

fn pairs(m: &Model) -> Graph {
    let split = |p: &Model| match p {
        Model::Pair(p) => (**p).clone(),
        _ => panic!("not a pair: {p:?}"),
    };
    members(m).iter().map(split).collect()
}

fn build(shape: &Shape, m: &Model) -> Value {
    match m {
        Model::Int(n) => Value::Int(*n),
        Model::Word(w) => Value::Word(*w),
        Model::String(s) => Value::String(s.as_str().into()),
        Model::Pair(p) => {
            let (l, r) = shape.sides();
            shape.pair(build(&l, &p.0), build(&r, &p.1))
        }
        Model::Set(s) => {
            let e = shape.element();
            shape.collect(s.iter().rev().map(|m| build(&e, m)))
        }
        Model::Record(fields) => {
            let Shape::Record(shapes) = shape else { panic!("not a record: {m:?}") };
            Value::Record(fields.iter().zip(shapes.iter()).map(|(f, s)| build(s, f)).collect())
        }
    }
}

fn read(ty: &Type, shape: &Shape, v: &Value) -> Model {
    match (ty, v) {
        (Type::Integer, Value::Int(n)) => Model::Int(*n),
        (Type::Bool | Type::Set(_), Value::Word(w)) => Model::Word(*w),
        (Type::String, Value::String(s)) => Model::String(s.to_string()),
        (Type::Pair(p), _) => {
            let ((x, y), (l, r)) = (shape.split(v), shape.sides());
            pair(read(&p.0, &l, &x), read(&p.1, &r, &y))
        }
        (Type::Pow(t), _) => {
            let e = shape.element();
            let list: Vec<Value> = shape.members(v).collect();
            assert!(list.is_sorted_by(|a, b| a < b), "members in order");
            assert_eq!(list.len(), shape.card(v));
            Model::Set(list.iter().map(|m| read(t, &e, m)).collect())
        }
        (Type::Record(fields), Value::Record(vs)) => {
            let Shape::Record(shapes) = shape else { panic!("not a record: {v:?}") };
            let all = fields.iter().zip(shapes.iter()).zip(vs.iter());
            Model::Record(all.map(|(((_, t), s), v)| read(t, s, v)).collect())
        }
        _ => panic!("not of type {ty:?}: {v:?}"),
    }
}

/// A small random source (splitmix64), so that one seed makes a whole case.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn model(&mut self, ty: &Type, sizes: &Sizes) -> Model {
        match ty {
            Type::Integer => Model::Int(self.below(6) as i64 - 1),
            Type::Bool => Model::Word(self.below(2)),
            Type::String => {
                Model::String(["", "a", "b", "a\"b\\\n"][self.below(4) as usize].into())
            }
            Type::Set(s) => Model::Word(self.below(sizes.of(*s) as u64)),
            Type::Pair(p) => pair(self.model(&p.0, sizes), self.model(&p.1, sizes)),
            Type::Pow(t) => {
                let most = [0, 2, 5, 12, 60][self.below(5) as usize];
                Model::Set((0..most).map(|_| self.model(t, sizes)).collect())
            }
            Type::Record(fields) => {
                Model::Record(fields.iter().map(|(_, t)| self.model(t, sizes)).collect())
            }
            Type::Real | Type::Free(_) => panic!("no random values of {ty:?}"),
        }
    }

    fn permutation(&mut self, sizes: &Sizes) -> Permutation {
        let maps = sizes.0.iter().map(|n| {
            let mut map: Vec<u32> = (0..*n).collect();
            for i in (1..map.len()).rev() {
                map.swap(i, self.below(i as u64 + 1) as usize);
            }
            map
        });
        Permutation { maps: maps.collect() }
    }
}

fn carrier(i: u32) -> Type {
    Type::Set(SetId(i))
}

/// Types of every representation, for sets of 1 to 9, 1 to 9 and 70 elements.
fn types() -> Vec<Type> {
    vec![
        carrier(0),
        carrier(1),
        carrier(2),
        Type::Bool,
        Type::Integer,
        Type::String,
        Type::pair(carrier(0), carrier(1)),
        Type::pair(Type::Integer, carrier(0)),
        Type::pow(carrier(0)),
        Type::pow(Type::pair(Type::Bool, carrier(1))),
        Type::pow(Type::Integer),
        Type::Record([("a".into(), carrier(0)), ("b".into(), Type::Bool)].into()),
    ]
}

/// Everything the operators are applied to.
struct Case {
    sizes: Sizes,
    x: Type,
    y: Type,
    z: Type,
    r: Model,
    r2: Model,
    s: Model,
    q: Model,
    h: Model,
    a: Model,
    a2: Model,
    b: Model,
    n: u64,
}

impl Case {
    fn new(seed: u64) -> Case {
        let mut g = Random(seed);
        let sizes = Sizes([1 + g.below(9) as u32, 1 + g.below(9) as u32, 70].into());
        let types = types();
        // often the plain carrier sets
        let mut any =
            || types[if g.below(2) == 0 { g.below(4) } else { g.below(12) } as usize].clone();
        let (x, y, z) = (any(), any(), any());
        let mut model = |ty: Type| g.model(&ty, &sizes);
        Case {
            r: model(Type::relation(x.clone(), y.clone())),
            r2: model(Type::relation(x.clone(), y.clone())),
            s: model(Type::relation(y.clone(), z.clone())),
            q: model(Type::relation(x.clone(), z.clone())),
            h: model(Type::relation(x.clone(), x.clone())),
            a: model(Type::pow(x.clone())),
            a2: model(Type::pow(x.clone())),
            b: model(Type::pow(y.clone())),
            n: g.below(9),
            sizes,
            x,
            y,
            z,
        }
    }

    fn shape(&self, ty: &Type) -> Shape {
        Shape::of(ty, &self.sizes)
    }

    fn value(&self, ty: &Type, m: &Model) -> Value {
        build(&self.shape(ty), m)
    }
}

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
        ("composition", xz.clone(), rel::compose(&rs, &ss, &qs, &r, &s)),
        ("parallel product", par.clone(), rel::parallel(&rs, &ss, &of(&par), &r, &s)),
        ("direct product", dir.clone(), rel::direct(&rs, &qs, &of(&dir), &r, &q)),
        ("product", xy.clone(), rel::product(&aset, &bset, &rs, &a, &b)),
        ("closure1", xx.clone(), rel::closure1(&hs, &h)),
        ("closure", xx.clone(), rel::closure(&hs, &h)),
        ("iterate", xx.clone(), rel::iterate(&hs, &h, c.n)),
        ("prj1", first.clone(), rel::projection1(&aset, &bset, &of(&first), &a, &b)),
        ("prj2", second.clone(), rel::projection2(&aset, &bset, &of(&second), &a, &b)),
        ("rel", xy.clone(), rel::rel_of(&of(&fun), &rs, &f)),
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
    let field: BTreeSet<Model> = left(&h).union(&right(&h)).cloned().collect();
    let id: Graph = field.iter().map(|x| (x.clone(), x.clone())).collect();
    let mut closed = h.clone();
    loop {
        let more: Graph = closed.union(&chain(&closed, &h)).cloned().collect();
        if more == closed {
            break;
        }
        closed = more;
    }
    let power = (0..c.n).fold(id.clone(), |p, _| chain(&p, &h));
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
        ("closure", graph(closed.union(&id).cloned())),
        ("iterate", graph(power)),
        ("prj1", graph(ab.iter().map(|(x, y)| (pair(x.clone(), y.clone()), x.clone())))),
        ("prj2", graph(ab.iter().map(|(x, y)| (pair(x.clone(), y.clone()), y.clone())))),
        ("rel", c.r.clone()),
        ("fnc", graph(images.into_iter().map(|(x, ys)| (x, Model::Set(ys))))),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

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

    #[test]
    fn distinct_values_print_distinctly(seed: u64) {
        let c = Case::new(seed);
        let names = names(&c.sizes);
        let seq = Type::sequence(c.x.clone());
        let mut g = Random(seed);
        for ty in [&c.x, &Type::relation(c.x.clone(), c.y.clone()), &seq] {
            let mut texts = BTreeMap::new();
            for _ in 0..10 {
                let v = c.value(ty, &g.model(ty, &c.sizes));
                let text = names.show(ty, &v);
                let short = names.show_short(ty, &v, 20);
                prop_assert!(short.chars().count() <= 20);
                if text.chars().count() <= 20 {
                    prop_assert_eq!(&short, &text);
                } else {
                    let start = short.strip_suffix("...");
                    prop_assert!(start.is_some_and(|s| text.starts_with(s)), "{} {}", short, text);
                }
                let before = texts.insert(text.clone(), v.clone());
                prop_assert!(before.is_none_or(|w| w == v), "{}", text);
            }
        }
    }

    #[test]
    fn sequences_agree_with_vectors(seed: u64) {
        let c = Case::new(seed);
        let (ty, elements) = (Type::sequence(c.x.clone()), Type::pow(c.x.clone()));
        let seq = c.shape(&ty);
        let mut g = Random(seed);
        let mut list = |n: u64| -> Vec<Value> {
            (0..n).map(|_| c.value(&c.x, &g.model(&c.x, &c.sizes))).collect()
        };
        let (a, b, x) = (list(c.n), list(seed % 5), list(1).remove(0));
        let make = |items: &[Value]| sequence::from_items(&seq, items.to_vec());
        let (s, t) = (make(&a), make(&b));
        prop_assert_eq!(&s, &seq.collect(seq.members(&s)));
        prop_assert_eq!(sequence::items(&seq, &s), Some(a.clone()));
        prop_assert_eq!(sequence::size(&seq, &s), Ok(a.len()));
        prop_assert_eq!(sequence::concat(&seq, &s, &t), Ok(make(&[&a[..], &b].concat())));
        let single = std::slice::from_ref(&x);
        prop_assert_eq!(sequence::append(&seq, &s, x.clone()), Ok(make(&[&a[..], single].concat())));
        prop_assert_eq!(sequence::prepend(&seq, x.clone(), &s), Ok(make(&[single, &a[..]].concat())));
        let back: Vec<Value> = a.iter().rev().cloned().collect();
        prop_assert_eq!(sequence::reverse(&seq, &s), Ok(make(&back)));
        let outer = c.shape(&Type::sequence(ty.clone()));
        let nested = sequence::from_items(&outer, vec![s.clone(), t.clone(), s.clone()]);
        prop_assert_eq!(sequence::conc(&outer, &seq, &nested), Ok(make(&[&a[..], &b, &a].concat())));
        let empty = Err(sequence::SequenceError::Empty);
        let or_empty = |v: Option<Value>| v.map_or(empty.clone(), Ok);
        prop_assert_eq!(sequence::first(&seq, &s), or_empty(a.first().cloned()));
        prop_assert_eq!(sequence::last(&seq, &s), or_empty(a.last().cloned()));
        prop_assert_eq!(sequence::tail(&seq, &s), or_empty(a.split_first().map(|p| make(p.1))));
        prop_assert_eq!(sequence::front(&seq, &s), or_empty(a.split_last().map(|p| make(p.1))));
        for n in -1..=a.len() as i64 + 1 {
            let k = usize::try_from(n).ok().filter(|k| *k <= a.len());
            let or_out = |v: Option<Value>| v.ok_or(sequence::SequenceError::OutOfRange);
            let n = Value::Int(n);
            prop_assert_eq!(sequence::take(&seq, &s, &n), or_out(k.map(|k| make(&a[..k]))));
            prop_assert_eq!(sequence::drop(&seq, &s, &n), or_out(k.map(|k| make(&a[k..]))));
        }
        let distinct: BTreeSet<&Value> = a.iter().collect();
        let injective = distinct.len() == a.len();
        prop_assert_eq!(sequence::is_injective_sequence(&seq, &s), injective);
        let range = c.shape(&elements).collect(a.iter().cloned());
        prop_assert_eq!(sequence::is_permutation_of(&seq, &s, &range), injective);
        prop_assert!(sequence::is_sequence_over(&seq, &s, &range));
        let wider = c.shape(&elements).insert(&range, x.clone());
        prop_assert_eq!(
            sequence::is_permutation_of(&seq, &s, &wider), injective && a.contains(&x)
        );
        // no sequences: a gap, a wrong start, two items at one place
        let at = |i: i64, v: &Value| seq.element().pair(Value::Int(i), v.clone());
        for bad in [vec![at(1, &x), at(3, &x)], vec![at(0, &x)], vec![at(2, &x)]] {
            let bad = seq.collect(bad);
            prop_assert!(!sequence::is_sequence(&seq, &bad));
            prop_assert_eq!(
                sequence::first(&seq, &bad), Err(sequence::SequenceError::NotSequence)
            );
        }
        if let Some(other) = a.iter().find(|o| **o != x) {
            prop_assert!(!sequence::is_sequence(&seq, &seq.collect([at(1, &x), at(1, other)])));
        }
    }
}

fn naive_function(r: &Graph) -> bool {
    r.iter().all(|p| r.iter().all(|q| p.0 != q.0 || p == q))
}

fn naive_injective(r: &Graph) -> bool {
    r.iter().all(|p| r.iter().all(|q| p.1 != q.1 || p == q))
}

fn naive_arrow(r: &Graph, arrow: Arrow, dom: &BTreeSet<Model>, ran: &BTreeSet<Model>) -> bool {
    r.iter().all(|(x, y)| dom.contains(x) && ran.contains(y))
        && (!arrow.functional || naive_function(r))
        && (!arrow.injective || naive_injective(r))
        && (!arrow.total || dom.iter().all(|x| r.iter().any(|p| p.0 == *x)))
        && (!arrow.surjective || ran.iter().all(|y| r.iter().any(|p| p.1 == *y)))
}

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

#[test]
fn iterating_a_huge_number_of_times() {
    let sizes = Sizes([9, 9, 9].into());
    let rel = Shape::of(&Type::relation(carrier(0), carrier(0)), &sizes);
    let e = rel.element();
    let cycle = rel.collect((0..9).map(|i| e.pair(Value::Word(i), Value::Word((i + 1) % 9))));
    let turns = u64::MAX;
    let shift = turns % 9;
    let wanted = rel.collect((0..9).map(|i| e.pair(Value::Word(i), Value::Word((i + shift) % 9))));
    assert_eq!(relation::iterate(&rel, &cycle, turns), wanted);
}

#[test]
fn long_sequences() {
    let sizes = Sizes([1, 1, 1].into());
    let seq = Shape::of(&Type::sequence(Type::Integer), &sizes);
    let long = sequence::from_items(&seq, (0..10_000).map(Value::Int).collect());
    let back = sequence::reverse(&seq, &long).unwrap();
    assert!(sequence::is_injective_sequence(&seq, &back));
    let twice = sequence::concat(&seq, &long, &back).unwrap();
    assert_eq!(sequence::size(&seq, &twice), Ok(20_000));
    assert_eq!(relation::apply(&seq, &twice, &Value::Int(10_001)), Ok(Value::Int(9_999)));
    let swapped = seq.collect([seq.element().pair(Value::Int(5), Value::Int(-1))]);
    let changed = relation::overriding(&seq, &long, &swapped);
    assert_eq!(relation::apply(&seq, &changed, &Value::Int(5)), Ok(Value::Int(-1)));
    assert_eq!(seq.card(&changed), 10_000);
}

fn machine() -> Machine {
    let set = |name: &str, kind| CarrierSet { name: name.into(), kind, span: Span::default() };
    Machine {
        name: "M".into(),
        sets: vec![
            set("S", SetKind::Deferred),
            set("T", SetKind::Parameter),
            set("U", SetKind::Deferred),
            set("Colour", SetKind::Enumerated(vec!["red".into(), "dark red".into()])),
        ],
        freetypes: vec![Freetype {
            name: "List".into(),
            constructors: vec![("nil".into(), None), ("cons".into(), Some(Type::Integer))],
        }],
        constants: vec![],
        variables: vec![],
        locals: vec![],
        properties: vec![],
        has_properties: false,
        invariant: vec![],
        assertions: vec![],
        initialisation: None,
        operations: vec![],
        goal: None,
        scope: None,
        scope_sizes: vec![],
        preferences: vec![],
        temporal: vec![],
        force_symmetry: vec![],
    }
}

fn names(sizes: &Sizes) -> Names {
    Names::new(&machine(), &Sizes::new(&machine(), |s| sizes.of(s)))
}

#[test]
fn printing() {
    let sizes = Sizes([3, 2, 4, 2].into());
    let mut names = names(&sizes);
    names.rename(SetId(0), 1, "c".into());
    let shape = |ty: &Type| Shape::of(ty, &sizes);
    let show = |ty: &Type, m: Model| names.show(ty, &build(&shape(ty), &m));
    let word = Model::Word;
    let set = |ms: &[Model]| Model::Set(ms.iter().cloned().collect());
    assert_eq!(show(&carrier(0), word(0)), "S1");
    assert_eq!(show(&carrier(0), word(1)), "c");
    assert_eq!(&**names.element(SetId(0), 2), "S3");
    assert_eq!(show(&carrier(3), word(1)), "`dark red`");
    assert_eq!(names.lists()[1].len(), 2);
    assert_eq!(show(&Type::pow(carrier(0)), set(&[])), "{}");
    assert_eq!(show(&Type::pow(carrier(0)), set(&[word(0), word(2)])), "{S1,S3}");
    let rel = Type::relation(carrier(3), Type::Bool);
    assert_eq!(show(&rel, graph([(word(0), word(1))])), "{(red|->TRUE)}");
    let left = Type::pair(Type::pair(Type::Bool, Type::Integer), Type::Bool);
    assert_eq!(show(&left, pair(pair(word(0), Model::Int(-1)), word(1))), "(FALSE|->-1|->TRUE)");
    let right = Type::pair(Type::Bool, Type::pair(Type::Bool, Type::Bool));
    assert_eq!(show(&right, pair(word(0), pair(word(0), word(1)))), "(FALSE|->(FALSE|->TRUE))");
    let seq = Type::sequence(Type::Bool);
    let items = |is: &[i64]| graph(is.iter().map(|i| (Model::Int(*i), word(0))));
    assert_eq!(show(&seq, items(&[])), "{}");
    assert_eq!(show(&seq, items(&[1, 2])), "[FALSE,FALSE]");
    assert_eq!(show(&seq, items(&[1, 3])), "{(1|->FALSE),(3|->FALSE)}");
    assert_eq!(show(&Type::String, Model::String("a\"\\\n".into())), r#""a\"\\\n""#);
    let record = Type::Record([("a".into(), Type::Integer), ("b".into(), Type::Bool)].into());
    assert_eq!(show(&record, Model::Record(vec![Model::Int(1), word(1)])), "rec(a:1,b:TRUE)");
    let real = |r| names.show(&Type::Real, &Value::real(r));
    assert_eq!([real(1.0), real(-0.5), real(-0.0)], ["1.0", "-0.5", "0.0"]);
    assert_eq!(real(1e21), "1000000000000000000000.0");
    let big = Value::integer(num_bigint::BigInt::from(10).pow(30));
    assert_eq!(names.show(&Type::Integer, &big), format!("1{}", "0".repeat(30)));
    let free = |n, v: Option<i64>| {
        let v = Value::Free(Arc::new((n, v.map(Value::Int))));
        names.show(&Type::Free(crate::machine::FreeId(0)), &v)
    };
    assert_eq!([free(0, None), free(1, Some(2))], ["nil", "cons(2)"]);
    let short = |n| {
        let all = set(&[word(0), word(1), word(2)]);
        names.show_short(&Type::pow(carrier(0)), &build(&shape(&Type::pow(carrier(0))), &all), n)
    };
    assert_eq!(
        [9, 8, 7, 5, 3, 2].map(short),
        ["{S1,c,S3}", "{S1,...", "{S1,...", "{...", "...", ".."]
    );
}
