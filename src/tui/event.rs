//! Everything that can happen, in one channel.

use super::engine::{Command, Engine, Report};
use super::loads::Loads;
use crate::clock::Clock;
use crate::report::way::Way;
use crate::session::{Canceller, Ended, Session, WORKER, panic_message};
use crate::stack;
use crate::watch::{Wanted, Watcher};
use crossbeam_channel::{Receiver, Sender};
use crossterm::event::KeyEvent;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Something that happened.
pub enum Event {
    Key(KeyEvent),
    Resize,
    /// What the terminal says of its background.
    Background {
        light: bool,
    },
    /// The terminal can no longer be read.
    InputEnded(String),
    FilesChanged,
    Engine(Report),
    CheckEnded {
        generation: u64,
        ended: Ended,
    },
    /// A search for a way has ended.
    WayEnded {
        number: u64,
        way: Result<Box<Way>, String>,
    },
    /// The editor has ended; what came before this came while it had the terminal.
    Back,
    /// A signal of the system, by number.
    Signal(i32),
}

/// Hands on the signals that end or resume the workbench.
#[cfg(unix)]
pub fn read_signals(events: Sender<Event>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGCONT])?;
    let read = move || {
        for signal in signals.forever() {
            if events.send(Event::Signal(signal)).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("burnside-signals".to_owned()).spawn(read).map(drop)
}

#[cfg(not(unix))]
pub fn read_signals(_events: Sender<Event>) -> std::io::Result<()> {
    Ok(())
}

/// Starts the engine, which opens its session first; a panic while it works becomes a report.
pub fn start_engine(
    open: impl FnOnce(&Arc<Clock>) -> Session + Send + 'static,
    canceller: Canceller,
    loads: Loads,
    events: Sender<Event>,
) -> std::io::Result<Sender<Command>> {
    let (sender, commands) = crossbeam_channel::unbounded::<Command>();
    let work = move || {
        let mut engine = Engine::new(open(&loads.begin()), canceller, loads);
        let mut report = |report| {
            // The workbench has ended: so will this thread with the process.
            let _ = events.send(Event::Engine(report));
        };
        for command in commands {
            let work = AssertUnwindSafe(|| engine.execute(command, &mut report));
            if let Err(payload) = catch_unwind(work) {
                report(Report::Failed(panic_message(&*payload)));
                let recover = AssertUnwindSafe(|| engine.recover(&mut report));
                if catch_unwind(recover).is_err() {
                    report(Report::Done);
                }
            }
        }
    };
    let builder = stack::thread(WORKER);
    builder.spawn(work)?;
    Ok(sender)
}

/// Hands on the end of a check.
pub fn await_check(
    generation: u64,
    ended: Receiver<Ended>,
    events: Sender<Event>,
) -> std::io::Result<()> {
    let wait = move || {
        let ended = ended.recv().unwrap_or_else(|_| Ended::Failed("the search is gone".to_owned()));
        let _ = events.send(Event::CheckEnded { generation, ended });
    };
    std::thread::Builder::new().name("burnside-check".to_owned()).spawn(wait).map(drop)
}

/// Hands on the answer to what was looked for.
pub fn await_way(
    number: u64,
    ended: Receiver<Result<Box<Way>, String>>,
    events: Sender<Event>,
) -> std::io::Result<()> {
    let wait = move || {
        let way = ended.recv().unwrap_or_else(|_| Err("the search is gone".to_owned()));
        let _ = events.send(Event::WayEnded { number, way });
    };
    std::thread::Builder::new().name("burnside-way".to_owned()).spawn(wait).map(drop)
}

/// Watches files and hands on that some changed.
pub fn start_watch(wanted: Wanted, events: Sender<Event>) -> std::io::Result<Watcher> {
    let watcher = Watcher::new(wanted)?;
    let changed = watcher.changed.clone();
    let wait = move || {
        while changed.recv().is_ok() {
            if events.send(Event::FilesChanged).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("burnside-files".to_owned()).spawn(wait)?;
    Ok(watcher)
}
