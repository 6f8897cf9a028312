//! What people ask of a compiled machine, and what they are told: nothing here is needed for a search. It relies on
//! [`run`](super::run).
//!
//! | file | subject |
//! |---|---|
//! | [`question`] | formulas that are typed in |
//! | `narrowed` | what propagation alone says of one |
//! | [`explain`] | what has become of a machine |
//! | [`cells`] | what operations read and write |

pub mod cells;
pub mod explain;
pub(super) mod narrowed;
pub mod question;
