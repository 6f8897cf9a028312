//! What is known: the functions that depend on nothing but their arguments.

use super::{Signature, Sort, Treats};

pub(super) const INT: Sort = Sort::Integer;
pub(super) const STR: Sort = Sort::String;
const REAL: Sort = Sort::Real;
pub(super) const T: Sort = Sort::Any(0);

pub(super) const fn function(
    library: &'static str,
    name: &'static str,
    parameters: &'static [Sort],
    result: Sort,
) -> Signature {
    Signature { name, library, parameters, result, predicate: false, treats: Treats::Alike }
}

pub(super) const fn predicate(
    library: &'static str,
    name: &'static str,
    parameters: &'static [Sort],
) -> Signature {
    let result = Sort::Bool;
    Signature { name, library, parameters, result, predicate: true, treats: Treats::Alike }
}

pub(super) const fn apart(signature: Signature) -> Signature {
    Signature { treats: Treats::Apart, ..signature }
}

/// What a search for a regular expression finds.
const FOUND: Sort = Sort::Record(&[
    ("length", INT),
    ("position", INT),
    ("string", STR),
    ("submatches", Sort::Sequence(&STR)),
]);
/// The elements of a document, each with its number and that of the one it stands in.
pub(super) const DOCUMENT: Sort = Sort::Sequence(&Sort::Record(&[
    ("attributes", Sort::Relation(&STR, &STR)),
    ("element", STR),
    ("meta", Sort::Relation(&STR, &STR)),
    ("pId", INT),
    ("recId", INT),
]));

const STRINGS: &str = "LibraryStrings.def";
const CHOICE: &str = "CHOOSE.def";
const ORDER: &str = "SORT.def";
const COMPONENTS: &str = "SCCS.def";
const PATTERNS: &str = "LibraryRegex.def";
const HASHES: &str = "LibraryHash.def";
const CHANCE: &str = "LibraryRandom.def";
pub(super) const MARKUP: &str = "LibraryXML.def";
pub(super) const OUTPUT: &str = "LibraryIO.def";
const NUMBERS: &str = "LibraryMath.def";
const REALS: &str = "LibraryReals.def";
const BITS: &str = "LibraryBits.def";
pub(super) const META: &str = "LibraryMeta.def";
pub(super) const CHECKS: &str = "LibraryProB.def";
pub(super) const OWN: &str = "";

/// The functions that depend on nothing but their arguments.
pub(super) static TABLE: &[Signature] = &[
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
    function(STRINGS, "REAL_TO_DEC_STRING", &[REAL, INT], STR),
    function(STRINGS, "STRING_PADLEFT", &[STR, INT, STR], STR),
    apart(function(STRINGS, "TO_STRING", &[T], STR)),
    // The text of the argument is known where it is typed.
    apart(function(STRINGS, "STRINGIFY", &[T], STR)),
    apart(function(STRINGS, "STRING_TO_ENUM", &[STR], T)),
    apart(function(STRINGS, "TYPED_STRING_TO_ENUM", &[Sort::Set(&T), STR], T)),
    apart(function(STRINGS, "FORMAT_TO_STRING", &[STR, Sort::Sequence(&T)], STR)),
    apart(function(CHOICE, "CHOOSE", &[Sort::Set(&T)], T)),
    function(CHOICE, "MU", &[Sort::Set(&T)], T),
    apart(function(ORDER, "SORT", &[Sort::Set(&T)], Sort::Sequence(&T))),
    function(ORDER, "REPLACE", &[Sort::Sequence(&T), INT, T], Sort::Sequence(&T)),
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
    predicate(OUTPUT, "tobserve", &[T]),
    predicate(OUTPUT, "tprintf", &[STR, T]),
    predicate(OUTPUT, "ENUMERATE", &[T]),
    predicate(OUTPUT, "SET_PREF", &[STR, STR]),
    predicate(OUTPUT, "ADD_ERROR", &[STR, T]),
    predicate(OUTPUT, "ADD_STATE_ERROR", &[STR, T]),
    predicate(OUTPUT, "ADD_WARNING", &[STR, T]),
    predicate(OUTPUT, "ADD_MESSAGE", &[STR, T]),
    predicate(OWN, "PRINT_BT", &[T]),
    predicate(OWN, "DEBUG_PRINT_STATE", &[T]),
    predicate(OWN, "TRACE", &[Sort::Bool]),
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
    function(CHECKS, "FORCE", &[T], T),
    function(CHECKS, "COPY", &[T], T),
    // All values are determined here.
    predicate(CHECKS, "CHECK_DET", &[T]),
    // Nothing is written.
    predicate(CHECKS, "IS_DETERMINED_INTO_FILE", &[STR, STR, T]),
    function(NUMBERS, "ABS", &[INT], INT),
    function(NUMBERS, "SIGN", &[INT], INT),
    function(NUMBERS, "GCD", &[INT, INT], INT),
    function(NUMBERS, "LCM", &[INT, INT], INT),
    function(NUMBERS, "MSB", &[INT], INT),
    function(NUMBERS, "FACT", &[INT], INT),
    function(NUMBERS, "ISQRT", &[INT], INT),
    function(NUMBERS, "FACTORIAL", &[INT], INT),
    function(NUMBERS, "CHOOSE_NK", &[INT, INT], INT),
    function(NUMBERS, "FDIV", &[INT, INT], INT),
    function(NUMBERS, "CDIV", &[INT, INT], INT),
    function(NUMBERS, "SIN", &[INT], INT),
    function(NUMBERS, "COS", &[INT], INT),
    function(NUMBERS, "TAN", &[INT], INT),
    function(NUMBERS, "SINx", &[INT, INT], INT),
    function(NUMBERS, "COSx", &[INT, INT], INT),
    function(NUMBERS, "TANx", &[INT, INT], INT),
    function(NUMBERS, "LOGx", &[INT, INT, INT], INT),
    function(REALS, "RPI", &[], REAL),
    function(REALS, "REULER", &[], REAL),
    function(REALS, "RZERO", &[], REAL),
    function(REALS, "RONE", &[], REAL),
    function(REALS, "REPSILON", &[], REAL),
    function(REALS, "RMAXFLOAT", &[], REAL),
    function(REALS, "RNEXT", &[REAL], REAL),
    function(REALS, "RPREV", &[REAL], REAL),
    function(REALS, "RADD", &[REAL, REAL], REAL),
    function(REALS, "RSUB", &[REAL, REAL], REAL),
    function(REALS, "RMUL", &[REAL, REAL], REAL),
    function(REALS, "RDIV", &[REAL, REAL], REAL),
    function(REALS, "RPOW", &[REAL, REAL], REAL),
    function(REALS, "RMAX", &[REAL, REAL], REAL),
    function(REALS, "RMIN", &[REAL, REAL], REAL),
    function(REALS, "RLOG", &[REAL, REAL], REAL),
    function(REALS, "RLOGe", &[REAL], REAL),
    function(REALS, "REXP", &[REAL], REAL),
    function(REALS, "RSQRT", &[REAL], REAL),
    function(REALS, "RABS", &[REAL], REAL),
    function(REALS, "RSIGN", &[REAL], REAL),
    function(REALS, "RSIN", &[REAL], REAL),
    function(REALS, "RCOS", &[REAL], REAL),
    function(REALS, "RTAN", &[REAL], REAL),
    function(REALS, "RCOT", &[REAL], REAL),
    function(REALS, "RASIN", &[REAL], REAL),
    function(REALS, "RACOS", &[REAL], REAL),
    function(REALS, "RATAN", &[REAL], REAL),
    function(REALS, "RSINH", &[REAL], REAL),
    function(REALS, "RCOSH", &[REAL], REAL),
    function(REALS, "RTANH", &[REAL], REAL),
    function(REALS, "RINTEGER", &[INT], REAL),
    function(REALS, "ROUND", &[REAL], INT),
    predicate(REALS, "RLT", &[REAL, REAL]),
    predicate(REALS, "RGT", &[REAL, REAL]),
    predicate(REALS, "RLEQ", &[REAL, REAL]),
    predicate(REALS, "RGEQ", &[REAL, REAL]),
    function(OWN, "PROLOG_FUN", &[STR, INT, INT], INT),
    function(NUMBERS, "MINIMUM", &[INT, INT], INT),
    function(NUMBERS, "MAXIMUM", &[INT, INT], INT),
    apart(function(OWN, "MAXIMIZE", &[Sort::Set(&T)], T)),
    apart(function(OWN, "MINIMIZE", &[Sort::Set(&T)], T)),
    // Of sets that make a function TRUE: the one that is left, or had, when members are tried in their order.
    apart(function(
        OWN,
        "UNSAT_CORE",
        &[Sort::Relation(&Sort::Set(&T), &Sort::Bool), Sort::Set(&T)],
        Sort::Set(&T),
    )),
    apart(function(
        OWN,
        "MAX_SAT",
        &[Sort::Relation(&Sort::Set(&T), &Sort::Bool), Sort::Set(&T)],
        Sort::Set(&T),
    )),
    function(COMPONENTS, "SCCS", &[Sort::Relation(&T, &T)], Sort::Set(&Sort::Set(&T))),
    function(COMPONENTS, "CLOSURE1", &[Sort::Relation(&T, &T)], Sort::Relation(&T, &T)),
    predicate(PATTERNS, "REGEX_MATCH", &[STR, STR]),
    predicate(PATTERNS, "REGEX_IMATCH", &[STR, STR]),
    predicate(PATTERNS, "IS_REGEX", &[STR]),
    function(PATTERNS, "REGEX_REPLACE", &[STR, STR, STR], STR),
    function(PATTERNS, "REGEX_IREPLACE", &[STR, STR, STR], STR),
    function(PATTERNS, "REGEX_SEARCH_STR", &[STR, STR], STR),
    function(PATTERNS, "REGEX_ISEARCH_STR", &[STR, STR], STR),
    function(PATTERNS, "REGEX_SEARCH", &[STR, INT, STR], FOUND),
    function(PATTERNS, "REGEX_ISEARCH", &[STR, INT, STR], FOUND),
    function(PATTERNS, "REGEX_SEARCH_ALL", &[STR, STR], Sort::Sequence(&STR)),
    function(PATTERNS, "REGEX_ISEARCH_ALL", &[STR, STR], Sort::Sequence(&STR)),
    function(MARKUP, "READ_XML_FROM_STRING", &[STR], DOCUMENT),
    function(MARKUP, "WRITE_XML_TO_STRING", &[DOCUMENT], STR),
    apart(function(HASHES, "HASH", &[T], INT)),
    apart(function(HASHES, "SHA_HASH", &[T], Sort::Sequence(&INT))),
    apart(function(HASHES, "SHA_HASH_HEX", &[T], STR)),
    // Equal arguments give equal results: which, the seed says.
    function(CHANCE, "RANDOM", &[INT, INT], INT),
    function(CHANCE, "NORMAL", &[INT, INT], INT),
    function(CHANCE, "random_numset", &[INT, INT, INT], Sort::Set(&INT)),
    apart(function(CHANCE, "random_element", &[Sort::Set(&T)], T)),
    apart(function(CHANCE, "random_subset", &[Sort::Set(&T)], Sort::Set(&T))),
    apart(function(CHANCE, "random_ordering", &[Sort::Set(&T)], Sort::Sequence(&T))),
    apart(function(CHANCE, "random_permutation", &[Sort::Sequence(&T)], Sort::Sequence(&T))),
    function(OUTPUT, "TIMESTAMP", &[INT, INT, INT, INT, INT, INT], INT),
    function(OUTPUT, "TIMESTAMP_INFO", &[STR, INT], INT),
    apart(predicate(OWN, "LESS", &[T, T])),
    apart(predicate(OWN, "LEQ_SYM", &[T, T])),
    apart(predicate(OWN, "LEQ_SYM_BREAK", &[T, T])),
    apart(predicate(OWN, "LESS_SYM", &[T, T])),
];
