//! What propagation alone says of a question, where nothing is tried.

use super::question::{At, QuestionCode};
use crate::constraint::{Domain, Left};
use crate::eval::compile::Compiler;
use crate::eval::plans::plan::{Plan, Solve};
use crate::eval::run::evaluator::Evaluator;
use crate::lower::stop::Stop;
use crate::machine::footprint::Footprint;
use crate::machine::{Asked, LocalId, Pred};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What propagation leaves of a question.
#[derive(Clone, Debug, Default)]
pub struct Narrowed {
    /// The free names, with what each may be.
    pub names: Vec<(LocalId, Domain)>,
    /// The conjuncts that may be false, in the order in which they are written.
    pub open: Vec<Span>,
}

impl Evaluator {
    /// What propagation alone says of the free names of a question, where nothing is tried: what each may be, and
    /// where the conjuncts stand that may still be false. `None` where there is certainly no solution.
    ///
    /// # Errors
    /// A limit was reached.
    pub fn narrowed(&mut self, at: At<'_>, code: &QuestionCode) -> Result<Option<Narrowed>, Stop> {
        self.load_at(at);
        let Asked::Predicate(p, free) = &code.asked else {
            return Ok(Some(Narrowed::default()));
        };
        let compiler = Compiler::new(&code.instance, code.layout.clone(), true);
        let mut conjuncts = Vec::new();
        compiler.conjuncts(p, true, &mut conjuncts);
        conjuncts.retain(|p| !compiler.says_nothing(p));
        let told = conjuncts.len();
        conjuncts.extend(compiler.implied(free, &conjuncts));
        let spans: Vec<Option<Span>> =
            conjuncts.iter().enumerate().map(|(i, p)| (i < told).then_some(p.span)).collect();
        // What cannot be pictured beside the others is left out, with the conjuncts that mention it.
        let all: Vec<LocalId> =
            free.iter().copied().filter(|id| compiler.is_picturable(*id, &conjuncts)).collect();
        let mut narrow = |locals: &[LocalId]| {
            let is_own = |p: &Pred| {
                let mut mentioned = Footprint::of_pred(p).locals.into_iter();
                mentioned.all(|id| locals.contains(&id) || !free.contains(&id))
            };
            let own: Vec<usize> = (0..conjuncts.len()).filter(|i| is_own(&conjuncts[*i])).collect();
            let solve = Solve {
                locals: locals.to_vec(),
                conjuncts: own.iter().map(|i| conjuncts[*i].clone()).collect(),
                told: Vec::new(),
                otherwise: Plan::default(),
            };
            let propagation = compiler.propagation(&solve);
            let left = self.with_either(|env, _, _| propagation.left(env))?;
            Ok::<_, Stop>((left, own))
        };
        let mut pictured = all.clone();
        let (mut left, mut own) = narrow(&pictured)?;
        if left.is_none() {
            pictured.clear();
            for local in all {
                pictured.push(local);
                match narrow(&pictured)? {
                    (Some(more), its) => (left, own) = (Some(more), its),
                    (None, _) => pictured.truncate(pictured.len() - 1),
                }
            }
        }
        let (domains, open) = match left {
            Some(Left::Nothing) => return Ok(None),
            Some(Left::Open(domains, open)) => (domains, open),
            None => (Vec::new(), (0..own.len()).collect()),
        };
        let mut known = pictured.into_iter().zip(domains).collect::<BTreeMap<_, _>>();
        let of = |id: &LocalId| (*id, known.remove(id).unwrap_or(Domain::Anything));
        let names = free.iter().map(of).collect();
        let true_ones: BTreeSet<usize> =
            (0..own.len()).filter(|i| !open.contains(i)).map(|i| own[i]).collect();
        let open = (0..spans.len()).filter(|i| !true_ones.contains(i));
        Ok(Some(Narrowed { names, open: open.filter_map(|i| spans[i]).collect() }))
    }
}
