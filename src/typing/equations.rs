//! Names that are given their values by equations: those of a LET, and those of a substitution within a
//! predicate.

use crate::diagnostic::Diagnostic;
use crate::machine::{Expr, LocalId};
use crate::syntax::ast::{self, Ident, Name, Node, NodeKind, Substitution, SubstitutionKind};
use crate::typing::context::Elaborator;
use crate::typing::definitions::names_of;
use crate::typing::expression::conjuncts;
use crate::typing::infer::ERROR;
use crate::typing::scope::{Meaning, Role};

impl<'a> Elaborator<'a> {
    /// `x = E & y = F`: binds the identifiers in the order of their equations; each equation sees
    /// those before it.
    pub fn equations(&mut self, idents: &'a [Ident], node: &'a Node) -> Vec<(LocalId, Expr)> {
        let mut done: Vec<(LocalId, Expr)> = Vec::new();
        let mut bound: Vec<&Name> = Vec::new();
        for equation in conjuncts(node) {
            let Some((ident, value)) = equation_sides(equation, idents, &bound) else {
                self.error(
                    "let-equation",
                    equation.span,
                    "expected an equation `name = expression` for one of the names of this LET",
                );
                continue;
            };
            let value = match self.report_circle(ident, value, idents, &bound) {
                true => self.refused(value.span),
                false => self.expr(value),
            };
            let local = self.bind_one(ident, value.ty.clone(), Role::Let);
            done.push((local, value));
            bound.push(&ident.name);
        }
        for ident in idents {
            if !bound.contains(&&ident.name) {
                let message = format!("this LET has no equation for `{}`", ident.name);
                self.error("let-equation", ident.span, message);
                self.bind_one(ident, ERROR, Role::Let);
            }
        }
        done
    }

    /// The refusal of an equation of a LET whose right side mentions a name of the LET that has no value before it;
    /// whether it was refused.
    fn report_circle(
        &mut self,
        ident: &Ident,
        value: &'a Node,
        idents: &[Ident],
        bound: &[&Name],
    ) -> bool {
        let is_open =
            |name: &Name| !bound.contains(&name) && idents.iter().any(|i| i.name == *name);
        let Some((name, span)) = names_of(value).into_iter().find(|(name, _)| is_open(name)) else {
            return false;
        };
        let (message, hint) = match *name == ident.name {
            true => (
                format!("the value of `{name}` in this LET mentions `{name}` itself"),
                "a LET names a value: `LET n BE n = x + 1 IN ..`".to_owned(),
            ),
            false => (
                format!("`{name}` has no value yet in the equation for `{}`", ident.name),
                format!(
                    "put the equation for `{name}` before this one, if it does without `{}`",
                    ident.name
                ),
            ),
        };
        let diagnostic = Diagnostic::error("let-equation", self.at(span), message);
        self.report_within(diagnostic.hint(hint), span);
        true
    }

    /// `[x := E, F] ..`: the equations of the substitution, the right sides in the outer scope.
    pub fn substituted(&mut self, s: &'a Substitution) -> Vec<(LocalId, Expr)> {
        let SubstitutionKind::Assign(targets, values) = &s.kind else {
            self.not_yet(s.span, "this substitution in a predicate");
            return Vec::new();
        };
        if targets.len() != values.len() {
            self.error("assignment-arity", s.span, "as many expressions as names are needed");
            return Vec::new();
        }
        let values: Vec<Expr> = values.iter().map(|v| self.expr(v)).collect();
        let mut done = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let NodeKind::Name(name) = &target.kind else {
                self.not_yet(target.span, "this target of a substitution in a predicate");
                continue;
            };
            let local = self.new_local(name.clone(), value.ty.clone(), self.at(target.span));
            self.scope.push(name.clone(), Meaning::Local(local, Role::Let));
            done.push((local, value));
        }
        done
    }
}

/// The identifier and the value of an equation of a LET.
fn equation_sides<'n>(
    equation: &'n Node,
    idents: &'n [Ident],
    bound: &[&Name],
) -> Option<(&'n Ident, &'n Node)> {
    let NodeKind::Binary(ast::BinaryOp::Equal, l, r) = &equation.kind else { return None };
    let free = |node: &Node| match &node.kind {
        NodeKind::Name(n) if !bound.contains(&n) => idents.iter().find(|i| i.name == *n),
        _ => None,
    };
    free(l).map(|i| (i, &**r)).or_else(|| free(r).map(|i| (i, &**l)))
}
