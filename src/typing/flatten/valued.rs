//! The types that parameters and results have in the machine that is refined.
//!
//! Where VALUES give a deferred set a value: in that machine such a set is a type, and nobody has to say that a parameter
//! is in it. Here it is a set of values like any other, and what the type said is a condition. And where an operation does
//! not tell what its results are made of, as `r := {}` does not: they are of the types that they have there.

use super::Flatten;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, LocalId, Operation, Pred, PredKind, Type,
    UnaryOp,
};
use crate::syntax::ast::{Ident, Name};
use crate::typing::counterparts::{Offered, declaration_of};
use crate::typing::refinement::refined;
use crate::typing::scope::Global;
use std::rc::Rc;
use std::sync::Arc;

/// A machine that was typed by itself, its deferred sets as types of their own.
#[derive(Default)]
pub struct Apart {
    /// Its operations.
    operations: Vec<(Name, Signature)>,
    /// The names of the sets that these speak of.
    sets: Vec<Name>,
}

/// The types of the parameters and of the results of an operation, where they are known.
struct Signature {
    parameters: Vec<Option<Type>>,
    results: Vec<Option<Type>>,
}

/// The set of all that has a type, and whether it speaks of a set that has a value here.
type Whole = (Expr, bool);

impl<'a> Flatten<'a> {
    /// What the types that the parameters of an operation have in the machine that is refined say of them here. To be called
    /// where the names of that machine are known.
    pub(super) fn typed_apart(
        &mut self,
        refined: &Offered<'a>,
        operation: &Operation,
    ) -> Vec<Pred> {
        if self.valued.values().all(|values| values.is_empty()) {
            return Vec::new();
        }
        let apart = self.apart(refined.unit);
        let declared = &refined.declaration;
        let found = apart.operations.iter().find(|(name, _)| *name == declared.name.name);
        let Some((_, Signature { parameters: types, .. })) = found else { return Vec::new() };
        let mut said = Vec::new();
        for ((ident, id), ty) in declared.parameters.iter().zip(&operation.parameters).zip(types) {
            let whole = ty.as_ref().and_then(|ty| self.whole(ty, &apart, ident));
            if let Some((mut set, true)) = whole {
                let local = self.elaborator.local_type(*id);
                let known = self.elaborator.diagnostics.len();
                self.elaborator.check(&mut set, &Type::pow(local.clone()), ident.span);
                // What does not fit is told where the two are compared.
                if self.elaborator.diagnostics.len() > known {
                    self.elaborator.diagnostics.truncate(known);
                    continue;
                }
                let parameter = Expr::new(ExprKind::Local(*id), local, ident.span);
                let kind = PredKind::Compare(Comparison::Member, parameter, set);
                said.push(Pred::new(kind, ident.span));
            }
        }
        said
    }

    /// Gives the results of an operation the types that they have in what it refines, where it does not tell these itself.
    pub(super) fn results_as_refined(&mut self, unit: usize, name: &Name, operation: &Operation) {
        let units = self.units;
        let is_open = |flatten: &mut Flatten<'a>| {
            operation.results.iter().any(|id| {
                let ty = flatten.elaborator.local_type(*id);
                flatten.elaborator.infer.is_open(&ty)
            })
        };
        for above in refined(&units[unit]) {
            if !is_open(self) {
                return;
            }
            let Some(refined) = declaration_of(units, above, name) else { continue };
            let Some(environment) = self.abstractions.get(&refined.unit).copied() else { continue };
            let apart = self.apart(refined.unit);
            let declared = &refined.declaration;
            let found = apart.operations.iter().find(|(name, _)| *name == declared.name.name);
            let Some((_, Signature { results, .. })) = found else { continue };
            let outer = std::mem::replace(&mut self.elaborator.environment, environment);
            let known = self.elaborator.diagnostics.len();
            for ((ident, id), ty) in declared.results.iter().zip(&operation.results).zip(results) {
                if let Some((mut set, _)) = ty.as_ref().and_then(|ty| self.whole(ty, &apart, ident))
                {
                    let local = self.elaborator.local_type(*id);
                    self.elaborator.check(&mut set, &Type::pow(local), ident.span);
                }
            }
            // What does not fit is told where the two are compared.
            self.elaborator.diagnostics.truncate(known);
            self.elaborator.environment = outer;
        }
    }

    /// A unit typed by itself; once for all of its operations.
    fn apart(&mut self, unit: usize) -> Rc<Apart> {
        if let Some(known) = self.apart.get(&unit) {
            return known.clone();
        }
        let mut alone = Flatten::new(self.units, self.elaborator.preferences);
        let number = alone.instantiate(unit, "");
        alone.elaborator.solve(true);
        let mut apart = Apart::default();
        for (name, id) in &alone.instances[number].exported {
            let elaborator = &mut alone.elaborator;
            let Operation { parameters, results, .. } =
                elaborator.operations[id.0 as usize].clone();
            let mut known = |locals: Vec<LocalId>, may_be_open: bool| {
                let of = |id| {
                    let ty = elaborator.local_type(id);
                    let is_known = may_be_open || !elaborator.infer.is_open(&ty);
                    is_known.then(|| elaborator.infer.ground(&ty)).flatten()
                };
                locals.into_iter().map(of).collect()
            };
            let signature =
                Signature { parameters: known(parameters, true), results: known(results, false) };
            apart.operations.push((name.clone(), signature));
        }
        apart.sets = alone.elaborator.sets.iter().map(|set| set.name.clone()).collect();
        let apart = Rc::new(apart);
        self.apart.insert(unit, apart.clone());
        apart
    }

    /// The set of all values of a type; `None` where some set has another name here.
    fn whole(&mut self, ty: &Type, apart: &Apart, at: &Ident) -> Option<Whole> {
        let span = at.span;
        let basic = |set: BasicSet| {
            Some((Expr::new(ExprKind::Basic(set), Type::pow(ty.clone()), span), false))
        };
        match ty {
            Type::Integer => basic(BasicSet::Integer),
            Type::Real => basic(BasicSet::Real),
            Type::Bool => basic(BasicSet::Bool),
            Type::String => basic(BasicSet::String),
            Type::Set(id) => {
                let name = apart.sets.get(id.0 as usize)?;
                let declared = self.elaborator.environment().globals.get(name)?;
                let is_valued = match declared.meaning {
                    Global::Given(_) => true,
                    Global::Set(_) => false,
                    _ => return None,
                };
                Some((self.elaborator.name(name, span), is_valued))
            }
            Type::Pow(of) => {
                let (of, is_valued) = self.whole(of, apart, at)?;
                let ty = Type::pow(of.ty.clone());
                let kind = ExprKind::Unary(UnaryOp::Pow, Arc::new(of));
                Some((Expr::new(kind, ty, span), is_valued))
            }
            Type::Pair(sides) => {
                let (left, one) = self.whole(&sides.0, apart, at)?;
                let (right, other) = self.whole(&sides.1, apart, at)?;
                let ty = product(&left, &right, self)?;
                let kind = ExprKind::Binary(BinaryOp::Product, Arc::new(left), Arc::new(right));
                Some((Expr::new(kind, ty, span), one || other))
            }
            Type::Free(_) | Type::Record(_) => None,
        }
    }
}

/// The type of the product of two sets.
fn product(left: &Expr, right: &Expr, flatten: &Flatten<'_>) -> Option<Type> {
    let member = |set: &Expr| match flatten.elaborator.infer.head(&set.ty) {
        Some(Type::Pow(of)) => Some((*of).clone()),
        _ => None,
    };
    Some(Type::relation(member(left)?, member(right)?))
}
