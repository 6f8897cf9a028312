//! Sessions: loading and reloading; the animator: steps, history, traces, matrices.

mod alike;

use super::animator::Position;
use super::view::Truth;
use super::*;
use crate::clock::Clock;
use crate::machine::OpId;
use crate::report::steps::StepText;
use crate::run::{Event, INITIALISATION, SETUP};
use crate::search::{SearchOptions, SymmetryMode, Verdict};
use crate::setup::SetupOptions;

/// Tokens lie on places; at most one on each.
const TOKENS: &str = "\
MACHINE tokens
SETS Token; Place
CONSTANTS home
PROPERTIES home : Place
VARIABLES lies
INVARIANT lies : Token >+> Place & /*@label not_home*/ home /: ran(lies)
INITIALISATION lies := {}
OPERATIONS
  put(t, p) = PRE t : Token & p : Place & t /: dom(lies) & p /: ran(lies)
    THEN lies(t) := p END;
  p <-- at(t) = PRE t : dom(lies) THEN p := lies(t) END
END
";

fn options(goal: Option<&str>) -> SetupOptions {
    SetupOptions {
        cards: vec![("Token".to_owned(), 2), ("Place".to_owned(), 3)],
        goal: goal.map(str::to_owned),
        // All set-ups, so that there are some to choose from.
        static_symmetry: false,
        ..SetupOptions::default()
    }
}

fn embedded(text: &str) -> Session {
    let origin = Origin::Embedded { name: "tokens.mch".to_owned(), text: text.to_owned() };
    Session::open(origin, options(None))
}

fn animator() -> Animator {
    embedded(TOKENS).animator().unwrap()
}

/// An enabled transition, as it is written.
fn written(animator: &mut Animator, i: usize) -> StepText {
    let step = animator.label(i).unwrap();
    StepText::of(&animator.model().instance, &step)
}

/// The history, as it is written.
fn history(animator: &Animator) -> Vec<StepText> {
    StepText::list(&animator.model().instance, &animator.history())
}

fn labels(animator: &mut Animator) -> Vec<String> {
    (0..animator.enabled().len())
        .map(|i| written(animator, i))
        .map(|l| format!("{}({}){}", l.operation, l.arguments.join(","), l.results.join(",")))
        .collect()
}

#[test]
fn from_the_root_over_the_set_up_to_operations() {
    let mut animator = animator();
    assert_eq!(animator.position(), &Position::Root);
    assert_eq!(animator.enabled().len(), 3, "one set-up for each home");
    let label = written(&mut animator, 1);
    assert_eq!(label.operation, SETUP);
    assert_eq!(label.changed, [("home".to_owned(), "Place2".to_owned())]);
    assert!(animator.step(1));
    assert_eq!(labels(&mut animator), ["INITIALISATION()"]);
    assert!(animator.step(0));
    assert_eq!(animator.enabled().len(), 6);
    assert!(animator.step(0));
    assert_eq!(history(&animator)[2].operation, "put");
    assert_eq!(history(&animator)[2].arguments, ["Token1", "Place1"]);
    assert_eq!(
        labels(&mut animator),
        ["put(Token2,Place2)", "put(Token2,Place3)", "at(Token1)Place1"]
    );
    assert!(!animator.step(3), "there is no fourth");
}

#[test]
fn a_position_is_told_with_previous_values_and_truths() {
    let mut animator = animator();
    for i in [0, 0, 0] {
        animator.step(i);
    }
    let view = animator.view();
    assert_eq!(view.constants, [("home".to_owned(), "Place1".to_owned())]);
    assert_eq!(view.variables[0].name, "lies");
    assert_eq!(view.variables[0].previous.as_deref(), Some("{}"));
    let truths: Vec<_> =
        view.invariant.iter().map(|c| (c.text.as_str(), c.label.as_deref(), c.truth)).collect();
    assert_eq!(
        truths,
        [
            ("lies : Token >+> Place", None, Truth::True),
            ("home /: ran(lies)", Some("not_home"), Truth::False),
        ]
    );
    assert!(view.violation && !view.deadlock && view.is_state);
    animator.undo(1);
    assert!(!animator.view().violation);
    animator.undo(1);
    let view = animator.view();
    assert!(!view.is_state && view.invariant.iter().all(|c| c.truth == Truth::Unknown));
}

/// Of a sequence the pairs that came and went are a set; a sequence in what came and went is written as one.
#[test]
fn what_came_and_went_is_written_as_it_is_declared() {
    let text = "MACHINE Queues SETS Token; Place VARIABLES q, w INVARIANT q : seq(0..3) & w : BOOL --> seq(0..3)
        INITIALISATION q := [2] || w := BOOL * {[]}
        OPERATIONS add = SELECT size(q) = 1 THEN q := q <- 3 || w(TRUE) := [1] END END";
    let mut animator = embedded(text).animator().unwrap();
    assert!(animator.step(0) && animator.step(0));
    let view = animator.view();
    let written: Vec<_> = view.variables.iter().map(|v| v.difference.clone().unwrap()).collect();
    let pair = |added: &str, removed: &str| (added.to_owned(), removed.to_owned());
    assert_eq!(written, [pair("{(2|->3)}", "{}"), pair("{(TRUE|->[1])}", "{(TRUE|->[])}")]);
    let text =
        "MACHINE Functions SETS Token; Place VARIABLES f INVARIANT f : 1..3 --> 0..9 INITIALISATION f := (1..3) * {2}
        OPERATIONS set = SELECT f(1) = 2 THEN f(1) := 7 END END";
    let mut animator = embedded(text).animator().unwrap();
    assert!(animator.step(0) && animator.step(0));
    let written = animator.view().variables[0].difference.clone();
    assert_eq!(written, Some(pair("{(1|->7)}", "{(1|->2)}")));
}

#[test]
fn deadlocks_and_state_errors_are_told() {
    let text =
        TOKENS.replace("PRE t : dom(lies) THEN p := lies(t)", "PRE t : Token THEN p := lies(t)");
    let mut animator = embedded(&text).animator().unwrap();
    animator.step(0);
    animator.step(0);
    let view = animator.view();
    assert_eq!(view.faults.len(), 2);
    assert_eq!(view.faults[0].operation, "at");
    assert_eq!(view.faults[0].arguments, ["Token1"]);
    assert!(view.faults[0].message.contains("outside its domain: lies(t)"));
    assert!(!view.deadlock);

    let text = TOKENS.replace("PRE t : dom(lies) THEN", "PRE t : dom(lies) & t /: dom(lies) THEN");
    let mut animator = embedded(&text).animator().unwrap();
    for i in [0, 0, 0, 0] {
        assert!(!animator.view().deadlock);
        animator.step(i);
    }
    assert!(animator.view().deadlock);
}

/// A state that was reached before is not listed again: its places share one list.
#[test]
fn places_with_one_state_share_their_transitions() {
    let mut animator = animator();
    for i in [0, 0, 0] {
        animator.step(i);
    }
    let lists = |animator: &Animator| {
        let tree = animator.tree();
        let all = (0..=tree.last()).map(|id| {
            let place = tree.place(id);
            (format!("{:?}", place.position), place.enabled.as_ref().map(Arc::as_ptr))
        });
        all.collect::<Vec<_>>()
    };
    // Everywhere and back again, for some time.
    for n in 0..200 {
        let count = animator.enabled().len();
        match count {
            0 => drop(animator.undo(1)),
            count => drop(animator.step(n * 7 % count)),
        }
    }
    let lists = lists(&animator);
    assert!(lists.len() > 100, "{}", lists.len());
    for (position, list) in &lists {
        let same = lists.iter().filter(|(other, _)| other == position);
        assert!(same.into_iter().all(|(_, other)| other == list), "{position}");
    }
}

/// A long walk does not keep the transitions of all its states, and lists them anew where one comes back.
#[test]
fn transitions_of_long_ago_are_listed_anew() {
    let text =
        "MACHINE m VARIABLES x, n INVARIANT x : 0..5000 & n : NATURAL INITIALISATION x, n := 0, 0
OPERATIONS set(v) = PRE v : 1..5000 THEN x, n := v, n + 1 END END";
    let origin = Origin::Embedded { name: "m.mch".to_owned(), text: text.to_owned() };
    let session = Session::open(origin, SetupOptions::default());
    let good = session.good().unwrap();
    let mut animator = Animator::new(good.model.clone(), good.sources.clone());
    let kept = |animator: &Animator| {
        let tree = animator.tree();
        let lists = (0..=tree.last()).filter_map(|id| tree.place(id).enabled.clone());
        lists.map(|enabled| enabled.len()).sum::<usize>()
    };
    let (mut positions, mut most) = (vec![animator.position().clone()], 0);
    for i in 0..260 {
        assert!(animator.step(if i == 0 { 0 } else { i * 17 }));
        positions.push(animator.position().clone());
        most = most.max(kept(&animator));
    }
    // All of them would be 1.3 million.
    assert!((900_000..=1_000_001).contains(&most), "{most}");
    assert!(animator.tree().place(2).enabled.is_none());
    assert_eq!(animator.undo(257), 257);
    assert_eq!((animator.position(), animator.enabled().len()), (&positions[3], 5000));
    assert!(kept(&animator) <= 1_000_001);
    // The same steps lead to the same places.
    assert!(animator.step(3 * 17));
    assert_eq!((animator.position(), animator.tree().last()), (&positions[4], 260));
    assert_eq!(animator.redo(1000), 256);
    assert_eq!(animator.position(), &positions[260]);
}

#[test]
fn history_goes_back_and_forth() {
    let mut animator = animator();
    assert_eq!((animator.undo(1), animator.redo(1)), (0, 0));
    for i in [0, 0, 2] {
        animator.step(i);
    }
    let history = animator.history();
    let position = animator.position().clone();
    assert_eq!(animator.undo(2), 2);
    assert_eq!(animator.depth(), (1, 2));
    assert_eq!(animator.redo(3), 2);
    assert_eq!(animator.history(), history);
    assert_eq!(animator.position(), &position);
}

#[test]
fn traces_are_replayed_exactly_or_alike() {
    let mut first = animator();
    for i in [2, 0, 3] {
        first.step(i);
    }
    let trace = first.history();
    let mut second = animator();
    let done = second.replay(&trace, Match::Exact);
    assert_eq!(done, Replayed { steps: 3, complete: true });
    assert_eq!(second.position(), first.position());

    // With another value for the constant no exact replay gets past the set-up.
    let trace = history(&first);
    let mut follow = |trace: &[StepText], how| reading::follow(&mut second, trace, how).0;
    let mut other = trace.clone();
    other[0].changed[0].1 = "Place9".to_owned();
    assert_eq!(follow(&other, Match::Exact), Replayed { steps: 0, complete: false });
    assert_eq!(follow(&other, Match::Alike), Replayed { steps: 3, complete: true });

    let mut wrong = trace;
    wrong[2].arguments[0] = "Token7".to_owned();
    assert_eq!(follow(&wrong, Match::Alike), Replayed { steps: 2, complete: false });
    assert_eq!(second.history().len(), 2);
}

#[test]
fn written_steps_are_compared_as_values() {
    let mut animator = animator();
    for i in [2, 0, 0, 0] {
        assert!(animator.step(i));
    }
    let position = animator.position().clone();
    let mut steps = history(&animator);
    assert_eq!(steps[3].changed[0].1, "{(Token1|->Place1),(Token2|->Place2)}");
    steps[0].changed[0].1 = " (Place3) ".to_owned();
    steps[2].arguments[1] = "prj2(Token, Place)(Token2 |-> Place1)".to_owned();
    steps[3].changed[0].1 = "{Token2 |-> Place2} \\/ /* both */ {(Token1, Place1)}".to_owned();
    let (replayed, refused) = reading::follow(&mut animator, &steps, Match::Exact);
    assert!(replayed.complete && refused.is_none(), "{replayed:?} {refused:?}");
    assert_eq!(animator.position(), &position);
    // Another value, in the same notation as the one that fits.
    steps[3].changed[0].1 = "{(Token1|->Place1),(Token2|->Place3)}".to_owned();
    let (replayed, refused) = reading::follow(&mut animator, &steps, Match::Exact);
    assert!(!replayed.complete && replayed.steps == 3 && refused.is_none(), "{refused:?}");
}

#[test]
fn what_cannot_be_read_of_a_step_is_told_with_its_place() {
    let mut animator = animator();
    for i in [0, 0, 0] {
        assert!(animator.step(i));
    }
    let good = history(&animator);
    let mut refused = |change: &dyn Fn(&mut StepText)| {
        let mut steps = good.clone();
        change(&mut steps[2]);
        let (replayed, refused) = reading::follow(&mut animator, &steps, Match::Exact);
        assert_eq!(replayed, Replayed { steps: 2, complete: false });
        let refused = refused.expect("refused");
        let paint = |d: &Diagnostic| d.paint(&refused.sources, 100).plain();
        refused.diagnostics.iter().map(paint).collect::<String>()
    };
    for (text, what) in [
        ("Token7", "Token7"),
        ("{Token1}", "POW(Token)"),
        ("1", "type"),
        ("Token1 +", "step 3, argument `t`:1:9"),
        ("lies", "lies"),
        ("prj1(Token, Token)", "type"),
    ] {
        let told = refused(&|step| step.arguments[0] = text.to_owned());
        assert!(told.contains("step 3, argument `t`:1:"), "{told}");
        assert!(told.contains(what), "{told}");
    }
    let told = refused(&|step| step.operation = "get".to_owned());
    assert!(told.contains("step 3: the machine has no operation `get`"), "{told}");
    let told = refused(&|step| step.arguments.truncate(1));
    assert!(told.contains("step 3: `put` has 2 arguments, and here are 1"), "{told}");
    let told = refused(&|step| step.changed[0].0 = "lay".to_owned());
    assert!(told.contains("step 3: the machine has no variable or constant `lay`"), "{told}");
    let told = refused(&|step| step.changed[0].1 = "home".to_owned());
    assert!(told.contains("step 3, `lies`:1:1"), "{told}");
}

#[test]
fn a_trace_may_end_in_a_failing_step() {
    let text = TOKENS.replace("PRE t : dom(lies) THEN p :=", "PRE t : Token THEN p :=");
    let session = embedded(&text);
    let found = run(&session, SearchOptions { invariant: false, ..SearchOptions::default() });
    assert_eq!(found.verdict, Verdict::StateError);
    let trace = found.finding.unwrap().trace;
    let mut animator = session.animator().unwrap();
    let done = animator.replay(&trace.steps, Match::Exact);
    assert_eq!(done, Replayed { steps: trace.steps.len() - 1, complete: true });
    let mut other = trace.steps;
    other.last_mut().unwrap().label.event = Event::Operation(OpId(0));
    assert!(!animator.replay(&other, Match::Exact).complete);
}

fn run(session: &Session, options: SearchOptions) -> Outcome {
    match session.run(&options, &Arc::new(Control::new())) {
        Some(Ended::Outcome(outcome)) => *outcome,
        other => panic!("{other:?}"),
    }
}

#[test]
fn counterexamples_found_under_canon_replay_on_the_machine_itself() {
    let session = embedded(TOKENS);
    for symmetry in SymmetryMode::ALL.into_iter().filter(|m| !m.is_approximate()) {
        let options = SearchOptions { symmetry: Some(symmetry), ..SearchOptions::default() };
        let found = run(&session, options.clone());
        assert_eq!(found.verdict, Verdict::InvariantViolation);
        let trace = found.finding.unwrap().trace;
        assert_eq!(trace.steps.len(), 3);
        let mut animator = session.animator().unwrap();
        assert!(animator.replay(&trace.steps, Match::Exact).complete);
        assert!(animator.view().violation);

        let running = session.check(options).unwrap();
        let Ended::Outcome(outcome) = running.ended.recv().unwrap() else { panic!("failed") };
        assert_eq!((outcome.nodes, outcome.verdict), (found.nodes, found.verdict));
    }
}

#[test]
fn states_of_one_orbit_have_one_matrix() {
    let mut matrices = Vec::new();
    for place in 0..3 {
        let mut animator = animator();
        animator.step(place);
        assert!(matches!(animator.canon(), Err(NoMatrix::NoState)));
        animator.step(0);
        let taken = format!("Place{}", place + 1);
        let free = (0..6).find(|i| written(&mut animator, *i).arguments[1] != taken).unwrap();
        animator.step(free);
        let canon = animator.canon().unwrap();
        assert_eq!(canon.labels, ["home", "lies"]);
        // 3 homes, 2 tokens, 2 other places.
        assert_eq!(canon.orbit_size, 12u32.into());
        assert_eq!(canon.aut_order, crate::symmetry::Order::ONE);
        assert!(canon.legend.is_empty() && canon.image.len() == 2);
        matrices.push(canon.matrix.canonical_label());
    }
    assert!(matrices.windows(2).all(|m| m[0] == m[1]));
}

#[test]
fn a_reload_replaces_the_model_or_marks_it_stale() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tokens.mch");
    std::fs::write(&path, TOKENS).unwrap();
    let mut session = Session::open(Origin::File(path.clone()), options(None));
    assert!(session.model().is_some() && !session.is_stale());
    assert_eq!(session.files(), std::slice::from_ref(&path));

    std::fs::write(&path, TOKENS.replace("lies := {}", "lies := 7")).unwrap();
    session.reload_under(&Clock::new());
    assert!(session.is_stale() && session.model().is_some());
    assert!(session.diagnostics()[0].is_error());

    std::fs::remove_file(&path).unwrap();
    session.reload_under(&Clock::new());
    assert!(session.is_stale());
    assert_eq!(session.diagnostics()[0].code, "unreadable-file");
    assert_eq!(session.files(), std::slice::from_ref(&path), "it may come back");

    std::fs::write(&path, TOKENS.replace("Token >+> Place", "Token +-> Place")).unwrap();
    session.reload_under(&Clock::new());
    assert!(!session.is_stale() && session.diagnostics().is_empty());
    let view = session.animator().unwrap().view();
    assert_eq!(view.invariant[0].text, "lies : Token +-> Place");
}

#[test]
fn what_cannot_be_opened_has_diagnostics_and_no_model() {
    for text in ["", "MACHINE", "MACHINE m VARIABLES x END", "\u{0}"] {
        let session = embedded(text);
        assert!(session.model().is_none() && !session.is_stale(), "{text:?}");
        assert!(session.diagnostics().iter().any(|d| d.is_error()), "{text:?}");
        assert!(session.animator().is_none());
        assert!(session.check(SearchOptions::default()).is_none());
    }
}

#[test]
fn goals_are_typed_against_the_machine() {
    let open = |goal: &str| {
        let origin = Origin::Embedded { name: "tokens.mch".to_owned(), text: TOKENS.to_owned() };
        Session::open(origin, options(Some(goal)))
    };
    let session = open("card(lies) = 2");
    let options = SearchOptions { invariant: false, ..SearchOptions::default() };
    let found = run(&session, options);
    assert_eq!(found.verdict, Verdict::GoalFound);
    for (goal, part) in
        [("lies = 3", "--goal:1:"), ("  ", "the goal is empty"), ("lise = {}", "lise")]
    {
        let session = open(goal);
        assert!(session.model().is_none());
        let text: String =
            session.diagnostics().iter().map(|d| d.render(session.sources())).collect();
        assert!(text.contains(part), "{text}");
    }
    assert!(open("GOAL").model().is_none(), "this machine has no such definition");
}

#[test]
fn panics_of_work_are_messages() {
    let message = on_big_stack(|| -> () { panic!("out of {}", "luck") }).unwrap_err();
    assert_eq!(message, "out of luck");
    assert_eq!(on_big_stack(|| INITIALISATION.len()), Ok(14));
}

/// Far too many transitions to list: 2^22 subsets, each with a choice of its own.
const MANY: &str = "\
MACHINE many
VARIABLES x
INVARIANT x <: 1..22
INITIALISATION x := {}
OPERATIONS
  set(y) = PRE y <: 1..22 & !n.(n : 1..22 => card(y - {n}) >= 0) THEN x := y END
END
";

#[test]
fn a_long_listing_is_cancelled() {
    let origin = Origin::Embedded { name: "many.mch".to_owned(), text: MANY.to_owned() };
    let session = Session::open(origin, SetupOptions::default());
    let good = session.good().unwrap();
    let (model, sources) = (good.model.clone(), good.sources.clone());
    let canceller = Canceller::default();
    let mut animator = Animator::watched(model, sources, TimeLimits::default(), canceller.clone());
    let done = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = done.clone();
    // Cancelled again and again: the first one may come before the listing begins.
    let helper = std::thread::spawn(move || {
        while !seen.load(std::sync::atomic::Ordering::SeqCst) {
            std::thread::sleep(std::time::Duration::from_millis(100));
            canceller.cancel();
        }
    });
    let started = std::time::Instant::now();
    animator.step(0);
    done.store(true, std::sync::atomic::Ordering::SeqCst);
    let taken = started.elapsed();
    helper.join().unwrap();
    assert!(taken.as_millis() < 20_000, "{taken:?}");
    assert!(animator.enabled().is_cut());
    assert_eq!(animator.enabled().cut, Some(crate::clock::Halt::Interrupted));
    let stopped = animator.view().stopped.unwrap();
    assert!(stopped.contains("was cancelled"), "{stopped}");
}

#[test]
fn questions_without_an_answer_are_told() {
    let text = "MACHINE Asked DEFINITIONS GOAL == 10 / x = 5; SCOPE == 10 / (x - 1) > 0
        VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
        OPERATIONS up = PRE x < 2 THEN x := x + 1 END END";
    let origin = Origin::Embedded { name: "asked.mch".to_owned(), text: text.to_owned() };
    let mut animator = Session::open(origin, SetupOptions::default()).animator().unwrap();
    let answers = |animator: &mut Animator| {
        let view = animator.view();
        let (goal, scope) = (view.goal.expect("a goal"), view.scope.expect("a scope"));
        ([goal.truth, scope.truth], [goal.why, scope.why])
    };
    animator.step(0);
    let (truths, why) = answers(&mut animator);
    assert_eq!(truths, [Truth::Undefined, Truth::False]);
    assert_eq!(why[0].as_deref(), Some("division by zero: 10 / x, x = 0"));
    animator.step(0);
    assert_eq!(answers(&mut animator).0, [Truth::False, Truth::Undefined]);
    animator.step(0);
    assert_eq!(answers(&mut animator), ([Truth::True; 2], [None, None]));
}

#[test]
fn another_goal_is_asked_of_the_machine_that_is_loaded() {
    let search = |session: &Session| {
        let options = SearchOptions { invariant: false, deadlock: false, ..Default::default() };
        let found = run(session, options);
        (found.verdict, found.nodes, found.transitions, found.full_states)
    };
    let fresh = |goal: &str| {
        let origin = Origin::Embedded { name: "tokens.mch".to_owned(), text: TOKENS.to_owned() };
        let session =
            Session::open(origin, SetupOptions { static_symmetry: true, ..options(Some(goal)) });
        let model = session.model().expect("a model");
        (search(&session), model.group.order(), model.explanation.lines())
    };
    let origin = Origin::Embedded { name: "tokens.mch".to_owned(), text: TOKENS.to_owned() };
    let mut session =
        Session::open(origin, SetupOptions { static_symmetry: true, ..options(None) });
    // Elements are named, and no longer: each time as if the machine had been loaded for this goal.
    for goal in [
        "card(lies) = 2",
        "!t.(t : Token => #p.(p : Place & (t |-> p) : lies)) & 1 + 2147483647 > 0",
        "Place2 : ran(lies)",
        "Token1 |-> Place3 : lies",
        "lies = {} & card(Token) > 7",
    ] {
        session.ask_for(goal).expect("a goal");
        let model = session.model().expect("a model");
        let known = (search(&session), model.group.order(), model.explanation.lines());
        assert_eq!(known, fresh(goal), "{goal}");
    }
    for (wrong, what) in [("lies = ", "expected"), ("lies = 3", "type"), (" ", "empty")] {
        let refused = session.ask_for(wrong).expect_err("no goal");
        let paint = |d: &Diagnostic| d.paint(&refused.sources, 100).plain();
        let told: String = refused.diagnostics.iter().map(paint).collect();
        assert!(told.contains("--goal:1:") && told.contains(what), "{told}");
    }
    assert_eq!(session.setup().goal.as_deref(), Some("lies = {} & card(Token) > 7"));
}

/// The distance from the first initial state to one that enables each operation, by a search without
/// reduction that knows nothing but steps.
fn distances(model: &Model) -> Vec<Option<usize>> {
    let program = model.program.clone();
    let mut evaluator = crate::eval::Evaluator::new(program.clone());
    let mut setups = Vec::new();
    evaluator.setups(&mut setups).unwrap();
    let first = evaluator.initial_states(&setups[0]).unwrap().swap_remove(0);
    let count = model.instance.machine.operations.len();
    let mut found = vec![None; count];
    let mut seen = std::collections::BTreeSet::from([first.clone()]);
    let (mut level, mut depth) = (vec![first], 0);
    let mut out = crate::eval::Successors::new();
    while !level.is_empty() {
        let mut next = Vec::new();
        for state in level {
            evaluator.successors(&state, false, &mut out).unwrap();
            for i in 0..out.len() {
                found[out.entries[i].operation.0 as usize].get_or_insert(depth);
                if seen.insert(out.target(i).to_vec()) {
                    next.push(out.target(i).to_vec());
                }
            }
        }
        (level, depth) = (next, depth + 1);
    }
    found
}

#[test]
fn ways_are_the_shortest_with_and_without_symmetry() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut ways = 0;
    for (name, sets) in [
        ("phonebook.mch", &["Name", "Code"][..]),
        ("scheduler0.mch", &["PROC"]),
        ("library.mch", &[]),
        ("push_phases.mch", &[]),
    ] {
        let cards = sets.iter().map(|set| ((*set).to_owned(), 3)).collect();
        let setup = SetupOptions { cards, ..SetupOptions::default() };
        let session = Session::open(Origin::File(root.join(name)), setup);
        let model = session.model().unwrap_or_else(|| panic!("{name}")).clone();
        let distances = distances(&model);
        let mut animator = session.animator().unwrap();
        while !matches!(animator.position(), animator::Position::State(_)) {
            assert!(animator.step(0));
        }
        for (id, distance) in distances.iter().enumerate() {
            let operation = crate::machine::OpId(id as u32);
            if !model.instance.machine.operation(operation).visible {
                continue;
            }
            for mode in [SymmetryMode::Off, SymmetryMode::Canon, SymmetryMode::Flood] {
                let options = SearchOptions { symmetry: Some(mode), ..SearchOptions::default() };
                let inquiry = animator.why_not(operation);
                let way = inquiry.answer(&options, &Arc::new(Control::new()));
                let steps = way.steps.as_ref().map(Vec::len);
                assert_eq!(steps, *distance, "{name} {} {}", inquiry.asked, mode.name());
                ways += 1;
                let Some(steps) = way.steps else {
                    assert!(way.complete && way.looked_at > 0 && !way.blocked.is_empty());
                    continue;
                };
                // It can be gone.
                let all: Vec<_> = inquiry.before.iter().chain(&steps).cloned().collect();
                let mut other = session.animator().unwrap();
                let (done, _) = reading::follow(&mut other, &all, Match::Exact);
                assert!(done.complete, "{name} {}", inquiry.asked);
                assert!(
                    other
                        .enabled()
                        .parts()
                        .iter()
                        .any(|p| p.operation == operation && !p.numbers.is_empty())
                );
            }
        }
    }
    assert!(ways > 20, "{ways}");
}
