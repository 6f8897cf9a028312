//! A whole machine, compiled, and what is done with it state by state: set-ups, initial states, transitions, checks.
//! It relies on all folders above it in the table of [`eval`](super).
//!
//! | file | subject |
//! |---|---|
//! | [`program`], [`evaluator`] | a whole compiled machine; running it |
//! | `apart` | the same on other threads |
//! | [`questions`], `patience`, `partial` | what is asked of every state; assertions that take too long; set-ups for which the PROPERTIES are defined |
//! | [`instances`] | what a state enables |
//! | [`select`], `orbits`, `blocks` | which of it is followed: all, or one of each orbit; elements that are exchanged freely |
//! | [`transitions`], [`successors`] | from guards over the selection to outcomes; what has come out |
//! | `straight`, `reuse` | operations that are run without further ado; those that are remembered by what they read |

pub(super) mod apart;
mod blocks;
pub mod evaluator;
pub mod instances;
mod orbits;
mod partial;
pub(super) mod patience;
pub mod program;
pub mod questions;
mod reuse;
pub mod select;
mod straight;
pub mod successors;
pub mod transitions;
