//! The solutions of the PROPERTIES, or of a predicate that is typed in; where there is none, conjuncts
//! that contradict one another.

use super::Good;
use super::ask::{Refused, parsed, undefined, why_none};
use super::view::one_line;
use crate::clock::Clock;
use crate::eval::{Answer, At, Evaluator, More, QuestionCode};
use crate::machine::{Asked, Notation, Pred, Question};
use crate::report::answer::{Contradiction, Reply, Solved};
use crate::source::Sources;
use std::sync::Arc;
use std::time::Duration;

/// How long it is looked whether a conjunct can be left out of a contradiction.
const LEFT_OUT: Duration = Duration::from_millis(500);

/// Solves for the constants of a machine, or for the free names of a predicate, at most `most` solutions.
///
/// # Errors
/// What is wrong with the predicate.
pub fn solve(
    good: Good,
    predicate: Option<&str>,
    most: usize,
    clock: &Arc<Clock>,
) -> Result<Solved, Box<Refused>> {
    let Good { model, sources } = good;
    let program = model.program.clone();
    let (question, sources) = match predicate {
        None => (program.properties(), sources),
        Some(text) => parsed(&program, &sources, text)?,
    };
    let mut evaluator = Evaluator::new(program.clone());
    evaluator.measure_room();
    let mut solver = Solver { evaluator, sources, clock };
    let reply = solver.reply(&question, most)?;
    let none = matches!(&reply, Reply::Solutions { rows, more: None, .. } if rows.is_empty());
    let contradiction = none.then(|| solver.contradiction(&question)).flatten();
    Ok(Solved { reply, contradiction })
}

struct Solver<'c> {
    evaluator: Evaluator,
    sources: Sources,
    clock: &'c Arc<Clock>,
}

impl Solver<'_> {
    fn code(&self, question: &Question) -> Result<QuestionCode, Box<Refused>> {
        let refused =
            |diagnostics| Box::new(Refused { diagnostics, sources: self.sources.clone() });
        QuestionCode::new(self.evaluator.program(), question).map_err(refused)
    }

    fn reply(&mut self, question: &Question, most: usize) -> Result<Reply, Box<Refused>> {
        let code = self.code(question)?;
        let mut evaluator = self.evaluator.for_questions(&code);
        evaluator.explain(true);
        let answer = evaluator.answer(At::Root, &code, most);
        let halt = self.clock.halt();
        let instance = code.instance();
        let Asked::Predicate(_, free) = code.asked() else {
            return Ok(Reply::Unknown("this is no predicate".to_owned()));
        };
        let local = |id: &crate::machine::LocalId| instance.machine.local(*id);
        Ok(match answer {
            Ok(Answer::Solutions(found, more)) => Reply::Solutions {
                names: free.iter().map(|id| local(id).name.to_string()).collect(),
                rows: found
                    .into_iter()
                    .map(|values| {
                        let show = |(id, value)| {
                            instance.names.show_as(&local(id).ty, &Notation::Plain, &value)
                        };
                        free.iter().zip(values).map(show).collect()
                    })
                    .collect(),
                more: more.map(|more| match more {
                    More::Enough => "and more".to_owned(),
                    More::Stopped(stop) => why_none(&evaluator, halt, stop),
                }),
            },
            Ok(Answer::Truth(truth)) => Reply::Truth { truth, values: Vec::new() },
            Ok(Answer::Value(_)) => Reply::Unknown("this is no predicate".to_owned()),
            Err(crate::eval::Stop::Fault(site)) => {
                undefined(&evaluator, &self.sources, instance, site)
            }
            Err(stop) => Reply::Unknown(why_none(&evaluator, halt, stop)),
        })
    }

    /// Leaves out one conjunct after the other, the last first, without which there is no solution either.
    fn contradiction(&mut self, question: &Question) -> Option<Contradiction> {
        let Asked::Predicate(p, free) = &question.asked else { return None };
        let mut kept: Vec<Pred> = p.conjuncts().to_vec();
        let mut smallest = true;
        for i in (0..kept.len()).rev() {
            if self.clock.ask().is_err() {
                smallest = false;
                break;
            }
            let mut fewer = kept.clone();
            fewer.remove(i);
            let asked = Asked::Predicate(Pred::and(fewer.clone(), p.span), free.clone());
            let question = Question { asked, locals: question.locals.clone() };
            match self.has_solution(&question) {
                Some(true) => {}
                Some(false) => kept = fewer,
                None => smallest = false,
            }
        }
        let conjuncts = kept.iter().map(|p| one_line(self.sources.text(p.span))).collect();
        Some(Contradiction { conjuncts, smallest })
    }

    /// Whether there is a solution, if that is known soon. What is undefined may be one.
    fn has_solution(&mut self, question: &Question) -> Option<bool> {
        let memory = self.clock.memory();
        let clock = Clock::limited(Some(LEFT_OUT), memory);
        clock.run(|| {
            let code = self.code(question).ok()?;
            let mut evaluator = self.evaluator.for_questions(&code);
            match evaluator.answer(At::Root, &code, 1) {
                Ok(Answer::Solutions(found, _)) if !found.is_empty() => Some(true),
                Ok(Answer::Solutions(_, None)) => Some(false),
                Err(crate::eval::Stop::Fault(_)) => Some(true),
                _ => None,
            }
        })
    }
}
