//! Whether all values of an expression are in a set, by the forms of both.

use super::cases;
use super::decided::{from, subset};
use super::endless::is_whole;
use crate::machine::visit::same;
use crate::machine::{BasicSet, BinaryOp, Expr, ExprKind, Named, Pred, UnaryOp};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// What is known where it is asked whether a value is in a set.
#[derive(Clone, Copy)]
struct Premises<'e> {
    /// What is true of the locals.
    p: &'e Pred,
    /// A function, and the set that its values are in.
    itself: Option<(Named, &'e Expr)>,
}

/// Whether all values of a lambda's body are in a set, as far as can be seen; `itself`: a function whose values are.
pub(super) fn results(p: &Pred, body: &Expr, set: &Expr, itself: Option<Named>) -> bool {
    Premises { p, itself: itself.map(|name| (name, set)) }.inside(body, set)
}

impl Premises<'_> {
    fn inside(self, e: &Expr, set: &Expr) -> bool {
        if is_whole(set) {
            return true;
        }
        match (&e.kind, &set.kind) {
            (ExprKind::If(_, a, b), _) => self.inside(a, set) && self.inside(b, set),
            (ExprKind::Let(_, body), _) => self.inside(body, set),
            (ExprKind::Binary(BinaryOp::Apply, f, _), _) if self.is_itself(f) => {
                self.itself.is_some_and(|(_, all)| same(all, set) || subset(all, set) == Some(true))
            }
            (ExprKind::Local(id), _)
                if from(*id, self.p).is_some_and(|all| subset(&all, set) == Some(true)) =>
            {
                true
            }
            (_, ExprKind::Basic(BasicSet::Natural)) => self.is_from(e, set, BigInt::zero()),
            (_, ExprKind::Basic(BasicSet::Natural1)) => self.is_from(e, set, BigInt::from(1)),
            (ExprKind::Unary(UnaryOp::SeqFirst | UnaryOp::SeqLast, s), _) => self.are_items(s, set),
            (ExprKind::Binary(BinaryOp::Pair, x, y), ExprKind::Binary(BinaryOp::Product, a, b)) => {
                self.inside(x, a) && self.inside(y, b)
            }
            (_, ExprKind::Unary(UnaryOp::Pow | UnaryOp::Fin, of)) => self.is_set_of(e, of, set),
            (_, ExprKind::Unary(UnaryOp::Seq, of)) => self.is_sequence_of(e, of, set),
            _ => false,
        }
    }

    fn is_itself(self, f: &Expr) -> bool {
        self.itself.is_some_and(|(name, _)| Named::of(&f.kind) == Some(name))
    }

    /// Whether a number is never below another one, of a set of all numbers from that on.
    fn is_from(self, e: &Expr, set: &Expr, least: BigInt) -> bool {
        let itself = self.itself.filter(|(_, all)| same(all, set)).map(|(name, _)| (name, &least));
        lower_bound(e, self.p, itself).is_some_and(|n| n >= least)
    }

    /// Whether a set is one of `sets`, which are all those of members of another one, or all that are finite.
    fn is_set_of(self, e: &Expr, of: &Expr, sets: &Expr) -> bool {
        match &e.kind {
            ExprKind::Empty => true,
            ExprKind::SetExtension(items) => items.iter().all(|x| self.inside(x, of)),
            ExprKind::Binary(BinaryOp::Union, a, b) => self.inside(a, sets) && self.inside(b, sets),
            ExprKind::Binary(BinaryOp::Intersection, a, b) => {
                self.inside(a, sets) || self.inside(b, sets)
            }
            ExprKind::Binary(BinaryOp::Difference, a, _) => self.inside(a, sets),
            _ => false,
        }
    }

    /// Whether a sequence is one of `all` those of members of a set.
    fn is_sequence_of(self, s: &Expr, of: &Expr, all: &Expr) -> bool {
        match &s.kind {
            ExprKind::Empty => true,
            ExprKind::Sequence(items) => items.iter().all(|x| self.inside(x, of)),
            ExprKind::Binary(BinaryOp::Concat, s, t) => self.inside(s, all) && self.inside(t, all),
            ExprKind::Binary(BinaryOp::Prepend, x, s)
            | ExprKind::Binary(BinaryOp::Append, s, x) => self.inside(x, of) && self.inside(s, all),
            ExprKind::Unary(UnaryOp::Tail | UnaryOp::Front | UnaryOp::Reverse, s) => {
                self.inside(s, all)
            }
            _ => false,
        }
    }

    /// Whether all items of a sequence are in a set: of a local that is taken from sequences of such.
    fn are_items(self, s: &Expr, set: &Expr) -> bool {
        use UnaryOp::{Iseq, Iseq1, Seq, Seq1};
        let ExprKind::Local(id) = s.kind else { return false };
        from(id, self.p).is_some_and(|all| match &all.kind {
            ExprKind::Unary(Seq | Seq1 | Iseq | Iseq1, of) => subset(of, set) == Some(true),
            _ => false,
        })
    }
}

/// A number that an expression is never below, under a predicate on its locals; `itself`: a function, and what its
/// values are never below.
pub(super) fn lower_bound(e: &Expr, p: &Pred, itself: Option<(Named, &BigInt)>) -> Option<BigInt> {
    let bound = |e: &Expr| lower_bound(e, p, itself);
    let positive = |e: &Expr| bound(e).filter(|n| !n.is_negative());
    match &e.kind {
        ExprKind::Integer(n) => Some(n.clone()),
        ExprKind::Local(id) => cases::least(*id, p),
        ExprKind::Unary(UnaryOp::Card | UnaryOp::Size, _) => Some(BigInt::zero()),
        ExprKind::Binary(BinaryOp::Apply, f, _) => {
            let (name, least) = itself?;
            (Named::of(&f.kind) == Some(name)).then(|| least.clone())
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
