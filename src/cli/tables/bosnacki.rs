//! Bosnacki, Donaldson, Leuschel and Massart, Efficient Approximate Verification of Promela Models via
//! Symmetry Markers (ATVA 2007): figures 4 and 8, Peterson's protocol, and 9, an e-mail system.

use super::plan::{
    CellPlan, EMAIL, PETERSON, Plan, RowPlan, Search, full_nodes, nodes, or, seconds,
};
use crate::search::SymmetryMode;

/// Greatest sizes of Peterson's protocol that are searched, without and with `--full`.
struct Sizes {
    quick: u64,
    full: u64,
}

const UNREDUCED: Sizes = Sizes { quick: 4, full: 5 };
const CANON: Sizes = Sizes { quick: 6, full: 8 };
const SEGMENTED: Sizes = Sizes { quick: 5, full: 6 };
const SORTED: Sizes = Sizes { quick: 4, full: 5 };
const MARKERS: Sizes = Sizes { quick: 5, full: 7 };
const FLATTENED: Sizes = Sizes { quick: 6, full: 6 };

const EXPONENT: &str = "a misprint: 4.48e4 for 4.48e7, which figure 4 has";
const SORTED_RUN: &str = "the paper's own run: how many representatives sorting keeps depends on the \
    array, on the order of ties, and on whether the search goes on from the state or from its image";
const OTHER_MODEL: &str = "another model: the paper does not give its own. What must hold in both: \
    approximate markers keep no more states than full symmetry, exact markers and sorting no fewer, \
    and none more than there are";

/// The searches of a row that are done at this size, one for each mode, and where each stands.
struct Searches {
    all: Vec<Search>,
}

impl Searches {
    /// Its number among the searches; `None` where it is not done, whatever the options.
    fn add(&mut self, n: u64, mode: SymmetryMode, sizes: &Sizes) -> Option<usize> {
        if n > sizes.full {
            return None;
        }
        self.all.push(Search::new(PETERSON, n, mode).large_if(n > sizes.quick));
        Some(self.all.len() - 1)
    }
}

/// States and time of one method.
fn pair((states, time): Printed, search: Option<usize>) -> [CellPlan; 2] {
    match search {
        Some(i) => [CellPlan::new(states, nodes(i)), CellPlan::new(time, seconds(i))],
        None => [CellPlan::theirs(states), CellPlan::theirs(time)],
    }
}

/// States and time as a figure prints them.
type Printed = (&'static str, &'static str);

/// The unreduced search. Where it is too long, what canon counts from the sizes of the orbits.
fn unreduced(n: u64, (states, time): Printed, searches: &mut Searches) -> [CellPlan; 2] {
    let off = searches.add(n, SymmetryMode::Off, &UNREDUCED);
    let canon = searches.add(n, SymmetryMode::Canon, &CANON);
    let [mut cell, time] = pair((states, time), off);
    if let Some(canon) = canon {
        let counted = full_nodes(canon);
        cell.ours = Some(match off {
            Some(off) => or(nodes(off), counted),
            None => counted,
        });
    }
    [cell, time]
}

/// What both figures print of N processes: unreduced, segmented, TopSPIN sorted. Of two they print
/// nothing.
const COMMON: [(u64, Printed, Printed, Printed); 8] = [
    (2, ("-", "-"), ("-", "-"), ("-", "-")),
    (3, ("2636", "0.4"), ("494", "0.3"), ("494", "0.4")),
    (4, ("60577", "0.6"), ("3106", "0.4"), ("3106", "0.4")),
    (5, ("1.56e6", "11"), ("17321", "1"), ("17321", "1")),
    (6, ("4.48e7", "2666"), ("89850", "7"), ("89850", "7")),
    (7, ("-", "-"), ("442481", "85"), ("442481", "56")),
    (8, ("-", "-"), ("2.09e6", "1166"), ("2.09e6", "412")),
    (9, ("-", "-"), ("9.62e6", "16673"), ("9.62e6", "3034")),
];

fn row(label: u64, searches: Searches, cells: Vec<[CellPlan; 2]>) -> RowPlan {
    // All counts come before all times.
    let (states, times): (Vec<CellPlan>, Vec<CellPlan>) =
        cells.into_iter().map(|[states, time]| (states, time)).unzip();
    RowPlan {
        section: "",
        label: label.to_string(),
        searches: searches.all,
        cells: states.into_iter().chain(times).collect(),
    }
}

pub fn figure4() -> Plan {
    const REST: [(Printed, Printed); 8] = [
        (("-", "-"), ("-", "-")),
        (("907", "0.4"), ("251", "0.1")),
        (("9373", "0.4"), ("1177", "0.1")),
        (("95303", "2"), ("5148", "0.3")),
        (("885399", "18"), ("21752", "2")),
        (("7.94e6", "383"), ("89969", "10")),
        (("-", "-"), ("366424", "63")),
        (("-", "-"), ("1.47e6", "393")),
    ];
    let rows = COMMON.iter().zip(REST).map(|((n, off, full, topspin), (sorted, flattened))| {
        let mut searches = Searches { all: Vec::new() };
        let off = unreduced(*n, *off, &mut searches);
        let mut of = |printed, mode, sizes| pair(printed, searches.add(*n, mode, sizes));
        let cells = vec![
            off,
            of(*full, SymmetryMode::Segmented, &SEGMENTED),
            of(sorted, SymmetryMode::Sorted, &SORTED).map(|cell| cell.because(SORTED_RUN)),
            of(*topspin, SymmetryMode::Canon, &CANON),
            of(flattened, SymmetryMode::Flattened, &FLATTENED),
        ];
        row(*n, searches, cells)
    });
    Plan {
        name: "bosnacki-figure4",
        title: "Peterson's protocol: the methods of SymmSPIN and TopSPIN",
        source: "Bosnacki, Donaldson, Leuschel, Massart: Efficient Approximate Verification of \
            Promela Models via Symmetry Markers (2007), figure 4",
        heading: "N",
        columns: vec![
            "unreduced",
            "segmented",
            "sorted",
            "TopSPIN sorted",
            "flattened",
            "unreduced, s",
            "segmented, s",
            "sorted, s",
            "TopSPIN sorted, s",
            "flattened, s",
        ],
        rows: rows.collect(),
        remarks: &[
            "The root, which stands for the state before the processes are started, is a state.",
            "TopSPIN sorted: TopSPIN sorts whole states by swaps, and finds full symmetry here; \
             ours is canon.",
            "unreduced: where the machine is not searched without reduction, ours is the sum of \
             the orbits' sizes, from canon.",
        ],
    }
}

pub fn figure8() -> Plan {
    const MARKER_TIMES: [&str; 8] = ["-", "0.3", "0.4", "1", "3", "24", "175", "1333"];
    let rows = COMMON.iter().zip(MARKER_TIMES).map(|((n, off, full, topspin), marker_time)| {
        let mut searches = Searches { all: Vec::new() };
        let printed = if *n == 6 { "4.48e4" } else { off.0 };
        let off = unreduced(*n, (printed, off.1), &mut searches);
        let mut of = |printed, mode, sizes| pair(printed, searches.add(*n, mode, sizes));
        let cells = vec![
            off.map(|cell| cell.because(EXPONENT)),
            of(*full, SymmetryMode::Segmented, &SEGMENTED),
            of(*topspin, SymmetryMode::Canon, &CANON),
            of((full.0, marker_time), SymmetryMode::ExactMarker, &MARKERS),
            of((full.0, ""), SymmetryMode::ApproxMarker, &MARKERS),
        ];
        row(*n, searches, cells)
    });
    Plan {
        name: "bosnacki-figure8",
        title: "Peterson's protocol: symmetry markers",
        source: "Bosnacki, Donaldson, Leuschel, Massart: Efficient Approximate Verification of \
            Promela Models via Symmetry Markers (2007), figure 8",
        heading: "N",
        columns: vec![
            "unreduced",
            "segmented",
            "TopSPIN sorted",
            "exact markers",
            "approx markers",
            "unreduced, s",
            "segmented, s",
            "TopSPIN sorted, s",
            "exact markers, s",
            "approx markers, s",
        ],
        rows: rows.collect(),
        remarks: &[
            "There is no array from processes to processes, so that both kinds of markers find \
             full symmetry; of the approximate ones the paper says that they are the same.",
            "TopSPIN sorted: ours is canon. unreduced: where the machine is not searched without \
             reduction, ours is the sum of the orbits' sizes, from canon.",
        ],
    }
}

pub fn figure9() -> Plan {
    const MODES: [SymmetryMode; 5] = [
        SymmetryMode::Off,
        SymmetryMode::Segmented,
        SymmetryMode::Sorted,
        SymmetryMode::ExactMarker,
        SymmetryMode::ApproxMarker,
    ];
    /// Above this, our model is not searched.
    const LARGEST: u64 = 4;
    const ROWS: [(u64, [Printed; 5]); 6] = [
        (2, [("938", "0.5"), ("471", "0.3"), ("471", "0.3"), ("471", "0.3"), ("470", "0.4")]),
        (3, [("37793", "0.5"), ("6335", "0.4"), ("6361", "0.5"), ("6337", "0.4"), ("6316", "0.4")]),
        (4, [("1.33e6", "11"), ("56631", "4"), ("60566", "2"), ("57398", "1"), ("55711", "1")]),
        (5, [("-", "-"), ("399534", "64"), ("481964", "30"), ("430212", "12"), ("380040", "9")]),
        (
            6,
            [
                ("-", "-"),
                ("2.42e6", "1415"),
                ("3.40e6", "366"),
                ("3.05e6", "131"),
                ("2.21e6", "82"),
            ],
        ),
        (7, [("-", "-"), ("-", "-"), ("-", "-"), ("-", "-"), ("1.17e7", "766")]),
    ];
    let rows = ROWS.into_iter().map(|(n, printed)| {
        let done = n <= LARGEST;
        let search = |mode| Search::new(EMAIL, n, mode).large_if(n > 3);
        let all = MODES.into_iter().filter(|_| done).map(search).collect();
        let cells = printed.into_iter().enumerate().map(|(i, printed)| {
            pair(printed, done.then_some(i)).map(|cell| cell.because(OTHER_MODEL))
        });
        row(n, Searches { all }, cells.collect())
    });
    Plan {
        name: "bosnacki-figure9",
        title: "an e-mail system of a mailer and n clients",
        source: "Bosnacki, Donaldson, Leuschel, Massart: Efficient Approximate Verification of \
            Promela Models via Symmetry Markers (2007), figures 9 and 10",
        heading: "n",
        columns: vec![
            "unreduced",
            "segmented",
            "sorted",
            "exact markers",
            "approx markers",
            "unreduced, s",
            "segmented, s",
            "sorted, s",
            "exact markers, s",
            "approx markers, s",
        ],
        rows: rows.collect(),
        remarks: &["Our model has several million orbits for five clients; it is not searched."],
    }
}
