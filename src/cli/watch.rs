//! `burnside watch`: checks a machine whenever one of its files is saved, one line for each run.

use super::arguments::{CheckOptions, Format};
use super::input::Input;
use super::output::{self, Reader};
use super::signals::Interrupt;
use super::{EXIT_OK, Failure};
use crate::clock::Clock;
use crate::report::runs::CheckRun;
use crate::search::{Control, Outcome};
use crate::session::ledger::Ledger;
use crate::session::{self, Ended, Session};
use crate::watch::{Wanted, Watcher};
use crossbeam_channel::RecvTimeoutError;
use std::sync::Arc;
use std::time::Duration;

/// How often signals and files are looked for.
const POLL: Duration = Duration::from_millis(20);

/// Checks, and checks again, until a signal comes or nobody reads the lines.
///
/// # Errors
/// An embedded machine, a line that cannot be written, a fault of the program.
pub fn run(input: &Input, options: &CheckOptions) -> Result<u8, Failure> {
    let interrupt = Interrupt::install();
    let clock = options.limits.work.clock();
    let mut session = interrupt.ending(&clock, || input.open(options.setup(), &clock));
    let watcher = Watcher::new(wanted(&session))
        .map_err(|e| Failure::Message(format!("no thread to watch files: {e}")))?;
    let mut ledger = Ledger::default();
    while !interrupt.is_set() {
        let ended = one(&session, options, &watcher, &interrupt)?;
        if let Some(ended) = ended {
            let noted = match (ended, session.good()) {
                (One::Searched(outcome), Some(good)) => ledger.note_search(good, &outcome),
                (One::Searched(_), None) => continue,
                (One::Rejected(run), _) => ledger.note_rejected(*run),
            };
            let line = match options.format {
                Format::Text => noted.line(),
                Format::Json => noted.json(),
            };
            if output::line(&line)? == Reader::Gone {
                return Ok(EXIT_OK);
            }
            wait(&watcher, &interrupt);
        }
        if !interrupt.is_set() {
            let clock = options.limits.work.clock();
            interrupt.ending(&clock, || session.reload_under(&clock));
            watcher.set_files(wanted(&session));
        }
    }
    Ok(interrupt.status())
}

fn wanted(session: &Session) -> Wanted {
    Wanted { files: session.files(), missing: session.missing().to_vec() }
}

/// How one run ended.
enum One {
    Searched(Box<Outcome>),
    /// The machine could not be searched.
    Rejected(Box<CheckRun>),
}

/// One run. `None`: a file was saved, or a signal came, before it was over.
fn one(
    session: &Session,
    options: &CheckOptions,
    watcher: &Watcher,
    interrupt: &Interrupt,
) -> Result<Option<One>, Failure> {
    let rejected = |run| Ok(Some(One::Rejected(Box::new(run))));
    if let Some(halted) = session.halted() {
        return rejected(CheckRun::without_search("not-loaded", Some(halted.to_string())));
    }
    let Some(model) = session.model().filter(|_| !session.is_stale()) else {
        return rejected(CheckRun::rejected(session.diagnostics(), session.sources()));
    };
    let clock: Arc<Clock> = options.limits.work.clock();
    let running = session::check_with(model, options.search(), Arc::new(Control::under(clock)));
    loop {
        match running.ended.recv_timeout(POLL) {
            Ok(Ended::Outcome(outcome)) => return Ok(Some(One::Searched(outcome))),
            Ok(Ended::Failed(message)) => return Err(Failure::internal(&message)),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::internal("the search ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if interrupt.is_set() || watcher.changed.try_recv().is_ok() {
            running.control.interrupt();
            let _ = running.ended.recv();
            return Ok(None);
        }
    }
}

/// Waits until a file was saved, or a signal came.
fn wait(watcher: &Watcher, interrupt: &Interrupt) {
    while !interrupt.is_set() && watcher.changed.recv_timeout(POLL).is_err() {}
}
