//! Functions that are told case by case, `{0 |-> 1} \/ %n.(n : NATURAL1 | n * f(n - 1))`: whether they are what
//! is said of them.
//!
//! The cases of a function exclude one another. That is seen where the arguments are integers between
//! bounds, or where one case says of them what another denies.

use super::decided::{Given, from, subset};
use super::made::Made;
use super::results::results;
use crate::machine::visit::same;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, UnaryOp, rewrite,
};
use crate::normalise::endless::{is_whole, literal};
use num_bigint::BigInt;

/// One case: the arguments of a lambda, or a pair.
struct Case<'e> {
    keys: Option<Keys>,
    /// Of a free type.
    made: Option<Made>,
    /// The set that its arguments are taken from.
    from: Option<Expr>,
    /// It has the empty sequence, or set, as its only argument, or never has it.
    empty: Option<bool>,
    /// Of a lambda of one name.
    condition: Option<(LocalId, &'e Pred)>,
}

/// Integers between bounds, all of them or some.
struct Keys {
    low: Option<BigInt>,
    high: Option<BigInt>,
    all: bool,
}

/// Whether a union of lambdas and pairs is in a set of relations or functions; `None` where that is not seen.
pub(super) fn member(
    value: &Expr,
    op: BinaryOp,
    a: &Expr,
    b: &Expr,
    given: Given<'_>,
) -> Option<bool> {
    use BinaryOp::{PartialFunctions, Relations, TotalFunctions};
    if !matches!(op, Relations | PartialFunctions | TotalFunctions) {
        return None;
    }
    let mut cases = Vec::new();
    if !read(value, b, given, &mut cases) {
        return None;
    }
    let target = Made::set(a, given.freetypes);
    let inside = |case: &Case| {
        let sets = matches!(
            a.kind,
            ExprKind::Unary(UnaryOp::Seq | UnaryOp::Iseq | UnaryOp::Pow | UnaryOp::Fin, _)
        );
        let made = case.made.as_ref().zip(target.as_ref());
        case.keys.as_ref().is_some_and(|keys| keys.are_in(a))
            || case.from.as_ref().is_some_and(|set| subset(set, a) == Some(true))
            || sets && case.empty == Some(true)
            || made.is_some_and(|(made, target)| made.are_in(target))
    };
    let arguments = is_whole(a) || cases.iter().all(inside);
    let excluded =
        || (0..cases.len()).all(|i| cases[..i].iter().all(|other| excludes(&cases[i], other)));
    let seen = arguments
        && (op == Relations || excluded())
        && (op != TotalFunctions || covers(&cases, a, target.as_ref()));
    seen.then_some(true)
}

/// The cases of a union, whose values are in a set; whether it is one of these and they are.
fn read<'e>(value: &'e Expr, set: &Expr, given: Given<'_>, out: &mut Vec<Case<'e>>) -> bool {
    match &value.kind {
        ExprKind::Binary(BinaryOp::Union, a, b) => {
            read(a, set, given, out) && read(b, set, given, out)
        }
        ExprKind::Fold(Fold::Lambda, ids, p, body) => {
            let condition = match ids[..] {
                [id] => Some((id, &**p)),
                _ => None,
            };
            let from = condition.and_then(|(id, p)| from(id, p));
            let filled = |set: &Expr| {
                use UnaryOp::{Fin1, Iseq1, Pow1, Seq1};
                matches!(set.kind, ExprKind::Unary(Seq1 | Iseq1 | Pow1 | Fin1, _))
            };
            out.push(Case {
                keys: condition.and_then(|(id, p)| keys_of(id, p)),
                made: condition.and_then(|(id, p)| Made::local(id, p, given.freetypes)),
                empty: from.as_ref().is_some_and(filled).then_some(false),
                from,
                condition,
            });
            results(p, body, set, given.itself)
        }
        ExprKind::SetExtension(pairs) => pairs.iter().all(|pair| {
            let ExprKind::Binary(BinaryOp::Pair, key, value) = &pair.kind else { return false };
            let keys =
                literal(key).map(|n| Keys { low: Some(n.clone()), high: Some(n), all: true });
            let empty = is_empty(key).then_some(true);
            let made = Made::value(key);
            out.push(Case { keys, made, from: None, empty, condition: None });
            results(&Pred::new(PredKind::True, value.span), value, set, given.itself)
        }),
        _ => false,
    }
}

/// Whether all of these are pairs of listed numbers in one set and values in another.
pub(super) fn are_pairs_of(pairs: &Expr, a: &Expr, b: &Expr) -> bool {
    let mut cases = Vec::new();
    let inside = |case: &Case| is_whole(a) || case.keys.as_ref().is_some_and(|keys| keys.are_in(a));
    matches!(pairs.kind, ExprKind::SetExtension(_))
        && read(pairs, b, Given::default(), &mut cases)
        && cases.iter().all(inside)
}

/// A number that an integer is never below, by what a predicate says of it.
pub(super) fn least(id: LocalId, p: &Pred) -> Option<BigInt> {
    keys_of(id, p).and_then(|keys| keys.low).or_else(|| match from(id, p)?.kind {
        ExprKind::Basic(BasicSet::Nat) => Some(BigInt::from(0)),
        ExprKind::Basic(BasicSet::Nat1) => Some(BigInt::from(1)),
        _ => None,
    })
}

/// The bounds that a predicate puts on an integer.
fn keys_of(id: LocalId, p: &Pred) -> Option<Keys> {
    let mut keys = Keys { low: None, high: None, all: true };
    for c in p.conjuncts() {
        let PredKind::Compare(op, a, b) = &c.kind else {
            keys.all = false;
            continue;
        };
        let is_it = |e: &Expr| e.kind == ExprKind::Local(id);
        let (op, bound) = if is_it(a) {
            (*op, b)
        } else if is_it(b) {
            (mirrored(*op), a)
        } else {
            keys.all = false;
            continue;
        };
        keys.all &= keys.narrow(op, bound);
    }
    (keys.low.is_some() || keys.high.is_some()).then_some(keys)
}

impl Keys {
    /// Takes in what a comparison says; whether that is all that it says.
    fn narrow(&mut self, op: Comparison, bound: &Expr) -> bool {
        use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, Member};
        let (low, high) = match (op, literal(bound)) {
            (Equal, Some(n)) => (Some(n.clone()), Some(n)),
            (Less, Some(n)) => (None, Some(n - 1)),
            (LessEqual, Some(n)) => (None, Some(n)),
            (Greater, Some(n)) => (Some(n + 1), None),
            (GreaterEqual, Some(n)) => (Some(n), None),
            (Member, _) => match &bound.kind {
                ExprKind::SetExtension(items) => {
                    let numbers: Option<Vec<BigInt>> = items.iter().map(literal).collect();
                    let Some(numbers) = numbers else { return false };
                    self.all = false;
                    (numbers.iter().min().cloned(), numbers.into_iter().max())
                }
                _ => match bounds(bound) {
                    Some(bounds) => bounds,
                    None => return false,
                },
            },
            _ => return false,
        };
        if let Some(low) = low {
            self.low = Some(self.low.take().map_or(low.clone(), |old| old.max(low)));
        }
        if let Some(high) = high {
            self.high = Some(self.high.take().map_or(high.clone(), |old| old.min(high)));
        }
        true
    }

    fn are_in(&self, set: &Expr) -> bool {
        let Some((low, high)) = bounds(set) else { return false };
        let above = low.is_none() || self.low.as_ref() >= low.as_ref();
        above && high.is_none_or(|high| self.high.as_ref().is_some_and(|own| *own <= high))
    }

    fn are_below(&self, other: &Keys) -> bool {
        self.high.as_ref().zip(other.low.as_ref()).is_some_and(|(high, low)| high < low)
    }
}

/// The least and the greatest member of a set of all integers between them.
fn bounds(set: &Expr) -> Option<(Option<BigInt>, Option<BigInt>)> {
    match &set.kind {
        ExprKind::Basic(BasicSet::Integer) => Some((None, None)),
        ExprKind::Basic(BasicSet::Natural) => Some((Some(BigInt::from(0)), None)),
        ExprKind::Basic(BasicSet::Natural1) => Some((Some(BigInt::from(1)), None)),
        ExprKind::Binary(BinaryOp::Interval, a, b) => Some((Some(literal(a)?), Some(literal(b)?))),
        _ => None,
    }
}

/// Whether an expression is the empty sequence.
fn is_empty(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Empty => true,
        ExprKind::Sequence(items) => items.is_empty(),
        _ => false,
    }
}

/// Whether two cases have no argument in common.
fn excludes(a: &Case, b: &Case) -> bool {
    if a.empty.zip(b.empty).is_some_and(|(a, b)| a != b) {
        return true;
    }
    if a.made.as_ref().zip(b.made.as_ref()).is_some_and(|(a, b)| a.excludes(b)) {
        return true;
    }
    if let (Some(x), Some(y)) = (&a.keys, &b.keys)
        && (x.are_below(y) || y.are_below(x))
    {
        return true;
    }
    let (Some((x, p)), Some((y, q))) = (a.condition, b.condition) else { return false };
    let renamed = rewrite::pred(q, &|kind| match kind {
        ExprKind::Local(id) if *id == y => Some(ExprKind::Local(x)),
        _ => None,
    });
    let others = renamed.conjuncts();
    p.conjuncts().iter().any(|c| others.iter().any(|other| denies(c, other)))
}

/// Whether one comparison says the opposite of another.
fn denies(p: &Pred, q: &Pred) -> bool {
    match (&p.kind, &q.kind) {
        (PredKind::Not(p), _) => is_same(p, q),
        (_, PredKind::Not(q)) => is_same(p, q),
        (PredKind::Compare(op, a, b), PredKind::Compare(other, c, d)) => {
            opposite(*op) == Some(*other) && same(a, c) && same(b, d)
        }
        _ => false,
    }
}

fn is_same(p: &Pred, q: &Pred) -> bool {
    let (PredKind::Compare(op, a, b), PredKind::Compare(other, c, d)) = (&p.kind, &q.kind) else {
        return false;
    };
    op == other && same(a, c) && same(b, d)
}

fn opposite(op: Comparison) -> Option<Comparison> {
    use Comparison::*;
    Some(match op {
        Equal => NotEqual,
        NotEqual => Equal,
        Member => NotMember,
        NotMember => Member,
        Less => GreaterEqual,
        GreaterEqual => Less,
        Greater => LessEqual,
        LessEqual => Greater,
        _ => return None,
    })
}

/// The same comparison with its sides changed.
fn mirrored(op: Comparison) -> Comparison {
    use Comparison::*;
    match op {
        Less => Greater,
        Greater => Less,
        LessEqual => GreaterEqual,
        GreaterEqual => LessEqual,
        // `S : x` says nothing of the kind.
        Member => NotMember,
        op => op,
    }
}

/// Whether cases that exclude one another have all members of a set as arguments: of integers, or of a free
/// type, `made`.
fn covers(cases: &[Case], set: &Expr, made: Option<&Made>) -> bool {
    if let Some(made) = made {
        return Made::cover(cases.iter().filter_map(|case| case.made.as_ref()), made);
    }
    let Some((low, high)) = bounds(set) else { return cover_all_sizes(cases, set) };
    let keys: Option<Vec<&Keys>> =
        cases.iter().map(|case| case.keys.as_ref().filter(|keys| keys.all)).collect();
    let Some(mut keys) = keys else { return false };
    // Without a lower bound first.
    keys.sort_by(|a, b| a.low.cmp(&b.low));
    let ends =
        keys.first().is_some_and(|k| k.low == low) && keys.last().is_some_and(|k| k.high == high);
    ends && keys.windows(2).all(|pair| match (&pair[0].high, &pair[1].low) {
        (Some(high), Some(low)) => high + 1 == *low,
        _ => false,
    })
}

/// Whether cases have the empty set, and all others, of a set of sets or of sequences.
fn cover_all_sizes(cases: &[Case], set: &Expr) -> bool {
    use UnaryOp::{Fin, Fin1, Iseq, Iseq1, Pow, Pow1, Seq, Seq1};
    let ExprKind::Unary(op, of) = &set.kind else { return false };
    let filled = match op {
        Seq => Seq1,
        Iseq => Iseq1,
        Pow => Pow1,
        Fin => Fin1,
        _ => return false,
    };
    let has_others = |case: &Case| {
        let is_all = case.condition.is_some_and(|(_, p)| p.conjuncts().len() == 1);
        is_all
            && case.from.as_ref().is_some_and(|from| match &from.kind {
                ExprKind::Unary(op, all) => *op == filled && subset(of, all) == Some(true),
                _ => false,
            })
    };
    cases.iter().any(|case| case.empty == Some(true)) && cases.iter().any(has_others)
}
