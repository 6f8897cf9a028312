//! The machines that are part of the program, for whoever has none at hand.

use super::input::Input;

/// A machine, and what one sees there.
pub struct Example {
    /// Of its file.
    pub name: &'static str,
    pub line: &'static str,
    text: &'static str,
}

macro_rules! examples {
    ($($name:literal: $line:literal),* $(,)?) => {
        &[$(Example { name: $name, line: $line, text: include_str!(concat!("../../models/", $name)) }),*]
    };
}

/// In the order of a first walk.
pub const EXAMPLES: &[Example] = examples! {
    "phonebook.mch": "names and codes that are alike: one state stands for many",
    "phonebook_err.mch": "the same with a fault: a counterexample to walk along",
    "library.mch": "two symmetric sets, and a choice that is nobody's argument",
    "scheduler.mch": "processes in sets: waiting, ready, active",
    "scheduler0.mch": "processes by their status: states that are three numbers",
    "dining_philosophers.mch": "a deadlock, and a table that is found before the first step",
    "russian_postal_puzzle.mch": "a puzzle: the goal is a way to send a gem",
    "peterson.mch": "mutual exclusion: a protocol for as many as you like",
    "token_ring.mch": "rings of every length beside each other",
    "email.mch": "clients that hold clients: matrices with cells off the diagonal",
    "committees.mch": "sets of sets: hypergraphs up to the names of people",
    "network.mch": "who knows whom: each complete network is a deadlock",
    "concurrent_counters.mch": "steps that hardly depend on each other: partial order reduction",
    "queens.mch": "constants found by propagation: each solution is a set-up",
    "sudoku.mch": "the same, with one solution",
    "trap_named_element.mch": "a set that looks symmetric and is not quite",
};

impl Example {
    pub fn input(&self) -> Input {
        Input::embedded(self.name, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::setup::SetupOptions;

    #[test]
    fn each_is_a_machine_and_says_in_one_line_what_it_shows() {
        for example in EXAMPLES {
            let session =
                example.input().open(SetupOptions::default(), &Clock::limited(None, None));
            assert!(session.diagnostics().iter().all(|d| !d.is_error()), "{}", example.name);
            assert!(session.good().is_some(), "{}", example.name);
            let width = example.name.len() + example.line.chars().count();
            assert!(width < 92 && example.line.chars().count() <= 65, "{}", example.name);
        }
    }
}
