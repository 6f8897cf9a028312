//! What propagation leaves of a name, as predicates.

use crate::constraint::Domain;
use crate::machine::{LocalId, Notation, Type};
use crate::state::Instance;
use crate::value::Value;
use std::sync::Arc;

/// What a name may be, as a predicate.
pub fn of_name(instance: &Instance, id: LocalId, domain: &Domain) -> String {
    let local = instance.machine.local(id);
    let parts = predicates(instance, &local.name, &local.ty, domain);
    match parts.is_empty() {
        true => format!("{}, of which nothing is known", local.name),
        false => parts.join(" & "),
    }
}

/// What something of a type may be, as conjuncts.
fn predicates(instance: &Instance, of: &str, ty: &Type, domain: &Domain) -> Vec<String> {
    let show = |ty: &Type, value: &Value| instance.names.show_as(ty, &Notation::Plain, value);
    let set = |ty: &Type, values: &[Value]| {
        let members: Vec<String> = values.iter().map(|v| show(ty, v)).collect();
        format!("{{{}}}", members.join(", "))
    };
    match (domain, ty) {
        (Domain::Known(value), _) => vec![format!("{of} = {}", show(ty, value))],
        (Domain::OneOf(values), _) => vec![format!("{of} : {}", set(ty, values))],
        (Domain::Between(Some(low), Some(high)), _) => vec![format!("{of} : {low}..{high}")],
        (Domain::Between(Some(low), None), _) => vec![format!("{of} >= {low}")],
        (Domain::Between(None, Some(high)), _) => vec![format!("{of} <= {high}")],
        (Domain::Set(members, others), Type::Pow(element)) => {
            let mut all = members.clone();
            all.extend(others.iter().cloned());
            all.sort();
            let within = format!("{of} <: {}", set(element, &all));
            match members.is_empty() {
                true => vec![within],
                false => vec![format!("{} <: {of}", set(element, members)), within],
            }
        }
        (Domain::Function(points), Type::Pow(pairs)) => match &**pairs {
            Type::Pair(sides) => {
                let certain: Vec<Value> =
                    points.iter().filter(|point| point.1).map(|point| point.0.clone()).collect();
                let open = points.iter().filter(|point| !point.1);
                let open: Vec<Value> = open.map(|point| point.0.clone()).collect();
                let mut parts = match open.is_empty() {
                    true => vec![format!("dom({of}) = {}", set(&sides.0, &certain))],
                    false => {
                        let (ty, told) = (Type::pow(sides.0.clone()), Domain::Set(certain, open));
                        predicates(instance, &format!("dom({of})"), &ty, &told)
                    }
                };
                for (at, _, value) in points {
                    let at = format!("{of}({})", show(&sides.0, at));
                    parts.extend(predicates(instance, &at, &sides.1, value));
                }
                parts
            }
            _ => Vec::new(),
        },
        (Domain::Pair(of_sides), Type::Pair(types)) => {
            let mut parts = predicates(instance, &format!("prj1({of})"), &types.0, &of_sides.0);
            parts.extend(predicates(instance, &format!("prj2({of})"), &types.1, &of_sides.1));
            parts
        }
        (Domain::Record(fields), Type::Record(types)) => {
            let fields = fields.iter().zip(types.iter());
            let part = |(field, (name, ty)): (&Domain, &(Arc<str>, Type))| {
                predicates(instance, &format!("{of}'{name}"), ty, field)
            };
            fields.flat_map(part).collect()
        }
        _ => Vec::new(),
    }
}
