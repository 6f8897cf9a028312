//! Relations that are told by a description: what they have at a point, without being built.

use super::described::images;
use super::symbolic::not_decided;
use crate::eval::compile::{Compiler, Undefined};
use crate::lower::code::{Binder, Code, TestFn};
use crate::lower::description::{Graph, Iterations};
use crate::lower::env::{Env, Flow};
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::{BinaryOp, Expr, ExprKind, Fold, UnaryOp};
use crate::value::{Shape, Value, relation};
use num_traits::Signed;
use rustc_hash::FxHashSet;

/// Most points that are reached from one along a relation that is not built.
const LONGEST_CHAIN: usize = 1 << 20;

impl Compiler<'_> {
    /// How to look at single points of a relation that should not be built.
    pub(in crate::eval) fn points_of(&self, relation: &Expr) -> Option<Graph> {
        if self.is_buildable(relation) { None } else { self.graph(relation) }
    }

    pub(in crate::eval) fn is_buildable(&self, relation: &Expr) -> bool {
        use BinaryOp::*;
        match &relation.kind {
            ExprKind::Binary(Union | Override | Compose, a, b) => {
                self.is_buildable(a) && self.is_buildable(b)
            }
            // The finite side tells which of the others there are.
            ExprKind::Binary(Intersection, a, b) => self.is_buildable(a) || self.is_buildable(b),
            ExprKind::Binary(DirectProduct | ParallelProduct, a, b) => {
                self.is_buildable(a) && self.is_buildable(b)
            }
            ExprKind::Binary(Difference, r, _) => self.is_buildable(r),
            // Of no times it is the identity on the type.
            ExprKind::Binary(Iterate, r, n) => {
                let is_some = matches!(&n.kind, ExprKind::Integer(n) if n.is_positive());
                let elements = || self.shape(&r.ty).element().sides().0;
                self.is_buildable(r) && (is_some || elements().is_finite())
            }
            ExprKind::Unary(UnaryOp::Closure1, r)
            | ExprKind::Binary(DomainRestrict | DomainSubtract, _, r)
            | ExprKind::Binary(RangeRestrict | RangeSubtract, r, _) => self.is_buildable(r),
            ExprKind::Fold(Fold::Lambda, ..) => false,
            ExprKind::Binary(Product, ..) => !self.is_infinite(relation),
            ExprKind::Comprehension(..) | ExprKind::Fold(..) => !self.is_open(relation),
            _ => !self.may_be_symbolic(relation),
        }
    }

    /// `r(x)`, of a relation that is told by its points.
    pub(in crate::eval) fn apply_at(&self, graph: Graph, x: &Expr, e: &Expr) -> Code {
        let (span, operand, x) = (e.span, self.operand(x), self.kept(x));
        self.finish(&self.shape(&e.ty), move |env| {
            let x = x(env)?;
            let kind = match graph.at(env, &x)?.as_deref() {
                Some([v]) => return Ok(v.clone()),
                Some([]) => FaultKind::OutsideDomain,
                Some(_) => FaultKind::NotFunctional,
                None => return Err(not_decided(env, span)),
            };
            Err(env.fault(kind, span, [(&operand, x)]))
        })
    }

    /// `x : dom(r)`, of a relation that is told by its points.
    pub(in crate::eval) fn domain_at(&self, graph: Graph, r: &Expr) -> TestFn {
        let span = r.span;
        Box::new(move |env, x| match graph.has(env, x)? {
            Some(truth) => Ok(truth),
            None => Err(not_decided(env, span)),
        })
    }

    /// Whether a relation is made of others, of which one is not built, and has no other form that tells its pairs.
    pub(in crate::eval) fn is_stepped(&self, r: &Expr) -> bool {
        use BinaryOp::{Compose, DirectProduct, Iterate, ParallelProduct};
        let made = match &r.kind {
            ExprKind::Unary(op, _) => *op == UnaryOp::Closure1,
            ExprKind::Binary(op, ..) => {
                matches!(op, Iterate | Compose | DirectProduct | ParallelProduct)
            }
            _ => false,
        };
        made && !self.is_buildable(r)
    }

    /// `x |-> y : r`, of such a relation.
    pub(in crate::eval) fn pair_at(&self, r: &Expr) -> Option<TestFn> {
        let graph = if self.is_stepped(r) { self.graph(r)? } else { return None };
        let (pairs, span) = (self.shape(&r.ty).element(), r.span);
        Some(Box::new(move |env, pair| {
            let (x, y) = pairs.split(pair);
            graph.joins(env, &x, &y)?.ok_or_else(|| not_decided(env, span))
        }))
    }

    /// `r[s]`, of a relation that is told by its points.
    pub(in crate::eval) fn image_at(&self, graph: Graph, s: &Expr, e: &Expr) -> Code {
        let (span, set, out) = (e.span, self.shape(&s.ty), self.shape(&e.ty));
        let s = self.value(s);
        self.finish(&out.clone(), move |env| {
            let s = s(env)?;
            let mut items = Vec::new();
            for x in set.members(&s) {
                env.tick()?;
                match graph.at(env, &x)? {
                    Some(found) => items.extend(found),
                    None => return Err(not_decided(env, span)),
                }
            }
            Ok(out.collect(items))
        })
    }

    /// How to look at single points of a relation; `None` where it must be built.
    pub(in crate::eval) fn graph(&self, relation: &Expr) -> Option<Graph> {
        let sides = |a: &Expr, b: &Expr| Some((Box::new(self.graph(a)?), Box::new(self.graph(b)?)));
        Some(match &relation.kind {
            ExprKind::Fold(Fold::Lambda, locals, pred, body) => Graph::Lambda {
                binder: Binder::tuple(&self.slots(locals)),
                pred: self.pred(pred),
                body: self.kept(body),
            },
            ExprKind::Comprehension(locals, pred) => {
                let (last, given @ [_, ..]) = locals.split_last()? else { return None };
                Graph::Solutions {
                    binder: Binder::tuple(&self.slots(given)),
                    each: self.solve(&[*last], pred, Undefined::Fault),
                    last: self.slot(*last),
                }
            }
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                let (a, b) = sides(a, b)?;
                Graph::Union(a, b)
            }
            ExprKind::Binary(BinaryOp::Override, a, b) => {
                let (a, b) = sides(a, b)?;
                Graph::Override(a, b)
            }
            ExprKind::Binary(BinaryOp::Compose, a, b) => {
                let (a, b) = sides(a, b)?;
                Graph::Compose(a, b)
            }
            ExprKind::Binary(op @ (BinaryOp::DomainRestrict | BinaryOp::DomainSubtract), s, r) => {
                let keeps = *op == BinaryOp::DomainRestrict;
                Graph::Domain(self.member_test(s), keeps, Box::new(self.graph(r)?))
            }
            ExprKind::Binary(op @ (BinaryOp::RangeRestrict | BinaryOp::RangeSubtract), r, s) => {
                let keeps = *op == BinaryOp::RangeRestrict;
                Graph::Range(self.member_test(s), keeps, Box::new(self.graph(r)?))
            }
            ExprKind::Unary(UnaryOp::Closure1, r) => Graph::Closure(Box::new(self.graph(r)?)),
            ExprKind::Binary(BinaryOp::Iterate, r, n) => {
                let (times, span, operand) = (self.value(n), relation.span, self.operand(n));
                Graph::Iterate(Box::new(self.graph(r)?), Iterations { times, span, operand })
            }
            ExprKind::Binary(op @ (BinaryOp::Intersection | BinaryOp::Difference), r, others) => {
                let (pairs, test) = (self.shape(&r.ty).element(), self.member_test(others));
                let keeps = *op == BinaryOp::Intersection;
                Graph::Among(Box::new(self.graph(r)?), pairs, test, keeps)
            }
            ExprKind::Binary(BinaryOp::DirectProduct, a, b) => {
                let (a, b) = sides(a, b)?;
                Graph::Direct(a, b, self.shape(&relation.ty).element().sides().1)
            }
            ExprKind::Binary(BinaryOp::ParallelProduct, a, b) => {
                let (a, b) = sides(a, b)?;
                let (from, to) = self.shape(&relation.ty).element().sides();
                Graph::Parallel(a, b, from, to)
            }
            ExprKind::Binary(BinaryOp::Product, points, values)
                if self.is_infinite(points) && !self.is_infinite(values) =>
            {
                let of = self.shape(&values.ty);
                Graph::Product(self.member_test(points), self.value(values), of)
            }
            ExprKind::SetExtension(_)
            | ExprKind::Empty
            | ExprKind::Local(_)
            | ExprKind::Constant(_)
            | ExprKind::Variable(_) => self.kept_graph(relation)?,
            _ if self.is_infinite(relation) || !self.is_buildable(relation) => return None,
            _ => self.kept_graph(relation)?,
        })
    }

    fn kept_graph(&self, relation: &Expr) -> Option<Graph> {
        relation.ty.relation_sides()?;
        Some(Graph::Kept(self.kept(relation), self.shape(&relation.ty)))
    }
}

impl Graph {
    /// What stands at a point, each value once. `None` where that cannot be looked up.
    pub(in crate::eval) fn at(&self, env: &mut Env, x: &Value) -> Result<Option<Vec<Value>>, Stop> {
        match self {
            Graph::Lambda { binder, pred, body } => {
                binder.bind(env, x.clone())?;
                Ok(Some(if pred(env)? { vec![body(env)?] } else { Vec::new() }))
            }
            Graph::Solutions { binder, each, last } => {
                binder.bind(env, x.clone())?;
                let mut found = Vec::new();
                let _ = each(env, &mut |env| {
                    found.push(last.get(env));
                    Ok(Flow::Continue(()))
                })?;
                Ok(Some(found))
            }
            Graph::Union(a, b) => {
                let Some(mut found) = a.at(env, x)? else { return Ok(None) };
                let Some(others) = b.at(env, x)? else { return Ok(None) };
                for other in others {
                    if !found.contains(&other) {
                        found.push(other);
                    }
                }
                Ok(Some(found))
            }
            Graph::Override(old, new) => match new.at(env, x)? {
                Some(found) if found.is_empty() => old.at(env, x),
                found => Ok(found),
            },
            Graph::Compose(first, second) => {
                let Some(middle) = first.at(env, x)? else { return Ok(None) };
                second.at_all(env, middle)
            }
            Graph::Domain(test, keeps, graph) => match test(env, x)? == *keeps {
                true => graph.at(env, x),
                false => Ok(Some(Vec::new())),
            },
            Graph::Range(test, keeps, graph) => {
                let Some(found) = graph.at(env, x)? else { return Ok(None) };
                let mut kept = Vec::new();
                for value in found {
                    if test(env, &value)? == *keeps {
                        kept.push(value);
                    }
                }
                Ok(Some(kept))
            }
            Graph::Closure(step) => step.reached(env, x, None),
            Graph::Iterate(step, iterations) => {
                let Some(n) = iterations.number(env)? else { return Ok(None) };
                let (mut found, mut done) = (vec![x.clone()], 0);
                while done < n && !found.is_empty() {
                    let Some(next) = step.at_all(env, found)? else { return Ok(None) };
                    (found, done) = (next, done + 1);
                }
                Ok(Some(found))
            }
            Graph::Among(graph, pairs, test, keeps) => {
                let Some(found) = graph.at(env, x)? else { return Ok(None) };
                let mut kept = Vec::new();
                for value in found {
                    if test(env, &pairs.pair(x.clone(), value.clone()))? == *keeps {
                        kept.push(value);
                    }
                }
                Ok(Some(kept))
            }
            Graph::Direct(a, b, to) => {
                let (Some(left), Some(right)) = (a.at(env, x)?, b.at(env, x)?) else {
                    return Ok(None);
                };
                paired(env, &left, &right, to)
            }
            Graph::Parallel(a, b, from, to) => {
                let (x, y) = from.split(x);
                let (Some(left), Some(right)) = (a.at(env, &x)?, b.at(env, &y)?) else {
                    return Ok(None);
                };
                paired(env, &left, &right, to)
            }
            Graph::Product(test, values, of) => match test(env, x)? {
                true => Ok(Some(of.members(&values(env)?).collect())),
                false => Ok(Some(Vec::new())),
            },
            Graph::Kept(relation, shape) => match relation(env)? {
                Value::Symbolic(s) => images(env, &s, x),
                relation => Ok(Some(at_value(shape, &relation, x))),
            },
        }
    }

    /// Whether a value stands at a point. `None` where that cannot be told.
    pub(super) fn joins(&self, env: &mut Env, x: &Value, y: &Value) -> Result<Option<bool>, Stop> {
        let found = match self {
            Graph::Closure(step) => step.reached(env, x, Some(y))?,
            Graph::Union(a, b) => {
                return Ok(match a.joins(env, x, y)? {
                    Some(true) => Some(true),
                    unlike => match b.joins(env, x, y)? {
                        Some(false) => unlike,
                        known => known,
                    },
                });
            }
            _ => self.at(env, x)?,
        };
        Ok(found.map(|found| found.contains(y)))
    }

    /// What is reached from a point in one step or more, or what was until something is found that is looked for.
    fn reached(
        &self,
        env: &mut Env,
        x: &Value,
        wanted: Option<&Value>,
    ) -> Result<Option<Vec<Value>>, Stop> {
        let Some(mut found) = self.at(env, x)? else { return Ok(None) };
        let mut seen: FxHashSet<Value> = found.iter().cloned().collect();
        let mut next = 0;
        while let Some(x) = found.get(next).cloned() {
            env.tick()?;
            if wanted.is_some_and(|wanted| seen.contains(wanted)) {
                break;
            }
            // A chain without an end cannot be told from a long one.
            if found.len() > LONGEST_CHAIN {
                return Ok(None);
            }
            let Some(more) = self.at(env, &x)? else { return Ok(None) };
            found.extend(more.into_iter().filter(|y| seen.insert(y.clone())));
            next += 1;
        }
        Ok(Some(found))
    }

    /// What stands at some of these points.
    fn at_all(&self, env: &mut Env, xs: Vec<Value>) -> Result<Option<Vec<Value>>, Stop> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        for x in xs {
            env.tick()?;
            let Some(more) = self.at(env, &x)? else { return Ok(None) };
            found.extend(more.into_iter().filter(|y: &Value| seen.insert(y.clone())));
        }
        Ok(Some(found))
    }

    /// Whether something stands at a point.
    pub(super) fn has(&self, env: &mut Env, x: &Value) -> Result<Option<bool>, Stop> {
        match self {
            Graph::Lambda { binder, pred, .. } => {
                binder.bind(env, x.clone())?;
                pred(env).map(Some)
            }
            Graph::Union(a, b) | Graph::Override(a, b) => match a.has(env, x)? {
                Some(false) => b.has(env, x),
                known => Ok(known),
            },
            _ => Ok(self.at(env, x)?.map(|found| !found.is_empty())),
        }
    }
}

impl Iterations {
    /// How many steps; `None`: more than can be counted.
    fn number(&self, env: &mut Env) -> Result<Option<u64>, Stop> {
        let times = (self.times)(env)?;
        match times.to_big() {
            Some(n) if !n.is_negative() => Ok(u64::try_from(n).ok()),
            _ => Err(env.fault(FaultKind::NegativeIteration, self.span, [(&self.operand, times)])),
        }
    }
}

/// Each of these with each of those.
fn paired(
    env: &mut Env,
    left: &[Value],
    right: &[Value],
    to: &Shape,
) -> Result<Option<Vec<Value>>, Stop> {
    let mut found = Vec::new();
    for y in left {
        env.tick()?;
        found.extend(right.iter().map(|z| to.pair(y.clone(), z.clone())));
    }
    Ok(Some(found))
}

/// What a relation that is a value has at a point.
pub(in crate::eval) fn at_value(shape: &Shape, relation: &Value, x: &Value) -> Vec<Value> {
    match relation::apply(shape, relation, x) {
        Ok(value) => vec![value],
        Err(relation::ApplyError::OutsideDomain) => Vec::new(),
        Err(relation::ApplyError::NotFunctional) => {
            let (source, target) = shape.element().sides();
            let (source, target) = (Shape::set_of(source), Shape::set_of(target));
            let point = source.collect([x.clone()]);
            let image = relation::image(shape, &target, relation, &point);
            target.members(&image).collect()
        }
    }
}
