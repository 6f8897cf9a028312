//! Between guard and body: which instances of operations are followed, and as how many each counts.
//!
//! An evaluator finds the instances that a state enables and fires those that it is told to. Where all of
//! them are followed nothing is listed: each is fired when its guard was found to hold
//! ([`Evaluator::successors`](crate::eval::Evaluator::successors)). Which others there are is the matter of a
//! [`Select`], such as [`Orbits`](super::orbits::Orbits): one instance for each orbit of arguments, which
//! counts as many as the orbit has members.
//!
//! A selection that has to know all that is enabled before it chooses, as an ample set does, asks for
//! every operation to be listed ([`Select::lists`]) and takes the weight of what it leaves out away
//! ([`Select::weigh`]). Who wants to choose in several steps lists with
//! [`Evaluator::enabled`](crate::eval::Evaluator::enabled) and fires one by one with
//! [`Evaluator::fire`](crate::eval::Evaluator::fire).

use super::instances::{Instances, Numbering};
use super::program::Program;
use crate::lower::stop::Stop;
use crate::machine::OpId;

pub trait Select {
    /// Whether the instances of an operation are listed and weighed before any is fired. Otherwise
    /// they are fired as they are found, each as one.
    fn lists(&self, operation: OpId, arguments: &Numbering) -> bool;

    /// Says as how many each of the listed instances counts, before any is fired; 0: it is not
    /// followed. They come with 1.
    ///
    /// # Errors
    /// The work is to end.
    fn weigh(
        &mut self,
        program: &Program,
        enabled: &Instances,
        weights: &mut [u32],
    ) -> Result<(), Stop>;
}
