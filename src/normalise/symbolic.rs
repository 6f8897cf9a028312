//! Where infinite sets are kept as values.
//!
//! An infinite set that is assigned, bound by a LET, compared or put into a set, pair or record
//! becomes a value with a description (`machine::symbolic`).

use super::alike::alike;
use super::decided::{Given, decide};
use super::holders::{self, follow};
use super::outline::{
    endless, has_comprehension, has_form, is_named, is_of_intervals, is_told_by_members,
};
use super::recursive::{Ties, mentioned, recursive_names};
use super::vast::{MANY, may_be_vast};
use crate::machine::footprint::Footprint;
use crate::machine::parts::Part;
use crate::machine::visit::{Visitor, renamed, same};
use crate::machine::{
    Asked, BasicSet, BinaryOp, Comparison, ConstId, Expr, ExprKind, Fold, Freetype, Global, Kept,
    Local, LocalId, Machine, Named, Pred, PredKind, Question, SetId, SetKind, Subst, SubstKind,
    Symbolic, SymbolicSet, TreeOp, Type, UnaryOp,
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
    let names = (0..machine.constants.len()).map(|i| Named::Constant(ConstId(i as u32))).collect();
    let conjuncts: Vec<&Pred> =
        machine.properties.iter().flat_map(|c| c.pred.conjuncts()).collect();
    let recursive = recursive_names(&conjuncts, &names, &large_sets(machine));
    let mut keeper = Keeper {
        locals: std::mem::take(&mut machine.locals),
        names,
        recursive,
        lazy,
        ..Keeper::of(machine, sources, marked)
    };
    keeper.walked(&mut |visitor| visitor.machine(machine));
    keeper.ties.tie(&mut keeper.sets);
    machine.locals = keeper.locals;
    if keeper.sets.is_empty() {
        return;
    }
    let freetypes = &machine.freetypes;
    machine.properties.retain(|conjunct| !is_seen(&conjunct.pred, &keeper.told, freetypes));
    machine.symbolic =
        Symbolic { sets: keeper.sets, known: machine.locals.len() as u32, ..Symbolic::default() };
    while follow(machine) {}
}

/// Makes values of the infinite sets that a question keeps, which was typed against a machine: descriptions and locals
/// that continue the machine's. What is free in it may be told by itself, as constants are by the PROPERTIES.
pub fn keep_in_question(machine: &Machine, question: &mut Question, sources: &Sources) {
    let own = machine.symbolic.sets.len();
    let first = machine.locals.len();
    let unmarked = BTreeSet::new();
    let (names, recursive) = match &question.asked {
        Asked::Predicate(p, free) => {
            let names = free.iter().copied().map(Named::Local).collect();
            let conjuncts: Vec<&Pred> = p.conjuncts().iter().collect();
            let recursive = recursive_names(&conjuncts, &names, &large_sets(machine));
            (names, recursive)
        }
        Asked::Expression(..) => Default::default(),
    };
    let mut keeper = Keeper {
        locals: machine.locals.iter().chain(&question.locals).cloned().collect(),
        sets: machine.symbolic.sets.clone(),
        plain: machine.symbolic.sets.iter().map(|s| in_order(&s.set).0).collect(),
        names,
        recursive,
        ..Keeper::of(machine, sources, &unmarked)
    };
    match &mut question.asked {
        Asked::Expression(e, _) => {
            keeper.walked(&mut |visitor| visitor.expr(e));
            // What it comes to is shown.
            keeper.keep(e);
        }
        Asked::Predicate(p, _) => {
            keeper.walked(&mut |visitor| visitor.pred(p));
            let seen = |p: &&Pred| is_seen(p, &keeper.told, &machine.freetypes);
            if p.conjuncts().iter().any(|p| seen(&p)) {
                let left = p.conjuncts().iter().filter(|p| !seen(p)).cloned().collect();
                *p = Pred::and(left, p.span);
            }
        }
    }
    keeper.ties.tie(&mut keeper.sets[own..]);
    question.locals = keeper.locals.split_off(first);
    question.symbolic = keeper.sets.split_off(own);
    question.holders = holders::of_question(machine, question);
}

/// Whether a conjunct is seen to be true of the types of functions and sets that are infinite and mention themselves, or
/// that may be too large to be built: nothing can look at all of their members.
fn is_seen(p: &Pred, told: &BTreeMap<Named, Expr>, freetypes: &[Freetype]) -> bool {
    let PredKind::Compare(op, x, set) = &p.kind else { return false };
    let Some(name) = Named::of(&x.kind) else { return false };
    let Some(value) = told.get(&name) else { return false };
    let given = Given { itself: Some(name), freetypes };
    // What is denied of a set may be seen by its being infinite.
    let positive = matches!(op, Comparison::Member | Comparison::Subset);
    (positive || endless(value)) && decide(*op, value, set, given) == Some(true)
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
    /// What has no value before it is solved for: constants, or what is free in a predicate that is typed in.
    names: BTreeSet<Named>,
    /// Those of these that are told by themselves, with the others that they and those that they lead to mention: a
    /// description that mentions one cannot hold its value.
    recursive: BTreeMap<Named, BTreeSet<Named>>,
    /// The machine asks for all of its functions and comprehensions to be kept.
    lazy: bool,
    /// Enumerated sets that have many subsets.
    large: BTreeSet<SetId>,
    /// The values of names that are infinite and told by themselves, or may be too large to be built.
    told: BTreeMap<Named, Expr>,
    /// What was made of the equations of names that are told by themselves.
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
            names: BTreeSet::new(),
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
                self.keep(Arc::make_mut(a));
                self.keep(Arc::make_mut(b));
            }
            ExprKind::Construct(_, _, Some(argument)) => self.keep(Arc::make_mut(argument)),
            ExprKind::Fold(Fold::Image | Fold::Lambda, _, _, body) => {
                self.keep(Arc::make_mut(body))
            }
            ExprKind::Let(bindings, _) => bindings.iter_mut().for_each(|(_, e)| self.keep(e)),
            // A condition or a LET has no form that tells what is at a point.
            ExprKind::Binary(op @ (BinaryOp::Apply | BinaryOp::Image), f, x) => {
                if is_chosen(f) {
                    self.keep(Arc::make_mut(f));
                }
                if *op == BinaryOp::Apply {
                    self.keep(Arc::make_mut(x));
                }
            }
            // Only what it has at the right sides of the first matters.
            ExprKind::Binary(BinaryOp::Compose, r, f) if !endless(r) && has_comprehension(f) => {
                self.keep(Arc::make_mut(f));
            }
            _ => {}
        }
    }

    fn pred(&mut self, p: &mut Pred) {
        match &mut p.kind {
            PredKind::Let(bindings, _) => bindings.iter_mut().for_each(|(_, e)| self.keep(e)),
            PredKind::Compare(Comparison::Equal, name, e)
            | PredKind::Compare(Comparison::Equal, e, name)
                if self.is_told(name, e) =>
            {
                self.keep_told(name, e);
            }
            PredKind::Compare(Comparison::Equal, local, e)
            | PredKind::Compare(Comparison::Equal, e, local)
                if is_apart(local, e) && has_comprehension(e) =>
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
                let is_left =
                    |e: &Expr| matches!(e.kind, ExprKind::Binary(BinaryOp::Difference, ..));
                match (self.is_kept(a), self.is_kept(b)) {
                    // What is left of a set compares with a comprehension by its members.
                    (true, false) if is_left(a) && has_comprehension(b) => {}
                    (false, true) if is_left(b) && has_comprehension(a) => {}
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
            // A part, and another set: each is asked in its own way.
            PredKind::Compare(Comparison::StrictSubset, a, b) if endless(a) || endless(b) => {
                let said = |op| Pred::new(PredKind::Compare(op, a.clone(), b.clone()), p.span);
                let mut apart = said(Comparison::NotEqual);
                let part = said(Comparison::Subset);
                self.pred(&mut apart);
                p.kind = PredKind::And([part, apart].into());
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

    /// Whether a set mentions names that are told by themselves.
    fn is_recursive(&self, e: &Expr) -> bool {
        !self.recursive.is_empty()
            && mentioned(e, &self.names).iter().any(|name| self.recursive.contains_key(name))
    }

    fn subst(&mut self, s: &mut Subst) {
        match &mut s.kind {
            SubstKind::Assign(pairs) => pairs.iter_mut().for_each(|(_, e)| self.keep(e)),
            SubstKind::Let(bindings, _) => bindings.iter_mut().for_each(|(_, e)| self.keep(e)),
            SubstKind::Call { arguments, .. } => arguments.iter_mut().for_each(|e| self.keep(e)),
            _ => {}
        }
    }

    /// Whether a name has the value of this set by its description, though the set may be finite: a constant, or one
    /// that is told by itself.
    fn is_told(&self, name: &Expr, e: &Expr) -> bool {
        let Some(name) = Named::of(&name.kind) else { return false };
        let recursive = self.recursive.contains_key(&name);
        if !recursive && !matches!(name, Named::Constant(_)) {
            return false;
        }
        // Case by case, too.
        let itself = recursive && self.is_recursive(e);
        let lazy = self.lazy && e.ty.is_infinite();
        has_comprehension(e)
            || (itself || lazy || self.is_marked(e) || self.is_vast(e)) && is_told_by_members(e)
    }

    /// Whether a set may have too many members to be built.
    fn is_vast(&self, e: &Expr) -> bool {
        may_be_vast(e, &self.large)
    }

    /// Gives a name the description as its value.
    fn keep_told(&mut self, name: &Expr, e: &mut Expr) {
        let Some(name) = Named::of(&name.kind) else { return };
        let asked = self.lazy || self.is_marked(e);
        if self.is_vast(e) {
            self.told.insert(name, e.clone());
        }
        let Some(given) = self.recursive.get(&name).cloned() else {
            let kept = match asked {
                true => Kept::Lazy,
                false if has_comprehension(e) => Kept::Open,
                false => Kept::Vast,
            };
            e.kind = self.described(e, kept);
            return;
        };
        if endless(e) {
            self.told.insert(name, e.clone());
        }
        let mut own = self.description(e, Kept::Lazy, &given);
        if self.is_of_names(&own.1) {
            self.ties.add(name, &own);
            // What is seen to be finite has its value at once; within it there is what it is told by.
            if !asked && !endless(e) {
                let kept = if self.is_vast(e) { Kept::Vast } else { Kept::Open };
                own = self.description(e, kept, &given);
                self.ties.add(name, &own);
            }
        }
        let (number, arguments) = own;
        e.kind = ExprKind::Symbolic(number, arguments);
    }

    /// Whether the parameters of a description are constants or names that are solved for: then it can be tied.
    fn is_of_names(&self, arguments: &[Expr]) -> bool {
        arguments.iter().all(|e| match Named::of(&e.kind) {
            Some(name) => matches!(name, Named::Constant(_)) || self.names.contains(&name),
            None => false,
        })
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
                self.keep(Arc::make_mut(a));
                self.keep(Arc::make_mut(b));
            }
            ExprKind::Let(_, body) => self.keep(Arc::make_mut(body)),
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
        if let ExprKind::Binary(BinaryOp::Difference, ..) = e.kind {
            let members = self.by_members(e)?;
            return Some(self.described(&members, Kept::Infinite));
        }
        let kept = if may_be_found(e) { Kept::Unbounded } else { Kept::Infinite };
        let value = self.described(e, kept);
        // With a finite side that is empty the set is not infinite.
        let if_empty = |side: &Expr, then: ExprKind| {
            let empty = Expr::new(ExprKind::Empty, side.ty.clone(), side.span);
            let test = PredKind::Compare(Comparison::Equal, side.clone(), empty);
            let new = |kind| Arc::new(Expr::new(kind, e.ty.clone(), e.span));
            ExprKind::If(Arc::new(Pred::new(test, side.span)), new(then), new(value.clone()))
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

    /// `{x | x : S}` for `S`: what a description is made of, where it has no other form.
    fn by_members(&mut self, set: &Expr) -> Option<Expr> {
        let (ty, span) = (set.ty.element()?.clone(), set.span);
        self.locals.push(Local { name: Arc::from("x"), ty: ty.clone(), span });
        let id = LocalId(self.locals.len() as u32 - 1);
        let x = Expr::new(ExprKind::Local(id), ty, span);
        let inside = Pred::new(PredKind::Compare(Comparison::Member, x, set.clone()), span);
        let kind = ExprKind::Comprehension(vec![id], Arc::new(inside));
        Some(Expr::new(kind, set.ty.clone(), span))
    }

    /// The value with the description that this expression is.
    fn described(&mut self, e: &Expr, kept: Kept) -> ExprKind {
        let (number, arguments) = self.description(e, kept, &BTreeSet::new());
        ExprKind::Symbolic(number, arguments)
    }

    /// The number of the description that this expression is, and the values of its parameters: what it mentions,
    /// and these names.
    fn description(&mut self, e: &Expr, kept: Kept, given: &BTreeSet<Named>) -> (u32, Vec<Expr>) {
        let mut copy = e.clone();
        let bound = Part::Expr(&copy).bound_locals();
        let footprint = Footprint::of_expr(&copy);
        let locals = footprint.locals.difference(&bound).copied().map(Named::Local);
        let constants = footprint.constants.into_iter().map(Named::Constant);
        let mut outer: BTreeSet<Named> = locals.chain(constants).collect();
        outer.extend(given);
        // Constants are at hand whatever mentions them; what is free in a formula, where descriptions are tied.
        outer.retain(|name| {
            let tied = matches!(name, Named::Constant(_)) || given.contains(name);
            !(tied && self.recursive.contains_key(name))
        });
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
        for name in &outer {
            let Named::Local(id) = *name else { continue };
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
        for name in &outer {
            let Named::Constant(id) = *name else { continue };
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

/// Whether one side is a local that the other does not ask for: what a local has to be by itself, as in `f = %x.(x : dom(f) |
/// E)`, has to be computed to be compared with it.
fn is_apart(local: &Expr, e: &Expr) -> bool {
    match local.kind {
        ExprKind::Local(id) => !Footprint::of_expr(e).locals.contains(&id),
        _ => false,
    }
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
