//! The machine that a command is about: a file, standard input, or one that is part of the program.

use super::Failure;
use super::arguments::MachineFile;
use crate::clock::Clock;
use crate::eventb::Levels;
use crate::session::{Origin, Session};
use crate::setup::SetupOptions;
use crate::source;
use crate::typing::ReadOptions;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a machine comes from, and where else files may be that it includes.
#[derive(Clone, Debug)]
pub struct Input {
    origin: Origin,
    reading: ReadOptions,
}

/// Whether a file is standard input, or standard output: `-`.
pub fn is_standard(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// All of standard input.
///
/// # Errors
/// It cannot be read, or has no end soon enough.
pub fn standard() -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = source::MAX_FILE_SIZE;
    std::io::stdin().lock().take(most + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!("this is longer than {} MiB", most >> 20));
    }
    Ok(bytes)
}

impl MachineFile {
    /// The machine; standard input is read here.
    ///
    /// # Errors
    /// Standard input cannot be read; a folder that included files may come from is none.
    pub fn read(self) -> Result<Input, Failure> {
        let MachineFile { file, include } = self;
        if let Some(folder) = include.include_path.iter().find(|folder| !folder.is_dir()) {
            let what = if folder.exists() { "is not a directory" } else { "is not there" };
            let message = format!("--include-path: {} {what}", folder.display());
            return Err(Failure::Message(message));
        }
        let origin = if is_standard(&file) {
            let bytes = standard().map_err(|e| Failure::Message(format!("<stdin>: {e}")))?;
            Origin::Standard { bytes: bytes.into() }
        } else {
            Origin::File(file)
        };
        let levels = Levels { machine: include.level, alone: include.level_only };
        let reading = ReadOptions {
            include: include.include_path,
            levels,
            files: include.allow_files,
            preferences: Vec::new(),
        };
        Ok(Input { origin, reading })
    }
}

impl Input {
    /// A machine that is part of the program.
    pub fn embedded(name: &str, text: &str) -> Input {
        let origin = Origin::Embedded { name: name.to_owned(), text: text.to_owned() };
        Input { origin, reading: ReadOptions::default() }
    }

    /// A machine in a file.
    pub fn file(file: PathBuf) -> Input {
        Input { origin: Origin::File(file), reading: ReadOptions::default() }
    }

    pub fn open(&self, setup: SetupOptions, clock: &Arc<Clock>) -> Session {
        Session::open_under(self.origin.clone(), self.reading.clone(), setup, clock)
    }

    pub fn name(&self) -> String {
        self.origin.name()
    }

    /// What a machine is probably called that could not be read.
    pub fn stem(&self) -> String {
        let path = PathBuf::from(self.name());
        path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
    }
}
