//! What external functions ask of their arguments, for the message where these are others.

/// The message for each of these functions.
macro_rules! domains {
    ($name:expr, $($function:literal $asked:literal)*) => {
        match $name {
            $($function => Some(concat!($function, " refuses its arguments (it ", $asked, ")")),)*
            _ => None,
        }
    };
}

/// In words; for those that refuse nothing but what is too long, that they have failed.
pub(super) fn asked_by(name: &str) -> &'static str {
    match name {
        "ASSERT_TRUE" | "ASSERT_EXPR" => "what is asserted is FALSE",
        "FDIV" | "CDIV" => "division by zero",
        "ARGV" => "there are no arguments on the command line",
        "RDIV" | "RPOW" | "RLOG" | "RLOGe" | "REXP" | "RSQRT" | "RASIN" | "RACOS" | "RCOT"
        | "RNEXT" | "RPREV" => "the result is no real number that can be held",
        _ => domain(name).unwrap_or("external function failed"),
    }
}

fn domain(name: &str) -> Option<&'static str> {
    domains! { name,
        "STRING_TO_INT" "takes digits, with or without a sign"
        "DEC_STRING_TO_INT" "takes a decimal number, and an exponent from -10000 to 10000"
        "REAL_TO_DEC_STRING" "takes a number of digits from 0 to 1100"
        "INT_TO_DEC_STRING" "takes an exponent from -10000 to 10000"
        "STRING_PADLEFT" "takes a length from 0 to 4194304 and one character to fill up with"
        "FORMAT_TO_STRING" "takes `~w`, `~p`, `~i`, `~n`, `~N` and `~~`, with a value for each of the first three"
        "STRING_TO_ENUM" "takes the name of an element of the set that is wanted there"
        "TYPED_STRING_TO_ENUM" "takes a set and the name of one of its elements"
        "STRING_CONC" "takes a sequence of strings"
        "STRING_JOIN" "takes a sequence of strings"
        "CODES_TO_STRING" "takes a sequence of codes of characters"
        "CHOOSE" "takes a set that has a member"
        "random_element" "takes a set that has a member"
        "MAXIMIZE" "takes a set that has a member"
        "MINIMIZE" "takes a set that has a member"
        "MU" "takes a set of one member"
        "SQUASH" "takes a function on integers"
        "REPLACE" "takes a sequence and a place in it"
        "random_permutation" "takes a sequence"
        "RANDOM" "takes a lower bound below the upper one"
        "NORMAL" "takes a deviation that can be held"
        "random_numset" "takes as many numbers as there are between the bounds, or fewer"
        "MSB" "takes a positive integer"
        "FACT" "takes a number from 0 to 5000"
        "FACTORIAL" "takes a number from 0 to 5000"
        "CHOOSE_NK" "takes natural numbers, the first of them at most 5000"
        "ISQRT" "takes a natural number"
        "BLSHIFT" "makes numbers of 2^24 bits at most"
        "SINx" "takes a positive precision, where the result can be held"
        "COSx" "takes a positive precision, where the result can be held"
        "TANx" "takes a positive precision, where the result can be held"
        "LOGx" "takes positive numbers"
        "PROLOG_FUN" "takes the name of a function on reals, a positive precision, and an argument that has a value"
        "PROJECT_STATISTICS" "knows `constants`, `variables`, `properties`, `invariants` and `operations`"
        "REGEX_SEARCH" "takes a place from 1 on, and a regular expression without back references and look-ahead"
        "REGEX_ISEARCH" "takes a place from 1 on, and a regular expression without back references and look-ahead"
        "REGEX_MATCH" "takes a regular expression without back references and look-ahead"
        "REGEX_IMATCH" "takes a regular expression without back references and look-ahead"
        "REGEX_REPLACE" "takes a regular expression without back references and look-ahead"
        "REGEX_IREPLACE" "takes a regular expression without back references and look-ahead"
        "REGEX_SEARCH_STR" "takes a regular expression without back references and look-ahead"
        "REGEX_ISEARCH_STR" "takes a regular expression without back references and look-ahead"
        "REGEX_SEARCH_ALL" "takes a regular expression without back references and look-ahead"
        "REGEX_ISEARCH_ALL" "takes a regular expression without back references and look-ahead"
        "READ_XML_FROM_STRING" "takes well-formed XML"
        "WRITE_XML_TO_STRING" "takes a sequence of elements, each within one before it"
        "TIMESTAMP" "takes a date and a time of day that there are"
        "TIMESTAMP_INFO" "knows `year`, `month`, `day`, `hour`, `minute` and `second`"
        "UNSAT_CORE" "takes a function that is FALSE for the whole set"
        "MAX_SAT" "takes a function that is TRUE for the empty set"
        "FILE_PROPERTY" "knows `readable`, `writable`, `searchable` and `executable`"
        "DIRECTORY_PROPERTY" "knows `readable`, `writable`, `searchable` and `executable`"
        "FILE_PROPERTY_VALUE" "knows `size_in_bytes`, `modify_timestamp`, `create_timestamp` and `access_timestamp`"
        "DIRECTORY_PROPERTY_VALUE" "knows `size_in_bytes`, `modify_timestamp`, `create_timestamp` and `access_timestamp`"
    }
}
