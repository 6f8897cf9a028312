//! Where the files may be that a machine includes.
//!
//! A machine may come from anywhere, and what is quoted of a file in a message goes wherever messages
//! go. So a machine reads what lies in its own folder and below, and in the folders that its user
//! opens to it; where a path leads is decided after its symbolic links are followed.

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folders that a machine and what it includes may be read from.
pub struct Folders {
    /// That of the main file.
    root: PathBuf,
    /// Those that were opened; files are looked for in them, too.
    include: Vec<PathBuf>,
    /// Where all of them really are.
    open: Vec<PathBuf>,
    /// Those that files look into by the packages that they import from.
    imported: BTreeMap<PathBuf, Vec<PathBuf>>,
}

/// What there is under a name.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// It may be read, if it is a file.
    Inside(PathBuf),
    /// It may not.
    Outside(PathBuf),
    Nothing,
}

impl Folders {
    /// The folder of the main machine.
    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn new(root: PathBuf, include: &[PathBuf]) -> Folders {
        let all = std::iter::once(&root).chain(include).map(PathBuf::as_path);
        let open = all.filter_map(|folder| here(folder).canonicalize().ok()).collect();
        Folders { root, include: include.to_vec(), open, imported: BTreeMap::new() }
    }

    /// Files that `from` refers to may lie in these folders, too, where these are open.
    pub fn import(&mut self, from: &Path, folders: Vec<PathBuf>) {
        if !folders.is_empty() {
            self.imported.insert(from.to_path_buf(), folders);
        }
    }

    /// Looks for a file under some names: beside the file `from` that refers to it, beside the main
    /// one, in the packages that it imports from, in the folders that were opened.
    pub fn find(&self, from: &Path, names: &[String]) -> Found {
        let there = self.places(from, names).into_iter().filter(|path| path.exists());
        let there: Vec<PathBuf> = there.collect();
        let inside = || there.iter().filter(|path| self.is_open(path));
        // What is no file is told of as such, where there is no file.
        match inside().find(|path| path.is_file()).or_else(|| inside().next()) {
            Some(path) => Found::Inside(path.clone()),
            None => there.into_iter().next().map_or(Found::Nothing, Found::Outside),
        }
    }

    /// A file under one of the names, upper and lower case not told apart, that may be read.
    pub fn find_any_case(&self, from: &Path, names: &[String]) -> Option<PathBuf> {
        self.places(from, names).into_iter().find_map(|place| {
            let wanted = place.file_name()?.to_str()?.to_lowercase();
            let entries = std::fs::read_dir(here(place.parent()?)).ok()?;
            // Of several, always the same one.
            let found = entries
                .flatten()
                .map(|entry| entry.file_name())
                .filter(|name| name.to_str().is_some_and(|n| n.to_lowercase() == wanted))
                .min()?;
            let path = place.with_file_name(found);
            (path.is_file() && self.is_open(&path)).then_some(path)
        })
    }

    /// The names of files in the folders where one that `from` refers to is looked for, for suggestions; of each
    /// folder as many as can be looked through at once.
    pub fn names(&self, from: &Path) -> Vec<String> {
        const MOST: usize = 2_000;
        let folders = self.places(from, &[String::new()]);
        let mut names: Vec<String> = folders
            .iter()
            .filter_map(|folder| std::fs::read_dir(here(folder)).ok())
            .flat_map(|entries| entries.flatten().take(MOST))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Where a file is looked for, in this order.
    pub fn places(&self, from: &Path, names: &[String]) -> Vec<PathBuf> {
        let beside = from.parent().unwrap_or(&self.root);
        let imported = self.imported.get(from).into_iter().flatten();
        let folders = [beside, &self.root]
            .into_iter()
            .chain(imported.chain(&self.include).map(PathBuf::as_path));
        folders.flat_map(|folder| names.iter().map(|name| folder.join(name))).collect()
    }

    fn is_open(&self, path: &Path) -> bool {
        let real = path.canonicalize();
        real.is_ok_and(|real| self.open.iter().any(|folder| real.starts_with(folder)))
    }
}

/// A folder that can be opened: the working directory has no name.
fn here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The refusal of a file outside of the open folders; `span` is where it is referred to.
pub fn outside(path: &Path, span: Span) -> Diagnostic {
    let message = format!("{} is outside of the folder of the machine", path.display());
    let error = Diagnostic::error("include-outside", span, message);
    match path.canonicalize().ok().as_deref().and_then(Path::parent) {
        Some(folder) => error.hint(format!("--include-path {} allows it", argument(folder))),
        None => error,
    }
}

/// A folder as one types it: from the working directory where it is below that, in quotes where they
/// are needed.
fn argument(folder: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok();
    let below = here.and_then(|here| folder.strip_prefix(here).ok());
    let shown = match below {
        Some(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Some(below) => below.display().to_string(),
        None => folder.display().to_string(),
    };
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    match shown.chars().all(plain) && !shown.starts_with('-') {
        true => shown,
        false => format!("'{}'", shown.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, name: &str) -> PathBuf {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "text").unwrap();
        path
    }

    #[test]
    fn the_folder_of_the_machine_and_what_is_opened() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let main = put(root, "own/M.mch");
        put(root, "own/below/A.def");
        put(root, "lib/B.def");
        put(root, "own/C.def");
        put(root, "lib/C.def");
        let find = |include: &[&str], name: &str| {
            let include: Vec<PathBuf> = include.iter().map(|d| root.join(d)).collect();
            Folders::new(root.join("own"), &include).find(&main, &[name.to_owned()])
        };
        assert!(matches!(find(&[], "below/A.def"), Found::Inside(_)));
        assert!(matches!(find(&[], "below/../below/A.def"), Found::Inside(_)));
        let absolute = root.join("own/below/A.def").display().to_string();
        assert!(matches!(find(&[], &absolute), Found::Inside(_)));
        assert!(matches!(find(&[], "../lib/B.def"), Found::Outside(_)));
        assert_eq!(find(&[], "B.def"), Found::Nothing);
        assert!(matches!(find(&["lib"], "../lib/B.def"), Found::Inside(_)));
        assert_eq!(find(&["lib"], "B.def"), Found::Inside(root.join("lib/B.def")));
        assert_eq!(find(&["lib"], "C.def"), Found::Inside(root.join("own/C.def")));
        assert!(matches!(find(&["lib"], "/etc/passwd"), Found::Outside(_)));
        // A folder whose name only begins alike is another one.
        put(root, "own2/D.def");
        assert!(matches!(find(&[], "../own2/D.def"), Found::Outside(_)));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_first() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        let main = put(root, "own/M.mch");
        put(root, "secret/S.def");
        std::os::unix::fs::symlink(root.join("secret/S.def"), root.join("own/S.def")).unwrap();
        std::os::unix::fs::symlink(root.join("secret"), root.join("own/inner")).unwrap();
        std::os::unix::fs::symlink(root.join("own"), root.join("also")).unwrap();
        let folders = Folders::new(root.join("own"), &[]);
        for name in ["S.def", "inner/S.def", "inner/../secret/S.def"] {
            let found = folders.find(&main, &[name.to_owned()]);
            assert!(matches!(found, Found::Outside(_)), "{name}: {found:?}");
        }
        put(root, "own/T.def");
        let linked = Folders::new(root.join("also"), &[]);
        let found = linked.find(&root.join("also/M.mch"), &["T.def".to_owned()]);
        assert!(matches!(found, Found::Inside(_)));
    }

    #[test]
    fn folders_are_written_as_one_types_them() {
        assert_eq!(argument(Path::new("/no/such-folder")), "/no/such-folder");
        assert_eq!(argument(Path::new("/no/it's here")), "'/no/it'\\''s here'");
        let here = std::env::current_dir().unwrap().canonicalize().unwrap();
        assert_eq!(argument(&here), ".");
        assert_eq!(argument(&here.join("src")), "src");
    }
}
