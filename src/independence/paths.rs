//! What the body of an operation does, as far as it can be said in formulas: one path for each way through it,
//! with the condition under which it is taken and the new values of variables as expressions over the state
//! before.

use crate::machine::make;
use crate::machine::{
    Access, BinaryOp, Cell, Comparison, Expr, ExprKind, LocalId, Machine, Pred, PredKind, Subst,
    SubstKind, Target, Type, VarId,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most ways through one body.
const MOST: usize = 8;

/// One way through a body.
#[derive(Clone, Debug, Default)]
pub struct Path {
    pub conditions: Vec<Pred>,
    /// Locals that the conditions choose values for.
    pub locals: Vec<LocalId>,
    /// Variables that a `::` gives a value from the set: there is one more unknown for each.
    pub members: Vec<(VarId, Expr)>,
    pub new: BTreeMap<VarId, Expr>,
}

/// The ways through a body; `None`: there are too many, or it cannot be said.
pub fn paths(machine: &Machine, s: &Subst) -> Option<Vec<Path>> {
    let found = Reader { machine }.of(s)?;
    (found.len() <= MOST).then_some(found)
}

struct Reader<'m> {
    machine: &'m Machine,
}

impl Reader<'_> {
    fn of(&self, s: &Subst) -> Option<Vec<Path>> {
        match &s.kind {
            SubstKind::Skip => Some(vec![Path::default()]),
            SubstKind::Assign(pairs) => {
                let mut path = Path::default();
                for (target, e) in pairs {
                    self.assign(&mut path, target, e)?;
                }
                Some(vec![path])
            }
            SubstKind::BecomesElement(targets, set) => {
                let [Target { cell: Cell::Variable(variable), path, .. }] = &targets[..] else {
                    return None;
                };
                let members = vec![(*variable, set.clone())];
                path.is_empty().then(|| vec![Path { members, ..Path::default() }])
            }
            SubstKind::BecomesSuchThat(cells, p) => {
                let mut path = Path { conditions: vec![p.clone()], ..Path::default() };
                for (cell, local) in cells {
                    let Cell::Variable(variable) = cell else { return None };
                    let ty = &self.machine.variable(*variable).ty;
                    path.locals.push(*local);
                    path.new.insert(*variable, local_of(*local, ty, p));
                }
                Some(vec![path])
            }
            SubstKind::Parallel(ss) => {
                let mut all = vec![Path::default()];
                for s in ss {
                    let own = self.of(s)?;
                    let pairs = all.iter().flat_map(|a| own.iter().map(move |b| a.beside(b)));
                    all = pairs.collect::<Option<Vec<Path>>>()?;
                    if all.len() > MOST {
                        return None;
                    }
                }
                Some(all)
            }
            SubstKind::Choice(ss) => {
                let all: Option<Vec<Vec<Path>>> = ss.iter().map(|s| self.of(s)).collect();
                Some(all?.concat())
            }
            SubstKind::If(branches, otherwise) => {
                let mut all = Vec::new();
                let mut failed = Vec::new();
                for (p, s) in branches {
                    let conditions: Vec<Pred> = failed.iter().cloned().chain([p.clone()]).collect();
                    all.extend(self.under(&conditions, s)?);
                    failed.push(negated(p));
                }
                match otherwise {
                    Some(s) => all.extend(self.under(&failed, s)?),
                    None => all.push(Path { conditions: failed, ..Path::default() }),
                }
                Some(all)
            }
            SubstKind::Select(branches, otherwise) => {
                let mut all = Vec::new();
                for (p, s) in branches {
                    all.extend(self.under(std::slice::from_ref(p), s)?);
                }
                if let Some(s) = otherwise {
                    let failed: Vec<Pred> = branches.iter().map(|(p, _)| negated(p)).collect();
                    all.extend(self.under(&failed, s)?);
                }
                Some(all)
            }
            SubstKind::Any(locals, p, s) => {
                let mut all = self.under(std::slice::from_ref(p), s)?;
                all.iter_mut().for_each(|path| path.locals.extend(locals));
                Some(all)
            }
            SubstKind::Let(bindings, s) => {
                let equation = |(id, e): &(LocalId, Expr)| {
                    let local = Expr::new(ExprKind::Local(*id), e.ty.clone(), e.span);
                    make::compare(Comparison::Equal, local, e.clone())
                };
                let equations: Vec<Pred> = bindings.iter().map(equation).collect();
                let mut all = self.under(&equations, s)?;
                let locals = bindings.iter().map(|(id, _)| *id);
                all.iter_mut().for_each(|path| path.locals.extend(locals.clone()));
                Some(all)
            }
            SubstKind::Sequence(_)
            | SubstKind::Precondition(..)
            | SubstKind::Assert(..)
            | SubstKind::Case(..)
            | SubstKind::Var(..)
            | SubstKind::While { .. }
            | SubstKind::Call { .. } => None,
        }
    }

    fn under(&self, conditions: &[Pred], s: &Subst) -> Option<Vec<Path>> {
        let mut all = self.of(s)?;
        for path in &mut all {
            path.conditions.splice(0..0, conditions.iter().cloned());
        }
        Some(all)
    }

    /// Results of the operation are no part of the state.
    fn assign(&self, path: &mut Path, target: &Target, e: &Expr) -> Option<()> {
        let Cell::Variable(variable) = target.cell else {
            return target.path.is_empty().then_some(());
        };
        let ty = &self.machine.variable(variable).ty;
        let value = match &target.path[..] {
            [] => e.clone(),
            [Access::Index(x)] => {
                let new = |kind, ty: Type| Expr::new(kind, ty, e.span);
                let pair = Type::pair(x.ty.clone(), e.ty.clone());
                let both = ExprKind::Binary(BinaryOp::Pair, x.clone().into(), e.clone().into());
                let point = new(ExprKind::SetExtension(vec![new(both, pair)]), ty.clone());
                let old = new(ExprKind::Variable(variable), ty.clone());
                new(ExprKind::Binary(BinaryOp::Override, old.into(), point.into()), ty.clone())
            }
            _ => return None,
        };
        path.new.insert(variable, value).is_none().then_some(())
    }
}

fn negated(p: &Pred) -> Pred {
    Pred::new(PredKind::Not(Arc::new(p.clone())), p.span)
}

fn local_of(id: LocalId, ty: &Type, at: &Pred) -> Expr {
    Expr::new(ExprKind::Local(id), ty.clone(), at.span)
}

impl Path {
    /// Both at once.
    fn beside(&self, other: &Path) -> Option<Path> {
        let mut both = self.clone();
        both.conditions.extend(other.conditions.iter().cloned());
        both.locals.extend(&other.locals);
        both.members.extend(other.members.iter().cloned());
        for (variable, e) in &other.new {
            if both.new.insert(*variable, e.clone()).is_some() {
                return None;
            }
        }
        let written = both.members.iter().map(|(v, _)| v);
        written.clone().all(|v| !both.new.contains_key(v)).then_some(both)
    }
}
