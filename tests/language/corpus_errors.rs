//! Machines that must be refused, or must stop with an error, where the collection is at hand.

use super::*;
use std::path::PathBuf;

fn folder() -> Option<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Beside the project; a worktree of it lies one folder deeper.
    for up in ["../shared/corpus/errors", "../../shared/corpus/errors"] {
        if project.join(up).is_dir() {
            return Some(project.join(up));
        }
    }
    println!("skipped: the collection of machines with errors is not at hand");
    None
}

/// The code of the error or warning, or the kind of the finding, that each must give.
const EXPECTED: &[(&str, &str)] = &[
    ("RecursiveDefinition.mch", "recursive-definition"),
    ("ParseErrors/LexerStringError.mch", "syntax"),
    ("ParseErrors/ID_not_declared.mch", "undeclared-identifier"),
    ("CstDefError1.mch", "type-not-determined"),
    ("DuplicateEnumeratedSetElement.mch", "duplicate-declaration"),
    ("TypeError1.mch", "type-mismatch"),
    ("TypeError3.mch", "type-mismatch"),
    ("StringTypeError.mch", "type-mismatch"),
    ("TwoOpsSameName.mch", "duplicate-operation"),
    ("UnknownPromotedOp.mch", "unknown-operation"),
    ("AssignmentToParameterErr.mch", "assignment-to-parameter"),
    ("MultiAssignInit_bug.mch", "written-twice"),
    ("IllegalSeesIncludes/CyclicM1.mch", "include-cycle"),
    ("TestScopeLHSAssignmentLET.mch", "assignment-to-bound"),
    ("AssertCondViolated.mch", "ASSERT does not hold"),
    ("PreCondViolated.mch", "precondition does not hold"),
    // Its first operation divides by `mod`, and so it is what is found first.
    ("UndefinedArithmetic/DivByZeroOp.mch", "`mod` needs"),
    ("UndefinedArithmetic/MaxOfEmptySet.mch", "max of the empty set"),
    ("UndefinedSeqOperations/FrontEmptySeq.mch", "non-empty sequence"),
    ("IllegalFunCalls/FunOutsideOfDomain.mch", "outside its domain"),
    ("WhileLoopInvariantError.mch", "loop invariant does not hold"),
    ("WhileLoopVariantError.mch", "loop variant does not decrease"),
    ("OneInvariantViolation.mch", ""),
    ("TypeErrorUnusedDefinition.mch", "unused-definition-ill-typed"),
    ("Warnings/ReuseSETElement.mch", "shadowing"),
    ("WhileLoopOk.mch", ""),
    // It says itself that its assertions do not hold.
    ("ImplicationPriority.mch", "an assertion does not hold"),
];

/// What is wrong with the outcome of one machine.
fn wrong(folder: &Path, path: &str, stage: &str) -> Option<String> {
    let Some((_, wanted)) = EXPECTED.iter().find(|(p, _)| *p == path) else {
        return Some("is not among the expectations".into());
    };
    let path = folder.join(path);
    let loaded = normalise::load_machine(&path);
    let shown: String = loaded.diagnostics.iter().map(|d| d.render(&loaded.sources)).collect();
    match stage {
        "load" => {
            let found = loaded
                .diagnostics
                .iter()
                .any(|d| d.is_error() && d.code == *wanted && d.span.is_some());
            return (!found).then_some(shown);
        }
        "warn" => {
            let found = loaded.diagnostics.iter().any(|d| d.code == *wanted && d.span.is_some());
            if !found || loaded.machine.is_none() {
                return Some(shown);
            }
        }
        _ => {}
    }
    let outcome = match run_file(&path) {
        Ok(outcome) => outcome,
        Err(why) => return Some(why),
    };
    let said = format!("{:?} {:?} {:?}", outcome.verdict, outcome.finding, outcome.bounds);
    let good = match stage {
        "run" if wanted.is_empty() => outcome.verdict == Verdict::InvariantViolation,
        "run" => {
            outcome.verdict == Verdict::StateError
                && outcome.finding.as_ref().is_some_and(|f| {
                    // Before the constants have values there is no run to show.
                    let traced = !f.trace.steps.is_empty() || f.message.contains("PROPERTIES");
                    f.span.is_some() && traced && f.message.contains(wanted)
                })
        }
        "ok" if !wanted.is_empty() => {
            outcome.finding.as_ref().is_some_and(|f| f.message.contains(wanted))
        }
        _ => outcome.verdict == Verdict::Ok || outcome.verdict == Verdict::NoneFound,
    };
    (!good).then_some(said)
}

#[test]
fn every_machine_with_an_error_gets_its_outcome() {
    let Some(folder) = folder() else { return };
    let list = std::fs::read_to_string(folder.join("errors.csv")).expect("errors.csv");
    let mut surprises = Vec::new();
    for line in list.lines().skip(1) {
        let mut cells = line.splitn(3, ',');
        let (path, stage) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
        if let Some(why) = wrong(&folder, path, stage) {
            println!("{path} ({stage}): {why}");
            surprises.push(path.to_owned());
        }
    }
    assert!(surprises.is_empty(), "{surprises:?}");
}

#[test]
fn one_invariant_violation_has_a_hundred_states() {
    let Some(folder) = folder() else { return };
    let model =
        set_up(normalise::load_machine(&folder.join("OneInvariantViolation.mch"))).expect("loads");
    let options = SearchOptions {
        symmetry: Some(search::SymmetryMode::Off),
        on_violation: search::OnViolation::Expand,
        keep_going: true,
        ..SearchOptions::default()
    };
    let outcome = search::run(&model, &options, &Arc::new(Control::new()));
    assert_eq!((outcome.nodes - 1, outcome.transitions), (100, 101));
}
