//! Dobrikov and Leuschel, Optimising the ProB Model Checker for B using Partial Order Reduction (SEFM 2014):
//! table 1.

use super::plan::{
    CONCURRENT_COUNTERS, CellPlan, Machine, Plan, RING_OF_EIGHT, RowPlan, Search, analysis_seconds,
    nodes, seconds, transitions,
};
use crate::search::{OnViolation, PorMethod, SymmetryMode};
use std::path::Path;

/// One algorithm of the paper on one model: states, transitions, time of the analysis and of the search.
struct Printed {
    invariant: bool,
    reduced: bool,
    figures: [&'static str; 4],
}

struct Block {
    name: &'static str,
    /// `None`: we do not have the model.
    machine: Option<Machine>,
    rows: [Printed; 4],
    /// Why the figures of the full search differ, and those of the reduced one.
    reasons: [&'static str; 2],
    /// The same where the invariant is checked.
    checked: Option<&'static str>,
}

const ENDED: &str = "the invariant is violated: the paper's search, a mixed one that chance guides, ended \
    there, and ours goes on";
const ROOT: &str = "the paper counts one more edge at the beginning";
const LEAST: &str = "a root and an edge more than the least that there is, 152 states, and the paper \
    counts its edges otherwise";
const ONE_RING: &str = "the paper's machine has several rings of eight servers; ours is one";
const INSTANCES: &str = "ours is one ring, and follows single requests: the paper's analysis is about \
    operations, which have all requests in common";

const ALL_SET_UPS: &str = "the paper has four of the eight set-ups and no root: with an axiom that fixes the bijection \
    sendPurchaseOrder ours are 2248 and 4960, too";
const SET_UPS_REDUCED: &str = "the paper has four of the eight set-ups and no root: with an axiom that fixes the bijection \
    sendPurchaseOrder ours are about half of these where only deadlocks are kept";
const OTHER_SIEVE: &str =
    "the package that there is sieves more numbers than the paper's, to judge by its states";
const PHIL_ROOT: &str = "the paper counts one node, or edge, more or less at the beginning";
const PHIL_REDUCED: &str = "the places that guards and bodies touch are told apart, and a conjunct of a guard that is \
    false and nobody can make true ends a chain";

fn rows(figures: [[&'static str; 4]; 4]) -> [Printed; 4] {
    let mut kinds = [(true, false), (true, true), (false, false), (false, true)].into_iter();
    figures.map(|figures| {
        let (invariant, reduced) = kinds.next().unwrap_or_default();
        Printed { invariant, reduced, figures }
    })
}

fn blocks() -> Vec<Block> {
    vec![
        Block {
            name: "Counters",
            machine: Some(CONCURRENT_COUNTERS),
            rows: rows([
                ["3974", "11485", "-", "3.417"],
                ["961", "1807", "0.001", "0.823"],
                ["110813", "325004", "-", "73.167"],
                ["152", "154", "0.010", "0.097"],
            ]),
            reasons: [ROOT, LEAST],
            checked: Some(ENDED),
        },
        Block {
            name: "BPEL v6",
            machine: Some(BPEL),
            rows: rows([
                ["2248", "4960", "-", "7.437"],
                ["2248", "4960", "0.748", "7.884"],
                ["2248", "4960", "-", "6.944"],
                ["847", "1004", "0.640", "2.670"],
            ]),
            reasons: [ALL_SET_UPS, SET_UPS_REDUCED],
            checked: None,
        },
        Block {
            name: "Token Ring",
            machine: Some(RING_OF_EIGHT),
            rows: rows([
                ["8196", "45077", "-", "14.291"],
                ["8176", "40565", "0.011", "14.671"],
                ["8196", "45077", "-", "13.814"],
                ["4776", "12129", "0.016", "7.807"],
            ]),
            reasons: [ONE_RING, INSTANCES],
            checked: None,
        },
        Block {
            name: "Sieve",
            machine: Some(SIEVE),
            rows: rows([
                ["8328", "28436", "-", "215.138"],
                ["8142", "25237", "12.437", "217.754"],
                ["8328", "28436", "-", "220.864"],
                ["6421", "14557", "12.439", "186.101"],
            ]),
            reasons: [OTHER_SIEVE, OTHER_SIEVE],
            checked: None,
        },
        Block {
            name: "Phil v2",
            machine: Some(PHIL),
            rows: rows([
                ["2350", "4528", "-", "9.086"],
                ["2347", "4390", "0.406", "9.354"],
                ["2350", "4528", "-", "8.870"],
                ["2346", "4336", "0.378", "9.167"],
            ]),
            reasons: [PHIL_ROOT, PHIL_REDUCED],
            checked: None,
        },
    ]
}

/// The models that are no part of this program.
const SIEVE: Machine = Machine::package("sieve_parallel", "sieve_parallel_mch.eventb", &[]);
/// What the messages carry does not matter: there is one of each.
const BPEL: Machine = Machine::package(
    "bpel_v6",
    "Model_Machine_4_NoDeadlock_v6.eventb",
    &[
        "Void",
        "customerInfoType",
        "shippingInfoType",
        "scheduleInfoType",
        "purchaseOrderType",
        "InvoiceType",
        "orderFault",
        "orderFaultType",
    ],
);
const PHIL: Machine = Machine::package("phil_v2", "phil_mch_v2_mch.eventb", &[]);

/// `packages`: where those models are.
pub fn table1(packages: Option<&Path>) -> Plan {
    let mut all = Vec::new();
    for mut block in blocks() {
        block.machine = block.machine.filter(|m| m.is_at_hand(packages));
        for row in &block.rows {
            all.push(plan(&block, row));
        }
        all.extend(stubborn(&block));
    }
    Plan {
        name: "dobrikov-table1",
        title: "Partial order reduction of five models",
        source: "Dobrikov and Leuschel 2014, table 1",
        heading: "algorithm",
        columns: vec!["states", "transitions", "analysis", "search"],
        rows: all,
        remarks: &[
            "States and transitions count the root. POR: ample sets, of which the smallest are taken; the \
             paper takes one by chance and prints the mean of ten searches.",
            "stubborn: our other method. BPEL, Sieve and Phil are Event-B packages, which are no part of this \
             program: --packages says where they are.",
        ],
    }
}

/// Ours by another method, which the paper does not have.
fn stubborn(block: &Block) -> Option<RowPlan> {
    let search = Search::new(block.machine?, 1, SymmetryMode::Off)
        .on_violation(OnViolation::Expand)
        .invariant(false)
        .por(PorMethod::Stubborn);
    let ours = [nodes(0), transitions(0), analysis_seconds(0), seconds(0)];
    Some(RowPlan {
        section: block.name,
        label: "MC-NoINV+stubborn".to_owned(),
        searches: vec![search],
        cells: ours.into_iter().map(|measure| CellPlan::new("-", measure)).collect(),
    })
}

fn plan(block: &Block, row: &Printed) -> RowPlan {
    let [states, edges, analysis, time] = row.figures;
    let label = match (row.invariant, row.reduced) {
        (true, false) => "MC",
        (true, true) => "MC+POR",
        (false, false) => "MC-NoINV",
        (false, true) => "MC-NoINV+POR",
    };
    let Some(machine) = block.machine else {
        let cells = row.figures.into_iter().map(CellPlan::theirs).collect();
        return RowPlan {
            section: block.name,
            label: label.to_owned(),
            searches: Vec::new(),
            cells,
        };
    };
    let mut search = Search::new(machine, 1, SymmetryMode::Off)
        .on_violation(OnViolation::Expand)
        .invariant(row.invariant);
    if row.reduced {
        search = search.por(PorMethod::Ample);
    }
    let reason = match block.checked {
        Some(reason) if row.invariant => reason,
        _ => block.reasons[usize::from(row.reduced)],
    };
    let cells = vec![
        CellPlan::new(states, nodes(0)).because(reason),
        CellPlan::new(edges, transitions(0)).because(reason),
        if row.reduced {
            CellPlan::new(analysis, analysis_seconds(0))
        } else {
            CellPlan::theirs(analysis)
        },
        CellPlan::new(time, seconds(0)),
    ];
    RowPlan { section: block.name, label: label.to_owned(), searches: vec![search], cells }
}
