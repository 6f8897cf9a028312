//! Expressions and tests of relations and sets that take several words, as trees of these ([`wide`](crate::lower::wide));
//! and of functions that the state holds point by point, as a whole.

use crate::eval::compile::Compiler;
use crate::lower::code::Code;
use crate::lower::wide::{Asks, HeldAs, MOST_WORDS, Part, What, WideTest, WideWrite};
use crate::lower::word::Application;
use crate::lower::{Grid, Points, Rich, Test, Wide, Word, Write};
use crate::machine::{BinaryOp, Expr, ExprKind, Fold, UnaryOp, VarId};
use crate::state::{Axis, Coding};
use crate::value::Shape;
use crate::value::relation::Arrow;
use crate::value::shape::IndexKind;
use std::sync::Arc;

/// A relation that is looked at as a whole, with its grid and the words it takes.
struct Whole {
    of: Wide,
    grid: Grid,
    words: u32,
}

/// The words that sets of this shape take, where these are a few and more than one.
fn words_of(shape: &Shape) -> Option<u32> {
    match shape {
        Shape::Bits(universe) => {
            let words = u32::try_from(universe.size.div_ceil(64)).ok()?;
            (words <= MOST_WORDS).then_some(words)
        }
        _ => None,
    }
}

/// Rows and row width of a relation that is held in one word.
pub fn word_relation(shape: &Shape) -> Option<Grid> {
    let Shape::Index(u) = shape else { return None };
    let IndexKind::Subset(pairs) = &u.kind else { return None };
    let IndexKind::Pair(left, right) = &pairs.kind else { return None };
    Some(Grid { rows: left.size as u32, width: right.size as u32 })
}

/// Rows and row width of a relation in a few words whose rows fit a word, and whose columns do.
fn grid_of(shape: &Shape) -> Option<Grid> {
    words_of(shape)?;
    let Shape::Bits(universe) = shape else { return None };
    let IndexKind::Pair(left, right) = &universe.kind else { return None };
    let fits = |size: u128| (1..=64).contains(&size);
    let grid = Grid { rows: left.size as u32, width: right.size as u32 };
    (fits(left.size) && fits(right.size)).then_some(grid)
}

impl Compiler<'_> {
    /// Whether this is a set that takes a few words.
    pub(in crate::eval) fn is_wide(&self, e: &Expr) -> bool {
        words_of(&self.shape(&e.ty)).is_some()
    }

    /// A set that takes a few words.
    fn wide(&self, e: &Expr) -> Option<Wide> {
        words_of(&self.shape(&e.ty))?;
        if self.may_be_symbolic(e) {
            return None;
        }
        Some(match self.remembered(e) {
            Some(Code::Value(rich)) => Wide::Of(Box::new(rich)),
            Some(Code::Word(word)) => Wide::Word(Box::new(word)),
            None => self.wide_node(e).unwrap_or_else(|| Wide::Of(Box::new(self.rich(e)))),
        })
    }

    /// The code of an operator on sets that take a few words.
    pub(in crate::eval) fn wide_value(&self, e: &Expr, shape: &Shape) -> Option<Code> {
        let words = words_of(shape)?;
        let is_operator = matches!(
            e.kind,
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::SetExtension(_)
        );
        if !is_operator || self.may_be_symbolic(e) {
            return None;
        }
        let wide = self.wide_node(e)?;
        Some(Code::Value(Rich::Wide(Box::new(wide), words)))
    }

    /// The node of an expression whose operands have that form, too.
    fn wide_node(&self, e: &Expr) -> Option<Wide> {
        use BinaryOp::*;
        let shape = self.shape(&e.ty);
        let words = words_of(&shape)?;
        let both = |a: &Expr, b: &Expr| Some(Box::new((self.wide(a)?, self.wide(b)?)));
        Some(match &e.kind {
            ExprKind::Empty => Wide::Constant(vec![0; words as usize].into()),
            ExprKind::Constant(id) => Wide::Given(*id, e.span),
            ExprKind::Variable(id) => self.held(*id)?,
            ExprKind::Local(id) if !self.may_be_unwritten(*id) => Wide::Local(id.0),
            ExprKind::SetExtension(items) => {
                let of = shape.element();
                if !self.is_word(&of) {
                    return None;
                }
                Wide::Listed(items.iter().map(|item| self.word(item)).collect())
            }
            ExprKind::Binary(Union | Intersection | Difference, a, b)
                if self.is_open(a) || self.is_open(b) =>
            {
                return None;
            }
            ExprKind::Binary(Union, a, b) => Wide::Union(both(a, b)?),
            ExprKind::Binary(Intersection, a, b) => Wide::Intersection(both(a, b)?),
            ExprKind::Binary(Difference, a, b) => Wide::Difference(both(a, b)?),
            ExprKind::Unary(UnaryOp::Inverse, a) => {
                let grid = grid_of(&self.shape(&a.ty))?;
                Wide::Inverse(Box::new(self.wide(a)?), grid)
            }
            ExprKind::Binary(op, a, b) => {
                let grid = grid_of(&shape)?;
                match op {
                    DomainRestrict | DomainSubtract => {
                        let set = self.side(a, b)?;
                        let of = Box::new((set, self.wide(b)?));
                        Wide::Rows(of, grid, *op == DomainRestrict)
                    }
                    RangeRestrict | RangeSubtract => {
                        let set = self.side(b, a)?;
                        let of = Box::new((self.wide(a)?, set));
                        Wide::Columns(of, grid, *op == RangeRestrict)
                    }
                    Override => match &b.kind {
                        ExprKind::SetExtension(items)
                            if let [Expr { kind: ExprKind::Binary(Pair, x, y), .. }] =
                                &items[..] =>
                        {
                            let of = (self.wide(a)?, self.word(x), self.word(y));
                            Wide::Update(Box::new(of), grid)
                        }
                        _ => Wide::Override(both(a, b)?, grid),
                    },
                    Product => {
                        let sides = (self.finite_side(a)?, self.finite_side(b)?);
                        Wide::Product(Box::new(sides), grid)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// The set that a relation is restricted to, as a word. A lambda is restricted before it is made.
    fn side(&self, set: &Expr, relation: &Expr) -> Option<Word> {
        match relation.kind {
            ExprKind::Fold(Fold::Lambda, ..) => None,
            _ => self.finite_side(set),
        }
    }

    fn finite_side(&self, set: &Expr) -> Option<Word> {
        let known = !self.is_infinite(set) && !self.may_be_symbolic(set);
        (known && self.is_word(&self.shape(&set.ty))).then(|| self.word(set))
    }

    /// What the state holds of a variable.
    fn held(&self, id: VarId) -> Option<Wide> {
        if self.mark(id).is_some() || self.machine().symbolic.variables.contains(&id) {
            return None;
        }
        let field = self.layout.field(id);
        match field.coding {
            Coding::Bits { words } => Some(Wide::Field(field.at.word as u32, words as u32)),
            Coding::Function { .. } => {
                let (points, grid) = self.matrix(id)?;
                Some(Wide::Points(Box::new(points), grid))
            }
            _ => None,
        }
    }

    /// The points of a function between finite universes.
    pub(in crate::eval) fn matrix(&self, id: VarId) -> Option<(Points, Grid)> {
        let shape = &self.layout.field(id).shape;
        let grid = word_relation(shape).or_else(|| grid_of(shape)).filter(|grid| grid.width > 0)?;
        let points = Points::of(&self.layout, id)?;
        let universes =
            matches!((&points.domain, &points.range), (Axis::Universe(_), Axis::Universe(_)));
        universes.then_some((points, grid))
    }

    /// A function that is a word and is held point by point.
    pub(in crate::eval) fn matrix_word(&self, id: VarId) -> Option<Word> {
        word_relation(&self.layout.field(id).shape)?;
        let (points, grid) = self.matrix(id)?;
        Some(part(Whole { of: Wide::Points(Box::new(points), grid), grid, words: 1 }, What::Whole))
    }

    /// A relation of which a part is wanted, where it takes a few words or is held point by point.
    fn whole(&self, r: &Expr) -> Option<Whole> {
        let shape = self.shape(&r.ty);
        // Of the inverse of a variable nothing is made.
        if let ExprKind::Unary(UnaryOp::Inverse, of) = &r.kind
            && matches!(of.kind, ExprKind::Variable(_))
        {
            let Whole { of, grid, words } = self.whole(of)?;
            let turned = Grid { rows: grid.width, width: grid.rows };
            return Some(Whole { of: Wide::Inverse(Box::new(of), grid), grid: turned, words });
        }
        if let Some(grid) = grid_of(&shape) {
            return Some(Whole { of: self.wide(r)?, grid, words: words_of(&shape)? });
        }
        word_relation(&shape)?;
        let ExprKind::Variable(id) = r.kind else { return None };
        match self.held(id)? {
            of @ Wide::Points(_, grid) => Some(Whole { of, grid, words: 1 }),
            _ => None,
        }
    }

    /// `dom(r)`, `ran(r)`
    pub(in crate::eval) fn wide_side(&self, domain: bool, r: &Expr) -> Option<Code> {
        let what = if domain { What::Domain } else { What::Range };
        Some(Code::Word(part(self.whole(r)?, what)))
    }

    /// `r[s]`
    pub(in crate::eval) fn wide_image(&self, r: &Expr, s: &Expr) -> Option<Code> {
        if self.is_infinite(s) || self.may_be_symbolic(s) {
            return None;
        }
        let whole = self.whole(r)?;
        let what = match &s.kind {
            ExprKind::SetExtension(items) if let [x] = &items[..] => What::Row(self.word(x)),
            _ => What::Image(self.word(s)),
        };
        Some(Code::Word(part(whole, what)))
    }

    /// `f(x)`
    pub(in crate::eval) fn wide_apply(&self, f: &Expr, x: &Expr, e: &Expr) -> Option<Code> {
        let whole = self.whole(f)?;
        let (function, argument) = (self.operand(f), self.operand(x));
        let of = Application { grid: whole.grid, span: e.span, function, argument };
        Some(Code::Word(part(whole, What::Only(self.word(x), Box::new(of)))))
    }

    /// `card(s)`, where numbers are words.
    pub(in crate::eval) fn wide_card(&self, s: &Expr) -> Option<Code> {
        if self.exact {
            return None;
        }
        let words = words_of(&self.shape(&s.ty))?;
        let of = self.wide(s)?;
        Some(Code::Word(part(Whole { of, grid: Grid::NONE, words }, What::Card)))
    }

    /// `a = b`, or `a <: b`.
    pub(in crate::eval) fn wide_compare(&self, a: &Expr, b: &Expr, subset: bool) -> Option<Test> {
        let words = words_of(&self.shape(&a.ty))?;
        let (a, b) = (self.wide(a)?, self.wide(b)?);
        let asks = if subset { Asks::Subset(a, b) } else { Asks::Equal(a, b) };
        Some(test(Grid::NONE, words, asks))
    }

    /// `x : set`
    pub(in crate::eval) fn wide_member(&self, x: &Expr, set: &Expr) -> Option<Test> {
        let shape = self.shape(&set.ty);
        if let Some(words) = words_of(&shape) {
            let set = self.wide(set)?;
            return Some(test(Grid::NONE, words, Asks::Member(self.word(x), set)));
        }
        let Whole { of, grid, words } = self.whole(set)?;
        Some(test(grid, words, Asks::Member(self.word(x), of)))
    }

    /// `x : dom(r)`
    pub(in crate::eval) fn wide_member_of_domain(&self, x: &Expr, r: &Expr) -> Option<Test> {
        let Whole { of, grid, words } = self.whole(r)?;
        Some(test(grid, words, Asks::HasRow(self.word(x), of)))
    }

    /// `r : a --> b`, any arrow.
    pub(in crate::eval) fn wide_member_of_arrow(
        &self,
        r: &Expr,
        (arrow, a, b): (Arrow, &Expr, &Expr),
    ) -> Option<Test> {
        let Whole { of, grid, words } = self.whole(r)?;
        let parts = Box::new((of, self.word(a), self.word(b)));
        Some(test(grid, words, Asks::IsArrow(parts, arrow)))
    }

    /// `f := e` of a variable that takes a few words, or is a function that is held point by point.
    pub(in crate::eval) fn wide_write(&self, id: VarId, e: &Expr) -> Option<Write> {
        if self.machine().symbolic.variables.contains(&id) {
            return None;
        }
        let field = self.layout.field(id);
        let held = match field.coding {
            Coding::Bits { .. } => HeldAs::Bits,
            Coding::Function { .. } => {
                let (points, grid) = self.matrix(id)?;
                HeldAs::Points(Box::new(points), grid)
            }
            _ => return None,
        };
        let (of, words) = match words_of(&field.shape) {
            Some(words) => (self.wide(e)?, words),
            None if self.is_word(&field.shape) && !self.may_be_symbolic(e) => {
                (Wide::Word(Box::new(self.word(e))), 1)
            }
            None => return None,
        };
        let layout = self.layout.clone();
        Some(Write::Wide(Arc::new(WideWrite { of, words, id, layout, held })))
    }
}

fn part(Whole { of, grid, words }: Whole, what: What) -> Word {
    Word::Part(Arc::new(Part::new(of, (grid, words), what)))
}

pub(super) fn test(grid: Grid, words: u32, asks: Asks) -> Test {
    Test::Wide(Arc::new(WideTest { grid, words, asks }))
}
