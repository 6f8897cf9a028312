//! Which files changed.
//!
//! Editors save in place, or write a new file and rename it over the old one, or delete and create.
//! Watching a file itself goes blind after the first rename, so the parent directories are watched,
//! and what counts is the content: a file has changed when its content has. Where the system sends
//! nothing (network file systems) a look once a second finds the change.

use crate::eventb;
use crate::source;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, select};
use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Quiet time after which a burst of events counts as one save.
const DEBOUNCE: Duration = Duration::from_millis(120);
/// Longest time that a burst is waited for.
const PATIENCE: Duration = Duration::from_millis(600);
/// Time between two looks without an event.
const POLL: Duration = Duration::from_secs(1);

/// Watches files until it is dropped.
pub struct Watcher {
    files: Sender<Wanted>,
    /// The files that changed, were deleted or were created, after each burst.
    pub changed: Receiver<Vec<PathBuf>>,
}

/// What is to be watched.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    pub files: Vec<PathBuf>,
    /// Those of them that were not there when somebody wanted to read them. They have changed as soon
    /// as they are there, and be it before the watch begins.
    pub missing: Vec<PathBuf>,
}

impl Watcher {
    /// Starts to watch. What the files hold now is what later contents are compared with.
    ///
    /// # Errors
    /// The system has no thread left. (A missing notification service is no error: there is polling.)
    pub fn new(wanted: Wanted) -> std::io::Result<Watcher> {
        let (send_files, new_files) = crossbeam_channel::unbounded();
        let (send_changed, changed) = crossbeam_channel::unbounded();
        let (wake, woken) = crossbeam_channel::unbounded();
        let mut known = Known { stamps: BTreeMap::new(), directories: Vec::new(), notify: None };
        known.notify = notify::recommended_watcher(move |event| {
            if is_write(&event) {
                // Nobody listens any more: the watcher is being dropped.
                let _ = wake.send(());
            }
        })
        .ok();
        known.set_files(wanted);
        std::thread::Builder::new()
            .name("burnside-watch".to_owned())
            .spawn(move || watch(&mut known, &new_files, &woken, &send_changed))?;
        Ok(Watcher { files: send_files, changed })
    }

    /// Watches these files from now on. Files that were watched before keep their known contents.
    pub fn set_files(&self, wanted: Wanted) {
        let _ = self.files.send(wanted);
    }
}

/// Whether an event can mean a new content. Reading a file makes events, too: they would wake us
/// for ever.
fn is_write(event: &notify::Result<notify::Event>) -> bool {
    match event {
        Ok(event) => match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
            EventKind::Access(_) => false,
            _ => true,
        },
        // Events were lost, perhaps.
        Err(_) => true,
    }
}

/// What a file was like when it was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stamp {
    modified: Option<SystemTime>,
    /// Length and hash of the content; `None` when it cannot be read.
    content: Option<(usize, u64)>,
}

impl Stamp {
    fn of(path: &Path) -> Stamp {
        let modified = modified(path);
        let content = match path.is_dir() {
            true => Some(components(path)),
            false => source::read(path).ok(),
        };
        let content = content.map(|bytes| {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            (bytes.len(), hasher.finish())
        });
        Stamp { modified, content }
    }
}

/// What changes of a folder that is a project: which components are in it.
fn components(folder: &Path) -> Vec<u8> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name());
    let mut names: Vec<_> =
        names.filter(|name| eventb::project::is_component(Path::new(name))).collect();
    names.sort();
    names.iter().flat_map(|name| [name.as_encoded_bytes(), b"\n"].concat()).collect()
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|m| m.modified()).ok()
}

struct Known {
    stamps: BTreeMap<PathBuf, Stamp>,
    directories: Vec<PathBuf>,
    /// `None` where the system has no such service.
    notify: Option<RecommendedWatcher>,
}

impl Known {
    fn set_files(&mut self, wanted: Wanted) {
        let mut old = std::mem::take(&mut self.stamps);
        let mut directories = Vec::new();
        for file in wanted.files {
            let directory = match file.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
                _ => PathBuf::from("."),
            };
            if !directories.contains(&directory) {
                directories.push(directory);
            }
            let stamp = old.remove(&file).unwrap_or_else(|| match wanted.missing.contains(&file) {
                true => Stamp { modified: None, content: None },
                false => Stamp::of(&file),
            });
            self.stamps.insert(file, stamp);
        }
        if let Some(notify) = &mut self.notify {
            for directory in self.directories.iter().filter(|d| !directories.contains(d)) {
                // It may be gone already.
                let _ = notify.unwatch(directory);
            }
            for directory in directories.iter().filter(|d| !self.directories.contains(d)) {
                // What cannot be watched is polled all the same.
                let _ = notify.watch(directory, RecursiveMode::NonRecursive);
            }
        }
        self.directories = directories;
    }

    /// The files that are not what they were; what they are now is remembered. `quick` believes an
    /// unchanged time of modification.
    fn changes(&mut self, quick: bool) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        for (path, stamp) in &mut self.stamps {
            if quick && modified(path) == stamp.modified {
                continue;
            }
            let now = Stamp::of(path);
            if now.content != stamp.content {
                changed.push(path.clone());
            }
            *stamp = now;
        }
        changed
    }

    /// Whether some file has another time of modification than it had.
    fn stirred(&self) -> bool {
        self.stamps.iter().any(|(path, stamp)| modified(path) != stamp.modified)
    }
}

fn watch(
    known: &mut Known,
    new_files: &Receiver<Wanted>,
    woken: &Receiver<()>,
    changed: &Sender<Vec<PathBuf>>,
) {
    // The sender of events lives as long as the notifier; without one the channel is closed.
    let never = crossbeam_channel::never();
    let woken = if known.notify.is_some() { woken } else { &never };
    loop {
        let event = select! {
            recv(new_files) -> files => match files {
                Ok(wanted) => {
                    known.set_files(wanted);
                    continue;
                }
                Err(_) => return,
            },
            recv(woken) -> _ => true,
            default(POLL) => false,
        };
        if !event && !known.stirred() {
            continue;
        }
        settle(woken);
        let files = known.changes(!event);
        if !files.is_empty() && changed.send(files).is_err() {
            return;
        }
    }
}

/// Waits until a burst of events is over.
fn settle(woken: &Receiver<()>) {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        match woken.recv_timeout(DEBOUNCE) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return,
            Err(RecvTimeoutError::Disconnected) => return std::thread::sleep(DEBOUNCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const SOON: Duration = Duration::from_secs(5);

    fn of(files: &[&PathBuf], missing: &[&PathBuf]) -> Wanted {
        let list = |files: &[&PathBuf]| files.iter().map(|f| (*f).clone()).collect();
        Wanted { files: list(files), missing: list(missing) }
    }

    /// It came between the reading and the watch.
    #[test]
    fn a_missing_file_that_is_there_by_now_has_changed() {
        let (dir, file, watcher) = setting("one");
        let late = dir.path().join("late.mch");
        fs::write(&late, "here").unwrap();
        watcher.set_files(of(&[&file, &late], &[&late]));
        assert_eq!(watcher.changed.recv_timeout(SOON).unwrap(), [late]);
    }

    fn setting(text: &str) -> (tempfile::TempDir, PathBuf, Watcher) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("m.mch");
        fs::write(&file, text).unwrap();
        let watcher = Watcher::new(of(&[&file], &[])).unwrap();
        (dir, file, watcher)
    }

    #[test]
    fn a_save_in_place_is_seen_once() {
        let (_dir, file, watcher) = setting("one");
        fs::write(&file, "two").unwrap();
        assert_eq!(watcher.changed.recv_timeout(SOON).unwrap(), [file]);
        assert!(watcher.changed.recv_timeout(Duration::from_millis(400)).is_err());
    }

    #[test]
    fn saves_by_rename_are_seen_every_time() {
        let (dir, file, watcher) = setting("one");
        for text in ["two", "three", "four"] {
            let new = dir.path().join("m.mch.new");
            fs::write(&new, text).unwrap();
            fs::rename(&new, &file).unwrap();
            assert_eq!(watcher.changed.recv_timeout(SOON).unwrap(), std::slice::from_ref(&file));
        }
    }

    #[test]
    fn deletion_and_creation_are_changes() {
        let (_dir, file, watcher) = setting("one");
        fs::remove_file(&file).unwrap();
        assert_eq!(watcher.changed.recv_timeout(SOON).unwrap(), std::slice::from_ref(&file));
        fs::write(&file, "one").unwrap();
        assert_eq!(watcher.changed.recv_timeout(SOON).unwrap(), [file]);
    }

    #[test]
    fn the_same_content_and_other_files_are_no_change() {
        let (dir, file, watcher) = setting("one");
        fs::write(&file, "one").unwrap();
        fs::write(dir.path().join("other.mch"), "two").unwrap();
        assert!(watcher.changed.recv_timeout(Duration::from_millis(1500)).is_err());
    }

    #[test]
    fn a_folder_changes_with_the_components_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().to_path_buf();
        let machine = folder.join("M.bum");
        fs::write(&machine, "one").unwrap();
        let watcher = Watcher::new(of(&[&folder, &machine], &[])).unwrap();
        fs::write(folder.join("M.bps"), "a proof").unwrap();
        assert!(watcher.changed.recv_timeout(Duration::from_millis(1500)).is_err());
        fs::write(folder.join("R.bum"), "a refinement").unwrap();
        assert_eq!(watcher.changed.recv_timeout(SOON).unwrap(), [folder]);
    }

    #[test]
    fn polling_alone_sees_changes() {
        let (_dir, file, _watcher) = setting("one");
        let stamps = BTreeMap::from([(file.clone(), Stamp::of(&file))]);
        let mut known = Known { stamps, directories: Vec::new(), notify: None };
        assert!(!known.stirred());
        fs::write(&file, "two").unwrap();
        let later = SystemTime::now() + Duration::from_secs(2);
        fs::File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
        assert!(known.stirred());
        assert_eq!(known.changes(true), [file]);
        assert!(known.changes(false).is_empty());
    }
}
