//! Which method is used, and how it is made.

use super::options::{SearchOptions, SymmetryMode};
use crate::setup::Model;
use crate::symmetry::Method;
use crate::symmetry::methods::{
    ApproxMarker, Canon, ExactMarker, Flattened, Flood, Iso, MainArrays, Marker, Measured, Off,
    Reading, Segmented, Sorted,
};

/// The mode that is used: canon where some set is symmetric, unless one was asked for.
pub fn effective_mode(model: &Model, options: &SearchOptions) -> SymmetryMode {
    match options.symmetry {
        Some(mode) => mode,
        None if model.group.is_trivial() => SymmetryMode::Off,
        None => SymmetryMode::Canon,
    }
}

pub fn off(model: &Model) -> Box<dyn Method> {
    Box::new(Off::new(&model.program.layout))
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

/// The method for a search.
///
/// # Errors
/// Why the main array that was asked for cannot be one.
pub fn method(model: &Model, options: &SearchOptions) -> Result<Box<dyn Method>, String> {
    let mode = effective_mode(model, options);
    let layout = model.program.layout.clone();
    let group = model.group.clone();
    let canon = || Canon::new(layout.clone(), group.clone());
    let arrays = |reading: &Reading| {
        MainArrays::choose(reading, &model.group, options.main_array.as_deref())
    };
    let reading = reading(model);
    let method: Box<dyn Method> = match mode {
        SymmetryMode::Off => off(model),
        SymmetryMode::Canon => Box::new(canon()),
        SymmetryMode::Flood => Box::new(Flood::new(reading, canon(), options.flood_limit)),
        SymmetryMode::Marker => Box::new(Marker::new(reading, group.clone())),
        SymmetryMode::ApproxMarker => Box::new(ApproxMarker::new(reading, group.clone())),
        SymmetryMode::ExactMarker => Box::new(ExactMarker::new(reading, canon())),
        SymmetryMode::Sorted => {
            let arrays = arrays(&reading)?;
            Box::new(Sorted::new(reading, canon(), arrays))
        }
        SymmetryMode::Segmented => {
            let arrays = arrays(&reading)?;
            Box::new(Segmented::new(reading, canon(), arrays))
        }
        SymmetryMode::Flattened => Box::new(Flattened::new(reading, group.clone())),
        SymmetryMode::Iso => Box::new(Iso::new(reading, canon(), options.iso)),
    };
    if options.measure_precision && mode.is_approximate() {
        return Ok(Box::new(Measured::new(method, canon())));
    }
    Ok(method)
}
