//! The last result of a formula in a loop that gives nothing new to it, by the very values that it was computed from.
//!
//! Values are compared by identity: a set that was made anew is another one, and is not looked into.

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
    asked: u32,
    answered: u32,
    rest: u32,
}

/// Questions after which it can be told whether it is of use, and for which it rests where it is not.
const TRIAL: u32 = 1 << 10;
const REST: u32 = 1 << 16;

impl<T> Default for Held<T> {
    fn default() -> Held<T> {
        Held { last: None, asked: 0, answered: 0, rest: 0 }
    }
}

impl<T: Clone> Held<T> {
    /// The last result, if it was computed from the same: `None` where it rests, and nobody is to tell it the result.
    pub fn ask(&mut self, words: &[u64], same: impl FnOnce(&[Value]) -> bool) -> Option<Option<T>> {
        if self.rest > 0 {
            self.rest -= 1;
            return None;
        }
        if self.asked == TRIAL {
            if self.answered < TRIAL / 4 {
                *self = Held { rest: REST, ..Held::default() };
                return None;
            }
            (self.asked, self.answered) = (0, 0);
        }
        self.asked += 1;
        match &self.last {
            Some((from, result)) if from.words[..] == *words && same(&from.values) => {
                self.answered += 1;
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
