//! The values of options: from text, with what is wrong with it.

use super::{CardRange, Por, Switch};
use crate::search::{
    Asserted, OnViolation, PorAnalysis, PorChoice, PorMethod, Refinement, Strategy, SymmetryMode,
};
use crate::state::WdGuards;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::fmt::Display;
use std::str::FromStr;

pub(super) fn symmetry() -> impl TypedValueParser<Value = SymmetryMode> {
    PossibleValuesParser::new(SymmetryMode::ALL.iter().flat_map(|mode| mode.names()))
        .try_map(|name| SymmetryMode::from_name(&name).ok_or("no such symmetry mode"))
}

pub(super) fn refinement() -> impl TypedValueParser<Value = Refinement> {
    PossibleValuesParser::new(Refinement::ALL.map(Refinement::name))
        .try_map(|name| Refinement::from_name(&name).ok_or("no such colouring"))
}

pub(super) fn strategy() -> impl TypedValueParser<Value = Strategy> {
    PossibleValuesParser::new(Strategy::ALL.map(Strategy::name)).try_map(|name| {
        Strategy::ALL.into_iter().find(|s| s.name() == name).ok_or("no such strategy")
    })
}

pub(super) fn por() -> impl TypedValueParser<Value = Por> {
    let names = std::iter::once("off").chain(PorMethod::ALL.map(PorMethod::name));
    PossibleValuesParser::new(names)
        .map(|name| Por(PorMethod::ALL.into_iter().find(|m| m.name() == name)))
}

pub(super) fn por_choice() -> impl TypedValueParser<Value = PorChoice> {
    PossibleValuesParser::new(PorChoice::ALL.map(PorChoice::name)).try_map(|name| {
        PorChoice::ALL.into_iter().find(|c| c.name() == name).ok_or("no such choice")
    })
}

pub(super) fn por_analysis() -> impl TypedValueParser<Value = PorAnalysis> {
    PossibleValuesParser::new(PorAnalysis::ALL.map(PorAnalysis::name)).try_map(|name| {
        PorAnalysis::ALL.into_iter().find(|a| a.name() == name).ok_or("no such analysis")
    })
}

pub(super) fn asserted() -> impl TypedValueParser<Value = Asserted> {
    PossibleValuesParser::new(Asserted::ALL.map(Asserted::name))
        .try_map(|name| Asserted::ALL.into_iter().find(|a| a.name() == name).ok_or("no such time"))
}

pub(super) fn on_violation() -> impl TypedValueParser<Value = OnViolation> {
    PossibleValuesParser::new(OnViolation::ALL.map(OnViolation::name)).try_map(|name| {
        OnViolation::ALL.into_iter().find(|v| v.name() == name).ok_or("no such action")
    })
}

pub(super) fn wd_guards() -> impl TypedValueParser<Value = WdGuards> {
    PossibleValuesParser::new(WdGuards::ALL.map(WdGuards::name))
        .try_map(|name| WdGuards::from_name(&name).ok_or("neither error nor warn"))
}

pub(super) fn on_off() -> impl TypedValueParser<Value = Switch> {
    PossibleValuesParser::new(["on", "off"]).map(|name| Switch(name == "on"))
}

pub(super) fn step_number(text: &str) -> Result<usize, String> {
    match text.trim().parse() {
        Ok(0) => Err("transitions are numbered from 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("expected the number of a transition, from 1".to_owned()),
    }
}

/// A number that is not less than this one.
pub(super) fn number_from<T>(least: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.trim().parse().ok().filter(|number| *number >= least);
        number.ok_or_else(|| format!("expected a number, from {least}"))
    }
}

pub(super) fn integer(text: &str) -> Result<i64, String> {
    text.trim().parse().map_err(|_| "expected an integer of 64 bits".to_owned())
}

pub(super) fn runs(text: &str) -> Result<u32, String> {
    let number = text.trim().parse().ok().filter(|number| (1..=1000).contains(number));
    number.ok_or_else(|| "expected a number from 1 to 1000".to_owned())
}

fn is_identifier(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

pub(super) fn card(text: &str) -> Result<(String, u64), String> {
    let (name, size) = text.split_once('=').ok_or("expected SET=N, for example Name=3")?;
    Ok((set_name(name)?, set_size(size)?))
}

fn set_name(name: &str) -> Result<String, String> {
    match name.trim() {
        "" => Err("expected the name of a set before `=`".to_owned()),
        name if is_identifier(name) => Ok(name.to_owned()),
        name => Err(format!("`{name}` is not the name of a set")),
    }
}

fn set_size(size: &str) -> Result<u64, String> {
    let size = size.trim();
    match size.parse() {
        Ok(0) => Err("a set has at least one element".to_owned()),
        Ok(n) => Ok(n),
        Err(_) => Err(format!("`{size}` is not the size of a set")),
    }
}

pub(super) fn card_range(text: &str) -> Result<CardRange, String> {
    let (names, sizes) =
        text.split_once('=').ok_or("expected SETS=N..M, for example Name,Code=1..6")?;
    let sets = names.split(',').map(set_name).collect::<Result<Vec<_>, _>>()?;
    let (first, last) = match sizes.split_once("..") {
        Some((first, last)) => (set_size(first)?, set_size(last)?),
        None => (set_size(sizes)?, set_size(sizes)?),
    };
    if first > last {
        return Err(format!("{first}..{last} is an empty range"));
    }
    Ok(CardRange { sets, first, last })
}

pub(super) fn preference(text: &str) -> Result<(String, String), String> {
    name_and_value(text, "a preference", "MAXINT=5")
}

pub(super) fn constant(text: &str) -> Result<(String, String), String> {
    name_and_value(text, "a constant", "size=2")
}

fn name_and_value(text: &str, of: &str, example: &str) -> Result<(String, String), String> {
    let expected = || format!("expected NAME=VALUE, for example {example}");
    let (name, value) = text.split_once('=').ok_or_else(expected)?;
    let (name, value) = (name.trim(), value.trim());
    if !is_identifier(name) {
        return Err(format!("`{name}` is not the name of {of}"));
    }
    if value.is_empty() {
        return Err(format!("`{name}` has no value"));
    }
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_told_what_is_wanted() {
        assert_eq!(number_from(1u64)("7"), Ok(7));
        for wrong in ["x", "", "0", "-1", "1.5", "99999999999999999999"] {
            assert_eq!(number_from(1u64)(wrong), Err("expected a number, from 1".to_owned()));
        }
        assert_eq!(integer("-5"), Ok(-5));
        assert_eq!(integer("five"), Err("expected an integer of 64 bits".to_owned()));
        assert!(runs("1000").is_ok() && runs("1001").is_err() && runs("0").is_err());
    }

    #[test]
    fn ranges_of_sizes() {
        let range = card_range("Name,Code=1..6").unwrap();
        assert_eq!((range.sets.len(), range.first, range.last), (2, 1, 6));
        let range = card_range("Name=3").unwrap();
        assert_eq!((range.sets.len(), range.first, range.last), (1, 3, 3));
        for wrong in ["Name", "=1", "Name=", "Name=0", "Name=3..1", "Name=1..", "A,,B=1", "A=1...3"]
        {
            assert!(card_range(wrong).is_err(), "{wrong}");
        }
    }
}
