//! The hash of a packed state.

/// A multiply-and-rotate per word with a final mix, since the table
/// takes its index from the low bits.
#[inline]
pub fn hash_state(state: &[u64]) -> u64 {
    let mut hash: u64 = 0x9E37_79B9_7F4A_7C15;
    for w in state {
        hash = (hash.rotate_left(23) ^ w).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        hash ^= hash >> 32;
    }
    hash
}
