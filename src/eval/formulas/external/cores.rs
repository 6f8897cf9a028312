//! Least sets that a function refuses, greatest ones that it accepts.
//!
//! Members are tried in their order, so that of several such sets it is the same one each time.

use super::domains::asked_by;
use crate::eval::compile::Compiler;
use crate::eval::unbuilt::described::images;
use crate::eval::unbuilt::graph::at_value;
use crate::eval::unbuilt::symbolic::not_decided;
use crate::lower::code::{Code, ValueFn};
use crate::lower::description::Graph;
use crate::lower::env::{Env, Operand};
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::Expr;
use crate::source::Span;
use crate::value::{Shape, Value};

/// What is looked for among the subsets of a set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Looking {
    /// One for which the function is FALSE, and TRUE without any of its members, as far as these are tried one after
    /// the other.
    Core,
    /// One for which it is TRUE, to which no member can be added.
    Greatest,
}

impl Looking {
    fn name(self) -> &'static str {
        match self {
            Looking::Core => "UNSAT_CORE",
            Looking::Greatest => "MAX_SAT",
        }
    }
}

pub(super) fn find(name: &str) -> Option<Looking> {
    match name {
        "UNSAT_CORE" => Some(Looking::Core),
        "MAX_SAT" => Some(Looking::Greatest),
        _ => None,
    }
}

/// A function from sets to truth values.
struct Asked {
    function: Function,
    shape: Shape,
    operand: Operand,
    span: Span,
}

enum Function {
    /// It is told by its points.
    Told(Graph),
    /// A value, which may be a description.
    Value(ValueFn),
}

impl Asked {
    fn accepts(&self, env: &mut Env, set: &Value) -> Result<bool, Stop> {
        env.tick()?;
        let found = match &self.function {
            Function::Told(graph) => graph.at(env, set)?,
            Function::Value(f) => match f(env)? {
                Value::Symbolic(s) => images(env, &s, set)?,
                relation => Some(at_value(&self.shape, &relation, set)),
            },
        };
        let kind = match found.as_deref() {
            Some([truth]) => return Ok(*truth == Value::TRUE),
            Some([]) => FaultKind::OutsideDomain,
            Some(_) => FaultKind::NotFunctional,
            None => return Err(not_decided(env, self.span)),
        };
        Err(env.fault(kind, self.span, [(&self.operand, set.clone())]))
    }
}

impl Compiler<'_> {
    pub(super) fn core(
        &self,
        looking: Looking,
        function: &Expr,
        set: &Expr,
        e: &Expr,
        shape: &Shape,
    ) -> Code {
        let (operand, span) = (self.operand(set), e.span);
        let told = match self.graph(function) {
            Some(graph) => Function::Told(graph),
            None => Function::Value(self.kept(function)),
        };
        let shape_of_function = self.shape(&function.ty);
        let asked =
            Asked { function: told, shape: shape_of_function, operand: operand.clone(), span };
        let (set, sets) = (self.value(set), shape.clone());
        self.finish(shape, move |env| {
            let whole = set(env)?;
            let mut kept: Vec<Value> = match looking {
                Looking::Core => sets.members(&whole).collect(),
                Looking::Greatest => Vec::new(),
            };
            let start = sets.collect(kept.clone());
            if asked.accepts(env, &start)? != (looking == Looking::Greatest) {
                let kind = FaultKind::External(asked_by(looking.name()));
                return Err(env.fault(kind, span, [(&operand, whole)]));
            }
            for member in sets.members(&whole).collect::<Vec<_>>() {
                let mut tried = kept.clone();
                match looking {
                    Looking::Core => tried.retain(|x| *x != member),
                    Looking::Greatest => tried.push(member),
                }
                let accepted = asked.accepts(env, &sets.collect(tried.clone()))?;
                if accepted == (looking == Looking::Greatest) {
                    kept = tried;
                }
            }
            Ok(sets.collect(kept))
        })
    }
}
