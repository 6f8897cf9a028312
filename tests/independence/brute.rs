//! The reference: all states are run, and what happens is compared with what was said.

use burnside::eval::{Evaluator, Successors, Topic};
use burnside::independence::{Analysis, Asked, Choice, Chooser, Instance, Listed, Method};
use burnside::setup::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const STATES: usize = 250;

/// An instance: operation and arguments as they are printed.
type Name = (usize, String);

/// What is behind an instance: its targets, or an error.
#[derive(Clone, PartialEq, Debug)]
enum Leads {
    To(BTreeSet<usize>),
    Fails,
}

struct Space {
    states: Vec<Vec<u64>>,
    /// Of each state its enabled instances.
    leaving: Vec<BTreeMap<Name, (Instance, Leads)>>,
}

fn name(instance: &Instance) -> Name {
    (instance.operation, format!("{:?}", instance.arguments))
}

/// All states; `None`: there are too many, or not all is known of them.
fn space(analysis: &Arc<Analysis>, evaluator: &mut Evaluator) -> Option<Space> {
    let mut numbers: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
    let mut space = Space { states: Vec::new(), leaving: Vec::new() };
    let mut setups = Vec::new();
    evaluator.setups(&mut setups).ok()?;
    for constants in &setups {
        for state in evaluator.initial_states(constants).ok()? {
            numbers.entry(state.clone()).or_insert_with(|| {
                space.states.push(state);
                space.states.len() - 1
            });
        }
    }
    let mut out = Successors::new();
    let mut next = 0;
    while next < space.states.len() {
        if space.states.len() > STATES {
            return None;
        }
        let state = space.states[next].clone();
        next += 1;
        evaluator.successors(&state, true, &mut out).ok()?;
        if out.cut {
            return None;
        }
        let mut leaving: BTreeMap<Name, (Instance, Leads)> = BTreeMap::new();
        for (i, entry) in out.entries.iter().enumerate() {
            let operation = analysis.number(entry.operation).expect("a visible operation");
            let parameters = analysis.relations.operations[operation].parameters.len();
            let from = entry.arguments as usize;
            let arguments = out.arguments[from..from + parameters].to_vec();
            let instance = Instance { operation, arguments, number: usize::MAX };
            let target = out.target(i).to_vec();
            let number = *numbers.entry(target.clone()).or_insert_with(|| {
                space.states.push(target);
                space.states.len() - 1
            });
            let known = leaving.entry(name(&instance));
            match &mut known.or_insert((instance, Leads::To(BTreeSet::new()))).1 {
                Leads::To(targets) => targets.insert(number),
                Leads::Fails => unreachable!("it leads somewhere"),
            };
        }
        for fault in &out.faults {
            let operation = analysis.number(fault.operation).expect("a visible operation");
            let arguments = fault.arguments.clone();
            let instance = Instance { operation, arguments, number: usize::MAX };
            leaving.insert(name(&instance), (instance, Leads::Fails));
        }
        space.leaving.push(leaving);
    }
    Some(space)
}

impl Space {
    fn leads(&self, state: usize, instance: &Name) -> Option<&Leads> {
        self.leaving[state].get(instance).map(|(_, leads)| leads)
    }

    /// Where two instances lead one after the other. `Err`: the second is not enabled everywhere in
    /// between, or fails where it did not before.
    fn both(&self, state: usize, first: &Name, second: &Name) -> Result<BTreeSet<usize>, String> {
        let Some(Leads::To(between)) = self.leads(state, first) else { return Ok(BTreeSet::new()) };
        let mut all = BTreeSet::new();
        for t in between {
            match (self.leads(*t, second), self.leads(state, second)) {
                (None, _) => return Err(format!("{first:?} disables {second:?}")),
                (Some(Leads::To(targets)), Some(Leads::To(_))) => all.extend(targets),
                (Some(Leads::Fails), Some(Leads::Fails)) => {}
                _ => return Err(format!("{first:?} decides whether {second:?} fails")),
            }
        }
        Ok(all)
    }

    /// Why two instances that are enabled in a state are not independent there.
    fn conflict(&self, state: usize, a: &Name, b: &Name) -> Option<String> {
        let fails = |x| self.leads(state, x) == Some(&Leads::Fails);
        match (self.both(state, a, b), self.both(state, b, a)) {
            (Err(why), _) | (_, Err(why)) => Some(why),
            (Ok(_), Ok(_)) if fails(a) || fails(b) => None,
            (Ok(ab), Ok(ba)) if ab == ba => None,
            _ => Some(format!("{a:?} and {b:?} do not commute")),
        }
    }
}

pub fn analysis(model: &Model) -> Result<bool, String> {
    let analysis = Arc::new(Analysis::new(model, &Asked::plainly(true)));
    let mut evaluator = Evaluator::new(model.program.clone());
    let Some(space) = space(&analysis, &mut evaluator) else { return Ok(false) };
    related(&analysis, &space, 0..space.states.len())?;
    answers(&mut evaluator, &analysis, &space)?;
    // Where the invariant is assumed of the state before, nothing is said of the others.
    let asked = Asked { assumes: true, ..Asked::plainly(true) };
    let assuming = Analysis::new(model, &asked);
    let holds = |state: &usize| {
        let conjuncts = 0..evaluator.program().questions.of(Topic::Invariant).len();
        let state = &space.states[*state];
        conjuncts
            .map(|i| evaluator.truth_of(state, Topic::Invariant, i))
            .all(|truth| matches!(truth, Ok(true)))
    };
    let states: Vec<usize> = (0..space.states.len()).filter(holds).collect();
    related(&assuming, &space, states.into_iter()).map_err(|why| format!("assuming: {why}"))?;
    Ok(true)
}

/// What instances do to each other in some states is contained in what is said of them.
fn related(
    analysis: &Analysis,
    space: &Space,
    states: impl Iterator<Item = usize>,
) -> Result<(), String> {
    for state in states {
        for (a, (one, leads)) in &space.leaving[state] {
            for (b, (two, _)) in &space.leaving[state] {
                if a < b
                    && let Some(why) = space.conflict(state, a, b)
                    && !(analysis.may_depend(one, two) && analysis.may_depend(two, one))
                {
                    return Err(format!("dependence of {a:?} and {b:?} is not seen: {why}"));
                }
            }
            let Leads::To(targets) = leads else { continue };
            for target in targets {
                for (b, (two, _)) in &space.leaving[*target] {
                    if space.leads(state, b).is_none() && !analysis.may_enable(one, two) {
                        return Err(format!("{a:?} enables {b:?}, which is not seen"));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Invisible operations change no answer; those that may fail are visible.
fn answers(evaluator: &mut Evaluator, analysis: &Analysis, space: &Space) -> Result<(), String> {
    let answers: Vec<String> = space
        .states
        .iter()
        .map(|state| {
            let conjuncts = 0..evaluator.program().questions.of(Topic::Invariant).len();
            let truths: Vec<Option<bool>> =
                conjuncts.map(|i| evaluator.truth_of(state, Topic::Invariant, i).ok()).collect();
            let goal = evaluator.ask(state, Topic::Goal, None).expect("no limit");
            let scope = evaluator.ask(state, Topic::Scope, None).expect("no limit");
            format!("{truths:?} {goal:?} {scope:?}")
        })
        .collect();
    for state in 0..space.states.len() {
        for (a, (one, leads)) in &space.leaving[state] {
            if analysis.visible[one.operation].is_some() {
                continue;
            }
            let Leads::To(targets) = leads else {
                return Err(format!("{a:?} fails, and should not"));
            };
            if let Some(target) = targets.iter().find(|t| answers[**t] != answers[state]) {
                let (before, after) = (&answers[state], &answers[*target]);
                return Err(format!("{a:?} is not invisible: {before} and {after}"));
            }
        }
    }
    Ok(())
}

pub fn sets(model: &Model) -> Result<bool, String> {
    let analysis = Arc::new(Analysis::new(model, &Asked::plainly(false)));
    let mut evaluator = Evaluator::new(model.program.clone());
    let Some(space) = space(&analysis, &mut evaluator) else { return Ok(false) };
    let mut listed = Listed::default();
    for method in Method::ALL {
        for choice in Choice::ALL {
            let (analysis, program) = (analysis.clone(), model.program.clone());
            let mut chooser = Chooser::new(analysis, program, method, choice);
            for number in 0..space.states.len() {
                let state = &space.states[number];
                listed.list(&mut evaluator, state).expect("no limit");
                listed.decide(&mut evaluator, state).expect("no limit");
                chooser.take(&listed.instances, |i| listed.is_enabled(i));
                let enabled = chooser.instances();
                let named: BTreeSet<Name> = enabled.iter().map(name).collect();
                if named != space.leaving[number].keys().cloned().collect() {
                    return Err(format!("{named:?} are listed, not what leads out of a state"));
                }
                let is_part = chooser.choose(state, evaluator.interner(), number as u64);
                let chosen = is_part.then(|| chooser.chosen().clone());
                let all = named.len() == listed.instances.len();
                if all && chosen.is_some() && !chooser.may_choose(&listed.instances) {
                    return Err("a set is found where there is no hope for one".into());
                }
                let Some(chosen) = chosen else { continue };
                let chosen: Vec<Name> = chosen.members.iter().map(|i| name(&enabled[*i])).collect();
                conditions(&space, number, &chosen)
                    .map_err(|why| format!("{method:?}, {choice:?}: {why} (chosen {chosen:?})"))?;
            }
        }
    }
    Ok(true)
}

/// (A1) and (A2): nothing that depends on a chosen instance comes before it.
fn conditions(space: &Space, start: usize, chosen: &[Name]) -> Result<(), String> {
    if chosen.is_empty() {
        return Err("nothing is chosen".into());
    }
    let mut seen = BTreeSet::from([start]);
    let mut todo = vec![start];
    while let Some(state) = todo.pop() {
        for a in chosen {
            if space.leads(state, a).is_none() {
                return Err(format!("{a:?} is disabled without it"));
            }
        }
        for (b, (_, leads)) in &space.leaving[state] {
            if chosen.contains(b) {
                continue;
            }
            if let Some(why) = chosen.iter().find_map(|a| space.conflict(state, a, b)) {
                return Err(why);
            }
            if let Leads::To(targets) = leads {
                todo.extend(targets.iter().filter(|t| seen.insert(**t)));
            }
        }
    }
    Ok(())
}
