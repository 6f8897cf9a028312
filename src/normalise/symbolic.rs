//! Where infinite sets are kept as values.
//!
//! An infinite set that is assigned, bound by a LET, compared or put into a set, pair or record
//! becomes a value with a description (`machine::symbolic`).

use super::alike::alike;
use super::decided::{Given, decide};
use super::holders::follow;
use super::outline::{
    endless, has_comprehension, has_form, is_function, is_named, is_of_intervals,
    is_told_by_members,
};
use super::recursive::{Ties, recursive_constants};
use super::vast::{MANY, may_be_vast};
use crate::machine::footprint::Footprint;
use crate::machine::visit::{Visitor, bound_locals, renamed, same};
use crate::machine::{
    BasicSet, BinaryOp, Comparison, ConstId, Expr, ExprKind, Fold, Global, Kept, Local, LocalId,
    Machine, Pred, PredKind, SetId, SetKind, Subst, SubstKind, Symbolic, SymbolicSet, TreeOp, Type,
    UnaryOp,
};
use crate::source::{FileId, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Makes values of the infinite sets that a machine keeps, of those that begin at `marked` places, and, where it is
/// `lazy`, of what constants are equal to.
pub fn keep_infinite_sets(
    machine: &mut Machine,
    marked: &BTreeSet<(FileId, u32)>,
    lazy: bool,
    sources: &Sources,
) {
    let mut keeper = Keeper {
        locals: std::mem::take(&mut machine.locals),
        recursive: recursive_constants(machine),
        lazy,
        ..Keeper::of(machine, sources, marked)
    };
    keeper.walked(&mut |visitor| visitor.machine(machine));
    keeper.ties.tie(&mut keeper.sets);
    machine.locals = keeper.locals;
    if keeper.sets.is_empty() {
        return;
    }
    leave_what_is_seen(machine, &keeper.told);
    machine.symbolic =
        Symbolic { sets: keeper.sets, known: machine.locals.len() as u32, ..Symbolic::default() };
    while follow(machine) {}
}

/// Makes values of the infinite sets that a formula keeps, which was typed against a machine: descriptions that continue
/// the machine's. `walk` goes through the formula. New locals are appended to `locals`, which continue the machine's.
pub fn keep_in_formula(
    machine: &Machine,
    locals: &mut Vec<Local>,
    sources: &Sources,
    walk: &mut dyn FnMut(&mut Visitor<'_>),
) -> Vec<SymbolicSet> {
    let own = machine.symbolic.sets.len();
    let first = machine.locals.len();
    let unmarked = BTreeSet::new();
    let mut keeper = Keeper {
        locals: machine.locals.iter().chain(locals.iter()).cloned().collect(),
        sets: machine.symbolic.sets.clone(),
        plain: machine.symbolic.sets.iter().map(|s| in_order(&s.set).0).collect(),
        ..Keeper::of(machine, sources, &unmarked)
    };
    keeper.walked(walk);
    locals.splice(.., keeper.locals.drain(first..));
    keeper.sets.split_off(own)
}

/// Takes out of the properties what is seen to be true of the types of functions and sets that are infinite and mention
/// themselves, or that may be too large to be built: nothing can look at all of their members.
fn leave_what_is_seen(machine: &mut Machine, told: &BTreeMap<ConstId, Expr>) {
    let freetypes = &machine.freetypes;
    machine.properties.retain(|conjunct| {
        let PredKind::Compare(op, x, set) = &conjunct.pred.kind else { return true };
        let ExprKind::Constant(id) = x.kind else { return true };
        let given = Given { itself: Some(id), freetypes };
        let Some(value) = told.get(&id) else { return true };
        // What is denied of a set may be seen by its being infinite.
        let positive = matches!(op, Comparison::Member | Comparison::Subset);
        !((positive || endless(value)) && decide(*op, value, set, given) == Some(true))
    });
}

struct Keeper<'s> {
    /// The texts of descriptions.
    sources: &'s Sources,
    marked: &'s BTreeSet<(FileId, u32)>,
    sets: Vec<SymbolicSet>,
    /// The sets again, locals numbered in the order in which they occur: to be compared.
    plain: Vec<Expr>,
    locals: Vec<Local>,
    variables: Vec<(Arc<str>, Type)>,
    constants: Vec<(Arc<str>, Type)>,
    /// Constants that are told by themselves, with the other constants that they and those that they lead to
    /// mention: a description that mentions one cannot hold its value.
    recursive: BTreeMap<ConstId, BTreeSet<ConstId>>,
    /// The machine asks for all of its functions and comprehensions to be kept.
    lazy: bool,
    /// Enumerated sets that have many subsets.
    large: BTreeSet<SetId>,
    /// The values of constants that are infinite and told by themselves, or may be too large to be built.
    told: BTreeMap<ConstId, Expr>,
    /// What was made of the equations of constants that are told by themselves.
    ties: Ties,
}

impl<'s> Keeper<'s> {
    /// One that knows the names of a machine, and nothing of its locals and descriptions.
    fn of(
        machine: &Machine,
        sources: &'s Sources,
        marked: &'s BTreeSet<(FileId, u32)>,
    ) -> Keeper<'s> {
        let named = |all: &[Global]| all.iter().map(|g| (g.name.clone(), g.ty.clone())).collect();
        Keeper {
            sources,
            marked,
            sets: Vec::new(),
            plain: Vec::new(),
            locals: Vec::new(),
            variables: named(&machine.variables),
            constants: named(&machine.constants),
            recursive: BTreeMap::new(),
            lazy: false,
            large: large_sets(machine),
            told: BTreeMap::new(),
            ties: Ties::default(),
        }
    }

    /// Goes through all that `walk` goes through.
    fn walked(&mut self, walk: &mut dyn FnMut(&mut Visitor<'_>)) {
        let this = std::cell::RefCell::new(self);
        walk(&mut Visitor {
            expr: &mut |e| this.borrow_mut().parts(e),
            binder: None,
            pred: Some(&mut |p| this.borrow_mut().pred(p)),
            subst: Some(&mut |s| this.borrow_mut().subst(s)),
        });
    }

    /// What an expression keeps of its parts.
    fn parts(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::SetExtension(es) | ExprKind::Sequence(es) | ExprKind::Record(es) => {
                es.iter_mut().for_each(|e| self.keep(e));
            }
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                self.keep(a);
                self.keep(b);
            }
            ExprKind::Construct(_, _, Some(argument)) => self.keep(argument),
            ExprKind::Fold(Fold::Image | Fold::Lambda, _, _, body) => self.keep(body),
            ExprKind::Let(bindings, _) => bindings.iter_mut().for_each(|(_, e)| self.keep(e)),
            // A condition or a LET has no form that tells what is at a point.
            ExprKind::Binary(BinaryOp::Apply | BinaryOp::Image, f, _) if is_chosen(f) => {
                self.keep(f);
            }
            // Only what it has at the right sides of the first matters.
            ExprKind::Binary(BinaryOp::Compose, r, f) if !endless(r) && has_comprehension(f) => {
                self.keep(f);
            }
            _ => {}
        }
    }

    fn pred(&mut self, p: &mut Pred) {
        match &mut p.kind {
            PredKind::Let(bindings, _) => bindings.iter_mut().for_each(|(_, e)| self.keep(e)),
            PredKind::Compare(Comparison::Equal, constant, e)
            | PredKind::Compare(Comparison::Equal, e, constant)
                if matches!(constant.kind, ExprKind::Constant(_)) && self.is_told(constant, e) =>
            {
                self.keep_told(constant, e);
            }
            PredKind::Compare(Comparison::Equal, local, e)
            | PredKind::Compare(Comparison::Equal, e, local)
                if matches!(local.kind, ExprKind::Local(_)) && has_comprehension(e) =>
            {
                e.kind = self.described(e, Kept::Open);
            }
            // No member has to be looked at.
            PredKind::Compare(op @ (Comparison::Equal | Comparison::NotEqual), a, b)
                if endless(a) && has_comprehension(a) && alike(a, b) =>
            {
                p.kind = if *op == Comparison::Equal { PredKind::True } else { PredKind::False };
            }
            // Sets of integers that are made of intervals are compared by these.
            PredKind::Compare(Comparison::Equal | Comparison::NotEqual, a, b)
                if is_of_intervals(a) && is_of_intervals(b) => {}
            PredKind::Compare(Comparison::Equal | Comparison::NotEqual, a, b) => {
                match (self.is_kept(a), self.is_kept(b)) {
                    (true, false) => self.keep(a),
                    (false, true) => self.keep(b),
                    (true, true) if is_named(a) && is_named(b) => {}
                    (true, true) => {
                        self.keep(a);
                        self.keep(b);
                    }
                    (false, false) => {}
                }
            }
            PredKind::Compare(Comparison::Member | Comparison::NotMember, a, set) => {
                self.keep(a);
                if is_chosen(set) {
                    self.keep(set);
                }
            }
            _ => {}
        }
    }

    /// Whether a set that is compared is known by its description: one that looks endless, unless it
    /// is a comprehension that may have few members and is no function that mentions itself.
    fn is_kept(&self, e: &Expr) -> bool {
        endless(e) && (!has_comprehension(e) || self.is_recursive(e))
    }

    /// Whether a set mentions constants that are told by themselves.
    fn is_recursive(&self, e: &Expr) -> bool {
        if self.recursive.is_empty() {
            return false;
        }
        let constants = Footprint::of_expr(e).constants;
        constants.iter().any(|id| self.recursive.contains_key(id))
    }

    fn subst(&mut self, s: &mut Subst) {
        match &mut s.kind {
            SubstKind::Assign(pairs) => pairs.iter_mut().for_each(|(_, e)| self.keep(e)),
            SubstKind::Let(bindings, _) => bindings.iter_mut().for_each(|(_, e)| self.keep(e)),
            SubstKind::Call { arguments, .. } => arguments.iter_mut().for_each(|e| self.keep(e)),
            _ => {}
        }
    }

    /// Whether a constant has the value of this set by its description, though the set may be finite.
    fn is_told(&self, constant: &Expr, e: &Expr) -> bool {
        if has_comprehension(e) {
            return true;
        }
        let ExprKind::Constant(id) = constant.kind else { return false };
        // Case by case, too.
        let itself = self.recursive.contains_key(&id) && self.is_recursive(e);
        let lazy = self.lazy && e.ty.is_infinite();
        (itself || lazy || self.is_marked(e) || self.is_vast(e)) && is_told_by_members(e)
    }

    /// Whether a set may have too many members to be built.
    fn is_vast(&self, e: &Expr) -> bool {
        may_be_vast(e, &self.large)
    }

    /// Gives a constant the description as its value.
    fn keep_told(&mut self, constant: &Expr, e: &mut Expr) {
        let ExprKind::Constant(id) = constant.kind else { return };
        let asked = self.lazy || self.is_marked(e);
        if self.is_vast(e) {
            self.told.insert(id, e.clone());
        }
        let Some(given) = self.recursive.get(&id).cloned() else {
            let kept = match asked {
                true => Kept::Lazy,
                false if has_comprehension(e) => Kept::Open,
                false => Kept::Vast,
            };
            e.kind = self.described(e, kept);
            return;
        };
        if endless(e) {
            self.told.insert(id, e.clone());
        }
        let own = self.description(e, Kept::Lazy, &given);
        // A function that is seen to be finite has its value at once; within it there is what it is told by.
        let whole =
            (self.ties.add(id, &own) && !asked && !endless(e) && is_function(e)).then(|| {
                let kept = if self.is_vast(e) { Kept::Vast } else { Kept::Open };
                self.description(e, kept, &given)
            });
        if let Some(whole) = &whole {
            self.ties.add(id, whole);
        }
        let (number, arguments) = whole.unwrap_or(own);
        e.kind = ExprKind::Symbolic(number, arguments);
    }

    /// Whether the text says that this set is to be kept, and it is of a type that has infinitely many values: others
    /// have no sets that are kept.
    fn is_marked(&self, e: &Expr) -> bool {
        e.ty.is_infinite() && self.marked.contains(&(e.span.file, e.span.start))
    }

    /// Makes a value of an infinite set, or of the branches of a condition.
    fn keep(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::If(_, a, b) => {
                self.keep(a);
                self.keep(b);
            }
            ExprKind::Let(_, body) => self.keep(body),
            _ => {
                if endless(e)
                    && let Some(kind) = self.kept(e)
                {
                    e.kind = kind;
                }
            }
        }
    }

    fn kept(&mut self, e: &Expr) -> Option<ExprKind> {
        let kept = if may_be_found(e) { Kept::Unbounded } else { Kept::Infinite };
        let value = self.described(e, kept);
        // With a finite side that is empty the set is not infinite.
        let if_empty = |side: &Expr, then: ExprKind| {
            let empty = Expr::new(ExprKind::Empty, side.ty.clone(), side.span);
            let test = PredKind::Compare(Comparison::Equal, side.clone(), empty);
            let new = |kind| Box::new(Expr::new(kind, e.ty.clone(), e.span));
            ExprKind::If(Box::new(Pred::new(test, side.span)), new(then), new(value.clone()))
        };
        let nothing = || {
            let ty = e.ty.element()?.clone();
            Some(ExprKind::SetExtension(vec![Expr::new(ExprKind::Empty, ty, e.span)]))
        };
        use BinaryOp::*;
        Some(match &e.kind {
            ExprKind::Basic(_)
            | ExprKind::Freetype { .. }
            | ExprKind::Fold(Fold::Lambda, ..)
            | ExprKind::Comprehension(..) => value,
            ExprKind::Unary(op, of) => match op {
                UnaryOp::Seq if !endless(of) => if_empty(of, nothing()?),
                UnaryOp::Seq1 if !endless(of) => if_empty(of, ExprKind::Empty),
                UnaryOp::Seq | UnaryOp::Seq1 | UnaryOp::Iseq | UnaryOp::Iseq1 => value,
                UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1 => value,
                _ => return None,
            },
            ExprKind::Binary(Union | Override, ..) if has_form(e) => value,
            ExprKind::Binary(op, a, b) => match (op, endless(a), endless(b)) {
                (Product | Relations | PartialFunctions, true, true) => value,
                (TotalFunctions, true, true) => value,
                (Product, true, _) => if_empty(b, ExprKind::Empty),
                (Product, ..) => if_empty(a, ExprKind::Empty),
                (TotalFunctions, true, _) => if_empty(b, ExprKind::Empty),
                (Relations | PartialFunctions, true, _) => if_empty(b, nothing()?),
                (Relations | PartialFunctions | TotalFunctions, ..) => if_empty(a, nothing()?),
                _ => return None,
            },
            ExprKind::Tree(TreeOp::Trees | TreeOp::BinaryTrees, labels) => match &labels[..] {
                [labels] if endless(labels) => value,
                [labels] => if_empty(labels, ExprKind::Empty),
                _ => return None,
            },
            ExprKind::Struct(fields) if fields.iter().all(endless) => value,
            _ => return None,
        })
    }

    /// The value with the description that this expression is.
    fn described(&mut self, e: &Expr, kept: Kept) -> ExprKind {
        let (number, arguments) = self.description(e, kept, &BTreeSet::new());
        ExprKind::Symbolic(number, arguments)
    }

    /// The number of the description that this expression is, and the values of its parameters: what it mentions,
    /// and these constants.
    fn description(&mut self, e: &Expr, kept: Kept, given: &BTreeSet<ConstId>) -> (u32, Vec<Expr>) {
        let mut copy = e.clone();
        let bound = bound_locals(&copy);
        let footprint = Footprint::of_expr(&copy);
        let outer: Vec<LocalId> = footprint.locals.difference(&bound).copied().collect();
        let mut arguments = Vec::new();
        let mut new_locals = BTreeMap::new();
        let mut new_variables = BTreeMap::new();
        let mut new_constants = BTreeMap::new();
        let mut parameters = Vec::new();
        let mut parameter = |name: Arc<str>, ty: Type, locals: &mut Vec<Local>| {
            locals.push(Local { name, ty, span: e.span });
            let id = LocalId(locals.len() as u32 - 1);
            parameters.push(id);
            id
        };
        for id in outer {
            let local = self.locals[id.0 as usize].clone();
            arguments.push(Expr::new(ExprKind::Local(id), local.ty.clone(), e.span));
            new_locals.insert(id, parameter(local.name, local.ty, &mut self.locals));
        }
        for id in footprint.variables {
            let (name, ty) = self.variables[id.0 as usize].clone();
            arguments.push(Expr::new(ExprKind::Variable(id), ty.clone(), e.span));
            new_variables.insert(id, parameter(name, ty, &mut self.locals));
        }
        // Constants, too: while they are solved, they are not there yet.
        let is_given = |id: &&ConstId| !self.recursive.contains_key(id);
        for id in footprint.constants.union(given).filter(is_given).copied() {
            let (name, ty) = self.constants[id.0 as usize].clone();
            arguments.push(Expr::new(ExprKind::Constant(id), ty.clone(), e.span));
            new_constants.insert(id, parameter(name, ty, &mut self.locals));
        }
        // Names bound inside are new ones, too: the original may stand somewhere else as well.
        for id in &bound {
            let local = self.locals[id.0 as usize].clone();
            self.locals.push(local);
            new_locals.insert(*id, LocalId(self.locals.len() as u32 - 1));
        }
        let new = |id: &LocalId| new_locals.get(id).copied().unwrap_or(*id);
        let mut visitor = Visitor {
            expr: &mut |e| match &e.kind {
                ExprKind::Local(id) => e.kind = ExprKind::Local(new(id)),
                ExprKind::Variable(id) => {
                    if let Some(id) = new_variables.get(id) {
                        e.kind = ExprKind::Local(*id);
                    }
                }
                ExprKind::Constant(id) => {
                    if let Some(id) = new_constants.get(id) {
                        e.kind = ExprKind::Local(*id);
                    }
                }
                _ => {}
            },
            binder: Some(&mut |id| *id = new(id)),
            pred: None,
            subst: None,
        };
        visitor.expr(&mut copy);
        let (plain, order) = in_order(&copy);
        // Equal descriptions take the values of what they mention in the same order.
        let mut given: Vec<(LocalId, Expr)> = parameters.into_iter().zip(arguments).collect();
        given.sort_by_key(|(parameter, _)| order.get(parameter).copied());
        let (parameters, arguments): (Vec<LocalId>, Vec<Expr>) = given.into_iter().unzip();
        let known = |(i, known): (usize, &Expr)| {
            let set = &self.sets[i];
            set.kept == kept && set.parameters.len() == parameters.len() && same(known, &plain)
        };
        let number = match self.plain.iter().enumerate().position(known) {
            Some(number) => number,
            None => {
                let text = match &e.kind {
                    ExprKind::Basic(b) => basic_name(*b).to_owned(),
                    _ => self.sources.text(e.span).split_whitespace().collect::<Vec<_>>().join(" "),
                };
                self.sets.push(SymbolicSet { text: text.into(), parameters, set: copy, kept });
                self.plain.push(plain);
                self.sets.len() - 1
            }
        };
        (number as u32, arguments)
    }
}

/// Whether nothing but a search tells that a set is infinite: of the solutions of more than memberships in infinite
/// sets there may be few.
fn may_be_found(e: &Expr) -> bool {
    let p = match &e.kind {
        ExprKind::Comprehension(_, p) | ExprKind::Fold(Fold::Lambda | Fold::Image, _, p, _) => p,
        ExprKind::Binary(BinaryOp::Union | BinaryOp::Override, a, b) => {
            return [a, b].into_iter().all(|side| !endless(side) || may_be_found(side));
        }
        _ => return false,
    };
    let is_open = |p: &Pred| match &p.kind {
        PredKind::True => true,
        PredKind::Compare(Comparison::Member, x, set) => {
            matches!(x.kind, ExprKind::Local(_)) && matches!(set.kind, ExprKind::Basic(_))
        }
        _ => false,
    };
    !p.conjuncts().iter().all(is_open)
}

/// Whether an expression is one of several, or stands within names for others.
fn is_chosen(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::If(..) | ExprKind::Let(..))
}

fn large_sets(machine: &Machine) -> BTreeSet<SetId> {
    let sets = machine.sets.iter().enumerate();
    let large = sets.filter(|(_, set)| match &set.kind {
        SetKind::Enumerated(names) => names.len() >= MANY,
        _ => false,
    });
    large.map(|(i, _)| SetId(i as u32)).collect()
}

fn basic_name(set: BasicSet) -> &'static str {
    match set {
        BasicSet::Integer => "INTEGER",
        BasicSet::Natural => "NATURAL",
        BasicSet::Natural1 => "NATURAL1",
        BasicSet::Int => "INT",
        BasicSet::Nat => "NAT",
        BasicSet::Nat1 => "NAT1",
        BasicSet::Bool => "BOOL",
        BasicSet::String => "STRING",
        BasicSet::Real => "REAL",
        BasicSet::Float => "FLOAT",
    }
}

/// The expression with its locals numbered from 0 on, in the order in which they occur, and the numbers.
fn in_order(e: &Expr) -> (Expr, BTreeMap<LocalId, LocalId>) {
    let mut numbers = BTreeMap::new();
    let copy = renamed(e, &mut |id| {
        let next = LocalId(numbers.len() as u32);
        *numbers.entry(id).or_insert(next)
    });
    (copy, numbers)
}
