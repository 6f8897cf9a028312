//! Relations and functions: the operators of B on them.
//!
//! Arguments named `rel`, `set`, `out` are the shapes of the *sets* that go in and come out. On
//! bit matrices they work by rows, a word at a time; on sorted lists they find the partners of an
//! element by binary search, as pairs sort by their left side first.

use super::lines::Lines;
use super::meter::{GivenUp, Meter};
use super::pairs::{List, list, override_lists, override_rows};
use super::reach::Reach;
use super::rows::*;
use super::set::low_bits;
use super::shape::Shape;
use super::value::Value;
use num_bigint::BigUint;

pub use super::arrow::{Arrow, has_arrow, is_function, is_injective};
pub use super::rows::pairs;

/// Why `f(x)` has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ApplyError {
    /// `x` has no partner.
    OutsideDomain,
    /// `x` has several partners.
    NotFunctional,
}

// ---------------------------------------------------------------------------------------------
// Domain, range, inverse, image, application

/// `dom(r)`
pub fn domain(rel: &Shape, out: &Shape, r: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => {
            if let Some(n) = g.narrow() {
                return Value::Word(n.domain());
            }
            let mut words = zeroes(out);
            for x in (0..g.rows).filter(|x| !g.row_is_empty(*x)) {
                set_bit(&mut words, x);
            }
            finish(out, words)
        }
        Rep::List(List::Rows(pairs)) => pairs.domain(out),
        Rep::List(l) => out.collect(l.groups().map(|g| l.left(g.start))),
    }
}

/// `ran(r)`
pub fn range(rel: &Shape, out: &Shape, r: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => {
            if let Some(n) = g.narrow() {
                return Value::Word(n.rows().fold(0, |range, row| range | row));
            }
            if g.width <= 64 {
                return Value::Word((0..g.rows).fold(0, |range, x| range | g.short(x)));
            }
            let mut words = zeroes(out);
            for x in 0..g.rows {
                copy(&mut words, 0, g.words, x * g.width, g.width);
            }
            finish(out, words)
        }
        Rep::List(List::Rows(pairs)) => pairs.range(out),
        Rep::List(l) => out.collect(l.all().map(|i| l.right(i))),
    }
}

/// `r~`
pub fn inverse(rel: &Shape, out: &Shape, r: &Value) -> Value {
    match rep(rel, r) {
        // the other matrix has as many bits
        Rep::Grid(g) => {
            let mut words = zeroes(out);
            for x in 0..g.rows {
                match g.short_row(x) {
                    Some(mut row) => {
                        while row != 0 {
                            set_bit(&mut words, row.trailing_zeros() as usize * g.rows + x);
                            row &= row - 1;
                        }
                    }
                    None => g.row(x).for_each(|y| set_bit(&mut words, y * g.rows + x)),
                }
            }
            finish(out, words)
        }
        Rep::List(l) => out.collect_pairs(l.all().map(|i| (l.right(i), l.left(i)))),
    }
}

/// `r[s]`; `out` is the shape of sets of the range side.
pub fn image(rel: &Shape, out: &Shape, r: &Value, s: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => {
            if let (Some(n), Value::Word(s)) = (g.narrow(), s) {
                let inside = n.rows().zip(0..).filter(|(_, x)| s >> x & 1 == 1);
                return Value::Word(inside.fold(0, |image, (row, _)| image | row));
            }
            if g.width <= 64 {
                return Value::Word(ones(words_of(s)).fold(0, |image, x| image | g.short(x)));
            }
            let mut words = zeroes(out);
            for x in ones(words_of(s)) {
                copy(&mut words, 0, g.words, x * g.width, g.width);
            }
            finish(out, words)
        }
        Rep::List(l) => {
            let element = rel.element();
            let sources = Shape::set_of(element.sides().0);
            out.collect(sources.members(s).flat_map(|x| l.group(&x).map(move |i| l.right(i))))
        }
    }
}

/// The partners of the integers from `a` to `b`, of a relation from integers: by these.
pub fn right_sides<'r>(
    rel: &Shape,
    r: &'r Value,
    a: &Value,
    b: &Value,
) -> impl ExactSizeIterator<Item = Value> + use<'r> {
    let Rep::List(l) = rep(rel, r) else { unreachable!("integers have no rows: {r:?}") };
    let from = l.partition_point(|i| l.compare_left(i, a).is_lt());
    let end = l.partition_point(|i| l.compare_left(i, b).is_le());
    (from..end.max(from)).map(move |i| l.right(i))
}

/// `r(x)`
///
/// # Errors
/// When `x` has no partner, or more than one.
pub fn apply(rel: &Shape, r: &Value, x: &Value) -> Result<Value, ApplyError> {
    match rep(rel, r) {
        Rep::Grid(g) => {
            let x = x.word();
            let short = match g.narrow() {
                Some(n) => Some(n.row(x)),
                None => g.short_row(x as usize),
            };
            if let Some(row) = short {
                return match row.count_ones() {
                    0 => Err(ApplyError::OutsideDomain),
                    1 => Ok(Value::Word(row.trailing_zeros() as u64)),
                    _ => Err(ApplyError::NotFunctional),
                };
            }
            let mut row = g.row(x as usize);
            match (row.next(), row.next()) {
                (Some(y), None) => Ok(Value::Word(y as u64)),
                (None, _) => Err(ApplyError::OutsideDomain),
                _ => Err(ApplyError::NotFunctional),
            }
        }
        Rep::List(l) => {
            let found = l.group(x);
            match found.len() {
                1 => Ok(l.right(found.start)),
                0 => Err(ApplyError::OutsideDomain),
                _ => Err(ApplyError::NotFunctional),
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Restriction, overriding

/// Keeps the bits of the rows in (`keep`) or not in `s`.
fn keep_rows(rel: &Shape, g: Grid, s: &Value, keep: bool) -> Value {
    if let (Some(n), Value::Word(s)) = (g.narrow(), s) {
        let mask = n.filled(*s);
        return Value::Word(n.bits & if keep { mask } else { !mask });
    }
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
        Rep::List(l) => l.with_lefts(r, s, true),
    }
}

/// `s <<| r`
pub fn domain_subtract(rel: &Shape, s: &Value, r: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => keep_rows(rel, g, s, false),
        Rep::List(l) => l.with_lefts(r, s, false),
    }
}

/// `r |> s`
pub fn range_restrict(rel: &Shape, r: &Value, s: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => keep_columns(rel, g, s, true),
        Rep::List(l) => l.filter(r, |i| has(s, &l.right(i))),
    }
}

/// `r |>> s`
pub fn range_subtract(rel: &Shape, r: &Value, s: &Value) -> Value {
    match rep(rel, r) {
        Rep::Grid(g) => keep_columns(rel, g, s, false),
        Rep::List(l) => l.filter(r, |i| !has(s, &l.right(i))),
    }
}

/// `f <+ {x |-> v}`.
pub fn with_result(shape: &Shape, f: &Value, x: Value, v: Value) -> Value {
    if let Rep::List(List::Rows(pairs)) = rep(shape, f)
        && let Some(row) = pairs.row_of(&x, &v)
    {
        let row = Lines { cells: &row, width: row.len() };
        return override_rows(pairs, row);
    }
    let pairs = shape.element();
    let one = shape.collect([pairs.pair(x, v)]);
    overriding(shape, f, &one)
}

/// `r <+ s`
pub fn overriding(rel: &Shape, r: &Value, s: &Value) -> Value {
    match (rep(rel, r), rep(rel, s)) {
        (Rep::Grid(g), Rep::Grid(h)) => {
            if let (Some(n), Some(m)) = (g.narrow(), h.narrow()) {
                return Value::Word(n.bits & !n.filled(m.domain()) | m.bits);
            }
            let mut words: Words = Words::from_slice(h.words);
            for x in (0..g.rows).filter(|x| h.row_is_empty(*x)) {
                copy(&mut words, x * g.width, g.words, x * g.width, g.width);
            }
            finish(rel, words)
        }
        (Rep::List(l), Rep::List(m)) => {
            if m.len() == 0 {
                return r.clone();
            }
            if l.len() == 0 {
                return s.clone();
            }
            override_lists(l, m)
        }
        _ => unreachable!("not relations of one shape: {r:?}, {s:?}"),
    }
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
    out.collect_pairs(set.members(s).map(|x| (x.clone(), x)))
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
    let rights: Vec<Value> = b_shape.members(b).collect();
    let from = |x: Value| rights.iter().map(move |y| (x.clone(), y.clone()));
    out.collect_pairs(a_shape.members(a).flat_map(from))
}

/// `(r ; s)`
///
/// # Errors
/// The meter said no.
pub fn compose(
    r_shape: &Shape,
    s_shape: &Shape,
    out: &Shape,
    r: &Value,
    s: &Value,
    meter: &mut dyn Meter,
) -> Result<Value, GivenUp> {
    if let (Rep::Grid(g), Rep::Grid(h), Some((_, width))) =
        (rep(r_shape, r), rep(s_shape, s), dimensions(out))
    {
        let mut words = zeroes(out);
        for x in 0..g.rows {
            for y in g.row(x) {
                copy(&mut words, x * width, h.words, y * width, width);
            }
            meter.spent(g.width, 0)?;
        }
        return Ok(finish(out, words));
    }
    let mut result = Vec::new();
    let mut rest = pairs(r_shape, r).peekable();
    while let Some((x, y)) = rest.next() {
        // All partners of x at once: many of them are found in several ways.
        let mut zs = partners(s_shape, s, &y);
        let mut distinct = zs.len();
        while let Some((_, y)) = rest.next_if(|(next, _)| *next == x) {
            zs.extend(partners(s_shape, s, &y));
            if zs.len() > 8 * distinct + 1024 {
                meter.spent(zs.len(), result.len())?;
                zs.sort_unstable();
                zs.dedup();
                distinct = zs.len();
            }
        }
        zs.sort_unstable();
        zs.dedup();
        meter.spent(zs.len() + 1, result.len() + zs.len())?;
        result.extend(zs.into_iter().map(|z| (x.clone(), z)));
    }
    Ok(out.collect_pairs(result))
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
///
/// # Errors
/// The meter said no.
pub fn direct(
    r_shape: &Shape,
    s_shape: &Shape,
    out: &Shape,
    r: &Value,
    s: &Value,
    meter: &mut dyn Meter,
) -> Result<Value, GivenUp> {
    if let (Rep::Grid(g), Rep::Grid(h), Some((_, width))) =
        (rep(r_shape, r), rep(s_shape, s), dimensions(out))
    {
        let mut words = zeroes(out);
        for x in 0..g.rows {
            for y in g.row(x) {
                copy(&mut words, x * width + y * h.width, h.words, x * h.width, h.width);
            }
        }
        return Ok(finish(out, words));
    }
    let element = out.element();
    let (_, right) = element.sides();
    let mut result = Vec::new();
    for (x, y) in pairs(r_shape, r) {
        let zs = partners(s_shape, s, &x);
        meter.spent(zs.len() + 1, result.len() + zs.len())?;
        for z in zs {
            result.push((x.clone(), right.pair(y.clone(), z)));
        }
    }
    Ok(out.collect_pairs(result))
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
            let left = l.left(group.start);
            element.pair(left, image.collect(group.map(|i| l.right(i))))
        })),
    }
}

/// `rel(f)`: each element to the members of its image, for a relation `f` to sets.
///
/// # Errors
/// The meter said no.
pub fn rel_of(
    fun: &Shape,
    out: &Shape,
    f: &Value,
    meter: &mut dyn Meter,
) -> Result<Value, GivenUp> {
    let (_, image) = fun.element().sides();
    let mut result = Vec::new();
    for (x, ys) in pairs(fun, f) {
        let members = image.card(&ys);
        meter.spent(members, result.len() + members)?;
        result.extend(image.members(&ys).map(|y| (x.clone(), y)));
    }
    Ok(out.collect_pairs(result))
}

// ---------------------------------------------------------------------------------------------
// Closures

/// `closure1(r)`, the transitive closure. Bit matrices by Warshall's algorithm, lists by a search
/// from each element of the domain.
///
/// # Errors
/// The meter said no.
pub fn closure1(rel: &Shape, r: &Value, meter: &mut dyn Meter) -> Result<Value, GivenUp> {
    Ok(match rep(rel, r) {
        Rep::Grid(g) => {
            let mut words = Words::from_slice(g.words);
            for k in 0..g.rows {
                meter.spent(g.rows, 0)?;
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
        Rep::List(_) => list(r, Reach::new(rel, r, meter)?.all(&rel.element(), meter)?),
    })
}

/// `iterate(r, n)` for `n` of at least 1, by repeated squaring. (`iterate(r, 0)` is the identity of a
/// whole type, which the values of `r` do not know.)
///
/// # Errors
/// The meter said no.
pub fn iterate(
    rel: &Shape,
    r: &Value,
    n: &BigUint,
    meter: &mut dyn Meter,
) -> Result<Value, GivenUp> {
    debug_assert!(n.bits() > 0);
    let mut power = r.clone();
    let mut result: Option<Value> = None;
    for bit in 0..n.bits() {
        if bit > 0 {
            power = compose(rel, rel, rel, &power, &power, meter)?;
        }
        if n.bit(bit) {
            result = Some(match result {
                Some(so_far) => compose(rel, rel, rel, &so_far, &power, meter)?,
                None => power.clone(),
            });
        }
    }
    Ok(result.unwrap_or(power))
}
