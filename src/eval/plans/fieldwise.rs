//! Records that are told field by field: `r : struct(n : NATURAL, s : POW(T)) & r'n = 3 & r'm = {r'n}`.
//!
//! Each field has the value that an equation gives it, in which other fields may stand that have one, or else the set that a
//! conjunct says it is in.

use super::offers::Choice;
use super::plan::{Pattern, Planner, Source, Step};
use crate::machine::{Comparison, Expr, ExprKind, LocalId, Pred, PredKind, Type, rewrite};

/// What is known of a field.
#[derive(Clone)]
enum Field {
    Value(Expr),
    Within(Expr),
}

impl Planner<'_, '_, '_> {
    /// The record that equations tell, or the records with fields of these sets; `None` where a field is not told.
    pub(super) fn by_fields(&self, local: LocalId) -> Option<Choice> {
        let declared = self.compiler.machine().local(local);
        let Type::Record(fields) = &declared.ty else { return None };
        let conjuncts: Vec<&Pred> = self.open_conjuncts(local).map(|(_, p)| p).collect();
        let mut told: Vec<Option<Field>> = vec![None; fields.len()];
        // A field may wait for others.
        while conjuncts.iter().any(|p| self.add_value(local, p, &mut told)) {}
        for p in &conjuncts {
            self.add_sets(local, p, &mut told);
        }
        let told: Vec<Field> = told.into_iter().collect::<Option<_>>()?;
        let value = |field: &Field| match field {
            Field::Value(e) => Some(e.clone()),
            Field::Within(_) => None,
        };
        let span = declared.span;
        if let Some(values) = told.iter().map(value).collect() {
            let record = Expr::new(ExprKind::Record(values), declared.ty.clone(), span);
            let step = Step::Bind(Pattern::Local(local), record);
            return Some(Choice { cost: 1.0, step, consumed: Vec::new(), binds: vec![local] });
        }
        if !told.iter().any(|field| matches!(field, Field::Value(_))) {
            return None;
        }
        let set = |field: Field| match field {
            Field::Value(e) => {
                let (ty, span) = (Type::pow(e.ty.clone()), e.span);
                Expr::new(ExprKind::SetExtension(vec![e]), ty, span)
            }
            Field::Within(set) => set,
        };
        let sets = told.into_iter().map(set).collect();
        let all = Expr::new(ExprKind::Struct(sets), Type::pow(declared.ty.clone()), span);
        let cost = self.compiler.estimate(&all);
        let step = Step::Generate(Pattern::Local(local), Source::Set(all));
        Some(Choice { cost, step, consumed: Vec::new(), binds: vec![local] })
    }

    /// `r'f = e`, with the fields of `r` in `e` that are told: whether this is new.
    fn add_value(&self, local: LocalId, p: &Pred, told: &mut [Option<Field>]) -> bool {
        let PredKind::Compare(Comparison::Equal, a, b) = &p.kind else { return false };
        for (x, e) in [(a, b), (b, a)] {
            let Some(at) = field_of(local, &x.kind).filter(|at| told[*at].is_none()) else {
                continue;
            };
            let value = |kind: &ExprKind| match &told[field_of(local, kind)?] {
                Some(Field::Value(e)) => Some(e.kind.clone()),
                _ => None,
            };
            let e = rewrite::expr(e, &value);
            if self.is_bound(&e) {
                told[at] = Some(Field::Value(e));
                return true;
            }
        }
        false
    }

    /// `r'f : S`, and `r : struct(f : S, ..)`.
    fn add_sets(&self, local: LocalId, p: &Pred, told: &mut [Option<Field>]) {
        let PredKind::Compare(Comparison::Member, x, set) = &p.kind else { return };
        if !self.is_bound(set) {
            return;
        }
        let mut add = |at: usize, set: &Expr| match &told[at] {
            Some(Field::Value(_)) => {}
            Some(Field::Within(known))
                if self.compiler.estimate(known) <= self.compiler.estimate(set) => {}
            _ => told[at] = Some(Field::Within(set.clone())),
        };
        if let Some(at) = field_of(local, &x.kind) {
            add(at, set);
        }
        if let (ExprKind::Struct(sets), true) = (&set.kind, x.kind == ExprKind::Local(local)) {
            sets.iter().enumerate().for_each(|(at, set)| add(at, set));
        }
    }
}

/// The number of the field, of a field of a local.
fn field_of(local: LocalId, kind: &ExprKind) -> Option<usize> {
    match kind {
        ExprKind::Field(of, at) if of.kind == ExprKind::Local(local) => Some(*at),
        _ => None,
    }
}
