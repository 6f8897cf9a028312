//! Formulas: printed in Rodin's notation, and turned into syntax trees on the way.

use super::package::{fault, identifier};
use super::term::{Term, TermKind};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::syntax::ast::{
    BinaryOp, Builtin, Constant, Fold, Ident, Node, NodeKind, Quantifier, UnaryOp,
};
use std::sync::Arc;

/// The text so far.
#[derive(Debug)]
pub struct Writer {
    pub text: String,
    file: FileId,
    /// What could not be turned into a tree: places in the package.
    pub errors: Vec<Diagnostic>,
}

/// How tightly a formula binds in Rodin's notation, as far as brackets depend on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    /// Quantifiers and lambdas reach as far as they can.
    Open,
    Implication,
    Junction,
    Comparison,
    /// Operators between expressions: those that do not mix have brackets.
    Operator,
    Closed,
}

use BinaryOp as B;
use Binds::{Closed, Comparison, Implication, Junction, Open, Operator};

/// Operators with two operands: functor, node, notation of Rodin.
const INFIX: &[(&str, BinaryOp, &str, Binds)] = &[
    ("implication", B::Implies, "=>", Implication),
    ("equivalence", B::Iff, "<=>", Implication),
    ("equal", B::Equal, "=", Comparison),
    ("not_equal", B::NotEqual, "/=", Comparison),
    ("member", B::Member, ":", Comparison),
    ("not_member", B::NotMember, "/:", Comparison),
    ("subset", B::Subset, "<:", Comparison),
    ("not_subset", B::NotSubset, "/<:", Comparison),
    ("subset_strict", B::StrictSubset, "<<:", Comparison),
    ("not_subset_strict", B::NotStrictSubset, "/<<:", Comparison),
    ("less", B::Less, "<", Comparison),
    ("less_equal", B::LessEqual, "<=", Comparison),
    ("greater", B::Greater, ">", Comparison),
    ("greater_equal", B::GreaterEqual, ">=", Comparison),
    ("add", B::Plus, "+", Operator),
    ("minus", B::Minus, "-", Operator),
    ("multiplication", B::Times, "*", Operator),
    ("div", B::Divide, "/", Operator),
    ("modulo", B::Modulo, "mod", Operator),
    ("power_of", B::Power, "^", Operator),
    ("interval", B::Interval, "..", Operator),
    ("couple", B::Maplet, "|->", Operator),
    ("union", B::Union, "\\/", Operator),
    ("intersection", B::Intersection, "/\\", Operator),
    ("set_subtraction", B::SetMinus, "\\", Operator),
    ("cartesian_product", B::Times, "**", Operator),
    ("overwrite", B::Override, "<+", Operator),
    ("composition", B::Compose, ";", Operator),
    ("ring", B::Backward, "circ", Operator),
    ("direct_product", B::DirectProduct, "><", Operator),
    ("parallel_product", B::ParallelProduct, "||", Operator),
    ("domain_restriction", B::DomainRestrict, "<|", Operator),
    ("domain_subtraction", B::DomainSubtract, "<<|", Operator),
    ("range_restriction", B::RangeRestrict, "|>", Operator),
    ("range_subtraction", B::RangeSubtract, "|>>", Operator),
    ("relations", B::Relations, "<->", Operator),
    ("total_relation", B::TotalRelations, "<<->", Operator),
    ("surjection_relation", B::SurjectiveRelations, "<->>", Operator),
    ("total_surjection_relation", B::TotalSurjectiveRelations, "<<->>", Operator),
    ("partial_function", B::PartialFunctions, "+->", Operator),
    ("total_function", B::TotalFunctions, "-->", Operator),
    ("partial_injection", B::PartialInjections, ">+>", Operator),
    ("total_injection", B::TotalInjections, ">->", Operator),
    ("partial_surjection", B::PartialSurjections, "+->>", Operator),
    ("total_surjection", B::TotalSurjections, "-->>", Operator),
    ("partial_bijection", B::PartialBijections, ">+>>", Operator),
    ("total_bijection", B::TotalBijections, ">->>", Operator),
    ("typeof", B::OfType, "oftype", Operator),
];

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

impl Writer {
    pub fn new(file: FileId) -> Writer {
        Writer { text: String::new(), file, errors: Vec::new() }
    }

    pub fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub fn at(&self) -> usize {
        self.text.len()
    }

    pub fn span(&self, start: usize) -> Span {
        Span::new(self.file, start, self.text.len())
    }

    pub fn ident(&mut self, name: &Arc<str>) -> Ident {
        let start = self.at();
        self.put(name);
        Ident { name: name.clone(), span: self.span(start) }
    }

    /// Names with commas between them.
    pub fn idents(&mut self, terms: &[Term]) -> Vec<Ident> {
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

    /// A formula.
    pub fn formula(&mut self, term: &Term) -> Node {
        self.within(term, Open)
    }

    /// A formula where only what binds so tightly needs no brackets.
    fn within(&mut self, term: &Term, least: Binds) -> Node {
        if binds(term) >= least {
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

    fn boxed(&mut self, term: &Term, least: Binds) -> Box<Node> {
        Box::new(self.within(term, least))
    }

    fn kind(&mut self, term: &Term) -> NodeKind {
        let Some((functor, [_, operands @ ..])) = term.parts() else {
            return self.refuse(term, "expected a formula");
        };
        if let Some((_, constant, text)) = CONSTANTS.iter().find(|(f, ..)| *f == functor) {
            self.put(text);
            return NodeKind::Constant(*constant);
        }
        if let Some((_, op, text, _)) = INFIX.iter().find(|(f, ..)| *f == functor) {
            return self.infix(term, *op, text, operands);
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
            ("conjunct", [_, ..]) => NodeKind::Conjunction(self.run(term, "conjunct", " & ")),
            ("disjunct", [_, ..]) => NodeKind::Disjunction(self.run(term, "disjunct", " or ")),
            ("negation", [p]) => {
                self.put("not");
                NodeKind::Unary(UnaryOp::Not, Box::new(self.argument(p)))
            }
            ("unary_minus", [e]) => {
                self.put("-");
                NodeKind::Unary(UnaryOp::Minus, self.boxed(e, Closed))
            }
            ("reverse", [e]) => {
                let e = self.boxed(e, Closed);
                self.put("~");
                NodeKind::Unary(UnaryOp::Inverse, e)
            }
            ("convert_bool", [p]) => {
                self.put("bool");
                NodeKind::Bool(Box::new(self.argument(p)))
            }
            ("function", [f, arguments]) => {
                let f = self.boxed(f, Closed);
                let arguments = arguments.list().unwrap_or(std::slice::from_ref(arguments));
                NodeKind::Call(f, self.list(arguments, "(", ")"))
            }
            ("image", [r, s]) => {
                let r = self.boxed(r, Closed);
                self.put("[");
                let s = self.boxed(s, Open);
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
                NodeKind::EventComprehension(ids, p, e)
            }
            ("event_b_identity", []) => self.projection("id", &["x"], "x"),
            ("event_b_first_projection_v2", []) => self.projection("prj1", &["x", "y"], "x"),
            ("event_b_second_projection_v2", []) => self.projection("prj2", &["x", "y"], "y"),
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

    fn infix(&mut self, term: &Term, op: BinaryOp, text: &str, operands: &[Term]) -> NodeKind {
        // A couple may hold its two members in a list.
        let [l, r] = (match operands {
            [pair] => pair.list().unwrap_or(operands),
            _ => operands,
        }) else {
            return self.refuse(term, format!("`{text}` takes two operands"));
        };
        let side = match binds(term) {
            Implication => Junction,
            Comparison => Operator,
            _ => Closed,
        };
        // The same operator once more on the left reads without brackets.
        let again = matches!(op, B::Maplet | B::Plus | B::Union | B::Intersection | B::Times)
            && l.parts().map(|p| p.0) == term.parts().map(|p| p.0);
        let l = self.boxed(l, if again { Operator } else { side });
        self.put(" ");
        self.put(text);
        self.put(" ");
        NodeKind::Binary(op, l, self.boxed(r, side))
    }

    /// The parts of nested conjunctions or disjunctions, as one run.
    fn run(&mut self, term: &Term, functor: &str, between: &str) -> Vec<Node> {
        let mut parts = Vec::new();
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            match term.parts() {
                Some((f, [_, operands @ ..])) if f == functor && !operands.is_empty() => {
                    waiting.extend(operands.iter().rev());
                }
                _ => {
                    if !parts.is_empty() {
                        self.put(between);
                    }
                    parts.push(self.within(term, Comparison));
                }
            }
        }
        parts
    }

    fn argument(&mut self, term: &Term) -> Node {
        self.put("(");
        let node = self.within(term, Open);
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
            nodes.push(self.within(item, Open));
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
        NodeKind::Quantifier(q, ids, self.boxed(body, Implication))
    }

    /// `x,y.P | E`.
    fn bound(&mut self, ids: &Term, p: &Term, e: &Term) -> (Vec<Ident>, Box<Node>, Box<Node>) {
        let ids = self.idents(ids.list().unwrap_or(&[]));
        self.put(".");
        let p = self.boxed(p, Implication);
        self.put(" | ");
        let e = self.boxed(e, Operator);
        (ids, p, e)
    }

    /// A projection of pairs of any type, as a lambda.
    fn projection(&mut self, text: &str, ids: &[&str], result: &str) -> NodeKind {
        let start = self.at();
        self.put(text);
        let span = self.span(start);
        let node = |kind| Box::new(Node { kind, span });
        let ids = ids.iter().map(|name| Ident { name: Arc::from(*name), span }).collect();
        let (p, e) =
            (node(NodeKind::Constant(Constant::Truth)), node(NodeKind::Name(Arc::from(result))));
        NodeKind::Fold(Fold::Lambda, ids, p, e)
    }
}

fn binds(term: &Term) -> Binds {
    let Some((functor, _)) = term.parts() else { return Closed };
    match functor {
        "forall" | "exists" | "lambda" | "quantified_union" | "quantified_intersection" => Open,
        "conjunct" | "disjunct" => Junction,
        "unary_minus" => Operator,
        _ => INFIX.iter().find(|(f, ..)| *f == functor).map_or(Closed, |(.., binds)| *binds),
    }
}
