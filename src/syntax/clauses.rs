//! Machine files: the header and the clauses.

use super::ast::*;
use super::lexer::TokenKind;
use super::operators;
use super::parser::{Context, Parse, Parser};
use super::split::Blocks;
use super::words;
use crate::diagnostic::Diagnostic;
use std::path::Path;

impl Parser<'_> {
    /// A whole file: a machine, or definitions only. `path` names a file of definitions.
    pub fn machine_file(&mut self, path: &Path) -> MachineFile {
        let mut file = MachineFile {
            kind: MachineKind::Machine,
            name: Ident { name: "".into(), span: self.span() },
            parameters: Vec::new(),
            refines: None,
            clauses: Vec::new(),
            definition_errors: Vec::new(),
            abstract_variables: Vec::new(),
            variants: Vec::new(),
            names_complete: !self.diagnostics.iter().any(|d| d.code.starts_with("unterminated")),
            span: crate::source::Span::new(self.file, 0, self.text.len()),
        };
        if self.tokens.is_empty() {
            if self.diagnostics.is_empty() {
                let error = self.expected("`MACHINE`");
                self.report(error);
            }
            return file;
        }
        if self.slice(0) == "RULES_MACHINE" {
            // Its clauses are of another language.
            self.diagnostics.clear();
            file.names_complete = false;
            self.report(Box::new(Diagnostic::not_yet(self.span(), "machines of rules")));
            return file;
        }
        if self.at("DEFINITIONS") {
            file.kind = MachineKind::Definitions;
            file.name.name = path.file_stem().unwrap_or_default().to_string_lossy().into();
            let clauses = self.clauses(false);
            self.all_clauses(&mut file, &clauses.starts, self.tokens.len());
            return file;
        }
        self.leave_out_second_machine();
        let clauses = self.clauses(true);
        let close = clauses.end.unwrap_or(self.tokens.len());
        let header_end = clauses.starts.first().copied().unwrap_or(close);
        self.enter(0, header_end);
        if let Err(error) = self.header(&mut file) {
            file.names_complete = false;
            self.report(error);
        }
        self.all_clauses(&mut file, &clauses.starts, close);
        self.enter(close, self.tokens.len());
        match clauses.end {
            None if self.diagnostics.is_empty() => {
                let error = self.expected("`END` of the machine");
                self.report(error);
            }
            None => {}
            Some(_) => {
                self.bump();
                if let Some(error) = self.leftover("the end of the file") {
                    self.report(Box::new(error.hint("this END closes the machine")));
                }
            }
        }
        file
    }

    /// Refuses a machine after the END of the first one: what is read is the first.
    fn leave_out_second_machine(&mut self) {
        let begins = |pos: &usize| {
            words::is_head(self.word_at(*pos))
                && self.word_at(*pos - 1) == "END"
                && self.is_identifier(*pos + 1)
        };
        let Some(second) = (1..self.limit).find(begins) else { return };
        let (here, first) = (self.span_at(second).to(self.span_at(second + 1)), self.span_at(0));
        let message = "a second machine begins here: a file holds one machine";
        let name = self.slice(second + 1);
        let diagnostic = Diagnostic::error("second-machine", here, message);
        let hint = format!("put it into a file of its own, named after it (`{name}`)");
        self.report(Box::new(diagnostic.note(first, "the first one begins here").hint(hint)));
        self.tokens.truncate(second);
        self.limit = second;
    }

    /// `MACHINE M(A, b)`.
    fn header(&mut self, file: &mut MachineFile) -> Parse<()> {
        file.kind = match self.word() {
            "MACHINE" | "MODEL" | "SYSTEM" => MachineKind::Machine,
            "REFINEMENT" => MachineKind::Refinement,
            "IMPLEMENTATION" => MachineKind::Implementation,
            _ => return Err(self.expected("`MACHINE`, `REFINEMENT` or `IMPLEMENTATION`")),
        };
        self.bump();
        file.name = self.identifier("the name of the machine")?;
        let open = self.pos;
        if self.eat("(") {
            file.parameters = self.identifiers("a parameter")?;
            self.expect_for(")", open)?;
        }
        self.leftover("a clause or `END`").map_or(Ok(()), Err)
    }

    fn all_clauses(&mut self, file: &mut MachineFile, starts: &[usize], close: usize) {
        for (i, start) in starts.iter().enumerate() {
            if self.is_full() {
                file.names_complete = false;
                return;
            }
            let limit = starts.get(i + 1).copied().unwrap_or(close);
            self.enter(*start, limit);
            let keyword = self.span();
            let declares = !matches!(
                self.word(),
                "CONSTRAINTS"
                    | "PROPERTIES"
                    | "INVARIANT"
                    | "VARIANT"
                    | "ASSERTIONS"
                    | "VALUES"
                    | "INITIALISATION"
                    | "INITIALIZATION"
                    | "OPERATIONS"
                    | "EVENTS"
            );
            let before = self.diagnostics.len();
            match self.clause(file) {
                Ok(Some(kind)) => {
                    self.pos = limit;
                    let span = self.since(*start);
                    file.clauses.push(Clause { kind, span, keyword });
                }
                Ok(None) => {}
                Err(error) => self.report(error),
            }
            file.names_complete &= !(declares && self.diagnostics.len() > before);
        }
    }

    /// One clause, its keyword included. Errors inside lists of pieces are reported already.
    fn clause(&mut self, file: &mut MachineFile) -> Parse<Option<ClauseKind>> {
        let word = self.word();
        self.bump();
        let kind = match word {
            "CONSTRAINTS" => ClauseKind::Constraints(self.predicate_clause()),
            "PROPERTIES" => ClauseKind::Properties(self.predicate_clause()),
            "INVARIANT" => ClauseKind::Invariant(self.predicate_clause()),
            "VARIANT" => ClauseKind::Variant(self.predicate_clause()),
            "ASSERTIONS" => ClauseKind::Assertions(self.assertions()),
            "SETS" => ClauseKind::Sets(self.pieces(Self::set_declaration)),
            "FREETYPES" => ClauseKind::Freetypes(self.pieces(Self::freetype)),
            "VALUES" => ClauseKind::Values(self.pieces(Self::valuation)),
            "CONSTANTS" | "CONCRETE_CONSTANTS" => {
                ClauseKind::Constants(self.names("the name of a constant")?)
            }
            "ABSTRACT_CONSTANTS" => {
                ClauseKind::AbstractConstants(self.names("the name of a constant")?)
            }
            "VARIABLES" | "ABSTRACT_VARIABLES" => {
                ClauseKind::Variables(self.names("the name of a variable")?)
            }
            "CONCRETE_VARIABLES" => {
                ClauseKind::ConcreteVariables(self.names("the name of a variable")?)
            }
            "PROMOTES" => ClauseKind::Promotes(self.names("the name of an operation")?),
            "INITIALISATION" | "INITIALIZATION" => {
                let body = self.sequence()?;
                if let Some(error) = self.leftover("`||`, `;` or the next clause") {
                    self.report(error);
                }
                ClauseKind::Initialisation(body)
            }
            "OPERATIONS" | "EVENTS" => ClauseKind::Operations(self.operations()),
            "LOCAL_OPERATIONS" => ClauseKind::LocalOperations(self.operations()),
            "DEFINITIONS" => ClauseKind::Definitions(self.definitions(file)),
            "EXPRESSIONS" => ClauseKind::Expressions(self.definitions(file)),
            "PREDICATES" => ClauseKind::Predicates(self.definitions(file)),
            "SEES" => ClauseKind::Sees(self.references()?),
            "USES" => ClauseKind::Uses(self.references()?),
            "INCLUDES" => ClauseKind::Includes(self.references()?),
            "EXTENDS" => ClauseKind::Extends(self.references()?),
            "IMPORTS" => ClauseKind::Imports(self.references()?),
            "REFINES" => {
                file.refines = Some(self.identifier("the name of the refined machine")?);
                self.leftover("the next clause").map_or(Ok(()), Err)?;
                return Ok(None);
            }
            _ => return Err(self.expected("a clause")),
        };
        Ok(Some(kind))
    }

    fn names(&mut self, what: &str) -> Parse<Vec<Ident>> {
        let names = self.identifiers(what)?;
        if let Some(error) = self.leftover("`,` or the next clause") {
            self.report(error);
        }
        Ok(names)
    }

    /// The one predicate of a clause; after an error the next conjunct is tried. What could be parsed
    /// is kept.
    pub fn predicate_clause(&mut self) -> Node {
        let (start, end) = (self.pos, self.limit);
        let mut from = start;
        let mut good: Vec<Node> = Vec::new();
        let goes_on = match self.whole {
            "formula" => "`&` or the end of the formula",
            _ => "`&` or the next clause",
        };
        loop {
            self.height = 0;
            let result =
                self.predicate().and_then(|node| self.leftover(goes_on).map_or(Ok(node), Err));
            match result {
                Ok(node) if from == start => return node,
                Ok(node) => {
                    add_conjuncts(&mut good, node);
                    break;
                }
                Err(error) => self.report(error),
            }
            let wrong = self.pos;
            if let Some(node) = self.before_error(from, wrong) {
                add_conjuncts(&mut good, node);
            }
            self.enter(wrong, end);
            if self.is_full() || !self.skip_conjunct(from) {
                break;
            }
            from = self.pos;
        }
        self.enter(end, end);
        let span = self.since(start);
        match good.len() {
            0 => Node { kind: NodeKind::Error, span },
            1 => good.remove(0),
            _ => Node { kind: NodeKind::Conjunction(good), span },
        }
    }

    /// The conjuncts between `from` and the one with the error at `wrong`.
    fn before_error(&mut self, from: usize, wrong: usize) -> Option<Node> {
        let mut brackets = 0usize;
        let mut blocks = Blocks::default();
        let mut last = None;
        for pos in from..wrong {
            let word = self.word_at(pos);
            match word {
                "(" | "{" | "[" => brackets += 1,
                ")" | "}" | "]" => brackets = brackets.saturating_sub(1),
                "&" if brackets == 0 && blocks.is_empty() => last = Some(pos),
                _ => {
                    blocks.step(word);
                }
            }
        }
        self.enter(from, last?);
        let node = self.predicate().ok()?;
        self.at_end().then_some(node)
    }

    /// Goes from an error to after the next `&` outside brackets and blocks.
    fn skip_conjunct(&mut self, start: usize) -> bool {
        let mut brackets = 0usize;
        let mut blocks = Blocks::default();
        for pos in start..self.limit {
            let word = self.word_at(pos);
            match word {
                "(" | "{" | "[" => brackets += 1,
                ")" | "}" | "]" => brackets = brackets.saturating_sub(1),
                "&" if pos >= self.pos && brackets == 0 && blocks.is_empty() => {
                    self.enter(pos + 1, self.limit);
                    return true;
                }
                _ => {
                    blocks.step(word);
                }
            }
        }
        false
    }

    /// Parses each `;`-separated piece of the clause; a wrong piece is reported and left out.
    fn pieces<T>(&mut self, parse: impl Fn(&mut Self) -> Parse<T>) -> Vec<T> {
        let limit = self.limit;
        let pieces = self.separated();
        let mut list = Vec::new();
        for (start, end) in pieces {
            self.enter(start, end);
            let parsed = parse(self)
                .and_then(|item| self.leftover("`;` or the next clause").map_or(Ok(item), Err));
            match parsed {
                Ok(item) => list.push(item),
                Err(error) => self.report(error),
            }
        }
        self.enter(limit, limit);
        list
    }

    fn assertions(&mut self) -> Vec<Node> {
        self.pieces(|p| Ok(p.predicate_clause()))
    }

    /// `S`, `T = {a, b}` or `U = definition`.
    fn set_declaration(&mut self) -> Parse<SetDeclaration> {
        let name = self.identifier("the name of a set")?;
        if !self.eat("=") {
            return Ok(SetDeclaration::Deferred(name));
        }
        let open = self.pos;
        if !self.eat("{") {
            let definition = self.identifier("`{` or the name of a definition")?;
            return Ok(SetDeclaration::FromDefinition(name, definition));
        }
        let elements = self.identifiers("the name of an element")?;
        self.expect_for("}", open)?;
        Ok(SetDeclaration::Enumerated(name, elements))
    }

    /// `T = c1, c2(S)`.
    fn freetype(&mut self) -> Parse<FreetypeDeclaration> {
        let name = self.identifier("the name of a free type")?;
        self.expect("=")?;
        let mut constructors = Vec::new();
        loop {
            let constructor = self.identifier("the name of a constructor")?;
            let open = self.pos;
            let argument = if self.eat("(") {
                let set = self.nested(Context::Parentheses, |p| p.formula(operators::ANY))?;
                self.expect_for(")", open)?;
                Some(set)
            } else {
                None
            };
            constructors.push((constructor, argument));
            if !self.eat(",") {
                return Ok(FreetypeDeclaration { name, constructors });
            }
        }
    }

    /// `x = E`.
    fn valuation(&mut self) -> Parse<(Ident, Node)> {
        let name = self.identifier("the name of a set or constant")?;
        self.expect("=")?;
        Ok((name, self.expression()?))
    }

    fn references(&mut self) -> Parse<Vec<MachineReference>> {
        let mut list = Vec::new();
        loop {
            list.push(self.reference()?);
            if !self.eat(",") {
                break;
            }
        }
        if let Some(error) = self.leftover("`,` or the next clause") {
            self.report(error);
        }
        Ok(list)
    }

    /// `r.M(args) /*@file "path" */`.
    fn reference(&mut self) -> Parse<MachineReference> {
        let whole = self.identifier("the name of a machine")?;
        let mut file = self.file_at(self.pos);
        let arguments = if self.at("(") { self.arguments()? } else { Vec::new() };
        file = file.or_else(|| self.file_at(self.pos));
        let (prefix, machine) = match whole.name.rsplit_once('.') {
            None => (None, whole),
            Some((prefix, machine)) => {
                let cut = whole.span.end - machine.len() as u32;
                let (mut before, mut after) = (whole.span, whole.span);
                before.end = cut.saturating_sub(1).max(before.start);
                after.start = cut.max(after.start);
                let prefix = Ident { name: prefix.into(), span: before };
                (Some(prefix), Ident { name: machine.into(), span: after })
            }
        };
        Ok(MachineReference { prefix, machine, arguments, file })
    }

    /// Operations, each in its piece.
    fn operations(&mut self) -> Vec<OperationDeclaration> {
        let limit = self.limit;
        let pieces = self.operation_pieces();
        let mut list = Vec::new();
        for (start, end) in pieces {
            if self.is_full() {
                break;
            }
            self.enter(start, end);
            if let Err(error) = self.operation_piece(&mut list, limit) {
                self.report(error);
            }
        }
        self.enter(limit, limit);
        list
    }

    /// One operation; more than one where the `;` between them is missing.
    fn operation_piece(
        &mut self,
        list: &mut Vec<OperationDeclaration>,
        clause_end: usize,
    ) -> Parse<()> {
        loop {
            list.push(self.operation()?);
            if self.at_end() {
                return Ok(());
            }
            if self.operation_head(self.pos).is_some() {
                let error = self.expected("`;` between operations");
                self.report(error);
                continue;
            }
            return Err(match self.at(";") {
                true => self.no_operation(clause_end),
                false => self.expected("`;` and the next operation, or the end of the clause"),
            });
        }
    }

    /// What stands behind the `;` at the cursor is no operation.
    fn no_operation(&mut self, clause_end: usize) -> Box<Diagnostic> {
        let (separator, last) = (self.span(), self.pos + 1 == clause_end);
        let results = self.results_before_another_arrow();
        let equivalent = self.word_at(self.pos + 2) == "==";
        self.bump();
        let mut error = self.expected("the next operation");
        if last {
            error.span = Some(separator);
        }
        let hint = match () {
            () if last => "`;` separates operations: there is none after the last",
            () if equivalent => "the body of an operation comes after `=`",
            () => "a body with `;` stands in BEGIN .. END: a bare `;` ends the operation",
        };
        error.hint = results.filter(|_| !last).or_else(|| Some(hint.to_owned()));
        error
    }

    /// How what follows the cursor is written, if it looks like `r <- op(x) =` or `a, b := op =`.
    fn results_before_another_arrow(&self) -> Option<String> {
        let first = self.pos + 1;
        let mut at = first;
        while self.word_at(at + 1) == "," {
            at += 2;
        }
        let equals = self.operation_head(at + 2)?;
        let text = |from, to| {
            let span = self.span_at(from).to(self.span_at(to));
            self.text.get(span.start as usize..span.end as usize)
        };
        if !matches!(self.word_at(at + 1), "<-" | ":=") {
            return None;
        }
        let (results, head) = text(first, at).zip(text(at + 2, equals))?;
        Some(format!("results stand before `<--`: `{results} <-- {head} ..`"))
    }

    /// `out <-- Op(p, q) = G`, `Op ref Abstract = G`.
    fn operation(&mut self) -> Parse<OperationDeclaration> {
        let start = self.pos;
        let mut names = self.identifiers("the name of an operation")?;
        let mut results = Vec::new();
        let name = if self.eat("<--") {
            results = std::mem::take(&mut names);
            self.identifier("the name of an operation")?
        } else if names.len() == 1 {
            names.remove(0)
        } else {
            return Err(self.expected("`<--`"));
        };
        let open = self.pos;
        let mut parameters = Vec::new();
        if self.eat("(") {
            parameters = self.identifiers("a parameter")?;
            self.expect_for(")", open)?;
        }
        let mut refines = None;
        if self.at_ref(self.pos) {
            self.bump();
            refines = Some(self.identifier("the name of the refined operation")?);
        }
        if !self.at("=") {
            let error = self.expected("`=`");
            return Err(match self.kind() {
                TokenKind::Fixed("==") => {
                    Box::new(error.hint("the body of an operation comes after `=`"))
                }
                // Some word between the names of two operations.
                TokenKind::Identifier
                    if self.is_identifier(self.pos + 1) && self.word_at(self.pos + 2) == "=" =>
                {
                    let refined = self.slice(self.pos + 1);
                    let hint = format!(
                        "what refines another operation is written `{} ref {refined}`",
                        name.name
                    );
                    Box::new(error.hint(hint))
                }
                _ => error,
            });
        }
        self.bump();
        let body = self.parallel()?;
        let span = self.since(start);
        Ok(OperationDeclaration { results, name, parameters, refines, body, span })
    }

    /// DEFINITIONS: see [`super::definitions`].
    fn definitions(&mut self, file: &mut MachineFile) -> Vec<DefinitionEntry> {
        let limit = self.limit;
        let entries = self.definition_entries(&mut file.definition_errors);
        self.enter(limit, limit);
        entries
    }
}

/// Adds a formula to a run of conjuncts: without brackets of its own it is a part of the run.
fn add_conjuncts(run: &mut Vec<Node>, node: Node) {
    match node.kind {
        NodeKind::Conjunction(items)
            if items.first().is_some_and(|first| first.span.start == node.span.start) =>
        {
            run.extend(items);
        }
        kind => run.push(Node { kind, span: node.span }),
    }
}
