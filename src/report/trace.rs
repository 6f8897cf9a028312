//! The file that keeps a counterexample: set sizes, preferences and the steps, as JSON.

use super::json::{self, FORMAT, pretty};
use super::steps::StepText;
use crate::setup::{Model, SetupOptions};
use crate::state::WdGuards;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What a trace file says.
#[derive(Clone, PartialEq, Debug)]
pub struct TraceFile {
    /// Name of the machine.
    pub model: String,
    /// Sizes and preferences under which the trace is a run. Nothing is reduced.
    pub setup: SetupOptions,
    pub steps: Vec<StepText>,
}

#[derive(Serialize)]
struct Written<'a> {
    format: u32,
    kind: &'static str,
    model: &'a str,
    verdict: &'static str,
    sets: BTreeMap<&'a str, u32>,
    maxint: i64,
    minint: i64,
    preferences: Map<String, Value>,
    /// Values that constants were given; none where it is missing.
    constants: Map<String, Value>,
    /// What undefined guards are taken for.
    wd_guards: &'static str,
    /// Whether elements print under the names of constants; read as false where it is missing.
    static_symmetry: bool,
    /// The goal that was asked for, where it names elements: what static symmetry does depends on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<&'a str>,
    /// What functions of chance depend on; 1 where it is missing.
    #[serde(skip_serializing_if = "is_one")]
    seed: u64,
    steps: Vec<WrittenStep<'a>>,
}

#[derive(Serialize)]
struct WrittenStep<'a> {
    #[serde(flatten)]
    step: json::Step<'a>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    failed: bool,
}

fn one() -> u64 {
    1
}

fn is_one(n: &u64) -> bool {
    *n == 1
}

/// What makes a JSON object a trace file.
const KIND: &str = "burnside-trace";

#[derive(Deserialize)]
struct Head {
    format: Option<u32>,
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Body {
    model: String,
    sets: BTreeMap<String, u64>,
    maxint: i64,
    minint: i64,
    #[serde(default)]
    preferences: BTreeMap<String, String>,
    #[serde(default)]
    constants: BTreeMap<String, String>,
    #[serde(default)]
    wd_guards: Option<String>,
    #[serde(default)]
    static_symmetry: bool,
    #[serde(default)]
    goal: Option<String>,
    #[serde(default = "one")]
    seed: u64,
    steps: Vec<ReadStep>,
}

#[derive(Deserialize)]
struct ReadStep {
    operation: String,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    results: Vec<String>,
    #[serde(default)]
    changed: Map<String, Value>,
    #[serde(default)]
    failed: bool,
}

/// The text of a trace file of these steps; `verdict` says what they show.
pub fn render_steps(
    model: &Model,
    setup: &SetupOptions,
    verdict: &'static str,
    steps: &[StepText],
) -> String {
    let instance = &model.instance;
    let texts = |given: &[(String, String)]| {
        given.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect()
    };
    pretty(&Written {
        format: FORMAT,
        kind: KIND,
        model: &instance.machine.name,
        verdict,
        sets: model.sets.iter().map(|s| (&*s.name, s.size)).collect(),
        maxint: instance.max_int,
        minint: instance.min_int,
        preferences: texts(&setup.preferences),
        constants: texts(&setup.constants),
        wd_guards: instance.wd_guards.name(),
        static_symmetry: model.explanation.static_symmetry,
        goal: model.naming_goal(),
        seed: setup.seed,
        steps: steps
            .iter()
            .map(|s| WrittenStep { step: json::step(s), failed: s.failed })
            .collect(),
    })
}

/// Writes a trace, whole or not at all. A file that holds something else is not replaced.
///
/// # Errors
/// There is such a file; what the system says.
pub fn write_trace(path: &Path, text: &str) -> io::Result<()> {
    can_hold_a_trace(path)?;
    write_whole(path, text)
}

/// Looks whether a trace may be written there: a file that holds something else is not replaced.
///
/// # Errors
/// There is such a file; it cannot be read.
pub fn can_hold_a_trace(path: &Path) -> io::Result<()> {
    let mut start = [0; 64];
    let known = match path.is_file() {
        true => io::Read::read(&mut File::open(path)?, &mut start)?,
        false => 0,
    };
    let first = start[..known].iter().find(|byte| !byte.is_ascii_whitespace());
    match first {
        None | Some(b'{') => Ok(()),
        Some(_) => Err(kept("this file holds no trace: it is not replaced")),
    }
}

/// Writes a text, whole or not at all. A file that holds something is not replaced: nothing tells one such text from
/// another one of the user's.
///
/// # Errors
/// There is such a file; what the system says.
pub fn write_text(path: &Path, text: &str) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(file) if file.is_file() && file.len() > 0 => {
            Err(kept("there is such a file: it is not replaced"))
        }
        _ => write_whole(path, text),
    }
}

fn kept(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, why)
}

/// Writes a file whole or not at all: a temporary file beside it is renamed when it is complete.
///
/// # Errors
/// What the system says; nothing is left behind then.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    // The target of a symbolic link is replaced, not the link.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        // A device or a pipe cannot be replaced.
        return OpenOptions::new().write(true).open(&path)?.write_all(text.as_bytes());
    }
    let temporary = temporary(&path)?;
    let written = File::create_new(&temporary)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&temporary, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written.map_err(|error| told(error, &path))
}

/// In the words of whoever wrote, where what the system says is about the temporary file.
fn told(error: io::Error, path: &Path) -> io::Error {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).display();
    let why = match error.kind() {
        io::ErrorKind::NotFound => format!("there is no directory `{folder}`"),
        io::ErrorKind::NotADirectory => format!("`{folder}` is not a directory"),
        io::ErrorKind::PermissionDenied => {
            format!("nothing may be written in the directory `{folder}`")
        }
        _ => return error,
    };
    io::Error::new(error.kind(), why)
}

fn temporary(path: &Path) -> io::Result<PathBuf> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this is no name of a file"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(hidden))
}

/// Why a trace file cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub enum Unreadable {
    File(String),
    /// It is not JSON, or a field is missing or of a wrong type: with line and column.
    Malformed(String),
    /// It is JSON of something else.
    NotATrace,
    Format(Option<u32>),
    /// A value in `changed` is no text: number of the step, name of the variable.
    NotText(usize, String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::File(reason) => write!(f, "{reason}"),
            Unreadable::Malformed(reason) => write!(f, "not a trace file: {reason}"),
            Unreadable::NotATrace => {
                write!(
                    f,
                    "not a trace file: there is no `kind` that is \"{KIND}\" (`check --trace` writes one)"
                )
            }
            Unreadable::Format(Some(n)) => {
                write!(f, "format {n} of trace files is unknown; this version reads {FORMAT}")
            }
            Unreadable::Format(None) => write!(f, "the trace file has no `format`"),
            Unreadable::NotText(step, name) => {
                write!(f, "step {step}: the value of `{name}` is not a text")
            }
        }
    }
}

/// Reads the text of a trace file.
///
/// # Errors
/// All but [`Unreadable::File`].
pub fn parse(text: &str) -> Result<TraceFile, Unreadable> {
    let malformed = |e: serde_json::Error| Unreadable::Malformed(e.to_string());
    // A list would do as well as an object, if it had the right length.
    match serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text) {
        Err(e) if e.is_data() => return Err(Unreadable::NotATrace),
        object => object.map(drop).map_err(malformed)?,
    }
    let head: Head = serde_json::from_str(text).map_err(malformed)?;
    if head.kind.as_deref() != Some(KIND) {
        return Err(Unreadable::NotATrace);
    }
    if head.format != Some(FORMAT) {
        return Err(Unreadable::Format(head.format));
    }
    let body: Body = serde_json::from_str(text).map_err(malformed)?;
    let wd_guards = match &body.wd_guards {
        None => WdGuards::default(),
        Some(name) => WdGuards::from_name(name)
            .ok_or_else(|| Unreadable::Malformed(format!("`wd_guards` is {name:?}")))?,
    };
    let steps = body.steps.into_iter().enumerate().map(|(n, step)| read_step(n + 1, step));
    Ok(TraceFile {
        model: body.model,
        setup: SetupOptions {
            cards: body.sets.into_iter().collect(),
            max_int: Some(body.maxint),
            min_int: Some(body.minint),
            preferences: body.preferences.into_iter().collect(),
            constants: body.constants.into_iter().collect(),
            goal: body.goal,
            wd_guards,
            static_symmetry: body.static_symmetry,
            seed: body.seed,
            questions_only: false,
        },
        steps: steps.collect::<Result<_, _>>()?,
    })
}

fn read_step(number: usize, step: ReadStep) -> Result<StepText, Unreadable> {
    let changed = step.changed.into_iter().map(|(name, value)| match value {
        Value::String(text) => Ok((name, text)),
        _ => Err(Unreadable::NotText(number, name)),
    });
    Ok(StepText {
        operation: step.operation,
        arguments: step.arguments,
        results: step.results,
        changed: changed.collect::<Result<_, _>>()?,
        failed: step.failed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"format": 1, "kind": "burnside-trace", "model": "M", "sets": {"S": 3},
        "maxint": 5, "minint": -1, "preferences": {}, "later": "a field of a later version",
        "steps": [{"operation": "op", "arguments": ["S1"], "results": [], "changed": {"x": "1"}}]}"#;

    #[test]
    fn a_good_file() {
        let file = parse(GOOD).unwrap();
        assert_eq!(file.setup.cards, [("S".to_owned(), 3)]);
        assert_eq!(file.setup.max_int, Some(5));
        assert_eq!(file.steps[0].changed, [("x".to_owned(), "1".to_owned())]);
        assert!(!file.steps[0].failed);
    }

    #[test]
    fn bad_files() {
        let error = |from: &str, to: &str| parse(&GOOD.replace(from, to)).unwrap_err();
        assert_eq!(error("\"format\": 1", "\"format\": 9"), Unreadable::Format(Some(9)));
        assert_eq!(error("\"format\": 1,", ""), Unreadable::Format(None));
        assert_eq!(error("burnside-trace", "other"), Unreadable::NotATrace);
        assert_eq!(error("\"x\": \"1\"", "\"x\": 1"), Unreadable::NotText(1, "x".to_owned()));
        assert!(error("\"sets\"", "\"sites\"").to_string().contains("missing field `sets`"));
        assert!(error("]}", "").to_string().contains("line 3"));
        assert!(matches!(parse("").unwrap_err(), Unreadable::Malformed(_)));
        // JSON of something else, which is told as such.
        for other in ["[]", "[1]", "[\"burnside-trace\", 1]", "null", "\"x\""] {
            assert_eq!(parse(other).unwrap_err(), Unreadable::NotATrace, "{other}");
        }
    }

    #[test]
    fn files_are_written_whole() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("trace.json");
        write_whole(&path, "one").unwrap();
        write_whole(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        let none = write_whole(&directory.path().join("none/trace.json"), "x").unwrap_err();
        assert!(none.to_string().starts_with("there is no directory `"), "{none}");
        assert!(write_whole(directory.path(), "x").is_err());
    }
}
