//! Comments that speak to the tool.

use crate::source::{FileId, Sources, Span};
use std::collections::BTreeSet;

/// Where sets begin before which a comment says that they are to be kept by their descriptions.
pub fn kept_sets(sources: &Sources) -> BTreeSet<(FileId, u32)> {
    let mut found = BTreeSet::new();
    for (id, file) in sources.files() {
        for (at, opening) in file.text.match_indices("/*@") {
            let rest = &file.text[at + opening.len()..];
            let Some((comment, behind)) = rest.split_once("*/") else { break };
            if comment.trim() == "symbolic" {
                let set = file.text.len() - behind.trim_start().len();
                found.insert((id, set as u32));
            }
        }
    }
    found
}

/// The packages that a file names: its own, and those that it imports from, each with its place.
#[derive(Default, Debug)]
pub struct Packages {
    pub own: Option<(String, Span)>,
    pub imported: Vec<(String, Span)>,
}

/// `/*@package a.b */` and `/*@import-package a.c */`, which stand before the machine.
pub fn packages(sources: &Sources, id: FileId) -> Packages {
    let text = &sources.get(id).text;
    let mut found = Packages::default();
    let mut at = 0;
    loop {
        at = text.len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let close = match rest {
            _ if rest.starts_with("/*") => "*/",
            _ if rest.starts_with("//") => "\n",
            _ => return found,
        };
        let Some(length) = rest.find(close) else { return found };
        let (comment, span) = (&rest[..length], Span::new(id, at, at + length + close.len()));
        at += length + close.len();
        let Some((pragma, name)) = comment
            .strip_prefix("/*@")
            .and_then(|body| body.trim().split_once(char::is_whitespace))
        else {
            continue;
        };
        let name = name.trim().trim_matches('"').to_owned();
        match pragma {
            "package" => found.own = found.own.or(Some((name, span))),
            "import-package" => found.imported.push((name, span)),
            _ => {}
        }
    }
}
