//! Uses of external functions: definitions that are marked as standing in for something outside the
//! language.

use crate::diagnostic::Diagnostic;
use crate::machine::external::{HANDED_ON, Signature, Sort, Treats, find};
use crate::machine::{
    Asymmetric, Comparison, Expr, ExprKind, Machine, Pred, PredKind, SetKind, SubstKind, Type,
    visit::Visitor,
};
use crate::source::Span;
use crate::syntax::ast::{DefinitionBody, Name, Node};
use crate::typing::context::{Elaborator, count};
use crate::typing::definitions::mentions_all;
use crate::typing::infer::ERROR;
use crate::typing::scope::Macro;

/// What the use of a definition means.
pub enum Use {
    /// What the definition says.
    Ordinary,
    /// What the table says.
    External(&'static Signature),
    /// Nothing: it was reported.
    Refused,
}

impl<'a> Elaborator<'a> {
    /// Whether a definition is marked as external.
    pub fn is_external(&self, name: &str) -> bool {
        ["FUNCTION", "PREDICATE", "SUBSTITUTION"].iter().any(|kind| {
            self.environment().globals.contains_key(format!("EXTERNAL_{kind}_{name}").as_str())
        })
    }

    /// What a use of a definition means. An external function that is not known is what its
    /// definition says, if that makes use of the arguments (with a warning): otherwise it only holds
    /// the place of a computation that nobody here can do.
    pub fn external_use(&mut self, name: &Name, definition: &Macro<'a>, span: Span) -> Use {
        if !self.is_external(name) {
            return Use::Ordinary;
        }
        definition.used.set(true);
        if HANDED_ON.contains(&&**name) {
            return Use::Ordinary;
        }
        let parameters = &definition.definition.parameters;
        if let Some(signature) = find(name) {
            if signature.parameters.len() == parameters.len() {
                return Use::External(signature);
            }
            let message = format!(
                "the external function `{name}` has {}, its definition {}",
                count(signature.parameters.len(), "parameter"),
                parameters.len()
            );
            let diagnostic = Diagnostic::error("external-arity", self.at(span), message)
                .note(definition.definition.name.span, "defined here");
            self.report_within(diagnostic, span);
            return Use::Refused;
        }
        let at = self.at(span);
        let note = definition.definition.span;
        if !parameters.is_empty()
            && let DefinitionBody::Formula(_) = &definition.definition.body
            && mentions_all(definition.definition)
        {
            let message =
                format!("the external function `{name}` is not known: its definition stands in");
            let diagnostic = Diagnostic::warning("external-by-definition", at, message);
            self.report(diagnostic.note(note, "this definition"));
            return Use::Ordinary;
        }
        let message = format!("the external function `{name}` is not known");
        let known = crate::machine::external::TABLE.iter().map(|s| s.name);
        let mut diagnostic = Diagnostic::error("unknown-external", at, message)
            .note(note, "its definition says nothing of what it computes");
        if let Some(close) = crate::typing::closest(name, known) {
            diagnostic = diagnostic.hint(format!("did you mean `{close}`?"));
        }
        self.report(diagnostic);
        Use::Refused
    }

    fn sort_type(&mut self, sort: &Sort, variables: &[Type; 2]) -> Type {
        match sort {
            Sort::Integer => Type::Integer,
            Sort::Bool => Type::Bool,
            Sort::String => Type::String,
            Sort::Any(n) => variables[usize::from(*n).min(1)].clone(),
            Sort::Set(of) => Type::pow(self.sort_type(of, variables)),
            Sort::Sequence(of) => Type::sequence(self.sort_type(of, variables)),
            Sort::Relation(a, b) => {
                Type::relation(self.sort_type(a, variables), self.sort_type(b, variables))
            }
        }
    }

    /// The use of an external function or predicate as an expression.
    pub fn external_expr(
        &mut self,
        signature: &'static Signature,
        arguments: &'a [Node],
        span: Span,
    ) -> Expr {
        if arguments.len() != signature.parameters.len() {
            let message = format!(
                "the external function `{}` has {}, not {}",
                signature.name,
                count(signature.parameters.len(), "parameter"),
                arguments.len()
            );
            self.error("external-arity", span, message);
            return self.refused(span);
        }
        let variables = [self.infer.fresh(), self.infer.fresh()];
        let mut values = Vec::new();
        for (sort, node) in signature.parameters.iter().zip(arguments) {
            let ty = self.sort_type(sort, &variables);
            values.push(self.expr_of(node, &ty));
        }
        let mut ty = self.sort_type(&signature.result, &variables);
        if values.iter().any(|v| v.ty == ERROR) {
            ty = ERROR;
        }
        self.node_expr(ExprKind::External(signature.external(), values), ty, span)
    }

    /// The same as a substitution: what is done for its effect outside has none here. `None`: the
    /// definition is not external.
    pub fn external_subst(
        &mut self,
        name: &Name,
        definition: &Macro<'a>,
        arguments: &'a [Node],
        span: Span,
    ) -> Option<SubstKind> {
        match self.external_use(name, definition, span) {
            Use::Ordinary => return None,
            Use::External(signature) => drop(self.external_expr(signature, arguments, span)),
            Use::Refused => {}
        }
        Some(SubstKind::Skip)
    }

    /// The same as a predicate: a truth value that is TRUE.
    pub fn external_pred(
        &mut self,
        signature: &'static Signature,
        arguments: &'a [Node],
        span: Span,
    ) -> Pred {
        let value = self.external_expr(signature, arguments, span);
        let truth = self.node_expr(ExprKind::Bool(true), Type::Bool, span);
        self.node_pred(PredKind::Compare(Comparison::Equal, value, truth), span)
    }
}

/// The deferred sets whose elements external functions tell apart, and where they do.
pub fn asymmetric(machine: &mut Machine) -> Vec<Asymmetric> {
    let sized: Vec<bool> =
        machine.sets.iter().map(|s| !matches!(s.kind, SetKind::Enumerated(_))).collect();
    let mut found: Vec<Asymmetric> = Vec::new();
    let mut each = |e: &mut Expr| {
        let ExprKind::External(external, arguments) = &e.kind else { return };
        let Some(signature) = find(external.0) else { return };
        if signature.treats == Treats::Alike {
            return;
        }
        let sets = std::cell::RefCell::new(Vec::new());
        for argument in arguments {
            argument.ty.mentions(&|s| {
                sets.borrow_mut().push(s);
                false
            });
        }
        for set in sets.into_inner() {
            let known = found.iter().any(|a| a.set == set && a.span == e.span);
            if sized[set.0 as usize] && !known {
                let function = signature.name.into();
                found.push(Asymmetric { set, function, span: e.span });
            }
        }
    };
    Visitor::of(&mut each).machine(machine);
    found
}
