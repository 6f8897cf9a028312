//! The graph of a flat state: the colours of its points, and the edges between them.

use super::{FlatPlan, Members, Part, Side, Split};
use crate::state::layout::get;
use crate::symmetry::group::Group;
use crate::symmetry::merge;
use crate::symmetry::partition::{FEW_KEYS, Partition, bits_of, bits_of_all};
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
    /// Working memory of the sorting by colours.
    keyed: Vec<(u64, u32)>,
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
            Members::One { at, bits } => {
                let member = get(state, *at, *bits) as u32;
                match &part.right {
                    None => self.element(part, member),
                    Some(right) => self.pair(part, right, member / right.size, member % right.size),
                }
            }
            Members::Word { at, bits } => self.words(part, &[get(state, *at, *bits)]),
            Members::Words { first, words } => self.words(part, &state[*first..][..*words]),
            Members::Rows(rows) => rows.each(state, |row, bits| {
                if let Ok(point) = part.left.read(row) {
                    self.mark(point, part.left_bits, bits);
                }
            }),
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
                    let Some(subset) = get(state, *at, *width).checked_sub(1) else { continue };
                    if let Ok(point) = part.left.read(a) {
                        self.mark(point, part.defined_bit, 1);
                    }
                    bits_of(subset).for_each(|r| self.pair(part, right, a, r));
                }
            }
        }
    }

    /// The members of a set, as bits of words.
    fn words(&mut self, part: &Part, words: &[u64]) {
        let members = bits_of_all(words);
        let Some(right) = &part.right else {
            return match part.left.base {
                Some(base) => members.for_each(|m| self.mark(base + m, part.left_bits, 1)),
                None => members.for_each(|m| self.element(part, m)),
            };
        };
        let mut split = Split::new(right.size);
        let pairs = members.map(|m| split.pair(m));
        match part.left.base.zip(right.base) {
            Some((left, right)) => pairs.for_each(|(l, r)| self.join(part, left + l, right + r)),
            None => pairs.for_each(|(l, r)| self.pair(part, right, l, r)),
        }
    }

    #[inline]
    fn element(&mut self, part: &Part, member: u32) {
        if let Ok(point) = part.left.read(member) {
            self.mark(point, part.left_bits, 1);
        }
    }

    #[inline]
    fn join(&mut self, part: &Part, u: u32, v: u32) {
        match u == v {
            true => self.mark(u, part.loop_bit, 1),
            false => self.edges.push((u, v)),
        }
    }

    #[inline]
    fn pair(&mut self, part: &Part, right: &Side, l: u32, r: u32) {
        match (part.left.read(l), right.read(r)) {
            (Ok(u), Ok(v)) => self.join(part, u, v),
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
        adjacency.labels = 2 * ends.len() as u32;
        adjacency.symmetric.clear();
        adjacency.edges.clear();
        if self.edges.is_empty() {
            return;
        }
        for (from, to) in &self.edges {
            offsets[*from as usize + 1] += 1;
            offsets[*to as usize + 1] += 1;
        }
        for v in 0..n {
            offsets[v + 1] += offsets[v];
        }
        self.cursor.clear();
        self.cursor.extend_from_slice(&offsets[..n]);
        adjacency.edges.resize(2 * self.edges.len(), HalfEdge::default());
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
                _ => {
                    partition.cell_of(range.clone());
                    for word in 0..words {
                        let colour = |v: u32, _: &[u32]| self.colours[v as usize * words + word];
                        partition.split_by_keys(range.clone(), &mut self.keyed, colour);
                    }
                }
            }
        }
    }
}
