//! The constants of a machine that has one set-up.

use crate::clock::Clock;
use crate::eval::{Evaluator, Flow, Program};
use crate::machine::{Machine, Type};
use crate::value::Value;
use std::sync::Arc;

/// Most work for finding out whether there is one set-up, as often as a clock is asked.
const SET_UP_WORK: u64 = 1_000;

/// The constants, where the machine has one set-up, that is known soon, and no renaming of elements changes
/// what they are: a representative of a state may have its constants renamed.
pub fn only_set_up(program: &Arc<Program>) -> Option<Vec<Value>> {
    let machine = &program.instance.machine;
    if machine.constants.iter().any(|c| has_renamed(machine, &c.ty)) {
        return None;
    }
    let mut evaluator = Evaluator::new(program.clone());
    let mut found: Vec<Vec<Value>> = Vec::new();
    let mut runs = 0;
    let clock = Clock::working(SET_UP_WORK, None);
    let ended = clock.guard(|| {
        evaluator.each_setup(true, |run, constants, _| {
            if run != runs {
                found.clear();
                runs = run;
            }
            if found.first() != Some(&constants) {
                found.push(constants);
            }
            Ok(if found.len() > 1 { Flow::Break(()) } else { Flow::Continue(()) })
        })
    });
    let one = matches!(ended, Ok(Ok(()))) && found.len() == 1 && evaluator.cut().is_none();
    found.pop().filter(|_| one)
}

/// Whether a value of this type has elements that a permutation may rename.
fn has_renamed(machine: &Machine, ty: &Type) -> bool {
    match ty {
        Type::Set(set) => machine.is_sized(*set),
        Type::Integer | Type::Bool | Type::Real | Type::String => false,
        Type::Pow(of) => has_renamed(machine, of),
        Type::Pair(sides) => has_renamed(machine, &sides.0) || has_renamed(machine, &sides.1),
        Type::Record(fields) => fields.iter().any(|(_, ty)| has_renamed(machine, ty)),
        Type::Free(_) => true,
    }
}
