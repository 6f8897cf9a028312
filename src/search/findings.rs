//! What was found, and which of it the verdict is about: the least depth, then the order of the
//! verdicts.

use super::outcome::Verdict;
use crate::eval::{FaultKind, OperationFault, Site, Topic};
use rustc_hash::FxHashMap;

/// Something wrong, or looked for, in one state.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A conjunct of the invariant or an assertion is false: its number.
    Fails(Topic, usize),
    /// The answer is undefined: a conjunct is, and none is false.
    Undefined(Topic, Site),
    /// An operation that ended in a fault, the first of its state.
    Operation(Box<OperationFault>),
    Deadlock,
    Goal,
}

impl Kind {
    pub fn verdict(&self) -> Verdict {
        match self {
            Kind::Fails(Topic::Assertions, _) => Verdict::AssertionViolation,
            Kind::Fails(..) => Verdict::InvariantViolation,
            Kind::Operation(fault) => Verdict::of_fault(fault.site.kind),
            Kind::Undefined(..) => Verdict::StateError,
            Kind::Deadlock => Verdict::Deadlock,
            Kind::Goal => Verdict::GoalFound,
        }
    }

    /// The ranks at one depth. An operation that fails is found while the level before is expanded,
    /// so before anything that is seen in the states of the level.
    pub const OPERATION: u8 = 0;
    pub const INVARIANT: u8 = 1;
    pub const ASSERTION: u8 = 2;
    /// Before a deadlock: puzzles end where nothing is left to do.
    const GOAL: u8 = 4;
    pub const DEADLOCK: u8 = 5;

    fn rank(&self) -> u8 {
        match self {
            Kind::Operation(_) => Kind::OPERATION,
            Kind::Fails(Topic::Assertions, _) => Kind::ASSERTION,
            Kind::Fails(..) => Kind::INVARIANT,
            Kind::Undefined(..) => 3,
            Kind::Deadlock => Kind::DEADLOCK,
            Kind::Goal => Kind::GOAL,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Found {
    pub state: u32,
    /// Operations of a run that shows it; one that fails counts.
    pub depth: u32,
    pub kind: Kind,
}

/// The counts, and the best finding so far.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// States where the invariant is false.
    pub violating: u64,
    /// States where an assertion is false.
    pub assertions: u64,
    /// States where something that is asked of them is undefined.
    pub undefined: u64,
    pub deadlocked: u64,
    /// Operations and initialisations that end in a fault, weighed; broken claims are counted apart.
    pub faults: u64,
    /// Those where an abstract event cannot follow, or a variant or a theorem of the event is broken.
    pub broken: u64,
    pub goals: u64,
    pub goal_seen: bool,
    /// Where the machine's GOAL was undefined, without being asked for.
    pub goal_undefined: Option<Site>,
    /// The last state where the goal that was asked for holds.
    pub goal_at: Option<u32>,
    pub best: Option<Found>,
    /// What was counted of which states, where more may be found out of them later.
    pub counted: Option<FxHashMap<u32, [bool; 3]>>,
}

impl Findings {
    /// Undefined checks and faults.
    pub fn errors(&self) -> u64 {
        self.undefined + self.faults
    }

    /// Whether some state did not pass its checks.
    pub fn any_failed(&self) -> bool {
        self.violating + self.assertions + self.errors() + self.broken > 0
    }

    /// Counts a state under each kind of failure once; one that was counted before anew, where that is kept in mind.
    pub fn count_wrong(&mut self, state: u32, wrong: &[Kind]) {
        if wrong.is_empty() {
            return;
        }
        let kinds = kinds_of(wrong);
        let before = self.counted.as_mut().and_then(|counted| counted.insert(state, kinds));
        let sums = [&mut self.violating, &mut self.assertions, &mut self.undefined];
        for (i, sum) in sums.into_iter().enumerate() {
            *sum = *sum + u64::from(kinds[i]) - before.map_or(0, |was| u64::from(was[i]));
        }
    }

    /// Counts the instances of operations that failed in one state.
    pub fn count_faults<'f>(&mut self, faults: impl Iterator<Item = &'f OperationFault>) {
        for fault in faults {
            let counted = match fault.site.kind {
                FaultKind::Broken(..) => &mut self.broken,
                _ => &mut self.faults,
            };
            *counted += u64::from(fault.weight);
        }
    }

    pub fn add(&mut self, found: Found) {
        if self.can_improve(found.depth, found.kind.rank()) {
            self.best = Some(found);
        }
    }

    /// Whether something of this rank at this depth would come before the best so far.
    pub fn can_improve(&self, depth: u32, rank: u8) -> bool {
        self.best.as_ref().is_none_or(|b| (depth, rank) < (b.depth, b.kind.rank()))
    }
}

/// Whether the invariant fails, an assertion does, and whether any of them is undefined.
fn kinds_of(wrong: &[Kind]) -> [bool; 3] {
    let any = |is: fn(&Kind) -> bool| wrong.iter().any(is);
    [
        any(|k| matches!(k, Kind::Fails(Topic::Invariant, _))),
        any(|k| matches!(k, Kind::Fails(Topic::Assertions, _))),
        any(|k| matches!(k, Kind::Undefined(..))),
    ]
}
