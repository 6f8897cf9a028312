//! Which values the variables have in the states that were found: counted when somebody looks, over all states
//! or over a part of them that lies evenly, so that a search that nobody looks at pays nothing.

use super::engine::Engine;
use crate::machine::VarId;
use crate::state::{Instance, Interner, Layout};
use crate::store::Visited;
use crate::value::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The values in some states.
#[derive(Clone, Debug)]
pub struct ValuesSeen {
    /// The states that were looked at, and those that the search follows: under symmetry these stand for
    /// others.
    pub looked: u64,
    pub states: u64,
    pub variables: Vec<VariableValues>,
    /// What the values mean.
    pub instance: Arc<Instance>,
}

/// The values of one variable.
#[derive(Clone, PartialEq, Debug)]
pub struct VariableValues {
    pub variable: VarId,
    /// How many different ones there are in the states that were looked at.
    pub distinct: usize,
    /// Where they are few: each with the number of states that have it.
    pub each: Vec<(Value, u64)>,
}

/// Most values that are told one by one.
pub const FEW: usize = 8;

/// Most looks at a variable in a state, all in all: some milliseconds.
const LOOKS: usize = 200_000;

/// A variable in a packed state: equal words there, equal values.
type Cell = SmallVec<[u64; 2]>;

/// The words of a state that a variable has bits in, each with these bits.
fn masks(layout: &Layout, variable: VarId) -> Vec<(usize, u64)> {
    let mut masks: Vec<(usize, u64)> = Vec::new();
    layout.field(variable).bits(&mut |word, bits| match masks.last_mut() {
        Some((last, mask)) if *last == word => *mask |= bits,
        _ => masks.push((word, bits)),
    });
    masks
}

/// The values in the first so many states, or in a part of them that lies evenly.
pub fn seen(
    instance: &Arc<Instance>,
    layout: &Layout,
    (visited, known): (&Visited, u32),
    interner: &mut Interner,
) -> ValuesSeen {
    let ids: Vec<VarId> = (0..instance.machine.variables.len() as u32).map(VarId).collect();
    let (known, most) = (u64::from(known), (LOOKS / ids.len().max(1)).max(100) as u64);
    let looked = known.min(most);
    let number = |i: u64| (i * known / looked.max(1)) as u32;
    let values = |variable: &VarId| {
        let masks = masks(layout, *variable);
        let field = layout.field(*variable);
        // Each with the first state that has it.
        let mut found: FxHashMap<Cell, (u32, u64)> = FxHashMap::default();
        for number in (0..looked).map(number) {
            let state = visited.state(number);
            let mut cell: Cell = masks.iter().map(|(word, mask)| state[*word] & mask).collect();
            if field.is_outside(state) {
                // The field only says that the value stands elsewhere.
                let value = layout.read(*variable, state, interner);
                cell.push(interner.number(&value).into());
            }
            found.entry(cell).or_insert((number, 0)).1 += 1;
        }
        let distinct = found.len();
        let mut firsts: Vec<(u32, u64)> = found.into_values().collect();
        firsts.sort_unstable();
        firsts.truncate(if distinct <= FEW { distinct } else { 0 });
        let read =
            |(number, times)| (layout.read(*variable, visited.state(number), interner), times);
        VariableValues {
            variable: *variable,
            distinct,
            each: firsts.into_iter().map(read).collect(),
        }
    };
    let variables = ids.iter().map(values).collect();
    ValuesSeen { looked, states: known, variables, instance: instance.clone() }
}

impl Engine<'_> {
    /// Hands the values in the states so far, and what operations did, over to whoever looks at the search closely.
    pub(super) fn tell_values(&mut self, ended: bool) {
        let wanted = self.control.is_looked_at() || ended && self.control.tells();
        if !wanted {
            return;
        }
        let (program, known) = (&self.model.program, self.known());
        let interner = self.expander.evaluator.interner();
        let seen = seen(&self.model.instance, &program.layout, (&self.visited, known), interner);
        self.control.tell_values(seen);
        let operations = self.operation_counts();
        self.control.tell_operations(operations);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{self, Control, SearchOptions, SymmetryMode};
    use crate::session::{Origin, Session};
    use crate::setup::SetupOptions;

    fn values(text: &str, symmetry: SymmetryMode) -> Arc<ValuesSeen> {
        let origin = Origin::Embedded { name: "m.mch".to_owned(), text: text.to_owned() };
        let session = Session::open(origin, SetupOptions::default());
        let control = Arc::new(Control::new().telling());
        let options = SearchOptions { symmetry: Some(symmetry), ..SearchOptions::default() };
        let outcome = search::run(session.model().unwrap(), &options, &control);
        let closer = control.closer();
        assert!(!closer.operations.is_empty());
        assert_eq!(*closer.operations, outcome.operations[..]);
        control.closer().values.unwrap()
    }

    /// Values that the invariant does not expect are held elsewhere, and count like others.
    #[test]
    fn values_are_counted_in_all_states() {
        let text = "MACHINE m SETS P VARIABLES n, s, big, x INVARIANT n : 0..7 & s <: P & big : INTEGER & x : 0..1
INITIALISATION n := 0 || s := {} || big := 0 || x := 0
OPERATIONS up = PRE n < 5 THEN n := n + 1 || big := (n + 1) mod 2 * 1000000007 END;
  join(p) = PRE p : P & p /: s & n = 5 THEN s := s \\/ {p} END END";
        let seen = values(text, SymmetryMode::Off);
        // 0 to 5, and at 5 one or both of two elements.
        assert_eq!((seen.looked, seen.states), (6 + 3, 6 + 3));
        let each = |v: usize| {
            let values = &seen.variables[v];
            let shown = values
                .each
                .iter()
                .map(|(value, n)| (seen.instance.printed_variable(values.variable, value).1, *n));
            (values.distinct, shown.collect::<Vec<_>>())
        };
        let told = |pairs: &[(&str, u64)]| -> Vec<(String, u64)> {
            pairs.iter().map(|(value, n)| ((*value).to_owned(), *n)).collect()
        };
        assert_eq!(
            each(0),
            (6, told(&[("0", 1), ("1", 1), ("2", 1), ("3", 1), ("4", 1), ("5", 4)]))
        );
        assert_eq!(each(1).0, 4);
        assert_eq!(each(2), (2, told(&[("0", 3), ("1000000007", 6)])));
        assert_eq!(each(3), (1, told(&[("0", 9)])));
        for mode in [SymmetryMode::Canon, SymmetryMode::Flood] {
            let seen = values(text, mode);
            assert_eq!((seen.looked, seen.variables[1].distinct), (6 + 2, 3), "one of each orbit");
        }
    }

    #[test]
    fn of_many_states_a_part_is_looked_at_that_lies_evenly() {
        let text = "MACHINE m VARIABLES n, odd INVARIANT n : 0..300000 & odd : 0..1
INITIALISATION n := 0 || odd := 0
OPERATIONS up = PRE n < 250000 THEN n := n + 1 || odd := (n + 1) mod 2 END END";
        let seen = values(text, SymmetryMode::Off);
        assert_eq!((seen.looked, seen.states), (100_000, 250_001));
        assert_eq!(seen.variables[0].distinct, 100_000);
        assert!(seen.variables[0].each.is_empty(), "they are many");
        let each: u64 = seen.variables[1].each.iter().map(|(_, n)| n).sum();
        assert_eq!((seen.variables[1].distinct, each), (2, 100_000));
    }
}
