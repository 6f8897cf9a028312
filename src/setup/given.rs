//! Constants and machine parameters that the user gives a value: equations that join the PROPERTIES.

use crate::diagnostic::Diagnostic;
use crate::machine::{Conjunct, Machine};
use crate::normalise::{asymmetric, type_predicate};
use crate::syntax::ast::{BinaryOp, Name, Node, NodeKind};
use crate::syntax::suggest::closest;
use crate::typing::Formula;

/// The machine in which each of these constants has the value beside it. A value may mention other
/// constants and sets, and the machine's definitions; variables and elements of deferred sets have
/// no meaning in it.
///
/// # Errors
/// A name that is no constant and no machine parameter, or one that is given twice, without a place;
/// a value that does not type, with spans of its node.
pub fn give_constants(
    machine: &Machine,
    given: Vec<(Name, Formula)>,
) -> Result<Machine, Vec<Diagnostic>> {
    let mut extended = machine.clone();
    // Values are fixed before there are variables.
    let mut scope = Machine { variables: Vec::new(), ..machine.clone() };
    let mut seen: Vec<&Name> = Vec::new();
    for (name, value) in &given {
        if let Some(problem) = refusal(machine, name, seen.contains(&name)) {
            return Err(vec![problem]);
        }
        seen.push(name);
        let span = value.node.span;
        let left = Node { kind: NodeKind::Name(name.clone()), span };
        let kind = NodeKind::Binary(BinaryOp::Equal, Box::new(left), Box::new(value.node.clone()));
        let equation = Formula { node: Node { kind, span }, ..value.clone() };
        let typed = type_predicate(&scope, &[], &equation)?;
        // The locals of the next value are numbered after those of this one.
        scope.locals.extend(typed.locals.iter().cloned());
        extended.locals.extend(typed.locals);
        extended.properties.push(Conjunct::of(typed.pred));
    }
    // A value may apply an external function, as any of the PROPERTIES may.
    extended.asymmetric = asymmetric::found(&mut extended);
    Ok(extended)
}

/// Why a name cannot be given a value.
fn refusal(machine: &Machine, name: &Name, again: bool) -> Option<Diagnostic> {
    let refuse = |text: &str| {
        Some(Diagnostic::without_place("constant", format!("--constant {name}: {text}")))
    };
    if again {
        return refuse("it is given a value twice");
    }
    if machine.abbreviations.iter().any(|a| a.name == *name) {
        return refuse("the PROPERTIES give it an infinite value, which stands for it everywhere");
    }
    if machine.constants.iter().any(|c| c.name == *name) {
        return None;
    }
    let mut problem = refuse("the machine has no such constant or parameter")?;
    let names = || machine.constants.iter().map(|c| &*c.name);
    let hint = match closest(name, names()) {
        Some(close) => format!("did you mean {close}?"),
        None if machine.constants.is_empty() => "it has no constants".to_owned(),
        None => format!("it has {}", names().collect::<Vec<_>>().join(", ")),
    };
    problem = problem.hint(hint);
    Some(problem)
}
