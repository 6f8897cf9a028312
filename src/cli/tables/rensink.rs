//! Rensink, Isomorphism Checking for Symmetry Reduction (2010): tables 3, 4 and 5.

use super::plan::{
    CellPlan, Machine, NETWORK, PUSH_MESSAGES, PUSH_PHASES, Plan, RowPlan, Search, deadlocked,
    full_deadlocked, full_own_transitions, full_states, goals, own_transitions, reduction,
    reduction_share, states, statistic,
};
use crate::report::tables::Value;
use crate::search::{IsoOptions, Refinement, SymmetryMode};

const EXACT: &str = "257,290 is exact, by search and by Burnside's lemma; the 99% of the paper belong \
    to it";
const COPIED: &str =
    "a misprint: the factor of C = 1 is printed again; the 99% of the paper belong to ours";
const TWO_MODELS: &str = "the paper's columns come from two models of its own that it does not give: \
    the total states from one in muCRL, the reduced ones from one in GROOVE";
const TOTAL: &str = "a misprint: the reduced states are printed again";
const SMALLER: &str = "a smaller network than the paper's, which has N = 7; and arguments that the symmetry of a \
    state makes alike are tried once, so that fewer states come to be compared";

/// The sections of tables by view size.
fn section(view_size: u64) -> &'static str {
    match view_size {
        1 => "C = 1",
        2 => "C = 2",
        3 => "C = 3",
        4 => "C = 4",
        _ => "C = 5",
    }
}

/// Whether the configurations of a network are searched, and then whether only with `--full`.
fn network(n: u64, view_size: u64) -> Option<bool> {
    match (n, view_size) {
        (..=6, _) | (7, 1 | 5) | (8, 1) => Some(false),
        (7, 2..=4) => Some(true),
        _ => None,
    }
}

pub fn table3() -> Plan {
    // View size, network size, normal, reduced, reduction factor, share of the largest factor.
    const ROWS: [(u64, u64, [&str; 4]); 21] = [
        (1, 4, ["81", "6", "14", "56%"]),
        (1, 5, ["1,024", "13", "79", "66%"]),
        (1, 6, ["1.6e4", "40", "391", "54%"]),
        (1, 7, ["2.8e5", "100", "2,799", "56%"]),
        (1, 8, ["5.8e6", "291", "19,810", "49%"]),
        (2, 4, ["81", "6", "14", "56%"]),
        (2, 5, ["7,776", "79", "98", "82%"]),
        (2, 6, ["1.0e6", "1,499", "667", "93%"]),
        (2, 7, ["1.7e8", "35,317", "4,838", "96%"]),
        (2, 8, ["3.8e10", "9.7e5", "39,103", "97%"]),
        (3, 4, ["-", "-", "-", "-"]),
        (3, 5, ["1,024", "13", "79", "66%"]),
        (3, 6, ["1.0e6", "1,499", "667", "93%"]),
        (3, 7, ["1.3e9", "2.7e5", "2,799", "99%"]),
        (3, 8, ["2.3e12", "-", "-", "-"]),
        (4, 6, ["15,625", "40", "391", "54%"]),
        (4, 7, ["1.7e8", "35,317", "4,838", "96%"]),
        (4, 8, ["2.3e12", "-", "-", "-"]),
        (5, 6, ["-", "-", "-", "-"]),
        (5, 7, ["2.8e5", "100", "2,799", "56%"]),
        (5, 8, ["3.8e10", "9.7e5", "39,103", "97%"]),
    ];
    let rows = ROWS.into_iter().map(|(view_size, n, printed)| {
        let [normal, reduced, factor, share] = printed;
        let large = network(n, view_size);
        let search = large.map(|large| {
            Search::new(NETWORK, n, SymmetryMode::Canon).view_size(view_size).large_if(large)
        });
        let cells = match search {
            None => printed.map(CellPlan::theirs),
            Some(_) => [
                CellPlan::new(normal, full_deadlocked(0)),
                CellPlan::new(reduced, deadlocked(0)).because(EXACT),
                CellPlan::new(factor, reduction(0)).because(COPIED),
                CellPlan::new(share, reduction_share(0, n)),
            ],
        };
        RowPlan {
            section: section(view_size),
            label: n.to_string(),
            searches: search.into_iter().collect(),
            cells: cells.into(),
        }
    });
    Plan {
        name: "rensink-table3",
        title: "configurations of a network: N nodes that know C others each",
        source: "Rensink: Isomorphism Checking for Symmetry Reduction (2010), table 3",
        heading: "N",
        columns: vec!["normal", "reduced", "factor", "of N!"],
        rows: rows.collect(),
        remarks: &[
            "Reduced are the deadlocked states of network.mch under canon, normal the sum of the \
             sizes of their orbits.",
        ],
    }
}

pub fn table4() -> Plan {
    // View size, network size, total states, reduced states, configurations.
    const ROWS: [(u64, u64, [&str; 3]); 6] = [
        (2, 4, ["945", "80", "6"]),
        (2, 5, ["1.2e5", "1,850", "79"]),
        (2, 6, ["1.9e7", "56,843", "1,498"]),
        (3, 5, ["321", "321", "13"]),
        (3, 6, ["2.3e7", "56,843", "1,499"]),
        (4, 6, ["3.9e5", "1,247", "40"]),
    ];
    let model = |machine: Machine, view_size, n, [total, reduced, stable]: [&'static str; 3]| {
        let search = Search::new(machine, n, SymmetryMode::Canon).view_size(view_size).goal();
        let total_reason = if total == "321" { TOTAL } else { TWO_MODELS };
        RowPlan {
            section: section(view_size),
            label: format!("{n} {}", if machine == PUSH_PHASES { "phases" } else { "messages" }),
            searches: vec![search],
            cells: vec![
                CellPlan::new(total, full_states(0)).because(total_reason),
                CellPlan::new(reduced, states(0)).because(TWO_MODELS),
                CellPlan::new(stable, goals(0)),
                CellPlan::new("", full_own_transitions(0)),
                CellPlan::new("", own_transitions(0)),
            ],
        }
    };
    let rows = ROWS.into_iter().flat_map(|(view_size, n, [total, reduced, stable])| {
        // Each printed figure stands with the model that it is one of, where there is one.
        [
            model(PUSH_PHASES, view_size, n, ["", reduced, stable]),
            model(PUSH_MESSAGES, view_size, n, [total, "", stable]),
        ]
    });
    Plan {
        name: "rensink-table4",
        title: "the push protocol: states and stable configurations",
        source: "Rensink: Isomorphism Checking for Symmetry Reduction (2010), table 4",
        heading: "N",
        columns: vec![
            "total states",
            "reduced states",
            "configurations",
            "total transitions",
            "reduced",
        ],
        rows: rows.collect(),
        remarks: &[
            "Without the root, the set-up and the initialisation. Total states and transitions are \
             sums of the sizes of orbits. The paper counts no transitions.",
            "For N = 6 and C = 2 one configuration of 1,499 cannot be reached, as the paper says.",
        ],
    }
}

pub fn table5() -> Plan {
    const VARIANTS: [(Refinement, bool); 4] = [
        (Refinement::Naive, false),
        (Refinement::Naive, true),
        (Refinement::PaigeTarjan, false),
        (Refinement::PaigeTarjan, true),
    ];
    type Shown = fn(f64) -> Value;
    let count: Shown = |x| Value::count(x as u64);
    let time: Shown = |seconds| Value::Milliseconds(1e3 * seconds);
    // The statistics of the method by their names, and what the paper prints of its four variants.
    let figures: [(&str, &'static str, Shown, [&'static str; 4]); 12] = [
        (
            "predicted isomorphisms",
            "predicted isomorphisms",
            count,
            ["1,509,212", "1,395,789", "1,510,256", "1,397,223"],
        ),
        (
            "false: hash",
            "false positives of the hash",
            count,
            ["113,817", "394", "114,867", "1,829"],
        ),
        (
            "  of predicted",
            "false positives of the hash, share of predicted",
            Value::Share,
            ["7.5%", "0.0%", "7.6%", "0.1%"],
        ),
        (
            "false: colouring",
            "false positives of the colouring",
            count,
            ["113,423", "0", "113,005", "0"],
        ),
        (
            "  of predicted",
            "false positives of the colouring, share of predicted",
            Value::Share,
            ["7.5%", "0.0%", "7.5%", "0.0%"],
        ),
        ("time, ms", "seconds in total", time, ["632,634", "492,700", "585,274", "587,148"]),
        (
            "checking, ms",
            "seconds of isomorphism checking",
            time,
            ["67,656", "60,125", "174,659", "184,404"],
        ),
        (
            "  of time",
            "isomorphism checking, share of total",
            Value::TimeShare,
            ["11%", "12%", "30%", "31%"],
        ),
        ("hashing, ms", "seconds of hashing", time, ["28,572", "41,491", "124,415", "153,536"]),
        (
            "  of checking",
            "hashing, share of isomorphism checking",
            Value::TimeShare,
            ["42%", "69%", "71%", "83%"],
        ),
        ("searching, ms", "seconds of searching", time, ["23,000", "1,412", "20,818", "1,481"]),
        (
            "  of checking",
            "searching, share of isomorphism checking",
            Value::TimeShare,
            ["34%", "2%", "12%", "1%"],
        ),
    ];
    let mut rows = Vec::new();
    for (n, section) in [(5, "ours: N = 5"), (6, "ours: N = 6")] {
        for (label, name, value, printed) in figures {
            let search = |(refinement, symmetry_breaking)| {
                Search::new(PUSH_PHASES, n, SymmetryMode::Iso)
                    .view_size(2)
                    .goal()
                    .iso(IsoOptions { refinement, symmetry_breaking })
                    .large_if(n > 5)
            };
            let cell =
                |(i, paper)| CellPlan::new(paper, statistic(i, name, value)).because(SMALLER);
            rows.push(RowPlan {
                section,
                label: label.to_owned(),
                searches: VARIANTS.map(search).into(),
                cells: printed.into_iter().enumerate().map(cell).collect(),
            });
        }
    }
    Plan {
        name: "rensink-table5",
        title: "isomorphism checking of the push protocol, C = 2",
        source: "Rensink: Isomorphism Checking for Symmetry Reduction (2010), table 5 (N = 7)",
        heading: "",
        columns: vec!["naive", "naive, breaking", "Paige-Tarjan", "Paige-Tarjan, breaking"],
        rows,
        remarks: &["breaking: symmetries are broken to refine the colouring once more."],
    }
}
