//! Membership by structure: `x : S` without building `S`.
//!
//! Sets of functions, power sets, intervals and infinite sets are tested by what membership in them
//! means; only sets that are smaller than the test would be costly are built and looked up.

use crate::eval::compile::Compiler;
use crate::eval::consequences::conjuncts::is_at_hand;
use crate::eval::packed::wide::word_relation;
use crate::eval::unbuilt::members::is_set_of_trees;
use crate::lower::code::{Binder, TestFn};
use crate::lower::description::PartFn;
use crate::lower::env::Env;
use crate::lower::rich::Belongs;
use crate::lower::rich::belongs::Sequences;
use crate::lower::stop::Stop;
use crate::lower::{Order, Points, Relation, Test, Word};
use crate::machine::{BasicSet, BinaryOp, Expr, ExprKind, Fold, UnaryOp};
use crate::state::expect;
use crate::value::relation::{self, Arrow};
use crate::value::{Shape, Value};
use std::collections::BTreeSet;

impl Compiler<'_> {
    /// Whether membership is tested by the structure of the set expression.
    pub fn tests_by_structure(&self, set: &Expr) -> bool {
        use UnaryOp::*;
        match &set.kind {
            ExprKind::Basic(_)
            | ExprKind::Comprehension(..)
            | ExprKind::Struct(_)
            | ExprKind::Freetype { .. } => true,
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
                _ => {
                    Arrow::from_op(*op).is_some()
                        || self.may_be_symbolic(set)
                        || self.is_stepped(set)
                }
            },
            ExprKind::Unary(Closure1, _) => {
                self.may_be_symbolic(set) || self.is_stepped(set) || self.is_searched(set)
            }
            ExprKind::If(_, a, b) => self.tests_by_structure(a) || self.tests_by_structure(b),
            _ => self.may_be_symbolic(set),
        }
    }

    /// Membership in sets of integers, for integers that are words.
    pub fn integer_range(&self, x: &Expr, set: &Expr) -> Option<Test> {
        let number = |n: i64| Word::Constant(n as u64);
        let at_least =
            |n: i64| Test::compare(Relation::Ordered(Order::GreaterEqual), self.word(x), number(n));
        let (low, high) = match &set.kind {
            ExprKind::Basic(basic) => match self.ends_of_basic(*basic)? {
                (low, None) => return Some(at_least(low)),
                (low, Some(high)) => (number(low), number(high)),
            },
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

    /// What has to be true of a member of a set expression.
    pub fn belongs(&self, set: &Expr) -> Belongs {
        if self.is_whole_type(set) {
            return Belongs::Always;
        }
        let belongs = self.belongs_by_form(set);
        match self.holds_infinite_sets(set) && self.looks_into_members(set) {
            true => self.symbolic_or(set, belongs),
            false => belongs,
        }
    }

    /// The same, as closures take it.
    pub fn member_test(&self, set: &Expr) -> TestFn {
        self.belongs(set).into_fn()
    }

    fn belongs_by_form(&self, set: &Expr) -> Belongs {
        use UnaryOp::*;
        let two = |a: &Expr, b: &Expr| Box::new((self.belongs(a), self.belongs(b)));
        match &set.kind {
            ExprKind::Basic(basic) => self.belongs_to_basic(*basic),
            ExprKind::Freetype { made: None, .. } => Belongs::Always,
            ExprKind::Freetype { of, made: Some(number), .. } => Belongs::Made(*of, *number),
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                Belongs::Between(Box::new((self.rich(a), self.rich(b))))
            }
            ExprKind::Unary(Pow | Fin, of) => self.belongs_within(of),
            ExprKind::Unary(Pow1 | Fin1, of) => {
                Belongs::NotEmpty(self.shape(&of.ty), Box::new(self.belongs_within(of)))
            }
            ExprKind::Unary(op @ (Seq | Seq1 | Iseq | Iseq1 | Perm), of) => {
                Belongs::Sequence(Box::new(Sequences {
                    shape: self.shape(&set.ty).element(),
                    items: self.belongs(of),
                    not_empty: matches!(op, Seq1 | Iseq1),
                    injective: matches!(op, Iseq | Iseq1 | Perm),
                    all_of: (*op == Perm).then(|| (self.shape(&of.ty), self.rich(of))),
                }))
            }
            ExprKind::Unary(Dom, of) => match &of.kind {
                ExprKind::Fold(Fold::Lambda, locals, pred, _) => {
                    let binder = Binder::tuple(&self.slots(locals));
                    Belongs::Solution(Box::new((binder, self.test(pred))))
                }
                ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Comprehension(..)
                    if let Some(graph) = self.points_of(of) =>
                {
                    Belongs::Run(self.domain_at(graph, of))
                }
                _ if self.may_be_symbolic(of) => Belongs::Run(self.symbolic_domain(of)),
                _ => self.belongs_to_built(set),
            },
            ExprKind::Tree(op, operands) if is_set_of_trees(*op) => {
                Belongs::Run(self.tree_test(*op, &operands[0], set))
            }
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Union if self.tests_by_structure(set) => Belongs::Either(two(a, b)),
                BinaryOp::Intersection if self.tests_by_structure(set) => {
                    Belongs::Both(two(a, b), true)
                }
                BinaryOp::Difference if self.tests_by_structure(set) => {
                    Belongs::Both(two(a, b), false)
                }
                BinaryOp::Product => Belongs::Sides(self.shape(&set.ty).element(), two(a, b)),
                _ => match Arrow::from_op(*op) {
                    Some(arrow) => self.belongs_to_arrow(arrow, a, b),
                    None => self.belongs_to_built(set),
                },
            },
            ExprKind::SetExtension(items) if self.tests_by_structure(set) => {
                // Every item is evaluated: one that is undefined makes the set undefined.
                Belongs::Listed(self.all_kept(items))
            }
            ExprKind::Comprehension(locals, pred) => {
                let binder = Binder::tuple(&self.slots(locals));
                Belongs::Solution(Box::new((binder, self.test(pred))))
            }
            ExprKind::Fold(Fold::Lambda, locals, pred, body) => {
                let (pairs, binder) =
                    (self.shape(&set.ty).element(), Binder::tuple(&self.slots(locals)));
                let (test, body) = (self.test(pred), self.kept_rich(body));
                Belongs::Image(Box::new((pairs, binder, test, body)))
            }
            ExprKind::Struct(fields) => {
                Belongs::Record(fields.iter().map(|f| self.belongs(f)).collect())
            }
            ExprKind::If(c, a, b) => {
                Belongs::If(Box::new((self.test(c), self.belongs(a), self.belongs(b))))
            }
            _ => self.belongs_to_built(set),
        }
    }

    /// Builds the set and looks the value up.
    fn belongs_to_built(&self, set: &Expr) -> Belongs {
        if let Some(test) = self.pair_at(set) {
            return Belongs::Run(test);
        }
        if let Some(belongs) = self.belongs_to_closure(set) {
            return belongs;
        }
        match self.may_be_symbolic(set) {
            true => Belongs::Run(self.symbolic_member(set)),
            false => Belongs::In(self.shape(&set.ty), self.rich(set)),
        }
    }

    fn belongs_to_basic(&self, set: BasicSet) -> Belongs {
        self.ends_of_basic(set).map_or(Belongs::Always, |(low, high)| Belongs::Number(low, high))
    }

    /// The least number of a named set of numbers, and the greatest, if there is one.
    pub(in crate::eval) fn ends_of_basic(&self, set: BasicSet) -> Option<(i64, Option<i64>)> {
        let (min, max) = (self.instance.min_int, self.instance.max_int);
        Some(match set {
            BasicSet::Natural => (0, None),
            BasicSet::Natural1 => (1, None),
            BasicSet::Int => (min, Some(max)),
            BasicSet::Nat => (0, Some(max)),
            BasicSet::Nat1 => (1, Some(max)),
            _ => return None,
        })
    }

    /// What has to be true of a subset of a set expression.
    pub fn belongs_within(&self, of: &Expr) -> Belongs {
        if self.is_whole_type(of) {
            return Belongs::Always;
        }
        let shape = self.shape(&of.ty);
        let listed = matches!(of.kind, ExprKind::SetExtension(_));
        if listed || !self.tests_by_structure(of) && !self.is_infinite(of) {
            return Belongs::Within(shape, self.rich(of));
        }
        Belongs::Members(shape, Box::new(self.belongs(of)))
    }

    /// The same, as closures take it.
    pub fn subset_test(&self, of: &Expr) -> TestFn {
        self.belongs_within(of).into_fn()
    }

    fn belongs_to_arrow(&self, arrow: Arrow, a: &Expr, b: &Expr) -> Belongs {
        let (a_shape, b_shape) = (self.shape(&a.ty), self.shape(&b.ty));
        let rel = Shape::set_of(Shape::pair_of(a_shape.element(), b_shape.element()));
        let is_list = matches!(rel, Shape::Set(_));
        let whole = self.belongs_to_any_arrow((rel, a_shape, b_shape), arrow, a, b);
        match self.array_test(arrow, a, b).filter(|_| is_list) {
            None => whole,
            Some(test) => Belongs::run(move |env, r| {
                test.holds(env, r)?.map_or_else(|| whole.holds(env, r), Ok)
            }),
        }
    }

    fn belongs_to_any_arrow(
        &self,
        (rel, a_shape, b_shape): (Shape, Shape, Shape),
        arrow: Arrow,
        a: &Expr,
        b: &Expr,
    ) -> Belongs {
        if !self.is_infinite(a)
            && !self.is_infinite(b)
            && !self.tests_by_structure(a)
            && !self.tests_by_structure(b)
        {
            return Belongs::Arrow(Box::new((rel, arrow, self.rich(a), self.rich(b))));
        }
        // Total on, or onto, an infinite set: no finite relation is.
        if arrow.total && self.is_endless(a) || arrow.surjective && self.is_endless(b) {
            return Belongs::run(|_, _| Ok(false));
        }
        let side = |set: &Expr, is_whole: bool| SideOfArrow {
            // The set itself, all of it, needs no other test.
            within: (!is_whole || self.is_infinite(set)).then(|| self.belongs_within(set)),
            all: is_whole.then(|| self.whole_or_part(set)),
        };
        let (from, to) = (side(a, arrow.total), side(b, arrow.surjective));
        Belongs::run(move |env, r| {
            // Both sets are looked at, whatever the relation is: an undefined one is not hidden.
            let lefts = || relation::pairs(&rel, r).map(|(x, _)| x);
            let from = from.has(env, &a_shape, lefts, || relation::domain(&rel, &a_shape, r))?;
            let rights = || relation::pairs(&rel, r).map(|(_, y)| y);
            let to = to.has(env, &b_shape, rights, || relation::range(&rel, &b_shape, r))?;
            Ok(from
                && to
                && (!arrow.functional || relation::is_function(&rel, r))
                && (!arrow.injective || relation::is_injective(&rel, r)))
        })
    }
}

/// What the domain or the range of a relation is asked for.
struct SideOfArrow {
    /// To be within a set.
    within: Option<Belongs>,
    /// To be this set, as far as it is found.
    all: Option<PartFn>,
}

impl SideOfArrow {
    /// Whether that is true of one side of a relation: `each` member of it, or the `whole` set, of this shape.
    fn has<I: Iterator<Item = Value>>(
        &self,
        env: &mut Env,
        shape: &Shape,
        each: impl FnOnce() -> I,
        whole: impl Fn() -> Value,
    ) -> Result<bool, Stop> {
        let within = match &self.within {
            Some(of) => of.holds_of_side(env, each(), &whole)?,
            None => true,
        };
        let Some(all) = &self.all else { return Ok(within) };
        let side = whole();
        match all(env)? {
            (found, None) => Ok(within && found == side),
            (found, Some(stop)) if shape.is_subset(&found, &side) => Err(stop),
            _ => Ok(false),
        }
    }
}
