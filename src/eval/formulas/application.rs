//! Functions and relations at work: application, image, restriction.

use crate::eval::compile::Compiler;
use crate::eval::packed::wide::word_relation;
use crate::lower::code::{Binder, Code};
use crate::lower::rich::{Applied, OfOne};
use crate::lower::word::Application;
use crate::lower::{One, Point, Points, Rich, Two, Word};
use crate::machine::make;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type, UnaryOp, VarId,
};
use crate::normalise;
use crate::source::Span;
use crate::value::{Shape, Value, relation};
use std::sync::Arc;

impl Compiler<'_> {
    pub(super) fn filter(&self, set: &Expr, by: &Expr, keep: bool, shape: Shape) -> Code {
        let of = (shape, self.rich(set), self.belongs(by));
        Code::Value(Rich::Those(Box::new(of), keep))
    }

    pub(super) fn restriction(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        e: &Expr,
        shape: Shape,
    ) -> Code {
        use BinaryOp::*;
        let on_domain = matches!(op, DomainRestrict | DomainSubtract);
        let (set, rel) = if on_domain { (a, b) } else { (b, a) };
        if let (true, ExprKind::Fold(Fold::Lambda, locals, pred, body)) = (on_domain, &rel.kind) {
            return self.restricted_lambda(op, set, (locals, pred, body), rel);
        }
        if self.is_infinite(rel) {
            return self.infinite(rel.span);
        }
        if self.is_rather_asked(set) {
            let keep = matches!(op, DomainRestrict | RangeRestrict);
            let of = (shape.clone(), self.rich(rel), self.belongs(set));
            return self.made(&shape, Rich::Restricted(Box::new(of), on_domain, keep));
        }
        if let (Some(grid), true) = (word_relation(&shape), self.is_word(&self.shape(&set.ty))) {
            let keep = matches!(op, DomainRestrict | RangeRestrict);
            let (set, rel) = (self.word(set), self.word(rel));
            let pairs = match on_domain {
                true => One::Rows(grid, keep),
                false => One::Columns(grid, keep),
            };
            return Code::Word(Word::two(Two::Intersection, Word::one(pairs, set), rel));
        }
        self.of_two(op, a, b, e, shape)
    }

    /// `S <| %x.(P|E)` is `%x.(P & x : S|E)`: its domain may be infinite as long as `S` is not.
    pub(super) fn restricted_lambda(
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
        let argument = arguments.fold(first, make::pair);
        let comparison = match op {
            BinaryOp::DomainRestrict => Comparison::Member,
            _ => Comparison::NotMember,
        };
        let inside = Pred::new(PredKind::Compare(comparison, argument, set.clone()), set.span);
        let pred = Pred::and(vec![pred.clone(), inside], rel.span);
        let kind =
            ExprKind::Fold(Fold::Lambda, locals.to_vec(), Arc::new(pred), Arc::new(body.clone()));
        let restricted = Expr::new(kind, rel.ty.clone(), rel.span);
        if self.is_total(set) || self.is_rather_asked(set) {
            return self.expr(&restricted);
        }
        // Where no argument fulfils `P` nobody asks for the set, and it has to have a value all the same.
        let (set, restricted) = (self.value(set), self.value(&restricted));
        self.finish(&self.shape(&rel.ty), move |env| {
            set(env)?;
            restricted(env)
        })
    }

    pub(super) fn image(&self, r: &Expr, s: &Expr, e: &Expr, out: Shape) -> Code {
        // The image of a lambda is the set of its values: no relation is built, and its domain may
        // be infinite as long as the argument is not.
        if let ExprKind::Fold(Fold::Lambda, locals, pred, body) = &r.kind
            && (!self.is_rather_asked(s) || normalise::looks_infinite(r))
        {
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
        if let Some(code) = self.wide_image(r, s) {
            return code;
        }
        let rel_shape = self.shape(&r.ty);
        if let (Some(grid), ExprKind::SetExtension(items)) = (word_relation(&rel_shape), &s.kind)
            && let [x] = &items[..]
            && self.is_word(&out)
        {
            return Code::Word(Word::two(Two::Row(grid), self.word(r), self.word(x)));
        }
        if self.is_rather_asked(s) {
            let operand = self.operand(r);
            let of = (rel_shape.clone(), self.rich(r), self.belongs(s));
            let pairs = Rich::Restricted(Box::new(of), true, true);
            let ran =
                OfOne { op: UnaryOp::Ran, arg: rel_shape, out: out.clone(), span: e.span, operand };
            return self.made(&out, Rich::One(Box::new((ran, pairs))));
        }
        if let (Some(grid), true) = (word_relation(&rel_shape), self.is_word(&out))
            && self.is_word(&self.shape(&s.ty))
        {
            // Of an inverse nothing is made.
            if let ExprKind::Unary(UnaryOp::Inverse, r) = &r.kind
                && let Some(grid) = word_relation(&self.shape(&r.ty))
                && !self.is_infinite(r)
            {
                let columns = Word::one(One::Columns(grid, true), self.word(s));
                let pairs = Word::two(Two::Intersection, self.word(r), columns);
                return Code::Word(Word::one(One::Domain(grid), pairs));
            }
            let rows = Word::one(One::Rows(grid, true), self.word(s));
            let pairs = Word::two(Two::Intersection, self.word(r), rows);
            return Code::Word(Word::one(One::Range(grid), pairs));
        }
        self.of_two(BinaryOp::Image, r, s, e, out)
    }

    /// `f(x)`.
    pub(super) fn apply(&self, f: &Expr, x: &Expr, e: &Expr, shape: Shape) -> Code {
        let (span, x_operand, f_operand) = (e.span, self.operand(x), self.operand(f));
        if let ExprKind::Fold(Fold::Lambda, locals, pred, body) = &f.kind {
            return self.apply_lambda(locals, pred, body, x, span);
        }
        if let ExprKind::Binary(BinaryOp::Override, old, new) = &f.kind
            && matches!(old.kind, ExprKind::Fold(Fold::Lambda, ..))
        {
            return self.apply_override(old, new, x, e);
        }
        if let Some(word) = self.item(f, x, e) {
            return Code::Word(word);
        }
        if !matches!(f.kind, ExprKind::Local(_) | ExprKind::Constant(_) | ExprKind::Variable(_))
            && let Some(graph) = self.points_of(f)
        {
            return self.apply_at(graph, x, e);
        }
        if self.may_be_symbolic(f) || self.may_be_symbolic(x) {
            return self.symbolic_apply(f, x, e);
        }
        let held = self.apply_field(f, x, span, &shape);
        if let Some(code) =
            held.or_else(|| self.apply_numbered(f, x, e)).or_else(|| self.apply_constant(f, x, e))
        {
            return code;
        }
        if let Some(code) =
            self.wide_apply(f, x, e).or_else(|| self.apply_projection(f, x, span, &shape))
        {
            return code;
        }
        let rel_shape = self.shape(&f.ty);
        if let Some(grid) = word_relation(&rel_shape)
            && self.is_word(&shape)
        {
            let of = Application { grid, span, function: f_operand, argument: x_operand };
            return Code::Word(Word::Apply(Word::both(self.word(f), self.word(x)), Box::new(of)));
        }
        self.of_two(BinaryOp::Apply, f, x, e, shape)
    }

    /// `prj1(a, b)(x)` and `prj2(a, b)(x)`: a side of a pair that is in `a * b`, which is not built.
    fn apply_projection(&self, f: &Expr, x: &Expr, span: Span, shape: &Shape) -> Option<Code> {
        let ExprKind::Binary(op, a, b) = &f.kind else { return None };
        let is_first = match op {
            BinaryOp::Projection1 => true,
            BinaryOp::Projection2 => false,
            _ => return None,
        };
        if !matches!(self.shape(&x.ty), Shape::Pair(_)) {
            return None;
        }
        let (left, right) = (self.belongs(a), self.belongs(b));
        let operands = (self.operand(f), self.operand(x));
        let (f, x, relation) = (self.value(f), self.value(x), self.shape(&f.ty));
        Some(self.finish(shape, move |env| {
            let x = x(env)?;
            if let Value::Pair(pair) = &x
                && left.holds(env, &pair.0)?
                && right.holds(env, &pair.1)?
            {
                return Ok(if is_first { pair.0.clone() } else { pair.1.clone() });
            }
            let f = f(env)?;
            let side = relation::apply(&relation, &f, &x);
            side.map_err(|why| env.fault(why.into(), span, [(&operands.0, f), (&operands.1, x)]))
        }))
    }

    /// `(f <+ g)(x)` with a lambda `f`, which is not built.
    pub(super) fn apply_override(&self, old: &Expr, new: &Expr, x: &Expr, e: &Expr) -> Code {
        let apply = |f: &Expr| {
            let kind = ExprKind::Binary(BinaryOp::Apply, Arc::new(f.clone()), Arc::new(x.clone()));
            Arc::new(Expr::new(kind, e.ty.clone(), e.span))
        };
        let domain_type = Type::pow(x.ty.clone());
        let domain =
            Expr::new(ExprKind::Unary(UnaryOp::Dom, Arc::new(new.clone())), domain_type, new.span);
        let inside = Pred::new(PredKind::Compare(Comparison::Member, x.clone(), domain), e.span);
        let kind = ExprKind::If(Arc::new(inside), apply(new), apply(old));
        self.expr(&Expr::new(kind, e.ty.clone(), e.span))
    }

    pub(super) fn apply_lambda(
        &self,
        locals: &[LocalId],
        pred: &Pred,
        body: &Expr,
        x: &Expr,
        span: Span,
    ) -> Code {
        let shape = self.shape(&body.ty);
        let applied = Applied {
            argument: if self.may_be_symbolic(x) { self.kept_rich(x) } else { self.rich(x) },
            binder: Binder::tuple(&self.slots(locals)),
            test: self.test(pred),
            body: self.kept_rich(body),
            span,
            operand: self.operand(x),
        };
        self.made(&shape, Rich::Applied(Box::new(applied)))
    }

    /// `f(x)` where `f` is a variable whose field holds one number for each argument.
    pub(super) fn apply_field(
        &self,
        f: &Expr,
        x: &Expr,
        span: Span,
        shape: &Shape,
    ) -> Option<Code> {
        let ExprKind::Variable(id) = f.kind else { return None };
        if self.exact || self.gives_no_words(id) {
            return self.apply_points(id, f, x, span, shape);
        }
        let point = self.point(id, f, x, span)?;
        // What is held as numbers gives words.
        debug_assert!(self.is_word(shape));
        Some(Code::Word(Word::Point(Box::new(point))))
    }

    /// A function variable that the state holds point by point, at one point.
    pub(in crate::eval) fn point(
        &self,
        id: VarId,
        f: &Expr,
        x: &Expr,
        span: Span,
    ) -> Option<Point> {
        if self.exact || self.mark(id).is_some() {
            return None;
        }
        let points = Points::of(&self.layout, id)?;
        let (function, operand) = (self.operand(f), self.operand(x));
        let argument = self.on_axis(x, &points.domain);
        Some(Point { points, argument, span, function, operand })
    }

    /// The same for unbounded integers, and where what the function gives is no word.
    fn apply_points(
        &self,
        id: VarId,
        f: &Expr,
        x: &Expr,
        span: Span,
        shape: &Shape,
    ) -> Option<Code> {
        let points = Points::of(&self.layout, id).filter(|_| self.mark(id).is_none())?;
        let (f_operand, x_operand) = (self.operand(f), self.operand(x));
        let x = self.value(x);
        Some(self.finish(shape, move |env| {
            let x = x(env)?;
            if let Some(result) = points.result(&env.state, &x) {
                return Ok(result);
            }
            let f = points.layout.read(id, &env.state, &mut env.interner);
            relation::apply(points.shape(), &f, &x)
                .map_err(|why| env.fault(why.into(), span, [(&f_operand, f), (&x_operand, x)]))
        }))
    }
}
