//! Sets that are not built: infinite ones, finite ones that are too large, and those of which only a member or a part
//! is asked for. Their members are walked, two of them are compared by what they are made of, and they are values by
//! their descriptions. What is here uses no other folder.
//!
//! | file | subject |
//! |---|---|
//! | [`members`] | walking the members of a set expression, whether or not they are ever a value |
//! | `freetypes` | the values of free types, and how many there are |
//! | `endless` | which sets are infinite for certain, and how the others compare |
//! | `ranges`, `monotone` | comparisons of infinite sets: of integers by intervals, of others by their parts |
//! | [`symbolic`], `described` | infinite sets as values; what is asked of one |
//! | `graph` | relations that are told by a description, at a point |
//! | `least` | the least member of a set that may be infinite |
//! | `vast` | finite sets that are too large to be built |

pub(super) mod described;
mod endless;
mod freetypes;
pub(super) mod graph;
mod least;
pub mod members;
mod monotone;
mod ranges;
pub mod symbolic;
mod vast;
