use super::engine::Engine;
use super::literal::{Linear, Lit, Terms};
use super::propagators::arithmetic::{Product, Quotient, Remainder};
use super::propagators::different::Different;
use super::propagators::element::{Element, Picked, Table};
use super::propagators::grid::{Grid, InGrid};
use super::propagators::linear::{Relation, Sum};
use super::propagators::logic::{Clause, Conjunction};
use super::propagators::reach::{Edge, Reach, possible_ways};
use super::store::{INFINITE, Store, Var};
use crate::constraint::counting::packing::Packing;
use std::collections::BTreeSet;

/// Numbers from 0 on that are less than what is asked for, the same in every run.
fn dice(seed: u64) -> impl FnMut(i64) -> i64 {
    let mut number = seed;
    move |most| {
        number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (number >> 33) as i64 % most
    }
}

fn values(store: &Store, var: Var) -> Vec<i64> {
    store.values(var).collect()
}

#[test]
fn the_trail_gives_back_what_was_taken() {
    let mut store = Store::default();
    let (x, y) = (store.variable(0, 200), store.variable(-5, INFINITE));
    store.push();
    store.remove(x, 77).unwrap();
    store.at_least(x, 70).unwrap();
    store.at_most(x, 80).unwrap();
    store.at_least(y, 3).unwrap();
    store.push();
    store.remove(x, 70).unwrap();
    assert_eq!((store.low(x), store.size(x)), (71, 9));
    store.fix(x, 75).unwrap();
    store.pop();
    assert_eq!(values(&store, x), [70, 71, 72, 73, 74, 75, 76, 78, 79, 80]);
    assert_eq!(store.size(x), 10);
    store.pop();
    assert_eq!((store.size(x), store.low(y)), (201, -5));
    assert!(store.contains(x, 77));
    assert!(store.fix(x, 201).is_err());
}

#[test]
fn bits_span_words() {
    let mut store = Store::default();
    let x = store.variable(-3, 300);
    store.retain(x, |v| v % 60 == 0).unwrap();
    assert_eq!(values(&store, x), [0, 60, 120, 180, 240, 300]);
    assert_eq!(store.size(x), 6);
    store.at_least(x, 61).unwrap();
    assert_eq!((store.low(x), store.size(x)), (120, 4));
    store.at_most(x, 299).unwrap();
    assert_eq!((store.high(x), store.size(x)), (240, 3));
}

#[test]
fn listed_values_are_kept_as_a_set_keeps_them() {
    let mut next = dice(11);
    for _ in 0..300 {
        let far = 1 + next(3) * 40_000;
        let all: BTreeSet<i64> = (0..1 + next(150)).map(|_| next(200) * far - 50).collect();
        let mut store = Store::default();
        let x = store.variable(-INFINITE, INFINITE);
        let twice: Vec<i64> = all.iter().flat_map(|v| [*v, *v]).collect();
        store.one_of(x, &twice).unwrap();
        assert_eq!(store.is_listed(x), all.last().unwrap() - all.first().unwrap() >= 4096);
        let mut levels = vec![all];
        for _ in 0..60 {
            let mut kept = levels.last().unwrap().clone();
            let some = next(220) * far - 50 + next(2);
            let done = match next(6) {
                0 if levels.len() > 1 => {
                    store.pop();
                    levels.pop();
                    assert!(values(&store, x).iter().eq(levels.last().unwrap()));
                    continue;
                }
                0 | 1 => {
                    store.push();
                    levels.push(kept);
                    continue;
                }
                2 => {
                    kept.retain(|v| *v >= some);
                    store.at_least(x, some)
                }
                3 => {
                    kept.retain(|v| *v <= some);
                    store.at_most(x, some)
                }
                _ => {
                    kept.remove(&some);
                    store.remove(x, some)
                }
            };
            assert_eq!(done.is_err(), kept.is_empty());
            if done.is_err() {
                continue;
            }
            assert!(values(&store, x).iter().eq(&kept));
            assert_eq!(store.size(x), kept.len() as u64);
            let near = |v: i64| kept.contains(&v) == store.contains(x, v);
            assert!(near(some) && near(some + 1) && near(some - 1));
            *levels.last_mut().unwrap() = kept;
        }
    }
}

#[test]
fn differing_values_that_are_far_apart() {
    let mut engine = Engine::default();
    let far = [5, 70_000, 1_000_000];
    let vars: Vec<Var> = (0..3).map(|_| engine.store.variable(-INFINITE, INFINITE)).collect();
    for var in &vars {
        engine.store.one_of(*var, &far).unwrap();
    }
    engine.add(Different(vars.clone().into()));
    engine.propagate().unwrap();
    engine.store.at_most(vars[0], 70_000).unwrap();
    engine.store.at_most(vars[1], 70_000).unwrap();
    engine.propagate().unwrap();
    // Two that share two values leave the third for the last.
    assert_eq!(values(&engine.store, vars[2]), [1_000_000]);
    let fourth = engine.store.variable(5, 1_000_000);
    engine.store.one_of(fourth, &far).unwrap();
    engine.add(Different([&vars[..], &[fourth]].concat().into()));
    assert!(engine.propagate().is_err());
}

fn sum(terms: &[(i64, Var)], constant: i64) -> Linear {
    Linear { terms: terms.into(), constant }
}

#[test]
fn sums() {
    let mut engine = Engine::default();
    let (x, y) = (engine.store.variable(0, INFINITE), engine.store.variable(0, INFINITE));
    let on = Lit::Always;
    // 3x + 2y = 12
    engine.add(Sum { on, sum: sum(&[(3, x), (2, y)], -12), relation: Relation::Equal });
    engine.propagate().unwrap();
    assert_eq!((engine.store.high(x), engine.store.high(y)), (4, 6));
    assert!(engine.store.refine());
    engine.wake_all();
    engine.propagate().unwrap();
    assert_eq!(values(&engine.store, x), [0, 2, 4]);
    assert_eq!(values(&engine.store, y), [0, 3, 6]);
    let z = engine.store.variable(0, 1);
    engine.add(Sum { on: Lit::Is(z, 1), sum: sum(&[(1, x)], -1), relation: Relation::AtMost });
    engine.store.at_least(x, 2).unwrap();
    engine.propagate().unwrap();
    assert_eq!(engine.store.value(z), Some(0));
}

#[test]
fn clauses_and_conjunctions() {
    let mut engine = Engine::default();
    let vars: Vec<Var> = (0..4).map(|_| engine.store.variable(0, 1)).collect();
    let lit = |i: usize| Lit::Is(vars[i], 1);
    engine.add(Clause(Box::new([lit(0), lit(1).negated()])));
    engine.add(Conjunction { whole: lit(3), parts: Box::new([lit(1), lit(2)]) });
    engine.store.assert(lit(3)).unwrap();
    engine.propagate().unwrap();
    assert!((0..4).all(|i| engine.store.truth(lit(i)) == Some(true)));
}

#[test]
fn products_and_roots() {
    let mut engine = Engine::default();
    let x = engine.store.variable(-INFINITE, INFINITE);
    let y = engine.store.variable(90, 110);
    engine.add(Product { product: y, left: x, right: x });
    engine.store.at_least(x, 0).unwrap();
    engine.propagate().unwrap();
    assert_eq!((engine.store.value(x), engine.store.value(y)), (Some(10), Some(100)));
}

#[test]
fn quotients_and_remainders_agree_with_division() {
    for low in -7..8 {
        for high in low..8 {
            let mut engine = Engine::default();
            let of = engine.store.variable(low, high);
            let quotient = engine.store.variable(-10, 10);
            engine.add(Quotient { quotient, of, by: 3 });
            engine.propagate().unwrap();
            assert_eq!(
                (engine.store.low(quotient), engine.store.high(quotient)),
                (low / 3, high / 3)
            );
            if low >= 0 {
                let rest = engine.store.variable(0, 2);
                engine.add(Remainder { rest, of, by: 3 });
                engine.propagate().unwrap();
                let mut wanted: Vec<i64> = (low..=high).map(|n| n % 3).collect();
                wanted.sort_unstable();
                wanted.dedup();
                assert_eq!(values(&engine.store, rest), wanted);
            }
        }
    }
}

#[test]
fn different_values_need_room() {
    let mut engine = Engine::default();
    let (a, b) = (engine.store.variable(1, 2), engine.store.variable(1, 2));
    let (c, d) = (engine.store.variable(1, 4), engine.store.variable(0, 4));
    engine.add(Different(Box::new([a, b, c, d])));
    engine.propagate().unwrap();
    assert_eq!(values(&engine.store, c), [3, 4]);
    assert_eq!(values(&engine.store, d), [0, 3, 4]);
    let e = engine.store.variable(1, 2);
    engine.add(Different(Box::new([a, b, e])));
    assert!(engine.propagate().is_err());
}

#[test]
fn elements_and_tables() {
    let mut engine = Engine::default();
    let (index, result) = (engine.store.variable(1, 4), engine.store.variable(0, 9));
    let rows = [(1, 7), (2, 3), (3, 7), (4, 5)].map(|(i, n)| (i, Picked::Number(n)));
    engine.add(Element { index, rows: Box::new(rows), result });
    engine.propagate().unwrap();
    assert_eq!(values(&engine.store, result), [3, 5, 7]);
    engine.store.at_least(result, 6).unwrap();
    engine.propagate().unwrap();
    assert_eq!(values(&engine.store, index), [1, 3]);
    let other = engine.store.variable(0, 9);
    let rows = [[1, 1], [2, 5], [3, 4]].map(|row| row.into());
    engine.add(Table { vars: Box::new([index, other]), rows: Box::new(rows) });
    engine.propagate().unwrap();
    assert_eq!(values(&engine.store, other), [1, 4]);
}

/// A pair in a relation, and one outside of it, against all pairs there are.
#[test]
fn pairs_in_relations() {
    let mut next = dice(7);
    for _ in 0..300 {
        let pairs: Vec<(i64, i64)> = (0..1 + next(12)).map(|_| (next(6) - 2, next(70))).collect();
        let grid = std::rc::Rc::new(Grid::new(&pairs).unwrap());
        for inside in [true, false] {
            let mut engine = Engine::default();
            let (left, right) = (engine.store.variable(-3, 5), engine.store.variable(0, 72));
            let on = engine.store.variable(0, 1);
            let lefts: Vec<i64> = (-3..=5).filter(|_| next(3) > 0).collect();
            let rights: Vec<i64> = (0..=72).filter(|_| next(12) == 0).collect();
            let kept = engine.store.retain(left, |v| lefts.contains(&v)).is_ok()
                && engine.store.retain(right, |v| rights.contains(&v)).is_ok();
            if !kept {
                continue;
            }
            let on = Lit::Is(on, 1);
            engine.add(InGrid { on, grid: grid.clone(), left, right, inside });
            let found: Vec<(i64, i64)> = lefts
                .iter()
                .flat_map(|x| rights.iter().map(move |y| (*x, *y)))
                .filter(|pair| pairs.contains(pair) == inside)
                .collect();
            engine.propagate().unwrap();
            assert_eq!(engine.store.truth(on), found.is_empty().then_some(false));
            assert_eq!(
                (values(&engine.store, left), values(&engine.store, right)),
                (lefts, rights)
            );
            if found.is_empty() {
                continue;
            }
            engine.store.assert(on).unwrap();
            engine.propagate().unwrap();
            let sides =
                |side: &dyn Fn(&(i64, i64)) -> i64| found.iter().map(side).collect::<BTreeSet<_>>();
            assert!(values(&engine.store, left).into_iter().eq(sides(&|p| p.0)));
            assert!(values(&engine.store, right).into_iter().eq(sides(&|p| p.1)));
        }
    }
}

/// Relations on four points, some pairs of which are known to be there or not, some ways wanted or denied: those that
/// are left are all that have these ways.
#[test]
fn ways_along_relations() {
    let mut next = dice(3);
    let pairs: Vec<(usize, usize)> = (0..16).map(|i| (i / 4, i % 4)).collect();
    for _ in 0..150 {
        let mut engine = Engine::default();
        let mut vars = Vec::new();
        let mut edge = |engine: &mut Engine, (from, to): (usize, usize)| {
            let var = engine.store.variable(0, 1);
            vars.push(var);
            Edge { from, to, there: Lit::Is(var, 1) }
        };
        let some: Vec<_> = pairs.iter().copied().filter(|_| next(2) == 0).collect();
        let edges: Vec<Edge> = some.iter().map(|pair| edge(&mut engine, *pair)).collect();
        let possible = possible_ways(4, &edges);
        let ways = possible.iter().map(|pair| edge(&mut engine, *pair)).collect();
        engine.add(Reach::new(4, edges, ways));
        let told: Vec<(usize, bool)> =
            (0..vars.len()).filter(|_| next(4) == 0).map(|i| (i, i % 3 > 0)).collect();
        let expected: Vec<Vec<i64>> = (0..1usize << some.len())
            .map(|chosen| {
                let mut closed = [[false; 4]; 4];
                let is_chosen = |i: &usize| chosen >> i & 1 == 1;
                (0..some.len()).filter(is_chosen).for_each(|i| closed[some[i].0][some[i].1] = true);
                for middle in 0..4 {
                    for (x, y) in &pairs {
                        closed[*x][*y] |= closed[*x][middle] && closed[middle][*y];
                    }
                }
                let there = (0..some.len()).map(|i| i64::from(is_chosen(&i)));
                there.chain(possible.iter().map(|(x, y)| i64::from(closed[*x][*y]))).collect()
            })
            .filter(|row: &Vec<i64>| told.iter().all(|(i, is)| row[*i] == i64::from(*is)))
            .collect();
        let fits = told.iter().all(|(i, is)| engine.store.fix(vars[*i], i64::from(*is)).is_ok());
        assert!(fits);
        let mut found = solutions(&mut engine, &vars);
        found.sort();
        let mut expected = expected;
        expected.sort();
        assert_eq!(found, expected);
    }
}

/// Which of these are 1 in each solution.
fn solutions(engine: &mut Engine, vars: &[Var]) -> Vec<Vec<i64>> {
    if engine.propagate().is_err() {
        return Vec::new();
    }
    let Some(open) = vars.iter().find(|v| !engine.store.is_fixed(**v)) else {
        return vec![vars.iter().map(|v| engine.store.low(*v)).collect()];
    };
    let mut all = Vec::new();
    for value in 0..2 {
        engine.store.push();
        if engine.store.fix(*open, value).is_ok() {
            all.extend(solutions(engine, vars));
        }
        engine.store.pop();
    }
    all
}

#[test]
fn groups_that_exclude_leave_no_room() {
    // Two rows of three, one in each at most; two are wanted.
    let mut engine = Engine::default();
    let vars: Vec<Var> = (0..6).map(|_| engine.store.variable(0, 1)).collect();
    let groups: Box<[Box<[Var]>]> = vars.chunks(3).map(Box::from).collect();
    engine.add(Packing { groups, least: 2 });
    engine.propagate().unwrap();
    engine.store.push();
    engine.store.fix(vars[0], 0).unwrap();
    engine.store.fix(vars[1], 0).unwrap();
    engine.propagate().unwrap();
    assert_eq!(engine.store.value(vars[2]), Some(1), "it is the last one of its row");
    assert_eq!(engine.store.value(vars[3]), None);
    engine.store.pop();
    // With the sum that it follows from, nothing else is left out.
    let on = Lit::Always;
    for row in vars.chunks(3) {
        let most = sum(&row.iter().map(|v| (1, *v)).collect::<Vec<_>>(), -1);
        engine.add(Sum { on, sum: most, relation: Relation::AtMost });
    }
    assert_eq!(solutions(&mut engine, &vars).len(), 9);
    for var in &vars[3..] {
        engine.store.push();
        engine.store.fix(*var, 0).unwrap();
        let left = solutions(&mut engine, &vars).len();
        engine.store.pop();
        assert_eq!(left, 6);
    }
    vars[3..].iter().for_each(|v| engine.store.fix(*v, 0).unwrap());
    assert!(engine.propagate().is_err());
}

/// Packed sums are refuted by the same bounds as they are one by one.
#[test]
fn packed_sums_are_refuted_as_single_ones() {
    use super::propagators::rows::Rows;
    let mut next = dice(5);
    let (mut refuted, mut open) = (0, 0);
    for round in 0..200 {
        let mut store = Store::default();
        let vars: Vec<Var> = (0..1 + next(6))
            .map(|_| {
                let low = next(40) - 20;
                store.variable(low, low + next(12))
            })
            .collect();
        let relation = if round % 2 == 0 { Relation::Equal } else { Relation::AtMost };
        let sums: Vec<Sum> = (0..12)
            .map(|_| {
                let terms: Terms =
                    vars.iter().map(|var| (next(7) - 3, *var)).filter(|(n, _)| *n != 0).collect();
                let sum = Linear { terms, constant: next(60) - 30 };
                Sum { on: Lit::Always, sum, relation }
            })
            .collect();
        let Some(rows) = Rows::of(&sums) else { continue };
        let bounds = rows.bounds(&store).expect("small bounds");
        for (i, sum) in sums.iter().enumerate() {
            let (low, high) = sum.sum.bounds(&store);
            let expected = low > 0 || relation == Relation::Equal && high < 0;
            assert_eq!(rows.is_refuted(i, &bounds), expected, "{:?} {low}..{high}", sum.sum);
            if expected { refuted += 1 } else { open += 1 }
        }
    }
    assert!(refuted > 300 && open > 300, "{refuted} {open}");
}
