//! Predicates taken apart, and values over several lines.

use crate::session::unfolding::{Part, Sub, Values};
use crate::session::view::Truth;
use crate::tui::theme::Role;

/// The sign of a truth, and how it looks.
pub fn sign(truth: Truth) -> (&'static str, Role) {
    match truth {
        Truth::True => ("T", Role::Holds),
        Truth::False => ("F", Role::Fails),
        Truth::Undefined => ("?", Role::Undefined),
        Truth::Unknown => ("-", Role::Dim),
    }
}

/// The parts of a predicate as lines: how each looks, and its text.
pub fn lines(subs: &[Sub]) -> Vec<(Role, String)> {
    let mut lines = Vec::new();
    for Sub { depth, part } in subs {
        let indent = "  ".repeat(depth + 1);
        let told = |values: &Values| -> Vec<String> {
            values.iter().map(|(name, value)| format!("{name} = {value}")).collect()
        };
        let mut line = |truth: Truth, text: &str| {
            let (sign, role) = sign(truth);
            let role = if truth == Truth::True { Role::Text } else { role };
            lines.push((role, format!("{indent}{sign} {text}")));
        };
        match part {
            Part::Predicate { truth, text, values } => {
                line(*truth, text);
                let values = told(values).into_iter();
                lines.extend(values.map(|told| (Role::Dim, format!("{indent}    {told}"))));
            }
            Part::Sides(values) => {
                let values = told(values).into_iter();
                lines.extend(values.map(|told| (Role::Text, format!("{indent}{told}"))));
            }
            Part::Witness { holds: true, values } => {
                line(Truth::True, &format!("holds for {}", told(values).join(", ")));
            }
            Part::Witness { holds: false, values } => {
                line(Truth::False, &format!("fails for {}", told(values).join(", ")));
            }
            Part::Same { holds: true } => line(Truth::Unknown, "for all values"),
            Part::Same { holds: false } => line(Truth::Unknown, "for no values"),
            Part::NoWitness => line(Truth::Unknown, "not known for which values"),
            Part::Unguarded => line(Truth::True, "always enabled: it has no guard"),
            Part::More => line(Truth::Unknown, "… and more"),
        }
    }
    lines
}

/// The members of a set, the pairs of a sequence or the fields of a record, one on each line; a value without any is
/// one line.
pub fn members(value: &str) -> Vec<String> {
    let within = |open: &str, close: char| value.strip_prefix(open)?.strip_suffix(close);
    let items = within("[", ']');
    let inner = items.or_else(|| within("{", '}')).or_else(|| within("rec(", ')'));
    let Some(inner) = inner.filter(|inner| !inner.is_empty()) else {
        return vec![value.to_owned()];
    };
    let members = cut_at_commas(inner);
    match items {
        Some(_) => (1..).zip(members).map(|(i, item)| format!("({i}|->{item})")).collect(),
        None => members,
    }
}

/// Cuts a text at the commas that stand in no brackets and no quotes.
fn cut_at_commas(text: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0_usize);
    let (mut quote, mut escaped) = (None, false);
    for c in text.chars() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(end), _) if c == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quote = Some(c),
            (None, '(' | '{' | '[') => depth += 1,
            (None, ')' | '}' | ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            (None, _) => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_at_their_members() {
        let cut = |value: &str| members(value).join(" ; ");
        assert_eq!(cut("{(a|->{b,c}),(d|->{})}"), "(a|->{b,c}) ; (d|->{})");
        assert_eq!(cut("{\"a,b\",\"}\",\"\\\",\"}"), "\"a,b\" ; \"}\" ; \"\\\",\"");
        assert_eq!(cut("[7,{1,2}]"), "(1|->7) ; (2|->{1,2})");
        assert_eq!(cut("rec(a:1,`b,c`:(1|->rec(d:2,e:3)))"), "a:1 ; `b,c`:(1|->rec(d:2,e:3))");
        assert_eq!(cut("{}"), "{}");
        assert_eq!(cut("12"), "12");
    }
}
