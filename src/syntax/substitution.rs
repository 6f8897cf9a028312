//! Substitutions.

use super::ast::*;
use super::lexer::TokenKind;
use super::operators;
use super::parser::{Context, Parse, Parser};
use super::split::Blocks;

/// Words that begin a substitution.
const STARTS: &[&str] = &[
    "ANY", "ASSERT", "BEGIN", "CASE", "CHOICE", "IF", "LET", "PRE", "SELECT", "VAR", "WHEN",
    "WHILE", "WITNESS", "skip",
];

pub(super) fn begins(word: &str) -> bool {
    STARTS.contains(&word)
}

impl Parser<'_> {
    /// `G ; H ; ...`
    pub fn sequence(&mut self) -> Parse<Substitution> {
        let start = self.pos;
        let first = self.parallel()?;
        self.sequence_after(start, first)
    }

    /// A sequence whose first assignment has its targets parsed already.
    pub fn sequence_from(&mut self, start: usize, targets: Vec<Node>) -> Parse<Substitution> {
        let kind = self.after_targets(targets)?;
        let first = self.made(start, kind);
        let first = self.parallel_after(start, first)?;
        self.sequence_after(start, first)
    }

    fn sequence_after(&mut self, start: usize, first: Substitution) -> Parse<Substitution> {
        if !self.at(";") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.at(";") {
            self.bump();
            if self.ends_list() {
                let error = self.expected("a substitution");
                self.trailing(error)?;
                break;
            }
            items.push(self.parallel()?);
        }
        Ok(self.list_of(start, items, SubstitutionKind::Sequence))
    }

    /// `G || H || ...`
    pub fn parallel(&mut self) -> Parse<Substitution> {
        let start = self.pos;
        let first = self.statement()?;
        self.parallel_after(start, first)
    }

    fn parallel_after(&mut self, start: usize, first: Substitution) -> Parse<Substitution> {
        if !self.at("||") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.at("||") {
            self.bump();
            if self.ends_list() {
                let error = self.expected("a substitution");
                self.trailing(error)?;
                break;
            }
            items.push(self.statement()?);
        }
        Ok(self.list_of(start, items, SubstitutionKind::Parallel))
    }

    /// A separator without a statement after it: reported, and the list ends.
    fn trailing(&mut self, error: Box<crate::diagnostic::Diagnostic>) -> Parse<()> {
        if !self.recovers {
            return Err(error);
        }
        self.report(error);
        Ok(())
    }

    fn ends_list(&self) -> bool {
        self.at_end() || matches!(self.word(), "END" | "ELSE" | "ELSIF" | "WHEN" | "OR")
    }

    fn list_of(
        &mut self,
        start: usize,
        mut items: Vec<Substitution>,
        kind: impl FnOnce(Vec<Substitution>) -> SubstitutionKind,
    ) -> Substitution {
        match items.len() {
            1 => items.remove(0),
            _ => self.made(start, kind(items)),
        }
    }

    fn made(&self, start: usize, kind: SubstitutionKind) -> Substitution {
        Substitution { kind, span: self.since(start) }
    }

    /// Parses with errors handed up instead of being reported statement by statement.
    pub fn unrecovered<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let outer = std::mem::replace(&mut self.recovers, false);
        let result = parse(self);
        self.recovers = outer;
        result
    }

    /// One statement. A wrong one is reported and skipped.
    fn statement(&mut self) -> Parse<Substitution> {
        let start = self.pos;
        match self.nested(Context::Plain, Parser::statement_kind) {
            Ok(kind) => Ok(self.made(start, kind)),
            Err(error) if self.recovers && !self.is_full() => {
                self.report(error);
                self.skip_statement(start);
                Ok(self.made(start, SubstitutionKind::Error))
            }
            Err(error) => Err(error),
        }
    }

    /// Goes from an error inside the statement that began at `start` to where the next begins or the
    /// list of statements ends.
    fn skip_statement(&mut self, start: usize) {
        let mut blocks = Blocks::default();
        let mut brackets = 0usize;
        if self.word_at(start) == "THEN" {
            // What it belongs to is missing, its END is probably there.
            blocks.step("BEGIN");
        }
        for pos in start..self.limit {
            let word = self.word_at(pos);
            let passed = pos >= self.pos && pos > start;
            match word {
                "(" | "{" | "[" => brackets += 1,
                ")" | "}" | "]" => brackets = brackets.saturating_sub(1),
                ";" | "||"
                    if passed
                        && blocks.is_empty()
                        && (brackets == 0 || self.looks_like_statement(pos + 1)) =>
                {
                    self.pos = pos;
                    return;
                }
                "END" | "ELSE" | "ELSIF" | "OR" | "WHEN"
                    if blocks.is_empty()
                        && pos >= self.pos
                        && !(pos == start && word == "WHEN") =>
                {
                    self.pos = pos;
                    return;
                }
                _ => {}
            }
            blocks.step(word);
        }
        self.lose();
    }

    fn looks_like_statement(&self, pos: usize) -> bool {
        begins(self.word_at(pos))
            || (self.is_identifier(pos) && matches!(self.word_at(pos + 1), ":=" | "::" | "<--"))
    }

    fn statement_kind(&mut self) -> Parse<SubstitutionKind> {
        let start = self.pos;
        let word = self.word();
        if begins(word) {
            self.bump();
        }
        match word {
            "skip" => Ok(SubstitutionKind::Skip),
            "BEGIN" => Ok(SubstitutionKind::Block(Box::new(self.body(start)?))),
            "PRE" => {
                let (p, s) = self.guarded(start)?;
                Ok(SubstitutionKind::Precondition(p, s))
            }
            "ASSERT" => {
                let (p, s) = self.guarded(start)?;
                Ok(SubstitutionKind::Assert(p, s))
            }
            "WITNESS" => {
                let (p, s) = self.guarded(start)?;
                Ok(SubstitutionKind::Witness(p, s))
            }
            "CHOICE" => {
                let mut branches = vec![self.sequence()?];
                while self.eat("OR") {
                    branches.push(self.sequence()?);
                }
                self.close(start)?;
                Ok(SubstitutionKind::Choice(branches))
            }
            "IF" => {
                let (branches, otherwise) = self.branches(start, "ELSIF")?;
                Ok(SubstitutionKind::If(branches, otherwise))
            }
            "SELECT" | "WHEN" => {
                let (branches, otherwise) = self.branches(start, "WHEN")?;
                Ok(SubstitutionKind::Select(branches, otherwise))
            }
            "CASE" => self.case(start),
            "ANY" => {
                let bound = self.identifiers("a local variable")?;
                self.expect_for("WHERE", start)?;
                let (p, s) = self.guarded(start)?;
                Ok(SubstitutionKind::Any(bound, p, s))
            }
            "LET" => {
                let bound = self.identifiers("a local variable")?;
                self.expect_for("BE", start)?;
                let equations = self.block_formula()?;
                self.expect_for("IN", start)?;
                let body = self.body(start)?;
                Ok(SubstitutionKind::Let(bound, Box::new(equations), Box::new(body)))
            }
            "VAR" => {
                let bound = self.identifiers("a local variable")?;
                self.expect_for("IN", start)?;
                Ok(SubstitutionKind::Var(bound, Box::new(self.body(start)?)))
            }
            "WHILE" => self.repetition(start),
            _ => self.simple(),
        }
    }

    /// A sequence and the END of the block that the token `open` began.
    fn body(&mut self, open: usize) -> Parse<Substitution> {
        let body = self.sequence()?;
        self.close(open)?;
        Ok(body)
    }

    fn close(&mut self, open: usize) -> Parse<()> {
        self.expect_for("END", open)
    }

    /// `P THEN G END`.
    fn guarded(&mut self, open: usize) -> Parse<(Box<Node>, Box<Substitution>)> {
        let predicate = self.block_formula()?;
        self.expect_for("THEN", open)?;
        let body = self.body(open)?;
        Ok((Box::new(predicate), Box::new(body)))
    }

    /// `P THEN G` (`more` Q THEN H)* (ELSE I)? END.
    #[allow(clippy::type_complexity)] // the shape of the tree's If and Select
    fn branches(
        &mut self,
        open: usize,
        more: &str,
    ) -> Parse<(Vec<(Node, Substitution)>, Option<Box<Substitution>>)> {
        let mut branches = Vec::new();
        loop {
            let condition = self.block_formula()?;
            self.expect_for("THEN", open)?;
            branches.push((condition, self.sequence()?));
            if !self.eat(more) {
                break;
            }
        }
        let otherwise = if self.eat("ELSE") { Some(Box::new(self.sequence()?)) } else { None };
        self.close(open)?;
        Ok((branches, otherwise))
    }

    /// `E OF EITHER m, n THEN G OR p THEN H ELSE I END END`.
    fn case(&mut self, open: usize) -> Parse<SubstitutionKind> {
        let subject = Box::new(self.nested(Context::Plain, Parser::expression)?);
        self.expect_for("OF", open)?;
        let either = self.pos;
        if !self.eat("EITHER") {
            let error = self.expected("`EITHER`");
            let form = "a CASE is written `CASE E OF EITHER m THEN .. OR n THEN .. END END`";
            return Err(Box::new(error.hint(form)));
        }
        let mut branches = Vec::new();
        loop {
            let labels = self.nested(Context::Plain, |p| p.list(operators::EXPRESSION))?;
            self.expect_for("THEN", either)?;
            branches.push((labels, self.sequence()?));
            if !self.eat("OR") {
                break;
            }
        }
        let otherwise = if self.eat("ELSE") { Some(Box::new(self.sequence()?)) } else { None };
        self.close(either)?;
        if !self.at("END") {
            let error = match self.closes_machine() {
                true => *self.unclosed(open),
                false => *self.expected("`END`"),
            };
            return Err(Box::new(error.hint("CASE needs two ENDs: one for EITHER, one for CASE")));
        }
        self.close(open)?;
        Ok(SubstitutionKind::Case { subject, branches, otherwise })
    }

    /// `P DO G INVARIANT I VARIANT V END`.
    fn repetition(&mut self, open: usize) -> Parse<SubstitutionKind> {
        let condition = Box::new(self.block_formula()?);
        self.expect_for("DO", open)?;
        let body = Box::new(self.sequence()?);
        let variant_first = self.at("VARIANT");
        let early = if variant_first {
            self.bump();
            Some(self.block_formula()?)
        } else {
            None
        };
        self.expect_for("INVARIANT", open)?;
        let invariant = Box::new(self.block_formula()?);
        let variant = match early {
            Some(variant) => variant,
            None => {
                self.expect_for("VARIANT", open)?;
                self.block_formula()?
            }
        };
        self.close(open)?;
        Ok(SubstitutionKind::While { condition, body, invariant, variant: Box::new(variant) })
    }

    /// Assignments and calls: they begin with a target.
    fn simple(&mut self) -> Parse<SubstitutionKind> {
        if !self.is_identifier(self.pos) {
            return Err(self.expected("a substitution"));
        }
        let mut targets = vec![self.target()?];
        while self.eat(",") {
            targets.push(self.target()?);
        }
        if matches!(self.word(), "+" | "-") && matches!(self.word_at(self.pos + 1), "+" | "-" | "=")
        {
            self.bump();
            return Err(self.expected("an expression"));
        }
        if matches!(self.word(), ":=" | "::" | "<--" | ":" | "=") || targets.len() > 1 {
            return self.after_targets(targets);
        }
        match self.as_call(&mut targets) {
            Some(call) => Ok(call),
            None => Err(self.expected("`:=`, `::` or `:(`")),
        }
    }

    /// A variable with its postfixes.
    fn target(&mut self) -> Parse<Node> {
        let start = self.pos;
        if self.kind() != TokenKind::Identifier {
            return Err(self.expected("a variable"));
        }
        let node = Node { kind: NodeKind::Name(self.name_at(start)), span: self.span() };
        self.bump();
        self.height = 0;
        self.postfixes(start, node)
    }

    /// A target that turns out to be a call.
    fn as_call(&self, targets: &mut Vec<Node>) -> Option<SubstitutionKind> {
        let Node { kind, span } = targets.pop()?;
        let (operation, arguments) = match kind {
            NodeKind::Name(name) => (Ident { name, span }, Vec::new()),
            NodeKind::Call(function, arguments) => match function.kind {
                NodeKind::Name(name) => (Ident { name, span: function.span }, arguments),
                _ => return None,
            },
            _ => return None,
        };
        Some(SubstitutionKind::Call { results: Vec::new(), operation, arguments })
    }

    /// What follows the targets of an assignment.
    fn after_targets(&mut self, targets: Vec<Node>) -> Parse<SubstitutionKind> {
        match self.word() {
            ":=" => {
                self.bump();
                let values = self.nested(Context::Plain, |p| p.list(operators::EXPRESSION))?;
                if matches!(operators::infix(self.word()), Some((row, _)) if row.level == operators::COMPARISON)
                {
                    let error = self.expected("the end of the assignment");
                    return Err(Box::new(error.hint("a predicate is no value; write `bool(P)`")));
                }
                Ok(SubstitutionKind::Assign(targets, values))
            }
            "::" => {
                self.bump();
                let set = self.nested(Context::Plain, Parser::expression)?;
                Ok(SubstitutionKind::BecomesElement(targets, Box::new(set)))
            }
            ":" if self.word_at(self.pos + 1) == "(" => {
                self.bump();
                let open = self.pos;
                self.bump();
                let predicate =
                    self.nested(Context::Brackets, |p| p.formula(operators::FORMULA))?;
                self.expect_for(")", open)?;
                Ok(SubstitutionKind::BecomesSuchThat(targets, Box::new(predicate)))
            }
            ":" => {
                let error = self.expected("`:=`, `::` or `:(`");
                Err(Box::new(
                    error.hint("`x :: S` chooses an element of S; `x : (P)` any value with P"),
                ))
            }
            "<--" => {
                self.bump();
                let operation = self.identifier("the name of an operation")?;
                let arguments = if self.at("(") { self.arguments()? } else { Vec::new() };
                Ok(SubstitutionKind::Call { results: targets, operation, arguments })
            }
            "=" => {
                let error = self.expected("`:=`, `::` or `:(`");
                Err(Box::new(error.hint("a variable is assigned with `:=`")))
            }
            _ => Err(self.expected("`:=`, `::`, `:(` or `<--`")),
        }
    }
}
