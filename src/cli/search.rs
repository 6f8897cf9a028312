//! A search on its own thread, watched from this one: progress, Ctrl-C.

use super::output::{StatusLine, complain};
use super::{Failure, signals::Interrupt};
use crate::report::text::{bytes, operations};
use crate::search::{Control, Outcome, Progress, SearchOptions};
use crate::session::{self, Ended};
use crate::setup::Model;
use crossbeam_channel::RecvTimeoutError;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often Ctrl-C is looked for.
const POLL: Duration = Duration::from_millis(20);

/// How often progress is shown.
const REFRESH: Duration = Duration::from_millis(250);

/// Searches and waits for the result. The first Ctrl-C ends the search, which then tells what it
/// found so far.
///
/// # Errors
/// The search itself went wrong.
pub fn run(
    model: &Model,
    options: &SearchOptions,
    title: &str,
    progress: bool,
    interrupt: &Interrupt,
    control: Control,
) -> Result<Outcome, Failure> {
    let mut line = StatusLine::new(progress);
    let started = Instant::now();
    let mut last = Look { started, at: started, nodes: 0 };
    let running = session::check_with(model, options.clone(), Arc::new(control));
    let mut told = false;
    loop {
        match running.ended.recv_timeout(POLL) {
            Ok(Ended::Outcome(outcome)) => {
                // Of a search that took long enough to be watched, and that is reported by itself.
                if line.is_drawn() && title.is_empty() {
                    line.clear();
                    complain(operations(&outcome));
                }
                return Ok(*outcome);
            }
            Ok(Ended::Failed(message)) => return Err(Failure::internal(&message)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::internal("the search ended without a result"));
            }
        }
        if interrupt.is_set() && !told {
            running.control.interrupt();
            line.show("ending the search; press Ctrl-C again to leave at once");
            told = true;
        }
        if line.is_on() && !told && last.at.elapsed() >= REFRESH {
            let progress = running.control.progress();
            line.show(&last.describe(title, &progress));
        }
    }
}

/// The last look at a running search, to tell its rate.
struct Look {
    started: Instant,
    at: Instant,
    nodes: u64,
}

impl Look {
    fn describe(&mut self, title: &str, now: &Progress) -> String {
        let seconds = self.at.elapsed().as_secs_f64().max(1e-3);
        let rate = now.nodes.saturating_sub(self.nodes) as f64 / seconds;
        *self = Look { at: Instant::now(), nodes: now.nodes, ..*self };
        if let Some(asked) = now.asked {
            let (states, seconds) = (now.states, self.started.elapsed().as_secs_f64());
            return format!(
                "{title}assertions asked of {asked} of {states} states  {seconds:.0} s"
            );
        }
        format!(
            "{title}{} states  {} transitions  queue {}  {rate:.0} states/s  depth {}  {}  {:.0} s",
            now.states,
            now.transitions,
            now.queue,
            now.depth,
            bytes(now.memory),
            // The search itself says nothing while it is at one state.
            self.started.elapsed().as_secs_f64()
        )
    }
}
