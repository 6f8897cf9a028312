//! One result, rendered: as text, as JSON, as a table.
//!
//! [`text`] a check for people; [`json`] the same for programs, a contract that scripts depend on;
//! [`compare`] the table of sizes and symmetry modes; [`bench`] what searches take, [`peers`] beside others; [`trace`] the file a counterexample is kept in, [`prob2`] the same of ProB 2, [`recorded`] both;
//! [`steps`] runs, step by step; [`tables`] the figures of papers beside ours;
//! [`answer`] the answers to formulas; [`runs`] one check beside the one before it; [`analysis`] what is known of operations; [`explain`] what the compiler made of a machine; [`canon`] the labelling of a state, [`labelling`] its steps, [`matrix`] its matrix.
//!
//! Everything here makes strings from data. What is deliberately absent: output, and any decision
//! about a verdict.

pub mod analysis;
pub mod answer;
pub mod bench;
pub mod bounds;
pub mod canon;
pub mod chosen;
pub mod compare;
pub mod explain;
pub mod json;
pub mod labelling;
pub mod matrix;
pub mod peers;
pub mod prob2;
pub mod recorded;
pub mod runs;
pub mod steps;
pub mod tables;
pub mod text;
pub mod trace;
pub mod way;

use crate::diagnostic::Diagnostic;
use crate::eval::Within;
use crate::search::{Contradiction, Outcome, SearchOptions, Verdict};
use crate::setup::Model;
use crate::source::{Sources, Span};

/// A check with everything that is needed to speak of it.
#[derive(Clone, Copy)]
pub struct CheckReport<'a> {
    pub model: &'a Model,
    pub sources: &'a Sources,
    /// Warnings of loading and set-up.
    pub warnings: &'a [Diagnostic],
    pub options: &'a SearchOptions,
    pub outcome: &'a Outcome,
    /// Whether to say what became of the symmetry of each set.
    pub explain_symmetry: bool,
    /// Columns of the text that is made.
    pub width: usize,
}

impl CheckReport<'_> {
    pub fn name(&self) -> &str {
        &self.model.instance.machine.name
    }

    /// The finding as a diagnostic, where it says more than the verdict.
    pub fn finding(&self) -> Option<Diagnostic> {
        let outcome = self.outcome;
        let finding = outcome.finding.as_ref()?;
        let says_more = !matches!(outcome.verdict, Verdict::Deadlock | Verdict::GoalFound);
        says_more.then(|| {
            let code = outcome.verdict.name();
            let mut diagnostic = Diagnostic::without_place(code, finding.message.clone());
            diagnostic.span = finding.span;
            diagnostic
        })
    }

    /// The warnings: of loading, of set-up, and those of the search.
    pub fn all_warnings(&self) -> Vec<Diagnostic> {
        let mut all = self.warnings.to_vec();
        all.extend(search_warnings(self.outcome));
        all
    }

    /// Without `--goal`: whether the machine's GOAL was seen, in words.
    pub fn goal_seen(&self) -> Option<&'static str> {
        match (self.outcome.goal_seen?, self.outcome.complete) {
            (true, _) => Some("a state of the definition GOAL was seen"),
            (false, true) if self.outcome.goal_undefined.is_some() => {
                Some("the definition GOAL holds in no reachable state, and in some it is undefined")
            }
            (false, true) => Some("no reachable state is one of the definition GOAL"),
            (false, false) => Some("no state of the definition GOAL was seen"),
        }
    }
}

/// Why there is no initial state, where that is the verdict, with the conjuncts that contradict one another.
pub fn no_setup(outcome: &Outcome) -> Option<Diagnostic> {
    let finding = outcome.finding.as_ref().filter(|_| outcome.verdict == Verdict::NoSetup)?;
    let diagnostic = Diagnostic {
        span: finding.span,
        ..Diagnostic::without_place(outcome.verdict.name(), finding.message.clone())
    };
    let Some(Contradiction { conjuncts, least }) = &finding.contradiction else {
        return Some(diagnostic);
    };
    let heading = least.heading().trim_end_matches(':');
    let others = conjuncts.iter().map(|(_, span)| *span);
    let others = others.filter(|span| Some(*span) != finding.span && *span != Span::default());
    let noted = others.fold(diagnostic, |told, span| told.note(span, "with this"));
    Some(match conjuncts.len() {
        0 | 1 => noted,
        n => noted.hint(format!("{heading}: {}", counted(n, "conjunct"))),
    })
}

/// The warnings of a search.
pub fn search_warnings(outcome: &Outcome) -> Vec<Diagnostic> {
    let undefined = outcome.undefined_guards.iter().map(|(span, count)| {
        let times = if *count == 1 { "once".to_owned() } else { format!("{count} times") };
        let message = format!("this part of a guard was undefined {times} and counted as false");
        Diagnostic::warning("undefined-guard", *span, message)
            .hint("put a condition before it that makes it defined")
    });
    let goal = outcome.goal_undefined.iter().map(|site| {
        let message = format!(
            "the definition GOAL is undefined in some reachable state: {}",
            site.kind.message()
        );
        Diagnostic::warning("undefined-goal", site.span, message)
            .hint("with `--goal GOAL` a state where it is undefined is a finding")
    });
    let never = outcome.never_enabled.iter().map(|(span, name)| {
        let message = format!("the operation `{name}` is enabled in no reachable state");
        Diagnostic::warning("never-enabled", *span, message)
            .hint("its guard is false in each of them: other sizes of the sets, or another MAXINT, may enable it")
    });
    let large = outcome.too_large.iter().map(|(span, what)| {
        let message = format!("the search ended at {what}, which is made here");
        Diagnostic::warning("value-too-large", *span, message)
            .hint("restrict it, or choose smaller sets; more --memory allows larger values")
    });
    let cut = outcome.cut.iter().map(|site| {
        let unbounded = |hint| {
            let message =
                format!("nothing bounds `{}`: not all of its values were tried", site.name);
            Diagnostic::warning("unbounded", site.span, message).hint(hint)
        };
        match site.within {
            Within::Limits => {
                unbounded("give it bounds, or choose other limits with --minint and --maxint")
            }
            Within::Lengths => unbounded("bound its length, or choose a longer one with --maxint"),
            Within::Strings | Within::Trees | Within::Nesting => {
                unbounded("say which values it may have")
            }
            Within::Descriptions => Diagnostic::warning("not-decided", site.span, Within::NOT_TOLD)
                .hint("say it of the members: `!x.(x : s => ..)`"),
        }
    });
    undefined.chain(goal).chain(never).chain(large).chain(cut).collect()
}

/// A number, its digits in groups of three.
pub fn grouped(number: impl std::fmt::Display) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `1 step`, `2 steps`.
pub fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
