//! Functions: what they are at a point that is not known, and the kinds of them.

use super::object::{Object, Point, is_pairs, is_scalar, is_sets, number_of, of_scalar, scalar};
use crate::constraint::build::{Builder, Built, Meaning, Refusal};
use crate::constraint::claim::Claim;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::propagators::element::{Element, Picked};
use crate::constraint::propagators::linear::Relation;
use crate::constraint::sketch::{Host, Sketch};
use crate::constraint::store::Var;
use crate::machine::BinaryOp;
use crate::value::relation::Arrow;
use crate::value::{Shape, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Which of the points of a function an argument is.
struct Index {
    index: Var,
    /// The points that it may be, by the numbers that the variable has for them.
    points: Vec<(i64, Point)>,
    /// It is one of them.
    inside: Lit,
}

/// The arrow of an operator.
pub fn arrow(op: BinaryOp) -> Option<Arrow> {
    Arrow::from_op(op)
}

/// The scalars that a pair, of pairs perhaps, is made of; whether it is made of such.
fn take_apart(x: &Object, shape: &Shape, parts: &mut Vec<(Object, Shape)>) -> bool {
    if is_scalar(shape) {
        parts.push((x.clone(), shape.clone()));
        return true;
    }
    let sides = if is_pairs(shape) { x.sides(shape) } else { None };
    let Some((left, right)) = sides else { return false };
    let (own, other) = shape.sides();
    take_apart(&left, &own, parts) && take_apart(&right, &other, parts)
}

/// The same of what is known.
fn scalars_of(value: &Value, shape: &Shape, out: &mut Vec<Value>) {
    if !is_pairs(shape) {
        return out.push(value.clone());
    }
    let (sides, (left, right)) = (shape.sides(), shape.split(value));
    scalars_of(&left, &sides.0, out);
    scalars_of(&right, &sides.1, out);
}

/// `f <+ g`, where `g` is defined for certain at those of its points that may be points of `f`, too.
pub fn overridden(f: &[Point], g: &[Point]) -> Option<Rc<[Point]>> {
    let mut all: BTreeMap<&Value, &Point> = f.iter().map(|point| (&point.at, point)).collect();
    for point in g {
        match (all.insert(&point.at, point), point.defined) {
            (None, _) | (_, Lit::Always) => {}
            _ => return None,
        }
    }
    Some(all.into_values().cloned().collect())
}

impl<'p, H: Host> Builder<'p, H> {
    /// The points of a function; none of what is not known to be one.
    pub fn points(&mut self, f: &Object, shape: &Shape) -> Built<Rc<[Point]>, H> {
        match f {
            Object::Function(points) => Ok(points.clone()),
            Object::Known(relation) => {
                let pairs = shape.element();
                if !is_pairs(&pairs) {
                    return Err(Refusal::Opaque);
                }
                let mut points: Vec<Point> = Vec::new();
                for pair in shape.members(relation) {
                    let (at, value) = pairs.split(&pair);
                    if points.last().is_some_and(|p| p.at == at) {
                        return Err(Refusal::Opaque);
                    }
                    let value = Object::Known(value);
                    points.push(Point { at, defined: Lit::Always, value });
                }
                self.in_order(points)
            }
            // `{x |-> e, ..}` with different `x` that are known.
            Object::Listed(items) => {
                let pairs = shape.element();
                if !is_pairs(&pairs) {
                    return Err(Refusal::Opaque);
                }
                let point = |(defined, item): &(Lit, Object)| match item {
                    Object::Known(pair) => {
                        let (at, value) = pairs.split(pair);
                        Some(Point { at, defined: *defined, value: Object::Known(value) })
                    }
                    Object::Pair(sides) => match &sides.0 {
                        Object::Known(at) => {
                            let (at, value) = (at.clone(), sides.1.clone());
                            Some(Point { at, defined: *defined, value })
                        }
                        _ => None,
                    },
                    _ => None,
                };
                let points = items.iter().map(point).collect::<Option<_>>();
                self.in_order(points.ok_or(Refusal::Opaque)?)
            }
            Object::OneOf(var, functions) => self.points_of_chosen(*var, functions, shape),
            _ => Err(Refusal::Opaque),
        }
    }

    /// The points in the order of their arguments, no two of which are the same.
    fn in_order(&mut self, mut points: Vec<Point>) -> Built<Rc<[Point]>, H> {
        self.step(points.len())?;
        points.sort_by(|p, q| p.at.cmp(&q.at));
        match points.windows(2).all(|w| w[0].at != w[1].at) {
            true => Ok(points.into()),
            false => Err(Refusal::Opaque),
        }
    }

    /// `f(x)`.
    pub fn apply(&mut self, f: &Meaning, f_shape: &Shape, x: &Meaning) -> Built<Meaning, H> {
        let points = match &f.object {
            Object::Set(pairs) => self.points_of_relation(pairs, f_shape)?,
            f => self.points(f, f_shape)?,
        };
        let around = self.poster.and([f.defined, x.defined]);
        if let Object::Known(x) = &x.object {
            let found = points.binary_search_by(|p| p.at.cmp(x)).map_err(|_| Refusal::Opaque)?;
            let point = &points[found];
            let defined = self.poster.and([around, point.defined]);
            return Ok(Meaning { object: point.value.clone(), defined });
        }
        let (at, value) = f_shape.element().sides();
        let Index { index, points, inside } = self.index(&points, &x.object, &at)?;
        let objects: Vec<(i64, Object)> =
            points.iter().map(|(i, p)| (*i, p.value.clone())).collect();
        let object = self.select(index, &objects, &value)?;
        let mut defined = vec![around, inside];
        for (i, point) in &points {
            if point.defined != Lit::Always {
                // Where this is the point, it is defined.
                defined.push(self.poster.or([Lit::IsNot(index, *i), point.defined]));
            }
        }
        Ok(Meaning { object, defined: self.poster.and(defined) })
    }

    /// A function at those of its points that are in a set, or at the others.
    pub fn points_within(
        &mut self,
        points: &[Point],
        set: &Object,
        shape: &Shape,
        keeps: bool,
    ) -> Built<Rc<[Point]>, H> {
        let inside: BTreeMap<Value, Lit> = self.candidates(set, shape)?.into_iter().collect();
        let mut kept = Vec::new();
        for point in points {
            let there = inside.get(&point.at).copied().unwrap_or(Lit::Never);
            let there = if keeps { there } else { there.negated() };
            let defined = self.poster.and([point.defined, there]);
            if defined != Lit::Never {
                kept.push(Point { defined, ..point.clone() });
            }
        }
        self.step(points.len())?;
        Ok(kept.into())
    }

    /// Which of the points an argument is.
    fn index(&mut self, points: &[Point], x: &Object, whole: &Shape) -> Built<Index, H> {
        if let Some(index) = self.index_of_parts(points, x, whole)? {
            return Ok(index);
        }
        let mut able = Vec::new();
        for point in points.iter().filter(|p| p.defined != Lit::Never) {
            let same = self.equal(x, &Object::Known(point.at.clone()), whole)?;
            let lit = self.poster.lit(same);
            if lit != Lit::Never {
                able.push((lit, point.clone()));
            }
        }
        let none = able.len() as i64;
        let var = self.poster.engine.store.variable(0, none);
        for (i, (lit, _)) in (0..).zip(&able) {
            self.poster.post(Claim::iff(Claim::Lit(*lit), Claim::Lit(Lit::Is(var, i))));
        }
        let able = (0..).zip(able.into_iter().map(|(_, point)| point)).collect();
        let inside = self.poster.simple(Lit::IsNot(var, none));
        Ok(Index { index: var, points: able, inside })
    }

    /// The same of a scalar, or of one or two of them that are not known among those that a pair is made of: `f(3, x)`
    /// is `f(3)(x)`, and the numbers of `x |-> y` stand beside what `f(x, y)` is.
    fn index_of_parts(
        &mut self,
        points: &[Point],
        x: &Object,
        whole: &Shape,
    ) -> Built<Option<Index>, H> {
        let mut parts = Vec::new();
        if !take_apart(x, whole, &mut parts) {
            return Ok(None);
        }
        let is_open = |i: &usize| !matches!(parts[*i].0, Object::Known(_));
        let open: Vec<usize> = (0..parts.len()).filter(is_open).collect();
        if open.is_empty() || open.len() > 2 {
            return Ok(None);
        }
        let mut vars = Vec::new();
        for (part, shape) in open.iter().map(|i| &parts[*i]) {
            let sum = scalar(part, shape, &mut self.poster).ok_or(Refusal::Opaque)?;
            vars.push(self.poster.variable(&sum).ok_or(Refusal::Opaque)?);
        }
        let store = &self.poster.engine.store;
        let (index, by) = match vars[..] {
            [var] => (var, None),
            [a, b] => {
                let by = self.poster.numbering(store.low(b), store.high(b));
                let numbered = by.and_then(|by| Some((self.poster.numbered((a, b), by)?, by)));
                let Some((number, by)) = numbered else { return Ok(None) };
                (number, Some(by))
            }
            _ => return Ok(None),
        };
        self.step(points.len())?;
        let store = &self.poster.engine.store;
        let mut able = Vec::new();
        for point in points {
            let mut at = Vec::new();
            scalars_of(&point.at, whole, &mut at);
            let fits = |((part, _), own): (&(Object, Shape), &Value)| match part {
                Object::Known(value) => value == own,
                _ => true,
            };
            if !parts.iter().zip(&at).all(fits) {
                continue;
            }
            let number = |i: &usize| number_of(&at[*i]).ok_or(Refusal::Opaque);
            let numbers = open.iter().map(number).collect::<Result<Vec<i64>, _>>()?;
            if !vars.iter().zip(&numbers).all(|(var, number)| store.contains(*var, *number)) {
                continue;
            }
            let number = match by {
                Some(by) => by.number(numbers[0], numbers[1]).ok_or(Refusal::Opaque)?,
                None => numbers[0],
            };
            able.push((number, point.clone()));
        }
        let sizes = vars.iter().map(|var| store.size(*var));
        let all = able.len() as u64 == sizes.fold(1, u64::saturating_mul);
        let is_one = || Claim::or(able.iter().map(|(n, _)| Claim::Lit(Lit::Is(index, *n))));
        let inside = if all { Claim::TRUE } else { is_one() };
        let inside = self.poster.lit(inside);
        Ok(Some(Index { index, points: able, inside }))
    }

    /// What stands beside the number that the index is.
    pub fn select(
        &mut self,
        index: Var,
        rows: &[(i64, Object)],
        shape: &Shape,
    ) -> Built<Object, H> {
        self.step(rows.len())?;
        if let [(_, only)] = rows {
            return Ok(only.clone());
        }
        if is_scalar(shape) {
            return self.select_scalar(index, rows, shape);
        }
        if is_sets(shape) {
            return self.select_set(index, rows, shape);
        }
        if let Shape::Record(shapes) = shape {
            let mut fields = Vec::new();
            for (n, field) in shapes.iter().enumerate() {
                let mut column = Vec::new();
                for (i, row) in rows {
                    column.push((*i, self.fields(row, shape)?.0[n].clone()));
                }
                fields.push(self.select(index, &column, field)?);
            }
            return Ok(Object::Record(fields.into()));
        }
        if !is_pairs(shape) {
            return self.select_chosen(index, rows);
        }
        let mut sides = (Vec::new(), Vec::new());
        for (i, row) in rows {
            let (left, right) = self.sides(row, shape)?.ok_or(Refusal::Opaque)?;
            sides.0.push((*i, left));
            sides.1.push((*i, right));
        }
        let (left, right) = shape.sides();
        let left = self.select(index, &sides.0, &left)?;
        Ok(Object::pair(left, self.select(index, &sides.1, &right)?))
    }

    fn select_scalar(
        &mut self,
        index: Var,
        rows: &[(i64, Object)],
        shape: &Shape,
    ) -> Built<Object, H> {
        let (mut picked, mut low, mut high) = (Vec::new(), i64::MAX, i64::MIN);
        for (i, row) in rows {
            let sum = scalar(row, shape, &mut self.poster).ok_or(Refusal::Opaque)?;
            let bounds = sum.bounds(&self.poster.engine.store);
            (low, high) = (low.min(bounds.0), high.max(bounds.1));
            picked.push((
                *i,
                match sum.known() {
                    Some(n) => Picked::Number(n),
                    None => Picked::Var(self.poster.variable(&sum).ok_or(Refusal::Opaque)?),
                },
            ));
        }
        if picked.is_empty() {
            return Err(Refusal::Opaque);
        }
        let result = self.poster.engine.store.variable(low, high);
        self.poster.engine.add(Element { index, rows: picked.into(), result });
        Ok(of_scalar(result, shape))
    }

    /// Sets and functions: candidate by candidate, point by point.
    fn select_set(
        &mut self,
        index: Var,
        rows: &[(i64, Object)],
        shape: &Shape,
    ) -> Built<Object, H> {
        let functions: Built<Vec<_>, H> =
            rows.iter().map(|(i, row)| Ok((*i, self.points(row, shape)?))).collect();
        let functional = rows.iter().any(|(_, row)| matches!(row, Object::Function(_)));
        match functions {
            Ok(functions) if functional || functions.iter().all(|(_, f)| is_sequence(f)) => {
                Ok(Object::Function(self.select_points(index, functions, shape)?))
            }
            Err(Refusal::Stop(stop)) => Err(Refusal::Stop(stop)),
            _ => {
                let mut members: BTreeMap<Value, Vec<(i64, Lit)>> = BTreeMap::new();
                for (i, row) in rows {
                    for (value, lit) in self.candidates(row, shape)? {
                        members.entry(value).or_default().push((*i, lit));
                    }
                }
                let mut out = Vec::new();
                for (value, literals) in members {
                    out.push((value, self.select_literal(index, literals, rows.len())));
                }
                Ok(Object::Set(out.into()))
            }
        }
    }

    /// The points of the function beside the number that the index is.
    pub(super) fn select_points(
        &mut self,
        index: Var,
        functions: Vec<(i64, Rc<[Point]>)>,
        shape: &Shape,
    ) -> Built<Rc<[Point]>, H> {
        let (all, value_shape) = (functions.len(), shape.element().sides().1);
        let mut at: BTreeMap<Value, Vec<(i64, Point)>> = BTreeMap::new();
        for (i, points) in functions {
            self.step(points.len())?;
            for point in points.iter() {
                at.entry(point.at.clone()).or_default().push((i, point.clone()));
            }
        }
        let mut points = Vec::new();
        for (at, rows_at) in at {
            let literals = rows_at.iter().map(|(i, p)| (*i, p.defined)).collect();
            let defined = self.select_literal(index, literals, all);
            let values: Vec<(i64, Object)> =
                rows_at.into_iter().map(|(i, p)| (i, p.value)).collect();
            let value = self.select(index, &values, &value_shape)?;
            points.push(Point { at, defined, value });
        }
        Ok(points.into())
    }

    /// The literal beside the number that the index is; of numbers without one it is false.
    fn select_literal(&mut self, index: Var, literals: Vec<(i64, Lit)>, of: usize) -> Lit {
        if literals.len() == of && literals.iter().all(|(_, lit)| *lit == Lit::Always) {
            return Lit::Always;
        }
        let mut parts = Vec::new();
        for (i, lit) in literals {
            parts.push(self.poster.and([Lit::Is(index, i), lit]));
        }
        self.poster.or(parts)
    }

    /// No two points have the same value.
    pub fn is_injective(&mut self, points: &[Point], shape: &Shape) -> Built<Claim, H> {
        let values: Vec<(Lit, &Object)> = points.iter().map(|p| (p.defined, &p.value)).collect();
        self.differ(&values, shape)
    }

    /// Of those whose literals are true no two are the same.
    pub fn differ(&mut self, values: &[(Lit, &Object)], shape: &Shape) -> Built<Claim, H> {
        self.step(values.len() * values.len())?;
        let mut parts = Vec::new();
        for (i, (there, x)) in values.iter().enumerate() {
            for (earlier, y) in &values[..i] {
                let same = self.equal(x, y, shape)?;
                let both = [Claim::Lit(*earlier), Claim::Lit(*there)];
                parts.push(Claim::and(both).implies(same.negated()));
            }
        }
        Ok(Claim::and(parts))
    }

    /// Each member of the set is a value.
    pub fn is_onto(
        &mut self,
        points: &[Point],
        shape: &Shape,
        range: &'p Sketch,
    ) -> Built<Claim, H> {
        let meaning = self.term(range)?;
        let members = self.candidates(&meaning.object, &range.shape)?;
        let mut parts = Vec::new();
        for (value, lit) in members {
            let value = Object::Known(value);
            let mut places = Vec::new();
            for point in points {
                let same = self.equal(&point.value, &value, shape)?;
                places.push(Claim::and([Claim::Lit(point.defined), same]));
            }
            parts.push(Claim::Lit(lit).implies(Claim::or(places)));
        }
        Ok(Claim::and(parts))
    }

    /// `f : A arrow B`, and when both sets are defined.
    pub fn arrow_in(
        &mut self,
        f: &Object,
        shape: &Shape,
        op: BinaryOp,
        a: &'p Sketch,
        b: &'p Sketch,
    ) -> Built<(Claim, Lit), H> {
        let arrow = arrow(op).ok_or(Refusal::Opaque)?;
        let (left, right) = shape.element().sides();
        let points = match self.points(f, shape) {
            Ok(points) => points,
            Err(Refusal::Opaque) => return self.relation_in(f, shape, arrow, a, b),
            Err(stop) => return Err(stop),
        };
        let (mut parts, mut defined) = (Vec::new(), Vec::new());
        for point in points.iter() {
            let (inside, d) = self.member(&Object::Known(point.at.clone()), &left, a)?;
            parts.push(Claim::Lit(point.defined).implies(inside));
            let (value, e) = self.member(&point.value, &right, b)?;
            parts.push(Claim::Lit(point.defined).implies(value));
            defined.extend([d, e]);
        }
        if arrow.total {
            let domain = self.term(a)?;
            for (at, lit) in self.candidates(&domain.object, &a.shape)? {
                let found = points.binary_search_by(|p| p.at.cmp(&at));
                let there = found.map_or(Lit::Never, |i| points[i].defined);
                parts.push(Claim::Lit(lit).implies(Claim::Lit(there)));
            }
            defined.push(domain.defined);
        }
        if arrow.injective {
            parts.push(self.is_injective(&points, &right)?);
        }
        if arrow.surjective {
            parts.push(self.is_onto(&points, &right, b)?);
        }
        if points.is_empty() && !(arrow.total && arrow.surjective) {
            return Err(Refusal::Opaque);
        }
        defined.sort_unstable();
        defined.dedup();
        Ok((Claim::and(parts), self.poster.and(defined)))
    }

    /// The same of a relation, pair by pair.
    fn relation_in(
        &mut self,
        r: &Object,
        shape: &Shape,
        arrow: Arrow,
        a: &'p Sketch,
        b: &'p Sketch,
    ) -> Built<(Claim, Lit), H> {
        let pairs = shape.element();
        let (left, right) = pairs.sides();
        let (mut parts, mut defined) = (Vec::new(), Vec::new());
        let mut by_left: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        let mut by_right: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        let candidates = self.candidates(r, shape)?;
        if candidates.is_empty() && !(arrow.total && arrow.surjective) {
            return Err(Refusal::Opaque);
        }
        for (pair, lit) in candidates {
            let (x, y) = pairs.split(&pair);
            let (in_left, d) = self.member(&Object::Known(x.clone()), &left, a)?;
            let (in_right, e) = self.member(&Object::Known(y.clone()), &right, b)?;
            parts.push(Claim::Lit(lit).implies(Claim::and([in_left, in_right])));
            defined.extend([d, e]);
            by_left.entry(x).or_default().push(lit);
            by_right.entry(y).or_default().push(lit);
        }
        for (wanted, groups) in [(arrow.functional, &by_left), (arrow.injective, &by_right)] {
            for lits in groups.values().filter(|_| wanted) {
                parts.push(self.at_most_one(lits)?);
            }
        }
        for (wanted, groups, set) in [(arrow.total, &by_left, a), (arrow.surjective, &by_right, b)]
        {
            if wanted {
                let meaning = self.term(set)?;
                for (value, lit) in self.candidates(&meaning.object, &set.shape)? {
                    let lits = groups.get(&value).into_iter().flatten();
                    let some = Claim::or(lits.map(|l| Claim::Lit(*l)));
                    parts.push(Claim::Lit(lit).implies(some));
                }
                defined.push(meaning.defined);
            }
        }
        defined.sort_unstable();
        defined.dedup();
        Ok((Claim::and(parts), self.poster.and(defined)))
    }

    pub(super) fn at_most_one(&mut self, lits: &[Lit]) -> Built<Claim, H> {
        let sum = self.count(lits)?.plus(1, &Linear::constant(-1)).ok_or(Refusal::Opaque)?;
        Ok(Claim::Sum(Relation::AtMost, sum))
    }

    /// How many of these are true.
    pub fn count(&mut self, lits: &[Lit]) -> Built<Linear, H> {
        let numbers: Vec<Linear> = lits.iter().map(|lit| self.poster.number(*lit)).collect();
        let sum = Linear::total(&numbers).ok_or(Refusal::Opaque)?;
        self.step(lits.len())?;
        Ok(sum)
    }
}

/// Whether these points are those of a sequence that is known to have them.
fn is_sequence(points: &[Point]) -> bool {
    let is_next =
        |(i, point): (i64, &Point)| point.at == Value::Int(i) && point.defined == Lit::Always;
    (1..).zip(points).all(is_next)
}
