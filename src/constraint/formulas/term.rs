//! Expressions as objects.

use crate::constraint::both::Truth;
use crate::constraint::build::{Builder, Built, Instance, Meaning, Refusal};
use crate::constraint::claim::Claim;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::pictures::functions::overridden;
use crate::constraint::pictures::object::{Object, Point, is_pairs, number_of};
use crate::constraint::pictures::sets::sorted;
use crate::constraint::propagators::arithmetic::Greatest;
use crate::constraint::sketch::{Collect, Formula, Host, Scope, Sketch, Term};
use crate::constraint::store::{INFINITE, Var};
use crate::machine::{BasicSet, BinaryOp, UnaryOp};
use crate::value::{Shape, Value};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// Longest interval with unknown ends whose numbers are looked at one by one.
const LONGEST_INTERVAL: i64 = 20_000;

/// Most records whose set is pictured.
const MOST_RECORDS: usize = 20_000;

impl<'p, H: Host> Builder<'p, H> {
    /// What is known of an expression's value.
    pub fn term(&mut self, sketch: &'p Sketch) -> Built<Meaning, H> {
        self.step(1)?;
        match &sketch.term {
            Term::Closed(n) => match self.host.value(*n).map_err(Refusal::Stop)? {
                Some(value) if !value.is_symbolic() => Ok(Meaning::total(Object::Known(value))),
                _ => Err(Refusal::Opaque),
            },
            Term::Unknown(local) => Ok(Meaning::total(self.unknown(*local)?)),
            Term::Universe => match sketch.shape.universe() {
                Some(all) => Ok(Meaning::total(Object::Known(all))),
                None => Err(Refusal::Opaque),
            },
            Term::Unary(op, a) => self.unary(*op, a, &sketch.shape),
            Term::Binary(op, a, b) => self.binary(*op, a, b, &sketch.shape),
            Term::Extension(items) => {
                let (items, defined) = self.terms(items)?;
                let shape = &sketch.shape;
                let known: Option<Vec<Value>> = items
                    .iter()
                    .map(|item| if let Object::Known(v) = item { Some(v.clone()) } else { None })
                    .collect();
                let object = match known {
                    Some(values) => Object::Known(shape.collect(values)),
                    None => Object::Listed(items.into_iter().map(|i| (Lit::Always, i)).collect()),
                };
                Ok(Meaning { object, defined })
            }
            Term::Sequence(items) => {
                let (items, defined) = self.terms(items)?;
                let numbered = items.into_iter().zip(1..);
                let points = numbered.map(|(value, i)| Point {
                    at: Value::Int(i),
                    defined: Lit::Always,
                    value,
                });
                Ok(Meaning { object: Object::Function(points.collect()), defined })
            }
            Term::Record(fields) => {
                let (fields, defined) = self.terms(fields)?;
                Ok(Meaning { object: Object::Record(fields.into()), defined })
            }
            Term::Field(record, n) => {
                let meaning = self.term(record)?;
                let (fields, _) = self.fields(&meaning.object, &record.shape)?;
                let object = fields.get(*n).ok_or(Refusal::Opaque)?.clone();
                Ok(Meaning { object, defined: meaning.defined })
            }
            Term::Truth(p) => {
                let truth = self.truth(p)?;
                let (holds, fails) = truth.lits(&mut self.poster);
                let defined = match holds.negated() == fails {
                    true => Lit::Always,
                    false => self.poster.or([holds, fails]),
                };
                Ok(Meaning { object: Object::Truth(holds), defined })
            }
            Term::If(c, a, b) => self.choice(c, a, b),
            Term::Let(bindings, body) => {
                let given = self.bindings(bindings)?;
                let body = self.term(body)?;
                let defined = self.poster.and([given, body.defined]);
                Ok(Meaning { object: body.object, defined })
            }
            Term::Given(bindings, condition, body) => {
                let given = self.bindings(bindings)?;
                let truth = self.truth(condition)?;
                let inside = self.poster.lit(truth.holds());
                let body = self.term(body)?;
                let defined = self.poster.and([given, inside, body.defined]);
                Ok(Meaning { object: body.object, defined })
            }
            Term::Collect(what, scope, guard, body) => {
                self.collect(*what, scope, guard, body, &sketch.shape)
            }
            Term::Otherwise(first, second) => {
                let partly = self.partly;
                match self.attempt(|builder| builder.term(first))? {
                    Some(meaning) => Ok(meaning),
                    None => {
                        self.partly = partly;
                        self.term(second)
                    }
                }
            }
            Term::Basic(basic) => self.basic(*basic, &sketch.shape),
            Term::Struct(sets) => self.records(sets, &sketch.shape),
            Term::Opaque => Err(Refusal::Opaque),
        }
    }

    /// The records whose fields are members of sets that are known, where they are not too many.
    fn records(&mut self, sets: &'p [Sketch], shape: &Shape) -> Built<Meaning, H> {
        let (objects, defined) = self.terms(sets)?;
        let mut records: Vec<Vec<Value>> = vec![Vec::new()];
        for (object, set) in objects.iter().zip(sets) {
            let Object::Known(all) = object else { return Err(Refusal::Opaque) };
            let members: Vec<Value> = set.shape.members(all).collect();
            if records.len() * members.len() > MOST_RECORDS {
                return Err(Refusal::Opaque);
            }
            self.step(records.len() * members.len())?;
            let longer = |record: &Vec<Value>, field: &Value| {
                record.iter().chain([field]).cloned().collect::<Vec<_>>()
            };
            let of = |record| members.iter().map(move |field| longer(record, field));
            records = records.iter().flat_map(of).collect();
        }
        let records = records.into_iter().map(|record| Value::Record(record.into()));
        Ok(Meaning { object: Object::Known(shape.collect(records.collect::<Vec<_>>())), defined })
    }

    /// The members of a set that has a name, where they are not too many.
    fn basic(&mut self, set: BasicSet, shape: &Shape) -> Built<Meaning, H> {
        let (min, max) = self.problem.limits;
        let low = match set {
            BasicSet::Bool => {
                let all = shape.universe().ok_or(Refusal::Opaque)?;
                return Ok(Meaning::total(Object::Known(all)));
            }
            BasicSet::Int => min,
            BasicSet::Nat => 0,
            BasicSet::Nat1 => 1,
            _ => return Err(Refusal::Opaque),
        };
        if max.saturating_sub(low) > LONGEST_INTERVAL {
            return Err(Refusal::Opaque);
        }
        let members = (low..=max).map(Value::Int).collect::<Vec<_>>();
        Ok(Meaning::total(Object::Known(shape.collect(members))))
    }

    fn terms(&mut self, sketches: &'p [Sketch]) -> Built<(Vec<Object>, Lit), H> {
        let (mut objects, mut defined) = (Vec::new(), Vec::new());
        for sketch in sketches {
            let meaning = self.term(sketch)?;
            objects.push(meaning.object);
            defined.push(meaning.defined);
        }
        Ok((objects, self.poster.and(defined)))
    }

    pub(super) fn number(&mut self, sum: Option<Linear>, defined: Lit) -> Built<Meaning, H> {
        let sum = sum.filter(|s| s.constant.abs() < INFINITE / 2).ok_or(Refusal::Opaque)?;
        let object = match sum.known() {
            Some(n) => Object::Known(Value::Int(n)),
            None => Object::Number(sum),
        };
        Ok(Meaning { object, defined })
    }

    fn unary(&mut self, op: UnaryOp, a: &'p Sketch, shape: &Shape) -> Built<Meaning, H> {
        if let (UnaryOp::Card, Term::Binary(BinaryOp::Interval, low, high)) = (op, &a.term) {
            return self.interval_length(low, high);
        }
        let Meaning { object, defined } = self.term(a)?;
        let set = |object| Ok(Meaning { object, defined });
        match op {
            UnaryOp::Negate => {
                let sum = object.as_linear().and_then(|sum| sum.times(-1));
                self.number(sum, defined)
            }
            UnaryOp::Card => {
                let sum = self.card(&object, &a.shape)?;
                self.number(Some(sum), defined)
            }
            UnaryOp::Max => self.extreme(&object, &a.shape, defined, 1),
            UnaryOp::Min => self.extreme(&object, &a.shape, defined, -1),
            UnaryOp::Dom => match &object {
                Object::Function(points) => {
                    set(Object::Set(points.iter().map(|p| (p.at.clone(), p.defined)).collect()))
                }
                _ => set(self.map_pairs(&object, &a.shape, |_, x, _, lit| Some((x, lit)))?),
            },
            UnaryOp::Ran => match &object {
                Object::Function(points) => set(Object::Listed(
                    points.iter().map(|p| (p.defined, p.value.clone())).collect(),
                )),
                _ => set(self.map_pairs(&object, &a.shape, |_, _, y, lit| Some((y, lit)))?),
            },
            UnaryOp::Inverse => {
                if let Object::Function(points) = &object
                    && let Some(inverse) = self.inverse(points, &a.shape)?
                {
                    return set(Object::Function(inverse));
                }
                let pairs = shape.element();
                set(self
                    .map_pairs(&object, &a.shape, |_, x, y, lit| Some((pairs.pair(y, x), lit)))?)
            }
            UnaryOp::Id => {
                let pairs = shape.element();
                let members = self.candidates(&object, &a.shape)?;
                let members = members.into_iter().map(|(v, lit)| (pairs.pair(v.clone(), v), lit));
                set(Object::Set(sorted(members.collect())))
            }
            UnaryOp::Closure1 => set(self.closure(&object, &a.shape)?),
            UnaryOp::First | UnaryOp::Second => {
                let (left, right) = self.sides(&object, &a.shape)?.ok_or(Refusal::Opaque)?;
                set(if op == UnaryOp::First { left } else { right })
            }
            UnaryOp::Size
            | UnaryOp::SeqFirst
            | UnaryOp::SeqLast
            | UnaryOp::Front
            | UnaryOp::Tail
            | UnaryOp::Reverse => self.of_sequence(op, &Meaning { object, defined }, &a.shape),
            UnaryOp::Conc => self.joined(&Meaning { object, defined }, &a.shape),
            UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1 => {
                let nonempty = matches!(op, UnaryOp::Pow1 | UnaryOp::Fin1);
                set(self.powers(&object, &a.shape, nonempty)?)
            }
            UnaryOp::Union => {
                let sets = self.sets_in(&object, &a.shape)?;
                set(self.union_of(sets, shape)?)
            }
            UnaryOp::Inter => {
                let sets = self.sets_in(&object, &a.shape)?;
                let some = self.poster.or(sets.iter().map(|(lit, _)| *lit));
                let object = self.intersection_of(&sets, shape)?;
                // Of no sets it is undefined.
                Ok(Meaning { object, defined: self.poster.and([defined, some]) })
            }
            _ => Err(Refusal::Opaque),
        }
    }

    /// `card(low..high)`: no interval has less than no members.
    fn interval_length(&mut self, low: &'p Sketch, high: &'p Sketch) -> Built<Meaning, H> {
        let (low, high) = (self.term(low)?, self.term(high)?);
        let sum = high.object.as_linear().zip(low.object.as_linear());
        let sum = sum.and_then(|(high, low)| high.plus(-1, &low)?.plus(1, &Linear::constant(1)));
        let sum = sum.ok_or(Refusal::Opaque)?;
        let defined = self.poster.and([low.defined, high.defined]);
        if let Some(length) = sum.known() {
            return self.number(Some(Linear::constant(length.max(0))), defined);
        }
        let length = self.poster.variable(&sum).ok_or(Refusal::Opaque)?;
        let none = self.poster.engine.store.variable(0, 0);
        let greatest = self.greatest(vec![none, length])?;
        self.number(Some(Linear::var(greatest)), defined)
    }

    /// The greatest of some variables; of none there is none.
    fn greatest(&mut self, of: Vec<Var>) -> Built<Var, H> {
        let store = &mut self.poster.engine.store;
        let low = of.iter().map(|v| store.low(*v)).max().ok_or(Refusal::Opaque)?;
        let high = of.iter().map(|v| store.high(*v)).max().ok_or(Refusal::Opaque)?;
        let greatest = store.variable(low, high);
        of.iter().for_each(|v| self.poster.note_least(greatest, &[(1, *v)], 0));
        self.poster.engine.add(Greatest { greatest, of: of.into() });
        Ok(greatest)
    }

    /// The greatest (`sign` 1) or the least member of a set of integers.
    fn extreme(
        &mut self,
        set: &Object,
        shape: &Shape,
        defined: Lit,
        sign: i64,
    ) -> Built<Meaning, H> {
        if let Object::Listed(items) = set
            && items.iter().all(|(lit, _)| *lit == Lit::Always)
        {
            let mut vars = Vec::new();
            for (_, item) in items.iter() {
                let sum =
                    item.as_linear().and_then(|sum| sum.times(sign)).ok_or(Refusal::Opaque)?;
                vars.push(self.poster.variable(&sum).ok_or(Refusal::Opaque)?);
            }
            let greatest = self.greatest(vars)?;
            return self.number(Linear::var(greatest).times(sign), defined);
        }
        let candidates = match (self.candidates(set, shape), set) {
            (Err(Refusal::Opaque), Object::Listed(items)) => {
                let some = self.poster.or(items.iter().map(|(lit, _)| *lit));
                let extreme = self.extreme_of_list(items, sign, some)?;
                let defined = self.poster.and([defined, some]);
                return self.number(Linear::var(extreme).times(sign), defined);
            }
            (candidates, _) => candidates?,
        };
        let mut numbers = Vec::new();
        for (value, lit) in candidates {
            let n = number_of(&value).filter(|n| n.abs() < INFINITE / 2);
            numbers.push((n.ok_or(Refusal::Opaque)?, lit));
        }
        let (low, high) = (numbers.iter().map(|n| n.0).min(), numbers.iter().map(|n| n.0).max());
        let (low, high) = (low.ok_or(Refusal::Opaque)?, high.ok_or(Refusal::Opaque)?);
        let result = self.poster.engine.store.variable(low, high);
        let some = self.poster.or(numbers.iter().map(|(_, lit)| *lit));
        let mut places = Vec::new();
        for (n, lit) in &numbers {
            let beyond = match sign {
                1 => Lit::Above(result, n - 1),
                _ => Lit::AtMost(result, *n),
            };
            self.poster.post(Claim::Lit(*lit).implies(Claim::Lit(beyond)));
            places.push(Claim::Lit(Lit::Is(result, *n)));
            let there = Claim::Lit(Lit::Is(result, *n)).implies(Claim::Lit(*lit));
            self.poster.post_if(some, there);
        }
        self.poster.post_if(some, Claim::or(places));
        let defined = self.poster.and([defined, some]);
        self.number(Some(Linear::var(result)), defined)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: &'p Sketch,
        b: &'p Sketch,
        shape: &Shape,
    ) -> Built<Meaning, H> {
        use BinaryOp::*;
        if op == Compose
            && let Some(pairs) = self.carried(a, b, shape)?
        {
            return Ok(pairs);
        }
        let (left, right) = self.operands(op, a, b)?;
        if op == Apply {
            return self.apply(&left, &a.shape, &right);
        }
        if matches!(op, Concat | Prepend | Append | Take | Drop) {
            return self.of_sequences(op, (&left, &a.shape), (&right, &b.shape));
        }
        let defined = self.poster.and([left.defined, right.defined]);
        let (x, y) = (left.object, right.object);
        let set = |object| Ok(Meaning { object, defined });
        match op {
            Add | Subtract => {
                let sum = x.as_linear().zip(y.as_linear());
                let sign = if op == Add { 1 } else { -1 };
                let sum = sum.and_then(|(x, y)| x.plus(sign, &y));
                self.number(sum, defined)
            }
            Multiply => {
                let (x, y) = (x.as_linear(), y.as_linear());
                let (x, y) = (x.ok_or(Refusal::Opaque)?, y.ok_or(Refusal::Opaque)?);
                self.multiply(&x, &y, defined)
            }
            Power => {
                let x = x.as_linear().ok_or(Refusal::Opaque)?;
                let Object::Known(y) = y else {
                    let y = y.as_linear().ok_or(Refusal::Opaque)?;
                    return self.raised(&x, &y, defined);
                };
                let exponent = y.to_big().and_then(|y| y.to_u32()).filter(|y| *y <= 8);
                let mut power = Meaning { object: Object::Number(Linear::constant(1)), defined };
                for _ in 0..exponent.ok_or(Refusal::Opaque)? {
                    let so_far = power.object.as_linear().ok_or(Refusal::Opaque)?;
                    power = self.multiply(&so_far, &x, defined)?;
                }
                let sum = power.object.as_linear();
                self.number(sum, defined)
            }
            Divide | Modulo => {
                let (x, y) = (x.as_linear(), y.as_linear());
                let (x, y) = (x.ok_or(Refusal::Opaque)?, y.ok_or(Refusal::Opaque)?);
                self.divided(op, &x, &y, defined)
            }
            Interval => self.interval(&x, &y, defined),
            Pair => set(Object::pair(x, y)),
            Union | Intersection | Difference => set(self.set_operator(op, &x, &y, shape)?),
            Product => set(self.product((&x, &a.shape), (&y, &b.shape), shape)?),
            Image if let Object::Function(points) = &x => {
                let points = self.points_within(points, &y, &b.shape, true)?;
                set(Object::Listed(points.iter().map(|p| (p.defined, p.value.clone())).collect()))
            }
            DomainRestrict | DomainSubtract if let Object::Function(points) = &y => {
                let keeps = op == DomainRestrict;
                set(Object::Function(self.points_within(points, &x, &a.shape, keeps)?))
            }
            Image => {
                let inside: BTreeMap<Value, Lit> =
                    self.candidates(&y, &b.shape)?.into_iter().collect();
                set(self.map_pairs(&x, &a.shape, |b, x, y, lit| {
                    let source = *inside.get(&x)?;
                    Some((y, b.poster.and([lit, source])))
                })?)
            }
            DomainRestrict | DomainSubtract | RangeRestrict | RangeSubtract => {
                let on_left = matches!(op, DomainRestrict | DomainSubtract);
                let keeps = matches!(op, DomainRestrict | RangeRestrict);
                let ((s, s_shape), (r, r_shape)) = match on_left {
                    true => ((x, &a.shape), (y, &b.shape)),
                    false => ((y, &b.shape), (x, &a.shape)),
                };
                let inside: BTreeMap<Value, Lit> =
                    self.candidates(&s, s_shape)?.into_iter().collect();
                let pairs = shape.element();
                set(self.map_pairs(&r, r_shape, |b, x, y, lit| {
                    let side = if on_left { &x } else { &y };
                    let there = inside.get(side).copied().unwrap_or(Lit::Never);
                    let there = if keeps { there } else { there.negated() };
                    Some((pairs.pair(x, y), b.poster.and([lit, there])))
                })?)
            }
            Override => {
                if let Object::Function(f) = &x
                    && let Some(g) = self.attempt(|builder| builder.points(&y, &b.shape))?
                    && let Some(points) = overridden(f, &g)
                {
                    return set(Object::Function(points));
                }
                set(self.overriding(&x, &y, shape)?)
            }
            Compose => set(self.compose((&x, &a.shape), (&y, &b.shape), shape)?),
            DirectProduct | ParallelProduct => {
                set(self.side_by_side(op, (&x, &a.shape), (&y, &b.shape), shape)?)
            }
            _ => Err(Refusal::Opaque),
        }
    }

    fn interval(&mut self, a: &Object, b: &Object, defined: Lit) -> Built<Meaning, H> {
        let (a, b) = (a.as_linear(), b.as_linear());
        let (a, b) = (a.ok_or(Refusal::Opaque)?, b.ok_or(Refusal::Opaque)?);
        let store = &self.poster.engine.store;
        let (low, high) = (a.bounds(store).0, b.bounds(store).1);
        if low <= -INFINITE || high >= INFINITE || high - low > LONGEST_INTERVAL {
            return Err(Refusal::Opaque);
        }
        self.step((high - low).max(0) as usize)?;
        let mut members = Vec::new();
        for n in low..=high {
            // a <= n & n <= b
            let from = a.plus(1, &Linear::constant(-n)).ok_or(Refusal::Opaque)?;
            let to = Linear::constant(n).plus(-1, &b).ok_or(Refusal::Opaque)?;
            use crate::constraint::propagators::linear::Relation::AtMost;
            let claim = Claim::and([Claim::Sum(AtMost, from), Claim::Sum(AtMost, to)]);
            members.push((Value::Int(n), self.poster.lit(claim)));
        }
        let known = members.iter().all(|(_, lit)| *lit == Lit::Always);
        let object = match known {
            true => Object::Known(
                Shape::set_of(Shape::Integer).collect(members.into_iter().map(|m| m.0)),
            ),
            false => Object::Set(members.into()),
        };
        Ok(Meaning { object, defined })
    }

    fn choice(&mut self, c: &'p Formula, a: &'p Sketch, b: &'p Sketch) -> Built<Meaning, H> {
        let truth = self.truth(c)?;
        let (holds, fails) = truth.lits(&mut self.poster);
        match (holds, fails) {
            (Lit::Always, _) => return self.term(a),
            (_, Lit::Always) => return self.term(b),
            _ => {}
        }
        if holds.negated() != fails {
            return Err(Refusal::Opaque);
        }
        let (x, y) = (self.term(a)?, self.term(b)?);
        let index = self.poster.number(holds);
        let index = self.poster.variable(&index).ok_or(Refusal::Opaque)?;
        let object = self.select(index, &[(0, y.object), (1, x.object)], &a.shape)?;
        let if_x = self.poster.or([fails, x.defined]);
        let if_y = self.poster.or([holds, y.defined]);
        Ok(Meaning { object, defined: self.poster.and([if_x, if_y]) })
    }

    /// What is made of the values in all instances of which a condition is true.
    fn collect(
        &mut self,
        what: Collect,
        scope: &'p Scope,
        guard: &'p Formula,
        body: &'p Sketch,
        shape: &Shape,
    ) -> Built<Meaning, H> {
        let once = matches!(what, Collect::Sum | Collect::Product);
        let (instances, complete) = self.instances(scope, once)?;
        if !complete {
            return Err(Refusal::Opaque);
        }
        let (mut items, mut defined) = (Vec::new(), Vec::new());
        for instance in instances {
            self.enter(&instance)?;
            let given = self.bindings(&scope.given)?;
            let Instance { counts, .. } = instance;
            let truth = self.truth(guard)?;
            let truth = Truth::and(vec![counts, truth]).where_defined(given);
            let (holds, fails) = truth.lits(&mut self.poster);
            if fails == Lit::Always {
                continue;
            }
            if holds.negated() != fails {
                defined.push(self.poster.or([holds, fails]));
            }
            let meaning = self.term(body)?;
            defined.push(self.poster.or([fails, meaning.defined]));
            items.push((holds, meaning.object));
        }
        let defined = self.poster.and(defined);
        let object = match what {
            Collect::Set => self.listed(items, shape),
            Collect::Union => self.union_of(items, shape)?,
            Collect::Sum => {
                let mut parts = Vec::with_capacity(items.len());
                for (holds, item) in items {
                    parts.push(self.or_zero(holds, &item)?);
                }
                return self.number(Linear::total(&parts), defined);
            }
            Collect::Product => {
                let mut product = Meaning::total(Object::Number(Linear::constant(1)));
                for (holds, item) in items {
                    if holds != Lit::Always {
                        return Err(Refusal::Opaque);
                    }
                    let (x, y) = (product.object.as_linear(), item.as_linear());
                    let (x, y) = (x.ok_or(Refusal::Opaque)?, y.ok_or(Refusal::Opaque)?);
                    product = self.multiply(&x, &y, Lit::Always)?;
                }
                product.object
            }
        };
        Ok(Meaning { object, defined })
    }

    /// A number where the literal is true, otherwise 0.
    fn or_zero(&mut self, holds: Lit, item: &Object) -> Built<Linear, H> {
        let item = item.as_linear().ok_or(Refusal::Opaque)?;
        let number = self.poster.number(holds);
        match (number.known(), item.known()) {
            (Some(0), _) => Ok(number),
            (Some(_), _) => Ok(item),
            (_, Some(factor)) => number.times(factor).ok_or(Refusal::Opaque),
            _ => {
                let index = self.poster.variable(&number).ok_or(Refusal::Opaque)?;
                let rows = [(0, Object::Known(Value::Int(0))), (1, Object::Number(item))];
                let object = self.select(index, &rows, &Shape::Integer)?;
                object.as_linear().ok_or(Refusal::Opaque)
            }
        }
    }

    /// The set of these, as candidates where their values are known, as a function where what is on their
    /// left is known and different.
    pub(in crate::constraint) fn listed(
        &mut self,
        items: Vec<(Lit, Object)>,
        shape: &Shape,
    ) -> Object {
        if items.iter().any(|(_, item)| !matches!(item, Object::Known(_))) {
            return match as_points(&items, &shape.element()) {
                Some(points) => Object::Function(points.into()),
                None => Object::Listed(items.into()),
            };
        }
        let mut members: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (lit, item) in items {
            if let Object::Known(value) = item {
                members.entry(value).or_default().push(lit);
            }
        }
        let members: Vec<_> =
            members.into_iter().map(|(v, lits)| (v, self.poster.or(lits))).collect();
        Object::Set(members.into())
    }
}

/// Pairs as the points of a function, where they are these.
fn as_points(items: &[(Lit, Object)], shape: &Shape) -> Option<Vec<Point>> {
    if !is_pairs(shape) {
        return None;
    }
    let mut points = Vec::with_capacity(items.len());
    for (lit, item) in items {
        let (Object::Known(at), value) = item.sides(shape)? else { return None };
        points.push(Point { at, defined: *lit, value });
    }
    points.sort_by(|p, q| p.at.cmp(&q.at));
    points.windows(2).all(|w| w[0].at != w[1].at).then_some(points)
}
