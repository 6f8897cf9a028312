//! The answer to a formula, as text and as JSON.

use super::counted;
use crate::printable;
use crate::search::{Contradiction, Least};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// What is answered, printed.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    Value {
        value: String,
        ty: String,
    },
    /// The truth of a predicate without free variables; where it is false, values that make it so.
    Truth {
        truth: bool,
        values: Vec<(String, String)>,
    },
    /// The values of the free variables, and why there may be more solutions than these.
    Solutions {
        names: Vec<String>,
        rows: Vec<Vec<String>>,
        more: Option<String>,
        undecided: Option<Undecided>,
    },
    /// It is undefined: what is, with the values of its operands.
    Undefined {
        why: String,
        values: Vec<(String, String)>,
    },
    /// There is no answer here: why.
    Unknown(String),
}

/// Candidates for which something is undefined, beside those that are solutions.
#[derive(Clone, PartialEq, Debug)]
pub struct Undecided {
    pub candidates: usize,
    /// The values of the free variables in the first one.
    pub first: Vec<String>,
    /// What is undefined there, with the values of its operands.
    pub why: String,
    pub values: Vec<(String, String)>,
}

/// What was found.
pub struct Solved {
    pub reply: Reply,
    /// Where there is certainly no solution: why.
    pub contradiction: Option<Contradiction>,
    /// What propagation leaves, where that was asked for.
    pub left: Option<Constraints>,
    /// Sets of whose elements static symmetry has chosen some: of solutions that differ by them alone not all are there.
    pub chosen: Vec<String>,
}

/// What propagation leaves where nothing is tried.
#[derive(Clone, PartialEq, Debug)]
pub enum Constraints {
    /// What each name may be, and the conjuncts that may be false, as they were written.
    Open { names: Vec<String>, conjuncts: Vec<String> },
    /// There is no solution.
    Nothing,
    /// A limit was reached before that was known.
    Unknown,
}

impl Constraints {
    fn lines(&self) -> Vec<String> {
        let (names, conjuncts) = match self {
            Constraints::Nothing => return vec!["propagation leaves nothing".to_owned()],
            Constraints::Unknown => {
                return vec!["what propagation leaves was not known in time".to_owned()];
            }
            Constraints::Open { names, conjuncts } => (names, conjuncts),
        };
        let mut out = vec!["propagation leaves".to_owned()];
        out.extend(names.iter().map(|name| format!("    {name}")));
        out.push(match conjuncts.is_empty() {
            true => "and no constraint that may be false".to_owned(),
            false => "with these constraints, which may be false:".to_owned(),
        });
        out.extend(conjuncts.iter().map(|text| format!("    {text}")));
        out
    }

    fn json(&self) -> Value {
        match self {
            Constraints::Open { names, conjuncts } => {
                json!({ "kind": "open", "names": names, "conjuncts": conjuncts })
            }
            Constraints::Nothing => json!({ "kind": "nothing" }),
            Constraints::Unknown => json!({ "kind": "unknown" }),
        }
    }
}

/// The answer as lines: what it is, then what belongs to it, indented.
pub fn lines(reply: &Reply) -> Vec<String> {
    let mut lines = Vec::new();
    let named = |(name, value): &(String, String)| format!("    {name} = {value}");
    match reply {
        Reply::Value { value, ty } => lines.push(format!("{value}  : {ty}")),
        Reply::Truth { truth, values } => {
            lines.push(if *truth { "TRUE" } else { "FALSE" }.to_owned());
            lines.extend(values.iter().map(named));
        }
        Reply::Solutions { names, rows, more, undecided } => {
            let least = if more.is_some() { "at least " } else { "" };
            lines.push(match rows.len() {
                0 if more.is_some() => "not known: no solution among what was tried".to_owned(),
                0 => "no solution".to_owned(),
                n => format!("{least}{}", counted(n, "solution")),
            });
            let row = |values: &Vec<String>| {
                let pairs = names.iter().zip(values);
                let pairs: Vec<_> =
                    pairs.map(|(name, value)| format!("{name} = {value}")).collect();
                format!("    {}", pairs.join(", "))
            };
            lines.extend(rows.iter().map(row));
            lines.extend(more.iter().map(|why| format!("    {why}")));
            if let Some(Undecided { candidates, first, why, values }) = undecided {
                let which = if *candidates == 1 { "" } else { ", the first one" };
                let others = match rows.is_empty() {
                    true => counted(*candidates, "candidate"),
                    false => counted(*candidates, "other candidate"),
                };
                lines.push(format!("undefined for {others}{which}: {why}"));
                lines.push(row(first));
                let other = |(name, value): &&(String, String)| {
                    !names.iter().zip(first).any(|known| known == (name, value))
                };
                lines.extend(values.iter().filter(other).map(named));
            }
        }
        Reply::Undefined { why, values } => {
            lines.push(format!("undefined: {why}"));
            lines.extend(values.iter().map(named));
        }
        Reply::Unknown(why) => lines.push(format!("not known: {why}")),
    }
    lines.iter().map(|line| printable::line(line).into_owned()).collect()
}

/// The answers below each other, each behind its formula where there are several.
pub fn text(answers: &[(String, Reply)]) -> String {
    let mut out = String::new();
    for (formula, reply) in answers {
        if answers.len() > 1 {
            let _ = writeln!(out, "{}", printable::line(formula));
        }
        for line in lines(reply) {
            let indent = if answers.len() > 1 { "  " } else { "" };
            let _ = writeln!(out, "{indent}{line}");
        }
    }
    out
}

/// The answers as one object.
pub fn json(machine: &str, answers: &[(String, Reply)]) -> String {
    let answers: Vec<Value> =
        answers.iter().map(|(formula, reply)| object(formula, reply)).collect();
    super::json::pretty(
        &json!({ "format": super::json::FORMAT, "model": machine, "answers": answers }),
    )
}

/// What was found, as lines: the solutions, or what contradicts one another.
pub fn solved(solved: &Solved) -> String {
    let mut out = lines(&solved.reply);
    if let Some(Contradiction { conjuncts, least }) = &solved.contradiction {
        out.push(least.heading().to_owned());
        out.extend(conjuncts.iter().map(|(text, _)| format!("    {}", printable::line(text))));
    }
    let found = matches!(&solved.reply, Reply::Solutions { rows, .. } if !rows.is_empty());
    if found && !solved.chosen.is_empty() {
        let sets = solved.chosen.join(", ");
        out.push(format!(
            "some that differ by elements of {sets} alone are left out: --static-symmetry off lists all"
        ));
    }
    let left = solved.left.iter().flat_map(Constraints::lines);
    out.extend(left.map(|line| printable::line(&line).into_owned()));
    out.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// Conjuncts that contradict one another, as an object.
pub(super) fn contradiction(Contradiction { conjuncts, least }: &Contradiction) -> Value {
    let conjuncts: Vec<&str> = conjuncts.iter().map(|(text, _)| text.as_str()).collect();
    json!({
        "conjuncts": conjuncts,
        "smallest": *least == Least::Smallest,
        "irreducible": *least != Least::Perhaps,
    })
}

/// The same as an object.
pub fn solved_json(model: &str, solved: &Solved) -> String {
    let mut answer = object(model, &solved.reply);
    if let Value::Object(fields) = &mut answer {
        fields.remove("formula");
        let contradiction = solved.contradiction.as_ref().map(contradiction);
        fields.insert("contradiction".to_owned(), json!(contradiction));
        if !solved.chosen.is_empty() {
            fields.insert("static_symmetry".to_owned(), json!(solved.chosen));
        }
        if let Some(left) = &solved.left {
            fields.insert("constraints".to_owned(), left.json());
        }
    }
    super::json::pretty(&json!({ "format": super::json::FORMAT, "model": model, "answer": answer }))
}

fn object(formula: &str, reply: &Reply) -> Value {
    let named = |values: &[(String, String)]| -> Value {
        let pairs = values.iter().map(|(name, value)| (name.clone(), json!(value)));
        Value::Object(pairs.collect::<Map<_, _>>())
    };
    match reply {
        Reply::Value { value, ty } => {
            json!({ "formula": formula, "kind": "value", "value": value, "type": ty })
        }
        Reply::Truth { truth, values } => {
            let values = named(values);
            json!({ "formula": formula, "kind": "truth", "truth": truth, "values": values })
        }
        Reply::Solutions { names, rows, more, undecided } => {
            let row = |row: &Vec<String>| {
                let pairs = names.iter().cloned().zip(row.iter().cloned());
                named(&pairs.collect::<Vec<_>>())
            };
            let rows: Vec<Value> = rows.iter().map(&row).collect();
            let mut object =
                json!({ "formula": formula, "kind": "solutions", "solutions": rows, "more": more });
            if let Some(Undecided { candidates, first, why, values }) = undecided {
                let (first, values) = (row(first), named(values));
                object["undefined"] = json!({
                    "candidates": candidates, "first": first, "why": why, "values": values
                });
            }
            object
        }
        Reply::Undefined { why, values } => {
            let values = named(values);
            json!({ "formula": formula, "kind": "undefined", "why": why, "values": values })
        }
        Reply::Unknown(why) => json!({ "formula": formula, "kind": "unknown", "why": why }),
    }
}
