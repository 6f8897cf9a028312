//! What it says of a machine that there is nothing with the sizes that deferred sets were given because nobody chose any:
//! whether there is something with others, and with which.

use super::{Bound, Model};
use crate::clock::Clock;
use crate::eval::{Answer, At, Evaluator, Flow, QuestionCode};
use crate::machine::footprint::Footprint;
use crate::machine::parts::Part;
use crate::machine::{Asked, ExprKind, Pred, Question, SetId, Type};
use crate::state::Instance;
use std::sync::Arc;

/// How many elements more a set is given than it has.
const FURTHER: u32 = 4;

/// Sizes after which no others are tried.
const MOST: usize = 100;

/// Most work for all of them, as often as a clock is asked.
const WORK: u64 = 3_000;

/// That the PROPERTIES have no solution with the sizes that nobody chose, which says little of the machine at others.
/// `None` where somebody chose all of them, or they have none whatever the sizes are.
pub fn without_set_up(model: &Model) -> Option<Bound> {
    if is_unsatisfiable_at_any_size(model) {
        return None;
    }
    has_open_sizes(model)
        .then(|| Bound::NoneAtOpenSizes { what: "PROPERTIES have", with: fitting_sizes(model) })
}

/// The same of the INITIALISATION. With which sizes it has an outcome is not looked for.
pub fn without_initial_state(model: &Model) -> Option<Bound> {
    has_open_sizes(model)
        .then_some(Bound::NoneAtOpenSizes { what: "INITIALISATION has", with: None })
}

fn has_open_sizes(model: &Model) -> bool {
    model.sets.iter().any(|set| set.source.is_open())
}

/// The first sizes of the sets that nobody chose a size for, in the order of how many elements they are away
/// from those they have, with which there are constants. `None` where none of those that are tried has any.
fn fitting_sizes(model: &Model) -> Option<Vec<(Arc<str>, u32)>> {
    let open: Vec<_> = model.sets.iter().filter(|set| set.source.is_open()).collect();
    let sizes: Vec<u32> = open.iter().map(|set| set.size).collect();
    let clock = Clock::working(WORK, None);
    for tried in near(&sizes).into_iter().take(MOST) {
        let named = open.iter().map(|set| &set.name).zip(&tried);
        let mut cards = model.options.cards.clone();
        cards.extend(named.clone().map(|(name, size)| (name.to_string(), u64::from(*size))));
        let found = clock.guard(|| {
            let other = model.resized(cards).ok()?;
            Some(has_set_up(&other, &clock) == Some(true))
        });
        match found {
            Ok(Some(true)) => {
                return Some(named.map(|(name, size)| (name.clone(), *size)).collect());
            }
            Ok(_) if clock.halted().is_none() => {}
            _ => return None,
        }
    }
    None
}

/// Whether the PROPERTIES have no solution whatever sizes the sets have that nobody chose a size for: what they say
/// without speaking of these has none. `false` where that is not known soon, and where somebody chose all sizes.
fn is_unsatisfiable_at_any_size(model: &Model) -> bool {
    let Asked::Predicate(pred, names) = model.program.properties().asked else { return false };
    let open = model.sets.iter().filter(|set| set.source.is_open());
    let open: Vec<SetId> = open.filter_map(|set| set_named(&model.instance, &set.name)).collect();
    if open.is_empty() {
        return false;
    }
    let apart = pred.conjuncts().iter().filter(|p| !speaks_of(Part::Pred(p), &open));
    let apart = Pred::and(apart.cloned().collect(), pred.span);
    let asked = Footprint::of_pred(&apart).locals;
    let names = names.into_iter().filter(|name| asked.contains(name)).collect();
    let clock = Clock::working(WORK, None);
    let answer = clock.guard(|| {
        let question = Question::plain(Asked::Predicate(apart, names));
        let code = QuestionCode::new(&model.program, &question).ok()?;
        let mut evaluator = Evaluator::new(model.program.clone()).for_questions(&code);
        evaluator.answer(At::Root, &code, 1).ok()
    });
    match answer {
        Ok(Some(Answer::Truth(truth))) => !truth,
        Ok(Some(Answer::Solutions(found, None))) => found.is_empty(),
        _ => false,
    }
}

fn set_named(instance: &Instance, name: &str) -> Option<SetId> {
    let at = instance.machine.sets.iter().position(|set| *set.name == *name)?;
    Some(SetId(at as u32))
}

/// Whether a formula speaks of what one of these sets has, or may do so.
fn speaks_of(part: Part<'_>, sets: &[SetId]) -> bool {
    fn is_of(ty: &Type, sets: &[SetId]) -> bool {
        match ty {
            Type::Integer | Type::Real | Type::Bool | Type::String => false,
            Type::Set(id) => sets.contains(id),
            Type::Free(_) => true,
            Type::Pow(of) => is_of(of, sets),
            Type::Pair(sides) => is_of(&sides.0, sets) || is_of(&sides.1, sets),
            Type::Record(fields) => fields.iter().any(|(_, ty)| is_of(ty, sets)),
        }
    }
    let mut speaks = match part {
        // What a description says stands elsewhere.
        Part::Expr(e) => matches!(e.kind, ExprKind::Symbolic(..)) || is_of(&e.ty, sets),
        Part::Pred(_) => false,
    };
    let mut inner = |part: Part<'_>| speaks = speaks || speaks_of(part, sets);
    part.parts(&mut inner);
    speaks
}

/// Other sizes, those that are nearest first.
fn near(sizes: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![(0, Vec::new())];
    for size in sizes {
        let with = |(far, before): &(u32, Vec<u32>)| {
            let (far, before) = (*far, before.clone());
            (1..=size + FURTHER)
                .map(move |n| (far + n.abs_diff(*size), [before.as_slice(), &[n]].concat()))
        };
        all = all.iter().flat_map(with).collect();
        all.sort();
        // All beside the first are further away with each further set.
        all.truncate(MOST + 1);
    }
    all.into_iter().map(|(_, sizes)| sizes).filter(|tried| *tried != sizes).collect()
}

/// Whether the PROPERTIES have a solution, where that is known soon.
pub fn has_set_up(model: &Model, clock: &Arc<Clock>) -> Option<bool> {
    let mut evaluator = Evaluator::new(model.program.clone());
    let mut found = false;
    let ended = clock.run(|| {
        evaluator.each_setup(false, |_, _, _| {
            found = true;
            Ok(Flow::Break(()))
        })
    });
    match ended {
        _ if found => Some(true),
        Ok(()) if evaluator.cut().is_none() => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_are_near_come_first() {
        let near = near(&[2, 2]);
        assert_eq!(near[..4], [vec![1, 2], vec![2, 1], vec![2, 3], vec![3, 2]]);
        assert!(near.contains(&vec![1, 6]) && !near.contains(&vec![2, 2]));
        assert_eq!(super::near(&[1]), [[2], [3], [4], [5]]);
        // However many sets there are.
        assert!(super::near(&[2; 40]).len() <= MOST);
    }
}
