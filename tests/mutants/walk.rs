//! The parts of a syntax tree, in a fixed order, to be looked at or changed.

use burnside::syntax::ast::{
    ClauseKind, DefinitionBody, DefinitionEntry, MachineFile, Node, NodeKind, Substitution,
    SubstitutionKind,
};

/// A part of a machine.
pub enum Part<'t> {
    Node(&'t mut Node),
    Substitution(&'t mut Substitution),
}

/// Calls `visit` for each part, the whole before its parts. Its answer says whether to go on into
/// what the part holds then.
pub fn machine(file: &mut MachineFile, visit: &mut dyn FnMut(Part<'_>) -> bool) {
    for clause in &mut file.clauses {
        match &mut clause.kind {
            ClauseKind::Constraints(n)
            | ClauseKind::Properties(n)
            | ClauseKind::Invariant(n)
            | ClauseKind::Variant(n) => node(n, visit),
            ClauseKind::Assertions(ns) => nodes(ns, visit),
            ClauseKind::Initialisation(s) => substitution(s, visit),
            ClauseKind::Operations(list) | ClauseKind::LocalOperations(list) => {
                list.iter_mut().for_each(|o| substitution(&mut o.body, visit));
            }
            ClauseKind::Definitions(entries)
            | ClauseKind::Expressions(entries)
            | ClauseKind::Predicates(entries) => {
                for entry in entries {
                    let DefinitionEntry::Definition(definition) = entry else { continue };
                    // What sets preferences and sizes stays.
                    let name = &definition.name.name;
                    if name.starts_with("SET_PREF_") || name.starts_with("scope_") {
                        continue;
                    }
                    match &mut definition.body {
                        DefinitionBody::Formula(n) => node(n, visit),
                        DefinitionBody::Substitution(s) => substitution(s, visit),
                        DefinitionBody::Error => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn nodes(all: &mut [Node], visit: &mut dyn FnMut(Part<'_>) -> bool) {
    all.iter_mut().for_each(|n| node(n, visit));
}

fn node(n: &mut Node, visit: &mut dyn FnMut(Part<'_>) -> bool) {
    if !visit(Part::Node(n)) {
        return;
    }
    match &mut n.kind {
        NodeKind::Integer(_)
        | NodeKind::Real(_)
        | NodeKind::String(_)
        | NodeKind::Name(_)
        | NodeKind::Previous(_)
        | NodeKind::Constant(_)
        | NodeKind::Error => {}
        NodeKind::Unary(_, a)
        | NodeKind::Labelled(_, a)
        | NodeKind::Field(a, _)
        | NodeKind::Comprehension(_, a)
        | NodeKind::Quantifier(_, _, a)
        | NodeKind::Bool(a) => node(a, visit),
        NodeKind::Binary(_, a, b)
        | NodeKind::Image(a, b)
        | NodeKind::EventComprehension(_, a, b)
        | NodeKind::Fold(_, _, a, b)
        | NodeKind::Let(_, a, b) => {
            node(a, visit);
            node(b, visit);
        }
        NodeKind::Conjunction(all)
        | NodeKind::Disjunction(all)
        | NodeKind::Builtin(_, all)
        | NodeKind::SetExtension(all)
        | NodeKind::SequenceExtension(all)
        | NodeKind::At(_, all) => nodes(all, visit),
        NodeKind::Call(f, all) => {
            node(f, visit);
            nodes(all, visit);
        }
        NodeKind::Record(fields) | NodeKind::Struct(fields) => {
            fields.iter_mut().for_each(|(_, n)| node(n, visit));
        }
        NodeKind::If(branches, last) => {
            for (p, e) in branches {
                node(p, visit);
                node(e, visit);
            }
            node(last, visit);
        }
        NodeKind::Substitute(s, p) => {
            substitution(s, visit);
            node(p, visit);
        }
    }
}

fn substitution(s: &mut Substitution, visit: &mut dyn FnMut(Part<'_>) -> bool) {
    use SubstitutionKind::*;
    if !visit(Part::Substitution(s)) {
        return;
    }
    match &mut s.kind {
        Skip | Error => {}
        Block(s) | Var(_, s) => substitution(s, visit),
        Assign(targets, values) => {
            nodes(targets, visit);
            nodes(values, visit);
        }
        BecomesElement(targets, n) | BecomesSuchThat(targets, n) => {
            nodes(targets, visit);
            node(n, visit);
        }
        Call { results, arguments, .. } => {
            nodes(results, visit);
            nodes(arguments, visit);
        }
        Parallel(all) | Sequence(all) | Choice(all) => {
            all.iter_mut().for_each(|s| substitution(s, visit));
        }
        Precondition(p, s)
        | Assert(p, s)
        | Claim(_, p, s)
        | Any(_, p, s)
        | Let(_, p, s)
        | Witness(p, s) => {
            node(p, visit);
            substitution(s, visit);
        }
        If(branches, last) | Select(branches, last) => {
            for (p, s) in branches {
                node(p, visit);
                substitution(s, visit);
            }
            last.iter_mut().for_each(|s| substitution(s, visit));
        }
        Case { subject, branches, otherwise } => {
            node(subject, visit);
            for (labels, s) in branches {
                nodes(labels, visit);
                substitution(s, visit);
            }
            otherwise.iter_mut().for_each(|s| substitution(s, visit));
        }
        While { condition, body, invariant, variant } => {
            node(condition, visit);
            substitution(body, visit);
            node(invariant, visit);
            node(variant, visit);
        }
    }
}
