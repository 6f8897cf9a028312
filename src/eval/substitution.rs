//! Substitutions to closures.
//!
//! A substitution reads `Env::state` and the locals, and writes `Env::next` and the written halves of
//! the assigned locals; so both sides of `||` read the old state without further ado. In a sequence
//! the left side's outcome becomes the state that the right side reads. A deterministic substitution
//! is a plain function; a non-deterministic one calls its continuation once for each outcome and
//! undoes its writes in between.

use super::code::{BoolFn, EachFn, Next, Slot, ValueFn};
use super::compile::{Compiler, Undefined};
use super::env::{Env, Flow, Operand};
use super::stop::{FaultKind, Stop};
use crate::machine::footprint::Footprint;
use crate::machine::{Access, Cell, Expr, OpId, Pred, Subst, SubstKind, Target, VarId};
use crate::source::Span;
use crate::state::Coding;
use crate::state::layout::{Layout, put};
use crate::value::{Shape, Value, relation};
use smallvec::SmallVec;
use std::sync::Arc;

/// `false`: not feasible.
pub type StepFn = Box<dyn Fn(&mut Env) -> Result<bool, Stop> + Send + Sync>;
type WriteFn = Box<dyn Fn(&mut Env) -> Result<(), Stop> + Send + Sync>;
/// Stores a value into a target.
type StoreFn = Box<dyn Fn(&mut Env, Value) -> Result<(), Stop> + Send + Sync>;

/// A compiled substitution.
pub enum Body {
    Step(StepFn),
    Each(EachFn),
}

impl Body {
    pub fn is_deterministic(&self) -> bool {
        matches!(self, Body::Step(_))
    }

    pub fn into_each(self) -> EachFn {
        match self {
            Body::Step(step) => {
                Box::new(
                    move |env, next| if step(env)? { next(env) } else { Ok(Flow::Continue(())) },
                )
            }
            Body::Each(each) => each,
        }
    }

    /// Calls `next` for each outcome.
    pub fn run(&self, env: &mut Env, next: Next<'_>) -> Result<Flow, Stop> {
        match self {
            Body::Step(step) => {
                if step(env)? {
                    next(env)
                } else {
                    Ok(Flow::Continue(()))
                }
            }
            Body::Each(each) => each(env, next),
        }
    }
}

/// What has been written, to be put back before the next alternative.
struct Written {
    next: SmallVec<[u64; 8]>,
    locals: SmallVec<[(u64, Value, bool); 2]>,
}

impl Written {
    fn save(env: &Env, assigned: &[Slot]) -> Written {
        let locals = assigned.iter().map(|s| {
            let i = s.index + env.locals;
            (env.words[i], env.values[i].clone(), env.defined[i])
        });
        Written { next: SmallVec::from_slice(&env.next), locals: locals.collect() }
    }

    fn restore(&self, env: &mut Env, assigned: &[Slot]) {
        env.next.copy_from_slice(&self.next);
        for (slot, (word, value, defined)) in assigned.iter().zip(&self.locals) {
            let i = slot.index + env.locals;
            env.words[i] = *word;
            env.values[i] = value.clone();
            env.defined[i] = *defined;
        }
    }
}

/// The readable half of assigned locals and the state, around a sequence.
struct Readable {
    state: SmallVec<[u64; 8]>,
    locals: SmallVec<[(u64, Value, bool); 2]>,
}

impl Readable {
    /// Makes what has been written readable, and keeps what was readable before.
    fn advance(env: &mut Env, assigned: &[Slot]) -> Readable {
        let saved = Readable {
            state: SmallVec::from_slice(&env.state),
            locals: Readable::locals(env, assigned),
        };
        env.state.copy_from_slice(&env.next);
        for slot in assigned {
            let (to, from) = (slot.index, slot.index + env.locals);
            env.words[to] = env.words[from];
            env.values[to] = env.values[from].clone();
            env.defined[to] = env.defined[from];
        }
        saved
    }

    fn locals(env: &Env, assigned: &[Slot]) -> SmallVec<[(u64, Value, bool); 2]> {
        assigned
            .iter()
            .map(|s| (env.words[s.index], env.values[s.index].clone(), env.defined[s.index]))
            .collect()
    }

    fn restore(self, env: &mut Env, assigned: &[Slot]) {
        env.state.copy_from_slice(&self.state);
        for (slot, (word, value, defined)) in assigned.iter().zip(self.locals) {
            env.words[slot.index] = word;
            env.values[slot.index] = value;
            env.defined[slot.index] = defined;
        }
    }
}

/// Both halves of some locals, around a continuation that may run the same code again or that writes
/// what the code before it does not know of.
struct Kept(SmallVec<[(u64, Value, bool); 4]>);

impl Kept {
    fn places(env: &Env, slots: &[Slot]) -> impl Iterator<Item = usize> + use<> {
        let distance = env.locals;
        let indices: SmallVec<[usize; 4]> = slots.iter().map(|s| s.index).collect();
        indices.into_iter().flat_map(move |i| [i, i + distance])
    }

    fn save(env: &Env, slots: &[Slot]) -> Kept {
        Kept(
            Kept::places(env, slots)
                .map(|i| (env.words[i], env.values[i].clone(), env.defined[i]))
                .collect(),
        )
    }

    fn restore(self, env: &mut Env, slots: &[Slot]) {
        for (i, (word, value, defined)) in Kept::places(env, slots).zip(self.0) {
            env.words[i] = word;
            env.values[i] = value;
            env.defined[i] = defined;
        }
    }
}

impl Compiler<'_> {
    /// Compiles a substitution. `guard`: selections still decide whether the operation is enabled, so
    /// that an undefined condition counts as false.
    pub fn subst(&self, s: &Subst, guard: bool) -> Body {
        let span = s.span;
        match &s.kind {
            SubstKind::Skip => Body::Step(Box::new(|_| Ok(true))),
            SubstKind::Assign(pairs) => {
                let writes: Vec<WriteFn> = pairs.iter().map(|(t, e)| self.assign(t, e)).collect();
                Body::Step(all_writes(writes))
            }
            SubstKind::BecomesElement(targets, set) => self.becomes_element(targets, set, s),
            SubstKind::BecomesSuchThat(cells, pred) => self.becomes_such_that(cells, pred, s),
            SubstKind::Parallel(parts) => self.parallel(parts, guard),
            SubstKind::Sequence(parts) => self.sequence(parts, guard),
            SubstKind::Precondition(p, s) => {
                self.conditional_fault(FaultKind::PreconditionFailed, p, s, guard)
            }
            SubstKind::Assert(p, s) => self.conditional_fault(FaultKind::AssertFailed, p, s, guard),
            SubstKind::Choice(parts) => {
                let parts = parts.iter().map(|p| (None, self.subst(p, guard))).collect();
                self.alternatives(parts, None, s)
            }
            SubstKind::If(branches, otherwise) => self.branch(branches, otherwise.as_deref()),
            SubstKind::Select(branches, otherwise) => {
                let parts: Vec<_> = branches
                    .iter()
                    .map(|(p, s)| (Some(self.condition(p, guard)), self.subst(s, guard)))
                    .collect();
                let otherwise = otherwise.as_ref().map(|s| self.subst(s, guard));
                self.alternatives(parts, otherwise, s)
            }
            SubstKind::Case(subject, branches, otherwise) => {
                self.case(subject, branches, otherwise.as_deref())
            }
            SubstKind::Any(locals, p, body) => {
                let undefined = if guard { Undefined::False } else { Undefined::Fault };
                let each = self.solve(locals, p, undefined);
                let body = self.subst(body, guard);
                self.for_each_solution(each, body, s)
            }
            SubstKind::Let(bindings, body) => {
                let bind = self.bindings(bindings);
                match self.subst(body, guard) {
                    Body::Step(body) => Body::Step(Box::new(move |env| {
                        bind(env)?;
                        body(env)
                    })),
                    Body::Each(body) => Body::Each(Box::new(move |env, next| {
                        bind(env)?;
                        body(env, next)
                    })),
                }
            }
            SubstKind::Var(locals, body) => {
                let slots = self.slots(locals);
                let start = move |env: &mut Env| {
                    for slot in &slots {
                        env.defined[slot.index] = false;
                        env.defined[slot.index + env.locals] = false;
                    }
                };
                match self.subst(body, false) {
                    Body::Step(body) => Body::Step(Box::new(move |env| {
                        start(env);
                        body(env)
                    })),
                    Body::Each(body) => Body::Each(Box::new(move |env, next| {
                        start(env);
                        body(env, next)
                    })),
                }
            }
            SubstKind::While { condition, body, invariant, variant, initial } => {
                self.while_loop(Loop { condition, body, invariant, variant, initial }, s)
            }
            SubstKind::Call { operation, arguments, results } => {
                self.call(*operation, arguments, results, span, guard)
            }
        }
    }

    /// The locals that a substitution assigns, called operations included.
    pub fn assigned_in(&self, s: &Subst) -> Arc<[Slot]> {
        let ids = self.footprint(s).assigned;
        ids.into_iter().map(|id| self.slot(id)).collect()
    }

    /// The footprint of a substitution, called operations included.
    pub fn footprint(&self, s: &Subst) -> Footprint {
        let mut all = Footprint::of_subst(s);
        let mut calls = Vec::new();
        called_operations(s, &mut calls);
        for id in calls {
            let operation = self.machine().operation(id);
            let inner = self.footprint(&operation.body);
            all.variables.extend(inner.variables);
            all.constants.extend(inner.constants);
            all.written.extend(inner.written);
            all.locals.extend(inner.locals);
            all.assigned.extend(inner.assigned);
            all.locals.extend(&operation.parameters);
            all.assigned.extend(&operation.results);
        }
        all
    }

    /// A condition; in a guard an undefined one is false, and noted.
    fn condition(&self, p: &Pred, guard: bool) -> BoolFn {
        if !guard {
            return self.pred(p);
        }
        let each = self.solve(&[], p, Undefined::False);
        Box::new(move |env| Ok(each(env, &mut |_| Ok(Flow::Break(())))?.is_break()))
    }

    fn conditional_fault(&self, kind: FaultKind, p: &Pred, s: &Subst, guard: bool) -> Body {
        let (condition, span) = (self.pred(p), p.span);
        let check = move |env: &mut Env| {
            if condition(env)? { Ok(()) } else { Err(env.fault(kind, span, [])) }
        };
        match self.subst(s, guard) {
            Body::Step(body) => Body::Step(Box::new(move |env| {
                check(env)?;
                body(env)
            })),
            Body::Each(body) => Body::Each(Box::new(move |env, next| {
                check(env)?;
                body(env, next)
            })),
        }
    }

    // ----- assignments

    fn assign(&self, target: &Target, e: &Expr) -> WriteFn {
        match (target.cell, &target.path[..]) {
            (Cell::Variable(id), []) => self.assign_variable(id, e),
            (Cell::Variable(id), [Access::Index(x)]) => {
                if let Some(write) = self.assign_field(id, x, e) {
                    return write;
                }
                self.assign_generic(target, e)
            }
            _ => self.assign_generic(target, e),
        }
    }

    fn assign_generic(&self, target: &Target, e: &Expr) -> WriteFn {
        let (store, value) = (self.store(target), self.kept(e));
        Box::new(move |env| {
            let v = value(env)?;
            store(env, v)
        })
    }

    fn assign_variable(&self, id: VarId, e: &Expr) -> WriteFn {
        let layout = self.layout.clone();
        let field = layout.field(id);
        let at = field.at;
        match field.coding {
            Coding::Word { bits } => {
                let e = self.word(e);
                Box::new(move |env| {
                    let w = e(env)?;
                    put(&mut env.next, at, bits, w);
                    Ok(())
                })
            }
            Coding::Integer { low, bits } if !self.exact => {
                let e = self.word(e);
                Box::new(move |env| {
                    let i = e(env)? as i64;
                    let code = i.wrapping_sub(low) as u64;
                    let outside = crate::value::set::low_bits(bits);
                    if i >= low
                        && code < outside
                        && crate::state::layout::get(&env.next, at, bits) != outside
                    {
                        put(&mut env.next, at, bits, code);
                    } else {
                        layout.write(id, &mut env.next, &Value::Int(i), &mut env.interner);
                    }
                    Ok(())
                })
            }
            _ => {
                let e = self.kept(e);
                Box::new(move |env| {
                    let v = e(env)?;
                    layout.write(id, &mut env.next, &v, &mut env.interner);
                    Ok(())
                })
            }
        }
    }

    /// `f(x) := e` for a variable that holds one number for each argument.
    fn assign_field(&self, id: VarId, x: &Expr, e: &Expr) -> Option<WriteFn> {
        let layout = self.layout.clone();
        let field = layout.field(id).clone();
        let Coding::Function { domain, range, .. } = field.coding.clone() else { return None };
        if self.machine().symbolic.variables.contains(&id) {
            return None;
        }
        let (x, e) = (self.value(x), self.value(e));
        Some(Box::new(move |env| {
            let (x, v) = (x(env)?, e(env)?);
            if let (false, Some(i), Some(code)) =
                (field.is_outside(&env.state), domain.code(&x), range.code(&v))
            {
                field.set_result_code(&mut env.next, i, code + 1);
                return Ok(());
            }
            let f = layout.read(id, &env.state, &mut env.interner);
            let f = with_result(&field.shape, &f, x, v);
            layout.write(id, &mut env.next, &f, &mut env.interner);
            Ok(())
        }))
    }

    /// Stores a value into a target, its path included.
    fn store(&self, target: &Target) -> StoreFn {
        let ty = match target.cell {
            Cell::Variable(id) => &self.machine().variable(id).ty,
            Cell::Local(id) => &self.machine().local(id).ty,
        };
        let whole = self.store_cell(target.cell);
        if target.path.is_empty() {
            return whole;
        }
        let old = self.cell(target.cell, target.span);
        let update = self.update(self.shape(ty), &target.path, target.span);
        Box::new(move |env, v| {
            let old = old(env)?;
            let new = update(env, &old, v)?;
            whole(env, new)
        })
    }

    fn store_cell(&self, cell: Cell) -> StoreFn {
        match cell {
            Cell::Variable(id) => {
                let layout: Arc<Layout> = self.layout.clone();
                Box::new(move |env, v| {
                    layout.write(id, &mut env.next, &v, &mut env.interner);
                    Ok(())
                })
            }
            Cell::Local(id) => {
                let slot = self.slot(id);
                Box::new(move |env, v| {
                    let written = slot.index + env.locals;
                    env.defined[written] = true;
                    if slot.word {
                        env.words[written] = super::code::lower(&v)?;
                    } else {
                        env.values[written] = v;
                    }
                    Ok(())
                })
            }
        }
    }

    /// The value that results from replacing what a path leads to.
    #[allow(clippy::type_complexity)]
    fn update(
        &self,
        shape: Shape,
        path: &[Access],
        span: Span,
    ) -> Box<dyn Fn(&mut Env, &Value, Value) -> Result<Value, Stop> + Send + Sync> {
        let Some((access, rest)) = path.split_first() else { return Box::new(|_, _, v| Ok(v)) };
        match access {
            Access::Field(i) => {
                let i = *i;
                let Shape::Record(fields) = &shape else { return Box::new(|_, _, v| Ok(v)) };
                let inner = self.update(fields[i].clone(), rest, span);
                Box::new(move |env, old, v| {
                    let Value::Record(values) = old else { return Ok(v) };
                    let mut values = values.to_vec();
                    values[i] = inner(env, &values[i].clone(), v)?;
                    Ok(Value::Record(values.into()))
                })
            }
            Access::Index(x) => {
                let result_shape = shape.element().sides().1;
                let (x_operand, x) = (Operand::of(x), self.value(x));
                if rest.is_empty() {
                    return Box::new(move |env, old, v| {
                        let x = x(env)?;
                        Compiler::refuse_symbolic(env, old, span)?;
                        Ok(with_result(&shape, old, x, v))
                    });
                }
                let inner = self.update(result_shape, rest, span);
                Box::new(move |env, old, v| {
                    let x = x(env)?;
                    Compiler::refuse_symbolic(env, old, span)?;
                    let Ok(part) = relation::apply(&shape, old, &x) else {
                        return Err(env.fault(
                            FaultKind::AssignOutsideDomain,
                            span,
                            [(&x_operand, x)],
                        ));
                    };
                    let new = inner(env, &part, v)?;
                    Ok(with_result(&shape, old, x, new))
                })
            }
        }
    }

    fn becomes_element(&self, targets: &[Target], set: &Expr, s: &Subst) -> Body {
        let members = self.enumerate_set(set);
        let stores: Vec<StoreFn> = targets.iter().map(|t| self.store(t)).collect();
        let mut element = self.shape(&set.ty).element();
        // The tuple is nested to the left: taken apart from the right.
        let mut splits = Vec::new();
        for _ in 1..targets.len() {
            splits.push(element.clone());
            element = element.sides().0;
        }
        let assigned = self.assigned_in(s);
        Body::Each(Box::new(move |env, next| {
            let before = Written::save(env, &assigned);
            members(env, &mut |env, v| {
                before.restore(env, &assigned);
                let mut rest = v;
                for (i, pair) in splits.iter().enumerate() {
                    let (left, right) = pair.split(&rest);
                    stores[stores.len() - 1 - i](env, right)?;
                    rest = left;
                }
                stores[0](env, rest)?;
                next(env)
            })
        }))
    }

    fn becomes_such_that(
        &self,
        cells: &[(Cell, crate::machine::LocalId)],
        pred: &Pred,
        s: &Subst,
    ) -> Body {
        let locals: Vec<_> = cells.iter().map(|(_, id)| *id).collect();
        let each = self.solve(&locals, pred, Undefined::Fault);
        let writes: Vec<(Slot, StoreFn)> =
            cells.iter().map(|(c, id)| (self.slot(*id), self.store_cell(*c))).collect();
        let step: StepFn = Box::new(move |env| {
            for (slot, store) in &writes {
                let v = slot.get(env);
                store(env, v)?;
            }
            Ok(true)
        });
        self.for_each_solution(each, Body::Step(step), s)
    }

    fn for_each_solution(&self, each: EachFn, body: Body, s: &Subst) -> Body {
        let assigned = self.assigned_in(s);
        Body::Each(Box::new(move |env, next| {
            let before = Written::save(env, &assigned);
            each(env, &mut |env| {
                before.restore(env, &assigned);
                body.run(env, next)
            })
        }))
    }

    // ----- control

    fn branch(&self, branches: &[(Pred, Subst)], otherwise: Option<&Subst>) -> Body {
        let mut parts: Vec<(BoolFn, Body)> =
            branches.iter().map(|(p, s)| (self.pred(p), self.subst(s, false))).collect();
        let last = match otherwise {
            Some(s) => self.subst(s, false),
            None => Body::Step(Box::new(|_| Ok(true))),
        };
        parts.push((self.always(true), last));
        first_that_holds(parts)
    }

    fn case(
        &self,
        subject: &Expr,
        branches: &[(Vec<Expr>, Subst)],
        otherwise: Option<&Subst>,
    ) -> Body {
        let mut parts: Vec<(BoolFn, Body)> = Vec::new();
        for (labels, s) in branches {
            let tests: Vec<BoolFn> = labels.iter().map(|l| self.equal(subject, l)).collect();
            parts.push((super::predicate::junction(tests, true), self.subst(s, false)));
        }
        let last = match otherwise {
            Some(s) => self.subst(s, false),
            None => Body::Step(Box::new(|_| Ok(true))),
        };
        parts.push((self.always(true), last));
        first_that_holds(parts)
    }

    /// CHOICE and SELECT: every alternative whose condition holds, else the last one.
    fn alternatives(
        &self,
        parts: Vec<(Option<BoolFn>, Body)>,
        otherwise: Option<Body>,
        s: &Subst,
    ) -> Body {
        let assigned = self.assigned_in(s);
        if let (1, None) = (parts.len(), &otherwise) {
            let (condition, body) = parts.into_iter().next().expect("one part");
            return match (condition, body) {
                (None, body) => body,
                (Some(c), Body::Step(body)) => {
                    Body::Step(Box::new(move |env| Ok(c(env)? && body(env)?)))
                }
                (Some(c), Body::Each(body)) => Body::Each(Box::new(move |env, next| {
                    if c(env)? { body(env, next) } else { Ok(Flow::Continue(())) }
                })),
            };
        }
        Body::Each(Box::new(move |env, next| {
            let before = Written::save(env, &assigned);
            let mut taken = false;
            for (condition, body) in &parts {
                if let Some(c) = condition
                    && !c(env)?
                {
                    continue;
                }
                if taken {
                    before.restore(env, &assigned);
                }
                taken = true;
                if body.run(env, next)?.is_break() {
                    return Ok(Flow::Break(()));
                }
            }
            match &otherwise {
                Some(body) if !taken => body.run(env, next),
                _ => Ok(Flow::Continue(())),
            }
        }))
    }

    fn parallel(&self, parts: &[Subst], guard: bool) -> Body {
        let bodies: Vec<(Arc<[Slot]>, Body)> = parts
            .iter()
            .map(|p| {
                let body = self.subst(p, guard);
                let body = if has_sequence(p, self) { self.isolated(body, p) } else { body };
                (self.assigned_in(p), body)
            })
            .collect();
        in_turn(bodies)
    }

    /// Runs a substitution that makes its own writes readable so that it does not see what its
    /// parallel neighbours wrote: on a copy, whose written variables are taken over.
    fn isolated(&self, body: Body, s: &Subst) -> Body {
        let layout = self.layout.clone();
        let written: Vec<VarId> = self.footprint(s).written.into_iter().collect();
        Body::Each(Box::new(move |env, next| {
            let outer: SmallVec<[u64; 8]> = SmallVec::from_slice(&env.next);
            env.next.copy_from_slice(&env.state);
            let result = body.run(env, &mut |env| {
                let own: SmallVec<[u64; 8]> = SmallVec::from_slice(&env.next);
                env.next.copy_from_slice(&outer);
                for id in &written {
                    let v = layout.read(*id, &own, &mut env.interner);
                    layout.write(*id, &mut env.next, &v, &mut env.interner);
                }
                let result = next(env);
                env.next.copy_from_slice(&own);
                result
            });
            env.next.copy_from_slice(&outer);
            result
        }))
    }

    fn sequence(&self, parts: &[Subst], guard: bool) -> Body {
        let mut parts = parts
            .iter()
            .enumerate()
            .rev()
            .map(|(i, p)| (self.assigned_in(p), self.subst(p, guard && i == 0)));
        let (mut later, mut rest) = parts.next().expect("a sequence has parts");
        for (assigned, first) in parts {
            let after = rest;
            let written = later.clone();
            later = later.iter().chain(assigned.iter()).cloned().collect();
            rest = match (first, after) {
                (Body::Step(first), Body::Step(after)) => Body::Step(Box::new(move |env| {
                    if !first(env)? {
                        return Ok(false);
                    }
                    let saved = Readable::advance(env, &assigned);
                    let result = after(env);
                    saved.restore(env, &assigned);
                    result
                })),
                (first, after) => Body::Each(Box::new(move |env, next| {
                    let start: SmallVec<[u64; 8]> = SmallVec::from_slice(&env.next);
                    let result = first.run(env, &mut |env| {
                        let kept = Kept::save(env, &written);
                        let saved = Readable::advance(env, &assigned);
                        let result = after.run(env, &mut |env| {
                            // The continuation reads what was readable before the sequence.
                            let inner = (env.state.clone(), Readable::locals(env, &assigned));
                            Readable { state: saved.state.clone(), locals: saved.locals.clone() }
                                .restore(env, &assigned);
                            let result = next(env);
                            Readable { state: SmallVec::from_vec(inner.0), locals: inner.1 }
                                .restore(env, &assigned);
                            result
                        });
                        kept.restore(env, &written);
                        saved.restore(env, &assigned);
                        result
                    });
                    if !matches!(result, Ok(Flow::Break(()))) {
                        env.next.copy_from_slice(&start);
                    }
                    result
                })),
            };
        }
        rest
    }

    fn while_loop(&self, l: Loop<'_>, s: &Subst) -> Body {
        let assigned = self.assigned_in(s);
        let condition = self.pred(l.condition);
        let (invariant, invariant_span) = (self.pred(l.invariant), l.invariant.span);
        let (variant, variant_operand) = (self.value(l.variant), Operand::of(l.variant));
        let initial: Vec<(Slot, ValueFn)> =
            l.initial.iter().map(|(cell, id)| (self.slot(*id), self.cell(*cell, s.span))).collect();
        let body = self.subst(l.body, false);
        let frame: Vec<Slot> = {
            let inside = self.footprint(l.body);
            inside.locals.iter().map(|id| self.slot(*id)).collect()
        };
        // One turn's checks: whether to go round again, and the variant.
        let turn = move |env: &mut Env, last: Option<&Value>| -> Result<Option<Value>, Stop> {
            env.tick()?;
            if !invariant(env)? {
                return Err(env.fault(FaultKind::LoopInvariantFailed, invariant_span, []));
            }
            if !condition(env)? {
                return Ok(None);
            }
            let v = variant(env)?;
            if v < Value::Int(0) {
                return Err(env.fault(
                    FaultKind::VariantNotNatural,
                    variant_operand.span,
                    [(&variant_operand, v)],
                ));
            }
            if last.is_some_and(|last| v >= *last) {
                return Err(env.fault(
                    FaultKind::VariantNotDecreasing,
                    variant_operand.span,
                    [(&variant_operand, v)],
                ));
            }
            Ok(Some(v))
        };
        let start = move |env: &mut Env| -> Result<(), Stop> {
            for (slot, value) in &initial {
                let v = value(env)?;
                slot.set(env, v)?;
            }
            Ok(())
        };
        match body {
            Body::Step(body) => Body::Step(Box::new(move |env| {
                start(env)?;
                let saved = Readable::advance(env, &assigned);
                let mut go = || -> Result<bool, Stop> {
                    let mut last = None;
                    while let Some(v) = turn(env, last.as_ref())? {
                        if !body(env)? {
                            return Ok(false);
                        }
                        let _ = Readable::advance(env, &assigned);
                        last = Some(v);
                    }
                    Ok(true)
                };
                let result = go();
                saved.restore(env, &assigned);
                result
            })),
            Body::Each(body) => Body::Each(Box::new(move |env, next| {
                start(env)?;
                let saved = Readable::advance(env, &assigned);
                let l = Turns { turn: &turn, body: &body, assigned: &assigned, frame: &frame };
                let result = l.run(&saved, None, env, next);
                saved.restore(env, &assigned);
                result
            })),
        }
    }

    fn call(
        &self,
        id: OpId,
        arguments: &[Expr],
        results: &[Target],
        span: Span,
        guard: bool,
    ) -> Body {
        let operation = self.machine().operation(id);
        let arguments: Vec<ValueFn> = arguments.iter().map(|a| self.kept(a)).collect();
        let parameters = self.slots(&operation.parameters);
        let outputs = self.slots(&operation.results);
        let stores: Vec<StoreFn> = results.iter().map(|t| self.store(t)).collect();
        let frame: Vec<Slot> =
            self.footprint(&operation.body).locals.iter().map(|l| self.slot(*l)).collect();
        let frame: Vec<Slot> = frame.into_iter().chain(self.slots(&operation.results)).collect();
        let body = self.subst(&operation.body, guard).into_each();
        Body::Each(Box::new(move |env, next| {
            let values = arguments.iter().map(|a| a(env)).collect::<Result<Vec<_>, _>>()?;
            for (slot, v) in parameters.iter().zip(values) {
                slot.set(env, v)?;
            }
            for slot in &outputs {
                env.defined[slot.index + env.locals] = false;
            }
            body(env, &mut |env| {
                // The continuation may call the same operation again.
                let kept = Kept::save(env, &frame);
                let kept_parameters = Kept::save(env, &parameters);
                for (slot, store) in outputs.iter().zip(&stores) {
                    let written = Slot { index: slot.index + env.locals, ..slot.clone() };
                    if !env.defined[written.index] {
                        return Err(env.fault(FaultKind::ReadBeforeWritten, span, []));
                    }
                    let v = written.get(env);
                    store(env, v)?;
                }
                let result = next(env);
                kept_parameters.restore(env, &parameters);
                kept.restore(env, &frame);
                result
            })
        }))
    }
}

struct Loop<'s> {
    condition: &'s Pred,
    body: &'s Subst,
    invariant: &'s Pred,
    variant: &'s Expr,
    initial: &'s [(Cell, crate::machine::LocalId)],
}

/// One turn's checks, given the variant of the last: the variant, or `None` when the loop ends.
type TurnFn<'a> =
    &'a (dyn Fn(&mut Env, Option<&Value>) -> Result<Option<Value>, Stop> + Send + Sync);

/// The turns of a loop with a non-deterministic body.
struct Turns<'a> {
    turn: TurnFn<'a>,
    body: &'a EachFn,
    assigned: &'a [Slot],
    /// Locals of the body: a further turn runs it again before this one's alternatives are done.
    frame: &'a [Slot],
}

impl Turns<'_> {
    fn run(
        &self,
        outer: &Readable,
        last: Option<&Value>,
        env: &mut Env,
        next: Next<'_>,
    ) -> Result<Flow, Stop> {
        let assigned = self.assigned;
        match (self.turn)(env, last)? {
            None => {
                let inner = Readable {
                    state: SmallVec::from_slice(&env.state),
                    locals: Readable::locals(env, assigned),
                };
                Readable { state: outer.state.clone(), locals: outer.locals.clone() }
                    .restore(env, assigned);
                let result = next(env);
                inner.restore(env, assigned);
                result
            }
            Some(v) => (self.body)(env, &mut |env| {
                let kept = Kept::save(env, self.frame);
                let saved = Readable::advance(env, assigned);
                let result = self.run(outer, Some(&v), env, next);
                saved.restore(env, assigned);
                kept.restore(env, self.frame);
                result
            }),
        }
    }
}

/// `f <+ {x |-> v}`.
fn with_result(shape: &Shape, f: &Value, x: Value, v: Value) -> Value {
    let pairs = shape.element();
    let one = shape.collect([pairs.pair(x, v)]);
    relation::overriding(shape, f, &one)
}

fn all_writes(mut writes: Vec<WriteFn>) -> StepFn {
    if writes.len() == 1 {
        let write = writes.remove(0);
        return Box::new(move |env| write(env).map(|()| true));
    }
    Box::new(move |env| {
        for write in &writes {
            write(env)?;
        }
        Ok(true)
    })
}

fn first_that_holds(parts: Vec<(BoolFn, Body)>) -> Body {
    if parts.iter().all(|(_, b)| b.is_deterministic()) {
        let steps: Vec<(BoolFn, StepFn)> = parts
            .into_iter()
            .filter_map(|(c, b)| match b {
                Body::Step(s) => Some((c, s)),
                Body::Each(_) => None,
            })
            .collect();
        return Body::Step(Box::new(move |env| {
            for (condition, step) in &steps {
                if condition(env)? {
                    return step(env);
                }
            }
            Ok(true)
        }));
    }
    Body::Each(Box::new(move |env, next| {
        for (condition, body) in &parts {
            if condition(env)? {
                return body.run(env, next);
            }
        }
        next(env)
    }))
}

/// Parallel substitutions one after the other: none reads what another wrote.
fn in_turn(bodies: Vec<(Arc<[Slot]>, Body)>) -> Body {
    let mut bodies = bodies.into_iter().rev();
    let (mut later, mut rest) = bodies.next().expect("a parallel substitution has parts");
    for (assigned, first) in bodies {
        let after = rest;
        let written = later.clone();
        later = later.iter().chain(assigned.iter()).cloned().collect();
        rest = match (first, after) {
            (Body::Step(first), Body::Step(after)) => {
                Body::Step(Box::new(move |env| Ok(first(env)? && after(env)?)))
            }
            (first, after) => Body::Each(Box::new(move |env, next| {
                first.run(env, &mut |env| {
                    let kept = Kept::save(env, &written);
                    let result = after.run(env, next);
                    kept.restore(env, &written);
                    result
                })
            })),
        };
    }
    rest
}

/// Whether a substitution makes its own writes readable somewhere.
fn has_sequence(s: &Subst, compiler: &Compiler<'_>) -> bool {
    let mut calls = Vec::new();
    called_operations(s, &mut calls);
    own_sequence(s)
        || calls.iter().any(|id| has_sequence(&compiler.machine().operation(*id).body, compiler))
}

fn own_sequence(s: &Subst) -> bool {
    matches!(s.kind, SubstKind::Sequence(_) | SubstKind::While { .. })
        || parts(s).into_iter().any(own_sequence)
}

fn called_operations(s: &Subst, out: &mut Vec<OpId>) {
    if let SubstKind::Call { operation, .. } = &s.kind {
        out.push(*operation);
    }
    parts(s).into_iter().for_each(|p| called_operations(p, out));
}

/// The substitutions directly inside a substitution.
fn parts(s: &Subst) -> Vec<&Subst> {
    match &s.kind {
        SubstKind::Parallel(ss) | SubstKind::Sequence(ss) | SubstKind::Choice(ss) => {
            ss.iter().collect()
        }
        SubstKind::Precondition(_, s)
        | SubstKind::Assert(_, s)
        | SubstKind::Any(_, _, s)
        | SubstKind::Let(_, s)
        | SubstKind::Var(_, s)
        | SubstKind::While { body: s, .. } => vec![s],
        SubstKind::If(branches, otherwise) | SubstKind::Select(branches, otherwise) => {
            branches.iter().map(|(_, s)| s).chain(otherwise.as_deref()).collect()
        }
        SubstKind::Case(_, branches, otherwise) => {
            branches.iter().map(|(_, s)| s).chain(otherwise.as_deref()).collect()
        }
        SubstKind::Skip
        | SubstKind::Assign(_)
        | SubstKind::BecomesElement(..)
        | SubstKind::BecomesSuchThat(..)
        | SubstKind::Call { .. } => Vec::new(),
    }
}
