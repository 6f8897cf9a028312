//! What was done, kept over edits: every branch is replayed on the new machine, and what it no longer
//! does is remembered until it does it again.

use super::engine::step_text;
use super::shown;
use crate::report::steps::StepText;
use crate::run::{Event, Step};
use crate::session::Animator;
use crate::session::reading::Follower;
use crate::session::tree::{PlaceId, Tree};
use rustc_hash::FxHashMap;
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
    /// Which of them come after a place, or after another lost one.
    behind: FxHashMap<At, Vec<usize>>,
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// Number of all steps.
    pub fn count(&self) -> usize {
        self.steps.len()
    }

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

    /// Replays what was written on another machine, and stands where the user stood, as far as that goes
    /// or until it is cancelled. Tells of each step how many there were before. Gives the number of steps
    /// to where the user stood that were replayed.
    pub fn replay(
        &mut self,
        animator: &mut Animator,
        written: &Written,
        tell: &mut dyn FnMut(usize),
    ) -> usize {
        *self = Past::default();
        let instance = animator.model().program.instance.clone();
        let mut follower = Follower::new(&instance);
        let mut now: Vec<At> = Vec::with_capacity(written.steps.len());
        let cancelled = animator.cancelled();
        for (n, Noted { after, step }) in written.steps.iter().enumerate() {
            tell(n);
            let after = after.map_or(At::Place(0), |before| now[before]);
            let led = match after {
                At::Place(place) if animator.cancelled() == cancelled => {
                    animator.go_to(place);
                    follower.follow(animator, step).then(|| animator.tree().at())
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
        let others = self.behind.entry(after).or_default();
        let known = others.iter().copied().find(|lost| self.lost[*lost].step == *step);
        known.unwrap_or_else(|| {
            let number = self.lost.len();
            others.push(number);
            self.lost.push(Lost { after, step: step.clone() });
            number
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
            let lost = self.behind.get(&At::Place(id)).into_iter().flatten().rev();
            let mut waiting: Vec<_> = lost.map(|i| (*i, indent + 1, step + 1)).collect();
            while let Some((i, indent, step)) = waiting.pop() {
                let text = shown::line(step_text(&self.lost[i].step, 0)).into();
                rows.push(TreeRow { place: None, indent, step, text, here: false, on_path: false });
                // The last of them goes on as its father did, the others are branches.
                let further = self.behind.get(&At::Lost(i)).and_then(|all| all.split_last());
                if let Some((last, others)) = further {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Canceller, Origin, Session, TimeLimits};
    use crate::setup::SetupOptions;

    #[test]
    fn a_replay_ends_when_it_is_cancelled_and_loses_nothing() {
        let text = "MACHINE m VARIABLES x INVARIANT x : 0..9 INITIALISATION x := 0
            OPERATIONS up = PRE x < 9 THEN x := x + 1 END END";
        let origin = Origin::Embedded { name: "m.mch".to_owned(), text: text.to_owned() };
        let session = Session::open(origin, SetupOptions::default());
        let good = session.good().unwrap();
        let canceller = Canceller::default();
        let animator = || {
            let (model, sources) = (good.model.clone(), good.sources.clone());
            Animator::watched(model, sources, TimeLimits::default(), canceller.clone())
        };
        let mut first = animator();
        while first.step(0) {}
        let mut past = Past::default();
        let written = past.written(&first);
        assert_eq!((written.count(), written.depth()), (10, 10));
        let (mut second, mut told) = (animator(), Vec::new());
        let done = past.replay(&mut second, &written, &mut |n| {
            told.push(n);
            if n == 4 {
                canceller.cancel();
            }
        });
        assert_eq!((done, told.len()), (4, 10));
        // The rest is told of as lost, and comes back the next time.
        let rows = past.rows(&second);
        assert_eq!(rows.iter().filter(|row| row.place.is_none()).count(), 6);
        let written = past.written(&second);
        let done = past.replay(&mut animator(), &written, &mut |_| {});
        assert_eq!(done, 10);
    }
}
