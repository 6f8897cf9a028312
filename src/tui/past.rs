//! What was done, kept over edits: every branch is replayed on the new machine, and what it no longer
//! does is remembered until it does it again.

use super::engine::step_text;
use super::shown;
use crate::report::steps::StepText;
use crate::run::{Event, Step};
use crate::session::tree::{PlaceId, Tree};
use crate::session::{Animator, Match, reading};

/// One line of the tree of all steps.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeRow {
    /// `None`: the machine no longer does the step.
    pub place: Option<PlaceId>,
    /// How many branches deep.
    pub indent: usize,
    /// Number of steps from the root.
    pub step: usize,
    pub text: String,
    /// The place that is shown.
    pub here: bool,
    /// It leads to the place that is shown.
    pub on_path: bool,
}

/// What the tree of an animator does not hold.
#[derive(Default)]
pub struct Past {
    lost: Vec<Lost>,
    /// Where the user stood before the machine no longer led there.
    stood: Option<Vec<StepText>>,
}

/// Steps that the machine no longer does, from a place of the tree on.
struct Lost {
    at: PlaceId,
    steps: Vec<StepText>,
}

/// All that was done, as it would be written down: the machine may be another one when it is read.
#[derive(Default)]
pub struct Written {
    branches: Vec<Vec<StepText>>,
    /// The steps to where the user stood.
    pub here: Vec<StepText>,
}

impl Past {
    /// The user has moved.
    pub fn moved(&mut self) {
        self.stood = None;
    }

    /// Writes all branches down, that on which the user is as the last one.
    pub fn written(&self, animator: &Animator) -> Written {
        let (tree, instance) = (animator.tree(), &animator.model().instance);
        let list = |steps: &[Step]| StepText::list(instance, steps);
        let own = end_of(tree, tree.at());
        let others = tree.ends().into_iter().filter(|end| *end != own);
        let mut branches: Vec<_> = others.map(|end| list(&tree.steps(end))).collect();
        for lost in &self.lost {
            let mut steps = list(&tree.steps(lost.at));
            steps.extend(lost.steps.iter().cloned());
            branches.push(steps);
        }
        branches.push(list(&tree.steps(own)));
        let here = self.stood.clone().unwrap_or_else(|| list(&tree.steps(tree.at())));
        Written { branches, here }
    }

    /// Replays what was written on another machine, and stands where the user stood, as far as that goes.
    /// Gives the number of steps to there that were replayed.
    pub fn replay(&mut self, animator: &mut Animator, written: Written) -> usize {
        *self = Past::default();
        for branch in &written.branches {
            let done = follow(animator, branch);
            let rest = branch[done..].iter().filter(|step| !step.failed).cloned().collect();
            self.keep(animator.tree().at(), rest);
        }
        let done = follow(animator, &written.here);
        if done < written.here.len() {
            self.keep(animator.tree().at(), written.here[done..].to_vec());
            self.stood = Some(written.here);
        }
        done
    }

    /// Remembers steps, unless they are the beginning of others.
    fn keep(&mut self, at: PlaceId, steps: Vec<StepText>) {
        let covers = |long: &[StepText], short: &[StepText]| long.starts_with(short);
        let known = |lost: &Lost| lost.at == at && covers(&lost.steps, &steps);
        if steps.is_empty() || self.lost.iter().any(known) {
            return;
        }
        self.lost.retain(|lost| lost.at != at || !covers(&steps, &lost.steps));
        self.lost.push(Lost { at, steps });
    }

    /// All that was done, as lines.
    pub fn rows(&self, animator: &Animator) -> Vec<TreeRow> {
        let (tree, instance) = (animator.tree(), &animator.model().instance);
        let path = tree.path(tree.at());
        let mut rows = Vec::new();
        let mut depths = vec![0; 1];
        for (id, indent) in tree.rows() {
            let place = tree.place(id);
            let step = place.parent.map_or(0, |parent| depths[parent] + 1);
            depths.resize(depths.len().max(id + 1), 0);
            depths[id] = step;
            let text = place.step.as_ref().map(|s| line(&StepText::of(instance, s), s));
            rows.push(TreeRow {
                place: Some(id),
                indent,
                step,
                text: text.unwrap_or_else(|| "start".to_owned()),
                here: id == tree.at(),
                on_path: path.contains(&id),
            });
            for lost in self.lost.iter().filter(|lost| lost.at == id) {
                for (i, s) in lost.steps.iter().enumerate() {
                    rows.push(TreeRow {
                        place: None,
                        indent: indent + 1,
                        step: step + 1 + i,
                        text: shown::line(step_text(s, 0)),
                        here: false,
                        on_path: false,
                    });
                }
            }
        }
        rows
    }
}

/// Where the way that was gone last ends, from a place on.
fn end_of(tree: &Tree, from: PlaceId) -> PlaceId {
    let mut way = std::iter::successors(Some(from), |id| {
        let place = tree.place(*id);
        place.next.or(place.children.last().copied())
    });
    way.by_ref().last().unwrap_or(from)
}

/// Follows written steps from the root, and says how many of them.
fn follow(animator: &mut Animator, steps: &[StepText]) -> usize {
    let (done, _) = reading::follow(animator, steps, Match::Alike);
    done.steps.min(steps.len())
}

/// A step of the history: what operations changed is told by the state itself, or by going back.
pub fn line(text: &StepText, step: &Step) -> String {
    let limit = if matches!(step.label.event, Event::Operation(_)) { 0 } else { 60 };
    shown::line(step_text(text, limit))
}
