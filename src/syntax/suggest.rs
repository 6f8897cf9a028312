//! "Did you mean": the name in scope that is closest to a misspelled one.

use crate::clock;

/// The name that was probably meant, of some that may have the prefix of an included machine. The
/// same name under another prefix, or under none, comes before names that look alike.
pub fn meant<'n>(name: &str, candidates: impl Iterator<Item = &'n str> + Clone) -> Option<&'n str> {
    let same = candidates.clone().filter(|c| *c != name && bare_of(c) == bare_of(name));
    same.min().or_else(|| closest(name, candidates))
}

/// A name without its prefix.
fn bare_of(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, bare)| bare)
}

/// The candidate with the smallest edit distance, if it is close enough to be a slip of the keys.
/// Ties go to the candidate that comes first in alphabetical order.
pub fn closest<'n>(name: &str, candidates: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .inspect(|c| clock::work(1 + name.len() * c.len() / 16))
        .filter(|c| *c != name)
        .filter_map(|c| {
            let d = distance(name, c, limit)?;
            // From a name of one letter everything short is one edit away.
            let shorter = name.chars().count().min(c.chars().count());
            (d < shorter || name.eq_ignore_ascii_case(c)).then_some((d, c))
        })
        .min()
        .map(|(_, c)| c)
}

/// Edit distance (insert, delete, replace, swap of neighbours), where a change of case costs
/// nothing beyond one edit in all; `None` when it is above the limit.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.to_lowercase() == b.to_lowercase() {
        return Some(1);
    }
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    (last[b.len()] <= limit).then_some(last[b.len()])
}

#[cfg(test)]
mod tests {
    use super::{closest, meant};

    #[test]
    fn the_same_name_under_another_prefix_comes_first() {
        let names = ["a.x1", "b.count", "c.count", "cound", "tick"];
        let find = |n: &str| meant(n, names.iter().copied());
        assert_eq!(find("count"), Some("b.count"));
        assert_eq!(find("Clock.tick"), Some("tick"));
        assert_eq!(find("d.count"), Some("b.count"));
        assert_eq!(find("tikc"), Some("tick"));
        assert_eq!(find("unlike"), None);
    }

    #[test]
    fn finds_slips_and_nothing_else() {
        let names = ["counter", "limit", "PROC", "x"];
        let find = |n: &str| closest(n, names.iter().copied());
        assert_eq!(find("conuter"), Some("counter"));
        assert_eq!(find("Limit"), Some("limit"));
        assert_eq!(find("limits"), Some("limit"));
        assert_eq!(find("proc"), Some("PROC"));
        assert_eq!(find("y"), None);
        assert_eq!(find("X"), Some("x"));
        assert_eq!(closest("r", ["or"].into_iter()), None);
        assert_eq!(find("somethingelse"), None);
    }
}
