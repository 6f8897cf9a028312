//! Wrong projects: each with its message, and where it points.

use super::{context, load, machine, project, said};
use burnside::eventb::Levels;
use burnside::normalise;
use burnside::typing::ReadOptions;
use std::path::Path;

/// A machine that is right but for what a case adds: `ctx` is its context.
const CONTEXT: &str = "carrierSet identifier=S
constant identifier=n
axiom label=axm1 predicate=`n = 3`
";
const MACHINE: &str = "seesContext target=C
variable identifier=x
invariant label=inv1 predicate=`x ∈ 0‥n`
event label=INITIALISATION
  action label=act1 assignment=`x ≔ 0`
";
const REFINEMENT: &str = "refinesMachine target=M
seesContext target=C
variable identifier=x
event label=INITIALISATION extended=true
";

/// What is said of a machine `M` that sees `C`, and of `R` that refines it, each with these lines more.
fn errors(more_of_c: &str, more_of_m: &str, more_of_r: Option<&str>) -> String {
    let mut files = vec![
        ("C.buc", context(&format!("{CONTEXT}{more_of_c}"))),
        ("M.bum", machine(&format!("{MACHINE}{more_of_m}"))),
    ];
    files.extend(more_of_r.map(|more| ("R.bum", machine(&format!("{REFINEMENT}{more}")))));
    let folder = project(&files);
    let loaded = load(folder.path());
    let text = said(&loaded).replace(&format!("{}/", folder.path().display()), "");
    assert!(loaded.machine.is_none(), "this is right: {more_of_c}{more_of_m}{more_of_r:?}");
    text
}

fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn the_machine_without_more_is_right() {
    let files =
        [("C.buc", context(CONTEXT)), ("M.bum", machine(MACHINE)), ("R.bum", machine(REFINEMENT))];
    let folder = project(&files);
    let loaded = load(folder.path());
    assert!(loaded.machine.is_some(), "{}", said(&loaded));
}

/// File, line and column; event, label and column of the formula; the message.
#[test]
fn formulas_are_placed() {
    let event = |guard: &str, action: &str| {
        format!(
            "event label=go\n  guard label=grd1 predicate=`x < n`\n  guard label=grd2 predicate=`{guard}`\n  action label=act1 assignment=`{action}`\n"
        )
    };
    for (guard, action, parts) in [
        // 1, 2: syntax, a guard and an action
        (
            "x + ∗ 2 = n",
            "x ≔ 1",
            &["M.bum:16:17", "event go, guard grd2, column 5", "expected a formula"][..],
        ),
        ("x > 0", "x = 1", &["M.bum:18:15", "event go, action act1, column 3", "`:=`"]),
        // 3, 4: operators that do not mix or associate
        ("x = 1 ∧ x = 2 ∨ x = 3", "x ≔ 1", &["guard grd2, column 15", "`&` and `or`", "brackets"]),
        ("0 < x < 3", "x ≔ 1", &["guard grd2, column 7", "do not associate"]),
        // 5: a type error
        ("x = {1}", "x ≔ 1", &["guard grd2, column", "type"]),
        // 6: an unknown name
        ("y = 1", "x ≔ 1", &["guard grd2, column 1", "`y`"]),
        // 7: something that is no variable is assigned
        ("x > 0", "n ≔ 1", &["action act1, column 1", "`n`", "no variable"]),
        // 8: a predicate where an expression is needed
        ("x = (x = 1)", "x ≔ 1", &["guard grd2", "predicate"]),
        // 9: a character that is none of the language
        ("x = 1 § 2", "x ≔ 1", &["guard grd2, column 7", "`§`"]),
        // 10: a bracket that is not closed
        ("(x = 1", "x ≔ 1", &["guard grd2, column 7", "`)`", "end of the formula"]),
        // 11: values and variables
        ("x > 0", "x ≔ 1, 2", &["action act1", "2 values"]),
    ] {
        holds(&errors("", &event(guard, action), None), parts);
    }
}

#[test]
fn components_that_do_not_fit_are_placed() {
    let two = "event label=go\n  guard label=grd1 predicate=`x < n`\n  guard label=grd1 predicate=`x > 0`\n";
    // 12: a label twice
    holds(&errors("", two, None), &["M.bum:16:13", "event go, guard grd1", "`grd1` stands twice"]);
    // 13: an event twice
    let twice = "event label=go\nevent label=go\n";
    holds(&errors("", twice, None), &["M.bum:16:9", "two events `go`"]);
    // 14: an event that is not there
    let unknown = "event label=go\n  refinesEvent target=gone\n";
    holds(&errors("", "", Some(unknown)), &["R.bum:12:20", "`M` has no event `gone`"]);
    // 15: a context that is not there
    holds(&errors("", "seesContext target=D\n", None), &["M.bum:2:9", "no context `D`"]);
    // 16: a machine that is not there
    holds(&errors("", "refinesMachine target=N\n", None), &["M.bum:2:9", "no machine `N`"]);
    // 17: contexts in a circle
    holds(&errors("extendsContext target=C\n", "", None), &["C.buc:2:9", "C -> C"]);
    // 18: convergent without a variant
    let convergent = "event label=go convergence=1\n  action label=a assignment=`x ≔ 0`\n";
    holds(&errors("", convergent, None), &["M.bum:13:20", "`go` is convergent", "no variant"]);
    // 19: a name twice
    holds(&errors("", "variable identifier=x\n", None), &["M.bum:5:3", "`x` is declared twice"]);
    // 20: refines an event where no machine is refined
    let refines = "event label=go\n  refinesEvent target=gone\n";
    holds(&errors("", refines, None), &["M.bum:13:20", "`go` refines an event"]);
    // 21: two actions on one variable
    let both = "event label=go\n  action label=a assignment=`x ≔ 0`\n  action label=b assignment=`x ≔ 1`\n";
    holds(&errors("", both, None), &["event go, action b, column 1", "two actions write `x`"]);
    // 22: a parameter twice
    let parameter = "event label=go\n  parameter identifier=p\n  parameter identifier=p\n";
    holds(&errors("", parameter, None), &["M.bum:14:12", "`p` is declared twice"]);
    // 22a: a variant that is neither a number nor a set
    for variant in ["TRUE", "x ↦ TRUE", "bool(x = 0)"] {
        let variant = format!("variant expression=`{variant}`\n{convergent}");
        holds(
            &errors("", &variant, None),
            &["M.bum:", "expected INT, found", "an integer or a set"],
        );
    }
    // ... and one that no event has to decrease.
    for (variant, parts) in [
        ("zz + 1", &["M.bum:", "variant", "column 1", "`zz` is not declared"][..]),
        ("x ↦ 1", &["M.bum:", "expected INT, found", "an integer or a set"]),
        ("S ∪ 1", &["M.bum:", "column 5", "expected POW(S), found INT"]),
        ("x > 2", &["M.bum:", "column 1", "found a predicate"]),
    ] {
        holds(&errors("", &format!("variant expression=`{variant}`\n"), None), parts);
    }
    // 22b: an event that refines the initialisation
    let again = "event label=go\n  refinesEvent target=INITIALISATION\n";
    holds(&errors("", "", Some(again)), &["R.bum:12:20", "refined by INITIALISATION alone"]);
}

/// An initialisation comes first: nothing can stand before it.
#[test]
fn an_initialisation_has_no_guards() {
    let guarded = MACHINE.replace("  action", "  guard label=grd1 predicate=`1 = 1`\n  action");
    let files = [("C.buc", context(CONTEXT)), ("M.bum", machine(&guarded))];
    let folder = project(&files);
    let loaded = load(folder.path());
    assert!(loaded.machine.is_none());
    holds(&said(&loaded), &["event INITIALISATION, guard grd1", "INITIALISATION has no guards"]);
}

/// What a machine has dropped stays away.
#[test]
fn a_dropped_variable_does_not_come_back() {
    let refinement = |of: &str, variable: &str| {
        let text = format!(
            "refinesMachine target={of}
variable identifier={variable}
event label=INITIALISATION
  action label=act1 assignment=`{variable} ≔ 0`
"
        );
        machine(&text)
    };
    let files = [
        ("C.buc", context(CONTEXT)),
        ("M.bum", machine(MACHINE)),
        ("N.bum", refinement("M", "y")),
        ("O.bum", refinement("N", "x")),
    ];
    let folder = project(&files);
    let loaded = load(folder.path());
    assert!(loaded.machine.is_none());
    holds(&said(&loaded), &["O.bum:", "`x` was dropped by `N`", "a new name"]);
}

/// A machine knows neither the variables of its refinements nor, in events, those it has dropped.
#[test]
fn variables_of_other_levels() {
    let later = "event label=go\n  guard label=grd1 predicate=`y = 0`\n  action label=a assignment=`x ≔ 0`\n";
    let own = "variable identifier=y\nevent label=step\n  action label=a assignment=`y ≔ 0`\n";
    let text = errors("", later, Some(own));
    holds(&text, &["M.bum:15:13", "event go, guard grd1, column 1", "variable of a refinement"]);
    let dropped = "event label=go\n  guard label=grd1 predicate=`z = 0`\n";
    let text = errors(
        "",
        "variable identifier=z\ninvariant label=inv2 predicate=`z = 0`\n",
        Some(dropped),
    );
    holds(&text, &["R.bum:", "event go, guard grd1, column 1", "`z` was dropped"]);
    let variant = "variant expression=`x + z`\nevent label=go convergence=1\n  guard label=grd1 predicate=`x > 0`\n";
    let text = errors(
        "",
        "variable identifier=z\ninvariant label=inv2 predicate=`z = 0`\n",
        Some(variant),
    );
    holds(&text, &["R.bum:", "(variant, column 5)", "`z` was dropped", "invariants and witnesses"]);
}

/// A parameter hides nothing: an abstract event that speaks of what it hides would speak of the parameter.
#[test]
fn parameters_have_names_of_their_own() {
    let event = |parameter: &str| {
        format!(
            "event label=go\n  parameter identifier={parameter}\n  guard label=grd1 predicate=`{parameter} = {parameter}`\n"
        )
    };
    for (name, what) in [("x", "a variable of M"), ("n", "a constant of C"), ("S", "a set of C")] {
        let told = format!("the parameter `{name}` has the name of {what}");
        let text = errors("", &event(name), None);
        holds(&text, &["M.bum:14:9", &told, "declared here", "a name of its own"]);
    }
    // One that the machine has dropped, and that a guard of the abstract event speaks of.
    let of_m = "variable identifier=v\ninvariant label=inv2 predicate=`v ∈ ℕ`\nevent label=go\n  guard label=grd1 predicate=`v = 0`\n";
    let of_r = "event label=go\n  refinesEvent target=go\n  parameter identifier=v\n  guard label=grd1 predicate=`v = 3`\n";
    holds(&errors("", of_m, Some(of_r)), &["R.bum:", "`v` has the name of a variable of M"]);
    // What only a refinement knows is nothing that the abstract machine hides.
    let of_m = "event label=go\n  parameter identifier=w\n  guard label=grd1 predicate=`w = 0`\n";
    let files = [
        ("C.buc", context(CONTEXT)),
        (
            "M.bum",
            machine(&MACHINE.replace("event label=INIT", &format!("{of_m}event label=INIT"))),
        ),
        (
            "R.bum",
            machine(&format!(
                "variable identifier=w\n{}",
                REFINEMENT.replace(
                    "extended=true",
                    "extended=true\n  action label=act2 assignment=`w ≔ 0`"
                )
            )),
        ),
    ];
    let folder = project(&files);
    let loaded = load(folder.path());
    assert!(loaded.machine.is_some(), "{}", said(&loaded));
}

/// What a witness is for: whatever it says of something else chooses nothing.
#[test]
fn witnesses_for_nothing_are_told_of() {
    let of_m = "variable identifier=v
variable identifier=w
invariant label=inv2 predicate=`v ∈ ℕ ∧ w ∈ ℕ`
event label=go
  parameter identifier=k
  parameter identifier=l
  guard label=grd1 predicate=`k = 0 ∧ l = 0`
  action label=act2 assignment=`v :∈ ℕ`
  action label=act3 assignment=`w ≔ 1`
";
    let said_of = |witnesses: &[(&str, &str)]| {
        let lines: String = witnesses
            .iter()
            .map(|(label, p)| format!("  witness label={label} predicate=`{p}`\n"))
            .collect();
        let of_r = format!(
            "event label=go\n  refinesEvent target=go\n  parameter identifier=l\n  guard label=grd1 predicate=`l = 0`\n{lines}"
        );
        let initial = MACHINE.replace("x ≔ 0", "x, v, w ≔ 0, 0, 0");
        let refinement =
            REFINEMENT.replace(" extended=true", "\n  action label=act1 assignment=`x ≔ 0`");
        let files = [
            ("C.buc", context(CONTEXT)),
            ("M.bum", machine(&format!("{initial}{of_m}"))),
            ("R.bum", machine(&format!("{refinement}{of_r}"))),
        ];
        let folder = project(&files);
        let loaded = load(folder.path());
        (loaded.machine.is_some(), said(&loaded))
    };
    let (needed, other) = (("k", "k = 0"), ("v'", "v' = 0"));
    let (accepted, text) = said_of(&[needed, other]);
    assert!(accepted && !text.contains("witness"), "{text}");
    for (witness, why) in [
        (("l", "l = 0"), "`l` is a parameter here, too"),
        (("x'", "x' = 0"), "`x` is a variable here, too"),
        (("w'", "w' = 1"), "the abstract event leaves no choice of `w`"),
        (("v", "v = 0"), "the new value of the variable `v` is called `v'`"),
        (("u'", "x = 0"), "`M` has no variable `u`"),
        (("q", "x = 0"), "no event of `M` that is refined here has a parameter `q`"),
    ] {
        let (accepted, text) = said_of(&[needed, other, witness]);
        let message = format!("the witness `{}` chooses nothing: {why}", witness.0);
        let place = format!("event go, witness {}, column 1", witness.0);
        assert!(accepted, "{text}");
        holds(
            &text,
            &["R.bum:", &place, "needless-witness", &message, "the witnesses that it needs"],
        );
        let (_, text) = said_of(&[witness]);
        holds(&text, &["the event `go` needs a witness for `k`, `v'`"]);
    }
    let (accepted, text) = said_of(&[needed, other, ("k", "k < 1")]);
    assert!(!accepted);
    holds(
        &text,
        &["event go, witness k", "there are two witnesses `k`", "the other one", "join them"],
    );
}

/// Labels are those of one machine: another may have the same.
#[test]
fn labels_of_different_machines_do_not_clash() {
    let refinement = format!("{REFINEMENT}invariant label=inv1 predicate=`x ≥ 0`\n");
    let files =
        [("C.buc", context(CONTEXT)), ("M.bum", machine(MACHINE)), ("R.bum", machine(&refinement))];
    let folder = project(&files);
    for alone in [false, true] {
        let levels = Levels { alone, ..Levels::default() };
        let options = ReadOptions { levels, ..ReadOptions::default() };
        let loaded = normalise::load_including(folder.path(), &options);
        let machine = loaded.machine.as_ref().unwrap_or_else(|| panic!("{}", said(&loaded)));
        let labels = machine.invariant.iter().filter_map(|c| c.label.as_deref());
        assert_eq!(labels.collect::<Vec<_>>(), ["inv1", "inv1"], "{alone}");
    }
}

/// What is wrong with the XML is shown in the file as it is.
#[test]
fn files_that_are_not_as_rodin_writes_them() {
    let folder = |m: &str| project(&[("C.buc", context(CONTEXT)), ("M.bum", m.to_owned())]);
    let right = machine(MACHINE);
    for (text, parts) in [
        // 23: cut off
        (&right[..right.len() - 40], &["M.bum:", "no whole XML file"][..]),
        // ... within an attribute: at the end, where something is missing
        (
            &right[..right.find("predicate=").expect("an invariant") + 12],
            &["M.bum:5:", "no whole XML file: unexpected end of stream"],
        ),
        // 24: another root
        ("<html><body/></html>", &["M.bum:1:1", "neither a machine nor a context"]),
        // 25: a formula is missing
        (
            &right.replace(" org.eventb.core.predicate=\"x ∈ 0‥n\"", ""),
            &["M.bum:5:1", "this invariant has no predicate"],
        ),
        // 26: a name that is none
        (
            &right.replace("identifier=\"x\"", "identifier=\"1 x\""),
            &["M.bum:4:1", "`1 x` is no identifier"],
        ),
        // 27: a reserved word
        (
            &right.replace("identifier=\"x\"", "identifier=\"card\""),
            &["M.bum:4:1", "`card` is a reserved word"],
        ),
        // 28: a context under the name of a machine
        (
            &context(CONTEXT),
            &[
                "M.bum:2:1",
                "by its name this file is a machine, and by its content a context",
                ".buc",
            ],
        ),
        // 29: entities that grow
        (
            "<!DOCTYPE m [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;\">]><m>&b;</m>",
            &["M.bum:1:", "no whole XML file"],
        ),
        // 30: an unknown status
        (
            &right.replace(
                "label=\"INITIALISATION\"",
                "label=\"INITIALISATION\" org.eventb.core.convergence=\"7\"",
            ),
            &["M.bum:6:1", "convergence"],
        ),
    ] {
        let folder = folder(text);
        let loaded = load(folder.path());
        assert!(loaded.machine.is_none());
        holds(&said(&loaded), parts);
    }
    // 31: no file at all; 32: no text
    let empty = folder("");
    holds(&said(&load(empty.path())), &["M.bum", "empty"]);
    let binary = folder("\0\0");
    holds(&said(&load(binary.path())), &["M.bum", "not a text file"]);
}

#[test]
fn theories_are_refused_where_they_are_used() {
    let theory = "<org.eventb.theory.core.theoryRoot><org.eventb.theory.core.newOperatorDefinition \
                  org.eventb.core.label=\"nodes\"/></org.eventb.theory.core.theoryRoot>";
    let with = |m: String| {
        let files = [("C.buc", context(CONTEXT)), ("M.bum", m), ("graphs.tuf", theory.to_owned())];
        let folder = project(&files);
        load(folder.path())
    };
    let unused = with(machine(MACHINE));
    assert!(unused.machine.is_some(), "{}", said(&unused));
    let used = format!("{MACHINE}invariant label=inv2 predicate=`x ∈ nodes(S)`\n");
    let text = said(&with(machine(&used)));
    holds(&text, &["invariant inv2, column 5", "`nodes` comes from the theory `graphs`"]);
}

#[test]
fn folders_without_a_machine_to_check() {
    let none = project(&[]);
    holds(&said(&load(none.path())), &["no machine of Rodin"]);
    let contexts = project(&[("C.buc", context(CONTEXT))]);
    holds(&said(&load(&contexts.path().join("M.bum"))), &["M.bum", "no such file"]);
    // A workspace: its projects are listed.
    let inner = none.path().join("crossing");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("M.bum"), machine(MACHINE)).unwrap();
    holds(&said(&load(none.path())), &["no machine of Rodin", "projects in it", "crossing"]);
    // Two machines that nothing refines: which one?
    let two = project(&[
        ("C.buc", context(CONTEXT)),
        ("A.bum", machine(MACHINE)),
        ("B.bum", machine(MACHINE)),
    ]);
    holds(&said(&load(two.path())), &["2 machines are refined by no other: A, B", "A.bum"]);
    assert!(load(&two.path().join("B.bum")).machine.is_some());
    // One that refines what is no machine: that is what is wrong, and not that there are two.
    let refines = |target: &str| machine(&format!("refinesMachine target={target}\n{MACHINE}"));
    for (target, parts) in [
        ("C", &["R.bum:2:9", "`C` is a context: a machine refines a machine", "SEES C"][..]),
        ("N", &["R.bum:2:9", "there is no machine `N`", "the machines of this model: M, R"]),
        ("m", &["R.bum:2:9", "there is no machine `m`", "did you mean `M`? Upper and lower case"]),
    ] {
        let wrong = project(&[
            ("C.buc", context(CONTEXT)),
            ("M.bum", machine(MACHINE)),
            ("R.bum", refines(target)),
        ]);
        holds(&said(&load(wrong.path())), parts);
        assert!(load(&wrong.path().join("M.bum")).machine.is_some());
    }
    let sees = MACHINE.replace("seesContext target=C", "seesContext target=M");
    let machines = project(&[("M.bum", machine(MACHINE)), ("R.bum", machine(&sees))]);
    holds(
        &said(&load(&machines.path().join("R.bum"))),
        &["R.bum:2:6", "`M` is a machine: what is seen or extended is a context", "REFINES M"],
    );
    // Machines in a circle.
    let circle = MACHINE.replace("seesContext target=C", "refinesMachine target=M");
    let round = project(&[("M.bum", machine(&circle))]);
    holds(&said(&load(round.path())), &["M.bum:2:9", "circle: M -> M"]);
}

/// A file that cannot be read is in nobody's way who does not need it.
#[test]
fn files_that_are_not_needed() {
    let right = machine(MACHINE);
    let wrong = [
        (String::new(), "the file is empty"),
        ("\0\u{1}".to_owned(), "this is not a text file"),
        (right[..60].to_owned(), "no whole XML file"),
        (context(CONTEXT), "by its content a context"),
    ];
    for (text, why) in wrong {
        let files =
            [("C.buc", context(CONTEXT)), ("M.bum", right.clone()), ("X.bum", text.clone())];
        let folder = project(&files);
        let named = load(&folder.path().join("M.bum"));
        assert!(named.machine.is_some(), "{}", said(&named));
        holds(&said(&named), &["unneeded-file", "X.bum: this file cannot be read", why]);
        // Which machine is meant nobody knows where one of them is not known.
        let whole = load(folder.path());
        assert!(whole.machine.is_none());
        holds(&said(&whole), &["X.bum", why]);
        let is_read = !text.trim().is_empty() && !text.contains('\0');
        assert_eq!(said(&whole).contains("name the machine to check by its file"), !is_read);
        // One that is needed.
        let refining = machine(&format!("refinesMachine target=X\n{MACHINE}"));
        std::fs::write(folder.path().join("M.bum"), refining).unwrap();
        let needing = load(&folder.path().join("M.bum"));
        assert!(needing.machine.is_none());
        holds(&said(&needing), &["X.bum", why]);
    }
}

/// Limits hold while a project is read.
#[test]
fn a_clock_ends_the_reading() {
    use burnside::clock::Clock;
    let many: String =
        (0..20_000).map(|i| format!("invariant label=i{i} predicate=`x + {i} ≥ 0`\n")).collect();
    let folder =
        project(&[("C.buc", context(CONTEXT)), ("M.bum", machine(&(MACHINE.to_owned() + &many)))]);
    let clock = Clock::halting_at(3);
    let read = burnside::stack::large(|| clock.guard(|| load(folder.path())));
    assert!(read.is_err(), "{:?}", read.map(|loaded| loaded.diagnostics));
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_out_of_a_project() {
    let outside = project(&[("C.buc", context(CONTEXT))]);
    let folder = project(&[("M.bum", machine(MACHINE))]);
    let link = |from: &Path| std::os::unix::fs::symlink(from, folder.path().join("C.buc"));
    link(&outside.path().join("C.buc")).unwrap();
    holds(&said(&load(folder.path())), &["C.buc", "leads out of the project"]);
}
