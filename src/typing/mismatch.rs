//! Types that do not fit, and why each side has its own.

use crate::diagnostic::Diagnostic;
use crate::machine::{Expr, ExprKind, SetKind, Type};
use crate::source::Span;
use crate::syntax::ast::Node;
use crate::syntax::suggest::closest;
use crate::typing::context::Elaborator;
use crate::typing::infer::{Conflict, ERROR, Failure};
use std::sync::Arc;

impl<'a> Elaborator<'a> {
    /// Requires an expression to be of a type; reports and marks it otherwise.
    pub fn check(&mut self, expr: &mut Expr, expected: &Type, written: Span) {
        self.check_beside(expr, expected, written, None);
    }

    /// The same, where the type is that of another expression, which the message shows.
    pub fn check_beside(
        &mut self,
        expr: &mut Expr,
        expected: &Type,
        written: Span,
        other: Option<&Expr>,
    ) {
        if let Err(failure) = self.infer.unify(expected, &expr.ty, expr.span) {
            self.mismatch(failure, expected, expr, written, other);
            self.infer.poison(expected);
            self.infer.poison(&expr.ty);
            expr.ty = ERROR;
        }
    }

    /// Elaborates an expression whose type another expression decides.
    pub fn expr_beside(&mut self, node: &'a Node, expected: &Type, other: &Expr) -> Expr {
        let mut expr = self.expr(node);
        if other.ty == ERROR {
            // What was wrong there is said already.
            self.infer.poison(&expr.ty);
        } else {
            self.check_beside(&mut expr, expected, node.span, Some(other));
        }
        expr
    }

    /// Gives a hint to the mismatches reported since there were `since` diagnostics.
    pub fn advise(&mut self, since: usize, hint: &str) {
        let new = self.diagnostics.iter_mut().skip(since);
        new.filter(|d| d.code == "type-mismatch").for_each(|d| d.hint = Some(hint.to_owned()));
    }

    fn mismatch(
        &mut self,
        failure: Failure,
        expected: &Type,
        found: &Expr,
        written: Span,
        other: Option<&Expr>,
    ) {
        let message = match failure {
            Failure::Mismatch => {
                format!("expected {}, found {}", self.show(expected), self.show(&found.ty))
            }
            Failure::Infinite => "this type would contain itself".to_owned(),
            Failure::TooDeep => "this type is nested too deeply".to_owned(),
        };
        let mut notes: Vec<(Span, String)> = Vec::new();
        if let Some(other) = other {
            notes.push((other.span, format!("this is {}", self.show(&other.ty))));
            notes.extend(self.reason(other));
        } else if let Some(origin) = self.infer.origin(expected) {
            notes.push((origin, format!("expected {} because of this", self.show(expected))));
        }
        notes.extend(self.reason(found));
        let mut diagnostic = Diagnostic::error("type-mismatch", found.span, message);
        for (span, label) in notes {
            let known = diagnostic.notes.iter().any(|(s, _)| *s == span);
            if span != found.span && !known {
                diagnostic = diagnostic.note(span, label);
            }
        }
        let slip = self.slip_of(expected, found, other);
        let slip = slip.or_else(|| self.remedy(expected, &found.ty));
        diagnostic.hint =
            slip.map(str::to_owned).or_else(|| self.misspelled_field(expected, &found.ty));
        self.report_within(diagnostic, written);
    }

    /// Why an identifier has its type: the place that decided it.
    fn reason(&self, expr: &Expr) -> Option<(Span, String)> {
        let (name, ty) = self.named(expr)?;
        let origin = self.infer.origin(&ty)?;
        (origin != expr.span)
            .then(|| (origin, format!("`{name}` is {} because of this", self.show(&ty))))
    }

    /// What was probably meant, by what stands there.
    fn slip_of(&self, expected: &Type, found: &Expr, other: Option<&Expr>) -> Option<&'static str> {
        let is_set = |ty: &Type| matches!(self.infer.head(ty), Some(Type::Pow(_)));
        let is_parameter = |e: &Expr| match e.kind {
            ExprKind::Carrier(id) => self.sets[id.0 as usize].kind == SetKind::Parameter,
            _ => false,
        };
        match &found.kind {
            ExprKind::Sequence(items) if items.is_empty() => {
                Some("`[]` is the empty sequence: the empty set is written `{}`")
            }
            _ if is_parameter(found) || other.is_some_and(is_parameter) => {
                Some(match is_set(expected) && is_set(&found.ty) {
                    true => {
                        "a parameter in capitals is a set of a type of its own, like no other set"
                    }
                    false => {
                        "a parameter in capitals is a set: the name of a number has a lower-case letter"
                    }
                })
            }
            _ => None,
        }
    }

    /// What is probably missing between two types: of a set and of one of its elements.
    fn remedy(&self, expected: &Type, found: &Type) -> Option<&'static str> {
        let (expected, found) = (self.infer.head(expected)?, self.infer.head(found)?);
        let fits = |a: &Type, b: &Type| self.infer.is_open(a) || self.show(a) == self.show(b);
        match (&expected, &found) {
            (Type::Pow(_), Type::Pow(_)) => None,
            (Type::Pow(element), other) if fits(element, other) => {
                Some("a set is needed here: `{x}` is the set with the one element x")
            }
            (other, Type::Pow(element)) if fits(element, other) => {
                Some("an element is needed here: `x : S` declares one of S, `x <: S` a set of them")
            }
            _ => None,
        }
    }

    /// The field that was probably meant, where records, or sets of them, differ in the name of one.
    fn misspelled_field(&self, expected: &Type, found: &Type) -> Option<String> {
        let (expected, found) = match (self.infer.head(expected)?, self.infer.head(found)?) {
            (Type::Pow(a), Type::Pow(b)) => (self.infer.head(&a)?, self.infer.head(&b)?),
            both => both,
        };
        let (Type::Record(wanted), Type::Record(fields)) = (&expected, &found) else { return None };
        let lacks =
            |fields: &[(Arc<str>, Type)], name: &Arc<str>| fields.iter().all(|f| f.0 != *name);
        let wrong = fields.iter().map(|f| &f.0).filter(|name| lacks(wanted, name));
        let missing = wanted.iter().map(|f| &f.0).filter(|name| lacks(fields, name));
        let missing: Vec<&str> = missing.map(|name| &**name).collect();
        let close = wrong.filter_map(|name| closest(name, missing.iter().copied())).next()?;
        Some(format!("did you mean the field `{close}`?"))
    }

    /// Name and declared type, of an identifier.
    fn named(&self, expr: &Expr) -> Option<(Arc<str>, Type)> {
        let (name, ty) = match &expr.kind {
            ExprKind::Constant(c) => {
                let c = &self.constants[c.0 as usize];
                (&c.name, &c.ty)
            }
            ExprKind::Variable(v) => {
                let v = &self.variables[v.0 as usize];
                (&v.name, &v.ty)
            }
            ExprKind::Local(l) => {
                let l = self.local(*l)?;
                (&l.name, &l.ty)
            }
            _ => return None,
        };
        Some((name.clone(), ty.clone()))
    }

    pub fn conflict(&mut self, conflict: Conflict) {
        let types: Vec<String> = conflict.operands.iter().map(|t| self.show(t)).collect();
        let message = conflict.message + &types.join(" and ");
        let diagnostic = Diagnostic::error(conflict.code, conflict.span, message);
        self.report(Diagnostic { hint: conflict.hint, ..diagnostic });
    }

    /// Reports a conflict; false when there was one.
    pub fn require(&mut self, result: Result<(), Conflict>) -> bool {
        match result {
            Ok(()) => true,
            Err(conflict) => {
                self.conflict(conflict);
                false
            }
        }
    }
}
