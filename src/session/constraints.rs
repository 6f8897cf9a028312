//! CONSTRAINTS of included machines, which the actual parameters have to keep: what is told where they do not.

use super::Good;
use super::solving::{SOON, Solver};
use super::view::one_line;
use crate::clock::Clock;
use crate::diagnostic::Diagnostic;
use crate::machine::{Asked, Origin, Pred, PredKind, Question};
use crate::search::{Outcome, Verdict};
use crate::setup::Model;
use crate::source::{Sources, Span};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long it is looked whether actual parameters keep CONSTRAINTS in all set-ups.
const LOOKED: Duration = Duration::from_secs(1);

/// Of conjuncts that contradict one another, those that are CONSTRAINTS.
pub(super) struct Broken {
    /// The instances of machines that have them, each once, with the places where they are included.
    instances: Vec<(Arc<str>, Option<Span>)>,
    /// There are no other conjuncts among them.
    alone: bool,
}

impl Broken {
    /// Among these, by their numbers in the question about the PROPERTIES.
    pub fn of(model: &Model, kept: &[(usize, Pred)]) -> Broken {
        let known = numbered(model);
        let mut broken = Broken { instances: Vec::new(), alone: true };
        for (number, p) in kept {
            match known.get(*number).filter(|(_, span)| *span == p.span) {
                Some((Some(Origin::Constraints(name, place)), _)) => {
                    let instance = (name.clone(), *place);
                    if !broken.instances.contains(&instance) {
                        broken.instances.push(instance);
                    }
                }
                _ => broken.alone = false,
            }
        }
        broken
    }

    /// That there is no set-up because of them, if that is so. `main`: the machine that is set up.
    pub fn message(&self, main: &str) -> Option<String> {
        let names: Vec<&str> = self.instances.iter().map(|(name, _)| &**name).collect();
        let whose = match (&names[..], &self.instances[..]) {
            ([], _) => return None,
            ([own], [(_, None)]) if *own == main => String::new(),
            _ => format!(" of {}", names.join(" and ")),
        };
        let given = self.instances.iter().any(|(_, place)| place.is_some());
        let what = match (self.alone, given) {
            (true, false) => format!("the CONSTRAINTS{whose} have no solution"),
            (true, true) => format!("the CONSTRAINTS{whose} do not hold of the actual parameters"),
            (false, _) => {
                format!("the PROPERTIES and the CONSTRAINTS{whose} have no solution together")
            }
        };
        Some(format!("{what}: there is no set-up of the constants"))
    }

    /// Where the instances are included, one line for each.
    pub fn places(&self, sources: &Sources) -> Vec<String> {
        let line = |(name, place): &(Arc<str>, Option<Span>)| {
            let place = (*place)?;
            Some(format!("{name} is included at {}", written(sources, place)))
        };
        self.instances.iter().filter_map(line).collect()
    }
}

/// `M.mch:3:10`.
fn written(sources: &Sources, span: Span) -> String {
    let place = sources.place(span);
    format!("{}:{}:{}", sources.get(span.file).path.display(), place.line, place.column)
}

/// Where each conjunct of the question about the PROPERTIES comes from, and its place.
fn numbered(model: &Model) -> Vec<(Option<Origin>, Span)> {
    let properties = &model.program.instance.machine.properties;
    let parts = properties
        .iter()
        .flat_map(|c| c.pred.conjuncts().iter().map(move |p| (c.origin.clone(), p.span)));
    parts.collect()
}

/// Warns of CONSTRAINTS of included machines that the PROPERTIES do not imply: set-ups in which the actual
/// parameters break them are left out. Those of which this is not known soon are not told of.
pub fn that_leave_out(good: &Good, outcome: &Outcome, clock: &Arc<Clock>) -> Vec<Diagnostic> {
    // Where they leave out all, that is the verdict.
    if outcome.verdict == Verdict::NoSetup {
        return Vec::new();
    }
    let question = good.model.program.properties();
    let Asked::Predicate(p, free) = &question.asked else { return Vec::new() };
    let conjuncts = p.conjuncts();
    let since = Instant::now();
    let mut solver = Solver::new(good, clock);
    let mut found: Vec<Diagnostic> = Vec::new();
    for (number, (origin, span)) in numbered(&good.model).into_iter().enumerate() {
        let Some(Origin::Constraints(name, Some(place))) = origin else { continue };
        if since.elapsed() > LOOKED || clock.ask().is_err() {
            break;
        }
        let Some(constraint) = conjuncts.get(number).filter(|p| p.span == span) else { continue };
        let mut preds = conjuncts.to_vec();
        preds[number] = Pred::new(PredKind::Not(Arc::new(constraint.clone())), span);
        let asked = Asked::Predicate(Pred::and(preds, p.span), free.clone());
        let opposite = Question { asked, ..question.clone() };
        if solver.has_solution(&opposite, SOON) == Some(true) {
            let text = one_line(solver.sources.text(span));
            let message = format!(
                "set-ups are left out in which the actual parameters of {name} break its CONSTRAINTS `{text}`"
            );
            let diagnostic = Diagnostic::warning("constraints-leave-out", place, message);
            let hint = "say in PROPERTIES what makes them hold";
            found.push(diagnostic.note(span, "these").hint(hint));
        }
    }
    found
}
