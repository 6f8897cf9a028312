//! Rodin projects: which files there are, in a folder or an archive, and which of their machines is
//! meant.
//!
//! Nothing is unpacked: an archive is read in memory, up to a limit, so names in it lead nowhere.

use super::levels::Levels;
use super::notation::Theories;
use super::page::Writer;
use super::resolve::{self, Known};
use super::rodin::{self, Fault, Text};
use super::written::{Context, Machine, outermost, seeing};
use super::{Accepted, accepted, names};
use crate::clock;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{self, FileId, MAX_FILE_SIZE, Sources, Span};
use crate::syntax::ast::Name;
use std::fs::File;
use std::io::Read;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;
use zip::ZipArchive;

/// Most files of one project.
const MAX_FILES: usize = 10_000;

/// A file of a project.
struct Entry {
    /// What it is called in messages.
    path: PathBuf,
    name: Name,
    bytes: Result<Vec<u8>>,
}

/// The files of a project, and the machine that was named.
#[derive(Default)]
struct Files {
    machines: Vec<Entry>,
    contexts: Vec<Entry>,
    theories: Vec<Entry>,
    wanted: Option<Name>,
    /// What is wanted is a context.
    context: bool,
    size: u64,
}

/// What was read of a project.
pub struct Project {
    pub sources: Sources,
    pub file: Result<Accepted, Vec<Diagnostic>>,
    /// Files of the project that are not among the sources, and would be read again all the same.
    pub others: Vec<PathBuf>,
}

type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;

fn refused(path: &Path, what: impl std::fmt::Display) -> Box<Diagnostic> {
    let message = format!("{}: {what}", path.display());
    Box::new(Diagnostic::without_place("rodin-project", message))
}

/// Whether a path leads to a project, or to a machine of one.
pub fn is_project(path: &Path) -> bool {
    path.is_dir() || has_extension(path, &["bum", "buc", "zip"]) || archive(path).is_some()
}

/// Whether a file of this name is a machine or a context of a project.
pub fn is_component(path: &Path) -> bool {
    has_extension(path, &["bum", "buc"])
}

/// Whether a folder holds a machine or a context of Rodin.
pub fn holds_component(folder: &Path) -> bool {
    let inside = std::fs::read_dir(folder).into_iter().flatten().flatten();
    inside.take(MAX_FILES).any(|file| is_component(&file.path()))
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|e| extensions.iter().any(|x| e.eq_ignore_ascii_case(x)))
}

/// The archive that a path leads into, and where in it.
fn archive(path: &Path) -> Option<(PathBuf, PathBuf)> {
    let found = path.ancestors().find(|p| has_extension(p, &["zip"]) && p.is_file())?;
    Some((found.to_owned(), path.strip_prefix(found).ok()?.to_owned()))
}

/// Reads a project. Never panics.
pub fn read(path: &Path, levels: &Levels) -> Project {
    let files = match archive(path) {
        Some((archive, within)) => zipped(&archive, &within),
        None => beside(path),
    };
    let failed = |sources, error| Project { sources, file: Err(error), others: Vec::new() };
    match files {
        Ok(files) => {
            chosen(path, files, levels).unwrap_or_else(|(sources, error)| failed(sources, error))
        }
        Err(error) => failed(Sources::new(), vec![*error]),
    }
}

impl Files {
    fn add(&mut self, path: PathBuf, bytes: Result<Vec<u8>>) -> Result<()> {
        let length = bytes.as_ref().map_or(0, Vec::len);
        clock::work(length / 16);
        self.size += length as u64;
        if self.size > MAX_FILE_SIZE {
            let most = MAX_FILE_SIZE >> 20;
            return Err(refused(&path, format!("the project has more than {most} MiB up to here")));
        }
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = Name::from(&*stem);
        let list = if has_extension(&path, &["bum"]) {
            &mut self.machines
        } else if has_extension(&path, &["buc"]) {
            &mut self.contexts
        } else {
            &mut self.theories
        };
        list.push(Entry { path, name, bytes });
        Ok(())
    }

    /// In the order of their names, whatever the system lists first.
    fn sorted(mut self) -> Files {
        for list in [&mut self.machines, &mut self.contexts, &mut self.theories] {
            list.sort_by(|a, b| a.path.cmp(&b.path));
        }
        self
    }
}

/// Files that are read of a project: machines, contexts, and theories for their names.
const WANTED: &[&str] = &["bum", "buc", "tuf", "dtf"];

/// A folder, or a machine in it.
fn beside(path: &Path) -> Result<Files> {
    let mut files = Files::default();
    let folder = if path.is_dir() {
        path.to_owned()
    } else {
        files.wanted = path.file_stem().map(|stem| Name::from(&*stem.to_string_lossy()));
        // It is told of as any other file is that cannot be read.
        source::read(path).map_err(|error| refused(path, error))?;
        path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
    };
    let wrong = |error: std::io::Error| refused(&folder, error);
    let root = folder.canonicalize().map_err(wrong)?;
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(wrong)? {
        let name = entry.map_err(wrong)?.file_name();
        if has_extension(Path::new(&name), WANTED) {
            paths.push(match path.is_dir() || path.parent() == Some(&folder) {
                true => folder.join(&name),
                false => PathBuf::from(&name),
            });
        }
        if paths.len() > MAX_FILES {
            return Err(refused(&folder, format!("more than {MAX_FILES} files of a project")));
        }
    }
    for path in paths {
        let real = path.canonicalize().map_err(|error| refused(&path, error))?;
        if !real.starts_with(&root) {
            let message = format!("{}: this link leads out of the project", path.display());
            return Err(Box::new(Diagnostic::without_place("include-outside", message)));
        }
        let bytes = source::read(&path).map_err(|error| refused(&path, error));
        files.add(path, bytes)?;
    }
    if files.machines.is_empty() && files.contexts.is_empty() {
        return Err(no_machine(&folder));
    }
    files.context = has_extension(path, &["buc"]);
    Ok(files.sorted())
}

/// A folder without a machine or a context; perhaps a workspace was named.
fn no_machine(folder: &Path) -> Box<Diagnostic> {
    let error = refused(folder, "this folder has no machine of Rodin (.bum)");
    let below = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut projects: Vec<String> = below
        .take(MAX_FILES)
        .filter(|entry| holds_component(&entry.path()))
        .map(|entry| entry.path().display().to_string())
        .collect();
    projects.sort();
    Box::new(match projects.is_empty() {
        true => error.hint("name the folder of a project, or a machine's file"),
        false => error.hint(format!("there are projects in it: {}", projects.join(", "))),
    })
}

/// An archive, or a folder or a machine in it.
fn zipped(archive: &Path, within: &Path) -> Result<Files> {
    let wrong = |error: zip::result::ZipError| refused(archive, format!("no archive: {error}"));
    let file = File::open(archive).map_err(|error| refused(archive, error))?;
    let mut zip = ZipArchive::new(file).map_err(wrong)?;
    if zip.len() > MAX_FILES * 10 {
        return Err(refused(archive, format!("more than {} files", MAX_FILES * 10)));
    }
    let mut files = Files::default();
    // Those with machines, and with contexts.
    let (mut folders, mut others): (Vec<PathBuf>, Vec<PathBuf>) = Default::default();
    let machine = has_extension(within, &["bum", "buc"]);
    let inside = if machine { within.parent().unwrap_or(Path::new("")) } else { within };
    for number in 0..zip.len() {
        clock::work(1);
        let mut entry = zip.by_index(number).map_err(wrong)?;
        let name = entry.name().map_err(wrong)?.into_owned();
        if entry.is_dir() || !has_extension(Path::new(&name), WANTED) {
            continue;
        }
        let Some(path) = inside_of(&name) else {
            let shown: String = name.chars().flat_map(char::escape_debug).collect();
            return Err(refused(archive, format!("`{shown}` leads out of the archive")));
        };
        if !path.starts_with(inside) {
            continue;
        }
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let list = if has_extension(&path, &["bum"]) { &mut folders } else { &mut others };
        if has_extension(&path, &["bum", "buc"]) && !list.contains(&folder) {
            list.push(folder);
        }
        let left = MAX_FILE_SIZE.saturating_sub(files.size);
        let bytes = unpacked(&mut entry, left)
            .map_err(|error| refused(archive, format!("{}: {error}", path.display())))?;
        if bytes.len() as u64 > left {
            let most = MAX_FILE_SIZE >> 20;
            return Err(refused(archive, format!("its files have more than {most} MiB")));
        }
        files.add(archive.join(path), Ok(bytes))?;
    }
    if folders.is_empty() {
        folders = others;
    }
    folders.sort();
    match &folders[..] {
        [] if inside.as_os_str().is_empty() => {
            return Err(refused(archive, "this archive has no machine of Rodin (.bum)"));
        }
        [] => {
            let what = "this archive has no machine of Rodin (.bum) here";
            return Err(refused(&archive.join(inside), what));
        }
        [folder] => {
            let folder = archive.join(folder);
            let here = |entry: &Entry| entry.path.parent() == Some(&folder);
            for list in [&mut files.machines, &mut files.contexts, &mut files.theories] {
                list.retain(here);
            }
        }
        several => {
            let names: Vec<String> =
                several.iter().map(|f| archive.join(f).display().to_string()).collect();
            let error = refused(archive, "this archive has several projects");
            return Err(Box::new(error.hint(format!("name one of {}", names.join(", ")))));
        }
    }
    if machine {
        files.wanted = within.file_stem().map(|stem| Name::from(&*stem.to_string_lossy()));
        files.context = has_extension(within, &["buc"]);
    }
    Ok(files.sorted())
}

/// The path that a name in an archive is, unless it leads out of it.
fn inside_of(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(name.replace('\\', "/"));
    let plain = |part| matches!(part, path::Component::Normal(_) | path::Component::CurDir);
    path.components().all(plain).then_some(path)
}

/// The bytes of a file in an archive: one more than may be, where there are more.
fn unpacked(entry: &mut impl Read, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut entry = entry.take(most + 1);
    let mut chunk = vec![0; 1 << 16];
    loop {
        clock::work(chunk.len() / 16);
        match entry.read(&mut chunk)? {
            0 => return Ok(bytes),
            n => bytes.extend_from_slice(&chunk[..n]),
        }
    }
}

/// A component, as far as it could be read.
struct Parsed<C> {
    path: PathBuf,
    text: Arc<str>,
    name: Name,
    read: std::result::Result<C, Unread>,
}

/// Why there is no component.
enum Unread {
    /// There is no file that can be read.
    File(Box<Diagnostic>),
    /// What is in it is no text.
    Bytes(Vec<u8>),
    Xml(Fault),
}

type Failed = (Sources, Vec<Diagnostic>);

/// Reads the XML of a component.
fn parsed<C>(
    entry: Entry,
    read: impl FnOnce(&Name, &str) -> std::result::Result<C, Fault>,
) -> Parsed<C> {
    let Entry { path, name, bytes } = entry;
    let (text, read) = match bytes {
        Err(error) => (Arc::from(""), Err(Unread::File(error))),
        Ok(bytes) => {
            let mut sources = Sources::new();
            match sources.decode(&path, bytes.clone()) {
                Ok(id) => {
                    let text = sources.get(id).text.clone();
                    let read = read(&name, &text).map_err(Unread::Xml);
                    (text, read)
                }
                Err(_) => (Arc::from(""), Err(Unread::Bytes(bytes))),
            }
        }
    };
    Parsed { path, text, name, read }
}

impl<C> Parsed<C> {
    /// What is wrong with the file, which is added to these.
    fn wrong(&self, why: &Unread, sources: &mut Sources) -> Diagnostic {
        match why {
            Unread::File(error) => (**error).clone(),
            Unread::Bytes(bytes) => match sources.decode(&self.path, bytes.clone()) {
                Err(error) => error,
                Ok(_) => *refused(&self.path, "this is no text"),
            },
            Unread::Xml(fault) => {
                let id = sources.add(&self.path, self.text.clone());
                let span = Span::new(id, fault.range.start, fault.range.end);
                let error = Diagnostic::error("rodin-file", span, fault.message.clone());
                match &fault.hint {
                    Some(hint) => error.hint(hint.clone()),
                    None => error,
                }
            }
        }
    }

    /// The warning of a file that is not needed, where it could not be read.
    fn unneeded(&self) -> Option<Diagnostic> {
        let why = self.read.as_ref().err()?;
        let message = self.wrong(why, &mut Sources::new()).message;
        let shown = self.path.display().to_string();
        let message = message.strip_prefix(&format!("{shown}: ")).unwrap_or(&message);
        let message = format!("{shown}: this file cannot be read, and is not needed: {message}");
        let error = Diagnostic::without_place("unneeded-file", message);
        Some(Diagnostic { severity: Severity::Warning, ..error })
    }
}

/// The machine that is meant, with all that it refers to.
fn chosen(path: &Path, mut files: Files, levels: &Levels) -> Result<Project, Failed> {
    let mut theories = Theories::default();
    for entry in files.theories {
        let text = String::from_utf8_lossy(entry.bytes.as_deref().unwrap_or_default());
        theories.extend(rodin::defined(&text).into_iter().map(|name| (name, entry.name.clone())));
    }
    let theories = Arc::new(theories);
    let machine = |name: &Name, text: &str| rodin::machine(name, text, &theories);
    let mut machines: Vec<Parsed<Machine<Text>>> =
        files.machines.into_iter().map(|entry| parsed(entry, machine)).collect();
    let context = |name: &Name, text: &str| rodin::context(name, text, &theories);
    let contexts: Vec<Parsed<Context<Text>>> =
        files.contexts.into_iter().map(|entry| parsed(entry, context)).collect();
    let known = Known {
        machines: machines.iter().map(|m| m.name.clone()).collect(),
        contexts: contexts.iter().map(|c| c.name.clone()).collect(),
    };
    if files.context || machines.is_empty() {
        let wanted = files.wanted.take().filter(|_| files.context);
        machines = vec![around(path, wanted, &contexts)];
    }
    let main = match files.wanted {
        Some(name) => machines.iter().position(|m| m.name == name).ok_or_else(|| {
            let error = refused(path, format!("there is no machine `{name}`"));
            (Sources::new(), vec![*error])
        })?,
        None => match &levels.machine {
            Some(level) => machines.iter().position(|m| *m.name == **level).ok_or_else(|| {
                let unknown = levels.first(&refining_first(&machines)).err();
                (Sources::new(), unknown.into_iter().map(|error| *error).collect())
            })?,
            None => most_refined(path, &machines)?,
        },
    };
    let mut reading = Reading::default();
    let mut next = Some(main);
    while let Some(number) = next {
        let refined = reading.machine(&machines[number]);
        next = refined.and_then(|name| machines.iter().position(|m| m.name == name));
        let again = next.is_some_and(|n| reading.paths.contains(&machines[n].path));
        next = next.filter(|_| !again);
    }
    let mut wanted: Vec<Name> =
        reading.machines.iter().flat_map(|(_, m)| m.sees.iter().cloned()).collect();
    while let Some(name) = wanted.pop() {
        let found = contexts.iter().find(|c| c.name == name);
        if let Some(context) = found.filter(|c| !reading.paths.contains(&c.path)) {
            wanted.extend(reading.context(context));
        }
    }
    let is_other = |path: &PathBuf| !reading.paths.contains(path);
    let paths = machines.iter().map(|m| &m.path).chain(contexts.iter().map(|c| &c.path));
    let others = paths.filter(|path| is_other(path)).cloned().collect();
    let unneeded = machines.iter().filter(|m| is_other(&m.path)).filter_map(Parsed::unneeded);
    let other_contexts = contexts.iter().filter(|c| is_other(&c.path));
    let unneeded: Vec<Diagnostic> =
        unneeded.chain(other_contexts.filter_map(Parsed::unneeded)).collect();
    let (sources, file) = reading.finish(levels, &known);
    let file = file.map(|accepted| Accepted {
        warnings: accepted.warnings.into_iter().chain(unneeded).collect(),
        ..accepted
    });
    Ok(Project { sources, file, others })
}

/// A machine that sees a context, or all that no other context extends, where there is none that is meant.
fn around(
    path: &Path,
    wanted: Option<Name>,
    contexts: &[Parsed<Context<Text>>],
) -> Parsed<Machine<Text>> {
    let extends = |c: &Parsed<Context<Text>>| {
        c.read.as_ref().map_or_else(|_| Vec::new(), |context| context.extends.clone())
    };
    let all: Vec<(Name, Vec<Name>)> =
        contexts.iter().map(|c| (c.name.clone(), extends(c))).collect();
    let sees = match wanted {
        Some(name) => vec![name],
        None => outermost(all.iter().map(|(name, extends)| (name, &extends[..]))),
    };
    let machine = seeing(sees);
    Parsed {
        // No file has it: it stands beside the contexts.
        path: path.join(format!("{}.bum", machine.name)),
        text: Arc::from(""),
        name: machine.name.clone(),
        read: Ok(machine),
    }
}

/// The names of the machines, each before that which it refines.
fn refining_first(machines: &[Parsed<Machine<Text>>]) -> Vec<&str> {
    let refined = |machine: &&Parsed<Machine<Text>>| {
        let refines = machine.read.as_ref().ok()?.refines.as_ref();
        machines.iter().find(|other| refines == Some(&other.name))
    };
    // They may refine each other in a circle.
    let below =
        |machine| std::iter::successors(Some(machine), refined).take(machines.len()).count();
    let mut ordered: Vec<&Parsed<Machine<Text>>> = machines.iter().collect();
    ordered.sort_by_key(|machine| std::cmp::Reverse(below(*machine)));
    ordered.into_iter().map(|machine| &*machine.name).collect()
}

/// The one machine that no other refines.
fn most_refined(path: &Path, machines: &[Parsed<Machine<Text>>]) -> Result<usize, Failed> {
    let mut refined: Vec<&Name> = Vec::new();
    for (number, machine) in machines.iter().enumerate() {
        match &machine.read {
            Ok(m) => {
                let exists = |name: &&Name| machines.iter().any(|other| other.name == **name);
                if m.refines.as_ref().is_some_and(|name| !exists(&name)) {
                    // There is no such machine: that is what is wrong here.
                    return Ok(number);
                }
                refined.extend(&m.refines);
            }
            // What it refines is not known.
            Err(why) => {
                let mut sources = Sources::new();
                let error = machine.wrong(why, &mut sources);
                // Of what can be read in part, what is to be mended is at hand.
                let error = match matches!(why, Unread::Xml(_)) || machines.len() == 1 {
                    true => error,
                    false => {
                        error.hint("if it is not needed, name the machine to check by its file")
                    }
                };
                return Err((sources, vec![error]));
            }
        }
    }
    let leaves: Vec<usize> =
        (0..machines.len()).filter(|i| !refined.contains(&&machines[*i].name)).collect();
    match leaves[..] {
        [main] => Ok(main),
        // They refine each other in a circle, which is told of any of them.
        [] => Ok(0),
        _ => {
            let names: Vec<&str> = leaves.iter().map(|i| &*machines[*i].name).collect();
            let error = refused(
                path,
                format!("{} machines are refined by no other: {}", names.len(), names.join(", ")),
            );
            let example = machines[leaves[0]].path.display();
            let hint =
                format!("name the one to check by its file, such as {example}, or with --level");
            Err((Sources::new(), vec![error.hint(hint)]))
        }
    }
}

/// The components that are needed, as they are found.
#[derive(Default)]
struct Reading {
    sources: Sources,
    paths: Vec<PathBuf>,
    machines: Vec<(FileId, Machine<Text>)>,
    contexts: Vec<(FileId, Context<Text>)>,
    errors: Vec<Diagnostic>,
}

impl Reading {
    fn add<'c, C>(&mut self, component: &'c Parsed<C>) -> Option<(FileId, &'c C)> {
        self.paths.push(component.path.clone());
        match &component.read {
            Ok(read) => Some((self.sources.add(&component.path, component.text.clone()), read)),
            Err(why) => {
                let error = component.wrong(why, &mut self.sources);
                self.errors.push(error);
                None
            }
        }
    }

    /// What the machine refines.
    fn machine(&mut self, component: &Parsed<Machine<Text>>) -> Option<Name> {
        let (id, machine) = self.add(component)?;
        self.machines.push((id, machine.clone()));
        machine.refines.clone()
    }

    /// What the context extends.
    fn context(&mut self, component: &Parsed<Context<Text>>) -> Vec<Name> {
        let Some((id, context)) = self.add(component) else { return Vec::new() };
        self.contexts.push((id, context.clone()));
        context.extends.clone()
    }

    /// Prints the components in place of the files, and puts them together.
    fn finish(
        mut self,
        levels: &Levels,
        known: &Known,
    ) -> (Sources, Result<Accepted, Vec<Diagnostic>>) {
        let (ids, mut machines): (Vec<FileId>, Vec<Machine<Text>>) =
            self.machines.into_iter().unzip();
        super::written::inherit(&mut machines);
        let mut errors = self.errors;
        let mut shown = |sources: &mut Sources, w: Writer| {
            errors.extend(w.errors);
            sources.replace(w.file, w.text, &w.origins);
            sources.describe(w.file, w.parts);
        };
        let (mut found, mut seen) = (Vec::new(), Vec::new());
        for (id, machine) in ids.into_iter().zip(&machines) {
            let mut w = Writer::new(id);
            found.push(w.machine(machine));
            shown(&mut self.sources, w);
        }
        for (id, context) in &self.contexts {
            let mut w = Writer::new(*id);
            seen.push(w.context(context));
            shown(&mut self.sources, w);
        }
        if !errors.is_empty() {
            return (self.sources, Err(errors));
        }
        let file = resolve::resolve(found, seen, known, levels).and_then(|model| {
            let mut faults = names::labels_once(&model);
            faults.extend(names::out_of_scope(&model));
            match faults.is_empty() {
                true => accepted(model, levels),
                false => Err(faults),
            }
        });
        (self.sources, file)
    }
}
