//! What is told of a reduction: what its results are worth, and its figures.

use crate::symmetry::Order;
use std::time::Duration;

/// What "nothing found" is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Every orbit is visited.
    Complete,
    /// States of different orbits may be taken for one.
    Approximate,
}

/// Which orders of stabilisers are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Orders {
    /// Every state stands for itself.
    One,
    /// They are found on the way.
    Found,
    /// They are asked for, of states that are kept.
    OnRequest,
    Unknown,
}

/// What a reduction is, as data.
#[derive(Clone, Debug)]
pub struct About {
    pub kind: Kind,
    pub orders: Orders,
    /// Order of the whole group that is used.
    pub group: Order,
    /// Whether a run of the machine meets the states that are kept. Otherwise it meets states of their
    /// orbits.
    pub keeps_runs: bool,
    /// What the user should know of how this machine is seen: which arrays are sorted by, and which
    /// variables cannot be used.
    pub notes: Vec<String>,
}

/// Sums that the workers of a reduction make.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Figures {
    #[default]
    None,
    /// Permutations tried.
    Tried(u64),
    Isomorphism(Comparisons),
}

/// Table 5 of Rensink.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparisons {
    /// States with an equal hash that one was compared with.
    pub predicted: u64,
    /// Those of them that are not isomorphic.
    pub hash: u64,
    /// Those of these that have the same multisets of colours.
    pub colouring: u64,
    pub hashing: Duration,
    /// The comparisons, and of them the searches.
    pub comparing: Duration,
    pub searching: Duration,
}

impl Figures {
    /// Adds what another worker has counted.
    pub fn add(&mut self, other: Figures) {
        match (self, other) {
            (Figures::Tried(a), Figures::Tried(b)) => *a += b,
            (Figures::Isomorphism(a), Figures::Isomorphism(b)) => a.add(&b),
            (sum @ Figures::None, other) => *sum = other,
            (_, _) => {}
        }
    }

    /// Names and values, for a search that took `total`.
    pub fn rows(&self, total: Duration) -> Vec<(String, f64)> {
        let rows = match self {
            Figures::None => Vec::new(),
            Figures::Tried(n) => vec![("permutations tried", *n as f64)],
            Figures::Isomorphism(sums) => sums.rows(total).into(),
        };
        rows.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
    }
}

impl Comparisons {
    fn add(&mut self, other: &Comparisons) {
        self.predicted += other.predicted;
        self.hash += other.hash;
        self.colouring += other.colouring;
        self.hashing += other.hashing;
        self.comparing += other.comparing;
        self.searching += other.searching;
    }

    fn rows(&self, total: Duration) -> [(&'static str, f64); 12] {
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let predicted = self.predicted as f64;
        let (hashing, searching) = (self.hashing.as_secs_f64(), self.searching.as_secs_f64());
        let checking = (self.hashing + self.comparing).as_secs_f64();
        let total = total.as_secs_f64();
        [
            ("predicted isomorphisms", predicted),
            ("false positives of the hash", self.hash as f64),
            ("false positives of the hash, share of predicted", share(self.hash as f64, predicted)),
            ("false positives of the colouring", self.colouring as f64),
            (
                "false positives of the colouring, share of predicted",
                share(self.colouring as f64, predicted),
            ),
            ("seconds in total", total),
            ("seconds of isomorphism checking", checking),
            ("isomorphism checking, share of total", share(checking, total)),
            ("seconds of hashing", hashing),
            ("hashing, share of isomorphism checking", share(hashing, checking)),
            ("seconds of searching", searching),
            ("searching, share of isomorphism checking", share(searching, checking)),
        ]
    }
}
