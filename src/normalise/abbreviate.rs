//! Constants with an infinite value.
//!
//! `f = %x.(x : NATURAL | x + 1)` cannot be written down as a value, but `f(3)` and `x : dom(f)` can be
//! evaluated. So a constant that one equation of the PROPERTIES gives an infinite (or enormous) set is
//! replaced by that set wherever it occurs, and is no constant of a state any more. What the
//! PROPERTIES say about its type is decided here as far as simple reasoning goes.

use crate::diagnostic::Diagnostic;
use crate::machine::footprint::Footprint;
use crate::machine::visit::{Visitor, same, with_fresh_locals};
use crate::machine::{
    Abbreviation, BasicSet, BinaryOp, Comparison, Conjunct, ConstId, Expr, ExprKind, Fold,
    Freetype, Local, LocalId, Machine, Pred, PredKind, UnaryOp,
};
use crate::normalise::endless::{Values, is_endless, is_whole, literal};
use crate::normalise::forms::{as_lambda, domain, domain_of_lambda};
use crate::normalise::{cases, claimed};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;

/// Replaces infinite constants by their values; gives what could not be decided about them.
pub fn abbreviate(machine: &mut Machine) -> Vec<Diagnostic> {
    let mut values = Values::new();
    while let Some((at, id, value)) = next_value(machine, &values) {
        machine.properties.remove(at);
        for known in values.values_mut() {
            *known = expanded(known, &BTreeMap::from([(id, value.clone())]), &mut machine.locals);
        }
        values.insert(id, value);
    }
    if values.is_empty() {
        return Vec::new();
    }
    let mut diagnostics = Vec::new();
    let names: BTreeMap<ConstId, String> =
        values.keys().map(|id| (*id, machine.constant(*id).name.to_string())).collect();
    let mut locals = std::mem::take(&mut machine.locals);
    let known = (&names, &machine.freetypes[..]);
    machine.properties.retain_mut(|c| match said(c, &values, known.1, &mut locals) {
        Said::Nothing => true,
        Said::True => false,
        Said::Open(id, claim) => {
            machine.assumed.extend(claim.map(|claim| *claim));
            diagnostics.push(not_decided(&c.pred, &known.0[&id], &values[&id]));
            false
        }
    });
    for clause in [&mut machine.invariant, &mut machine.assertions] {
        clause.retain_mut(|c| match said(c, &values, known.1, &mut locals) {
            Said::Nothing => true,
            Said::True => false,
            Said::Open(_, Some(claim)) => {
                c.pred = *claim;
                true
            }
            Said::Open(id, None) => {
                diagnostics.push(not_decided(&c.pred, &known.0[&id], &values[&id]));
                false
            }
        });
    }
    let new = renumbered(machine, &values);
    replace(machine, &mut |e, locals| place(e, &values, &new, locals), &mut locals);
    for (id, value) in &values {
        let mut value = value.clone();
        let mut renumber = |e: &mut Expr| place(e, &values, &new, &mut locals);
        Visitor::of(&mut renumber).expr(&mut value);
        let declared = machine.constant(*id);
        machine.abbreviations.push(Abbreviation {
            name: declared.name.clone(),
            ty: declared.ty.clone(),
            span: declared.span,
            value,
        });
    }
    machine.locals = locals;
    machine.has_properties = true;
    let mut at = 0..;
    machine.constants.retain(|_| !values.contains_key(&ConstId(at.next().unwrap_or(0))));
    diagnostics
}

/// The abbreviations of a machine in a formula that was typed against it, in which they are constants
/// that come after the machine's own. `walk` goes through the formula. New locals are appended to
/// `locals`, which continue the machine's.
pub fn in_formula(
    machine: &Machine,
    locals: &mut Vec<Local>,
    walk: &mut dyn FnMut(&mut Visitor<'_>),
) {
    let own = machine.constants.len();
    let first = machine.locals.len();
    let mut put = |e: &mut Expr| {
        let ExprKind::Constant(id) = &e.kind else { return domain_of_lambda(e) };
        let Some(known) =
            (id.0 as usize).checked_sub(own).and_then(|i| machine.abbreviations.get(i))
        else {
            return;
        };
        let mut fresh = |id: LocalId| {
            locals.push(machine.local(id).clone());
            LocalId((first + locals.len() - 1) as u32)
        };
        let copy = with_fresh_locals(&known.value, &mut fresh);
        *e = Expr { span: e.span, ..copy };
    };
    walk(&mut Visitor::of(&mut put));
}

/// An equation whose right side is to be kept as it is: its place, the constant, the value.
fn next_value(machine: &mut Machine, values: &Values) -> Option<(usize, ConstId, Expr)> {
    for (at, conjunct) in machine.properties.iter().enumerate() {
        let PredKind::Compare(Comparison::Equal, a, b) = &conjunct.pred.kind else { continue };
        for (x, e) in [(a, b), (b, a)] {
            let ExprKind::Constant(id) = x.kind else { continue };
            if values.contains_key(&id) || !is_endless(e, values) {
                continue;
            }
            let mut value = expanded(e, values, &mut machine.locals);
            // Its form tells more of it.
            if let ExprKind::Comprehension(ids, p) = &value.kind
                && let Some(lambda) = as_lambda(ids, p, &value)
            {
                value.kind = lambda;
            }
            if !Footprint::of_expr(&value).constants.contains(&id) {
                return Some((at, id, value));
            }
        }
    }
    None
}

fn copy_of(value: &Expr, locals: &mut Vec<Local>) -> Expr {
    with_fresh_locals(value, &mut |id| {
        let local = locals[id.0 as usize].clone();
        locals.push(local);
        LocalId(locals.len() as u32 - 1)
    })
}

fn expanded(e: &Expr, values: &Values, locals: &mut Vec<Local>) -> Expr {
    let mut copy = e.clone();
    let mut put = |e: &mut Expr| match &e.kind {
        ExprKind::Constant(id) => {
            if let Some(value) = values.get(id) {
                *e = Expr { span: e.span, ..copy_of(value, locals) };
            }
        }
        _ => domain_of_lambda(e),
    };
    Visitor::of(&mut put).expr(&mut copy);
    copy
}

/// New numbers for the constants that stay.
fn renumbered(machine: &Machine, values: &Values) -> BTreeMap<ConstId, ConstId> {
    let all = (0..machine.constants.len()).map(|i| ConstId(i as u32));
    let stay = all.filter(|id| !values.contains_key(id));
    stay.enumerate().map(|(i, id)| (id, ConstId(i as u32))).collect()
}

/// Puts the value, with its own constants renumbered, or the new number of a constant.
fn place(e: &mut Expr, values: &Values, new: &BTreeMap<ConstId, ConstId>, locals: &mut Vec<Local>) {
    let ExprKind::Constant(id) = &e.kind else { return domain_of_lambda(e) };
    if let Some(value) = values.get(id) {
        let mut copy = copy_of(value, locals);
        let mut renumber = |e: &mut Expr| {
            if let ExprKind::Constant(id) = &mut e.kind {
                *id = new.get(id).copied().unwrap_or(*id);
            }
        };
        Visitor::of(&mut renumber).expr(&mut copy);
        *e = Expr { span: e.span, ..copy };
    } else if let Some(id) = new.get(id) {
        e.kind = ExprKind::Constant(*id);
    }
}

fn replace(
    machine: &mut Machine,
    put: &mut dyn FnMut(&mut Expr, &mut Vec<Local>),
    locals: &mut Vec<Local>,
) {
    let mut each = |e: &mut Expr| put(e, locals);
    Visitor::of(&mut each).machine(machine);
}

// ---- what is said of an infinite constant

/// What a conjunct says of the type of an infinite constant.
enum Said {
    /// It says something else, or of none.
    Nothing,
    True,
    /// That is not seen: what follows for the members of this constant.
    Open(ConstId, Option<Box<Pred>>),
}

fn said(
    conjunct: &Conjunct,
    values: &Values,
    freetypes: &[Freetype],
    locals: &mut Vec<Local>,
) -> Said {
    let PredKind::Compare(op, x, set) = &conjunct.pred.kind else { return Said::Nothing };
    let ExprKind::Constant(id) = &x.kind else { return Said::Nothing };
    let Some(value) = values.get(id) else { return Said::Nothing };
    let set = match op {
        Comparison::Member | Comparison::Subset => expanded(set, values, locals),
        Comparison::NotMember if claimed::says_all(set) => expanded(set, values, locals),
        _ => return Said::Nothing,
    };
    if *op == Comparison::NotMember {
        let given = Given { itself: None, freetypes };
        let claim = match decide(Comparison::Member, value, &set, given) {
            Some(true) => Pred::new(PredKind::True, conjunct.pred.span),
            _ => match claimed::of_members(Comparison::Member, value, &set, locals) {
                Some(claim) => claim,
                None => return Said::Nothing,
            },
        };
        let denied = PredKind::Not(Box::new(claim));
        return Said::Open(*id, Some(Box::new(Pred::new(denied, conjunct.pred.span))));
    }
    if decide(*op, value, &set, Given { itself: None, freetypes }) == Some(true) {
        return Said::True;
    }
    let claim = claimed::of_members(*op, value, &set, locals);
    let claim = claim.map(|claim| Box::new(Pred { span: conjunct.pred.span, ..claim }));
    Said::Open(*id, claim)
}

fn not_decided(said: &Pred, name: &str, value: &Expr) -> Diagnostic {
    let message = format!(
        "`{name}` is infinite: whether it is in this set is not seen, and assumed unless a member refutes it"
    );
    Diagnostic::warning("not-decided", said.span, message).note(value.span, "this is its value")
}

/// What is known where it is asked whether a set is in another one.
#[derive(Clone, Copy, Default)]
pub struct Given<'m> {
    /// The constant whose value the set is, where that mentions it. Then it is enough that each value is in the
    /// other set if those are that it is made of.
    pub itself: Option<ConstId>,
    pub freetypes: &'m [Freetype],
}

/// Whether an infinite set is in (`Member`) or within (`Subset`) another set, as far as simple
/// reasoning goes.
pub fn decide(op: Comparison, value: &Expr, set: &Expr, given: Given<'_>) -> Option<bool> {
    match op {
        Comparison::Member => member(value, set, given),
        Comparison::Subset => subset(value, set),
        _ => None,
    }
}

pub(super) fn subset(a: &Expr, b: &Expr) -> Option<bool> {
    use BasicSet::*;
    if is_whole(b) || same(a, b) {
        return Some(true);
    }
    match (&a.kind, &b.kind) {
        (ExprKind::Basic(Natural1), ExprKind::Basic(Natural)) => Some(true),
        (ExprKind::Unary(UnaryOp::Seq1, a), ExprKind::Unary(UnaryOp::Seq, b)) => subset(a, b),
        (ExprKind::Binary(BinaryOp::Interval, low, _), ExprKind::Basic(Natural | Natural1)) => {
            let least = BigInt::from(u8::from(b.kind == ExprKind::Basic(Natural1)));
            literal(low).filter(|n| *n >= least).map(|_| true)
        }
        (ExprKind::Binary(BinaryOp::Product, a, b), ExprKind::Binary(BinaryOp::Product, c, d)) => {
            subset(a, c).and(subset(b, d))
        }
        (ExprKind::Comprehension(ids, p), _) => {
            let [id] = ids[..] else { return None };
            from(id, p).and_then(|set| subset(&set, b))
        }
        _ => None,
    }
}

/// The set that a predicate takes a local from.
pub(super) fn from(id: LocalId, p: &Pred) -> Option<Expr> {
    p.conjuncts().iter().find_map(|c| match &c.kind {
        PredKind::Compare(Comparison::Member, x, set) if x.kind == ExprKind::Local(id) => {
            Some(set.clone())
        }
        _ => None,
    })
}

fn member(value: &Expr, set: &Expr, given: Given<'_>) -> Option<bool> {
    if is_whole(set) {
        return Some(true);
    }
    match (&value.kind, &set.kind) {
        (_, ExprKind::Unary(UnaryOp::Pow, of)) => subset(value, of),
        (ExprKind::Basic(_), ExprKind::Unary(UnaryOp::Fin | UnaryOp::Fin1, _)) => {
            is_endless(value, &Values::new()).then_some(false)
        }
        (ExprKind::Fold(Fold::Lambda, ids, p, body), ExprKind::Binary(op, a, b)) => {
            use BinaryOp::*;
            match op {
                PartialFunctions | TotalFunctions | Relations => {}
                PartialInjections | TotalInjections if is_injective(ids, p, body) => {}
                _ => return None,
            }
            let total = matches!(op, TotalFunctions | TotalInjections);
            let arguments = match domain(ids, p) {
                // All that there are of the type.
                _ if p.kind == PredKind::True => is_whole(a),
                Some(all) => same(&all, a) || !total && subset(&all, a)?,
                None => {
                    let [id] = ids[..] else { return None };
                    !total && subset(&from(id, p)?, a)?
                }
            };
            (arguments && results(p, body, b, given.itself)).then_some(true)
        }
        (ExprKind::Binary(BinaryOp::Union, ..), ExprKind::Binary(op, a, b)) => {
            cases::member(value, *op, a, b, given)
        }
        (ExprKind::Binary(BinaryOp::Override, f, pairs), ExprKind::Binary(_, a, b)) => {
            (member(f, set, given)? && cases::are_pairs_of(pairs, a, b)).then_some(true)
        }
        // The same value everywhere.
        (ExprKind::Binary(BinaryOp::Product, all, one), ExprKind::Binary(op, a, b)) => {
            use BinaryOp::{PartialFunctions, Relations, TotalFunctions};
            let ExprKind::SetExtension(values) = &one.kind else { return None };
            let everywhere = same(all, a) || is_whole(all) && is_whole(a);
            let arguments = match op {
                TotalFunctions => everywhere,
                PartialFunctions | Relations => everywhere || subset(all, a)?,
                _ => return None,
            };
            let truth = Pred::new(PredKind::True, one.span);
            let inside = values.iter().all(|value| results(&truth, value, b, given.itself));
            (arguments && inside && (values.len() == 1 || *op == Relations)).then_some(true)
        }
        _ => None,
    }
}

/// Whether all values of a lambda's body are in a set, as far as can be seen.
pub(super) fn results(p: &Pred, body: &Expr, set: &Expr, itself: Option<ConstId>) -> bool {
    if is_whole(set) {
        return true;
    }
    let least = match set.kind {
        ExprKind::Basic(BasicSet::Natural) => BigInt::zero(),
        ExprKind::Basic(BasicSet::Natural1) => BigInt::from(1),
        _ => return false,
    };
    let itself = itself.map(|id| (id, &least));
    lower_bound(body, p, itself).is_some_and(|n| n >= least)
}

/// Whether a lambda gives no value twice, by the form of its body.
fn is_injective(ids: &[LocalId], p: &Pred, body: &Expr) -> bool {
    let [id] = ids[..] else { return false };
    let mentions = |e: &Expr| Footprint::of_expr(e).locals.contains(&id);
    let one_each = |e: &Expr| is_injective(ids, p, e);
    let not_negative = |e: &Expr| lower_bound(e, p, None).is_some_and(|n| !n.is_negative());
    match &body.kind {
        ExprKind::Local(local) => *local == id,
        ExprKind::Unary(UnaryOp::Negate, e) => one_each(e),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Add | BinaryOp::Subtract => {
                one_each(a) && !mentions(b) || !mentions(a) && one_each(b)
            }
            BinaryOp::Multiply if same(a, b) => not_negative(a) && one_each(a),
            BinaryOp::Multiply => [(a, b), (b, a)]
                .iter()
                .any(|(factor, e)| literal(factor).is_some_and(|n| !n.is_zero()) && one_each(e)),
            BinaryOp::Power => {
                literal(b).is_some_and(|n| n.is_positive()) && not_negative(a) && one_each(a)
            }
            BinaryOp::Pair => one_each(a) || one_each(b),
            _ => false,
        },
        _ => false,
    }
}

/// A number that an expression is never below, under a predicate on its locals; `itself`: a function, and what its
/// values are never below.
fn lower_bound(e: &Expr, p: &Pred, itself: Option<(ConstId, &BigInt)>) -> Option<BigInt> {
    let bound = |e: &Expr| lower_bound(e, p, itself);
    let positive = |e: &Expr| bound(e).filter(|n| !n.is_negative());
    match &e.kind {
        ExprKind::Integer(n) => Some(n.clone()),
        ExprKind::Local(id) => cases::least(*id, p),
        ExprKind::Unary(UnaryOp::Card | UnaryOp::Size, _) => Some(BigInt::zero()),
        ExprKind::Binary(BinaryOp::Apply, f, _) => {
            let (id, least) = itself?;
            (f.kind == ExprKind::Constant(id)).then(|| least.clone())
        }
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Add => Some(bound(a)? + bound(b)?),
            BinaryOp::Multiply if same(a, b) => {
                Some(positive(a).map_or_else(BigInt::zero, |n| &n * &n))
            }
            BinaryOp::Multiply => Some(positive(a)? * positive(b)?),
            BinaryOp::Modulo => Some(BigInt::zero()),
            BinaryOp::Divide | BinaryOp::Power => {
                positive(a)?;
                positive(b).map(|_| BigInt::zero())
            }
            _ => None,
        },
        ExprKind::If(_, a, b) => Some(bound(a)?.min(bound(b)?)),
        _ => None,
    }
}
