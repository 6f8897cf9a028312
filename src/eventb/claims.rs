//! What a model claims of its events, in words: what is wrong where it does not hold.

use super::model::{Event, Labelled, Machine, Status};
use crate::syntax::ast::{Claim, ClaimKind, Name};

/// Operators on a variant before and after an event, which no text can hold: the typer knows what each
/// says of a number and of a set. A natural number or a finite set.
pub const BOUNDED: &str = "variant: bounded";
/// It decreases.
pub const FALLS: &str = "variant: falls";
/// It does not increase.
pub const RISES_NOT: &str = "variant: does not rise";

fn refinement(broken: String) -> Claim {
    Claim { kind: ClaimKind::Refinement, broken: broken.into() }
}

fn event(machine: &Name, event: &Event) -> String {
    format!("the abstract event `{}` ({machine})", event.name.name)
}

fn labelled(what: &str, label: &Option<Name>) -> String {
    label.as_ref().map_or_else(|| format!("a {what}"), |label| format!("the {what} `{label}`"))
}

pub fn guard(machine: &Name, of: &Event, guard: &Labelled) -> Claim {
    let guard = labelled("guard", &guard.label);
    refinement(format!("{guard} of {} does not hold", event(machine, of)))
}

pub fn action(machine: &Name, of: &Event, label: &Option<Name>) -> Claim {
    let action = labelled("action", label);
    refinement(format!("{action} of {} gives another value", event(machine, of)))
}

pub fn left_alone(machine: &Name, of: &Event, variable: &Name) -> Claim {
    refinement(format!("`{variable}` changes, which {} leaves alone", event(machine, of)))
}

pub fn of_new_event(machine: &Name, variable: &Name) -> Claim {
    refinement(format!(
        "`{variable}` of {machine} changes in an event that refines none of {machine}"
    ))
}

pub fn no_event_follows(machine: &Name, refined: &[&Name]) -> Claim {
    let names: Vec<String> = refined.iter().map(|name| format!("`{name}`")).collect();
    refinement(format!(
        "the guards of none of the abstract events {} ({machine}) hold",
        names.join(", ")
    ))
}

/// `without`: there is no witness, the abstract event itself says what fits.
pub fn witness(machine: &Name, of: &Event, chosen: &[&Name], without: bool) -> Claim {
    let names: Vec<String> = chosen.iter().map(|name| format!("`{name}`")).collect();
    let (names, event) = (names.join(", "), event(machine, of));
    refinement(match without {
        true => format!("no value of {names} lets {event} follow"),
        false => format!("no value of {names} fits the witness and {event}"),
    })
}

pub fn theorem(of: &Event, theorem: &Labelled) -> Claim {
    let theorem = labelled("theorem", &theorem.label);
    let broken = format!("{theorem} of the event `{}` does not hold", of.name.name);
    Claim { kind: ClaimKind::Theorem, broken: broken.into() }
}

/// What the variant of a machine claims of an event, with the operators that say it. What converges at
/// a level above needs no variant any more.
pub fn variant(
    machine: &Machine,
    event: &Event,
    refined: &[&Event],
) -> Option<Vec<(&'static str, Claim)>> {
    let claim = |what: &str| {
        let broken = format!("the variant of {} {what}", machine.name.name).into();
        Claim { kind: ClaimKind::Variant, broken }
    };
    let bounded = (BOUNDED, claim("is negative or infinite"));
    match event.status {
        Status::Convergent if refined.iter().all(|e| e.status != Status::Convergent) => {
            Some(vec![bounded, (FALLS, claim("does not decrease"))])
        }
        Status::Anticipated => Some(vec![bounded, (RISES_NOT, claim("increases"))]),
        _ => None,
    }
}
