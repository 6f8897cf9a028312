//! States of the machines in `models/`, met on random walks.

use crate::families::{Family, Random};
use crate::ours::Ours;
use burnside::eval::{Evaluator, Successors};
use burnside::session::{Origin, Session};
use burnside::setup::SetupOptions;
use std::collections::HashSet;
use std::path::Path;

/// A machine, the sets that are sized, and how many elements each has for so many vertices.
struct Walked {
    file: &'static str,
    sets: &'static [&'static str],
    /// Vertices that an element of each set brings, about.
    share: u64,
}

const MACHINES: [Walked; 7] = [
    Walked { file: "phonebook_db", sets: &["Name", "Code"], share: 2 },
    Walked { file: "phonebook", sets: &["Name", "Code"], share: 2 },
    Walked { file: "phonebook_err", sets: &["Name", "Code"], share: 2 },
    Walked { file: "scheduler0", sets: &["PROC"], share: 1 },
    Walked { file: "scheduler", sets: &["PID"], share: 1 },
    Walked { file: "russian_postal_puzzle", sets: &["KeyIDs"], share: 1 },
    Walked { file: "peterson", sets: &["PROC"], share: 1 },
];

/// Steps of one walk, for each element of a set.
const STEPS: u64 = 6;

/// `models`: where the machines are.
pub fn families(
    models: &Path,
    vertices: usize,
    graphs: usize,
    chosen: impl Fn(&str) -> bool,
) -> Vec<Family> {
    let machines = MACHINES.iter().filter(|m| chosen(m.file));
    machines.map(|m| family(models, m, vertices, graphs)).collect()
}

fn family(models: &Path, machine: &Walked, vertices: usize, graphs: usize) -> Family {
    let size = vertices as u64 / machine.share;
    let file = models.join(format!("{}.mch", machine.file));
    let cards = machine.sets.iter().map(|s| (s.to_string(), size)).collect();
    let session =
        Session::open(Origin::File(file), SetupOptions { cards, ..SetupOptions::default() });
    let Some(model) = session.model() else {
        panic!("{}: {:?}", machine.file, session.diagnostics())
    };
    let mut evaluator = Evaluator::new(model.program.clone());
    let mut set_ups = Vec::new();
    evaluator.setups(&mut set_ups).expect("no constants that fail");
    let starts = evaluator.initial_states(&set_ups[0]).expect("no initialisation that fails");
    let mut random = Random(vertices as u64);
    let mut met: HashSet<Vec<u64>> = HashSet::new();
    let mut states = Vec::new();
    let mut out = Successors::new();
    // A walk gives a state at a third, two thirds and the end of its way.
    for _ in 0..20 * graphs {
        let mut state = starts[random.below(starts.len() as u64) as usize].clone();
        let steps = 1 + random.below(STEPS * size);
        for step in 1..=steps {
            evaluator.successors(&state, false, &mut out).expect("nothing halts it");
            if out.is_empty() {
                break;
            }
            state = out.target(random.below(out.len() as u64) as usize).to_vec();
            let sampled = step % steps.div_ceil(3) == 0 || step == steps;
            if sampled && states.len() < graphs && met.insert(state.clone()) {
                states.push(state.clone());
            }
        }
        if states.len() == graphs {
            break;
        }
    }
    let ours = Ours::new(model, evaluator.interner().clone());
    Family { kind: crate::families::Kind::State, name: machine.file.into(), vertices, states, ours }
}
