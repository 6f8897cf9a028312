//! Sets of which there may be few members, out of too many to give each a literal: `S <: 0..2**31-1 & card(S) = 2`. They
//! are lists of members, in order, so that each set is there once. And what is asked of lists of which too many values may
//! be members: how many there are, which is the greatest, which of them are in another set.

use super::fresh::Origin;
use super::object::{Object, is_pairs, is_scalar, is_sets, scalar};
use crate::constraint::build::{Builder, Built, Instance, Meaning, Refusal};
use crate::constraint::claim::Claim;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::propagators::linear::Relation;
use crate::constraint::sketch::{Host, Pattern, Sketch};
use crate::constraint::store::Var;
use crate::machine::BinaryOp;
use crate::value::Shape;
use std::rc::Rc;

/// Most members that are listed.
const MOST: i64 = 24;

/// Longest list that others are joined to.
const LONGEST: usize = 400;

/// Longest list whose items are compared with one another.
const LONGEST_COMPARED: usize = 48;

/// What may be in a set, each with the literal that it is.
pub(in crate::constraint) type Items = Rc<[(Lit, Object)]>;

impl<'p, H: Host> Builder<'p, H> {
    /// Some set of members of another one, so many at least and so many at most, where the literal is true.
    pub(super) fn fresh_few(
        &mut self,
        of: &'p Sketch,
        (least, most): (i64, i64),
        on: Lit,
    ) -> Built<Object, H> {
        self.few(&of.shape.element(), (least, most), on, &mut |builder, there| {
            builder.fresh(of, there)
        })
    }

    /// The same where nothing is known of the members but their type.
    pub(in crate::constraint) fn few_of_type(
        &mut self,
        set: &Shape,
        (least, most): (i64, i64),
        origin: &Origin,
    ) -> Built<Object, H> {
        let element = set.element();
        let made = &mut |builder: &mut Self, _| builder.of_shape(&element, origin);
        self.few(&element, (least, most), Lit::Always, made)
    }

    fn few(
        &mut self,
        element: &Shape,
        (least, most): (i64, i64),
        on: Lit,
        made: &mut dyn FnMut(&mut Self, Lit) -> Built<Object, H>,
    ) -> Built<Object, H> {
        if most > MOST {
            return Err(Refusal::Opaque);
        }
        if least > most {
            self.poster.post_if(on, Claim::FALSE);
        }
        let mut items: Vec<(Lit, Object)> = Vec::new();
        for i in 0..most {
            // Elsewhere there need be no member at all.
            let there = if i < least && on == Lit::Always { on } else { self.poster.boolean() };
            let item = made(self, there)?;
            if let Some((before, last)) = items.last() {
                let follows = Claim::Lit(there).implies(Claim::Lit(*before));
                let in_order = self.precedes(last, &item, element)?;
                self.poster.post(follows);
                self.poster.post_if(there, in_order);
            }
            items.push((there, item));
        }
        if let Some((there, _)) = usize::try_from(least - 1).ok().and_then(|last| items.get(last)) {
            self.poster.post_if(on, Claim::Lit(*there));
        }
        let items = Rc::from(items);
        self.without_repetition.push(Rc::clone(&items));
        Ok(Object::Listed(items))
    }

    /// That one value comes before another one in an order of all of them.
    fn precedes(&mut self, x: &Object, y: &Object, shape: &Shape) -> Built<Claim, H> {
        self.step(1)?;
        if is_scalar(shape) {
            let number = |b: &mut Self, of: &Object| {
                scalar(of, shape, &mut b.poster).ok_or(Refusal::<H::Stop>::Opaque)
            };
            let (x, y) = (number(self, x)?, number(self, y)?);
            // x + 1 - y <= 0
            let sum = x.plus(-1, &y).and_then(|sum| sum.plus(1, &Linear::constant(1)));
            return Ok(Claim::Sum(Relation::AtMost, sum.ok_or(Refusal::Opaque)?));
        }
        if is_pairs(shape) {
            let (left, right) = shape.sides();
            let sides = self.sides(x, shape)?.zip(self.sides(y, shape)?);
            let ((a, b), (c, d)) = sides.ok_or(Refusal::Opaque)?;
            let first = self.precedes(&a, &c, &left)?;
            let same = self.equal(&a, &c, &left)?;
            let second = self.precedes(&b, &d, &right)?;
            return Ok(Claim::or([first, Claim::and([same, second])]));
        }
        let (Object::Set(xs), Object::Set(ys)) = (x, y) else { return Err(Refusal::Opaque) };
        if !is_sets(shape) || !xs.iter().map(|(v, _)| v).eq(ys.iter().map(|(v, _)| v)) {
            return Err(Refusal::Opaque);
        }
        // The first member by which they differ is in the second one.
        let mut rest = Lit::Never;
        for ((_, in_x), (_, in_y)) in xs.iter().zip(ys.iter()).rev() {
            let only_y = self.poster.and([in_x.negated(), *in_y]);
            let as_much = self.poster.or([in_x.negated(), *in_y]);
            let later = self.poster.and([as_much, rest]);
            rest = self.poster.or([only_y, later]);
        }
        Ok(Claim::Lit(rest))
    }

    /// Of each item of a list the literal that it is there, and that none before it is the same.
    pub(in crate::constraint) fn firsts(
        &mut self,
        items: &Items,
        element: &Shape,
    ) -> Built<Vec<Lit>, H> {
        if self.without_repetition.iter().any(|known| Rc::ptr_eq(known, items)) {
            return Ok(items.iter().map(|(there, _)| *there).collect());
        }
        if items.len() > LONGEST_COMPARED {
            return Err(Refusal::Opaque);
        }
        let mut firsts = Vec::new();
        for (i, (there, item)) in items.iter().enumerate() {
            let mut parts = vec![*there];
            for (earlier, other) in items[..i].iter().filter(|(earlier, _)| *earlier != Lit::Never)
            {
                let same = self.equal(other, item, element)?;
                let same = self.poster.lit(same);
                parts.push(self.poster.and([*earlier, same]).negated());
            }
            firsts.push(self.poster.and(parts));
        }
        Ok(firsts)
    }

    /// How many different items there are in a list.
    pub(super) fn count_of_list(&mut self, items: &Items, element: &Shape) -> Built<Linear, H> {
        let firsts = self.firsts(items, element)?;
        self.count(&firsts)
    }

    /// The greatest (`sign` 1) or the least number in a list, where the literal is true: then there is one.
    pub(in crate::constraint) fn extreme_of_list(
        &mut self,
        items: &Items,
        sign: i64,
        some: Lit,
    ) -> Built<Var, H> {
        let mut sums = Vec::new();
        for (there, item) in items.iter() {
            let sum = item.as_linear().and_then(|sum| sum.times(sign)).ok_or(Refusal::Opaque)?;
            sums.push((*there, sum));
        }
        let store = &self.poster.engine.store;
        let bounds: Vec<(i64, i64)> = sums.iter().map(|(_, sum)| sum.bounds(store)).collect();
        let low = bounds.iter().map(|(low, _)| *low).min().ok_or(Refusal::Opaque)?;
        let high = bounds.iter().map(|(_, high)| *high).max().ok_or(Refusal::Opaque)?;
        let extreme = self.poster.engine.store.variable(low, high);
        let mut places = Vec::new();
        for (there, sum) in sums {
            let above = sum.plus(-1, &Linear::var(extreme)).ok_or(Refusal::Opaque)?;
            self.poster.post_if(there, Claim::Sum(Relation::AtMost, above.clone()));
            let is_it = Claim::Sum(Relation::Equal, above);
            places.push(Claim::and([Claim::Lit(there), is_it]));
        }
        self.poster.post_if(some, Claim::or(places));
        Ok(extreme)
    }

    /// What of a list is in another set (or is not, of a difference).
    pub(super) fn items_within(
        &mut self,
        items: &Items,
        op: BinaryOp,
        set: &Object,
        shape: &Shape,
    ) -> Built<Object, H> {
        let element = shape.element();
        let mut kept = Vec::new();
        for (there, item) in items.iter() {
            let inside = self.is_in(item, &element, set, shape)?;
            let inside = self.poster.lit(inside);
            let stays = if op == BinaryOp::Intersection { inside } else { inside.negated() };
            kept.push((self.poster.and([*there, stays]), item.clone()));
        }
        let kept = Rc::from(kept);
        if self.without_repetition.iter().any(|known| Rc::ptr_eq(known, items)) {
            self.without_repetition.push(Rc::clone(&kept));
        }
        Ok(Object::Listed(kept))
    }

    /// What is listed in these sets, of those whose literals are true.
    pub(super) fn all_items(&mut self, sets: &[(Lit, Object)], shape: &Shape) -> Built<Object, H> {
        let mut all = Vec::new();
        for (there, set) in sets {
            for (lit, item) in self.items(set, shape)?.iter() {
                all.push((self.poster.and([*there, *lit]), item.clone()));
            }
            if all.len() > LONGEST {
                return Err(Refusal::Opaque);
            }
        }
        Ok(Object::Listed(all.into()))
    }

    /// Gives the names in a pattern their parts of a member; that the rest of it is what the pattern says.
    pub(in crate::constraint) fn bind_item(
        &mut self,
        pattern: &'p Pattern,
        (item, shape): (&Object, &Shape),
        instance: &mut Instance,
    ) -> Built<Claim, H> {
        match pattern {
            Pattern::Local(local) => {
                instance.objects.push((*local, item.clone()));
                Ok(Claim::TRUE)
            }
            Pattern::Value(e) => {
                let Meaning { object, defined } = self.term(e)?;
                match defined {
                    Lit::Always => self.equal(item, &object, shape),
                    _ => Err(Refusal::Opaque),
                }
            }
            Pattern::Pair(left, right) => {
                let (x, y) = self.sides(item, shape)?.ok_or(Refusal::Opaque)?;
                let shapes = shape.sides();
                let fits = self.bind_item(left, (&x, &shapes.0), instance)?;
                Ok(Claim::and([fits, self.bind_item(right, (&y, &shapes.1), instance)?]))
            }
        }
    }
}
