//! What places and ranges leave open about two operations, asked of the solver: whether one can enable or
//! disable the other, and whether their order matters.
//!
//! A question is a predicate about the variables of one state and the arguments of two instances: the guards,
//! and the conditions of ways through the bodies ([`paths`]), before and after a step, whose
//! effect is put in for the variables (Dobrikov and Leuschel, `test_path`). Only the answer that there is
//! no solution is used, and only where the search for one came to its end and nothing was undefined; an
//! answer that is not known leaves the operations related. The constants have the values of the machine's
//! one set-up; where there are several, what is said of them is left out, which only adds solutions.

use super::draft::{Draft, Taken, all, local, not};
use super::facts::Facts;
use super::operation::Operation;
use super::paths::{Path, paths};
use super::relation::{Link, Reason, Relations};
use super::scalar::Scalars;
use crate::clock::{self, Clock};
use crate::eval::{Answer, At, Evaluator, Program, QuestionCode};
use crate::machine::footprint::Footprint;
use crate::machine::make;
use crate::machine::{Asked, Comparison, LocalId, Place, Pred, PredKind, Question, Type, VarId};
use crate::source::Span;
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Most work for one question, and for all about one machine, as often as a clock is asked. What is found
/// out does not depend on how fast it is done, as long as there is time enough for each question.
const QUESTION_WORK: u64 = 20;
const ALL_WORK: u64 = 900;

/// What a question costs in any case.
const LEAST_WORK: u64 = 1;

/// What became of the questions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Asking {
    pub questions: usize,
    /// Those with the answer that nothing is possible.
    pub refuted: usize,
    /// Those without an answer.
    pub unknown: usize,
}

/// A state, and arguments of the operations, for which something happens; what does not matter is left out.
#[derive(Clone, PartialEq, Debug)]
pub struct Example {
    pub variables: Vec<(VarId, Value)>,
    pub first: Vec<Option<Value>>,
    pub second: Vec<Option<Value>>,
}

#[derive(Clone, PartialEq, Debug)]
enum Reply {
    /// It never happens.
    Never,
    Example(Example),
    Unknown,
}

/// How two instances may depend on each other.
#[derive(Clone, Copy)]
enum Wrong {
    /// The second disables the first, or makes it go another way.
    First,
    /// The other way round.
    Second,
    /// Both orders are possible, and lead to different states.
    Results,
}

/// An operation with the ways through its body.
type Body<'o> = (&'o Operation, &'o [Path]);

/// Asks.
pub struct Prover<'a> {
    program: &'a Arc<Program>,
    scalars: &'a Scalars<'a>,
    facts: &'a Facts,
    evaluator: Evaluator,
    /// Where there is one set-up: its constants. Else no conjunct is asked that mentions any.
    constants: Option<Vec<Value>>,
    /// Work that is left.
    work: u64,
    /// Conjuncts that hold in every state that is expanded.
    assumed: Vec<Pred>,
    limit: Duration,
    asking: Asking,
}

/// Whether there are values of this type that nobody can list: an answer about all of them is no answer.
fn is_open_ended(ty: &Type) -> bool {
    match ty {
        Type::Real | Type::String | Type::Free(_) => true,
        Type::Integer | Type::Bool | Type::Set(_) => false,
        Type::Pow(of) => is_open_ended(of),
        Type::Pair(sides) => is_open_ended(&sides.0) || is_open_ended(&sides.1),
        Type::Record(fields) => fields.iter().any(|(_, ty)| is_open_ended(ty)),
    }
}

impl<'a> Prover<'a> {
    /// `constants`: those of the only set-up, if there is one. `assumed`: conjuncts that hold wherever the
    /// search goes on.
    pub fn new(
        program: &'a Arc<Program>,
        (scalars, facts): (&'a Scalars<'a>, &'a Facts),
        constants: Option<Vec<Value>>,
        assumed: Vec<Pred>,
        limit: Duration,
    ) -> Prover<'a> {
        let evaluator = Evaluator::new(program.clone());
        let asking = Asking::default();
        let work = ALL_WORK;
        Prover { program, scalars, facts, evaluator, constants, work, assumed, limit, asking }
    }

    pub fn asking(&self) -> Asking {
        self.asking
    }

    /// Takes the links out that the solver refutes, says of others for which arguments they hold, and
    /// keeps an example of each relation that there is.
    pub fn refine(&mut self, relations: &mut Relations) {
        let operations = relations.operations.clone();
        let bodies: Vec<Option<Vec<Path>>> = operations.iter().map(|o| self.ways(o)).collect();
        let taken = |i: usize| bodies[i].as_deref().map(|ways| (&operations[i], ways));
        for a in 0..operations.len() {
            for (b, second) in operations.iter().enumerate() {
                if self.work == 0 || clock::tick().is_err() {
                    return;
                }
                let Some(one) = taken(a) else { continue };
                if let Some(two) = taken(b)
                    && b >= a
                {
                    self.refine_dependence(relations, (a, one), (b, two));
                }
                self.refine_enabling(relations, (a, one), (b, second));
            }
        }
    }

    fn refine_dependence(
        &mut self,
        relations: &mut Relations,
        (a, one): (usize, Body<'_>),
        (b, two): (usize, Body<'_>),
    ) {
        if !is_open(relations.dependent.between(a, b), one.0, two.0) {
            return;
        }
        match self.are_independent(one, two, None) {
            Reply::Never => {
                relations.dependent.retain(a, b, |_| false);
                relations.dependent.retain(b, a, |_| false);
                return;
            }
            Reply::Example(example) => _ = relations.dependent.examples.insert((a, b), example),
            Reply::Unknown => {}
        }
        for (i, j) in self.alike(one.0, two.0) {
            if self.are_independent(one, two, Some((i, j))) == Reply::Never {
                relations.dependent.equate(a, b, (i, j), |_| true);
                if a != b {
                    relations.dependent.equate(b, a, (j, i), |_| true);
                }
            }
        }
    }

    fn refine_enabling(
        &mut self,
        relations: &mut Relations,
        (a, one): (usize, Body<'_>),
        (b, two): (usize, &Operation),
    ) {
        for i in 0..two.guard.len() {
            let is_about = |link: &Link| matches!(link.reason, Reason::Enables(k, _) if k == i);
            if two.guard[i].pred.is_none() || !relations.verifies.between(a, b).iter().any(is_about)
            {
                continue;
            }
            if self.never_enables(one, two, i, (false, None)) == Reply::Never {
                relations.verifies.retain(a, b, |link| !is_about(link));
                relations.enables.retain(a, b, |link| !is_about(link));
                continue;
            }
            if !relations.enables.between(a, b).iter().any(is_about) {
                continue;
            }
            match self.never_enables(one, two, i, (true, None)) {
                Reply::Never => {
                    relations.enables.retain(a, b, |link| !is_about(link));
                    continue;
                }
                Reply::Example(example) => {
                    relations.enables.examples.entry((a, b)).or_insert(example);
                }
                Reply::Unknown => {}
            }
            for (m, n) in self.alike(one.0, two) {
                if self.never_enables(one, two, i, (true, Some((m, n)))) == Reply::Never {
                    relations.enables.equate(a, b, (m, n), is_about);
                }
            }
        }
    }

    /// Parameters of two operations, by number, that have one type.
    fn alike(&self, a: &Operation, b: &Operation) -> Vec<(usize, usize)> {
        let machine = self.scalars.machine();
        let types = |o: &Operation| -> Vec<Type> {
            o.parameters.iter().map(|id| machine.local(*id).ty.clone()).collect()
        };
        let (a, b) = (types(a), types(b));
        let pairs = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
        pairs.filter(|(i, j)| a[*i] == b[*j]).collect()
    }

    /// The ways through a body, where they can be used: nothing on them fails, and new values bind no locals.
    fn ways(&self, operation: &Operation) -> Option<Vec<Path>> {
        let machine = self.scalars.machine();
        if operation.fails {
            return None;
        }
        let found = paths(machine, &machine.operation(operation.id).body)?;
        let plain = |path: &Path| {
            path.new.values().all(|e| {
                let mut mentioned = Footprint::of_expr(e).locals.into_iter();
                mentioned.all(|id| operation.parameters.contains(&id) || path.locals.contains(&id))
            })
        };
        found.iter().all(plain).then_some(found)
    }

    fn draft(&self) -> Draft<'a> {
        Draft {
            machine: &self.program.instance.machine,
            locals: Vec::new(),
            unknowns: Vec::new(),
            conjuncts: Vec::new(),
            before: BTreeMap::new(),
        }
    }

    /// Whether no two instances depend on each other, of those in which these parameters are different.
    fn are_independent(
        &mut self,
        (a, first): Body<'_>,
        (b, second): Body<'_>,
        different: Option<(usize, usize)>,
    ) -> Reply {
        let mut reply = Reply::Never;
        for path in first {
            for other in second {
                // Enabled before, one of them is not after the other, or goes another way; or they go the
                // same ways, and the order matters.
                for wrong in [Wrong::First, Wrong::Second, Wrong::Results] {
                    let mut draft = self.draft();
                    let one = draft.take(a, Some(path));
                    let two = draft.take(b, Some(other));
                    for taken in [&one, &two] {
                        let mut both = draft.guard(taken, None);
                        draft.conjuncts.append(&mut both);
                    }
                    draft.apart((&one, &two), different);
                    let same = match wrong {
                        Wrong::First => draft.same_way(&one, &two),
                        Wrong::Second => draft.same_way(&two, &one),
                        Wrong::Results => {
                            for taken in [&one, &two] {
                                let mut ways = draft.conditions(taken, None);
                                draft.conjuncts.append(&mut ways);
                            }
                            draft.same_results(&one, &two)
                        }
                    };
                    if same.is_empty() {
                        continue;
                    }
                    draft.conjuncts.push(not(all(same)));
                    match self.solve(draft, &one, Some(&two)) {
                        Reply::Never => {}
                        found @ Reply::Example(_) => return found,
                        Reply::Unknown => reply = Reply::Unknown,
                    }
                    if reply == Reply::Unknown && different.is_some() {
                        return reply;
                    }
                }
            }
        }
        reply
    }

    /// Whether no instance of `a` makes this conjunct of `b` true, and leaves `b` enabled if that is asked; of
    /// those in which these parameters are different.
    fn never_enables(
        &mut self,
        (a, first): Body<'_>,
        b: &Operation,
        conjunct: usize,
        (enabled, different): (bool, Option<(usize, usize)>),
    ) -> Reply {
        let Some(pred) = b.guard[conjunct].pred.clone() else { return Reply::Unknown };
        for path in first {
            let mut draft = self.draft();
            let one = draft.take(a, Some(path));
            let two = draft.take(b, None);
            let guard = draft.guard(&one, None);
            let way = draft.conditions(&one, None);
            let before = not(draft.predicate(&pred, &two.locals, None));
            let after = if enabled {
                draft.guard(&two, Some(&one))
            } else {
                vec![draft.predicate(&pred, &two.locals, Some(&one.new))]
            };
            draft.conjuncts.extend(guard.into_iter().chain(way).chain([before]).chain(after));
            draft.apart((&one, &two), different);
            match self.solve(draft, &one, Some(&two)) {
                Reply::Never => {}
                other => return other,
            }
        }
        Reply::Never
    }

    /// Whether no instance changes the truth of a question, in any state: nothing is assumed.
    pub fn never_changes(&mut self, operation: &Operation, asked: &Pred) -> bool {
        let Some(ways) = self.ways(operation) else { return false };
        let assumed = std::mem::take(&mut self.assumed);
        let never = ways.iter().all(|path| {
            let mut draft = self.draft();
            let one = draft.take(operation, Some(path));
            let guard = draft.guard(&one, None);
            let way = draft.conditions(&one, None);
            let none = BTreeMap::new();
            let before = draft.predicate(asked, &none, None);
            let after = draft.predicate(asked, &none, Some(&one.new));
            let same = PredKind::Iff(Arc::new(before), Arc::new(after));
            let changed = not(Pred::new(same, Span::default()));
            draft.conjuncts.extend(guard.into_iter().chain(way).chain([changed]));
            self.solve(draft, &one, None) == Reply::Never
        });
        self.assumed = assumed;
        never
    }

    /// Whether a draft has no solution.
    fn solve(&mut self, mut draft: Draft<'_>, one: &Taken<'_>, two: Option<&Taken<'_>>) -> Reply {
        if self.work == 0 {
            return Reply::Unknown;
        }
        self.say_what_holds(&mut draft);
        let mut conjuncts = all(std::mem::take(&mut draft.conjuncts)).conjuncts().to_vec();
        let asked = conjuncts.len();
        if self.constants.is_none() {
            // Without these there are no fewer solutions.
            conjuncts.retain(|p| Footprint::of_pred(p).constants.is_empty());
        }
        let is_whole = conjuncts.len() == asked;
        let p = all(conjuncts);
        let read = Footprint::of_pred(&p);
        let at = self.constants.as_ref().map_or(At::Root, |constants| At::Constants(constants));
        let free: Vec<LocalId> =
            draft.unknowns.iter().copied().filter(|l| read.locals.contains(l)).collect();
        if free.iter().any(|id| is_open_ended(&draft.type_of(*id))) {
            return Reply::Unknown;
        }
        self.asking.questions += 1;
        let locals = std::mem::take(&mut draft.locals);
        let question = Question { locals, ..Question::plain(Asked::Predicate(p, free.clone())) };
        let clock = Clock::working(QUESTION_WORK.min(self.work), Some(self.limit));
        let answer = clock.guard(|| {
            let code = QuestionCode::new(self.program, &question).ok()?;
            let mut evaluator = self.evaluator.for_questions(&code);
            evaluator.answer(at, &code, 1).ok()
        });
        self.work = self.work.saturating_sub(clock.asked() + LEAST_WORK);
        let example = |values: Vec<Value>| {
            let value = |id: &LocalId| free.iter().position(|l| l == id).map(|i| values[i].clone());
            let arguments = |of: &Taken<'_>| {
                of.operation.parameters.iter().map(|id| value(&of.locals[id])).collect()
            };
            let variables = draft.before.iter().filter_map(|(v, id)| Some((*v, value(id)?)));
            Reply::Example(Example {
                variables: variables.collect(),
                first: arguments(one),
                second: two.map_or_else(Vec::new, arguments),
            })
        };
        let reply = match answer.ok().flatten() {
            Some(Answer::Solutions(mut found, more)) => match (found.pop(), more) {
                (Some(values), _) => example(values),
                (None, None) => Reply::Never,
                (None, Some(_)) => Reply::Unknown,
            },
            Some(Answer::Truth(false)) => Reply::Never,
            Some(Answer::Truth(true)) => example(Vec::new()),
            _ => Reply::Unknown,
        };
        let reply = match reply {
            Reply::Example(_) if !is_whole => Reply::Unknown,
            reply => reply,
        };
        match reply {
            Reply::Never => self.asking.refuted += 1,
            Reply::Example(_) => {}
            Reply::Unknown => self.asking.unknown += 1,
        }
        reply
    }

    /// Adds what is known of the variables: their ranges, and what is assumed about those alone.
    fn say_what_holds(&self, draft: &mut Draft<'_>) {
        let mut known = Vec::new();
        for (id, unknown) in draft.before.clone() {
            let ty = draft.machine.variable(id).ty.clone();
            let range = self.facts.values(self.scalars, &Place::whole(id));
            let whole = |n: i128| make::number(n, Span::default());
            let Some((low, high)) = range.map(|r| r.bounds()).filter(|_| ty == Type::Integer)
            else {
                continue;
            };
            let own = local(unknown, ty);
            known.extend(
                low.map(|n| make::compare(Comparison::GreaterEqual, own.clone(), whole(n))),
            );
            known.extend(high.map(|n| make::compare(Comparison::LessEqual, own.clone(), whole(n))));
        }
        let none = BTreeMap::new();
        for p in &self.assumed {
            let read = Footprint::of_pred(p).variables;
            if read.iter().all(|v| draft.before.contains_key(v)) {
                known.push(draft.predicate(p, &none, None));
            }
        }
        draft.conjuncts.splice(0..0, known);
    }
}

/// Whether all that relates two operations is about conjuncts and bodies that can be asked about.
fn is_open(links: &[Link], a: &Operation, b: &Operation) -> bool {
    let can_ask = |link: &Link| match link.reason {
        Reason::Disables(i, _) => b.guard[i].pred.is_some(),
        Reason::DisabledBy(i, _) => a.guard[i].pred.is_some(),
        _ => true,
    };
    !links.is_empty() && links.iter().all(can_ask)
}
