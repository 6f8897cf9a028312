//! The guide graph of a state.
//!
//! It is not the drawing of Turner et al., section 4.2 (that one is in [`matrix`](super::matrix), for
//! display), which loses information: there `{a |-> {b}}` and `{a |-> {a, b}}` look alike. This one is
//! faithful: its automorphisms, restricted to the points, are exactly the permutations that leave
//! the state unchanged. And it is smaller, because what is flat needs no vertices:
//!
//! * vertices are the points (movable elements), and one *special vertex* for each distinct nested
//!   set in which a point occurs, and for each member with more movable parts than an edge can say;
//! * a point in a set, or paired with a fixed value, is a *mark* of the point; a pair of two points in
//!   a relation is an edge;
//! * the edge's label, or the mark, says exactly where (cell, and which parts of the member) and with
//!   which fixed values. Labels are ordered by code and by the order of values, never by the order in
//!   which they were met.
//!
//! All edges between the same two vertices are merged into one, whose label is the set of theirs.

use super::action::{Action, Key, NUMBER, OWNER, POOLED, Pool, Things, key};
use super::group::Group;
use super::merge::Merger;
use super::partition::Partition;
use super::plan::{self, Class, Form, Leaf, Leaves, Plan, RootLeaf, SetPlan};
use super::refine::{Adjacency, HalfEdge, Refiner};
use crate::clock::{self, Stopped};
use crate::value::{Shape, Table, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A variable or a constant of a state, with its value. Every state of a machine must come with the
/// same labels and shapes in the same order.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// Which variable or constant this is.
    pub label: u32,
    pub shape: &'a Shape,
    pub value: &'a Value,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    key: Key,
    from: u32,
    to: u32,
}

/// A graph as plain data. The graphs of two states of one machine can be compared by it, as long as no
/// fixed value in them needs a rank among others (strings, big numbers).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drawing {
    /// What distinguishes each vertex: its set or kind, then its marks in order.
    pub vertices: Vec<Vec<u128>>,
    /// Edges (from, to, label).
    pub edges: Vec<(u32, u32, u128)>,
}

/// Builds guide graphs, one after the other, in the same memory.
#[derive(Debug, Default)]
pub struct GuideGraph {
    plan: Plan,
    build: Build,
    pub adjacency: Adjacency,
    cursor: Vec<u32>,
    merger: Merger,
}

#[derive(Debug, Default)]
struct Build {
    points: u32,
    /// The class of each special vertex.
    specials: Vec<u32>,
    /// The vertex of each nested value met; none where nothing in it moves.
    known: FxHashMap<(u32, Value), Option<u32>>,
    marks: Vec<(Key, u32)>,
    edges: Vec<Edge>,
    pool: Pool,
}

impl GuideGraph {
    /// Reads a state.
    pub fn build(&mut self, group: &Group, cells: &[Cell<'_>]) {
        let fits = self.plan.cells.len() == cells.len()
            && self
                .plan
                .cells
                .iter()
                .zip(cells)
                .all(|(p, c)| p.label == c.label && p.shape == *c.shape);
        if !fits {
            self.plan = Plan::compile(group, cells.iter().map(|c| (c.label, c.shape)));
        }
        self.build.reset(group);
        for (plan, cell) in self.plan.cells.iter().zip(cells) {
            self.build.cell(group, &self.plan, &plan.form, &plan.leaves, cell.value);
        }
        self.build.order_keys();
        self.connect();
        self.merger.merge(&mut self.adjacency);
    }

    pub fn vertices(&self) -> usize {
        self.build.points as usize + self.build.specials.len()
    }

    /// Number of special vertices.
    pub fn specials(&self) -> usize {
        self.build.specials.len()
    }

    /// The partition by sets, classes and marks, not yet refined.
    pub fn partition(&self, group: &Group, partition: &mut Partition, refiner: &mut Refiner) {
        let points = self.build.points;
        let mut sizes: SmallVec<[u32; 16]> =
            (0..group.sets().len()).map(|k| group.range(k).len() as u32).collect();
        let mut specials: SmallVec<[u32; 32]> =
            (points..points + self.build.specials.len() as u32).collect();
        let class = |v: &u32| self.build.specials[(*v - points) as usize];
        if !specials.is_sorted_by_key(class) {
            specials.sort_by_key(class);
        }
        sizes.extend(specials.chunk_by(|a, b| class(a) == class(b)).map(|c| c.len() as u32));
        partition.reset((0..points).chain(specials.iter().copied()), &sizes, points as usize);
        refiner.reset(self.vertices());
        for same in self.build.marks.chunk_by(|a, b| a.0 == b.0) {
            refiner.mark(partition, same.iter().map(|(_, v)| *v));
        }
    }

    /// The graph as data.
    pub fn drawing(&self, group: &Group) -> Drawing {
        let set = |v: u32| group.element(v).0.0 as u128;
        let points = (0..self.build.points).map(|v| vec![set(v)]);
        let specials = self.build.specials.iter().map(|class| vec![1 << 64 | *class as u128]);
        let mut vertices: Vec<Vec<u128>> = points.chain(specials).collect();
        for (key, v) in &self.build.marks {
            vertices[*v as usize].push(*key);
        }
        let edges = self.build.edges.iter().map(|e| (e.from, e.to, e.key)).collect();
        Drawing { vertices, edges }
    }

    /// Makes adjacency lists of the edges, which are in the order of their keys.
    fn connect(&mut self) {
        let n = self.vertices();
        let edges = &self.build.edges;
        let adjacency = &mut self.adjacency;
        let offsets = &mut adjacency.offsets;
        offsets.clear();
        offsets.resize(n + 1, 0);
        for e in edges {
            offsets[e.from as usize + 1] += 1;
            offsets[e.to as usize + 1] += 1;
        }
        for v in 0..n {
            offsets[v + 1] += offsets[v];
        }
        self.cursor.clear();
        self.cursor.extend_from_slice(&offsets[..n]);
        adjacency.edges.clear();
        adjacency.edges.resize(2 * edges.len(), HalfEdge::default());
        adjacency.symmetric.clear();
        let mut label = 0;
        let mut put = |at: u32, label: u32, to: u32| {
            let cursor = &mut self.cursor[at as usize];
            adjacency.edges[*cursor as usize] = HalfEdge { label, to };
            *cursor += 1;
        };
        for same in edges.chunk_by(|a, b| a.key == b.key) {
            for e in same {
                put(e.from, label, e.to);
            }
            for e in same {
                put(e.to, label + 1, e.from);
            }
            label += 2;
        }
        adjacency.labels = label;
    }
}

impl Build {
    fn reset(&mut self, group: &Group) {
        self.points = group.points() as u32;
        self.specials.clear();
        self.known.clear();
        self.marks.clear();
        self.edges.clear();
        self.pool.numbers.clear();
    }

    fn cell(&mut self, group: &Group, plan: &Plan, form: &Form, parts: &[RootLeaf], value: &Value) {
        if let (Form::Leaf, [part]) = (form, parts) {
            return self.root_leaf(group, plan, part, value);
        }
        let mut values = Leaves::new();
        plan::leaves(form, value, &mut values);
        for (part, value) in parts.iter().zip(&values) {
            self.root_leaf(group, plan, part, value);
        }
    }

    fn root_leaf(&mut self, group: &Group, plan: &Plan, part: &RootLeaf, value: &Value) {
        match part {
            RootLeaf::Opaque => {}
            RootLeaf::Element { set, code } => {
                if let Some(vertex) = group.point(*set, value.word()) {
                    self.marks.push((key(*code, (NUMBER, 0)), vertex));
                }
            }
            RootLeaf::Set(set) => match (&set.table, value) {
                (Some(table), Value::Word(bits)) => self.table_word(table, 0, *bits, OWNER),
                (Some(table), Value::Bits(words)) => {
                    for (i, bits) in words.iter().enumerate() {
                        self.table_word(table, 64 * i, *bits, OWNER);
                    }
                }
                _ => {
                    // Who asked for the graph hears that it is not whole when it asks the clock next.
                    let _ = try_each_member(value, |member| {
                        clock::tick()?;
                        let (values, things) = self.member(group, plan, set, member);
                        self.add_member(plan, set, None, member, &values, &things);
                        Ok::<(), Stopped>(())
                    });
                }
            },
        }
    }

    /// The actions of the members in one word of a set.
    fn table_word(&mut self, table: &[Action], first: usize, bits: u64, owner: u32) {
        let mut rest = bits;
        while rest != 0 {
            self.act(table[first + rest.trailing_zeros() as usize], owner);
            rest &= rest - 1;
        }
    }

    #[inline]
    fn act(&mut self, action: Action, owner: u32) {
        let own = |v: u32| if v == OWNER { owner } else { v };
        match action {
            Action::Nothing => {}
            Action::Mark { vertex, key } => self.marks.push((key, own(vertex))),
            Action::Edge { from, to, key } => {
                self.edges.push(Edge { key, from: own(from), to: own(to) })
            }
        }
    }

    /// A member taken apart, with the vertices of its leaves.
    fn member(
        &mut self,
        group: &Group,
        plan: &Plan,
        set: &SetPlan,
        member: &Value,
    ) -> (Leaves, Things) {
        let mut values = Leaves::new();
        plan::leaves(&set.form, member, &mut values);
        let things = set
            .members
            .leaves
            .iter()
            .zip(&values)
            .map(|(leaf, value)| match leaf {
                Leaf::Opaque => None,
                Leaf::Element(s) => group.point(*s, value.word()),
                Leaf::Set(class) => self.nested(group, plan, *class, value),
            })
            .collect();
        (values, things)
    }

    fn add_member(
        &mut self,
        plan: &Plan,
        set: &SetPlan,
        owner: Option<u32>,
        member: &Value,
        values: &[Value],
        things: &[Option<u32>],
    ) {
        let nested = owner.is_some();
        if let Some(action) = Action::of_things(set, values, things, nested, &mut self.pool) {
            return self.act(action, owner.unwrap_or(OWNER));
        }
        let Some(class) = set.tuple_class else {
            debug_assert!(false, "a member with more movable parts than its type has");
            return;
        };
        let vertex = self.tuple(plan, class, member, values, things);
        let key = key(set.tuple(), (NUMBER, 0));
        match owner {
            None => self.marks.push((key, vertex)),
            Some(owner) => self.edges.push(Edge { key, from: vertex, to: owner }),
        }
    }

    /// The vertex of a member with several movable parts.
    fn tuple(
        &mut self,
        plan: &Plan,
        class: usize,
        member: &Value,
        values: &[Value],
        things: &[Option<u32>],
    ) -> u32 {
        if let Some(Some(vertex)) = self.known.get(&(class as u32, member.clone())) {
            return *vertex;
        }
        let vertex = self.special(class, member);
        if let Class::Tuple { members, base } = &plan.classes[class] {
            let width = values.len();
            for (i, thing) in things.iter().enumerate() {
                let code = Class::component(*base, width, i, thing.is_some());
                match thing {
                    Some(to) => {
                        let key = key(code, (NUMBER, 0));
                        self.edges.push(Edge { key, from: vertex, to: *to });
                    }
                    None => {
                        let payload = self.pool.one(members, i, &values[i]);
                        self.marks.push((key(code, payload), vertex));
                    }
                }
            }
        }
        vertex
    }

    fn special(&mut self, class: usize, value: &Value) -> u32 {
        let vertex = self.points + self.specials.len() as u32;
        self.specials.push(class as u32);
        self.known.insert((class as u32, value.clone()), Some(vertex));
        vertex
    }

    /// The vertex of a nested set; none when nothing in it moves.
    fn nested(&mut self, group: &Group, plan: &Plan, class: usize, value: &Value) -> Option<u32> {
        if let Some(known) = self.known.get(&(class as u32, value.clone())) {
            return *known;
        }
        let Class::Set(set) = &plan.classes[class] else {
            debug_assert!(false, "not a class of sets");
            return None;
        };
        if let (Some(table), Value::Word(bits)) = (&set.table, value) {
            let mut rest = *bits;
            let mut moves = false;
            while rest != 0 {
                moves |= matches!(table[rest.trailing_zeros() as usize], Action::Edge { .. });
                rest &= rest - 1;
            }
            if !moves {
                self.known.insert((class as u32, value.clone()), None);
                return None;
            }
            let vertex = self.special(class, value);
            self.table_word(table, 0, *bits, vertex);
            return Some(vertex);
        }
        let mut members: Vec<(Value, Leaves, Things)> = Vec::new();
        let _ = try_each_member(value, |member| {
            clock::tick()?;
            let (values, things) = self.member(group, plan, set, member);
            members.push((member.clone(), values, things));
            Ok::<(), Stopped>(())
        });
        if members.iter().all(|(_, _, things)| things.iter().all(Option::is_none)) {
            self.known.insert((class as u32, value.clone()), None);
            return None;
        }
        let vertex = self.special(class, value);
        for (member, values, things) in &members {
            self.add_member(plan, set, Some(vertex), member, values, things);
        }
        Some(vertex)
    }

    /// Replaces numbers of pooled values by their ranks and sorts marks and edges.
    fn order_keys(&mut self) {
        if !self.pool.numbers.is_empty() {
            let ranks = self.pool.ranks();
            let rank = |k: &mut Key| {
                if (*k >> 64) as u8 == POOLED {
                    *k = *k >> 64 << 64 | ranks[*k as u64 as usize] as u128;
                }
            };
            self.marks.iter_mut().for_each(|(k, _)| rank(k));
            self.edges.iter_mut().for_each(|e| rank(&mut e.key));
        }
        if !self.marks.is_sorted_by_key(|m| m.0) {
            self.marks.sort_unstable_by_key(|m| m.0);
        }
        if !self.edges.is_sorted_by_key(|e| e.key) {
            self.edges.sort_unstable_by_key(|e| e.key);
        }
    }
}

/// Calls `f` with each member of a set.
pub fn each_member(set: &Value, mut f: impl FnMut(&Value)) {
    let mut word = |first: u64, bits: u64| {
        let mut rest = bits;
        while rest != 0 {
            f(&Value::Word(first + rest.trailing_zeros() as u64));
            rest &= rest - 1;
        }
    };
    match set {
        Value::Word(bits) => word(0, *bits),
        Value::Bits(words) => {
            for (i, bits) in words.iter().enumerate() {
                word(64 * i as u64, *bits);
            }
        }
        Value::Set(items) => items.iter().for_each(f),
        Value::Table(..) => {
            set.table().into_iter().flat_map(Table::rows).for_each(|row| f(&row.value()));
        }
        _ => debug_assert!(false, "not a set: {set:?}"),
    }
}

/// Goes through the members of a set up to the first error.
pub fn try_each_member<E>(
    set: &Value,
    mut f: impl FnMut(&Value) -> Result<(), E>,
) -> Result<(), E> {
    let mut result = Ok(());
    each_member(set, |member| {
        if result.is_ok() {
            result = f(member);
        }
    });
    result
}

#[cfg(test)]
mod tests {
    use super::super::group::SymmetricSet;
    use super::*;
    use crate::machine::{SetId, Type};
    use crate::value::Sizes;
    use std::sync::Arc;

    fn set(id: u32) -> Type {
        Type::Set(SetId(id))
    }

    /// The graph of one cell over set 0, with four movable elements, and set 1, enumerated.
    fn graph(ty: Type, value: impl FnOnce(&Shape) -> Value) -> GuideGraph {
        let shape = Shape::of(&ty, &Sizes(Arc::from([4, 3])));
        let group = Group::new([SymmetricSet::all(SetId(0), 4)]);
        let value = value(&shape);
        let mut graph = GuideGraph::default();
        graph.build(&group, &[Cell { label: 0, shape: &shape, value: &value }]);
        graph
    }

    #[test]
    fn flat_values_need_no_special_vertices() {
        // A function from points to the elements of an enumerated set: one mark for each pair.
        let words = [0u64, 3 + 2, 2 * 3 + 2].map(Value::Word);
        let marks = graph(Type::relation(set(0), set(1)), |s| s.collect(words));
        assert_eq!((marks.specials(), marks.adjacency.edges.len()), (0, 0));
        let keys: Vec<u64> = marks.build.marks.iter().map(|(k, _)| *k as u64).collect();
        assert_eq!(keys, [0, 2, 2]);
        // A relation between points: edges, seen from both ends; a loop is a mark.
        let words = [1u64, 4 + 2, 3 * 4 + 3].map(Value::Word);
        let edges = graph(Type::relation(set(0), set(0)), |s| s.collect(words));
        assert_eq!((edges.specials(), edges.adjacency.edges.len()), (0, 4));
        assert_eq!(edges.build.marks.len(), 1);
    }

    #[test]
    fn one_special_vertex_for_each_distinct_nested_value() {
        let ty = Type::relation(Type::pow(set(0)), Type::pow(set(0)));
        let word = |l: u64, r: u64| Value::Word(l * 16 + r);
        // {a} |-> {a}, {a} |-> {b, c}, {} |-> {a}: two sets in which something moves.
        let nested = graph(ty, |s| s.collect([word(1, 1), word(1, 6), word(0, 1)]));
        assert_eq!(nested.specials(), 2);
        // Three memberships and one pair, from both ends.
        assert_eq!(nested.adjacency.edges.len(), 8);
        // {a} |-> {a} and {} |-> {a} are marks.
        assert_eq!(nested.build.marks.len(), 2);
    }

    #[test]
    fn edges_between_the_same_vertices_are_merged() {
        let words = [1u64, 4, 4 + 2].map(Value::Word);
        let merged = graph(Type::relation(set(0), set(0)), |s| s.collect(words));
        assert_eq!(merged.adjacency.edges.len(), 4);
        assert_eq!(merged.adjacency.symmetric.iter().filter(|s| **s).count(), 1);
    }

    #[test]
    fn pooled_values_are_ordered_by_value() {
        let text = |s: &str| Value::String(Arc::from(s));
        let pair = |w: u64, s: &str| Value::Pair(Arc::new((Value::Word(w), text(s))));
        let ty = Type::relation(set(0), Type::String);
        let strings = graph(ty, |s| s.collect([pair(0, "b"), pair(1, "c"), pair(2, "a")]));
        let vertices: Vec<u32> = strings.build.marks.iter().map(|(_, v)| *v).collect();
        assert_eq!(vertices, [2, 0, 1]);
    }
}
