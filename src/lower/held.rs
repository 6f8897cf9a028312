//! The last result of a formula in a loop that gives nothing new to it, by the very values that it was computed from.
//!
//! Values are compared by identity: a set that was made anew is another one, and is not looked into.

use super::trial::{Asks, Trial};
use crate::value::Value;
use smallvec::SmallVec;

/// The words and the values of locals that a result was computed from.
#[derive(Clone, Default)]
pub struct From {
    pub words: SmallVec<[u64; 4]>,
    pub values: SmallVec<[Value; 2]>,
}

/// The last result.
pub struct Held<T> {
    last: Option<(From, T)>,
    trial: Trial,
}

impl<T> Default for Held<T> {
    fn default() -> Held<T> {
        Held { last: None, trial: Trial::default() }
    }
}

impl<T: Clone> Held<T> {
    /// The last result, if it was computed from the same: `None` where it rests, and nobody is to tell it the result.
    pub fn ask(&mut self, words: &[u64], same: impl FnOnce(&[Value]) -> bool) -> Option<Option<T>> {
        match self.trial.ask() {
            Asks::Looks => {}
            Asks::Rests => return None,
            Asks::Ends => {
                self.last = None;
                return None;
            }
        }
        match &self.last {
            Some((from, result)) if from.words[..] == *words && same(&from.values) => {
                self.trial.has_answered();
                Some(Some(result.clone()))
            }
            _ => Some(None),
        }
    }

    pub fn hold(&mut self, from: From, result: T) {
        self.last = Some((from, result));
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::{REST, TRIAL};
    use super::*;

    fn ask(held: &mut Held<u64>, words: &[u64], value: &Value) -> Option<Option<u64>> {
        held.ask(words, |known| known.len() == 1 && known[0].is_same(value))
    }

    #[test]
    fn the_last_result_is_that_of_the_very_same_values() {
        let mut held = Held::default();
        let set = Value::set(vec![Value::Int(1)]);
        let alike = Value::set(vec![Value::Int(1)]);
        assert_eq!(ask(&mut held, &[7], &set), Some(None));
        let from =
            From { words: [7].into_iter().collect(), values: [set.clone()].into_iter().collect() };
        held.hold(from, 3);
        assert_eq!(ask(&mut held, &[7], &set), Some(Some(3)));
        assert_eq!(ask(&mut held, &[8], &set), Some(None));
        assert_eq!(ask(&mut held, &[7], &alike), Some(None));
        assert_eq!(ask(&mut held, &[7], &set.clone()), Some(Some(3)));
    }

    #[test]
    fn it_rests_where_nothing_comes_again() {
        let mut held = Held::default();
        let value = Value::Int(5);
        let first = (0..).find(|i| {
            let asked = ask(&mut held, &[*i], &value);
            let from = From { words: [*i].into_iter().collect(), ..From::default() };
            held.hold(from, *i);
            asked.is_none()
        });
        assert_eq!(first, Some(u64::from(TRIAL)));
        let rested = (0..2 * REST).take_while(|_| ask(&mut held, &[0], &value).is_none()).count();
        assert_eq!(rested as u32, REST);
    }
}
