//! What formulas say about one number, boolean or element of an enumerated set.

use super::range::Range;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Key, LocalId, Machine, Place, Pred, PredKind,
    Type, UnaryOp,
};
use crate::state::Instance;
use crate::value::Value;
use num_traits::ToPrimitive;

/// A formula that holds exactly where the value at a place is one of these. Of a point of a set, 1 says
/// that the element is in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    pub place: Place,
    pub range: Range,
}

/// Reads formulas of one machine.
pub struct Scalars<'i> {
    instance: &'i Instance,
    /// Constants that an equation gives a number.
    constants: Vec<Option<i128>>,
}

impl<'i> Scalars<'i> {
    /// `set_up`: the constants, where there are no others.
    pub fn new(instance: &'i Instance, set_up: Option<&[Value]>) -> Scalars<'i> {
        let count = instance.machine.constants.len();
        let mut scalars = Scalars { instance, constants: vec![None; count] };
        for p in instance.machine.properties.iter().flat_map(|c| c.pred.conjuncts()) {
            let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { continue };
            for (constant, value) in [(a, b), (b, a)] {
                if let (ExprKind::Constant(id), Some(n)) = (&constant.kind, scalars.literal(value))
                {
                    scalars.constants[id.0 as usize] = Some(n);
                }
            }
        }
        for (i, value) in set_up.into_iter().flatten().enumerate() {
            if scalars.domain(&instance.machine.constants[i].ty).is_some() {
                scalars.constants[i] = number(value);
            }
        }
        scalars
    }

    pub fn instance(&self) -> &'i Instance {
        self.instance
    }

    pub fn machine(&self) -> &'i Machine {
        &self.instance.machine
    }

    /// The values of a scalar type.
    pub fn domain(&self, ty: &Type) -> Option<Range> {
        match ty {
            Type::Integer => Some(Range::all()),
            Type::Bool => Some(Range::from_to(0, 1)),
            Type::Set(set) => Some(Range::from_to(0, i128::from(self.instance.size(*set)) - 1)),
            _ => None,
        }
    }

    /// The values that may be at a place, where they are scalars.
    pub fn place_domain(&self, place: &Place) -> Option<Range> {
        let ty = &self.machine().variable(place.variable).ty;
        match (&place.point, ty.element()) {
            (None, _) => self.domain(ty),
            (Some(_), Some(Type::Pair(sides))) => self.domain(&sides.1),
            (Some(_), Some(_)) => Some(Range::from_to(0, 1)),
            (Some(_), None) => None,
        }
    }

    /// The number of an expression that has the same value in every state.
    pub fn literal(&self, e: &Expr) -> Option<i128> {
        match &e.kind {
            ExprKind::Integer(n) => n.to_i64().map(i128::from),
            ExprKind::Bool(b) => Some(i128::from(*b)),
            ExprKind::Element(set, i) if !self.machine().is_sized(*set) => Some(i128::from(*i)),
            ExprKind::MaxInt => Some(i128::from(self.instance.max_int)),
            ExprKind::MinInt => Some(i128::from(self.instance.min_int)),
            ExprKind::Constant(id) => self.constants[id.0 as usize],
            ExprKind::Unary(UnaryOp::Negate, a) => Some(-self.literal(a)?),
            ExprKind::Unary(UnaryOp::Card, set) => match set.kind {
                ExprKind::Carrier(set) => Some(i128::from(self.instance.size(set))),
                _ => None,
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.literal(a)?, self.literal(b)?);
                let n = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Subtract => a - b,
                    BinaryOp::Multiply => a.checked_mul(b)?,
                    _ => return None,
                };
                // Far from the bounds of a range.
                i64::try_from(n).ok().map(i128::from)
            }
            _ => None,
        }
    }

    /// A set expression that is the same in every state, as a range.
    pub fn set(&self, e: &Expr) -> Option<Range> {
        let limits = self.instance;
        let (min, max) = (i128::from(limits.min_int), i128::from(limits.max_int));
        Some(match &e.kind {
            ExprKind::Basic(basic) => match basic {
                BasicSet::Integer => Range::all(),
                BasicSet::Natural => Range::at_least(0),
                BasicSet::Natural1 => Range::at_least(1),
                BasicSet::Int => Range::from_to(min, max),
                BasicSet::Nat => Range::from_to(0, max),
                BasicSet::Nat1 => Range::from_to(1, max),
                BasicSet::Bool => Range::from_to(0, 1),
                _ => return None,
            },
            ExprKind::Carrier(set) => self.domain(&Type::Set(*set))?,
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                Range::from_to(self.literal(a)?, self.literal(b)?)
            }
            ExprKind::SetExtension(items) => {
                let mut range = Range::empty();
                for item in items {
                    range = range.union(&Range::one(self.literal(item)?));
                }
                range
            }
            ExprKind::Binary(BinaryOp::Union, a, b) => self.set(a)?.union(&self.set(b)?),
            ExprKind::Binary(BinaryOp::Intersection, a, b) => self.set(a)?.meet(&self.set(b)?),
            ExprKind::Binary(BinaryOp::Difference, a, b) => self.set(a)?.without(&self.set(b)?),
            _ => return None,
        })
    }

    /// A scalar place and a number that is added to its value.
    pub fn linear(&self, parameters: &[LocalId], e: &Expr) -> Option<(Place, i128)> {
        let (of, n) = self.sum(e);
        self.domain(&of.ty)?;
        Place::of(self.machine(), parameters, of).map(|place| (place, n))
    }

    /// An expression without the numbers that are added to it, and their sum.
    pub fn sum<'e>(&self, e: &'e Expr) -> (&'e Expr, i128) {
        let ExprKind::Binary(op, a, b) = &e.kind else { return (e, 0) };
        let (of, more) = match (op, self.literal(a), self.literal(b)) {
            (BinaryOp::Add, _, Some(n)) => (a, n),
            (BinaryOp::Add, Some(n), _) => (b, n),
            (BinaryOp::Subtract, _, Some(n)) => (a, -n),
            _ => return (e, 0),
        };
        let (of, n) = self.sum(of);
        (of, n + more)
    }

    /// What a predicate, or its negation, says about one place, if it says nothing else.
    pub fn test(&self, parameters: &[LocalId], p: &Pred, truth: bool) -> Option<Test> {
        match &p.kind {
            PredKind::Not(p) => self.test(parameters, p, !truth),
            PredKind::And(ps) | PredKind::Or(ps) => {
                let joined = matches!(p.kind, PredKind::And(_)) == truth;
                let mut tests = ps.iter().map(|p| self.test(parameters, p, truth));
                let mut all = tests.next()??;
                for test in tests {
                    let test = test?;
                    if test.place != all.place {
                        return None;
                    }
                    let (a, b) = (&all.range, &test.range);
                    all.range = if joined { a.meet(b) } else { a.union(b) };
                }
                Some(all)
            }
            PredKind::Compare(op, a, b) => {
                let test = self.comparison(parameters, *op, a, b)?;
                let domain = self.place_domain(&test.place)?;
                let range = if truth { test.range } else { test.range.complement() };
                Some(Test { range: range.meet(&domain), ..test })
            }
            _ => None,
        }
    }

    /// The values that conjuncts leave to a local.
    pub fn parameter<'p>(&self, id: LocalId, guard: impl Iterator<Item = &'p Pred>) -> Range {
        let is_local = |e: &Expr| e.kind == ExprKind::Local(id);
        let mut range = Range::all();
        for p in guard {
            let PredKind::Compare(op, a, b) = &p.kind else { continue };
            let said = match op {
                Comparison::Member if is_local(a) => self.set(b),
                Comparison::Equal if is_local(a) => self.literal(b).map(Range::one),
                Comparison::Equal if is_local(b) => self.literal(a).map(Range::one),
                _ => None,
            };
            if let Some(said) = said {
                range = range.meet(&said);
            }
        }
        range
    }

    fn comparison(
        &self,
        parameters: &[LocalId],
        op: Comparison,
        a: &Expr,
        b: &Expr,
    ) -> Option<Test> {
        use Comparison::*;
        if let (Member | NotMember, ExprKind::Variable(variable)) = (op, &b.kind)
            && !matches!(a.ty, Type::Pair(_))
        {
            let point = Key::of_member(self.machine(), parameters, a)?;
            let range = Range::one(i128::from(op == Member));
            return Some(Test { place: Place { variable: *variable, point: Some(point) }, range });
        }
        if let (Member | NotMember, Some((place, n))) = (op, self.linear(parameters, a)) {
            let members = self.set(b)?;
            let range = if op == Member { members } else { members.complement() };
            return Some(Test { place, range: range.shifted(-n) });
        }
        let (op, (place, n), literal) =
            match (self.linear(parameters, a), self.linear(parameters, b)) {
                (Some(linear), None) => (op, linear, self.literal(b)?),
                (None, Some(linear)) => (mirrored(op)?, linear, self.literal(a)?),
                _ => return None,
            };
        let range = match op {
            Equal => Range::one(literal),
            NotEqual => Range::one(literal).complement(),
            Less => Range::at_most(literal - 1),
            LessEqual => Range::at_most(literal),
            Greater => Range::at_least(literal + 1),
            GreaterEqual => Range::at_least(literal),
            _ => return None,
        };
        Some(Test { place, range: range.shifted(-n) })
    }
}

/// The number of a scalar.
pub fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Int(n) => Some(i128::from(*n)),
        Value::Word(w) => Some(i128::from(*w)),
        _ => None,
    }
}

/// The comparison with its sides changed.
fn mirrored(op: Comparison) -> Option<Comparison> {
    use Comparison::*;
    Some(match op {
        Equal | NotEqual => op,
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        GreaterEqual => LessEqual,
        _ => return None,
    })
}
