//! Flat states: elements, sets of elements, relations and functions between sets, fixed or symmetric, records of elements,
//! and functions from elements to whatever no permutation changes.
//! They are read from their packed words, without values and without the keys of the guide graph.
//!
//! What a flat state says of a point alone (it is in this set, it is paired with that fixed value) is
//! its *colour*, a few bits for each variable, in words at places that are chosen once; the points
//! sorted by colour are the first partition. Only pairs of two points become edges. How many of these a
//! point has is a part of its colour, too, unless several may join the same two. Images are made
//! in the same way, from packed words to packed words.
//!
//! Which states are flat is a matter of the layout, except that a value outside its coding
//! makes its state one that is not. Both are the same for all states of an orbit, so that it does not
//! matter that other states are labelled by way of the guide graph.

use super::group::Group;
use super::label::Subject;
use super::merge;
use super::partition::{FEW_KEYS, Partition};
use super::plan::{self, universe_moves};
use super::refine::{Adjacency, HalfEdge};
use crate::machine::SetId;
use crate::state::Axis;
use crate::state::axis::Map;
use crate::state::layout::{Coding, Field, Layout, Position, get, put};
use crate::value::shape::IndexKind;
use crate::value::{Index, Permutation, Shape};
use smallvec::SmallVec;
use std::sync::Arc;

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
    /// Whether a permutation may change some constant, going by their types. States whose constants
    /// it does change are not flat.
    pub constants_may_move: bool,
}

/// One variable in which something moves.
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
            constants_may_move: layout.constant_shapes().iter().any(|s| plan::moves(group, s)),
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
        (_, Axis::Interval { size, .. }) => u32::try_from(*size).ok().map(Side::fixed),
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
            (Coding::Members { axis: Axis::Pair(axes) }, Shape::Set(pairs)) => {
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
        let of = |side: Option<&Side>| side.map_or(1, Side::still);
        let left_bits = take(bits, if left.set.is_some() { of(right.as_ref()) } else { 0 });
        let to_points = right.as_ref().is_some_and(|r| r.set.is_some());
        let right_bits = take(bits, if to_points { left.still() } else { 0 });
        let loops = right.as_ref().is_some_and(|right| right.set == left.set);
        let loop_bit = take(bits, loops as u32);
        Part {
            members,
            left,
            right,
            left_bits,
            right_bits,
            loop_bit,
            defined_bit: 0,
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
        let place = |a: u64| field.result_position(a).0;
        if !plan::moves(group, &right) {
            let mut opaque = |left: Side, places: Vec<Position>| {
                let (members, left_bits) =
                    (Members::Opaque { places, width: *width }, take(bits, *width));
                let (right, right_bits, loop_bit, degree_bits) = (None, 0, 0, None);
                parts.push(Part {
                    members,
                    left,
                    right,
                    left_bits,
                    right_bits,
                    loop_bit,
                    defined_bit: 0,
                    degree_bits,
                });
            };
            let axes = match (domain, &left) {
                (Axis::Pair(axes), _) => Some((**axes).clone()),
                (_, Shape::Index(u)) => match &u.kind {
                    IndexKind::Pair(l, r) => {
                        Some((Axis::Universe(l.size as u64), Axis::Universe(r.size as u64)))
                    }
                    _ => None,
                },
                _ => None,
            };
            let Some(axes) = axes else {
                opaque(side(group, &left, domain)?, (0..domain.size()).map(place).collect());
                return Some(());
            };
            // For each element that stays, a function from those that move.
            let ((left, right), (rows, columns)) = (left.sides(), (axes.0.size(), axes.1.size()));
            match (plan::moves(group, &left), plan::moves(group, &right)) {
                (true, false) => (0..columns).try_for_each(|y| {
                    let places = (0..rows).map(|x| place(x * columns + y)).collect();
                    opaque(side(group, &left, &axes.0)?, places);
                    Some(())
                })?,
                (false, true) => (0..rows).try_for_each(|x| {
                    let places = (0..columns).map(|y| place(x * columns + y)).collect();
                    opaque(side(group, &right, &axes.1)?, places);
                    Some(())
                })?,
                _ => return None,
            }
            return Some(());
        }
        let places = (0..domain.size()).map(place).collect();
        let left = side(group, &left, domain)?;
        let subsets = match &right {
            Shape::Index(u) => match &u.kind {
                IndexKind::Subset(of) if plan::moves(group, &right) => Some(of.clone()),
                _ => None,
            },
            _ => None,
        };
        if let Some(of) = subsets {
            let right = Side::new(group, &of)?;
            let members = Members::Subsets { places, width: *width };
            let (sides, defined_bit) = ((left, Some(right)), take(bits, 1));
            parts.push(Part { defined_bit, ..Part::new(members, sides, bits) });
            return Some(());
        }
        if let Axis::Map(map) = range {
            let (arguments, results) = right.element().sides();
            if plan::moves(group, &arguments) {
                return None;
            }
            let right = side(group, &results, &map.range)?;
            let defined_bit = take(bits, 1);
            for argument in 0..map.domain.size() as u32 {
                let (places, map) = (places.clone(), map.clone());
                let members = Members::Items { places, width: *width, map, argument };
                let sides = (left.clone(), Some(right.clone()));
                parts.push(Part { defined_bit, ..Part::new(members, sides, bits) });
            }
            return Some(());
        }
        let right = side(group, &right, range)?;
        // Where the result does not move, a number says which: 0 where it is undefined or moves.
        let left_bits = match left.set {
            Some(_) => take(bits, bits_for(right.still())),
            None => 0,
        };
        let right_bits = take(bits, if right.set.is_some() { left.still() } else { 0 });
        let loop_bit = take(bits, (left.set == right.set) as u32);
        let members = Members::Function { places, width: *width };
        let (right, degree_bits) = (Some(right), None);
        parts.push(Part {
            members,
            left,
            right,
            left_bits,
            right_bits,
            loop_bit,
            defined_bit: 0,
            degree_bits,
        });
        Some(())
    }

    /// Takes a place in the colours for numbers of edges.
    fn count_degrees(&mut self, bits: &mut u32) {
        let Some(right) = self.right.as_ref().filter(|_| self.joins().is_some()) else { return };
        let from_left = if self.is_function() { 1 } else { right.size };
        self.degree_bits = Some(take(bits, bits_for(from_left.max(self.left.size))));
    }

    /// The two sets whose points this can join by edges.
    fn joins(&self) -> Option<(SetId, SetId)> {
        let (a, b) = self.left.set.zip(self.right.as_ref()?.set)?;
        Some((a.min(b), a.max(b)))
    }

    fn is_function(&self) -> bool {
        matches!(self.members, Members::Function { .. })
    }

    #[inline]
    fn split(&self, member: u32) -> (u32, Option<u32>) {
        match &self.right {
            None => (member, None),
            Some(right) => (member / right.size, Some(member % right.size)),
        }
    }

    fn write_image(&self, state: &[u64], permutation: &Permutation, image: &mut [u64]) {
        let mut moved = Moved::new(self, permutation);
        match &self.members {
            Members::One { at, bits } => {
                let member = get(state, *at, *bits) as u32;
                image[at.word] |= (moved.image(member) as u64) << at.shift;
            }
            Members::Word { at, bits } => {
                let mut rest = get(state, *at, *bits);
                while rest != 0 {
                    image[at.word] |= 1 << (moved.image(rest.trailing_zeros()) + at.shift);
                    rest &= rest - 1;
                }
            }
            Members::Words { first, words } => {
                for word in 0..*words {
                    let mut rest = state[first + word];
                    while rest != 0 {
                        let member = moved.image(64 * word as u32 + rest.trailing_zeros()) as usize;
                        image[first + member / 64] |= 1 << (member % 64);
                        rest &= rest - 1;
                    }
                }
            }
            Members::Function { places, width } => {
                let Some(right) = &self.right else { return };
                let (left, right) = (self.left.map(permutation), right.map(permutation));
                for (a, at) in (0..).zip(places) {
                    let code = get(state, *at, *width) as u32;
                    if code > 0 {
                        let to = places[mapped(left, a) as usize];
                        let code = 1 + mapped(right, code - 1) as u64;
                        image[to.word] |= code << to.shift;
                    }
                }
            }
            Members::Opaque { places, width } => {
                let left = self.left.map(permutation);
                for (a, at) in (0..).zip(places) {
                    let to = places[mapped(left, a) as usize];
                    image[to.word] |= get(state, *at, *width) << to.shift;
                }
            }
            Members::Items { places, width, map, argument } => {
                let Some(right) = &self.right else { return };
                let (left, right) = (self.left.map(permutation), right.map(permutation));
                for (a, at) in (0..).zip(places) {
                    let Some(code) = get(state, *at, *width).checked_sub(1) else { continue };
                    // All of these parts add to one number.
                    let mut number = u64::from(*argument == 0);
                    if let Some(y) = map.number(code, u64::from(*argument)).checked_sub(1) {
                        let y = u64::from(mapped(right, y as u32));
                        number += (y + 1) << (argument * map.width);
                    }
                    let to = places[mapped(left, a) as usize];
                    image[to.word] += number << to.shift;
                }
            }
            Members::Subsets { places, width } => {
                let Some(right) = &self.right else { return };
                let left = self.left.map(permutation);
                for (a, at) in (0..).zip(places) {
                    let code = get(state, *at, *width);
                    if code > 0 {
                        let mut rest = code - 1;
                        let mut subset = 0;
                        while rest != 0 {
                            subset |= 1u64 << right.image(permutation, rest.trailing_zeros());
                            rest &= rest - 1;
                        }
                        let to = places[mapped(left, a) as usize];
                        image[to.word] |= (subset + 1) << to.shift;
                    }
                }
            }
        }
    }
}

/// Where members go by a permutation, asked in ascending order: without a division for each.
struct Moved<'p> {
    left: &'p [u32],
    right: &'p [u32],
    /// Members of the right side; one, where there is none.
    width: u32,
    /// The left element at hand, its first pair, and the first pair of its image.
    at: u32,
    first: u32,
    image: u32,
}

impl<'p> Moved<'p> {
    fn new(part: &Part, permutation: &'p Permutation) -> Moved<'p> {
        let left = part.left.map(permutation);
        let (right, width) = match &part.right {
            Some(right) => (right.map(permutation), right.size),
            None => (&[][..], 1),
        };
        Moved { left, right, width, at: 0, first: 0, image: mapped(left, 0) * width }
    }

    #[inline]
    fn image(&mut self, member: u32) -> u32 {
        if member - self.first >= self.width {
            let steps = match member - self.first {
                next if next < 2 * self.width => 1,
                far => far / self.width,
            };
            self.at += steps;
            self.first += steps * self.width;
            self.image = mapped(self.left, self.at) * self.width;
        }
        self.image + mapped(self.right, member - self.first)
    }
}

impl Members {
    /// Clears the bits that these members take.
    fn clear(&self, words: &mut [u64]) {
        match self {
            Members::One { at, bits } | Members::Word { at, bits } => put(words, *at, *bits, 0),
            Members::Words { first, words: n } => words[*first..first + n].fill(0),
            Members::Function { places, width }
            | Members::Subsets { places, width }
            | Members::Items { places, width, .. }
            | Members::Opaque { places, width } => {
                places.iter().for_each(|at| put(words, *at, *width, 0));
            }
        }
    }
}

/// Reads flat states, one after the other, in the same memory.
#[derive(Debug, Default)]
pub struct FlatReader {
    colours: Vec<u64>,
    colour_words: usize,
    /// Pairs of points, part by part.
    edges: Vec<(u32, u32)>,
    cursor: Vec<u32>,
    merger: merge::Merger,
}

impl FlatReader {
    /// Reads the colours and edges of a state.
    pub fn read(
        &mut self,
        plan: &FlatPlan,
        group: &Group,
        state: &[u64],
        adjacency: &mut Adjacency,
    ) {
        let n = group.points();
        self.colour_words = plan.colour_words;
        self.colours.clear();
        self.colours.resize(n * plan.colour_words, 0);
        self.edges.clear();
        let mut ends: SmallVec<[usize; 8]> = SmallVec::new();
        for part in &plan.parts {
            let begin = self.edges.len();
            self.read_part(part, state);
            if part.joins().is_some() {
                ends.push(self.edges.len());
            }
            if let Some(bits) = part.degree_bits {
                let (word, one) = (bits as usize / 64, 1 << (bits % 64));
                for (u, v) in &self.edges[begin..] {
                    self.colours[*u as usize * self.colour_words + word] += one;
                    self.colours[*v as usize * self.colour_words + word] += one;
                }
            }
        }
        self.connect(n, &ends, adjacency);
        if plan.parallel {
            self.merger.merge(adjacency);
        }
    }

    #[inline]
    fn mark(&mut self, point: u32, bit: u32, value: u64) {
        let at = point as usize * self.colour_words + bit as usize / 64;
        self.colours[at] |= value << (bit % 64);
    }

    fn read_part(&mut self, part: &Part, state: &[u64]) {
        match &part.members {
            Members::One { at, bits } => self.member(part, get(state, *at, *bits) as u32),
            Members::Word { at, bits } => self.word(part, 0, get(state, *at, *bits)),
            Members::Words { first, words } => {
                for word in 0..*words {
                    self.word(part, 64 * word as u32, state[first + word]);
                }
            }
            Members::Function { places, width } => {
                let Some(right) = &part.right else { return };
                let bases = part.left.base.zip(right.base);
                if let Some((left, right)) = bases.filter(|_| part.left.set != right.set) {
                    for (u, at) in (left..).zip(places) {
                        let code = get(state, *at, *width) as u32;
                        if code > 0 {
                            self.edges.push((u, right + code - 1));
                        }
                    }
                    return;
                }
                for (a, at) in places.iter().enumerate() {
                    let code = get(state, *at, *width) as u32;
                    if code > 0 {
                        self.pair(part, right, a as u32, code - 1);
                    }
                }
            }
            Members::Opaque { places, width } => {
                for (a, at) in (0..).zip(places) {
                    if let Ok(point) = part.left.read(a) {
                        self.mark(point, part.left_bits, get(state, *at, *width));
                    }
                }
            }
            Members::Items { places, width, map, argument } => {
                let Some(right) = &part.right else { return };
                for (a, at) in (0..).zip(places) {
                    let Some(code) = get(state, *at, *width).checked_sub(1) else { continue };
                    if let Ok(point) = part.left.read(a) {
                        self.mark(point, part.defined_bit, 1);
                    }
                    if let Some(y) = map.number(code, u64::from(*argument)).checked_sub(1) {
                        self.pair(part, right, a, y as u32);
                    }
                }
            }
            Members::Subsets { places, width } => {
                let Some(right) = &part.right else { return };
                for (a, at) in (0..).zip(places) {
                    let Some(mut rest) = get(state, *at, *width).checked_sub(1) else { continue };
                    if let Ok(point) = part.left.read(a) {
                        self.mark(point, part.defined_bit, 1);
                    }
                    while rest != 0 {
                        self.pair(part, right, a, rest.trailing_zeros());
                        rest &= rest - 1;
                    }
                }
            }
        }
    }

    fn word(&mut self, part: &Part, first: u32, mut rest: u64) {
        while rest != 0 {
            self.member(part, first + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }

    #[inline]
    fn member(&mut self, part: &Part, member: u32) {
        match (&part.right, part.split(member)) {
            (Some(right), (l, Some(r))) => self.pair(part, right, l, r),
            _ => {
                if let Ok(point) = part.left.read(member) {
                    self.mark(point, part.left_bits, 1);
                }
            }
        }
    }

    #[inline]
    fn pair(&mut self, part: &Part, right: &Side, l: u32, r: u32) {
        match (part.left.read(l), right.read(r)) {
            (Ok(u), Ok(v)) if u == v => self.mark(u, part.loop_bit, 1),
            (Ok(u), Ok(v)) => self.edges.push((u, v)),
            (Ok(u), Err(rank)) if part.is_function() => {
                self.mark(u, part.left_bits, rank as u64 + 1);
            }
            (Ok(u), Err(rank)) => self.mark(u, part.left_bits + rank, 1),
            (Err(rank), Ok(v)) => self.mark(v, part.right_bits + rank, 1),
            (Err(_), Err(_)) => {}
        }
    }

    /// Makes adjacency lists; the edges of each label end where `ends` says.
    fn connect(&mut self, n: usize, ends: &[usize], adjacency: &mut Adjacency) {
        let offsets = &mut adjacency.offsets;
        offsets.clear();
        offsets.resize(n + 1, 0);
        for (from, to) in &self.edges {
            offsets[*from as usize + 1] += 1;
            offsets[*to as usize + 1] += 1;
        }
        for v in 0..n {
            offsets[v + 1] += offsets[v];
        }
        self.cursor.clear();
        self.cursor.extend_from_slice(&offsets[..n]);
        adjacency.edges.clear();
        adjacency.edges.resize(2 * self.edges.len(), HalfEdge::default());
        adjacency.symmetric.clear();
        let mut begin = 0;
        for (i, end) in ends.iter().enumerate() {
            let label = 2 * i as u32;
            let edges = &self.edges[begin..*end];
            let mut put = |at: u32, label: u32, to: u32| {
                let cursor = &mut self.cursor[at as usize];
                adjacency.edges[*cursor as usize] = HalfEdge { label, to };
                *cursor += 1;
            };
            edges.iter().for_each(|(from, to)| put(*from, label, *to));
            edges.iter().for_each(|(from, to)| put(*to, label + 1, *from));
            begin = *end;
        }
        adjacency.labels = 2 * ends.len() as u32;
    }

    /// The partition by sets and colours.
    pub fn partition(&mut self, group: &Group, partition: &mut Partition) {
        let words = self.colour_words;
        partition.reset_points(group.points());
        for range in (0..group.sets().len()).map(|set| group.range(set)) {
            let colours = &self.colours[range.start * words..range.end * words];
            match colours.iter().fold(0, |all, colour| all | colour) {
                0 => partition.cell_of(range),
                all if words == 1 && all < FEW_KEYS as u64 => {
                    partition.cells_by_keys(range, colours, all)
                }
                _ => {
                    let colour =
                        |v: u32| &self.colours[v as usize * words..(v as usize + 1) * words];
                    partition.cells_by(range, |u, v| colour(u).cmp(colour(v)));
                }
            }
        }
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
