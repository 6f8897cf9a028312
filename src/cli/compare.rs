//! `burnside compare`: one row per size, the symmetry modes side by side.

use super::arguments::{CardRange, CompareOptions, Por, TableFormat};
use super::input::Input;
use super::output::{complain, print};
use super::signals::Interrupt;
use super::{EXIT_FOUND, EXIT_INCOMPLETE, EXIT_OK, EXIT_WRONG, Failure, exit_status, load, search};
use crate::clock::Clock;
use crate::independence::Analyses;
use crate::printable;
use crate::report::compare::{CSV_HEADER, Mode, NOT_LEFT, Row, TextTable, json, refusal};
use crate::search::{Control, SymmetryMode};
use crate::setup::SetupOptions;
use std::sync::Arc;

/// Most rows of a table. Each is a search of its own, the later ones longer than anyone waits for.
const MOST_SIZES: u64 = 10_000;

/// One size: what each set has.
type Size = Vec<(String, u64)>;

/// Compares and prints, each row as soon as it is known.
///
/// # Errors
/// The machine is refused, or the sizes make no sense.
pub fn run(input: &Input, options: &CompareOptions) -> Result<u8, Failure> {
    let interrupt = Interrupt::install();
    let sizes = sizes(&options.card)?;
    let modes = modes(&options.symmetry, &options.por);
    let json_wanted = options.format == TableFormat::Json;
    let mut table = None;
    let mut all = Vec::new();
    let mut notes = Vec::new();
    let mut model = String::new();
    let mut status = EXIT_OK;
    let mut pruned = false;
    for (k, size) in sizes.iter().enumerate() {
        let setup = SetupOptions { cards: size.clone(), ..options.preferences.setup() };
        let limits = &options.limits.work;
        let clock = limits.clock();
        let good = load(input, setup, json_wanted, &clock, &interrupt)?.good;
        let spent = clock.elapsed();
        // Without --card the sizes are those that the machine has by itself.
        let given: Size = if size.is_empty() {
            let own = good.model.sets.iter().map(|s| (s.name.to_string(), u64::from(s.size)));
            own.collect()
        } else {
            size.clone()
        };
        let card = written(&given);
        if k == 0 {
            model = good.model.instance.machine.name.to_string();
            let cards: Vec<String> = sizes.iter().map(|s| written(s)).collect();
            let cards = cards.iter().map(String::as_str).chain([card.as_str()]);
            let text = table.insert(TextTable::new(cards, &modes));
            match options.format {
                TableFormat::Text => {
                    print(format!("{}\n{}", printable::line(&model), text.header()))?;
                }
                TableFormat::Csv => print(format!("{CSV_HEADER}\n"))?,
                TableFormat::Json => {}
            }
        }
        let mut rows = Vec::new();
        let analyses = Arc::new(Analyses::default());
        for mode in &modes {
            let title = format!("{card} {}: ", mode.name());
            let search_options = options.search(mode.symmetry, mode.por);
            let clock = Clock::limited_after(spent, limits.timeout, limits.memory);
            let control = Control::under(clock).knowing(analyses.clone());
            let shown = !options.quiet;
            let outcome =
                search::run(&good.model, &search_options, &title, shown, &interrupt, control)?;
            status = worse(status, exit_status(&outcome, &interrupt));
            let row = Row::new(&card, &outcome, !options.keep_going);
            pruned |= outcome.complete && !row.complete;
            if options.format == TableFormat::Csv {
                print(row.csv())?;
            }
            rows.push(row);
            if let Some(why) = refusal(&outcome) {
                notes.push(format!("{card} {}: cannot be used: {why}", mode.name()));
            }
            if outcome.verdict.is_finding() {
                let name = outcome.verdict.name();
                let note = match (outcome.violating_states, outcome.deadlocked_states) {
                    (Some(n), _) if n > 0 => format!("{name} ({n} violating states)"),
                    (_, Some(n)) if n > 0 => format!("{name} ({n} deadlocked states)"),
                    _ => name.to_owned(),
                };
                notes.push(format!("{card} {}: {note}", mode.name()));
            }
            if interrupt.is_set() {
                break;
            }
        }
        if let Some(table) = table.as_ref().filter(|_| options.format == TableFormat::Text) {
            print(table.row(&rows))?;
        }
        all.extend(rows);
        if interrupt.is_set() {
            status = interrupt.status();
            break;
        }
    }
    match options.format {
        TableFormat::Json => print(json(&model, &all))?,
        TableFormat::Text => {
            if all.iter().any(|r| !r.complete) {
                print("+ incomplete: at least this many\n")?;
            }
            if pruned {
                print(format!("{NOT_LEFT}: --keep-going goes on from them\n"))?;
            }
            print(lines(&notes))?;
        }
        TableFormat::Csv if !options.quiet => {
            complain(lines(&notes));
        }
        TableFormat::Csv => {}
    }
    Ok(status)
}

/// The modes that were asked for, each once, with each of the partial order reductions.
fn modes(given: &[SymmetryMode], por: &[Por]) -> Vec<Mode> {
    let mut modes = Vec::new();
    for symmetry in given {
        for Por(por) in por {
            let mode = Mode { symmetry: *symmetry, por: *por };
            if !modes.contains(&mode) {
                modes.push(mode);
            }
        }
    }
    modes
}

/// The status of several searches: interrupted, else found, else incomplete.
fn worse(a: u8, b: u8) -> u8 {
    let rank = |status| match status {
        EXIT_OK => 0,
        EXIT_INCOMPLETE => 1,
        EXIT_FOUND | EXIT_WRONG => 2,
        _ => 3,
    };
    if rank(b) > rank(a) { b } else { a }
}

fn lines(notes: &[String]) -> String {
    notes.iter().map(|note| format!("{}\n", printable::line(note))).collect()
}

/// `Name=2 Code=2`
fn written(size: &[(String, u64)]) -> String {
    let parts: Vec<String> = size.iter().map(|(name, n)| format!("{name}={n}")).collect();
    parts.join(" ")
}

/// All combinations of the ranges, the first range slowest.
fn sizes(ranges: &[CardRange]) -> Result<Vec<Size>, Failure> {
    let mut named: Vec<&String> = Vec::new();
    let mut count = 1u64;
    for range in ranges {
        for set in &range.sets {
            if named.contains(&set) {
                let message = format!("--card gives `{set}` a size more than once");
                return Err(Failure::Message(message));
            }
            named.push(set);
        }
        count = count.saturating_mul((range.last - range.first).saturating_add(1));
    }
    if count > MOST_SIZES {
        let message = format!("--card asks for {count} sizes; at most {MOST_SIZES} are compared");
        return Err(Failure::Message(message));
    }
    let mut sizes: Vec<Size> = vec![Vec::new()];
    for range in ranges {
        let extended = sizes.iter().flat_map(|before| {
            (range.first..=range.last).map(move |n| {
                let mut size = before.clone();
                size.extend(range.sets.iter().map(|s| (s.clone(), n)));
                size
            })
        });
        sizes = extended.collect();
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(sets: &[&str], first: u64, last: u64) -> CardRange {
        CardRange { sets: sets.iter().map(|s| (*s).to_owned()).collect(), first, last }
    }

    #[test]
    fn joined_sets_move_in_step_and_ranges_multiply() {
        let sizes = sizes(&[range(&["A", "B"], 1, 2), range(&["C"], 3, 5)]).unwrap();
        let written: Vec<String> = sizes.iter().map(|s| written(s)).collect();
        assert_eq!(written[0], "A=1 B=1 C=3");
        assert_eq!(written[1], "A=1 B=1 C=4");
        assert_eq!(written[5], "A=2 B=2 C=5");
        assert_eq!(written.len(), 6);
    }

    #[test]
    fn senseless_sizes_are_refused() {
        assert!(sizes(&[range(&["A", "A"], 1, 2)]).is_err());
        assert!(sizes(&[range(&["A"], 1, 2), range(&["A"], 1, 2)]).is_err());
        assert!(sizes(&[range(&["A"], 1, u64::MAX), range(&["B"], 1, u64::MAX)]).is_err());
        assert_eq!(sizes(&[]).unwrap(), [Size::new()]);
    }

    #[test]
    fn statuses_are_ranked() {
        let all = [0, 3, 1, 143];
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                assert_eq!(worse(*a, *b), all[i.max(j)]);
            }
        }
    }
}
