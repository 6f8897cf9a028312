//! The whole state space of a machine.

use super::formula::junction;
use super::guard::Condition;
use super::substitution::after;
use super::value::V;
use super::{Frame, R, Reference, Stop, fault};
use burnside::machine::{Cell, LocalId, Operation, Pred, Subst, SubstKind};
use std::collections::{BTreeMap, BTreeSet};

/// Constants and variables.
pub type State = (Vec<V>, Vec<V>);

/// One transition: arguments, results, target.
pub type Step = (Vec<V>, Vec<V>, State);

/// What leaves a state by one operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leaving {
    pub steps: BTreeSet<Step>,
    /// Arguments of the instances that end in an error.
    pub faults: BTreeSet<Vec<V>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Truth of each conjunct of the invariant.
    pub invariant: Vec<Option<bool>>,
    pub operations: Vec<Leaving>,
}

impl Reference<'_> {
    pub fn setups(&self) -> R<BTreeSet<Vec<V>>> {
        // Constants stand in locals of their own while they are solved.
        let machine = self.machine;
        let base = machine.locals.len() - machine.constants.len();
        let ids: Vec<LocalId> =
            (0..machine.constants.len()).map(|i| LocalId((base + i) as u32)).collect();
        let as_local = |kind: &burnside::machine::ExprKind| match kind {
            burnside::machine::ExprKind::Constant(id) => {
                Some(burnside::machine::ExprKind::Local(ids[id.0 as usize]))
            }
            _ => None,
        };
        let all =
            machine.properties.iter().map(|c| burnside::machine::rewrite::pred(&c.pred, &as_local));
        let properties = Pred::and(all.collect(), Default::default());
        let empty = Frame { constants: vec![], variables: vec![], locals: BTreeMap::new() };
        let found = self.solutions(&ids, &properties, &empty)?;
        Ok(found.iter().map(|g| ids.iter().map(|id| g.locals[id].clone()).collect()).collect())
    }

    pub fn initial(&self, constants: &[V]) -> R<BTreeSet<State>> {
        let variables = vec![None; self.machine.variables.len()];
        let f = Frame { constants: constants.to_vec(), variables, locals: BTreeMap::new() };
        let Some(body) = &self.machine.initialisation else {
            return Ok(BTreeSet::from([state(&f)?]));
        };
        let outcomes = self.outcomes(body, &f, None)?;
        if let Some(why) = self.failed.take() {
            return fault(&why);
        }
        outcomes.iter().map(|w| state(&after(&f, w))).collect()
    }

    pub fn node(&self, state: &State) -> R<Node> {
        let f = Frame {
            constants: state.0.clone(),
            variables: state.1.iter().cloned().map(Some).collect(),
            locals: BTreeMap::new(),
        };
        let mut invariant = Vec::new();
        for conjunct in self.machine.invariant.iter().flat_map(|c| c.pred.conjuncts()) {
            invariant.push(match self.truth(conjunct, &f) {
                Ok(t) => Some(t),
                Err(Stop::Fault(_)) => None,
                Err(stop) => return Err(stop),
            });
        }
        let operations = self.machine.operations.iter().filter(|o| o.visible);
        let operations = operations.map(|o| self.leaving(o, &f)).collect::<R<Vec<_>>>()?;
        Ok(Node { invariant, operations })
    }

    fn leaving(&self, o: &Operation, f: &Frame) -> R<Leaving> {
        // What is its guard is said here once more.
        let whole = o.whole();
        let (conditions, body) = self.conditions(&whole, &o.parameters);
        let mut out = Leaving::default();
        let all = conditions.iter().map(|(p, _)| p.clone()).collect();
        // The first condition enumerates the parameters.
        let open = if conditions.is_empty() { &o.parameters[..] } else { &[] };
        for g in self.candidates(&o.parameters, &Pred::and(all, whole.span), f)? {
            let arguments: Vec<V> = o.parameters.iter().map(|id| g.locals[id].clone()).collect();
            let outcomes = match self.guard(&conditions, &g) {
                Ok(false) => continue,
                Ok(true) => self.outcomes(body, &g, Some(open)),
                Err(stop) => Err(stop),
            };
            for writes in self.beside(outcomes)? {
                let result = |id: &LocalId| match writes.get(&Cell::Local(*id)) {
                    Some(v) => v.clone(),
                    None => super::value::V::Rec(Default::default()),
                };
                let results = o.results.iter().map(result).collect();
                let target = state(&after(f, &writes))?;
                out.steps.insert((arguments.clone(), results, target));
            }
            if self.failed.take().is_some() {
                out.faults.insert(arguments);
            }
        }
        Ok(out)
    }

    /// The conditions at the top of an operation: PRE, then SELECTs with one branch. The first
    /// enumerates the parameters.
    fn conditions<'s>(
        &self,
        body: &'s Subst,
        parameters: &[LocalId],
    ) -> (Vec<Condition>, &'s Subst) {
        let (mut conditions, mut rest) = (Vec::new(), body);
        if let SubstKind::Precondition(p, s) = &rest.kind {
            conditions.push((p.clone(), Vec::new()));
            rest = s;
        }
        while let SubstKind::Select(branches, None) = &rest.kind
            && branches.len() == 1
        {
            conditions.push((branches[0].0.clone(), Vec::new()));
            rest = &branches[0].1;
        }
        if let Some((_, open)) = conditions.first_mut() {
            *open = parameters.to_vec();
        }
        (conditions, rest)
    }

    /// All reachable states, or `Skip` when there are more than `limit`.
    pub fn explore(&self, limit: usize) -> R<BTreeMap<State, Node>> {
        let mut todo: Vec<State> = Vec::new();
        for constants in self.setups()? {
            todo.extend(self.initial(&constants)?);
        }
        let mut seen: BTreeSet<State> = todo.iter().cloned().collect();
        let mut nodes = BTreeMap::new();
        while let Some(state) = todo.pop() {
            if seen.len() > limit {
                return super::skip("too many states");
            }
            let node = self.node(&state)?;
            for step in node.operations.iter().flat_map(|l| &l.steps) {
                if seen.insert(step.2.clone()) {
                    todo.push(step.2.clone());
                }
            }
            nodes.insert(state, node);
        }
        Ok(nodes)
    }
}

/// The state that a frame holds: every variable has been written.
fn state(f: &Frame) -> R<State> {
    match f.variables.iter().cloned().collect() {
        Some(variables) => Ok((f.constants.clone(), variables)),
        None => fault("a variable is left unwritten"),
    }
}

impl Node {
    /// An outcome that is an error is none.
    pub fn transitions(&self) -> u64 {
        self.operations.iter().map(|l| l.steps.len() as u64).sum()
    }

    pub fn faults(&self) -> u64 {
        self.operations.iter().map(|l| l.faults.len() as u64).sum()
    }

    pub fn holds(&self) -> R<bool> {
        let truths = self.invariant.iter().map(|t| t.ok_or(Stop::Fault(String::new())));
        junction(truths, false)
    }
}
