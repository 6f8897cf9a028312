//! `burnside analyse`: which operations depend on each other and which enable which, and why.

use super::arguments::{AnalyseOptions, AnalysisFormat};
use super::input::Input;
use super::output::print;
use super::signals::Interrupt;
use super::{EXIT_OK, Failure, finished, load};
use crate::independence::Analysis;
use crate::report::analysis::{dot, json, text, view};
use crate::session::Good;

/// Analyses the operations and prints what is known of them.
///
/// # Errors
/// The machine is refused, or the report cannot be written.
pub fn run(input: &Input, options: &AnalyseOptions) -> Result<u8, Failure> {
    let _interrupt = Interrupt::at_once();
    let is_json = options.format == AnalysisFormat::Json;
    let clock = options.limits.clock();
    let good = load(input, options.setup(), is_json, &clock, &Interrupt::default())?.good;
    let what = "the operations were not analysed";
    let view = finished(input, good, what, is_json, &clock, |Good { model, sources }| {
        view(&Analysis::new(&model, !options.no_invariant), &model, &sources)
    })?;
    print(match options.format {
        AnalysisFormat::Text => text(&view),
        AnalysisFormat::Json => json(&view),
        AnalysisFormat::Dot => dot(&view),
    })?;
    Ok(EXIT_OK)
}
