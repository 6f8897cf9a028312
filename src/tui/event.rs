//! Everything that can happen, in one channel.

use super::engine::{Command, Engine, Report};
use super::input::Gate;
use super::loads::Loads;
use crate::clock::Clock;
use crate::report::way::Way;
use crate::search::SymmetryMode;
use crate::session::comparison::Stage;
use crate::session::growth::Growing;
use crate::session::ledger::Book;
use crate::session::{Canceller, Ended, Session, WORKER, panic_message};
use crate::stack;
use crate::watch::{Wanted, Watcher};
use crossbeam_channel::{Receiver, Sender};
use crossterm::event::{KeyEvent, MouseEvent};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What was found out in the background.
pub enum News {
    /// A search for a way has ended.
    Way {
        number: u64,
        way: Result<Box<Way>, String>,
    },
    /// How far a symmetry mode is in a comparison, and that this comparison has ended.
    Compared {
        number: u64,
        mode: SymmetryMode,
        stage: Stage,
    },
    /// The same over the sizes of the sets.
    Grown {
        number: u64,
        news: Growing,
    },
    AllCompared(u64),
    /// A run was noted, or a trace kept.
    Book(Box<Book>),
    /// A fault of the program.
    Failed(String),
}

/// Something that happened.
pub enum Event {
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// A text that the terminal hands over at once.
    Paste(String),
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
    /// The editor has ended; what came before this came while it had the terminal.
    Back,
    News(News),
    /// A signal of the system, by number.
    Signal(i32),
}

/// Hands on the signals that end, stop or resume the workbench.
#[cfg(unix)]
pub fn read_signals(events: Sender<Event>, gate: Gate) -> std::io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    let all = [SIGTERM, SIGHUP, SIGINT, SIGCONT, SIGTSTP];
    let mut signals = signal_hook::iterator::Signals::new(all)?;
    let read = move || {
        for signal in signals.forever() {
            if signal == SIGTSTP && gate.is_closed() {
                // The editor has the terminal, and is stopped with us.
                let _ = signal_hook::low_level::emulate_default_handler(SIGTSTP);
            } else if events.send(Event::Signal(signal)).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("burnside-signals".to_owned()).spawn(read).map(drop)
}

#[cfg(not(unix))]
pub fn read_signals(_events: Sender<Event>, _gate: Gate) -> std::io::Result<()> {
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

/// Works on a thread of its own, and hands on what it tells.
pub fn in_background(
    events: Sender<Event>,
    work: impl FnOnce(&dyn Fn(News)) + Send + 'static,
) -> std::io::Result<()> {
    let tell = move |news| {
        // The workbench has ended: nobody listens.
        let _ = events.send(Event::News(news));
    };
    let work = move || {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(&tell))) {
            tell(News::Failed(panic_message(&*payload)));
        }
    };
    stack::thread(WORKER).spawn(work).map(drop)
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
