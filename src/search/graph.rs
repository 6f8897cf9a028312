//! Where each state was first reached from.

use crate::clock::Stopped;
use crate::machine::OpId;
use crate::store::{MOST_NUMBERS, Numbers, Segments};

/// What a state was first reached from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Number of the set-up.
    Setup(u32),
    State(u32),
}

/// The same in four bytes: set-ups count down from the top.
#[derive(Clone, Copy)]
struct Parent(u32);

const SETUPS: u32 = MOST_NUMBERS;

impl Parent {
    fn of(origin: Origin) -> Parent {
        match origin {
            Origin::Setup(i) => Parent(SETUPS | i),
            Origin::State(i) => Parent(i),
        }
    }

    fn origin(self) -> Origin {
        if self.0 & SETUPS != 0 { Origin::Setup(self.0 & !SETUPS) } else { Origin::State(self.0) }
    }
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
    parents: Segments<Parent>,
    /// The operation that first led to each state, plus one; 0 for none.
    operations: Numbers,
    /// Operations after the initialisation, where they are kept.
    depths: Option<Segments<u32>>,
}

impl Graph {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let depths = self.depths.as_ref().map_or(0, Segments::bytes);
        self.parents.bytes() + self.operations.bytes() + depths
    }

    /// `depths`: whether to keep the depth of each state. Breadth-first search knows it otherwise.
    pub fn new(depths: bool) -> Graph {
        let (parents, operations) = (Segments::new(1), Numbers::default());
        Graph { parents, operations, depths: depths.then(|| Segments::new(1)) }
    }

    /// Adds the state with the next number.
    ///
    /// # Errors
    /// There is no room for it; the work is to end.
    pub fn push(&mut self, origin: Origin, operation: OpId, depth: u32) -> Result<(), Stopped> {
        if let Some(depths) = &mut self.depths {
            depths.push(&[depth])?;
        }
        self.operations.push(if operation == NO_OPERATION { 0 } else { operation.0 + 1 })?;
        // It is there from here on.
        self.parents.push(&[Parent::of(origin)])
    }

    /// Number of states.
    pub fn len(&self) -> u32 {
        self.parents.len() as u32
    }

    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The operation that first led to a state, if it is not initial.
    pub fn led_by(&self, state: u32) -> Option<OpId> {
        self.operations.of(state).checked_sub(1).map(OpId)
    }

    /// Operations on the first way to a state, where that is kept.
    pub fn depth(&self, state: u32) -> u32 {
        self.depths.as_ref().map_or(0, |depths| depths.one(state))
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

    /// The set-up and the states on the first way to a state, itself included.
    pub fn path(&self, target: u32) -> (u32, Vec<u32>) {
        let mut path = vec![target];
        loop {
            match self.parents.one(path[path.len() - 1]).origin() {
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
        let mut graph = Graph::new(true);
        graph.push(Origin::Setup(3), NO_OPERATION, 0).unwrap();
        graph.push(Origin::State(0), OpId(0), 1).unwrap();
        graph.push(Origin::State(0), OpId(1), 1).unwrap();
        graph.push(Origin::State(2), OpId(0), 2).unwrap();
        assert_eq!(graph.path(3), (3, vec![0, 2, 3]));
        assert_eq!((graph.initial_count(), graph.len()), (1, 4));
        assert_eq!((graph.depth(3), graph.led_by(3)), (2, Some(OpId(0))));
        let mut firsts = Firsts::new(2);
        graph.count_firsts(&mut firsts);
        graph.count_firsts(&mut firsts);
        assert_eq!(firsts.counts, [2, 1]);
        // No operation has the number of none.
        graph.push(Origin::State(3), OpId(u32::from(u16::MAX)), 3).unwrap();
        assert_eq!(graph.led_by(4), Some(OpId(65_535)));
    }
}
