//! The lowered form of a machine: an explicit tree of operations on words and on values, of tests and of
//! writes, which is evaluated as it stands, printed, and may be read by anybody who wants to know what
//! a piece of code depends on.
//!
//! | file | subject |
//! |---|---|
//! | [`word`] | words: constants, fields, locals, sets as bits, numbers, applications |
//! | [`test`] | tests of words, and junctions of tests |
//! | [`operators`] | what the operators on words do, and how they are told |
//! | [`point`] | functions that a state holds point by point |
//! | [`numbered`] | functions on integers that a state holds by their numbers |
//! | [`record`] | records that a state holds field by field |
//! | [`coded`] | sets of numbers or pairs in one word |
//! | [`edits`] | functions that a state holds point by point, looked at and changed as a whole |
//! | [`mapped`] | functions that are results of such |
//! | [`line`] | sequences whose items stand in one word |
//! | [`wide`], [`many`] | relations and sets in several words; sets of numbers, pairs or records |
//! | [`rich`] | values of any form |
//! | [`write`] | writes of fields |
//! | [`total`] | the same trees as total functions: what runs |
//! | `gate`, [`occupied`] | tests of one field against constants; operations that want an argument with one result |
//! | `print` | all of that as text |
//! | [`code`] | what has no lowered form: closures; slots of the frame |
//! | [`env`], [`memory`], [`held`], [`changes`], [`recorded`], `growth`, [`description`], [`points`], [`metered`] | the frame that code works on: states, locals; remembered results; the last ones in loops; what operations did; recorded solutions; sets that loops let grow; infinite sets, and what they were found to have at points; large operations under its limits |
//! | `trial` | whether it pays to look for what was found before |
//! | [`watched`] | what has changed of functions and sets since a state of which something held |
//! | [`exchanged`] | elements that nothing tells apart in the state at hand |
//! | [`stop`] | why an evaluation ended without a result |
//!
//! What has no lowered form stands in the tree as code of the evaluator ([`Word::Run`], [`Rich::Run`],
//! [`Test::Run`], [`Write::Run`]). A node is evaluated in the order in which it is written, so that of several faults the
//! first one is told.

pub mod changes;
pub mod code;
pub mod coded;
pub mod description;
pub mod edits;
pub mod env;
pub mod exchanged;
pub mod gate;
pub mod growth;
pub mod held;
pub mod line;
pub mod many;
pub mod mapped;
pub mod memory;
pub mod metered;
pub mod numbered;
pub mod occupied;
pub mod operators;
pub mod point;
pub mod points;
mod print;
pub mod record;
pub mod recorded;
pub mod rich;
pub mod stop;
pub mod test;
pub mod total;
mod trial;
pub mod watched;
pub mod wide;
pub mod word;
pub mod write;

pub use env::Env;
pub use gate::{Gate, Gates, Screen};
pub use operators::{Arithmetic, One, Order, Partial, Places, Relation, Two};
pub use point::{Point, Points};
pub use print::Printer;
pub use rich::Rich;
pub use test::Test;
pub use total::{Giver, Quantified, TotalTest, TotalWord, TotalWrite};
pub use wide::Wide;
pub use word::{Bits, Grid, Word};
pub use write::Write;
