//! Membership by structure: `x : S` without building `S`.
//!
//! Sets of functions, power sets, intervals and infinite sets are tested by what membership in them
//! means; only sets that are smaller than the test would be costly are built and looked up.

use super::application::word_relation;
use super::code::{Binder, TestFn};
use super::compile::Compiler;
use super::conjuncts::is_at_hand;
use super::env::{Env, graver};
use super::lower::description::PartFn;
use super::lower::{Order, Points, Relation, Test, Word};
use super::predicate::undecided;
use super::stop::Stop;
use super::tree::is_set_of_trees;
use crate::machine::{BasicSet, BinaryOp, Expr, ExprKind, Fold, UnaryOp};
use crate::state::expect;
use crate::value::relation::{self, Arrow};
use crate::value::{Shape, Value, sequence};
use std::collections::BTreeSet;

impl Compiler<'_> {
    /// Whether membership is tested by the structure of the set expression.
    pub fn tests_by_structure(&self, set: &Expr) -> bool {
        use UnaryOp::*;
        match &set.kind {
            ExprKind::Basic(_)
            | ExprKind::Comprehension(..)
            | ExprKind::Struct(_)
            | ExprKind::Freetype(..) => true,
            ExprKind::Fold(Fold::Lambda, ..) => true,
            ExprKind::SetExtension(items) => {
                !self.is_word(&self.shape(&set.ty)) && items.len() < 16
            }
            ExprKind::Unary(Pow | Pow1 | Fin | Fin1, of) => {
                !self.is_word(&self.shape(&set.ty)) || self.tests_by_structure(of)
            }
            ExprKind::Unary(Seq | Seq1 | Iseq | Iseq1 | Perm, _) => true,
            ExprKind::Unary(Dom, of) => {
                matches!(of.kind, ExprKind::Fold(Fold::Lambda, ..)) || !self.is_buildable(of)
            }
            ExprKind::Tree(op, _) => is_set_of_trees(*op),
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Interval => true,
                BinaryOp::Product
                | BinaryOp::Union
                | BinaryOp::Intersection
                | BinaryOp::Difference => {
                    self.tests_by_structure(a) || self.tests_by_structure(b) || !self.is_total(set)
                }
                _ => Arrow::from_op(*op).is_some() || self.may_be_symbolic(set),
            },
            ExprKind::If(_, a, b) => self.tests_by_structure(a) || self.tests_by_structure(b),
            _ => self.may_be_symbolic(set),
        }
    }

    /// Membership in sets of integers, for integers that are words.
    pub fn integer_range(&self, x: &Expr, set: &Expr) -> Option<Test> {
        let number = |n: i64| Word::Constant(n as u64);
        let (min, max) = (number(self.instance.min_int), number(self.instance.max_int));
        let at_least =
            |n: i64| Test::compare(Relation::Ordered(Order::GreaterEqual), self.word(x), number(n));
        let (low, high) = match &set.kind {
            ExprKind::Basic(BasicSet::Natural) => return Some(at_least(0)),
            ExprKind::Basic(BasicSet::Natural1) => return Some(at_least(1)),
            ExprKind::Basic(BasicSet::Int) => (min, max),
            ExprKind::Basic(BasicSet::Nat) => (number(0), max),
            ExprKind::Basic(BasicSet::Nat1) => (number(1), max),
            ExprKind::Binary(BinaryOp::Interval, a, b) => (self.word(a), self.word(b)),
            ExprKind::SetExtension(items) => {
                let numbers = items.iter().map(|e| expect::integer(self.instance, e));
                let numbers = numbers.collect::<Option<BTreeSet<i64>>>()?;
                let (low, high) = (*numbers.first()?, *numbers.last()?);
                if high.checked_sub(low).is_none_or(|n| n != numbers.len() as i64 - 1) {
                    let is = |n: &i64| Test::equal(self.word(x), number(*n));
                    return is_at_hand(x).then(|| Test::any(numbers.iter().map(is).collect()));
                }
                (number(low), number(high))
            }
            _ => return None,
        };
        Some(Test::Between(Box::new((self.word(x), low, high))))
    }

    /// `x : dom(f)` for a variable that holds one number for each argument, or a relation in a word.
    pub fn member_of_domain(&self, x: &Expr, set: &Expr) -> Option<Test> {
        let ExprKind::Unary(UnaryOp::Dom, f) = &set.kind else { return None };
        if self.may_be_symbolic(f) {
            return None;
        }
        if let ExprKind::Variable(id) = f.kind {
            if let Some(point) = self.point(id, f, x, set.span) {
                return Some(Test::HasPoint(Box::new(point)));
            }
            if self.mark(id).is_none()
                && let Some(points) = Points::of(&self.layout, id)
            {
                let x = self.value(x);
                return Some(Test::run(move |env| {
                    let x = x(env)?;
                    if !points.is_outside(&env.state) {
                        return Ok(points.result(&env.state, &x).is_some());
                    }
                    let f = points.layout.read(id, &env.state, &mut env.interner);
                    let result = relation::apply(points.shape(), &f, &x);
                    Ok(!matches!(result, Err(relation::ApplyError::OutsideDomain)))
                }));
            }
        }
        if let Some(test) = self.wide_member_of_domain(x, f) {
            return Some(test);
        }
        let grid = word_relation(&self.shape(&f.ty))?;
        Some(Test::compare(Relation::InDomain(grid), self.word(x), self.word(f)))
    }

    /// `r : A --> B` (any arrow) for a relation that is a word: one pass over its rows.
    pub fn member_of_arrow(&self, r: &Expr, set: &Expr) -> Option<Test> {
        let ExprKind::Binary(op, a, b) = &set.kind else { return None };
        let arrow = Arrow::from_op(*op)?;
        if !self.is_total(a) || !self.is_total(b) {
            return None;
        }
        if !self.may_be_symbolic(r)
            && let Some(test) = self.wide_member_of_arrow(r, (arrow, a, b))
        {
            return Some(test);
        }
        let grid = word_relation(&self.shape(&r.ty))?;
        let parts = Box::new((self.word(r), self.word(a), self.word(b)));
        Some(Test::IsArrow(parts, grid, arrow))
    }

    /// A test for membership in a set expression.
    pub fn member_test(&self, set: &Expr) -> TestFn {
        if self.is_whole_type(set) {
            return Box::new(|_, _| Ok(true));
        }
        let test = self.test_by_form(set);
        match self.holds_infinite_sets(set) && self.looks_into_members(set) {
            true => self.symbolic_or(set, test),
            false => test,
        }
    }

    fn test_by_form(&self, set: &Expr) -> TestFn {
        match &set.kind {
            ExprKind::Basic(basic) => self.basic_test(*basic),
            ExprKind::Freetype(_, made) => {
                let made = *made;
                Box::new(move |_, x| match (made, x) {
                    (Some(number), Value::Free(v)) => Ok(v.0 == number),
                    (made, _) => Ok(made.is_none()),
                })
            }
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                Box::new(move |env, x| {
                    let (a, b) = (a(env)?, b(env)?);
                    Ok(a <= *x && *x <= b)
                })
            }
            ExprKind::Unary(op, of) => match op {
                UnaryOp::Pow | UnaryOp::Fin => self.subset_test(of),
                UnaryOp::Pow1 | UnaryOp::Fin1 => {
                    let (shape, test) = (self.shape(&of.ty), self.subset_test(of));
                    Box::new(move |env, x| Ok(!shape.is_empty(x) && test(env, x)?))
                }
                UnaryOp::Seq | UnaryOp::Seq1 | UnaryOp::Iseq | UnaryOp::Iseq1 | UnaryOp::Perm => {
                    self.sequence_test(*op, of, set)
                }
                UnaryOp::Dom => match &of.kind {
                    ExprKind::Fold(Fold::Lambda, locals, pred, _) => {
                        let (binder, pred) = (Binder::tuple(&self.slots(locals)), self.pred(pred));
                        Box::new(move |env, x| {
                            binder.bind(env, x.clone())?;
                            pred(env)
                        })
                    }
                    ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Comprehension(..)
                        if let Some(graph) = self.points_of(of) =>
                    {
                        self.domain_at(graph, of)
                    }
                    _ if self.may_be_symbolic(of) => self.symbolic_domain(of),
                    _ => self.built_test(set),
                },
                _ => self.built_test(set),
            },
            ExprKind::Tree(op, operands) if is_set_of_trees(*op) => {
                self.tree_test(*op, &operands[0], set)
            }
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Union if self.tests_by_structure(set) => self.either(a, b),
                BinaryOp::Intersection if self.tests_by_structure(set) => self.both(a, b, true),
                BinaryOp::Difference if self.tests_by_structure(set) => self.both(a, b, false),
                BinaryOp::Product => {
                    let pairs = self.shape(&set.ty).element();
                    let (a, b) = (self.member_test(a), self.member_test(b));
                    Box::new(move |env, x| {
                        let (l, r) = pairs.split(x);
                        first_of(env, false, |env| a(env, &l), |env| b(env, &r))
                    })
                }
                _ => match Arrow::from_op(*op) {
                    Some(arrow) => self.arrow_test(arrow, a, b),
                    None => self.built_test(set),
                },
            },
            ExprKind::SetExtension(items) if self.tests_by_structure(set) => {
                let items: Vec<_> = items.iter().map(|i| self.kept(i)).collect();
                Box::new(move |env, x| {
                    // Every item is evaluated: one that is undefined makes the set undefined.
                    let mut found = false;
                    for item in &items {
                        found |= item(env)? == *x;
                    }
                    Ok(found)
                })
            }
            ExprKind::Comprehension(locals, pred) => {
                let (binder, pred) = (Binder::tuple(&self.slots(locals)), self.pred(pred));
                Box::new(move |env, x| {
                    binder.bind(env, x.clone())?;
                    pred(env)
                })
            }
            ExprKind::Fold(Fold::Lambda, locals, pred, body) => {
                let (binder, pred, body) =
                    (Binder::tuple(&self.slots(locals)), self.pred(pred), self.kept(body));
                let pairs = self.shape(&set.ty).element();
                Box::new(move |env, x| {
                    let (argument, result) = pairs.split(x);
                    binder.bind(env, argument)?;
                    Ok(pred(env)? && body(env)? == result)
                })
            }
            ExprKind::Struct(fields) => {
                let fields: Vec<_> = fields.iter().map(|f| self.member_test(f)).collect();
                Box::new(move |env, x| {
                    let Value::Record(values) = x else { return Ok(false) };
                    for (test, value) in fields.iter().zip(values.iter()) {
                        if !test(env, value)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                })
            }
            ExprKind::If(c, a, b) => {
                let (c, a, b) = (self.pred(c), self.member_test(a), self.member_test(b));
                Box::new(move |env, x| if c(env)? { a(env, x) } else { b(env, x) })
            }
            _ => self.built_test(set),
        }
    }

    /// Builds the set and looks the value up.
    fn built_test(&self, set: &Expr) -> TestFn {
        if self.may_be_symbolic(set) {
            return self.symbolic_member(set);
        }
        let (shape, set) = (self.shape(&set.ty), self.value(set));
        Box::new(move |env, x| {
            let set = set(env)?;
            Ok(shape.contains(&set, x))
        })
    }

    fn basic_test(&self, set: BasicSet) -> TestFn {
        let within = |low: i64, high: i64| -> TestFn {
            Box::new(move |_, x| Ok(matches!(x, Value::Int(i) if *i >= low && *i <= high)))
        };
        let (min, max) = (self.instance.min_int, self.instance.max_int);
        match set {
            BasicSet::Natural => Box::new(|_, x| Ok(*x >= Value::Int(0))),
            BasicSet::Natural1 => Box::new(|_, x| Ok(*x >= Value::Int(1))),
            BasicSet::Int => within(min, max),
            BasicSet::Nat => within(0, max),
            BasicSet::Nat1 => within(1, max),
            _ => Box::new(|_, _| Ok(true)),
        }
    }

    fn either(&self, a: &Expr, b: &Expr) -> TestFn {
        let (a, b) = (self.member_test(a), self.member_test(b));
        Box::new(move |env, x| first_of(env, true, |env| a(env, x), |env| b(env, x)))
    }

    fn both(&self, a: &Expr, b: &Expr, truth: bool) -> TestFn {
        let (a, b) = (self.member_test(a), self.member_test(b));
        Box::new(move |env, x| first_of(env, false, |env| a(env, x), |env| Ok(b(env, x)? == truth)))
    }

    /// A test whether a set is a subset of a set expression.
    pub fn subset_test(&self, of: &Expr) -> TestFn {
        if self.is_whole_type(of) {
            return Box::new(|_, _| Ok(true));
        }
        let shape = self.shape(&of.ty);
        let listed = matches!(of.kind, ExprKind::SetExtension(_));
        if listed || !self.tests_by_structure(of) && !self.is_infinite(of) {
            let of = self.value(of);
            return Box::new(move |env, x| {
                let all = of(env)?;
                Ok(shape.is_subset(x, &all))
            });
        }
        let test = self.member_test(of);
        Box::new(move |env, x| {
            let mut open = None;
            for member in shape.members(x) {
                match test(env, &member) {
                    Ok(true) => {}
                    Ok(false) => return Ok(false),
                    Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                        let own = (stop, env.fault.take());
                        open = Some(graver(open, own));
                    }
                    Err(stop) => return Err(stop),
                }
            }
            undecided(env, open, true)
        })
    }

    fn arrow_test(&self, arrow: Arrow, a: &Expr, b: &Expr) -> TestFn {
        let (a_shape, b_shape) = (self.shape(&a.ty), self.shape(&b.ty));
        let rel = Shape::set_of(Shape::pair_of(a_shape.element(), b_shape.element()));
        if !self.is_infinite(a)
            && !self.is_infinite(b)
            && !self.tests_by_structure(a)
            && !self.tests_by_structure(b)
        {
            let (a, b) = (self.value(a), self.value(b));
            return Box::new(move |env, r| {
                let (dom, ran) = (a(env)?, b(env)?);
                Ok(relation::has_arrow(&rel, r, arrow, &dom, &ran))
            });
        }
        // Total on, or onto, an infinite set: no finite relation is.
        if arrow.total && self.is_endless(a) || arrow.surjective && self.is_endless(b) {
            return Box::new(|_, _| Ok(false));
        }
        let whole = |set: &Expr, wanted: bool| wanted.then(|| self.whole_or_part(set));
        let (all_a, all_b) = (whole(a, arrow.total), whole(b, arrow.surjective));
        let (in_a, in_b) = (self.subset_test(a), self.subset_test(b));
        Box::new(move |env, r| {
            let (dom, ran) =
                (relation::domain(&rel, &a_shape, r), relation::range(&rel, &b_shape, r));
            // Both sets are looked at, whatever the relation is: an undefined one is not hidden.
            let (in_a, in_b) = (in_a(env, &dom)?, in_b(env, &ran)?);
            let whole = |env: &mut Env, all: &Option<PartFn>, shape: &Shape, side: &Value| {
                let Some(all) = all else { return Ok(true) };
                match all(env)? {
                    (found, None) => Ok(found == *side),
                    (found, Some(stop)) if shape.is_subset(&found, side) => Err(stop),
                    _ => Ok(false),
                }
            };
            let total = whole(env, &all_a, &a_shape, &dom)?;
            let onto = whole(env, &all_b, &b_shape, &ran)?;
            Ok(in_a
                && in_b
                && total
                && onto
                && (!arrow.functional || relation::is_function(&rel, r))
                && (!arrow.injective || relation::is_injective(&rel, r)))
        })
    }

    fn sequence_test(&self, op: UnaryOp, of: &Expr, set: &Expr) -> TestFn {
        let seq = self.shape(&set.ty).element();
        let elements = self.shape(&of.ty);
        let perm = (op == UnaryOp::Perm).then(|| self.value(of));
        let test = self.member_test(of);
        Box::new(move |env, s| {
            let Some(items) = sequence::items(&seq, s) else { return Ok(false) };
            if matches!(op, UnaryOp::Seq1 | UnaryOp::Iseq1) && items.is_empty() {
                return Ok(false);
            }
            for item in &items {
                if !test(env, item)? {
                    return Ok(false);
                }
            }
            if matches!(op, UnaryOp::Iseq | UnaryOp::Iseq1 | UnaryOp::Perm)
                && !sequence::is_injective_sequence(&seq, s)
            {
                return Ok(false);
            }
            match &perm {
                Some(all) => Ok(elements.card(&all(env)?) == items.len()),
                None => Ok(true),
            }
        })
    }
}

/// Two conditions of which the first that is `decisive` decides, whatever the other; an undefined
/// or unknown one counts only when neither is.
fn first_of(
    env: &mut Env,
    decisive: bool,
    first: impl FnOnce(&mut Env) -> Result<bool, Stop>,
    second: impl FnOnce(&mut Env) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    match first(env) {
        Ok(truth) if truth == decisive => Ok(decisive),
        Ok(_) => second(env),
        Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
            let first = (stop, env.fault.take());
            match second(env) {
                Ok(truth) if truth == decisive => Ok(decisive),
                Ok(_) => undecided(env, Some(first), !decisive),
                Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                    let second = (stop, env.fault.take());
                    undecided(env, Some(graver(Some(first), second)), !decisive)
                }
                Err(stop) => Err(stop),
            }
        }
        Err(stop) => Err(stop),
    }
}
