//! Images of flat states, from packed words to packed words.

use super::{Members, Part, mapped};
use crate::state::layout::{get, put};
use crate::value::Permutation;

impl Part {
    /// Writes what a permutation makes of the part into an image, in which its bits are 0 yet.
    pub(super) fn write_image(&self, state: &[u64], permutation: &Permutation, image: &mut [u64]) {
        let mut moved = Moved::new(self, permutation);
        match &self.members {
            Members::One { at, bits } => {
                let member = get(state, *at, *bits) as u32;
                image[at.word] |= (moved.image(member) as u64) << at.shift;
            }
            Members::Word { at, bits } => {
                let mut rest = get(state, *at, *bits);
                while rest != 0 {
                    image[at.word] |= 1 << (moved.image(rest.trailing_zeros()) + at.shift);
                    rest &= rest - 1;
                }
            }
            Members::Words { first, words } => {
                for word in 0..*words {
                    let mut rest = state[first + word];
                    while rest != 0 {
                        let member = moved.image(64 * word as u32 + rest.trailing_zeros()) as usize;
                        image[first + member / 64] |= 1 << (member % 64);
                        rest &= rest - 1;
                    }
                }
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
                        let mut rest = code - 1;
                        let mut subset = 0;
                        while rest != 0 {
                            subset |= 1u64 << right.image(permutation, rest.trailing_zeros());
                            rest &= rest - 1;
                        }
                        let to = places[mapped(left, a) as usize];
                        image[to.word] |= (subset + 1) << to.shift;
                    }
                }
            }
        }
    }
}

/// Where members go by a permutation, asked in ascending order: without a division for each.
struct Moved<'p> {
    left: &'p [u32],
    right: &'p [u32],
    /// Members of the right side; one, where there is none.
    width: u32,
    /// The left element at hand, its first pair, and the first pair of its image.
    at: u32,
    first: u32,
    image: u32,
}

impl<'p> Moved<'p> {
    fn new(part: &Part, permutation: &'p Permutation) -> Moved<'p> {
        let left = part.left.map(permutation);
        let (right, width) = match &part.right {
            Some(right) => (right.map(permutation), right.size),
            None => (&[][..], 1),
        };
        Moved { left, right, width, at: 0, first: 0, image: mapped(left, 0) * width }
    }

    #[inline]
    fn image(&mut self, member: u32) -> u32 {
        if member - self.first >= self.width {
            let steps = match member - self.first {
                next if next < 2 * self.width => 1,
                far => far / self.width,
            };
            self.at += steps;
            self.first += steps * self.width;
            self.image = mapped(self.left, self.at) * self.width;
        }
        self.image + mapped(self.right, member - self.first)
    }
}

impl Members {
    /// Clears the bits that these members take.
    pub(super) fn clear(&self, words: &mut [u64]) {
        match self {
            Members::One { at, bits } | Members::Word { at, bits } => put(words, *at, *bits, 0),
            Members::Words { first, words: n } => words[*first..first + n].fill(0),
            Members::Function { places, width }
            | Members::Subsets { places, width }
            | Members::Items { places, width, .. }
            | Members::Opaque { places, width } => {
                places.iter().for_each(|at| put(words, *at, *width, 0));
            }
        }
    }
}
