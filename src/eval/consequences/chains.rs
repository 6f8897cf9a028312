//! Bounds of integers that follow along chains: `1 < a & a <= b & b < 60` bounds both `a` and `b` on both sides.
//!
//! A plan tries the integers between the bounds of a name. Where these are names that have no values yet it
//! would have none, and leave the names to the solver, or to the limits.

use crate::clock;
use crate::eval::compile::Compiler;
use crate::machine::footprint::Footprint;
use crate::machine::make;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is known of the order of some names.
#[derive(Default)]
struct Order {
    /// `a + n <= b`
    steps: Vec<(LocalId, u32, LocalId)>,
    /// By the name and whether it is above: a bound, and how far from it the name stays.
    ends: BTreeMap<(LocalId, bool), (Expr, u32)>,
}

impl Compiler<'_> {
    /// Bounds that follow from the conjuncts for integers that have none on one side.
    pub(in crate::eval) fn chained(&self, locals: &[LocalId], conjuncts: &[Pred]) -> Vec<Pred> {
        let is_integer = |l: &&LocalId| self.machine().local(**l).ty == Type::Integer;
        let asked: BTreeSet<LocalId> = locals.iter().filter(is_integer).copied().collect();
        if asked.len() < 2 {
            return Vec::new();
        }
        let all: BTreeSet<LocalId> = locals.iter().copied().collect();
        let mut order = Order::default();
        conjuncts.iter().for_each(|p| order.read(p, &asked, &all));
        if order.steps.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for local in &asked {
            for above in [false, true] {
                if !order.ends.contains_key(&(*local, above))
                    && let Some((end, gap)) = order.reach(*local, above)
                {
                    let declared = self.machine().local(*local);
                    let kind = ExprKind::Local(*local);
                    let x = Expr::new(kind, Type::Integer, declared.span);
                    found.push(bound(x, above, end, gap));
                }
            }
        }
        found
    }
}

impl Order {
    fn read(&mut self, p: &Pred, asked: &BTreeSet<LocalId>, all: &BTreeSet<LocalId>) {
        use Comparison::*;
        clock::work(1);
        let PredKind::Compare(op, a, b) = &p.kind else { return };
        match op {
            Less | LessEqual => self.at_most(a, u32::from(*op == Less), b, asked, all),
            Greater | GreaterEqual => self.at_most(b, u32::from(*op == Greater), a, asked, all),
            Member => match &b.kind {
                ExprKind::Binary(BinaryOp::Interval, low, high) => {
                    self.at_most(low, 0, a, asked, all);
                    self.at_most(a, 0, high, asked, all);
                }
                ExprKind::Basic(basic) => {
                    if let (ExprKind::Local(x), Some(n)) = (&a.kind, least(*basic))
                        && asked.contains(x)
                    {
                        let least = Expr::new(ExprKind::Integer(n.into()), Type::Integer, b.span);
                        self.ends.entry((*x, false)).or_insert((least, 0));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// `a + gap <= b`
    fn at_most(
        &mut self,
        a: &Expr,
        gap: u32,
        b: &Expr,
        asked: &BTreeSet<LocalId>,
        all: &BTreeSet<LocalId>,
    ) {
        let name = |e: &Expr| match e.kind {
            ExprKind::Local(x) if asked.contains(&x) => Some(x),
            _ => None,
        };
        let is_end = |e: &Expr| Footprint::of_expr(e).locals.is_disjoint(all);
        match (name(a), name(b)) {
            (Some(x), Some(y)) => self.steps.push((x, gap, y)),
            (Some(x), None) if is_end(b) => {
                self.ends.entry((x, true)).or_insert((b.clone(), gap));
            }
            (None, Some(y)) if is_end(a) => {
                self.ends.entry((y, false)).or_insert((a.clone(), gap));
            }
            _ => {}
        }
    }

    /// The nearest end on one side of a name, by the fewest steps.
    fn reach(&self, from: LocalId, above: bool) -> Option<(Expr, u32)> {
        let (mut seen, mut next) = (BTreeSet::from([from]), vec![(from, 0)]);
        let mut at = 0;
        while let Some((local, gap)) = next.get(at).copied() {
            clock::work(self.steps.len());
            if let Some((end, last)) = self.ends.get(&(local, above)) {
                return Some((end.clone(), gap + last));
            }
            for (a, step, b) in &self.steps {
                let (here, there) = if above { (a, b) } else { (b, a) };
                if *here == local && seen.insert(*there) {
                    next.push((*there, gap + step));
                }
            }
            at += 1;
        }
        None
    }
}

/// The least member of a set of integers.
fn least(set: BasicSet) -> Option<i64> {
    match set {
        BasicSet::Natural => Some(0),
        BasicSet::Natural1 => Some(1),
        _ => None,
    }
}

/// `x + gap <= end`, or `end + gap <= x`.
fn bound(x: Expr, above: bool, end: Expr, gap: u32) -> Pred {
    let span = end.span;
    let end = if gap == 0 {
        end
    } else {
        let by = make::number(gap, span);
        let op = if above { BinaryOp::Subtract } else { BinaryOp::Add };
        let kind = ExprKind::Binary(op, Arc::new(end), Arc::new(by));
        Expr::new(kind, Type::Integer, span)
    };
    let op = if above { Comparison::LessEqual } else { Comparison::GreaterEqual };
    Pred::new(PredKind::Compare(op, x, end), span)
}
