//! Functions from intervals to integers at work: application, images of intervals and what is least in
//! them, without sets in between.

use crate::eval::compile::Compiler;
use crate::lower::code::{Code, ValueFn, lower};
use crate::lower::env::Env;
use crate::lower::numbered::{Arrayed, Numbered};
use crate::lower::stop::{FaultKind, Stop};
use crate::lower::{Bits, Word};
use crate::machine::{BinaryOp, Expr, ExprKind, Fold, Type, UnaryOp, VarId};
use crate::state::Coding;
use crate::state::flat::Flat;
use crate::state::layout::{Position, get};
use crate::value::{Shape, Value, relation};

impl Compiler<'_> {
    /// A variable whose values are interned functions from integers to integers or to what is a word.
    pub(in crate::eval) fn numbered_function(&self, f: &Expr) -> Option<(VarId, Position)> {
        let ExprKind::Variable(id) = f.kind else { return None };
        let field = self.layout.field(id);
        let numbered = field.coding == Coding::Interned && self.has_array(f);
        (numbered && self.mark(id).is_none()).then_some((id, field.at))
    }

    /// `f(x)` of such a variable.
    pub(super) fn apply_numbered(&self, f: &Expr, x: &Expr, e: &Expr) -> Option<Code> {
        let (id, at) = self.numbered_function(f)?;
        let (function, argument) = (self.operand(f), self.operand(x));
        if !self.exact {
            let (number, layout) = (Bits::new(at, 32), self.layout.clone());
            let of = Numbered { id, layout, number, span: e.span, function, argument };
            return Some(Code::Word(Word::Numbered(Box::new((self.word(x), of)))));
        }
        let (span, layout, rel) = (e.span, self.layout.clone(), self.shape(&f.ty));
        let x = self.value(x);
        Some(self.finish(&Shape::Integer, move |env| {
            let x = x(env)?;
            let number = get(&env.state, at, 32) as u32;
            if let (Value::Int(x), Some(flat)) = (&x, env.interner.flat(number))
                && let Some(y) = flat.get(*x)
            {
                return Ok(Value::Int(y));
            }
            let f = layout.read(id, &env.state, &mut env.interner);
            relation::apply(&rel, &f, &x)
                .map_err(|why| env.fault(why.into(), span, [(&function, f), (&argument, x)]))
        }))
    }

    /// `f(x)` of a constant that is a function from integers, or pairs of them, to integers or to what is a word.
    pub(super) fn apply_constant(&self, f: &Expr, x: &Expr, e: &Expr) -> Option<Code> {
        let ExprKind::Constant(id) = f.kind else { return None };
        if self.exact {
            return None;
        }
        let at = match &x.kind {
            _ if self.has_array(f) => (self.word(x), None),
            ExprKind::Binary(BinaryOp::Pair, a, b) if self.has_array_of_two(f) => {
                (self.word(a), Some(self.word(b)))
            }
            _ => return None,
        };
        let of = Arrayed {
            id,
            at,
            shape: self.shape(&f.ty),
            span: e.span,
            function: self.operand(f),
            argument: self.operand(x),
        };
        Some(Code::Word(Word::Array(Box::new(of))))
    }

    /// Whether a relation is of a type of which functions on intervals are read from arrays.
    fn has_array(&self, f: &Expr) -> bool {
        self.has_array_from(f, &|ty| *ty == Type::Integer)
    }

    /// The same of functions on products of two intervals.
    fn has_array_of_two(&self, f: &Expr) -> bool {
        let two = |ty: &Type| matches!(ty, Type::Pair(two) if two.0 == Type::Integer && two.1 == Type::Integer);
        self.has_array_from(f, &two)
    }

    fn has_array_from(&self, f: &Expr, is_argument: &dyn Fn(&Type) -> bool) -> bool {
        let Some(Type::Pair(sides)) = f.ty.element() else { return false };
        let results =
            sides.1 == Type::Integer || !self.exact && self.is_word(&self.shape(&sides.1));
        is_argument(&sides.0) && results && !self.may_be_symbolic(f)
    }

    /// The relation and the bounds of `r[a..b]`, where the relation is a list that can be built.
    fn image_of_interval<'e>(&self, e: &'e Expr) -> Option<(&'e Expr, &'e Expr, &'e Expr)> {
        let ExprKind::Binary(BinaryOp::Image, r, s) = &e.kind else { return None };
        let ExprKind::Binary(BinaryOp::Interval, a, b) = &s.kind else { return None };
        let listed = !matches!(r.kind, ExprKind::Fold(Fold::Lambda, ..))
            && !self.is_infinite(r)
            && !self.may_be_symbolic(r);
        listed.then_some((&**r, &**a, &**b))
    }

    /// `r[a..b]`: the interval is not built.
    pub(super) fn interval_image(&self, e: &Expr, out: &Shape) -> Option<Code> {
        let (r, a, b) = self.image_of_interval(e)?;
        let (rel, image, span) = (self.shape(&r.ty), out.clone(), e.span);
        let (r, a, b) = (self.value(r), self.value(a), self.value(b));
        Some(self.finish(out, move |env| {
            let (r, a, b) = (r(env)?, a(env)?, b(env)?);
            let partners = relation::right_sides(&rel, &r, &a, &b);
            env.tick_by(partners.len())?;
            env.room_for(partners.len(), span)?;
            Ok(image.collect(partners))
        }))
    }

    /// `min(r[a..b])` and `max(r[a..b])`: nothing is built.
    pub(super) fn extreme_of_image(&self, op: UnaryOp, set: &Expr, e: &Expr) -> Option<Code> {
        let (r, a, b) = self.image_of_interval(set)?;
        let (shape, set_shape) = (self.shape(&e.ty), self.shape(&set.ty));
        let (operand, span) = (self.operand(set), e.span);
        let least = matches!(op, UnaryOp::Min | UnaryOp::MinReal);
        let kind = if least { FaultKind::MinOfEmpty } else { FaultKind::MaxOfEmpty };
        let (numbered, rel) = (self.numbered_function(r), self.shape(&r.ty));
        let of_list = move |env: &mut Env, r: &Value, a: &Value, b: &Value| {
            let partners = relation::right_sides(&rel, r, a, b);
            env.tick_by(partners.len())?;
            let found = if least { partners.min() } else { partners.max() };
            found.ok_or_else(|| env.fault(kind, span, [(&operand, set_shape.empty())]))
        };
        if let (Some((_, at)), false) = (numbered, self.exact) {
            let (r, a, b) = (self.value(r), self.word(a), self.word(b));
            return Some(Code::Word(Word::run(move |env| {
                let (a, b) = (a.get(env)? as i64, b.get(env)? as i64);
                let flat = env.interner.flat(get(&env.state, at, 32) as u32);
                let extreme =
                    |flat: &Flat| if least { flat.least(a, b) } else { flat.greatest(a, b) };
                if let Some(extreme) = flat.and_then(extreme) {
                    env.tick()?;
                    return Ok(extreme as u64);
                }
                let r = r(env)?;
                lower(&of_list(env, &r, &Value::Int(a), &Value::Int(b))?)
            })));
        }
        let (r, a, b): (ValueFn, ValueFn, ValueFn) = (self.value(r), self.value(a), self.value(b));
        Some(match numbered {
            None => self.finish(&shape, move |env| {
                let (r, a, b) = (r(env)?, a(env)?, b(env)?);
                of_list(env, &r, &a, &b)
            }),
            Some((_, at)) => self.finish(&shape, move |env| {
                let (a, b) = (a(env)?, b(env)?);
                let number = get(&env.state, at, 32) as u32;
                if let (Value::Int(a), Value::Int(b), Some(flat)) =
                    (&a, &b, env.interner.flat(number))
                {
                    let extreme = if least { flat.least(*a, *b) } else { flat.greatest(*a, *b) };
                    if let Some(extreme) = extreme {
                        env.tick()?;
                        return Ok::<Value, Stop>(Value::Int(extreme));
                    }
                }
                let r = r(env)?;
                of_list(env, &r, &a, &b)
            }),
        })
    }
}
