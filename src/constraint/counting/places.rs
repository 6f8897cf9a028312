//! Which disjunctions ask each for a place of its own: `f(1) = c or f(2) = c or ..` for one `c` and for another one.
//!
//! That is what is left of `ran(f) = S`, of a surjection, or of `!c.(c : S => #i.(f(i) = c))`, however it is worded. A place
//! is a variable, which has one value, or a group of literals that exclude each other.

use crate::constraint::bits::chosen;
use crate::constraint::claim::Poster;
use crate::constraint::engine::Propagator;
use crate::constraint::literal::Lit;
use crate::constraint::propagators::matching::{Matching, Wish};
use crate::constraint::propagators::places::{Place, Places};
use crate::constraint::store::{Store, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Fewest parts of a disjunction, and rooms that are asked for together.
const FEWEST: usize = 3;

/// Most families of groups, literals in all, and rooms that are asked for together.
const MOST_FAMILIES: usize = 8;
const MOST_LITERALS: usize = 1 << 17;
const MOST_ROOMS: usize = 1000;

/// Literals of which so many are true, at least.
type Asked = (Box<[Lit]>, i64);

impl Poster {
    /// Keeps a disjunction in mind, if it may ask for a place.
    pub(in crate::constraint) fn note_place(&mut self, parts: &[Lit]) {
        let is_one = |part: &Lit| matches!(part, Lit::Is(..) | Lit::IsNot(..));
        if parts.len() >= FEWEST && parts.iter().all(is_one) {
            self.places.push((parts.into(), 1));
        }
    }

    /// Adds that there are as many places as are asked for.
    pub fn find_places(&mut self) {
        let store = &self.engine.store;
        let noted = std::mem::take(&mut self.places);
        let wholes: FxHashMap<Lit, &[Lit]> =
            self.conjunctions.iter().map(|(parts, whole)| (*whole, &**parts)).collect();
        let denied = self
            .conjunctions
            .iter()
            .filter(|(parts, whole)| parts.len() >= FEWEST && store.truth(**whole) == Some(false));
        let some = |parts: &Vec<Lit>| (parts.iter().map(|part| part.negated()).collect(), 1);
        let all = noted.into_iter().chain(denied.map(|(parts, _)| some(parts)));
        let roots = self.roots();
        let root = |lit: Lit| match wholes.get(&lit) {
            // Of a conjunction what is left of it.
            Some(parts) => {
                let mut open = parts.iter().filter(|lit| store.truth(**lit).is_none());
                let only = open.next().filter(|_| open.next().is_none());
                only.map_or(lit, |only| self.root(*only, &roots))
            }
            None => self.root(lit, &roots),
        };
        let mut asked: Vec<Asked> =
            all.filter_map(|asked: Asked| open(&asked, store, &root)).collect();
        asked.sort_unstable();
        asked.dedup();
        self.among_variables(&asked);
        self.among_groups(asked);
    }

    /// Each variable is a place.
    fn among_variables(&mut self, asked: &[Asked]) {
        let store = &self.engine.store;
        let place = |(lits, number): &Asked| {
            let place: Option<Place> = lits.iter().map(|lit| chosen(*lit, store)).collect();
            let is_choice = |place: &Place| place.windows(2).all(|two| two[0].0 < two[1].0);
            place.filter(is_choice).filter(|_| *number == 1)
        };
        let mut places: Vec<Place> = asked.iter().filter_map(place).collect();
        places.sort_unstable();
        places.dedup();
        for Group { places, values } in groups(places) {
            // What differs has places for as many values as there are anyway.
            if places.len() >= FEWEST && !self.do_differ(&mut values.keys()) {
                self.engine.add(Places(places.into()));
            }
        }
    }

    fn do_differ(&self, vars: &mut dyn Iterator<Item = &Var>) -> bool {
        let vars: Vec<&Var> = vars.collect();
        let are_among = |clique: &Vec<Var>| vars.iter().all(|v| clique.binary_search(v).is_ok());
        self.different.iter().any(are_among)
    }

    /// The groups are places, and so are variables, as far as they have nothing in common. A variable asks for one of its values.
    /// That there is a place for everybody is looked at now, and again when a search is long.
    fn among_groups(&mut self, mut asked: Vec<Asked>) {
        let store = &self.engine.store;
        let mut groups = std::mem::take(&mut self.exclusive);
        let literals = |lists: &[Asked]| lists.iter().map(|(lits, _)| lits.len()).sum::<usize>();
        if groups.is_empty() || literals(&groups) + literals(&asked) > MOST_LITERALS {
            return;
        }
        let values = |vars: BTreeSet<Var>| {
            let bits = vars.into_iter().filter(|var| store.has_bits(*var));
            bits.map(|var| (store.values(var).map(|v| Lit::Is(var, v)).collect(), 1))
        };
        let vars = |lists: &[Asked]| {
            let lits = lists.iter().flat_map(|(lits, _)| lits);
            lits.filter_map(|lit| Some(chosen(*lit, store)?.0)).collect::<BTreeSet<Var>>()
        };
        let (wanted, there) = (vars(&groups), vars(&asked));
        asked.extend(values(wanted));
        groups.extend(values(there));
        let mut found = Vec::new();
        let demands = families(&asked);
        for family in families(&groups) {
            let places: FxHashMap<Lit, usize> = family
                .iter()
                .enumerate()
                .flat_map(|(i, (group, _))| group.iter().map(move |lit| (*lit, i)))
                .collect();
            let wish = |(lits, number): &&Asked| {
                let lits: Option<Box<[_]>> =
                    lits.iter().map(|lit| Some((*places.get(lit)?, *lit))).collect();
                let lits = lits.filter(|lits| lits.iter().any(|(at, _)| *at != lits[0].0))?;
                Some(Wish { lits, number: usize::try_from(*number).ok()? })
            };
            for demand in &demands {
                let wishes: Vec<Wish> = demand.iter().filter_map(wish).collect();
                for (wishes, used) in connected(wishes) {
                    let most: Vec<usize> = used.iter().map(|at| family[*at].1 as usize).collect();
                    let asked: usize = wishes.iter().map(|wish| wish.number).sum();
                    let rooms: usize = most.iter().sum();
                    let lits = wishes.iter().flat_map(|wish| &wish.lits);
                    let vars = lits.map(|(_, lit)| Some(chosen(*lit, store)?.0));
                    let vars: Option<BTreeSet<Var>> = vars.collect();
                    // With many more rooms than are asked for there is one for everybody.
                    let is_wide = rooms >= 2 * asked || rooms > MOST_ROOMS || asked < FEWEST;
                    if !is_wide && !vars.is_some_and(|vars| self.do_differ(&mut vars.iter())) {
                        found.push(Matching::new(wishes, most));
                    }
                }
            }
        }
        self.failed |= found.iter().any(|m| m.propagate(&mut self.engine.store).is_err());
        self.matchings = found;
    }
}

/// What is asked for as far as it is not decided.
fn open((parts, least): &Asked, store: &Store, root: &dyn Fn(Lit) -> Lit) -> Option<Asked> {
    let come = parts.iter().filter(|part| store.truth(**part) == Some(true)).count();
    let number = least - i64::try_from(come).ok()?;
    let is_open = |lit: &&Lit| store.truth(**lit).is_none();
    let mut asked: Vec<Lit> = parts.iter().filter(is_open).map(|lit| root(*lit)).collect();
    asked.sort_unstable();
    let different = asked.windows(2).all(|two| two[0] != two[1]) || number == 1;
    asked.dedup();
    (number >= 1 && different && asked.len() >= 2).then(|| (asked.into(), number))
}

/// Families of lists that have nothing in common: each list is in the first that it fits in.
fn families(lists: &[Asked]) -> Vec<Vec<&Asked>> {
    let mut families: Vec<(Vec<&Asked>, FxHashSet<Lit>)> = Vec::new();
    for list in lists {
        let fits =
            |(_, known): &(Vec<_>, FxHashSet<Lit>)| list.0.iter().all(|lit| !known.contains(lit));
        match families.iter().position(fits) {
            Some(at) => {
                families[at].0.push(list);
                families[at].1.extend(list.0.iter());
            }
            None if families.len() < MOST_FAMILIES => {
                families.push((vec![list], list.0.iter().copied().collect()));
            }
            None => {}
        }
    }
    families.into_iter().map(|(family, _)| family).collect()
}

/// What asks for the same places, directly or by way of others, with these places, by which they are numbered.
fn connected(wishes: Vec<Wish>) -> Vec<(Vec<Wish>, Vec<usize>)> {
    let mut parts: Vec<(Vec<Wish>, Vec<usize>)> = Vec::new();
    for wish in wishes {
        let mut own: Vec<usize> = wish.lits.iter().map(|(place, _)| *place).collect();
        let mut all = vec![wish];
        let meets = |part: &mut (Vec<Wish>, Vec<usize>)| own.iter().any(|at| part.1.contains(at));
        let met: Vec<_> = parts.extract_if(.., meets).collect();
        for (wishes, places) in met {
            all.extend(wishes);
            own.extend(places);
        }
        own.sort_unstable();
        own.dedup();
        parts.push((all, own));
    }
    for (wishes, places) in &mut parts {
        for (place, _) in wishes.iter_mut().flat_map(|wish| &mut wish.lits) {
            *place = places.binary_search(place).unwrap_or_default();
        }
    }
    parts
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
