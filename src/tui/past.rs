//! What was done, kept over edits: every branch is replayed on the new machine, and what it no longer
//! does is remembered until it does it again.

use super::engine::step_text;
use super::shown;
use crate::clock::Halt;
use crate::report::steps::StepText;
use crate::run::{Event, Step};
use crate::session::Animator;
use crate::session::reading::Follower;
use crate::session::tree::{PlaceId, Tree};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One line of the tree of all steps.
#[derive(Clone, PartialEq, Debug)]
pub struct TreeRow {
    /// `None`: the machine no longer does the step.
    pub place: Option<PlaceId>,
    /// How many branches deep.
    pub indent: usize,
    /// Number of steps from the root.
    pub step: usize,
    pub text: Arc<str>,
    /// The place that is shown.
    pub here: bool,
    /// It leads to the place that is shown.
    pub on_path: bool,
}

/// What the tree of an animator does not hold.
#[derive(Default)]
pub struct Past {
    /// Steps that the machine no longer does, each after the one that it follows.
    lost: Vec<Lost>,
    /// The one behind which the user stood before the machine no longer led there.
    stood: Option<usize>,
    /// The step to each place as a line: a tree can have thousands, and is told of after each step.
    texts: Vec<Arc<str>>,
}

struct Lost {
    after: At,
    step: StepText,
}

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum At {
    Place(PlaceId),
    /// To the end of a step that is lost.
    Lost(usize),
}

/// All that was done, as it would be written down: the machine may be another one when it is read.
#[derive(Default)]
pub struct Written {
    /// Each step after the one that it follows.
    steps: Vec<Noted>,
    /// The last step of the way on which the user was, and the one behind which he stood; `None`: at the
    /// root.
    end: Option<usize>,
    here: Option<usize>,
}

struct Noted {
    /// `None`: the root.
    after: Option<usize>,
    step: StepText,
}

impl Written {
    /// Number of steps to where the user stood.
    pub fn depth(&self) -> usize {
        std::iter::successors(self.here, |at| self.steps[*at].after).count()
    }
}

impl Past {
    /// The user has moved.
    pub fn moved(&mut self) {
        self.stood = None;
    }

    /// Writes all steps down.
    pub fn written(&self, animator: &Animator) -> Written {
        let (tree, instance) = (animator.tree(), &animator.model().instance);
        // The place of number n has the step n - 1; what is lost comes behind.
        let number = |place: PlaceId| place.checked_sub(1);
        let done = (1..=tree.last()).filter_map(|id| {
            let place = tree.place(id);
            let step = StepText::of(instance, place.step.as_ref()?);
            Some(Noted { after: place.parent.and_then(number), step })
        });
        let lost = self.lost.iter().map(|lost| Noted {
            after: match lost.after {
                At::Place(id) => number(id),
                At::Lost(other) => Some(tree.last() + other),
            },
            step: lost.step.clone(),
        });
        let stood = self.stood.map(|lost| tree.last() + lost);
        Written {
            steps: done.chain(lost).collect(),
            end: number(end_of(tree, tree.at())),
            here: stood.or(number(tree.at())),
        }
    }

    /// Replays what was written on another machine, and stands where the user stood, as far as that goes.
    /// Gives the number of steps to there that were replayed.
    pub fn replay(&mut self, animator: &mut Animator, written: &Written) -> usize {
        *self = Past::default();
        let instance = animator.model().program.instance.clone();
        let mut follower = Follower::new(&instance);
        let mut now: Vec<At> = Vec::with_capacity(written.steps.len());
        let mut cancelled = false;
        for Noted { after, step } in &written.steps {
            let after = after.map_or(At::Place(0), |before| now[before]);
            let led = match after {
                At::Place(place) if !cancelled => {
                    animator.go_to(place);
                    let taken = follower.follow(animator, step);
                    cancelled = animator.enabled().cut == Some(Halt::Interrupted);
                    taken.then(|| animator.tree().at())
                }
                _ => None,
            };
            now.push(led.map_or_else(|| At::Lost(self.keep(after, step)), At::Place));
        }
        for way in [written.end, written.here] {
            // To the last place of it that is there.
            let mut steps = std::iter::successors(way, |at| written.steps[*at].after);
            let place = steps.find_map(|at| match now[at] {
                At::Place(place) => Some(place),
                At::Lost(_) => None,
            });
            animator.go_to(place.unwrap_or(0));
        }
        self.stood = written.here.and_then(|here| match now[here] {
            At::Lost(lost) => Some(lost),
            At::Place(_) => None,
        });
        animator.tree().depth().0
    }

    /// Remembers a step, once.
    fn keep(&mut self, after: At, step: &StepText) -> usize {
        let known = self.lost.iter().position(|lost| lost.after == after && lost.step == *step);
        known.unwrap_or_else(|| {
            self.lost.push(Lost { after, step: step.clone() });
            self.lost.len() - 1
        })
    }

    /// Words what is new in the tree.
    fn word(&mut self, animator: &Animator) {
        let (tree, instance) = (animator.tree(), &animator.model().instance);
        if self.texts.len() > tree.last() + 1 {
            self.texts.clear();
        }
        for id in self.texts.len()..=tree.last() {
            let step = tree.place(id).step.as_ref();
            let text = step.map(|s| line(&StepText::of(instance, s), s));
            self.texts.push(text.unwrap_or_else(|| "start".to_owned()).into());
        }
    }

    /// The steps to where the user stands, as lines.
    pub fn history(&mut self, animator: &Animator) -> Vec<String> {
        self.word(animator);
        let path = animator.tree().path(animator.tree().at());
        path.into_iter().skip(1).map(|id| self.texts[id].to_string()).collect()
    }

    /// All that was done, as lines.
    pub fn rows(&mut self, animator: &Animator) -> Vec<TreeRow> {
        self.word(animator);
        let tree = animator.tree();
        let mut on_path = vec![false; tree.last() + 1];
        tree.path(tree.at()).into_iter().for_each(|id| on_path[id] = true);
        // What is lost behind places, and behind other lost steps.
        let mut behind: BTreeMap<PlaceId, Vec<usize>> = BTreeMap::new();
        let mut further: Vec<Vec<usize>> = vec![Vec::new(); self.lost.len()];
        for (i, lost) in self.lost.iter().enumerate() {
            match lost.after {
                At::Place(id) => behind.entry(id).or_default().push(i),
                At::Lost(other) => further[other].push(i),
            }
        }
        let mut rows = Vec::new();
        let mut depths = vec![0; tree.last() + 1];
        for (id, indent) in tree.rows() {
            let step = tree.place(id).parent.map_or(0, |parent| depths[parent] + 1);
            depths[id] = step;
            rows.push(TreeRow {
                place: Some(id),
                indent,
                step,
                text: self.texts[id].clone(),
                here: id == tree.at(),
                on_path: on_path[id],
            });
            let lost = behind.get(&id).into_iter().flatten().rev();
            let mut waiting: Vec<_> = lost.map(|i| (*i, indent + 1, step + 1)).collect();
            while let Some((i, indent, step)) = waiting.pop() {
                let text = shown::line(step_text(&self.lost[i].step, 0)).into();
                rows.push(TreeRow { place: None, indent, step, text, here: false, on_path: false });
                // The last of them goes on as its father did, the others are branches.
                if let Some((last, others)) = further[i].split_last() {
                    waiting.push((*last, indent, step + 1));
                    waiting.extend(others.iter().rev().map(|i| (*i, indent + 1, step + 1)));
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

/// A step of the history: what operations changed is told by the state itself, or by going back.
pub fn line(text: &StepText, step: &Step) -> String {
    let limit = if matches!(step.label.event, Event::Operation(_)) { 0 } else { 60 };
    shown::line(step_text(text, limit))
}
