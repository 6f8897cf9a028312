//! External functions and the libraries that declare them.

use super::*;

#[test]
fn strings() {
    all_hold(
        "DEFINITIONS \"LibraryStrings.def\"",
        &[
            "STRING_LENGTH(\"\") = 0",
            "STRING_LENGTH(\"häß\") = 3",
            "STRING_APPEND(\"ab\", \"c\") = \"abc\"",
            "STRING_CONC([\"a\", \"\", \"bc\"]) = \"abc\"",
            "STRING_SPLIT(\"usr/local/lib\", \"/\") = [\"usr\", \"local\", \"lib\"]",
            "STRING_SPLIT(\"\", \".\") = [\"\"]",
            "STRING_SPLIT(\"ab\", \"\") = [\"ab\"]",
            "STRING_JOIN([\"a\", \"b\"], \", \") = \"a, b\"",
            "STRING_JOIN([], \", \") = \"\"",
            "STRING_CHARS(\"ab\") = [\"a\", \"b\"]",
            "STRING_CODES(\"AZ\") = [65, 90]",
            "CODES_TO_STRING([65, 90]) = \"AZ\"",
            "STRING_REV(\"abc\") = \"cba\"",
            "STRING_TO_UPPER(\"aB\") = \"AB\"",
            "STRING_TO_LOWER(\"aB\") = \"ab\"",
            "STRING_TO_UPPER(\"äàöù-ÄÖ\") = \"AAOU-AO\" & STRING_TO_LOWER(\"äàöù-ÄÖ\") = \"aaou-ao\"",
            "STRINGIFY(1+ 2) = \"1 + 2\" & STRINGIFY(1 : NATURAL) = \"1 : NATURAL\"",
            "#(x, t).(x = 7 & t = STRINGIFY(x) & t = \"x\")",
            "SUB_STRING(\"abcdefg\", 2, 3) = \"bcd\"",
            "SUB_STRING(\"abc\", 2, 100) = \"bc\"",
            "SUB_STRING(\"abc\", 0, 2) = \"a\"",
            "SUB_STRING(\"abc\", 9, 1) = \"\"",
            "STRING_REPLACE(\"abab\", \"b\", \"cc\") = \"accacc\"",
            "STRING_CONTAINS_STRING(\"abc\", \"bc\") = TRUE",
            "STRING_CONTAINS_STRING(\"abc\", \"bd\") = FALSE",
            "STRING_EQUAL_CASE_INSENSITIVE(\"aB\", \"Ab\") = TRUE",
            "STRING_IS_INT(\"-12\")",
            "not(STRING_IS_INT(\"1x\"))",
            "STRING_IS_NUMBER(\"1.5\") & STRING_IS_DECIMAL(\"1.5\") & not(STRING_IS_DECIMAL(\"1\"))",
            "STRING_TO_INT(\"-12\") = -12",
            "STRING_TO_INT(\"123456789012345678901234567890\") > 2 ** 64",
            "INT_TO_STRING(-3) = \"-3\"",
            "INT_TO_HEX_STRING(254) = \"fe\"",
            "DEC_STRING_TO_INT(\"1.2\", 2) = 120 & DEC_STRING_TO_INT(\"-1.25\", 1) = -13",
            "DEC_STRING_TO_INT(\".9\", 0) = 1 & DEC_STRING_TO_INT(\"-.25\", 2) = -25",
            "REAL_TO_DEC_STRING(2.5, 3) = \"2.500\" & REAL_TO_DEC_STRING(-0.75, 1) = \"-0.8\"",
            "INT_TO_DEC_STRING(1204, 2) = \"12.04\" & INT_TO_DEC_STRING(-4, 2) = \"-0.04\"",
            "STRING_PADLEFT(\"7\", 3, \"0\") = \"007\"",
            "TO_STRING({1, 2}) = \"{1,2}\" & TO_STRING(\"a\") = \"a\"",
            "FORMAT_TO_STRING(\"~w + ~w~n\", [1, 2]) = \"1 + 2\\n\"",
        ],
    );
}

#[test]
fn choice_order_numbers_and_printing() {
    all_hold(
        "DEFINITIONS \"CHOOSE.def\"; \"SORT.def\"; \"LibraryMath.def\"; \"LibraryIO.def\"",
        &[
            "CHOOSE({3, 1, 2}) = 1",
            "CHOOSE(NATURAL) = 0 & CHOOSE(INTEGER) = 0 & CHOOSE(NATURAL1) = 1",
            "MU({7}) = 7",
            "SORT({3, 1, 2}) = [1, 2, 3]",
            "SQUASH({4 |-> TRUE, 2 |-> FALSE}) = [FALSE, TRUE]",
            "ABS(-3) = 3 & SIGN(-3) = -1 & SIGN(0) = 0",
            "GCD(12, 18) = 6 & LCM(4, 6) = 12",
            "MSB(8) = 3 & FACT(20) = 2432902008176640000 & ISQRT(17) = 4",
            "printf(\"~w~n\", [1, 2]) & 1 = 1",
            "!x.(x : 1..3 => printf(\"value ~w\", x))",
        ],
    );
}

#[test]
fn a_machine_may_declare_a_known_function_by_itself() {
    all_hold(
        "DEFINITIONS
           EXTERNAL_FUNCTION_STRING_LENGTH == STRING --> INTEGER;
           STRING_LENGTH(s) == 0;
           EXTERNAL_FUNCTION_CHOOSE(T) == POW(T) --> T;
           CHOOSE(s) == \"a member of s\";
           EXTERNAL_PREDICATE_LEQ_SYM(T) == T * T;
           LEQ_SYM(a, b) == a = b",
        &["STRING_LENGTH(\"abc\") = 3", "CHOOSE(4..6) = 4", "LEQ_SYM(1, 2) & not(LEQ_SYM(2, 1))"],
    );
}

#[test]
fn an_unknown_function_is_an_error_unless_its_definition_computes_something() {
    let unknown = "MACHINE M DEFINITIONS
        EXTERNAL_FUNCTION_FROBNICATE == INTEGER --> INTEGER; FROBNICATE(x) == 0
        ASSERTIONS FROBNICATE(1) = 0 END";
    assert_eq!(refused(unknown), ["unknown-external"]);
    let defined = "MACHINE M DEFINITIONS
        EXTERNAL_FUNCTION_TWICE == INTEGER --> INTEGER; TWICE(x) == x + x
        ASSERTIONS TWICE(2) = 4 END";
    holds(defined);
    let loaded = normalise::load_text("test.mch", defined);
    assert!(loaded.diagnostics.iter().any(|d| d.code == "external-by-definition"));
    let unused = "MACHINE M DEFINITIONS
        EXTERNAL_FUNCTION_FROBNICATE == INTEGER --> INTEGER; FROBNICATE(x) == undeclared(x)
        ASSERTIONS 1 = 1 END";
    holds(unused);
    assert_eq!(refused("MACHINE M DEFINITIONS \"LibraryNowhere.def\" END"), ["file-not-found"]);
    // What only draws a state is no part of what the machine means.
    let drawn = "MACHINE M DEFINITIONS \"LibrarySVG.def\";
        VISB_SVG_OBJECTS == rec(svg_class: \"polygon\", points: svg_points([1 |-> 2]), `stroke-width`: 2)
        ASSERTIONS 1 = 1 END";
    holds(drawn);
    let loaded = normalise::load_text("test.mch", drawn);
    let codes: Vec<&str> = loaded.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["unknown-library"]);
}

#[test]
fn wrong_arguments() {
    let wrong = |use_: &str| {
        refused(&format!("MACHINE M DEFINITIONS \"LibraryStrings.def\" ASSERTIONS {use_} END"))
    };
    assert_eq!(wrong("STRING_LENGTH(1) = 0"), ["type-mismatch"]);
    assert_eq!(wrong("STRING_APPEND(\"a\") = \"a\""), ["external-arity"]);
    assert_eq!(wrong("STRING_LENGTH(\"a\")"), ["expression-where-predicate"]);
    assert_eq!(wrong("STRINGIFY(nothing) = \"a\""), ["undeclared-identifier"]);
    // The argument of a definition is what was written for it.
    all_hold(
        "DEFINITIONS \"LibraryStrings.def\"; shown(e) == STRINGIFY(e)",
        &["shown({1,2}) = \"{1, 2}\" & shown(1 = 2) = \"1 = 2\""],
    );
    let text = "MACHINE M DEFINITIONS \"LibraryStrings.def\"
        VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 0
        OPERATIONS o = BEGIN x := STRING_TO_INT(\"abc\") END END";
    let outcome = run_text(text).expect("loads");
    assert_eq!(outcome.verdict, Verdict::StateError);
    let found = outcome.finding.expect("a finding");
    assert!(found.details.iter().any(|d| d.contains("abc")), "{found:?}");
}

#[test]
fn printing_as_a_substitution_changes_nothing() {
    let outcome = holds(
        "MACHINE M DEFINITIONS \"LibraryIO.def\"; LOG(v) == printf(\"~w\", v)
         VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
         OPERATIONS step = PRE x < 2 THEN x := x + 1 || LOG(x) END;
                    show = BEGIN LOG(x); skip END END",
    );
    assert_eq!(outcome.states, 3);
}

#[test]
fn what_tells_elements_apart_makes_their_sets_asymmetric() {
    let model = |op: &str| {
        let text = format!(
            "MACHINE M SETS S; T DEFINITIONS \"CHOOSE.def\"; \"LibraryStrings.def\"; \"LibraryCSV.def\"
             VARIABLES x, y INVARIANT x <: S & y <: T INITIALISATION x := {{}} || y := {{}}
             OPERATIONS add = BEGIN x := x \\/ {{{op}}} END;
                        grow(t) = PRE t : T THEN y := y \\/ {{t}} END END"
        );
        set_up(normalise::load_text("test.mch", &text)).expect("loads")
    };
    let chosen = model("CHOOSE(S)");
    let info = |model: &Model, name: &str| {
        model.sets.iter().find(|s| &*s.name == name).expect("the set").clone()
    };
    assert!(!info(&chosen, "S").symmetric);
    let why =
        chosen.explanation.sets.iter().find(|s| &*s.name == "S").and_then(|s| s.asymmetry.clone());
    assert!(why.expect("a reason").text().contains("CHOOSE"));
    assert!(info(&chosen, "T").symmetric);
    for read in
        ["STRING_TO_ENUM(\"S1\")", "TYPED_STRING_TO_ENUM(S, \"S1\")", "MU(READ_CSV(\"s.csv\"))"]
    {
        assert!(!info(&model(read), "S").symmetric, "{read}");
    }
    let told = model("MU(S - {CHOOSE(S)})");
    assert!(!info(&told, "S").symmetric);
    let only = model("MU({s | s : S & s /: x & card(S - x) = 1})");
    assert!(info(&only, "S").symmetric);
}

#[test]
fn libraries_of_bits_checks_and_choices() {
    all_hold(
        "DEFINITIONS \"LibraryBits.def\"; \"LibraryMeta.def\"; \"LibraryIO.def\"; \"LibraryProB.def\";
           EXTERNAL_FUNCTION_MAXIMIZE(T) == POW(T) --> T; MAXIMIZE(x) == 1;
           EXTERNAL_FUNCTION_MINIMIZE(T) == POW(T) --> T; MINIMIZE(x) == 1;
           EXTERNAL_FUNCTION_SCCS(T) == (T <-> T) --> POW(POW(T)); SCCS(relation) == {};
           EXTERNAL_PREDICATE_LESS(T) == T * T; LESS(x, y) == (1 = 1)
         CONSTANTS k PROPERTIES k = 2",
        &[
            "BAND(12, 10) = 8 & BOR(12, 10) = 14 & BXOR(12, 10) = 6 & BNOT(5) = -6",
            "BAND(-1, 2 ** 70) = 2 ** 70 & BOR(-8, 3) = -5 & BNOT(-1) = 0",
            "BLSHIFT(1, 70) = 2 ** 70 & BRSHIFT(16, 2) = 4 & BRSHIFT(-1, 2 ** 80) = -1 & BLSHIFT(0, 2 ** 80) = 0",
            "PROJECT_STATISTICS(\"constants\") = 1 & PROJECT_STATISTICS(\"variables\") = 0",
            "ASSERT_TRUE(bool(k = 2), \"k\") & ASSERT_EXPR(bool(k = 2), \"k\", {k}) = {2} & CHECK_DET(k)",
            "vprintf(\"~w\", k + 1) = 3 & fvprintf(\"out\", \"~w\", {k}) = {2}",
            "MAXIMIZE({f, x | x : 1..9 & f = 10 * x - x * x}) = (25, 5) & MINIMIZE({3, -4}) = -4",
            "MAXIMIZE({f, x, y | x : 1..3 & y : 1..3 & f = x - y}) = (2, 3, 1)",
            "SCCS({1 |-> 2, 2 |-> 1, 2 |-> 3, 3 |-> 4, 4 |-> 3}) = {{1, 2}, {3, 4}}",
            "SCCS({TRUE |-> FALSE}) = {{TRUE}, {FALSE}} & LESS(1, 2) & not(LESS(2, 2))",
        ],
    );
    all_hold(
        "DEFINITIONS \"LibraryIO.def\"; EXTERNAL_PREDICATE_KODKOD(T1, T2) == INTEGER * T1 * T2 * BOOL;
           KODKOD(number, found, given, p) == p = TRUE",
        &["ARGC = 0", "!a.(a : 1..ARGC => ARGV(a) = \"\")", "#x.(KODKOD(1, x, 7, bool(x : 7..9 & x > 8)))"],
    );
    let failing = "MACHINE M DEFINITIONS \"LibraryProB.def\" VARIABLES x INVARIANT x : 0..20
        INITIALISATION x := 0 OPERATIONS up = BEGIN x := ASSERT_EXPR(bool(x < 11), \"x\", x) + 5 END END";
    let outcome = run_text(failing).expect("runs");
    assert_eq!((outcome.verdict, outcome.states), (Verdict::StateError, 4));
    let printed = "MACHINE M DEFINITIONS \"LibraryIO.def\" VARIABLES x INVARIANT x : 0..1
        INITIALISATION x := 0 OPERATIONS o = BEGIN x := 1 - x; PRINTF(\"~w\", [x]) END END";
    assert_eq!(holds(printed).states, 2);
}

/// Expressions within a string of three back quotes are shown in it.
#[test]
fn strings_with_expressions() {
    all_hold(
        "SETS S = {a, b}",
        &[
            "```n = ${1 + 2}``` = \"n = 3\"",
            "```${a}, ${{1, 2}}, ${\"b\"}${TRUE}!``` = \"a, {1,2}, bTRUE!\"",
            "```plain $x {y}``` = \"plain $x {y}\"",
            "```${\"text\"}``` = \"text\"",
        ],
    );
    let ends = normalise::load_text("test.mch", "MACHINE M ASSERTIONS ```${1 + 2``` = \"\" END");
    let told = ends.diagnostics.iter().map(|d| d.message.as_str()).collect::<Vec<_>>();
    assert!(told.contains(&"this expression within a template string has no end"), "{told:?}");
    let missing = normalise::load_text("test.mch", "MACHINE M ASSERTIONS ```${}``` = \"\" END");
    assert!(missing.machine.is_none() && missing.diagnostics[0].is_error());
}

#[test]
fn reals() {
    all_hold(
        "DEFINITIONS \"LibraryReals.def\"",
        &[
            "RSQRT(4.0) = 2.0 & RABS(-2.5) = 2.5 & RSIGN(-2.5) = -1.0 & RSIGN(0.0) = 0.0",
            "RLOG(2.0, 1024.0) = 10.0 & RLOG(10.0, 1000.0) = 3.0 & RLOGe(REULER) = 1.0",
            "RMAX(1.5, RSQRT(2.0)) = 1.5 & RMIN(1.5, 2.5) = 1.5 & RONE + RZERO = 1.0",
            "RSIN(RPI / 2.0) = 1.0 & RCOS(0.0) = 1.0 & RPOW(2.0, 10.0) = 1024.0",
            "RADD(1.5, 2.5) = 4.0 & RSUB(1.5, 2.5) = -1.0 & RMUL(1.5, 2.0) = 3.0 & RDIV(3.0, 2.0) = 1.5",
            "RLT(1.0, 2.0) & RLEQ(2.0, 2.0) & not(RGT(1.0, 2.0)) & RGEQ(2.0, 1.0)",
            "RNEXT(1.0) - 1.0 = REPSILON & RPREV(RNEXT(0.5)) = 0.5 & RMAXFLOAT > RPOW(10.0, 300.0)",
            "ROUND(2.5) = 3 & ROUND(-2.4) = -2 & RINTEGER(7) = 7.0",
        ],
    );
    for undefined in ["RSQRT(-1.0) = 0.0", "RDIV(1.0, 0.0) = 0.0", "RLOGe(0.0) = 0.0"] {
        let text = format!("MACHINE M DEFINITIONS \"LibraryReals.def\" ASSERTIONS {undefined} END");
        assert_eq!(run_text(&text).expect("runs").verdict, Verdict::StateError, "{undefined}");
    }
}

#[test]
fn operators_on_sequences_take_strings_too() {
    all_hold(
        "CONSTANTS s, t PROPERTIES s = \"ab\" & t = s ^ \"c\" ^ s",
        &[
            "t = \"abcab\" & size(t) = 5 & rev(t) = \"bacba\" & size(\"\") = 0",
            "conc([s, \"-\", t]) = \"ab-abcab\" & conc([[1], [2, 3]]) = [1, 2, 3]",
            "size([\"a\", \"b\"]) = 2 & [\"a\"] ^ [\"b\"] = [\"a\", \"b\"] & size([]) = 0",
        ],
    );
    assert_eq!(refused("MACHINE M ASSERTIONS \"a\" ^ [1] = \"a\" END"), ["type-mismatch"]);
}

#[test]
fn numbers_and_formats_in_strings() {
    all_hold(
        "DEFINITIONS \"LibraryStrings.def\"; \"librarychoose.def\"",
        &[
            "STRING_TO_INT(\" - 00001\") = -1 & STRING_TO_INT(\" 5\") = 5 & STRING_IS_INT(\" - 1204\")",
            "not(STRING_IS_INT(\"- \")) & not(STRING_IS_INT(\"--1\")) & not(STRING_IS_INT(\"1 \"))",
            "FORMAT_TO_STRING(\"a~2nb~w\", [\"x\"]) = \"a\\n\\nbx\"",
            "FORMAT_TO_STRING(\"~Na~i~N~Nb~w\", [1, 2]) = \"a\\nb2\"",
            "CHOOSE({3}) = 3",
        ],
    );
}

/// What a function asks of its arguments is said where they are others.
#[test]
fn refused_arguments_are_told_what_is_asked() {
    for (formula, asked) in [
        ("ASSERT_EXPR(bool(1 > 2), \"no\", 3) = 3", "what is asserted is FALSE"),
        ("STRING_TO_INT(\"12a\") = 12", "STRING_TO_INT refuses its arguments (it takes digits"),
        ("STRING_PADLEFT(\"a\", 4, \"xy\") = \"\"", "one character to fill up with"),
        (
            "REGEX_MATCH(\"a\", \"(\")",
            "REGEX_MATCH refuses its arguments (it takes a regular expression",
        ),
        (
            "CHOOSE({x | x : 1..3 & x > 4}) = 1",
            "CHOOSE refuses its arguments (it takes a set that has a member)",
        ),
        ("MU({1, 2}) = 1", "a set of one member"),
        ("TYPED_STRING_TO_ENUM({FALSE}, \"TRUE\") = TRUE", "the name of one of its elements"),
        ("STRING_TO_ENUM(\"blue\") = TRUE", "the name of an element"),
        ("MSB(0) = 0", "a positive integer"),
        ("CDIV(1, 0) = 1", "division by zero"),
        ("ISQRT(-1) = 1", "a natural number"),
        ("RSQRT(-1.0) = 1.0", "no real number"),
        ("TIMESTAMP(2024, 2, 30, 0, 0, 0) = 0", "a date and a time of day"),
    ] {
        let text = format!(
            "MACHINE M DEFINITIONS \"LibraryStrings.def\"; \"LibraryRegex.def\"; \"LibraryProB.def\"; \
             \"LibraryBits.def\"; \"LibraryMath.def\"; \"LibraryReals.def\"; \"CHOOSE.def\"; \"LibraryIO.def\" \
             VARIABLES b INVARIANT b : BOOL INITIALISATION b := bool({formula}) END"
        );
        let outcome = with_deadlocks(&text);
        assert_eq!(outcome.verdict, Verdict::StateError, "{formula}");
        let message = &outcome.finding.as_ref().expect("a finding").message;
        assert!(message.contains(asked), "{formula}: {message}");
    }
}

#[test]
fn names_of_elements_are_read() {
    let head = "SETS S = {red, green}; D DEFINITIONS \"LibraryStrings.def\"";
    all_hold(
        head,
        &[
            "STRING_TO_ENUM(\"red\") = red",
            "TYPED_STRING_TO_ENUM(BOOL, \"TRUE\") = TRUE",
            "{n |-> e | n : {\"red\", \"green\"} & e = TYPED_STRING_TO_ENUM(S, n)} = {\"red\" |-> red, \"green\" |-> green}",
        ],
    );
}
