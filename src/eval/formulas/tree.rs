//! Operators on trees.

use crate::eval::compile::Compiler;
use crate::eval::unbuilt::members::{MembersFn, cut_off, ended, is_set_of_trees};
use crate::lower::code::{Code, TestFn, ValueFn};
use crate::lower::env::{Env, Flow, Operand};
use crate::lower::stop::{CutSite, FaultKind, Stop, Within};
use crate::machine::{Expr, TreeOp};
use crate::value::tree::{Order, Tree, construct};
use crate::value::{Shape, Value, sequence};

/// The places of the trees that an enumeration makes: those with at most three nodes.
const SMALL: &[&[&[i64]]] = &[&[&[]], &[&[], &[1]], &[&[], &[1], &[2]], &[&[], &[1], &[1, 1]]];

impl Compiler<'_> {
    /// The value of an operator on trees; sets of trees are refused.
    pub fn tree(&self, op: TreeOp, operands: &[Expr], e: &Expr, shape: Shape) -> Code {
        use TreeOp::*;
        if is_set_of_trees(op) {
            return self.infinite(e.span);
        }
        let span = e.span;
        let shapes: Vec<Shape> = operands.iter().map(|o| self.shape(&o.ty)).collect();
        let described: Vec<Operand> = operands.iter().map(|e| self.operand(e)).collect();
        let values: Vec<ValueFn> = operands.iter().map(|o| self.value(o)).collect();
        self.finish(&shape.clone(), move |env| {
            let v = values.iter().map(|f| f(env)).collect::<Result<Vec<_>, _>>()?;
            let (first, shape_of_first) = (&v[0], &shapes[0]);
            let result = match op {
                Construct => sequence::items(&shapes[1], &v[1]).and_then(|sons| {
                    let sons = sons.iter().map(|s| Tree::read(&shape, s));
                    let sons = sons.collect::<Option<Vec<_>>>()?;
                    Some(construct(&shape, first.clone(), &sons))
                }),
                Leaf => Some(construct(&shape, first.clone(), &[])),
                Node => Tree::read(&shape, first).and_then(|left| {
                    let right = Tree::read(&shape, &v[2])?;
                    Some(construct(&shape, v[1].clone(), &[left, right]))
                }),
                _ => match Tree::read(shape_of_first, first) {
                    Some(tree) => match part(&tree, op, shape_of_first, &v, &shape) {
                        Some(result) => return Ok(result),
                        None => {
                            return Err(refuse(env, FaultKind::OutsideTree, span, &described, v));
                        }
                    },
                    None => None,
                },
            };
            result.ok_or_else(|| refuse(env, FaultKind::NotATree, span, &described, v))
        })
    }

    /// Membership in `tree(S)` and `btree(S)`.
    pub fn tree_test(&self, op: TreeOp, labels: &Expr, set: &Expr) -> TestFn {
        let (shape, label) = (self.shape(&set.ty).element(), self.member_test(labels));
        Box::new(move |env, x| {
            let Some(tree) = Tree::read(&shape, x) else { return Ok(false) };
            if op == TreeOp::BinaryTrees && !tree.is_binary() {
                return Ok(false);
            }
            for x in tree.labels() {
                if !label(env, x)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// The trees of at most three nodes: the enumeration is cut off there.
    pub fn small_trees(&self, op: TreeOp, labels: &Expr, set: &Expr) -> MembersFn {
        let (shape, span) = (self.shape(&set.ty).element(), set.span);
        let (label_shape, labels) = (self.shape(&labels.ty), self.enumerated(labels));
        let small: MembersFn = Box::new(move |env, f| {
            let (labels, cut) = labels(env)?;
            let labels: Vec<Value> = label_shape.members(&labels).collect();
            for places in SMALL {
                if op == TreeOp::BinaryTrees
                    && (places.len() == 2 || places.last() == Some(&&[1, 1][..]))
                {
                    continue;
                }
                if labelled(&shape, places, &labels, &mut Vec::new(), env, f)?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            ended(Ok(Flow::Continue(())), cut)
        });
        cut_off(small, CutSite { span, name: "tree".into(), within: Within::Trees })
    }
}

/// Every way to label these places.
fn labelled(
    shape: &Shape,
    places: &[&[i64]],
    labels: &[Value],
    chosen: &mut Vec<Value>,
    env: &mut Env,
    f: &mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>,
) -> Result<Flow, Stop> {
    env.tick()?;
    if chosen.len() == places.len() {
        return f(env, shape.collect(chosen.iter().cloned()));
    }
    let pairs = shape.element();
    let way = places[chosen.len()].iter().map(|i| Value::Int(*i)).collect();
    let place = sequence::from_items(&pairs.sides().0, way);
    for label in labels {
        chosen.push(pairs.pair(place.clone(), label.clone()));
        let flow = labelled(shape, places, labels, chosen, env, f)?;
        chosen.pop();
        if flow.is_break() {
            return Ok(flow);
        }
    }
    Ok(Flow::Continue(()))
}

/// What an operator takes from a tree; `None` where the tree has no such part.
fn part(tree: &Tree, op: TreeOp, shape: &Shape, v: &[Value], out: &Shape) -> Option<Value> {
    let places = shape.element().sides().0;
    let number = |n: usize| Value::Int(n as i64);
    let list = |order| Some(sequence::from_items(out, tree.list(order)?));
    Some(match op {
        TreeOp::Top => tree.top(),
        TreeOp::Sons => sequence::from_items(out, tree.sons(shape)),
        TreeOp::Prefix => return list(Order::Prefix),
        TreeOp::Infix => return list(Order::Infix),
        TreeOp::Postfix => return list(Order::Postfix),
        TreeOp::Size => number(tree.size()),
        TreeOp::Mirror => tree.mirror(shape),
        TreeOp::Rank => return tree.rank(&places, &v[1]),
        TreeOp::Father => return tree.father(&places, &v[1]),
        TreeOp::Son => return tree.son(&places, &v[1], &v[2]),
        TreeOp::Subtree => return tree.subtree(shape, &v[1]),
        TreeOp::Arity => number(tree.arity(&places, &v[1])?),
        TreeOp::Left | TreeOp::Right => {
            let sons = tree.sons(shape);
            let [left, right] = &sons[..] else { return None };
            if op == TreeOp::Left { left.clone() } else { right.clone() }
        }
        TreeOp::Trees | TreeOp::BinaryTrees | TreeOp::Construct | TreeOp::Leaf | TreeOp::Node => {
            return None;
        }
    })
}

fn refuse(
    env: &mut Env,
    kind: FaultKind,
    span: crate::source::Span,
    operands: &[Operand],
    values: Vec<Value>,
) -> Stop {
    let mut given = operands.iter().zip(values);
    match (given.next(), given.next(), given.next()) {
        (Some(a), None, _) => env.fault(kind, span, [a]),
        (Some(a), Some(b), None) => env.fault(kind, span, [a, b]),
        (Some(a), Some(b), Some(c)) => env.fault(kind, span, [a, b, c]),
        _ => env.fault(kind, span, []),
    }
}
