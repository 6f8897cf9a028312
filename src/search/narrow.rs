//! Sets of numbers that end at MAXINT, in what does not hold: who thinks of other limits is told of these.

use crate::machine::parts::Part;
use crate::machine::{BasicSet, ExprKind, Pred};
use crate::state::Instance;

/// What the first of `NAT`, `NAT1` and `INT` in these predicates is; `None` where none of them is there.
pub fn told<'p>(preds: impl IntoIterator<Item = &'p Pred>, instance: &Instance) -> Option<String> {
    let set = preds.into_iter().find_map(|p| first(Part::Pred(p)))?;
    let (name, low) = match set {
        BasicSet::Nat => ("NAT", 0),
        BasicSet::Nat1 => ("NAT1", 1),
        _ => ("INT", instance.min_int),
    };
    let limit = match set {
        BasicSet::Int => "MININT..MAXINT",
        _ => "as far as MAXINT",
    };
    let high = instance.max_int;
    Some(format!("`{name}` is {low}..{high}, {limit} (--maxint N or SET_PREF_MAXINT chooses it)"))
}

fn first(part: Part<'_>) -> Option<BasicSet> {
    let mut found = match part {
        Part::Expr(e) => match e.kind {
            ExprKind::Basic(set @ (BasicSet::Nat | BasicSet::Nat1 | BasicSet::Int)) => Some(set),
            _ => None,
        },
        Part::Pred(_) => None,
    };
    let mut inner = |part: Part<'_>| found = found.or_else(|| first(part));
    part.parts(&mut inner);
    found
}
