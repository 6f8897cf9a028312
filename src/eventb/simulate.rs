//! Refinement: an event with the events that it refines, as one substitution.
//!
//! The concrete event decides: its parameters are those of the operation, its guards those of the
//! operation. The abstract events run along. What a refinement drops - parameters, variables - is
//! chosen by the witnesses; the guards of the abstract event and its actions on variables that the
//! refinement keeps must then hold: a false one is an error, as a refinement that is correct never
//! meets it.
//!
//! New values are locals called `x'`, as in witnesses; nothing is written before all of them are known.

use super::model::{Action, Event, Model, mentioned, same};
use crate::source::Span;
use crate::syntax::ast::{
    BinaryOp, Constant, Ident, Name, Node, NodeKind, Quantifier, Substitution, SubstitutionKind,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// What comes before the assignments, from the outside in.
enum Step {
    /// Values with a property; that there are some is claimed by witnesses, decided by actions.
    Choose {
        names: Vec<Ident>,
        such_that: Vec<Node>,
        claimed: bool,
    },
    Let(Ident, Node),
    /// What a correct refinement makes true.
    Assert(Node),
}

/// An event at its level, with the event at the level above that it refines.
struct Simulation<'a> {
    model: &'a Model,
    steps: Vec<Step>,
    assigned: Vec<(Ident, Node)>,
    /// New values that have a name by now.
    named: FxHashSet<Name>,
    /// Locals that were chosen.
    chosen: FxHashSet<Name>,
}

/// The substitution of an event of the machine that is checked, without its guards.
pub fn body(model: &Model, event: usize) -> Substitution {
    let mut simulation = Simulation {
        model,
        steps: Vec::new(),
        assigned: Vec::new(),
        named: FxHashSet::default(),
        chosen: model.machines[0].events[event].parameters.iter().map(|p| p.name.clone()).collect(),
    };
    let own = &model.machines[0].events[event];
    simulation.run(&own.actions, &|_| true);
    simulation.abstractions(0, event);
    simulation.substitution(own.span)
}

fn primed(name: &Name) -> Name {
    Arc::from(format!("{name}'"))
}

fn named(name: Name, span: Span) -> Node {
    Node { kind: NodeKind::Name(name), span }
}

fn binary(op: BinaryOp, l: Node, r: Node) -> Node {
    let span = l.span.to(r.span);
    Node { kind: NodeKind::Binary(op, Box::new(l), Box::new(r)), span }
}

/// A conjunction of any number of predicates.
pub fn all(mut parts: Vec<Node>, span: Span) -> Node {
    match parts.len() {
        0 => Node { kind: NodeKind::Constant(Constant::Truth), span },
        1 => parts.swap_remove(0),
        _ => Node { kind: NodeKind::Conjunction(parts), span },
    }
}

impl Simulation<'_> {
    /// Notes what actions do to those of their variables that are wanted.
    fn run(&mut self, actions: &[Action], wanted: &dyn Fn(&Name) -> bool) {
        for action in actions {
            match action {
                Action::Assign(targets, values) => {
                    for (x, e) in targets.iter().zip(values) {
                        if wanted(&x.name) {
                            self.assigned.push((x.clone(), e.clone()));
                        }
                    }
                }
                _ if action.variables().iter().all(|x| wanted(&x.name)) => {
                    let such_that = vec![self.relation(action)];
                    self.choose(action.variables(), such_that, false);
                }
                _ => {}
            }
        }
    }

    /// What a non-deterministic action says of the new values.
    fn relation(&self, action: &Action) -> Node {
        match action {
            Action::SuchThat(_, p) => p.clone(),
            Action::Member(targets, set) => {
                let values = targets.iter().map(|x| named(primed(&x.name), x.span));
                let value = values.reduce(|l, r| binary(BinaryOp::Maplet, l, r));
                let value = value.unwrap_or_else(|| set.clone());
                binary(BinaryOp::Member, value, set.clone())
            }
            Action::Assign(targets, values) => {
                let equations = targets.iter().zip(values).map(|(x, e)| {
                    binary(BinaryOp::Equal, named(primed(&x.name), x.span), e.clone())
                });
                all(equations.collect(), targets.first().map_or_else(Default::default, |x| x.span))
            }
        }
    }

    /// New values for variables, chosen.
    fn choose(&mut self, variables: &[Ident], such_that: Vec<Node>, claimed: bool) {
        let mut names = Vec::new();
        for x in variables {
            let new = primed(&x.name);
            self.named.insert(new.clone());
            self.assigned.push((x.clone(), named(new.clone(), x.span)));
            names.push(Ident { name: new, span: x.span });
        }
        self.steps.push(Step::Choose { names, such_that, claimed });
    }

    /// Gives the new value of a variable a name, so that predicates can speak of it.
    fn name(&mut self, variable: &Name, span: Span) {
        let new = primed(variable);
        if self.named.insert(new.clone()) {
            let value = self.assigned.iter().find(|(x, _)| x.name == *variable);
            let value = value.map_or_else(|| named(variable.clone(), span), |(_, e)| e.clone());
            self.steps.push(Step::Let(Ident { name: new, span }, value));
        }
    }

    /// Gives a name to all new values that a predicate mentions.
    fn name_mentioned(&mut self, node: &Node, of: &[Ident]) {
        let mut found = FxHashSet::default();
        mentioned(node, &mut found);
        for x in of {
            if found.contains(&primed(&x.name)) {
                self.name(&x.name, node.span);
            }
        }
    }

    /// The events of the levels above.
    fn abstractions(&mut self, level: usize, event: usize) {
        let model = self.model;
        let Some(above) = model.machines.get(level + 1) else { return };
        let own = &model.machines[level].events[event];
        let place = |name: &Name| above.events.iter().position(|e| e.name.name == *name);
        let refined: Vec<usize> = if own.is_initialisation() {
            above.events.iter().position(Event::is_initialisation).into_iter().collect()
        } else {
            own.refines.iter().filter_map(|x| place(&x.name)).collect()
        };
        let [first, ..] = refined[..] else { return };
        let kept: FxHashSet<&Name> =
            model.machines[level].variables.iter().map(|x| &x.name).collect();
        let other = &above.events[first];

        self.witnesses(level, own, other, &kept);
        self.guards(own, &refined, level + 1);
        if !own.is_initialisation() {
            self.kept(own, other, &kept);
        }
        self.run(&deterministic(&other.actions), &|x| !kept.contains(x));
        self.abstractions(level + 1, first);
    }

    /// Chooses what the refinement dropped: parameters, and new values of variables that the abstract
    /// event chooses.
    fn witnesses(&mut self, level: usize, own: &Event, other: &Event, kept: &FxHashSet<&Name>) {
        let mut names: Vec<Ident> = Vec::new();
        for p in &other.parameters {
            if self.chosen.insert(p.name.clone()) {
                names.push(p.clone());
            }
        }
        let mut such_that = Vec::new();
        let mut variables: Vec<Ident> = Vec::new();
        for action in &other.actions {
            if !matches!(action, Action::Assign(..))
                && action.variables().iter().all(|x| !kept.contains(&x.name))
            {
                such_that.push(self.relation(action));
                variables.extend(action.variables().iter().cloned());
            }
        }
        if names.is_empty() && variables.is_empty() {
            return;
        }
        let scope = &self.model.machines[level].variables;
        for (name, node) in &own.witnesses {
            let wanted = names.iter().any(|p| p.name == *name)
                || variables.iter().any(|x| primed(&x.name) == *name);
            if wanted {
                self.name_mentioned(node, scope);
                such_that.push(node.clone());
            }
        }
        if !names.is_empty() {
            // Without a witness, the guards of the abstract event find the values.
            let unwitnessed: Vec<&Ident> =
                names.iter().filter(|p| own.witnesses.iter().all(|(n, _)| *n != p.name)).collect();
            if !unwitnessed.is_empty() {
                such_that.extend(other.guards.iter().map(|g| g.node.clone()));
            }
        }
        let span = own.span;
        let first = self.steps.len();
        self.choose(&variables, such_that, true);
        if let Some(Step::Choose { names: all, .. }) = self.steps.get_mut(first) {
            all.splice(0..0, names.into_iter().map(|p| Ident { span: p.span.to(span), ..p }));
        }
    }

    /// The guards of the events that are refined: those of one of them must hold.
    fn guards(&mut self, own: &Event, refined: &[usize], level: usize) {
        let events = &self.model.machines[level].events;
        let mut alternatives = Vec::new();
        for event in refined.iter().map(|number| &events[*number]) {
            let new =
                event.guards.iter().filter(|g| !own.guards.iter().any(|o| same(&o.node, &g.node)));
            let guards: Vec<Node> = new.map(|g| g.node.clone()).collect();
            if guards.is_empty() {
                return;
            }
            alternatives.push((guards, event.span));
        }
        if let [(guards, _)] = &alternatives[..] {
            self.steps.extend(guards.iter().cloned().map(Step::Assert));
            return;
        }
        let span = events[refined[0]].span;
        let parts = alternatives.into_iter().map(|(guards, span)| all(guards, span)).collect();
        self.steps.push(Step::Assert(Node { kind: NodeKind::Disjunction(parts), span }));
    }

    /// What the abstract event does to the variables that the refinement keeps must be what is done.
    fn kept(&mut self, own: &Event, other: &Event, kept: &FxHashSet<&Name>) {
        for action in &other.actions {
            let known = own.actions.iter().any(|a| a.same(action));
            if known || !action.variables().iter().all(|x| kept.contains(&x.name)) {
                continue;
            }
            for x in action.variables() {
                self.name(&x.name, x.span);
            }
            let claim = self.relation(action);
            self.steps.push(Step::Assert(claim));
        }
    }

    /// Everything from the outside in, the assignments innermost.
    fn substitution(self, span: Span) -> Substitution {
        let new = |kind| Substitution { kind, span };
        let mut body = if self.assigned.is_empty() {
            new(SubstitutionKind::Skip)
        } else {
            let (targets, values): (Vec<Ident>, Vec<Node>) = self.assigned.into_iter().unzip();
            let targets = targets.into_iter().map(|x| named(x.name, x.span)).collect();
            new(SubstitutionKind::Assign(targets, values))
        };
        for step in self.steps.into_iter().rev() {
            body = match step {
                Step::Choose { names, such_that, claimed } => {
                    let p = all(such_that, span);
                    let kind =
                        SubstitutionKind::Any(names.clone(), Box::new(p.clone()), Box::new(body));
                    match claimed {
                        true => claim(names, p, new(kind)),
                        false => new(kind),
                    }
                }
                Step::Let(x, e) => {
                    let equation = binary(BinaryOp::Equal, named(x.name.clone(), x.span), e);
                    new(SubstitutionKind::Let(vec![x], Box::new(equation), Box::new(body)))
                }
                Step::Assert(p) => {
                    let span = p.span;
                    let kind = SubstitutionKind::Assert(Box::new(p), Box::new(body));
                    Substitution { kind, span }
                }
            };
        }
        body
    }
}

/// A choice that a witness claims to be possible: an error where it is not.
fn claim(names: Vec<Ident>, p: Node, body: Substitution) -> Substitution {
    let span = p.span;
    let exists = Node { kind: NodeKind::Quantifier(Quantifier::Exists, names, Box::new(p)), span };
    let kind = SubstitutionKind::Assert(Box::new(exists), Box::new(body));
    Substitution { kind, span }
}

/// The actions that say what the new value is.
fn deterministic(actions: &[Action]) -> Vec<Action> {
    actions.iter().filter(|a| matches!(a, Action::Assign(..))).cloned().collect()
}
