//! The last walk over elaborated trees: terms become ground types, overloaded operators the ones
//! their types ask for, fields their numbers.

use crate::machine::external::{Signature, find};
use crate::machine::visit::Visitor;
use crate::machine::{
    Access, BinaryOp, Cell, Comparison, Expr, ExprKind, External, Machine, Pred, PredKind, Subst,
    SubstKind, Target, Type, UnaryOp,
};
use crate::source::Span;
use crate::typing::infer::Infer;
use std::cell::RefCell;
use std::sync::Arc;

/// What is finished with, and the places whose types are too large.
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

    /// All that a machine declares and says.
    pub fn machine(&mut self, machine: &mut Machine) {
        for global in machine.constants.iter_mut().chain(&mut machine.variables) {
            self.ty(&mut global.ty, global.span);
        }
        for freetype in &mut machine.freetypes {
            let arguments = freetype.constructors.iter_mut().filter_map(|c| c.argument.as_mut());
            arguments.for_each(|ty| self.ty(ty, Span::default()));
        }
        for local in &mut machine.locals {
            self.ty(&mut local.ty, local.span);
        }
        let variables: Vec<Type> = machine.variables.iter().map(|v| v.ty.clone()).collect();
        let locals: Vec<Type> = machine.locals.iter().map(|l| l.ty.clone()).collect();
        let cell_type = |cell: Cell| match cell {
            Cell::Variable(v) => variables[v.0 as usize].clone(),
            Cell::Local(l) => locals[l.0 as usize].clone(),
        };
        self.walk(&cell_type, |visitor| visitor.machine(machine));
    }

    /// A predicate that stands alone.
    pub fn pred(&mut self, p: &mut Pred) {
        self.walk(&|_| Type::Integer, |visitor| visitor.pred(p));
    }

    /// `cell_type` gives the ground type of a cell.
    fn walk(&mut self, cell_type: &dyn Fn(Cell) -> Type, walk: impl FnOnce(&mut Visitor<'_>)) {
        let finish = RefCell::new(self);
        walk(&mut Visitor {
            expr: &mut |e| finish.borrow_mut().expr(e),
            binder: None,
            pred: Some(&mut compare),
            subst: Some(&mut |s| finish.borrow().targets(s, cell_type)),
        });
    }

    /// An expression whose parts are finished.
    fn expr(&mut self, e: &mut Expr) {
        self.ty(&mut e.ty, e.span);
        if let Some(external) = of_strings(e) {
            let operands = match std::mem::replace(&mut e.kind, ExprKind::Empty) {
                ExprKind::Unary(_, operand) => vec![Arc::unwrap_or_clone(operand)],
                ExprKind::Binary(_, l, r) => [l, r].map(Arc::unwrap_or_clone).into(),
                _ => Vec::new(),
            };
            e.kind = ExprKind::External(external, operands);
            return;
        }
        match &mut e.kind {
            ExprKind::Unary(op, _) if e.ty == Type::Real => {
                *op = match *op {
                    UnaryOp::Negate => UnaryOp::NegateReal,
                    UnaryOp::Max => UnaryOp::MaxReal,
                    UnaryOp::Min => UnaryOp::MinReal,
                    other => other,
                };
            }
            ExprKind::Binary(op, ..) => *op = overloaded(*op, &e.ty),
            ExprKind::Field(record, number) => *number = self.field_index(&record.ty, *number),
            _ => {}
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

    /// The targets of a substitution whose parts are finished.
    fn targets(&self, s: &mut Subst, cell_type: &dyn Fn(Cell) -> Type) {
        let finish = |target: &mut Target| self.target(target, cell_type(target.cell));
        match &mut s.kind {
            SubstKind::Assign(pairs) => pairs.iter_mut().for_each(|(target, _)| finish(target)),
            SubstKind::BecomesElement(targets, _) | SubstKind::Call { results: targets, .. } => {
                targets.iter_mut().for_each(finish);
            }
            _ => {}
        }
    }

    /// `ty` is the type of the whole cell.
    fn target(&self, target: &mut Target, mut ty: Type) {
        for access in &mut target.path {
            let part = match access {
                Access::Index(_) => ty.relation_sides().map(|(_, value)| value.clone()),
                Access::Field(number) => {
                    *number = self.field_index(&ty, *number);
                    match &ty {
                        Type::Record(fields) => fields.get(*number).map(|(_, t)| t.clone()),
                        _ => None,
                    }
                }
            };
            ty = part.unwrap_or(Type::Integer);
        }
    }
}

/// What an operator on sequences stands for where it is one on strings.
fn of_strings(e: &Expr) -> Option<External> {
    let name = match &e.kind {
        ExprKind::Unary(UnaryOp::Size, of) if of.ty == Type::String => "STRING_LENGTH",
        ExprKind::Unary(UnaryOp::Reverse, _) if e.ty == Type::String => "STRING_REV",
        ExprKind::Unary(UnaryOp::Conc, _) if e.ty == Type::String => "STRING_CONC",
        ExprKind::Binary(BinaryOp::Concat, ..) if e.ty == Type::String => "STRING_APPEND",
        _ => return None,
    };
    find(name).map(Signature::external)
}

/// A predicate whose parts are finished.
fn compare(p: &mut Pred) {
    if let PredKind::Compare(op, left, _) = &mut p.kind
        && left.ty == Type::Real
    {
        *op = match *op {
            Comparison::Less => Comparison::LessReal,
            Comparison::LessEqual => Comparison::LessEqualReal,
            Comparison::Greater => Comparison::GreaterReal,
            Comparison::GreaterEqual => Comparison::GreaterEqualReal,
            other => other,
        };
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
