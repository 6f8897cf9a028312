//! Walking the members of sets: those that are values, those that never become one, those of a type.
//!
//! An enumeration that is cut off - at the integer limits, at a length, at a depth - gives the members
//! that it finds, which are members indeed, and ends with [`Stop::Cut`]. Whoever needs them all thus
//! has none of them; whoever looks for one that will do has broken off before.

use super::freetypes::free_values;
use crate::eval::compile::{Compiler, Undefined};
use crate::lower::code::{Binder, EachFn, ValueFn};
use crate::lower::description::PartFn;
use crate::lower::env::{Env, Flow};
use crate::lower::stop::{CutSite, Stop, Within};
use crate::machine::{BasicSet, BinaryOp, Expr, ExprKind, Fold, LocalId, TreeOp, UnaryOp};
use crate::source::Span;
use crate::value::relation::Arrow;
use crate::value::{Gathered, Shape, Value, enumerate};
use num_bigint::BigInt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Walks the members of a set expression; where it was cut off, its end is [`Stop::Cut`].
pub type MembersFn = Box<
    dyn Fn(&mut Env, &mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>) -> Result<Flow, Stop>
        + Send
        + Sync,
>;

/// Whether an operator makes a set of trees, whose members are not listed.
pub fn is_set_of_trees(op: TreeOp) -> bool {
    matches!(op, TreeOp::Trees | TreeOp::BinaryTrees)
}

impl Compiler<'_> {
    /// All values of a local's type; of an unbounded type it is cut off at the limits.
    pub(in crate::eval) fn type_members(
        &self,
        id: LocalId,
        low: &[Expr],
        high: &[Expr],
    ) -> MembersFn {
        let local = self.machine().local(id);
        let (name, span) = (local.name.clone(), local.span);
        let shape = self.shape(&local.ty);
        if shape == Shape::Integer {
            let site = CutSite { span, name, within: Within::Limits };
            return cut_off(self.interval(low, high), site);
        }
        self.all_values(shape, span, name)
    }

    /// The sequences of a set of sequences that are no longer than a number.
    pub(in crate::eval) fn sequences_up_to(&self, set: &Expr, longest: &Expr) -> MembersFn {
        let ExprKind::Unary(op @ (UnaryOp::Seq | UnaryOp::Seq1), of) = &set.kind else {
            return self.enumerate_set(set);
        };
        let (nonempty, base, longest) = (*op == UnaryOp::Seq1, self.part(of), self.kept(longest));
        let element = self.shape(&set.ty).element();
        Box::new(move |env, f| {
            let longest = match longest(env)? {
                Value::Int(n) => usize::try_from(n).unwrap_or(0),
                n if n < Value::Int(0) => 0,
                _ => usize::MAX,
            };
            let (of, cut) = base(env)?;
            let flow = walk(env, f, |sink| {
                enumerate::sequences_up_to(&element, &of, longest, nonempty, sink)
            });
            ended(flow, cut)
        })
    }

    /// The values of a shape, integers and strings in it within the limits.
    pub(super) fn all_values(
        &self,
        shape: Shape,
        span: Span,
        name: impl Into<Arc<str>>,
    ) -> MembersFn {
        if shape.is_finite() {
            return Box::new(move |env, f| walk(env, f, |sink| enumerate::all(&shape, sink)));
        }
        let (min, max) = (self.instance.min_int, self.instance.max_int);
        let whole = self.is_exhausted(&shape);
        let site = CutSite { span, name: name.into(), within: within(&shape) };
        let members: MembersFn = Box::new(move |env, f| {
            let mut cut = None;
            let flow = match bounded_values(&shape, (min, max), span, env, &mut cut)? {
                Bounded::List(values) => each_of(values, env, f)?,
                Bounded::Subsets(of) => {
                    walk(env, f, |sink| enumerate::subsets(&shape, &of, false, sink))?
                }
            };
            ended(Ok(flow), cut.filter(|_| whole))
        });
        if whole { members } else { cut_off(members, site) }
    }

    /// Whether [`bounded_values`] finds all values of a shape, as far as can be seen.
    fn is_exhausted(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Integer | Shape::Real | Shape::String => false,
            Shape::Index(_) | Shape::Bits(_) => true,
            Shape::Set(e) => self.is_exhausted(e),
            Shape::Pair(p) => self.is_exhausted(&p.0) && self.is_exhausted(&p.1),
            Shape::Record(fields) => fields.iter().all(|f| self.is_exhausted(f)),
            Shape::Free(id) => !self.machine().freetypes[id.0 as usize].is_endless(None),
        }
    }

    /// The integers between the greatest lower and the least upper bound; where a side has no bound,
    /// the integer limit stands in.
    pub(in crate::eval) fn interval(&self, low: &[Expr], high: &[Expr]) -> MembersFn {
        let lows: Vec<ValueFn> = low.iter().map(|e| self.value(e)).collect();
        let highs: Vec<ValueFn> = high.iter().map(|e| self.value(e)).collect();
        let (min, max) = (Value::Int(self.instance.min_int), Value::Int(self.instance.max_int));
        Box::new(move |env, f| {
            let mut from = None;
            for e in &lows {
                let v = e(env)?;
                from = Some(from.map_or(v.clone(), |x: Value| x.max(v)));
            }
            let mut to = None;
            for e in &highs {
                let v = e(env)?;
                to = Some(to.map_or(v.clone(), |x: Value| x.min(v)));
            }
            integers(env, from.unwrap_or_else(|| min.clone()), to.unwrap_or_else(|| max.clone()), f)
        })
    }

    /// Walks the members of a set expression: by its form for sets of sets and functions, intervals
    /// and the like, else over the built set.
    pub fn enumerate_set(&self, set: &Expr) -> MembersFn {
        let shape = self.shape(&set.ty);
        let (min, max) = (self.instance.min_int, self.instance.max_int);
        let bounds = |low: i64, high: i64| -> MembersFn {
            Box::new(move |env, f| integers(env, Value::Int(low), Value::Int(high), f))
        };
        let named =
            |name: &str| CutSite { span: set.span, name: name.into(), within: Within::Limits };
        match &set.kind {
            ExprKind::Basic(b) => match b {
                BasicSet::Int => bounds(min, max),
                BasicSet::Nat => bounds(0, max),
                BasicSet::Nat1 => bounds(1, max),
                BasicSet::Bool => self.all_values(shape.element(), set.span, "BOOL"),
                BasicSet::Natural => cut_off(bounds(0, max), named("NATURAL")),
                BasicSet::Natural1 => cut_off(bounds(1, max), named("NATURAL1")),
                BasicSet::Integer => cut_off(bounds(min, max), named("INTEGER")),
                _ => self.all_values(shape.element(), set.span, format!("{b:?}").to_uppercase()),
            },
            ExprKind::Freetype { of, made, .. } => self.free_members(*of, *made, set.span),
            ExprKind::Tree(op, operands) if super::members::is_set_of_trees(*op) => {
                self.small_trees(*op, &operands[0], set)
            }
            ExprKind::Carrier(_) => self.all_values(shape.element(), set.span, ""),
            ExprKind::Binary(op @ (BinaryOp::Intersection | BinaryOp::Difference), a, b)
                if self.is_infinite(a) || self.is_long(a) =>
            {
                let (of, by, kept) = match op {
                    BinaryOp::Intersection if !self.is_infinite(b) && !self.is_long(b) => {
                        (b, a, true)
                    }
                    BinaryOp::Intersection => (a, b, true),
                    _ => (a, b, false),
                };
                let (members, test) = (self.enumerate_set(of), self.member_test(by));
                Box::new(move |env, f| {
                    members(env, &mut |env, v| match test(env, &v)? == kept {
                        true => f(env, v),
                        false => Ok(Flow::Continue(())),
                    })
                })
            }
            ExprKind::Struct(fields) if self.is_infinite(set) => self.records(fields),
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Box::new(move |env, f| {
                    let (a, b) = (a(env)?, b(env)?);
                    integers(env, a, b, f)
                })
            }
            ExprKind::Unary(op, of) if is_power(*op) => {
                let (op, of_shape) = (*op, self.shape(&of.ty));
                let base = self.part(of);
                let element = shape.element();
                Box::new(move |env, f| {
                    let (of, cut) = base(env)?;
                    if op == UnaryOp::Perm
                        && let Some(cut) = cut
                    {
                        return Err(cut);
                    }
                    let flow = walk(env, f, |sink| match op {
                        UnaryOp::Pow | UnaryOp::Fin => {
                            enumerate::subsets(&of_shape, &of, false, sink)
                        }
                        UnaryOp::Pow1 | UnaryOp::Fin1 => {
                            enumerate::subsets(&of_shape, &of, true, sink)
                        }
                        UnaryOp::Perm => enumerate::permutations(&element, &of, sink),
                        _ => enumerate::injective_sequences(
                            &element,
                            &of,
                            op == UnaryOp::Iseq1,
                            sink,
                        ),
                    });
                    ended(flow, cut)
                })
            }
            ExprKind::Unary(op @ (UnaryOp::Seq | UnaryOp::Seq1), of) => {
                let (nonempty, base, element) =
                    (*op == UnaryOp::Seq1, self.part(of), shape.element());
                let of_shape = self.shape(&of.ty);
                let name = if nonempty { "seq1" } else { "seq" };
                let site = CutSite { span: set.span, name: name.into(), within: Within::Lengths };
                let longest = max.max(0) as usize;
                Box::new(move |env, f| {
                    let (of, cut) = base(env)?;
                    let all = cut.is_none() && of_shape.is_empty(&of);
                    let cut = (!all).then(|| cut.unwrap_or_else(|| env.cut(&site)));
                    if env.whole
                        && let Some(cut) = cut
                    {
                        return Err(cut);
                    }
                    let flow = walk(env, f, |sink| {
                        enumerate::sequences_up_to(&element, &of, longest, nonempty, sink)
                    });
                    ended(flow, cut)
                })
            }
            ExprKind::Binary(op, a, b) if Arrow::from_op(*op).is_some() => {
                let arrow = Arrow::from_op(*op).unwrap_or(Arrow::RELATIONS);
                let none_is_onto = arrow.surjective && arrow.functional && self.is_endless(b);
                let (a, b) = (self.part(a), self.part(b));
                let rel = shape.element();
                Box::new(move |env, f| {
                    let ((dom, dom_cut), (ran, ran_cut)) = (a(env)?, b(env)?);
                    // A finite relation is not onto an infinite set.
                    if none_is_onto && dom_cut.is_none() {
                        return Ok(Flow::Continue(()));
                    }
                    refuse_parts(arrow, dom_cut, ran_cut)?;
                    let flow =
                        walk(env, f, |sink| enumerate::arrows(&rel, arrow, &dom, &ran, sink));
                    ended(flow, dom_cut.or(ran_cut))
                })
            }
            ExprKind::Binary(BinaryOp::Product, a, b)
                if self.tests_by_structure(set) || !self.is_word(&shape) =>
            {
                let (a, b, pairs) = (self.enumerate_set(a), self.enumerate_set(b), shape.element());
                Box::new(move |env, f| {
                    let (mut cut, mut empty) = (None, false);
                    let flow = a(env, &mut |env, x| {
                        empty = true;
                        match b(env, &mut |env, y| {
                            empty = false;
                            f(env, pairs.pair(x.clone(), y))
                        }) {
                            Err(stop @ Stop::Cut(_)) => {
                                (cut, empty) = (Some(stop), false);
                                Ok(Flow::Continue(()))
                            }
                            flow => flow,
                        }
                    });
                    match flow {
                        // With nothing on the right there are no pairs, however many are on the left.
                        Err(Stop::Cut(_)) if empty => Ok(Flow::Continue(())),
                        flow => ended(flow, cut),
                    }
                })
            }
            _ if self.may_be_symbolic(set) => {
                let all = self.all_values(shape.element(), set.span, "an infinite set");
                self.symbolic_members(set, all)
            }
            _ => {
                let part = self.listed(set);
                Box::new(move |env, f| {
                    let (set, cut) = part(env)?;
                    for v in shape.members(&set) {
                        env.tick()?;
                        if f(env, v)?.is_break() {
                            return Ok(Flow::Break(()));
                        }
                    }
                    cut.map_or(Ok(Flow::Continue(())), Err)
                })
            }
        }
    }

    /// The records with values in these sets; as far as they are found.
    fn records(&self, fields: &[Expr]) -> MembersFn {
        let parts: Vec<(PartFn, Shape)> =
            fields.iter().map(|f| (self.part(f), self.shape(&f.ty))).collect();
        Box::new(move |env, f| {
            let (mut records, mut cut, mut empty) = (vec![Vec::new()], None, false);
            for (part, shape) in &parts {
                let (values, left_out) = part(env)?;
                empty |= shape.is_empty(&values) && left_out.is_none();
                cut = cut.or(left_out);
                let mut longer = Vec::new();
                for record in &records {
                    for v in shape.members(&values) {
                        env.tick()?;
                        let mut record: Vec<Value> = Vec::clone(record);
                        record.push(v);
                        longer.push(record);
                    }
                }
                records = longer;
            }
            for record in records {
                if f(env, Value::Record(record.into()))?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            // Without a value for one field there is none at all.
            ended(Ok(Flow::Continue(())), cut.filter(|_| !empty))
        })
    }

    /// The set under a power set or an arrow: of an infinite one the members within the limits.
    pub(in crate::eval) fn part(&self, set: &Expr) -> PartFn {
        if self.is_infinite(set) || self.may_be_symbolic(set) {
            self.enumerated(set)
        } else {
            self.listed(set)
        }
    }

    /// A set that is not infinite as it is written: a comprehension as far as its solutions are
    /// found, anything else whole.
    fn listed(&self, set: &Expr) -> PartFn {
        let (shape, span) = (self.shape(&set.ty), set.span);
        match &set.kind {
            _ if self.may_be_symbolic(set) => {}
            ExprKind::Comprehension(locals, pred) => {
                let each = self.solve(locals, pred, Undefined::Fault);
                let binder = Binder::tuple(&self.slots(locals));
                return solutions(each, shape, span, move |env| Ok(binder.read(env)));
            }
            ExprKind::Fold(Fold::Image, locals, pred, body) => {
                let each = self.solve(locals, pred, Undefined::Fault);
                return solutions(each, shape, span, self.kept(body));
            }
            _ => {}
        }
        let built = self.value(set);
        Box::new(move |env| Ok((built(env)?, None)))
    }

    /// The members that an enumeration gives, as a value.
    pub(in crate::eval) fn enumerated(&self, set: &Expr) -> PartFn {
        let (shape, members, span) = (self.shape(&set.ty), self.enumerate_set(set), set.span);
        Box::new(move |env| {
            let mut all = Gathered::new(&shape);
            let flow = members(env, &mut |env, v| {
                all.push(v);
                env.room_for(all.size(), span)?;
                Ok(Flow::Continue(()))
            });
            let cut = cut_of(flow)?;
            Ok((all.set(), cut))
        })
    }
}

/// Hands values on one after the other.
pub(super) fn each_of(
    values: Vec<Value>,
    env: &mut Env,
    f: &mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>,
) -> Result<Flow, Stop> {
    for v in values {
        env.tick()?;
        if f(env, v)?.is_break() {
            return Ok(Flow::Break(()));
        }
    }
    Ok(Flow::Continue(()))
}

/// The set of what `item` gives in each solution.
pub(in crate::eval) fn solutions(
    each: EachFn,
    shape: Shape,
    span: Span,
    item: impl Fn(&mut Env) -> Result<Value, Stop> + Send + Sync + 'static,
) -> PartFn {
    gathered(each, shape, span, move |env, all| {
        all.push(item(env)?);
        Ok(())
    })
}

/// The set of what is added in each solution.
pub(in crate::eval) fn gathered(
    each: EachFn,
    shape: Shape,
    span: Span,
    add: impl Fn(&mut Env, &mut Gathered) -> Result<(), Stop> + Send + Sync + 'static,
) -> PartFn {
    Box::new(move |env| {
        let mut all = Gathered::new(&shape);
        let flow = each(env, &mut |env| {
            add(env, &mut all)?;
            env.room_for(all.size(), span)?;
            Ok(Flow::Continue(()))
        });
        let cut = cut_of(flow)?;
        Ok((all.set(), cut))
    })
}

/// What was left out of an enumeration; other reasons to stop are passed on.
fn cut_of(flow: Result<Flow, Stop>) -> Result<Option<Stop>, Stop> {
    match flow {
        Ok(_) => Ok(None),
        Err(stop @ Stop::Cut(_)) => Ok(Some(stop)),
        Err(stop) => Err(stop),
    }
}

/// The end of an enumeration of which a part was left out.
pub(in crate::eval) fn ended(flow: Result<Flow, Stop>, cut: Option<Stop>) -> Result<Flow, Stop> {
    match (flow, cut) {
        (Ok(Flow::Continue(())), Some(cut)) => Err(cut),
        (flow, _) => flow,
    }
}

/// As far as what the values of an unbounded shape are enumerated. Where it has parts of several kinds,
/// numbers first: their limits can be chosen.
fn within(shape: &Shape) -> Within {
    match shape {
        Shape::String => Within::Strings,
        Shape::Free(_) => Within::Nesting,
        Shape::Set(e) => within(e),
        Shape::Pair(p) => within(&p.0).min(within(&p.1)),
        Shape::Record(fields) => fields.iter().map(within).min().unwrap_or(Within::Nesting),
        Shape::Index(_) | Shape::Bits(_) => Within::Nesting,
        Shape::Integer | Shape::Real => Within::Limits,
    }
}

/// An enumeration that is cut off at the limits.
pub(in crate::eval) fn cut_off(members: MembersFn, site: CutSite) -> MembersFn {
    Box::new(move |env, f| {
        if env.whole {
            return Err(env.cut(&site));
        }
        match members(env, f)? {
            Flow::Continue(()) => Err(env.cut(&site)),
            flow => Ok(flow),
        }
    })
}

/// A relation that is total on a part of its source, or onto a part of its target, says nothing of
/// those that are so on the whole.
pub(in crate::eval) fn refuse_parts(
    arrow: Arrow,
    source: Option<Stop>,
    target: Option<Stop>,
) -> Result<(), Stop> {
    let source = source.filter(|_| arrow.total);
    source.or(target.filter(|_| arrow.surjective)).map_or(Ok(()), Err)
}

pub(in crate::eval) fn is_power(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(op, Pow | Pow1 | Fin | Fin1 | Perm | Iseq | Iseq1)
}

/// Runs one of the value room's enumerations, asking the clock at each value.
pub(super) fn walk(
    env: &mut Env,
    f: &mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>,
    enumeration: impl FnOnce(
        &mut dyn FnMut(Value) -> ControlFlow<Result<(), Stop>>,
    ) -> ControlFlow<Result<(), Stop>>,
) -> Result<Flow, Stop> {
    let end = enumeration(&mut |v| match env.tick().and_then(|()| f(env, v)) {
        Ok(Flow::Continue(())) => ControlFlow::Continue(()),
        Ok(Flow::Break(())) => ControlFlow::Break(Ok(())),
        Err(stop) => ControlFlow::Break(Err(stop)),
    });
    match end {
        ControlFlow::Continue(()) => Ok(Flow::Continue(())),
        ControlFlow::Break(Ok(())) => Ok(Flow::Break(())),
        ControlFlow::Break(Err(stop)) => Err(stop),
    }
}

/// All integers from one to another.
pub(super) fn integers(
    env: &mut Env,
    from: Value,
    to: Value,
    f: &mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>,
) -> Result<Flow, Stop> {
    let end = |n: &Value, beyond| if let Value::Int(n) = n { *n } else { beyond };
    env.whole_of(end(&from, i64::MIN), end(&to, i64::MAX))?;
    let mut at = from;
    while at <= to {
        env.tick()?;
        if f(env, at.clone())?.is_break() {
            return Ok(Flow::Break(()));
        }
        at = match at {
            Value::Int(i) if i < i64::MAX => Value::Int(i + 1),
            other => Value::integer(other.to_big().unwrap_or_default() + BigInt::from(1)),
        };
    }
    Ok(Flow::Continue(()))
}

/// Most values of a type of which sets are made, where integers are within the limits.
const MOST_LISTED: f64 = (1 << 20) as f64;

enum Bounded {
    List(Vec<Value>),
    Subsets(Value),
}

/// The values of an unbounded shape with integers within the limits and the strings seen so far; what it cuts off
/// of free types is told in `cut`.
fn bounded_values(
    shape: &Shape,
    (min, max): (i64, i64),
    span: Span,
    env: &mut Env,
    cut: &mut Option<Stop>,
) -> Result<Bounded, Stop> {
    let mut list = |shape: &Shape, env: &mut Env| -> Result<Vec<Value>, Stop> {
        match bounded_values(shape, (min, max), span, env, cut)? {
            Bounded::List(values) => Ok(values),
            Bounded::Subsets(of) => {
                let mut all = Vec::new();
                let _ = walk(
                    env,
                    &mut |env, v| {
                        all.push(v);
                        env.room_for(all.len(), span)?;
                        Ok(Flow::Continue(()))
                    },
                    |sink| enumerate::subsets(shape, &of, false, sink),
                )?;
                Ok(all)
            }
        }
    };
    Ok(match shape {
        Shape::Integer | Shape::Real => {
            env.room_for(max.saturating_sub(min).max(0) as usize, span)?;
            let number = |i: i64| match shape {
                Shape::Integer => Value::Int(i),
                _ => Value::real(i as f64),
            };
            // There is room for all of them, which may still take a while.
            let mut all = Vec::new();
            for i in min..=max {
                env.tick()?;
                all.push(number(i));
            }
            Bounded::List(all)
        }
        Shape::String => {
            Bounded::List(env.strings.iter().map(|s| Value::String(s.clone())).collect())
        }
        // Sets that are made of too many are not listed but for the first of them.
        Shape::Set(e) if e.count_within((min, max), env.strings.len()) > MOST_LISTED => {
            Bounded::List(vec![shape.collect(Vec::new())])
        }
        Shape::Set(e) => {
            let members = list(e, env)?;
            Bounded::Subsets(shape.collect(members))
        }
        Shape::Pair(p) => {
            let (left, right) = (list(&p.0, env)?, list(&p.1, env)?);
            env.room_for(left.len().saturating_mul(right.len()), span)?;
            let mut pairs = Vec::new();
            for x in &left {
                for y in &right {
                    env.tick()?;
                    pairs.push(shape.pair(x.clone(), y.clone()));
                }
            }
            Bounded::List(pairs)
        }
        Shape::Record(fields) => {
            let mut records: Vec<Vec<Value>> = vec![Vec::new()];
            for field in fields.iter() {
                let values = list(field, env)?;
                env.room_for(records.len().saturating_mul(values.len()), span)?;
                let mut longer = Vec::new();
                for record in &records {
                    for v in &values {
                        env.tick()?;
                        longer.push(record.iter().cloned().chain([v.clone()]).collect());
                    }
                }
                records = longer;
            }
            Bounded::List(records.into_iter().map(|r| Value::Record(r.into())).collect())
        }
        Shape::Index(_) | Shape::Bits(_) => {
            let mut all = Vec::new();
            let _ = walk(
                env,
                &mut |_, v| {
                    all.push(v);
                    Ok(Flow::Continue(()))
                },
                |sink| enumerate::all(shape, sink),
            )?;
            Bounded::List(all)
        }
        Shape::Free(id) => {
            let (values, left_out) = free_values(*id, None, span, env)?;
            *cut = cut.take().or(left_out);
            Bounded::List(values)
        }
    })
}
