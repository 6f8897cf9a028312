//! What the compiler has made of a machine, as text and as JSON.

use super::json::{FORMAT, pretty};
use crate::eval::answers::explain::{Explanation, Line};
use crate::printable;
use serde::Serialize;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Columns of what is done, before its code.
const WIDTH: usize = 40;

#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    model: &'a str,
    #[serde(flatten)]
    explanation: &'a Explanation,
}

pub fn json(model: &str, explanation: &Explanation) -> String {
    pretty(&Report { format: FORMAT, model, explanation })
}

pub fn text(explanation: &Explanation) -> String {
    let mut out = String::new();
    let bits: u64 = explanation.variables.iter().map(|v| v.bits).sum();
    let words = match explanation.words {
        1 => "1 word".to_owned(),
        n => format!("{n} words"),
    };
    let _ = writeln!(out, "state: {words}, {bits} bits of variables");
    for held in &explanation.variables {
        let _ = writeln!(out, "  {}: {} bits, {}", held.name, held.bits, held.form);
        if let Some(why) = held.why_interned {
            let _ = writeln!(out, "      not packed: {why}");
        }
    }
    let clauses = [("invariant", &explanation.invariant), ("assertions", &explanation.assertions)];
    for (name, told) in clauses.into_iter().filter(|(_, told)| !told.is_empty()) {
        let _ = writeln!(out, "\n{name}");
        lines(told, &mut out);
    }
    for operation in &explanation.operations {
        let guard = match operation.runs {
            true => "enabled where its body has an outcome",
            false => "enabled where its guard holds",
        };
        let _ = writeln!(out, "\n{}: {guard}", operation.name);
        for (name, cells) in operation.cells.named() {
            let _ = writeln!(out, "  {name}: {}", cells.join(", "));
        }
        if let Some(variables) = &operation.remembered_by {
            let variables = match &variables[..] {
                [] => "nothing".to_owned(),
                names => names.join(", "),
            };
            let _ = writeln!(out, "  remembered by: {variables}");
        }
        for condition in &operation.shared {
            let _ = writeln!(out, "  asked once, for others, too: {condition}");
        }
        lines(&operation.guard, &mut out);
        lines(&operation.body, &mut out);
    }
    out
}

fn lines(lines: &[Line], out: &mut String) {
    for line in lines {
        let mut text = format!("  {}{}", indent(line.depth), shown(&line.what));
        let note = match (&line.code, line.candidates) {
            (code, Some(n)) => {
                let code = code.as_ref().map(|code| format!(", {code}")).unwrap_or_default();
                Some(format!("about {}{code}", number(n)))
            }
            (Some(code), None) => Some(code.clone()),
            (None, None) => None,
        };
        if let Some(note) = note {
            let gap = WIDTH.saturating_sub(text.width()).max(2);
            let _ = write!(text, "{}{}", " ".repeat(gap), shown(&note));
        }
        let _ = writeln!(out, "{text}");
    }
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

/// One line, with no gaps.
fn shown(text: &str) -> String {
    printable::line(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// An expected number; what is not known to be finite has none.
fn number(n: f64) -> String {
    match n {
        n if n >= 1e100 => "infinitely many".to_owned(),
        n if n >= 1e6 => format!("{n:.0e}"),
        n => format!("{n:.0}"),
    }
}
