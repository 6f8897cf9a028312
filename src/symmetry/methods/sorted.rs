//! Sorted (Bosnacki, Dams and Holenderski): one permutation that sorts the main arrays is applied to
//! the whole state. Elements with equal values stay in their order.
//!
//! Complete, since an image is what is kept; but states of one orbit may have several, as many as ties
//! in the main array leave open. The search goes on from the image.

use super::arrays::MainArrays;
use super::images::{Arrange, Imaging};
use super::reading::Reading;
use super::{Canon, Interrupted};
use crate::value::Value;

pub type Sorted = Imaging<MainArrays>;

impl Sorted {
    pub fn new(reading: Reading, canon: Canon, arrays: MainArrays) -> Sorted {
        let notes = arrays.notes();
        Imaging::by(reading, canon, arrays, notes)
    }
}

impl Arrange for MainArrays {
    fn arrange(&mut self, values: &[Value]) -> Result<Vec<u32>, Interrupted> {
        let order: Vec<u32> = self.segments(values)?.into_iter().flatten().flatten().collect();
        let mut positions = vec![0; order.len()];
        for (at, point) in order.iter().enumerate() {
            positions[*point as usize] = at as u32;
        }
        Ok(positions)
    }
}
