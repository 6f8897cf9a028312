//! Traces in the form of ProB 2: JSON objects in files that end in `.prob2trace`.
//!
//! A step has a name, the values of its parameters and results by their names, and in `destState` the values
//! of the constants or variables after it, those that it did not change named in `destStateNotChanged`.
//! Values are written in classical B, as ours are.

use super::json::pretty;
use super::steps::StepText;
use super::trace::Unreadable;
use crate::machine::{LocalId, Machine};
use crate::run::{INITIALISATION, SETUP};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// How file names of such traces end.
pub const EXTENSION: &str = "prob2trace";

const SET_UP: &str = "$setup_constants";
const INITIALISE: &str = "$initialise_machine";

/// One step as it was read. In which order the arguments are, the machine says.
#[derive(Clone, PartialEq, Debug)]
pub struct ProbStep {
    name: String,
    params: BTreeMap<String, String>,
    results: BTreeMap<String, String>,
    changed: Vec<(String, String)>,
}

/// Whether a text looks like such a trace.
pub fn is_one(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|v| v.get("transitionList").is_some())
}

/// Reads such a trace.
///
/// # Errors
/// It is no JSON, or a field is missing or of a wrong type.
pub fn parse(text: &str) -> Result<Vec<ProbStep>, Unreadable> {
    let malformed = |e: serde_json::Error| Unreadable::Malformed(e.to_string());
    let file: Value = serde_json::from_str(text).map_err(malformed)?;
    let list = file.get("transitionList").and_then(Value::as_array);
    let list = list.ok_or_else(|| wrong("there is no list `transitionList`"))?;
    list.iter().enumerate().map(|(n, step)| one(n + 1, step)).collect()
}

fn wrong(text: &str) -> Unreadable {
    Unreadable::Malformed(text.to_owned())
}

fn one(number: usize, step: &Value) -> Result<ProbStep, Unreadable> {
    let name = step.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| wrong(&format!("step {number} has no `name`")))?.to_owned();
    let texts = |field: &str| -> Result<BTreeMap<String, String>, Unreadable> {
        match step.get(field) {
            None | Some(Value::Null) => Ok(BTreeMap::new()),
            Some(Value::Object(fields)) => {
                let text = |(name, value): (&String, &Value)| match value {
                    Value::String(text) => Ok((name.clone(), text.clone())),
                    _ => Err(Unreadable::NotText(number, name.clone())),
                };
                fields.iter().map(text).collect()
            }
            Some(_) => Err(wrong(&format!("step {number}: `{field}` is no object"))),
        }
    };
    let (params, results) = (texts("params")?, texts("results")?);
    let changed = texts("destState")?.into_iter().collect();
    Ok(ProbStep { name, params, results, changed })
}

/// The steps of a machine that are meant. `set_up`: whether it has a step that sets up its constants.
///
/// # Errors
/// An argument that the step does not give.
pub fn steps(
    read: Vec<ProbStep>,
    machine: &Machine,
    set_up: bool,
) -> Result<Vec<StepText>, Unreadable> {
    let mut steps = Vec::new();
    for (n, step) in read.into_iter().enumerate() {
        let name = match step.name.as_str() {
            SET_UP if !set_up => continue,
            SET_UP => SETUP,
            INITIALISE => INITIALISATION,
            name => name,
        };
        let operation = machine.operations.iter().find(|o| *o.name == *name);
        let of = |locals: &[LocalId], values: &BTreeMap<String, String>, needed: bool| {
            let value = |id: &LocalId| {
                let name = &machine.local(*id).name;
                match values.get(&**name) {
                    Some(value) => Ok(value.clone()),
                    // It is not compared then.
                    None if !needed => Ok("?".to_owned()),
                    None => Err(wrong(&format!("step {}: no value of `{name}`", n + 1))),
                }
            };
            locals.iter().map(value).collect::<Result<Vec<_>, _>>()
        };
        let (arguments, results) = match operation {
            Some(o) => {
                (of(&o.parameters, &step.params, true)?, of(&o.results, &step.results, false)?)
            }
            None => (Vec::new(), Vec::new()),
        };
        let operation = name.to_owned();
        steps.push(StepText {
            operation,
            arguments,
            results,
            changed: step.changed,
            failed: false,
        });
    }
    Ok(steps)
}

/// Steps in the form of ProB.
pub fn render(machine: &Machine, steps: &[StepText]) -> String {
    let mut all: BTreeMap<&str, &str> = BTreeMap::new();
    let mut list = Vec::new();
    for step in steps.iter().filter(|step| !step.failed) {
        let operation = machine.operations.iter().find(|o| *o.name == *step.operation);
        let named = |locals: &[LocalId], values: &[String]| -> Map<String, Value> {
            let names = locals.iter().map(|id| machine.local(*id).name.to_string());
            names.zip(values.iter().map(|v| json!(v))).collect()
        };
        let changed: Map<String, Value> =
            step.changed.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let kept: Vec<&str> =
            all.keys().copied().filter(|name| !changed.contains_key(*name)).collect();
        let name = match step.operation.as_str() {
            SETUP => SET_UP,
            INITIALISATION => INITIALISE,
            name => name,
        };
        list.push(json!({
            "name": name,
            "params": operation.map(|o| named(&o.parameters, &step.arguments)).unwrap_or_default(),
            "results": operation.map(|o| named(&o.results, &step.results)).unwrap_or_default(),
            "destState": changed,
            "destStateNotChanged": kept,
            "preds": Value::Null,
            "postconditions": [],
            "description": "",
        }));
        if step.operation != SETUP {
            all.extend(step.changed.iter().map(|(n, v)| (n.as_str(), v.as_str())));
        }
    }
    let names = |globals: &[crate::machine::Global]| -> Vec<String> {
        globals.iter().map(|g| g.name.to_string()).collect()
    };
    pretty(&json!({
        "description": "",
        "transitionList": list,
        "variableNames": names(&machine.variables),
        "constantNames": names(&machine.constants),
        "setNames": machine.sets.iter().map(|set| set.name.to_string()).collect::<Vec<_>>(),
        "machineOperationInfos": {},
        "globalIdentifierTypes": {},
        "metadata": {
            "fileType": "Trace",
            "formatVersion": 5,
            "creator": "burnside",
            "modelName": &*machine.name,
        },
    }))
}
