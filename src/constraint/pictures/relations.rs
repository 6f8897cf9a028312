//! Relations that are applied: as functions, where what is said of them makes them some.
//!
//! That a relation is a function may be said in many ways: it is in a second set, each point has one image, its domain has as
//! many members as itself, `f~;f` is a part of an identity. So nobody looks for a way of saying it. What does not apply such a
//! relation is posted first; then it is tried what follows from each pair: a relation is a function where each of its pairs
//! leaves out all others that begin in the same way.

use super::object::{Candidates, Object, Point, is_pairs, is_scalar, number_of, of_scalar};
use crate::clock::Stopped;
use crate::constraint::build::{Builder, Built, Refusal};
use crate::constraint::claim::Claim;
use crate::constraint::engine::Ended;
use crate::constraint::literal::Lit;
use crate::constraint::sketch::{Formula, Host, Sketch, Term};
use crate::constraint::store::INFINITE;
use crate::machine::{BinaryOp, LocalId};
use crate::value::{Shape, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most pairs of a relation that is looked at so.
const MOST_PAIRS: usize = 4096;

/// The points of a relation that was applied, each defined where exactly one pair begins there.
pub(in crate::constraint) struct Applied {
    of: Rc<[(Value, Lit)]>,
    points: Rc<[Point]>,
}

/// The pairs that begin at each point: their ends, each with the literal that it is one.
type Rows = Vec<(Value, Candidates)>;

impl<'p, H: Host> Builder<'p, H> {
    /// The unknowns that are pictured as sets of pairs and applied by some conjunct.
    pub(in crate::constraint) fn applied_relations(&self) -> FxHashSet<LocalId> {
        let problem = self.problem;
        let is_set = |local: &LocalId| matches!(self.objects.get(local), Some(Object::Set(_)));
        let sets = problem.unknowns.iter().filter(|unknown| is_set(&unknown.local));
        let relations = sets.filter(|unknown| is_pairs(&unknown.shape.element()));
        let mut relations: FxHashSet<LocalId> = relations.map(|unknown| unknown.local).collect();
        let is_applied = |local: &LocalId| {
            let only = FxHashSet::from_iter([*local]);
            problem.conjuncts.iter().any(|conjunct| applies(conjunct, &only))
        };
        relations.retain(is_applied);
        relations
    }

    /// Pictures relations as functions that are some by all that has been posted.
    pub(in crate::constraint) fn make_functions(
        &mut self,
        relations: &FxHashSet<LocalId>,
    ) -> Built<(), H> {
        let problem = self.problem;
        for unknown in problem.unknowns.iter().filter(|u| relations.contains(&u.local)) {
            let Some(Object::Set(pairs)) = self.objects.get(&unknown.local) else { continue };
            let pairs = pairs.clone();
            let Some(rows) = self.rows(&pairs, &unknown.shape)? else { continue };
            let Some(defined) = self.is_function(&rows)? else { continue };
            if self.poster.failed {
                return Ok(());
            }
            let (_, right) = unknown.shape.element().sides();
            let mut points = Vec::new();
            for ((at, ends), certain) in rows.into_iter().zip(defined) {
                let defined = match certain {
                    true => Lit::Always,
                    false => self.poster.or(ends.iter().map(|(_, lit)| *lit)),
                };
                let Some(value) = self.end(&ends, defined, &right) else { return Ok(()) };
                points.push(Point { at, defined, value });
            }
            self.objects.insert(unknown.local, Object::Function(points.into()));
        }
        Ok(())
    }

    /// Whether each pair leaves out all others that begin in the same way; then, of each point, whether some pair begins there
    /// for certain.
    fn is_function(&mut self, rows: &Rows) -> Built<Option<Vec<bool>>, H> {
        let mut defined = Vec::new();
        for (_, ends) in rows {
            for (i, (_, lit)) in ends.iter().enumerate() {
                if self.poster.simple(*lit) == Lit::Never {
                    continue;
                }
                let others = || ends.iter().enumerate().filter(|(j, _)| *j != i);
                let left = self.tried([*lit], |builder| {
                    others().all(|(_, (_, other))| builder.poster.simple(*other) == Lit::Never)
                })?;
                match left {
                    Some(true) => {}
                    Some(false) => return Ok(None),
                    None => {
                        self.poster.assert(lit.negated());
                        self.rest()?;
                        if self.poster.failed {
                            return Ok(Some(Vec::new()));
                        }
                    }
                }
            }
            let none = ends.iter().map(|(_, lit)| lit.negated());
            defined.push(self.tried(none, |_| ())?.is_none());
        }
        Ok(Some(defined))
    }

    /// Whether a literal is true by all that has been posted: it cannot be false.
    pub(in crate::constraint) fn is_certain(&mut self, lit: Lit) -> Built<bool, H> {
        let lit = self.poster.simple(lit);
        if lit == Lit::Always || lit == Lit::Never || self.poster.failed {
            return Ok(lit == Lit::Always);
        }
        self.rest()?;
        if self.poster.failed {
            return Ok(false);
        }
        if self.tried([lit.negated()], |_| ())?.is_some() {
            return Ok(false);
        }
        self.poster.assert(lit);
        Ok(true)
    }

    /// What is to be seen where these literals are true; `None` where they cannot be. All that was posted has come to rest
    /// before.
    fn tried<T>(
        &mut self,
        lits: impl IntoIterator<Item = Lit>,
        see: impl FnOnce(&Self) -> T,
    ) -> Built<Option<T>, H> {
        self.step(1)?;
        self.poster.engine.store.push();
        let store = &mut self.poster.engine.store;
        let mut ended = lits.into_iter().try_for_each(|lit| store.assert(lit)).map_err(Ended::from);
        if ended.is_ok() {
            ended = self.poster.engine.propagate();
        }
        let seen = match ended {
            Ok(()) => Ok(Some(see(self))),
            Err(Ended::Conflict) => Ok(None),
            Err(Ended::Stopped) => Err(Stopped.into()),
        };
        self.poster.engine.store.pop();
        seen
    }

    /// Lets what was posted come to rest.
    fn rest(&mut self) -> Built<(), H> {
        match self.poster.engine.propagate() {
            Ok(()) => Ok(()),
            Err(Ended::Conflict) => {
                self.poster.failed = true;
                // Should this be forgotten, it is found again.
                self.poster.engine.wake_all();
                Ok(())
            }
            Err(Ended::Stopped) => Err(Stopped.into()),
        }
    }

    /// The points of a relation: it has a value where exactly one of its pairs begins.
    pub(super) fn points_of_relation(
        &mut self,
        pairs: &Rc<[(Value, Lit)]>,
        shape: &Shape,
    ) -> Built<Rc<[Point]>, H> {
        if let Some(known) = self.applied.iter().find(|known| Rc::ptr_eq(&known.of, pairs)) {
            return Ok(known.points.clone());
        }
        let rows = self.rows(pairs, shape)?.ok_or(Refusal::Opaque)?;
        let (_, right) = shape.element().sides();
        let mut points = Vec::new();
        for (at, ends) in rows {
            let lits: Vec<Lit> = ends.iter().map(|(_, lit)| *lit).collect();
            let single = self.at_most_one(&lits)?;
            let parts = [self.poster.lit(single), self.poster.or(lits)];
            let defined = self.poster.and(parts);
            let value = self.end(&ends, defined, &right).ok_or(Refusal::Opaque)?;
            points.push(Point { at, defined, value });
        }
        let points: Rc<[Point]> = points.into();
        self.applied.push(Applied { of: pairs.clone(), points: points.clone() });
        Ok(points)
    }

    /// The pairs by where they begin, but for those that are none for certain.
    fn rows(&mut self, pairs: &[(Value, Lit)], shape: &Shape) -> Built<Option<Rows>, H> {
        let element = shape.element();
        if !is_pairs(&element) || pairs.len() > MOST_PAIRS {
            return Ok(None);
        }
        self.step(pairs.len())?;
        let mut rows: BTreeMap<Value, Candidates> = BTreeMap::new();
        for (pair, lit) in pairs {
            let lit = self.poster.simple(*lit);
            if lit != Lit::Never {
                let (at, end) = element.split(pair);
                rows.entry(at).or_default().push((end, lit));
            }
        }
        Ok(Some(rows.into_iter().collect()))
    }

    /// The one of these whose literal is true, where exactly one of them is.
    fn end(&mut self, ends: &Candidates, exactly: Lit, shape: &Shape) -> Option<Object> {
        let numbers: Vec<i64> = match is_scalar(shape) {
            true => {
                let number = |(value, _): &(Value, Lit)| number_of(value);
                let numbers = ends.iter().map(number).collect::<Option<Vec<i64>>>()?;
                numbers.iter().all(|n| n.abs() < INFINITE).then_some(numbers)?
            }
            false => (0..ends.len() as i64).collect(),
        };
        let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
        let store = &mut self.poster.engine.store;
        let var = store.variable(low, high);
        self.poster.failed |= store.one_of(var, &numbers).is_err();
        for ((_, lit), number) in ends.iter().zip(numbers) {
            let is = Claim::Lit(Lit::Is(var, number));
            self.poster.post_if(exactly, Claim::iff(is, Claim::Lit(*lit)));
        }
        Some(match is_scalar(shape) {
            true => of_scalar(var, shape),
            false => Object::OneOf(var, ends.iter().map(|(value, _)| value.clone()).collect()),
        })
    }
}

/// Whether one of these unknowns is applied somewhere in a formula.
pub(in crate::constraint) fn applies(formula: &Formula, relations: &FxHashSet<LocalId>) -> bool {
    formula.any(&|e: &Sketch| match &e.term {
        Term::Binary(BinaryOp::Apply, f, _) => {
            matches!(f.term, Term::Unknown(local) if relations.contains(&local))
        }
        _ => false,
    })
}
