//! Which disjunctions ask each for a place of its own: `f(1) = c or f(2) = c or ..` for one `c` and for another one.
//!
//! That is what is left of `ran(f) = S`, of a surjection, or of `!c.(c : S => #i.(f(i) = c))`, however it is worded.

use super::claim::Poster;
use super::literal::Lit;
use super::propagators::places::{Place, Places};
use super::store::{Store, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Fewest parts of a disjunction, and disjunctions that are taken together.
const FEWEST: usize = 3;

impl Poster {
    /// Keeps a disjunction in mind, if it may ask for a place.
    pub(super) fn note_place(&mut self, parts: &[Lit]) {
        if parts.len() >= FEWEST && parts.iter().all(|part| matches!(part, Lit::Is(..))) {
            self.places.push(parts.into());
        }
    }

    /// Adds that there are as many variables as values.
    pub fn find_places(&mut self) {
        let store = &self.engine.store;
        let disjunctions = std::mem::take(&mut self.places);
        let wholes: FxHashMap<Lit, &[Lit]> =
            self.conjunctions.iter().map(|(parts, whole)| (*whole, &**parts)).collect();
        let denied = self
            .conjunctions
            .iter()
            .filter(|(parts, whole)| parts.len() >= FEWEST && store.truth(**whole) == Some(false));
        let denied = denied.map(|(parts, _)| parts.iter().map(|part| part.negated()).collect());
        let all = disjunctions.into_iter().chain(denied);
        let mut places: Vec<Place> =
            all.filter_map(|parts: Box<[Lit]>| place(&parts, &wholes, store)).collect();
        places.sort_unstable();
        places.dedup();
        for Group { places, values } in groups(places) {
            let is_among =
                |clique: &Vec<Var>| values.keys().all(|var| clique.binary_search(var).is_ok());
            // What differs has places for as many values as there are anyway.
            if places.len() >= FEWEST && !self.different.iter().any(is_among) {
                self.engine.add(Places(places.into()));
            }
        }
    }
}

/// What a disjunction asks for, as far as it is not decided; with the parts of conjunctions that have a literal.
fn place(parts: &[Lit], wholes: &FxHashMap<Lit, &[Lit]>, store: &Store) -> Option<Place> {
    let is_open = |lit: &&Lit| store.truth(**lit).is_none();
    if parts.iter().any(|part| store.truth(*part) == Some(true)) {
        return None;
    }
    let chosen = |lit: &Lit| match lit {
        // Where there are two values, the other one says as much.
        Lit::Is(var, value) if store.size(*var) > 2 => Some((*var, *value)),
        _ => None,
    };
    let one = |lit: &Lit| {
        chosen(lit).or_else(|| {
            let mut open = wholes.get(lit)?.iter().filter(is_open);
            let only = open.next().filter(|_| open.next().is_none())?;
            chosen(only)
        })
    };
    let mut place: Vec<(Var, i64)> =
        parts.iter().filter(is_open).map(one).collect::<Option<_>>()?;
    place.sort_unstable();
    let is_choice = place.len() >= 2 && place.windows(2).all(|two| two[0].0 < two[1].0);
    is_choice.then(|| place.into())
}

/// Lists that are taken together, and the values that each variable has in them.
#[derive(Default)]
struct Group {
    places: Vec<Place>,
    values: BTreeMap<Var, Vec<i64>>,
}

/// Lists that have half of their variables, at least, in common with others, and no variable with the same value.
fn groups(places: Vec<Place>) -> Vec<Group> {
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
    groups
}
