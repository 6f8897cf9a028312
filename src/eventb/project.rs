//! Rodin projects: which files there are, in a folder or an archive, and which of their machines is
//! meant.
//!
//! Nothing is unpacked: an archive is read in memory, up to a limit, so names in it lead nowhere.

use super::levels::Levels;
use super::notation::Theories;
use super::page::Writer;
use super::resolve;
use super::rodin::{self, Component, Fault};
use super::written::{Context, Machine, outermost, seeing};
use super::{Accepted, accepted, names, rodin::Text};
use crate::clock;
use crate::diagnostic::Diagnostic;
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
    bytes: Vec<u8>,
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
    fn add(&mut self, path: PathBuf, bytes: Vec<u8>) -> Result<()> {
        clock::work(bytes.len() / 16);
        self.size += bytes.len() as u64;
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
        let bytes = source::read(&path).map_err(|error| refused(&path, error))?;
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
        files.add(archive.join(path), bytes)?;
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

/// A component whose XML was read.
struct Parsed {
    path: PathBuf,
    text: Arc<str>,
    name: Name,
    read: std::result::Result<Component, Fault>,
}

type Failed = (Sources, Vec<Diagnostic>);

fn parsed(entry: Entry, theories: &Arc<Theories>) -> Result<Parsed, Failed> {
    let mut sources = Sources::new();
    let text = match sources.decode(&entry.path, entry.bytes) {
        Ok(id) => sources.get(id).text.clone(),
        Err(error) => return Err((sources, vec![error])),
    };
    let read = rodin::component(&entry.name, &text, theories);
    Ok(Parsed { path: entry.path, text, name: entry.name, read })
}

/// The machine that is meant, with all that it refers to.
fn chosen(path: &Path, mut files: Files, levels: &Levels) -> Result<Project, Failed> {
    let mut theories = Theories::default();
    for entry in files.theories {
        let text = String::from_utf8_lossy(&entry.bytes);
        theories.extend(rodin::defined(&text).into_iter().map(|name| (name, entry.name.clone())));
    }
    let theories = Arc::new(theories);
    let all = |entries: Vec<Entry>| {
        entries.into_iter().map(|e| parsed(e, &theories)).collect::<Result<Vec<_>, _>>()
    };
    let mut machines = all(files.machines)?;
    let contexts = all(files.contexts)?;
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
    let paths = machines.iter().chain(&contexts).map(|c| c.path.clone());
    let others = paths.filter(|path| !reading.paths.contains(path)).collect();
    let (sources, file) = reading.finish(levels);
    Ok(Project { sources, file, others })
}

/// A machine that sees a context, or all that no other context extends, where there is none that is meant.
fn around(path: &Path, wanted: Option<Name>, contexts: &[Parsed]) -> Parsed {
    let extends = |c: &Parsed| match &c.read {
        Ok(Component::Context(context)) => context.extends.clone(),
        _ => Vec::new(),
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
        read: Ok(Component::Machine(machine)),
    }
}

/// The names of the machines, each before that which it refines.
fn refining_first(machines: &[Parsed]) -> Vec<&str> {
    let refined = |machine: &&Parsed| match &machine.read {
        Ok(Component::Machine(m)) => {
            machines.iter().find(|other| m.refines.as_ref() == Some(&other.name))
        }
        _ => None,
    };
    // They may refine each other in a circle.
    let below =
        |machine| std::iter::successors(Some(machine), refined).take(machines.len()).count();
    let mut ordered: Vec<&Parsed> = machines.iter().collect();
    ordered.sort_by_key(|machine| std::cmp::Reverse(below(*machine)));
    ordered.into_iter().map(|machine| &*machine.name).collect()
}

/// The one machine that no other refines.
fn most_refined(path: &Path, machines: &[Parsed]) -> Result<usize, Failed> {
    let mut refined: Vec<&Name> = Vec::new();
    for machine in machines {
        match &machine.read {
            Ok(Component::Machine(m)) => refined.extend(&m.refines),
            Ok(Component::Context(_)) => {}
            // What it refines is not known.
            Err(fault) => {
                let mut sources = Sources::new();
                let id = sources.add(&machine.path, machine.text.clone());
                return Err((sources, vec![placed(id, fault)]));
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

fn placed(id: FileId, fault: &Fault) -> Diagnostic {
    let span = Span::new(id, fault.range.start, fault.range.end);
    let error = Diagnostic::error("rodin-file", span, fault.message.clone());
    match fault.hint {
        Some(hint) => error.hint(hint),
        None => error,
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
    fn add(&mut self, component: &Parsed) -> FileId {
        self.paths.push(component.path.clone());
        self.sources.add(&component.path, component.text.clone())
    }

    /// What the machine refines.
    fn machine(&mut self, component: &Parsed) -> Option<Name> {
        let id = self.add(component);
        match &component.read {
            Ok(Component::Machine(m)) => {
                self.machines.push((id, m.clone()));
                return m.refines.clone();
            }
            Ok(Component::Context(_)) => self.errors.push(self.of_another_kind(id, "machine")),
            Err(fault) => self.errors.push(placed(id, fault)),
        }
        None
    }

    /// What the context extends.
    fn context(&mut self, component: &Parsed) -> Vec<Name> {
        let id = self.add(component);
        match &component.read {
            Ok(Component::Context(c)) => {
                self.contexts.push((id, c.clone()));
                return c.extends.clone();
            }
            Ok(Component::Machine(_)) => self.errors.push(self.of_another_kind(id, "context")),
            Err(fault) => self.errors.push(placed(id, fault)),
        }
        Vec::new()
    }

    fn of_another_kind(&self, id: FileId, wanted: &str) -> Diagnostic {
        let message = format!("by its name this file is a {wanted}, and by its content it is not");
        Diagnostic::error("rodin-file", Span::new(id, 0, 0), message)
    }

    /// Prints the components in place of the files, and puts them together.
    fn finish(mut self, levels: &Levels) -> (Sources, Result<Accepted, Vec<Diagnostic>>) {
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
        let file = resolve::resolve(found, seen, levels).and_then(|model| {
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
