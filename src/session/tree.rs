//! The tree of the runs that were made: nothing is lost by going back and another way.

use super::animator::{Enabled, Position};
use crate::run::Step;
use std::collections::VecDeque;
use std::sync::Arc;

/// Number of a place in a tree; the root is 0.
pub type PlaceId = usize;

/// One place: where a run stands, and how it came there.
#[derive(Clone)]
pub struct Place {
    pub position: Position,
    /// Its transitions, while they are kept.
    pub enabled: Option<Arc<Enabled>>,
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
    /// The states whose transitions are kept, those that were listed longest ago first, and the number of the
    /// transitions.
    listed: VecDeque<(PlaceId, usize)>,
    transitions: usize,
}

impl Default for Tree {
    /// A tree of a root alone, without its transitions.
    fn default() -> Tree {
        let root = Place {
            position: Position::Root,
            enabled: None,
            step: None,
            parent: None,
            children: Vec::new(),
            next: None,
        };
        Tree { places: vec![root], at: 0, listed: VecDeque::new(), transitions: 0 }
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
        self.places.iter().any(|place| place.position == *position)
    }

    /// All transitions of a position, where a run was there before and they are kept.
    pub fn listed(&self, position: &Position) -> Option<Arc<Enabled>> {
        let places = self.places.iter().rev();
        let mut there = places.filter(|place| place.position == *position);
        there.find_map(|place| place.enabled.clone().filter(|enabled| enabled.is_whole()))
    }

    pub fn here(&self) -> &Place {
        &self.places[self.at]
    }

    /// The transitions of the place that is shown. Those of other states may make room for them.
    pub fn list(&mut self, enabled: Arc<Enabled>) {
        let (at, new) = (self.at, enabled.len());
        let place = &mut self.places[at];
        let known = place.enabled.replace(enabled).is_some();
        // What comes before the states is little, and may have taken long.
        if !matches!(place.position, Position::State(_)) {
            return;
        }
        if let Some(old) = self.listed.iter().position(|(id, _)| known && *id == at) {
            self.transitions -= self.listed.remove(old).map_or(0, |(_, n)| n);
        }
        self.listed.push_back((at, new));
        self.transitions += new;
        while self.transitions > KEPT && self.listed.len() > 1 {
            let Some((oldest, n)) = self.listed.pop_front() else { break };
            self.places[oldest].enabled = None;
            self.transitions -= n;
        }
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
        self.places.push(Place {
            position,
            enabled: None,
            step: Some(step),
            parent: Some(self.at),
            children: Vec::new(),
            next: None,
        });
        self.places[self.at].children.push(id);
        self.go_to(id);
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
