//! Other programs, run for their figures: with an end, and without leaving anything behind.

use crate::cli::signals::Interrupt;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often it is looked whether a program has come to its end.
const POLL: Duration = Duration::from_millis(2);

/// Why a program has no figures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missing {
    /// It is not installed.
    Program(String),
    /// It came to no end.
    Time(Duration),
    Interrupted,
    /// Anything else, in words.
    Wrong(String),
}

impl Missing {
    /// In words.
    pub fn why(&self) -> String {
        match self {
            Missing::Program(name) => format!("not installed: there is no `{name}`"),
            Missing::Time(limit) => format!("no end after {} s (--timeout)", limit.as_secs_f64()),
            Missing::Interrupted => "interrupted".to_owned(),
            Missing::Wrong(why) => why.clone(),
        }
    }
}

/// What a program has printed, and how long it ran.
#[derive(Debug)]
pub struct Ran {
    pub text: String,
    pub seconds: f64,
}

/// What ends a program that does not end by itself.
#[derive(Clone, Copy, Debug)]
pub struct Until<'a> {
    pub limit: Option<Duration>,
    pub interrupt: &'a Interrupt,
}

/// A program that is ended when nobody waits for it any more.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program in a folder. What it prints goes to a file there first: a pipe that nobody reads would
/// stop it.
///
/// # Errors
/// It is not there, failed, or was ended.
pub fn run(name: &str, arguments: &[String], folder: &Path, until: Until) -> Result<Ran, Missing> {
    let wrong = |e: std::io::Error| Missing::Wrong(format!("{name}: {e}"));
    let path = folder.join("printed.txt");
    let file = File::create(&path).map_err(wrong)?;
    let errors = file.try_clone().map_err(wrong)?;
    let mut command = Command::new(name);
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(file).stderr(errors);
    let start = Instant::now();
    let child = command.spawn().map_err(|e| match e.kind() {
        ErrorKind::NotFound => Missing::Program(name.to_owned()),
        _ => wrong(e),
    })?;
    let mut running = Running(child);
    let status = loop {
        if let Some(status) = running.0.try_wait().map_err(wrong)? {
            break status;
        }
        if until.interrupt.is_set() {
            return Err(Missing::Interrupted);
        }
        if let Some(limit) = until.limit.filter(|limit| start.elapsed() > *limit) {
            return Err(Missing::Time(limit));
        }
        std::thread::sleep(POLL);
    };
    let seconds = start.elapsed().as_secs_f64();
    let bytes = std::fs::read(&path).map_err(wrong)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if !status.success() {
        let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no word");
        return Err(Missing::Wrong(format!("{name} failed: {}", last.trim())));
    }
    Ok(Ran { text, seconds })
}

/// Compiles one file of C. Verifiers that other checkers write are of that kind.
///
/// # Errors
/// There is no compiler, or it failed.
pub fn compile(
    source: &str,
    into: &str,
    options: &[&str],
    folder: &Path,
    until: Until,
) -> Result<(), Missing> {
    let first = ["-O3", "-o", into, source];
    let arguments: Vec<String> = first.iter().chain(options).map(|s| (*s).to_owned()).collect();
    run("cc", &arguments, folder, until).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Option<Duration>) -> Result<Ran, Missing> {
        let folder = tempfile::tempdir().expect("a directory");
        let interrupt = Interrupt::default();
        let until = Until { limit, interrupt: &interrupt };
        run("sh", &["-c".to_owned(), script.to_owned()], folder.path(), until)
    }

    #[test]
    fn what_a_program_prints_is_read_and_its_end_is_told() {
        let long = shell("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done", None);
        assert_eq!(long.expect("it ends").text.lines().count(), 20_000);
        let failed =
            shell("echo first; echo the last word >&2; exit 3", None).expect_err("status 3");
        assert_eq!(failed, Missing::Wrong("sh failed: the last word".to_owned()));
        let limit = Duration::from_millis(50);
        let start = Instant::now();
        assert_eq!(shell("sleep 60", Some(limit)).expect_err("too long"), Missing::Time(limit));
        assert!(start.elapsed() < Duration::from_secs(30), "it was ended");
    }

    #[test]
    fn what_is_not_installed_is_named() {
        let folder = tempfile::tempdir().expect("a directory");
        let interrupt = Interrupt::default();
        let until = Until { limit: None, interrupt: &interrupt };
        let missing = run("no-such-checker", &[], folder.path(), until).expect_err("there is none");
        assert_eq!(missing.why(), "not installed: there is no `no-such-checker`");
    }
}
