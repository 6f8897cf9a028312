//! Predicates taken apart where a run stands: the truth of each part, and the values for which a quantifier
//! holds or fails.

use super::animator::{Animator, Position};
use super::blocked::{How, parts};
use super::view::{Truth, one_line};
use crate::eval::{Answer, At, Evaluator, QuestionCode, Stop, Topic};
use crate::machine::footprint::Footprint;
use crate::machine::{
    Asked, BinaryOp, Expr, ExprKind, LocalId, Named, OpId, Pred, PredKind, Question, UnaryOp,
};
use crate::run::{Event, Label};
use crate::source::Span;
use crate::value::Value;
use std::sync::Arc;

/// What can be taken apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Whole {
    /// A conjunct of the invariant, by its number.
    Invariant(usize),
    Assertion(usize),
    Guard(OpId),
    /// The guard of a transition, by its number here, with its arguments.
    Call(usize),
}

/// A line of what a predicate is taken apart into.
#[derive(Clone, PartialEq, Debug)]
pub struct Sub {
    /// How deep it stands in the whole.
    pub depth: usize,
    pub part: Part,
}

/// Names, or source texts, with values.
pub type Values = Vec<(String, String)>;

/// What stands on such a line.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// A predicate: its source text on one line, and values of its sides where it has no parts, or for
    /// which it holds where it has parameters.
    Predicate { truth: Truth, text: String, values: Values },
    /// The values of the sides of the whole, which has no line of its own.
    Sides(Values),
    /// The quantifier above holds, or fails, for these values.
    Witness { holds: bool, values: Values },
    /// The quantifier above is the same for all values: it holds for all, or for none.
    Same { holds: bool },
    /// It is not known for which values the quantifier above holds or fails.
    NoWitness,
    /// The operation has no guard.
    Unguarded,
    /// There are more lines than are told.
    More,
}

/// Most parts that are told.
const MOST: usize = 300;

type Given = Vec<(LocalId, Value)>;

impl Animator {
    /// The parts of a predicate in this state; nothing before the first one.
    pub fn unfolded(&mut self, whole: Whole) -> Vec<Sub> {
        let Position::State(state) = self.position().clone() else { return Vec::new() };
        let program = self.model().program.clone();
        let questions = |topic| program.questions.of(topic);
        let (topic, number) = match whole {
            Whole::Invariant(number) => (Topic::Invariant, number),
            Whole::Assertion(number) => (Topic::Assertions, number),
            Whole::Guard(id) => {
                if !program.visible_operations().any(|own| own == id) {
                    return Vec::new();
                }
                return self.within_limit(|animator| Unfolding::new(animator, &state).guard(id));
            }
            Whole::Call(number) => {
                let Some(step) = self.short_label(number) else { return Vec::new() };
                let label = step.label;
                return self.within_limit(|animator| Unfolding::new(animator, &state).call(&label));
            }
        };
        let Some(question) = questions(topic).get(number) else { return Vec::new() };
        let pred = question.conjunct.pred.clone();
        self.within_limit(|animator| {
            let mut unfolding = Unfolding::new(animator, &state);
            unfolding.parts(&pred, &Vec::new(), 0);
            unfolding.out
        })
    }
}

/// Whether the value of an expression says more than its text: not where it is a set that types something,
/// which may be huge.
fn is_told(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Carrier(_)
        | ExprKind::Basic(_)
        | ExprKind::Empty
        | ExprKind::Struct(_)
        | ExprKind::Freetype { .. }
        | ExprKind::Comprehension(..)
        | ExprKind::Symbolic(..) => false,
        ExprKind::Unary(op, _) => {
            !matches!(op, UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1)
        }
        ExprKind::Binary(op, a, b) => {
            let product = *op == BinaryOp::Product;
            !op.is_arrow() && *op != BinaryOp::Interval && !(product && !(is_told(a) && is_told(b)))
        }
        _ => true,
    }
}

struct Unfolding<'a> {
    animator: &'a mut Animator,
    state: &'a [u64],
    out: Vec<Sub>,
}

impl<'a> Unfolding<'a> {
    fn new(animator: &'a mut Animator, state: &'a [u64]) -> Unfolding<'a> {
        Unfolding { animator, state, out: Vec::new() }
    }

    fn push(&mut self, depth: usize, part: Part) {
        self.out.push(Sub { depth, part });
    }

    /// Asks something in which these locals have values, and hands on who was asked.
    fn ask(&mut self, asked: Asked, given: &Given) -> Option<(Result<Answer, Stop>, Evaluator)> {
        let locals = match &asked {
            Asked::Expression(e, _) => Footprint::of_expr(e).locals,
            Asked::Predicate(p, _) => Footprint::of_pred(p).locals,
        };
        let given: Given = given.iter().filter(|(id, _)| locals.contains(id)).cloned().collect();
        let (ids, values): (Vec<_>, Vec<_>) = given.into_iter().unzip();
        let question = Question::plain(asked);
        let program = self.animator.model().program.clone();
        let code = QuestionCode::given(&program, &question, &ids).ok()?;
        let mut evaluator = self.animator.evaluator().for_questions(&code);
        evaluator.explain(true);
        let answer = evaluator.answer_given(At::State(self.state), &code, &values, 1);
        Some((answer, evaluator))
    }

    /// The truth of a predicate, and the values for which a quantifier at its top fails.
    fn truth(&mut self, pred: &Pred, given: &Given) -> (Truth, Given) {
        match self.ask(Asked::Predicate(pred.clone(), Vec::new()), given) {
            Some((Ok(Answer::Truth(true)), _)) => (Truth::True, Vec::new()),
            Some((Ok(Answer::Truth(false)), by)) => (Truth::False, by.witness().to_vec()),
            Some((Err(Stop::Fault(_)), _)) => (Truth::Undefined, Vec::new()),
            _ => (Truth::Unknown, Vec::new()),
        }
    }

    fn text(&self, span: Span) -> String {
        one_line(self.animator.sources().text(span))
    }

    fn named(&self, values: &Given) -> Vec<(String, String)> {
        let instance = &self.animator.model().program.instance;
        values.iter().map(|(id, value)| instance.printed(Named::Local(*id), value)).collect()
    }

    /// A predicate, then its parts.
    fn whole(&mut self, pred: &Pred, given: &Given, depth: usize) {
        if self.out.len() >= MOST {
            if self.out.last().is_some_and(|last| last.part != Part::More) {
                self.push(depth, Part::More);
            }
            return;
        }
        let (truth, _) = self.truth(pred, given);
        let text = self.text(pred.span);
        self.push(depth, Part::Predicate { truth, text, values: Vec::new() });
        self.parts(pred, given, depth + 1);
    }

    /// The parts of a predicate whose own line is there already.
    fn parts(&mut self, pred: &Pred, given: &Given, depth: usize) {
        match &pred.kind {
            PredKind::And(ps) | PredKind::Or(ps) => {
                ps.iter().for_each(|p| self.whole(p, given, depth));
            }
            PredKind::Not(p) => self.whole(p, given, depth),
            PredKind::Implies(a, b) | PredKind::Iff(a, b) => {
                [a, b].into_iter().for_each(|p| self.whole(p, given, depth));
            }
            PredKind::If(c, a, b) => {
                [c, a, b].into_iter().for_each(|p| self.whole(p, given, depth));
            }
            PredKind::Forall(_, left, right) => {
                let (truth, witness) = self.truth(pred, given);
                self.quantified((left, right), (given, &witness), depth, (truth, false));
            }
            PredKind::Exists(ids, body) => {
                // What makes it true makes it fail that there is none.
                let none = Arc::new(Pred::new(PredKind::False, pred.span));
                let kind = PredKind::Forall(ids.clone(), body.clone(), none);
                let (truth, witness) = self.truth(&Pred::new(kind, pred.span), given);
                let yes = Pred::new(PredKind::True, pred.span);
                self.quantified((&yes, body), (given, &witness), depth, (truth, true));
            }
            PredKind::Compare(_, a, b) => {
                let told: Vec<&Expr> = [a, b].into_iter().filter(|e| is_told(e)).collect();
                self.sides(&told, given, depth);
            }
            PredKind::Partition(whole, parts) => {
                let all: Vec<&Expr> = std::iter::once(whole).chain(parts).collect();
                self.sides(&all, given, depth);
            }
            PredKind::Finite(e) => self.sides(&[e], given, depth),
            PredKind::True | PredKind::False | PredKind::Let(..) => {}
        }
    }

    /// What decides a quantifier, and its body for the values that do, if there are any. `truth` is that of
    /// "for all values", or, where it `exists`, of "for no values".
    fn quantified(
        &mut self,
        (left, right): (&Pred, &Pred),
        (given, witness): (&Given, &Given),
        depth: usize,
        (truth, exists): (Truth, bool),
    ) {
        self.push(
            depth,
            match (witness.is_empty(), truth) {
                (false, _) => Part::Witness { holds: exists, values: self.named(witness) },
                (true, Truth::True) => Part::Same { holds: !exists },
                (true, _) => Part::NoWitness,
            },
        );
        let mut inner = given.clone();
        inner.extend(witness.iter().cloned());
        for part in left.conjuncts().iter().chain(right.conjuncts()) {
            self.whole(part, &inner, depth + 1);
        }
    }

    /// The values of expressions, on the line above.
    fn sides(&mut self, sides: &[&Expr], given: &Given, depth: usize) {
        let mut values = Vec::new();
        // What a name stands for was told with the call, or with the quantifier.
        let is_given = |e: &Expr| matches!(e.kind, ExprKind::Local(id) if given.iter().any(|(own, _)| *own == id));
        for side in sides.iter().filter(|side| !is_given(side)) {
            let text = self.text(side.span);
            let asked = Asked::Expression((*side).clone(), String::new());
            let answer = self.ask(asked, given).map(|(answer, _)| answer);
            let instance = self.animator.model().program.instance.clone();
            let value = match answer {
                Some(Ok(Answer::Value(value))) => {
                    let notation = instance.machine.notations.of_expr(side);
                    instance.names.show_as(&side.ty, &notation, &value)
                }
                Some(Err(Stop::Fault(_))) => "undefined".to_owned(),
                _ => continue,
            };
            if text != value {
                values.push((text, value));
            }
        }
        // A predicate that stands for itself has its values on its own line.
        match self.out.last_mut() {
            Some(Sub { part: Part::Predicate { values: own, .. }, .. }) if depth > 0 => {
                *own = values
            }
            _ => self.push(depth, Part::Sides(values)),
        }
    }

    /// The conjuncts of a guard: those with parameters hold for some arguments together with all before
    /// them, or for none.
    fn guard(mut self, operation: OpId) -> Vec<Sub> {
        let program = self.animator.model().program.clone();
        let mut blocked = false;
        for part in parts(&program, operation) {
            if !part.has_parameters() {
                self.whole(part.pred(), &Vec::new(), 0);
                continue;
            }
            let (text, depth) = (self.text(part.pred().span), 0);
            let Some(code) = part.code.as_ref().filter(|_| !blocked) else {
                let (truth, values) = (Truth::Unknown, Vec::new());
                self.push(depth, Part::Predicate { truth, text, values });
                continue;
            };
            let mut evaluator = self.animator.evaluator().for_questions(code);
            let how = part.blocks(&mut evaluator, self.state);
            blocked = how == Some(How::Fails);
            let truth = match how {
                None => Truth::True,
                Some(How::Fails) => Truth::False,
                Some(How::Undefined) => Truth::Undefined,
                Some(How::Unknown) => Truth::Unknown,
            };
            let mut values = Vec::new();
            if let (None, Ok(Answer::Solutions(found, _)), Asked::Predicate(_, free)) =
                (how, evaluator.answer(At::State(self.state), code, 1), code.asked())
            {
                let given: Given = free.iter().copied().zip(found.into_iter().flatten()).collect();
                values = self.named(&given);
            }
            self.push(depth, Part::Predicate { truth, text, values });
        }
        self.out
    }

    /// The conjuncts of the guard of an operation, in which its parameters have the values of a call.
    fn call(mut self, label: &Label) -> Vec<Sub> {
        let Event::Operation(id) = label.event else { return self.out };
        let program = self.animator.model().program.clone();
        let operation = program.instance.machine.operation(id);
        let given: Given =
            operation.parameters.iter().copied().zip(label.arguments.iter().cloned()).collect();
        for pred in operation.conditions().flat_map(|condition| condition.conjuncts()) {
            self.whole(pred, &given, 0);
        }
        if self.out.is_empty() {
            self.push(0, Part::Unguarded);
        }
        self.out
    }
}
