//! Projects in archives.

use super::{context, load, machine, said, section};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;

const M: &str = "variable identifier=x
invariant label=inv1 predicate=`x ∈ 0‥3`
event label=INITIALISATION
  action label=act1 assignment=`x ≔ 0`
";

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a file");
        zip.write_all(bytes).expect("room");
    }
    zip.finish().expect("an archive").into_inner()
}

fn saved(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("project.zip");
    std::fs::write(&path, bytes).expect("a file");
    (folder, path)
}

fn refused(path: &Path, parts: &[&str]) {
    let loaded = load(path);
    assert!(loaded.machine.is_none());
    let text = said(&loaded);
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn an_archive_is_read_as_a_folder_is() {
    let files: Vec<(String, Vec<u8>)> =
        ["Section.bum", "Blocks.bum", "Counted.bum", "Trains.buc", "Signals.buc"]
            .into_iter()
            .map(|f| (format!("section/{f}"), std::fs::read(section().join(f)).unwrap()))
            .collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(n, b)| (n.as_str(), &b[..])).collect();
    let (_folder, path) = saved(&archive(&files));
    let name = |path: &Path| {
        let loaded = load(path);
        loaded.machine.as_ref().unwrap_or_else(|| panic!("{}", said(&loaded))).name.to_string()
    };
    assert_eq!(name(&path), "Counted");
    assert_eq!(name(&path.join("section")), "Counted");
    assert_eq!(name(&path.join("section/Blocks.bum")), "Blocks");
    refused(&path.join("section/None.bum"), &["no machine `None`"]);
}

#[test]
fn archives_with_nothing_or_too_much() {
    let (_folder, path) = saved(&archive(&[]));
    refused(&path, &["project.zip", "no machine of Rodin"]);
    let (_folder, path) = saved(&archive(&[("C.buc", context("").as_bytes())]));
    assert!(load(&path).machine.is_some());
    let m = machine(M);
    let two = [("a/M.bum", m.as_bytes()), ("b/M.bum", m.as_bytes())];
    let (_folder, path) = saved(&archive(&two));
    refused(&path, &["several projects", "project.zip/a", "project.zip/b"]);
    assert!(load(&path.join("b")).machine.is_some());
    let (_folder, path) = saved(b"this is no archive");
    refused(&path, &["project.zip", "no archive"]);
    let whole = archive(&[("M.bum", m.as_bytes())]);
    let (_folder, path) = saved(&whole[..whole.len() - 30]);
    refused(&path, &["no archive"]);
}

/// Sixty-five megabytes of blanks in a few thousand bytes, in one file and in many.
#[test]
fn what_unpacks_to_too_much_is_refused() {
    let blanks = vec![b' '; 65 << 20];
    let bytes = archive(&[("M.bum", &blanks)]);
    assert!(bytes.len() < 1 << 20);
    let (_folder, path) = saved(&bytes);
    refused(&path, &["more than 64 MiB"]);
    let part = &blanks[..9 << 20];
    let names: Vec<String> = (0..8).map(|i| format!("M{i}.bum")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, part)).collect();
    let (_folder, path) = saved(&archive(&files));
    refused(&path, &["more than 64 MiB"]);
}

#[test]
fn names_that_lead_out_are_refused() {
    let m = machine(M);
    for name in ["../M.bum", "/etc/M.bum", "a/../../M.bum"] {
        let (folder, path) = saved(&archive(&[(name, m.as_bytes())]));
        refused(&path, &["leads out of the archive"]);
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 1, "nothing is unpacked");
    }
}
