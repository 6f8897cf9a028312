//! Formulas of packages: printed in Rodin's notation, and turned into syntax trees on the way.

use super::forms;
use super::model::Action;
use super::notation::operators::{self, Group, INFIX, Infix, Order, Tie};
use super::package::{fault, identifier};
use super::page::Writer;
use super::term::{Term, TermKind};
use super::written::Written;
use crate::syntax::ast::{
    BinaryOp, Builtin, Constant, Fold, Ident, Node, NodeKind, Quantifier, UnaryOp,
};
use std::sync::Arc;

/// Functions of one argument.
const FUNCTIONS: &[(&str, Builtin, &str)] = &[
    ("pow_subset", Builtin::Pow, "POW"),
    ("pow1_subset", Builtin::Pow1, "POW1"),
    ("card", Builtin::Card, "card"),
    ("domain", Builtin::Dom, "dom"),
    ("range", Builtin::Ran, "ran"),
    ("min", Builtin::Min, "min"),
    ("max", Builtin::Max, "max"),
    ("general_union", Builtin::Union, "union"),
    ("general_intersection", Builtin::Inter, "inter"),
    ("identity", Builtin::Id, "id"),
];

const CONSTANTS: &[(&str, Constant, &str)] = &[
    ("truth", Constant::Truth, "true"),
    ("falsity", Constant::Falsity, "false"),
    ("boolean_true", Constant::True, "TRUE"),
    ("boolean_false", Constant::False, "FALSE"),
    ("bool_set", Constant::BoolSet, "BOOL"),
    ("integer_set", Constant::Integer, "INT"),
    ("natural_set", Constant::Natural, "NAT"),
    ("natural1_set", Constant::Natural1, "NAT1"),
    ("empty_set", Constant::EmptySet, "{}"),
    ("successor", Constant::Function(Builtin::Succ), "succ"),
    ("predecessor", Constant::Function(Builtin::Pred), "pred"),
];

impl Written for &Term {
    fn formula(&self, w: &mut Writer) -> Node {
        w.bare(self)
    }

    fn action(&self, w: &mut Writer) -> Option<Action> {
        w.action(self)
    }
}

/// Where an operand stands.
#[derive(Clone, Copy)]
enum Side {
    Left(Tie),
    Right(Tie),
    /// Before what is applied to it.
    Closed,
}

impl Writer {
    /// An operand, in brackets where it needs them.
    fn operand(&mut self, term: &Term, side: Side) -> Node {
        if !needs_brackets(term, side) {
            return self.bare(term);
        }
        let start = self.at();
        self.put("(");
        let node = self.bare(term);
        self.put(")");
        // Brackets belong to what they hold, as in a text that was parsed.
        Node { span: self.span(start), ..node }
    }

    fn bare(&mut self, term: &Term) -> Node {
        let start = self.at();
        let kind = self.kind(term);
        Node { kind, span: self.span(start) }
    }

    /// Names with commas between them.
    fn idents(&mut self, terms: &[Term]) -> Vec<Ident> {
        let mut idents = Vec::new();
        for (i, term) in terms.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            match identifier(term) {
                Some(name) => idents.push(self.ident(name)),
                None => self.errors.push(fault(term, "expected identifier(Position, Name)")),
            }
        }
        idents
    }

    fn boxed(&mut self, term: &Term) -> Box<Node> {
        Box::new(self.bare(term))
    }

    fn closed(&mut self, term: &Term) -> Box<Node> {
        Box::new(self.operand(term, Side::Closed))
    }

    fn kind(&mut self, term: &Term) -> NodeKind {
        let Some((functor, [_, operands @ ..])) = term.parts() else {
            return self.refuse(term, "expected a formula");
        };
        if let Some((_, constant, text)) = CONSTANTS.iter().find(|(f, ..)| *f == functor) {
            self.put(text);
            return NodeKind::Constant(*constant);
        }
        if let ("conjunct" | "disjunct", [_, ..], Some(infix)) = (functor, operands, infix(functor))
        {
            return self.run(term, infix);
        }
        if let Some(infix) = infix(functor) {
            return self.infix(term, infix, operands);
        }
        if let (Some((_, function, text)), [operand]) =
            (FUNCTIONS.iter().find(|(f, ..)| *f == functor), operands)
        {
            self.put(text);
            return NodeKind::Builtin(*function, vec![self.argument(operand)]);
        }
        match (functor, operands) {
            ("identifier", [name]) => match name.atom() {
                Some(name) => {
                    self.put(name);
                    NodeKind::Name(name.clone())
                }
                None => self.refuse(name, "expected a name"),
            },
            ("integer", [number]) => match &number.kind {
                TermKind::Number(n) => {
                    self.put(&n.to_string());
                    NodeKind::Integer(n.clone())
                }
                _ => self.refuse(number, "expected a number"),
            },
            ("negation", [p]) => {
                self.put("not");
                NodeKind::Unary(UnaryOp::Not, Box::new(self.argument(p)))
            }
            ("unary_minus", [e]) => {
                self.put("-");
                NodeKind::Unary(UnaryOp::Minus, Box::new(self.operand(e, Side::Right(MINUS))))
            }
            ("reverse", [e]) => {
                let e = self.closed(e);
                self.put("~");
                NodeKind::Unary(UnaryOp::Inverse, e)
            }
            ("convert_bool", [p]) => {
                self.put("bool");
                NodeKind::Bool(Box::new(self.argument(p)))
            }
            ("function", [f, arguments]) => {
                let f = self.closed(f);
                let arguments = arguments.list().unwrap_or(std::slice::from_ref(arguments));
                NodeKind::Call(f, self.list(arguments, "(", ")"))
            }
            ("image", [r, s]) => {
                let r = self.closed(r);
                self.put("[");
                let s = self.boxed(s);
                self.put("]");
                NodeKind::Image(r, s)
            }
            ("set_extension", [items]) => {
                NodeKind::SetExtension(self.list(items.list().unwrap_or(&[]), "{", "}"))
            }
            ("finite", [_]) => self.at_operator("finite", operands),
            ("partition", [_, ..]) => {
                // The parts come one by one or as a list.
                let parts =
                    operands[1..].iter().flat_map(|t| t.list().unwrap_or(std::slice::from_ref(t)));
                let all: Vec<Term> = operands[..1].iter().chain(parts).cloned().collect();
                self.at_operator("partition", &all)
            }
            ("forall", [ids, body]) => self.quantifier(Quantifier::Forall, "!", ids, body),
            ("exists", [ids, body]) => self.quantifier(Quantifier::Exists, "#", ids, body),
            ("lambda", [ids, p, e]) => {
                self.put("%");
                let (ids, p, e) = self.bound(ids, p, e);
                NodeKind::Fold(Fold::Lambda, ids, p, e)
            }
            ("quantified_union", [ids, p, e]) => {
                self.put("UNION ");
                let (ids, p, e) = self.bound(ids, p, e);
                NodeKind::Fold(Fold::Union, ids, p, e)
            }
            ("quantified_intersection", [ids, p, e]) => {
                self.put("INTER ");
                let (ids, p, e) = self.bound(ids, p, e);
                NodeKind::Fold(Fold::Inter, ids, p, e)
            }
            ("event_b_comprehension_set", [ids, e, p]) => {
                self.put("{");
                let (ids, p, e) = self.bound(ids, p, e);
                self.put("}");
                forms::comprehension(ids, p, e)
            }
            ("event_b_identity", []) => self.generic("id"),
            ("event_b_first_projection_v2", []) => self.generic("prj1"),
            ("event_b_second_projection_v2", []) => self.generic("prj2"),
            ("extended_expr" | "extended_pred", [name, ..]) => {
                let name = name.atom().map_or("?", |n| n);
                self.refuse(
                    term,
                    format!(
                        "the operator `{name}` comes from a theory: theories are not supported"
                    ),
                )
            }
            _ => self.refuse(
                term,
                format!("`{functor}` with {} is not known in formulas", operands.len()),
            ),
        }
    }

    fn refuse(&mut self, term: &Term, message: impl Into<String>) -> NodeKind {
        self.errors.push(fault(term, message));
        NodeKind::Error
    }

    fn infix(&mut self, term: &Term, infix: &Infix, operands: &[Term]) -> NodeKind {
        // A couple may hold its two members in a list.
        let [l, r] = (match operands {
            [pair] => pair.list().unwrap_or(operands),
            _ => operands,
        }) else {
            return self.refuse(term, format!("`{}` takes two operands", infix.ascii));
        };
        let l = self.operand(l, Side::Left(infix.tie()));
        self.put(" ");
        self.put(infix.ascii);
        self.put(" ");
        let r = self.operand(r, Side::Right(infix.tie()));
        NodeKind::Binary(infix.op, Box::new(l), Box::new(r))
    }

    /// The parts of nested conjunctions or disjunctions, as one run.
    fn run(&mut self, term: &Term, infix: &Infix) -> NodeKind {
        let mut parts = Vec::new();
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            match term.parts() {
                Some((f, [_, operands @ ..])) if f == infix.functor && !operands.is_empty() => {
                    waiting.extend(operands.iter().rev());
                }
                _ => {
                    if !parts.is_empty() {
                        self.put(" ");
                        self.put(infix.ascii);
                        self.put(" ");
                    }
                    parts.push(self.operand(term, Side::Right(infix.tie())));
                }
            }
        }
        match infix.op {
            BinaryOp::And => NodeKind::Conjunction(parts),
            _ => NodeKind::Disjunction(parts),
        }
    }

    fn argument(&mut self, term: &Term) -> Node {
        self.put("(");
        let node = self.bare(term);
        self.put(")");
        node
    }

    fn list(&mut self, items: &[Term], open: &str, close: &str) -> Vec<Node> {
        self.put(open);
        let mut nodes = Vec::new();
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            nodes.push(self.bare(item));
        }
        self.put(close);
        nodes
    }

    fn at_operator(&mut self, name: &str, operands: &[Term]) -> NodeKind {
        let ident = self.ident(&Arc::from(name));
        NodeKind::At(ident, self.list(operands, "(", ")"))
    }

    fn quantifier(&mut self, q: Quantifier, text: &str, ids: &Term, body: &Term) -> NodeKind {
        self.put(text);
        let ids = self.idents(ids.list().unwrap_or(&[]));
        self.put(".");
        NodeKind::Quantifier(q, ids, self.boxed(body))
    }

    /// `x,y.P | E`.
    fn bound(&mut self, ids: &Term, p: &Term, e: &Term) -> (Vec<Ident>, Box<Node>, Box<Node>) {
        let ids = self.idents(ids.list().unwrap_or(&[]));
        self.put(".");
        let p = self.boxed(p);
        self.put(" | ");
        let e = self.boxed(e);
        (ids, p, e)
    }

    fn generic(&mut self, text: &str) -> NodeKind {
        let start = self.at();
        self.put(text);
        forms::generic(text, self.span(start))
    }

    fn action(&mut self, term: &Term) -> Option<Action> {
        let (form, targets, value) = match term.parts() {
            Some((
                form @ ("assign" | "becomes_element_of" | "becomes_such"),
                [_, targets, value],
            )) => (form, targets.list()?, value),
            Some(("skip", _)) => {
                self.put("skip");
                return None;
            }
            _ => {
                self.errors.push(fault(term, "expected an action"));
                return None;
            }
        };
        let variables = self.idents(targets);
        Some(match form {
            "assign" => {
                let values = self.list(value.list().unwrap_or(&[]), " := ", "");
                if values.len() != variables.len() {
                    self.errors.push(fault(term, "as many values as variables are needed"));
                }
                Action::Assign(variables, values)
            }
            "becomes_element_of" => {
                self.put(" :: ");
                Action::Member(variables, self.bare(value))
            }
            _ => {
                self.put(" :| ");
                Action::SuchThat(variables, self.bare(value))
            }
        })
    }
}

const MINUS: Tie = Tie { group: Group::Arithmetic, op: Some(BinaryOp::Minus), text: "-" };

fn infix(functor: &str) -> Option<&'static Infix> {
    INFIX.iter().find(|infix| infix.functor == functor)
}

fn needs_brackets(term: &Term, side: Side) -> bool {
    let Some((functor, operands)) = term.parts() else { return false };
    let weak = |group| Some(Tie { group, op: None, text: "" });
    let tie = match functor {
        "forall" | "exists" => weak(Group::QuantifiedPredicate),
        "lambda" | "quantified_union" | "quantified_intersection" => {
            weak(Group::QuantifiedExpression)
        }
        "unary_minus" => Some(MINUS),
        // The sign of a number belongs to it, but behind it nothing binds more tightly.
        "integer" => {
            let negative = matches!(operands, [_, Term { kind: TermKind::Number(n), .. }]
                if n.sign() == num_bigint::Sign::Minus);
            return negative
                && match side {
                    Side::Left(tie) => tie.op == Some(BinaryOp::Power),
                    Side::Right(_) => false,
                    Side::Closed => true,
                };
        }
        _ => infix(functor).map(Infix::tie),
    };
    match (tie, side) {
        (None, _) => false,
        (Some(_), Side::Closed) => true,
        (Some(tie), Side::Left(parent)) => operators::order(tie, parent) != Order::Left,
        (Some(tie), Side::Right(parent)) => operators::order(parent, tie) != Order::Right,
    }
}
