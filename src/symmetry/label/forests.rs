//! Forests laid out by choosing points, without trying others.
//!
//! Whatever member of an open cell is chosen, some automorphism takes it to any other: so one choice will do, and the
//! group has so many times as many members. What generates it is found by choosing others afterwards, where it is wanted.

use super::{Search, Subject, Wanted, first_open};
use crate::clock::{self, Stopped};
use crate::symmetry::found::Place;
use crate::symmetry::orbit::Orbits;
use crate::symmetry::partition::Partition;

/// A step inside a forest that needed no branching: the partition before it, and the point chosen.
pub(super) struct Step {
    pub(super) before: Partition,
    chosen: u32,
}

impl<S: Subject> Search<'_, S> {
    /// Lays out the points in a range of positions that belong to a forest.
    pub(super) fn forest(
        &mut self,
        range: std::ops::Range<u32>,
        on_first: bool,
        steps: &mut Vec<Step>,
    ) -> Result<(), Stopped> {
        while let Some(at) = first_open(&self.work.partition, range.clone()) {
            let n = self.work.partition.len[at as usize];
            let members = self.work.partition.members(at);
            let chosen = members[n as usize - 1];
            if on_first {
                self.order = self.order.times_count(n as usize);
                if !self.path.is_empty() {
                    for v in &members[..n as usize - 1] {
                        self.orbits.join(*v, chosen);
                    }
                }
                if self.options.generators == Wanted::Met {
                    self.left_out = true;
                }
                if self.options.generators == Wanted::All {
                    self.work.partition.spend()?;
                    let mut before = self.work.spare.pop().unwrap_or_default();
                    before.copy_from(&self.work.partition);
                    steps.push(Step { before, chosen });
                }
            }
            clock::spend(1 + n as usize)?;
            self.work.refiner.individualise(self.adjacency, &mut self.work.partition, chosen);
        }
        Ok(())
    }

    /// Automorphisms that make the cells of forest steps orbits, from the last step to the first.
    pub(super) fn forest_generators(
        &mut self,
        steps: &[Step],
        resolved: &[u32],
    ) -> Result<(), Stopped> {
        let mut orbits = Orbits::new(self.group.points());
        clock::spend(self.work.found.size(Place::default()))?;
        self.work.found.join(Place::default(), resolved, &mut orbits);
        for step in steps.iter().rev() {
            let cell = step.before.members(step.before.cell[step.chosen as usize]);
            for other in cell {
                clock::tick()?;
                if orbits.find(*other) != orbits.find(step.chosen) {
                    let map = self.second_descent(step, *other, steps, resolved)?;
                    orbits.join_all(&map);
                    self.work.found.add(map);
                }
            }
        }
        Ok(())
    }

    /// Lays out the forests again from a step on, with another choice: what was at a position goes to
    /// what is there now. Everything that is not in a forest stays.
    fn second_descent(
        &mut self,
        step: &Step,
        other: u32,
        steps: &[Step],
        resolved: &[u32],
    ) -> Result<Vec<u32>, Stopped> {
        let points = self.group.points();
        step.before.spend()?;
        let mut partition = self.work.spare.pop().unwrap_or_default();
        partition.copy_from(&step.before);
        let adjacency = self.adjacency;
        self.work.refiner.individualise(adjacency, &mut partition, other);
        // The same cells in the same order: only steps of the first descent have open cells here.
        let at = steps.iter().position(|s| std::ptr::eq(s, step)).unwrap_or(0);
        for later in &steps[at + 1..] {
            clock::tick()?;
            let start = later.before.cell[later.chosen as usize];
            let last = start + partition.len[start as usize] - 1;
            let v = partition.elems[last as usize];
            self.work.refiner.individualise(adjacency, &mut partition, v);
        }
        let mut map: Vec<u32> = (0..points as u32).collect();
        for position in 0..points {
            if partition.len[position] == 1
                && partition.cell[partition.elems[position] as usize] == position as u32
            {
                map[resolved[position] as usize] = partition.elems[position];
            }
        }
        self.work.spare.push(partition);
        Ok(map)
    }
}
