//! Names of preferences that machines set with `SET_PREF_` definitions. Few of them mean anything
//! here; the others are known, so that a slip in a name can be told from a setting of another tool.

/// Those that say, by `TRUE` or `FALSE`, what a machine may do and how it is read, each with a short name and what it is for.
pub const SWITCHES: [(&str, &str, &str); 3] = [
    ("ALLOW_LOCAL_OPERATION_CALLS", "local calls", "operations call others of the same machine"),
    ("ALLOW_SIMULTANEOUS_ASSIGNMENTS", "joint writes", "parts of a || write one variable"),
    ("SYMBOLIC", "symbolic", "constants are kept by what describes them"),
];

/// Whether a preference is one of [`SWITCHES`].
pub fn is_switch(name: &str) -> bool {
    SWITCHES.iter().any(|(own, ..)| *own == name)
}

/// What the last that sets a switch says, if one does.
pub fn switched<'a>(
    set: impl DoubleEndedIterator<Item = (&'a str, &'a str)>,
    name: &str,
) -> Option<bool> {
    set.rev().find(|(own, _)| *own == name).map(|(_, value)| value.trim() == "TRUE")
}

/// Preferences by which tools for B are configured, in alphabetical order.
const KNOWN: &[&str] = &[
    "ALLOW_COMPLEX_LETS",
    "ALLOW_INCOMPLETE_SETUP_CONSTANTS",
    "ALLOW_LOCAL_OPERATION_CALLS",
    "ALLOW_NEW_OPERATIONS_IN_REFINEMENT",
    "ALLOW_OPERATION_CALLS_FOR_USES",
    "ALLOW_OPERATION_CALLS_IN_EXPRESSIONS",
    "ALLOW_OUTPUT_READING",
    "ALLOW_REALS",
    "ALLOW_SIMULTANEOUS_ASSIGNMENTS",
    "ALLOW_UNTYPED_IDENTIFIERS",
    "ASSERT_CHECKING",
    "AUTO_DETECT_THEORY_MAPPING",
    "BBRESULTS",
    "BOOL_AS_PREDICATE",
    "BUGLY",
    "CACHE_OPERATIONS",
    "CBC_PROVIDE_EXPLANATIONS",
    "CHR",
    "CLPFD",
    "COMPILE_WHILE",
    "COMPRESSION",
    "CSE",
    "CSE_PRED",
    "CSE_SUBST",
    "CSE_WD_ONLY",
    "CSP_STRIP_SOURCE_LOC",
    "DATA_VALIDATION",
    "DEFAULT_SETSIZE",
    "DETECT_LAMBDAS",
    "DISPROVER_MODE",
    "DOT",
    "DOUBLE_EVALUATION",
    "EDITOR",
    "EDITOR_GUI",
    "ENUMERATE_INFINITE_TYPES",
    "ENUMERATION_ORDER_ANALYSIS",
    "EXPAND_CLOSURES_FOR_STATE",
    "EXPAND_FORALL_UPTO",
    "FILTER_UNUSED",
    "FORGET_STATE_SPACE",
    "IGNORE_HASH_COLLISIONS",
    "IGNORE_PRJ_TYPES",
    "INTERNAL_ARGUMENT_PREFIX",
    "INVARIANT_CHECKING",
    "JAVA_PATH",
    "KODKOD",
    "LIFT_EXISTS",
    "LTL_SAFETY_MODEL_CHECK",
    "LTSMIN",
    "MAXINT",
    "MAX_DISPLAY_SET",
    "MAX_INITIALISATIONS",
    "MAX_OPERATIONS",
    "MAX_TRACES",
    "MC_DC_Level",
    "MEMO",
    "MEMOIZE_FUNCTIONS",
    "MINIMAL_TEST_SUITES",
    "MININT",
    "NDJSON_ERROR_LOG_FILE",
    "NORMALIZE_AST",
    "NUMBER_OF_ANIMATED_ABSTRACTIONS",
    "OPERATION_REUSE",
    "OPTIMIZE_AST",
    "PARTITION_PROPERTIES",
    "PARTITION_PROPERTIES_INLINE",
    "PERFORMANCE_INFO",
    "PERFORMANCE_INFO_LIMIT",
    "PGE",
    "PROOF_INFO",
    "RAISE_ABORT_IMMEDIATELY",
    "RANDOMISED_RESTART_INIT",
    "RANDOMISE_ENUMERATION_ORDER",
    "RANDOMISE_OPERATION_ORDER",
    "RECURSIVE",
    "REMOVE_IMPLIED_CONSTRAINTS",
    "REQUIRE_OUTPUT_ASSIGNMENT",
    "SAFETY_MODEL_CHECK",
    "SAT_SUPPORTED_INTERPRETER",
    "SHOW_EVENTB_ANY_VALUES",
    "SMT",
    "SMT_SUPPORTED_INTERPRETER",
    "SOLVER_STRENGTH",
    "STATIC_ORDERING",
    "STATIC_SYMMETRY_DETECTION",
    "STRICT_CLASH_CHECKING",
    "STRICT_RAISE_ENUM_WARNINGS",
    "STRICT_RAISE_WARNINGS",
    "STRING_AS_SEQUENCE",
    "SYMBOLIC",
    "SYMBOLIC_MC_TRY_OTHER_SOLVERS",
    "SYMMETRY_MODE",
    "SYNTAX_HIGHLIGHT",
    "TABLE_COLUMN_LIMIT",
    "TIME_OUT",
    "TLC_WORKERS",
    "TRACES_TIME_OUT",
    "TRACE_INFO",
    "TRACE_UPON_ERROR",
    "TRY_ATELIERB_PROVERS",
    "TRY_FIND_ABORT",
    "TYPE_CHECK_DEFINITIONS",
    "USELESS_CODE_ELIMINATION",
    "USE_IGNORE_PRAGMAS",
    "USE_RECORD_CONSTRUCTION",
    "USE_SCOPE_DEFINITION",
    "WARN_IF_DEFINITION_HIDES_VARIABLE",
    "WD_ANALYSIS_FOR_ANIMATION",
    "WD_IGNORE_EXTERNAL",
    "WD_IGNORE_FINITE_POS",
    "XML_ENCODING",
    "Z3_SOLVE_FOR_ANIMATION",
];

/// Groups of preferences that steer how something is shown or translated, by how they begin.
const GROUPS: &[&str] = &[
    "ALLOY_",
    "ATELIERB_",
    "DOT_",
    "JVM_",
    "KODKOD_",
    "LATEX_",
    "PP_",
    "PROB2_",
    "PROB_",
    "REPL_",
    "SHOW_FORMULA_",
    "SMTLIB_",
    "TK_",
];

/// Whether some tool has a preference of this name.
pub fn is_known(name: &str) -> bool {
    KNOWN.binary_search(&name).is_ok() || GROUPS.iter().any(|group| name.starts_with(group))
}

/// All names, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted() {
        assert!(KNOWN.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(KNOWN.iter().all(|name| is_known(name)));
        assert!(is_known("TK_CUSTOM_STATE_VIEW_PADDING"));
        assert!(!is_known("MAXIMT") && !is_known("maxint"));
    }
}
