//! What a project means: the same as a machine in classical B that was written by hand.

use super::{context, good, machine, project, said, section};
use burnside::clock::Clock;
use burnside::normalise;
use burnside::report::answer::Reply;
use burnside::search::{self, Control, Outcome, SearchOptions, SymmetryMode, Verdict};
use burnside::session::animator::Position;
use burnside::session::{Origin, Session};
use burnside::setup::{self, SetupOptions};
use burnside::typing::Loaded;
use std::sync::Arc;

fn search(loaded: Loaded, symmetry: SymmetryMode) -> Outcome {
    let machine = loaded.machine.expect("a machine");
    let model = setup::set_up(&Arc::new(machine), &SetupOptions::default(), None)
        .unwrap_or_else(|d| panic!("{}", d[0].render(&loaded.sources)));
    let options =
        SearchOptions { symmetry: Some(symmetry), keep_going: true, ..SearchOptions::default() };
    search::run(&model, &options, &Arc::new(Control::new()))
}

fn counts(outcome: &Outcome) -> (Verdict, u64, u64) {
    (outcome.verdict, outcome.states, outcome.transitions)
}

/// The most refined machine of `models/section` with the abstract variable written out.
const COUNTED: &str = "MACHINE counted SETS TRAIN; LIGHT = {red, green} CONSTANTS limit
    PROPERTIES card(TRAIN) = 3 & limit = 2
    VARIABLES fr, bk, light, count, inside
    INVARIANT fr <: TRAIN & bk <: TRAIN & light : LIGHT & count : 0..2 & inside = fr \\/ bk
      & fr /\\ bk = {} & card(fr) <= 1 & card(bk) <= 1 & card(inside) <= limit
      & (light = green => fr = {})
    ASSERTIONS limit < card(TRAIN); inside /= TRAIN
    INITIALISATION fr, bk, light, count, inside := {}, {}, red, 0, {}
    OPERATIONS
      enter(t) = SELECT t : TRAIN - (fr \\/ bk) & light = green
        THEN fr, light, inside := {t}, red, inside \\/ {t} END;
      advance(t) = SELECT t : fr & bk = {} THEN fr, bk := fr - {t}, bk \\/ {t} END;
      leave = SELECT bk /= {} THEN bk, count, inside := {}, (count + 1) mod 3, inside - bk END;
      clear = SELECT fr = {} & light = red THEN light := green END
    END";

/// The most abstract one.
const SECTION: &str = "MACHINE section SETS TRAIN CONSTANTS limit
    PROPERTIES card(TRAIN) = 3 & limit = 2
    VARIABLES inside INVARIANT inside <: TRAIN & card(inside) <= limit
    INITIALISATION inside := {}
    OPERATIONS
      enter(t) = SELECT t : TRAIN - inside & card(inside) < limit THEN inside := inside \\/ {t} END;
      leave(t) = SELECT t : inside THEN inside := inside - {t} END
    END";

#[test]
fn the_section_of_track_is_the_machine_written_by_hand() {
    for symmetry in [SymmetryMode::Off, SymmetryMode::Canon] {
        let project = search(good(&section()), symmetry);
        let by_hand = search(normalise::load_text("counted", COUNTED), symmetry);
        assert_eq!(counts(&project), counts(&by_hand), "{symmetry:?}");
    }
    // Four places without a train in front, each with two lights; nine with one: times three counts.
    let outcome = search(good(&section()), SymmetryMode::Off);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 51));
}

#[test]
fn a_machine_of_the_project_is_named_by_its_file() {
    let named = search(good(&section().join("Section.bum")), SymmetryMode::Off);
    let by_hand = search(normalise::load_text("section", SECTION), SymmetryMode::Off);
    assert_eq!(counts(&named), counts(&by_hand));
    assert_eq!(named.states, 7);
    let blocks = search(good(&section().join("Blocks.bum")), SymmetryMode::Off);
    assert_eq!(blocks.states, 17);
}

#[test]
fn the_page_is_what_rodin_prints() {
    let loaded = good(&section());
    let pages: String = loaded
        .sources
        .files()
        .map(|(_, file)| {
            let name = file.path.file_name().unwrap().to_string_lossy().into_owned();
            format!("--- {name}\n{}", file.text)
        })
        .collect();
    insta::assert_snapshot!(pages);
}

/// Every name of the typed machine stands where its span says.
#[test]
fn spans_point_to_what_they_name() {
    let loaded = good(&section());
    let machine = loaded.machine.unwrap();
    for variable in machine.variables.iter().chain(&machine.constants) {
        assert_eq!(loaded.sources.text(variable.span), &*variable.name);
    }
}

#[test]
fn all_forms_of_the_language_have_a_type() {
    let ctx = context(
        "carrierSet identifier=S
constant identifier=a
constant identifier=b
constant identifier=r
axiom label=axm1 predicate=`partition(S, {a}, {b})`
axiom label=axm2 predicate=`r ∈ S ↔ S`
axiom label=axm3 predicate=`r = {a ↦ b, b ↦ a}`
axiom label=t01 theorem=true predicate=`(id ⦂ ℙ(S×S)) ⊆ S × S`
axiom label=t02 theorem=true predicate=`prj1(a ↦ 1) = a ∧ prj2(a ↦ 1) = 1`
axiom label=t03 theorem=true predicate=`union({{a}, {b}}) = S ∧ inter({{a}, S}) = {a}`
axiom label=t04 theorem=true predicate=`{x·x ∈ 1‥3 ∣ x ∗ x} = {1, 4, 9}`
axiom label=t05 theorem=true predicate=`{x ↦ y ∣ x ∈ 1‥2 ∧ y = x + 1} = {1 ↦ 2, 2 ↦ 3}`
axiom label=t06 theorem=true predicate=`(λx ↦ y·x ∈ 1‥2 ∧ y ∈ 1‥2 ∣ x + y)(1 ↦ 2) = 3`
axiom label=t07 theorem=true predicate=`(λx ↦ (y ↦ z)·x ∈ 1‥2 ∧ y ∈ 1‥2 ∧ z ∈ 1‥2 ∣ x + y − z)(1 ↦ (2 ↦ 1)) = 2`
axiom label=t08 theorem=true predicate=`(⋃x·x ∈ 1‥3 ∣ {x}) = 1‥3 ∧ (⋃{x} ∣ x ∈ 1‥3) = 1‥3`
axiom label=t09 theorem=true predicate=`(⋂x·x ∈ 1‥3 ∣ 1‥x) = {1}`
axiom label=t10 theorem=true predicate=`r∼[{a}] = {b} ∧ r;r = S ◁ id ∧ r∘r = r;r`
axiom label=t11 theorem=true predicate=`2^3 = 8 ∧ 7 mod 4 = 3 ∧ −7 ÷ 2 = −3`
axiom label=t12 theorem=true predicate=`bool(a = b) = FALSE ∧ finite(S) ∧ card(S) = 2`
axiom label=t13 theorem=true predicate=`{a} ◁ r = {a ↦ b} ∧ {a} ⩤ r = {b ↦ a} ∧ r ▷ {a} = {b ↦ a} ∧ r ⩥ {a} = {a ↦ b}`
axiom label=t14 theorem=true predicate=`r \u{E103} {a ↦ a} = {a ↦ a, b ↦ a}`
axiom label=t15 theorem=true predicate=`r ⊗ r = {a ↦ (b ↦ b), b ↦ (a ↦ a)} ∧ card(r ∥ r) = 4`
axiom label=t16 theorem=true predicate=`r ∈ S → S ∧ r ∈ S ⤖ S ∧ r ∈ S ↠ S ∧ r ∈ S ↣ S ∧ r ∈ S ⇸ S ∧ r ∈ S ⤔ S ∧ r ∈ S ⤀ S ∧ r ∈ S \u{E100} S ∧ r ∈ S \u{E101} S ∧ r ∈ S \u{E102} S`
axiom label=t17 theorem=true predicate=`succ(1) = 2 ∧ pred(1) = 0 ∧ min({1, 2}) + max({1, 2}) = 3`
axiom label=t18 theorem=true predicate=`∀x⦂ℤ·x ∈ 1‥2 ⇒ (∃y·y ∈ 2‥3 ∧ x < y)`
axiom label=t19 theorem=true predicate=`S ∖ {a} = {b} ∧ ¬ a ∈ ∅ ∧ S ⊈ {a} ∧ {a} ⊂ S ∧ S ⊄ S`
axiom label=t20 theorem=true predicate=`(a ≠ b ⇔ ⊤) ∧ (⊥ ⇒ a = b)`",
    );
    let main = machine(
        "seesContext target=C
variable identifier=x
invariant label=inv1 predicate=`x ∈ 0‥1`
event label=INITIALISATION
  action label=act1 assignment=`x ≔ 0`
event label=go
  guard label=grd1 predicate=`x = 0`
  action label=act1 assignment=`x :∣ x' = x + 1`
event label=back
  guard label=grd1 predicate=`x = 1`
  action label=act1 assignment=`x :∈ {0}`",
    );
    let folder = project(&[("C.buc", ctx), ("M.bum", main)]);
    let outcome = search(good(folder.path()), SymmetryMode::Off);
    assert_eq!((outcome.verdict, outcome.states), (Verdict::Ok, 2), "{:?}", outcome.finding);
}

/// ASCII and Unicode are the same language.
#[test]
fn ascii_is_read_as_unicode_is() {
    let text = |f: &str| std::fs::read_to_string(section().join(f)).unwrap();
    let ascii = |f: &str| {
        let pairs = [
            ("∖", "\\"),
            ("∪", "\\/"),
            ("∩", "/\\"),
            ("∅", "{}"),
            ("≔", ":="),
            ("∈", ":"),
            ("⊆", "&lt;:"),
            ("≤", "&lt;="),
            ("≠", "/="),
            ("⇒", "=&gt;"),
            ("∧", "&amp;"),
            ("‥", ".."),
        ];
        pairs.iter().fold(text(f), |text, (from, to)| text.replace(from, to))
    };
    let files = ["Section.bum", "Blocks.bum", "Counted.bum", "Trains.buc", "Signals.buc"];
    let folder = project(&files.map(|f| (f, ascii(f))));
    let read = search(good(folder.path()), SymmetryMode::Off);
    assert_eq!(counts(&read), counts(&search(good(&section()), SymmetryMode::Off)));
}

#[test]
fn a_session_reads_a_project_again_when_a_component_is_saved() {
    let files = ["Section.bum", "Blocks.bum", "Counted.bum", "Trains.buc", "Signals.buc"];
    let text = |f: &str| std::fs::read_to_string(section().join(f)).unwrap();
    let folder = project(&files.map(|f| (f, text(f))));
    let origin = Origin::File(folder.path().to_owned());
    let mut session = Session::open(origin, SetupOptions::default());
    let watched = session.files();
    for file in files {
        assert!(watched.contains(&folder.path().join(file)), "{file}: {watched:?}");
    }
    assert!(session.missing().is_empty());
    // As Rodin and editors save: a new file takes the place of the old one.
    let new = folder.path().join("Counted.bum.new");
    std::fs::write(&new, text("Counted.bum").replace("mod 3", "mod 2")).unwrap();
    std::fs::rename(&new, folder.path().join("Counted.bum")).unwrap();
    session.reload_under(&Clock::limited(None, None));
    let good = session.good().expect("a model");
    assert!(good.sources.files().any(|(_, file)| file.text.contains("mod 2")));
    std::fs::write(folder.path().join("Trains.buc"), "<broken").unwrap();
    session.reload_under(&Clock::limited(None, None));
    assert!(session.is_stale());
    assert!(session.files().contains(&folder.path().join("Trains.buc")));
}

/// Formulas that are typed in are in Rodin's notation, too, and so are types that are told.
#[test]
fn questions_are_asked_in_the_language_of_the_model() {
    let open = |goal: Option<&str>| {
        let setup = SetupOptions { goal: goal.map(str::to_owned), ..SetupOptions::default() };
        Session::open(Origin::File(section()), setup)
    };
    let session = open(None);
    let mut animator = session.animator().expect("a model");
    while !matches!(animator.position(), Position::State(_)) {
        assert!(animator.step(0));
    }
    let mut ask = |text: &str| match animator.ask(text, 10) {
        Ok(Reply::Value { value, ty }) => format!("{value} : {ty}"),
        Ok(Reply::Truth { truth, .. }) => truth.to_string(),
        Ok(reply) => format!("{reply:?}"),
        Err(refused) => refused.line(),
    };
    assert_eq!(ask("{1 ↦ front ∪ back}"), "{(1|->{})} : POW(INT ** POW(TRAIN))");
    assert_eq!(ask("2^3 ∗ count"), "0 : INT");
    assert_eq!(ask("{x·x ∈ 1‥3 ∧ x ≠ 2 ∣ x ∗ x}"), "{1,9} : POW(INT)");
    assert_eq!(ask("light = red ⇒ front = back"), "true");
    assert!(ask("a ∧ b ∨ c").contains("brackets"));
    let goal = open(Some("∃t·t ∈ front ∧ back = {}"));
    assert!(goal.diagnostics().is_empty(), "{:?}", goal.diagnostics());
    assert!(goal.good().is_some());
    let wrong = open(Some("count = 1 ∧ light = red ∨ front = ∅"));
    assert_eq!(wrong.diagnostics()[0].code, "mixed-operators");
}

/// A comprehension of pairs `x ↦ E` over all its names is a function: it is applied although it is infinite.
#[test]
fn comprehensions_of_pairs_are_functions() {
    let session = Session::open(Origin::File(section()), SetupOptions::default());
    let mut animator = session.animator().expect("a model");
    while !matches!(animator.position(), Position::State(_)) {
        assert!(animator.step(0));
    }
    let mut ask = |text: &str| match animator.ask(text, 10) {
        Ok(Reply::Value { value, ty }) => format!("{value} : {ty}"),
        Ok(reply) => format!("{reply:?}"),
        Err(refused) => refused.line(),
    };
    assert_eq!(ask("{n·n ∈ ℤ ∣ n ↦ n + 1}(41)"), "42 : INT");
    assert_eq!(
        ask("{f·f ∈ ℤ ↔ ℤ ∣ f ↦ f \u{E103} {1 ↦ 2}}({3 ↦ 4})"),
        "{(1|->2),(3|->4)} : POW(INT ** INT)"
    );
    // The names in another order, or with something else on the left.
    assert_eq!(ask("{m,n·m ∈ ℤ ∧ n ∈ ℤ ∣ n ↦ m ↦ m − n}(1 ↦ 9)"), "8 : INT");
    assert_eq!(ask("{m,n·m ∈ 0‥2 ∧ n ∈ 1‥2 ∣ n ↦ m}[{2}]"), "{0,1,2} : POW(INT)");
    assert_eq!(ask("bool(2 ↦ 3 ∈ {m,n·n > m ∣ m ↦ n})"), "TRUE : BOOL");
    assert_eq!(ask("bool(3 ↦ 2 ∈ {m,n·n > m ∣ n ↦ m})"), "TRUE : BOOL");
    assert_eq!(ask("bool(7 ∈ {m·m > 2 ∣ m})"), "TRUE : BOOL");
    assert_eq!(ask("{m,n·m ∈ 1‥2 ∧ n ∈ 3‥4 ∣ n ↦ m}[{3}]"), "{1,2} : POW(INT)");
    assert_eq!(ask("{m·m ∈ 0‥3 ∣ m ÷ 2 ↦ m}[{1}]"), "{2,3} : POW(INT)");
    assert_eq!(ask("{m,n·m ∈ 0‥1 ∧ n ∈ 0‥1 ∣ m + n ↦ m}[{1}]"), "{0,1} : POW(INT)");
}

/// The guards of an event are a conjunction that nobody wrote: it mixes nothing.
#[test]
fn guards_of_several_conjuncts_are_no_mixture() {
    let guards = "guard label=grd1 predicate=`x ≥ 0 ∧ x < 3`\n  guard label=grd2 predicate=`x = 0`";
    let model = format!(
        "variable identifier=x\ninvariant label=inv1 predicate=`x ∈ 0‥3`\nevent label=INITIALISATION\n  \
         action label=a assignment=`x ≔ 0`\nevent label=go\n  {guards}\n  action label=a assignment=`x ≔ 1`\n"
    );
    let folder = project(&[("M.bum", machine(&model))]);
    let loaded = normalise::load_machine(folder.path());
    let said: Vec<_> = loaded.diagnostics.iter().map(|d| d.code).collect();
    assert!(!said.contains(&"mixed-connectives"), "{said:?}");
}

/// Where nothing is refined, an initialisation that is said to extend another one is all that it says itself; another
/// event is not.
#[test]
fn an_initialisation_without_one_above_may_be_extended() {
    let model = |initialisation: &str, flip: &str| {
        machine(&format!(
            "variable identifier=x\ninvariant label=inv1 predicate=`x ∈ 0‥1`\n\
             event label=INITIALISATION {initialisation}\n  action label=a assignment=`x ≔ 0`\n\
             event label=flip {flip}\n  action label=a assignment=`x ≔ 1 − x`\n"
        ))
    };
    let folder = project(&[("M.bum", model("extended=true", "extended=false"))]);
    let outcome = search(good(folder.path()), SymmetryMode::Off);
    assert_eq!(counts(&outcome), (Verdict::Ok, 2, 3), "{:?}", outcome.finding);
    let folder = project(&[("M.bum", model("extended=false", "extended=true"))]);
    let said = said(&normalise::load_machine(folder.path()));
    assert!(said.contains("`flip` is extended: it refines exactly one event"), "{said}");
}

#[test]
fn contexts_without_a_machine_are_set_up() {
    let base = context(
        "carrierSet identifier=S\nconstant identifier=n\naxiom label=axm1 predicate=`n ∈ 1‥3`\n",
    );
    let above = context(
        "extendsContext target=C\nconstant identifier=f\naxiom label=axm1 predicate=`f ∈ 1‥n → BOOL`\n\
         axiom label=thm1 theorem=true predicate=`card(f) = n`\n",
    );
    let folder = project(&[("C.buc", base), ("D.buc", above)]);
    // All that no other context extends, or the one that is named.
    for (path, set_ups) in [
        (folder.path().to_owned(), 2 + 4 + 8),
        (folder.path().join("D.buc"), 2 + 4 + 8),
        (folder.path().join("C.buc"), 3),
    ] {
        let outcome = search(good(&path), SymmetryMode::Off);
        // The root, and a state for each set-up.
        assert_eq!(outcome.nodes, 1 + 2 * set_ups, "{} {:?}", path.display(), outcome.finding);
    }
}
