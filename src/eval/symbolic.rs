//! Infinite sets as values: what can be done with them when they turn up.
//!
//! Where an expression may have such a value (`Machine::may_be_symbolic`), the closures made here look
//! at the value first. Membership, application, images and comparisons know what to do with it;
//! everything else is guarded and faults.

use super::code::{Binder, Code, TestFn, ValueFn};
use super::compile::{Compiler, Undefined};
use super::env::{Env, Flow, Operand};
use super::graph::at_value;
use super::lower::description::{PartFn, SymbolicCode};
use super::lower::metered::metered;
use super::lower::rich::Belongs;
use super::lower::{Rich, Test};
use super::members::{MembersFn, ended, solutions};
use super::stop::{FaultKind, Stop};
use crate::machine::visit::Visitor;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Fold, Kept, Pred, PredKind, SymbolicSet, Type,
    UnaryOp,
};
use crate::normalise;
use crate::source::Span;
use crate::stack;
use crate::value::{Shape, Value, relation};
use std::cell::Cell;
use std::sync::Arc;

type Symbol = Arc<(u32, Arc<[Value]>)>;

impl Compiler<'_> {
    pub fn may_be_symbolic(&self, e: &Expr) -> bool {
        self.machine().may_be_symbolic(e)
    }

    /// Whether a conjunct asks for a member of a set that may be kept by its description: that may ask for
    /// further members, without end where another conjunct does not come first.
    pub(super) fn asks_description(&self, p: &Pred) -> bool {
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
            found: self.found(set),
            basic: match set.kind {
                ExprKind::Basic(b) => Some(b),
                _ => None,
            },
            shape: self.shape(&set.ty),
            span: set.span,
        }
    }

    fn found(&self, set: &Expr) -> Option<PartFn> {
        if let ExprKind::Binary(op @ (BinaryOp::Union | BinaryOp::Override), a, b) = &set.kind
            && [a, b].iter().all(|side| !self.is_infinite(side) || self.is_open(side))
        {
            return self.found_either(*op, a, b);
        }
        let (ExprKind::Comprehension(locals, pred) | ExprKind::Fold(Fold::Lambda, locals, pred, _)) =
            &set.kind
        else {
            return (self.is_infinite(set) || matches!(set.kind, ExprKind::SetExtension(_)))
                .then(|| self.enumerated(set));
        };
        // What cannot be walked can be known by its description all the same.
        let problems = self.problems.borrow().len();
        let each = self.solve(locals, pred, Undefined::Fault);
        let shape = self.shape(&set.ty);
        let binder = Binder::tuple(&self.slots(locals));
        let part = match &set.kind {
            ExprKind::Fold(.., body) => {
                let (pairs, body) = (shape.element(), self.kept(body));
                let pair = move |env: &mut Env| Ok(pairs.pair(binder.read(env), body(env)?));
                solutions(each, shape, set.span, pair)
            }
            _ => solutions(each, shape, set.span, move |env| Ok(binder.read(env))),
        };
        let walkable = self.problems.borrow().len() == problems;
        self.problems.borrow_mut().truncate(problems);
        walkable.then_some(part)
    }

    /// The members of both sides, or of the left one where the right one has nothing, as far as they are found.
    fn found_either(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<PartFn> {
        let side = |e: &Expr| self.found(e).or_else(|| self.at_hand(e));
        let (shape, a, b) = (self.shape(&a.ty), side(a)?, side(b)?);
        Some(Box::new(move |env| {
            let ((x, cut), (y, other)) = (a(env)?, b(env)?);
            let both = match op {
                BinaryOp::Union => shape.union(&x, &y),
                // What is not found may stand in the place of what is on the left.
                _ if other.is_some() => y,
                _ => relation::overriding(&shape, &x, &y),
            };
            Ok((both, cut.or(other)))
        }))
    }

    /// All of a set that is not kept by its description.
    fn at_hand(&self, set: &Expr) -> Option<PartFn> {
        let (span, set) = (set.span, self.storable(set)?);
        Some(Box::new(move |env| {
            let set = set(env)?;
            Compiler::refuse_symbolic(env, &set, span)?;
            Ok((set, None))
        }))
    }

    /// The value of a description.
    pub fn symbolic(&self, number: u32, arguments: &[Expr]) -> Code {
        let arguments: Vec<ValueFn> = arguments.iter().map(|a| self.kept(a)).collect();
        Code::value(move |env| {
            let values = arguments.iter().map(|a| a(env)).collect::<Result<Arc<[_]>, _>>()?;
            let symbol = Arc::new((number, values));
            let found = match env.symbolic[number as usize].kept {
                Kept::Open => match whole(env, &symbol) {
                    Err(Stop::Cut(_)) => None,
                    found => found?,
                },
                Kept::Unbounded => all_found(env, &symbol)?,
                Kept::Infinite | Kept::Lazy => None,
            };
            Ok(found.unwrap_or(Value::Symbolic(symbol)))
        })
    }

    /// The value of an expression for operators that need finite sets.
    pub fn finite(&self, e: &Expr, value: Rich) -> Rich {
        if !self.may_be_symbolic(e) {
            return value;
        }
        let (span, operand) = (e.span, self.operand(e));
        Rich::run(move |env| {
            let v = value.get(env)?;
            if let Value::Symbolic(s) = &v
                && let Some(built) = whole(env, s)?
            {
                return Ok(built);
            }
            if v.is_symbolic() {
                return Err(env.fault(FaultKind::InfiniteSet, span, [(&operand, v)]));
            }
            Ok(v)
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
        let (shape, span, operand, f) = (self.shape(&f.ty), f.span, self.operand(f), self.kept(f));
        Box::new(move |env, x| match f(env)? {
            Value::Symbolic(s) => match has_image(env, &s, x)? {
                Some(truth) => Ok(truth),
                None => {
                    Err(env.fault(FaultKind::InfiniteSet, span, [(&operand, Value::Symbolic(s))]))
                }
            },
            f => Ok(!matches!(
                relation::apply(&shape, &f, x),
                Err(relation::ApplyError::OutsideDomain)
            )),
        })
    }

    /// `x : set` where `x` may be symbolic.
    pub fn symbolic_element(&self, x: &Expr, set: &Expr) -> Test {
        let (span, operand) = (x.span.to(set.span), self.operand(x));
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
                    None => Err(env.fault(FaultKind::NotDecided, span, [(&operand, x)])),
                },
                _ if !listed && !looks_into && x.is_symbolic() => {
                    Err(env.fault(FaultKind::NotDecided, span, [(&operand, x)]))
                }
                _ => test(env, &x),
            }
        })
    }

    /// Whether values that are kept by a description may be within the members of a set.
    pub(super) fn holds_infinite_sets(&self, set: &Expr) -> bool {
        let element = set.ty.element();
        !self.machine().symbolic.sets.is_empty() && element.is_some_and(Type::holds_infinite_sets)
    }

    /// Whether membership in a set asks what is within a value for membership in parts of the set, down to what is
    /// known of descriptions, and compares none of these.
    pub(super) fn looks_into_members(&self, set: &Expr) -> bool {
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
    pub(super) fn symbolic_or(&self, set: &Expr, test: Belongs) -> Belongs {
        let (decided, span) = (self.decisions(Comparison::Member, set), set.span);
        Belongs::run(move |env, x| {
            let Value::Symbolic(s) = x else { return test.holds(env, x) };
            match decided[s.0 as usize] {
                Some(truth) => Ok(truth),
                None if let Some(built) = whole(env, s)? => test.holds(env, &built),
                None => Err(env.fault(FaultKind::NotDecided, span, [])),
            }
        })
    }

    /// What is known of each description beforehand.
    fn decisions(&self, op: Comparison, set: &Expr) -> Vec<Option<bool>> {
        let machine = self.machine();
        let given = normalise::Given { itself: None, freetypes: &machine.freetypes };
        let sets = machine.symbolic.sets.iter();
        sets.map(|s| normalise::decide(op, &s.set, set, given)).collect()
    }

    /// `a <: b` where one of them may be symbolic.
    pub fn symbolic_subset(&self, a: &Expr, b: &Expr) -> Test {
        let (span, operand) = (a.span.to(b.span), self.operand(a));
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
            if let Some(built) = whole(env, s)? {
                return test(env, &built);
            }
            let b = other.as_ref().map(|b| b(env)).transpose()?;
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
                    Err(env.fault(FaultKind::NotDecided, span, [(&operand, a)]))
                }
                Some(_) if codes[s.0 as usize].certain && !open => Ok(false),
                Some(value) => match walked(env, s, &shape, &value, true)? {
                    Some(truth) => Ok(truth),
                    None => Err(env.fault(FaultKind::NotDecided, span, [(&operand, a)])),
                },
                _ => Err(env.fault(FaultKind::NotDecided, span, [(&operand, a)])),
            }
        })
    }

    /// The value of a set that is no infinite one as it is written.
    fn storable(&self, e: &Expr) -> Option<ValueFn> {
        (!self.is_infinite(e)).then(|| self.kept(e))
    }

    /// Whether a comprehension may be infinite: it cannot be enumerated whole.
    pub(super) fn is_open(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Comprehension(..) | ExprKind::Fold(..))
            && normalise::looks_infinite(e)
    }

    /// Equality where one side may be symbolic.
    pub fn symbolic_equal(&self, a: &Expr, b: &Expr) -> Test {
        let (span, operand) = (a.span.to(b.span), self.operand(a));
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
            let (a, b) = (built(env, a)?, built(env, b)?);
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
                }
                (Value::Symbolic(s), _) | (_, Value::Symbolic(s)) => code(s).certain && !open,
                (Value::Set(x), Value::Set(y)) if x.is_empty() != y.is_empty() => true,
                _ => !a.is_symbolic() && !b.is_symbolic(),
            };
            match decided {
                true => Ok(false),
                false => Err(env.fault(FaultKind::NotDecided, span, [(&operand, a)])),
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
                    None => FaultKind::InfiniteSet,
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
        let (span, operand) = (e.span, self.operand(r));
        let (rel, set, out) = (self.shape(&r.ty), self.shape(&s.ty), self.shape(&e.ty));
        let (r, s) = (self.kept(r), self.value(s));
        self.finish(&out.clone(), move |env| {
            let (r, s) = (r(env)?, s(env)?);
            let Value::Symbolic(symbol) = &r else {
                return Ok(relation::image(&rel, &out, &r, &s));
            };
            let mut items = Vec::new();
            for x in set.members(&s) {
                items.extend(at_point(env, symbol, &x, (span, &operand))?);
            }
            Ok(out.collect(items))
        })
    }

    /// `r ; f` where `f` may be symbolic, and `r` is not.
    pub fn symbolic_composition(&self, r: &Expr, f: &Expr, e: &Expr) -> Code {
        let (span, operand) = (e.span, self.operand(f));
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
                let found = at_point(env, symbol, &y, (span, &operand))?;
                items.extend(found.into_iter().map(|z| of.pair(x.clone(), z)));
                env.room_for(items.len(), span)?;
            }
            Ok(out.collect(items))
        })
    }

    /// `s <| f` where `f` may be symbolic, and `s` is not.
    pub fn symbolic_restriction(&self, s: &Expr, f: &Expr, e: &Expr) -> Code {
        let (span, operand) = (e.span, self.operand(f));
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
                let found = at_point(env, symbol, &x, (span, &operand))?;
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

    /// A number below which an infinite set of numbers has no members, where some number from it on
    /// is one for certain.
    pub fn least_candidate(&self, set: &Expr) -> Option<i64> {
        match &set.kind {
            ExprKind::Basic(BasicSet::Natural) => Some(0),
            ExprKind::Basic(BasicSet::Natural1) => Some(1),
            ExprKind::Binary(BinaryOp::Difference, a, b)
                if !self.is_infinite(b) && !self.may_be_symbolic(b) =>
            {
                self.least_candidate(a)
            }
            _ => None,
        }
    }

    /// `min(NATURAL - S)`: the first number that is a member.
    pub fn least_member(&self, set: &Expr, low: i64, shape: &Shape) -> Code {
        let test = self.member_test(set);
        self.finish(shape, move |env| {
            let mut at = low;
            while !test(env, &Value::Int(at))? {
                env.tick()?;
                at = at.checked_add(1).ok_or(Stop::Halted)?;
            }
            Ok(Value::Int(at))
        })
    }

    /// A fault for a set that is walked or changed and may not be infinite.
    pub fn refuse_symbolic(env: &mut Env, v: &Value, span: Span) -> Result<(), Stop> {
        match v {
            Value::Symbolic(_) => Err(env.fault(FaultKind::InfiniteSet, span, [])),
            _ => Ok(()),
        }
    }
}

/// Whether what a relation has at a point is worth remembering: it looks for solutions, or asks for what else is told
/// by a description. External functions may do something each time.
fn is_remembered(set: &Expr) -> bool {
    let external = Cell::new(false);
    Visitor::of(&mut |e| external.set(external.get() || matches!(e.kind, ExprKind::External(..))))
        .expr(&mut set.clone());
    !external.get() && is_costly(set)
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

/// Most descriptions that may be evaluated within each other: so deep a recursion has no end.
pub const MAX_RECURSION: u32 = 50_000;

/// Runs with the parameters of a description bound, and puts back what was in their place. All
/// recursion of functions and sets that mention themselves comes through here.
fn within<T>(
    env: &mut Env,
    s: &Symbol,
    run: impl FnOnce(&mut Env, &SymbolicCode) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let codes = env.symbolic.clone();
    let code = &codes[s.0 as usize];
    env.tick()?;
    let before: Vec<(u64, Value)> =
        code.frame.iter().map(|s| (env.words[s.index], env.values[s.index].clone())).collect();
    let mut result = Ok(());
    for (slot, v) in code.parameters.iter().zip(s.1.iter()) {
        result = result.and_then(|()| slot.set(env, v.clone()));
    }
    let result = result.and_then(|()| {
        if env.recursion == MAX_RECURSION {
            return Err(env.fault(FaultKind::RecursionTooDeep, code.span, []));
        }
        env.recursion += 1;
        let result = stack::deep(|| run(env, code));
        env.recursion -= 1;
        result
    });
    for (slot, (word, value)) in code.frame.iter().zip(before) {
        env.words[slot.index] = word;
        env.values[slot.index] = value;
    }
    result
}

/// Whether a symbolic set equals a value, or is a subset of it, by the members that are found. `None`:
/// its members cannot be looked for.
fn walked(
    env: &mut Env,
    s: &Symbol,
    shape: &Shape,
    value: &Value,
    subset: bool,
) -> Result<Option<bool>, Stop> {
    within(env, s, |env, code| {
        let Some(found) = &code.found else { return Ok(None) };
        match found(env)? {
            (found, _) if !shape.is_subset(&found, value) => Ok(Some(false)),
            (_, Some(stop)) => Err(stop),
            (found, None) => Ok(Some(subset || found == *value)),
        }
    })
}

fn is_member(env: &mut Env, s: &Symbol, x: &Value) -> Result<bool, Stop> {
    within(env, s, |env, code| (code.member)(env, x))
}

/// What a symbolic relation has at a point: `None` where its description does not tell.
pub(super) fn images(env: &mut Env, s: &Symbol, x: &Value) -> Result<Option<Vec<Value>>, Stop> {
    if !env.symbolic[s.0 as usize].remembered {
        return images_of(env, s, x);
    }
    if let Some(known) = env.memory.points.known(s, x) {
        return Ok(Some(known));
    }
    let found = images_of(env, s, x)?;
    if let Some(found) = &found {
        env.memory.points.learn(s, x, found);
    }
    Ok(found)
}

/// The same where it must be told.
fn at_point(
    env: &mut Env,
    s: &Symbol,
    x: &Value,
    (span, operand): (Span, &Operand),
) -> Result<Vec<Value>, Stop> {
    env.tick()?;
    match images(env, s, x)? {
        Some(found) => Ok(found),
        None => {
            Err(env.fault(FaultKind::InfiniteSet, span, [(operand, Value::Symbolic(s.clone()))]))
        }
    }
}

fn images_of(env: &mut Env, s: &Symbol, x: &Value) -> Result<Option<Vec<Value>>, Stop> {
    let found = within(env, s, |env, code| match &code.graph {
        Some(graph) => graph.at(env, x),
        None => Ok(None),
    })?;
    if found.is_some() {
        return Ok(found);
    }
    let Some(relation) = whole(env, s)? else { return Ok(None) };
    let codes = env.symbolic.clone();
    Ok(Some(at_value(&codes[s.0 as usize].shape, &relation, x)))
}

/// Whether a symbolic relation has something at a point.
fn has_image(env: &mut Env, s: &Symbol, x: &Value) -> Result<Option<bool>, Stop> {
    let known = within(env, s, |env, code| match &code.graph {
        Some(graph) => graph.has(env, x),
        None => Ok(None),
    })?;
    match known {
        Some(truth) => Ok(Some(truth)),
        None => Ok(images(env, s, x)?.map(|found| !found.is_empty())),
    }
}

/// A value with all its members, where it is a set that may be finite.
fn built(env: &mut Env, value: Value) -> Result<Value, Stop> {
    let Value::Symbolic(s) = &value else { return Ok(value) };
    Ok(whole(env, s)?.unwrap_or(value))
}

/// All members, of a set that may be finite though it is kept by its description. `None`: it is
/// infinite, or nothing can look for them; where not all are found, that stops whoever asked.
fn whole(env: &mut Env, s: &Symbol) -> Result<Option<Value>, Stop> {
    within(env, s, |env, code| match (&code.found, code.kept) {
        (None, _) | (_, Kept::Infinite | Kept::Unbounded) => Ok(None),
        (Some(found), _) => {
            let (value, cut) = found(env)?;
            cut.map_or(Ok(Some(value)), Err)
        }
    })
}

/// Most descriptions that are known not to be found.
const MOST_OPEN: usize = 1 << 14;

/// All members of a set of which it is not known whether it is infinite, if they are found where nothing is tried
/// within limits only. What is undefined in it is told by whoever asks for its members.
fn all_found(env: &mut Env, s: &Symbol) -> Result<Option<Value>, Stop> {
    if env.memory.open_sets.contains(&**s) {
        return Ok(None);
    }
    let found = within(env, s, |env, code| {
        let Some(found) = &code.found else { return Ok(None) };
        env.asks_whole = true;
        let found = found(env);
        env.asks_whole = false;
        match found {
            Ok((value, cut)) => Ok(cut.is_none().then_some(value)),
            Err(Stop::Fault(_) | Stop::Cut(_)) => {
                env.fault = None;
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    })?;
    if found.is_none() {
        if env.memory.open_sets.len() >= MOST_OPEN {
            env.memory.open_sets.clear();
        }
        env.memory.open_sets.insert((**s).clone());
    }
    Ok(found)
}
