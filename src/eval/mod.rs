//! From the typed machine to the lowered form, and running it.
//!
//! | file | subject |
//! |---|---|
//! | [`compile`] | what the compiler's parts share |
//! | [`expression`], [`arithmetic`], [`application`], `flat` | expressions; numbers; functions and relations at work; those on intervals |
//! | `wide`, `line`, `held` | relations and sets that take several words; sequences that take one; what a state holds in parts: records, and functions by their points |
//! | `reach` | closures of which a part is wanted |
//! | `endless`, `ranges` | how sets that are not built compare; those of integers, by intervals |
//! | [`predicate`], [`membership`], `arrays`, `total` | predicates; membership that makes no set, and of functions on numbers; what is always defined |
//! | [`substitution`], `assignment`, `sequence`, `turns`, `merging`, `written` | substitutions; targets; `;` and calls; loops; ways that come to the same; what is undone and made readable |
//! | `guard`, [`faults`] | what an undefined part of a guard means; whether an operation can fail |
//! | `partial` | set-ups for which the PROPERTIES are defined |
//! | `loops`, `known` | variables that are locals within a loop; constants that the text fixes |
//! | `coded`, `related`, `edits`, `mapped` | sets of numbers and pairs in one word; relations in one; functions that are held point by point, as wholes; those that are results of such |
//! | `initial` | variables that have no value yet |
//! | [`plan`], `offers`, `preferred`, `conjuncts`, `included`, `implied`, `chains`, `magnitude`, `closures`, `estimate`, [`solve`], `tested`, `walk`, `aside`, `uses`, [`members`], `prefixes`, `stepwise`, `inverse`, `isolate`, `sides`, `grouping`, [`pointwise`], `fieldwise` | solutions of predicates: in which order, what may be the next step, which of these is taken, ways to say that a set is a part of another one or something a member, what conjuncts imply, bounds along chains and of any size, what is said of closures, the steps compiled, their conjuncts once, and run, what is false whatever a name is, what steps ask for, from which sets; pairs that begin with what is known; functions point by point; values found backwards; equations of numbers solved for a name; one side of pairs; members of a set looked up by what is said of them; functions and records told by equations |
//! | `solver`, `propagate`, `simpler`, `scope`, `items`, `within`, `witnesses`, `given`, `propagation`, `narrowed` | where a plan is left to the solver; what the solver is given; what it finds; what it says where nothing is tried |
//! | [`explain`], [`cells`] | what has become of a machine, and what its operations read and write, for people |
//! | `remember`, `incremental`, `data` | what is computed once; what is asked again only where something has changed; what is known while it is compiled |
//! | [`external`], [`tree`], `freetypes`, [`symbolic`], `described`, `graph`, `least`, `vast` | external functions; trees; values of free types; infinite sets as values, what is asked of one, relations of them at a point, and their least members; finite ones that are too large to be built |
//! | [`program`], [`evaluator`], `apart`, `patience` | a whole compiled machine; running it on a state; the same on other threads; assertions that take too long |
//! | [`instances`], [`select`], [`orbits`], `blocks` | what a state enables; which of it is followed: all, or one of each orbit; elements that are exchanged freely |
//! | `reasons` | why a precondition, an ASSERT or a loop invariant does not hold |
//! | `straight`, `outcomes` | operations that are run without further ado; what their bodies come to |
//! | [`transitions`], [`successors`] | from guards over the selection to outcomes; what has come out |

use crate::lower::{self, code, env, memory, stop};

mod apart;
pub mod application;
pub mod arithmetic;
mod arrays;
mod aside;
mod assignment;
mod blocks;
mod cardinality;
pub mod cells;
mod chains;
pub mod claim;
mod coded;
pub mod compile;
mod conjuncts;
mod data;
mod described;
mod edits;
mod endless;
mod estimate;
pub mod evaluator;
pub mod explain;
pub mod expression;
pub mod external;
pub mod faults;
mod fieldwise;
mod firsts;
mod flat;
mod freetypes;
mod given;
mod graph;
mod grouping;
mod growing;
mod guard;
mod held;
mod implied;
mod included;
mod incremental;
mod initial;
pub mod instances;
mod inverse;
mod isolate;
mod items;
mod known;
mod least;
mod line;
mod listed;
mod loops;
mod magnitude;
mod many;
mod mapped;
pub mod members;
pub mod membership;
mod merging;
mod monotone;
mod narrowed;
mod offers;
pub mod optimum;
mod orbits;
mod outcomes;
mod partial;
mod patience;
pub mod plan;
pub mod pointwise;
pub mod predicate;
mod preferred;
mod prefixes;
pub mod program;
mod propagate;
mod propagation;
pub mod question;
pub mod questions;
mod ranges;
mod reach;
mod reasons;
mod related;
mod remember;
mod scope;
pub mod select;
mod sequence;
mod shared;
mod sides;
mod simpler;
pub mod solve;
mod solver;
mod stepwise;
mod straight;
pub mod substitution;
pub mod successors;
pub mod symbolic;
mod tested;
mod texts;
mod total;
pub mod transitions;
pub mod tree;
mod turns;
mod uses;
mod vast;
mod walk;
mod wide;
mod within;
mod witnesses;
mod written;

pub use crate::lower::env::{Env, Fault, Flow, Notes, Operand, TooLarge};
pub use crate::lower::stop::{CutId, CutSite, FaultKind, Site, SiteId, Stop, Within};
pub use apart::Apart;
pub use compile::{Compiler, Undefined};
pub use evaluator::{Check, Evaluator};
pub use instances::Instances;
pub use narrowed::Narrowed;
pub use patience::Patience;
pub use program::Program;
pub use question::{Answer, At, More, Open, QuestionCode};
pub use questions::{Questions, StateQuestion, Topic};
pub use select::Select;
pub use successors::{Entry, OperationFault, Successors};
