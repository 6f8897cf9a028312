//! The compiler: typed formulas to lowered code. This file holds what all its parts share.

use crate::diagnostic::Diagnostic;
use crate::eval::once::remember::Remembering;
use crate::eval::plans::estimate::WORTH_WHILE;
use crate::eval::plans::plan::PlanMemory;
use crate::eval::solutions::solve::ActionMemory;
use crate::eval::solutions::tested::Tested;
use crate::eval::unbuilt::members::is_set_of_trees;
use crate::lower::code::{Code, Slot, ValueFn, lower};
use crate::lower::env::{Env, Operand};
use crate::lower::stop::{FaultKind, Stop};
use crate::lower::{Rich, Word};
use crate::machine::footprint::Footprint;
use crate::machine::unwritten::read_too_early;
use crate::machine::{
    BasicSet, BinaryOp, Expr, ExprKind, FreeId, LocalId, Machine, Operation, Subst, Type, UnaryOp,
};
use crate::normalise;
use crate::source::Span;
use crate::state::{Axis, Instance, Layout, expect};
use crate::value::{Shape, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

/// From how many numbers on an interval is long.
const LONG: i64 = 1 << 20;

/// What to do with an undefined conjunct when all others hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Undefined {
    /// It is a fault.
    Fault,
    /// It is a fault of this candidate: the outcomes with others go on.
    Outcome,
    /// The candidate is passed on with [`Env::pending`] set: other candidates may decide.
    Tell,
    /// The same in a guard, where candidates for which an application has no pair to stand for
    /// need not be tried (see `guard`).
    Guard,
}

pub struct Compiler<'a> {
    pub instance: &'a Instance,
    pub layout: Arc<Layout>,
    /// Integers are values of any size. Otherwise they are words, and overflow stops the evaluation.
    pub exact: bool,
    /// The code is that of the initialisation: variables have no value until they are written.
    pub(super) initial: bool,
    /// Results and `VAR` locals of all operations that may be read before they have a value.
    unsure: BTreeSet<LocalId>,
    /// The shapes of sets, by where the types of their members lie, which are kept for that.
    shapes: RefCell<FxHashMap<*const Type, (Arc<Type>, Shape)>>,
    /// What cannot be compiled, found on the way.
    pub problems: RefCell<Vec<Diagnostic>>,
    pub(super) plans: RefCell<PlanMemory>,
    pub(super) actions: RefCell<ActionMemory>,
    /// The tests at hand that stand in several places; see `tested`.
    pub(super) tested: RefCell<Vec<Tested>>,
    /// The numbers that equations of the predicates planned so far give to locals: what estimates go by.
    pub(super) numbers: RefCell<FxHashMap<LocalId, i64>>,
    /// Expected candidates from which on a predicate is left to the solver.
    pub solver_from: Cell<f64>,
    /// The applications that stand for pairs in the guard at hand; see `guard`.
    pub(super) pairs: RefCell<FxHashSet<Span>>,
    pub(super) remembering: Remembering,
    /// Whether the solutions of a predicate count as listed where they have no finite type and the predicate
    /// bounds them: this is planned, which takes its time.
    pub(super) counts_on_bounds: bool,
    /// The sets that the loop at hand lets grow; see `growing`.
    pub(super) growing: RefCell<BTreeSet<LocalId>>,
    /// The free types whose sets are being looked into, one within the other, each with what is taken for true
    /// of it meanwhile; see `freetypes`.
    pub(super) within: RefCell<Vec<(FreeId, bool)>>,
    /// How many words that are lowered twice, to words and to values, the expression at hand is an operand of; see `line`.
    pub(super) lines: Cell<u32>,
    /// What is compiled is asked of every state; see `incremental`.
    pub(super) asks_states: Cell<bool>,
}

impl<'a> Compiler<'a> {
    pub fn new(instance: &'a Instance, layout: Arc<Layout>, exact: bool) -> Compiler<'a> {
        let machine = &instance.machine;
        let bodies = machine.operations.iter().map(|o| &o.body).chain(&machine.initialisation);
        let mut assigned: BTreeSet<LocalId> =
            bodies.flat_map(|b| Footprint::of_subst(b).assigned).collect();
        assigned.extend(machine.operations.iter().flat_map(|o| &o.results));
        let unsure = match assigned.is_empty() {
            true => BTreeSet::new(),
            false => {
                let whole: Vec<Subst> = machine.operations.iter().map(Operation::whole).collect();
                read_too_early(whole.iter().chain(&machine.initialisation), &assigned)
            }
        };
        Compiler {
            instance,
            layout,
            exact,
            initial: false,
            unsure,
            shapes: RefCell::default(),
            problems: RefCell::default(),
            plans: RefCell::default(),
            actions: RefCell::default(),
            tested: RefCell::default(),
            numbers: RefCell::default(),
            solver_from: Cell::new(WORTH_WHILE),
            pairs: RefCell::default(),
            remembering: Remembering::default(),
            counts_on_bounds: false,
            growing: RefCell::default(),
            within: RefCell::default(),
            lines: Cell::default(),
            asks_states: Cell::default(),
        }
    }

    /// The same for the initialisation.
    pub fn for_initialisation(
        instance: &'a Instance,
        layout: Arc<Layout>,
        exact: bool,
    ) -> Compiler<'a> {
        Compiler { initial: true, ..Compiler::new(instance, layout, exact) }
    }

    /// Whether a result or a `VAR` local may be read before it has a value.
    pub fn may_be_unwritten(&self, id: LocalId) -> bool {
        self.unsure.contains(&id)
    }

    pub fn machine(&self) -> &'a Machine {
        &self.instance.machine
    }

    pub fn shape(&self, ty: &Type) -> Shape {
        let Type::Pow(of) = ty else { return self.instance.shape(ty) };
        let mut shapes = self.shapes.borrow_mut();
        let make = || (of.clone(), self.instance.shape(ty));
        shapes.entry(Arc::as_ptr(of)).or_insert_with(make).1.clone()
    }

    /// What a fault tells of an operand.
    pub fn operand(&self, e: &Expr) -> Operand {
        let notation = self.machine().notations.of_expr(e);
        Operand { span: e.span, ty: e.ty.clone(), notation, name: None }
    }

    pub fn slot(&self, id: LocalId) -> Slot {
        let shape = self.shape(&self.machine().local(id).ty);
        Slot { index: id.0 as usize, word: self.is_word(&shape), shape }
    }

    pub fn slots(&self, ids: &[LocalId]) -> Vec<Slot> {
        ids.iter().map(|id| self.slot(*id)).collect()
    }

    /// Whether values of this shape are held in a word here.
    pub fn is_word(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Index(_) => true,
            Shape::Integer => !self.exact,
            _ => false,
        }
    }

    /// Reports what cannot be evaluated and gives code that is never run.
    pub fn refuse(&self, span: Span, what: impl std::fmt::Display) -> Code {
        self.problems.borrow_mut().push(Diagnostic::not_yet(span, what));
        Code::value(move |env| Err(env.fault(FaultKind::InfiniteSet, span, [])))
    }

    /// The expression as a word. Only for shapes that are words, and for pairs of such ([`Compiler::on_axis`]).
    pub fn word(&self, e: &Expr) -> Word {
        match self.expr(e) {
            Code::Word(word) => word,
            Code::Value(rich) => Word::Of(Arc::new(self.built(e, rich))),
        }
    }

    /// The expression as a value that a local of its type may hold: no description where that has no infinite sets.
    pub(super) fn holdable(&self, e: &Expr) -> ValueFn {
        match e.ty.holds_infinite_sets() {
            true => self.kept(e),
            false => self.value(e),
        }
    }

    /// The expression as the word by which it has a code on this axis: where that is of pairs, a word of both.
    pub(super) fn on_axis(&self, e: &Expr, axis: &Axis) -> Word {
        match (axis, &e.kind) {
            (Axis::Pair(_), _)
                if let Some(pair) = self.given_word(e, axis).or_else(|| self.pair_word(e)) =>
            {
                pair
            }
            (Axis::Subset(of), _) if let Some(set) = self.exact_bits(e, of) => set,
            (Axis::Map(map), _) if let Some(line) = self.whole_line(e, map) => line,
            (Axis::Map(map), _) if let Some(word) = self.changed_map(e, map) => word,
            (Axis::Texts(_), _) if let Some(text) = self.text_word(e, axis) => text,
            (Axis::Map(_) | Axis::Subset(_) | Axis::Texts(_), _) => self.code_of(e, axis),
            _ => self.word(e),
        }
    }

    /// The code of a value, which has to be made for that.
    pub(super) fn code_of(&self, e: &Expr, axis: &Axis) -> Word {
        let (value, axis) = (self.value(e), axis.clone());
        Word::run(move |env| axis.code(&value(env)?).ok_or(Stop::Overflow))
    }

    /// The expression as a value; where it may be symbolic, guarded.
    pub fn rich(&self, e: &Expr) -> Rich {
        self.built(e, self.kept_rich(e))
    }

    /// The expression as a value that may be, or contain, a symbolic set.
    pub fn kept_rich(&self, e: &Expr) -> Rich {
        match self.expr(e) {
            Code::Value(rich) => rich,
            Code::Word(word) => Rich::word(word, self.shape(&e.ty)),
        }
    }

    /// Several, as [`Compiler::kept_rich`].
    pub fn all_kept(&self, es: &[Expr]) -> Box<[Rich]> {
        es.iter().map(|e| self.kept_rich(e)).collect()
    }

    /// [`Compiler::rich`], as closures take it.
    pub fn value(&self, e: &Expr) -> ValueFn {
        self.rich(e).into_fn()
    }

    /// [`Compiler::kept_rich`], as closures take it.
    pub fn kept(&self, e: &Expr) -> ValueFn {
        self.kept_rich(e).into_fn()
    }

    /// Code of a value in the form that its shape asks for.
    pub fn made(&self, shape: &Shape, rich: Rich) -> Code {
        rich.into_code(self.is_word(shape))
    }

    /// The same of what has no lowered form.
    pub fn finish(
        &self,
        shape: &Shape,
        f: impl Fn(&mut Env) -> Result<Value, Stop> + Send + Sync + 'static,
    ) -> Code {
        match self.is_word(shape) {
            true => Code::run(move |env| Ok(lower(&f(env)?)?)),
            false => Code::value(f),
        }
    }

    /// A constant value.
    pub fn literal(&self, shape: &Shape, value: Value) -> Code {
        match (&value, self.is_word(shape)) {
            (Value::Word(w), true) => Code::Word(Word::Constant(*w)),
            (Value::Int(i), true) => Code::Word(Word::Constant(*i as u64)),
            (_, true) => Code::run(|_| Err(Stop::Overflow.into())),
            _ => Code::Value(Rich::Constant(value)),
        }
    }

    /// Whether a set expression is all of its type: membership in it says nothing.
    pub fn is_whole_type(&self, set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Carrier(_) | ExprKind::Freetype { made: None, .. } => true,
            ExprKind::Basic(b) => {
                matches!(b, BasicSet::Bool | BasicSet::Integer | BasicSet::String | BasicSet::Real)
            }
            ExprKind::Unary(UnaryOp::Pow, of) => self.is_whole_type(of),
            ExprKind::Unary(UnaryOp::Fin, of) => {
                self.is_whole_type(of) && self.shape(&of.ty).element().is_finite()
            }
            ExprKind::Binary(BinaryOp::Product | BinaryOp::Relations, a, b) => {
                self.is_whole_type(a) && self.is_whole_type(b)
            }
            ExprKind::Struct(fields) => fields.iter().all(|f| self.is_whole_type(f)),
            _ => false,
        }
    }

    /// Whether a set is an interval of so many numbers that others are rather asked whether they are in it than that it
    /// is built, or what is left of one.
    pub fn is_long(&self, set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Binary(BinaryOp::Difference, a, b) => self.is_long(a) && !self.is_long(b),
            ExprKind::Binary(BinaryOp::Intersection, a, b) => {
                let endless = |set| self.is_infinite(set) || self.is_long(set);
                endless(a) && endless(b) && (self.is_long(a) || self.is_long(b))
            }
            _ => self.ends_of(set).is_some_and(|(low, high)| high.saturating_sub(low) >= LONG),
        }
    }

    /// Whether members of another set are rather asked whether they are in a set than that it is built: it is infinite, looks so or
    /// is long.
    pub fn is_rather_asked(&self, set: &Expr) -> bool {
        self.is_infinite(set)
            || self.may_be_symbolic(set)
            || self.is_long(set)
            || normalise::looks_infinite(set)
    }

    /// The least and the greatest number of an interval, where the text tells both.
    pub fn ends_of(&self, set: &Expr) -> Option<(i64, i64)> {
        match &set.kind {
            ExprKind::Basic(basic) => {
                let (low, high) = self.ends_of_basic(*basic)?;
                Some((low, high?))
            }
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                Some((expect::integer(self.instance, a)?, expect::integer(self.instance, b)?))
            }
            _ => None,
        }
    }

    /// Whether a set expression denotes an infinite set whatever the state (as far as can be seen).
    pub fn is_infinite(&self, set: &Expr) -> bool {
        use UnaryOp::*;
        match &set.kind {
            ExprKind::Basic(b) => b.is_infinite(),
            ExprKind::Unary(Pow | Pow1 | Fin | Fin1 | Iseq | Iseq1 | Id, of) => {
                self.is_infinite(of)
            }
            ExprKind::Unary(Seq | Seq1, _) => true,
            ExprKind::Freetype { endless, .. } => *endless,
            ExprKind::Tree(op, _) => is_set_of_trees(*op),
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Union => self.is_infinite(a) || self.is_infinite(b),
                BinaryOp::Intersection => self.is_infinite(a) && self.is_infinite(b),
                BinaryOp::Difference => self.is_infinite(a) && !self.is_infinite(b),
                BinaryOp::Product => self.is_infinite(a) || self.is_infinite(b),
                BinaryOp::DomainRestrict => self.is_infinite(a) && self.is_infinite(b),
                BinaryOp::RangeRestrict | BinaryOp::DomainSubtract | BinaryOp::RangeSubtract => {
                    false
                }
                _ => op.is_arrow() && (self.is_infinite(a) || self.is_infinite(b)),
            },
            ExprKind::Struct(fields) => fields.iter().any(|f| self.is_infinite(f)),
            ExprKind::If(_, a, b) => self.is_infinite(a) || self.is_infinite(b),
            _ => false,
        }
    }
}
