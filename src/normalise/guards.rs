//! What enables an operation, and what it does then.
//!
//! A precondition at the top of an operation, and selections with one branch below it or instead of it, say
//! when the operation is enabled; what is below them is its body. Whatever an operation was written as, an
//! event or a machine's operation, it is told so from here on.

use crate::machine::{Machine, Operation, Subst, SubstKind, TopCondition, TopKind};
use std::sync::Arc;

/// Takes the conditions off the tops of all operations.
pub fn split(machine: &mut Machine) {
    Arc::make_mut(&mut machine.operations).iter_mut().for_each(split_one);
}

fn split_one(operation: &mut Operation) {
    let span = operation.body.span;
    let whole = std::mem::replace(&mut operation.body, Subst::new(SubstKind::Skip, span));
    let mut rest = whole;
    loop {
        let span = rest.span;
        match rest.kind {
            SubstKind::Precondition(pred, below) if operation.guard.is_empty() => {
                operation.guard.push(TopCondition { pred, kind: TopKind::Precondition, span });
                rest = *below;
            }
            SubstKind::Select(mut branches, None) if branches.len() == 1 => {
                let Some((pred, below)) = branches.pop() else { break };
                operation.guard.push(TopCondition { pred, kind: TopKind::Selection, span });
                rest = below;
            }
            kind => {
                operation.body = Subst::new(kind, span);
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::machine::{SubstKind, TopKind};
    use crate::normalise::load_text;

    /// The kinds of the conditions of the only operation of a machine.
    fn conditions(operation: &str) -> (Vec<TopKind>, SubstKind) {
        let text = format!(
            "MACHINE m VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0
             OPERATIONS {operation} END"
        );
        let loaded = load_text("m.mch", &text);
        let machine = loaded.machine.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let operation = &machine.operations[0];
        let kinds = operation.guard.iter().map(|c| c.kind).collect();
        (kinds, operation.body.kind.clone())
    }

    #[test]
    fn conditions_at_the_top_are_the_guard_and_all_else_is_the_body() {
        use TopKind::{Precondition, Selection};
        let cases = [
            ("o = x := 1", vec![]),
            ("o(p) = PRE p : 1..2 THEN x := p END", vec![Precondition]),
            ("o = SELECT x = 0 THEN x := 1 END", vec![Selection]),
            (
                "o(p) = PRE p : 1..2 THEN SELECT x = 0 THEN SELECT x < p THEN x := p END END END",
                vec![Precondition, Selection, Selection],
            ),
        ];
        for (text, kinds) in cases {
            let (found, body) = conditions(text);
            assert_eq!(found, kinds, "{text}");
            assert!(matches!(body, SubstKind::Assign(_)), "{text}: {body:?}");
        }
        // Below a selection a precondition is an assertion, and two branches are a choice.
        let (found, body) = conditions("o = SELECT x = 0 THEN PRE x = 1 THEN x := 2 END END");
        assert!(found == [Selection] && matches!(body, SubstKind::Precondition(..)), "{body:?}");
        let two = "o = SELECT x = 0 THEN x := 1 WHEN x = 1 THEN x := 0 END";
        let (found, body) = conditions(two);
        assert!(found.is_empty() && matches!(body, SubstKind::Select(..)), "{body:?}");
    }

    #[test]
    fn an_operation_is_put_together_again_as_it_was() {
        let (_, body) = conditions("o = x := 1");
        assert!(matches!(body, SubstKind::Assign(_)));
        let text = "MACHINE m VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0
            OPERATIONS o(p) = PRE p : 1..2 THEN SELECT x = 0 THEN x := p END END END";
        let machine = load_text("m.mch", text).machine.expect("a machine");
        let whole = machine.operations[0].whole();
        let SubstKind::Precondition(_, below) = &whole.kind else { panic!("{whole:?}") };
        let SubstKind::Select(branches, None) = &below.kind else { panic!("{below:?}") };
        assert!(matches!(branches[0].1.kind, SubstKind::Assign(_)));
        assert!(text[whole.span.start as usize..].starts_with("PRE"));
        assert!(text[below.span.start as usize..].starts_with("SELECT"));
    }
}
