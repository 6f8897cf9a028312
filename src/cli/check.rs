//! `burnside check`: search the states of a machine and report.

use super::arguments::{CheckOptions, Format, IncludeOptions, MachineFile, ReportOptions};
use super::input::{Input, is_standard};
use super::output::{self, complain, print};
use super::signals::Interrupt;
use super::{
    EXIT_FOUND, EXIT_INCOMPLETE, EXIT_OK, EXIT_WRONG, Failure, Opened, exit_status, load, search,
};
use crate::clock::{Clock, Halted, Phase, enter};
use crate::diagnostic::Diagnostic;
use crate::printable::{self, Painted};
use crate::report::steps::StepText;
use crate::report::{self, CheckReport, json, recorded, text, trace};
use crate::search::{Control, Outcome, SearchOptions, Strategy};
use crate::session;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Checks machines one after the other. The status is the gravest of theirs: wrong input, then a
/// finding, then an incomplete search.
///
/// # Errors
/// Those of [`run`] where there is one machine; of several, only what is wrong with the usage.
pub fn all(
    files: Vec<PathBuf>,
    include: &IncludeOptions,
    options: &CheckOptions,
    wanted: &ReportOptions,
) -> Result<u8, Failure> {
    let several = files.len() > 1;
    if several && wanted.trace.is_some() {
        let message = "--trace is for one machine, and there are several";
        return Err(Failure::Message(message.to_owned()));
    }
    let mut gravest = EXIT_OK;
    for file in files {
        if several && options.format == Format::Text {
            let name = file.display().to_string();
            print(format!("{}:\n", printable::line(&name)))?;
        }
        let machine = MachineFile { file, include: include.clone() };
        let status = match machine.read().and_then(|input| run(input, options, wanted)) {
            Err(failure) if !several => return Err(failure),
            result => result.unwrap_or_else(|failure| failure.tell()),
        };
        if several && options.format == Format::Text {
            print("\n")?;
        }
        if ![EXIT_OK, EXIT_FOUND, EXIT_WRONG, EXIT_INCOMPLETE].contains(&status) {
            // A signal ends them all.
            return Ok(status);
        }
        let gravity = |status| match status {
            EXIT_WRONG => 3,
            EXIT_FOUND => 2,
            EXIT_INCOMPLETE => 1,
            _ => 0,
        };
        if gravity(status) > gravity(gravest) {
            gravest = status;
        }
    }
    Ok(gravest)
}

/// Checks and reports.
///
/// # Errors
/// The machine is refused, or the report or the trace cannot be written.
pub fn run(input: Input, options: &CheckOptions, wanted: &ReportOptions) -> Result<u8, Failure> {
    let interrupt = Interrupt::install();
    let file = wanted.trace.as_deref();
    if let Some(path) = file.filter(|path| !is_standard(path)) {
        // Better now than after a long search.
        place_for(path)?;
    }
    let setup = options.setup();
    let clock = options.limits.work.clock();
    let json = options.format.is_json();
    let mut opened = load(&input, setup.clone(), json, &clock, &interrupt)?;
    let good = &opened.good;
    let search_options = options.search();
    if let Some(name) = &search_options.main_array
        && let Some(problem) = crate::search::main_array_problem(&good.model, name)
    {
        return Err(Failure::Message(problem));
    }
    if search_options.por.is_some() && search_options.strategy == Strategy::Random {
        let message =
            "--por chooses which states are visited, and --strategy random walks at random";
        return Err(Failure::Message(format!("{message}: only one of them can be used")));
    }
    let shown = !wanted.quiet;
    let control = Control::under(clock.clone());
    let mut outcome = search::run(&good.model, &search_options, "", shown, &interrupt, control)?;
    let explained = within(&clock, &interrupt, || {
        // Nobody reads it beside the verdict alone.
        if !wanted.quiet || options.format == Format::Json {
            session::solving::explain_no_setup(good, &mut outcome, &clock);
        }
        session::constraints::that_leave_out(good, &outcome, &clock)
    });
    match explained {
        Ok(warnings) => opened.warnings.extend(warnings),
        Err(halted) => outcome.cut_short(halted),
    }
    // What is asked of standard output is the trace, if it is to stand there.
    let aside = file.is_some_and(is_standard);
    let width = if aside { output::width(&io::stderr()) } else { output::width(&io::stdout()) };
    let telling = Telling { opened: &opened, options, wanted, search: &search_options, width };
    let text = match within(&clock, &interrupt, || telling.text(&outcome)) {
        Ok(told) => told,
        Err(halted) => {
            outcome.cut_short(halted);
            telling.text(&outcome)
        }
    };
    let report = telling.report(&outcome);
    let told = if aside {
        complain(text);
        Ok(())
    } else {
        print(text)
    };
    if outcome.lacks_run() && file.is_some() {
        complain("the run to what was found was not put together: no trace is written\n");
    } else if let Some(path) = file {
        let steps =
            outcome.finding.as_ref().map(|found| StepText::all(&found.instance, &found.trace));
        let verdict = outcome.verdict.name();
        let text = steps.map(|steps| recorded::render(path, &good.model, &setup, verdict, &steps));
        match text {
            Some(text) if aside => print(text)?,
            Some(text) => trace::write_trace(path, &text)
                .map_err(|e| Failure::Message(format!("{}: {e}", path.display())))?,
            None if wanted.quiet => {}
            None => complain("nothing was found: no trace is written\n"),
        }
    }
    // The trace is written even where the report cannot be.
    told?;
    let status = exit_status(&outcome, &interrupt);
    if wanted.deny_warnings && matches!(status, EXIT_OK | EXIT_INCOMPLETE) {
        let warnings = report.all_warnings();
        if !warnings.is_empty() {
            deny(&report, &warnings, wanted.quiet);
            return Ok(EXIT_WRONG);
        }
    }
    Ok(status)
}

/// What a report is made of besides the outcome.
struct Telling<'a> {
    opened: &'a Opened,
    options: &'a CheckOptions,
    wanted: &'a ReportOptions,
    search: &'a SearchOptions,
    width: usize,
}

impl Telling<'_> {
    fn report<'a>(&'a self, outcome: &'a Outcome) -> CheckReport<'a> {
        let Opened { good, warnings } = self.opened;
        CheckReport {
            model: &good.model,
            sources: &good.sources,
            warnings,
            options: self.search,
            outcome,
            explain_symmetry: self.wanted.explain_symmetry,
            width: self.width,
        }
    }

    fn text(&self, outcome: &Outcome) -> Painted {
        let report = self.report(outcome);
        match self.options.format {
            Format::Json => json::check(&report).into(),
            Format::Text if self.wanted.quiet => {
                text::verdict_and_doubt(outcome, self.search, report.sources).into()
            }
            Format::Text => text::check(&report),
        }
    }
}

/// Makes the report, in the time that is left or in a second, unless the user ends that. Who has ended
/// the search wants to read what it found.
fn within<T>(
    clock: &Arc<Clock>,
    interrupt: &Interrupt,
    make: impl FnOnce() -> T,
) -> Result<T, Halted> {
    clock.allow_more();
    let make = || {
        clock.guard(|| {
            enter(Phase::Report);
            make()
        })
    };
    if interrupt.is_set() { make() } else { interrupt.ending(clock, make) }
}

/// Says why the status is not that of the result. What the report has not shown is shown here.
fn deny(report: &CheckReport<'_>, warnings: &[Diagnostic], unseen: bool) {
    let mut text = Painted::new();
    if unseen {
        let width = output::width(&io::stderr());
        warnings.iter().for_each(|w| text.extend(w.paint(report.sources, width)));
    }
    text.push(&format!(
        "{}: {} (--deny-warnings)\n",
        printable::line(report.name()),
        report::counted(warnings.len(), "warning")
    ));
    complain(text);
}

/// Whether a trace could be written here.
fn place_for(path: &Path) -> Result<(), Failure> {
    let wrong = |what: &str| Failure::Message(format!("--trace {}: {what}", path.display()));
    if path.is_dir() {
        return Err(wrong("this is a directory"));
    }
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() && !parent.is_dir() => {
            Err(wrong("there is no such directory"))
        }
        _ => trace::can_hold_a_trace(path).map_err(|e| wrong(&e.to_string())),
    }
}
