//! `SHOW_EVENTB_ANY_VALUES`: what the ANY at the top of an operation chooses belongs to its label.
//!
//! Such an operation `o(p) = ANY l WHERE P THEN S END` becomes `o(p, l) = SELECT P THEN S END`: its
//! choices are parameters, which counts, labels, traces and replay know already.

use super::SetupOptions;
use crate::machine::preferences;
use crate::machine::visit::Visitor;
use crate::machine::{Machine, OpId, Operation, Subst, SubstKind, TopCondition, TopKind};
use std::collections::BTreeMap;
use std::sync::Arc;

const NAME: &str = "SHOW_EVENTB_ANY_VALUES";

/// The machine with the choices as parameters, where that is asked for.
pub fn shown(machine: &Arc<Machine>, options: &SetupOptions) -> Arc<Machine> {
    let own = machine.preferences.iter().map(|p| (&*p.name, &*p.value));
    let given = options.preferences.iter().map(|(name, value)| (&**name, &**value));
    if preferences::switched(own.chain(given), NAME) != Some(true) {
        return machine.clone();
    }
    let mut changed = (**machine).clone();
    keep_for_calls(&mut changed);
    for operation in Arc::make_mut(&mut changed.operations).iter_mut().filter(|o| o.visible) {
        if !is_any(operation) {
            continue;
        }
        let span = operation.body.span;
        let any = std::mem::replace(&mut operation.body, Subst::new(SubstKind::Skip, span));
        if let SubstKind::Any(locals, pred, body) = any.kind {
            operation.parameters.extend(locals);
            operation.guard.push(TopCondition { pred, kind: TopKind::Selection, span });
            operation.body = *body;
        }
    }
    Arc::new(changed)
}

fn is_any(operation: &Operation) -> bool {
    operation.guard.is_empty() && matches!(operation.body.kind, SubstKind::Any(..))
}

/// Who calls an operation gives it the arguments that it declares: calls go to a copy that is not
/// offered.
fn keep_for_calls(machine: &mut Machine) {
    let mut copies = Vec::new();
    let mut numbers: BTreeMap<OpId, OpId> = BTreeMap::new();
    for (i, operation) in machine.operations.iter().enumerate() {
        if operation.visible && is_any(operation) {
            let number = machine.operations.len() + copies.len();
            numbers.insert(OpId(i as u32), OpId(number as u32));
            copies.push(Operation { visible: false, ..operation.clone() });
        }
    }
    let mut called = false;
    let mut redirect = |s: &mut Subst| {
        if let SubstKind::Call { operation, .. } = &mut s.kind
            && let Some(copy) = numbers.get(operation)
        {
            *operation = *copy;
            called = true;
        }
    };
    let mut visitor =
        Visitor { expr: &mut |_| {}, binder: None, pred: None, subst: Some(&mut redirect) };
    visitor.machine(machine);
    copies.iter_mut().for_each(|copy| visitor.operation(copy));
    if called {
        Arc::make_mut(&mut machine.operations).extend(copies);
    }
}
