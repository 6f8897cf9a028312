//! The command line: the commands, and the way into the workbench.
//!
//! | file | subject |
//! |---|---|
//! | [`arguments`] | what may be said on the command line |
//! | [`check`], [`compare`], [`canon`], [`replay`], [`tables`] | one file per command |
//! | [`search`], [`signals`] | a search with progress, ended by Ctrl-C |
//! | [`output`] | writing without panics |
//!
//! Results go to standard output; progress and what is wrong with the input or the usage to standard
//! error, except that `--format json` has its `rejected` object on standard output. Exit statuses are
//! a contract that scripts depend on: see the constants.

pub mod arguments;
pub mod canon;
pub mod check;
pub mod compare;
pub mod output;
pub mod replay;
pub mod search;
pub mod signals;
pub mod tables;

use crate::diagnostic::{Diagnostic, Severity};
use crate::report::json;
use crate::search::Outcome;
use crate::session::{Good, Origin, Session};
use crate::setup::SetupOptions;
use crate::source::Sources;
use crate::tui::WorkbenchOptions;
use arguments::{Arguments, CheckOptions, Command, Format};
use clap::Parser;
use output::{complain, print};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

/// All checks hold.
pub const EXIT_OK: u8 = 0;
/// Something was found: a goal and a machine without set-up, too.
pub const EXIT_FOUND: u8 = 1;
/// The input or the usage is wrong.
pub const EXIT_WRONG: u8 = 2;
/// Nothing was found, but the search was incomplete or approximate.
pub const EXIT_INCOMPLETE: u8 = 3;
/// Interrupted, whatever was found.
pub const EXIT_INTERRUPTED: u8 = 130;

/// The machine that is opened when none is named.
const PHONEBOOK: &str = include_str!("../../models/phonebook.mch");

/// Runs the program and gives its exit status.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // --help and --version come here, too. Printing fails only when nobody reads.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { EXIT_WRONG } else { EXIT_OK });
        }
    };
    let result = match arguments.command {
        None => open(arguments.file, &arguments.options, arguments.theme),
        Some(Command::Check { file, options }) => check::run(Origin::File(file), &options),
        Some(Command::Compare { file, options }) => compare::run(&Origin::File(file), &options),
        Some(Command::Canon { file, steps, options }) => {
            canon::run(Origin::File(file), &steps, &options)
        }
        Some(Command::Codes) => {
            print(&crate::diagnostic::codes::listing());
            Ok(EXIT_OK)
        }
        Some(Command::Replay { file, trace, quiet }) => {
            replay::run(Origin::File(file), &trace, quiet)
        }
        Some(Command::Tables { options }) => tables::run(&options),
    };
    ExitCode::from(result.unwrap_or_else(|failure| failure.tell()))
}

/// The workbench, or the report of a check where there is no terminal to draw on.
fn open(
    file: Option<PathBuf>,
    options: &CheckOptions,
    theme: Option<String>,
) -> Result<u8, Failure> {
    let origin = file.map_or_else(
        || Origin::Embedded { name: "phonebook.mch".to_owned(), text: PHONEBOOK.to_owned() },
        Origin::File,
    );
    if std::io::stdout().is_terminal() {
        return workbench(origin, options, theme);
    }
    check::run(origin, options)
}

fn workbench(origin: Origin, options: &CheckOptions, theme: Option<String>) -> Result<u8, Failure> {
    let setup = options.setup();
    let options = WorkbenchOptions { theme, search: options.search() };
    match crate::tui::run(origin, setup, options) {
        Ok(()) => Ok(EXIT_OK),
        Err(error) => Err(Failure::Message(format!("{error:#}"))),
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The machine, or what was asked of it, was refused.
    Rejected(Box<Rejection>),
    /// Anything else, in words.
    Message(String),
}

/// A refused input.
#[derive(Debug)]
pub struct Rejection {
    pub model: String,
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Sources,
    /// Also written as an object on standard output.
    pub json: bool,
}

impl Failure {
    /// A fault of the program.
    pub fn internal(message: &str) -> Failure {
        Failure::Message(format!(
            "internal error: {message}\nthis is a fault of burnside, not of the machine"
        ))
    }

    /// Tells what is wrong. The exit status is always that of wrong input.
    fn tell(&self) -> u8 {
        match self {
            Failure::Message(message) => complain(&format!("burnside: {message}\n")),
            Failure::Rejected(r) if r.json => {
                print(&json::rejected(&r.model, &r.diagnostics, &r.sources));
            }
            Failure::Rejected(r) => {
                let mut text = String::new();
                let style = output::style(&std::io::stderr());
                let render = |d: &Diagnostic| d.render_in(&r.sources, style);
                text.extend(r.diagnostics.iter().map(render));
                let count =
                    |severity| r.diagnostics.iter().filter(|d| d.severity == severity).count();
                let errors = crate::report::counted(count(Severity::Error), "error");
                let warnings = crate::report::counted(count(Severity::Warning), "warning");
                text.push_str(&format!("{}: rejected: {errors}, {warnings}\n", r.model));
                complain(&text);
            }
        }
        EXIT_WRONG
    }
}

/// A machine that was accepted, with its warnings.
pub struct Opened {
    pub good: Good,
    pub warnings: Vec<Diagnostic>,
}

/// Loads and sets up a machine.
///
/// # Errors
/// What is wrong with it.
pub fn load(origin: &Origin, setup: SetupOptions, json: bool) -> Result<Opened, Failure> {
    let session = Session::open(origin.clone(), setup);
    let diagnostics = session.diagnostics().to_vec();
    match session.good() {
        Some(good) if !diagnostics.iter().any(Diagnostic::is_error) => {
            Ok(Opened { good: good.clone(), warnings: diagnostics })
        }
        _ => {
            let model = stem(origin);
            let sources = session.sources().clone();
            Err(Failure::Rejected(Box::new(Rejection { model, diagnostics, sources, json })))
        }
    }
}

/// What a machine is probably called that could not be read.
fn stem(origin: &Origin) -> String {
    let path = PathBuf::from(origin.name());
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The exit status that says what a search found.
pub fn exit_status(outcome: &Outcome) -> u8 {
    if outcome.interrupted {
        EXIT_INTERRUPTED
    } else if outcome.verdict.is_finding() {
        EXIT_FOUND
    } else if outcome.complete && !outcome.approximate {
        EXIT_OK
    } else {
        EXIT_INCOMPLETE
    }
}

impl Format {
    fn is_json(self) -> bool {
        self == Format::Json
    }
}
