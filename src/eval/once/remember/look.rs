//! What a formula reads, and about how many instructions it takes.

use super::Binding;
use crate::clock;
use crate::eval::compile::Compiler;
use crate::eval::packed::coded::{Asked, Form};
use crate::eval::packed::related::Related;
use crate::lower::wide::MOST_WORDS;
use crate::machine::parts::Part;
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp, VarId,
};
use crate::state::{Coding, expect};
use crate::value::Shape;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Candidates of a quantifier or a comprehension, guessed.
const CANDIDATES: u32 = 6;

/// What a formula depends on, and what it costs.
#[derive(Clone, Default)]
pub(in crate::eval) struct Reads {
    pub(in crate::eval) variables: BTreeSet<VarId>,
    /// Functions that are held point by point, each with a local: read at what that gives.
    pub(in crate::eval) points: BTreeSet<(VarId, LocalId)>,
    pub(in crate::eval) constants: bool,
    pub(in crate::eval) locals: BTreeSet<LocalId>,
    /// Locals that are no words.
    pub(in crate::eval) rich: BTreeSet<LocalId>,
    /// What it depends on by locals that are given.
    pub(in crate::eval) given: Vec<(LocalId, Rc<Expr>)>,
    /// What it reads of the state and of locals by their values alone ([`Look::by_values`]).
    pub(in crate::eval) values: Vec<Rc<Expr>>,
    pub(in crate::eval) cost: u32,
}

impl Reads {
    /// Whether it reads the state.
    pub(super) fn is_of_state(&self) -> bool {
        !self.variables.is_empty() || !self.points.is_empty() || !self.values.is_empty()
    }

    /// The points that it reads of functions that it does not read as a whole.
    pub(super) fn single_points(&self) -> impl Iterator<Item = (VarId, LocalId)> + '_ {
        self.points.iter().copied().filter(|(id, _)| !self.variables.contains(id))
    }

    /// All variables of which it reads something.
    pub(super) fn all_variables(&self) -> impl Iterator<Item = VarId> + '_ {
        self.variables.iter().copied().chain(self.single_points().map(|(id, _)| id))
    }

    pub(super) fn same(&self, other: &Reads) -> bool {
        let given = self.given.iter().zip(&other.given);
        self.variables == other.variables
            && self.single_points().eq(other.single_points())
            && self.locals == other.locals
            && self.rich == other.rich
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(|(x, y)| same(x, y))
            && self.given.len() == other.given.len()
            && given.into_iter().all(|((a, x), (b, y))| a == b && (Rc::ptr_eq(x, y) || same(x, y)))
    }

    /// Whether whatever this reads the other one reads, too.
    pub(super) fn is_part_of(&self, other: &Reads) -> bool {
        let points = |reads: &Reads| reads.single_points().collect::<BTreeSet<_>>();
        self.variables.is_subset(&other.variables)
            && points(self).is_subset(&points(other))
            && self.constants <= other.constants
            && self.locals.is_subset(&other.locals)
            && self.rich.is_empty()
            && self.given.is_empty()
            && self.values.is_empty()
    }

    /// Adds what something else reads, but for its cost.
    fn add(&mut self, other: &Reads) {
        self.variables.extend(&other.variables);
        self.points.extend(&other.points);
        self.constants |= other.constants;
        self.locals.extend(&other.locals);
        self.rich.extend(&other.rich);
        for (id, e) in &other.given {
            if self.given.iter().all(|(known, _)| known != id) {
                self.given.push((*id, e.clone()));
            }
        }
    }
}

/// A walk over a formula: `None` where its result must not be remembered.
pub(in crate::eval) struct Look<'c, 'a> {
    pub(in crate::eval) compiler: &'c Compiler<'a>,
    pub(in crate::eval) reads: Reads,
    pub(in crate::eval) bound: Vec<LocalId>,
    /// Whether parts that are [narrow](Look::is_narrow) count by their values.
    pub(in crate::eval) by_values: bool,
}

impl<'c, 'a> Look<'c, 'a> {
    pub(in crate::eval) fn new(compiler: &'c Compiler<'a>) -> Look<'c, 'a> {
        Look { compiler, reads: Reads::default(), bound: Vec::new(), by_values: false }
    }

    pub(in crate::eval) fn part(&mut self, part: Part<'_>) -> Option<()> {
        let cost = match part {
            Part::Expr(e) => self.expr(e)?,
            Part::Pred(p) => self.pred(p)?,
        };
        self.reads.cost = cost;
        Some(())
    }

    fn step(&self) -> Option<()> {
        clock::work(1);
        let looks = &self.compiler.remembering.looks;
        looks.set(looks.get().checked_sub(1)?);
        Some(())
    }

    fn is_word(&self, e: &Expr) -> bool {
        self.compiler.is_word(&self.compiler.shape(&e.ty))
    }

    fn variable(&mut self, id: VarId) -> u32 {
        self.reads.variables.insert(id);
        let field = self.compiler.layout.field(id);
        match &field.coding {
            Coding::Word { .. } | Coding::Integer { .. } | Coding::Text { .. } => 2,
            Coding::Function { domain, .. } => 20 + 6 * domain.size() as u32,
            Coding::Members { axis, .. } => 20 + 6 * axis.size() as u32,
            Coding::Bits { words } if *words <= MOST_WORDS as usize => 6 + *words as u32,
            Coding::Bits { words } => 30 + *words as u32,
            Coding::Record { .. } => 15,
            Coding::Interned => 10,
        }
    }

    fn local(&mut self, id: LocalId) -> Option<u32> {
        if self.bound.contains(&id) {
            return Some(2);
        }
        if let Some(given) = self.given(id) {
            if self.reads.given.iter().all(|(known, _)| *known != id) {
                let own = given.reads.get_or_init(|| {
                    let mut look = Look::new(self.compiler);
                    look.part(Part::Expr(&given.e))?;
                    Some(look.reads)
                });
                self.reads.add(own.as_ref()?);
                self.reads.given.push((id, given.e.clone()));
            }
            return Some(2);
        }
        let slot = self.compiler.slot(id);
        // Of a set that grows in the loop at hand the local holds what it was.
        if self.compiler.may_be_unwritten(id) || self.compiler.growing.borrow().contains(&id) {
            return None;
        }
        match slot.word {
            true => self.reads.locals.insert(id),
            false => self.reads.rich.insert(id),
        };
        Some(2)
    }

    /// The expression that a local has the value of, if it is given one.
    fn given(&self, id: LocalId) -> Option<Binding> {
        let given = self.compiler.remembering.given.borrow();
        given.iter().rev().find(|given| given.id == id).cloned()
    }

    /// The direct parts of an expression, summed up.
    fn parts(&mut self, e: &Expr) -> Option<u32> {
        let mut sum = Some(0u32);
        e.parts(&mut |part| {
            let cost = match (sum, part) {
                (None, _) => None,
                (_, Part::Expr(e)) => self.expr(e),
                (_, Part::Pred(p)) => self.pred(p),
            };
            sum = sum.zip(cost).map(|(a, b)| a.saturating_add(b));
        });
        sum
    }

    /// A loop over the solutions of these parts.
    pub(super) fn bind(&mut self, ids: &[LocalId], parts: &[Part<'_>]) -> Option<u32> {
        let outer = self.bound.len();
        self.bound.extend(ids);
        let mut sum = 10u32;
        for part in parts {
            let cost = match part {
                Part::Expr(e) => self.expr(e)?,
                Part::Pred(p) => self.pred(p)?,
            };
            sum = sum.saturating_add(cost);
        }
        self.bound.truncate(outer);
        Some(sum.saturating_mul(CANDIDATES).saturating_add(30))
    }

    fn bindings(&mut self, bindings: &[(LocalId, Expr)], body: Part<'_>) -> Option<u32> {
        let outer = self.bound.len();
        let mut sum = 0u32;
        for (id, e) in bindings {
            sum = sum.saturating_add(self.expr(e)?);
            self.bound.push(*id);
        }
        let body = match body {
            Part::Expr(e) => self.expr(e)?,
            Part::Pred(p) => self.pred(p)?,
        };
        self.bound.truncate(outer);
        Some(sum.saturating_add(body))
    }

    /// Whether an expression is quickly made, always defined, and a word that tells less than the relation it is made of: the
    /// image of a set, say. A formula in a loop that reads the relation by such words alone does not depend on the rest of it.
    fn is_narrow(&self, e: &Expr) -> bool {
        if !matches!(e.kind, ExprKind::Unary(..) | ExprKind::Binary(..)) || !self.is_word(e) {
            return false;
        }
        let mut narrows = false;
        let mut is_plain = true;
        each_part(e, &mut |e| match &e.kind {
            ExprKind::Binary(BinaryOp::Image, r, _) => {
                narrows |= !self.is_word(r) && is_of_variable(r)
            }
            ExprKind::Unary(UnaryOp::Dom | UnaryOp::Ran, r) => {
                narrows |= !self.is_word(r) && is_of_variable(r);
            }
            ExprKind::Local(id) => {
                is_plain &= self.compiler.slot(*id).word && !self.bound.contains(id)
            }
            ExprKind::Variable(_)
            | ExprKind::Constant(_)
            | ExprKind::SetExtension(_)
            | ExprKind::Unary(UnaryOp::Inverse, _)
            | ExprKind::Element(..)
            | ExprKind::Integer(_)
            | ExprKind::Carrier(_)
            | ExprKind::Empty
            | ExprKind::Binary(
                BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference,
                ..,
            ) => {}
            _ => is_plain = false,
        });
        narrows && is_plain && self.compiler.is_total(e)
    }

    fn expr(&mut self, e: &Expr) -> Option<u32> {
        use BinaryOp::*;
        use UnaryOp::*;
        self.step()?;
        if self.by_values && self.is_narrow(e) {
            if self.reads.values.iter().all(|known| !same(known, e)) {
                self.reads.values.push(Rc::new(e.clone()));
            }
            return Some(2);
        }
        let own = match &e.kind {
            ExprKind::External(..) => return None,
            ExprKind::Variable(id) => return Some(self.variable(*id)),
            ExprKind::Local(id) => return self.local(*id),
            ExprKind::Constant(_) => {
                self.reads.constants = true;
                4
            }
            ExprKind::Symbolic(..) => {
                self.reads.constants = true;
                20
            }
            ExprKind::Comprehension(ids, p) => return self.bind(ids, &[Part::Pred(p)]),
            ExprKind::Fold(_, ids, p, body) => {
                return self.bind(ids, &[Part::Pred(p), Part::Expr(body)]);
            }
            ExprKind::Let(bindings, body) => return self.bindings(bindings, Part::Expr(body)),
            ExprKind::Unary(Size | Card | SeqFirst | SeqLast | Ran, s)
                if let Some(cost) = self.line(s) =>
            {
                return Some(cost.saturating_add(5));
            }
            ExprKind::Unary(Card | Max | Min, set) if let Some(cost) = self.coded(set) => {
                return Some(cost.saturating_add(4));
            }
            ExprKind::Unary(Max | Min, set) if let ExprKind::SetExtension(items) = &set.kind => {
                return items.iter().try_fold(0u32, |sum, item| {
                    Some(sum.saturating_add(self.expr(item)?).saturating_add(3))
                });
            }
            ExprKind::Binary(Apply, f, x) if self.has_points(f) => {
                let ExprKind::Variable(id) = f.kind else { return None };
                // Records, pairs and sets are put together.
                let own = if self.compiler.gives_no_words(id) { 40 } else { 12 };
                return self.point(f, x, own);
            }
            ExprKind::Binary(Apply, fx, y) if self.compiler.map_of_item(fx, y, e).is_some() => {
                let ExprKind::Binary(_, f, x) = &fx.kind else { return None };
                return Some(self.point(f, x, 16)?.saturating_add(self.argument(y)?));
            }
            // What is read where it stands costs less than to look it up.
            ExprKind::Binary(Apply, f, x) if self.compiler.numbered_function(f).is_some() => {
                self.expr(f)?;
                return Some(self.expr(x)?.saturating_add(15));
            }
            ExprKind::Field(record, _) if self.compiler.is_held_record(record) => {
                return match &record.kind {
                    ExprKind::Variable(id) => {
                        self.reads.variables.insert(*id);
                        Some(5)
                    }
                    _ => self.expr(record),
                };
            }
            ExprKind::Unary(Dom | Ran, _) | ExprKind::Binary(Image, ..)
                if let Some(cost) = self.sides(e) =>
            {
                return Some(cost);
            }
            ExprKind::Unary(Dom | Ran, f) if let Some(cost) = self.held(f) => return Some(cost),
            ExprKind::Binary(Image, r, s) if let Some(cost) = self.held(r) => {
                return Some(self.expr(s)?.saturating_add(cost));
            }
            ExprKind::Unary(op, a) => match op {
                Negate | First | Second => 3,
                Dom | Ran if self.is_word(a) => 25,
                Card | Size if self.is_word(a) => 4,
                Inverse | Closure1 => 100,
                _ => 50,
            },
            ExprKind::Binary(op, a, _) => match op {
                Pair
                | Add
                | Subtract
                | Multiply
                | Divide
                | Modulo
                | BinaryOp::Union
                | Intersection
                | Difference
                    if self.is_word(e) =>
                {
                    3
                }
                Apply if self.is_word(a) => 8,
                Apply => 25,
                Pair => 20,
                Interval => 60,
                DomainRestrict | DomainSubtract | RangeRestrict | RangeSubtract | Override
                    if self.is_word(e) =>
                {
                    30
                }
                BinaryOp::Union | Intersection | Difference if self.compiler.is_wide(e) => 15,
                DomainRestrict | DomainSubtract | RangeRestrict | RangeSubtract | Override
                    if self.compiler.is_wide(e) =>
                {
                    40
                }
                Image if self.is_word(a) => 30,
                _ => 70,
            },
            ExprKind::SetExtension(items) | ExprKind::Sequence(items) => match self.is_word(e) {
                true => 2 * items.len() as u32,
                false => 20 + 15 * items.len() as u32,
            },
            ExprKind::Record(items) => 20 + 2 * items.len() as u32,
            ExprKind::Field(..) => 8,
            ExprKind::Struct(_) | ExprKind::Tree(..) => 80,
            ExprKind::Destruct(..) | ExprKind::Construct(..) => 20,
            ExprKind::BoolOf(_) | ExprKind::If(..) => 3,
            _ => 1,
        };
        Some(self.parts(e)?.saturating_add(own))
    }

    /// What it costs to make a set of numbers or pairs in one word, if it is made of what the state holds so.
    fn coded(&mut self, set: &Expr) -> Option<u32> {
        let (form, _) = self.compiler.coded_form(set)?;
        self.form(&form)
    }

    /// What it costs to read a function that is held point by point at one point.
    fn point(&mut self, f: &Expr, x: &Expr, own: u32) -> Option<u32> {
        let ExprKind::Variable(id) = f.kind else { return None };
        let argument = self.argument(x)?;
        match x.kind {
            ExprKind::Local(x) if self.has_points(f) && self.reads.locals.contains(&x) => {
                self.reads.points.insert((id, x));
            }
            _ => {
                self.reads.variables.insert(id);
            }
        }
        Some(argument.saturating_add(own))
    }

    /// What it costs to find arguments or results, or sides of a relation, as bits.
    fn sides(&mut self, set: &Expr) -> Option<u32> {
        match self.compiler.asked(set) {
            Some(asked) => self.answer(&asked),
            None if let Some(asked) = self.compiler.asked_of_result(set) => self.result(asked.fx),
            None => self.related(&self.compiler.related_side(set)?.0),
        }
    }

    fn answer(&mut self, asked: &Asked<'_>) -> Option<u32> {
        let points = &asked.sides.points;
        self.reads.variables.insert(points.id);
        let of = asked.of.map_or(Some(1), |s| self.expr(s))?;
        Some(of.saturating_add(8 + 3 * points.domain.size() as u32))
    }

    fn form(&mut self, form: &Form<'_>) -> Option<u32> {
        match form {
            Form::Held(id) => {
                self.reads.variables.insert(*id);
                Some(3)
            }
            Form::Listed(items) => items.iter().try_fold(1u32, |sum, x| {
                Some(sum.saturating_add(self.argument(x)?).saturating_add(6))
            }),
            Form::All | Form::Between(..) => Some(1),
            Form::Solutions(_, locals, pred) => self.bind(locals, &[Part::Pred(pred)]),
            Form::Interval(a, b) => {
                Some(self.expr(a)?.saturating_add(self.expr(b)?).saturating_add(12))
            }
            Form::Sides(asked) => self.answer(asked),
            Form::Related(of) => self.related(of),
            Form::OfResult(asked) => self.result(asked.fx),
            Form::At(fx) => self.result(fx),
            Form::Value(e) => Some(self.expr(e)?.saturating_add(20)),
            Form::Two(_, both) => {
                Some(self.form(&both.0)?.saturating_add(self.form(&both.1)?).saturating_add(2))
            }
        }
    }

    /// What it costs to read what a function gives that is held point by point, and to go over it once.
    fn result(&mut self, fx: &Expr) -> Option<u32> {
        match &fx.kind {
            ExprKind::Binary(_, f, x) => self.point(f, x, 12),
            _ => self.expr(fx),
        }
    }

    fn related(&mut self, of: &Related<'_>) -> Option<u32> {
        let (operands, own) = match of {
            Related::Side(_, form, _) | Related::Inverse(form, _) => (self.form(form), 16),
            Related::Image(form, _, set) | Related::Restricted { of: form, set, .. } => {
                (self.form(form).zip(self.expr(set)).map(|(r, s)| r.saturating_add(s)), 16)
            }
            Related::Product(s, t) => {
                (self.expr(s).zip(self.expr(t)).map(|(s, t)| s.saturating_add(t)), 16)
            }
            Related::Override(r, q) => {
                (self.form(r).zip(self.form(q)).map(|(r, q)| r.saturating_add(q)), 24)
            }
        };
        Some(operands?.saturating_add(own))
    }

    /// An argument of a function that the state holds point by point, or a member of a set that it holds in one word: a
    /// pair is not put together for it.
    fn argument(&mut self, x: &Expr) -> Option<u32> {
        match &x.kind {
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                Some(self.expr(a)?.saturating_add(self.expr(b)?).saturating_add(3))
            }
            _ => self.expr(x),
        }
    }

    /// What it costs to go once over a function that the state holds point by point, or its inverse, if this is one.
    fn held(&mut self, r: &Expr) -> Option<u32> {
        let r = match &r.kind {
            ExprKind::Unary(UnaryOp::Inverse, of) => &**of,
            _ => r,
        };
        let ExprKind::Variable(id) = r.kind else { return None };
        let (_, grid) = self.compiler.matrix(id)?;
        self.reads.variables.insert(id);
        Some(12 + 5 * grid.rows)
    }

    /// What it costs to make a sequence in one word, if this is one.
    fn line(&mut self, s: &Expr) -> Option<u32> {
        if !self.compiler.is_line(s) {
            return None;
        }
        match &s.kind {
            ExprKind::Variable(id) => {
                self.reads.variables.insert(*id);
                Some(12)
            }
            ExprKind::Unary(_, of) => Some(self.line(of)?.saturating_add(3)),
            ExprKind::Binary(BinaryOp::Apply, f, x) => self.point(f, x, 14),
            ExprKind::Binary(_, a, b) => {
                let a = self.line(a).or_else(|| self.expr(a))?;
                let b = self.line(b).or_else(|| self.expr(b))?;
                Some(a.saturating_add(b).saturating_add(5))
            }
            _ => None,
        }
    }

    /// Whether the state holds a function point by point.
    fn has_points(&self, f: &Expr) -> bool {
        match f.kind {
            ExprKind::Variable(id) => {
                matches!(self.compiler.layout.field(id).coding, Coding::Function { .. })
            }
            _ => false,
        }
    }

    fn preds(&mut self, ps: &[&Pred]) -> Option<u32> {
        ps.iter().try_fold(2u32, |sum, p| Some(sum.saturating_add(self.pred(p)?)))
    }

    fn pred(&mut self, p: &Pred) -> Option<u32> {
        self.step()?;
        Some(match &p.kind {
            PredKind::True | PredKind::False => 1,
            PredKind::And(ps) | PredKind::Or(ps) => self.preds(&ps.iter().collect::<Vec<_>>())?,
            PredKind::Not(p) => self.pred(p)?,
            PredKind::Implies(p, q) | PredKind::Iff(p, q) => self.preds(&[p, q])?,
            PredKind::If(c, p, q) => self.preds(&[c, p, q])?,
            PredKind::Compare(op, a, b) => {
                use Comparison::*;
                let is_seen = match op {
                    Equal | NotEqual => matches!(b.kind, ExprKind::Empty),
                    Member | NotMember => self.compiler.row_in_sequences(a, b).is_some(),
                    _ => false,
                };
                if is_seen && let Some(cost) = self.line(a) {
                    return Some(cost.saturating_add(5));
                }
                if let Member | NotMember = op
                    && let Some(cost) = self.coded(b)
                {
                    return Some(self.argument(a)?.saturating_add(cost).saturating_add(5));
                }
                let sets = match (op, &b.kind) {
                    (Equal | NotEqual | Subset | NotSubset, _) => Some((a, b)),
                    (Member | NotMember, ExprKind::Unary(UnaryOp::Pow | UnaryOp::Fin, of)) => {
                        Some((a, &**of))
                    }
                    _ => None,
                };
                if let Some((a, b)) = sets
                    && let Some((a, b, _)) =
                        self.compiler.coded_forms((a, b), !matches!(op, Equal | NotEqual))
                {
                    return Some(self.form(&a)?.saturating_add(self.form(&b)?).saturating_add(3));
                }
                if let (Member | NotMember, ExprKind::Binary(BinaryOp::Relations, c, d)) =
                    (op, &b.kind)
                    && let Some((form, _)) = self.compiler.relation(a)
                {
                    let sides = self.expr(c)?.saturating_add(self.expr(d)?);
                    return Some(self.form(&form)?.saturating_add(sides).saturating_add(24));
                }
                if let Member | NotMember = op {
                    if let Some(fields) = self.compiler.fields_within(a, b) {
                        return self.preds(&fields.iter().collect::<Vec<_>>());
                    }
                    if let Some((points, _)) = self.compiler.held_function(a, b) {
                        self.reads.variables.insert(points.id);
                        return Some(5 + points.domain.size() as u32);
                    }
                }
                let word = self.is_word(a);
                if let (Member | NotMember, ExprKind::Unary(UnaryOp::Dom, f)) = (op, &b.kind)
                    && self.has_points(f)
                {
                    return Some(self.argument(a)?.saturating_add(self.set(b)?).saturating_add(3));
                }
                let right = match op {
                    Member | NotMember | Subset | NotSubset => self.set(b)?,
                    _ => self.expr(b)?,
                };
                let own = if word { 3 } else { 20 };
                self.expr(a)?.saturating_add(right).saturating_add(own)
            }
            PredKind::Forall(ids, p, q) => self.bind(ids, &[Part::Pred(p), Part::Pred(q)])?,
            PredKind::Exists(ids, p) => self.bind(ids, &[Part::Pred(p)])?,
            PredKind::Let(bindings, p) => self.bindings(bindings, Part::Pred(p))?,
            PredKind::Finite(e) => self.expr(e)?.saturating_add(5),
            PredKind::Partition(e, es) => {
                let mut sum = self.expr(e)?.saturating_add(40);
                for e in es {
                    sum = sum.saturating_add(self.expr(e)?).saturating_add(20);
                }
                sum
            }
        })
    }

    fn is_number(&self, e: &Expr) -> bool {
        expect::integer(self.compiler.instance, e).is_some()
    }

    /// A set that something is tested to be a member or a subset of.
    fn set(&mut self, set: &Expr) -> Option<u32> {
        use UnaryOp::*;
        match &set.kind {
            ExprKind::Basic(_) | ExprKind::Carrier(_) => Some(1),
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                Some(self.expr(a)?.saturating_add(self.expr(b)?))
            }
            ExprKind::SetExtension(items) if items.iter().all(|e| self.is_number(e)) => {
                Some(2 * items.len() as u32)
            }
            ExprKind::Unary(Pow | Pow1 | Fin | Fin1, of) => self.set(of),
            ExprKind::Unary(Seq | Seq1 | Iseq | Iseq1, of) => {
                Some(self.set(of)?.saturating_add(50))
            }
            ExprKind::Unary(Dom, f) if self.has_points(f) => {
                let ExprKind::Variable(id) = f.kind else { return None };
                self.reads.variables.insert(id);
                Some(8)
            }
            ExprKind::Unary(Dom, f) if self.is_word(f) => Some(self.expr(f)?.saturating_add(3)),
            ExprKind::Binary(op, a, b) if op.is_arrow() => {
                let rows = match self.compiler.shape(&set.ty).element() {
                    Shape::Index(_) => 30,
                    _ => 150,
                };
                Some(self.set(a)?.saturating_add(self.set(b)?).saturating_add(rows))
            }
            ExprKind::Binary(BinaryOp::Product, a, b) => {
                Some(self.set(a)?.saturating_add(self.set(b)?).saturating_add(5))
            }
            ExprKind::Comprehension(ids, p) => {
                let outer = self.bound.len();
                self.bound.extend(ids);
                let cost = self.pred(p)?;
                self.bound.truncate(outer);
                Some(cost)
            }
            _ => self.expr(set),
        }
    }
}

/// Whether a relation is a variable, or the inverse of one.
fn is_of_variable(r: &Expr) -> bool {
    match &r.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Unary(UnaryOp::Inverse, r) => is_of_variable(r),
        _ => false,
    }
}

/// Shows an expression and the expressions within it; predicates are not looked into.
fn each_part(e: &Expr, see: &mut dyn FnMut(&Expr)) {
    see(e);
    e.parts(&mut |part| {
        if let Part::Expr(e) = part {
            each_part(e, see);
        }
    });
}
