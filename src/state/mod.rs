//! From valuations to machine words, and back.
//!
//! [`instance`] a machine with its sizes and limits; [`expect`] what the invariant says about the
//! range of each variable; [`layout`] the fields of a packed state; [`interner`] numbers for values
//! that have no field of their own; [`table`] the exact set of seen states.

pub mod expect;
pub mod instance;
pub mod interner;
pub mod layout;
pub mod table;

pub use instance::Instance;
pub use interner::Interner;
pub use layout::{Axis, Coding, Field, Layout};
pub use table::StateTable;
