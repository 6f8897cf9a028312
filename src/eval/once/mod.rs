//! What is computed once: while it is compiled, once for each set-up, for each choice of some names, or once in each
//! state, and asked again only where something has changed. It relies on [`plans`](super::plans) and
//! [`packed`](super::packed).
//!
//! | file | subject |
//! |---|---|
//! | `remember` | which formulas are remembered, and by what |
//! | `incremental` | quantifiers in what is asked of every state |
//! | `shared` | conditions that several operations share |
//! | `known`, `data` | constants that the text fixes; long enumerations of values |

pub(super) mod data;
mod incremental;
pub(super) mod known;
pub(super) mod remember;
pub(super) mod shared;
