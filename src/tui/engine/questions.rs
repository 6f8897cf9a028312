//! What is asked of the machine where a run stands.

use super::{Engine, Exchange, Report, SymmetryLine, place_of, shown};
use crate::report::answer;
use crate::search::main_array_problem;
use crate::session::Animator;
use crate::setup::Model;
use crate::source::{Sources, Span};
use crate::syntax;
use std::collections::BTreeSet;

impl Engine {
    pub(super) fn ask(&mut self, formula: String, report: &mut dyn FnMut(Report)) {
        let Some(animator) = &mut self.animator else {
            return report(Report::Note("there is no machine to ask".to_owned()));
        };
        let step = animator.history().len();
        let (lines, refused) = answered(animator, &formula);
        let formula = shown::line(&formula);
        report(Report::Answer(Box::new(Exchange { formula, step, lines, refused })));
    }

    /// Evaluates these formulas from now on. A new one in which something is wrong is told, and not taken.
    pub(super) fn watch(&mut self, formulas: Vec<String>, report: &mut dyn FnMut(Report)) {
        let new = formulas.last().filter(|formula| !self.watched.contains(formula));
        if let (Some(formula), Some(animator)) = (new, &mut self.animator)
            && let (lines, true) = answered(animator, formula)
        {
            let why = lines.into_iter().next().unwrap_or_default();
            report(Report::Watched(self.watched.clone()));
            return report(Report::Wrong(format!("{}: {why}", shown::line(formula))));
        }
        self.watched = formulas;
        self.report_place(report);
    }

    pub(super) fn why_never(&mut self, predicate: String, report: &mut dyn FnMut(Report)) {
        let Some(animator) = &mut self.animator else { return };
        let step = animator.history().len();
        report(match animator.why_never(&predicate) {
            Ok(inquiry) => Report::Inquiry(Box::new(inquiry)),
            Err(refused) => Report::Answer(Box::new(Exchange {
                formula: shown::line(&predicate),
                step,
                lines: vec![shown::line(refused.line())],
                refused: true,
            })),
        });
    }
}

/// Most solutions that are listed.
const SOLUTIONS: usize = 200;

/// The answer to a formula as lines, and whether the formula was refused.
pub(super) fn answered(animator: &mut Animator, formula: &str) -> (Vec<String>, bool) {
    match animator.ask(formula, SOLUTIONS) {
        Ok(reply) => (answer::lines(&reply), false),
        Err(refused) => (vec![shown::line(refused.line())], true),
    }
}

/// The names that a formula about a machine may have.
pub(super) fn words(model: &Model) -> Vec<String> {
    let elements = model.instance.names.lists();
    let machine = &model.instance.machine;
    let globals = machine.constants.iter().chain(&machine.variables).map(|g| &g.name);
    let sets = machine.sets.iter().map(|set| &set.name);
    let definitions = model.definitions.names();
    let all = globals.chain(sets).chain(definitions).chain(elements.iter().flatten());
    let own = all.map(|name| name.to_string());
    let all: BTreeSet<String> = own.chain(syntax::reserved().map(str::to_owned)).collect();
    all.into_iter().collect()
}

/// The constants and parameters that can be given values.
pub(super) fn constants(model: &Model) -> Vec<String> {
    let constants = &model.instance.machine.constants;
    constants.iter().map(|constant| shown::line(&*constant.name)).collect()
}

/// The preferences that the machine itself sets.
pub(super) fn preferences(model: &Model) -> Vec<(String, String)> {
    let set = model.instance.machine.preferences.iter();
    set.map(|p| (p.name.to_string(), p.value.to_string())).collect()
}

/// The variables and constants that the modes that sort can sort by.
pub(super) fn main_arrays(model: &Model) -> Vec<String> {
    if model.group.is_trivial() {
        return Vec::new();
    }
    let machine = &model.instance.machine;
    let globals = machine.variables.iter().chain(&machine.constants).map(|g| g.name.to_string());
    globals.filter(|name| main_array_problem(model, name).is_none()).collect()
}

/// What became of the symmetry of each set, with what in the machine makes it so.
pub(super) fn symmetry(model: &Model, sources: &Sources) -> Vec<SymmetryLine> {
    let because = |span: Span| {
        let (place, path) = (sources.place(span), &sources.get(span.file).path);
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let written: Vec<&str> = sources.text(span).split_whitespace().collect();
        let text = format!("{file}:{}:{}: {}", place.line, place.column, written.join(" "));
        (place_of(sources, span), shown::line(text))
    };
    let lines = model.explanation.told().into_iter().map(|(text, places)| SymmetryLine {
        text: shown::line(text),
        because: places.into_iter().map(because).collect(),
    });
    lines.collect()
}
