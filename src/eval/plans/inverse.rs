//! Values found backwards: from a sequence the parts it was put together of, from an implication whose
//! condition is known the value that it asks for.

use super::estimate::{LAST_RESORT, UNKNOWN};
use super::offers::Choice;
use super::plan::{Asked, Case, Pattern, Plan, Planner, Source, Step, tuple_pattern};
use super::pointwise::PointsCode;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::consequences::conjuncts::longest;
use crate::eval::solutions::solve::Action;
use crate::eval::unbuilt::members::MembersFn;
use crate::lower::Test;
use crate::lower::code::{BoolFn, ValueFn};
use crate::lower::env::{Env, Flow};
use crate::lower::stop::{FaultKind, Stop};
use crate::machine::footprint::Footprint;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::source::Span;
use crate::value::{Shape, Value, sequence};
use std::rc::Rc;
use std::sync::Arc;

/// Expected values of a local from which on conditions are asked for the value it has.
const MANY_VALUES: f64 = 64.0;

/// How many of the values of a local those may be that a condition asks for, to be worth asking.
const FEWER: f64 = 0.25;

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

    /// The value that an implication asks of a local where its condition, which is bound, is true; of
    /// several the first. Otherwise its values by its type, or what the solver makes of the rest.
    pub(super) fn by_cases(&self, local: LocalId, plain: &Choice) -> Option<Choice> {
        if plain.cost < MANY_VALUES {
            return None;
        }
        let (mut cases, mut consumed) = (Vec::new(), Vec::new());
        for (i, pred) in self.open_conjuncts(local) {
            let (before, mut asks) = (cases.len(), None);
            match &pred.kind {
                PredKind::Implies(p, q) if self.is_bound_pred(p) => {
                    self.cases_of(local, (p, q), plain, true, &mut cases);
                    asks = Some(&**q);
                }
                PredKind::Iff(p, q) => {
                    for (condition, asked) in [(p, q), (q, p)] {
                        if self.is_bound_pred(condition) {
                            self.cases_of(local, (condition, asked), plain, true, &mut cases);
                        }
                    }
                }
                PredKind::Or(parts) => {
                    let (bound, open): (Vec<&Pred>, Vec<&Pred>) =
                        parts.iter().partition(|p| self.is_bound_pred(p));
                    if let ([asked], [_, ..]) = (&open[..], &bound[..]) {
                        let denied = bound.iter().map(|p| self.compiler.negated(p)).collect();
                        let condition = Pred::and(denied, pred.span);
                        self.cases_of(local, (&condition, asked), plain, true, &mut cases);
                        asks = Some(*asked);
                    }
                }
                PredKind::Exists(ids, body) => {
                    for (condition, asked) in self.asked_within(ids, body, pred.span) {
                        self.cases_of(local, (&condition, &asked), plain, true, &mut cases);
                    }
                }
                _ => {}
            }
            // What asks for more than this value is tested as a whole.
            let only = asks.is_some_and(|p| matches!(p.kind, PredKind::Compare(..)));
            if let ([case], true) = (&mut cases[before..], only) {
                case.conjunct = Some(pred.clone());
                consumed.push(i);
            }
        }
        if cases.is_empty() {
            return None;
        }
        let alone: Vec<Pred> = self.only(local).cloned().collect();
        let steps = vec![plain.step.clone()];
        let otherwise = self.compiler.with_solver(&[local], &alone, self.undefined, Plan { steps });
        let source = Source::Cases(cases, Rc::new(otherwise));
        let step = Step::Generate(Pattern::Local(local), source);
        // Whatever gives finitely many values is better.
        let cost = (0.9 * plain.cost).min(0.9 * LAST_RESORT);
        Some(Choice { cost, step, consumed, binds: vec![local] })
    }

    /// `#x.(S & (p => q))` with `p` bound asks for `#x.(S & q)` where `p` is true.
    fn asked_within(&self, ids: &[LocalId], body: &Pred, span: Span) -> Vec<(Pred, Pred)> {
        let conjuncts = body.conjuncts();
        let mut all = Vec::new();
        for (i, p) in conjuncts.iter().enumerate() {
            if let PredKind::Implies(condition, asked) = &p.kind
                && self.is_bound_pred(condition)
                && Footprint::of_pred(condition).locals.is_disjoint(&ids.iter().copied().collect())
            {
                let mut parts: Vec<Pred> = conjuncts.iter().map(|p| (*p).clone()).collect();
                parts[i] = (**asked).clone();
                let body = Arc::new(Pred::and(parts, body.span));
                let asked = Pred::new(PredKind::Exists(ids.to_vec(), body), span);
                all.push(((**condition).clone(), asked));
            }
        }
        all
    }

    /// What is asked of a local under a condition, as cases; `whole`: by a conjunct, and not by a part of what one asks.
    fn cases_of(
        &self,
        local: LocalId,
        (condition, asked): (&Pred, &Pred),
        plain: &Choice,
        whole: bool,
        cases: &mut Vec<Case>,
    ) {
        let before = cases.len();
        let values = |plan: Rc<Plan>| Case {
            condition: condition.clone(),
            asked: Asked::Values(plan),
            conjunct: None,
        };
        match &asked.kind {
            PredKind::And(parts) => {
                parts
                    .iter()
                    .for_each(|p| self.cases_of(local, (condition, p), plain, false, cases));
            }
            PredKind::Implies(p, q) if self.is_bound_pred(p) => {
                let both = Pred::and(vec![condition.clone(), (**p).clone()], p.span);
                self.cases_of(local, (&both, q), plain, whole, cases);
            }
            PredKind::Exists(..) | PredKind::Or(_) => {
                let plan = self.values_of(local, asked);
                cases.extend(plan.filter(|plan| self.gives_few(plan, plain)).map(values));
                return;
            }
            PredKind::Compare(Comparison::Equal, a, b) => {
                for (x, e) in [(a, b), (b, a)] {
                    if x.kind == ExprKind::Local(local)
                        && self.is_bound(e)
                        && !self.compiler.is_infinite(e)
                    {
                        cases.push(Case {
                            condition: condition.clone(),
                            asked: Asked::Value(e.clone()),
                            conjunct: None,
                        });
                    }
                }
            }
            _ => {}
        }
        // Other parts may bound what this part does not.
        if whole && cases.len() == before && self.has_no_bounds(local) {
            let plan = self.values_of(local, &self.beside(local, asked));
            let helps = |plan: &Rc<Plan>| self.gives_few(plan, plain) || plan.has_solver();
            cases.extend(plan.filter(helps).map(values));
        }
    }

    /// The values that something asks for, where nothing else has to be known.
    fn values_of(&self, local: LocalId, asked: &Pred) -> Option<Rc<Plan>> {
        self.waits_for(asked, local).then(|| self.compiler.plan(&[local], asked, self.undefined))
    }

    fn gives_few(&self, plan: &Plan, plain: &Choice) -> bool {
        !plan.is_unbounded(self.compiler) && self.compiler.plan_cost(plan) < FEWER * plain.cost
    }

    /// Whether a local is no number, between whose bounds the solver looks, and has infinitely many values by its type.
    pub(super) fn has_no_bounds(&self, local: LocalId) -> bool {
        let shape = self.compiler.slot(local).shape;
        shape != Shape::Integer && !shape.is_finite()
    }

    /// What a condition asks of a local, and what is asked of it alone in any case.
    fn beside(&self, local: LocalId, asked: &Pred) -> Pred {
        use PredKind::{Exists, Iff, Implies, Or};
        let in_any_case = |p: &&Pred| !matches!(p.kind, Implies(..) | Iff(..) | Or(_) | Exists(..));
        let others = self.only(local).filter(in_any_case);
        let all = std::iter::once(asked).chain(others).cloned().collect();
        Pred::and(all, asked.span)
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
        let one = Expr::new(ExprKind::Integer(1.into()), Type::Integer, longest.span);
        let kind = ExprKind::Binary(BinaryOp::Interval, Arc::new(one), Arc::new(longest.clone()));
        let lengths = Expr::new(kind, Type::pow(Type::Integer), longest.span);
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
        let one = Expr::new(ExprKind::Integer(1.into()), Type::Integer, length.span);
        let kind = ExprKind::Binary(BinaryOp::Interval, Arc::new(one), Arc::new(length.clone()));
        let numbers = Expr::new(kind, Type::pow(Type::Integer), length.span);
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

/// A case, compiled.
pub(in crate::eval) struct CaseCode {
    condition: BoolFn,
    asked: AskedCode,
    /// The conjunct that it was made of.
    pub(in crate::eval) conjunct: Option<Test>,
}

pub(super) enum AskedCode {
    Value(ValueFn),
    Values(Vec<Action>),
    Points(PointsCode),
}

/// What the first case whose condition is true asks for.
pub(in crate::eval) enum Found<'a> {
    Value(Value),
    Values(&'a [Action]),
}

impl Compiler<'_> {
    pub(in crate::eval) fn case_code(&self, case: &Case, undefined: Undefined) -> CaseCode {
        let asked = match &case.asked {
            Asked::Value(e) => AskedCode::Value(self.kept(e)),
            Asked::Values(plan) => AskedCode::Values(self.actions(plan, undefined)),
            Asked::Points(points) => AskedCode::Points(self.points_code(points)),
        };
        CaseCode {
            condition: self.pred(&case.condition),
            asked,
            conjunct: case.conjunct.as_ref().map(|p| self.test(p)),
        }
    }
}

/// The first case whose condition is true, and what it asks for. One that has no truth value asks for
/// nothing: its conjunct is tested.
pub(in crate::eval) fn asked<'a>(
    cases: &'a [CaseCode],
    env: &mut Env,
) -> Result<Option<(usize, Found<'a>)>, Stop> {
    for (i, case) in cases.iter().enumerate() {
        let found = match (case.condition)(env) {
            Ok(true) => match &case.asked {
                AskedCode::Value(value) => value(env).map(|value| Some(Found::Value(value))),
                AskedCode::Values(actions) => Ok(Some(Found::Values(actions))),
                AskedCode::Points(points) => Ok(points.find(env)?.map(Found::Value)),
            },
            Ok(false) => Ok(None),
            Err(stop) => Err(stop),
        };
        match found {
            Ok(Some(found)) => return Ok(Some((i, found))),
            Ok(None) => {}
            Err(Stop::Fault(_) | Stop::Cut(_)) => env.fault = None,
            Err(stop) => return Err(stop),
        }
    }
    Ok(None)
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
