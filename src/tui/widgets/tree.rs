//! Predicates taken apart, and values over several lines.

use crate::session::unfolding::Sub;
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
    for Sub { depth, truth, text, values } in subs {
        let indent = "  ".repeat(depth + 1);
        let (sign, role) = sign(*truth);
        let told: Vec<String> = values.iter().map(|(name, v)| format!("{name} = {v}")).collect();
        if text.is_empty() {
            lines.extend(told.into_iter().map(|told| (Role::Text, format!("{indent}{told}"))));
            continue;
        }
        let quantified = text.ends_with(" for");
        let role = if *truth == Truth::True { Role::Text } else { role };
        if quantified || told.is_empty() {
            let behind = if told.is_empty() { String::new() } else { " ".to_owned() };
            let text = format!("{indent}{sign} {text}{behind}{}", told.join(", "));
            lines.push((role, text));
            continue;
        }
        lines.push((role, format!("{indent}{sign} {text}")));
        lines.extend(told.into_iter().map(|told| (Role::Dim, format!("{indent}    {told}"))));
    }
    lines
}

/// The members of a set or sequence, one on each line; a value without any is one line.
pub fn members(value: &str) -> Vec<String> {
    let inner = value.strip_prefix(['{', '[']).and_then(|rest| rest.strip_suffix(['}', ']']));
    let Some(inner) = inner.filter(|inner| !inner.is_empty()) else {
        return vec![value.to_owned()];
    };
    let (mut members, mut depth, mut quoted) = (vec![String::new()], 0_usize, false);
    for c in inner.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | '{' | '[' if !quoted => depth += 1,
            ')' | '}' | ']' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                members.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = members.last_mut() {
            last.push(c);
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cut_at_their_members() {
        let cut = |value: &str| members(value).join(" ; ");
        assert_eq!(cut("{(a|->{b,c}),(d|->{})}"), "(a|->{b,c}) ; (d|->{})");
        assert_eq!(cut("[\"a,b\",\"}\"]"), "\"a,b\" ; \"}\"");
        assert_eq!(cut("{}"), "{}");
        assert_eq!(cut("12"), "12");
    }
}
