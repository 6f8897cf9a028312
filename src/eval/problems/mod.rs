//! Predicates to problems for the constraint solver ([`constraint`](crate::constraint)): what it takes apart, what it
//! is given closures for, and where the instances of quantifiers come from. It relies on
//! [`solutions`](super::solutions), where its problems are run, and on [`plans`](super::plans).
//!
//! | file | subject |
//! |---|---|
//! | `propagate` | predicates and expressions to what the solver is given |
//! | `simpler` | comparisons of sets that ask it for fewer sets |
//! | `scope`, `items` | where the instances of quantifiers come from; members that are not known yet |
//! | `within`, `given`, `witnesses` | names that are members of sets which are not known, that have the value of something which is not, and that are taken for unknowns |

mod given;
mod items;
mod propagate;
mod scope;
mod simpler;
mod within;
mod witnesses;
