//! Predicates: from syntax tree to typed tree.

use crate::diagnostic::Diagnostic;
use crate::eventb::claims::{BOUNDED, FALLS, RISES_NOT};
use crate::machine::{Comparison, Expr, Pred, PredKind, Type};
use crate::source::Span;
use crate::syntax::Dialect;
use crate::syntax::ast::{self, Constant, DefinitionBody, Ident, Name, Node, NodeKind, Quantifier};
use crate::typing::context::{Elaborator, Resolved};
use crate::typing::external::Use;
use crate::typing::infer::ERROR;
use crate::typing::scope::{Declared, Global, Macro, Role};
use std::rc::Rc;
use std::sync::Arc;

impl<'a> Elaborator<'a> {
    pub fn pred(&mut self, node: &'a Node) -> Pred {
        if !self.enter(node.span) {
            return self.refused_pred(node.span);
        }
        let pred = self.pred_inner(node);
        self.leave();
        pred
    }

    /// Nothing but the left side of an implication says which values are meant.
    fn no_implication(&mut self, idents: &[Ident], span: Span) {
        let names: Vec<&str> = idents.iter().map(|id| &*id.name).collect();
        let names = names.join(", ");
        let bound = if idents.len() == 1 { names.clone() } else { format!("({names})") };
        let hint =
            format!("write `!{bound}.(P => Q)`, where P says which values of {names} are meant");
        let message = "the body of `!` has to be an implication";
        let diagnostic = Diagnostic::error("forall-body", self.at(span), message).hint(hint);
        self.report_within(diagnostic, span);
    }

    pub fn refused_pred(&self, span: Span) -> Pred {
        self.node_pred(PredKind::True, span)
    }

    pub fn node_pred(&self, kind: PredKind, span: Span) -> Pred {
        Pred::new(kind, self.at(span))
    }

    fn pred_inner(&mut self, node: &'a Node) -> Pred {
        let span = node.span;
        match &node.kind {
            NodeKind::Constant(Constant::Truth) => self.node_pred(PredKind::True, span),
            NodeKind::Constant(Constant::Falsity) => self.node_pred(PredKind::False, span),
            NodeKind::Conjunction(parts) => {
                self.warn_mixing(parts);
                let parts = parts.iter().map(|p| self.pred(p)).collect();
                Pred::and(parts, self.at(span))
            }
            NodeKind::Disjunction(parts) => self.disjunction(parts, span),
            NodeKind::Labelled(_, p) => self.pred(p),
            NodeKind::Binary(ast::BinaryOp::Implies, p, q) => {
                let p = self.pred(p);
                let q = self.pred(q);
                self.node_pred(PredKind::Implies(Arc::new(p), Arc::new(q)), span)
            }
            NodeKind::Binary(ast::BinaryOp::Iff, p, q) => {
                let p = self.pred(p);
                let q = self.pred(q);
                self.node_pred(PredKind::Iff(Arc::new(p), Arc::new(q)), span)
            }
            NodeKind::Binary(op, l, r) => match comparison(*op) {
                Some(op) => self.comparison(op, l, r, span),
                None => self.expression_as_predicate(node),
            },
            NodeKind::Unary(ast::UnaryOp::Not, p) => {
                let p = self.pred(p);
                self.node_pred(PredKind::Not(Arc::new(p)), span)
            }
            NodeKind::Quantifier(quantifier, idents, body) => {
                let height = self.scope.height();
                let locals = self.bind(idents, Role::Quantified);
                let errors = self.errors();
                let (written, body) = (body.span, self.pred(body));
                let refused = self.errors() > errors;
                self.scope.entries.truncate(height);
                let kind = match (quantifier, body.kind) {
                    (Quantifier::Exists, kind) => {
                        PredKind::Exists(locals, Arc::new(Pred::new(kind, body.span)))
                    }
                    (Quantifier::Forall, PredKind::Implies(p, q)) => PredKind::Forall(locals, p, q),
                    (Quantifier::Forall, kind) => {
                        // Event-B types the names elsewhere.
                        if self.dialect != Dialect::EventB && !refused {
                            self.no_implication(idents, written);
                        }
                        let all = self.node_pred(PredKind::True, span);
                        let body = Pred::new(kind, body.span);
                        PredKind::Forall(locals, Arc::new(all), Arc::new(body))
                    }
                };
                self.node_pred(kind, span)
            }
            NodeKind::If(branches, otherwise) => {
                let mut done = Vec::new();
                for (condition, value) in branches {
                    let condition = self.pred(condition);
                    done.push((condition, self.pred(value)));
                }
                let mut result = self.pred(otherwise);
                for (condition, value) in done.into_iter().rev() {
                    let kind = PredKind::If(Arc::new(condition), Arc::new(value), Arc::new(result));
                    result = self.node_pred(kind, span);
                }
                result
            }
            NodeKind::Let(idents, equations, body) => {
                let height = self.scope.height();
                let equations = self.equations(idents, equations);
                let body = self.pred(body);
                self.scope.entries.truncate(height);
                self.node_pred(PredKind::Let(equations, Arc::new(body)), span)
            }
            NodeKind::Substitute(substitution, body) => {
                let height = self.scope.height();
                let equations = self.substituted(substitution);
                let body = self.pred(body);
                self.scope.entries.truncate(height);
                self.node_pred(PredKind::Let(equations, Arc::new(body)), span)
            }
            NodeKind::At(operator, arguments) => self.at_predicate(operator, arguments, node),
            NodeKind::Name(name) => self.named_predicate(name, &[], node),
            NodeKind::Call(f, arguments) => match &f.kind {
                NodeKind::Name(name) => self.named_predicate(name, arguments, node),
                _ => self.expression_as_predicate(node),
            },
            NodeKind::Error => self.refused_pred(span),
            _ => self.expression_as_predicate(node),
        }
    }

    /// `&` and `or` bind equally tight, which few expect: warns where they meet without brackets.
    /// Only the first part of a run can be a run of the other kind that has no brackets, and then
    /// it begins where its own first part begins.
    pub fn warn_mixing(&mut self, parts: &'a [Node]) {
        let Some(first) = parts.first() else { return };
        let (NodeKind::Conjunction(inner) | NodeKind::Disjunction(inner)) = &first.kind else {
            return;
        };
        // Event-B does not mix them without brackets; a model's guards are a conjunction that nobody wrote.
        if inner.first().is_none_or(|n| n.span.start != first.span.start)
            || self.tolerated.is_some()
            || self.dialect == Dialect::EventB
        {
            return;
        }
        let message = "`&` and `or` bind equally tight and are read from left to right";
        let diagnostic = Diagnostic::warning("mixed-connectives", first.span, message)
            .hint("this part is read first: write brackets around it, or where you mean them");
        self.report(diagnostic);
    }

    fn disjunction(&mut self, parts: &'a [Node], span: Span) -> Pred {
        self.warn_mixing(parts);
        let parts = parts.iter().map(|p| self.pred(p)).collect();
        self.node_pred(PredKind::Or(parts), span)
    }

    fn comparison(&mut self, op: Comparison, l: &'a Node, r: &'a Node, span: Span) -> Pred {
        let left = self.expr(l);
        let right = match op {
            Comparison::Member | Comparison::NotMember => {
                self.expr_beside(r, &Type::pow(left.ty.clone()), &left)
            }
            Comparison::Equal | Comparison::NotEqual => self.expr_beside(r, &left.ty, &left),
            Comparison::Less
            | Comparison::LessEqual
            | Comparison::Greater
            | Comparison::GreaterEqual => {
                let result = self.infer.numeric(&left.ty, left.span);
                let expected = if self.require(result) { left.ty.clone() } else { ERROR };
                self.expr_beside(r, &expected, &left)
            }
            _ => {
                let ty = Type::pow(self.infer.fresh());
                let mut left = left;
                self.check(&mut left, &ty, l.span);
                let right = self.expr_beside(r, &ty, &left);
                return self.node_pred(PredKind::Compare(op, left, right), span);
            }
        };
        self.node_pred(PredKind::Compare(op, left, right), span)
    }

    fn at_predicate(&mut self, operator: &Ident, arguments: &'a [Node], node: &'a Node) -> Pred {
        match (&*operator.name, arguments) {
            ("finite", [set]) => {
                let (set, _) = self.set_expr(set);
                self.node_pred(PredKind::Finite(set), node.span)
            }
            ("partition", [whole, parts @ ..]) => {
                let (whole, element) = self.set_expr(whole);
                let ty = Type::pow(element);
                let parts: Vec<Expr> = parts.iter().map(|p| self.expr_of(p, &ty)).collect();
                self.node_pred(PredKind::Partition(whole, parts), node.span)
            }
            (BOUNDED | FALLS | RISES_NOT, [before, after]) => {
                self.variant(&operator.name, before, after, node.span)
            }
            _ => self.expression_as_predicate(node),
        }
    }

    /// A name or call: a definition, or an argument of one.
    fn named_predicate(&mut self, name: &Name, arguments: &'a [Node], node: &'a Node) -> Pred {
        match self.resolve(name) {
            Some(Resolved::Global(Declared { meaning: Global::Definition(d), .. })) => {
                self.definition_pred(name, &d, arguments, node)
            }
            Some(Resolved::Argument(argument)) if arguments.is_empty() => {
                self.with_argument(&argument, |this, node| this.pred(node))
            }
            None if self.tolerated.is_some() => {
                for argument in arguments {
                    self.expr(argument);
                }
                self.refused_pred(node.span)
            }
            _ => self.expression_as_predicate(node),
        }
    }

    fn definition_pred(
        &mut self,
        name: &Name,
        definition: &Rc<Macro<'a>>,
        arguments: &'a [Node],
        node: &'a Node,
    ) -> Pred {
        let span = node.span;
        match self.external_use(name, definition, span) {
            Use::Ordinary => {}
            Use::External(s) if s.result == crate::machine::external::Sort::Bool => {
                return self.external_pred(s, arguments, span);
            }
            Use::External(_) => return self.expression_as_predicate(node),
            Use::Refused => return self.refused_pred(span),
        }
        if let DefinitionBody::Formula(body) = &definition.definition.body
            && arguments.is_empty() == definition.definition.parameters.is_empty()
            && is_surely_expression(body)
        {
            definition.used.set(true);
            return self.expression_as_predicate(node);
        }
        let expanded = self.expand(name, definition, arguments, span, |this, body| match body {
            DefinitionBody::Formula(node) => this.pred(node),
            DefinitionBody::Substitution(s) => {
                this.error(
                    "substitution-where-predicate",
                    s.span,
                    format!("`{name}` is defined as a substitution; a predicate is needed here"),
                );
                this.refused_pred(span)
            }
            DefinitionBody::Error => {
                this.unparsed(definition, span);
                this.refused_pred(span)
            }
        });
        expanded.unwrap_or_else(|| self.refused_pred(span))
    }

    /// An expression where a predicate is needed. Its own errors are reported first; if there are
    /// none, the category is the error.
    fn expression_as_predicate(&mut self, node: &'a Node) -> Pred {
        let expr = self.expr(node);
        if expr.ty != ERROR {
            let message = "expected a predicate, found an expression";
            let mut diagnostic =
                Diagnostic::error("expression-where-predicate", self.at(node.span), message);
            let hint = match self.infer.head(&expr.ty) {
                Some(Type::Bool) => Some("write `= TRUE` to test a boolean value"),
                Some(Type::Integer) => Some("a number is compared: `x = 1`, `x > 0`"),
                Some(Type::Pow(_)) => Some("a set is compared: `s /= {}`, `x : s`"),
                _ => None,
            };
            if let Some(hint) = hint {
                diagnostic = diagnostic.hint(hint);
            }
            self.report_within(diagnostic, node.span);
            self.infer.poison(&expr.ty);
        }
        self.refused_pred(node.span)
    }
}

/// Whether a tree is an expression wherever it stands (names, calls, IF and LET depend).
fn is_surely_expression(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Binary(op, ..) => !super::operators::is_predicate_operator(*op),
        NodeKind::Constant(c) => !matches!(c, Constant::Truth | Constant::Falsity),
        NodeKind::Unary(op, _) => *op != ast::UnaryOp::Not,
        NodeKind::Integer(_)
        | NodeKind::Real(_)
        | NodeKind::String(_)
        | NodeKind::Previous(_)
        | NodeKind::Builtin(..)
        | NodeKind::Image(..)
        | NodeKind::Field(..)
        | NodeKind::SetExtension(_)
        | NodeKind::SequenceExtension(_)
        | NodeKind::Comprehension(..)
        | NodeKind::EventComprehension(..)
        | NodeKind::Fold(..)
        | NodeKind::Bool(_)
        | NodeKind::Record(_)
        | NodeKind::Struct(_) => true,
        _ => false,
    }
}

fn comparison(op: ast::BinaryOp) -> Option<Comparison> {
    use ast::BinaryOp as A;
    Some(match op {
        A::Equal => Comparison::Equal,
        A::NotEqual => Comparison::NotEqual,
        A::Member => Comparison::Member,
        A::NotMember => Comparison::NotMember,
        A::Subset => Comparison::Subset,
        A::NotSubset => Comparison::NotSubset,
        A::StrictSubset => Comparison::StrictSubset,
        A::NotStrictSubset => Comparison::NotStrictSubset,
        A::Less => Comparison::Less,
        A::LessEqual => Comparison::LessEqual,
        A::Greater => Comparison::Greater,
        A::GreaterEqual => Comparison::GreaterEqual,
        _ => return None,
    })
}
