//! What limits a result, in words.

use super::counted;
use crate::clock::{Halt, Halted, Phase};
use crate::eval::Within;
use crate::search::Outcome;
use crate::setup::{Bound, SizeSource};
use crate::source::{Sources, Span};
use std::fmt::{Display, Formatter, Result};

/// The bounds of a result, each with its place where it has one.
pub fn texts(bounds: &[Bound], sources: &Sources) -> Vec<String> {
    bounds.iter().map(|b| text(b, sources)).collect()
}

/// All bounds, without their places.
pub fn joined(bounds: &[Bound]) -> String {
    bounds.iter().map(Bound::to_string).collect::<Vec<_>>().join("; ")
}

/// The bounds that say where a search ended, each in words; set sizes that nobody chose say it of every search.
pub fn limits(outcome: &Outcome) -> Vec<String> {
    let known = |b: &&Bound| !matches!(b, Bound::OpenSize { .. } | Bound::NoneAtOpenSizes { .. });
    outcome.bounds.iter().filter(known).map(Bound::to_string).collect()
}

/// A bound with its place, where it has one in these files: what is typed in may be none of them.
pub fn text(bound: &Bound, sources: &Sources) -> String {
    match place(bound).filter(|span| sources.contains(span.file)) {
        Some(span) => {
            let (at, file) = (sources.place(span), sources.get(span.file).path.display());
            format!("{bound}, at {file}:{}:{}", at.line, at.column)
        }
        None => bound.to_string(),
    }
}

/// Where in the machine a bound is.
pub fn place(bound: &Bound) -> Option<Span> {
    match bound {
        Bound::Halted(halted) => halted.place,
        Bound::TooLarge(span, _) => Some(*span),
        Bound::Assertions { first, .. } => Some(*first),
        Bound::Unbounded { site, .. } => Some(site.span),
        _ => None,
    }
}

/// A bound in a word or two, for a title.
pub fn word(bound: &Bound) -> String {
    match bound {
        Bound::Halted(halted) => match halted.why {
            Halt::Interrupted => "interrupted".to_owned(),
            Halt::Memory => "memory".to_owned(),
            Halt::Time => "time".to_owned(),
        },
        Bound::MaxStates(_) | Bound::MaxSetUps(_) | Bound::Numbers(_) => {
            "number of states".to_owned()
        }
        Bound::OpenSize { source: SizeSource::Least, .. } => "least sizes".to_owned(),
        Bound::OpenSize { source: SizeSource::Greatest, .. } => "greatest sizes".to_owned(),
        Bound::OpenSize { .. } => "default sizes".to_owned(),
        Bound::NoneAtOpenSizes { .. } => "at these sizes only".to_owned(),
        Bound::MainArray(_) => "main array".to_owned(),
        Bound::FloodLimit { .. } => "flood limit".to_owned(),
        Bound::Scope => "scope".to_owned(),
        Bound::Assertions { .. } => "assertions".to_owned(),
        Bound::RandomWalks { .. } => "random walks".to_owned(),
        Bound::Approximate { .. } => "approximate".to_owned(),
        Bound::TooLarge(..) => "value too large".to_owned(),
        Bound::Unbounded { site, .. } => match site.within {
            Within::Descriptions => "what the descriptions of infinite sets do not tell".to_owned(),
            _ => format!("unbounded {}", site.name),
        },
    }
}

impl Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Bound::Halted(halted) => halted.fmt(f),
            Bound::MaxStates(n) => {
                write!(f, "stopped after {} (--max-states)", counted(*n as usize, "state"))
            }
            Bound::MaxSetUps(n) => {
                write!(
                    f,
                    "only the first {n} set-ups of the constants were searched (--max-states)"
                )
            }
            Bound::OpenSize { set, size, source } => {
                let s = if *size == 1 { "" } else { "s" };
                let why = match source {
                    SizeSource::Least => {
                        ", the first above the default that the PROPERTIES are seen to allow"
                    }
                    SizeSource::Greatest => {
                        ", the last below the default that the PROPERTIES are seen to allow"
                    }
                    _ => " by default",
                };
                write!(
                    f,
                    "{set} has {size} element{s}{why} (--card {set}=N or scope_{set} chooses)"
                )
            }
            Bound::MainArray(why) => f.write_str(why),
            Bound::FloodLimit { images, limit } => write!(
                f,
                "flooding stopped before a state with {images} images: the limit is {limit} \
                 (--flood-limit)"
            ),
            Bound::Numbers(most) => {
                write!(f, "stopped after {most} states: a search has no numbers for more")
            }
            Bound::NoneAtOpenSizes { what, with } => {
                write!(f, "the {what} no solution with these sizes of the sets")?;
                let Some(with) = with else { return Ok(()) };
                let cards: Vec<String> =
                    with.iter().map(|(set, size)| format!("--card {set}={size}")).collect();
                write!(f, ", but with {}", cards.join(" "))
            }
            Bound::Scope => {
                f.write_str("states outside the SCOPE definition are neither checked nor expanded")
            }
            Bound::Assertions { number, asked, states, .. } => {
                let these = match number {
                    1 => "an assertion that takes long was".to_owned(),
                    n => format!("{n} assertions that take long were"),
                };
                let of = counted(*states as usize, "state");
                match asked {
                    0 => write!(f, "{these} asked of none of the {of}"),
                    n => write!(f, "{these} asked of the first {n} of {of} only"),
                }
            }
            Bound::RandomWalks { walks, steps } => {
                write!(f, "random walks: {walks} walks of at most {steps} steps")
            }
            Bound::Approximate { method } => write!(
                f,
                "{method} is approximate: it may take states that are not symmetric for one, so \
                 that some are not visited"
            ),
            Bound::TooLarge(_, what) => write!(f, "stopped at {what}"),
            Bound::Unbounded { site, min, max } => {
                if site.within != Within::Descriptions {
                    write!(f, "{} is unbounded and was enumerated ", site.name)?;
                }
                match site.within {
                    Within::Limits => write!(
                        f,
                        "within MININT..MAXINT = {min}..{max} only (as many from a bound beyond these)"
                    ),
                    Within::Strings => f.write_str(
                        "within the strings that the machine mentions, two at least, only",
                    ),
                    Within::Lengths => write!(f, "to the length MAXINT = {max} only"),
                    Within::Trees => f.write_str("to trees of three nodes only"),
                    Within::Nesting => f.write_str("to a nesting of three constructors only"),
                    Within::Descriptions => f.write_str(Within::NOT_TOLD),
                }
            }
        }
    }
}

impl Display for Halted {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match (self.why, self.timeout) {
            (Halt::Interrupted, _) => f.write_str("interrupted")?,
            (Halt::Memory, _) => f.write_str("stopped at the memory limit (--memory)")?,
            (Halt::Time, timeout) => {
                let seconds = timeout.unwrap_or_default().as_secs_f64();
                write!(f, "stopped after {seconds} seconds (--timeout)")?;
            }
        }
        write!(f, " while {}", doing(self.phase))
    }
}

fn doing(phase: Phase) -> &'static str {
    match phase {
        Phase::Loading => "the files were read",
        Phase::Typing => "the types were checked",
        Phase::Sizes => "the sets were given their sizes",
        Phase::Compiling => "the machine was compiled",
        Phase::SetUp => "the PROPERTIES were solved",
        Phase::Initialisation => "the INITIALISATION was run",
        Phase::Search => "the states were searched",
        Phase::Assertions => "assertions that take long were asked of the states that were found",
        Phase::Labelling => "a state was labelled",
        Phase::Storing => "states were looked up",
        Phase::Trace => "the run to what was found was put together",
        Phase::Report => "the report was written",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[test]
    fn a_place_in_a_text_that_is_no_file_here_is_left_out() {
        let place = Some(Span { file: FileId(7), start: 0, end: 1 });
        let halted = Halted { why: Halt::Time, timeout: None, phase: Phase::Search, place };
        let bound = Bound::Halted(halted);
        assert_eq!(text(&bound, &Sources::default()), bound.to_string());
    }
}
