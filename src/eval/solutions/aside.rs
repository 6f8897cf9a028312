//! What is false whatever a name is.
//!
//! Where the set that a name is taken from is undefined, all values of its type are tried, since another conjunct may be
//! false of each. Where these have no end, or are too many, something else may still be false of all of them: what the
//! name does not matter to, as `m : {}` in `#(n, m).(n = 1 / 0 & m : {})`. So the steps that come later are gone
//! through once more without those that ask for such a name or for what depends on one. At the end of each way
//! through the others, the solver is asked whether what was left aside can be true of any value at all; and of a quantifier
//! for all, whether its conclusion can be false. Where nothing remains, no candidate was left out.

use super::propagation::Propagation;
use super::solve::Action;
use super::walk::{Rest, run};
use crate::constraint::Left;
use crate::eval::compile::Compiler;
use crate::eval::plans::plan::{Plan, Solve, Source, Step};
use crate::eval::plans::uses::Uses;
use crate::lower::Test;
use crate::lower::env::{Conclusion, Env, Flow};
use crate::lower::stop::Stop;
use crate::machine::footprint::Footprint;
use crate::machine::{Comparison, LocalId, Pred, PredKind};
use std::cell::{Cell, OnceCell};
use std::slice;
use std::sync::Arc;

/// What comes behind a step of a plan.
#[derive(Clone, Copy)]
pub(super) struct Behind<'p> {
    pub(super) plan: &'p Plan,
    pub(super) at: usize,
    /// What the plan's steps use, once somebody wants to know.
    pub(super) uses: &'p OnceCell<Arc<[Uses]>>,
}

impl<'p> Behind<'p> {
    pub(super) fn steps(self) -> &'p [Step] {
        &self.plan.steps[self.at..]
    }

    fn uses(self) -> Arc<[Uses]> {
        self.uses.get_or_init(|| Uses::of_plan(self.plan).into()).clone()
    }

    pub(super) fn later(self, compiler: &Compiler<'_>, lost: Vec<LocalId>) -> Later {
        let uses = self.uses();
        let mut aside = Aside { locals: lost.clone(), said: Vec::new() };
        aside.add(compiler, self.told(&uses));
        Later { lost, uses, at: self.at, aside: aside.doubt(compiler) }
    }

    /// The same of a step for the solver, by the actions that are there instead of it; `None` where these give all locals
    /// values.
    pub(super) fn later_than_all(
        self,
        compiler: &Compiler<'_>,
        solve: &Solve,
        otherwise: &[Action],
    ) -> Option<Later> {
        let uses = otherwise.iter().any(|action| action.later().is_some()).then(|| self.uses())?;
        let mut aside = Aside::default();
        let own = &uses[self.at - 1].otherwise;
        aside.add(compiler, told(&solve.otherwise, otherwise, own).into_iter());
        aside.add(compiler, self.told(&uses));
        let aside = aside.doubt(compiler);
        Some(Later { lost: Vec::new(), uses, at: self.at, aside })
    }

    fn told<'u>(self, uses: &'u [Uses]) -> impl Iterator<Item = Told<'u>>
    where
        'p: 'u,
    {
        self.steps().iter().zip(&uses[self.at..]).map(|(step, uses)| (step, uses, &[][..]))
    }
}

/// A step, what it uses, and the locals that it may leave without values.
type Told<'a> = (&'a Step, &'a Uses, &'a [LocalId]);

/// The steps of a plan, with those that are there instead of one for the solver.
fn told<'a>(plan: &'a Plan, actions: &'a [Action], uses: &'a [Uses]) -> Vec<Told<'a>> {
    let mut all = Vec::new();
    for ((step, action), uses) in plan.steps.iter().zip(actions).zip(uses) {
        match (step, action) {
            (Step::Solve(solve), Action::Solve(_, _, otherwise, Some(_))) => {
                all.extend(told(&solve.otherwise, otherwise, &uses.otherwise));
            }
            _ => all.push((step, uses, action.later().map_or(&[], |later| &later.lost))),
        }
    }
    all
}

/// What is left aside: locals, and what is said of them.
#[derive(Default)]
struct Aside {
    locals: Vec<LocalId>,
    said: Vec<Pred>,
}

impl Aside {
    /// Adds what depends on the locals that are left aside, or may be, and what these steps say of them.
    fn add<'a>(&mut self, compiler: &Compiler<'_>, steps: impl Iterator<Item = Told<'a>>) {
        for (step, uses, lost) in steps {
            if self.locals.iter().any(|id| uses.needs.contains(id)) {
                self.locals.extend(&uses.gives);
                self.said.extend(said_by(compiler, step));
            }
            self.locals.extend(lost);
        }
    }

    fn doubt(self, compiler: &Compiler<'_>) -> Doubt {
        let Aside { locals, said } = self;
        let is_told =
            !said.is_empty() && locals.iter().all(|id| compiler.is_picturable(*id, &said));
        let problem = is_told.then(|| {
            let (conjuncts, otherwise) = (said, Plan::default());
            let solve = Solve { locals: locals.clone(), conjuncts, told: Vec::new(), otherwise };
            compiler.propagation(&solve)
        });
        Doubt { locals, problem }
    }
}

/// What a step says that no other one tests.
fn said_by(compiler: &Compiler<'_>, step: &Step) -> Option<Pred> {
    let (op, pattern, e) = match step {
        Step::Test(p) => return Some(p.clone()),
        Step::Bind(pattern, e) => (Comparison::Equal, pattern, e),
        Step::Generate(pattern, Source::Set(set)) => (Comparison::Member, pattern, set),
        Step::Generate(..) | Step::Solve(_) => return None,
    };
    let kind = PredKind::Compare(op, compiler.pattern_value(pattern), e.clone());
    Some(Pred::new(kind, e.span))
}

/// What the solver is asked of locals, where all others have values.
struct Doubt {
    locals: Vec<LocalId>,
    problem: Option<Propagation>,
}

impl Doubt {
    /// Whether nothing is true of any values of the locals, as far as can be seen. `lost`: those without values.
    fn is_refuted(&self, lost: &[LocalId], env: &mut Env) -> Result<bool, Stop> {
        match &self.problem {
            Some(problem) if lost.iter().all(|id| self.locals.contains(id)) => {
                Ok(matches!(problem.left(env)?, Some(Left::Nothing)))
            }
            _ => Ok(false),
        }
    }
}

/// The steps behind one that gives values to locals, for where it has none.
pub(in crate::eval) struct Later {
    /// The locals without values.
    lost: Vec<LocalId>,
    /// Of all steps of the plan.
    uses: Arc<[Uses]>,
    /// The first of them that comes later.
    at: usize,
    aside: Doubt,
}

/// Most ways through the other steps at whose ends the solver is asked.
const MOST_ASKED: u32 = 1 << 6;

/// An action, and what its step uses.
type Link<'a> = (&'a Action, &'a Uses);

/// The steps gone through.
struct Walk<'w> {
    later: &'w Later,
    conclusion: Option<Conclusion>,
    asked: Cell<u32>,
}

impl Later {
    /// Whether some candidate may be left where the locals without values have others than were tried. `otherwise`: the
    /// actions instead of the solver, if it is the solver that leaves some without; `rest`: what comes behind.
    #[cold]
    pub(super) fn leaves_any(
        &self,
        otherwise: &[Action],
        (rest, end): Rest<'_>,
        env: &mut Env,
    ) -> Result<bool, Stop> {
        let before = std::mem::replace(&mut env.forgetful, true);
        let outer = (env.pending.take(), env.left_out.take());
        // Behind a part of a plan is more than whoever asks for candidates.
        let conclusion = env.conclusion.clone().filter(|_| end.is_some());
        let walk = Walk { later: self, conclusion, asked: Cell::new(0) };
        let own = links(otherwise, &self.uses[self.at - 1].otherwise);
        let path = [own, links(rest, &self.uses[self.at..])].concat();
        let result = walk.leads_through(&path, &self.lost, env);
        env.forgetful = before;
        (env.pending, env.left_out) = outer;
        match result {
            Ok(flow) => Ok(flow.is_break()),
            Err(Stop::Fault(_) | Stop::Cut(_)) => {
                env.fault = None;
                Ok(true)
            }
            Err(stop) => Err(stop),
        }
    }
}

/// What looks at exchanges has no step of its own, and refutes nothing.
fn links<'a>(actions: &'a [Action], uses: &'a [Uses]) -> Vec<Link<'a>> {
    actions.iter().filter(|action| !matches!(action, Action::First(_))).zip(uses).collect()
}

impl Walk<'_> {
    /// Goes through the actions to which the lost locals do not matter; breaks off at the first candidate that may be one.
    fn leads_through(
        &self,
        path: &[Link<'_>],
        lost: &[LocalId],
        env: &mut Env,
    ) -> Result<Flow, Stop> {
        let Some(((action, uses), rest)) = path.split_first() else { return self.end(lost, env) };
        let without = || lost.iter().chain(&uses.gives).copied().collect::<Vec<LocalId>>();
        if lost.iter().any(|id| uses.needs.contains(id)) {
            return match action {
                Action::Solve(_, _, otherwise, _) => {
                    let instead = [links(otherwise, &uses.otherwise), rest.to_vec()].concat();
                    self.leads_through(&instead, lost, env)
                }
                _ => self.leads_through(rest, &without(), env),
            };
        }
        let flow = run(slice::from_ref(action), env, None, &mut |env| {
            self.leads_through(rest, lost, env)
        })?;
        match env.left_out.take() {
            // Of what it gives not all is known, either.
            Some(_) if flow.is_continue() => self.leads_through(rest, &without(), env),
            _ => Ok(flow),
        }
    }

    fn end(&self, lost: &[LocalId], env: &mut Env) -> Result<Flow, Stop> {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() > MOST_ASKED {
            return Ok(Flow::Break(()));
        }
        let refuted = match &self.conclusion {
            Some(conclusion) if conclusion(env, lost)? => true,
            _ => self.later.aside.is_refuted(lost, env)?,
        };
        Ok(if refuted { Flow::Continue(()) } else { Flow::Break(()) })
    }
}

impl Compiler<'_> {
    /// What tells that a conclusion is true whatever the values are of locals that a premise, whose plan and actions these are,
    /// may leave without; `None` where it leaves none.
    pub(in crate::eval) fn conclusion(
        &self,
        plan: &Plan,
        actions: &[Action],
        said: &Pred,
        test: &Arc<Test>,
    ) -> Option<Conclusion> {
        let uses = &actions.iter().find_map(Action::later)?.uses;
        let mut aside = Aside::default();
        aside.add(self, told(plan, actions, uses).into_iter());
        self.conjuncts(said, false, &mut aside.said);
        let doubt = aside.doubt(self);
        let (needs, test) = (Footprint::of_pred(said).locals, test.clone());
        Some(Arc::new(move |env, lost| {
            if lost.iter().any(|id| needs.contains(id)) {
                return doubt.is_refuted(lost, env);
            }
            test.holds(env)
        }))
    }
}
