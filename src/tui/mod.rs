//! The workbench.
//!
//! ```text
//!     input thread --+
//!     signals -------+
//!     watch thread --+--> Event -> keymap -> Action -> update(app) -> effects -> engine, check, ...
//!     engine thread -+                                    |
//!     check thread --+                                    +-> draw(app), when something changed
//! ```
//!
//! [`action`] the vocabulary, [`keymap`] keys to actions, [`app`] what the panes share, [`desk`] the panes
//! with it, [`update`] what an action changes, [`ahead`] keys that are quicker than the engine, [`prompt`] what is typed in the last line, [`listing`] the transitions of a place,
//! [`past`] what was done, kept over edits, [`engine`] the session on its own thread, [`hunt`] ways that are looked for, [`mouse`] the mouse, [`loads`] which
//! reading ends which, [`event`] the threads, [`input`] the keys, [`editor`] the user's, [`files`] and
//! [`source_text`] what the source pane shows, [`shown`] texts as they may be shown, [`settings`] what the user has settled, [`choices`] what can be set from the keyboard, [`chooser`] the screen before a machine is opened, [`layout`], [`theme`], [`draw`], `panes`, `widgets` the
//! screen, [`terminal`] taking over the terminal and giving it back.
//!
//! What is deliberately absent: evaluation on the thread of the keys, drawing from anywhere but
//! [`draw`], formatting of diagnostics.

pub mod action;
mod ahead;
pub mod app;
mod choices;
mod chooser;
pub mod desk;
pub mod draw;
mod editor;
pub mod engine;
mod event;
pub mod files;
pub mod hunt;
mod input;
pub mod keymap;
pub mod layout;
pub mod listing;
pub mod loads;
mod mouse;
pub mod panes;
pub mod past;
pub mod prompt;
pub mod settings;
mod shown;
pub mod source_text;
mod terminal;
#[cfg(test)]
mod tests;
pub mod theme;
pub mod update;
mod widgets;

use crate::clock::Clock;
use crate::search::{Control, Progress, SearchOptions, main_array_problem};
use crate::session::comparison::{Stopper, compare};
use crate::session::growth::grow;
use crate::session::ledger::Ledger;
use crate::session::{self, Canceller, Good, Session};
use crate::watch::Watcher;
use anyhow::{Context, Result, anyhow};
use app::App;
use chooser::{Chosen, Offer};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use desk::Desk;
use editor::Editor;
use engine::{Command, Report};
use event::{Event, News};
use input::Gate;
use keymap::Key;
use loads::Loads;
use settings::Surroundings;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use terminal::Screen;
use theme::Theme;
use update::Effect;

/// How the workbench shall look, and what its checks shall do.
#[derive(Clone, Debug, Default)]
pub struct WorkbenchOptions {
    /// `--theme`: a name, or a file ending in `.toml`. Without it mono where NO_COLOR is set, else BURNSIDE_THEME,
    /// else what the configuration says, else dark or light, as the terminal is.
    pub theme: Option<String>,
    /// `--mouse`: the mouse is listened to, as it is where the configuration says so.
    pub mouse: bool,
    pub search: SearchOptions,
}

/// Time after which the user is told that the engine is still at it.
const SLOW: Duration = Duration::from_millis(300);
/// How long the first drawing waits for the first state.
const FIRST: Duration = Duration::from_millis(30);

/// How long a drawing waits for what belongs to it: the state, why operations are not enabled, and the
/// matrix are told one after the other.
const TOGETHER: Duration = Duration::from_millis(25);

/// How long a message stays that is no error.
const MESSAGE: Duration = Duration::from_secs(5);

/// Opens a machine under a clock.
pub type Open = Box<dyn FnOnce(&Arc<Clock>) -> Session + Send>;
/// Opens one of several.
pub type OpenOne = Box<dyn FnOnce(usize, &Arc<Clock>) -> Session + Send>;

/// The machine that is looked at.
pub enum Opening {
    /// It was named.
    Named { name: String, open: Open },
    /// The user chooses one of these.
    Chosen { offers: Vec<Offer>, open: OpenOne },
}

/// Opens the workbench on a machine, and returns when the user leaves it, or with the number of the signal
/// that ends it.
///
/// # Errors
/// An unknown theme, no terminal, a terminal that fails. The terminal is given back in every case.
pub fn run(opening: Opening, options: WorkbenchOptions) -> Result<Option<i32>> {
    let here = Surroundings::here(options.theme);
    if here.colourless {
        // Without this a terminal library answers NO_COLOR by dropping bold and reverse, too.
        crossterm::style::force_color_output(true);
    }
    let settings = settings::read(&here)?;
    let (sender, receiver) = crossbeam_channel::unbounded();
    let mut screen =
        Screen::enter(settings.light.is_some(), options.mouse || settings.config.mouse)
            .context("the workbench needs a terminal")?;
    let gate = Gate::default();
    event::read_signals(sender.clone(), gate.clone())?;
    input::read(sender.clone(), settings.light.is_some(), gate.clone())?;
    let (mut theme, mut light) = (Arc::new(settings.theme), settings.light.map(Arc::new));
    let (name, open) = match opening {
        Opening::Named { name, open } => (name, open),
        Opening::Chosen { offers, open } => {
            let names: Vec<String> = offers.iter().map(|(name, _)| name.clone()).collect();
            let of = (&mut theme, &mut light);
            match chooser::choose(offers, &mut screen, &receiver, of.0, of.1)? {
                Chosen::Nothing => return Ok(None),
                Chosen::Signal(signal) => return Ok(Some(signal)),
                Chosen::Machine(number) => {
                    let open = move |clock: &Arc<Clock>| open(number, clock);
                    let open: Open = Box::new(open);
                    (names[number].clone(), open)
                }
            }
        }
    };
    let canceller = Canceller::default();
    let loads = Loads::new(options.search.timeout, options.search.memory);
    loads.ask();
    let commands = event::start_engine(open, canceller.clone(), loads.clone(), sender.clone())?;
    commands.send(Command::Start)?;
    let mut app = App::new(Arc::new(settings.keymap), theme, options.search);
    app.take_in_settings(settings.told, settings.sources);
    app.name = shown::line(name);
    app.await_done(&Command::Start);
    if app.search.por.is_some() {
        let command = Command::Reduce(app.reducing());
        app.await_done(&command);
        commands.send(command)?;
        app.doing = Command::Start.work();
    }
    (app.width, app.height) = screen.size()?;
    app.ascii = !shows_unicode();
    let mut bench = Workbench {
        desk: Desk::new(app),
        events: sender,
        commands,
        canceller,
        loads,
        gate,
        editor: Editor::new(settings.config.editor.as_deref()),
        away: false,
        light,
        tick: Duration::from_secs(1) / settings.config.statistics.max(1),
        looked: Instant::now(),
        told: None,
        watcher: None,
        good: None,
        ledger: Arc::default(),
        control: None,
        hunting: None,
        stopper: Stopper::default(),
        news: (Progress::default(), Instant::now()),
        last_message: (0, Instant::now()),
        running: true,
        ended_by: None,
        redraw: false,
    };
    let result = bench.work(&receiver, &mut screen);
    bench.stopper.stop();
    for control in bench.control.iter().chain(&bench.hunting) {
        control.interrupt();
    }
    result.map(|()| bench.ended_by)
}

/// Whether the locale is one of UTF-8. Where none is set, terminals of today are taken to be.
fn shows_unicode() -> bool {
    let set = |name| std::env::var(name).ok().filter(|v| !v.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    locale.is_none_or(|name| {
        let name = name.to_ascii_lowercase();
        name.contains("utf-8") || name.contains("utf8")
    })
}

struct Workbench {
    desk: Desk,
    events: Sender<Event>,
    commands: Sender<Command>,
    canceller: Canceller,
    loads: Loads,
    /// Before the terminal, for when another program has it.
    gate: Gate,
    editor: Editor,
    /// Events that are now taken in came while the editor had the terminal.
    away: bool,
    /// The theme for a light background, where it is taken if the terminal says that it has one.
    light: Option<Arc<Theme>>,
    /// Time between two looks at a running check, and the last one.
    tick: Duration,
    looked: Instant,
    /// When the first report came that is not drawn yet.
    told: Option<Instant>,
    watcher: Option<Watcher>,
    /// The machine as it was loaded last.
    good: Option<Good>,
    ledger: Arc<Mutex<Ledger>>,
    /// Of the check that runs.
    control: Option<Arc<Control>>,
    /// Of the comparison of the symmetry modes.
    stopper: Stopper,
    /// Of the search for a way.
    hunting: Option<Arc<Control>>,
    /// What the check said last that was new, and when.
    news: (Progress, Instant),
    /// The number of the last message, and when it came.
    last_message: (u64, Instant),
    running: bool,
    /// The signal that ends it.
    ended_by: Option<i32>,
    /// The whole screen has to be written again.
    redraw: bool,
}

impl Workbench {
    fn work(&mut self, receiver: &Receiver<Event>, screen: &mut Screen) -> Result<()> {
        let mut dirty = true;
        let mut busy_since: Option<Instant> = None;
        let start = Instant::now();
        while self.running {
            let early = self.desk.app.place.is_none()
                && self.desk.app.diagnostics.is_empty()
                && start.elapsed() < FIRST;
            let held = self.held();
            if dirty && !early && held.is_none() {
                self.told = None;
                if std::mem::take(&mut self.redraw) {
                    screen.clear()?;
                }
                (self.desk.app.width, self.desk.app.height) = screen.size()?;
                screen.draw(|buffer| self.desk.draw(buffer))?;
                dirty = false;
            }
            let wait = if self.desk.goes_on() {
                Some(Duration::ZERO)
            } else if early {
                Some(FIRST)
            } else if dirty && held.is_some() {
                held
            } else if self.desk.app.is_searching() || self.is_hunting() {
                Some(self.tick.saturating_sub(self.looked.elapsed()))
            } else if self.desk.app.waiting > 0 && !self.desk.app.slow {
                Some(SLOW)
            } else {
                self.message_left()
            };
            let first = match wait {
                Some(wait) => match receiver.recv_timeout(wait) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                },
                None => Some(receiver.recv()?),
            };
            for event in first.into_iter().chain(receiver.try_iter()) {
                dirty |= self.take_in(event, screen)?;
                if !self.running {
                    return Ok(());
                }
            }
            // Keys are drawn at once, figures only so often.
            let due = self.looked.elapsed() >= self.tick;
            if due {
                self.looked = Instant::now();
            }
            if self.desk.goes_on() {
                for effect in self.desk.settle() {
                    self.perform(effect, screen)?;
                }
                dirty |= due || !self.desk.goes_on();
            }
            let searching = due && self.desk.app.is_searching();
            let closely = self.desk.app.looks_closely();
            self.control.iter().for_each(|control| control.look(closely));
            if let Some(control) = self.control.as_ref().filter(|_| searching) {
                if closely {
                    self.desk.app.closer = control.closer();
                    dirty = true;
                }
                let now = control.progress();
                if self.news.0 != now {
                    self.news = (now, Instant::now());
                }
                dirty |= update::progress(&mut self.desk.app, now, self.news.1.elapsed());
            }
            if let Some(control) = self.hunting.as_ref().filter(|_| due && self.is_hunting()) {
                dirty |= hunt::progress(&mut self.desk.app, control.progress());
            }
            if self.message_left().is_some_and(|left| left.is_zero()) {
                self.desk.app.message = None;
                dirty = true;
            }
            if self.desk.app.waiting == 0 {
                busy_since = None;
            } else if busy_since.get_or_insert_with(Instant::now).elapsed() >= SLOW {
                dirty |= !self.desk.app.slow;
                self.desk.app.slow = true;
            }
        }
        Ok(())
    }

    fn is_hunting(&self) -> bool {
        self.desk.app.hunt.as_ref().is_some_and(hunt::Hunt::is_running)
    }

    /// How long the next drawing waits for more reports, if it does.
    fn held(&self) -> Option<Duration> {
        let told = self.told.filter(|_| self.desk.app.waiting > 0)?;
        Some(TOGETHER.saturating_sub(told.elapsed())).filter(|left| !left.is_zero())
    }

    /// How long the message on the screen stays; `None`: until the next key, or there is none.
    fn message_left(&mut self) -> Option<Duration> {
        if self.last_message.0 != self.desk.app.said {
            self.last_message = (self.desk.app.said, Instant::now());
        }
        let passing = self.desk.app.message.as_ref().is_some_and(|m| !m.error);
        passing.then(|| MESSAGE.saturating_sub(self.last_message.1.elapsed()))
    }

    /// Takes an event in. Says whether the screen may have to change.
    fn take_in(&mut self, event: Event, screen: &mut Screen) -> Result<bool> {
        let effects = match event {
            Event::Key(key) => match update::key(&mut self.desk, Key::of(key)) {
                Some(effects) => effects,
                None => return Ok(false),
            },
            Event::Mouse(event) => match mouse::Mouse::of(event) {
                Some(event) => mouse::mouse(&mut self.desk, event),
                None => return Ok(false),
            },
            Event::Paste(text) => prompt::paste(&mut self.desk, &text),
            Event::Resize => Vec::new(),
            Event::Background { light } => match self.light.take().filter(|_| light) {
                Some(theme) => {
                    self.desk.app.theme = theme;
                    Vec::new()
                }
                None => return Ok(false),
            },
            Event::InputEnded(why) => return Err(anyhow!("the terminal cannot be read: {why}")),
            Event::FilesChanged => self.desk.app.engine(Command::Reload),
            Event::Engine(report) => {
                if !matches!(report, Report::Done) {
                    self.told.get_or_insert_with(Instant::now);
                }
                if let Report::Loaded(loaded) = &report {
                    self.good = loaded.good.clone();
                    // What was asked for on the command line is answered as `check` does.
                    if let Some(problem) = self.no_main_array().filter(|_| self.desk.app.loading) {
                        return Err(anyhow!(problem));
                    }
                }
                update::report(&mut self.desk, report)
            }
            Event::CheckEnded { generation, ended } => {
                let own = self.control.as_ref().filter(|_| generation == self.desk.app.generation);
                own.into_iter().for_each(|control| self.desk.app.closer = control.closer());
                update::check_ended(&mut self.desk, generation, ended)
            }
            Event::Back => {
                self.away = false;
                return Ok(false);
            }
            // Ctrl-C was meant for the editor.
            #[cfg(unix)]
            Event::Signal(signal_hook::consts::SIGINT) if self.away => return Ok(false),
            Event::News(news) => update::news(&mut self.desk, news),
            Event::Signal(signal) => self.signal(signal, screen)?,
        };
        for effect in effects {
            self.perform(effect, screen)?;
        }
        Ok(true)
    }

    /// Why what the search is to sort by cannot be that, if it is named and the machine is good.
    fn no_main_array(&self) -> Option<String> {
        let name = self.desk.app.search.main_array.as_ref()?;
        main_array_problem(&self.good.as_ref()?.model, name)
    }

    fn end_hunt(&mut self) {
        self.hunting.take().into_iter().for_each(|control| control.interrupt());
    }

    #[cfg(unix)]
    fn signal(&mut self, signal: i32, screen: &mut Screen) -> Result<Vec<Effect>> {
        if signal == signal_hook::consts::SIGCONT {
            screen.resume()?;
            return Ok(vec![Effect::Redraw]);
        }
        if signal == signal_hook::consts::SIGTSTP {
            return Ok(vec![Effect::Suspend, Effect::Redraw]);
        }
        self.ended_by = Some(signal);
        Ok(vec![Effect::Quit])
    }

    #[cfg(not(unix))]
    fn signal(&mut self, _signal: i32, _screen: &mut Screen) -> Result<Vec<Effect>> {
        Ok(vec![Effect::Quit])
    }

    fn perform(&mut self, effect: Effect, screen: &mut Screen) -> Result<()> {
        match effect {
            Effect::Engine(command) => {
                if matches!(command, Command::Reload | Command::SetUp(_)) {
                    self.loads.ask();
                }
                self.commands.send(command)?;
            }
            Effect::Check { generation, options } => {
                if let Some(control) = self.control.take() {
                    control.interrupt();
                }
                let mut options = options;
                if let Some(problem) = self.no_main_array() {
                    // The machine was edited: it has no such variable any more.
                    (self.desk.app.search.main_array, options.main_array) = (None, None);
                    self.desk.app.complain(format!("{problem}; the first that fits is taken"));
                }
                if let Some(good) = &self.good {
                    let closely = self.desk.app.looks_closely();
                    let running = session::check(good, *options, closely);
                    self.news = (Progress::default(), Instant::now());
                    self.control = Some(running.control);
                    event::await_check(generation, running.ended, self.events.clone())?;
                }
            }
            Effect::Inquire { number, inquiry, options } => {
                self.end_hunt();
                let inquiring = inquiry.start(*options);
                self.hunting = Some(inquiring.control);
                event::in_background(self.events.clone(), move |tell| {
                    let lost = || Err("the search is gone".to_owned());
                    let way = inquiring.ended.recv().unwrap_or_else(|_| lost());
                    tell(News::Way { number, way });
                })?;
            }
            Effect::EndInquiry => self.end_hunt(),
            Effect::Compare { number, options } => {
                self.stopper.stop();
                self.stopper = Stopper::default();
                let (stopper, good) = (self.stopper.clone(), self.good.clone());
                event::in_background(self.events.clone(), move |tell| {
                    if let Some(good) = good {
                        compare(&good.model, &options, &stopper, &mut |mode, stage| {
                            tell(News::Compared { number, mode, stage });
                        });
                    }
                    tell(News::AllCompared(number));
                })?;
            }
            Effect::Grow { number, options } => {
                self.stopper.stop();
                self.stopper = Stopper::default();
                let (stopper, good) = (self.stopper.clone(), self.good.clone());
                event::in_background(self.events.clone(), move |tell| {
                    if let Some(good) = good {
                        grow(&good.model, &options, &stopper, &mut |news| {
                            tell(News::Grown { number, news });
                        });
                    }
                    tell(News::AllCompared(number));
                })?;
            }
            Effect::Copy(text) => screen.copy(&text)?,
            Effect::EndComparison => self.stopper.stop(),
            Effect::Note(entry) => {
                let (ledger, good) = (self.ledger.clone(), self.good.clone());
                event::in_background(self.events.clone(), move |tell| {
                    tell(News::Book(Box::new(entry.note(&ledger, good.as_ref()))));
                })?;
            }
            Effect::Pause => self.control.iter().for_each(|c| c.pause()),
            Effect::Cancel => self.canceller.cancel(),
            Effect::Resume => {
                self.control.iter().for_each(|c| c.resume());
                self.news.1 = Instant::now();
            }
            Effect::Watch(wanted) => match &self.watcher {
                Some(watcher) => watcher.set_files(wanted),
                None if wanted.files.is_empty() => {}
                None => self.watcher = Some(event::start_watch(wanted, self.events.clone())?),
            },
            Effect::Edit { file, line } => self.edit(&file, line, screen)?,
            Effect::Redraw => self.redraw = true,
            Effect::Suspend => suspend(screen)?,
            Effect::Quit => self.running = false,
        }
        Ok(())
    }

    /// Gives the terminal to the user's editor until that ends, whatever becomes of it.
    fn edit(&mut self, file: &Path, line: usize, screen: &mut Screen) -> Result<()> {
        if !self.gate.close(wake) {
            self.desk.app.complain("the editor was not opened: the terminal cannot be handed over");
            return Ok(());
        }
        let mut command = self.editor.open(file, line);
        let mut ended = None;
        let resumed = screen.suspend(|| ended = Some(command.status()));
        self.gate.open();
        resumed?;
        self.away = true;
        self.events.send(Event::Back)?;
        let (app, name) = (&mut self.desk.app, shown::line(self.editor.name()));
        match ended {
            Some(Ok(status)) if status.success() => {}
            // What the shell says of a program that it does not find, or may not run.
            Some(Ok(status)) if matches!(status.code(), Some(126 | 127)) => {
                let text = "cannot be run; $VISUAL or $EDITOR names another one";
                app.complain(format!("the editor `{name}` {text}"));
            }
            Some(Ok(status)) => app.complain(format!("the editor `{name}` failed: {status}")),
            Some(Err(error)) => app.complain(format!("the editor `{name}` cannot be run: {error}")),
            None => {}
        }
        Ok(())
    }
}

/// Ends a read of the terminal that is under way: what reads it hears of its new size.
fn wake() {
    #[cfg(unix)]
    let _ = signal_hook::low_level::raise(signal_hook::consts::SIGWINCH);
}

/// Back to the shell until it continues us.
#[cfg(unix)]
fn suspend(screen: &mut Screen) -> Result<()> {
    screen.suspend(|| {
        // Where the shell has no job control this does nothing, and we are back at once.
        let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn suspend(_screen: &mut Screen) -> Result<()> {
    Ok(())
}
