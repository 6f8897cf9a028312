//! The same trees as total functions: a word, a truth or a write comes out whatever the state is.
//!
//! Where the partial form ([`Word`](super::Word), [`Test`](super::Test), [`Write`](super::Write)) would end with a
//! fault, an overflow or a limit, the total one leaves a doubt in the frame
//! ([`Env::doubt`](super::Env::doubt)) and gives anything. Whoever runs it asks for the doubt once, at the
//! end, and if there is one forgets what was found and runs the partial form, which knows what is to be
//! thought of it. So nothing on the way is tested after each node, and writes go straight into the state that
//! is made. A tree of which [`TotalWord::is_certain`] or [`TotalTest::is_certain`] is true leaves no doubt.
//!
//! Tests of fields against constants become masks of whole words here, and as many of these as stand in one
//! junction one mask.
//!
//! | file | subject |
//! |---|---|
//! | [`word`] | words |
//! | [`test`] | tests, masks, junctions |
//! | [`write`] | writes into a state |
//! | [`patch`] | writes of what follows from arguments alone |
//! | [`moves`], [`sift`] | solutions of predicates, quantifiers; tests of all candidates at once |

pub mod moves;
pub mod patch;
pub mod sift;
pub mod test;
pub mod word;
pub mod write;

pub use moves::{Giver, Move, Quantified};
pub use patch::Patch;
pub use test::TotalTest;
pub use word::TotalWord;
pub use write::TotalWrite;

#[cfg(test)]
mod tests;
