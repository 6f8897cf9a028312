//! Which sets are tables, and that a set is one whichever way it was made.

use super::*;

fn number(n: i64) -> Value {
    Value::Int(n)
}

fn couple(x: Value, y: Value) -> Value {
    Value::Pair(Arc::new((x, y)))
}

/// `1 |-> 2 |-> .. |-> n`
fn tuple(n: i64) -> Value {
    (2..=n).map(number).fold(number(1), couple)
}

fn record(fields: impl IntoIterator<Item = Value>) -> Value {
    Value::Record(fields.into_iter().collect())
}

fn large() -> Value {
    Value::integer(BigInt::from(i64::MAX) + 1)
}

fn is_table(member: Value) -> bool {
    let set = Value::set(vec![member.clone()]);
    let again: Vec<Value> = Shape::Integer.members(&set).collect();
    assert_eq!(again, [member], "what goes in comes out");
    matches!(set, Value::Table(..))
}

#[test]
fn what_is_made_of_numbers_and_words_makes_a_table() {
    assert!(is_table(couple(number(i64::MIN), number(i64::MAX))));
    assert!(is_table(couple(number(1), Value::Word(i64::MAX as u64))));
    assert!(is_table(record([number(1), Value::Word(2)])));
    assert!(is_table(couple(record([number(1), number(2)]), couple(number(3), Value::Word(4)))));
    assert!(is_table(record([couple(number(1), number(2)), record([number(3)])])));
    // Seven numbers have thirteen symbols, eight have fifteen.
    assert!(is_table(tuple(7)));
    assert!(!is_table(tuple(8)));
    assert!(is_table(record((1..=11).map(number))));
    assert!(!is_table(record((1..=12).map(number))));
    for other in [
        number(1),
        record([number(1)]),
        record([]),
        couple(number(1), record([])),
        couple(number(1), large()),
        couple(number(1), Value::Word(1 << 63)),
        couple(number(1), Value::String("a".into())),
        couple(number(1), Value::set(vec![number(1)])),
        couple(number(1), Value::real(1.0)),
    ] {
        assert!(!is_table(other));
    }
}

#[test]
fn a_set_is_a_table_again_without_what_fits_none() {
    let shape = Shape::of(&Type::relation(Type::Integer, Type::Integer), &Sizes([].into()));
    let small = shape.collect([couple(number(1), number(2)), couple(number(3), number(4))]);
    let odd = couple(number(2), large());
    let mixed = shape.insert(&small, odd.clone());
    assert!(matches!(small, Value::Table(..)) && matches!(mixed, Value::Set(_)));
    let one = shape.collect([odd]);
    assert_eq!(shape.difference(&mixed, &one), small);
    assert_eq!(shape.intersection(&mixed, &small), small);
    assert_eq!(shape.union(&one, &small), mixed);
    assert!(shape.is_subset(&small, &mixed) && !shape.is_subset(&mixed, &small));
    assert_eq!(
        relation::with_result(&shape, &mixed, number(2), number(0)).table().map(|t| t.size()),
        Some(3)
    );
    let empty = shape.difference(&small, &small);
    assert_eq!(empty, shape.empty());
    assert_eq!(shape.union(&empty, &small), small);
    assert!(shape.is_subset(&empty, &small));
}

#[test]
fn tables_and_lists_are_in_one_order() {
    let pair = |x: i64, y: Value| couple(number(x), y);
    let sets = [
        vec![],
        vec![pair(1, number(9))],
        vec![pair(2, number(0))],
        vec![pair(1, number(2)), pair(2, number(3))],
        vec![pair(1, number(2)), pair(2, large())],
        vec![pair(1, number(2)), pair(3, number(-1))],
        vec![pair(1, large()), pair(2, number(0))],
    ];
    let sets: Vec<Value> = sets.into_iter().map(Value::set).collect();
    assert!(sets.is_sorted_by(|a, b| a.cmp(b).is_lt() && b.cmp(a).is_gt()));
    let again: Vec<Value> = sets.iter().map(Value::again).collect();
    assert_eq!(sets, again);
}
