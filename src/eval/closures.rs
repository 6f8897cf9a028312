//! What conjuncts on the closure of a relation say of the relation: `closure1(r) /\ id(S) = {}`.
//!
//! The closure of what is not known is no picture that the solver has. What is a part of the closure is within what that is
//! within: so are the relation, and its pairs of steps. The conjuncts themselves stay.

use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp};

/// Conjuncts that follow, of relations among these locals.
pub(super) fn of_closures(locals: &[LocalId], conjuncts: &[Pred]) -> Vec<Pred> {
    let closures = Closures { locals };
    let mut found = Vec::new();
    for p in conjuncts {
        match &p.kind {
            PredKind::Compare(Comparison::Equal, a, b) => {
                closures.of_part(a, b, true, &mut found);
                closures.of_part(b, a, true, &mut found);
            }
            PredKind::Compare(Comparison::Subset, a, b) => {
                closures.of_part(a, b, false, &mut found);
            }
            PredKind::Compare(Comparison::NotMember, a, b) => {
                if let Some(r) = closures.within(b) {
                    let kind = PredKind::Compare(Comparison::NotMember, a.clone(), r.clone());
                    found.push(Pred::new(kind, p.span));
                }
            }
            PredKind::Forall(ids, inside, said) => {
                for said in said.conjuncts() {
                    let said = closures.of_steps(Comparison::NotMember, said);
                    let all = |said| PredKind::Forall(ids.clone(), inside.clone(), Box::new(said));
                    found.extend(said.into_iter().map(|said| Pred::new(all(said), p.span)));
                }
            }
            PredKind::Not(p) => {
                if let PredKind::Exists(ids, body) = &p.kind {
                    closures.of_none(ids, body, &mut found);
                }
            }
            _ => {}
        }
    }
    found
}

/// Closures of relations among these locals.
struct Closures<'c> {
    locals: &'c [LocalId],
}

impl Closures<'_> {
    /// `made <: whole`, or, where that is said, `made = whole`.
    fn of_part(&self, made: &Expr, whole: &Expr, equal: bool, found: &mut Vec<Pred>) {
        let mut say = |op, a: Expr, b: &Expr| {
            let span = made.span;
            found.push(Pred::new(PredKind::Compare(op, a, b.clone()), span));
        };
        let is_free_of = |e: &Expr, r: &Expr| {
            Footprint::of_expr(e).locals.is_disjoint(&Footprint::of_expr(r).locals)
        };
        if let Some(r) = self.within(made).filter(|r| is_free_of(whole, r)) {
            return say(Comparison::Subset, r.clone(), whole);
        }
        let ExprKind::Binary(op, a, b) = &made.kind else { return };
        match op {
            BinaryOp::Intersection if whole.kind == ExprKind::Empty => {
                for (closure, other) in [(a, b), (b, a)] {
                    if let Some(r) = self.within(closure) {
                        // A relation is within its closure.
                        let other = match &other.kind {
                            ExprKind::Unary(UnaryOp::Closure1, of) => of,
                            _ => other,
                        };
                        let twice = binary(BinaryOp::Compose, r, r, r);
                        say(Comparison::Equal, binary(*op, r, other, r), whole);
                        say(Comparison::Equal, binary(*op, &twice, other, r), whole);
                    }
                }
            }
            BinaryOp::Image => {
                let Some(r) = self.within(a).filter(|r| is_free_of(whole, r)) else { return };
                say(Comparison::Subset, binary(*op, r, b, whole), whole);
                // One step further leads nowhere else.
                if equal {
                    say(Comparison::Subset, binary(*op, r, whole, whole), whole);
                }
            }
            _ => {}
        }
    }

    /// There is nothing of which a predicate holds: nor is there, where it asks for members of a closure, among steps.
    fn of_none(&self, ids: &[LocalId], body: &Pred, found: &mut Vec<Pred>) {
        let parts = body.conjuncts();
        for (i, part) in parts.iter().enumerate() {
            for step in self.of_steps(Comparison::Member, part) {
                let others = parts.iter().enumerate().filter(|(j, _)| *j != i);
                let all = others.map(|(_, p)| (*p).clone()).chain([step]).collect();
                let body = Box::new(Pred::and(all, body.span));
                let exists = Pred::new(PredKind::Exists(ids.to_vec(), body), part.span);
                found.push(Pred::new(PredKind::Not(Box::new(exists)), part.span));
            }
        }
    }

    /// `x |-> y : closure1(r)`, or `y : closure1(r)[{x}]`, where that is how it compares: the same of one step and of two.
    fn of_steps(&self, op: Comparison, p: &Pred) -> Vec<Pred> {
        let PredKind::Compare(own, x, set) = &p.kind else { return Vec::new() };
        if *own != op {
            return Vec::new();
        }
        let (closure, point) = match &set.kind {
            ExprKind::Binary(BinaryOp::Image, closure, point) => (&**closure, Some(point)),
            _ => (set, None),
        };
        let Some(r) = self.within(closure) else { return Vec::new() };
        let steps = [r.clone(), binary(BinaryOp::Compose, r, r, r)];
        let said = steps.map(|steps| {
            let set = match point {
                Some(point) => binary(BinaryOp::Image, &steps, point, set),
                None => steps,
            };
            Pred::new(PredKind::Compare(op, x.clone(), set), p.span)
        });
        said.into()
    }

    /// The relation among these locals whose closure an expression is.
    fn within<'e>(&self, e: &'e Expr) -> Option<&'e Expr> {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Closure1, r) => match r.kind {
                ExprKind::Local(id) if self.locals.contains(&id) => Some(r),
                _ => None,
            },
            _ => None,
        }
    }
}

/// `a op b`, of the type of something like it.
fn binary(op: BinaryOp, a: &Expr, b: &Expr, like: &Expr) -> Expr {
    let kind = ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
    Expr::new(kind, like.ty.clone(), like.span)
}
