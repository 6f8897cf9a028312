//! Exact markers (Bosnacki et al., algorithm 5.1): the image of the state under the permutation that
//! orders elements by their ranks, tied ones by their numbers.
//!
//! Complete, since an image is what is kept; but states of one orbit may have several. The ranks are
//! those with the deviation of [`ranks`](super::ranks), which can only make them fewer.

use super::images::{self, Arrange};
use super::ranks::{Ties, positions, ranks};
use super::vectors::Vectors;
use super::{Interrupted, Reading, Reduction};
use crate::symmetry::group::Group;
use crate::value::Value;

pub fn reduction(reading: Reading, group: Group) -> Reduction {
    let vectors = Vectors::new(&reading.shapes, &group);
    let notes = vectors.notes(&reading, "exact-marker does not order elements by what they hold");
    images::reduction(reading, group, ByRank(vectors), notes)
}

struct ByRank(Vectors);

impl Arrange for ByRank {
    fn arrange(&self, values: &[Value]) -> Result<Vec<u32>, Interrupted> {
        let entries = self.0.entries(values)?;
        Ok(positions(&self.0, &ranks(&self.0, &entries, Ties::Fixpoint)?))
    }
}
