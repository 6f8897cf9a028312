//! Constants with an infinite value.
//!
//! `f = %x.(x : NATURAL | x + 1)` cannot be written down as a value, but `f(3)` and `x : dom(f)` can be
//! evaluated. So a constant that one equation of the PROPERTIES gives an infinite (or enormous) set is
//! replaced by that set wherever it occurs, and is no constant of a state any more. What the
//! PROPERTIES say about its type is decided as far as simple reasoning goes ([`decided`](super::decided)).

use crate::diagnostic::Diagnostic;
use crate::machine::footprint::Footprint;
use crate::machine::visit::{Visitor, with_fresh_locals};
use crate::machine::{
    Abbreviation, Comparison, Conjunct, ConstId, Expr, ExprKind, Freetype, Local, LocalId, Machine,
    Pred, PredKind,
};
use crate::normalise::claimed;
use crate::normalise::decided::{Given, decide};
use crate::normalise::endless::{Values, is_endless, tell_ends};
use crate::normalise::forms::{as_lambda, domain_of_lambda};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Replaces infinite constants by their values; gives what could not be decided about them.
pub fn abbreviate(machine: &mut Machine) -> Vec<Diagnostic> {
    tell_ends(machine);
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
        let denied = PredKind::Not(Arc::new(claim));
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
