//! Infinite sets as values: what can be done with them when they turn up.
//!
//! Where an expression may have such a value (`Machine::may_be_symbolic`), the closures made here look
//! at the value first. Membership, application, images and comparisons know what to do with it;
//! everything else is guarded and faults.

use super::described::{
    Symbol, all_found, at_point, built, has_image, images, is_member, is_vast, leaves, walked,
    whole,
};
use super::members::{MembersFn, ended};
use crate::eval::compile::Compiler;
use crate::lower::code::{Code, TestFn, ValueFn};
use crate::lower::description::SymbolicCode;
use crate::lower::env::{Env, Flow};
use crate::lower::metered::metered;
use crate::lower::rich::Belongs;
use crate::lower::stop::{CutSite, FaultKind, Stop, Within};
use crate::lower::{Rich, Test};
use crate::machine::visit::Visitor;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Fold, Kept, Pred, PredKind, SymbolicSet, Type,
    UnaryOp,
};
use crate::normalise;
use crate::source::Span;
use crate::value::{Shape, Value, relation};
use std::cell::Cell;
use std::sync::Arc;

impl Compiler<'_> {
    pub fn may_be_symbolic(&self, e: &Expr) -> bool {
        self.machine().may_be_symbolic(e)
    }

    /// Whether a conjunct asks for a member of a set that may be kept by its description: that may ask for
    /// further members, without end where another conjunct does not come first.
    pub(in crate::eval) fn asks_description(&self, p: &Pred) -> bool {
        match &p.kind {
            PredKind::Compare(Comparison::Member | Comparison::NotMember, _, set) => {
                self.may_be_symbolic(set)
            }
            _ => false,
        }
    }

    /// The descriptions of the machine, for values of any size.
    pub fn symbolic_codes(&self) -> Vec<SymbolicCode> {
        self.machine().symbolic.sets.iter().map(|s| self.symbolic_code(s)).collect()
    }

    fn symbolic_code(&self, described: &SymbolicSet) -> SymbolicCode {
        let set = &described.set;
        let locals = crate::machine::footprint::Footprint::of_expr(set).locals;
        SymbolicCode {
            parameters: self.slots(&described.parameters),
            frame: locals.iter().map(|id| self.slot(*id)).collect(),
            member: self.member_test(set),
            graph: self.graph(set),
            kept: described.kept,
            remembered: is_remembered(set),
            certain: self.is_endless(set),
            vast: (described.kept == Kept::Vast).then(|| self.vast(set)),
            found: self.found(set),
            basic: match set.kind {
                ExprKind::Basic(b) => Some(b),
                _ => None,
            },
            shape: self.shape(&set.ty),
            span: set.span,
        }
    }

    /// The value of a description.
    pub fn symbolic(&self, number: u32, arguments: &[Expr]) -> Code {
        let arguments: Vec<ValueFn> = arguments.iter().map(|a| self.kept(a)).collect();
        Code::value(move |env| {
            let values = arguments.iter().map(|a| a(env)).collect::<Result<Arc<[_]>, _>>()?;
            let symbol = Arc::new((number, values));
            let kept = env.symbolic[number as usize].kept;
            let found = match kept {
                Kept::Vast if is_vast(env, &symbol)? => None,
                Kept::Open | Kept::Vast => match whole(env, &symbol) {
                    Err(Stop::Cut(_)) => None,
                    found => found?,
                },
                Kept::Unbounded => all_found(env, &symbol)?,
                Kept::Infinite | Kept::Lazy => None,
            };
            Ok(found.unwrap_or(Value::Symbolic(symbol)))
        })
    }

    /// The value of an expression for operators that can look at finite sets only: what comes of others is not known.
    pub fn built(&self, e: &Expr, value: Rich) -> Rich {
        let span = e.span;
        self.built_or(e, value, |_| false, move |env, _| not_decided(env, span))
    }

    /// The same for operators that look at the first sides of pairs only.
    pub(in crate::eval) fn with_plain_keys(&self, e: &Expr, value: Rich) -> Rich {
        let span = e.span;
        self.built_or(e, value, has_plain_keys, move |env, _| not_decided(env, span))
    }

    /// The same for operators that are undefined of infinite sets, and ask no more of the members of others than `are_fit`
    /// does.
    pub(in crate::eval) fn finite(
        &self,
        e: &Expr,
        value: Rich,
        are_fit: fn(&Value) -> bool,
    ) -> Rich {
        let (span, operand) = (e.span, self.operand(e));
        self.built_or(e, value, are_fit, move |env, v| match &v {
            Value::Symbolic(_) => env.fault(FaultKind::InfiniteSet, span, [(&operand, v)]),
            _ => not_decided(env, span),
        })
    }

    fn built_or(
        &self,
        e: &Expr,
        value: Rich,
        are_fit: fn(&Value) -> bool,
        otherwise: impl Fn(&mut Env, Value) -> Stop + Send + Sync + 'static,
    ) -> Rich {
        if !self.may_be_symbolic(e) {
            return value;
        }
        Rich::run(move |env| {
            let v = value.get(env)?;
            if let Value::Symbolic(s) = &v
                && let Some(built) = whole(env, s)?
            {
                return Ok(built);
            }
            if v.is_symbolic() && !are_fit(&v) { Err(otherwise(env, v)) } else { Ok(v) }
        })
    }

    /// Membership in a set that may be symbolic.
    pub fn symbolic_member(&self, set: &Expr) -> TestFn {
        let (shape, set) = (self.shape(&set.ty), self.kept(set));
        Box::new(move |env, x| match set(env)? {
            Value::Symbolic(s) => is_member(env, &s, x),
            set => Ok(shape.contains(&set, x)),
        })
    }

    /// Membership in the domain of a relation that may be symbolic.
    pub fn symbolic_domain(&self, f: &Expr) -> TestFn {
        let (shape, span, f) = (self.shape(&f.ty), f.span, self.kept(f));
        Box::new(move |env, x| match f(env)? {
            Value::Symbolic(s) => match has_image(env, &s, x)? {
                Some(truth) => Ok(truth),
                None => Err(not_decided(env, span)),
            },
            f => Ok(!matches!(
                relation::apply(&shape, &f, x),
                Err(relation::ApplyError::OutsideDomain)
            )),
        })
    }

    /// `x : set` where `x` may be symbolic.
    pub fn symbolic_element(&self, x: &Expr, set: &Expr) -> Test {
        let span = x.span.to(set.span);
        let decided = self.decisions(Comparison::Member, set);
        let listed = !self.tests_by_structure(set) || matches!(set.kind, ExprKind::SetExtension(_));
        let is_all = self.is_whole_type(set);
        let looks_into = self.looks_into_members(set);
        let (x, test) = (self.kept(x), self.member_test(set));
        Test::run(move |env| {
            let x = x(env)?;
            if is_all {
                return Ok(true);
            }
            match &x {
                Value::Symbolic(s) if !listed => match decided[s.0 as usize] {
                    Some(truth) => Ok(truth),
                    None if let Some(built) = whole(env, s)? => test(env, &built),
                    None => Err(not_decided(env, span)),
                },
                _ if !listed && !looks_into && x.is_symbolic() => Err(not_decided(env, span)),
                _ => test(env, &x),
            }
        })
    }

    /// Whether values that are kept by a description may be within the members of a set.
    pub(in crate::eval) fn holds_infinite_sets(&self, set: &Expr) -> bool {
        let element = set.ty.element();
        !self.machine().symbolic.sets.is_empty() && element.is_some_and(Type::holds_infinite_sets)
    }

    /// Whether membership in a set asks what is within a value for membership in parts of the set, down to what is
    /// known of descriptions, and compares none of these.
    pub(in crate::eval) fn looks_into_members(&self, set: &Expr) -> bool {
        let part = |of: &Expr| {
            !self.holds_infinite_sets(of) || self.is_whole_type(of) || self.looks_into_members(of)
        };
        use BinaryOp::{PartialFunctions, Product, Relations, TotalFunctions};
        use UnaryOp::{Fin, Fin1, Pow, Pow1, Seq, Seq1};
        match &set.kind {
            ExprKind::Binary(Product | Relations, a, b) => part(a) && part(b),
            ExprKind::Binary(PartialFunctions | TotalFunctions, a, b) => {
                !self.holds_infinite_sets(a) && part(b)
            }
            ExprKind::Unary(Seq | Seq1 | Pow | Pow1 | Fin | Fin1, of) => part(of),
            ExprKind::Struct(fields) => fields.iter().all(part),
            _ => false,
        }
    }

    /// A test of values in a set, with what is known of those that are kept by a description.
    pub(in crate::eval) fn symbolic_or(&self, set: &Expr, test: Belongs) -> Belongs {
        let (decided, span) = (self.decisions(Comparison::Member, set), set.span);
        Belongs::run(move |env, x| {
            let Value::Symbolic(s) = x else { return test.holds(env, x) };
            match decided[s.0 as usize] {
                Some(truth) => Ok(truth),
                None if let Some(built) = whole(env, s)? => test.holds(env, &built),
                None => Err(not_decided(env, span)),
            }
        })
    }

    /// What is known of each description beforehand.
    fn decisions(&self, op: Comparison, set: &Expr) -> Vec<Option<bool>> {
        let machine = self.machine();
        let given = normalise::Given { itself: None, freetypes: &machine.freetypes };
        let finite = op == Comparison::Member
            && matches!(set.kind, ExprKind::Unary(UnaryOp::Fin | UnaryOp::Fin1, _));
        let decided = |value: &Expr| {
            let seen = normalise::decide(op, value, set, given);
            seen.or_else(|| (finite && self.is_endless(value)).then_some(false))
        };
        machine.symbolic.sets.iter().map(|s| decided(&s.set)).collect()
    }

    /// `a <: b` where one of them may be symbolic.
    pub fn symbolic_subset(&self, a: &Expr, b: &Expr) -> Test {
        let span = a.span.to(b.span);
        let decided = self.decisions(Comparison::Subset, b);
        let test = self.subset_test(b);
        let (open, shape) = (self.is_open(b), self.shape(&a.ty));
        let other = self.storable(b);
        let a = self.kept(a);
        Test::run(move |env| {
            let a = a(env)?;
            let Value::Symbolic(s) = &a else { return test(env, &a) };
            if let Some(truth) = decided[s.0 as usize] {
                return Ok(truth);
            }
            let built = whole(env, s);
            if let Ok(Some(built)) = &built {
                return test(env, built);
            }
            let b = other.as_ref().map(|b| b(env)).transpose()?;
            if let Err(stop) = built {
                return match b {
                    Some(b) if a == b => Ok(true),
                    Some(b) if are_apart(env, (&a, &b), &shape, &stop, false)? => Ok(false),
                    _ => Err(stop),
                };
            }
            let codes = env.symbolic.clone();
            match b {
                Some(b) if a == b => Ok(true),
                Some(Value::Symbolic(t)) => {
                    let basic = |s: &Symbol| codes[s.0 as usize].basic;
                    match (basic(s), basic(&t)) {
                        (_, Some(BasicSet::Integer | BasicSet::String | BasicSet::Real)) => {
                            return Ok(true);
                        }
                        (Some(BasicSet::Natural1), Some(BasicSet::Natural)) => return Ok(true),
                        (Some(_), Some(_)) => return Ok(false),
                        _ => {}
                    }
                    match leaves(env, (s, &t), &shape)? {
                        true => Ok(false),
                        false => Err(not_decided(env, span)),
                    }
                }
                Some(_) if codes[s.0 as usize].certain && !open => Ok(false),
                Some(value) => match walked(env, s, &shape, &value, true)? {
                    Some(truth) => Ok(truth),
                    None => Err(not_decided(env, span)),
                },
                _ => Err(not_decided(env, span)),
            }
        })
    }

    /// The value of a set that is no infinite one as it is written.
    pub(super) fn storable(&self, e: &Expr) -> Option<ValueFn> {
        (!self.is_infinite(e)).then(|| self.kept(e))
    }

    /// Whether a comprehension may be infinite: it cannot be enumerated whole.
    pub(in crate::eval) fn is_open(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Comprehension(..) | ExprKind::Fold(..))
            && normalise::looks_infinite(e)
    }

    /// Equality where one side may be symbolic.
    pub fn symbolic_equal(&self, a: &Expr, b: &Expr) -> Test {
        let span = a.span.to(b.span);
        // Neither is a value, but both are told here.
        let told = [a, b].map(|e| match &e.kind {
            ExprKind::Symbolic(number, given) if given.is_empty() => {
                &self.machine().symbolic.sets[*number as usize].set
            }
            _ => e,
        });
        if told.iter().all(|e| self.is_infinite(e) || self.has_no_walk(e))
            && [a, b].iter().any(|e| self.has_no_walk(e))
        {
            return self.equal_without_end(told[0], told[1]);
        }
        let open = self.is_open(a) || self.is_open(b);
        let shape = self.shape(&a.ty);
        let (Some(a), Some(b)) = (self.storable(a), self.storable(b)) else {
            self.refuse(span, "comparing with this infinite set");
            return Test::Always(false);
        };
        Test::run(move |env| {
            let (a, b) = (a(env)?, b(env)?);
            if a == b {
                return Ok(true);
            }
            let (a, b) = match (built(env, a.clone()), built(env, b.clone())) {
                (Ok(a), Ok(b)) => (a, b),
                (Err(stop), _) | (_, Err(stop)) => {
                    return match are_apart(env, (&a, &b), &shape, &stop, true)? {
                        true => Ok(false),
                        false => Err(stop),
                    };
                }
            };
            if a == b {
                return Ok(true);
            }
            let codes = env.symbolic.clone();
            let code = |s: &Symbol| &codes[s.0 as usize];
            if let (Value::Symbolic(s), value) | (value, Value::Symbolic(s)) = (&a, &b)
                && !value.is_symbolic()
                && !code(s).certain
                && let Some(truth) = walked(env, s, &shape, value, false)?
            {
                return Ok(truth);
            }
            let decided = match (&a, &b) {
                (Value::Symbolic(s), Value::Symbolic(t)) => {
                    code(s).basic.is_some() && code(t).basic.is_some()
                        || leaves(env, (s, t), &shape)?
                        || leaves(env, (t, s), &shape)?
                }
                (Value::Symbolic(s), _) | (_, Value::Symbolic(s)) => code(s).certain && !open,
                (Value::Set(x), Value::Set(y)) if x.is_empty() != y.is_empty() => true,
                _ => !a.is_symbolic() && !b.is_symbolic(),
            };
            match decided {
                true => Ok(false),
                false => Err(not_decided(env, span)),
            }
        })
    }

    /// `f(x)` where `f` may be symbolic.
    pub fn symbolic_apply(&self, f: &Expr, x: &Expr, e: &Expr) -> Code {
        let (span, x_operand, f_operand) = (e.span, self.operand(x), self.operand(f));
        let (rel, shape) = (self.shape(&f.ty), self.shape(&e.ty));
        let (f, x) = (self.kept(f), self.kept(x));
        self.finish(&shape, move |env| {
            let (f, x) = (f(env)?, x(env)?);
            let kind = match &f {
                Value::Symbolic(s) => match images(env, s, &x)?.as_deref() {
                    Some([v]) => return Ok(v.clone()),
                    Some([]) => FaultKind::OutsideDomain,
                    Some(_) => FaultKind::NotFunctional,
                    None => return Err(not_decided(env, span)),
                },
                _ => match relation::apply(&rel, &f, &x) {
                    Ok(v) => return Ok(v),
                    Err(why) => why.into(),
                },
            };
            Err(env.fault(kind, span, [(&f_operand, f), (&x_operand, x)]))
        })
    }

    /// `r[s]` where `r` may be symbolic.
    pub fn symbolic_image(&self, r: &Expr, s: &Expr, e: &Expr) -> Code {
        let span = e.span;
        let (rel, set, out) = (self.shape(&r.ty), self.shape(&s.ty), self.shape(&e.ty));
        let (r, s) = (self.kept(r), self.value(s));
        self.finish(&out.clone(), move |env| {
            let (r, s) = (r(env)?, s(env)?);
            let Value::Symbolic(symbol) = &r else {
                return Ok(relation::image(&rel, &out, &r, &s));
            };
            let mut items = Vec::new();
            for x in set.members(&s) {
                items.extend(at_point(env, symbol, &x, span)?);
            }
            Ok(out.collect(items))
        })
    }

    /// `r ; f` where `f` may be symbolic, and `r` is not.
    pub fn symbolic_composition(&self, r: &Expr, f: &Expr, e: &Expr) -> Code {
        let span = e.span;
        let (left, right, out) = (self.shape(&r.ty), self.shape(&f.ty), self.shape(&e.ty));
        let (r, f) = (self.value(r), self.kept(f));
        self.finish(&out.clone(), move |env| {
            let (r, f) = (r(env)?, f(env)?);
            let Value::Symbolic(symbol) = &f else {
                return metered(env, span, |meter| {
                    relation::compose(&left, &right, &out, &r, &f, meter)
                });
            };
            let (pairs, of) = (left.element(), out.element());
            let mut items = Vec::new();
            for pair in left.members(&r) {
                let (x, y) = pairs.split(&pair);
                let found = at_point(env, symbol, &y, span)?;
                items.extend(found.into_iter().map(|z| of.pair(x.clone(), z)));
                env.room_for(items.len(), span)?;
            }
            Ok(out.collect(items))
        })
    }

    /// `s <| f` where `f` may be symbolic, and `s` is not.
    pub fn symbolic_restriction(&self, s: &Expr, f: &Expr, e: &Expr) -> Code {
        let span = e.span;
        let (set, out) = (self.shape(&s.ty), self.shape(&e.ty));
        let (s, f) = (self.value(s), self.kept(f));
        self.finish(&out.clone(), move |env| {
            let (s, f) = (s(env)?, f(env)?);
            let Value::Symbolic(symbol) = &f else {
                return Ok(relation::domain_restrict(&out, &s, &f));
            };
            let of = out.element();
            let mut items = Vec::new();
            for x in set.members(&s) {
                let found = at_point(env, symbol, &x, span)?;
                items.extend(found.into_iter().map(|y| of.pair(x.clone(), y)));
                env.room_for(items.len(), span)?;
            }
            Ok(out.collect(items))
        })
    }

    /// Walks a set that may be symbolic: of a symbolic one the members among `all`.
    pub fn symbolic_members(&self, set: &Expr, all: MembersFn) -> MembersFn {
        let (shape, set) = (self.shape(&set.ty), self.kept(set));
        Box::new(move |env, f| match set(env)? {
            Value::Symbolic(s) => {
                let mut cut = None;
                let flow = all(env, &mut |env, v| match is_member(env, &s, &v) {
                    Ok(true) => f(env, v),
                    Ok(false) => Ok(Flow::Continue(())),
                    Err(stop @ Stop::Cut(_)) => {
                        cut = Some(stop);
                        Ok(Flow::Continue(()))
                    }
                    Err(stop) => Err(stop),
                });
                ended(flow, cut)
            }
            set => {
                for v in shape.members(&set) {
                    env.tick()?;
                    if f(env, v)?.is_break() {
                        return Ok(Flow::Break(()));
                    }
                }
                Ok(Flow::Continue(()))
            }
        })
    }

    /// What comes of walking or changing a set that is infinite is not known.
    pub fn refuse_symbolic(env: &mut Env, v: &Value, span: Span) -> Result<(), Stop> {
        match v {
            Value::Symbolic(_) => Err(not_decided(env, span)),
            _ => Ok(()),
        }
    }
}

/// Whether two descriptions that cannot be walked to their ends are of different sets (`equal`), or the first is no part of
/// the second, by members that are found.
fn are_apart(
    env: &mut Env,
    (a, b): (&Value, &Value),
    shape: &Shape,
    why: &Stop,
    equal: bool,
) -> Result<bool, Stop> {
    let (Stop::Cut(_), Value::Symbolic(s), Value::Symbolic(t)) = (why, a, b) else {
        return Ok(false);
    };
    Ok(leaves(env, (s, t), shape)? || equal && leaves(env, (t, s), shape)?)
}

/// What descriptions do not tell is not known: that is no fault of the machine.
pub(in crate::eval) fn not_decided(env: &mut Env, span: Span) -> Stop {
    env.cut(&CutSite { span, name: "".into(), within: Within::Descriptions })
}

/// Whether what a relation has at a point is worth remembering: it looks for solutions, or asks for what else is told
/// by a description. External functions may do something each time.
fn is_remembered(set: &Expr) -> bool {
    !has_external(|visitor| visitor.expr(&mut set.clone())) && is_costly(set)
}

/// Whether there are external functions in what a visitor is sent through.
pub(in crate::eval) fn has_external(send: impl FnOnce(&mut Visitor<'_>)) -> bool {
    let mut found = false;
    send(&mut Visitor::of(&mut |e| found |= matches!(e.kind, ExprKind::External(..))));
    found
}

fn is_costly(set: &Expr) -> bool {
    let found = Cell::new(false);
    let mut visitor = Visitor {
        expr: &mut |e| {
            use ExprKind::{Comprehension, Constant, Fold, Symbolic};
            if matches!(e.kind, Comprehension(..) | Fold(..) | Symbolic(..) | Constant(_)) {
                found.set(true);
            }
        },
        binder: None,
        pred: Some(&mut |p| {
            if matches!(p.kind, PredKind::Exists(..) | PredKind::Forall(..)) {
                found.set(true);
            }
        }),
        subst: None,
    };
    match &set.kind {
        ExprKind::Binary(BinaryOp::Union | BinaryOp::Override, a, b) => {
            return is_costly(a) || is_costly(b);
        }
        ExprKind::Fold(Fold::Lambda, _, p, body) => {
            visitor.pred(&mut (**p).clone());
            visitor.expr(&mut (**body).clone());
        }
        _ => visitor.expr(&mut set.clone()),
    }
    found.get()
}

/// Whether a value is a list of pairs whose first sides are no infinite sets, and hold none.
pub(in crate::eval) fn has_plain_keys(value: &Value) -> bool {
    let plain = |item: &Value| matches!(item, Value::Pair(sides) if !sides.0.is_symbolic());
    matches!(value, Value::Set(items) if items.iter().all(plain))
}

/// Whether it can be seen that the members of a list differ: two descriptions may be of the same set.
pub(in crate::eval) fn has_distinct_members(value: &Value) -> bool {
    let Value::Set(items) = value else { return false };
    let key = |item: &Value| match item {
        Value::Pair(sides) => Some(sides.0.clone()),
        _ => None,
    };
    // The list is in order, and so are the first sides.
    items.len() <= 1
        || has_plain_keys(value) && items.windows(2).all(|pair| key(&pair[0]) != key(&pair[1]))
}
