//! From valuations to machine words, and back.
//!
//! [`instance`] a machine with its sizes and limits; [`expect`] what the invariant says about the
//! range of each variable; [`layout`] the fields of a packed state, `placing` which coding each gets, and
//! [`axis`] the codes of arguments, results and records; [`interner`] numbers for values that have no field of their own, `passing` those of which a field has them only while a loop runs; [`flat`] arrays beside
//! those that are functions; `made` lists that were made of fields; [`hash`] the hash of a packed state; [`outside`] what external functions
//! may ask for;
//! [`spoken`] the numbers and strings of the machine's text.

pub mod axis;
pub mod expect;
pub mod flat;
pub mod hash;
pub mod instance;
pub mod interner;
pub mod layout;
mod made;
pub mod outside;
mod passing;
mod placing;
pub mod spoken;

pub use axis::Axis;
pub use hash::hash_state;
pub use instance::{Instance, WdGuards};
pub use interner::Interner;
pub use layout::{Coding, Field, Layout};
pub use outside::{Denied, Outside};
