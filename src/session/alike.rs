//! Transitions that are alike under symmetry: they differ by names of elements only.
//!
//! An automorphism of a state maps its transitions to transitions. Those of one orbit are of one *kind*:
//! whoever has looked at one of them has seen all.

use super::animator::{Animator, Enabled, Position};
use super::pair::all;
use crate::clock::{self, Phase, Stopped, enter};
use crate::machine::SetId;
use crate::symmetry::orbit::Orbits;
use crate::symmetry::{Options, Wanted};
use crate::value::{IndexKind, Permutation, Shape, Value};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::time::Duration;

/// The transitions out of a place, sorted by what only names tell apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kinds {
    kinds: Vec<Kind>,
    /// The kind of each transition, where it was sorted.
    of: Vec<u32>,
}

/// Transitions that automorphisms of the place take to one another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Their numbers, the least first.
    pub members: Vec<u32>,
    /// Of each argument, then of each result: whether its values differ. Set-ups and initialisations have
    /// none.
    pub varies: Vec<bool>,
}

impl Kinds {
    /// The kind of a transition.
    pub fn of(&self, transition: usize) -> Option<&Kind> {
        self.kinds.get(*self.of.get(transition)? as usize)
    }

    /// The first transitions of all kinds among these.
    pub fn firsts(&self, numbers: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        numbers.filter(|i| self.of(*i).is_none_or(|kind| kind.members[0] as usize == *i))
    }
}

/// Longest time for sorting the transitions of a place: what is not sorted is listed one by one.
const SORTING: Duration = Duration::from_millis(300);

impl Animator {
    /// The kinds of the transitions here; `None` where nothing is symmetric, or there was no time.
    pub fn kinds(&mut self) -> Option<Kinds> {
        let enabled = self.enabled().clone();
        if self.model().group.is_trivial() || enabled.len() < 2 {
            return None;
        }
        let limit = self.limit().map_or(SORTING, |limit| limit.min(SORTING));
        self.timed(Some(limit), |animator| {
            enter(Phase::Labelling);
            let values = animator.given(&enabled)?;
            let found =
                animator.labelling(&values, &all(&values), Options { generators: Wanted::All })?;
            let generators = found.generators.permutations();
            (!generators.is_empty()).then(|| animator.sorted(&enabled, &generators))
        })
    }

    /// What the transitions here have in common: the values that are chosen already.
    fn given(&mut self, enabled: &Enabled) -> Option<Vec<Value>> {
        Some(match self.position().clone() {
            Position::SetUp(constants) => constants,
            Position::State(state) => self.values(&state),
            // A set-up that is no step of its own is in the first states.
            Position::Root => match enabled.position(0)? {
                Position::State(first) => self.evaluator().constants(&first).to_vec(),
                _ => Vec::new(),
            },
        })
    }

    /// Sorts transitions by orbits of these permutations, operation by operation, as long as there is time.
    fn sorted(&mut self, enabled: &Enabled, by: &[Permutation]) -> Kinds {
        let mut kinds = Kinds { kinds: Vec::new(), of: vec![u32::MAX; enabled.len()] };
        let mut parts: Vec<Range<usize>> =
            enabled.parts().iter().map(|part| part.numbers.clone()).collect();
        if parts.is_empty() {
            parts.push(0..enabled.len());
        }
        parts.retain(|part| part.len() > 1);
        // Many small ones are worth more than a large one.
        parts.sort_by_key(Range::len);
        for part in parts {
            if self.sort_part(enabled, part, by, &mut kinds).is_err() {
                break;
            }
        }
        kinds
    }

    fn sort_part(
        &mut self,
        enabled: &Enabled,
        part: Range<usize>,
        by: &[Permutation],
        into: &mut Kinds,
    ) -> Result<(), Stopped> {
        let first = part.start;
        let (shapes, labels) = self.shapes_of(enabled, first);
        let outcomes = part.clone().any(|i| enabled.is_one_of_several(i));
        let all = moving(by);
        let reading = if outcomes || labels == 0 { &shapes[..] } else { &shapes[..labels] };
        if !reading.iter().any(|shape| all.touches(shape)) {
            return Ok(());
        }
        let mut told = Vec::with_capacity(part.len());
        for i in part {
            clock::tick()?;
            told.push(self.told_apart_by(enabled, i));
        }
        let orbits = orbits(&shapes, &told, by)?;
        let mut numbers: FxHashMap<usize, u32> = FxHashMap::default();
        for (i, values) in told.iter().enumerate() {
            let root = orbits.find(i as u32) as usize;
            let number = *numbers.entry(root).or_insert_with(|| {
                into.kinds.push(Kind { members: Vec::new(), varies: vec![false; labels] });
                (into.kinds.len() - 1) as u32
            });
            let kind = &mut into.kinds[number as usize];
            let leader = &told[root];
            for (at, varies) in kind.varies.iter_mut().enumerate() {
                *varies |= values.get(at) != leader.get(at);
            }
            kind.members.push((first + i) as u32);
            into.of[first + i] = number;
        }
        Ok(())
    }

    /// The shapes of what tells the transitions of an operation apart: arguments and results, how many of them
    /// there are, and then the new state.
    fn shapes_of(&self, enabled: &Enabled, i: usize) -> (Vec<Shape>, usize) {
        let instance = &self.model().program.instance;
        let mut shapes: Vec<Shape> = Vec::new();
        if let Some(id) = enabled.operation(i) {
            let operation = instance.machine.operation(id);
            let locals = operation.parameters.iter().chain(&operation.results);
            shapes.extend(locals.map(|id| instance.local_shape(*id)));
        }
        let labels = shapes.len();
        let machine = &instance.machine;
        let globals = machine.constants.iter().chain(&machine.variables);
        shapes.extend(globals.map(|g| instance.shape(&g.ty)));
        (shapes, labels)
    }

    /// The values that tell a transition apart from the others of its operation. Where an instance has
    /// several outcomes, the new state is one of them.
    fn told_apart_by(&mut self, enabled: &Enabled, i: usize) -> Vec<Value> {
        let instance = self.model().program.instance.clone();
        let mut values: Vec<Value> = Vec::new();
        let is_operation = enabled.operation(i).is_some();
        if let Some(label) = enabled.label(&instance, i).filter(|_| is_operation) {
            values.extend(label.arguments);
            values.extend(label.results);
        }
        match enabled.position(i).filter(|_| !is_operation || enabled.is_one_of_several(i)) {
            Some(Position::State(state)) => values.extend(self.values(&state)),
            Some(Position::SetUp(all)) => values.extend(all),
            _ => {}
        }
        values
    }
}

/// The orbits of these under the group that these permutations make.
fn orbits(shapes: &[Shape], told: &[Vec<Value>], by: &[Permutation]) -> Result<Orbits, Stopped> {
    let mut known: FxHashMap<&[Value], usize> = FxHashMap::default();
    for (i, values) in told.iter().enumerate() {
        clock::tick()?;
        known.insert(values, i);
    }
    let reader = Reader::new(shapes, told, by)?;
    let mut orbits = Orbits::new(told.len());
    for permutation in by {
        for i in reader.moved(permutation) {
            clock::tick()?;
            let values = shapes.iter().zip(&told[i]);
            let image: Vec<Value> =
                values.map(|(shape, value)| permutation.apply(shape, value)).collect();
            // What a list that was cut does not have is not known to be alike.
            if let Some(other) = known.get(image.as_slice()) {
                orbits.join(i as u32, *other as u32);
            }
        }
    }
    Ok(orbits)
}

/// A permutation that has all sets that any of these has; it moves nothing.
fn moving(by: &[Permutation]) -> Permutation {
    let sets = by.iter().map(|p| p.maps.len()).max().unwrap_or(0);
    let has = |set: usize| by.iter().any(|p| p.maps.get(set).is_some_and(|m| !m.is_empty()));
    let maps = (0..sets).map(|set| if has(set) { vec![0] } else { Vec::new() });
    Permutation { maps: maps.collect() }
}

/// Finds what a permutation moves: a generator moves few elements, and of a hundred thousand transitions
/// only those that have one of them need to be looked at.
struct Reader {
    /// Those in which an element stands, by set and element.
    with: FxHashMap<(SetId, u64), Vec<usize>>,
    /// Those with elements inside other values.
    others: Vec<usize>,
}

impl Reader {
    fn new(shapes: &[Shape], told: &[Vec<Value>], by: &[Permutation]) -> Result<Reader, Stopped> {
        let mut reader = Reader { with: FxHashMap::default(), others: Vec::new() };
        let all = moving(by);
        // What can move: its place, and its set where it is an element.
        let touched = shapes.iter().enumerate().filter(|(_, shape)| all.touches(shape));
        let touched: Vec<(usize, Option<SetId>)> = touched
            .map(|(at, shape)| match shape {
                Shape::Index(u) => match u.kind {
                    IndexKind::Element(set) => (at, Some(set)),
                    _ => (at, None),
                },
                _ => (at, None),
            })
            .collect();
        for (i, values) in told.iter().enumerate() {
            clock::tick()?;
            let mut inside = false;
            for (at, set) in &touched {
                match (set, values.get(*at)) {
                    (_, None) => {}
                    (Some(set), Some(Value::Word(w))) => {
                        reader.with.entry((*set, *w)).or_default().push(i);
                    }
                    _ => inside = true,
                }
            }
            if inside {
                reader.others.push(i);
            }
        }
        Ok(reader)
    }

    fn moved<'a>(&'a self, by: &'a Permutation) -> impl Iterator<Item = usize> + 'a {
        let maps = by.maps.iter().enumerate();
        let moved = maps.flat_map(|(set, map)| {
            let moved = map.iter().enumerate().filter(|(e, image)| *e as u32 != **image);
            moved.map(move |(e, _)| (SetId(set as u32), e as u64))
        });
        let with = moved.filter_map(|element| self.with.get(&element)).flatten();
        with.chain(&self.others).copied()
    }
}
