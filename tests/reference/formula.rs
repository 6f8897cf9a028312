//! Expressions and predicates.

use super::sets::{self, Kind};
use super::value::V;
use super::{Frame, R, Reference, Stop, fault, skip};
use burnside::machine::footprint::Footprint;
use burnside::machine::{
    BasicSet, BinaryOp, Cell, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type,
    UnaryOp,
};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};
use std::collections::BTreeSet;

/// A conjunction (`decisive` false) or disjunction of truths, some of them undefined.
pub fn junction(parts: impl IntoIterator<Item = R<bool>>, decisive: bool) -> R<bool> {
    let mut undefined = None;
    for part in parts {
        match part {
            Ok(t) if t == decisive => return Ok(decisive),
            Ok(_) => {}
            Err(Stop::Fault(why)) => undefined = Some(Stop::Fault(why)),
            Err(stop) => return Err(stop),
        }
    }
    undefined.map_or(Ok(!decisive), Err)
}

pub fn kind_of(op: BinaryOp) -> Option<Kind> {
    use BinaryOp::*;
    let kind = |f, t, s, i| Some(Kind { functional: f, total: t, surjective: s, injective: i });
    match op {
        Relations => kind(false, false, false, false),
        TotalRelations => kind(false, true, false, false),
        SurjectiveRelations => kind(false, false, true, false),
        TotalSurjectiveRelations => kind(false, true, true, false),
        PartialFunctions => kind(true, false, false, false),
        TotalFunctions => kind(true, true, false, false),
        PartialInjections => kind(true, false, false, true),
        TotalInjections => kind(true, true, false, true),
        PartialSurjections => kind(true, false, true, false),
        TotalSurjections => kind(true, true, true, false),
        PartialBijections => kind(true, false, true, true),
        TotalBijections => kind(true, true, true, true),
        _ => None,
    }
}

impl Reference<'_> {
    // ----- predicates

    pub fn truth(&self, p: &Pred, f: &Frame) -> R<bool> {
        self.tick()?;
        match &p.kind {
            PredKind::True => Ok(true),
            PredKind::False => Ok(false),
            PredKind::And(ps) => junction(ps.iter().map(|p| self.truth(p, f)), false),
            PredKind::Or(ps) => junction(ps.iter().map(|p| self.truth(p, f)), true),
            PredKind::Not(p) => Ok(!self.truth(p, f)?),
            PredKind::Implies(p, q) => {
                junction([self.truth(p, f).map(|t| !t), self.truth(q, f)], true)
            }
            PredKind::Iff(p, q) => Ok(self.truth(p, f)? == self.truth(q, f)?),
            PredKind::Compare(op, a, b) => self.compare(*op, a, b, f),
            PredKind::Forall(ids, p, q) => {
                let frames = self.candidates(ids, p, f)?;
                let one =
                    |g: &Frame| junction([self.truth(p, g).map(|t| !t), self.truth(q, g)], true);
                junction(frames.iter().map(one), false)
            }
            PredKind::Exists(ids, p) => {
                let frames = self.candidates(ids, p, f)?;
                junction(frames.iter().map(|g| self.truth(p, g)), true)
            }
            PredKind::If(c, p, q) => {
                if self.truth(c, f)? {
                    self.truth(p, f)
                } else {
                    self.truth(q, f)
                }
            }
            PredKind::Let(bindings, p) => self.truth(p, &self.bound(bindings, f)?),
            PredKind::Finite(e) => match self.is_infinite(e) {
                true => Ok(false),
                false => self.eval(e, f).map(|_| true),
            },
            PredKind::Partition(whole, parts) => {
                let whole = self.eval(whole, f)?;
                let parts = parts.iter().map(|p| self.eval(p, f)).collect::<R<Vec<_>>>()?;
                let count: usize = parts.iter().map(|p| p.items().len()).sum();
                let all = parts.iter().fold(V::set([]), |all, p| sets::union(&all, p));
                Ok(all == whole && count == whole.items().len())
            }
        }
    }

    pub fn bound(&self, bindings: &[(LocalId, Expr)], f: &Frame) -> R<Frame> {
        let mut g = f.clone();
        for (id, e) in bindings {
            let v = self.eval(e, &g)?;
            g.locals.insert(*id, v);
        }
        Ok(g)
    }

    fn compare(&self, op: Comparison, a: &Expr, b: &Expr, f: &Frame) -> R<bool> {
        use Comparison::*;
        Ok(match op {
            Equal | NotEqual => {
                let equal = match (self.is_infinite(a), self.is_infinite(b)) {
                    (false, false) => self.eval(a, f)? == self.eval(b, f)?,
                    (true, true) if a.kind == b.kind => true,
                    (true, true) => return skip("two infinite sets"),
                    (true, false) => self.eval(b, f).map(|_| false)?,
                    (false, true) => self.eval(a, f).map(|_| false)?,
                };
                equal == (op == Equal)
            }
            Member | NotMember => {
                let x = self.eval(a, f)?;
                self.member(&x, b, f)? == (op == Member)
            }
            Subset | NotSubset => self.subset(a, b, f)? == (op == Subset),
            StrictSubset | NotStrictSubset => {
                let equal = self.compare(NotEqual, a, b, f);
                junction([self.subset(a, b, f), equal], false)? == (op == StrictSubset)
            }
            Less => self.eval(a, f)?.big() < self.eval(b, f)?.big(),
            LessEqual => self.eval(a, f)?.big() <= self.eval(b, f)?.big(),
            Greater => self.eval(a, f)?.big() > self.eval(b, f)?.big(),
            GreaterEqual => self.eval(a, f)?.big() >= self.eval(b, f)?.big(),
            LessReal => self.eval(a, f)?.real() < self.eval(b, f)?.real(),
            LessEqualReal => self.eval(a, f)?.real() <= self.eval(b, f)?.real(),
            GreaterReal => self.eval(a, f)?.real() > self.eval(b, f)?.real(),
            GreaterEqualReal => self.eval(a, f)?.real() >= self.eval(b, f)?.real(),
        })
    }

    /// `x : set`.
    pub fn member(&self, x: &V, set: &Expr, f: &Frame) -> R<bool> {
        use BinaryOp::*;
        let zero = BigInt::zero();
        Ok(match &set.kind {
            ExprKind::Basic(basic) => match basic {
                BasicSet::Natural => *x.big() >= zero,
                BasicSet::Natural1 => *x.big() > zero,
                BasicSet::Int => *x.big() >= self.min && *x.big() <= self.max,
                BasicSet::Nat => *x.big() >= zero && *x.big() <= self.max,
                BasicSet::Nat1 => *x.big() > zero && *x.big() <= self.max,
                _ => true,
            },
            ExprKind::Carrier(_) => true,
            ExprKind::Binary(Interval, a, b) => {
                let (a, b) = (self.eval(a, f)?, self.eval(b, f)?);
                a.big() <= x.big() && x.big() <= b.big()
            }
            ExprKind::Binary(Union, a, b) => {
                return junction([self.member(x, a, f), self.member(x, b, f)], true);
            }
            ExprKind::Binary(Intersection, a, b) => {
                return junction([self.member(x, a, f), self.member(x, b, f)], false);
            }
            ExprKind::Binary(Difference, a, b) => {
                let outside = self.member(x, b, f).map(|t| !t);
                return junction([self.member(x, a, f), outside], false);
            }
            ExprKind::Binary(Product, a, b) => {
                let (l, r) = x.sides();
                return junction([self.member(l, a, f), self.member(r, b, f)], false);
            }
            ExprKind::Unary(
                op @ (UnaryOp::Pow | UnaryOp::Fin | UnaryOp::Pow1 | UnaryOp::Fin1),
                of,
            ) => {
                let nonempty = matches!(op, UnaryOp::Pow1 | UnaryOp::Fin1);
                let inside = self.includes(x, of, f);
                return junction([Ok(!nonempty || !x.items().is_empty()), inside], false);
            }
            ExprKind::Unary(
                op
                @ (UnaryOp::Seq | UnaryOp::Seq1 | UnaryOp::Iseq | UnaryOp::Iseq1 | UnaryOp::Perm),
                of,
            ) => {
                let Some(items) = sets::items(x) else { return Ok(false) };
                let distinct = items.iter().collect::<BTreeSet<_>>().len() == items.len();
                let fits = match op {
                    UnaryOp::Seq => true,
                    UnaryOp::Seq1 => !items.is_empty(),
                    UnaryOp::Iseq => distinct,
                    UnaryOp::Iseq1 => distinct && !items.is_empty(),
                    _ => distinct && self.eval(of, f)? == V::set(items.iter().cloned()),
                };
                let inside = items.iter().map(|i| self.member(i, of, f));
                return junction(inside.chain([Ok(fits)]), false);
            }
            ExprKind::Binary(op, a, b) if kind_of(*op).is_some() => {
                let kind = kind_of(*op).expect("an arrow");
                let in_a = self.includes(&sets::dom(x), a, f)?;
                let in_b = self.includes(&sets::ran(x), b, f)?;
                let total = !kind.total || !self.is_infinite(a) && self.eval(a, f)? == sets::dom(x);
                let onto =
                    !kind.surjective || !self.is_infinite(b) && self.eval(b, f)? == sets::ran(x);
                kind.holds(x) && in_a && in_b && total && onto
            }
            ExprKind::Comprehension(ids, p) => return self.truth(p, &self.tuple(ids, x, f)),
            ExprKind::Fold(Fold::Lambda, ids, p, body) => {
                let (argument, result) = x.sides();
                let g = self.tuple(ids, argument, f);
                self.truth(p, &g)? && self.eval(body, &g)? == *result
            }
            ExprKind::Struct(fields) => {
                let V::Rec(values) = x else { panic!("not a record: {x:?}") };
                let parts = fields.iter().zip(values).map(|(s, v)| self.member(v, s, f));
                return junction(parts, false);
            }
            ExprKind::If(c, a, b) => {
                return if self.truth(c, f)? { self.member(x, a, f) } else { self.member(x, b, f) };
            }
            _ => sets::has(&self.eval(set, f)?, x),
        })
    }

    fn tuple(&self, ids: &[LocalId], x: &V, f: &Frame) -> Frame {
        let mut g = f.clone();
        let mut rest = x.clone();
        for id in ids[1..].iter().rev() {
            let (l, r) = (rest.sides().0.clone(), rest.sides().1.clone());
            g.locals.insert(*id, r);
            rest = l;
        }
        g.locals.insert(ids[0], rest);
        g
    }

    /// `a <: b`
    fn subset(&self, a: &Expr, b: &Expr, f: &Frame) -> R<bool> {
        if self.is_infinite(a) {
            return if a.kind == b.kind { Ok(true) } else { skip("an infinite subset") };
        }
        let a = self.eval(a, f)?;
        self.includes(&a, b, f)
    }

    /// Whether all of a set are members of a set expression.
    fn includes(&self, a: &V, b: &Expr, f: &Frame) -> R<bool> {
        match self.eval(b, f) {
            Ok(b) => Ok(a.items().is_subset(b.items())),
            Err(_) if is_symbolic(b) => {
                junction(a.items().iter().map(|x| self.member(x, b, f)), false)
            }
            Err(stop) => Err(stop),
        }
    }

    pub fn is_infinite(&self, e: &Expr) -> bool {
        use UnaryOp::*;
        let inf = |e: &Expr| self.is_infinite(e);
        match &e.kind {
            ExprKind::Basic(b) => {
                !matches!(b, BasicSet::Bool | BasicSet::Int | BasicSet::Nat | BasicSet::Nat1)
            }
            ExprKind::Unary(Pow | Pow1 | Fin | Fin1 | Iseq | Iseq1 | Id, a) => inf(a),
            ExprKind::Unary(Seq | Seq1, _) => true,
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Product, a, b) => inf(a) || inf(b),
            ExprKind::Binary(BinaryOp::Intersection, a, b) => inf(a) && inf(b),
            ExprKind::Binary(BinaryOp::Difference, a, b) => inf(a) && !inf(b),
            ExprKind::Binary(op, a, b) => kind_of(*op).is_some() && (inf(a) || inf(b)),
            ExprKind::Struct(fields) => fields.iter().any(inf),
            _ => false,
        }
    }

    // ----- quantification

    /// All frames with values for these locals that can matter to the predicate: where a conjunct
    /// says `x : S`, `x <: S` or `x = e` without mentioning locals that are still free, the others
    /// are left out since they make it false; otherwise all values of the type.
    pub fn candidates(&self, ids: &[LocalId], p: &Pred, f: &Frame) -> R<Vec<Frame>> {
        let Some((id, rest)) = self.next_local(ids, p, f) else { return Ok(vec![f.clone()]) };
        let mut out = Vec::new();
        for v in self.values_of(id, &rest, p, f)? {
            let mut g = f.clone();
            g.locals.insert(id, v);
            out.extend(self.candidates(&rest, p, &g)?);
            if out.len() > 4_000 {
                return skip("too many candidates");
            }
        }
        Ok(out)
    }

    /// A local whose values follow from what is bound, if there is one.
    fn next_local(&self, ids: &[LocalId], p: &Pred, f: &Frame) -> Option<(LocalId, Vec<LocalId>)> {
        let without = |id: &LocalId| ids.iter().copied().filter(|i| i != id).collect::<Vec<_>>();
        let bound = |id: &&LocalId| matches!(self.range_of(**id, &without(id), p, f), Ok(Some(_)));
        let id = ids.iter().find(bound).or(ids.first())?;
        Some((*id, without(id)))
    }

    fn values_of(&self, id: LocalId, free: &[LocalId], p: &Pred, f: &Frame) -> R<Vec<V>> {
        match self.range_of(id, free, p, f)? {
            Some(values) => Ok(values),
            None => self.all(&self.machine.local(id).ty),
        }
    }

    fn range_of(&self, id: LocalId, free: &[LocalId], p: &Pred, f: &Frame) -> R<Option<Vec<V>>> {
        let is_it = |e: &Expr| e.kind == ExprKind::Local(id);
        let closed = |e: &Expr| {
            let locals = Footprint::of_expr(e).locals;
            !locals.contains(&id) && free.iter().all(|l| !locals.contains(l))
        };
        for conjunct in p.conjuncts() {
            let PredKind::Compare(op, a, b) = &conjunct.kind else { continue };
            let found = match op {
                Comparison::Member if is_it(a) && closed(b) => {
                    self.eval(b, f).map(|s| sets::list(&s))
                }
                Comparison::Subset if is_it(a) && closed(b) => {
                    self.eval(b, f).and_then(|s| sets::subsets(&sets::list(&s)))
                }
                Comparison::Equal if is_it(a) && closed(b) => self.eval(b, f).map(|v| vec![v]),
                Comparison::Equal if is_it(b) && closed(a) => self.eval(a, f).map(|v| vec![v]),
                _ => continue,
            };
            match found {
                Ok(values) => return Ok(Some(values)),
                // What an undefined conjunct says nothing of may be any integer.
                Err(_) if self.machine.local(id).ty == Type::Integer => self.wide.set(true),
                Err(_) => {}
            }
        }
        Ok(None)
    }

    /// All solutions. An undefined candidate is an error.
    pub fn solutions(&self, ids: &[LocalId], p: &Pred, f: &Frame) -> R<Vec<Frame>> {
        let mut out = Vec::new();
        let mut undefined = None;
        for g in self.candidates(ids, p, f)? {
            match self.truth(p, &g) {
                Ok(true) => out.push(g),
                Ok(false) => {}
                Err(Stop::Fault(why)) => undefined = Some(Stop::Fault(why)),
                Err(stop) => return Err(stop),
            }
        }
        undefined.map_or(Ok(out), Err)
    }

    fn tuple_value(&self, ids: &[LocalId], f: &Frame) -> V {
        let mut values = ids.iter().map(|id| f.locals[id].clone());
        let first = values.next().expect("at least one local");
        values.fold(first, V::pair)
    }

    // ----- expressions

    pub fn eval(&self, e: &Expr, f: &Frame) -> R<V> {
        self.tick()?;
        Ok(match &e.kind {
            ExprKind::Integer(n) => self.integer(n.clone()),
            ExprKind::Real(r) => V::from_real(*r),
            ExprKind::Bool(b) => V::Bool(*b),
            ExprKind::String(s) => V::Str(s.to_string()),
            ExprKind::Element(s, i) => V::Elem(s.0, *i),
            ExprKind::Carrier(_) => V::set(self.all(e.ty.element().expect("a set"))?),
            ExprKind::Basic(b) => match b {
                BasicSet::Bool => V::set([V::Bool(false), V::Bool(true)]),
                BasicSet::Int => V::set(sets::interval(&self.min, &self.max)),
                BasicSet::Nat => V::set(sets::interval(&BigInt::zero(), &self.max)),
                BasicSet::Nat1 => V::set(sets::interval(&BigInt::from(1), &self.max)),
                _ => return skip("an infinite set"),
            },
            ExprKind::MaxInt => V::Int(self.max.clone()),
            ExprKind::MinInt => V::Int(self.min.clone()),
            ExprKind::Constant(id) => f.constants[id.0 as usize].clone(),
            ExprKind::Variable(id) => self.read(Cell::Variable(*id), f)?,
            ExprKind::Local(id) => self.read(Cell::Local(*id), f)?,
            ExprKind::Empty => V::set([]),
            ExprKind::Unary(op, a) => self.unary(*op, a, f)?,
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, f)?,
            ExprKind::SetExtension(items) => V::set(self.values(items, f)?),
            ExprKind::Sequence(items) => sets::sequence(self.values(items, f)?),
            ExprKind::Comprehension(ids, p) => {
                let found = self.solutions(ids, p, f)?;
                V::set(found.iter().map(|g| self.tuple_value(ids, g)))
            }
            // Which of several best ones is not said.
            ExprKind::Fold(Fold::Greatest | Fold::Least, ..) => return skip("the best solution"),
            ExprKind::Fold(op, ids, p, body) => {
                let found = self.solutions(ids, p, f)?;
                let values = found.iter().map(|g| self.eval(body, g)).collect::<R<Vec<_>>>()?;
                match op {
                    Fold::Sigma | Fold::Pi => {
                        let mut total = BigInt::from(if *op == Fold::Sigma { 0 } else { 1 });
                        for v in &values {
                            match (op, v) {
                                (_, V::Real(_)) => return skip("a sum of reals"),
                                (Fold::Sigma, v) => total += v.big(),
                                (_, v) => total *= v.big(),
                            }
                        }
                        self.integer(total)
                    }
                    Fold::Union => values.iter().fold(V::set([]), |all, s| sets::union(&all, s)),
                    Fold::Inter => return intersection(&values),
                    Fold::Image => V::set(values),
                    Fold::Greatest | Fold::Least => unreachable!("these were skipped"),
                    Fold::Lambda => {
                        sets::relation(found.iter().map(|g| self.tuple_value(ids, g)).zip(values))
                    }
                }
            }
            ExprKind::BoolOf(p) => V::Bool(self.truth(p, f)?),
            ExprKind::Record(fields) => V::Rec(self.values(fields, f)?),
            ExprKind::Struct(fields) => {
                let sets = self.values(fields, f)?;
                V::set(sets::records(&sets.iter().map(sets::list).collect::<Vec<_>>()))
            }
            ExprKind::Field(r, i) => match self.eval(r, f)? {
                V::Rec(values) => values[*i].clone(),
                other => panic!("not a record: {other:?}"),
            },
            ExprKind::If(c, a, b) => {
                return if self.truth(c, f)? { self.eval(a, f) } else { self.eval(b, f) };
            }
            ExprKind::Let(bindings, body) => self.eval(body, &self.bound(bindings, f)?)?,
            ExprKind::Freetype { of, made, .. } => V::set(self.made(*of, *made)?),
            ExprKind::Construct(_, number, argument) => {
                let argument = argument.as_ref().map(|x| self.eval(x, f)).transpose()?;
                V::Free(*number, argument.map(Box::new))
            }
            ExprKind::Destruct(_, number, x) => match self.eval(x, f)? {
                V::Free(made, Some(argument)) if made == *number => *argument,
                _ => return fault("made by another constructor"),
            },
            ExprKind::Symbolic(..) | ExprKind::Tree(..) | ExprKind::External(..) => {
                return skip("not compared");
            }
        })
    }

    fn values(&self, es: &[Expr], f: &Frame) -> R<Vec<V>> {
        es.iter().map(|e| self.eval(e, f)).collect()
    }

    fn unary(&self, op: UnaryOp, a: &Expr, f: &Frame) -> R<V> {
        use UnaryOp::*;
        let v = self.eval(a, f)?;
        let items = |v: &V| match sets::items(v) {
            Some(items) => Ok(items),
            None => fault("not a sequence"),
        };
        let some = |v: &V| match items(v)? {
            items if items.is_empty() => fault("empty sequence"),
            items => Ok(items),
        };
        Ok(match op {
            Negate => self.integer(-v.big()),
            NegateReal => V::from_real(-v.real()),
            Inverse => sets::relation(sets::pairs(&v).into_iter().map(|(x, y)| (y, x))),
            Pow | Fin => V::set(sets::subsets(&sets::list(&v))?),
            Pow1 | Fin1 => V::set(
                sets::subsets(&sets::list(&v))?.into_iter().filter(|s| !s.items().is_empty()),
            ),
            Card => V::int(v.items().len() as i64),
            Dom => sets::dom(&v),
            Ran => sets::ran(&v),
            Id => sets::identity(&v),
            Union => v.items().iter().fold(V::set([]), |all, s| sets::union(&all, s)),
            Inter => return intersection(&sets::list(&v)),
            Max => match v.items().last() {
                Some(m) => m.clone(),
                None => return fault("max of empty"),
            },
            Min => match v.items().first() {
                Some(m) => m.clone(),
                None => return fault("min of empty"),
            },
            MaxReal | MinReal => return skip("reals"),
            ToReal => V::from_real(v.big().to_f64().unwrap_or(f64::INFINITY)),
            Floor => V::Int(BigInt::from_f64(v.real().floor()).expect("finite")),
            Ceiling => V::Int(BigInt::from_f64(v.real().ceil()).expect("finite")),
            First => v.sides().0.clone(),
            Second => v.sides().1.clone(),
            Closure => unreachable!("the typed machine has `closure1(r) \\/ id(T)`"),
            Closure1 => sets::closure1(&v),
            Fnc => sets::relation(sets::list(&sets::dom(&v)).into_iter().map(|x| {
                let ys = sets::pairs(&v).into_iter().filter(|(a, _)| *a == x).map(|(_, b)| b);
                let ys = V::set(ys);
                (x, ys)
            })),
            Rel => sets::relation(
                sets::pairs(&v)
                    .into_iter()
                    .flat_map(|(x, ys)| sets::list(&ys).into_iter().map(move |y| (x.clone(), y))),
            ),
            Seq | Seq1 => return skip("an infinite set"),
            Iseq => V::set(sets::injective(&v)?.into_iter().map(sets::sequence)),
            Iseq1 => V::set(
                sets::injective(&v)?.into_iter().filter(|s| !s.is_empty()).map(sets::sequence),
            ),
            Perm => {
                let n = v.items().len();
                V::set(
                    sets::injective(&v)?.into_iter().filter(|s| s.len() == n).map(sets::sequence),
                )
            }
            Size => V::int(items(&v)?.len() as i64),
            Reverse => sets::sequence(items(&v)?.into_iter().rev()),
            Conc => {
                let mut all = Vec::new();
                for s in items(&v)? {
                    all.extend(items(&s)?);
                }
                sets::sequence(all)
            }
            SeqFirst => some(&v)?[0].clone(),
            SeqLast => some(&v)?.pop().expect("not empty"),
            Front => {
                let mut s = some(&v)?;
                s.pop();
                sets::sequence(s)
            }
            Tail => sets::sequence(some(&v)?.into_iter().skip(1)),
        })
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, f: &Frame) -> R<V> {
        use BinaryOp::*;
        // The argument alone decides how far an infinite function is looked at.
        if op == Apply
            && let ExprKind::Fold(Fold::Lambda, ids, p, body) = &a.kind
        {
            let x = self.eval(b, f)?;
            let g = self.tuple(ids, &x, f);
            return if self.truth(p, &g)? {
                self.eval(body, &g)
            } else {
                fault("outside the domain")
            };
        }
        if op == Image
            && let ExprKind::Fold(Fold::Lambda, ids, p, body) = &a.kind
        {
            let mut out = BTreeSet::new();
            for x in self.eval(b, f)?.items() {
                let g = self.tuple(ids, x, f);
                if self.truth(p, &g)? {
                    out.insert(self.eval(body, &g)?);
                }
            }
            return Ok(V::Set(out));
        }
        if let Intersection | Difference = op
            && self.is_infinite(b)
        {
            let mut out = BTreeSet::new();
            for x in self.eval(a, f)?.items() {
                if self.member(x, b, f)? == (op == Intersection) {
                    out.insert(x.clone());
                }
            }
            return Ok(V::Set(out));
        }
        let (x, y) = (self.eval(a, f)?, self.eval(b, f)?);
        let items = |v: &V| match sets::items(v) {
            Some(items) => Ok(items),
            None => fault("not a sequence"),
        };
        let keep = |r: &V, test: &dyn Fn(&V, &V) -> bool| {
            sets::relation(sets::pairs(r).into_iter().filter(|(x, y)| test(x, y)))
        };
        Ok(match op {
            Pair => V::pair(x, y),
            Add => self.integer(x.big() + y.big()),
            Subtract => self.integer(x.big() - y.big()),
            Multiply => self.integer(x.big() * y.big()),
            Divide if y.big().is_zero() => return fault("division by zero"),
            Divide => {
                let magnitude = x.big().abs().div_floor(&y.big().abs());
                let negative = x.big().is_negative() != y.big().is_negative();
                self.integer(if negative { -magnitude } else { magnitude })
            }
            Modulo if x.big().is_negative() || !y.big().is_positive() => return fault("mod"),
            Modulo => self.integer(x.big() - y.big() * (x.big() / y.big())),
            Power if y.big().is_negative() => return fault("negative exponent"),
            Power => {
                let mut product = BigInt::from(1);
                for _ in 0..y.big().to_u32().unwrap_or(0) {
                    product *= x.big();
                }
                self.integer(product)
            }
            Interval => {
                if (y.big() - x.big()) > BigInt::from(1000) {
                    return skip("a large interval");
                }
                V::set(sets::interval(x.big(), y.big()))
            }
            AddReal => V::from_real(x.real() + y.real()),
            SubtractReal => V::from_real(x.real() - y.real()),
            MultiplyReal => V::from_real(x.real() * y.real()),
            DivideReal if y.real() == 0.0 => return fault("division by zero"),
            DivideReal => V::from_real(x.real() / y.real()),
            PowerReal => return skip("a power of reals"),
            Union => sets::union(&x, &y),
            Intersection => V::Set(x.items().intersection(y.items()).cloned().collect()),
            Difference => V::Set(x.items().difference(y.items()).cloned().collect()),
            Product => V::set(sets::product(&sets::list(&x), &sets::list(&y))),
            Compose => sets::compose(&x, &y),
            ParallelProduct => V::set(sets::pairs(&x).into_iter().flat_map(|(a, b)| {
                sets::pairs(&y)
                    .into_iter()
                    .map(move |(c, d)| V::pair(V::pair(a.clone(), c), V::pair(b.clone(), d)))
            })),
            DirectProduct => {
                let mut out = BTreeSet::new();
                for (p, q) in sets::pairs(&x) {
                    for (r, s) in sets::pairs(&y) {
                        if p == r {
                            out.insert(V::pair(p.clone(), V::pair(q.clone(), s)));
                        }
                    }
                }
                V::Set(out)
            }
            Override => sets::overriding(&x, &y),
            DomainRestrict => keep(&y, &|l, _| sets::has(&x, l)),
            DomainSubtract => keep(&y, &|l, _| !sets::has(&x, l)),
            RangeRestrict => keep(&x, &|_, r| sets::has(&y, r)),
            RangeSubtract => keep(&x, &|_, r| !sets::has(&y, r)),
            Image => sets::ran(&keep(&x, &|l, _| sets::has(&y, l))),
            Apply => sets::apply(&x, &y)?,
            Iterate => {
                if y.big().is_negative() {
                    return fault("negative iteration");
                }
                let Some(turns) = y.big().to_u32().filter(|n| *n > 0) else {
                    return skip("no iteration, or more than can be counted");
                };
                (1..turns).fold(x.clone(), |r, _| sets::compose(&r, &x))
            }
            Projection1 | Projection2 => sets::relation(
                sets::product(&sets::list(&x), &sets::list(&y)).into_iter().map(|p| {
                    let (l, r) = (p.sides().0.clone(), p.sides().1.clone());
                    (p, if op == Projection1 { l } else { r })
                }),
            ),
            Concat => sets::sequence(items(&x)?.into_iter().chain(items(&y)?)),
            Prepend => sets::sequence([x].into_iter().chain(items(&y)?)),
            Append => sets::sequence(items(&x)?.into_iter().chain([y])),
            Take | Drop => {
                let s = items(&x)?;
                let Some(n) = y.big().to_usize().filter(|n| *n <= s.len()) else {
                    return fault("outside the sequence");
                };
                sets::sequence(if op == Take { s[..n].to_vec() } else { s[n..].to_vec() })
            }
            _ => {
                let kind = kind_of(op).expect("an arrow");
                V::set(kind.all(&x, &y)?)
            }
        })
    }
}

/// Sets that are tested member by member rather than built: there the empty set is a subset even
/// if some part is undefined.
fn is_symbolic(set: &Expr) -> bool {
    use BinaryOp::*;
    use UnaryOp::*;
    match &set.kind {
        ExprKind::Basic(_)
        | ExprKind::Comprehension(..)
        | ExprKind::Struct(_)
        | ExprKind::Fold(Fold::Lambda, ..) => true,
        ExprKind::Unary(Pow | Pow1 | Fin | Fin1 | Seq | Seq1 | Iseq | Iseq1 | Perm, _) => true,
        ExprKind::Binary(Interval | Product | BinaryOp::Union | Intersection | Difference, ..) => {
            true
        }
        ExprKind::Binary(op, ..) => kind_of(*op).is_some(),
        ExprKind::If(_, a, b) => is_symbolic(a) || is_symbolic(b),
        _ => false,
    }
}

fn intersection(sets: &[V]) -> R<V> {
    let Some((first, rest)) = sets.split_first() else { return fault("inter of empty") };
    let common = first.items().iter().filter(|x| rest.iter().all(|s| sets::has(s, x)));
    Ok(V::set(common.cloned()))
}
