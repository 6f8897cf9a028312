//! DEFINITIONS as a whole: which use each other in a circle, and whether those that nobody uses are
//! well-typed.

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Span;
use crate::syntax::ast::{
    Constant, Definition, DefinitionBody, Ident, Name, Node, NodeKind, Substitution,
    SubstitutionKind as S, UnaryOp,
};
use crate::typing::context::Elaborator;
use crate::typing::operators::is_predicate_operator;
use crate::typing::scope::{Macro, Meaning, Role};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Names with a meaning for tools, or for other tools: never typed unless used.
const TOOL_PREFIXES: &[&str] = &[
    "scope_",
    "SET_PREF_",
    "ASSERT_LTL",
    "ASSERT_CTL",
    "HEURISTIC_FUNCTION",
    "FORCE_SYMMETRY_",
    "MAX_OPERATIONS_",
    "OPERATION_REUSE_OFF_",
    "ANIMATION_",
    "CUSTOM_GRAPH",
    "VISB_",
    "SEQUENCE_CHART",
    "GAME_",
    "PROB_REQUIRED_VERSION",
    "EXTERNAL_FUNCTION_",
    "EXTERNAL_PREDICATE_",
    "EXTERNAL_SUBSTITUTION_",
    "SIMB_",
];

/// Whether a definition speaks to a tool rather than to the machine.
pub fn has_tool_meaning(name: &str) -> bool {
    name == "GOAL" || name == "SCOPE" || TOOL_PREFIXES.iter().any(|p| name.starts_with(p))
}

/// Finds the circles among definitions. Gives, per definition, whether it is on one, and one
/// diagnostic per circle, at the declaration of its first member, with the chain.
pub fn find_cycles(definitions: &[&Definition]) -> (Vec<bool>, Vec<Diagnostic>) {
    let index: FxHashMap<&str, usize> =
        definitions.iter().enumerate().map(|(i, d)| (&*d.name.name, i)).collect();
    let uses: Vec<Vec<usize>> = definitions
        .iter()
        .map(|d| {
            let mut names = FreeNames::new(&d.parameters);
            names.body(&d.body);
            let mut used: Vec<usize> =
                names.found.iter().filter_map(|(n, _)| index.get(&***n).copied()).collect();
            used.sort_unstable();
            used.dedup();
            used
        })
        .collect();
    let mut cyclic = vec![false; definitions.len()];
    let mut diagnostics = Vec::new();
    let mut state = vec![0u8; definitions.len()];
    for start in 0..definitions.len() {
        if state[start] != 0 {
            continue;
        }
        // Depth-first with its own stack: chains of definitions may be long.
        let mut path: Vec<(usize, usize)> = vec![(start, 0)];
        state[start] = 1;
        while let Some((at, next)) = path.last_mut() {
            let Some(&to) = uses[*at].get(*next) else {
                state[*at] = 2;
                path.pop();
                continue;
            };
            *next += 1;
            match state[to] {
                0 => {
                    state[to] = 1;
                    path.push((to, 0));
                }
                1 => {
                    let from = path.iter().position(|(i, _)| *i == to).unwrap_or(0);
                    let circle: Vec<usize> = path[from..].iter().map(|(i, _)| *i).collect();
                    for &i in &circle {
                        cyclic[i] = true;
                    }
                    diagnostics.push(cycle_diagnostic(definitions, &circle));
                }
                _ => {}
            }
        }
    }
    (cyclic, diagnostics)
}

fn cycle_diagnostic(definitions: &[&Definition], circle: &[usize]) -> Diagnostic {
    let first = definitions[circle[0]];
    let shown = circle.iter().take(20);
    let mut chain: Vec<String> =
        shown.map(|i| format!("`{}`", definitions[*i].name.name)).collect();
    if circle.len() > 20 {
        chain.push("..".to_owned());
    }
    chain.push(format!("`{}`", first.name.name));
    let message =
        format!("the definition `{}` uses itself: {}", first.name.name, chain.join(" -> "));
    let mut diagnostic = Diagnostic::error("recursive-definition", first.name.span, message);
    for i in circle.iter().skip(1).take(5) {
        let d = definitions[*i];
        diagnostic = diagnostic.note(d.name.span, format!("through `{}`", d.name.name));
    }
    diagnostic
}

/// Whether the right side of a definition makes use of each of its parameters.
pub fn mentions_all(definition: &Definition) -> bool {
    let mut names = FreeNames::new(&[]);
    names.body(&definition.body);
    definition.parameters.iter().all(|p| names.found.iter().any(|(found, _)| **found == p.name))
}

/// The names that a definition mentions and neither binds nor has as parameters, with the places.
pub fn free_names(definition: &Definition) -> Vec<(&Name, Span)> {
    let mut names = FreeNames::new(&definition.parameters);
    names.body(&definition.body);
    names.found.sort_by_key(|(_, span)| *span);
    names.found
}

/// The names that occur free in a formula, with the places, in the order of the text.
pub fn names_of(node: &Node) -> Vec<(&Name, Span)> {
    let mut names = FreeNames::new(&[]);
    names.node(node);
    names.found.sort_by_key(|(_, span)| *span);
    names.found
}

/// What a definition may speak of that speaks to a tool: the names in it, and the words of its texts.
pub fn spoken_of(definition: &Definition) -> impl Iterator<Item = &str> {
    let mut names = FreeNames::new(&definition.parameters);
    names.body(&definition.body);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words = names.texts.into_iter().flat_map(move |text| text.split(move |c| !is_part(c)));
    names.found.into_iter().map(|(name, _)| &**name).chain(words)
}

/// The operations, or definitions, that a substitution calls by their names.
pub fn called_names(s: &Substitution) -> Vec<&Name> {
    let mut names = FreeNames::new(&[]);
    names.subst(s);
    names.called
}

/// The names that occur free in a tree.
struct FreeNames<'n> {
    found: Vec<(&'n Name, Span)>,
    called: Vec<&'n Name>,
    bound: Vec<&'n Name>,
    texts: Vec<&'n str>,
}

impl<'n> FreeNames<'n> {
    fn new(parameters: &'n [Ident]) -> FreeNames<'n> {
        let bound = parameters.iter().map(|p| &p.name).collect();
        FreeNames { found: Vec::new(), called: Vec::new(), bound, texts: Vec::new() }
    }

    fn body(&mut self, body: &'n DefinitionBody) {
        match body {
            DefinitionBody::Formula(node) => self.node(node),
            DefinitionBody::Substitution(s) => self.subst(s),
            DefinitionBody::Error => {}
        }
    }

    fn name(&mut self, name: &'n Name, span: Span) {
        if !self.bound.contains(&name) {
            self.found.push((name, span));
        }
    }

    fn binding(&mut self, idents: &'n [Ident], run: impl FnOnce(&mut Self)) {
        let height = self.bound.len();
        self.bound.extend(idents.iter().map(|i| &i.name));
        run(self);
        self.bound.truncate(height);
    }

    fn nodes(&mut self, nodes: &'n [Node]) {
        nodes.iter().for_each(|n| self.node(n));
    }

    fn node(&mut self, node: &'n Node) {
        let mut node = node;
        // The left spine by a loop: chains of operators may be long.
        while let NodeKind::Binary(_, l, r) = &node.kind {
            self.node(r);
            node = l;
        }
        match &node.kind {
            NodeKind::Name(n) | NodeKind::Previous(n) => self.name(n, node.span),
            NodeKind::Unary(_, e)
            | NodeKind::Bool(e)
            | NodeKind::Labelled(_, e)
            | NodeKind::Field(e, _) => self.node(e),
            NodeKind::Binary(_, l, r) | NodeKind::Image(l, r) => {
                self.node(l);
                self.node(r);
            }
            NodeKind::Call(f, arguments) => {
                self.node(f);
                self.nodes(arguments);
            }
            NodeKind::Builtin(_, items)
            | NodeKind::SetExtension(items)
            | NodeKind::SequenceExtension(items)
            | NodeKind::Conjunction(items)
            | NodeKind::Disjunction(items)
            | NodeKind::At(_, items) => self.nodes(items),
            NodeKind::Comprehension(idents, body) | NodeKind::Quantifier(_, idents, body) => {
                self.binding(idents, |this| this.node(body));
            }
            NodeKind::EventComprehension(idents, body, value)
            | NodeKind::Fold(_, idents, body, value)
            | NodeKind::Let(idents, body, value) => self.binding(idents, |this| {
                this.node(body);
                this.node(value);
            }),
            NodeKind::Record(fields) | NodeKind::Struct(fields) => {
                fields.iter().for_each(|(_, value)| self.node(value));
            }
            NodeKind::If(branches, otherwise) => {
                for (condition, value) in branches {
                    self.node(condition);
                    self.node(value);
                }
                self.node(otherwise);
            }
            NodeKind::Substitute(s, body) => {
                self.subst(s);
                self.node(body);
            }
            NodeKind::Integer(_) | NodeKind::Real(_) | NodeKind::Constant(_) | NodeKind::Error => {}
            NodeKind::String(text) => self.texts.push(text),
        }
    }

    fn substs(&mut self, parts: &'n [Substitution]) {
        parts.iter().for_each(|s| self.subst(s));
    }

    fn branches(
        &mut self,
        branches: &'n [(Node, Substitution)],
        otherwise: &'n Option<Box<Substitution>>,
    ) {
        for (condition, body) in branches {
            self.node(condition);
            self.subst(body);
        }
        if let Some(body) = otherwise {
            self.subst(body);
        }
    }

    fn subst(&mut self, s: &'n Substitution) {
        match &s.kind {
            S::Skip | S::Error => {}
            S::Block(body) => self.subst(body),
            S::Assign(targets, values) => {
                self.nodes(targets);
                self.nodes(values);
            }
            S::BecomesElement(targets, node) | S::BecomesSuchThat(targets, node) => {
                self.nodes(targets);
                self.node(node);
            }
            S::Call { results, operation, arguments } => {
                self.nodes(results);
                self.name(&operation.name, operation.span);
                self.called.push(&operation.name);
                self.nodes(arguments);
            }
            S::Parallel(parts) | S::Sequence(parts) | S::Choice(parts) => self.substs(parts),
            S::Precondition(p, body)
            | S::Assert(p, body)
            | S::Claim(_, p, body)
            | S::Witness(p, body) => {
                self.node(p);
                self.subst(body);
            }
            S::If(branches, otherwise) | S::Select(branches, otherwise) => {
                self.branches(branches, otherwise);
            }
            S::Case { subject, branches, otherwise } => {
                self.node(subject);
                for (labels, body) in branches {
                    self.nodes(labels);
                    self.subst(body);
                }
                if let Some(body) = otherwise {
                    self.subst(body);
                }
            }
            S::Any(idents, p, body) | S::Let(idents, p, body) => self.binding(idents, |this| {
                this.node(p);
                this.subst(body);
            }),
            S::Var(idents, body) => self.binding(idents, |this| this.subst(body)),
            S::While { condition, body, invariant, variant } => {
                self.node(condition);
                self.subst(body);
                self.node(invariant);
                self.node(variant);
            }
        }
    }
}

impl<'a> Elaborator<'a> {
    /// Types a definition that nothing used, on its own: its parameters have types of their own, and
    /// unknown names too (they may be parameters where it would be used). Errors become one warning;
    /// whether there were none. To be called when the types of the machine are settled.
    pub fn check_unused(&mut self, definition: &Rc<Macro<'a>>) -> bool {
        let declared = definition.definition;
        let diagnostics = std::mem::take(&mut self.diagnostics);
        let locals = self.locals.len();
        self.tolerated = Some(FxHashMap::default());
        let height = self.scope.height();
        for parameter in &declared.parameters {
            let ty = self.infer.fresh();
            let local = self.new_local(parameter.name.clone(), ty, parameter.span);
            self.scope.push(parameter.name.clone(), Meaning::Local(local, Role::Var));
        }
        match &declared.body {
            DefinitionBody::Formula(node) if self.is_predicate(node, 0) => drop(self.pred(node)),
            DefinitionBody::Formula(node) if self.is_call(node) => {}
            DefinitionBody::Formula(node) => drop(self.expr(node)),
            DefinitionBody::Substitution(s) => drop(self.subst(s)),
            DefinitionBody::Error => self.unparsed(definition, declared.span),
        }
        self.solve(false);
        self.infer.forget_undecided();
        self.scope.entries.truncate(height);
        self.locals.truncate(locals);
        self.tolerated = None;
        let found = std::mem::replace(&mut self.diagnostics, diagnostics);
        let first = found.into_iter().find(|d| d.is_error());
        let sound = first.is_none();
        if let Some(first) = first {
            let message = format!(
                "the unused definition `{}` is ill-formed: {}",
                declared.name.name, first.message
            );
            let warning = Diagnostic {
                code: "unused-definition-ill-typed",
                severity: Severity::Warning,
                message,
                ..first
            };
            self.report(warning);
        }
        sound
    }

    /// The name of an operation or of an unknown thing: nothing to type.
    fn is_call(&self, node: &Node) -> bool {
        let name = match &node.kind {
            NodeKind::Name(name) => name,
            NodeKind::Call(f, _) => match &f.kind {
                NodeKind::Name(name) => name,
                _ => return false,
            },
            _ => return false,
        };
        self.environment().operations.contains_key(name) || self.resolve(name).is_none()
    }

    /// Whether the right side of a definition is a predicate.
    pub fn is_predicate(&self, node: &Node, depth: usize) -> bool {
        if depth > 50 {
            return false;
        }
        match &node.kind {
            NodeKind::Binary(op, ..) => is_predicate_operator(*op),
            NodeKind::Conjunction(_) | NodeKind::Disjunction(_) | NodeKind::Labelled(..) => true,
            NodeKind::Unary(op, _) => *op == UnaryOp::Not,
            NodeKind::Quantifier(..) | NodeKind::Substitute(..) => true,
            NodeKind::Constant(c) => matches!(c, Constant::Truth | Constant::Falsity),
            NodeKind::At(name, _) => matches!(&*name.name, "finite" | "partition"),
            NodeKind::If(_, body) | NodeKind::Let(_, _, body) => self.is_predicate(body, depth + 1),
            NodeKind::Name(name) => self.names_predicate(name, depth),
            NodeKind::Call(f, _) => match &f.kind {
                NodeKind::Name(name) => self.names_predicate(name, depth),
                _ => false,
            },
            _ => false,
        }
    }

    fn names_predicate(&self, name: &str, depth: usize) -> bool {
        self.definition(name).is_some_and(|d| match &d.definition.body {
            DefinitionBody::Formula(node) => self.is_predicate(node, depth + 1),
            _ => false,
        })
    }
}
