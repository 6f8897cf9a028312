//! The inverse of a function that is not known, where no value occurs twice: a function, too.
//!
//! As a set of pairs it would have a literal for each pair there may be, and nothing would say that one of them
//! is true. As a function it has a variable for each value: the place at which the value stands. Whether one
//! side or the other is decided, the rest follows.

use super::object::{Object, Point, is_scalar, number_of, of_scalar};
use crate::constraint::build::{Builder, Built, Refusal};
use crate::constraint::claim::Claim;
use crate::constraint::literal::Lit;
use crate::constraint::propagators::different::Different;
use crate::constraint::sketch::Host;
use crate::constraint::store::Var;
use crate::value::{Shape, Value};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Most places, of all values together.
const MOST_PLACES: usize = 4096;

/// A function of which no value occurs twice.
pub struct Injective {
    points: Rc<[Point]>,
    /// Values that occur for certain.
    onto: Vec<Value>,
    inverse: Option<Rc<[Point]>>,
}

impl<'p, H: Host> Builder<'p, H> {
    /// Keeps in mind that no value of a function occurs twice, and that these do.
    pub(super) fn note_injective(&mut self, points: &Rc<[Point]>, onto: Vec<Value>) {
        self.injective.push(Injective { points: points.clone(), onto, inverse: None });
    }

    /// The points of the inverse, of a function that is known to have one.
    pub(in crate::constraint) fn inverse(
        &mut self,
        points: &Rc<[Point]>,
        shape: &Shape,
    ) -> Built<Option<Rc<[Point]>>, H> {
        let known = self.injective.iter().position(|f| Rc::ptr_eq(&f.points, points));
        let Some(number) = known else { return Ok(None) };
        if let Some(inverse) = &self.injective[number].inverse {
            return Ok(Some(inverse.clone()));
        }
        let (left, right) = shape.element().sides();
        let mut places: BTreeMap<Value, Vec<(usize, Lit)>> = BTreeMap::new();
        let mut all = 0;
        for (i, point) in points.iter().enumerate() {
            let possible = match self.possible(&point.value, &right) {
                Err(Refusal::Opaque) => return Ok(None),
                possible => possible?,
            };
            for (value, lit) in possible {
                let lit = self.poster.and([point.defined, lit]);
                if lit != Lit::Never {
                    places.entry(value).or_default().push((i, lit));
                    all += 1;
                }
            }
            if all > MOST_PLACES {
                return Ok(None);
            }
        }
        self.step(all)?;
        let numbers: Option<Vec<i64>> = match is_scalar(&left) {
            true => points.iter().map(|p| number_of(&p.at)).collect(),
            false => Some((0..points.len() as i64).collect()),
        };
        let Some(numbers) = numbers else { return Ok(None) };
        let values: Rc<[Value]> = points.iter().map(|p| p.at.clone()).collect();
        let (mut inverse, mut vars, mut total) = (Vec::new(), Vec::new(), true);
        for (value, places) in places {
            let at = |i: usize| numbers[i];
            let (low, high) = places.iter().fold((i64::MAX, i64::MIN), |(low, high), (i, _)| {
                (low.min(at(*i)), high.max(at(*i)))
            });
            let var = self.poster.engine.store.variable(low, high);
            vars.push(var);
            let defined = match self.injective[number].onto.contains(&value) {
                true => Lit::Always,
                false => self.poster.or(places.iter().map(|(_, lit)| *lit)),
            };
            total &= defined == Lit::Always;
            let there = places.iter().map(|(i, _)| Claim::Lit(Lit::Is(var, at(*i))));
            self.poster.post(Claim::or(there.collect::<Vec<_>>()));
            for (i, lit) in &places {
                let is = Claim::Lit(Lit::Is(var, at(*i)));
                self.poster.post(Claim::Lit(*lit).implies(is.clone()));
                self.poster.post_if(defined, is.implies(Claim::Lit(*lit)));
            }
            let object = match is_scalar(&left) {
                true => of_scalar(var, &left),
                false => Object::OneOf(var, values.clone()),
            };
            inverse.push(Point { at: value, defined, value: object });
        }
        if total && vars.len() > 2 {
            self.poster.engine.add(Different(vars.into()));
        }
        let inverse: Rc<[Point]> = inverse.into();
        // Its own inverse is what it was made of.
        let onto = points.iter().filter(|p| p.defined == Lit::Always).map(|p| p.at.clone());
        let back = Injective {
            points: inverse.clone(),
            onto: onto.collect(),
            inverse: Some(points.clone()),
        };
        self.injective.push(back);
        self.injective[number].inverse = Some(inverse.clone());
        Ok(Some(inverse))
    }

    /// Whether no two of these are equal, as they are made of what is known and of different values of functions that have
    /// none twice.
    pub(super) fn are_apart(&self, items: &[(Lit, Object)]) -> bool {
        let mut places = FxHashMap::default();
        for (f, injective) in self.injective.iter().enumerate() {
            for (at, point) in injective.points.iter().enumerate() {
                if let (Some(var), Lit::Always) = (variable(&point.value), point.defined) {
                    places.entry(var).or_insert((f, at));
                }
            }
        }
        let mut functions: Option<Vec<Option<usize>>> = None;
        let mut found = BTreeSet::new();
        items.iter().all(|(_, item)| {
            let (mut of, mut parts) = (Vec::new(), Vec::new());
            told_by(item, &places, &mut |function, part| {
                of.push(function);
                parts.push(part);
            }) && *functions.get_or_insert_with(|| of.clone()) == of
                && found.insert(parts)
        })
    }
}

/// What a part of something is: known, or the value of a function at one of its points, by number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Known(Value),
    At(usize),
}

/// Hands over the parts of something, each with the number of its function; `false` where one of them is neither known nor
/// at one of these places.
fn told_by(
    item: &Object,
    places: &FxHashMap<Var, (usize, usize)>,
    see: &mut impl FnMut(Option<usize>, Part),
) -> bool {
    match item {
        Object::Known(value) => see(None, Part::Known(value.clone())),
        Object::Pair(sides) => {
            return told_by(&sides.0, places, see) && told_by(&sides.1, places, see);
        }
        _ => match variable(item).and_then(|var| places.get(&var)) {
            Some((f, at)) => see(Some(*f), Part::At(*at)),
            None => return false,
        },
    }
    true
}

/// The variable that something is.
fn variable(object: &Object) -> Option<Var> {
    match object {
        Object::Index(var) => Some(*var),
        Object::Number(sum) => sum.as_var(),
        _ => None,
    }
}
