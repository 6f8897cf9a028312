//! Relations that are applied and not built: lambdas, comprehensions, and what unions, overriding and
//! restrictions make of them.

use super::code::{Binder, BoolFn, EachFn, TestFn, ValueFn};
use super::compile::{Compiler, Undefined};
use super::env::{Env, Flow};
use super::stop::{FaultKind, Stop};
use super::symbolic;
use crate::machine::footprint::Footprint;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind};
use crate::typing;
use crate::value::{Shape, Value, relation};

/// What a relation gives for one argument.
pub enum Applied {
    One(Value),
    /// The argument is outside of the domain.
    None,
    /// Two different values at least.
    Several,
    /// The relation has no form that can be applied.
    Unknown,
}

impl Applied {
    /// The fault of an application that has no value.
    pub fn value(self) -> Result<Value, FaultKind> {
        match self {
            Applied::One(v) => Ok(v),
            Applied::None => Err(FaultKind::OutsideDomain),
            Applied::Several => Err(FaultKind::NotFunctional),
            Applied::Unknown => Err(FaultKind::InfiniteSet),
        }
    }

    /// What the union of the two relations gives.
    fn or(self, other: Applied) -> Applied {
        match (self, other) {
            (Applied::Unknown, _) | (_, Applied::Unknown) => Applied::Unknown,
            (Applied::None, one) | (one, Applied::None) => one,
            (Applied::One(a), Applied::One(b)) if a == b => Applied::One(a),
            _ => Applied::Several,
        }
    }
}

/// A relation in a form that can be applied.
pub enum Mapping {
    Lambda {
        binder: Binder,
        pred: BoolFn,
        body: ValueFn,
    },
    Solved(Solved),
    /// The value of an expression.
    Listed {
        shape: Shape,
        value: ValueFn,
    },
    Union(Box<Mapping>, Box<Mapping>),
    /// The second, where it has the argument.
    Override(Box<Mapping>, Box<Mapping>),
    /// Restricted to arguments for which the test gives this.
    Domain(TestFn, bool, Box<Mapping>),
    /// Restricted to results for which the test gives this.
    Range(TestFn, bool, Box<Mapping>),
}

/// `{x, y | P}`, applied to `x`: `y` is given by the first of the cases that applies, or else looked
/// for.
pub struct Solved {
    argument: Binder,
    result: Binder,
    cases: Vec<Case>,
    each: EachFn,
}

/// `C => y = E`, or `y = E`: where `C` holds, no other `y` can be meant.
struct Case {
    condition: Option<BoolFn>,
    value: ValueFn,
    /// What else the comprehension says.
    rest: BoolFn,
}

impl Compiler<'_> {
    /// The form in which a relation is applied without being built; `None`: it has a value like others.
    pub(super) fn mapping(&self, f: &Expr) -> Option<Mapping> {
        use BinaryOp::*;
        let boxed = |f: &Expr| Some(Box::new(self.mapping_or_value(f)?));
        match &f.kind {
            ExprKind::Fold(Fold::Lambda, locals, pred, body) => Some(Mapping::Lambda {
                binder: Binder::tuple(&self.slots(locals)),
                pred: self.pred(pred),
                body: self.kept(body),
            }),
            ExprKind::Comprehension(locals, pred) => match &locals[..] {
                [argument @ .., result] if !argument.is_empty() && typing::looks_infinite(f) => {
                    Some(Mapping::Solved(self.solved(argument, *result, pred)))
                }
                _ => None,
            },
            ExprKind::Binary(op, a, b) => match op {
                Union | Override if self.is_mapped(a) || self.is_mapped(b) => {
                    let (a, b) = (boxed(a)?, boxed(b)?);
                    Some(if *op == Union { Mapping::Union(a, b) } else { Mapping::Override(a, b) })
                }
                DomainRestrict | DomainSubtract if self.is_mapped(b) => {
                    Some(Mapping::Domain(self.member_test(a), *op == DomainRestrict, boxed(b)?))
                }
                RangeRestrict | RangeSubtract if self.is_mapped(a) => {
                    Some(Mapping::Range(self.member_test(b), *op == RangeRestrict, boxed(a)?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a relation is one that need not be built to be applied.
    pub(super) fn is_mapped(&self, f: &Expr) -> bool {
        use BinaryOp::*;
        match &f.kind {
            ExprKind::Fold(Fold::Lambda, ..) => true,
            ExprKind::Comprehension(locals, _) => locals.len() > 1 && typing::looks_infinite(f),
            ExprKind::Binary(Union | Override, a, b) => self.is_mapped(a) || self.is_mapped(b),
            ExprKind::Binary(DomainRestrict | DomainSubtract, _, r)
            | ExprKind::Binary(RangeRestrict | RangeSubtract, r, _) => self.is_mapped(r),
            _ => false,
        }
    }

    fn mapping_or_value(&self, f: &Expr) -> Option<Mapping> {
        if self.is_infinite(f) {
            return None;
        }
        let listed = || Mapping::Listed { shape: self.shape(&f.ty), value: self.kept(f) };
        Some(self.mapping(f).unwrap_or_else(listed))
    }

    fn solved(&self, argument: &[LocalId], result: LocalId, pred: &Pred) -> Solved {
        let conjuncts = pred.conjuncts();
        let mut cases = Vec::new();
        for (i, c) in conjuncts.iter().enumerate() {
            let (condition, then) = match &c.kind {
                PredKind::Implies(condition, then) => (Some(&**condition), &**then),
                _ => (None, c),
            };
            if condition.is_some_and(|c| Footprint::of_pred(c).locals.contains(&result)) {
                continue;
            }
            let parts = then.conjuncts();
            let Some((at, value)) =
                parts.iter().enumerate().find_map(|(at, p)| Some((at, equal_to(p, result)?)))
            else {
                continue;
            };
            let mut rest: Vec<Pred> = conjuncts
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, c)| (*c).clone())
                .collect();
            rest.extend(
                parts.iter().enumerate().filter(|(j, _)| *j != at).map(|(_, c)| (*c).clone()),
            );
            cases.push(Case {
                condition: condition.map(|c| self.pred(c)),
                value: self.kept(value),
                rest: self.pred(&Pred::and(rest, pred.span)),
            });
        }
        Solved {
            argument: Binder::tuple(&self.slots(argument)),
            result: Binder::tuple(&self.slots(&[result])),
            cases,
            each: self.solve(&[result], pred, Undefined::Fault),
        }
    }
}

/// `E` of `y = E`, where `E` does not mention `y`.
fn equal_to(p: &Pred, y: LocalId) -> Option<&Expr> {
    let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return None };
    let sides = [(a, b), (b, a)];
    let (_, value) = sides.into_iter().find(|(x, e)| {
        x.kind == ExprKind::Local(y) && !Footprint::of_expr(e).locals.contains(&y)
    })?;
    Some(value)
}

impl Mapping {
    pub fn apply(&self, env: &mut Env, x: &Value) -> Result<Applied, Stop> {
        match self {
            Mapping::Lambda { binder, pred, body } => {
                binder.bind(env, x.clone())?;
                Ok(if pred(env)? { Applied::One(body(env)?) } else { Applied::None })
            }
            Mapping::Solved(solved) => solved.apply(env, x),
            Mapping::Listed { shape, value } => match value(env)? {
                Value::Symbolic(s) => symbolic::apply(env, &s, x),
                f => Ok(match relation::apply(shape, &f, x) {
                    Ok(v) => Applied::One(v),
                    Err(relation::ApplyError::OutsideDomain) => Applied::None,
                    Err(relation::ApplyError::NotFunctional) => Applied::Several,
                }),
            },
            Mapping::Union(a, b) => Ok(a.apply(env, x)?.or(b.apply(env, x)?)),
            Mapping::Override(old, new) => match new.apply(env, x)? {
                Applied::None => old.apply(env, x),
                applied => Ok(applied),
            },
            Mapping::Domain(test, keep, f) => match test(env, x)? == *keep {
                true => f.apply(env, x),
                false => Ok(Applied::None),
            },
            // Of several results one may be left: that is not looked into.
            Mapping::Range(test, keep, f) => match f.apply(env, x)? {
                Applied::One(v) if test(env, &v)? != *keep => Ok(Applied::None),
                Applied::Several => Ok(Applied::Unknown),
                applied => Ok(applied),
            },
        }
    }
}

impl Solved {
    fn apply(&self, env: &mut Env, x: &Value) -> Result<Applied, Stop> {
        self.argument.bind(env, x.clone())?;
        for case in &self.cases {
            let applies = match &case.condition {
                None => true,
                // What is undefined decides nothing; another case may.
                Some(condition) => match condition(env) {
                    Err(Stop::Fault(_)) => {
                        env.fault = None;
                        false
                    }
                    applies => applies?,
                },
            };
            if !applies {
                continue;
            }
            let v = (case.value)(env)?;
            self.result.bind(env, v.clone())?;
            return Ok(if (case.rest)(env)? { Applied::One(v) } else { Applied::None });
        }
        let mut found = Applied::None;
        let result = &self.result;
        let _ = (self.each)(env, &mut |env| {
            let one = Applied::One(result.read(env));
            found = std::mem::replace(&mut found, Applied::None).or(one);
            Ok(match found {
                Applied::Several => Flow::Break(()),
                _ => Flow::Continue(()),
            })
        })?;
        Ok(found)
    }
}
