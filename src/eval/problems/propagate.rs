//! Predicates to problems for the solver, and the solver's questions to closures.
//!
//! What mentions none of the unknowns, nor a name that depends on one, becomes a closure. Sets that are
//! told by their form stay as they are, so that nobody has to build them.

use super::given::isolated;
use super::scope::Scoped;
use crate::constraint::Problem;
use crate::constraint::sketch::{Collect, Formula, Sketch, Term, Unknown};
use crate::eval::compile::Compiler;
use crate::eval::plans::plan::{Solve, Step};
use crate::eval::solutions::propagation::{Codes, Propagation};
use crate::eval::solutions::tested::{Next, is_same};
use crate::machine::footprint::Footprint;
use crate::machine::make;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, Fold, LocalId, Pred, PredKind, Type, UnaryOp,
};
use crate::value::relation::Arrow;
use crate::value::{IndexKind, Shape};
use std::borrow::Borrow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Largest universe of which the solver looks at each member.
const LARGEST_UNIVERSE: u128 = 4096;

impl Compiler<'_> {
    /// Whether the solver can picture a local by its type, or by what conjuncts say of it.
    pub(in crate::eval) fn is_picturable<P: Borrow<Pred>>(
        &self,
        local: LocalId,
        conjuncts: &[P],
    ) -> bool {
        let shape = self.slot(local).shape;
        let counts = |e: &Expr| match &e.kind {
            ExprKind::Unary(UnaryOp::Card, of) => of.kind == ExprKind::Local(local),
            _ => false,
        };
        is_small(&shape)
            || is_sketchable(&shape)
                && conjuncts.iter().any(|p| match &p.borrow().kind {
                    PredKind::Compare(_, a, b) if counts(a) || counts(b) => true,
                    PredKind::Compare(Comparison::Member | Comparison::Subset, x, set) => {
                        x.kind == ExprKind::Local(local) && !self.is_whole_type(set)
                    }
                    PredKind::Compare(Comparison::Equal, a, b) => {
                        [a, b].iter().any(|e| e.kind == ExprKind::Local(local))
                    }
                    _ => false,
                })
    }

    /// The problem of finding what a step asks for.
    pub(in crate::eval) fn propagation(&self, solve: &Solve) -> Propagation {
        let Solve { locals, conjuncts, told, otherwise } = solve;
        // What cannot be compiled is told where the conjuncts are compiled as tests.
        let problems = self.problems.borrow().len();
        let open = locals.iter().copied().collect();
        let wide = self.wide_sets(locals, conjuncts);
        let long = self.long_functions(locals, conjuncts);
        let codes = Codes::default();
        let bases = self.bases(locals, conjuncts);
        let mut sketcher = Sketcher { compiler: self, open, wide, long, bases, told, codes };
        let unknowns = locals.iter().map(|id| sketcher.unknown(*id, conjuncts)).collect();
        let mentions = conjuncts.iter().map(|p| {
            let mentioned = Footprint::of_pred(p).locals;
            (0..locals.len()).filter(|i| mentioned.contains(&locals[*i])).collect()
        });
        let mentions = mentions.collect();
        // What a state bounds may be larger in the next one, and so on.
        let beyond = conjuncts.iter().all(|p| Footprint::of_pred(p).variables.is_empty());
        let next = Next::default();
        let is_test = |p: &Pred| {
            next.find(&otherwise.steps, |step| matches!(step, Step::Test(test) if is_same(test, p)))
        };
        let tested = conjuncts.iter().map(|p| is_test(p).is_some()).collect();
        let conjuncts = conjuncts.iter().map(|p| sketcher.conjunct(p)).collect();
        let codes = sketcher.codes;
        self.problems.borrow_mut().truncate(problems);
        let limits = (self.instance.min_int, self.instance.max_int);
        let candidates = self.plan_cost(otherwise);
        Propagation {
            problem: Problem { unknowns, conjuncts, mentions, tested, limits, beyond, candidates },
            codes,
            unknowns: self.slots(locals),
            record: self.record(solve),
        }
    }
}

/// Values that have a picture whatever is known of them.
fn is_small(shape: &Shape) -> bool {
    match shape {
        Shape::Integer => true,
        Shape::Index(u) => match &u.kind {
            IndexKind::Subset(of) => of.size <= LARGEST_UNIVERSE,
            _ => true,
        },
        Shape::Bits(of) => of.size <= LARGEST_UNIVERSE,
        Shape::Pair(sides) => is_small(&sides.0) && is_small(&sides.1),
        Shape::Record(fields) => fields.iter().all(is_small),
        Shape::Set(_) | Shape::Real | Shape::String | Shape::Free(_) => false,
    }
}

/// Values that have a picture where there is a set that they are members of.
fn is_sketchable(shape: &Shape) -> bool {
    match shape {
        Shape::Set(_) | Shape::String => true,
        Shape::Pair(sides) => is_sketchable(&sides.0) && is_sketchable(&sides.1),
        Shape::Record(fields) => fields.iter().all(is_sketchable),
        Shape::Real | Shape::Free(_) => false,
        Shape::Integer | Shape::Index(_) | Shape::Bits(_) => is_small(shape),
    }
}

pub(super) struct Sketcher<'c, 'a> {
    pub(super) compiler: &'c Compiler<'a>,
    /// The unknowns, and names whose values depend on them.
    pub(super) open: BTreeSet<LocalId>,
    /// The unknowns that are sets which may have very many members.
    pub(super) wide: BTreeSet<LocalId>,
    /// The unknowns that are functions with many results at each point.
    long: BTreeSet<LocalId>,
    /// Sets of which those of the unknowns that are sets are subsets.
    pub(super) bases: Vec<(LocalId, Expr)>,
    /// The functions that are known, as they are told.
    told: &'c [(LocalId, Expr)],
    pub(super) codes: Codes,
}

impl<'c> Sketcher<'c, '_> {
    pub(super) fn unknown(&mut self, local: LocalId, conjuncts: &[Pred]) -> Unknown {
        let declared = self.compiler.machine().local(local);
        let (mut equals, mut members) = (Vec::new(), Vec::new());
        for (i, conjunct) in conjuncts.iter().enumerate() {
            let PredKind::Compare(op, a, b) = &conjunct.kind else { continue };
            let is_it = |e: &Expr| e.kind == ExprKind::Local(local);
            match op {
                Comparison::Equal if is_it(a) => equals.push(self.expr(b)),
                Comparison::Equal if is_it(b) => equals.push(self.expr(a)),
                Comparison::Member if is_it(a) => members.push((i, self.expr(b))),
                Comparison::Subset if is_it(a) => {
                    let shape = self.compiler.shape(&Type::pow(b.ty.clone()));
                    let term = Term::Unary(UnaryOp::Pow, Box::new(self.base(b)));
                    members.push((i, Sketch { term, shape, span: b.span }));
                }
                _ => {}
            }
        }
        Unknown {
            local,
            name: declared.name.clone(),
            span: declared.span,
            shape: self.compiler.slot(local).shape,
            equals,
            members,
        }
    }

    pub(super) fn is_closed_expr(&self, e: &Expr) -> bool {
        Footprint::of_expr(e).locals.is_disjoint(&self.open)
    }

    pub(super) fn is_closed(&self, p: &Pred) -> bool {
        Footprint::of_pred(p).locals.is_disjoint(&self.open)
    }

    fn closed_value(&mut self, e: &Expr) -> Term {
        self.codes.values.push(self.compiler.kept(e));
        Term::Closed(self.codes.values.len() - 1)
    }

    fn closed_truth(&mut self, p: &Pred) -> Formula {
        self.codes.truths.push(self.compiler.pred(p));
        Formula::Closed(self.codes.truths.len() - 1)
    }

    fn exprs(&mut self, es: &[Expr]) -> Vec<Sketch> {
        es.iter().map(|e| self.expr(e)).collect()
    }

    pub(super) fn boxed(&mut self, e: &Expr) -> Box<Sketch> {
        Box::new(self.expr(e))
    }

    pub(super) fn expr(&mut self, e: &Expr) -> Sketch {
        crate::clock::work(1);
        Sketch { term: self.term(e), shape: self.compiler.shape(&e.ty), span: e.span }
    }

    /// A set whose subsets are asked for: of functions or of sets its members, where they are known and few.
    fn base(&mut self, e: &Expr) -> Sketch {
        let is_told = match &e.kind {
            ExprKind::Binary(op, ..) => Arrow::from_op(*op).is_some(),
            ExprKind::Unary(op, _) => is_powers(*op),
            _ => false,
        };
        if is_told
            && self.is_closed_expr(e)
            && !self.compiler.is_infinite(e)
            && !self.compiler.may_be_symbolic(e)
            && self.compiler.estimate(e) <= LARGEST_UNIVERSE as f64
        {
            let term = self.closed_value(e);
            return Sketch { term, shape: self.compiler.shape(&e.ty), span: e.span };
        }
        self.expr(e)
    }

    fn term(&mut self, e: &Expr) -> Term {
        match &e.kind {
            ExprKind::Basic(basic) => return Term::Basic(*basic),
            ExprKind::Binary(op, a, b) if is_form(*op) => {
                return Term::Binary(*op, self.boxed(a), self.boxed(b));
            }
            ExprKind::Unary(op, a) if is_powers(*op) => {
                return Term::Unary(*op, Box::new(self.base(a)));
            }
            ExprKind::Struct(sets) => return Term::Struct(self.exprs(sets)),
            _ if self.compiler.is_whole_type(e) => return Term::Universe,
            _ => {}
        }
        if !self.compiler.is_infinite(e) && self.is_closed_expr(e) {
            return match self.compiler.may_be_symbolic(e) {
                true => Term::Opaque,
                false => self.closed_value(e),
            };
        }
        match &e.kind {
            ExprKind::Local(id) => Term::Unknown(*id),
            ExprKind::Binary(BinaryOp::Apply, f, x) if let Some(told) = self.told(f) => {
                self.applied(told, x)
            }
            ExprKind::Binary(BinaryOp::Image, f, set)
                if (self.compiler.may_be_symbolic(f) || self.compiler.is_endless(f))
                    && let Some(image) = self.image(f, set) =>
            {
                image
            }
            ExprKind::Binary(BinaryOp::Apply, f, x) if let Some((r, n)) = iterated(f) => {
                let once = |x: Expr| {
                    let kind = ExprKind::Binary(BinaryOp::Apply, Arc::new(r.clone()), Arc::new(x));
                    Expr::new(kind, e.ty.clone(), e.span)
                };
                let times = (0..n).fold((**x).clone(), |x, _| once(x));
                self.term(&times)
            }
            _ if let Some((r, n)) = iterated(e) => {
                let more = |left: Expr| {
                    let kind =
                        ExprKind::Binary(BinaryOp::Compose, Arc::new(left), Arc::new(r.clone()));
                    Expr::new(kind, e.ty.clone(), e.span)
                };
                let times = (1..n).fold(r.clone(), |left, _| more(left));
                self.term(&times)
            }
            ExprKind::Unary(op, a) => Term::Unary(*op, self.boxed(a)),
            ExprKind::Binary(op, a, b) => Term::Binary(*op, self.boxed(a), self.boxed(b)),
            ExprKind::SetExtension(items) => Term::Extension(self.exprs(items)),
            ExprKind::Sequence(items) => Term::Sequence(self.exprs(items)),
            ExprKind::Record(fields) => Term::Record(self.exprs(fields)),
            ExprKind::Field(record, n) => Term::Field(self.boxed(record), *n),
            ExprKind::BoolOf(p) => Term::Truth(Box::new(self.formula(p))),
            ExprKind::If(c, a, b) => {
                Term::If(Box::new(self.formula(c)), self.boxed(a), self.boxed(b))
            }
            ExprKind::Let(bindings, body) => {
                let bindings = self.bindings(bindings);
                Term::Let(bindings, self.boxed(body))
            }
            ExprKind::Comprehension(ids, p) => {
                let body = self.tuple(ids);
                let (ids, p) = self.with_its_witnesses(ids, p);
                self.collect(Collect::Set, (&ids, &p), &body, &e.ty)
            }
            ExprKind::Fold(fold, ids, p, body) => match fold {
                Fold::Sigma => self.collect(Collect::Sum, (ids, p), body, &e.ty),
                Fold::Pi => self.collect(Collect::Product, (ids, p), body, &e.ty),
                Fold::Union => match &body.kind {
                    ExprKind::SetExtension(items) if items.len() == 1 => {
                        self.collect(Collect::Set, (ids, p), &items[0], &e.ty)
                    }
                    _ => self.collect(Collect::Union, (ids, p), body, &e.ty),
                },
                Fold::Image => self.collect(Collect::Set, (ids, p), body, &e.ty),
                Fold::Lambda => {
                    let pair = make::pair(self.tuple(ids), (**body).clone());
                    self.collect(Collect::Set, (ids, p), &pair, &e.ty)
                }
                Fold::Inter | Fold::Greatest | Fold::Least => Term::Opaque,
            },
            _ => Term::Opaque,
        }
    }

    /// How a function is told that says itself what it is at a point, or is known.
    pub(super) fn told<'f>(&self, f: &'f Expr) -> Option<&'f Expr>
    where
        'c: 'f,
    {
        match &f.kind {
            ExprKind::Fold(Fold::Lambda, ..) => Some(f),
            ExprKind::Binary(BinaryOp::Projection1 | BinaryOp::Projection2, ..) => Some(f),
            ExprKind::Local(id) => {
                self.told.iter().find(|(known, _)| known == id).map(|(_, told)| told)
            }
            _ => None,
        }
    }

    /// A lambda or a projection, of an argument that is not known: what its body says of it.
    fn applied(&mut self, f: &Expr, x: &Expr) -> Term {
        match &f.kind {
            ExprKind::Fold(Fold::Lambda, ids, p, body) => {
                let mut bindings = Vec::new();
                let mut rest = x.clone();
                for id in ids[1..].iter().rev() {
                    let (left, right) = sides_of(&rest);
                    bindings.push((*id, right));
                    rest = left;
                }
                bindings.push((ids[0], rest));
                bindings.reverse();
                let bindings = self.bindings(&bindings);
                Term::Given(bindings, Box::new(self.formula(p)), self.boxed(body))
            }
            ExprKind::Binary(op, a, b) => {
                let pairs = ExprKind::Binary(BinaryOp::Product, a.clone(), b.clone());
                let pairs = Expr::new(pairs, Type::pow(x.ty.clone()), f.span);
                let inside = PredKind::Compare(Comparison::Member, x.clone(), pairs);
                let inside = self.formula(&Pred::new(inside, x.span));
                let (left, right) = sides_of(x);
                let side = if *op == BinaryOp::Projection1 { left } else { right };
                Term::Given(Vec::new(), Box::new(inside), self.boxed(&side))
            }
            _ => Term::Opaque,
        }
    }

    /// The tuple of these locals.
    fn tuple(&self, ids: &[LocalId]) -> Expr {
        let local = |id: &LocalId| {
            let declared = self.compiler.machine().local(*id);
            Expr::new(ExprKind::Local(*id), declared.ty.clone(), declared.span)
        };
        let mut rest = ids.iter();
        let first = local(rest.next().expect("a comprehension binds a name"));
        rest.fold(first, |left, id| make::pair(left, local(id)))
    }

    /// The names of a comprehension and its predicate, with the names of the quantifiers in it that give one of them
    /// its value or tell what it is in: `{x | #i.(i : S & x = e(i))}` and `{x | #i.(i |-> x : r)}` are collected over
    /// `i`. The set is the same, as each member counts once.
    fn with_its_witnesses(&self, ids: &[LocalId], p: &Pred) -> (Vec<LocalId>, Pred) {
        let said = |id: LocalId| {
            let mut beside =
                p.conjuncts().iter().filter(|p| !matches!(p.kind, PredKind::Exists(..)));
            beside.any(|p| Footprint::of_pred(p).locals.contains(&id))
        };
        let gives = |q: &Pred, bound: &[LocalId]| {
            q.conjuncts().iter().any(|conjunct| match &conjunct.kind {
                PredKind::Compare(Comparison::Equal, a, b) => {
                    let values = [(a, b), (b, a)].into_iter();
                    let mut values =
                        values.flat_map(|(x, e)| ids.iter().filter_map(|id| isolated(*id, x, e)));
                    values.any(|e| {
                        let locals = Footprint::of_expr(&e).locals;
                        !ids.iter().any(|id| locals.contains(id))
                            && bound.iter().any(|id| locals.contains(id))
                    })
                }
                // Nothing else says between which values it is.
                PredKind::Compare(Comparison::Member, x, set) => {
                    let (own, of) = (Footprint::of_expr(x).locals, Footprint::of_expr(set).locals);
                    let waits = |id: &LocalId| own.contains(id) && !said(*id);
                    ids.iter().any(waits) && ids.iter().all(|id| !of.contains(id))
                }
                _ => false,
            })
        };
        let (mut all, mut parts) = (ids.to_vec(), Vec::new());
        for conjunct in p.conjuncts() {
            match &conjunct.kind {
                PredKind::Exists(bound, q) if gives(q, bound) => {
                    all.extend(bound);
                    parts.push((**q).clone());
                }
                _ => parts.push(conjunct.clone()),
            }
        }
        (all, Pred::and(parts, p.span))
    }

    fn collect(
        &mut self,
        what: Collect,
        (ids, p): (&[LocalId], &Pred),
        body: &Expr,
        ty: &Type,
    ) -> Term {
        let scope = self.scope(ids, p);
        let by_values = self.collected(what, scope, body);
        let open = self.open.clone();
        // What is added up has a number at each point: that is one term instead of one for each number.
        let is_long = matches!(what, Collect::Sum | Collect::Product)
            && !Footprint::of_pred(p).locals.is_disjoint(&self.long);
        let wide = self.wide.clone();
        if is_long {
            self.wide.extend(&self.long);
        }
        let items = self.scope_of_items(ids, p);
        self.wide = wide;
        let is_either = items.is_some();
        let by_items = self.collected(what, items, body);
        self.open = open;
        if !is_either {
            return by_values;
        }
        let sketch = |term| {
            let shape = self.compiler.shape(ty);
            Box::new(Sketch { term, shape, span: body.span })
        };
        match is_long {
            true => Term::Otherwise(sketch(by_items), sketch(by_values)),
            false => Term::Otherwise(sketch(by_values), sketch(by_items)),
        }
    }

    fn collected(&mut self, what: Collect, scope: Option<Scoped>, body: &Expr) -> Term {
        let Some((scope, rest)) = scope else { return Term::Opaque };
        let guard = Formula::And(rest.iter().map(|p| self.formula(p)).collect());
        Term::Collect(what, scope, Box::new(guard), self.boxed(body))
    }

    pub(super) fn bindings(&mut self, bindings: &[(LocalId, Expr)]) -> Vec<(LocalId, Sketch)> {
        let mut all = Vec::new();
        for (id, e) in bindings {
            let sketch = self.expr(e);
            if matches!(sketch.term, Term::Closed(_)) {
                self.codes.slots.insert(*id, self.compiler.slot(*id));
            } else {
                self.open.insert(*id);
            }
            all.push((*id, sketch));
        }
        all
    }

    pub(super) fn formula(&mut self, p: &Pred) -> Formula {
        crate::clock::work(1);
        let list = |this: &mut Self, ps: &[Pred]| ps.iter().map(|p| this.formula(p)).collect();
        if self.is_closed(p) {
            return self.closed_truth(p);
        }
        match &p.kind {
            PredKind::True => Formula::And(Vec::new()),
            PredKind::False => Formula::Or(Vec::new()),
            PredKind::And(ps) => Formula::And(list(self, ps)),
            PredKind::Or(ps) => Formula::Or(list(self, ps)),
            PredKind::Not(p) => Formula::Not(Box::new(self.formula(p))),
            PredKind::Implies(p, q) => {
                let denied = Formula::Not(Box::new(self.formula(p)));
                Formula::Or(vec![denied, self.formula(q)])
            }
            PredKind::Iff(p, q) => {
                Formula::Iff(Box::new(self.formula(p)), Box::new(self.formula(q)))
            }
            PredKind::If(c, p, q) => {
                let [c, p, q] = [c, p, q].map(|p| Box::new(self.formula(p)));
                Formula::If(c, p, q)
            }
            PredKind::Let(bindings, p) => {
                let bindings = self.bindings(bindings);
                Formula::Let(bindings, Box::new(self.formula(p)))
            }
            PredKind::Compare(op, a, b)
                if let Some(simpler) = self.compiler.simpler(*op, (a, b), p.span) =>
            {
                self.formula(&simpler)
            }
            PredKind::Compare(op, a, b) => Formula::Compare(*op, self.expr(a), self.expr(b)),
            PredKind::Forall(..) | PredKind::Exists(..)
                if let Some(each) = self.compiler.of_each_listed(p) =>
            {
                let all = Formula::And(list(self, &each.parts));
                let said = match p.kind {
                    PredKind::Exists(..) => Formula::Not(Box::new(all)),
                    _ => all,
                };
                each.partial.into_iter().fold(said, |said, member| {
                    Formula::Let(self.bindings(&[(each.id, member)]), Box::new(said))
                })
            }
            PredKind::Forall(ids, inside, _) | PredKind::Exists(ids, inside) => {
                let scope = self.scope(ids, inside);
                let by_values = self.quantified(p, scope);
                let open = self.open.clone();
                let items = self.scope_of_items(ids, inside);
                let is_either = items.is_some();
                let by_items = self.quantified(p, items);
                self.open = open;
                match is_either {
                    true => Formula::Otherwise(Box::new(by_values), Box::new(by_items)),
                    false => by_values,
                }
            }
            PredKind::Partition(whole, parts) => {
                Formula::Partition(self.expr(whole), self.exprs(parts))
            }
            PredKind::Finite(_) => Formula::Opaque,
        }
    }
}

/// Both sides of a pair.
pub(super) fn sides_of(e: &Expr) -> (Expr, Expr) {
    if let ExprKind::Binary(BinaryOp::Pair, a, b) = &e.kind {
        return ((**a).clone(), (**b).clone());
    }
    let Type::Pair(types) = &e.ty else { unreachable!("a pair has the type of one: {e:?}") };
    let side =
        |op, ty: &Type| Expr::new(ExprKind::Unary(op, Arc::new(e.clone())), ty.clone(), e.span);
    (side(UnaryOp::First, &types.0), side(UnaryOp::Second, &types.1))
}

fn is_form(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Interval | BinaryOp::Product) || Arrow::from_op(op).is_some()
}

fn is_powers(op: UnaryOp) -> bool {
    use UnaryOp::*;
    matches!(op, Pow | Pow1 | Fin | Fin1 | Seq | Seq1 | Iseq | Iseq1 | Perm)
}

/// Most times that a relation is iterated step by step.
const MOST_STEPS: usize = 32;

/// A relation that is iterated, and how often, if that is a number which is not large.
fn iterated(e: &Expr) -> Option<(&Expr, usize)> {
    let ExprKind::Binary(BinaryOp::Iterate, r, n) = &e.kind else { return None };
    let ExprKind::Integer(n) = &n.kind else { return None };
    let n = usize::try_from(n).ok()?;
    (1..=MOST_STEPS).contains(&n).then_some((&**r, n))
}
