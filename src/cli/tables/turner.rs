//! Turner, Leuschel, Spermann and Butler, Symmetry Reduced Model Checking for B (TASE 2007): table 1,
//! and the speedups that its figure 11 draws.

use super::plan::{
    CellPlan, Machine, PHONEBOOK, PHONEBOOK_ERR, POSTAL_PUZZLE, Plan, RowPlan, SCHEDULER,
    SCHEDULER0, Search, nodes, seconds, speedup, transitions,
};
use crate::search::{OnViolation, SymmetryMode};

/// The printed figures of one machine and size.
struct Printed {
    size: u64,
    /// Time, states and transitions, each without and with reduction, and the speedup.
    time: [&'static str; 2],
    speedup: &'static str,
    states: [&'static str; 2],
    transitions: [&'static str; 2],
}

/// A machine with its rows, and why its figures may differ.
struct Block {
    name: &'static str,
    machine: Machine,
    rows: Vec<Printed>,
    on_violation: OnViolation,
    reason: Option<&'static str>,
}

const DIGITS: &str = "two digits of the paper's figure have changed places";
const MIXED: &str = "the paper's search was a random mixed one that ended at the first \
    counterexample; ours goes through all states and does not expand violating ones";

fn printed(
    size: u64,
    time: [&'static str; 2],
    speedup: &'static str,
    states: [&'static str; 2],
    transitions: [&'static str; 2],
) -> Printed {
    Printed { size, time, speedup, states, transitions }
}

fn blocks() -> Vec<Block> {
    let block = |name, machine, rows| Block {
        name,
        machine,
        rows,
        on_violation: OnViolation::Expand,
        reason: None,
    };
    vec![
        block(
            "scheduler0",
            SCHEDULER0,
            vec![
                printed(1, ["0.01", "0.01"], "1.0", ["5", "5"], ["6", "6"]),
                printed(2, ["0.05", "0.05"], "1.0", ["16", "10"], ["37", "23"]),
                printed(3, ["0.26", "0.15"], "1.7", ["55", "17"], ["190", "59"]),
                printed(4, ["1.24", "0.52"], "2.4", ["190", "26"], ["865", "121"]),
                printed(5, ["7.78", "2.20"], "3.5", ["649", "37"], ["3646", "216"]),
                printed(6, ["35.35", "12.03"], "2.9", ["2188", "50"], ["14581", "351"]),
            ],
        ),
        Block {
            reason: Some(DIGITS),
            ..block(
                "scheduler",
                SCHEDULER,
                vec![
                    printed(1, ["0.01", "0.01"], "1.0", ["4", "4"], ["5", "5"]),
                    printed(2, ["0.03", "0.02"], "1.5", ["11", "7"], ["25", "16"]),
                    printed(3, ["0.14", "0.08"], "1.8", ["36", "11"], ["121", "37"]),
                    printed(4, ["0.64", "0.30"], "2.1", ["125", "16"], ["561", "71"]),
                    printed(5, ["3.02", "2.78"], "1.1", ["438", "22"], ["2418", "121"]),
                    printed(6, ["22.93", "27.03"], "0.8", ["1523", "29"], ["10489", "190"]),
                ],
            )
        },
        Block {
            reason: Some("a misprint: 1277 for 1227"),
            ..block(
                "Russian Postal Puzzle",
                POSTAL_PUZZLE,
                vec![
                    printed(1, ["0.05", "0.08"], "0.6", ["15", "15"], ["24", "24"]),
                    printed(2, ["0.31", "0.42"], "0.7", ["81", "48"], ["177", "105"]),
                    printed(3, ["2.13", "2.05"], "1.0", ["441", "119"], ["1277", "331"]),
                    printed(4, ["17.34", "9.80"], "1.8", ["2325", "248"], ["7869", "838"]),
                    printed(5, ["158.61", "48.83"], "3.2", ["11985", "459"], ["47795", "1826"]),
                    printed(6, ["738.14", "266.37"], "2.8", ["60981", "780"], ["279969", "3571"]),
                ],
            )
        },
        block(
            "phonebook",
            PHONEBOOK,
            vec![
                printed(1, ["0.01", "0.01"], "1.0", ["3", "3"], ["4", "4"]),
                printed(2, ["0.06", "0.03"], "2.0", ["10", "5"], ["37", "17"]),
                printed(3, ["0.69", "0.17"], "4.1", ["65", "8"], ["433", "50"]),
                printed(4, ["12.03", "1.09"], "11.0", ["626", "13"], ["6001", "125"]),
                printed(5, ["280.38", "7.51"], "37.3", ["7777", "20"], ["97201", "269"]),
                printed(6, ["13944.97", "60.36"], "231.0", ["117650", "31"], ["1815157", "541"]),
            ],
        ),
        Block {
            on_violation: OnViolation::Prune,
            reason: Some(MIXED),
            ..block(
                "phonebook_err",
                PHONEBOOK_ERR,
                vec![
                    printed(4, ["0.01", "0.90"], "<0.1", ["46", "17"], ["57", "108"]),
                    printed(5, ["0.01", "0.20"], "<0.1", ["76", "10"], ["88", "88"]),
                    printed(6, ["0.01", "1.92"], "<0.1", ["131", "19"], ["156", "178"]),
                ],
            )
        },
    ]
}

fn searches(block: &Block, size: u64) -> Vec<Search> {
    let search = |mode| Search::new(block.machine, size, mode).on_violation(block.on_violation);
    vec![search(SymmetryMode::Off), search(SymmetryMode::Canon)]
}

/// A row for each size of each machine.
fn rows(blocks: Vec<Block>, cells: impl Fn(&Block, &Printed) -> Vec<CellPlan>) -> Vec<RowPlan> {
    let row = |block: &Block, printed: &Printed| RowPlan {
        section: block.name,
        label: printed.size.to_string(),
        searches: searches(block, printed.size),
        cells: cells(block, printed),
    };
    blocks.iter().flat_map(|b| b.rows.iter().map(|p| row(b, p)).collect::<Vec<_>>()).collect()
}

pub fn table1() -> Plan {
    Plan {
        name: "turner-table1",
        title: "states and transitions, without and with symmetry reduction",
        source: "Turner, Leuschel, Spermann, Butler: Symmetry Reduced Model Checking for B (2007), \
            table 1",
        heading: "Card",
        columns: vec!["states", "reduced", "transitions", "reduced"],
        rows: rows(blocks(), |block, printed| {
            let figures = [
                CellPlan::new(printed.states[0], nodes(0)),
                CellPlan::new(printed.states[1], nodes(1)),
                CellPlan::new(printed.transitions[0], transitions(0)),
                CellPlan::new(printed.transitions[1], transitions(1)),
            ];
            figures.into_iter().map(|f| CellPlan { reason: block.reason, ..f }).collect()
        }),
        remarks: &["The root is a state and the initialisation a transition."],
    }
}

pub fn figure11() -> Plan {
    let mut blocks = blocks();
    // The figure is about searches that go through all states.
    blocks.retain(|b| b.on_violation == OnViolation::Expand);
    Plan {
        name: "turner-figure11",
        title: "times without and with symmetry reduction, and the speedup",
        source: "Turner, Leuschel, Spermann, Butler: Symmetry Reduced Model Checking for B (2007), \
            figure 11",
        heading: "Card",
        columns: vec!["time, s", "reduced", "speedup"],
        rows: rows(blocks, |_, printed| {
            vec![
                CellPlan::new(printed.time[0], seconds(0)),
                CellPlan::new(printed.time[1], seconds(1)),
                CellPlan::new(printed.speedup, speedup(0, 1)),
            ]
        }),
        remarks: &[
            "The figure draws the speedups of three of these machines; its data are the times of \
             table 1. The paper's are of ProB in Prolog on a Pentium 4, ours of this machine now, \
             one run each.",
        ],
    }
}
