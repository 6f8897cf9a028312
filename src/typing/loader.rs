//! From a path to all the parsed files it needs: machines, and files of definitions.

use super::folders::{self, Folders, Found};
use super::{lists, packages, pragmas};
use crate::diagnostic::Diagnostic;
use crate::eventb::project::{self, Project};
use crate::eventb::{self, Accepted, Levels};
use crate::machine::external;
use crate::source::{FileId, Sources, Span};
use crate::syntax;
use crate::syntax::ast::{
    Clause, ClauseKind, Definition, DefinitionBody, DefinitionEntry, MachineFile, MachineReference,
    Name,
};
use crate::syntax::suggest;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Extensions tried for a referenced machine, in this order.
const EXTENSIONS: &[&str] = &["ref", "mch", "sys", "imp"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReferenceKind {
    Sees,
    Uses,
    Includes,
    Extends,
    Imports,
    Refines,
}

impl ReferenceKind {
    /// Whether the machine's state becomes part of the one that refers to it.
    pub fn owns(self) -> bool {
        matches!(self, ReferenceKind::Includes | ReferenceKind::Extends | ReferenceKind::Imports)
    }
}

/// One machine file with everything it refers to.
#[derive(Debug)]
pub struct Unit {
    pub file: MachineFile,
    /// Own definitions and those of included files, each with the reason why it did not parse.
    pub definitions: Vec<(Definition, Option<Diagnostic>)>,
    /// What is seen comes first, since arguments of an inclusion may use it.
    pub references: Vec<Reference>,
}

#[derive(Debug)]
pub struct Reference {
    pub kind: ReferenceKind,
    pub reference: MachineReference,
    /// Index into the units; `None` when it could not be loaded, which was reported.
    pub unit: Option<usize>,
}

impl Reference {
    pub fn span(&self) -> Span {
        self.reference.machine.span
    }

    /// The prefix it is written with, and the one of the instance it means, in an instance under
    /// this prefix: what is seen may be included elsewhere, what is included belongs to this one.
    pub fn prefixes(&self, prefix: &str) -> (String, String) {
        let local =
            self.reference.prefix.as_ref().map_or(String::new(), |p| format!("{}.", p.name));
        let full = if self.kind.owns() { format!("{prefix}{local}") } else { local.clone() };
        (local, full)
    }
}

/// How a machine is to be read, beside its file.
#[derive(Clone, Default, Debug)]
pub struct ReadOptions {
    /// Further folders that included files may come from, with those below them.
    pub include: Vec<PathBuf>,
    /// Of a model of Event-B, the machines that are meant.
    pub levels: Levels,
    /// External functions may read files below the folder of the machine.
    pub files: bool,
    /// Preferences that come before those that the machine sets: see [`SWITCHES`](crate::machine::preferences::SWITCHES).
    pub preferences: Vec<(String, String)>,
}

impl From<Vec<PathBuf>> for ReadOptions {
    fn from(include: Vec<PathBuf>) -> ReadOptions {
        ReadOptions { include, ..ReadOptions::default() }
    }
}

/// Reads and parses; the first unit is the main machine.
pub struct Loader {
    pub sources: Sources,
    pub diagnostics: Vec<Diagnostic>,
    pub units: Vec<Unit>,
    /// Path of each loaded machine, and its unit (`None` while it is being loaded).
    known: Vec<(PathBuf, Option<usize>)>,
    /// Machines being loaded, outermost first, with the place of the reference to the next.
    chain: Vec<(Name, PathBuf, Span)>,
    /// Where files may be; `None`: no file may be read.
    folders: Option<Folders>,
    /// Where files were looked for and none was, and files that could not be read: what the loading
    /// of the machine depends on besides the sources.
    pub missing: Vec<PathBuf>,
    /// Files that were read and are not among the sources.
    pub others: Vec<PathBuf>,
    /// Every declaration of every file could be read: a name that none declares is an error.
    pub names_complete: bool,
    /// External functions may read files.
    files: bool,
    /// Preferences that come before those of the machine.
    pub preferences: Vec<(String, String)>,
}

impl Loader {
    /// Loads a machine from a file. What it includes may also come from the folders `include`.
    pub fn from_path(path: &Path, options: &ReadOptions) -> Loader {
        if project::is_project(path) {
            let Project { sources, file, others } = project::read(path, &options.levels);
            let preferences = options.preferences.clone();
            let mut loader = Loader { sources, others, preferences, ..Loader::empty(None) };
            loader.event_b(file);
            return loader;
        }
        Loader::from_main(path, options, |sources| sources.load(path))
    }

    /// Loads a machine whose bytes were read, as if it were a file of this name in the working
    /// directory.
    pub fn from_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Loader {
        let path = Path::new(name);
        Loader::from_main(path, options, |sources| sources.decode(path, bytes.to_vec()))
    }

    fn from_main(
        path: &Path,
        options: &ReadOptions,
        read: impl FnOnce(&mut Sources) -> Result<FileId, Diagnostic>,
    ) -> Loader {
        let root = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let folders = Folders::new(root, &options.include);
        let mut loader = Loader {
            files: options.files,
            preferences: options.preferences.clone(),
            ..Loader::empty(Some(folders))
        };
        match read(&mut loader.sources) {
            Ok(id) if eventb::is_package(path) => loader.package(id, &options.levels),
            Ok(_) if options.levels.is_chosen() => {
                let message = "--level and --level-only are for models of Event-B: this machine has no levels";
                loader.diagnostics.push(Diagnostic::without_place("unknown-level", message));
            }
            Ok(id) => loader.main(id),
            Err(error) => loader.diagnostics.push(error),
        }
        loader
    }

    /// Loads a machine from a text; it may not refer to any file.
    pub fn from_text(name: &str, text: &str, options: &ReadOptions) -> Loader {
        let preferences = options.preferences.clone();
        let mut loader = Loader { preferences, ..Loader::empty(None) };
        let id = loader.sources.add(name, text);
        loader.main(id);
        loader
    }

    fn empty(folders: Option<Folders>) -> Loader {
        Loader {
            sources: Sources::new(),
            diagnostics: Vec::new(),
            units: Vec::new(),
            known: Vec::new(),
            chain: Vec::new(),
            folders,
            missing: Vec::new(),
            others: Vec::new(),
            names_complete: true,
            files: false,
            preferences: Vec::new(),
        }
    }

    /// The folder below which external functions may read files.
    pub fn files(&self) -> Option<Arc<Path>> {
        let folders = self.folders.as_ref().filter(|_| self.files)?;
        Some(folders.root().into())
    }

    /// An Event-B package: all it refers to is in it. What is shown is the printed model.
    fn package(&mut self, id: FileId, levels: &Levels) {
        let file = eventb::read_package(&mut self.sources, id, levels);
        self.event_b(file);
    }

    /// A model of Event-B: its components are one file by now.
    fn event_b(&mut self, model: Result<Accepted, Vec<Diagnostic>>) {
        match model {
            Ok(Accepted { file, warnings }) => {
                self.diagnostics.extend(warnings);
                self.units.push(Unit { file, definitions: Vec::new(), references: Vec::new() });
            }
            Err(errors) => self.diagnostics.extend(errors),
        }
    }

    fn main(&mut self, id: FileId) {
        // The main machine takes the first place although its references are loaded before it.
        let path = self.sources.get(id).path.clone();
        self.load(id, path);
        let last = self.units.len();
        if last > 1 {
            self.units.rotate_right(1);
            for reference in self.units.iter_mut().flat_map(|u| &mut u.references) {
                reference.unit = reference.unit.map(|u| (u + 1) % last);
            }
        }
    }

    /// Parses a file and loads what it refers to; gives its unit.
    fn load(&mut self, id: FileId, path: PathBuf) -> usize {
        let slot = self.known.len();
        self.known.push((canonical(&path), None));
        let mut file = self.parse(id);
        self.packages(id, &path);
        let mut definitions = Vec::new();
        let mut chain = vec![path.clone()];
        self.definitions(&file, &path, &mut chain, &mut definitions, &mut Vec::new());
        lists::write_out(&mut file, &definitions);
        let mut references = Vec::new();
        let name = file.name.name.clone();
        for (kind, reference) in references_of(&file) {
            self.chain.push((name.clone(), path.clone(), reference.machine.span));
            let unit = self.reference(&reference, &path);
            self.chain.pop();
            references.push(Reference { kind, reference, unit });
        }
        references.sort_by_key(|r| r.kind.owns());
        self.units.push(Unit { file, definitions, references });
        self.known[slot].1 = Some(self.units.len() - 1);
        self.units.len() - 1
    }

    /// Notes the folders that a file imports from.
    fn packages(&mut self, id: FileId, path: &Path) {
        let Some(folders) = &mut self.folders else { return };
        let (imported, errors) = packages::imported(&pragmas::packages(&self.sources, id), path);
        folders.import(path, imported);
        self.diagnostics.extend(errors);
    }

    fn parse(&mut self, id: FileId) -> MachineFile {
        if let Some(place) = self.sources.get(id).latin1 {
            let message = "the file is not in UTF-8 from here on: it is read as Latin-1";
            let warning = Diagnostic::warning("not-utf8", place, message)
                .hint("convert it, for example with `iconv -f LATIN1 -t UTF-8`");
            self.diagnostics.push(warning);
        }
        let parsed = syntax::parse_file(&self.sources, id);
        self.diagnostics.extend(parsed.diagnostics);
        self.names_complete &= parsed.file.names_complete;
        parsed.file
    }

    fn reference(&mut self, reference: &MachineReference, from: &Path) -> Option<usize> {
        let name = &reference.machine.name;
        let span = reference.machine.span;
        let Some(path) = (match self.find_machine(reference, from) {
            Found::Inside(path) => Some(path),
            Found::Outside(path) => {
                self.refuse(&path, span);
                return None;
            }
            Found::Nothing => None,
        }) else {
            if let Some(unit) = self.built_in_machine(name) {
                return unit;
            }
            let message = match (&self.folders, &reference.file) {
                (None, _) => {
                    format!("the machine `{name}` cannot be loaded: there is no directory")
                }
                (_, Some((path, _))) => format!("there is no file {path} for the machine `{name}`"),
                _ => format!("there is no file for the machine `{name}`"),
            };
            let tried: Vec<String> = EXTENSIONS.iter().map(|e| format!("{name}.{e}")).collect();
            let ending = reference.prefix.as_ref().filter(|_| EXTENSIONS.contains(&&**name));
            let hint = match (ending, external::library(&format!("{name}.def"))) {
                (Some(machine), _) => {
                    let machine = &machine.name;
                    format!("a machine is named without the ending of its file: write `{machine}`")
                }
                (None, Some(library)) => {
                    format!("it is built in as definitions: DEFINITIONS \"{library}\"")
                }
                (None, None) => {
                    let looked =
                        format!("looked for {} beside {}", tried.join(", "), from.display());
                    match self.similar(name, from, EXTENSIONS) {
                        Some(close) => format!("did you mean `{}`? {looked}", stem(&close)),
                        None => looked,
                    }
                }
            };
            let diagnostic = Diagnostic::error("file-not-found", span, message).hint(hint);
            let diagnostic = self.with_chain(diagnostic);
            self.diagnostics.push(diagnostic);
            return None;
        };
        let canonical = canonical(&path);
        match self.known.iter().find(|(known, _)| *known == canonical) {
            Some((_, Some(unit))) => Some(*unit),
            Some((_, None)) => {
                self.cycle(name, &canonical, span);
                None
            }
            None => match self.sources.load(&path) {
                Ok(id) => Some(self.load(id, path)),
                Err(error) => {
                    self.unreadable(path, error, span);
                    None
                }
            },
        }
    }

    /// A machine of the standard library that need not lie on the disk.
    fn built_in_machine(&mut self, name: &str) -> Option<Option<usize>> {
        let text = external::machine_text(name)?;
        let path = PathBuf::from(format!("{name}.mch"));
        if let Some((_, unit)) = self.known.iter().find(|(known, _)| *known == path) {
            return Some(*unit);
        }
        let id = self.sources.add(path.clone(), text);
        Some(Some(self.load(id, path)))
    }

    /// A file that was found and cannot be read, at the reference to it.
    fn unreadable(&mut self, path: PathBuf, error: Diagnostic, span: Span) {
        self.missing.push(path);
        let diagnostic = self.with_chain(Diagnostic { span: error.span.or(Some(span)), ..error });
        self.diagnostics.push(diagnostic);
    }

    /// A machine that refers to itself, with the way around.
    fn cycle(&mut self, name: &Name, path: &Path, span: Span) {
        let from = self.chain.iter().position(|(_, p, _)| canonical(p) == path).unwrap_or(0);
        let mut names: Vec<String> =
            self.chain[from..].iter().map(|(name, ..)| name.to_string()).collect();
        names.push(name.to_string());
        let message = format!("machines refer to each other: {}", names.join(" -> "));
        let diagnostic = Diagnostic::error("include-cycle", span, message);
        let diagnostic = self.with_chain(diagnostic);
        self.diagnostics.push(diagnostic);
    }

    /// Adds the references that led here.
    fn with_chain(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let outer = self.chain.len().saturating_sub(1);
        for (name, _, span) in self.chain[..outer].iter().rev().take(5) {
            diagnostic = diagnostic.note(*span, format!("`{name}` refers to it here"));
        }
        diagnostic
    }

    /// A file that may not be read, at the reference to it.
    fn refuse(&mut self, path: &Path, span: Span) {
        let diagnostic = self.with_chain(folders::outside(path, span));
        self.diagnostics.push(diagnostic);
    }

    /// The name of a file with one of these extensions whose stem is close to a name that no file has.
    fn similar(&self, name: &str, from: &Path, extensions: &[&str]) -> Option<String> {
        let names = self.folders.as_ref()?.names(from);
        let of_kind = |file: &&String| {
            let extension = file.rsplit_once('.').map(|(_, extension)| extension);
            extension.is_some_and(|extension| extensions.contains(&extension))
        };
        let known: Vec<&String> = names.iter().filter(of_kind).collect();
        let close = suggest::closest(name, known.iter().map(|file| stem(file)))?;
        known.iter().find(|file| stem(file) == close).map(|file| (*file).clone())
    }

    fn find_machine(&mut self, reference: &MachineReference, from: &Path) -> Found {
        let name = &reference.machine.name;
        let names: Vec<String> = match &reference.file {
            Some((path, _)) => vec![path.to_string()],
            None => EXTENSIONS.iter().map(|extension| format!("{name}.{extension}")).collect(),
        };
        self.find(from, &names, reference.machine.span)
    }

    /// Looks for a file; where there is none of these names, for one whose name differs in case only.
    fn find(&mut self, from: &Path, names: &[String], span: Span) -> Found {
        let Some(folders) = &self.folders else { return Found::Nothing };
        let found = folders.find(from, names);
        if found != Found::Nothing {
            return found;
        }
        self.missing.extend(folders.places(from, names));
        let Some(path) = folders.find_any_case(from, names) else { return Found::Nothing };
        let shown = path.file_name().unwrap_or_default().display().to_string();
        let message =
            format!("the name of the file is {shown}: it differs in upper and lower case");
        let warning = Diagnostic::warning("file-name-case", span, message)
            .hint("other systems do not find it under this name");
        let warning = self.with_chain(warning);
        self.diagnostics.push(warning);
        Found::Inside(path)
    }

    // ---- files of definitions

    /// Collects the definitions of a file and of those it includes. `chain`: the files on the way
    /// here; `done`: all files of definitions included so far.
    fn definitions(
        &mut self,
        file: &MachineFile,
        path: &Path,
        chain: &mut Vec<PathBuf>,
        out: &mut Vec<(Definition, Option<Diagnostic>)>,
        done: &mut Vec<PathBuf>,
    ) {
        for clause in &file.clauses {
            let (ClauseKind::Definitions(entries)
            | ClauseKind::Expressions(entries)
            | ClauseKind::Predicates(entries)) = &clause.kind
            else {
                continue;
            };
            for entry in entries {
                match entry {
                    DefinitionEntry::Definition(definition) => {
                        let error = match definition.body {
                            DefinitionBody::Error => file
                                .definition_errors
                                .iter()
                                .find(|(name, _)| *name == definition.name.name)
                                .map(|(_, error)| error.clone()),
                            _ => None,
                        };
                        out.push((definition.clone(), error));
                    }
                    DefinitionEntry::Include { path: name, span } => {
                        self.include_definitions(name, *span, path, chain, out, done);
                    }
                }
            }
        }
    }

    fn include_definitions(
        &mut self,
        name: &str,
        span: Span,
        from: &Path,
        chain: &mut Vec<PathBuf>,
        out: &mut Vec<(Definition, Option<Diagnostic>)>,
        done: &mut Vec<PathBuf>,
    ) {
        let found = self.find(from, &[name.to_owned()], span);
        if let Found::Outside(path) = found {
            return self.refuse(&path, span);
        }
        let Found::Inside(path) = found else {
            if let Some(library) = external::library(file_name(name)) {
                self.built_in(library, out, done);
                return;
            }
            if external::is_of_another_tool(file_name(name)) {
                let message = format!("nothing is known here of the functions of {name}");
                let hint = "a definition that uses them can stand here, but nothing that is checked may use it";
                let warning = Diagnostic::warning("unknown-library", span, message);
                self.diagnostics.push(warning.hint(hint));
                return;
            }
            let message = format!("the file of definitions {name} was not found");
            let diagnostic = Diagnostic::error("file-not-found", span, message);
            let stem = stem(file_name(name));
            let library = suggest::closest(file_name(name), external::libraries());
            let close = self.similar(stem, from, &["def"]).or_else(|| library.map(str::to_owned));
            self.diagnostics.push(match close {
                Some(close) => diagnostic.hint(format!("did you mean \"{close}\"?")),
                None => diagnostic,
            });
            return;
        };
        let key = canonical(&path);
        if let Some(at) = chain.iter().position(|p| canonical(p) == key) {
            let mut names: Vec<String> =
                chain[at..].iter().map(|p| p.display().to_string()).collect();
            names.push(path.display().to_string());
            let message =
                format!("files of definitions include each other: {}", names.join(" -> "));
            self.diagnostics.push(Diagnostic::error("include-cycle", span, message));
            return;
        }
        if done.contains(&key) {
            return;
        }
        done.push(key);
        match self.sources.load(&path) {
            Ok(id) => {
                let file = self.parse(id);
                chain.push(path.clone());
                self.definitions(&file, &path, chain, out, done);
                chain.pop();
            }
            Err(error) => self.unreadable(path, error, span),
        }
    }

    /// The definitions of a library that need not lie on the disk.
    fn built_in(
        &mut self,
        library: &'static str,
        out: &mut Vec<(Definition, Option<Diagnostic>)>,
        done: &mut Vec<PathBuf>,
    ) {
        let path = PathBuf::from(library);
        if done.contains(&path) {
            return;
        }
        done.push(path.clone());
        let id = self.sources.add(library, external::library_text(library));
        let parsed = syntax::parse_file(&self.sources, id);
        self.diagnostics.extend(parsed.diagnostics);
        self.definitions(&parsed.file, &path, &mut vec![path.clone()], out, done);
    }
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The name of a file without its extension.
fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn references_of(file: &MachineFile) -> Vec<(ReferenceKind, MachineReference)> {
    let mut found = Vec::new();
    if let Some(abstraction) = &file.refines {
        let reference = MachineReference {
            prefix: None,
            machine: abstraction.clone(),
            arguments: Vec::new(),
            file: None,
        };
        found.push((ReferenceKind::Refines, reference));
    }
    for Clause { kind, .. } in &file.clauses {
        let (kind, references) = match kind {
            ClauseKind::Sees(r) => (ReferenceKind::Sees, r),
            ClauseKind::Uses(r) => (ReferenceKind::Uses, r),
            ClauseKind::Includes(r) => (ReferenceKind::Includes, r),
            ClauseKind::Extends(r) => (ReferenceKind::Extends, r),
            ClauseKind::Imports(r) => (ReferenceKind::Imports, r),
            _ => continue,
        };
        found.extend(references.iter().map(|r| (kind, r.clone())));
    }
    found
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
