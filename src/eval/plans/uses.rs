//! Which locals the steps of a plan ask for.

use super::inverse::Part;
use super::plan::{Asked, Pattern, Plan, Source, Step};
use super::solver::bound_by;
use crate::machine::LocalId;
use crate::machine::footprint::Footprint;
use std::collections::BTreeSet;

/// The locals that a step gives values to, and those whose values matter to it.
pub(in crate::eval) struct Uses {
    pub(in crate::eval) gives: BTreeSet<LocalId>,
    pub(in crate::eval) needs: BTreeSet<LocalId>,
    /// The same of the steps without the solver, where it is one for the solver.
    pub(in crate::eval) otherwise: Vec<Uses>,
}

impl Uses {
    /// Those of the steps of a plan.
    pub(in crate::eval) fn of_plan(plan: &Plan) -> Vec<Uses> {
        plan.steps.iter().map(Uses::of).collect()
    }

    fn of(step: &Step) -> Uses {
        let (mut gives, mut needs) = (BTreeSet::new(), BTreeSet::new());
        bound_by(step, &mut gives);
        needed_by(step, &mut needs);
        let otherwise = match step {
            Step::Solve(solve) => Uses::of_plan(&solve.otherwise),
            _ => Vec::new(),
        };
        Uses { needs: needs.difference(&gives).copied().collect(), gives, otherwise }
    }
}

/// The locals whose values matter to a step, those that it gives values to among them.
fn needed_by(step: &Step, out: &mut BTreeSet<LocalId>) {
    match step {
        Step::Test(p) => out.extend(Footprint::of_pred(p).locals),
        Step::Bind(pattern, e) => {
            needed_by_pattern(pattern, out);
            out.extend(Footprint::of_expr(e).locals);
        }
        Step::Generate(pattern, source) => {
            needed_by_pattern(pattern, out);
            needed_by_source(source, out);
        }
        Step::Solve(solve) => {
            solve.conjuncts.iter().for_each(|p| out.extend(Footprint::of_pred(p).locals));
        }
    }
}

fn needed_by_source(source: &Source, out: &mut BTreeSet<LocalId>) {
    let steps = |plan: &Plan, out: &mut BTreeSet<LocalId>| {
        plan.steps.iter().for_each(|step| needed_by(step, out));
    };
    match source {
        Source::Set(set) => out.extend(Footprint::of_expr(set).locals),
        Source::Interval { low, high } | Source::Type { low, high } => {
            low.iter().chain(high).for_each(|e| out.extend(Footprint::of_expr(e).locals));
        }
        Source::UpTo(set, longest) => {
            [set, longest].into_iter().for_each(|e| out.extend(Footprint::of_expr(e).locals));
        }
        Source::Either(_, plans) => plans.iter().for_each(|plan| steps(plan, out)),
        Source::Parts(parts, _, whole) => {
            out.extend(Footprint::of_expr(whole).locals);
            for part in parts {
                if let Part::Known(e) | Part::Item(e) = part {
                    out.extend(Footprint::of_expr(e).locals);
                }
            }
        }
        Source::Cases(cases, otherwise) => {
            steps(otherwise, out);
            for case in cases {
                let conditions = [&case.condition].into_iter().chain(&case.conjunct);
                conditions.for_each(|p| out.extend(Footprint::of_pred(p).locals));
                match &case.asked {
                    Asked::Value(e) => out.extend(Footprint::of_expr(e).locals),
                    Asked::Values(plan) => steps(plan, out),
                    Asked::Points(points) => {
                        out.extend(Footprint::of_expr(&points.domain).locals);
                        for rule in &points.rules {
                            out.extend(Footprint::of_pred(&rule.condition).locals);
                            out.extend(Footprint::of_expr(&rule.at).locals);
                            out.extend(Footprint::of_expr(&rule.value).locals);
                        }
                    }
                }
            }
        }
    }
}

fn needed_by_pattern(pattern: &Pattern, out: &mut BTreeSet<LocalId>) {
    match pattern {
        Pattern::Local(_) => {}
        Pattern::Value(e) => out.extend(Footprint::of_expr(e).locals),
        Pattern::Pair(l, r, _) => {
            [l, r].into_iter().for_each(|side| needed_by_pattern(side, out));
        }
        Pattern::Record(fields, _) => {
            fields.iter().for_each(|field| needed_by_pattern(field, out));
        }
        Pattern::Construct(_, _, argument, _) => needed_by_pattern(argument, out),
        Pattern::Moved { number, inverse, .. } => {
            [number, inverse].into_iter().for_each(|e| out.extend(Footprint::of_expr(e).locals));
        }
    }
}
