//! The graph of a flat state: the colours of its points, and the edges between them.

use super::{FlatPlan, Members, Part, Side};
use crate::state::layout::get;
use crate::symmetry::group::Group;
use crate::symmetry::merge;
use crate::symmetry::partition::{FEW_KEYS, Partition};
use crate::symmetry::refine::{Adjacency, HalfEdge};
use smallvec::SmallVec;

/// Reads flat states, one after the other, in the same memory.
#[derive(Debug, Default)]
pub struct FlatReader {
    colours: Vec<u64>,
    colour_words: usize,
    /// Pairs of points, part by part.
    edges: Vec<(u32, u32)>,
    cursor: Vec<u32>,
    merger: merge::Merger,
}

impl FlatReader {
    /// Reads the colours and edges of a state.
    pub fn read(
        &mut self,
        plan: &FlatPlan,
        group: &Group,
        state: &[u64],
        adjacency: &mut Adjacency,
    ) {
        let n = group.points();
        self.colour_words = plan.colour_words;
        self.colours.clear();
        self.colours.resize(n * plan.colour_words, 0);
        self.edges.clear();
        let mut ends: SmallVec<[usize; 8]> = SmallVec::new();
        for part in &plan.parts {
            let begin = self.edges.len();
            self.read_part(part, state);
            if part.joins().is_some() {
                ends.push(self.edges.len());
            }
            if let Some(bits) = part.degree_bits {
                let (word, one) = (bits as usize / 64, 1 << (bits % 64));
                for (u, v) in &self.edges[begin..] {
                    self.colours[*u as usize * self.colour_words + word] += one;
                    self.colours[*v as usize * self.colour_words + word] += one;
                }
            }
        }
        self.connect(n, &ends, adjacency);
        if plan.parallel {
            self.merger.merge(adjacency);
        }
    }

    #[inline]
    fn mark(&mut self, point: u32, bit: u32, value: u64) {
        let at = point as usize * self.colour_words + bit as usize / 64;
        self.colours[at] |= value << (bit % 64);
    }

    fn read_part(&mut self, part: &Part, state: &[u64]) {
        match &part.members {
            Members::One { at, bits } => self.member(part, get(state, *at, *bits) as u32),
            Members::Word { at, bits } => self.word(part, 0, get(state, *at, *bits)),
            Members::Words { first, words } => {
                for word in 0..*words {
                    self.word(part, 64 * word as u32, state[first + word]);
                }
            }
            Members::Function { places, width } => {
                let Some(right) = &part.right else { return };
                let bases = part.left.base.zip(right.base);
                if let Some((left, right)) = bases.filter(|_| part.left.set != right.set) {
                    for (u, at) in (left..).zip(places) {
                        let code = get(state, *at, *width) as u32;
                        if code > 0 {
                            self.edges.push((u, right + code - 1));
                        }
                    }
                    return;
                }
                for (a, at) in places.iter().enumerate() {
                    let code = get(state, *at, *width) as u32;
                    if code > 0 {
                        self.pair(part, right, a as u32, code - 1);
                    }
                }
            }
            Members::Opaque { places, width } => {
                for (a, at) in (0..).zip(places) {
                    if let Ok(point) = part.left.read(a) {
                        self.mark(point, part.left_bits, get(state, *at, *width));
                    }
                }
            }
            Members::Items { places, width, map, argument } => {
                let Some(right) = &part.right else { return };
                for (a, at) in (0..).zip(places) {
                    let Some(code) = get(state, *at, *width).checked_sub(1) else { continue };
                    if let Ok(point) = part.left.read(a) {
                        self.mark(point, part.defined_bit, 1);
                    }
                    if let Some(y) = map.number(code, u64::from(*argument)).checked_sub(1) {
                        self.pair(part, right, a, y as u32);
                    }
                }
            }
            Members::Subsets { places, width } => {
                let Some(right) = &part.right else { return };
                for (a, at) in (0..).zip(places) {
                    let Some(mut rest) = get(state, *at, *width).checked_sub(1) else { continue };
                    if let Ok(point) = part.left.read(a) {
                        self.mark(point, part.defined_bit, 1);
                    }
                    while rest != 0 {
                        self.pair(part, right, a, rest.trailing_zeros());
                        rest &= rest - 1;
                    }
                }
            }
        }
    }

    fn word(&mut self, part: &Part, first: u32, mut rest: u64) {
        while rest != 0 {
            self.member(part, first + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }

    #[inline]
    fn member(&mut self, part: &Part, member: u32) {
        match (&part.right, part.split(member)) {
            (Some(right), (l, Some(r))) => self.pair(part, right, l, r),
            _ => {
                if let Ok(point) = part.left.read(member) {
                    self.mark(point, part.left_bits, 1);
                }
            }
        }
    }

    #[inline]
    fn pair(&mut self, part: &Part, right: &Side, l: u32, r: u32) {
        match (part.left.read(l), right.read(r)) {
            (Ok(u), Ok(v)) if u == v => self.mark(u, part.loop_bit, 1),
            (Ok(u), Ok(v)) => self.edges.push((u, v)),
            (Ok(u), Err(rank)) => self.mark(u, part.left_bits + rank, 1),
            (Err(rank), Ok(v)) => self.mark(v, part.right_bits + rank, 1),
            (Err(_), Err(_)) => {}
        }
    }

    /// Makes adjacency lists; the edges of each label end where `ends` says.
    fn connect(&mut self, n: usize, ends: &[usize], adjacency: &mut Adjacency) {
        let offsets = &mut adjacency.offsets;
        offsets.clear();
        offsets.resize(n + 1, 0);
        for (from, to) in &self.edges {
            offsets[*from as usize + 1] += 1;
            offsets[*to as usize + 1] += 1;
        }
        for v in 0..n {
            offsets[v + 1] += offsets[v];
        }
        self.cursor.clear();
        self.cursor.extend_from_slice(&offsets[..n]);
        adjacency.edges.clear();
        adjacency.edges.resize(2 * self.edges.len(), HalfEdge::default());
        adjacency.symmetric.clear();
        let mut begin = 0;
        for (i, end) in ends.iter().enumerate() {
            let label = 2 * i as u32;
            let edges = &self.edges[begin..*end];
            let mut put = |at: u32, label: u32, to: u32| {
                let cursor = &mut self.cursor[at as usize];
                adjacency.edges[*cursor as usize] = HalfEdge { label, to };
                *cursor += 1;
            };
            edges.iter().for_each(|(from, to)| put(*from, label, *to));
            edges.iter().for_each(|(from, to)| put(*to, label + 1, *from));
            begin = *end;
        }
        adjacency.labels = 2 * ends.len() as u32;
    }

    /// The partition by sets and colours.
    pub fn partition(&mut self, group: &Group, partition: &mut Partition) {
        let words = self.colour_words;
        partition.reset_points(group.points());
        for range in (0..group.sets().len()).map(|set| group.range(set)) {
            let colours = &self.colours[range.start * words..range.end * words];
            match colours.iter().fold(0, |all, colour| all | colour) {
                0 => partition.cell_of(range),
                all if words == 1 && all < FEW_KEYS as u64 => {
                    partition.cells_by_keys(range, colours)
                }
                _ if words == 1 => {
                    let colour = |v: u32| self.colours[v as usize];
                    partition.cells_by(range, |u, v| colour(u).cmp(&colour(v)));
                }
                _ => {
                    let colour =
                        |v: u32| &self.colours[v as usize * words..(v as usize + 1) * words];
                    partition.cells_by(range, |u, v| colour(u).cmp(colour(v)));
                }
            }
        }
    }
}
