//! Why a partial order reduction follows the instances that it follows in one state, in words.

use super::analysis::Words;
use super::counted;
use crate::independence::Analysis;
use crate::independence::choose::Explained;
use crate::independence::pattern::{Instance, Pattern};
use crate::independence::sets::{Failed, Step};
use crate::setup::Model;
use crate::source::Sources;

/// What a reduction does in one state.
#[derive(Clone, PartialEq, Debug)]
pub struct Followed {
    /// One line: how many of how many are followed.
    pub title: String,
    /// The instances that are followed, and those that may wait.
    pub chosen: Vec<String>,
    pub waiting: Vec<String>,
    /// Why, line by line.
    pub why: Vec<String>,
}

/// What is known of one state.
pub struct Teller<'a> {
    words: Words<'a>,
    analysis: &'a Analysis,
    enabled: &'a [Instance],
}

impl<'a> Teller<'a> {
    pub fn new(
        (model, sources): (&'a Model, &'a Sources),
        analysis: &'a Analysis,
        enabled: &'a [Instance],
    ) -> Teller<'a> {
        Teller { words: Words::new(model, sources), analysis, enabled }
    }

    /// That everything is followed, for a reason that has nothing to do with sets.
    pub fn all(&self, why: &str) -> Followed {
        Followed {
            title: self.everything(),
            chosen: (0..self.enabled.len()).map(|i| self.instance(i)).collect(),
            waiting: Vec::new(),
            why: vec![why.to_owned()],
        }
    }

    /// What was chosen, and why.
    pub fn tell(&self, explained: &Explained) -> Followed {
        let Some(chosen) = &explained.chosen else {
            let why = explained.failed.iter().map(|(seed, why)| self.failed(*seed, why));
            return Followed { why: distinct(why), ..self.all("") };
        };
        let n = chosen.members.len();
        let verb = if n == 1 { "is" } else { "are" };
        let all = counted(self.enabled.len(), "enabled instance");
        let (members, waiting): (Vec<usize>, Vec<usize>) =
            (0..self.enabled.len()).partition(|i| chosen.members.contains(i));
        let others = members.iter().filter(|i| **i != chosen.seed);
        let first = std::iter::once(chosen.seed).chain(others.copied());
        Followed {
            title: format!("{n} of {all} {verb} followed"),
            chosen: first.map(|i| self.instance(i)).collect(),
            waiting: waiting.into_iter().map(|i| self.instance(i)).collect(),
            why: self.why(chosen.seed, &members, &explained.steps),
        }
    }

    fn everything(&self) -> String {
        match self.enabled.len() {
            0 => "nothing is enabled".to_owned(),
            1 => "the only enabled instance is followed".to_owned(),
            n => format!("all {n} enabled instances are followed"),
        }
    }

    fn why(&self, seed: usize, members: &[usize], steps: &[Step]) -> Vec<String> {
        let it = if members.len() == 1 { "it" } else { "them" };
        let chosen = format!("chosen from {}", self.instance(seed));
        let mut lines = Vec::new();
        if members.len() == 1 {
            lines.push(format!("{chosen}: independent of all others that are enabled"));
        } else {
            lines.push(format!("{chosen}: the others depend on it, or may lead to what does"));
        }
        let told = steps.iter().filter_map(|step| match step {
            Step::Depend { on, pattern, link } => {
                let other = members
                    .iter()
                    .find(|i| **i != *on && **i != seed && pattern.contains(&self.enabled[**i]))?;
                let operations = &self.analysis.relations.operations;
                let (a, b) = (self.enabled[*on].operation, pattern.operation);
                let why = self.words.reason(&operations[a], &operations[b], link);
                Some(format!("{} depends on {}: {why}", self.instance(*other), self.instance(*on)))
            }
            Step::Disabled { pattern, conjunct, enablers } => {
                // One that is chosen stays enabled until it is carried out.
                let alone = members.iter().any(|i| self.enabled[*i].pattern() == *pattern);
                (!alone).then(|| self.disabled(pattern, *conjunct, enablers, it))
            }
        });
        lines.extend(distinct(told));
        lines
    }

    fn disabled(
        &self,
        pattern: &Pattern,
        conjunct: Option<usize>,
        enablers: &[Pattern],
        it: &str,
    ) -> String {
        let name = self.pattern(pattern);
        let by = distinct(enablers.iter().map(|p| self.pattern(p)));
        let operation = &self.analysis.relations.operations[pattern.operation];
        let condition = conjunct.map(|i| self.words.condition(&operation.guard[i]));
        match (condition, by.is_empty()) {
            (Some(text), true) => format!("{name} is disabled for ever: {text} is false"),
            (None, true) => format!("{name}, where it is disabled, stays so"),
            (Some(text), false) => format!(
                "{name} cannot be enabled without {it}: {text} is false, and only {} can change that",
                by.join(" or ")
            ),
            (None, false) => {
                format!("{name} cannot be enabled without {it}: only by {}", by.join(" or "))
            }
        }
    }

    fn failed(&self, seed: usize, why: &Failed) -> String {
        let name = self.instance(seed);
        match why {
            Failed::Visible(i) => {
                let operation = self.enabled[*i].operation;
                let visible = self.analysis.visible[operation].as_ref();
                let of = &self.analysis.relations.operations[operation];
                let text = visible.map(|v| self.words.visible(of, v)).unwrap_or_default();
                self.goes_with(seed, *i, &text)
            }
            Failed::Idle(i) => {
                self.goes_with(seed, *i, "it changes nothing, and all others would wait for ever")
            }
            Failed::Whole => format!("with {name} goes everything that is enabled"),
            Failed::Larger => format!("a set with {name} is no smaller"),
            Failed::Chain(i) => {
                let other = self.instance(*i);
                format!("{name} alone will not do: {other} may lead to what depends on it")
            }
        }
    }

    /// Why there is no set with one instance: another, or itself, that is in none.
    fn goes_with(&self, seed: usize, other: usize, why: &str) -> String {
        let name = self.instance(seed);
        match seed == other {
            true => format!("{name}: {why}"),
            false => format!("{name} goes with {}: {why}", self.instance(other)),
        }
    }

    fn instance(&self, i: usize) -> String {
        self.pattern(&self.enabled[i].pattern())
    }

    /// An operation with its arguments, `_` for any.
    fn pattern(&self, pattern: &Pattern) -> String {
        let operation = &self.analysis.relations.operations[pattern.operation];
        if operation.parameters.is_empty() {
            return operation.name.to_string();
        }
        let instance = &self.words.model().instance;
        let arguments = operation.parameters.iter().zip(&pattern.bound).map(|(id, value)| {
            let printed =
                value.as_ref().map(|v| instance.printed_locals(&[*id], std::slice::from_ref(v)));
            printed.and_then(|mut one| one.pop()).unwrap_or_else(|| "_".to_owned())
        });
        format!("{}({})", operation.name, arguments.collect::<Vec<_>>().join(", "))
    }
}

/// Each line once, in their order.
fn distinct(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in lines {
        if !all.contains(&line) {
            all.push(line);
        }
    }
    all
}
