//! Values that conditions ask for: `p => v = e` gives `v` its value where `p`, which is known, is true.

use super::estimate::LAST_RESORT;
use super::offers::Choice;
use super::plan::{Asked, Case, Pattern, Plan, Planner, Source, Step};
use crate::machine::footprint::Footprint;
use crate::machine::{Comparison, ExprKind, LocalId, Pred, PredKind};
use crate::source::Span;
use crate::value::Shape;
use std::rc::Rc;
use std::sync::Arc;

/// Expected values of a local from which on conditions are asked for the value it has.
const MANY_VALUES: f64 = 64.0;

/// How many of the values of a local those may be that a condition asks for, to be worth asking.
const FEWER: f64 = 0.25;

impl Planner<'_, '_, '_> {
    /// The value that an implication asks of a local where its condition, which is bound, is true; of
    /// several the first. Otherwise its values by its type, or what the solver makes of the rest.
    pub(super) fn by_cases(&self, local: LocalId, plain: &Choice) -> Option<Choice> {
        if plain.cost < MANY_VALUES {
            return None;
        }
        let (mut cases, mut consumed) = (Vec::new(), Vec::new());
        for (i, pred) in self.open_conjuncts(local) {
            let (before, mut asks) = (cases.len(), None);
            match &pred.kind {
                PredKind::Implies(p, q) if self.is_bound_pred(p) => {
                    self.cases_of(local, (p, q), plain, &mut cases);
                    asks = Some(&**q);
                }
                PredKind::Iff(p, q) => {
                    for (condition, asked) in [(p, q), (q, p)] {
                        if self.is_bound_pred(condition) {
                            self.cases_of(local, (condition, asked), plain, &mut cases);
                        }
                    }
                }
                PredKind::Or(parts) => {
                    let (bound, open): (Vec<&Pred>, Vec<&Pred>) =
                        parts.iter().partition(|p| self.is_bound_pred(p));
                    if let ([asked], [_, ..]) = (&open[..], &bound[..]) {
                        let denied = bound.iter().map(|p| self.compiler.negated(p)).collect();
                        let condition = Pred::and(denied, pred.span);
                        self.cases_of(local, (&condition, asked), plain, &mut cases);
                        asks = Some(*asked);
                    }
                }
                PredKind::Exists(ids, body) => {
                    for (condition, asked) in self.asked_within(ids, body, pred.span) {
                        self.cases_of(local, (&condition, &asked), plain, &mut cases);
                    }
                }
                _ => {}
            }
            // What asks for more than this value is tested as a whole.
            let only = asks.is_some_and(|p| matches!(p.kind, PredKind::Compare(..)));
            if let ([case], true) = (&mut cases[before..], only) {
                case.conjunct = Some(pred.clone());
                consumed.push(i);
            }
        }
        if cases.is_empty() {
            return None;
        }
        let alone: Vec<Pred> = self.only(local).cloned().collect();
        let steps = vec![plain.step.clone()];
        let otherwise = self.compiler.with_solver(&[local], &alone, self.undefined, Plan { steps });
        let source = Source::Cases(cases, Rc::new(otherwise));
        let step = Step::Generate(Pattern::Local(local), source);
        // Whatever gives finitely many values is better.
        let cost = (0.9 * plain.cost).min(0.9 * LAST_RESORT);
        Some(Choice { cost, step, consumed, binds: vec![local] })
    }

    /// `#x.(S & (p => q))` with `p` bound asks for `#x.(S & q)` where `p` is true.
    fn asked_within(&self, ids: &[LocalId], body: &Pred, span: Span) -> Vec<(Pred, Pred)> {
        let conjuncts = body.conjuncts();
        let mut all = Vec::new();
        for (i, p) in conjuncts.iter().enumerate() {
            if let PredKind::Implies(condition, asked) = &p.kind
                && self.is_bound_pred(condition)
                && Footprint::of_pred(condition).locals.is_disjoint(&ids.iter().copied().collect())
            {
                let mut parts: Vec<Pred> = conjuncts.iter().map(|p| (*p).clone()).collect();
                parts[i] = (**asked).clone();
                let body = Arc::new(Pred::and(parts, body.span));
                let asked = Pred::new(PredKind::Exists(ids.to_vec(), body), span);
                all.push(((**condition).clone(), asked));
            }
        }
        all
    }

    /// What a conjunct asks of a local under a condition, as cases.
    fn cases_of(
        &self,
        local: LocalId,
        (condition, asked): (&Pred, &Pred),
        plain: &Choice,
        cases: &mut Vec<Case>,
    ) {
        let before = cases.len();
        match &asked.kind {
            PredKind::Implies(p, q) if self.is_bound_pred(p) => {
                self.cases_of(local, (&both(condition, p), q), plain, cases);
            }
            _ => self.cases_of_part(local, (condition, asked), plain, cases),
        }
        if matches!(asked.kind, PredKind::Exists(..) | PredKind::Or(_)) {
            return;
        }
        // Other parts may bound what this part does not.
        if cases.len() == before && self.has_no_bounds(local) {
            let plan = self.values_of(local, &self.beside(local, asked));
            let helps = |plan: &Rc<Plan>| self.gives_few(plan, plain) || plan.has_solver();
            cases.extend(plan.filter(helps).map(|plan| values_where(condition, plan)));
        }
    }

    /// What a part of that asks of it, taken by itself.
    fn cases_of_part(
        &self,
        local: LocalId,
        (condition, asked): (&Pred, &Pred),
        plain: &Choice,
        cases: &mut Vec<Case>,
    ) {
        match &asked.kind {
            PredKind::And(parts) => {
                parts.iter().for_each(|p| self.cases_of_part(local, (condition, p), plain, cases));
            }
            PredKind::Implies(p, q) if self.is_bound_pred(p) => {
                self.cases_of_part(local, (&both(condition, p), q), plain, cases);
            }
            PredKind::Exists(..) | PredKind::Or(_) => {
                let plan = self.values_of(local, asked).filter(|plan| self.gives_few(plan, plain));
                cases.extend(plan.map(|plan| values_where(condition, plan)));
            }
            PredKind::Compare(Comparison::Equal, a, b) => {
                for (x, e) in [(a, b), (b, a)] {
                    if x.kind == ExprKind::Local(local)
                        && self.is_bound(e)
                        && !self.compiler.is_infinite(e)
                    {
                        cases.push(Case {
                            condition: condition.clone(),
                            asked: Asked::Value(e.clone()),
                            conjunct: None,
                        });
                    }
                }
            }
            _ => {}
        }
    }

    /// The values that something asks for, where nothing else has to be known.
    fn values_of(&self, local: LocalId, asked: &Pred) -> Option<Rc<Plan>> {
        self.waits_for(asked, local).then(|| self.compiler.plan(&[local], asked, self.undefined))
    }

    fn gives_few(&self, plan: &Plan, plain: &Choice) -> bool {
        !plan.is_unbounded(self.compiler) && self.compiler.plan_cost(plan) < FEWER * plain.cost
    }

    /// Whether a local is no number, between whose bounds the solver looks, and has infinitely many values by its type.
    pub(super) fn has_no_bounds(&self, local: LocalId) -> bool {
        let shape = self.compiler.slot(local).shape;
        shape != Shape::Integer && !shape.is_finite()
    }

    /// What a condition asks of a local, and what is asked of it alone in any case.
    fn beside(&self, local: LocalId, asked: &Pred) -> Pred {
        use PredKind::{Exists, Iff, Implies, Or};
        let in_any_case = |p: &&Pred| !matches!(p.kind, Implies(..) | Iff(..) | Or(_) | Exists(..));
        let others = self.only(local).filter(in_any_case);
        let all = std::iter::once(asked).chain(others).cloned().collect();
        Pred::and(all, asked.span)
    }
}

/// Two conditions at once.
fn both(p: &Pred, q: &Pred) -> Pred {
    Pred::and(vec![p.clone(), q.clone()], q.span)
}

/// The values of a plan, where a condition is true.
fn values_where(condition: &Pred, plan: Rc<Plan>) -> Case {
    Case { condition: condition.clone(), asked: Asked::Values(plan), conjunct: None }
}
