//! Flat states: elements, sets of elements, relations and functions between sets, fixed or symmetric, records of elements,
//! and functions to sets or sequences of elements, or from elements to whatever no permutation changes. They are read from their packed words, without values and without the keys of the guide graph.
//!
//! What a flat state says of a point alone (it is in this set, it is paired with that fixed value) is
//! its *colour*, a few bits for each variable, in words at places that are chosen once; the points
//! sorted by colour are the first partition. Only pairs of two points become edges. How many of these a
//! point has is a part of its colour, too, unless several may join the same two (`reader`). Images are made
//! in the same way, from packed words to packed words (`images`).
//!
//! Which states are flat is a matter of the layout, except that a value outside its coding
//! makes its state one that is not. Both are the same for all states of an orbit, so that it does not
//! matter that other states are labelled by way of the guide graph.

mod images;
mod reader;
mod rows;

use super::group::Group;
use super::label::Subject;
use super::plan::{self, universe_moves};
use crate::machine::SetId;
use crate::state::Axis;
use crate::state::axis::Map;
use crate::state::layout::{Coding, Field, Layout, Position, get};
use crate::value::shape::IndexKind;
use crate::value::{Index, Permutation, Shape};
use rows::{Rows, Split};
use smallvec::SmallVec;
use std::sync::Arc;

pub use reader::FlatReader;

/// Most words that the colour of one point may take.
const COLOUR_LIMIT: usize = 16;
/// Bits of the number of the tuple of outside values.
const NUMBER: u32 = 32;
/// No point, no place.
const NONE: u32 = u32::MAX;

/// A packed image.
pub type Packed = SmallVec<[u64; 8]>;

/// How the states of one layout are read.
#[derive(Debug)]
pub struct FlatPlan {
    parts: Vec<Part>,
    /// Words of a colour.
    colour_words: usize,
    /// The bits of a state that no permutation changes.
    fixed: Vec<u64>,
    outside: Option<Position>,
    /// Whether there can be several edges between the same two points; if not, colours say how many a point has.
    pub parallel: bool,
}

/// A variable in which something moves, or a part of one.
#[derive(Debug)]
struct Part {
    members: Members,
    /// What each member is a pair of; `None` on the right: single elements.
    left: Side,
    right: Option<Side>,
    /// Places in the colours.
    left_bits: u32,
    right_bits: u32,
    /// In pairs of an element with itself.
    loop_bit: u32,
    /// Of points on the left that are arguments of a function to sets or functions.
    defined_bit: u32,
    /// Where the number of edges of a point is, be it on the left or on the right: these are points of two sets.
    degree_bits: Option<u32>,
}

/// Where the members stand in a packed state.
#[derive(Debug)]
enum Members {
    /// One member, as a number of so many bits.
    One { at: Position, bits: u32 },
    /// A subset, in so many bits of one word.
    Word { at: Position, bits: u32 },
    /// A subset, over whole words.
    Words { first: usize, words: usize },
    /// A set of pairs of an element and what stays: a row of bits for each element.
    Rows(Rows),
    /// A function: the place of each argument's number, and its bits.
    Function { places: Vec<Position>, width: u32 },
    /// A function to subsets of the right side: 1 + the bits of each.
    Subsets { places: Vec<Position>, width: u32 },
    /// A function to functions or sequences whose results are on the right side: what these have at one argument.
    Items { places: Vec<Position>, width: u32, map: Arc<Map>, argument: u32 },
    /// A function from the left side to what no permutation changes: its number is told as it is.
    Opaque { places: Vec<Position>, width: u32 },
}

/// One side of a pair.
#[derive(Clone, Debug)]
struct Side {
    /// The symmetric set; none for a fixed universe.
    set: Option<SetId>,
    /// Number of members of the universe.
    size: u32,
    /// Point of each element; empty for a fixed universe.
    points: Vec<u32>,
    /// For each member that is no point: its rank among these.
    ranks: Vec<u32>,
    /// The point of the first element, where all elements are points.
    base: Option<u32>,
}

impl Side {
    fn new(group: &Group, universe: &Arc<Index>) -> Option<Side> {
        let size = u32::try_from(universe.size).ok().filter(|n| *n <= 1 << 16)?;
        let IndexKind::Element(set) = universe.kind else {
            return (!universe_moves(group, universe)).then(|| Side::fixed(size));
        };
        if !group.moves(set) {
            return Some(Side::fixed(size));
        }
        let points: Vec<u32> =
            (0..size).map(|e| group.point(set, e as u64).unwrap_or(NONE)).collect();
        let mut next = 0;
        let ranks = points.iter().map(|p| {
            next += (*p == NONE) as u32;
            next.saturating_sub(1)
        });
        let ranks = ranks.collect();
        let base = points.first().copied().filter(|_| !points.contains(&NONE));
        Some(Side { set: Some(set), size, ranks, points, base })
    }

    fn fixed(size: u32) -> Side {
        Side { set: None, size, points: Vec::new(), ranks: Vec::new(), base: None }
    }

    /// The point, or else the rank of a fixed member.
    #[inline]
    fn read(&self, member: u32) -> Result<u32, u32> {
        match self.points.get(member as usize) {
            None => Err(member),
            Some(&NONE) => Err(self.ranks[member as usize]),
            Some(point) => Ok(*point),
        }
    }

    /// Number of members that are no points.
    fn still(&self) -> u32 {
        match self.set {
            None => self.size,
            Some(_) => self.points.iter().filter(|p| **p == NONE).count() as u32,
        }
    }

    #[inline]
    fn image(&self, permutation: &Permutation, member: u32) -> u32 {
        match self.set {
            None => member,
            Some(set) => permutation.element(set, member),
        }
    }

    /// What each member becomes; empty where none moves.
    #[inline]
    fn map<'p>(&self, permutation: &'p Permutation) -> &'p [u32] {
        let map = self.set.and_then(|set| permutation.maps.get(set.0 as usize));
        map.map_or(&[], Vec::as_slice)
    }
}

/// What a member becomes by such a map.
#[inline]
fn mapped(map: &[u32], member: u32) -> u32 {
    map.get(member as usize).copied().unwrap_or(member)
}

impl FlatPlan {
    /// `None` where a variable in which something moves is not flat.
    pub fn compile(group: &Group, layout: &Layout) -> Option<FlatPlan> {
        let mut plan = FlatPlan {
            parts: Vec::new(),
            colour_words: 1,
            fixed: vec![u64::MAX; layout.words],
            outside: layout.outside,
            parallel: false,
        };
        let mut bits = 0;
        for field in layout.fields.iter().filter(|f| plan::moves(group, &f.shape)) {
            let first = plan.parts.len();
            Part::of_field(group, field, &mut bits, &mut plan.parts)?;
            for part in &plan.parts[first..] {
                part.members.clear(&mut plan.fixed);
            }
        }
        let joins: Vec<(SetId, SetId)> = plan.parts.iter().filter_map(Part::joins).collect();
        plan.parallel = joins.iter().enumerate().any(|(i, j)| j.0 == j.1 || joins[..i].contains(j));
        if !plan.parallel {
            plan.parts.iter_mut().for_each(|part| part.count_degrees(&mut bits));
        }
        plan.colour_words = (bits as usize).div_ceil(64).max(1);
        (plan.colour_words <= COLOUR_LIMIT).then_some(plan)
    }

    /// Whether this state has no value outside its coding.
    pub fn fits(&self, state: &[u64]) -> bool {
        self.outside.is_none_or(|at| get(state, at, NUMBER) == 0)
    }

    /// The image of a state that fits, by a permutation that leaves its constants as they are.
    pub fn write_image(&self, state: &[u64], permutation: &Permutation) -> Packed {
        let mut image: Packed = state.iter().zip(&self.fixed).map(|(w, f)| w & f).collect();
        for part in &self.parts {
            part.write_image(state, permutation, &mut image);
        }
        image
    }
}

/// The members of an axis, those of a universe or numbers.
fn side(group: &Group, shape: &Shape, axis: &Axis) -> Option<Side> {
    match (shape, axis) {
        (Shape::Index(u), Axis::Universe(_)) => Side::new(group, u),
        (_, Axis::Interval { .. } | Axis::Texts(_)) => {
            u32::try_from(axis.size()).ok().map(Side::fixed)
        }
        _ => None,
    }
}

/// Takes `n` bits in the colours; none of them cross a word if there are at most 64.
fn take(bits: &mut u32, n: u32) -> u32 {
    if *bits % 64 + n > 64 {
        *bits = bits.next_multiple_of(64);
    }
    let first = *bits;
    *bits += n;
    first
}

fn bits_for(greatest: u32) -> u32 {
    32 - greatest.leading_zeros()
}

impl Part {
    /// The parts of a variable in which something moves.
    fn of_field(group: &Group, field: &Field, bits: &mut u32, parts: &mut Vec<Part>) -> Option<()> {
        let at = field.at;
        match (&field.coding, &field.shape) {
            (Coding::Word { bits: n }, Shape::Index(u)) => {
                parts.push(Part::of_word(group, (at, *n), u, bits)?);
            }
            (Coding::Bits { words }, Shape::Bits(of)) => {
                let members = Members::Words { first: at.word, words: *words };
                parts.push(Part::of_members(group, members, of, bits)?);
            }
            (Coding::Members { axis: Axis::Pair(axes), .. }, Shape::Set(pairs))
                if axes.0.size() * axes.1.size() <= 64 =>
            {
                let (left, right) = pairs.sides();
                let sides = (side(group, &left, &axes.0)?, Some(side(group, &right, &axes.1)?));
                let n = (axes.0.size() * axes.1.size()) as u32;
                parts.push(Part::new(Members::Word { at, bits: n }, sides, bits));
            }
            (Coding::Record { axis: Axis::Record(fields) | Axis::Couple(fields), .. }, shape) => {
                let shapes = match shape {
                    Shape::Record(shapes) => shapes.to_vec(),
                    Shape::Pair(sides) => vec![sides.0.clone(), sides.1.clone()],
                    _ => return None,
                };
                for (shape, part) in shapes.iter().zip(fields.iter()) {
                    if plan::moves(group, shape) {
                        let Shape::Index(u) = shape else { return None };
                        let at = Position { shift: at.shift + part.shift, ..at };
                        parts.push(Part::of_word(group, (at, part.bits), u, bits)?);
                    }
                }
            }
            (Coding::Function { .. }, _) => return Part::of_function(group, field, bits, parts),
            _ => return None,
        }
        Some(())
    }

    /// An element or a subset, in so many bits.
    fn of_word(
        group: &Group,
        (at, n): (Position, u32),
        u: &Arc<Index>,
        bits: &mut u32,
    ) -> Option<Part> {
        match &u.kind {
            IndexKind::Subset(of) => {
                Part::of_members(group, Members::Word { at, bits: n }, of, bits)
            }
            _ => Part::of_members(group, Members::One { at, bits: n }, u, bits),
        }
    }

    fn of_members(
        group: &Group,
        members: Members,
        member: &Arc<Index>,
        bits: &mut u32,
    ) -> Option<Part> {
        let sides = match &member.kind {
            IndexKind::Pair(l, r) => (Side::new(group, l)?, Some(Side::new(group, r)?)),
            _ => (Side::new(group, member)?, None),
        };
        Some(Part::new(members, sides, bits))
    }

    fn new(members: Members, (left, right): (Side, Option<Side>), bits: &mut u32) -> Part {
        // With a partner that is always the same an element is as good as alone.
        let stays = right.as_ref().filter(|right| left.set.is_some() && right.set.is_none());
        let (right, width) = match stays.map(|right| right.size) {
            Some(1) => (None, None),
            width => (right, width.filter(|width| *width <= u64::BITS)),
        };
        let rows = |at| width.map(|width| Members::Rows(Rows { at, width, rows: left.size }));
        let members = match members {
            Members::Word { at, .. } => rows(at).unwrap_or(members),
            Members::Words { first, .. } => {
                rows(Position { word: first, shift: 0 }).unwrap_or(members)
            }
            members => members,
        };
        let of = |side: Option<&Side>| side.map_or(1, Side::still);
        let left_bits = take(bits, if left.set.is_some() { of(right.as_ref()) } else { 0 });
        let to_points = right.as_ref().is_some_and(|r| r.set.is_some());
        let right_bits = take(bits, if to_points { left.still() } else { 0 });
        let loops = right.as_ref().is_some_and(|right| right.set == left.set);
        let loop_bit = take(bits, loops as u32);
        Part { left_bits, right_bits, loop_bit, ..Part::bare(members, (left, right)) }
    }

    /// With no places in the colours yet.
    fn bare(members: Members, (left, right): (Side, Option<Side>)) -> Part {
        let (left_bits, right_bits, loop_bit, defined_bit) = (0, 0, 0, 0);
        Part {
            members,
            left,
            right,
            left_bits,
            right_bits,
            loop_bit,
            defined_bit,
            degree_bits: None,
        }
    }

    fn of_function(
        group: &Group,
        field: &Field,
        bits: &mut u32,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let Coding::Function { domain, range, width, .. } = &field.coding else { return None };
        let (left, right) = field.shape.element().sides();
        if !plan::moves(group, &right) {
            return Part::to_what_stays(group, field, bits, parts);
        }
        let left = side(group, &left, domain)?;
        let (places, width) =
            ((0..domain.size()).map(|a| field.result_position(a).0).collect(), *width);
        if let Shape::Index(u) = &right
            && let IndexKind::Subset(of) = &u.kind
        {
            let sides = (left, Some(Side::new(group, of)?));
            let defined_bit = take(bits, 1);
            let members = Members::Subsets { places, width };
            parts.push(Part { defined_bit, ..Part::new(members, sides, bits) });
        } else if let Axis::Map(map) = range {
            let (arguments, results) = right.element().sides();
            if plan::moves(group, &arguments) {
                return None;
            }
            let right = side(group, &results, &map.range)?;
            let defined_bit = take(bits, 1);
            for argument in 0..map.domain.size() as u32 {
                let (places, map) = (Vec::clone(&places), map.clone());
                let members = Members::Items { places, width, map, argument };
                let sides = (left.clone(), Some(right.clone()));
                parts.push(Part { defined_bit, ..Part::new(members, sides, bits) });
            }
        } else {
            let sides = (left, Some(side(group, &right, range)?));
            parts.push(Part::new(Members::Function { places, width }, sides, bits));
        }
        Some(())
    }

    /// The parts of a function from elements to what does not move: one; or where its arguments are pairs of an element and
    /// something that stays, one for each of what stays.
    fn to_what_stays(
        group: &Group,
        field: &Field,
        bits: &mut u32,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        let Coding::Function { domain, width, .. } = &field.coding else { return None };
        let (left, _) = field.shape.element().sides();
        let mut from = |shape: &Shape, axis: &Axis, place: &dyn Fn(u64) -> u64| {
            let left = side(group, shape, axis)?;
            let places = (0..axis.size()).map(|a| field.result_position(place(a)).0).collect();
            let (members, left_bits) =
                (Members::Opaque { places, width: *width }, take(bits, *width));
            parts.push(Part { left_bits, ..Part::bare(members, (left, None)) });
            Some(())
        };
        let (rows, columns) = match (domain, &left) {
            (Axis::Pair(axes), _) => (**axes).clone(),
            (_, Shape::Index(u)) if let IndexKind::Pair(l, r) = &u.kind => {
                (Axis::Universe(l.size as u64), Axis::Universe(r.size as u64))
            }
            _ => return from(&left, domain, &|a| a),
        };
        let (left, right) = left.sides();
        let width = columns.size();
        match (plan::moves(group, &left), plan::moves(group, &right)) {
            (true, false) => (0..width).try_for_each(|y| from(&left, &rows, &|x| x * width + y)),
            (false, true) => {
                (0..rows.size()).try_for_each(|x| from(&right, &columns, &|y| x * width + y))
            }
            _ => None,
        }
    }

    /// Takes a place in the colours for numbers of edges.
    fn count_degrees(&mut self, bits: &mut u32) {
        let Some(right) = self.right.as_ref().filter(|_| self.joins().is_some()) else { return };
        let from_left = match self.members {
            Members::Function { .. } => 1,
            _ => right.size,
        };
        self.degree_bits = Some(take(bits, bits_for(from_left.max(self.left.size))));
    }

    /// The two sets whose points this can join by edges.
    fn joins(&self) -> Option<(SetId, SetId)> {
        let (a, b) = self.left.set.zip(self.right.as_ref()?.set)?;
        Some((a.min(b), a.max(b)))
    }
}

/// A flat state, whose images are packed states. Images of one state differ in moving bits only, which
/// no interning touches, so that their order as words is one of values.
pub struct FlatState<'a> {
    pub plan: &'a FlatPlan,
    pub state: &'a [u64],
}

impl Subject for FlatState<'_> {
    type Image = Packed;

    fn image(&mut self, permutation: &Permutation) -> Packed {
        self.plan.write_image(self.state, permutation)
    }
}
