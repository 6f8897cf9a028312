//! The list of codes is the list of codes that the source uses.

use burnside::diagnostic::codes::{CODES, Kind};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn sources() -> Vec<String> {
    let mut waiting = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut texts = Vec::new();
    while let Some(path) = waiting.pop() {
        let is_test = |p: &PathBuf| p.file_stem().is_some_and(|n| n == "tests" || n == "codes");
        if path.is_dir() && !is_test(&path) {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "rs") && !is_test(&path) {
            let text = std::fs::read_to_string(&path).unwrap();
            texts.push(text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned());
        }
    }
    texts
}

/// The string literal that stands next after `at`, if nothing but blanks is between.
fn literal(text: &str, at: usize) -> Option<&str> {
    let rest = text[at..].trim_start().strip_prefix('"')?;
    rest.split('"').next()
}

#[test]
fn every_code_of_the_source_is_in_the_list() {
    let listed: BTreeSet<&str> = CODES.iter().map(|(code, ..)| *code).collect();
    let mut used = BTreeSet::new();
    let texts = sources();
    for text in &texts {
        for opener in
            ["Diagnostic::error(", "Diagnostic::warning(", "without_place(", ".error(", "code: "]
        {
            let places = text.match_indices(opener).map(|(at, _)| at + opener.len());
            used.extend(places.filter_map(|at| literal(text, at)));
        }
    }
    assert!(used.len() > 40, "{used:?}");
    let missing: Vec<&&str> = used.difference(&listed).collect();
    assert!(missing.is_empty(), "not in the list of codes: {missing:?}");
}

#[test]
fn every_code_of_the_list_is_in_the_source() {
    let texts = sources();
    for (code, kind, _) in CODES {
        let quoted = format!("\"{code}\"");
        assert!(texts.iter().any(|t| t.contains(&quoted)), "{code} ({kind:?}) is used nowhere");
    }
    assert!(CODES.iter().filter(|(_, kind, _)| *kind == Kind::Warning).count() > 10);
}
