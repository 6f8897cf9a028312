//! Relations and functions: the operators of B on them.
//!
//! Arguments named `rel`, `set`, `out` are the shapes of the *sets* that go in and come out. A
//! relation over finite universes is a bit matrix: row `x` holds the partners of `x` and takes
//! `|right|` bits from bit `x * |right|` on. There the operators work by rows, a word at a time.
//! Any other relation is a sorted list of pairs; as pairs sort by their left side first, the
//! partners of one element lie together and are found by binary search.

use super::set::low_bits;
use super::shape::{Index, IndexKind, Shape};
use super::value::Value;
use crate::machine::BinaryOp;
use smallvec::{SmallVec, smallvec};
use std::cmp::Ordering;
use std::sync::Arc;

/// Bits of a result under construction; one word stays off the heap.
type Words = SmallVec<[u64; 2]>;

/// Why `f(x)` has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ApplyError {
    /// `x` has no partner.
    OutsideDomain,
    /// `x` has several partners.
    NotFunctional,
}

// ---------------------------------------------------------------------------------------------
// Representations

/// A bit matrix, neither side of which is empty.
#[derive(Clone, Copy)]
struct Grid<'a> {
    rows: usize,
    width: usize,
    words: &'a [u64],
}

/// A sorted list of pairs; `width` is the size of the right universe where pairs are indices.
#[derive(Clone, Copy)]
struct List<'a> {
    width: u64,
    items: &'a [Value],
}

enum Rep<'a> {
    Grid(Grid<'a>),
    List(List<'a>),
}

fn pair_sizes(universe: &Index) -> (usize, usize) {
    match &universe.kind {
        IndexKind::Pair(l, r) => (l.size as usize, r.size as usize),
        _ => unreachable!("not a universe of pairs: {universe:?}"),
    }
}

/// Rows and width of the bit matrices of this shape, if its values are such and have any bits.
fn dimensions(rel: &Shape) -> Option<(usize, usize)> {
    let of = match rel {
        Shape::Index(u) => match &u.kind {
            IndexKind::Subset(of) => of,
            _ => unreachable!("not a shape of sets: {rel:?}"),
        },
        Shape::Bits(of) => of,
        _ => return None,
    };
    let (rows, width) = pair_sizes(of);
    (rows > 0 && width > 0).then_some((rows, width))
}

fn rep<'a>(rel: &Shape, r: &'a Value) -> Rep<'a> {
    match r {
        Value::Set(items) => {
            let width = match rel {
                Shape::Set(e) => match &**e {
                    Shape::Index(u) => pair_sizes(u).1 as u64,
                    _ => 0,
                },
                _ => 0,
            };
            Rep::List(List { width, items })
        }
        _ => match dimensions(rel) {
            Some((rows, width)) => Rep::Grid(Grid { rows, width, words: words_of(r) }),
            // one side has no elements at all
            None => Rep::List(List { width: 0, items: &[] }),
        },
    }
}

fn words_of(set: &Value) -> &[u64] {
    match set {
        Value::Word(w) => std::slice::from_ref(w),
        Value::Bits(b) => b,
        _ => unreachable!("not a set held as bits: {set:?}"),
    }
}

fn zeroes(shape: &Shape) -> Words {
    match shape {
        Shape::Bits(u) => smallvec![0; (u.size as usize).div_ceil(64)],
        _ => smallvec![0],
    }
}

fn finish(shape: &Shape, words: Words) -> Value {
    match shape {
        Shape::Bits(_) => Value::Bits(Arc::from(words.as_slice())),
        _ => Value::Word(words[0]),
    }
}

/// `length <= 64` bits from bit `start` on.
#[inline]
fn load(words: &[u64], start: usize, length: usize) -> u64 {
    let (word, offset) = (start / 64, start % 64);
    let mut bits = words[word] >> offset;
    if offset + length > 64 {
        bits |= words[word + 1] << (64 - offset);
    }
    bits & low_bits(length as u32)
}

/// Adds `length <= 64` bits from bit `start` on.
#[inline]
fn add(words: &mut [u64], start: usize, length: usize, bits: u64) {
    let (word, offset) = (start / 64, start % 64);
    words[word] |= bits << offset;
    if offset + length > 64 {
        words[word + 1] |= bits >> (64 - offset);
    }
}

#[inline]
fn set_bit(words: &mut [u64], i: usize) {
    words[i / 64] |= 1 << (i % 64);
}

/// The pieces of at most 64 bits of a stretch: offset and length of each.
#[inline]
fn pieces(width: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..width).step_by(64).map(move |at| (at, (width - at).min(64)))
}

/// Adds `width` bits of `from` at bit `source` to those of `to` at bit `target`.
#[inline]
fn copy(to: &mut [u64], target: usize, from: &[u64], source: usize, width: usize) {
    for (at, length) in pieces(width) {
        add(to, target + at, length, load(from, source + at, length));
    }
}

/// The numbers of the bits that are set, increasing.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(i, word)| {
        let mut rest = *word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                i * 64 + bit
            })
        })
    })
}

impl Grid<'_> {
    /// The columns that are set in row `x`, increasing.
    fn row(self, x: usize) -> impl Iterator<Item = usize> {
        let start = x * self.width;
        pieces(self.width).flat_map(move |(at, length)| {
            let mut rest = load(self.words, start + at, length);
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    at + bit
                })
            })
        })
    }

    fn row_count(self, x: usize) -> u32 {
        let start = x * self.width;
        pieces(self.width).map(|(at, n)| load(self.words, start + at, n).count_ones()).sum()
    }

    fn row_is_empty(self, x: usize) -> bool {
        let start = x * self.width;
        pieces(self.width).all(|(at, n)| load(self.words, start + at, n) == 0)
    }
}

impl<'a> List<'a> {
    fn split(self, pair: &Value) -> (Value, Value) {
        match pair {
            Value::Pair(p) => (p.0.clone(), p.1.clone()),
            _ => {
                let w = pair.word();
                (Value::Word(w / self.width), Value::Word(w % self.width))
            }
        }
    }

    fn left(self, pair: &Value) -> Value {
        match pair {
            Value::Pair(p) => p.0.clone(),
            _ => Value::Word(pair.word() / self.width),
        }
    }

    fn right(self, pair: &Value) -> Value {
        match pair {
            Value::Pair(p) => p.1.clone(),
            _ => Value::Word(pair.word() % self.width),
        }
    }

    fn compare_left(self, pair: &Value, x: &Value) -> Ordering {
        match pair {
            Value::Pair(p) => p.0.cmp(x),
            _ => (pair.word() / self.width).cmp(&x.word()),
        }
    }

    fn compare_lefts(self, a: &Value, b: &Value) -> Ordering {
        match (a, b) {
            (Value::Pair(p), Value::Pair(q)) => p.0.cmp(&q.0),
            _ => (a.word() / self.width).cmp(&(b.word() / self.width)),
        }
    }

    /// The pairs whose left side is `x`.
    fn group(self, x: &Value) -> &'a [Value] {
        let from = self.items.partition_point(|p| self.compare_left(p, x).is_lt());
        let rest = &self.items[from..];
        let length = match rest {
            // a function: no second search
            [_, second, ..] if self.compare_left(second, x).is_eq() => {
                rest.partition_point(|p| self.compare_left(p, x).is_le())
            }
            [first, ..] if self.compare_left(first, x).is_eq() => 1,
            _ => 0,
        };
        &rest[..length]
    }

    /// The pairs by left side, in increasing order.
    fn groups(self) -> impl Iterator<Item = &'a [Value]> {
        self.items.chunk_by(move |a, b| self.compare_lefts(a, b).is_eq())
    }

    /// The pairs that `keep` keeps; the value itself where that is all of them.
    fn filter(self, whole: &Value, keep: impl Fn(&Value) -> bool) -> Value {
        let kept: Vec<Value> = self.items.iter().filter(|p| keep(p)).cloned().collect();
        if kept.len() == self.items.len() { whole.clone() } else { list(whole, kept) }
    }
}

/// A part of a relation held as a list. A relation held as bits reaches this only when one side has
/// no elements, and is then its own only part.
fn list(whole: &Value, items: Vec<Value>) -> Value {
    match whole {
        Value::Set(_) => Value::Set(items.into()),
        _ => whole.clone(),
    }
}

/// The partners of `x`, increasing.
fn partners(rel: &Shape, r: &Value, x: &Value) -> Vec<Value> {
    match rep(rel, r) {
        Rep::Grid(g) => g.row(x.word() as usize).map(|y| Value::Word(y as u64)).collect(),
        Rep::List(l) => l.group(x).iter().map(|p| l.right(p)).collect(),
    }
}

/// All pairs, split, in increasing order.
fn pairs(rel: &Shape, r: &Value) -> impl Iterator<Item = (Value, Value)> {
    let element = rel.element();
    rel.members(r).map(move |p| element.split(&p))
}

// ---------------------------------------------------------------------------------------------
// Domain, range, inverse, image, application

/// `dom(r)`
pub fn domain(rel: &Shape, out: &Shape, r: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => {
            let mut words = zeroes(out);
            for x in (0..g.rows).filter(|x| !g.row_is_empty(*x)) {
                set_bit(&mut words, x);
            }
            finish(out, words)
        }
        Rep::List(l) => out.collect(l.groups().map(|g| l.left(&g[0]))),
    }
}

/// `ran(r)`
pub fn range(rel: &Shape, out: &Shape, r: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => {
            let mut words = zeroes(out);
            for x in 0..g.rows {
                copy(&mut words, 0, g.words, x * g.width, g.width);
            }
            finish(out, words)
        }
        Rep::List(l) => out.collect(l.items.iter().map(|p| l.right(p))),
    }
}

/// `r~`
pub fn inverse(rel: &Shape, out: &Shape, r: &Value) -> Value {
    match rep(rel, r) {
        // the other matrix has as many bits
        Rep::Grid(g) => {
            let mut words = zeroes(out);
            for x in 0..g.rows {
                for y in g.row(x) {
                    set_bit(&mut words, y * g.rows + x);
                }
            }
            finish(out, words)
        }
        Rep::List(l) => {
            let element = out.element();
            out.collect(l.items.iter().map(|p| {
                let (x, y) = l.split(p);
                element.pair(y, x)
            }))
        }
    }
}

/// `r[s]`; `out` is the shape of sets of the range side.
pub fn image(rel: &Shape, out: &Shape, r: &Value, s: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => {
            let mut words = zeroes(out);
            for x in ones(words_of(s)) {
                copy(&mut words, 0, g.words, x * g.width, g.width);
            }
            finish(out, words)
        }
        Rep::List(l) => {
            let element = rel.element();
            let sources = Shape::set_of(element.sides().0);
            out.collect(
                sources.members(s).flat_map(|x| l.group(&x).iter().map(move |p| l.right(p))),
            )
        }
    }
}

/// `r(x)`
///
/// # Errors
/// When `x` has no partner, or more than one.
pub fn apply(rel: &Shape, r: &Value, x: &Value) -> Result<Value, ApplyError> {
    match rep(rel, r) {
        Rep::Grid(g) => {
            let mut row = g.row(x.word() as usize);
            match (row.next(), row.next()) {
                (Some(y), None) => Ok(Value::Word(y as u64)),
                (None, _) => Err(ApplyError::OutsideDomain),
                _ => Err(ApplyError::NotFunctional),
            }
        }
        Rep::List(l) => match l.group(x) {
            [p] => Ok(l.right(p)),
            [] => Err(ApplyError::OutsideDomain),
            _ => Err(ApplyError::NotFunctional),
        },
    }
}

// ---------------------------------------------------------------------------------------------
// Restriction, overriding

/// Keeps the bits of the rows in (`keep`) or not in `s`.
fn keep_rows(rel: &Shape, g: Grid, s: &Value, keep: bool) -> Value {
    let mut mask = zeroes(rel);
    for x in ones(words_of(s)) {
        for (at, length) in pieces(g.width) {
            add(&mut mask, x * g.width + at, length, low_bits(length as u32));
        }
    }
    finish(rel, masked(g.words, mask, keep))
}

/// Keeps the bits of the columns in (`keep`) or not in `s`.
fn keep_columns(rel: &Shape, g: Grid, s: &Value, keep: bool) -> Value {
    let mut mask = zeroes(rel);
    for x in 0..g.rows {
        copy(&mut mask, x * g.width, words_of(s), 0, g.width);
    }
    finish(rel, masked(g.words, mask, keep))
}

fn masked(words: &[u64], mut mask: Words, keep: bool) -> Words {
    let flip = if keep { 0 } else { u64::MAX };
    for (m, w) in mask.iter_mut().zip(words) {
        *m = w & (*m ^ flip);
    }
    mask
}

/// `s <| r`
pub fn domain_restrict(rel: &Shape, s: &Value, r: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => keep_rows(rel, g, s, true),
        Rep::List(l) => l.filter(r, |p| has(s, &l.left(p))),
    }
}

/// `s <<| r`
pub fn domain_subtract(rel: &Shape, s: &Value, r: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => keep_rows(rel, g, s, false),
        Rep::List(l) => l.filter(r, |p| !has(s, &l.left(p))),
    }
}

/// `r |> s`
pub fn range_restrict(rel: &Shape, r: &Value, s: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => keep_columns(rel, g, s, true),
        Rep::List(l) => l.filter(r, |p| has(s, &l.right(p))),
    }
}

/// `r |>> s`
pub fn range_subtract(rel: &Shape, r: &Value, s: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => keep_columns(rel, g, s, false),
        Rep::List(l) => l.filter(r, |p| !has(s, &l.right(p))),
    }
}

/// Membership needs no shape: the representation of the set says it all.
fn has(set: &Value, item: &Value) -> bool {
    Shape::Integer.contains(set, item)
}

/// `r <+ s`
pub fn overriding(rel: &Shape, r: &Value, s: &Value) -> Value {
    match (rep(rel, r), rep(rel, s)) {
        (Rep::Grid(g), Rep::Grid(h)) => {
            let mut words: Words = Words::from_slice(h.words);
            for x in (0..g.rows).filter(|x| h.row_is_empty(*x)) {
                copy(&mut words, x * g.width, g.words, x * g.width, g.width);
            }
            finish(rel, words)
        }
        (Rep::List(l), Rep::List(m)) => {
            if m.items.is_empty() {
                return r.clone();
            }
            if l.items.is_empty() {
                return s.clone();
            }
            list(r, override_lists(l, m))
        }
        _ => unreachable!("not relations of one shape: {r:?}, {s:?}"),
    }
}

fn override_lists(l: List, m: List) -> Vec<Value> {
    let mut out = Vec::with_capacity(l.items.len() + m.items.len());
    let mut rest = l.items;
    for group in m.groups() {
        let before = rest.partition_point(|p| l.compare_lefts(p, &group[0]).is_lt());
        out.extend_from_slice(&rest[..before]);
        out.extend_from_slice(group);
        rest = &rest[before..];
        let same = rest.iter().take_while(|p| l.compare_lefts(p, &group[0]).is_eq()).count();
        rest = &rest[same..];
    }
    out.extend_from_slice(rest);
    out
}

// ---------------------------------------------------------------------------------------------
// Identity, products, composition

/// `id(s)`
pub fn identity(set: &Shape, out: &Shape, s: &Value) -> Value {
    if let Some((_, width)) = dimensions(out) {
        let mut words = zeroes(out);
        for x in ones(words_of(s)) {
            set_bit(&mut words, x * width + x);
        }
        return finish(out, words);
    }
    let element = out.element();
    out.collect(set.members(s).map(|x| element.pair(x.clone(), x)))
}

/// `a * b`
pub fn product(a_shape: &Shape, b_shape: &Shape, out: &Shape, a: &Value, b: &Value) -> Value {
    if let Some((_, width)) = dimensions(out) {
        let mut words = zeroes(out);
        for x in ones(words_of(a)) {
            copy(&mut words, x * width, words_of(b), 0, width);
        }
        return finish(out, words);
    }
    let element = out.element();
    let rights: Vec<Value> = b_shape.members(b).collect();
    out.collect(
        a_shape
            .members(a)
            .flat_map(|x| rights.iter().map(move |y| (x.clone(), y.clone())))
            .map(|(x, y)| element.pair(x, y)),
    )
}

/// `(r ; s)`
pub fn compose(r_shape: &Shape, s_shape: &Shape, out: &Shape, r: &Value, s: &Value) -> Value {
    if let (Rep::Grid(g), Rep::Grid(h), Some((_, width))) =
        (rep(r_shape, r), rep(s_shape, s), dimensions(out))
    {
        let mut words = zeroes(out);
        for x in 0..g.rows {
            for y in g.row(x) {
                copy(&mut words, x * width, h.words, y * width, width);
            }
        }
        return finish(out, words);
    }
    let element = out.element();
    let mut result = Vec::new();
    for (x, y) in pairs(r_shape, r) {
        let zs = partners(s_shape, s, &y);
        result.extend(zs.into_iter().map(|z| element.pair(x.clone(), z)));
    }
    out.collect(result)
}

/// `(r || s)`: `((a,c),(b,d))` for `(a,b)` in `r` and `(c,d)` in `s`.
pub fn parallel(r_shape: &Shape, s_shape: &Shape, out: &Shape, r: &Value, s: &Value) -> Value {
    if let (Rep::Grid(g), Rep::Grid(h), Some((_, width))) =
        (rep(r_shape, r), rep(s_shape, s), dimensions(out))
    {
        let mut words = zeroes(out);
        for a in 0..g.rows {
            for b in g.row(a) {
                for c in 0..h.rows {
                    let target = (a * h.rows + c) * width + b * h.width;
                    copy(&mut words, target, h.words, c * h.width, h.width);
                }
            }
        }
        return finish(out, words);
    }
    let element = out.element();
    let (left, right) = element.sides();
    let seconds: Vec<(Value, Value)> = pairs(s_shape, s).collect();
    out.collect(pairs(r_shape, r).flat_map(|(a, b)| {
        let (element, left, right) = (&element, &left, &right);
        seconds.iter().map(move |(c, d)| {
            element.pair(left.pair(a.clone(), c.clone()), right.pair(b.clone(), d.clone()))
        })
    }))
}

/// `(r >< s)`: `(x,(y,z))` for `(x,y)` in `r` and `(x,z)` in `s`.
pub fn direct(r_shape: &Shape, s_shape: &Shape, out: &Shape, r: &Value, s: &Value) -> Value {
    if let (Rep::Grid(g), Rep::Grid(h), Some((_, width))) =
        (rep(r_shape, r), rep(s_shape, s), dimensions(out))
    {
        let mut words = zeroes(out);
        for x in 0..g.rows {
            for y in g.row(x) {
                copy(&mut words, x * width + y * h.width, h.words, x * h.width, h.width);
            }
        }
        return finish(out, words);
    }
    let element = out.element();
    let (_, right) = element.sides();
    let mut result = Vec::new();
    for (x, y) in pairs(r_shape, r) {
        for z in partners(s_shape, s, &x) {
            result.push(element.pair(x.clone(), right.pair(y.clone(), z)));
        }
    }
    out.collect(result)
}

/// `prj1(a, b)`: every pair of `a * b` to its left side.
pub fn projection1(a_shape: &Shape, b_shape: &Shape, out: &Shape, a: &Value, b: &Value) -> Value {
    projection(a_shape, b_shape, out, a, b, |x, _| x)
}

/// `prj2(a, b)`: every pair of `a * b` to its right side.
pub fn projection2(a_shape: &Shape, b_shape: &Shape, out: &Shape, a: &Value, b: &Value) -> Value {
    projection(a_shape, b_shape, out, a, b, |_, y| y)
}

fn projection(
    a_shape: &Shape,
    b_shape: &Shape,
    out: &Shape,
    a: &Value,
    b: &Value,
    side: fn(Value, Value) -> Value,
) -> Value {
    let element = out.element();
    let (source, _) = element.sides();
    let rights: Vec<Value> = b_shape.members(b).collect();
    out.collect(a_shape.members(a).flat_map(|x| {
        let (element, source) = (&element, &source);
        rights.iter().map(move |y| {
            element.pair(source.pair(x.clone(), y.clone()), side(x.clone(), y.clone()))
        })
    }))
}

/// `fnc(r)`: each element of the domain to the set of its partners.
pub fn fnc(rel: &Shape, out: &Shape, r: &Value) -> Value {
    let element = out.element();
    let (_, image) = element.sides();
    match rep(rel, r) {
        Rep::Grid(g) => out.collect((0..g.rows).filter(|x| !g.row_is_empty(*x)).map(|x| {
            let mut words = zeroes(&image);
            copy(&mut words, 0, g.words, x * g.width, g.width);
            element.pair(Value::Word(x as u64), finish(&image, words))
        })),
        Rep::List(l) => out.collect(l.groups().map(|group| {
            let partners = image.collect(group.iter().map(|p| l.right(p)));
            element.pair(l.left(&group[0]), partners)
        })),
    }
}

/// `rel(f)`: each element to the members of its image, for a relation `f` to sets.
pub fn rel_of(fun: &Shape, out: &Shape, f: &Value) -> Value {
    let element = out.element();
    let (_, image) = fun.element().sides();
    let mut result = Vec::new();
    for (x, ys) in pairs(fun, f) {
        result.extend(image.members(&ys).map(|y| element.pair(x.clone(), y)));
    }
    out.collect(result)
}

// ---------------------------------------------------------------------------------------------
// Closures

/// `closure1(r)`, the transitive closure. Bit matrices by Warshall's algorithm, lists by a search
/// from each element of the domain.
pub fn closure1(rel: &Shape, r: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => {
            let mut words = Words::from_slice(g.words);
            for k in 0..g.rows {
                for x in 0..g.rows {
                    let at = x * g.width + k;
                    if x != k && words[at / 64] >> (at % 64) & 1 == 1 {
                        for (at, length) in pieces(g.width) {
                            let bits = load(&words, k * g.width + at, length);
                            add(&mut words, x * g.width + at, length, bits);
                        }
                    }
                }
            }
            finish(rel, words)
        }
        Rep::List(l) => list(r, reach(&rel.element(), l)),
    }
}

fn reach(element: &Shape, l: List) -> Vec<Value> {
    let mut nodes: Vec<Value> = Vec::with_capacity(2 * l.items.len());
    nodes.extend(l.items.iter().flat_map(|p| <[Value; 2]>::from(l.split(p))));
    nodes.sort_unstable();
    nodes.dedup();
    // every side of every pair is a node
    let number = |v: &Value| nodes.binary_search(v).unwrap_or_default();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for group in l.groups() {
        next[number(&l.left(&group[0]))] = group.iter().map(|p| number(&l.right(p))).collect();
    }
    let mut seen = vec![usize::MAX; nodes.len()];
    let mut result = Vec::new();
    for from in 0..nodes.len() {
        let mut found = Vec::new();
        let mut visit = |n: usize, found: &mut Vec<usize>| {
            for to in &next[n] {
                if std::mem::replace(&mut seen[*to], from) != from {
                    found.push(*to);
                }
            }
        };
        visit(from, &mut found);
        let mut done = 0;
        while done < found.len() {
            visit(found[done], &mut found);
            done += 1;
        }
        found.sort_unstable();
        result.extend(found.iter().map(|to| element.pair(nodes[from].clone(), nodes[*to].clone())));
    }
    result
}

/// `closure(r)`: `closure1(r) \/ id(dom(r) \/ ran(r))`.
pub fn closure(rel: &Shape, r: &Value) -> Value {
    rel.union(&closure1(rel, r), &field_identity(rel, r))
}

/// `id(dom(r) \/ ran(r))`
fn field_identity(rel: &Shape, r: &Value) -> Value {
    let set = Shape::set_of(rel.element().sides().0);
    let field = set.union(&domain(rel, &set, r), &range(rel, &set, r));
    identity(&set, rel, &field)
}

/// `iterate(r, n)`, by repeated squaring; `iterate(r, 0)` is `id(dom(r) \/ ran(r))`.
pub fn iterate(rel: &Shape, r: &Value, n: u64) -> Value {
    if n == 0 {
        return field_identity(rel, r);
    }
    let mut rest = n;
    let mut power = r.clone();
    let mut result: Option<Value> = None;
    loop {
        if rest & 1 == 1 {
            result = Some(match result {
                Some(so_far) => compose(rel, rel, rel, &so_far, &power),
                None => power.clone(),
            });
        }
        rest >>= 1;
        match result {
            Some(result) if rest == 0 => return result,
            _ => power = compose(rel, rel, rel, &power, &power),
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Arrows

/// What the relations between two sets are asked to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrow {
    pub functional: bool,
    pub total: bool,
    pub surjective: bool,
    pub injective: bool,
}

impl Arrow {
    const fn new(functional: bool, total: bool, surjective: bool, injective: bool) -> Arrow {
        Arrow { functional, total, surjective, injective }
    }

    /// `<->`
    pub const RELATIONS: Arrow = Arrow::new(false, false, false, false);
    /// `<<->`
    pub const TOTAL_RELATIONS: Arrow = Arrow::new(false, true, false, false);
    /// `<->>`
    pub const SURJECTIVE_RELATIONS: Arrow = Arrow::new(false, false, true, false);
    /// `<<->>`
    pub const TOTAL_SURJECTIVE_RELATIONS: Arrow = Arrow::new(false, true, true, false);
    /// `+->`
    pub const PARTIAL_FUNCTIONS: Arrow = Arrow::new(true, false, false, false);
    /// `-->`
    pub const TOTAL_FUNCTIONS: Arrow = Arrow::new(true, true, false, false);
    /// `>+>`
    pub const PARTIAL_INJECTIONS: Arrow = Arrow::new(true, false, false, true);
    /// `>->`
    pub const TOTAL_INJECTIONS: Arrow = Arrow::new(true, true, false, true);
    /// `+->>`
    pub const PARTIAL_SURJECTIONS: Arrow = Arrow::new(true, false, true, false);
    /// `-->>`
    pub const TOTAL_SURJECTIONS: Arrow = Arrow::new(true, true, true, false);
    /// `>+>>`
    pub const PARTIAL_BIJECTIONS: Arrow = Arrow::new(true, false, true, true);
    /// `>->>`
    pub const TOTAL_BIJECTIONS: Arrow = Arrow::new(true, true, true, true);

    /// All twelve.
    pub const ALL: [Arrow; 12] = [
        Arrow::RELATIONS,
        Arrow::TOTAL_RELATIONS,
        Arrow::SURJECTIVE_RELATIONS,
        Arrow::TOTAL_SURJECTIVE_RELATIONS,
        Arrow::PARTIAL_FUNCTIONS,
        Arrow::TOTAL_FUNCTIONS,
        Arrow::PARTIAL_INJECTIONS,
        Arrow::TOTAL_INJECTIONS,
        Arrow::PARTIAL_SURJECTIONS,
        Arrow::TOTAL_SURJECTIONS,
        Arrow::PARTIAL_BIJECTIONS,
        Arrow::TOTAL_BIJECTIONS,
    ];

    /// The arrow that an operator stands for; `None` for any other operator.
    pub fn from_op(op: BinaryOp) -> Option<Arrow> {
        Some(match op {
            BinaryOp::Relations => Arrow::RELATIONS,
            BinaryOp::TotalRelations => Arrow::TOTAL_RELATIONS,
            BinaryOp::SurjectiveRelations => Arrow::SURJECTIVE_RELATIONS,
            BinaryOp::TotalSurjectiveRelations => Arrow::TOTAL_SURJECTIVE_RELATIONS,
            BinaryOp::PartialFunctions => Arrow::PARTIAL_FUNCTIONS,
            BinaryOp::TotalFunctions => Arrow::TOTAL_FUNCTIONS,
            BinaryOp::PartialInjections => Arrow::PARTIAL_INJECTIONS,
            BinaryOp::TotalInjections => Arrow::TOTAL_INJECTIONS,
            BinaryOp::PartialSurjections => Arrow::PARTIAL_SURJECTIONS,
            BinaryOp::TotalSurjections => Arrow::TOTAL_SURJECTIONS,
            BinaryOp::PartialBijections => Arrow::PARTIAL_BIJECTIONS,
            BinaryOp::TotalBijections => Arrow::TOTAL_BIJECTIONS,
            _ => return None,
        })
    }
}

/// Whether no element has several partners.
pub fn is_function(rel: &Shape, r: &Value) -> bool {
    match rep(rel, r) {
        Rep::Grid(g) => (0..g.rows).all(|x| g.row_count(x) <= 1),
        Rep::List(l) => l.items.windows(2).all(|w| l.compare_lefts(&w[0], &w[1]).is_ne()),
    }
}

/// Whether no element is a partner of several.
pub fn is_injective(rel: &Shape, r: &Value) -> bool {
    match rep(rel, r) {
        Rep::Grid(g) => {
            let mut seen: Words = smallvec![0; g.width.div_ceil(64)];
            (0..g.rows).all(|x| {
                let fresh = rows_meet(g, x, &seen);
                copy(&mut seen, 0, g.words, x * g.width, g.width);
                !fresh
            })
        }
        Rep::List(l) => distinct_rights(l) == l.items.len(),
    }
}

/// Whether row `x` shares a column with `seen`.
fn rows_meet(g: Grid, x: usize, seen: &[u64]) -> bool {
    let start = x * g.width;
    pieces(g.width).any(|(at, n)| load(g.words, start + at, n) & load(seen, at, n) != 0)
}

fn distinct_rights(l: List) -> usize {
    let mut rights: Vec<Value> = l.items.iter().map(|p| l.right(p)).collect();
    rights.sort_unstable();
    rights.dedup();
    rights.len()
}

/// Whether `r : dom arrow ran`.
pub fn has_arrow(rel: &Shape, r: &Value, arrow: Arrow, dom: &Value, ran: &Value) -> bool {
    match rep(rel, r) {
        Rep::Grid(g) => grid_has_arrow(g, arrow, words_of(dom), words_of(ran)),
        Rep::List(l) => list_has_arrow(l, arrow, dom, ran),
    }
}

fn grid_has_arrow(g: Grid, arrow: Arrow, dom: &[u64], ran: &[u64]) -> bool {
    let mut seen: Words = smallvec![0; g.width.div_ceil(64)];
    for x in 0..g.rows {
        let partners = g.row_count(x);
        let inside = dom[x / 64] >> (x % 64) & 1 == 1;
        let wrong = if inside {
            (arrow.functional && partners > 1) || (arrow.total && partners == 0)
        } else {
            partners > 0
        };
        if wrong || (arrow.injective && rows_meet(g, x, &seen)) {
            return false;
        }
        copy(&mut seen, 0, g.words, x * g.width, g.width);
    }
    let within = seen.iter().zip(ran).all(|(s, r)| s & !r == 0);
    within && (!arrow.surjective || seen.as_slice() == ran)
}

fn list_has_arrow(l: List, arrow: Arrow, dom: &Value, ran: &Value) -> bool {
    let sources = || Shape::Integer.card(dom);
    let targets = || Shape::Integer.card(ran);
    let count = l.items.len();
    // by number alone, before looking at any pair
    if (arrow.functional && count > sources())
        || (arrow.total && count < sources())
        || (arrow.injective && count > targets())
        || (arrow.surjective && count < targets())
    {
        return false;
    }
    let mut groups = 0;
    for group in l.groups() {
        groups += 1;
        if (arrow.functional && group.len() > 1)
            || !has(dom, &l.left(&group[0]))
            || !group.iter().all(|p| has(ran, &l.right(p)))
        {
            return false;
        }
    }
    if arrow.total && groups != sources() {
        return false;
    }
    if !arrow.injective && !arrow.surjective {
        return true;
    }
    let distinct = distinct_rights(l);
    (!arrow.injective || distinct == count) && (!arrow.surjective || distinct == targets())
}
