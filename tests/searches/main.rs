//! Whole searches, against counts that are known from elsewhere or that methods must share.

#[path = "../common/mod.rs"]
mod common;
mod corpus;
mod large_sets;
mod methods;
mod static_symmetry;
mod tables;
mod traps;
