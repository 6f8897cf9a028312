//! New objects: some member of a set, some value of a shape.

use super::functions::arrow;
use super::lengths::Lengths;
use super::object::{Candidates, Object, Point, far, is_scalar, number_of, of_scalar};
use crate::constraint::build::{Builder, Built, Refusal, Told};
use crate::constraint::claim::Claim;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::propagators::element::Table;
use crate::constraint::sketch::{Host, Sketch, Term};
use crate::constraint::store::INFINITE;
use crate::machine::{BasicSet, BinaryOp, UnaryOp};
use crate::source::Span;
use crate::value::relation::Arrow;
use crate::value::{IndexKind, Shape, Value};
use std::rc::Rc;
use std::sync::Arc;

/// Largest universe of which each subset is thought possible.
const LARGEST_UNIVERSE: u128 = 4096;

/// What an unbounded variable is: where it is declared, and its name.
pub type Origin = (Span, Arc<str>);

impl<'p, H: Host> Builder<'p, H> {
    /// Some value of a shape.
    pub fn of_shape(&mut self, shape: &Shape, origin: &Origin) -> Built<Object, H> {
        self.step(1)?;
        Ok(match shape {
            Shape::Integer => self.integer(-INFINITE, INFINITE, origin),
            Shape::Index(u) => match &u.kind {
                IndexKind::Bool => Object::Truth(self.poster.boolean()),
                IndexKind::Element(_) => {
                    Object::Index(self.poster.engine.store.variable(0, u.size as i64 - 1))
                }
                IndexKind::Pair(..) => {
                    let (left, right) = shape.sides();
                    Object::pair(self.of_shape(&left, origin)?, self.of_shape(&right, origin)?)
                }
                IndexKind::Subset(of) => self.any_subset(of.size)?,
            },
            Shape::Bits(of) => self.any_subset(of.size)?,
            Shape::Pair(sides) => {
                let left = self.of_shape(&sides.0, origin)?;
                Object::pair(left, self.of_shape(&sides.1, origin)?)
            }
            Shape::Record(fields) => {
                let fields = fields.iter().map(|f| self.of_shape(f, origin));
                Object::Record(fields.collect::<Result<_, _>>()?)
            }
            Shape::Real | Shape::String | Shape::Set(_) | Shape::Free(_) => {
                return Err(Refusal::Opaque);
            }
        })
    }

    fn any_subset(&mut self, size: u128) -> Built<Object, H> {
        if size > LARGEST_UNIVERSE {
            return Err(Refusal::Opaque);
        }
        self.step(size as usize)?;
        let members = (0..size as u64).map(|i| (Value::Word(i), self.poster.boolean()));
        Ok(Object::Set(members.collect()))
    }

    fn integer(&mut self, low: i64, high: i64, origin: &Origin) -> Object {
        if low > high {
            self.poster.failed = true;
            return Object::Known(Value::Int(low));
        }
        let var = self.poster.engine.store.variable(low, high);
        if low <= -INFINITE || high >= INFINITE {
            self.origins.insert(var, origin.clone());
        }
        Object::Number(Linear::var(var))
    }

    /// Some member of a set, where the literal is true. All that makes it a member is posted.
    pub fn fresh(&mut self, set: &'p Sketch, on: Lit) -> Built<Object, H> {
        self.step(1)?;
        let origin = |name: &str| (set.span, Arc::from(name));
        let (min, max) = self.problem.limits;
        match &set.term {
            Term::Universe => self.of_shape(&set.shape.element(), &origin("")),
            Term::Basic(basic) => {
                let (low, high, name) = match basic {
                    BasicSet::Integer => (-INFINITE, INFINITE, "INTEGER"),
                    BasicSet::Natural => (0, INFINITE, "NATURAL"),
                    BasicSet::Natural1 => (1, INFINITE, "NATURAL1"),
                    BasicSet::Int => (min, max, "INT"),
                    BasicSet::Nat => (0, max, "NAT"),
                    BasicSet::Nat1 => (1, max, "NAT1"),
                    BasicSet::Bool => return Ok(Object::Truth(self.poster.boolean())),
                    BasicSet::String | BasicSet::Real | BasicSet::Float => {
                        return Err(Refusal::Opaque);
                    }
                };
                if low > high {
                    return self.impossible(on, Value::Int(low));
                }
                Ok(self.integer(low, high, &origin(name)))
            }
            Term::Binary(BinaryOp::Interval, a, b) => self.between(set, a, b, on),
            Term::Binary(BinaryOp::Product, a, b) => {
                Ok(Object::pair(self.fresh(a, on)?, self.fresh(b, on)?))
            }
            Term::Struct(sets) => {
                let fields = sets.iter().map(|s| self.fresh(s, on));
                Ok(Object::Record(fields.collect::<Result<_, _>>()?))
            }
            Term::Unary(op @ (UnaryOp::Pow | UnaryOp::Fin | UnaryOp::Pow1 | UnaryOp::Fin1), of) => {
                let nonempty = matches!(op, UnaryOp::Pow1 | UnaryOp::Fin1);
                self.fresh_subset(of, nonempty, on)
            }
            Term::Unary(UnaryOp::Perm, of) => {
                let members = self.range_of(of)?;
                let numbers = 1..=members.len() as i64;
                let domain = numbers.map(|i| (Value::Int(i), Lit::Always)).collect();
                // How long it is follows from how many members there are.
                if members.iter().any(|(_, lit)| *lit != Lit::Always) {
                    let longest = members.len() as i64;
                    return self.fresh_sequence(
                        UnaryOp::Iseq,
                        of,
                        (longest, &Lengths::default()),
                        on,
                    );
                }
                self.fresh_function(Arrow::TOTAL_BIJECTIONS, domain, of, &Told::default(), on)
            }
            Term::Unary(op @ (UnaryOp::Iseq | UnaryOp::Iseq1), of) => {
                let longest = self.range_of(of)?.len() as i64;
                self.fresh_sequence(*op, of, (longest, &Lengths::default()), on)
            }
            Term::Unary(op @ (UnaryOp::Seq | UnaryOp::Seq1), of) => {
                self.fresh_sequence_of_any_length(*op, of, on)
            }
            Term::Binary(op, a, b) => match arrow(*op) {
                Some(arrow) if arrow.functional => {
                    let domain = self.range_of(a)?;
                    self.fresh_function(arrow, domain, b, &Told::default(), on)
                }
                Some(arrow) => self.fresh_relation(set, arrow, a, b, on),
                None => self.fresh_member(set, on),
            },
            _ => self.fresh_member(set, on),
        }
    }

    /// Some member of the set that an unknown is in, by what is told of it.
    pub(in crate::constraint) fn fresh_told(
        &mut self,
        set: &'p Sketch,
        told: &Told,
    ) -> Built<Object, H> {
        match &set.term {
            Term::Unary(op @ (UnaryOp::Seq | UnaryOp::Seq1), of) => {
                let Some(longest) = told.lengths.whole else { return self.fresh(set, Lit::Always) };
                self.fresh_sequence(*op, of, (longest, &told.lengths), Lit::Always)
            }
            Term::Unary(op @ (UnaryOp::Pow | UnaryOp::Fin | UnaryOp::Pow1 | UnaryOp::Fin1), of)
                if let Some(most) = told.lengths.whole =>
            {
                let nonempty = matches!(op, UnaryOp::Pow1 | UnaryOp::Fin1);
                let least = told.lengths.least.max(i64::from(nonempty));
                self.fresh_few(of, (least, most), Lit::Always)
            }
            Term::Binary(op, a, b) => match arrow(*op).filter(|arrow| arrow.functional) {
                Some(arrow) => {
                    let domain = self.range_of(a)?;
                    self.fresh_function(arrow, domain, b, told, Lit::Always)
                }
                None => self.fresh(set, Lit::Always),
            },
            _ => self.fresh(set, Lit::Always),
        }
    }

    /// Some value of a function: a sequence that is no longer than a number, where one is told, or a set (`of_sets`) that
    /// has no more members.
    pub(super) fn fresh_value(
        &mut self,
        range: &'p Sketch,
        longest: Option<i64>,
        of_sets: bool,
        on: Lit,
    ) -> Built<Object, H> {
        match (&range.term, longest) {
            (Term::Unary(op @ (UnaryOp::Seq | UnaryOp::Seq1), of), Some(longest)) if !of_sets => {
                self.fresh_sequence(*op, of, (longest, &Lengths::default()), on)
            }
            (
                Term::Unary(op @ (UnaryOp::Pow | UnaryOp::Fin | UnaryOp::Pow1 | UnaryOp::Fin1), of),
                Some(most),
            ) if of_sets => match self.attempt(|builder| builder.fresh(range, on))? {
                Some(value) => Ok(value),
                None => {
                    let nonempty = matches!(op, UnaryOp::Pow1 | UnaryOp::Fin1);
                    self.fresh_few(of, (i64::from(nonempty), most), on)
                }
            },
            _ => self.fresh(range, on),
        }
    }

    /// There is none: where the literal is true there is no solution.
    fn impossible(&mut self, on: Lit, value: Value) -> Built<Object, H> {
        self.poster.post_if(on, Claim::FALSE);
        Ok(Object::Known(value))
    }

    fn between(
        &mut self,
        set: &'p Sketch,
        a: &'p Sketch,
        b: &'p Sketch,
        on: Lit,
    ) -> Built<Object, H> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        if a.defined != Lit::Always || b.defined != Lit::Always {
            return Err(Refusal::Opaque);
        }
        let store = &self.poster.engine.store;
        // An end that is far away is none.
        let bounds = |end: &Object| match far(end) {
            Some(above) => Some(if above { (INFINITE, INFINITE) } else { (-INFINITE, -INFINITE) }),
            None => Some(end.as_linear()?.bounds(store)),
        };
        let ends = bounds(&a.object).zip(bounds(&b.object));
        let ((low, _), (_, high)) = ends.ok_or(Refusal::Opaque)?;
        if low >= INFINITE || high <= -INFINITE {
            return Err(Refusal::Opaque);
        }
        if low > high {
            return self.impossible(on, Value::Int(low));
        }
        let object = self.integer(low, high, &(set.span, Arc::from("..")));
        let is_known = |end: &Object| {
            far(end).is_some() || end.as_linear().is_some_and(|end| end.known().is_some())
        };
        if !is_known(&a.object) || !is_known(&b.object) {
            let (claim, _) = self.member(&object, &Shape::Integer, set)?;
            self.poster.post_if(on, claim);
        }
        Ok(object)
    }

    /// Some member of a set that is pictured itself.
    fn fresh_member(&mut self, set: &'p Sketch, on: Lit) -> Built<Object, H> {
        let meaning = self.term(set)?;
        if meaning.defined != Lit::Always {
            return Err(Refusal::Opaque);
        }
        let shape = set.shape.element();
        let candidates = self.candidates(&meaning.object, &set.shape)?;
        if candidates.is_empty() {
            return self.impossible(on, shape.default_value());
        }
        if is_scalar(&shape) {
            let numbers: Option<Vec<i64>> = candidates
                .iter()
                .map(|(v, _)| number_of(v).filter(|n| n.abs() < INFINITE))
                .collect();
            let mut numbers = numbers.ok_or(Refusal::Opaque)?;
            numbers.sort_unstable();
            let store = &mut self.poster.engine.store;
            let var = store.variable(-INFINITE, INFINITE);
            // Where the literal is false it does not matter which of them it is.
            self.poster.failed |= store.one_of(var, &numbers).is_err();
            let object = of_scalar(var, &shape);
            let claim = self.is_in(&object, &shape, &meaning.object, &set.shape)?;
            self.poster.post_if(on, claim);
            return Ok(object);
        }
        if let Some(object) = self.fresh_row(&candidates, &shape)? {
            return Ok(object);
        }
        let last = candidates.len() as i64 - 1;
        let var = self.poster.engine.store.variable(0, last);
        for (i, (_, lit)) in candidates.iter().enumerate() {
            let claim = Claim::Lit(Lit::Is(var, i as i64)).implies(Claim::Lit(*lit));
            self.poster.post_if(on, claim);
        }
        Ok(Object::OneOf(var, candidates.into_iter().map(|(v, _)| v).collect()))
    }

    /// A tuple of scalars out of a set that is known: the rows of a table.
    fn fresh_row(&mut self, of: &[(Value, Lit)], shape: &Shape) -> Built<Option<Object>, H> {
        if of.iter().any(|(_, lit)| *lit != Lit::Always) {
            return Ok(None);
        }
        let mut rows = Vec::new();
        for (value, _) in of {
            let mut row = Vec::new();
            if !flatten(value, shape, &mut row) {
                return Ok(None);
            }
            rows.push(row.into_boxed_slice());
        }
        let mut vars = Vec::new();
        for column in 0..rows[0].len() {
            let numbers = rows.iter().map(|row| row[column]);
            let (low, high) = (numbers.clone().min(), numbers.max());
            let (low, high) = (low.unwrap_or(0), high.unwrap_or(0));
            vars.push(self.poster.engine.store.variable(low, high));
        }
        let object = tuple(&mut vars.iter().copied(), shape);
        self.poster.engine.add(Table { vars: vars.into(), rows: rows.into() });
        Ok(Some(object))
    }

    /// Some value of a function to sets, within what is told of it where there are too many members.
    fn fresh_value_within(
        &mut self,
        range: &'p Sketch,
        upper: Vec<Value>,
        on: Lit,
    ) -> Built<Object, H> {
        let Term::Unary(op, of) = &range.term else { return Err(Refusal::Opaque) };
        let element = of.shape.element();
        let mut members = Vec::new();
        for value in upper {
            let (claim, defined) = self.member(&Object::Known(value.clone()), &element, of)?;
            if defined != Lit::Always {
                return Err(Refusal::Opaque);
            }
            members.push((value, self.poster.lit(claim)));
        }
        self.subset_of(members, matches!(op, UnaryOp::Pow1 | UnaryOp::Fin1), on)
    }

    fn fresh_subset(&mut self, of: &'p Sketch, nonempty: bool, on: Lit) -> Built<Object, H> {
        let upper = self.range_of(of)?;
        self.subset_of(upper, nonempty, on)
    }

    fn subset_of(&mut self, upper: Candidates, nonempty: bool, on: Lit) -> Built<Object, H> {
        self.step(upper.len())?;
        let mut members = Vec::new();
        for (value, lit) in upper {
            let member = self.poster.boolean();
            self.poster.post_if(on, Claim::Lit(member).implies(Claim::Lit(lit)));
            members.push((value, member));
        }
        if nonempty {
            let some = Claim::or(members.iter().map(|(_, lit)| Claim::Lit(*lit)));
            self.poster.post_if(on, some);
        }
        Ok(Object::Set(members.into()))
    }

    /// What a set may have as members.
    fn range_of(&mut self, set: &'p Sketch) -> Built<Candidates, H> {
        let meaning = self.term(set)?;
        if meaning.defined != Lit::Always {
            return Err(Refusal::Opaque);
        }
        let members = self.candidates(&meaning.object, &set.shape)?;
        if members.len() as u128 > LARGEST_UNIVERSE * 4 {
            return Err(Refusal::Opaque);
        }
        Ok(members)
    }

    /// Some function; `told`: what its values are no longer than, or subsets of.
    fn fresh_function(
        &mut self,
        arrow: Arrow,
        domain: Candidates,
        range: &'p Sketch,
        told: &Told,
        on: Lit,
    ) -> Built<Object, H> {
        let arrow = Arrow { surjective: self.is_all_hit(arrow, &domain, range)?, ..arrow };
        let mut points = Vec::new();
        for (at, lit) in domain {
            let defined = match arrow.total {
                true => lit,
                false => {
                    let defined = self.poster.boolean();
                    self.poster.post_if(on, Claim::Lit(defined).implies(Claim::Lit(lit)));
                    defined
                }
            };
            let matters = self.poster.and([on, defined]);
            let value = match told.uppers.at(&at, &self.poster.engine.store) {
                Some(upper) => self.fresh_value_within(range, upper, matters)?,
                None => {
                    self.fresh_value(range, told.lengths.at(&at), told.lengths.of_sets, matters)?
                }
            };
            points.push(Point { at, defined, value });
        }
        let object = Object::Function(points.into());
        let Object::Function(points) = &object else { return Err(Refusal::Opaque) };
        let (points, shape) = (points.clone(), range.shape.element());
        if arrow.injective {
            let claim = self.is_injective(&points, &shape)?;
            self.poster.post_if(on, claim);
        }
        if arrow.surjective {
            let claim = self.is_onto(&points, &shape, range)?;
            self.poster.post_if(on, claim);
        }
        if arrow.injective && on == Lit::Always {
            let onto = match arrow.surjective {
                true => self.range_of(range)?,
                false => Vec::new(),
            };
            let certain = onto.into_iter().filter(|(_, lit)| *lit == Lit::Always);
            self.note_injective(&points, certain.map(|(value, _)| value).collect());
        }
        Ok(object)
    }

    /// Whether each member of the range is a value: so it is said, or no two of as many points have the same.
    fn is_all_hit(
        &mut self,
        arrow: Arrow,
        domain: &Candidates,
        range: &'p Sketch,
    ) -> Built<bool, H> {
        let are_all = |of: &Candidates| of.iter().all(|(_, lit)| *lit == Lit::Always);
        if arrow.surjective || !arrow.injective || !arrow.total || !are_all(domain) {
            return Ok(arrow.surjective);
        }
        let members = self.attempt(|builder| builder.range_of(range))?;
        Ok(members.is_some_and(|members| members.len() == domain.len() && are_all(&members)))
    }

    fn fresh_relation(
        &mut self,
        set: &'p Sketch,
        arrow: Arrow,
        a: &'p Sketch,
        b: &'p Sketch,
        on: Lit,
    ) -> Built<Object, H> {
        let shape = set.shape.element();
        let pairs = shape.element();
        let lefts = self.range_of(a)?;
        let rights = self.range_of(b)?;
        self.step(lefts.len() * rights.len())?;
        if lefts.len() as u128 * rights.len() as u128 > LARGEST_UNIVERSE * 4 {
            return Err(Refusal::Opaque);
        }
        let mut members = Vec::new();
        for (x, in_left) in &lefts {
            for (y, in_right) in &rights {
                let member = self.poster.boolean();
                for side in [*in_left, *in_right] {
                    self.poster.post_if(on, Claim::Lit(member).implies(Claim::Lit(side)));
                }
                members.push((pairs.pair(x.clone(), y.clone()), member));
            }
        }
        members.sort_by(|(v, _), (w, _)| v.cmp(w));
        let object = Object::Set(Rc::from(members));
        if arrow.total || arrow.surjective || arrow.injective {
            let Term::Binary(op, a, b) = &set.term else { return Err(Refusal::Opaque) };
            let (claim, _) = self.arrow_in(&object, &shape, *op, a, b)?;
            self.poster.post_if(on, claim);
        }
        Ok(object)
    }
}

/// The scalars of a tuple, from left to right; whether it is one.
fn flatten(value: &Value, shape: &Shape, out: &mut Vec<i64>) -> bool {
    if is_scalar(shape) {
        return number_of(value).filter(|n| n.abs() < INFINITE).map(|n| out.push(n)).is_some();
    }
    match shape {
        Shape::Pair(_) => {}
        Shape::Index(u) if matches!(u.kind, IndexKind::Pair(..)) => {}
        _ => return false,
    }
    let ((left, right), (x, y)) = (shape.sides(), shape.split(value));
    flatten(&x, &left, out) && flatten(&y, &right, out)
}

/// The tuple of variables, of a shape that [`flatten`] takes apart.
fn tuple(vars: &mut impl Iterator<Item = crate::constraint::store::Var>, shape: &Shape) -> Object {
    if is_scalar(shape) {
        return of_scalar(vars.next().expect("a variable for each column"), shape);
    }
    let (left, right) = shape.sides();
    let left = tuple(vars, &left);
    Object::pair(left, tuple(vars, &right))
}
