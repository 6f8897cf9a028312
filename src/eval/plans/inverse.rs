//! Values found backwards, from equations: from a sequence the parts that it was put together of, from its length the
//! sequence.

use super::estimate::{LAST_RESORT, UNKNOWN};
use super::offers::Choice;
use super::plan::{Pattern, Planner, Source, Step, tuple_pattern};
use crate::eval::compile::Compiler;
use crate::eval::consequences::conjuncts::longest;
use crate::eval::unbuilt::members::MembersFn;
use crate::lower::code::ValueFn;
use crate::lower::env::{Env, Flow};
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::make;
use crate::machine::{BinaryOp, Comparison, Expr, ExprKind, LocalId, PredKind, UnaryOp};
use crate::value::{Shape, Value, sequence};
use std::sync::Arc;

/// A part of a concatenation.
#[derive(Clone, PartialEq, Debug)]
pub enum Part {
    /// A sequence that is known.
    Known(Expr),
    /// A single item that is known.
    Item(Expr),
    /// An item, or a sequence, that is a local; the sequence may stand there backwards.
    Unknown { local: LocalId, item: bool, backwards: bool },
}

impl Planner<'_, '_, '_> {
    /// `p ^ s ^ [x] = e` with `e` bound: the unbound ones come from the ways to cut it.
    pub(super) fn offer_parts(&self, x: &Expr, e: &Expr, offer: &mut dyn FnMut(Choice)) {
        if !self.is_bound(e) || self.compiler.is_infinite(e) || self.compiler.may_be_symbolic(e) {
            return;
        }
        let mut parts = Vec::new();
        if !self.parts(x, false, &mut parts) || parts.len() < 2 {
            return;
        }
        let mut binds: Vec<LocalId> = Vec::new();
        let mut safe = true;
        for part in &parts {
            if let Part::Unknown { local, item, .. } = part {
                if !binds.contains(local) {
                    binds.push(*local);
                }
                safe &= *item || self.is_sequence(*local);
            }
        }
        if binds.is_empty() {
            return;
        }
        // With something that is no sequence the conjunct is undefined, not false: such candidates may
        // only be passed over where another conjunct refutes them, or there is no other way.
        let cost = if safe { UNKNOWN } else { LAST_RESORT };
        let pattern = tuple_pattern(self.compiler, &binds);
        let source = Source::Parts(parts, binds.clone(), e.clone());
        let step = Step::Generate(pattern, source);
        offer(Choice { cost, step, consumed: Vec::new(), binds });
    }

    /// The parts of a concatenation from left to right; whether it is taken apart to the end.
    fn parts(&self, e: &Expr, backwards: bool, out: &mut Vec<Part>) -> bool {
        let mut sequences = |list: &[&Expr]| {
            let mut list = list.to_vec();
            if backwards {
                list.reverse();
            }
            list.into_iter().all(|e| self.parts(e, backwards, out))
        };
        match &e.kind {
            ExprKind::Binary(BinaryOp::Concat, a, b) => sequences(&[a, b]),
            ExprKind::Unary(UnaryOp::Conc, of) => match &of.kind {
                ExprKind::Sequence(items) => sequences(&items.iter().collect::<Vec<_>>()),
                _ => false,
            },
            ExprKind::Binary(op @ (BinaryOp::Append | BinaryOp::Prepend), a, b) => {
                let (whole, item) = if *op == BinaryOp::Append { (a, b) } else { (b, a) };
                match (*op == BinaryOp::Append) != backwards {
                    true => self.parts(whole, backwards, out) && self.item(item, out),
                    false => self.item(item, out) && self.parts(whole, backwards, out),
                }
            }
            ExprKind::Unary(UnaryOp::Reverse, of) => self.parts(of, !backwards, out),
            _ if self.is_bound(e) && !backwards => {
                out.push(Part::Known(e.clone()));
                true
            }
            _ if self.is_bound(e) => {
                let kind = ExprKind::Unary(UnaryOp::Reverse, Arc::new(e.clone()));
                out.push(Part::Known(Expr::new(kind, e.ty.clone(), e.span)));
                true
            }
            ExprKind::Sequence(items) => {
                let mut items: Vec<&Expr> = items.iter().collect();
                if backwards {
                    items.reverse();
                }
                items.into_iter().all(|item| self.item(item, out))
            }
            ExprKind::Local(local) => {
                out.push(Part::Unknown { local: *local, item: false, backwards });
                true
            }
            _ => false,
        }
    }

    fn item(&self, e: &Expr, out: &mut Vec<Part>) -> bool {
        match &e.kind {
            _ if self.is_bound(e) => out.push(Part::Item(e.clone())),
            ExprKind::Local(local) => {
                out.push(Part::Unknown { local: *local, item: true, backwards: false });
            }
            _ => return false,
        }
        true
    }

    /// Whether a conjunct is false of all values of a local that are no sequences.
    fn is_sequence(&self, local: LocalId) -> bool {
        use UnaryOp::{Iseq, Iseq1, Perm, Seq, Seq1};
        self.mentioning(local).any(|p| match &p.kind {
            PredKind::Compare(Comparison::Member, x, set) => {
                x.kind == ExprKind::Local(local)
                    && matches!(set.kind, ExprKind::Unary(Seq | Seq1 | Iseq | Iseq1 | Perm, _))
            }
            _ => false,
        })
    }

    /// The set of sequences that a conjunct says a local is in, with what it is made of.
    fn sequences_of<'s>(
        &'s self,
        s: &Expr,
        local: LocalId,
    ) -> Option<(UnaryOp, &'s Expr, &'s Expr)> {
        use UnaryOp::{Iseq, Iseq1, Seq, Seq1};
        self.mentioning(local).find_map(|p| match &p.kind {
            PredKind::Compare(Comparison::Member, x, set) if x.kind == s.kind => match &set.kind {
                ExprKind::Unary(op @ (Seq | Seq1 | Iseq | Iseq1), of) if self.is_bound(of) => {
                    Some((*op, &**of, set))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// `s : seq(A) & size(s) <= n` with `n` bound, `<`, and the same the other way round.
    pub(super) fn offer_up_to(
        &self,
        op: Comparison,
        a: &Expr,
        b: &Expr,
        offer: &mut dyn FnMut(Choice),
    ) {
        let Some((s, longest)) = longest(op, a, b) else { return };
        let ExprKind::Local(local) = s.kind else { return };
        if self.is_bound(s) || !self.is_bound(longest) {
            return;
        }
        let Some((UnaryOp::Seq | UnaryOp::Seq1, of, set)) = self.sequences_of(s, local) else {
            return;
        };
        let lengths = make::up_to(longest.clone());
        // All of the greatest length, and the shorter ones, of which there are fewer together if there is some choice.
        let choices = self.compiler.estimate(of).max(1.5);
        let cost = 2.0 * choices.powf(self.compiler.estimate(&lengths));
        if cost < super::estimate::UNBOUNDED {
            let step =
                Step::Generate(Pattern::Local(local), Source::UpTo(set.clone(), longest.clone()));
            offer(Choice { cost, step, consumed: Vec::new(), binds: vec![local] });
        }
    }

    /// `s : seq(A) & card(s) = n` with `n` bound: `s : 1..n --> A`.
    pub(super) fn offer_of_length(&self, x: &Expr, length: &Expr, offer: &mut dyn FnMut(Choice)) {
        use UnaryOp::{Card, Seq, Seq1, Size};
        let ExprKind::Unary(Card | Size, s) = &x.kind else { return };
        let ExprKind::Local(local) = &s.kind else { return };
        if self.is_bound(s) || !self.is_bound(length) {
            return;
        }
        let Some((op, of, set)) = self.sequences_of(s, *local) else { return };
        let numbers = make::up_to(length.clone());
        let arrow = match op {
            Seq | Seq1 => BinaryOp::TotalFunctions,
            _ => BinaryOp::TotalInjections,
        };
        let kind = ExprKind::Binary(arrow, Arc::new(numbers), Arc::new(of.clone()));
        let functions = Expr::new(kind, set.ty.clone(), set.span);
        let cost = self.compiler.estimate(&functions);
        if cost < super::estimate::UNBOUNDED {
            let step = Step::Generate(Pattern::Local(*local), Source::Set(functions));
            // The conjunct is tested: the empty one may be none of these.
            offer(Choice { cost, step, consumed: Vec::new(), binds: vec![*local] });
        }
    }
}

/// A part of a concatenation, compiled.
enum Piece {
    Known(ValueFn),
    Item(ValueFn),
    Unknown { at: usize, item: bool, backwards: bool },
}

/// A piece with its items, where they are known.
enum Fixed {
    Items(Vec<Value>),
    Unknown { at: usize, item: bool, backwards: bool },
}

impl Compiler<'_> {
    /// The tuples of the locals with which the parts make up the whole.
    pub(in crate::eval) fn cuts(
        &self,
        parts: &[Part],
        locals: &[LocalId],
        whole: &Expr,
    ) -> MembersFn {
        let pieces: Vec<Piece> = parts
            .iter()
            .map(|part| match part {
                Part::Known(e) => Piece::Known(self.value(e)),
                Part::Item(e) => Piece::Item(self.kept(e)),
                Part::Unknown { local, item, backwards } => Piece::Unknown {
                    at: locals.iter().position(|l| l == local).unwrap_or(0),
                    item: *item,
                    backwards: *backwards,
                },
            })
            .collect();
        let shapes: Vec<Shape> = locals.iter().map(|l| self.slot(*l).shape).collect();
        let (seq, span) = (self.shape(&whole.ty), whole.span);
        let whole = self.value(whole);
        Box::new(move |env, f| {
            let whole = whole(env)?;
            let mut fixed = Vec::new();
            for piece in &pieces {
                fixed.push(match piece {
                    Piece::Known(e) => {
                        let value = e(env)?;
                        match sequence::items(&seq, &value) {
                            Some(items) => Fixed::Items(items),
                            None => return Err(env.fault(FaultKind::NotASequence, span, [])),
                        }
                    }
                    Piece::Item(e) => Fixed::Items(vec![e(env)?]),
                    Piece::Unknown { at, item, backwards } => {
                        Fixed::Unknown { at: *at, item: *item, backwards: *backwards }
                    }
                });
            }
            // A concatenation is a sequence.
            let Some(items) = sequence::items(&seq, &whole) else {
                return Ok(Flow::Continue(()));
            };
            let mut found = vec![None; shapes.len()];
            let mut cut = Cut { seq: &seq, shapes: &shapes, f };
            cut.rest(env, &fixed, &items, &mut found)
        })
    }
}

struct Cut<'c> {
    seq: &'c Shape,
    shapes: &'c [Shape],
    f: &'c mut dyn FnMut(&mut Env, Value) -> Result<Flow, Stop>,
}

impl Cut<'_> {
    /// All ways to make up these items of these pieces.
    fn rest(
        &mut self,
        env: &mut Env,
        pieces: &[Fixed],
        items: &[Value],
        found: &mut Vec<Option<Value>>,
    ) -> Result<Flow, Stop> {
        env.tick()?;
        let Some((piece, rest)) = pieces.split_first() else {
            let whole = found.iter().flatten().cloned().zip(self.shapes.iter().cloned());
            let tuple = whole.reduce(|(left, left_shape), (right, right_shape)| {
                let pairs = Shape::pair_of(left_shape, right_shape);
                (pairs.pair(left, right), pairs)
            });
            return match tuple {
                Some((tuple, _)) if items.is_empty() => (self.f)(env, tuple),
                _ => Ok(Flow::Continue(())),
            };
        };
        let (at, item, backwards) = match piece {
            Fixed::Items(known) => {
                return match items.strip_prefix(&known[..]) {
                    Some(items) => self.rest(env, rest, items, found),
                    None => Ok(Flow::Continue(())),
                };
            }
            Fixed::Unknown { at, item, backwards } => (*at, *item, *backwards),
        };
        let lengths = match (item, rest.is_empty()) {
            (true, _) => 1..=1,
            (false, true) => items.len()..=items.len(),
            (false, false) => 0..=items.len(),
        };
        for length in lengths {
            let Some((own, items)) = items.split_at_checked(length) else { continue };
            let value = match (item, own) {
                (true, [value]) => value.clone(),
                _ => {
                    let mut own = own.to_vec();
                    if backwards {
                        own.reverse();
                    }
                    sequence::from_items(self.seq, own)
                }
            };
            let before = found[at].clone();
            if before.as_ref().is_some_and(|known| *known != value) {
                continue;
            }
            found[at] = Some(value);
            let flow = self.rest(env, rest, items, found);
            found[at] = before;
            if flow?.is_break() {
                return Ok(Flow::Break(()));
            }
        }
        Ok(Flow::Continue(()))
    }
}
