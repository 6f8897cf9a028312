//! Functions from an interval to integers, or to words, as flat arrays, beside the lists of pairs that they are.
//!
//! A value has one form, and a list of pairs is what is compared, ordered and interned. Where the same
//! function is applied again and again, an array by argument is read without following a pointer for
//! each pair. It is made when a function was asked for a few times, and a few of them are kept.

use crate::value::Value;

/// Functions that have an array at one time, by their number.
const PLACES: usize = 64;

/// Questions from which on an array is made: it takes about as long as some hundred applications.
const ASKED: u32 = 16;

/// How many results make a block, of which the least and the greatest are known; as many blocks make a larger one.
const BLOCK: usize = 8;

/// The results for the integers from `low` on; or for pairs of integers, row by row.
#[derive(Clone, PartialEq, Debug)]
pub struct Flat {
    low: i64,
    /// Of pairs: the least right side, and how many there are.
    row: Option<(i64, usize)>,
    results: Box<[i64]>,
    /// Of each whole block, of each whole block of these, and so on.
    least: Box<[Box<[i64]>]>,
    greatest: Box<[Box<[i64]>]>,
}

impl Flat {
    /// The array of a total function on an interval, or on the product of two, if this is one and its results fit.
    pub fn of(function: &Value) -> Option<Flat> {
        let table = function.table()?;
        let Some(points) = table.points() else { return Flat::of_two(table.points_of_two()?) };
        let low = points.first()?[0];
        let is_whole = (0..).zip(points).all(|(i, [x, _])| x.checked_sub(low) == Some(i));
        if !is_whole {
            return None;
        }
        let results: Vec<i64> = points.iter().map(|[_, y]| *y).collect();
        let (least, greatest) = (blocks(&results, i64::min), blocks(&results, i64::max));
        Some(Flat { low, row: None, results: results.into(), least, greatest })
    }

    fn of_two(points: &[[i64; 3]]) -> Option<Flat> {
        let [low, right, _] = *points.first()?;
        let width = points.iter().take_while(|[x, ..]| *x == low).count();
        let is_next = |(i, [x, y, _]): (usize, &[i64; 3])| {
            let at = |n: i64, low: i64| n.checked_sub(low).and_then(|n| usize::try_from(n).ok());
            at(*x, low) == Some(i / width) && at(*y, right) == Some(i % width)
        };
        let is_whole = points.len().is_multiple_of(width) && points.iter().enumerate().all(is_next);
        let results = points.iter().map(|[.., z]| *z).collect();
        let (row, least, greatest) = (Some((right, width)), Box::default(), Box::default());
        is_whole.then_some(Flat { low, row, results, least, greatest })
    }

    /// The result at a pair.
    #[inline]
    pub fn get_at(&self, x: i64, y: i64) -> Option<i64> {
        let (right, width) = self.row?;
        let i = usize::try_from(x.checked_sub(self.low)?).ok()?;
        let j = usize::try_from(y.checked_sub(right)?).ok().filter(|j| *j < width)?;
        self.results.get(i.checked_mul(width)?.checked_add(j)?).copied()
    }

    /// The result at an integer.
    #[inline]
    pub fn get(&self, x: i64) -> Option<i64> {
        let i = usize::try_from(x.checked_sub(self.low)?).ok()?;
        self.results.get(i).copied()
    }

    /// The least result for the arguments from `a` to `b` that there are.
    pub fn least(&self, a: i64, b: i64) -> Option<i64> {
        self.extreme((a, b), &self.least, i64::min)
    }

    /// The greatest.
    pub fn greatest(&self, a: i64, b: i64) -> Option<i64> {
        self.extreme((a, b), &self.greatest, i64::max)
    }

    /// The one that is chosen of all, by whole blocks as far as possible.
    fn extreme(
        &self,
        (a, b): (i64, i64),
        blocks: &[Box<[i64]>],
        choose: impl Fn(i64, i64) -> i64 + Copy,
    ) -> Option<i64> {
        let place = |x: i128| (x - self.low as i128).clamp(0, self.results.len() as i128) as usize;
        let (mut from, mut to) = (place(a as i128), place(b as i128 + 1));
        if from >= to {
            return None;
        }
        let (mut results, mut larger) = (&self.results, blocks.iter());
        let mut found = results[from];
        let add = |found: &mut i64, part: &[i64]| {
            part.iter().for_each(|result| *found = choose(*found, *result));
        };
        loop {
            let (first, last) = (from.div_ceil(BLOCK), to / BLOCK);
            let Some(blocks) = larger.next().filter(|_| first < last) else {
                add(&mut found, &results[from..to]);
                return Some(found);
            };
            add(&mut found, &results[from..first * BLOCK]);
            add(&mut found, &results[last * BLOCK..to]);
            (results, from, to) = (blocks, first, last);
        }
    }
}

/// What is chosen of each whole block, of each block of blocks, and so on as long as there are some.
fn blocks(results: &[i64], choose: impl Fn(i64, i64) -> i64 + Copy) -> Box<[Box<[i64]>]> {
    let mut all: Vec<Box<[i64]>> = Vec::new();
    loop {
        let last = all.last().map_or(results, |last| last);
        let next = last.chunks_exact(BLOCK).filter_map(|block| extreme(block, choose));
        match next.collect::<Box<[i64]>>() {
            none if none.is_empty() => return all.into(),
            next => all.push(next),
        }
    }
}

fn extreme(results: &[i64], choose: impl Fn(i64, i64) -> i64) -> Option<i64> {
    results.iter().copied().reduce(choose)
}

#[derive(Clone, Default, Debug)]
struct Place {
    number: u32,
    asked: u32,
    flat: Option<Flat>,
}

/// The arrays of the functions that were asked for last, by the numbers of their values.
#[derive(Clone, Default, Debug)]
pub struct Flats {
    places: Vec<Place>,
}

impl Flats {
    /// Numbers mean something else from now on.
    pub fn forget(&mut self) {
        self.places.clear();
    }

    /// The array of the function with this number, which `value` gives.
    #[inline]
    pub fn get(&mut self, number: u32, value: impl FnOnce() -> Value) -> Option<&Flat> {
        if self.places.is_empty() {
            self.places.resize(PLACES, Place::default());
        }
        let place = &mut self.places[number as usize % PLACES];
        if place.number != number {
            *place = Place { number, asked: 0, flat: None };
        }
        if place.asked < ASKED {
            place.asked += 1;
            if place.asked == ASKED {
                place.flat = Flat::of(&value());
            }
        }
        place.flat.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn function(points: &[(i64, i64)]) -> Value {
        let pair = |(x, y): &(i64, i64)| Value::Pair(Arc::new((Value::Int(*x), Value::Int(*y))));
        Value::set(points.iter().map(pair).collect())
    }

    proptest! {
        #[test]
        fn an_array_has_the_points_of_its_list(
            low in -5i64..5,
            results in prop::collection::vec(-20i64..20, 1..150),
            a in -8i64..160,
            b in -8i64..160,
        ) {
            let points: Vec<(i64, i64)> = (low..).zip(results).collect();
            let flat = Flat::of(&function(&points)).expect("it is total on an interval");
            for x in -10..165 {
                let listed = points.iter().find(|(at, _)| *at == x).map(|(_, y)| *y);
                prop_assert_eq!(flat.get(x), listed);
            }
            let listed: Vec<i64> =
                points.iter().filter(|(x, _)| a <= *x && *x <= b).map(|(_, y)| *y).collect();
            prop_assert_eq!(flat.least(a, b), listed.iter().copied().min());
            prop_assert_eq!(flat.greatest(a, b), listed.into_iter().max());
        }
    }

    #[test]
    fn pairs_of_numbers_are_read_row_by_row() {
        let of = |points: &[(i64, i64)]| {
            let number = |n: i64| Value::Int(n);
            let pair = |a: Value, b: Value| Value::Pair(Arc::new((a, b)));
            let point = |(x, y): &(i64, i64)| pair(pair(number(*x), number(*y)), number(x * y));
            Flat::of(&Value::set(points.iter().map(point).collect()))
        };
        let all: Vec<(i64, i64)> = (-1..4).flat_map(|x| (2..5).map(move |y| (x, y))).collect();
        let flat = of(&all).expect("it is total on a product");
        for (x, y) in (-4..7).flat_map(|x| (-2..9).map(move |y| (x, y))) {
            let is_point = (-1..4).contains(&x) && (2..5).contains(&y);
            assert_eq!(flat.get_at(x, y), is_point.then_some(x * y), "{x}, {y}");
        }
        assert_eq!(flat.get_at(i64::MAX, i64::MIN), None);
        for left_out in 0..all.len() {
            let mut some = all.clone();
            some.remove(left_out);
            assert_eq!(of(&some), None, "{left_out}");
        }
    }

    #[test]
    fn what_is_no_function_on_an_interval_has_no_array() {
        for points in [&[][..], &[(1, 2), (3, 4)], &[(1, 2), (1, 3)], &[(1, 2), (2, 3), (2, 4)]] {
            assert_eq!(Flat::of(&function(points)), None, "{points:?}");
        }
        assert_eq!(Flat::of(&Value::Word(3)), None);
        let ends = [(i64::MAX - 1, 5), (i64::MAX, 6)];
        let flat = Flat::of(&function(&ends)).expect("it is total on an interval");
        assert_eq!(flat.least(i64::MIN, i64::MAX), Some(5));
        assert_eq!(flat.greatest(i64::MIN, i64::MAX), Some(6));
        assert_eq!((flat.get(i64::MAX), flat.get(i64::MIN)), (Some(6), None));
    }

    #[test]
    fn arrays_are_made_for_what_is_asked_for_again_and_again() {
        let value = |n: u32| function(&[(1, i64::from(n))]);
        let mut flats = Flats::default();
        for _ in 0..ASKED - 1 {
            assert_eq!(flats.get(0, || value(0)), None);
        }
        assert_eq!(flats.get(0, || value(0)).and_then(|f| f.get(1)), Some(0));
        assert_eq!(flats.get(0, || unreachable!("it is made")).and_then(|f| f.get(1)), Some(0));
        let other = PLACES as u32;
        assert_eq!(flats.get(other, || value(other)), None);
        assert_eq!(flats.get(0, || value(0)), None, "the other one took its place");
    }
}
