//! Which disjunctions ask each for a place of its own: `f(1) = c or f(2) = c or ..` for one `c` and for another one.
//!
//! That is what is left of `ran(f) = S`, of a surjection, or of `!c.(c : S => #i.(f(i) = c))`, however it is worded.

use super::claim::Poster;
use super::literal::Lit;
use super::propagators::places::{Place, Places};
use super::store::Var;
use std::collections::BTreeMap;

/// Fewest disjunctions that are taken together.
const FEWEST: usize = 3;

impl Poster {
    /// Keeps a disjunction in mind, if it asks for a place; its parts are in order.
    pub(super) fn note_place(&mut self, parts: &[Lit]) {
        let place = parts.iter().map(|part| match part {
            Lit::Is(var, value) => Some((*var, *value)),
            _ => None,
        });
        self.places.extend(self.as_place(place.collect()));
    }

    fn as_place(&self, place: Option<Vec<(Var, i64)>>) -> Option<Place> {
        let store = &self.engine.store;
        let place = place.filter(|place| place.windows(2).all(|two| two[0].0 < two[1].0))?;
        // Where there are two values, the other one says as much.
        let chooses = place.len() >= FEWEST && place.iter().all(|(var, _)| store.size(*var) > 2);
        chooses.then(|| place.into())
    }

    /// Adds that there are as many variables as values.
    pub fn find_places(&mut self) {
        let mut places = std::mem::take(&mut self.places);
        for (parts, whole) in &self.conjunctions {
            if self.engine.store.truth(*whole) == Some(false) {
                let place = parts.iter().map(|part| match part {
                    Lit::IsNot(var, value) => Some((*var, *value)),
                    _ => None,
                });
                places.extend(self.as_place(place.collect()));
            }
        }
        places.sort_unstable();
        places.dedup();
        for group in groups(places) {
            if group.len() >= FEWEST {
                self.engine.add(Places(group.into()));
            }
        }
    }
}

/// Lists that are taken together, and the values that each variable has in them.
#[derive(Default)]
struct Group {
    places: Vec<Place>,
    values: BTreeMap<Var, Vec<i64>>,
}

/// Lists that have half of their variables, at least, in common with others, and no variable with the same value.
fn groups(places: Vec<Place>) -> Vec<Vec<Place>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut of: BTreeMap<Var, Vec<usize>> = BTreeMap::new();
    for place in places {
        let mut common: BTreeMap<usize, usize> = BTreeMap::new();
        for group in place.iter().filter_map(|(var, _)| of.get(var)).flatten() {
            *common.entry(*group).or_default() += 1;
        }
        let fits = |(group, count): (&usize, &usize)| {
            let known = &groups[*group].values;
            let is_other =
                |(var, value): &(Var, i64)| known.get(var).is_none_or(|v| !v.contains(value));
            (2 * count >= place.len() && place.iter().all(is_other)).then_some(*group)
        };
        let at = common.iter().find_map(fits).unwrap_or_else(|| {
            groups.push(Group::default());
            groups.len() - 1
        });
        for (var, value) in &place {
            let known = groups[at].values.entry(*var).or_default();
            if known.is_empty() {
                of.entry(*var).or_default().push(at);
            }
            known.push(*value);
        }
        groups[at].places.push(place);
    }
    groups.into_iter().map(|group| group.places).collect()
}
