//! What an operation reads and writes, place by place: a variable, or one point of it.
//!
//! A function `f` consists of one place for each argument, `f(x)`; a set consists of one for each
//! element, which is in it or not; a relation of one for each left side. Where a formula or an
//! assignment says which of them is meant, by a parameter, a constant or a literal, no other place is
//! touched. Guard and body are apart, and of the body what decides whether it can be carried out at all.
//!
//! All that is listed *may* be touched. What is not listed is not: the outcomes of an instance of an
//! operation are a function of the places it reads, and leave every place alone that it does not write.

use super::feasible::is_feasible;
use super::formula::{BinaryOp, Comparison, Expr, ExprKind, Pred, PredKind, UnaryOp};
use super::parts::Part;
use super::substitution::{Access, Cell, Subst, SubstKind, Target};
use super::types::{ConstId, LocalId, Machine, OpId, Operation, SetId, Type, VarId};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::BTreeSet;

/// A variable, or one point of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub variable: VarId,
    /// `None`: any of its points, or all of it.
    pub point: Option<Key>,
}

/// Which point is meant. It does not depend on the variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// Number of a parameter of the operation.
    Parameter(usize),
    Constant(ConstId),
    Integer(BigInt),
    Bool(bool),
    /// Of an enumerated set.
    Element(SetId, u32),
    Pair(Box<Key>, Box<Key>),
}

impl Key {
    /// An expression as a key, if it is one, in an operation with these parameters.
    pub fn of(machine: &Machine, parameters: &[LocalId], e: &Expr) -> Option<Key> {
        let key = |e: &Expr| Key::of(machine, parameters, e);
        Some(match &e.kind {
            ExprKind::Local(id) => Key::Parameter(parameters.iter().position(|p| p == id)?),
            ExprKind::Constant(id) => Key::Constant(*id),
            ExprKind::Integer(n) => Key::Integer(n.clone()),
            ExprKind::Bool(b) => Key::Bool(*b),
            ExprKind::Element(set, i) if !machine.is_sized(*set) => Key::Element(*set, *i),
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                Key::Pair(Box::new(key(a)?), Box::new(key(b)?))
            }
            _ => return None,
        })
    }

    /// The point of a set that a member of it belongs to.
    pub fn of_member(machine: &Machine, parameters: &[LocalId], member: &Expr) -> Option<Key> {
        match (&member.ty, &member.kind) {
            (Type::Pair(_), ExprKind::Binary(BinaryOp::Pair, left, _)) => {
                Key::of(machine, parameters, left)
            }
            (Type::Pair(_), _) => None,
            _ => Key::of(machine, parameters, member),
        }
    }

    /// Whether two keys of one type, each of an operation of its own, may be equal.
    pub fn may_equal(&self, other: &Key) -> bool {
        use Key::*;
        match (self, other) {
            (Pair(a, b), Pair(c, d)) => a.may_equal(c) && b.may_equal(d),
            (Integer(_) | Bool(_) | Element(..), Integer(_) | Bool(_) | Element(..)) => {
                self == other
            }
            _ => true,
        }
    }

    /// Whether it is the same whatever the arguments are.
    pub fn is_fixed(&self) -> bool {
        match self {
            Key::Parameter(_) => false,
            Key::Pair(a, b) => a.is_fixed() && b.is_fixed(),
            _ => true,
        }
    }
}

impl Place {
    pub fn whole(variable: VarId) -> Place {
        Place { variable, point: None }
    }

    /// The place whose value an expression is, if it is one.
    pub fn of(machine: &Machine, parameters: &[LocalId], e: &Expr) -> Option<Place> {
        match &e.kind {
            ExprKind::Variable(id) => Some(Place::whole(*id)),
            ExprKind::Binary(BinaryOp::Apply, f, x) => {
                let ExprKind::Variable(variable) = f.kind else { return None };
                Some(Place { variable, point: Some(Key::of(machine, parameters, x)?) })
            }
            _ => None,
        }
    }

    /// Whether this place and one of another instance may overlap.
    pub fn may_overlap(&self, other: &Place) -> bool {
        self.variable == other.variable
            && match (&self.point, &other.point) {
                (Some(a), Some(b)) => a.may_equal(b),
                _ => true,
            }
    }
}

/// What becomes of a place that is written.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// It gets this value, whatever it was.
    Becomes(Expr),
    /// This is added to what it was.
    Adds(i64),
    /// The element is in the set afterwards, or is not.
    Member(bool),
    /// The function has no value there afterwards.
    Cleared,
    /// One point of it, nobody knows which, gets this value.
    Somewhere(Expr),
    Unknown,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Write {
    pub place: Place,
    pub effect: Effect,
    /// Every outcome does this to the state before the operation, and nothing else to the place.
    pub certain: bool,
}

/// Where a substitution stands in the body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In every outcome, on the state before the operation.
    Always,
    /// The same in some outcomes.
    Perhaps,
    /// On a state that others have changed.
    Later,
}

impl When {
    fn perhaps(self) -> When {
        if self == When::Later { When::Later } else { When::Perhaps }
    }
}

/// One conjunct of a guard, or all that makes a body feasible.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    /// `None`: it is known by carrying out the body only.
    pub pred: Option<Pred>,
    pub reads: BTreeSet<Place>,
}

/// The places of one operation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Places {
    /// All of them hold where the operation is enabled.
    pub guard: Vec<Condition>,
    /// What the outcomes depend on. What a place that is written is before that is not listed here, where it
    /// decides about that place alone.
    pub reads: BTreeSet<Place>,
    pub writes: Vec<Write>,
}

impl Places {
    /// Those of a visible operation.
    pub fn of(machine: &Machine, id: OpId) -> Places {
        Places::of_operation(machine, machine.operation(id))
    }

    /// Those of an operation of this machine, or of one that does the same.
    pub fn of_operation(machine: &Machine, operation: &Operation) -> Places {
        let body = &operation.body;
        let mut reader = Reader::new(machine, &operation.parameters);
        let mut guard = Vec::new();
        for pred in operation.conditions().flat_map(|c| c.conjuncts()) {
            let reads = reader.of_pred(pred);
            guard.push(Condition { pred: Some(pred.clone()), reads });
        }
        reader.subst(body, When::Always);
        let feasible = reader.feasibility(body);
        if !feasible.is_empty() {
            guard.push(Condition { pred: None, reads: feasible });
        }
        Places { guard, reads: reader.reads, writes: reader.writes }
    }

    /// What a predicate without parameters reads.
    pub fn read_by(machine: &Machine, pred: &Pred) -> BTreeSet<Place> {
        Reader::new(machine, &[]).of_pred(pred)
    }
}

struct Reader<'m> {
    machine: &'m Machine,
    parameters: &'m [LocalId],
    /// Operations that are being followed.
    called: Vec<OpId>,
    reads: BTreeSet<Place>,
    writes: Vec<Write>,
}

impl<'m> Reader<'m> {
    fn new(machine: &'m Machine, parameters: &'m [LocalId]) -> Reader<'m> {
        let (reads, writes) = (BTreeSet::new(), Vec::new());
        Reader { machine, parameters, called: Vec::new(), reads, writes }
    }

    fn of_pred(&mut self, p: &Pred) -> BTreeSet<Place> {
        let outer = std::mem::take(&mut self.reads);
        self.pred(p);
        std::mem::replace(&mut self.reads, outer)
    }

    fn of_expr(&mut self, e: &Expr) -> BTreeSet<Place> {
        let outer = std::mem::take(&mut self.reads);
        self.expr(e);
        std::mem::replace(&mut self.reads, outer)
    }

    fn key(&self, e: &Expr) -> Option<Key> {
        Key::of(self.machine, self.parameters, e)
    }

    fn member_key(&self, member: &Expr) -> Option<Key> {
        Key::of_member(self.machine, self.parameters, member)
    }

    // ----- reading

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Expr(e) => self.expr(e),
            Part::Pred(p) => self.pred(p),
        }
    }

    /// Reads one point of a variable, chosen by an argument.
    fn point(&mut self, variable: VarId, key: Option<Key>, argument: &Expr) {
        self.reads.insert(Place { variable, point: key });
        self.expr(argument);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Variable(id) => {
                self.reads.insert(Place::whole(*id));
            }
            ExprKind::Binary(op @ (BinaryOp::Apply | BinaryOp::Image), f, x) => {
                let argument = match (op, &x.kind) {
                    (BinaryOp::Image, ExprKind::SetExtension(items)) if items.len() == 1 => {
                        Some(&items[0])
                    }
                    (BinaryOp::Apply, _) => Some(&**x),
                    _ => None,
                };
                match (&f.kind, argument) {
                    (ExprKind::Variable(id), Some(x)) => self.point(*id, self.key(x), x),
                    _ => e.parts(&mut |part| self.part(part)),
                }
            }
            _ => e.parts(&mut |part| self.part(part)),
        }
    }

    fn pred(&mut self, p: &Pred) {
        if let PredKind::Compare(Comparison::Member | Comparison::NotMember, x, set) = &p.kind {
            match &set.kind {
                ExprKind::Variable(id) => return self.point(*id, self.member_key(x), x),
                ExprKind::Unary(UnaryOp::Dom, f) => {
                    if let ExprKind::Variable(id) = f.kind {
                        return self.point(id, self.key(x), x);
                    }
                }
                _ => {}
            }
        }
        p.parts(&mut |part| self.part(part));
    }

    // ----- writing

    fn write(&mut self, place: Place, effect: Effect) {
        self.writes.push(Write { place, effect, certain: true });
    }

    fn assign(&mut self, target: &Target, e: &Expr, when: When) {
        self.indices(target);
        let Cell::Variable(variable) = target.cell else { return self.expr(e) };
        let first = self.writes.len();
        match &target.path[..] {
            [] => self.assign_variable(variable, e),
            [Access::Index(x)] => self.assign_point(variable, x, e),
            _ => {
                self.expr(e);
                self.target(target);
            }
        }
        for write in &mut self.writes[first..] {
            write.certain &= when == When::Always;
            if when == When::Later {
                write.effect = Effect::Unknown;
            }
        }
    }

    /// `f(x) := e`
    fn assign_point(&mut self, variable: VarId, x: &Expr, e: &Expr) {
        match self.key(x) {
            Some(key) => self.assign_place(Place { variable, point: Some(key) }, e),
            None => {
                self.expr(e);
                self.write(Place::whole(variable), Effect::Somewhere(e.clone()));
            }
        }
    }

    fn indices(&mut self, target: &Target) {
        for access in &target.path {
            if let Access::Index(x) = access {
                self.expr(x);
            }
        }
    }

    fn assign_variable(&mut self, variable: VarId, e: &Expr) {
        let is_self = |e: &Expr| e.kind == ExprKind::Variable(variable);
        let items = |e: &'_ Expr| match &e.kind {
            ExprKind::SetExtension(items) => Some(items.clone()),
            _ => None,
        };
        if let ExprKind::Binary(op, a, b) = &e.kind {
            match op {
                BinaryOp::Override if is_self(a) => {
                    if let Some(pairs) = items(b) {
                        return self.override_points(variable, &pairs);
                    }
                }
                BinaryOp::Union | BinaryOp::Difference if is_self(a) => {
                    if let Some(members) = items(b) {
                        return self.change_members(variable, &members, *op == BinaryOp::Union);
                    }
                }
                BinaryOp::Union if is_self(b) => {
                    if let Some(members) = items(a) {
                        return self.change_members(variable, &members, true);
                    }
                }
                BinaryOp::DomainSubtract if is_self(b) => {
                    if let Some(keys) = items(a) {
                        for x in &keys {
                            self.expr(x);
                            let point = self.key(x);
                            self.write(Place { variable, point }, Effect::Cleared);
                        }
                        return;
                    }
                }
                _ => {}
            }
        }
        self.assign_place(Place::whole(variable), e);
    }

    /// `f := f <+ {x |-> E, ...}`
    fn override_points(&mut self, variable: VarId, pairs: &[Expr]) {
        let first = self.writes.len();
        for pair in pairs {
            match &pair.kind {
                ExprKind::Binary(BinaryOp::Pair, x, value) => {
                    self.expr(x);
                    self.assign_point(variable, x, value);
                }
                _ => {
                    self.expr(pair);
                    self.write(Place::whole(variable), Effect::Unknown);
                }
            }
        }
        if pairs.len() > 1 {
            // Two of them may be for one point.
            self.writes[first..].iter_mut().for_each(|w| w.effect = Effect::Unknown);
        }
    }

    /// `S := S \/ {x, ...}` or `S := S - {x, ...}`
    fn change_members(&mut self, variable: VarId, members: &[Expr], added: bool) {
        for member in members {
            self.expr(member);
            let place = Place { variable, point: self.member_key(member) };
            let is_element = place.point.is_some() && !matches!(member.ty, Type::Pair(_));
            if is_element {
                self.write(place, Effect::Member(added));
            } else {
                // What else there is at this point stays.
                self.write(place, Effect::Unknown);
            }
        }
    }

    fn assign_place(&mut self, place: Place, e: &Expr) {
        match self.added(&place, e) {
            Some(n) => self.write(place, Effect::Adds(n)),
            None => {
                self.expr(e);
                self.write(place, Effect::Becomes(e.clone()));
            }
        }
    }

    /// What an expression adds to what is at a place, if it does that.
    fn added(&self, place: &Place, e: &Expr) -> Option<i64> {
        let ExprKind::Binary(op, a, b) = &e.kind else { return None };
        let number = |e: &Expr| match &e.kind {
            ExprKind::Integer(n) => n.to_i64(),
            _ => None,
        };
        match op {
            BinaryOp::Add if self.is_at(place, a) => number(b),
            BinaryOp::Add if self.is_at(place, b) => number(a),
            BinaryOp::Subtract if self.is_at(place, a) => number(b)?.checked_neg(),
            _ => None,
        }
    }

    /// Whether an expression is what is at a place.
    fn is_at(&self, place: &Place, e: &Expr) -> bool {
        Place::of(self.machine, self.parameters, e).as_ref() == Some(place)
    }

    // ----- substitutions

    fn all(&mut self, ss: &[Subst], when: When) {
        ss.iter().for_each(|s| self.subst(s, when));
    }

    fn branches(&mut self, branches: &[(Pred, Subst)], otherwise: Option<&Subst>, when: When) {
        for (p, s) in branches {
            self.pred(p);
            self.subst(s, when);
        }
        otherwise.into_iter().for_each(|s| self.subst(s, when));
    }

    fn subst(&mut self, s: &Subst, when: When) {
        match &s.kind {
            SubstKind::Skip => {}
            SubstKind::Assign(pairs) => pairs.iter().for_each(|(t, e)| self.assign(t, e, when)),
            SubstKind::BecomesElement(targets, set) => {
                self.expr(set);
                targets.iter().for_each(|t| self.target(t));
            }
            SubstKind::BecomesSuchThat(cells, p) => {
                self.pred(p);
                for (cell, _) in cells {
                    if let Cell::Variable(id) = cell {
                        self.write(Place::whole(*id), Effect::Unknown);
                    }
                }
            }
            SubstKind::Parallel(ss) => self.all(ss, when),
            SubstKind::Choice(ss) => self.all(ss, when.perhaps()),
            SubstKind::Sequence(ss) => self.all(ss, When::Later),
            SubstKind::Precondition(p, s)
            | SubstKind::Assert(_, p, s)
            | SubstKind::Any(_, p, s) => {
                self.pred(p);
                self.subst(s, when);
            }
            SubstKind::If(branches, otherwise) | SubstKind::Select(branches, otherwise) => {
                self.branches(branches, otherwise.as_deref(), when.perhaps());
            }
            SubstKind::Case(e, branches, otherwise) => {
                self.expr(e);
                for (labels, s) in branches {
                    labels.iter().for_each(|e| self.expr(e));
                    self.subst(s, when.perhaps());
                }
                otherwise.iter().for_each(|s| self.subst(s, when.perhaps()));
            }
            SubstKind::Let(bindings, s) => {
                bindings.iter().for_each(|(_, e)| self.expr(e));
                self.subst(s, when);
            }
            SubstKind::Var(_, s) => self.subst(s, when),
            SubstKind::While { condition, body, invariant, variant, initial } => {
                self.pred(condition);
                self.pred(invariant);
                self.expr(variant);
                for (cell, _) in initial {
                    if let Cell::Variable(id) = cell {
                        self.reads.insert(Place::whole(*id));
                    }
                }
                self.subst(body, When::Later);
            }
            SubstKind::Call { operation, arguments, results } => {
                arguments.iter().for_each(|e| self.expr(e));
                results.iter().for_each(|t| self.target(t));
                self.call(*operation);
            }
        }
    }

    /// A target that gets some value.
    fn target(&mut self, target: &Target) {
        self.indices(target);
        let Cell::Variable(variable) = target.cell else { return };
        let point = match target.path.first() {
            Some(Access::Index(x)) => self.key(x),
            _ => None,
        };
        self.write(Place { variable, point }, Effect::Unknown);
    }

    /// The body of a called operation. Its parameters are none of the caller's.
    fn call(&mut self, id: OpId) {
        if self.called.contains(&id) {
            return;
        }
        self.called.push(id);
        let parameters = std::mem::take(&mut self.parameters);
        self.subst(&self.machine.operation(id).whole(), When::Later);
        self.parameters = parameters;
        self.called.pop();
    }

    // ----- feasibility

    /// What decides whether a body has an outcome at all. Nothing, where it always has one.
    fn feasibility(&mut self, s: &Subst) -> BTreeSet<Place> {
        if is_feasible(self.machine, s) {
            return BTreeSet::new();
        }
        match &s.kind {
            SubstKind::BecomesElement(_, set) => self.of_expr(set),
            SubstKind::BecomesSuchThat(_, p) => self.of_pred(p),
            SubstKind::Parallel(ss) | SubstKind::Choice(ss) => {
                ss.iter().flat_map(|s| self.feasibility(s)).collect()
            }
            SubstKind::Precondition(_, s) | SubstKind::Assert(_, _, s) => self.feasibility(s),
            SubstKind::Any(_, p, s) => {
                let mut reads = self.of_pred(p);
                reads.extend(self.feasibility(s));
                reads
            }
            SubstKind::Select(branches, otherwise) | SubstKind::If(branches, otherwise) => {
                let mut reads = BTreeSet::new();
                for (p, s) in branches {
                    reads.extend(self.of_pred(p));
                    reads.extend(self.feasibility(s));
                }
                reads.extend(otherwise.iter().flat_map(|s| self.feasibility(s)));
                reads
            }
            // It is known by carrying it out.
            _ => {
                let mut all = Reader::new(self.machine, self.parameters);
                all.called = self.called.clone();
                all.subst(s, When::Later);
                all.reads
            }
        }
    }
}
