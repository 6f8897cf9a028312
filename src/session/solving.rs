//! The solutions of the PROPERTIES, or of a predicate that is typed in; where there is none, conjuncts
//! that contradict one another.

use super::Good;
use super::ask::{QUESTION_PATH, Refused, Told, formula, parsed, typed};
use super::constraints::Broken;
use super::contradiction::Conflict;
use super::narrowed;
use super::view::one_line;
use crate::clock::Clock;
use crate::diagnostic::Diagnostic;
use crate::eval::{Answer, At, Evaluator, FaultKind, Narrowed, QuestionCode};
use crate::machine::footprint::Footprint;
use crate::machine::{
    Asked, Comparison, Expr, ExprKind, Fold, Local, LocalId, Pred, PredKind, Question, Type,
};
use crate::report::answer::{Constraints, Reply, Solved};
use crate::search::{Contradiction, Outcome, Verdict, narrow};
use crate::setup::explain::{FixedBy, FixedElement, SetExplanation};
use crate::setup::fitting::without_set_up;
use crate::setup::{Bound, Model};
use crate::source::{Sources, Span};
use crate::value::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long it is looked whether something has a solution, where nobody asked for it.
pub(super) const SOON: Duration = Duration::from_millis(500);

/// How long it is looked which of the PROPERTIES contradict one another, where nobody asked for it.
const BESIDE: Duration = Duration::from_secs(2);

/// Under this name the text of what is to be greatest or least stands among the sources.
const OBJECTIVE: &str = "objective";

/// Solves for the constants of a machine, or for the free names of a predicate together with them, at most `most`
/// solutions; and tells what propagation leaves where nothing is tried, if that is wanted (`constraints`).
///
/// # Errors
/// What is wrong with the predicate.
pub fn solve(
    good: Good,
    predicate: Option<&str>,
    (most, constraints): (usize, bool),
    clock: &Arc<Clock>,
) -> Result<Solved, Box<Refused>> {
    let Good { model, sources } = good;
    let program = model.program.clone();
    let chosen = if predicate.is_none() { chosen(&model) } else { Vec::new() };
    let (question, sources) = match predicate {
        None => (program.properties(), sources),
        Some(text) => parsed(&model, &sources, text)?,
    };
    let question = match &question.asked {
        Asked::Expression(e, _) => return Err(not_a_predicate(e, sources)),
        Asked::Predicate(p, _) if predicate.is_some() => {
            if let Some(id) = Footprint::of_pred(p).variables.first() {
                return Err(of_variable(&model.instance.machine.variable(*id).name, p, sources));
            }
            program.with_properties(question)
        }
        Asked::Predicate(..) => question,
    };
    let mut evaluator = Evaluator::new(program.clone());
    evaluator.measure_room();
    let mut solver = Solver { evaluator, sources, clock };
    let left = if constraints { Some(solver.left(&question)?) } else { None };
    let begun = Instant::now();
    let mut reply = solver.reply(&question, most)?;
    let took = begun.elapsed();
    if predicate.is_none()
        && let Reply::Solutions { rows, more: more @ None, .. } = &mut reply
        && rows.is_empty()
    {
        *more = open_sizes(&model);
    }
    let none = matches!(&reply, Reply::Solutions { rows, more: None, .. } if rows.is_empty());
    let contradiction = none.then(|| solver.contradiction(&question, took)).flatten();
    Ok(Solved { reply, contradiction, left, chosen })
}

/// Tells of a search that found no set-up which of the PROPERTIES contradict one another, where that is known soon.
pub fn explain_no_setup(good: &Good, outcome: &mut Outcome, clock: &Arc<Clock>) {
    let (Verdict::NoSetup, Some(finding)) = (outcome.verdict, &mut outcome.finding) else { return };
    let question = good.model.program.properties();
    let mut solver = Solver::new(good, clock);
    let begun = Instant::now();
    if solver.has_solution(&question, SOON) != Some(false) {
        return;
    }
    let took = begun.elapsed();
    let Some(conflict) = Conflict::of(&mut solver, &question, took, Some(BESIDE)) else { return };
    let Contradiction { conjuncts, least } = conflict.told(&solver.sources);
    let kept = conflict.kept;
    let Some((_, last)) = kept.last().filter(|(_, p)| p.span != Span::default()) else { return };
    finding.span = Some(last.span);
    let broken = Broken::of(&good.model, &kept);
    if let Some(message) = broken.message(&good.model.instance.machine.name) {
        finding.message = message;
    }
    if kept.len() > 1 {
        finding.details.push(least.heading().to_owned());
        finding.details.extend(conjuncts.iter().map(|(text, _)| format!("    {text}")));
    }
    finding.details.extend(narrow::told(kept.iter().map(|(_, p)| p), &good.model.instance));
    finding.details.extend(broken.places(&solver.sources));
    finding.contradiction = Some(Contradiction { conjuncts, least });
}

/// The sets of whose elements static symmetry has chosen some for the constants of a machine.
fn chosen(model: &Model) -> Vec<String> {
    let by_constant = |fixed: &FixedElement| matches!(fixed.by, FixedBy::Constant(_));
    let is_chosen =
        |set: &&SetExplanation| !set.ordered.is_empty() || set.fixed.iter().any(by_constant);
    let sets = model.explanation.sets.iter().filter(is_chosen);
    sets.map(|set| set.name.to_string()).collect()
}

/// The sizes that sets have because nobody chose others, where it says little that there is nothing with these.
fn open_sizes(model: &Model) -> Option<String> {
    let none = without_set_up(model)?;
    let sizes = model.bounds.iter().filter(|bound| matches!(bound, Bound::OpenSize { .. }));
    let mut sizes: Vec<String> = sizes.map(Bound::to_string).collect();
    if let Bound::NoneAtOpenSizes { with: Some(_), .. } = &none {
        sizes.push(none.to_string());
    }
    Some(sizes.join("; "))
}

/// The best solution: one for which an expression is greatest or least, which stands first.
///
/// # Errors
/// What is wrong with the predicate or the expression.
pub fn best(
    good: Good,
    predicate: Option<&str>,
    (objective, greatest): (&str, bool),
    clock: &Arc<Clock>,
) -> Result<Solved, Box<Refused>> {
    let Good { model, mut sources } = good;
    let program = model.program.clone();
    let (mut question, value) = match predicate {
        None => {
            let value = formula(&model, &mut sources, OBJECTIVE, objective)?;
            let Question { asked, locals, symbolic, .. } = typed(&model, &sources, &value)?;
            let Asked::Expression(e, _) = asked else {
                return Err(not_a_number(value.node.span, sources));
            };
            let over = Question { locals, symbolic, ..program.properties() };
            (over, Wanted::Value(program.over_constants(&e)))
        }
        Some(text) => {
            let predicate = formula(&model, &mut sources, QUESTION_PATH, text)?;
            let value = formula(&model, &mut sources, OBJECTIVE, objective)?.node;
            // Under its own text it is no name that the predicate could have.
            let both = predicate.with_value(objective.trim(), &value);
            (typed(&model, &sources, &both)?, Wanted::Named(objective.trim(), value.span))
        }
    };
    let first = program.instance.machine.locals.len();
    let Asked::Predicate(mut pred, mut free) = question.asked.clone() else {
        return Err(not_a_number(Span::default(), sources));
    };
    let mut local = |name: &str, span: Span| {
        question.locals.push(Local { name: name.into(), ty: Type::Integer, span });
        LocalId((first + question.locals.len() - 1) as u32)
    };
    let named = |id| Expr::new(ExprKind::Local(id), Type::Integer, pred.span);
    let (value, span) = match value {
        Wanted::Value(e) => {
            let id = local(objective.trim(), e.span);
            let span = e.span;
            if e.ty != Type::Integer {
                return Err(not_a_number(span, sources));
            }
            let equation = PredKind::Compare(Comparison::Equal, named(id), e);
            pred = Pred::and(vec![pred.clone(), Pred::new(equation, span)], pred.span);
            free.insert(0, id);
            (id, span)
        }
        Wanted::Named(name, span) => {
            let of = |id: &LocalId| match (id.0 as usize).checked_sub(first) {
                Some(own) => question.locals.get(own).cloned(),
                None => program.instance.machine.locals.get(id.0 as usize).cloned(),
            };
            let at = free.iter().position(|id| of(id).is_some_and(|l| &*l.name == name));
            let Some(at) = at.filter(|at| of(&free[*at]).is_some_and(|l| l.ty == Type::Integer))
            else {
                return Err(not_a_number(span, sources));
            };
            let id = free.remove(at);
            free.insert(0, id);
            (id, span)
        }
    };
    let value = Expr::new(ExprKind::Local(value), Type::Integer, span);
    question.locals.push(Local { name: "best".into(), ty: Type::Integer, span });
    let bound = LocalId((first + question.locals.len() - 1) as u32);
    let ty_of = |id: &LocalId| match (id.0 as usize).checked_sub(first) {
        Some(own) => question.locals[own].ty.clone(),
        None => program.instance.machine.local(*id).ty.clone(),
    };
    let types: Vec<Type> = free.iter().map(ty_of).collect();
    let tuple = types.iter().skip(1).cloned().fold(types[0].clone(), Type::pair);
    let fold = if greatest { Fold::Greatest } else { Fold::Least };
    let ids = free.iter().copied().chain([bound]).collect();
    let kind = ExprKind::Fold(fold, ids, Arc::new(pred.clone()), Arc::new(value));
    let asked = Asked::Expression(Expr::new(kind, tuple, span), String::new());
    let best = Question { asked, ..question.clone() };
    question.asked = Asked::Predicate(pred, free.clone());
    let mut evaluator = Evaluator::new(program.clone());
    evaluator.measure_room();
    let mut solver = Solver { evaluator, sources, clock };
    let begun = Instant::now();
    let reply = solver.best(&best, &free)?;
    let took = begun.elapsed();
    let none = matches!(&reply, Reply::Solutions { rows, .. } if rows.is_empty());
    let contradiction = none.then(|| solver.contradiction(&question, took)).flatten();
    Ok(Solved { reply, contradiction, left: None, chosen: Vec::new() })
}

/// What is to be greatest or least.
enum Wanted<'t> {
    Value(Expr),
    /// The value of this name, and where that is written.
    Named(&'t str, Span),
}

fn not_a_number(span: Span, sources: Sources) -> Box<Refused> {
    let message = "what is to be greatest or least is an expression that is an integer";
    let diagnostics = vec![Diagnostic::error("type-mismatch", span, message)];
    Box::new(Refused { diagnostics, sources })
}

fn not_a_predicate(e: &Expr, sources: Sources) -> Box<Refused> {
    let message = "what is solved is a predicate, and this is an expression";
    let diagnostic = Diagnostic::error("expression-where-predicate", e.span, message);
    let hint = match e.ty {
        Type::Bool => "a BOOL is compared: `.. = TRUE`",
        _ => "its value is told by `burnside eval`",
    };
    Box::new(Refused { diagnostics: vec![diagnostic.hint(hint)], sources })
}

fn of_variable(name: &str, p: &Pred, sources: Sources) -> Box<Refused> {
    let message = format!("what is solved cannot mention the variable `{name}`");
    let diagnostic = Diagnostic::error("variable-in-properties", p.span, message);
    let hint = "variables have values in states: `burnside eval` asks in one, `check --goal` looks for one";
    Box::new(Refused { diagnostics: vec![diagnostic.hint(hint)], sources })
}

pub(super) struct Solver<'c> {
    evaluator: Evaluator,
    pub(super) sources: Sources,
    clock: &'c Arc<Clock>,
}

impl<'c> Solver<'c> {
    /// One for questions about the PROPERTIES of a machine.
    pub(super) fn new(good: &Good, clock: &'c Arc<Clock>) -> Solver<'c> {
        let evaluator = Evaluator::new(good.model.program.clone());
        Solver { evaluator, sources: good.sources.clone(), clock }
    }

    fn code(&self, question: &Question) -> Result<QuestionCode, Box<Refused>> {
        let refused =
            |diagnostics| Box::new(Refused { diagnostics, sources: self.sources.clone() });
        QuestionCode::new(self.evaluator.program(), question).map_err(refused)
    }

    fn reply(&mut self, question: &Question, most: usize) -> Result<Reply, Box<Refused>> {
        let code = self.code(question)?;
        let mut evaluator = self.evaluator.for_questions(&code);
        evaluator.explain(true);
        let answer = evaluator.answer_beside(At::Root, &code, most);
        let (halt, instance) = (self.clock.halt(), code.instance());
        let Asked::Predicate(_, free) = code.asked() else { unreachable!("not a predicate") };
        let told = Told { evaluator: &evaluator, sources: &self.sources, instance, halt };
        Ok(match answer {
            Ok((Answer::Solutions(found, more), open)) => told.solutions(free, found, more, open),
            Ok((Answer::Truth(truth), _)) => Reply::Truth { truth, values: Vec::new() },
            Ok((Answer::Value(_), _)) => unreachable!("a predicate has no value"),
            Err(crate::eval::Stop::Fault(site)) => told.undefined(site),
            Err(stop) => Reply::Unknown(told.why_none(stop)),
        })
    }

    /// The best solution, as the only one.
    fn best(&mut self, question: &Question, free: &[LocalId]) -> Result<Reply, Box<Refused>> {
        let code = self.code(question)?;
        let mut evaluator = self.evaluator.for_questions(&code);
        evaluator.explain(true);
        let answer = evaluator.best(&code);
        let (halt, instance) = (self.clock.halt(), code.instance());
        let told = Told { evaluator: &evaluator, sources: &self.sources, instance, halt };
        let Asked::Expression(e, _) = code.asked() else {
            return Ok(Reply::Unknown("this is no expression".to_owned()));
        };
        // The tuple is nested on the left.
        let row = |mut value: Value| {
            let mut shape = instance.shape(&e.ty);
            let mut row = Vec::new();
            for _ in 1..free.len() {
                let (left, right) = shape.split(&value);
                row.push(right);
                (shape, value) = (shape.sides().0, left);
            }
            row.push(value);
            row.reverse();
            row
        };
        Ok(match answer {
            Ok((Answer::Value(value), open)) => {
                let open = open.map(|mut open| {
                    open.values = open.values.pop().map(row).unwrap_or_default();
                    open
                });
                told.solutions(free, vec![row(value)], None, open)
            }
            Ok(_) => Reply::Unknown("this is no expression".to_owned()),
            Err(crate::eval::Stop::Fault(site))
                if evaluator.site(site).kind == FaultKind::NoOptimum =>
            {
                told.solutions(free, Vec::new(), None, None)
            }
            Err(crate::eval::Stop::Fault(site)) => told.undefined(site),
            Err(stop) => Reply::Unknown(told.why_none(stop)),
        })
    }

    /// What propagation leaves where nothing is tried.
    fn left(&mut self, question: &Question) -> Result<Constraints, Box<Refused>> {
        let code = self.code(question)?;
        let mut evaluator = self.evaluator.for_questions(&code);
        let instance = code.instance();
        Ok(match evaluator.narrowed(At::Root, &code) {
            Ok(None) => Constraints::Nothing,
            Ok(Some(Narrowed { names, open })) => Constraints::Open {
                names: names
                    .iter()
                    .map(|(id, domain)| narrowed::of_name(instance, *id, domain))
                    .collect(),
                conjuncts: open.iter().map(|span| one_line(self.sources.text(*span))).collect(),
            },
            Err(_) => Constraints::Unknown,
        })
    }

    fn contradiction(&mut self, question: &Question, took: Duration) -> Option<Contradiction> {
        Some(Conflict::of(self, question, took, None)?.told(&self.sources))
    }

    /// Whether the time is up, or nobody waits any more.
    pub(super) fn is_halted(&self) -> bool {
        self.clock.ask().is_err()
    }

    /// Whether there is a solution, if that is known within this time. What is undefined may be one.
    pub(super) fn has_solution(&mut self, question: &Question, within: Duration) -> Option<bool> {
        let memory = self.clock.memory();
        let clock = Clock::limited(Some(within), memory);
        clock.run(|| {
            let code = self.code(question).ok()?;
            let mut evaluator = self.evaluator.for_questions(&code);
            match evaluator.answer(At::Root, &code, 1) {
                Ok(Answer::Solutions(found, _)) if !found.is_empty() => Some(true),
                Ok(Answer::Solutions(_, None)) => Some(false),
                Ok(Answer::Truth(truth)) => Some(truth),
                Err(crate::eval::Stop::Fault(_)) => Some(true),
                _ => None,
            }
        })
    }
}
