//! What is told of files and folders.

use super::{Call, text};
use crate::lower::stop::FaultKind;
use crate::state::Denied;
use crate::value::{Value, sequence};
use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// `READ_FILE_AS_STRINGS(file)`: its lines.
pub(super) fn lines(c: &Call, a: &[Value]) -> Result<Value, FaultKind> {
    let content = c.outside.text(text(&a[0]))?;
    let lines = content.lines().map(|line| Value::String(Arc::from(line))).collect();
    Ok(sequence::from_items(&c.result, lines))
}

/// The names of the files, or of the folders, in a folder; `full`: with the way to them.
pub(super) fn listed(
    c: &Call,
    folder: &str,
    folders: bool,
    full: bool,
) -> Result<Value, FaultKind> {
    let path = c.outside.place(folder)?;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&path).map_err(|_| Denied::Unreadable)? {
        let Ok(entry) = entry else { continue };
        let Ok(told) = std::fs::metadata(entry.path()) else { continue };
        if told.is_dir() == folders {
            let name = entry.file_name().to_string_lossy().into_owned();
            let name = if full { Path::new(folder).join(name).display().to_string() } else { name };
            found.push(Value::String(name.into()));
        }
    }
    Ok(c.result.collect(found))
}

pub(super) fn exists(c: &Call, name: &str, folder: bool) -> Result<Value, FaultKind> {
    match c.outside.place(name) {
        Ok(path) => Ok(Value::bool(if folder { path.is_dir() } else { path.is_file() })),
        Err(Denied::Unreadable) => Ok(Value::FALSE),
        Err(denied) => Err(denied.into()),
    }
}

fn told(c: &Call, name: &str) -> Result<Metadata, FaultKind> {
    Ok(std::fs::metadata(c.outside.place(name)?).map_err(|_| Denied::Unreadable)?)
}

/// `FILE_PROPERTY(file, "readable")` and its like.
pub(super) fn is(c: &Call, a: &[Value]) -> Result<Value, FaultKind> {
    let told = told(c, text(&a[0]))?;
    Ok(Value::bool(match text(&a[1]) {
        "readable" => true,
        "writable" => !told.permissions().readonly(),
        "searchable" => told.is_dir(),
        "executable" => is_executable(&told),
        _ => return Err(c.refusal()),
    }))
}

#[cfg(unix)]
fn is_executable(told: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    told.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    false
}

/// `FILE_PROPERTY_VALUE(file, "size_in_bytes")`, `.. "modify_timestamp"` and its like.
pub(super) fn figure(c: &Call, a: &[Value]) -> Result<Value, FaultKind> {
    let told = told(c, text(&a[0]))?;
    let moment = |at: io::Result<SystemTime>| {
        let since = at.ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        since.map(|d| Value::Int(d.as_secs() as i64)).ok_or(FaultKind::from(Denied::Unreadable))
    };
    match text(&a[1]) {
        "size_in_bytes" => Ok(Value::integer(told.len().into())),
        "modify_timestamp" => moment(told.modified()),
        "create_timestamp" => moment(told.created().or_else(|_| told.modified())),
        "access_timestamp" => moment(told.accessed()),
        _ => Err(c.refusal()),
    }
}
