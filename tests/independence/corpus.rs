//! Machines that other people made for partial order reduction, where they are at hand.

use crate::common::{self, corpus};
use crate::search::run;
use burnside::search::{PorMethod, SearchOptions, SymmetryMode};
use burnside::setup::SetupOptions;

/// The states of the full search, and with ample sets, where only deadlocks are looked for.
const ROWS: &[(&str, u64, u64)] = &[("por/CSM.mch", 76, 27), ("por/Threads.mch", 20808, 406)];

#[test]
fn machines_of_others_are_reduced() {
    let Some(folder) = corpus::folder() else { return };
    for (file, full, ample) in ROWS {
        let session = common::open(folder.join(file), SetupOptions::default());
        let model = session.model().expect("a model");
        let symmetry = Some(SymmetryMode::Off);
        let plain = SearchOptions { symmetry, invariant: false, ..SearchOptions::default() };
        let all = run(model, &plain);
        assert_eq!(all.states, *full, "{file}");
        let by = |method| run(model, &SearchOptions { por: Some(method), ..plain.clone() });
        let (first, second) = (by(PorMethod::Ample), by(PorMethod::Stubborn));
        assert_eq!((first.verdict, first.states), (all.verdict, *ample), "{file}");
        println!("{file}: {full} {ample} {}", second.states);
        assert_eq!(second.verdict, all.verdict, "{file}");
        assert!(second.states <= first.states, "{file}: {} states", second.states);
    }
}
