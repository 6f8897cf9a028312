//! Relations, functions and sequences: what conjuncts say of their sides, their results and their lengths.

use super::{Subject, is, mentions};
use crate::eval::consequences::conjuncts::longest;
use crate::machine::make;
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::normalise;
use crate::value::relation::Arrow;
use std::sync::Arc;

impl Subject<'_> {
    /// The set of relations that it is in.
    pub(super) fn of_relations(&self) -> Option<Pred> {
        let told = self.of_told_inverse().or_else(|| self.of_told_length());
        let told = told.or_else(|| self.of_size());
        let told = told.or_else(|| self.on_told_sides()).or_else(|| self.with_results(None));
        let told = told.or_else(|| self.of_sizes()).or_else(|| self.at_listed_points());
        let told = told.or_else(|| self.made_of_itself());
        let narrow = told
            .as_ref()
            .and_then(|told| self.at_told_points(told).or_else(|| self.with_results(Some(told))));
        // Of a function it may be said at once what it is one of.
        let narrow = narrow.or_else(|| self.conjuncts.iter().find_map(|p| self.at_told_points(p)));
        narrow.or(told)
    }

    /// The product of what conjuncts say of the domain and of the range of a relation; with one side, of the other what
    /// there is by its type.
    pub(super) fn product(&self, both: bool) -> Option<Expr> {
        let Subject { local, conjuncts, .. } = *self;
        let ty = &self.compiler.machine().local(local).ty;
        let Type::Pair(sides) = ty.element()? else { return None };
        let side = |of| conjuncts.iter().find_map(|p| side_of(of, local, p)).map(|(set, _)| set);
        let (from, to) = (side(UnaryOp::Dom), side(UnaryOp::Ran));
        let span = from.or(to)?.span;
        if both && (from.is_none() || to.is_none()) {
            return None;
        }
        let side = |told: Option<&Expr>, ty| match told {
            Some(set) => set.clone(),
            None => normalise::whole(ty, span),
        };
        let (from, to) = (side(from, &sides.0), side(to, &sides.1));
        let kind = ExprKind::Binary(BinaryOp::Product, Arc::new(from), Arc::new(to));
        Some(Expr::new(kind, ty.clone(), span))
    }

    /// `f~ : A +-> B`: `f` is a relation from `B` to `A`, and a function where no two members of `A` lead to the same one.
    fn of_told_inverse(&self) -> Option<Pred> {
        let Subject { local, conjuncts, .. } = *self;
        conjuncts.iter().find_map(|p| {
            let PredKind::Compare(Comparison::Member, inverse, set) = &p.kind else { return None };
            let ExprKind::Unary(UnaryOp::Inverse, f) = &inverse.kind else { return None };
            let (arrow, from, to) = match &set.kind {
                ExprKind::Binary(op, a, b) => (Arrow::from_op(*op)?, (**a).clone(), (**b).clone()),
                ExprKind::Unary(op, of) => {
                    let domain = sequence_domain(*op, of)?;
                    (Arrow::TOTAL_BIJECTIONS, domain, (**of).clone())
                }
                _ => return None,
            };
            let is_open = |set: &Expr| self.compiler.is_infinite(set) || mentions(local, set);
            if !is(local, f) || is_open(&from) || is_open(&to) {
                return None;
            }
            let back = Arrow {
                functional: arrow.injective,
                injective: arrow.injective && arrow.functional,
                total: arrow.surjective,
                surjective: arrow.total,
            };
            let kind = ExprKind::Binary(back.op()?, Arc::new(to), Arc::new(from));
            let set = Expr::new(kind, Type::pow(f.ty.clone()), set.span);
            Some(self.said(Comparison::Member, set))
        })
    }

    /// `front(s) = e`, `tail(s) = e`, `rev(s) = e`: `s` is a sequence, and its length is known with that of `e`.
    fn of_told_length(&self) -> Option<Pred> {
        let Subject { local, conjuncts, .. } = *self;
        let told = |a: &Expr, e: &Expr| {
            let (mut s, mut more) = (a, 0);
            while let ExprKind::Unary(op, of) = &s.kind {
                more += match op {
                    UnaryOp::Front | UnaryOp::Tail => 1,
                    UnaryOp::Reverse => 0,
                    _ => return None,
                };
                s = of;
            }
            let is_told = !std::ptr::eq(s, a) && is(local, s) && !mentions(local, e);
            is_told.then(|| (s.clone(), e.clone(), more))
        };
        let (s, e, more) = conjuncts.iter().find_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Equal, a, b) => told(a, b).or_else(|| told(b, a)),
            _ => None,
        })?;
        // Those that are too short make it undefined: they are left out only where there is no end without that.
        if more > 0 && self.is_short() {
            return None;
        }
        let number = |n: i64| Expr::new(ExprKind::Integer(n.into()), Type::Integer, e.span);
        let binary = |op, a, b, ty: &Type| {
            Expr::new(ExprKind::Binary(op, Arc::new(a), Arc::new(b)), ty.clone(), e.span)
        };
        // Of what is no sequence there is a number of members, too.
        let members = ExprKind::Unary(UnaryOp::Card, Arc::new(e.clone()));
        let members = Expr::new(members, Type::Integer, e.span);
        let length = binary(BinaryOp::Add, members, number(more), &Type::Integer);
        let domain = binary(BinaryOp::Interval, number(1), length, &Type::pow(Type::Integer));
        let Type::Pair(sides) = s.ty.element()? else { return None };
        let range = normalise::whole(&sides.1, e.span);
        let functions = binary(BinaryOp::TotalFunctions, domain, range, &Type::pow(s.ty.clone()));
        let span = e.span;
        Some(Pred::new(PredKind::Compare(Comparison::Member, s, functions), span))
    }

    /// Whether it is a sequence over a finite set, no longer than a number.
    fn is_short(&self) -> bool {
        let Subject { local, conjuncts, .. } = *self;
        let is_sequence = |p: &Pred| match &p.kind {
            PredKind::Compare(Comparison::Member, s, set) if is(local, s) => match &set.kind {
                ExprKind::Unary(UnaryOp::Seq | UnaryOp::Seq1, of) => !self.compiler.is_infinite(of),
                _ => false,
            },
            _ => false,
        };
        let is_bound = |p: &Pred| {
            let PredKind::Compare(op, a, b) = &p.kind else { return false };
            longest(*op, a, b).is_some_and(|(s, most)| is(local, s) && self.is_given(most))
        };
        conjuncts.iter().any(is_sequence) && conjuncts.iter().any(is_bound)
    }

    /// `s : seq(A) & size(s) = n`, of an infinite `A`: `s : 1..n --> A`.
    fn of_size(&self) -> Option<Pred> {
        let Subject { local, conjuncts, .. } = *self;
        let items = conjuncts.iter().find_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Member, s, set) if is(local, s) => match &set.kind {
                ExprKind::Unary(UnaryOp::Seq | UnaryOp::Seq1, of) => Some(&**of),
                _ => None,
            },
            _ => None,
        })?;
        let is_size = |e: &Expr| matches!(&e.kind, ExprKind::Unary(UnaryOp::Size | UnaryOp::Card, s) if is(local, s));
        let size = conjuncts.iter().find_map(|p| {
            let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
            let mut both = [(a, b), (b, a)].into_iter();
            let is_told = |n: &Expr| self.is_given(n);
            both.find(|(e, n)| is_size(e) && is_told(n)).map(|(_, n)| n)
        })?;
        if !self.compiler.is_infinite(items) {
            return None;
        }
        let of = |kind, ty: Type| Arc::new(Expr::new(kind, ty, size.span));
        let one = of(ExprKind::Integer(1.into()), Type::Integer);
        let domain = ExprKind::Binary(BinaryOp::Interval, one, Arc::new(size.clone()));
        let domain = of(domain, Type::pow(Type::Integer));
        let kind = ExprKind::Binary(BinaryOp::TotalFunctions, domain, Arc::new(items.clone()));
        let ty = Type::pow(self.compiler.machine().local(local).ty.clone());
        Some(self.said(Comparison::Member, Expr::new(kind, ty, size.span)))
    }

    /// `f : D --> A & !x.(x : D => f(x) : E)`, of an infinite `A`: `f : D --> E`, where `E` may depend on `x`; with
    /// `f(x) <: E` the results are sets within `E`.
    ///
    /// `told`: what was concluded so far.
    fn with_results(&self, told: Option<&Pred>) -> Option<Pred> {
        let Subject { local, conjuncts, .. } = *self;
        let mut said = told.into_iter().chain(conjuncts);
        let (domain, functions) = said.find_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Member, f, set) if is(local, f) => match &set.kind {
                ExprKind::Binary(op, domain, results) if self.compiler.is_infinite(results) => {
                    let arrow = Arrow::from_op(*op)?;
                    (arrow.functional && arrow.total).then_some((&**domain, set))
                }
                _ => None,
            },
            _ => None,
        })?;
        let ExprKind::Binary(op, _, results) = &functions.kind else { return None };
        let op = Arrow { surjective: false, ..Arrow::from_op(*op)? }.op()?;
        let within = conjuncts.iter().find_map(|p| {
            let PredKind::Forall(ids, inside, said) = &p.kind else { return None };
            let ([x], PredKind::Compare(Comparison::Member, of, keys)) = (&ids[..], &inside.kind)
            else {
                return None;
            };
            let is_at = |e: &Expr| {
                let ExprKind::Binary(BinaryOp::Apply, f, at) = &e.kind else { return false };
                is(local, f) && is(*x, at)
            };
            if !is(*x, of) || !same(keys, domain) {
                return None;
            }
            said.conjuncts().iter().find_map(|said| {
                let PredKind::Compare(op, result, set) = &said.kind else { return None };
                let is_told = self.is_given(set);
                if !is_at(result) || !is_told || self.compiler.is_infinite(set) {
                    return None;
                }
                let new = |kind, ty: Type| Expr::new(kind, ty, set.span);
                let each =
                    ExprKind::Fold(Fold::Image, ids.clone(), inside.clone(), Arc::new(set.clone()));
                let each = Arc::new(new(each, Type::pow(set.ty.clone())));
                let all = new(ExprKind::Unary(UnaryOp::Union, each), set.ty.clone());
                match op {
                    Comparison::Member => Some(all),
                    Comparison::Subset | Comparison::StrictSubset => {
                        let sets = ExprKind::Unary(UnaryOp::Pow, Arc::new(all));
                        Some(new(sets, Type::pow(set.ty.clone())))
                    }
                    _ => None,
                }
            })
        })?;
        debug_assert_eq!(within.ty, results.ty);
        let kind = ExprKind::Binary(op, Arc::new(domain.clone()), Arc::new(within));
        let set = Expr::new(kind, functions.ty.clone(), functions.span);
        Some(self.said(Comparison::Member, set))
    }

    /// `f : A +-> B & dom(f) = D`: `f : D --> B`. So of relations and their ranges, and `s : iseq(A) & ran(s) = R`.
    fn on_told_sides(&self) -> Option<Pred> {
        let Subject { local, conjuncts, .. } = *self;
        let told = |of: UnaryOp| {
            let sides = conjuncts.iter().filter_map(|p| side_of(of, local, p));
            sides.filter(|(set, _)| !self.compiler.is_infinite(set)).max_by_key(|(_, all)| *all)
        };
        let side = |set: &Expr, of: UnaryOp, other: Option<&Expr>| match told(of) {
            // Points that are told one by one are all that there are.
            Some((side, all))
                if self.compiler.is_infinite(set)
                    || all && other.is_some_and(|e| self.compiler.is_infinite(e)) =>
            {
                Some((side.clone(), all))
            }
            _ => None,
        };
        conjuncts.iter().find_map(|p| {
            let PredKind::Compare(Comparison::Member, x, set) = &p.kind else { return None };
            if !is(local, x) {
                return None;
            }
            let kind = match &set.kind {
                ExprKind::Binary(op, a, b) => {
                    let arrow = Arrow::from_op(*op)?;
                    let (from, to) = (side(a, UnaryOp::Dom, Some(b)), side(b, UnaryOp::Ran, None));
                    // A total function on more is not what the domain was told of.
                    if from.is_none() && (to.is_none() || self.compiler.is_infinite(a))
                        || arrow.total && from.is_some()
                    {
                        return None;
                    }
                    let arrow = Arrow {
                        total: arrow.total || from.as_ref().is_some_and(|(_, all)| *all),
                        // Onto a set that is another one by now is what the conjunct itself asks.
                        surjective: to.as_ref().map_or(arrow.surjective, |(_, all)| *all),
                        ..arrow
                    };
                    let a = from.map_or_else(|| a.clone(), |(from, _)| Arc::new(from));
                    let b = to.map_or_else(|| b.clone(), |(to, _)| Arc::new(to));
                    ExprKind::Binary(arrow.op()?, a, b)
                }
                ExprKind::Unary(
                    op @ (UnaryOp::Seq | UnaryOp::Seq1 | UnaryOp::Iseq | UnaryOp::Iseq1),
                    of,
                ) => {
                    let (all, _) = side(of, UnaryOp::Ran, None)?;
                    ExprKind::Unary(*op, Arc::new(all))
                }
                _ => return None,
            };
            let set = Expr::new(kind, set.ty.clone(), set.span);
            Some(Pred::new(PredKind::Compare(Comparison::Member, x.clone(), set), p.span))
        })
    }

    /// `f : 1..n --> A` of a function that is known: `1..n = dom(f)`.
    pub(super) fn of_domain(&self) -> Option<Pred> {
        let Subject { local, conjuncts, .. } = *self;
        conjuncts.iter().find_map(|p| {
            let PredKind::Compare(Comparison::Member, f, set) = &p.kind else { return None };
            let ExprKind::Binary(op, domain, _) = &set.kind else { return None };
            if !Arrow::from_op(*op)?.total || !mentions(local, domain) || !self.is_given(f) {
                return None;
            }
            let of_f = ExprKind::Unary(UnaryOp::Dom, Arc::new(f.clone()));
            let of_f = Expr::new(of_f, domain.ty.clone(), f.span);
            let equal = PredKind::Compare(Comparison::Equal, (**domain).clone(), of_f);
            Some(Pred::new(equal, p.span))
        })
    }

    /// `size(s) + card(t) = n`, or at most that: `size(s) <= n`, as no size is below 0.
    fn of_sizes(&self) -> Option<Pred> {
        use Comparison::{Equal, GreaterEqual, LessEqual};
        let Subject { local, conjuncts, .. } = *self;
        conjuncts.iter().find_map(|p| {
            let PredKind::Compare(op @ (Equal | LessEqual | GreaterEqual), a, b) = &p.kind else {
                return None;
            };
            let sides: &[_] = match op {
                LessEqual => &[(a, b)],
                GreaterEqual => &[(b, a)],
                _ => &[(a, b), (b, a)],
            };
            sides.iter().find_map(|(sum, most)| {
                let own = size_in(local, sum)?;
                // Alone it is a bound already.
                if std::ptr::eq(own, *sum) || !self.is_given(most) {
                    return None;
                }
                let kind = PredKind::Compare(LessEqual, own.clone(), (*most).clone());
                Some(Pred::new(kind, p.span))
            })
        })
    }
}

/// The size of a local in a sum of sizes.
fn size_in(local: LocalId, sum: &Expr) -> Option<&Expr> {
    match &sum.kind {
        ExprKind::Unary(UnaryOp::Size, s) if is(local, s) => Some(sum),
        ExprKind::Binary(BinaryOp::Add, a, b) if is_sum_of_sizes(sum) => {
            size_in(local, a).or_else(|| size_in(local, b))
        }
        _ => None,
    }
}

fn is_sum_of_sizes(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Size | UnaryOp::Card, _) => true,
        ExprKind::Binary(BinaryOp::Add, a, b) => is_sum_of_sizes(a) && is_sum_of_sizes(b),
        _ => false,
    }
}

/// The numbers that the permutations of a set have as arguments.
fn sequence_domain(op: UnaryOp, of: &Expr) -> Option<Expr> {
    (op == UnaryOp::Perm).then(|| make::up_to_card(of.clone()))
}

/// The set on the one side of `dom(r) = A` or `A = dom(r)`, or of `ran`; whether it is all of that. `!x.(x : dom(r) => r(x) : B)`
/// is one of `ran`.
pub(super) fn side_of(of: UnaryOp, local: LocalId, p: &Pred) -> Option<(&Expr, bool)> {
    if let PredKind::Forall(ids, inside, said) = &p.kind
        && let ([x], PredKind::Compare(Comparison::Member, y, keys)) = (&ids[..], &inside.kind)
        && let PredKind::Compare(Comparison::Member, result, set) = &said.kind
        && let ExprKind::Binary(BinaryOp::Apply, r, at) = &result.kind
        && let ExprKind::Unary(UnaryOp::Dom, whole) = &keys.kind
        && is(*x, y)
        && is(*x, at)
        && is(local, r)
        && is(local, whole)
        && !mentions(*x, set)
        && !mentions(local, set)
    {
        return (of == UnaryOp::Ran).then_some((set, false));
    }
    let PredKind::Compare(op @ (Comparison::Equal | Comparison::Subset), a, b) = &p.kind else {
        return None;
    };
    let is_side = |e: &Expr| matches!(&e.kind, ExprKind::Unary(op, r) if *op == of && is(local, r));
    match op {
        _ if is_side(a) && !mentions(local, b) => Some((b, *op == Comparison::Equal)),
        Comparison::Equal if is_side(b) && !mentions(local, a) => Some((a, true)),
        _ => None,
    }
}
