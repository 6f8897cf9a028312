//! Source files: their text, their lines, and spans into them.
//!
//! A [`Span`] is three small numbers; everything readable about it (path, line, column, the text of
//! the line) is asked of [`Sources`], which keeps one table of line starts for each file.

use crate::diagnostic::Diagnostic;
use std::fmt;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Number of a file in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct FileId(pub u16);

/// Longest file that is read, in bytes.
pub const MAX_FILE_SIZE: u64 = 64 << 20;

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
    /// The first character that was no UTF-8, in a file that was read as Latin-1 for it.
    pub latin1: Option<Span>,
    /// Of a text that was made of the file: from which lines on, and the line of the file, both from 0.
    origins: Vec<(u32, u32)>,
    /// Bytes that have a name of their own in messages ("event fill, guard grd1"), in order.
    parts: Vec<(Range<u32>, Arc<str>)>,
    /// Byte offset of the first character of each line.
    line_starts: Vec<u32>,
    /// Characters before every [`APART`]th byte: a line may have megabytes, and many columns be asked for.
    characters: Vec<u32>,
}

const APART: usize = 1024;

impl SourceFile {
    fn new(path: PathBuf, text: Arc<str>) -> SourceFile {
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1),
        );
        let mut before = 0;
        let count = |part: &[u8]| {
            let first = before;
            before += characters(part);
            first
        };
        let characters = text.as_bytes().chunks(APART).map(count).collect();
        let (origins, parts) = (Vec::new(), Vec::new());
        SourceFile { path, text, latin1: None, origins, parts, line_starts, characters }
    }

    /// Whether the text is another than that of the file as it is.
    pub fn is_made(&self) -> bool {
        !self.origins.is_empty()
    }

    /// The line of the file as it is that a line of the text comes from, both from 0.
    pub fn own_line(&self, line: usize) -> usize {
        if !self.is_made() {
            return line;
        }
        let behind = self.origins.partition_point(|(made, _)| *made as usize <= line);
        behind.checked_sub(1).map_or(0, |i| self.origins[i].1 as usize)
    }

    /// Number of characters before a byte.
    fn characters_before(&self, offset: usize) -> u32 {
        let offset = offset.min(self.text.len());
        let known = (offset / APART).min(self.characters.len().saturating_sub(1));
        let before = self.characters.get(known).copied().unwrap_or(0);
        before + characters(&self.text.as_bytes()[known * APART..offset])
    }
}

/// Number of characters that begin in these bytes of a text.
fn characters(part: &[u8]) -> u32 {
    part.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u32
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
        self.files.push(SourceFile::new(path.into(), text.into()));
        FileId((self.files.len() - 1) as u16)
    }

    /// Puts the text that people shall read in the place of one that was read for them. `origins`: from which
    /// bytes of it on, in their order, and the bytes of the old text that these come from.
    pub fn replace(&mut self, file: FileId, text: impl Into<Arc<str>>, origins: &[(u32, u32)]) {
        let old = &mut self.files[file.0 as usize];
        let mut new = SourceFile::new(std::mem::take(&mut old.path), text.into());
        let lines =
            |(made, own): &(u32, u32)| (new.line_of(*made) as u32, old.line_of(*own) as u32);
        new.origins = origins.iter().map(lines).collect();
        *old = new;
    }

    /// Names parts of a file, in the order of its text.
    pub fn describe(&mut self, file: FileId, parts: Vec<(Range<u32>, Arc<str>)>) {
        self.files[file.0 as usize].parts = parts;
    }

    /// The part of a file in which a span begins, and the column there.
    pub fn part(&self, span: Span) -> Option<(&str, usize)> {
        let file = self.get(span.file);
        let behind = file.parts.partition_point(|(range, _)| range.start <= span.start);
        let (range, name) = file.parts.get(behind.checked_sub(1)?)?;
        if span.start > range.end {
            return None;
        }
        let before = file.characters_before(span.start as usize)
            - file.characters_before(range.start as usize);
        Some((name, before as usize + 1))
    }

    /// Reads a file, without its byte-order mark.
    ///
    /// # Errors
    /// What is at this path cannot be read, is longer than [`MAX_FILE_SIZE`], is empty, or is not
    /// text. Text that is not in UTF-8 is read as Latin-1 ([`SourceFile::latin1`]). Where the fault is inside the file, the readable part is added all the same,
    /// so that the diagnostic has a place.
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<FileId, Diagnostic> {
        let path = path.as_ref();
        match read(path) {
            Ok(bytes) => self.decode(path, bytes),
            Err(unreadable) => {
                let what = format!("{}: {unreadable}", path.display());
                let error = Diagnostic::without_place("unreadable-file", what);
                Err(match unreadable.hint() {
                    Some(hint) => error.hint(hint),
                    None => error,
                })
            }
        }
    }

    /// Adds a file whose bytes were read.
    ///
    /// # Errors
    /// As [`Sources::load`]: they are no text.
    pub fn decode(&mut self, path: &Path, mut bytes: Vec<u8>) -> Result<FileId, Diagnostic> {
        let fail = |what: &str| {
            Diagnostic::without_place("unreadable-file", format!("{}: {what}", path.display()))
        };
        if self.files.len() > usize::from(u16::MAX) {
            return Err(fail("too many files"));
        }
        if bytes.starts_with(b"\xEF\xBB\xBF") {
            bytes.drain(..3);
        }
        if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
            return Err(self
                .not_text(path, &bytes, 0, "the file is in UTF-16; machines are read in UTF-8")
                .hint("convert it, for example with `iconv -f UTF-16 -t UTF-8`"));
        }
        if let Some(at) = bytes.iter().position(|b| *b == 0) {
            return Err(self.not_text(path, &bytes, at, "a NUL byte: this is not a text file"));
        }
        match String::from_utf8(bytes) {
            Ok(text) if text.trim().is_empty() => Err(fail("the file is empty")),
            Ok(text) => Ok(self.add(path, text)),
            Err(error) => Ok(self.latin1(path, error.as_bytes(), error.utf8_error().valid_up_to())),
        }
    }

    /// Adds a file in which each byte is a character. `at` is the first that is no UTF-8.
    fn latin1(&mut self, path: &Path, bytes: &[u8], at: usize) -> FileId {
        let text: String = bytes.iter().copied().map(char::from).collect();
        let start: usize = bytes[..at].iter().copied().map(|b| char::from(b).len_utf8()).sum();
        let id = self.add(path, text);
        let length = char::from(bytes[at]).len_utf8();
        self.files[id.0 as usize].latin1 = Some(Span::new(id, start, start + length));
        id
    }

    /// Adds what is readable of a file, and says what is wrong at the byte `at`.
    fn not_text(&mut self, path: &Path, bytes: &[u8], at: usize, what: &str) -> Diagnostic {
        let line_end = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n);
        let line_end = line_end.min(at + 1000);
        let mut text = String::from_utf8_lossy(&bytes[..at]).into_owned();
        let start = text.len();
        text.push_str(&String::from_utf8_lossy(&bytes[at..line_end]));
        let end = start + text[start..].chars().next().map_or(0, char::len_utf8);
        let file = self.add(path, text);
        Diagnostic::error("not-text", Span::new(file, start, end), what)
    }

    pub fn get(&self, file: FileId) -> &SourceFile {
        &self.files[file.0 as usize]
    }

    pub fn contains(&self, file: FileId) -> bool {
        (file.0 as usize) < self.files.len()
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

    /// The source text before a span, in the same file.
    pub fn before(&self, span: Span) -> &str {
        self.get(span.file).text.get(..span.start as usize).unwrap_or("")
    }

    /// Line and column of the beginning of a span.
    pub fn place(&self, span: Span) -> Place {
        self.place_of(span.file, span.start)
    }

    /// Line and column just after the end of a span.
    pub fn end_place(&self, span: Span) -> Place {
        self.place_of(span.file, span.end.max(span.start))
    }

    fn place_of(&self, file: FileId, offset: u32) -> Place {
        let file = self.get(file);
        let line = file.line_of(offset);
        let start = file.line_starts[line] as usize;
        let column = file.characters_before(offset as usize) - file.characters_before(start);
        Place { line: line + 1, column: column as usize + 1 }
    }
}

impl SourceFile {
    /// Number of the line, from 0, that holds this byte.
    pub fn line_of(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|s| *s <= offset) - 1
    }

    /// The first byte of a line, counted from 0; the end of the text beyond the last one.
    pub fn line_start(&self, line: usize) -> u32 {
        self.line_starts.get(line).copied().unwrap_or(self.text.len() as u32)
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

/// Why a file could not be read.
#[derive(Debug)]
pub enum Unreadable {
    System(std::io::Error),
    Directory,
    /// A pipe or a device: reading it may never end.
    Special,
    TooLarge,
}

impl Unreadable {
    fn hint(&self) -> Option<&'static str> {
        match self {
            Unreadable::System(_) => None,
            Unreadable::Directory => Some("name a file in it"),
            Unreadable::Special => Some("`-` reads standard input"),
            Unreadable::TooLarge => {
                Some("split the machine, or move generated data into a file of definitions")
            }
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // What the system says, without its error number.
            Unreadable::System(error) => match error.kind() {
                ErrorKind::NotFound => write!(f, "there is no such file"),
                ErrorKind::PermissionDenied => write!(f, "the file may not be read"),
                _ => write!(f, "{error}"),
            },
            Unreadable::Directory => write!(f, "this is a directory"),
            Unreadable::Special => write!(f, "this is not a regular file"),
            Unreadable::TooLarge => {
                write!(f, "the file is larger than {} MiB", MAX_FILE_SIZE >> 20)
            }
        }
    }
}

/// The bytes of a regular file; nothing else is opened, so that this ends.
///
/// # Errors
/// It is no regular file, it may not be read, or it is longer than [`MAX_FILE_SIZE`].
pub fn read(path: &Path) -> Result<Vec<u8>, Unreadable> {
    let meta = std::fs::metadata(path).map_err(Unreadable::System)?;
    if meta.is_dir() {
        return Err(Unreadable::Directory);
    }
    if !meta.is_file() {
        return Err(Unreadable::Special);
    }
    if meta.len() > MAX_FILE_SIZE {
        return Err(Unreadable::TooLarge);
    }
    // The length says nothing about a file that still grows.
    let mut bytes = Vec::with_capacity(meta.len() as usize);
    let file = std::fs::File::open(path).map_err(Unreadable::System)?;
    file.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes).map_err(Unreadable::System)?;
    if bytes.len() as u64 > MAX_FILE_SIZE {
        return Err(Unreadable::TooLarge);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(bytes: &[u8]) -> (Sources, Result<FileId, Diagnostic>) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("M.mch");
        std::fs::write(&path, bytes).unwrap();
        let mut sources = Sources::new();
        let result = sources.load(&path);
        (sources, result)
    }

    #[test]
    fn the_byte_order_mark_is_no_text() {
        let (sources, id) = load(b"\xEF\xBB\xBFMACHINE M\r\nEND\r\n");
        let file = sources.get(id.unwrap());
        assert_eq!(file.text.as_ref(), "MACHINE M\r\nEND\r\n");
        assert_eq!(file.line(0), "MACHINE M");
    }

    #[test]
    fn what_is_no_text_is_refused_at_its_place() {
        let (sources, error) = load(b"MACHINE\0M");
        let error = error.unwrap_err();
        assert_eq!(error.code, "not-text");
        assert_eq!(sources.place(error.span.unwrap()), Place { line: 1, column: 8 });
        let (_, error) = load(b"\xFF\xFEM\0");
        assert!(error.unwrap_err().message.contains("UTF-16"));
    }

    #[test]
    fn what_is_no_utf8_is_read_as_latin1() {
        let (sources, id) = load(b"MACHINE M\n/* a caf\xE9, \xB0 */ END");
        let file = sources.get(id.unwrap());
        assert_eq!(file.line(1), "/* a caf\u{E9}, \u{B0} */ END");
        let place = file.latin1.expect("it is noted");
        assert_eq!(sources.place(place), Place { line: 2, column: 9 });
        assert_eq!(&file.text[place.start as usize..place.end as usize], "\u{E9}");
        // Bytes before it are characters, too: what is UTF-8 by chance is not told apart.
        let (sources, id) = load(b"/* \xC3\xA9 \xE9 */");
        assert_eq!(sources.get(id.unwrap()).line(0), "/* \u{C3}\u{A9} \u{E9} */");
    }

    #[test]
    fn files_that_cannot_be_read_are_refused() {
        let mut sources = Sources::new();
        let directory = tempfile::tempdir().unwrap();
        let message = |e: Diagnostic| e.message;
        assert!(message(sources.load(directory.path()).unwrap_err()).contains("directory"));
        let missing = directory.path().join("none.mch");
        assert!(message(sources.load(missing).unwrap_err()).contains("no such file"));
        let large = directory.path().join("large.mch");
        std::fs::File::create(&large).unwrap().set_len(MAX_FILE_SIZE + 1).unwrap();
        assert!(message(sources.load(large).unwrap_err()).contains("64 MiB"));
        assert!(message(load(b" \n ").1.unwrap_err()).contains("empty"));
    }
}
