//! Expressions to lowered code.

use super::arithmetic::arithmetic;
use crate::clock;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::once::data::is_data;
use crate::eval::packed::wide::word_relation;
use crate::eval::unbuilt::members::{gathered, solutions};
use crate::eval::unbuilt::symbolic::{has_distinct_members, has_plain_keys};
use crate::lower::code::{Binder, Code, EachFn, ValueFn, lower};
use crate::lower::description::PartFn;
use crate::lower::env::Flow;
use crate::lower::metered::metered;
use crate::lower::rich::{Bindings, OfOne, OfTwo};
use crate::lower::stop::FaultKind;
use crate::lower::word::IntegerField;
use crate::lower::{Bits, Grid, One, Rich, Two, Word};
use crate::machine::{
    BasicSet, BinaryOp, Cell, ConstId, Expr, ExprKind, Fold, LocalId, Pred, Type, UnaryOp, VarId,
};
use crate::normalise;
use crate::source::Span;
use crate::state::Coding;
use crate::value::shape::IndexKind;
use crate::value::{Joined, Shape, Value, relation};
use std::sync::Arc;

/// Larger sets of numbers are made when they are needed.
const LARGE_LITERAL: i64 = 1 << 16;

impl Compiler<'_> {
    pub fn expr(&self, e: &Expr) -> Code {
        clock::at(e.span);
        clock::work(1);
        if let Some(code) = self.remembered(e) {
            return code;
        }
        let shape = self.shape(&e.ty);
        let span = e.span;
        if let Some(code) = self.wide_value(e, &shape) {
            return code;
        }
        if is_data(e)
            && let Some(value) = self.data(e)
        {
            return self.literal(&shape, value);
        }
        match &e.kind {
            ExprKind::Integer(n) => self.literal(&shape, Value::integer(n.clone())),
            ExprKind::Real(r) => self.literal(&shape, Value::real(*r)),
            ExprKind::Bool(b) => self.literal(&shape, Value::bool(*b)),
            ExprKind::String(s) => self.literal(&shape, Value::String(s.clone())),
            ExprKind::Element(_, i) => self.literal(&shape, Value::Word(*i as u64)),
            ExprKind::MaxInt => self.literal(&shape, Value::Int(self.instance.max_int)),
            ExprKind::MinInt => self.literal(&shape, Value::Int(self.instance.min_int)),
            ExprKind::Empty => self.literal(&shape, shape.empty()),
            ExprKind::Carrier(_) => match shape.universe() {
                Some(all) => self.literal(&shape, all),
                None => {
                    let all = shape
                        .collect((0..shape.element().count().unwrap_or(0) as u64).map(Value::Word));
                    self.literal(&shape, all)
                }
            },
            ExprKind::Basic(set) => self.basic_set(*set, &shape, span),
            ExprKind::Constant(id) => self.constant(*id, &shape, e.span),
            ExprKind::Variable(id) => self.variable(*id, span),
            ExprKind::Local(id) => self.local(*id, span),
            ExprKind::Unary(op, a) => self.unary(*op, a, e, shape),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e, shape),
            ExprKind::SetExtension(items) => self.set_extension(items, &shape),
            ExprKind::Symbolic(number, arguments) => self.symbolic(*number, arguments),
            ExprKind::Tree(op, operands) => self.tree(*op, operands, e, shape),
            ExprKind::Sequence(items) => {
                self.made(&shape.clone(), Rich::Sequence(shape, self.all_kept(items)))
            }
            ExprKind::Comprehension(locals, pred) => self.comprehension(locals, pred, shape),
            ExprKind::Fold(op, locals, pred, body) => self.fold(*op, locals, pred, body, e, shape),
            ExprKind::BoolOf(p) => Code::Word(Word::Truth(Box::new(self.test(p)))),
            ExprKind::Record(fields) => Code::Value(Rich::Record(self.all_kept(fields))),
            ExprKind::Field(record, i)
                if self.is_word(&shape)
                    && let Some(word) = self.record_field(record, *i) =>
            {
                Code::Word(word)
            }
            ExprKind::Field(record, i) => {
                let name = match &record.ty {
                    Type::Record(fields) => fields[*i].0.clone(),
                    other => unreachable!("not the type of records: {other:?}"),
                };
                let record = Box::new(self.kept_rich(record));
                self.made(&shape, Rich::Field(record, *i, name))
            }
            ExprKind::Struct(fields) => self.record_set(fields, shape, span),
            ExprKind::If(c, a, b) => {
                if self.is_word(&shape) {
                    Code::Word(Word::If(Box::new((self.test(c), self.word(a), self.word(b)))))
                } else {
                    let parts = (self.test(c), self.kept_rich(a), self.kept_rich(b));
                    Code::Value(Rich::If(Box::new(parts)))
                }
            }
            ExprKind::Let(bindings, body) => {
                let of = (self.bindings(bindings), self.kept_rich(body));
                self.made(&shape, Rich::Let(Box::new(of)))
            }
            ExprKind::Freetype { endless: true, .. } => self.infinite(span),
            ExprKind::Freetype { .. } => self.materialise(e, shape),
            ExprKind::Construct(_, number, None) => {
                self.literal(&shape, Value::Free(Arc::new((*number, None))))
            }
            ExprKind::Construct(id, number, Some(argument)) => {
                let argument = Box::new(self.kept_rich(argument));
                Code::Value(Rich::Construct(*id, *number, argument))
            }
            ExprKind::Destruct(_, number, x) => {
                let (number, operand, x) = (*number, self.operand(x), self.kept(x));
                self.finish(&shape, move |env| {
                    let v = x(env)?;
                    match &v {
                        Value::Free(made) if made.0 == number && made.1.is_some() => {
                            Ok(made.1.clone().unwrap_or(Value::FALSE))
                        }
                        _ => Err(env.fault(FaultKind::OutsideDomain, span, [(&operand, v)])),
                    }
                })
            }
            ExprKind::External(f, arguments) => self.external(*f, arguments, e, shape),
        }
    }

    /// Evaluates equations in order, each into its local.
    pub fn bindings(&self, bindings: &[(LocalId, Expr)]) -> Bindings {
        let part = |(id, e): &(LocalId, Expr)| {
            self.note(*id, e);
            (self.slot(*id), self.kept_rich(e))
        };
        Bindings(bindings.iter().map(part).collect())
    }

    fn basic_set(&self, set: BasicSet, shape: &Shape, span: Span) -> Code {
        let (min, max) = (self.instance.min_int, self.instance.max_int);
        let interval = |low: i64| {
            if max.saturating_sub(low) < LARGE_LITERAL {
                return self.literal(shape, shape.collect((low..=max).map(Value::Int)));
            }
            let e = Expr::new(ExprKind::Basic(set), Type::pow(Type::Integer), span);
            self.materialise(&e, shape.clone())
        };
        match set {
            BasicSet::Bool => self.literal(shape, Value::Word(3)),
            BasicSet::Int => interval(min),
            BasicSet::Nat => interval(0),
            BasicSet::Nat1 => interval(1),
            _ => self.infinite(span),
        }
    }

    /// An infinite set where a value is needed.
    pub fn infinite(&self, span: Span) -> Code {
        self.refuse(span, "an infinite set as a value (it can be tested for membership)")
    }

    fn constant(&self, id: ConstId, shape: &Shape, span: Span) -> Code {
        if self.is_word(shape) {
            return Code::Word(Word::Given(id, span));
        }
        Code::Value(Rich::Given(id, span))
    }

    pub fn variable(&self, id: VarId, span: Span) -> Code {
        self.once_written(id, span, self.stored(id))
    }

    /// What the state holds of a variable.
    fn stored(&self, id: VarId) -> Code {
        let layout = self.layout.clone();
        let field = layout.field(id).clone();
        let at = field.at;
        match field.coding {
            Coding::Word { bits } => Code::Word(Word::Field(Bits::new(at, bits))),
            Coding::Integer { low, bits } if !self.exact => {
                let bits = Bits::new(at, bits);
                Code::Word(Word::Integer(Box::new(IntegerField { bits, low, id, layout })))
            }
            Coding::Function { .. } if let Some(word) = self.matrix_word(id) => Code::Word(word),
            _ => self.made(&field.shape, Rich::Held(id, layout)),
        }
    }

    fn local(&self, id: LocalId, span: Span) -> Code {
        let slot = self.slot(id);
        let i = slot.index;
        match (slot.word, self.may_be_unwritten(id)) {
            (true, false) => Code::Word(slot.word()),
            (false, false) => Code::Value(Rich::Local(i as u32)),
            _ => self.made(&slot.shape.clone(), Rich::Assigned(slot, span)),
        }
    }

    fn set_extension(&self, items: &[Expr], shape: &Shape) -> Code {
        if self.is_word(shape) {
            let items = items.iter().map(|i| Word::one(One::Singleton, self.word(i)));
            let set = items.reduce(|a, b| Word::two(Two::Union, a, b));
            return Code::Word(set.unwrap_or(Word::Constant(0)));
        }
        Code::Value(Rich::Listed(shape.clone(), self.all_kept(items)))
    }

    fn comprehension(&self, locals: &[LocalId], pred: &Pred, shape: Shape) -> Code {
        let each = self.solve(locals, pred, Undefined::Fault);
        let binder = Binder::tuple(&self.slots(locals));
        if self.is_word(&shape) {
            return Code::run(move |env| {
                let mut set = 0u64;
                let _ = each(env, &mut |env| {
                    set |= 1 << lower(&binder.read(env))?;
                    Ok(Flow::Continue(()))
                })?;
                Ok(set)
            });
        }
        let found = solutions(each, shape.clone(), pred.span, move |env| Ok(binder.read(env)));
        self.all_of(found, shape)
    }

    /// A set, all of it.
    fn all_of(&self, found: PartFn, shape: Shape) -> Code {
        self.finish(&shape, move |env| match found(env)? {
            (all, None) => Ok(all),
            (_, Some(cut)) => Err(cut),
        })
    }

    fn fold(
        &self,
        op: Fold,
        locals: &[LocalId],
        pred: &Pred,
        body: &Expr,
        e: &Expr,
        shape: Shape,
    ) -> Code {
        if let Fold::Greatest | Fold::Least = op {
            return self.optimum(op, locals, pred, body, e, &shape);
        }
        let each = self.solve(locals, pred, Undefined::Fault);
        let value = self.repeated(locals, || match op {
            Fold::Image | Fold::Lambda => self.kept(body),
            _ => self.value(body),
        });
        let span = e.span;
        match op {
            Fold::Image => self.all_of(solutions(each, shape.clone(), span, value), shape),
            Fold::Lambda => {
                let binder = Binder::tuple(&self.slots(locals));
                let found = gathered(each, shape.clone(), span, move |env, all| {
                    let x = binder.read(env);
                    all.push_pair(x, value(env)?);
                    Ok(())
                });
                self.all_of(found, shape)
            }
            Fold::Sigma | Fold::Pi => {
                let sum = op == Fold::Sigma;
                if shape == Shape::Real {
                    return self.fold_of_reals(each, value, sum, span);
                }
                let both = if sum { BinaryOp::Add } else { BinaryOp::Multiply };
                self.finish(&shape, move |env| {
                    let mut total = Value::Int(if sum { 0 } else { 1 });
                    let _ = each(env, &mut |env| {
                        let v = value(env)?;
                        total = arithmetic(both, &total, &v);
                        Ok(Flow::Continue(()))
                    })?;
                    Ok(total)
                })
            }
            Fold::Union => self.finish(&shape.clone(), move |env| {
                let mut union = Joined::default();
                let _ = each(env, &mut |env| {
                    let set = value(env)?;
                    metered(env, span, |meter| union.add(&shape, set, meter))?;
                    Ok(Flow::Continue(()))
                })?;
                metered(env, span, |meter| union.all(&shape, meter))
            }),
            Fold::Inter => self.finish(&shape.clone(), move |env| {
                let mut all: Option<Value> = None;
                let _ = each(env, &mut |env| {
                    let v = value(env)?;
                    all = Some(match &all {
                        Some(a) => shape.intersection(a, &v),
                        None => v,
                    });
                    Ok(Flow::Continue(()))
                })?;
                all.ok_or_else(|| env.fault(FaultKind::InterOfEmpty, span, []))
            }),
            Fold::Greatest | Fold::Least => unreachable!("these are no walks over all solutions"),
        }
    }

    /// The sum or the product of real numbers. Each step is rounded: they are taken from the least on, so that nothing
    /// depends on the order of the elements of a set.
    fn fold_of_reals(&self, each: EachFn, value: ValueFn, sum: bool, span: Span) -> Code {
        self.finish(&Shape::Real, move |env| {
            let mut all = Vec::new();
            let _ = each(env, &mut |env| {
                if let Value::Real(v) = value(env)? {
                    all.push(v);
                }
                env.room_for(all.len(), span)?;
                Ok(Flow::Continue(()))
            })?;
            all.sort_unstable_by(f64::total_cmp);
            let mut total = if sum { 0.0 } else { 1.0 };
            for v in all {
                total = if sum { total + v } else { total * v };
                if !total.is_finite() {
                    return Err(env.fault(FaultKind::RealOutOfRange, span, []));
                }
            }
            Ok(Value::real(total))
        })
    }

    fn record_set(&self, fields: &[Expr], shape: Shape, span: Span) -> Code {
        if fields.iter().any(|f| self.is_infinite(f)) {
            return self.infinite(span);
        }
        let sets: Vec<(Shape, ValueFn)> =
            fields.iter().map(|f| (self.shape(&f.ty), self.value(f))).collect();
        Code::value(move |env| {
            let mut records: Vec<Vec<Value>> = vec![Vec::new()];
            for (set_shape, set) in &sets {
                let set = set(env)?;
                let mut longer = Vec::new();
                for record in &records {
                    for member in set_shape.members(&set) {
                        env.tick()?;
                        let mut record = record.clone();
                        record.push(member);
                        longer.push(record);
                        env.room_for(longer.len(), span)?;
                    }
                }
                records = longer;
            }
            Ok(shape.collect(records.into_iter().map(|r| Value::Record(r.into()))))
        })
    }

    fn unary(&self, op: UnaryOp, a: &Expr, e: &Expr, shape: Shape) -> Code {
        use UnaryOp::*;
        let span = e.span;
        let arg = self.shape(&a.ty);
        match op {
            Negate => return self.negate(a, &shape),
            Size | Card | SeqFirst | SeqLast | Ran
                if self.is_word(&shape)
                    && let Some(word) = self.line_word(op, a, || {
                        Word::Of(Arc::new(self.of_one(op, a, span, &shape)))
                    }) =>
            {
                return Code::Word(word);
            }
            Card | Max | Min
                if self.is_word(&shape)
                    && let Some(word) =
                        self.coded_word(op, a).or_else(|| self.word_of_few(op, a)) =>
            {
                return Code::Word(word);
            }
            Card | Size if self.is_word(&arg) && self.is_word(&shape) => {
                return Code::Word(Word::one(One::Card, self.word(a)));
            }
            First | Second
                if self.is_word(&shape)
                    && let Some(side) = self.record_field(a, (op == Second) as usize) =>
            {
                return Code::Word(side);
            }
            First | Second if self.is_word(&arg) => {
                let n = pair_width(&arg);
                let side = if op == First { One::First(n) } else { One::Second(n) };
                return Code::Word(Word::one(side, self.word(a)));
            }
            Dom | Ran
                if !self.may_be_symbolic(a)
                    && let Some(code) = self.wide_side(op == Dom, a) =>
            {
                return code;
            }
            Dom | Ran if let Some(word) = self.sides_word(e) => return Code::Word(word),
            Dom | Ran if self.is_word(&arg) && word_relation(&arg).is_some() => {
                return self.word_side(op == Dom, a, &arg);
            }
            Inverse
                if self.is_word(&shape)
                    && !self.is_infinite(a)
                    && let Some(grid) = word_relation(&arg) =>
            {
                return Code::Word(Word::one(One::Inverse(grid), self.word(a)));
            }
            Pow | Pow1 | Fin | Fin1 | Seq | Seq1 | Iseq | Iseq1 | Perm => {
                return self.power_set(op, a, e, shape);
            }
            // The typed machine has it as `closure1(r) \/ id(T)`.
            Closure => return self.refuse(span, "a closure that is not taken apart"),
            _ => {}
        }
        if let ExprKind::Binary(BinaryOp::Interval, low, high) = &a.kind
            && let Card | Max | Min = op
        {
            return self.of_interval(op, low, high, a, e);
        }
        if let Min | Max = op
            && self.has_no_extreme(op, a)
        {
            let at = a.span;
            return self.finish(&shape, move |env| Err(env.fault(FaultKind::InfiniteSet, at, [])));
        }
        let low = if op == Min { self.lowest_solution(a) } else { None };
        if let Min | Max | MinReal | MaxReal = op
            && let Some(code) = self.extreme_of_image(op, a, e)
        {
            return match low {
                Some(low) => self.least_solution(a, low, code, &shape),
                None => code,
            };
        }
        if let Some(low) = low {
            let code = self.made(&shape, self.of_one(op, a, span, &shape));
            return self.least_solution(a, low, code, &shape);
        }
        if let (Card | Max | Min, Some((low, high))) = (op, self.ends_of(a))
            && low <= high
        {
            let numbers = i128::from(high) - i128::from(low) + 1;
            let value = match op {
                Card => Value::integer(numbers.into()),
                Max => Value::Int(high),
                _ => Value::Int(low),
            };
            return self.made(&shape, Rich::Constant(value));
        }
        if let (Min, Some(ends)) = (op, self.least_candidate(a)) {
            return self.least_member(a, ends, e);
        }
        if op == Card
            && let Some(code) = self.card_of_growing(a, &shape)
        {
            return code;
        }
        if op == Card
            && let Some(code) = self.counted(a, &shape)
        {
            return code;
        }
        if op == Card
            && let Some(code) = self.wide_card(a)
        {
            return code;
        }
        if let Id | Closure1 | Card = op
            && self.is_infinite(a)
        {
            return self.infinite(a.span);
        }
        self.made(&shape, self.of_one(op, a, span, &shape))
    }

    /// An operator on the value of an expression, lowered as it stands.
    pub(in crate::eval) fn of_one(&self, op: UnaryOp, a: &Expr, span: Span, out: &Shape) -> Rich {
        use UnaryOp::*;
        let mut operand = self.operand(a);
        if let SeqFirst | SeqLast | Front | Tail | Reverse | Conc | Size = op {
            operand.notation = operand.notation.as_sequence();
        }
        let of = OfOne { op, arg: self.shape(&a.ty), out: out.clone(), span, operand };
        let a = match op {
            First | Second => self.kept_rich(a),
            // Of an infinite set there is no number of members, and it is no sequence.
            Card => self.finite(a, self.kept_rich(a), has_distinct_members),
            Size | SeqFirst | SeqLast | Front | Tail | Reverse => {
                self.finite(a, self.kept_rich(a), has_plain_keys)
            }
            Dom | Ran => self.with_plain_keys(a, self.kept_rich(a)),
            _ => self.rich(a),
        };
        Rich::One(Box::new((of, a)))
    }

    /// Domain or range of a relation that is a word: of sets of at most 64 elements, words too.
    fn word_side(&self, domain: bool, r: &Expr, shape: &Shape) -> Code {
        let grid = word_relation(shape).unwrap_or(Grid { rows: 0, width: 0 });
        let side = if domain { One::Domain(grid) } else { One::Range(grid) };
        Code::Word(Word::one(side, self.word(r)))
    }

    /// `card(a..b)`, `max(a..b)`, `min(a..b)`: the interval is not built.
    fn of_interval(&self, op: UnaryOp, low: &Expr, high: &Expr, a: &Expr, e: &Expr) -> Code {
        let (span, operand, shape) = (e.span, self.operand(a), self.shape(&e.ty));
        let set_shape = self.shape(&a.ty);
        let (low, high) = (self.value(low), self.value(high));
        self.finish(&shape, move |env| {
            let (low, high) = (low(env)?, high(env)?);
            if low > high {
                let kind = match op {
                    UnaryOp::Card => return Ok(Value::Int(0)),
                    UnaryOp::Max => FaultKind::MaxOfEmpty,
                    _ => FaultKind::MinOfEmpty,
                };
                return Err(env.fault(kind, span, [(&operand, set_shape.empty())]));
            }
            Ok(match op {
                UnaryOp::Card => {
                    let length = arithmetic(BinaryOp::Subtract, &high, &low);
                    arithmetic(BinaryOp::Add, &length, &Value::Int(1))
                }
                UnaryOp::Max => high,
                _ => low,
            })
        })
    }

    /// A set of sets as a value: its members one by one.
    fn power_set(&self, _op: UnaryOp, a: &Expr, e: &Expr, shape: Shape) -> Code {
        if self.is_infinite(e) || self.is_infinite(a) {
            return self.infinite(e.span);
        }
        self.materialise(e, shape)
    }

    /// Enumerates a set expression into a value.
    fn materialise(&self, e: &Expr, shape: Shape) -> Code {
        let (members, span) = (self.enumerate_set(e), e.span);
        self.finish(&shape.clone(), move |env| {
            let mut items = Vec::new();
            let _ = members(env, &mut |env, v| {
                items.push(v);
                env.room_for(items.len(), span)?;
                Ok(Flow::Continue(()))
            })?;
            Ok(shape.collect(items))
        })
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr, shape: Shape) -> Code {
        use BinaryOp::*;
        match op {
            Add | Subtract | Multiply | Divide | Modulo | Power => {
                self.integer_operator(op, a, b, e, &shape)
            }
            AddReal | SubtractReal | MultiplyReal | DivideReal | PowerReal => {
                self.of_two(op, a, b, e, shape)
            }
            Pair => self.pair(a, b, shape),
            Apply => self.apply(a, b, e, shape),
            Image | DomainRestrict | Intersection
                if let Some(code) = self.part_of_closure(op, (a, b), e) =>
            {
                code
            }
            Union | Intersection | Difference => self.set_operator(op, a, b, e, shape),
            DomainRestrict
                if self.may_be_symbolic(b) && !self.is_infinite(a) && !self.may_be_symbolic(a) =>
            {
                self.symbolic_restriction(a, b, e)
            }
            // What is left of an infinite function is looked for by its values.
            RangeRestrict
                if normalise::looks_infinite(a)
                    && !normalise::looks_infinite(b)
                    && let Some(left) = normalise::restricted(a, b) =>
            {
                self.expr(&left)
            }
            DomainRestrict | DomainSubtract | RangeRestrict | RangeSubtract => {
                self.restriction(op, a, b, e, shape)
            }
            Interval => self.materialise(e, shape),
            _ if relation::Arrow::from_op(op).is_some() => {
                if self.is_infinite(a) || self.is_infinite(b) {
                    return self.infinite(e.span);
                }
                self.materialise(e, shape)
            }
            // So is what is left of one by what it is composed with.
            Compose
                if !self.may_be_symbolic(a)
                    && !self.may_be_symbolic(b)
                    && let Some((a, b)) = normalise::composed(a, b) =>
            {
                self.of_two(op, &a, &b, e, shape)
            }
            Image if let Some(word) = self.sides_word(e) => Code::Word(word),
            Image
                if matches!(
                    a.kind,
                    ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Comprehension(..)
                ) && let Some(graph) = self.points_of(a) =>
            {
                self.image_at(graph, b, e)
            }
            Image if self.may_be_symbolic(a) => self.symbolic_image(a, b, e),
            Compose if self.may_be_symbolic(b) => self.symbolic_composition(a, b, e),
            Image => self.interval_image(e, &shape).unwrap_or_else(|| self.image(a, b, e, shape)),
            Concat | Prepend | Append | Take | Drop => self.of_two(op, a, b, e, shape),
            _ => {
                for side in [a, b] {
                    if self.is_infinite(side) {
                        return self.infinite(side.span);
                    }
                }
                self.of_two(op, a, b, e, shape)
            }
        }
    }

    fn pair(&self, a: &Expr, b: &Expr, shape: Shape) -> Code {
        if self.is_word(&shape) {
            return Code::Word(Word::two(
                Two::Pair(pair_width(&shape)),
                self.word(a),
                self.word(b),
            ));
        }
        Code::Value(Rich::pair(self.kept_rich(a), self.kept_rich(b)))
    }

    fn set_operator(&self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr, shape: Shape) -> Code {
        if self.is_word(&shape) {
            let op = match op {
                BinaryOp::Union => Two::Union,
                BinaryOp::Intersection => Two::Intersection,
                _ => Two::Difference,
            };
            return Code::Word(Word::two(op, self.word(a), self.word(b)));
        }
        if self.is_infinite(e) {
            return self.infinite(e.span);
        }
        // A finite side filters by membership in an infinite one, which is never built.
        let large = |e: &Expr| self.is_rather_asked(e);
        match op {
            BinaryOp::Intersection if large(a) && !self.is_infinite(b) && !self.is_long(b) => {
                return self.filter(b, a, true, shape);
            }
            BinaryOp::Intersection if large(b) => return self.filter(a, b, true, shape),
            BinaryOp::Difference if large(b) => return self.filter(a, b, false, shape),
            _ => {}
        }
        self.of_two(op, a, b, e, shape)
    }

    /// An operator on the values of two expressions, lowered as it stands.
    pub(in crate::eval) fn of_two(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        e: &Expr,
        shape: Shape,
    ) -> Code {
        let of = OfTwo {
            op,
            left: self.shape(&a.ty),
            right: self.shape(&b.ty),
            out: shape.clone(),
            span: e.span,
            operands: (self.operand(a), self.operand(b)),
        };
        self.made(&shape, Rich::Two(Box::new((of, self.rich(a), self.rich(b)))))
    }

    /// Reads a cell of a substitution as it was before it.
    pub fn cell(&self, cell: Cell, span: Span) -> ValueFn {
        let (kind, ty) = match cell {
            Cell::Variable(id) => (ExprKind::Variable(id), self.machine().variable(id).ty.clone()),
            Cell::Local(id) => (ExprKind::Local(id), self.machine().local(id).ty.clone()),
        };
        self.kept(&Expr::new(kind, ty, span))
    }
}

/// How many members the right universe of pairs that are words has.
fn pair_width(pairs: &Shape) -> u64 {
    match pairs.index().map(|u| &u.kind) {
        Some(IndexKind::Pair(_, right)) => (right.size as u64).max(1),
        _ => unreachable!("not a universe of pairs: {pairs:?}"),
    }
}
