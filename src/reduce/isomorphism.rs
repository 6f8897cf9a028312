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

use super::{
    About, Batch, Canon, Figures, Interrupted, Kept, Kind, Orders, Reading, Reduction, SetUp,
    Worker, about::Comparisons,
};
use crate::state::{Interner, Layout};
use crate::symmetry::flat::Packed;
use crate::symmetry::group::Group;
use crate::symmetry::orbit::Order;
use crate::value::Value;
use graph::{Graph, Pen};
use search::{Coloured, isomorphism};
use std::sync::Arc;
use std::time::Instant;

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

pub fn reduction(
    layout: Arc<Layout>,
    reading: Reading,
    group: Group,
    options: IsoOptions,
) -> Reduction {
    let about = About {
        kind: Kind::Complete,
        orders: Orders::OnRequest,
        group: group.exact_order(),
        keeps_runs: false,
        notes: Vec::new(),
    };
    let plan = Arc::new((Pen::new(&group, &reading.shapes), reading));
    Reduction::new(about, move || Iso {
        plan: plan.clone(),
        canon: Canon::new(layout.clone(), group.clone()),
        options,
        drawn: Vec::new(),
        figures: Comparisons::default(),
    })
}

struct Iso {
    plan: Arc<(Pen, Reading)>,
    /// For the set-ups and the orders of stabilisers.
    canon: Canon,
    options: IsoOptions,
    /// The states of the batch that was represented last, or the one that was compared last.
    drawn: Vec<Drawn>,
    figures: Comparisons,
}

/// A state of a batch.
struct Drawn {
    state: Packed,
    values: Vec<Value>,
    graph: Graph,
    /// The colours of its vertices and of its edges, sorted, once they are asked for.
    sorted: Option<(Vec<u64>, Vec<u64>)>,
}

fn sorted(mut list: Vec<u64>) -> Vec<u64> {
    list.sort_unstable();
    list
}

impl Iso {
    /// Where a state is drawn that may be the `i`-th of the last batch. One that another worker has
    /// represented is drawn again.
    fn drawn(
        &mut self,
        state: &[u64],
        i: usize,
        interner: &mut Interner,
    ) -> Result<usize, Interrupted> {
        for at in [i, 0] {
            if self.drawn.get(at).is_some_and(|drawn| *drawn.state == *state) {
                return Ok(at);
            }
        }
        let (pen, reading) = &*self.plan;
        let values = reading.values(state, interner);
        let graph = pen.draw(&values)?;
        self.drawn.clear();
        self.drawn.push(Drawn { state: state.into(), values, graph, sorted: None });
        Ok(0)
    }

    /// Whether a permutation takes the `i`-th state of the batch to one that is kept.
    fn compare(
        &mut self,
        batch: &Batch,
        i: usize,
        kept: Kept<'_>,
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        let at = self.drawn(batch.state(i), i, interner)?;
        let (pen, reading) = &*self.plan;
        let (colours, others) = (batch.key(i), kept.key);
        let Drawn { values, graph, sorted: known, .. } = &mut self.drawn[at];
        let (vertices, edges) = known.get_or_insert_with(|| {
            let edges = colouring::edge_colours(graph, colours).collect();
            (sorted(colours.to_vec()), sorted(edges))
        });
        if *vertices != sorted(others.to_vec()) {
            return Ok(false);
        }
        let searching = Instant::now();
        let other = reading.values(kept.state, interner);
        let drawn = pen.draw(&other)?;
        let mut found = false;
        if *edges == sorted(colouring::edge_colours(&drawn, others).collect()) {
            let group = self.canon.group();
            let mut accept = |images: &[u32]| {
                let permutation = group.permutation(&images[..group.points()]);
                reading.image(values, &permutation) == other
            };
            let (from, to) =
                (Coloured { graph, colours }, Coloured { graph: &drawn, colours: others });
            found = isomorphism(from, to, &mut accept)?;
            self.figures.colouring += u64::from(!found);
        }
        self.figures.searching += searching.elapsed();
        Ok(found)
    }
}

impl Worker for Iso {
    fn represent(&mut self, batch: &mut Batch, interner: &mut Interner) -> Result<(), Interrupted> {
        let (pen, reading) = &*self.plan;
        let IsoOptions { refinement, symmetry_breaking } = self.options;
        self.drawn.clear();
        for i in 0..batch.len() {
            let hashing = Instant::now();
            let values = reading.values(batch.state(i), interner);
            let graph = pen.draw(&values)?;
            let colours = refinement.colour(&graph, symmetry_breaking)?;
            batch.keyed(&colours, colouring::hash(&graph, &colours));
            let state = batch.state(i).into();
            self.drawn.push(Drawn { state, values, graph, sorted: None });
            self.figures.hashing += hashing.elapsed();
        }
        Ok(())
    }

    fn set_up(
        &mut self,
        constants: &[Value],
        interner: &mut Interner,
    ) -> Result<SetUp, Interrupted> {
        self.canon.set_up(constants, interner)
    }

    fn order(&mut self, state: &[u64], interner: &mut Interner) -> Result<Order, Interrupted> {
        Ok(self.canon.canonical(state, interner)?.1)
    }

    fn same(
        &mut self,
        batch: &Batch,
        i: usize,
        kept: Kept<'_>,
        interner: &mut Interner,
    ) -> Result<bool, Interrupted> {
        let comparing = Instant::now();
        self.figures.predicted += 1;
        let same = self.compare(batch, i, kept, interner)?;
        self.figures.hash += u64::from(!same);
        self.figures.comparing += comparing.elapsed();
        Ok(same)
    }

    fn figures(&self) -> Figures {
        Figures::Isomorphism(self.figures.clone())
    }
}
