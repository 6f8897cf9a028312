//! Bounds of integers whose numbers go beyond those of the solver (`constraint::store::INFINITE`).
//!
//! The solver has a machine word for a number; a plan has numbers of any size, and tries them one after the other. So where
//! conjuncts name such a number, it is drawn from them beforehand, in numbers of any size, between which values the
//! names are: `x + y = 2**80 & x - y = 2`, `x * x = 10**40`, `3**x > 10**30 & 3**x < 10**31`, `x / 2**62 = 5`. What is found
//! is added to the conjuncts, as what follows from them.

mod range;
mod tree;

use crate::constraint::store::INFINITE;
use crate::eval::compile::Compiler;
use crate::machine::make::number;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use range::Range;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tree::{Id, Said, Term, Tree};

/// Most values of a name that are listed.
const MOST_VALUES: usize = 4096;

/// Most digits, in base 2, of a number that is computed here.
const MOST_BITS: u64 = 1 << 14;

/// Reads conjuncts into terms.
struct Reader<'r, 'c> {
    compiler: &'r Compiler<'c>,
    asked: BTreeSet<LocalId>,
    tree: Tree,
    names: BTreeMap<LocalId, Id>,
    /// Number of open terms so far.
    open: usize,
}

impl Compiler<'_> {
    /// Bounds that follow from conjuncts with large numbers, for integers without values.
    pub(in crate::eval) fn far_bounds(&self, locals: &[LocalId], conjuncts: &[Pred]) -> Vec<Pred> {
        if !conjuncts.iter().any(names_far) {
            return Vec::new();
        }
        let is_integer = |l: &&LocalId| self.machine().local(**l).ty == Type::Integer;
        let asked: BTreeSet<LocalId> = locals.iter().filter(is_integer).copied().collect();
        let mut reader = Reader {
            compiler: self,
            asked,
            tree: Tree::default(),
            names: BTreeMap::new(),
            open: 0,
        };
        let said = conjuncts.iter().filter_map(|p| reader.said(p)).flatten();
        let mut waiting: Vec<Said> = said.collect();
        // What may be undefined says nothing of values for which it is: these would be dropped without a word. So it is
        // heard where the others say that it is defined.
        loop {
            let tree = &mut reader.tree;
            let is_defined = |said: &Said| said.terms().all(|id| tree.is_defined(id));
            let (heard, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_defined);
            waiting = rest;
            if heard.is_empty() {
                return reader.found();
            }
            heard.into_iter().for_each(|said| tree.say(said));
            if reader.tree.narrow().is_err() {
                return reader.nothing();
            }
        }
    }
}

impl Reader<'_, '_> {
    /// What a conjunct says, unless that is nothing here.
    fn said(&mut self, p: &Pred) -> Option<Vec<Said>> {
        use Comparison::*;
        let PredKind::Compare(op, a, b) = &p.kind else { return None };
        if a.ty != Type::Integer {
            return None;
        }
        if matches!(op, Member | NotMember) {
            let ExprKind::Binary(BinaryOp::Interval, low, high) = &b.kind else {
                return self.natural(*op, a, b).map(|said| vec![said]);
            };
            let (low, a, high) = (self.term(low)?, self.term(a)?, self.term(high)?);
            return Some(match op {
                Member => vec![Said::AtMost(low, a), Said::AtMost(a, high)],
                _ => vec![Said::Outside(a, low, high)],
            });
        }
        let (a, b) = (self.term(a)?, self.term(b)?);
        let mut below = |a, b| {
            let one = self.tree.term(Term::Known(BigInt::one()));
            Said::AtMost(self.tree.term(Term::Add(a, one)), b)
        };
        Some(vec![match op {
            Equal => Said::Equal(a, b),
            NotEqual => return Some(vec![Said::Outside(a, b, b), Said::Outside(b, a, a)]),
            LessEqual => Said::AtMost(a, b),
            GreaterEqual => Said::AtMost(b, a),
            Less => below(a, b),
            Greater => below(b, a),
            _ => return None,
        }])
    }

    fn natural(&mut self, op: Comparison, a: &Expr, set: &Expr) -> Option<Said> {
        let least = match &set.kind {
            ExprKind::Basic(BasicSet::Natural) => BigInt::zero(),
            ExprKind::Basic(BasicSet::Natural1) => BigInt::one(),
            _ => return None,
        };
        let most = self.tree.term(Term::Known(&least - 1));
        let (least, a) = (self.tree.term(Term::Known(least)), self.term(a)?);
        Some(if op == Comparison::Member { Said::AtMost(least, a) } else { Said::AtMost(a, most) })
    }

    /// `None` where it may be undefined in a way that is not looked at here.
    fn term(&mut self, e: &Expr) -> Option<Id> {
        use BinaryOp::*;
        let term = match &e.kind {
            ExprKind::Integer(n) => Term::Known(n.clone()),
            ExprKind::Local(id) if self.asked.contains(id) => {
                if let Some(known) = self.names.get(id) {
                    return Some(*known);
                }
                let name = self.open();
                self.names.insert(*id, name);
                return Some(name);
            }
            ExprKind::Unary(UnaryOp::Negate, a) => Term::Negate(self.term(a)?),
            ExprKind::Binary(Add, a, b) => Term::Add(self.term(a)?, self.term(b)?),
            ExprKind::Binary(Subtract, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                Term::Add(a, self.tree.term(Term::Negate(b)))
            }
            ExprKind::Binary(Multiply, a, b) => Term::Multiply(self.term(a)?, self.term(b)?),
            ExprKind::Binary(op @ (Divide | Modulo | Power), a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                return self.partial(*op, a, b);
            }
            _ if self.compiler.is_total(e) => return Some(self.open()),
            _ => return None,
        };
        let id = self.tree.term(term);
        let is_huge = self.tree.known(id).is_some_and(|n| n.bits() > MOST_BITS);
        (!is_huge).then_some(id)
    }

    fn open(&mut self) -> Id {
        self.open += 1;
        self.tree.term(Term::Open(self.open))
    }

    /// Quotients, rests and powers of which one side is a number.
    fn partial(&mut self, op: BinaryOp, a: Id, b: Id) -> Option<Id> {
        let (left, right) = (self.tree.known(a).cloned(), self.tree.known(b).cloned());
        let small = |n: &BigInt| u32::try_from(n).ok().filter(|n| *n <= 4096);
        let term = match (op, left, right) {
            (BinaryOp::Power, Some(base), Some(exponent)) => {
                let exponent = small(&exponent)?;
                let is_small = base.bits().saturating_mul(exponent.into()) <= MOST_BITS;
                Term::Known(is_small.then(|| base.pow(exponent))?)
            }
            (BinaryOp::Power, None, Some(exponent)) => match small(&exponent)? {
                0 => Term::Known(BigInt::one()),
                exponent => Term::Power(a, exponent),
            },
            (BinaryOp::Power, Some(base), None) if base > BigInt::one() => Term::Exponent(base, b),
            (BinaryOp::Divide, _, Some(by)) if !by.is_zero() => Term::Divide(a, by),
            (BinaryOp::Modulo, _, Some(by)) if by.is_positive() => Term::Rest(a, by),
            _ => return None,
        };
        Some(self.tree.term(term))
    }

    /// What was found of the names.
    fn found(&self) -> Vec<Pred> {
        let mut found = Vec::new();
        for (local, id) in &self.names {
            let name = self.name(*local);
            let span = name.span;
            if let Some(values) = self.tree.values(*id, MOST_VALUES) {
                let values = values.into_iter().map(|n| number(n, span)).collect();
                let ty = Type::Pow(Arc::new(Type::Integer));
                let listed = Expr::new(ExprKind::SetExtension(values), ty, span);
                found.push(Pred::new(PredKind::Compare(Comparison::Member, name, listed), span));
                continue;
            }
            let Range { low, high } = self.tree.range(*id).clone();
            let ends = [(Comparison::GreaterEqual, low), (Comparison::LessEqual, high)];
            for (op, end) in ends {
                let Some(end) = end else { continue };
                let kind = PredKind::Compare(op, name.clone(), number(end, span));
                found.push(Pred::new(kind, span));
            }
        }
        found
    }

    /// That there are no values.
    fn nothing(&self) -> Vec<Pred> {
        let Some(local) = self.names.keys().next() else { return Vec::new() };
        let name = self.name(*local);
        let span = name.span;
        let ends = [(Comparison::Less, name.clone()), (Comparison::Greater, name)];
        let none =
            |(op, name)| Pred::new(PredKind::Compare(op, name, number(BigInt::zero(), span)), span);
        ends.map(none).to_vec()
    }

    fn name(&self, local: LocalId) -> Expr {
        let span = self.compiler.machine().local(local).span;
        Expr::new(ExprKind::Local(local), Type::Integer, span)
    }
}

/// The numbers that a conjunct compares.
fn sides(p: &Pred) -> Option<(&Expr, &Expr)> {
    use Comparison::*;
    match &p.kind {
        PredKind::Compare(Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual, a, b)
            if a.ty == Type::Integer =>
        {
            Some((a, b))
        }
        _ => None,
    }
}

/// Whether a conjunct says that a name has no value that the solver can hold.
pub(in crate::eval) fn is_beyond(p: &Pred) -> bool {
    let PredKind::Compare(op, name, of) = &p.kind else { return false };
    let far = |e: &Expr| matches!(&e.kind, ExprKind::Integer(n) if is_large(n));
    matches!(name.kind, ExprKind::Local(_))
        && match (op, &of.kind) {
            (Comparison::Greater | Comparison::GreaterEqual, ExprKind::Integer(n)) => {
                is_large(n) && n.is_positive()
            }
            (Comparison::Less | Comparison::LessEqual, ExprKind::Integer(n)) => {
                is_large(n) && n.is_negative()
            }
            (Comparison::Member, ExprKind::SetExtension(values)) => {
                !values.is_empty() && values.iter().all(far)
            }
            _ => false,
        }
}

/// Whether the solver cannot hold a number.
fn is_large(n: &BigInt) -> bool {
    n.magnitude() >= BigInt::from(INFINITE).magnitude()
}

/// Whether a conjunct compares numbers with one that the solver cannot hold.
fn names_far(p: &Pred) -> bool {
    match &p.kind {
        PredKind::Compare(Comparison::Member | Comparison::NotMember, _, set) => match &set.kind {
            ExprKind::Binary(BinaryOp::Interval, low, high) => is_far(low) || is_far(high),
            _ => false,
        },
        _ => sides(p).is_some_and(|(a, b)| is_far(a) || is_far(b)),
    }
}

/// Whether a number that the solver cannot hold is written in sums, products and powers.
fn is_far(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Integer(n) => is_large(n),
        ExprKind::Unary(UnaryOp::Negate, a) => is_far(a),
        ExprKind::Binary(BinaryOp::Power, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Integer(base), ExprKind::Integer(exponent)) => {
                let Ok(n) = u32::try_from(exponent) else { return false };
                let least = base.bits().saturating_sub(1).saturating_mul(n.into());
                least >= 60 || base.bits().saturating_mul(n.into()) >= 60 && is_large(&base.pow(n))
            }
            _ => is_far(a) || is_far(b),
        },
        ExprKind::Binary(
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo,
            a,
            b,
        ) => is_far(a) || is_far(b),
        _ => false,
    }
}
