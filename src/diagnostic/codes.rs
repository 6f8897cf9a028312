//! All codes, with what each means. A code never changes its meaning; new ones are added.

use std::fmt::Write;

/// What a code stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The machine, or what was asked of it, is refused.
    Error,
    /// The machine is accepted.
    Warning,
    /// What a search found.
    Finding,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Error => "error",
            Kind::Warning => "warning",
            Kind::Finding => "finding",
        }
    }
}

use Kind::{Error, Finding, Warning};

/// Code, kind and meaning, by kind and then in alphabetical order.
pub const CODES: &[(&str, Kind, &str)] = &[
    ("argument-count", Error, "an operator has another number of arguments"),
    ("assignment-arity", Error, "an assignment has more targets than values, or fewer"),
    ("assignment-to-bound", Error, "an identifier bound by LET, ANY or a quantifier is assigned"),
    ("assignment-to-constant", Error, "a constant, a set or an element is assigned"),
    ("assignment-to-included", Error, "a variable of an included machine is assigned"),
    ("assignment-to-parameter", Error, "a parameter of an operation is assigned"),
    ("assignment-to-seen", Error, "a variable of a seen machine is assigned"),
    ("card", Error, "a --card option names no set whose size can be chosen"),
    ("case-label", Error, "a label of a CASE is no literal"),
    ("chained-comparison", Error, "a comparison of a comparison, such as `a < b < c`"),
    ("clause-not-allowed", Error, "a machine of this kind has no such clause"),
    ("configuration", Error, "a file of the user's is wrong: configuration, keymap or theme"),
    ("constant", Error, "a --constant option names no constant, or cannot give it a value"),
    ("definition-arity", Error, "a definition is used with another number of arguments"),
    ("definition-not-parsed", Error, "a definition is used whose right side is no formula"),
    ("definition-too-large", Error, "definitions expand to too many operators"),
    ("duplicate-case-label", Error, "a label stands twice in a CASE"),
    ("duplicate-clause", Error, "a machine has a clause twice"),
    ("duplicate-declaration", Error, "a name is declared twice"),
    ("duplicate-field", Error, "a record has a field twice"),
    ("duplicate-identifier", Error, "an identifier is bound twice by one binder"),
    ("duplicate-operation", Error, "there are two operations of one name"),
    ("duplicate-value", Error, "VALUES gives a name two values"),
    ("empty-goal", Error, "--goal is empty"),
    ("event-b", Error, "components of an Event-B model do not fit together"),
    ("expression-where-predicate", Error, "an expression stands where a predicate is needed"),
    ("external-arity", Error, "an external function is used with another number of arguments"),
    ("file-not-found", Error, "there is no file for a machine or for definitions"),
    ("forall-body", Error, "the body of a universal quantifier is no implication"),
    ("formula-too-deep", Error, "a formula has too many operators in one chain"),
    ("formula-where-substitution", Error, "a formula stands where a substitution is needed"),
    ("free-type", Error, "the values of a free type depend on what is known after them"),
    ("include-cycle", Error, "files refer to each other in a circle"),
    ("include-outside", Error, "an included file lies outside of the folders that may be read"),
    (
        "included-twice",
        Error,
        "a machine is included twice under one name, by one machine or with parameters",
    ),
    ("integer-limits", Error, "MININT is above MAXINT"),
    ("internal-error", Error, "a fault of burnside itself"),
    ("key-conflict", Error, "a keymap binds keys twice, or some that begin others"),
    ("let-equation", Error, "a LET does not give each of its identifiers one value"),
    ("local-operation-call", Error, "an operation of the same machine is called"),
    ("machine-arity", Error, "a machine is included with another number of arguments"),
    ("missing-arguments", Error, "a function is applied to nothing"),
    ("missing-constraints", Error, "a machine has scalar parameters and no CONSTRAINTS"),
    ("missing-initialisation", Error, "there are variables and no INITIALISATION"),
    ("missing-refines", Error, "a REFINEMENT or IMPLEMENTATION does not say what it refines"),
    ("mixed-operators", Error, "operators of Event-B stand side by side that need brackets"),
    ("nested-too-deeply", Error, "formulas and definitions are nested too deeply"),
    ("nesting-too-deep", Error, "brackets or blocks are nested too deeply"),
    ("not-assignable", Error, "what stands left of `:=` is no variable"),
    ("not-supported-yet", Error, "something of the language that is not evaluated yet"),
    ("not-text", Error, "the file is no text"),
    ("number-too-long", Error, "a number has too many digits"),
    (
        "operation-arity",
        Error,
        "an operation is called with another number of arguments or results",
    ),
    ("package", Error, "a file does not lie where its package says, or a package has no such name"),
    ("package-content", Error, "an Event-B package holds something that is not understood"),
    ("package-syntax", Error, "a file is not the Prolog term of an Event-B package"),
    ("parameter-in-properties", Error, "PROPERTIES mention a parameter of the machine"),
    ("predicate-where-expression", Error, "a predicate stands where an expression is needed"),
    ("preference", Error, "a preference has a value that it cannot have"),
    ("previous-value", Error, "`x$0` where x does not get a new value"),
    ("promoted-seen", Error, "an operation of a machine that is only seen is promoted"),
    ("real-out-of-range", Error, "a real number is too large"),
    ("recursive-definition", Error, "a definition uses itself"),
    ("refined-implementation", Error, "an IMPLEMENTATION is refined"),
    ("reserved-word", Error, "a reserved word stands where a name is declared"),
    ("rodin-file", Error, "a component of a Rodin project is not as Rodin writes it"),
    ("rodin-project", Error, "a folder or archive is no Rodin project with one machine to check"),
    ("second-machine", Error, "a file holds a second machine"),
    ("seen-operation-call", Error, "an operation that changes a seen machine is called"),
    ("set-from-definition", Error, "a set is declared by a definition that is no set of names"),
    ("set-size", Error, "a set has a size that it cannot have"),
    ("stray-character", Error, "a character that is no symbol of the language"),
    ("substitution-where-expression", Error, "a substitution stands where an expression is needed"),
    ("substitution-where-predicate", Error, "a substitution stands where a predicate is needed"),
    ("syntax", Error, "something else was expected here"),
    ("theory", Error, "an operator of a theory is used (theories are not supported)"),
    ("too-many-instances", Error, "inclusions make too many instances of machines"),
    ("trace-step", Error, "a step of a trace file is none of the machine"),
    ("type-mismatch", Error, "types do not fit"),
    ("type-not-determined", Error, "nothing determines the type of a name"),
    ("type-too-large", Error, "a type has too many parts"),
    ("undeclared-identifier", Error, "nothing declares a name"),
    ("unknown-external", Error, "an external function that is not known"),
    ("unknown-level", Error, "a level of refinement is asked for that a model does not have"),
    ("unknown-operation", Error, "an operation that does not exist is called or promoted"),
    ("unreadable-file", Error, "a file cannot be read"),
    ("unterminated-comment", Error, "a comment has no end"),
    ("unterminated-name", Error, "a quoted name has no end"),
    ("unterminated-string", Error, "a string has no end"),
    ("variable-as-argument", Error, "a machine is included with a variable as its parameter"),
    ("variable-in-properties", Error, "PROPERTIES or CONSTRAINTS mention a variable"),
    ("written-twice", Error, "a variable is written twice in parallel"),
    ("clause-ignored", Warning, "a clause or substitution has no effect here"),
    (
        "constraints-leave-out",
        Warning,
        "set-ups are left out in which actual parameters break CONSTRAINTS",
    ),
    ("external-by-definition", Warning, "an unknown external function is read as its definition"),
    (
        "file-name-case",
        Warning,
        "a file has the name it is referred to by, but for upper and lower case",
    ),
    ("ill-typed-setting", Warning, "a definition that speaks to the tool is ignored"),
    (
        "implementation-variables",
        Warning,
        "an IMPLEMENTATION declares VARIABLES, which are concrete there",
    ),
    (
        "linking-invariant",
        Warning,
        "a part of a refinement's invariant speaks of the abstract machine, and is not checked",
    ),
    ("misspelled-scope", Warning, "a `scope_` definition names no set whose size can be chosen"),
    ("mixed-connectives", Warning, "`&` and `or` are mixed without parentheses"),
    (
        "needless-witness",
        Warning,
        "a witness of an event is for nothing that the event leaves open",
    ),
    ("never-enabled", Warning, "no reachable state enables an operation (complete searches only)"),
    ("never-written", Warning, "no operation writes a variable"),
    ("no-invariant", Warning, "there are variables and no INVARIANT"),
    (
        "not-decided",
        Warning,
        "whether something holds of an infinite set is not known, or taken to hold",
    ),
    ("not-initialised", Warning, "the INITIALISATION does not write a variable"),
    ("not-refined", Warning, "a refinement leaves out an operation of what it refines"),
    ("not-utf8", Warning, "the file is not in UTF-8 and was read as Latin-1"),
    ("nothing-refined", Warning, "what a refinement refines has no operation of this name"),
    (
        "precondition-left-out",
        Warning,
        "a precondition speaks of the abstract machine, and is not asked in the refinement",
    ),
    ("preference-ignored", Warning, "a preference that has no meaning here"),
    ("promoted-twice", Warning, "an operation is promoted more than once"),
    (
        "refined-parameters",
        Warning,
        "a refinement has other machine parameters than what it refines, or in another order",
    ),
    (
        "refined-signature",
        Warning,
        "an operation has other parameters or results than what it refines",
    ),
    (
        "scope-of-enumerated",
        Warning,
        "a `scope_` definition is for a set whose elements are listed",
    ),
    ("set-by-use", Warning, "a parameter that is used as a set has the name of a number"),
    ("shadowing", Warning, "a bound identifier has the name of something the machine declares"),
    ("unaffected-invariant", Warning, "no operation can affect a part of the invariant"),
    ("unbounded", Warning, "a variable or set without bounds was tried in part only"),
    ("undefined-goal", Warning, "the definition GOAL is undefined in a reachable state"),
    ("undefined-guard", Warning, "a part of a guard was undefined and counted as false"),
    ("unknown-library", Warning, "nothing is known of a library of functions"),
    ("unneeded-file", Warning, "a file of a project cannot be read, and is not needed"),
    ("unused-definition", Warning, "nothing uses a definition"),
    ("unused-definition-ill-typed", Warning, "a definition that nothing uses is wrong"),
    ("value-too-large", Warning, "the search ended at a value that is too large to be held"),
    ("assertion-violation", Finding, "an assertion does not hold"),
    ("invariant-violation", Finding, "the invariant does not hold"),
    ("no-setup", Finding, "there is no way to set the machine up"),
    ("refinement-violation", Finding, "an abstract event cannot follow the event that refines it"),
    ("state-error", Finding, "something is undefined, or a substitution's condition does not hold"),
    (
        "variant-violation",
        Finding,
        "a variant does not decrease where it must, or is negative or infinite",
    ),
];

/// One line for each code.
pub fn listing() -> String {
    let width = CODES.iter().map(|(code, ..)| code.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (code, kind, meaning) in CODES {
        let _ = writeln!(out, "{code:<width$}  {:<8} {meaning}", kind.name());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_and_each_once() {
        let key = |(code, kind, _): &(&'static str, Kind, &str)| (*kind as u8, *code);
        assert!(CODES.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])));
        let mut names: Vec<&str> = CODES.iter().map(|(code, ..)| *code).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CODES.len());
    }
}
