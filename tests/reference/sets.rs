//! Sets, relations and sequences, built explicitly.

use super::value::V;
use super::{R, fault, skip};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};

/// Most members of a set whose subsets are listed.
const LARGEST: usize = 14;

pub fn interval(a: &BigInt, b: &BigInt) -> Vec<V> {
    let mut all = Vec::new();
    let mut n = a.clone();
    while n <= *b {
        all.push(V::Int(n.clone()));
        n += 1;
    }
    all
}

pub fn subsets(of: &[V]) -> R<Vec<V>> {
    if of.len() > LARGEST {
        return skip("subsets of a large set");
    }
    let pick =
        |bits: u32| V::set((0..of.len()).filter(|i| bits >> i & 1 == 1).map(|i| of[i].clone()));
    Ok((0..1u32 << of.len()).map(pick).collect())
}

pub fn product(a: &[V], b: &[V]) -> Vec<V> {
    a.iter().flat_map(|x| b.iter().map(|y| V::pair(x.clone(), y.clone()))).collect()
}

pub fn records(lists: &[Vec<V>]) -> Vec<V> {
    let mut all = vec![Vec::new()];
    for list in lists {
        all = all
            .into_iter()
            .flat_map(|r: Vec<V>| {
                list.iter().map(move |v| r.iter().cloned().chain([v.clone()]).collect::<Vec<_>>())
            })
            .collect();
    }
    all.into_iter().map(V::Rec).collect()
}

pub fn list(s: &V) -> Vec<V> {
    s.items().iter().cloned().collect()
}

pub fn pairs(r: &V) -> Vec<(V, V)> {
    r.items().iter().map(|p| (p.sides().0.clone(), p.sides().1.clone())).collect()
}

pub fn relation(pairs: impl IntoIterator<Item = (V, V)>) -> V {
    V::set(pairs.into_iter().map(|(x, y)| V::pair(x, y)))
}

pub fn dom(r: &V) -> V {
    V::set(pairs(r).into_iter().map(|p| p.0))
}

pub fn ran(r: &V) -> V {
    V::set(pairs(r).into_iter().map(|p| p.1))
}

pub fn has(s: &V, x: &V) -> bool {
    s.items().contains(x)
}

pub fn union(a: &V, b: &V) -> V {
    V::Set(a.items().union(b.items()).cloned().collect())
}

pub fn compose(r: &V, s: &V) -> V {
    let mut out = BTreeSet::new();
    for (x, y) in pairs(r) {
        for (y2, z) in pairs(s) {
            if y == y2 {
                out.insert(V::pair(x.clone(), z));
            }
        }
    }
    V::Set(out)
}

pub fn identity(s: &V) -> V {
    relation(s.items().iter().map(|x| (x.clone(), x.clone())))
}

pub fn closure1(r: &V) -> V {
    let mut all = r.clone();
    loop {
        let more = union(&all, &compose(&all, r));
        if more == all {
            return all;
        }
        all = more;
    }
}

pub fn apply(f: &V, x: &V) -> R<V> {
    let results: Vec<V> = pairs(f).into_iter().filter(|(a, _)| a == x).map(|(_, b)| b).collect();
    match &results[..] {
        [y] => Ok(y.clone()),
        [] => fault("outside the domain"),
        _ => fault("not functional"),
    }
}

pub fn overriding(r: &V, s: &V) -> V {
    let domain = dom(s);
    let kept = pairs(r).into_iter().filter(|(x, _)| !has(&domain, x));
    relation(kept.chain(pairs(s)))
}

/// What the arrows ask of a relation between `a` and `b`.
#[derive(Clone, Copy)]
pub struct Kind {
    pub functional: bool,
    pub total: bool,
    pub surjective: bool,
    pub injective: bool,
}

impl Kind {
    /// Apart from where it lies.
    pub fn holds(&self, r: &V) -> bool {
        let ps = pairs(r);
        let distinct = |side: &dyn Fn(&(V, V)) -> V| {
            ps.iter().map(side).collect::<BTreeSet<_>>().len() == ps.len()
        };
        (!self.functional || distinct(&|p| p.0.clone()))
            && (!self.injective || distinct(&|p| p.1.clone()))
    }

    pub fn all(&self, a: &V, b: &V) -> R<Vec<V>> {
        let candidates = subsets(&product(&list(a), &list(b)))?;
        Ok(candidates
            .into_iter()
            .filter(|r| {
                self.holds(r) && (!self.total || dom(r) == *a) && (!self.surjective || ran(r) == *b)
            })
            .collect())
    }
}

/// The items of a sequence; `None` if the domain is not `1..n` or it is no function.
pub fn items(s: &V) -> Option<Vec<V>> {
    let mut by_place = BTreeMap::new();
    for (i, v) in pairs(s) {
        if by_place.insert(i, v).is_some() {
            return None;
        }
    }
    let wanted = (1..=by_place.len() as i64).map(V::int);
    wanted.eq(by_place.keys().cloned()).then(|| by_place.into_values().collect())
}

pub fn sequence(items: impl IntoIterator<Item = V>) -> V {
    relation((1i64..).map(V::int).zip(items))
}

/// Sequences without repetition over a set.
pub fn injective(of: &V) -> R<Vec<Vec<V>>> {
    if of.items().len() > 5 {
        return skip("sequences over a large set");
    }
    let mut all: Vec<Vec<V>> = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..of.items().len() {
        let mut longer = Vec::new();
        for s in &last {
            for x in of.items().iter().filter(|x| !s.contains(x)) {
                longer.push(s.iter().cloned().chain([x.clone()]).collect::<Vec<_>>());
            }
        }
        all.extend(longer.iter().cloned());
        last = longer;
    }
    Ok(all)
}
