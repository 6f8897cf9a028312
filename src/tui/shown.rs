//! What a state is on the screen: its names and values as they may be shown, before anything is
//! measured.

use crate::printable;
use crate::report::chosen::Followed;
use crate::session::glance::{Change, Glance};
use crate::session::pair::{Likeness, Pair, Told};
use crate::session::unfolding::{Part, Sub};
use crate::session::{ConjunctView, FaultView, StateView, VariableView};
use std::borrow::Cow;

/// A text on one line, as it may be shown.
pub fn line(text: impl AsRef<str>) -> String {
    printable::line(text.as_ref()).into_owned()
}

/// The view of a state with all its texts as they may be shown.
pub fn state(mut view: StateView) -> StateView {
    let StateView { constants, variables, invariant, assertions, faults, stopped, .. } = &mut view;
    constants.iter_mut().flat_map(|(name, value)| [name, value]).for_each(show);
    for VariableView { name, abstract_of, value, previous, difference } in variables {
        let both = difference.iter_mut().flat_map(|(added, removed)| [added, removed]);
        [name, value].into_iter().chain(abstract_of).chain(previous).chain(both).for_each(show);
    }
    for ConjunctView { text, label, values, .. } in invariant.iter_mut().chain(assertions) {
        let values = values.iter_mut().flat_map(|(text, value)| [text, value]);
        std::iter::once(text).chain(label).chain(values).for_each(show);
    }
    for FaultView { operation, arguments, message, operands, .. } in faults {
        let operands = operands.iter_mut().flat_map(|(text, value)| [text, value]);
        [operation, message].into_iter().chain(arguments).chain(operands).for_each(show);
    }
    stopped.iter_mut().for_each(show);
    view
}

/// Two states side by side, with all texts as they may be shown.
pub fn pair(mut pair: Pair) -> Pair {
    let apart = match &mut pair.likeness {
        Likeness::Apart(apart) => apart.as_mut_slice(),
        Likeness::Orbit(cycles) => {
            cycles.iter_mut().flatten().for_each(show);
            &mut []
        }
        Likeness::Equal | Likeness::Unknown => &mut [],
    };
    for Told { name, left, right } in apart.iter_mut().chain(&mut pair.values) {
        [name, left, right].into_iter().for_each(show);
    }
    pair
}

/// The parts of a predicate, with all texts as they may be shown.
pub fn parts(mut subs: Vec<Sub>) -> Vec<Sub> {
    for sub in &mut subs {
        let (text, values) = match &mut sub.part {
            Part::Predicate { text, values, .. } => (Some(text), values),
            Part::Sides(values) | Part::Witness { values, .. } => (None, values),
            Part::Same { .. } | Part::NoWitness | Part::Unguarded | Part::More => continue,
        };
        let values = values.iter_mut().flat_map(|(name, value)| [name, value]);
        text.into_iter().chain(values).for_each(show);
    }
    subs
}

/// What is to be seen of a transition, with all texts as they may be shown.
pub fn glance(mut glance: Glance) -> Glance {
    for Change { name, value, difference } in &mut glance.changes {
        let both = difference.iter_mut().flat_map(|(added, removed)| [added, removed]);
        [name, value].into_iter().chain(both).for_each(show);
    }
    glance
}

/// What a reduction follows, with all texts as they may be shown.
pub fn followed(mut followed: Followed) -> Followed {
    let Followed { title, chosen, waiting, why } = &mut followed;
    std::iter::once(title).chain(chosen).chain(waiting).chain(why).for_each(show);
    followed
}

fn show(text: &mut String) {
    if let Cow::Owned(shown) = printable::line(text) {
        *text = shown;
    }
}
