//! Assignments: variables, cells of functions, fields of records.

use crate::eval::compile::Compiler;
use crate::eval::packed::wide::word_relation;
use crate::lower::env::Env;
use crate::lower::point::PointWrite;
use crate::lower::record::StoreFn;
use crate::lower::rich::{RichWrite, To};
use crate::lower::stop::{FaultKind, Stop};
use crate::lower::word::IntegerField;
use crate::lower::{Bits, Points, Word, Write};
use crate::machine::{Access, BinaryOp, Cell, Expr, ExprKind, Target, VarId};
use crate::source::Span;
use crate::state::layout::{Field, Layout};
use crate::state::{Axis, Coding};
use crate::value::{Shape, Value, relation};
use std::sync::Arc;

/// The old value of a whole, with a part of it replaced by a value.
type UpdateFn = Box<dyn Fn(&mut Env, &Value, Value) -> Result<Value, Stop> + Send + Sync>;

impl Compiler<'_> {
    pub(super) fn assign(&self, target: &Target, e: &Expr) -> Write {
        if let Some(write) = self.assign_record(target, e) {
            return write;
        }
        match (target.cell, &target.path[..]) {
            (Cell::Variable(id), []) => self.assign_variable(id, e),
            (Cell::Variable(id), [Access::Index(x)]) => {
                if let Some(write) = self.assign_field(id, x, e) {
                    return write;
                }
                self.assign_generic(target, e)
            }
            (Cell::Variable(id), [Access::Index(x), Access::Index(y)])
                if let Some(write) = self.assign_item(id, (x, y), e) =>
            {
                write
            }
            (Cell::Local(id), []) if let Some(write) = self.assign_growing(id, e) => write,
            (Cell::Local(id), []) if self.slot(id).word => Write::Local(id.0, self.word(e)),
            (Cell::Local(id), []) => self.write_rich(To::Local(id.0), e),
            _ => self.assign_generic(target, e),
        }
    }

    fn write_rich(&self, to: To, e: &Expr) -> Write {
        Write::Rich(Arc::new(self.rich_write(to, e)))
    }

    pub(in crate::eval) fn rich_write(&self, to: To, e: &Expr) -> RichWrite {
        RichWrite { to, of: self.kept_rich(e) }
    }

    pub(super) fn assign_generic(&self, target: &Target, e: &Expr) -> Write {
        let (store, value) = (self.store(target), self.kept(e));
        Write::run_of(move |env| {
            let v = value(env)?;
            store(env, v)
        })
    }

    fn assign_variable(&self, id: VarId, e: &Expr) -> Write {
        let write = match self.as_update(id, e) {
            Some((x, y)) => self.assign_field(id, x, y),
            None => None,
        };
        self.marked(id, write.unwrap_or_else(|| self.put_variable(id, e)))
    }

    /// `x` and `y`, of the right side of `f := f <+ {x |-> y}`.
    pub(in crate::eval) fn as_update<'e>(
        &self,
        id: VarId,
        e: &'e Expr,
    ) -> Option<(&'e Expr, &'e Expr)> {
        let ExprKind::Binary(BinaryOp::Override, f, new) = &e.kind else { return None };
        let ExprKind::SetExtension(items) = &new.kind else { return None };
        match (&f.kind, &items[..]) {
            (
                ExprKind::Variable(of),
                [Expr { kind: ExprKind::Binary(BinaryOp::Pair, x, y), .. }],
            ) if *of == id => Some((x, y)),
            _ => None,
        }
    }

    fn put_variable(&self, id: VarId, e: &Expr) -> Write {
        let layout = self.layout.clone();
        let field = layout.field(id);
        let at = field.at;
        match &field.coding {
            Coding::Word { bits } => Write::Put(Bits::new(at, *bits), self.word(e)),
            Coding::Integer { low, bits } if !self.exact => {
                let (bits, low) = (Bits::new(at, *bits), *low);
                let layout = layout.clone();
                let field = IntegerField { bits, low, id, layout };
                Write::Integer(Box::new(field), self.word(e))
            }
            Coding::Text { texts, bits } if !self.exact => {
                let place = self.on_axis(e, &Axis::Texts(texts.clone()));
                Write::Integer(Box::new(self.text_field(id, *bits)), place)
            }
            Coding::Interned if let Some(number) = self.remembered_number(e) => {
                Write::Put(Bits::new(at, 32), number)
            }
            _ => {
                if let Some(write) = self.coded_write(id, e) {
                    return write;
                }
                if let Some(write) = self.edited_write(id, e).filter(|_| !self.is_line(e)) {
                    return write;
                }
                if let Some(write) = self.line_write(id, e).or_else(|| self.wide_write(id, e)) {
                    return write;
                }
                self.write_rich(To::Variable(id, layout), e)
            }
        }
    }

    /// `f(x) := e` for a variable that holds one number for each argument, or is a relation in a word.
    pub(super) fn assign_field(&self, id: VarId, x: &Expr, e: &Expr) -> Option<Write> {
        if self.machine().symbolic.variables.contains(&id) || self.mark(id).is_some() {
            return None;
        }
        let Field { at, coding, shape } = self.layout.field(id);
        match (coding, word_relation(shape)) {
            (Coding::Word { bits }, Some(grid)) => {
                let bits = Bits::new(*at, *bits);
                let parts = Box::new((Word::Field(bits), self.word(x), self.word(e)));
                Some(Write::Put(bits, Word::Update(parts, grid)))
            }
            (Coding::Function { .. }, _) if !self.exact => {
                let points = Points::of(&self.layout, id)?;
                let argument = self.on_axis(x, &points.domain);
                let result = self.on_axis(e, &points.range);
                Some(Write::Point(Box::new(PointWrite { points, argument, result })))
            }
            (Coding::Function { .. }, _) => Some(self.assign_point(id, x, e)),
            _ => None,
        }
    }

    /// The same in a field of points, for unbounded integers.
    fn assign_point(&self, id: VarId, x: &Expr, e: &Expr) -> Write {
        let layout = self.layout.clone();
        let field = layout.field(id).clone();
        let (x, e) = (self.value(x), self.value(e));
        Write::run_of(move |env| {
            let (x, v) = (x(env)?, e(env)?);
            let f = layout.read(id, &env.state, &mut env.interner);
            let f = relation::with_result(&field.shape, &f, x, v);
            layout.write(id, &mut env.next, &f, &mut env.interner);
            Ok(())
        })
    }

    /// Stores a value into a target, its path included.
    pub(in crate::eval) fn store(&self, target: &Target) -> StoreFn {
        let ty = match target.cell {
            Cell::Variable(id) => &self.machine().variable(id).ty,
            Cell::Local(id) => &self.machine().local(id).ty,
        };
        let whole = self.store_cell(target.cell);
        if target.path.is_empty() {
            return whole;
        }
        let old = self.cell(target.cell, target.span);
        let update = self.update(self.shape(ty), &target.path, target.span);
        Box::new(move |env, v| {
            let old = old(env)?;
            let new = update(env, &old, v)?;
            whole(env, new)
        })
    }

    pub(super) fn store_cell(&self, cell: Cell) -> StoreFn {
        match cell {
            Cell::Variable(id) => {
                let layout: Arc<Layout> = self.layout.clone();
                let mark = self.mark(id);
                Box::new(move |env, v| {
                    layout.write(id, &mut env.next, &v, &mut env.interner);
                    if let Some(mark) = mark {
                        mark.set(&mut env.next);
                    }
                    Ok(())
                })
            }
            Cell::Local(id) => {
                let slot = self.slot(id);
                Box::new(move |env, v| {
                    let written = slot.index + env.locals;
                    env.defined[written] = true;
                    if slot.word {
                        env.words[written] = crate::lower::code::lower(&v)?;
                    } else {
                        env.values[written] = v;
                    }
                    Ok(())
                })
            }
        }
    }

    /// The value that results from replacing what a path leads to.
    pub(super) fn update(&self, shape: Shape, path: &[Access], span: Span) -> UpdateFn {
        let Some((access, rest)) = path.split_first() else { return Box::new(|_, _, v| Ok(v)) };
        match access {
            Access::Field(i) => {
                let i = *i;
                let Shape::Record(fields) = &shape else { return Box::new(|_, _, v| Ok(v)) };
                let inner = self.update(fields[i].clone(), rest, span);
                Box::new(move |env, old, v| {
                    let Value::Record(values) = old else { return Ok(v) };
                    let mut values = values.to_vec();
                    values[i] = inner(env, &values[i].clone(), v)?;
                    Ok(Value::Record(values.into()))
                })
            }
            Access::Index(x) => {
                let result_shape = shape.element().sides().1;
                let (x_operand, x) = (self.operand(x), self.value(x));
                if rest.is_empty() {
                    return Box::new(move |env, old, v| {
                        let x = x(env)?;
                        Compiler::refuse_symbolic(env, old, span)?;
                        Ok(relation::with_result(&shape, old, x, v))
                    });
                }
                let inner = self.update(result_shape, rest, span);
                Box::new(move |env, old, v| {
                    let x = x(env)?;
                    Compiler::refuse_symbolic(env, old, span)?;
                    let Ok(part) = relation::apply(&shape, old, &x) else {
                        return Err(env.fault(
                            FaultKind::AssignOutsideDomain,
                            span,
                            [(&x_operand, x)],
                        ));
                    };
                    let new = inner(env, &part, v)?;
                    Ok(relation::with_result(&shape, old, x, new))
                })
            }
        }
    }
}
