//! The files of a machine as the source pane shows them.
//!
//! Shown are the files as they were read last, good or not: errors speak of them. Operations are
//! declared in the texts that the machine was made from, which are older when it is stale; a place in
//! one of those is shown where the same file still has the same text.

use super::shown;
use super::source_text::SourceText;
use crate::eventb;
use crate::source::{SourceFile, Sources};
use std::path::PathBuf;
use std::sync::Arc;

/// A line of a file, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    pub file: usize,
    pub line: usize,
}

/// One file.
#[derive(Clone, Debug)]
pub struct ShownFile {
    /// The last part of its path.
    pub name: String,
    pub path: PathBuf,
    pub text: Arc<SourceText>,
    /// Of a component of Event-B: for each line, where it comes from in the file as it is.
    pub own_lines: Option<Vec<usize>>,
}

/// All files of a machine; the main one is the first.
#[derive(Clone, Debug, Default)]
pub struct Files {
    pub list: Vec<ShownFile>,
    /// For each text that the machine was made from: the file with the same text.
    same: Vec<Option<usize>>,
}

impl Files {
    /// `read` are the texts as they were read last, `good` those that the machine was made from. Where
    /// nothing could be read, what there was before is shown.
    pub fn new(read: &Sources, good: Option<&Sources>) -> Files {
        let read = if read.files().next().is_some() { read } else { good.unwrap_or(read) };
        let real = |file: &SourceFile| file.path.as_os_str() != crate::session::GOAL_PATH;
        let mut list = Vec::new();
        let mut paths = Vec::new();
        for (_, file) in read.files().filter(|(_, f)| real(f)) {
            let text = match eventb::is_component(&file.path) {
                true => SourceText::event_b(&file.text),
                false => SourceText::new(&file.text),
            };
            let own = |line| file.own_line(line);
            let own_lines = file.is_made().then(|| (0..text.lines.len()).map(own).collect());
            let (text, path) = (Arc::new(text), file.path.clone());
            list.push(ShownFile { name: shown::line(name(file)), path, text, own_lines });
            paths.push((file.path.clone(), file.text.clone()));
        }
        let same = good.into_iter().flat_map(Sources::files).map(|(_, file)| {
            paths.iter().position(|(path, text)| *path == file.path && *text == file.text)
        });
        Files { same: same.collect(), list }
    }

    /// Where a place in a text of the machine is shown.
    pub fn shown(&self, place: Place) -> Option<Place> {
        let file = (*self.same.get(place.file)?)?;
        Some(Place { file, ..place })
    }
}

/// The last part of a file's path.
fn name(file: &SourceFile) -> String {
    let path = file.path.file_name().unwrap_or(file.path.as_os_str());
    path.to_string_lossy().into_owned()
}
