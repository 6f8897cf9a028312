//! What follows from the conjuncts of a predicate, as far as their form says: they are taken apart here, and what
//! they imply is added to them before a plan is made. What is handed on are formulas. It relies on `plans::estimate`,
//! which tells whether a set costs much, and on no other folder.
//!
//! | file | subject |
//! |---|---|
//! | `conjuncts` | a predicate as a list of conjuncts |
//! | `listed` | what is said of all members of a set that is written down, said of each |
//! | `included` | ways to say that a set is a part of another one, or something a member |
//! | `implied` | what conjuncts say of a name without naming it as a member or a part |
//! | `chains`, `polynomials`, `magnitude` | bounds of integers along chains of comparisons; by the roots of polynomials; those of numbers of any size |

mod chains;
pub(super) mod conjuncts;
pub(super) mod implied;
mod included;
mod listed;
pub(super) mod magnitude;
mod polynomials;
