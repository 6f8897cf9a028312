//! A state as arrays over its symmetric elements: the vectors n, s, sn and ss of Bosnacki et al.,
//! definition 1, carried over to the values of B.
//!
//! A value of a variable is taken apart into *entries*: one for a simple value, one for each member
//! of a set. An entry is a tuple whose items are movable elements (as points) and other values. A
//! function from symmetric elements to other values (their sn; a subset too, as an array of BOOL) has
//! entries with one point, in front; a variable that is an element, and a function from other values
//! to elements (their s, with such functions expanded) has entries with one point elsewhere; a
//! function between symmetric elements (their ss) has entries with two. Relations are treated like
//! functions: several entries then have the same point in front.
//!
//! A nested set in which elements can occur has no place in this view. Its [`blank`] form, all
//! elements alike, is taken instead, which no permutation changes.

use super::Interrupted;
use super::forms::blank;
use super::reading::Reading;
use crate::clock;
use crate::machine::SetId;
use crate::symmetry::graph::try_each_member;
use crate::symmetry::group::Group;
use crate::symmetry::plan::{self, Form, Leaves};
use crate::value::{IndexKind, Shape, Value};
use smallvec::SmallVec;

/// One item of an entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Item {
    Point(u32),
    /// A value in which nothing moves, or the blank form of a nested set.
    Value(Value),
}

/// One maplet, member or simple value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Number of the part of the state that it is in.
    pub part: u32,
    /// Whether it is a member of a set there.
    pub member: bool,
    pub items: SmallVec<[Item; 4]>,
}

impl Entry {
    /// The points and where they stand.
    pub fn points(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.items.iter().enumerate().filter_map(|(i, item)| match item {
            Item::Point(p) => Some((i, *p)),
            Item::Value(_) => None,
        })
    }

    /// The point in front, when the entry is one of an array over symmetric elements.
    pub fn index(&self) -> Option<u32> {
        match self.items.first() {
            Some(Item::Point(p)) if self.member => Some(*p),
            _ => None,
        }
    }

    /// Everything but the points: part, and values with their places.
    pub fn values(&self) -> Vec<(u32, Value)> {
        let items = self.items.iter().enumerate();
        items
            .filter_map(|(i, item)| match item {
                Item::Value(v) => Some((i as u32, v.clone())),
                Item::Point(_) => None,
            })
            .collect()
    }
}

/// What can stand at a place of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leaf {
    Still,
    Element(SetId),
    Nested,
}

/// A part of a state: a component of a variable that is no pair or record.
#[derive(Debug)]
pub struct Part {
    /// Number of the variable or constant.
    pub cell: usize,
    pub set: bool,
    form: Form,
    /// Of the entries.
    pub leaves: Vec<Leaf>,
    shapes: Vec<Shape>,
}

/// How the values of a machine are taken apart.
#[derive(Debug)]
pub struct Vectors {
    pub group: Group,
    cells: Vec<Form>,
    /// The parts of all cells, in order.
    pub parts: Vec<Part>,
    /// Number of parts of each cell.
    lengths: Vec<usize>,
}

impl Vectors {
    pub fn new(shapes: &[Shape], group: &Group) -> Vectors {
        let mut vectors =
            Vectors { group: group.clone(), cells: vec![], parts: vec![], lengths: vec![] };
        for (cell, shape) in shapes.iter().enumerate() {
            let (form, parts) = plan::flatten(group, shape);
            vectors.cells.push(form);
            vectors.lengths.push(parts.len());
            vectors.parts.extend(parts.iter().map(|shape| Part::new(group, cell, shape)));
        }
        vectors
    }

    /// All entries of a list of values: of a state, or of its constants alone.
    pub fn entries(&self, values: &[Value]) -> Result<Vec<Entry>, Interrupted> {
        let mut entries = Vec::new();
        let mut number = 0;
        for ((form, value), length) in self.cells.iter().zip(values).zip(&self.lengths) {
            let mut leaves = Leaves::new();
            plan::leaves(form, value, &mut leaves);
            for (part, value) in self.parts[number..number + length].iter().zip(&leaves) {
                part.entries(&self.group, number as u32, value, &mut entries)?;
                number += 1;
            }
        }
        Ok(entries)
    }

    /// Notes about the variables and constants with nested sets of elements.
    pub fn notes(&self, reading: &Reading, instead: &str) -> Vec<String> {
        let mut cells: Vec<usize> = self
            .parts
            .iter()
            .filter(|p| p.leaves.contains(&Leaf::Nested))
            .map(|p| p.cell)
            .collect();
        cells.dedup();
        cells
            .iter()
            .map(|cell| {
                format!("{} holds sets of elements inside a set: {instead}", reading.names[*cell])
            })
            .collect()
    }
}

impl Part {
    fn new(group: &Group, cell: usize, shape: &Shape) -> Part {
        let member = plan::moves(group, shape).then(|| plan::member_shape(shape)).flatten();
        let set = member.is_some();
        let (form, shapes) = plan::flatten(group, member.as_ref().unwrap_or(shape));
        let leaves = shapes.iter().map(|s| leaf(group, s)).collect();
        Part { cell, set, form, leaves, shapes }
    }

    fn entries(
        &self,
        group: &Group,
        number: u32,
        value: &Value,
        out: &mut Vec<Entry>,
    ) -> Result<(), Interrupted> {
        if !self.set {
            out.push(self.entry(group, number, value)?);
            return Ok(());
        }
        try_each_member(value, |member| {
            out.push(self.entry(group, number, member)?);
            Ok(())
        })
    }

    fn entry(&self, group: &Group, part: u32, value: &Value) -> Result<Entry, Interrupted> {
        clock::spend(1)?;
        let mut leaves = Leaves::new();
        plan::leaves(&self.form, value, &mut leaves);
        let items = self.leaves.iter().zip(&self.shapes).zip(&leaves);
        let items = items
            .map(|((leaf, shape), value)| {
                Ok(match leaf {
                    Leaf::Still => Item::Value(value.clone()),
                    Leaf::Element(set) => match group.point(*set, value.word()) {
                        Some(point) => Item::Point(point),
                        None => Item::Value(value.clone()),
                    },
                    Leaf::Nested => Item::Value(blank(group, shape, value)?),
                })
            })
            .collect::<Result<_, Interrupted>>()?;
        Ok(Entry { part, member: self.set, items })
    }

    /// Whether an element can occur in it.
    pub fn moves(&self) -> bool {
        self.leaves.iter().any(|l| *l != Leaf::Still)
    }

    /// Whether it has elements as values, or between elements: not only as the index of an array.
    pub fn has_element_values(&self) -> bool {
        let elements = |leaves: &[Leaf]| leaves.iter().any(|l| matches!(l, Leaf::Element(_)));
        elements(if self.set { self.leaves.get(1..).unwrap_or(&[]) } else { &self.leaves })
    }

    /// The set over whose elements this part is an array of other values, if it is one.
    pub fn array_over(&self) -> Option<SetId> {
        match self.leaves.split_first() {
            Some((Leaf::Element(set), rest))
                if self.set && rest.iter().all(|l| *l == Leaf::Still) =>
            {
                Some(*set)
            }
            _ => None,
        }
    }
}

fn leaf(group: &Group, shape: &Shape) -> Leaf {
    if !plan::moves(group, shape) {
        return Leaf::Still;
    }
    match shape.index().map(|u| &u.kind) {
        Some(IndexKind::Element(set)) => Leaf::Element(*set),
        _ => Leaf::Nested,
    }
}
