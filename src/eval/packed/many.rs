//! Sets of numbers, pairs or records that a state holds in several words, at work: what is lowered to
//! [`many`](crate::lower::many).

use super::coded::MOST_ITEMS;
use super::wide;
use crate::eval::compile::{Compiler, Undefined};
use crate::lower::env::Flow;
use crate::lower::many::{BitsFn, CodeFn, ManyField};
use crate::lower::stop::Stop;
use crate::lower::wide::{Asks, HeldAs, Part, What, WideWrite};
use crate::lower::{Grid, Test, Wide, Word, Write};
use crate::machine::{BasicSet, BinaryOp, Expr, ExprKind, UnaryOp, VarId};
use crate::state::Axis;
use crate::value::set::low_bits;
use std::sync::Arc;

fn words_of(axis: &Axis) -> u32 {
    axis.size().div_ceil(64) as u32
}

impl Compiler<'_> {
    /// The field of a set that is read where it stands.
    fn many_field(&self, id: VarId) -> Option<ManyField> {
        ManyField::of(&self.layout, id).filter(|_| self.is_read_in_place(id))
    }

    /// The axis by which a set is held in several words, of the first variable in it.
    fn many_axis(&self, set: &Expr) -> Option<Axis> {
        use BinaryOp::{Difference, Intersection, Union};
        match &set.kind {
            ExprKind::Variable(id) => Some(self.many_field(*id)?.axis),
            ExprKind::Binary(Union | Intersection | Difference, a, b) => {
                self.many_axis(a).or_else(|| self.many_axis(b))
            }
            _ => None,
        }
    }

    /// All that has a code.
    fn whole_axis(&self, axis: &Axis) -> Wide {
        let mut words = vec![u64::MAX; words_of(axis) as usize];
        if let Some(last) = words.last_mut() {
            *last = low_bits((axis.size() as u32 - 1) % 64 + 1);
        }
        Wide::Constant(words.into())
    }

    /// `r : a <-> b`
    pub(super) fn many_relation(&self, r: &Expr, (a, b): (&Expr, &Expr)) -> Option<Test> {
        let axis = self.many_axis(r)?;
        let Axis::Pair(sides) = &axis else { return None };
        let is_whole = self.is_all(a, &sides.0) && self.is_all(b, &sides.1);
        let of = self.many(r, &axis, false)?;
        is_whole.then(|| test(&axis, Asks::Subset(of, self.whole_axis(&axis))))
    }

    /// A set on such an axis. `clipped`: members without a code are left out.
    fn many(&self, set: &Expr, axis: &Axis, clipped: bool) -> Option<Wide> {
        let both = |a: Wide, b: Wide| Box::new((a, b));
        Some(match &set.kind {
            ExprKind::Variable(id) => {
                let field = self.many_field(*id).filter(|field| field.axis == *axis)?;
                Wide::Members(Box::new(field))
            }
            _ if self.is_all(set, axis) => self.whole_axis(axis),
            ExprKind::Empty => Wide::Constant(vec![0; words_of(axis) as usize].into()),
            ExprKind::SetExtension(items) if items.len() <= MOST_ITEMS => {
                let codes: Vec<CodeFn> = items.iter().map(|x| self.code_fn(x, axis)).collect();
                made(move |env, bits| {
                    codes.iter().try_for_each(|code| add(code(env)?, clipped, bits))
                })
            }
            ExprKind::Binary(BinaryOp::Interval, a, b) if matches!(axis, Axis::Interval { .. }) => {
                let (from, to, axis) = (self.word(a), self.word(b), axis.clone());
                made(move |env, bits| {
                    let (from, to) = (from.get(env)? as i64, to.get(env)? as i64);
                    interval((from, to), &axis, clipped, bits)
                })
            }
            ExprKind::Basic(basic @ (BasicSet::Natural | BasicSet::Natural1)) if clipped => {
                let Axis::Interval { .. } = axis else { return None };
                let (low, _) = self.ends_of_basic(*basic)?;
                let axis = axis.clone();
                made(move |_, bits| interval((low, i64::MAX), &axis, true, bits))
            }
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                Wide::Union(both(self.many(a, axis, clipped)?, self.many(b, axis, clipped)?))
            }
            ExprKind::Binary(BinaryOp::Intersection, a, b) => {
                Wide::Intersection(both(self.many(a, axis, clipped)?, self.many(b, axis, true)?))
            }
            ExprKind::Binary(BinaryOp::Difference, a, b) => {
                Wide::Difference(both(self.many(a, axis, clipped)?, self.many(b, axis, true)?))
            }
            ExprKind::Comprehension(locals, pred) if !self.may_be_symbolic(set) => {
                let is_open = self.plan(locals, pred, Undefined::Fault).is_unbounded(self);
                if is_open || self.is_infinite(set) {
                    return None;
                }
                let x = self.locals_on(locals, axis)?;
                let (each, axis) = (self.solve(locals, pred, Undefined::Fault), axis.clone());
                made(move |env, bits| {
                    let flow = each(env, &mut |env| {
                        add(axis.code_of_word(x.get(env)?), clipped, bits)?;
                        Ok(Flow::Continue(()))
                    });
                    flow.map(|_| ())
                })
            }
            _ if self.is_told(set) => {
                let (value, shape) = (self.kept(set), self.shape(&set.ty));
                let axis = axis.clone();
                made(move |env, bits| {
                    let set = value(env)?;
                    for member in shape.members(&set) {
                        env.tick()?;
                        add(axis.code(&member), clipped, bits)?;
                    }
                    Ok(())
                })
            }
            _ => return None,
        })
    }

    /// The code of a member, of the words that it is made of, or else of its value.
    pub(super) fn code_fn(&self, x: &Expr, axis: &Axis) -> CodeFn {
        let mut parts = Vec::new();
        if self.add_parts(x, axis, &mut parts).is_some() {
            return Box::new(move |env| {
                let mut code = Some(0);
                // All of them are evaluated: one that is undefined makes the tuple undefined.
                for (part, axis) in &parts {
                    let own = axis.code_of_word(part.get(env)?);
                    code = code.zip(own).map(|(code, own)| code * axis.size() + own);
                }
                Ok(code)
            });
        }
        let (value, axis) = (self.value(x), axis.clone());
        Box::new(move |env| Ok(axis.code(&value(env)?)))
    }

    /// `x : set`
    pub(super) fn many_member(&self, x: &Expr, set: &Expr) -> Option<Test> {
        let axis = self.many_axis(set)?;
        // What has no code is in no set whose members all have one: so of the set nothing is clipped.
        let of = self.many(set, &axis, false)?;
        Some(test(&axis, Asks::Has(self.code_fn(x, &axis), of)))
    }

    /// `a <: b`, or `a = b`.
    pub(super) fn many_compare(&self, a: &Expr, b: &Expr, subset: bool) -> Option<Test> {
        let axis = self.many_axis(a).or_else(|| self.many_axis(b))?;
        let (left, right) = (self.many(a, &axis, false)?, self.many(b, &axis, subset)?);
        let asks = if subset { Asks::Subset(left, right) } else { Asks::Equal(left, right) };
        Some(test(&axis, asks))
    }

    /// `card(s)`, `max(s)`, `min(s)`
    pub(super) fn many_word(&self, op: UnaryOp, set: &Expr) -> Option<Word> {
        let axis = self.many_axis(set)?;
        let what = match op {
            UnaryOp::Card => What::Card,
            UnaryOp::Max => What::Last,
            UnaryOp::Min => What::First,
            _ => return None,
        };
        let of = self.many(set, &axis, false)?;
        let part = Word::Part(Arc::new(Part::new(of, (Grid::NONE, words_of(&axis)), what)));
        Some(match op {
            UnaryOp::Card => part,
            _ => Word::run(move |env| Ok(axis.word(part.get(env)?))),
        })
    }

    /// `s := e`
    pub(super) fn many_write(&self, id: VarId, e: &Expr) -> Option<Write> {
        let field = self.many_field(id)?;
        let of = self.many(e, &field.axis, false)?;
        let (words, layout) = (words_of(&field.axis), self.layout.clone());
        let held = HeldAs::Members(Box::new(field));
        Some(Write::Wide(Arc::new(WideWrite { of, words, id, layout, held })))
    }
}

fn made(
    f: impl Fn(&mut crate::lower::env::Env, &mut [u64]) -> Result<(), Stop> + Send + Sync + 'static,
) -> Wide {
    let f: BitsFn = Box::new(f);
    Wide::Made(f)
}

fn test(axis: &Axis, asks: Asks) -> Test {
    wide::test(Grid::NONE, words_of(axis), asks)
}

/// Adds a member.
fn add(code: Option<u64>, clipped: bool, bits: &mut [u64]) -> Result<(), Stop> {
    match code {
        Some(code) => bits[(code / 64) as usize] |= 1 << (code % 64),
        None if clipped => {}
        None => return Err(Stop::Overflow),
    }
    Ok(())
}

/// Adds the numbers from one to another.
fn interval(
    (from, to): (i64, i64),
    axis: &Axis,
    clipped: bool,
    bits: &mut [u64],
) -> Result<(), Stop> {
    let Axis::Interval { low, size } = axis else { return Err(Stop::Overflow) };
    let (low, high) = (*low, low + *size as i64 - 1);
    if !clipped && from <= to && (from < low || to > high) {
        return Err(Stop::Overflow);
    }
    (from.max(low)..=to.min(high)).try_for_each(|n| add(Some((n - low) as u64), clipped, bits))
}
