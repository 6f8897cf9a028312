//! `burnside bench`: how long searches take, and what of it is spent on what.

use super::arguments::{BenchOptions, Format, IncludeOptions, MachineFile};
use super::input::Input;
use super::output::{complain, print};
use super::peers::{self, Peers, WORKS, Work};
use super::signals::Interrupt;
use super::{EXIT_FOUND, EXIT_INCOMPLETE, EXIT_OK, EXIT_WRONG, Failure, load, search};
use crate::clock::{Clock, watch};
use crate::eventb::project;
use crate::printable;
use crate::report::bench::{Bench, Row, Shares, comparison, header, line};
use crate::report::peers::{Beside, header as others, legend};
use crate::search::{Control, Outcome, SymmetryMode, control};
use crate::session::Good;
use crate::setup::SetupOptions;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The endings of the files that are taken of a directory.
const MACHINES: [&str; 4] = ["mch", "ref", "imp", "eventb"];

/// What is timed.
enum Timing {
    File(PathBuf),
    /// A machine that others have texts of.
    Work(&'static Work),
}

impl Timing {
    fn name(&self) -> String {
        match self {
            Timing::File(file) => file.display().to_string(),
            Timing::Work(work) => work.input().name(),
        }
    }

    fn work(&self) -> Option<&'static Work> {
        match self {
            Timing::File(_) => None,
            Timing::Work(work) => Some(work),
        }
    }
}

/// Searches each machine and prints its figures as soon as they are known. A machine that is refused is
/// told of, and the others go on.
///
/// # Errors
/// A directory, or the figures of before, cannot be read; there is no machine at all.
pub fn run(
    paths: &[PathBuf],
    include: &IncludeOptions,
    options: &BenchOptions,
) -> Result<u8, Failure> {
    let interrupt = Interrupt::install();
    let before = options.against.as_deref().map(read).transpose()?;
    let timings = timings(paths, options)?;
    let as_text = options.format == Format::Text;
    let timed = Timed { options, interrupt: &interrupt, look: watch::cost_of_a_look() };
    let mut rows = Vec::new();
    let mut beside = Vec::new();
    let mut status = EXIT_OK;
    if as_text {
        print(header())?;
    }
    for timing in timings {
        match timed.row(&timing, include) {
            Ok(Some((good, row))) => {
                if as_text {
                    print(line(&row))?;
                }
                if !row.complete && status == EXIT_OK {
                    status = EXIT_INCOMPLETE;
                }
                if options.peers {
                    beside.push(timed.peers().beside(timing.work(), &good, &row)?);
                }
                rows.push(row);
            }
            Ok(None) => {}
            Err(failure) => {
                complain(format!("{}:\n", printable::line(&timing.name())));
                failure.tell();
                status = EXIT_WRONG;
            }
        }
        if interrupt.is_set() {
            status = interrupt.status();
            break;
        }
    }
    if as_text && !beside.is_empty() {
        let lines: String = beside.iter().map(Beside::text).collect();
        print(format!("\n{}{lines}{}", others(), legend(&beside)))?;
    }
    if let (true, Some(before)) = (as_text, &before) {
        print(format!("\n{}", comparison(before, &rows)))?;
    }
    if beside.iter().any(|b| b.others().next().is_some()) && status != EXIT_WRONG {
        status = EXIT_FOUND;
    }
    if !as_text {
        print(Bench::new(options.threads, rows, beside).json())?;
    }
    Ok(status)
}

/// What is to be timed: what is named, or what others have texts of.
fn timings(paths: &[PathBuf], options: &BenchOptions) -> Result<Vec<Timing>, Failure> {
    if options.peers && options.symmetry.is_some_and(|mode| mode != SymmetryMode::Off) {
        let why = "--peers compares searches of all states: --symmetry off";
        return Err(Failure::Message(why.to_owned()));
    }
    if options.peers && paths.is_empty() {
        peers::look_at(&options.model.setup().cards)?;
        return Ok(WORKS.iter().map(Timing::Work).collect());
    }
    Ok(files(paths)?.into_iter().map(Timing::File).collect())
}

/// The figures of an earlier run.
fn read(file: &Path) -> Result<Bench, Failure> {
    let wrong = |why: String| {
        let file = file.display().to_string();
        Failure::Message(format!("--against {}: {why}", printable::line(&file)))
    };
    let text = std::fs::read_to_string(file).map_err(|e| wrong(e.to_string()))?;
    Bench::read(&text).map_err(|why| {
        wrong(format!("this is not what `burnside bench --format json` writes: {why}"))
    })
}

/// The files that are named, and the machines of the directories, by name. A directory that is a project of
/// Rodin is a machine itself, and one that holds projects has theirs.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let wrong = |e: std::io::Error| {
            Failure::Message(format!("{}: {e}", printable::line(&path.display().to_string())))
        };
        let (mut inside, mut is_project) = (Vec::new(), false);
        for entry in std::fs::read_dir(path).map_err(wrong)? {
            let file = entry.map_err(wrong)?.path();
            let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
            is_project |= project::is_component(&file);
            let is_machine = MACHINES.contains(&ending) && file.is_file();
            if is_machine || file.is_dir() && project::holds_component(&file) {
                inside.push(file);
            }
        }
        inside.sort();
        files.extend(is_project.then(|| path.clone()));
        files.extend(inside);
    }
    if files.is_empty() {
        let endings = MACHINES.join(", .");
        let message = format!("there is no machine (.{endings}) and no project of Rodin (.bum)");
        return Err(Failure::Message(message));
    }
    Ok(files)
}

/// How searches are timed.
struct Timed<'a> {
    options: &'a BenchOptions,
    interrupt: &'a Interrupt,
    /// What a look at the time takes.
    look: Duration,
}

impl Timed<'_> {
    /// A machine and its figures; `None` where the user ended that before there were any.
    fn row(
        &self,
        timing: &Timing,
        include: &IncludeOptions,
    ) -> Result<Option<(Good, Row)>, Failure> {
        let limits = &self.options.limits.work;
        let mut setup: SetupOptions = self.options.model.setup();
        let input: Input = match timing {
            Timing::File(file) => {
                MachineFile { file: file.to_owned(), include: include.clone() }.read()?
            }
            Timing::Work(work) => {
                setup.cards = work.cards(&setup.cards);
                work.input()
            }
        };
        let good = load(&input, setup, false, &limits.clock(), self.interrupt)?.good;
        let mut fastest: Option<Outcome> = None;
        let mut runs = 0;
        for _ in 0..self.options.runs {
            let outcome = self.search(&good, limits.clock())?;
            if self.interrupt.is_set() {
                return Ok(None);
            }
            runs += 1;
            let complete = outcome.complete;
            if fastest.as_ref().is_none_or(|best| outcome.seconds < best.seconds) {
                fastest = Some(outcome);
            }
            if !complete && self.options.limits.max_states.is_none() {
                // It took all the time that there is.
                break;
            }
        }
        let Some(outcome) = fastest else { return Ok(None) };
        let clock = Clock::watching(limits.timeout, limits.memory);
        self.search(&good, clock.clone())?;
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let row = self.figures(timing.name(), &good, &outcome, &clock, runs);
        Ok(Some((good, row)))
    }

    fn peers(&self) -> Peers<'_> {
        Peers {
            tlc4b: self.options.tlc4b.as_deref(),
            timeout: self.options.limits.work.timeout,
            interrupt: self.interrupt,
            invariant: !self.options.no_invariant,
        }
    }

    fn search(&self, good: &Good, clock: Arc<Clock>) -> Result<Outcome, Failure> {
        let title = format!("{}: ", good.model.instance.machine.name);
        let shown = !self.options.quiet;
        search::run(
            &good.model,
            &self.options.search(),
            &title,
            shown,
            self.interrupt,
            Control::under(clock),
        )
    }

    fn figures(&self, file: String, good: &Good, o: &Outcome, clock: &Clock, runs: u32) -> Row {
        let shares = control::Shares::of(&clock.spent(), self.look);
        let sizes = good.model.sets.iter().map(|s| format!("{}={}", s.name, s.size));
        let each = |sum: f64, count: u64| if count == 0 { 0.0 } else { sum / count as f64 };
        Row {
            model: good.model.instance.machine.name.to_string(),
            file,
            card: sizes.collect::<Vec<_>>().join(" "),
            symmetry: o.symmetry.name().to_owned(),
            verdict: o.verdict.name().to_owned(),
            complete: o.complete,
            states: o.states,
            transitions: o.transitions,
            runs,
            seconds: o.seconds,
            transitions_per_second: o.transitions as f64 / o.seconds.max(1e-9),
            ns_per_transition: each(o.seconds * 1e9, o.transitions),
            bytes_per_state: each(o.stored_bytes as f64, o.states),
            shares: shares.map_or_else(Shares::default, |s| Shares {
                evaluation: s.evaluation,
                labelling: s.labelling,
                storing: s.storing,
            }),
        }
    }
}
