//! Sorted (Bosnacki, Dams and Holenderski): one permutation that sorts the main arrays is applied to
//! the whole state. Elements with equal values stay in their order.
//!
//! Complete, since an image is what is kept; but states of one orbit may have several, as many as ties
//! in the main array leave open. The search goes on from the image.

use super::arrays::MainArrays;
use super::images::{self, Arrange};
use super::{Interrupted, Reading, Reduction};
use crate::symmetry::group::Group;
use crate::value::Value;

pub fn reduction(reading: Reading, group: Group, arrays: MainArrays) -> Reduction {
    let notes = arrays.notes();
    images::reduction(reading, group, arrays, notes)
}

impl Arrange for MainArrays {
    fn arrange(&self, values: &[Value]) -> Result<Vec<u32>, Interrupted> {
        let order: Vec<u32> = self.segments(values)?.into_iter().flatten().flatten().collect();
        let mut positions = vec![0; order.len()];
        for (at, point) in order.iter().enumerate() {
            positions[*point as usize] = at as u32;
        }
        Ok(positions)
    }
}
