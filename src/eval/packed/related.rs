//! Relations over numbers, or between numbers and elements, that a state holds in one word: a row of bits for each left
//! side. What is made of them is an operator on that word, as for relations between elements.

use super::coded::Form;
use crate::eval::compile::Compiler;
use crate::lower::{Grid, One, Relation, Test, Two, Word};
use crate::machine::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::state::Axis;
use std::sync::Arc;

/// The axes of the two sides of pairs.
pub(super) type Sides = Arc<(Axis, Axis)>;

/// What is made of a relation in one word; sets that are operands have bits on the axis of their side.
pub(in crate::eval) enum Related<'e> {
    /// `dom(r)`, or, where that is false, `ran(r)`.
    Side(bool, Form<'e>, Sides),
    /// `r[s]`
    Image(Form<'e>, Sides, &'e Expr),
    /// `r~`, with the sides of `r`.
    Inverse(Form<'e>, Sides),
    /// `s <| r`, `s <<| r`, `r |> s` or `r |>> s`.
    Restricted { of: Form<'e>, set: &'e Expr, left: bool, kept: bool },
    /// `s * t`
    Product(&'e Expr, &'e Expr),
    /// `r <+ q`
    Override(Form<'e>, Form<'e>),
}

/// The relation whose left sides, or else right sides, this set is among.
fn side_of(set: &Expr) -> Option<(&Expr, bool)> {
    match &set.kind {
        ExprKind::Unary(UnaryOp::Dom, r) => Some((r, true)),
        ExprKind::Unary(UnaryOp::Ran, r) | ExprKind::Binary(BinaryOp::Image, r, _) => {
            Some((r, false))
        }
        _ => None,
    }
}

/// The axis of the left sides, or else of the right ones.
fn one((left, right): &(Axis, Axis), is_left: bool) -> &Axis {
    if is_left { left } else { right }
}

fn grid((left, right): &(Axis, Axis)) -> Grid {
    Grid { rows: left.size() as u32, width: right.size() as u32 }
}

impl Compiler<'_> {
    /// A relation that is made of what a state holds in one word.
    pub(in crate::eval) fn relation<'e>(&self, r: &'e Expr) -> Option<(Form<'e>, Sides)> {
        match self.coded_form(r)? {
            (form, Axis::Pair(sides)) => Some((form, sides)),
            _ => None,
        }
    }

    /// The axis of what is made of a relation; none where that is a set of elements.
    pub(super) fn axis_of_related(&self, set: &Expr) -> Option<Axis> {
        let sides = |r: &Expr| match self.axis_of(r)? {
            Axis::Pair(sides) => Some(sides),
            _ => None,
        };
        if let Some((r, is_left)) = side_of(set) {
            let axis = one(&*sides(r)?, is_left).clone();
            return (!matches!(axis, Axis::Universe(_))).then_some(axis);
        }
        Some(match &set.kind {
            ExprKind::Unary(UnaryOp::Inverse, r) => {
                let (left, right) = &*sides(r)?;
                Axis::Pair(Arc::new((right.clone(), left.clone())))
            }
            ExprKind::Binary(BinaryOp::DomainRestrict | BinaryOp::DomainSubtract, _, r)
            | ExprKind::Binary(BinaryOp::RangeRestrict | BinaryOp::RangeSubtract, r, _) => {
                Axis::Pair(sides(r)?)
            }
            ExprKind::Binary(BinaryOp::Override, r, q) => {
                Axis::Pair(sides(r).or_else(|| sides(q))?)
            }
            _ => return None,
        })
    }

    /// How a set on an axis is made of a relation, if it is.
    pub(super) fn related<'e>(&self, set: &'e Expr, axis: &Axis) -> Option<Related<'e>> {
        use BinaryOp::{DomainRestrict, DomainSubtract, RangeRestrict, RangeSubtract};
        let pairs = || match axis {
            Axis::Pair(sides) => Some(sides),
            _ => None,
        };
        let related = match &set.kind {
            ExprKind::Unary(op @ (UnaryOp::Dom | UnaryOp::Ran), r) => {
                let (form, sides) = self.relation(r)?;
                let is_left = *op == UnaryOp::Dom;
                (one(&sides, is_left) == axis).then_some(())?;
                Related::Side(is_left, form, sides)
            }
            ExprKind::Binary(BinaryOp::Image, r, s) => {
                let (form, sides) = self.relation(r)?;
                (sides.1 == *axis && self.is_on(s, &sides.0)).then_some(())?;
                Related::Image(form, sides, s)
            }
            ExprKind::Unary(UnaryOp::Inverse, r) => {
                let (left, right) = &**pairs()?;
                let sides = Arc::new((right.clone(), left.clone()));
                Related::Inverse(self.form(r, &Axis::Pair(sides.clone()))?, sides)
            }
            ExprKind::Binary(op @ (DomainRestrict | DomainSubtract), set, r) => {
                self.is_on(set, &pairs()?.0).then_some(())?;
                let of = self.form(r, axis)?;
                Related::Restricted { of, set, left: true, kept: *op == DomainRestrict }
            }
            ExprKind::Binary(op @ (RangeRestrict | RangeSubtract), r, set) => {
                self.is_on(set, &pairs()?.1).then_some(())?;
                let of = self.form(r, axis)?;
                Related::Restricted { of, set, left: false, kept: *op == RangeRestrict }
            }
            ExprKind::Binary(BinaryOp::Product, s, t) => {
                let sides = pairs()?;
                (self.is_on(s, &sides.0) && self.is_on(t, &sides.1)).then_some(())?;
                Related::Product(s, t)
            }
            ExprKind::Binary(BinaryOp::Override, r, q) => {
                pairs()?;
                Related::Override(self.form(r, axis)?, self.form(q, axis)?)
            }
            _ => return None,
        };
        Some(related)
    }

    /// `clipped`: members without a code are left out.
    pub(super) fn related_bits(&self, of: &Related<'_>, axis: &Axis, clipped: bool) -> Word {
        let bits = |set, axis: &Axis| self.bits_on(set, axis).expect("a set with bits");
        let pairs = |form, sides: &Sides| self.coded(form, &Axis::Pair(sides.clone()), false);
        let sides = || match axis {
            Axis::Pair(sides) => sides,
            _ => unreachable!("a relation has two sides"),
        };
        match of {
            Related::Side(left, form, sides) => {
                let side = if *left { One::Domain } else { One::Range };
                Word::one(side(grid(sides)), pairs(form, sides))
            }
            Related::Image(form, sides, set) => {
                let rows = Word::one(One::Rows(grid(sides), true), bits(set, &sides.0));
                let found = Word::two(Two::Intersection, pairs(form, sides), rows);
                Word::one(One::Range(grid(sides)), found)
            }
            Related::Inverse(form, sides) => {
                let relation = self.coded(form, &Axis::Pair(sides.clone()), clipped);
                Word::one(One::Inverse(grid(sides)), relation)
            }
            Related::Restricted { of, set, left, kept } => {
                let (sides, relation) = (sides(), self.coded(of, axis, clipped));
                let among = match left {
                    true => Word::one(One::Rows(grid(sides), *kept), bits(set, &sides.0)),
                    false => Word::one(One::Columns(grid(sides), *kept), bits(set, &sides.1)),
                };
                Word::two(Two::Intersection, relation, among)
            }
            Related::Product(s, t) => {
                let side = |set, axis: &Axis| match (axis, clipped) {
                    (Axis::Universe(_), _) | (_, true) => bits(set, axis),
                    _ => self.exact_bits(set, axis).expect("a set with bits"),
                };
                let (left, right) = &**sides();
                let rows = Word::one(One::Rows(grid(sides()), true), side(s, left));
                let columns = Word::one(One::Columns(grid(sides()), true), side(t, right));
                Word::two(Two::Intersection, rows, columns)
            }
            Related::Override(r, q) => {
                // Pairs without a code take others away, too.
                let (r, q) = (self.coded(r, axis, clipped), self.coded(q, axis, false));
                Word::two(Two::Override(grid(sides())), r, q)
            }
        }
    }

    /// `dom(r)`, `ran(r)` or `r[s]`, and the axis that it is on.
    pub(in crate::eval) fn related_side<'e>(&self, set: &'e Expr) -> Option<(Related<'e>, Axis)> {
        let (r, is_left) = side_of(set)?;
        let Axis::Pair(sides) = self.axis_of(r)? else { return None };
        let axis = one(&sides, is_left);
        Some((self.related(set, axis)?, axis.clone()))
    }

    /// `r : a <-> b`
    pub(super) fn is_relation(&self, r: &Expr, (a, b): (&Expr, &Expr)) -> Option<Test> {
        let (form, sides) = self.relation(r)?;
        let (axis, grid) = (Axis::Pair(sides.clone()), grid(&sides));
        let rows = Word::one(One::Rows(grid, true), self.bits_on(a, &sides.0)?);
        let columns = Word::one(One::Columns(grid, true), self.bits_on(b, &sides.1)?);
        let all = Word::two(Two::Intersection, rows, columns);
        Some(Test::compare(Relation::Subset, self.coded(&form, &axis, false), all))
    }
}
