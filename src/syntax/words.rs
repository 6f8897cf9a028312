//! Reserved words, keyword functions, and the ASCII form of Unicode symbols.

use super::ast::{Builtin, Constant};
use super::operators;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Keywords that begin a clause.
pub const CLAUSES: &[&str] = &[
    "ABSTRACT_CONSTANTS",
    "ABSTRACT_VARIABLES",
    "ASSERTIONS",
    "CONCRETE_CONSTANTS",
    "CONCRETE_VARIABLES",
    "CONSTANTS",
    "CONSTRAINTS",
    "DEFINITIONS",
    "EVENTS",
    "EXPRESSIONS",
    "EXTENDS",
    "FREETYPES",
    "IMPORTS",
    "INCLUDES",
    "INITIALISATION",
    "INITIALIZATION",
    "INVARIANT",
    "LOCAL_OPERATIONS",
    "OPERATIONS",
    "PREDICATES",
    "PROMOTES",
    "PROPERTIES",
    "REFINES",
    "SEES",
    "SETS",
    "USES",
    "VALUES",
    "VARIABLES",
    "VARIANT",
];

/// Reserved words that are neither clauses nor functions nor constants.
const OTHER: &[&str] = &[
    "ANY",
    "ASSERT",
    "BE",
    "BEGIN",
    "CASE",
    "CHOICE",
    "DO",
    "EITHER",
    "ELSE",
    "ELSIF",
    "END",
    "IF",
    "IMPLEMENTATION",
    "IN",
    "INTER",
    "LET",
    "MACHINE",
    "MODEL",
    "OF",
    "OR",
    "PI",
    "PRE",
    "REFINEMENT",
    "SELECT",
    "SIGMA",
    "SYSTEM",
    "THEN",
    "UNION",
    "VAR",
    "WHEN",
    "WHERE",
    "WHILE",
    "WITNESS",
    "bool",
    "mod",
    "not",
    "or",
    "rec",
    "skip",
    "struct",
];

/// Constants written as a word.
pub const CONSTANTS: &[(&str, Constant)] = &[
    ("TRUE", Constant::True),
    ("FALSE", Constant::False),
    ("btrue", Constant::Truth),
    ("bfalse", Constant::Falsity),
    ("BOOL", Constant::BoolSet),
    ("INTEGER", Constant::Integer),
    ("NATURAL", Constant::Natural),
    ("NATURAL1", Constant::Natural1),
    ("INT", Constant::Int),
    ("NAT", Constant::Nat),
    ("NAT1", Constant::Nat1),
    ("MAXINT", Constant::MaxInt),
    ("MININT", Constant::MinInt),
    ("STRING", Constant::String),
    ("REAL", Constant::Real),
    ("FLOAT", Constant::Float),
];

/// Keyword functions: reserved, applied or alone.
pub const FUNCTIONS: &[(&str, Builtin)] = &[
    ("POW", Builtin::Pow),
    ("POW1", Builtin::Pow1),
    ("FIN", Builtin::Fin),
    ("FIN1", Builtin::Fin1),
    ("card", Builtin::Card),
    ("dom", Builtin::Dom),
    ("ran", Builtin::Ran),
    ("id", Builtin::Id),
    ("union", Builtin::Union),
    ("inter", Builtin::Inter),
    ("max", Builtin::Max),
    ("min", Builtin::Min),
    ("succ", Builtin::Succ),
    ("pred", Builtin::Pred),
    ("prj1", Builtin::Prj1),
    ("prj2", Builtin::Prj2),
    ("closure", Builtin::Closure),
    ("closure1", Builtin::Closure1),
    ("iterate", Builtin::Iterate),
    ("fnc", Builtin::Fnc),
    ("rel", Builtin::Rel),
    ("seq", Builtin::Seq),
    ("seq1", Builtin::Seq1),
    ("iseq", Builtin::Iseq),
    ("iseq1", Builtin::Iseq1),
    ("perm", Builtin::Perm),
    ("size", Builtin::Size),
    ("rev", Builtin::Rev),
    ("conc", Builtin::Conc),
    ("first", Builtin::First),
    ("last", Builtin::Last),
    ("front", Builtin::Front),
    ("tail", Builtin::Tail),
];

/// Functions on reals and trees: ordinary identifiers unless they are applied.
pub const SOFT: &[(&str, Builtin)] = &[
    ("real", Builtin::Real),
    ("floor", Builtin::Floor),
    ("ceiling", Builtin::Ceiling),
    ("tree", Builtin::Tree),
    ("btree", Builtin::Btree),
    ("const", Builtin::Const),
    ("top", Builtin::Top),
    ("sons", Builtin::Sons),
    ("prefix", Builtin::Prefix),
    ("postfix", Builtin::Postfix),
    ("sizet", Builtin::Sizet),
    ("mirror", Builtin::Mirror),
    ("rank", Builtin::Rank),
    ("father", Builtin::Father),
    ("son", Builtin::Son),
    ("subtree", Builtin::Subtree),
    ("arity", Builtin::Arity),
    ("bin", Builtin::Bin),
    ("left", Builtin::Left),
    ("right", Builtin::Right),
    ("infix", Builtin::Infix),
];

/// Punctuation that is no infix operator.
const PUNCTUATION: &[&str] = &[
    "==", ":=", "::", "<--", "|", ".", "(", ")", "{", "}", "[", "]", "~", "'", "!", "#", "%", "@",
    "<>",
];

/// Unicode symbols that are no infix operators, with the token each stands for.
pub const SYMBOLS: &[(&str, &str)] = &[
    ("\u{00AC}", "not"),
    ("\u{2200}", "!"),
    ("\u{2203}", "#"),
    ("\u{00B7}", "."),
    ("\u{22C5}", "."),
    ("\u{2022}", "."),
    ("\u{2223}", "|"),
    ("\u{22A4}", "btrue"),
    ("\u{22A5}", "bfalse"),
    ("\u{2205}", "\u{2205}"),
    ("\u{2119}", "POW"),
    ("\u{2119}1", "POW1"),
    ("\u{2119}\u{2081}", "POW1"),
    ("\u{2115}", "NATURAL"),
    ("\u{2115}1", "NATURAL1"),
    ("\u{2115}\u{2081}", "NATURAL1"),
    ("\u{2124}", "INTEGER"),
    ("\u{211D}", "REAL"),
    ("\u{1D539}", "BOOL"),
    ("\u{22C3}", "UNION"),
    ("\u{22C2}", "INTER"),
    ("\u{2211}", "SIGMA"),
    ("\u{220F}", "PI"),
    ("\u{03BB}", "%"),
    ("\u{1D706}", "%"),
    ("\u{223C}", "~"),
    ("\u{207B}\u{00B9}", "~"),
    ("\u{2254}", ":="),
    (":\u{2208}", "::"),
    ("\u{2190}", "<--"),
];

/// Every fixed spelling with the token it stands for. A Unicode spelling of an infix operator gives
/// the ASCII one, unless its operands are exchanged.
static FIXED: LazyLock<FxHashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let mut map = FxHashMap::default();
    let words = CLAUSES.iter().chain(OTHER).copied();
    let words = words.chain(CONSTANTS.iter().map(|c| c.0)).chain(FUNCTIONS.iter().map(|f| f.0));
    map.extend(words.chain(PUNCTUATION.iter().copied()).map(|w| (w, w)));
    map.extend(SYMBOLS.iter().copied());
    for row in operators::TABLE.iter().filter(|r| r.ascii != "circ") {
        map.insert(row.ascii, row.ascii);
        map.extend(row.unicode.iter().map(|s| (*s, row.ascii)));
        map.extend(row.reversed.iter().map(|s| (*s, *s)));
    }
    map.extend(operators::of(super::ast::BinaryOp::Backward).unicode.iter().map(|s| (*s, "circ")));
    map
});

static CONSTANT_MAP: LazyLock<FxHashMap<&'static str, Constant>> =
    LazyLock::new(|| CONSTANTS.iter().copied().collect());
static FUNCTION_MAP: LazyLock<FxHashMap<&'static str, Builtin>> =
    LazyLock::new(|| FUNCTIONS.iter().copied().collect());
static SOFT_MAP: LazyLock<FxHashMap<&'static str, Builtin>> =
    LazyLock::new(|| SOFT.iter().copied().collect());

/// The token a reserved word or symbol stands for; `None` for ordinary identifiers.
pub fn fixed(spelling: &str) -> Option<&'static str> {
    FIXED.get(spelling).copied()
}

pub fn constant(word: &str) -> Option<Constant> {
    CONSTANT_MAP.get(word).copied()
}

pub fn function(word: &str) -> Option<Builtin> {
    FUNCTION_MAP.get(word).copied()
}

pub fn soft_function(word: &str) -> Option<Builtin> {
    SOFT_MAP.get(word).copied()
}

/// The spelling of a keyword function.
pub fn function_name(builtin: Builtin) -> &'static str {
    FUNCTIONS.iter().chain(SOFT).find(|(_, b)| *b == builtin).map_or("", |(name, _)| name)
}

/// The spelling of a constant that is a word or a pair of brackets.
pub fn constant_name(constant: Constant) -> &'static str {
    match constant {
        Constant::EmptySet => "{}",
        Constant::EmptySequence => "[]",
        Constant::Function(builtin) => function_name(builtin),
        _ => CONSTANTS.iter().find(|(_, c)| *c == constant).map_or("", |(name, _)| name),
    }
}

/// Whether a file of a machine begins with this word.
pub fn is_head(word: &str) -> bool {
    matches!(word, "MACHINE" | "MODEL" | "SYSTEM" | "REFINEMENT" | "IMPLEMENTATION")
}

pub fn is_clause(word: &str) -> bool {
    is_in_capitals(word) && CLAUSES.contains(&word)
}

/// As the words of clauses and of substitutions are, and few others.
pub fn is_in_capitals(word: &str) -> bool {
    word.as_bytes().first().is_some_and(u8::is_ascii_uppercase)
}

/// Shorter or other names of clauses, and what they are called here.
const SHORT: &[(&str, &str)] = &[
    ("AXIOMS", "PROPERTIES"),
    ("ELSEIF", "ELSIF"),
    ("INIT", "INITIALISATION"),
    ("INITIALISE", "INITIALISATION"),
    ("INITIALIZE", "INITIALISATION"),
    ("PROPERTY", "PROPERTIES"),
    ("SET", "SETS"),
];

/// Reserved words that are no clauses: keywords, constants and functions.
pub fn reserved() -> impl Iterator<Item = &'static str> {
    let constants = CONSTANTS.iter().map(|c| c.0).chain(FUNCTIONS.iter().map(|f| f.0));
    OTHER.iter().copied().chain(constants)
}

/// The upper-case keyword that an identifier may have been meant to be: the same letters in another
/// case, or, for words of five letters and more, at most two edits away.
pub fn misspelled(identifier: &str) -> Option<&'static str> {
    if !(2..=24).contains(&identifier.len()) || !identifier.is_ascii() {
        return None;
    }
    let upper = identifier.to_ascii_uppercase();
    if let Some((_, word)) = SHORT.iter().find(|(short, _)| *short == upper) {
        return Some(word);
    }
    let keywords = || CLAUSES.iter().chain(&OTHER[..OTHER.len() - 7]).copied();
    if upper != identifier
        && let Some(word) = keywords().find(|k| *k == upper)
    {
        return Some(word);
    }
    keywords()
        .filter(|k| k.len() >= 5 && identifier.len() >= 4)
        .map(|k| (distance(k.as_bytes(), upper.as_bytes()), k))
        .filter(|(d, _)| *d <= 2)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// Levenshtein's distance of two short words.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_keywords_are_recognised() {
        assert_eq!(misspelled("INVARIENT"), Some("INVARIANT"));
        assert_eq!(misspelled("operations"), Some("OPERATIONS"));
        assert_eq!(misspelled("then"), Some("THEN"));
        assert_eq!(misspelled("xx"), None);
        assert_eq!(misspelled("counter"), None);
    }
}
