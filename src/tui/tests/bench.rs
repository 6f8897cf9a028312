//! The workbench without threads and without a terminal, for tests.

use crate::search::{Control, SearchOptions};
use crate::session::comparison::{Stopper, compare};
use crate::session::growth::grow;
use crate::session::ledger::Ledger;
use crate::session::{self, Canceller, Ended, Good, Origin, Session, TimeLimits};
use crate::setup::SetupOptions;
use crate::tui::app::App;
use crate::tui::desk::Desk;
use crate::tui::engine::{Command, Engine, Report};
use crate::tui::event::News;
use crate::tui::keymap::{Key, Keymap};
use crate::tui::loads::Loads;
use crate::tui::past::TreeRow;
use crate::tui::theme::Theme;
use crate::tui::update::{self, Effect};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// People lend books; two people never hold the same one.
pub const LIBRARY: &str = "\
/* Books go out and come back. */
MACHINE library
SETS Reader; Book
CONSTANTS most
PROPERTIES most = 1
VARIABLES lent
INVARIANT
  lent : Book +-> Reader &   // a book is with one reader
  !r.(r : Reader => card(lent~[{r}]) <= most)
INITIALISATION lent := {}
OPERATIONS
  borrow(b, r) =
    PRE b : Book & r : Reader & b /: dom(lent) & r /: ran(lent)
    THEN lent(b) := r
    END;
  bring(b) =
    PRE b : dom(lent) THEN lent := {b} <<| lent END;
  r <-- holder(b) = PRE b : dom(lent) THEN r := lent(b) END
END
";

/// The workbench without threads and without a terminal.
pub struct Bench {
    pub desk: Desk,
    pub engine: Engine,
    pub loads: Loads,
    pub good: Option<Good>,
    pub ledger: Mutex<Ledger>,
    pub effects: Vec<Effect>,
    /// Whether checks are run, or stay running.
    pub run_checks: bool,
    /// Comparisons are cancelled as soon as they begin.
    pub cancel: bool,
}

impl Bench {
    pub fn new(origin: Origin, width: u16, height: u16) -> Bench {
        let cards = vec![("Reader".to_owned(), 3), ("Book".to_owned(), 2)];
        Bench::with(origin, SetupOptions { cards, ..SetupOptions::default() }, width, height)
    }

    pub fn with(origin: Origin, setup: SetupOptions, width: u16, height: u16) -> Bench {
        let mut bench = Bench::unstarted(origin, setup, width, height);
        bench.start();
        bench
    }

    /// With a machine that is not told of yet.
    pub fn unstarted(origin: Origin, setup: SetupOptions, width: u16, height: u16) -> Bench {
        let keymap = Arc::new(Keymap::standard().unwrap());
        let theme = Arc::new(Theme::embedded("dark").unwrap());
        let mut app = App::new(keymap, theme, SearchOptions::default());
        (app.width, app.height) = (width, height);
        let loads = Loads::default();
        let engine = Engine::new(Session::open(origin, setup), Canceller::default(), loads.clone());
        Bench::around(Desk::new(app), engine, loads, true)
    }

    /// With a machine that is not told of yet, and little time for everything.
    pub fn hurried(origin: Origin, width: u16, height: u16) -> Bench {
        let bench = Bench::unstarted(origin.clone(), SetupOptions::default(), width, height);
        let loads = Loads::new(Some(Duration::from_secs(2)), None);
        let (set_up, state) = (Duration::from_millis(300), Duration::from_millis(100));
        let session = Session::open(origin, SetupOptions::default());
        let engine = Engine::new(session, Canceller::default(), loads.clone())
            .limited(TimeLimits { set_up: Some(set_up), state: Some(state) });
        Bench { engine, loads, ..bench }
    }

    pub fn start(&mut self) {
        self.command(Command::Start);
    }

    fn around(desk: Desk, engine: Engine, loads: Loads, run_checks: bool) -> Bench {
        let (ledger, effects) = (Mutex::default(), Vec::new());
        Bench { desk, engine, loads, good: None, ledger, effects, run_checks, cancel: false }
    }

    /// Without a check, and with little time for each state.
    pub fn quick(text: &str, width: u16, height: u16) -> Bench {
        let keymap = Arc::new(Keymap::standard().unwrap());
        let theme = Arc::new(Theme::embedded("dark").unwrap());
        let mut app = App::new(keymap, theme, SearchOptions::default());
        (app.width, app.height) = (width, height);
        let session = Session::open(embedded(text), SetupOptions::default());
        let loads = Loads::default();
        let engine = Engine::new(session, Canceller::default(), loads.clone())
            .limited(TimeLimits { set_up: None, state: Some(Duration::from_millis(600)) });
        let mut bench = Bench::around(Desk::new(app), engine, loads, false);
        bench.command(Command::Start);
        bench
    }

    pub fn of(text: &str, width: u16, height: u16) -> Bench {
        Bench::new(embedded(text), width, height)
    }

    pub fn command(&mut self, command: Command) {
        let mut reports = Vec::new();
        self.engine.execute(command, &mut |report| reports.push(report));
        for report in reports {
            if let Report::Loaded(loaded) = &report {
                self.good = loaded.good.clone();
            }
            let effects = update::report(&mut self.desk, report);
            self.perform(effects);
        }
        self.go_on();
    }

    pub fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.effects.push(effect.clone());
            match effect {
                Effect::Engine(command) => self.command(command),
                Effect::Check { generation, options } if self.run_checks => {
                    let closely = self.desk.app.looks_closely();
                    let good = self.good.as_ref().unwrap();
                    let running = session::check(good, *options, closely);
                    let ended = without_times(running.ended.recv().unwrap());
                    self.desk.app.closer = running.control.closer();
                    let effects = update::check_ended(&mut self.desk, generation, ended);
                    self.perform(effects);
                }
                Effect::Note(entry) => {
                    let book = entry.note(&self.ledger, self.good.as_ref());
                    update::news(&mut self.desk, News::Book(Box::new(book)));
                }
                Effect::Compare { number, options } => {
                    let model = &self.good.as_ref().unwrap().model;
                    let (stopper, desk) = (Stopper::default(), &mut self.desk);
                    if self.cancel {
                        stopper.stop();
                    }
                    compare(model, &options, &stopper, &mut |mode, stage| {
                        update::news(desk, News::Compared { number, mode, stage });
                    });
                    update::news(desk, News::AllCompared(number));
                }
                Effect::Grow { number, options } => {
                    let model = &self.good.as_ref().unwrap().model;
                    let (stopper, desk) = (Stopper::default(), &mut self.desk);
                    if self.cancel {
                        stopper.stop();
                    }
                    grow(model, &options, &stopper, &mut |news| {
                        update::news(desk, News::Grown { number, news });
                    });
                    update::news(desk, News::AllCompared(number));
                }
                Effect::Inquire { number, inquiry, options } => {
                    let way = inquiry.answer(&options, &Arc::new(Control::new()));
                    let way = Ok(Box::new(way));
                    update::news(&mut self.desk, News::Way { number, way });
                }
                _ => {}
            }
        }
    }

    /// Presses keys, named and separated by blanks.
    pub fn press(&mut self, keys: &str) -> &mut Bench {
        for name in keys.split_whitespace() {
            let key = Key::parse(name).unwrap_or_else(|| panic!("no key {name}"));
            let typing = self.desk.app.prompt.is_some();
            let effects = update::key(&mut self.desk, key);
            assert!(typing || effects.is_some(), "{name} means nothing");
            self.perform(effects.unwrap_or_default());
            self.go_on();
            self.screen();
        }
        self
    }

    /// Lets the panes do what waits for keys to come in between.
    pub fn go_on(&mut self) {
        while self.desk.goes_on() {
            let effects = self.desk.settle();
            self.perform(effects);
        }
    }

    /// Types a text and Enter.
    pub fn type_in(&mut self, text: &str) -> &mut Bench {
        for c in text.chars() {
            let name = if c == ' ' { "space".to_owned() } else { c.to_string() };
            self.press(&name);
        }
        self.press("enter")
    }

    pub fn resize(&mut self, width: u16, height: u16) -> &mut Bench {
        (self.desk.app.width, self.desk.app.height) = (width, height);
        self.screen();
        self
    }

    pub fn screen(&mut self) -> String {
        let backend = TestBackend::new(self.desk.app.width, self.desk.app.height);
        let mut terminal = Terminal::new(backend).unwrap();
        terminal.draw(|frame| self.desk.draw(frame.buffer_mut())).unwrap();
        terminal.backend().to_string()
    }

    /// The lines of the history: each with its mark.
    pub fn tree(&self) -> Vec<String> {
        let place = self.desk.app.place.as_ref().unwrap();
        let mark = |row: &TreeRow| match row {
            TreeRow { here: true, .. } => "=>",
            TreeRow { place: None, .. } => "x",
            TreeRow { on_path: true, .. } => "*",
            _ => "",
        };
        let line = |row: &TreeRow| {
            format!("{}{}{} {}", "|".repeat(row.indent), mark(row), row.step, row.text)
        };
        place.tree.iter().map(line).collect()
    }

    pub fn operation(&self, i: usize) -> String {
        self.desk.app.place.as_ref().unwrap().operations.text(i)
    }

    pub fn operations(&self) -> Vec<String> {
        let n = self.desk.app.place.as_ref().unwrap().operations.len();
        (0..n).map(|i| self.operation(i)).collect()
    }

    pub fn history(&self) -> Vec<String> {
        self.desk.app.place.as_ref().map(|p| p.history.clone()).unwrap_or_default()
    }
}

pub fn embedded(text: &str) -> Origin {
    Origin::Embedded { name: "library.mch".to_owned(), text: text.to_owned() }
}

/// Times and memory differ from run to run.
pub fn without_times(ended: Ended) -> Ended {
    match ended {
        Ended::Outcome(mut outcome) => {
            outcome.seconds = 0.0;
            outcome.peak_memory = 0;
            Ended::Outcome(outcome)
        }
        failed => failed,
    }
}

#[track_caller]
pub fn shown_line(bench: &mut Bench, text: &str) {
    let screen = bench.screen();
    assert!(screen.contains(text), "{text} in {screen}");
}
