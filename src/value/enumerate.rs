//! All members of sets of sets, relations, functions and sequences, one by one.
//!
//! Members go to a callback, which can end the walk. No walk generates candidates and throws them
//! away: every partial choice that is followed up has a completion, so the work between two calls
//! (and before the first, and after the last) is of the order of the size of one member. All walks
//! use loops, not recursion, so that long functions do not exhaust the stack.

use super::relation::Arrow;
use super::set::low_bits;
use super::shape::Shape;
use super::value::Value;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Takes the members; a break ends the walk.
pub type Sink<'a, B> = &'a mut dyn FnMut(Value) -> ControlFlow<B>;

// ---------------------------------------------------------------------------------------------
// All values of a shape

/// All values of a finite shape in increasing order; none of an infinite one
/// ([`Shape::is_finite`] tells).
pub fn all<B>(shape: &Shape, sink: Sink<'_, B>) -> ControlFlow<B> {
    let mut next = least(shape);
    while let Some(value) = next {
        next = successor(shape, &value);
        sink(value)?;
    }
    ControlFlow::Continue(())
}

/// The least value of a finite shape.
pub fn least(shape: &Shape) -> Option<Value> {
    match shape {
        Shape::Index(u) => (u.size > 0).then_some(Value::Word(0)),
        Shape::Bits(_) => Some(shape.empty()),
        Shape::Set(e) => e.is_finite().then(|| shape.empty()),
        Shape::Pair(p) => Some(Value::Pair(Arc::new((least(&p.0)?, least(&p.1)?)))),
        Shape::Record(fields) => {
            let values: Option<Vec<Value>> = fields.iter().map(least).collect();
            Some(Value::Record(values?.into()))
        }
        Shape::Integer | Shape::Real | Shape::String | Shape::Free(_) => None,
    }
}

/// The next larger value of a finite shape.
pub fn successor(shape: &Shape, value: &Value) -> Option<Value> {
    match (shape, value) {
        (Shape::Index(u), Value::Word(w)) => {
            ((*w as u128) + 1 < u.size).then(|| Value::Word(w + 1))
        }
        (Shape::Bits(_), Value::Bits(words)) => {
            let Some(Value::Bits(universe)) = shape.universe() else { return None };
            let mut words = words.to_vec();
            next_subset(&mut words, &universe).then(|| Value::Bits(words.into()))
        }
        (Shape::Set(e), Value::Set(_) | Value::Table(..)) => {
            next_list(e, &shape.members(value).collect::<Vec<_>>())
        }
        (Shape::Pair(p), Value::Pair(v)) => match successor(&p.1, &v.1) {
            Some(right) => Some(Value::Pair(Arc::new((v.0.clone(), right)))),
            None => Some(Value::Pair(Arc::new((successor(&p.0, &v.0)?, least(&p.1)?)))),
        },
        (Shape::Record(fields), Value::Record(values)) => {
            let mut values = values.to_vec();
            for i in (0..fields.len()).rev() {
                match successor(&fields[i], &values[i]) {
                    Some(next) => {
                        values[i] = next;
                        return Some(Value::Record(values.into()));
                    }
                    None => values[i] = least(&fields[i])?,
                }
            }
            None
        }
        _ => None,
    }
}

/// The next set of values of shape `e` by length and then lexicographically.
fn next_list(e: &Shape, items: &[Value]) -> Option<Value> {
    for i in (0..items.len()).rev() {
        if let Some(tail) = run(e, successor(e, &items[i]), items.len() - i) {
            let list: Vec<Value> = items[..i].iter().cloned().chain(tail).collect();
            return Some(Value::set(list));
        }
    }
    run(e, least(e), items.len() + 1).map(Value::set)
}

/// `length` consecutive values from `first` on.
fn run(e: &Shape, first: Option<Value>, length: usize) -> Option<Vec<Value>> {
    let mut run = vec![first?];
    while run.len() < length {
        run.push(successor(e, &run[run.len() - 1])?);
    }
    Some(run)
}

/// Steps `words` to the next subset of `mask` as a number; false, and all zero, after the last.
fn next_subset(words: &mut [u64], mask: &[u64]) -> bool {
    for (word, mask) in words.iter_mut().zip(mask) {
        *word = word.wrapping_sub(*mask) & mask;
        // no carry where the part did not wrap to nothing
        if *word != 0 {
            return true;
        }
    }
    false
}

// ---------------------------------------------------------------------------------------------
// Subsets

/// All subsets of `s`, in increasing order; `set_shape` is the shape of `s` itself.
pub fn subsets<B>(
    set_shape: &Shape,
    s: &Value,
    nonempty: bool,
    sink: Sink<'_, B>,
) -> ControlFlow<B> {
    if !nonempty {
        sink(set_shape.empty())?;
    }
    match s {
        Value::Word(mask) => {
            let mut word = mask.wrapping_neg() & mask;
            while word != 0 {
                sink(Value::Word(word))?;
                word = word.wrapping_sub(*mask) & mask;
            }
        }
        Value::Bits(mask) => {
            let mut words = vec![0; mask.len()];
            while next_subset(&mut words, mask) {
                sink(Value::Bits(words.as_slice().into()))?;
            }
        }
        Value::Set(_) | Value::Table(..) => {
            let items: Vec<Value> = set_shape.members(s).collect();
            for size in 1..=items.len() {
                combinations(&items, size, sink)?;
            }
        }
        _ => unreachable!("not a set: {s:?}"),
    }
    ControlFlow::Continue(())
}

/// All subsets of `size >= 1` items, lexicographically.
fn combinations<B>(items: &[Value], size: usize, sink: Sink<'_, B>) -> ControlFlow<B> {
    let mut chosen: Vec<usize> = (0..size).collect();
    loop {
        sink(Value::set(chosen.iter().map(|i| items[*i].clone()).collect()))?;
        let Some(at) = (0..size).rev().find(|i| chosen[*i] < items.len() - size + i) else {
            return ControlFlow::Continue(());
        };
        let from = chosen[at] + 1;
        for (i, c) in chosen[at..].iter_mut().enumerate() {
            *c = from + i;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Relations and functions

/// All members of `dom arrow ran`.
pub fn arrows<B>(
    rel: &Shape,
    arrow: Arrow,
    dom: &Value,
    ran: &Value,
    sink: Sink<'_, B>,
) -> ControlFlow<B> {
    // representations say all that is needed to walk a set
    let sources: Vec<Value> = rel.members(dom).collect();
    let targets: Vec<Value> = rel.members(ran).collect();
    if arrow.functional {
        functions(rel, arrow, &sources, &targets, sink)
    } else {
        relations(rel, arrow, &sources, &targets, sink)
    }
}

/// What is left to decide of a function, for pruning without loss: every state that passes
/// [`Search::feasible`] has a completion.
struct Search {
    arrow: Arrow,
    sources: usize,
    targets: usize,
    /// By target: how many sources have it.
    uses: Vec<u32>,
    /// Number of targets in use.
    used: usize,
}

impl Search {
    /// Whether a completion exists with the first `decided` sources decided and `used` targets in
    /// use.
    fn feasible(&self, decided: usize, used: usize) -> bool {
        let (left, free) = (self.sources - decided, self.targets - used);
        let enough = match (self.arrow.total, self.arrow.injective) {
            (true, true) => left <= free,
            (true, false) => left == 0 || self.targets > 0,
            _ => true,
        };
        enough && (!self.arrow.surjective || free <= left)
    }

    /// The first choice from `from` on for the source after the first `decided`: 0 for no partner,
    /// `t + 1` for target `t`.
    fn choice(&self, decided: usize, from: usize) -> Option<usize> {
        if from == 0 && !self.arrow.total && self.feasible(decided + 1, self.used) {
            return Some(0);
        }
        let (again, fresh) = (
            !self.arrow.injective && self.feasible(decided + 1, self.used),
            self.used < self.targets && self.feasible(decided + 1, self.used + 1),
        );
        (from.max(1)..=self.targets).find(|c| if self.uses[c - 1] > 0 { again } else { fresh })
    }

    fn enter(&mut self, choice: usize) {
        if choice > 0 {
            self.uses[choice - 1] += 1;
            self.used += (self.uses[choice - 1] == 1) as usize;
        }
    }

    fn leave(&mut self, choice: usize) {
        if choice > 0 {
            self.uses[choice - 1] -= 1;
            self.used -= (self.uses[choice - 1] == 0) as usize;
        }
    }
}

/// A partial function while it grows: as a word where the relation is one, else as its pairs.
struct Graph<'a> {
    rel: &'a Shape,
    element: Shape,
    is_word: bool,
    word: u64,
    pairs: Vec<Value>,
}

impl<'a> Graph<'a> {
    fn new(rel: &'a Shape) -> Graph<'a> {
        let is_word = matches!(rel, Shape::Index(_));
        Graph { rel, element: rel.element(), is_word, word: 0, pairs: Vec::new() }
    }

    fn push(&mut self, source: &Value, target: &Value) {
        let pair = self.element.pair(source.clone(), target.clone());
        if self.is_word {
            self.word |= 1 << pair.word();
        }
        self.pairs.push(pair);
    }

    fn pop(&mut self) {
        if let Some(pair) = self.pairs.pop().filter(|_| self.is_word) {
            self.word &= !(1 << pair.word());
        }
    }

    fn value(&self) -> Value {
        if self.is_word {
            Value::Word(self.word)
        } else {
            self.rel.collect(self.pairs.iter().cloned())
        }
    }
}

/// All functions of the kind from `sources` (increasing) to `targets`.
fn functions<B>(
    rel: &Shape,
    arrow: Arrow,
    sources: &[Value],
    targets: &[Value],
    sink: Sink<'_, B>,
) -> ControlFlow<B> {
    let mut search = Search {
        arrow,
        sources: sources.len(),
        targets: targets.len(),
        uses: vec![0; targets.len()],
        used: 0,
    };
    if !search.feasible(0, 0) {
        return ControlFlow::Continue(());
    }
    let mut graph = Graph::new(rel);
    let mut choices: Vec<usize> = Vec::with_capacity(sources.len());
    let mut from = 0;
    loop {
        let decided = choices.len();
        if decided == sources.len() {
            sink(graph.value())?;
        } else if let Some(choice) = search.choice(decided, from) {
            search.enter(choice);
            if choice > 0 {
                graph.push(&sources[decided], &targets[choice - 1]);
            }
            choices.push(choice);
            from = 0;
            continue;
        }
        let Some(last) = choices.pop() else { return ControlFlow::Continue(()) };
        search.leave(last);
        if last > 0 {
            graph.pop();
        }
        from = last + 1;
    }
}

/// All relations of the kind from `sources` (increasing) to `targets` (increasing): an odometer of
/// rows, the last of which must bring whatever targets a surjective relation still lacks.
fn relations<B>(
    rel: &Shape,
    arrow: Arrow,
    sources: &[Value],
    targets: &[Value],
    sink: Sink<'_, B>,
) -> ControlFlow<B> {
    let Some(last) = sources.len().checked_sub(1) else {
        if targets.is_empty() || !arrow.surjective {
            sink(rel.empty())?;
        }
        return ControlFlow::Continue(());
    };
    if targets.is_empty() {
        if !arrow.total {
            sink(rel.empty())?;
        }
        return ControlFlow::Continue(());
    }
    let words = targets.len().div_ceil(64);
    let all: Vec<u64> =
        (0..words).map(|w| low_bits((targets.len() - w * 64).min(64) as u32)).collect();
    let mut rows: Vec<Row> = Vec::with_capacity(sources.len());
    let mut graph = Graph::new(rel);
    loop {
        // down: the first row of each source that is left
        while rows.len() <= last {
            let before = match rows.last() {
                Some(row) => row.covered_with(),
                None => vec![0; words],
            };
            let base = if rows.len() == last && arrow.surjective {
                all.iter().zip(&before).map(|(a, b)| a & !b).collect()
            } else {
                vec![0; words]
            };
            let mut row = Row::new(before, base, &all);
            if arrow.total && row.is_empty() {
                row.step();
            }
            row.push(&mut graph, &sources[rows.len()], targets);
            rows.push(row);
        }
        sink(graph.value())?;
        // up: to the last row that has another choice
        loop {
            let Some(mut row) = rows.pop() else { return ControlFlow::Continue(()) };
            row.pop(&mut graph);
            if row.step() {
                row.push(&mut graph, &sources[rows.len()], targets);
                rows.push(row);
                break;
            }
        }
    }
}

/// The partners of one source: the targets in `base`, and some of those in `mask`.
struct Row {
    /// Targets that earlier rows have.
    before: Vec<u64>,
    base: Vec<u64>,
    mask: Vec<u64>,
    chosen: Vec<u64>,
}

impl Row {
    fn new(before: Vec<u64>, base: Vec<u64>, all: &[u64]) -> Row {
        let mask = all.iter().zip(&base).map(|(a, b)| a & !b).collect();
        Row { before, chosen: vec![0; base.len()], base, mask }
    }

    fn words(&self) -> impl Iterator<Item = u64> {
        self.base.iter().zip(&self.chosen).map(|(b, c)| b | c)
    }

    fn covered_with(&self) -> Vec<u64> {
        self.words().zip(&self.before).map(|(w, b)| w | b).collect()
    }

    fn is_empty(&self) -> bool {
        self.words().all(|w| w == 0)
    }

    fn step(&mut self) -> bool {
        next_subset(&mut self.chosen, &self.mask)
    }

    fn push(&self, graph: &mut Graph, source: &Value, targets: &[Value]) {
        for (i, word) in self.words().enumerate() {
            let mut rest = word;
            while rest != 0 {
                graph.push(source, &targets[i * 64 + rest.trailing_zeros() as usize]);
                rest &= rest - 1;
            }
        }
    }

    fn pop(&self, graph: &mut Graph) {
        let count: u32 = self.words().map(u64::count_ones).sum();
        (0..count).for_each(|_| graph.pop());
    }
}

// ---------------------------------------------------------------------------------------------
// Sequences

/// The domain of a sequence.
fn positions(length: usize) -> Vec<Value> {
    (1..=length as i64).map(Value::Int).collect()
}

/// All members of `perm(s)`.
pub fn permutations<B>(seq: &Shape, s: &Value, sink: Sink<'_, B>) -> ControlFlow<B> {
    let targets: Vec<Value> = seq.members(s).collect();
    functions(seq, Arrow::TOTAL_BIJECTIONS, &positions(targets.len()), &targets, sink)
}

/// All members of `iseq(s)`, or with `nonempty` of `iseq1(s)`, shorter ones first.
pub fn injective_sequences<B>(
    seq: &Shape,
    s: &Value,
    nonempty: bool,
    sink: Sink<'_, B>,
) -> ControlFlow<B> {
    let targets: Vec<Value> = seq.members(s).collect();
    for length in nonempty as usize..=targets.len() {
        functions(seq, Arrow::TOTAL_INJECTIONS, &positions(length), &targets, sink)?;
    }
    ControlFlow::Continue(())
}

/// All members of `seq(s)`, or with `nonempty` of `seq1(s)`, of at most `max_length` items, shorter
/// ones first.
pub fn sequences_up_to<B>(
    seq: &Shape,
    s: &Value,
    max_length: usize,
    nonempty: bool,
    sink: Sink<'_, B>,
) -> ControlFlow<B> {
    let targets: Vec<Value> = seq.members(s).collect();
    let longest = if targets.is_empty() { 0 } else { max_length };
    for length in nonempty as usize..=longest {
        functions(seq, Arrow::TOTAL_FUNCTIONS, &positions(length), &targets, sink)?;
    }
    ControlFlow::Continue(())
}

// ---------------------------------------------------------------------------------------------
// Counts

/// Number of subsets of a set of `n`, [`u128::MAX`] where it does not fit.
pub fn count_subsets(n: usize, nonempty: bool) -> u128 {
    power(2, n).saturating_sub(if n < 128 { nonempty as u128 } else { 0 })
}

/// Number of members of `perm(s)` for a set of `n`, saturating.
pub fn count_permutations(n: usize) -> u128 {
    (1..=n as u128).try_fold(1u128, |p, k| p.checked_mul(k)).unwrap_or(u128::MAX)
}

/// Number of members of `iseq(s)` or `iseq1(s)` for a set of `n`, saturating.
pub fn count_injective_sequences(n: usize, nonempty: bool) -> u128 {
    let (mut total, mut falling) = (!nonempty as u128, 1u128);
    for k in (1..=n as u128).rev() {
        falling = falling.saturating_mul(k);
        total = total.saturating_add(falling);
        if total == u128::MAX {
            break;
        }
    }
    total
}

/// Number of sequences of at most `max_length` items over a set of `n`, saturating.
pub fn count_sequences_up_to(n: usize, max_length: usize, nonempty: bool) -> u128 {
    let mut total = !nonempty as u128;
    match n {
        0 => {}
        1 => total += max_length as u128,
        _ => {
            for length in 1..=max_length.min(128) {
                total = total.saturating_add(power(n as u128, length));
            }
        }
    }
    total
}

/// Number of members of `dom arrow ran` for sets of `n` and `m`, [`u128::MAX`] where it does not
/// fit.
pub fn count_arrows(arrow: Arrow, n: usize, m: usize) -> u128 {
    if arrow.functional { count_functions(arrow, n, m) } else { count_relations(arrow, n, m) }
}

fn power(base: u128, exponent: usize) -> u128 {
    base.saturating_pow(u32::try_from(exponent).unwrap_or(u32::MAX))
}

fn count_functions(arrow: Arrow, n: usize, m: usize) -> u128 {
    let possible = Search { arrow, sources: n, targets: m, uses: Vec::new(), used: 0 };
    if !possible.feasible(0, 0) {
        return 0;
    }
    if !arrow.injective && !arrow.surjective {
        return power(m as u128 + !arrow.total as u128, n);
    }
    // there are at least min(n, m)! of them, and 35! does not fit
    if n.min(m) >= 35 {
        return u128::MAX;
    }
    // by number of targets in use, source by source
    let mut counts = vec![1u128];
    for _ in 0..n {
        let mut next = vec![0u128; (counts.len() + 1).min(m + 1)];
        for (used, count) in counts.iter().enumerate() {
            let stay = !arrow.total as u128 + if arrow.injective { 0 } else { used as u128 };
            next[used] = next[used].saturating_add(count.saturating_mul(stay));
            if used < m {
                let fresh = count.saturating_mul((m - used) as u128);
                next[used + 1] = next[used + 1].saturating_add(fresh);
            }
        }
        counts = next;
    }
    if arrow.surjective {
        counts.get(m).copied().unwrap_or(0)
    } else {
        counts.iter().fold(0, |sum: u128, count| sum.saturating_add(*count))
    }
}

fn count_relations(arrow: Arrow, n: usize, m: usize) -> u128 {
    if n == 0 || m == 0 {
        let lacks = (arrow.total && n > 0) || (arrow.surjective && m > 0);
        return !lacks as u128;
    }
    match (arrow.total, arrow.surjective) {
        (false, false) => power(2, n.saturating_mul(m)),
        (true, false) => power(count_subsets(m, true), n),
        (false, true) => power(count_subsets(n, true), m),
        (true, true) => count_total_surjective_relations(n, m),
    }
}

fn count_total_surjective_relations(n: usize, m: usize) -> u128 {
    if n == 1 || m == 1 {
        return 1;
    }
    // a full first row and first column leave the rest free
    if (n - 1).saturating_mul(m - 1) >= 128 {
        return u128::MAX;
    }
    // by number of targets in use, row by row
    let mut counts = vec![0u128; m + 1];
    counts[0] = 1;
    for _ in 0..n {
        let mut next = vec![0u128; m + 1];
        for (used, count) in counts.iter().enumerate().filter(|(_, c)| **c > 0) {
            let mut fresh = 1u128; // binomial(m - used, added)
            for added in 0..=m - used {
                let empty = (added == 0) as u128;
                let rows = fresh.saturating_mul(power(2, used)).saturating_sub(empty);
                let to = &mut next[used + added];
                *to = to.saturating_add(count.saturating_mul(rows));
                fresh = fresh.saturating_mul((m - used - added) as u128) / (added as u128 + 1);
            }
        }
        counts = next;
    }
    counts[m]
}
