//! By which constructors of a free type values were made, as far as the form of what is said of them tells.

use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, FreeId, Freetype, LocalId, Pred, PredKind,
};
use std::collections::BTreeSet;

/// Values of a free type: by which constructors they were made, and whether these are all that those make.
#[derive(Clone)]
pub(super) struct Made {
    of: FreeId,
    by: BTreeSet<u32>,
    all: bool,
}

impl Made {
    fn by_any(of: FreeId, freetypes: &[Freetype]) -> Made {
        let by = (0..freetypes[of.0 as usize].constructors.len() as u32).collect();
        Made { of, by, all: true }
    }

    /// What one expression stands for.
    pub fn value(e: &Expr) -> Option<Made> {
        let ExprKind::Construct(of, number, argument) = &e.kind else { return None };
        Some(Made { of: *of, by: BTreeSet::from([*number]), all: argument.is_none() })
    }

    /// The members of a set.
    pub fn set(set: &Expr, freetypes: &[Freetype]) -> Option<Made> {
        match &set.kind {
            ExprKind::Freetype { of, made: None, .. } => Some(Made::by_any(*of, freetypes)),
            ExprKind::Freetype { of, made: Some(number), .. } => {
                Some(Made { of: *of, by: BTreeSet::from([*number]), all: true })
            }
            ExprKind::SetExtension(items) => {
                let mut items = items.iter().map(Made::value);
                let first = items.next()??;
                items.try_fold(first, |all, one| Some(all.or(one?)))
            }
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                Some(Made::set(a, freetypes)?.or(Made::set(b, freetypes)?))
            }
            ExprKind::Binary(BinaryOp::Difference, a, b) => {
                Some(Made::set(a, freetypes)?.but(Made::set(b, freetypes)))
            }
            _ => None,
        }
    }

    /// The values of a local for which a predicate is true.
    pub fn local(id: LocalId, p: &Pred, freetypes: &[Freetype]) -> Option<Made> {
        let mut found: Option<Made> = None;
        let mut all = true;
        for c in p.conjuncts() {
            let Some((made, is)) = said(id, c, freetypes) else {
                all = false;
                continue;
            };
            let known = found.unwrap_or_else(|| Made::by_any(made.of, freetypes));
            found = Some(if is { known.and(&made) } else { known.but(Some(made)) });
        }
        found.map(|made| Made { all: made.all && all, ..made })
    }

    fn or(mut self, other: Made) -> Made {
        self.by.extend(other.by);
        self.all &= other.all;
        self
    }

    fn and(mut self, other: &Made) -> Made {
        self.by.retain(|number| other.by.contains(number));
        self.all &= other.all;
        self
    }

    /// Without others; of what is not known of these, each may be among them.
    fn but(mut self, others: Option<Made>) -> Made {
        match others {
            Some(others) if others.all => self.by.retain(|number| !others.by.contains(number)),
            _ => self.all = false,
        }
        self
    }

    pub fn excludes(&self, other: &Made) -> bool {
        self.by.is_disjoint(&other.by)
    }

    /// Whether all of these are among others.
    pub fn are_in(&self, others: &Made) -> bool {
        others.all && self.by.is_subset(&others.by)
    }

    /// Whether all that others may be are among these together.
    pub fn cover<'m>(parts: impl Iterator<Item = &'m Made>, others: &Made) -> bool {
        let found: BTreeSet<u32> =
            parts.filter(|made| made.all).flat_map(|made| made.by.iter().copied()).collect();
        others.by.is_subset(&found)
    }
}

/// What a conjunct says of a local: that it is among these, or that it is not.
fn said(id: LocalId, c: &Pred, freetypes: &[Freetype]) -> Option<(Made, bool)> {
    let PredKind::Compare(op, a, b) = &c.kind else {
        let PredKind::Not(denied) = &c.kind else { return None };
        return said(id, denied, freetypes).map(|(made, is)| (made, !is));
    };
    let is_it = |e: &Expr| e.kind == ExprKind::Local(id);
    match op {
        Comparison::Equal | Comparison::NotEqual => {
            let value = if is_it(a) { b } else { Some(a).filter(|_| is_it(b))? };
            Some((Made::value(value)?, *op == Comparison::Equal))
        }
        Comparison::Member | Comparison::NotMember if is_it(a) => {
            Some((Made::set(b, freetypes)?, *op == Comparison::Member))
        }
        _ => None,
    }
}
