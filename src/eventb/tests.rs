use super::*;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};
use crate::syntax::ast::MachineFile;
use term::{Term, TermKind};
use written::Written;

const TANK: &str = include_str!("../../models/tank.eventb");

/// The tree of a package, and what is shown of it.
fn read(text: &str) -> (Result<MachineFile, Vec<Diagnostic>>, String) {
    let mut sources = Sources::new();
    let id = sources.add("model.eventb", text);
    let read = read_package(&mut sources, id, &Levels::default());
    (read.map(|accepted| accepted.file), sources.get(id).text.to_string())
}

fn term(text: &str) -> Result<Term, Box<Diagnostic>> {
    term::read(text, FileId(0))
}

/// The message of the first error, and what it points to.
fn error(text: &str) -> (String, String) {
    let (read, text) = read(text);
    let errors = read.expect_err("an error");
    let span = errors[0].span.expect("a place");
    (errors[0].message.clone(), text[span.start as usize..span.end as usize].to_owned())
}

#[test]
fn terms_of_every_kind() {
    let read = term("f('It\\'s', \"a\"\"b\", -12, [x, Y, _], g([])). ").unwrap();
    let (name, arguments) = read.parts().unwrap();
    assert_eq!((name, arguments.len()), ("f", 5));
    assert_eq!(&**arguments[0].atom().unwrap(), "It's");
    assert_eq!(arguments[1].kind, TermKind::Text("a\"b".into()));
    assert_eq!(arguments[2].kind, TermKind::Number((-12).into()));
    assert_eq!(arguments[3].list().unwrap()[1].kind, TermKind::Variable);
    assert_eq!(arguments[4].parts().unwrap().1[0].list().unwrap().len(), 0);
}

#[test]
fn quoted_atoms_know_their_escapes() {
    let atom = |text: &str| term(text).map(|t| t.atom().unwrap().to_string());
    assert_eq!(atom("'a''b'.").unwrap(), "a'b");
    assert_eq!(atom("'\\x41\\\\102\\\\n'.").unwrap(), "AB\n");
    assert!(atom("'\\xD800\\'.").unwrap_err().message.contains("no such character"));
    assert!(atom("'never").unwrap_err().message.contains("never closed"));
}

#[test]
fn comments_and_line_ends_are_skipped() {
    assert!(term("% first\r\n/* second */ f( x , % third\n y ) .\n").is_ok());
    assert!(term("/* open").unwrap_err().message.contains("no end"));
}

#[test]
fn what_is_no_term_is_said_with_its_place() {
    for (text, expected) in [
        ("", "a term"),
        ("MACHINE m END", "the `.` that ends the package"),
        ("f(x", "`,` or `)`"),
        ("f(x).", "package"),
        ("[a b].", "`,` or `]`"),
        ("package(load_event_b_project([],[],[],_)).", "neither a machine nor a context"),
        ("f(-).", "a number"),
        (
            "package(load_event_b_project([event_b_model(none,m,[invarient(none,[])])],[],[],_)).",
            "no section `invarient`",
        ),
        (
            "package(load_event_b_project([event_b_model(none,m,[variables([])])],[],[],_)).",
            "variables(Position, ..)",
        ),
        (
            "package(load_event_b_project([],[event_b_context(none,c,[axiom(none,[])])],[],_)).",
            "no section `axiom`",
        ),
        (
            "package(load_event_b_project([],[event_b_context(none,c,[]),event_b_context(none,c,[])],[],_)).",
            "two contexts `c`",
        ),
        (
            "package(load_event_b_project([event_b_model(none,m,[]),event_b_model(none,m,[])],[],[],_)).",
            "two machines `m`",
        ),
    ] {
        let errors = read(text).0.expect_err(text);
        assert!(errors[0].message.contains(expected), "{text}: {}", errors[0].message);
        assert!(errors[0].span.is_some(), "{text}");
    }
}

#[test]
fn depth_is_limited_not_fatal() {
    let deep = format!("{}x{}.", "f(".repeat(1_000_000), ")".repeat(1_000_000));
    assert!(term(&deep).unwrap_err().message.contains("levels deep"));
}

#[test]
fn the_model_is_printed_as_rodin_does() {
    insta::assert_snapshot!(read(TANK).1);
}

#[test]
fn every_span_points_to_what_it_names() {
    use crate::syntax::ast::ClauseKind;
    let (file, shown) = read(TANK);
    let mut operations = 0;
    for clause in &file.unwrap().clauses {
        if let ClauseKind::Operations(all) = &clause.kind {
            for operation in all {
                let span = operation.name.span;
                let text = &shown[span.start as usize..span.end as usize];
                assert_eq!(text, &*operation.name.name);
                operations += 1;
            }
        }
    }
    assert_eq!(operations, 4);
}

#[test]
fn brackets_stand_where_operators_do_not_mix() {
    let printed = |formula: &str| {
        let read = term(&format!("{formula}.")).unwrap();
        let mut writer = Writer::new(FileId(0));
        (&read).formula(&mut writer);
        assert_eq!(writer.errors, []);
        writer.text
    };
    let x = "identifier(none,x)";
    for (formula, text) in [
        (format!("add(none,add(none,{x},{x}),{x})"), "x + x + x"),
        (format!("add(none,{x},add(none,{x},{x}))"), "x + (x + x)"),
        (format!("multiplication(none,add(none,{x},{x}),{x})"), "(x + x) * x"),
        (format!("domain(none,reverse(none,union(none,{x},{x})))"), "dom((x \\/ x)~)"),
        (format!("couple(none,[couple(none,[{x},{x}]),{x}])"), "x |-> x |-> x"),
        (
            "conjunct(none,disjunct(none,truth(none),falsity(none)),truth(none))".to_owned(),
            "(true or false) & true",
        ),
        (
            format!(
                "forall(none,[{x}],implication(none,member(none,{x},bool_set(none)),truth(none)))"
            ),
            "!x.x : BOOL => true",
        ),
        (
            format!("negation(none,exists(none,[{x}],equal(none,{x},unary_minus(none,{x}))))"),
            "not(#x.x = -x)",
        ),
        (
            format!("event_b_comprehension_set(none,[{x}],integer(none,-3),member(none,{x},{x}))"),
            "{x.x : x | -3}",
        ),
    ] {
        assert_eq!(printed(&formula), text);
    }
}

#[test]
fn unknown_formulas_are_refused_by_name() {
    let with = |formula: &str| TANK.replace("integer(none,3)", formula);
    let (message, place) = error(&with("extended_expr(none,nodes,[],[])"));
    assert!(message.contains("`nodes`") && message.contains("theor"), "{message}");
    assert_eq!(place, "extended_expr(none,nodes,[],[])");
    let (message, _) = error(&with("frobnicate(none)"));
    assert!(message.contains("`frobnicate`"), "{message}");
}

#[test]
fn components_that_are_missing_or_go_in_circles() {
    let (message, _) = error(&TANK.replace("refines(none,tank_0)", "refines(none,tank_9)"));
    assert!(message.contains("`tank_9`"), "{message}");
    let (message, _) = error(&TANK.replace("extends(none,[])", "extends(none,[tank_ctx])"));
    assert!(message.contains("tank_ctx -> tank_ctx"), "{message}");
    let circle = TANK.replace(
        "[sees(none,[tank_ctx]),\n     variables(none,[identifier(none,level)",
        "[refines(none,tank_1),sees(none,[tank_ctx]),\n     variables(none,[identifier(none,level)",
    );
    assert!(error(&circle).0.contains("circle"));
    let (message, _) = error(&TANK.replace("'INITIALISATION',ordinary", "start,ordinary"));
    assert!(message.contains("INITIALISATION"), "{message}");
}
