//! The transitions of a place as texts. There may be a hundred thousand: a text is made when it is
//! looked at.

use super::engine::step_text;
use super::files::Place as SourcePlace;
use super::shown;
use crate::machine::{OpId, Type};
use crate::report::grouped;
use crate::report::steps::StepText;
use crate::run::Event;
use crate::session::Animator;
use crate::session::alike::{Kind, Kinds};
use crate::session::animator::{Enabled, Listed};
use crate::state::Instance;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The transitions out of one place, operation by operation.
#[derive(Clone, Debug)]
pub struct Listing {
    instance: Arc<Instance>,
    enabled: Arc<Enabled>,
    /// Which of them names alone tell apart.
    pub kinds: Option<Kinds>,
    /// The texts of those that only their targets tell apart.
    told: BTreeMap<usize, String>,
    pub groups: Vec<Group>,
}

/// The transitions of one operation, or all set-ups or initialisations.
#[derive(Clone, Debug)]
pub struct Group {
    pub name: String,
    /// `None` for set-up and initialisation.
    pub operation: Option<OpId>,
    pub numbers: Range<usize>,
    /// Instances that end in a state error.
    pub failing: usize,
    pub listed: Listed,
    /// Where the operation is declared, in the texts of the machine.
    pub declared: Option<SourcePlace>,
}

/// Most transitions whose changes are told with them because nothing else tells them apart.
const TOLD: usize = 10_000;

impl Listing {
    /// The transitions where an animator stands; `declared` says where an operation is declared, or with
    /// `None` what comes before the first one.
    pub fn new(
        animator: &mut Animator,
        declared: impl Fn(Option<OpId>) -> Option<SourcePlace>,
    ) -> Listing {
        let enabled = animator.enabled().clone();
        let instance = animator.model().instance.clone();
        let mut groups: Vec<Group> = Vec::new();
        for part in enabled.parts() {
            let failing = enabled.faults.iter().filter(|f| f.operation == part.operation).count();
            groups.push(Group {
                name: shown::line(&*instance.machine.operation(part.operation).name),
                operation: Some(part.operation),
                numbers: part.numbers.clone(),
                failing,
                listed: part.listed,
                declared: declared(Some(part.operation)),
            });
        }
        if groups.is_empty() && !enabled.is_empty() {
            let step = animator.short_label(0);
            let event = step.map_or(Event::Initialisation, |step| step.label.event);
            groups.push(Group {
                name: event.name(&instance.machine).to_owned(),
                operation: None,
                numbers: 0..enabled.len(),
                failing: 0,
                listed: Listed::Whole,
                declared: declared(None),
            });
        }
        let kinds = animator.kinds();
        let mut listing = Listing { instance, enabled, kinds, told: BTreeMap::new(), groups };
        let numbers: Vec<usize> = listing.ambiguous().take(TOLD).collect();
        for i in numbers {
            let step = animator.label(i).map(|step| StepText::of(&listing.instance, &step));
            let text = step.map(|step| shown::line(step_text(&step, usize::MAX)));
            listing.told.extend(text.map(|text| (i, text)));
        }
        listing
    }

    /// Those that have the same label as a neighbour, and set-ups and initialisations.
    fn ambiguous(&self) -> impl Iterator<Item = usize> + '_ {
        let same = |i: usize, j: usize| {
            let label = |i| self.enabled.label(&self.instance, i);
            self.enabled.operation(i).is_none() || label(i) == label(j)
        };
        let n = self.len();
        (0..n).filter(move |i| {
            self.enabled.operation(*i).is_none()
                || self.enabled.is_one_of_several(*i)
                    && (*i + 1 < n && same(*i, *i + 1) || *i > 0 && same(*i, *i - 1))
        })
    }

    pub fn len(&self) -> usize {
        self.enabled.len()
    }

    pub fn is_empty(&self) -> bool {
        self.enabled.is_empty()
    }

    /// A transition as it would be written.
    pub fn text(&self, i: usize) -> String {
        if let Some(text) = self.told.get(&i) {
            return text.clone();
        }
        match self.enabled.label(&self.instance, i) {
            Some(label) => {
                shown::line(step_text(&StepText::of_label(&self.instance, &label), usize::MAX))
            }
            None => String::new(),
        }
    }

    /// The kind of a transition, where there are others of its kind.
    pub fn kind(&self, i: usize) -> Option<&Kind> {
        self.kinds.as_ref()?.of(i).filter(|kind| kind.members.len() > 1)
    }

    /// The transitions among these that stand for their kinds.
    pub fn firsts(&self, numbers: Range<usize>) -> Vec<usize> {
        match &self.kinds {
            Some(kinds) => kinds.firsts(numbers).collect(),
            None => numbers.collect(),
        }
    }

    /// A kind of transitions on one line: `add(Name*, Code1)`, where `Name*` is any of several.
    pub fn kind_text(&self, kind: &Kind) -> String {
        let first = kind.members[0] as usize;
        let of_one_kind = format!(": {}, one kind", grouped(kind.members.len()));
        let label = self.enabled.label(&self.instance, first);
        let Some((label, Event::Operation(id))) = label.map(|label| (label.clone(), label.event))
        else {
            let text = self.text(first);
            let (name, values) = text.split_once("  ").unwrap_or((&text, ""));
            return format!("{name}{of_one_kind}  {values}");
        };
        let operation = self.instance.machine.operation(id);
        let mut text = StepText::of_label(&self.instance, &label);
        let places = operation.parameters.iter().zip(&mut text.arguments);
        let places = places.chain(operation.results.iter().zip(&mut text.results));
        for ((id, value), _) in places.zip(&kind.varies).filter(|(_, varies)| **varies) {
            *value = match self.instance.machine.local(*id).ty {
                Type::Set(set) => format!("{}*", self.instance.machine.set(set).name),
                _ => "*".to_owned(),
            };
        }
        shown::line(step_text(&text, 0)) + &of_one_kind
    }

    /// The group of a transition.
    pub fn group(&self, i: usize) -> Option<&Group> {
        // They follow each other.
        let at = self.groups.partition_point(|group| group.numbers.end <= i);
        self.groups.get(at).filter(|group| group.numbers.contains(&i))
    }
}
