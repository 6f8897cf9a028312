//! `SHOW_EVENTB_ANY_VALUES`: what the ANY at the top of an operation chooses belongs to its label.
//!
//! Such an operation `o(p) = ANY l WHERE P THEN S END` becomes `o(p, l) = SELECT P THEN S END`: its
//! choices are parameters, which counts, labels, traces and replay know already.

use super::SetupOptions;
use crate::machine::visit::Visitor;
use crate::machine::{Machine, OpId, Operation, Subst, SubstKind};
use std::collections::BTreeMap;
use std::sync::Arc;

const NAME: &str = "SHOW_EVENTB_ANY_VALUES";

/// The machine with the choices as parameters, where that is asked for.
pub fn shown(machine: &Arc<Machine>, options: &SetupOptions) -> Arc<Machine> {
    let own = machine.preferences.iter().map(|p| (&*p.name, &*p.value));
    let given = options.preferences.iter().map(|(name, value)| (&**name, &**value));
    let asked = own.chain(given).rfind(|(name, _)| *name == NAME);
    if asked.is_none_or(|(_, value)| value != "TRUE") {
        return machine.clone();
    }
    let mut changed = (**machine).clone();
    keep_for_calls(&mut changed);
    for operation in changed.operations.iter_mut().filter(|o| o.visible) {
        if let SubstKind::Any(locals, _, _) = &operation.body.kind {
            operation.parameters.extend(locals);
            let skip = Subst::new(SubstKind::Skip, operation.body.span);
            let any = std::mem::replace(&mut operation.body, skip);
            if let SubstKind::Any(_, condition, body) = any.kind {
                let select = SubstKind::Select(vec![(condition, *body)], None);
                operation.body = Subst::new(select, any.span);
            }
        }
    }
    Arc::new(changed)
}

/// Who calls an operation gives it the arguments that it declares: calls go to a copy that is not
/// offered.
fn keep_for_calls(machine: &mut Machine) {
    let is_any = |o: &Operation| matches!(o.body.kind, SubstKind::Any(..));
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
    copies.iter_mut().for_each(|copy| visitor.subst(&mut copy.body));
    if called {
        machine.operations.extend(copies);
    }
}
