//! What people write instead: hints for the classic slips, words of other notations, and misspelled
//! keywords, which are read as what they were meant to be, so that the rest of the file is parsed.

use super::lexer::TokenKind;
use super::parser::{Context, Parser};
use super::substitution::begins;
use super::words;
use crate::diagnostic::Diagnostic;

/// Words of other notations, with what is written here. Without regard to case.
const FOREIGN: &[(&str, &str)] = &[
    ("abs", "there is no `abs`: write `max({x, -x})`"),
    ("and", "conjunction is written `&`"),
    ("boolean", "the type of truth values is `BOOL`"),
    ("div", "integer division is written `/`"),
    ("emptyset", "the empty set is written `{}`"),
    ("exists", "the existential quantifier is written `#x.(P)`"),
    ("forall", "the universal quantifier is written `!x.(P => Q)`"),
    ("implies", "implication is written `=>`"),
    ("inv", "the inverse of a relation is written `r~`"),
    ("lambda", "lambda is written `%x.(P | E)`"),
    ("len", "the length of a sequence is `size(s)`"),
    ("length", "the length of a sequence is `size(s)`"),
    ("not", "negation is written `not(P)`, in lower case"),
    ("notin", "non-membership is written `/:`"),
    ("null", "there is no null: use an element of its own, or the empty set"),
    ("return", "results are assigned: `r <-- op = BEGIN r := E END`"),
    ("subset", "inclusion is written `<:`, strict inclusion `<<:`"),
    ("subseteq", "inclusion is written `<:`"),
    ("xor", "there is no `xor`: write `not(P <=> Q)`"),
];

/// What stands between substitutions.
const STATEMENTS: &str = "substitutions are separated by `||` or `;`";

/// Most tokens of the targets of an assignment that is looked for.
const MOST_OF_TARGETS: usize = 64;

/// How the place after an operation is called.
const NEXT_OPERATION: &str = "`;` and the next operation";

/// What goes on with another branch, by what began the block.
const BRANCHES: &[(&str, &str)] =
    &[("SELECT", "WHEN"), ("IF", "ELSIF"), ("CHOICE", "OR"), ("EITHER", "OR")];

/// What is said of a word that goes on with a branch of another kind of block than the one whose END
/// was expected.
fn branched(word: &str, what: &str) -> Option<String> {
    let is_open = |opener: &str| what.contains(&format!("(for this `{opener}`)"));
    let (opener, right) = BRANCHES.iter().find(|(opener, _)| is_open(opener))?;
    let fits = what.contains("`END`") && word != *right;
    // Before a predicate `or` is one of its own.
    let fits = fits && (word != "or" || *right == "OR");
    let capitals = if word == "or" { ", in capitals" } else { "" };
    fits.then(|| format!("the branches of this {opener} are separated by `{right}`{capitals}"))
}

/// What to write instead of a word of another notation.
pub fn foreign(word: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(w, _)| w.eq_ignore_ascii_case(word)).map(|(_, hint)| *hint)
}

impl Parser<'_> {
    /// What the classic slips look like at the cursor, where `what` was expected.
    pub fn slip(&self, what: &str) -> Option<String> {
        let pos = self.pos;
        let before = pos.checked_sub(1).map(|p| self.span_at(p).end as usize).unwrap_or(0);
        let gap = self.text.get(before..self.span().start as usize).unwrap_or("");
        if gap.starts_with("//") && pos > 0 {
            return Some("`//` begins a comment; division is written `/`".to_string());
        }
        let token = self.tokens.get(pos)?;
        let hint = match token.kind {
            _ if self.joins_statements() => self.slip_between_statements(what),
            TokenKind::Identifier => self.slip_at_name(what),
            TokenKind::Fixed(word) => self.slip_at_word(word, what),
            _ => None,
        };
        hint.or_else(|| self.slip_before())
    }

    /// The word of a token that may lie outside of the piece that is being parsed.
    fn raw(&self, pos: Option<usize>) -> &'static str {
        match pos.and_then(|p| self.tokens.get(p)).map(|t| t.kind) {
            Some(TokenKind::Fixed(word)) => word,
            _ => "",
        }
    }

    fn slip_at_name(&self, what: &str) -> Option<String> {
        let word = self.slice(self.pos);
        let next = self.raw(Some(self.pos + 1));
        let is = |known: &str| word.eq_ignore_ascii_case(known);
        if let Some(hint) = foreign(word) {
            return Some(hint.to_string());
        }
        if is("in") {
            return Some("membership is written `:`".to_string());
        }
        if word == "U" && !what.starts_with("`,`") {
            return Some("the union of sets is written `\\/`".to_string());
        }
        if let Some(keyword) = words::misspelled(word) {
            return Some(did_you_mean(keyword));
        }
        if what.contains("`END`") && matches!(next, ":=" | "::" | "<--") {
            return Some(STATEMENTS.to_string());
        }
        if what.starts_with("`,`") {
            return Some("names are separated by `,`".to_string());
        }
        if what.starts_with("`;` or the next clause") {
            return Some("declarations are separated by `;`".to_string());
        }
        None
    }

    fn slip_at_word(&self, word: &str, what: &str) -> Option<String> {
        let pos = self.pos;
        let last = pos.checked_sub(1);
        let before = self.raw(last);
        let next = self.raw(Some(pos + 1));
        let operand_before =
            last.and_then(|p| self.tokens.get(p)).is_some_and(|t| ends_operand(t.kind));
        let ends_clause = pos + 1 == self.limit;
        let special = match word {
            "OR" | "ELSIF" | "WHEN" => branched(word, what),
            "or" if self.labels_follow() => branched(word, what),
            ":" if what.starts_with("`)` (for this `(`)") => self.typed_among_names(),
            _ => None,
        };
        if special.is_some() {
            return special;
        }
        let hint = match word {
            "&" if before == "&" => "conjunction is written `&`",
            "=" if before == "!" => "inequality is written `/=`",
            "!" if next == "=" => "inequality is written `/=`",
            "!" if operand_before && next == ":" => "non-membership is written `/:`",
            "not" if operand_before && self.slice(pos + 1) == "in" => {
                "non-membership is written `/:`"
            }
            _ if what == "the name of a field" && before == "'" => {
                "the value before a substitution is written `x$0`: `x :(x > x$0)`"
            }
            ")" if what == "`|`" => {
                "the value stands after a `|`: `%x.(P | E)`, `SIGMA(x).(P | E)`"
            }
            "." if what.starts_with("`)` (for this `(`)") && self.folds(pos).is_some() => {
                "the names stand in their own parentheses: `SIGMA(x).(P | E)`"
            }
            "union" if operand_before => {
                "the union of two sets is written `\\/`; `union(S)` is that of a set of sets"
            }
            "inter" if operand_before => {
                "the intersection of two sets is written `/\\`; `inter(S)` is that of a set of sets"
            }
            "(" | ":" if what == "`.`" => {
                "bound names are followed by `.`: `!x.(P => Q)`, `#x.(P)`, `%x.(P | E)`"
            }
            "&" if what.starts_with("`||`") => STATEMENTS,
            "|" if what.starts_with("`}`") => {
                "a comprehension begins with its names: `{x | x : S & P}`"
            }
            "{" if operand_before && what.contains("END") => {
                "a function is applied with parentheses: `f(x)`"
            }
            _ if self.follows_quantifier(what) => {
                "negation is written `not(P)`; `!` and `#` begin quantifiers"
            }
            ">" if before == "=" => "implication is written `=>`",
            "<" if before == "=" => "`less or equal` is written `<=`",
            "=" | "+" | "-" if before == "+" && word != "-" || before == "-" && word != "+" => {
                "write `x := x + 1`: there are no operators that assign"
            }
            "<>" => "inequality is written `/=`; `<>` is the empty sequence",
            "%" if operand_before => "the remainder is written `mod`; `%` begins a lambda",
            "'" => "a string stands in double quotes; `r'f` is the field f of a record",
            "." if before == ".." => "an interval is written `1..3`",
            "OR" if !what.contains("END") => "disjunction is written `or`, in lower case",
            "IN" if operand_before && !what.contains("`IN`") => "membership is written `:`",
            "THEN" if what.starts_with("a substitution") => {
                "THEN belongs to a PRE, SELECT, IF or ANY before it"
            }
            "THEN" if what.starts_with("`WHERE`") => {
                "an ANY has a condition that types its variables: `ANY x WHERE x : S THEN ..`"
            }
            "END" if before == ";" => "`;` separates: there is none before `END`",
            "END" if before == "||" => "`||` separates: there is none before `END`",
            "END" if what.starts_with("`INVARIANT`") => {
                "a loop ends with `INVARIANT I VARIANT V END`"
            }
            "END" if what.starts_with("`;` and the next operation") => {
                "there is one END more than there are blocks"
            }
            ")" if operand_before && !["`)`", "`]`", "`}`"].iter().any(|c| what.contains(c)) => {
                "no `(` is open here"
            }
            "=" if what.starts_with("`BE`") => "a LET is written `LET x BE x = E IN .. END`",
            "=" if what.starts_with("`,` or") => {
                "here names are declared only: the value of a constant stands in PROPERTIES"
            }
            ":" if what.starts_with("`,` or") => {
                "here names are declared only: types stand in the INVARIANT, or in PROPERTIES"
            }
            ":" if what.starts_with("`)` (for this `(`)") => {
                "parameters are names only: their types stand in a PRE, `PRE x : S THEN ..`"
            }
            ")" if before == "(" && what == "a parameter" => {
                "an operation without parameters has no parentheses"
            }
            "<-" if what.contains("END") => "a variable is assigned with `:=`",
            "<-" if what == "`=`" => "results stand before `<--`",
            "==" if what.starts_with("`;` or the next clause") => {
                "an enumerated set is written `S = {a, b}`"
            }
            "==" => "equality is written `=`; `==` belongs to DEFINITIONS",
            ":=" if self.follows_comma(pos) => {
                "substitutions are separated by `||` or `;`; `x, y := 1, 2` assigns both"
            }
            ":=" if what == "`=`" => {
                "the body of an operation comes after `=`, results before `<--`"
            }
            ":=" => "`:=` is a substitution; equality is written `=`",
            "or" | "=>" | "<=>"
                if operand_before
                    && (what.contains("`END`") || what.starts_with(NEXT_OPERATION)) =>
            {
                "a predicate is no value; write `bool(P)`"
            }
            "," if ends_clause => "there is no `,` at the end of a clause",
            "," if what.starts_with("`;`") => "sets are separated by `;`",
            "," if what.starts_with("`&`") => "conjunction is written `&`",
            ";" if what.starts_with("`,` or") => "names are separated by `,`",
            ";" if what.starts_with("`}`") => "elements are separated by `,`",
            ";" if what.starts_with("`END`") => {
                "this `;` ends the operation: an `END` is missing before it"
            }
            ";" if ends_clause => "there is no `;` at the end of a clause",
            "||" if self.context == Context::Plain
                && operand_before
                && !self.begins_statement(pos + 1) =>
            {
                "disjunction is written `or`; the parallel product of relations stands in parentheses"
            }
            ";" if what.starts_with("`&`") && next != "END" && operand_before => {
                "composition `;` and parallel product `||` of relations stand in parentheses, and conjuncts are joined by `&`"
            }
            ";" if self.context == Context::Plain && next != "END" && operand_before => {
                "composition `;` and parallel product `||` of relations stand in parentheses"
            }
            _ if what.starts_with("a substitution") && matches!(next, ":=" | "::" | "<--") => {
                return Some(format!("`{word}` is a reserved word: it cannot be a variable"));
            }
            _ if before == ";" && words::is_clause(word) => {
                "there is no `;` at the end of a clause"
            }
            _ => return None,
        };
        Some(hint.to_string())
    }

    /// Whether what follows the cursor ends with THEN, as the labels of a CASE do.
    fn labels_follow(&self) -> bool {
        let ends = |word: &&str| matches!(*word, "THEN" | "END" | "OR" | "||" | ";" | ":=");
        let mut words = (self.pos + 1..self.limit).take(MOST_OF_TARGETS).map(|p| self.word_at(p));
        words.find(ends) == Some("THEN")
    }

    /// What is said of `SIGMA(x : S | E)` at its `:`.
    fn typed_among_names(&self) -> Option<String> {
        let (fold, names) = self.folds(self.pos)?;
        let condition = if names.contains(',') { "P".to_string() } else { format!("{names} : S") };
        Some(format!(
            "the names stand in their own parentheses: `{fold}({names}).({condition} | E)`"
        ))
    }

    /// The word and the names of `SIGMA(x, y` or the like, where these names end here.
    fn folds(&self, pos: usize) -> Option<(&'static str, &str)> {
        let is_name = |p: &usize| {
            matches!(self.tokens[*p].kind, TokenKind::Identifier | TokenKind::Fixed(","))
        };
        let open = (0..pos.min(self.tokens.len())).rev().find(|p| !is_name(p))?;
        let fold = self.raw(open.checked_sub(1));
        let (from, to) = (self.span_at(open).end as usize, self.span_at(pos).start as usize);
        (self.raw(Some(open)) == "(" && matches!(fold, "SIGMA" | "PI" | "UNION" | "INTER" | "%"))
            .then(|| (fold, self.text.get(from..to).unwrap_or("x").trim()))
    }

    /// Whether the bracket that is not closed here follows `!` or `#`: `!(x > 0)`.
    fn follows_quantifier(&self, what: &str) -> bool {
        let is_name = |p: &usize| {
            matches!(self.tokens[*p].kind, TokenKind::Identifier | TokenKind::Fixed(","))
        };
        let open = (0..self.pos.min(self.tokens.len())).rev().find(|p| !is_name(p));
        what.starts_with("`)` (for this `(`)")
            && open.is_some_and(|p| self.raw(Some(p)) == "(")
            && matches!(self.raw(open.and_then(|p| p.checked_sub(1))), "!" | "#")
    }

    /// Whether an assignment begins here: names with what stands behind them, and its sign.
    fn assigns(&self, pos: usize) -> bool {
        let mut brackets = 0usize;
        for at in pos..(pos + MOST_OF_TARGETS).min(self.tokens.len()) {
            match self.tokens[at].kind {
                TokenKind::Fixed("(" | "[") => brackets += 1,
                TokenKind::Fixed(")" | "]") if brackets > 0 => brackets -= 1,
                _ if brackets > 0 => {}
                TokenKind::Fixed(":=" | "::" | "<--") => return at > pos,
                TokenKind::Identifier | TokenKind::Fixed("," | "'") => {}
                _ => return false,
            }
        }
        false
    }

    fn begins_statement(&self, pos: usize) -> bool {
        begins(self.raw(Some(pos))) || self.assigns(pos)
    }

    /// Whether the cursor is at a word that joins predicates, and a statement stands after it.
    fn joins_statements(&self) -> bool {
        let word = self.raw(Some(self.pos));
        let joins = matches!(word, "&" | "or") || self.slice(self.pos).eq_ignore_ascii_case("and");
        joins && self.begins_statement(self.pos + 1)
    }

    /// How the statements on both sides of the cursor are joined, by the block that they stand in.
    fn slip_between_statements(&self, what: &str) -> Option<String> {
        let is_or = self.raw(Some(self.pos)) == "or";
        if let Some(hint) = branched("or", what).filter(|_| is_or) {
            return Some(hint);
        }
        let hint = match is_or {
            true => "a choice between substitutions is written `CHOICE S OR T END`",
            false if what.starts_with(NEXT_OPERATION) => {
                "substitutions are separated by `||`; within BEGIN .. END also by `;`"
            }
            false => STATEMENTS,
        };
        Some(hint.to_string())
    }

    /// Whether a comma stands before the target that ends here: `x := 1, f(a) := 2`.
    fn follows_comma(&self, pos: usize) -> bool {
        let mut brackets = 0usize;
        let first = pos.saturating_sub(MOST_OF_TARGETS);
        for at in (first..pos.min(self.tokens.len())).rev() {
            match self.tokens[at].kind {
                TokenKind::Fixed(")" | "]") => brackets += 1,
                TokenKind::Fixed("(" | "[") if brackets > 0 => brackets -= 1,
                _ if brackets > 0 => {}
                TokenKind::Fixed(",") => return true,
                TokenKind::Identifier | TokenKind::Fixed("'") => {}
                _ => return false,
            }
        }
        false
    }

    /// A slip in the word before the cursor, which was taken for a name.
    fn slip_before(&self) -> Option<String> {
        let last = self.pos.checked_sub(1)?;
        let word = self.slice(last);
        match self.tokens.get(last)?.kind {
            TokenKind::Identifier => {
                let found = foreign(word).map(str::to_string);
                let keyword = || words::misspelled(word).filter(|k| k.eq_ignore_ascii_case(word));
                found.or_else(|| keyword().map(did_you_mean))
            }
            TokenKind::Fixed(name) if words::function(name).is_some() => {
                Some(format!("a function is applied with parentheses: `{word}(x)`"))
            }
            _ => None,
        }
    }

    /// The hint for a comparison after a comparison, which may be a slip between the two.
    pub fn slip_in_chain(&self) -> &'static str {
        const COMPARE: &[&str] = &["=", "/=", "<", "<=", ">", ">=", ":", "/:", "<:", "<<:"];
        for pos in (0..self.pos).rev().take(40) {
            match self.raw(Some(pos)) {
                "/\\" => return "conjunction is written `&`; `/\\` is the intersection of sets",
                "\\/" => return "disjunction is written `or`; `\\/` is the union of sets",
                "->" => {
                    return "implication is written `=>`; `->` puts an element before a sequence";
                }
                word if COMPARE.contains(&word) => break,
                _ => {}
            }
        }
        "write `a < b & b < c`; to compare truth values use `<=>` or `bool(P)`"
    }

    /// Reports keywords that are misspelled where a name cannot stand, and reads them as what they
    /// were meant to be. A name between two operands is always an error, unless it is `circ`.
    pub fn repair(&mut self) {
        for pos in 1..self.tokens.len() {
            if self.tokens[pos].kind != TokenKind::Identifier || self.is_full() {
                continue;
            }
            let before = self.tokens[pos - 1].kind;
            let stands = ends_operand(before) || matches!(before, TokenKind::Fixed("END" | "skip"));
            let follows = self.tokens.get(pos + 1).is_some_and(|t| begins_operand(t.kind));
            if !stands || !follows {
                continue;
            }
            let word = self.slice(pos);
            let capitals = word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            let meant = words::misspelled(word)
                .filter(|k| capitals || k.eq_ignore_ascii_case(word))
                .filter(|_| foreign(word).is_none() && !word.eq_ignore_ascii_case("in"));
            let Some(keyword) = meant else { continue };
            let message = format!("`{word}` cannot stand here");
            self.diagnostics.push(
                Diagnostic::error("syntax", self.span_at(pos), message).hint(did_you_mean(keyword)),
            );
            self.tokens[pos].kind = TokenKind::Fixed(keyword);
        }
    }
}

fn did_you_mean(keyword: &str) -> String {
    format!("did you mean `{keyword}`? Keywords are written in upper case")
}

/// Whether an operand can end with this token.
pub(super) fn ends_operand(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Fixed(word) => {
            matches!(word, ")" | "}" | "]" | "~") || words::constant(word).is_some()
        }
        TokenKind::End => false,
        _ => true,
    }
}

/// Whether something can begin with this token after a keyword.
fn begins_operand(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Fixed(word) => {
            matches!(word, "(" | "{" | "[" | "!" | "#" | "%" | "-" | "not" | "bool" | "<>")
                || begins(word)
                || words::constant(word).is_some()
                || words::function(word).is_some()
        }
        TokenKind::End => false,
        _ => true,
    }
}
