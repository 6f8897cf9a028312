//! Values as mathematical objects.

use burnside::machine::Type;
use burnside::state::Instance;
use burnside::value::{Shape, Value};
use num_bigint::BigInt;
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum V {
    Int(BigInt),
    Bool(bool),
    /// Carrier set, element.
    Elem(u32, u32),
    Str(String),
    /// Bits of a double.
    Real(u64),
    Pair(Box<(V, V)>),
    Set(BTreeSet<V>),
    Rec(Vec<V>),
    /// Number of the constructor, and its argument.
    Free(u32, Option<Box<V>>),
}

impl V {
    pub fn int(n: i64) -> V {
        V::Int(BigInt::from(n))
    }

    pub fn pair(a: V, b: V) -> V {
        V::Pair(Box::new((a, b)))
    }

    pub fn set(items: impl IntoIterator<Item = V>) -> V {
        V::Set(items.into_iter().collect())
    }

    pub fn big(&self) -> &BigInt {
        match self {
            V::Int(n) => n,
            other => panic!("not an integer: {other:?}"),
        }
    }

    pub fn real(&self) -> f64 {
        match self {
            V::Real(bits) => f64::from_bits(*bits),
            other => panic!("not a real: {other:?}"),
        }
    }

    pub fn from_real(r: f64) -> V {
        V::Real((r + 0.0).to_bits())
    }

    pub fn items(&self) -> &BTreeSet<V> {
        match self {
            V::Set(s) => s,
            other => panic!("not a set: {other:?}"),
        }
    }

    pub fn sides(&self) -> (&V, &V) {
        match self {
            V::Pair(p) => (&p.0, &p.1),
            other => panic!("not a pair: {other:?}"),
        }
    }

    /// From the evaluator's representation.
    pub fn read(instance: &Instance, ty: &Type, v: &Value) -> V {
        V::read_as(instance, ty, &instance.shape(ty), v)
    }

    fn read_as(instance: &Instance, ty: &Type, shape: &Shape, v: &Value) -> V {
        if *v == Value::unassigned() {
            return V::Rec(Default::default());
        }
        match ty {
            Type::Integer => V::Int(v.to_big().expect("an integer")),
            Type::Real => match v {
                Value::Real(r) => V::from_real(*r),
                other => panic!("not a real: {other:?}"),
            },
            Type::Bool => V::Bool(v.word() == 1),
            Type::String => match v {
                Value::String(s) => V::Str(s.to_string()),
                other => panic!("not a string: {other:?}"),
            },
            Type::Set(s) => V::Elem(s.0, v.word() as u32),
            Type::Pow(t) => {
                let element = shape.element();
                V::set(shape.members(v).map(|x| V::read_as(instance, t, &element, &x)))
            }
            Type::Pair(p) => {
                let (l, r) = shape.sides();
                let (x, y) = shape.split(v);
                V::pair(V::read_as(instance, &p.0, &l, &x), V::read_as(instance, &p.1, &r, &y))
            }
            Type::Record(fields) => match (shape, v) {
                (Shape::Record(shapes), Value::Record(values)) => V::Rec(
                    fields
                        .iter()
                        .zip(shapes.iter().zip(values.iter()))
                        .map(|((_, t), (s, v))| V::read_as(instance, t, s, v))
                        .collect(),
                ),
                other => panic!("not a record: {other:?}"),
            },
            Type::Free(id) => match v {
                Value::Free(made) => {
                    let constructors = &instance.machine.freetypes[id.0 as usize].constructors;
                    let ty = &constructors[made.0 as usize].argument;
                    let argument = ty.as_ref().zip(made.1.as_ref());
                    let argument = argument.map(|(ty, v)| Box::new(V::read(instance, ty, v)));
                    V::Free(made.0, argument)
                }
                other => panic!("not of a free type: {other:?}"),
            },
        }
    }
}
