//! Type inference: unification of type terms by union-find, and the constraints it cannot decide yet.
//!
//! A type term is a [`Type`] in which a variable is written as a set number out of the range of
//! real sets (see [`variable`]). So elaborated trees carry their terms in place, and one walk at the
//! end (`finish.rs`) replaces every term by its ground type. No variable and no [`ERROR`] leaves this
//! room.
//!
//! Terms are shared, through variables and as parts of several terms, and may be exponentially larger as
//! trees than they are in memory. So every walk here remembers the places where it was (see [`Place`]),
//! and is linear in what is in memory. The depth of terms and the size of ground types are bounded,
//! since other rooms copy, compare and print them as trees.

use crate::machine::{SetId, Type};
use crate::source::Span;
use crate::syntax::suggest::closest;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

const FIRST_VARIABLE: u32 = 1 << 31;

/// The type of an expression about which an error was reported: it unifies with everything.
pub const ERROR: Type = Type::Set(SetId(u32::MAX));

/// Deepest term that unification follows.
pub const MAX_DEPTH: usize = 500;
/// Largest ground type, counted as a tree.
pub const MAX_SIZE: usize = 2_000;
/// What is smaller is walked again rather than remembered.
const SMALL: usize = 16;

fn variable(number: u32) -> Type {
    Type::Set(SetId(FIRST_VARIABLE + number))
}

fn as_variable(ty: &Type) -> Option<u32> {
    match ty {
        Type::Set(SetId(n)) if *n >= FIRST_VARIABLE && *n != u32::MAX => Some(n - FIRST_VARIABLE),
        _ => None,
    }
}

/// Where a term is: two terms at one place are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Variable(u32),
    /// The address of the parts of a term; it says nothing any more when the term is dropped.
    Parts(usize),
}

/// The address of the parts of a term that has some.
fn address(ty: &Type) -> Option<usize> {
    match ty {
        Type::Pow(t) => Some(Arc::as_ptr(t) as usize),
        Type::Pair(p) => Some(Arc::as_ptr(p) as usize),
        Type::Record(fields) => Some(Arc::as_ptr(fields) as *const () as usize),
        _ => None,
    }
}

/// The place of a term of which the root is known; leaves need none.
fn place(root: Option<u32>, head: Option<&Type>) -> Option<Place> {
    root.map(Place::Variable).or_else(|| head.and_then(address).map(Place::Parts))
}

/// One unification: how much was compared, and what was found to be equal.
#[derive(Default)]
struct Pass {
    steps: usize,
    equal: FxHashSet<(usize, usize)>,
}

impl Pass {
    /// Whether two terms were compared before, or are being compared. Nothing is dropped and made
    /// anew during a unification, so that addresses stay what they are.
    fn is_done(&mut self, a: &Type, b: &Type) -> bool {
        let (Some(a), Some(b)) = (address(a), address(b)) else { return false };
        self.steps += 1;
        a == b || self.steps > SMALL && !self.equal.insert((a, b))
    }
}

/// What is known about an overloaded operator before its operands are.
#[derive(Clone, Debug)]
enum Constraint {
    /// INTEGER or REAL.
    Numeric(Type),
    /// INTEGER, REAL or a set: the operands of `-`.
    NumberOrSet(Type),
    /// `left * right = result`: numbers, or sets and their product.
    Product(Type, Type, Type),
    /// The record has a field of this name and type.
    Field(Type, Arc<str>, Type),
    /// A sequence, or a string: the operands of `size`, `rev` and `^`.
    Listed(Type),
}

/// A constraint that turned out false, or was never decided.
#[derive(Clone, Debug)]
pub struct Conflict {
    pub span: Span,
    pub code: &'static str,
    /// The message, to be followed by the types of the operands.
    pub message: String,
    pub operands: Vec<Type>,
    pub hint: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    Mismatch,
    /// A type that would contain itself.
    Infinite,
    TooDeep,
}

#[derive(Default, Debug)]
pub struct Infer {
    bindings: Vec<Option<Type>>,
    /// Where a variable got its type, for "because of this" notes.
    origins: Vec<Option<Span>>,
    constraints: Vec<(Constraint, Span)>,
    /// Names of the fields accessed; elaborated trees hold indices into this until they are finished.
    fields: Vec<Arc<str>>,
    /// Ground types, with their sizes; `None` where they are too large.
    ground: FxHashMap<Place, Option<(Type, usize)>>,
    /// Keeps the terms whose addresses are in `ground`.
    kept: Vec<Type>,
}

impl Constraint {
    fn operands(&self) -> Vec<Type> {
        match self {
            Constraint::Numeric(t)
            | Constraint::NumberOrSet(t)
            | Constraint::Field(t, _, _)
            | Constraint::Listed(t) => vec![t.clone()],
            Constraint::Product(l, r, _) => vec![l.clone(), r.clone()],
        }
    }

    fn undecided(&self) -> String {
        match self {
            Constraint::Field(_, name, _) => {
                format!("the type of the record with the field `{name}` is never determined")
            }
            Constraint::Listed(_) => {
                "nothing determines whether this is a sequence or a string".to_owned()
            }
            Constraint::Product(..) => "`*` may multiply numbers or sets: nothing determines the \
                types of its operands"
                .to_owned(),
            _ => "`-` may subtract numbers or sets: nothing determines the types of its operands"
                .to_owned(),
        }
    }
}

enum Step {
    Keep,
    Done,
    Failed(String),
}

impl Infer {
    pub fn fresh(&mut self) -> Type {
        self.bindings.push(None);
        self.origins.push(None);
        variable(self.bindings.len() as u32 - 1)
    }

    /// The last variable of a chain, and the term it is bound to.
    fn root(&self, ty: &Type) -> (Option<u32>, Option<Type>) {
        let Some(mut v) = as_variable(ty) else { return (None, Some(ty.clone())) };
        loop {
            match &self.bindings[v as usize] {
                None => return (Some(v), None),
                Some(next) => match as_variable(next) {
                    Some(n) => v = n,
                    None => return (Some(v), Some(next.clone())),
                },
            }
        }
    }

    /// The outermost constructor of a term, when it is known.
    pub fn head(&self, ty: &Type) -> Option<Type> {
        self.root(ty).1
    }

    /// Where the variable behind this term got its type.
    pub fn origin(&self, ty: &Type) -> Option<Span> {
        let mut v = as_variable(ty)?;
        loop {
            if let Some(span) = self.origins[v as usize] {
                return Some(span);
            }
            v = as_variable(self.bindings[v as usize].as_ref()?)?;
        }
    }

    fn bind(&mut self, v: u32, to: Type, span: Span) {
        self.bindings[v as usize] = Some(to);
        self.origins[v as usize].get_or_insert(span);
    }

    /// Makes two terms equal. On failure some variables may be bound already.
    pub fn unify(&mut self, a: &Type, b: &Type, span: Span) -> Result<(), Failure> {
        self.unify_at(a, b, span, 0, &mut Pass::default())
    }

    fn unify_at(
        &mut self,
        a: &Type,
        b: &Type,
        span: Span,
        depth: usize,
        pass: &mut Pass,
    ) -> Result<(), Failure> {
        if depth > MAX_DEPTH {
            return Err(Failure::TooDeep);
        }
        let (va, ta) = self.root(a);
        let (vb, tb) = self.root(b);
        if va.is_some() && va == vb {
            return Ok(());
        }
        match (va, ta, vb, tb) {
            (Some(v), None, Some(w), _) => {
                self.check_occurs(v, &variable(w))?;
                self.bind(v, variable(w), span);
                Ok(())
            }
            (Some(v), None, None, Some(t)) => {
                self.check_occurs(v, &t)?;
                self.bind(v, t, span);
                Ok(())
            }
            (v, Some(t), Some(w), None) => {
                let to = v.map_or(t, variable);
                self.check_occurs(w, &to)?;
                self.bind(w, to, span);
                Ok(())
            }
            (v, Some(ta), w, Some(tb)) => {
                if !pass.is_done(&ta, &tb) {
                    self.unify_heads(&ta, &tb, span, depth + 1, pass)?;
                }
                // Joined only now: a mismatch leaves both sides as they were, for the message. What an error was reported
                // of is equal to everything, also to what it is a part of, and is joined with nothing.
                let are_equal = ta != ERROR && tb != ERROR;
                if let (true, Some(v), Some(w)) = (are_equal, v, w)
                    && self.root(&variable(w)).0 != Some(v)
                {
                    self.bindings[v as usize] = Some(variable(w));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// `depth` is that of the parts.
    fn unify_heads(
        &mut self,
        a: &Type,
        b: &Type,
        span: Span,
        depth: usize,
        pass: &mut Pass,
    ) -> Result<(), Failure> {
        match (a, b) {
            (x, y) if *x == ERROR || *y == ERROR => {
                self.poison(a);
                self.poison(b);
                Ok(())
            }
            (Type::Pow(x), Type::Pow(y)) => self.unify_at(x, y, span, depth, pass),
            (Type::Pair(x), Type::Pair(y)) => {
                self.unify_at(&x.0, &y.0, span, depth, pass)?;
                self.unify_at(&x.1, &y.1, span, depth, pass)
            }
            (Type::Record(x), Type::Record(y)) => {
                if x.len() != y.len() || x.iter().zip(y.iter()).any(|(f, g)| f.0 != g.0) {
                    return Err(Failure::Mismatch);
                }
                for (f, g) in x.iter().zip(y.iter()) {
                    self.unify_at(&f.1, &g.1, span, depth, pass)?;
                }
                Ok(())
            }
            (x, y) if is_leaf(x) && x == y => Ok(()),
            _ => Err(Failure::Mismatch),
        }
    }

    fn check_occurs(&self, v: u32, term: &Type) -> Result<(), Failure> {
        let mut seen = FxHashSet::default();
        let mut todo = vec![term.clone()];
        while let Some(t) = todo.pop() {
            let (root, head) = self.root(&t);
            if root == Some(v) {
                return Err(Failure::Infinite);
            }
            if place(root, head.as_ref()).is_some_and(|p| !seen.insert(p)) {
                continue;
            }
            if let Some(head) = head {
                children(&head, &mut todo);
            }
        }
        Ok(())
    }

    /// Gives the error type to every free variable of a term, so that a reported error is not
    /// reported again as a missing type.
    pub fn poison(&mut self, term: &Type) {
        let mut seen = FxHashSet::default();
        let mut todo = vec![term.clone()];
        while let Some(t) = todo.pop() {
            let (root, head) = self.root(&t);
            if place(root, head.as_ref()).is_some_and(|p| !seen.insert(p)) {
                continue;
            }
            match (root, head) {
                (Some(v), None) => self.bindings[v as usize] = Some(ERROR),
                (_, Some(head)) => children(&head, &mut todo),
                _ => {}
            }
        }
    }

    /// Whether a free variable is left in a term.
    pub fn is_open(&self, term: &Type) -> bool {
        let mut seen = FxHashSet::default();
        let mut todo = vec![term.clone()];
        while let Some(t) = todo.pop() {
            let (root, head) = self.root(&t);
            if place(root, head.as_ref()).is_some_and(|p| !seen.insert(p)) {
                continue;
            }
            match head {
                None => return true,
                Some(head) => children(&head, &mut todo),
            }
        }
        false
    }

    pub fn numeric(&mut self, ty: &Type, span: Span) -> Result<(), Conflict> {
        self.constrain(Constraint::Numeric(ty.clone()), span)
    }

    pub fn number_or_set(&mut self, ty: &Type, span: Span) -> Result<(), Conflict> {
        self.constrain(Constraint::NumberOrSet(ty.clone()), span)
    }

    pub fn product(&mut self, l: &Type, r: &Type, to: &Type, span: Span) -> Result<(), Conflict> {
        self.constrain(Constraint::Product(l.clone(), r.clone(), to.clone()), span)
    }

    /// It is a sequence or a string.
    pub fn listed(&mut self, ty: &Type, span: Span) -> Result<(), Conflict> {
        self.constrain(Constraint::Listed(ty.clone()), span)
    }

    /// The type of a record's field, and the number under which `finish` finds its name.
    pub fn field(
        &mut self,
        of: &Type,
        name: &Arc<str>,
        span: Span,
    ) -> (Type, usize, Result<(), Conflict>) {
        let ty = self.fresh();
        self.fields.push(name.clone());
        let result = self.constrain(Constraint::Field(of.clone(), name.clone(), ty.clone()), span);
        (ty, self.fields.len() - 1, result)
    }

    pub fn field_name(&self, number: usize) -> Option<&Arc<str>> {
        self.fields.get(number)
    }

    fn constrain(&mut self, constraint: Constraint, span: Span) -> Result<(), Conflict> {
        match self.step(&constraint, span) {
            Step::Done => Ok(()),
            Step::Keep => {
                self.constraints.push((constraint, span));
                Ok(())
            }
            Step::Failed(message) => Err(self.failed(&constraint, span, message)),
        }
    }

    /// A constraint that is false: what it speaks of is spoken of no more.
    fn failed(&mut self, constraint: &Constraint, span: Span, message: String) -> Conflict {
        let (operands, hint) = (constraint.operands(), self.hint(constraint));
        self.poison_constraint(constraint);
        Conflict { span, code: "type-mismatch", message, operands, hint }
    }

    /// The field that was probably meant.
    fn hint(&self, constraint: &Constraint) -> Option<String> {
        let Constraint::Field(of, name, _) = constraint else { return None };
        let Some(Type::Record(fields)) = self.head(of) else { return None };
        let close = closest(name, fields.iter().map(|(field, _)| &**field))?;
        Some(format!("did you mean the field `{close}`?"))
    }

    fn poison_constraint(&mut self, constraint: &Constraint) {
        match constraint {
            Constraint::Numeric(t) | Constraint::NumberOrSet(t) | Constraint::Listed(t) => {
                self.poison(t);
            }
            Constraint::Product(a, b, c) => [a, b, c].into_iter().for_each(|t| self.poison(t)),
            Constraint::Field(a, _, b) => [a, b].into_iter().for_each(|t| self.poison(t)),
        }
    }

    fn step(&mut self, constraint: &Constraint, span: Span) -> Step {
        match constraint {
            Constraint::Numeric(t) => match self.head(t) {
                None => Step::Keep,
                Some(Type::Integer | Type::Real) | Some(ERROR) => Step::Done,
                Some(_) => Step::Failed("expected INTEGER or REAL, found ".to_owned()),
            },
            Constraint::NumberOrSet(t) => match self.head(t) {
                None => Step::Keep,
                Some(Type::Integer | Type::Real | Type::Pow(_)) | Some(ERROR) => Step::Done,
                Some(_) => Step::Failed("expected a number or a set, found ".to_owned()),
            },
            Constraint::Product(l, r, to) => self.step_product(l, r, to, span),
            Constraint::Field(of, name, ty) => match self.head(of) {
                None => Step::Keep,
                Some(ERROR) => {
                    self.poison(ty);
                    Step::Done
                }
                Some(Type::Record(fields)) => match fields.iter().find(|(f, _)| f == name) {
                    None => Step::Failed(format!("there is no field `{name}` in a value of type ")),
                    Some((_, t)) => match self.unify(t, ty, span) {
                        Ok(()) => Step::Done,
                        Err(_) => Step::Failed(format!("the field `{name}` has another type in ")),
                    },
                },
                Some(_) => Step::Failed(format!("expected a record with a field `{name}`, found ")),
            },
            Constraint::Listed(t) => match self.head(t) {
                None => Step::Keep,
                Some(Type::String) | Some(ERROR) => Step::Done,
                Some(_) => {
                    let sequence = Type::sequence(self.fresh());
                    match self.unify(t, &sequence, span) {
                        Ok(()) => Step::Done,
                        Err(_) => {
                            Step::Failed("expected a sequence or a string, found ".to_owned())
                        }
                    }
                }
            },
        }
    }

    fn step_product(&mut self, l: &Type, r: &Type, to: &Type, span: Span) -> Step {
        let heads = [self.head(l), self.head(r), self.head(to)];
        if heads.contains(&Some(ERROR)) {
            for t in [l, r, to] {
                self.poison(t);
            }
            return Step::Done;
        }
        if let Some(known) =
            heads.iter().flatten().find(|h| matches!(h, Type::Integer | Type::Real))
        {
            let known = known.clone();
            for t in [l, r, to] {
                if self.unify(t, &known, span).is_err() {
                    return Step::Failed(
                        "`*` needs two numbers of one kind or two sets, found ".to_owned(),
                    );
                }
            }
            return Step::Done;
        }
        if heads.iter().flatten().any(|h| !matches!(h, Type::Pow(_))) {
            return Step::Failed("`*` needs two numbers or two sets, found ".to_owned());
        }
        if heads.iter().all(Option::is_none) {
            return Step::Keep;
        }
        let (a, b) = (self.fresh(), self.fresh());
        let ok = self.unify(l, &Type::pow(a.clone()), span).is_ok()
            && self.unify(r, &Type::pow(b.clone()), span).is_ok()
            && self.unify(to, &Type::relation(a, b), span).is_ok();
        if ok { Step::Done } else { Step::Failed("this product does not fit its use: ".to_owned()) }
    }

    /// Decides every constraint that can be decided. With `last`, numbers of unknown kind become
    /// integers, what may be a string a sequence, and what is left is reported.
    pub fn solve(&mut self, last: bool) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        loop {
            let mut progress = false;
            for (constraint, span) in std::mem::take(&mut self.constraints) {
                match self.step(&constraint, span) {
                    Step::Keep => self.constraints.push((constraint, span)),
                    Step::Done => progress = true,
                    Step::Failed(message) => {
                        progress = true;
                        conflicts.push(self.failed(&constraint, span, message));
                    }
                }
            }
            let again = progress || (last && self.take_usual_ones());
            if !again {
                break;
            }
        }
        if last {
            for (constraint, span) in std::mem::take(&mut self.constraints) {
                // The operands of one just reported are not reported again.
                if !matches!(self.step(&constraint, span), Step::Keep) {
                    continue;
                }
                self.poison_constraint(&constraint);
                let message = constraint.undecided();
                let code = "type-not-determined";
                conflicts.push(Conflict { span, code, message, operands: Vec::new(), hint: None });
            }
        }
        conflicts
    }

    /// Makes numbers of unknown kind integers, and what may be a string a sequence; false when there are none.
    fn take_usual_ones(&mut self) -> bool {
        let mut any = false;
        for i in 0..self.constraints.len() {
            let (constraint, span) = self.constraints[i].clone();
            let (t, usual) = match constraint {
                Constraint::Numeric(t) => (t, Type::Integer),
                Constraint::Listed(t) => (t, Type::sequence(self.fresh())),
                _ => continue,
            };
            if self.head(&t).is_none() {
                any |= self.unify(&t, &usual, span).is_ok();
            }
        }
        any
    }

    /// Drops what is undecided (after a trial that is thrown away).
    pub fn forget_undecided(&mut self) {
        self.constraints.clear();
    }

    /// The ground type of a term; free variables become INTEGER (they stand only in expressions
    /// like `{} = {}`, where any type will do). `None` when the type is too large.
    pub fn ground(&mut self, ty: &Type) -> Option<Type> {
        let (t, size) = self.ground_at(ty, 0)?;
        (size <= MAX_SIZE).then_some(t)
    }

    fn ground_at(&mut self, ty: &Type, depth: usize) -> Option<(Type, usize)> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (root, head) = self.root(ty);
        let place = place(root, head.as_ref());
        if let Some(known) = place.and_then(|p| self.ground.get(&p)) {
            return known.clone();
        }
        let result = self.ground_head(head.as_ref(), depth).filter(|(_, size)| *size <= MAX_SIZE);
        // What is too large is remembered, too: it is shared as often as what is not.
        let large = result.as_ref().is_none_or(|(_, size)| *size > SMALL);
        match place {
            Some(Place::Parts(_)) if !large => {}
            Some(place) => {
                self.ground.insert(place, result.clone());
                self.kept.extend(head);
            }
            None => {}
        }
        result
    }

    fn ground_head(&mut self, head: Option<&Type>, depth: usize) -> Option<(Type, usize)> {
        Some(match head {
            None => (Type::Integer, 1),
            Some(Type::Pow(t)) => {
                let (t, n) = self.ground_at(t, depth + 1)?;
                (Type::pow(t), n + 1)
            }
            Some(Type::Pair(p)) => {
                let (a, n) = self.ground_at(&p.0, depth + 1)?;
                let (b, m) = self.ground_at(&p.1, depth + 1)?;
                (Type::pair(a, b), n + m + 1)
            }
            Some(Type::Record(fields)) => {
                let mut size = 1;
                let mut ground = Vec::with_capacity(fields.len());
                for (name, t) in fields.iter() {
                    let (t, n) = self.ground_at(t, depth + 1)?;
                    size += n;
                    ground.push((name.clone(), t));
                }
                (Type::Record(ground.into()), size)
            }
            // Only in what was dropped: see `Flatten::abstract_variables`.
            Some(&ERROR) => (Type::Integer, 1),
            Some(leaf) => (leaf.clone(), 1),
        })
    }
}

fn is_leaf(ty: &Type) -> bool {
    !matches!(ty, Type::Pow(_) | Type::Pair(_) | Type::Record(_))
}

fn children(ty: &Type, out: &mut Vec<Type>) {
    match ty {
        Type::Pow(t) => out.push((**t).clone()),
        Type::Pair(p) => out.extend([p.0.clone(), p.1.clone()]),
        Type::Record(fields) => out.extend(fields.iter().map(|(_, t)| t.clone())),
        _ => {}
    }
}
