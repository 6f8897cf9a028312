//! Images of flat states, from packed words to packed words.

use super::{Members, Part, Side, Split, mapped};
use crate::state::layout::{get, put};
use crate::symmetry::partition::{bits_of, bits_of_all};
use crate::value::Permutation;

impl Part {
    /// Writes what a permutation makes of the part into an image, in which its bits are 0 yet.
    pub(super) fn write_image(&self, state: &[u64], permutation: &Permutation, image: &mut [u64]) {
        match &self.members {
            Members::One { at, bits } => {
                let member = get(state, *at, *bits) as u32;
                let to = match &self.right {
                    None => mapped(self.left.map(permutation), member),
                    Some(right) => Moved::new(self, right, permutation).image(member),
                };
                image[at.word] |= u64::from(to) << at.shift;
            }
            Members::Word { at, bits } => {
                let members = bits_of(get(state, *at, *bits));
                self.images(permutation, members, |to| image[at.word] |= 1 << (to + at.shift));
            }
            Members::Words { first, words } => {
                let (from, image) = (&state[*first..][..*words], &mut image[*first..][..*words]);
                let put = |to: u32| image[to as usize / 64] |= 1 << (to % 64);
                self.images(permutation, bits_of_all(from), put);
            }
            Members::Rows(rows) => {
                let left = self.left.map(permutation);
                rows.each(state, |row, bits| rows.add(image, mapped(left, row), bits));
            }
            Members::Function { places, width } => {
                let Some(right) = &self.right else { return };
                let (left, right) = (self.left.map(permutation), right.map(permutation));
                for (a, at) in (0..).zip(places) {
                    let code = get(state, *at, *width) as u32;
                    if code > 0 {
                        let to = places[mapped(left, a) as usize];
                        let code = 1 + mapped(right, code - 1) as u64;
                        image[to.word] |= code << to.shift;
                    }
                }
            }
            Members::Opaque { places, width } => {
                let left = self.left.map(permutation);
                for (a, at) in (0..).zip(places) {
                    let to = places[mapped(left, a) as usize];
                    image[to.word] |= get(state, *at, *width) << to.shift;
                }
            }
            Members::Items { places, width, map, argument } => {
                let Some(right) = &self.right else { return };
                let (left, right) = (self.left.map(permutation), right.map(permutation));
                for (a, at) in (0..).zip(places) {
                    let Some(code) = get(state, *at, *width).checked_sub(1) else { continue };
                    // All of these parts add to one number.
                    let mut number = u64::from(*argument == 0);
                    if let Some(y) = map.number(code, u64::from(*argument)).checked_sub(1) {
                        let y = u64::from(mapped(right, y as u32));
                        number += (y + 1) << (argument * map.width);
                    }
                    let to = places[mapped(left, a) as usize];
                    image[to.word] += number << to.shift;
                }
            }
            Members::Subsets { places, width } => {
                let Some(right) = &self.right else { return };
                let left = self.left.map(permutation);
                for (a, at) in (0..).zip(places) {
                    let code = get(state, *at, *width);
                    if code > 0 {
                        let images = bits_of(code - 1).map(|r| right.image(permutation, r));
                        let subset = images.fold(0, |subset, r| subset | 1 << r);
                        let to = places[mapped(left, a) as usize];
                        image[to.word] |= (subset + 1) << to.shift;
                    }
                }
            }
        }
    }

    /// What a permutation makes of members, which come in ascending order.
    #[inline]
    fn images(
        &self,
        permutation: &Permutation,
        members: impl Iterator<Item = u32>,
        mut put: impl FnMut(u32),
    ) {
        if let Some(right) = &self.right {
            let mut moved = Moved::new(self, right, permutation);
            members.for_each(|member| put(moved.image(member)));
        } else {
            let left = self.left.map(permutation);
            members.for_each(|member| put(mapped(left, member)));
        }
    }
}

/// Where pairs go by a permutation, asked in ascending order.
struct Moved<'p> {
    left: &'p [u32],
    right: &'p [u32],
    split: Split,
    /// The left element asked last, and the first pair of its image.
    at: u32,
    image: u32,
}

impl<'p> Moved<'p> {
    fn new(part: &Part, right: &Side, permutation: &'p Permutation) -> Moved<'p> {
        let (left, width) = (part.left.map(permutation), right.size);
        let image = mapped(left, 0) * width;
        Moved { left, right: right.map(permutation), split: Split::new(width), at: 0, image }
    }

    #[inline]
    fn image(&mut self, member: u32) -> u32 {
        let (left, right) = self.split.pair(member);
        if left != self.at {
            self.at = left;
            self.image = mapped(self.left, left) * self.split.width;
        }
        self.image + mapped(self.right, right)
    }
}

impl Members {
    /// Clears the bits that these members take.
    pub(super) fn clear(&self, words: &mut [u64]) {
        match self {
            Members::One { at, bits } | Members::Word { at, bits } => put(words, *at, *bits, 0),
            Members::Words { first, words: n } => words[*first..first + n].fill(0),
            Members::Rows(rows) => rows.clear(words),
            Members::Function { places, width }
            | Members::Subsets { places, width }
            | Members::Items { places, width, .. }
            | Members::Opaque { places, width } => {
                places.iter().for_each(|at| put(words, *at, *width, 0));
            }
        }
    }
}
