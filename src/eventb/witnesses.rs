//! Witnesses that choose nothing: they are ignored, and it is said why.

use super::model::{Event, Machine, Model};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::Name;

/// Warns of witnesses that are for nothing which an event leaves open of those that it refines.
pub fn needless(model: &Model) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    for (level, machine) in model.machines.iter().enumerate() {
        let above = model.machines.get(level + 1);
        for event in machine.events.iter().filter(|event| !event.witnesses.is_empty()) {
            let refined = above.map_or_else(Vec::new, |m| m.refined(event));
            let open: Vec<Name> =
                refined.iter().flat_map(|other| machine.left_open(event, other)).collect();
            let needless = event.witnesses.iter().filter(|(name, _)| !open.contains(name));
            warnings.extend(needless.map(|(name, witness)| {
                let why = reason(machine, above, event, name);
                let message = format!("the witness `{name}` chooses nothing: {why}");
                let warning = Diagnostic::warning("needless-witness", witness.span, message);
                warning.hint(needed(event, &open))
            }));
        }
    }
    warnings
}

/// Why there is nothing to choose.
fn reason(machine: &Machine, above: Option<&Machine>, event: &Event, name: &str) -> String {
    let Some(above) = above else {
        return format!("`{}` refines no machine", machine.name.name);
    };
    let has = |m: &Machine, x: &str| m.variables.iter().any(|v| *v.name == *x);
    let abstraction = &above.name.name;
    match name.strip_suffix('\'') {
        Some(x) if has(machine, x) => format!("`{x}` is a variable here, too: actions write it"),
        Some(x) if has(above, x) => format!("the abstract event leaves no choice of `{x}`"),
        Some(x) => format!("`{abstraction}` has no variable `{x}`"),
        None if event.parameters.iter().any(|p| *p.name == *name) => {
            format!("`{name}` is a parameter here, too")
        }
        None if has(above, name) => {
            format!("the new value of the variable `{name}` is called `{name}'`")
        }
        None => {
            format!("no event of `{abstraction}` that is refined here has a parameter `{name}`")
        }
    }
}

/// The witnesses that the event needs and does not have.
fn needed(event: &Event, open: &[Name]) -> String {
    let is_given = |x: &Name| event.witnesses.iter().any(|(y, _)| x == y);
    let mut missing: Vec<String> =
        open.iter().filter(|x| !is_given(x)).map(|x| format!("`{x}`")).collect();
    missing.sort();
    missing.dedup();
    match (missing.is_empty(), open.is_empty()) {
        (false, _) => {
            format!("the event `{}` needs a witness for {}", event.name.name, missing.join(", "))
        }
        (true, true) => format!("remove it: the event `{}` needs no witness", event.name.name),
        (true, false) => {
            format!("remove it: the event `{}` has the witnesses that it needs", event.name.name)
        }
    }
}
