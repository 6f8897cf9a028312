//! States side by side: whether a permutation of elements takes the one to the other, and if none does, the
//! values that tell them apart.

use super::animator::{Animator, Position};
use super::canon;
use super::tree::PlaceId;
use crate::clock::{Phase, enter};
use crate::machine::{ConstId, Named, VarId};
use crate::symmetry::view::{Cycle, cycles};
use crate::symmetry::{Cell, Labeller, Labelling, Options, Valuation};
use crate::value::{Shape, Value};

/// How two states compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Likeness {
    Equal,
    /// This permutation, as its cycles, takes the one to the other.
    Orbit(Vec<Cycle>),
    /// The values of these alone are not alike under any permutation: names, and what stands for the orbit of
    /// each side.
    Apart(Vec<Told>),
    /// There was no time to find out.
    Unknown,
}

/// A constant or variable with its values in two states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    pub name: String,
    pub left: String,
    pub right: String,
}

/// Two states side by side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    pub likeness: Likeness,
    pub values: Vec<Told>,
}

/// What stands for the orbits of two lists of values.
type Images = (Vec<Value>, Vec<Value>);

impl Animator {
    /// The shapes and values of all constants, then of as many variables as there are values for.
    fn shaped(&self, values: &[Value]) -> Vec<Shape> {
        let instance = &self.model().program.instance;
        let machine = &instance.machine;
        let globals = machine.constants.iter().chain(&machine.variables);
        globals.take(values.len()).map(|g| instance.shape(&g.ty)).collect()
    }

    /// Constants and variables of a state.
    pub(super) fn values(&mut self, state: &[u64]) -> Vec<Value> {
        let mut values = self.evaluator().constants(state).to_vec();
        values.extend(self.evaluator().variables(state));
        values
    }

    /// Labels the values of some constants and variables, told by their numbers; `None`: the time is up.
    pub(super) fn labelling(
        &self,
        values: &[Value],
        which: &[usize],
        options: Options,
    ) -> Option<Labelling<Vec<Value>>> {
        let shapes = self.shaped(values);
        let cell = |i: &usize| Cell { label: *i as u32, shape: &shapes[*i], value: &values[*i] };
        let cells: Vec<Cell<'_>> = which.iter().map(cell).collect();
        let mut labeller = Labeller::new(self.model().group.clone());
        labeller.label(&cells, &mut Valuation(&cells), options)
    }

    /// What stands for the orbit of these values.
    fn image(&self, values: &[Value], which: &[usize]) -> Option<Vec<Value>> {
        Some(self.labelling(values, which, Options::default())?.image)
    }

    /// The values of the state that stands for the orbit of this one; `None`: the time is up.
    pub(super) fn canonical(&mut self, state: &[u64]) -> Option<Vec<Value>> {
        let values = self.values(state);
        self.image(&values, &all(&values))
    }

    /// Compares the state where the run stands with that of another place. `None` where one of them is no
    /// state.
    pub fn pair(&mut self, other: PlaceId) -> Option<Pair> {
        let Position::State(left) = self.position().clone() else { return None };
        let Position::State(right) = self.tree().find(other)?.position.clone() else { return None };
        Some(self.within_limit(|animator| {
            enter(Phase::Labelling);
            let (left, right) = (animator.values(&left), animator.values(&right));
            let likeness = match left == right {
                true => Likeness::Equal,
                false => animator.likeness(&left, &right).unwrap_or(Likeness::Unknown),
            };
            Pair { likeness, values: animator.told(&left, &right, 0..left.len()) }
        }))
    }

    fn told(
        &self,
        left: &[Value],
        right: &[Value],
        which: impl IntoIterator<Item = usize>,
    ) -> Vec<Told> {
        let instance = &self.model().program.instance;
        let constants = instance.machine.constants.len();
        let printed = |i: usize, value: &Value| match i.checked_sub(constants) {
            None => instance.printed(Named::Constant(ConstId(i as u32)), value),
            Some(i) => instance.printed(Named::Variable(VarId(i as u32)), value),
        };
        let told = |i: usize| {
            let ((name, left), (_, right)) = (printed(i, &left[i]), printed(i, &right[i]));
            Told { name, left, right }
        };
        which.into_iter().map(told).collect()
    }

    fn likeness(&mut self, left: &[Value], right: &[Value]) -> Option<Likeness> {
        let all = all(left);
        let label = |values| self.labelling(values, &all, Options::default());
        let (one, other) = (label(left)?, label(right)?);
        if one.image == other.image {
            let permutation = one.permutation.then(&other.permutation.inverse());
            return Some(Likeness::Orbit(cycles(&canon::moved(self.model(), &permutation))));
        }
        // The first few that differ together, then as few of them as will do.
        let mut few = all;
        for n in 1..few.len() {
            if self.differ(left, right, &few[..n])?.is_some() {
                few.truncate(n);
                break;
            }
        }
        for i in (0..few.len().saturating_sub(1)).rev() {
            let mut fewer = few.clone();
            fewer.remove(i);
            if self.differ(left, right, &fewer)?.is_some() {
                few = fewer;
            }
        }
        let (mut one, mut other) = (left.to_vec(), right.to_vec());
        if let Some((left, right)) = self.differ(left, right, &few)? {
            for (at, (left, right)) in few.iter().zip(left.into_iter().zip(right)) {
                (one[*at], other[*at]) = (left, right);
            }
        }
        Some(Likeness::Apart(self.told(&one, &other, few)))
    }

    /// What stands for the orbits of these values on each side, where they are not alike.
    fn differ(&self, left: &[Value], right: &[Value], which: &[usize]) -> Option<Option<Images>> {
        let (one, other) = (self.image(left, which)?, self.image(right, which)?);
        Some((one != other).then_some((one, other)))
    }
}

/// The numbers of all these.
pub(super) fn all(values: &[Value]) -> Vec<usize> {
    (0..values.len()).collect()
}
