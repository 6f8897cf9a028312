//! From a problem to variables and propagators.
//!
//! A conjunct is posted as "it is not false": a candidate for which it is undefined or unknown stays, as
//! long as no other conjunct is false of it. So each formula has two claims, that it is true and that it
//! is false; where it is total, one is the other's negation.

use super::both::Truth;
use super::claim::{Claim, Poster};
use super::literal::Lit;
use super::propagators::grid::Grid;
use super::sketch::{Formula, Host, Pattern, Problem, Scope, Sketch, Stage, Term, Unknown};
use super::store::Var;
use crate::clock::{self, Stopped};
use crate::constraint::counting::counts::Counted;
use crate::constraint::formulas::phases::{PHASES, phase_of};
use crate::constraint::pictures::chosen::{Chosen, Sides};
use crate::constraint::pictures::few::Items;
use crate::constraint::pictures::fresh::Origin;
use crate::constraint::pictures::functions::arrow;
use crate::constraint::pictures::inverse::Injective;
use crate::constraint::pictures::lengths::Lengths;
use crate::constraint::pictures::object::{Candidates, Object, is_sets};
use crate::constraint::pictures::pairs::Numbering;
use crate::constraint::pictures::relations::{Applied, applies};
use crate::constraint::pictures::uppers::{Uppers, has_sets};
use crate::machine::{BinaryOp, LocalId, UnaryOp};
use crate::value::{Shape, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Most steps that the taking apart of a problem may have, and instances that conditions without unknowns give one
/// quantifier. Beyond them the plain enumeration, which keeps nothing, does better.
const MOST_STEPS: usize = 12_000_000;
const MOST_INSTANCES: usize = 200_000;

/// Steps that an instance takes with members of what is not known: it may be none, and is looked at all the same
/// wherever these are decided.
const MEMBER: usize = 50;

/// Why something is not built.
pub enum Refusal<S> {
    /// It cannot be taken apart.
    Opaque,
    Stop(S),
}

impl<S: From<Stopped>> From<Stopped> for Refusal<S> {
    fn from(stopped: Stopped) -> Refusal<S> {
        Refusal::Stop(stopped.into())
    }
}

pub type Built<T, H> = Result<T, Refusal<<H as Host>::Stop>>;

/// An expression's value, and when it has one.
pub struct Meaning {
    pub object: Object,
    pub defined: Lit,
}

impl Meaning {
    pub fn total(object: Object) -> Meaning {
        Meaning { object, defined: Lit::Always }
    }
}

/// What other conjuncts say of an unknown, or of its values.
#[derive(Default)]
pub struct Told {
    pub lengths: Lengths,
    pub uppers: Uppers,
}

/// A conjunct that is asked of values.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    pub conjunct: usize,
    /// Nothing is known of it, or of a part of it, before.
    pub wholly: bool,
}

/// An instance of a quantifier: the names are bound, and this must hold for it to count.
pub struct Instance {
    pub values: Vec<(LocalId, Value)>,
    /// Names that are bound to what is not known.
    pub objects: Vec<(LocalId, Object)>,
    /// Known to be one; known to be none.
    pub counts: Truth,
}

pub struct Builder<'p, H: Host> {
    pub poster: Poster,
    pub host: &'p mut H,
    pub problem: &'p Problem,
    /// Unknowns and names of LET.
    pub objects: FxHashMap<LocalId, Object>,
    declaring: FxHashSet<LocalId>,
    /// The conjuncts that hold by the way an unknown was made.
    settled: FxHashSet<usize>,
    /// Of variables without bounds: what they are.
    pub origins: FxHashMap<Var, Origin>,
    /// How long sequences are tried of which nothing says how long they are, if they are.
    pub(super) longest: Option<i64>,
    /// The unknown that is made of such sequences, as nothing better was found for it.
    pub(super) of_any_length: Option<Origin>,
    /// One that was made so: there may be longer ones.
    pub(super) longer: Option<Origin>,
    /// The functions of which no value occurs twice.
    pub(super) injective: Vec<Injective>,
    /// The relations and the families of sets that are counted.
    pub(super) counted_sets: Vec<Counted>,
    /// The lists of which no two items are the same.
    pub(super) without_repetition: Vec<Items>,
    /// The relations that were applied.
    pub(super) applied: Vec<Applied>,
    /// The closures of relations, by what these may have as members.
    pub(super) closures: Vec<(Candidates, Object)>,
    /// By the variable that says which.
    pub(super) sides: FxHashMap<Var, Sides>,
    pub(super) chosen: FxHashMap<Var, Chosen>,
    /// The relation that was asked for last as a grid, unless it is too large.
    pub(super) last_grid: Option<(Value, Option<Rc<Grid>>)>,
    /// The same of a relation between pairs.
    pub(super) last_grid_of_pairs: Option<(Value, Numbering, Option<Rc<Grid>>)>,
    /// Of each conjunct, whether it is true of all values against which no propagator has anything.
    pub exact: Vec<bool>,
    /// The conjuncts that could not be taken apart, or not wholly: they are asked of values.
    pub asks: Vec<Ask>,
    /// Something of the formula at hand could not be taken apart.
    pub(super) partly: bool,
    steps: usize,
}

impl<'p, H: Host> Builder<'p, H> {
    pub fn new(problem: &'p Problem, host: &'p mut H) -> Builder<'p, H> {
        Builder {
            poster: Poster::default(),
            host,
            problem,
            objects: FxHashMap::default(),
            declaring: FxHashSet::default(),
            settled: FxHashSet::default(),
            origins: FxHashMap::default(),
            longest: None,
            of_any_length: None,
            longer: None,
            injective: Vec::new(),
            counted_sets: Vec::new(),
            without_repetition: Vec::new(),
            applied: Vec::new(),
            closures: Vec::new(),
            sides: FxHashMap::default(),
            chosen: FxHashMap::default(),
            last_grid: None,
            last_grid_of_pairs: None,
            exact: vec![false; problem.conjuncts.len()],
            asks: Vec::new(),
            partly: false,
            steps: 0,
        }
    }

    /// Counts what is done; too much is refused.
    pub fn step(&mut self, steps: usize) -> Built<(), H> {
        clock::spend(steps)?;
        self.steps += steps;
        if self.steps > MOST_STEPS { Err(Refusal::Opaque) } else { Ok(()) }
    }

    /// Builds the problem; the objects of the unknowns in their order.
    ///
    /// # Errors
    /// Some unknown cannot be pictured, or the work is to end.
    pub fn build(&mut self) -> Built<Vec<Object>, H> {
        let problem = self.problem;
        let (mut objects, early) = self.declare_all()?;
        self.settle()?;
        // What each member of a set has to be by itself leaves fewer candidates for all that follows. Then comes what
        // compares: the bounds that it gives make what follows smaller, and a rest is one of a number that is known to be natural. What is said of each two members of a set comes last: by then what is said of
        // each one has left few.
        let relations = self.applied_relations();
        let applies =
            |i: usize| !relations.is_empty() && applies(&problem.conjuncts[i], &relations);
        self.post_all(&|i| !early.contains(&i) && !applies(i))?;
        if !relations.is_empty() && !self.poster.failed {
            // What is counted may say that each point has one image.
            self.count_groups()?;
            self.settle()?;
            self.make_functions(&relations)?;
            self.settle()?;
            for (object, unknown) in objects.iter_mut().zip(&problem.unknowns) {
                *object = self.unknown(unknown.local)?;
            }
            self.post_all(&|i| !early.contains(&i) && applies(i))?;
        }
        if self.poster.failed {
            return Ok(objects);
        }
        if self.poster.eliminate() {
            self.settle()?;
        }
        if self.poster.bound_together() {
            self.settle()?;
        }
        self.count_groups()?;
        self.poster.join_remainders();
        self.poster.find_covers();
        self.poster.find_exclusive();
        self.poster.find_cliques();
        self.poster.find_places();
        self.settle()?;
        if !self.poster.failed {
            self.pack()?;
        }
        Ok(objects)
    }

    /// The objects of the unknowns in their order. Some are made from numbers, as `1..n` is, and cannot be before these are
    /// bounded: then what is said of numbers alone is posted first. The conjuncts for which that was done.
    fn declare_all(&mut self) -> Built<(Vec<Object>, Vec<usize>), H> {
        let (problem, objects) = (self.problem, self.declared()?);
        let is_number = |u: &usize| matches!(objects[*u], Some(Object::Number(_)));
        let is_of_numbers = |of: &[usize]| !of.is_empty() && of.iter().all(is_number);
        let mut early = Vec::new();
        if objects.iter().any(Option::is_none) {
            early.extend(
                (0..problem.conjuncts.len())
                    .filter(|i| is_of_numbers(&problem.mentions[*i]) && !self.settled.contains(i)),
            );
        }
        if early.is_empty() {
            let objects: Option<Vec<Object>> = objects.into_iter().collect();
            return Ok((objects.ok_or(Refusal::Opaque)?, early));
        }
        self.settle()?;
        self.post_all(&|i| early.contains(&i))?;
        let objects: Option<Vec<Object>> = self.declared()?.into_iter().collect();
        match objects {
            Some(objects) => Ok((objects, early)),
            None if self.poster.failed => Ok((Vec::new(), early)),
            None => Err(Refusal::Opaque),
        }
    }

    /// Of each unknown its object, if it can be made.
    fn declared(&mut self) -> Built<Vec<Option<Object>>, H> {
        let unknowns = self.problem.unknowns.iter();
        unknowns.map(|unknown| self.attempt(|builder| builder.unknown(unknown.local))).collect()
    }

    /// Posts these conjuncts, phase by phase.
    fn post_all(&mut self, wanted: &dyn Fn(usize) -> bool) -> Built<(), H> {
        let problem = self.problem;
        for phase in PHASES {
            for (i, conjunct) in problem.conjuncts.iter().enumerate() {
                if phase_of(conjunct) == phase && !self.settled.contains(&i) && wanted(i) {
                    if self.poster.failed {
                        return Ok(());
                    }
                    self.post_conjunct(i, conjunct)?;
                }
            }
            self.settle()?;
        }
        Ok(())
    }

    /// Lets what was posted come to rest.
    fn settle(&mut self) -> Built<(), H> {
        use super::engine::Ended;
        for _ in 0..2 {
            match self.poster.engine.propagate() {
                Ok(()) => {}
                Err(Ended::Conflict) => {
                    self.poster.failed = true;
                    return Ok(());
                }
                Err(Ended::Stopped) => return Err(Stopped.into()),
            }
            if !self.poster.engine.store.refine() {
                break;
            }
            self.poster.engine.wake_all();
        }
        Ok(())
    }

    /// A conjunct is not false. What is not known of it now is asked once its unknowns have values.
    fn post_conjunct(&mut self, number: usize, conjunct: &'p Formula) -> Built<(), H> {
        self.partly = false;
        self.exact[number] = true;
        let wholly = self.post(number, conjunct)?;
        if self.partly {
            self.exact[number] = false;
            self.asks.push(Ask { conjunct: number, wholly });
        }
        Ok(())
    }

    /// A formula, part of a conjunct, is not false; whether nothing at all is known of some part.
    pub(super) fn post(&mut self, number: usize, formula: &'p Formula) -> Built<bool, H> {
        match formula {
            Formula::Witness(witness) => match self.witnessed(number, witness)? {
                Some(opaque) => Ok(opaque),
                None => self.post(number, &witness.otherwise),
            },
            Formula::And(parts) => {
                let mut opaque = false;
                for part in parts {
                    opaque |= self.post(number, part)?;
                }
                Ok(opaque)
            }
            _ => {
                if let Formula::Compare(op, a, b) = formula
                    && let Some(Some(asked)) =
                        self.attempt(|builder| builder.asked_by_far(*op, a, b))?
                {
                    self.poster.post(asked);
                    return Ok(false);
                }
                let truth = self.truth(formula)?;
                let opaque = truth.is_neither();
                self.exact[number] &= truth.is_exact();
                self.poster.post(truth.not_false());
                Ok(opaque)
            }
        }
    }

    /// The object of an unknown.
    pub fn unknown(&mut self, local: LocalId) -> Built<Object, H> {
        if let Some(object) = self.objects.get(&local) {
            return Ok(object.clone());
        }
        let problem = self.problem;
        let unknown = problem.unknowns.iter().find(|u| u.local == local);
        let Some(unknown) = unknown else { return Err(Refusal::Opaque) };
        if !self.declaring.insert(local) {
            // It is being made from itself.
            return Err(Refusal::Opaque);
        }
        let outer = self.of_any_length.take();
        let made = self.declare(unknown);
        self.of_any_length = outer;
        self.declaring.remove(&local);
        let object = made?;
        if let Object::Number(sum) = &object
            && let [(1, var)] = sum.terms[..]
            && let Some(origin) = self.origins.get_mut(&var)
        {
            *origin = (unknown.span, unknown.name.clone());
        }
        self.objects.insert(local, object.clone());
        Ok(object)
    }

    fn declare(&mut self, unknown: &'p Unknown) -> Built<Object, H> {
        let mut members: Vec<&(usize, Sketch)> = unknown.members.iter().collect();
        // Of functions the total ones first: of these less is open.
        members.sort_by_key(|(_, set)| (rank(set), !is_total(set)));
        let functions = members.iter().take_while(|(_, set)| rank(set) == 0).count();
        let (functions, others) = members.split_at(functions);
        let lengths = match functions.iter().any(|(_, set)| has_sequences(set)) {
            true => self.lengths(unknown.local)?,
            false => Lengths::default(),
        };
        let mut told = Told { lengths, uppers: Uppers::default() };
        if let Some(object) = self.member_of_some(functions, &told)? {
            return Ok(object);
        }
        // The range alone does not say which sets there are.
        if functions.iter().any(|(_, set)| has_sets(set)) {
            told.uppers = self.uppers(unknown.local)?;
            if let Some(object) = self.member_of_some(functions, &told)? {
                return Ok(object);
            }
            // They may be said to be small.
            let small = Told { lengths: self.sizes(unknown.local)?, uppers: Uppers::default() };
            if !small.lengths.says_nothing_of_values()
                && let Some(object) = self.member_of_some(functions, &small)?
            {
                return Ok(object);
            }
        }
        if let Some(object) = self.equated(unknown, false)? {
            return Ok(object);
        }
        if let Some(object) = self.member_of_some(others, &told)? {
            return Ok(object);
        }
        // Sets that have too many subsets may be said to have small ones.
        if others.iter().any(|(_, set)| is_powers_of(set)) {
            let sizes = self.sizes(unknown.local)?;
            let small = Told { lengths: sizes, uppers: Uppers::default() };
            if small.lengths.whole.is_some()
                && let Some(object) = self.member_of_some(others, &small)?
            {
                return Ok(object);
            }
        }
        // A set of an infinite type is nothing else; where it has no value there, the equation has none, either.
        let origin = (unknown.span, unknown.name.clone());
        if is_sets(&unknown.shape) && !unknown.shape.is_finite() {
            if let Some(object) = self.equated(unknown, true)? {
                return Ok(object);
            }
            let sizes = self.sizes(unknown.local)?;
            if let Some(most) = sizes.whole
                && let Some(object) =
                    self.attempt(|b| b.few_of_type(&unknown.shape, (sizes.least, most), &origin))?
            {
                return Ok(object);
            }
        }
        self.of_any_length = Some(origin.clone());
        if let Some(object) = self.member_of_some(functions, &told)? {
            return Ok(object);
        }
        self.of_shape(&unknown.shape, &origin)
    }

    /// What it is equal to; `partial`: even if that may have no value.
    fn equated(&mut self, unknown: &'p Unknown, partial: bool) -> Built<Option<Object>, H> {
        for equal in &unknown.equals {
            let partly = std::mem::replace(&mut self.partly, false);
            let meaning = self.attempt(|b| {
                let meaning = b.term(equal)?;
                // What is not known, as what asks for the unknown itself, is not undefined.
                match !b.partly && (partial || meaning.defined == Lit::Always) {
                    true => Ok(meaning),
                    false => Err(Refusal::Opaque),
                }
            })?;
            self.partly = partly;
            if let Some(meaning) = meaning {
                return Ok(Some(meaning.object));
            }
        }
        Ok(None)
    }

    /// Some member of the first of these sets that can be pictured.
    fn member_of_some(
        &mut self,
        sets: &[&'p (usize, Sketch)],
        told: &Told,
    ) -> Built<Option<Object>, H> {
        for (conjunct, set) in sets {
            if let Some(object) = self.member_by(*conjunct, set, told)? {
                return Ok(Some(object));
            }
        }
        Ok(None)
    }

    /// Some member of the set that a conjunct says an unknown is in: so the conjunct is true of it. Sequences are
    /// no longer, and sets no larger, than they are told to be.
    fn member_by(
        &mut self,
        conjunct: usize,
        set: &'p Sketch,
        told: &Told,
    ) -> Built<Option<Object>, H> {
        let partly = std::mem::replace(&mut self.partly, false);
        let made = self.attempt(|b| b.fresh_told(set, told))?;
        if made.is_some() {
            self.settled.insert(conjunct);
            self.exact[conjunct] = !self.partly;
        }
        self.partly = partly;
        Ok(made)
    }

    /// Tries to make something; what cannot be taken apart leaves nothing behind.
    pub(super) fn attempt<T>(
        &mut self,
        make: impl FnOnce(&mut Self) -> Built<T, H>,
    ) -> Built<Option<T>, H> {
        let failed = self.poster.failed;
        match make(self) {
            Ok(made) => Ok(Some(made)),
            Err(Refusal::Opaque) => {
                self.poster.failed = failed;
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    }

    /// The instances of a quantifier that are known to be some, where their names are bound without the unknowns.
    pub(super) fn certain_instances(&mut self, scope: &'p Scope) -> Built<Vec<Instance>, H> {
        let known = |stage: &Stage| matches!(stage, Stage::Each(..));
        if !scope.given.is_empty() || !scope.stages.iter().all(known) {
            return Ok(Vec::new());
        }
        let instances = self.attempt(|builder| builder.instances(scope, false))?;
        let instances = instances.into_iter().flat_map(|(instances, _)| instances);
        Ok(instances.filter(|instance| instance.counts.is(true)).collect())
    }

    /// All instances of a quantifier, with their names bound one after the other by `each`; whether
    /// these are all. `once`: what is the same counts once.
    pub fn instances(&mut self, scope: &'p Scope, once: bool) -> Built<(Vec<Instance>, bool), H> {
        let first =
            Instance { values: Vec::new(), objects: Vec::new(), counts: Truth::Exact(Claim::TRUE) };
        let (mut instances, mut complete) = (vec![first], true);
        let mut steps = 1;
        for stage in &scope.stages {
            if !matches!(stage, Stage::Each(..)) {
                steps = MEMBER;
            }
            let mut longer = Vec::new();
            for instance in instances {
                self.enter(&instance)?;
                let before = longer.len();
                match stage {
                    Stage::Each(locals, closed) => {
                        let most = MOST_INSTANCES - longer.len();
                        let Some(found) =
                            self.host.instances(*closed, most).map_err(Refusal::Stop)?
                        else {
                            return Err(Refusal::Opaque);
                        };
                        complete &= found.complete;
                        for (row, defined) in &found.rows {
                            let values = locals.iter().copied().zip(row.iter().cloned());
                            let counts = match defined {
                                true => instance.counts.clone(),
                                false => instance.counts.clone().never_holds(),
                            };
                            longer.push(instance.with(values, counts));
                        }
                    }
                    Stage::Members(pattern, set) => {
                        let meaning = self.term(set)?;
                        let candidates = self.candidates(&meaning.object, &set.shape)?;
                        let element = set.shape.element();
                        let mut given = Vec::new();
                        self.values_in(pattern, &mut given)?;
                        for (value, lit) in candidates {
                            // By now it may be known to be no member.
                            if self.poster.simple(lit) == Lit::Never {
                                continue;
                            }
                            let mut values = Vec::new();
                            if !fits(pattern, (&element, &value), &mut given.iter(), &mut values) {
                                continue;
                            }
                            let member =
                                Truth::Exact(Claim::Lit(lit)).where_defined(meaning.defined);
                            let counts = Truth::and(vec![instance.counts.clone(), member]);
                            longer.push(instance.with(values, counts));
                        }
                        complete &= meaning.defined == Lit::Always;
                    }
                    Stage::Items(pattern, set) => {
                        let meaning = self.term(set)?;
                        let items = self.items(&meaning.object, &set.shape)?;
                        let counts = match once {
                            true => self.firsts(&items, &set.shape.element())?,
                            false => items.iter().map(|(there, _)| *there).collect(),
                        };
                        let element = set.shape.element();
                        for ((_, item), there) in items.iter().zip(counts) {
                            let mut next = instance.with([], instance.counts.clone());
                            let fits = self.bind_item(pattern, (item, &element), &mut next)?;
                            let member = Claim::and([Claim::Lit(there), fits]);
                            let member = Truth::Exact(member).where_defined(meaning.defined);
                            next.counts = Truth::and(vec![next.counts, member]);
                            longer.push(next);
                        }
                        complete &= meaning.defined == Lit::Always;
                    }
                }
                self.step(1 + steps * (longer.len() - before))?;
            }
            instances = longer;
        }
        Ok((instances, complete))
    }

    /// The values in a pattern, from left to right.
    fn values_in(&mut self, pattern: &'p Pattern, out: &mut Vec<Value>) -> Built<(), H> {
        match pattern {
            Pattern::Local(_) => Ok(()),
            Pattern::Value(e) => match self.term(e)?.object {
                Object::Known(value) => {
                    out.push(value);
                    Ok(())
                }
                _ => Err(Refusal::Opaque),
            },
            Pattern::Pair(left, right) => {
                self.values_in(left, out)?;
                self.values_in(right, out)
            }
        }
    }

    /// Binds the names of an instance.
    pub fn enter(&mut self, instance: &Instance) -> Built<(), H> {
        for (local, value) in &instance.values {
            self.host.bind(*local, value).map_err(Refusal::Stop)?;
        }
        for (local, object) in &instance.objects {
            self.objects.insert(*local, object.clone());
        }
        Ok(())
    }
}

impl Instance {
    fn with(&self, values: impl IntoIterator<Item = (LocalId, Value)>, counts: Truth) -> Instance {
        let values = self.values.iter().cloned().chain(values).collect();
        Instance { values, objects: self.objects.clone(), counts }
    }
}

fn fits<'v>(
    pattern: &Pattern,
    (shape, value): (&Shape, &Value),
    given: &mut impl Iterator<Item = &'v Value>,
    out: &mut Vec<(LocalId, Value)>,
) -> bool {
    match pattern {
        Pattern::Local(local) => {
            out.push((*local, value.clone()));
            true
        }
        Pattern::Value(_) => given.next() == Some(value),
        Pattern::Pair(left, right) => {
            let ((l, r), (x, y)) = (shape.sides(), shape.split(value));
            fits(left, (&l, &x), given, out) && fits(right, (&r, &y), given, out)
        }
    }
}

/// Whether a set is one of sequences, or of functions to some.
fn has_sequences(set: &Sketch) -> bool {
    match &set.term {
        Term::Unary(UnaryOp::Seq | UnaryOp::Seq1, _) => true,
        Term::Binary(op, _, range) => {
            let seq =
                |set: &Sketch| matches!(set.term, Term::Unary(UnaryOp::Seq | UnaryOp::Seq1, _));
            arrow(*op).is_some() && seq(range)
        }
        _ => false,
    }
}

/// Whether a set is one of subsets.
fn is_powers_of(set: &Sketch) -> bool {
    use UnaryOp::{Fin, Fin1, Pow, Pow1};
    matches!(set.term, Term::Unary(Pow | Pow1 | Fin | Fin1, _))
}

/// Whether a function in this set has a result at each point that it may have one at.
fn is_total(set: &Sketch) -> bool {
    match &set.term {
        Term::Unary(UnaryOp::Perm, _) => true,
        Term::Binary(op, ..) => arrow(*op).is_some_and(|a| a.total),
        _ => false,
    }
}

/// In which order the sets of an unknown are tried: functions, which are more than sets; then sets with
/// bounds; then those without.
pub(super) fn rank(set: &Sketch) -> u8 {
    use crate::machine::BasicSet::*;
    match &set.term {
        Term::Unary(UnaryOp::Perm | UnaryOp::Iseq | UnaryOp::Iseq1, _) => 0,
        Term::Unary(UnaryOp::Seq | UnaryOp::Seq1, _) => 0,
        Term::Binary(op, ..) if arrow(*op).is_some_and(|a| a.functional) => 0,
        Term::Binary(BinaryOp::Interval, ..) | Term::Closed(_) => 1,
        Term::Basic(Integer | Natural | Natural1) => 4,
        Term::Universe => 3,
        _ => 2,
    }
}
