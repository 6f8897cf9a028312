//! All edges between the same two vertices become one, whose label is the set of theirs.

use super::refine::{Adjacency, HalfEdge};
use smallvec::SmallVec;

/// A set of labels: bits below 64 of the first word, and so on.
type Labels = SmallVec<[u64; 1]>;

/// Working memory.
#[derive(Debug, Default)]
pub struct Merger {
    /// By vertex: the vertex whose list is at hand, and where in the merged list its edge is.
    stamp: Vec<(u32, u32)>,
    merged: Vec<(Labels, u32)>,
    ends: Vec<u32>,
    known: Vec<Labels>,
}

/// Labels come in pairs, `2 l` and `2 l + 1`, for the two ends of an edge: the set seen from the other
/// end.
fn reversed(labels: &Labels) -> Labels {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    labels.iter().map(|w| (w & EVEN) << 1 | w >> 1 & EVEN).collect()
}

impl Merger {
    /// Merges where there is anything to merge. Edges come in pairs of half edges, labelled `2 l` and
    /// `2 l + 1`.
    pub fn merge(&mut self, adjacency: &mut Adjacency) {
        let n = adjacency.vertices();
        self.stamp.clear();
        self.stamp.resize(n, (u32::MAX, 0));
        let parallel = (0..n as u32).any(|v| {
            let stamp = &mut self.stamp;
            adjacency.of(v).iter().any(|e| std::mem::replace(&mut stamp[e.to as usize].0, v) == v)
        });
        if !parallel {
            return;
        }
        self.stamp.fill((u32::MAX, 0));
        let words = adjacency.labels.div_ceil(64) as usize;
        self.merged.clear();
        self.ends.clear();
        for v in 0..n as u32 {
            for edge in adjacency.of(v) {
                let (seen, at) = &mut self.stamp[edge.to as usize];
                if *seen != v {
                    (*seen, *at) = (v, self.merged.len() as u32);
                    self.merged.push((smallvec::smallvec![0; words], edge.to));
                }
                let (word, bit) = (edge.label as usize / 64, edge.label % 64);
                self.merged[*at as usize].0[word] |= 1 << bit;
            }
            self.ends.push(self.merged.len() as u32);
        }
        // Numbered in the order of the sets, whatever the order in which they were met.
        self.known.clear();
        for (labels, _) in &self.merged {
            if let Err(at) = self.known.binary_search(labels) {
                self.known.insert(at, labels.clone());
            }
        }
        adjacency.symmetric.clear();
        adjacency.symmetric.extend(self.known.iter().map(|l| reversed(l) == *l));
        adjacency.labels = self.known.len() as u32;
        adjacency.edges.clear();
        for (v, end) in self.ends.iter().enumerate() {
            let from = adjacency.edges.len();
            let list = &self.merged[from..*end as usize];
            adjacency.edges.extend(list.iter().map(|(labels, to)| HalfEdge {
                label: self.known.binary_search(labels).unwrap_or(0) as u32,
                to: *to,
            }));
            if adjacency.labels > 1 {
                adjacency.edges[from..].sort_unstable_by_key(|e| e.label);
            }
            adjacency.offsets[v + 1] = *end;
        }
    }
}
