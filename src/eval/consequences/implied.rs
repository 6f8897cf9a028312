//! What conjuncts say of a local without naming it as a member or a part.
//!
//! `even \/ odd = (1..n) * (1..n)` says that `odd` is a part of the product, `dom(f) = A & ran(f) <: B` that
//! `f` is a relation from `A` to `B`, `front(s) = e` that `s` is a sequence longer by one than `e`. A plan takes candidates from such
//! conjuncts where it has nothing better: they say less than those that they follow from, and are undefined where these are.

use crate::clock;
use crate::eval::compile::{Compiler, Undefined};
use crate::machine::footprint::Footprint;
use crate::machine::make;
use crate::machine::parts::Part;
use crate::machine::visit::same;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp, rewrite,
};
use crate::normalise;
use crate::value::relation::Arrow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// From how many sets on it is asked what those that are wanted are parts of.
const MANY_SETS: u128 = 1 << 8;

mod arguments;
mod arrows;
mod composed;
mod extents;
mod itself;
mod parts;
mod points;
mod restricted;

/// A local of which none of these conjuncts says a set that it is in or what it is equal to.
#[derive(Clone, Copy)]
struct Subject<'s> {
    compiler: &'s Compiler<'s>,
    local: LocalId,
    conjuncts: &'s [Pred],
    /// All locals that have no values yet.
    asked: &'s BTreeSet<LocalId>,
    /// Which of these are mentioned by what conjuncts say that one is equal to.
    leads: &'s BTreeMap<LocalId, BTreeSet<LocalId>>,
}

impl Compiler<'_> {
    /// Inclusions and memberships that follow from the conjuncts, for locals of which none says a set that they are in or what
    /// they are equal to.
    pub(in crate::eval) fn implied(&self, locals: &[LocalId], conjuncts: &[Pred]) -> Vec<Pred> {
        let asked: BTreeSet<LocalId> = locals.iter().copied().collect();
        let leads = leads(&asked, conjuncts);
        let listed = self.with_lists(&asked, conjuncts);
        let said = |local: &LocalId| {
            let ty = &self.machine().local(*local).ty;
            let (asked, leads) = (&asked, &leads);
            let subject = Subject { compiler: self, local: *local, conjuncts, asked, leads };
            let shape = self.shape(ty);
            if shape.is_finite() {
                // Finite types have an end by themselves; but some have many values.
                let is_large = shape.count().is_none_or(|all| all >= MANY_SETS);
                let is_set = matches!(ty, Type::Pow(_));
                return (is_set && is_large).then(|| subject.within_all()).flatten();
            }
            if subject.is_ranged() {
                return None;
            }
            clock::work(conjuncts.len());
            let subject = Subject { conjuncts: listed.as_deref().unwrap_or(conjuncts), ..subject };
            if let Some(p) =
                listed.as_ref().and_then(|said| said.iter().find(|p| subject.ranges(p)))
            {
                return Some(p.clone());
            }
            match ty {
                Type::Pow(_) => subject
                    .of_relations()
                    .or_else(|| subject.of_set())
                    .or_else(|| subject.of_sequences())
                    .or_else(|| subject.of_one_side()),
                Type::Record(_) => subject.of_record().or_else(|| subject.of_told_fields()),
                _ => subject.of_member().or_else(|| subject.of_domain()),
            }
        };
        locals.iter().filter_map(said).collect()
    }

    /// The conjuncts with `{p, q}` for `P`, where one of them is `P = {p, q}`, and what they say of all of a list said of
    /// each of it: what is said of the set is said of the members.
    fn with_lists(&self, asked: &BTreeSet<LocalId>, conjuncts: &[Pred]) -> Option<Vec<Pred>> {
        let list = |p: &Pred| {
            let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(set, list)| match (&set.kind, &list.kind) {
                (ExprKind::Local(id), ExprKind::SetExtension(items))
                    if asked.contains(id)
                        && !items
                            .iter()
                            .all(|e| Footprint::of_expr(e).locals.is_disjoint(asked)) =>
                {
                    Some((*id, list.kind.clone()))
                }
                _ => None,
            })
        };
        let lists: BTreeMap<LocalId, ExprKind> = conjuncts.iter().filter_map(list).collect();
        if lists.is_empty() {
            return None;
        }
        let told = |kind: &ExprKind| match kind {
            ExprKind::Local(id) => lists.get(id).cloned(),
            _ => None,
        };
        let mut said = Vec::new();
        for p in conjuncts {
            let p = if list(p).is_some() { p.clone() } else { rewrite::pred(p, &told) };
            match &p.kind {
                PredKind::Compare(Comparison::Subset, list, set)
                    if let ExprKind::SetExtension(items) = &list.kind =>
                {
                    for item in items {
                        self.split_comparison(Comparison::Member, item, set, p.span, &mut said);
                    }
                }
                _ => said.push(p),
            }
        }
        Some(said)
    }

    /// What a set without an end by its type has as domain, as size and so on, where a conjunct says it, is told in the
    /// others, too: `dom(f)` is `S` where `f : S --> T`, and `size(q)` is `8` where `size(q) = 8`. So the instances of
    /// `!i.(i : 1..size(q) => ..)` are known before `q` is.
    pub(in crate::eval) fn tell_parts(&self, locals: &[LocalId], conjuncts: &mut [Pred]) {
        for local in locals {
            let ty = &self.machine().local(*local).ty;
            if ty.element().is_none() || self.shape(ty).is_finite() {
                continue;
            }
            let is_given = |e: &Expr| {
                let needed = Footprint::of_expr(e).locals;
                !locals.iter().any(|id| needed.contains(id)) && self.is_total(e)
            };
            let mut told: Vec<(usize, UnaryOp, ExprKind)> = Vec::new();
            for (i, p) in conjuncts.iter().enumerate() {
                for (op, value) in parts_said(*local, p) {
                    if told.iter().all(|(_, known, _)| *known != op) && is_given(&value) {
                        told.push((i, op, value.kind));
                    }
                }
            }
            for (by, op, value) in told {
                let there = |kind: &ExprKind| is_part(kind, op, *local).then(|| value.clone());
                let asks = |p: &Pred| asks_part(Part::Pred(p), op, *local);
                let others = conjuncts.iter_mut().enumerate().filter(|(i, p)| *i != by && asks(p));
                others.for_each(|(_, p)| *p = rewrite::pred(p, &there));
            }
        }
    }
}

/// What a conjunct says that parts of a local are: the operators that give these, each with the value. What has a size is a
/// sequence.
fn parts_said(id: LocalId, p: &Pred) -> Vec<(UnaryOp, Expr)> {
    let part = |e: &Expr| match &e.kind {
        ExprKind::Unary(op, of) => is(id, of).then_some(*op),
        _ => None,
    };
    match &p.kind {
        PredKind::Compare(Comparison::Member, f, set) if is(id, f) => match &set.kind {
            ExprKind::Binary(arrow, domain, _)
                if Arrow::from_op(*arrow).is_some_and(|arrow| arrow.total) =>
            {
                vec![(UnaryOp::Dom, (**domain).clone())]
            }
            _ => Vec::new(),
        },
        PredKind::Compare(Comparison::Equal, a, b) => {
            let told = [part(a).map(|op| (op, b)), part(b).map(|op| (op, a))];
            let mut said = Vec::new();
            for (op, value) in told.into_iter().flatten() {
                said.push((op, value.clone()));
                if op == UnaryOp::Size {
                    said.push((UnaryOp::Dom, make::up_to(value.clone())));
                }
            }
            said
        }
        _ => Vec::new(),
    }
}

fn is_part(kind: &ExprKind, op: UnaryOp, id: LocalId) -> bool {
    matches!(kind, ExprKind::Unary(own, of) if *own == op && is(id, of))
}

/// Whether this part of a local is asked for somewhere.
fn asks_part(part: Part<'_>, op: UnaryOp, id: LocalId) -> bool {
    let mut asks = match part {
        Part::Expr(e) => is_part(&e.kind, op, id),
        Part::Pred(_) => false,
    };
    let mut inner = |part: Part<'_>| asks = asks || asks_part(part, op, id);
    part.parts(&mut inner);
    asks
}

/// How long something is at most of which conjuncts list the lengths: `size(s) : {1, 2}`, `size(s) = 1 or size(s) = 2`.
pub(in crate::eval) fn lengths(conjuncts: &[Pred]) -> Vec<Pred> {
    use Comparison::{Equal, LessEqual, Member};
    let is_length = |e: &Expr| matches!(e.kind, ExprKind::Unary(UnaryOp::Size | UnaryOp::Card, _));
    let number = |e: &Expr| match &e.kind {
        ExprKind::Integer(n) => Some(n.clone()),
        _ => None,
    };
    let one_of = |p: &Pred| match &p.kind {
        PredKind::Compare(Member, length, set) if is_length(length) => match &set.kind {
            ExprKind::SetExtension(items) => {
                let longest =
                    items.iter().map(number).collect::<Option<Vec<_>>>()?.into_iter().max();
                Some((length.clone(), longest?))
            }
            _ => None,
        },
        PredKind::Compare(Equal, a, b) => {
            let (length, e) = if is_length(a) { (a, b) } else { (b, a) };
            is_length(length).then_some(())?;
            Some((length.clone(), number(e)?))
        }
        _ => None,
    };
    // `size(s) = n & n < 4`.
    let under = |p: &Pred| {
        let PredKind::Compare(Equal, a, b) = &p.kind else { return None };
        let (length, n) = if is_length(a) { (a, b) } else { (b, a) };
        if !is_length(length) || !matches!(n.kind, ExprKind::Local(_)) {
            return None;
        }
        conjuncts.iter().find_map(|p| {
            let (op, most) = at_most(n, p)?;
            Some(Pred::new(PredKind::Compare(op, length.clone(), most.clone()), p.span))
        })
    };
    let said = |p: &Pred| {
        let (length, longest) = match &p.kind {
            PredKind::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(one_of).collect::<Option<_>>()?;
                let (length, _) = parts.first()?.clone();
                parts.iter().all(|(other, _)| same(other, &length)).then_some(())?;
                (length, parts.into_iter().map(|(_, n)| n).max()?)
            }
            PredKind::Compare(Member, ..) => one_of(p)?,
            _ => return None,
        };
        let longest = Expr::new(ExprKind::Integer(longest), Type::Integer, p.span);
        Some(Pred::new(PredKind::Compare(LessEqual, length, longest), p.span))
    };
    conjuncts.iter().filter_map(|p| said(p).or_else(|| under(p))).collect()
}

/// What a conjunct says that a number is less than, or at most.
fn at_most<'p>(n: &Expr, p: &'p Pred) -> Option<(Comparison, &'p Expr)> {
    use Comparison::{Greater, GreaterEqual, Less, LessEqual, Member};
    let PredKind::Compare(op, a, b) = &p.kind else { return None };
    let (op, most) = match (op, &b.kind) {
        (Less | LessEqual, _) if a.kind == n.kind => (*op, b),
        (Greater, _) if b.kind == n.kind => (Less, a),
        (GreaterEqual, _) if b.kind == n.kind => (LessEqual, a),
        (Member, ExprKind::Binary(BinaryOp::Interval, _, high)) if a.kind == n.kind => {
            (LessEqual, &**high)
        }
        _ => return None,
    };
    Footprint::of_expr(most).locals.is_empty().then_some((op, most))
}

impl Subject<'_> {
    /// Whether an expression has its value before any of the locals has.
    fn is_given(&self, e: &Expr) -> bool {
        Footprint::of_expr(e).locals.is_disjoint(self.asked)
    }

    fn said(&self, op: Comparison, of: Expr) -> Pred {
        let declared = self.compiler.machine().local(self.local);
        let x = Expr::new(ExprKind::Local(self.local), declared.ty.clone(), declared.span);
        let span = of.span;
        Pred::new(PredKind::Compare(op, x, of), span)
    }

    /// `!x.(x : S => P)`, of a set that is given otherwise, too.
    fn within_all(&self) -> Option<Pred> {
        let set = self.conjuncts.iter().find_map(|p| self.all_of(p))?;
        self.is_given(&set).then(|| self.said(Comparison::Subset, set))
    }

    /// A set that contains it, if it is a set.
    fn of_set(&self) -> Option<Pred> {
        let Subject { local, conjuncts, .. } = *self;
        let parts = conjuncts.iter().filter_map(|p| parts::part_of(local, p));
        let mut said: Vec<Expr> = parts.collect();
        said.extend(parts::split(local, conjuncts));
        said.extend(self.product(true));
        said.extend(extents::extent(local, conjuncts));
        said.extend(restricted::restricted(local, conjuncts));
        said.extend(conjuncts.iter().filter_map(|p| parts::arguments_of(local, p)));
        // Better one that does not wait for other locals.
        let bound = said.iter().find(|set| self.is_given(set)).cloned();
        let bound = bound.or_else(|| conjuncts.iter().find_map(|p| self.all_of(p)));
        let bound = bound.or_else(|| said.into_iter().next());
        let set = bound.filter(|set| !self.compiler.is_whole_type(set))?;
        Some(self.said(Comparison::Subset, set))
    }

    /// `dom(f) = {1, 2}`, and nothing better.
    fn of_one_side(&self) -> Option<Pred> {
        let set = self.product(false)?;
        (!self.compiler.is_whole_type(&set)).then(|| self.said(Comparison::Subset, set))
    }

    /// Of what is no set: a set that it is found in, as a part of something composed.
    fn of_member(&self) -> Option<Pred> {
        let said = || {
            let of = |p| {
                composed::member_of(self.local, p).or_else(|| arguments::leads_on(self.local, p))
            };
            self.conjuncts.iter().filter_map(of)
        };
        let given = said().find(|set| self.is_given(set));
        let set = given.or_else(|| self.of_argument()).or_else(|| said().next())?;
        (!self.compiler.is_infinite(&set)).then(|| self.said(Comparison::Member, set))
    }

    /// `size(s) = 3`: `s : seq(T)`, of which everything else would be undefined.
    fn of_sequences(&self) -> Option<Pred> {
        let Subject { compiler, local, conjuncts, .. } = *self;
        let declared = compiler.machine().local(local);
        let Type::Pair(sides) = declared.ty.element()? else { return None };
        // An equation of what it is a part of tells more.
        let types = |p: &Pred| match &p.kind {
            PredKind::Compare(Comparison::Member | Comparison::Subset, x, _) => is(local, x),
            PredKind::Compare(Comparison::Equal, a, b) => {
                is_joined(local, a) || is_joined(local, b)
            }
            _ => false,
        };
        let asks = |p: &Pred| match &p.kind {
            PredKind::Compare(_, a, b) => asks_size(local, a) || asks_size(local, b),
            _ => false,
        };
        if conjuncts.iter().any(types) || !conjuncts.iter().any(asks) {
            return None;
        }
        let of = normalise::whole(&sides.1, declared.span);
        let kind = ExprKind::Unary(UnaryOp::Seq, Arc::new(of));
        let all = Expr::new(kind, Type::pow(declared.ty.clone()), declared.span);
        Some(self.said(Comparison::Member, all))
    }

    /// `r'a = x & r'b = y`: `r = rec(a : x, b : y)`, where no other local is in these.
    fn of_record(&self) -> Option<Pred> {
        let Subject { local, conjuncts, .. } = *self;
        let declared = self.compiler.machine().local(local);
        let Type::Record(fields) = &declared.ty else { return None };
        let is_field = |e: &Expr, n: usize| matches!(&e.kind, ExprKind::Field(r, i) if *i == n && is(local, r));
        let value = |n: usize| {
            conjuncts.iter().find_map(|p| {
                let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
                let both = [(a, b), (b, a)].into_iter();
                let mut values = both.filter(|(field, _)| is_field(field, n)).map(|(_, e)| e);
                values.find(|e| self.is_given(e)).cloned()
            })
        };
        let values = (0..fields.len()).map(value).collect::<Option<Vec<Expr>>>()?;
        let record = Expr::new(ExprKind::Record(values), declared.ty.clone(), declared.span);
        Some(self.said(Comparison::Equal, record))
    }

    /// Whether some conjunct says what a local is equal to, or a set with an end that it is a member or a part
    /// of.
    fn is_ranged(&self) -> bool {
        let Subject { local, conjuncts, .. } = *self;
        conjuncts.iter().any(|p| match &p.kind {
            _ if self.ranges(p) => true,
            // What it says of the local by itself is no set that it is found in.
            PredKind::Compare(Comparison::Equal, a, b) => {
                is(local, a) && !self.leads_back(b) || is(local, b) && !self.leads_back(a)
            }
            _ => false,
        })
    }

    /// Whether a conjunct says that the local is in a set, or a part of one, that has an end.
    fn ranges(&self, p: &Pred) -> bool {
        use Comparison::{Member, StrictSubset, Subset};
        let PredKind::Compare(Member | Subset | StrictSubset, x, set) = &p.kind else {
            return false;
        };
        let has_end = !self.compiler.is_infinite(set) && !self.compiler.may_be_symbolic(set);
        is(self.local, x) && has_end && !mentions(self.local, set)
    }

    /// Whether an expression mentions the local, or another whose equation leads to it: then neither is known first.
    fn leads_back(&self, e: &Expr) -> bool {
        let mentioned = Footprint::of_expr(e).locals;
        let (mut seen, mut next) = (BTreeSet::new(), Vec::from_iter(mentioned));
        while let Some(id) = next.pop() {
            if id == self.local {
                return true;
            }
            if seen.insert(id) {
                next.extend(self.leads.get(&id).into_iter().flatten());
            }
        }
        false
    }

    /// `!x.(x : S => P)` says that `S` is a part of `{x | P}`. Where the members of that are not found by what
    /// `P` says, it is no help.
    fn all_of(&self, p: &Pred) -> Option<Expr> {
        let Subject { compiler, local, .. } = *self;
        let PredKind::Forall(ids, inside, said) = &p.kind else { return None };
        let PredKind::Compare(Comparison::Member, x, set) = &inside.kind else { return None };
        let mut parts = Vec::new();
        if !is(local, set)
            || !tuple_of(x, &mut parts)
            || parts != *ids
            || Footprint::of_pred(said).locals.contains(&local)
            || !compiler.is_certain(said)
        {
            return None;
        }
        // What it is a part of bounds the members, too.
        let typed = self.conjuncts.iter().find_map(|p| parts::typed_part_of(local, p));
        let typed = typed
            .map(|all| Pred::new(PredKind::Compare(Comparison::Member, x.clone(), all), said.span));
        let said = Pred::and(typed.into_iter().chain([(**said).clone()]).collect(), said.span);
        if compiler.plan(ids, &said, Undefined::Tell).is_unbounded(compiler) {
            return None;
        }
        let span = said.span;
        let kind = ExprKind::Comprehension(ids.clone(), Arc::new(said));
        Some(Expr::new(kind, set.ty.clone(), span))
    }
}

impl Compiler<'_> {
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

/// Which of these locals are mentioned by what conjuncts say that one of them is equal to.
fn leads(asked: &BTreeSet<LocalId>, conjuncts: &[Pred]) -> BTreeMap<LocalId, BTreeSet<LocalId>> {
    let mut leads: BTreeMap<LocalId, BTreeSet<LocalId>> = BTreeMap::new();
    for p in conjuncts {
        let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { continue };
        for (x, e) in [(a, b), (b, a)] {
            if let ExprKind::Local(id) = x.kind
                && asked.contains(&id)
            {
                let mentioned = Footprint::of_expr(e).locals;
                leads.entry(id).or_default().extend(mentioned.intersection(asked));
            }
        }
    }
    leads
}

/// The locals of a tuple, from left to right; whether it is one.
pub(super) fn tuple_of(e: &Expr, out: &mut Vec<LocalId>) -> bool {
    match &e.kind {
        ExprKind::Local(id) => out.push(*id),
        ExprKind::Binary(BinaryOp::Pair, a, b) => {
            return matches!(b.kind, ExprKind::Local(_)) && tuple_of(a, out) && tuple_of(b, out);
        }
        _ => return false,
    }
    true
}

/// Whether an expression, where it is evaluated, asks how long a local is as a sequence.
fn asks_size(local: LocalId, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Size, s) if is(local, s) => true,
        ExprKind::Unary(_, a) => asks_size(local, a),
        ExprKind::Binary(_, a, b) => asks_size(local, a) || asks_size(local, b),
        _ => false,
    }
}

/// Whether an expression is a sequence that a local is put together with others to.
fn is_joined(local: LocalId, e: &Expr) -> bool {
    use BinaryOp::{Append, Concat, Prepend};
    match &e.kind {
        ExprKind::Binary(Append | Concat | Prepend, a, b) => {
            mentions(local, a) || mentions(local, b)
        }
        _ => false,
    }
}

fn is(local: LocalId, e: &Expr) -> bool {
    e.kind == ExprKind::Local(local)
}

fn mentions(local: LocalId, e: &Expr) -> bool {
    Footprint::of_expr(e).locals.contains(&local)
}
