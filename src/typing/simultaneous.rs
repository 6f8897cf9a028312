//! Variables that several parts of a parallel composition may write, where the machine allows it
//! (`SET_PREF_ALLOW_SIMULTANEOUS_ASSIGNMENTS == TRUE`): the meaning of abstract state machines.
//!
//! `IF p THEN f(a) := b END || IF q THEN f(c) := d END` collects what its parts write, and then writes it
//! together: values of the whole must be equal, points that are set must not contradict one another, nor
//! the value of the whole. Where they do, there is no such step. In terms of the other substitutions: each
//! part writes locals of its own, which a selection behind them puts together.

use crate::diagnostic::Diagnostic;
use crate::machine::preferences;
use crate::machine::{
    Access, BinaryOp, Cell, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Subst, SubstKind,
    Target, Type, UnaryOp,
};
use crate::source::Span;
use crate::syntax::ast::{Constant, DefinitionBody, NodeKind};
use crate::typing::context::Elaborator;
use crate::typing::infer::ERROR;
use crate::typing::scope::Global;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A cell that several parts write.
struct Shared {
    cell: Cell,
    ty: Type,
    /// Of a function: the types of points and of values there.
    sides: Option<(Type, Type)>,
}

/// What one part writes of a cell.
struct Written {
    /// Whether it writes the whole, and its value.
    whole: Option<(LocalId, LocalId)>,
    /// The points that it sets.
    points: Option<LocalId>,
}

impl<'a> Elaborator<'a> {
    /// Whether a switch is set to `TRUE`: from outside, or else by a definition of the machine or of one that
    /// it is built from.
    pub fn prefers(&self, preference: &str) -> bool {
        let asked = self.preferences.iter().map(|(name, value)| (&**name, &**value));
        if let Some(set) = preferences::switched(asked, preference) {
            return set;
        }
        let name = format!("SET_PREF_{preference}");
        self.environments.iter().any(|e| match e.globals.get(name.as_str()).map(|d| &d.meaning) {
            Some(Global::Definition(d)) => matches!(&d.definition.body,
                DefinitionBody::Formula(node) if node.kind == NodeKind::Constant(Constant::True)),
            _ => false,
        })
    }

    /// A parallel composition. A cell that several parts write is an error, unless the machine allows it and
    /// all parts write it in ways that can be put together.
    pub fn parallel(&mut self, mut parts: Vec<Subst>, span: Span) -> SubstKind {
        let mut places: BTreeMap<Cell, Vec<(usize, Span)>> = BTreeMap::new();
        for (number, part) in parts.iter().enumerate() {
            let mut here = BTreeMap::new();
            self.collect_writes(part, &mut here);
            here.into_iter()
                .for_each(|(c, span)| places.entry(c).or_default().push((number, span)));
        }
        places.retain(|_, places| places.len() > 1);
        if places.is_empty() {
            return SubstKind::Parallel(parts);
        }
        let allowed = self.prefers("ALLOW_SIMULTANEOUS_ASSIGNMENTS");
        let (mut locals, mut before, mut merged) = (Vec::new(), Vec::new(), Vec::new());
        for (cell, places) in places {
            let collectable = |(number, _): &&(usize, Span)| !is_collectable(&parts[*number], cell);
            let refused = places.iter().find(collectable).map(|(_, span)| *span);
            if !allowed || refused.is_some() {
                let [(_, first), (_, second), ..] = places[..] else { continue };
                self.written_twice(cell, first, second, refused.filter(|_| allowed));
                continue;
            }
            let shared =
                self.shared(cell, places.iter().any(|(n, _)| ways(&parts[*n], cell).points));
            let mut all = Vec::new();
            for (number, _) in places {
                let part = &mut parts[number];
                all.push(self.collect(part, &shared, &mut locals, &mut before));
            }
            merged.push(shared.put_together(&all, span));
        }
        if locals.is_empty() {
            return SubstKind::Parallel(parts);
        }
        let steps = [before, vec![Subst::new(SubstKind::Parallel(parts), span)]].concat();
        let steps = [steps, vec![Subst::new(SubstKind::Parallel(merged), span)]].concat();
        SubstKind::Var(locals, Box::new(Subst::new(SubstKind::Sequence(steps), span)))
    }

    /// Two places where a cell is written at the same time, and one that stands in the way of collecting
    /// what is written.
    pub fn written_twice(&mut self, cell: Cell, first: Span, second: Span, refused: Option<Span>) {
        let message = format!("`{}` is written twice at the same time", self.cell_name(cell));
        let mut diagnostic =
            Diagnostic::error("written-twice", second, message).note(first, "written here already");
        if let Some(span) = refused {
            diagnostic = diagnostic.note(
                span,
                "only `x := E`, `x :: S` and `f(a) := E` outside loops and calls can be put together",
            );
        }
        self.report(diagnostic);
    }

    fn shared(&mut self, cell: Cell, points: bool) -> Shared {
        let ty = self.cell_type(cell);
        let sides = points.then(|| {
            let (from, to) = (self.infer.fresh(), self.infer.fresh());
            // It is assigned at a point already, so it is a relation.
            let _ =
                self.infer.unify(&Type::relation(from.clone(), to.clone()), &ty, Span::default());
            (from, to)
        });
        Shared { cell, ty, sides }
    }

    /// Lets a part write locals in place of a cell.
    fn collect(
        &mut self,
        part: &mut Subst,
        shared: &Shared,
        locals: &mut Vec<LocalId>,
        before: &mut Vec<Subst>,
    ) -> Written {
        let (span, ty, name) = (part.span, &shared.ty, self.cell_name(shared.cell));
        let ways = ways(part, shared.cell);
        let mut set = |local: LocalId, e: Expr| {
            locals.push(local);
            before.push(assign(local, e, span));
            local
        };
        let whole = ways.whole.then(|| {
            let written = self.new_local(name.clone(), Type::Bool, span);
            set(written, Expr::new(ExprKind::Bool(false), Type::Bool, span));
            (written, self.new_local(name.clone(), ty.clone(), span))
        });
        let points = ways.points.then(|| {
            let points = self.new_local(name.clone(), ty.clone(), span);
            set(points, Expr::new(ExprKind::Empty, ty.clone(), span))
        });
        locals.extend(whole.map(|(_, value)| value));
        let written = Written { whole, points };
        shared.redirect(part, &written);
        written
    }
}

impl Shared {
    /// Writes what was collected, where it does not contradict itself.
    fn put_together(&self, all: &[Written], span: Span) -> Subst {
        let (cell, ty) = (self.cell, &self.ty);
        let local = |id: LocalId| Expr::new(ExprKind::Local(id), ty.clone(), span);
        let points = all.iter().filter_map(|w| w.points).map(local);
        let points = points.reduce(|a, b| binary(BinaryOp::Union, a, b, ty));
        let wholes: Vec<(Pred, Expr)> = all
            .iter()
            .filter_map(|w| w.whole)
            .map(|(written, value)| (holds(written, span), local(value)))
            .collect();
        let mut conditions = Vec::new();
        for (i, (written, value)) in wholes.iter().enumerate() {
            for (other, its) in &wholes[..i] {
                let both = Pred::new(PredKind::And([other.clone(), written.clone()].into()), span);
                conditions
                    .push(implies(both, compare(Comparison::Equal, its.clone(), value.clone())));
            }
            if let Some(points) = &points {
                let part = compare(Comparison::Subset, points.clone(), value.clone());
                conditions.push(implies(written.clone(), part));
            }
        }
        if let Some(points) = &points {
            let card = |of: Expr| unary(UnaryOp::Card, of, &Type::Integer);
            let from = self.sides.as_ref().map_or(ERROR, |(from, _)| Type::pow(from.clone()));
            let arguments = card(unary(UnaryOp::Dom, points.clone(), &from));
            conditions.push(compare(Comparison::Equal, card(points.clone()), arguments));
        }
        let target = |e: Expr| {
            let target = Target { cell, path: Vec::new(), span };
            Subst::new(SubstKind::Assign(vec![(target, e)]), span)
        };
        let otherwise = points.map(|points| {
            let old = match cell {
                Cell::Variable(v) => ExprKind::Variable(v),
                Cell::Local(l) => ExprKind::Local(l),
            };
            let old = Expr::new(old, ty.clone(), span);
            Box::new(target(binary(BinaryOp::Override, old, points, ty)))
        });
        let branches: Vec<(Pred, Subst)> =
            wholes.into_iter().map(|(written, value)| (written, target(value))).collect();
        let body = match (branches.is_empty(), otherwise) {
            (true, Some(only)) => *only,
            (_, otherwise) => Subst::new(SubstKind::If(branches, otherwise), span),
        };
        let condition = Pred::new(PredKind::And(conditions.into()), span);
        Subst::new(SubstKind::Select(vec![(condition, body)], None), span)
    }

    /// Lets a part write what is to be collected.
    fn redirect(&self, part: &mut Subst, to: &Written) {
        let span = part.span;
        match &mut part.kind {
            SubstKind::Assign(pairs) => {
                let Some(at) = pairs.iter().position(|(target, _)| target.cell == self.cell) else {
                    return;
                };
                let (target, e) = &mut pairs[at];
                match (target.path.pop(), to.points, to.whole) {
                    (Some(Access::Index(point)), Some(points), _) => {
                        target.cell = Cell::Local(points);
                        let sides = self.sides.clone();
                        let of = sides.map_or(ERROR, |(from, to)| Type::pair(from, to));
                        let pair = binary(BinaryOp::Pair, point, e.clone(), &of);
                        *e = Expr::new(ExprKind::SetExtension(vec![pair]), self.ty.clone(), e.span);
                    }
                    (_, _, Some((written, value))) => {
                        target.cell = Cell::Local(value);
                        pairs.push(told(written, span));
                    }
                    _ => {}
                }
            }
            SubstKind::BecomesElement(targets, _) => {
                let Some((written, value)) = to.whole else { return };
                let Some(target) = targets.iter_mut().find(|t| t.cell == self.cell) else { return };
                target.cell = Cell::Local(value);
                let chosen = Subst::new(std::mem::replace(&mut part.kind, SubstKind::Skip), span);
                let told = Subst::new(SubstKind::Assign(vec![told(written, span)]), span);
                part.kind = SubstKind::Parallel(vec![chosen, told]);
            }
            _ => part.parts_mut().into_iter().for_each(|part| self.redirect(part, to)),
        }
    }
}

/// In which ways a part writes a cell.
#[derive(Clone, Copy, Default)]
struct Ways {
    whole: bool,
    points: bool,
}

fn ways(part: &Subst, cell: Cell) -> Ways {
    let mut ways = Ways::default();
    each_target(part, &mut |target| {
        if target.cell == cell {
            match target.path.is_empty() {
                true => ways.whole = true,
                false => ways.points = true,
            }
        }
    });
    ways
}

/// Whether all that a part writes of a cell are values of the whole, and single points.
fn is_collectable(part: &Subst, cell: Cell) -> bool {
    let writes = |part: &Subst| {
        let ways = ways(part, cell);
        ways.whole || ways.points
    };
    let fits =
        |target: &Target| target.cell != cell || matches!(target.path[..], [] | [Access::Index(_)]);
    match &part.kind {
        SubstKind::Skip => true,
        SubstKind::Assign(pairs) => {
            let of = pairs.iter().filter(|(target, _)| target.cell == cell).count();
            of <= 1 && pairs.iter().all(|(target, _)| fits(target))
        }
        SubstKind::BecomesElement(targets, _) => {
            targets.iter().all(|target| target.cell != cell || target.path.is_empty())
        }
        SubstKind::BecomesSuchThat(cells, _) => cells.iter().all(|(c, _)| *c != cell),
        // Another part of it writes the cell as well: it was put together already, in a sequence.
        SubstKind::Sequence(parts) => match parts.split_last() {
            // What comes later must not read what was written.
            Some((last, first)) => !first.iter().any(writes) && is_collectable(last, cell),
            None => true,
        },
        SubstKind::While { body, .. } => !writes(body),
        SubstKind::Call { .. } => false,
        _ => part.parts().into_iter().all(|part| is_collectable(part, cell)),
    }
}

fn each_target(part: &Subst, each: &mut dyn FnMut(&Target)) {
    match &part.kind {
        SubstKind::Assign(pairs) => pairs.iter().for_each(|(target, _)| each(target)),
        SubstKind::BecomesElement(targets, _) | SubstKind::Call { results: targets, .. } => {
            targets.iter().for_each(each);
        }
        SubstKind::BecomesSuchThat(cells, _) => cells.iter().for_each(|(cell, _)| {
            each(&Target { cell: *cell, path: Vec::new(), span: part.span });
        }),
        _ => part.parts().into_iter().for_each(|part| each_target(part, each)),
    }
}

fn told(written: LocalId, span: Span) -> (Target, Expr) {
    let target = Target { cell: Cell::Local(written), path: Vec::new(), span };
    (target, Expr::new(ExprKind::Bool(true), Type::Bool, span))
}

fn assign(local: LocalId, e: Expr, span: Span) -> Subst {
    let target = Target { cell: Cell::Local(local), path: Vec::new(), span };
    Subst::new(SubstKind::Assign(vec![(target, e)]), span)
}

fn holds(local: LocalId, span: Span) -> Pred {
    let value = Expr::new(ExprKind::Local(local), Type::Bool, span);
    compare(Comparison::Equal, value, Expr::new(ExprKind::Bool(true), Type::Bool, span))
}

fn implies(a: Pred, b: Pred) -> Pred {
    let span = a.span;
    Pred::new(PredKind::Implies(Arc::new(a), Arc::new(b)), span)
}

fn compare(op: Comparison, a: Expr, b: Expr) -> Pred {
    let span = a.span;
    Pred::new(PredKind::Compare(op, a, b), span)
}

fn unary(op: UnaryOp, e: Expr, ty: &Type) -> Expr {
    let span = e.span;
    Expr::new(ExprKind::Unary(op, Arc::new(e)), ty.clone(), span)
}

fn binary(op: BinaryOp, a: Expr, b: Expr, ty: &Type) -> Expr {
    let span = a.span;
    Expr::new(ExprKind::Binary(op, Arc::new(a), Arc::new(b)), ty.clone(), span)
}
