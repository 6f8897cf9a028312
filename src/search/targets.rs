//! The targets of the transitions out of one state: which of them are looked up, and how often each
//! operation counts as taken when the answers are there.

use crate::eval::{Entry, Successors};
use crate::machine::{Machine, OpId};
use crate::reduce::Batch;
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// How often an operation is taken.
pub type Taken = (OpId, u64);

/// Those targets of a state's transitions that are looked up. A transition that stays in its state, as
/// queries do, needs no look; nor does one to the image of an earlier target.
#[derive(Default)]
pub struct Targets {
    /// The entry that each state of the batch is the target of.
    entries: Vec<u32>,
    /// The earlier targets that they come to the same as; empty where nobody has asked.
    alike: Vec<u32>,
    /// Some transition stays.
    pub stays: bool,
}

impl Targets {
    /// Puts those that are to be looked up into an empty batch. `alike`: see [`Targets`].
    #[inline]
    pub fn pick(&mut self, out: &Successors, state: &[u64], alike: Vec<u32>, batch: &mut Batch) {
        self.entries.clear();
        self.alike = alike;
        self.stays = false;
        match state {
            // States of one word are common, and compared without a call.
            [word] if self.alike.is_empty() => {
                for (i, target) in out.targets.iter().enumerate() {
                    if target == word {
                        self.stays = true;
                    } else {
                        batch.push(std::slice::from_ref(target));
                        self.entries.push(i as u32);
                    }
                }
            }
            state => {
                for (i, target) in out.targets.chunks_exact(state.len()).enumerate() {
                    if target == state {
                        self.stays = true;
                    } else if self.earlier(i).is_none() {
                        batch.push(target);
                        self.entries.push(i as u32);
                    }
                }
            }
        }
    }

    fn earlier(&self, i: usize) -> Option<usize> {
        self.alike.get(i).map(|j| *j as usize).filter(|j| *j != i)
    }

    /// The entry that the `i`-th state that was looked up is the target of.
    pub fn entry(&self, i: usize) -> usize {
        self.entries[i] as usize
    }

    /// Adds how often each operation is taken by the transitions out of a state. `own`: the node of the state;
    /// `node`: that of the `i`-th state that was looked up.
    pub fn add_taken<N: Copy + Eq + Hash>(
        &self,
        (machine, out, state): (&Machine, &Successors, &[u64]),
        own: N,
        node: impl Fn(usize) -> N,
        taken: &mut Vec<Taken>,
    ) {
        if let Some(counted) = out.taken() {
            taken.extend_from_slice(counted);
            return;
        }
        if leads_to_one_each(&out.entries) {
            for entry in &out.entries {
                add_taken(taken, entry.operation, u64::from(entry.weight));
            }
            return;
        }
        let mut nodes: Vec<N> = Vec::with_capacity(out.len());
        let mut next = 0;
        for (i, target) in out.targets.chunks_exact(state.len()).enumerate() {
            nodes.push(if target == state {
                own
            } else if let Some(j) = self.earlier(i) {
                nodes[j]
            } else {
                next += 1;
                node(next - 1)
            });
        }
        distinct_labels(machine, out, |i| nodes[i], taken);
    }
}

/// Whether no instance of an operation has several outcomes, so that each label counts.
pub fn leads_to_one_each(entries: &[Entry]) -> bool {
    entries.windows(2).all(|pair| pair[0].group != pair[1].group)
}

/// Adds how many distinct (operation, arguments, results, node) there are among the transitions, by
/// operations: one label that leads to two states of one orbit counts once.
fn distinct_labels<N: Eq + Hash>(
    machine: &Machine,
    out: &Successors,
    node: impl Fn(usize) -> N,
    taken: &mut Vec<Taken>,
) {
    let results = |i: usize| {
        let (entry, at) = (&out.entries[i], out.entries[i].results as usize);
        &out.results[at..at + machine.operation(entry.operation).results.len()]
    };
    let mut first = 0;
    while first < out.len() {
        let Entry { operation, group, weight, .. } = out.entries[first];
        let same = out.entries[first..].iter().take_while(|e| e.group == group);
        let end = first + same.count();
        let labels = if end - first == 1 {
            1
        } else {
            let labels = (first..end).map(|i| (node(i), results(i)));
            labels.collect::<FxHashSet<_>>().len() as u64
        };
        add_taken(taken, operation, labels * weight as u64);
        first = end;
    }
}

/// Instances of one operation come one after the other.
#[inline]
fn add_taken(taken: &mut Vec<Taken>, operation: OpId, n: u64) {
    match taken.last_mut() {
        Some(last) if last.0 == operation => last.1 += n,
        _ => taken.push((operation, n)),
    }
}
