//! Predicates and expressions, by operator precedence.
//!
//! Infix operators are reduced over an explicit stack, so the parser recurses for brackets only, and
//! a chain of any length takes linear time.

use super::ast::*;
use super::lexer::{self, TokenKind};
use super::operators::{self, Associativity, Infix, Level, Place};
use super::parser::{Context, Parse, Parser};
use super::words;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use num_bigint::BigInt;

/// Longest decimal literal, in digits: reading one takes quadratic time.
const MAX_DIGITS: usize = 10_000;

/// An operand on the stack.
struct Operand {
    node: Node,
    height: u32,
    /// Set when the node is a run that a further `&` (or `or`) of the same chain extends.
    run: Option<BinaryOp>,
}

/// An operator on the stack.
enum Pending {
    Infix { row: &'static Infix, reversed: bool },
    Label(Name, Span),
}

/// A label binds weaker than everything inside a conjunct.
const LABEL: Level = operators::CONJUNCT;

impl Pending {
    fn level(&self) -> Level {
        match self {
            Pending::Infix { row, .. } => row.level,
            Pending::Label(..) => LABEL,
        }
    }
}

impl Parser<'_> {
    /// A formula all of whose operators are at least at level `min`.
    pub fn formula(&mut self, min: Level) -> Parse<Node> {
        let outer = std::mem::replace(&mut self.height, 0);
        let node = self.chain(min)?;
        self.height = self.height.max(outer);
        Ok(node)
    }

    /// The predicate or expression of a clause.
    pub fn predicate(&mut self) -> Parse<Node> {
        self.formula(operators::FORMULA)
    }

    pub fn expression(&mut self) -> Parse<Node> {
        self.formula(operators::EXPRESSION)
    }

    /// `E, F, ...`, without the brackets around it.
    pub fn list(&mut self, min: Level) -> Parse<Vec<Node>> {
        let mut list = vec![self.formula(min)?];
        while self.eat(",") {
            list.push(self.formula(min)?);
        }
        Ok(list)
    }

    fn chain(&mut self, min: Level) -> Parse<Node> {
        let mut operators: Vec<Pending> = Vec::new();
        let mut operands: Vec<Operand> = Vec::new();
        loop {
            self.label(min, &mut operators);
            self.wanted = wanted(min, operators.last());
            self.height = 0;
            let node = self.operand()?;
            let Some((row, reversed)) = self.infix(min) else {
                if operators.is_empty() {
                    return Ok(node);
                }
                operands.push(Operand { node, height: self.height, run: None });
                break;
            };
            operands.push(Operand { node, height: self.height, run: None });
            while let Some(top) = operators.last() {
                if top.level() < row.level {
                    break;
                }
                if top.level() == row.level {
                    match row.associativity {
                        Associativity::Left => {}
                        Associativity::Right => break,
                        Associativity::None => return Err(self.chained()),
                    }
                }
                self.reduce(&mut operators, &mut operands)?;
            }
            operators.push(Pending::Infix { row, reversed });
            self.bump();
        }
        while !operators.is_empty() {
            self.reduce(&mut operators, &mut operands)?;
        }
        match operands.pop() {
            Some(result) => {
                self.height = result.height;
                Ok(result.node)
            }
            None => Err(self.expected(self.wanted)),
        }
    }

    /// The infix operator at the cursor, if it may continue a formula of this level here.
    fn infix(&self, min: Level) -> Option<(&'static Infix, bool)> {
        let found = match self.kind() {
            TokenKind::Fixed(word) => operators::infix(word)?,
            TokenKind::Identifier if self.slice(self.pos) == "circ" => operators::infix("circ")?,
            _ => return None,
        };
        let allowed = match found.0.place {
            Place::Anywhere => true,
            Place::Brackets => matches!(self.context, Context::Brackets | Context::Parentheses),
            Place::Parentheses => matches!(self.context, Context::List | Context::Parentheses),
        };
        (allowed && found.0.level >= min).then_some(found)
    }

    /// Puts a label that stands before a conjunct on the stack.
    fn label(&mut self, min: Level, operators: &mut Vec<Pending>) {
        let weak = operators.last().is_none_or(|o| o.level() < LABEL);
        if weak
            && min <= LABEL
            && let Some(name) = self.label_at(self.pos)
        {
            operators.push(Pending::Label(name, self.span()));
        }
    }

    fn chained(&self) -> Box<Diagnostic> {
        let found = self.slice(self.pos);
        Box::new(
            Diagnostic::error(
                "chained-comparison",
                self.span(),
                format!("comparisons do not chain: found `{found}` after a comparison"),
            )
            .hint(self.slip_in_chain()),
        )
    }

    /// Applies the last operator to the last operands.
    fn reduce(&mut self, operators: &mut Vec<Pending>, operands: &mut Vec<Operand>) -> Parse<()> {
        let (Some(operator), Some(right)) = (operators.pop(), operands.pop()) else {
            return Err(self.expected(self.wanted));
        };
        let result = match operator {
            Pending::Label(name, span) => Operand {
                height: right.height + 1,
                node: Node {
                    span: span.to(right.node.span),
                    kind: NodeKind::Labelled(name, Box::new(right.node)),
                },
                run: None,
            },
            Pending::Infix { row, reversed } => {
                let Some(left) = operands.pop() else { return Err(self.expected(self.wanted)) };
                combine(row, reversed, left, right)
            }
        };
        self.height = 0;
        self.raise_to(result.height)?;
        operands.push(result);
        Ok(())
    }

    /// A predicate that takes no further postfix, unary minus, or a primary with its postfixes.
    fn operand(&mut self) -> Parse<Node> {
        let start = self.pos;
        match self.word() {
            "-" => {
                self.bump();
                self.wanted = "an expression";
                if self.at("-") {
                    let error = self.expected(self.wanted);
                    return Err(Box::new(error.hint("write `-(-x)`")));
                }
                let operand = match self.word() {
                    "IF" | "LET" => self.operand()?,
                    _ => self.postfixed()?,
                };
                self.raise_to(self.height + 1)?;
                Ok(self.node(start, NodeKind::Unary(UnaryOp::Minus, Box::new(operand))))
            }
            "not" => {
                self.bump();
                let body = self.parenthesised("the operand of `not`")?;
                Ok(self.node(start, NodeKind::Unary(UnaryOp::Not, Box::new(body))))
            }
            word @ ("!" | "#") => {
                self.bump();
                let quantifier = if word == "!" { Quantifier::Forall } else { Quantifier::Exists };
                let bound = self.bound()?;
                let what = if word == "!" { "the body of `!`" } else { "the body of `#`" };
                if !self.at(".") && bound.last().is_some_and(|b| b.name.contains('.')) {
                    // `!x.x = 1`: the lexer read a name with a dot.
                    let message = format!("{what} stands in parentheses");
                    let error = Diagnostic::error("syntax", self.since(start), message);
                    return Err(Box::new(error.hint(format!("write `{word}x.(P)`"))));
                }
                self.expect(".")?;
                let body = self.parenthesised(what)?;
                Ok(self.node(start, NodeKind::Quantifier(quantifier, bound, Box::new(body))))
            }
            "IF" => {
                let node = self.conditional()?;
                self.postfixes(start, node)
            }
            "LET" => {
                let node = self.local()?;
                self.postfixes(start, node)
            }
            _ => self.postfixed(),
        }
    }

    /// `(P)`, where the parentheses belong to an operator.
    pub(super) fn parenthesised(&mut self, what: &str) -> Parse<Node> {
        if !self.at("(") {
            let error = self.expected("`(`");
            let hint = format!("{what} stands in parentheses");
            return Err(Box::new(error.hint(hint)));
        }
        let open = self.pos;
        self.bump();
        let body = self.nested(Context::Brackets, |p| p.formula(operators::ANY))?;
        self.expect_for(")", open)?;
        Ok(body)
    }

    /// Bound identifiers: `x`, `x, y` or `(x, y)`.
    pub(super) fn bound(&mut self) -> Parse<Vec<Ident>> {
        let open = self.pos;
        if !self.eat("(") {
            return self.identifiers("a bound variable");
        }
        let list = self.identifiers("a bound variable")?;
        self.expect_for(")", open)?;
        Ok(list)
    }

    /// A primary with `~`, `[S]`, `'f` and `(E, ..)` after it.
    fn postfixed(&mut self) -> Parse<Node> {
        let start = self.pos;
        let node = self.primary()?;
        if matches!(node.kind, NodeKind::Substitute(..)) && self.word_at(start) == "[" {
            return Ok(node);
        }
        self.postfixes(start, node)
    }

    pub fn postfixes(&mut self, start: usize, mut node: Node) -> Parse<Node> {
        let mut inverted = false;
        loop {
            let open = self.pos;
            let kind = match self.word() {
                "~" if inverted => {
                    let error = self.expected("the end of the operand");
                    return Err(Box::new(error.hint("write `(r~)~`")));
                }
                "~" => {
                    self.bump();
                    NodeKind::Unary(UnaryOp::Inverse, Box::new(node))
                }
                "[" => {
                    self.bump();
                    let set = self.nested(Context::Parentheses, |p| p.formula(operators::ANY))?;
                    self.expect_for("]", open)?;
                    NodeKind::Image(Box::new(node), Box::new(set))
                }
                "(" => {
                    let arguments = self.arguments()?;
                    NodeKind::Call(Box::new(node), arguments)
                }
                "'" => {
                    self.bump();
                    let field = self.identifier("the name of a field")?;
                    NodeKind::Field(Box::new(node), field)
                }
                _ => return Ok(node),
            };
            inverted = matches!(kind, NodeKind::Unary(..));
            node = self.node(start, kind);
            self.raise_to(self.height + 1)?;
        }
    }

    /// `(E, F, ...)`.
    pub fn arguments(&mut self) -> Parse<Vec<Node>> {
        let open = self.pos;
        self.expect("(")?;
        let list = self.nested(Context::Brackets, |p| p.list(operators::ANY))?;
        self.expect_for(")", open)?;
        Ok(list)
    }

    pub(super) fn node(&self, start: usize, kind: NodeKind) -> Node {
        Node { kind, span: self.since(start) }
    }

    /// Passes one token that is a whole node.
    fn leaf(&mut self, kind: NodeKind) -> Parse<Node> {
        let node = Node { kind, span: self.span() };
        self.bump();
        Ok(node)
    }

    fn primary(&mut self) -> Parse<Node> {
        let at = self.pos;
        match self.kind() {
            TokenKind::Identifier if self.is_quantified_set() => self.quantified_set(),
            TokenKind::Identifier => {
                if self.word_at(at + 1) == "("
                    && let Some(builtin) = words::soft_function(self.slice(at))
                {
                    return self.builtin(builtin);
                }
                let name = self.name_at(at);
                self.leaf(NodeKind::Name(name))
            }
            TokenKind::Integer => self.integer(10, 0),
            TokenKind::Hexadecimal => self.integer(16, 2),
            TokenKind::Real => self.leaf(NodeKind::Real(self.slice(at).into())),
            TokenKind::String | TokenKind::Multiline => {
                let value = lexer::unescape(self.slice(at));
                self.leaf(NodeKind::String(value.into()))
            }
            TokenKind::Template => self.template(),
            TokenKind::Previous => {
                let name = self.name_at(at);
                self.leaf(NodeKind::Previous(name))
            }
            TokenKind::Fixed(word) => self.fixed(word),
            TokenKind::TemplateEnd | TokenKind::End => Err(self.expected(self.wanted)),
        }
    }

    /// A string within three back quotes that has expressions in it: `@template("x = ", x)`.
    fn template(&mut self) -> Parse<Node> {
        let start = self.pos;
        let mut parts = Vec::new();
        loop {
            let last = self.kind() == TokenKind::TemplateEnd;
            let text = lexer::template_text(self.slice(self.pos));
            parts.push(self.leaf(NodeKind::String(text.into()))?);
            if last {
                break;
            }
            parts.push(self.nested(Context::Brackets, |p| p.expression())?);
            if !matches!(self.kind(), TokenKind::Template | TokenKind::TemplateEnd) {
                return Err(self.expected("`}`"));
            }
        }
        let ident = Ident { name: TEMPLATE.into(), span: parts[0].span };
        Ok(self.node(start, NodeKind::At(ident, parts)))
    }

    fn integer(&mut self, radix: u32, prefix: usize) -> Parse<Node> {
        let digits = &self.slice(self.pos)[prefix..];
        if digits.len() > MAX_DIGITS {
            return Err(Box::new(Diagnostic::error(
                "number-too-long",
                self.span(),
                format!("a number of {} digits; the limit is {MAX_DIGITS}", digits.len()),
            )));
        }
        match BigInt::parse_bytes(digits.as_bytes(), radix) {
            Some(value) => self.leaf(NodeKind::Integer(value)),
            None => Err(self.expected("a number")),
        }
    }

    /// A primary that begins with a reserved word or a symbol.
    fn fixed(&mut self, word: &'static str) -> Parse<Node> {
        if let Some(constant) = words::constant(word) {
            return self.leaf(NodeKind::Constant(constant));
        }
        if let Some(builtin) = words::function(word) {
            if self.word_at(self.pos + 1) == "(" {
                return self.builtin(builtin);
            }
            return self.leaf(NodeKind::Constant(Constant::Function(builtin)));
        }
        match word {
            "(" => self.parentheses(),
            "{" => self.braces(),
            "[" => self.square(),
            "<>" => self.leaf(NodeKind::Constant(Constant::EmptySequence)),
            "\u{2205}" => self.leaf(NodeKind::Constant(Constant::EmptySet)),
            "%" => self.fold(Fold::Lambda),
            "SIGMA" => self.fold(Fold::Sigma),
            "PI" => self.fold(Fold::Pi),
            "UNION" => self.fold(Fold::Union),
            "INTER" => self.fold(Fold::Inter),
            "bool" => {
                let start = self.pos;
                self.bump();
                let body = self.parenthesised("the predicate of `bool`")?;
                Ok(self.node(start, NodeKind::Bool(Box::new(body))))
            }
            "rec" | "struct" => self.record(word == "rec"),
            "@" => self.at_operator(),
            _ => Err(self.expected(self.wanted)),
        }
    }

    fn builtin(&mut self, builtin: Builtin) -> Parse<Node> {
        let start = self.pos;
        self.bump();
        let arguments = self.arguments()?;
        Ok(self.node(start, NodeKind::Builtin(builtin, arguments)))
    }

    fn at_operator(&mut self) -> Parse<Node> {
        let start = self.pos;
        self.bump();
        let named = self.is_identifier(self.pos) || words::function(self.word()).is_some();
        if !named {
            return Err(self.expected("the name of an operator"));
        }
        let ident = Ident { name: self.name_at(self.pos), span: self.span() };
        self.bump();
        let arguments = self.arguments()?;
        Ok(self.node(start, NodeKind::At(ident, arguments)))
    }

    fn parentheses(&mut self) -> Parse<Node> {
        let open = self.pos;
        self.bump();
        let mut inner = self.nested(Context::Parentheses, |p| p.formula(operators::ANY))?;
        self.expect_for(")", open)?;
        inner.span = self.since(open);
        Ok(inner)
    }

    /// `P | E`.
    pub(super) fn filter_and_value(&mut self) -> Parse<(Node, Node)> {
        let filter = self.nested(Context::Brackets, |p| p.formula(operators::ANY))?;
        self.expect("|")?;
        let value = self.nested(Context::Parentheses, |p| p.formula(operators::ANY))?;
        Ok((filter, value))
    }

    /// `SIGMA(x).(P | E)`, `%x.(P | E)`, ...
    fn fold(&mut self, fold: Fold) -> Parse<Node> {
        let start = self.pos;
        self.bump();
        let bound = self.bound()?;
        self.expect(".")?;
        let open = self.pos;
        self.expect("(")?;
        let (filter, value) = self.filter_and_value()?;
        self.expect_for(")", open)?;
        Ok(self.node(start, NodeKind::Fold(fold, bound, Box::new(filter), Box::new(value))))
    }

    fn record(&mut self, is_value: bool) -> Parse<Node> {
        let start = self.pos;
        self.bump();
        let open = self.pos;
        self.expect("(")?;
        let fields = self.nested(Context::Brackets, |p| {
            let mut fields = Vec::new();
            loop {
                let (at, parenthesised) = (p.pos, p.eat("("));
                let name = p.identifier("the name of a field")?;
                if !p.eat("\u{220B}") {
                    p.expect(":")?;
                }
                fields.push((name, p.expression()?));
                if parenthesised {
                    p.expect_for(")", at)?;
                }
                if !p.eat(",") {
                    return Ok(fields);
                }
            }
        })?;
        self.expect_for(")", open)?;
        let kind = if is_value { NodeKind::Record(fields) } else { NodeKind::Struct(fields) };
        Ok(self.node(start, kind))
    }

    /// `[]`, a sequence, or a substitution applied to a predicate.
    fn square(&mut self) -> Parse<Node> {
        let open = self.pos;
        self.bump();
        if self.eat("]") {
            return Ok(self.node(open, NodeKind::Constant(Constant::EmptySequence)));
        }
        if super::substitution::begins(self.word()) && !matches!(self.word(), "IF" | "LET") {
            let substitution = self.nested(Context::Plain, |p| p.unrecovered(Parser::sequence))?;
            return self.substitute(open, substitution);
        }
        let start = self.pos;
        let items = self.nested(Context::Brackets, |p| p.list(operators::ANY))?;
        if matches!(self.word(), ":=" | "::" | "<--") {
            let substitution =
                self.nested(Context::Plain, |p| p.unrecovered(|p| p.sequence_from(start, items)))?;
            return self.substitute(open, substitution);
        }
        self.expect_for("]", open)?;
        Ok(self.node(open, NodeKind::SequenceExtension(items)))
    }

    fn substitute(&mut self, open: usize, substitution: Substitution) -> Parse<Node> {
        self.expect_for("]", open)?;
        let context = self.context;
        let body = self.nested(context, |p| p.formula(operators::ATOM))?;
        Ok(self.node(open, NodeKind::Substitute(Box::new(substitution), Box::new(body))))
    }

    /// `IF P THEN E ELSIF Q THEN F ELSE G END`.
    fn conditional(&mut self) -> Parse<Node> {
        let start = self.pos;
        self.bump();
        let mut branches = Vec::new();
        loop {
            let condition = self.block_formula()?;
            self.expect_for("THEN", start)?;
            branches.push((condition, self.block_formula()?));
            if !self.eat("ELSIF") {
                break;
            }
        }
        if !self.at("ELSE") {
            let error = self.expected("`ELSE`");
            return Err(Box::new(error.hint("an IF that is a formula has an ELSE")));
        }
        self.bump();
        let otherwise = self.block_formula()?;
        self.expect_for("END", start)?;
        Ok(self.node(start, NodeKind::If(branches, Box::new(otherwise))))
    }

    /// `LET x, y BE x = E & y = F IN B END`.
    fn local(&mut self) -> Parse<Node> {
        let start = self.pos;
        self.bump();
        let bound = self.bound()?;
        self.expect_for("BE", start)?;
        let equations = self.block_formula()?;
        self.expect_for("IN", start)?;
        let body = self.block_formula()?;
        self.expect_for("END", start)?;
        Ok(self.node(start, NodeKind::Let(bound, Box::new(equations), Box::new(body))))
    }

    /// A formula between two keywords.
    pub fn block_formula(&mut self) -> Parse<Node> {
        self.nested(Context::Plain, Parser::predicate)
    }
}

/// What an operand is called after this operator.
fn wanted(min: Level, last: Option<&Pending>) -> &'static str {
    let level = last.map_or(min, Pending::level);
    match level {
        operators::ANY => "an expression or a predicate",
        level if level < operators::COMPARISON => "a predicate",
        _ => "an expression",
    }
}

/// The node of an infix operator; `&` and `or` extend a run.
fn combine(row: &'static Infix, reversed: bool, left: Operand, right: Operand) -> Operand {
    let span = left.node.span.to(right.node.span);
    let height = left.height.max(right.height) + 1;
    if !matches!(row.op, BinaryOp::And | BinaryOp::Or) {
        let (a, b) = if reversed { (right.node, left.node) } else { (left.node, right.node) };
        let kind = NodeKind::Binary(row.op, Box::new(a), Box::new(b));
        return Operand { node: Node { kind, span }, height, run: None };
    }
    if left.run == Some(row.op) {
        let mut node = left.node;
        if let NodeKind::Conjunction(items) | NodeKind::Disjunction(items) = &mut node.kind {
            items.push(right.node);
        }
        node.span = span;
        return Operand { node, height: left.height.max(right.height + 1), run: left.run };
    }
    let items = vec![left.node, right.node];
    let kind = match row.op {
        BinaryOp::And => NodeKind::Conjunction(items),
        _ => NodeKind::Disjunction(items),
    };
    Operand { node: Node { kind, span }, height, run: Some(row.op) }
}
