//! The other model checkers: how they are run, and where their figures stand in what they print.

use super::process::{Missing, Ran, Until, compile, run};
use std::path::{Path, PathBuf};

/// What another checker found, and how long it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    pub states: u64,
    pub transitions: u64,
    pub seconds: f64,
}

/// A system as one checker is told it, in a folder of its own.
pub struct Task<'a> {
    pub folder: &'a Path,
    pub until: Until<'a>,
    /// The sizes of sets.
    pub sizes: &'a [(String, u64)],
}

/// How SPIN goes through the states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Depth,
    Breadth,
}

/// The least that SPIN tells of a time, in seconds.
const SPIN_TICK: f64 = 0.01;

/// SPIN on a text in Promela. `states` are as many as a path may have.
///
/// # Errors
/// It is not there, or there are no figures.
pub fn spin(task: &Task, text: &str, order: Order, states: u64) -> Result<Found, Missing> {
    write(task.folder, "system.pml", text)?;
    let sizes = task.sizes.iter().map(|(name, n)| format!("-D{name}={n}"));
    let arguments: Vec<String> = sizes.chain(["-a", "system.pml"].map(str::to_owned)).collect();
    run("spin", &arguments, task.folder, task.until)?;
    let mut options = vec!["-DSAFETY", "-DNOREDUCE", "-w"];
    if order == Order::Breadth {
        options.push("-DBFS");
    }
    compile("pan.c", "pan", &options, task.folder, task.until)?;
    // No unreached code, no word on blocked assignments.
    let depth = format!("-m{}", states + 10);
    let verifier = task.folder.join("pan").display().to_string();
    let ran = run(&verifier, &["-n".to_owned(), "-b".to_owned(), depth], task.folder, task.until)?;
    if !ran.text.contains("errors: 0") {
        return Err(Missing::Wrong("SPIN found an error in its text".to_owned()));
    }
    let transitions = before(&ran.text, "transitions (= stored+matched)");
    // The verifier's own time, without that for its tables.
    let own = after(&ran.text, "elapsed time").and_then(|n| n.parse().ok());
    let seconds = own.map_or(ran.seconds, |seconds: f64| seconds.max(SPIN_TICK));
    figures("SPIN", &ran, before(&ran.text, "states, stored"), transitions, seconds)
}

/// rumur on a text in Murphi.
///
/// # Errors
/// It is not there, or there are no figures.
pub fn rumur(task: &Task, text: &str) -> Result<Found, Missing> {
    let sizes: String = task.sizes.iter().map(|(name, n)| format!("  {name}: {n};\n")).collect();
    write(task.folder, "system.m", &format!("const\n{sizes}\n{text}"))?;
    let arguments = [
        ["--deadlock-detection", "stuck"],
        ["--symmetry-reduction", "off"],
        ["--threads", "1"],
        ["--output", "rumur.c"],
    ];
    let mut arguments: Vec<String> = arguments.concat().into_iter().map(str::to_owned).collect();
    arguments.push("system.m".to_owned());
    run("rumur", &arguments, task.folder, task.until)?;
    let options = ["-std=c11", "-march=native", "-w", "-lpthread"];
    compile("rumur.c", "rumur-verifier", &options, task.folder, task.until)?;
    let verifier = task.folder.join("rumur-verifier").display().to_string();
    let ran = run(&verifier, &[], task.folder, task.until)?;
    // Before the end it tells how far it is.
    let end = ran.text.split_once("State Space Explored").map_or("", |(_, end)| end);
    let (states, transitions) = (before(end, "states,"), before(end, "rules fired"));
    figures("rumur", &ran, states, transitions, ran.seconds)
}

/// TLC4B, whose jars are in a folder, on a machine in a file of the task's folder. Its own time of checking
/// counts, without the start of Java and the translation.
///
/// # Errors
/// It is not there, does not take the machine, or there are no figures.
pub fn tlc4b(task: &Task, jars: &Path, machine: &str, invariant: bool) -> Result<Found, Missing> {
    let size = match task.sizes.split_first() {
        None => 1,
        Some(((_, first), rest)) if rest.iter().all(|(_, n)| n == first) => *first,
        Some(_) => {
            let why = "it takes one size for all sets, and these have several";
            return Err(Missing::Wrong(why.to_owned()));
        }
    };
    let here = task.folder.display().to_string();
    let mut arguments = vec![
        format!("-Duser.home={here}"),
        format!("-Djava.io.tmpdir={here}"),
        "-cp".to_owned(),
        absolute(jars).join("*").display().to_string(),
        "de.tlc4b.TLC4B".to_owned(),
        "-nodead".to_owned(),
        "-noltl".to_owned(),
        "-notrace".to_owned(),
    ];
    if !invariant {
        arguments.extend(["-noinv", "-noass"].map(str::to_owned));
    }
    let size = ["-default_setsize".to_owned(), size.to_string()];
    arguments.extend(size.into_iter().chain(["-workers", "1", machine].map(str::to_owned)));
    let ran = run("java", &arguments, task.folder, task.until)?;
    if !ran.text.contains("Result: NoError") {
        let told = ran.text.lines().rev().find(|line| !line.trim().is_empty());
        return Err(Missing::Wrong(format!(
            "no full search: {}",
            told.unwrap_or("no word").trim()
        )));
    }
    let seconds = after(&ran.text, "Model checking time:");
    let seconds = seconds.and_then(|n| n.parse().ok()).unwrap_or(ran.seconds);
    let number = |what: &str| after(&ran.text, what).and_then(|n| n.parse().ok());
    figures("TLC4B", &ran, number("States analysed:"), number("Transitions fired:"), seconds)
}

fn figures(
    name: &str,
    ran: &Ran,
    states: Option<u64>,
    transitions: Option<u64>,
    seconds: f64,
) -> Result<Found, Missing> {
    match (states, transitions) {
        (Some(states), Some(transitions)) => Ok(Found { states, transitions, seconds }),
        _ => {
            let lines = ran.text.lines().count();
            Err(Missing::Wrong(format!("{name} printed {lines} lines without its counts")))
        }
    }
}

/// The number that stands before some words.
fn before(text: &str, words: &str) -> Option<u64> {
    let (first, _) = text.split_once(words)?;
    first.split_whitespace().next_back()?.parse().ok()
}

/// The word that stands after some words.
fn after<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(words)?;
    rest.split_whitespace().next()
}

/// Of a folder: what is run stands in another one.
fn absolute(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

/// Writes a file of a task.
///
/// # Errors
/// It cannot be written.
pub fn write(folder: &Path, name: &str, text: &str) -> Result<(), Missing> {
    let wrong = |e: std::io::Error| Missing::Wrong(format!("{name}: {e}"));
    std::fs::write(folder.join(name), text).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_where_they_stand() {
        let spin = "State-vector 20 byte, depth reached 55, errors: 0\n       64 states, stored\n\
            369 states, matched\n      433 transitions (= stored+matched)\n";
        assert_eq!(before(spin, "states, stored"), Some(64));
        assert_eq!(before(spin, "transitions (= stored+matched)"), Some(433));
        let rumur = "State Space Explored:\n\n\t2187 states, 14580 rules fired in 0s.\n";
        assert_eq!(before(rumur, "states,"), Some(2187));
        assert_eq!(before(rumur, "rules fired"), Some(14_580));
        let tlc = "Model checking time: 1.15 sec\nStates analysed: 625\nTransitions fired: 6001\n";
        assert_eq!(after(tlc, "Model checking time:"), Some("1.15"));
        assert_eq!(after(tlc, "States analysed:"), Some("625"));
        assert_eq!((before(tlc, "rules fired"), after("a:", "a:")), (None, None));
    }
}
