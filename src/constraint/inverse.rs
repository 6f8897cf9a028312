//! The inverse of a function that is not known, where no value occurs twice: a function, too.
//!
//! As a set of pairs it would have a literal for each pair there may be, and nothing would say that one of them
//! is true. As a function it has a variable for each value: the place at which the value stands. Whether one
//! side or the other is decided, the rest follows.

use super::build::{Builder, Built, Refusal};
use super::claim::Claim;
use super::literal::Lit;
use super::object::{Object, Point, is_scalar, number_of, of_scalar};
use super::propagators::different::Different;
use super::sketch::Host;
use crate::value::{Shape, Value};
use std::collections::BTreeMap;
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
    pub(super) fn inverse(
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
}
