//! The labelling of one state with the names that a reader needs: one value for the command line,
//! for JSON and for the workbench.

use super::Order;
use super::matrix::Matrix;
use super::steps::Walk;
use num_bigint::BigUint;

/// Elements in a cycle: each becomes the next one, the last one the first.
pub type Cycle = Vec<String>;

/// How a state is labelled, and what comes out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CanonView {
    /// In canonical order.
    pub matrix: Matrix,
    /// In the order of the initial partition.
    pub before: Matrix,
    /// The way from one to the other; its vertices are named by `names`.
    pub walk: Walk,
    pub names: Vec<String>,
    /// Constants and variables in the order of the labels: an entry has one bit for each.
    pub labels: Vec<String>,
    /// What the special vertices stand for: name and printed value.
    pub legend: Vec<(String, String)>,
    /// The canonical image: constants and variables, printed.
    pub image: Vec<(String, String)>,
    /// A permutation that takes the state to its image: the elements that move, and what they become.
    pub permutation: Vec<(String, String)>,
    /// Generators of the group of permutations that leave the state unchanged.
    pub generators: Vec<Vec<Cycle>>,
    /// Number of permutations that leave the state unchanged.
    pub aut_order: Order,
    /// Number of all permutations.
    pub group_order: Order,
    /// Number of states that are permutations of this one, itself included.
    pub orbit_size: BigUint,
    /// Nodes of the search tree that the labelling visited.
    pub tree_nodes: u64,
}

impl CanonView {
    /// Whether the state is its own canonical image.
    pub fn is_representative(&self) -> bool {
        self.permutation.is_empty()
    }
}

/// The cycles of a permutation given as elements with their images; fixed elements are left out.
/// They come in the order in which they are given.
pub fn cycles(moved: &[(String, String)]) -> Vec<Cycle> {
    let mut done = vec![false; moved.len()];
    let mut cycles = Vec::new();
    for start in 0..moved.len() {
        let mut cycle: Cycle = Vec::new();
        let mut at = start;
        while !std::mem::replace(&mut done[at], true) {
            cycle.push(moved[at].0.clone());
            match moved.iter().position(|(from, _)| *from == moved[at].1) {
                Some(next) => at = next,
                None => break,
            }
        }
        if cycle.len() > 1 {
            cycles.push(cycle);
        }
    }
    cycles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_of_a_permutation() {
        let moved = ["ab", "ba", "cd", "de", "ec"].map(|m| (m[..1].to_owned(), m[1..].to_owned()));
        assert_eq!(cycles(&moved), [vec!["a", "b"], vec!["c", "d", "e"]]);
        assert!(cycles(&[]).is_empty());
    }
}
