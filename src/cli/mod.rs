//! The command line: the commands, and the way into the workbench.
//!
//! | file | subject |
//! |---|---|
//! | [`arguments`] | what may be said on the command line |
//! | [`input`] | the machine that is named, or standard input |
//! | [`check`], [`compare`], [`bench`], [`analyse`], [`explain`], [`canon`], [`eval`], [`solve`], [`replay`], [`tables`], [`watch`] | one file per command |
//! | [`examples`] | machines that are part of the program |
//! | [`peers`] | other model checkers beside ours |
//! | [`search`], [`signals`] | a search with progress, ended by Ctrl-C |
//! | [`output`] | writing what may be shown, and saying where that fails |
//!
//! Results go to standard output; progress and what is wrong with the input or the usage to standard
//! error, except that `--format json` has its `rejected` object on standard output. Exit statuses are
//! a contract that scripts depend on: see the constants.

pub mod analyse;
pub mod arguments;
pub mod bench;
pub mod canon;
pub mod check;
pub mod compare;
pub mod eval;
pub mod examples;
pub mod explain;
pub mod input;
pub mod output;
pub mod peers;
pub mod replay;
pub mod search;
pub mod signals;
pub mod solve;
pub mod tables;
pub mod watch;

use crate::clock::{Clock, Halt, Halted, Phase, enter};
use crate::diagnostic::{Diagnostic, Severity};
use crate::printable::{self, Painted};
use crate::report::{json, text};
use crate::search::Outcome;
use crate::session::{Good, on_big_stack};
use crate::setup::{Bound, SetupOptions};
use crate::source::Sources;
use crate::syntax::suggest::closest;
use crate::tui::settings::Surroundings;
use crate::tui::{self, Opening, WorkbenchOptions};
use arguments::{Arguments, CheckOptions, Command, Format, MachineFile, ReportOptions};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use examples::EXAMPLES;
use input::Input;
use output::{complain, print};
use signals::Interrupt;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// All checks hold.
pub const EXIT_OK: u8 = 0;
/// Something was found: a goal and a machine without set-up, too.
pub const EXIT_FOUND: u8 = 1;
/// The input or the usage is wrong.
pub const EXIT_WRONG: u8 = 2;
/// Nothing was found, but the search was incomplete or approximate.
pub const EXIT_INCOMPLETE: u8 = 3;

/// Runs the program and gives its exit status.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let given: Vec<OsString> = arguments.into_iter().collect();
    let mut command = Arguments::command();
    if let Some(message) = missing_value(&command, &given) {
        return ExitCode::from(Failure::Message(message).tell());
    }
    let parsed = command.try_get_matches_from_mut(&given).and_then(|mut matches| {
        Arguments::from_arg_matches_mut(&mut matches).map_err(|e| e.format(&mut command))
    });
    let result = match parsed {
        Ok(arguments) => run(arguments),
        Err(error) if error.use_stderr() => {
            // Its words have arguments in them: they are shown as everything else is.
            match unknown_word(&given).or_else(|| not_one_machine(&command, &error)) {
                Some(message) => Err(Failure::Message(message)),
                None => {
                    complain(error.render().to_string());
                    Ok(EXIT_WRONG)
                }
            }
        }
        // --help and --version.
        Err(error) => output::written(error.print().and_then(|()| std::io::stdout().flush()))
            .map(|()| EXIT_OK),
    };
    ExitCode::from(result.unwrap_or_else(|failure| failure.tell()))
}

fn run(arguments: Arguments) -> Result<u8, Failure> {
    output::set_colour(arguments.color);
    match arguments.command {
        None => open(arguments),
        Some(Command::Check { files, include, options, report }) => {
            check::all(files, &include, &options, &report)
        }
        Some(Command::Compare { machine, options }) => compare::run(&machine.read()?, &options),
        Some(Command::Analyse { machine, options }) => analyse::run(&machine.read()?, &options),
        Some(Command::Explain { machine, operation, options }) => {
            explain::run(&machine.read()?, operation.as_deref(), &options)
        }
        Some(Command::Canon { machine, steps, options }) => {
            canon::run(&machine.read()?, &steps, &options)
        }
        Some(Command::Eval { machine, formulas, options }) => {
            eval::run(&machine.read()?, &formulas, &options)
        }
        Some(Command::Solve { file, include, options }) => {
            let of_machine = file.is_some();
            let input = match file {
                Some(file) => MachineFile { file, include }.read()?,
                None => Input::embedded("predicate", "MACHINE predicate END"),
            };
            solve::run(&input, of_machine, &options)
        }
        Some(Command::Bench { files, include, options }) => bench::run(&files, &include, &options),
        Some(Command::Codes) => print(crate::diagnostic::codes::listing()).map(|()| EXIT_OK),
        Some(Command::Replay { machine, trace, options }) => {
            if input::is_standard(&machine.file) && input::is_standard(&trace) {
                let message = "the machine and the trace cannot both come from standard input";
                return Err(Failure::Message(message.to_owned()));
            }
            replay::run(&machine.read()?, &trace, &options)
        }
        Some(Command::Watch { file, .. }) if input::is_standard(&file) => {
            let message = "watch waits until a file is saved, and standard input is none: `check -` reads it once";
            Err(Failure::Message(message.to_owned()))
        }
        Some(Command::Watch { file, include, options }) => {
            watch::run(&MachineFile { file, include }.read()?, &options)
        }
        Some(Command::Completions { shell }) => completions(shell),
        Some(Command::Tables { options }) => tables::run(&options),
    }
}

/// Prints a script for a shell.
fn completions(shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "burnside", &mut script);
    print(String::from_utf8_lossy(&script).into_owned())?;
    Ok(EXIT_OK)
}

/// An option whose value may begin with `-`, as formulas and numbers do, takes the option behind it for
/// its value where its own is missing. No value begins with `--` and a letter.
fn missing_value(command: &clap::Command, given: &[OsString]) -> Option<String> {
    let is_option = |word: &OsString| word.to_str().is_some_and(|w| w.starts_with("--"));
    if !given.windows(2).any(|pair| pair.iter().all(is_option)) {
        return None;
    }
    // The arguments of a command are not there before it is built.
    let mut words = given.iter().skip(1);
    let mut called = words.find_map(|word| command.find_subcommand(word)).cloned();
    called.iter_mut().for_each(clap::Command::build);
    let commands = std::iter::once(command).chain(&called);
    let open = commands.flat_map(clap::Command::get_arguments);
    let open = open.filter(|option| option.is_allow_hyphen_values_set());
    let open: Vec<&str> = open.filter_map(clap::Arg::get_long).collect();
    let before = given.split(|word| word == "--").next().unwrap_or(given);
    let pairs = given.windows(2).take(before.len());
    let mut words = pairs.filter_map(|pair| Some((pair[0].to_str()?, pair[1].to_string_lossy())));
    let (option, next) = words.find(|(option, next)| {
        let takes = option.strip_prefix("--").is_some_and(|name| open.contains(&name));
        let next = next.strip_prefix("--");
        takes && next.is_some_and(|n| n.is_empty() || n.starts_with(char::is_alphabetic))
    })?;
    Some(format!("the value of {option} is missing: `{next}` stands in its place"))
}

/// What is wrong with a word behind a machine, which is not named behind a command.
fn not_one_machine(command: &clap::Command, error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    if error.kind() != ErrorKind::ArgumentConflict {
        return None;
    }
    Some(match command.find_subcommand(word) {
        Some(_) => format!("the command `{word}` stands before the machine"),
        None => format!(
            "the workbench opens one machine, and `{word}` is one more word: `check` takes several machines"
        ),
    })
}

/// What is wrong with a word that should be a command: the first, or behind `help` the next.
fn unknown_word(given: &[OsString]) -> Option<String> {
    let first = given.get(1)?;
    let word = if first == "help" { given.get(2)? } else { first };
    unknown_command(word, true)
}

/// What is wrong with a first argument that is no command and no file, if it is meant for a command:
/// `certainly`, because of what follows it, or because it is nearly one.
fn unknown_command(word: &OsStr, certainly: bool) -> Option<String> {
    let word = word.to_str()?;
    let bare = word.starts_with(char::is_alphabetic)
        && word.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let commands = Arguments::command();
    let names: Vec<&str> = commands.get_subcommands().map(clap::Command::get_name).collect();
    if !bare || word == "help" || names.contains(&word) || Path::new(word).exists() {
        return None;
    }
    match closest(word, names.iter().copied()) {
        Some(name) => Some(format!("there is no command `{word}`; did you mean `{name}`?")),
        None if certainly => Some(format!(
            "`{word}` is neither a command nor a file; the commands are {}",
            names.join(", ")
        )),
        None => None,
    }
}

/// The workbench, or the report of a check where there is no terminal to draw on.
fn open(arguments: Arguments) -> Result<u8, Failure> {
    if arguments.print_config || arguments.print_keymap || arguments.print_theme {
        return settings(arguments);
    }
    let Arguments { file, include, options, report, theme, mouse, .. } = arguments;
    let looks = Looks { theme, mouse };
    if let Some(message) = file.as_ref().and_then(|f| unknown_command(f.as_os_str(), false)) {
        return Err(Failure::Message(message));
    }
    let input = match file {
        Some(file) => MachineFile { file, include }.read()?,
        None if include.is_given() => {
            let message = "--level, --level-only, --include-path and --allow-files are for a machine that is \
                           named";
            return Err(Failure::Message(message.to_owned()));
        }
        None if std::io::stdout().is_terminal() => return choose(&options, &report, looks),
        None => EXAMPLES[0].input(),
    };
    if !std::io::stdout().is_terminal() {
        looks.without_a_screen("standard output is no terminal")?;
        return check::run(input, &options, &report);
    }
    refuse_reports(&options, &report)?;
    if is_dumb() {
        looks.without_a_screen("TERM=dumb")?;
        return check::run(input, &options, &report);
    }
    let (setup, name) = (options.setup(), input.name());
    let open = move |clock: &Arc<Clock>| input.open(setup, clock);
    workbench(Opening::Named { name, open: Box::new(open) }, &options, looks)
}

/// The workbench on a machine that is chosen there.
fn choose(options: &CheckOptions, report: &ReportOptions, looks: Looks) -> Result<u8, Failure> {
    refuse_reports(options, report)?;
    if is_dumb() {
        looks.without_a_screen("TERM=dumb")?;
        return check::run(EXAMPLES[0].input(), options, report);
    }
    let setup = options.setup();
    let offers = EXAMPLES.iter().map(|e| (e.name.to_owned(), e.line.to_owned())).collect();
    let open = move |number: usize, clock: &Arc<Clock>| EXAMPLES[number].input().open(setup, clock);
    workbench(Opening::Chosen { offers, open: Box::new(open) }, options, looks)
}

/// # Errors
/// An option is given that the workbench cannot follow.
fn refuse_reports(options: &CheckOptions, report: &ReportOptions) -> Result<(), Failure> {
    let format = (options.format != Format::Text).then_some("--format");
    match report.given().or(format) {
        None => Ok(()),
        Some(option) => {
            let message = format!("{option} is not for the workbench; `burnside check` follows it");
            Err(Failure::Message(message))
        }
    }
}

/// Whether the terminal can do nothing but print.
fn is_dumb() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if dumb {
        complain("burnside: TERM=dumb has no room for the workbench: this is the report\n");
    }
    dumb
}

/// Prints what the user has settled; what is wrong with it, to standard error.
fn settings(arguments: Arguments) -> Result<u8, Failure> {
    let here = Surroundings::here(arguments.theme);
    let settings = tui::settings::read(&here).map_err(|e| Failure::Message(format!("{e:#}")))?;
    let text = match arguments {
        Arguments { print_config: true, .. } => settings.config.written(),
        Arguments { print_keymap: true, .. } => settings.keymap.written(),
        _ => settings.theme.written(),
    };
    print(text)?;
    let mut wrong = Painted::new();
    let width = output::width(&std::io::stderr());
    settings.told.iter().for_each(|d| wrong.extend(d.paint(&settings.sources, width)));
    complain(wrong);
    Ok(if settings.told.is_empty() { EXIT_OK } else { EXIT_WRONG })
}

/// What the command line says of the workbench itself.
struct Looks {
    theme: Option<String>,
    mouse: bool,
}

impl Looks {
    /// Says that it is of no use for a report, where it is given.
    ///
    /// # Errors
    /// The theme is none: the workbench would not have opened, either.
    fn without_a_screen(self, why: &str) -> Result<(), Failure> {
        let option = match (&self.theme, self.mouse) {
            (Some(_), _) => "--theme",
            (None, true) => "--mouse",
            (None, false) => return Ok(()),
        };
        if self.theme.is_some() {
            let here = Surroundings::here(self.theme);
            tui::settings::read(&here).map_err(|e| Failure::Message(format!("{e:#}")))?;
        }
        complain(format!(
            "burnside: {why}, and {option} is for the workbench: this is the report\n"
        ));
        Ok(())
    }
}

fn workbench(opening: Opening, options: &CheckOptions, looks: Looks) -> Result<u8, Failure> {
    let Looks { theme, mouse } = looks;
    let options = WorkbenchOptions { theme, mouse, search: options.search() };
    match tui::run(opening, options) {
        Ok(None) => Ok(EXIT_OK),
        Ok(Some(signal)) => Ok(signals::status_after(signal)),
        Err(error) => Err(Failure::Message(format!("{error:#}"))),
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The machine, or what was asked of it, was refused.
    Rejected(Box<Rejection>),
    /// A limit was reached, or the user interrupted, before there was anything to tell.
    Unfinished(Box<Unfinished>),
    /// Anything else, in words.
    Message(String),
}

/// Work that was not done to its end.
#[derive(Debug)]
pub struct Unfinished {
    /// What was not done, in words.
    pub what: &'static str,
    pub model: String,
    pub halted: Halted,
    pub sources: Sources,
    pub seconds: f64,
    /// The exit status.
    pub status: u8,
    /// As an object on standard output.
    pub json: bool,
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

    /// Tells what is wrong, and gives the exit status: that of wrong input, unless a limit was reached.
    fn tell(&self) -> u8 {
        match self {
            Failure::Message(message) => complain(format!("burnside: {message}\n")),
            Failure::Rejected(r) if r.json => {
                if let Err(failure) = print(json::rejected(&r.model, &r.diagnostics, &r.sources)) {
                    return failure.tell();
                }
            }
            Failure::Rejected(r) => {
                let mut text = Painted::new();
                let width = output::width(&std::io::stderr());
                r.diagnostics.iter().for_each(|d| text.extend(d.paint(&r.sources, width)));
                let count =
                    |severity| r.diagnostics.iter().filter(|d| d.severity == severity).count();
                let errors = crate::report::counted(count(Severity::Error), "error");
                let warnings = crate::report::counted(count(Severity::Warning), "warning");
                let model = printable::line(&r.model);
                text.push(&format!("{model}: rejected: {errors}, {warnings}\n"));
                complain(text);
            }
            Failure::Unfinished(u) => {
                let bound = Bound::Halted(u.halted);
                let told = match u.json {
                    true => json::unfinished(&u.model, &bound, &u.sources, u.seconds),
                    false => text::unfinished(u.what, &bound, &u.sources),
                };
                return print(told).map_or_else(|failure| failure.tell(), |()| u.status);
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

/// Loads and sets up a machine under a clock, which the first signal ends.
///
/// # Errors
/// What is wrong with it, or that it was ended.
pub fn load(
    input: &Input,
    setup: SetupOptions,
    json: bool,
    clock: &Arc<Clock>,
    interrupt: &Interrupt,
) -> Result<Opened, Failure> {
    let session = interrupt.ending(clock, || input.open(setup, clock));
    if let Some(halted) = session.halted() {
        let (model, sources) = (input.stem(), session.sources().clone());
        let seconds = clock.elapsed().as_secs_f64();
        let by_user = halted.why == Halt::Interrupted;
        let status = if by_user { interrupt.status() } else { EXIT_INCOMPLETE };
        let what = "the machine was not loaded to its end";
        let unfinished = Unfinished { what, model, halted, sources, seconds, status, json };
        return Err(Failure::Unfinished(Box::new(unfinished)));
    }
    let diagnostics = session.diagnostics().to_vec();
    match session.good() {
        Some(good) if !diagnostics.iter().any(Diagnostic::is_error) => {
            Ok(Opened { good: good.clone(), warnings: diagnostics })
        }
        _ => {
            let model = input.stem();
            let sources = session.sources().clone();
            Err(Failure::Rejected(Box::new(Rejection { model, diagnostics, sources, json })))
        }
    }
}

/// Works on a machine under a clock, with enough stack; where the clock ends that, `what` was not done.
///
/// # Errors
/// It was ended, or went wrong.
fn finished<T: Send>(
    input: &Input,
    good: Good,
    what: &'static str,
    json: bool,
    clock: &Arc<Clock>,
    work: impl FnOnce(Good) -> T + Send,
) -> Result<T, Failure> {
    let sources = good.sources.clone();
    let work = || {
        enter(Phase::Search);
        work(good)
    };
    let result = on_big_stack(|| clock.guard(work)).map_err(|m| Failure::internal(&m))?;
    // What stops by itself, as the list of transitions does, is not whole, either.
    match (clock.halted(), result) {
        (None, Ok(result)) => Ok(result),
        (Some(halted), _) | (None, Err(halted)) => {
            let (model, seconds) = (input.stem(), clock.elapsed().as_secs_f64());
            let status = EXIT_INCOMPLETE;
            let unfinished = Unfinished { what, model, halted, sources, seconds, status, json };
            Err(Failure::Unfinished(Box::new(unfinished)))
        }
    }
}

/// The exit status that says what a search found.
pub fn exit_status(outcome: &Outcome, interrupt: &Interrupt) -> u8 {
    if outcome.interrupted {
        interrupt.status()
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
