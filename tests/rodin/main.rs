//! Rodin projects: what they mean, what is wrong with them and where that is said, and archives.

mod archives;
#[path = "../common/mod.rs"]
mod common;
mod meaning;
mod wrong;

use burnside::normalise;
use burnside::typing::Loaded;
use std::path::Path;

/// A component in short lines: `tag attribute=value ..`, values with blanks between back quotes,
/// children indented.
fn component(kind: &str, lines: &str) -> String {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<org.eventb.core.{kind} version=\"5\">\n"
    );
    let mut open = false;
    let lines: Vec<&str> = lines.lines().filter(|line| !line.trim().is_empty()).collect();
    for (i, line) in lines.iter().enumerate() {
        let child = line.starts_with(' ');
        if open && !child {
            out += "</org.eventb.core.event>\n";
            open = false;
        }
        let parent = !child && lines.get(i + 1).is_some_and(|next| next.starts_with(' '));
        let (tag, mut rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        out += &format!("<org.eventb.core.{tag}");
        while let Some((name, value)) = rest.trim_start().split_once('=') {
            let (value, behind) = match value.strip_prefix('`') {
                Some(quoted) => quoted.split_once('`').expect("a closing quote"),
                None => value.split_once(' ').unwrap_or((value, "")),
            };
            let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
            out += &format!(" org.eventb.core.{name}=\"{value}\"");
            rest = behind;
        }
        out += if parent { ">\n" } else { "/>\n" };
        open |= parent;
    }
    if open {
        out += "</org.eventb.core.event>\n";
    }
    out + &format!("</org.eventb.core.{kind}>\n")
}

fn machine(lines: &str) -> String {
    component("machineFile", lines)
}

fn context(lines: &str) -> String {
    component("contextFile", lines)
}

/// A folder with these files.
fn project(files: &[(&str, String)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn section() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/section")
}

/// All that is said of a project, as it is shown.
fn said(loaded: &Loaded) -> String {
    loaded.diagnostics.iter().map(|d| d.render(&loaded.sources)).collect()
}

fn load(path: &Path) -> Loaded {
    normalise::load_machine(path)
}

fn good(path: &Path) -> Loaded {
    let loaded = load(path);
    assert!(loaded.machine.is_some(), "{}", said(&loaded));
    loaded
}
