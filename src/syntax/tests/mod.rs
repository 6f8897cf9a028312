//! Tests of the whole room: text in, tree out.

mod corpus;
mod errors;
mod language;
mod limits;
mod random;

use super::ast::{MachineFile, Node};
use super::{Parsed, parse_file, parse_formula, printer};
use crate::source::Sources;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// The folder of measuring data beside the repository, where it is there.
fn corpus() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let candidates = [root.join("../shared/corpus"), root.join("../../shared/corpus")];
    let found = candidates.into_iter().find(|p| p.is_dir());
    if found.is_none() {
        println!("skipped: no corpus beside the repository");
    }
    found
}

fn parse(text: &str) -> (Sources, Parsed) {
    let mut sources = Sources::new();
    let id = sources.add("test.mch", text);
    let parsed = parse_file(&sources, id);
    (sources, parsed)
}

/// A machine that must parse.
fn machine(text: &str) -> MachineFile {
    let (sources, parsed) = parse(text);
    let errors: String = parsed.diagnostics.iter().map(|d| d.render(&sources)).collect();
    assert_eq!(errors, "", "in {text}");
    parsed.file
}

fn try_formula(text: &str) -> Result<Node, String> {
    let mut sources = Sources::new();
    let id = sources.add("formula", text);
    parse_formula(&sources, id)
        .map_err(|errors| errors.iter().map(|d| d.render(&sources)).collect())
}

fn formula(text: &str) -> Node {
    try_formula(text).unwrap_or_else(|errors| panic!("{text}: {errors}"))
}

/// The rendered errors of a text.
fn errors(text: &str) -> Vec<String> {
    let (sources, parsed) = parse(text);
    parsed.diagnostics.iter().map(|d| d.render(&sources)).collect()
}

/// A tree without its spans.
fn shape(tree: &impl Debug) -> String {
    let text = format!("{tree:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span {") {
        out.push_str(&rest[..at]);
        let end = rest[at..].find("}").expect("a span ends") + at + 1;
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

fn assert_same(a: &str, b: &str) {
    assert_eq!(shape(&formula(a)), shape(&formula(b)), "{a} and {b}");
}

fn assert_round_trip(file: &MachineFile, from: &str) {
    let printed = printer::machine(file);
    let again = machine(&printed);
    assert_eq!(shape(&file.clauses), shape(&again.clauses), "{from} printed:\n{printed}");
}
