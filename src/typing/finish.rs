//! The last walk over elaborated trees: terms become ground types, overloaded operators the ones
//! their types ask for, fields their numbers.

use crate::machine::{
    Access, BinaryOp, Comparison, Expr, ExprKind, Pred, PredKind, Subst, SubstKind, Target, Type,
    UnaryOp,
};
use crate::source::Span;
use crate::typing::infer::Infer;

/// The walk, and the places whose types are too large.
pub struct Finish<'i> {
    pub infer: &'i mut Infer,
    pub too_large: Vec<Span>,
}

impl Finish<'_> {
    pub fn ty(&mut self, ty: &mut Type, span: Span) {
        match self.infer.ground(ty) {
            Some(ground) => *ty = ground,
            None => {
                self.too_large.push(span);
                *ty = Type::Integer;
            }
        }
    }

    pub fn expr(&mut self, e: &mut Expr) {
        self.ty(&mut e.ty, e.span);
        match &mut e.kind {
            ExprKind::Integer(_)
            | ExprKind::Real(_)
            | ExprKind::Bool(_)
            | ExprKind::String(_)
            | ExprKind::Element(..)
            | ExprKind::Carrier(_)
            | ExprKind::Freetype(..)
            | ExprKind::Basic(_)
            | ExprKind::MaxInt
            | ExprKind::MinInt
            | ExprKind::Constant(_)
            | ExprKind::Variable(_)
            | ExprKind::Local(_)
            | ExprKind::Empty => {}
            ExprKind::Unary(op, operand) => {
                self.expr(operand);
                if e.ty == Type::Real {
                    *op = match *op {
                        UnaryOp::Negate => UnaryOp::NegateReal,
                        UnaryOp::Max => UnaryOp::MaxReal,
                        UnaryOp::Min => UnaryOp::MinReal,
                        other => other,
                    };
                }
            }
            ExprKind::Binary(..) => self.binary_chain(e),
            ExprKind::SetExtension(items)
            | ExprKind::Sequence(items)
            | ExprKind::Record(items)
            | ExprKind::Struct(items)
            | ExprKind::Symbolic(_, items)
            | ExprKind::Tree(_, items)
            | ExprKind::External(_, items) => items.iter_mut().for_each(|item| self.expr(item)),
            ExprKind::Comprehension(_, body) | ExprKind::BoolOf(body) => self.pred(body),
            ExprKind::Fold(_, _, body, value) => {
                self.pred(body);
                self.expr(value);
            }
            ExprKind::Field(record, number) => {
                self.expr(record);
                *number = self.field_index(&record.ty, *number);
            }
            ExprKind::If(condition, yes, no) => {
                self.pred(condition);
                self.expr(yes);
                self.expr(no);
            }
            ExprKind::Let(equations, body) => {
                equations.iter_mut().for_each(|(_, value)| self.expr(value));
                self.expr(body);
            }
            ExprKind::Destruct(_, _, value) => self.expr(value),
            ExprKind::Construct(_, _, argument) => {
                if let Some(argument) = argument {
                    self.expr(argument);
                }
            }
        }
    }

    /// Walks the left spine of infix operators by a loop: it may be long.
    fn binary_chain(&mut self, e: &mut Expr) {
        let mut node = e;
        loop {
            if !matches!(node.kind, ExprKind::Binary(..)) {
                return self.expr(node);
            }
            self.ty(&mut node.ty, node.span);
            let ExprKind::Binary(op, l, r) = &mut node.kind else { return };
            *op = overloaded(*op, &node.ty);
            self.expr(r);
            node = l;
        }
    }

    fn field_index(&self, record: &Type, number: usize) -> usize {
        match (record, self.infer.field_name(number)) {
            (Type::Record(fields), Some(name)) => {
                fields.iter().position(|(n, _)| n == name).unwrap_or(0)
            }
            _ => 0,
        }
    }

    pub fn pred(&mut self, p: &mut Pred) {
        match &mut p.kind {
            PredKind::True | PredKind::False => {}
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter_mut().for_each(|p| self.pred(p)),
            PredKind::Not(p) | PredKind::Exists(_, p) => self.pred(p),
            PredKind::Implies(p, q) | PredKind::Iff(p, q) | PredKind::Forall(_, p, q) => {
                self.pred(p);
                self.pred(q);
            }
            PredKind::Compare(op, l, r) => {
                self.expr(l);
                self.expr(r);
                if l.ty == Type::Real {
                    *op = match *op {
                        Comparison::Less => Comparison::LessReal,
                        Comparison::LessEqual => Comparison::LessEqualReal,
                        Comparison::Greater => Comparison::GreaterReal,
                        Comparison::GreaterEqual => Comparison::GreaterEqualReal,
                        other => other,
                    };
                }
            }
            PredKind::If(p, q, r) => [p, q, r].into_iter().for_each(|p| self.pred(p)),
            PredKind::Let(equations, body) => {
                equations.iter_mut().for_each(|(_, value)| self.expr(value));
                self.pred(body);
            }
            PredKind::Finite(e) => self.expr(e),
            PredKind::Partition(whole, parts) => {
                self.expr(whole);
                parts.iter_mut().for_each(|part| self.expr(part));
            }
        }
    }

    /// `ty` is the type of the whole cell.
    fn target(&mut self, target: &mut Target, ty: &Type) {
        let mut ty = ty.clone();
        for access in &mut target.path {
            ty = match access {
                Access::Index(index) => {
                    self.expr(index);
                    ty.relation_sides().map(|(_, value)| value.clone())
                }
                Access::Field(number) => {
                    *number = self.field_index(&ty, *number);
                    match &ty {
                        Type::Record(fields) => fields.get(*number).map(|(_, t)| t.clone()),
                        _ => None,
                    }
                }
            }
            .unwrap_or(Type::Integer);
        }
    }

    /// `cell_type` gives the ground type of a cell.
    pub fn subst(&mut self, s: &mut Subst, cell_type: &dyn Fn(crate::machine::Cell) -> Type) {
        match &mut s.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(pairs) => {
                for (target, value) in pairs {
                    self.target(target, &cell_type(target.cell));
                    self.expr(value);
                }
            }
            SubstKind::BecomesElement(targets, set) => {
                for target in targets {
                    self.target(target, &cell_type(target.cell));
                }
                self.expr(set);
            }
            SubstKind::BecomesSuchThat(_, p) => self.pred(p),
            SubstKind::Parallel(ps) | SubstKind::Sequence(ps) | SubstKind::Choice(ps) => {
                ps.iter_mut().for_each(|p| self.subst(p, cell_type));
            }
            SubstKind::Precondition(p, body)
            | SubstKind::Assert(_, p, body)
            | SubstKind::Any(_, p, body) => {
                self.pred(p);
                self.subst(body, cell_type);
            }
            SubstKind::If(branches, otherwise) | SubstKind::Select(branches, otherwise) => {
                for (p, body) in branches {
                    self.pred(p);
                    self.subst(body, cell_type);
                }
                if let Some(body) = otherwise {
                    self.subst(body, cell_type);
                }
            }
            SubstKind::Case(subject, branches, otherwise) => {
                self.expr(subject);
                for (labels, body) in branches {
                    labels.iter_mut().for_each(|label| self.expr(label));
                    self.subst(body, cell_type);
                }
                if let Some(body) = otherwise {
                    self.subst(body, cell_type);
                }
            }
            SubstKind::Let(equations, body) => {
                equations.iter_mut().for_each(|(_, value)| self.expr(value));
                self.subst(body, cell_type);
            }
            SubstKind::Var(_, body) => self.subst(body, cell_type),
            SubstKind::While { condition, body, invariant, variant, .. } => {
                self.pred(condition);
                self.subst(body, cell_type);
                self.pred(invariant);
                self.expr(variant);
            }
            SubstKind::Call { arguments, results, .. } => {
                arguments.iter_mut().for_each(|a| self.expr(a));
                for target in results {
                    self.target(target, &cell_type(target.cell));
                }
            }
        }
    }
}

/// The operator that an overloaded one stands for at this type of its result.
fn overloaded(op: BinaryOp, ty: &Type) -> BinaryOp {
    match (op, ty) {
        (BinaryOp::Add, Type::Real) => BinaryOp::AddReal,
        (BinaryOp::Subtract, Type::Real) => BinaryOp::SubtractReal,
        (BinaryOp::Subtract, Type::Pow(_)) => BinaryOp::Difference,
        (BinaryOp::Multiply, Type::Real) => BinaryOp::MultiplyReal,
        (BinaryOp::Multiply, Type::Pow(_)) => BinaryOp::Product,
        (BinaryOp::Divide, Type::Real) => BinaryOp::DivideReal,
        (BinaryOp::Power, Type::Real) => BinaryOp::PowerReal,
        (op, _) => op,
    }
}
