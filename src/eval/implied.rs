//! What conjuncts say of a local without naming it as a member or a part.
//!
//! `even \/ odd = (1..n) * (1..n)` says that `odd` is a part of the product, `dom(f) = A & ran(f) <: B` that
//! `f` is a relation from `A` to `B`, `front(s) = e` that `s` is a sequence longer by one than `e`. A plan takes candidates from such conjuncts where it has nothing better:
//! they say less than those that they follow from, and are undefined where these are.

use super::compile::{Compiler, Undefined};
use crate::clock;
use crate::machine::footprint::Footprint;
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::normalise;
use crate::value::relation::Arrow;
use std::collections::BTreeSet;

impl Compiler<'_> {
    /// Inclusions and memberships that follow from the conjuncts, for locals of which none says a set that they are in or what
    /// they are equal to.
    pub(super) fn implied(&self, locals: &[LocalId], conjuncts: &[Pred]) -> Vec<Pred> {
        let mut found = Vec::new();
        let asked: BTreeSet<LocalId> = locals.iter().copied().collect();
        for local in locals {
            let machine_local = self.machine().local(*local);
            // Finite types have an end by themselves.
            let finite = self.shape(&machine_local.ty).is_finite();
            if finite || self.is_ranged(*local, conjuncts) {
                continue;
            }
            clock::work(conjuncts.len());
            found.extend(match &machine_local.ty {
                Type::Pow(_) => self.of_set(*local, conjuncts, &asked),
                Type::Record(_) => self.of_record(*local, conjuncts, &asked),
                _ => self.of_member(*local, conjuncts),
            });
        }
        found
    }

    /// Of a set.
    fn of_set(
        &self,
        local: LocalId,
        conjuncts: &[Pred],
        asked: &BTreeSet<LocalId>,
    ) -> Option<Pred> {
        let told = self.of_told_length(local, conjuncts);
        let told = told.or_else(|| self.of_size(local, conjuncts, asked));
        let told = told.or_else(|| self.on_told_sides(local, conjuncts));
        let told = told.or_else(|| self.with_results(local, conjuncts, asked));
        let told = told.or_else(|| of_sizes(local, conjuncts, asked));
        if told.is_some() {
            return told;
        }
        let is_free = |set: &Expr| Footprint::of_expr(set).locals.is_disjoint(asked);
        let parts = conjuncts.iter().filter_map(|p| part_of(local, p));
        let mut said: Vec<Expr> = parts.collect();
        said.extend(between(local, conjuncts));
        said.extend(extent(local, conjuncts));
        // Better one that does not wait for other locals.
        let bound = said.iter().find(|set| is_free(set)).cloned();
        let bound = bound.or_else(|| conjuncts.iter().find_map(|p| self.all_of(local, p)));
        let bound = bound.or_else(|| said.into_iter().next());
        let set = bound.filter(|set| !self.is_whole_type(set))?;
        Some(self.said_of(local, Comparison::Subset, set))
    }

    /// Of what is no set: a set that it is listed in.
    fn of_member(&self, local: LocalId, conjuncts: &[Pred]) -> Option<Pred> {
        let set = conjuncts.iter().find_map(|p| member_of(local, p))?;
        (!self.is_infinite(&set)).then(|| self.said_of(local, Comparison::Member, set))
    }

    /// `r'a = x & r'b = y`: `r = rec(a : x, b : y)`, where no other local is in these.
    fn of_record(
        &self,
        local: LocalId,
        conjuncts: &[Pred],
        asked: &BTreeSet<LocalId>,
    ) -> Option<Pred> {
        let ty = &self.machine().local(local).ty;
        let Type::Record(fields) = ty else { return None };
        let is_field = |e: &Expr, n: usize| matches!(&e.kind, ExprKind::Field(r, i) if *i == n && is(local, r));
        let value = |n: usize| {
            conjuncts.iter().find_map(|p| {
                let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
                let both = [(a, b), (b, a)].into_iter();
                let mut values = both.filter(|(field, _)| is_field(field, n)).map(|(_, e)| e);
                values.find(|e| Footprint::of_expr(e).locals.is_disjoint(asked)).cloned()
            })
        };
        let values = (0..fields.len()).map(value).collect::<Option<Vec<Expr>>>()?;
        let span = self.machine().local(local).span;
        let record = Expr::new(ExprKind::Record(values), ty.clone(), span);
        Some(self.said_of(local, Comparison::Equal, record))
    }

    fn said_of(&self, local: LocalId, op: Comparison, of: Expr) -> Pred {
        let declared = self.machine().local(local);
        let x = Expr::new(ExprKind::Local(local), declared.ty.clone(), declared.span);
        let span = of.span;
        Pred::new(PredKind::Compare(op, x, of), span)
    }

    /// `front(s) = e`, `tail(s) = e`, `rev(s) = e`: `s` is a sequence, and its length is known with that of `e`.
    fn of_told_length(&self, local: LocalId, conjuncts: &[Pred]) -> Option<Pred> {
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
        let number = |n: i64| Expr::new(ExprKind::Integer(n.into()), Type::Integer, e.span);
        let binary = |op, a, b, ty: &Type| {
            Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty.clone(), e.span)
        };
        // Of what is no sequence there is a number of members, too.
        let members = ExprKind::Unary(UnaryOp::Card, Box::new(e.clone()));
        let members = Expr::new(members, Type::Integer, e.span);
        let length = binary(BinaryOp::Add, members, number(more), &Type::Integer);
        let domain = binary(BinaryOp::Interval, number(1), length, &Type::pow(Type::Integer));
        let Type::Pair(sides) = s.ty.element()? else { return None };
        let range = normalise::whole(&sides.1, e.span);
        let functions = binary(BinaryOp::TotalFunctions, domain, range, &Type::pow(s.ty.clone()));
        let span = e.span;
        Some(Pred::new(PredKind::Compare(Comparison::Member, s, functions), span))
    }

    /// `s : seq(A) & size(s) = n`, of an infinite `A`: `s : 1..n --> A`.
    fn of_size(
        &self,
        local: LocalId,
        conjuncts: &[Pred],
        asked: &BTreeSet<LocalId>,
    ) -> Option<Pred> {
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
            let is_told = |n: &Expr| Footprint::of_expr(n).locals.is_disjoint(asked);
            both.find(|(e, n)| is_size(e) && is_told(n)).map(|(_, n)| n)
        })?;
        if !self.is_infinite(items) {
            return None;
        }
        let of = |kind, ty: Type| Box::new(Expr::new(kind, ty, size.span));
        let one = of(ExprKind::Integer(1.into()), Type::Integer);
        let domain = ExprKind::Binary(BinaryOp::Interval, one, Box::new(size.clone()));
        let domain = of(domain, Type::pow(Type::Integer));
        let kind = ExprKind::Binary(BinaryOp::TotalFunctions, domain, Box::new(items.clone()));
        let ty = Type::pow(self.machine().local(local).ty.clone());
        Some(self.said_of(local, Comparison::Member, *of(kind, ty)))
    }

    /// `f : D --> A & !x.(x : D => f(x) : E)`, of an infinite `A`: `f : D --> E`, where `E` may depend on `x`; with
    /// `f(x) <: E` the results are sets within `E`.
    fn with_results(
        &self,
        local: LocalId,
        conjuncts: &[Pred],
        asked: &BTreeSet<LocalId>,
    ) -> Option<Pred> {
        let (domain, functions) = conjuncts.iter().find_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Member, f, set) if is(local, f) => match &set.kind {
                ExprKind::Binary(op, domain, results) if self.is_infinite(results) => {
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
                let is_told = Footprint::of_expr(set).locals.is_disjoint(asked);
                if !is_at(result) || !is_told || self.is_infinite(set) {
                    return None;
                }
                let new = |kind, ty: Type| Expr::new(kind, ty, set.span);
                let each =
                    ExprKind::Fold(Fold::Image, ids.clone(), inside.clone(), Box::new(set.clone()));
                let each = Box::new(new(each, Type::pow(set.ty.clone())));
                let all = new(ExprKind::Unary(UnaryOp::Union, each), set.ty.clone());
                match op {
                    Comparison::Member => Some(all),
                    Comparison::Subset | Comparison::StrictSubset => {
                        let sets = ExprKind::Unary(UnaryOp::Pow, Box::new(all));
                        Some(new(sets, Type::pow(set.ty.clone())))
                    }
                    _ => None,
                }
            })
        })?;
        debug_assert_eq!(within.ty, results.ty);
        let kind = ExprKind::Binary(op, Box::new(domain.clone()), Box::new(within));
        let set = Expr::new(kind, functions.ty.clone(), functions.span);
        Some(self.said_of(local, Comparison::Member, set))
    }

    /// `f : A +-> B & dom(f) = D`: `f : D --> B`. So of relations and their ranges, and `s : iseq(A) & ran(s) = R`.
    fn on_told_sides(&self, local: LocalId, conjuncts: &[Pred]) -> Option<Pred> {
        let told = |of: UnaryOp| {
            let sides = conjuncts.iter().filter_map(|p| side_of(of, local, p));
            sides.filter(|(set, _)| !self.is_infinite(set)).max_by_key(|(_, all)| *all)
        };
        let side = |set: &Expr, of: UnaryOp, other: Option<&Expr>| match told(of) {
            // Points that are told one by one are all that there are.
            Some((side, all))
                if self.is_infinite(set) || all && other.is_some_and(|e| self.is_infinite(e)) =>
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
                    if from.is_none() && (to.is_none() || self.is_infinite(a))
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
                    let a = from.map_or_else(|| a.clone(), |(from, _)| Box::new(from));
                    let b = to.map_or_else(|| b.clone(), |(to, _)| Box::new(to));
                    ExprKind::Binary(arrow.op()?, a, b)
                }
                ExprKind::Unary(op @ (UnaryOp::Iseq | UnaryOp::Iseq1), of) => {
                    let (all, _) = side(of, UnaryOp::Ran, None)?;
                    ExprKind::Unary(*op, Box::new(all))
                }
                _ => return None,
            };
            let set = Expr::new(kind, set.ty.clone(), set.span);
            Some(Pred::new(PredKind::Compare(Comparison::Member, x.clone(), set), p.span))
        })
    }

    /// Whether some conjunct says what a local is equal to, or a set with an end that it is a member or a part
    /// of.
    fn is_ranged(&self, local: LocalId, conjuncts: &[Pred]) -> bool {
        conjuncts.iter().any(|p| match &p.kind {
            PredKind::Compare(
                Comparison::Member | Comparison::Subset | Comparison::StrictSubset,
                x,
                set,
            ) => is(local, x) && !self.is_infinite(set) && !mentions(local, set),
            // What it says of the local by itself is no set that it is found in.
            PredKind::Compare(Comparison::Equal, a, b) => {
                is(local, a) && !mentions(local, b) || is(local, b) && !mentions(local, a)
            }
            _ => false,
        })
    }

    /// `!x.(x : S => P)` says that `S` is a part of `{x | P}`. Where the members of that are not found by what
    /// `P` says, it is no help.
    fn all_of(&self, local: LocalId, p: &Pred) -> Option<Expr> {
        let PredKind::Forall(ids, inside, said) = &p.kind else { return None };
        let PredKind::Compare(Comparison::Member, x, set) = &inside.kind else { return None };
        let mut parts = Vec::new();
        if !is(local, set)
            || !tuple_of(x, &mut parts)
            || parts != *ids
            || Footprint::of_pred(said).locals.contains(&local)
            || !self.is_certain(said)
            || self.plan(ids, said, Undefined::Tell).is_unbounded(self)
        {
            return None;
        }
        let kind = ExprKind::Comprehension(ids.clone(), said.clone());
        Some(Expr::new(kind, set.ty.clone(), said.span))
    }

    /// Whether a predicate is true or false of whatever is asked, with what its quantifiers bind found.
    fn is_certain(&self, p: &Pred) -> bool {
        let found =
            |ids: &[LocalId], p: &Pred| !self.plan(ids, p, Undefined::Tell).is_unbounded(self);
        match &p.kind {
            PredKind::And(ps) | PredKind::Or(ps) => ps.iter().all(|p| self.is_certain(p)),
            PredKind::Not(p) => self.is_certain(p),
            PredKind::Implies(p, q) | PredKind::Iff(p, q) => {
                self.is_certain(p) && self.is_certain(q)
            }
            PredKind::Exists(ids, p) => self.is_certain(p) && found(ids, p),
            PredKind::Forall(ids, p, q) => {
                self.is_certain(p) && self.is_certain(q) && found(ids, p)
            }
            _ => self.is_total_pred(p),
        }
    }
}

/// `size(s) + card(t) = n`, or at most that: `size(s) <= n`, as no size is below 0.
fn of_sizes(local: LocalId, conjuncts: &[Pred], asked: &BTreeSet<LocalId>) -> Option<Pred> {
    use Comparison::{Equal, GreaterEqual, LessEqual};
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
            if std::ptr::eq(own, *sum) || !Footprint::of_expr(most).locals.is_disjoint(asked) {
                return None;
            }
            let kind = PredKind::Compare(LessEqual, own.clone(), (*most).clone());
            Some(Pred::new(kind, p.span))
        })
    })
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

/// The locals of a tuple, from left to right; whether it is one.
fn tuple_of(e: &Expr, out: &mut Vec<LocalId>) -> bool {
    match &e.kind {
        ExprKind::Local(id) => out.push(*id),
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            return matches!(b.kind, ExprKind::Local(_)) && tuple_of(a, out) && tuple_of(b, out);
        }
        _ => return false,
    }
    true
}

fn is(local: LocalId, e: &Expr) -> bool {
    e.kind == ExprKind::Local(local)
}

fn mentions(local: LocalId, e: &Expr) -> bool {
    Footprint::of_expr(e).locals.contains(&local)
}

/// A set that a local is a part of, if a conjunct on unions, differences, inverses or a partition says so.
fn part_of(local: LocalId, p: &Pred) -> Option<Expr> {
    match &p.kind {
        PredKind::Compare(op @ (Comparison::Equal | Comparison::Subset), a, b) => {
            let both = if *op == Comparison::Equal { &[(a, b), (b, a)][..] } else { &[(a, b)] };
            both.iter().find_map(|(made, whole)| {
                let is_made = !is(local, made) && !mentions(local, whole);
                is_made.then(|| around(local, made, (*whole).clone()))?
            })
        }
        PredKind::Partition(whole, parts) if !mentions(local, whole) => {
            parts.iter().find_map(|part| around(local, part, whole.clone()))
        }
        _ => None,
    }
}

/// A set that a local is a part of where this, made of it, is a part of that.
fn around(local: LocalId, made: &Expr, whole: Expr) -> Option<Expr> {
    let of = |kind, ty: &Type| Expr::new(kind, ty.clone(), whole.span);
    match &made.kind {
        ExprKind::Local(id) => (*id == local).then_some(whole),
        ExprKind::Binary(BinaryOp::Union, a, b) => {
            around(local, a, whole.clone()).or_else(|| around(local, b, whole))
        }
        ExprKind::Binary(BinaryOp::Difference, a, b) if !mentions(local, b) => {
            let all = ExprKind::Binary(BinaryOp::Union, Box::new(whole.clone()), b.clone());
            around(local, a, of(all, &whole.ty))
        }
        ExprKind::Unary(UnaryOp::Inverse, r) => {
            around(local, r, of(ExprKind::Unary(UnaryOp::Inverse, Box::new(whole.clone())), &r.ty))
        }
        ExprKind::Unary(UnaryOp::Union, sets) => match &sets.kind {
            ExprKind::SetExtension(sets) => {
                sets.iter().find_map(|set| around(local, set, whole.clone()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A set that a local is a member of: `{5, 7} = t \/ {x}`.
fn member_of(local: LocalId, p: &Pred) -> Option<Expr> {
    let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
    fn lists(local: LocalId, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::SetExtension(items) => items.iter().any(|item| is(local, item)),
            ExprKind::Binary(BinaryOp::Union, a, b) => lists(local, a) || lists(local, b),
            _ => false,
        }
    }
    let whole =
        [(a, b), (b, a)].into_iter().find(|(e, set)| lists(local, e) && !mentions(local, set));
    whole.map(|(_, set)| set.clone())
}

/// The set on the one side of `dom(r) = A` or `A = dom(r)`, or of `ran`; whether it is all of that.
fn side_of(of: UnaryOp, local: LocalId, p: &Pred) -> Option<(&Expr, bool)> {
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

/// The product of what conjuncts say of the domain and of the range of a relation.
fn between(local: LocalId, conjuncts: &[Pred]) -> Option<Expr> {
    let side = |of: UnaryOp| conjuncts.iter().find_map(|p| side_of(of, local, p));
    let ((from, _), (to, _)) = (side(UnaryOp::Dom)?, side(UnaryOp::Ran)?);
    let (left, right) = (from.ty.element()?.clone(), to.ty.element()?.clone());
    let kind = ExprKind::Binary(BinaryOp::Product, Box::new(from.clone()), Box::new(to.clone()));
    Some(Expr::new(kind, Type::pow(Type::pair(left, right)), from.span))
}

/// What conjuncts say of the least and of the greatest member of a set of integers, as an interval.
fn extent(local: LocalId, conjuncts: &[Pred]) -> Option<Expr> {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual};
    // Of several bounds, one that depends on nothing else.
    let side = |of: UnaryOp, beyond: [Comparison; 2]| {
        let bounds = conjuncts.iter().filter_map(|p| {
            let PredKind::Compare(op, a, b) = &p.kind else { return None };
            let is_side =
                |e: &Expr| matches!(&e.kind, ExprKind::Unary(op, s) if *op == of && is(local, s));
            let bound = match op {
                Equal if is_side(b) => a,
                op if is_side(a) && (*op == Equal || beyond.contains(op)) => b,
                _ => return None,
            };
            (!mentions(local, bound)).then_some(bound)
        });
        bounds.min_by_key(|bound| Footprint::of_expr(bound).locals.len())
    };
    let low = side(UnaryOp::Min, [Greater, GreaterEqual])?;
    let high = side(UnaryOp::Max, [Less, LessEqual])?;
    let kind = ExprKind::Binary(BinaryOp::Interval, Box::new(low.clone()), Box::new(high.clone()));
    Some(Expr::new(kind, Type::pow(Type::Integer), low.span))
}
