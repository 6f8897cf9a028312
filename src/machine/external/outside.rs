//! The functions that ask for something outside: files, or the moment.

use super::table::{
    CHECKS, DOCUMENT, INT, MARKUP, META, OUTPUT, OWN, STR, T, apart, function, predicate,
};
use super::{Signature, Sort};

const FILES: &str = "LibraryFiles.def";
const TABLES: &str = "LibraryCSV.def";
const HASHES: &str = "LibraryHash.def";
const NAMES: Sort = Sort::Set(&STR);
const LINES: Sort = Sort::Sequence(&STR);

/// What reads files below the folder of the machine.
pub(super) static OUTSIDE: &[Signature] = &[
    apart(function(TABLES, "READ_CSV", &[STR], T)),
    apart(function(TABLES, "READ_CSV", &[STR, Sort::Bool, Sort::Bool], T)),
    apart(function(
        TABLES,
        "READ_CSV_SEQUENCE",
        &[STR, Sort::Bool, Sort::Bool],
        Sort::Sequence(&T),
    )),
    function(TABLES, "READ_CSV_STRINGS", &[STR], Sort::Sequence(&Sort::Relation(&STR, &STR))),
    // Nothing is written, as nothing is printed.
    predicate(TABLES, "WRITE_CSV", &[T, STR]),
    function(MARKUP, "READ_XML", &[STR, STR], DOCUMENT),
    function(MARKUP, "READ_XML", &[STR], DOCUMENT),
    predicate(MARKUP, "WRITE_XML", &[DOCUMENT, STR]),
    function(HASHES, "SHA_HASH_FILE_HEX", &[STR], STR),
    function(FILES, "FILES", &[STR], NAMES),
    function(FILES, "FULL_FILES", &[STR], NAMES),
    function(FILES, "DIRECTORIES", &[STR], NAMES),
    function(FILES, "FULL_DIRECTORIES", &[STR], NAMES),
    predicate(FILES, "FILE_EXISTS", &[STR]),
    predicate(FILES, "FILE_PROPERTY", &[STR, STR]),
    function(FILES, "FILE_PROPERTY_VALUE", &[STR, STR], INT),
    predicate(FILES, "DIRECTORY_EXISTS", &[STR]),
    predicate(FILES, "DIRECTORY_PROPERTY", &[STR, STR]),
    function(FILES, "DIRECTORY_PROPERTY_VALUE", &[STR, STR], INT),
    function(OUTPUT, "READ_FILE_AS_STRINGS", &[STR], LINES),
    // What these give depends on what was read before, or on the moment.
    predicate(OUTPUT, "SEE", &[STR]),
    predicate(OUTPUT, "SEEN", &[STR]),
    function(OUTPUT, "GET_CODE", &[STR], INT),
    function(OUTPUT, "GET_CODE_STDIN", &[], INT),
    function(OUTPUT, "READ_LINE", &[STR], STR),
    predicate(OUTPUT, "EOF", &[STR]),
    predicate(OUTPUT, "EOF_STDIN", &[STR]),
    function(OUTPUT, "CURRENT_FILE_POSITION", &[STR, STR], INT),
    function(OUTPUT, "TIME", &[STR], INT),
    function(OUTPUT, "DELTA_WALLTIME", &[], INT),
    function(OWN, "GET_INFO", &[STR], STR),
    // What these give depends on the search, on how values are found, or on the program that runs it.
    predicate(CHECKS, "IS_DETERMINED", &[T]),
    predicate(META, "STATE_SUCC", &[INT, INT]),
    predicate(META, "STATE_TRANS", &[INT, STR, INT]),
    function(META, "CURRENT_STATE_ID", &[], INT),
    function(META, "STATE_AS_STRING", &[INT], STR),
    function(META, "HISTORY", &[], Sort::Sequence(&INT)),
    function(META, "PROJECT_INFO", &[STR], NAMES),
    function(META, "MACHINE_INFO", &[STR, STR], STR),
    function(META, "PROB_INFO_STR", &[STR], STR),
    function(META, "PROB_INFO_INT", &[STR], INT),
    function(META, "PROB_STATISTICS", &[STR], INT),
    function(META, "GET_PREF", &[STR], STR),
    function(META, "GET_PREF_DEFAULT", &[STR], STR),
    function(META, "GET_IS_ENABLED", &[STR], Sort::Bool),
];
