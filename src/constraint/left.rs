//! What propagation leaves, before anything is tried: what each unknown may still be, and the conjuncts that are not
//! known to be true of all of that.

use super::build::{Builder, Refusal};
use super::engine::Ended;
use super::literal::Lit;
use super::sketch::{Host, Problem};
use super::store::{INFINITE, Store, Var};
use crate::clock::Stopped;
use crate::constraint::pictures::object::{Object, Point, is_scalar, scalar_value};
use crate::value::{Shape, Value};

/// Most values of a number that are listed.
const FEW: u64 = 16;

/// What a value may be.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    Known(Value),
    /// One of these.
    OneOf(Vec<Value>),
    /// A number between these; where there is none it has no bound.
    Between(Option<i64>, Option<i64>),
    /// A set that has all of these members, and of the others of these only.
    Set(Vec<Value>, Vec<Value>),
    /// A function: where it may be defined, whether it is, and what it may be there.
    Function(Vec<(Value, bool, Domain)>),
    Pair(Box<(Domain, Domain)>),
    Record(Vec<Domain>),
    /// Nothing is known of it.
    Anything,
}

/// What is known of a problem.
#[derive(Clone, PartialEq, Debug)]
pub enum Left {
    /// There is no solution.
    Nothing,
    /// Of each unknown what it may be, and the numbers of the conjuncts that may be false.
    Open(Vec<Domain>, Vec<usize>),
}

/// Propagates until nothing more follows. `None` where the problem cannot be taken apart.
///
/// # Errors
/// What the host says.
pub fn propagate<H: Host>(problem: &Problem, host: &mut H) -> Result<Option<Left>, H::Stop> {
    let mut builder = Builder::new(problem, host);
    let objects = match builder.build() {
        Ok(objects) => objects,
        Err(Refusal::Opaque) => return Ok(None),
        Err(Refusal::Stop(stop)) => return Err(stop),
    };
    // Each conjunct is asked once more: with the domains that there are now it may be known to be true.
    let mut truths = Vec::new();
    for conjunct in &problem.conjuncts {
        if builder.poster.failed {
            return Ok(Some(Left::Nothing));
        }
        truths.push(match builder.truth(conjunct) {
            Ok(truth) => builder.poster.lit(truth.holds()),
            Err(Refusal::Opaque) => Lit::Never,
            Err(Refusal::Stop(stop)) => return Err(stop),
        });
    }
    match builder.poster.engine.propagate() {
        Ok(()) => {}
        Err(Ended::Conflict) => return Ok(Some(Left::Nothing)),
        Err(Ended::Stopped) => return Err(Stopped.into()),
    }
    if builder.poster.failed {
        return Ok(Some(Left::Nothing));
    }
    let store = &builder.poster.engine.store;
    let domains = problem.unknowns.iter().zip(&objects);
    let domains = domains.map(|(unknown, object)| of(object, &unknown.shape, store)).collect();
    let open = |i: &usize| store.truth(truths[*i]) != Some(true);
    Ok(Some(Left::Open(domains, (0..truths.len()).filter(open).collect())))
}

fn of(object: &Object, shape: &Shape, store: &Store) -> Domain {
    if let Some(value) = object.value(shape, store) {
        return Domain::Known(value);
    }
    match object {
        Object::Number(sum) => {
            if let [(1, var)] = sum.terms[..]
                && sum.constant == 0
            {
                return of_variable(var, shape, store);
            }
            let (low, high) = sum.bounds(store);
            between(low, high)
        }
        Object::Index(var) => of_variable(*var, shape, store),
        Object::Truth(_) => Domain::OneOf(vec![Value::FALSE, Value::TRUE]),
        Object::Pair(sides) => {
            let (left, right) = shape.sides();
            Domain::Pair(Box::new((of(&sides.0, &left, store), of(&sides.1, &right, store))))
        }
        Object::Record(fields) => match shape {
            Shape::Record(shapes) => {
                let fields = fields.iter().zip(shapes.iter());
                Domain::Record(fields.map(|(field, shape)| of(field, shape, store)).collect())
            }
            _ => Domain::Anything,
        },
        Object::Set(candidates) => {
            let (mut members, mut others) = (Vec::new(), Vec::new());
            for (value, lit) in candidates.iter() {
                match store.truth(*lit) {
                    Some(true) => members.push(value.clone()),
                    Some(false) => {}
                    None => others.push(value.clone()),
                }
            }
            Domain::Set(members, others)
        }
        Object::Function(points) => {
            let (_, value) = shape.element().sides();
            let able = points.iter().filter(|p| store.truth(p.defined) != Some(false));
            let point = |p: &Point| {
                let certain = store.truth(p.defined) == Some(true);
                (p.at.clone(), certain, of(&p.value, &value, store))
            };
            Domain::Function(able.map(point).collect())
        }
        Object::OneOf(var, values) => {
            Domain::OneOf(store.values(*var).map(|i| values[i as usize].clone()).collect())
        }
        Object::Known(_) | Object::Listed(_) => Domain::Anything,
    }
}

fn of_variable(var: Var, shape: &Shape, store: &Store) -> Domain {
    let gaps = store.has_bits(var) && {
        let width = store.high(var) - store.low(var) + 1;
        store.size(var) < width as u64
    };
    let listed = is_scalar(shape) && (gaps || *shape != Shape::Integer);
    if listed && store.size(var) <= FEW {
        let values = store.values(var).map(|n| scalar_value(n, shape));
        return Domain::OneOf(values.collect());
    }
    match shape {
        Shape::Integer => between(store.low(var), store.high(var)),
        _ => Domain::Anything,
    }
}

fn between(low: i64, high: i64) -> Domain {
    let bound = |n: i64| (n.abs() < INFINITE).then_some(n);
    match (bound(low), bound(high)) {
        (None, None) => Domain::Anything,
        (low, high) => Domain::Between(low, high),
    }
}
