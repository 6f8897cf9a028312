//! Substitutions: from what is read to all outcomes, or to an error.

use super::formula::junction;
use super::sets;
use super::value::V;
use super::{Frame, R, Reference, Stop, fault, skip};
use burnside::machine::{Access, Cell, Expr, LocalId, Pred, Subst, SubstKind, Target};
use num_traits::Signed;
use std::collections::{BTreeMap, BTreeSet};

/// The locals that are enumerated along with the first condition; `None` outside of guards.
pub type Guard<'a> = Option<&'a [LocalId]>;

/// What one outcome assigns.
pub type Writes = BTreeMap<Cell, V>;

impl Reference<'_> {
    /// All outcomes; none: not feasible. What is an error leaves the others, and is told in `failed`; it is one of the whole
    /// where there is nothing to choose.
    /// `guard`: the substitution still decides whether its operation is enabled, and these locals
    /// are enumerated along with its first condition.
    pub fn outcomes(&self, s: &Subst, f: &Frame, guard: Guard<'_>) -> R<BTreeSet<Writes>> {
        let mut out = BTreeSet::new();
        // Below a condition everything has its value.
        let below = guard.map(|_| &[][..]);
        match &s.kind {
            SubstKind::Skip => {
                out.insert(Writes::new());
            }
            SubstKind::Assign(pairs) => {
                let mut writes = Writes::new();
                for (target, e) in pairs {
                    self.store(&mut writes, target, self.eval(e, f)?, f)?;
                }
                out.insert(writes);
            }
            SubstKind::BecomesElement(targets, set) => {
                for member in self.eval(set, f)?.items() {
                    let stored = || {
                        let mut writes = Writes::new();
                        let mut rest = member.clone();
                        for target in targets[1..].iter().rev() {
                            let (l, r) = (rest.sides().0.clone(), rest.sides().1.clone());
                            self.store(&mut writes, target, r, f)?;
                            rest = l;
                        }
                        self.store(&mut writes, &targets[0], rest, f)?;
                        Ok(BTreeSet::from([writes]))
                    };
                    out.extend(self.beside(stored())?);
                }
            }
            SubstKind::BecomesSuchThat(cells, p) => {
                let ids: Vec<_> = cells.iter().map(|(_, id)| *id).collect();
                for g in self.found(&ids, p, f)? {
                    out.insert(cells.iter().map(|(c, id)| (*c, g.locals[id].clone())).collect());
                }
            }
            SubstKind::Parallel(parts) => {
                out.insert(Writes::new());
                let before = self.failed.take();
                let mut failed = None;
                for part in parts {
                    let result = self.outcomes(part, f, guard);
                    let own = self.beside(result)?;
                    let fails = self.failed.take();
                    // Without an outcome of one, or an error in it, there is none, whatever the others would say.
                    if own.is_empty() && fails.is_none() {
                        self.failed.replace(before);
                        return Ok(BTreeSet::new());
                    }
                    failed = failed.or(fails);
                    let pairs = own.iter().flat_map(|own| out.iter().map(move |b| joined(b, own)));
                    out = few(pairs.collect())?;
                }
                self.failed.replace(before.or(failed));
            }
            SubstKind::Sequence(parts) => {
                out.insert(Writes::new());
                for (i, part) in parts.iter().enumerate() {
                    let mut longer = BTreeSet::new();
                    for before in &out {
                        let g = after(f, before);
                        let result = self.outcomes(part, &g, guard.filter(|_| i == 0));
                        for own in self.beside(result)? {
                            longer.insert(joined(before, &own));
                        }
                        if longer.len() > OUTCOMES {
                            break;
                        }
                    }
                    out = few(longer)?;
                }
            }
            SubstKind::Precondition(p, body) | SubstKind::Assert(_, p, body) => {
                if !self.truth(p, f)? {
                    return fault("a condition does not hold");
                }
                out = self.outcomes(body, f, below)?;
            }
            SubstKind::Choice(parts) => {
                for part in parts {
                    let result = self.outcomes(part, f, guard);
                    out.extend(self.beside(result)?);
                }
            }
            SubstKind::If(branches, otherwise) => {
                for (p, body) in branches {
                    if self.truth(p, f)? {
                        return self.outcomes(body, f, None);
                    }
                }
                return self.otherwise(otherwise.as_deref(), f);
            }
            SubstKind::Select(branches, otherwise) => {
                let (mut taken, mut all_false) = (false, true);
                for (p, body) in branches {
                    let holds = match guard {
                        Some(open) => self.guard(&[(p.clone(), open.to_vec())], f),
                        None => self.truth(p, f),
                    };
                    all_false &= self.truth(p, f) == Ok(false);
                    if self.beside(holds)? {
                        taken = true;
                        let result = self.outcomes(body, f, below);
                        out.extend(self.beside(result)?);
                    }
                }
                if let (false, true, Some(body)) = (taken, all_false, otherwise) {
                    return self.outcomes(body, f, below);
                }
            }
            SubstKind::Case(subject, branches, otherwise) => {
                let v = self.eval(subject, f)?;
                for (labels, body) in branches {
                    let hits = labels.iter().map(|l| self.eval(l, f).map(|l| l == v));
                    if junction(hits, true)? {
                        return self.outcomes(body, f, None);
                    }
                }
                return self.otherwise(otherwise.as_deref(), f);
            }
            SubstKind::Any(ids, p, body) => {
                let Some(open) = guard else {
                    for g in self.found(ids, p, f)? {
                        let result = self.outcomes(body, &g, None);
                        out.extend(self.beside(result)?);
                    }
                    return Ok(out);
                };
                let conditions = [(p.clone(), [ids, open].concat())];
                for g in self.candidates(ids, p, f)? {
                    let holds = self.guard(&conditions, &g);
                    if self.beside(holds)? {
                        let result = self.outcomes(body, &g, below);
                        out.extend(self.beside(result)?);
                    }
                }
            }
            SubstKind::Let(bindings, body) => {
                return self.outcomes(body, &self.bound(bindings, f)?, guard);
            }
            SubstKind::Var(ids, body) => {
                let mut g = f.clone();
                ids.iter().for_each(|id| {
                    g.locals.remove(id);
                });
                for mut writes in self.outcomes(body, &g, None)? {
                    ids.iter().for_each(|id| {
                        writes.remove(&Cell::Local(*id));
                    });
                    out.insert(writes);
                }
            }
            SubstKind::While { condition, body, invariant, variant, initial } => {
                let mut g = f.clone();
                for (cell, id) in initial {
                    g.locals.insert(*id, self.read(*cell, f)?);
                }
                let l = Loop { condition, body, invariant, variant };
                self.turns(&l, &g, &Writes::new(), None, &mut out)?;
            }
            SubstKind::Call { operation, arguments, results } => {
                let called = self.machine.operation(*operation);
                let mut g = f.clone();
                for (id, e) in called.parameters.iter().zip(arguments) {
                    g.locals.insert(*id, self.eval(e, f)?);
                }
                called.results.iter().for_each(|id| {
                    g.locals.remove(id);
                });
                for mut writes in self.outcomes(&called.whole(), &g, below)? {
                    let mut stored = || {
                        let mut values = Vec::new();
                        for id in &called.results {
                            match writes.remove(&Cell::Local(*id)) {
                                Some(v) => values.push(v),
                                None => return fault("a result was not written"),
                            }
                        }
                        for (target, v) in results.iter().zip(values) {
                            self.store(&mut writes, target, v, f)?;
                        }
                        Ok(BTreeSet::from([std::mem::take(&mut writes)]))
                    };
                    out.extend(self.beside(stored())?);
                }
            }
        }
        Ok(out)
    }

    fn otherwise(&self, body: Option<&Subst>, f: &Frame) -> R<BTreeSet<Writes>> {
        match body {
            Some(body) => self.outcomes(body, f, None),
            None => Ok(BTreeSet::from([Writes::new()])),
        }
    }

    fn turns(
        &self,
        l: &Loop<'_>,
        f: &Frame,
        written: &Writes,
        last: Option<&V>,
        out: &mut BTreeSet<Writes>,
    ) -> R<()> {
        let g = after(f, written);
        if !self.truth(l.invariant, &g)? {
            return fault("loop invariant");
        }
        if !self.truth(l.condition, &g)? {
            out.insert(written.clone());
            return Ok(());
        }
        let v = self.eval(l.variant, &g)?;
        if v.big().is_negative() || last.is_some_and(|last| v >= *last) {
            return fault("loop variant");
        }
        for own in self.outcomes(l.body, &g, None)? {
            let result = self.turns(l, f, &joined(written, &own), Some(&v), out);
            self.beside(result)?;
        }
        Ok(())
    }

    /// Goes on without an outcome that is an error, or with a condition that is one as with a false one.
    pub fn beside<T: Default>(&self, result: R<T>) -> R<T> {
        match result {
            Err(Stop::Fault(why)) => {
                self.failed.borrow_mut().get_or_insert(why);
                Ok(T::default())
            }
            result => result,
        }
    }

    /// What a condition chooses: one for which it is undefined is an error.
    fn found(&self, ids: &[LocalId], p: &Pred, f: &Frame) -> R<Vec<Frame>> {
        let mut found = Vec::new();
        for g in self.candidates(ids, p, f)? {
            let holds = self.truth(p, &g);
            if self.beside(holds)? {
                found.push(g);
            }
        }
        Ok(found)
    }

    pub fn read(&self, cell: Cell, f: &Frame) -> R<V> {
        let found = match cell {
            Cell::Variable(id) => f.variables[id.0 as usize].as_ref(),
            Cell::Local(id) => f.locals.get(&id),
        };
        found.cloned().ok_or_else(|| Stop::Fault("read before written".into()))
    }

    fn store(&self, writes: &mut Writes, target: &Target, v: V, f: &Frame) -> R<()> {
        let new = if target.path.is_empty() {
            v
        } else {
            self.replaced(&self.read(target.cell, f)?, &target.path, v, f)?
        };
        writes.insert(target.cell, new);
        Ok(())
    }

    fn replaced(&self, old: &V, path: &[Access], v: V, f: &Frame) -> R<V> {
        let Some((access, rest)) = path.split_first() else { return Ok(v) };
        match (access, old) {
            (Access::Field(i), V::Rec(values)) => {
                let mut values = values.clone();
                values[*i] = self.replaced(&values[*i], rest, v, f)?;
                Ok(V::Rec(values))
            }
            (Access::Index(x), function) => {
                let x = self.eval(x, f)?;
                let new = match rest {
                    [] => v,
                    _ => self.replaced(&sets::apply(function, &x)?, rest, v, f)?,
                };
                Ok(sets::overriding(function, &sets::relation([(x, new)])))
            }
            other => panic!("not an access: {other:?}"),
        }
    }
}

struct Loop<'s> {
    condition: &'s Pred,
    body: &'s Subst,
    invariant: &'s Pred,
    variant: &'s Expr,
}

fn joined(before: &Writes, own: &Writes) -> Writes {
    before.iter().chain(own).map(|(c, v)| (*c, v.clone())).collect()
}

/// Most outcomes of one composition.
const OUTCOMES: usize = 3000;

fn few(outcomes: BTreeSet<Writes>) -> R<BTreeSet<Writes>> {
    if outcomes.len() > OUTCOMES { skip("too many outcomes") } else { Ok(outcomes) }
}

/// What is read once these writes are done.
pub fn after(f: &Frame, writes: &Writes) -> Frame {
    let mut g = f.clone();
    for (cell, v) in writes {
        match cell {
            Cell::Variable(id) => g.variables[id.0 as usize] = Some(v.clone()),
            Cell::Local(id) => {
                g.locals.insert(*id, v.clone());
            }
        }
    }
    g
}
