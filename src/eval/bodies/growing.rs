//! Sets that a loop lets grow a member at a time.
//!
//! `seen := seen \/ {x}` makes a set anew, and a loop with as many turns as the set gets members does work by
//! the square of them. A local that a loop only adds to and takes from, and of which it asks no more than
//! whether something is a member and how many there are, is left as it is while the loop runs: what came and
//! what went is kept beside it, and the set is made once when the loop ends.
//!
//! Within such a loop both halves of the local hold the same set wherever something is evaluated: the loop's
//! substitutions are deterministic, and each is made readable before the next begins.

use crate::eval::compile::Compiler;
use crate::lower::code::{Code, Slot, ValueFn};
use crate::lower::env::Env;
use crate::lower::stop::Stop;
use crate::lower::{Test, Write};
use crate::machine::footprint::Footprint;
use crate::machine::{
    Access, BinaryOp, Cell, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Subst, SubstKind,
    Target, UnaryOp,
};
use crate::value::{Shape, Value};
use std::collections::BTreeSet;

/// How a loop changes such a set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Add,
    Remove,
}

impl Compiler<'_> {
    /// The locals that a loop lets grow; none within another such loop, which has found them.
    pub(super) fn growing_in(&self, loop_: &Subst) -> Vec<Slot> {
        if !self.growing.borrow().is_empty() {
            return Vec::new();
        }
        let mut found = Found::default();
        found.subst(loop_);
        let grow = found.grow.iter().filter(|id| {
            let shape = self.slot(**id).shape;
            let is_list = matches!(&shape, Shape::Set(_));
            is_list
                && !found.read.contains(*id)
                && !found.inside.contains(*id)
                && !self.may_be_symbolic(&self.whole_local(**id))
        });
        if found.other { Vec::new() } else { grow.map(|id| self.slot(*id)).collect() }
    }

    fn whole_local(&self, id: LocalId) -> Expr {
        let local = self.machine().local(id);
        Expr::new(ExprKind::Local(id), local.ty.clone(), local.span)
    }

    fn is_growing(&self, e: &Expr) -> Option<Slot> {
        match e.kind {
            ExprKind::Local(id) if self.growing.borrow().contains(&id) => Some(self.slot(id)),
            _ => None,
        }
    }

    /// `x := x \/ {..}` and the like, and `x := E`, of such a set.
    pub(super) fn assign_growing(&self, id: LocalId, e: &Expr) -> Option<Write> {
        if !self.growing.borrow().contains(&id) {
            return None;
        }
        let Slot { index, shape, .. } = self.slot(id);
        let Some((change, items)) = change(id, e) else {
            let (value, store) = (self.kept(e), self.store_cell(Cell::Local(id)));
            return Some(Write::run_of(move |env| {
                let value = value(env)?;
                env.growths.0.remove(&index);
                store(env, value)
            }));
        };
        let items: Vec<ValueFn> = items.iter().map(|item| self.value(item)).collect();
        let (old, span) = (self.cell(Cell::Local(id), e.span), e.span);
        Some(Write::run_of(move |env| {
            let base = old(env)?;
            let members = items.iter().map(|item| item(env)).collect::<Result<Vec<_>, _>>()?;
            let growth = env.growths.0.entry(index).or_default();
            for member in members {
                match change {
                    Change::Add => growth.add(&shape, &base, member),
                    Change::Remove => growth.remove(&shape, &base, member),
                }
            }
            let members = growth.card(&shape, &base);
            env.room_for(members, span)
        }))
    }

    /// `x : S`, of such a set.
    pub(in crate::eval) fn in_growing(&self, x: &Expr, set: &Expr) -> Option<Test> {
        let Slot { index, shape, .. } = self.is_growing(set)?;
        let (x, set) = (self.value(x), self.kept(set));
        Some(Test::run(move |env| {
            let (x, base) = (x(env)?, set(env)?);
            Ok(match env.growths.0.get(&index) {
                Some(growth) => growth.has(&shape, &base, &x),
                None => shape.contains(&base, &x),
            })
        }))
    }

    /// `S = {}`, of such a set.
    pub(in crate::eval) fn growing_is_empty(&self, a: &Expr, b: &Expr) -> Option<Test> {
        let set = [(a, b), (b, a)].into_iter().find(|(_, other)| is_empty(other))?.0;
        let card = self.growing_card(set)?;
        Some(Test::run(move |env| Ok(card(env)? == 0)))
    }

    /// `card(S)`, of such a set.
    pub(in crate::eval) fn card_of_growing(&self, set: &Expr, shape: &Shape) -> Option<Code> {
        let card = self.growing_card(set)?;
        Some(self.finish(shape, move |env| Ok(Value::Int(card(env)? as i64))))
    }

    fn growing_card(
        &self,
        set: &Expr,
    ) -> Option<impl Fn(&mut Env) -> Result<usize, Stop> + Send + Sync + 'static> {
        let Slot { index, shape, .. } = self.is_growing(set)?;
        let set = self.kept(set);
        Some(move |env: &mut Env| {
            let base = set(env)?;
            Ok(match env.growths.0.get(&index) {
                Some(growth) => growth.card(&shape, &base),
                None => shape.card(&base),
            })
        })
    }
}

/// Makes the sets of a loop that has come to its end, where what has been written is readable; of one that broke
/// off there is nothing to be made.
pub(super) fn end(env: &mut Env, growing: &[Slot], made: bool) {
    for Slot { index, shape, .. } in growing {
        if let Some(growth) = env.growths.0.remove(index)
            && made
        {
            let value = growth.made(shape, &env.values[*index]);
            env.values[*index] = value.clone();
            env.values[*index + env.locals] = value;
        }
    }
}

/// `x \/ {..}` and `x - {..}`: what of the items happens to `x`.
fn change(id: LocalId, e: &Expr) -> Option<(Change, &[Expr])> {
    let ExprKind::Binary(op, set, items) = &e.kind else { return None };
    let is_it = |e: &Expr| e.kind == ExprKind::Local(id);
    let (change, items) = match op {
        BinaryOp::Union if is_it(set) => (Change::Add, items),
        BinaryOp::Union if is_it(items) => (Change::Add, set),
        BinaryOp::Difference if is_it(set) => (Change::Remove, items),
        _ => return None,
    };
    match &items.kind {
        ExprKind::SetExtension(items) => Some((change, items)),
        _ => None,
    }
}

/// What a loop does with its locals.
#[derive(Default)]
struct Found {
    /// Changed a member at a time.
    grow: BTreeSet<LocalId>,
    /// Read as a whole.
    read: BTreeSet<LocalId>,
    /// Declared within the loop.
    inside: BTreeSet<LocalId>,
    /// There is a substitution that may have several outcomes, or whose parts do not see each other.
    other: bool,
}

impl Found {
    fn subst(&mut self, s: &Subst) {
        match &s.kind {
            SubstKind::Skip | SubstKind::Sequence(_) => {}
            SubstKind::Assign(pairs) => match &pairs[..] {
                [(Target { cell: Cell::Local(id), path, .. }, e)] if path.is_empty() => {
                    match change(*id, e) {
                        Some((_, items)) => {
                            self.grow.insert(*id);
                            items.iter().for_each(|item| self.expr(item));
                        }
                        None => self.expr(e),
                    }
                }
                // All of them read what was there before.
                _ => pairs.iter().for_each(|(target, e)| {
                    self.target(target.cell);
                    self.expr(e);
                    target.path.iter().for_each(|access| {
                        if let Access::Index(x) = access {
                            self.expr(x);
                        }
                    });
                }),
            },
            SubstKind::If(branches, _) => branches.iter().for_each(|(p, _)| self.pred(p)),
            SubstKind::Let(bindings, _) => {
                self.inside.extend(bindings.iter().map(|(id, _)| *id));
                bindings.iter().for_each(|(_, e)| self.expr(e));
            }
            SubstKind::Var(ids, _) => self.inside.extend(ids),
            SubstKind::While { condition, invariant, variant, initial, .. } => {
                self.pred(condition);
                self.pred(invariant);
                self.expr(variant);
                initial.iter().for_each(|(cell, _)| self.target(*cell));
            }
            _ => self.other = true,
        }
        s.parts().into_iter().for_each(|s| self.subst(s));
    }

    fn target(&mut self, cell: Cell) {
        if let Cell::Local(id) = cell {
            self.read.insert(id);
        }
    }

    fn pred(&mut self, p: &Pred) {
        match &p.kind {
            PredKind::Compare(Comparison::Member | Comparison::NotMember, x, set)
                if matches!(set.kind, ExprKind::Local(_)) =>
            {
                self.expr(x);
            }
            PredKind::Compare(Comparison::Equal | Comparison::NotEqual, a, b)
                if is_test_of_empty(a, b) || is_test_of_empty(b, a) => {}
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter().for_each(|p| self.pred(p)),
            PredKind::Not(p) => self.pred(p),
            PredKind::Compare(_, a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
            _ => self.read.extend(Footprint::of_pred(p).locals),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Card, set) if matches!(set.kind, ExprKind::Local(_)) => {}
            ExprKind::Unary(_, a) => self.expr(a),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
            _ => self.read.extend(Footprint::of_expr(e).locals),
        }
    }
}

fn is_test_of_empty(set: &Expr, other: &Expr) -> bool {
    matches!(set.kind, ExprKind::Local(_)) && is_empty(other)
}

fn is_empty(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::SetExtension(items) => items.is_empty(),
        kind => *kind == ExprKind::Empty,
    }
}
