//! Machines that other people wrote, where they are at hand.

use super::*;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if matches!(
            path.extension().and_then(|e| e.to_str()),
            Some("mch" | "ref" | "imp" | "def" | "sys")
        ) {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> (Sources, Parsed) {
    let mut sources = Sources::new();
    let id = sources.load(path).unwrap_or_else(|e| panic!("{}", e.message));
    let parsed = parse_file(&sources, id);
    (sources, parsed)
}

#[test]
fn all_models_parse_and_print() {
    let Some(corpus) = corpus() else { return };
    let mut found = Vec::new();
    files(&corpus.join("models"), &mut found);
    assert!(found.len() >= 70);
    for path in found {
        let (sources, parsed) = read(&path);
        let errors: String = parsed.diagnostics.iter().map(|d| d.render(&sources)).collect();
        assert_eq!(errors, "");
        if parsed.file.definition_errors.is_empty() {
            assert_round_trip(&parsed.file, &path.display().to_string());
        }
    }
}

#[test]
fn only_the_parse_error_is_one() {
    let Some(corpus) = corpus() else { return };
    let mut found = Vec::new();
    files(&corpus.join("errors"), &mut found);
    for path in found {
        let (_, parsed) = read(&path);
        let wrong = path.ends_with("ParseErrors/LexerStringError.mch");
        assert_eq!(
            !parsed.diagnostics.is_empty(),
            wrong,
            "{}: {:?}",
            path.display(),
            parsed.diagnostics
        );
    }
}
