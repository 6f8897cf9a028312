//! What is true in every reachable state, as far as it can be seen from the initialisation and the
//! operations alone: the values that a variable takes, and whether it is a function with a value
//! everywhere. The invariant is not believed: what is found here holds whatever is checked and
//! wherever the search goes on.
//!
//! It begins with what the initialisation says and is weakened for as long as some operation breaks it.

use super::range::Range;
use super::scalar::{Scalars, number};
use crate::machine::footprint::Footprint;
use crate::machine::{
    BinaryOp, Cell, Comparison, Effect, Expr, ExprKind, Fold, LocalId, OpId, Operation, Place,
    Places, PredKind, Subst, SubstKind, Type, VarId,
};
use crate::value::Value;
use rustc_hash::FxHashSet;

/// Rounds after which a range that still grows is given up.
const ROUNDS: usize = 8;

/// What is known of one variable. The values are its own, or its results, if it is a function.
#[derive(Clone, PartialEq, Debug)]
struct Fact {
    values: Range,
    functional: bool,
    /// Arguments for which there is a value: all of the type, or some integers.
    total: Option<Range>,
}

/// What holds in every reachable state.
pub struct Facts {
    facts: Vec<Fact>,
    constants: Vec<Fact>,
}

impl Facts {
    /// `set_up`: the constants, where there are no others.
    pub fn find(scalars: &Scalars<'_>, set_up: Option<&[Value]>) -> Facts {
        let machine = scalars.machine();
        let facts = machine.variables.iter().map(|v| unknown(scalars, &v.ty)).collect();
        let constants = machine.constants.iter().map(|c| unknown(scalars, &c.ty)).collect();
        let mut finder = Finder { scalars, facts: Facts { facts, constants } };
        finder.properties();
        finder.constants(set_up.unwrap_or_default());
        if let Some(initialisation) = &machine.initialisation {
            finder.initial(initialisation);
        }
        let visible = (0..machine.operations.len() as u32).map(OpId);
        let visible = visible.filter(|id| machine.operation(*id).visible);
        let operations: Vec<(&Operation, Places)> =
            visible.map(|id| (machine.operation(id), Places::of(machine, id))).collect();
        for round in 0.. {
            let before = finder.facts.facts.clone();
            for (operation, places) in &operations {
                finder.operation(&operation.parameters, places, round >= ROUNDS);
            }
            if finder.facts.facts == before {
                break;
            }
        }
        finder.facts
    }

    /// Whether an expression is a function, as far as it is known.
    pub fn is_functional(&self, scalars: &Scalars<'_>, function: &Expr) -> bool {
        value(scalars, self, (&function.ty, function), &|_| None).functional
    }

    /// The arguments for which an expression is a function with a value.
    pub fn total(&self, scalars: &Scalars<'_>, function: &Expr) -> Option<Range> {
        let fact = value(scalars, self, (&function.ty, function), &|_| None);
        fact.total.filter(|_| fact.functional)
    }

    /// The values that a number may have.
    pub fn range(&self, scalars: &Scalars<'_>, e: &Expr) -> Range {
        range(scalars, self, e, &|_| None)
    }

    /// The results that a variable which is a function may have.
    pub fn results(&self, scalars: &Scalars<'_>, variable: VarId) -> Option<Range> {
        let (_, to) = scalars.machine().variable(variable).ty.relation_sides()?;
        Some(scalars.domain(to)?.meet(&self.facts[variable.0 as usize].values))
    }

    /// The values that may be at a place. Of a set's points nothing is known.
    pub fn values(&self, scalars: &Scalars<'_>, place: &Place) -> Option<Range> {
        let domain = scalars.place_domain(place)?;
        let ty = &scalars.machine().variable(place.variable).ty;
        let is_set = place.point.is_some() && !matches!(ty.element(), Some(Type::Pair(_)));
        let known = &self.facts[place.variable.0 as usize].values;
        Some(if is_set { domain } else { domain.meet(known) })
    }
}

/// The type of the scalars that a variable is or that are its results.
fn scalar_type(ty: &Type) -> Option<&Type> {
    match ty.element() {
        None => Some(ty),
        Some(Type::Pair(sides)) => Some(&sides.1),
        Some(_) => None,
    }
}

/// Nothing but what the type says.
fn unknown(scalars: &Scalars<'_>, ty: &Type) -> Fact {
    let values = scalar_type(ty).and_then(|ty| scalars.domain(ty));
    Fact { values: values.unwrap_or_else(Range::all), functional: false, total: None }
}

struct Finder<'a> {
    scalars: &'a Scalars<'a>,
    facts: Facts,
}

impl Finder<'_> {
    fn fact(&mut self, variable: VarId) -> &mut Fact {
        &mut self.facts.facts[variable.0 as usize]
    }

    fn forget(&mut self, variable: VarId) {
        *self.fact(variable) = unknown(self.scalars, self.type_of(variable));
    }

    fn type_of(&self, variable: VarId) -> &Type {
        &self.scalars.machine().variable(variable).ty
    }

    fn value(&self, variable: VarId, e: &Expr, local: &dyn Fn(LocalId) -> Option<Range>) -> Fact {
        value(self.scalars, &self.facts, (self.type_of(variable), e), local)
    }

    fn range(&self, e: &Expr, local: &dyn Fn(LocalId) -> Option<Range>) -> Range {
        range(self.scalars, &self.facts, e, local)
    }

    /// What the PROPERTIES say of constants.
    fn properties(&mut self) {
        let scalars = self.scalars;
        for p in scalars.machine().properties.iter().flat_map(|c| c.pred.conjuncts()) {
            let PredKind::Compare(op, x, e) = &p.kind else { continue };
            let ExprKind::Constant(id) = x.kind else { continue };
            let fact = match op {
                Comparison::Equal => value(scalars, &self.facts, (&x.ty, e), &|_| None),
                Comparison::Member => member(scalars, &x.ty, e),
                _ => continue,
            };
            let known = &mut self.facts.constants[id.0 as usize];
            if fact.functional && (!known.functional || known.total.is_none()) {
                *known = fact;
            }
        }
    }

    /// What the values of constants say.
    fn constants(&mut self, values: &[Value]) {
        for (i, value) in values.iter().enumerate() {
            let ty = &self.scalars.machine().constants[i].ty;
            if let Some(fact) = function(self.scalars, ty, value) {
                self.facts.constants[i] = fact;
            }
        }
    }

    // ----- the initialisation

    fn initial(&mut self, s: &Subst) {
        match &s.kind {
            SubstKind::Parallel(parts) => parts.iter().for_each(|s| self.initial(s)),
            SubstKind::Assign(pairs) => {
                for (target, e) in pairs {
                    if let (Cell::Variable(variable), true) = (target.cell, target.path.is_empty())
                    {
                        *self.fact(variable) = self.value(variable, e, &|_| None);
                    }
                }
            }
            SubstKind::BecomesElement(targets, set) => {
                if let [target] = &targets[..]
                    && let (Cell::Variable(variable), true) = (target.cell, target.path.is_empty())
                {
                    *self.fact(variable) = member(self.scalars, self.type_of(variable), set);
                }
            }
            _ => {
                for variable in Footprint::of_subst(s).written {
                    self.forget(variable);
                }
            }
        }
    }

    // ----- operations

    fn operation(&mut self, parameters: &[LocalId], places: &Places, give_up: bool) {
        let scalars = self.scalars;
        let guard = || places.guard.iter().filter_map(|c| c.pred.as_ref());
        let local = |id: LocalId| parameters.contains(&id).then(|| scalars.parameter(id, guard()));
        for write in &places.writes {
            let variable = write.place.variable;
            let known = self.facts.facts[variable.0 as usize].clone();
            let mut fact = known.clone();
            match (&write.effect, &write.place.point) {
                (Effect::Becomes(e), None) => {
                    let new = self.value(variable, e, &local);
                    fact.values = fact.values.union(&new.values);
                    fact.functional &= new.functional;
                    fact.total = common(fact.total, new.total);
                }
                (Effect::Becomes(e), Some(_)) | (Effect::Somewhere(e), _) => {
                    fact.values = fact.values.union(&self.range(e, &local));
                }
                (Effect::Adds(n), _) => {
                    let tests = guard().filter_map(|p| scalars.test(parameters, p, true));
                    let about = tests.filter(|t| t.place == write.place).map(|t| t.range);
                    let required = about.fold(Range::all(), |a, b| a.meet(&b)).hull();
                    fact.values = grown(&known.values, &required, i128::from(*n));
                }
                (Effect::Member(_), _) => {}
                (Effect::Cleared, _) => fact.total = None,
                (Effect::Unknown, _) => fact = unknown(scalars, self.type_of(variable)),
            }
            fact.values = fact.values.hull();
            if give_up && fact.values != known.values {
                fact.values = unknown(scalars, self.type_of(variable)).values;
            }
            *self.fact(variable) = fact;
        }
    }
}

/// Constants with more pairs are not looked at one by one.
const PAIRS: usize = 1 << 14;

/// What is known of a function that has this value.
fn function(scalars: &Scalars<'_>, ty: &Type, value: &Value) -> Option<Fact> {
    let (from, to) = ty.relation_sides()?;
    let shape = scalars.instance().shape(ty);
    if value.is_symbolic() || shape.card(value) > PAIRS {
        return None;
    }
    let element = shape.element();
    let pairs: Vec<(Value, Value)> = shape.members(value).map(|m| element.split(&m)).collect();
    let lefts: FxHashSet<&Value> = pairs.iter().map(|(x, _)| x).collect();
    if lefts.len() < pairs.len() {
        return None;
    }
    let numbers: Option<Vec<i128>> = pairs.iter().map(|(x, _)| number(x)).collect();
    let total = scalars.domain(from).zip(numbers).map(|(all, numbers)| {
        let range = Range::of_all(numbers.into_iter());
        if range == all { Range::all() } else { range }
    });
    let results: Option<Vec<i128>> = pairs.iter().map(|(_, y)| number(y)).collect();
    let values = match scalars.domain(to).zip(results) {
        Some((_, results)) => Range::of_all(results.into_iter()),
        None => unknown(scalars, ty).values,
    };
    Some(Fact { values, functional: true, total })
}

/// What is known of a variable that is some member of a set.
fn member(scalars: &Scalars<'_>, ty: &Type, set: &Expr) -> Fact {
    let mut fact = unknown(scalars, ty);
    if let Some(range) = scalars.set(set) {
        fact.values = fact.values.meet(&range);
    }
    if let ExprKind::Binary(op, a, b) = &set.kind {
        use BinaryOp::*;
        let total =
            matches!(op, TotalFunctions | TotalInjections | TotalSurjections | TotalBijections);
        let partial = matches!(
            op,
            PartialFunctions | PartialInjections | PartialSurjections | PartialBijections
        );
        if total || partial {
            fact.functional = true;
            fact.total = total.then(|| domain(scalars, a)).flatten();
            if let Some(range) = scalars.set(b) {
                fact.values = fact.values.meet(&range);
            }
        }
    }
    fact
}

/// The arguments that a set expression stands for: everything, where it is all of its type.
fn domain(scalars: &Scalars<'_>, set: &Expr) -> Option<Range> {
    let range = scalars.set(set);
    let whole = range.is_some() && range == whole(scalars, &set.ty);
    if whole || matches!(set.kind, ExprKind::Carrier(_)) { Some(Range::all()) } else { range }
}

/// All values of the elements of a finite set type.
fn whole(scalars: &Scalars<'_>, set: &Type) -> Option<Range> {
    set.element().and_then(|ty| scalars.domain(ty))
}

/// What is known of the value of an expression, for a variable or constant of this type. `local`: the values
/// of a local.
fn value(
    scalars: &Scalars<'_>,
    facts: &Facts,
    (ty, e): (&Type, &Expr),
    local: &dyn Fn(LocalId) -> Option<Range>,
) -> Fact {
    let nothing = || unknown(scalars, ty);
    if ty.element().is_none() {
        return Fact { values: range(scalars, facts, e, local), ..nothing() };
    }
    let of = |e: &Expr| value(scalars, facts, (ty, e), local);
    let function = |values: Range, total: Option<Range>| Fact { values, functional: true, total };
    match &e.kind {
        ExprKind::Variable(id) => facts.facts[id.0 as usize].clone(),
        ExprKind::Constant(id) => facts.constants[id.0 as usize].clone(),
        ExprKind::Empty => function(Range::empty(), None),
        ExprKind::Binary(BinaryOp::Product, a, b) => match &b.kind {
            ExprKind::SetExtension(items) if items.len() == 1 => {
                function(range(scalars, facts, &items[0], local), domain(scalars, a))
            }
            _ => nothing(),
        },
        ExprKind::Binary(BinaryOp::Override, f, g) => {
            let (f, g) = (of(f), of(g));
            let functional = f.functional && g.functional;
            Fact { values: f.values.union(&g.values).hull(), functional, total: f.total }
        }
        ExprKind::Binary(BinaryOp::DomainSubtract | BinaryOp::DomainRestrict, _, f)
        | ExprKind::Binary(
            BinaryOp::RangeSubtract | BinaryOp::RangeRestrict | BinaryOp::Difference,
            f,
            _,
        ) => Fact { total: None, ..of(f) },
        ExprKind::SetExtension(pairs) => listed(scalars, facts, (ty, pairs), local),
        ExprKind::Fold(Fold::Lambda, ids, p, body) => match (&ids[..], &p.kind) {
            ([id], PredKind::Compare(Comparison::Member, x, set))
                if x.kind == ExprKind::Local(*id) =>
            {
                function(range(scalars, facts, body, local), domain(scalars, set))
            }
            _ => nothing(),
        },
        _ => nothing(),
    }
}

/// `{x |-> E, y |-> F}`
fn listed(
    scalars: &Scalars<'_>,
    facts: &Facts,
    (ty, pairs): (&Type, &[Expr]),
    local: &dyn Fn(LocalId) -> Option<Range>,
) -> Fact {
    let mut fact = Fact { values: Range::empty(), functional: true, total: Some(Range::empty()) };
    for pair in pairs {
        let ExprKind::Binary(BinaryOp::Pair, x, y) = &pair.kind else {
            return unknown(scalars, ty);
        };
        fact.values = fact.values.union(&range(scalars, facts, y, local)).hull();
        let argument = scalars.literal(x).map(Range::one);
        match (fact.total.take(), argument) {
            (Some(total), Some(x)) if total.meet(&x).is_empty() => {
                fact.total = Some(total.union(&x));
            }
            // One pair is a function, whatever its argument.
            _ if pairs.len() == 1 => {}
            _ => return unknown(scalars, ty),
        }
    }
    let arguments = ty.relation_sides().and_then(|(from, _)| scalars.domain(from));
    if fact.total.is_some() && fact.total == arguments {
        fact.total = Some(Range::all());
    }
    fact
}

/// The values that a scalar expression may have.
fn range(
    scalars: &Scalars<'_>,
    facts: &Facts,
    e: &Expr,
    local: &dyn Fn(LocalId) -> Option<Range>,
) -> Range {
    let domain = scalars.domain(&e.ty).unwrap_or_else(Range::all);
    if let Some(n) = scalars.literal(e) {
        return Range::one(n).meet(&domain);
    }
    let found = match &e.kind {
        ExprKind::Local(id) => local(*id),
        ExprKind::Binary(BinaryOp::Modulo, _, divisor) => {
            scalars.literal(divisor).filter(|n| *n > 0).map(|n| Range::from_to(0, n - 1))
        }
        ExprKind::If(_, a, b) => {
            Some(range(scalars, facts, a, local).union(&range(scalars, facts, b, local)))
        }
        _ => {
            // Any point of a function will do: their values are not told apart.
            let point = |e: &Expr| match &e.kind {
                ExprKind::Binary(BinaryOp::Apply, f, _) => match f.kind {
                    ExprKind::Variable(id) => Some(id),
                    _ => None,
                },
                ExprKind::Variable(id) => Some(*id),
                _ => None,
            };
            let (of, n) = scalars.sum(e);
            point(of).map(|id| facts.facts[id.0 as usize].values.shifted(n))
        }
    };
    found.map_or(domain.clone(), |found| found.meet(&domain)).hull()
}

/// Arguments for which both are total.
fn common(a: Option<Range>, b: Option<Range>) -> Option<Range> {
    let both = a?.meet(&b?);
    (!both.is_empty()).then_some(both)
}

/// What values become if a number is added to them again and again where a guard holds.
fn grown(values: &Range, required: &Range, n: i128) -> Range {
    let image = values.meet(required).shifted(n);
    if image.is_within(values) {
        return values.clone();
    }
    // As far as the guard lets it.
    let steps = required.shifted(n);
    let limit = if n > 0 {
        steps.bounds().1.map_or_else(Range::all, Range::at_most)
    } else {
        steps.bounds().0.map_or_else(Range::all, Range::at_least)
    };
    let from = values.bounds();
    let outward = if n > 0 {
        from.0.map_or_else(Range::all, Range::at_least)
    } else {
        from.1.map_or_else(Range::all, Range::at_most)
    };
    values.union(&outward.meet(&limit)).hull()
}
