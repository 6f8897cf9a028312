//! Definitions that stand for a list of names: `vars == x, y` with `VARIABLES vars, z`.

use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{
    BinaryOp, ClauseKind, Definition, DefinitionBody, Ident, MachineFile, Name, Node, NodeKind,
};
use std::collections::BTreeMap;

/// The names that a node lists: `x, y`, with parentheses or without.
pub fn listed(node: &Node) -> Option<Vec<&Node>> {
    match &node.kind {
        NodeKind::Binary(BinaryOp::Comma, left, right) => {
            let mut names =
                if let NodeKind::Name(_) = left.kind { vec![&**left] } else { listed(left)? };
            match right.kind {
                NodeKind::Name(_) => names.push(right),
                _ => names.extend(listed(right)?),
            }
            Some(names)
        }
        _ => None,
    }
}

/// The names of a definition that is a list of names.
pub fn names_of(definition: &Definition) -> Option<Vec<&Node>> {
    match &definition.body {
        DefinitionBody::Formula(body) if definition.parameters.is_empty() => listed(body),
        _ => None,
    }
}

/// Writes out the definitions of this kind where a clause declares variables or constants.
pub fn write_out(file: &mut MachineFile, definitions: &[(Definition, Option<Diagnostic>)]) {
    let mut lists: BTreeMap<&Name, Vec<Ident>> = BTreeMap::new();
    for (definition, _) in definitions {
        let idents =
            names_of(definition).map(|nodes| nodes.into_iter().filter_map(ident).collect());
        if let Some(idents) = idents {
            lists.insert(&definition.name.name, idents);
        }
    }
    if lists.is_empty() {
        return;
    }
    for clause in &mut file.clauses {
        let (ClauseKind::Variables(declared)
        | ClauseKind::ConcreteVariables(declared)
        | ClauseKind::Constants(declared)
        | ClauseKind::AbstractConstants(declared)) = &mut clause.kind
        else {
            continue;
        };
        if declared.iter().any(|ident| lists.contains_key(&ident.name)) {
            let all = std::mem::take(declared).into_iter();
            *declared = all
                .flat_map(|ident| lists.get(&ident.name).cloned().unwrap_or_else(|| vec![ident]))
                .collect();
        }
    }
}

fn ident(node: &Node) -> Option<Ident> {
    match &node.kind {
        NodeKind::Name(name) => Some(Ident { name: name.clone(), span: node.span }),
        _ => None,
    }
}
