//! `burnside tables`: the tables of papers, each figure beside ours, which is searched for now.

mod bosnacki;
mod dobrikov;
mod plan;
mod rensink;
mod turner;

use super::arguments::{TableFormat, TablesOptions};
use super::output::{complain, print};
use super::signals::Interrupt;
use super::{EXIT_FOUND, EXIT_INCOMPLETE, EXIT_OK, Failure, load, search};
use crate::report::bounds::joined;
use crate::report::tables::{Agreement, CSV_HEADER, Cell, Ours, Row, Table, csv, json, text};
use crate::report::text::duration;
use crate::search::{Control, Outcome};
use plan::{CellPlan, Plan, RowPlan, Search};
use std::fmt::Write;
use std::path::Path;

/// All tables, in the order in which they are printed.
fn plans(packages: Option<&Path>) -> Vec<Plan> {
    vec![
        turner::table1(),
        turner::figure11(),
        bosnacki::figure4(),
        bosnacki::figure8(),
        bosnacki::figure9(),
        rensink::table3(),
        rensink::table4(),
        rensink::table5(),
        dobrikov::table1(packages),
    ]
}

/// Searches for what the tables need and prints each as soon as it is through. An interrupted one is
/// printed with what was found so far.
///
/// # Errors
/// There is no table of a name that was given; a search went wrong.
pub fn run(options: &TablesOptions) -> Result<u8, Failure> {
    let packages = options.packages.as_deref();
    if let Some(folder) = packages.filter(|folder| !folder.is_dir()) {
        let message = format!("--packages: {} is no folder", folder.display());
        return Err(Failure::Message(message));
    }
    let plans = plans(packages);
    if options.list {
        print(list(&plans))?;
        return Ok(EXIT_OK);
    }
    let plans = choose(plans, &options.names)?;
    let mut runner = Runner { options, interrupt: Interrupt::install(), done: Vec::new() };
    let mut tables = Vec::new();
    if options.format == TableFormat::Csv {
        print(format!("{CSV_HEADER}\n"))?;
    }
    for plan in plans {
        let table = runner.table(plan)?;
        match options.format {
            TableFormat::Text if tables.is_empty() => print(text(&table))?,
            TableFormat::Text => print(format!("\n\n{}", text(&table)))?,
            TableFormat::Csv => print(csv(&table))?,
            TableFormat::Json => {}
        }
        tables.push(table);
        if runner.interrupt.is_set() {
            break;
        }
    }
    match options.format {
        TableFormat::Json => print(json(&tables))?,
        TableFormat::Text => print(closing(&tables))?,
        TableFormat::Csv => {}
    }
    Ok(match runner.interrupt.is_set() {
        true => runner.interrupt.status(),
        false => status(&tables),
    })
}

/// The names with what is behind them.
fn list(plans: &[Plan]) -> String {
    let mut out = String::new();
    for plan in plans {
        let _ = writeln!(out, "{:<16}  {}", plan.name, plan.title);
    }
    out
}

/// The tables of the names that were given: a name, or a part of some. All, where none was given.
fn choose(plans: Vec<Plan>, names: &[String]) -> Result<Vec<Plan>, Failure> {
    for name in names {
        if !plans.iter().any(|p| is_meant(p, name)) {
            let known: Vec<&str> = plans.iter().map(|p| p.name).collect();
            let message = format!("there is no table `{name}`; there are {}", known.join(", "));
            return Err(Failure::Message(message));
        }
    }
    let wanted = |p: &Plan| names.is_empty() || names.iter().any(|name| is_meant(p, name));
    Ok(plans.into_iter().filter(wanted).collect())
}

fn is_meant(plan: &Plan, name: &str) -> bool {
    !name.is_empty() && plan.name.contains(&name.to_lowercase())
}

/// One line about all tables: how many figures were compared, and what came out.
fn closing(tables: &[Table]) -> String {
    let count = |agreement| {
        let cells = tables.iter().flat_map(Table::cells);
        cells.filter(|c| c.agreement() == agreement).count()
    };
    let (same, explained) = (count(Agreement::Same), count(Agreement::Explained));
    let unexplained = count(Agreement::Unexplained);
    let all = same + explained + unexplained;
    format!(
        "\n{all} figures compared: {same} come out, {explained} differ for a reason, {unexplained} \
         without one\n"
    )
}

fn status(tables: &[Table]) -> u8 {
    let any = |what: &dyn Fn(&Cell) -> bool| tables.iter().flat_map(Table::cells).any(what);
    if any(&|c| c.agreement() == Agreement::Unexplained) {
        EXIT_FOUND
    } else if any(&|c| c.ours == Ours::Unfinished) {
        EXIT_INCOMPLETE
    } else {
        EXIT_OK
    }
}

/// Does the searches, each once: tables share some.
struct Runner<'a> {
    options: &'a TablesOptions,
    interrupt: Interrupt,
    /// `None`: it was ended before it was through.
    done: Vec<(Search, Option<Outcome>)>,
}

impl Runner<'_> {
    fn table(&mut self, plan: Plan) -> Result<Table, Failure> {
        let mut rows = Vec::new();
        for row in plan.rows {
            rows.push(self.row(plan.name, row)?);
        }
        let Plan { name, title, source, heading, columns, remarks, .. } = plan;
        Ok(Table { name, title, source, heading, columns, rows, remarks })
    }

    fn row(&mut self, table: &str, plan: RowPlan) -> Result<Row, Failure> {
        let mut outcomes = Vec::new();
        // Why an outcome is missing.
        let mut missing = Ours::OnlyFull;
        for search in &plan.searches {
            let wanted = self.options.full || !search.large;
            let outcome = if wanted { self.search(table, search)? } else { None };
            if wanted && outcome.is_none() {
                missing = Ours::Unfinished;
            }
            outcomes.push(outcome);
        }
        let cell = |cell: CellPlan| Cell {
            paper: cell.paper,
            ours: match cell.ours {
                None => Ours::None,
                Some(measure) => measure(&outcomes).map_or(missing.clone(), Ours::Found),
            },
            reason: cell.reason,
        };
        let cells = plan.cells.into_iter().map(cell).collect();
        Ok(Row { section: plan.section, label: plan.label, cells })
    }

    /// The outcome of a search that went through.
    fn search(&mut self, table: &str, wanted: &Search) -> Result<Option<Outcome>, Failure> {
        if let Some((_, outcome)) = self.done.iter().find(|(search, _)| search == wanted) {
            return Ok(outcome.clone());
        }
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let what = wanted.describe();
        let clock = self.options.limits.clock();
        let interrupt = &self.interrupt;
        let good = match load(
            &wanted.input(self.options.packages.as_deref()),
            wanted.setup(),
            false,
            &clock,
            interrupt,
        ) {
            Ok(opened) => opened.good,
            Err(Failure::Unfinished(_)) => {
                self.done.push((wanted.clone(), None));
                return Ok(None);
            }
            Err(failure) => return Err(failure),
        };
        let options = wanted.options(&self.options.limits);
        let title = format!("{table}, {what}: ");
        let shown = !self.options.quiet;
        let outcome =
            search::run(&good.model, &options, &title, shown, interrupt, Control::under(clock))?;
        let through = is_through(&outcome);
        if shown && (wanted.large || !through) {
            // Large searches are told of on any standard error, not on a terminal only.
            let how =
                if through { String::new() } else { format!(", {}", joined(&outcome.bounds)) };
            let time = duration(outcome.seconds);
            complain(format!("{title}{} states, {time}{how}\n", outcome.states));
        }
        let outcome = Some(outcome).filter(|_| through);
        self.done.push((wanted.clone(), outcome.clone()));
        Ok(outcome)
    }
}

/// Whether a search went through; an approximate one is incomplete by its nature, and then has that
/// bound alone.
fn is_through(outcome: &Outcome) -> bool {
    !outcome.interrupted && (outcome.complete || outcome.approximate && outcome.bounds.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_have_a_cell_for_each_column() {
        for plan in plans(None) {
            assert!(plan.columns.len() > 1 && !plan.rows.is_empty(), "{}", plan.name);
            for row in &plan.rows {
                assert_eq!(row.cells.len(), plan.columns.len(), "{} {}", plan.name, row.label);
            }
            // What a heading says belongs to the rows; a name is typed in.
            assert!(
                plan.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            );
            assert!(!is_meant(&plan, "") && is_meant(&plan, &plan.name.to_uppercase()));
        }
        let mut names: Vec<&str> = plans(None).iter().map(|p| p.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), plans(None).len());
    }

    #[test]
    fn a_part_of_a_name_chooses() {
        let chosen = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
            let chosen = choose(plans(None), &names).map(|plans| plans.len());
            chosen.map_err(|e| format!("{e:?}"))
        };
        assert_eq!(chosen(&[]), Ok(9));
        assert_eq!(chosen(&["rensink"]), Ok(3));
        assert_eq!(chosen(&["rensink-table3", "figure"]), Ok(5));
        let error = chosen(&["rensink", "table9"]).unwrap_err();
        assert!(error.contains("`table9`") && error.contains("bosnacki-figure8"), "{error}");
        assert!(chosen(&[""]).is_err());
    }
}
