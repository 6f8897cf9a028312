//! What a state holds in machine words, at work: sets, relations, sequences and functions are asked and written
//! without being made into values. Each file lowers formulas to nodes of a file of the same name in
//! [`lower`](crate::lower), or says of an expression that it has none. It relies on [`plans`](super::plans) for the
//! pattern that a member is matched with.
//!
//! | file | subject |
//! |---|---|
//! | `wide`, `many` | sets and relations that take several words: of elements; of numbers, pairs or records |
//! | `coded`, `related` | sets of numbers or pairs in one word; relations over numbers in one |
//! | `line`, `texts` | sequences in one word; strings by their places in a list |
//! | `held` | records by their fields, and what a field can hold at all |
//! | `edits`, `mapped` | functions that are held point by point, changed as a whole; what results from such |

pub(super) mod coded;
mod edits;
mod held;
mod line;
mod many;
mod mapped;
pub(super) mod related;
mod texts;
pub(super) mod wide;
