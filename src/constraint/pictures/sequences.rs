//! Sequences: functions whose points are 1, 2, 3 and so on.
//!
//! Of one whose length is not known there are points up to the longest that it may have, each with the literal that
//! the sequence is as long; so each follows from the next.

use super::lengths::Lengths;
use super::object::{Object, Point};
use crate::constraint::build::{Builder, Built, Meaning, Refusal};
use crate::constraint::claim::Claim;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::propagators::linear::Relation;
use crate::constraint::sketch::{Host, Sketch};
use crate::machine::{BinaryOp, UnaryOp};
use crate::value::{Shape, Value};

/// Longest sequence that is pictured where its length is not known.
const LONGEST: i64 = 1000;

/// Most items of the sequences that are joined, where their lengths are not known.
const LONGEST_JOINED: usize = 100;

/// The points of a sequence, in order.
struct Sequence {
    points: Vec<Point>,
    /// It is one: no point is missing between others.
    defined: Lit,
}

impl Sequence {
    /// The length, where it is known.
    fn length(&self) -> Option<usize> {
        let known = self.points.iter().all(|p| p.defined == Lit::Always);
        known.then_some(self.points.len())
    }

    /// That it is as long as this.
    fn reaches(&self, length: usize) -> Lit {
        match length.checked_sub(1) {
            None => Lit::Always,
            Some(last) => self.points.get(last).map_or(Lit::Never, |p| p.defined),
        }
    }
}

/// The sequence of these values, each with the literal that it is as long.
fn sequence(values: impl IntoIterator<Item = (Lit, Object)>) -> Object {
    let points = values.into_iter().zip(1..).filter(|((defined, _), _)| *defined != Lit::Never);
    let point = |((defined, value), i)| Point { at: Value::Int(i), defined, value };
    Object::Function(points.map(point).collect())
}

impl<'p, H: Host> Builder<'p, H> {
    /// Some sequence of members of a set, no longer than a number, where the literal is true; `told`: what its items, if
    /// they are sequences, are no longer than.
    pub fn fresh_sequence(
        &mut self,
        op: UnaryOp,
        of: &'p Sketch,
        (longest, told): (i64, &Lengths),
        on: Lit,
    ) -> Built<Object, H> {
        if longest > LONGEST {
            return Err(Refusal::Opaque);
        }
        let mut values: Vec<(Lit, Object)> = Vec::new();
        let mut before = Lit::Always;
        for i in 0..longest {
            let first = i == 0 && matches!(op, UnaryOp::Seq1 | UnaryOp::Iseq1);
            let defined = if first { on } else { self.poster.boolean() };
            // Known under this name, so that whoever asks whether it is a sequence sees that it is.
            let follows = self.poster.or([defined.negated(), before]);
            self.poster.assert(follows);
            let matters = self.poster.and([on, defined]);
            values.push((
                defined,
                self.fresh_value(of, told.at(&Value::Int(i + 1)), false, matters)?,
            ));
            before = defined;
        }
        if values.is_empty() && matches!(op, UnaryOp::Seq1 | UnaryOp::Iseq1) {
            self.poster.post_if(on, Claim::FALSE);
        }
        let object = sequence(values);
        if let (Object::Function(points), UnaryOp::Iseq | UnaryOp::Iseq1) = (&object, op) {
            let claim = self.is_injective(points, &of.shape.element())?;
            self.poster.post_if(on, claim);
        }
        Ok(object)
    }

    /// Some sequence of members of a set, of which nothing says how long it is: that there may be longer ones is noted.
    pub fn fresh_sequence_of_any_length(
        &mut self,
        op: UnaryOp,
        of: &'p Sketch,
        on: Lit,
    ) -> Built<Object, H> {
        let (Some(longest), Some(origin)) = (self.longest, self.of_any_length.clone()) else {
            return Err(Refusal::Opaque);
        };
        let object = self.fresh_sequence(op, of, (longest, &Lengths::default()), on)?;
        self.longer.get_or_insert(origin);
        Ok(object)
    }

    fn as_sequence(&mut self, s: &Object, shape: &Shape) -> Built<Sequence, H> {
        let points = self.points(s, shape)?;
        let in_order = |(i, p): (i64, &Point)| p.at == Value::Int(i);
        if !(1..).zip(points.iter()).all(in_order) {
            return Err(Refusal::Opaque);
        }
        let mut parts = Vec::new();
        for pair in points.windows(2) {
            parts.push(self.poster.or([pair[1].defined.negated(), pair[0].defined]));
        }
        Ok(Sequence { points: points.to_vec(), defined: self.poster.and(parts) })
    }

    /// `size`, `first`, `last`, `front`, `tail` and `rev`.
    pub fn of_sequence(&mut self, op: UnaryOp, s: &Meaning, shape: &Shape) -> Built<Meaning, H> {
        let sequence_of = self.as_sequence(&s.object, shape)?;
        let mut defined = vec![s.defined, sequence_of.defined];
        if op != UnaryOp::Size && op != UnaryOp::Reverse {
            defined.push(sequence_of.reaches(1));
        }
        let defined = self.poster.and(defined);
        let known = sequence_of.length();
        let points = &sequence_of.points;
        let object = match op {
            UnaryOp::Size => match known {
                Some(length) => Object::Known(Value::Int(length as i64)),
                None => Object::Number(self.length(&sequence_of)?),
            },
            UnaryOp::SeqFirst => points.first().ok_or(Refusal::Opaque)?.value.clone(),
            UnaryOp::SeqLast if known.is_some() => {
                points.last().ok_or(Refusal::Opaque)?.value.clone()
            }
            UnaryOp::SeqLast => {
                let length = self.length(&sequence_of)?;
                let index = self.poster.variable(&length).ok_or(Refusal::Opaque)?;
                let rows: Vec<(i64, Object)> =
                    (1..).zip(points.iter().map(|p| p.value.clone())).collect();
                let (_, value) = shape.element().sides();
                self.select(index, &rows, &value)?
            }
            UnaryOp::Front => {
                let longer = points.iter().skip(1).map(|p| p.defined);
                sequence(longer.zip(points.iter().map(|p| p.value.clone())))
            }
            UnaryOp::Tail => sequence(pairs(points.iter().skip(1))),
            UnaryOp::Reverse if known.is_some() => sequence(pairs(points.iter().rev())),
            _ => return Err(Refusal::Opaque),
        };
        Ok(Meaning { object, defined })
    }

    fn length(&mut self, s: &Sequence) -> Built<Linear, H> {
        let lits: Vec<Lit> = s.points.iter().map(|p| p.defined).collect();
        self.count(&lits)
    }

    /// `s ^ t`, `x -> s`, `s <- x`, `s /|\ n` and `s \|/ n`. What comes before must have a known length.
    pub fn of_sequences(
        &mut self,
        op: BinaryOp,
        (a, a_shape): (&Meaning, &Shape),
        (b, b_shape): (&Meaning, &Shape),
    ) -> Built<Meaning, H> {
        let mut defined = vec![a.defined, b.defined];
        let mut read = |this: &mut Self, object: &Object, shape: &Shape| {
            let read = this.as_sequence(object, shape)?;
            defined.push(read.defined);
            Ok::<_, Refusal<H::Stop>>(read)
        };
        let of_known_length = |s: Sequence| match s.length() {
            Some(_) => Ok(s.points),
            None => Err(Refusal::Opaque),
        };
        let one = |x: &Object| [(Lit::Always, x.clone())];
        let object = match op {
            BinaryOp::Concat => {
                let s = of_known_length(read(self, &a.object, a_shape)?)?;
                let t = read(self, &b.object, b_shape)?;
                sequence(pairs(s.iter()).chain(pairs(t.points.iter())))
            }
            BinaryOp::Prepend => {
                let s = read(self, &b.object, b_shape)?;
                sequence(one(&a.object).into_iter().chain(pairs(s.points.iter())))
            }
            BinaryOp::Append => {
                let s = of_known_length(read(self, &a.object, a_shape)?)?;
                sequence(pairs(s.iter()).chain(one(&b.object)))
            }
            BinaryOp::Take | BinaryOp::Drop => {
                let s = read(self, &a.object, a_shape)?;
                let n = b.object.as_linear().and_then(|n| n.known()).ok_or(Refusal::Opaque)?;
                let Ok(n) = usize::try_from(n) else {
                    return Err(Refusal::Opaque);
                };
                defined.push(s.reaches(n));
                match op {
                    BinaryOp::Take => sequence(pairs(s.points.iter().take(n))),
                    _ => sequence(pairs(s.points.iter().skip(n))),
                }
            }
            _ => return Err(Refusal::Opaque),
        };
        Ok(Meaning { object, defined: self.poster.and(defined) })
    }

    /// `conc(s)`: the items of the items, each at the place that the lengths of those before it leave it.
    pub fn joined(&mut self, s: &Meaning, shape: &Shape) -> Built<Meaning, H> {
        let outer = self.as_sequence(&s.object, shape)?;
        let (_, inner_shape) = shape.element().sides();
        let (_, value) = inner_shape.element().sides();
        let mut defined = vec![s.defined, outer.defined];
        let mut rows: Vec<Vec<(Lit, Object)>> = Vec::new();
        for point in &outer.points {
            let inner = self.as_sequence(&point.value, &inner_shape)?;
            defined.push(self.poster.or([point.defined.negated(), inner.defined]));
            let there = inner
                .points
                .into_iter()
                .map(|item| (self.poster.and([point.defined, item.defined]), item.value));
            rows.push(there.collect());
        }
        let defined = self.poster.and(defined);
        let items: Vec<(Lit, Object)> = rows.iter().flatten().cloned().collect();
        if items.iter().all(|(there, _)| *there == Lit::Always) {
            return Ok(Meaning { object: sequence(items), defined });
        }
        if items.len() > LONGEST_JOINED {
            return Err(Refusal::Opaque);
        }
        self.step(items.len() * items.len())?;
        // How many items come before each one, where it is there.
        let (mut places, mut before) = (Vec::new(), Linear::default());
        for row in &rows {
            for (i, _) in row.iter().enumerate() {
                places.push(before.plus(1, &Linear::constant(i as i64)).ok_or(Refusal::Opaque)?);
            }
            let lits: Vec<Lit> = row.iter().map(|(there, _)| *there).collect();
            before = before.plus(1, &self.count(&lits)?).ok_or(Refusal::Opaque)?;
        }
        let numbered: Vec<(i64, Object)> =
            (0..).zip(items.iter().map(|(_, item)| item.clone())).collect();
        let none = items.len() as i64;
        let mut values = Vec::new();
        for at in 0..none {
            // Which of the items stands here, if one does.
            let which = self.poster.engine.store.variable(0, none);
            for (i, ((there, _), place)) in (0..).zip(items.iter().zip(&places)) {
                let here = place.plus(-1, &Linear::constant(at)).ok_or(Refusal::Opaque)?;
                let here = Claim::and([Claim::Lit(*there), Claim::Sum(Relation::Equal, here)]);
                let here = self.poster.lit(here);
                self.poster.post(Claim::iff(Claim::Lit(here), Claim::Lit(Lit::Is(which, i))));
            }
            let missing = before.plus(-1, &Linear::constant(at)).ok_or(Refusal::Opaque)?;
            let missing = self.poster.lit(Claim::Sum(Relation::AtMost, missing));
            self.poster.post(Claim::iff(Claim::Lit(missing), Claim::Lit(Lit::Is(which, none))));
            values.push((missing.negated(), self.select(which, &numbered, &value)?));
        }
        Ok(Meaning { object: sequence(values), defined })
    }

    /// `s : seq(A)` and its kin.
    pub fn sequence_in(
        &mut self,
        s: &Object,
        shape: &Shape,
        op: UnaryOp,
        of: &'p Sketch,
    ) -> Built<(Claim, Lit), H> {
        let Sequence { points, defined } = self.as_sequence(s, shape)?;
        let (_, value) = shape.element().sides();
        let (mut parts, mut known) = (vec![Claim::Lit(defined)], Vec::new());
        for point in &points {
            let (inside, d) = self.member(&point.value, &value, of)?;
            parts.push(Claim::Lit(point.defined).implies(inside));
            known.push(d);
        }
        let Some(first) = points.first() else { return Err(Refusal::Opaque) };
        if matches!(op, UnaryOp::Seq1 | UnaryOp::Iseq1) {
            parts.push(Claim::Lit(first.defined));
        }
        if matches!(op, UnaryOp::Iseq | UnaryOp::Iseq1 | UnaryOp::Perm) {
            parts.push(self.is_injective(&points, &value)?);
        }
        if op == UnaryOp::Perm {
            parts.push(self.is_onto(&points, &value, of)?);
        }
        known.sort_unstable();
        known.dedup();
        Ok((Claim::and(parts), self.poster.and(known)))
    }
}

fn pairs<'s>(points: impl Iterator<Item = &'s Point>) -> impl Iterator<Item = (Lit, Object)> {
    points.map(|p| (p.defined, p.value.clone())).collect::<Vec<_>>().into_iter()
}
