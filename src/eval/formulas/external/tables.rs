//! Tables from files of values that are separated by commas, as sets and sequences of tuples or records.

use super::{Call, text};
use crate::lower::stop::FaultKind;
use crate::machine::Type;
use crate::value::{Value, sequence};
use num_bigint::BigInt;
use std::sync::Arc;

/// The rows of a file. Where its first line has semicolons and no comma, these separate.
fn rows(c: &Call, file: &Value) -> Result<Vec<Vec<String>>, FaultKind> {
    let content = c.outside.text(text(file))?;
    let first = content.lines().next().unwrap_or_default();
    let delimiter = if first.contains(';') && !first.contains(',') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(delimiter)
        .from_reader(content.as_bytes());
    let row = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    let records = reader.records().map(|record| record.map(row).map_err(|_| FaultKind::FileUnfit));
    records.collect()
}

/// `READ_CSV(file)`, `READ_CSV(file, skip the first line, allow further columns)`: a set of tuples.
pub(super) fn read(c: &Call, a: &[Value]) -> Result<Value, FaultKind> {
    let element = c.result_type.element().ok_or(FaultKind::FileUnfit)?;
    Ok(c.result.collect(tuples(c, a, element)?))
}

/// The same as a sequence.
pub(super) fn read_rows(c: &Call, a: &[Value]) -> Result<Value, FaultKind> {
    let (_, item) = c.result_type.relation_sides().ok_or(FaultKind::FileUnfit)?;
    Ok(sequence::from_items(&c.result, tuples(c, a, item)?))
}

fn tuples(c: &Call, a: &[Value], ty: &Type) -> Result<Vec<Value>, FaultKind> {
    let is = |i: usize| a.get(i) == Some(&Value::TRUE);
    let rows = rows(c, &a[0])?;
    let tuple = |row: Vec<String>| {
        let mut cells = row.iter().map(String::as_str);
        let value = value(c, ty, &mut cells)?;
        (cells.next().is_none() || is(2)).then_some(value)
    };
    let rows = rows.into_iter().skip(usize::from(is(1)));
    rows.map(|row| tuple(row).ok_or(FaultKind::FileUnfit)).collect()
}

/// The value of a type that the next cells are; pairs and records take one for each part.
fn value(c: &Call, ty: &Type, cells: &mut dyn Iterator<Item = &str>) -> Option<Value> {
    match ty {
        Type::Integer => cells.next()?.parse::<BigInt>().ok().map(Value::integer),
        Type::Real => cells.next()?.parse::<f64>().ok().filter(|r| r.is_finite()).map(Value::real),
        Type::String => Some(Value::String(Arc::from(cells.next()?))),
        Type::Bool => element(c, ty, &cells.next()?.to_ascii_uppercase()),
        Type::Set(_) => element(c, ty, cells.next()?),
        Type::Pair(sides) => {
            let (left, right) = (value(c, &sides.0, cells)?, value(c, &sides.1, cells)?);
            Some(c.names.shape(ty).pair(left, right))
        }
        Type::Record(fields) => {
            let values = fields.iter().map(|(_, ty)| value(c, ty, cells));
            Some(Value::Record(values.collect::<Option<_>>()?))
        }
        Type::Pow(_) | Type::Free(_) => None,
    }
}

/// The element of a set, or the truth value, with this name.
pub(super) fn element(c: &Call, ty: &Type, name: &str) -> Option<Value> {
    match (ty, name) {
        (Type::Bool, "TRUE") => Some(Value::TRUE),
        (Type::Bool, "FALSE") => Some(Value::FALSE),
        (Type::Set(set), _) => {
            let lists = c.names.lists();
            let number = lists.get(set.0 as usize)?.iter().position(|known| **known == *name)?;
            Some(Value::Word(number as u64))
        }
        _ => None,
    }
}

/// `READ_CSV_STRINGS(file)`: for each row but the first the texts of its cells that are not empty, by the names that
/// the first row has.
pub(super) fn read_strings(c: &Call, a: &[Value]) -> Result<Value, FaultKind> {
    let mut rows = rows(c, &a[0])?.into_iter();
    let names = rows.next().unwrap_or_default();
    let cells = c.result.element().sides().1;
    let pair = cells.element();
    let of = |s: &String| Value::String(Arc::from(&**s));
    let row = |row: Vec<String>| {
        let given = names.iter().zip(&row).filter(|(_, cell)| !cell.is_empty());
        cells.collect(given.map(|(name, cell)| pair.pair(of(name), of(cell))).collect::<Vec<_>>())
    };
    Ok(sequence::from_items(&c.result, rows.map(row).collect()))
}
