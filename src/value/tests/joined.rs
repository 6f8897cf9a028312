//! Unions of many sets.

use super::*;
use crate::value::{GivenUp, Joined, Meter};

/// Counts what it is told.
#[derive(Default)]
struct Counter {
    work: usize,
    most: usize,
}

impl Meter for Counter {
    fn spent(&mut self, work: usize, members: usize) -> Result<(), GivenUp> {
        self.work += work;
        self.most = self.most.max(members);
        Ok(())
    }
}

fn numbers(shape: &Shape, of: std::ops::Range<i64>) -> Value {
    shape.collect(of.map(Value::Int))
}

#[test]
fn each_member_is_moved_a_few_times() {
    let shape = Shape::Set(Shape::Integer.into());
    for sets in [0, 1, 2, 3, 1000, 1024] {
        let (mut joined, mut counter) = (Joined::default(), Counter::default());
        for i in 0..sets {
            let set = numbers(&shape, 10 * i..10 * i + 10);
            joined.add(&shape, set, &mut counter).expect("goes on");
        }
        let all = joined.all(&shape, &mut counter).expect("goes on");
        assert_eq!(all, numbers(&shape, 0..10 * sets));
        assert!(counter.work <= 10 * sets as usize * 11, "{sets}: {}", counter.work);
        assert!(counter.most <= 10 * sets as usize);
    }
}

#[test]
fn sets_that_overlap_are_one() {
    let shape = Shape::Set(Shape::Integer.into());
    let (mut joined, mut counter) = (Joined::default(), Counter::default());
    for i in 0..100 {
        joined.add(&shape, numbers(&shape, 0..i), &mut counter).expect("goes on");
    }
    assert_eq!(joined.all(&shape, &mut counter), Ok(numbers(&shape, 0..99)));
    assert_eq!(counter.most, 99);
}
