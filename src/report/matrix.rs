//! The canonical matrix of a state as text, grouped by the cells of the first equitable partition (as
//! in figure 10 of Turner et al.).

use crate::symmetry::Matrix;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The matrix. An entry has one bit for each label; entries without an edge are drawn as dots.
pub fn matrix(matrix: &Matrix) -> String {
    drawn(matrix, |row, column| {
        let empty = !matrix.entries.contains_key(&(row, column));
        if empty { ".".repeat(matrix.labels) } else { matrix.entry(row, column) }
    })
}

/// The matrix with nothing but bits, as they stand in the canonical label.
pub fn bits(matrix: &Matrix) -> String {
    drawn(matrix, |row, column| matrix.entry(row, column))
}

fn drawn(matrix: &Matrix, entry: impl Fn(usize, usize) -> String) -> String {
    let widths: Vec<usize> =
        matrix.names.iter().map(|n| n.width().max(matrix.labels).max(1)).collect();
    let names = matrix.names.iter().map(|n| n.width()).max().unwrap_or(0);
    let mut out = format!("{:names$}", "");
    for (column, name) in matrix.names.iter().enumerate() {
        separator(&mut out, matrix, column, " | ", " ");
        let _ = write!(out, "{}{name}", " ".repeat(widths[column] - name.width()));
    }
    let heading = out.trim_end().len();
    out.truncate(heading);
    out.push('\n');
    for (row, name) in matrix.names.iter().enumerate() {
        if starts_cell(matrix, row) {
            let mut rule = "-".repeat(names);
            for (column, width) in widths.iter().enumerate() {
                separator(&mut rule, matrix, column, "-+-", "-");
                rule.push_str(&"-".repeat(*width));
            }
            let _ = writeln!(out, "{rule}");
        }
        let _ = write!(out, "{name}{}", " ".repeat(names - name.width()));
        for (column, width) in widths.iter().enumerate() {
            separator(&mut out, matrix, column, " | ", " ");
            let _ = write!(out, "{:>width$}", entry(row, column));
        }
        out.push('\n');
    }
    out
}

/// Whether a row or column is the first of its cell.
fn starts_cell(matrix: &Matrix, at: usize) -> bool {
    let mut start = 0;
    for length in &matrix.cells {
        if start >= at {
            return start == at;
        }
        start += length;
    }
    false
}

fn separator(out: &mut String, matrix: &Matrix, column: usize, cell: &str, other: &str) {
    out.push_str(if starts_cell(matrix, column) { cell } else { other });
}

/// The cells of the first equitable partition, in order: `(Name1) (Code1 Code2) (root)`.
pub fn partition(matrix: &Matrix) -> String {
    let mut names = matrix.names.iter();
    let cells = matrix.cells.iter().map(|length| {
        let cell: Vec<&str> = names.by_ref().take(*length).map(String::as_str).collect();
        format!("({})", cell.join(" "))
    });
    cells.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn cells_are_ruled_off() {
        let drawn = Matrix {
            order: vec![0, 1, 2],
            names: ["A1", "A2", "root"].map(str::to_owned).to_vec(),
            cells: vec![2, 1],
            labels: 2,
            entries: BTreeMap::from([((0, 2), vec![0]), ((1, 2), vec![0, 1])]),
        };
        let expected = "     | A1 A2 | root
-----+-------+-----
A1   | .. .. |   10
A2   | .. .. |   11
-----+-------+-----
root | .. .. |   ..
";
        assert_eq!(matrix(&drawn), expected);
        assert_eq!(partition(&drawn), "(A1 A2) (root)");
    }
}
