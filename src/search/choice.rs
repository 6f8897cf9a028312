//! Which reduction and which store a mode stands for.

use super::options::{SearchOptions, SymmetryMode};
use crate::reduce::{
    Canon, MainArrays, Reading, Reduction, approx_marker, canonical, exact_marker, flattened,
    flooded, identity, isomorphism, marker, segmented, sorted,
};
use crate::setup::Model;
use crate::store::{Buckets, Exact, First, Images, Visited};

/// The mode that is used: canon where some set is symmetric, unless one was asked for.
pub fn effective_mode(model: &Model, options: &SearchOptions) -> SymmetryMode {
    match options.symmetry {
        Some(mode) => mode,
        None if model.group.is_trivial() => SymmetryMode::Off,
        None => SymmetryMode::Canon,
    }
}

pub fn off(model: &Model, options: &SearchOptions) -> Visited {
    let (words, most) = (model.program.layout.words, options.most_numbers);
    Visited::new(words, identity::reduction(), Exact::new(words, most))
}

/// What labels states for a search that keeps some of each orbit.
pub fn canon(model: &Model, visited: &Visited) -> Option<Canon> {
    let canon = || Canon::new(model.program.layout.clone(), model.group.clone());
    (!visited.about().keeps_runs).then(canon)
}

/// The store of a search that keeps canonical images.
fn canonical(model: &Model, options: &SearchOptions) -> Visited {
    let (layout, group) = (model.program.layout.clone(), model.group.clone());
    let (words, most) = (layout.words, options.most_numbers);
    let reduction = canonical::reduction(layout, group);
    Visited::new(words, reduction, Exact::new(words, most))
}

fn reading(model: &Model) -> Reading {
    let machine = &model.instance.machine;
    let globals = machine.constants.iter().chain(&machine.variables);
    Reading::new(model.program.layout.clone(), globals.map(|g| g.name.to_string()).collect())
}

/// Why a variable or constant cannot be a main array; `None` when it can.
pub fn main_array_problem(model: &Model, name: &str) -> Option<String> {
    MainArrays::choose(&reading(model), &model.group, Some(name)).err()
}

/// What a search looks its states up in.
///
/// # Errors
/// Why the main array that was asked for cannot be one.
pub fn visited(model: &Model, options: &SearchOptions) -> Result<Visited, String> {
    let (layout, group) = (model.program.layout.clone(), model.group.clone());
    let (reading, words, most) = (reading(model), layout.words, options.most_numbers);
    let arrays = |reading: &Reading| {
        MainArrays::choose(reading, &model.group, options.main_array.as_deref())
    };
    let images = |reduction: Reduction| Visited::new(words, reduction, Exact::new(words, most));
    let approximate = |reduction: Reduction| {
        let visited = Visited::new(words, reduction, First::new(words, most));
        if options.measure_precision {
            visited.audited_by(canonical(model, options))
        } else {
            visited
        }
    };
    Ok(match effective_mode(model, options) {
        SymmetryMode::Off => off(model, options),
        SymmetryMode::Canon => canonical(model, options),
        SymmetryMode::Flood => {
            let store = Images::new(words, most, group.exact_order(), options.flood_limit);
            let reduction = flooded::reduction(layout, reading, group);
            Visited::new(words, reduction, store)
        }
        SymmetryMode::Marker => approximate(marker::reduction(reading, group)),
        SymmetryMode::ApproxMarker => approximate(approx_marker::reduction(reading, group)),
        SymmetryMode::Flattened => approximate(flattened::reduction(reading, group)),
        SymmetryMode::ExactMarker => images(exact_marker::reduction(reading, group)),
        SymmetryMode::Sorted => {
            let arrays = arrays(&reading)?;
            images(sorted::reduction(reading, group, arrays))
        }
        SymmetryMode::Segmented => {
            let arrays = arrays(&reading)?;
            images(segmented::reduction(layout, reading, group, arrays))
        }
        SymmetryMode::Iso => {
            let reduction = isomorphism::reduction(layout, reading, group, options.iso);
            Visited::new(words, reduction, Buckets::new(words, most))
        }
    })
}
