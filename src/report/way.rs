//! Whether there is a way to a state that somebody wants to see, in words.

use super::steps::StepText;
use super::{counted, grouped};

/// What a search for such a state has come to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Way {
    /// The steps to the nearest one, from where the search began.
    pub steps: Option<Vec<StepText>>,
    /// Every state that can be reached was seen.
    pub complete: bool,
    /// What limited the search, in words.
    pub bounds: Vec<String>,
    /// Why there was nothing to search, or no run to what was found.
    pub problem: Option<String>,
    /// States that were seen.
    pub states: u64,
    /// How many of each orbit these are, in a word, where they are not all.
    pub of_each_orbit: Option<&'static str>,
    pub seconds: f64,
    /// What is in the way, and in how many of the states that were looked at.
    pub blocked: Vec<(String, u64)>,
    pub looked_at: u64,
}

/// Most steps that are told on the line of a way.
const TOLD: usize = 12;

impl Way {
    /// The answer, then what belongs to it.
    pub fn lines(&self) -> Vec<String> {
        if let Some(problem) = &self.problem {
            return vec![format!("not known: {problem}")];
        }
        if let Some(steps) = &self.steps {
            if steps.is_empty() {
                return vec!["here already: no step is needed".to_owned()];
            }
            let told = steps.iter().take(TOLD).map(StepText::label);
            let told: Vec<String> = told.collect();
            let more = if steps.len() > TOLD { ", …" } else { "" };
            let told = told.join(", ");
            return vec![format!("yes, {} from here: {told}{more}", counted(steps.len(), "step"))];
        }
        let what = match self.of_each_orbit {
            Some(some) => format!("states ({some} of each orbit)"),
            None => "states".to_owned(),
        };
        let states = grouped(self.states);
        let mut lines = vec![match self.complete {
            true => format!("no: none of all {states} {what} that can be reached from here"),
            false => format!("not among {states} {what}, and there may be more"),
        }];
        lines.extend(self.bounds.iter().map(|bound| format!("    {bound}")));
        let seen = grouped(self.looked_at);
        let of = match self.looked_at == self.states {
            true => "of them".to_owned(),
            false => format!("of the first {seen}"),
        };
        for (what, n) in &self.blocked {
            let all = *n == self.looked_at;
            let n = if all { "all".to_owned() } else { grouped(n) };
            lines.push(format!("    {what} in {n} {of}"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_seen_is_not_denied() {
        let way = Way {
            states: 1200,
            bounds: vec!["interrupted".to_owned()],
            blocked: vec![("x > 7 is false".to_owned(), 40), ("y = 1 is false".to_owned(), 100)],
            looked_at: 100,
            ..Way::default()
        };
        assert_eq!(
            way.lines(),
            [
                "not among 1,200 states, and there may be more",
                "    interrupted",
                "    x > 7 is false in 40 of the first 100",
                "    y = 1 is false in all of the first 100",
            ]
        );
        let way = Way { complete: true, states: 3, looked_at: 3, bounds: Vec::new(), ..way };
        assert_eq!(way.lines()[0], "no: none of all 3 states that can be reached from here");
        assert_eq!(way.lines()[1], "    x > 7 is false in 40 of them");
    }
}
