//! Pictures of values that are not known yet: a number is a variable, a set has a literal for each member that it may
//! have, a function a picture for each point. What each kind of value can be asked becomes claims over these. It
//! relies on [`build`](super::build), which makes the variables, and on the propagators.
//!
//! | file | subject |
//! |---|---|
//! | [`object`] | the pictures |
//! | [`fresh`] | new ones: some member of a set, some value of a shape |
//! | `chosen` | one of several known values |
//! | [`pairs`] | pairs of scalars with a number of their own |
//! | [`sets`], `among`, [`few`] | sets; beside those that are too large to be pictured; with few members out of too many |
//! | [`functions`], [`inverse`] | functions; their inverses |
//! | `relations`, `products`, [`closure`] | relations that are applied; functions put together; transitive closures |
//! | [`sequences`], [`lengths`] | sequences; how long they are at most |
//! | [`uppers`] | what the sets that a function has as values are subsets of |

mod among;
pub(super) mod chosen;
pub mod closure;
pub mod few;
pub mod fresh;
pub mod functions;
pub mod inverse;
pub mod lengths;
pub mod object;
pub mod pairs;
mod products;
pub(super) mod relations;
pub mod sequences;
pub mod sets;
pub mod uppers;
