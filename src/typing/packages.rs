//! Packages: the folders that `/*@package a.b */` and `/*@import-package a.c */` speak of.
//!
//! A file of the package `a.b` lies in `a/b` below a root, and what it imports from `a.c` is looked for in `a/c` below
//! the same root. A package opens no folder: what lies outside of the open ones is refused as everything else is.

use super::pragmas::Packages;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::path::{Path, PathBuf};

/// The folders that a file imports from, and what is wrong with its packages.
pub fn imported(packages: &Packages, file: &Path) -> (Vec<PathBuf>, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let root = match &packages.own {
        Some((name, span)) => match root(name, *span, file) {
            Ok(root) => Some(root),
            Err(error) => {
                errors.push(*error);
                None
            }
        },
        None => {
            if let Some((_, span)) = packages.imported.first() {
                let message = "a file that imports from a package says which its own is";
                let error = Diagnostic::error("package", *span, message)
                    .hint("write `/*@package a.b */` first, for a file in the folder a/b");
                errors.push(error);
            }
            None
        }
    };
    let mut folders = Vec::new();
    for (name, span) in &packages.imported {
        match (parts(name, *span), &root) {
            (Ok(parts), Some(root)) => folders.push(root.join(parts.iter().collect::<PathBuf>())),
            (Ok(_), None) => {}
            (Err(error), _) => errors.push(*error),
        }
    }
    (folders, errors)
}

/// The folder below which a file of this package lies.
fn root(name: &str, span: Span, file: &Path) -> Result<PathBuf, Box<Diagnostic>> {
    let parts = parts(name, span)?;
    let folder: PathBuf = parts.iter().collect();
    // The working directory has no name of its own.
    let whole = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
    let there = whole.parent().unwrap_or(Path::new(""));
    let above = there.ancestors().nth(parts.len()).filter(|_| there.ends_with(&folder));
    above.map(Path::to_path_buf).ok_or_else(|| {
        let message = format!(
            "a file of the package {name} lies in a folder {}, and this one does not",
            folder.display()
        );
        Box::new(Diagnostic::error("package", span, message))
    })
}

/// The names in the name of a package: no part leads out of its folder.
fn parts(name: &str, span: Span) -> Result<Vec<&str>, Box<Diagnostic>> {
    let parts: Vec<&str> = name.split('.').collect();
    let is_name = |part: &&str| {
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
    };
    if parts.iter().all(is_name) {
        return Ok(parts);
    }
    let message =
        format!("`{name}` is no name of a package: these are names with `.` between them");
    Err(Box::new(Diagnostic::error("package", span, message)))
}
