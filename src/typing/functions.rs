//! Keyword functions, `card(S)` and the like: their arguments and types.

use crate::diagnostic::Diagnostic;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, Fold, Pred, PredKind, Type, UnaryOp,
};
use crate::source::Span;
use crate::syntax::ast::{Builtin, Name, Node};
use crate::typing::context::{Elaborator, count};
use crate::typing::infer::ERROR;
use num_bigint::BigInt;
use std::sync::Arc;

impl<'a> Elaborator<'a> {
    /// `succ`, `pred` as relations: `%x.(x : INTEGER | x + 1)`.
    pub(super) fn step_function(&mut self, op: BinaryOp, span: Span) -> Expr {
        let local = self.new_local(Arc::from("x"), Type::Integer, self.at(span));
        let x = self.node_expr(ExprKind::Local(local), Type::Integer, span);
        let integers =
            self.node_expr(ExprKind::Basic(BasicSet::Integer), Type::pow(Type::Integer), span);
        let typing =
            Pred::new(PredKind::Compare(Comparison::Member, x.clone(), integers), self.at(span));
        let one = self.node_expr(ExprKind::Integer(BigInt::from(1)), Type::Integer, span);
        let value = self.binary(op, x, one, Type::Integer, span);
        let kind = ExprKind::Fold(Fold::Lambda, vec![local], Arc::new(typing), Arc::new(value));
        self.node_expr(kind, Type::relation(Type::Integer, Type::Integer), span)
    }

    pub(super) fn builtin(&mut self, b: Builtin, arguments: &'a [Node], span: Span) -> Expr {
        if let Some(name) = soft_name(b) {
            return self.soft(name, arguments, span);
        }
        let expected: &[usize] = match b {
            Builtin::Iterate => &[2],
            Builtin::Prj1 | Builtin::Prj2 => &[1, 2],
            _ => &[1],
        };
        if !expected.contains(&arguments.len()) {
            let message = format!(
                "this function takes {}, found {}",
                count(expected[0], "argument"),
                arguments.len()
            );
            let mut diagnostic = Diagnostic::error("argument-count", self.at(span), message);
            if matches!(b, Builtin::Max | Builtin::Min) {
                diagnostic = diagnostic.hint("it takes a set: `max({x, y})`, `min({x, y})`");
            }
            self.report_within(diagnostic, span);
            return self.refused(span);
        }
        match b {
            Builtin::Iterate => {
                let a = self.infer.fresh();
                let ty = Type::relation(a.clone(), a);
                let r = self.expr_of(&arguments[0], &ty);
                let n = self.expr_of(&arguments[1], &Type::Integer);
                self.binary(BinaryOp::Iterate, r, n, ty, span)
            }
            Builtin::Prj1 | Builtin::Prj2 if arguments.len() == 2 => {
                let (l, a) = self.set_expr(&arguments[0]);
                let (r, b_type) = self.set_expr(&arguments[1]);
                let (to, op) = match b {
                    Builtin::Prj1 => (a.clone(), BinaryOp::Projection1),
                    _ => (b_type.clone(), BinaryOp::Projection2),
                };
                let ty = Type::relation(Type::pair(a, b_type), to);
                self.binary(op, l, r, ty, span)
            }
            Builtin::Succ | Builtin::Pred => {
                let e = self.expr_of(&arguments[0], &Type::Integer);
                let one = self.node_expr(ExprKind::Integer(BigInt::from(1)), Type::Integer, span);
                let op = if b == Builtin::Succ { BinaryOp::Add } else { BinaryOp::Subtract };
                self.binary(op, e, one, Type::Integer, span)
            }
            _ => self.builtin1(b, &arguments[0], span),
        }
    }

    /// Keyword functions of one argument.
    pub(super) fn builtin1(&mut self, b: Builtin, argument: &'a Node, span: Span) -> Expr {
        use Builtin as B;
        let x = self.infer.fresh();
        let y = self.infer.fresh();
        let set = Type::pow(x.clone());
        let sets = Type::pow(set.clone());
        let relation = Type::relation(x.clone(), y.clone());
        let endo = Type::relation(x.clone(), x.clone());
        let sequence = Type::sequence(x.clone());
        let sequences = Type::pow(sequence.clone());
        let (from, to, op) = match b {
            B::Pow => (set, sets, UnaryOp::Pow),
            B::Pow1 => (set, sets, UnaryOp::Pow1),
            B::Fin => (set, sets, UnaryOp::Fin),
            B::Fin1 => (set, sets, UnaryOp::Fin1),
            B::Card => (set, Type::Integer, UnaryOp::Card),
            B::Dom => (relation, Type::pow(x), UnaryOp::Dom),
            B::Ran => (relation, Type::pow(y), UnaryOp::Ran),
            B::Id => (set, endo, UnaryOp::Id),
            B::Union => (sets, set, UnaryOp::Union),
            B::Inter => (sets, set, UnaryOp::Inter),
            B::Max => (set, x, UnaryOp::Max),
            B::Min => (set, x, UnaryOp::Min),
            B::Real => (Type::Integer, Type::Real, UnaryOp::ToReal),
            B::Floor => (Type::Real, Type::Integer, UnaryOp::Floor),
            B::Ceiling => (Type::Real, Type::Integer, UnaryOp::Ceiling),
            B::Prj1 => (Type::pair(x.clone(), y), x, UnaryOp::First),
            B::Prj2 => (Type::pair(x, y.clone()), y, UnaryOp::Second),
            B::Closure => (endo.clone(), endo, UnaryOp::Closure),
            B::Closure1 => (endo.clone(), endo, UnaryOp::Closure1),
            B::Fnc => (relation, Type::relation(x, Type::pow(y)), UnaryOp::Fnc),
            B::Rel => (Type::relation(x, Type::pow(y)), relation, UnaryOp::Rel),
            B::Seq => (set, sequences, UnaryOp::Seq),
            B::Seq1 => (set, sequences, UnaryOp::Seq1),
            B::Iseq => (set, sequences, UnaryOp::Iseq),
            B::Iseq1 => (set, sequences, UnaryOp::Iseq1),
            B::Perm => (set, sequences, UnaryOp::Perm),
            B::Size => (sequence, Type::Integer, UnaryOp::Size),
            B::Rev => (sequence.clone(), sequence, UnaryOp::Reverse),
            B::Conc => (Type::sequence(sequence.clone()), sequence, UnaryOp::Conc),
            B::First => (sequence, x, UnaryOp::SeqFirst),
            B::Last => (sequence, x, UnaryOp::SeqLast),
            B::Front => (sequence.clone(), sequence, UnaryOp::Front),
            B::Tail => (sequence.clone(), sequence, UnaryOp::Tail),
            _ => {
                self.not_yet(span, "this function");
                return self.refused(span);
            }
        };
        let mut e = match op {
            UnaryOp::Size | UnaryOp::Reverse | UnaryOp::Conc => self.expr(argument),
            _ => self.expr_of(argument, &from),
        };
        if let Some((name, ty)) = self.of_strings(op, &e) {
            return self.external_of(name, vec![e], ty, span);
        }
        if let Some(listed) = self.open_list(op, &mut e, argument.span) {
            // What it is, the last walk tells.
            let decided = self.infer.listed(&listed, e.span);
            if !self.require(decided) {
                return self.refused(span);
            }
            let to = if op == UnaryOp::Size { Type::Integer } else { listed };
            return self.unary(op, e, to, span);
        }
        self.check(&mut e, &from, argument.span);
        let mut to = to;
        if matches!(b, B::Max | B::Min)
            && e.ty != ERROR
            && let Type::Pow(element) = &from
        {
            let result = self.infer.numeric(element, e.span);
            if !self.require(result) {
                to = ERROR;
            }
        }
        self.unary(op, e, to, span)
    }

    /// What an operator on sequences is for a string, or for a sequence of strings.
    fn of_strings(&self, op: UnaryOp, operand: &Expr) -> Option<(&'static str, Type)> {
        let head = self.infer.head(&operand.ty)?;
        let of = |ty: &Type| self.infer.head(ty) == Some(Type::String);
        match op {
            UnaryOp::Size if head == Type::String => Some(("STRING_LENGTH", Type::Integer)),
            UnaryOp::Reverse if head == Type::String => Some(("STRING_REV", Type::String)),
            UnaryOp::Conc => match self.infer.head(head.element()?)?.sides() {
                Some((_, item)) if of(item) => Some(("STRING_CONC", Type::String)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of what is a sequence or a string, which is not known yet, where an operator is for both.
    fn open_list(&mut self, op: UnaryOp, operand: &mut Expr, span: Span) -> Option<Type> {
        let listed = match op {
            UnaryOp::Size | UnaryOp::Reverse => operand.ty.clone(),
            UnaryOp::Conc => {
                let item = self.infer.fresh();
                self.check(operand, &Type::sequence(item.clone()), span);
                item
            }
            _ => return None,
        };
        (operand.ty != ERROR && self.infer.head(&listed).is_none()).then_some(listed)
    }

    /// A soft keyword with arguments: an ordinary name where it is declared, else a tree operator.
    fn soft(&mut self, name: &'static str, arguments: &'a [Node], span: Span) -> Expr {
        let name: Name = Arc::from(name);
        if self.resolve(&name).is_none() {
            return self.tree_operator(&name, arguments, span);
        }
        if let Some(definition) = self.definition(&name) {
            return self.definition_expr(&name, &definition, arguments, span);
        }
        let (a, b) = (self.infer.fresh(), self.infer.fresh());
        let mut f = self.name(&name, span);
        self.check(&mut f, &Type::relation(a.clone(), b.clone()), span);
        let Some((first, rest)) = arguments.split_first() else { return self.refused(span) };
        let mut argument = self.expr(first);
        for next in rest {
            let r = self.expr(next);
            let ty = Type::pair(argument.ty.clone(), r.ty.clone());
            argument = self.binary(BinaryOp::Pair, argument, r, ty, span);
        }
        self.check_beside(&mut argument, &a, first.span, Some(&f));
        self.binary(BinaryOp::Apply, f, argument, b, span)
    }
}

/// The name of a soft keyword; `None` for the reserved ones.
pub fn soft_name(b: Builtin) -> Option<&'static str> {
    Some(match b {
        Builtin::Tree => "tree",
        Builtin::Btree => "btree",
        Builtin::Const => "const",
        Builtin::Top => "top",
        Builtin::Sons => "sons",
        Builtin::Prefix => "prefix",
        Builtin::Postfix => "postfix",
        Builtin::Sizet => "sizet",
        Builtin::Mirror => "mirror",
        Builtin::Rank => "rank",
        Builtin::Father => "father",
        Builtin::Son => "son",
        Builtin::Subtree => "subtree",
        Builtin::Arity => "arity",
        Builtin::Bin => "bin",
        Builtin::Left => "left",
        Builtin::Right => "right",
        Builtin::Infix => "infix",
        _ => return None,
    })
}
