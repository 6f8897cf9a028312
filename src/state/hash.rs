//! The hash of a packed state.

const SEED: u64 = 0xD6E8_FEB8_6659_FD93;
/// 2^64 by the golden ratio: of numbers in a row the products lie as far apart as they can (Knuth 1973, 6.4).
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// A multiplication for each word, whose upper half is folded into the lower one: the tables go by bits
/// from all over the hash, and states may differ in any few bits of a word, high ones or low ones.
#[inline]
pub fn hash_state(state: &[u64]) -> u64 {
    state.iter().fold(SEED, |hash, word| {
        let product = u128::from(hash.rotate_left(23) ^ word) * u128::from(FACTOR);
        product as u64 ^ (product >> 64) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// What a table goes by: the upper bits say which one, the upper ones of the lower half where in it.
    fn place(hash: u64) -> (u64, u64) {
        (hash >> 58, hash >> 26 & 63)
    }

    #[test]
    fn few_bits_anywhere_in_a_state_spread_over_the_tables() {
        // As many as there are places: about 63 in a hundred are taken when they fall at random.
        let spread = |state: &dyn Fn(u64) -> Vec<u64>| {
            let places: HashSet<_> = (0..4096).map(|v| place(hash_state(&state(v)))).collect();
            places.len()
        };
        for shift in 0..=52 {
            for constants in [0, 1, 7] {
                let one = spread(&|v| vec![v << shift | if shift < 16 { 0 } else { constants }]);
                let last = spread(&|v| vec![constants, v << shift]);
                let first = spread(&|v| vec![v << shift, constants]);
                for places in [one, last, first] {
                    assert!(places > 2300, "{places} of 4096 places from bit {shift} on");
                }
            }
        }
        // Bits of two fields: some lie badly, but none so badly that a table would be slow.
        for low in (0..58).step_by(3) {
            for high in (low + 6..58).step_by(3) {
                let places = spread(&|v| vec![(v & 63) << low | v >> 6 << high]);
                assert!(places > 1500, "{places} of 4096 places from bits {low} and {high} on");
            }
        }
    }
}
