//! Expressions: from syntax tree to typed tree with type terms.

use crate::diagnostic::Diagnostic;
use crate::machine::{BasicSet, BinaryOp, Expr, ExprKind, Fold, LocalId, Type, UnaryOp};
use crate::source::Span;
use crate::syntax::ast::{
    self, Builtin, Constant, DefinitionBody, Ident, Name, Node, NodeKind, TEMPLATE,
};
use crate::typing::context::{Elaborator, Resolved};
use crate::typing::external::Use;
use crate::typing::functions::soft_name;
use crate::typing::infer::ERROR;
use crate::typing::operators::is_predicate_operator;
use crate::typing::scope::{Argument, Declared, Global, Macro, Meaning, Role};
use std::sync::Arc;

impl<'a> Elaborator<'a> {
    /// Elaborates an expression of any type.
    pub fn expr(&mut self, node: &'a Node) -> Expr {
        if !self.enter(node.span) {
            return self.refused(node.span);
        }
        let expr = self.expr_inner(node);
        self.leave();
        expr
    }

    /// Elaborates an expression that must be of this type.
    pub fn expr_of(&mut self, node: &'a Node, expected: &Type) -> Expr {
        let mut expr = self.expr(node);
        self.check(&mut expr, expected, node.span);
        expr
    }

    /// A set, and the type of its elements.
    pub fn set_expr(&mut self, node: &'a Node) -> (Expr, Type) {
        let element = self.infer.fresh();
        let expr = self.expr_of(node, &Type::pow(element.clone()));
        (expr, element)
    }

    /// A relation, and the types of its two sides.
    pub(super) fn relation_expr(&mut self, node: &'a Node) -> (Expr, Type, Type) {
        let (a, b) = (self.infer.fresh(), self.infer.fresh());
        let expr = self.expr_of(node, &Type::relation(a.clone(), b.clone()));
        (expr, a, b)
    }

    pub fn node_expr(&self, kind: ExprKind, ty: Type, span: Span) -> Expr {
        Expr::new(kind, ty, self.at(span))
    }

    pub(super) fn unary(&self, op: UnaryOp, e: Expr, ty: Type, span: Span) -> Expr {
        let ty = if e.ty == ERROR { ERROR } else { ty };
        self.node_expr(ExprKind::Unary(op, Arc::new(e)), ty, span)
    }

    pub(super) fn binary(&self, op: BinaryOp, l: Expr, r: Expr, ty: Type, span: Span) -> Expr {
        let ty = if l.ty == ERROR || r.ty == ERROR { ERROR } else { ty };
        self.node_expr(ExprKind::Binary(op, Arc::new(l), Arc::new(r)), ty, span)
    }

    fn expr_inner(&mut self, node: &'a Node) -> Expr {
        let span = node.span;
        match &node.kind {
            NodeKind::Integer(n) => {
                self.node_expr(ExprKind::Integer(n.clone()), Type::Integer, span)
            }
            NodeKind::Real(text) => self.real(text, span),
            NodeKind::String(s) => self.node_expr(ExprKind::String(s.clone()), Type::String, span),
            NodeKind::Name(name) => self.name(name, span),
            NodeKind::Previous(name) => self.previous(name, span),
            NodeKind::Constant(c) => self.constant(*c, node),
            NodeKind::Unary(ast::UnaryOp::Minus, e) => {
                let e = self.expr(e);
                let result = self.infer.numeric(&e.ty, e.span);
                let ty = if self.require(result) { e.ty.clone() } else { ERROR };
                self.unary(UnaryOp::Negate, e, ty, span)
            }
            NodeKind::Unary(ast::UnaryOp::Inverse, e) => {
                let (e, a, b) = self.relation_expr(e);
                self.unary(UnaryOp::Inverse, e, Type::relation(b, a), span)
            }
            NodeKind::Unary(ast::UnaryOp::Not, _)
            | NodeKind::Conjunction(_)
            | NodeKind::Disjunction(_)
            | NodeKind::Labelled(..)
            | NodeKind::Quantifier(..)
            | NodeKind::Substitute(..) => self.predicate_as_expression(node),
            NodeKind::Binary(op, ..) if is_predicate_operator(*op) => {
                self.predicate_as_expression(node)
            }
            NodeKind::Binary(..) => self.binary_chain(node),
            NodeKind::Call(f, arguments) => self.call(f, arguments, node),
            NodeKind::Builtin(b, arguments) => self.builtin(*b, arguments, span),
            NodeKind::Image(r, s) => {
                let (r, a, b) = self.relation_expr(r);
                let since = self.diagnostics.len();
                let s = self.expr_beside(s, &Type::pow(a), &r);
                if s.ty == ERROR && self.diagnostics.len() == since + 1 {
                    self.advise(
                        since,
                        "`r[S]` is the image of a set; a function is applied as `f(x)`",
                    );
                }
                self.binary(BinaryOp::Image, r, s, Type::pow(b), span)
            }
            NodeKind::Field(record, field) => self.field(record, field, span),
            NodeKind::SetExtension(items) => {
                let since = self.diagnostics.len();
                let nodes = items;
                let (items, ty) = self.items(nodes);
                self.advise_pairs(since, nodes);
                let kind =
                    if items.is_empty() { ExprKind::Empty } else { ExprKind::SetExtension(items) };
                self.node_expr(kind, Type::pow(ty), span)
            }
            NodeKind::SequenceExtension(items) => {
                let (items, ty) = self.items(items);
                self.node_expr(ExprKind::Sequence(items), Type::sequence(ty), span)
            }
            NodeKind::Comprehension(idents, body) => {
                let height = self.scope.height();
                let locals = self.bind(idents, Role::Quantified);
                let body = self.pred(body);
                self.scope.entries.truncate(height);
                let ty = Type::pow(self.tuple_type(&locals));
                self.node_expr(ExprKind::Comprehension(locals, Arc::new(body)), ty, span)
            }
            NodeKind::EventComprehension(idents, body, value) => {
                self.fold(Fold::Image, idents, body, value, span)
            }
            NodeKind::Fold(fold, idents, body, value) => {
                let fold = match fold {
                    ast::Fold::Sigma => Fold::Sigma,
                    ast::Fold::Pi => Fold::Pi,
                    ast::Fold::Union => Fold::Union,
                    ast::Fold::Inter => Fold::Inter,
                    ast::Fold::Lambda => Fold::Lambda,
                };
                self.fold(fold, idents, body, value, span)
            }
            NodeKind::Bool(body) => {
                let body = self.pred(body);
                self.node_expr(ExprKind::BoolOf(Arc::new(body)), Type::Bool, span)
            }
            NodeKind::Record(fields) => self.record(fields, span, false),
            NodeKind::Struct(fields) => self.record(fields, span, true),
            NodeKind::If(branches, otherwise) => {
                let ty = self.infer.fresh();
                let mut done = Vec::new();
                for (condition, value) in branches {
                    let condition = self.pred(condition);
                    done.push((condition, self.expr_of(value, &ty)));
                }
                let mut result = self.expr_of(otherwise, &ty);
                for (condition, value) in done.into_iter().rev() {
                    let kind = ExprKind::If(Arc::new(condition), Arc::new(value), Arc::new(result));
                    result = self.node_expr(kind, ty.clone(), span);
                }
                result
            }
            NodeKind::Let(idents, equations, body) => {
                let height = self.scope.height();
                let equations = self.equations(idents, equations);
                let body = self.expr(body);
                self.scope.entries.truncate(height);
                let ty = body.ty.clone();
                self.node_expr(ExprKind::Let(equations, Arc::new(body)), ty, span)
            }
            NodeKind::At(operator, arguments) => self.at_expression(operator, arguments, node),
            NodeKind::Error => self.refused(span),
        }
    }

    fn real(&mut self, text: &str, span: Span) -> Expr {
        match text.parse::<f64>() {
            Ok(x) if x.is_finite() => self.node_expr(ExprKind::Real(x), Type::Real, span),
            _ => {
                self.error(
                    "real-out-of-range",
                    span,
                    format!("the real number {text} is out of range"),
                );
                self.refused(span)
            }
        }
    }

    // ---- names

    pub(super) fn name(&mut self, name: &Name, span: Span) -> Expr {
        match self.resolve(name) {
            Some(Resolved::Local(id, role)) => {
                self.met_abstract |= role == Role::Abstract;
                let ty = self.local_type(id);
                self.node_expr(ExprKind::Local(id), ty, span)
            }
            Some(Resolved::Cell(cell)) => self.cell_expr(cell, span),
            Some(Resolved::Argument(argument)) => {
                self.with_argument(&argument, |this, node| this.expr(node))
            }
            Some(Resolved::Global(declared)) => self.global(name, &declared, span),
            None => self.unknown(name, span),
        }
    }

    pub fn unknown(&mut self, name: &Name, span: Span) -> Expr {
        let fresh = self.infer.fresh();
        if let Some(free) = &self.free {
            let known = free.iter().find(|(n, _)| n == name).map(|(_, id)| *id);
            let id = known.unwrap_or_else(|| self.free_variable(name, fresh, span));
            let ty = self.local_type(id);
            return self.node_expr(ExprKind::Local(id), ty, span);
        }
        match &mut self.tolerated {
            Some(types) => {
                let ty = types.entry(name.clone()).or_insert(fresh).clone();
                self.node_expr(ExprKind::Empty, ty, span)
            }
            None => {
                self.undeclared(name, span);
                self.refused(span)
            }
        }
    }

    fn free_variable(&mut self, name: &Name, ty: Type, span: Span) -> LocalId {
        let id = self.new_local(name.clone(), ty, span);
        self.free.get_or_insert_default().push((name.clone(), id));
        id
    }

    pub fn cell_expr(&self, cell: crate::machine::Cell, span: Span) -> Expr {
        let kind = match cell {
            crate::machine::Cell::Variable(v) => ExprKind::Variable(v),
            crate::machine::Cell::Local(l) => ExprKind::Local(l),
        };
        self.node_expr(kind, self.cell_type(cell), span)
    }

    fn global(&mut self, name: &Name, declared: &Declared<'a>, span: Span) -> Expr {
        match &declared.meaning {
            Global::Set(id) => {
                self.node_expr(ExprKind::Carrier(*id), Type::pow(Type::Set(*id)), span)
            }
            Global::Element(set, index) => {
                self.node_expr(ExprKind::Element(*set, *index), Type::Set(*set), span)
            }
            Global::Constant(id) => {
                let ty = self.constants[id.0 as usize].ty.clone();
                self.node_expr(ExprKind::Constant(*id), ty, span)
            }
            Global::Freetype(id) => {
                let ty = Type::pow(Type::Free(*id));
                let (of, made) = (*id, None);
                // Until it is known of all sets; see `normalise::freetypes`.
                let endless = self.freetypes[id.0 as usize].is_endless(made);
                self.node_expr(ExprKind::Freetype { of, made, endless }, ty, span)
            }
            Global::Constructor(id, i) => self.constructor(*id, *i, span),
            Global::Variable(id, _) => {
                let ty = self.variables[id.0 as usize].ty.clone();
                self.node_expr(ExprKind::Variable(*id), ty, span)
            }
            Global::Given(argument) => self.with_argument(argument, |this, node| this.expr(node)),
            Global::Definition(definition) => {
                let definition = definition.clone();
                self.definition_expr(name, &definition, &[], span)
            }
        }
    }

    /// The use of a definition as an expression.
    pub(super) fn definition_expr(
        &mut self,
        name: &Name,
        definition: &Macro<'a>,
        arguments: &'a [Node],
        span: Span,
    ) -> Expr {
        if let Some(value) = self.recursion(name, arguments, span) {
            return value;
        }
        match self.external_use(name, definition, span) {
            Use::Ordinary => {}
            Use::External(signature) => return self.external_expr(signature, arguments, span),
            Use::Refused => return self.refused(span),
        }
        let expanded = self.expand(name, definition, arguments, span, |this, body| match body {
            DefinitionBody::Formula(node) => this.expr(node),
            DefinitionBody::Substitution(s) => {
                this.error(
                    "substitution-where-expression",
                    s.span,
                    format!("`{name}` is defined as a substitution; an expression is needed here"),
                );
                this.refused(span)
            }
            DefinitionBody::Error => {
                this.unparsed(definition, span);
                this.refused(span)
            }
        });
        expanded.unwrap_or_else(|| self.refused(span))
    }

    fn previous(&mut self, name: &Name, span: Span) -> Expr {
        let key: Name = format!("{name}$0").into();
        match self.resolve(&key) {
            Some(Resolved::Cell(cell)) => return self.cell_expr(cell, span),
            Some(Resolved::Local(id, _)) => {
                let ty = self.local_type(id);
                return self.node_expr(ExprKind::Local(id), ty, span);
            }
            _ => {}
        }
        if self.loop_initial.is_some()
            && let Some(cell) = self.cell_of(name)
        {
            let ty = self.cell_type(cell);
            let initial = self.loop_initial.as_ref().map_or(&[][..], |list| list);
            let known = initial.iter().find(|(c, _)| *c == cell).map(|(_, l)| *l);
            let local = known.unwrap_or_else(|| {
                let local = self.new_local(key, ty.clone(), self.at(span));
                if let Some(list) = &mut self.loop_initial {
                    list.push((cell, local));
                }
                local
            });
            return self.node_expr(ExprKind::Local(local), ty, span);
        }
        self.error(
            "previous-value",
            span,
            format!(
                "`{name}$0` has a meaning only where `{name}` gets a new value: in `{name} : (..)` \
                 and in loop invariants"
            ),
        );
        self.refused(span)
    }

    /// The variable, result or VAR local of this name.
    fn cell_of(&self, name: &str) -> Option<crate::machine::Cell> {
        match self.resolve(name)? {
            Resolved::Local(id, role) if role.assignable() => Some(crate::machine::Cell::Local(id)),
            Resolved::Cell(cell) => Some(cell),
            Resolved::Global(Declared { meaning: Global::Variable(v, _), .. }) => {
                Some(crate::machine::Cell::Variable(v))
            }
            Resolved::Argument(Argument {
                node: Node { kind: NodeKind::Name(n), .. },
                height,
                ..
            }) => match self.scope.find_below(height, n) {
                Some(Meaning::Local(id, role)) if role.assignable() => {
                    Some(crate::machine::Cell::Local(*id))
                }
                Some(_) => None,
                None => match &self.environment().globals.get(n)?.meaning {
                    Global::Variable(v, _) => Some(crate::machine::Cell::Variable(*v)),
                    _ => None,
                },
            },
            _ => None,
        }
    }

    // ---- constants of the language

    fn constant(&mut self, constant: Constant, node: &'a Node) -> Expr {
        let span = node.span;
        let integers = Type::pow(Type::Integer);
        let (kind, ty) = match constant {
            Constant::True => (ExprKind::Bool(true), Type::Bool),
            Constant::False => (ExprKind::Bool(false), Type::Bool),
            Constant::Truth | Constant::Falsity => return self.predicate_as_expression(node),
            Constant::BoolSet => (ExprKind::Basic(BasicSet::Bool), Type::pow(Type::Bool)),
            Constant::Integer => (ExprKind::Basic(BasicSet::Integer), integers),
            Constant::Natural => (ExprKind::Basic(BasicSet::Natural), integers),
            Constant::Natural1 => (ExprKind::Basic(BasicSet::Natural1), integers),
            Constant::Int => (ExprKind::Basic(BasicSet::Int), integers),
            Constant::Nat => (ExprKind::Basic(BasicSet::Nat), integers),
            Constant::Nat1 => (ExprKind::Basic(BasicSet::Nat1), integers),
            Constant::MaxInt => (ExprKind::MaxInt, Type::Integer),
            Constant::MinInt => (ExprKind::MinInt, Type::Integer),
            Constant::String => (ExprKind::Basic(BasicSet::String), Type::pow(Type::String)),
            Constant::Real => (ExprKind::Basic(BasicSet::Real), Type::pow(Type::Real)),
            Constant::Float => (ExprKind::Basic(BasicSet::Float), Type::pow(Type::Real)),
            Constant::EmptySet => (ExprKind::Empty, Type::pow(self.infer.fresh())),
            Constant::EmptySequence => {
                (ExprKind::Sequence(Vec::new()), Type::sequence(self.infer.fresh()))
            }
            Constant::Function(Builtin::Succ) => return self.step_function(BinaryOp::Add, span),
            Constant::Function(Builtin::Pred) => {
                return self.step_function(BinaryOp::Subtract, span);
            }
            Constant::Function(b) => {
                if let Some(name) = soft_name(b) {
                    return self.name(&Arc::from(name), span);
                }
                let message = "this reserved word is an operator and needs an argument";
                self.error("missing-arguments", span, message);
                return self.refused(span);
            }
        };
        self.node_expr(kind, ty, span)
    }

    // ---- application

    fn call(&mut self, function: &'a Node, arguments: &'a [Node], node: &'a Node) -> Expr {
        let span = node.span;
        if let NodeKind::Name(name) = &function.kind
            && let Some(definition) = self.definition(name)
            && (arguments.is_empty() || !definition.definition.parameters.is_empty())
        {
            return self.definition_expr(name, &definition, arguments, span);
        }
        if let NodeKind::Constant(Constant::Function(b)) = &function.kind {
            return self.builtin(*b, arguments, span);
        }
        let (f, a, b) = match &function.kind {
            NodeKind::Name(name) if self.tolerated.is_some() && self.resolve(name).is_none() => {
                // An unknown name may be a definition or an operation of another file.
                for argument in arguments {
                    self.expr(argument);
                }
                return self.refused(span);
            }
            _ => {
                let since = self.diagnostics.len();
                let found = self.relation_expr(function);
                if found.0.ty == ERROR && self.diagnostics.len() == since + 1 {
                    self.advise(
                        since,
                        "only a function or a sequence is applied; `x : s` asks for a member of a set",
                    );
                }
                found
            }
        };
        let Some((first, rest)) = arguments.split_first() else {
            self.error("missing-arguments", span, "a function needs an argument");
            return self.refused(span);
        };
        if f.ty == ERROR {
            // The arguments of an unknown function may be of any kind.
            for argument in arguments {
                match self.is_predicate(argument, 0) {
                    true => drop(self.pred(argument)),
                    false => drop(self.expr(argument)),
                }
            }
            return self.refused(span);
        }
        let mut argument = self.expr(first);
        for next in rest {
            let r = self.expr(next);
            let ty = Type::pair(argument.ty.clone(), r.ty.clone());
            let pair_span = first.span.to(next.span);
            argument = self.binary(BinaryOp::Pair, argument, r, ty, pair_span);
        }
        self.check_beside(&mut argument, &a, first.span, Some(&f));
        self.binary(BinaryOp::Apply, f, argument, b, span)
    }

    fn field(&mut self, record: &'a Node, field: &Ident, span: Span) -> Expr {
        let record = self.expr(record);
        let at = self.at(field.span);
        let (ty, number, result) = self.infer.field(&record.ty, &field.name, at);
        let ok = self.require(result) && record.ty != ERROR;
        let ty = if ok { ty } else { ERROR };
        self.node_expr(ExprKind::Field(Arc::new(record), number), ty, span)
    }

    fn items(&mut self, items: &'a [Node]) -> (Vec<Expr>, Type) {
        let ty = self.infer.fresh();
        (items.iter().map(|item| self.expr_of(item, &ty)).collect(), ty)
    }

    fn record(&mut self, fields: &'a [(Ident, Node)], span: Span, sets: bool) -> Expr {
        let mut done: Vec<(Name, Type, Expr)> = Vec::new();
        for (ident, value) in fields {
            let (value, ty) = if sets {
                self.set_expr(value)
            } else {
                let value = self.expr(value);
                let ty = value.ty.clone();
                (value, ty)
            };
            if done.iter().any(|(name, ..)| *name == ident.name) {
                let message = format!("the field `{}` is given twice", ident.name);
                self.error("duplicate-field", ident.span, message);
            } else {
                done.push((ident.name.clone(), ty, value));
            }
        }
        done.sort_by(|a, b| a.0.cmp(&b.0));
        let ty = Type::Record(done.iter().map(|(n, t, _)| (n.clone(), t.clone())).collect());
        let values = done.into_iter().map(|(.., value)| value).collect();
        match sets {
            true => self.node_expr(ExprKind::Struct(values), Type::pow(ty), span),
            false => self.node_expr(ExprKind::Record(values), ty, span),
        }
    }

    // ---- binders

    /// Left-nested tuple of the types of locals.
    pub fn tuple_type(&self, locals: &[LocalId]) -> Type {
        let mut types = locals.iter().map(|l| self.local_type(*l));
        let first = types.next().unwrap_or(ERROR);
        types.fold(first, Type::pair)
    }

    fn fold(
        &mut self,
        fold: Fold,
        idents: &[Ident],
        body: &'a Node,
        value: &'a Node,
        span: Span,
    ) -> Expr {
        let height = self.scope.height();
        let locals = self.bind(idents, Role::Quantified);
        let body = self.pred(body);
        let value = match fold {
            Fold::Union | Fold::Inter => self.set_expr(value).0,
            _ => self.expr(value),
        };
        self.scope.entries.truncate(height);
        let ty = match fold {
            _ if value.ty == ERROR => ERROR,
            Fold::Sigma | Fold::Pi => {
                let result = self.infer.numeric(&value.ty, value.span);
                if self.require(result) { value.ty.clone() } else { ERROR }
            }
            Fold::Union | Fold::Inter => value.ty.clone(),
            // These are made of other forms, and not written.
            Fold::Greatest | Fold::Least => self.tuple_type(&locals),
            Fold::Image => Type::pow(value.ty.clone()),
            Fold::Lambda => Type::relation(self.tuple_type(&locals), value.ty.clone()),
        };
        self.node_expr(ExprKind::Fold(fold, locals, Arc::new(body), Arc::new(value)), ty, span)
    }

    fn at_expression(&mut self, operator: &Ident, arguments: &'a [Node], node: &'a Node) -> Expr {
        match (&*operator.name, arguments) {
            ("prj1", [pair]) => self.builtin1(Builtin::Prj1, pair, node.span),
            ("prj2", [pair]) => self.builtin1(Builtin::Prj2, pair, node.span),
            (TEMPLATE, parts) => self.template(parts, node.span),
            ("finite" | "partition", _) => self.predicate_as_expression(node),
            _ => {
                self.not_yet(node.span, format_args!("the operator `@{}`", operator.name));
                self.refused(node.span)
            }
        }
    }

    /// Strings as they are, and what is shown of other values.
    fn template(&mut self, parts: &'a [Node], span: Span) -> Expr {
        let mut shown = Vec::new();
        for part in parts {
            let value = self.expr(part);
            shown.push(match &part.kind {
                NodeKind::String(_) => value,
                _ => self.external_of("TO_STRING", vec![value], Type::String, part.span),
            });
        }
        let ty = Type::sequence(Type::String);
        let all = self.node_expr(ExprKind::Sequence(shown), ty, span);
        self.external_of("STRING_CONC", vec![all], Type::String, span)
    }

    /// A predicate where an expression is needed: one error, and none for what is inside.
    fn predicate_as_expression(&mut self, node: &'a Node) -> Expr {
        let diagnostic = Diagnostic::error(
            "predicate-where-expression",
            self.at(node.span),
            "expected an expression, found a predicate",
        )
        .hint("write bool(..) for its truth value");
        self.report_within(diagnostic, node.span);
        self.refused(node.span)
    }
}

/// The conjuncts of a syntax tree, from left to right.
pub fn conjuncts(node: &Node) -> Vec<&Node> {
    let mut found = Vec::new();
    let mut todo = vec![node];
    while let Some(node) = todo.pop() {
        match &node.kind {
            NodeKind::Conjunction(parts) => todo.extend(parts.iter().rev()),
            _ => found.push(node),
        }
    }
    found
}
