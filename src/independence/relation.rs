//! Which operations touch each other, and in which way.
//!
//! A relation between two operations is a list of links. Each says: an instance of the one and an
//! instance of the other are related, for this reason, only if these keys of theirs are equal. Instances
//! that no link relates are not. So two instances of one operation may be independent although the
//! operation depends on itself.
//!
//! Instances are *independent* (Dobrikov and Leuschel, definition 1) if in every state in which both are
//! enabled neither disables the other and both orders lead to the same states; with several outcomes,
//! to equal sets of states. Instances that are never enabled together are independent. One *enables*
//! another if it can lead from a state in which the other is disabled to one in which it is not. All of
//! this is over-approximated: first by the places that are read and written, then by the values that
//! guards leave to numbers, booleans and elements of enumerated sets.

use super::facts::Facts;
use super::operation::{Change, Operation};
use super::prover::Example;
use super::range::Range;
use super::scalar::{Scalars, Test};
use crate::clock;
use crate::machine::{Key, Place};
use std::collections::BTreeMap;

/// Why two instances are related.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Both write the place.
    Race,
    /// The first writes what the body of the second reads.
    Feeds,
    /// The other way round.
    FedBy,
    /// The first can make a conjunct of the second false (its number), with an example of the value
    /// before and after.
    Disables(usize, Option<(i128, i128)>),
    DisabledBy(usize, Option<(i128, i128)>),
    /// The first can make a conjunct of the second true.
    Enables(usize, Option<(i128, i128)>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Pairs of keys, of the first and of the second operation, that are equal.
    pub same: Vec<(Key, Key)>,
    /// The place, as the operation that writes it names it.
    pub place: Place,
    pub reason: Reason,
}

/// Of each pair of operations, by their numbers.
pub struct Matrix {
    links: Vec<Vec<Vec<Link>>>,
    /// Where the solver found a case of it: what it is.
    pub examples: BTreeMap<(usize, usize), Example>,
}

impl Matrix {
    pub fn between(&self, a: usize, b: usize) -> &[Link] {
        &self.links[a][b]
    }

    /// Says that some links between two operations are about instances only in which these parameters are
    /// equal.
    pub fn equate(
        &mut self,
        a: usize,
        b: usize,
        (i, j): (usize, usize),
        which: impl Fn(&Link) -> bool,
    ) {
        let same = (Key::Parameter(i), Key::Parameter(j));
        for link in self.links[a][b].iter_mut().filter(|link| which(link)) {
            if !link.same.contains(&same) {
                link.same.push(same.clone());
            }
        }
    }

    /// Keeps some of the links between two operations.
    pub fn retain(&mut self, a: usize, b: usize, keep: impl Fn(&Link) -> bool) {
        self.links[a][b].retain(keep);
    }
}

/// All relations between the operations of a machine.
pub struct Relations {
    pub operations: Vec<Operation>,
    /// Dependence; symmetric.
    pub dependent: Matrix,
    /// The first can be the step after which the second is enabled.
    pub enables: Matrix,
    /// The first can make a conjunct of the second true, whether the others hold then or later.
    pub verifies: Matrix,
}

/// Why an operation and a question have to do with each other: the place that it writes.
pub struct Touch {
    pub place: Place,
    pub example: Option<(i128, i128)>,
}

/// The values that are compared.
pub struct Analyser<'a> {
    pub scalars: &'a Scalars<'a>,
    pub facts: &'a Facts,
}

impl Analyser<'_> {
    pub fn relations(&self, operations: Vec<Operation>) -> Relations {
        let matrix = |links: &dyn Fn(&Operation, &Operation) -> Vec<Link>| {
            let row = |a| operations.iter().map(|b| links(a, b)).collect();
            let links = operations.iter().map(row).collect();
            Matrix { links, examples: BTreeMap::new() }
        };
        let dependent = matrix(&|a, b| self.dependences(a, b));
        let enables = matrix(&|a, b| self.enablings(a, b, true));
        let verifies = matrix(&|a, b| self.enablings(a, b, false));
        Relations { operations, dependent, enables, verifies }
    }

    // ----- dependence

    fn dependences(&self, a: &Operation, b: &Operation) -> Vec<Link> {
        let mut links = Vec::new();
        clock::work(1 + a.writes.len() * b.writes.len());
        for wa in &a.writes {
            for wb in &b.writes {
                if let Some(same) = unified(&wa.place, &wb.place)
                    && !commute(wa.change, wb.change)
                {
                    links.push(Link { same, place: wa.place.clone(), reason: Reason::Race });
                }
            }
        }
        self.one_sided(a, b, &mut |same, place, reason| links.push(Link { same, place, reason }));
        self.one_sided(b, a, &mut |same, place, reason| {
            let same = same.into_iter().map(|(b, a)| (a, b)).collect();
            let reason = match reason {
                Reason::Feeds => Reason::FedBy,
                Reason::Disables(i, example) => Reason::DisabledBy(i, example),
                other => other,
            };
            links.push(Link { same, place, reason });
        });
        links.retain(|link| !exclude_each_other(a, b, &link.same));
        links
    }

    /// What `a` does to `b` where both are enabled.
    fn one_sided(
        &self,
        a: &Operation,
        b: &Operation,
        found: &mut dyn FnMut(Vec<(Key, Key)>, Place, Reason),
    ) {
        clock::work(a.writes.len() * (b.reads.len() + b.guard.len()));
        for write in &a.writes {
            for read in &b.reads {
                if let Some(same) = unified(&write.place, read) {
                    found(same, write.place.clone(), Reason::Feeds);
                }
            }
            for (i, condition) in b.guard.iter().enumerate() {
                for read in &condition.reads {
                    let Some(same) = unified(&write.place, read) else { continue };
                    let test = condition.test.as_ref().filter(|t| t.place == *read);
                    let example = match (test, write.change) {
                        (Some(test), change)
                            if change != Change::Unknown && is_same(&write.place, read, &same) =>
                        {
                            let both = b.required(read).unwrap_or_else(Range::all);
                            let before = self.before(a, &write.place).meet(&both);
                            match moved_into(&before, change, &test.range.complement()) {
                                None => continue,
                                example => example,
                            }
                        }
                        _ => None,
                    };
                    found(same, write.place.clone(), Reason::Disables(i, example));
                }
            }
        }
    }

    // ----- enabling

    /// How `a` can enable `b`, or only make conjuncts of its guard true.
    fn enablings(&self, a: &Operation, b: &Operation, enabled: bool) -> Vec<Link> {
        let mut links = Vec::new();
        // Mostly the same keys are asked for again.
        let mut left: Vec<(Vec<(Key, Key)>, bool)> = Vec::new();
        clock::work(1 + a.writes.len() * b.guard.len());
        for write in &a.writes {
            for (i, condition) in b.guard.iter().enumerate() {
                for read in &condition.reads {
                    let Some(same) = unified(&write.place, read) else { continue };
                    let known = left.iter().find(|(of, _)| *of == same).map(|(_, is)| *is);
                    let is_left = || {
                        let is = self.leaves_disabled(a, b, &same);
                        left.push((same.clone(), is));
                        is
                    };
                    if enabled && known.unwrap_or_else(is_left) {
                        continue;
                    }
                    let test = condition.test.as_ref().filter(|t| t.place == *read);
                    let example = match test {
                        Some(test)
                            if write.change != Change::Unknown
                                && is_same(&write.place, read, &same) =>
                        {
                            match self.enabling(a, &write.place, write.change, test) {
                                Enabling::Never => continue,
                                Enabling::Example(example) => Some(example),
                                Enabling::Perhaps => None,
                            }
                        }
                        _ => None,
                    };
                    let reason = Reason::Enables(i, example);
                    links.push(Link { same, place: write.place.clone(), reason });
                }
            }
        }
        links
    }

    fn enabling(&self, a: &Operation, place: &Place, change: Change, test: &Test) -> Enabling {
        let before = self.before(a, place).without(&test.range);
        match (moved_into(&before, change, &test.range), change) {
            (Some(example), _) => Enabling::Example(example),
            // It may have had no value before.
            (None, Change::Becomes(n))
                if place.point.is_some()
                    && a.required(place).is_none()
                    && test.range.contains(n) =>
            {
                Enabling::Perhaps
            }
            _ => Enabling::Never,
        }
    }

    /// Whether `b` is disabled after `a` whatever it was before, if these keys are equal.
    fn leaves_disabled(&self, a: &Operation, b: &Operation, same: &[(Key, Key)]) -> bool {
        tests(b).any(|t| {
            let mut after = self.values(&t.place);
            for s in tests(a).filter(|s| is_same(&s.place, &t.place, same)) {
                after = after.meet(&s.range);
            }
            for write in &a.writes {
                if unified(&write.place, &t.place).is_none() {
                    continue;
                }
                after = match write.change {
                    _ if !is_same(&write.place, &t.place, same) => self.values(&t.place),
                    Change::Becomes(n) => Range::one(n),
                    Change::Adds(n) => after.shifted(n),
                    Change::Unknown => self.values(&t.place),
                };
            }
            after.meet(&t.range).is_empty()
        })
    }

    // ----- questions

    /// Whether an operation can change the truth of a question that reads these places, and is about one
    /// of them where there is a test.
    pub fn touches(
        &self,
        a: &Operation,
        reads: &std::collections::BTreeSet<Place>,
        test: Option<&Test>,
    ) -> Option<Touch> {
        for write in &a.writes {
            for read in reads {
                let Some(same) = unified(&write.place, read) else { continue };
                let place = write.place.clone();
                let test = test.filter(|t| t.place == *read && is_same(&place, read, &same));
                let Some(test) = test.filter(|_| write.change != Change::Unknown) else {
                    return Some(Touch { place, example: None });
                };
                let before = self.before(a, &place);
                let falsified =
                    moved_into(&before.meet(&test.range), write.change, &test.range.complement());
                let verified = moved_into(&before.without(&test.range), write.change, &test.range);
                if let Some(example) = falsified.or(verified) {
                    return Some(Touch { place, example: Some(example) });
                }
            }
        }
        None
    }

    // ----- values

    /// The values that may be at a place.
    pub fn values(&self, place: &Place) -> Range {
        self.facts.values(self.scalars, place).unwrap_or_else(Range::all)
    }

    /// The values that are at a place where an operation is enabled.
    fn before(&self, a: &Operation, place: &Place) -> Range {
        let required = a.required(place).unwrap_or_else(Range::all);
        self.values(place).meet(&required)
    }
}

enum Enabling {
    Never,
    Perhaps,
    Example((i128, i128)),
}

fn tests(operation: &Operation) -> impl Iterator<Item = &Test> {
    operation.guard.iter().filter_map(|c| c.test.as_ref())
}

/// The tests of a guard, each with the values that its place has where it holds.
fn allowed(operation: &Operation) -> impl Iterator<Item = (&Test, &Range)> {
    operation.guard.iter().filter_map(|c| Some((c.test.as_ref()?, c.values.as_ref()?)))
}

/// Whether no state enables an instance of both, if these keys are equal.
fn exclude_each_other(a: &Operation, b: &Operation, same: &[(Key, Key)]) -> bool {
    allowed(a).any(|(s, own)| {
        allowed(b).any(|(t, other)| is_same(&s.place, &t.place, same) && own.is_apart_from(other))
    })
}

/// A value that a change moves from one range to another, before and after it.
fn moved_into(from: &Range, change: Change, to: &Range) -> Option<(i128, i128)> {
    match change {
        Change::Becomes(n) if to.contains(n) => from.example().map(|before| (before, n)),
        Change::Adds(n) => {
            let after = from.shifted(n).meet(to).example()?;
            Some((after - n, after))
        }
        _ => None,
    }
}

/// Whether two changes of one place come to the same in both orders.
fn commute(a: Change, b: Change) -> bool {
    match (a, b) {
        (Change::Adds(_), Change::Adds(_)) => true,
        (Change::Becomes(a), Change::Becomes(b)) => a == b,
        _ => false,
    }
}

/// The keys that must be equal for two places, of one instance each, to overlap. `None`: they never do.
pub fn unified(a: &Place, b: &Place) -> Option<Vec<(Key, Key)>> {
    if a.variable != b.variable {
        return None;
    }
    let mut same = Vec::new();
    if let (Some(a), Some(b)) = (&a.point, &b.point) {
        unify(a, b, &mut same)?;
    }
    Some(same)
}

fn unify(a: &Key, b: &Key, same: &mut Vec<(Key, Key)>) -> Option<()> {
    match (a, b) {
        (Key::Pair(a, b), Key::Pair(c, d)) => {
            unify(a, c, same)?;
            unify(b, d, same)?;
        }
        _ if !a.may_equal(b) => return None,
        (a, b) if a == b && a.is_fixed() => {}
        _ => same.push((a.clone(), b.clone())),
    }
    Some(())
}

/// Whether two places are the same one, if these keys are equal.
fn is_same(a: &Place, b: &Place, same: &[(Key, Key)]) -> bool {
    a.variable == b.variable
        && match (&a.point, &b.point) {
            (None, None) => true,
            (Some(a), Some(b)) => is_same_key(a, b, same),
            _ => false,
        }
}

fn is_same_key(a: &Key, b: &Key, same: &[(Key, Key)]) -> bool {
    if a == b && a.is_fixed() || same.iter().any(|(x, y)| x == a && y == b) {
        return true;
    }
    match (a, b) {
        (Key::Pair(a, b), Key::Pair(c, d)) => is_same_key(a, c, same) && is_same_key(b, d, same),
        _ => false,
    }
}
