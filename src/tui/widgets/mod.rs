//! Pieces of the screen that are no panes.

pub mod bars;
pub mod input;
pub mod overlay;
pub mod statistics;
pub mod title;
pub mod tree;
pub mod wrap;
