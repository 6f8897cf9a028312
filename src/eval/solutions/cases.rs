//! What conditions ask for: the cases of a step, compiled, and which of them is taken.

use super::solve::Action;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::plans::plan::{Asked, Case};
use crate::eval::plans::pointwise::PointsCode;
use crate::lower::Test;
use crate::lower::code::{BoolFn, ValueFn};
use crate::lower::env::Env;
use crate::lower::stop::Stop;
use crate::value::Value;

/// A case, compiled.
pub(in crate::eval) struct CaseCode {
    condition: BoolFn,
    asked: AskedCode,
    /// The conjunct that it was made of.
    pub(super) conjunct: Option<Test>,
}

enum AskedCode {
    Value(ValueFn),
    Values(Vec<Action>),
    Points(PointsCode),
}

/// What the first case whose condition is true asks for.
pub(super) enum Found<'a> {
    Value(Value),
    Values(&'a [Action]),
}

impl Compiler<'_> {
    pub(super) fn case_code(&self, case: &Case, undefined: Undefined) -> CaseCode {
        let asked = match &case.asked {
            Asked::Value(e) => AskedCode::Value(self.kept(e)),
            Asked::Values(plan) => AskedCode::Values(self.actions(plan, undefined)),
            Asked::Points(points) => AskedCode::Points(self.points_code(points)),
        };
        CaseCode {
            condition: self.pred(&case.condition),
            asked,
            conjunct: case.conjunct.as_ref().map(|p| self.test(p)),
        }
    }
}

/// The first case whose condition is true, and what it asks for. One that has no truth value asks for
/// nothing: its conjunct is tested.
pub(super) fn asked<'a>(
    cases: &'a [CaseCode],
    env: &mut Env,
) -> Result<Option<(usize, Found<'a>)>, Stop> {
    for (i, case) in cases.iter().enumerate() {
        let found = match (case.condition)(env) {
            Ok(true) => match &case.asked {
                AskedCode::Value(value) => value(env).map(|value| Some(Found::Value(value))),
                AskedCode::Values(actions) => Ok(Some(Found::Values(actions))),
                AskedCode::Points(points) => Ok(points.find(env)?.map(Found::Value)),
            },
            Ok(false) => Ok(None),
            Err(stop) => Err(stop),
        };
        match found {
            Ok(Some(found)) => return Ok(Some((i, found))),
            Ok(None) => {}
            Err(Stop::Fault(_) | Stop::Cut(_)) => env.fault = None,
            Err(stop) => return Err(stop),
        }
    }
    Ok(None)
}
