//! External functions: what lies outside the language and is known by name.
//!
//! Here stands what each takes and gives, and whether it looks at more of an element than whether it
//! is equal to another; what it computes stands in `eval/external.rs`. A new function is one line
//! here and one there. None touches a file, the network or another program.

use crate::machine::External;
use std::fmt;

/// The type of an argument or a result. Type variables have numbers, and are the same within one
/// signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Integer,
    Bool,
    String,
    Any(u8),
    Set(&'static Sort),
    Sequence(&'static Sort),
    Relation(&'static Sort, &'static Sort),
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Integer => f.write_str("INTEGER"),
            Sort::Bool => f.write_str("BOOL"),
            Sort::String => f.write_str("STRING"),
            Sort::Any(n) => write!(f, "T{n}"),
            Sort::Set(of) => write!(f, "POW({of})"),
            Sort::Sequence(of) => write!(f, "seq({of})"),
            Sort::Relation(from, to) => write!(f, "({from} <-> {to})"),
        }
    }
}

/// What a function does with the elements of deferred sets in its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Treats {
    /// It compares them with each other at most: permuting them permutes its result.
    Alike,
    /// It chooses one, orders them or writes their names: they are not interchangeable.
    Apart,
}

/// An external function. A predicate is one with a result in BOOL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    pub name: &'static str,
    /// The file of definitions that declares it; empty: only a machine's own declaration does.
    pub library: &'static str,
    pub parameters: &'static [Sort],
    pub result: Sort,
    /// Whether it stands where a predicate stands.
    pub predicate: bool,
    pub treats: Treats,
}

impl Signature {
    pub fn external(&self) -> External {
        External(self.name)
    }
}

/// Libraries that have a second name.
const ALIASES: &[(&str, &str)] =
    &[("LibrarySort.def", "SORT.def"), ("LibraryChoose.def", "CHOOSE.def")];

const INT: Sort = Sort::Integer;
const STR: Sort = Sort::String;
const T: Sort = Sort::Any(0);

const fn function(
    library: &'static str,
    name: &'static str,
    parameters: &'static [Sort],
    result: Sort,
) -> Signature {
    Signature { name, library, parameters, result, predicate: false, treats: Treats::Alike }
}

const fn predicate(
    library: &'static str,
    name: &'static str,
    parameters: &'static [Sort],
) -> Signature {
    let result = Sort::Bool;
    Signature { name, library, parameters, result, predicate: true, treats: Treats::Alike }
}

const fn apart(signature: Signature) -> Signature {
    Signature { treats: Treats::Apart, ..signature }
}

const STRINGS: &str = "LibraryStrings.def";
const CHOICE: &str = "CHOOSE.def";
const ORDER: &str = "SORT.def";
const OUTPUT: &str = "LibraryIO.def";
const NUMBERS: &str = "LibraryMath.def";
const BITS: &str = "LibraryBits.def";
const META: &str = "LibraryMeta.def";
const CHECKS: &str = "LibraryProB.def";
const OWN: &str = "";

/// All functions that are known, by library.
pub static TABLE: &[Signature] = &[
    function(STRINGS, "STRING_LENGTH", &[STR], INT),
    function(STRINGS, "STRING_APPEND", &[STR, STR], STR),
    function(STRINGS, "STRING_CONC", &[Sort::Sequence(&STR)], STR),
    function(STRINGS, "STRING_SPLIT", &[STR, STR], Sort::Sequence(&STR)),
    function(STRINGS, "STRING_JOIN", &[Sort::Sequence(&STR), STR], STR),
    function(STRINGS, "STRING_CHARS", &[STR], Sort::Sequence(&STR)),
    function(STRINGS, "STRING_CODES", &[STR], Sort::Sequence(&INT)),
    function(STRINGS, "CODES_TO_STRING", &[Sort::Sequence(&INT)], STR),
    function(STRINGS, "STRING_REV", &[STR], STR),
    function(STRINGS, "STRING_TO_UPPER", &[STR], STR),
    function(STRINGS, "STRING_TO_LOWER", &[STR], STR),
    function(STRINGS, "SUB_STRING", &[STR, INT, INT], STR),
    function(STRINGS, "STRING_REPLACE", &[STR, STR, STR], STR),
    function(STRINGS, "STRING_CONTAINS_STRING", &[STR, STR], Sort::Bool),
    function(STRINGS, "STRING_EQUAL_CASE_INSENSITIVE", &[STR, STR], Sort::Bool),
    predicate(STRINGS, "STRING_IS_INT", &[STR]),
    predicate(STRINGS, "STRING_IS_DECIMAL", &[STR]),
    predicate(STRINGS, "STRING_IS_NUMBER", &[STR]),
    predicate(STRINGS, "STRING_IS_ALPHANUMERIC", &[STR]),
    function(STRINGS, "STRING_TO_INT", &[STR], INT),
    function(STRINGS, "INT_TO_STRING", &[INT], STR),
    function(STRINGS, "INT_TO_HEX_STRING", &[INT], STR),
    function(STRINGS, "DEC_STRING_TO_INT", &[STR, INT], INT),
    function(STRINGS, "INT_TO_DEC_STRING", &[INT, INT], STR),
    function(STRINGS, "STRING_PADLEFT", &[STR, INT, STR], STR),
    apart(function(STRINGS, "TO_STRING", &[T], STR)),
    apart(function(STRINGS, "FORMAT_TO_STRING", &[STR, Sort::Sequence(&T)], STR)),
    apart(function(CHOICE, "CHOOSE", &[Sort::Set(&T)], T)),
    function(CHOICE, "MU", &[Sort::Set(&T)], T),
    apart(function(ORDER, "SORT", &[Sort::Set(&T)], Sort::Sequence(&T))),
    function(ORDER, "SQUASH", &[Sort::Relation(&INT, &T)], Sort::Sequence(&T)),
    // Nothing is printed: a search visits states in an order of its own, and visits each once.
    predicate(OUTPUT, "printf", &[STR, T]),
    predicate(OUTPUT, "dprintf", &[STR, T]),
    predicate(OUTPUT, "printf1", &[STR, T]),
    predicate(OUTPUT, "printf_nonvar", &[STR, T]),
    predicate(OUTPUT, "printf_opt_trace", &[STR, T, Sort::Bool]),
    predicate(OUTPUT, "fprintf", &[STR, STR, T]),
    predicate(OUTPUT, "dfprintf", &[STR, STR, T]),
    predicate(OUTPUT, "PRINT", &[T]),
    predicate(OUTPUT, "DPRINT", &[T]),
    predicate(OUTPUT, "observe", &[T]),
    predicate(OUTPUT, "observe_silent", &[T]),
    function(OUTPUT, "observe_fun", &[T], Sort::Bool),
    predicate(OUTPUT, "PRINTF", &[STR, T]),
    predicate(OUTPUT, "FPRINTF", &[STR, STR, T]),
    function(OUTPUT, "vprintf", &[STR, T], T),
    function(OUTPUT, "fvprintf", &[STR, STR, T], T),
    // The arguments of a command line that hands none on.
    function(OUTPUT, "ARGC", &[], INT),
    function(OUTPUT, "ARGV", &[INT], STR),
    function(BITS, "BNOT", &[INT], INT),
    function(BITS, "BAND", &[INT, INT], INT),
    function(BITS, "BOR", &[INT, INT], INT),
    function(BITS, "BXOR", &[INT, INT], INT),
    function(BITS, "BLSHIFT", &[INT, INT], INT),
    function(BITS, "BRSHIFT", &[INT, INT], INT),
    function(META, "PROJECT_STATISTICS", &[STR], INT),
    predicate(CHECKS, "ASSERT_TRUE", &[Sort::Bool, STR]),
    function(CHECKS, "ASSERT_EXPR", &[Sort::Bool, STR, T], T),
    // All values are determined here.
    predicate(CHECKS, "CHECK_DET", &[T]),
    function(NUMBERS, "ABS", &[INT], INT),
    function(NUMBERS, "SIGN", &[INT], INT),
    function(NUMBERS, "GCD", &[INT, INT], INT),
    function(NUMBERS, "LCM", &[INT, INT], INT),
    function(NUMBERS, "MSB", &[INT], INT),
    function(NUMBERS, "FACT", &[INT], INT),
    function(NUMBERS, "ISQRT", &[INT], INT),
    function(NUMBERS, "MINIMUM", &[INT, INT], INT),
    function(NUMBERS, "MAXIMUM", &[INT, INT], INT),
    apart(function(OWN, "MAXIMIZE", &[Sort::Set(&T)], T)),
    apart(function(OWN, "MINIMIZE", &[Sort::Set(&T)], T)),
    function(OWN, "SCCS", &[Sort::Relation(&T, &T)], Sort::Set(&Sort::Set(&T))),
    apart(predicate(OWN, "LESS", &[T, T])),
    apart(predicate(OWN, "LEQ_SYM", &[T, T])),
    apart(predicate(OWN, "LEQ_SYM_BREAK", &[T, T])),
    apart(predicate(OWN, "LESS_SYM", &[T, T])),
];

/// Functions that hand a predicate on to another solver: they mean what their own definitions say, although
/// these leave out what only concerns the solver.
pub static HANDED_ON: &[&str] = &["KODKOD"];

/// The function of this name.
pub fn find(name: &str) -> Option<&'static Signature> {
    TABLE.iter().find(|s| s.name == name)
}

/// The one name of a library that is built in, for the name of a file.
pub fn library(file: &str) -> Option<&'static str> {
    let aliased = ALIASES.iter().find(|(alias, _)| *alias == file).map(|(_, name)| *name);
    let wanted = aliased.unwrap_or(file);
    TABLE.iter().map(|s| s.library).find(|l| !l.is_empty() && *l == wanted)
}

/// The text of a library: a file of definitions that declares its functions as external.
pub fn library_text(name: &str) -> String {
    let mut text = format!("// The external functions of {name}, built in.\nDEFINITIONS\n");
    let functions: Vec<&Signature> = TABLE.iter().filter(|s| s.library == name).collect();
    for (i, s) in functions.iter().enumerate() {
        let arguments: Vec<String> =
            (1..=s.parameters.len()).map(|i| format!("argument{i}")).collect();
        let types: Vec<String> = s.parameters.iter().map(Sort::to_string).collect();
        let mut variables: Vec<String> = Vec::new();
        for word in types.join(" ").split(|c: char| !c.is_alphanumeric()) {
            if word == "T0" || word == "T1" {
                variables.push(word.to_owned());
            }
        }
        variables.dedup();
        let polymorphic = match variables.is_empty() {
            true => String::new(),
            false => format!("({})", variables.join(",")),
        };
        let (kind, signature, body) = match s.predicate {
            true => ("PREDICATE", types.join("*"), "btrue"),
            false if types.is_empty() => ("FUNCTION", s.result.to_string(), "\"built in\""),
            false => {
                ("FUNCTION", format!("({}) --> {}", types.join("*"), s.result), "\"built in\"")
            }
        };
        let arguments = match arguments.is_empty() {
            true => String::new(),
            false => format!("({})", arguments.join(",")),
        };
        text.push_str(&format!(
            "  EXTERNAL_{kind}_{0}{polymorphic} == {signature};\n  {0}{arguments} == {body}{1}\n",
            s.name,
            if i + 1 < functions.len() { ";" } else { "" }
        ));
    }
    text
}
