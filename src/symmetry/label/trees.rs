//! Trees laid out without branching.
//!
//! The roots stand in any order, and below them each cell in the order of the vertices above. Whatever hangs from one
//! vertex of a cell looks like what hangs from any other: so all orders of the roots, and all of what hangs side by
//! side from one vertex, are automorphisms, and the group is the product of these (a wreath product: Jordan 1869). No
//! other choice of order gives another image.

use super::{Search, Subject};
use crate::clock::{self, Stopped};
use crate::symmetry::analyse::Analysis;
use crate::symmetry::orbit::factorial;

impl<S: Subject> Search<'_, S> {
    /// Lays out all trees.
    pub(super) fn trees(&mut self, analysis: &Analysis, on_first: bool) -> Result<(), Stopped> {
        for (start, above) in analysis.trees() {
            let n = self.work.partition.len[start as usize];
            clock::spend(n as usize)?;
            if let Some(above) = above {
                self.below(above, analysis.len(above), start)?;
            }
            self.work.partition.scatter(start);
        }
        match on_first {
            true => self.orders_of_trees(analysis),
            false => Ok(()),
        }
    }

    /// Orders a cell as the vertices above it, which are alone already.
    fn below(&mut self, above: u32, count: u32, start: u32) -> Result<(), Stopped> {
        let partition = &mut self.work.partition;
        let mut next = start;
        for at in above..above + count {
            let edges = self.adjacency.of(partition.elems[at as usize]);
            clock::spend(edges.len())?;
            for edge in edges {
                if partition.cell[edge.to as usize] == start {
                    partition.swap(partition.pos[edge.to as usize], next);
                    next += 1;
                }
            }
        }
        debug_assert_eq!(
            next - start,
            partition.len[start as usize],
            "something hangs from nothing"
        );
        Ok(())
    }

    /// Counts the orders of all trees that have been laid out, and takes in what generates them.
    fn orders_of_trees(&mut self, analysis: &Analysis) -> Result<(), Stopped> {
        let points = self.group.points() as u32;
        let wanted = self.wants();
        for (start, above) in analysis.trees() {
            let n = analysis.len(start);
            let vertices = above.map_or(1, |above| analysis.len(above));
            let siblings = n / vertices;
            if siblings == 1 {
                continue;
            }
            // What has no points is not permuted by itself.
            let hanging = || analysis.hanging(start).into_iter().filter(|cell| *cell < points);
            if start >= points && hanging().next().is_none() {
                continue;
            }
            self.order = self.order.times(&factorial(siblings as usize).power(vertices as usize));
            if !wanted {
                continue;
            }
            // From one vertex: the orders of those above take what hangs from it to what hangs from any other.
            let at = self.work.found.begin_runs(siblings as usize);
            for cell in hanging() {
                let each = analysis.len(cell) / n;
                clock::spend((each * siblings) as usize)?;
                self.work.found.add_run(cell, each);
            }
            self.took_in(at);
        }
        Ok(())
    }
}
