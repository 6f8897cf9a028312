//! Refinement: an event with the events that it refines, as one substitution.
//!
//! The concrete event decides: its parameters are those of the operation, its guards those of the
//! operation. The abstract events run along. What a refinement drops - parameters, variables - is
//! chosen by the witnesses; the guards of the abstract event and what it does to variables that the
//! refinement keeps are claims: a refinement that is correct never breaks one. Of an event that refines
//! several, those are followed whose guards hold.
//!
//! New values are locals called `x'`, as in witnesses; nothing is written before all of them are known.

use super::claims;
use super::model::{Action, Event, Labelled, Model, mentioned, primed, renamed, same};
use super::tree::{all, binary, equation, exists, named};
use crate::source::Span;
use crate::syntax::ast::{
    BinaryOp, Claim, Ident, Name, Node, NodeKind, Substitution, SubstitutionKind,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What comes before the assignments, from the outside in.
#[derive(Clone)]
enum Step {
    Choose(Vec<Ident>, Node),
    Let(Ident, Node),
    Claim(Claim, Node),
}

/// The parameters of an event that have another name in the substitution.
type Renaming = FxHashMap<Name, Name>;

/// An event at its level, with the event at the level above that it refines.
struct Pair<'a> {
    level: usize,
    own: &'a Event,
    other: &'a Event,
    /// The variables of the event's level.
    kept: FxHashSet<&'a Name>,
    /// The parameters of both.
    names: Renaming,
}

struct Simulation<'a> {
    model: &'a Model,
    steps: Vec<Step>,
    assigned: Vec<(Ident, Node)>,
    /// New values that have a name by now.
    named: FxHashSet<Name>,
    /// Names that a local cannot have: those of variables, constants, sets, and of locals around it.
    taken: FxHashSet<Name>,
    /// Where events are to be chosen from that one event refines: what goes on under which condition.
    branches: Vec<(Node, Substitution)>,
}

/// The substitution of an event of the machine that is checked, without its guards.
pub fn body(model: &Model, event: usize) -> Substitution {
    let own = &model.machines[0].events[event];
    let variables = model.machines.iter().flat_map(|m| &m.variables);
    let fixed = model.contexts.iter().flat_map(|c| c.sets.iter().chain(&c.constants));
    let taken = variables.chain(fixed).chain(&own.parameters).map(|x| x.name.clone()).collect();
    let mut simulation = Simulation {
        model,
        steps: Vec::new(),
        assigned: Vec::new(),
        named: FxHashSet::default(),
        taken,
        branches: Vec::new(),
    };
    simulation.theorems(own, &[], &Renaming::default());
    simulation.run(own);
    simulation.variant(0, own);
    simulation.abstractions(0, event, &Renaming::default());
    simulation.substitution(own.span)
}

impl<'a> Simulation<'a> {
    fn claim(&mut self, claim: Claim, p: Node) {
        self.steps.push(Step::Claim(claim, p));
    }

    /// What the event of the machine that is checked does.
    fn run(&mut self, own: &Event) {
        for action in &own.actions {
            match action {
                Action::Assign(targets, values) => {
                    self.assigned.extend(targets.iter().cloned().zip(values.iter().cloned()));
                }
                _ => {
                    let such_that = relation(action);
                    let names = self.new_values(action.variables());
                    self.steps.push(Step::Choose(names, such_that));
                }
            }
        }
    }

    /// Variables get new values that are chosen.
    fn new_values(&mut self, variables: &[Ident]) -> Vec<Ident> {
        let mut names = Vec::new();
        for x in variables {
            let new = primed(&x.name);
            self.named.insert(new.clone());
            self.assigned.push((x.clone(), named(new.clone(), x.span)));
            names.push(Ident { name: new, span: x.span });
        }
        names
    }

    /// Gives the new value of a variable a name, so that predicates can speak of it.
    fn name(&mut self, variable: &Name, span: Span) {
        let new = primed(variable);
        if self.named.insert(new.clone()) {
            let value = self.assigned.iter_mut().find(|(x, _)| x.name == *variable);
            let value = match value {
                Some((_, e)) => std::mem::replace(e, named(new.clone(), span)),
                None => named(variable.clone(), span),
            };
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

    /// The theorems among the guards of an event, but for those that are known.
    fn theorems(&mut self, event: &Event, known: &[Labelled], names: &Renaming) {
        for theorem in
            event.theorems.iter().filter(|t| !known.iter().any(|k| same(&k.node, &t.node)))
        {
            self.claim(claims::theorem(event, theorem), renamed(&theorem.node, names));
        }
    }

    /// The variant of a level, where the event has to do with it.
    fn variant(&mut self, level: usize, event: &Event) {
        let machine = &self.model.machines[level];
        let above = self.model.machines.get(level + 1);
        let refined: Vec<&Event> = above.iter().flat_map(|m| m.refined(event)).collect();
        let Some(variant) = &machine.variant else { return };
        let Some(operators) = claims::variant(machine, event, &refined) else { return };
        let mut found = FxHashSet::default();
        mentioned(variant, &mut found);
        let changed: Vec<Name> = self.assigned.iter().map(|(x, _)| x.name.clone()).collect();
        let mut names = Renaming::default();
        for x in changed.into_iter().filter(|x| found.contains(x)) {
            self.name(&x, variant.span);
            names.insert(x.clone(), primed(&x));
        }
        let after = renamed(variant, &names);
        for (operator, claim) in operators {
            let operator = Ident { name: Arc::from(operator), span: variant.span };
            let kind = NodeKind::At(operator, vec![variant.clone(), after.clone()]);
            self.claim(claim, Node { kind, span: variant.span });
        }
    }

    /// The events of the levels above. `own_names`: of the parameters of the event.
    fn abstractions(&mut self, level: usize, event: usize, own_names: &Renaming) {
        let model = self.model;
        let Some(above) = model.machines.get(level + 1) else { return };
        let own = &model.machines[level].events[event];
        let refined = above.refined(own);
        let kept: FxHashSet<&Name> =
            model.machines[level].variables.iter().map(|x| &x.name).collect();
        if refined.is_empty() {
            for x in own.actions.iter().flat_map(Action::variables) {
                if above.variables.iter().any(|v| v.name == x.name) {
                    self.unchanged(x, claims::of_new_event(&above.name.name, &x.name));
                }
            }
            return;
        }
        let taken = self.taken.clone();
        let pairs: Vec<Pair<'a>> = refined
            .iter()
            .map(|other| {
                let names = self.names(own, own_names, other, &above.name.name);
                Pair { level, own, other, kept: kept.clone(), names }
            })
            .collect();
        if let [pair] = &pairs[..] {
            self.follow(pair, false);
        } else {
            self.taken = taken;
            self.alternatives(&pairs);
        }
    }

    /// The names of the parameters of an event and of the event that it refines: those that are none of
    /// the event's own are locals.
    fn names(
        &mut self,
        own: &Event,
        own_names: &Renaming,
        other: &Event,
        level: &Name,
    ) -> Renaming {
        let mut names = own_names.clone();
        for p in &other.parameters {
            if own.parameters.iter().any(|x| x.name == p.name) {
                continue;
            }
            names.remove(&p.name);
            let mut name = p.name.clone();
            while !self.taken.insert(name.clone()) {
                name = Arc::from(format!("{name}_{level}"));
            }
            if name != p.name {
                names.insert(p.name.clone(), name);
            }
        }
        names
    }

    /// An event that refines several: those go on whose guards hold.
    fn alternatives(&mut self, pairs: &[Pair<'a>]) {
        let (model, level) = (self.model, pairs[0].level);
        let span = pairs[0].own.span;
        let mut conditions = Vec::new();
        for pair in pairs {
            let mut parts = Vec::new();
            let dropped = pair.dropped();
            for (_, witness) in pair.own.witnesses.iter().filter(|(x, _)| dropped.contains_key(x)) {
                self.name_mentioned(witness, &model.machines[level].variables);
                parts.push(renamed(witness, &pair.names));
            }
            parts.extend(pair.new_guards().map(|g| renamed(&g.node, &pair.names)));
            let condition = all(parts, pair.other.span);
            conditions.push(match dropped.is_empty() {
                true => condition,
                false => exists(pair.locals(), condition),
            });
        }
        let kind = NodeKind::Disjunction(conditions.clone());
        let machine = &model.machines[level + 1].name.name;
        let refined: Vec<&Name> = pairs.iter().map(|p| &p.other.name.name).collect();
        let none = Node { kind, span: pairs[0].own.name.span };
        self.claim(claims::no_event_follows(machine, &refined), none);
        for (pair, condition) in pairs.iter().zip(conditions) {
            let mut branch = Simulation {
                steps: Vec::new(),
                assigned: self.assigned.clone(),
                named: self.named.clone(),
                taken: self.taken.clone(),
                branches: Vec::new(),
                ..*self
            };
            branch.taken.extend(pair.locals().into_iter().map(|p| p.name));
            branch.follow(pair, true);
            self.branches.push((condition, branch.substitution(span)));
        }
    }

    /// An event is followed by one that it refines. `enabled`: its guards are known to hold.
    fn follow(&mut self, pair: &Pair<'a>, enabled: bool) {
        let Pair { level, own, other, names, .. } = pair;
        let machine = &self.model.machines[level + 1].name.name;
        self.choose(pair);
        for guard in pair.new_guards().filter(|_| !enabled) {
            self.claim(claims::guard(machine, other, guard), renamed(&guard.node, names));
        }
        self.theorems(other, &own.theorems, names);
        self.kept(pair);
        for (action, keeps) in other.actions.iter().map(|a| (a, |x: &Ident| pair.keeps(x))) {
            if let Action::Assign(targets, values) = action {
                let dropped = targets.iter().zip(values).filter(|(x, _)| !keeps(x));
                self.assigned.extend(dropped.map(|(x, e)| (x.clone(), renamed(e, names))));
            }
        }
        self.variant(level + 1, other);
        let number =
            self.model.machines[level + 1].events.iter().position(|e| std::ptr::eq(e, *other));
        // The parameters of the abstract event are the only ones that it knows.
        let known = |x: &&Name| other.parameters.iter().any(|p| p.name == **x);
        let names = names.iter().filter(|(x, _)| known(x)).map(|(x, y)| (x.clone(), y.clone()));
        if let Some(number) = number {
            self.abstractions(level + 1, number, &names.collect());
        }
    }

    /// Chooses what the refinement dropped: parameters, and new values of variables that the abstract
    /// event chooses.
    fn choose(&mut self, pair: &Pair<'a>) {
        let Pair { level, own, other, names, .. } = pair;
        let machine = &self.model.machines[level + 1].name.name;
        let mut open = pair.dropped();
        // Of what is chosen, and what is said of it; then what is to be claimed of values that are given.
        let (mut such_that, mut later) = (Vec::new(), Vec::new());
        let mut variables: Vec<Ident> = Vec::new();
        for (action, label) in other.actions.iter().zip(&other.action_labels) {
            let new: Vec<&Ident> = action.variables().iter().filter(|x| !pair.keeps(x)).collect();
            if matches!(action, Action::Assign(..)) || new.is_empty() {
                continue;
            }
            let relation = renamed(&relation(action), names);
            action
                .variables()
                .iter()
                .filter(|x| pair.keeps(x))
                .for_each(|x| self.name(&x.name, x.span));
            let given = |x: &&&Ident| {
                own.witnesses.iter().any(|(y, w)| *y == primed(&x.name) && defines(w, y).is_some())
            };
            if new.iter().filter(given).count() == new.len() {
                later.push((claims::action(machine, other, label), relation));
            } else {
                such_that.push(relation);
            }
            for x in new {
                open.insert(primed(&x.name), primed(&x.name));
                variables.push(x.clone());
            }
        }
        if open.is_empty() {
            return;
        }
        let scope = &self.model.machines[*level].variables;
        let mut witnesses: Vec<(Name, Node)> = Vec::new();
        for (name, witness) in own.witnesses.iter().filter(|(x, _)| open.contains_key(x)) {
            self.name_mentioned(witness, scope);
            witnesses.push((name.clone(), renamed(witness, names)));
        }
        // Values that a witness gives, as far as they depend on nothing that is open.
        let mut chosen: Vec<Ident> = variables.clone();
        let idents = self.new_values(&variables);
        let place = |x: &Name| idents.iter().find(|i| i.name == *x).map_or(own.span, |i| i.span);
        while let Some(i) = witnesses.iter().position(|(x, w)| {
            let value = open.get(x).and_then(|x| defines(w, x));
            value.is_some_and(|e| {
                let mut found = FxHashSet::default();
                mentioned(e, &mut found);
                !open.values().any(|x| found.contains(x))
            })
        }) {
            let (name, witness) = witnesses.remove(i);
            let Some(local) = open.remove(&name) else { continue };
            if let Some(value) = defines(&witness, &local) {
                let ident = Ident { span: place(&local), name: local };
                self.steps.push(Step::Let(ident, value.clone()));
            }
            chosen.retain(|x| primed(&x.name) != name);
        }
        if !open.is_empty() {
            self.choose_open(pair, &open, &chosen, &witnesses, such_that);
        }
        for (claim, relation) in later {
            self.claim(claim, relation);
        }
    }

    /// Chooses what no witness gives a value: first the parameters that witnesses choose, whatever the others
    /// need; then those without a witness, which the guards of the abstract event find, and the new values of
    /// variables, of which `such_that` is said. A witness that speaks of these is one of what is said.
    fn choose_open(
        &mut self,
        pair: &Pair<'a>,
        open: &Renaming,
        variables: &[Ident],
        witnesses: &[(Name, Node)],
        such_that: Vec<Node>,
    ) {
        let Pair { other, names, .. } = pair;
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for p in &other.parameters {
            let Some(local) = open.get(&p.name) else { continue };
            let has_witness = witnesses.iter().any(|(x, _)| *x == p.name);
            let of = if has_witness { &mut first } else { &mut then };
            of.push(Ident { name: local.clone(), span: p.span });
        }
        let guards = other.guards.iter().map(|g| renamed(&g.node, names));
        let guards: Vec<Node> = guards.filter(|guard| speaks_of(guard, &then)).collect();
        let fits = self.kept_by(pair, &then);
        then.extend(variables.iter().map(|x| Ident { name: primed(&x.name), span: x.span }));
        let of_parameter = |x: &Name| other.parameters.iter().any(|p| p.name == *x);
        let (mut own, mut rest): (Vec<Node>, Vec<Node>) = (Vec::new(), Vec::new());
        for (x, witness) in witnesses {
            if of_parameter(x) { &mut own } else { &mut rest }.push(witness.clone());
        }
        if own.iter().any(|witness| speaks_of(witness, &then)) {
            then.splice(0..0, first.drain(..));
            rest.splice(0..0, own.drain(..));
        }
        let is_without = rest.is_empty();
        self.choose_some(pair, first, own, false);
        self.choose_some(pair, then, [such_that, rest, guards, fits].concat(), is_without);
    }

    /// What the abstract event does to variables that the refinement keeps, as far as it depends on these parameters.
    fn kept_by(&mut self, pair: &Pair<'a>, parameters: &[Ident]) -> Vec<Node> {
        let mut fits = Vec::new();
        for action in &pair.other.actions {
            let said: Vec<(&Ident, Node)> = match action {
                Action::Assign(targets, values) => {
                    let equal = |(x, e): (&'a Ident, &Node)| {
                        let new = named(primed(&x.name), x.span);
                        (x, equation(new, renamed(e, &pair.names)))
                    };
                    targets.iter().zip(values).map(equal).collect()
                }
                _ if action.variables().iter().all(|x| pair.keeps(x)) => {
                    let relation = renamed(&relation(action), &pair.names);
                    action.variables().iter().map(|x| (x, relation.clone())).collect()
                }
                _ => Vec::new(),
            };
            let asks = |(x, p): &(&Ident, Node)| pair.keeps(x) && speaks_of(p, parameters);
            for (x, p) in said.into_iter().filter(asks) {
                self.name(&x.name, x.span);
                fits.push(p);
            }
        }
        fits
    }

    /// Chooses these, if there are any; that there is such a choice is a claim. `is_without`: no witness says
    /// anything of them.
    fn choose_some(
        &mut self,
        pair: &Pair<'a>,
        locals: Vec<Ident>,
        such_that: Vec<Node>,
        is_without: bool,
    ) {
        let Pair { level, other, .. } = pair;
        if locals.is_empty() {
            return;
        }
        let machine = &self.model.machines[level + 1].name.name;
        let span = such_that.first().map_or(other.name.span, |p| p.span);
        let condition = all(such_that, span);
        let names: Vec<&Name> = locals.iter().map(|x| &x.name).collect();
        let claim = claims::witness(machine, other, &names, is_without);
        self.claim(claim, Node { span, ..exists(locals.clone(), condition.clone()) });
        self.steps.push(Step::Choose(locals, condition));
    }

    /// What the abstract event does to the variables that the refinement keeps must be what is done.
    fn kept(&mut self, pair: &Pair<'a>) {
        let Pair { level, own, other, names, .. } = pair;
        let machine = &self.model.machines[level + 1];
        for (action, label) in other.actions.iter().zip(&other.action_labels) {
            // Under other names the same text is another action.
            let known = names.is_empty() && own.actions.iter().any(|a| a.same(action));
            if known {
                continue;
            }
            let claim = claims::action(&machine.name.name, other, label);
            match action {
                Action::Assign(targets, values) => {
                    for (x, e) in targets.iter().zip(values).filter(|(x, _)| pair.keeps(x)) {
                        self.name(&x.name, x.span);
                        let new = named(primed(&x.name), x.span);
                        self.claim(claim.clone(), equation(new, renamed(e, names)));
                    }
                }
                _ if action.variables().iter().all(|x| pair.keeps(x)) => {
                    action.variables().iter().for_each(|x| self.name(&x.name, x.span));
                    self.claim(claim, renamed(&relation(action), names));
                }
                _ => {}
            }
        }
        let left_alone = own.actions.iter().flat_map(Action::variables).filter(|x| {
            machine.variables.iter().any(|v| v.name == x.name)
                && !other.actions.iter().flat_map(Action::variables).any(|y| y.name == x.name)
        });
        for x in left_alone {
            self.unchanged(x, claims::left_alone(&machine.name.name, other, &x.name));
        }
    }

    fn unchanged(&mut self, x: &Ident, claim: Claim) {
        self.name(&x.name, x.span);
        let (old, new) = (named(x.name.clone(), x.span), named(primed(&x.name), x.span));
        self.claim(claim, equation(new, old));
    }

    /// Everything from the outside in, the assignments innermost.
    fn substitution(self, span: Span) -> Substitution {
        let new = |kind| Substitution { kind, span };
        let mut body = if !self.branches.is_empty() {
            new(SubstitutionKind::Select(self.branches, None))
        } else if self.assigned.is_empty() {
            new(SubstitutionKind::Skip)
        } else {
            let (targets, values): (Vec<Ident>, Vec<Node>) = self.assigned.into_iter().unzip();
            let targets = targets.into_iter().map(|x| named(x.name, x.span)).collect();
            new(SubstitutionKind::Assign(targets, values))
        };
        for step in self.steps.into_iter().rev() {
            body = match step {
                Step::Choose(names, p) => {
                    new(SubstitutionKind::Any(names, Box::new(p), Box::new(body)))
                }
                Step::Let(x, e) => {
                    let equation = equation(named(x.name.clone(), x.span), e);
                    new(SubstitutionKind::Let(vec![x], Box::new(equation), Box::new(body)))
                }
                Step::Claim(claim, p) => {
                    let span = p.span;
                    let kind = SubstitutionKind::Claim(claim, Box::new(p), Box::new(body));
                    Substitution { kind, span }
                }
            };
        }
        body
    }
}

impl Pair<'_> {
    fn keeps(&self, x: &Ident) -> bool {
        self.kept.contains(&x.name)
    }

    fn local(&self, parameter: &Name) -> Name {
        self.names.get(parameter).unwrap_or(parameter).clone()
    }

    /// The parameters that the refinement drops, with what they are called.
    fn dropped(&self) -> FxHashMap<Name, Name> {
        let own = |p: &&Ident| !self.own.parameters.iter().any(|x| x.name == p.name);
        let dropped = self.other.parameters.iter().filter(own);
        dropped.map(|p| (p.name.clone(), self.local(&p.name))).collect()
    }

    fn locals(&self) -> Vec<Ident> {
        let dropped = self.dropped();
        let locals = self.other.parameters.iter().filter(|p| dropped.contains_key(&p.name));
        locals.map(|p| Ident { name: self.local(&p.name), span: p.span }).collect()
    }

    /// The guards of the abstract event that are none of the event's own.
    fn new_guards(&self) -> impl Iterator<Item = &Labelled> {
        let known = |g: &&Labelled| {
            !self.names.is_empty() || !self.own.guards.iter().any(|o| same(&o.node, &g.node))
        };
        self.other.guards.iter().filter(known)
    }
}

/// Whether a formula mentions some of these.
fn speaks_of(node: &Node, names: &[Ident]) -> bool {
    let mut found = FxHashSet::default();
    mentioned(node, &mut found);
    names.iter().any(|x| found.contains(&x.name))
}

/// What a non-deterministic action says of the new values.
fn relation(action: &Action) -> Node {
    match action {
        Action::SuchThat(_, p) => p.clone(),
        Action::Member(targets, set) => {
            let values = targets.iter().map(|x| named(primed(&x.name), x.span));
            let value = values.reduce(|l, r| binary(BinaryOp::Maplet, l, r));
            let value = value.unwrap_or_else(|| set.clone());
            binary(BinaryOp::Member, value, set.clone())
        }
        Action::Assign(targets, values) => {
            let equations = targets
                .iter()
                .zip(values)
                .map(|(x, e)| equation(named(primed(&x.name), x.span), e.clone()));
            all(equations.collect(), targets.first().map_or_else(Default::default, |x| x.span))
        }
    }
}

/// The value that a witness `x = E` gives.
fn defines<'n>(witness: &'n Node, x: &Name) -> Option<&'n Node> {
    match &witness.kind {
        NodeKind::Binary(BinaryOp::Equal, l, e) => {
            matches!(&l.kind, NodeKind::Name(name) if name == x).then_some(&**e)
        }
        _ => None,
    }
}
