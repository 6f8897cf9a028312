//! Exact markers (Bosnacki et al., algorithm 5.1): the image of the state under the permutation that
//! orders elements by their ranks, tied ones by their numbers.
//!
//! Complete, since an image is what is kept; but states of one orbit may have several. The ranks are
//! those with the deviation of [`ranks`](super::ranks), which can only make them fewer.

use super::images::{Arrange, Imaging};
use super::ranks::{Ties, positions, ranks};
use super::reading::Reading;
use super::vectors::Vectors;
use super::{Canon, Interrupted};
use crate::value::Value;

pub type ExactMarker = Imaging<ByRank>;

pub struct ByRank(Vectors);

impl ExactMarker {
    pub fn new(reading: Reading, canon: Canon) -> ExactMarker {
        let vectors = Vectors::new(&reading.shapes, canon.group());
        let notes =
            vectors.notes(&reading, "exact-marker does not order elements by what they hold");
        Imaging::by(reading, canon, ByRank(vectors), notes)
    }
}

impl Arrange for ByRank {
    fn arrange(&mut self, values: &[Value]) -> Result<Vec<u32>, Interrupted> {
        let entries = self.0.entries(values)?;
        Ok(positions(&self.0, &ranks(&self.0, &entries, Ties::Fixpoint)?))
    }
}
