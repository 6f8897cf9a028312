//! Isomorphism checking (Rensink): a state is looked up by a hash that its isomorphic states share,
//! then compared with the states in the bucket by a search for an isomorphism.
//!
//! Complete, and one state of each orbit is kept: the first real one. The statistics are those of the
//! paper's table 5. A state that is in the store as it is takes the same way as any other. Canonical
//! labelling is used beside it for the set-ups, for the orders of stabilisers and for traces; its time
//! is not counted.

pub(super) mod colouring;
pub(super) mod graph;
pub(super) mod search;

pub use colouring::Refinement;

use super::{Admitted, Canon, Interrupted, Method, Reading, SetUp, Stabilisers};
use crate::state::Interner;
use crate::symmetry::orbit::Order;
use crate::value::Value;
use graph::{Graph, Pen};
use rustc_hash::FxHashMap;
use search::{Coloured, isomorphism};
use std::time::{Duration, Instant};

/// How states are coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IsoOptions {
    pub refinement: Refinement,
    pub symmetry_breaking: bool,
}

impl Default for IsoOptions {
    fn default() -> IsoOptions {
        IsoOptions { refinement: Refinement::Naive, symmetry_breaking: true }
    }
}

pub struct Iso {
    reading: Reading,
    canon: Canon,
    pen: Pen,
    options: IsoOptions,
    states: Vec<u64>,
    /// The colours of the vertices of each state.
    colours: Vec<Box<[u64]>>,
    colour_bytes: usize,
    buckets: FxHashMap<u64, Vec<u32>>,
    stabilisers: Stabilisers,
    statistics: Statistics,
}

/// Table 5 of the paper.
#[derive(Clone, Debug)]
struct Statistics {
    started: Instant,
    /// States of a bucket that a new one was compared with.
    predicted: u64,
    /// Those of them that are not isomorphic.
    hash: u64,
    /// Those of these that have the same multisets of colours.
    colouring: u64,
    checking: Duration,
    hashing: Duration,
    searching: Duration,
}

impl Iso {
    pub fn new(reading: Reading, canon: Canon, options: IsoOptions) -> Iso {
        let pen = Pen::new(canon.group(), &reading.shapes);
        Iso {
            reading,
            canon,
            pen,
            options,
            states: Vec::new(),
            colours: Vec::new(),
            colour_bytes: 0,
            buckets: FxHashMap::default(),
            stabilisers: Stabilisers::default(),
            statistics: Statistics {
                started: Instant::now(),
                predicted: 0,
                hash: 0,
                colouring: 0,
                checking: Duration::ZERO,
                hashing: Duration::ZERO,
                searching: Duration::ZERO,
            },
        }
    }

    /// The state of a bucket that is isomorphic to the one given.
    fn find(
        &mut self,
        values: &[Value],
        graph: &Graph,
        colours: &[u64],
        bucket: &[u32],
        interner: &mut Interner,
    ) -> Result<Option<u32>, Interrupted> {
        let sorted = |list: &[u64]| {
            let mut list = list.to_vec();
            list.sort_unstable();
            list
        };
        let (vertices, edges) = (sorted(colours), edges(graph, colours));
        for number in bucket {
            self.statistics.predicted += 1;
            let others = &self.colours[*number as usize];
            let mut same = vertices == sorted(others);
            if same {
                let searching = Instant::now();
                let other = self.reading.values(self.state(*number), interner);
                let drawn = self.pen.draw(&other)?;
                same = edges == self::edges(&drawn, others);
                let found =
                    same && self.isomorphic(values, (graph, colours), &other, &drawn, others)?;
                self.statistics.searching += searching.elapsed();
                if found {
                    return Ok(Some(*number));
                }
            }
            self.statistics.hash += 1;
            self.statistics.colouring += same as u64;
        }
        Ok(None)
    }

    /// Whether a permutation takes one state to another.
    fn isomorphic(
        &self,
        values: &[Value],
        (graph, colours): (&Graph, &[u64]),
        other: &[Value],
        drawn: &Graph,
        others: &[u64],
    ) -> Result<bool, Interrupted> {
        let group = self.canon.group();
        let mut accept = |images: &[u32]| {
            let permutation = group.permutation(&images[..group.points()]);
            self.reading.image(values, &permutation) == other
        };
        isomorphism(
            Coloured { graph, colours },
            Coloured { graph: drawn, colours: others },
            &mut accept,
        )
    }
}

fn edges(graph: &Graph, colours: &[u64]) -> Vec<u64> {
    let mut list: Vec<u64> = colouring::edge_colours(graph, colours).collect();
    list.sort_unstable();
    list
}

impl Method for Iso {
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted> {
        let checking = Instant::now();
        let values = self.reading.values(state, interner);
        let graph = self.pen.draw(&values)?;
        let IsoOptions { refinement, symmetry_breaking } = self.options;
        let colours = refinement.colour(&graph, symmetry_breaking)?;
        let hash = colouring::hash(&graph, &colours);
        self.statistics.hashing += checking.elapsed();
        let bucket = self.buckets.get(&hash).cloned().unwrap_or_default();
        let found = self.find(&values, &graph, &colours, &bucket, interner)?;
        self.statistics.checking += checking.elapsed();
        if let Some(number) = found {
            return Ok(Admitted::at((number, false)));
        }
        let (_, order) = self.canon.canonical(state, interner)?;
        let number = self.colours.len() as u32;
        self.states.extend_from_slice(state);
        self.colour_bytes += 8 * colours.len() + size_of::<Box<[u64]>>();
        self.colours.push(colours.into());
        self.buckets.entry(hash).or_default().push(number);
        self.stabilisers.push(order);
        Ok(Admitted::at((number, true)))
    }

    fn state(&self, number: u32) -> &[u64] {
        let words = self.reading.words();
        &self.states[number as usize * words..(number as usize + 1) * words]
    }

    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        let kept = self.state(number).to_vec();
        self.canon.same_orbit(&kept, state, interner)
    }

    fn len(&self) -> usize {
        self.colours.len()
    }

    fn stabiliser(&self, number: u32) -> Option<&Order> {
        self.stabilisers.get(number)
    }

    fn labelling(&mut self) -> Option<&mut Canon> {
        Some(&mut self.canon)
    }

    fn canonical_constants(&mut self, constants: &[Value]) -> Result<SetUp, Interrupted> {
        self.canon.canonical_constants(constants)
    }

    fn group_order(&self) -> Order {
        self.canon.group_order()
    }

    fn bytes(&self) -> usize {
        let buckets = self.buckets.len() * (size_of::<(u64, Vec<u32>)>() + 16);
        8 * self.states.capacity()
            + self.colour_bytes
            + buckets
            + self.stabilisers.bytes()
            + self.canon.bytes()
    }

    fn statistics(&self) -> Vec<(String, f64)> {
        let s = &self.statistics;
        let total = s.started.elapsed().as_secs_f64();
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let (checking, hashing, searching) =
            (s.checking.as_secs_f64(), s.hashing.as_secs_f64(), s.searching.as_secs_f64());
        let predicted = s.predicted as f64;
        [
            ("predicted isomorphisms", predicted),
            ("false positives of the hash", s.hash as f64),
            ("false positives of the hash, share of predicted", share(s.hash as f64, predicted)),
            ("false positives of the colouring", s.colouring as f64),
            (
                "false positives of the colouring, share of predicted",
                share(s.colouring as f64, predicted),
            ),
            ("seconds in total", total),
            ("seconds of isomorphism checking", checking),
            ("isomorphism checking, share of total", share(checking, total)),
            ("seconds of hashing", hashing),
            ("hashing, share of isomorphism checking", share(hashing, checking)),
            ("seconds of searching", searching),
            ("searching, share of isomorphism checking", share(searching, checking)),
        ]
        .map(|(name, value)| (name.to_string(), value))
        .into()
    }
}
