//! Parts of closures against the closures.

use super::*;
use crate::value::Unmetered;
use crate::value::reach::Reach;

/// Compares all that is asked of the closure of a relation with the closure; `s`: some of its points.
fn agrees(points: &Shape, rel: &Shape, r: &Value, s: &Value) -> Result<(), TestCaseError> {
    let whole = relation::closure1(rel, r, &mut Unmetered).unwrap();
    let mut reach = Reach::new(rel, r, &mut Unmetered).unwrap();
    prop_assert_eq!(
        reach.image((points, s), points, &mut Unmetered).unwrap(),
        relation::image(rel, points, &whole, s)
    );
    prop_assert_eq!(
        reach.restricted((points, s), rel, &mut Unmetered).unwrap(),
        relation::domain_restrict(rel, s, &whole)
    );
    prop_assert_eq!(
        reach.circles((points, s), rel, &mut Unmetered).unwrap(),
        rel.intersection(&whole, &relation::identity(points, rel, s))
    );
    for x in points.members(s) {
        for y in points.members(s) {
            let leads = reach.leads(&x, &y, &mut Unmetered).unwrap();
            prop_assert_eq!(leads, rel.contains(&whole, &rel.element().pair(x.clone(), y)));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn parts_of_small_closures(seed: u64) {
        let c = Case::new(seed);
        let (xx, px) = (Type::relation(c.x.clone(), c.x.clone()), Type::pow(c.x.clone()));
        agrees(&c.shape(&px), &c.shape(&xx), &c.value(&xx, &c.h), &c.value(&px, &c.a))?;
    }

    /// So many points that their bits take several words.
    #[test]
    fn parts_of_large_closures(steps in prop::collection::vec((0..200i64, 0..200i64), 0..250)) {
        let points = Shape::set_of(Shape::Integer);
        let rel = Shape::set_of(Shape::pair_of(Shape::Integer, Shape::Integer));
        let pair = |(x, y)| rel.element().pair(Value::Int(x), Value::Int(y));
        let r = rel.collect(steps.into_iter().map(pair));
        let s = points.collect((0..210).step_by(7).map(Value::Int));
        agrees(&points, &rel, &r, &s)?;
    }
}
