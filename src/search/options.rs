//! What a search is asked to do.

use crate::independence::{Asked, QUERY_TIME};
pub use crate::independence::{Choice as PorChoice, Means as PorAnalysis, Method as PorMethod};
use crate::machine::OpId;
pub use crate::reduce::{IsoOptions, Refinement};
use crate::store::MOST_NUMBERS;
use std::time::Duration;

/// Images of one state that flooding may add, unless told otherwise.
pub const FLOOD_LIMIT: u64 = 100_000;

/// How often the clock is asked at most while one assertion is asked of a state, unless told otherwise: as often as in
/// some hundredths of a second.
pub const PATIENCE: u32 = 1 << 11;

/// Most threads of one search.
pub const MOST_THREADS: usize = 1024;

/// How much may be done to choose instances before that has to be worth it, unless told otherwise: enough for a few
/// states, of which one is enough to go on.
const POR_WORK: u64 = 300;

/// How long a search works on one thread, unless told otherwise.
const ALONE: Duration = Duration::from_millis(5);

/// How states are identified: by one of the [reductions](crate::reduce) in one of the [stores](crate::store).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymmetryMode {
    Off,
    /// Permutation flooding (Leuschel, Butler, Spermann and Turner).
    Flood,
    /// Canonical labelling (Turner et al.).
    Canon,
    /// Symmetry markers for B (Leuschel and Massart). Approximate.
    Marker,
    /// Markers over arrays (Bosnacki et al.). Approximate.
    ApproxMarker,
    /// The same, with a real image in place of the marker.
    ExactMarker,
    /// One permutation that sorts a main array (Bosnacki, Dams and Holenderski).
    Sorted,
    /// All permutations that sort it.
    Segmented,
    /// Values that are elements are left out (Bosnacki et al.). Approximate.
    Flattened,
    /// An invariant hash, then a search for an isomorphism (Rensink).
    Iso,
}

impl SymmetryMode {
    pub const ALL: [SymmetryMode; 10] = [
        SymmetryMode::Off,
        SymmetryMode::Flood,
        SymmetryMode::Canon,
        SymmetryMode::Marker,
        SymmetryMode::ApproxMarker,
        SymmetryMode::ExactMarker,
        SymmetryMode::Sorted,
        SymmetryMode::Segmented,
        SymmetryMode::Flattened,
        SymmetryMode::Iso,
    ];

    pub fn name(self) -> &'static str {
        match self {
            SymmetryMode::Off => "off",
            SymmetryMode::Flood => "flood",
            SymmetryMode::Canon => "canon",
            SymmetryMode::Marker => "marker",
            SymmetryMode::ApproxMarker => "approx-marker",
            SymmetryMode::ExactMarker => "exact-marker",
            SymmetryMode::Sorted => "sorted",
            SymmetryMode::Segmented => "segmented",
            SymmetryMode::Flattened => "flattened",
            SymmetryMode::Iso => "iso",
        }
    }

    /// All that it is called: its name, and then ProB's where that is another one.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let other = match self {
            SymmetryMode::Canon => Some("nauty"),
            SymmetryMode::Marker => Some("hash"),
            _ => None,
        };
        std::iter::once(self.name()).chain(other)
    }

    pub fn from_name(name: &str) -> Option<SymmetryMode> {
        SymmetryMode::ALL.into_iter().find(|mode| mode.names().any(|n| n == name))
    }

    /// Whether it may take states of different orbits for one, so that nothing found means little.
    pub fn is_approximate(self) -> bool {
        matches!(self, SymmetryMode::Marker | SymmetryMode::ApproxMarker | SymmetryMode::Flattened)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    BreadthFirst,
    DepthFirst,
    /// Turner et al., algorithm 1: a new state goes to the front of the queue with probability alpha.
    Mixed,
    /// Random walks from the initial states, until a limit ends them.
    Random,
}

impl Strategy {
    pub const ALL: [Strategy; 4] =
        [Strategy::BreadthFirst, Strategy::DepthFirst, Strategy::Mixed, Strategy::Random];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::BreadthFirst => "bfs",
            Strategy::DepthFirst => "dfs",
            Strategy::Mixed => "mixed",
            Strategy::Random => "random",
        }
    }
}

/// What follows when a state violates the invariant or an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OnViolation {
    /// The search ends.
    Stop,
    /// The state is counted, and not expanded.
    Prune,
    /// The state is counted and expanded.
    Expand,
}

impl OnViolation {
    pub const ALL: [OnViolation; 3] = [OnViolation::Stop, OnViolation::Prune, OnViolation::Expand];

    pub fn name(self) -> &'static str {
        match self {
            OnViolation::Stop => "stop",
            OnViolation::Prune => "prune",
            OnViolation::Expand => "expand",
        }
    }
}

/// When assertions are asked, where the invariant is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Asserted {
    /// When a state is taken up, but for those that take long: these when the search is through.
    Auto,
    /// When a state is taken up.
    Now,
    /// When the search is through.
    Last,
    /// Never.
    Off,
}

impl Asserted {
    pub const ALL: [Asserted; 4] = [Asserted::Auto, Asserted::Now, Asserted::Last, Asserted::Off];

    pub fn name(self) -> &'static str {
        match self {
            Asserted::Auto => "auto",
            Asserted::Now => "now",
            Asserted::Last => "last",
            Asserted::Off => "off",
        }
    }
}

#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// `None`: canon where some set is symmetric, else off.
    pub symmetry: Option<SymmetryMode>,
    pub strategy: Strategy,
    /// Probability of the mixed strategy.
    pub alpha: f64,
    pub seed: u64,
    /// Partial order reduction: how the instances of operations are chosen that are followed out of a state.
    /// Random walks follow all.
    pub por: Option<PorMethod>,
    pub por_choice: PorChoice,
    pub por_analysis: PorAnalysis,
    /// Longest time for one question of the analysis to the solver.
    pub por_query_time: Duration,
    /// How much may be done to choose instances before that has to be worth it
    /// ([`Chooser::work`](crate::independence::Chooser::work)).
    pub por_work: u64,
    pub deadlock: bool,
    /// Invariant and assertions.
    pub invariant: bool,
    pub assertions: Asserted,
    /// How often the clock is asked at most while one assertion is asked of a state, unless it waits.
    pub patience: u32,
    /// End at a state where this holds (typed against the machine of the instance). It must be the
    /// goal that the program was compiled with.
    pub goal: bool,
    /// End at a state that enables this operation.
    pub until: Option<OpId>,
    pub on_violation: OnViolation,
    /// Go past goals and deadlocks, too.
    pub keep_going: bool,
    /// Of initialised states (representatives, when reduced).
    pub max_states: Option<u64>,
    pub timeout: Option<Duration>,
    /// A variable or constant to be the main array of sorted and segmented, for the sets
    /// that it is indexed by. It must be one that fits: see [`super::main_array_problem`].
    pub main_array: Option<String>,
    /// Greatest number of images of one state that flooding may add.
    pub flood_limit: u64,
    pub iso: IsoOptions,
    /// Threads that a breadth-first search works on; `None`: as many as there are processors. Random walkers,
    /// each with a thread and a seed of its own; `None`: one, so that what is reported does not depend
    /// on the processors.
    pub threads: Option<usize>,
    /// How long it works on one, since many searches are through by then.
    pub alone: Duration,
    /// Runs canon beside an approximate method and counts the orbits that it misses.
    pub measure_precision: bool,
    /// States, and images that are kept, that may be numbered: no more than the stores have numbers.
    pub most_numbers: u32,
    /// Bytes; `None`: 80 % of the machine's memory.
    pub memory: Option<u64>,
}

impl SearchOptions {
    /// What partial order reduction has to know for this search.
    pub fn por_asked(&self) -> Asked {
        let ends = self.on_violation == OnViolation::Stop && !self.keep_going;
        Asked {
            invariant: self.invariant,
            assertions: self.asserts(),
            assumes: self.invariant && ends,
            means: self.por_analysis,
            query_time: self.por_query_time,
        }
    }

    /// Whether assertions are asked.
    pub fn asserts(&self) -> bool {
        self.invariant && self.assertions != Asserted::Off
    }

    /// How many random walkers there are.
    pub(super) fn walkers(&self) -> usize {
        match self.strategy {
            Strategy::Random => self.threads.unwrap_or(1).clamp(1, MOST_THREADS),
            _ => 1,
        }
    }

    /// How many threads the search works on. The strategies that do not go level by level work on one, and
    /// so does one beside which another one runs.
    pub(super) fn threads_for(&self, audited: bool) -> usize {
        if self.strategy != Strategy::BreadthFirst || audited {
            return 1;
        }
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(all).clamp(1, MOST_THREADS)
    }
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            symmetry: None,
            strategy: Strategy::BreadthFirst,
            alpha: 0.5,
            seed: 1,
            por: None,
            por_choice: PorChoice::default(),
            por_analysis: PorAnalysis::default(),
            por_query_time: QUERY_TIME,
            por_work: POR_WORK,
            deadlock: true,
            invariant: true,
            assertions: Asserted::Auto,
            patience: PATIENCE,
            goal: false,
            until: None,
            on_violation: OnViolation::Stop,
            keep_going: false,
            max_states: None,
            timeout: None,
            memory: None,
            main_array: None,
            flood_limit: FLOOD_LIMIT,
            iso: IsoOptions::default(),
            measure_precision: false,
            most_numbers: MOST_NUMBERS,
            threads: None,
            alone: ALONE,
        }
    }
}

/// A time limit from text, in seconds.
///
/// # Errors
/// What was expected.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| "expected a number of seconds, at least 0".into())
}

/// A number of threads from text.
///
/// # Errors
/// What was expected.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=MOST_THREADS).contains(&n) => Ok(n),
        _ => Err(format!("a number from 1 to {MOST_THREADS} is expected")),
    }
}

/// Bytes, from a number with K, M or G (powers of 1024) or without.
///
/// # Errors
/// What was expected.
pub fn memory_size(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected a number of bytes, or one with K, M or G, for example 512M";
    let (digits, shift) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let number: u64 = digits.trim().parse().map_err(|_| EXPECTED.to_owned())?;
    if number == 0 {
        return Err("a search needs some memory".to_owned());
    }
    number.checked_mul(1 << shift).ok_or_else(|| "this is more memory than can be counted".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_invariant_is_assumed_only_where_it_holds_in_all_that_is_expanded() {
        let assumes = |options: SearchOptions| options.por_asked().assumes;
        let all = SearchOptions::default;
        assert!(assumes(all()));
        assert!(!assumes(SearchOptions { invariant: false, ..all() }));
        assert!(!assumes(SearchOptions { keep_going: true, ..all() }));
        for on_violation in [OnViolation::Expand, OnViolation::Prune] {
            assert!(!assumes(SearchOptions { on_violation, ..all() }));
        }
    }

    #[test]
    fn memory_sizes() {
        assert_eq!(memory_size("1000"), Ok(1000));
        assert_eq!(memory_size("2k"), Ok(2048));
        assert_eq!(memory_size("512M"), Ok(512 << 20));
        assert_eq!(memory_size("3G"), Ok(3 << 30));
        for wrong in ["", "K", "1T", "-1", "1.5G", "0", "99999999999999G", "1é"] {
            assert!(memory_size(wrong).is_err(), "{wrong}");
        }
    }
}
