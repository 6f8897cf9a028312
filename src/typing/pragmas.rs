//! Comments that speak to the tool.

use crate::source::{FileId, Sources};
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
