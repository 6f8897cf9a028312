//! Sets whose elements external functions tell apart.

use crate::machine::external::{Treats, find};
use crate::machine::visit::Visitor;
use crate::machine::{Asymmetric, Expr, ExprKind, Fold, Machine, SetKind, Type};

/// The deferred sets whose elements external functions tell apart, and where they do.
pub fn found(machine: &mut Machine) -> Vec<Asymmetric> {
    let sized: Vec<bool> =
        machine.sets.iter().map(|s| !matches!(s.kind, SetKind::Enumerated(_))).collect();
    let mut all: Vec<Asymmetric> = Vec::new();
    let mut each = |e: &mut Expr| {
        let e = &*e;
        let (function, types): (&str, Vec<&Type>) = match &e.kind {
            ExprKind::External(external, arguments) => match find(external.0) {
                Some(s) if s.treats == Treats::Apart => {
                    // What comes out may be known by its name.
                    let own = std::iter::once(&e.ty);
                    (s.name, arguments.iter().map(|a| &a.ty).chain(own).collect())
                }
                _ => return,
            },
            // One of several best solutions is chosen.
            ExprKind::Fold(Fold::Greatest, ..) => ("MAXIMIZE", vec![&e.ty]),
            ExprKind::Fold(Fold::Least, ..) => ("MINIMIZE", vec![&e.ty]),
            _ => return,
        };
        let sets = std::cell::RefCell::new(Vec::new());
        for ty in types {
            ty.mentions(&|s| {
                sets.borrow_mut().push(s);
                false
            });
        }
        for set in sets.into_inner() {
            let known = all.iter().any(|a| a.set == set && a.span == e.span);
            if sized[set.0 as usize] && !known {
                let function = function.into();
                all.push(Asymmetric { set, function, span: e.span });
            }
        }
    };
    Visitor::of(&mut each).machine(machine);
    all
}
