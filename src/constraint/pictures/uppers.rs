//! What the sets that an unknown function has as values are subsets of, where its range does not bound them:
//! `f : S --> POW(NATURAL)` and `!p.(p : S => f(p) <: A(p))`; also by cases that leave none out.

use super::functions::arrow;
use super::object::Object;
use crate::constraint::build::{Builder, Built, Refusal};
use crate::constraint::literal::Lit;
use crate::constraint::sketch::{Formula, Host, Sketch, Term};
use crate::constraint::store::{Store, Var};
use crate::machine::{BinaryOp, Comparison, LocalId, UnaryOp};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Most values of a variable that are looked through for cases.
const MOST_CASES: i64 = 256;

/// What the value at a point is a subset of, each where a literal is true.
#[derive(Default)]
pub struct Uppers(BTreeMap<Value, Vec<(Lit, Vec<Value>)>>);

impl Uppers {
    /// What the value at a point is a subset of in any case.
    pub fn at(&self, point: &Value, store: &Store) -> Option<Vec<Value>> {
        let told = self.0.get(point)?;
        if let Some((_, all)) = told.iter().find(|(on, _)| *on == Lit::Always) {
            return Some(all.clone());
        }
        let vars: BTreeSet<Var> = told.iter().filter_map(|(on, _)| on.var()).collect();
        vars.into_iter().find_map(|var| {
            let of = || told.iter().filter(|(on, _)| on.var() == Some(var));
            let (low, high) = (store.low(var), store.high(var));
            let is_told = |value| of().any(|(on, _)| on.is_true_of(value));
            let covers = high.checked_sub(low)? < MOST_CASES
                && (low..=high).all(|n| !store.contains(var, n) || is_told(n));
            let all: BTreeSet<&Value> = of().flat_map(|(_, all)| all).collect();
            covers.then(|| all.into_iter().cloned().collect())
        })
    }
}

/// Whether a set is one of functions to sets.
pub fn has_sets(set: &Sketch) -> bool {
    use UnaryOp::{Fin, Fin1, Pow, Pow1};
    let Term::Binary(op, _, range) = &set.term else { return false };
    arrow(*op).is_some_and(|arrow| arrow.functional)
        && matches!(range.term, Term::Unary(Pow | Pow1 | Fin | Fin1, _))
}

impl<'p, H: Host> Builder<'p, H> {
    /// What conjuncts say of the values of an unknown.
    pub fn uppers(&mut self, local: LocalId) -> Built<Uppers, H> {
        let mut uppers = Uppers::default();
        let problem = self.problem;
        for conjunct in problem.conjuncts.iter().filter(|formula| speaks_of(formula, local)) {
            self.uppers_in(conjunct, local, Lit::Always, &mut uppers)?;
        }
        Ok(uppers)
    }

    /// What a formula says of them that is not false where the literal is true.
    fn uppers_in(
        &mut self,
        formula: &'p Formula,
        local: LocalId,
        on: Lit,
        out: &mut Uppers,
    ) -> Built<(), H> {
        match formula {
            Formula::And(parts) => {
                for part in parts.iter().filter(|part| speaks_of(part, local)) {
                    self.uppers_in(part, local, on, out)?;
                }
            }
            Formula::Or(parts) => {
                let Some(at) = parts.iter().position(|part| speaks_of(part, local)) else {
                    return Ok(());
                };
                let mut denied = vec![on];
                for (_, other) in parts.iter().enumerate().filter(|(i, _)| *i != at) {
                    match self.attempt(|builder| builder.truth(other))? {
                        Some(truth) => denied.push(self.poster.lit(truth.fails())),
                        None => return Ok(()),
                    }
                }
                denied.retain(|lit| *lit != Lit::Always);
                let on = match denied[..] {
                    [] => Lit::Always,
                    [only] => only,
                    _ => return Ok(()),
                };
                self.uppers_in(&parts[at], local, on, out)?;
            }
            Formula::Otherwise(p, _) => self.uppers_in(p, local, on, out)?,
            Formula::Forall(scope, body) => {
                for instance in self.certain_instances(scope)? {
                    self.enter(&instance)?;
                    self.uppers_in(body, local, on, out)?;
                }
            }
            Formula::Compare(op, a, b) if on != Lit::Never => {
                let Some((point, within)) = bounded(*op, a, b, local) else { return Ok(()) };
                let found = self.attempt(|builder| {
                    let point = builder.term(point)?;
                    let within_what = builder.term(within)?;
                    match (point.object, point.defined, within_what.defined) {
                        (Object::Known(point), Lit::Always, Lit::Always) => {
                            let all = builder.candidates(&within_what.object, &within.shape)?;
                            Ok((point, all.into_iter().map(|(value, _)| value).collect()))
                        }
                        _ => Err(Refusal::Opaque),
                    }
                })?;
                if let Some((point, all)) = found {
                    out.0.entry(point).or_default().push((on, all));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The point of a function at which its value is within a set, and this set.
fn bounded<'p>(
    op: Comparison,
    a: &'p Sketch,
    b: &'p Sketch,
    local: LocalId,
) -> Option<(&'p Sketch, &'p Sketch)> {
    let point = |e: &'p Sketch| match &e.term {
        Term::Binary(BinaryOp::Apply, f, x) if matches!(f.term, Term::Unknown(id) if id == local) => {
            Some(&**x)
        }
        _ => None,
    };
    match op {
        Comparison::Subset | Comparison::StrictSubset => Some((point(a)?, b)),
        Comparison::Equal => match point(a) {
            Some(x) => Some((x, b)),
            None => Some((point(b)?, a)),
        },
        Comparison::Member => match &b.term {
            Term::Unary(UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1, of) => {
                Some((point(a)?, of))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a formula may say what a value of an unknown is a subset of.
fn speaks_of(formula: &Formula, local: LocalId) -> bool {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|p| speaks_of(p, local)),
        Formula::Forall(_, body) => speaks_of(body, local),
        Formula::Otherwise(p, _) => speaks_of(p, local),
        Formula::Compare(op, a, b) => bounded(*op, a, b, local).is_some(),
        _ => false,
    }
}
