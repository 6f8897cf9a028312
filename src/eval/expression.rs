//! Expressions to closures.

use super::code::{Binder, BoolFn, Code, ValueFn};
use super::compile::{Compiler, Undefined};
use super::env::{Env, Flow, Operand, TooLarge};
use super::metered::metered;
use super::predicate::junction;
use super::stop::{FaultKind, Stop};
use crate::machine::{
    BasicSet, BinaryOp, Cell, Comparison, ConstId, Expr, ExprKind, Fold, LocalId, Pred, PredKind,
    Type, UnaryOp, VarId,
};
use crate::source::Span;
use crate::state::Coding;
use crate::state::layout::get;
use crate::value::set::low_bits;
use crate::value::shape::IndexKind;
use crate::value::{Shape, Value, relation, sequence};
use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};
use std::sync::Arc;

/// Larger sets of numbers are made when they are needed.
const LARGE_LITERAL: i64 = 1 << 16;

impl Compiler<'_> {
    pub fn expr(&self, e: &Expr) -> Code {
        let shape = self.shape(&e.ty);
        let span = e.span;
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
            ExprKind::Constant(id) => self.constant(*id, &shape),
            ExprKind::Variable(id) => self.variable(*id),
            ExprKind::Local(id) => self.local(*id, span),
            ExprKind::Unary(op, a) => self.unary(*op, a, e, shape),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, e, shape),
            ExprKind::SetExtension(items) => self.set_extension(items, &shape),
            ExprKind::Sequence(items) => {
                let items: Vec<ValueFn> = items.iter().map(|i| self.value(i)).collect();
                self.finish(&shape.clone(), move |env| {
                    let items = items.iter().map(|f| f(env)).collect::<Result<Vec<_>, _>>()?;
                    Ok(sequence::from_items(&shape, items))
                })
            }
            ExprKind::Comprehension(locals, pred) => self.comprehension(locals, pred, shape),
            ExprKind::Fold(op, locals, pred, body) => self.fold(*op, locals, pred, body, e, shape),
            ExprKind::BoolOf(p) => {
                let p = self.pred(p);
                Code::Word(Box::new(move |env| Ok(p(env)? as u64)))
            }
            ExprKind::Record(fields) => {
                let fields: Vec<ValueFn> = fields.iter().map(|f| self.value(f)).collect();
                Code::Value(Box::new(move |env| {
                    let values = fields.iter().map(|f| f(env)).collect::<Result<Arc<[_]>, _>>()?;
                    Ok(Value::Record(values))
                }))
            }
            ExprKind::Field(record, i) => {
                let (record, i) = (self.value(record), *i);
                self.finish(&shape, move |env| match record(env)? {
                    Value::Record(fields) => Ok(fields[i].clone()),
                    other => unreachable!("not a record: {other:?}"),
                })
            }
            ExprKind::Struct(fields) => self.record_set(fields, shape, span),
            ExprKind::If(c, a, b) => {
                let c = self.pred(c);
                if self.is_word(&shape) {
                    let (a, b) = (self.word(a), self.word(b));
                    Code::Word(Box::new(move |env| if c(env)? { a(env) } else { b(env) }))
                } else {
                    let (a, b) = (self.value(a), self.value(b));
                    Code::Value(Box::new(move |env| if c(env)? { a(env) } else { b(env) }))
                }
            }
            ExprKind::Let(bindings, body) => {
                let bind = self.bindings(bindings);
                match self.expr(body) {
                    Code::Word(body) => Code::Word(Box::new(move |env| {
                        bind(env)?;
                        body(env)
                    })),
                    Code::Value(body) => Code::Value(Box::new(move |env| {
                        bind(env)?;
                        body(env)
                    })),
                }
            }
            ExprKind::Freetype(..) => self.infinite(span),
            ExprKind::Construct(_, number, None) => {
                self.literal(&shape, Value::Free(Arc::new((*number, None))))
            }
            ExprKind::Construct(_, number, Some(argument)) => {
                let (number, argument) = (*number, self.value(argument));
                Code::Value(Box::new(move |env| {
                    Ok(Value::Free(Arc::new((number, Some(argument(env)?)))))
                }))
            }
            ExprKind::Destruct(_, number, x) => {
                let (number, operand, x) = (*number, Operand::of(x), self.value(x));
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
    pub fn bindings(&self, bindings: &[(LocalId, Expr)]) -> super::code::RunFn {
        let bindings: Vec<_> =
            bindings.iter().map(|(id, e)| (self.slot(*id), self.value(e))).collect();
        Box::new(move |env| {
            for (slot, value) in &bindings {
                let value = value(env)?;
                slot.set(env, value)?;
            }
            Ok(())
        })
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

    fn constant(&self, id: ConstId, shape: &Shape) -> Code {
        let i = id.0 as usize;
        self.finish(shape, move |env| {
            Ok(env.constants[i].clone().expect("constants are solved in order"))
        })
    }

    pub fn variable(&self, id: VarId) -> Code {
        let layout = self.layout.clone();
        let field = layout.field(id).clone();
        let at = field.at;
        match field.coding {
            Coding::Word { bits } => {
                if bits == 64 {
                    Code::Word(Box::new(move |env| Ok(env.state[at.word])))
                } else {
                    let mask = low_bits(bits);
                    Code::Word(Box::new(move |env| Ok(env.state[at.word] >> at.shift & mask)))
                }
            }
            Coding::Integer { low, bits } if !self.exact => {
                let outside = low_bits(bits);
                Code::Word(Box::new(move |env| {
                    let code = get(&env.state, at, bits);
                    if code != outside {
                        return Ok((low + code as i64) as u64);
                    }
                    super::code::lower(&layout.read(id, &env.state, &mut env.interner))
                }))
            }
            _ => self.finish(&field.shape, move |env| {
                Ok(layout.read(id, &env.state, &mut env.interner))
            }),
        }
    }

    fn local(&self, id: LocalId, span: Span) -> Code {
        let slot = self.slot(id);
        let i = slot.index;
        let assigned = self.assigned_locals().contains(&id);
        match (slot.word, assigned) {
            (true, false) => Code::Word(Box::new(move |env| Ok(env.words[i]))),
            (false, false) => Code::Value(Box::new(move |env| Ok(env.values[i].clone()))),
            _ => self.finish(&slot.shape.clone(), move |env| {
                if env.defined[i] {
                    Ok(slot.get(env))
                } else {
                    Err(env.fault(FaultKind::ReadBeforeWritten, span, []))
                }
            }),
        }
    }

    fn set_extension(&self, items: &[Expr], shape: &Shape) -> Code {
        if self.is_word(shape) {
            let mut items: Vec<_> = items.iter().map(|i| self.word(i)).collect();
            if items.len() == 1 {
                let item = items.remove(0);
                return Code::Word(Box::new(move |env| Ok(1 << item(env)?)));
            }
            return Code::Word(Box::new(move |env| {
                let mut set = 0;
                for item in &items {
                    set |= 1u64 << item(env)?;
                }
                Ok(set)
            }));
        }
        let shape = shape.clone();
        let items: Vec<ValueFn> = items.iter().map(|i| self.value(i)).collect();
        Code::Value(Box::new(move |env| {
            let values = items.iter().map(|f| f(env)).collect::<Result<Vec<_>, _>>()?;
            Ok(shape.collect(values))
        }))
    }

    fn comprehension(&self, locals: &[LocalId], pred: &Pred, shape: Shape) -> Code {
        let each = self.solve(locals, pred, Undefined::Fault);
        let binder = Binder::tuple(&self.slots(locals));
        self.collect(each, shape, pred.span, move |env| Ok(binder.read(env)))
    }

    /// The set of what `item` gives in each solution.
    fn collect(
        &self,
        each: super::code::EachFn,
        shape: Shape,
        span: Span,
        item: impl Fn(&mut Env) -> Result<Value, Stop> + Send + Sync + 'static,
    ) -> Code {
        self.finish(&shape.clone(), move |env| {
            let mut items = Vec::new();
            let _ = each(env, &mut |env| {
                items.push(item(env)?);
                env.room_for(items.len(), span)?;
                Ok(Flow::Continue(()))
            })?;
            Ok(shape.collect(items))
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
        let each = self.solve(locals, pred, Undefined::Fault);
        let value = self.value(body);
        let span = e.span;
        match op {
            Fold::Image => self.collect(each, shape, span, value),
            Fold::Lambda => {
                let binder = Binder::tuple(&self.slots(locals));
                let pairs = shape.element();
                self.collect(each, shape, span, move |env| {
                    let x = binder.read(env);
                    Ok(pairs.pair(x, value(env)?))
                })
            }
            Fold::Sigma | Fold::Pi => {
                let sum = op == Fold::Sigma;
                let real = shape == Shape::Real;
                self.finish(&shape, move |env| {
                    let start = if sum { 0 } else { 1 };
                    let mut total =
                        if real { Value::real(start as f64) } else { Value::Int(start) };
                    let _ = each(env, &mut |env| {
                        let v = value(env)?;
                        total = match (&total, &v) {
                            (Value::Real(a), Value::Real(b)) => {
                                Value::real(if sum { a + b } else { a * b })
                            }
                            _ => arithmetic(
                                if sum { BinaryOp::Add } else { BinaryOp::Multiply },
                                &total,
                                &v,
                            ),
                        };
                        Ok(Flow::Continue(()))
                    })?;
                    Ok(total)
                })
            }
            Fold::Union => self.finish(&shape.clone(), move |env| {
                let mut all = shape.empty();
                let _ = each(env, &mut |env| {
                    all = shape.union(&all, &value(env)?);
                    env.room_for(shape.card(&all), span)?;
                    Ok(Flow::Continue(()))
                })?;
                Ok(all)
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
        }
    }

    fn record_set(&self, fields: &[Expr], shape: Shape, span: Span) -> Code {
        if fields.iter().any(|f| self.is_infinite(f)) {
            return self.infinite(span);
        }
        let sets: Vec<(Shape, ValueFn)> =
            fields.iter().map(|f| (self.shape(&f.ty), self.value(f))).collect();
        Code::Value(Box::new(move |env| {
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
        }))
    }

    fn unary(&self, op: UnaryOp, a: &Expr, e: &Expr, shape: Shape) -> Code {
        use UnaryOp::*;
        let span = e.span;
        let arg = self.shape(&a.ty);
        match op {
            Negate => return self.negate(a, &shape),
            Card | Size if self.is_word(&arg) && self.is_word(&shape) => {
                let a = self.word(a);
                return Code::Word(Box::new(move |env| Ok(a(env)?.count_ones() as u64)));
            }
            Dom | Ran if self.is_word(&arg) && word_relation(&arg).is_some() => {
                return self.word_side(op == Dom, a, &arg);
            }
            Pow | Pow1 | Fin | Fin1 | Seq | Seq1 | Iseq | Iseq1 | Perm => {
                return self.power_set(op, a, e, shape);
            }
            _ => {}
        }
        if let ExprKind::Binary(BinaryOp::Interval, low, high) = &a.kind
            && let Card | Max | Min = op
        {
            return self.of_interval(op, low, high, a, e);
        }
        if let Id | Closure | Closure1 | Card = op
            && self.is_infinite(a)
        {
            return self.infinite(a.span);
        }
        let operand = Operand::of(a);
        let a = self.value(a);
        let out = shape.clone();
        self.finish(&shape, move |env| {
            let v = a(env)?;
            let bad = |env: &mut Env, kind: FaultKind, v: Value| {
                Err(env.fault(kind, span, [(&operand, v)]))
            };
            Ok(match op {
                NegateReal => match v {
                    Value::Real(r) => Value::real(-r),
                    other => unreachable!("not a real: {other:?}"),
                },
                Inverse => relation::inverse(&arg, &out, &v),
                Card => Value::Int(arg.card(&v) as i64),
                Dom => relation::domain(&arg, &out, &v),
                Ran => relation::range(&arg, &out, &v),
                Id => relation::identity(&arg, &out, &v),
                Union => {
                    let mut all = out.empty();
                    for s in arg.members(&v) {
                        all = out.union(&all, &s);
                        let members = out.card(&all);
                        env.room_for(members, span)?;
                        env.tick_by(members)?;
                    }
                    all
                }
                Inter => match arg.members(&v).reduce(|all, s| out.intersection(&all, &s)) {
                    Some(all) => all,
                    None => return bad(env, FaultKind::InterOfEmpty, v),
                },
                Max | MaxReal => match arg.members(&v).last() {
                    Some(m) => m,
                    None => return bad(env, FaultKind::MaxOfEmpty, v),
                },
                Min | MinReal => match arg.members(&v).next() {
                    Some(m) => m,
                    None => return bad(env, FaultKind::MinOfEmpty, v),
                },
                ToReal => Value::real(v.to_big().and_then(|n| n.to_f64()).unwrap_or(f64::INFINITY)),
                Floor | Ceiling => match v {
                    Value::Real(r) => integer_of(if op == Floor { r.floor() } else { r.ceil() }),
                    other => unreachable!("not a real: {other:?}"),
                },
                First => arg.split(&v).0,
                Second => arg.split(&v).1,
                Closure => metered(env, span, |meter| relation::closure(&arg, &v, meter))?,
                Closure1 => metered(env, span, |meter| relation::closure1(&arg, &v, meter))?,
                Fnc => relation::fnc(&arg, &out, &v),
                Rel => metered(env, span, |meter| relation::rel_of(&arg, &out, &v, meter))?,
                Size | Reverse | Conc | SeqFirst | SeqLast | Front | Tail => {
                    let result = match op {
                        Size => sequence::size(&arg, &v).map(|n| Value::Int(n as i64)),
                        Reverse => sequence::reverse(&arg, &v),
                        Conc => {
                            env.room_for(sequence::total_length(&arg, &out, &v), span)?;
                            sequence::conc(&arg, &out, &v)
                        }
                        SeqFirst => sequence::first(&arg, &v),
                        SeqLast => sequence::last(&arg, &v),
                        Front => sequence::front(&arg, &v),
                        _ => sequence::tail(&arg, &v),
                    };
                    match result {
                        Ok(r) => r,
                        Err(why) => return bad(env, sequence_fault(why), v),
                    }
                }
                Negate | Pow | Pow1 | Fin | Fin1 | Seq | Seq1 | Iseq | Iseq1 | Perm => {
                    unreachable!("handled above")
                }
            })
        })
    }

    /// Domain or range of a relation that is a word: of sets of at most 64 elements, words too.
    fn word_side(&self, domain: bool, r: &Expr, shape: &Shape) -> Code {
        let (rows, width) = word_relation(shape).unwrap_or((0, 0));
        let (r, mask) = (self.word(r), low_bits(width));
        if domain {
            return Code::Word(Box::new(move |env| {
                let r = r(env)?;
                Ok((0..rows).fold(0, |d, i| d | ((r >> (i * width) & mask != 0) as u64) << i))
            }));
        }
        Code::Word(Box::new(move |env| {
            let r = r(env)?;
            Ok((0..rows).fold(0, |set, i| set | r >> (i * width) & mask))
        }))
    }

    /// `card(a..b)`, `max(a..b)`, `min(a..b)`: the interval is not built.
    fn of_interval(&self, op: UnaryOp, low: &Expr, high: &Expr, a: &Expr, e: &Expr) -> Code {
        let (span, operand, shape) = (e.span, Operand::of(a), self.shape(&e.ty));
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

    fn negate(&self, a: &Expr, shape: &Shape) -> Code {
        if self.exact {
            let a = self.value(a);
            return self.finish(shape, move |env| {
                Ok(arithmetic(BinaryOp::Subtract, &Value::Int(0), &a(env)?))
            });
        }
        let a = self.word(a);
        Code::Word(Box::new(move |env| {
            (a(env)? as i64).checked_neg().map(|n| n as u64).ok_or(Stop::Overflow)
        }))
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
                self.real_operator(op, a, b, e)
            }
            Pair => self.pair(a, b, shape),
            Apply => self.apply(a, b, e, shape),
            Union | Intersection | Difference => self.set_operator(op, a, b, e, shape),
            DomainRestrict | DomainSubtract | RangeRestrict | RangeSubtract => {
                self.restriction(op, a, b, shape)
            }
            Interval => self.materialise(e, shape),
            _ if relation::Arrow::from_op(op).is_some() => {
                if self.is_infinite(a) || self.is_infinite(b) {
                    return self.infinite(e.span);
                }
                self.materialise(e, shape)
            }
            Image => self.image(a, b, shape),
            Concat | Prepend | Append | Take | Drop => self.sequence_operator(op, a, b, e, shape),
            _ => {
                for side in [a, b] {
                    if self.is_infinite(side) {
                        return self.infinite(side.span);
                    }
                }
                self.relation_operator(op, a, b, e, shape)
            }
        }
    }

    fn integer_operator(&self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr, shape: &Shape) -> Code {
        let span = e.span;
        let (a_operand, b_operand) = (Operand::of(a), Operand::of(b));
        if self.exact {
            let (a, b) = (self.value(a), self.value(b));
            return self.finish(shape, move |env| {
                let (x, y) = (a(env)?, b(env)?);
                env.tick_by(steps_of(op, &x, &y))?;
                if words_of(op, &x, &y) > LONGEST_NUMBER {
                    return Err(env.too_large(span, TooLarge::Bits(64 * LONGEST_NUMBER)));
                }
                match fault_of(op, &x, &y) {
                    Some(kind) => Err(env.fault(kind, span, [(&a_operand, x), (&b_operand, y)])),
                    None => Ok(arithmetic(op, &x, &y)),
                }
            });
        }
        let (a, b) = (self.word(a), self.word(b));
        macro_rules! checked {
            ($method:ident) => {
                Code::Word(Box::new(move |env| {
                    let x = a(env)? as i64;
                    let y = b(env)? as i64;
                    x.$method(y).map(|n| n as u64).ok_or(Stop::Overflow)
                }))
            };
        }
        match op {
            BinaryOp::Add => checked!(checked_add),
            BinaryOp::Subtract => checked!(checked_sub),
            BinaryOp::Multiply => checked!(checked_mul),
            _ => Code::Word(Box::new(move |env| {
                let (x, y) = (a(env)? as i64, b(env)? as i64);
                let bad = |env: &mut Env, kind| {
                    Err(env.fault(
                        kind,
                        span,
                        [(&a_operand, Value::Int(x)), (&b_operand, Value::Int(y))],
                    ))
                };
                match op {
                    BinaryOp::Divide if y == 0 => bad(env, FaultKind::DivisionByZero),
                    BinaryOp::Divide => x.checked_div(y).map(|n| n as u64).ok_or(Stop::Overflow),
                    BinaryOp::Modulo if x < 0 || y <= 0 => bad(env, FaultKind::ModuloDomain),
                    BinaryOp::Modulo => Ok((x % y) as u64),
                    _ if y < 0 => bad(env, FaultKind::NegativeExponent),
                    _ => small_power(x, y).map(|n| n as u64).ok_or(Stop::Overflow),
                }
            })),
        }
    }

    fn real_operator(&self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr) -> Code {
        let span = e.span;
        let (a_operand, b_operand) = (Operand::of(a), Operand::of(b));
        let integer_exponent = self.shape(&b.ty) == Shape::Integer;
        let (a, b) = (self.value(a), self.value(b));
        Code::Value(Box::new(move |env| {
            let (x, y) = (a(env)?, b(env)?);
            let left = real_of(&x);
            let right = if integer_exponent {
                y.to_big().and_then(|n| n.to_f64()).unwrap_or(0.0)
            } else {
                real_of(&y)
            };
            if op == BinaryOp::DivideReal && right == 0.0 {
                return Err(env.fault(
                    FaultKind::DivisionByZero,
                    span,
                    [(&a_operand, x), (&b_operand, y)],
                ));
            }
            Ok(Value::real(match op {
                BinaryOp::AddReal => left + right,
                BinaryOp::SubtractReal => left - right,
                BinaryOp::MultiplyReal => left * right,
                BinaryOp::DivideReal => left / right,
                _ => left.powf(right),
            }))
        }))
    }

    fn pair(&self, a: &Expr, b: &Expr, shape: Shape) -> Code {
        if let Shape::Index(u) = &shape
            && let IndexKind::Pair(_, right) = &u.kind
        {
            let n = right.size as u64;
            let (a, b) = (self.word(a), self.word(b));
            return Code::Word(Box::new(move |env| Ok(a(env)? * n + b(env)?)));
        }
        let (a, b) = (self.value(a), self.value(b));
        Code::Value(Box::new(move |env| Ok(Value::Pair(Arc::new((a(env)?, b(env)?))))))
    }

    fn set_operator(&self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr, shape: Shape) -> Code {
        if self.is_word(&shape) {
            let (a, b) = (self.word(a), self.word(b));
            return match op {
                BinaryOp::Union => Code::Word(Box::new(move |env| Ok(a(env)? | b(env)?))),
                BinaryOp::Intersection => Code::Word(Box::new(move |env| Ok(a(env)? & b(env)?))),
                _ => Code::Word(Box::new(move |env| Ok(a(env)? & !b(env)?))),
            };
        }
        if self.is_infinite(e) {
            return self.infinite(e.span);
        }
        // A finite side filters by membership in an infinite one, which is never built.
        match op {
            BinaryOp::Intersection if self.is_infinite(a) => return self.filter(b, a, true, shape),
            BinaryOp::Intersection if self.is_infinite(b) => return self.filter(a, b, true, shape),
            BinaryOp::Difference if self.is_infinite(b) => return self.filter(a, b, false, shape),
            _ => {}
        }
        let (a, b, span) = (self.value(a), self.value(b), e.span);
        Code::Value(Box::new(move |env| {
            let (x, y) = (a(env)?, b(env)?);
            Ok(match op {
                BinaryOp::Union => {
                    let all = shape.union(&x, &y);
                    env.room_for(shape.card(&all), span)?;
                    all
                }
                BinaryOp::Intersection => shape.intersection(&x, &y),
                _ => shape.difference(&x, &y),
            })
        }))
    }

    fn filter(&self, set: &Expr, by: &Expr, keep: bool, shape: Shape) -> Code {
        let (set, test) = (self.value(set), self.member_test(by));
        Code::Value(Box::new(move |env| {
            let set = set(env)?;
            let mut kept = Vec::new();
            for v in shape.members(&set) {
                env.tick()?;
                if test(env, &v)? == keep {
                    kept.push(v);
                }
            }
            Ok(shape.collect(kept))
        }))
    }

    fn restriction(&self, op: BinaryOp, a: &Expr, b: &Expr, shape: Shape) -> Code {
        use BinaryOp::*;
        let on_domain = matches!(op, DomainRestrict | DomainSubtract);
        let (set, rel) = if on_domain { (a, b) } else { (b, a) };
        if let (true, ExprKind::Fold(Fold::Lambda, locals, pred, body)) = (on_domain, &rel.kind) {
            return self.restricted_lambda(op, set, (locals, pred, body), rel);
        }
        if self.is_infinite(rel) {
            return self.infinite(rel.span);
        }
        if self.is_infinite(set) {
            let (rel, test) = (self.value(rel), self.member_test(set));
            let keep = matches!(op, DomainRestrict | RangeRestrict);
            let pairs = shape.element();
            return self.finish(&shape.clone(), move |env| {
                let rel = rel(env)?;
                let mut kept = Vec::new();
                for v in shape.members(&rel) {
                    let (x, y) = pairs.split(&v);
                    if test(env, if on_domain { &x } else { &y })? == keep {
                        kept.push(v);
                    }
                }
                Ok(shape.collect(kept))
            });
        }
        let (set, rel) = (self.value(set), self.value(rel));
        self.finish(&shape.clone(), move |env| {
            let (s, r) = (set(env)?, rel(env)?);
            Ok(match op {
                DomainRestrict => relation::domain_restrict(&shape, &s, &r),
                DomainSubtract => relation::domain_subtract(&shape, &s, &r),
                RangeRestrict => relation::range_restrict(&shape, &r, &s),
                _ => relation::range_subtract(&shape, &r, &s),
            })
        })
    }

    /// `S <| %x.(P|E)` is `%x.(P & x : S|E)`: its domain may be infinite as long as `S` is not.
    fn restricted_lambda(
        &self,
        op: BinaryOp,
        set: &Expr,
        (locals, pred, body): (&[LocalId], &Pred, &Expr),
        rel: &Expr,
    ) -> Code {
        let local = |id: &LocalId| {
            let local = self.machine().local(*id);
            Expr::new(ExprKind::Local(*id), local.ty.clone(), local.span)
        };
        let mut arguments = locals.iter().map(local);
        let first = arguments.next().expect("at least one local");
        let argument = arguments.fold(first, |a, b| {
            let (ty, span) = (Type::pair(a.ty.clone(), b.ty.clone()), a.span);
            Expr::new(ExprKind::Binary(BinaryOp::Pair, Box::new(a), Box::new(b)), ty, span)
        });
        let comparison = match op {
            BinaryOp::DomainRestrict => Comparison::Member,
            _ => Comparison::NotMember,
        };
        let inside = Pred::new(PredKind::Compare(comparison, argument, set.clone()), set.span);
        let pred = Pred::and(vec![pred.clone(), inside], rel.span);
        let kind =
            ExprKind::Fold(Fold::Lambda, locals.to_vec(), Box::new(pred), Box::new(body.clone()));
        self.expr(&Expr::new(kind, rel.ty.clone(), rel.span))
    }

    fn image(&self, r: &Expr, s: &Expr, out: Shape) -> Code {
        // The image of a lambda is the set of its values: no relation is built, and its domain may
        // be infinite as long as the argument is not.
        if let ExprKind::Fold(Fold::Lambda, locals, pred, body) = &r.kind {
            let binder = Binder::tuple(&self.slots(locals));
            let (set_shape, set) = (self.shape(&s.ty), self.value(s));
            let (pred, value) = (self.pred(pred), self.value(body));
            return self.finish(&out.clone(), move |env| {
                let set = set(env)?;
                let mut items = Vec::new();
                for x in set_shape.members(&set) {
                    env.tick()?;
                    binder.bind(env, x)?;
                    if pred(env)? {
                        items.push(value(env)?);
                    }
                }
                Ok(out.collect(items))
            });
        }
        let rel_shape = self.shape(&r.ty);
        if self.is_infinite(s) {
            let test = self.member_test(s);
            let r = self.value(r);
            let pairs = rel_shape.element();
            return self.finish(&out.clone(), move |env| {
                let r = r(env)?;
                let mut items = Vec::new();
                for v in rel_shape.members(&r) {
                    let (x, y) = pairs.split(&v);
                    if test(env, &x)? {
                        items.push(y);
                    }
                }
                Ok(out.collect(items))
            });
        }
        let (r, s) = (self.value(r), self.value(s));
        self.finish(&out.clone(), move |env| {
            let (r, s) = (r(env)?, s(env)?);
            Ok(relation::image(&rel_shape, &out, &r, &s))
        })
    }

    /// `f(x)`.
    fn apply(&self, f: &Expr, x: &Expr, e: &Expr, shape: Shape) -> Code {
        let (span, x_operand, f_operand) = (e.span, Operand::of(x), Operand::of(f));
        if let ExprKind::Fold(Fold::Lambda, locals, pred, body) = &f.kind {
            return self.apply_lambda(locals, pred, body, x, span);
        }
        if let ExprKind::Binary(BinaryOp::Override, old, new) = &f.kind
            && matches!(old.kind, ExprKind::Fold(Fold::Lambda, ..))
        {
            return self.apply_override(old, new, x, e);
        }
        if let Some(code) = self.apply_field(f, x, span, &shape) {
            return code;
        }
        let rel_shape = self.shape(&f.ty);
        if let Some((rows, width)) = word_relation(&rel_shape)
            && self.is_word(&shape)
        {
            let (f, x) = (self.word(f), self.word(x));
            let mask = low_bits(width);
            let _ = rows;
            return Code::Word(Box::new(move |env| {
                let (r, i) = (f(env)?, x(env)?);
                let row = r >> (i as u32 * width) & mask;
                if row.is_power_of_two() {
                    return Ok(row.trailing_zeros() as u64);
                }
                let kind =
                    if row == 0 { FaultKind::OutsideDomain } else { FaultKind::NotFunctional };
                Err(env.fault(
                    kind,
                    span,
                    [(&f_operand, Value::Word(r)), (&x_operand, Value::Word(i))],
                ))
            }));
        }
        let (f, x) = (self.value(f), self.value(x));
        self.finish(&shape, move |env| {
            let (f, x) = (f(env)?, x(env)?);
            relation::apply(&rel_shape, &f, &x).map_err(|why| {
                let kind = match why {
                    relation::ApplyError::OutsideDomain => FaultKind::OutsideDomain,
                    relation::ApplyError::NotFunctional => FaultKind::NotFunctional,
                };
                env.fault(kind, span, [(&f_operand, f), (&x_operand, x)])
            })
        })
    }

    /// `(f <+ g)(x)` with a lambda `f`, which is not built.
    fn apply_override(&self, old: &Expr, new: &Expr, x: &Expr, e: &Expr) -> Code {
        let apply = |f: &Expr| {
            let kind = ExprKind::Binary(BinaryOp::Apply, Box::new(f.clone()), Box::new(x.clone()));
            Box::new(Expr::new(kind, e.ty.clone(), e.span))
        };
        let domain_type = Type::pow(x.ty.clone());
        let domain =
            Expr::new(ExprKind::Unary(UnaryOp::Dom, Box::new(new.clone())), domain_type, new.span);
        let inside = Pred::new(PredKind::Compare(Comparison::Member, x.clone(), domain), e.span);
        let kind = ExprKind::If(Box::new(inside), apply(new), apply(old));
        self.expr(&Expr::new(kind, e.ty.clone(), e.span))
    }

    fn apply_lambda(
        &self,
        locals: &[LocalId],
        pred: &Pred,
        body: &Expr,
        x: &Expr,
        span: Span,
    ) -> Code {
        let binder = Binder::tuple(&self.slots(locals));
        let (x_operand, x) = (Operand::of(x), self.value(x));
        let pred = self.pred(pred);
        let enter = move |env: &mut Env| {
            let v = x(env)?;
            binder.bind(env, v.clone())?;
            if pred(env)? {
                Ok(())
            } else {
                Err(env.fault(FaultKind::OutsideDomain, span, [(&x_operand, v)]))
            }
        };
        match self.expr(body) {
            Code::Word(body) => Code::Word(Box::new(move |env| {
                enter(env)?;
                body(env)
            })),
            Code::Value(body) => Code::Value(Box::new(move |env| {
                enter(env)?;
                body(env)
            })),
        }
    }

    /// `f(x)` where `f` is a variable whose field holds one number for each argument.
    fn apply_field(&self, f: &Expr, x: &Expr, span: Span, shape: &Shape) -> Option<Code> {
        let ExprKind::Variable(id) = f.kind else { return None };
        let layout = self.layout.clone();
        let field = layout.field(id).clone();
        let Coding::Function { domain, range, .. } = field.coding.clone() else { return None };
        let (f_operand, x_operand) = (Operand::of(f), Operand::of(x));
        let x = self.value(x);
        Some(self.finish(shape, move |env| {
            let x = x(env)?;
            if !field.is_outside(&env.state) {
                let code = domain.code(&x).map_or(0, |i| field.result_code(&env.state, i));
                if code > 0 {
                    return Ok(range.value(code - 1));
                }
                let f = if env.explain {
                    layout.read(id, &env.state, &mut env.interner)
                } else {
                    Value::FALSE
                };
                return Err(env.fault(
                    FaultKind::OutsideDomain,
                    span,
                    [(&f_operand, f), (&x_operand, x)],
                ));
            }
            let f = layout.read(id, &env.state, &mut env.interner);
            relation::apply(&field.shape, &f, &x).map_err(|why| {
                let kind = match why {
                    relation::ApplyError::OutsideDomain => FaultKind::OutsideDomain,
                    relation::ApplyError::NotFunctional => FaultKind::NotFunctional,
                };
                env.fault(kind, span, [(&f_operand, f), (&x_operand, x)])
            })
        }))
    }

    fn sequence_operator(&self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr, shape: Shape) -> Code {
        let (span, a_operand, b_operand) = (e.span, Operand::of(a), Operand::of(b));
        let (a, b) = (self.value(a), self.value(b));
        self.finish(&shape.clone(), move |env| {
            let (x, y) = (a(env)?, b(env)?);
            if op == BinaryOp::Concat {
                env.room_for(shape.card(&x) + shape.card(&y), span)?;
            }
            let result = match op {
                BinaryOp::Concat => sequence::concat(&shape, &x, &y),
                BinaryOp::Prepend => sequence::prepend(&shape, x.clone(), &y),
                BinaryOp::Append => sequence::append(&shape, &x, y.clone()),
                BinaryOp::Take => sequence::take(&shape, &x, &y),
                _ => sequence::drop(&shape, &x, &y),
            };
            result.map_err(|why| {
                env.fault(sequence_fault(why), span, [(&a_operand, x), (&b_operand, y)])
            })
        })
    }

    fn relation_operator(&self, op: BinaryOp, a: &Expr, b: &Expr, e: &Expr, shape: Shape) -> Code {
        let (span, b_operand) = (e.span, Operand::of(b));
        let (left, right) = (self.shape(&a.ty), self.shape(&b.ty));
        let (a, b) = (self.value(a), self.value(b));
        self.finish(&shape.clone(), move |env| {
            let (x, y) = (a(env)?, b(env)?);
            env.tick()?;
            if let BinaryOp::Product
            | BinaryOp::ParallelProduct
            | BinaryOp::Projection1
            | BinaryOp::Projection2 = op
            {
                let members = left.card(&x).saturating_mul(right.card(&y));
                env.room_for(members, span)?;
            }
            Ok(match op {
                BinaryOp::Product => relation::product(&left, &right, &shape, &x, &y),
                BinaryOp::Compose => metered(env, span, |meter| {
                    relation::compose(&left, &right, &shape, &x, &y, meter)
                })?,
                BinaryOp::ParallelProduct => relation::parallel(&left, &right, &shape, &x, &y),
                BinaryOp::DirectProduct => metered(env, span, |meter| {
                    relation::direct(&left, &right, &shape, &x, &y, meter)
                })?,
                BinaryOp::Override => relation::overriding(&shape, &x, &y),
                BinaryOp::Projection1 => relation::projection1(&left, &right, &shape, &x, &y),
                BinaryOp::Projection2 => relation::projection2(&left, &right, &shape, &x, &y),
                BinaryOp::Iterate => match y.to_big() {
                    Some(n) if !n.is_negative() => {
                        let n = n.to_u64().unwrap_or(u64::MAX);
                        metered(env, span, |meter| relation::iterate(&left, &x, n, meter))?
                    }
                    _ => {
                        return Err(env.fault(
                            FaultKind::NegativeIteration,
                            span,
                            [(&b_operand, y)],
                        ));
                    }
                },
                _ => unreachable!("{op:?} is compiled elsewhere"),
            })
        })
    }

    /// Reads a cell of a substitution as it was before it.
    pub fn cell(&self, cell: Cell, span: Span) -> ValueFn {
        let (kind, ty) = match cell {
            Cell::Variable(id) => (ExprKind::Variable(id), self.machine().variable(id).ty.clone()),
            Cell::Local(id) => (ExprKind::Local(id), self.machine().local(id).ty.clone()),
        };
        self.value(&Expr::new(kind, ty, span))
    }

    /// Equality of two expressions of one type.
    pub fn equal(&self, a: &Expr, b: &Expr) -> BoolFn {
        let shape = self.shape(&a.ty);
        if self.is_word(&shape) {
            let (a, b) = (self.word(a), self.word(b));
            return Box::new(move |env| Ok(a(env)? == b(env)?));
        }
        match (self.is_infinite(a), self.is_infinite(b)) {
            (false, false)
                if [a, b]
                    .iter()
                    .all(|e| matches!(e.kind, ExprKind::Binary(BinaryOp::Interval, ..))) =>
            {
                junction(vec![self.subset(a, b), self.subset(b, a)], false)
            }
            (false, false) => {
                let (a, b) = (self.value(a), self.value(b));
                Box::new(move |env| Ok(a(env)? == b(env)?))
            }
            (true, true) if a.kind == b.kind => self.always(true),
            (true, true) => match (&a.kind, &b.kind) {
                (ExprKind::Basic(x), ExprKind::Basic(y)) => self.always(x == y),
                _ => {
                    self.refuse(a.span.to(b.span), "comparing two infinite sets");
                    self.always(false)
                }
            },
            // Values are finite sets.
            (_, false) => self.then_false(b),
            (false, _) => self.then_false(a),
        }
    }

    /// False, once the expression is known to be defined.
    pub fn then_false(&self, e: &Expr) -> BoolFn {
        let e = self.value(e);
        Box::new(move |env| e(env).map(|_| false))
    }
}

/// Rows and row width of a relation that is held in one word.
pub fn word_relation(shape: &Shape) -> Option<(u32, u32)> {
    let Shape::Index(u) = shape else { return None };
    let IndexKind::Subset(pairs) = &u.kind else { return None };
    let IndexKind::Pair(left, right) = &pairs.kind else { return None };
    Some((left.size as u32, right.size as u32))
}

fn sequence_fault(why: sequence::SequenceError) -> FaultKind {
    match why {
        sequence::SequenceError::NotSequence => FaultKind::NotASequence,
        sequence::SequenceError::Empty => FaultKind::EmptySequence,
        sequence::SequenceError::OutOfRange => FaultKind::TakeOutOfRange,
    }
}

fn real_of(v: &Value) -> f64 {
    match v {
        Value::Real(r) => *r,
        other => unreachable!("not a real: {other:?}"),
    }
}

/// The integer of a real without fractional part, exactly.
fn integer_of(r: f64) -> Value {
    match num_traits::FromPrimitive::from_f64(r) {
        Some(n) => Value::integer(n),
        None => Value::Int(0),
    }
}

/// A power that fits 64 bits, for an exponent of at least 0.
fn small_power(base: i64, exponent: i64) -> Option<i64> {
    match (base, u32::try_from(exponent)) {
        (0 | 1, _) if exponent > 0 => Some(base),
        (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        (_, Ok(n)) => base.checked_pow(n),
        (_, Err(_)) => None,
    }
}

/// Longest number that is computed, in words of 64 bits. Division takes quadratic time, and nothing
/// ends one operation on two numbers: at this length the longest takes about a second.
const LONGEST_NUMBER: u64 = 1 << 16;

/// About how many steps a multiplication or division of long numbers takes, for the clock.
fn steps_of(op: BinaryOp, x: &Value, y: &Value) -> usize {
    let words = |v: &Value| match v {
        Value::Big(n) => (n.bits() / 64) as usize,
        _ => 0,
    };
    match op {
        BinaryOp::Add | BinaryOp::Subtract => words(x).max(words(y)) / 64,
        _ => words(x).saturating_mul(words(y).max(1)) / 64,
    }
}

/// About how many words the result of an operator has.
fn words_of(op: BinaryOp, x: &Value, y: &Value) -> u64 {
    let bits = |v: &Value| match v {
        Value::Int(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
        Value::Big(n) => n.bits(),
        _ => 0,
    };
    match op {
        BinaryOp::Multiply => (bits(x) + bits(y)) / 64,
        BinaryOp::Power if bits(x) > 1 => {
            let times = y.to_big().and_then(|n| n.to_u64()).unwrap_or(u64::MAX);
            if *y < Value::Int(0) { 0 } else { bits(x).saturating_mul(times) / 64 }
        }
        _ => 0,
    }
}

/// Why an integer operator has no value for these operands.
fn fault_of(op: BinaryOp, x: &Value, y: &Value) -> Option<FaultKind> {
    let zero = Value::Int(0);
    match op {
        BinaryOp::Divide if *y == zero => Some(FaultKind::DivisionByZero),
        BinaryOp::Modulo if *x < zero || *y <= zero => Some(FaultKind::ModuloDomain),
        BinaryOp::Power if *y < zero => Some(FaultKind::NegativeExponent),
        _ => None,
    }
}

/// Integer operators on values of any size, for operands for which [`fault_of`] finds nothing.
/// Division rounds towards zero.
pub fn arithmetic(op: BinaryOp, x: &Value, y: &Value) -> Value {
    if let (Value::Int(a), Value::Int(b)) = (x, y) {
        let small = match op {
            BinaryOp::Add => a.checked_add(*b),
            BinaryOp::Subtract => a.checked_sub(*b),
            BinaryOp::Multiply => a.checked_mul(*b),
            BinaryOp::Divide => a.checked_div(*b),
            BinaryOp::Modulo => a.checked_rem(*b),
            _ => u32::try_from(*b).ok().and_then(|b| a.checked_pow(b)),
        };
        if let Some(n) = small {
            return Value::Int(n);
        }
    }
    let (Some(a), Some(b)) = (x.to_big(), y.to_big()) else { return Value::Int(0) };
    Value::integer(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Modulo => a.mod_floor(&b),
        _ => power(a, &b),
    })
}

fn power(base: BigInt, exponent: &BigInt) -> BigInt {
    if exponent.is_zero() {
        return BigInt::from(1);
    }
    match exponent.to_u32() {
        Some(n) => base.pow(n),
        // Only 0, 1 and -1 have powers of that size that can be written down.
        None if base.is_zero() => base,
        None if base.is_negative() && exponent.is_even() => -base,
        None => base,
    }
}
