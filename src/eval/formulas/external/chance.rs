//! Chance that is the same in every run, and hashes.
//!
//! What a function of chance gives depends on the seed, its name and its arguments, and on nothing else: it
//! is a function as any other, and a search that asks for it in two states is told the same.

use super::{Call, LONGEST, big, string};
use crate::value::{Value, sequence};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use sha1::{Digest, Sha1};
use std::fmt::Write;

/// The argument as it is written, which is the same in every run.
fn written(c: &Call, i: usize, v: &Value) -> String {
    c.names.show(&c.types[i], v)
}

/// A hash of bytes (FNV-1a, its bits mixed once more).
fn mixed(bytes: &[u8], seed: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    finished(bytes.iter().fold(start, step))
}

fn finished(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The draws of one call, one after the other.
struct Draws(u64);

impl Draws {
    fn of(c: &Call, a: &[Value]) -> Draws {
        let mut told = c.name.to_owned();
        for (i, v) in a.iter().enumerate() {
            let _ = write!(told, "|{}", written(c, i, v));
        }
        Draws(mixed(told.as_bytes(), c.outside.seed))
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        finished(self.0)
    }

    /// A number below this one.
    fn below(&mut self, n: &BigInt) -> BigInt {
        let words = n.bits() / 64 + 2;
        let drawn = (0..words).fold(BigInt::zero(), |found, _| (found << 64u32) + self.draw());
        drawn % n
    }

    fn index(&mut self, n: usize) -> usize {
        self.below(&BigInt::from(n)).to_usize().unwrap_or(0)
    }

    fn shuffled(&mut self, mut items: Vec<Value>) -> Vec<Value> {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
        items
    }
}

/// `RANDOM(low, high)`: a number from `low` to below `high`.
pub(super) fn number(c: &Call, a: &[Value]) -> Option<Value> {
    let (low, high) = (big(&a[0]), big(&a[1]));
    let range = high - &low;
    range.is_positive().then(|| Value::integer(low + Draws::of(c, a).below(&range)))
}

/// `NORMAL(mean, deviation)`: a number that is distributed like the sum of many.
pub(super) fn normal(c: &Call, a: &[Value]) -> Option<Value> {
    let (mean, deviation) = (big(&a[0]), big(&a[1]).to_f64()?);
    let mut draws = Draws::of(c, a);
    let unit = |draw: u64| (draw >> 11) as f64 / (1u64 << 53) as f64;
    let sum: f64 = (0..12).map(|_| unit(draws.draw())).sum();
    let off = (deviation * (sum - 6.0)).round();
    (off.abs() < 1e15).then(|| Value::integer(mean + off as i64))
}

/// `random_numset(n, low, high)`: a set of `n` numbers from `low` to `high`.
pub(super) fn numbers(c: &Call, a: &[Value]) -> Option<Value> {
    let (low, high) = (big(&a[1]), big(&a[2]));
    let (wanted, range) = (big(&a[0]).to_usize()?, high - &low + 1);
    if wanted > LONGEST / 64 || BigInt::from(wanted) > range {
        return None;
    }
    // The wanted ones of all, each with the same chance: a draw that was there before stands for the last.
    let mut draws = Draws::of(c, a);
    let mut found = std::collections::BTreeSet::new();
    for i in 0..wanted {
        let last = &range - wanted + i;
        let drawn = draws.below(&(&last + 1));
        if !found.insert(drawn) {
            found.insert(last);
        }
    }
    Some(c.result.collect(found.into_iter().map(|n| Value::integer(n + &low))))
}

pub(super) fn member(c: &Call, a: &[Value]) -> Option<Value> {
    let members: Vec<Value> = c.shapes[0].members(&a[0]).collect();
    let chosen = Draws::of(c, a).index(members.len().max(1));
    members.into_iter().nth(chosen)
}

pub(super) fn subset(c: &Call, a: &[Value]) -> Option<Value> {
    let mut draws = Draws::of(c, a);
    let members = c.shapes[0].members(&a[0]).filter(|_| draws.draw() >> 63 == 1);
    Some(c.result.collect(members.collect::<Vec<_>>()))
}

pub(super) fn ordering(c: &Call, a: &[Value]) -> Option<Value> {
    let members = c.shapes[0].members(&a[0]).collect();
    Some(sequence::from_items(&c.result, Draws::of(c, a).shuffled(members)))
}

pub(super) fn permutation(c: &Call, a: &[Value]) -> Option<Value> {
    let items = sequence::items(&c.shapes[0], &a[0])?;
    Some(sequence::from_items(&c.result, Draws::of(c, a).shuffled(items)))
}

// ---- hashes

/// A number for each value, the same in every run.
pub(super) fn hash(c: &Call, a: &[Value]) -> Option<Value> {
    Some(Value::integer(mixed(written(c, 0, &a[0]).as_bytes(), 0).into()))
}

pub(super) fn sha(bytes: &[u8]) -> Vec<u8> {
    Sha1::digest(bytes).to_vec()
}

pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// SHA-1 of a value as it is written.
pub(super) fn sha_hex(c: &Call, a: &[Value]) -> Option<Value> {
    string(hex(&sha(written(c, 0, &a[0]).as_bytes())))
}

pub(super) fn sha_bytes(c: &Call, a: &[Value]) -> Option<Value> {
    let bytes = sha(written(c, 0, &a[0]).as_bytes());
    let items = bytes.into_iter().map(|byte| Value::Int(i64::from(byte))).collect();
    Some(sequence::from_items(&c.result, items))
}
