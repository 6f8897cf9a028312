//! `burnside analyse`: which operations depend on each other and which enable which, and why.

use super::arguments::{AnalyseOptions, AnalysisFormat};
use super::input::Input;
use super::output::print;
use super::signals::Interrupt;
use super::{EXIT_FOUND, EXIT_OK, Failure, finished, load};
use crate::clock::Clock;
use crate::independence::{Analysis, Asked};
use crate::report::analysis::{View, dot, json, text, view};
use crate::session::Good;
use crate::setup::fitting::has_set_up;
use std::time::Duration;

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
        let asked = Asked {
            invariant: !options.no_invariant,
            assertions: !options.no_invariant,
            assumes: !options.no_invariant,
            means: options.analysis.por_analysis,
            query_time: options.analysis.por_query_time,
        };
        let analysis = Analysis::new(&model, &asked);
        let set_up = has_set_up(&model, &Clock::limited(Some(SET_UP), None));
        // That there is none at sizes that nobody chose says nothing of others.
        let is_open = model.sets.iter().any(|set| set.source.is_open());
        let set_up = set_up.filter(|found| *found || !is_open);
        View { set_up, ..view(&analysis, &model, &sources) }
    })?;
    let empty = view.set_up == Some(false);
    print(match options.format {
        AnalysisFormat::Text => text(&view),
        AnalysisFormat::Json => json(&view),
        AnalysisFormat::Dot => dot(&view),
    })?;
    Ok(if empty { EXIT_FOUND } else { EXIT_OK })
}

/// Longest time for finding out whether there is a set-up.
const SET_UP: Duration = Duration::from_secs(2);
