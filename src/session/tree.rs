//! The tree of the runs that were made: nothing is lost by going back and another way.

use super::animator::{Enabled, Position};
use crate::run::Step;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of a place in a tree; the root is 0.
pub type PlaceId = usize;

/// One place: where a run stands, and how it came there.
#[derive(Clone)]
pub struct Place {
    pub position: Position,
    /// Its transitions, while they are kept.
    pub enabled: Option<Arc<Enabled>>,
    /// Under which number they were listed last; 0 before that.
    listing: u64,
    /// `None` at the root.
    pub step: Option<Step>,
    pub parent: Option<PlaceId>,
    /// In the order in which they were made.
    pub children: Vec<PlaceId>,
    /// The child that one was at last.
    pub next: Option<PlaceId>,
}

/// Most transitions that are kept of all states together. A state may have a hundred thousand, and a walk goes through
/// thousands of states: those that were listed longest ago are listed anew where somebody comes back.
const KEPT: usize = 1_000_000;

/// All places that were ever reached, and the one that is shown.
#[derive(Clone)]
pub struct Tree {
    places: Vec<Place>,
    at: PlaceId,
    /// The places of each position, in the order in which they were made: a walk of thousands of steps is
    /// in the same states again and again, and asks in each whether they are known.
    reached: FxHashMap<Position, Vec<PlaceId>>,
    /// The states whose transitions are kept, by the numbers of their listings: those that were listed longest
    /// ago come first. Each with the number of its transitions.
    listed: BTreeMap<u64, (PlaceId, usize)>,
    /// Number of listings so far.
    listings: u64,
    transitions: usize,
}

impl Default for Tree {
    /// A tree of a root alone, without its transitions.
    fn default() -> Tree {
        let root = Place {
            position: Position::Root,
            enabled: None,
            listing: 0,
            step: None,
            parent: None,
            children: Vec::new(),
            next: None,
        };
        Tree {
            places: vec![root],
            at: 0,
            reached: [(Position::Root, vec![0])].into_iter().collect(),
            listed: BTreeMap::new(),
            listings: 0,
            transitions: 0,
        }
    }
}

impl Tree {
    pub fn at(&self) -> PlaceId {
        self.at
    }

    /// A place of this tree; see [`Tree::find`] for a number that may be of another one.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id]
    }

    pub fn find(&self, id: PlaceId) -> Option<&Place> {
        self.places.get(id)
    }

    /// The place that was made last.
    pub fn last(&self) -> PlaceId {
        self.places.len() - 1
    }

    /// Whether a run was ever there.
    pub fn has(&self, position: &Position) -> bool {
        self.reached.contains_key(position)
    }

    /// All transitions of a position, where a run was there before and they are kept.
    pub fn listed(&self, position: &Position) -> Option<Arc<Enabled>> {
        let places = self.reached.get(position)?.iter().rev().map(|id| &self.places[*id]);
        let mut kept = places.filter_map(|place| place.enabled.as_ref());
        kept.find(|enabled| enabled.is_whole()).cloned()
    }

    pub fn here(&self) -> &Place {
        &self.places[self.at]
    }

    /// The transitions of the place that is shown. Those of other states may make room for them.
    pub fn list(&mut self, enabled: Arc<Enabled>) {
        let (at, new) = (self.at, enabled.len());
        let place = &mut self.places[at];
        place.enabled = Some(enabled);
        // What comes before the states is little, and may have taken long.
        if !matches!(place.position, Position::State(_)) {
            return;
        }
        self.listings += 1;
        let before = std::mem::replace(&mut place.listing, self.listings);
        self.transitions -= self.listed.remove(&before).map_or(0, |(_, n)| n);
        self.listed.insert(self.listings, (at, new));
        self.transitions += new;
        while self.transitions > KEPT && self.listed.len() > 1 {
            let Some((_, (oldest, n))) = self.listed.pop_first() else { break };
            self.places[oldest].enabled = None;
            self.transitions -= n;
        }
    }

    /// Stands at a child of the place that is shown. The way to that one is remembered already.
    pub fn go_on_to(&mut self, child: PlaceId) {
        self.places[self.at].next = Some(child);
        self.at = child;
    }

    /// Stands at a place, and remembers the way to it.
    pub fn go_to(&mut self, id: PlaceId) {
        self.at = id;
        let mut child = id;
        while let Some(parent) = self.places[child].parent {
            self.places[parent].next = Some(child);
            child = parent;
        }
    }

    /// The child of the place that is shown to which this step leads, if it was taken before.
    pub fn taken(&self, step: &Step, position: &Position) -> Option<PlaceId> {
        let same = |id: &PlaceId| {
            let place = &self.places[*id];
            place.step.as_ref() == Some(step) && place.position == *position
        };
        self.here().children.iter().copied().find(same)
    }

    /// Adds a child of the place that is shown, and stands there.
    pub fn add(&mut self, step: Step, position: Position) {
        let id = self.places.len();
        self.reached.entry(position.clone()).or_default().push(id);
        self.places.push(Place {
            position,
            enabled: None,
            listing: 0,
            step: Some(step),
            parent: Some(self.at),
            children: Vec::new(),
            next: None,
        });
        self.places[self.at].children.push(id);
        self.go_on_to(id);
    }

    pub fn undo(&mut self) -> bool {
        let parent = self.here().parent;
        self.at = parent.unwrap_or(self.at);
        parent.is_some()
    }

    pub fn redo(&mut self) -> bool {
        let next = self.here().next;
        self.at = next.unwrap_or(self.at);
        next.is_some()
    }

    pub fn restart(&mut self) {
        self.at = 0;
    }

    /// The places from the root to this one.
    pub fn path(&self, to: PlaceId) -> Vec<PlaceId> {
        let parents = std::iter::successors(Some(to), |id| self.places[*id].parent);
        let mut path: Vec<PlaceId> = parents.collect();
        path.reverse();
        path
    }

    /// The steps from the root to a place.
    pub fn steps(&self, to: PlaceId) -> Vec<Step> {
        let path = self.path(to);
        path.iter().filter_map(|id| self.places[*id].step.clone()).collect()
    }

    /// Number of steps to where it stands, and of those that can be done again.
    pub fn depth(&self) -> (usize, usize) {
        let again = std::iter::successors(self.here().next, |id| self.places[*id].next);
        (self.path(self.at).len() - 1, again.count())
    }

    /// The places at which runs end, in the order in which they were made.
    pub fn ends(&self) -> Vec<PlaceId> {
        (0..self.places.len()).filter(|id| self.places[*id].children.is_empty()).collect()
    }

    /// All places in the order in which they are to be shown, each with how many branches deep it is:
    /// branches come before the child that one was at last, which goes on as its father did.
    pub fn rows(&self) -> Vec<(PlaceId, usize)> {
        let (mut rows, mut waiting) = (Vec::new(), vec![(0, 0)]);
        while let Some((id, indent)) = waiting.pop() {
            rows.push((id, indent));
            let place = &self.places[id];
            let main = place.next.or(place.children.last().copied());
            waiting.extend(main.map(|child| (child, indent)));
            let others = place.children.iter().rev().filter(|child| Some(**child) != main);
            waiting.extend(others.map(|child| (*child, indent + 1)));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Event, Label};
    use std::time::{Duration, Instant};

    /// A walk of many steps through few states, each of which is looked up: a look at all places for each
    /// step takes minutes.
    #[test]
    fn a_long_walk_takes_no_longer_for_each_step_than_a_short_one() {
        let start = Instant::now();
        let mut tree = Tree::default();
        let step =
            || Step { label: Label::of(Event::Initialisation), changed: Vec::new(), failed: false };
        for n in 0..100_000 {
            let position = Position::State(vec![n % 1000]);
            assert_eq!(tree.has(&position), n >= 1000);
            let known = tree.listed(&position);
            assert_eq!(known.is_some(), n >= 1000);
            tree.add(step(), position);
            tree.list(known.unwrap_or_default());
        }
        assert_eq!(tree.depth(), (100_000, 0));
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        // The way back is remembered whole.
        while tree.undo() {}
        assert_eq!(tree.depth(), (0, 100_000));
    }

    #[test]
    fn the_way_to_a_place_is_remembered_from_wherever_one_goes_on() {
        let mut tree = Tree::default();
        let step = Step { label: Label::of(Event::SetUp), changed: Vec::new(), failed: false };
        let add = |tree: &mut Tree, n| {
            tree.add(step.clone(), Position::State(vec![n]));
            tree.at()
        };
        let first = add(&mut tree, 1);
        let left = add(&mut tree, 2);
        tree.go_to(first);
        let right = add(&mut tree, 3);
        tree.restart();
        assert!(tree.redo() && tree.redo());
        assert_eq!(tree.at(), right);
        tree.undo();
        tree.go_on_to(left);
        tree.restart();
        assert!(tree.redo() && tree.redo());
        assert_eq!(tree.at(), left);
    }
}
