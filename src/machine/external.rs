//! External functions: what lies outside the language and is known by name.
//!
//! Here stands what each takes and gives, and whether it looks at more of an element than whether it
//! is equal to another; what it computes stands in `eval/formulas/external.rs`. A new function is one line
//! here and one there. None touches the network or another program; those that read files do so where
//! the machine was loaded with leave to.

mod library;
mod outside;
mod table;

use crate::machine::External;
use outside::OUTSIDE;
use std::fmt;
use table::TABLE;

pub use library::machine_text;

/// The type of an argument or a result. Type variables have numbers, and are the same within one
/// signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Integer,
    Bool,
    Real,
    String,
    Any(u8),
    Set(&'static Sort),
    Sequence(&'static Sort),
    Relation(&'static Sort, &'static Sort),
    Record(&'static [(&'static str, Sort)]),
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Integer => f.write_str("INTEGER"),
            Sort::Bool => f.write_str("BOOL"),
            Sort::Real => f.write_str("REAL"),
            Sort::String => f.write_str("STRING"),
            Sort::Any(n) => write!(f, "T{n}"),
            Sort::Set(of) => write!(f, "POW({of})"),
            Sort::Sequence(of) => write!(f, "seq({of})"),
            Sort::Relation(from, to) => write!(f, "({from} <-> {to})"),
            Sort::Record(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, sort)| format!("{name} : {sort}")).collect();
                write!(f, "struct({})", fields.join(", "))
            }
        }
    }
}

/// What a function does with the elements of deferred sets in its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Treats {
    /// It compares them with each other at most: permuting them permutes its result.
    Alike,
    /// It chooses one, orders them, writes their names or reads these: they are not interchangeable.
    Apart,
}

/// An external function. A predicate is one with a result in BOOL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Some names have several numbers of parameters.
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

/// Sets that libraries define beside their functions.
const TYPES: &[(&str, &str)] = &[(
    "LibraryXML.def",
    "  XML_ELement_Type == struct(recId : NATURAL1, pId : NATURAL, element : STRING,
                             attributes : STRING +-> STRING, meta : STRING +-> STRING);\n",
)];

/// Functions that hand a predicate on to another solver: they mean what their own definitions say, although
/// these leave out what only concerns the solver.
pub static HANDED_ON: &[&str] = &["KODKOD", "KODKOD_SOLVE"];

/// The functions that are known, by library.
fn all() -> impl Iterator<Item = &'static Signature> {
    TABLE.iter().chain(OUTSIDE)
}

/// The names of all functions that are known.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|s| s.name)
}

/// The functions of this name: they differ in the number of their parameters.
pub fn named(name: &str) -> impl Iterator<Item = &'static Signature> {
    all().filter(move |s| s.name == name)
}

/// Whether a function asks for something outside: it may be refused.
pub fn is_outside(name: &str) -> bool {
    OUTSIDE.iter().any(|s| s.name == name)
}

/// A function of this name; those of one name do the same.
pub fn find(name: &str) -> Option<&'static Signature> {
    named(name).next()
}

/// The one name of a library that is built in, for the name of a file, however its letters are written.
pub fn library(file: &str) -> Option<&'static str> {
    let aliased = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(file));
    let wanted = aliased.map_or(file, |(_, name)| *name);
    all().map(|s| s.library).find(|l| !l.is_empty() && l.eq_ignore_ascii_case(wanted))
}

/// Libraries that other tools bring with them, and of whose functions none is known here: they draw states and talk to
/// other programs.
const OF_OTHER_TOOLS: &[&str] =
    &["LibrarySVG.def", "LibraryJSON.def", "LibraryZMQ.def", "LibraryZMQ_RPC.def"];

/// Whether a file is such a library: a machine that includes it means something without it.
pub fn is_of_another_tool(file: &str) -> bool {
    OF_OTHER_TOOLS.iter().any(|library| library.eq_ignore_ascii_case(file))
}

/// The names of all libraries, those of several functions more than once.
pub fn libraries() -> impl Iterator<Item = &'static str> {
    all().map(|s| s.library).filter(|library| !library.is_empty())
}

/// The text of a library: a file of definitions that declares its functions as external.
pub fn library_text(name: &str) -> String {
    let mut text = format!("// The external functions of {name}, built in.\nDEFINITIONS\n");
    if let Some((_, types)) = TYPES.iter().find(|(library, _)| *library == name) {
        text.push_str(types);
    }
    let mut functions: Vec<&Signature> = all().filter(|s| s.library == name).collect();
    // Of one name the form with the fewest parameters, which comes first, is the one of the library.
    functions.dedup_by_key(|s| s.name);
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
