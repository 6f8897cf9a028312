//! Claims of events: assertions that a model makes, not its text. Where one that does not end the event
//! is broken, the event happens all the same, and the instance is told of.

use super::guard::Position;
use super::reasons::values;
use super::substitution::Body;
use crate::eval::compile::Compiler;
use crate::lower::env::Env;
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::{ClaimId, Pred, Subst};

impl Compiler<'_> {
    /// A substitution below a claim.
    pub(super) fn claim(&self, claim: ClaimId, p: &Pred, s: &Subst, at: Position<'_>) -> Body {
        let kind = self.machine().claims[claim.0 as usize].kind;
        let (fault, span) = (FaultKind::Broken(kind, claim), p.span);
        let (condition, told) = (self.pred(p), self.told(p));
        let check = move |env: &mut Env| {
            let stop = match condition(env) {
                Ok(true) => return Ok(()),
                Ok(false) => {
                    let values = values(&told, env);
                    env.fault(fault, span, values)
                }
                Err(stop) => stop,
            };
            match stop {
                // It is not known to be broken.
                Stop::Cut(cut) => env.give_up(cut),
                Stop::Fault(site) if !kind.ends_event() => {
                    let fault = env.fault.take();
                    env.broken.get_or_insert((site, fault));
                }
                stop => return Err(stop),
            }
            Ok(())
        };
        self.subst(s, at.closed()).after(check)
    }
}
