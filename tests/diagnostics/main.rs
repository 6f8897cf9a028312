//! What is said about wrong and suspicious machines, and how it is drawn.

mod codes;
mod large_types;
mod many_errors;
mod refused;
mod renderings;
mod slips;
mod warnings;

use burnside::diagnostic::Diagnostic;
use burnside::normalise;
use burnside::typing::Loaded;

fn load(text: &str) -> Loaded {
    normalise::load_text("M.mch", text)
}

/// Each diagnostic with its place and code: `line:column code`.
fn found(loaded: &Loaded) -> Vec<String> {
    let line = |d: &Diagnostic| {
        let place = loaded.sources.place(d.span.expect("a place"));
        format!("{}:{} {}", place.line, place.column, d.code)
    };
    loaded.diagnostics.iter().map(line).collect()
}

fn rendered(loaded: &Loaded) -> String {
    loaded.diagnostics.iter().map(|d| d.render(&loaded.sources)).collect()
}
