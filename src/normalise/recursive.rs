//! Names that their own equations lead back to: `f = %n.(n : 0..9 | IF n = 0 THEN 1 ELSE n * f(n - 1) END)`. They
//! are constants, or free in a predicate that is typed in.
//!
//! Such a function is told by what it is made of, not solved for. Its description mentions itself in place of the
//! name: so it can be asked for its values while the names are solved for, too.

use super::outline::{arguments, endless, has_comprehension, has_form, is_told_by_members};
use super::vast::{has_few_members, has_few_pairs};
use crate::machine::footprint::Footprint;
use crate::machine::visit::Visitor;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Named, Pred, PredKind, SetId, SymbolicSet,
    Type, UnaryOp, rewrite,
};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// A description by its number, and the values of its parameters.
type Described = (u32, Vec<Expr>);

/// The descriptions of names that are told by themselves.
#[derive(Default)]
pub(super) struct Ties {
    own: BTreeMap<Named, Described>,
    all: Vec<Described>,
}

impl Ties {
    /// Takes in a description of such a name, the one that it is told by first.
    pub fn add(&mut self, name: Named, described: &Described) {
        self.own.entry(name).or_insert_with(|| described.clone());
        self.all.push(described.clone());
    }

    /// Puts descriptions in place of the names that they are of, within each other.
    pub fn tie(&self, sets: &mut [SymbolicSet]) {
        for (number, arguments) in &self.all {
            let set = &mut sets[*number as usize];
            let own: Vec<(&Expr, LocalId)> =
                arguments.iter().zip(set.parameters.iter().copied()).collect();
            let inside = |argument: &Expr| {
                let (_, local) = own.iter().find(|(e, _)| e.kind == argument.kind)?;
                Some(Expr::new(ExprKind::Local(*local), argument.ty.clone(), argument.span))
            };
            let tied = |kind: &ExprKind| {
                let (number, arguments) = self.own.get(&Named::of(kind)?)?;
                let arguments: Option<Vec<Expr>> = arguments.iter().map(inside).collect();
                Some(ExprKind::Symbolic(*number, arguments?))
            };
            set.set = rewrite::expr(&set.set, &tied);
        }
    }
}

/// The names among these whose equations lead back to them by way of descriptions only: any other equation
/// needs the values. With each the names that it and those that it leads to mention. `large`: enumerated sets
/// with many elements.
pub(super) fn recursive_names(
    conjuncts: &[&Pred],
    names: &BTreeSet<Named>,
    large: &BTreeSet<SetId>,
) -> BTreeMap<Named, BTreeSet<Named>> {
    let mut equations: Vec<(Named, &Expr)> = Vec::new();
    for p in conjuncts {
        let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { continue };
        for (side, e) in [(a, b), (b, a)] {
            if let Some(name) = Named::of(&side.kind).filter(|name| names.contains(name))
                && (is_told_by_members(e) || has_comprehension(e) || has_form(e))
                && !is_solved_for(conjuncts, name, e, large)
            {
                equations.push((name, e));
            }
        }
    }
    // Whether something is a member of such a set leads to whether it is one: that tells nothing.
    let in_place = leading_back(&equations, &|e| asked_in_place(e, names));
    equations.retain(|(name, _)| !in_place.contains_key(name));
    let mentioned = |e: &Expr| mentioned(e, names);
    let led = leading_back(&equations, &mentioned);
    equations.retain(|(name, e)| match led.get(name) {
        Some(others) => !is_solved_for_with(others, e, large),
        None => false,
    });
    leading_back(&equations, &mentioned)
}

/// Those names whose equations lead back to them, with the names that they lead to, in so far as these are `asked` for.
fn leading_back(
    equations: &[(Named, &Expr)],
    asked: &dyn Fn(&Expr) -> BTreeSet<Named>,
) -> BTreeMap<Named, BTreeSet<Named>> {
    let mut leads: BTreeMap<Named, BTreeSet<Named>> = BTreeMap::new();
    for (name, e) in equations {
        leads.entry(*name).or_default().extend(asked(e));
    }
    let reached = |name: &Named| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![*name]);
        while let Some(at) = next.pop() {
            for to in leads.get(&at).into_iter().flatten() {
                if seen.insert(*to) {
                    next.push(*to);
                }
            }
        }
        seen
    };
    let all = leads.keys().map(|name| (*name, reached(name)));
    all.filter(|(name, seen)| seen.contains(name)).collect()
}

/// Which of these names a set asks whether something is in them to tell whether the same is in it: `s` in
/// `{x | x : s & x > 3}`.
fn asked_in_place(set: &Expr, names: &BTreeSet<Named>) -> BTreeSet<Named> {
    use BinaryOp::{Difference, Intersection, Override, Union};
    if let Some(name) = Named::of(&set.kind).filter(|name| names.contains(name)) {
        return BTreeSet::from([name]);
    }
    let mut asked = BTreeSet::new();
    match &set.kind {
        ExprKind::Binary(Union | Intersection | Difference | Override, a, b) => {
            asked.extend(asked_in_place(a, names));
            asked.extend(asked_in_place(b, names));
        }
        ExprKind::Comprehension(ids, p) => {
            let points = &ids[..ids.len() - 1];
            each_membership(p, &mut |x, set| {
                if is_tuple_of(x, ids) {
                    asked.extend(asked_in_place(set, names));
                } else if is_tuple_of(x, points) {
                    asked.extend(asked_at_a_point(set, names));
                }
            });
        }
        ExprKind::Fold(Fold::Lambda, ids, p, _) => each_membership(p, &mut |x, set| {
            if is_tuple_of(x, ids) {
                asked.extend(asked_at_a_point(set, names));
            }
        }),
        _ => {}
    }
    asked
}

/// The names in whose domains a point is looked for to tell whether it is in this domain: `f` in `dom(f) /\ S`.
fn asked_at_a_point(domain: &Expr, names: &BTreeSet<Named>) -> BTreeSet<Named> {
    use BinaryOp::{Difference, Intersection, Union};
    match &domain.kind {
        ExprKind::Unary(UnaryOp::Dom, of) => asked_in_place(of, names),
        ExprKind::Binary(Union | Intersection | Difference, a, b) => {
            let mut asked = asked_at_a_point(a, names);
            asked.append(&mut asked_at_a_point(b, names));
            asked
        }
        _ => BTreeSet::new(),
    }
}

/// Hands over what is said to be in which set, or not to be in it.
fn each_membership(p: &Pred, see: &mut dyn FnMut(&Expr, &Expr)) {
    let mut visitor = Visitor {
        expr: &mut |_| {},
        binder: None,
        pred: Some(&mut |p| {
            if let PredKind::Compare(Comparison::Member | Comparison::NotMember, x, set) = &p.kind {
                see(x, set);
            }
        }),
        subst: None,
    };
    visitor.pred(&mut p.clone());
}

/// Whether this is `(x, y, z)`, of these names.
fn is_tuple_of(e: &Expr, ids: &[LocalId]) -> bool {
    match (&e.kind, ids) {
        (ExprKind::Local(id), [only]) => id == only,
        (ExprKind::Binary(BinaryOp::Pair, a, b), [first @ .., last]) => {
            b.kind == ExprKind::Local(*last) && is_tuple_of(a, first)
        }
        _ => false,
    }
}

/// Which of these names an expression mentions.
pub(super) fn mentioned(e: &Expr, names: &BTreeSet<Named>) -> BTreeSet<Named> {
    Footprint::of_expr(e).names().filter(|name| names.contains(name)).collect()
}

/// Whether a name that its own set mentions is to be found among finitely many sets instead of being read
/// member by member: its type has no others, it is compared as a whole there, or some conjunct, or the equation itself,
/// bounds it and its members are no pairs, or few pairs. Many sets, or none, may satisfy such an equation. What is applied
/// there is read member by member unless it is said to be a total function: of most sets that would be undefined.
fn is_solved_for(conjuncts: &[&Pred], name: Named, e: &Expr, large: &BTreeSet<SetId>) -> bool {
    if mentioned(e, &BTreeSet::from([name])).is_empty() {
        return false;
    }
    let itself = |e: &Expr| Named::of(&e.kind) == Some(name);
    let own = BTreeSet::from([name]);
    let is_pairs = is_pairs(e);
    // Of anything but a total function that may be undefined.
    let is_applied = is_pairs && applies(e, &own);
    let bounds = |p: &Pred| match &p.kind {
        PredKind::Compare(
            Comparison::Member | Comparison::Subset | Comparison::StrictSubset,
            a,
            set,
        ) => {
            itself(a)
                && if is_pairs { has_few_pairs(set, is_applied, large) } else { !endless(set) }
        }
        _ => false,
    };
    conjuncts.iter().any(|p| bounds(p))
        || !is_applied && (!e.ty.is_infinite() || bounds_itself(e, &own, large))
        || is_taken_whole(e, &itself)
}

/// The same where its set mentions others that lead back to it, and says itself what few things its members are from.
fn is_solved_for_with(others: &BTreeSet<Named>, e: &Expr, large: &BTreeSet<SetId>) -> bool {
    !applies(e, others) && (!e.ty.is_infinite() || bounds_itself(e, others, large))
}

fn is_pairs(e: &Expr) -> bool {
    e.ty.element().is_some_and(|ty| matches!(ty, Type::Pair(..)))
}

/// Whether a comprehension says what few things its members are from, without these names.
fn bounds_itself(e: &Expr, names: &BTreeSet<Named>, large: &BTreeSet<SetId>) -> bool {
    let ExprKind::Comprehension(ids, p) = &e.kind else { return false };
    let all = arguments(ids, p, &|set| mentioned(set, names).is_empty());
    all.is_some_and(|all| has_few_members(&all, large))
}

/// Whether something made of these names is applied within an expression.
fn applies(e: &Expr, names: &BTreeSet<Named>) -> bool {
    let mut found = false;
    let mut copy = e.clone();
    let mut visitor = Visitor {
        expr: &mut |e| {
            if let ExprKind::Binary(BinaryOp::Apply, f, _) = &e.kind {
                found |= !mentioned(f, names).is_empty();
            }
        },
        binder: None,
        pred: None,
        subst: None,
    };
    visitor.expr(&mut copy);
    found
}

/// Whether all of what is looked for has to be known within an expression: it is a side of a comparison of sets, or its size is
/// asked for.
fn is_taken_whole(e: &Expr, itself: &dyn Fn(&Expr) -> bool) -> bool {
    use UnaryOp::{Card, Front, Max, Min, Reverse, SeqLast, Size};
    let found = Cell::new(false);
    let mut copy = e.clone();
    let mut visitor = Visitor {
        expr: &mut |e| {
            if let ExprKind::Unary(Card | Size | Max | Min | SeqLast | Front | Reverse, of) =
                &e.kind
            {
                found.set(found.get() || itself(of));
            }
        },
        binder: None,
        pred: Some(&mut |p| {
            if let PredKind::Compare(op, a, b) = &p.kind {
                let elements = matches!(op, Comparison::Member | Comparison::NotMember);
                found.set(found.get() || itself(a) || (!elements && itself(b)));
            }
        }),
        subst: None,
    };
    visitor.expr(&mut copy);
    found.get()
}
