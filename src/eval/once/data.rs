//! Data that is written out: long enumerations of values, which are known while they are compiled.

use crate::eval::compile::Compiler;
use crate::machine::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::value::{Value, sequence};

/// Fewest items of an enumeration that is looked at: of short ones there are many, and they cost little.
const MANY: usize = 8;

/// Whether this is a long enumeration of nothing but values.
pub fn is_data(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::SetExtension(items) | ExprKind::Sequence(items) => {
            items.len() >= MANY && items.iter().all(is_written_out)
        }
        _ => false,
    }
}

fn is_written_out(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Integer(_)
        | ExprKind::Real(_)
        | ExprKind::Bool(_)
        | ExprKind::String(_)
        | ExprKind::Element(..)
        | ExprKind::Empty => true,
        ExprKind::Unary(UnaryOp::Negate, n) => matches!(n.kind, ExprKind::Integer(_)),
        ExprKind::Binary(BinaryOp::Pair, a, b) => is_written_out(a) && is_written_out(b),
        ExprKind::SetExtension(items) | ExprKind::Sequence(items) | ExprKind::Record(items) => {
            items.iter().all(is_written_out)
        }
        _ => false,
    }
}

impl Compiler<'_> {
    /// The value of what is written out.
    pub fn data(&self, e: &Expr) -> Option<Value> {
        crate::clock::work(1);
        let all = |items: &[Expr]| items.iter().map(|e| self.data(e)).collect::<Option<Vec<_>>>();
        Some(match &e.kind {
            ExprKind::Integer(n) => Value::integer(n.clone()),
            ExprKind::Real(r) => Value::real(*r),
            ExprKind::Bool(b) => Value::bool(*b),
            ExprKind::String(s) => Value::String(s.clone()),
            ExprKind::Element(_, i) => Value::Word(u64::from(*i)),
            ExprKind::Empty => self.shape(&e.ty).empty(),
            ExprKind::Unary(UnaryOp::Negate, n) => match &n.kind {
                ExprKind::Integer(n) => Value::integer(-n.clone()),
                _ => return None,
            },
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                self.shape(&e.ty).pair(self.data(a)?, self.data(b)?)
            }
            ExprKind::SetExtension(items) => self.shape(&e.ty).collect(all(items)?),
            ExprKind::Sequence(items) => sequence::from_items(&self.shape(&e.ty), all(items)?),
            ExprKind::Record(fields) => Value::Record(all(fields)?.into()),
            _ => return None,
        })
    }
}
