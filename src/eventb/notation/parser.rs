//! Formulas and actions: text to tree, operators by their precedence (Pratt, 1973, with Rodin's
//! relation between pairs of operators in place of numbers).

use super::Theories;
use super::lexer::{self, Token};
use super::operators::{self, Group, Order, Tie};
use crate::clock;
use crate::diagnostic::Diagnostic;
use crate::eventb::forms;
use crate::eventb::model::Action;
use crate::source::{FileId, Span};
use crate::stack;
use crate::syntax::ast::{BinaryOp, Constant, Fold, Ident, Node, NodeKind, Quantifier, UnaryOp};
use crate::syntax::{MAX_HEIGHT, MAX_NESTING};
use std::ops::Range;
use std::sync::Arc;

type Parse<T> = Result<T, Box<Diagnostic>>;

/// A formula that was read.
struct Read {
    node: Node,
    height: u32,
}

pub struct Parser<'t> {
    text: &'t str,
    file: FileId,
    tokens: Vec<(Token, Range<usize>)>,
    pos: usize,
    depth: u32,
    /// Whether a bracket closes what is read, so that a quantified predicate needs none of its own.
    bracketed: bool,
    /// Where the text ends.
    end: usize,
    /// Operators that are not read, by name.
    theories: &'t Theories,
}

const UNARY_MINUS: Tie = Tie { group: Group::Arithmetic, op: Some(BinaryOp::Minus), text: "-" };
const NOT: Tie = Tie { group: Group::Not, op: None, text: "not" };
const QUANTIFIED: Tie =
    Tie { group: Group::QuantifiedPredicate, op: None, text: "a quantified predicate" };
const BOUND: Tie =
    Tie { group: Group::QuantifiedExpression, op: None, text: "a quantified expression" };

impl<'t> Parser<'t> {
    /// A parser of a part of a text.
    pub fn new(
        text: &'t str,
        range: Range<usize>,
        file: FileId,
        theories: &'t Theories,
    ) -> Parser<'t> {
        let (start, end) = (range.start, range.end);
        let mut tokens = lexer::lex(&text[range]);
        for (_, range) in &mut tokens {
            *range = range.start + start..range.end + start;
        }
        Parser { text, file, tokens, pos: 0, depth: 0, bracketed: false, end, theories }
    }

    /// The whole text as a predicate or an expression.
    pub fn whole(mut self) -> Parse<Node> {
        let node = self.formula(None)?.node;
        match self.at_end() {
            true => Ok(node),
            false => Err(self.expected("an operator or the end of the formula")),
        }
    }

    /// The whole text as an action.
    pub fn action(mut self) -> Parse<Action> {
        let first = self.identifier("a variable")?;
        if self.eat("(") {
            let argument = self.formula(None)?.node;
            self.need(")")?;
            self.need(":=")?;
            let value = self.formula(None)?.node;
            self.finish()?;
            let values = vec![forms::updated(&first, argument, value)];
            return Ok(Action::Assign(vec![first], values));
        }
        let mut targets = vec![first];
        while self.eat(",") {
            targets.push(self.identifier("a variable")?);
        }
        let mark = self.span();
        let action = if self.eat(":=") {
            let mut values = vec![self.formula(None)?.node];
            while self.eat(",") {
                values.push(self.formula(None)?.node);
            }
            if values.len() != targets.len() {
                let message = format!(
                    "as many values as variables are needed: here are {} variables and {} values",
                    targets.len(),
                    values.len()
                );
                return Err(Box::new(Diagnostic::error("assignment-arity", mark, message)));
            }
            Action::Assign(targets, values)
        } else if self.eat("::") {
            if targets.len() > 1 {
                let message = "`::` gives a value to one variable only".to_owned();
                let hint = "write `x, y :| ..` with a predicate on x' and y'";
                return Err(Box::new(
                    Diagnostic::error("assignment-arity", mark, message).hint(hint),
                ));
            }
            Action::Member(targets, self.formula(None)?.node)
        } else if self.eat(":|") {
            Action::SuchThat(targets, self.formula(None)?.node)
        } else {
            return Err(self.expected("`:=`, `::` or `:|`"));
        };
        self.finish()?;
        Ok(action)
    }

    fn finish(&self) -> Parse<()> {
        match self.at_end() {
            true => Ok(()),
            false => Err(self.expected("the end of the action")),
        }
    }

    // --- tokens ----------------------------------------------------------------------------------

    fn at_end(&self) -> bool {
        self.pos >= self.tokens.len()
    }

    fn token(&self) -> Option<Token> {
        self.tokens.get(self.pos).map(|(token, _)| *token)
    }

    fn at(&self, mark: &str) -> bool {
        matches!(self.token(), Some(Token::Mark(m)) if m == mark)
    }

    fn bump(&mut self) {
        clock::work(1);
        self.pos += 1;
    }

    fn eat(&mut self, mark: &str) -> bool {
        let found = self.at(mark);
        if found {
            self.bump();
        }
        found
    }

    fn need(&mut self, mark: &str) -> Parse<()> {
        match self.eat(mark) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{mark}`"))),
        }
    }

    /// The bytes of the current token; behind the last one, the end of the text.
    fn range(&self) -> Range<usize> {
        match self.tokens.get(self.pos) {
            Some((_, range)) => range.clone(),
            None => {
                let end = self.tokens.last().map_or(self.end, |(_, range)| range.end);
                end..end
            }
        }
    }

    fn span(&self) -> Span {
        let range = self.range();
        Span::new(self.file, range.start, range.end)
    }

    /// From a byte to the last token that was passed.
    fn since(&self, start: usize) -> Span {
        let end = self.pos.checked_sub(1).map_or(start, |last| self.tokens[last].1.end);
        Span::new(self.file, start, end.max(start))
    }

    fn slice(&self) -> &'t str {
        &self.text[self.range()]
    }

    fn error(&self, code: &'static str, message: String) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(code, self.span(), message))
    }

    fn expected(&self, what: &str) -> Box<Diagnostic> {
        if let Some(error) = self.of_a_theory() {
            return error;
        }
        let word = self.slice();
        if matches!(self.token(), Some(Token::Stray)) {
            let shown: String = word.chars().flat_map(char::escape_debug).collect();
            let message = format!("`{shown}` is no symbol of the language");
            return self.error("stray-character", message);
        }
        match word.is_empty() {
            true => self.error("syntax", format!("expected {what}, found the end of the formula")),
            false => self.error("syntax", format!("expected {what}, found `{word}`")),
        }
    }

    /// The current token as an operator of a theory.
    fn of_a_theory(&self) -> Option<Box<Diagnostic>> {
        let word = self.slice();
        let theory = self.theories.get(word)?;
        let message =
            format!("`{word}` comes from the theory `{theory}`: theories are not supported");
        Some(self.error("theory", message))
    }

    fn identifier(&mut self, what: &str) -> Parse<Ident> {
        let Some(Token::Identifier) = self.token() else {
            let word = self.slice();
            let letters = word.starts_with(char::is_alphabetic);
            return Err(match letters && lexer::is_reserved(word) {
                true => {
                    let message = format!("`{word}` is a reserved word: it cannot be {what}");
                    self.error("reserved-word", message)
                }
                false => self.expected(what),
            });
        };
        let ident = Ident { name: Arc::from(self.slice()), span: self.span() };
        self.bump();
        Ok(ident)
    }

    // --- operators -------------------------------------------------------------------------------

    /// A formula, as far as operators reach that bind more tightly than the one on its left.
    fn formula(&mut self, left: Option<Tie>) -> Parse<Read> {
        let mut read = self.operand(left)?;
        while let Some(Token::Infix(infix)) = self.token() {
            let tie = infix.tie();
            match left.map_or(Order::Right, |left| operators::order(left, tie)) {
                Order::Left => break,
                Order::Brackets => return Err(self.brackets(left.unwrap_or(tie), tie)),
                Order::Right => {}
            }
            self.bump();
            read = match infix.op {
                BinaryOp::And | BinaryOp::Or => self.run(read, infix.op, tie)?,
                op => {
                    let right = self.formula(Some(tie))?;
                    let span = read.node.span.to(right.node.span);
                    let height = read.height.max(right.height);
                    let kind = NodeKind::Binary(op, Box::new(read.node), Box::new(right.node));
                    self.built(kind, span, height)?
                }
            };
        }
        Ok(read)
    }

    /// `P & Q & ..`, of any length, behind its first operator.
    fn run(&mut self, first: Read, op: BinaryOp, tie: Tie) -> Parse<Read> {
        let (mut height, mut span) = (first.height, first.node.span);
        let mut parts = vec![first.node];
        loop {
            let part = self.formula(Some(tie))?;
            height = height.max(part.height);
            span = span.to(part.node.span);
            parts.push(part.node);
            match self.token() {
                Some(Token::Infix(infix)) if infix.op == op => self.bump(),
                _ => break,
            }
        }
        let kind = match op {
            BinaryOp::And => NodeKind::Conjunction(parts),
            _ => NodeKind::Disjunction(parts),
        };
        self.built(kind, span, height)
    }

    fn built(&self, kind: NodeKind, span: Span, height: u32) -> Parse<Read> {
        if height >= MAX_HEIGHT {
            let message = format!("the formula is more than {MAX_HEIGHT} operators deep here");
            let hint = "put brackets around parts of a long chain";
            return Err(Box::new(Diagnostic::error("formula-too-deep", span, message).hint(hint)));
        }
        Ok(Read { node: Node { kind, span }, height: height + 1 })
    }

    fn brackets(&self, left: Tie, right: Tie) -> Box<Diagnostic> {
        let (l, r) = (left.text, right.text);
        let (code, message, hint) = match left.group {
            Group::Comparison => (
                "chained-comparison",
                format!("`{l}` and `{r}` cannot be chained: comparisons do not associate"),
                "write `a < b & b < c`",
            ),
            Group::Infix => (
                "mixed-operators",
                format!("`{l}` and `{r}` do not associate"),
                "put one of the two in brackets",
            ),
            _ => (
                "mixed-operators",
                format!("`{l}` and `{r}` cannot stand side by side without brackets"),
                "put one of the two in brackets: Event-B gives neither of them precedence",
            ),
        };
        Box::new(Diagnostic::error(code, self.span(), message).hint(hint))
    }

    /// A prefix operator as the right operand of what stands on its left.
    fn prefix_fits(&self, left: Option<Tie>, prefix: Tie) -> Parse<()> {
        let Some(left) = left else { return Ok(()) };
        let is_closed = prefix.group == Group::QuantifiedPredicate && self.bracketed;
        if left.group < prefix.group || prefix.op.is_none() && left == prefix || is_closed {
            return Ok(());
        }
        let message = match prefix.op {
            Some(_) => format!("`-` behind `{}` needs brackets", left.text),
            None => format!("{} needs brackets behind `{}`", prefix.text, left.text),
        };
        Err(self.error("mixed-operators", message))
    }

    // --- operands --------------------------------------------------------------------------------

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_NESTING {
            let message = format!("this is nested more than {MAX_NESTING} levels deep");
            return Err(self.error("nesting-too-deep", message));
        }
        self.depth += 1;
        let result = stack::deep(|| parse(self));
        self.depth -= 1;
        result
    }

    /// The same between brackets, or in what no bracket closes.
    fn closed_by<T>(
        &mut self,
        bracket: bool,
        parse: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let outer = std::mem::replace(&mut self.bracketed, bracket);
        let result = self.nested(parse);
        self.bracketed = outer;
        result
    }

    fn operand(&mut self, left: Option<Tie>) -> Parse<Read> {
        let start = self.range().start;
        match self.token() {
            Some(Token::Forall) => self.quantifier(left, Quantifier::Forall),
            Some(Token::Exists) => self.quantifier(left, Quantifier::Exists),
            Some(Token::Not) => {
                self.prefix_fits(left, NOT)?;
                self.bump();
                let of = self.nested(|p| p.formula(Some(NOT)))?;
                let kind = NodeKind::Unary(UnaryOp::Not, Box::new(of.node));
                self.built(kind, self.since(start), of.height)
            }
            Some(Token::Infix(infix)) if infix.op == BinaryOp::Minus => {
                let literal = matches!(self.tokens.get(self.pos + 1), Some((Token::Number, _)));
                // The sign of a number belongs to it, unless a power comes first.
                let power = matches!(self.tokens.get(self.pos + 2),
                    Some((Token::Infix(infix), _)) if infix.op == BinaryOp::Power);
                if !literal || power {
                    self.prefix_fits(left, UNARY_MINUS)?;
                }
                self.bump();
                if literal && !power {
                    let of = self.primary()?;
                    let kind = NodeKind::Unary(UnaryOp::Minus, Box::new(of.node));
                    return self.built(kind, self.since(start), of.height);
                }
                let of = self.nested(|p| p.formula(Some(UNARY_MINUS)))?;
                let kind = NodeKind::Unary(UnaryOp::Minus, Box::new(of.node));
                self.built(kind, self.since(start), of.height)
            }
            Some(Token::Lambda) => self.quantified(left, start, Self::lambda),
            Some(Token::Union) => self.quantified(left, start, |p| p.fold(Fold::Union)),
            Some(Token::Inter) => self.quantified(left, start, |p| p.fold(Fold::Inter)),
            _ => self.primary(),
        }
    }

    fn quantifier(&mut self, left: Option<Tie>, quantifier: Quantifier) -> Parse<Read> {
        self.prefix_fits(left, QUANTIFIED)?;
        let start = self.range().start;
        self.bump();
        let (ids, types) = self.bound()?;
        self.need(".")?;
        let body = self.nested(|p| p.formula(Some(QUANTIFIED)))?;
        let node = match quantifier {
            Quantifier::Forall => forms::under(types, body.node),
            Quantifier::Exists => forms::with(types, body.node),
        };
        let kind = NodeKind::Quantifier(quantifier, ids, Box::new(node));
        self.built(kind, self.since(start), body.height + 1)
    }

    fn quantified(
        &mut self,
        left: Option<Tie>,
        start: usize,
        parse: impl FnOnce(&mut Self) -> Parse<(NodeKind, u32)>,
    ) -> Parse<Read> {
        self.prefix_fits(left, BOUND)?;
        self.bump();
        let (kind, height) = self.nested(parse)?;
        self.built(kind, self.since(start), height)
    }

    /// `x, y oftype T`: the names, and a membership for each type.
    fn bound(&mut self) -> Parse<(Vec<Ident>, Vec<Node>)> {
        let (mut ids, mut types) = (Vec::new(), Vec::new());
        loop {
            let id = self.identifier("a bound identifier")?;
            if let Some(Token::Infix(infix)) = self.token()
                && infix.op == BinaryOp::OfType
            {
                self.bump();
                let ty = self.formula(Some(infix.tie()))?;
                types.push(forms::member(&id, ty.node));
            }
            ids.push(id);
            if !self.eat(",") {
                return Ok((ids, types));
            }
        }
    }

    /// `x, y.P|E` or `E|P`, up to a closing bracket or the end of what it belongs to.
    fn scheme(&mut self) -> Parse<(Vec<Ident>, Read, Read)> {
        let start = self.pos;
        if let Ok((ids, types)) = self.bound()
            && self.eat(".")
        {
            let p = self.closed_by(false, |p| p.formula(None))?;
            self.need("|")?;
            let e = self.closed_by(false, |p| p.formula(Some(BOUND)))?;
            let p = Read { node: forms::with(types, p.node), height: p.height + 1 };
            return Ok((ids, p, e));
        }
        self.pos = start;
        let e = self.formula(None)?;
        self.need("|")?;
        let p = self.formula(None)?;
        Ok((forms::free(&e.node), p, e))
    }

    fn fold(&mut self, fold: Fold) -> Parse<(NodeKind, u32)> {
        let (ids, p, e) = self.scheme()?;
        let height = p.height.max(e.height);
        Ok((NodeKind::Fold(fold, ids, Box::new(p.node), Box::new(e.node)), height))
    }

    /// `pattern.P|E`
    fn lambda(&mut self) -> Parse<(NodeKind, u32)> {
        let mut types = Vec::new();
        let pattern = self.pattern(&mut types)?;
        self.need(".")?;
        let p = self.closed_by(false, |p| p.formula(None))?;
        self.need("|")?;
        let e = self.closed_by(false, |p| p.formula(Some(BOUND)))?;
        let height = p.height.max(e.height).max(pattern.height) + 2;
        Ok((forms::lambda(pattern.node, forms::with(types, p.node), e.node), height))
    }

    /// `x`, `a |-> b`, `(a |-> b)`
    fn pattern(&mut self, types: &mut Vec<Node>) -> Parse<Read> {
        let mut left = self.pattern_part(types)?;
        while let Some(Token::Infix(infix)) = self.token()
            && infix.op == BinaryOp::Maplet
        {
            self.bump();
            let right = self.pattern_part(types)?;
            let span = left.node.span.to(right.node.span);
            let height = left.height.max(right.height);
            let kind =
                NodeKind::Binary(BinaryOp::Maplet, Box::new(left.node), Box::new(right.node));
            left = self.built(kind, span, height)?;
        }
        Ok(left)
    }

    fn pattern_part(&mut self, types: &mut Vec<Node>) -> Parse<Read> {
        if self.eat("(") {
            let inner = self.nested(|p| p.pattern(types))?;
            self.need(")")?;
            return Ok(inner);
        }
        let id = self.identifier("a bound identifier")?;
        if let Some(Token::Infix(infix)) = self.token()
            && infix.op == BinaryOp::OfType
        {
            self.bump();
            let ty = self.formula(Some(infix.tie()))?;
            types.push(forms::member(&id, ty.node));
        }
        self.built(NodeKind::Name(id.name), id.span, 0)
    }

    /// Something closed, with all that is applied to it.
    fn primary(&mut self) -> Parse<Read> {
        let start = self.range().start;
        let mut read = self.closed()?;
        loop {
            if self.at("(") {
                self.bump();
                let argument = self.closed_by(true, |p| p.formula(None))?;
                if self.at(",") {
                    let message = "a function has one argument in Event-B".to_owned();
                    return Err(Box::new(self.error("syntax", message).hint("write f(a |-> b)")));
                }
                self.need(")")?;
                let height = read.height.max(argument.height);
                let kind = forms::applied(read.node, argument.node);
                read = self.built(kind, self.since(start), height)?;
            } else if self.at("[") {
                self.bump();
                let set = self.closed_by(true, |p| p.formula(None))?;
                self.need("]")?;
                let height = read.height.max(set.height);
                let kind = NodeKind::Image(Box::new(read.node), Box::new(set.node));
                read = self.built(kind, self.since(start), height)?;
            } else if self.eat("~") {
                let kind = NodeKind::Unary(UnaryOp::Inverse, Box::new(read.node));
                read = self.built(kind, self.since(start), read.height)?;
            } else {
                return Ok(read);
            }
        }
    }

    /// The arguments of an operator, in parentheses.
    fn arguments(&mut self) -> Parse<(Vec<Node>, u32)> {
        self.need("(")?;
        self.closed_by(true, |p| p.list(")"))
    }

    /// Formulas with commas between them, and what closes them.
    fn list(&mut self, close: &str) -> Parse<(Vec<Node>, u32)> {
        let (mut items, mut height) = (Vec::new(), 0);
        loop {
            let item = self.formula(None)?;
            height = height.max(item.height);
            items.push(item.node);
            if !self.eat(",") {
                break;
            }
        }
        match self.eat(close) {
            true => Ok((items, height)),
            false => Err(self.expected(&format!("an operator, `,` or `{close}`"))),
        }
    }

    fn closed(&mut self) -> Parse<Read> {
        let start = self.range().start;
        let Some(token) = self.token() else { return Err(self.expected("a formula")) };
        if let Token::Identifier = token
            && let Some(error) = self.of_a_theory()
        {
            return Err(error);
        }
        let word = self.slice();
        let (kind, height) = match token {
            Token::Identifier => {
                self.bump();
                (NodeKind::Name(Arc::from(word)), 0)
            }
            Token::Number => {
                let number = word.parse().map_err(|_| self.expected("a number"))?;
                self.bump();
                (NodeKind::Integer(number), 0)
            }
            Token::Constant(constant) => {
                self.bump();
                (NodeKind::Constant(constant), 0)
            }
            Token::Generic => {
                let span = self.span();
                self.bump();
                (forms::generic(word, span), 1)
            }
            Token::Function(function) => {
                self.bump();
                let (arguments, height) = self.one_argument(word)?;
                (NodeKind::Builtin(function, arguments), height)
            }
            Token::Bool => {
                self.bump();
                let (mut arguments, height) = self.one_argument(word)?;
                (NodeKind::Bool(Box::new(arguments.remove(0))), height)
            }
            Token::Named => {
                let name = Ident { name: Arc::from(word), span: self.span() };
                self.bump();
                let (arguments, height) = match word {
                    "finite" => self.one_argument(word)?,
                    _ => self.arguments()?,
                };
                (NodeKind::At(name, arguments), height)
            }
            Token::Mark("(") => {
                self.bump();
                let inner = self.closed_by(true, |p| p.formula(None))?;
                if !self.eat(")") {
                    return Err(self.expected("an operator or `)`"));
                }
                let node = Node { span: self.since(start), ..inner.node };
                return Ok(Read { node, height: inner.height });
            }
            Token::Mark("{") => {
                self.bump();
                self.closed_by(true, Self::braces)?
            }
            _ => return Err(self.expected("a formula")),
        };
        self.built(kind, self.since(start), height)
    }

    fn one_argument(&mut self, function: &str) -> Parse<(Vec<Node>, u32)> {
        let (arguments, height) = self.arguments()?;
        if arguments.len() == 1 {
            return Ok((arguments, height));
        }
        let last = arguments[1].span;
        let message = format!("`{function}` has one argument, and here are {}", arguments.len());
        Err(Box::new(Diagnostic::error("argument-count", last, message)))
    }

    /// What stands between braces, behind the first.
    fn braces(&mut self) -> Parse<(NodeKind, u32)> {
        if self.eat("}") {
            return Ok((NodeKind::Constant(Constant::EmptySet), 0));
        }
        let start = self.pos;
        let bound = self.bound().is_ok() && self.at(".");
        self.pos = start;
        if !bound {
            let first = self.formula(None)?;
            if !self.at("|") {
                let (mut items, mut height) = (vec![first.node], first.height);
                if self.eat(",") {
                    let (more, high) = self.list("}")?;
                    items.extend(more);
                    height = height.max(high);
                } else if !self.eat("}") {
                    return Err(self.expected("an operator, `,`, `|` or `}`"));
                }
                return Ok((NodeKind::SetExtension(items), height));
            }
            self.pos = start;
        }
        let (ids, p, e) = self.scheme()?;
        if !self.eat("}") {
            return Err(self.expected("an operator or `}`"));
        }
        let height = p.height.max(e.height);
        Ok((forms::comprehension(ids, Box::new(p.node), Box::new(e.node)), height))
    }
}
