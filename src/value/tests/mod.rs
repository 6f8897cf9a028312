//! The naive model that the tests compare with: sets are trees of plain terms, whatever their size.

mod joined;
mod operators;
mod printing;
mod reach;
mod sequences;
mod tables;
mod walks;

use super::relation::{self, Arrow};
use super::shape::Sizes;
use super::{Names, Permutation, Shape, Value, enumerate, sequence};
use crate::machine::{CarrierSet, Constructor, Freetype, Machine, Notation, SetId, SetKind, Type};
use crate::source::Span;
use num_bigint::BigInt;
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

/// From here on a number stands for one that does not fit a word.
const LARGE: i64 = 1 << 40;

fn build(shape: &Shape, m: &Model) -> Value {
    match m {
        Model::Int(n) if *n >= LARGE => Value::integer(BigInt::from(*n) << 40),
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
        (Type::Integer, Value::Big(n)) => {
            Model::Int(i64::try_from(&**n >> 40).expect("no other is made"))
        }
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
            Type::Integer => Model::Int(match self.below(60) {
                0 => LARGE + self.below(3) as i64,
                n => n as i64 % 6 - 1,
            }),
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
        Type::Record([("a".into(), Type::Integer), ("b".into(), carrier(2))].into()),
        Type::pair(Type::pair(Type::Integer, carrier(2)), Type::Integer),
        Type::pow(Type::pair(Type::Integer, Type::Integer)),
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
        let mut any = || {
            types[if g.below(2) == 0 { g.below(4) } else { g.below(types.len() as u64) } as usize]
                .clone()
        };
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

fn machine() -> Machine {
    let set = |name: &str, kind| CarrierSet { name: name.into(), kind, span: Span::default() };
    let constructor = |name: &str, argument: Option<Type>| Constructor {
        name: name.into(),
        endless: argument.is_some(),
        argument,
        from: None,
    };
    Machine {
        name: "M".into(),
        dialect: Default::default(),
        sets: vec![
            set("S", SetKind::Deferred),
            set("T", SetKind::Parameter),
            set("U", SetKind::Deferred),
            set("Colour", SetKind::Enumerated(vec!["red".into(), "dark red".into()])),
        ],
        freetypes: vec![Freetype {
            name: "List".into(),
            constructors: vec![constructor("nil", None), constructor("cons", Some(Type::Integer))],
            nested: false,
            span: Span::default(),
        }],
        constants: vec![],
        variables: vec![],
        abstract_variables: vec![],
        locals: vec![],
        properties: vec![],
        has_properties: false,
        assumed: vec![],
        invariant: vec![],
        assertions: vec![],
        initialisation: None,
        claims: vec![],
        operations: Default::default(),
        goal: None,
        scope: None,
        scope_sizes: vec![],
        preferences: vec![],
        temporal: vec![],
        force_symmetry: vec![],
        abbreviations: Default::default(),
        asymmetric: vec![],
        symbolic: Default::default(),
        notations: Default::default(),
        files: None,
    }
}

fn names(sizes: &Sizes) -> Names {
    Names::new(&machine(), &Sizes::new(&machine(), |s| sizes.of(s)))
}
