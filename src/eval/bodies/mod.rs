//! Substitutions to lowered code: what an operation does, in all the ways in which it can, and what is wrong where it
//! cannot. It relies on [`formulas`](super::formulas), and on [`solutions`](super::solutions) for what is chosen.
//!
//! | file | subject |
//! |---|---|
//! | [`substitution`] | substitutions to steps that write, and to bodies with several outcomes |
//! | `assignment` | targets: variables, points of functions, fields of records |
//! | `sequence`, `turns` | `;` and calls; loops |
//! | `merging` | ways that come to the same |
//! | `written`, `initial` | what is undone and made readable; variables that have no value yet |
//! | `loops`, `growing` | variables that are locals within a loop; sets that a loop lets grow |
//! | `outcomes` | bodies as total functions |
//! | `guard`, [`faults`] | what an undefined part of a guard means; whether an operation can fail |
//! | `reasons`, [`claim`] | why what should hold does not; what events claim |

mod assignment;
pub mod claim;
pub mod faults;
mod growing;
pub(super) mod guard;
pub(super) mod initial;
pub(super) mod loops;
mod merging;
pub(super) mod outcomes;
mod reasons;
mod sequence;
pub mod substitution;
pub(super) mod turns;
mod written;
