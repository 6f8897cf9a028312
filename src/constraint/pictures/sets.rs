//! Sets as candidates with literals, and the operators on them.

use super::few::Items;
use super::object::{Candidates, Object, Point, is_scalar, scalar, scalar_value};
use crate::constraint::both::Truth;
use crate::constraint::build::{Builder, Built, Meaning, Refusal};
use crate::constraint::claim::Claim;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::propagators::linear::Relation;
use crate::constraint::sketch::{Collect, Host, Sketch, Term};
use crate::machine::{BinaryOp, Comparison, UnaryOp};
use crate::value::{Shape, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most values that a scalar may have where each is looked at.
const MOST_VALUES: u64 = 20_000;

/// Most pairs out of two lists that are compared one by one.
const MOST_COMPARED: usize = 64;

/// Most members of a known set that are listed beside others.
const MOST_LISTED: usize = 64;

/// Most members of a set each of whose subsets is looked at.
const MOST_IN_POWERS: usize = 10;

impl<'p, H: Host> Builder<'p, H> {
    /// What a set may have as members, in order, each with the literal that it is one.
    pub fn candidates(&mut self, set: &Object, shape: &Shape) -> Built<Candidates, H> {
        let element = shape.element();
        match set {
            Object::Known(set) => {
                self.step(shape.card(set))?;
                Ok(shape.members(set).map(|v| (v, Lit::Always)).collect())
            }
            Object::Set(candidates) => Ok(candidates.to_vec()),
            Object::Function(points) => {
                let (_, right) = element.sides();
                let mut found = BTreeMap::new();
                for point in points.iter().filter(|p| p.defined != Lit::Never) {
                    for (value, lit) in self.possible(&point.value, &right)? {
                        let lit = self.poster.and([point.defined, lit]);
                        found.insert(element.pair(point.at.clone(), value), lit);
                    }
                }
                Ok(found.into_iter().collect())
            }
            Object::Listed(items) => {
                let mut found: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
                for (there, item) in items.iter() {
                    for (value, lit) in self.possible(item, &element)? {
                        let lit = self.poster.and([*there, lit]);
                        found.entry(value).or_default().push(lit);
                    }
                }
                let found = found.into_iter();
                Ok(found.map(|(value, lits)| (value, self.poster.or(lits))).collect())
            }
            Object::OneOf(var, values) => {
                let mut found: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
                for (i, value) in values.iter().enumerate() {
                    self.step(shape.card(value))?;
                    for member in shape.members(value) {
                        found.entry(member).or_default().push(Lit::Is(*var, i as i64));
                    }
                }
                let found = found.into_iter();
                Ok(found.map(|(value, lits)| (value, self.poster.or(lits))).collect())
            }
            _ => Err(Refusal::Opaque),
        }
    }

    /// What a set may have as members, as far as that is known, each with the literal that it is one.
    pub(in crate::constraint) fn items(&mut self, set: &Object, shape: &Shape) -> Built<Items, H> {
        Ok(match set {
            Object::Listed(items) => items.clone(),
            Object::Function(points) => {
                let at = |v: &Value| Object::Known(v.clone());
                let pair = |p: &Point| Object::pair(at(&p.at), p.value.clone());
                points.iter().map(|p| (p.defined, pair(p))).collect()
            }
            _ => {
                let candidates = self.candidates(set, shape)?;
                candidates.into_iter().map(|(v, lit)| (lit, Object::Known(v))).collect()
            }
        })
    }

    /// The literals of the candidates: the set has a member where one is true.
    pub fn literals(&mut self, set: &Object, shape: &Shape) -> Built<Vec<Lit>, H> {
        match set {
            Object::Function(points) => Ok(points.iter().map(|p| p.defined).collect()),
            Object::Listed(items) => Ok(items.iter().map(|(lit, _)| *lit).collect()),
            _ => Ok(self.candidates(set, shape)?.into_iter().map(|(_, lit)| lit).collect()),
        }
    }

    /// The values that an object may have, each with the literal that it has it.
    pub fn possible(&mut self, object: &Object, shape: &Shape) -> Built<Candidates, H> {
        match object {
            Object::Known(value) => Ok(vec![(value.clone(), Lit::Always)]),
            Object::Truth(lit) => Ok(vec![(Value::FALSE, lit.negated()), (Value::TRUE, *lit)]),
            Object::OneOf(var, values) => {
                let numbered = values.iter().zip(0..);
                Ok(numbered.map(|(v, i)| (v.clone(), Lit::Is(*var, i))).collect())
            }
            Object::Pair(sides) => {
                let (left, right) = shape.sides();
                let (xs, ys) = (self.possible(&sides.0, &left)?, self.possible(&sides.1, &right)?);
                self.step(xs.len() * ys.len())?;
                let mut all = Vec::new();
                for (x, is_x) in &xs {
                    for (y, is_y) in &ys {
                        let lit = self.poster.and([*is_x, *is_y]);
                        all.push((shape.pair(x.clone(), y.clone()), lit));
                    }
                }
                Ok(all)
            }
            _ if is_scalar(shape) => {
                let sum = scalar(object, shape, &mut self.poster).ok_or(Refusal::Opaque)?;
                let var = self.poster.variable(&sum).ok_or(Refusal::Opaque)?;
                let store = &self.poster.engine.store;
                if store.size(var) > MOST_VALUES {
                    return Err(Refusal::Opaque);
                }
                let values: Vec<i64> = store.values(var).collect();
                self.step(values.len())?;
                let lit = |n: i64| self.poster.simple(Lit::Is(var, n));
                Ok(values.into_iter().map(|n| (scalar_value(n, shape), lit(n))).collect())
            }
            _ => Err(Refusal::Opaque),
        }
    }

    /// `a = b`, of sets.
    pub(in crate::constraint) fn same_sets(
        &mut self,
        a: &Object,
        b: &Object,
        shape: &Shape,
    ) -> Built<Claim, H> {
        if matches!(a, Object::Function(_)) || matches!(b, Object::Function(_)) {
            let (points, others) = (self.points(a, shape), self.points(b, shape));
            match (points, others) {
                (Ok(points), Ok(others)) => return self.same_functions(&points, &others, shape),
                (Err(Refusal::Stop(stop)), _) | (_, Err(Refusal::Stop(stop))) => {
                    return Err(Refusal::Stop(stop));
                }
                _ => {}
            }
        }
        if let (Object::Listed(xs), Object::Listed(ys)) = (a, b)
            && xs.len() * ys.len() <= MOST_COMPARED
        {
            return self.same_lists(xs, ys, &shape.element());
        }
        for (listed, known) in [(a, b), (b, a)] {
            if let (Object::Listed(items), Object::Known(set)) = (listed, known) {
                return self.lists(items, set, shape);
            }
        }
        let (xs, ys) = (self.candidates(a, shape)?, self.candidates(b, shape)?);
        let mut parts = Vec::new();
        for (_, x, y) in merged(&xs, &ys) {
            parts.push(Claim::iff(Claim::Lit(x), Claim::Lit(y)));
        }
        self.step(parts.len())?;
        Ok(Claim::and(parts))
    }

    /// Each of the one list is equal to one of the other, and the other way round.
    fn same_lists(
        &mut self,
        xs: &[(Lit, Object)],
        ys: &[(Lit, Object)],
        element: &Shape,
    ) -> Built<Claim, H> {
        if let ([(Lit::Always, x)], [(Lit::Always, y)]) = (xs, ys) {
            return self.equal(x, y, element);
        }
        let mut same = Vec::new();
        for (_, x) in xs {
            let mut row = Vec::new();
            for (_, y) in ys {
                let claim = self.equal(x, y, element)?;
                row.push(self.poster.lit(claim));
            }
            same.push(row);
        }
        let both = |there: Lit, same: Lit| Claim::and([Claim::Lit(there), Claim::Lit(same)]);
        let mut parts = Vec::new();
        for (i, (there, _)) in xs.iter().enumerate() {
            let places = ys.iter().enumerate().map(|(j, (other, _))| both(*other, same[i][j]));
            parts.push(Claim::Lit(*there).implies(Claim::or(places)));
        }
        for (j, (there, _)) in ys.iter().enumerate() {
            let places = xs.iter().enumerate().map(|(i, (other, _))| both(*other, same[i][j]));
            parts.push(Claim::Lit(*there).implies(Claim::or(places)));
        }
        self.step(parts.len())?;
        Ok(Claim::and(parts))
    }

    /// Whether no member of a set is left once all that is listed is in it: these are as many, each another one. Of scalars
    /// it is told nevertheless, as rules about all of them say more.
    pub(in crate::constraint) fn fill(
        &self,
        items: &[(Lit, Object)],
        set: &Value,
        shape: &Shape,
    ) -> bool {
        items.len() == shape.card(set)
            && !is_scalar(&shape.element())
            && items.iter().all(|(lit, _)| *lit == Lit::Always)
            && self.are_apart(items)
    }

    /// All that is listed is in the set.
    pub(in crate::constraint) fn lists_within(
        &mut self,
        items: &[(Lit, Object)],
        set: &Value,
        shape: &Shape,
    ) -> Built<Vec<Claim>, H> {
        let (element, known) = (shape.element(), Object::Known(set.clone()));
        let inside = |(lit, item): &(Lit, Object)| {
            Ok(Claim::Lit(*lit).implies(self.is_in(item, &element, &known, shape)?))
        };
        items.iter().map(inside).collect()
    }

    /// The same, and each member of it is listed.
    fn lists(&mut self, items: &[(Lit, Object)], set: &Value, shape: &Shape) -> Built<Claim, H> {
        let mut parts = self.lists_within(items, set, shape)?;
        if self.fill(items, set, shape) {
            return Ok(Claim::and(parts));
        }
        let element = shape.element();
        for member in shape.members(set) {
            let member = Object::Known(member);
            let mut places = Vec::new();
            for (lit, item) in items {
                let same = self.equal(item, &member, &element)?;
                places.push(Claim::and([Claim::Lit(*lit), same]));
            }
            parts.push(Claim::or(places));
        }
        // As many are listed as there are members, at least.
        let lits: Vec<Lit> = items.iter().map(|(lit, _)| *lit).collect();
        let members = Linear::constant(shape.card(set) as i64);
        let missing = members.plus(-1, &self.count(&lits)?).ok_or(Refusal::Opaque)?;
        parts.push(Claim::Sum(Relation::AtMost, missing));
        if items.len() == shape.card(set) && items.len() <= MOST_LISTED {
            // None is listed twice.
            let listed: Vec<(Lit, &Object)> = items.iter().map(|(lit, x)| (*lit, x)).collect();
            parts.push(self.differ(&listed, &element)?);
        }
        Ok(Claim::and(parts))
    }

    fn same_functions(&mut self, f: &[Point], g: &[Point], shape: &Shape) -> Built<Claim, H> {
        let (_, right) = shape.element().sides();
        let mut parts = Vec::new();
        let (mut i, mut j) = (0, 0);
        while i < f.len() || j < g.len() {
            let order = match (f.get(i), g.get(j)) {
                (Some(p), Some(q)) => p.at.cmp(&q.at),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            match order {
                std::cmp::Ordering::Less => {
                    parts.push(Claim::Lit(f[i].defined.negated()));
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    parts.push(Claim::Lit(g[j].defined.negated()));
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    let (p, q) = (&f[i], &g[j]);
                    let there = Claim::iff(Claim::Lit(p.defined), Claim::Lit(q.defined));
                    let same = self.equal(&p.value, &q.value, &right)?;
                    parts.push(there);
                    parts.push(Claim::Lit(p.defined).implies(same));
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        Ok(Claim::and(parts))
    }

    /// The fields of a record, and their shapes.
    pub fn fields(
        &mut self,
        record: &Object,
        shape: &Shape,
    ) -> Built<(Vec<Object>, Vec<Shape>), H> {
        let Shape::Record(shapes) = shape else { return Err(Refusal::Opaque) };
        let fields = match record {
            Object::Record(fields) => fields.to_vec(),
            Object::Known(Value::Record(values)) => {
                values.iter().map(|v| Object::Known(v.clone())).collect()
            }
            _ => return Err(Refusal::Opaque),
        };
        Ok((fields, shapes.to_vec()))
    }

    /// Union, intersection, difference.
    pub fn set_operator(
        &mut self,
        op: BinaryOp,
        a: &Object,
        b: &Object,
        shape: &Shape,
    ) -> Built<Object, H> {
        let candidates =
            |builder: &mut Self| Ok((builder.candidates(a, shape)?, builder.candidates(b, shape)?));
        let (xs, ys) = match candidates(self) {
            Err(Refusal::Opaque) if op == BinaryOp::Union => return listed(a, b, shape),
            Err(Refusal::Opaque) if let Some(items) = few(a, shape) => {
                return self.items_within(&items, op, b, shape);
            }
            both => both?,
        };
        let mut members = Vec::new();
        for (value, x, y) in merged(&xs, &ys) {
            let lit = match op {
                BinaryOp::Union => self.poster.or([x, y]),
                BinaryOp::Intersection => self.poster.and([x, y]),
                _ => self.poster.and([x, y.negated()]),
            };
            if lit != Lit::Never {
                members.push((value, lit));
            }
        }
        self.step(members.len())?;
        Ok(Object::Set(members.into()))
    }

    /// `A * B`.
    pub fn product(
        &mut self,
        (a, left): (&Object, &Shape),
        (b, right): (&Object, &Shape),
        shape: &Shape,
    ) -> Built<Object, H> {
        let pairs = shape.element();
        let (xs, ys) = (self.candidates(a, left)?, self.candidates(b, right)?);
        self.step(xs.len() * ys.len())?;
        let mut members = Vec::new();
        for (x, is_x) in &xs {
            for (y, is_y) in &ys {
                let lit = self.poster.and([*is_x, *is_y]);
                members.push((pairs.pair(x.clone(), y.clone()), lit));
            }
        }
        Ok(Object::Set(sorted(members)))
    }

    /// The set of what each pair of a relation is mapped to, where it is.
    pub fn map_pairs(
        &mut self,
        relation: &Object,
        shape: &Shape,
        mut to: impl FnMut(&mut Self, Value, Value, Lit) -> Option<(Value, Lit)>,
    ) -> Built<Object, H> {
        let pairs = shape.element();
        let mut found: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (pair, lit) in self.candidates(relation, shape)? {
            let (x, y) = pairs.split(&pair);
            if let Some((value, lit)) = to(self, x, y, lit)
                && lit != Lit::Never
            {
                found.entry(value).or_default().push(lit);
            }
        }
        self.step(found.len())?;
        let members: Vec<(Value, Lit)> =
            found.into_iter().map(|(value, lits)| (value, self.poster.or(lits))).collect();
        Ok(Object::Set(members.into()))
    }

    /// `(r ; s)`.
    pub fn compose(
        &mut self,
        (r, r_shape): (&Object, &Shape),
        (s, s_shape): (&Object, &Shape),
        shape: &Shape,
    ) -> Built<Object, H> {
        if let Some(points) = self.composed((r, r_shape), s)? {
            return Ok(Object::Function(points));
        }
        let (first, second, pairs) = (r_shape.element(), s_shape.element(), shape.element());
        let mut by_left: BTreeMap<Value, Vec<(Value, Lit)>> = BTreeMap::new();
        for (pair, lit) in self.candidates(s, s_shape)? {
            let (x, y) = second.split(&pair);
            by_left.entry(x).or_default().push((y, lit));
        }
        let mut found: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (pair, lit) in self.candidates(r, r_shape)? {
            let (x, middle) = first.split(&pair);
            for (y, other) in by_left.get(&middle).into_iter().flatten() {
                self.step(1)?;
                let both = self.poster.and([lit, *other]);
                found.entry(pairs.pair(x.clone(), y.clone())).or_default().push(both);
            }
        }
        let members: Vec<(Value, Lit)> =
            found.into_iter().map(|(value, lits)| (value, self.poster.or(lits))).collect();
        Ok(Object::Set(members.into()))
    }

    /// `r <+ s`.
    pub fn overriding(&mut self, r: &Object, s: &Object, shape: &Shape) -> Built<Object, H> {
        let pairs = shape.element();
        let (rs, ss) = (self.candidates(r, shape)?, self.candidates(s, shape)?);
        let mut overridden: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (pair, lit) in &ss {
            overridden.entry(pairs.split(pair).0).or_default().push(*lit);
        }
        let mut kept = Vec::new();
        for (pair, lit) in rs {
            let lits = overridden.get(&pairs.split(&pair).0).cloned().unwrap_or_default();
            let over = self.poster.or(lits);
            kept.push((pair, self.poster.and([lit, over.negated()])));
        }
        let kept = Object::Set(kept.into());
        self.set_operator(BinaryOp::Union, &kept, &Object::Set(ss.into()), shape)
    }

    /// `POW(S)` or `POW1(S)`, of a set with few members.
    pub fn powers(&mut self, set: &Object, shape: &Shape, nonempty: bool) -> Built<Object, H> {
        let members = self.candidates(set, shape)?;
        if members.len() > MOST_IN_POWERS {
            return Err(Refusal::Opaque);
        }
        self.step(members.len() << members.len())?;
        let mut subsets = Vec::new();
        for chosen in usize::from(nonempty)..1 << members.len() {
            let is_in = |i: &usize| chosen >> i & 1 == 1;
            let inside: Vec<usize> = (0..members.len()).filter(is_in).collect();
            let subset = shape.collect(inside.iter().map(|i| members[*i].0.clone()));
            let lit = self.poster.and(inside.iter().map(|i| members[*i].1));
            if lit != Lit::Never {
                subsets.push((subset, lit));
            }
        }
        Ok(match subsets.iter().all(|(_, lit)| *lit == Lit::Always) {
            true => Object::Known(
                Shape::set_of(shape.clone()).collect(subsets.into_iter().map(|(v, _)| v)),
            ),
            false => Object::Set(sorted(subsets)),
        })
    }

    /// `card({x, y, ..}) = n`, or at least `n`, where as many are listed: all of them differ. `None` of anything else.
    pub(in crate::constraint) fn all_differ(
        &mut self,
        op: Comparison,
        a: &'p Sketch,
        b: &'p Sketch,
    ) -> Built<Option<Truth>, H> {
        let sides: &[_] = match op {
            Comparison::Equal => &[(a, b), (b, a)],
            Comparison::GreaterEqual => &[(a, b)],
            Comparison::LessEqual => &[(b, a)],
            _ => return Ok(None),
        };
        for (card, number) in sides {
            let Term::Unary(UnaryOp::Card, set) = &card.term else { continue };
            if !may_be_listed(&set.term) {
                continue;
            }
            let least = match self.attempt(|builder| builder.term(number))? {
                Some(Meaning { object: Object::Known(Value::Int(n)), defined }) => (n, defined),
                _ => continue,
            };
            let Some(Meaning { object, defined }) = self.attempt(|builder| builder.term(set))?
            else {
                continue;
            };
            let Object::Listed(items) = &object else { continue };
            if items.len() as i64 != least.0 || items.iter().any(|(lit, _)| *lit != Lit::Always) {
                continue;
            }
            let items: Vec<(Lit, &Object)> = items.iter().map(|(lit, x)| (*lit, x)).collect();
            let claim = self.differ(&items, &set.shape.element())?;
            let defined = self.poster.and([defined, least.1]);
            return Ok(Some(Truth::Exact(claim).where_defined(defined)));
        }
        Ok(None)
    }

    /// The sets that a set of sets may have as members, each with the literal that it is one.
    pub(in crate::constraint) fn sets_in(
        &mut self,
        sets: &Object,
        shape: &Shape,
    ) -> Built<Vec<(Lit, Object)>, H> {
        if let Object::Listed(items) = sets {
            return Ok(items.to_vec());
        }
        let sets = self.candidates(sets, shape)?.into_iter();
        Ok(sets.map(|(value, lit)| (lit, Object::Known(value))).collect())
    }

    /// What is in one of these sets, of those whose literals are true.
    pub(in crate::constraint) fn union_of(
        &mut self,
        sets: Vec<(Lit, Object)>,
        shape: &Shape,
    ) -> Built<Object, H> {
        let mut members: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (there, set) in &sets {
            let candidates = match self.candidates(set, shape) {
                Err(Refusal::Opaque) => return self.all_items(&sets, shape),
                candidates => candidates?,
            };
            for (value, lit) in candidates {
                let lit = self.poster.and([*there, lit]);
                members.entry(value).or_default().push(lit);
            }
        }
        let members: Vec<_> =
            members.into_iter().map(|(v, lits)| (v, self.poster.or(lits))).collect();
        Ok(Object::Set(members.into()))
    }

    /// What is in each of these sets, of those whose literals are true, which is one at least.
    pub(in crate::constraint) fn intersection_of(
        &mut self,
        sets: &[(Lit, Object)],
        shape: &Shape,
    ) -> Built<Object, H> {
        let mut inside: BTreeMap<Value, Vec<(usize, Lit)>> = BTreeMap::new();
        for (i, (_, set)) in sets.iter().enumerate() {
            for (value, lit) in self.candidates(set, shape)? {
                inside.entry(value).or_default().push((i, lit));
            }
        }
        self.step(sets.len() * inside.len())?;
        let mut members = Vec::new();
        for (value, lits) in inside {
            let mut lits = lits.into_iter().peekable();
            let mut parts = Vec::new();
            for (i, (there, _)) in sets.iter().enumerate() {
                let lit = lits.next_if(|(at, _)| *at == i).map_or(Lit::Never, |(_, lit)| lit);
                parts.push(self.poster.or([there.negated(), lit]));
            }
            members.push((value, self.poster.and(parts)));
        }
        Ok(Object::Set(members.into()))
    }

    /// `card(S)`.
    pub fn card(&mut self, set: &Object, shape: &Shape) -> Built<Linear, H> {
        if let Object::Function(points) = set {
            let lits: Vec<Lit> = points.iter().map(|p| p.defined).collect();
            return self.count(&lits);
        }
        match (self.candidates(set, shape), set) {
            (Err(Refusal::Opaque), Object::Listed(items)) => {
                self.count_of_list(items, &shape.element())
            }
            (members, _) => self.counted((set, shape), members?),
        }
    }
}

/// Whether members may be listed that are not known.
fn may_be_listed(set: &Term) -> bool {
    match set {
        Term::Extension(_) | Term::Unary(UnaryOp::Ran, _) | Term::Binary(BinaryOp::Image, ..) => {
            true
        }
        Term::Collect(Collect::Set, _, _, body) => !matches!(body.term, Term::Closed(_)),
        _ => false,
    }
}

/// The candidates of two sets, with the literals of both.
fn merged<'a>(
    xs: &'a [(Value, Lit)],
    ys: &'a [(Value, Lit)],
) -> impl Iterator<Item = (Value, Lit, Lit)> + 'a {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        use std::cmp::Ordering::*;
        let order = match (xs.get(i), ys.get(j)) {
            (None, None) => return None,
            (Some(_), None) => Less,
            (None, Some(_)) => Greater,
            (Some((x, _)), Some((y, _))) => x.cmp(y),
        };
        let (mut left, mut right) = (Lit::Never, Lit::Never);
        let value = if order == Greater { ys[j].0.clone() } else { xs[i].0.clone() };
        if order != Greater {
            left = xs[i].1;
            i += 1;
        }
        if order != Less {
            right = ys[j].1;
            j += 1;
        }
        Some((value, left, right))
    })
}

/// Candidates in order.
pub fn sorted(mut members: Vec<(Value, Lit)>) -> Rc<[(Value, Lit)]> {
    members.sort_by(|(v, _), (w, _)| v.cmp(w));
    members.into()
}

/// The union of short lists, where an item may be too much to have candidates.
fn listed<S>(a: &Object, b: &Object, shape: &Shape) -> Result<Object, Refusal<S>> {
    let (all, others) = few(a, shape).zip(few(b, shape)).ok_or(Refusal::Opaque)?;
    Ok(Object::Listed(all.iter().chain(others.iter()).cloned().collect()))
}

/// The items of a list, or of what is known and may be listed beside others.
fn few(set: &Object, shape: &Shape) -> Option<Items> {
    match set {
        Object::Listed(items) => Some(items.clone()),
        Object::Known(set) if shape.card(set) <= MOST_LISTED => {
            Some(shape.members(set).map(|v| (Lit::Always, Object::Known(v))).collect())
        }
        _ => None,
    }
}
