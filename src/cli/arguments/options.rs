//! What the arguments say as the options of the parts that work by them.

use super::{
    AnalyseOptions, BenchOptions, CheckOptions, CompareOptions, IncludeOptions, LimitOptions,
    ModelOptions, PreferenceOptions, ReportOptions,
};
use crate::clock::Clock;
use crate::search::{IsoOptions, OnViolation, PorMethod, SearchOptions, SymmetryMode};
use crate::setup::SetupOptions;
use std::sync::Arc;

impl LimitOptions {
    /// A clock with these limits, which starts now.
    pub fn clock(&self) -> Arc<Clock> {
        Clock::limited(self.timeout, self.memory)
    }
}

impl ModelOptions {
    pub fn setup(&self) -> SetupOptions {
        SetupOptions { cards: self.card.clone(), ..self.preferences.setup() }
    }
}

impl PreferenceOptions {
    pub fn setup(&self) -> SetupOptions {
        SetupOptions {
            cards: Vec::new(),
            max_int: self.maxint,
            min_int: self.minint,
            preferences: self.pref.clone(),
            constants: self.constant.clone(),
            goal: None,
            wd_guards: self.wd_guards,
            static_symmetry: self.static_symmetry.0,
            seed: self.seed,
            questions_only: false,
        }
    }
}

impl AnalyseOptions {
    pub fn setup(&self) -> SetupOptions {
        SetupOptions { goal: self.goal.clone(), ..self.model.setup() }
    }
}

impl IncludeOptions {
    /// Whether anything was said.
    pub fn is_given(&self) -> bool {
        let IncludeOptions { include_path, level, level_only, allow_files } = self;
        !include_path.is_empty() || level.is_some() || *level_only || *allow_files
    }
}

impl CheckOptions {
    pub fn setup(&self) -> SetupOptions {
        SetupOptions { goal: self.goal.clone(), ..self.model.setup() }
    }

    pub fn search(&self) -> SearchOptions {
        let on_violation = match self.on_violation {
            Some(given) => given,
            None if self.keep_going => OnViolation::Expand,
            None => OnViolation::Stop,
        };
        SearchOptions {
            symmetry: self.symmetry,
            strategy: self.strategy,
            seed: self.model.preferences.seed,
            por: self.por.0,
            por_choice: self.por_choice,
            por_analysis: self.analysis.por_analysis,
            por_query_time: self.analysis.por_query_time,
            deadlock: !self.no_deadlock,
            invariant: !self.no_invariant,
            assertions: self.assertions,
            goal: self.goal.is_some(),
            on_violation,
            keep_going: self.keep_going,
            max_states: self.limits.max_states,
            timeout: self.limits.work.timeout,
            memory: self.limits.work.memory,
            main_array: self.main_array.clone(),
            flood_limit: self.flood_limit,
            iso: IsoOptions {
                refinement: self.iso_colouring,
                symmetry_breaking: !self.no_symmetry_breaking,
            },
            measure_precision: self.measure_precision,
            threads: self.threads,
            ..SearchOptions::default()
        }
    }
}

impl ReportOptions {
    /// An option that is given and says something about the report of `check`, which the workbench
    /// does not print.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--trace", self.trace.is_some()),
            ("--quiet", self.quiet),
            ("--explain-symmetry", self.explain_symmetry),
            ("--deny-warnings", self.deny_warnings),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}

impl CompareOptions {
    /// Violating states are counted, and expanded where that is asked for; goals and deadlocks end nothing. On one
    /// thread, so that the times are those of the modes.
    pub fn search(&self, symmetry: SymmetryMode, por: Option<PorMethod>) -> SearchOptions {
        SearchOptions {
            symmetry: Some(symmetry),
            por,
            por_choice: self.por_choice,
            por_analysis: self.analysis.por_analysis,
            por_query_time: self.analysis.por_query_time,
            deadlock: !self.no_deadlock,
            invariant: !self.no_invariant,
            on_violation: if self.keep_going { OnViolation::Expand } else { OnViolation::Prune },
            keep_going: true,
            threads: Some(1),
            max_states: self.limits.max_states,
            timeout: self.limits.work.timeout,
            memory: self.limits.work.memory,
            ..SearchOptions::default()
        }
    }
}

impl BenchOptions {
    /// What is wrong with a machine ends nothing: all of it is searched.
    pub fn search(&self) -> SearchOptions {
        SearchOptions {
            // Others visit all states, too.
            symmetry: if self.peers { Some(SymmetryMode::Off) } else { self.symmetry },
            invariant: !self.no_invariant,
            on_violation: OnViolation::Expand,
            keep_going: true,
            threads: Some(self.threads),
            max_states: self.limits.max_states,
            timeout: self.limits.work.timeout,
            memory: self.limits.work.memory,
            ..SearchOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Arguments, Command};
    use super::*;
    use clap::Parser;

    #[test]
    fn keep_going_expands_violating_states() {
        let parse = |options: &[&str]| {
            let all = ["burnside", "check", "M.mch"].iter().chain(options);
            match Arguments::try_parse_from(all).unwrap().command {
                Some(Command::Check { options, .. }) => options.search(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(parse(&[]).on_violation, OnViolation::Stop);
        let all = parse(&["--keep-going"]);
        assert!(all.keep_going && all.on_violation == OnViolation::Expand);
        assert_eq!(parse(&["--symmetry", "nauty"]).symmetry, Some(SymmetryMode::Canon));
        let negative = ["burnside", "check", "M.mch", "--minint", "-5"];
        assert!(Arguments::try_parse_from(negative).is_ok());
    }
}
