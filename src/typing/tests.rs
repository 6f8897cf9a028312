//! Tests of the room as a whole.

use super::*;
use std::path::PathBuf;

#[test]
fn corpus_probe() {
    for dir in ["errors", "models"] {
        let root = PathBuf::from("/work/shared/corpus").join(dir);
        let mut todo = vec![root];
        let mut files = Vec::new();
        while let Some(d) = todo.pop() {
            for e in std::fs::read_dir(d).unwrap() {
                let p = e.unwrap().path();
                if p.is_dir() { todo.push(p) } else if p.extension().is_some_and(|e| e == "mch") { files.push(p) }
            }
        }
        files.sort();
        for f in files {
            let t = std::time::Instant::now();
            let l = load_machine(&f);
            println!("== {} {} {:?}", f.display(), if l.machine.is_some() { "OK" } else { "FAIL" }, t.elapsed());
            for d in l.diagnostics.iter().take(8) {
                println!("{}", d.render(&l.sources));
            }
        }
    }
}
