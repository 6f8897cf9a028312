//! Canonical labelling: the canonical image of a state and its automorphism group.
//!
//! Turner et al., algorithm 2, which is McKay's search tree of individualisation and refinement, with
//! these deviations:
//! * A leaf is reached when every *point* is alone in its cell, and leaves are compared by the image of
//!   the whole state under the permutation they give, not by a matrix: the graph guides, the state
//!   decides.
//! * Taken literally the algorithm visits n! leaves for n interchangeable elements. Here, parts of
//!   the graph that refinement has decided (see [`analyse`](super::analyse)) are laid out without
//!   branching, and two leaves with equal images give an automorphism that prunes the tree: siblings
//!   in one orbit are visited once, and the search leaves a subtree as soon as it is known to be the
//!   image of another one (McKay).
//! * Among leaves the one with the least trace of refinement along its path comes first, then the
//!   least image. Subtrees whose trace is worse than that of the best leaf, and different from that of
//!   the first leaf, are not visited.
//!
//! Traces, choices of cells and pruning do not depend on the names of elements, so that isomorphic
//! states get equal images. The order of the group is the product of the sizes of the orbits along
//! the first path (orbit-stabiliser).

mod forests;
mod rings;
mod trees;

use self::forests::Step;
use super::analyse::{Analysis, Kind};
use super::flat::{FlatPlan, FlatReader, FlatState, Packed};
use super::found::{Automorphisms, Place};
use super::graph::{Cell, GuideGraph};
use super::group::Group;
use super::orbit::{Orbits, Order};
use super::partition::Partition;
use super::refine::{Adjacency, Refiner};
use crate::clock::{self, Stopped};
use crate::value::{Generators, Permutation, Value};
use num_bigint::BigUint;

/// Something whose images under permutations can be compared.
pub trait Subject {
    type Image: Ord + Clone;

    /// The image of the whole state, constants included. Equal images must mean equal states, and
    /// `image(p)` of the state permuted by `q` must equal `image(q then p)` of the state itself.
    fn image(&mut self, permutation: &Permutation) -> Self::Image;
}

/// The plainest subject: the list of the values of a state.
#[derive(Clone, Copy, Debug)]
pub struct Valuation<'a>(pub &'a [Cell<'a>]);

impl Subject for Valuation<'_> {
    type Image = Vec<Value>;

    fn image(&mut self, permutation: &Permutation) -> Vec<Value> {
        self.0.iter().map(|c| permutation.apply(c.shape, c.value)).collect()
    }
}

#[derive(Clone, Copy, Default)]
pub struct Options {
    /// Whether to compute generators of the automorphism group.
    pub generators: Wanted,
}

/// Which automorphisms are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Wanted {
    #[default]
    None,
    /// Generators, if the search meets them on its way: no work is done for them alone.
    Met,
    /// Generators.
    All,
}

/// The result for one state.
#[derive(Clone, Debug)]
pub struct Labelling<I> {
    /// The canonical image: equal for two states exactly when a permutation of the group maps one to
    /// the other.
    pub image: I,
    /// A permutation that takes the state to its canonical image.
    pub permutation: Permutation,
    /// Number of permutations of the group that leave the state unchanged.
    pub aut_order: Order,
    /// Generate the automorphism group, if asked for; else empty. No identity among them.
    pub generators: Generators,
    /// Nodes of the search tree.
    pub nodes: u64,
}

impl<I> Labelling<I> {
    /// Number of different states that permutations of the group make of this one.
    pub fn orbit_size(&self, group: &Group) -> BigUint {
        group.exact_order().index_of(&self.aut_order)
    }
}

/// Labels states, one after the other, in the same memory.
#[derive(Debug)]
pub struct Labeller {
    group: Group,
    graph: GuideGraph,
    reader: FlatReader,
    /// Of the flat state that was read last.
    adjacency: Adjacency,
    work: Work,
}

#[derive(Debug, Default)]
struct Work {
    partition: Partition,
    refiner: Refiner,
    /// Not here while a node is laid out.
    analysis: Option<Box<Analysis>>,
    spare: Vec<Partition>,
    cells: Vec<u32>,
    /// The positions of the points at a leaf; after a search, at the best one.
    images: Vec<u32>,
    permutation: Permutation,
    /// Of the present node and those above it.
    trace: Vec<u64>,
    /// What the search found, where that was wanted.
    found: Automorphisms,
}

impl Labeller {
    pub fn new(group: Group) -> Labeller {
        let (graph, reader) = (GuideGraph::default(), FlatReader::default());
        Labeller { group, graph, reader, adjacency: Adjacency::default(), work: Work::default() }
    }

    pub fn group(&self) -> &Group {
        &self.group
    }

    /// Labels a state; `None` when interrupted. `cells` and `subject` must show the same state, and
    /// all states given to one labeller must have the same labels and shapes in the same order.
    pub fn label<S: Subject>(
        &mut self,
        cells: &[Cell<'_>],
        subject: &mut S,
        options: Options,
    ) -> Option<Labelling<S::Image>> {
        let Labeller { group, graph, work, .. } = self;
        graph.build(group, cells);
        graph.partition(group, &mut work.partition, &mut work.refiner);
        work.refiner.refine_all(&graph.adjacency, &mut work.partition);
        let found = Search::new(group, &graph.adjacency, work, subject, options).run()?;
        let mut generators = Generators::default();
        let standing = standing(&work.images);
        work.found.generate((group, &standing), &mut generators).ok()?;
        Some(Labelling {
            image: found.image,
            permutation: group.permutation(&work.images),
            aut_order: found.order,
            generators,
            nodes: found.nodes,
        })
    }

    /// Labels a flat state, which must fit the plan; `None` when interrupted. All states given must
    /// be of the layout that the plan was made for.
    pub fn label_flat(
        &mut self,
        plan: &FlatPlan,
        state: &[u64],
        options: Options,
    ) -> Option<FlatLabelling> {
        let Labeller { group, work, reader, adjacency, .. } = self;
        reader.read(plan, group, state, adjacency);
        reader.partition(group, &mut work.partition);
        work.refiner.reset(group.points());
        if plan.parallel {
            work.refiner.spread(adjacency, &mut work.partition);
            if work.partition.open > 0 {
                work.refiner.refine_all(adjacency, &mut work.partition);
            }
        } else {
            let sets = (0..group.sets().len()).map(|set| group.range(set).end);
            work.refiner.refine_counted(adjacency, &mut work.partition, sets);
        }
        let mut subject = FlatState { plan, state };
        let found = Search::new(group, adjacency, work, &mut subject, options).run()?;
        Some(FlatLabelling { image: found.image, aut_order: found.order, met: found.met })
    }

    /// Generators of the group of the flat state that was labelled last, where all were wanted.
    ///
    /// # Errors
    /// The work is to end.
    pub fn generators(&self) -> Result<Generators, Stopped> {
        let mut generators = Generators::default();
        let standing = standing(&self.work.images);
        self.work.found.generate((&self.group, &standing), &mut generators)?;
        Ok(generators)
    }

    /// Writes what generates the group of the *image* of the flat state that was labelled last, where the
    /// search met it ([`FlatLabelling::met`]), as [`Stabiliser::found`](super::Stabiliser::found) has it.
    pub fn write_generators(&self, into: &mut Vec<u32>) {
        self.work.found.write_images(&self.work.images, into);
    }
}

/// The result for one flat state; see [`Labelling`].
#[derive(Clone, Debug)]
pub struct FlatLabelling {
    pub image: Packed,
    pub aut_order: Order,
    /// Whether the search met what generates the group, where that was wanted.
    pub met: bool,
}

/// What a search found.
struct Found<I> {
    image: I,
    order: Order,
    met: bool,
    nodes: u64,
}

/// A leaf of the search tree.
struct Leaf<I> {
    image: I,
    /// The points in the order of their positions; none for a leaf at the root, which the partition
    /// still shows.
    elems: Vec<u32>,
    path: Vec<u32>,
    trace: Vec<u64>,
}

struct Search<'a, S: Subject> {
    group: &'a Group,
    adjacency: &'a Adjacency,
    work: &'a mut Work,
    subject: &'a mut S,
    options: Options,
    /// The first leaf, once the search has left it; until then it is the best.
    first: Option<Leaf<S::Image>>,
    best: Option<Leaf<S::Image>>,
    /// Whether there are automorphisms that were not looked for.
    left_out: bool,
    orbits: Orbits,
    order: Order,
    /// Points individualised by branching, on the way to the present node.
    path: Vec<u32>,
    nodes: u64,
}

impl<'a, S: Subject> Search<'a, S> {
    /// Before the search below the partition in `work`.
    fn new(
        group: &'a Group,
        adjacency: &'a Adjacency,
        work: &'a mut Work,
        subject: &'a mut S,
        options: Options,
    ) -> Self {
        work.found.clear();
        Search {
            group,
            adjacency,
            work,
            subject,
            options,
            first: None,
            best: None,
            left_out: false,
            orbits: Orbits::new(group.points()),
            order: Order::ONE,
            path: Vec::new(),
            nodes: 0,
        }
    }

    fn run(&mut self) -> Option<Found<S::Image>> {
        let searched = self.node(true);
        // A refinement that was cut short is no refinement.
        let searched = searched.and_then(|_| clock::tick());
        let met = self.options.generators != Wanted::None && !self.left_out;
        if !met {
            self.work.found.clear();
        }
        searched.ok()?;
        let Leaf { image, elems, .. } = self.best.take()?;
        let at = elems.iter().zip(0..);
        at.for_each(|(v, at)| self.work.images[*v as usize] = at);
        Some(Found { image, order: std::mem::take(&mut self.order), met, nodes: self.nodes })
    }

    /// Whether automorphisms that are met here are of use.
    fn wants(&self) -> bool {
        self.options.generators != Wanted::None || !self.path.is_empty()
    }

    /// Searches below the present partition. Gives the level to which to go back.
    fn node(&mut self, on_first: bool) -> Result<usize, Stopped> {
        let level = self.path.len();
        self.nodes += 1;
        clock::tick()?;
        self.work.trace.truncate(level);
        self.work.trace.push(self.work.refiner.trace);
        if !on_first && self.is_hopeless() {
            return Ok(level);
        }
        let steps = self.lay_out(on_first)?;
        let resolved = (!steps.is_empty()).then(|| self.work.partition.elems.clone());
        let open = self.work.partition.open > 0;
        let back = if open { self.branch(on_first)? } else { self.leaf()? };
        if let Some(resolved) = resolved {
            self.forest_generators(&steps, &resolved)?;
            self.work.spare.extend(steps.into_iter().map(|s| s.before));
        }
        Ok(back)
    }

    /// Whether no leaf below can be the best one or the image of the first one.
    fn is_hopeless(&self) -> bool {
        let level = self.path.len();
        let Some(first) = self.first.as_ref().or(self.best.as_ref()) else { return false };
        if first.trace.get(..=level) == Some(&self.work.trace[..=level]) {
            return false;
        }
        self.best.as_ref().is_some_and(|best| {
            let n = best.trace.len().min(level + 1);
            self.work.trace[..=level] > best.trace[..n]
        })
    }

    /// Makes points alone without branching, as far as refinement has decided. Gives the steps taken
    /// in forests, where generators are wanted of them.
    fn lay_out(&mut self, on_first: bool) -> Result<Vec<Step>, Stopped> {
        let mut steps = Vec::new();
        if self.work.partition.open == 0 {
            return Ok(steps);
        }
        clock::spend(self.adjacency.vertices())?;
        let mut analysis = self.work.analysis.take().unwrap_or_default();
        analysis.run(self.adjacency, &self.work.partition);
        let points = self.group.points() as u32;
        // Only cells of points matter: those come first. Special vertices of a bundle follow them.
        let cells = analysis.cells.iter().copied().take_while(|start| *start < points);
        for start in cells.clone() {
            if analysis.kind[start as usize] == Kind::Bundle
                && self.work.partition.len[start as usize] > 1
            {
                self.bundle(&analysis, start, on_first)?;
            }
        }
        self.trees(&analysis, on_first)?;
        self.rings(&analysis, on_first)?;
        // Forests after all that, so that the partitions kept for them show it laid out.
        for start in cells {
            if analysis.kind[start as usize] == Kind::Forest {
                self.forest(start..start + analysis.len(start), on_first, &mut steps)?;
            }
        }
        self.work.analysis = Some(analysis);
        Ok(steps)
    }

    /// Lays out a bundle, all strands in the order of the cell at `start`.
    fn bundle(&mut self, analysis: &Analysis, start: u32, on_first: bool) -> Result<(), Stopped> {
        let n = self.work.partition.len[start as usize];
        if on_first {
            self.order = self.order.times(&super::orbit::factorial(n as usize));
        }
        let points = self.group.points() as u32;
        let wanted = on_first && self.wants();
        if analysis.is_alone(start) {
            clock::spend(n as usize)?;
            self.work.partition.scatter(start);
            if start < points && wanted {
                let at = self.work.found.begin_runs(n as usize);
                self.work.found.add_run(start, 1);
                self.took_in(at);
            }
            return Ok(());
        }
        // One cell after the other, and in each the strands in the same order.
        let at = self.work.found.begin_runs(n as usize);
        let mut cells = std::mem::take(&mut self.work.cells);
        cells.clear();
        cells.push(start);
        let mut next = 0;
        self.work.partition.scatter(start);
        while next < cells.len() {
            let from = cells[next];
            next += 1;
            clock::spend(n as usize)?;
            if from < points && wanted {
                self.work.found.add_run(from, 1);
            }
            for to in analysis.strands(from) {
                if self.work.partition.len[to as usize] == 1 {
                    continue;
                }
                self.follow(from, to, n);
                cells.push(to);
            }
        }
        self.work.cells = cells;
        self.took_in(at);
        Ok(())
    }

    /// Ends the strands begun here, automorphisms of the first leaf, and makes use of them.
    fn took_in(&mut self, from: Place) {
        self.work.found.finish_runs(from);
        if !self.path.is_empty() {
            self.work.found.settle(from, &self.work.partition.elems);
        }
        self.make_use(from);
    }

    /// Makes use of the automorphisms of the first leaf from this place on.
    fn make_use(&mut self, from: Place) {
        if !self.path.is_empty() {
            self.work.found.join(from, &self.work.partition.elems, &mut self.orbits);
        }
        if self.options.generators == Wanted::None {
            self.work.found.truncate(from);
        }
    }

    /// Orders the cell at `to` as its partners in the cells from `from` on, and scatters it.
    fn follow(&mut self, from: u32, to: u32, n: u32) {
        let partition = &mut self.work.partition;
        for i in 0..n {
            let v = partition.elems[(from + i) as usize];
            let partner = self
                .adjacency
                .of(v)
                .iter()
                .find(|e| partition.cell[e.to as usize] == to)
                .map(|e| partition.pos[e.to as usize]);
            debug_assert!(partner.is_some(), "a strand that ends");
            if let Some(partner) = partner {
                partition.swap(partner, to + i);
            }
        }
        partition.scatter(to);
    }

    /// Tries the members of one cell.
    fn branch(&mut self, on_first: bool) -> Result<usize, Stopped> {
        let level = self.path.len();
        let start = self.target();
        self.work.partition.spend()?;
        let saved = {
            let mut saved = self.work.spare.pop().unwrap_or_default();
            saved.copy_from(&self.work.partition);
            saved
        };
        let members = saved.members(start).to_vec();
        let mut tried: Vec<u32> = Vec::new();
        let mut local = (Place::default(), Orbits::new(self.group.points()));
        let mut back = level;
        for v in &members {
            clock::tick()?;
            let known = if tried.is_empty() {
                false
            } else if on_first {
                self.orbits.any_in_orbit(&tried, *v)
            } else {
                self.refresh(&mut local)?;
                local.1.any_in_orbit(&tried, *v)
            };
            if known {
                continue;
            }
            if !tried.is_empty() {
                saved.spend()?;
                self.work.partition.copy_from(&saved);
            }
            tried.push(*v);
            self.work.refiner.trace = 0;
            self.work.refiner.individualise(self.adjacency, &mut self.work.partition, *v);
            self.path.push(*v);
            let result = self.node(on_first && tried.len() == 1);
            self.path.truncate(level);
            back = result?;
            if back < level {
                break;
            }
        }
        self.work.spare.push(saved);
        if on_first {
            let root = self.orbits.find(members[0]);
            let orbit = members.iter().filter(|v| self.orbits.find(**v) == root).count();
            self.order = self.order.times_count(orbit);
        }
        Ok(back.min(level))
    }

    /// Brings the orbits of the automorphisms that fix the present path up to date.
    fn refresh(&self, local: &mut (Place, Orbits)) -> Result<(), Stopped> {
        let (from, orbits) = local;
        clock::spend(self.work.found.size(*from))?;
        self.work.found.join_fixing((*from, &self.work.partition.elems), &self.path, orbits);
        *from = self.work.found.end();
        Ok(())
    }

    /// The cell to branch on: one in a core, else the first.
    fn target(&mut self) -> u32 {
        let partition = &self.work.partition;
        let points = self.group.points() as u32;
        let fallback = || first_open(partition, 0..points).unwrap_or(0);
        let core = self.work.analysis.as_mut().and_then(|analysis| analysis.target(points));
        core.unwrap_or_else(fallback)
    }

    /// Every point is alone: compares the image with that of the first and of the best leaf.
    fn leaf(&mut self) -> Result<usize, Stopped> {
        let level = self.path.len();
        let points = self.group.points();
        clock::spend(points)?;
        let work = &mut *self.work;
        work.images.resize(points, 0);
        work.images.copy_from_slice(&work.partition.pos[..points]);
        self.group.write_permutation(&work.images, &mut work.permutation);
        let image = self.subject.image(&work.permutation);
        let elems = &self.work.partition.elems[..points];
        let Some(best) = &self.best else {
            self.best = Some(self.new_leaf(image));
            return Ok(level);
        };
        for known in self.first.iter().chain([best]) {
            if known.trace == self.work.trace && known.image == image {
                let mut map = vec![0; points];
                for (from, to) in known.elems.iter().zip(elems) {
                    map[*from as usize] = *to;
                }
                let common = known.path.iter().zip(&self.path).take_while(|(a, b)| a == b).count();
                self.orbits.join_all(&map);
                self.work.found.add(map);
                return Ok(common);
            }
        }
        if (&self.work.trace, &image) < (&best.trace, &best.image) {
            let leaf = self.new_leaf(image);
            let old = self.best.replace(leaf);
            if self.first.is_none() {
                self.first = old;
            }
        }
        Ok(level)
    }

    fn new_leaf(&mut self, image: S::Image) -> Leaf<S::Image> {
        if self.path.is_empty() {
            // The only leaf: nothing will be compared with it.
            let (elems, path, trace) = (Vec::new(), Vec::new(), Vec::new());
            return Leaf { image, elems, path, trace };
        }
        Leaf {
            image,
            elems: self.work.partition.elems[..self.group.points()].to_vec(),
            path: self.path.clone(),
            trace: self.work.trace.clone(),
        }
    }
}

/// The points in the order of these positions.
fn standing(positions: &[u32]) -> Vec<u32> {
    let mut standing = vec![0; positions.len()];
    positions.iter().zip(0..).for_each(|(at, v)| standing[*at as usize] = v);
    standing
}

/// The first cell with several members that starts in a range of positions.
fn first_open(partition: &Partition, range: std::ops::Range<u32>) -> Option<u32> {
    let mut at = range.start;
    while at < range.end {
        let n = partition.len[at as usize];
        if n > 1 {
            return Some(at);
        }
        at += n;
    }
    None
}
