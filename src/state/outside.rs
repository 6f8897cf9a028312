//! What external functions may ask for beside their arguments: a seed, and files.

use crate::source;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Why a file is not read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Denied {
    /// Nobody gave leave to read files.
    NotAllowed,
    /// It does not lie below the folder of the machine.
    Elsewhere,
    /// It is not there, or cannot be read.
    Unreadable,
}

/// What lies outside of the machine, as far as it may be asked for.
#[derive(Debug, Default)]
pub struct Outside {
    /// What chance depends on.
    pub seed: u64,
    /// The folder below which files may be read; `None`: no file may.
    folder: Option<PathBuf>,
    /// What was read: a file that changes while the machine is searched is the same to all of its states.
    known: Mutex<BTreeMap<PathBuf, Arc<[u8]>>>,
}

impl Outside {
    pub fn new(folder: Option<&Path>, seed: u64) -> Outside {
        Outside { seed, folder: folder.map(Path::to_path_buf), known: Mutex::default() }
    }

    /// Where a file or folder is.
    ///
    /// # Errors
    /// It may not be asked for, or is not there.
    pub fn place(&self, name: &str) -> Result<PathBuf, Denied> {
        let folder = self.folder.as_ref().ok_or(Denied::NotAllowed)?;
        // The folder of a file in the working directory has no name.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let folder = folder.canonicalize().map_err(|_| Denied::Unreadable)?;
        let mut path = folder.clone();
        for part in Path::new(name).components() {
            path.push(part);
            path = path.canonicalize().map_err(|_| match path.starts_with(&folder) {
                true => Denied::Unreadable,
                false => Denied::Elsewhere,
            })?;
        }
        if path.starts_with(&folder) { Ok(path) } else { Err(Denied::Elsewhere) }
    }

    /// All of a file.
    ///
    /// # Errors
    /// It may not be read, or cannot be.
    pub fn bytes(&self, name: &str) -> Result<Arc<[u8]>, Denied> {
        let path = self.place(name)?;
        let mut known = self.known.lock().map_err(|_| Denied::Unreadable)?;
        if let Some(bytes) = known.get(&path) {
            return Ok(bytes.clone());
        }
        let bytes: Arc<[u8]> = source::read(&path).map_err(|_| Denied::Unreadable)?.into();
        known.insert(path, bytes.clone());
        Ok(bytes)
    }

    /// All of a file, as text; what is no UTF-8 is read as Latin-1.
    ///
    /// # Errors
    /// As those of [`bytes`](Outside::bytes).
    pub fn text(&self, name: &str) -> Result<String, Denied> {
        let bytes = self.bytes(name)?;
        Ok(match std::str::from_utf8(&bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_below_the_folder_are_read_and_no_others() {
        let folder = tempfile::tempdir().expect("folder");
        let (own, other) = (folder.path().join("own"), folder.path().join("other"));
        std::fs::create_dir_all(own.join("data")).expect("folder");
        std::fs::create_dir_all(&other).expect("folder");
        std::fs::write(own.join("data/a.txt"), "a").expect("file");
        std::fs::write(other.join("b.txt"), "b").expect("file");
        let outside = Outside::new(Some(&own), 1);
        assert_eq!(outside.text("data/a.txt").as_deref(), Ok("a"));
        assert_eq!(outside.text("data/../data/a.txt").as_deref(), Ok("a"));
        assert_eq!(outside.text("data/none.txt"), Err(Denied::Unreadable));
        assert_eq!(outside.text("../other/b.txt"), Err(Denied::Elsewhere));
        let absolute = other.join("b.txt").display().to_string();
        assert_eq!(outside.text(&absolute), Err(Denied::Elsewhere));
        assert_eq!(outside.text("../own/data/a.txt").as_deref(), Ok("a"));
        assert_eq!(Outside::new(None, 1).text("data/a.txt"), Err(Denied::NotAllowed));
        // What was read stays as it was.
        std::fs::write(own.join("data/a.txt"), "changed").expect("file");
        assert_eq!(outside.text("data/a.txt").as_deref(), Ok("a"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_out() {
        let folder = tempfile::tempdir().expect("folder");
        let own = folder.path().join("own");
        std::fs::create_dir_all(&own).expect("folder");
        std::fs::write(folder.path().join("b.txt"), "b").expect("file");
        std::os::unix::fs::symlink("../b.txt", own.join("link.txt")).expect("link");
        assert_eq!(Outside::new(Some(&own), 1).text("link.txt"), Err(Denied::Elsewhere));
    }
}
