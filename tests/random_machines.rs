//! Random machines: the evaluator against the reference interpreter, the search against both, and
//! the canonical search against the plain one.
//!
//! `BURNSIDE_RANDOM=5000 cargo test --test random_machines` runs that many; `BURNSIDE_SEED=n` starts
//! at another seed (with `BURNSIDE_RANDOM=1`: shows one machine).

#[path = "random/generate.rs"]
mod generate;
mod reference;
#[path = "random/relations.rs"]
mod relations;
#[path = "random/solver.rs"]
mod solver;
#[path = "random/waiting.rs"]
mod waiting;

use burnside::eval::run::instances::{Instances, Numbering};
use burnside::eval::{self, Check, Evaluator, Program, Select, Successors, Topic};
use burnside::machine::{Guard, Machine, OpId};
use burnside::normalise;
use burnside::report::steps::StepText;
use burnside::run::{Event, Label, Step};
use burnside::search::{self, Control, Finding, OnViolation, SearchOptions, SymmetryMode, Verdict};
use burnside::session::{Animator, Match, reading};
use burnside::setup::{self, Model, SetupOptions};
use burnside::source::Sources;
use burnside::typing::Loaded;
use burnside::value::Value;
use generate::Text;
use reference::explore::{Leaving, Node, State};
use reference::value::V;
use reference::{Reference, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const STATES: usize = 150;

#[derive(Debug)]
enum Verdicted {
    Agrees,
    /// Both say that the initialisation fails.
    Fails,
    /// Not a machine of the language, or one that is too large for the reference.
    Unusable(String),
}

fn load(text: &Text) -> Loaded {
    match &text.included {
        None => normalise::load_text("M.mch", &text.main),
        Some(included) => {
            let folder = tempfile::tempdir().expect("a folder");
            std::fs::write(folder.path().join("I.mch"), included).expect("written");
            let main = folder.path().join("M.mch");
            std::fs::write(&main, &text.main).expect("written");
            normalise::load_machine(&main)
        }
    }
}

/// Reads packed states as mathematical objects.
struct Reader<'m> {
    model: &'m Model,
}

impl Reader<'_> {
    fn value(&self, ty: &burnside::machine::Type, v: &Value) -> V {
        V::read(&self.model.instance, ty, v)
    }

    fn constants(&self, values: &[Value]) -> Vec<V> {
        let machine = &self.model.instance.machine;
        machine.constants.iter().zip(values).map(|(c, v)| self.value(&c.ty, v)).collect()
    }

    fn state(&self, evaluator: &mut Evaluator, state: &[u64]) -> State {
        let constants = evaluator.constants(state);
        let machine = &self.model.instance.machine;
        let values = evaluator.variables(state);
        let variables = machine.variables.iter().zip(&values);
        (self.constants(&constants), variables.map(|(g, v)| self.value(&g.ty, v)).collect())
    }

    fn leaving(&self, evaluator: &mut Evaluator, out: &Successors) -> Vec<Leaving> {
        let machine = &self.model.instance.machine;
        let visible: Vec<usize> =
            (0..machine.operations.len()).filter(|i| machine.operations[*i].visible).collect();
        let mut all = vec![Leaving::default(); visible.len()];
        let place = |id: burnside::machine::OpId| {
            visible.iter().position(|i| *i == id.0 as usize).expect("a visible operation")
        };
        let list = |ids: &[burnside::machine::LocalId], values: &[Value]| -> Vec<V> {
            ids.iter().zip(values).map(|(id, v)| self.value(&machine.local(*id).ty, v)).collect()
        };
        for (i, entry) in out.entries.iter().enumerate() {
            let operation = machine.operation(entry.operation);
            let arguments = list(&operation.parameters, &out.arguments[entry.arguments as usize..]);
            let results = list(&operation.results, &out.results[entry.results as usize..]);
            let target = self.state(evaluator, out.target(i));
            let new = all[place(entry.operation)].steps.insert((arguments, results, target));
            assert!(new, "a transition of {} is listed twice", operation.name);
        }
        for fault in &out.faults {
            let operation = machine.operation(fault.operation);
            let arguments = list(&operation.parameters, &fault.arguments);
            let new = all[place(fault.operation)].faults.insert(arguments);
            assert!(new, "a fault of {} is listed twice", operation.name);
        }
        all
    }
}

fn compare(text: &Text) -> Result<Verdicted, String> {
    let loaded = load(text);
    let Some(machine) = loaded.machine else {
        let first = loaded.diagnostics.iter().find(|d| d.is_error()).expect("an error");
        return Ok(Verdicted::Unusable(format!("typing: {}", first.message)));
    };
    let machine = Arc::new(machine);
    let plain = SetupOptions { static_symmetry: false, ..SetupOptions::default() };
    let model = match setup::set_up(&machine, &plain, None) {
        Ok(model) => model,
        Err(diagnostics) => {
            return Ok(Verdicted::Unusable(format!("set-up: {}", diagnostics[0].message)));
        }
    };
    let reference = Reference::new(&model.program.instance, &model.program.strings);
    let mut evaluator = Evaluator::new(model.program.clone());
    let result = compare_spaces(&model, &reference, &mut evaluator).and_then(|verdict| {
        if matches!(verdict, Verdicted::Agrees) && !machine.constants.is_empty() {
            compare_static(&machine, &model)?;
        }
        Ok(verdict)
    });
    match result {
        // Integers beyond the limits: what either enumerated within them is not everything.
        Err(_) if reference.wide.get() => {
            Ok(Verdicted::Unusable("integers leave the limits".into()))
        }
        // What depends on an enumeration that was cut off is unknown, where the reference takes what
        // lies within the limits for all there is. No search may call that complete.
        Err(why) if !evaluator.notes().cut.is_empty() => {
            let off = search::run(&model, &options(SymmetryMode::Off), &Arc::new(Control::new()));
            match off.complete {
                true => Err(why),
                false => Ok(Verdicted::Unusable("an enumeration was cut off".into())),
            }
        }
        result => result,
    }
}

/// Static symmetry of the constants: the same verdict and the same full counts.
fn compare_static(machine: &Arc<Machine>, plain: &Model) -> Result<(), String> {
    let reduced = setup::set_up(machine, &SetupOptions::default(), None)
        .map_err(|d| format!("static symmetry: {}", d[0].message))?;
    let control = Arc::new(Control::new());
    let wanted = search::run(plain, &options(SymmetryMode::Off), &control);
    for mode in [SymmetryMode::Off, SymmetryMode::Canon] {
        let found = search::run(&reduced, &options(mode), &control);
        let key =
            |o: &search::Outcome| (o.verdict, o.full_states.clone(), o.full_transitions.clone());
        if key(&found) != key(&wanted) {
            return Err(format!(
                "static symmetry, {mode:?}: {:?}, not {:?}",
                key(&found),
                key(&wanted)
            ));
        }
    }
    Ok(())
}

fn compare_spaces(
    model: &Model,
    reference: &Reference<'_>,
    evaluator: &mut Evaluator,
) -> Result<Verdicted, String> {
    let reader = Reader { model };
    let expected = match reference.setups() {
        Ok(setups) => setups,
        Err(Stop::Skip(why)) => return Ok(Verdicted::Unusable(why)),
        Err(Stop::Fault(why)) => {
            return match evaluator.setups(&mut Vec::new()) {
                Err(_) => Ok(Verdicted::Agrees),
                Ok(()) => Err(format!("the properties should be undefined: {why}")),
            };
        }
    };
    let mut found = Vec::new();
    if let Err(stop) = evaluator.setups(&mut found) {
        return Err(format!("the properties are undefined: {stop:?}"));
    }
    let setups: BTreeSet<Vec<V>> = found.iter().map(|c| reader.constants(c)).collect();
    if setups.len() != found.len() || setups != expected {
        return Err(format!("set-ups {setups:?}, not {expected:?}"));
    }
    let mut packed: BTreeMap<State, Vec<u64>> = BTreeMap::new();
    let mut todo = Vec::new();
    let mut initial_steps = 0;
    for constants in &found {
        let expected = match reference.initial(&reader.constants(constants)) {
            Ok(states) => states,
            Err(Stop::Skip(why)) => return Ok(Verdicted::Unusable(why)),
            Err(Stop::Fault(why)) => {
                return match evaluator.initial_states(constants) {
                    Err(_) => fails_at_once(model),
                    Ok(_) => Err(format!("the initialisation should fail: {why}")),
                };
            }
        };
        let states = match evaluator.initial_states(constants) {
            Ok(states) => states,
            Err(stop) => return Err(format!("the initialisation fails: {stop:?}")),
        };
        initial_steps += states.len() as u64;
        let mut seen = BTreeSet::new();
        for state in states {
            let read = reader.state(evaluator, &state);
            seen.insert(read.clone());
            todo.push(read.clone());
            packed.insert(read, state);
        }
        if seen != expected {
            return Err(format!("initial states {seen:?}, not {expected:?}"));
        }
    }
    let mut nodes: BTreeMap<State, Node> = BTreeMap::new();
    let mut out = Successors::new();
    while let Some(state) = todo.pop() {
        if packed.len() > STATES {
            return Ok(Verdicted::Unusable("too many states".into()));
        }
        if nodes.contains_key(&state) {
            continue;
        }
        let node = match reference.node(&state) {
            Ok(node) => node,
            Err(Stop::Skip(why)) => return Ok(Verdicted::Unusable(why)),
            Err(Stop::Fault(why)) => panic!("not handled: {why}"),
        };
        let words = packed[&state].clone();
        check_of(evaluator, &words, &node)?;
        let conjuncts = 0..evaluator.program().questions.of(Topic::Invariant).len();
        let truths: Vec<Option<bool>> =
            conjuncts.map(|i| evaluator.truth_of(&words, Topic::Invariant, i).ok()).collect();
        if truths != node.invariant {
            return Err(format!("in {state:?}: truths {truths:?}, not {:?}", node.invariant));
        }
        evaluator.successors(&words, false, &mut out).expect("no limit");
        let bare = without_arguments(&out);
        evaluator.successors(&words, true, &mut out).expect("no limit");
        let told = without_arguments(&out);
        if bare != told {
            let what = "other transitions where nobody wants arguments";
            return Err(format!("in {state:?}: {what}:\n{bare}\n{told}"));
        }
        let leaving = reader.leaving(evaluator, &out);
        for (i, (found, wanted)) in leaving.iter().zip(&node.operations).enumerate() {
            if found != wanted {
                return Err(format!(
                    "in {state:?}: visible operation {i}\n found {found:?}\nwanted {wanted:?}"
                ));
            }
        }
        instances_of(evaluator, &words, &out).map_err(|why| format!("in {state:?}: {why}"))?;
        for i in 0..out.len() {
            let read = reader.state(evaluator, out.target(i));
            if let Some(known) = packed.get(&read) {
                if known != out.target(i) {
                    return Err(format!("two codings of {read:?}"));
                }
            } else {
                packed.insert(read.clone(), out.target(i).to_vec());
                todo.push(read);
            }
        }
        nodes.insert(state, node);
    }
    compare_searches(model, setups.len() as u64, initial_steps, &nodes)
}

/// Follows every other instance, each as two.
struct Half;

impl Select for Half {
    fn lists(&self, operation: OpId, _: &Numbering) -> bool {
        operation.0 != 1
    }

    fn weigh(&mut self, _: &Program, _: &Instances, weights: &mut [u32]) -> Result<(), eval::Stop> {
        weights.iter_mut().enumerate().for_each(|(i, w)| *w = 2 * u32::from(i % 2 == 0));
        Ok(())
    }
}

/// Operation, arguments, results, target, weight.
type Transition = (OpId, Vec<Value>, Vec<Value>, Vec<u64>, u32);

/// The transitions of a list.
fn plain(out: &Successors, program: &Program) -> Vec<Transition> {
    let machine = &program.instance.machine;
    let of = |i: usize| {
        let entry = out.entries[i];
        let operation = machine.operation(entry.operation);
        let arguments = &out.arguments[entry.arguments as usize..][..operation.parameters.len()];
        let results = &out.results[entry.results as usize..][..operation.results.len()];
        let target = out.target(i).to_vec();
        (entry.operation, arguments.to_vec(), results.to_vec(), target, entry.weight)
    };
    (0..out.len()).map(of).collect()
}

/// What operations run straight away must find as those do that keep their arguments.
///
/// What is remembered of an operation gives groups other numbers where an instance before had no outcome: those that
/// have some are counted.
fn without_arguments(out: &Successors) -> String {
    let mut groups: Vec<u32> = out.entries.iter().map(|e| e.group).collect();
    groups.dedup();
    let rank = |group: u32| groups.iter().position(|g| *g == group);
    let entries: Vec<_> = (out.entries.iter().enumerate())
        .map(|(i, e)| (e.operation, rank(e.group), e.weight, out.target(i)))
        .collect();
    let faults: Vec<_> =
        out.faults.iter().map(|f| (f.operation, &f.arguments, f.site, f.in_guard)).collect();
    format!("{:?}", (entries, faults, out.cut))
}

/// The instances of operations that a state enables, fired one by one, are its transitions; and those
/// of them that a selection leaves are followed.
fn instances_of(evaluator: &mut Evaluator, state: &[u64], out: &Successors) -> Result<(), String> {
    let program = evaluator.program().clone();
    let mut instances = Instances::new();
    evaluator.enabled(state, &mut instances).expect("no limit");
    let mut fired = Successors::new();
    let mut chosen = Vec::new();
    let mut listed = 0;
    for i in 0..instances.len() {
        let (entries, faults) = (fired.len(), fired.faults.len());
        let (operation, arguments) = (instances.operation(i), instances.arguments(i, &program));
        evaluator.fire(state, (&instances, i), 1, &mut fired).expect("no limit");
        let new = plain(&fired, &program).split_off(entries);
        if new.iter().any(|t| (t.0, &t.1) != (operation, &arguments)) {
            return Err(format!("instance {i} fires {new:?}"));
        }
        let nothing = new.is_empty() && fired.faults.len() == faults;
        let may_be_none = instances.is_undefined(i) || program.guard(operation) == Guard::Runs;
        if nothing && !may_be_none {
            return Err(format!("nothing follows from instance {i}, and its guard holds"));
        }
        if Half.lists(operation, program.numbering(operation)) {
            listed += 1;
            if listed % 2 == 1 {
                chosen.extend(new.into_iter().map(|t| (t.0, t.1, t.2, t.3, 2)));
            }
        } else {
            chosen.extend(new);
        }
    }
    let mut half = Successors::new();
    evaluator.follow(state, &mut Half, true, &mut half).expect("no limit");
    if plain(&half, &program) != chosen {
        return Err("what is followed is not what was chosen".into());
    }
    let faults = |out: &Successors| -> Vec<_> {
        out.faults.iter().map(|f| (f.operation, f.arguments.clone(), f.site, f.in_guard)).collect()
    };
    if plain(&fired, &program) != plain(out, &program) || faults(&fired) != faults(out) {
        return Err("the instances fired are not the transitions".into());
    }
    Ok(())
}

/// A failing initialisation is what every search finds.
fn fails_at_once(model: &Model) -> Result<Verdicted, String> {
    let control = Arc::new(Control::new());
    for mode in [SymmetryMode::Off, SymmetryMode::Canon] {
        let stop = SearchOptions { symmetry: Some(mode), ..SearchOptions::default() };
        let outcome = search::run(model, &stop, &control);
        if outcome.verdict != Verdict::StateError {
            return Err(format!("{mode:?}: {:?} for a failing initialisation", outcome.verdict));
        }
    }
    Ok(Verdicted::Fails)
}

fn check_of(evaluator: &mut Evaluator, words: &[u64], node: &Node) -> Result<(), String> {
    let wanted = match node.invariant.iter().position(|t| *t == Some(false)) {
        Some(i) => Some((i, true)),
        None => node.invariant.iter().position(|t| t.is_none()).map(|i| (i, false)),
    };
    let found = match evaluator.ask(words, Topic::Invariant, None).expect("no limit") {
        Check::Holds => None,
        Check::Fails(i) => Some((i, true)),
        Check::Undefined(i, _) => Some((i, false)),
        Check::Unknown(i) => return Err(format!("conjunct {i} is unknown")),
    };
    if found == wanted { Ok(()) } else { Err(format!("invariant {found:?}, not {wanted:?}")) }
}

fn options(symmetry: SymmetryMode) -> SearchOptions {
    SearchOptions {
        symmetry: Some(symmetry),
        on_violation: OnViolation::Expand,
        keep_going: true,
        ..SearchOptions::default()
    }
}

fn compare_searches(
    model: &Model,
    setups: u64,
    initial_steps: u64,
    nodes: &BTreeMap<State, Node>,
) -> Result<Verdicted, String> {
    let control = Arc::new(Control::new());
    let off = search::run(model, &options(SymmetryMode::Off), &control);
    let undefined = |n: &&Node| !n.invariant.contains(&Some(false)) && n.invariant.contains(&None);
    let count = |test: &dyn Fn(&&Node) -> bool| nodes.values().filter(test).count() as u64;
    let setup_steps = if model.instance.setup_step { setups } else { 0 };
    if nodes.is_empty() {
        if off.verdict != Verdict::NoSetup && off.cut.is_empty() {
            return Err(format!("{:?} without initial states", off.verdict));
        }
        return Ok(Verdicted::Agrees);
    }
    let deadlocks = count(&|n| n.operations.iter().all(|l| *l == Leaving::default()));
    // Where an enumeration was cut off, a guard may hold that the reference takes for false.
    let open = !off.cut.is_empty() && off.deadlocked_states.is_some_and(|n| n < deadlocks);
    let wanted = (
        nodes.len() as u64,
        setup_steps + initial_steps + nodes.values().map(Node::transitions).sum::<u64>(),
        Some(count(&|n| n.invariant.contains(&Some(false)))),
        if open { off.deadlocked_states } else { Some(deadlocks) },
        nodes.values().map(Node::faults).sum::<u64>() + count(&undefined),
    );
    let found = (
        off.states,
        off.transitions,
        off.violating_states,
        off.deadlocked_states,
        off.state_errors,
    );
    if found != wanted {
        return Err(format!(
            "states, transitions, violations, deadlocks, errors: {found:?}, not {wanted:?}"
        ));
    }
    let canon = search::run(model, &options(SymmetryMode::Canon), &control);
    let said = |o: &search::Outcome| (o.verdict.is_finding(), o.complete, o.verdict);
    if said(&canon) != said(&off)
        && (canon.complete == off.complete || said(&canon).0 != said(&off).0)
    {
        return Err(format!("canon says {:?}, off {:?}", canon.verdict, off.verdict));
    }
    // Only one of them may meet an unbounded variable, on a side that need not be looked at.
    let both = canon.complete && off.complete;
    if both
        && (canon.full_states != off.full_states || canon.full_transitions != off.full_transitions)
    {
        return Err(format!(
            "canon: {:?} states and {:?} transitions, off: {:?} and {:?}",
            canon.full_states, canon.full_transitions, off.full_states, off.full_transitions
        ));
    }
    let total = off.full_states.as_ref().map(|n| n.to_string());
    if total.is_some_and(|n| n != off.states.to_string()) {
        return Err("off: the full states are not the states".into());
    }
    for mode in [SymmetryMode::Off, SymmetryMode::Canon] {
        let stop = SearchOptions { symmetry: Some(mode), ..SearchOptions::default() };
        let outcome = search::run(model, &stop, &control);
        let findings = off.verdict.is_finding();
        // An approximate mode may miss something, and finds nothing that is not there.
        let missed = mode.is_approximate() && outcome.verdict == Verdict::NoneFound;
        if outcome.verdict.is_finding() != findings && !missed {
            return Err(format!("{mode:?}: {:?}, not {:?}", outcome.verdict, off.verdict));
        }
        if let Some(finding) = &outcome.finding {
            replay(model, finding).map_err(|why| format!("{mode:?}: {why}"))?;
        }
    }
    Ok(Verdicted::Agrees)
}

/// Follows a trace on the machine itself, as values and as it is written down.
fn replay(model: &Model, finding: &Finding) -> Result<(), String> {
    let trace = &finding.trace;
    let mut evaluator = Evaluator::new(model.program.clone());
    let instance = &model.program.instance;
    let mut states: BTreeSet<Vec<u64>> = BTreeSet::new();
    let mut setups = Vec::new();
    evaluator.setups(&mut setups).map_err(|stop| format!("{stop:?}"))?;
    let mut out = Successors::new();
    for step in &trace.steps {
        match step.label.event {
            Event::SetUp => setups.retain(|c| Step::set_up(instance, c) == *step),
            Event::Initialisation => {
                for constants in &setups {
                    for state in evaluator.initial_states(constants).unwrap_or_default() {
                        if Step::initial(&evaluator.variables(&state)) == *step {
                            states.insert(state);
                        }
                    }
                }
            }
            Event::Operation(operation) => {
                let mut after = BTreeSet::new();
                let mut failed = false;
                for state in &states {
                    evaluator.successors(state, true, &mut out).map_err(|s| format!("{s:?}"))?;
                    failed |= out.faults.iter().any(|f| f.operation == operation);
                    let before = evaluator.variables(state);
                    for i in 0..out.len() {
                        let values = evaluator.variables(out.target(i));
                        let label = Label::of_transition(instance, &out, i);
                        if Step::operation(label, &before, &values) == *step {
                            after.insert(out.target(i).to_vec());
                        }
                    }
                }
                if step.failed && !failed {
                    return Err("the last step does not fail".into());
                }
                states = after;
            }
        }
        if states.is_empty() && step.label.event != Event::SetUp && !step.failed {
            return Err(format!("the trace cannot be followed at {step:?}: {trace:?}"));
        }
    }
    let written = StepText::all(&finding.instance, trace);
    let mut animator = Animator::new(model.clone(), Sources::new());
    match reading::follow(&mut animator, &written, Match::Exact) {
        (replayed, None) if replayed.complete => Ok(()),
        (replayed, refused) => {
            Err(format!("what is written does not replay: {replayed:?} {refused:?} {written:?}"))
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn run(machine: fn(u64) -> Text) {
    let (count, start) = (number("BURNSIDE_RANDOM", 120), number("BURNSIDE_SEED", 1));
    let show = number("BURNSIDE_SHOW", 2);
    let mut unusable: BTreeMap<String, usize> = BTreeMap::new();
    let (mut agree, mut fail, mut differ) = (0, 0, Vec::new());
    for seed in start..start + count {
        let text = machine(seed);
        if count == 1 {
            println!("{}\n{}", text.main, text.included.as_deref().unwrap_or(""));
        }
        let begun = std::time::Instant::now();
        let result = std::panic::catch_unwind(|| compare(&text))
            .unwrap_or_else(|_| Err("panic".to_string()));
        if begun.elapsed().as_secs() > 5 {
            println!("seed {seed} took {:?}", begun.elapsed());
        }
        let shown = || format!("{}\n{}", text.main, text.included.as_deref().unwrap_or(""));
        match result {
            Ok(Verdicted::Agrees) => agree += 1,
            Ok(Verdicted::Fails) => fail += 1,
            Ok(Verdicted::Unusable(why)) => {
                if count == 1 {
                    println!("{why}\n{}", shown());
                }
                *unusable.entry(why.chars().take(24).collect()).or_default() += 1;
            }
            Err(why) => {
                println!("seed {seed}: {}", why.chars().take(300).collect::<String>());
                if (differ.len() as u64) < show || count == 1 {
                    println!("{why}\n{}", shown());
                }
                differ.push(seed);
            }
        }
    }
    println!(
        "{agree} agree, {fail} more on a failing initialisation, {} differ, unusable: {unusable:#?}",
        differ.len()
    );
    assert!(differ.is_empty(), "these machines differ: {differ:?}");
    assert!(agree * 5 >= count || count < 20, "most machines should be usable");
}

fn with_room(machine: fn(u64) -> Text) {
    let thread = std::thread::Builder::new().stack_size(128 << 20);
    let thread = thread.spawn(move || run(machine)).expect("thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn evaluator_and_reference_agree() {
    with_room(generate::machine);
}

#[test]
fn relations_in_several_words_are_those_of_the_reference() {
    with_room(relations::machine);
}

#[test]
fn relations_over_numbers_are_those_of_the_reference() {
    with_room(relations::over_numbers);
}
