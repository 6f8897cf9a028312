//! Large operations under the limits of an evaluation.

use super::env::Env;
use super::stop::Stop;
use crate::source::Span;
use crate::value::{GivenUp, Meter};

/// Asks the clock and the room of a frame, and remembers what they said.
struct Limits<'e> {
    env: &'e mut Env,
    span: Span,
    stop: Option<Stop>,
}

impl Meter for Limits<'_> {
    fn spent(&mut self, work: usize, members: usize) -> Result<(), GivenUp> {
        let asked = self.env.room_for(members, self.span).and_then(|()| self.env.tick_by(work));
        asked.map_err(|stop| {
            self.stop = Some(stop);
            GivenUp
        })
    }
}

/// Runs an operator that may take long or make a large value at this place.
///
/// # Errors
/// [`Stop::Halted`] when a limit is reached.
pub fn metered<T>(
    env: &mut Env,
    span: Span,
    run: impl FnOnce(&mut dyn Meter) -> Result<T, GivenUp>,
) -> Result<T, Stop> {
    let mut limits = Limits { env, span, stop: None };
    run(&mut limits).map_err(|GivenUp| limits.stop.unwrap_or(Stop::Halted))
}
