//! The invariant said again as assertions, and these asked last: what they say is what the invariant says.

use super::{STATES, generate, load, number, options, relations};
use burnside::search::{self, Asserted, Control, Outcome, SearchOptions, SymmetryMode};
use burnside::setup::{self, Bound, SetupOptions};
use generate::Text;
use std::sync::Arc;
use std::time::Duration;

/// The same machine with every conjunct of its invariant as an assertion, too.
fn asserting(text: Text) -> Text {
    let line = text.main.lines().find(|line| line.starts_with("INVARIANT ")).expect("an invariant");
    let asserted = line.replacen("INVARIANT", "ASSERTIONS", 1);
    Text { main: text.main.replacen(line, &format!("{line}\n{asserted}"), 1), ..text }
}

/// What is counted, whenever the assertions are asked.
fn counts(o: &Outcome) -> [Option<u64>; 7] {
    let [states, transitions, undefined, errors] =
        [o.states, o.transitions, o.undefined_checks, o.state_errors].map(Some);
    let deadlocked = o.deadlocked_states;
    [states, transitions, undefined, errors, deadlocked, o.violating_states, o.assertion_violations]
}

/// Whether anything is violated; what differs.
fn compare(text: Text) -> Result<bool, String> {
    let text = asserting(text);
    let Some(machine) = load(&text).machine else { return Ok(false) };
    let sizes = SetupOptions::default();
    let Ok(model) = setup::set_up(&Arc::new(machine), &sizes, None) else { return Ok(false) };
    let control = Arc::new(Control::new());
    let few = SearchOptions {
        max_states: Some(STATES as u64),
        timeout: Some(Duration::from_millis(200)),
        ..options(SymmetryMode::Off)
    };
    // Of a search that a limit ends nothing is compared.
    let limited =
        |b: &Bound| matches!(b, Bound::MaxStates(_) | Bound::MaxSetUps(_) | Bound::Halted(_));
    if search::run(&model, &few, &Arc::new(Control::new())).bounds.iter().any(limited) {
        return Ok(false);
    }
    let with = |mode, assertions, threads| SearchOptions {
        assertions,
        // Whatever takes more than the time between two questions to the clock waits.
        patience: 0,
        threads: Some(threads),
        alone: Duration::ZERO,
        ..options(mode)
    };
    let mut violated = false;
    for mode in [SymmetryMode::Off, SymmetryMode::Canon] {
        let now = search::run(&model, &with(mode, Asserted::Now, 1), &control);
        violated |= now.violating_states > Some(0);
        if now.violating_states != now.assertion_violations {
            return Err(format!("{mode:?}: the same is not the same: {:?}", counts(&now)));
        }
        let others =
            [(Asserted::Last, 1), (Asserted::Last, 3), (Asserted::Auto, 1), (Asserted::Auto, 3)];
        for (assertions, threads) in others {
            let later = search::run(&model, &with(mode, assertions, threads), &control);
            if counts(&later) != counts(&now) || later.complete != now.complete {
                let (a, b) = (counts(&now), counts(&later));
                return Err(format!("{mode:?}, {assertions:?}, {threads} threads: {a:?}, {b:?}"));
            }
        }
        let stop = SearchOptions { assertions: Asserted::Last, ..SearchOptions::default() };
        let stop = SearchOptions { symmetry: Some(mode), ..stop };
        let found = search::run(&model, &stop, &control).verdict.is_finding();
        if found != now.verdict.is_finding() {
            return Err(format!("{mode:?}: asked last, they find something: {found}"));
        }
    }
    Ok(violated)
}

#[test]
fn assertions_that_are_asked_last_say_what_the_invariant_says() {
    let (count, start) = (number("BURNSIDE_RANDOM", 120) / 2, number("BURNSIDE_SEED", 1));
    let thread = std::thread::Builder::new().stack_size(128 << 20);
    let work = move || {
        let mut violated = 0;
        for seed in start..start + count {
            for machine in [generate::machine, relations::machine] {
                let text = machine(seed);
                let shown = text.main.clone();
                match compare(text) {
                    Ok(any) => violated += u64::from(any),
                    Err(why) => panic!("seed {seed}: {why}\n{shown}"),
                }
            }
        }
        violated
    };
    let violated = thread.spawn(work).expect("a thread").join().expect("no difference");
    assert!(violated * 20 > count || count < 20, "{violated} of {count} violate anything");
}
