//! A whole machine, compiled.
//!
//! Everything is compiled once for integers that fit a word; the same with unbounded integers is
//! made the first time that some evaluation overflows.

use super::instances::Numbering;
use super::questions::{Questions, StateQuestion, Topic};
use super::reuse::Reuse;
use super::straight::{Found, Straight};
use crate::diagnostic::Diagnostic;
use crate::eval::bodies::guard::{ConditionFn, Position};
use crate::eval::bodies::loops::with_loop_locals;
use crate::eval::bodies::substitution::Body;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::once::known::Known;
use crate::eval::once::shared::Shared;
use crate::eval::solutions::firsts::Firsts;
use crate::eval::solutions::solve::{Action, each_of};
use crate::lower::code::{EachFn, Slot};
use crate::lower::description::{FreeCode, SymbolicCode};
use crate::lower::env::Flow;
use crate::lower::occupied::Wanted;
use crate::lower::stop::Stop;
use crate::lower::{Gates, Screen, Test};
use crate::machine::footprint::Footprint;
use crate::machine::opened::{Opened, equations};
use crate::machine::{
    Asked, Conjunct, ConstId, Expr, ExprKind, Guard, Local, LocalId, Named, Notations, OpId,
    Operation, Pred, PredKind, Question, Subst, SubstKind, rewrite,
};
use crate::source::Span;
use crate::state::{Instance, Layout, spoken};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// An operation as parameters to be solved and a body.
pub struct OperationCode {
    /// Solutions of the guard for the parameters; with [`Env::pending`](crate::eval::Env) set, candidates
    /// for which part of it is undefined and none false.
    pub enter: EachFn,
    /// The same solutions up to exchanges, where these can be passed over while they are looked for.
    pub(super) firsts: Option<Firsts>,
    /// Tests of which one is closed where the guard is false.
    pub gates: Gates,
    /// The conditions that other operations have, too ([`Shared`]).
    pub(super) shared: u64,
    /// The operation but for these, where it can be run straight away.
    pub(in crate::eval) straight: Option<Straight>,
    /// How its transitions are found again, of another one.
    pub(in crate::eval) reuse: Option<Reuse>,
    /// What is to be thought of such a candidate.
    pub judge: ConditionFn,
    pub body: Body,
    pub guard: Guard,
    pub parameters: Vec<Slot>,
    pub numbering: Numbering,
    pub results: Vec<Slot>,
    /// Results and locals that it assigns.
    pub assigned: Arc<[Slot]>,
    /// Whether it can be taken by itself.
    pub visible: bool,
    /// The place of its name.
    pub span: Span,
}

/// The machine compiled for one kind of integers.
pub struct Units {
    /// Solutions of the properties, with the constants in their locals.
    properties: OnceLock<EachFn>,
    /// The same without candidates for which something is undefined: compiled when it is asked for.
    defined: OnceLock<EachFn>,
    pub constants: Vec<Slot>,
    pub initialisation: Option<Body>,
    pub initial_assigned: Arc<[Slot]>,
    pub operations: Vec<OperationCode>,
    /// Which of the visible ones a state leaves open, by some fields.
    pub screen: Screen,
    /// The conditions that several operations have.
    pub shared: Shared,
}

/// What moves the machine: shared by programs that ask different questions of it.
struct Moves {
    /// Before questions brought further locals; without the constants that are known.
    instance: Arc<Instance>,
    known: Known,
    layout: Arc<Layout>,
    fast: Units,
    exact: OnceLock<Units>,
}

impl Moves {
    fn units(&self, exact: bool) -> &Units {
        if !exact {
            return &self.fast;
        }
        // What compiles for words compiles for values.
        self.exact.get_or_init(|| Compiled::new(&self.instance, &self.layout, true, false).units)
    }

    fn set_ups(&self, exact: bool, defined: bool) -> &EachFn {
        let units = self.units(exact);
        let compiler = || Compiler::new(&self.instance, self.layout.clone(), exact);
        match defined {
            true => units.defined.get_or_init(|| solutions(&compiler(), true)),
            false => units.properties.get_or_init(|| solutions(&compiler(), false)),
        }
    }
}

/// A compiled machine: shared by all evaluators of a search.
pub struct Program {
    pub instance: Arc<Instance>,
    pub layout: Arc<Layout>,
    moves: Arc<Moves>,
    /// What is asked of every state.
    pub questions: Questions,
    /// Variables that each operation writes, and those that its guard and body read.
    pub footprints: Vec<Footprint>,
    pub strings: Arc<[Arc<str>]>,
    pub symbolic: Arc<[SymbolicCode]>,
    pub freetypes: Arc<[FreeCode]>,
}

impl Program {
    /// Compiles a machine; `questions_only`: but for what finds its set-ups, as long as nobody wants these.
    ///
    /// # Errors
    /// What this version cannot evaluate, each at its place.
    pub fn new(
        instance: Arc<Instance>,
        goal: Option<Pred>,
        questions_only: bool,
    ) -> Result<Program, Vec<Diagnostic>> {
        let known = Known::of(&instance);
        let layout = Arc::new(Layout::new(&known.in_code(&instance)));
        let instance = with_constant_locals(&with_loop_locals(instance, &layout));
        let in_code = known.in_code(&instance);
        let compiled = Compiled::new(&in_code, &layout, false, questions_only);
        let compiler = Compiler::new(&in_code, layout.clone(), false);
        let machine = &instance.machine;
        let footprints: Vec<Footprint> =
            machine.operations.iter().map(|o| compiler.footprint(&o.whole())).collect();
        let asked = flatten(Topic::Invariant, &machine.invariant)
            .chain(flatten(Topic::Assertions, &machine.assertions))
            .chain(goal.map(|pred| (Topic::Goal, Conjunct::of(pred))))
            .chain(machine.scope.clone().map(|p| (Topic::Scope, Conjunct::of(p))));
        let question = |(topic, conjunct)| {
            Arc::new(StateQuestion::new((&compiler, &known), &footprints, topic, conjunct))
        };
        let questions = Questions::new(asked.map(question).collect());
        let exact = Compiler::new(&in_code, layout.clone(), true);
        let (symbolic, freetypes) = (exact.symbolic_codes().into(), exact.free_codes().into());
        let mut problems = compiled.problems;
        problems.extend(compiler.problems.into_inner());
        problems.extend(compiled.first_problems);
        problems.extend(exact.problems.into_inner());
        if !problems.is_empty() {
            return Err(problems);
        }
        let strings = strings(&instance);
        let moves = Moves {
            instance: in_code.clone(),
            known,
            layout: layout.clone(),
            fast: compiled.units,
            exact: OnceLock::new(),
        };
        let moves = Arc::new(moves);
        Ok(Program { instance, layout, moves, questions, footprints, strings, symbolic, freetypes })
    }

    /// The program that asks one question more, with the locals that it brings: a formula that was
    /// typed against the machine of this one. A goal takes the place of the one that there was. What
    /// moves the machine is not compiled again.
    ///
    /// # Errors
    /// What this version cannot evaluate, each at its place.
    pub fn ask(
        &self,
        topic: Topic,
        pred: Pred,
        locals: Vec<Local>,
    ) -> Result<Program, Vec<Diagnostic>> {
        let instance = Arc::new(self.instance.extended(&locals, &[], &[], &Notations::default()));
        let compiler = Compiler::new(&instance, self.layout.clone(), false);
        let conjunct = Conjunct::of(pred);
        let known = (&compiler, &self.moves.known);
        let question = StateQuestion::new(known, &self.footprints, topic, conjunct);
        let problems = compiler.problems.into_inner();
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Program {
            instance,
            layout: self.layout.clone(),
            moves: self.moves.clone(),
            questions: self.questions.with(question),
            footprints: self.footprints.clone(),
            strings: self.strings.clone(),
            symbolic: self.symbolic.clone(),
            freetypes: self.freetypes.clone(),
        })
    }

    /// The same program compiled once more, for another thread.
    pub fn again(&self) -> Program {
        let (instance, layout) = (self.instance.clone(), self.layout.clone());
        let moves = Moves {
            instance: self.moves.instance.clone(),
            known: self.moves.known.clone(),
            layout: layout.clone(),
            fast: Compiled::new(&self.moves.instance, &layout, false, false).units,
            exact: OnceLock::new(),
        };
        let compiler = Compiler::new(&instance, layout.clone(), false);
        let question = |q: &StateQuestion| {
            let conjunct = q.conjunct.clone();
            let known = (&compiler, &self.moves.known);
            Arc::new(StateQuestion::new(known, &self.footprints, q.topic, conjunct))
        };
        let questions = Questions::new(self.questions.iter().map(question).collect());
        let exact = Compiler::new(&instance, layout.clone(), true);
        let (symbolic, freetypes) = (exact.symbolic_codes().into(), exact.free_codes().into());
        drop((compiler, exact));
        Program {
            instance,
            layout,
            moves: Arc::new(moves),
            questions,
            footprints: self.footprints.clone(),
            strings: self.strings.clone(),
            symbolic,
            freetypes,
        }
    }

    /// The machine as it was compiled: constants that are known by the text stand in it no more.
    pub(in crate::eval) fn in_code(&self) -> &Instance {
        &self.moves.instance
    }

    /// The code for integers that are words, or for unbounded ones.
    pub fn units(&self, exact: bool) -> &Units {
        self.moves.units(exact)
    }

    /// The solutions of the properties; `defined`: without candidates for which something is undefined.
    pub(super) fn set_ups(&self, exact: bool, defined: bool) -> &EachFn {
        self.moves.set_ups(exact, defined)
    }

    /// The question for the values of the constants.
    pub fn properties(&self) -> Question {
        let (pred, constants) = properties(&self.instance);
        let all = [pred].into_iter().chain(assumed(&self.instance)).collect();
        let pred = Pred::and(all, Span::default());
        Question::plain(Asked::Predicate(pred, constants))
    }

    /// A formula in which constants are the locals that the question about the PROPERTIES solves for.
    pub fn over_constants(&self, e: &Expr) -> Expr {
        rewrite::expr(e, &|kind| as_local(&self.instance, kind))
    }

    /// A question about constants and free names, solved together with the PROPERTIES.
    pub fn with_properties(&self, question: Question) -> Question {
        let Asked::Predicate(pred, free) = &question.asked else { return question };
        let Asked::Predicate(properties, mut names) = self.properties().asked else {
            return question;
        };
        names.extend(free);
        let pred = rewrite::pred(pred, &|kind| as_local(&self.instance, kind));
        let all = Pred::and(vec![properties, pred], Span::default());
        Question { asked: Asked::Predicate(all, names), ..question }
    }

    /// How the arguments of an operation are packed.
    pub fn numbering(&self, operation: OpId) -> &Numbering {
        &self.units(false).operations[operation.0 as usize].numbering
    }

    /// In which order they take their elements, where instances can be listed up to exchanges.
    pub(super) fn firsts(&self, operation: OpId) -> Option<&[usize]> {
        let code = &self.units(false).operations[operation.0 as usize];
        code.firsts.as_ref().map(Firsts::order)
    }

    /// Whether the instances of an operation that [`Evaluator::enabled`](crate::eval::Evaluator::enabled) lists
    /// all have an outcome, or end in a fault.
    pub fn guard(&self, operation: OpId) -> Guard {
        self.units(false).operations[operation.0 as usize].guard
    }

    /// The goal that is asked for.
    pub fn goal(&self) -> Option<&Pred> {
        self.questions.of(Topic::Goal).first().map(|q| &q.conjunct.pred)
    }

    pub fn visible_operations(&self) -> impl Iterator<Item = OpId> + '_ {
        let operations = self.instance.machine.operations.iter().enumerate();
        operations.filter(|(_, o)| o.visible).map(|(i, _)| OpId(i as u32))
    }
}

/// The machine with one more local for each constant, in which the properties are solved: it may hold an infinite set
/// where the constant may.
fn with_constant_locals(instance: &Instance) -> Arc<Instance> {
    let mut machine = (*instance.machine).clone();
    let (known, first) = (machine.symbolic.known, machine.locals.len() as u32);
    for c in &machine.constants {
        machine.locals.push(crate::machine::Local {
            name: c.name.clone(),
            ty: c.ty.clone(),
            span: c.span,
        });
    }
    for i in 0..machine.constants.len() as u32 {
        let notation = machine.notations.of(Named::Constant(ConstId(i))).clone();
        machine.notations.learn(Named::Local(LocalId(first + i)), &notation);
    }
    let of_constants = machine.symbolic.constants.iter().map(|id| LocalId(first + id.0));
    let holders: Vec<LocalId> = (known..first).map(LocalId).chain(of_constants).collect();
    machine.symbolic.locals.extend(holders);
    machine.symbolic.known = machine.locals.len() as u32;
    Arc::new(Instance { machine: Arc::new(machine), ..instance.clone() })
}

/// The local in which a constant is solved, in the machine of a program.
fn constant_local(instance: &Instance, id: ConstId) -> LocalId {
    let base = instance.machine.locals.len() - instance.machine.constants.len();
    LocalId(base as u32 + id.0)
}

/// One entry for each conjunct.
fn flatten(topic: Topic, written: &[Conjunct]) -> impl Iterator<Item = (Topic, Conjunct)> + '_ {
    written.iter().flat_map(move |c| {
        let parts = c.pred.conjuncts().iter();
        parts.map(move |p| (topic, Conjunct { pred: p.clone(), ..c.clone() }))
    })
}

/// The local of a constant.
fn as_local(instance: &Instance, kind: &ExprKind) -> Option<ExprKind> {
    match kind {
        ExprKind::Constant(id) => Some(ExprKind::Local(constant_local(instance, *id))),
        _ => None,
    }
}

/// The properties with the constants in their locals, and these.
fn properties(instance: &Instance) -> (Pred, Vec<LocalId>) {
    let machine = &instance.machine;
    let as_local = |kind: &ExprKind| as_local(instance, kind);
    let span = machine.properties.first().map_or_else(Default::default, |c| c.pred.span);
    let conjuncts = machine.properties.iter().map(|c| rewrite::pred(&c.pred, &as_local));
    (Pred::and(conjuncts.collect(), span), constant_locals(instance))
}

/// The locals in which the constants are solved.
fn constant_locals(instance: &Instance) -> Vec<LocalId> {
    let constants = 0..instance.machine.constants.len() as u32;
    constants.map(|i| constant_local(instance, ConstId(i))).collect()
}

/// The solutions of the properties; `defined`: without candidates for which something is undefined.
fn solutions(compiler: &Compiler<'_>, defined: bool) -> EachFn {
    let (properties, locals) = properties(compiler.instance);
    let assumed = assumed(compiler.instance).map(|p| compiler.test(&p)).collect();
    let solutions = match defined {
        true => compiler.solve_defined(&locals, &properties),
        false => compiler.solve(&locals, &properties, Undefined::Fault),
    };
    unless_refuted(assumed, solutions)
}

/// What is assumed of infinite constants, with the constants in their locals.
fn assumed(instance: &Instance) -> impl Iterator<Item = Pred> + '_ {
    let as_local = |kind: &ExprKind| as_local(instance, kind);
    instance.machine.assumed.iter().map(move |p| rewrite::pred(p, &as_local))
}

/// The solutions for which nothing that is assumed is false.
fn unless_refuted(assumed: Vec<Test>, solutions: EachFn) -> EachFn {
    if assumed.is_empty() {
        return solutions;
    }
    Box::new(move |env, each| {
        solutions(env, &mut |env| {
            for test in &assumed {
                let pending = env.pending.take();
                let truth = test.holds(env);
                env.pending = pending;
                match truth {
                    Ok(false) => return Ok(Flow::Continue(())),
                    Err(stop @ (Stop::Halted | Stop::Overflow)) => return Err(stop),
                    Ok(true) | Err(_) => {}
                }
            }
            each(env)
        })
    })
}

/// What compiling what moves a machine gives.
struct Compiled {
    units: Units,
    /// What cannot be evaluated, that of the initialisation apart.
    problems: Vec<Diagnostic>,
    first_problems: Vec<Diagnostic>,
}

impl Compiled {
    fn new(
        instance: &Instance,
        layout: &Arc<Layout>,
        exact: bool,
        questions_only: bool,
    ) -> Compiled {
        let machine = &instance.machine;
        let compiler = Compiler::new(instance, layout.clone(), exact);
        let first = Compiler::for_initialisation(instance, layout.clone(), exact);
        // With unbounded integers nothing is run straight away.
        let shared = if exact { Shared::default() } else { Shared::of(&compiler) };
        let operations = (0..).map(OpId).zip(machine.operations.iter());
        let operations: Vec<OperationCode> =
            operations.map(|(id, o)| operation(&compiler, &shared, id, o)).collect();
        let properties = OnceLock::new();
        if !questions_only {
            properties.get_or_init(|| solutions(&compiler, false));
        }
        let units = Units {
            screen: screen(&operations),
            operations,
            shared,
            properties,
            defined: OnceLock::new(),
            constants: compiler.slots(&constant_locals(instance)),
            initialisation: machine.initialisation.as_ref().map(|s| first.subst(s, Position::Body)),
            initial_assigned: machine
                .initialisation
                .as_ref()
                .map_or_else(|| Arc::from([]), |s| first.assigned_in(s)),
        };
        let problems = compiler.problems.into_inner();
        Compiled { units, problems, first_problems: first.problems.into_inner() }
    }
}

/// Which of the operations that may be taken by themselves a state leaves open.
fn screen(operations: &[OperationCode]) -> Screen {
    let wanted = |code: &OperationCode| code.straight.as_ref().map(Straight::wanted);
    let wanted: Vec<Vec<Wanted>> =
        operations.iter().map(|code| wanted(code).unwrap_or_default()).collect();
    Screen::of(operations.iter().map(|code| code.visible.then_some(&code.gates)), &wanted)
}

/// An operation, its guard apart.
pub(in crate::eval) struct GuardOf<'o> {
    /// What finds the parameters.
    pub guard: Pred,
    /// The conditions that the machine has there, each with the parameters that it finds.
    judged: Vec<(&'o Pred, &'o [LocalId])>,
    pairs: FxHashSet<Span>,
    pub body: &'o Subst,
    /// Parameters that the body still enumerates.
    pub open: &'o [LocalId],
}

/// What finds the instances of an operation, and what is left to its body.
pub(in crate::eval) fn guard_of<'o>(compiler: &Compiler<'_>, o: &'o Operation) -> GuardOf<'o> {
    let body = &o.body;
    // The first condition finds the parameters, and those below it have them.
    let mut judged: Vec<(&Pred, &[LocalId])> = o.conditions().map(|c| (c, &[][..])).collect();
    let mut pairs = Default::default();
    let mut open = &o.parameters[..];
    if let Some((first, locals)) = judged.first_mut() {
        pairs = compiler.pairs_of(first, &o.parameters);
        *locals = &o.parameters;
        open = &[];
    }
    let mut guard = Pred::and(o.conditions().cloned().collect(), o.whole_span());
    if compiler.plan(&o.parameters, &guard, Undefined::Guard).is_unbounded(compiler) {
        // Nothing at the top bounds some parameter: what the body needs to be feasible may. Whether
        // it is defined is the body's matter.
        guard = Pred::and(vec![guard, necessary(body)], o.whole_span());
    }
    GuardOf { guard, judged, pairs, body, open }
}

pub(in crate::eval) fn operation(
    compiler: &Compiler<'_>,
    shared: &Shared,
    id: OpId,
    o: &Operation,
) -> OperationCode {
    let of = guard_of(compiler, o);
    let assigned = compiler.footprint(of.body).assigned.into_iter();
    let assigned: BTreeSet<LocalId> = assigned.chain(o.results.iter().copied()).collect();
    let actions = compiler.solve_guard(&o.parameters, &of.guard, of.pairs.clone());
    let body = compiler.subst(of.body, Position::Guard { open: of.open });
    // What a body assigns to names, results among them, is put back for each choice.
    let opened = if assigned.is_empty() { o.opened() } else { None };
    let operation = (compiler, id, o);
    let (gates, straight) = match &opened {
        Some(opened) => straight_with_choices(operation, shared, &of, opened, &actions),
        None => {
            let gates = Gates::of(tests(&actions));
            let left = match shared.of_operation(id) {
                [] => actions.clone(),
                _ => {
                    without_shared(operation, shared, (&o.parameters, &of.guard), &of.pairs).into()
                }
            };
            let found = Found { actions: left, own: None };
            // Results tell outcomes apart.
            let may_choose = assigned.is_empty() && of.open.is_empty();
            let ways = compiler.ways(&body, may_choose.then_some(of.body));
            let straight =
                ways.and_then(|ways| Straight::of(operation, shared, found, &gates, &ways));
            (gates, straight)
        }
    };
    let reuse = match straight {
        Some(_) => None,
        None if compiler.exact => None,
        None => compiler.reuse((id, o, shared), None, true),
    };
    let assigned: Arc<[Slot]> = assigned.into_iter().map(|id| compiler.slot(id)).collect();
    let parameters = compiler.slots(&o.parameters);
    let again = || compiler.guard_actions(&o.parameters, &of.guard, of.pairs.clone());
    let firsts = compiler.firsts(&parameters, &actions, again);
    OperationCode {
        shared: shared.of_operation(id).iter().fold(0, |all, (_, i)| all | 1 << i),
        straight,
        reuse,
        gates,
        enter: each_of(actions, Undefined::Guard),
        firsts,
        judge: compiler.judge(&of.judged),
        body,
        guard: Guard::before(compiler.machine(), of.body),
        numbering: Numbering::new(&parameters),
        parameters,
        results: compiler.slots(&o.results),
        assigned,
        visible: o.visible,
        span: o.name_span,
    }
}

/// An operation as it is run straight away.
type Itself<'o, 'c> = (&'o Compiler<'c>, OpId, &'o Operation);

/// What finds the solutions of a condition for these locals, but for what the operation shares with others.
fn without_shared(
    (compiler, id, _): Itself<'_, '_>,
    shared: &Shared,
    (locals, condition): (&[LocalId], &Pred),
    pairs: &FxHashSet<Span>,
) -> Vec<Action> {
    let rest = condition.conjuncts().iter().filter(|p| !shared.contain(id, p));
    let rest = Pred::and(rest.cloned().collect(), condition.span);
    compiler.guard_actions(locals, &rest, pairs.clone())
}

/// An operation that chooses at the top of its body, with what must hold for it to be enabled. `actions`: what finds its
/// own instances.
fn straight_with_choices(
    operation: Itself<'_, '_>,
    shared: &Shared,
    of: &GuardOf<'_>,
    opened: &Opened<'_>,
    actions: &[Action],
) -> (Gates, Option<Straight>) {
    let (compiler, id, o) = operation;
    let mut all = without_shared(operation, shared, (&o.parameters, &of.guard), &of.pairs);
    let own = all.len();
    let mut seen = own;
    for (i, (locals, condition)) in opened.choices.iter().enumerate() {
        let open: Vec<LocalId> = of.open.iter().chain(locals).copied().collect();
        let pairs = compiler.pairs_of(condition, &open);
        all.extend(without_shared(operation, shared, (locals, condition), &pairs));
        if i == 0 && o.first_choice().is_some() {
            seen = all.len();
        }
    }
    let gates = Gates::of(tests(actions).chain(tests(&all[..seen])));
    let found = Found { actions: all.into(), own: Some(own) };
    let body = compiler.subst(opened.body, Position::Guard { open: &[] });
    let told = opened.told(o);
    let ways = compiler.ways(&body, Some(opened.body));
    let straight =
        ways.and_then(|ways| Straight::of((compiler, id, &told), shared, found, &gates, &ways));
    (gates, straight)
}

fn tests(actions: &[Action]) -> impl Iterator<Item = &Test> {
    actions.iter().filter_map(|action| match action {
        Action::Test(test) => Some(test),
        _ => None,
    })
}

/// A condition without which a substitution in guard position has no outcome.
fn necessary(s: &Subst) -> Pred {
    let new = |kind| Pred::new(kind, s.span);
    match &s.kind {
        SubstKind::Select(branches, None) => {
            let parts =
                branches.iter().map(|(p, s)| Pred::and(vec![p.clone(), necessary(s)], p.span));
            new(PredKind::Or(parts.collect()))
        }
        SubstKind::Choice(parts) => new(PredKind::Or(parts.iter().map(necessary).collect())),
        SubstKind::Any(locals, p, s) => {
            let body = Pred::and(vec![p.clone(), necessary(s)], p.span);
            new(PredKind::Exists(locals.clone(), Arc::new(body)))
        }
        SubstKind::Let(bindings, body) => {
            let parts = vec![equations(bindings, s.span), necessary(body)];
            let locals = bindings.iter().map(|(id, _)| *id).collect();
            new(PredKind::Exists(locals, Arc::new(Pred::and(parts, s.span))))
        }
        _ => new(PredKind::True),
    }
}

/// How many strings an unbounded one ranges over at least: with fewer a machine that mentions none would have no
/// values for it.
const FEWEST_STRINGS: usize = 2;

/// All string literals of the machine, or some more where these are too few: what an unbounded string ranges over.
fn strings(instance: &Instance) -> Arc<[Arc<str>]> {
    let mut found = spoken::texts_of(instance);
    for fresh in (1..).map(|n| Arc::from(format!("STRING{n}"))) {
        if found.len() >= FEWEST_STRINGS {
            break;
        }
        found.insert(fresh);
    }
    found.into_iter().collect()
}
