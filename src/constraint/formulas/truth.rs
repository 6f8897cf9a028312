//! Formulas as claims.

use crate::constraint::both::Truth;
use crate::constraint::build::{Builder, Built, Meaning, Refusal};
use crate::constraint::claim::Claim;
use crate::constraint::literal::{Linear, Lit};
use crate::constraint::pictures::functions::arrow;
use crate::constraint::pictures::object::{
    Object, far, is_pairs, is_scalar, is_sets, number_of, scalar,
};
use crate::constraint::propagators::grid::Grid;
use crate::constraint::propagators::linear::Relation;
use crate::constraint::sketch::{Formula, Host, Scope, Sketch, Term};
use crate::constraint::store::INFINITE;
use crate::machine::{BasicSet, BinaryOp, Comparison, LocalId, UnaryOp};
use crate::value::{Shape, Value};
use num_traits::Signed;
use std::rc::Rc;

impl<'p, H: Host> Builder<'p, H> {
    /// What is known of a formula; of one that cannot be taken apart, nothing.
    pub fn truth(&mut self, formula: &'p Formula) -> Built<Truth, H> {
        match self.apart(formula) {
            Err(Refusal::Opaque) => {
                self.partly = true;
                Ok(Truth::NEITHER)
            }
            other => other,
        }
    }

    fn truths(&mut self, formulas: &'p [Formula]) -> Built<Vec<Truth>, H> {
        formulas.iter().map(|f| self.truth(f)).collect()
    }

    fn apart(&mut self, formula: &'p Formula) -> Built<Truth, H> {
        self.step(1)?;
        Ok(match formula {
            Formula::Closed(n) => match self.host.truth(*n).map_err(Refusal::Stop)? {
                Some(truth) => Truth::Exact(Claim::known(truth)),
                None => Truth::NEITHER,
            },
            Formula::And(parts) => Truth::and(self.truths(parts)?),
            Formula::Or(parts) => Truth::or(self.truths(parts)?),
            Formula::Not(p) => self.truth(p)?.negated(),
            Formula::Iff(p, q) => {
                let (p, q) = (self.truth(p)?, self.truth(q)?);
                for (known, other) in [(&p, &q), (&q, &p)] {
                    if known.is(true) {
                        return Ok(other.clone());
                    }
                    if known.is(false) {
                        return Ok(other.clone().negated());
                    }
                }
                let (p, q) = (self.reified(p), self.reified(q));
                let same = Truth::and(vec![p.clone(), q.clone()]);
                let both = Truth::and(vec![p.negated(), q.negated()]);
                Truth::or(vec![same, both])
            }
            Formula::If(c, p, q) => {
                let (c, p, q) = (self.truth(c)?, self.truth(p)?, self.truth(q)?);
                let (yes, no) = c.lits(&mut self.poster);
                let choose = |p: Claim, q: Claim| {
                    let (yes, no) = (Claim::Lit(yes), Claim::Lit(no));
                    Claim::or([Claim::and([yes, p]), Claim::and([no, q])])
                };
                let holds = choose(p.clone().holds(), q.clone().holds());
                Truth::apart(holds, choose(p.fails(), q.fails()))
            }
            Formula::Let(bindings, p) => {
                let defined = self.bindings(bindings)?;
                self.truth(p)?.where_defined(defined)
            }
            Formula::Compare(op, a, b) => self.compare(*op, a, b)?,
            Formula::Forall(scope, body) => self.in_all(scope, body)?,
            Formula::Exists(scope, body) => self.in_some(scope, body)?,
            Formula::Partition(whole, parts) => self.partition(whole, parts)?,
            Formula::Otherwise(p, q) => {
                let partly = self.partly;
                match self.attempt(|builder| builder.apart(p))? {
                    Some(truth) => truth,
                    None => {
                        self.partly = partly;
                        self.apart(q)?
                    }
                }
            }
            Formula::Witness(witness) => self.apart(&witness.otherwise)?,
            Formula::Opaque => return Err(Refusal::Opaque),
        })
    }

    /// The same with a literal for each claim, where claims are used more than once.
    pub(super) fn reified(&mut self, truth: Truth) -> Truth {
        let (holds, fails) = truth.lits(&mut self.poster);
        Truth::apart(Claim::Lit(holds), Claim::Lit(fails))
    }

    /// Gives names their values, from the first to the last; when all of them have one.
    pub(super) fn bindings(&mut self, bindings: &'p [(LocalId, Sketch)]) -> Built<Lit, H> {
        let mut all = Vec::new();
        for (local, e) in bindings {
            let meaning = self.term(e)?;
            if let (Term::Closed(_), Object::Known(value)) = (&e.term, &meaning.object) {
                // What mentions it may be closed.
                self.host.bind(*local, value).map_err(Refusal::Stop)?;
            }
            // And it may not be: the name may have been bound to something else before.
            self.objects.insert(*local, meaning.object);
            all.push(meaning.defined);
        }
        Ok(self.poster.and(all))
    }

    fn in_all(&mut self, scope: &'p Scope, body: &'p Formula) -> Built<Truth, H> {
        let (instances, complete) = self.instances(scope, false)?;
        let mut parts = Vec::new();
        for instance in instances {
            self.enter(&instance)?;
            let defined = self.bindings(&scope.given)?;
            let body = self.truth(body)?;
            let part = body.or_not(instance.counts);
            parts.push(part.where_defined(defined));
        }
        let truth = Truth::and(parts);
        self.partly |= !complete;
        Ok(if complete { truth } else { truth.never_holds() })
    }

    fn in_some(&mut self, scope: &'p Scope, body: &'p Formula) -> Built<Truth, H> {
        let (instances, complete) = self.instances(scope, false)?;
        let mut parts = Vec::new();
        for instance in instances {
            self.enter(&instance)?;
            let defined = self.bindings(&scope.given)?;
            let body = self.truth(body)?;
            parts.push(Truth::and(vec![instance.counts, body]).where_defined(defined));
        }
        let truth = Truth::or(parts);
        self.partly |= !complete;
        Ok(if complete { truth } else { truth.never_fails() })
    }

    fn partition(&mut self, whole: &'p Sketch, parts: &'p [Sketch]) -> Built<Truth, H> {
        let all = self.term(whole)?;
        let mut defined = vec![all.defined];
        let mut union: Vec<(Value, Vec<Lit>)> = Vec::new();
        for part in parts {
            let meaning = self.term(part)?;
            defined.push(meaning.defined);
            for (value, lit) in self.candidates(&meaning.object, &part.shape)? {
                match union.binary_search_by(|(v, _)| v.cmp(&value)) {
                    Ok(at) => union[at].1.push(lit),
                    Err(at) => union.insert(at, (value, vec![lit])),
                }
            }
        }
        let mut claims = Vec::new();
        let mut members = Vec::new();
        for (value, lits) in union {
            let mut sum = Linear::constant(-1);
            for lit in &lits {
                let number = self.poster.number(*lit);
                sum = sum.plus(1, &number).ok_or(Refusal::Opaque)?;
            }
            claims.push(Claim::Sum(Relation::AtMost, sum));
            members.push((value, self.poster.or(lits)));
        }
        claims.push(self.equal(&Object::Set(members.into()), &all.object, &whole.shape)?);
        let defined = self.poster.and(defined);
        Ok(Truth::Exact(Claim::and(claims)).where_defined(defined))
    }

    fn compare(&mut self, op: Comparison, a: &'p Sketch, b: &'p Sketch) -> Built<Truth, H> {
        use Comparison::*;
        match op {
            NotEqual => return Ok(self.compare(Equal, a, b)?.negated()),
            NotMember => return Ok(self.compare(Member, a, b)?.negated()),
            NotSubset => return Ok(self.compare(Subset, a, b)?.negated()),
            NotStrictSubset => return Ok(self.compare(StrictSubset, a, b)?.negated()),
            LessReal | LessEqualReal | GreaterReal | GreaterEqualReal => {
                return Err(Refusal::Opaque);
            }
            _ => {}
        }
        if let Some(truth) = self.all_differ(op, a, b)? {
            return Ok(truth);
        }
        if op == Equal
            && let Some((claim, defined)) = self.product_is_zero(a, b)?
        {
            return Ok(Truth::Exact(claim).where_defined(defined));
        }
        let left = self.term(a)?;
        let (claim, right) = match op {
            Equal => {
                let right = self.term(b)?;
                (self.equal(&left.object, &right.object, &a.shape)?, right.defined)
            }
            Member => self.member(&left.object, &a.shape, b)?,
            Subset => self.subset(&left.object, &a.shape, b)?,
            StrictSubset => {
                let right = self.term(b)?;
                let (within, defined) = self.subset(&left.object, &a.shape, b)?;
                let same = self.equal(&left.object, &right.object, &a.shape)?;
                let both = self.poster.and([defined, right.defined]);
                (Claim::and([within, same.negated()]), both)
            }
            _ => {
                let right = self.term(b)?;
                let (x, y) = (&left.object, &right.object);
                let claim = match op {
                    Less => self.at_most(x, y, 1),
                    LessEqual => self.at_most(x, y, 0),
                    Greater => self.at_most(y, x, 1),
                    _ => self.at_most(y, x, 0),
                };
                (claim.ok_or(Refusal::Opaque)?, right.defined)
            }
        };
        let defined = self.poster.and([left.defined, right]);
        Ok(Truth::Exact(claim).where_defined(defined))
    }

    /// `x * y = 0`, on whichever side the 0 is: one of the factors is 0. With when they are defined.
    fn product_is_zero(&mut self, a: &'p Sketch, b: &'p Sketch) -> Built<Option<(Claim, Lit)>, H> {
        for (product, other) in [(a, b), (b, a)] {
            if let (Term::Binary(BinaryOp::Multiply, ..), Term::Closed(_)) =
                (&product.term, &other.term)
                && self.term(other)?.object == Object::Known(Value::Int(0))
            {
                return Ok(Some(self.is_zero(product)?));
            }
        }
        Ok(None)
    }

    fn is_zero(&mut self, e: &'p Sketch) -> Built<(Claim, Lit), H> {
        if let Term::Binary(BinaryOp::Multiply, x, y) = &e.term {
            let ((x, d), (y, e)) = (self.is_zero(x)?, self.is_zero(y)?);
            return Ok((Claim::or([x, y]), self.poster.and([d, e])));
        }
        let Meaning { object, defined } = self.term(e)?;
        Ok((self.equal(&object, &Object::Known(Value::Int(0)), &e.shape)?, defined))
    }

    /// `x : set`, and when the set is defined.
    pub fn member(&mut self, x: &Object, shape: &Shape, set: &'p Sketch) -> Built<(Claim, Lit), H> {
        self.step(1)?;
        let number = || x.as_linear().ok_or(Refusal::Opaque);
        let constant = Linear::constant;
        let limits = self.problem.limits;
        let between = |x: Linear, low: Option<i64>, high: Option<i64>| {
            let low = low.map_or(Some(Claim::TRUE), |low| at_most(&constant(low), &x, 0));
            let high = high.map_or(Some(Claim::TRUE), |high| at_most(&x, &constant(high), 0));
            Some(Claim::and([low?, high?]))
        };
        let sure = |claim: Option<Claim>| Ok((claim.ok_or(Refusal::Opaque)?, Lit::Always));
        match &set.term {
            Term::Universe => Ok((Claim::TRUE, Lit::Always)),
            Term::Basic(basic) => match basic {
                BasicSet::Integer => sure(between(number()?, None, None)),
                BasicSet::Natural => sure(between(number()?, Some(0), None)),
                BasicSet::Natural1 => sure(between(number()?, Some(1), None)),
                BasicSet::Int => sure(between(number()?, Some(limits.0), Some(limits.1))),
                BasicSet::Nat => sure(between(number()?, Some(0), Some(limits.1))),
                BasicSet::Nat1 => sure(between(number()?, Some(1), Some(limits.1))),
                BasicSet::Bool | BasicSet::String | BasicSet::Real => {
                    Ok((Claim::TRUE, Lit::Always))
                }
                BasicSet::Float => Err(Refusal::Opaque),
            },
            Term::Binary(BinaryOp::Interval, low, high) => {
                let (low, high) = (self.term(low)?, self.term(high)?);
                let (from, to) =
                    (self.at_most(&low.object, x, 0), self.at_most(x, &high.object, 0));
                let claim = from.zip(to).map(|(from, to)| Claim::and([from, to]));
                let defined = self.poster.and([low.defined, high.defined]);
                Ok((claim.ok_or(Refusal::Opaque)?, defined))
            }
            Term::Binary(
                op @ (BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference),
                a,
                b,
            ) => {
                let (left, l) = self.member(x, shape, a)?;
                let (right, r) = self.member(x, shape, b)?;
                let claim = match op {
                    BinaryOp::Union => Claim::or([left, right]),
                    BinaryOp::Intersection => Claim::and([left, right]),
                    _ => Claim::and([left, right.negated()]),
                };
                Ok((claim, self.poster.and([l, r])))
            }
            Term::Binary(BinaryOp::Product, a, b) => {
                let Some((left, right)) = self.sides(x, shape)? else {
                    return self.member_of(x, shape, set);
                };
                let (l, r) = shape.sides();
                let (in_left, d) = self.member(&left, &l, a)?;
                let (in_right, e) = self.member(&right, &r, b)?;
                Ok((Claim::and([in_left, in_right]), self.poster.and([d, e])))
            }
            Term::Struct(sets) => {
                let (fields, shapes) = self.fields(x, shape)?;
                let (mut claims, mut defined) = (Vec::new(), Vec::new());
                for ((field, shape), set) in fields.iter().zip(&shapes).zip(sets) {
                    let (claim, d) = self.member(field, shape, set)?;
                    claims.push(claim);
                    defined.push(d);
                }
                Ok((Claim::and(claims), self.poster.and(defined)))
            }
            Term::Unary(op @ (UnaryOp::Pow | UnaryOp::Fin | UnaryOp::Pow1 | UnaryOp::Fin1), of) => {
                let (within, defined) = self.subset(x, shape, of)?;
                if matches!(op, UnaryOp::Pow | UnaryOp::Fin) {
                    return Ok((within, defined));
                }
                let members = self.literals(x, shape)?.into_iter().map(Claim::Lit);
                Ok((Claim::and([within, Claim::or(members)]), defined))
            }
            Term::Unary(op, of) if is_sequences(*op) => self.sequence_in(x, shape, *op, of),
            Term::Binary(op, a, b) if arrow(*op).is_some() => self.arrow_in(x, shape, *op, a, b),
            _ => self.member_of(x, shape, set),
        }
    }

    /// Membership in a set that is pictured itself.
    fn member_of(&mut self, x: &Object, shape: &Shape, set: &'p Sketch) -> Built<(Claim, Lit), H> {
        let Meaning { object, defined } = self.term(set)?;
        Ok((self.is_in(x, shape, &object, &set.shape)?, defined))
    }

    /// `x <: set`.
    pub fn subset(&mut self, x: &Object, shape: &Shape, set: &'p Sketch) -> Built<(Claim, Lit), H> {
        let element = shape.element();
        let items = self.items(x, shape)?;
        let right = match &set.term {
            Term::Basic(_) | Term::Universe => None,
            Term::Unary(op, _) if is_sequences(*op) || is_powers(*op) => None,
            Term::Binary(op, ..) if is_form(*op) => None,
            Term::Struct(_) => None,
            _ => Some(self.term(set)?),
        };
        if let (Object::Known(all), Some(right)) = (x, &right)
            && let Object::Listed(listed) = &right.object
            && self.fill(listed, all, shape)
        {
            let inside = self.lists_within(listed, all, shape)?;
            return Ok((Claim::and(inside), right.defined));
        }
        let (mut claims, mut defined) = (Vec::new(), Vec::new());
        for (lit, item) in items.iter() {
            let (claim, d) = match &right {
                Some(right) => {
                    (self.is_in(item, &element, &right.object, &set.shape)?, right.defined)
                }
                None => self.member(item, &element, set)?,
            };
            claims.push(Claim::Lit(*lit).implies(claim));
            defined.push(d);
        }
        if let (Some(right), true) = (&right, defined.is_empty()) {
            defined.push(right.defined);
        }
        defined.sort_unstable();
        defined.dedup();
        Ok((Claim::and(claims), self.poster.and(defined)))
    }

    /// `x : set`, of objects.
    pub fn is_in(
        &mut self,
        x: &Object,
        shape: &Shape,
        set: &Object,
        sets: &Shape,
    ) -> Built<Claim, H> {
        self.step(1)?;
        match set {
            Object::Known(set) => {
                if let Object::Known(x) = x {
                    return Ok(Claim::known(sets.contains(set, x)));
                }
                if is_scalar(shape) {
                    return self.one_of_numbers(
                        x,
                        shape,
                        sets.members(set).map(|v| (v, Lit::Always)),
                    );
                }
                if let Some(claim) = self.pair_in(x, shape, set, sets)? {
                    return Ok(claim);
                }
                self.is_some(x, shape, sets.members(set).map(|v| (Lit::Always, Object::Known(v))))
            }
            Object::Set(candidates) => {
                if let Object::Known(x) = x {
                    let at = candidates.binary_search_by(|(v, _)| v.cmp(x));
                    return Ok(Claim::Lit(at.map_or(Lit::Never, |at| candidates[at].1)));
                }
                if is_scalar(shape) {
                    return self.one_of_numbers(x, shape, candidates.iter().cloned());
                }
                let items = candidates.iter().map(|(v, lit)| (*lit, Object::Known(v.clone())));
                self.is_some(x, shape, items)
            }
            Object::Function(points) => {
                let items = points.iter().map(|p| {
                    (p.defined, Object::pair(Object::Known(p.at.clone()), p.value.clone()))
                });
                self.is_some(x, shape, items)
            }
            Object::Listed(items) => self.is_some(x, shape, items.iter().cloned()),
            Object::OneOf(var, values) => {
                let mut parts = Vec::new();
                for (i, value) in values.iter().enumerate() {
                    let inside = self.is_in(x, shape, &Object::Known(value.clone()), sets)?;
                    parts.push(Claim::and([Claim::Lit(Lit::Is(*var, i as i64)), inside]));
                }
                Ok(Claim::or(parts))
            }
            _ => Err(Refusal::Opaque),
        }
    }

    /// `x |-> y : set`, of numbers that are not known and a relation that is: as a whole, which says more than
    /// its pairs one by one.
    fn pair_in(
        &mut self,
        pair: &Object,
        shape: &Shape,
        set: &Value,
        sets: &Shape,
    ) -> Built<Option<Claim>, H> {
        let Some((x, y)) = self.sides(pair, shape)? else { return Ok(None) };
        let (left, right) = shape.sides();
        if is_pairs(&left) && is_pairs(&right) {
            return self.pairs_in((&x, &y), shape, set, sets);
        }
        let (Some(x), Some(y)) =
            (scalar(&x, &left, &mut self.poster), scalar(&y, &right, &mut self.poster))
        else {
            return Ok(None);
        };
        let is_open = |sum: &Linear| sum.known().is_none();
        if !is_open(&x) || !is_open(&y) || sets.is_empty(set) {
            return Ok(None);
        }
        let Some(grid) = self.grid(shape, set, sets)? else { return Ok(None) };
        let (Some(x), Some(y)) = (self.poster.variable(&x), self.poster.variable(&y)) else {
            return Ok(None);
        };
        let store = &self.poster.engine.store;
        let short = store.has_bits(x) && store.has_bits(y);
        Ok(short.then_some(Claim::Pair(grid, x, y, true)))
    }

    /// A relation between scalars as a grid; the last one is kept, for it is often asked for again.
    fn grid(&mut self, shape: &Shape, set: &Value, sets: &Shape) -> Built<Option<Rc<Grid>>, H> {
        if let Some((known, grid)) = &self.last_grid
            && known == set
        {
            return Ok(grid.clone());
        }
        self.step(sets.card(set))?;
        let number = number_of;
        let pairs = sets.members(set).map(|pair| {
            let (x, y) = shape.split(&pair);
            number(&x).zip(number(&y))
        });
        let pairs: Option<Vec<(i64, i64)>> = pairs.collect();
        let grid = pairs.and_then(|pairs| Grid::new(&pairs)).map(Rc::new);
        self.last_grid = Some((set.clone(), grid.clone()));
        Ok(grid)
    }

    /// It is equal to one of those whose literals are true.
    fn is_some(
        &mut self,
        x: &Object,
        shape: &Shape,
        items: impl Iterator<Item = (Lit, Object)>,
    ) -> Built<Claim, H> {
        let mut parts = Vec::new();
        for (lit, item) in items {
            let same = self.equal(x, &item, shape)?;
            parts.push(Claim::and([Claim::Lit(lit), same]));
        }
        self.step(parts.len())?;
        Ok(Claim::or(parts))
    }

    /// A scalar is one of these; each has the literal that it may be.
    fn one_of_numbers(
        &mut self,
        x: &Object,
        shape: &Shape,
        of: impl Iterator<Item = (Value, Lit)>,
    ) -> Built<Claim, H> {
        let sum = scalar(x, shape, &mut self.poster).ok_or(Refusal::Opaque)?;
        let var = self.poster.variable(&sum).ok_or(Refusal::Opaque)?;
        let (mut numbers, mut claims) = (Vec::new(), Vec::new());
        for (value, lit) in of {
            // A number that is not told apart is not in the domain of a variable that is.
            let Some(n) = number_of(&value).filter(|n| n.abs() < INFINITE) else {
                return Err(Refusal::Opaque);
            };
            let is = self.poster.simple(Lit::Is(var, n));
            if is == Lit::Never || lit == Lit::Never {
                continue;
            }
            numbers.push(n);
            if lit != Lit::Always {
                claims.push(Claim::Lit(is).implies(Claim::Lit(lit)));
            }
        }
        self.step(numbers.len())?;
        numbers.sort_unstable();
        let (Some(low), Some(high)) = (numbers.first(), numbers.last()) else {
            return Ok(Claim::FALSE);
        };
        if (high - low) as usize + 1 == numbers.len() {
            claims.push(Claim::Lit(self.poster.simple(Lit::Above(var, low - 1))));
            claims.push(Claim::Lit(self.poster.simple(Lit::AtMost(var, *high))));
        } else {
            claims.push(Claim::or(numbers.iter().map(|n| Claim::Lit(Lit::Is(var, *n)))));
        }
        Ok(Claim::and(claims))
    }

    /// `x + by <= y`. Of a number that is far away it is known where the other one has a bound on that side.
    fn at_most(&self, x: &Object, y: &Object, by: i64) -> Option<Claim> {
        let (number, above, truth) = match (far(x), far(y)) {
            (None, None) => return at_most(&x.as_linear()?, &y.as_linear()?, by),
            (None, Some(above)) => (x, above, above),
            (Some(above), None) => (y, above, !above),
            _ => return None,
        };
        let (low, high) = number.as_linear()?.bounds(&self.poster.engine.store);
        let has_bound = if above { high < INFINITE } else { low > -INFINITE };
        has_bound.then_some(Claim::known(truth))
    }

    /// What a comparison asks for that has to hold, if it is one with a number that is far away: such a bound asks nothing
    /// of an unknown that may be any number, since none that is found lies beyond, and that others may is told. Within
    /// other formulas it is not so: what follows from its being false may hold of those.
    pub(in crate::constraint) fn asked_by_far(
        &mut self,
        op: Comparison,
        a: &'p Sketch,
        b: &'p Sketch,
    ) -> Built<Option<Claim>, H> {
        use Comparison::*;
        let parts = match (op, &b.term) {
            (Less, _) => vec![(a, b, 1)],
            (LessEqual, _) => vec![(a, b, 0)],
            (Greater, _) => vec![(b, a, 1)],
            (GreaterEqual, _) => vec![(b, a, 0)],
            (Member, Term::Binary(BinaryOp::Interval, low, high)) => {
                vec![(&**low, a, 0), (a, &**high, 0)]
            }
            _ => return Ok(None),
        };
        let (mut is_far, mut claims) = (false, Vec::new());
        for (x, y, by) in parts {
            let (x, y) = (self.term(x)?, self.term(y)?);
            if x.defined != Lit::Always || y.defined != Lit::Always {
                return Ok(None);
            }
            let open = match (far(&x.object), far(&y.object)) {
                (None, Some(true)) => x.object.as_linear(),
                (Some(false), None) => y.object.as_linear(),
                _ => None,
            };
            match open.and_then(|number| number.as_var()) {
                Some(var) if self.origins.contains_key(&var) => is_far = true,
                _ => claims.push(self.at_most(&x.object, &y.object, by).ok_or(Refusal::Opaque)?),
            }
        }
        Ok(is_far.then(|| Claim::and(claims)))
    }

    /// `a = b`, of objects of one shape.
    pub fn equal(&mut self, a: &Object, b: &Object, shape: &Shape) -> Built<Claim, H> {
        self.step(1)?;
        if a == b {
            return Ok(Claim::TRUE);
        }
        if let (Object::Known(a), Object::Known(b)) = (a, b) {
            return Ok(Claim::known(a == b));
        }
        if let (Object::OneOf(x, xs), Object::OneOf(y, ys)) = (a, b) {
            return self.same_chosen((*x, xs), (*y, ys));
        }
        if let (Object::OneOf(var, values), other) | (other, Object::OneOf(var, values)) = (a, b) {
            let mut parts = Vec::new();
            for (i, value) in values.iter().enumerate() {
                let same = self.equal(&Object::Known(value.clone()), other, shape)?;
                parts.push(Claim::and([Claim::Lit(Lit::Is(*var, i as i64)), same]));
            }
            return Ok(Claim::or(parts));
        }
        if let (Object::Truth(_), _) | (_, Object::Truth(_)) = (a, b) {
            let (a, b) = (a.as_lit().ok_or(Refusal::Opaque)?, b.as_lit().ok_or(Refusal::Opaque)?);
            return Ok(Claim::iff(Claim::Lit(a), Claim::Lit(b)));
        }
        if is_scalar(shape) {
            let x = scalar(a, shape, &mut self.poster).ok_or(Refusal::Opaque)?;
            let y = scalar(b, shape, &mut self.poster).ok_or(Refusal::Opaque)?;
            let sum = x.plus(-1, &y).filter(|s| s.constant.abs() < INFINITE / 2);
            return Ok(Claim::Sum(Relation::Equal, sum.ok_or(Refusal::Opaque)?));
        }
        match shape {
            Shape::Record(_) => {
                let ((xs, shapes), (ys, _)) = (self.fields(a, shape)?, self.fields(b, shape)?);
                let mut parts = Vec::new();
                for ((x, y), shape) in xs.iter().zip(&ys).zip(&shapes) {
                    parts.push(self.equal(x, y, shape)?);
                }
                Ok(Claim::and(parts))
            }
            _ if is_sets(shape) => self.same_sets(a, b, shape),
            _ if !is_pairs(shape) => Err(Refusal::Opaque),
            _ => match (a.sides(shape), b.sides(shape)) {
                (Some((a, b)), Some((c, d))) => {
                    let (l, r) = shape.sides();
                    Ok(Claim::and([self.equal(&a, &c, &l)?, self.equal(&b, &d, &r)?]))
                }
                _ => Err(Refusal::Opaque),
            },
        }
    }
}

pub fn is_sequences(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(op, Seq | Seq1 | Iseq | Iseq1 | Perm)
}

fn is_powers(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(op, Pow | Pow1 | Fin | Fin1)
}

/// Sets that are told by their form, without their members.
fn is_form(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Interval | BinaryOp::Product) || arrow(op).is_some()
}

/// `x + by <= y`.
fn at_most(x: &Linear, y: &Linear, by: i64) -> Option<Claim> {
    let sum = x.plus(-1, y)?.plus(by, &Linear::constant(1))?;
    (sum.constant.abs() < INFINITE / 2).then_some(Claim::Sum(Relation::AtMost, sum))
}
