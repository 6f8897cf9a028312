//! Sets that are too large to be pictured, where they restrict what is: `r[NATURAL]`, `NATURAL <| r`, `s - NATURAL`.

use super::object::Object;
use crate::constraint::build::{Builder, Built, Meaning};
use crate::constraint::sketch::{Host, Sketch};
use crate::machine::{BinaryOp, UnaryOp};
use crate::value::Value;
use std::collections::BTreeSet;

impl<'p, H: Host> Builder<'p, H> {
    /// Both operands. Of a set that restricts a relation or a set and is too large to be pictured, `NATURAL` in
    /// `r[NATURAL]`, those members count that there may be on the other side.
    pub(in crate::constraint) fn operands(
        &mut self,
        op: BinaryOp,
        a: &'p Sketch,
        b: &'p Sketch,
    ) -> Built<(Meaning, Meaning), H> {
        use BinaryOp::*;
        match op {
            DomainRestrict | DomainSubtract => {
                let right = self.term(b)?;
                Ok((self.among(a, &right.object, b, Some(UnaryOp::Dom))?, right))
            }
            Intersection if let Some(left) = self.attempt(|builder| builder.term(a))? => {
                let right = self.among(b, &left.object, a, None)?;
                Ok((left, right))
            }
            Intersection => {
                let right = self.term(b)?;
                Ok((self.among(a, &right.object, b, None)?, right))
            }
            Image | RangeRestrict | RangeSubtract | Difference => {
                let left = self.term(a)?;
                let side = match op {
                    Image => Some(UnaryOp::Dom),
                    RangeRestrict | RangeSubtract => Some(UnaryOp::Ran),
                    _ => None,
                };
                let right = self.among(b, &left.object, a, side)?;
                Ok((left, right))
            }
            _ => Ok((self.term(a)?, self.term(b)?)),
        }
    }

    /// A set, or as much of it as is in another one: in what that has on a side, if one is told.
    fn among(
        &mut self,
        set: &'p Sketch,
        other: &Object,
        of: &'p Sketch,
        side: Option<UnaryOp>,
    ) -> Built<Meaning, H> {
        if let Some(meaning) = self.attempt(|builder| builder.term(set))? {
            return Ok(meaning);
        }
        let (element, pairs) = (set.shape.element(), of.shape.element());
        let values: BTreeSet<Value> = match (other, side) {
            (Object::Function(points), Some(UnaryOp::Dom)) => {
                points.iter().map(|point| point.at.clone()).collect()
            }
            _ => {
                let members = self.candidates(other, &of.shape)?.into_iter();
                members
                    .map(|(value, _)| match side {
                        Some(UnaryOp::Dom) => pairs.split(&value).0,
                        Some(_) => pairs.split(&value).1,
                        None => value,
                    })
                    .collect()
            }
        };
        let (mut members, mut defined) = (Vec::new(), Vec::new());
        for value in values {
            let (claim, known) = self.member(&Object::Known(value.clone()), &element, set)?;
            members.push((value, self.poster.lit(claim)));
            defined.push(known);
        }
        Ok(Meaning { object: Object::Set(members.into()), defined: self.poster.and(defined) })
    }
}
