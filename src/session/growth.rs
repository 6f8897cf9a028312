//! How the number of nodes grows with the sets: one search for each size and symmetry mode.

use super::comparison::{Stage, Stopper, search_under};
use crate::clock::Clock;
use crate::search::{SearchOptions, SymmetryMode};
use crate::setup::{Model, SizeSource};
use std::time::Duration;

/// Longest time for one size under one mode, unless the search has a limit of its own.
const LIMIT: Duration = Duration::from_secs(20);

/// Most sizes that are tried: each is ten searches.
const SIZES: u32 = 12;

/// How much larger than they are now the sets become.
const BEYOND: u32 = 2;

/// News of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Growing {
    /// These sets get each of these sizes, all of them the same one.
    Begun { sets: Vec<String>, sizes: Vec<u32> },
    /// There is nothing to vary, or the machine has no such size, and why.
    Refused { size: Option<u32>, why: String },
    /// How far a mode is at a size.
    Point { size: u32, mode: SymmetryMode, stage: Stage },
}

/// The sets whose size is nobody's but the user's: names and sizes.
fn free(model: &Model) -> Vec<(String, u32)> {
    let free = model.sets.iter().filter(|set| set.source != SizeSource::Properties);
    free.map(|set| (set.name.to_string(), set.size)).collect()
}

/// From one element to some more than there are now, in even steps where these would be many.
fn sizes(largest: u32) -> Vec<u32> {
    let last = largest.saturating_add(BEYOND);
    let step = last.div_ceil(SIZES).max(1);
    let mut sizes: Vec<u32> = (1..=last).rev().step_by(step as usize).collect();
    sizes.reverse();
    sizes
}

/// Searches the machine with larger and larger sets under each mode. A mode that does not come to its end at
/// one size is not tried at the larger ones.
pub fn grow(
    model: &Model,
    options: &SearchOptions,
    stopper: &Stopper,
    tell: &mut dyn FnMut(Growing),
) {
    let sets = free(model);
    let Some(largest) = sets.iter().map(|(_, size)| *size).max() else {
        let why = "the machine has no set whose size can be chosen".to_owned();
        return tell(Growing::Refused { size: None, why });
    };
    let names: Vec<String> = sets.into_iter().map(|(name, _)| name).collect();
    let sizes = sizes(largest);
    tell(Growing::Begun { sets: names.clone(), sizes: sizes.clone() });
    let mut ended: Vec<(SymmetryMode, u32)> = Vec::new();
    for size in sizes {
        let clock = Clock::limited(options.timeout.or(Some(LIMIT)), options.memory);
        let cards = names.iter().map(|name| (name.clone(), u64::from(size))).collect();
        let model = match clock.guard(|| model.resized(cards)) {
            Ok(Ok(model)) => model,
            Ok(Err(wrong)) => {
                let why = wrong.first().map_or_else(String::new, |d| d.message.clone());
                tell(Growing::Refused { size: Some(size), why });
                continue;
            }
            Err(_) => {
                let why = "it was not set up in time".to_owned();
                tell(Growing::Refused { size: Some(size), why });
                continue;
            }
        };
        for mode in SymmetryMode::ALL {
            if stopper.is_stopped() {
                tell(Growing::Point { size, mode, stage: Stage::Cancelled });
                continue;
            }
            if let Some((_, at)) = ended.iter().find(|(of, _)| *of == mode) {
                let stage = Stage::Unusable(format!(
                    "not tried where n = {at} was not searched to its end"
                ));
                tell(Growing::Point { size, mode, stage });
                continue;
            }
            let mut told = |stage| tell(Growing::Point { size, mode, stage });
            let (stage, cut) = search_under(&model, mode, options, LIMIT, stopper, &mut told);
            if cut {
                ended.push((mode, size));
            }
            tell(Growing::Point { size, mode, stage });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Origin, Session};
    use crate::setup::SetupOptions;

    fn news(text: &str, options: &SearchOptions, stopper: &Stopper) -> Vec<Growing> {
        let origin = Origin::Embedded { name: "m.mch".to_owned(), text: text.to_owned() };
        let session = Session::open(origin, SetupOptions::default());
        let mut all = Vec::new();
        grow(session.model().unwrap(), options, stopper, &mut |news| all.push(news));
        all
    }

    const CLUB: &str = "MACHINE club SETS P VARIABLES in
INVARIANT in <: P INITIALISATION in := {}
OPERATIONS join(p) = PRE p : P - in THEN in := in \\/ {p} END END";

    #[test]
    fn nodes_are_counted_for_each_size_and_mode() {
        let all = news(CLUB, &SearchOptions::default(), &Stopper::default());
        let sets = vec!["P".to_owned()];
        assert_eq!(all[0], Growing::Begun { sets, sizes: vec![1, 2, 3, 4] });
        let nodes = |wanted: SymmetryMode| -> Vec<u64> {
            let own = all.iter().filter_map(|news| match news {
                Growing::Point { mode, stage: Stage::Done(row, _), .. } if *mode == wanted => {
                    Some(row.nodes)
                }
                _ => None,
            });
            own.collect()
        };
        // The root, and all sets, or one of each number of elements.
        assert_eq!(nodes(SymmetryMode::Off), [3, 5, 9, 17]);
        assert_eq!(nodes(SymmetryMode::Canon), [3, 4, 5, 6]);
    }

    #[test]
    fn what_took_too_long_is_not_tried_with_more() {
        let options = SearchOptions { max_states: Some(6), ..SearchOptions::default() };
        let all = news(CLUB, &options, &Stopper::default());
        let last = all.iter().rev().find_map(|news| match news {
            Growing::Point { size: 4, mode: SymmetryMode::Off, stage } => Some(stage.clone()),
            _ => None,
        });
        assert_eq!(
            last,
            Some(Stage::Unusable("not tried where n = 3 was not searched to its end".to_owned()))
        );
    }

    #[test]
    fn what_cannot_vary_says_why_and_what_is_stopped_ends() {
        let fixed = CLUB.replace("VARIABLES", "PROPERTIES card(P) = 3 VARIABLES");
        let all = news(&fixed, &SearchOptions::default(), &Stopper::default());
        assert!(matches!(all.as_slice(), [Growing::Refused { size: None, .. }]), "{all:?}");
        let stopper = Stopper::default();
        stopper.stop();
        let all = news(CLUB, &SearchOptions::default(), &stopper);
        let cancelled = |news: &Growing| {
            matches!(news, Growing::Begun { .. } | Growing::Point { stage: Stage::Cancelled, .. })
        };
        assert!(all.iter().all(cancelled), "{all:?}");
        assert_eq!(sizes(2), [1, 2, 3, 4]);
        assert_eq!((sizes(40).len(), sizes(40).last()), (11, Some(&42)));
    }
}
