//! Where each state was first reached from.

use crate::clock::Stopped;
use crate::machine::OpId;
use crate::store::{MOST_NUMBERS, Numbers, Rising, Segments};

/// What a state was first reached from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Number of the set-up.
    Setup(u32),
    State(u32),
}

/// No operation led here: the state is initial.
pub const NO_OPERATION: OpId = OpId(u32::MAX);

/// How many states each operation was the first to reach, as far as they were looked at.
#[derive(Clone, Debug)]
pub struct Firsts {
    /// By the number of the operation.
    pub counts: Vec<u64>,
    looked: u32,
}

impl Firsts {
    /// For so many operations; nothing is looked at yet.
    pub fn new(operations: usize) -> Firsts {
        Firsts { counts: vec![0; operations], looked: 0 }
    }
}

/// A tree over the states that were found, by their numbers: the first way to each.
pub struct Graph {
    ways: Ways,
    /// The operation that first led to each state, plus one; 0 for none.
    operations: Numbers,
}

/// What each state was first reached from. Initial states come before all others.
enum Ways {
    /// States are expanded in the order of their numbers.
    Levels { set_ups: Rising, parents: Rising },
    /// In any other order; with the operations after the initialisation.
    Any { origins: Segments<u32>, depths: Segments<u32> },
}

/// In any order, set-ups count down from the top.
const SETUPS: u32 = MOST_NUMBERS;

impl Graph {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let ways = match &self.ways {
            Ways::Levels { set_ups, parents } => set_ups.bytes() + parents.bytes(),
            Ways::Any { origins, depths } => origins.bytes() + depths.bytes(),
        };
        ways + self.operations.bytes()
    }

    /// Of a breadth-first search, which expands states in the order of their numbers, and knows their depths.
    pub fn by_levels() -> Graph {
        let ways = Ways::Levels { set_ups: Rising::default(), parents: Rising::default() };
        Graph { ways, operations: Numbers::default() }
    }

    /// Of a search that expands states in any order.
    pub fn in_any_order() -> Graph {
        let ways = Ways::Any { origins: Segments::new(1), depths: Segments::new(1) };
        Graph { ways, operations: Numbers::default() }
    }

    /// Adds the state with the next number.
    ///
    /// # Errors
    /// There is no room for it; the work is to end.
    pub fn push(&mut self, origin: Origin, operation: OpId, depth: u32) -> Result<(), Stopped> {
        self.operations.push(if operation == NO_OPERATION { 0 } else { operation.0 + 1 })?;
        // It is there from here on.
        match (&mut self.ways, origin) {
            (Ways::Levels { set_ups, .. }, Origin::Setup(i)) => set_ups.push(i),
            (Ways::Levels { parents, .. }, Origin::State(i)) => parents.push(i),
            (Ways::Any { origins, depths }, origin) => {
                depths.push(&[depth])?;
                origins.push(&[match origin {
                    Origin::Setup(i) => SETUPS | i,
                    Origin::State(i) => i,
                }])
            }
        }
    }

    /// Number of states.
    pub fn len(&self) -> u32 {
        match &self.ways {
            Ways::Levels { set_ups, parents } => (set_ups.len() + parents.len()) as u32,
            Ways::Any { origins, .. } => origins.len() as u32,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The operation that first led to a state, if it is not initial.
    pub fn led_by(&self, state: u32) -> Option<OpId> {
        self.operations.of(state).checked_sub(1).map(OpId)
    }

    /// Operations on the first way to a state, where that is kept.
    pub fn depth(&self, state: u32) -> u32 {
        match &self.ways {
            Ways::Levels { .. } => 0,
            Ways::Any { depths, .. } => depths.one(state),
        }
    }

    /// Goes on counting, with the states that have come since.
    pub fn count_firsts(&self, firsts: &mut Firsts) {
        for operation in (firsts.looked..self.len()).filter_map(|state| self.led_by(state)) {
            firsts.counts[operation.0 as usize] += 1;
        }
        firsts.looked = self.len();
    }

    /// Number of initial states: they come first.
    pub fn initial_count(&self) -> usize {
        (0..self.len()).take_while(|state| self.led_by(*state).is_none()).count()
    }

    /// What a state was first reached from.
    fn origin(&self, state: u32) -> Origin {
        match &self.ways {
            Ways::Levels { set_ups, parents } => match state.checked_sub(set_ups.len() as u32) {
                None => Origin::Setup(set_ups.get(state)),
                Some(later) => Origin::State(parents.get(later)),
            },
            Ways::Any { origins, .. } => match origins.one(state) {
                i if i & SETUPS != 0 => Origin::Setup(i & !SETUPS),
                i => Origin::State(i),
            },
        }
    }

    /// The set-up and the states on the first way to a state, itself included.
    pub fn path(&self, target: u32) -> (u32, Vec<u32>) {
        let mut path = vec![target];
        loop {
            match self.origin(path[path.len() - 1]) {
                Origin::State(parent) => path.push(parent),
                Origin::Setup(set_up) => {
                    path.reverse();
                    return (set_up, path);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_begins_with_its_set_up() {
        for mut graph in [Graph::by_levels(), Graph::in_any_order()] {
            graph.push(Origin::Setup(1), NO_OPERATION, 0).unwrap();
            graph.push(Origin::Setup(3), NO_OPERATION, 0).unwrap();
            graph.push(Origin::State(1), OpId(0), 1).unwrap();
            graph.push(Origin::State(1), OpId(1), 1).unwrap();
            graph.push(Origin::State(3), OpId(0), 2).unwrap();
            assert_eq!(graph.path(4), (3, vec![1, 3, 4]));
            assert_eq!(graph.path(0), (1, vec![0]));
            assert_eq!((graph.initial_count(), graph.len()), (2, 5));
            assert_eq!(graph.led_by(4), Some(OpId(0)));
            let mut firsts = Firsts::new(2);
            graph.count_firsts(&mut firsts);
            graph.count_firsts(&mut firsts);
            assert_eq!(firsts.counts, [2, 1]);
            // No operation has the number of none.
            graph.push(Origin::State(4), OpId(u32::from(u16::MAX)), 3).unwrap();
            assert_eq!(graph.led_by(5), Some(OpId(65_535)));
        }
    }

    #[test]
    fn depths_are_kept_where_the_order_does_not_tell_them() {
        let mut graph = Graph::in_any_order();
        graph.push(Origin::Setup(0), NO_OPERATION, 0).unwrap();
        graph.push(Origin::State(0), OpId(0), 1).unwrap();
        graph.push(Origin::State(1), OpId(0), 2).unwrap();
        // The first one is taken up again.
        graph.push(Origin::State(0), OpId(0), 1).unwrap();
        assert_eq!([0, 1, 2, 3].map(|state| graph.depth(state)), [0, 1, 2, 1]);
        assert_eq!(graph.path(3), (0, vec![0, 3]));
    }
}
