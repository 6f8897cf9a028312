//! Substitutions: from syntax tree to typed tree, with the rules on what may be assigned.

use crate::diagnostic::Diagnostic;
use crate::machine::{
    Access, Cell, ClaimId, Expr, ExprKind, LocalId, Subst, SubstKind, Target, Type, UnaryOp,
};
use crate::source::Span;
use crate::syntax::ast::{
    DefinitionBody, Name, Node, NodeKind, Substitution, SubstitutionKind as S,
};
use crate::typing::context::{Elaborator, Resolved, count};
use crate::typing::functions::soft_name;
use crate::typing::infer::ERROR;
use crate::typing::lists;
use crate::typing::scope::{Global, Ownership, Role};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What tells a literal from all others of its type; `None` for what is none.
fn literal(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Integer(n) => Some(n.to_string()),
        ExprKind::Unary(UnaryOp::Negate, operand) => match &operand.kind {
            ExprKind::Integer(n) => Some((-n).to_string()),
            _ => None,
        },
        ExprKind::Bool(b) => Some(b.to_string()),
        ExprKind::String(text) => Some(text.to_string()),
        ExprKind::Element(_, index) => Some(index.to_string()),
        _ => None,
    }
}

impl<'a> Elaborator<'a> {
    pub fn subst(&mut self, s: &'a Substitution) -> Subst {
        if !self.enter(s.span) {
            return self.node_subst(SubstKind::Skip, s.span);
        }
        let kind = self.subst_kind(s);
        self.leave();
        self.node_subst(kind, s.span)
    }

    /// The labels of a CASE are literals, and no two are the same.
    fn check_labels<'e>(&mut self, labels: impl Iterator<Item = &'e Expr>) {
        let mut first: FxHashMap<String, Span> = FxHashMap::default();
        for label in labels.filter(|label| label.ty != ERROR) {
            let Some(literal) = literal(label) else {
                let message = "a label of a CASE is a literal";
                let diagnostic = Diagnostic::error("case-label", label.span, message)
                    .hint("a number, a string, TRUE, FALSE or an element of an enumerated set; for other values write IF .. ELSIF .. END");
                self.report(diagnostic);
                continue;
            };
            if let Some(first) = first.insert(literal, label.span) {
                let message = "this label stands in the CASE already";
                let diagnostic = Diagnostic::error("duplicate-case-label", label.span, message);
                self.report(diagnostic.note(first, "here"));
            }
        }
    }

    fn node_subst(&self, kind: SubstKind, span: Span) -> Subst {
        Subst::new(kind, self.at(span))
    }

    fn boxed(&mut self, s: &'a Substitution) -> Box<Subst> {
        Box::new(self.subst(s))
    }

    fn optional(&mut self, s: &'a Option<Box<Substitution>>) -> Option<Box<Subst>> {
        s.as_ref().map(|s| self.boxed(s))
    }

    fn guarded(
        &mut self,
        branches: &'a [(Node, Substitution)],
    ) -> Vec<(crate::machine::Pred, Subst)> {
        branches.iter().map(|(p, s)| (self.pred(p), self.subst(s))).collect()
    }

    fn subst_kind(&mut self, s: &'a Substitution) -> SubstKind {
        match &s.kind {
            S::Skip | S::Error => SubstKind::Skip,
            S::Block(inner) => self.subst(inner).kind,
            S::Assign(targets, values) => self.assign(targets, values, s.span),
            S::BecomesElement(targets, set) => {
                let targets = self.distinct_targets(targets);
                let types: Vec<Type> = targets.iter().map(|(_, ty)| ty.clone()).collect();
                let mut types = types.into_iter();
                let Some(first) = types.next() else {
                    self.expr(set);
                    return SubstKind::Skip;
                };
                let ty = Type::pow(types.fold(first, Type::pair));
                let set = self.expr_of(set, &ty);
                SubstKind::BecomesElement(targets.into_iter().map(|(t, _)| t).collect(), set)
            }
            S::BecomesSuchThat(targets, body) => self.becomes_such_that(targets, body),
            S::Call { results, operation, arguments } => {
                self.call_substitution(results, operation, arguments, s.span)
            }
            S::Parallel(parts) => {
                let typed = parts.iter().map(|p| self.subst(p)).collect();
                self.parallel(typed, self.at(s.span))
            }
            S::Sequence(parts) => {
                SubstKind::Sequence(parts.iter().map(|p| self.subst(p)).collect())
            }
            S::Precondition(p, body) => SubstKind::Precondition(self.pred(p), self.boxed(body)),
            S::Assert(p, body) => SubstKind::Assert(None, self.pred(p), self.boxed(body)),
            S::Claim(claim, p, body) => {
                let id = ClaimId(self.claims.len() as u32);
                self.claims.push(claim.clone());
                SubstKind::Assert(Some(id), self.pred(p), self.boxed(body))
            }
            S::Choice(parts) => SubstKind::Choice(parts.iter().map(|p| self.subst(p)).collect()),
            S::If(branches, otherwise) => {
                SubstKind::If(self.guarded(branches), self.optional(otherwise))
            }
            S::Select(branches, otherwise) => {
                SubstKind::Select(self.guarded(branches), self.optional(otherwise))
            }
            S::Case { subject, branches, otherwise } => {
                let subject = self.expr(subject);
                let ty = subject.ty.clone();
                let branches = branches
                    .iter()
                    .map(|(labels, body)| {
                        let labels = labels.iter().map(|l| self.expr_of(l, &ty)).collect();
                        (labels, self.subst(body))
                    })
                    .collect::<Vec<(Vec<Expr>, Subst)>>();
                self.check_labels(branches.iter().flat_map(|(labels, _)| labels));
                SubstKind::Case(subject, branches, self.optional(otherwise))
            }
            S::Any(idents, p, body) => {
                let height = self.scope.height();
                let locals = self.bind(idents, Role::Any);
                let p = self.pred(p);
                let body = self.boxed(body);
                self.scope.entries.truncate(height);
                SubstKind::Any(locals, p, body)
            }
            S::Let(idents, equations, body) => {
                let height = self.scope.height();
                let equations = self.equations(idents, equations);
                let body = self.boxed(body);
                self.scope.entries.truncate(height);
                SubstKind::Let(equations, body)
            }
            S::Var(idents, body) => {
                let height = self.scope.height();
                let locals = self.bind(idents, Role::Var);
                let body = self.boxed(body);
                self.scope.entries.truncate(height);
                SubstKind::Var(locals, body)
            }
            S::While { condition, body, invariant, variant } => {
                let condition = self.pred(condition);
                let body = self.boxed(body);
                let outer = self.loop_initial.replace(Vec::new());
                let invariant = self.loop_invariant(invariant);
                let variant = self.expr_of(variant, &Type::Integer);
                let initial = std::mem::replace(&mut self.loop_initial, outer).unwrap_or_default();
                SubstKind::While { condition, body, invariant, variant, initial }
            }
            S::Witness(_, body) => {
                // It relates the values to those of the refined machine, which is not run here.
                let message = "WITNESS is ignored: it speaks of the refined machine";
                self.report(Diagnostic::warning("clause-ignored", s.span, message));
                self.subst(body).kind
            }
        }
    }

    // ---- assignment

    fn assign(&mut self, targets: &'a [Node], values: &'a [Node], span: Span) -> SubstKind {
        let targets = self.written_out(targets);
        if targets.len() != values.len() {
            let message = format!(
                "{} on the left of `:=`, {} on the right",
                count(targets.len(), "target"),
                count(values.len(), "expression")
            );
            self.error("assignment-arity", span, message);
            return SubstKind::Skip;
        }
        let done: Vec<Option<(Target, Type)>> =
            targets.into_iter().map(|t| self.target(t)).collect();
        self.check_distinct(done.iter().flatten().map(|(t, _)| t));
        let mut pairs = Vec::new();
        for (target, value) in done.into_iter().zip(values) {
            match target {
                Some((target, ty)) => pairs.push((target, self.expr_of(value, &ty))),
                None => {
                    let value = self.expr(value);
                    self.infer.poison(&value.ty);
                }
            }
        }
        SubstKind::Assign(pairs)
    }

    pub fn distinct_targets(&mut self, targets: &'a [Node]) -> Vec<(Target, Type)> {
        let targets = self.written_out(targets).into_iter();
        let done: Vec<(Target, Type)> = targets.filter_map(|t| self.target(t)).collect();
        self.check_distinct(done.iter().map(|(t, _)| t));
        done
    }

    /// The targets, where a definition that stands for a list of names is what it lists.
    fn written_out(&self, targets: &'a [Node]) -> Vec<&'a Node> {
        let of = |target: &'a Node| {
            let NodeKind::Name(name) = &target.kind else { return vec![target] };
            let definition = self.definition(name);
            definition.and_then(|d| lists::names_of(d.definition)).unwrap_or_else(|| vec![target])
        };
        targets.iter().flat_map(of).collect()
    }

    fn check_distinct<'t>(&mut self, targets: impl Iterator<Item = &'t Target>) {
        let mut seen: BTreeMap<Cell, Span> = BTreeMap::new();
        for target in targets {
            if let Some(first) = seen.insert(target.cell, target.span) {
                self.written_twice(target.cell, first, target.span, None);
            }
        }
    }

    /// What is assigned, and its type.
    pub fn target(&mut self, node: &'a Node) -> Option<(Target, Type)> {
        if !self.enter(node.span) {
            return None;
        }
        let target = self.target_inner(node);
        self.leave();
        target
    }

    fn target_inner(&mut self, node: &'a Node) -> Option<(Target, Type)> {
        match &node.kind {
            NodeKind::Name(name) => self.named_target(name, node.span),
            NodeKind::Call(f, arguments) => {
                let base = self.target(f);
                self.indexed_target(base, arguments, node.span)
            }
            NodeKind::Builtin(b, arguments) if soft_name(*b).is_some() => {
                let base = soft_name(*b).and_then(|n| self.named_target(&Arc::from(n), node.span));
                self.indexed_target(base, arguments, node.span)
            }
            NodeKind::Field(record, field) => {
                let (mut target, ty) = self.target(record)?;
                let at = self.at(field.span);
                let (field_type, number, result) = self.infer.field(&ty, &field.name, at);
                self.require(result);
                target.path.push(Access::Field(number));
                target.span = self.at(node.span);
                Some((target, field_type))
            }
            NodeKind::Error => None,
            _ => {
                let message = "this cannot be assigned";
                let mut error = Diagnostic::error("not-assignable", self.at(node.span), message);
                if matches!(node.kind, NodeKind::Image(..)) {
                    error = error.hint("`f(x) := E` gives a function another value at one point");
                }
                self.report_within(error, node.span);
                None
            }
        }
    }

    fn indexed_target(
        &mut self,
        base: Option<(Target, Type)>,
        arguments: &'a [Node],
        span: Span,
    ) -> Option<(Target, Type)> {
        let mut index = None;
        for argument in arguments {
            let next = self.expr(argument);
            index = Some(match index {
                None => next,
                Some(left) => {
                    let left: crate::machine::Expr = left;
                    let ty = Type::pair(left.ty.clone(), next.ty.clone());
                    let kind = crate::machine::ExprKind::Binary(
                        crate::machine::BinaryOp::Pair,
                        Arc::new(left),
                        Arc::new(next),
                    );
                    self.node_expr(kind, ty, span)
                }
            });
        }
        let (mut target, ty) = base?;
        let mut index = index?;
        let value = self.infer.fresh();
        let key = self.infer.fresh();
        let relation = Type::relation(key.clone(), value.clone());
        if self.infer.unify(&relation, &ty, self.at(span)).is_err() {
            let message = format!(
                "only a function can be assigned at a point; this has type {}",
                self.show(&ty)
            );
            self.error("type-mismatch", span, message);
            return None;
        }
        self.check(&mut index, &key, span);
        target.path.push(Access::Index(index));
        target.span = self.at(span);
        Some((target, value))
    }

    fn named_target(&mut self, name: &Name, span: Span) -> Option<(Target, Type)> {
        let (code, what, note) = match self.resolve(name) {
            Some(Resolved::Local(id, role)) => {
                if role.assignable() {
                    return Some(self.plain_target(Cell::Local(id), span));
                }
                let note = self.local(id).map(|l| l.span);
                match role {
                    Role::Parameter => ("assignment-to-parameter", "a parameter", note),
                    Role::Let => ("assignment-to-bound", "bound by a LET", note),
                    Role::Any => ("assignment-to-bound", "bound by an ANY", note),
                    _ => ("assignment-to-bound", "a bound identifier", note),
                }
            }
            Some(Resolved::Cell(cell)) => return Some(self.plain_target(cell, span)),
            Some(Resolved::Argument(argument)) => {
                return self.with_argument(&argument, |this, node| this.target(node));
            }
            Some(Resolved::Global(declared)) => {
                let note = Some(declared.span);
                match &declared.meaning {
                    Global::Variable(v, Ownership::Own) => {
                        return Some(self.plain_target(Cell::Variable(*v), span));
                    }
                    Global::Variable(_, Ownership::Included) => (
                        "assignment-to-included",
                        "a variable of an included machine (call one of its operations)",
                        note,
                    ),
                    Global::Variable(_, Ownership::Seen) => {
                        ("assignment-to-seen", "a variable of a seen machine", note)
                    }
                    Global::Definition(definition) => {
                        let definition = definition.clone();
                        let expanded =
                            self.expand(name, &definition, &[], span, |this, body| match body {
                                DefinitionBody::Formula(node) => this.target(node),
                                _ => None,
                            });
                        return expanded.flatten();
                    }
                    Global::Constant(_) => ("assignment-to-constant", "a constant", note),
                    Global::Freetype(_) => ("assignment-to-constant", "a free type", note),
                    Global::Constructor(..) => ("assignment-to-constant", "a constructor", note),
                    Global::Element(..) => ("assignment-to-constant", "an element of a set", note),
                    Global::Set(_) => ("assignment-to-constant", "a set", note),
                    Global::Given(_) => ("assignment-to-constant", "a machine parameter", note),
                }
            }
            None => {
                if self.tolerated.is_none() {
                    self.undeclared_target(name, span);
                }
                return None;
            }
        };
        let message = format!("`{name}` is {what} and cannot be assigned");
        let mut diagnostic = Diagnostic::error(code, self.at(span), message);
        if let Some(note) = note {
            diagnostic = diagnostic.note(note, "declared here");
        }
        self.report_within(diagnostic, span);
        None
    }

    fn plain_target(&self, cell: Cell, span: Span) -> (Target, Type) {
        (Target { cell, path: Vec::new(), span: self.at(span) }, self.cell_type(cell))
    }

    /// The name of a cell, for messages.
    pub fn cell_name(&self, cell: Cell) -> Name {
        match cell {
            Cell::Variable(v) => self.variables[v.0 as usize].name.clone(),
            Cell::Local(l) => self.local(l).map_or_else(|| Arc::from("?"), |l| l.name.clone()),
        }
    }

    /// What a substitution may write, with a place for each cell.
    pub fn collect_writes(&self, s: &Subst, out: &mut BTreeMap<Cell, Span>) {
        let mut one = |cell: Cell, span: Span| _ = out.entry(cell).or_insert(span);
        match &s.kind {
            SubstKind::Assign(pairs) => {
                pairs.iter().for_each(|(target, _)| one(target.cell, target.span));
            }
            SubstKind::BecomesElement(targets, _) => {
                targets.iter().for_each(|target| one(target.cell, target.span));
            }
            SubstKind::BecomesSuchThat(cells, _) => {
                cells.iter().for_each(|(cell, _)| one(*cell, s.span));
            }
            SubstKind::Call { operation, results, .. } => {
                results.iter().for_each(|target| one(target.cell, target.span));
                let theirs = self.operation_writes.get(operation.0 as usize);
                theirs.into_iter().flatten().for_each(|cell| one(*cell, s.span));
            }
            _ => {}
        }
        s.parts().into_iter().for_each(|part| self.collect_writes(part, out));
    }

    fn becomes_such_that(&mut self, targets: &'a [Node], body: &'a Node) -> SubstKind {
        let height = self.scope.height();
        let mut pairs: Vec<(Cell, LocalId)> = Vec::new();
        let done: Vec<(Target, Type, Name)> = self
            .written_out(targets)
            .into_iter()
            .filter_map(|node| {
                let (target, ty) = self.target(node)?;
                let NodeKind::Name(name) = &node.kind else {
                    self.error(
                        "not-assignable",
                        node.span,
                        "only whole variables can stand to the left of `: (..)`",
                    );
                    return None;
                };
                Some((target, ty, name.clone()))
            })
            .collect();
        self.check_distinct(done.iter().map(|(t, ..)| t));
        for (target, ty, name) in done {
            let local = self.new_local(name.clone(), ty, target.span);
            // The new value under the variable's name, the old one under `name$0`. Where the name is
            // a definition's parameter, the variable it stands for is meant.
            let mut names = vec![(name.clone(), None)];
            let mut meaning = self.scope.find(&name).cloned();
            while let Some(super::scope::Meaning::Argument(argument)) = meaning {
                let NodeKind::Name(inner) = &argument.node.kind else { break };
                names.push((inner.clone(), Some(argument.height)));
                meaning = self.scope.find_below(argument.height, inner).cloned();
            }
            for (name, captured_at) in names.into_iter().rev() {
                let old: Name = format!("{name}$0").into();
                let cell = super::scope::Meaning::Cell(target.cell);
                let new = super::scope::Meaning::Local(local, Role::Quantified);
                for (name, meaning) in [(old, cell), (name, new)] {
                    self.scope.entries.push(super::scope::Entry { name, meaning, captured_at });
                }
            }
            pairs.push((target.cell, local));
        }
        let body = self.pred(body);
        self.scope.entries.truncate(height);
        SubstKind::BecomesSuchThat(pairs, body)
    }
}
