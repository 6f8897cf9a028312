//! The forms of a table: text of at most 80 columns, JSON, CSV.

use super::super::json::{FORMAT, pretty};
use super::super::text::duration;
use super::{Agreement, Cell, Ours, Row, Table, Value};
use serde::Serialize;
use std::fmt::Write;

/// Columns of a terminal that every table fits.
const WIDTH: usize = 80;

/// A figure as text.
fn shown(value: &Value) -> String {
    match value {
        Value::Count(n) => n.to_string(),
        Value::Factor(x) => format!("{x:.0}"),
        Value::Share(x) | Value::TimeShare(x) => format!("{:.1}%", 100.0 * x),
        Value::Seconds(x) => duration(*x),
        Value::Milliseconds(x) => format!("{x:.1}"),
        Value::Speedup(x) => format!("{x:.1}"),
    }
}

fn ours(cell: &Cell) -> String {
    match &cell.ours {
        Ours::Found(value) => shown(value),
        Ours::OnlyFull => "--full".to_owned(),
        Ours::Unfinished => "?".to_owned(),
        Ours::None => "-".to_owned(),
    }
}

/// The reasons of a table, each once, in the order of the cells that have them.
fn reasons(table: &Table) -> Vec<&'static str> {
    let mut found = Vec::new();
    for cell in table.cells().filter(|c| c.agreement() == Agreement::Explained) {
        let reason = cell.reason.unwrap_or_default();
        if !found.contains(&reason) {
            found.push(reason);
        }
    }
    found
}

/// What stands behind our figure: the letter of a reason, an exclamation mark where there is none.
fn mark(cell: &Cell, reasons: &[&str]) -> String {
    match cell.agreement() {
        Agreement::Unexplained => "!".to_owned(),
        Agreement::Explained => {
            let at = reasons.iter().position(|r| Some(*r) == cell.reason).unwrap_or(0);
            letter(at)
        }
        Agreement::Same | Agreement::NotCompared => String::new(),
    }
}

/// `a` to `z`, then numbers.
fn letter(at: usize) -> String {
    let letter = u8::try_from(at).ok().filter(|n| *n < 26).map(|n| char::from(b'a' + n));
    letter.map_or_else(|| at.to_string(), |c| c.to_string())
}

/// Two figures of one column, as wide as they are in all rows.
struct Pair {
    column: usize,
    paper: usize,
    ours: usize,
    /// Of the marks behind our figures: nothing where no row has one.
    mark: usize,
}

impl Pair {
    fn new(table: &Table, column: usize, reasons: &[&str]) -> Pair {
        let cells = || table.rows.iter().filter_map(move |r| r.cells.get(column));
        let widest = |text: &dyn Fn(&Cell) -> String| {
            cells().map(|cell| text(cell).chars().count()).max().unwrap_or(0)
        };
        let paper = widest(&|c| c.paper.unwrap_or_default().to_owned()).max("paper".len());
        let ours = widest(&ours).max("ours".len());
        let mark = match widest(&|c| mark(c, reasons)) {
            0 => 0,
            width => 1 + width,
        };
        // The name of the column stands above all of it.
        let missing = table.columns[column].chars().count().saturating_sub(paper + 1 + ours + mark);
        Pair { column, paper, ours: ours + missing, mark }
    }

    fn width(&self) -> usize {
        self.paper + 1 + self.ours + self.mark
    }
}

/// The table for people. Where its columns are wider than 80 characters together, they come in several
/// blocks, one below the other.
pub fn text(table: &Table) -> String {
    let mut out = format!("{}: {}\n", table.name, table.title);
    paragraph(&mut out, "", table.source);
    let reasons = reasons(table);
    let longest = table.rows.iter().map(|r| r.label.chars().count()).max().unwrap_or(0);
    let labels = longest.max(table.heading.chars().count());
    let mut block: Vec<Pair> = Vec::new();
    let mut width = labels;
    for column in 0..table.columns.len() {
        let pair = Pair::new(table, column, &reasons);
        if width + 3 + pair.width() > WIDTH && !block.is_empty() {
            write_block(&mut out, table, labels, &block, &reasons);
            block.clear();
            width = labels;
        }
        width += 3 + pair.width();
        block.push(pair);
    }
    write_block(&mut out, table, labels, &block, &reasons);
    out.push('\n');
    for (at, reason) in reasons.iter().enumerate() {
        paragraph(&mut out, &format!("{}  ", letter(at)), reason);
    }
    if table.cells().any(|c| c.agreement() == Agreement::Unexplained) {
        paragraph(&mut out, "!  ", "this differs and should not");
    }
    table.remarks.iter().for_each(|remark| paragraph(&mut out, "", remark));
    if table.cells().any(|c| c.ours == Ours::Unfinished) {
        paragraph(&mut out, "?  ", "the search was not finished");
    }
    out
}

fn write_block(out: &mut String, table: &Table, labels: usize, pairs: &[Pair], reasons: &[&str]) {
    let mut names = format!("{:labels$}", "");
    let mut heads = format!("{:labels$}", table.heading);
    for pair in pairs {
        let name = table.columns[pair.column];
        let _ = write!(names, " | {name:^0$}", pair.width());
        let Pair { paper, ours, mark, .. } = pair;
        let _ = write!(heads, " | {:>paper$} {:>ours$}{:mark$}", "paper", "ours", "");
    }
    let rule: String = heads.chars().map(|c| if c == '|' { '+' } else { '-' }).collect();
    let _ = writeln!(out, "\n{}\n{}\n{rule}", names.trim_end(), heads.trim_end());
    let mut section = "";
    for row in &table.rows {
        if row.section != section {
            section = row.section;
            let _ = writeln!(out, "{section}");
        }
        out.push_str(&line(row, labels, pairs, reasons));
    }
}

fn line(row: &Row, labels: usize, pairs: &[Pair], reasons: &[&str]) -> String {
    let mut line = format!("{:labels$}", row.label);
    for pair in pairs {
        let Some(cell) = row.cells.get(pair.column) else { continue };
        let (paper, ours) = (cell.paper.unwrap_or("-"), ours(cell));
        let _ = write!(line, " | {paper:>0$} {ours:>1$}", pair.paper, pair.ours);
        let mark = mark(cell, reasons);
        if pair.mark > 0 {
            let _ = write!(line, " {mark:<0$}", pair.mark - 1);
        }
    }
    format!("{}\n", line.trim_end())
}

/// A text broken into lines, the first behind a mark and the others below it.
fn paragraph(out: &mut String, mark: &str, text: &str) {
    let indent = " ".repeat(mark.len());
    let mut line = mark.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{}", std::mem::replace(&mut line, indent.clone()));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    let _ = writeln!(out, "{line}");
}

#[derive(Serialize)]
struct Tables<'a> {
    format: u32,
    tables: Vec<JsonTable<'a>>,
}

#[derive(Serialize)]
struct JsonTable<'a> {
    name: &'a str,
    title: &'a str,
    source: &'a str,
    remarks: &'a [&'a str],
    cells: Vec<JsonCell<'a>>,
}

#[derive(Serialize)]
struct JsonCell<'a> {
    section: &'a str,
    row: &'a str,
    column: &'a str,
    /// As it is printed.
    paper: Option<&'a str>,
    /// In full, without rounding: a count as text, since it may be large; a number else.
    ours: Option<serde_json::Value>,
    /// `found`, `only-full`, `unfinished`, `none`
    state: &'a str,
    /// `same`, `explained`, `unexplained`, `not-compared`
    agreement: &'a str,
    reason: Option<&'a str>,
}

fn state(cell: &Cell) -> &'static str {
    match cell.ours {
        Ours::Found(_) => "found",
        Ours::OnlyFull => "only-full",
        Ours::Unfinished => "unfinished",
        Ours::None => "none",
    }
}

fn json_cell<'a>(table: &'a Table, row: &'a Row, column: usize, cell: &'a Cell) -> JsonCell<'a> {
    let agreement = cell.agreement();
    JsonCell {
        section: row.section,
        row: &row.label,
        column: table.columns.get(column).copied().unwrap_or_default(),
        paper: cell.paper,
        ours: match &cell.ours {
            Ours::Found(value) => Some(match value {
                Value::Count(n) => n.to_string().into(),
                Value::Factor(x)
                | Value::Share(x)
                | Value::Seconds(x)
                | Value::Milliseconds(x)
                | Value::Speedup(x)
                | Value::TimeShare(x) => (*x).into(),
            }),
            _ => None,
        },
        state: state(cell),
        agreement: agreement.name(),
        reason: cell.reason.filter(|_| agreement == Agreement::Explained),
    }
}

fn json_cells(table: &Table) -> impl Iterator<Item = JsonCell<'_>> {
    table.rows.iter().flat_map(move |row| {
        let cells = row.cells.iter().enumerate();
        cells.map(move |(column, cell)| json_cell(table, row, column, cell))
    })
}

/// All tables as one object.
pub fn json(tables: &[Table]) -> String {
    pretty(&Tables { format: FORMAT, tables: tables.iter().map(json_table).collect() })
}

fn json_table(table: &Table) -> JsonTable<'_> {
    let Table { name, title, source, remarks, .. } = table;
    JsonTable { name, title, source, remarks, cells: json_cells(table).collect() }
}

/// The header of the CSV form.
pub const CSV_HEADER: &str = "table,section,row,column,paper,ours,state,agreement,reason";

/// The cells of a table, one in a line.
pub fn csv(table: &Table) -> String {
    let mut out = String::new();
    for cell in json_cells(table) {
        let ours = match &cell.ours {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(number) => number.to_string(),
            None => String::new(),
        };
        let fields = [
            table.name,
            cell.section,
            cell.row,
            cell.column,
            cell.paper.unwrap_or_default(),
            &ours,
            cell.state,
            cell.agreement,
            cell.reason.unwrap_or_default(),
        ];
        let _ = writeln!(out, "{}", fields.map(quoted).join(","));
    }
    out
}

/// A field of CSV, in quotes where it needs them.
pub(in crate::report) fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let cell = |paper, n: u32, reason| Cell {
            paper: Some(paper),
            ours: Ours::Found(Value::count(n)),
            reason,
        };
        let why = "a misprint, and a long story about how it came about, which goes on and on";
        let full = Cell { paper: None, ours: Ours::OnlyFull, reason: None };
        let row = |label: &str, section, cells| Row { section, label: label.to_owned(), cells };
        Table {
            name: "somebody-table1",
            title: "Nothing in particular",
            source: "Somebody, Something, 2000, table 1",
            heading: "n",
            columns: vec!["states", "transitions, with reduction"],
            rows: vec![
                row("1", "one", vec![cell("5", 5, None), cell("1,277", 1227, Some(why))]),
                row("2", "two", vec![full, cell("7", 8, None)]),
            ],
            remarks: &["A remark."],
        }
    }

    #[test]
    fn text_has_both_figures_and_the_reasons() {
        let expected = "somebody-table1: Nothing in particular
Somebody, Something, 2000, table 1

  |    states    | transitions, with reduction
n | paper   ours | paper                ours
--+--------------+----------------------------
one
1 |     5      5 | 1,277                1227 a
two
2 |     - --full |     7                   8 !

a  a misprint, and a long story about how it came about, which goes on and on
!  this differs and should not
A remark.
";
        assert_eq!(text(&table()), expected);
    }

    #[test]
    fn wide_tables_come_in_blocks() {
        let mut wide = table();
        wide.columns = ["a", "b", "c", "d"].map(|_| "a column with a rather long name").to_vec();
        for row in &mut wide.rows {
            let cell = row.cells[0].clone();
            row.cells = vec![cell; 4];
        }
        let text = text(&wide);
        assert_eq!(text.matches("rather long name").count(), 4);
        assert_eq!(text.lines().filter(|l| l.starts_with("n | ")).count(), 2, "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= WIDTH), "{text}");
    }

    #[test]
    fn cells_as_data() {
        let csv = csv(&table());
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0], "somebody-table1,one,1,states,5,5,found,same,");
        assert!(
            lines[1].contains("\"transitions, with reduction\",\"1,277\",1227,found,explained")
        );
        assert_eq!(lines[2], "somebody-table1,two,2,states,,,only-full,not-compared,");
        let json: serde_json::Value = serde_json::from_str(&json(&[table()])).unwrap();
        let cells = &json["tables"][0]["cells"];
        assert_eq!(cells[0]["ours"], "5");
        assert_eq!(cells[3]["agreement"], "unexplained");
        assert_eq!(cells[3]["reason"], serde_json::Value::Null);
    }
}
