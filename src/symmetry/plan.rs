//! How each cell of a state is read into the guide graph: compiled once from the shapes.
//!
//! A value is taken apart into its *leaves*: pairs and records are flattened (their form is known
//! from the type), so a leaf is an element of a carrier set, a set, or an opaque value in which
//! nothing can move. Every way in which movable things can stand in a leaf has a *code*, numbered in
//! the order of the cells and of the parts of their types; codes are what marks and edge labels are
//! made from.

use super::action::Action;
use super::group::Group;
use crate::machine::SetId;
use crate::value::{Index, IndexKind, Shape, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// The leaves of one value.
pub type Leaves = SmallVec<[Value; 4]>;

/// Largest universe whose members are read from a table.
const TABLE_LIMIT: u128 = 4096;

#[derive(Debug, Default)]
pub struct Plan {
    pub cells: Vec<CellPlan>,
    pub classes: Vec<Class>,
    class_shapes: Vec<Shape>,
    codes: u32,
}

#[derive(Debug)]
pub struct CellPlan {
    pub label: u32,
    pub shape: Shape,
    pub form: Form,
    pub leaves: Vec<RootLeaf>,
}

/// A leaf of a cell itself.
#[derive(Debug)]
pub enum RootLeaf {
    Opaque,
    Element { set: SetId, code: u32 },
    Set(SetPlan),
}

/// How to flatten a value.
#[derive(Debug)]
pub enum Form {
    Leaf,
    /// A pair held as one index: the right side has this many members.
    Product(u64, Box<(Form, Form)>),
    Pair(Box<(Form, Form)>),
    Record(Vec<Form>),
}

/// A leaf inside a set.
#[derive(Debug)]
pub enum Leaf {
    Opaque,
    Element(SetId),
    /// A set, by class.
    Set(usize),
}

/// The members of a set.
#[derive(Debug)]
pub struct SetPlan {
    pub form: Form,
    pub members: Tuple,
    /// What each member of a small flat universe means, by its index.
    pub table: Option<Vec<Action>>,
    /// The class of members that need a vertex of their own.
    pub tuple_class: Option<usize>,
    base: u32,
}

#[derive(Debug)]
pub struct Tuple {
    pub leaves: Vec<Leaf>,
    /// Number of values of each leaf that is held as an index.
    pub sizes: Vec<Option<u64>>,
}

/// A kind of special vertex.
#[derive(Debug)]
pub enum Class {
    Set(SetPlan),
    /// A member with several movable parts, inside a set that cannot hold it as an edge.
    Tuple {
        members: Tuple,
        base: u32,
    },
    /// Being compiled.
    Pending,
}

impl SetPlan {
    fn width(&self) -> u32 {
        self.members.leaves.len() as u32
    }
    /// One leaf moves.
    pub fn single(&self, leaf: usize) -> u32 {
        self.base + leaf as u32
    }
    /// Two leaves move.
    pub fn double(&self, left: usize, right: usize) -> u32 {
        self.base + self.width() * (1 + left as u32) + right as u32
    }
    /// Two leaves hold the same movable thing.
    pub fn same(&self, left: usize, right: usize) -> u32 {
        self.double(left, right) + self.width() * self.width()
    }
    /// A member with a vertex of its own.
    pub fn tuple(&self) -> u32 {
        self.base + self.width() * (1 + 2 * self.width())
    }
    /// A member in which nothing moves.
    pub fn still(&self) -> u32 {
        self.tuple() + 1
    }
}

impl Class {
    /// The code of a leaf of a tuple, moving or not.
    pub fn component(base: u32, width: usize, leaf: usize, moves: bool) -> u32 {
        base + if moves { 0 } else { width as u32 } + leaf as u32
    }
}

impl Plan {
    pub fn compile<'a>(group: &Group, cells: impl Iterator<Item = (u32, &'a Shape)>) -> Plan {
        let mut plan = Plan::default();
        for (label, shape) in cells {
            let (form, parts) = flatten(group, shape);
            let leaves = parts.iter().map(|s| plan.root_leaf(group, s)).collect();
            plan.cells.push(CellPlan { label, shape: shape.clone(), form, leaves });
        }
        plan
    }

    fn codes(&mut self, n: u32) -> u32 {
        let first = self.codes;
        self.codes += n;
        first
    }

    fn root_leaf(&mut self, group: &Group, shape: &Shape) -> RootLeaf {
        if !moves(group, shape) {
            return RootLeaf::Opaque;
        }
        match element_of(shape) {
            Some(set) => RootLeaf::Element { set, code: self.codes(1) },
            None => match member_shape(shape) {
                Some(member) => RootLeaf::Set(self.set_plan(group, &member, false)),
                None => RootLeaf::Opaque,
            },
        }
    }

    fn set_plan(&mut self, group: &Group, member: &Shape, nested: bool) -> SetPlan {
        let (form, parts) = flatten(group, member);
        let members = self.tuple(group, &parts);
        let width = parts.len() as u32;
        let moving = members.leaves.iter().filter(|l| !matches!(l, Leaf::Opaque)).count();
        let base = self.codes(width * (1 + 2 * width) + 2);
        let tuple_class = (moving > if nested { 1 } else { 2 })
            .then(|| self.class(member, |plan| plan.tuple_of(group, &parts)));
        let mut plan = SetPlan { form, members, table: None, tuple_class, base };
        if plan.tuple_class.is_none()
            && let Shape::Index(universe) = member
            && universe.size <= TABLE_LIMIT
            && !plan.members.leaves.iter().any(|l| matches!(l, Leaf::Set(_)))
        {
            plan.table = Some(
                (0..universe.size as u64)
                    .map(|w| Action::of_member(group, &plan, &Value::Word(w), nested))
                    .collect(),
            );
        }
        plan
    }

    fn tuple(&mut self, group: &Group, parts: &[Shape]) -> Tuple {
        Tuple {
            leaves: parts.iter().map(|s| self.leaf(group, s)).collect(),
            sizes: parts
                .iter()
                .map(|s| s.index().and_then(|u| u64::try_from(u.size).ok()))
                .collect(),
        }
    }

    fn tuple_of(&mut self, group: &Group, parts: &[Shape]) -> Class {
        let members = self.tuple(group, parts);
        let base = self.codes(2 * parts.len() as u32);
        Class::Tuple { members, base }
    }

    fn leaf(&mut self, group: &Group, shape: &Shape) -> Leaf {
        if !moves(group, shape) {
            return Leaf::Opaque;
        }
        match element_of(shape) {
            Some(set) => Leaf::Element(set),
            None => match member_shape(shape) {
                Some(member) => Leaf::Set(
                    self.class(shape, |plan| Class::Set(plan.set_plan(group, &member, true))),
                ),
                None => Leaf::Opaque,
            },
        }
    }

    /// The class for values of this shape, made when it is first asked for.
    fn class(&mut self, shape: &Shape, make: impl FnOnce(&mut Plan) -> Class) -> usize {
        if let Some(known) = self.class_shapes.iter().position(|s| s == shape) {
            return known;
        }
        let id = self.classes.len();
        self.classes.push(Class::Pending);
        self.class_shapes.push(shape.clone());
        let class = make(self);
        self.classes[id] = class;
        id
    }
}

/// Takes a value apart.
pub fn leaves(form: &Form, value: &Value, out: &mut Leaves) {
    match (form, value) {
        (Form::Leaf, _) => out.push(value.clone()),
        (Form::Product(n, sides), Value::Word(w)) => {
            leaves(&sides.0, &Value::Word(w / n), out);
            leaves(&sides.1, &Value::Word(w % n), out);
        }
        (Form::Pair(sides), Value::Pair(pair)) => {
            leaves(&sides.0, &pair.0, out);
            leaves(&sides.1, &pair.1, out);
        }
        (Form::Record(forms), Value::Record(fields)) => {
            for (form, field) in forms.iter().zip(fields.iter()) {
                leaves(form, field, out);
            }
        }
        _ => debug_assert!(false, "a value of another shape: {value:?}"),
    }
}

/// How to take values of this shape apart, and the shapes of the leaves. What cannot move stays
/// whole.
pub fn flatten(group: &Group, shape: &Shape) -> (Form, Vec<Shape>) {
    if !moves(group, shape) {
        return (Form::Leaf, vec![shape.clone()]);
    }
    let both = |l: &Shape, r: &Shape| {
        let (left, mut parts) = flatten(group, l);
        let (right, more) = flatten(group, r);
        parts.extend(more);
        (Box::new((left, right)), parts)
    };
    match shape {
        Shape::Index(u) => match &u.kind {
            IndexKind::Pair(l, r) => {
                let (sides, parts) = both(&Shape::Index(l.clone()), &Shape::Index(r.clone()));
                (Form::Product(r.size as u64, sides), parts)
            }
            _ => (Form::Leaf, vec![shape.clone()]),
        },
        Shape::Pair(p) => {
            let (sides, parts) = both(&p.0, &p.1);
            (Form::Pair(sides), parts)
        }
        Shape::Record(fields) => {
            let (mut forms, mut parts) = (Vec::new(), Vec::new());
            for field in fields.iter() {
                let (form, more) = flatten(group, field);
                forms.push(form);
                parts.extend(more);
            }
            (Form::Record(forms), parts)
        }
        _ => (Form::Leaf, vec![shape.clone()]),
    }
}

fn element_of(shape: &Shape) -> Option<SetId> {
    match shape.index()?.kind {
        IndexKind::Element(set) => Some(set),
        _ => None,
    }
}

pub fn member_shape(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Index(u) => match &u.kind {
            IndexKind::Subset(of) => Some(Shape::Index(of.clone())),
            _ => None,
        },
        Shape::Bits(of) => Some(Shape::Index(of.clone())),
        Shape::Set(of) => Some((**of).clone()),
        _ => None,
    }
}

/// Whether values of this shape can hold a movable element.
pub fn moves(group: &Group, shape: &Shape) -> bool {
    match shape {
        Shape::Integer | Shape::Real | Shape::String | Shape::Free(_) => false,
        Shape::Index(u) | Shape::Bits(u) => universe_moves(group, u),
        Shape::Set(e) => moves(group, e),
        Shape::Pair(p) => moves(group, &p.0) || moves(group, &p.1),
        Shape::Record(fs) => fs.iter().any(|f| moves(group, f)),
    }
}

pub fn universe_moves(group: &Group, universe: &Arc<Index>) -> bool {
    match &universe.kind {
        IndexKind::Bool => false,
        IndexKind::Element(s) => group.moves(*s),
        IndexKind::Pair(l, r) => universe_moves(group, l) || universe_moves(group, r),
        IndexKind::Subset(of) => universe_moves(group, of),
    }
}
