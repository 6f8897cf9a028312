pub mod analyse;
pub mod graph;
pub mod group;
pub mod label;
pub mod orbit;
mod plan;
pub mod refine;

pub use graph::Cell;
pub use group::{Group, SymmetricSet};
pub use label::{Labeller, Labelling, Options, Subject, Valuation};
pub use orbit::{OrbitSum, Order};

#[cfg(test)]
mod tests;
