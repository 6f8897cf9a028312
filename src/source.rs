//! Source files: their text, their lines, and spans into them.
//!
//! A [`Span`] is three small numbers; everything readable about it (path, line, column, the text of
//! the line) is asked of [`Sources`], which keeps one table of line starts for each file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of a file in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FileId(pub u16);

/// A range of bytes in one file: `start..end`, end exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The smallest span that holds both (`self` alone, when the other is in another file).
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One file as it was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: PathBuf,
    pub text: Arc<str>,
    /// Byte offset of the first character of each line.
    line_starts: Vec<u32>,
}

/// All the files of one machine: the main one is number 0.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

/// A place for people: line and column count from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Sources {
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a file under the path it shall be called by in messages.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> FileId {
        let text: Arc<str> = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1),
        );
        self.files.push(SourceFile { path: path.into(), text, line_starts });
        FileId((self.files.len() - 1) as u16)
    }

    pub fn get(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u16), f))
    }

    pub fn find(&self, path: &Path) -> Option<FileId> {
        self.files().find(|(_, f)| f.path == path).map(|(id, _)| id)
    }

    /// The source text that a span covers (empty when it lies outside the file).
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of the beginning of a span.
    pub fn place(&self, span: Span) -> Place {
        let file = self.get(span.file);
        let line = file.line_of(span.start);
        let start = file.line_starts[line] as usize;
        let column = file.text.get(start..span.start as usize).map_or(0, |t| t.chars().count());
        Place { line: line + 1, column: column + 1 }
    }
}

impl SourceFile {
    /// Number of the line, from 0, that holds this byte.
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|s| *s <= offset) - 1
    }

    /// The text of a line, counted from 0, without its line end.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts.get(line).map_or(self.text.len(), |s| *s as usize);
        let end = self.line_starts.get(line + 1).map_or(self.text.len(), |s| *s as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}
