//! Where a machine says that sequences are meant.
//!
//! Membership declares: `queue : seq(JOB)` in the INVARIANT, the PROPERTIES, for parameters and local
//! names in the condition that introduces them. Names that nothing declares so (results, names in VAR
//! and LET) are written as what they are equated with or assigned. What is declared as a function stays
//! one, whatever it is assigned.

use crate::clock;
use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{
    Asked, BinaryOp, Cell, Comparison, Expr, ExprKind, LocalId, Machine, Named, Notation,
    Notations, Pred, PredKind, Subst, SubstKind, Target,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What a name is to an expression whose notation is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Member,
    Subset,
    /// Equal to it, or assigned.
    Equal,
}

struct Clue {
    /// The names, as they stand: one, or a tuple.
    names: Expr,
    how: How,
    from: Expr,
}

#[derive(Default)]
struct Clues {
    list: Vec<Clue>,
    /// Names that have a membership.
    declared: BTreeSet<Named>,
}

/// The notations of all constants, variables and locals of a machine.
pub fn declared(machine: &mut Machine) -> Notations {
    let clues = RefCell::new(Clues::default());
    let clauses = machine.properties.iter().chain(&machine.invariant);
    clauses.for_each(|c| clues.borrow_mut().condition(&c.pred, false));
    let results: Vec<Vec<Expr>> = machine
        .operations
        .iter()
        .map(|o| {
            let local = |id: &LocalId| {
                let declared = machine.local(*id);
                Expr::new(ExprKind::Local(*id), declared.ty.clone(), declared.span)
            };
            o.results.iter().map(local).collect()
        })
        .collect();
    let types: Vec<_> = machine.locals.iter().map(|l| l.ty.clone()).collect();
    let name = |target: &Target| match target.cell {
        Cell::Local(id) if target.path.is_empty() => {
            Some(Expr::new(ExprKind::Local(id), types[id.0 as usize].clone(), target.span))
        }
        _ => None,
    };
    let mut visitor = Visitor {
        expr: &mut |e| clues.borrow_mut().expr(e),
        binder: None,
        pred: Some(&mut |p| clues.borrow_mut().pred(p)),
        subst: Some(&mut |s| clues.borrow_mut().subst(s, &name, &results)),
    };
    visitor.machine(machine);
    clues.into_inner().solve(Notations::default())
}

/// Those of the locals of a question about a machine.
pub fn in_question(machine: &Machine, asked: &mut Asked) -> Notations {
    let clues = RefCell::new(Clues::default());
    if let Asked::Predicate(p, _) = asked {
        clues.borrow_mut().condition(p, true);
    }
    let mut visitor = Visitor {
        expr: &mut |e| clues.borrow_mut().expr(e),
        binder: None,
        pred: Some(&mut |p| clues.borrow_mut().pred(p)),
        subst: None,
    };
    match asked {
        Asked::Expression(e, _) => visitor.expr(e),
        Asked::Predicate(p, _) => visitor.pred(p),
    }
    clues.into_inner().solve(machine.notations.clone())
}

/// The names in a tuple.
fn names(e: &Expr, into: &mut Vec<Named>) {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            names(a, into);
            names(b, into);
        }
        kind => into.extend(Named::of(kind)),
    }
}

impl Clues {
    /// Whatever cannot matter is left out.
    fn add(&mut self, left: &Expr, how: How, from: &Expr, locals_only: bool) {
        if !left.ty.has_sequences() {
            return;
        }
        let mut found = Vec::new();
        names(left, &mut found);
        if found.is_empty()
            || locals_only && !found.iter().all(|name| matches!(name, Named::Local(_)))
        {
            return;
        }
        if how != How::Equal {
            self.declared.extend(found);
        }
        self.list.push(Clue { names: left.clone(), how, from: from.clone() });
    }

    /// A condition that introduces names: those of the whole machine, or locals.
    fn condition(&mut self, p: &Pred, locals_only: bool) {
        for conjunct in p.conjuncts() {
            let PredKind::Compare(comparison, a, b) = &conjunct.kind else { continue };
            match comparison {
                Comparison::Member => self.add(a, How::Member, b, locals_only),
                Comparison::Subset | Comparison::StrictSubset => {
                    self.add(a, How::Subset, b, locals_only);
                }
                Comparison::Equal => {
                    self.add(a, How::Equal, b, locals_only);
                    self.add(b, How::Equal, a, locals_only);
                }
                _ => {}
            }
        }
    }

    fn bindings(&mut self, bindings: &[(LocalId, Expr)]) {
        for (id, value) in bindings {
            let name = Expr::new(ExprKind::Local(*id), value.ty.clone(), value.span);
            self.add(&name, How::Equal, value, true);
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Comprehension(_, p) | ExprKind::Fold(_, _, p, _) => self.condition(p, true),
            ExprKind::Let(bindings, _) => self.bindings(bindings),
            _ => {}
        }
    }

    fn pred(&mut self, p: &Pred) {
        match &p.kind {
            PredKind::Forall(_, p, _) | PredKind::Exists(_, p) => self.condition(p, true),
            PredKind::Let(bindings, _) => self.bindings(bindings),
            _ => {}
        }
    }

    fn subst(&mut self, s: &Subst, name: &dyn Fn(&Target) -> Option<Expr>, results: &[Vec<Expr>]) {
        match &s.kind {
            SubstKind::Precondition(p, _)
            | SubstKind::Assert(_, p, _)
            | SubstKind::Any(_, p, _) => {
                self.condition(p, true);
            }
            SubstKind::Select(branches, _) => {
                branches.iter().for_each(|(p, _)| self.condition(p, true));
            }
            SubstKind::Let(bindings, _) => self.bindings(bindings),
            SubstKind::Assign(pairs) => {
                for (target, value) in pairs {
                    if let Some(target) = name(target) {
                        self.add(&target, How::Equal, value, true);
                    }
                }
            }
            SubstKind::BecomesElement(targets, set) => {
                if let [target] = &targets[..]
                    && let Some(target) = name(target)
                {
                    self.add(&target, How::Member, set, true);
                }
            }
            SubstKind::BecomesSuchThat(cells, p) => {
                self.condition(p, true);
                for (cell, id) in cells {
                    let whole = |cell| Target { cell, path: Vec::new(), span: s.span };
                    if let (Some(cell), Some(new)) =
                        (name(&whole(*cell)), name(&whole(Cell::Local(*id))))
                    {
                        self.add(&cell, How::Equal, &new, true);
                    }
                }
            }
            SubstKind::Call { operation, results: targets, .. } => {
                for (target, result) in targets.iter().zip(&results[operation.0 as usize]) {
                    if let Some(target) = name(target) {
                        self.add(&target, How::Equal, result, true);
                    }
                }
            }
            _ => {}
        }
    }

    /// Follows the clues, beside what is known, until there is nothing new: each again when a name that it
    /// mentions changed.
    fn solve(self, mut notations: Notations) -> Notations {
        let Clues { list, declared } = self;
        let mut readers: BTreeMap<Named, Vec<usize>> = BTreeMap::new();
        for (i, clue) in list.iter().enumerate() {
            for name in Footprint::of_expr(&clue.from).names() {
                readers.entry(name).or_default().push(i);
            }
        }
        let mut waiting = vec![true; list.len()];
        let mut queue: VecDeque<usize> = (0..list.len()).collect();
        while let Some(i) = queue.pop_front() {
            clock::work(1);
            waiting[i] = false;
            let Clue { names, how, from } = &list[i];
            let value = notations.of_expr(from);
            let value = match how {
                How::Member => value.element(),
                How::Subset => value.as_set(),
                How::Equal => value,
            };
            let mut told = Vec::new();
            tell(names, value, &mut told);
            for (name, notation) in told {
                if *how == How::Equal && declared.contains(&name) {
                    continue;
                }
                if notations.learn(name, &notation) {
                    for reader in readers.get(&name).into_iter().flatten() {
                        if !std::mem::replace(&mut waiting[*reader], true) {
                            queue.push_back(*reader);
                        }
                    }
                }
            }
        }
        notations
    }
}

/// What the notation of a tuple says of its names.
fn tell(names: &Expr, notation: Notation, into: &mut Vec<(Named, Notation)>) {
    match &names.kind {
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            let (left, right) = notation.sides();
            tell(a, left, into);
            tell(b, right, into);
        }
        kind => into.extend(Named::of(kind).map(|name| (name, notation))),
    }
}
