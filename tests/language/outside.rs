//! External functions that ask for more than their arguments, and those on documents, patterns and chance.

use super::*;
use burnside::typing::ReadOptions;

/// A search of a machine that may read files, in a folder with these.
fn with_files(machine: &str, files: &[(&str, &str)], allowed: bool, seed: u64) -> Outcome {
    let (_keep, main) = in_folder(&[&[("M.mch", machine)], files].concat());
    deep(|| {
        let options = ReadOptions { files: allowed, ..ReadOptions::default() };
        let loaded = normalise::load_including(&main, &options);
        let machine =
            Arc::new(loaded.machine.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)));
        let setup = SetupOptions { seed, ..SetupOptions::default() };
        search_model(&setup::set_up(&machine, &setup, None).expect("is set up"))
    })
}

#[track_caller]
fn with_files_hold(clauses: &str, predicates: &[&str], files: &[(&str, &str)]) {
    let text = format!("MACHINE M\n{clauses}\nASSERTIONS\n  {}\nEND\n", predicates.join(";\n  "));
    let outcome = with_files(&text, files, true, 1);
    assert_eq!(outcome.verdict, Verdict::Ok, "{:?} {:?}", outcome.finding, outcome.bounds);
}

#[test]
fn tables_are_read_as_what_they_are_used_as() {
    with_files_hold(
        "SETS ID = {a, b, c}
         DEFINITIONS EXTERNAL_FUNCTION_READ_CSV(T) == STRING * BOOL * BOOL --> T; READ_CSV(f, s, e) == {}",
        &[
            "READ_CSV(\"t.csv\", FALSE, FALSE) = {1 |-> a, 2 |-> c}",
            "READ_CSV(\"t.csv\", FALSE, FALSE) = {1 |-> \"a\", 2 |-> \"c\"}",
            "READ_CSV(\"t.csv\", TRUE, FALSE) = {2 |-> \"c\"}",
            "READ_CSV(\"wide.csv\", FALSE, TRUE) = {7 |-> TRUE}",
            "READ_CSV(\"rec.csv\", FALSE, FALSE) = {rec(k : 1, n : \"x, y\")}",
            "READ_CSV(\"wide.csv\", FALSE, FALSE) = {7 |-> TRUE |-> \"more\"}",
        ],
        &[("t.csv", "1,a\n2, c\n"), ("wide.csv", "7;true;more\n"), ("rec.csv", "1,\"x, y\"\n")],
    );
    with_files_hold(
        "SETS ID = {a, b, c} DEFINITIONS \"LibraryCSV.def\"",
        &[
            "READ_CSV(\"t.csv\") = {1 |-> a, 2 |-> c}",
            "READ_CSV(\"t.csv\", TRUE, FALSE) = {2 |-> c} & READ_CSV(\"t.csv\", FALSE, TRUE) = {1, 2}",
            "READ_CSV_SEQUENCE(\"t.csv\", FALSE, FALSE) = [(1, b), (2, c)] <+ {1 |-> (1, a)}",
            "READ_CSV_STRINGS(\"h.csv\") = [{\"name\" |-> \"n\", \"age\" |-> \"3\"}, {\"age\" |-> \"4\"}]",
            "WRITE_CSV({1 |-> 2}, \"out.csv\")",
        ],
        &[("t.csv", "1,a\n2, c\n"), ("h.csv", "name,age\nn,3\n,4\n")],
    );
}

#[test]
fn documents_are_sequences_of_elements() {
    let xml = "<?xml version=\"1.0\"?>\n<Data version=\"1\">\n  <Tag x=\"a&amp;b\"/>\n  <Group>hallo du</Group>\n</Data>\n";
    with_files_hold(
        "DEFINITIONS \"LibraryXML.def\"",
        &[
            "size(READ_XML(\"d.xml\", \"auto\")) = 4",
            "READ_XML(\"d.xml\", \"auto\") : seq(XML_ELement_Type)",
            // White space may stand before the declaration.
            "size(READ_XML(\"late.xml\")) = 1 & READ_XML(\"late.xml\")(1)'meta(\"xmlLineNumber\") = \"3\"",
            "size(READ_XML_FROM_STRING(\" \\n <?xml version='1.0'?><a/>\")) = 1",
            "READ_XML(\"d.xml\", \"auto\")(1)'element = \"Data\" & READ_XML(\"d.xml\", \"auto\")(1)'pId = 0",
            "READ_XML(\"d.xml\", \"auto\")(2)'attributes = {\"x\" |-> \"a&b\"}",
            "READ_XML(\"d.xml\", \"auto\")(2)'meta(\"xmlLineNumber\") = \"3\"",
            "READ_XML(\"d.xml\", \"auto\")(4)'attributes(\"text\") = \"hallo du\"",
            "READ_XML(\"d.xml\", \"auto\")(4)'pId = 3",
            "#d.(d = READ_XML(\"d.xml\", \"auto\") & #e.(e = READ_XML_FROM_STRING(WRITE_XML_TO_STRING(d)) &
               !i.(i : dom(d) => d(i)'attributes = e(i)'attributes & d(i)'pId = e(i)'pId)))",
        ],
        &[("d.xml", xml), ("late.xml", "\n\n <?xml version=\"1.0\"?><a/>\n")],
    );
}

#[test]
fn files_and_folders() {
    with_files_hold(
        "SEES LibraryFiles DEFINITIONS \"LibraryIO.def\"",
        &[
            "files(\".\") = {\"M.mch\", \"a.txt\", \"b.txt\"} & directories(\".\") = {}",
            "file_exists(\"a.txt\") = TRUE & file_exists(\"c.txt\") = FALSE & directory_exists(\".\") = TRUE",
            "file_size(\"a.txt\") = 8 & file_readable(\"a.txt\") = TRUE & file_modified(\"a.txt\") > 0",
            "full_files(current_directory) = {\"./M.mch\", \"./a.txt\", \"./b.txt\"}",
            "READ_FILE_AS_STRINGS(\"a.txt\") = [\"one\", \"two\"] & READ_FILE_AS_STRINGS(\"b.txt\") = []",
        ],
        &[("a.txt", "one\ntwo\n"), ("b.txt", "")],
    );
}

/// What a file is asked for without leave, elsewhere, or in a wrong form is an error that says so.
#[test]
fn what_is_not_read_is_an_error() {
    let machine = |use_: &str| {
        format!(
            "MACHINE M DEFINITIONS \"LibraryIO.def\"; \"LibraryCSV.def\" CONSTANTS c PROPERTIES c = {use_} END"
        )
    };
    let wrong = |use_: &str, allowed: bool| {
        let outcome = with_files(&machine(use_), &[("a.csv", "1,2\n")], allowed, 1);
        assert_eq!(outcome.verdict, Verdict::StateError, "{use_}");
        outcome.finding.expect("a finding").message
    };
    let read = "READ_FILE_AS_STRINGS(\"a.csv\")";
    assert!(wrong(read, false).contains("--allow-files"));
    assert!(wrong("READ_FILE_AS_STRINGS(\"none\")", true).contains("is not there"));
    assert!(wrong("READ_FILE_AS_STRINGS(\"/etc/passwd\")", true).contains("does not lie below"));
    assert!(wrong("READ_FILE_AS_STRINGS(\"../a.csv\")", true).contains("does not lie below"));
    assert!(wrong("{x | x : READ_CSV(\"a.csv\") & x : BOOL}", true).contains("does not fit"));
    assert!(wrong("READ_LINE(\"a.csv\")", true).contains("no order of moments"));
    assert!(wrong("bool(EOF(\"a.csv\"))", true).contains("no order of moments"));
    let xml = "MACHINE M DEFINITIONS \"LibraryXML.def\" CONSTANTS c PROPERTIES c = READ_XML(\"a.xml\") END";
    let outcome = with_files(xml, &[("a.xml", "\n <a>\n</b>\n")], true, 1);
    let message = outcome.finding.expect("a finding").message;
    assert!(message.contains("no well-formed XML: line 3, column"), "{message}");
    let outcome = with_files(&machine(read), &[("a.csv", "1,2\n")], true, 1);
    assert!(outcome.finding.is_none_or(|f| !f.message.contains("file")));
    let see = "MACHINE M DEFINITIONS \"LibraryIO.def\" VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0
        OPERATIONS open = BEGIN SEE(\"a.csv\") || x := 1 END END";
    assert_eq!(with_files(see, &[], true, 1).verdict, Verdict::StateError);
}

#[test]
fn regular_expressions() {
    all_hold(
        "DEFINITIONS \"LibraryRegex.def\"",
        &[
            "REGEX_MATCH(\"abc\", \"[a-z]+\") & not(REGEX_MATCH(\"abc1\", \"[a-z]+\"))",
            "REGEX_IMATCH(\"ABC\", \"[a-z]+\") & IS_REGEX(\"ab[0-9]\") & not(IS_REGEX(\"ab[0-9\"))",
            "REGEX_REPLACE(\"a01b23\", \"[0-9]+\", \"N\") = \"aNbN\"",
            "REGEX_REPLACE(\"1abd00abc2\", \"([a-z]+).*?([a-z]+)\", \"<$2$1>\") = \"1<abcabd>2\"",
            "REGEX_REPLACE(\"ab12\", \"[0-9]+\", \"($0)\") = \"ab(12)\"",
            "REGEX_SEARCH_STR(\"abc000234d\", \"[1-9][0-9]*\") = \"234\"",
            "REGEX_SEARCH_STR(\"0123\", \"[[:alpha:]]+\") = \"\"",
            "REGEX_SEARCH(\"abcdef000234\", 1, \"([1-9])([0-9]*)\") =
               rec(length : 3, position : 10, string : \"234\", submatches : [\"2\", \"34\"])",
            "REGEX_SEARCH(\"0123\", 1, \"[[:alpha:]]\")'position = -1",
            "REGEX_SEARCH(\"ab12ab\", 4, \"ab\")'position = 5",
            "REGEX_SEARCH_ALL(\"The quick fox.\", \"\\w+\") = [\"The\", \"quick\", \"fox\"]",
            "REGEX_SEARCH_ALL(\"abc\", \"x\") = []",
        ],
    );
}

/// Chance gives the same in each run with one seed, what belongs to its range, and something else with another seed.
#[test]
fn chance_is_a_function_of_the_seed() {
    let machine = "MACHINE M DEFINITIONS \"LibraryRandom.def\"
        CONSTANTS r, s, e, p
        PROPERTIES r = %i.(i : 1..40 | RANDOM(i, 1000)) & s = random_subset(1..60)
          & e = random_element({TRUE, FALSE}) & p = random_ordering(1..9)
        ASSERTIONS !i.(i : 1..40 => r(i) : i..999); s <: 1..60; p : perm(1..9);
          RANDOM(1, 2) = 1; card(random_numset(5, 1, 9)) = 5 & random_numset(5, 1, 9) <: 1..9;
          NORMAL(10, 0) = 10; random_permutation([1, 2, 3]) : perm(1..3); RANDOM(0, 2 ** 80) < 2 ** 80;
          card(ran(r)) > 20
        VARIABLES x INVARIANT x : INTEGER INITIALISATION x := RANDOM(0, 1000000)
        OPERATIONS out <-- o = out := r END";
    let told = |seed: u64| {
        let outcome = with_files(machine, &[], false, seed);
        assert_eq!(outcome.verdict, Verdict::Ok, "{:?}", outcome.finding);
        let wrong = machine.replace("x : INTEGER INIT", "x < 0 INIT");
        let outcome = with_files(&wrong, &[], false, seed);
        format!(
            "{:?}",
            outcome.finding.expect("the value").trace.steps.last().expect("a step").changed
        )
    };
    assert_eq!(told(1), told(1));
    assert_ne!(told(1), told(2));
}

#[test]
fn hashes_dates_and_numbers() {
    all_hold(
        "DEFINITIONS \"LibraryHash.def\"; \"LibraryMath.def\"; \"LibraryIO.def\"; \"SCCS.def\"; \"SORT.def\";
           EXTERNAL_FUNCTION_PROLOG_FUN == STRING * INTEGER * INTEGER --> INTEGER; PROLOG_FUN(f, m, x) == x",
        &[
            "HASH({1, 2}) = HASH({2, 1}) & HASH(1) /= HASH(2)",
            "SHA_HASH_HEX(1) = \"356a192b7913b04c54574d18c28d46e6395428ab\"",
            "card(SHA_HASH(1)) = 20 & ran(SHA_HASH(1)) <: 0..255",
            "TIMESTAMP(1970, 1, 1, 0, 0, 0) = 0 & TIMESTAMP(2000, 3, 1, 12, 0, 0) = 951912000",
            "TIMESTAMP_INFO(\"year\", 951912000) = 2000 & TIMESTAMP_INFO(\"hour\", 951912000) = 12",
            "SIN(0) = 0 & COS(314) = -100 & SINx(1000, 0) = 0 & TANx(10000, 61400) = -1442",
            "LOGx(1, 2, 1024) = 10 & LOGx(100, 200, 900) = 317 & PROLOG_FUN(\"asin\", 100, 100) = 157",
            "FACTORIAL(5) = 120 & CHOOSE_NK(5, 2) = 10 & FDIV(-7, 2) = -4 & CDIV(-7, 2) = -3 & CDIV(7, 2) = 4",
            "CLOSURE1({1 |-> 2, 2 |-> 3}) = {1 |-> 2, 2 |-> 3, 1 |-> 3} & REPLACE([7, 8], 2, 9) = [7, 9]",
        ],
    );
    all_hold(
        "SEES LibraryStrings, LibraryMath",
        &[
            "length(\"abc\") = 3 & append(\"a\", \"b\") = \"ab\" & split(\"a.b\", \".\") = [\"a\", \"b\"]",
            "sin(0) = 0 & gcd(12, 18) = 6 & abs(-3) = 3 & dom(chars) = STRING",
            "length[{\"a\", \"bcd\"}] = {1, 3} & int2str(7) = \"7\" & strIsInt(\"x\") = FALSE",
        ],
    );
}

/// `REC_LET` gives the value of a constant a name, under which it applies itself.
#[test]
fn recursion_by_name() {
    all_hold(
        "DEFINITIONS EXTERNAL_FUNCTION_REC(A, B) == (STRING * A) --> B; REC(F, A) == F(A);
           EXTERNAL_FUNCTION_REC_LET(A) == (STRING * A) --> A; REC_LET(F, A) == A
         ABSTRACT_CONSTANTS fac, len
         PROPERTIES fac : INTEGER <-> INTEGER & fac = REC_LET(\"f\", %x.(x = 1 | 1) \\/ %x.(x > 1 | x * REC(\"f\", x - 1)))
           & len : (INTEGER <-> BOOL) <-> INTEGER
           & len = REC_LET(\"len\", %x.(x = [] | 0) \\/ %x.(x : seq1(BOOL) | 1 + REC(\"len\", tail(x))))",
        &["fac(4) = 24 & fac(20) = 2432902008176640000", "len([TRUE, FALSE, TRUE]) = 3"],
    );
    let wrong = "MACHINE M DEFINITIONS EXTERNAL_FUNCTION_REC_LET(A) == (STRING * A) --> A; REC_LET(F, A) == A
        ASSERTIONS REC_LET(\"f\", 1) = 1 END";
    assert_eq!(refused(wrong), ["unknown-external"]);
}

/// The best solution is found by bounds, also among infinitely many candidates.
#[test]
fn the_best_solution() {
    all_hold(
        "DEFINITIONS EXTERNAL_FUNCTION_MAXIMIZE(T) == POW(T) --> T; MAXIMIZE(x) == 1;
           EXTERNAL_FUNCTION_MINIMIZE(T) == POW(T) --> T; MINIMIZE(x) == 1
         CONSTANTS m, v PROPERTIES m = 1..20 & v = MAXIMIZE({s, v, w | v : m & w : NATURAL & s = v - w})",
        &[
            "v = (20, 20, 0)",
            "MAXIMIZE({f, x | f = 10 * x - x * x & x : -1000..1000}) = (25, 5)",
            "MAXIMIZE({f, x | f = 100 * x - x * x & x : 0..1000}) = (2500, 50)",
            "MINIMIZE({x | x : 0..1000 & x * x > 200}) = 15",
            "MAXIMIZE({x | x : 1..1000000}) = 1000000",
            "MINIMIZE({n, q | q : 1..5 >-> 1..5 & n = SIGMA(i).(i : 1..5 | i * q(i))}) =
               (35, [5, 4, 3, 2, 1])",
        ],
    );
    // What is needed of it is found by a part of the tuple.
    all_hold(
        "DEFINITIONS EXTERNAL_FUNCTION_MAXIMIZE(T) == POW(T) --> T; MAXIMIZE(x) == 1
         CONSTANTS w, n, s PROPERTIES w : 1..3 --> 1..9 & w(1) = 4 & w(2) = 5 & w(3) = 6
           & (-n, n, s) = MAXIMIZE({m, n, s | n : 1..3 & s : 1..3 --> 1..n & m = -n
               & !b.(b : ran(s) => SIGMA(z).(z : s~[{b}] | w(z)) <= 10)})",
        &["n = 2 & s(3) /= s(2)"],
    );
    let none =
        "MACHINE M DEFINITIONS EXTERNAL_FUNCTION_MAXIMIZE(T) == POW(T) --> T; MAXIMIZE(x) == 1
        CONSTANTS c PROPERTIES c = MAXIMIZE({x | x : 1..5 & x > 7}) END";
    assert_eq!(run_text(none).expect("runs").verdict, Verdict::StateError);
    let endless =
        "MACHINE M DEFINITIONS EXTERNAL_FUNCTION_MAXIMIZE(T) == POW(T) --> T; MAXIMIZE(x) == 1
        CONSTANTS c PROPERTIES c = MAXIMIZE({x | x : NATURAL}) END";
    assert_eq!(run_text(endless).expect("runs").verdict, Verdict::NoneFound);
}

#[test]
fn least_refused_and_greatest_accepted_sets() {
    let declared = "SETS ID = {a, b, c}
        DEFINITIONS EXTERNAL_FUNCTION_UNSAT_CORE(T) == (POW(T) --> BOOL) * POW(T) --> POW(T); UNSAT_CORE(f, s) == s;
          EXTERNAL_FUNCTION_MAX_SAT(T) == (POW(T) --> BOOL) * POW(T) --> POW(T); MAX_SAT(f, s) == s
        CONSTANTS few, apart PROPERTIES few = %s.(s : POW(INTEGER) | bool(card(s /\\ 3..6) < 2)) &
          apart = %s.(s : POW(ID) | bool(not({a, c} <: s)))";
    all_hold(
        declared,
        &[
            "UNSAT_CORE(few, 0..9) = {5, 6}",
            "MAX_SAT(few, 0..9) = 0..3 \\/ 7..9",
            "UNSAT_CORE(apart, ID) = {a, c}",
            "MAX_SAT(apart, ID) = {a, b} & MAX_SAT(few, {}) = {}",
        ],
    );
    // A set that is accepted has no part that is refused.
    let accepted = format!("MACHINE M {declared} ASSERTIONS UNSAT_CORE(few, 0..3) = {{}} END");
    let outcome = run_text(&accepted).expect("runs");
    assert_eq!(outcome.undefined_checks, 1);
}

#[test]
fn what_tells_of_the_search_hides_no_states() {
    let text = "MACHINE M DEFINITIONS \"LibraryMeta.def\"; ways == card({i | i : 0..9 & STATE_SUCC(CURRENT_STATE_ID, i)})
        ASSERTIONS ways > 0; GET_PREF(\"MAXINT\") = \"3\"; MACHINE_INFO(\"M\", \"TYPE\") = \"abstract_machine\"
        VARIABLES x INVARIANT x : 0..4 INITIALISATION x := 0
        OPERATIONS up = PRE x < 4 THEN x := x + 1 END END";
    let outcome = run_text(text).expect("runs");
    let finding = outcome.finding.expect("is an error at its place");
    assert!(format!("{finding:?}").contains("a formula does not see these"), "{finding:?}");
}

/// What tells the arguments of an operation is not to be had: that is an error of the operation, and the others go on.
#[test]
fn arguments_from_outside_end_no_search() {
    for (guard, told) in [
        ("f : FILES(\".\")", "no file is read"),
        ("f = GET_CODE(\"a.txt\") & f : 1..2", "depends on"),
    ] {
        let text = format!(
            "MACHINE M DEFINITIONS \"LibraryFiles.def\"; \"LibraryIO.def\"
             VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
             OPERATIONS up = PRE x < 2 THEN x := x + 1 END; o(f) = SELECT {guard} THEN skip END END"
        );
        let outcome = run_text(&text).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(outcome.verdict, Verdict::StateError, "{guard}");
        let finding = outcome.finding.expect("is an error at its place");
        assert!(format!("{finding:?}").contains(told), "{finding:?}");
    }
}
