//! Operations and their calls: from syntax tree to typed tree.

use crate::diagnostic::Diagnostic;
use crate::machine::{LocalId, Operation, Pred, SubstKind};
use crate::source::Span;
use crate::syntax::ast::{DefinitionBody, Ident, Name, Node, NodeKind, OperationDeclaration};
use crate::syntax::suggest;
use crate::typing::context::{Elaborator, Resolved, count};
use crate::typing::scope::{Callable, Global, Role};

impl<'a> Elaborator<'a> {
    pub fn call_substitution(
        &mut self,
        results: &'a [Node],
        operation: &'a Ident,
        arguments: &'a [Node],
        span: Span,
    ) -> SubstKind {
        let name = &operation.name;
        if results.is_empty() {
            if let Some(kind) = self.call_of_definition(name, arguments, span) {
                return kind;
            }
            if let Some(Resolved::Argument(argument)) = self.resolve(name)
                && arguments.is_empty()
            {
                return self
                    .with_argument(&argument, |this, node| this.formula_as_substitution(node));
            }
        }
        let Some(callable) = self.environment().operations.get(name).copied() else {
            return self.unknown_operation(results, operation, arguments);
        };
        self.operation_call(callable, results, operation, arguments, span)
    }

    /// What a definition with this name, used as a substitution, stands for.
    fn call_of_definition(
        &mut self,
        name: &'a Name,
        arguments: &'a [Node],
        span: Span,
    ) -> Option<SubstKind> {
        let definition = self.definition(name)?;
        if let Some(kind) = self.external_subst(name, &definition, arguments, span) {
            return Some(kind);
        }
        let expanded = self.expand(name, &definition, arguments, span, |this, body| match body {
            DefinitionBody::Substitution(s) => this.subst(s).kind,
            DefinitionBody::Formula(node) => this.formula_as_substitution(node),
            DefinitionBody::Error => {
                this.unparsed(&definition, span);
                SubstKind::Skip
            }
        });
        Some(expanded.unwrap_or(SubstKind::Skip))
    }

    /// A definition whose right side is a name or a call, used as a substitution.
    fn formula_as_substitution(&mut self, node: &'a Node) -> SubstKind {
        if !self.enter(node.span) {
            return SubstKind::Skip;
        }
        let kind = match &node.kind {
            NodeKind::Name(name) => self.call_by_name(name, &[], node.span),
            NodeKind::Call(f, arguments) if matches!(f.kind, NodeKind::Name(_)) => match &f.kind {
                NodeKind::Name(name) => self.call_by_name(name, arguments, node.span),
                _ => SubstKind::Skip,
            },
            NodeKind::Error => SubstKind::Skip,
            _ => {
                self.error(
                    "formula-where-substitution",
                    node.span,
                    "a substitution is needed here; this definition is a formula",
                );
                SubstKind::Skip
            }
        };
        self.leave();
        kind
    }

    fn call_by_name(&mut self, name: &'a Name, arguments: &'a [Node], span: Span) -> SubstKind {
        if let Some(kind) = self.call_of_definition(name, arguments, span) {
            return kind;
        }
        let ident = Ident { name: name.clone(), span };
        match self.environment().operations.get(name).copied() {
            Some(callable) => self.operation_call(callable, &[], &ident, arguments, span),
            None => self.unknown_operation(&[], &ident, arguments),
        }
    }

    fn unknown_operation(
        &mut self,
        results: &'a [Node],
        operation: &Ident,
        arguments: &'a [Node],
    ) -> SubstKind {
        for node in results {
            self.target(node);
        }
        for node in arguments {
            self.expr(node);
        }
        if self.tolerated.is_some() {
            return SubstKind::Skip;
        }
        let environment = self.environment();
        let definitions = environment
            .globals
            .iter()
            .filter(|(_, d)| matches!(d.meaning, Global::Definition(_)))
            .map(|(name, _)| &**name);
        let names = environment.operations.keys().map(|n| &**n).chain(definitions);
        let close = suggest::meant(&operation.name, names).map(str::to_owned);
        let message = format!("there is no operation `{}` to call", operation.name);
        let mut diagnostic =
            Diagnostic::error("unknown-operation", self.at(operation.span), message);
        if let Some(close) = close {
            diagnostic = diagnostic.hint(format!("did you mean `{close}`?"));
        }
        self.report_within(diagnostic, operation.span);
        SubstKind::Skip
    }

    fn operation_call(
        &mut self,
        callable: Callable,
        results: &'a [Node],
        operation: &Ident,
        arguments: &'a [Node],
        span: Span,
    ) -> SubstKind {
        let name = &operation.name;
        if callable.own {
            let message = format!("`{name}` is an operation of the same machine");
            let diagnostic =
                Diagnostic::error("local-operation-call", self.at(operation.span), message)
                    .note(callable.span, "declared here")
                    .hint(
                        "operations can be called from machines that include this one only, or \
                         from operations that they do not call, with SET_PREF_ALLOW_LOCAL_OPERATION_CALLS \
                         == TRUE",
                    );
            self.report_within(diagnostic, operation.span);
            return SubstKind::Skip;
        }
        if let Some(rival) = callable.rival {
            let diagnostic = ambiguous(name, self.at(operation.span), (callable.span, rival));
            self.report_within(diagnostic, operation.span);
            return SubstKind::Skip;
        }
        let writes = self.operation_writes.get(callable.operation.0 as usize);
        if let Some(written) = writes.and_then(|cells| cells.first())
            && callable.seen
        {
            let message = format!(
                "`{name}` changes `{}` of a machine that is only seen",
                self.cell_name(*written)
            );
            let diagnostic =
                Diagnostic::error("seen-operation-call", self.at(operation.span), message)
                    .note(callable.span, "declared here")
                    .hint(
                        "operations that change nothing can be called; to call others, include the \
                         machine (INCLUDES, in an implementation IMPORTS)",
                    );
            self.report_within(diagnostic, operation.span);
            return SubstKind::Skip;
        }
        let called = &self.operations[callable.operation.0 as usize];
        let parameters: Vec<LocalId> = called.parameters.clone();
        let outputs: Vec<LocalId> = called.results.clone();
        let targets = self.distinct_targets(results);
        if parameters.len() != arguments.len() || outputs.len() != results.len() {
            let message = format!(
                "`{name}` has {} and {}; this call has {} and {}",
                count(parameters.len(), "parameter"),
                count(outputs.len(), "result"),
                count(arguments.len(), "argument"),
                count(results.len(), "target")
            );
            let diagnostic = Diagnostic::error("operation-arity", self.at(span), message)
                .note(callable.span, "declared here");
            self.report_within(diagnostic, span);
            for argument in arguments {
                self.expr(argument);
            }
            return SubstKind::Skip;
        }
        let arguments = arguments
            .iter()
            .zip(&parameters)
            .map(|(argument, parameter)| {
                let ty = self.local_type(*parameter);
                self.expr_of(argument, &ty)
            })
            .collect();
        if targets.len() == outputs.len() {
            for ((target, ty), output) in targets.iter().zip(&outputs) {
                let expected = self.local_type(*output);
                if self.infer.unify(ty, &expected, target.span).is_err() {
                    let message = format!(
                        "expected {}, found the result of `{name}` of type {}",
                        self.show(ty),
                        self.show(&expected)
                    );
                    self.report(Diagnostic::error("type-mismatch", target.span, message));
                }
            }
        }
        let results = targets.into_iter().map(|(t, _)| t).collect();
        SubstKind::Call { operation: callable.operation, arguments, results }
    }

    /// An operation of the environment at hand. It is not added to the machine yet.
    pub fn operation(&mut self, declaration: &'a OperationDeclaration, visible: bool) -> Operation {
        let height = self.scope.height();
        for result in &declaration.results {
            if let Some(p) = declaration.parameters.iter().find(|p| p.name == result.name) {
                let message = format!("`{}` is both a parameter and a result", result.name);
                let diagnostic = Diagnostic::error("duplicate-identifier", p.span, message);
                self.report(diagnostic.note(result.span, "the result"));
            }
        }
        let results = self.bind(&declaration.results, Role::Result);
        let parameters = self.bind(&declaration.parameters, Role::Parameter);
        let mut body = self.subst(&declaration.body);
        self.scope.entries.truncate(height);
        // Nothing has written a result yet: what the precondition says of one is its type.
        if let SubstKind::Precondition(p, _) = &mut body.kind {
            let kept =
                p.conjuncts().iter().filter(|p| !p.types_one_of(&results)).cloned().collect();
            *p = Pred::and(kept, p.span);
        }
        Operation {
            name: declaration.name.name.clone(),
            parameters,
            results,
            guard: Vec::new(),
            body,
            visible,
            lacks_precondition: false,
            span: declaration.span,
            name_span: declaration.name.span,
        }
    }
}

/// A name that operations of two included machines have.
pub fn ambiguous(name: &str, span: Span, (one, other): (Span, Span)) -> Diagnostic {
    let message = format!("two of the machines included here have an operation `{name}`");
    Diagnostic::error("duplicate-operation", span, message)
        .note(other, "one is declared here")
        .note(one, "the other here")
        .hint("include one of them under a prefix: `INCLUDES a.Machine`, and `a.` before the names of its operations")
}
