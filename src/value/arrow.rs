//! The kinds of relations and functions between two sets: `<->`, `+->`, `-->` and the others.

use super::pairs::List;
use super::rows::{Grid, Narrow, Rep, Words, copy, has, load, pieces, rep, words_of};
use super::set::increasing;
use super::shape::Shape;
use super::value::Value;
use crate::machine::BinaryOp;
use smallvec::smallvec;

/// What the relations between two sets are asked to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrow {
    pub functional: bool,
    pub total: bool,
    pub surjective: bool,
    pub injective: bool,
}

impl Arrow {
    const fn new(functional: bool, total: bool, surjective: bool, injective: bool) -> Arrow {
        Arrow { functional, total, surjective, injective }
    }

    /// `<->`
    pub const RELATIONS: Arrow = Arrow::new(false, false, false, false);
    /// `<<->`
    pub const TOTAL_RELATIONS: Arrow = Arrow::new(false, true, false, false);
    /// `<->>`
    pub const SURJECTIVE_RELATIONS: Arrow = Arrow::new(false, false, true, false);
    /// `<<->>`
    pub const TOTAL_SURJECTIVE_RELATIONS: Arrow = Arrow::new(false, true, true, false);
    /// `+->`
    pub const PARTIAL_FUNCTIONS: Arrow = Arrow::new(true, false, false, false);
    /// `-->`
    pub const TOTAL_FUNCTIONS: Arrow = Arrow::new(true, true, false, false);
    /// `>+>`
    pub const PARTIAL_INJECTIONS: Arrow = Arrow::new(true, false, false, true);
    /// `>->`
    pub const TOTAL_INJECTIONS: Arrow = Arrow::new(true, true, false, true);
    /// `+->>`
    pub const PARTIAL_SURJECTIONS: Arrow = Arrow::new(true, false, true, false);
    /// `-->>`
    pub const TOTAL_SURJECTIONS: Arrow = Arrow::new(true, true, true, false);
    /// `>+>>`
    pub const PARTIAL_BIJECTIONS: Arrow = Arrow::new(true, false, true, true);
    /// `>->>`
    pub const TOTAL_BIJECTIONS: Arrow = Arrow::new(true, true, true, true);

    /// All twelve.
    pub const ALL: [Arrow; 12] = [
        Arrow::RELATIONS,
        Arrow::TOTAL_RELATIONS,
        Arrow::SURJECTIVE_RELATIONS,
        Arrow::TOTAL_SURJECTIVE_RELATIONS,
        Arrow::PARTIAL_FUNCTIONS,
        Arrow::TOTAL_FUNCTIONS,
        Arrow::PARTIAL_INJECTIONS,
        Arrow::TOTAL_INJECTIONS,
        Arrow::PARTIAL_SURJECTIONS,
        Arrow::TOTAL_SURJECTIONS,
        Arrow::PARTIAL_BIJECTIONS,
        Arrow::TOTAL_BIJECTIONS,
    ];

    /// Whether a relation with these rows, each at most a word, is one of this kind from `a` to `b`: one pass.
    #[inline(always)]
    pub fn is_made_of(self, rows: impl Iterator<Item = u64>, a: u64, b: u64) -> bool {
        let (mut domain, mut range, mut many, mut shared) = (0u64, 0u64, false, false);
        for (row, x) in rows.zip(0..) {
            domain |= ((row != 0) as u64) << x;
            many |= row & row.wrapping_sub(1) != 0;
            shared |= range & row != 0;
            range |= row;
        }
        domain & !a == 0
            && range & !b == 0
            && !(self.functional && many)
            && !(self.injective && shared)
            && !(self.total && domain != a)
            && !(self.surjective && range != b)
    }

    /// Those that an operator stands for.
    const WRITTEN: [(BinaryOp, Arrow); 12] = [
        (BinaryOp::Relations, Arrow::RELATIONS),
        (BinaryOp::TotalRelations, Arrow::TOTAL_RELATIONS),
        (BinaryOp::SurjectiveRelations, Arrow::SURJECTIVE_RELATIONS),
        (BinaryOp::TotalSurjectiveRelations, Arrow::TOTAL_SURJECTIVE_RELATIONS),
        (BinaryOp::PartialFunctions, Arrow::PARTIAL_FUNCTIONS),
        (BinaryOp::TotalFunctions, Arrow::TOTAL_FUNCTIONS),
        (BinaryOp::PartialInjections, Arrow::PARTIAL_INJECTIONS),
        (BinaryOp::TotalInjections, Arrow::TOTAL_INJECTIONS),
        (BinaryOp::PartialSurjections, Arrow::PARTIAL_SURJECTIONS),
        (BinaryOp::TotalSurjections, Arrow::TOTAL_SURJECTIONS),
        (BinaryOp::PartialBijections, Arrow::PARTIAL_BIJECTIONS),
        (BinaryOp::TotalBijections, Arrow::TOTAL_BIJECTIONS),
    ];

    /// The arrow that an operator stands for; `None` for any other operator.
    pub fn from_op(op: BinaryOp) -> Option<Arrow> {
        Self::WRITTEN.into_iter().find(|(of, _)| *of == op).map(|(_, arrow)| arrow)
    }

    /// The operator that stands for it; `None` of what has none, such as injective relations.
    pub fn op(self) -> Option<BinaryOp> {
        Self::WRITTEN.into_iter().find(|(_, arrow)| *arrow == self).map(|(op, _)| op)
    }
}

/// Whether no element has several partners.
pub fn is_function(rel: &Shape, r: &Value) -> bool {
    match rep(rel, r) {
        Rep::Grid(g) => match g.narrow() {
            Some(n) => n.rows().all(|row| row & row.wrapping_sub(1) == 0),
            None => (0..g.rows).all(|x| g.row_count(x) <= 1),
        },
        Rep::List(l) => (1..l.len()).all(|i| !l.share_left(i - 1, i)),
    }
}

/// Whether no element is a partner of several.
pub fn is_injective(rel: &Shape, r: &Value) -> bool {
    match rep(rel, r) {
        Rep::Grid(g) => {
            let mut seen: Words = smallvec![0; g.width.div_ceil(64)];
            (0..g.rows).all(|x| {
                let meets = rows_meet(g, x, &seen);
                copy(&mut seen, 0, g.words, x * g.width, g.width);
                !meets
            })
        }
        Rep::List(l) => distinct_rights(l) == l.len(),
    }
}

/// Whether row `x` shares a column with `seen`.
fn rows_meet(g: Grid, x: usize, seen: &[u64]) -> bool {
    let start = x * g.width;
    pieces(g.width).any(|(at, n)| load(g.words, start + at, n) & load(seen, at, n) != 0)
}

fn distinct_rights(l: List) -> usize {
    increasing(l.all().map(|i| l.right(i)).collect()).len()
}

/// Whether `r : dom arrow ran`.
pub fn has_arrow(rel: &Shape, r: &Value, arrow: Arrow, dom: &Value, ran: &Value) -> bool {
    match rep(rel, r) {
        Rep::Grid(g) => grid_has_arrow(g, arrow, words_of(dom), words_of(ran)),
        Rep::List(l) => list_has_arrow(l, arrow, dom, ran),
    }
}

fn narrow_has_arrow(n: Narrow, arrow: Arrow, dom: u64, ran: u64) -> bool {
    let (mut domain, mut range) = (0u64, 0u64);
    for (row, x) in n.rows().zip(0..) {
        if (arrow.functional && row & row.wrapping_sub(1) != 0)
            || (arrow.injective && row & range != 0)
        {
            return false;
        }
        domain |= ((row != 0) as u64) << x;
        range |= row;
    }
    domain & !dom == 0
        && range & !ran == 0
        && (!arrow.total || domain == dom)
        && (!arrow.surjective || range == ran)
}

fn grid_has_arrow(g: Grid, arrow: Arrow, dom: &[u64], ran: &[u64]) -> bool {
    if let (Some(n), [dom], [ran]) = (g.narrow(), dom, ran) {
        return narrow_has_arrow(n, arrow, *dom, *ran);
    }
    let mut seen: Words = smallvec![0; g.width.div_ceil(64)];
    for x in 0..g.rows {
        let partners = g.row_count(x);
        let inside = dom[x / 64] >> (x % 64) & 1 == 1;
        let wrong = if inside {
            (arrow.functional && partners > 1) || (arrow.total && partners == 0)
        } else {
            partners > 0
        };
        if wrong || (arrow.injective && rows_meet(g, x, &seen)) {
            return false;
        }
        copy(&mut seen, 0, g.words, x * g.width, g.width);
    }
    let within = seen.iter().zip(ran).all(|(s, r)| s & !r == 0);
    within && (!arrow.surjective || seen.as_slice() == ran)
}

fn list_has_arrow(l: List, arrow: Arrow, dom: &Value, ran: &Value) -> bool {
    let sources = || Shape::Integer.card(dom);
    let targets = || Shape::Integer.card(ran);
    let count = l.len();
    // by number alone, before looking at any pair
    if (arrow.functional && count > sources())
        || (arrow.total && count < sources())
        || (arrow.injective && count > targets())
        || (arrow.surjective && count < targets())
    {
        return false;
    }
    let mut groups = 0;
    for group in l.groups() {
        groups += 1;
        if (arrow.functional && group.len() > 1)
            || !has(dom, &l.left(group.start))
            || !group.into_iter().all(|i| has(ran, &l.right(i)))
        {
            return false;
        }
    }
    if arrow.total && groups != sources() {
        return false;
    }
    if !arrow.injective && !arrow.surjective {
        return true;
    }
    let distinct = distinct_rights(l);
    (!arrow.injective || distinct == count) && (!arrow.surjective || distinct == targets())
}
