//! Sequences against vectors.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn sequences_agree_with_vectors(seed: u64) {
        let c = Case::new(seed);
        let (ty, elements) = (Type::sequence(c.x.clone()), Type::pow(c.x.clone()));
        let seq = c.shape(&ty);
        let mut g = Random(seed);
        let mut list = |n: u64| -> Vec<Value> {
            (0..n).map(|_| c.value(&c.x, &g.model(&c.x, &c.sizes))).collect()
        };
        let (a, b, x) = (list(c.n), list(seed % 5), list(1).remove(0));
        let make = |items: &[Value]| sequence::from_items(&seq, items.to_vec());
        let (s, t) = (make(&a), make(&b));
        prop_assert_eq!(&s, &seq.collect(seq.members(&s)));
        prop_assert_eq!(sequence::items(&seq, &s), Some(a.clone()));
        prop_assert_eq!(sequence::size(&seq, &s), Ok(a.len()));
        prop_assert_eq!(sequence::concat(&seq, &s, &t), Ok(make(&[&a[..], &b].concat())));
        let single = std::slice::from_ref(&x);
        prop_assert_eq!(sequence::append(&seq, &s, x.clone()), Ok(make(&[&a[..], single].concat())));
        prop_assert_eq!(sequence::prepend(&seq, x.clone(), &s), Ok(make(&[single, &a[..]].concat())));
        let back: Vec<Value> = a.iter().rev().cloned().collect();
        prop_assert_eq!(sequence::reverse(&seq, &s), Ok(make(&back)));
        let outer = c.shape(&Type::sequence(ty.clone()));
        let nested = sequence::from_items(&outer, vec![s.clone(), t.clone(), s.clone()]);
        prop_assert_eq!(sequence::conc(&outer, &seq, &nested), Ok(make(&[&a[..], &b, &a].concat())));
        let empty = Err(sequence::SequenceError::Empty);
        let or_empty = |v: Option<Value>| v.map_or(empty.clone(), Ok);
        prop_assert_eq!(sequence::first(&seq, &s), or_empty(a.first().cloned()));
        prop_assert_eq!(sequence::last(&seq, &s), or_empty(a.last().cloned()));
        prop_assert_eq!(sequence::tail(&seq, &s), or_empty(a.split_first().map(|p| make(p.1))));
        prop_assert_eq!(sequence::front(&seq, &s), or_empty(a.split_last().map(|p| make(p.1))));
        for n in -1..=a.len() as i64 + 1 {
            let k = usize::try_from(n).ok().filter(|k| *k <= a.len());
            let or_out = |v: Option<Value>| v.ok_or(sequence::SequenceError::OutOfRange);
            let n = Value::Int(n);
            prop_assert_eq!(sequence::take(&seq, &s, &n), or_out(k.map(|k| make(&a[..k]))));
            prop_assert_eq!(sequence::drop(&seq, &s, &n), or_out(k.map(|k| make(&a[k..]))));
        }
        let distinct: BTreeSet<&Value> = a.iter().collect();
        let injective = distinct.len() == a.len();
        prop_assert_eq!(sequence::is_injective_sequence(&seq, &s), injective);
        let range = c.shape(&elements).collect(a.iter().cloned());
        prop_assert_eq!(sequence::is_permutation_of(&seq, &s, &range), injective);
        prop_assert!(sequence::is_sequence_over(&seq, &s, &range));
        let wider = c.shape(&elements).insert(&range, x.clone());
        prop_assert_eq!(
            sequence::is_permutation_of(&seq, &s, &wider), injective && a.contains(&x)
        );
        // no sequences: a gap, a wrong start, two items at one place
        let at = |i: i64, v: &Value| seq.element().pair(Value::Int(i), v.clone());
        for bad in [vec![at(1, &x), at(3, &x)], vec![at(0, &x)], vec![at(2, &x)]] {
            let bad = seq.collect(bad);
            prop_assert!(!sequence::is_sequence(&seq, &bad));
            prop_assert_eq!(
                sequence::first(&seq, &bad), Err(sequence::SequenceError::NotSequence)
            );
        }
        if let Some(other) = a.iter().find(|o| **o != x) {
            prop_assert!(!sequence::is_sequence(&seq, &seq.collect([at(1, &x), at(1, other)])));
        }
    }
}

#[test]
fn long_sequences() {
    let sizes = Sizes([1, 1, 1].into());
    let seq = Shape::of(&Type::sequence(Type::Integer), &sizes);
    let long = sequence::from_items(&seq, (0..10_000).map(Value::Int).collect());
    let back = sequence::reverse(&seq, &long).unwrap();
    assert!(sequence::is_injective_sequence(&seq, &back));
    let twice = sequence::concat(&seq, &long, &back).unwrap();
    assert_eq!(sequence::size(&seq, &twice), Ok(20_000));
    assert_eq!(relation::apply(&seq, &twice, &Value::Int(10_001)), Ok(Value::Int(9_999)));
    let swapped = seq.collect([seq.element().pair(Value::Int(5), Value::Int(-1))]);
    let changed = relation::overriding(&seq, &long, &swapped);
    assert_eq!(relation::apply(&seq, &changed, &Value::Int(5)), Ok(Value::Int(-1)));
    assert_eq!(seq.card(&changed), 10_000);
}
