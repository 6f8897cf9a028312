//! Values as text.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn distinct_values_print_distinctly(seed: u64) {
        let c = Case::new(seed);
        let names = names(&c.sizes);
        let seq = Type::sequence(c.x.clone());
        let mut g = Random(seed);
        for ty in [&c.x, &Type::relation(c.x.clone(), c.y.clone()), &seq] {
            let mut texts = BTreeMap::new();
            for _ in 0..10 {
                let v = c.value(ty, &g.model(ty, &c.sizes));
                let text = names.show(ty, &v);
                let short = names.show_short(ty, &Notation::Plain, &v, 20);
                prop_assert!(short.chars().count() <= 20);
                if text.chars().count() <= 20 {
                    prop_assert_eq!(&short, &text);
                } else {
                    let start = short.strip_suffix("...");
                    prop_assert!(start.is_some_and(|s| text.starts_with(s)), "{} {}", short, text);
                }
                let before = texts.insert(text.clone(), v.clone());
                prop_assert!(before.is_none_or(|w| w == v), "{}", text);
            }
        }
    }
}

#[test]
fn printing() {
    let sizes = Sizes([3, 2, 4, 2].into());
    let mut names = names(&sizes);
    names.rename(SetId(0), 1, "c".into());
    let shape = |ty: &Type| Shape::of(ty, &sizes);
    let show = |ty: &Type, m: Model| names.show(ty, &build(&shape(ty), &m));
    let word = Model::Word;
    let set = |ms: &[Model]| Model::Set(ms.iter().cloned().collect());
    assert_eq!(show(&carrier(0), word(0)), "S1");
    assert_eq!(show(&carrier(0), word(1)), "c");
    assert_eq!(&*names.element(SetId(0), 2), "S3");
    assert_eq!(show(&carrier(3), word(1)), "`dark red`");
    assert_eq!(names.lists()[1].len(), 2);
    assert_eq!(show(&Type::pow(carrier(0)), set(&[])), "{}");
    assert_eq!(show(&Type::pow(carrier(0)), set(&[word(0), word(2)])), "{S1,S3}");
    let rel = Type::relation(carrier(3), Type::Bool);
    assert_eq!(show(&rel, graph([(word(0), word(1))])), "{(red|->TRUE)}");
    let left = Type::pair(Type::pair(Type::Bool, Type::Integer), Type::Bool);
    assert_eq!(show(&left, pair(pair(word(0), Model::Int(-1)), word(1))), "(FALSE|->-1|->TRUE)");
    let right = Type::pair(Type::Bool, Type::pair(Type::Bool, Type::Bool));
    assert_eq!(show(&right, pair(word(0), pair(word(0), word(1)))), "(FALSE|->(FALSE|->TRUE))");
    let seq = Type::sequence(Type::Bool);
    let items = |is: &[i64]| graph(is.iter().map(|i| (Model::Int(*i), word(0))));
    assert_eq!(show(&seq, items(&[])), "{}");
    let meant = Notation::sequence(Notation::Plain);
    let show_as = |ty: &Type, notation: &Notation, m: Model| {
        names.show_as(ty, notation, &build(&shape(ty), &m))
    };
    assert_eq!(show_as(&seq, &meant, items(&[])), "[]");
    // What is declared as a sequence and is none is no sequence all the same.
    assert_eq!(show_as(&seq, &meant, items(&[1, 3])), "{(1|->FALSE),(3|->FALSE)}");
    let both = Notation::pair(meant.clone(), Notation::Plain);
    let sequences = pair(items(&[]), items(&[]));
    assert_eq!(show_as(&Type::pair(seq.clone(), seq.clone()), &both, sequences), "([]|->{})");
    let nested = Type::sequence(seq.clone());
    let one = || graph([(Model::Int(1), items(&[]))]);
    assert_eq!(show(&nested, one()), "[{}]");
    assert_eq!(show_as(&nested, &Notation::sequence(meant.clone()), one()), "[[]]");
    // A function into sequences.
    let into = Notation::set(Notation::pair(Notation::Plain, meant.clone()));
    assert_eq!(show_as(&nested, &into, one()), "[[]]");
    assert_eq!(show_as(&nested, &into, graph([])), "{}");
    assert_eq!(show(&seq, items(&[1, 2])), "[FALSE,FALSE]");
    assert_eq!(show(&seq, items(&[1, 3])), "{(1|->FALSE),(3|->FALSE)}");
    assert_eq!(show(&Type::String, Model::String("a\"\\\n".into())), r#""a\"\\\n""#);
    let record = Type::Record([("a".into(), Type::Integer), ("b".into(), Type::Bool)].into());
    assert_eq!(show(&record, Model::Record(vec![Model::Int(1), word(1)])), "rec(a:1,b:TRUE)");
    let real = |r| names.show(&Type::Real, &Value::real(r));
    assert_eq!([real(1.0), real(-0.5), real(-0.0)], ["1.0", "-0.5", "0.0"]);
    assert_eq!(real(1e21), "1000000000000000000000.0");
    let big = Value::integer(num_bigint::BigInt::from(10).pow(30));
    assert_eq!(names.show(&Type::Integer, &big), format!("1{}", "0".repeat(30)));
    let free = |n, v: Option<i64>| {
        let v = Value::Free(Arc::new((n, v.map(Value::Int))));
        names.show(&Type::Free(crate::machine::FreeId(0)), &v)
    };
    assert_eq!([free(0, None), free(1, Some(2))], ["nil", "cons(2)"]);
    let short = |n| {
        let all = set(&[word(0), word(1), word(2)]);
        names.show_short(
            &Type::pow(carrier(0)),
            &Notation::Plain,
            &build(&shape(&Type::pow(carrier(0))), &all),
            n,
        )
    };
    assert_eq!(
        [9, 8, 7, 5, 3, 2].map(short),
        ["{S1,c,S3}", "{S1,...", "{S1,...", "{...", "...", ".."]
    );
}
