//! Permutations on whole states and their transitions, against brute force: every permutation of the
//! group is tried, and values are read as mathematical objects.
//!
//! Three things are held, for states of our models and of random machines: that permuting packed states
//! (nested and interned values) does what permuting the objects does; that generators and orders are
//! those of the stabiliser; that one tuple of arguments for each orbit, with its multiplicity, stands for
//! all transitions.

mod common;
// Of the reference interpreter only its values are used here.
#[allow(unused_imports)]
mod reference;
#[path = "random/symmetric.rs"]
mod symmetric;

use burnside::eval::{Evaluator, Successors};
use burnside::machine::{SetId, Type};
use burnside::reduce::{Canon, Reading};
use burnside::session::Session;
use burnside::setup::Model;
use burnside::symmetry::Order;
use burnside::value::{Generators, Permutation, Value};
use common::{model_file, open, sized};
use reference::value::V;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// States looked at in one machine.
const STATES: usize = 25;

/// What a permutation makes of an object.
fn image(v: &V, p: &Permutation) -> V {
    match v {
        V::Elem(set, i) => V::Elem(*set, p.element(SetId(*set), *i)),
        V::Pair(sides) => V::pair(image(&sides.0, p), image(&sides.1, p)),
        V::Set(items) => V::set(items.iter().map(|i| image(i, p))),
        V::Rec(fields) => V::Rec(fields.iter().map(|f| image(f, p)).collect()),
        V::Free(by, x) => V::Free(*by, x.as_ref().map(|x| Box::new(image(x, p)))),
        V::Int(_) | V::Bool(_) | V::Str(_) | V::Real(_) => v.clone(),
    }
}

fn images(values: &[V], p: &Permutation) -> Vec<V> {
    values.iter().map(|v| image(v, p)).collect()
}

/// What an instance of an operation leads to: results and target of each outcome.
type Outcomes = BTreeSet<(Vec<V>, Vec<V>)>;

struct Looking<'m> {
    model: &'m Model,
    evaluator: Evaluator,
    reading: Reading,
    canon: Canon,
    group: Vec<Permutation>,
    /// States with a stabiliser that is not trivial, and orbits of arguments with several members.
    symmetric: usize,
    pruned: usize,
}

impl<'m> Looking<'m> {
    fn new(model: &'m Model) -> Looking<'m> {
        let layout = model.program.layout.clone();
        let machine = &model.instance.machine;
        let globals = machine.constants.iter().chain(&machine.variables);
        Looking {
            evaluator: Evaluator::new(model.program.clone()),
            reading: Reading::new(layout.clone(), globals.map(|g| g.name.to_string()).collect()),
            canon: Canon::new(layout, model.group.clone()),
            group: model.group.all().collect(),
            model,
            symmetric: 0,
            pruned: 0,
        }
    }

    fn read(&self, ty: &Type, value: &Value) -> V {
        V::read(&self.model.instance, ty, value)
    }

    /// Constants and variables of a packed state.
    fn state(&mut self, state: &[u64]) -> Vec<V> {
        let values = self.reading.values(state, self.evaluator.interner());
        let machine = &self.model.instance.machine;
        let globals = machine.constants.iter().chain(&machine.variables);
        globals.zip(&values).map(|(g, v)| self.read(&g.ty, v)).collect()
    }

    /// The instances of each operation with their weights.
    fn instances(&mut self, out: &Successors) -> BTreeMap<u32, Vec<(u64, Outcomes)>> {
        let machine = self.model.instance.machine.clone();
        let mut all: BTreeMap<u32, Vec<(u64, Outcomes)>> = BTreeMap::new();
        let mut last = None;
        for (i, entry) in out.entries.iter().enumerate() {
            let operation = machine.operation(entry.operation);
            let results = operation.results.iter().zip(&out.results[entry.results as usize..]);
            let results = results.map(|(id, v)| self.read(&machine.local(*id).ty, v)).collect();
            let outcome = (results, self.state(out.target(i)));
            let list = all.entry(entry.operation.0).or_default();
            if last != Some(entry.group) {
                list.push((entry.weight as u64, Outcomes::new()));
            }
            last = Some(entry.group);
            list.last_mut().expect("an instance").1.insert(outcome);
        }
        all
    }

    fn check(&mut self, packed: &[u64], note: &str) {
        let own = self.state(packed);
        let values = self.reading.values(packed, self.evaluator.interner());
        let group = std::mem::take(&mut self.group);
        for p in &group {
            let moved = self.reading.image(&values, p);
            let moved = self.reading.pack(&moved, self.evaluator.interner());
            assert_eq!(self.state(&moved), images(&own, p), "{note}: image of {own:?} under {p:?}");
        }
        let stabiliser: HashSet<Permutation> =
            group.iter().filter(|p| images(&own, p) == own).cloned().collect();
        let generators = self.canon.generators(packed, self.evaluator.interner()).expect("ends");
        let (_, order) = self.canon.canonical(packed, self.evaluator.interner()).expect("ends");
        assert_eq!(order, Order::Small(stabiliser.len() as u128), "{note}: {own:?}");
        assert_eq!(generated(&group, &generators.permutations()), stabiliser, "{note}: {own:?}");
        self.symmetric += usize::from(stabiliser.len() > 1);
        self.expansion(packed, &generators, &stabiliser, note);
        self.group = group;
    }

    /// One instance for each orbit stands for all of them.
    fn expansion(
        &mut self,
        packed: &[u64],
        generators: &Generators,
        stabiliser: &HashSet<Permutation>,
        note: &str,
    ) {
        let mut out = Successors::new();
        // Without automorphisms nothing is pruned, and results are not kept where no arguments are asked for.
        self.evaluator.successors(packed, !generators.is_empty(), &mut out).expect("ends");
        let all = self.instances(&out);
        self.evaluator.pruned_successors(packed, generators, &mut out).expect("ends");
        let few = self.instances(&out);
        // The least image of what an instance leads to: the same for all instances of an orbit.
        let least = |outcomes: &Outcomes| -> Outcomes {
            let moved = stabiliser.iter().map(|p| -> Outcomes {
                outcomes.iter().map(|(r, t)| (images(r, p), images(t, p))).collect()
            });
            moved.min().expect("the identity")
        };
        let counted = |of: &BTreeMap<u32, Vec<(u64, Outcomes)>>| {
            let mut count: BTreeMap<(u32, Outcomes), u64> = BTreeMap::new();
            for (operation, list) in of {
                for (weight, outcomes) in list {
                    *count.entry((*operation, least(outcomes))).or_default() += weight;
                }
            }
            count
        };
        assert_eq!(counted(&few), counted(&all), "{note}: instances of {packed:?}");
        self.pruned += few.values().flatten().filter(|(weight, _)| *weight > 1).count();
        // And what they lead to, moved by the stabiliser, is everything.
        let reached = |of: &BTreeMap<u32, Vec<(u64, Outcomes)>>, by: &HashSet<Permutation>| {
            let mut reached = BTreeSet::new();
            for (operation, list) in of {
                for (results, target) in list.iter().flat_map(|(_, outcomes)| outcomes) {
                    for p in by {
                        reached.insert((*operation, images(results, p), images(target, p)));
                    }
                }
            }
            reached
        };
        let identity = HashSet::from([Permutation::default()]);
        assert_eq!(reached(&few, stabiliser), reached(&all, &identity), "{note}: {packed:?}");
    }
}

/// The group that permutations generate.
fn generated(group: &[Permutation], generators: &[Permutation]) -> HashSet<Permutation> {
    let identity = group.iter().find(|p| p.is_identity()).expect("in every group").clone();
    let mut found = HashSet::from([identity.clone()]);
    let mut queue = vec![identity];
    while let Some(p) = queue.pop() {
        for g in generators {
            let q = p.then(g);
            if found.insert(q.clone()) {
                queue.push(q);
            }
        }
    }
    found
}

/// Looks at some states of a machine. Gives how many of them are symmetric, and how many instances of
/// operations stood for several.
fn look(session: &Session, note: &str) -> (usize, usize) {
    let model = session.model().expect("a model");
    let mut looking = Looking::new(model);
    let mut set_ups = Vec::new();
    looking.evaluator.setups(&mut set_ups).expect("set-ups");
    let mut states: Vec<Vec<u64>> = Vec::new();
    // Set-ups far apart from each other.
    for constants in set_ups.iter().step_by(set_ups.len() / 5 + 1) {
        states.extend(looking.evaluator.initial_states(constants).expect("initial states"));
    }
    let mut known: HashSet<Vec<u64>> = states.iter().cloned().collect();
    let mut out = Successors::new();
    let mut next = 0;
    while next < states.len() && next < STATES {
        let state = states[next].clone();
        next += 1;
        looking.check(&state, note);
        looking.evaluator.successors(&state, false, &mut out).expect("ends");
        // The last ones first, so that the walk leaves the beginning.
        for i in (0..out.len()).rev().take(3) {
            if known.insert(out.target(i).to_vec()) {
                states.push(out.target(i).to_vec());
            }
        }
    }
    (looking.symmetric, looking.pruned)
}

#[test]
fn states_and_transitions_of_our_models() {
    for (machine, cards) in [
        ("coalitions", &[("PERSON", 3)][..]),
        ("committees", &[("PERSON", 3)]),
        ("dining_philosophers", &[("PHIL", 3), ("FORK", 3)]),
        ("library", &[("READER", 3), ("BOOK", 4)]),
        ("peterson", &[("PROC", 4)]),
        ("phonebook", &[("Name", 4), ("Code", 3)]),
        ("russian_postal_puzzle", &[("KeyIDs", 4)]),
        ("scheduler", &[("PID", 5)]),
        ("token_ring", &[("SERVER", 4)]),
        ("trap_named_element", &[("VOTER", 5)]),
        ("trap_partly_enumerated", &[("STAFF", 5)]),
        ("trap_printed_element", &[("GUEST", 3), ("TABLE", 4)]),
        ("trap_regular_graphs", &[("DANCER", 5)]),
        ("trap_tied_chains", &[("S", 5)]),
    ] {
        let session = open(model_file(machine), sized(cards, false));
        let (symmetric, pruned) = look(&session, machine);
        assert!(symmetric > 0, "{machine}: no state is symmetric");
        // A turn of the table takes every philosopher to another one: never a fixed argument.
        assert!(pruned > 0, "{machine}: nothing was pruned");
    }
}

#[test]
fn states_and_transitions_of_random_machines() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("M.mch");
    let (mut symmetric, mut pruned) = (0, 0);
    for seed in 1..=60 {
        let (text, cards) = symmetric::machine(seed);
        std::fs::write(&path, &text).expect("written");
        let found =
            look(&open(path.clone(), sized(&cards, false)), &format!("seed {seed}:\n{text}"));
        symmetric += found.0;
        pruned += found.1;
    }
    println!("{symmetric} symmetric states, {pruned} orbits of arguments");
    assert!(symmetric > 300 && pruned > 1000, "{symmetric} {pruned}");
}
