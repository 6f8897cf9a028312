//! How long conjuncts say that sequences are at most, and how many members sets have: an unknown one, or those that an
//! unknown function has as values (`!i.(i : 1..n => size(f(i)) = k(i))`).

use super::object::Object;
use crate::constraint::build::{Builder, Built, Meaning, Refusal};
use crate::constraint::literal::Lit;
use crate::constraint::sketch::{Formula, Host, Sketch, Term};
use crate::machine::{BinaryOp, Comparison, LocalId, UnaryOp};
use crate::value::Value;
use std::collections::BTreeMap;

/// The most items that a sequence or a set may have.
#[derive(Default)]
pub struct Lengths {
    /// These are no sequences: where they end says nothing.
    pub of_sets: bool,
    /// The unknown itself.
    pub whole: Option<i64>,
    /// How many members that has at least, if it is a set.
    pub least: i64,
    /// Its value at a point.
    at: BTreeMap<Value, i64>,
    /// Its value at any point.
    each: Option<i64>,
}

impl Lengths {
    /// The most items that the value at a point may have.
    pub fn at(&self, point: &Value) -> Option<i64> {
        self.at.get(point).copied().into_iter().chain(self.each).min()
    }

    /// Whether nothing is known of the values.
    pub fn says_nothing_of_values(&self) -> bool {
        self.at.is_empty() && self.each.is_none()
    }
}

impl<'p, H: Host> Builder<'p, H> {
    /// What conjuncts say of the lengths of an unknown and of its values, which are sequences.
    pub fn lengths(&mut self, local: LocalId) -> Built<Lengths, H> {
        self.told_lengths(local, false)
    }

    /// How many members conjuncts say that an unknown has, which is a set.
    pub fn sizes(&mut self, local: LocalId) -> Built<Lengths, H> {
        self.told_lengths(local, true)
    }

    fn told_lengths(&mut self, local: LocalId, of_sets: bool) -> Built<Lengths, H> {
        let mut lengths = Lengths { of_sets, ..Lengths::default() };
        let problem = self.problem;
        for conjunct in problem.conjuncts.iter().filter(|formula| speaks_of(formula, local)) {
            self.lengths_in(conjunct, local, &mut lengths)?;
        }
        Ok(lengths)
    }

    /// What a formula that holds says of them.
    fn lengths_in(
        &mut self,
        formula: &'p Formula,
        local: LocalId,
        out: &mut Lengths,
    ) -> Built<(), H> {
        match formula {
            Formula::And(parts) => {
                for part in parts.iter().filter(|part| speaks_of(part, local)) {
                    self.lengths_in(part, local, out)?;
                }
            }
            Formula::Or(parts) => {
                if let [only] = &parts[..] {
                    self.lengths_in(only, local, out)?;
                }
            }
            Formula::Forall(scope, body) => {
                for instance in self.certain_instances(scope)? {
                    self.enter(&instance)?;
                    self.lengths_in(body, local, out)?;
                }
            }
            Formula::Otherwise(p, _) => self.lengths_in(p, local, out)?,
            Formula::Compare(Comparison::Equal, a, b)
                if let Some(joined) = joins(a, local).or_else(|| joins(b, local)) =>
            {
                let whole = if std::ptr::eq(joined, a) { b } else { a };
                if let Some(most) = self.longest(whole)? {
                    self.joined_to(most, local, out)?;
                }
            }
            Formula::Compare(op, a, b) => {
                let Some((sequence, bound, strict)) = bounded(*op, a, b) else { return Ok(()) };
                if out.of_sets && !counts(a, sequence) && !counts(b, sequence) {
                    return Ok(());
                }
                let bounds = self.attempt(|builder| {
                    let meaning = builder.term(bound)?;
                    let sum = meaning.object.as_linear().ok_or(Refusal::Opaque)?;
                    match meaning.defined {
                        Lit::Always => Ok(sum.bounds(&builder.poster.engine.store)),
                        _ => Err(Refusal::Opaque),
                    }
                })?;
                let Some((least, most)) = bounds else { return Ok(()) };
                let most = (most - i64::from(strict)).max(0);
                match &sequence.term {
                    Term::Unknown(id) if *id == local => {
                        if out.of_sets && *op == Comparison::Equal {
                            out.least = out.least.max(least);
                        }
                        out.whole = Some(out.whole.map_or(most, |known| known.min(most)));
                    }
                    Term::Binary(BinaryOp::Apply, f, x) if is(f, local) => {
                        let x = self.attempt(|builder| builder.term(x))?;
                        if let Some(Object::Known(x)) = x.map(|meaning| meaning.object) {
                            let known = out.at.entry(x).or_insert(most);
                            *known = most.min(*known);
                        }
                    }
                    _ if joins(sequence, local).is_some() => self.joined_to(most, local, out)?,
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The sequences that are the values of an unknown have so many items at most when they are joined: none of them has
    /// more, and if each of them has one at least there are no more of them.
    fn joined_to(&mut self, most: i64, local: LocalId, out: &mut Lengths) -> Built<(), H> {
        let least = |known: Option<i64>| Some(known.map_or(most, |known| known.min(most)));
        out.each = least(out.each);
        let problem = self.problem;
        let of = problem.unknowns.iter().filter(|unknown| unknown.local == local);
        for (_, set) in of.flat_map(|unknown| &unknown.members) {
            if let Term::Unary(UnaryOp::Seq | UnaryOp::Seq1, items) = &set.term
                && self.has_no_empty_one(items)?
            {
                out.whole = least(out.whole);
            }
        }
        Ok(())
    }

    /// Whether none of the sequences in a set is empty.
    fn has_no_empty_one(&mut self, sequences: &'p Sketch) -> Built<bool, H> {
        if let Term::Unary(UnaryOp::Seq1 | UnaryOp::Iseq1, _) = sequences.term {
            return Ok(true);
        }
        let known = self.attempt(|builder| builder.term(sequences))?;
        let Some(Meaning { object: Object::Known(all), defined: Lit::Always }) = known else {
            return Ok(false);
        };
        self.step(sequences.shape.card(&all))?;
        let element = sequences.shape.element();
        Ok(sequences.shape.members(&all).all(|sequence| !element.is_empty(&sequence)))
    }

    /// The most items that a sequence may have which has a value.
    fn longest(&mut self, sequence: &'p Sketch) -> Built<Option<i64>, H> {
        self.attempt(|builder| {
            let Meaning { object, defined } = builder.term(sequence)?;
            let points = builder.points(&object, &sequence.shape)?;
            match defined {
                Lit::Always => Ok(points.len() as i64),
                _ => Err(Refusal::Opaque),
            }
        })
    }
}

/// Whether an expression is the number of members of a set.
fn counts(e: &Sketch, set: &Sketch) -> bool {
    matches!(&e.term, Term::Unary(UnaryOp::Card | UnaryOp::Size, of) if std::ptr::eq(&**of, set))
}

/// Whether this is an unknown, taken as a sequence of sequences that are joined.
fn joins(e: &Sketch, local: LocalId) -> Option<&Sketch> {
    matches!(&e.term, Term::Unary(UnaryOp::Conc, of) if is(of, local)).then_some(e)
}

fn is(e: &Sketch, local: LocalId) -> bool {
    matches!(e.term, Term::Unknown(id) if id == local)
}

/// The sequence whose length a comparison bounds, and by what; whether it must be less than that.
fn bounded<'p>(
    op: Comparison,
    a: &'p Sketch,
    b: &'p Sketch,
) -> Option<(&'p Sketch, &'p Sketch, bool)> {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, Member, Subset};
    fn domain(e: &Sketch) -> Option<&Sketch> {
        match &e.term {
            Term::Unary(UnaryOp::Dom, s) => Some(s),
            _ => None,
        }
    }
    fn measured(e: &Sketch) -> Option<&Sketch> {
        match &e.term {
            Term::Unary(UnaryOp::Size | UnaryOp::Card, s) => Some(s),
            Term::Unary(UnaryOp::Max, positions) => domain(positions),
            _ => None,
        }
    }
    let last = |positions: &'p Sketch| match &positions.term {
        Term::Binary(BinaryOp::Interval, _, high) => Some(&**high),
        _ => None,
    };
    match op {
        Equal | Subset if domain(a).is_some() => Some((domain(a)?, last(b)?, false)),
        Equal if domain(b).is_some() => Some((domain(b)?, last(a)?, false)),
        Less | LessEqual => Some((measured(a)?, b, op == Less)),
        Greater | GreaterEqual => Some((measured(b)?, a, op == Greater)),
        Equal => match measured(a) {
            Some(s) => Some((s, b, false)),
            None => Some((measured(b)?, a, false)),
        },
        Member => Some((measured(a)?, last(b)?, false)),
        _ => None,
    }
}

/// Whether a formula may say how long an unknown, or a value of it, is.
fn speaks_of(formula: &Formula, local: LocalId) -> bool {
    match formula {
        Formula::And(parts) => parts.iter().any(|part| speaks_of(part, local)),
        Formula::Or(parts) => matches!(&parts[..], [only] if speaks_of(only, local)),
        Formula::Forall(_, body) => speaks_of(body, local),
        Formula::Otherwise(p, _) => speaks_of(p, local),
        Formula::Compare(op, a, b) => match bounded(*op, a, b).map(|(s, ..)| s) {
            Some(Sketch { term: Term::Binary(BinaryOp::Apply, f, _), .. }) => is(f, local),
            Some(s) => is(s, local) || joins(s, local).is_some(),
            None => *op == Comparison::Equal && (joins(a, local).or(joins(b, local))).is_some(),
        },
        _ => false,
    }
}
