//! Uses of external functions: definitions that are marked as standing in for something outside the
//! language.

use crate::diagnostic::Diagnostic;
use crate::machine::external::{HANDED_ON, Signature, Sort, find, is_outside, named, names};
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Pred, PredKind, Subst, SubstKind, Type,
};
use crate::source::Span;
use crate::syntax::ast::{self, DefinitionBody, Name, Node, NodeKind};
use crate::syntax::printer;
use crate::typing::context::{Elaborator, count};
use crate::typing::definitions::mentions_all;
use crate::typing::infer::ERROR;
use crate::typing::scope::{Macro, Meaning};
use std::sync::Arc;

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
        if let Some(signature) = named(name).find(|s| s.parameters.len() == parameters.len()) {
            return Use::External(signature);
        }
        if let Some(signature) = find(name) {
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
        let mut diagnostic = Diagnostic::error("unknown-external", at, message)
            .note(note, "its definition says nothing of what it computes");
        if let Some(close) = crate::syntax::suggest::closest(name, names()) {
            diagnostic = diagnostic.hint(format!("did you mean `{close}`?"));
        }
        self.report(diagnostic);
        Use::Refused
    }

    /// `f = REC_LET("name", E)`: E, in which `REC("name", x)` is `f(x)`. `None` for another name.
    pub fn recursion(&mut self, name: &Name, arguments: &'a [Node], span: Span) -> Option<Expr> {
        if !matches!(&**name, "REC" | "REC_LET") || !self.is_external(name) {
            return None;
        }
        if let Some(definition) = self.definition(name) {
            definition.used.set(true);
        }
        let [Node { kind: NodeKind::String(own), .. }, operand] = arguments else {
            let message = format!("`{name}` needs a name, which is a string, and an expression");
            self.error("external-arity", span, message);
            return Some(self.refused(span));
        };
        let Some((_, constant)) = self.recursive.filter(|(known, _)| **known == **own) else {
            let message = format!("`{name}` is understood in the value of a constant only");
            let diagnostic = Diagnostic::error("unknown-external", self.at(span), message)
                .hint(format!("`f = REC_LET(\"{own}\", ..)` in the PROPERTIES, or write `f` itself on its right side"));
            self.report(diagnostic);
            return Some(self.refused(span));
        };
        if &**name == "REC_LET" {
            return Some(self.expr(operand));
        }
        let mut function = self.expr(constant);
        let argument = self.expr(operand);
        let result = self.infer.fresh();
        let wanted = Type::relation(argument.ty.clone(), result.clone());
        self.check(&mut function, &wanted, span);
        Some(self.binary(BinaryOp::Apply, function, argument, result, span))
    }

    fn sort_type(&mut self, sort: &Sort, variables: &[Type; 2]) -> Type {
        match sort {
            Sort::Integer => Type::Integer,
            Sort::Bool => Type::Bool,
            Sort::Real => Type::Real,
            Sort::String => Type::String,
            Sort::Any(n) => variables[usize::from(*n).min(1)].clone(),
            Sort::Set(of) => Type::pow(self.sort_type(of, variables)),
            Sort::Sequence(of) => Type::sequence(self.sort_type(of, variables)),
            Sort::Record(fields) => {
                let mut typed = |(name, sort): &(&str, Sort)| {
                    (Arc::from(*name), self.sort_type(sort, variables))
                };
                Type::Record(fields.iter().map(&mut typed).collect())
            }
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
        if signature.name == "STRINGIFY"
            && let [argument] = arguments
        {
            return self.stringified(argument, span);
        }
        // A library declares one of the functions that have the name.
        let fits = |s: &&'static Signature| s.parameters.len() == arguments.len();
        let signature = named(signature.name).find(fits).unwrap_or(signature);
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

    /// `STRINGIFY(E)`: the text of its argument, which has to have a type.
    fn stringified(&mut self, argument: &'a Node, span: Span) -> Expr {
        let given = match &argument.kind {
            NodeKind::Name(name) => match self.scope.find(name) {
                Some(Meaning::Argument(argument)) => Some(argument.clone()),
                _ => None,
            },
            _ => None,
        };
        if let Some(given) = given {
            return self.with_argument(&given, |this, node| this.stringified(node, span));
        }
        let text: Arc<str> = printer::formula(argument).into();
        if self.is_predicate(argument, 0) {
            self.pred(argument);
        } else {
            self.expr(argument);
        }
        self.node_expr(ExprKind::String(text), Type::String, span)
    }

    /// What an external function that the language itself makes use of gives for some values.
    pub fn external_of(&mut self, name: &str, values: Vec<Expr>, ty: Type, span: Span) -> Expr {
        match find(name) {
            Some(signature) => {
                self.node_expr(ExprKind::External(signature.external(), values), ty, span)
            }
            None => self.refused(span),
        }
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
            // What asks for something outside may be refused.
            Use::External(signature) if is_outside(signature.name) => {
                let asked = self.external_pred(signature, arguments, span);
                let skip = Box::new(Subst::new(SubstKind::Skip, self.at(span)));
                return Some(SubstKind::Assert(None, asked, skip));
            }
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

/// The name that `f = REC_LET("name", ..)` gives a constant, and the constant.
pub fn recursive(node: &Node) -> Option<(&str, &Node)> {
    let NodeKind::Binary(ast::BinaryOp::Equal, constant, value) = &node.kind else { return None };
    let (NodeKind::Name(_), NodeKind::Call(f, arguments)) = (&constant.kind, &value.kind) else {
        return None;
    };
    match (&f.kind, arguments.first().map(|a| &a.kind)) {
        (NodeKind::Name(f), Some(NodeKind::String(name))) if &**f == "REC_LET" => {
            Some((name, constant))
        }
        _ => None,
    }
}
