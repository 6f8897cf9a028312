//! What external functions ask of their arguments, for the message where these are others.

/// In words; for those that refuse nothing but what is too long, too, that they have failed.
pub(super) fn asked_by(name: &str) -> &'static str {
    match name {
        "ASSERT_TRUE" | "ASSERT_EXPR" => "what is asserted is FALSE",
        "STRING_TO_INT" => {
            "STRING_TO_INT refuses its arguments (it takes digits, with or without a sign)"
        }
        "DEC_STRING_TO_INT" => {
            "DEC_STRING_TO_INT refuses its arguments (it takes a decimal number, and an exponent from -10000 to 10000)"
        }
        "INT_TO_DEC_STRING" => {
            "INT_TO_DEC_STRING refuses its arguments (it takes an exponent from -10000 to 10000)"
        }
        "STRING_PADLEFT" => {
            "STRING_PADLEFT refuses its arguments (it takes a length from 0 to 4194304 and one character to fill up with)"
        }
        "FORMAT_TO_STRING" => {
            "FORMAT_TO_STRING refuses its arguments (it takes a format of `~w`, `~p`, `~i`, `~n`, `~N` and `~~`, with a value for each \
             of the first three)"
        }
        "STRING_CONC" | "STRING_JOIN" => {
            "this function refuses its arguments (it takes a sequence of strings)"
        }
        "CODES_TO_STRING" => {
            "CODES_TO_STRING refuses its arguments (it takes a sequence of codes of characters)"
        }
        "CHOOSE" | "random_element" => "the empty set has no member to choose",
        "MAXIMIZE" | "MINIMIZE" => "the empty set has no best member",
        "MU" => "MU refuses its arguments (it takes a set of one member)",
        "SQUASH" => "SQUASH refuses its arguments (it takes a function on integers)",
        "REPLACE" => "REPLACE refuses its arguments (it takes a sequence and a place in it)",
        "random_permutation" => "random_permutation refuses its arguments (it takes a sequence)",
        "RANDOM" => "RANDOM refuses its arguments (it takes a lower bound below the upper one)",
        "NORMAL" => "NORMAL refuses its arguments (it takes a deviation that can be held)",
        "random_numset" => {
            "random_numset refuses its arguments (it takes as many numbers as there are between the bounds, or fewer)"
        }
        "MSB" => "MSB refuses its arguments (it takes a positive integer)",
        "FACT" | "FACTORIAL" => "this has no factorial (it takes a number from 0 to 5000)",
        "CHOOSE_NK" => {
            "CHOOSE_NK refuses its arguments (it takes natural numbers, the first of them at most 5000)"
        }
        "FDIV" | "CDIV" => "division by zero",
        "ISQRT" => "ISQRT refuses its arguments (it takes a natural number)",
        "BLSHIFT" => "BLSHIFT refuses its arguments (it makes numbers of 2^24 bits at most)",
        "SINx" | "COSx" | "TANx" => {
            "this function refuses its arguments (it takes a positive precision, where its result can be held)"
        }
        "LOGx" => "LOGx refuses its arguments (it takes positive numbers)",
        "PROLOG_FUN" => {
            "PROLOG_FUN refuses its arguments (it takes the name of a function on real numbers, a positive precision, and an argument \
             for which it has a value)"
        }
        "ARGV" => "there are no arguments on the command line",
        "PROJECT_STATISTICS" => {
            "PROJECT_STATISTICS refuses its arguments (it knows `constants`, `variables`, `properties`, `invariants` and `operations`)"
        }
        "REGEX_SEARCH" | "REGEX_ISEARCH" => {
            "this function refuses its arguments (it takes a place from 1 on and a regular expression without back references \
             and look-ahead)"
        }
        _ if name.starts_with("REGEX_") => {
            "this function refuses its arguments (it takes a regular expression without back references and look-ahead)"
        }
        "READ_XML_FROM_STRING" => "the text is no well-formed XML",
        "WRITE_XML_TO_STRING" => {
            "WRITE_XML_TO_STRING refuses its arguments (it takes a sequence of elements, each within one before it)"
        }
        "TIMESTAMP" => {
            "TIMESTAMP refuses its arguments (it takes a date and a time of day that there are)"
        }
        "TIMESTAMP_INFO" => {
            "TIMESTAMP_INFO refuses its arguments (it knows `year`, `month`, `day`, `hour`, `minute` and `second`)"
        }
        "UNSAT_CORE" => {
            "UNSAT_CORE refuses its arguments (it takes a function that is FALSE for the whole set)"
        }
        "MAX_SAT" => {
            "MAX_SAT refuses its arguments (it takes a function that is TRUE for the empty set)"
        }
        "FILE_PROPERTY" | "DIRECTORY_PROPERTY" => {
            "this is none of the properties (`readable`, `writable`, `searchable` and `executable`)"
        }
        "FILE_PROPERTY_VALUE" | "DIRECTORY_PROPERTY_VALUE" => {
            "this is none of the figures (`size_in_bytes`, `modify_timestamp`, `create_timestamp` and `access_timestamp`)"
        }
        "RDIV" | "RPOW" | "RLOG" | "RLOGe" | "REXP" | "RSQRT" | "RASIN" | "RACOS" | "RCOT" => {
            "the result is no real number that can be held"
        }
        _ => "external function failed",
    }
}
