//! The propagators: one rule each, none of which knows of the others.
//!
//! [`logic`] clauses and conjunctions; [`linear`] sums; [`count`] how many are 1; [`arithmetic`] products, quotients, remainders,
//! greatest and least; [`congruences`] several
//! remainders of one number; [`element`] which of several a variable is, and which rows of a table are left;
//! [`different`] values that are pairwise different; [`distinct`] how many are different; [`places`] values that need a place each; [`disjunction`] many sums of which one holds, packed as [`rows`] where they are alike;
//! [`cover`] numbers each of which one of many sums has to have; [`reach`] what is reached along pairs;
//! [`grid`] pairs in a relation that is known.

pub mod arithmetic;
pub mod congruences;
pub mod count;
pub mod cover;
pub mod different;
pub mod disjunction;
pub mod distinct;
pub mod element;
pub mod grid;
pub mod linear;
pub mod logic;
pub mod matching;
pub mod places;
pub mod reach;
pub mod rows;
