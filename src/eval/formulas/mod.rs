//! Expressions and predicates to lowered code: to trees on machine words where their values are words, to closures on
//! values otherwise. What is held in words is left to `packed`, what is not built to [`unbuilt`](super::unbuilt), and
//! what quantifiers and comprehensions range over to [`solutions`](super::solutions).
//!
//! | file | subject |
//! |---|---|
//! | [`expression`] | expressions |
//! | [`arithmetic`] | numbers |
//! | [`application`], `flat` | functions and relations at work; those on intervals |
//! | `cardinality`, `reach` | cardinalities, and closures of which a part is wanted, without the set |
//! | [`predicate`] | predicates |
//! | [`membership`], `arrays` | membership by structure; of functions on numbers |
//! | `total` | what is always defined |
//! | [`tree`], [`external`] | operators on trees; external functions |

pub mod application;
pub mod arithmetic;
mod arrays;
mod cardinality;
pub mod expression;
pub mod external;
mod flat;
pub mod membership;
pub mod predicate;
mod reach;
mod total;
pub mod tree;
